"""The planners by their command-line names, and ``name:key=value,key=value`` read into one of them."""

from __future__ import annotations

import types
import typing
from dataclasses import fields
from typing import Any

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.planners.base import Planner
from tactician.planners.determinized import Determinized
from tactician.planners.emcts import EMCTS
from tactician.planners.greedy_turn import GreedyTurn
from tactician.planners.mcts import MCTS, BridgeBurningMCTS, NonExploringMCTS
from tactician.planners.oep import OEP, GreedyOEP
from tactician.planners.permutation import NoAI, PermutationOEP, RandomOrder
from tactician.planners.permutation_emcts import PermutationEMCTS
from tactician.planners.simple import GreedyAction, Random
from tactician.planners.simultaneous import FDTS, MCS, SimultaneousMCTS

_ALL: tuple[type[Planner], ...] = (
    Random,
    GreedyAction,
    GreedyTurn,
    MCTS,
    NonExploringMCTS,
    BridgeBurningMCTS,
    OEP,
    GreedyOEP,
    NoAI,
    RandomOrder,
    PermutationOEP,
    EMCTS,
    PermutationEMCTS,
    Determinized,
    MCS,
    SimultaneousMCTS,
    FDTS,
)
PLANNERS = {planner.name: planner for planner in _ALL}
"""A new planner is one name in the list above."""


def simultaneous_planners() -> list[str]:
    """The planners for games in which all act at once."""
    return [name for name, planner in PLANNERS.items() if planner.simultaneous]


def parse_planner(spec: str) -> Planner:
    """The planner that ``name`` or ``name:key=value,...`` describes; ``#2`` behind it tells copies apart."""
    name, _, text = _without_number(spec).partition(":")
    if name not in PLANNERS:
        raise UnknownNameError("planner", name, PLANNERS)
    kind = PLANNERS[name]
    hints = typing.get_type_hints(kind)
    known = {f.name: hints[f.name] for f in fields(kind)}
    values: dict[str, Any] = {}
    for part in _parts(text):
        key, equals, value = part.partition("=")
        if key not in known:
            raise UnknownNameError(f"parameter of {name!r}:", key, known)
        if not equals:
            raise InvalidParameterError(f"parameter {key!r} of {name!r} has no value; expected {key}=value.")
        values[key] = _read(name, key, value, known[key])
    return kind(**values)


def _without_number(spec: str) -> str:
    head, mark, number = spec.rpartition("#")
    return head if mark and number.isdigit() else spec


def _parts(text: str) -> list[str]:
    """Split at the commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def _read(planner: str, key: str, text: str, hint: Any) -> Any:
    """The first type of a union that the text can be read as."""
    union = isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union
    options = typing.get_args(hint) if union else (hint,)
    for option in options:
        try:
            if option is bool:
                return {"true": True, "false": False, "1": True, "0": False}[text.lower()]
            if option in (int, float):
                return option(text)
        except (KeyError, ValueError):
            continue
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        if option is str or typing.get_origin(option) is typing.Literal:
            return text
        if option is type(None) and text.lower() in ("none", ""):
            return None
    kinds = " or ".join(getattr(option, "__name__", str(option)) for option in options)
    raise InvalidParameterError(f"parameter {key!r} of {planner!r} is {text!r}; expected {kinds}.")
