"""Who strikes whom: spells that land, targets, strikes, and what is left after the damage."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.royale.arena import HEIGHT, KING, MOST_SPELLS, PLAYERS, TOWERS, WAKE_TICKS, WAVE_TICKS
from tactician.games.royale.field import (
    AIM,
    AWAKE,
    CAST,
    CD,
    DELAY,
    END,
    FLIGHT,
    GONE,
    HP,
    HURT,
    IMPACT_X,
    IMPACT_Y,
    LEFT,
    MARK,
    NUMBER,
    ROW,
    SLOTS,
    SPELL_COUNT,
    TYPE,
    WAKE,
    X,
    Y,
)
from tactician.games.royale.records import NOBODY

_FAR = 1 << 40


# -- spells ------------------------------------------------------------------------------------------------------


@helper
def fly_spells(g: Any, f: Any) -> Any:
    """Spells fly on; those that arrive strike every enemy in their circle. Whether anything may have been hurt."""
    landed = False
    for player in range(PLAYERS):
        first = player * MOST_SPELLS
        kept = first
        for spell in range(first, first + f[SPELL_COUNT + player]):
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
    for unit in range(first, f[END + victim]):
        dx, dy = f[X + unit] - x, f[Y + unit] - y
        if dx * dx + dy * dy <= g.burst2[card, f[TYPE + unit]]:
            f[HURT + unit] += g.tower_damage[card] if unit < first + TOWERS else g.damage[card]


# -- targets and strikes -----------------------------------------------------------------------------------------


@helper
def towers_act(g: Any, f: Any, player: Any) -> Any:
    """The armed towers of a player aim and strike. Whether one has struck."""
    struck = False
    enemy = (1 - player) * SLOTS
    end = f[END + 1 - player]
    threatened = is_threatened(g, f, player, enemy + TOWERS, end)
    for slot in range(TOWERS):
        unit = player * SLOTS + slot
        if f[DELAY + unit] != 0 or (slot == KING and (f[AWAKE + player] == 0 or f[WAKE + player] > 0)):
            continue
        if threatened:
            in_range = take_aim(g, f, unit, enemy + TOWERS, end)
            struck |= attack(g, f, unit, in_range, enemy, end)
        else:
            f[AIM + unit], f[MARK + unit] = NOBODY, NOBODY
            f[CD + unit] -= int(f[CD + unit] > g.first_hit_ticks[f[TYPE + unit]])
    return struck


@inline_helper
def is_threatened(g: Any, f: Any, player: Any, first: Any, end: Any) -> Any:
    """Whether an enemy troop is so near to a player's edge that a tower may see it."""
    for unit in range(first, end):
        if (f[Y + unit] if player == 0 else HEIGHT - f[Y + unit]) <= g.threat_y:
            return True
    return False


@helper
def take_aim(g: Any, f: Any, unit: Any, first: Any, end: Any) -> Any:
    """Keep a target in range, else look for the nearest enemy in sight from `first` on. Whether it is in range."""
    kind = f[TYPE + unit]
    x, y = f[X + unit], f[Y + unit]
    mark = f[MARK + unit]
    if mark >= 0:
        dx, dy = f[X + mark] - x, f[Y + mark] - y
        if dx * dx + dy * dy <= g.range2[kind, f[TYPE + mark]]:
            return True
    best, nearest = NOBODY, _FAR
    for other in range(first, end):
        dx, dy = f[X + other] - x, f[Y + other] - y
        squared = dx * dx + dy * dy
        if squared < nearest and squared <= g.sight2[kind, f[TYPE + other]] and f[DELAY + other] == 0:
            best, nearest = other, squared
    f[MARK + unit] = best
    if best < 0:
        f[AIM + unit] = NOBODY
        return False
    f[AIM + unit] = f[NUMBER + best]
    return nearest <= g.range2[kind, f[TYPE + best]]


@inline_helper
def attack(g: Any, f: Any, unit: Any, in_range: Any, enemy: Any, end: Any) -> Any:
    """Count down to the next strike; out of range not below the wait for the first one. Whether it strikes."""
    kind = f[TYPE + unit]
    if not in_range:
        f[CD + unit] -= int(f[CD + unit] > g.first_hit_ticks[kind])
        return False
    if f[CD + unit] > 1:
        f[CD + unit] -= 1
        return False
    f[CD + unit] = g.hit_ticks[kind]
    strike(g, f, kind, f[MARK + unit], enemy, end)
    return True


@helper
def strike(g: Any, f: Any, kind: Any, mark: Any, enemy: Any, end: Any) -> None:
    """Hurt the target, and with splash every other enemy around it."""
    damage = g.damage[kind]
    f[HURT + mark] += damage
    if g.splash[kind] > 0:
        x, y = f[X + mark], f[Y + mark]
        for unit in range(enemy, end):
            dx, dy = f[X + unit] - x, f[Y + unit] - y
            if unit != mark and dx * dx + dy * dy <= g.burst2[kind, f[TYPE + unit]]:
                f[HURT + unit] += damage


# -- damage ------------------------------------------------------------------------------------------------------


@helper
def take_damage(g: Any, f: Any) -> None:
    """Subtract the damage of this tick; kings wake, towers fall, troops die, all at once."""
    for player in range(PLAYERS):
        damage_towers(f, player)
    for player in range(PLAYERS):
        dead = False
        for unit in range(player * SLOTS + TOWERS, f[END + player]):
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
                f[DELAY + unit] = GONE
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
    end = f[END + player]
    enemy = 1 - player
    for unit in range(kept, end):
        if f[HP + unit] <= 0:
            forget(f, enemy, unit)
            continue
        if kept != unit:
            for row in range(TYPE, NUMBER + 1, ROW):
                f[row + kept] = f[row + unit]
            f[AIM + kept], f[MARK + kept], f[HURT + kept] = f[AIM + unit], f[MARK + unit], 0
            for hunter in range(enemy * SLOTS, f[END + enemy]):
                if f[MARK + hunter] == unit:
                    f[MARK + hunter] = kept
        kept += 1
    f[END + player] = kept


@inline_helper
def forget(f: Any, player: Any, target: Any) -> None:
    """The units of a player that aim at a dead target still name its uid, but it is nowhere."""
    for unit in range(player * SLOTS, f[END + player]):
        if f[MARK + unit] == target:
            f[MARK + unit] = NOBODY
