"""What a learned evaluation counts of a player's side: units, equipment, squares, crystals, cards and threats.

A threat is what units could do after one move, whatever stands in the way. Who moves next carries threats out first, so
the threats of that player and of the other are different features. Within a turn the opponent counts as next: actions
are compared by what they leave at the end of the turn.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import bits, helper
from tactician.games.hero_academy.cards import (
    CARD_NAMES,
    CLASS_NAMES,
    DEFENSE_RESISTANCE,
    GEAR_NAMES,
    HEAL_RANGE,
    KINDS,
    UNIT_KINDS,
    Card,
)
from tactician.games.hero_academy.effects import assault_bonus, power
from tactician.games.hero_academy.judging import side_value, spell_value

_CLERIC = int(Card.CLERIC)
_UNITS = CLASS_NAMES[:UNIT_KINDS]
_OF_A_UNIT = ("standing", "health", "fallen")
_THREATS = ("damage", "kills", "single_kills", "crystal_damage", "removals", "revivals")
NAMES = (
    "usual",
    *(f"{unit}_{what}" for unit in _UNITS for what in _OF_A_UNIT),
    *(f"{unit}_with_{item}" for item in GEAR_NAMES for unit in _UNITS),
    "on_assault",
    "on_defense",
    "on_power",
    "on_deploy",
    "distance",
    "crystals",
    "crystal_health",
    "weakest_crystal",
    *(f"{card}_in_hand" for card in CARD_NAMES),
    "units_in_deck",
    "cards_in_deck",
    *(f"{when}_{threat}" for when in ("moving", "waiting") for threat in _THREATS),
)
"""The features, in order; `usual` is the game's usual evaluation of the side."""
_UNIT, _GEAR, _ASSAULT, _DEFENSE, _POWER, _DEPLOY, _DISTANCE, _CRYSTALS, _CRYSTAL_HEALTH, _WEAKEST, _HAND, _DECK = (
    NAMES.index(name)
    for name in (
        f"{_UNITS[0]}_{_OF_A_UNIT[0]}", f"{_UNITS[0]}_with_{GEAR_NAMES[0]}", "on_assault", "on_defense", "on_power",
        "on_deploy", "distance", "crystals", "crystal_health", "weakest_crystal", f"{CARD_NAMES[0]}_in_hand",
        "units_in_deck",
    )
)  # fmt: skip
_MOVING, _WAITING = NAMES.index(f"moving_{_THREATS[0]}"), NAMES.index(f"waiting_{_THREATS[0]}")
_STANDING, _HEALTH, _FALLEN, _EACH = 0, 1, 2, len(_OF_A_UNIT)
_DAMAGE, _KILLS, _SINGLE_KILLS, _CRYSTAL_DAMAGE, _REMOVALS, _REVIVALS = range(len(_THREATS))
_ITEMS = len(GEAR_NAMES)
_THOUSAND, _TEN = 1000.0, 10.0
"""Hit points are counted in thousands and distances in tens, so that all features are of the same size."""
_FAR = 20


@helper
def write_features(g: Any, s: Any, player: Any, out: Any) -> None:
    """Write the features of one side into `out`, all 0 before."""
    out[0] = (side_value(g, s, player) + spell_value(g, s, player)) / _THOUSAND
    count_units(g, s, player, out)
    count_crystals(s, player, out)
    for card in range(KINDS):
        out[_HAND + card] = float(s.hand[player, card])
        out[_DECK + int(card >= UNIT_KINDS)] += float(s.deck[player, card])
    count_threats(g, s, player, out)


@helper
def count_units(g: Any, s: Any, player: Any, out: Any) -> None:
    """Count units, their hit points, their equipment and where they stand."""
    heroes = s.units[player] & ~s.crystals
    fallen = heroes & s.down
    while fallen != 0:
        out[_UNIT + _EACH * s.kind[bits.lowest(fallen)] + _FALLEN] += 1.0
        fallen = bits.without_lowest(fallen)
    standing = heroes & ~s.down
    out[_ASSAULT] = float(bits.count(standing & g.assault))
    out[_DEFENSE] = float(bits.count(standing & g.defense))
    out[_POWER] = float(bits.count(standing & g.power_squares))
    out[_DEPLOY] = float(bits.count(standing & g.deploy[player]))
    while standing != 0:
        square = bits.lowest(standing)
        standing = bits.without_lowest(standing)
        kind, gear = s.kind[square], s.gear[square]
        out[_UNIT + _EACH * kind + _STANDING] += 1.0
        out[_UNIT + _EACH * kind + _HEALTH] += s.hp[square] / _THOUSAND
        out[_DISTANCE] += nearest_crystal(g, s, 1 - player, square) / _TEN
        for item in range(_ITEMS):
            if gear & (1 << item) != 0:
                out[_GEAR + UNIT_KINDS * item + kind] += 1.0


@helper
def nearest_crystal(g: Any, s: Any, owner: Any, square: Any) -> Any:
    """Return the distance from a square to the nearest crystal of a player; far where none is left."""
    nearest = _FAR
    left = s.crystals & s.units[owner]
    while left != 0:
        nearest = min(nearest, int(g.distance[square, bits.lowest(left)]))
        left = bits.without_lowest(left)
    return float(nearest)


@helper
def count_crystals(s: Any, player: Any, out: Any) -> None:
    """Count crystals and their hit points."""
    left = s.crystals & s.units[player]
    weakest = 0.0
    while left != 0:
        health = s.hp[bits.lowest(left)] / _THOUSAND
        left = bits.without_lowest(left)
        out[_CRYSTALS] += 1.0
        out[_CRYSTAL_HEALTH] += health
        weakest = health if weakest == 0.0 else min(weakest, health)
    out[_WEAKEST] = weakest


@helper
def count_threats(g: Any, s: Any, player: Any, out: Any) -> None:
    """Count what the player's standing units could do with one move each."""
    standing = s.units[player] & ~s.down & ~s.crystals
    enemies = s.units[1 - player]
    at_start = s.ap == g.action_points
    first = _MOVING if (s.player == player) == at_start else _WAITING
    bonus = assault_bonus(g, s, player)
    targets = enemies & ~s.down
    while targets != 0:
        target = bits.lowest(targets)
        targets = bits.without_lowest(targets)
        health = float(s.hp[target])
        if bits.has(s.crystals, target) == 1:
            total, _ = strikes(g, s, standing, target, float(bonus))
            out[first + _CRYSTAL_DAMAGE] += min(total, health) / _THOUSAND
        else:
            total, best = strikes(g, s, standing, target, 0.0)
            out[first + _DAMAGE] += min(total, health) / _THOUSAND
            out[first + _KILLS] += int(total >= health)
            out[first + _SINGLE_KILLS] += int(best >= health)
    out[first + _REMOVALS] = within_reach(g, s, standing, enemies & s.down, KINDS, 0)
    fallen = s.units[player] & s.down
    out[first + _REVIVALS] = within_reach(g, s, standing, fallen, _CLERIC, HEAL_RANGE)


@helper
def strikes(g: Any, s: Any, attackers: Any, target: Any, bonus: Any) -> Any:
    """Return the damage that all attackers within reach of a target could do together, and the best of them alone."""
    total, best = 0.0, 0.0
    kind, gear = s.kind[target], s.gear[target]
    cover = DEFENSE_RESISTANCE * bits.has(g.defense, target)
    while attackers != 0:
        attacker = bits.lowest(attackers)
        attackers = bits.without_lowest(attackers)
        unit = s.kind[attacker]
        if g.distance[attacker, target] <= g.speed[unit] + g.attack_range[unit]:
            magical = g.magical_attack[unit]
            resistance = int(g.resistance[magical, kind, gear]) + (cover if magical == 0 else 0)
            factor = max(g.melee_factor[unit], g.ranged_factor[unit])
            damage = float(power(g, s, attacker)) * factor * (100.0 - resistance) / 100.0 + bonus
            total += damage
            best = max(best, damage)
    return total, best


@helper
def within_reach(g: Any, s: Any, units: Any, wanted: Any, kind: Any, distance: Any) -> Any:
    """Return how many of the wanted squares a unit (of a kind; any if there is no such kind) reaches with one move."""
    found = 0.0
    while wanted != 0:
        square = bits.lowest(wanted)
        wanted = bits.without_lowest(wanted)
        left = units
        while left != 0:
            unit = bits.lowest(left)
            left = bits.without_lowest(left)
            fits = kind >= UNIT_KINDS or s.kind[unit] == kind
            if fits and g.distance[unit, square] <= g.speed[s.kind[unit]] + distance:
                found += 1.0
                break
    return found
