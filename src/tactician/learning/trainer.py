"""A training run: teach a network to play from what a seat sees.

Several battles are in flight. In every round the network chooses (DAgger), the teacher labels every battle's state in
threads of its own (planners release the interpreter lock), and meanwhile the network takes its gradient steps: one for
each step of a battle. Results don't depend on how fast anybody is.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.contract.planes import SYMMETRIES
from tactician.errors import InvalidParameterError
from tactician.files import require_writable
from tactician.followers.model import SUFFIX, ModelCard, save_model
from tactician.followers.tensors import Tensors
from tactician.games.registry import entry_for, load_game
from tactician.learning.battles import Battle
from tactician.learning.checkpoints import read_checkpoint, write_checkpoint
from tactician.learning.evaluation import strength
from tactician.learning.learner import Learner
from tactician.learning.networks import tensors_of
from tactician.learning.progress import Progress
from tactician.learning.run import OnProgress
from tactician.learning.samples import Sample, SampleBuffer
from tactician.learning.settings import CHOICE, CLONING, Q_MC, VALUES, VISITS, Training
from tactician.learning.teachers import Label, make_teacher

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
    if kept is not None and out.exists() and kept[0]["finished"] >= training.battles:
        return _finished(kept[0])  # the file stays as it is: games that were played with it still count
    run = _Run(training, jobs, device)
    if kept is not None:
        run.restore(*kept)
    with run:
        run.until_done(on_progress, checkpoint, checkpoint_seconds)
    run.save(checkpoint)
    save_model(out, *run.result())
    return run.last


def _finished(document: dict[str, Any]) -> Progress:
    """How a run ended."""
    return Progress(
        battles=document["finished"],
        steps=document["steps"],
        updates=document["updates"],
        samples=document["added"],
        loss=None,
        agreement=None,
        strength=None,
        seconds=document["seconds"],
    )


class _Run:
    """A training run."""

    def __init__(self, training: Training, jobs: int, device: str) -> None:
        import torch

        torch.set_num_threads(1)  # sums in another order would give other weights
        self.training = training
        self.game = load_game(training.game)
        self.encoding = self.game.encoding(training.encoding or None)
        entry = entry_for(self.game)
        lively: Sequence[int] = entry.training.get("lively", ()) if entry else ()
        self._target = self._chosen_target()
        self.learner = Learner(self.game, self.encoding, training, self._target, device)
        self.battles = [self._battle(lively) for _ in range(training.width)]
        words = len(self.game.initial_state(0).words)
        rated = self._target != CHOICE and training.method != Q_MC
        self.buffer = SampleBuffer(training.buffer, words, min(_MOST_VALUES, self.game.max_actions) if rated else 1)
        self.rng = np.random.default_rng([training.seed, 7])
        self.started = self.finished = self.steps = 0
        self.owed = 0.0
        """Gradient steps that are due."""
        self.spent = 0.0
        """Seconds of earlier parts of the run."""
        self.curve: list[dict[str, Any]] = []
        self.losses: list[float] = []
        self.agreed: list[bool] = []
        self.last = self._progress(None)
        self._began = time.monotonic()
        self._stack = ExitStack()
        self._threads: ThreadPoolExecutor | None = None
        self._jobs = jobs
        for battle in self.battles:
            self._next_battle(battle)

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

    def _battle(self, lively: Sequence[int]) -> Battle:
        settings = self.training
        teacher = None
        if settings.method != Q_MC:
            teacher = make_teacher(settings.teacher, self.game, settings.budget)
        return Battle(self.game, self.encoding, teacher, settings, lively)

    def __enter__(self) -> _Run:
        self._threads = self._stack.enter_context(ThreadPoolExecutor(self._jobs))
        self._began = time.monotonic()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

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
        assert self._threads is not None
        seats = [battle.seats() for battle in self.battles]
        seen, numbers, options = self._seen(seats)
        rated = self.learner.outputs(seen, numbers) if len(seen) else None
        chosen = self._chosen(rated, options)
        labels = [self._threads.submit(battle.labels, who) for battle, who in zip(self.battles, seats, strict=True)]
        self._learn()
        self._step(seats, seen, options, rated, chosen, labels)

    def _seen(self, seats: Sequence[Sequence[int]]) -> tuple[NDArray[np.uint64], NDArray[np.int64], list[list[int]]]:
        """What everybody with a choice sees, whose view it is, and what each may do."""
        seen, numbers, options = [], [], []
        for battle, who in zip(self.battles, seats, strict=True):
            for seat in who:
                seen.append(self.encoding.see(battle.state, seat))
                numbers.append(seat)
                options.append(self.encoding.options(battle.state, seat))
        return np.array(seen, np.uint64), np.array(numbers, np.int64), options

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
        while self.owed >= 1 and len(self.buffer) >= self.training.batch:
            batch = self.buffer.draw(self.rng, self.training.batch)
            symmetry = int(self.rng.integers(SYMMETRIES)) if self.training.symmetric else 0
            self.losses.append(self.learner.update(batch, symmetry))
            self.owed -= 1
        if len(self.buffer) < self.training.batch:
            self.owed = 0.0

    def _step(
        self,
        seats: Sequence[Sequence[int]],
        seen: NDArray[np.uint64],
        options: list[list[int]],
        rated: NDArray[np.float32] | None,
        chosen: list[int],
        labels: Sequence[Future[list[Label]]],
    ) -> None:
        """Keep what was labelled and take everybody's step."""
        first = 0
        for battle, who, future in zip(self.battles, seats, labels, strict=True):
            told = future.result()
            actions = chosen[first : first + len(who)]
            for place, label in enumerate(told):
                at = first + place
                assert rated is not None
                best = options[at][int(np.argmax(rated[at][self.encoding.outputs_of(options[at])]))]
                self.agreed.append(best == label.action)
                if self._target == CHOICE or len(label.actions):  # an oracle has no estimate of an only action
                    self.buffer.add(self._sample(seen[at], who[place], label))
            if self.training.method == CLONING:
                actions = [self._cloned(label, options[first + k]) for k, label in enumerate(told)]
            joint = battle.joint(who, actions)
            if self.training.method == Q_MC:
                battle.await_reward(who, seen[first : first + len(who)], joint)
            battle.step(joint, told)
            first += len(who)
            self.steps += 1
            self.owed += self.training.updates
            if battle.is_finished:
                self.finished += 1
                self._reward(battle)
                self._next_battle(battle)

    def _cloned(self, label: Label, options: list[int]) -> int:
        """The teacher's action, now and then a random one."""
        if self.training.noise and self.rng.random() < self.training.noise:
            return options[int(self.rng.integers(len(options)))]
        return label.action

    def _sample(self, seen: NDArray[np.uint64], seat: int, label: Label) -> Sample:
        choice = int(self.encoding.outputs_of([label.action])[0])
        values = label.visits if self._target == VISITS else label.values
        return Sample(seen, seat, choice, self.encoding.outputs_of(label.actions), values)

    def _reward(self, battle: Battle) -> None:
        """Q-MC: every action of a battle is worth what the battle came to."""
        if battle.waiting:
            returns = battle.state.returns() if battle.state.is_over() else [0.0] * self.game.players
            for one in battle.waiting:
                worth = np.array([(returns[one.seat] + 1) / 2], np.float32)
                self.buffer.add(Sample(one.seen, one.seat, one.choice, one.outputs, worth))

    def _next_battle(self, battle: Battle) -> None:
        battle.begin(self.training.seed * 1_000_003 + self.started)
        self.started += 1

    # -- reports, checkpoints, result ------------------------------------------------------------------------

    def _report(self, battles: int, on_progress: OnProgress) -> None:
        result = None
        if self.training.opponent:
            result = strength(self.game, self.learner.model({}), self.training)
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
        running = time.monotonic() - self._began if getattr(self, "_threads", None) is not None else 0.0
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
            "battles": [{"seed": battle.seed, "joints": battle.joints} for battle in self.battles],
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
        for battle, kept_battle in zip(self.battles, document["battles"], strict=True):
            battle.resume(kept_battle["seed"], kept_battle["joints"])
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
