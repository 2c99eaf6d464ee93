"""Experiments with people: what the games of a study, played at the board, say beside a paper's table.

Nothing is run here: the games are in the store that `tactician serve --study` wrote. A game that nobody finished is
judged by the evaluation where it stopped, unless the lead is small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tactician.arena.statistics import wilson_interval
from tactician.arena.store.boards import BoardRow, BoardStore
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.experiments.base import Experiment, RunRequest
from tactician.experiments.report import ExperimentReport
from tactician.games.registry import load_game

PERSON = "person"
DECISIVE = 0.1
"""The lead of an unfinished game that counts, as a share of the greatest value of the evaluation."""


@dataclass(frozen=True)
class Counted:
    """Human wins of games."""

    wins: int
    games: int

    def __str__(self) -> str:
        return f"{self.wins}/{self.games} ({100 * self.wins / self.games:.0f} %)" if self.games else "no games"


@dataclass(frozen=True, kw_only=True)
class StudyExperiment(Experiment):
    """Human wins by skill: finished games, and with the judged ones."""

    unit: ClassVar[str] = "games"
    options: ClassVar[tuple[str, ...]] = ("store",)

    finished: Mapping[str, Counted]
    """The paper's wins in finished games, by skill."""
    judged: Mapping[str, Counted]
    """The paper's wins with the games that were judged."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """There is nothing to choose: games are counted by skill."""
        return ()

    def check(self, request: RunRequest) -> None:
        """Games of a study are somewhere, or there is nothing to count."""
        super().check(request)
        if request.store is None:
            raise InvalidParameterError(
                f"experiment {self.name!r} counts games that people have played; give the store of "
                "'tactician serve --study --store FILE' with --out FILE."
            )

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Read the games of the store."""
        boards = BoardStore(request.store, read_only=True)
        try:
            rows = [row for row in boards.boards() if row.description.get("study")]
            games = []
            for number, row in enumerate(rows, 1):
                games.append(_outcome(row, boards.events(row.id)))
                request.on_progress(self.name, number, len(rows))
        finally:
            boards.close()
        return {"experiment": self.name, "games": games}

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """Human wins by skill beside the paper's."""
        games: Sequence[Mapping[str, Any]] = document["games"]
        rows = []
        for skill in (*self.finished, "all"):
            own = [game for game in games if skill in (game["skill"], "all")]
            ended = counted([game for game in own if game["finished"]])
            with_judged = counted(own)
            paper = [_summed(one, skill) for one in (self.finished, self.judged)]
            rows.append((skill, _with_interval(ended), str(paper[0]), _with_interval(with_judged), str(paper[1])))
        total = counted(games)
        return self.reported(
            verdict=f"people won {total} of the games that count; {len(games)} were begun."
            if games
            else "no games have been played yet.",
            summary=f"{len(games)} games in the store, {sum(game['finished'] for game in games)} finished. {self.note}",
            head=("skill", "finished", "the paper's", "with judged games", "the paper's"),
            rows=tuple(rows),
            document=document,
        )


def counted(games: Sequence[Mapping[str, Any]]) -> Counted:
    """The wins among the games that count; draws count as games."""
    counting = [game for game in games if game["score"] is not None]
    return Counted(sum(game["score"] > 0 for game in counting), len(counting))


def _summed(figures: Mapping[str, Counted], skill: str) -> Counted:
    """The figures of a skill, or of all skills together."""
    chosen = [count for name, count in figures.items() if skill in (name, "all")]
    return Counted(sum(count.wins for count in chosen), sum(count.games for count in chosen))


def _with_interval(count: Counted) -> str:
    if not count.games:
        return str(count)
    low, high = wilson_interval(count.wins, count.games)
    return f"{count}, {100 * low:.0f} to {100 * high:.0f} %"


def _outcome(row: BoardRow, events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How a game went for the person: 1, 0 or -1; None if it stopped where nobody was clearly ahead."""
    seat = list(row.description["seats"]).index(PERSON)
    state, turns = _last_state(row, events)
    finished = state.is_over()
    if finished:
        reward = state.returns()[seat]
        score: int | None = (reward > 0) - (reward < 0)
    else:
        values, most = state.evaluate(), state.game.value_range[1]
        lead = values[seat] - max(value for other, value in enumerate(values) if other != seat)
        score = ((lead > 0) - (lead < 0)) if abs(lead) / 2 >= DECISIVE * most else None
    study = row.description["study"]
    return {
        "board": row.id,
        "skill": study["skill"],
        "opponent": study.get("opponent"),
        "seat": seat,
        "turns": turns,
        "finished": finished,
        "score": score,
        "created": row.created,
    }


def _last_state(row: BoardRow, events: Sequence[Mapping[str, Any]]) -> tuple[State, int]:
    """The position in which a game ended or stopped, and how many turns were begun."""
    game = load_game(row.description["game"])
    states = [game.initial_state(row.description["seed"])]
    movers: list[int] = []
    for event in events:
        if event["type"] == "undo":
            states.pop()
            movers.pop()
        elif event["type"] == "action":
            states.append(states[-1].copy().apply(game.action_from_json(event["actions"][0])))
            movers.append(event["seat"])
    turns = sum(i == 0 or mover != movers[i - 1] for i, mover in enumerate(movers))
    return states[-1], turns
