"""Fresh battles: the generator of the specification, two shuffled decks, everything else as it always is."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.games.royale.arena import (
    DECK,
    FIRST_UID,
    HAND,
    KING,
    PLAYERS,
    START_ELIXIR,
    TOWERS,
)
from tactician.games.royale.records import (
    KING_KIND,
    NO_CARD,
    NOBODY,
    PRINCESS_KIND,
    TOWER_COOLDOWN,
    TOWER_HP,
    TOWER_TARGET,
)

_MASK = (1 << 64) - 1


class SplitMix64:
    """The generator that shuffles decks; any seed gives the same decks everywhere."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next_word(self) -> int:
        """64 uniform bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        word = self._state
        word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & _MASK
        return word ^ word >> 31

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1."""
        return ((self.next_word() >> 32) * n) >> 32


def shuffled_deck(chance: SplitMix64) -> list[int]:
    """Shuffle the cards of a deck; the first four are the hand, the others the queue."""
    deck = list(range(DECK))
    for i in range(DECK - 1, 0, -1):
        j = chance.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def deal(g: Any, s: Any, rng: np.random.Generator, seed: int = 0) -> None:
    """Fill an empty state with the start of the battle that a seed stands for: player 0's deck is shuffled first."""
    chance = SplitMix64(seed)
    for player in range(PLAYERS):
        deck = shuffled_deck(chance)
        s.hand[player], s.queue[player] = deck[:HAND], deck[HAND:]
        for slot in range(TOWERS):
            kind = KING_KIND if slot == KING else PRINCESS_KIND
            s.towers[player, slot, TOWER_HP] = g.hp[kind]
            s.towers[player, slot, TOWER_COOLDOWN] = g.first_hit_ticks[kind]
            s.towers[player, slot, TOWER_TARGET] = NOBODY
        s.elixir[player] = START_ELIXIR
        s.next_uid[player] = FIRST_UID
        s.reserved[player] = NO_CARD
