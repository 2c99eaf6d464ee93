"""Games between agents, and everybody against everybody with sides swapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tactician.arena.statistics import Score
from tactician.contract.budget import Budget
from tactician.contract.game import Game
from tactician.errors import InvalidParameterError
from tactician.planners.base import Agent, Planner


@dataclass(frozen=True)
class GameRecord:
    """One finished game: what is needed to play it again."""

    seats: tuple[str, ...]
    seed: int
    turns: tuple[tuple[int, ...], ...]
    """The plans, in order."""
    returns: tuple[float, ...]


def play_game(game: Game, agents: Sequence[Agent], budget: Budget, seed: int) -> GameRecord:
    """Play one game; the n-th agent has the n-th seat."""
    state = game.initial_state(seed=seed)
    turns: list[tuple[int, ...]] = []
    while not state.is_over():
        agent = agents[state.current_player()]
        plan = agent.plan(state, budget, ply=len(turns))
        for action in plan.actions:
            state.apply(action)
        turns.append(plan.actions)
    seats = tuple(str(agent.planner) for agent in agents)
    return GameRecord(seats, seed, tuple(turns), tuple(state.returns()))


@dataclass
class Tournament:
    """Results of a round robin, filled while it is played."""

    names: tuple[str, ...]
    pairs: dict[tuple[int, int], Score] = field(default_factory=dict)
    games: list[GameRecord] = field(default_factory=list)

    def score(self, row: int, column: int) -> Score:
        """One planner's score against another."""
        if row < column:
            return self.pairs.get((row, column), Score())
        return self.pairs.get((column, row), Score()).reversed()

    def total(self, row: int) -> Score:
        """One planner's score against all others."""
        others = (self.score(row, column) for column in range(len(self.names)) if column != row)
        return sum(others, Score())

    def to_json(self) -> dict[str, Any]:
        """Standings and pairs."""
        everyone = range(len(self.names))
        return {
            "standings": [
                _row(self.total(i)) | {"planner": self.names[i]}
                for i in sorted(everyone, key=lambda i: -self.total(i).rate)
            ],
            "pairs": [
                _row(score) | {"planner": self.names[a], "opponent": self.names[b]}
                for (a, b), score in sorted(self.pairs.items())
            ],
        }


def _row(score: Score) -> dict[str, Any]:
    low, high = score.interval()
    return {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.rate,
        "interval": [low, high],
    }


def round_robin(
    game: Game,
    planners: Sequence[Planner],
    games: int,
    budget: Budget | str,
    seed: int = 0,
    heard: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Everybody against everybody, `games` games a pair; each start is played from both sides.

    `heard` is called after every game with the results so far.
    """
    budget = Budget.parse(budget)
    if game.players != 2:
        raise InvalidParameterError(f"game {game.name!r} has {game.players} seats; a round robin needs 2.")
    if len(planners) < 2:
        raise InvalidParameterError(f"{len(planners)} planners given; a tournament needs at least 2.")
    if games < 1:
        raise InvalidParameterError(f"games is {games}; expected at least 1.")
    result = Tournament(tuple(str(planner) for planner in planners))
    agents = [(planner.on(game, seed=2 * i), planner.on(game, seed=2 * i + 1)) for i, planner in enumerate(planners)]
    for one, other, start, swapped in _pairings(len(planners), games):
        first, second = (other, one) if swapped else (one, other)
        record = play_game(game, (agents[first][0], agents[second][1]), budget, seed + start)
        reward = record.returns[1 if swapped else 0]
        score = Score(int(reward > 0), int(reward == 0), int(reward < 0))
        result.pairs[one, other] = result.pairs.get((one, other), Score()) + score
        result.games.append(record)
        if heard:
            heard(result)
    return result


def _pairings(planners: int, games: int) -> Iterator[tuple[int, int, int, bool]]:
    """Pair, start and whether sides are swapped, in an order that gives all pairs the same share at any time."""
    for number in range(games):
        for one, other in combinations(range(planners), 2):
            yield one, other, number // 2, number % 2 == 1
