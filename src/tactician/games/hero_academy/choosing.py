"""A random action without the list of all: how many there are for each unit and card, then the one that was drawn.

The order is that of `listing`, so that the same number of the random stream gives the same action as with the list. The
first entries of `out` serve as room for the counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, inline_helper, random
from tactician.games.hero_academy.actions import DISCARD, END_TURN, PLAY, code
from tactician.games.hero_academy.cards import KINDS
from tactician.games.hero_academy.listing import action_on, listed_squares, may_discard, open_squares, targets

_NOTHING = np.uint64(0)


@inline_helper
def draw_action(g: Any, s: Any, player: Any, pruned: Any, early_end: Any, out: Any, rng: Any) -> Any:
    """Write a random entry of `list_actions`, followed by the end of the turn with `early_end`; return how many.

    After each unit and card, in the order of the list, `out` holds how many actions there are so far.
    """
    n, units, parts = 0, 0, 0
    down, held = s.down, _NOTHING
    heroes, foes = s.units[player] & ~down & ~s.crystals, s.units[1 - player] & ~down
    ways = open_squares(g, s, player)
    if s.ap != 0:
        left = heroes
        while left != 0:
            moves, attacks, heals, swaps = targets(g, s, bits.lowest(left), heroes, ways, foes, down)
            left = bits.without_lowest(left)
            n += bits.count(moves | attacks | heals | swaps)
            out[units] = n
            units += 1
        held = cards_held(s, player)
        left, parts = held, units
        while left != 0:
            card = bits.lowest(left)
            left = bits.without_lowest(left)
            n += bits.count(listed_squares(g, s, player, card, pruned)) + may_discard(g, s, player, card, pruned)
            out[parts] = n
            parts += 1
    total = n + int(early_end or n == 0)
    drawn = random.below(rng, total)
    if drawn == n:
        out[0] = END_TURN
        return total
    chosen, before = 0, 0
    while out[chosen] <= drawn:
        before = out[chosen]
        chosen += 1
    drawn -= before
    if chosen < units:
        square = bits.nth(heroes, chosen)
        moves, attacks, heals, swaps = targets(g, s, square, heroes, ways, foes, down)
        out[0] = action_on(square, bits.nth(moves | attacks | heals | swaps, drawn), attacks, heals, swaps)
        return total
    card = bits.nth(held, chosen - units)
    squares = listed_squares(g, s, player, card, pruned)
    if drawn == bits.count(squares):
        out[0] = code(DISCARD, card, 0)
    else:
        out[0] = code(PLAY, card, bits.nth(squares, drawn))
    return total


@inline_helper
def cards_held(s: Any, player: Any) -> Any:
    """Return the kinds of cards in a hand, as a set."""
    held = _NOTHING
    for card in range(KINDS):
        held |= np.uint64(s.hand[player, card] > 0) << np.uint64(card)
    return held
