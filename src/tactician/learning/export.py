"""A follower as an ONNX model, for programs that don't use this package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tactician.files import json_text, require_writable, write_files
from tactician.followers.model import Model
from tactician.followers.network import CONVOLUTION, DOUBLE, HALVE, LINEAR, MAPS
from tactician.learning.extra import require_module

_OPSET = 17
_IR = 9
INPUT, OUTPUT = "planes", "ratings"


def export_onnx(model: Model, path: Path) -> None:
    """Write a model with the input `planes` [batch, planes, rows, columns] and the output `ratings` [batch, outputs].

    The model card stands in the model's metadata.
    """
    onnx = require_module("onnx", "exporting a follower")
    require_writable("ONNX file", path)
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    nodes: list[Any] = []
    constants = {name: np.asarray(tensor, np.float32) for name, tensor in model.tensors.items()}
    now = INPUT

    def add(kind: str, inputs: list[str], **attributes: Any) -> str:
        name = f"{kind.lower()}{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    for number, layer in enumerate(model.card.layers):
        weights = [f"{number}.weight", f"{number}.bias"]
        if layer.kind == CONVOLUTION:
            now = add("Conv", [now, *weights], kernel_shape=[layer.size] * 2, pads=[layer.size // 2] * 4)
        elif layer.kind == LINEAR:
            now = add("Gemm", [add("Flatten", [now], axis=1), *weights], transB=1)
        elif layer.kind == HALVE:
            now = add("MaxPool", [now], kernel_shape=[2, 2], strides=[2, 2])
        elif layer.kind == DOUBLE:
            constants["scales"] = np.array([1, 1, 2, 2], np.float32)
            now = add(
                "Resize",
                [now, "", "scales"],
                mode="nearest",
                nearest_mode="floor",
                coordinate_transformation_mode="asymmetric",
            )
        elif layer.kind == MAPS:
            cells = add("Sigmoid", [now])
            means = add("ReduceMean", [cells], axes=[2, 3], keepdims=0)
            now = add("Concat", [add("Flatten", [cells], axis=1), means], axis=1)
        if layer.relu:
            now = add("Relu", [now])
    nodes.append(helper.make_node("Flatten", [now], [OUTPUT], axis=1))
    card = model.card
    graph = helper.make_graph(
        nodes,
        f"{card.game}-follower",
        [helper.make_tensor_value_info(INPUT, onnx.TensorProto.FLOAT, ["batch", len(card.planes), *card.shape])],
        [helper.make_tensor_value_info(OUTPUT, onnx.TensorProto.FLOAT, ["batch", card.outputs])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    written = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
    helper.set_model_props(written, {"card": json_text(card.to_json())})
    onnx.checker.check_model(written)
    write_files({path: written.SerializeToString()})
