"""Generate boards: draw mirrored walls until nearly every passage can be reached, then hide items in the wood."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, helper, random
from tactician.games.pommerman import scratch
from tactician.games.pommerman.blasts import flip_item, hidden_kind
from tactician.games.pommerman.board import (
    AGENT,
    CELLS,
    HIDDEN_ITEMS,
    ITEM_KINDS,
    PLAYERS,
    RIGID,
    RIGID_WALLS,
    START_AMMO,
    START_BLAST,
    STRIDE,
    UNREACHED_PASSAGES,
    WOOD,
    WOODEN_WALLS,
)
from tactician.games.pommerman.records import FIXED_WOOD, PAIRS, SET_WORDS
from tactician.native.records import FieldRecord, interpreted_record
from tactician.native.variants import interpreted

RIGID_PAIRS, WOODEN_PAIRS = RIGID_WALLS // 2, (WOODEN_WALLS - FIXED_WOOD) // 2
_EVERYBODY = (1 << PLAYERS) - 1
_WORD_BITS = 64
_NOTHING, _ONE, _ROW = np.uint64(0), np.uint64(1), np.uint64(STRIDE)
_LAST, _BEFORE_ROW = np.uint64(_WORD_BITS - 1), np.uint64(_WORD_BITS - STRIDE)
"""What comes over from the neighbouring word where a set is shifted by one, or by a row."""


def deal(g: FieldRecord, s: FieldRecord, rng: np.random.Generator) -> None:
    """Fill an empty state with a start position."""
    chance = random.stream(rng.integers(0, 2**32, 4).tolist())
    _begin(interpreted_record(g), interpreted_record(s), chance)


@helper
def begin(g: Any, s: Any, rng: Any) -> None:
    """Fill an empty state with a start position."""
    order = scratch.small_numbers(PAIRS)
    walls, wood = scratch.bit_words(SET_WORDS), scratch.bit_words(SET_WORDS)
    while True:
        draw_walls(g, order, walls, wood, rng)
        if unreached(g, walls, wood) <= UNREACHED_PASSAGES:
            break
    build_board(g, s, order)
    hide_items(s, wood, rng)
    s.alive = _EVERYBODY
    for i in range(PLAYERS):
        s.cell[i], s.ammo[i], s.blast[i] = g.start[i], START_AMMO, START_BLAST


@helper
def draw_walls(g: Any, order: Any, walls: Any, wood: Any, rng: Any) -> None:
    """Draw pairs of mirrored cells into `order`, first those of rigid walls, and collect the cells of both kinds."""
    for i in range(PAIRS):
        order[i] = i
    for word in range(SET_WORDS):
        walls[word], wood[word] = _NOTHING, g.fixed_wood_set[word]
    for i in range(RIGID_PAIRS + WOODEN_PAIRS):
        k = i + random.below(rng, PAIRS - i)
        pair = int(order[k])
        order[k] = order[i]
        order[i] = pair
        for word in range(SET_WORDS):
            if i < RIGID_PAIRS:
                walls[word] |= g.pair_set[pair, word]
            else:
                wood[word] |= g.pair_set[pair, word]


@helper
def build_board(g: Any, s: Any, order: Any) -> None:
    """Write the walls and the agents to the board."""
    for cell in range(CELLS):
        s.board[cell] = g.blank[cell]
    for i in range(FIXED_WOOD):
        s.board[g.fixed_wood[i]] = WOOD
    for i in range(PLAYERS):
        s.board[g.start[i]] = AGENT + i
    for i in range(RIGID_PAIRS + WOODEN_PAIRS):
        value = RIGID if i < RIGID_PAIRS else WOOD
        s.board[g.pairs[order[i], 0]] = value
        s.board[g.pairs[order[i], 1]] = value


@helper
def unreached(g: Any, walls: Any, wood: Any) -> Any:
    """Return how many passages can't be reached from the third player's corner when all wood is removed.

    What is reached grows by all neighbours at once: one cell to each side is a shift by one or by a row.
    """
    open_0, open_1, open_2 = (
        g.inner[0] & bits.complement(walls[0]),
        g.inner[1] & bits.complement(walls[1]),
        g.inner[2] & bits.complement(walls[2]),
    )
    start = int(g.start[2])
    a, b, c = _NOTHING, _NOTHING, bits.single(start - 2 * _WORD_BITS)
    old_a, old_b, old_c = c, c, _NOTHING
    while a != old_a or b != old_b or c != old_c:
        old_a, old_b, old_c = a, b, c
        a |= a << _ONE | a >> _ONE | b << _LAST | a << _ROW | a >> _ROW | b << _BEFORE_ROW
        b |= b << _ONE | old_a >> _LAST | b >> _ONE | c << _LAST | b << _ROW | old_a >> _BEFORE_ROW | b >> _ROW
        b |= c << _BEFORE_ROW
        c |= c << _ONE | old_b >> _LAST | c >> _ONE | c << _ROW | old_b >> _BEFORE_ROW | c >> _ROW
        a, b, c = a & open_0, b & open_1, c & open_2
    missed = bits.count(g.free_at_first[0] & open_0 & bits.complement(wood[0] | a))
    missed += bits.count(g.free_at_first[1] & open_1 & bits.complement(wood[1] | b))
    return missed + bits.count(g.free_at_first[2] & open_2 & bits.complement(wood[2] | c))


@helper
def hide_items(s: Any, wood: Any, rng: Any) -> None:
    """Hide items of random kinds in random wooden walls, at most one in each."""
    cells = scratch.small_numbers(CELLS)
    count = 0
    for word in range(SET_WORDS):
        left = wood[word]
        while left != 0:
            cells[count] = word * _WORD_BITS + bits.lowest(left)
            left = bits.without_lowest(left)
            count += 1
    hidden = 0
    while hidden < HIDDEN_ITEMS:
        cell = int(cells[random.below(rng, count)])
        if hidden_kind(s, cell) == 0:
            flip_item(s, cell, 1 + random.below(rng, ITEM_KINDS))
            hidden += 1


_begin = interpreted(begin)
