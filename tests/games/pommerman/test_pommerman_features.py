"""The follower network's planes: one for each cell value, the bombs' reach, what the seat has and where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pommerman_boards import bomb, game, position

from tactician.contract.planes import turned
from tactician.errors import InvalidParameterError
from tactician.games.pommerman.features import ENCODINGS, PLANE_NAMES, planes

STATE: dict[str, Any] = {
    "picture": "A#=\nbrk\n..........B",
    "bombs": [bomb(5, 5, life=4, strength=2)],
    "flames": [[8, 8, 1]],
    "ammo": {"A": 3},
    "kick": "A",
}


def test_a_cell_shows_in_the_plane_of_its_value() -> None:
    seen = planes(position(**STATE), 0)
    assert seen.shape == (len(PLANE_NAMES), 11, 11)
    assert seen.dtype == np.float32
    for plane, cell in {0: (2, 0), 1: (0, 1), 2: (0, 2), 3: (5, 5), 4: (8, 8), 6: (1, 0), 7: (1, 1), 8: (1, 2)}.items():
        assert seen[plane][cell] == 1
        assert seen[:9, *cell].sum() == 1
    assert seen[:9].sum() == 121 - 2  # agents are in none of them


def test_own_possessions_are_constant_planes() -> None:
    for seat, own in ((0, (3, 2, 1)), (1, (1, 2, 0))):
        seen = planes(position(**STATE), seat)
        for plane, amount in zip((10, 11, 12), own, strict=True):
            assert (seen[plane] == amount).all()


def test_the_own_place_shows_while_alive() -> None:
    state = position(**STATE)
    assert np.argwhere(planes(state, 1)[13]).tolist() == [[2, 10]]
    assert not planes(state, 2)[13].any()


def test_the_plane_of_blasts_is_empty_as_in_the_released_code() -> None:
    assert not planes(position(**STATE), 0)[9].any()


def test_corrected_it_holds_a_bombs_life_on_its_cross_one_farther_than_it_reaches() -> None:
    plane = planes(position(**STATE), 0, corrected=True)[9]
    cross = {(5, c) for c in range(3, 8)} | {(r, 5) for r in range(3, 8)}
    assert {tuple(cell) for cell in np.argwhere(plane).tolist()} == cross
    assert np.allclose(plane[plane > 0], 0.4)


def test_later_bombs_overwrite_earlier_ones() -> None:
    both = [bomb(5, 5, life=4, strength=2), bomb(5, 7, life=9, strength=2)]
    assert planes(position("A.B", bombs=both), 0, corrected=True)[9][5, 6] == pytest.approx(0.9)


def test_fog_has_a_plane_and_hides_bombs() -> None:
    state = position("A.........B", bombs=[bomb(9, 9), bomb(3, 3)], of=game(variant="team"))
    seen = planes(state, 0, corrected=True)
    assert seen[5].sum() == 121 - 25
    assert seen[9][3, 3] == pytest.approx(0.9)
    assert seen[9][9, 9] == 0


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 60), variant=st.sampled_from(("ffa", "team")))
def test_what_a_seat_cannot_see_leaves_its_planes_unchanged(seed: int, steps: int, variant: str) -> None:
    """Items under wood, the others' possessions, owners of bombs and, in the fog, everything out of view."""
    played = game(variant=variant)
    state, rng = played.initial_state(seed), np.random.default_rng(seed)
    for _ in range(steps):
        if not state.is_over():
            state.apply([int(rng.choice(state.legal_actions(seat))) for seat in range(4)])
    # Planes of games whose states show everything must not show more than those of games that hide it.
    open_game = game(variant=variant, information="open")
    for seat in range(4):
        other = state.resample_hidden(seat, seed + 1)
        for encoding in ENCODINGS:
            mine = encoding.planes_of(state, seat)
            assert np.array_equal(mine, encoding.planes_of(other, seat))
            assert np.array_equal(mine, encoding.planes_of(state.in_game(open_game), seat))


MOVED = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}


@pytest.mark.parametrize("symmetry", range(8))
def test_an_action_moves_the_same_way_on_a_turned_board(symmetry: int) -> None:
    order = ENCODINGS[0].symmetries[symmetry]
    assert (order[0], order[5]) == (0, 5)
    for action, (down, right) in MOVED.items():
        before, after = np.zeros((2, 11, 11)), np.zeros((2, 11, 11))
        before[1, 4, 6], after[1, 4 + down, 6 + right] = 1, 1
        old, new = (np.argwhere(turned(plane, symmetry)[1])[0] for plane in (before, after))
        assert tuple((new - old).tolist()) == MOVED[order[action]]


def test_a_seat_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="seat is 4; expected 0 to 3"):
        planes(position("A.B"), 4)
