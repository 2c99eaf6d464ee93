"""A random action without the list of all: how many summons, attacks and uses there are, then the one that was drawn.

The order is that of `listing.list_legal`, so that the same number of the random stream gives the same action as with
the list. Sets hold places in a hand or on a board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, inline_helper, random
from tactician.games.locm.actions import ATTACK, PASS, SUMMON, USE, code
from tactician.games.locm.records import (
    BLUE,
    CREATURE,
    GREEN,
    GUARD_MARK,
    HAND,
    LANE_MARK,
    READY_MARK,
    RED,
    id_of,
    marked,
    marks_of,
)

_NOTHING = np.uint64(0)


@inline_helper
def draw_action(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Write a random entry of the legal list and return how many there are."""
    creatures, green, red, blue = payable(g, s, player)
    ready, right = own_creatures(s, player)
    foes_right, guards = enemy_creatures(s, 1 - player)
    own_n, foes_n = int(s.units_n[player]), int(s.units_n[1 - player])
    foes_left = bits.single(foes_n) - np.uint64(1) & ~foes_right
    left_open = int(own_n - bits.count(right) < g.lane_size)
    right_open = int(bits.count(right) < g.lane_size) & int(g.lanes > 1)
    summons = bits.count(creatures) * (left_open + right_open)
    left_targets, right_targets = count_targets(foes_left, guards), count_targets(foes_right, guards)
    attacks = bits.count(ready & ~right) * left_targets + bits.count(ready & right) * right_targets
    uses = bits.count(green) * own_n + bits.count(red) * foes_n + bits.count(blue) * (foes_n + 1)
    total = summons + attacks + uses + 1
    drawn = random.below(rng, total)
    if drawn < summons:
        second = left_open & int(drawn >= bits.count(creatures))
        place = bits.nth(creatures, drawn - second * bits.count(creatures))
        out[0] = code(SUMMON, s.deck_id[player, s.hand[player, place]], second | (1 - left_open))
    elif drawn < summons + attacks:
        out[0] = drawn_attack(s, player, ready, right, foes_left, foes_right, guards, drawn - summons)
    elif drawn < total - 1:
        out[0] = drawn_use(s, player, green, blue, green | red | blue, drawn - summons - attacks)
    else:
        out[0] = PASS
    return total


@inline_helper
def payable(g: Any, s: Any, player: Any) -> Any:
    """Return the places of creatures and of green, red and blue items in a hand that the player can pay for."""
    mana, found = s.mana[player], _NOTHING
    # Over all places, whether there is a card or not: a processor can't foresee how many there are. Each kind has a
    # part of the word for its places.
    for i in range(HAND):
        card = s.deck[player, s.hand[player, i]]
        found |= np.uint64(g.cost[card] <= mana) << np.uint64(HAND * g.kind[card] + i)
    held = bits.single(s.hand_n[player]) - np.uint64(1)
    return (
        found >> np.uint64(HAND * CREATURE) & held,
        found >> np.uint64(HAND * GREEN) & held,
        found >> np.uint64(HAND * RED) & held,
        found >> np.uint64(HAND * BLUE) & held,
    )


@inline_helper
def own_creatures(s: Any, player: Any) -> Any:
    """Return which of a player's creatures can attack and which are in the right lane; empty places are 0."""
    found = marks_of(s, player, READY_MARK | LANE_MARK)
    return marked(found, READY_MARK), marked(found, LANE_MARK)


@inline_helper
def enemy_creatures(s: Any, owner: Any) -> Any:
    """Return which of the enemy's creatures are in the right lane and which are Guards."""
    found = marks_of(s, owner, LANE_MARK | GUARD_MARK)
    return marked(found, LANE_MARK), marked(found, GUARD_MARK)


@inline_helper
def count_targets(foes: Any, guards: Any) -> Any:
    """Return how many targets a lane has: its Guards if there are any, else the opponent and its creatures."""
    wall = foes & guards
    return bits.count(wall) if wall != 0 else 1 + bits.count(foes)


@inline_helper
def drawn_attack(
    s: Any, player: Any, ready: Any, right: Any, foes_left: Any, foes_right: Any, guards: Any, drawn: Any
) -> Any:
    """Return attack number `drawn` of the list."""
    unit, foes = 0, foes_left
    while True:
        unit = bits.lowest(ready)
        ready = bits.without_lowest(ready)
        foes = foes_right if bits.has(right, unit) == 1 else foes_left
        targets = count_targets(foes, guards)
        if drawn < targets:
            break
        drawn -= targets
    who = id_of(s.units[player, unit])
    wall = foes & guards
    if wall != 0:
        return code(ATTACK, who, id_of(s.units[1 - player, bits.nth(wall, drawn)]) + 1)
    if drawn == 0:
        return code(ATTACK, who, 0)
    return code(ATTACK, who, id_of(s.units[1 - player, bits.nth(foes, drawn - 1)]) + 1)


@inline_helper
def drawn_use(s: Any, player: Any, green: Any, blue: Any, items: Any, drawn: Any) -> Any:
    """Return use number `drawn` of the list: of each item on creatures, and of a blue one on the opponent."""
    place, owner = 0, player
    while True:
        place = bits.lowest(items)
        items = bits.without_lowest(items)
        owner = player if bits.has(green, place) == 1 else 1 - player
        targets = s.units_n[owner] + bits.has(blue, place)
        if drawn < targets:
            break
        drawn -= targets
    item = s.deck_id[player, s.hand[player, place]]
    if drawn == s.units_n[owner]:
        return code(USE, item, 0)
    return code(USE, item, id_of(s.units[owner, drawn]) + 1)
