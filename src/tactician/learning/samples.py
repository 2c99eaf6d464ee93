"""The replay buffer: what was seen, from which seat, and what there is to learn of it.

What was seen is kept as the memory of the observed state, which is smaller than its planes; a batch is encoded when it
is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sample:
    """One observation with its targets."""

    seen: NDArray[np.uint64]
    """The memory of the observed state."""
    seat: int
    choice: int
    """The output of the action that was chosen."""
    outputs: NDArray[np.int64]
    """The outputs with a target; empty where only the choice is learned."""
    values: NDArray[np.float32]
    """Their targets, 0 to 1: values, or shares of visits."""


@dataclass(frozen=True)
class Batch:
    """Samples drawn together; rows of `outputs` and `values` are valid up to `counts`."""

    seen: NDArray[np.uint64]
    seats: NDArray[np.int64]
    choices: NDArray[np.int64]
    counts: NDArray[np.int64]
    outputs: NDArray[np.int64]
    values: NDArray[np.float32]


class SampleBuffer:
    """A ring of samples."""

    def __init__(self, capacity: int, words: int, most_values: int) -> None:
        self.capacity = capacity
        self.added = 0
        """Samples ever added."""
        self._most = most_values
        self._arrays: dict[str, NDArray[Any]] = {
            "seen": np.zeros((0, words), np.uint64),
            "seats": np.zeros(0, np.int8),
            "choices": np.zeros(0, np.int32),
            "counts": np.zeros(0, np.int32),
            "outputs": np.zeros((0, most_values), np.int32),
            "values": np.zeros((0, most_values), np.float32),
        }

    def __len__(self) -> int:
        return min(self.added, self.capacity)

    def add(self, sample: Sample) -> None:
        """Keep a sample, in the place of the oldest when there is no room."""
        if self.added == len(self._arrays["seats"]) < self.capacity:
            self._grow()
        at, count = self.added % self.capacity, min(len(sample.values), self._most)
        self._arrays["seen"][at] = sample.seen
        self._arrays["seats"][at] = sample.seat
        self._arrays["choices"][at] = sample.choice
        self._arrays["counts"][at] = count
        self._arrays["outputs"][at, :count] = sample.outputs[:count]
        self._arrays["values"][at, :count] = sample.values[:count]
        self.added += 1

    def draw(self, rng: np.random.Generator, count: int) -> Batch:
        """Different samples at random, the newest among them."""
        rows = rng.choice(len(self), count, replace=False)
        newest = (self.added - 1) % self.capacity
        if newest not in rows:
            rows[-1] = newest
        part = {name: array[rows] for name, array in self._arrays.items()}
        most = max(1, int(part["counts"].max()))
        return Batch(
            part["seen"],
            part["seats"].astype(np.int64),
            part["choices"].astype(np.int64),
            part["counts"].astype(np.int64),
            part["outputs"][:, :most].astype(np.int64),
            part["values"][:, :most],
        )

    def to_tensors(self) -> dict[str, NDArray[Any]]:
        """Everything kept, for a checkpoint."""
        return {name: array[: len(self)] for name, array in self._arrays.items()}

    def restore(self, tensors: Mapping[str, NDArray[Any]], added: int) -> None:
        """Take back what a checkpoint kept."""
        self._arrays = {name: np.array(tensors[name]) for name in self._arrays}
        self.added = added

    def _grow(self) -> None:
        size = min(self.capacity, max(1024, 2 * self.added))
        for name, array in self._arrays.items():
            bigger = np.zeros((size, *array.shape[1:]), array.dtype)
            bigger[: len(array)] = array
            self._arrays[name] = bigger
