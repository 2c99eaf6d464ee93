"""What a game is.

An author needs `rules` (and `helper`, `random`, `bits`); `plain` and `library` bring games of plain Python objects and
of C libraries; `check_game` finds what is wrong with any of them.
"""

from tactician.contract import bits, random
from tactician.contract.game import Game
from tactician.contract.library import library
from tactician.contract.plain import plain
from tactician.contract.presentation import Presentation
from tactician.contract.rules import Rules, helper, inline_helper, rules
from tactician.contract.state import State
from tactician.native.abi import ABI_VERSION, SIMULTANEOUS

__all__ = [
    "ABI_VERSION",
    "SIMULTANEOUS",
    "Game",
    "Presentation",
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
