"""Points judged by playing: a planner with the point's parameters against opponents that keep theirs.

Names say what a value is put in place of: `planner.KEY` a parameter of the planner, `weight.NAME` a weight of the
game's heuristic as the candidate sees it. An evaluation is a number of games, every start from every seat against
every opponent; its value is the share of points, draws as half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tactician.arena import match
from tactician.arena.agents import parse_agent
from tactician.arena.records import GameRecord, Pairing
from tactician.arena.schedule import require_name
from tactician.arena.sources import sources_of
from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError, short
from tactician.games.registry import load_game
from tactician.parameters import split_pairs
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.budget import Budget
from tactician.tuning.space import Point, Space

PLANNER, WEIGHT = "planner.", "weight."
_WEIGHTS = "weights"
"""The planner's parameter that holds its weights, as name=number;name=number."""


@dataclass(frozen=True)
class MatchEvaluator:
    """Games of a planner against opponents; what decides them, except for the point."""

    game: str
    """The game's name with parameters, as on the command line."""
    planner: str
    """The candidate: a name, with the parameters that are not tuned."""
    opponents: tuple[str, ...]
    """Planners, or anything else that can have a seat in the arena."""
    games: int = 12
    """Games in an evaluation: a multiple of sides × opponents."""
    budget: str = "500evals"
    """For one turn of anybody."""

    def __post_init__(self) -> None:
        opponents = (self.opponents,) if isinstance(self.opponents, str) else tuple(self.opponents)
        object.__setattr__(self, "opponents", opponents)
        object.__setattr__(self, "budget", str(Budget.parse(self.budget)))
        if not opponents:
            raise InvalidParameterError("no opponent is given; expected at least one.")
        require_name(self.game)
        game = load_game(self.game)
        sides = len(set(game.sides))
        parse_planner(self.planner)
        for opponent in opponents:
            parse_agent(opponent).check(game)
        if self.games < 1 or self.games % (sides * len(opponents)):
            raise InvalidParameterError(
                f"games is {self.games}; expected a multiple of {sides * len(opponents)}, "
                "so that every opponent is met from every side."
            )

    def __call__(self, point: Point, seed: int) -> float:
        """Play all games of an evaluation here."""
        return self.combine([function(*arguments) for function, *arguments in self.calls(point, seed)])

    def calls(self, point: Point, seed: int) -> list[tuple[Any, ...]]:
        """A call for each game, to be made anywhere."""
        try:
            candidate = self.candidate(point)
            parse_planner(candidate)
        except TacticianError:
            return []
        return [(points_in, pairing, seat) for pairing, seat in self.pairings(candidate, seed)]

    def combine(self, results: Sequence[float]) -> float:
        """The share of points; a combination of values that the planner refuses is worth nothing."""
        return fmean(results) if results else 0.0

    def pairings(self, candidate: str, seed: int) -> list[tuple[Pairing, int]]:
        """The games of an evaluation, each with the candidate's seat; the seed decides their starts."""
        sides = load_game(self.game).sides
        count = len(set(sides))
        found: list[tuple[Pairing, int]] = []
        for number in range(self.games):
            start, side = divmod(number, count)
            teams = [self.opponents[(start + place) % len(self.opponents)] for place in range(count - 1)]
            teams.insert(side, candidate)
            seats = tuple(teams[mine] for mine in sides)
            found.append((Pairing(self.game, seats, self.budget, seed + start, number), sides.index(side)))
        return found

    def candidate(self, point: Point) -> str:
        """The planner with a point's values."""
        name, _, text = self.planner.partition("#")[0].partition(":")
        parameters = {key: value or "" for key, value in split_pairs(text)}
        weights = {key: value or "" for key, value in split_pairs(parameters.pop(_WEIGHTS, ""), ";")}
        for key, value in point.items():
            if key.startswith(WEIGHT):
                weights[key.removeprefix(WEIGHT)] = str(value)
            else:
                parameters[key.removeprefix(PLANNER)] = str(value)
        if weights:
            parameters[_WEIGHTS] = ";".join(f"{key}={value}" for key, value in weights.items())
        return name + (":" + ",".join(f"{key}={value}" for key, value in parameters.items()) if parameters else "")

    def check(self, space: Space) -> None:
        """Refuse names and values that no game could be played with; combinations are met when they come."""
        planner = parse_planner(self.planner)
        game, kind = load_game(self.game), PLANNERS[planner.name]
        if planner.evaluation:
            game = game.with_evaluation(planner.evaluation)
        parameters = [PLANNER + key for key in kind.__dataclass_fields__ if key != _WEIGHTS]
        for name, values in space.values.items():
            if name.startswith(WEIGHT):
                weight = name.removeprefix(WEIGHT)
                if weight not in game.weights:
                    raise UnknownNameError(f"weight of {game.name!r}:", weight, game.weights)
                for value in values:
                    if isinstance(value, bool) or not isinstance(value, int | float):
                        raise InvalidParameterError(f"{name} has the value {short(value)}; expected a number.")
            elif name not in parameters:
                known = [*parameters, *(WEIGHT + weight for weight in game.weights)]
                raise UnknownNameError("parameter", name, known)
            for value in values:
                self._check_value(name, value)

    def _check_value(self, name: str, value: Any) -> None:
        planner = parse_planner(self.candidate({name: value}))
        key = name.removeprefix(PLANNER)
        if name.startswith(PLANNER) and planner.parameters()[key] != value:
            raise InvalidParameterError(
                f"{name} has the value {short(value)}, which {planner.name!r} reads as "
                f"{short(planner.parameters()[key])}."
            )

    def check_here(self) -> None:
        """Refuse opponents that can't play on this machine."""
        match.check_seats(self.game, self.opponents, keep=False)

    def warm(self) -> None:
        """Compile in this process, so that workers only load."""
        game = load_game(self.game)
        for agent in (self.planner, *self.opponents):
            parse_agent(agent).on(game, self.game)

    def to_json(self) -> dict[str, Any]:
        """What the values of a search depend on."""
        sources = sources_of(self.game, self.opponents)
        return {**vars(self), "opponents": list(self.opponents), **({"sources": sources} if sources else {})}


def points_in(pairing: Pairing, seat: int) -> float:
    """Play a game: 1 if the seat wins, a half for a draw; a forfeit is a loss."""
    return points_of(match.play(pairing), seat)


def points_of(record: GameRecord, seat: int) -> float:
    """What a game was worth to a seat."""
    reward = record.returns[seat]
    return 1.0 if reward > 0 else 0.5 if reward == 0 else 0.0
