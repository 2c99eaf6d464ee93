"""Games on a crew: in this process, in local processes, or on a Dask cluster, one loop for all of them.

A worker that dies takes only its games in flight with it; they are played again (see `tactician.arena.crew`). A game
that kills its worker even when it is played alone is a forfeit, where it is clear whose.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable
from typing import Any

from tactician.arena import match
from tactician.arena.agents import NamedSpec, parse_agent
from tactician.arena.crew import Crew, FatalCalls, WorkersDiedError
from tactician.arena.records import GameRecord, Pairing


def play_all(
    pairings: Iterable[Pairing],
    jobs: int = 1,
    cluster: str | None = None,
    warm: Callable[[], Any] | None = None,
    crew: Crew | None = None,
) -> Generator[GameRecord, None, None]:
    """Play the pairings and give each record as it is finished; `warm` compiles before processes start.

    Close it to stop early: workers end at once. With a `crew`, which stays for the next call, its jobs and cluster
    are used.
    """
    waiting = list(pairings)
    with contextlib.nullcontext(crew) if crew is not None else Crew(jobs, cluster) as playing:
        if waiting and warm is not None and not playing.inline:
            warm()
        forfeits = ForfeitedGames()
        try:
            for pairing in waiting:
                playing.submit(pairing, match.play, pairing)
            for _ in waiting:
                _, record = playing.next(forfeits)
                yield record
        except BaseException:
            playing.dismiss()  # nobody waits any more for the games in flight
            raise


class ForfeitedGames(FatalCalls):
    """A game that kills its worker even when played alone: a loss for the one side that can have done it."""

    noun = "game"

    def __init__(self) -> None:
        self._killers: set[str] = set()
        """Agents that were found to kill workers."""

    def patience(self, task: Pairing) -> int:
        """One death is enough where an agent sits that has killed a worker before."""
        return 1 if self._killers.intersection(task.seats) else super().patience(task)

    def result(self, task: Pairing) -> GameRecord:
        """The record of the forfeit: the side of a game's own agent loses, if there is exactly one such side.

        Programs and agents of files run in processes of their own and can't kill a worker.
        """
        game = match.game_named(task.game)
        strangers = [seat for seat, name in enumerate(task.seats) if isinstance(parse_agent(name), NamedSpec)]
        if len({game.sides[seat] for seat in strangers}) != 1:
            raise WorkersDiedError(
                f"the process dies in the game of {' against '.join(task.seats)} from start {task.seed}, "
                "even when it is played alone; it is not known which seat causes this."
            )
        loser = strangers[0]
        self._killers.add(task.seats[loser])
        return GameRecord(
            pairing=task,
            returns=match.forfeited(game, loser),
            turns=(),
            ms=0.0,
            game_version=game.version,
            error="the process died in this game.",
            error_seat=loser,
        )
