"""Followers with random weights, for tests that need files of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tactician.contract.game import Game
from tactician.followers.model import ModelCard, save_model
from tactician.followers.network import CONVOLUTION, LINEAR, Layer, weight_shapes


def random_follower(game: Game, path: Path, seed: int = 0, hidden: int = 4, **settings: object) -> Path:
    """Write a small network for a game."""
    encoding = game.encoding()
    planes, rows, columns = encoding.shape
    layers = (
        Layer(CONVOLUTION, planes, hidden, 3, relu=True),
        Layer(LINEAR, hidden * rows * columns, encoding.outputs),
    )
    rng = np.random.default_rng(seed)
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in weight_shapes(layers).items()}
    save_model(path, ModelCard.of(game, encoding, layers, {"seed": seed, "settings": settings}), tensors)
    return path
