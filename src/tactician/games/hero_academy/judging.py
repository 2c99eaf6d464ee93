"""The heuristics: the value of a side, and the rating of an action before it is tried."""

from __future__ import annotations

from typing import Any

from tactician.contract import bits, helper, inline_helper
from tactician.games.hero_academy.actions import ATTACK, DISCARD, END_TURN, HEAL, MOVE, SWAP, decode
from tactician.games.hero_academy.cards import (
    CHAIN_FACTORS,
    HEAL_FACTOR,
    INFERNO_DAMAGE,
    POTION_HEAL,
    UNIT_KINDS,
    Card,
)
from tactician.games.hero_academy.effects import assault_bonus, damage, direction, next_jump, power

_WIZARD, _INFERNO, _POTION = int(Card.WIZARD), int(Card.INFERNO), int(Card.REVIVE_POTION)

MUST_END = 10000.0
"""The rating of ending the turn when no action points are left."""
DEPLOY_RATING = 200.0
SPECIAL_SQUARE_RATING = 30.0
WIZARD_RATING = 200.0
CODED_REVIVE_RATING = 1400.0
CODED_INFERNO_COST = -500.0
CODED_INFERNO_HIT = 300.0
CODED_POTION_COST = -300.0
ITEM_RATING = 200.0
REMOVE_FACTOR = 2.0
"""Removing a fallen enemy rates at this multiple of its maximum hit points."""
_FIRST_JUMP, _SECOND_JUMP = CHAIN_FACTORS
_JUMPS = len(CHAIN_FACTORS)


@helper
def side_value(g: Any, s: Any, player: Any) -> Any:
    """Return the value of a player's units, including unit cards in hand and deck, without spells."""
    total = 0.0
    standing = s.units[player] & ~s.down
    while standing != 0:
        square = bits.lowest(standing)
        standing = bits.without_lowest(standing)
        kind = s.kind[square]
        total += g.hit_point * s.hp[square] + g.unit_value[0, kind, square] + g.gear_value[0, kind, s.gear[square]]
    fallen = s.units[player] & s.down
    while fallen != 0:
        square = bits.lowest(fallen)
        fallen = bits.without_lowest(fallen)
        kind = s.kind[square]
        total += g.unit_value[1, kind, square] + g.gear_value[1, kind, s.gear[square]]
    for card in range(UNIT_KINDS):
        total += g.card_value[card] * (s.hand[player, card] + s.deck[player, card])
    return total


@helper
def spell_value(g: Any, s: Any, player: Any) -> Any:
    """Return the value of a player's infernos."""
    return g.card_value[_INFERNO] * (s.hand[player, _INFERNO] + s.deck[player, _INFERNO])


@inline_helper
def value_for(g: Any, player: Any, units: Any, spells: Any) -> Any:
    """Return a player's value, given by how much the first player's units and spells are worth more."""
    # Only a constructed position, with far more units than a deck has, is worth more than the bound.
    of_first = max(-g.bound, min(g.bound, units + spells))
    if player == 0:
        return of_first
    # The reference does not negate the spells for the second player.
    return max(-g.bound, min(g.bound, spells - units)) if g.coded_spell_bug != 0 else 0.0 - of_first


@helper
def rate(g: Any, s: Any, action: Any) -> Any:
    """Return the rating of an action in the configured reading."""
    if g.coded_ratings != 0:
        return rate_as_coded(g, s, action)
    return rate_as_printed(g, s, action)


@helper
def rate_as_coded(g: Any, s: Any, action: Any) -> Any:
    """Return the rating that the reference players compute."""
    kind, origin, target = decode(action)
    if kind == END_TURN:
        return MUST_END if s.ap == 0 else 0.0
    if kind == MOVE:
        if bits.has(s.down, target) == 1:
            return REMOVE_FACTOR * max_hp(g, s, target)
        return SPECIAL_SQUARE_RATING * bits.has(g.special, target)
    if kind == ATTACK:
        return power(g, s, origin) + (WIZARD_RATING if s.kind[origin] == _WIZARD else 0.0)
    if kind == HEAL:
        return CODED_REVIVE_RATING if bits.has(s.down, target) == 1 else missing(g, s, target)
    if kind == SWAP or kind == DISCARD:
        return 0.0
    if origin < UNIT_KINDS:
        return DEPLOY_RATING
    if origin == _INFERNO:
        return rate_inferno_as_coded(g, s, target)
    if origin == _POTION:
        if bits.has(s.down, target) == 1:
            return revive_rating(g, s, target)
        return missing(g, s, target) + CODED_POTION_COST
    return float(power(g, s, target)) if missing(g, s, target) == 0.0 else 0.0


@helper
def rate_inferno_as_coded(g: Any, s: Any, target: Any) -> Any:
    """Rate an inferno: a fixed sum for each enemy it hits, for a fallen one a multiple of its hit points."""
    total = CODED_INFERNO_COST
    victims = g.block[target] & s.units[1 - s.player]
    while victims != 0:
        square = bits.lowest(victims)
        victims = bits.without_lowest(victims)
        total += REMOVE_FACTOR * max_hp(g, s, square) if bits.has(s.down, square) == 1 else CODED_INFERNO_HIT
    return total


@helper
def rate_as_printed(g: Any, s: Any, action: Any) -> Any:
    """Return the rating as the paper describes it: damage dealt, hit points healed, enemies removed."""
    kind, origin, target = decode(action)
    if kind == END_TURN:
        return MUST_END if s.ap == 0 else 0.0
    if kind == MOVE:
        return rate_step(g, s, target)
    if kind == ATTACK:
        return attack_damage(g, s, origin, target)
    if kind == HEAL:
        if bits.has(s.units[s.player], target) == 0:
            return rate_step(g, s, target)
        if bits.has(s.down, target) == 1:
            return revive_rating(g, s, target)
        return min(missing(g, s, target), float(HEAL_FACTOR * power(g, s, origin)))
    if kind == SWAP or kind == DISCARD:
        return 0.0
    if origin < UNIT_KINDS:
        return DEPLOY_RATING
    if origin == _INFERNO:
        return inferno_damage(g, s, target)
    if origin == _POTION:
        if bits.has(s.down, target) == 1:
            return revive_rating(g, s, target)
        return min(missing(g, s, target), float(POTION_HEAL))
    return float(power(g, s, target)) * s.hp[target] / max_hp(g, s, target)


@helper
def rate_step(g: Any, s: Any, target: Any) -> Any:
    """Rate a move: onto a fallen enemy by its hit points, else by the kind of square."""
    if bits.has(s.down & s.units[1 - s.player], target) == 1:
        return REMOVE_FACTOR * max_hp(g, s, target)
    return SPECIAL_SQUARE_RATING * bits.has(g.special, target)


@helper
def attack_damage(g: Any, s: Any, origin: Any, target: Any) -> Any:
    """Return the hit points that an attack takes, including its lightning."""
    total = dealt(g, s, target, damage(g, s, origin, target))
    if s.kind[origin] == _WIZARD:
        dx, dy = direction(g, origin, target)
        struck = target
        for jump in range(_JUMPS):
            ex, ey = next_jump(g, s, s.player, struck, dx, dy)
            if ex == 0 and ey == 0:
                break
            struck += ex * g.height + ey
            factor = _FIRST_JUMP if jump == 0 else _SECOND_JUMP
            total += dealt(g, s, struck, float(int(damage(g, s, origin, struck) * factor)))
            dx, dy = ex, ey
    return total


@helper
def dealt(g: Any, s: Any, square: Any, loss: Any) -> Any:
    """Return the hit points that damage takes: with the bonus against crystals, at most what is left."""
    if bits.has(s.crystals, square) == 1:
        loss += assault_bonus(g, s, s.player)
    return min(loss, float(s.hp[square]))


@helper
def inferno_damage(g: Any, s: Any, target: Any) -> Any:
    """Rate an inferno by the hit points it takes and by the fallen enemies it removes."""
    total = 0.0
    victims = g.block[target] & s.units[1 - s.player]
    while victims != 0:
        square = bits.lowest(victims)
        victims = bits.without_lowest(victims)
        if bits.has(s.down, square) == 1:
            total += REMOVE_FACTOR * max_hp(g, s, square)
        else:
            resistance = g.resistance[1, s.kind[square], s.gear[square]]
            total += dealt(g, s, square, INFERNO_DAMAGE * ((100.0 - resistance) / 100.0))
    return total


@helper
def max_hp(g: Any, s: Any, square: Any) -> Any:
    """Return the maximum hit points of the unit on a square."""
    return float(g.max_hp[s.kind[square], s.gear[square]])


@helper
def missing(g: Any, s: Any, square: Any) -> Any:
    """Return the hit points that a unit lacks."""
    return max_hp(g, s, square) - s.hp[square]


@helper
def revive_rating(g: Any, s: Any, square: Any) -> Any:
    """Rate reviving a unit: its maximum hit points, and a sum for each item it carries."""
    return max_hp(g, s, square) + ITEM_RATING * bits.count(s.gear[square])
