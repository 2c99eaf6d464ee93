"""The scripted player as the rule `policy`: what `script` decides, compiled into searches that take it for a model.

It is written on the state's rows instead of an observation, but reads only what its seat sees. Places are in the frame
of the player. Where the script would deploy a card for which there is no room, it waits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tactician.contract import helper, inline_helper
from tactician.games.royale.actions import WAIT, deployment_code
from tactician.games.royale.arena import (
    COLUMNS,
    DOUBLE_ELIXIR_TICK,
    HAND,
    HEIGHT,
    KING,
    MIDDLE_Y,
    MOST_TICKS,
    PRINCESS_LEFT,
    PRINCESS_RIGHT,
    REGULAR_TICKS,
    ROWS,
    TILE,
    TOWER_PLACES,
    WIDTH,
)
from tactician.games.royale.deployment import CAN_DEPLOY, is_forced, tile_variant, use_of
from tactician.games.royale.records import AIR, GROUND, HP, KIND, NAME_BYTES, NO_CARD, PLACE_X, PLACE_Y, TOWER_HP
from tactician.games.royale.script import (
    AGAINST_AIR,
    AGAINST_FIGHTERS,
    AGAINST_SHOOTERS,
    ANSWER_DISTANCE,
    ATTACK_ELIXIR,
    ATTACK_ELIXIR_DOUBLED,
    BACK_TILES,
    FINAL_TICKS,
    FOLLOW_DISTANCE,
    GUARD_DISTANCE,
    MANY,
    NEARLY,
    SHOOTING_RANGE,
    SPELL_VALUE,
)

_NOTHING = -1
_KING_X, _KING_Y = TOWER_PLACES[KING]
_TOWER_X = tuple(WIDTH - x for x, _ in TOWER_PLACES)
_TOWER_Y = tuple(HEIGHT - y for _, y in TOWER_PLACES)
"""Where the enemy's towers stand, by the slot that their owner counts."""
_FAR = 4 * HEIGHT * HEIGHT
"""More than any squared distance."""


def _letters(names: tuple[str, ...]) -> Any:
    """[names, letters] names as the configuration has them."""
    table = np.zeros((len(names), NAME_BYTES), np.uint8)
    for row, name in zip(table, names, strict=True):
        row[: len(name.encode())] = list(name.encode())
    return table


_FIGHTERS, _FLYERS, _SHOOTERS = map(_letters, (AGAINST_FIGHTERS, AGAINST_AIR, AGAINST_SHOOTERS))


def policy(g: Any, s: Any, player: Any, rng: Any) -> Any:
    """Return what the scripted player does in a state as the rule `policy`; it draws nothing."""
    if is_forced(s, player):
        return WAIT
    action = finish_tower(g, s, player)
    if action == WAIT:
        action = defend(g, s, player)
    return attack(g, s, player) if action == WAIT else action


# -- what can be played ------------------------------------------------------------------------------------------


@inline_helper
def affordable(g: Any, s: Any, player: Any, slot: Any, spell: Any) -> Any:
    """The card in a slot of the hand if the player can pay for it and it is a spell, or is none; else NO_CARD."""
    card = int(s.hand[player, slot])
    if card == NO_CARD or g.cost[card] > s.elixir[player] or (g.is_spell[card] != 0) != spell:
        return NO_CARD
    return card


@inline_helper
def deploy(g: Any, s: Any, player: Any, card: Any, tile: Any) -> Any:
    """The deployment of a card, or WAIT if there is no room for it."""
    return deployment_code(card, tile) if use_of(g, s, player, card) == CAN_DEPLOY else WAIT


@helper
def deploy_near(g: Any, s: Any, player: Any, card: Any, x: Any, y: Any) -> Any:
    """Deploy a troop on the legal tile nearest to a place, of equal ones on the first."""
    variant, nearest, best = tile_variant(s, player), _NOTHING, _FAR
    for i in range(g.n_troop_tiles[variant]):
        tile = int(g.troop_tiles[variant, i])
        gap = squared(tile % COLUMNS * TILE + TILE // 2 - x, tile // COLUMNS * TILE + TILE // 2 - y)
        if gap < best or (gap == best and tile < nearest):
            nearest, best = tile, gap
    return deploy(g, s, player, card, nearest)


# -- towers ------------------------------------------------------------------------------------------------------


@helper
def finish_tower(g: Any, s: Any, player: Any) -> Any:
    """Throw a spell at a tower that it destroys, or at the weakest one when time runs out; the king comes last."""
    enemy = 1 - player
    in_regular = REGULAR_TICKS - FINAL_TICKS <= s.tick < REGULAR_TICKS
    final = in_regular or MOST_TICKS - FINAL_TICKS <= s.tick < MOST_TICKS
    # The right tower, as its owner counts, stands on the left.
    right_first = s.towers[enemy, PRINCESS_RIGHT, TOWER_HP] <= s.towers[enemy, PRINCESS_LEFT, TOWER_HP]
    for i in range(KING + 1):
        target = i if i == KING or not right_first else 1 - i
        hp = int(s.towers[enemy, target, TOWER_HP])
        for slot in range(HAND if hp > 0 else 0):
            card = affordable(g, s, player, slot, True)
            if card != NO_CARD and (final or g.tower_damage[card] * g.waves[card] >= hp):
                return deploy(g, s, player, card, tile_of(_TOWER_X[target], _TOWER_Y[target]))
    return WAIT


# -- defence -----------------------------------------------------------------------------------------------------


@helper
def defend(g: Any, s: Any, player: Any) -> Any:
    """Throw a spell at intruders, or answer the one that is nearest to the own edge and not guarded against."""
    enemy = 1 - player
    for slot in range(HAND):
        card = affordable(g, s, player, slot, True)
        if card != NO_CARD:
            tile = worthwhile_tile(g, s, player, card)
            if tile != _NOTHING:
                return deploy(g, s, player, card, tile)
    last = _NOTHING
    while True:
        intruder = next_intruder(s, player, last)
        if intruder == _NOTHING:
            return WAIT
        card = answer(g, s, player, intruder)
        if card != NO_CARD:
            x, y = own_x(player, s.troops[enemy, intruder, PLACE_X]), own_y(player, s.troops[enemy, intruder, PLACE_Y])
            dx, dy = _KING_X - x, _KING_Y - y
            length = max(1, int(math.sqrt(squared(dx, dy)) + 0.5))
            share = min(ANSWER_DISTANCE, length)
            return deploy_near(g, s, player, card, x + dx * share // length, y + dy * share // length)
        last = intruder


@helper
def next_intruder(s: Any, player: Any, last: Any) -> Any:
    """The intruder after another one in the order of their distance from the own edge, or _NOTHING."""
    found, lowest = _NOTHING, _NOTHING
    after = _NOTHING if last == _NOTHING else distance_order(s, player, last)
    for i in range(s.n_troops[1 - player]):
        key = distance_order(s, player, i)
        if is_intruder(s, player, i) and key > after and (found == _NOTHING or key < lowest):
            found, lowest = i, key
    return found


@inline_helper
def distance_order(s: Any, player: Any, i: Any) -> Any:
    """Enemy troops in the order of y, then x, then their own: a number for one of them."""
    x = own_x(player, s.troops[1 - player, i, PLACE_X])
    y = own_y(player, s.troops[1 - player, i, PLACE_Y])
    return (y * (WIDTH + 1) + x) * s.troops.shape[1] + i


@inline_helper
def is_intruder(s: Any, player: Any, i: Any) -> Any:
    """Whether an enemy troop is on the own side."""
    return own_y(player, s.troops[1 - player, i, PLACE_Y]) < MIDDLE_Y


@helper
def worthwhile_tile(g: Any, s: Any, player: Any, card: Any) -> Any:
    """The tile of the first intruder around which a spell destroys enough, or _NOTHING."""
    enemy = 1 - player
    for i in range(s.n_troops[enemy]):
        if not is_intruder(s, player, i):
            continue
        tile = tile_of(own_x(player, s.troops[enemy, i, PLACE_X]), own_y(player, s.troops[enemy, i, PLACE_Y]))
        killed, worth = 0, 0.0
        for j in range(s.n_troops[enemy]):
            if destroys(g, s, player, card, j, tile):
                killed += 1
                worth += value(g, int(s.troops[enemy, j, KIND]))
        if (g.waves[card] > 1 and killed >= MANY) or (g.waves[card] <= 1 and worth >= SPELL_VALUE):
            return tile
    return _NOTHING


@helper
def destroys(g: Any, s: Any, player: Any, card: Any, i: Any, tile: Any) -> Any:
    """Whether a spell on a tile reaches an enemy troop and leaves next to nothing of it."""
    enemy = 1 - player
    kind = int(s.troops[enemy, i, KIND])
    dx = own_x(player, s.troops[enemy, i, PLACE_X]) - (tile % COLUMNS * TILE + TILE // 2)
    dy = own_y(player, s.troops[enemy, i, PLACE_Y]) - (tile // COLUMNS * TILE + TILE // 2)
    reach = g.burst[card] + g.radius[kind]
    left = int(s.troops[enemy, i, HP]) - g.damage[card] * g.waves[card]
    return squared(dx, dy) <= reach * reach and left * NEARLY <= g.hp[kind]


@helper
def answer(g: Any, s: Any, player: Any, intruder: Any) -> Any:
    """The best card against an intruder; NO_CARD if there is none, or own troops guard against it already."""
    kind = int(s.troops[1 - player, intruder, KIND])
    if is_guarded(g, s, player, intruder):
        return NO_CARD
    best, best_rank = NO_CARD, 0
    for slot in range(HAND):
        card = affordable(g, s, player, slot, False)
        if card == NO_CARD or not can_hit(g, card, kind):
            continue
        if g.air[kind] != 0:
            rank = rank_among(g, card, _FLYERS)
        elif g.reach[kind] > SHOOTING_RANGE:
            rank = rank_among(g, card, _SHOOTERS)
        else:
            rank = rank_among(g, card, _FIGHTERS)
        cheaper = best != NO_CARD and (g.cost[card] < g.cost[best] or (g.cost[card] == g.cost[best] and card < best))
        if best == NO_CARD or rank < best_rank or (rank == best_rank and cheaper):
            best, best_rank = card, rank
    return best


@helper
def is_guarded(g: Any, s: Any, player: Any, intruder: Any) -> Any:
    """Whether own troops near an intruder that can hit it are worth as much as the intruder."""
    kind = int(s.troops[1 - player, intruder, KIND])
    guards = 0.0
    for i in range(s.n_troops[player]):
        own = int(s.troops[player, i, KIND])
        dx = int(s.troops[player, i, PLACE_X]) - int(s.troops[1 - player, intruder, PLACE_X])
        dy = int(s.troops[player, i, PLACE_Y]) - int(s.troops[1 - player, intruder, PLACE_Y])
        if can_hit(g, own, kind) and squared(dx, dy) <= GUARD_DISTANCE * GUARD_DISTANCE:
            guards += value(g, own)
    return guards >= value(g, kind)


# -- attack ------------------------------------------------------------------------------------------------------


@helper
def attack(g: Any, s: Any, player: Any) -> Any:
    """With enough elixir deploy a tank at the back, a shooter behind a tank, or the cheapest troop at the back."""
    if s.elixir[player] < (ATTACK_ELIXIR_DOUBLED if s.tick >= DOUBLE_ELIXIR_TICK else ATTACK_ELIXIR):
        return WAIT
    tank, shooter, cheapest = NO_CARD, NO_CARD, NO_CARD
    for slot in range(HAND):
        card = affordable(g, s, player, slot, False)
        if card == NO_CARD:
            continue
        if tank == NO_CARD and is_tank(g, card):
            tank = card
        if shooter == NO_CARD and g.reach[card] > SHOOTING_RANGE:
            shooter = card
        cost = g.cost[card]
        if cheapest == NO_CARD or cost < g.cost[cheapest] or (cost == g.cost[cheapest] and card < cheapest):
            cheapest = card
    back = BACK_TILES[weaker_lane(s, player)]
    x, y = back % COLUMNS * TILE + TILE // 2, back // COLUMNS * TILE + TILE // 2
    leader = first_tank(g, s, player) if tank == NO_CARD and shooter != NO_CARD else _NOTHING
    if leader != _NOTHING:
        x = own_x(player, s.troops[player, leader, PLACE_X])
        y = own_y(player, s.troops[player, leader, PLACE_Y]) - FOLLOW_DISTANCE
    card = tank if tank != NO_CARD else (shooter if leader != _NOTHING else cheapest)
    return WAIT if card == NO_CARD else deploy_near(g, s, player, card, x, y)


@helper
def first_tank(g: Any, s: Any, player: Any) -> Any:
    """The own tank that is farthest ahead, of equal ones the leftmost, or _NOTHING."""
    found, best_x, best_y = _NOTHING, 0, 0
    for i in range(s.n_troops[player]):
        if is_tank(g, int(s.troops[player, i, KIND])):
            x, y = own_x(player, s.troops[player, i, PLACE_X]), own_y(player, s.troops[player, i, PLACE_Y])
            if found == _NOTHING or y > best_y or (y == best_y and x < best_x):
                found, best_x, best_y = i, x, y
    return found


@inline_helper
def weaker_lane(s: Any, player: Any) -> Any:
    """0 for the left lane, 1 for the right: where the enemy's princess tower is weaker but stands."""
    left = int(s.towers[1 - player, PRINCESS_RIGHT, TOWER_HP])
    right = int(s.towers[1 - player, PRINCESS_LEFT, TOWER_HP])
    if left == 0 or right == 0:
        return int(left == 0 and right > 0)
    return int(right < left)


# -- what cards can do, and where things are ----------------------------------------------------------------------


@helper
def rank_among(g: Any, card: Any, names: Any) -> Any:
    """The place of a card's name among others, or behind them."""
    for place in range(names.shape[0]):
        same = True
        for i in range(NAME_BYTES):
            same = same and g.names[card, i] == names[place, i]
        if same:
            return place
    return names.shape[0]


@inline_helper
def is_tank(g: Any, card: Any) -> Any:
    """Whether a troop strikes towers only."""
    return g.is_spell[card] == 0 and g.hits[card] & (GROUND | AIR) == 0


@inline_helper
def can_hit(g: Any, card: Any, kind: Any) -> Any:
    """Whether a card aims at troops of a kind."""
    return g.hits[card] & (AIR if g.air[kind] != 0 else GROUND) != 0


@inline_helper
def value(g: Any, kind: Any) -> Any:
    """The elixir of one unit of a card."""
    return g.cost[kind] / g.count[kind]


@inline_helper
def own_x(player: Any, x: Any) -> Any:
    """The player's x of a global one."""
    return int(x) if player == 0 else WIDTH - int(x)


@inline_helper
def own_y(player: Any, y: Any) -> Any:
    """The player's y of a global one."""
    return int(y) if player == 0 else HEIGHT - int(y)


@inline_helper
def tile_of(x: Any, y: Any) -> Any:
    """The tile of a place."""
    return min(y // TILE, ROWS - 1) * COLUMNS + min(x // TILE, COLUMNS - 1)


@inline_helper
def squared(dx: Any, dy: Any) -> Any:
    """The square of a distance."""
    return dx * dx + dy * dy
