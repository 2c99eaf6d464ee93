"""The figures of a run: every layer of every game, and what the games' own benchmarks add."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tactician.bench import kernels
from tactician.checking.speed import ROUNDS, Figure, GameBenchmark, cpu_time, rate
from tactician.contract.calls import list_room
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.games.registry import entry_of, game_names, load_game
from tactician.machine import machine
from tactician.native import abi
from tactician.native.announce import compiling
from tactician.planners.registry import parse_planner
from tactician.seats.seat import Seat

PLANNERS = "planners"
"""What stands for all planners where a game's name is expected."""
CALIBRATION_DRAWS = 20_000_000
BATCH = 1024
"""States in the batch that is stepped."""


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


class _Workbench:
    """What games measure themselves with (`checking.speed.Bench`)."""

    def __init__(self, on_progress: Callable[[str], None]) -> None:
        self._report = on_progress

    def on_progress(self, what: str) -> None:
        """Report it."""
        self._report(what)

    def seat(self, planner: str, game: Game, seed: int) -> Seat:
        """The planner's agent."""
        return parse_planner(planner).on(game, seed=seed)


def run_bench(games: Sequence[str], on_progress: Callable[[str], None] | None = None) -> BenchReport:
    """Measure the games and the calibration loop."""
    report = on_progress or (lambda _text: None)
    figures = [calibration()]
    for name in games:
        if name == PLANNERS:
            from tactician.bench.planners import measure_planners

            figures += measure_planners(report)
            continue
        own = benchmark_of(name)
        with compiling("the benchmark"):
            figures += measure(subject_of(name), report)
            figures += own.figures(_Workbench(report)) if own.figures else []
    return BenchReport(machine(), tuple(figures))


def benchmark_of(name: str) -> GameBenchmark:
    """What a game's entry says of its benchmark; nothing for a game of a file or with parameters in its name."""
    entry = entry_of(name) if name in game_names() else None
    own: GameBenchmark = entry.load("benchmark") if entry is not None and entry.benchmark else GameBenchmark()
    return own


def subject_of(name: str) -> Subject:
    """The game with the positions its reference figures were taken at, or else just its start."""
    game, positions = load_game(name), benchmark_of(name).positions
    return Subject(name, game, positions(game) if positions else {"start": game.initial_state(seed=1)})


def reference_of(figure: Figure) -> float | None:
    """What another engine reached, where it is known."""
    return benchmark_of(figure.game).reference.get((figure.name, figure.position))


def measure(subject: Subject, on_progress: Callable[[str], None]) -> list[Figure]:
    """Every layer of one game."""
    game, figures = subject.game, []
    for position, state in subject.positions.items():
        for name, unit, work in _position_work(game, state):
            on_progress(f"{subject.name} {name} ({position})")
            figures.append(Figure(subject.name, name, rate(work), unit, position))
    start = next(iter(subject.positions.values()))
    if not game.simultaneous:
        on_progress(f"{subject.name} playouts")
        figures += _playout_figures(subject.name, game, start)
    if game.backend.handles is None:
        on_progress(f"{subject.name} batches")
        figures += _batch_figures(subject.name, game, start)
    figures.append(Figure(subject.name, "state_bytes", game.state_bytes, "bytes"))
    return figures


class _Memory:
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
    b = _Memory(game, state)
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
    """Random games, uniform over all legal actions, as the reference engines were measured."""
    b = _Memory(game, start)
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


def _batch_figures(name: str, game: Game, start: State) -> list[Figure]:
    """Random steps from Python: of a batch of states in one call, and of one state after the other."""
    batch, starts = game.batch(BATCH), game.batch(BATCH)

    def together(n: int) -> None:
        for _ in range(n):
            batch.step(batch.sample(), check=False)
            batch.reset(starts=starts)

    rng, state = np.random.default_rng(1), start.copy()

    def alone(n: int) -> None:
        nonlocal state
        for _ in range(n):
            player = state.current_player()
            if player == abi.SIMULTANEOUS:
                lists = [state.legal_actions(seat) for seat in range(game.players)]
                state.apply([options[rng.integers(len(options))] for options in lists])
            else:
                options = state.legal_actions()
                state.apply(options[rng.integers(len(options))])
            if state.is_over():
                state = start.copy()

    return [
        Figure(name, "batch_steps", BATCH * rate(together), "steps/s"),
        Figure(name, "single_steps", rate(alone), "steps/s"),
    ]


def _one_game(start: State) -> np.ndarray:
    """The actions of one random game."""
    rng, state, actions = np.random.default_rng(1), start.copy(), []
    while not state.is_over() and state.current_player() != abi.SIMULTANEOUS:
        action = int(rng.choice(state.legal_actions()))
        state.apply(action)
        actions.append(action)
    return np.array(actions, np.int64)


def calibration() -> Figure:
    """A fixed loop of pure arithmetic, to compare runs on different machines by."""
    rng = stream(1)
    kernels.spin(rng, 1)
    draws = statistics.median(
        CALIBRATION_DRAWS / cpu_time(lambda n: kernels.spin(rng, n), CALIBRATION_DRAWS) for _ in range(ROUNDS)
    )
    return Figure("calibration", "calibration", draws, "draws/s")
