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
    END,
    HP,
    MARK,
    NEW_X,
    NEW_Y,
    PUSH_X,
    PUSH_Y,
    SLOTS,
    TYPE,
    X,
    Y,
)
from tactician.games.royale.integers import quotient, root
from tactician.games.royale.terrain import NO_TOWER, bridge_of, clamped, settled, side_of, tower_in_way


# -- steps -------------------------------------------------------------------------------------------------------


@helper
def walk(g: Any, f: Any, standing: Any, player: Any, unit: Any) -> None:
    """One step of a troop toward its target, or toward the tower of its lane."""
    mark = f[MARK + unit]
    x, y, kind = f[X + unit], f[Y + unit], f[TYPE + unit]
    if mark < 0:
        enemy = (1 - player) * SLOTS
        mark = enemy + (PRINCESS_RIGHT if in_left_half(player, x) else PRINCESS_LEFT)
        if f[HP + mark] <= 0:
            mark = enemy + KING
    to_x, to_y = f[X + mark], f[Y + mark]
    if g.air[kind] == 0:
        to_x, to_y = waypoint(player, x, y, to_x, to_y)
    speed = g.speed[kind]
    dx, dy = to_x - x, to_y - y
    step_x, step_y = dx, dy
    squared = dx * dx + dy * dy
    if squared > speed * speed:
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


@helper
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
def push_apart(g: Any, f: Any) -> None:
    """Sum up how troops of one layer that overlap push each other, from their places after the step."""
    for player in range(PLAYERS):
        end = f[END + player]
        for unit in range(player * SLOTS + TOWERS, end):
            for other in range(unit + 1, end):
                push_pair(g, f, player, unit, player, other)
    for unit in range(TOWERS, f[END]):
        for other in range(SLOTS + TOWERS, f[END + 1]):
            push_pair(g, f, 0, unit, 1, other)


@inline_helper
def push_pair(g: Any, f: Any, owner: Any, one: Any, owner_of_other: Any, other: Any) -> None:
    """Push two troops apart if they overlap: half of the overlap goes, the lighter one moves more."""
    kind, kind_of_other = f[TYPE + one], f[TYPE + other]
    dx, dy = f[NEW_X + one] - f[NEW_X + other], f[NEW_Y + one] - f[NEW_Y + other]
    reach = g.radius[kind] + g.radius[kind_of_other]
    squared = dx * dx + dy * dy
    if squared < reach * reach and g.air[kind] == g.air[kind_of_other]:
        mass, other_mass = g.mass[kind], g.mass[kind_of_other]
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
def settle(g: Any, f: Any, standing: Any) -> None:
    """Everybody stands where step and pushes have led, and where troops may stand."""
    for player in range(PLAYERS):
        for unit in range(player * SLOTS + TOWERS, f[END + player]):
            f[X + unit], f[Y + unit] = settled(
                g,
                standing,
                f[TYPE + unit],
                f[X + unit],
                f[Y + unit],
                f[NEW_X + unit] + f[PUSH_X + unit],
                f[NEW_Y + unit] + f[PUSH_Y + unit],
            )


@helper
def stay(f: Any) -> None:
    """Before anybody steps: everybody stays, nobody is pushed."""
    for player in range(PLAYERS):
        for unit in range(player * SLOTS + TOWERS, f[END + player]):
            f[NEW_X + unit], f[NEW_Y + unit] = f[X + unit], f[Y + unit]
            f[PUSH_X + unit], f[PUSH_Y + unit] = 0, 0


