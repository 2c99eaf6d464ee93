"""A training run: teach a network to play from what a seat sees.

Several battles are in flight, and teams of workers look after them. In every round the network chooses (DAgger), the
teachers label the states of all battles, and meanwhile the network takes its gradient steps: one for each step of a
battle. Results don't depend on how fast anybody is.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.contract.planes import SYMMETRIES
from tactician.errors import InvalidParameterError
from tactician.files import require_writable
from tactician.followers.model import SUFFIX, ModelCard, load_model, save_model
from tactician.followers.tensors import Tensors
from tactician.games.registry import load_game
from tactician.learning.checkpoints import is_same_run, read_checkpoint, write_checkpoint
from tactician.learning.learner import Learner
from tactician.learning.networks import tensors_of
from tactician.learning.progress import Progress
from tactician.learning.run import OnProgress
from tactician.learning.samples import Sample, SampleBuffer
from tactician.learning.settings import CHOICE, CLONING, Q_MC, VALUES, VISITS, Training
from tactician.learning.teachers import Label
from tactician.learning.teams import Teams, View

CHECKPOINT = ".checkpoint"
"""What follows the name of the weights' file."""
_FIRST_EPSILON, _LAST_EPSILON = 1.0, 0.05
_BUFFER = "buffer."
_MOST_VALUES = 320
"""Estimates that a sample keeps; planners consider fewer actions of a seat."""


def run_training(
    training: Training, out: Path, jobs: int, device: str, on_progress: OnProgress, checkpoint_seconds: float
) -> Progress:
    """Train, or continue to train; see `learning.train`."""
    if out.suffix != SUFFIX:
        raise InvalidParameterError(f"out is {str(out)!r}; expected a file name that ends in {SUFFIX}.")
    require_writable("weights", out)
    checkpoint = out.with_name(out.name + CHECKPOINT)
    kept = read_checkpoint(checkpoint, training, load_game(training.game).version) if checkpoint.exists() else None
    done = _finished(training, out, kept[0] if kept is not None else None)
    if done is not None:
        return done  # the file stays as it is: games that were played with it still count
    run = _Run(training, jobs, device)
    try:
        run.start(kept)
        run.until_done(on_progress, checkpoint, checkpoint_seconds)
    finally:
        run.teams.close()
    run.save(checkpoint)
    save_model(out, *run.result())
    return run.last


def _finished(training: Training, out: Path, checkpoint: dict[str, Any] | None) -> Progress | None:
    """How a run ended whose weights are there, with its checkpoint or without; None for any other run."""
    if not out.exists():
        return None
    told: Mapping[str, Any]
    if checkpoint is not None:
        told = {**checkpoint, "battles": checkpoint["finished"]}
    else:
        model = load_model(out)
        told = {"added": 0, **model.card.training}
        game = load_game(training.game)
        if model.card.version != game.version or not is_same_run(told.get("settings", {}), training):
            return None
    if told["battles"] < training.battles:
        return None
    return Progress(
        battles=told["battles"],
        steps=told["steps"],
        updates=told["updates"],
        samples=told["added"],
        loss=None,
        agreement=None,
        strength=None,
        seconds=told["seconds"],
    )


class _Run:
    """A training run."""

    def __init__(self, training: Training, jobs: int, device: str) -> None:
        import torch

        torch.set_num_threads(1)  # sums in another order would give other weights
        self.training = training
        self.game = load_game(training.game)
        self.encoding = self.game.encoding(training.encoding or None)
        self._target = self._chosen_target()
        rated = self._target != CHOICE and training.method != Q_MC
        most = min(_MOST_VALUES, self.game.max_actions) if rated else 1
        self.learner = Learner(self.game, self.encoding, training, self._target, device, most)
        self.buffer = SampleBuffer(training.buffer, len(self.game.initial_state(0).words), most)
        self.teams = Teams(training, jobs)
        self.views: list[View] = []
        """What there is to decide in each battle."""
        self.seeds: list[int] = []
        """The seed of each battle in flight ..."""
        self.joints: list[list[list[int]]] = []
        """... and its steps so far: everybody's actions, or the mover's."""
        self.rng = np.random.default_rng([training.seed, 7])
        self.started = self.finished = self.steps = 0
        self.owed = 0.0
        """Gradient steps that are due."""
        self.spent = 0.0
        """Seconds of earlier parts of the run."""
        self.curve: list[dict[str, Any]] = []
        self.losses: list[float] = []
        self.agreed: list[bool] = []
        self._began: float | None = None
        self.last = self._progress(None)

    def _chosen_target(self) -> str:
        """What is learned."""
        if self.training.method == Q_MC:
            return VALUES
        rates = self.game.simultaneous and isinstance(parse_agent(self.training.teacher), PlannerSpec)
        wanted = self.training.target or (VALUES if self.encoding.maps and rates else CHOICE)
        if wanted != CHOICE and not rates:
            raise InvalidParameterError(
                f"target is {wanted!r}, but the teacher {self.training.teacher!r} gives only its choices in "
                f"{self.game.name!r}; expected '{CHOICE}'."
            )
        return wanted

    def start(self, kept: tuple[dict[str, Any], Tensors] | None) -> None:
        """Begin the first battles, or continue from a checkpoint."""
        self._began = time.monotonic()
        if kept is not None:
            self.restore(*kept)
            return
        numbers = range(self.training.width)
        self.seeds = [self._next_seed() for _ in numbers]
        self.joints = [[] for _ in numbers]
        views = self.teams.begin(dict(enumerate(self.seeds)))
        self.views = [views[number] for number in numbers]

    # -- the loop --------------------------------------------------------------------------------------------

    def until_done(self, on_progress: OnProgress, checkpoint: Path, checkpoint_seconds: float) -> None:
        """Train until all battles are finished."""
        saved = time.monotonic()
        while self.finished < self.training.battles:
            before = self.finished
            self.round()
            for number in range(before + 1, self.finished + 1):
                if number % self.training.evaluate_every == 0 or number == self.training.battles:
                    self._report(number, on_progress)
            if self.finished > before:
                on_progress(self._progress(None))
            if time.monotonic() - saved > checkpoint_seconds:
                self.save(checkpoint)
                saved = time.monotonic()

    def round(self) -> None:
        """One step of every battle, and the gradient steps that are due for the steps of the last round."""
        asked = self.teams.ask_labels()
        seen = np.concatenate([view.seen for view in self.views])
        seats = np.array([seat for view in self.views for seat in view.seats], np.int64)
        options = [actions for view in self.views for actions in view.options]
        rated = self.learner.outputs(seen, seats) if len(seen) else None
        chosen = self._chosen(rated, options)
        self._learn()
        self._step(rated, chosen, self.teams.labels(asked))

    def _chosen(self, rated: NDArray[np.float32] | None, options: list[list[int]]) -> list[int]:
        """The follower's actions while it trains."""
        if rated is None:
            return []
        epsilon = self._epsilon()
        chosen = []
        for row, actions in zip(rated, options, strict=True):
            ratings = row[self.encoding.outputs_of(actions)]
            if epsilon and self.rng.random() < epsilon:
                chosen.append(actions[int(self.rng.integers(len(actions)))])
            elif self.training.sample and self.training.method != Q_MC:
                chances = np.exp((ratings.astype(np.float64) - ratings.max()) / self.training.temperature)
                chosen.append(actions[int(self.rng.choice(len(actions), p=chances / chances.sum()))])
            else:
                chosen.append(actions[int(np.argmax(ratings))])
        return chosen

    def _epsilon(self) -> float:
        """The share of random actions; Q-MC starts at random and becomes greedy over the first half of the run."""
        if self.training.method != Q_MC:
            return self.training.noise
        passed = min(1.0, 2 * self.finished / self.training.battles)
        return max(self.training.noise, _FIRST_EPSILON + passed * (_LAST_EPSILON - _FIRST_EPSILON))

    def _learn(self) -> None:
        losses = []
        while self.owed >= 1 and len(self.buffer) >= self.training.batch:
            batch = self.buffer.draw(self.rng, self.training.batch)
            symmetry = int(self.rng.integers(SYMMETRIES)) if self.training.symmetric else 0
            losses.append(self.learner.update(batch, symmetry))
            self.owed -= 1
        self.losses += [float(loss) for loss in losses]
        if len(self.buffer) < self.training.batch:
            self.owed = 0.0

    def _step(self, rated: NDArray[np.float32] | None, chosen: list[int], labels: list[list[Label]]) -> None:
        """Keep what was labelled and take everybody's step."""
        first, actions = 0, []
        for view, told in zip(self.views, labels, strict=True):
            last = first + len(view.seats)
            if told:
                assert rated is not None
                self._keep(view, rated[first:last], told)
            cloned = self.training.method == CLONING
            actions.append(
                [self._cloned(label, options) for label, options in zip(told, view.options, strict=True)]
                if cloned
                else chosen[first:last]
            )
            first = last
        self._advance(actions)

    def _keep(self, view: View, rated: NDArray[np.float32], told: list[Label]) -> None:
        """Put what a battle's labels teach into the buffer."""
        for place, label in enumerate(told):
            options = view.options[place]
            best = options[int(np.argmax(rated[place][self.encoding.outputs_of(options)]))]
            self.agreed.append(best == label.action)
            if self._target == CHOICE or len(label.actions):  # an oracle has no estimate of an only action
                self.buffer.add(self._sample(view.seen[place], view.seats[place], label))

    def _advance(self, actions: list[list[int]]) -> None:
        """Take the steps, and begin new battles where some are finished."""
        new: dict[int, int] = {}
        for number, outcome in enumerate(self.teams.step(actions)):
            self.joints[number].append(outcome.joint)
            self.steps += 1
            self.owed += self.training.updates
            if outcome.view is not None:
                self.views[number] = outcome.view
                continue
            self.finished += 1
            for sample in outcome.samples:
                self.buffer.add(sample)
            new[number] = self.seeds[number] = self._next_seed()
            self.joints[number] = []
        for number, view in self.teams.begin(new).items():
            self.views[number] = view

    def _cloned(self, label: Label, options: list[int]) -> int:
        """The teacher's action, now and then a random one."""
        if self.training.noise and self.rng.random() < self.training.noise:
            return options[int(self.rng.integers(len(options)))]
        return label.action

    def _sample(self, seen: NDArray[np.uint64], seat: int, label: Label) -> Sample:
        choice = int(self.encoding.outputs_of([label.action])[0])
        values = label.visits if self._target == VISITS else label.values
        return Sample(seen, seat, choice, self.encoding.outputs_of(label.actions), values)

    def _next_seed(self) -> int:
        """The seed of the next battle."""
        self.started += 1
        return self.training.seed * 1_000_003 + self.started - 1

    # -- reports, checkpoints, result ------------------------------------------------------------------------

    def _report(self, battles: int, on_progress: OnProgress) -> None:
        result = None
        if self.training.opponent:
            result = self.teams.strength(self.learner.model({}))
        progress = self._progress(result)
        self.curve.append({**progress.to_json(), "battles": battles})
        self.losses, self.agreed = [], []
        on_progress(progress)

    def _progress(self, result: tuple[int, int, int] | None) -> Progress:
        self.last = Progress(
            battles=self.finished,
            steps=self.steps,
            updates=self.learner.updates,
            samples=self.buffer.added,
            loss=float(np.mean(self.losses)) if self.losses else None,
            agreement=float(np.mean(self.agreed)) if self.agreed else None,
            strength=result,
            seconds=self.seconds,
        )
        return self.last

    @property
    def seconds(self) -> float:
        """Time spent, earlier parts of the run included."""
        running = time.monotonic() - self._began if self._began is not None else 0.0
        return round(self.spent + running, 3)

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        document = {
            "settings": self.training.to_json(),
            "game_version": self.game.version,
            "started": self.started,
            "finished": self.finished,
            "steps": self.steps,
            "owed": self.owed,
            "seconds": self.seconds,
            "updates": self.learner.updates,
            "added": self.buffer.added,
            "random": self.rng.bit_generator.state,
            "curve": self.curve,
            "losses": self.losses,
            "agreed": [int(one) for one in self.agreed],
            "battles": [{"seed": seed, "joints": joints} for seed, joints in zip(self.seeds, self.joints, strict=True)],
        }
        tensors = {f"{_BUFFER}{name}": array for name, array in self.buffer.to_tensors().items()}
        write_checkpoint(path, document, {**self.learner.to_tensors(), **tensors})

    def restore(self, document: dict[str, Any], tensors: Tensors) -> None:
        """Continue from a checkpoint."""
        self.learner.restore(tensors, document["updates"])
        kept = {name[len(_BUFFER) :]: array for name, array in tensors.items() if name.startswith(_BUFFER)}
        self.buffer.restore(kept, document["added"])
        self.rng.bit_generator.state = document["random"]
        for name in ("started", "finished", "steps", "owed"):
            setattr(self, name, document[name])
        self.spent = document["seconds"]
        self.curve, self.losses = document["curve"], document["losses"]
        self.agreed = [bool(one) for one in document["agreed"]]
        self.seeds = [one["seed"] for one in document["battles"]]
        self.joints = [one["joints"] for one in document["battles"]]
        self.views = self.teams.resume(list(zip(self.seeds, self.joints, strict=True)))
        self._progress(None)

    def result(self) -> tuple[ModelCard, dict[str, NDArray[np.float32]]]:
        """The model card and the weights."""
        layers, tensors = tensors_of(self.learner.net)
        told = {
            "settings": self.training.to_json(),
            "battles": self.finished,
            "steps": self.steps,
            "updates": self.learner.updates,
            "seconds": self.seconds,
            "device": str(self.learner.device),
            "curve": self.curve,
        }
        return ModelCard.of(self.game, self.encoding, layers, told), tensors
