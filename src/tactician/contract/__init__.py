"""What a game is.

An author needs `rules` (and `helper`, `random`, `bits`); `plain` and `library` bring games of plain Python objects and
of C libraries; `GameEntry` describes a game to the command line, the arena and the benchmarks. Names are imported when
they are first used: an entry needs nothing of what compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.contract import bits, random
    from tactician.contract.batch import Batch
    from tactician.contract.entry import GameEntry
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
    "Batch",
    "Game",
    "GameEntry",
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

lazy_package(
    __name__,
    {
        "ABI_VERSION": "tactician.native.abi:ABI_VERSION",
        "SIMULTANEOUS": "tactician.native.abi:SIMULTANEOUS",
        "Batch": "tactician.contract.batch:Batch",
        "Game": "tactician.contract.game:Game",
        "GameEntry": "tactician.contract.entry:GameEntry",
        "Presentation": "tactician.contract.presentation:Presentation",
        "Rules": "tactician.contract.rules:Rules",
        "State": "tactician.contract.state:State",
        "bits": "tactician.contract.bits",
        "helper": "tactician.contract.rules:helper",
        "inline_helper": "tactician.contract.rules:inline_helper",
        "library": "tactician.contract.library:library",
        "plain": "tactician.contract.plain:plain",
        "random": "tactician.contract.random",
        "rules": "tactician.contract.rules:rules",
    },
)
