"""What a learned evaluation counts of a player's side: health, cards, creatures with what they have left, threats."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper
from tactician.games.locm.judging import item_value, lane_threat
from tactician.games.locm.records import (
    BREAKTHROUGH,
    DRAIN,
    GUARD,
    LETHAL,
    WARD,
    abilities_of,
    attack_of,
    defense_of,
    lane_of,
)

_THREATS = ("unblocked", "attack", "can_kill")
NAMES = (
    "health",
    "low_health",
    "very_low_health",
    "cards",
    "no_cards",
    "draws",
    "item_value",
    "rune",
    "creature",
    "attack",
    "defense",
    "lesser_value",
    "guard",
    "guard_defense",
    "ward",
    "ward_attack",
    "lethal",
    "drain_attack",
    "breakthrough_attack",
    "guarded_lanes",
    "held_lanes",
    *(f"{when}_{threat}" for when in ("moving", "waiting") for threat in _THREATS),
)
"""The features, in order."""
(
    _HEALTH, _LOW, _VERY_LOW, _CARDS, _NO_CARDS, _DRAWS, _ITEMS, _RUNE, _CREATURE, _ATTACK, _DEFENSE, _LESSER, _GUARD,
    _GUARD_DEFENSE, _WARD, _WARD_ATTACK, _LETHAL, _DRAIN, _BREAKTHROUGH, _GUARDED, _HELD, _MOVING,
) = range(22)  # fmt: skip
_WAITING = _MOVING + len(_THREATS)
_UNBLOCKED, _TOTAL, _CAN_KILL = range(len(_THREATS))
_TEN = 10.0
"""Health, attack and defense are counted in tens, so that all features are of the same size."""
_LOW_HEALTH, _VERY_LOW_HEALTH = 12, 6
"""Points of health up to these count more: they are what a few attacks take."""


@helper
def write_features(g: Any, s: Any, player: Any, out: Any) -> None:
    """Write the features of one side into `out`, all 0 before."""
    health, cards = int(s.hp[player]), int(s.hand_n[player])
    out[_HEALTH] = health / _TEN
    out[_LOW] = min(health, _LOW_HEALTH) / _TEN
    out[_VERY_LOW] = min(health, _VERY_LOW_HEALTH) / _TEN
    out[_CARDS] = float(cards)
    out[_NO_CARDS] = float(int(cards == 0))
    out[_DRAWS] = float(s.next_draw[player])
    out[_ITEMS] = item_value(g, s, player) / _TEN
    out[_RUNE] = s.rune[player] / _TEN
    for i in range(s.units_n[player]):
        count_creature(s.units[player, i], out)
    moving = s.player == player
    first = _MOVING if moving else _WAITING
    unblocked = 0.0
    for lane in range(g.lanes):
        guards, creatures = guards_in(s, 1 - player, lane)
        unblocked += lane_threat(s, player, lane, guards)
        own_guards, own = guards_in(s, player, lane)
        out[_GUARDED] += float(int(own_guards > 0))
        out[_HELD] += float(int(own > 0 and creatures == 0))
    out[first + _UNBLOCKED] = unblocked / _TEN
    out[first + _TOTAL] = out[_ATTACK]
    out[first + _CAN_KILL] = float(int(unblocked >= s.hp[1 - player]))


@helper
def count_creature(unit: Any, out: Any) -> None:
    """Count a creature's numbers and abilities."""
    attack, defense, abilities = attack_of(unit) / _TEN, defense_of(unit) / _TEN, abilities_of(unit)
    out[_CREATURE] += 1.0
    out[_ATTACK] += attack
    out[_DEFENSE] += defense
    out[_LESSER] += min(attack, defense)
    if abilities & GUARD != 0:
        out[_GUARD] += 1.0
        out[_GUARD_DEFENSE] += defense
    if abilities & WARD != 0:
        out[_WARD] += 1.0
        out[_WARD_ATTACK] += attack
    if abilities & LETHAL != 0:
        out[_LETHAL] += 1.0
    if abilities & DRAIN != 0:
        out[_DRAIN] += attack
    if abilities & BREAKTHROUGH != 0:
        out[_BREAKTHROUGH] += attack


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
