"""The papers' networks as lists of layers, built and trained with PyTorch.

`layers_for` gives the architecture for an encoding; `build` makes a PyTorch module of it. `tensors_of` reads the
module's weights back as arrays, batch normalisation folded into the convolutions, as followers play them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tactician.contract.planes import Encoding
from tactician.followers.network import CONVOLUTION, DOUBLE, HALVE, LINEAR, MAPS, Layer

_POMMERMAN_LAYERS = 4


def layers_for(encoding: Encoding, hidden: int, embedding: int) -> tuple[Layer, ...]:
    """The paper's network for an encoding: its Pommerman network, or its Royale network where outputs are maps.

    The first has four convolutions and a linear layer. The second embeds every plane into the cells, passes three
    blocks of two normalised convolutions, of which the middle one works on halved maps, and ends in a map for each card
    and for waiting.
    """
    planes, rows, columns = encoding.shape
    if not encoding.maps:
        sizes = [planes, *[hidden] * _POMMERMAN_LAYERS]
        convolutions = [Layer(CONVOLUTION, a, b, 3, relu=True) for a, b in itertools.pairwise(sizes)]
        return (*convolutions, Layer(LINEAR, hidden * rows * columns, encoding.outputs))

    def block(inputs: int) -> tuple[Layer, Layer]:
        return (
            Layer(CONVOLUTION, inputs, hidden, 3, relu=True, norm=True),
            Layer(CONVOLUTION, hidden, hidden, 3, relu=True, norm=True),
        )

    return (
        Layer(CONVOLUTION, planes, embedding),
        *block(embedding),
        Layer(HALVE),
        *block(hidden),
        Layer(DOUBLE),
        *block(hidden),
        Layer(CONVOLUTION, hidden, encoding.maps),
        Layer(MAPS),
    )


class Net(nn.Module):
    """A network of layers; its parameters are named after the layers' numbers."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        super().__init__()
        self.layers = tuple(layers)
        self.parts = nn.ModuleDict()
        self.norms = nn.ModuleDict()
        for number, layer in enumerate(self.layers):
            if layer.kind == CONVOLUTION:
                self.parts[str(number)] = nn.Conv2d(layer.inputs, layer.outputs, layer.size, padding=layer.size // 2)
            elif layer.kind == LINEAR:
                self.parts[str(number)] = nn.Linear(layer.inputs, layer.outputs)
            if layer.norm:
                self.norms[str(number)] = nn.BatchNorm2d(layer.outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits of actions [batch, outputs], or the probabilities of maps and their means."""
        for number, layer in enumerate(self.layers):
            key = str(number)
            if layer.kind == LINEAR:
                x = x.flatten(1)
            if key in self.parts:
                x = self.parts[key](x)
            if key in self.norms:
                x = self.norms[key](x)
            if layer.relu:
                x = torch.relu(x)
            if layer.kind == HALVE:
                x = nn.functional.max_pool2d(x, 2)
            elif layer.kind == DOUBLE:
                x = nn.functional.interpolate(x, scale_factor=2, mode="nearest")
            elif layer.kind == MAPS:
                cells = torch.sigmoid(x.flatten(2))
                x = torch.cat((cells.flatten(1), cells.mean(2)), 1)
        return x.flatten(1)


def build(layers: Sequence[Layer], seed: int) -> Net:
    """A network with random weights that a seed decides."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Net(layers)


def tensors_of(net: Net) -> tuple[tuple[Layer, ...], dict[str, NDArray[np.float32]]]:
    """Layers and weights as a follower plays them: without batch normalisation, which is folded in."""
    tensors: dict[str, NDArray[np.float32]] = {}
    for key, part in net.parts.items():
        weight, bias = _array(part.weight), _array(part.bias)
        if key in net.norms:
            norm: Any = net.norms[key]
            scale = _array(norm.weight) / np.sqrt(_array(norm.running_var) + norm.eps)
            weight = weight * scale[:, None, None, None]
            bias = (bias - _array(norm.running_mean)) * scale + _array(norm.bias)
        tensors[f"{key}.weight"], tensors[f"{key}.bias"] = weight.astype(np.float32), bias.astype(np.float32)
    return tuple(replace(layer, norm=False) for layer in net.layers), tensors


def _array(tensor: Any) -> NDArray[np.float64]:
    return np.asarray(tensor.detach().cpu().numpy(), np.float64)
