"""A gradient step on a GPU, recorded once and replayed.

The networks are small: launching their kernels one by one takes longer than running them. After a few steps in the
ordinary way, everything that a step does is recorded as a CUDA graph, which is launched as a whole. Batches are copied
into the memory that the recording reads; while the GPU works on one, the next is written to page-locked memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Targets = Mapping[str, torch.Tensor]
_ORDINARY_STEPS = 3
"""Steps before recording: libraries choose their algorithms and the optimizer makes its moments in them."""
_AHEAD = 2
"""Batches that are on their way at once."""


class RecordedStep:
    """A function of planes and targets of fixed shapes that changes a network and returns its loss."""

    def __init__(
        self,
        step: Callable[[torch.Tensor, Targets], torch.Tensor],
        device: torch.device,
        shape: tuple[int, ...],
    ) -> None:
        self._step, self._device = step, device
        self._taken = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._staged = [torch.empty(shape).pin_memory() for _ in range(_AHEAD)]
        """Planes on their way, in turn."""
        self._copied: list[Any] = [torch.cuda.Event() for _ in range(_AHEAD)]  # type: ignore[no-untyped-call]
        """When each of them has been copied."""
        self._planes = torch.empty(shape, device=device)
        self._targets: dict[str, torch.Tensor] = {}
        self._staged_targets: list[dict[str, torch.Tensor]] = []
        self._loss: torch.Tensor | None = None

    def memory(self) -> NDArray[np.float32]:
        """Where to write the planes of the next batch."""
        turn = self._taken % _AHEAD
        self._copied[turn].synchronize()
        staged: NDArray[np.float32] = self._staged[turn].numpy()
        return staged

    def __call__(self, planes: NDArray[np.float32], targets: Targets) -> torch.Tensor:
        """Take a step on planes, usually those in `memory`, and targets that lie in the computer's memory."""
        turn = self._taken % _AHEAD
        staged = self._staged[turn]
        if planes.ctypes.data != staged.data_ptr():
            staged.copy_(torch.from_numpy(planes))
        self._planes.copy_(staged, non_blocking=True)
        if not self._targets:
            self._targets = {name: torch.empty_like(one, device=self._device) for name, one in targets.items()}
            self._staged_targets = [
                {name: torch.empty_like(one).pin_memory() for name, one in targets.items()} for _ in range(_AHEAD)
            ]
        for name, tensor in targets.items():
            self._staged_targets[turn][name].copy_(tensor)
            self._targets[name].copy_(self._staged_targets[turn][name], non_blocking=True)
        self._copied[turn].record()
        self._taken += 1
        if self._taken <= _ORDINARY_STEPS:
            return self._ordinary()
        if self._graph is None:
            self._record()
        assert self._graph is not None
        assert self._loss is not None
        self._graph.replay()
        return self._loss.clone()

    def _ordinary(self) -> torch.Tensor:
        """A step kernel by kernel, in another stream than the one that is recorded later."""
        stream: Any = torch.cuda.Stream(self._device)  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(stream):
            loss = self._step(self._planes, self._targets)
        torch.cuda.current_stream(self._device).wait_stream(stream)
        return loss

    def _record(self) -> None:
        """Record a step; nothing is computed."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._loss = self._step(self._planes, self._targets)
        self._graph = graph
