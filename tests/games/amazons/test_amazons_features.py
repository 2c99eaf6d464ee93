"""What learned evaluations count in Amazons, against a slow twin."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Sequence

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


def tenths(counted: Iterable[bool]) -> float:
    """The sum of a tenth for each square, rounded after each."""
    total = 0.0
    for one in counted:
        total += one / 10
    return total


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
        "mobility": tenths(far[0].get(place) == 1 for place in free),
        "liberties": tenths(near[0].get(place) == 1 for place in free),
        "trapped": float(open_sides.count(0)),
        "territory": tenths(place in first for place in free),
        "near_territory": tenths(near[0].get(place, _FAR) < near[1].get(place, _FAR) for place in free),
        "tempo": tenths(place in even for place in free) if state.current_player() == player else 0.0,
    }
    return {**values, **{f"early_{name}": value * len(free) / size**2 for name, value in values.items()}}


def random_rows(rng: random.Random, size: int, queens: int) -> list[str]:
    """A board with queens anywhere and up to four fifths of the other squares blocked."""
    letters = ["."] * size**2
    squares = rng.sample(range(size**2), size**2)
    for i in range(queens):
        letters[squares[i]], letters[squares[queens + i]] = "W", "B"
    others = squares[2 * queens :]
    for square in others[: rng.randrange(4 * len(others) // 5 + 1)]:
        letters[square] = "x"
    return ["".join(letters[row * size : (row + 1) * size]) for row in range(size)]


@pytest.mark.parametrize("size", [5, 10])
def test_features_agree_with_the_twin_in_random_games(size: int) -> None:
    """To the last digit: weights were learned with these values."""
    rng, trapped = random.Random(size), 0.0
    state = amazons(size).initial_state()
    while not state.is_over():
        state.apply(rng.choice(state.legal_actions()))
        for player in range(2):
            features = state.features(player)
            assert features == expected(state, player)
            trapped += features["trapped"]
    assert trapped > 0


@pytest.mark.parametrize("size", range(3, 17))
def test_features_agree_with_the_twin_on_random_boards_of_any_size(size: int) -> None:
    rng = random.Random(size)
    for queens in (1, 2) if size == 3 else (1, 2, 4):
        game = amazons(size, queens)
        for _ in range(10):
            state = game.initial_state(start=random_rows(rng, size, queens))
            assert [state.features(player) for player in range(2)] == [expected(state, player) for player in range(2)]


def test_features_are_the_same_in_interpreted_and_checked_rules() -> None:
    rows = random_rows(random.Random(1), 16, 4)
    for game in (amazons(16).interpreted(), amazons(16).checked()):
        state = game.initial_state(start=rows)
        assert state.features(0) == expected(state, 0)
        assert state.features(1) == expected(state, 1)


def test_queens_reach_round_corners_at_the_distance_of_the_twin() -> None:
    """A corridor: one move more for each corner."""
    rows = ["W....", "xxxx.", ".....", ".xxxx", "....B"]
    state = amazons(5, queens=1).initial_state(start=rows)
    features = state.features(0)
    assert features == expected(state, 0)
    assert features["mobility"] == tenths([True] * 4)
    assert features["liberties"] == tenths([True])
    assert features["territory"] == tenths([True] * 6)
