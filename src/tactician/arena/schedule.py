"""Who plays whom: round robin, one against all, each start from every side.

The order of the games gives every pair the same share at any time, so that a tournament stopped early is still fair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, Literal, get_args

from tactician.arena.agents import PlannerSpec, parse_agent, without_copy
from tactician.arena.records import GameRecord, Pairing, seated
from tactician.arena.sources import sources_of
from tactician.errors import InvalidParameterError, TacticianError, short
from tactician.games.registry import load_game
from tactician.seats.budget import Budget

Form = Literal["round-robin", "gauntlet"]
MOST_STORED = 1_000_000
"""Games a pair that a stored tournament can have: more is damage."""


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament before it is played: everything that decides its games."""

    game: str
    agents: tuple[str, ...]
    games: int
    """Games a pair."""
    budget: str
    seed: int = 0
    form: Form = "round-robin"
    """'gauntlet': the first agent against each of the others."""
    sources: Mapping[str, str] | None = field(default=None, hash=False)
    """Digests of the code of games and agents in files; found if not given."""
    parameters: Mapping[str, Any] | None = field(default=None, hash=False, compare=False)
    """All parameters of every planner, those it has by default too; found if not given."""
    sides: tuple[int, ...] = field(default=(), hash=False, compare=False)
    """Whose side each seat is on; its own where every seat plays alone. If not given, the game is loaded, and agents
    that can't play it are refused."""

    def __post_init__(self) -> None:
        require_name(self.game)
        if len(self.agents) < 2:
            raise InvalidParameterError(f"{len(self.agents)} planners given; a tournament needs at least 2.")
        if len(set(self.agents)) != len(self.agents):
            raise InvalidParameterError(f"an agent is named twice: {', '.join(self.agents)}; add #2 to one of them.")
        if self.games < 1:
            raise InvalidParameterError(f"games is {self.games}; expected at least 1.")
        if self.seed < 0:
            raise InvalidParameterError(f"seed is {self.seed}; expected 0 or more.")
        Budget.parse(self.budget)
        if not self.sides:
            game = load_game(self.game)
            if game.players < 2:
                raise InvalidParameterError(f"game {game.name!r} has 1 seat; a tournament needs at least 2.")
            for agent in self.agents:
                parse_agent(agent).check(game)
            object.__setattr__(self, "sides", tuple(game.sides))
        if self.sources is None:
            object.__setattr__(self, "sources", sources_of(self.game, self.agents))
        if self.parameters is None:
            object.__setattr__(self, "parameters", {agent: _parameters(agent) for agent in self.agents})

    @classmethod
    def from_json(cls, document: Mapping[str, Any], records: Sequence[GameRecord] = ()) -> TournamentPlan:
        """The plan that a store describes, with as many games a pair as there are; loads neither game nor agents.

        Later runs may have asked for more games than the first, whose plan is stored. Raises `ValueError` for what is
        not a description. In stores of earlier versions it does not tell the sides: they show in who sat where.
        """
        checks: dict[str, Callable[[Any], bool]] = {
            "game": _is_text,
            "agents": lambda value: isinstance(value, list) and all(map(_is_text, value)),
            "games": _is_count,
            "budget": _is_text,
            "seed": _is_count,
            "form": lambda value: value in get_args(Form),
            "sources": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
            "parameters": lambda value: isinstance(value, dict),
            "sides": lambda value: isinstance(value, list) and bool(value) and all(map(_is_count, value)),
        }
        told = {"sources": {}, "parameters": {}, "sides": _sides_of(records), "form": "round-robin", **document}
        for name, is_right in checks.items():
            if name not in told or not is_right(told[name]):
                raise ValueError(f"{name} is {short(told.get(name))}")
        games = max((record.pairing.round + 1 for record in records), default=1)
        if games > MOST_STORED:
            raise ValueError(f"it has {games} games a pair")
        lists = {"agents": tuple(told["agents"]), "sides": tuple(told["sides"]), "games": games}
        try:
            return cls(**{name: told[name] for name in checks} | lists)
        except TacticianError as error:
            raise ValueError(str(error).rstrip(".")) from None

    @property
    def seats(self) -> int:
        """How many seats the game has."""
        return len(self.sides)

    @property
    def rotates(self) -> bool:
        """Whether an agent meets copies of another, because there are more than two sides."""
        return len(set(self.sides)) > 2

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of agents that meet, by number; with more than two sides the first of a pair is alone."""
        if self.form == "gauntlet":
            return [(0, other) for other in range(1, len(self.agents))]
        if self.rotates:
            return list(permutations(range(len(self.agents)), 2))
        return list(combinations(range(len(self.agents)), 2))

    def pairings(self) -> list[Pairing]:
        """Every game, in the order they should be played."""
        return [pairing for row in self._rounds for pairing in row]

    def pairings_of(self, one: int, other: int) -> list[Pairing]:
        """The games of one pair."""
        place = self.pairs.index((one, other) if (one, other) in self.pairs else (other, one))
        return [row[place] for row in self._rounds]

    @cached_property
    def by_key(self) -> dict[str, Pairing]:
        """Every game by its key."""
        return {pairing.key: pairing for pairing in self.pairings()}

    @cached_property
    def _rounds(self) -> list[list[Pairing]]:
        """A game of every pair, and another, and so on."""
        pairs = self.pairs
        return [[pairing_of(self, one, other, number) for one, other in pairs] for number in range(self.games)]

    def to_json(self) -> dict[str, Any]:
        """What decides the games, for the store."""
        return {
            "game": self.game,
            "agents": list(self.agents),
            "games": self.games,
            "budget": self.budget,
            "seed": self.seed,
            "form": self.form,
            **({"sources": dict(self.sources)} if self.sources else {}),
            "parameters": dict(self.parameters or {}),
            "sides": list(self.sides),
        }


def pairing_of(plan: TournamentPlan, one: int, other: int, number: int) -> Pairing:
    """The n-th game of a pair: a start is played from every side before the next, against copies of the other."""
    start, side = divmod(number, len(set(plan.sides)))
    seats = seated(plan.sides, side, plan.agents[one], plan.agents[other])
    return Pairing(game=plan.game, seats=seats, budget=plan.budget, seed=plan.seed + start, round=number)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _sides_of(records: Sequence[GameRecord]) -> list[int]:
    """Whose side each seat was on, as far as records show it: an agent has all seats of a side."""
    seats = records[0].pairing.seats if records else ()
    alone = len(seats) < 3 or 1 in (seats.count(seats[0]), len(seats) - seats.count(seats[0]))
    return [number if alone else int(name != seats[0]) for number, name in enumerate(seats)] or [0, 1]


def require_name(game: Any) -> None:
    """Refuse a game that is given as an object."""
    if not isinstance(game, str):
        raise InvalidParameterError(
            f"game is {short(game)}; expected its name, for one of your own 'file.py:object': "
            "other processes have to find it."
        )


def _parameters(agent: str) -> dict[str, Any]:
    spec = parse_agent(agent)
    return spec.planner.recorded() if isinstance(spec, PlannerSpec) else {}


def as_names(planners: Sequence[Any]) -> tuple[str, ...]:
    """Agents as they are named in records; the second of the same kind is `name#2`, and so on."""
    names: list[str] = []
    for planner in planners:
        name = str(parse_agent(planner)) if isinstance(planner, str) else str(planner)
        copies = sum(without_copy(known) == name for known in names)
        names.append(f"{name}#{copies + 1}" if copies else name)
    return tuple(names)
