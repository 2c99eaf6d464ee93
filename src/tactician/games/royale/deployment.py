"""What a player may do, what planners consider of it, and how a card comes into the arena."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import helper, inline_helper, random
from tactician.games.royale.actions import DEPLOY, RESERVE, WAIT
from tactician.games.royale.arena import (
    COLUMNS,
    DEPLOY_TICKS,
    HAND,
    HEIGHT,
    KING,
    MOST_SPELLS,
    MOST_TROOPS,
    MOST_UNITS_A_CARD,
    PRINCESS_LEFT,
    PRINCESS_RIGHT,
    QUEUE,
    TILE,
    TILES,
    WIDTH,
)
from tactician.games.royale.integers import quotient, root
from tactician.games.royale.records import (
    COOLDOWN,
    DEPLOYING,
    HP,
    KIND,
    MOST_TROOP_TILES,
    NO_CARD,
    NOBODY,
    PLACE_X,
    PLACE_Y,
    SPELL_CARD,
    SPELL_X,
    SPELL_Y,
    TARGET,
    TIMER,
    TOWER_HP,
    UID,
    WAVES,
)
from tactician.games.royale.tables import LEFT_POCKET, OWN_LEFT_FELL, OWN_RIGHT_FELL, RIGHT_POCKET
from tactician.games.royale.terrain import settled
from tactician.native import stack

CANT, CAN_RESERVE, CAN_DEPLOY = range(3)
"""What can be done with a card in hand; CANT: it is affordable but there is no room for it, or it is not seen."""
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


# -- what is legal -----------------------------------------------------------------------------------------------


@inline_helper
def is_forced(s: Any, player: Any) -> Any:
    """Whether a player waits for a card it has reserved."""
    return s.reserved[player] != NO_CARD


@inline_helper
def use_of(g: Any, s: Any, player: Any, card: Any) -> Any:
    """What a player can do with a card in its hand."""
    if card == NO_CARD:
        return CANT
    if s.elixir[player] < g.cost[card]:
        return CAN_RESERVE
    if g.is_spell[card] != 0:
        return CAN_DEPLOY if s.n_spells[player] < MOST_SPELLS else CANT
    return CAN_DEPLOY if s.n_troops[player] <= MOST_TROOPS - MOST_UNITS_A_CARD else CANT


@inline_helper
def tile_variant(s: Any, player: Any) -> Any:
    """Which variant of the legal tiles a player has."""
    own, enemy = player, 1 - player
    variant = OWN_LEFT_FELL * int(s.towers[own, PRINCESS_LEFT, TOWER_HP] == 0)
    variant |= OWN_RIGHT_FELL * int(s.towers[own, PRINCESS_RIGHT, TOWER_HP] == 0)
    variant |= LEFT_POCKET * int(s.towers[enemy, PRINCESS_RIGHT, TOWER_HP] == 0)
    return variant | RIGHT_POCKET * int(s.towers[enemy, PRINCESS_LEFT, TOWER_HP] == 0)


@helper
def list_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Wait; every tile of every card that can be deployed; the reservation of every card that is too expensive."""
    out[0] = WAIT
    n = 1
    if is_forced(s, player):
        return n
    variant = tile_variant(s, player)
    for slot in range(HAND):
        card = int(s.hand[player, slot])
        use = use_of(g, s, player, card)
        if use == CAN_RESERVE:
            out[n] = RESERVE + card
            n += 1
        elif use == CAN_DEPLOY:
            first = DEPLOY + card * TILES
            if g.is_spell[card] != 0:
                for tile in range(TILES):
                    out[n + tile] = first + tile
                n += TILES
            else:
                for i in range(g.n_troop_tiles[variant]):
                    out[n + i] = first + g.troop_tiles[variant, i]
                n += g.n_troop_tiles[variant]
    return n


# -- what planners consider --------------------------------------------------------------------------------------


@helper
def list_candidates(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Wait; some tiles of every card that can be deployed, drawn without replacement; reservations, weighted."""
    out[0] = WAIT
    n = 1
    if is_forced(s, player):
        return n
    variant = tile_variant(s, player)
    # What is left of a partial shuffle is as good a start for the next one: each list of tiles is made at most once.
    troop_tiles, spell_tiles = stack.int16s(MOST_TROOP_TILES), stack.int16s(TILES)
    troops_listed, spells_listed = False, False
    for slot in range(HAND):
        card = int(s.hand[player, slot])
        use = use_of(g, s, player, card)
        if use == CAN_RESERVE:
            for _ in range(g.reserve_arms):
                out[n] = RESERVE + card
                n += 1
        elif use == CAN_DEPLOY and g.is_spell[card] != 0:
            if not spells_listed:
                spells_listed = True
                for tile in range(TILES):
                    spell_tiles[tile] = tile
            n = draw_tiles(g, card, spell_tiles, TILES, out, n, rng)
        elif use == CAN_DEPLOY:
            count = g.n_troop_tiles[variant]
            if not troops_listed:
                troops_listed = True
                for i in range(count):
                    troop_tiles[i] = g.troop_tiles[variant, i]
            n = draw_tiles(g, card, troop_tiles, count, out, n, rng)
    return n


@helper
def draw_tiles(g: Any, card: Any, tiles: Any, count: Any, out: Any, n: Any, rng: Any) -> Any:
    """Draw tiles for a card by shuffling the front of a list; returns the new length of `out`."""
    first = DEPLOY + card * TILES
    drawn = min(g.positions, count)
    word = np.uint64(0)
    for i in range(drawn):
        # A word of the stream serves two draws.
        word = random.next_word(rng) if i & 1 == 0 else np.uint64(word << _HALF)
        k = i + int((word >> _HALF) * np.uint64(count - i) >> _HALF)
        tile = tiles[k]
        tiles[k] = tiles[i]
        tiles[i] = tile
        out[n + i] = first + tile
    return n + drawn


@helper
def draw_candidate(g: Any, s: Any, player: Any, rng: Any) -> Any:
    """One action with the chances that a uniform choice from `list_candidates` gives it, without making the list."""
    if is_forced(s, player):
        return WAIT
    variant = tile_variant(s, player)
    total = 1
    for slot in range(HAND):
        total += arms_of(g, s, player, int(s.hand[player, slot]), variant)
    left = random.below(rng, total) - 1
    if left < 0:
        return WAIT
    for slot in range(HAND):
        card = int(s.hand[player, slot])
        arms = arms_of(g, s, player, card, variant)
        if left < arms:
            return draw_use(g, s, player, card, variant, rng)
        left -= arms
    return WAIT


@inline_helper
def arms_of(g: Any, s: Any, player: Any, card: Any, variant: Any) -> Any:
    """How many entries a card has in the list of candidates."""
    use = use_of(g, s, player, card)
    if use == CAN_RESERVE:
        return g.reserve_arms
    if use == CANT:
        return 0
    return min(g.positions, TILES if g.is_spell[card] != 0 else g.n_troop_tiles[variant])


@inline_helper
def draw_use(g: Any, s: Any, player: Any, card: Any, variant: Any, rng: Any) -> Any:
    """Reserve a card that is too expensive, else deploy it on any legal tile."""
    if s.elixir[player] < g.cost[card]:
        return RESERVE + card
    first = DEPLOY + card * TILES
    if g.is_spell[card] != 0:
        return first + random.below(rng, TILES)
    return first + int(g.troop_tiles[variant, random.below(rng, g.n_troop_tiles[variant])])


# -- what actions do ---------------------------------------------------------------------------------------------


@helper
def carry_out(g: Any, s: Any, standing: Any, player: Any, action: Any) -> None:
    """Do what a player has chosen; the action is legal."""
    if action == WAIT:
        return
    if action < DEPLOY:
        s.reserved[player] = action - RESERVE
        return
    card = (action - DEPLOY) // TILES
    tile = action - DEPLOY - card * TILES
    s.elixir[player] -= g.cost[card]
    cycle(s, player, card)
    x, y = tile % COLUMNS * TILE + TILE // 2, tile // COLUMNS * TILE + TILE // 2
    if g.is_spell[card] != 0:
        cast(g, s, player, card, x, y)
    else:
        spawn(g, s, standing, player, card, x, y)


@inline_helper
def cycle(s: Any, player: Any, card: Any) -> None:
    """The next card of the queue takes the place of a card that was played, which goes to the end of the queue."""
    for slot in range(HAND):
        if s.hand[player, slot] == card:
            s.hand[player, slot] = s.queue[player, 0]
    for i in range(QUEUE - 1):
        s.queue[player, i] = s.queue[player, i + 1]
    s.queue[player, QUEUE - 1] = card


@helper
def cast(g: Any, s: Any, player: Any, card: Any, own_x: Any, own_y: Any) -> None:
    """A spell sets out from the king tower; it arrives the later the farther it flies."""
    x, y = (own_x, own_y) if player == 0 else (WIDTH - own_x, HEIGHT - own_y)
    dx, dy = x - g.tower_x[player, KING], y - g.tower_y[player, KING]
    flight = g.flight[card]
    i = int(s.n_spells[player])
    s.spells[player, i, SPELL_CARD] = card
    s.spells[player, i, SPELL_X] = x
    s.spells[player, i, SPELL_Y] = y
    s.spells[player, i, TIMER] = max(1, quotient(root(dx * dx + dy * dy) + flight - 1, flight))
    s.spells[player, i, WAVES] = g.waves[card]
    s.n_spells[player] = i + 1


@helper
def spawn(g: Any, s: Any, standing: Any, player: Any, card: Any, own_x: Any, own_y: Any) -> None:
    """The units of a card appear around a place, each where the terrain lets it stand, and begin to deploy."""
    tile_x, tile_y = (own_x, own_y) if player == 0 else (WIDTH - own_x, HEIGHT - own_y)
    turn = 1 if player == 0 else -1
    count = g.count[card]
    for unit in range(count):
        x = tile_x + turn * g.offset[count - 1, unit, 0]
        y = tile_y + turn * g.offset[count - 1, unit, 1]
        x, y = settled(g, standing, card, tile_x, tile_y, x, y)
        i = int(s.n_troops[player])
        s.troops[player, i, KIND] = card
        s.troops[player, i, PLACE_X] = x
        s.troops[player, i, PLACE_Y] = y
        s.troops[player, i, HP] = g.hp[card]
        s.troops[player, i, COOLDOWN] = g.first_hit_ticks[card]
        s.troops[player, i, DEPLOYING] = DEPLOY_TICKS
        s.troops[player, i, UID] = s.next_uid[player]
        s.troops[player, i, TARGET] = NOBODY
        s.n_troops[player] = i + 1
        s.next_uid[player] += 1
