"""The card table, the referee's random stream and the cards of version 1.5."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactician.errors import InvalidParameterError
from tactician.games.locm.cards import (
    ABILITY_LETTERS,
    CARD_FIELDS,
    CARDS,
    COLUMNS,
    Ability,
    CardKind,
    CardType,
    ability_mask,
    ability_text,
    draft_scores,
    numbers_of_row,
    read_cards,
)
from tactician.games.locm.generator import constructed_seeds, draft_seeds, generate_cards
from tactician.games.locm.java_random import JavaRandom
from tactician.games.locm.records import Config

RECORDED = Path(__file__).parents[2] / "conformance" / "locm"
HEADER = "id,name,type,cost,attack,defense,abilities,player_hp,enemy_hp,card_draw"
ROW = "7,Rootkin Sapling,creature,2,2,2,-----W,0,0,0"


def first_line(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.loads(file.readline())


def table(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "cards.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# -- the 160 cards ---------------------------------------------------------------------------------------------


def test_the_table_has_the_160_cards_in_order() -> None:
    assert [card.number for card in CARDS] == list(range(1, 161))
    kinds = Counter(CardKind(card.kind).name for card in CARDS)
    assert kinds == {"CREATURE": 116, "GREEN": 24, "RED": 12, "BLUE": 8}
    assert all(card.area == 0 for card in CARDS)
    assert {card.cost for card in CARDS} == {*range(10), 12}
    assert {card.number: card.player_hp for card in CARDS if card.player_hp < 0} == {25: -2, 45: -3}


def test_the_table_agrees_with_every_card_in_the_recorded_draft_turns() -> None:
    by_number = {card.number: card for card in CARDS}
    seen = set()
    with gzip.open(RECORDED / "protocol_games.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = {line for game in file for call in json.loads(game)["calls"][:60] for line in call["in"][4:]}
    for line in lines:
        number, instance, _, kind, cost, attack, defense, abilities, *effects, _ = line.split()
        if instance != "-1":
            continue
        card = by_number[int(number)]
        printed = (kind, cost, attack, defense, abilities, *effects)
        own = (int(card.kind), card.cost, card.attack, card.defense, ability_text(card.abilities))
        assert printed == tuple(map(str, (*own, card.player_hp, card.enemy_hp, card.card_draw)))
        seen.add(card.number)
    assert len(seen) == 160


def test_every_format_of_a_card_has_the_same_fields_in_the_same_order() -> None:
    names = list(CARD_FIELDS)
    assert names == ["kind", "cost", "attack", "defense", "abilities", "player_hp", "enemy_hp", "card_draw", "area"]
    assert (*COLUMNS, "area") == ("id", "name", "type", *names[1:])
    assert [field.word for field in CARD_FIELDS.values()] == (
        ["type", "cost", "attack", "defense", "abilities", "playerHp", "enemyHp", "cardDraw", "area"]
    )
    assert [name for name in Config.names or () if name in names] == names
    for card in (*CARDS, *generate_cards(3)):
        assert CardType(number=card.number, name=card.name, **numbers_of_row(card.row())) == card


def test_a_card_tells_its_abilities() -> None:
    gargoyle = CARDS[109]
    assert gargoyle.name == "Gargoyle"
    assert gargoyle.is_creature
    assert [ability for ability in Ability if gargoyle.has(ability)] == [Ability.GUARD]
    assert not CARDS[159].is_creature


def test_the_draft_scores_rank_every_card_once() -> None:
    scores = draft_scores()
    assert sorted(scores) == list(range(1, 161))
    assert sorted(score.coac_first for score in scores.values()) == list(range(1, 161))
    best = sorted(scores, key=lambda number: scores[number].coac_first)
    assert best[:16] == [68, 7, 65, 49, 116, 69, 151, 48, 53, 51, 44, 67, 29, 139, 84, 18]
    assert best[-4:] == [143, 110, 160, 140]
    assert scores[116].closet == 124
    assert scores[116].closet_ported == 98


@given(st.integers(0, 63))
def test_ability_texts_and_masks_are_each_others_inverse(mask: int) -> None:
    assert ability_mask(ability_text(mask)) == mask
    assert len(ability_text(mask)) == 6


def test_ability_letters_stand_in_their_order() -> None:
    assert ability_text(0b001001) == "B--G--"
    assert [ability_mask(letter) for letter in ABILITY_LETTERS] == [1, 2, 4, 8, 16, 32]


# -- tables of others ------------------------------------------------------------------------------------------


def test_a_table_may_have_areas_and_comes_sorted(tmp_path: Path) -> None:
    path = table(tmp_path, HEADER + ",area", "9,Nine,green item,1,1,0,B-----,0,0,0,2", ROW + ",0")
    seven, nine = read_cards(path)
    assert (seven.number, seven.abilities, nine.kind, nine.area) == (7, 32, CardKind.GREEN, 2)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([HEADER.replace(",cost", ""), ROW], r"has no column cost; expected the columns id,name,type,cost"),
        ([], r"has no column id, name, type"),
        ([HEADER], r"has no cards; expected one on each line"),
        ([HEADER, ROW, ROW], r"line 3: id 7 is already 'Rootkin Sapling'; expected ids that differ"),
        ([HEADER, ROW.replace("-----W", "-----X")], r"line 2: abilities '-----X' have 'X'; expected letters of BCDGLW"),
        (
            [HEADER, ROW.replace("creature", "monster")],
            r"type is 'monster'; expected one of creature, green, red, blue",
        ),
        ([HEADER, ROW.replace("creature,2", "creature,two")], r"cost is 'two'; expected a whole number from 0 to 99"),
        ([HEADER, ROW.replace("creature,2", "creature,2.0")], r"cost is '2.0'; expected a whole number"),
        ([HEADER, ROW.replace("creature,2,2,2", "creature,2,2,0")], r"defense is '0'; expected a whole number from 1"),
        ([HEADER, "-1" + ROW[1:]], r"id is '-1'; expected a whole number from 0 to 255"),
        ([HEADER, ROW.replace("Rootkin Sapling", " ")], r"name is empty"),
        ([HEADER, ROW + ",1"], r"line 2 has more fields than the 10 columns named"),
        ([HEADER, ROW.removesuffix(",0")], r"line 2 has fewer fields"),
    ],
)
def test_a_bad_table_is_refused_with_one_sentence(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message) as caught:
        read_cards(table(tmp_path, *lines))
    assert str(caught.value).startswith("card table '")
    assert "\n" not in str(caught.value)


def test_a_table_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="can't be read"):
        read_cards(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidParameterError, match="can't be read"):
        read_cards(tmp_path / "bytes.csv")


# -- the random stream -----------------------------------------------------------------------------------------


def test_the_stream_of_seed_42_is_java_s() -> None:
    stream = JavaRandom(42)
    assert [stream.next_int() for _ in range(2)] == [-1170105035, 234785527]
    assert [JavaRandom(42).next_int(10), JavaRandom(42).next_int(8)] == [0, 5]
    assert JavaRandom(42).next_long() == -5025562857975149833
    assert JavaRandom(42).next_double() == 0.7275636800328681


def test_a_shuffle_keeps_the_items() -> None:
    items = list(range(30))
    JavaRandom(-1).shuffle(items)
    assert sorted(items) == list(range(30))
    assert items != list(range(30))


@given(st.integers(-(2**63), 2**63 - 1), st.integers(1, 2**31 - 1))
def test_bounded_numbers_stay_in_their_bounds(seed: int, bound: int) -> None:
    stream = JavaRandom(seed)
    assert all(0 <= stream.next_int(bound) < bound for _ in range(5))
    assert 0 <= stream.next_double() < 1
    assert -(2**63) <= stream.next_long() < 2**63


@pytest.mark.parametrize("bound", [0, -3, 2**31])
def test_a_bound_must_be_positive_and_small(bound: int) -> None:
    with pytest.raises(InvalidParameterError, match=f"bound is {bound}"):
        JavaRandom(1).next_int(bound)


# -- generated cards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((RECORDED / "v15").glob("*.gz")), ids=lambda path: path.name[:10])
def test_the_generator_makes_the_recorded_cards(path: Path) -> None:
    config = first_line(path)
    made = [
        [
            card.number,
            int(card.kind),
            card.cost,
            card.attack,
            card.defense,
            ability_text(card.abilities),
            card.player_hp,
            card.enemy_hp,
            card.card_draw,
            card.area,
        ]
        for card in generate_cards(int(config["seeds"]["cardGenSeed"]))
    ]
    assert made == config["cards"]


def test_a_master_seed_gives_the_recorded_seeds() -> None:
    with gzip.open(RECORDED / "protocol_games.jsonl.gz", "rt", encoding="utf-8") as file:
        games = [json.loads(line)["params"] for line in file]
    assert len(games) == 24
    for params in games:
        names = ("draftChoicesSeed", "shufflePlayer0Seed", "shufflePlayer1Seed")
        assert draft_seeds(int(params["seed"])) == tuple(int(params[name]) for name in names)


def test_version_1_5_takes_one_seed_more() -> None:
    assert constructed_seeds(1)[:3] == draft_seeds(1)
    assert len(set(constructed_seeds(1))) == 4
