"""Learned ratings of actions: a weighted sum of features that are cheap to find before an action is tried.

The weights stand in the configuration (`rating_weights`), all 0 unless they were learned: `tactician train-ratings`.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import bits, helper
from tactician.games.hero_academy.actions import ATTACK, DISCARD, END_TURN, HEAL, MOVE, SWAP, decode
from tactician.games.hero_academy.cards import CARD_NAMES, CLASS_NAMES, UNIT_KINDS, Card
from tactician.games.hero_academy.judging import max_hp, missing

_INFERNO, _POTION, _FIRST_ITEM = int(Card.INFERNO), int(Card.REVIVE_POTION), int(Card.RUNEMETAL)
_UNITS = CLASS_NAMES[:UNIT_KINDS]
NAMES = (
    "paper_rating",
    "end_turn",
    "points_left",
    *(f"{unit}_moves" for unit in _UNITS),
    "removes_fallen",
    "to_assault",
    "to_defense",
    "to_power",
    "leaves_special",
    "nearer_to_crystals",
    "enemies_in_reach",
    *(f"{unit}_attacks" for unit in _UNITS),
    "damage",
    "knocks_down",
    "attacks_crystal",
    "heals",
    "healed",
    "revives",
    "swaps",
    "discards",
    *(f"deploys_{unit}" for unit in _UNITS),
    "deploys_nearer",
    "inferno",
    "inferno_damage",
    "potion",
    *(f"equips_{item}" for item in CARD_NAMES[_FIRST_ITEM:]),
    "equips_hurt",
)
"""What the features are, in the order of the weights."""
(
    _PAPER, _END, _LEFT, _MOVES, _REMOVES, _ASSAULT, _DEFENSE, _POWER, _LEAVES, _NEARER, _REACH, _ATTACKS, _DAMAGE,
    _KNOCKS, _AT_CRYSTAL, _HEALS, _HEALED, _REVIVES, _SWAPS, _DISCARDS, _DEPLOYS, _DEPLOYS_NEARER, _AT_INFERNO,
    _INFERNO_DAMAGE, _AT_POTION, _EQUIPS, _EQUIPS_HURT,
) = (
    NAMES.index(name)
    for name in (
        "paper_rating", "end_turn", "points_left", f"{_UNITS[0]}_moves", "removes_fallen", "to_assault", "to_defense",
        "to_power", "leaves_special", "nearer_to_crystals", "enemies_in_reach", f"{_UNITS[0]}_attacks", "damage",
        "knocks_down", "attacks_crystal", "heals", "healed", "revives", "swaps", "discards", f"deploys_{_UNITS[0]}",
        "deploys_nearer", "inferno", "inferno_damage", "potion", f"equips_{CARD_NAMES[_FIRST_ITEM]}", "equips_hurt",
    )
)  # fmt: skip
RATING_WEIGHTS = {name: ("rating_weights", place) for place, name in enumerate(NAMES)}
"""The place of each weight in the configuration."""
_THOUSAND = 1000.0
"""Hit points are counted in thousands, so that all features are of the same size."""
_FAR = 20
_CROWD = 5.0


@helper
def learned_rating(g: Any, s: Any, action: Any, printed: Any) -> Any:
    """Return the weighted sum of an action's features; `printed` is the rating that the paper describes."""
    kind, origin, target = decode(action)
    w = g.rating_weights
    if kind == END_TURN:
        return w[_END] + w[_LEFT] * s.ap
    total = w[_PAPER] * printed / _THOUSAND
    if kind == MOVE:
        return total + rate_move(g, s, origin, target)
    if kind == ATTACK:
        return total + rate_attack(g, s, origin, target, printed)
    if kind == HEAL:
        return total + rate_heal(g, s, target)
    if kind == SWAP:
        return total + w[_SWAPS]
    if kind == DISCARD:
        return total + w[_DISCARDS]
    return total + rate_card(g, s, origin, target, printed)


@helper
def rate_move(g: Any, s: Any, origin: Any, target: Any) -> Any:
    """Rate a step: whose it is, from where and to where."""
    w = g.rating_weights
    enemies = s.units[1 - s.player]
    reach = g.within[g.attack_range[s.kind[origin]], target]
    return (
        w[_MOVES + s.kind[origin]]
        + w[_REMOVES] * bits.has(s.down & enemies, target)
        + w[_ASSAULT] * bits.has(g.assault, target)
        + w[_DEFENSE] * bits.has(g.defense, target)
        + w[_POWER] * bits.has(g.power_squares, target)
        + w[_LEAVES] * bits.has(g.special, origin)
        + w[_NEARER] * (to_crystals(g, s, origin) - to_crystals(g, s, target))
        + w[_REACH] * bits.count(reach & enemies & ~s.down) / _CROWD
    )


@helper
def to_crystals(g: Any, s: Any, square: Any) -> Any:
    """Return the distance to the nearest crystal of the opponent; far where none is left."""
    nearest = _FAR
    left = s.crystals & s.units[1 - s.player]
    while left != 0:
        crystal = bits.lowest(left)
        left = bits.without_lowest(left)
        nearest = min(nearest, int(g.distance[square, crystal]))
    return float(nearest)


@helper
def rate_attack(g: Any, s: Any, origin: Any, target: Any, loss: Any) -> Any:
    """Rate an attack: whose it is and what it does, with the hit points it takes."""
    w = g.rating_weights
    return (
        w[_ATTACKS + s.kind[origin]]
        + w[_DAMAGE] * loss / _THOUSAND
        + w[_KNOCKS] * int(loss >= s.hp[target])
        + w[_AT_CRYSTAL] * bits.has(s.crystals, target)
    )


@helper
def rate_heal(g: Any, s: Any, target: Any) -> Any:
    """Rate what a cleric does for a unit."""
    w = g.rating_weights
    fallen = bits.has(s.down, target)
    return w[_HEALS] + w[_REVIVES] * fallen + w[_HEALED] * (1 - fallen) * missing(g, s, target) / _THOUSAND


@helper
def rate_card(g: Any, s: Any, card: Any, target: Any, printed: Any) -> Any:
    """Rate playing a card; the printed rating of an inferno is its damage."""
    w = g.rating_weights
    if card < UNIT_KINDS:
        return w[_DEPLOYS + card] - w[_DEPLOYS_NEARER] * to_crystals(g, s, target)
    if card == _INFERNO:
        return w[_AT_INFERNO] + w[_INFERNO_DAMAGE] * printed / _THOUSAND
    if card == _POTION:
        fallen = bits.has(s.down, target)
        return w[_AT_POTION] + w[_REVIVES] * fallen + w[_HEALED] * (1 - fallen) * missing(g, s, target) / _THOUSAND
    return w[_EQUIPS + card - _FIRST_ITEM] + w[_EQUIPS_HURT] * missing(g, s, target) / max_hp(g, s, target)
