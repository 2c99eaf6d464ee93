"""Networks without PyTorch give what PyTorch gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tactician.errors import InvalidParameterError
from tactician.followers.network import (
    CONVOLUTION,
    DOUBLE,
    HALVE,
    LINEAR,
    MAPS,
    Layer,
    Network,
    output_count,
    read_layers,
    weight_shapes,
)
from tactician.games.registry import load_game
from tactician.learning.networks import build, layers_for, tensors_of

FLAT = (
    Layer(CONVOLUTION, 3, 5, 3, relu=True),
    Layer(CONVOLUTION, 5, 4, 1),
    Layer(LINEAR, 4 * 6 * 4, 7, relu=True),
    Layer(LINEAR, 7, 3),
)
SPATIAL = (
    Layer(CONVOLUTION, 3, 6),
    Layer(CONVOLUTION, 6, 5, 3, relu=True, norm=True),
    Layer(HALVE),
    Layer(CONVOLUTION, 5, 5, 3, relu=True, norm=True),
    Layer(DOUBLE),
    Layer(CONVOLUTION, 5, 2),
    Layer(MAPS),
)


@pytest.mark.parametrize("layers", [FLAT, SPATIAL], ids=["flat", "spatial"])
def test_compiled_layers_give_what_pytorch_gives(layers: tuple[Layer, ...]) -> None:
    net = build(layers, seed=4)
    inputs = np.random.default_rng(1).normal(size=(16, 3, 6, 4)).astype(np.float32)
    net.train()
    net(torch.from_numpy(inputs))  # so that the statistics of normalised batches are not those of the start
    net.eval()
    played = Network(*tensors_of(net))
    expected = net(torch.from_numpy(inputs)).detach().numpy()
    for planes, row in zip(inputs, expected, strict=True):
        assert np.allclose(played(planes), row, rtol=1e-4, atol=1e-5)
    assert output_count(tensors_of(net)[0], (3, 6, 4)) == expected.shape[1]


def test_the_papers_pommerman_network_has_its_number_of_weights() -> None:
    layers = layers_for(load_game("pommerman").encoding(), hidden=32, embedding=0)
    assert sum(int(np.prod(shape)) for shape in weight_shapes(layers).values()) == 55_046


def test_layers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="a convolution layer reads 9, but what comes before it gives 3"):
        output_count((Layer(CONVOLUTION, 9, 1),), (3, 6, 4))


@pytest.mark.parametrize("given", [[], [{"kind": "magic"}], [{"kind": "linear", "inputs": -1}], "x", [{"size": 3}], 3])
def test_layers_that_are_none_are_refused(given: object) -> None:
    with pytest.raises(InvalidParameterError, match="expected layers of convolution"):
        read_layers(given, "follower 'x'")
