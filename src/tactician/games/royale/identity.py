"""128 bits that tell states apart: everything that decides how a battle continues, so not the past actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import helper, inline_helper
from tactician.contract.identity import SEED_1, SEED_2, SEED_3, SEED_4
from tactician.games.royale.arena import MOST_SPELLS, MOST_TROOPS, PLAYERS, TOWERS
from tactician.games.royale.records import SPELL, TOWER, TROOP
from tactician.native.words import stirred, word_of

_NUMBERS_A_WORD = 4
_TOWER_WORDS = PLAYERS * TOWERS * TOWER // _NUMBERS_A_WORD
_TROOP_WORDS, _SPELL_WORDS = TROOP // _NUMBERS_A_WORD, SPELL // _NUMBERS_A_WORD
_BYTE, _NUMBER = 0xFF, 0xFFFF


@helper
def identity_words(g: Any, s: Any) -> Any:
    """Two 64-bit hashes of the state; four strands, because each multiplication waits for the last."""
    a, b, c, d = SEED_1, SEED_2, SEED_3, SEED_4
    for i in range(0, _TOWER_WORDS, 2):
        one, other = word_of(s.towers, i), word_of(s.towers, i + 1)
        a, b, c, d = stirred(a, one), stirred(b, other), stirred(c, other), stirred(d, one)
    one, other = word_of(s.hand, 0), word_of(s.queue, 0)
    a, b, c, d = stirred(a, one), stirred(b, other), stirred(c, other), stirred(d, one)
    one, other = counters_word(s, 0), counters_word(s, 1)
    a, b, c, d = stirred(a, one), stirred(b, other), stirred(c, other), stirred(d, one)
    for player in range(PLAYERS):
        first = player * MOST_TROOPS * _TROOP_WORDS
        for i in range(first, first + _TROOP_WORDS * int(s.n_troops[player]), 2):
            one, other = word_of(s.troops, i), word_of(s.troops, i + 1)
            a, b, c, d = stirred(a, one), stirred(b, other), stirred(c, other), stirred(d, one)
        first = player * MOST_SPELLS * _SPELL_WORDS
        for i in range(first, first + _SPELL_WORDS * int(s.n_spells[player]), 2):
            one, other = word_of(s.spells, i), word_of(s.spells, i + 1)
            a, b, c, d = stirred(a, one), stirred(b, other), stirred(c, other), stirred(d, one)
    one = np.uint64(int(s.tick) | int(s.next_uid[0]) << 16 | int(s.next_uid[1]) << 32)
    return stirred(stirred(a, b), one), stirred(stirred(c, d), one)


@inline_helper
def counters_word(s: Any, player: Any) -> Any:
    """What else there is to know about a player."""
    return np.uint64(
        int(s.elixir[player]) & _NUMBER
        | (int(s.reserved[player]) & _BYTE) << 16
        | (int(s.awake[player]) & _BYTE) << 24
        | (int(s.wake[player]) & _BYTE) << 32
        | (int(s.n_troops[player]) & _BYTE) << 40
        | (int(s.n_spells[player]) & _BYTE) << 48
    )


assert _TOWER_WORDS % 2 == 0
