"""The best-rated candidate without the list of all: most actions of a unit are steps, and few ratings occur among them.

The order is that of `listing`, so that of equal ratings the first in the list is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, inline_helper
from tactician.games.hero_academy.actions import DISCARD, END_TURN, FROM, KIND, MOVE, PLAY, code
from tactician.games.hero_academy.cards import UNIT_KINDS
from tactician.games.hero_academy.choosing import cards_held
from tactician.games.hero_academy.judging import DEPLOY_RATING, SPECIAL_SQUARE_RATING, rate
from tactician.games.hero_academy.listing import kind_of, listed_squares, may_discard, open_squares, targets

_NOTHING, _NOTHING_YET = np.uint64(0), -np.inf


@inline_helper
def prefer_action(g: Any, s: Any, player: Any, pruned: Any, out: Any) -> Any:
    """Write the best-rated entry of `list_actions`, the first of equals; return how many entries there are.

    With learned ratings all actions differ: 0 leaves the choice to whoever asks.
    """
    if g.learned_ratings != 0:
        return 0
    out[0] = END_TURN
    if s.ap == 0:
        return 1
    n, best, best_rating = 0, END_TURN, _NOTHING_YET
    down = s.down
    heroes, foes = s.units[player] & ~down & ~s.crystals, s.units[1 - player] & ~down
    ways, units, held = open_squares(g, s, player), heroes, cards_held(s, player)
    # Units and cards in one loop: what follows is long, and would be compiled twice.
    while units | held != 0:
        attacks, heals, swaps, returns = _NOTHING, _NOTHING, _NOTHING, False
        if units != 0:
            square = bits.lowest(units)
            units = bits.without_lowest(units)
            moves, attacks, heals, swaps = targets(g, s, square, heroes, ways, foes, down)
            first, everything = MOVE * KIND + square * FROM, moves | attacks | heals | swaps
            rated = attacks | heals | moves & down
            target, rating = prefer_step(g, everything & ~rated, swaps)
        else:
            card = bits.lowest(held)
            held = bits.without_lowest(held)
            first, everything = code(PLAY, card, 0), listed_squares(g, s, player, card, pruned)
            returns = may_discard(g, s, player, card, pruned)
            rated = everything if card >= UNIT_KINDS else _NOTHING
            target, rating = 0, _NOTHING_YET
            if everything != rated:
                target, rating = bits.lowest(everything), DEPLOY_RATING
        n += bits.count(everything) + int(returns)
        while rated != 0:
            one = bits.lowest(rated)
            rated = bits.without_lowest(rated)
            of_one = rate(g, s, first + one + KIND * kind_of(one, attacks, heals, swaps))
            if of_one > rating or (of_one == rating and one < target):
                target, rating = one, of_one
        if rating > best_rating:
            best, best_rating = first + target + KIND * kind_of(target, attacks, heals, swaps), rating
        if returns and best_rating < 0.0:
            best, best_rating = code(DISCARD, card, 0), 0.0
    out[0] = best
    return max(n, 1)


@inline_helper
def prefer_step(g: Any, steps: Any, swaps: Any) -> Any:
    """Return the best of a unit's steps and swaps, and its rating; of equals the lowest."""
    special = steps & g.special & ~swaps
    if special != 0:
        return bits.lowest(special), SPECIAL_SQUARE_RATING
    if steps != 0:
        return bits.lowest(steps), 0.0
    return 0, _NOTHING_YET
