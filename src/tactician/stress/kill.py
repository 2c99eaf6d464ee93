"""Does a tournament survive being killed at any moment?

It runs in a session of its own; SIGKILL goes to all its processes at random moments after the first new game, and the
same command starts again. A tournament that comes to the end of its share of games waits for its kill there, so that a
busy machine cannot let it end first. In between the store is read: a game that was there must still be there. At the
end an undisturbed run must have the same results.
"""

from __future__ import annotations

import contextlib
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

from tactician.arena.schedule import TournamentPlan
from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament, run
from tactician.errors import InvalidParameterError, StoreError

GAME = "hero-academy:turn_limit=10"
PLANNERS = ("random", "greedy-action", "oep:population=10")
BUDGET = "100evals"
LONGEST_LIFE = 1.0
"""Seconds a tournament lives at most after its first new game before it is killed."""
_STARTED_S = 600.0
"""Seconds to wait for that game; a machine that has compiled nothing yet needs minutes."""
_SCRIPT = """
import sys, time
from tactician.arena import tournament

def wait_for_the_kill(played):
    while len(played.records) >= int(sys.argv[2]):
        time.sleep(60)

tournament(
    {game!r}, {planners!r}, {games}, {budget!r}, jobs={jobs}, store=sys.argv[1], on_progress=wait_for_the_kill
)
"""


@dataclass(frozen=True)
class KillReport:
    """What the store held after the kills."""

    kills: int
    in_play: int
    """Kills that landed while games were being played; the others found a tournament that had ended or not begun."""
    wanted: int
    games: int
    lost: int
    """Games that were in the store before a kill and not after it."""
    double: int
    equal: bool
    """Whether the results are those of an undisturbed run."""

    @property
    def ok(self) -> bool:
        """Whether something was tested, and nothing was lost, doubled or changed."""
        return self.in_play > 0 and self.kept

    @property
    def kept(self) -> bool:
        """Whether nothing was lost, doubled or changed, even if no kill landed in play."""
        return self.games == self.wanted and self.lost == 0 and self.double == 0 and self.equal

    def sentence(self) -> str:
        """The outcome in one line."""
        tested = "" if self.in_play else ", NOTHING TESTED"
        return (
            f"{self.kills} kills, {self.in_play} of them while games were played{tested}, "
            f"{self.games} games of {self.wanted}: every game {'kept' if self.kept else 'NOT kept'}, "
            f"{self.lost} lost, {self.double} counted twice, results {'equal' if self.equal else 'DIFFERENT'}"
        )

    def to_json(self) -> dict[str, object]:
        """The figures as one document."""
        return {**asdict(self), "ok": self.ok}


def stress_kill(
    kills: int = 20,
    games: int = 200,
    jobs: int = 2,
    on_progress: Callable[[int, int], None] | None = None,
    seed: int = 0,
) -> KillReport:
    """Kill a tournament `kills` times, finish it, and compare it with an undisturbed run."""
    if os.name != "posix":
        raise InvalidParameterError("stress kill needs POSIX signals.")
    plan = TournamentPlan(GAME, PLANNERS, games, BUDGET)
    wanted = len(plan.pairings())
    script = _SCRIPT.format(game=GAME, planners=PLANNERS, games=games, budget=BUDGET, jobs=jobs)
    rng = np.random.default_rng(seed)
    lost, in_play, known = 0, 0, set[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        for kill in range(kills):
            # The kills share the games that are left, so that there are some for the last one.
            share = max(1, (wanted - len(known)) // (kills - kill + 1))
            enough = len(known) + share
            last = max(len(known) + 1, min(len(known) + 2 * share, wanted - 1))
            command = [sys.executable, "-c", script, str(path), str(last)]
            process = subprocess.Popen(command, start_new_session=True)
            try:
                _live(process, path, len(known), enough, float(rng.uniform(0, LONGEST_LIFE)))
            finally:
                alive = process.poll() is None
                if alive:
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            now = _played(path)
            in_play += alive and len(known) < len(now) < wanted
            lost += len(known - now)
            known = now
            if on_progress:
                on_progress(kill + 1, kills)
        with open_store(path) as store:
            finished = run(plan, store, jobs)
            keys = [record.pairing.key for record in store.games(1)]
    with open_store(None) as memory:
        undisturbed = run(plan, memory, jobs)
    return KillReport(
        kills=kills,
        in_play=in_play,
        wanted=wanted,
        games=len(set(keys)),
        lost=lost + len(known - set(keys)),
        double=len(keys) - len(set(keys)),
        equal=_results(finished) == _results(undisturbed),
    )


def _live(process: subprocess.Popen[bytes], path: Path, before: int, enough: int, seconds: float) -> None:
    """Return some time after the first new game, with enough of them, or when the tournament is over."""
    limit, started = time.monotonic() + _STARTED_S, False
    while process.poll() is None and time.monotonic() < limit:
        played = 0
        with contextlib.suppress(StoreError):  # it is being made
            played = len(_played(path))
        if played > before and not started:
            limit, started = time.monotonic() + seconds, True
        if played >= enough:
            limit = min(limit, time.monotonic() + seconds / 10)
        time.sleep(0.005)


def _played(path: Path) -> set[str]:
    if not path.exists():
        return set()
    with open_store(path) as store:
        return store.played(1) if store.tournaments() else set()


def _results(played: Tournament) -> list[tuple[str, tuple[float, ...]]]:
    return [(record.pairing.key, record.returns) for record in played.games()]
