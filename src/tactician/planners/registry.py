"""The planners by their command-line names, and ``name:key=value,key=value`` read into one of them."""

from __future__ import annotations

import typing
from dataclasses import fields
from typing import Any

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.parameters import options_of, read_as, split_pairs
from tactician.planners.annealing import Annealing
from tactician.planners.auto import Auto
from tactician.planners.base import Planner
from tactician.planners.clairvoyant import Clairvoyant
from tactician.planners.coevolution import Coevolution
from tactician.planners.determinized import Determinized
from tactician.planners.emcts import EMCTS
from tactician.planners.greedy_turn import GreedyTurn
from tactician.planners.information_sets import InformationSetMCTS
from tactician.planners.mcts import MCTS, BridgeBurningMCTS, NonExploringMCTS
from tactician.planners.oep import OEP, GreedyOEP
from tactician.planners.permutation import NoAI, PermutationOEP, RandomOrder
from tactician.planners.permutation_emcts import PermutationEMCTS
from tactician.planners.replies import Reply
from tactician.planners.simple import GreedyAction, Random
from tactician.planners.simultaneous import FDTS, MCS, SimultaneousMCTS

_ALL: tuple[type[Planner], ...] = (
    Auto,
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
    Annealing,
    Coevolution,
    Determinized,
    InformationSetMCTS,
    Clairvoyant,
    Reply,
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
    for key, value in split_pairs(text):
        if key not in known:
            raise UnknownNameError(f"parameter of {name!r}:", key, known)
        if value is None:
            raise InvalidParameterError(f"parameter {key!r} of {name!r} has no value; expected {key}=value.")
        try:
            values[key] = read_as(value, known[key])
        except ValueError:
            kinds = " or ".join(getattr(option, "__name__", str(option)) for option in options_of(known[key]))
            raise InvalidParameterError(f"parameter {key!r} of {name!r} is {value!r}; expected {kinds}.") from None
    return kind(**values)


def _without_number(spec: str) -> str:
    head, mark, number = spec.rpartition("#")
    return head if mark and number.isdigit() else spec
