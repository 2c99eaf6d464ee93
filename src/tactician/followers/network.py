"""Networks as lists of layers, evaluated without PyTorch.

The same list describes a network to `tactician.learning`, which trains it with PyTorch, and to this module, which
plays it: layers are plain data in a model card, their weights are tensors named after the layer's number. Convolutions
are compiled and run on one core; batch normalisation is folded into them before a follower is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidParameterError, short
from tactician.native.caching import allocating_kernel, kernel

CONVOLUTION, LINEAR, HALVE, DOUBLE, MAPS = "convolution", "linear", "halve", "double", "maps"
KINDS = (CONVOLUTION, LINEAR, HALVE, DOUBLE, MAPS)
_MOST = 1 << 24
_LEAST_LOGIT = np.float32(-80.0)
"""Below it the sigmoid is 0 in single precision, and exp would overflow."""


@dataclass(frozen=True)
class Layer:
    """One layer.

    `convolution`: size × size with zeros around the edge. `linear`: of all values, in the order planes, rows, columns.
    `halve`: the largest of each 2 × 2 cells. `double`: each cell four times. `maps`: a sigmoid of every value, then
    the mean of each plane behind all of them.
    """

    kind: str
    inputs: int = 0
    """Planes (convolution) or numbers (linear) that it reads."""
    outputs: int = 0
    size: int = 1
    """Of a convolution: 1 or 3."""
    relu: bool = False
    """Whether negative results become 0."""
    norm: bool = False
    """Whether training normalises batches before the ReLU; False in a follower's file."""

    def to_json(self) -> dict[str, Any]:
        """The layer in a model card."""
        return asdict(self)


def read_layers(given: Any, what: str) -> tuple[Layer, ...]:
    """The layers of a model card."""
    try:
        layers = tuple(Layer(**one) for one in given)
        good = all(
            layer.kind in KINDS
            and all(type(n) is int and 0 <= n < _MOST for n in (layer.inputs, layer.outputs, layer.size))
            and layer.size in (1, 3)
            for layer in layers
        )
    except TypeError:
        good, layers = False, ()
    if not good or not layers:
        raise InvalidParameterError(f"{what} has the layers {short(given)}; expected layers of {', '.join(KINDS)}.")
    return layers


def weight_shapes(layers: Sequence[Layer]) -> dict[str, tuple[int, ...]]:
    """The tensors that a network needs, by name."""
    shapes: dict[str, tuple[int, ...]] = {}
    for number, layer in enumerate(layers):
        if layer.kind == CONVOLUTION:
            shapes[f"{number}.weight"] = (layer.outputs, layer.inputs, layer.size, layer.size)
        elif layer.kind == LINEAR:
            shapes[f"{number}.weight"] = (layer.outputs, layer.inputs)
        if layer.kind in (CONVOLUTION, LINEAR):
            shapes[f"{number}.bias"] = (layer.outputs,)
    return shapes


def output_count(layers: Sequence[Layer], shape: tuple[int, int, int]) -> int:
    """How many numbers a network gives for planes of a shape; refuses layers that don't fit together."""
    planes, rows, columns = shape
    count = planes * rows * columns
    for layer in layers:
        needed = {CONVOLUTION: planes, LINEAR: count}.get(layer.kind, layer.inputs)
        if layer.inputs != needed or layer.norm:
            raise InvalidParameterError(
                f"a {layer.kind} layer reads {layer.inputs}, but what comes before it gives {needed}."
            )
        if layer.kind == HALVE:
            rows, columns = rows // 2, columns // 2
        elif layer.kind == DOUBLE:
            rows, columns = 2 * rows, 2 * columns
        elif layer.kind == CONVOLUTION:
            planes = layer.outputs
        count = layer.outputs if layer.kind == LINEAR else planes * rows * columns
        if layer.kind == MAPS:
            count += planes
        if layer.kind == LINEAR:
            planes, rows, columns = layer.outputs, 1, 1
    return count


class Network:
    """A network with its weights; not to be shared by threads, because it reuses its memory."""

    def __init__(self, layers: Sequence[Layer], tensors: Mapping[str, NDArray[Any]]) -> None:
        self.layers = tuple(layers)
        self._steps: list[Callable[[NDArray[np.float32]], NDArray[np.float32]]] = []
        for number, layer in enumerate(self.layers):
            weight, bias = tensors.get(f"{number}.weight"), tensors.get(f"{number}.bias")
            self._steps.append(_step(layer, weight, bias))

    def __call__(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """The outputs for one array of planes [planes, rows, columns]."""
        values = planes
        for step in self._steps:
            values = step(values)
        return values.reshape(-1)


def warm_network() -> None:
    """Compile every layer."""
    layers = (Layer(CONVOLUTION, 1, 1, 3), Layer(CONVOLUTION, 1, 1), Layer(LINEAR, 9, 1))
    tensors = {name: np.zeros(shape, np.float32) for name, shape in weight_shapes(layers).items()}
    Network(layers, tensors)(np.zeros((1, 3, 3), np.float32))


def _step(layer: Layer, weight: Any, bias: Any) -> Callable[[NDArray[np.float32]], NDArray[np.float32]]:
    if layer.kind == CONVOLUTION:
        return _Convolution(layer, weight, bias)
    if layer.kind == LINEAR:
        return _Linear(layer, weight, bias)
    return {HALVE: _halved, DOUBLE: _doubled, MAPS: _maps}[layer.kind]


class _Linear:
    """A matrix and an offset."""

    def __init__(self, layer: Layer, weight: NDArray[Any], bias: NDArray[Any]) -> None:
        self._relu = layer.relu
        self._matrix = np.ascontiguousarray(weight, np.float32)
        self._bias = np.ascontiguousarray(bias, np.float32)

    def __call__(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        out = np.empty(len(self._bias), np.float32)
        multiply(self._matrix, np.ascontiguousarray(x).reshape(-1), self._bias, out)
        return np.maximum(out, 0, out=out) if self._relu else out


class _Convolution:
    """A convolution with its scratch memory."""

    def __init__(self, layer: Layer, weight: NDArray[Any], bias: NDArray[Any]) -> None:
        self._relu = layer.relu
        self._weight = np.ascontiguousarray(weight, np.float32).reshape(layer.outputs, layer.inputs, -1)
        self._bias = np.ascontiguousarray(bias, np.float32)
        self._padded: NDArray[np.float32] = np.zeros((0, 0), np.float32)

    def __call__(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        planes, rows, columns = x.shape
        out = np.empty((len(self._bias), rows, columns), np.float32)
        if self._weight.shape[2] == 1:
            mix(np.ascontiguousarray(x), self._weight[:, :, 0], self._bias, self._relu, out)
        else:
            needed = (planes, (rows + 2) * (columns + 2))
            if self._padded.shape != needed:
                self._padded = np.zeros(needed, np.float32)
            convolve(np.ascontiguousarray(x), self._padded, self._weight, self._bias, self._relu, out)
        return out


@allocating_kernel
def convolve(
    x: NDArray[np.float32],
    padded: NDArray[np.float32],
    weight: NDArray[np.float32],
    bias: NDArray[np.float32],
    relu: bool,
    out: NDArray[np.float32],
) -> None:
    """A 3 × 3 convolution; `padded` has the planes of x with a zero rim, which stays zero.

    All cells of a plane are computed in one run over the padded rows, so that the loop has no branches; the results on
    the rim are not used.
    """
    planes, rows, columns = x.shape
    width = columns + 2
    for plane in range(planes):
        for row in range(rows):
            for column in range(columns):
                padded[plane, (row + 1) * width + column + 1] = x[plane, row, column]
    count = rows * width - 2
    sums = np.empty(count, np.float32)
    for output in range(out.shape[0]):
        for i in range(count):
            sums[i] = bias[output]
        for plane in range(planes):
            cells, w = padded[plane], weight[output, plane]
            a, b, c = cells[0:count], cells[1 : 1 + count], cells[2 : 2 + count]
            d, e, f = cells[width : width + count], cells[width + 1 : width + 1 + count], cells[width + 2 :]
            g, h = cells[2 * width : 2 * width + count], cells[2 * width + 1 : 2 * width + 1 + count]
            k = cells[2 * width + 2 :]
            for i in range(count):
                sums[i] += (
                    (w[0] * a[i] + w[1] * b[i] + w[2] * c[i])
                    + (w[3] * d[i] + w[4] * e[i] + w[5] * f[i])
                    + (w[6] * g[i] + w[7] * h[i] + w[8] * k[i])
                )
        for row in range(rows):
            for column in range(columns):
                value = sums[row * width + column]
                out[output, row, column] = max(value, np.float32(0)) if relu else value


@kernel
def mix(
    x: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32], relu: bool, out: NDArray[np.float32]
) -> None:
    """A 1 × 1 convolution; planes that are zero everywhere are passed over."""
    planes, rows, columns = x.shape
    for output in range(out.shape[0]):
        out[output] = bias[output]
    for plane in range(planes):
        if not x[plane].any():
            continue
        for output in range(out.shape[0]):
            w = weight[output, plane]
            for row in range(rows):
                for column in range(columns):
                    out[output, row, column] += w * x[plane, row, column]
    if relu:
        for output in range(out.shape[0]):
            for row in range(rows):
                for column in range(columns):
                    out[output, row, column] = max(out[output, row, column], np.float32(0))


@allocating_kernel
def multiply(
    matrix: NDArray[np.float32], x: NDArray[np.float32], bias: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """A linear layer, in eight sums side by side."""
    length = x.shape[0]
    sums = np.empty(8, np.float32)
    for output in range(out.shape[0]):
        row = matrix[output]
        sums[:] = 0.0
        for i in range(0, length // 8 * 8, 8):
            for k in range(8):
                sums[k] += row[i + k] * x[i + k]
        total = bias[output] + sums.sum()
        for i in range(length // 8 * 8, length):
            total += row[i] * x[i]
        out[output] = total


def _halved(x: NDArray[np.float32]) -> NDArray[np.float32]:
    planes, rows, columns = x.shape
    cells = x[:, : rows // 2 * 2, : columns // 2 * 2].reshape(planes, rows // 2, 2, columns // 2, 2)
    return cells.max(axis=(2, 4))


def _doubled(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return x.repeat(2, axis=1).repeat(2, axis=2)


def _maps(x: NDArray[np.float32]) -> NDArray[np.float32]:
    cells = 1 / (1 + np.exp(-np.maximum(x.reshape(len(x), -1), _LEAST_LOGIT)))
    return np.concatenate((cells.reshape(-1), cells.mean(axis=1)))
