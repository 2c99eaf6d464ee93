"""The damage that a player surely deals in a turn: what features of a side say about killing attacks."""

from __future__ import annotations

import pytest
from locm_boards import game, position, random_play

from tactician.contract import State

FIREBOLT, LIFE_STEAL, CHARGER = 155, 156, 71
"""Items that take 4 and 3 health, and a creature with Charge."""


@pytest.mark.parametrize(
    ("own", "enemy", "damage"),
    [
        ("L 5/3, R 4/1", "", 9),
        ("L 5/3 asleep, R 4/1", "", 4),
        ("L 5/3, R 4/1 spent", "L 9/9", 5),
        ("L 5/3, R 4/1", "L 1/1 G", 4),
        ("L 5/3, L 2/2, R 4/1", "L 1/2 G", 9),
        ("L 5/3, L 2/2, R 4/1", "L 1/3 G", 6),
        ("L 5/3, L 2/2, L 1/1", "L 1/3 G", 5),
        ("L 5/3, L 2/2, L 1/1", "L 1/8 G", 0),
        ("L 5/3, L 1/2 L", "L 1/9 G", 5),
        ("L 5/3, L 1/2 L", "L 1/9 GW", 0),
        ("L 5/3, L 2/2, L 1/1", "L 1/2 GW", 5),
        ("L 5/3, L 2/2, L 3/1", "L 1/2 G, L 1/3 G", 5),
        ("L 5/3, L 2/2, L 2/1", "L 1/2 G, L 1/3 G", 2),
        ("L 5/3, L 2/2", "L 1/9 G, L 1/1 G", 0),
    ],
)
def test_attackers_that_are_not_needed_for_guards_deal_damage(own: str, enemy: str, damage: int) -> None:
    assert position(own=own, enemy=enemy).features(0)["moving_damage"] == pytest.approx(damage / 10)


def test_all_creatures_of_the_other_player_attack_next_turn() -> None:
    state = position(own="L 1/1", enemy="L 5/5 asleep, R 2/2", hp=20)
    found = state.features(1)
    assert (found["waiting_damage"], found["waiting_race"]) == pytest.approx((0.7, 7 / 20))


@pytest.mark.parametrize(
    ("hand", "mana", "enemy_hp", "kills"),
    [
        ([FIREBOLT], 3, 4, True),
        ([FIREBOLT], 2, 4, False),
        ([FIREBOLT, LIFE_STEAL], 6, 7, True),
        ([FIREBOLT, LIFE_STEAL], 5, 7, False),
        ([LIFE_STEAL, FIREBOLT], 3, 4, True),
        ([CHARGER], 4, 3, True),
    ],
    ids=["an item", "too expensive", "two items", "only one of two", "the better of two", "a charge"],
)
def test_cards_in_hand_kill(hand: list[int], mana: int, enemy_hp: int, kills: bool) -> None:
    state = position(hand=hand, mana=mana, enemy_hp=enemy_hp)
    assert state.features(0)["moving_kill"] == float(kills)


def wins(state: State, tried: set[bytes]) -> bool:
    """Whether the mover wins this turn, by trying everything."""
    mover = state.current_player()
    for action in state.legal_actions()[:-1]:
        now = state.copy().apply(action)
        if now.is_over():
            if now.returns()[mover] > 0:
                return True
            continue
        known = now.words.tobytes()
        if known not in tried:
            tried.add(known)
            if wins(now, tried):
                return True
    return False


def test_whoever_is_said_to_kill_can() -> None:
    """In random games with the opponent's health lowered; without mana, so that everything can be tried."""
    checked = 0
    for state in random_play(game(), 6):
        data = state.to_json()
        mover = data["cur"]
        if state.is_over() or not data["players"][mover]["board"]:
            continue
        data["players"][mover]["mana"] = 0
        for health in (1, 3, 6):
            data["players"][1 - mover]["hp"] = health
            lowered = game().state_from_json(data)
            if lowered.features(mover)["moving_kill"] == 1.0:
                checked += 1
                assert wins(lowered, set()), lowered.to_json()
    assert checked > 20
