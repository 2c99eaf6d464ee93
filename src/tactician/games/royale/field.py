"""The battlefield: everything that moves or stands in the arena, in one block of working memory.

A decision step takes the towers, troops and spells out of the state, runs its ticks on the field and puts them back;
judging a state runs the field to the end and puts nothing back. The field is a list of 32-bit numbers with a row for
each quantity. Each player has SLOTS columns in a row: its towers by slot, then its troops in their order. So
`f[X + unit]` is the place of a unit, and the units of player p are numbered from `p * SLOTS` on.

Whoever looks for enemies or neighbours compares itself with a whole CHUNK of columns at a time, which compiles to a
few vector instructions. Columns without a unit are told by their layers.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.royale.arena import KING, MOST_SPELLS, MOST_TROOPS, PLAYERS, TOWERS
from tactician.games.royale.records import (
    AIR,
    COOLDOWN,
    DEPLOYING,
    GROUND,
    KIND,
    KING_KIND,
    NOBODY,
    PLACE_X,
    PLACE_Y,
    PRINCESS_KIND,
    SPELL_CARD,
    SPELL_X,
    SPELL_Y,
    TARGET,
    TIMER,
    TOWER_COOLDOWN,
    TOWER_HP,
    TOWER_LAYER,
    TOWER_TARGET,
    TROOP,
    UID,
    WAVES,
)
from tactician.games.royale.records import HP as TROOP_HP

CHUNK = 16
SLOTS = 3 * CHUNK
"""Columns of a player in a row: 3 towers, 40 troops, and a few to spare."""
ROW = PLAYERS * SLOTS
TYPE, X, Y, HP, CD, DELAY, NUMBER, AIM, MARK, RADIUS, LAYER, OPEN = (ROW * i for i in range(12))
"""The rows that tell about a unit: kind; place; hit points; ticks to the next strike; ticks until it can act; uid; the
uid it aims at; the unit it aims at, NOBODY also where the target is dead; radius; the layer in which troops are in
each other's way, 0 for towers and where there is no unit; the layer in which it can be aimed at, 0 if it can't be."""
NEW_X, NEW_Y, PUSH_X, PUSH_Y, HURT, GAP = (ROW * i for i in range(12, 18))
"""The rows of the present tick: the place after its step; the sum of pushes; damage; squared distances."""
_AFTER_UNITS = ROW * 18
CAST, IMPACT_X, IMPACT_Y, FLIGHT, LEFT = (_AFTER_UNITS + PLAYERS * MOST_SPELLS * i for i in range(5))
"""Spells in flight: card; place of impact; ticks to it; waves left. Those of player p begin at `p * MOST_SPELLS`."""
_AFTER_SPELLS = _AFTER_UNITS + PLAYERS * MOST_SPELLS * 5
END, SPELL_COUNT, AWAKE, WAKE, CALM = (_AFTER_SPELLS + PLAYERS * i for i in range(5))
"""For each player: the end of its units; how many spells it has in flight; whether its king is awake, and the ticks
until the king is armed; whether its towers are at rest."""
STRIKERS = _AFTER_SPELLS + PLAYERS * 5
"""The units that strike in the present tick."""
FIELD = STRIKERS + ROW
"""The size of a field."""
assert TOWERS + MOST_TROOPS <= SLOTS


@helper
def take_field(g: Any, s: Any, f: Any) -> None:
    """Fill a field from a state."""
    for player in range(PLAYERS):
        first = player * SLOTS
        for column in range(first, first + SLOTS):
            f[LAYER + column], f[OPEN + column] = 0, 0
        take_towers(g, s, f, player, first)
        end = first + TOWERS + int(s.n_troops[player])
        f[END + player] = end
        for unit in range(first + TOWERS, end):
            i = unit - first - TOWERS
            kind = int(s.troops[player, i, KIND])
            delay = int(s.troops[player, i, DEPLOYING])
            layer = AIR if g.air[kind] != 0 else GROUND
            f[TYPE + unit] = kind
            f[X + unit] = s.troops[player, i, PLACE_X]
            f[Y + unit] = s.troops[player, i, PLACE_Y]
            f[HP + unit] = s.troops[player, i, TROOP_HP]
            f[CD + unit] = s.troops[player, i, COOLDOWN]
            f[DELAY + unit] = delay
            f[NUMBER + unit] = s.troops[player, i, UID]
            f[AIM + unit] = s.troops[player, i, TARGET]
            f[RADIUS + unit] = g.radius[kind]
            f[LAYER + unit] = layer
            f[OPEN + unit] = layer if delay == 0 else 0
            f[HURT + unit] = 0
        take_spells(s, f, player)
        f[AWAKE + player] = s.awake[player]
        f[WAKE + player] = s.wake[player]
        f[CALM + player] = 0
    for player in range(PLAYERS):
        for unit in range(player * SLOTS, int(f[END + player])):
            f[MARK + unit] = unit_with(f, 1 - player, int(f[AIM + unit]))


@inline_helper
def take_towers(g: Any, s: Any, f: Any, player: Any, first: Any) -> None:
    """The towers of a player."""
    for slot in range(TOWERS):
        unit = first + slot
        kind = KING_KIND if slot == KING else PRINCESS_KIND
        hp = int(s.towers[player, slot, TOWER_HP])
        f[TYPE + unit] = kind
        f[X + unit] = g.tower_x[player, slot]
        f[Y + unit] = g.tower_y[player, slot]
        f[HP + unit] = hp
        f[CD + unit] = s.towers[player, slot, TOWER_COOLDOWN]
        f[NUMBER + unit] = slot
        f[AIM + unit] = s.towers[player, slot, TOWER_TARGET]
        f[RADIUS + unit] = g.radius[kind]
        f[OPEN + unit] = TOWER_LAYER if hp > 0 else 0
        f[HURT + unit] = 0


@inline_helper
def take_spells(s: Any, f: Any, player: Any) -> None:
    """The spells of a player."""
    f[SPELL_COUNT + player] = s.n_spells[player]
    for i in range(int(s.n_spells[player])):
        spell = player * MOST_SPELLS + i
        f[CAST + spell] = s.spells[player, i, SPELL_CARD]
        f[IMPACT_X + spell] = s.spells[player, i, SPELL_X]
        f[IMPACT_Y + spell] = s.spells[player, i, SPELL_Y]
        f[FLIGHT + spell] = s.spells[player, i, TIMER]
        f[LEFT + spell] = s.spells[player, i, WAVES]


@inline_helper
def unit_with(f: Any, player: Any, uid: Any) -> Any:
    """The living unit of a player with a uid, or NOBODY."""
    if uid < 0:
        return NOBODY
    if uid < TOWERS:
        return player * SLOTS + uid if f[HP + player * SLOTS + uid] > 0 else NOBODY
    for unit in range(player * SLOTS + TOWERS, int(f[END + player])):
        if f[NUMBER + unit] == uid:
            return unit
    return NOBODY


@helper
def put_field(s: Any, f: Any) -> None:
    """Write a field back to the state it was taken from."""
    for player in range(PLAYERS):
        first = player * SLOTS
        for slot in range(TOWERS):
            unit = first + slot
            stands = f[HP + unit] > 0
            s.towers[player, slot, TOWER_HP] = f[HP + unit]
            s.towers[player, slot, TOWER_COOLDOWN] = f[CD + unit] if stands else 0
            s.towers[player, slot, TOWER_TARGET] = f[AIM + unit] if stands else NOBODY
        count = int(f[END + player]) - first - TOWERS
        for i in range(count):
            unit = first + TOWERS + i
            s.troops[player, i, KIND] = f[TYPE + unit]
            s.troops[player, i, PLACE_X] = f[X + unit]
            s.troops[player, i, PLACE_Y] = f[Y + unit]
            s.troops[player, i, TROOP_HP] = f[HP + unit]
            s.troops[player, i, COOLDOWN] = f[CD + unit]
            s.troops[player, i, DEPLOYING] = f[DELAY + unit]
            s.troops[player, i, UID] = f[NUMBER + unit]
            s.troops[player, i, TARGET] = f[AIM + unit]
        for i in range(count, int(s.n_troops[player])):
            for column in range(TROOP):
                s.troops[player, i, column] = 0
        s.n_troops[player] = count
        put_spells(s, f, player)
        s.awake[player] = f[AWAKE + player]
        s.wake[player] = f[WAKE + player]


@inline_helper
def put_spells(s: Any, f: Any, player: Any) -> None:
    """The spells of a player."""
    count = int(f[SPELL_COUNT + player])
    for i in range(count):
        spell = player * MOST_SPELLS + i
        s.spells[player, i, SPELL_CARD] = f[CAST + spell]
        s.spells[player, i, SPELL_X] = f[IMPACT_X + spell]
        s.spells[player, i, SPELL_Y] = f[IMPACT_Y + spell]
        s.spells[player, i, TIMER] = f[FLIGHT + spell]
        s.spells[player, i, WAVES] = f[LEFT + spell]
    for i in range(count, int(s.n_spells[player])):
        for column in range(WAVES + 1):
            s.spells[player, i, column] = 0
    s.n_spells[player] = count
