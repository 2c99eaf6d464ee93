"""What makes two states the same: 128 bits over everything in use, or over what the paper's planners looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import helper, inline_helper
from tactician.contract.identity import SEED_1, SEED_2, SEED_3, SEED_4
from tactician.games.pommerman import scratch
from tactician.games.pommerman.board import CELLS, PLAYERS
from tactician.games.pommerman.records import EXACT, ITEM_WORDS, REFERENCE

_BOARD_WORDS = CELLS // 8
_BOMBS_A_WORD, _FLAMES_A_WORD = 2, 4


@helper
def identity_words(g: Any, s: Any) -> Any:
    """Two 64-bit hashes of the state, as the configuration's `identity` wants it."""
    a, b, c, d = SEED_1, SEED_2, SEED_3, SEED_4
    for i in range(0, _BOARD_WORDS, 2):
        one, other = scratch.word(s.board, i), scratch.word(s.board, i + 1)
        a, b, c, d = stirred(a, one), stirred(b, other), stirred(c, other), stirred(d, one)
    for i in range((int(s.n_bombs) + _BOMBS_A_WORD - 1) // _BOMBS_A_WORD):
        one = scratch.word(s.bombs, i)
        a, c = stirred(a, one), stirred(c, one)
    for i in range((int(s.n_flames) + _FLAMES_A_WORD - 1) // _FLAMES_A_WORD):
        one = scratch.word(s.flames, i)
        b, d = stirred(b, one), stirred(d, one)
    for i in range(PLAYERS):
        one = agent_word(s, i)
        a, d = stirred(a, one), stirred(d, one)
    sizes = np.uint64(int(s.n_bombs) | int(s.alive) << 8 | int(s.n_flames) << 16)
    if g.identity != REFERENCE:
        for i in range(ITEM_WORDS):
            one = s.items[i]
            b, c = stirred(b, one), stirred(c, one)
    if g.identity == EXACT:
        sizes = np.uint64(sizes | np.uint64(int(s.step) << 32))
        if g.radio != 0:
            for i in range(PLAYERS):
                a, c = stirred(a, np.uint64(s.message[i])), stirred(c, np.uint64(s.message[i]))
    return stirred(stirred(a, sizes), b), stirred(stirred(c, sizes), d)


@inline_helper
def stirred(hashed: Any, word: Any) -> Any:
    """The hash with another word in it."""
    product = np.uint64((hashed ^ word) * SEED_2)
    return product ^ (product >> np.uint64(32))


@inline_helper
def agent_word(s: Any, agent: Any) -> Any:
    """Everything about one agent."""
    return np.uint64(
        int(s.cell[agent]) | int(s.ammo[agent]) << 8 | int(s.blast[agent]) << 16 | int(s.kick[agent]) << 24
    )
