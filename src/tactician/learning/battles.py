"""One battle that a follower is trained on: its state, its teacher, and what was seen in it.

A battle can be taken up again from its seed and the joint actions so far: the teacher labels the same states again,
so that what it remembers is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.planes import Encoding
from tactician.contract.state import State
from tactician.learning.samples import Sample
from tactician.learning.settings import Q_MC, Training
from tactician.learning.teachers import Expert, Label, Teacher
from tactician.native.abi import SIMULTANEOUS

_UNKNOWN: NDArray[np.float32] = np.zeros(1, np.float32)


class Battle:
    """A battle in flight."""

    def __init__(
        self,
        game: Game,
        encoding: Encoding,
        teacher: Teacher | None,
        training: Training,
        lively: Sequence[int] = (),
        rivals: Expert | None = None,
    ) -> None:
        self.game, self.encoding = game, encoding
        self._teacher, self._training, self._lively = teacher, training, frozenset(lively)
        self._rivals = rivals
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Start anew."""
        self.seed = seed
        self.state: State = self.game.initial_state(seed)
        self.joints: list[list[int]] = []
        """The actions so far, one for each player (or only the mover's) in each step."""
        self._waiting: list[Sample] = []
        """Samples whose target is the reward that the battle will end with."""
        self._choices: tuple[int, ...] = ()
        self._same = self._still = 0
        if self._teacher is not None:
            self._teacher.begin(seed)
        if self._rivals is not None:
            self._rivals.begin(seed)

    def resume(self, seed: int, joints: Sequence[Sequence[int]]) -> None:
        """Play a battle again as far as it had come."""
        self.begin(seed)
        for joint in joints:
            seats = self.seats()
            if self._training.method == Q_MC:
                self.await_reward(seats, joint)
            self._rival_actions(seats)  # what they draw at random stays the same
            self.step(list(joint), self.labels(seats))

    def await_reward(self, seats: Sequence[int], joint: Sequence[int]) -> None:
        """Keep what everybody with a choice sees and does until the battle's reward is known."""
        for seat in seats:
            action = joint[seat] if len(joint) > 1 else joint[0]
            output = self.encoding.outputs_of([action])
            view = self.encoding.see(self.state, seat)
            self._waiting.append(Sample(view, seat, int(output[0]), output, _UNKNOWN))

    def rewarded(self) -> list[Sample]:
        """What was kept: every action of a finished battle is worth what the battle came to."""
        returns = self.state.returns() if self.state.is_over() else [0.0] * self.game.players
        worths = [np.array([(reward + 1) / 2], np.float32) for reward in returns]
        return [replace(one, values=worths[one.seat]) for one in self._waiting]

    def seats(self) -> list[int]:
        """Who has a choice."""
        mover = self.state.current_player()
        players = range(self.game.players) if mover == SIMULTANEOUS else (mover,)
        return [seat for seat in players if len(self.state.legal_actions(seat)) > 1]

    def labels(self, seats: Sequence[int]) -> list[Label]:
        """What the teacher says; nothing without one."""
        return self._teacher.label(self.state, len(self.joints), seats) if self._teacher and seats else []

    def joint(self, seats: Sequence[int], actions: Sequence[int]) -> list[int]:
        """Everybody's actions, given those of whoever has a choice; rivals make their own."""
        mover = self.state.current_player()
        players = range(self.game.players) if mover == SIMULTANEOUS else (mover,)
        chosen = {**dict(zip(seats, actions, strict=True)), **self._rival_actions(seats)}
        return [chosen[seat] if seat in chosen else self.state.legal_actions(seat)[0] for seat in players]

    def _rival_actions(self, seats: Sequence[int]) -> dict[int, int]:
        """What the rivals do: they have all seats but one."""
        if self._rivals is None:
            return {}
        theirs = [seat for seat in seats if seat != self.seed % self.game.players]
        labels = self._rivals.label(self.state, len(self.joints), theirs)
        return {seat: label.action for seat, label in zip(theirs, labels, strict=True)}

    def step(self, joint: list[int], labels: Sequence[Label]) -> None:
        """Apply a step."""
        together = self.state.current_player() == SIMULTANEOUS
        self.state.apply(joint if together else joint[0])
        self.joints.append(joint)
        choices = tuple(label.action for label in labels)
        self._same = self._same + 1 if choices == self._choices else 0
        self._choices = choices
        self._still = 0 if self._lively.intersection(joint) else self._still + 1

    @property
    def is_finished(self) -> bool:
        """Whether the battle is over, or nothing more is to be learned from it."""
        settings = self._training
        return (
            self.state.is_over()
            or 0 < settings.longest <= len(self.joints)
            or 0 < settings.stall <= self._same
            or 0 < settings.quiet < self._still
        )
