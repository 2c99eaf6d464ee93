"""Followers as ONNX models: onnxruntime gives what our networks give."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from tactician.followers.model import ModelCard, load_model, save_model
from tactician.games.registry import load_game
from tactician.learning.export import export_onnx
from tactician.learning.networks import build, layers_for, tensors_of


@pytest.mark.parametrize("name", ["pommerman", "royale"])
def test_an_exported_follower_rates_as_the_follower_does(tmp_path: Path, name: str) -> None:
    game = load_game(name)
    encoding = game.encoding()
    layers, tensors = tensors_of(build(layers_for(encoding, 8, 8), 1))
    save_model(tmp_path / "x.safetensors", ModelCard.of(game, encoding, layers, {}), tensors)
    model = load_model(tmp_path / "x.safetensors")
    export_onnx(model, tmp_path / "x.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "x.onnx", providers=["CPUExecutionProvider"])
    planes = np.stack([encoding.planes_of(game.initial_state(seed), seed % 2) for seed in range(5)])
    (found,) = session.run(None, {"planes": planes})
    network = model.network()
    for row, one in zip(found, planes, strict=True):
        assert np.allclose(row, network(one), rtol=1e-4, atol=1e-5)
    properties = {p.key: p.value for p in onnx.load(tmp_path / "x.onnx").metadata_props}
    assert json.loads(properties["card"])["game"] == name
