"""Figures, how they are taken, and which games have which."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tactician._version import __version__
from tactician.bench import kernels
from tactician.contract.calls import list_room
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.games.registry import load_game
from tactician.native import abi
from tactician.native.announce import compiling

PLANNERS = "planners"
"""What stands for all planners where a game's name is expected."""
ROUNDS = 7
SECONDS_A_ROUND = 0.12
CALIBRATION_DRAWS = 20_000_000


@dataclass(frozen=True)
class Figure:
    """One measured number."""

    game: str
    name: str
    value: float
    unit: str
    position: str | None = None


@dataclass(frozen=True)
class BenchReport:
    """All figures of a run and the machine they were taken on."""

    machine: dict[str, Any]
    figures: tuple[Figure, ...]

    def to_json(self) -> dict[str, Any]:
        """The report as one document; `position` only where it matters."""
        rows = [{k: v for k, v in asdict(figure).items() if v is not None} for figure in self.figures]
        return {"machine": self.machine, "figures": rows}


@dataclass(frozen=True)
class Subject:
    """A game and the positions it is measured at; the first one is where playouts start."""

    name: str
    game: Game
    positions: dict[str, State]


def run_bench(games: Sequence[str], progress: Callable[[str], None] | None = None) -> BenchReport:
    """Measure the games and the calibration loop."""
    say = progress or (lambda _text: None)
    figures = [calibration()]
    for name in games:
        if name == PLANNERS:
            from tactician.bench.planners import measure_planners

            figures += measure_planners(say)
            continue
        subject = subject_of(name)
        with compiling("the benchmark"):
            figures += measure(subject, say)
            if name == "locm":
                from tactician.bench.locm import measure_locm

                figures += measure_locm(say)
            if name == "pommerman":
                from tactician.bench.pommerman import measure_pommerman

                figures += measure_pommerman(say)
    return BenchReport(machine(), tuple(figures))


def subject_of(name: str) -> Subject:
    """The game with the positions its reference figures were taken at, or else just its start."""
    if name == "hero-academy":
        from tactician.bench.hero_academy import subject

        return subject()
    game = load_game(name)
    return Subject(name, game, {"start": game.initial_state(seed=1)})


def measure(subject: Subject, say: Callable[[str], None]) -> list[Figure]:
    """Every layer of one game."""
    game, figures = subject.game, []
    for position, state in subject.positions.items():
        for name, unit, work in _position_work(game, state):
            say(f"{subject.name} {name} ({position})")
            figures.append(Figure(subject.name, name, rate(work), unit, position))
    start = next(iter(subject.positions.values()))
    if not game.simultaneous:
        say(f"{subject.name} playouts")
        figures += _playout_figures(subject.name, game, start)
    figures.append(Figure(subject.name, "state_bytes", game.state_bytes, "bytes"))
    return figures


def rate(work: Callable[[int], Any]) -> float:
    """How many times a second of CPU time `work(n)` does its thing: the median of several rounds."""
    work(1)
    n, spent = 1, 0.0
    while spent < SECONDS_A_ROUND / 4:
        n *= 2
        spent = _cpu_time(work, n)
    n = max(1, round(n * SECONDS_A_ROUND / spent))
    return statistics.median(n / _cpu_time(work, n) for _ in range(ROUNDS))


def _cpu_time(work: Callable[[int], Any], n: int) -> float:
    before = time.thread_time()
    work(n)
    return max(time.thread_time() - before, 1e-9)


class _Bench:
    """The memory that the timed loops of one game work on."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.table = game.table.addresses
        self.config = game.config_words()
        self.g = self.config.ctypes.data
        self.states = np.zeros((17, len(state.words)), np.uint64)
        self.states[0] = state.words
        self.s, self.work = self.states[0].ctypes.data, self.states[1].ctypes.data
        self.actions = np.zeros(list_room(game.max_actions), np.int32)
        self.values = np.zeros(game.players)
        self.rng = stream(1)


def _position_work(game: Game, state: State) -> list[tuple[str, str, Callable[[int], Any]]]:
    b = _Bench(game, state)
    player = max(state.current_player(), 0)
    out, values, size = b.actions.ctypes.data, b.values.ctypes.data, len(state.words) * 8
    return [
        ("copy", "copies/s", lambda n: kernels.copy_states(b.states, size, n)),
        ("legal_actions", "lists/s", lambda n: kernels.list_legal(b.table, b.g, b.s, player, out, n)),
        (
            "legal_actions_pruned",
            "lists/s",
            lambda n: kernels.list_candidates(b.table, b.g, b.s, player, out, b.rng, n),
        ),
        ("evaluate", "evaluations/s", lambda n: kernels.evaluate(b.table, b.g, b.s, values, n)),
    ]


def _playout_figures(name: str, game: Game, start: State) -> list[Figure]:
    """Random games, uniform over the whole list of what the game would have a planner consider."""
    b = _Bench(game, start)
    out, size = b.actions.ctypes.data, len(start.words) * 8
    played = [0, 0]

    def play(n: int) -> None:
        played[0] += n
        played[1] += kernels.playouts(b.table, b.g, b.s, b.work, out, b.rng, size, n)
        if b.config[0]:
            game.raise_failure(b.g)

    with game.searching():
        games = rate(play)
        actions = _one_game(start)
        replays = rate(lambda n: kernels.replay(b.table, b.g, b.s, b.work, actions, b.rng, size, n))
    per_game = played[1] / played[0]
    return [
        Figure(name, "apply", replays * len(actions), "actions/s"),
        Figure(name, "random_actions", games * per_game, "actions/s"),
        Figure(name, "random_games", games, "games/s"),
        Figure(name, "actions_per_game", per_game, "actions"),
    ]


def _one_game(start: State) -> np.ndarray:
    """The actions of one random game."""
    rng, state, actions = np.random.default_rng(1), start.copy(), []
    while not state.is_over() and state.current_player() != abi.SIMULTANEOUS:
        action = int(rng.choice(state.candidate_actions()))
        state.apply(action)
        actions.append(action)
    return np.array(actions, np.int64)


def calibration() -> Figure:
    """A fixed loop of pure arithmetic, to compare runs on different machines by."""
    rng = stream(1)
    kernels.spin(rng, 1)
    draws = statistics.median(
        CALIBRATION_DRAWS / _cpu_time(lambda n: kernels.spin(rng, n), CALIBRATION_DRAWS) for _ in range(ROUNDS)
    )
    return Figure("calibration", "calibration", draws, "draws/s")


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    import numba

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "tactician": __version__,
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"
