"""Generate boards: draw mirrored walls until nearly every passage can be reached, then hide items in the wood."""

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
    DIRECTIONS,
    HIDDEN_ITEMS,
    ITEM_KINDS,
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
from tactician.games.pommerman.records import FIXED_WOOD, PAIRS
from tactician.native.records import FieldRecord, interpreted_record
from tactician.native.variants import interpreted

RIGID_PAIRS, WOODEN_PAIRS = RIGID_WALLS // 2, (WOODEN_WALLS - FIXED_WOOD) // 2
_EVERYBODY = (1 << PLAYERS) - 1


def deal(g: FieldRecord, s: FieldRecord, rng: np.random.Generator) -> None:
    """Fill an empty state with a start position."""
    chance = random.stream(rng.integers(0, 2**32, 4).tolist())
    _begin(interpreted_record(g), interpreted_record(s), chance)


@helper
def begin(g: Any, s: Any, rng: Any) -> None:
    """Fill an empty state with a start position."""
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
    """Make random pairs of mirrored cells rigid, others wood; the rest stays passage."""
    for cell in range(CELLS):
        s.board[cell] = g.blank[cell]
    for i in range(FIXED_WOOD):
        s.board[g.fixed_wood[i]] = WOOD
    for i in range(PLAYERS):
        s.board[g.start[i]] = AGENT + i
    order = scratch.small_numbers(PAIRS)
    for i in range(PAIRS):
        order[i] = i
    for i in range(RIGID_PAIRS + WOODEN_PAIRS):
        k = i + random.below(rng, PAIRS - i)
        pair = int(order[k])
        order[k] = order[i]
        value = RIGID if i < RIGID_PAIRS else WOOD
        s.board[g.pairs[pair, 0]] = value
        s.board[g.pairs[pair, 1]] = value


@helper
def unreached(g: Any, s: Any) -> Any:
    """Return how many passages can't be reached from the third player's corner when all wood is removed."""
    seen = scratch.small_numbers(CELLS)
    todo = scratch.small_numbers(CELLS)
    start = int(g.start[2])
    seen[start] = 1
    todo[0] = start
    first, last = 0, 1
    while first < last:
        cell = int(todo[first])
        first += 1
        for direction in range(1, DIRECTIONS + 1):
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
    """Hide items of random kinds in random wooden walls, at most one in each."""
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
            flip_item(s, cell, 1 + random.below(rng, ITEM_KINDS))
            hidden += 1


_begin = interpreted(begin)
