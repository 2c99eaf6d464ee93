"""Pommerman: four agents with bombs on a board of walls, all acting at once.

The rules are those of the competition's official environment, or of the faster environment of a paper's experiments:
steps recorded from both replay exactly (see `conformance`).
"""

from __future__ import annotations

from tactician.contract.game import Game
from tactician.contract.requirements import require_choice, require_integer
from tactician.errors import InvalidParameterError
from tactician.games.pommerman import board
from tactician.games.pommerman.actions import CODES
from tactician.games.pommerman.features import ENCODINGS
from tactician.games.pommerman.records import EXACT, REFERENCE, REFERENCE_ITEMS, board_fields, result_fields
from tactician.games.pommerman.rules import rule

__all__ = ["VARIANTS", "pommerman"]

VERSION = "1"
RULES = ("official", "paper")
VARIANTS = ("ffa", "team", "team-full", "radio")
INFORMATION = ("hidden", "open")
MASKS = ("released", "text", "none")
IDENTITIES = {"exact": EXACT, "reference-items": REFERENCE_ITEMS, "reference": REFERENCE}
MOST_STEPS = 60_000


def pommerman(
    rules: str = "official",
    variant: str = "ffa",
    identity: str = "exact",
    information: str = "hidden",
    mask: str = "released",
    max_steps: int = board.MAX_STEPS,
) -> Game:
    """Make a game of Pommerman with four seats.

    Args:
        rules: Whose environment: `official`, or `paper` (one step longer, other flames; free-for-all only).
        variant: Teams, view and messages: `ffa`, `team`, `team-full` or `radio`.
        identity: What search trees compare states by: `exact`, `reference-items` (without the step counter) or
            `reference` (also without hidden items).
        information: What planners see: `hidden` (what their seat sees) or `open` (everything).
        mask: Which actions planners consider: `released` (what the paper's code leaves: not into walls, flames or
            bombs, not staying on a bomb), `text` (what the paper says: not into walls or flames) or `none` (all).
        max_steps: The time limit in steps, 1 to 60000.
    """
    require_choice("rules", rules, RULES)
    require_choice("variant", variant, VARIANTS)
    require_choice("identity", identity, IDENTITIES)
    require_choice("information", information, INFORMATION)
    require_choice("mask", mask, MASKS)
    require_integer("max_steps", max_steps, 1, MOST_STEPS)
    if rules == "paper" and variant != "ffa":
        raise InvalidParameterError(f"variant is {variant!r} with the paper's rules; expected 'ffa'.")
    fog, radio = variant in ("team", "radio"), variant == "radio"
    codes = CODES if radio else board.MOVES
    return rule.game(
        "pommerman",
        version=VERSION,
        players=board.PLAYERS,
        max_actions=codes,
        config={
            "time_limit": max_steps + (rules == "paper"),
            "blast_cap": board.VIEW if fog else board.MOST_BLAST,
            "sight": board.VIEW if fog else 0,
            "teams": variant != "ffa",
            "radio": radio,
            "paper": rules == "paper",
            "identity": IDENTITIES[identity],
            "codes": codes,
            "bars_bombs": mask == "released",
            **board_fields(),
            **result_fields(variant != "ffa"),
        },
        zero_sum=False,
        value_range=(-1.0, 1.0),
        max_turn=1,
        sides=() if variant == "ffa" else (0, 1, 0, 1),
        omit=(
            *(("candidate_actions",) if mask == "none" else ()),
            *(() if information == "hidden" else ("observe", "resample_hidden")),
        ),
        encodings=ENCODINGS,
        models={
            "rule-based": "tactician.games.pommerman.rule_based:policy",
            "follower": "tactician.games.pommerman.agents:FOLLOWER",
        },
        description="Four bombers, all moving at once; the last one alive wins.",
    )
