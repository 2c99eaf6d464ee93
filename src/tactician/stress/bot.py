"""Does the bot keep the time limits of the competition, game after game, on a machine whose cores are all busy?

As many games as there are cores are played side by side, each by two bots before our referee. The clock runs from the
moment a question is written to the moment the answer has been read. Bots are started in one of four ways: `fresh`
starts each anew and asks at once, as the competition does; `processes` waits until they are loaded; `forks` are
processes too, one for each bot and game, copied from one that is loaded; `in-process` has no pipes at all.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from typing import IO

from tactician.adapters.locm_arena import PHASES, Bot, ObjectBot, PlayedGame, ProcessBot, referee_game
from tactician.adapters.locm_player import LocmPlayer
from tactician.adapters.locm_start import serve
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.seats.budget import Budget
from tactician.seats.process import ExternalProcess

WAYS = ("fresh", "processes", "forks", "in-process")
START_PATIENCE_S = 120.0
_WINDOW = 4


@dataclass
class BotReport:
    """How fast and how legal the answers were."""

    games: int
    way: str
    budget: str | None
    jobs: int
    answers: int = 0
    late: int = 0
    """Answers after the time limit, each of which would lose the game."""
    faults: list[str] = field(default_factory=list)
    """Disqualifications."""
    illegal: int = 0
    """Actions in answers that the referee did not execute."""
    slowest_ms: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PHASES, 0.0))
    limits_ms: dict[str, int] = field(default_factory=dict)
    slowest_start_ms: float = 0.0
    """Milliseconds until both processes of a game can read; measured only for `processes`, else 0."""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether everything was in time and allowed."""
        return not self.late and not self.faults and not self.illegal

    def add(self, game: PlayedGame, start_ms: float) -> None:
        """Count one more game."""
        self.answers += len(game.timings)
        self.late += sum(timing.late for timing in game.timings)
        self.illegal += game.written - game.executed
        self.slowest_start_ms = max(self.slowest_start_ms, start_ms)
        if game.fault is not None:
            self.faults.append(game.fault)
        for timing in game.timings:
            self.slowest_ms[timing.phase] = max(self.slowest_ms[timing.phase], timing.ms)
            self.limits_ms[timing.phase] = timing.limit_ms

    def to_json(self) -> dict[str, object]:
        """The figures as one document."""
        return {**vars(self), "ok": self.ok}


def stress_bot(
    games: int = 1000,
    budget: str | None = "5ms",
    planner: str | None = None,
    way: str = "processes",
    jobs: int | None = None,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> BotReport:
    """Play `games` games of the bot against itself and time every answer."""
    if games < 1:
        raise InvalidParameterError(f"games is {games}; expected at least 1.")
    if way not in WAYS:
        raise UnknownNameError("kind of bot", way, WAYS)
    if budget is not None:
        Budget.parse(budget)
    LocmPlayer(planner, budget=budget)  # compile here, once, and refuse what does not exist
    workers = jobs or os.cpu_count() or 1
    report = BotReport(games, way, budget, workers)
    began = time.perf_counter()
    play = partial(_play, way, planner, budget)
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = iter(range(seed, seed + games))
        running = {pool.submit(play, master) for master, _ in zip(waiting, range(_WINDOW * workers), strict=False)}
        done = 0
        while running:
            finished = next(as_completed(running))
            running.remove(finished)
            for master in waiting:
                running.add(pool.submit(play, master))
                break
            report.add(*finished.result())
            done += 1
            if on_progress:
                on_progress(done, games)
    report.seconds = round(time.perf_counter() - began, 1)
    return report


def _play(way: str, planner: str | None, budget: str | None, master: int) -> tuple[PlayedGame, float]:
    """One game, and for `processes` the milliseconds until both could read."""
    began = time.perf_counter()
    bots: list[Bot]
    if way in ("fresh", "processes"):
        processes = [ExternalProcess(_command(planner, budget, 2 * master + seat)) for seat in range(2)]
        try:
            for process in processes if way == "processes" else ():
                process.wait_for(b"ready", START_PATIENCE_S)
        except BaseException:
            for process in processes:
                process.close()
            raise
        bots = [ProcessBot(process) for process in processes]
    elif way == "forks":
        _player(planner, budget, 0)  # what is loaded here is loaded there
        bots = [ProcessBot(ExternalProcess.forked("forked bot", partial(_serve, planner, budget))) for _ in range(2)]
    else:
        bots = [ObjectBot(_player(planner, budget, seat)) for seat in range(2)]
    started = 1000 * (time.perf_counter() - began) if way == "processes" else 0.0
    return referee_game(master, bots), started


def _command(planner: str | None, budget: str | None, seed: int) -> list[str]:
    command = [sys.executable, "-m", "tactician.cli.main", "bot", "locm", "--ready", "--seed", str(seed)]
    for option, value in (("--planner", planner), ("--budget", budget)):
        command += [] if value is None else [option, value]
    return command


_PLAYERS: dict[tuple[str | None, str | None, int], LocmPlayer] = {}


def _player(planner: str | None, budget: str | None, seat: int) -> LocmPlayer:
    """A player of this process, made once for each seat."""
    key = (planner, budget, seat)
    if key not in _PLAYERS:
        _PLAYERS[key] = LocmPlayer(planner, budget=budget, seed=seat)
    return _PLAYERS[key]


def _serve(planner: str | None, budget: str | None, source: IO[str], sink: IO[str]) -> None:
    """The main function of a forked process."""

    def write(text: str) -> None:
        sink.write(text)
        sink.flush()

    player = _player(planner, budget, 0)
    player.new_game()
    serve(player, source.readline, write)
