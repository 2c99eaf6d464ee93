"""The network while it learns: outputs for a batch of planes, one gradient step, its state for a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.planes import Encoding, turned
from tactician.errors import InvalidParameterError
from tactician.followers.model import Model, ModelCard
from tactician.learning.gpu import RecordedStep
from tactician.learning.networks import build, layers_for, tensors_of
from tactician.learning.run import AUTO
from tactician.learning.samples import Batch
from tactician.learning.settings import CHOICE, VALUES, VISITS, Training

CPU, CUDA = "cpu", "cuda"
DEVICES = (AUTO, CPU, CUDA)
_NET, _MOMENT, _SQUARE, _STEP = "net.", "adam.exp_avg.", "adam.exp_avg_sq.", "adam.step."
_LEAST = 1e-6
"""Keeps the logarithm of a probability finite."""


def chosen_device(name: str) -> torch.device:
    """The device to train on; `auto` is the GPU where there is one."""
    if name not in DEVICES:
        raise InvalidParameterError(f"device is {name!r}; expected one of {', '.join(DEVICES)}.")
    available = torch.cuda.is_available()
    if name == CUDA and not available:
        raise InvalidParameterError("device is 'cuda', but PyTorch finds no GPU; expected 'cpu' or 'auto'.")
    return torch.device(CUDA if name == CUDA or (name == AUTO and available) else CPU)


class Learner:
    """A network, its optimizer and its loss."""

    def __init__(
        self, game: Game, encoding: Encoding, training: Training, target: str, device: str = AUTO, most: int = 1
    ) -> None:
        self.game, self.encoding = game, encoding
        self.device = chosen_device(device)
        self.layers = layers_for(encoding, training.hidden, training.embedding)
        self.net = build(self.layers, training.seed).to(self.device)
        on_gpu = self.device.type == CUDA
        self._adam = torch.optim.Adam(self.net.parameters(), training.learning_rate, capturable=on_gpu)
        self._loss = {CHOICE: self._choice_loss, VISITS: self._visits_loss, VALUES: self._value_loss}[target]
        self._most = most if on_gpu else 0
        """Targets of a sample, filled up to this number: a recorded step has one shape."""
        shape = (training.batch, *encoding.shape)
        self._recorded = RecordedStep(self._gradient_step, self.device, shape) if on_gpu else None
        if training.symmetric and not encoding.symmetries:
            raise InvalidParameterError(
                f"encoding {encoding.name!r} of {game.name!r} has no symmetries; expected symmetric=False."
            )
        self.updates = 0

    def outputs(self, seen: NDArray[np.uint64], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """What the network says of a batch: [batch, outputs]."""
        self.net.eval()
        with torch.no_grad():
            result = self.net(torch.from_numpy(self.encoding.encode(self.game, seen, seats)).to(self.device))
        answer: NDArray[np.float32] = result.cpu().numpy()
        return answer

    def update(self, batch: Batch, symmetry: int = 0) -> torch.Tensor:
        """One step of Adam on a batch seen under one of the symmetries of its encoding; returns the loss.

        On a GPU it returns before the step is taken: the next batch is encoded meanwhile.
        """
        self.net.train()
        memory = self._recorded.memory() if self._recorded else None
        planes = self.encoding.encode(self.game, batch.seen, batch.seats, memory)
        choices, outputs = batch.choices, batch.outputs
        if symmetry:
            planes = turned(planes, symmetry)
            order = np.array(self.encoding.symmetries[symmetry])
            choices, outputs = order[choices], order[outputs]
        there = np.arange(outputs.shape[1]) < batch.counts[:, None]
        missing = ((0, 0), (0, max(0, self._most - outputs.shape[1])))
        targets = {
            "choices": torch.from_numpy(choices),
            "outputs": torch.from_numpy(np.pad(np.where(there, outputs, 0), missing)),
            "values": torch.from_numpy(np.pad(np.where(there, batch.values, np.float32(0)), missing)),
            "weights": torch.from_numpy(np.pad(there.astype(np.float32), missing)),
        }
        self.updates += 1
        if self._recorded is not None:
            return self._recorded(planes, targets)
        return self._gradient_step(torch.from_numpy(planes), targets)

    def _gradient_step(self, planes: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        loss = self._loss(self.net(planes), targets)
        self._adam.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._adam.step()
        return loss.detach()

    def _choice_loss(self, outputs: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Cross-entropy with the teacher's choices."""
        logits = torch.logit(outputs, _LEAST) if self.encoding.maps else outputs
        return torch.nn.functional.cross_entropy(logits, targets["choices"])

    def _visits_loss(self, outputs: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Cross-entropy with the share of visits of every action."""
        chances = torch.log_softmax(torch.logit(outputs, _LEAST) if self.encoding.maps else outputs, 1)
        return -(chances.gather(1, targets["outputs"]) * targets["values"]).sum(1).mean()

    def _value_loss(self, outputs: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Binary cross-entropy with the target values of the actions that have one, all weighted equally."""
        picked = outputs.gather(1, targets["outputs"])
        if not self.encoding.maps:
            picked = torch.sigmoid(picked)
        picked, weights = picked.clamp(_LEAST, 1 - _LEAST), targets["weights"]
        losses = torch.nn.functional.binary_cross_entropy(picked, targets["values"], weights, reduction="sum")
        return losses / weights.sum()

    def model(self, training: Mapping[str, Any]) -> Model:
        """The network as a follower plays it."""
        layers, tensors = tensors_of(self.net)
        return Model(ModelCard.of(self.game, self.encoding, layers, training), dict(tensors), "follower in training")

    # -- checkpoints -----------------------------------------------------------------------------------------

    def to_tensors(self) -> dict[str, NDArray[Any]]:
        """Weights and moments."""
        found = {f"{_NET}{key}": value.cpu().numpy() for key, value in self.net.state_dict().items()}
        for number, state in self._adam.state_dict()["state"].items():
            found[f"{_MOMENT}{number}"] = state["exp_avg"].cpu().numpy()
            found[f"{_SQUARE}{number}"] = state["exp_avg_sq"].cpu().numpy()
            found[f"{_STEP}{number}"] = np.array([float(state["step"])], np.float32)
        return found

    def restore(self, tensors: Mapping[str, NDArray[Any]], updates: int) -> None:
        """Take back weights and moments."""
        self.updates = updates
        weights = {key[len(_NET) :]: torch.from_numpy(value.copy()) for key, value in tensors.items() if _is_net(key)}
        self.net.load_state_dict(weights)
        document = self._adam.state_dict()
        document["state"] = {
            number: {
                "step": torch.tensor(float(tensors[f"{_STEP}{number}"][0])),
                "exp_avg": torch.from_numpy(tensors[f"{_MOMENT}{number}"].copy()),
                "exp_avg_sq": torch.from_numpy(tensors[f"{_SQUARE}{number}"].copy()),
            }
            for number in range(sum(key.startswith(_STEP) for key in tensors))
        }
        self._adam.load_state_dict(document)


def _is_net(key: str) -> bool:
    return key.startswith(_NET)
