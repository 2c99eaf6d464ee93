"""Fresh boards: mirrored walls drawn until nearly everything can be reached, and items hidden in the wood."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import helper, random
from tactician.games.pommerman import scratch
from tactician.games.pommerman.blasts import flip_item, hidden_kind
from tactician.games.pommerman.board import (
    AGENT,
    CELLS,
    CELLS_USED,
    HIDDEN_ITEMS,
    PASSAGE,
    PLAYERS,
    RIGID,
    RIGID_WALLS,
    START_AMMO,
    START_BLAST,
    UNREACHED_PASSAGES,
    WOOD,
    WOODEN_WALLS,
)
from tactician.native.records import interpreted_record
from tactician.native.variants import interpreted

_PAIRS, _FIXED = 40, 12
_RIGID_PAIRS, _WOODEN_PAIRS = RIGID_WALLS // 2, (WOODEN_WALLS - _FIXED) // 2
_ITEM_KINDS = 3
_EVERYBODY = (1 << PLAYERS) - 1


def deal(g: Any, s: Any, rng: np.random.Generator) -> None:
    """Fill an empty state with a start position."""
    chance = random.stream(rng.integers(0, 2**32, 4).tolist())
    _begin(interpreted_record(g), interpreted_record(s), chance)


@helper
def begin(g: Any, s: Any, rng: Any) -> None:
    """Fill a state, all zero, with a start position."""
    while True:
        draw_walls(g, s, rng)
        if unreached(g, s) <= UNREACHED_PASSAGES:
            break
    hide_items(s, rng)
    s.alive = _EVERYBODY
    for i in range(PLAYERS):
        s.cell[i], s.ammo[i], s.blast[i] = g.start[i], START_AMMO, START_BLAST


@helper
def draw_walls(g: Any, s: Any, rng: Any) -> None:
    """Pairs of mirrored cells become rigid, then wood; the rest stays passage."""
    for cell in range(CELLS):
        s.board[cell] = g.blank[cell]
    for i in range(_FIXED):
        s.board[g.fixed_wood[i]] = WOOD
    for i in range(PLAYERS):
        s.board[g.start[i]] = AGENT + i
    order = scratch.small_numbers(_PAIRS)
    for i in range(_PAIRS):
        order[i] = i
    for i in range(_RIGID_PAIRS + _WOODEN_PAIRS):
        k = i + random.below(rng, _PAIRS - i)
        pair = int(order[k])
        order[k] = order[i]
        value = RIGID if i < _RIGID_PAIRS else WOOD
        s.board[g.pairs[pair, 0]] = value
        s.board[g.pairs[pair, 1]] = value


@helper
def unreached(g: Any, s: Any) -> Any:
    """How many passages can't be reached from the third player's corner, even with all wood gone."""
    seen = scratch.small_numbers(CELLS)
    todo = scratch.small_numbers(CELLS)
    start = int(g.start[2])
    seen[start] = 1
    todo[0] = start
    first, last = 0, 1
    while first < last:
        cell = int(todo[first])
        first += 1
        for direction in range(1, 5):
            near = cell + g.delta[direction]
            if seen[near] == 0 and s.board[near] != RIGID:
                seen[near] = 1
                todo[last] = near
                last += 1
    missed = 0
    for cell in range(CELLS_USED):
        missed += int(s.board[cell] == PASSAGE and seen[cell] == 0)
    return missed


@helper
def hide_items(s: Any, rng: Any) -> None:
    """Items of random kinds in random wooden walls, one each."""
    wood = scratch.small_numbers(CELLS)
    count = 0
    for cell in range(CELLS_USED):
        if s.board[cell] == WOOD:
            wood[count] = cell
            count += 1
    hidden = 0
    while hidden < HIDDEN_ITEMS:
        cell = int(wood[random.below(rng, count)])
        if hidden_kind(s, cell) == 0:
            flip_item(s, cell, 1 + random.below(rng, _ITEM_KINDS))
            hidden += 1


_begin = interpreted(begin)
