"""What a game is.

An author needs `rules` (and `helper`, `random`, `bits`); `plain` and `library` bring games of plain Python objects and of
C libraries; `check_game` finds what is wrong with any of them; `load_game` finds a game by name or file.
"""

from tactician.contract import bits, random
from tactician.contract.abi import ABI_VERSION, SIMULTANEOUS
from tactician.contract.game import Game
from tactician.contract.rules import Rules, helper, rules
from tactician.contract.state import State

__all__ = ["ABI_VERSION", "SIMULTANEOUS", "Game", "Rules", "State", "bits", "helper", "random", "rules"]
