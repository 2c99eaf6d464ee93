"""How troops walk: to a goal, over a bridge if need be, round towers; and how they push each other apart."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.royale.arena import (
    BRIDGE_LANE,
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    KING,
    MIDDLE_X,
    PLAYERS,
    PRINCESS_LEFT,
    PRINCESS_RIGHT,
    RIVER_BOTTOM,
    RIVER_TOP,
    TOWERS,
)
from tactician.games.royale.field import (
    CHUNK,
    DELAY,
    END,
    HP,
    LAYER,
    MARK,
    NEW_X,
    NEW_Y,
    OPEN,
    PUSH_X,
    PUSH_Y,
    RADIUS,
    SLOTS,
    TYPE,
    X,
    Y,
)
from tactician.games.royale.integers import narrow, quotient, root
from tactician.games.royale.terrain import NO_TOWER, bridge_of, clamped, settled, side_of, tower_in_way

_FEW = 8
"""So many troops are compared pair by pair faster than sixteen at a time."""


# -- steps -------------------------------------------------------------------------------------------------------


@inline_helper
def walk(g: Any, f: Any, standing: Any, player: Any, unit: Any) -> None:
    """One step of a troop toward its target, or toward the tower of its lane."""
    mark = int(f[MARK + unit])
    x, y, kind = int(f[X + unit]), int(f[Y + unit]), int(f[TYPE + unit])
    if mark < 0:
        enemy = (1 - player) * SLOTS
        mark = enemy + (PRINCESS_RIGHT if in_left_half(player, x) else PRINCESS_LEFT)
        if f[HP + mark] <= 0:
            mark = enemy + KING
    to_x, to_y = int(f[X + mark]), int(f[Y + mark])
    if g.air[kind] == 0:
        to_x, to_y = waypoint(player, x, y, to_x, to_y)
    speed = g.speed[kind]
    dx, dy = to_x - x, to_y - y
    step_x, step_y = dx, dy
    squared = dx * dx + dy * dy
    if squared > speed * speed:
        if dx == 0:  # straight on, as on most of the way: the same without a root
            step_y = speed if dy > 0 else -speed
        else:
            distance = root(squared)
            step_x, step_y = quotient(dx * speed, distance), quotient(dy * speed, distance)
    if g.air[kind] == 0:
        tower = tower_in_way(g, standing, kind, x + step_x, y + step_y)
        if tower != NO_TOWER:
            step_x, step_y = step_round(g, tower, player, x, y, dx, dy, speed, step_x, step_y)
    f[NEW_X + unit] = x + step_x
    f[NEW_Y + unit] = y + step_y


@inline_helper
def in_left_half(player: Any, x: Any) -> Any:
    """Whether a place is in the left half of a player's own frame; the middle line is in the right one."""
    return x < MIDDLE_X if player == 0 else x > MIDDLE_X


@inline_helper
def waypoint(player: Any, x: Any, y: Any, goal_x: Any, goal_y: Any) -> Any:
    """Where a ground troop heads for on its way to a goal: the goal, or an end of a bridge."""
    here, there = side_of(y), side_of(goal_y)
    if here == there and (here != 0 or bridge_of(x) == bridge_of(goal_x)):
        return goal_x, goal_y
    if here == 0:
        if there == 0:  # on the other bridge: back to the own half first
            there = -1 if player == 0 else 1
        bridge = bridge_of(x)
        return clamped(x, bridge - BRIDGE_LANE, bridge + BRIDGE_LANE), RIVER_BOTTOM - 1 if there < 0 else RIVER_TOP + 1
    left = abs(x - BRIDGE_LEFT) + abs(goal_x - BRIDGE_LEFT)
    right = abs(x - BRIDGE_RIGHT) + abs(goal_x - BRIDGE_RIGHT)
    if left == right:
        bridge = BRIDGE_LEFT if in_left_half(player, x) == (player == 0) else BRIDGE_RIGHT
    else:
        bridge = BRIDGE_LEFT if left < right else BRIDGE_RIGHT
    return clamped(x, bridge - BRIDGE_LANE, bridge + BRIDGE_LANE), RIVER_BOTTOM if here < 0 else RIVER_TOP


@helper
def step_round(
    g: Any, tower: Any, player: Any, x: Any, y: Any, dx: Any, dy: Any, speed: Any, step_x: Any, step_y: Any
) -> Any:
    """A step along the tangent of a tower in the way, on the side that leads on; if in doubt toward the middle."""
    owner, slot = (0, tower) if tower < TOWERS else (1, tower - TOWERS)
    along_x, along_y = g.tower_y[owner, slot] - y, x - g.tower_x[owner, slot]
    ahead = along_x * dx + along_y * dy
    outwards = (x < MIDDLE_X and along_x < 0) or (x > MIDDLE_X and along_x > 0)
    if x == MIDDLE_X:
        outwards = along_x > 0 if player == 0 else along_x < 0
    if ahead < 0 or (ahead == 0 and outwards):
        along_x, along_y = -along_x, -along_y
    distance = root(along_x * along_x + along_y * along_y)
    if distance == 0:
        return step_x, step_y
    return quotient(along_x * speed, distance), quotient(along_y * speed, distance)


# -- crowds ------------------------------------------------------------------------------------------------------


@helper
def push_apart(g: Any, f: Any) -> Any:
    """Sum up how troops of one layer that overlap push each other, from their places after the step; whether any do."""
    few = f[END] + f[END + 1] <= SLOTS + 2 * TOWERS + _FEW
    pushed = few and start_pushing(f)
    for player in range(PLAYERS):
        end = int(f[END + player])
        for unit in range(player * SLOTS + TOWERS, end):
            if few or touches_any(f, player, unit, unit + 1):
                pushed = pushed or start_pushing(f)
                for other in range(unit + 1, end):
                    push_pair(g, f, player, unit, player, other)
            if player == 0 and (few or touches_any(f, 1, unit, SLOTS + TOWERS)):
                pushed = pushed or start_pushing(f)
                for other in range(SLOTS + TOWERS, int(f[END + 1])):
                    push_pair(g, f, 0, unit, 1, other)
    return pushed


@inline_helper
def start_pushing(f: Any) -> Any:
    """Nobody has been pushed in this tick yet."""
    for player in range(PLAYERS):
        for unit in range(player * SLOTS + TOWERS, int(f[END + player])):
            f[PUSH_X + unit], f[PUSH_Y + unit] = 0, 0
    return True


@inline_helper
def touches_any(f: Any, player: Any, unit: Any, first: Any) -> Any:
    """Whether a troop overlaps any troop of a player from a column on."""
    x, y, radius, layer = f[NEW_X + unit], f[NEW_Y + unit], f[RADIUS + unit], f[LAYER + unit]
    for chunk in range(player * SLOTS, int(f[END + player]), CHUNK):
        tightest = narrow(1)
        for i in range(CHUNK):
            other = chunk + i
            dx, dy = narrow(f[NEW_X + other] - x), narrow(f[NEW_Y + other] - y)
            reach = narrow(f[RADIUS + other] + radius)
            gap = narrow(narrow(narrow(dx * dx) + narrow(dy * dy)) - narrow(reach * reach))
            meets = (f[LAYER + other] == layer) & (narrow(i) >= narrow(first - chunk))
            tightest = min(tightest, gap if meets else narrow(1))
        if tightest < 0:
            return True
    return False


@inline_helper
def push_pair(g: Any, f: Any, owner: Any, one: Any, owner_of_other: Any, other: Any) -> None:
    """Push two troops apart if they overlap: half of the overlap goes, the lighter one moves more."""
    dx, dy = int(f[NEW_X + one]) - f[NEW_X + other], int(f[NEW_Y + one]) - f[NEW_Y + other]
    reach = int(f[RADIUS + one]) + f[RADIUS + other]
    squared = dx * dx + dy * dy
    if squared < reach * reach and f[LAYER + one] == f[LAYER + other]:
        mass, other_mass = g.mass[f[TYPE + one]], g.mass[f[TYPE + other]]
        both = 2 * (mass + other_mass)
        if squared > 0:
            distance = root(squared)
            overlap = reach - distance
            f[PUSH_X + one] += quotient(dx * overlap * other_mass, both * distance)
            f[PUSH_Y + one] += quotient(dy * overlap * other_mass, both * distance)
            f[PUSH_X + other] -= quotient(dx * overlap * mass, both * distance)
            f[PUSH_Y + other] -= quotient(dy * overlap * mass, both * distance)
        elif owner == owner_of_other:
            left = -1 if owner == 0 else 1
            f[PUSH_X + one] += left * quotient(reach * other_mass, both)
            f[PUSH_X + other] -= left * quotient(reach * mass, both)
        else:
            down = -1 if owner == 0 else 1
            f[PUSH_Y + one] += down * quotient(reach * other_mass, both)
            f[PUSH_Y + other] -= down * quotient(reach * mass, both)


@helper
def settle(g: Any, f: Any, standing: Any, pushed: Any) -> None:
    """Everybody stands where step and pushes have led, and where troops may stand; deployment is a tick further."""
    for player in range(PLAYERS):
        for unit in range(player * SLOTS + TOWERS, int(f[END + player])):
            x, y = int(f[NEW_X + unit]), int(f[NEW_Y + unit])
            if pushed:
                x += f[PUSH_X + unit]
                y += f[PUSH_Y + unit]
            f[X + unit], f[Y + unit] = settled(
                g, standing, int(f[TYPE + unit]), int(f[X + unit]), int(f[Y + unit]), x, y
            )
            if f[DELAY + unit] > 0:
                f[DELAY + unit] -= 1
                f[OPEN + unit] = f[LAYER + unit] if f[DELAY + unit] == 0 else 0
