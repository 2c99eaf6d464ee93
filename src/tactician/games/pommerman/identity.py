"""The identity of a state: 128 bits over everything in use, or over what the paper's planners compared."""

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
    """Return two 64-bit hashes of a state over what the configuration's `identity` selects."""
    a, b, c, d = SEED_1, SEED_2, SEED_3, SEED_4
    for i in range(0, _BOARD_WORDS, 2):
        one, other = scratch.word(s.board, i), scratch.word(s.board, i + 1)
        a, b, c, d = extended(a, one), extended(b, other), extended(c, other), extended(d, one)
    for i in range((int(s.n_bombs) + _BOMBS_A_WORD - 1) // _BOMBS_A_WORD):
        one = scratch.word(s.bombs, i)
        a, c = extended(a, one), extended(c, one)
    for i in range((int(s.n_flames) + _FLAMES_A_WORD - 1) // _FLAMES_A_WORD):
        one = scratch.word(s.flames, i)
        b, d = extended(b, one), extended(d, one)
    for i in range(PLAYERS):
        one = agent_word(s, i)
        a, d = extended(a, one), extended(d, one)
    sizes = np.uint64(int(s.n_bombs) | int(s.alive) << 8 | int(s.n_flames) << 16)
    if g.identity != REFERENCE:
        for i in range(ITEM_WORDS):
            one = s.items[i]
            b, c = extended(b, one), extended(c, one)
    if g.identity == EXACT:
        sizes = np.uint64(sizes | np.uint64(int(s.step) << 32))
        if g.radio != 0:
            for i in range(PLAYERS):
                a, c = extended(a, np.uint64(s.message[i])), extended(c, np.uint64(s.message[i]))
    return extended(extended(a, sizes), b), extended(extended(c, sizes), d)


@inline_helper
def extended(hashed: Any, word: Any) -> Any:
    """Return a hash extended by a word: `native.hashing.mixed` as a helper, which interpreted rules can call."""
    product = np.uint64((hashed ^ word) * SEED_2)
    return product ^ (product >> np.uint64(32))


@inline_helper
def agent_word(s: Any, agent: Any) -> Any:
    """Return everything about an agent in one word."""
    return np.uint64(
        int(s.cell[agent]) | int(s.ammo[agent]) << 8 | int(s.blast[agent]) << 16 | int(s.kick[agent]) << 24
    )
