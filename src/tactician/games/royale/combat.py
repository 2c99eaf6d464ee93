"""Who strikes whom: spells that land, targets, strikes, and what is left after the damage."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.royale.arena import HEIGHT, KING, MOST_SPELLS, PLAYERS, TOWERS, WAKE_TICKS, WAVE_TICKS
from tactician.games.royale.field import (
    AIM,
    AWAKE,
    CALM,
    CAST,
    CD,
    CHUNK,
    END,
    FLIGHT,
    GAP,
    HP,
    HURT,
    IMPACT_X,
    IMPACT_Y,
    LAYER,
    LEFT,
    MARK,
    NUMBER,
    OPEN,
    RADIUS,
    ROW,
    SLOTS,
    SPELL_COUNT,
    STRIKERS,
    TYPE,
    WAKE,
    X,
    Y,
)
from tactician.games.royale.integers import narrow
from tactician.games.royale.records import NOBODY

_FAR = 1 << 30
"""More than any squared distance in the arena at which something happens."""


# -- spells ------------------------------------------------------------------------------------------------------


@helper
def fly_spells(g: Any, f: Any) -> Any:
    """Spells fly on; those that arrive strike every enemy in their circle. Whether anything may have been hurt."""
    landed = False
    for player in range(PLAYERS):
        first = player * MOST_SPELLS
        kept = first
        for spell in range(first, first + int(f[SPELL_COUNT + player])):
            f[FLIGHT + spell] -= 1
            if f[FLIGHT + spell] == 0:
                landed = True
                strike_circle(g, f, 1 - player, f[CAST + spell], f[IMPACT_X + spell], f[IMPACT_Y + spell])
                f[LEFT + spell] -= 1
                f[FLIGHT + spell] = WAVE_TICKS
            if f[LEFT + spell] > 0:
                f[CAST + kept], f[FLIGHT + kept], f[LEFT + kept] = f[CAST + spell], f[FLIGHT + spell], f[LEFT + spell]
                f[IMPACT_X + kept], f[IMPACT_Y + kept] = f[IMPACT_X + spell], f[IMPACT_Y + spell]
                kept += 1
        f[SPELL_COUNT + player] = kept - first
    return landed


@helper
def strike_circle(g: Any, f: Any, victim: Any, card: Any, x: Any, y: Any) -> None:
    """A wave of a spell on everybody of a player, those still deploying included."""
    first = victim * SLOTS
    for unit in range(first, int(f[END + victim])):
        if is_within(f, unit, x, y, g.burst[card]):
            f[HURT + unit] += g.tower_damage[card] if unit < first + TOWERS else g.damage[card]


@inline_helper
def is_within(f: Any, unit: Any, x: Any, y: Any, distance: Any) -> Any:
    """Whether the edge of a unit is within a distance of a place."""
    dx, dy, reach = int(f[X + unit]) - x, int(f[Y + unit]) - y, distance + f[RADIUS + unit]
    return dx * dx + dy * dy <= reach * reach


# -- targets and strikes -----------------------------------------------------------------------------------------


@helper
def towers_act(g: Any, f: Any, player: Any, strikes: Any) -> Any:
    """The armed towers of a player aim, and some join the strikers of this tick; returns how many those are now."""
    if not is_threatened(g, f, player):
        if f[CALM + player] == 0:
            calm_down(g, f, player)
        return strikes
    f[CALM + player] = 0
    for slot in range(TOWERS):
        unit = player * SLOTS + slot
        if is_armed(f, player, slot):
            f[STRIKERS + strikes] = unit
            strikes += int(strikes_now(g, f, unit, take_aim(g, f, unit, 1 - player)))
    return strikes


@inline_helper
def is_armed(f: Any, player: Any, slot: Any) -> Any:
    """Whether a tower stands and, if it is the king's, is fully awake."""
    stands = f[HP + player * SLOTS + slot] > 0
    return stands and (slot != KING or (f[AWAKE + player] != 0 and f[WAKE + player] == 0))


@helper
def calm_down(g: Any, f: Any, player: Any) -> None:
    """No enemy is in sight of a player's towers: they aim at nobody and lower their weapons, until all are at rest."""
    calm = 1
    for slot in range(TOWERS):
        unit = player * SLOTS + slot
        least = g.first_hit_ticks[f[TYPE + unit]]
        if is_armed(f, player, slot):
            f[AIM + unit], f[MARK + unit] = NOBODY, NOBODY
            f[CD + unit] -= int(f[CD + unit] > least)
        if f[HP + unit] > 0 and (f[AIM + unit] != NOBODY or f[CD + unit] > least):
            calm = 0
    f[CALM + player] = calm


@inline_helper
def is_threatened(g: Any, f: Any, player: Any) -> Any:
    """Whether an enemy troop is so near to a player's edge that a tower may see it."""
    enemy = 1 - player
    for unit in range(enemy * SLOTS + TOWERS, int(f[END + enemy])):
        if (f[Y + unit] if player == 0 else HEIGHT - f[Y + unit]) <= g.threat_y:
            return True
    return False


@inline_helper
def take_aim(g: Any, f: Any, unit: Any, enemy: Any) -> Any:
    """Keep a target in range, else aim at the nearest enemy in sight. Whether the target is in range."""
    kind, x, y = int(f[TYPE + unit]), int(f[X + unit]), int(f[Y + unit])
    mark = int(f[MARK + unit])
    if mark >= 0 and is_within(f, mark, x, y, g.reach[kind]):
        return True
    mark = nearest_in_sight(f, enemy, x, y, g.sight[kind], g.hits[kind])
    f[MARK + unit] = mark
    if mark < 0:
        f[AIM + unit] = NOBODY
        return False
    f[AIM + unit] = f[NUMBER + mark]
    return is_within(f, mark, x, y, g.reach[kind])


@inline_helper
def nearest_in_sight(f: Any, enemy: Any, x: Any, y: Any, sight: Any, hits: Any) -> Any:
    """The unit of a player that is nearest to a place, of those in sight that can be hit; the first of equals."""
    end = int(f[END + enemy])
    for first in range(enemy * SLOTS, end, CHUNK):
        nearest = measure_chunk(f, first, x, y, sight, hits)
        if end - first > CHUNK:  # a second chunk: rare, so it is asked for here and not first
            return nearest_of_many(f, enemy, x, y, sight, hits)
        if nearest < _FAR:
            unit = first
            while f[GAP + unit] != nearest:
                unit += 1
            return unit
    return NOBODY


@inline_helper
def measure_chunk(f: Any, first: Any, x: Any, y: Any, sight: Any, hits: Any) -> Any:
    """Leave the squared distances of sixteen columns in GAP, _FAR for what is not in sight; returns the least."""
    nearest = narrow(_FAR)
    for unit in range(first, first + CHUNK):
        dx, dy = narrow(f[X + unit] - x), narrow(f[Y + unit] - y)
        reach = narrow(f[RADIUS + unit] + sight)
        squared = narrow(narrow(dx * dx) + narrow(dy * dy))
        seen = (squared <= narrow(reach * reach)) & (narrow(f[OPEN + unit] & hits) != 0)
        gap = squared if seen else narrow(_FAR)
        f[GAP + unit] = gap
        nearest = min(nearest, gap)
    return nearest


@helper
def nearest_of_many(f: Any, enemy: Any, x: Any, y: Any, sight: Any, hits: Any) -> Any:
    """The same for a player whose units fill more than one chunk."""
    best, nearest = NOBODY, _FAR
    for first in range(enemy * SLOTS, int(f[END + enemy]), CHUNK):
        least = int(measure_chunk(f, first, x, y, sight, hits))
        if least < nearest:
            nearest, best = least, first
            while f[GAP + best] != least:
                best += 1
    return best


@inline_helper
def strikes_now(g: Any, f: Any, unit: Any, in_range: Any) -> Any:
    """Count down to the next strike; out of range not below the wait for the first one. Whether it strikes."""
    kind = int(f[TYPE + unit])
    if not in_range:
        f[CD + unit] -= int(f[CD + unit] > g.first_hit_ticks[kind])
        return False
    if f[CD + unit] > 1:
        f[CD + unit] -= 1
        return False
    f[CD + unit] = g.hit_ticks[kind]
    return True


@helper
def land_strikes(g: Any, f: Any, count: Any) -> None:
    """The strikers hurt their targets, and with splash every other enemy around those."""
    for i in range(count):
        unit = int(f[STRIKERS + i])
        kind, mark = int(f[TYPE + unit]), int(f[MARK + unit])
        damage = g.damage[kind]
        f[HURT + mark] += damage
        if g.burst[kind] > 0:
            x, y = int(f[X + mark]), int(f[Y + mark])
            enemy = 0 if mark < SLOTS else 1
            for other in range(enemy * SLOTS, int(f[END + enemy])):
                if other != mark and is_within(f, other, x, y, g.burst[kind]):
                    f[HURT + other] += damage


# -- damage ------------------------------------------------------------------------------------------------------


@helper
def take_damage(f: Any) -> None:
    """Subtract the damage of this tick; kings wake, towers fall, troops die, all at once."""
    for player in range(PLAYERS):
        damage_towers(f, player)
    for player in range(PLAYERS):
        dead = False
        for unit in range(player * SLOTS + TOWERS, int(f[END + player])):
            f[HP + unit] -= f[HURT + unit]
            f[HURT + unit] = 0
            dead |= f[HP + unit] <= 0
        if dead:
            bury(f, player)


@inline_helper
def damage_towers(f: Any, player: Any) -> None:
    """A king that is hurt or loses a princess tower wakes up."""
    first = player * SLOTS
    wakes = f[HURT + first + KING] > 0 and f[HP + first + KING] > 0
    for slot in range(TOWERS):
        unit = first + slot
        if f[HURT + unit] > 0 and f[HP + unit] > 0:
            f[HP + unit] -= f[HURT + unit]
            if f[HP + unit] <= 0:
                f[HP + unit] = 0
                f[OPEN + unit] = 0
                wakes |= slot != KING
                forget(f, 1 - player, unit)
        f[HURT + unit] = 0
    if wakes and f[AWAKE + player] == 0:
        f[AWAKE + player] = 1
        f[WAKE + player] = WAKE_TICKS


@helper
def bury(f: Any, player: Any) -> None:
    """Take dead troops out of a player's list; the others move up, and those who aim at them know where they are."""
    kept = player * SLOTS + TOWERS
    end = int(f[END + player])
    enemy = 1 - player
    for unit in range(kept, end):
        if f[HP + unit] <= 0:
            forget(f, enemy, unit)
            continue
        if kept != unit:
            for row in range(TYPE, OPEN + 1, ROW):
                f[row + kept] = f[row + unit]
            for hunter in range(enemy * SLOTS, int(f[END + enemy])):
                if f[MARK + hunter] == unit:
                    f[MARK + hunter] = kept
        kept += 1
    for unit in range(kept, end):
        f[LAYER + unit], f[OPEN + unit] = 0, 0
    f[END + player] = kept


@inline_helper
def forget(f: Any, player: Any, target: Any) -> None:
    """The units of a player that aim at a dead target still name its uid, but it is nowhere."""
    for unit in range(player * SLOTS, int(f[END + player])):
        if f[MARK + unit] == target:
            f[MARK + unit] = NOBODY
