"""How speed and memory grow: with the budget, the length of turns, the size of the board, the number of players.

Each point is measured in a process of its own, because only a fresh process has memory that is all its own. Points are
written to a file as they are found; with the same file the run resumes.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tactician.contract import Batch, Game, State
from tactician.errors import InvalidParameterError, TacticianError
from tactician.files import json_text, read_json, write_files
from tactician.games.registry import load_game
from tactician.machine import machine
from tactician.planners.registry import parse_planner
from tactician.seats.budget import Budget

MOST_ITERATIONS = 10_000_000
_MEMORY = "memory_mb=4096"
"""Room for the largest tree that is measured."""
_OPENING = 150
"""Random actions before the position in Hero Academy."""
_ROUNDS, _SECONDS = 7, 0.5
"""How often a search is repeated, unless that takes longer."""
_TREES = ("mcts", "emcts")
_SEARCHES = ("mcts", "oep", "emcts", "greedy-turn")


@dataclass(frozen=True)
class Point:
    """One search to measure."""

    axis: str
    """What grows: budget, action points, board, players."""
    at: int
    """How much of it."""
    game: str
    planner: str
    budget: str

    @property
    def key(self) -> str:
        """What tells it from others."""
        return f"{self.axis} {self.at} {self.shown_game} {self.planner} {self.budget}"

    @property
    def shown_game(self) -> str:
        """The game without the folder of its file."""
        name, colon, rest = self.game.partition(":")
        return Path(name).name + colon + rest


@dataclass(frozen=True)
class Measured:
    """What a search did in a second, and what it took."""

    rate: float
    """Units of work a second of CPU time."""
    unit: str
    memory_mb: float
    """What the search added to the process."""
    nodes: int


def points(most: int = MOST_ITERATIONS) -> list[Point]:
    """Everything that is measured with budgets up to `most` iterations, cheap points first."""
    found = [
        Point("budget", n, "hero-academy", planner, _counted(planner, n))
        for n in _decades(1000, most)
        for planner in _SEARCHES
    ]
    found += [
        Point("budget", n, "pommerman", planner, f"{n}its")
        for n in _decades(1000, most // 10)
        for planner in ("fdts", "mcs")
    ]
    few = min(most, 20_000)
    found += [
        Point(
            "action points", n, f"hero-academy:action_points={n},first_turn_points={n}", planner, _counted(planner, few)
        )
        for n in (5, 10, 15, 20, 25)
        for planner in _SEARCHES
    ]
    found += [
        Point("board", n, f"amazons:size={n},queens=2", planner, _counted(planner, min(few, 5000)))
        for n in (4, 6, 8, 10, 12, 14, 16)
        for planner in ("mcts", "oep", "emcts")
    ]
    found += [
        Point("players", n, f"{_TAKE_FILE}:take_{n}", planner, _counted(planner, few))
        for n in (2, 3, 4, 6, 8)
        for planner in ("mcts", "oep")
    ]
    return sorted(found, key=lambda point: int("".join(filter(str.isdigit, point.budget))))


_TAKE_FILE = str(Path(__file__).with_name("take.py"))


def _counted(planner: str, n: int) -> str:
    """A budget of about n units of work: iterations of trees and of evolution in genomes, else evaluations."""
    if planner == "oep":
        return f"{max(1, n // 50)}its"  # a generation values 50 new genomes
    return f"{n}evals" if planner == "greedy-turn" else f"{n}its"


def _decades(first: int, most: int) -> Iterable[int]:
    n = first
    while n <= most:
        yield n
        n *= 10


def measure_growth(
    out: Path | None = None, most: int = MOST_ITERATIONS, on_progress: Callable[..., Any] | None = None
) -> dict[str, Any]:
    """Measure what `out` does not hold yet and return the whole document."""
    report = on_progress or (lambda *_args: None)
    document: dict[str, Any] = {"machine": machine(), "points": []}
    if out is not None and out.exists():
        document = read_json(out, "growth file")
        if not isinstance(document, dict) or not isinstance(document.get("points"), list):
            raise InvalidParameterError(f"growth file {str(out)!r} has no points; expected what this command wrote.")
    have = {row["key"] for row in document["points"]}
    wanted = [point for point in points(most) if point.key not in have]
    for number, point in enumerate(wanted):
        report(f"{point.planner}: {point.axis} {point.at:,}")
        measured = _measure_apart(point)
        row = {**asdict(point), "game": point.shown_game, "key": point.key, **asdict(measured)}
        document["points"].append(row)
        if out is not None:
            write_files({out: (json_text(document, indent=1) + "\n").encode()})
        report(number + 1, len(wanted))
    return document


def _measure_apart(point: Point) -> Measured:
    """Measure in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tactician.bench.growth", json.dumps(asdict(point))],
        capture_output=True,
        text=True,
        env={**os.environ, "TACTICIAN_QUIET": "1"},
        check=False,
    )
    if done.returncode:
        raise TacticianError(f"growth of {point.key} can't be measured: {done.stderr.strip()[-300:]}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def measure_point(point: Point) -> Measured:
    """Search in this process: memory is what the first search added to it, speed the median of several."""
    game, seat = load_game(point.game), None
    if game.simultaneous:
        seat = 0
    parse_planner(point.planner).on(game).plan(game.initial_state(seed=1), "1its", seat=seat)  # compiles
    state = _position(game)
    before, spec = _peak_mb(), point.planner + (f":{_MEMORY}" if point.planner in _TREES else "")
    agent, budget = parse_planner(spec).on(game, seed=1), Budget.parse(point.budget)
    rates: list[float] = []
    spent, memory, nodes = 0.0, 0.0, 0
    while not rates or (spent < _SECONDS and len(rates) < _ROUNDS):
        started = time.thread_time()
        stats = agent.plan(state, budget, ply=len(rates), seat=seat).stats
        seconds = time.thread_time() - started
        spent += seconds
        if not rates:
            memory, nodes = _peak_mb() - before, stats.nodes
        rates.append(getattr(stats, _unit(point.planner)) / max(seconds, 1e-9))
    return Measured(statistics.median(rates), f"{_unit(point.planner)}/s", memory, nodes)


def _unit(planner: str) -> str:
    """The unit of a planner's work, as its statistics call it."""
    return {"oep": "sequences", "greedy-turn": "evaluations"}.get(planner, "iterations")


def _position(game: Game) -> State:
    """The position to search: the start, in Hero Academy a position in the middle of a random game."""
    state = game.initial_state(seed=1)
    if game.name != "hero-academy":
        return state
    batch = Batch.of([state])
    batch.play_out(_OPENING)
    player = batch.current_players()[0]
    while not batch.over()[0] and batch.current_players()[0] == player:
        batch.step(batch.sample())
    return batch[0]


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(asdict(measure_point(Point(**json.loads(sys.argv[1]))))))
