"""Start positions, the JSON form, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from royale_scenes import game, unit
from test_royale_properties import crowded, steps

from tactician.errors import InvalidStateError
from tactician.games.royale.conformance import state_hash

STARTS = {
    1: ("0371 2654", "0365 2714", "36b263a566b8e3e3"),
    2: ("0271 6354", "2037 6415", "9bbca6c7255ee473"),
    3: ("2516 7340", "4012 6537", "002c26d311617fb3"),
}
"""The specification's decks and hashes by seed."""


def described(seed: int = 1) -> dict[str, Any]:
    data: dict[str, Any] = game().initial_state(seed).to_json()
    return data


@pytest.mark.parametrize("seed", STARTS)
def test_a_seed_gives_the_decks_of_the_specification(seed: int) -> None:
    state = game().initial_state(seed)
    for player in range(2):
        hand, queue = STARTS[seed][player].split()
        assert state.record.hand[player].tolist() == [int(card) for card in hand]
        assert state.record.queue[player].tolist() == [int(card) for card in queue]
    assert state_hash(state) == STARTS[seed][2]


def test_a_battle_starts_with_full_towers_and_five_elixir() -> None:
    for player in described()["players"]:
        assert player["towers"] == [[2534, 8, -1], [2534, 8, -1], [4008, 5, -1]]
        assert (player["elixir"], player["reserved"], player["awake"]) == (140, None, 0)
        assert player["troops"] == player["spells"] == []


def test_states_are_read_as_they_are_written() -> None:
    for _, _, after in steps(4):
        data = json.loads(json.dumps(after.to_json()))
        assert game().state_from_json(data) == after
        for seat in range(2):
            view = after.observe(seat)
            assert game().state_from_json(json.loads(json.dumps(view.to_json()))) == view


def test_a_state_takes_at_most_four_kilobytes() -> None:
    assert game().state_bytes <= 4096


# -- what is refused ---------------------------------------------------------------------------------------------


def player(**fields: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: data["players"][0].update(fields)


BROKEN: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda data: data.pop("t"), "state lacks the field 't'."),
    (lambda data: data.update(t=3001), "t is 3001; expected an integer from 0 to 3000."),
    (lambda data: data.update(t=True), "t is True; expected an integer"),
    (lambda data: data.update(more=1), "state has an unknown field 'more'"),
    (lambda data: data["players"].pop(), "players has 1 entry; expected a list of 2."),
    (lambda data: data["players"][1].pop("hand"), "players[1] lacks the field 'hand'."),
    (player(elixir=281), "players[0].elixir is 281; expected an integer from 0 to 280."),
    (player(awake=2), "players[0].awake is 2; expected an integer from 0 to 1."),
    (player(wake=3), "players[0].wake is 3; expected an integer from 0 to 0."),
    (player(next_uid=2), "players[0].next_uid is 2"),
    (player(hand=["Knight"]), "players[0].hand has 1 entry; expected a list of 4."),
    (player(hand=["Knight", "Giant", "Zap", "Arrows"]), "players[0].hand has 'Zap'; expected cards of the deck: Kn"),
    (player(hand=["Knight"] * 4), "players[0].hand and queue have 'Knight' twice; expected each card once."),
    (player(reserved="Archers", elixir=0), "players[0].reserved is 'Archers'; expected a card in hand."),
    (player(reserved="Knight"), "players[0].reserved is 'Knight' with elixir 140; expected less elixir than"),
    (player(reserved=7), "players[0].reserved has 7; expected cards of the deck"),
    (player(towers=[]), "players[0].towers has 0 entries; expected a list of 3."),
    (player(towers=[[2535, 8, -1], [1, 8, -1], [1, 5, -1]]), "players[0].towers[0] hp is 2535; expected an integer"),
    (player(towers=[[0, 1, -1], [1, 8, -1], [1, 5, -1]]), "players[0].towers[0] cooldown is 1; expected an integer"),
    (
        player(towers=[[1, 8], [1, 8, -1], [1, 5, -1]]),
        "players[0].towers[0] is [1, 8]; expected [hp, cool",
    ),
    (player(towers=[[1, 8, 9], [1, 8, -1], [1, 5, -1]]), "players[0].towers[0] target is 9; expected -1 or an enemy"),
    (player(towers=[[1, 8, 0], [1, 8, -1], [1, 5, -1]]), "players[0].towers[0] target is 0, which it can't aim at"),
    (player(troops=[unit("Arrows", 900, 900)]), "players[0].troops[0] is 'Arrows', a spell; expected a troop."),
    (player(troops=[["Knight", 1, 2]]), "players[0].troops[0] is ['Knight', 1, 2]; expected [card, x, y, hp"),
    (
        player(troops=[unit("Knight", 499, 900)], next_uid=4),
        "players[0].troops[0] x is 499; expected an integer",
    ),
    (player(troops=[unit("Knight", 900, 31501)], next_uid=4), "players[0].troops[0] y is 31501"),
    (player(troops=[unit("Knight", 900, 900, hp=0)], next_uid=4), "players[0].troops[0] hp is 0"),
    (player(troops=[unit("Knight", 900, 900, hp=1453)], next_uid=4), "hp is 1453; expected an integer from 1 to 1452."),
    (player(troops=[unit("Knight", 900, 900)]), "players[0].troops[0] uid is 3; expected an integer from 3 to 2."),
    (player(troops=[unit("Knight", 900, 900, 4), unit("Giant", 900, 900, 4)], next_uid=9), "troops[1] uid is 4"),
    (player(troops=[unit("Knight", 900, 900, deploying=11)], next_uid=4), "deploying is 11; expected an integer"),
    (player(troops=[unit("Knight", 900, 900, deploying=1, target=1)], next_uid=4), "target is 1; expected an integer"),
    (player(troops=[unit("Knight", 900, 900)] * 41, next_uid=99), "players[0].troops has 41 entries; expected a list"),
    (player(spells=[["Knight", 1, 1, 1, 1]]), "players[0].spells[0] is 'Knight', a troop; expected a spell."),
    (player(spells=[["Arrows", 1, 1, 0, 1]]), "players[0].spells[0] timer is 0"),
    (player(spells=[["Arrows", 1, 1, 1, 4]]), "players[0].spells[0] waves is 4; expected an integer from 1 to 3."),
    (player(spells=[["Arrows", -1, 1, 1, 1]]), "players[0].spells[0] x is -1"),
    (player(past=["wait"]), "players[0].past has 1 entry; expected a list of 10."),
    (player(past=["go"] * 10), "players[0].past[0]: action is 'go'; expected"),
]


@pytest.mark.parametrize(("break_it", "sentence"), BROKEN)
def test_what_is_not_a_state_is_refused(break_it: Callable[[dict[str, Any]], Any], sentence: str) -> None:
    data = described()
    break_it(data)
    with pytest.raises(InvalidStateError) as refusal:
        game().state_from_json(data)
    assert sentence in str(refusal.value)


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32), junk=st.none() | st.integers(-5, 40_000) | st.text(max_size=3) | st.lists(st.none()))
def test_whatever_is_accepted_can_be_played_seen_and_drawn(seed: int, junk: Any) -> None:
    """Change something anywhere in a position: it is refused in a sentence, or every rule can handle it."""
    chance = random.Random(seed)
    data = crowded(chance)
    at: Any = data
    while True:
        key = chance.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if not isinstance(at[key], dict | list) or not at[key] or chance.random() < 0.1:
            break
        at = at[key]
    at[key] = junk
    try:
        state = game().state_from_json(data)
    except InvalidStateError:
        return
    for seat in range(2):
        state.resample_hidden(seat, seed).evaluate()
    assert str(state)
    assert state.svg()
    for _ in range(3):
        if not state.is_over():
            state.apply([chance.choice(state.candidate_actions(seat, seed)) for seat in range(2)])
