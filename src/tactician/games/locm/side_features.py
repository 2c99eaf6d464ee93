"""What a learned evaluation counts of a player's side: health, cards, creatures with what they have left, threats."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper
from tactician.games.locm.effects import MANA_CAP
from tactician.games.locm.judging import item_value, lane_threat
from tactician.games.locm.killing import attack_damage, attack_in, guards_in, hand_damage, kills
from tactician.games.locm.records import (
    BREAKTHROUGH,
    CREATURE,
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
_DAMAGES = ("damage", "race", "kill", "prey", "prey_stats", "free_prey")
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
    "usable_mana",
    "card_quality",
    "attack_defense",
    "attack_squared",
    "no_creatures",
    "full_lanes",
    "next_mana",
    "creature_cards",
    "health_late",
    "cards_late",
    "creature_late",
    "attack_late",
    "defense_late",
    *(f"{when}_{damage}" for when in ("moving", "waiting") for damage in _DAMAGES),
)
"""The features, in order."""
(
    _HEALTH, _LOW, _VERY_LOW, _CARDS, _NO_CARDS, _DRAWS, _ITEMS, _RUNE, _CREATURE, _ATTACK, _DEFENSE, _LESSER, _GUARD,
    _GUARD_DEFENSE, _WARD, _WARD_ATTACK, _LETHAL, _DRAIN, _BREAKTHROUGH, _GUARDED, _HELD, _MOVING,
) = range(22)  # fmt: skip
_WAITING = _MOVING + len(_THREATS)
_UNBLOCKED, _TOTAL, _CAN_KILL = range(len(_THREATS))
(
    _USABLE, _QUALITY, _PRODUCT, _SQUARE, _EMPTY, _FULL, _NEXT_MANA, _CREATURE_CARDS, _HEALTH_LATE, _CARDS_LATE,
    _CREATURE_LATE, _ATTACK_LATE, _DEFENSE_LATE, _MOVING_DAMAGE,
) = range(_WAITING + 3, _WAITING + 17)  # fmt: skip
_WAITING_DAMAGE = _MOVING_DAMAGE + len(_DAMAGES)
_DAMAGE, _RACE, _KILL, _PREY, _PREY_STATS, _FREE_PREY = range(len(_DAMAGES))
_SUMS = (1 << MANA_CAP + 1) - 1
"""A bit for each sum of costs that a player may pay."""
_LATE = 20
"""A game is late after so many turns of both players."""
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
    out[_EMPTY] = float(int(s.units_n[player] == 0))
    count_late(s, out)
    count_hand(g, s, player, out)
    count_damage(g, s, player, out)
    moving = s.player == player
    first = _MOVING if moving else _WAITING
    unblocked = 0.0
    for lane in range(g.lanes):
        guards, creatures = guards_in(s, 1 - player, lane)
        unblocked += lane_threat(s, player, lane, guards)
        own_guards, own = guards_in(s, player, lane)
        out[_GUARDED] += float(int(own_guards > 0))
        out[_HELD] += float(int(own > 0 and creatures == 0))
        out[_FULL] += float(int(own >= g.lane_size))
    out[first + _UNBLOCKED] = unblocked / _TEN
    out[first + _TOTAL] = out[_ATTACK]
    out[first + _CAN_KILL] = float(int(unblocked >= s.hp[1 - player]))


@helper
def count_hand(g: Any, s: Any, player: Any, out: Any) -> None:
    """Count what the cards in hand are worth, and the mana that they can use next turn."""
    cost, sums = 0, 1
    for i in range(s.hand_n[player]):
        card = s.deck[player, s.hand[player, i]]
        cost += g.cost[card]
        sums |= sums << int(g.cost[card]) & _SUMS
        out[_QUALITY] += g.quality[player, card]
        out[_CREATURE_CARDS] += float(int(g.kind[card] == CREATURE))
    out[_USABLE] = min(cost, int(s.max_mana[player])) / _TEN
    mana = min(int(s.mana[player]) if s.player == player else int(s.max_mana[player]) + 1, MANA_CAP)
    while sums >> mana & 1 == 0:
        mana -= 1
    out[_NEXT_MANA] = mana / _TEN


@helper
def count_late(s: Any, out: Any) -> None:
    """Count some features again, the more the later it is in the game."""
    late = min(1.0, s.turn / _LATE)
    out[_HEALTH_LATE] = late * out[_HEALTH]
    out[_CARDS_LATE] = late * out[_CARDS]
    out[_CREATURE_LATE] = late * out[_CREATURE]
    out[_ATTACK_LATE] = late * out[_ATTACK]
    out[_DEFENSE_LATE] = late * out[_DEFENSE]


@helper
def count_prey(s: Any, player: Any, first: Any, out: Any) -> None:
    """Count the enemy creatures that one creature of their lane can kill this turn, or in the player's next one."""
    for j in range(s.units_n[1 - player]):
        foe = s.units[1 - player, j]
        killed, free = False, False
        for i in range(s.units_n[player]):
            if attack_in(s, player, i, lane_of(foe)) > 0 and kills(s.units[player, i], foe):
                killed = True
                free = free or attack_of(foe) == 0 or not kills(foe, s.units[player, i])
        if killed:
            out[first + _PREY] += 1.0
            out[first + _PREY_STATS] += (attack_of(foe) + defense_of(foe)) / _TEN
            out[first + _FREE_PREY] += float(int(free))


@helper
def count_damage(g: Any, s: Any, player: Any, out: Any) -> None:
    """Count the damage of a turn, what part of the opponent's health it is, and whether it surely kills."""
    first = _MOVING_DAMAGE if s.player == player else _WAITING_DAMAGE
    health, damage = max(1, int(s.hp[1 - player])), attack_damage(g, s, player)
    wins = damage >= health
    if not wins and s.player == player:
        wins = damage + hand_damage(g, s, player, health - damage) >= health
    count_prey(s, player, first, out)
    out[first + _DAMAGE] = damage / _TEN
    out[first + _RACE] = min(1.0, damage / health)
    out[first + _KILL] = float(int(wins))


@helper
def count_creature(unit: Any, out: Any) -> None:
    """Count a creature's numbers and abilities."""
    attack, defense, abilities = attack_of(unit) / _TEN, defense_of(unit) / _TEN, abilities_of(unit)
    out[_CREATURE] += 1.0
    out[_ATTACK] += attack
    out[_DEFENSE] += defense
    out[_LESSER] += min(attack, defense)
    out[_PRODUCT] += attack * defense
    out[_SQUARE] += attack * attack
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
