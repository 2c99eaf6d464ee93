"""The card table: what it holds, how cards are added, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from royale_scenes import FULL, NAMES, changed, game, holding, scene, wait

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.registry import load_game
from tactician.games.royale import royale
from tactician.games.royale.cards import COLUMNS, load_cards, read_cards

HEADER = ",".join(COLUMNS)
WIZARD = "Wizard,troop,5,1,600,170,1500,14,4,5500,5500,100,500,5,ground,ground+air,,,"
ZAP = "Zap,spell,2,,,159,,,,,,,2500,,,,48,9000,1"


def table(folder: Path, *rows: str, header: str = HEADER) -> str:
    path = folder / "cards.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return str(path)


def deck(*changes: tuple[str, str]) -> list[str]:
    """The usual deck with some cards replaced."""
    replaced = dict(changes)
    return [replaced.get(name, name) for name in NAMES]


def test_the_built_in_table_has_the_numbers_of_the_specification() -> None:
    cards = load_cards()
    assert list(cards) == [*NAMES, "Princess Tower", "King Tower"]
    assert {name: card.cost for name, card in cards.items() if card.kind != "tower"} == dict(
        zip(NAMES, (3, 5, 3, 3, 3, 4, 4, 4), strict=True)
    )
    assert [cards[name].hp for name in NAMES if cards[name].kind == "troop"] == [1452, 3275, 252, 190, 598, 957]
    assert (cards["Giant"].hits, cards["Knight"].hits, cards["Baby Dragon"].splash) == ("towers", "ground", 1200)
    assert all(card.tower_damage == -(-card.damage * 3 // 10) for card in cards.values() if card.kind == "spell")


def test_a_row_of_an_existing_kind_is_a_card_that_can_be_played(tmp_path: Path) -> None:
    cards = table(tmp_path, WIZARD, ZAP)
    own = royale(cards=cards, deck=deck(("Knight", "Wizard"), ("Arrows", "Zap")))
    state = own.initial_state(seed=1)
    names = deck(("Knight", "Wizard"), ("Arrows", "Zap"))
    state = changed(state, 0, hand=["Wizard", "Zap", *names[1:3]], queue=names[4:], elixir=FULL)
    state.apply(["Wizard at 3,14", "wait"])
    state.apply(["Zap at 3,25", "wait"])
    wait(state, 60)
    fields = state.to_json()["players"][1]
    assert fields["towers"][1][0] < 2534 - 48
    assert own.version.startswith("1+cards-")
    assert own.version != game().version


def test_a_row_with_a_known_name_replaces_that_card(tmp_path: Path) -> None:
    knight = "Knight,troop,1,3,2000,167,0,12,5,1200,5500,100,500,6,ground,ground,,,"
    own = royale(cards=table(tmp_path, knight))
    state = holding(scene(of=own, elixir=28), 0, "Knight").apply(["Knight at 3,10", "wait"])
    assert [troop[3] for troop in state.to_json()["players"][0]["troops"]] == [2000] * 3
    assert state.to_json()["players"][0]["elixir"] == 5


def test_on_the_command_line_a_deck_is_names_with_plus_signs(tmp_path: Path) -> None:
    cards = table(tmp_path, WIZARD)
    names = "+".join(deck(("Giant", "Wizard")))
    state = load_game(f"royale:cards={cards},deck={names}").initial_state()
    assert "Wizard" in {*state.to_json()["players"][0]["hand"], *state.to_json()["players"][0]["queue"]}


def test_the_order_of_a_deck_does_not_change_the_rules() -> None:
    assert royale(deck=[*reversed(NAMES)]).initial_state(seed=1).to_json()["players"][0]["hand"] != []


# -- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (NAMES[:7], "deck has 7 cards; expected 8."),
        (["Knight", "Knight", *NAMES[2:]], "deck has 'Knight' twice; expected 8 different cards."),
        (["Knight"] * 3 + [*NAMES[3:]], "deck has 'Knight' 3 times; expected 8 different cards."),
        ("Knight+Giant", "deck has 2 cards; expected 8."),
    ],
)
def test_a_deck_of_the_wrong_size_or_with_a_name_twice_is_refused(names: list[str], sentence: str) -> None:
    with pytest.raises(InvalidParameterError) as refusal:
        royale(deck=names)
    assert str(refusal.value) == sentence


def test_an_unknown_card_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="unknown card 'Knite'; did you mean 'Knight'"):
        royale(deck=["Knite", *NAMES[1:]])
    with pytest.raises(UnknownNameError, match="unknown card 'King Tower'"):
        royale(deck=["King Tower", *NAMES[1:]])


@pytest.mark.parametrize("deck", [None, 5])
def test_a_deck_that_is_no_list_of_names_is_refused(deck: Any) -> None:
    with pytest.raises(InvalidParameterError, match="expected the names of 8 cards"):
        royale(deck=deck)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (WIZARD.replace(",100,500,", ",-5,500,"), "speed of 'Wizard' is '-5'; expected an integer from 0 to 1000."),
        (WIZARD.replace("5,1,600", "5,4,600"), "count of 'Wizard' is '4'; expected an integer from 1 to 3."),
        (WIZARD.replace("troop,5", "troop,11"), "cost of 'Wizard' is '11'; expected an integer from 1 to 10."),
        (WIZARD.replace(",170,", ",,"), "damage of 'Wizard' is ''; expected an integer from 0 to 30000."),
        (WIZARD.replace(",170,", ",1.5,"), "damage of 'Wizard' is '1.5'; expected an integer"),
        (WIZARD.replace(",14,4,", ",14,15,"), "first_hit_ticks of 'Wizard' is 15; expected at most its hit_ticks, 14."),
        (WIZARD.replace(",ground,", ",water,", 1), "layer of 'Wizard' is 'water'; expected ground or air."),
        (WIZARD.replace("ground+air", "all"), "hits of 'Wizard' is 'all'; expected ground or ground+air or towers."),
        (WIZARD.replace("troop", "building"), "kind of 'Wizard' is 'building'; expected one of troop, spell, tower."),
        (WIZARD.replace(",,,", ",,900,"), "flight of 'Wizard' is '900'; a troop has none."),
        (ZAP.replace(",2500,", ",2500,7,", 1).replace(",,,,48", ",,,48"), "mass of 'Zap' is '7'; a spell has none."),
        (WIZARD.replace("Wizard", "Wiz|ard"), "name is 'Wiz|ard'; expected 1 to 24 letters"),
        (WIZARD.replace("Wizard", ""), "name is ''; expected 1 to 24 letters"),
        ("Bomb Tower,tower,,,1,1,,1,1,1,,,500,,,ground,,,", "'Bomb Tower' is a tower; expected 'Princess Tower' or"),
    ],
)
def test_a_row_that_is_not_a_card_is_refused_with_its_line(tmp_path: Path, row: str, sentence: str) -> None:
    path = table(tmp_path, row)
    with pytest.raises(InvalidParameterError) as refusal:
        royale(cards=path)
    assert sentence in str(refusal.value)
    assert f"card table '{path}', line 2" in str(refusal.value)


def test_a_table_that_is_not_a_table_is_refused(tmp_path: Path) -> None:
    for text, sentence in (
        ("", "lacks the column 'name'"),
        (HEADER.replace(",speed", "") + "\n", "lacks the column 'speed'; expected name,kind,cost"),
        (HEADER + "\n", "holds no cards; expected at least one row."),
        (f"{HEADER}\n{WIZARD}\n{WIZARD}\n", "has 'Wizard' twice; expected a row for each card."),
        (f'{HEADER}\n"Wizard', "is not a row of a table"),
    ):
        path = tmp_path / "broken.csv"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidParameterError) as refusal:
            read_cards(path)
        assert sentence in str(refusal.value)
    with pytest.raises(InvalidParameterError, match="can't be read"):
        read_cards(tmp_path / "missing.csv")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"reserve_arms": 0}, "reserve_arms is 0"),
        ({"positions": 577}, "positions is 577"),
        ({"information": "all"}, "information is 'all'"),
        ({"step_ticks": 0}, "step_ticks is 0"),
        ({"cards": 3}, "cards is 3; expected the path of a card table."),
    ],
)
def test_parameters_out_of_range_are_refused(options: dict[str, int | str], sentence: str) -> None:
    with pytest.raises(InvalidParameterError) as refusal:
        royale(**options)  # type: ignore[arg-type]
    assert sentence in str(refusal.value)
