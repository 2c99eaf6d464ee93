"""What a game is.

An author needs `rules` (and `helper`, `random`, `bits`); `plain` and `library` bring games of plain Python objects and
of C libraries; `check_game` finds what is wrong with any of them.
"""

from tactician.contract import bits, random
from tactician.contract.abi import ABI_VERSION, SIMULTANEOUS
from tactician.contract.budget import Budget
from tactician.contract.game import Face, Game
from tactician.contract.library import library
from tactician.contract.plain import plain
from tactician.contract.rules import Rules, helper, inline_helper, rules
from tactician.contract.state import State

__all__ = [
    "ABI_VERSION",
    "SIMULTANEOUS",
    "Budget",
    "Face",
    "Game",
    "Rules",
    "State",
    "bits",
    "helper",
    "inline_helper",
    "library",
    "plain",
    "random",
    "rules",
]
