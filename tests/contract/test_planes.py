"""Encodings: an author lists planes, states are encoded in batches, and only what is observed reaches a plane."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from heap_planes import HEAP, HEAP_ENCODING, nim

from tactician.contract.planes import Encoding, Planes, plane
from tactician.errors import InvalidGameError, InvalidParameterError, UnknownNameError
from tactician.games.registry import load_game


def test_planes_are_filled_in_the_order_they_are_listed() -> None:
    state = nim.initial_state(left=5)
    seen = HEAP_ENCODING.planes_of(state, 1)
    assert HEAP_ENCODING.plane_names == ("left", "turn")
    assert seen.shape == (2, 1, HEAP)
    assert seen[0].tolist() == [[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]]
    assert (seen[1] == -1).all()


def test_a_batch_is_encoded_as_its_states_are_one_by_one() -> None:
    states = [nim.initial_state(left=left) for left in (3, 7, 11)]
    seats = [0, 1, 0]
    rows = np.array([HEAP_ENCODING.see(state, seat) for state, seat in zip(states, seats, strict=True)])
    batch = HEAP_ENCODING.encode(nim, rows, seats)
    for planes, state, seat in zip(batch, states, seats, strict=True):
        assert np.array_equal(planes, HEAP_ENCODING.planes_of(state, seat))


def test_a_game_keeps_its_encodings_when_it_is_sent_to_another_process() -> None:
    copy = pickle.loads(pickle.dumps(nim))
    state = nim.initial_state(left=4)
    assert np.array_equal(copy.encoding("heap").planes_of(state, 0), HEAP_ENCODING.planes_of(state, 0))


def show_everything(g: Any, s: Any, seat: Any, out: Any) -> None:
    for i in range(4):
        out[0, i] = s.ammo[i]
        for word in range(4):
            out[0, i] += s.items[word] % 1009


def test_a_plane_that_reads_hidden_fields_finds_them_blank() -> None:
    """Whatever an author's function reads, states pass through `observe` first."""
    game = load_game("pommerman")
    greedy = Encoding("greedy", 1, 4, (plane("everything", show_everything),), outputs=6)
    state = game.initial_state(3)
    assert greedy.planes_of(state, 2).tolist() == [[[0, 0, 1, 0]]]
    open_game = load_game("pommerman:information=open")
    assert greedy.planes_of(state.in_game(open_game), 2).sum() > 1


def test_outputs_belong_to_actions() -> None:
    assert HEAP_ENCODING.outputs_of([3, 1]).tolist() == [3, 1]
    mapped = Encoding("mapped", 1, 1, (plane("nothing", show_everything),), outputs=2, output_of=(1, 1, 0))
    assert mapped.outputs_of([2, 0]).tolist() == [0, 1]
    with pytest.raises(InvalidParameterError, match="action 4 has no output in encoding 'heap'; expected 0 to 3"):
        HEAP_ENCODING.outputs_of([4])


def test_impossible_encodings_are_refused() -> None:
    with pytest.raises(InvalidGameError, match="has 0 planes"):
        Encoding("empty", 3, 3, (), outputs=1)
    with pytest.raises(InvalidGameError, match="names outputs beyond its 2"):
        Encoding("far", 1, 1, (plane("a", show_everything),), outputs=2, output_of=(2,))
    with pytest.raises(InvalidGameError, match="expected 20 for 2 maps and their means"):
        Encoding("maps", 3, 3, (Planes(("a",), show_everything),), outputs=18, maps=2)


def test_symmetries_that_are_none_are_refused() -> None:
    with pytest.raises(InvalidGameError, match="has symmetries that are none; expected 8 orders"):
        Encoding("odd", 3, 3, (plane("a", show_everything),), outputs=2, symmetries=((0, 0),) * 8)


def test_a_game_without_the_encoding_says_which_it_has() -> None:
    with pytest.raises(InvalidParameterError, match="game 'amazons' has no encoding for networks"):
        load_game("amazons").encoding()
    with pytest.raises(UnknownNameError, match="unknown encoding of 'pommerman': 'corected'; did you mean 'corrected'"):
        load_game("pommerman").encoding("corected")


def test_a_game_of_plain_objects_can_not_be_encoded() -> None:
    state = load_game("amazons-plain").initial_state(1)
    with pytest.raises(InvalidParameterError, match="has plain objects as states; an encoding needs records"):
        HEAP_ENCODING.planes_of(state, 0)
