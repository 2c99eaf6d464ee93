"""Positions as JSON, what is refused and in which words, deals, parameters, and what identifies a state."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from locm_boards import a_reached_state, card, end_turn, game, hidden, position, side

from tactician.contract import State
from tactician.errors import InvalidParameterError, InvalidStateError, TacticianError
from tactician.games.locm import locm
from tactician.games.locm.cards import CARDS, CardKind
from tactician.games.locm.decks import paper_decks, read_deck, write_deck
from tactician.games.locm.drafts import DeckCard, draft_from_seed
from tactician.games.locm.generator import draft_seeds
from tactician.games.locm.records import State as StateRecord
from tactician.games.registry import load_game
from tactician.native.records import record_view

RECORDED = Path(__file__).parents[2] / "conformance" / "locm"

# -- there and back --------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(
    version=st.sampled_from(["1.0", "1.2", "1.5"]),
    draft=st.sampled_from([None, "random"]),
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 300),
)
def test_a_state_written_and_read_is_the_same(version: str, draft: str | None, seed: int, steps: int) -> None:
    of = game(version=version, draft=draft)
    state = a_reached_state(of, seed, steps)
    again = of.state_from_json(json.loads(json.dumps(state.to_json())))
    assert again == state
    assert again.digest() == state.digest()
    for action in state.legal_actions():
        assert of.action_from_json(of.action_to_json(action)) == action


def test_the_json_form() -> None:
    state = position("L #67, R 2/9 BG spent", hand=[122], hp=17, enemy_next_draw=2)
    data = state.to_json()
    assert set(data) == {"turn", "cur", "winner", "players", "decks"}
    assert data["players"][0] | {"board": []} == {
        "hp": 17,
        "rune": 15,
        "max_mana": 6,
        "mana": 12,
        "bonus": 0,
        "next_draw": 1,
        "shown_draw": 1,
        "deck_n": 27,
        "hand": [[5, 122]],
        "board": [],
        "acts": [],
    }
    assert data["players"][0]["board"] == [
        {"id": 1, "card": 67, "lane": 0, "cost": 6, "atk": 5, "def": 5, "ab": "-----W", "can": 1, "att": 0}
        | {"eff": [0, -2, 0]},
        {"id": 3, "card": 3, "lane": 1, "cost": 1, "atk": 2, "def": 9, "ab": "B--G--", "can": 0, "att": 1}
        | {"eff": [0, 0, 0]},
    ]
    assert data["decks"][0][:3] == [67, 3, 122]


def test_drawings_show_the_position() -> None:
    state = position("L #67", "R #34", hand=[122], enemy_hand=[3, 3], of=hidden())
    text = state.text()
    assert "Flailing Hammerhead" in text
    assert "Bolstering Bread" in text
    assert state.svg().startswith("<svg")
    assert "hand: 2 hidden cards" in state.observe(0).text()


# -- what is refused -------------------------------------------------------------------------------------------


def sample() -> dict[str, Any]:
    found: dict[str, Any] = position("L #67, R 2/2", "L 1/1", hand=[122, 3], enemy_hand=[5]).to_json()
    return found


def put(*path: Any, value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


def drop(*path: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


UNIT = ("players", 0, "board", 0)
BAD: list[tuple[str, Callable[[Any], None], str]] = [
    ("no turn", drop("turn"), "state lacks the field 'turn'."),
    ("unknown field", put("weather", value=1), "state has an unknown field 'weather'; expected turn, cur"),
    ("turn", put("turn", value="ten"), "turn is 'ten'; expected an integer from -1 to 30000."),
    ("whose turn", put("cur", value=1), "cur is 1 in turn 10; expected 0 on even turns, 1 on odd."),
    ("winner", put("winner", value=2), "winner is 2; expected an integer from -1 to 1."),
    ("one player", drop("players", 0), "players has 1 entry; expected a list of 2."),
    ("a player", put("players", 0, value=5), "player 0 is 5; expected an object with hp"),
    ("no health", drop("players", 1, "hp"), "player 1 lacks the field 'hp'."),
    ("health", put("players", 0, "hp", value=1.5), "hp is 1.5; expected an integer from"),
    ("a truth value", put("players", 0, "hp", value=True), "hp is True; expected an integer from"),
    ("rune", put("players", 0, "rune", value=7), "rune is 7; expected 25, 20, 15, 10, 5 or 0."),
    ("mana", put("players", 0, "mana", value=14), "mana is 14; expected an integer from 0 to 13."),
    ("bonus", put("players", 0, "bonus", value=2), "bonus is 2; expected an integer from 0 to 1."),
    ("draws", put("players", 0, "next_draw", value=-1), "next_draw is -1; expected an integer from 0 to 1000."),
    ("deck size", put("players", 0, "deck_n", value=31), "deck_n is 31; expected an integer from 0 to 30."),
    ("short deck", drop("decks", 0, 0), "deck 0 has 29 entries; expected a list of 30."),
    ("card", put("decks", 1, 3, value=161), "card of deck 1 is 161; expected a number of the card table."),
    ("hand", put("players", 0, "hand", value=[[1, 3]] * 9), "hand has 9 entries; expected a list of 0 to 8."),
    ("wrong id", put("players", 0, "hand", 0, value=[59, 3]), "hand of player 0 has .59, 3.; expected a card drawn"),
    (
        "twice",
        put("players", 0, "hand", 0, value=[7, 3]),
        "hand of player 0 has .7, 3.; expected .*each once",
    ),
    ("seven", put("players", 0, "board", value=[{}] * 7), "board has 7 entries; expected a list of 0 to 6."),
    ("full lane", put("players", 0, "board", value=None), "board is None; expected a list of 0 to 6."),
    ("no lane", drop(*UNIT, "lane"), "creature lacks the field 'lane'."),
    ("lane", put(*UNIT, "lane", value=2), "lane is 2; expected an integer from 0 to 1."),
    ("unit id", put(*UNIT, "id", value=127), "id is 127; expected an integer from 0 to 126."),
    ("same id", put(*UNIT, "id", value=3), "ids in hands and on boards are .*expected each once."),
    ("id of hand", put(*UNIT, "id", value=7), "ids in hands and on boards are .*expected each once."),
    ("item", put(*UNIT, "card", value=122), "card of a creature is 122; expected the number of a creature."),
    ("no card", put(*UNIT, "card", value=0), "card of a creature is 0; expected a number of the card table."),
    ("cost", put(*UNIT, "cost", value=1), "cost is 1; card 67 costs 6."),
    ("attack", put(*UNIT, "atk", value=-1), "atk is -1; expected an integer from 0 to"),
    ("defense", put(*UNIT, "def", value=0), "def is 0; expected an integer from 1 to"),
    ("abilities", put(*UNIT, "ab", value="B-X"), "ab is 'B-X'; expected six characters such as 'B--G-W'."),
    ("no abilities", put(*UNIT, "ab", value=None), "ab is None; expected six characters such as 'B--G-W'."),
    ("readiness", put(*UNIT, "can", value=2), "can is 2; expected an integer from 0 to 1."),
    (
        "effects",
        put(*UNIT, "eff", value=[1, 2, 3]),
        r"eff is .1, 2, 3.; expected .0, -2, 0. or .0, 0, 0. of card 67",
    ),
    ("deeds", put("players", 0, "acts", value=["JUMP"]), "action is 'JUMP'; expected PASS, SUMMON id lane"),
    ("draft", put("draft", value=[[1, 2, 3]]), "draft has 1 entry; expected a list of 30."),
    ("offer", put("draft", value=[[1, 2]] * 30), "draft turn 0 has 2 entries; expected a list of 3."),
    ("offered", put("draft", value=[[1, 2, 0]] * 30), "card of the draft is 0; expected a number of the card table."),
]


@pytest.mark.parametrize(("what", "change", "message"), BAD, ids=[row[0] for row in BAD])
def test_what_no_game_has_is_refused_in_one_sentence(what: str, change: Callable[[Any], None], message: str) -> None:
    data = sample()
    change(data)
    with pytest.raises(InvalidStateError, match=message) as refusal:
        game().state_from_json(data)
    assert "\n" not in str(refusal.value)


def test_four_creatures_in_a_lane_are_refused() -> None:
    with pytest.raises(InvalidStateError, match="board of player 0 has more than 3 creatures in a lane"):
        position("L 1/1, L 1/1, L 1/1, L 1/1")


def test_ids_of_version_1_5_must_be_those_of_the_seat() -> None:
    """Anything else would be no game, and the guesses rely on it."""
    of = game(version="1.5")
    data = of.initial_state(1).to_json()
    for wrong in (1, 60, 126, "2", True):
        changed = json.loads(json.dumps(data))
        changed["decks"][0][29][0] = wrong
        with pytest.raises(InvalidStateError, match=r"ids of deck 0 are .*expected 0, 2, ..., 58, each once"):
            of.state_from_json(changed)
    changed = json.loads(json.dumps(data))
    changed["decks"][1][29][0] = changed["decks"][1][28][0]
    with pytest.raises(InvalidStateError, match=r"ids of deck 1 are .*expected 60, 62, ..., 118, each once"):
        of.state_from_json(changed)


@pytest.mark.parametrize("data", [None, 5, "state", [], {}])
def test_what_is_not_a_state_at_all_is_refused(data: Any) -> None:
    with pytest.raises(InvalidStateError):
        game().state_from_json(data)


@pytest.mark.parametrize(
    "text",
    ["", "pass", "PASS ", "SUMMON 1", "SUMMON 1 0 0", "ATTACK x -1", "USE 1 127", "SUMMON 1 2", "USE -1 1", 7],
)
def test_actions_that_are_none_are_refused(text: Any) -> None:
    with pytest.raises(InvalidStateError, match="action is "):
        game().action_from_json(text)


# -- deals -----------------------------------------------------------------------------------------------------


def test_the_seed_decides_the_deal() -> None:
    assert game().initial_state(4) == game().initial_state(4)
    assert len({str(game().initial_state(seed).to_json()["decks"]) for seed in range(10)}) == 10


def test_a_master_seed_deals_what_the_referee_would_deal() -> None:
    """Offers as recorded; picks depend on the strategy, so the decks are checked by their shuffles in other tests."""
    with gzip.open(RECORDED / "protocol_games.jsonl.gz", "rt", encoding="utf-8") as file:
        games = [json.loads(line) for line in file][:6]
    for recorded in games:
        master = int(recorded["params"]["seed"])
        state = game().initial_state(master=master)
        offered = [
            [int(line.split()[0]) for line in call["in"][4:]] for call in recorded["calls"] if call["player"] == 0
        ]
        drafted = [offer for offer in offered[:30] if len(offer) == 3]
        assert state.to_json()["draft"][: len(drafted)] == drafted
        assert drafted


def test_a_master_seed_and_the_recorded_picks_give_the_recorded_opening() -> None:
    with gzip.open(RECORDED / "protocol_games.jsonl.gz", "rt", encoding="utf-8") as file:
        recorded = next(whole for whole in map(json.loads, file) if len(whole["calls"]) > 62)
    state = game(draft="baseline1").initial_state(master=int(recorded["params"]["seed"]))
    first = next(call for call in recorded["calls"][60:] if call["player"] == 0)
    assert len(side(state, 0)["hand"]) == sum(line.split()[2] == "0" for line in first["in"][4:]) == 5


def test_decks_may_be_given() -> None:
    decks = [list(range(1, 31)), list(range(31, 61))]
    state = game().initial_state(decks=decks)
    assert state.to_json()["decks"] == decks
    assert "draft" not in state.to_json()
    offers = [[a, b, 99] for a, b in zip(*decks, strict=True)]
    assert game().initial_state(decks=decks, offers=offers).to_json()["draft"] == offers


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decks": [[1] * 30]}, "decks are 1 lists; expected one for each of 2 players"),
        ({"decks": [[1] * 30, [1] * 29]}, "deck 1 is .*expected 30 numbers of known cards"),
        ({"decks": [[1] * 29 + [161], [1] * 30]}, "deck 0 is .*expected 30 numbers of known cards"),
        ({"decks": [[DeckCard(1, 3)] * 30, [1] * 30]}, r"ids of deck 0 are .*expected 1, 3, ..., 59, each once"),
        ({"decks": [[1] * 30] * 2, "offers": [[1, 2, 3]]}, "has 1 triplets; expected 30"),
        ({"deck": []}, "option of the start of 'locm': 'deck'"),
        ({"seed": -1}, "seed is -1; expected a non-negative integer"),
    ],
)
def test_bad_deals_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TacticianError, match=message):
        game().initial_state(**options)


def test_the_draft_strategy_picks_both_decks_or_one_each() -> None:
    """Equal strategies that leave nothing to chance pick the same cards; only the shuffles differ."""
    state = game(draft="max-attack").initial_state(3).to_json()
    assert Counter(state["decks"][0]) == Counter(state["decks"][1])
    mixed = game(draft="max-attack/coac").initial_state(3).to_json()
    assert Counter(mixed["decks"][0]) == Counter(state["decks"][0])
    assert Counter(mixed["decks"][1]) != Counter(state["decks"][0])
    built = game(version="1.5", draft="value/random").initial_state(3).to_json()
    assert max(Counter(number for _, number in built["decks"][1]).values()) <= 2


def test_the_offers_of_a_deal_are_kept_with_it() -> None:
    state = game().initial_state(master=77)
    draft = draft_from_seed(draft_seeds(77).draft)
    assert state.to_json()["draft"] == [list(offer) for offer in draft.triplets]


def test_starts_of_the_paper_are_its_six_hundred_pairs_of_decks() -> None:
    of = game(decks="paper")
    decks = paper_decks(0)
    first = of.initial_state(0).to_json()["decks"]
    assert first == [list(decks[0][0][0]), list(decks[0][1][0])]
    pairs = {str(of.initial_state(seed).to_json()["decks"]) for seed in range(0, 600, 40)}
    assert len(pairs) == 15
    assert of.initial_state(600) == of.initial_state(0)
    assert game(decks="paper", deck_seed=1).initial_state(0) != of.initial_state(0)
    last = of.initial_state(599).to_json()["decks"]
    assert last == [list(decks[9][2][9]), list(decks[9][1][9])]


def test_a_deck_file_can_be_played(tmp_path: Path) -> None:
    write_deck(tmp_path / "deck.json", range(1, 31))
    deck = read_deck(tmp_path / "deck.json")
    assert game().initial_state(decks=[deck, deck]).to_json()["decks"] == [list(deck)] * 2
    (tmp_path / "short.txt").write_text("\n".join(map(str, range(1, 30))), encoding="utf-8")
    with pytest.raises(InvalidParameterError, match="has 29 cards; expected 30"):
        read_deck(tmp_path / "short.txt")


# -- parameters ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"version": "1.1"}, "version is '1.1'; expected one of 1.0, 1.2, 1.5."),
        ({"draft": "best"}, "draft is 'best'; expected one or two .as a/b. of coac, uji2, combined"),
        ({"draft": "coac/coac/coac"}, "draft is 'coac/coac/coac'; expected one or two"),
        ({"draft": ""}, "draft is ''; expected one or two"),
        ({"draft": 5}, "draft is 5; expected one or two"),
        ({"version": "1.5", "draft": "coac"}, "draft is 'coac'; expected one or two .* of random, mana-curve"),
        ({"decks": "mine"}, "decks is 'mine'; expected one of draft, paper."),
        ({"decks": "paper", "version": "1.5"}, "decks is 'paper' with version '1.5'"),
        ({"decks": "paper", "cards": CARDS}, "decks is 'paper' with a table of cards"),
        ({"deck_seed": -1}, "deck_seed is -1; expected an integer from 0 to 9223372036854775807."),
        ({"deck_seed": 2**63}, "deck_seed is .*expected an integer from 0 to 9223372036854775807."),
        ({"card_seed": "x"}, "card_seed is 'x'; expected an integer from -9223372036854775808 to 9223372036854775807."),
        (
            {"card_seed": True},
            "card_seed is True; expected an integer from -9223372036854775808 to 9223372036854775807.",
        ),
        ({"information": "some"}, "information is 'some'; expected one of hidden, open."),
        ({"evaluation": "mine"}, "evaluation is 'mine'; expected one of paper, relative."),
        ({"card_value": "gold"}, "card_value is 'gold'; expected one of stats, rank."),
        ({"weights": {"attack": 1}}, "attack"),
        ({"cards": "nowhere.csv"}, "card table 'nowhere.csv' can't be read"),
        ({"cards": ()}, "cards is an empty table; expected at least one card."),
        ({"cards": CARDS[:40]}, "the card set has 40 cards; expected at least 60 for a draft."),
        ({"cards": (*CARDS, card(0))}, "card number is 0; expected 1 to 254."),
        ({"cards": (*CARDS, card(255))}, "card number is 255; expected 1 to 254."),
        ({"cards": (*CARDS, CARDS[4])}, "cards has the same number twice; expected different numbers."),
        ({"cards": (*CARDS, card(161, area=1))}, "card 161 has an area; expected none before version '1.5'."),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TacticianError, match=message):
        locm(**options)


def test_parameters_on_the_command_line() -> None:
    of = load_game("locm:version=1.0,draft=coac/random,information=open")
    assert int(of.config.lanes) == 1
    assert not of.hides_information
    assert int(load_game("locm:version=1.5").config.modern) == 1
    with pytest.raises(InvalidParameterError, match="draft is 5; expected one or two"):
        load_game("locm:draft=5")


def test_a_card_table_of_ones_own() -> None:
    strong = card(161, CardKind.GREEN, "9/9", cost=0)
    of = game(cards=(*CARDS, strong), draft="random")
    state = position("L 1/1", hand=[161], of=of)
    after = state.apply(of.action_from_json("USE 3 1"))
    assert side(after, 0)["board"][0]["atk"] == 10


def test_a_state_fits_a_kilobyte() -> None:
    assert game().state_bytes == 568


# -- identity --------------------------------------------------------------------------------------------------

BOOKKEEPING = ("touched", "acts", "draft", "acts_n", "shown_draw")


def changed(state: State, field: str) -> State:
    """The same state with one bit of one field turned."""
    words = state.words
    record = record_view(StateRecord, words)
    value = np.asarray(record[field])
    flat = value.reshape(-1)
    flat[-1] = flat[-1] ^ value.dtype.type(1)
    record[field] = flat.reshape(value.shape)
    other = state.copy()
    other._words[:] = words
    assert other != state
    return other


@pytest.mark.parametrize("field", BOOKKEEPING)
def test_bookkeeping_does_not_make_another_state(field: str) -> None:
    state = a_reached_state(game(), seed=3, steps=40)
    other = changed(state, field)
    assert (other.key(), other.digest()) == (state.key(), state.digest())


@pytest.mark.parametrize("field", [name for name in StateRecord.names or () if name not in BOOKKEEPING])
def test_everything_else_does(field: str) -> None:
    state = a_reached_state(game(), seed=3, steps=40)
    other = changed(state, field)
    assert other.key() != state.key()
    assert other.digest() != state.digest()


def test_two_ways_to_the_same_position_meet() -> None:
    """The order of two attacks is remembered for the other bot's sake and makes no difference otherwise."""
    state = position("L 2/2, R 3/3")
    one = [state.copy(), state.copy()]
    texts = ["ATTACK 1 -1", "ATTACK 3 -1"]
    for path, order in zip(one, (texts, texts[::-1]), strict=True):
        for text in order:
            path.apply(game().action_from_json(text))
    assert one[0] != one[1]
    assert one[0].key() == one[1].key()
    assert one[0].digest() == one[1].digest()


def test_keys_are_the_same_in_every_mode() -> None:
    state = end_turn(a_reached_state(game(), seed=3, steps=40))
    slow = state.in_game(game().interpreted())
    assert (slow.key(), slow.digest()) == (state.key(), state.digest())
