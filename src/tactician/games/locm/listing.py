"""Lists of actions: the legal ones in the referee's order, and those that may become legal in a turn."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.locm.actions import ATTACK, PASS, SUMMON, USE, code, decode
from tactician.games.locm.effects import in_hand, in_lane, on_board
from tactician.games.locm.records import (
    BLUE,
    CHARGE,
    CREATURE,
    GREEN,
    GUARD,
    abilities_of,
    can_attack,
    has_attacked,
    id_of,
    lane_of,
)

_NO_ITEM = 100
"""More mana than any player has."""


@helper
def list_legal(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Write summons, attacks, uses and the end of the turn in the referee's order; return how many.

    Whether an action is legal is hard to predict for a processor, so every entry is written and only legal ones are
    counted: an illegal one is overwritten by the next.
    """
    n = list_summons(g, s, player, out)
    if s.units_n[player] > 0:
        n = list_attacks(s, player, out, n)
    n = list_uses(g, s, player, out, n)
    out[n] = PASS
    return n + 1


@inline_helper
def list_summons(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Write summons lane by lane, in the order of the hand; return how many."""
    n = 0
    right = 0
    for i in range(s.units_n[player]):
        right += lane_of(s.units[player, i])
    mana = s.mana[player]
    for lane in range(g.lanes):
        here = right if lane == 1 else s.units_n[player] - right
        if here >= g.lane_size:
            continue
        for i in range(s.hand_n[player]):
            place = s.hand[player, i]
            card = s.deck[player, place]
            out[n] = code(SUMMON, s.deck_id[player, place], lane)
            n += int((g.kind[card] == CREATURE) & (g.cost[card] <= mana))
    return n


@inline_helper
def guarded_lanes(s: Any, owner: Any) -> Any:
    """Return a bit for each lane in which a player has a Guard."""
    lanes = 0
    for i in range(s.units_n[owner]):
        unit = s.units[owner, i]
        lanes |= int(abilities_of(unit) & GUARD != 0) << lane_of(unit)
    return lanes


@inline_helper
def list_attacks(s: Any, player: Any, out: Any, n: Any) -> Any:
    """Write attacks: on the Guards of the lane if there are any, else on the opponent and the lane's creatures."""
    guarded = guarded_lanes(s, 1 - player)
    foes = s.units_n[1 - player]
    for i in range(s.units_n[player]):
        unit = s.units[player, i]
        lane, ready = lane_of(unit), can_attack(unit)
        wall = guarded >> lane & 1
        out[n] = code(ATTACK, id_of(unit), 0)
        n += ready & (1 - wall)
        for j in range(foes):
            foe = s.units[1 - player, j]
            out[n] = code(ATTACK, id_of(unit), id_of(foe) + 1)
            n += ready & int((lane_of(foe) == lane) & ((wall == 0) | (abilities_of(foe) & GUARD != 0)))
    return n


@inline_helper
def list_uses(g: Any, s: Any, player: Any, out: Any, n: Any) -> Any:
    """Write uses of items: green on own creatures, others on the enemy's, blue also on the opponent."""
    mana = s.mana[player]
    for i in range(s.hand_n[player]):
        place = s.hand[player, i]
        card = s.deck[player, place]
        kind = g.kind[card]
        if (kind < GREEN) | (kind > BLUE) | (g.cost[card] > mana):
            continue
        item = s.deck_id[player, place]
        owner = player if kind == GREEN else 1 - player
        for j in range(s.units_n[owner]):
            out[n] = code(USE, item, id_of(s.units[owner, j]) + 1)
            n += 1
        out[n] = code(USE, item, 0)
        n += int(kind == BLUE)
    return n


@helper
def is_listed(g: Any, s: Any, player: Any, action: Any) -> Any:
    """Return whether an action is legal, without making the list."""
    kind, who, where = decode(action)
    if kind == ATTACK:
        return attack_is_legal(s, player, who, where)
    if kind == PASS:
        return action == 0
    if action < 0 or kind > USE:
        return False
    i = in_hand(s, player, who)
    if i < 0:
        return False
    card = s.deck[player, s.hand[player, i]]
    if g.cost[card] > s.mana[player]:
        return False
    if kind == SUMMON:
        return g.kind[card] == CREATURE and where < g.lanes and in_lane(s, player, where) < g.lane_size
    if g.kind[card] < GREEN or g.kind[card] > BLUE:
        return False
    if where == 0:
        return g.kind[card] == BLUE
    return on_board(s, player if g.kind[card] == GREEN else 1 - player, where - 1) >= 0


@helper
def attack_is_legal(s: Any, player: Any, who: Any, where: Any) -> Any:
    """Return whether a creature may attack a target now."""
    i = on_board(s, player, who)
    if i < 0 or can_attack(s.units[player, i]) == 0:
        return False
    lane = lane_of(s.units[player, i])
    wall = guarded_lanes(s, 1 - player) >> lane & 1
    if where == 0:
        return wall == 0
    j = on_board(s, 1 - player, where - 1)
    if j < 0:
        return False
    foe = s.units[1 - player, j]
    return lane_of(foe) == lane and (wall == 0 or abilities_of(foe) & GUARD != 0)


# -- what may become possible ------------------------------------------------------------------------------------


@helper
def list_possible(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Write every action that some order of the turn could make legal: summons, uses, attacks, the end of the turn.

    Lanes may become free, Guards may be killed, creatures in hand may be summoned and get Charge first. Mana never
    grows during a turn, so an action that can't be paid for now is left out, and so are pairs of cards that can't be
    paid for together.
    """
    n = possible_summons(g, s, player, out)
    n = possible_uses(g, s, player, out, n)
    n = possible_attacks(g, s, player, out, n)
    out[n] = PASS
    return n + 1


@inline_helper
def card_in_hand(s: Any, player: Any, i: Any) -> Any:
    """Return the number of card i of a hand."""
    return int(s.deck[player, s.hand[player, i]])


@helper
def possible_summons(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Write summons of each card in hand to every lane; return how many."""
    n = 0
    for i in range(s.hand_n[player]):
        card = card_in_hand(s, player, i)
        if g.kind[card] == CREATURE and g.cost[card] <= s.mana[player]:
            for lane in range(g.lanes):
                out[n] = code(SUMMON, s.deck_id[player, s.hand[player, i]], lane)
                n += 1
    return n


@helper
def possible_uses(g: Any, s: Any, player: Any, out: Any, n: Any) -> Any:
    """Write uses of items on creatures in play, of green ones also on creatures that can be summoned first."""
    for i in range(s.hand_n[player]):
        card = card_in_hand(s, player, i)
        kind = g.kind[card]
        if kind < GREEN or kind > BLUE or g.cost[card] > s.mana[player]:
            continue
        item = s.deck_id[player, s.hand[player, i]]
        if kind == BLUE:
            out[n] = code(USE, item, 0)
            n += 1
        owner = player if kind == GREEN else 1 - player
        for j in range(s.units_n[owner]):
            out[n] = code(USE, item, id_of(s.units[owner, j]) + 1)
            n += 1
        if kind != GREEN:
            continue
        for j in range(s.hand_n[player]):
            other = card_in_hand(s, player, j)
            if g.kind[other] == CREATURE and g.cost[card] + g.cost[other] <= s.mana[player]:
                newcomer = s.deck_id[player, s.hand[player, j]]
                for copy in range(1 + int(g.area[other] != 0)):
                    out[n] = code(USE, item, newcomer + copy + 1)
                    n += 1
    return n


@helper
def possible_attacks(g: Any, s: Any, player: Any, out: Any, n: Any) -> Any:
    """Write attacks by creatures that can attack or may become able to, on the opponent and on their lane."""
    charge_cost = cheapest_charge(g, s, player)
    for i in range(s.units_n[player]):
        unit = s.units[player, i]
        if can_attack(unit) == 1 or (has_attacked(unit) == 0 and charge_cost <= s.mana[player]):
            n = attacks_in(s, player, id_of(unit), lane_of(unit), out, n)
    for i in range(s.hand_n[player]):
        card = card_in_hand(s, player, i)
        if g.kind[card] != CREATURE or g.cost[card] > s.mana[player]:
            continue
        if g.abilities[card] & CHARGE != 0 or g.cost[card] + charge_cost <= s.mana[player]:
            newcomer = int(s.deck_id[player, s.hand[player, i]])
            for copy in range(1 + int(g.area[card] != 0)):
                n = attacks_in(s, player, newcomer + copy, -1, out, n)
    return n


@helper
def cheapest_charge(g: Any, s: Any, player: Any) -> Any:
    """Return the cost of the cheapest item in hand that gives Charge; `_NO_ITEM` if there is none."""
    least = _NO_ITEM
    for i in range(s.hand_n[player]):
        card = card_in_hand(s, player, i)
        if g.kind[card] == GREEN and g.abilities[card] & CHARGE != 0:
            least = min(least, int(g.cost[card]))
    return least


@helper
def attacks_in(s: Any, player: Any, identity: Any, lane: Any, out: Any, n: Any) -> Any:
    """Write attacks of a creature on the opponent and on every creature of a lane; lane -1 means any lane."""
    out[n] = code(ATTACK, identity, 0)
    n += 1
    for j in range(s.units_n[1 - player]):
        foe = s.units[1 - player, j]
        if lane < 0 or lane_of(foe) == lane:
            out[n] = code(ATTACK, identity, id_of(foe) + 1)
            n += 1
    return n


MAX_ACTIONS = 512
"""Bounds every list: 16 summons, 8 items on at most 6 + 16 creatures, 22 attackers on at most 7 targets, the end."""
