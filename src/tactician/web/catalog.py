"""What a server offers: games with their parameters, and who can play them.

Requests name games and agents only from here. A user's own files are offered if the command line named them; a request
can't make the server load a file, start a program or write anything.
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

from tactician.arena.agents import NamedSpec, PlannerSpec, parse_agent
from tactician.contract.game import Game
from tactician.describe import argument_docs, field_docs, summary
from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError, short
from tactician.games.registry import entry_for, game_factory, game_names, load_game
from tactician.planners.registry import PLANNERS
from tactician.seats.budget import Budget

PERSON = "person"
"""The seat of somebody at the page."""
_VALUE = re.compile(r"[\w+-]{1,40}|-?\d+(\.\d+)?")


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

    def __init__(self, own: Sequence[str] = (), longest_ms: float = 10_000.0) -> None:
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
            text = _value(key, value)
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
        """An agent that may be seated; programs and files of the user's may not."""
        if not isinstance(seat, str) or len(seat) > 400:
            raise InvalidParameterError(f"seat is {short(seat)}; expected 'person' or a planner.")
        if seat == PERSON:
            return seat
        spec = parse_agent(seat) if not seat.startswith(("exec", "python")) else None
        if not isinstance(spec, (PlannerSpec, NamedSpec)):
            raise InvalidParameterError(f"seat is {short(seat)}; expected a planner or an agent of the game.")
        if isinstance(spec, PlannerSpec):
            if game.simultaneous and not spec.planner.simultaneous:
                plays = ", ".join(name for name, kind in PLANNERS.items() if kind.simultaneous)
                raise InvalidParameterError(f"planner {spec.planner.name!r} plans turns; for {game.name!r}: {plays}.")
            if spec.planner.budget is not None:
                self.check_budget(spec.planner.budget)
        spec.check(game)
        return str(spec)

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
        return found + [{"name": name, "description": f"an agent that comes with {game.name}"} for name in named]

    def planner_parameters(self, name: str) -> list[dict[str, Any]]:
        """The parameters of a planner with defaults and meaning."""
        kind = PLANNERS[name]
        docs = field_docs(kind)
        return [{"name": f.name, "default": f.default, "description": docs.get(f.name, "")} for f in fields(kind)]


def _own_name(spec: str) -> str:
    head, in_file, tail = spec.partition(".py:")
    if not in_file:
        return spec
    return f"{Path(head).name}:{tail}"


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".") + "." if text else ""


def _parameters(name: str) -> dict[str, dict[str, Any]]:
    """The parameters that a request may set: plain values, no tables and no files."""
    factory = game_factory(name)
    if not callable(factory):
        return {}
    docs = argument_docs(factory)
    found = {}
    for key, parameter in inspect.signature(factory).parameters.items():
        default = parameter.default
        if isinstance(default, (bool, int, float, str)) or (default is None and "str" in str(parameter.annotation)):
            kind = "bool" if isinstance(default, bool) else "number" if isinstance(default, (int, float)) else "text"
            found[key] = {"name": key, "kind": kind, "default": default, "description": docs.get(key, "")}
    return found


def _value(key: str, value: Any) -> str | None:
    """A parameter's value as text; refuses whatever could be a path."""
    if value is None or value == "":
        return None
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    if not isinstance(value, (str, int, float, bool)) or not _VALUE.fullmatch(text) or Path(text).exists():
        raise InvalidParameterError(f"parameter {key!r} is {short(value)}; expected a number or a plain word.")
    return text
