"""The planners by their command-line names, and ``name:key=value,key=value`` read into one of them."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.importing import resolve
from tactician.parameters import options_of, read_as, split_pairs
from tactician.planners.base import Planner

_REFERENCES = {
    "auto": "tactician.planners.auto:Auto",
    "random": "tactician.planners.simple:Random",
    "greedy-action": "tactician.planners.simple:GreedyAction",
    "greedy-turn": "tactician.planners.greedy_turn:GreedyTurn",
    "mcts": "tactician.planners.mcts:MCTS",
    "non-exploring-mcts": "tactician.planners.mcts:NonExploringMCTS",
    "bridge-burning-mcts": "tactician.planners.mcts:BridgeBurningMCTS",
    "oep": "tactician.planners.oep:OEP",
    "greedy-oep": "tactician.planners.oep:GreedyOEP",
    "no-ai": "tactician.planners.permutation:NoAI",
    "random-order": "tactician.planners.permutation:RandomOrder",
    "permutation-oep": "tactician.planners.permutation:PermutationOEP",
    "emcts": "tactician.planners.emcts:EMCTS",
    "permutation-emcts": "tactician.planners.permutation_emcts:PermutationEMCTS",
    "annealing": "tactician.planners.annealing:Annealing",
    "coevolution": "tactician.planners.coevolution:Coevolution",
    "determinized": "tactician.planners.determinized:Determinized",
    "information-set-mcts": "tactician.planners.information_sets:InformationSetMCTS",
    "clairvoyant": "tactician.planners.clairvoyant:Clairvoyant",
    "reply": "tactician.planners.replies:Reply",
    "mcs": "tactician.planners.simultaneous:MCS",
    "simultaneous-mcts": "tactician.planners.simultaneous:SimultaneousMCTS",
    "fdts": "tactician.planners.simultaneous:FDTS",
    "rhea": "tactician.planners.rhea:RHEA",
}
"""A new planner is one line here, under its name."""


class _Planners(Mapping[str, type[Planner]]):
    """The planners by name; each is imported when it is first asked for."""

    def __getitem__(self, name: str) -> type[Planner]:
        kind: type[Planner] = resolve(_REFERENCES[name])
        return kind

    def __contains__(self, name: object) -> bool:
        return name in _REFERENCES

    def __iter__(self) -> Iterator[str]:
        return iter(_REFERENCES)

    def __len__(self) -> int:
        return len(_REFERENCES)


PLANNERS: Mapping[str, type[Planner]] = _Planners()
"""All planners by their names."""


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
