"""`check_game`: play a game at random and verify everything planners rely on.

Rules that run compiled are played with bounds checks first, so that a wrong index is a finding and not a crash; then
what they say compiled, checked and interpreted is compared at a sample of the positions. The checks stand in `checks`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from tactician.checking import actions, hidden, keys, modes, positions, presentation
from tactician.checking.modes import Position
from tactician.checking.profile import Profiler
from tactician.checking.report import CheckReport, Finding
from tactician.checking.session import Session, failing_call, raises
from tactician.checking.style import slow_constructs
from tactician.checking.visit import Action, Check, Visit, difference, source
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.native import abi, failures
from tactician.native.failures import is_the_authors
from tactician.native.records import watching_losses

__all__ = ["CheckReport", "Finding", "check_game"]

Progress = Callable[[int, int], None]
LOSSES = "losses"
"""The check that numbers fit the fields they are stored into."""

_COMPARED = 120
"""Positions at which modes are compared, over all games: interpreted rules are slow."""
_CHECKS = (*actions.CHECKS, *positions.CHECKS, *presentation.CHECKS, *hidden.CHECKS)


def check_game(
    game: Game,
    games: int = 20,
    seed: int = 0,
    max_actions_per_game: int = 5000,
    progress: Progress | None = None,
    on_call: Callable[[str, int, int], None] | None = None,
) -> CheckReport:
    """Play random games and report what is wrong with the rules; a broken game is reported, never raised.

    The seed decides everything. The games have the seeds ``seed``, ``seed + 1``, ...: the game of a finding is played
    again by ``check_game(game, games=1, seed=S)``. Cheap checks run at every position, costly ones at a sample: all of
    the first, then ever fewer. `progress` is called with how much is done, and of how much; `on_call` with the name of
    each rule before it is called ('' after it), the seed of the game and the step.
    """
    for name, number, least in (
        ("games", games, 1),
        ("seed", seed, 0),
        ("max_actions_per_game", max_actions_per_game, 1),
    ):
        if number < least:
            raise InvalidParameterError(f"{name} is {number!r}; expected {least} or more.")
    run = _Run(Session(game), games, max_actions_per_game, progress)
    with _told(run, on_call):
        if run.prepare():
            gathered = [run.play(seed + index) for index in range(games)]
            run.judge_endings()
            run.compare(gathered)
        run.finish()
    return CheckReport(
        game.name,
        tuple(run.session.findings.values()),
        run.begun,
        run.actions,
        tuple(run.session.ran),
        run.unfinished,
        run.profiler.profile(),
        (*slow_constructs(game), *run.profiler.warnings(game)),
    )


@contextlib.contextmanager
def _told(run: _Run, on_call: Callable[[str, int, int], None] | None) -> Iterator[None]:
    if on_call is None:
        yield
        return
    with failures.listening(lambda rule: on_call(rule, run.seed, run.step)):
        yield


class _Run:
    """The games of one `check_game`."""

    def __init__(self, session: Session, games: int, limit: int, progress: Progress | None) -> None:
        self.session = session
        self.begun = self.ended = self.unfinished = self.actions = 0
        self.seed, self.step = 0, -1
        self.profiler = Profiler()
        self._limit = limit
        self._progress = progress or (lambda done, total: None)
        self._done, self._total = 0, 2 * games
        self._compared = max(6, _COMPARED // games)
        self._place = ""
        self._config = session.game.config_words()

    def prepare(self) -> bool:
        """Compile the rules and choose how to play; False if they don't compile."""
        session, game = self.session, self.session.game
        session.ran |= dict.fromkeys(("compiles", "value-range", "rules-run"))
        try:
            game.table.complete()
        except Exception as error:
            session.not_compiled(error)
            return False
        try:
            low, high = game.value_range
        except Exception as error:
            session.find("value-range", f"value_range raises {type(error).__name__}: {error}")
            return False
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            session.find(
                "value-range", f"value_range is {low} to {high}; expected two finite numbers, the lesser first"
            )
        if game.backend.mode == "compiled":
            session.playing = game.checked()
            session.ran.setdefault("bounds")
        return True

    # -- playing ---------------------------------------------------------------------------------------------

    def play(self, seed: int) -> list[Position]:
        """Play one random game, check its positions and return some of them for comparison."""
        self.begun += 1
        self.seed, self.step = seed, -1
        path: list[Position] = []
        with self.session.playing.searching():
            state = self._initial_state(seed)
            if state is not None:
                self._play_from(state, seed, path)
        self._advance()
        return modes.spread(path, self._compared)

    def _initial_state(self, seed: int) -> State | None:
        """The start position, which the seed must decide."""
        session, game = self.session, self.session.playing
        session.ran.setdefault("initial-state")
        name = source(session.game, "initial_state")
        try:
            state, again = game.initial_state(seed), game.initial_state(seed)
        except Exception as error:
            session.find("initial-state", f"{name} raises {type(error).__name__}: {error}", f"game seed {seed}")
            return None
        if state != again:
            how = difference(state, again, "once", "the other time")
            session.find("initial-state", f"{name} twice with the same seed: {how}", f"game seed {seed}")
        return state

    def _play_from(self, state: State, seed: int, path: list[Position]) -> None:
        session, random, watch = self.session, np.random.default_rng([seed, 2]), keys.Watch()
        sampled, earlier = _sample(self._limit), set[int]()
        self.profiler.begin_game()
        for step in range(self._limit + 1):
            self.step = step
            visit = Visit(session.playing, seed, step, state.copy(), self._config, earlier)
            if not self._look(visit, random, step in sampled, watch.checks):
                return
            if session.playing is not session.game:
                path.append(Position.of(visit))
            if visit.over or step == self._limit:
                self.profiler.end_game(visit.fresh().returns() if visit.over else None)
                self.ended += visit.over
                self.unfinished += not visit.over
                for check in watch.last_checks:
                    if check.name in session.ran:
                        session.run(check, visit)
                return
            assert visit.action is not None
            self.profiler.see(visit, step in sampled and step % 3 == 0 and not session.findings)
            try:
                state.apply(visit.action)
            except Exception as error:
                session.fail(error, visit)
                return
            session.run(positions.CONFIGURATION, visit)  # here, where the action that changed it is known
            self._restore()
            earlier.update(code for codes in visit.legal.values() for code in codes)
            self.actions += 1

    def _restore(self) -> None:
        """Put back a configuration that rules have changed: what comes of it would hide what is wrong."""
        self.session.playing.restore_config(self._config)

    def _look(self, visit: Visit, random: np.random.Generator, sampled: bool, watching: Iterable[Check]) -> bool:
        """Run the checks at one position and choose its action; False if the game can't continue."""
        try:
            visit.over = visit.fresh().is_over()
            if not visit.over:
                visit.mover = visit.fresh().current_player()
        except Exception as error:
            self.session.fail(error, visit)
            return False
        if not visit.over:
            if not all(self.session.run(check, visit) for check in actions.TURN_CHECKS):
                return False
            visit.action = _choose(visit, random)
        for check in (*_CHECKS, *watching):
            if check.applies(visit, sampled or visit.over):
                self.session.run(check, visit)
        return True

    # -- afterwards ------------------------------------------------------------------------------------------

    def judge_endings(self) -> None:
        """Some game must have ended, if they were played at all."""
        self.session.ran.setdefault("ends")
        if self.unfinished and not self.ended:
            rule = source(self.session.game, "is_over")
            self.session.find("ends", f"rule {rule} ended none of {self.unfinished} games within {self._limit} actions")

    def compare(self, gathered: list[list[Position]]) -> None:
        """Compare the ways to run the rules; not if they failed, because compiled they might crash."""
        if self.session.game.backend.mode != "compiled" or self.session.rules_failed:
            return
        self._restore()
        interpreted = self.session.game.interpreted()
        self.session.ran.setdefault(modes.INTERPRETED)
        self.session.ran.setdefault(modes.CHECKED)
        self.session.ran.setdefault(LOSSES)
        with watching_losses(self._lost):
            for path in gathered:
                for position in path:
                    self._place = position.place
                    if not self._compare_at(position, interpreted):
                        return
                self._advance()

    def _lost(self, field: str, kind: np.dtype, value: Any, stored: int) -> None:
        """A rule has stored a number that its field can't hold; words of 64 bits wrap on purpose, as hashes do."""
        if kind == np.uint64 or not field:
            return
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not is_the_authors(Path(frame.f_code.co_filename)):
            frame = frame.f_back
        line = f", at {Path(frame.f_code.co_filename).name}, line {frame.f_lineno}" if frame else ""
        what = "a fraction" if isinstance(value, float) else "a number that wraps around"
        self.session.find(
            LOSSES, f"field {field!r} ({kind}) gets {value}, {what}: it becomes {stored}{line}", self._place
        )

    def _compare_at(self, position: Position, interpreted: Game) -> bool:
        """Compare at one position; False if it is not safe to continue."""
        session = self.session
        visit = Visit(session.playing, position.seed, position.step, position.state(session.playing), self._config)
        visit.action = position.action
        try:
            checked = list(modes.answers(session.playing, position))
        except Exception as error:
            session.fail(error, visit)
            return False
        slow = self._answers(interpreted, position, visit, modes.INTERPRETED, "interpreted but not with bounds checks")
        if slow is None:
            return False
        fast = self._answers(session.game, position, visit, modes.CHECKED, "compiled but not with bounds checks")
        if fast is None:
            return False
        for check, other, how in ((modes.CHECKED, checked, "checked"), (modes.INTERPRETED, slow, "interpreted")):
            if problem := modes.disagreement(session.game, fast, other, "compiled", how):
                session.find(check, problem, position.place)
        return True

    def _answers(self, game: Game, position: Position, visit: Visit, check: str, only: str) -> modes.Answers | None:
        """What the rules say in one mode, or None if one raises there and nowhere else."""
        try:
            return list(modes.answers(game, position))
        except Exception as error:
            if isinstance(error.__cause__, IndexError):
                self.session.fail(error, visit)
            else:
                rule, _ = failing_call(error)
                subject = f"{only}, rule {source(game, rule)}" if rule else f"{only}, a rule"
                self.session.find(check, raises(subject, error), position.place)
            return None

    def _advance(self) -> None:
        self._done += 1
        self._progress(self._done, self._total)

    def finish(self) -> None:
        """Report full progress, whatever was skipped."""
        if self._done < self._total:
            self._progress(self._total, self._total)


def _choose(visit: Visit, random: np.random.Generator) -> Action:
    """A uniformly random action, for every player where all act."""
    chosen = [codes[random.integers(len(codes))] for codes in visit.legal.values()]
    return chosen if visit.mover == abi.SIMULTANEOUS else chosen[0]


def _sample(limit: int) -> frozenset[int]:
    """The steps at which costly checks run: all of the first, then ever fewer, about fifty in a long game."""
    steps, step = [], 0
    while step <= limit:
        steps.append(step)
        step += 1 + step // 6
    return frozenset(steps)
