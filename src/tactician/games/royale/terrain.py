"""Terrain: sides of the river, towers in the way, and projection of places where no troop may stand."""

from __future__ import annotations

from typing import Any

from tactician.contract import inline_helper
from tactician.games.royale.arena import (
    BRIDGE_HALF,
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    HEIGHT,
    KING,
    LEAST_X,
    LEAST_Y,
    MIDDLE_X,
    MIDDLE_Y,
    MOST_X,
    MOST_Y,
    PRINCESS_LEFT,
    PRINCESS_RIGHT,
    RIVER_BOTTOM,
    RIVER_TOP,
    TOWERS,
)
from tactician.games.royale.integers import quotient, root

NO_TOWER = -1


@inline_helper
def side_of(y: Any) -> Any:
    """-1 below the river, 1 above it, 0 on it."""
    return int(y > RIVER_TOP) - int(y < RIVER_BOTTOM)


@inline_helper
def clamped(value: Any, least: Any, most: Any) -> Any:
    """The nearest number in a range."""
    return min(max(value, least), most)


@inline_helper
def tower_in_way(g: Any, standing: Any, kind: Any, x: Any, y: Any) -> Any:
    """The standing tower, as 3 × player + slot, that a ground troop at a place would overlap; else NO_TOWER.

    `standing` has a bit for each tower. Towers are so far apart that a troop touches one at most, and only that in its
    quarter of the arena or the king.
    """
    if y >= g.tower_band and y <= HEIGHT - g.tower_band:
        return NO_TOWER
    owner = 0 if y < MIDDLE_Y else 1
    princess = PRINCESS_LEFT if (x < MIDDLE_X) == (owner == 0) else PRINCESS_RIGHT
    if overlaps(g, standing, owner, princess, kind, x, y):
        return TOWERS * owner + princess
    if overlaps(g, standing, owner, KING, kind, x, y):
        return TOWERS * owner + KING
    return NO_TOWER


@inline_helper
def overlaps(g: Any, standing: Any, owner: Any, slot: Any, kind: Any, x: Any, y: Any) -> Any:
    """Whether a standing tower and a ground troop at a place overlap."""
    dx, dy = x - g.tower_x[owner, slot], y - g.tower_y[owner, slot]
    clearance = g.clearance[slot, kind]
    return dx * dx + dy * dy < clearance * clearance and standing >> (TOWERS * owner + slot) & 1 == 1


@inline_helper
def bridge_of(x: Any) -> Any:
    """The centre line of the bridge on a half of the arena."""
    return BRIDGE_LEFT if x < MIDDLE_X else BRIDGE_RIGHT


@inline_helper
def settled(g: Any, standing: Any, kind: Any, from_x: Any, from_y: Any, x: Any, y: Any) -> Any:
    """Where a troop comes to stand that was at one place and would be at another: terrain projection."""
    x, y = clamped(x, LEAST_X, MOST_X), clamped(y, LEAST_Y, MOST_Y)
    if g.air[kind] != 0:
        return x, y
    tower = tower_in_way(g, standing, kind, x, y)
    if tower != NO_TOWER:
        x, y = beside_tower(g, tower, kind, x, y)
    if y >= RIVER_BOTTOM and y <= RIVER_TOP:
        bridge = bridge_of(x)
        if x < bridge - BRIDGE_HALF or x > bridge + BRIDGE_HALF:
            side = side_of(from_y)
            if side == 0:
                bridge = bridge_of(from_x)
                x = clamped(x, bridge - BRIDGE_HALF, bridge + BRIDGE_HALF)
            else:
                y = RIVER_BOTTOM - 1 if side < 0 else RIVER_TOP + 1
    return x, y


@inline_helper
def beside_tower(g: Any, tower: Any, kind: Any, x: Any, y: Any) -> Any:
    """The place just outside a tower, in the direction of a place inside it."""
    owner, slot = (0, tower) if tower < TOWERS else (1, tower - TOWERS)
    tower_x, tower_y, clearance = g.tower_x[owner, slot], g.tower_y[owner, slot], g.clearance[slot, kind]
    dx, dy = x - tower_x, y - tower_y
    squared = dx * dx + dy * dy
    if squared == 0:
        return tower_x, tower_y + clearance if tower_y < MIDDLE_Y else tower_y - clearance
    distance = root(squared)
    return tower_x + quotient(dx * clearance, distance), tower_y + quotient(dy * clearance, distance)
