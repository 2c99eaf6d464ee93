"""Time: one tick in its phases, many ticks, and the shortcut through times when nothing is in the arena."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.royale.arena import (
    DOUBLE_ELIXIR_TICK,
    KING,
    MOST_ELIXIR,
    MOST_TICKS,
    PLAYERS,
    REGULAR_TICKS,
    TOWERS,
)
from tactician.games.royale.combat import fly_spells, land_strikes, strikes_now, take_aim, take_damage, towers_act
from tactician.games.royale.field import DELAY, END, HP, NEW_X, NEW_Y, SLOTS, SPELL_COUNT, STRIKERS, WAKE, X, Y
from tactician.games.royale.movement import push_apart, settle, walk
from tactician.games.royale.records import (
    KING_KIND,
    NOBODY,
    PRINCESS_KIND,
    TOWER_COOLDOWN,
    TOWER_HP,
    TOWER_TARGET,
)

GOES_ON, DRAWN = -2, -1
"""Instead of a winner."""
ALL_STAND = (1 << PLAYERS * TOWERS) - 1
_OWN = (1 << TOWERS) - 1


# -- the end -----------------------------------------------------------------------------------------------------


@inline_helper
def outcome(standing: Any, tick: Any) -> Any:
    """The winner, DRAWN, or GOES_ON; `standing` has a bit for each tower, player 0's first."""
    if standing >> KING & 1 == 0:
        return DRAWN if standing >> (TOWERS + KING) & 1 == 0 else 1
    if standing >> (TOWERS + KING) & 1 == 0:
        return 0
    if tick < REGULAR_TICKS:
        return GOES_ON
    lead = tower_lead(standing)
    if lead != 0:
        return 0 if lead > 0 else 1
    return DRAWN if tick >= MOST_TICKS else GOES_ON


@inline_helper
def tower_lead(standing: Any) -> Any:
    """How many towers player 0 has more than player 1."""
    lead = 0
    for slot in range(TOWERS):
        lead += (standing >> slot & 1) - (standing >> (TOWERS + slot) & 1)
    return lead


@inline_helper
def towers_standing(s: Any) -> Any:
    """A bit for each tower of a state that stands."""
    standing = 0
    for player in range(PLAYERS):
        for slot in range(TOWERS):
            standing |= int(s.towers[player, slot, TOWER_HP] > 0) << (TOWERS * player + slot)
    return standing


@inline_helper
def towers_on_field(f: Any) -> Any:
    """A bit for each tower of a field that stands."""
    standing = 0
    for player in range(PLAYERS):
        for slot in range(TOWERS):
            standing |= int(f[HP + player * SLOTS + slot] > 0) << (TOWERS * player + slot)
    return standing


# -- ticks -------------------------------------------------------------------------------------------------------


@helper
def run_ticks(g: Any, f: Any, tick: Any, end: Any, until_empty: Any) -> Any:
    """Tick a field from one time to another or to the end of the battle, or until it is empty; the time then."""
    standing = towers_on_field(f)
    while tick < end:
        hurt = f[SPELL_COUNT] + f[SPELL_COUNT + 1] > 0 and fly_spells(g, f)
        strikes = 0
        for player in range(PLAYERS):
            strikes = towers_act(g, f, player, strikes)
            strikes = troops_act(g, f, standing, player, strikes)
        if strikes > 0:
            hurt = True
            land_strikes(g, f, strikes)
        settle(g, f, standing, push_apart(g, f))
        for player in range(PLAYERS):
            f[WAKE + player] -= int(f[WAKE + player] > 0)
        tick += 1
        if hurt:
            take_damage(f)
            standing = towers_on_field(f)
        if (hurt or tick >= REGULAR_TICKS) and outcome(standing, tick) != GOES_ON:
            break
        if until_empty and is_empty(f):
            break
    return tick


@inline_helper
def is_empty(f: Any) -> Any:
    """Whether no troop and no spell is in the arena."""
    return f[END] + f[END + 1] == SLOTS + 2 * TOWERS and f[SPELL_COUNT] + f[SPELL_COUNT + 1] == 0


@helper
def troops_act(g: Any, f: Any, standing: Any, player: Any, strikes: Any) -> Any:
    """The active troops of a player aim, then walk or join the strikers of this tick; returns how many those are."""
    for unit in range(player * SLOTS + TOWERS, int(f[END + player])):
        f[NEW_X + unit], f[NEW_Y + unit] = f[X + unit], f[Y + unit]
        if f[DELAY + unit] > 0:
            continue
        in_range = take_aim(g, f, unit, 1 - player)
        f[STRIKERS + strikes] = unit
        strikes += int(strikes_now(g, f, unit, in_range))
        if not in_range:
            walk(g, f, standing, player, unit)
    return strikes


# -- what time does without a battle -----------------------------------------------------------------------------


@inline_helper
def elixir_after(elixir: Any, tick: Any, later: Any) -> Any:
    """A player's elixir at a later tick; it comes twice as fast from the last minute of regular time on."""
    gained = later - tick + later - min(max(tick, DOUBLE_ELIXIR_TICK), later)
    return min(elixir + gained, MOST_ELIXIR)


@helper
def pass_quietly(g: Any, s: Any, standing: Any, end: Any) -> None:
    """What ticks do to a state without troops and spells: towers lower their weapons, kings wake, until the end."""
    tick = int(s.tick)
    if tick < REGULAR_TICKS and end > REGULAR_TICKS and outcome(standing, REGULAR_TICKS) != GOES_ON:
        end = REGULAR_TICKS
    end = min(end, MOST_TICKS)
    for player in range(PLAYERS):
        for slot in range(TOWERS):
            if s.towers[player, slot, TOWER_HP] == 0:
                continue
            armed = end - tick
            if slot == KING:
                armed = max(armed - int(s.wake[player]), 0) if s.awake[player] != 0 else 0
            if armed > 0:
                s.towers[player, slot, TOWER_TARGET] = NOBODY
                least = g.first_hit_ticks[KING_KIND if slot == KING else PRINCESS_KIND]
                cooldown = int(s.towers[player, slot, TOWER_COOLDOWN])
                s.towers[player, slot, TOWER_COOLDOWN] = min(cooldown, max(cooldown - armed, least))
        s.wake[player] = max(int(s.wake[player]) - (end - tick), 0)
    s.tick = end
