"""Tournaments: play what a plan says, keep every game, finish what an earlier run began.

Results depend only on the plan (with counted budgets): not on the number of jobs, on the machine, or on how often it
was interrupted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.arena.ahead import compile_ahead, game_part, planner_part
from tactician.arena.crew import Crew
from tactician.arena.executors import play_all
from tactician.arena.match import check_seats
from tactician.arena.ratings import Ratings, rate_agents
from tactician.arena.records import GameRecord, Pairing, Turn
from tactician.arena.schedule import Form, TournamentPlan, as_names, require_name
from tactician.arena.scoring import ClusteredScore, first_seat_score, paired_score, standing_score
from tactician.arena.seats import KINDS, SeatsScore, rotated_score
from tactician.arena.statistics import PairedScore, Sprt, holm, sprt
from tactician.arena.store import ResultStore, open_store
from tactician.errors import InvalidParameterError, StoreError
from tactician.games.registry import load_game
from tactician.planners.base import Planner
from tactician.seats.budget import Budget

SPRT_BATCH = 20
"""Games between two looks of a sequential test."""


@dataclass
class Tournament:
    """A tournament and the games it has so far, in the order of its plan."""

    plan: TournamentPlan
    records: dict[str, GameRecord] = field(default_factory=dict)
    """Finished games by the key of their pairing. The turns of a game are in the store, or packed where there is none,
    and are read when they are asked for."""

    @property
    def names(self) -> tuple[str, ...]:
        """The agents."""
        return self.plan.agents

    @property
    def total(self) -> int:
        """How many games there will be."""
        return self.plan.games * len(self.plan.pairs)

    def games(self) -> list[GameRecord]:
        """The finished games in the order of the plan, however they were played."""
        return self._played(self.plan.pairings())

    def _played(self, pairings: Sequence[Pairing]) -> list[GameRecord]:
        return [self.records[pairing.key] for pairing in pairings if pairing.key in self.records]

    @property
    def rotates(self) -> bool:
        """Whether an agent meets copies of another, because there are more than two sides."""
        return self.plan.rotates

    def __str__(self) -> str:
        from tactician.arena.cross_table import cross_table_text

        return cross_table_text(self)

    def score(self, row: int, column: int) -> PairedScore:
        """One agent's score against another in a game of two sides; the two games from a start are one observation."""
        games = self._played(self.plan.pairings_of(row, column))
        return paired_score(games, self.names[row], self.names[column], self.plan.sides)

    def seats_score(self, row: int, column: int) -> SeatsScore:
        """One agent's score against copies of another in a game of more than two."""
        games = self._played(self.plan.pairings_of(row, column))
        return rotated_score(games, self.names[row], self.names[column], sides=self.plan.sides)

    def standing(self, row: int) -> PairedScore | ClusteredScore | SeatsScore:
        """One agent's score against all others; all its games from one start are one cluster."""
        met = [pair for pair in self.plan.pairs if pair[0] == row or (row in pair and not self.rotates)]
        others = [self.names[one + other - row] for one, other in met]
        games = self._played([pairing for pair in met for pairing in self.plan.pairings_of(*pair)])
        if self.rotates:
            return rotated_score(games, self.names[row], *others, sides=self.plan.sides)
        if len(others) == 1:
            return paired_score(games, self.names[row], others[0], self.plan.sides)
        return standing_score(games, self.names[row], others)

    def ratings(self) -> Ratings:
        """Bradley–Terry ratings of the agents over all games so far."""
        return rate_agents(self.names, {pair: self.score(*pair) for pair in self.plan.pairs})

    @property
    def errors(self) -> list[GameRecord]:
        """The games that were forfeited."""
        return [record for record in self.games() if record.error is not None]

    def to_json(self) -> dict[str, Any]:
        """Standings, pairs and forfeits."""
        everyone = range(len(self.names))
        ranked = sorted(everyone, key=lambda i: (-self.standing(i).rate, i))
        first = None if self.rotates else first_seat_score(self.games(), self.plan.sides)
        ratings = self.ratings() if self.records and not self.rotates else None
        pairs = [self.seats_score(*pair) if self.rotates else self.score(*pair) for pair in self.plan.pairs]
        adjusted = [{} if self.rotates else {"p_holm": p} for p in holm([pair.p_value() for pair in pairs])]
        return {
            "plan": self.plan.to_json(),
            "standings": [{"planner": self.names[i], **_row(self.standing(i))} for i in ranked],
            "pairs": [
                {
                    "planner": self.names[a],
                    "opponent": self.names[b],
                    **_row(score),
                    **more,
                }
                for (a, b), score, more in zip(self.plan.pairs, pairs, adjusted, strict=True)
            ],
            "ratings": [
                {"planner": self.names[i], "elo": ratings.elo[i], "interval": list(ratings.interval(i))}
                for i in (ratings.ranking() if ratings else ())
                if ratings
            ],
            "first_seat": first and {"score": first.rate, "interval": list(first.interval()), "games": first.games},
            "errors": [
                {"key": r.pairing.key, "planner": r.pairing.seats[r.error_seat or 0], "error": r.error}
                for r in self.errors
            ],
        }


def _row(paired: PairedScore | ClusteredScore | SeatsScore) -> dict[str, Any]:
    score = paired.score
    more: dict[str, Any] = {}
    if isinstance(paired, SeatsScore):
        # With more than two seats equals don't win half of their games: there is nothing to test against.
        more = {f"{kind}_interval": list(paired.share(kind).interval()) for kind in KINDS}
    else:
        more = {"p": paired.p_value()}
    return {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": paired.rate,
        "interval": list(paired.interval()),
        **more,
    }


def tournament(
    game: str,
    planners: Sequence[Planner | str],
    games: int,
    budget: Budget | str,
    seed: int = 0,
    form: Form = "round-robin",
    jobs: int = 1,
    cluster: str | None = None,
    store: str | Path | None = None,
    on_progress: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Play planners against each other; make the same call again to resume.

    `games` is a pair's number of games, each start from every side. `on_progress` is called after every game.
    """
    plan = TournamentPlan(game, as_names(planners), games, str(Budget.parse(budget)), seed, form)
    with open_store(store) as kept:
        return run(plan, kept, jobs, cluster, on_progress)


def run(
    plan: TournamentPlan,
    store: ResultStore,
    jobs: int = 1,
    cluster: str | None = None,
    on_progress: Callable[[Tournament], None] | None = None,
    crew: Crew | None = None,
) -> Tournament:
    """Play the games of a plan that the store does not have yet."""
    number = store.tournament(key_of(plan), plan.to_json())
    result = Tournament(plan)
    for record in store.games(number):
        _count(store, number, result, record)
    wanted = [pairing for pairing in plan.pairings() if pairing.key not in result.records]
    if wanted and cluster is None:
        _compile(plan)
        check_seats(plan.game, plan.agents, keep=crew.inline if crew is not None else jobs == 1)
    if on_progress:
        on_progress(result)
    with contextlib.closing(play_all(wanted, jobs, cluster, lambda: _warm(plan), crew)) as played:
        for record in played:
            keep(store, number, result, record)
            if on_progress:
                on_progress(result)
    return result


def keep(store: ResultStore, number: int, result: Tournament, record: GameRecord) -> None:
    """Store a game and count it; of two that were played of the same pairing, the one that was stored first."""
    if not store.add(number, record):
        # Another process was faster, with a time budget perhaps to another end.
        record = store.game(number, record.pairing.key)
    _count(store, number, result, record)


def _count(store: ResultStore, number: int, result: Tournament, record: GameRecord) -> None:
    """Add a game to a tournament, in as little memory as the table needs; its turns stay in the store."""
    key = record.pairing.key
    read = partial(_turns, store, number, key) if store.lasts else None
    result.records[key] = record.slim(result.plan.by_key.get(key, record.pairing), read)


def _turns(store: ResultStore, number: int, key: str) -> Sequence[Turn]:
    return store.game(number, key).turns


def stored_tournament(store: ResultStore, which: int | str) -> Tournament:
    """A tournament as a store has it, by its number or key; shown from what is written there, nothing is loaded."""
    summary = store.find(which)
    records = {}
    for record in store.games(summary.id):
        key = record.pairing.key
        records[key] = record.slim(record.pairing, partial(_turns, store, summary.id, key))
    try:
        plan = TournamentPlan.from_json(summary.description, list(records.values()))
    except ValueError as error:
        raise _damaged(store, summary.id, f"its description can't be read: {error}") from None
    if summary.key != key_of(plan):
        raise _damaged(store, summary.id, "its description does not fit its key")
    strangers = records.keys() - {pairing.key for pairing in plan.pairings()}
    if strangers:
        raise _damaged(store, summary.id, f"{len(strangers)} of its games are not of this tournament")
    return Tournament(plan, records)


def _damaged(store: ResultStore, tournament: int, why: str) -> StoreError:
    return StoreError(f"{store.name} is damaged: tournament {tournament} can't be shown ({why}); restore a copy of it.")


def stronger(
    game: str,
    planner: Planner | str,
    opponent: Planner | str,
    budget: Budget | str,
    elo0: float = 0.0,
    elo1: float = 50.0,
    most_games: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    store: str | Path | None = None,
    on_progress: Callable[[Tournament], None] | None = None,
) -> tuple[Sprt, Tournament]:
    """Is one planner stronger than another? Play pairs of games until a sequential test can tell, or there are enough.

    The test weighs 'at most elo0 points better' against 'at least elo1 better', each wrong in 5 % of all cases.
    """
    require_name(game)
    sides = len(set(load_game(game).sides))
    if sides != 2:
        raise InvalidParameterError(f"game {game!r} has {sides} sides; the sequential test is for games of 2.")
    games = 0
    with open_store(store) as kept, Crew(jobs) as crew:
        while True:
            games = min(most_games, games + SPRT_BATCH)
            plan = TournamentPlan(game, as_names((planner, opponent)), games, str(Budget.parse(budget)), seed)
            result = run(plan, kept, jobs, None, on_progress, crew)
            test = sprt(result.score(0, 1), elo0=elo0, elo1=elo1)
            if test.decision != "go on" or games >= most_games:
                return test, result


def key_of(plan: TournamentPlan) -> str:
    """A tournament's identity. The number of games is not part of it: asking for more extends the same tournament.

    Nor are the parameters that planners have by default and the sides of the game: names and versions stand for them.
    """
    found = ("games", "parameters", "sides")
    identity = {name: value for name, value in plan.to_json().items() if name not in found}
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]


def _compile(plan: TournamentPlan) -> None:
    """Compile what is not in the cache, on all cores."""
    specs = [parse_agent(agent) for agent in plan.agents]
    compile_ahead([game_part(plan.game), *(planner_part(s.planner) for s in specs if isinstance(s, PlannerSpec))])


def _warm(plan: TournamentPlan) -> None:
    """Compile in this process, so that workers only load."""
    game = load_game(plan.game)
    for agent in plan.agents:
        parse_agent(agent).on(game, plan.game)
