"""What learned evaluations count in Amazons, against a slow twin."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence

import pytest

from tactician.contract import State
from tactician.games.amazons import amazons

_FAR = 10**6
_WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def moves_to(rows: Sequence[str], queen: str, reach: int) -> dict[tuple[int, int], int]:
    """In how many moves of up to `reach` squares a side's queens come to each free square."""
    size = len(rows)
    found = {(y, x): 0 for y in range(size) for x in range(size) if rows[y][x] == queen}
    waiting = deque(found)
    while waiting:
        place = waiting.popleft()
        for down, right in _WAYS:
            for step in range(1, reach + 1):
                y, x = place[0] + step * down, place[1] + step * right
                if not (0 <= y < size and 0 <= x < size and rows[y][x] == "."):
                    break
                if (y, x) not in found:
                    found[y, x] = found[place] + 1
                    waiting.append((y, x))
    return {place: moves for place, moves in found.items() if moves}


def expected(state: State, player: int) -> dict[str, float]:
    rows = state.to_json()["board"]
    size, letters = len(rows), "WB"
    free = [(y, x) for y in range(size) for x in range(size) if rows[y][x] == "."]
    far, near = ([moves_to(rows, letters[side], reach) for side in (player, 1 - player)] for reach in (size, 1))
    first = [place for place in free if far[0].get(place, _FAR) < far[1].get(place, _FAR)]
    even = [place for place in free if place in far[0] and far[0][place] == far[1].get(place)]
    queens = [(y, x) for y in range(size) for x in range(size) if rows[y][x] == letters[player]]
    open_sides = [sum((y + down, x + right) in free for down, right in _WAYS) for y, x in queens]
    values = {
        "mobility": sum(far[0].get(place) == 1 for place in free) / 10,
        "liberties": sum(near[0].get(place) == 1 for place in free) / 10,
        "trapped": open_sides.count(0),
        "territory": len(first) / 10,
        "near_territory": sum(near[0].get(place, _FAR) < near[1].get(place, _FAR) for place in free) / 10,
        "tempo": len(even) / 10 if state.current_player() == player else 0.0,
    }
    return {**values, **{f"early_{name}": value * len(free) / size**2 for name, value in values.items()}}


@pytest.mark.parametrize("size", [5, 10])
def test_features_agree_with_the_twin_in_random_games(size: int) -> None:
    rng, trapped = random.Random(size), 0.0
    state = amazons(size).initial_state()
    while not state.is_over():
        state.apply(rng.choice(state.legal_actions()))
        for player in range(2):
            features = state.features(player)
            assert features == pytest.approx(expected(state, player))
            trapped += features["trapped"]
    assert trapped > 0
