"""What actions that only place units will be worth, without trying them: steps, swaps, deployments, card swaps.

The evaluation is a sum over units and cards, so such an action changes it by a look-up or two. That gives the same
number as the whole sum only if no sum is rounded: `exact_values` of the configuration tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, inline_helper
from tactician.games.hero_academy.actions import DISCARD, MOVE, PLAY, SWAP, decode
from tactician.games.hero_academy.cards import UNIT_KINDS
from tactician.games.hero_academy.judging import side_value, spell_value, value_for

_UNKNOWN = np.nan


@inline_helper
def foresee_values(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    """Write what the evaluation will be for the mover after each of n actions, NaN where that must be tried."""
    player = s.player
    first, second = side_value(g, s, 0), side_value(g, s, 1)
    spells = spell_value(g, s, 0) - spell_value(g, s, 1)
    for i in range(n):
        kind, origin, target = decode(actions[i])
        gain = _UNKNOWN
        if kind == MOVE or kind == SWAP:
            gain = step_gain(g, s, origin, target)
            if kind == SWAP:
                gain += step_gain(g, s, target, origin)
        elif kind == DISCARD:
            gain = 0.0
        elif kind == PLAY and origin < UNIT_KINDS:
            unit = g.hit_point * g.max_hp[origin, 0] + g.unit_value[0, origin, target] + g.gear_value[0, origin, 0]
            gain = unit - g.card_value[origin]
        units = first + gain - second if player == 0 else first - (second + gain)
        # Who steps on a fallen unit removes it.
        tried = g.exact_values == 0 or gain != gain or bits.has(s.down, target) == 1
        out[i] = _UNKNOWN if tried else value_for(g, player, units, spells)


@inline_helper
def step_gain(g: Any, s: Any, origin: Any, target: Any) -> Any:
    """Return by how much the unit on one square is worth more on another."""
    kind = s.kind[origin]
    return g.unit_value[0, kind, target] - g.unit_value[0, kind, origin]
