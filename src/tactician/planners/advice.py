"""Which planner to begin with, by the kind of game.

`tactician planners` and the page `docs/planners/choose.md` show this list; the reports it names have the evidence.
"""

from __future__ import annotations

from typing import NamedTuple


class Advice(NamedTuple):
    """What to begin with in one kind of game."""

    kind: str
    """What is special about the game or its budget."""
    begin: tuple[str, ...]
    """The planner to begin with, and others that are as good."""
    then: tuple[str, ...]
    """What to try next."""
    evidence: tuple[str, ...]
    """The experiments that show it (`tactician reproduce NAME`); empty where there is only experience."""


ADVICE = (
    Advice(
        "players take turns",
        ("auto",),
        ("coevolution", "reply", "emcts"),
        ("beyond-auto", "beyond-turns", "beyond-amazons"),
    ),
    Advice(
        "turns of ten and more actions, with fewer than ten evaluations for each candidate",
        ("non-exploring-mcts", "auto"),
        ("oep",),
        ("beyond-auto",),
    ),
    Advice(
        "a card game: a turn is nearly everything that can be paid for",
        ("auto",),
        ("reply", "permutation-oep"),
        ("beyond-auto", "beyond-locm", "beyond-bot"),
    ),
    Advice(
        "everybody acts at once",
        ("mcs",),
        ("simultaneous-mcts", "fdts"),
        ("boney-table2", "boney-table7"),
    ),
    Advice(
        "everybody acts at once, and a model of the others is known",
        ("fdts:opponents=MODEL",),
        ("rhea:opponents=MODEL",),
        ("beyond-models",),
    ),
    Advice("there is no useful evaluation", ("mcts",), ("non-exploring-mcts",), ()),
    Advice("a turn must be planned in less than a millisecond", ("greedy-action",), (), ()),
)
"""The most common kind first."""
