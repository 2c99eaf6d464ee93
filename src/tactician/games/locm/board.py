"""An evaluation of what is on the table now: both players' health, creatures with their abilities, and cards.

The paper's heuristic counts printed numbers, so damage, items on creatures and a lost Ward are invisible to it. This
one counts what creatures have left, for both sides, and is the difference of the two.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import helper
from tactician.games.locm.records import (
    BREAKTHROUGH,
    DRAIN,
    GUARD,
    LETHAL,
    WARD,
    abilities_of,
    attack_of,
    defense_of,
)

LOW_HEALTH = 12
"""Points of health up to this one count more: they are what a few attacks take."""


@helper
def board_features(g: Any, s: Any, player: Any) -> Any:
    """Return the weighted sum of one side's features, in the order of `BOARD_FEATURES`."""
    w = g.board_weights
    value = w[0] * s.hp[player] + w[1] * min(s.hp[player], LOW_HEALTH)
    value += w[2] * (s.hand_n[player] + s.next_draw[player])
    for i in range(s.units_n[player]):
        value += creature_value(g, s.units[player, i])
    return value + w[13] * s.rune[player]


@helper
def creature_value(g: Any, unit: Any) -> Any:
    """Return what a creature on the board is worth."""
    w = g.board_weights
    attack, defense, abilities = attack_of(unit), defense_of(unit), abilities_of(unit)
    value = w[3] + w[4] * attack + w[5] * defense
    if abilities & GUARD != 0:
        value += w[6] + w[7] * defense
    if abilities & WARD != 0:
        value += w[8] + w[9] * attack
    if abilities & LETHAL != 0:
        value += w[10]
    if abilities & DRAIN != 0:
        value += w[11] * attack
    if abilities & BREAKTHROUGH != 0:
        value += w[12] * attack
    return value
