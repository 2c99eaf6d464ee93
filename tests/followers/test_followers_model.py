"""Followers' files: what does not belong to a game, is damaged or has no numbers is refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from follower_files import random_follower
from heap_planes import nim

from tactician.errors import InvalidParameterError
from tactician.followers.model import CARD, load_model
from tactician.followers.tensors import read_tensors, write_tensors
from tactician.games.registry import load_game


def changed(path: Path, tensors: dict[str, Any] | None = None, **card: Any) -> Path:
    """The same file with another card or other weights."""
    found, metadata = read_tensors(path, "follower")
    document = json.loads(metadata[CARD]) | card
    write_tensors(path, found | (tensors or {}), {CARD: json.dumps(document)})
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return random_follower(nim, tmp_path / "heap.safetensors")


def test_a_model_keeps_its_card_and_weights(path: Path) -> None:
    model = load_model(path)
    assert model.card.game == "heap"
    assert model.card.training == {"seed": 0, "settings": {}}
    assert model.encoding_for(nim).name == "heap"
    assert json.loads(path.with_suffix(".json").read_text())["planes"] == ["left", "turn"]


def test_another_game_is_refused(path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="was trained for 'heap' version 1; expected 'pommerman' version 1"):
        load_model(path).encoding_for(load_game("pommerman"))


def test_another_version_is_refused(path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="was trained for 'heap' version 0; expected 'heap' version 1"):
        load_model(changed(path, version="0")).encoding_for(nim)


def test_other_planes_are_refused(path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"trained on other planes of 'heap'.*: 'right'; expected 'left'"):
        load_model(changed(path, planes=["right", "turn"])).encoding_for(nim)


def test_an_encoding_that_the_game_has_not_is_refused(path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="can't read this game: unknown encoding of 'heap': 'board'"):
        load_model(changed(path, encoding="board")).encoding_for(nim)


def test_weights_that_are_not_numbers_are_refused(path: Path) -> None:
    bias = np.array([0, np.nan, 0, 0], np.float32)
    with pytest.raises(InvalidParameterError, match=r"has weights '0.bias' that are not finite"):
        load_model(changed(path, {"0.bias": bias}))


def test_missing_weights_are_refused(path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"has \(3,\) for the weights '0.bias'; expected \(4,\)"):
        load_model(changed(path, {"0.bias": np.zeros(3, np.float32)}))


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ({"format": "other/1"}, "has no model card of the format"),
        ({"planes": 3}, "has a model card that can't be read"),
        ({"outputs": 9}, "has layers with 4 outputs; expected 9"),
        ({"planes": ["left"]}, "has layers that don't fit together"),
    ],
)
def test_cards_that_contradict_the_weights_are_refused(path: Path, card: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence):
        load_model(changed(path, **card))


def test_a_file_without_a_card_is_refused(tmp_path: Path) -> None:
    write_tensors(tmp_path / "x.safetensors", {}, {})
    with pytest.raises(InvalidParameterError, match="has no model card"):
        load_model(tmp_path / "x.safetensors")
