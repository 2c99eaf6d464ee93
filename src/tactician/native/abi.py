"""The interface between games and planners: which rules there are, and their C signatures.

A game, however it was written, ends as an array of function addresses in the order of `RULES`; a planner kernel
takes that array and nothing else of the game. Addresses travel as 64-bit integers, so every rule has one uniform
signature and a planner compiles once for all games. `tactician.h` beside this file says the same in C.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from enum import Enum

ABI_VERSION = 1

SIMULTANEOUS = -1
"""What `current_player` returns where every player acts at once."""

# Values of the error cell, the first word of every configuration record. Games use positive numbers of their own.
NO_ERROR = 0
RULE_RAISED = -1
"""A rule raised an exception; the game keeps it for the caller."""
TOO_MANY_ACTIONS = -2
"""A rule wrote more actions than `max_actions`."""
NO_ACTIONS = -3
"""A rule listed no action, or a negative number, although the game is not over."""
NO_SUCH_PLAYER = -4
"""`current_player` returned a number that no player has."""
NOT_FINITE = -5
"""A rule gave a value that is not a finite number."""
ILLEGAL_POLICY = -7
"""`policy` returned an action that is not legal for the player."""
STOPPED = -6
"""The search is to end at once: its time is up, or Ctrl-C was pressed. Not a failure."""


class Kind(Enum):
    """What a rule's parameter is; decides its type on each side of the border."""

    CONFIG = "config record"
    STATE = "state record"
    INT = "int64"
    ACTIONS = "int32 pointer"
    VALUES = "float64 pointer"
    STREAM = "uint64 pointer"


@dataclass(frozen=True)
class Rule:
    """One row of the function table."""

    name: str
    parameters: tuple[tuple[str, Kind], ...]
    returns: bool
    """Whether it returns an int64; otherwise it returns nothing."""
    optional: bool
    purpose: str

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names used in messages and docs; an author may choose others."""
        return tuple(name for name, _ in self.parameters)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.parameter_names)})"


_G, _S, _PLAYER = ("g", Kind.CONFIG), ("s", Kind.STATE), ("player", Kind.INT)
_ACTION, _OUT, _RNG = ("action", Kind.INT), ("out", Kind.ACTIONS), ("rng", Kind.STREAM)
_VALUES = ("out", Kind.VALUES)

RULES: tuple[Rule, ...] = (
    Rule("legal_actions", (_G, _S, _PLAYER, _OUT), True, False, "writes action codes into out, returns how many"),
    Rule("apply", (_G, _S, _ACTION, _RNG), False, False, "changes s by one player's action"),
    Rule(
        "apply_joint",
        (_G, _S, ("actions", Kind.ACTIONS), _RNG),
        False,
        False,
        "changes s by everybody's actions",
    ),
    Rule("current_player", (_G, _S), True, False, "whose action it is, or SIMULTANEOUS"),
    Rule("is_over", (_G, _S), True, False, "whether the game has ended"),
    Rule("returns", (_G, _S, _VALUES), False, False, "writes every player's final reward, in [-1, 1]"),
    Rule("evaluate", (_G, _S, _VALUES), False, False, "writes every player's heuristic value"),
    Rule("is_legal", (_G, _S, _ACTION), True, True, "whether one action of the current player is legal"),
    Rule("candidate_actions", (_G, _S, _PLAYER, _OUT, _RNG), True, True, "the actions planners consider"),
    Rule(
        "rate_actions",
        (_G, _S, ("actions", Kind.ACTIONS), ("n", Kind.INT), _VALUES),
        False,
        True,
        "writes a cheap rating for each of n actions, higher is better",
    ),
    Rule("action_group", (_G, _S, _ACTION), True, True, "the unit or card an action belongs to"),
    Rule("possible_actions", (_G, _S, _PLAYER, _OUT), True, True, "all actions that may become legal this turn"),
    Rule("key", (_G, _S), True, True, "64 bits that identify the state"),
    Rule(
        "observe",
        (_G, _S, _PLAYER, ("out", Kind.STATE)),
        False,
        True,
        "blanks in out, a copy of s, what player can't see",
    ),
    Rule("resample_hidden", (_G, _S, _PLAYER, _RNG), False, True, "fills what player can't see with a guess"),
    Rule("digest", (_G, _S, ("out", Kind.STREAM)), False, True, "writes 128 bits that identify the state"),
    Rule("policy", (_G, _S, _PLAYER, _RNG), True, True, "the action that player is expected to take"),
    Rule(
        "random_action",
        (_G, _S, _PLAYER, _OUT, _RNG),
        True,
        True,
        "writes a random legal action into out, returns how many there are",
    ),
    Rule(
        "random_candidate",
        (_G, _S, _PLAYER, _OUT, _RNG),
        True,
        True,
        "writes a random one of candidate_actions into out, returns how many there are",
    ),
    Rule(
        "best_candidate",
        (_G, _S, _PLAYER, _OUT, _RNG),
        True,
        True,
        "writes the best-rated of candidate_actions into out, returns how many there are, 0 if it can't tell",
    ),
    Rule(
        "evaluate_after",
        (_G, _S, ("actions", Kind.ACTIONS), ("n", Kind.INT), _VALUES),
        False,
        True,
        "writes what evaluate gives the mover after each of n actions, NaN where that must be tried",
    ),
    Rule("features", (_G, _S, _PLAYER, _VALUES), False, True, "writes what learned evaluations count of player's side"),
)

RULE_BY_NAME = {rule.name: rule for rule in RULES}
REPEATS = {
    "random_action": ("legal_actions",),
    "random_candidate": ("candidate_actions",),
    "best_candidate": ("candidate_actions", "rate_actions"),
    "evaluate_after": ("apply", "evaluate"),
}
"""Optional rules that say faster what others say: they go when one of these is exchanged."""
NEVER_IN_KERNELS = ("features",)
"""A learned evaluation is compiled together with the features that it weighs."""
KERNELS_ON_DEMAND = ("rate_actions", *REPEATS)
"""Rules that not every kernel calls ..."""
COMPILED_WHEN_ASKED_FOR = (*KERNELS_ON_DEMAND, *NEVER_IN_KERNELS)
"""... and not every program: they are compiled for the first search or caller that wants them."""
INDEX = {rule.name: index for index, rule in enumerate(RULES)}

# The same as plain integers, because compiled code freezes globals.
LEGAL_ACTIONS = INDEX["legal_actions"]
APPLY = INDEX["apply"]
APPLY_JOINT = INDEX["apply_joint"]
CURRENT_PLAYER = INDEX["current_player"]
IS_OVER = INDEX["is_over"]
RETURNS = INDEX["returns"]
EVALUATE = INDEX["evaluate"]
IS_LEGAL = INDEX["is_legal"]
CANDIDATE_ACTIONS = INDEX["candidate_actions"]
RATE_ACTIONS = INDEX["rate_actions"]
ACTION_GROUP = INDEX["action_group"]
POSSIBLE_ACTIONS = INDEX["possible_actions"]
KEY = INDEX["key"]
OBSERVE = INDEX["observe"]
RESAMPLE_HIDDEN = INDEX["resample_hidden"]
DIGEST = INDEX["digest"]
POLICY = INDEX["policy"]
RANDOM_ACTION = INDEX["random_action"]
RANDOM_CANDIDATE = INDEX["random_candidate"]
BEST_CANDIDATE = INDEX["best_candidate"]
EVALUATE_AFTER = INDEX["evaluate_after"]
FEATURES = INDEX["features"]

CTYPES = {
    rule.name: ctypes.CFUNCTYPE(ctypes.c_int64 if rule.returns else None, *([ctypes.c_int64] * len(rule.parameters)))
    for rule in RULES
}
"""Prototypes to call a table entry from Python, or to make one of a Python function."""
