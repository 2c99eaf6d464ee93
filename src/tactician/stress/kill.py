"""Does a tournament survive being killed at any moment?

It runs in a session of its own; SIGKILL goes to all its processes at random moments, and the same command starts
again. In between the store is read: a game that was there must still be there. At the end an undisturbed run must
have the same results.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from tactician.arena.schedule import Plan
from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament, run
from tactician.errors import InvalidParameterError

GAME = "hero-academy:turn_limit=10"
PLANNERS = ("random", "greedy-action", "oep:population=10")
BUDGET = "100evals"
LONGEST_LIFE = 3.0
"""Seconds a tournament lives at most before it is killed."""
_SCRIPT = """
import sys
from tactician.arena import tournament
tournament({game!r}, {planners!r}, {games}, {budget!r}, jobs={jobs}, store=sys.argv[1])
"""


@dataclass(frozen=True)
class KillReport:
    """What was left after the kills."""

    kills: int
    wanted: int
    games: int
    lost: int
    """Games that were in the store before a kill and not after it."""
    double: int
    equal: bool
    """Whether the results are those of an undisturbed run."""

    @property
    def ok(self) -> bool:
        """Whether nothing was lost, doubled or changed."""
        return self.games == self.wanted and self.lost == 0 and self.double == 0 and self.equal

    def to_json(self) -> dict[str, object]:
        """The figures as one document."""
        return {**asdict(self), "ok": self.ok}


def stress_kill(
    kills: int = 20, games: int = 200, jobs: int = 2, heard: Callable[[int, int], None] | None = None, seed: int = 0
) -> KillReport:
    """Kill a tournament so many times, then finish it and look."""
    if os.name != "posix":
        raise InvalidParameterError("stress kill needs POSIX signals.")
    plan = Plan(GAME, PLANNERS, games, BUDGET)
    script = _SCRIPT.format(game=GAME, planners=PLANNERS, games=games, budget=BUDGET, jobs=jobs)
    rng = np.random.default_rng(seed)
    lost, known = 0, set[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        done = 0
        for kill in range(kills):
            process = subprocess.Popen([sys.executable, "-c", script, str(path)], start_new_session=True)
            time.sleep(float(rng.uniform(0.2, LONGEST_LIFE)))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
            if path.exists():
                with open_store(path) as store:
                    now = store.played(1) if store.tournaments() else set()
                lost += len(known - now)
                known = now
            if heard:
                heard(kill + 1, kills)
        with open_store(path) as store:
            finished = run(plan, store, jobs)
            keys = [record.pairing.key for record in store.games(1)]
    with open_store(None) as memory:
        undisturbed = run(plan, memory, jobs)
    return KillReport(
        kills=done,
        wanted=len(plan.pairings()),
        games=len(set(keys)),
        lost=lost + len(known - set(keys)),
        double=len(keys) - len(set(keys)),
        equal=_results(finished) == _results(undisturbed),
    )


def _results(played: Tournament) -> list[tuple[str, tuple[float, ...]]]:
    return [(record.pairing.key, record.returns) for record in played.games()]
