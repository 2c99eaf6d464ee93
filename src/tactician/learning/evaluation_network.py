"""Fit an evaluation that is more than a weighted sum: a small network on the features of both sides, with PyTorch."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from tactician.contract.feature_network import FeatureNetwork

_EPOCHS, _LEAST_STEPS, _BATCH = 14, 2000, 512
"""How often each position is looked at, more often where that would be too few steps."""
_LEARNING_RATE, _DECAY = 2e-3, 3e-2
_LEAST_SPREAD = 1e-2
"""Features that hardly ever differ from 0 are not blown up more than this allows."""
_DIGITS = 5
"""Decimals that are kept: files stay small, and evaluations are the same on all machines."""


class _Judge(torch.nn.Module):
    """The weighted sum and the network as PyTorch sees them."""

    def __init__(self, features: int, units: int) -> None:
        super().__init__()
        self.weights = torch.nn.Parameter(torch.zeros(features))
        self.hidden = torch.nn.Linear(2 * features, units)
        self.out = torch.nn.Linear(units, 1, bias=False)

    def forward(self, ours: torch.Tensor, theirs: torch.Tensor) -> torch.Tensor:
        """The logarithm of our odds."""
        difference = self._side(ours, theirs) - self._side(theirs, ours)
        return (ours - theirs) @ self.weights + difference

    def _side(self, ours: torch.Tensor, theirs: torch.Tensor) -> torch.Tensor:
        units = torch.relu(self.hidden(torch.cat([ours, theirs], dim=1)))
        worth: torch.Tensor = self.out(units)[:, 0]
        return worth


def fit_network(
    sides: NDArray[np.float32],
    targets: NDArray[np.float64],
    importance: NDArray[np.float64],
    units: int,
    seed: int,
) -> tuple[NDArray[np.float64], FeatureNetwork]:
    """The weights and the network under which the targets are likeliest; [positions, both sides' features]."""
    torch.set_num_threads(1)  # sums in another order would give other weights
    generator = torch.Generator().manual_seed(seed)
    features = sides.shape[1] // 2
    scale = np.maximum(np.sqrt((sides.reshape(-1, features).astype(np.float64) ** 2).mean(axis=0)), _LEAST_SPREAD)
    scaled = torch.tensor(sides / np.tile(scale, 2), dtype=torch.float32)
    ours, theirs = scaled[:, :features], scaled[:, features:]
    wanted, worth = (torch.tensor(numbers, dtype=torch.float32) for numbers in (targets, importance))
    judge = _initial(features, units, generator)
    optimizer = torch.optim.AdamW(judge.parameters(), lr=_LEARNING_RATE, weight_decay=_DECAY)
    epochs = max(_EPOCHS, _LEAST_STEPS // -(-len(scaled) // _BATCH))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for _ in range(epochs):
        order = torch.randperm(len(scaled), generator=generator)
        for first in range(0, len(order), _BATCH):
            batch = order[first : first + _BATCH]
            optimizer.zero_grad()
            odds = judge(ours[batch], theirs[batch])
            torch.nn.functional.binary_cross_entropy_with_logits(odds, wanted[batch], worth[batch]).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        schedule.step()
    return _read_off(judge, scale)


def _initial(features: int, units: int, generator: torch.Generator) -> _Judge:
    """Random units, the same for the same seed."""
    judge = _Judge(features, units)
    with torch.no_grad():
        for numbers, inputs in (
            (judge.hidden.weight, 2 * features),
            (judge.hidden.bias, 2 * features),
            (judge.out.weight, units),
        ):
            numbers.uniform_(-(inputs**-0.5), inputs**-0.5, generator=generator)
    return judge


def _read_off(judge: _Judge, scale: NDArray[np.float64]) -> tuple[NDArray[np.float64], FeatureNetwork]:
    """What was fitted, for features that are not scaled."""
    features = len(scale)
    weights, hidden, bias, out = (
        numbers.detach().numpy().astype(np.float64)
        for numbers in (judge.weights, judge.hidden.weight, judge.hidden.bias, judge.out.weight[0])
    )
    parts = hidden[:, :features] / scale, hidden[:, features:] / scale, bias, out
    return np.round(weights / scale, _DIGITS), FeatureNetwork(*(np.round(part, _DIGITS) for part in parts))
