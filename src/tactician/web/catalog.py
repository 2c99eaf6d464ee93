"""What a server offers: games with their parameters, and who can play them.

Requests name games and agents only from here. A user's own games and agents are offered if the command line named
them; a request can't make the server read a file, start a program or write anything.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tactician.arena.agents import FOLLOWER, AgentSpec, FollowerSpec, NamedSpec, PlannerSpec, parse_agent
from tactician.contract.game import Game
from tactician.describe import argument_docs, field_docs, summary
from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError, short
from tactician.games.registry import entry_for, entry_of, game_factory, game_names, load_game
from tactician.planners.base import Planner
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.budget import Budget

PERSON = "person"
"""The seat of somebody at the page."""
_WORD = re.compile(r"[A-Za-z][\w-]{0,39}")
"""What a planner's parameter may be where it is a text: the name of something, never a path."""
_WEIGHTS = re.compile(r"[\w.]{1,40}=[\d.eE+-]{1,24}(;[\w.]{1,40}=[\d.eE+-]{1,24})*")
_FILES = ("ratings", "priors")
"""Parameters of planners that are files whatever they are called."""
_VALUE = {
    "bool": re.compile("true|false"),
    "number": re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?(e[+-]?\d{1,3})?"),
    "weights": _WEIGHTS,
    "text": re.compile(r"[\w-]{1,40}([ +][\w-]{1,40})*"),
}
"""What a parameter of a game may be, by its kind: never a path, nor a file's name with an ending."""
_MOST_LETTERS = 800


@dataclass(frozen=True)
class Offer:
    """A game as the page offers it."""

    name: str
    spec: str
    """What it is loaded by."""
    own: bool
    """Whether it comes from the command line, with its parameters fixed."""


class Catalog:
    """The games and agents of one server."""

    def __init__(
        self, own: Sequence[str] = (), longest_ms: float = 10_000.0, agents: Sequence[str] = (), most_workers: int = 1
    ) -> None:
        """`agents` are offered besides planners, whatever files they name; `most_workers`: threads of one search."""
        self.agents = tuple(str(parse_agent(agent)) for agent in agents)
        self.most_workers = most_workers
        offers = [Offer(_own_name(spec), spec, True) for spec in own]
        taken = {offer.name for offer in offers}
        offers += [Offer(name, name, False) for name in game_names() if name not in taken]
        self.offers = {offer.name: offer for offer in offers}
        self.longest_ms = longest_ms
        self._games: dict[str, Game] = {}
        self._loading = threading.Lock()

    def spec(self, name: str, parameters: dict[str, Any]) -> str:
        """What a game with parameters is loaded by; refuses everything that is not offered."""
        if name not in self.offers:
            raise UnknownNameError("game", short(name), self.offers)
        offer = self.offers[name]
        if offer.own and parameters:
            raise InvalidParameterError(f"game {name!r} was given on the command line and takes no parameters.")
        known = {} if offer.own else _parameters(name)
        parts = []
        for key, value in parameters.items():
            if key not in known:
                raise UnknownNameError(f"parameter of {name!r}:", short(key), known)
            text = _value(known[key], value)
            if text is not None:
                parts.append(f"{key}={text}")
        return offer.spec + (":" + ",".join(parts) if parts else "")

    def game(self, spec: str) -> Game:
        """The game of a specification that `spec` gave, loaded once."""
        with self._loading:
            if spec not in self._games:
                self._games[spec] = load_game(spec)
            return self._games[spec]

    def warm(self) -> None:
        """Load every game and draw its start, so that nobody waits for that later."""
        for offer in self.offers.values():
            with contextlib.suppress(TacticianError):  # whoever begins such a game hears why it can't be played
                state = self.game(offer.spec).initial_state(0)
                for seat in range(state.game.players if state.game.simultaneous else 1):
                    state.legal_actions(seat)
                state.observe(0).svg()

    def check_seat(self, game: Game, seat: Any) -> str:
        """An agent that may be seated; programs and files only if the command line named them."""
        if not isinstance(seat, str) or len(seat) > 400:
            raise InvalidParameterError(f"seat is {short(seat)}; expected 'person' or a planner.")
        if seat == PERSON:
            return seat
        if seat in self.agents:
            require_fit(parse_agent(seat), game)
            return seat
        spec = self._offered(seat)
        require_fit(spec, game)
        if isinstance(spec, PlannerSpec):
            self._check_planner(spec.planner)
        return str(spec)

    def _offered(self, seat: str) -> AgentSpec:
        """What a seat's text describes, if that is something that everybody may seat."""
        spec = parse_agent(seat) if not seat.startswith(("exec", "python")) else None
        if isinstance(spec, PlannerSpec | NamedSpec) or (isinstance(spec, FollowerSpec) and spec.path is None):
            return spec
        raise InvalidParameterError(
            f"seat is {short(seat)}; expected a planner, an agent of the game, or one that the server was started with."
        )

    def _check_planner(self, planner: Planner) -> None:
        """Refuse what could name a file, and more time or threads than the server allows, also in planners inside."""
        for field in fields(planner):
            value = getattr(planner, field.name)
            what = f"{field.name} of {planner.name!r} is {short(value)}"
            if field.name == "budget":
                if value is not None:
                    self.check_budget(value)
            elif field.name == "workers":
                if value > self.most_workers:
                    raise InvalidParameterError(f"{what}; this server allows at most {self.most_workers}.")
            elif isinstance(value, Planner) or (isinstance(value, str) and "Planner" in str(field.type)):
                self._check_planner(parse_planner(value) if isinstance(value, str) else value)
            elif (field.name in _FILES and value is not None) or (isinstance(value, str) and not _is_harmless(value)):
                raise InvalidParameterError(
                    f"{what}; expected a plain word: files are taken from the command line only (serve --agent)."
                )

    def check_budget(self, budget: Any) -> str:
        """A budget within the server's cap; counted budgets are cut off at the same time."""
        if not isinstance(budget, str):
            raise InvalidParameterError(f"budget is {short(budget)}; expected a text such as 500ms.")
        parsed = Budget.parse(budget)
        if (parsed.ms or 0) > self.longest_ms:
            raise InvalidParameterError(
                f"budget is {parsed}; this server allows at most {self.longest_ms:g} ms for a turn."
            )
        return str(parsed)

    def describe(self) -> list[dict[str, Any]]:
        """Every game with its parameters."""
        return [
            {
                "name": offer.name,
                "own": offer.own,
                "description": _first_sentence(self.game(offer.spec).description),
                "parameters": [] if offer.own else list(_parameters(offer.name).values()),
            }
            for offer in self.offers.values()
        ]

    def seats_of(self, game: Game) -> list[dict[str, str]]:
        """Who can play a game: planners, and the agents that it brings."""
        found = [
            {"name": name, "description": summary(kind)}
            for name, kind in PLANNERS.items()
            if kind.simultaneous == game.simultaneous or name == "random"
        ]
        entry = entry_for(game)
        named = entry.agents if entry is not None else {}
        found += [{"name": name, "description": f"an agent that comes with {game.name}"} for name in named]
        if entry is not None and entry.follower is not None:
            found.append({"name": FOLLOWER, "description": f"the trained network that comes with {game.name}"})
        for agent in self.agents:
            with contextlib.suppress(TacticianError):  # one that can't play this game is not offered for it
                require_fit(parse_agent(agent), game)
                found.append({"name": agent, "description": "an agent that the server was started with"})
        return found

    def planner_parameters(self, name: str) -> list[dict[str, Any]]:
        """The parameters of a planner with defaults and meaning."""
        kind = PLANNERS[name]
        docs = field_docs(kind)
        return [{"name": f.name, "default": f.default, "description": docs.get(f.name, "")} for f in fields(kind)]


def require_fit(spec: AgentSpec, game: Game) -> None:
    """Refuse an agent that can't play a game."""
    if isinstance(spec, PlannerSpec) and game.simultaneous and not spec.planner.simultaneous:
        plays = ", ".join(name for name, kind in PLANNERS.items() if kind.simultaneous)
        raise InvalidParameterError(f"planner {spec.planner.name!r} plans turns; for {game.name!r}: {plays}.")
    spec.check(game)


def _own_name(spec: str) -> str:
    head, in_file, tail = spec.partition(".py:")
    if not in_file:
        return spec
    return f"{Path(head).name}:{tail}"


def _is_harmless(text: str) -> bool:
    """Whether a text of a planner's parameter can't be the name of a file."""
    return bool(_WORD.fullmatch(text) or _WEIGHTS.fullmatch(text))


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".") + "." if text else ""


def _parameters(name: str) -> dict[str, dict[str, Any]]:
    """The parameters that a request may set: plain values, no tables and no files."""
    factory = game_factory(name)
    if not callable(factory):
        return {}
    docs, choices = argument_docs(factory), entry_of(name).choices
    found = {}
    for key, parameter in inspect.signature(factory).parameters.items():
        kind = _kind(parameter, choices.get(key))
        if kind is not None:
            about = {"name": key, "kind": kind, "default": parameter.default, "description": docs.get(key, "")}
            found[key] = about | ({"choices": list(choices[key])} if kind == "choice" else {})
    return found


def _kind(parameter: inspect.Parameter, choices: Sequence[str] | None) -> str | None:
    """How a parameter is set at the board; None if only the command line and Python can set it."""
    default, annotation = parameter.default, str(parameter.annotation)
    if choices is not None:
        return "choice" if choices else None
    if isinstance(default, bool):
        return "bool"
    if isinstance(default, (int, float)):
        return "number"
    if default is None and annotation.startswith("Mapping[str, float] | str"):
        return "weights"
    text = isinstance(default, str) or (default is None and "str" in annotation)
    return "text" if text and "Path" not in annotation and "Mapping" not in annotation else None


def _value(about: dict[str, Any], value: Any) -> str | None:
    """A parameter's value as text; refuses whatever could be a path."""
    if value is None or value == "":
        return None
    key, kind = about["name"], about["kind"]
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    if kind == "choice":
        if text not in about["choices"]:
            expected = ", ".join(about["choices"])
            raise InvalidParameterError(f"parameter {key!r} is {short(value)}; expected one of {expected}.")
        return text
    fits = isinstance(value, (str, int, float, bool)) and len(text) <= _MOST_LETTERS and _VALUE[kind].fullmatch(text)
    if not fits or (kind == "text" and Path(text).exists()):
        raise InvalidParameterError(f"parameter {key!r} is {short(value)}; expected {_EXPECTED[kind]}.")
    return text


_EXPECTED = {
    "bool": "true or false",
    "number": "a number",
    "weights": "name=number;name=number",
    "text": "plain words, with spaces or '+' between them",
}
