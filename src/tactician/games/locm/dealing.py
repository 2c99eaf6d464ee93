"""A compiled draft in which both players pick at random, for millions of playouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import helper, random
from tactician.games.locm.cards import OFFERED
from tactician.games.locm.drafts import POOL_SIZE
from tactician.games.locm.effects import open_battle, switch_turn
from tactician.games.locm.records import DECK, MAX_CARDS


@helper
def deal_random(g: Any, s: Any, rng: Any) -> None:
    """Fill an empty state of version 1.2 or 1.0: offers, random picks, shuffled decks, the first turn begun."""
    pool = np.zeros(POOL_SIZE, np.int64)
    taken = np.zeros(MAX_CARDS, np.uint8)
    n = 0
    while n < POOL_SIZE:
        card = 1 + random.below(rng, g.cards - 1)
        if taken[card] == 0:
            taken[card] = 1
            pool[n] = card
            n += 1
    for turn in range(DECK):
        for i in range(OFFERED):
            card = pool[random.below(rng, POOL_SIZE)]
            while (i > 0 and card == s.draft[turn, 0]) or (i > 1 and card == s.draft[turn, 1]):
                card = pool[random.below(rng, POOL_SIZE)]
            s.draft[turn, i] = card
        for player in range(2):
            # Shuffle while picking: each pick swaps places with a random earlier one.
            place = random.below(rng, turn + 1)
            s.deck[player, turn] = s.deck[player, place]
            s.deck[player, place] = s.draft[turn, random.below(rng, OFFERED)]
            s.deck_id[player, turn] = 2 * turn + player + 1
    open_battle(g, s)
    switch_turn(g, s)
