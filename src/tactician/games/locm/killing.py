"""The damage that a player surely deals in one turn: by creatures that get past the Guards, and by cards in hand.

It is a lower bound, so whoever can deal the opponent's health has won. It leaves out what takes thought: Guards that
items remove, Guards that fall to more than two attackers, and damage that breaks through.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.locm.records import (
    BLUE,
    CHARGE,
    CREATURE,
    GREEN,
    GUARD,
    LETHAL,
    WARD,
    abilities_of,
    attack_of,
    can_attack,
    defense_of,
    lane_of,
)

_ANY_LOSS = 1 << 40
"""More than any creatures attack with."""


@helper
def attack_damage(g: Any, s: Any, player: Any) -> Any:
    """Return the health that a player's creatures surely take from the opponent in one turn.

    For the player to move these are the creatures that can still attack, for the other one all of them.
    """
    damage = 0
    for lane in range(g.lanes):
        damage += lane_damage(s, player, lane)
    return damage


@helper
def lane_damage(s: Any, player: Any, lane: Any) -> Any:
    """Return what a lane contributes: all attackers without a Guard, else those that are not needed to kill it."""
    total = 0
    for i in range(s.units_n[player]):
        total += attack_in(s, player, i, lane)
    guards, guard = 0, 0
    for j in range(s.units_n[1 - player]):
        foe = s.units[1 - player, j]
        if lane_of(foe) == lane and abilities_of(foe) & GUARD != 0:
            guards, guard = guards + 1, j
    if guards == 0 or total == 0:
        return total
    if guards > 1:
        return damage_past_guards(s, player, lane, total)
    return max(0, total - loss_at_guard(s, player, lane, s.units[1 - player, guard]))


@inline_helper
def attack_in(s: Any, player: Any, i: Any, lane: Any) -> Any:
    """Return the attack of a creature that attacks in a lane in the player's present or next turn, else 0."""
    unit = s.units[player, i]
    ready = can_attack(unit) if s.player == player else 1
    return attack_of(unit) if ready != 0 and lane_of(unit) == lane else 0


@helper
def loss_at_guard(s: Any, player: Any, lane: Any, guard: Any) -> Any:
    """Return the least attack that one or two attackers spend to kill a Guard; a large number if they can't."""
    least = _ANY_LOSS
    for i in range(s.units_n[player]):
        first = attack_in(s, player, i, lane)
        if first == 0 or first >= least:
            continue
        if kills(s.units[player, i], guard):
            least = first
            continue
        warded = abilities_of(guard) & WARD != 0
        left = defense_of(guard) - (0 if warded else first)
        for j in range(s.units_n[player]):
            second = attack_in(s, player, j, lane)
            if j != i and second > 0 and first + second < least:
                lethal = abilities_of(s.units[player, j]) & LETHAL != 0
                least = first + second if lethal or second >= left else least
    return least


@helper
def damage_past_guards(s: Any, player: Any, lane: Any, total: Any) -> Any:
    """Return what is left of the total attack if each of several Guards falls to one attacker; 0 if one doesn't."""
    used = 0
    for j in range(s.units_n[1 - player]):
        guard = s.units[1 - player, j]
        if lane_of(guard) != lane or abilities_of(guard) & GUARD == 0:
            continue
        best, least = -1, _ANY_LOSS
        for i in range(s.units_n[player]):
            attack = attack_in(s, player, i, lane)
            if used >> i & 1 == 0 and 0 < attack < least and kills(s.units[player, i], guard):
                best, least = i, attack
        if best < 0:
            return 0
        used |= 1 << best
        total -= least
    return total


@inline_helper
def kills(unit: Any, foe: Any) -> Any:
    """Return whether a creature with attack kills another in one attack."""
    strong = (attack_of(unit) >= defense_of(foe)) | (abilities_of(unit) & LETHAL != 0)
    return strong & (abilities_of(foe) & WARD == 0)


@helper
def hand_damage(g: Any, s: Any, player: Any, enough: Any) -> Any:
    """Return the health that cards in the mover's hand surely take from the opponent; `enough` is all that matters.

    Cards for which the mana is not enough together are tried in all combinations.
    """
    entrance = room_to_charge(g, s, player)
    open_attacker = has_open_attacker(g, s, player)
    total, cost = 0, 0
    for i in range(s.hand_n[player]):
        damage = card_damage(g, s, player, i, entrance, open_attacker)
        if damage > 0:
            total += damage
            cost += g.cost[s.deck[player, s.hand[player, i]]]
    if total < enough or cost <= s.mana[player]:
        return total
    best = 0
    for chosen in range(1, 1 << s.hand_n[player]):
        total, cost = 0, 0
        for i in range(s.hand_n[player]):
            if chosen >> i & 1 != 0:
                total += card_damage(g, s, player, i, entrance, open_attacker)
                cost += g.cost[s.deck[player, s.hand[player, i]]]
        if cost <= s.mana[player]:
            best = max(best, total)
    return best


@helper
def card_damage(g: Any, s: Any, player: Any, i: Any, entrance: Any, open_attacker: Any) -> Any:
    """Return the damage of a card in hand: its effect, damage to the opponent, a charge, or attack that it adds."""
    card = s.deck[player, s.hand[player, i]]
    kind, effect = g.kind[card], -int(g.enemy_hp[card])
    if g.cost[card] > s.mana[player]:
        return 0
    if kind == BLUE:
        return max(0, effect - g.defense[card])
    if kind == CREATURE:
        if s.units_n[player] >= g.lanes * g.lane_size:
            return 0
        charges = entrance != 0 and g.abilities[card] & CHARGE != 0
        return max(0, effect + (int(g.attack[card]) if charges else 0))
    if kind == GREEN and open_attacker != 0:
        return max(0, effect + int(g.attack[card]))
    return 0


@helper
def room_to_charge(g: Any, s: Any, player: Any) -> Any:
    """Return 1 if a lane without enemy Guards has room for a creature, else 0."""
    for lane in range(g.lanes):
        guards, _ = guards_in(s, 1 - player, lane)
        _, creatures = guards_in(s, player, lane)
        if guards == 0 and creatures < g.lane_size:
            return 1
    return 0


@helper
def has_open_attacker(g: Any, s: Any, player: Any) -> Any:
    """Return 1 if one of the mover's creatures can attack the opponent now, else 0."""
    for i in range(s.units_n[player]):
        unit = s.units[player, i]
        guards, _ = guards_in(s, 1 - player, lane_of(unit))
        if guards == 0 and can_attack(unit) != 0:
            return 1
    return 0


@helper
def guards_in(s: Any, player: Any, lane: Any) -> Any:
    """Return how many Guards, and how many creatures, a player has in a lane."""
    guards, creatures = 0, 0
    for i in range(s.units_n[player]):
        unit = s.units[player, i]
        if lane_of(unit) == lane:
            creatures += 1
            guards += int(abilities_of(unit) & GUARD != 0)
    return guards, creatures
