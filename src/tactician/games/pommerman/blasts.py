"""Explosions: flames burn down and reveal items, bombs explode in waves, the board is redrawn, agents die."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, helper, inline_helper
from tactician.games.pommerman import scratch
from tactician.games.pommerman.board import (
    AGENT,
    BOMB,
    DIRECTIONS,
    EXTRA_BOMB,
    FLAME_LIFE,
    FLAMES,
    MOST_AMMO,
    MOST_FLAMES,
    PASSAGE,
    PLAYERS,
    RIGID,
    WOOD,
)
from tactician.games.pommerman.records import (
    CELL_BITS,
    CELLS_A_WORD,
    LIFE,
    LIFE_BITS,
    NO_OWNER,
    ONE_LIFE,
    OWNER,
    STRENGTH,
)

_NEW_FLAME = FLAME_LIFE << LIFE
_MARK_WORDS = 3
_OWNER_MASK = NO_OWNER


@helper
def age_flames(g: Any, s: Any) -> None:
    """Age the flames; dead ones uncover what they hid. The others are redrawn, except in the paper's environment."""
    count = int(s.n_flames)
    kept = 0
    for i in range(count):
        flame = int(s.flames[i])
        if flame < ONE_LIFE:
            s.board[flame] = take_item(s, flame)
        else:
            s.flames[kept] = flame - ONE_LIFE
            kept += 1
    if kept == count:
        return
    for i in range(kept, count):
        s.flames[i] = 0
    s.n_flames = kept
    if g.paper == 0:
        draw_flames(s)


@inline_helper
def draw_flames(s: Any) -> None:
    """Draw all flames on the board."""
    for i in range(int(s.n_flames)):
        s.board[int(s.flames[i]) & CELL_BITS] = FLAMES


@inline_helper
def hidden_kind(s: Any, cell: Any) -> Any:
    """Return the item hidden in a cell: 0 for none, else 1 to 3."""
    pair = np.uint64(2 * (cell % CELLS_A_WORD))
    return int((s.items[cell // CELLS_A_WORD] >> pair) & np.uint64(3))


@inline_helper
def flip_item(s: Any, cell: Any, kind: Any) -> None:
    """Hide an item of a kind (1 to 3) in a cell without one, or remove the item of that kind."""
    s.items[cell // CELLS_A_WORD] ^= np.uint64(kind) << np.uint64(2 * (cell % CELLS_A_WORD))


@inline_helper
def take_item(s: Any, cell: Any) -> Any:
    """Remove the item hidden in a cell and return its cell value; PASSAGE if there is none."""
    kind = hidden_kind(s, cell)
    if kind == 0:
        return PASSAGE
    flip_item(s, cell, kind)
    return EXTRA_BOMB + kind - 1


@helper
def burn_down(g: Any, s: Any, moved: Any) -> None:
    """Age all bombs; explode those without life and those that rolled into flames."""
    due = 0
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j]) - ONE_LIFE
        # A resting bomb's cell has no flame, so only moved bombs are checked.
        if moved and bomb & LIFE_BITS != 0 and s.board[bomb & CELL_BITS] == FLAMES:
            bomb &= ~LIFE_BITS
        s.bombs[j] = bomb
        due |= int(bomb & LIFE_BITS == 0)
    if due != 0:
        explode(g, s)


@helper
def explode(g: Any, s: Any) -> None:
    """Explode in waves: bombs that a wave reaches explode in the next. Wood burns after the last wave only."""
    marks = scratch.bit_words(_MARK_WORDS)
    due = 1
    while due != 0:
        kept = 0
        count = int(s.n_bombs)
        for j in range(count):
            bomb = int(s.bombs[j])
            if bomb & LIFE_BITS == 0:
                refund(g, s, bomb >> OWNER & _OWNER_MASK)
                mark_blast(g, s, bomb, marks)
            else:
                s.bombs[kept] = bomb
                kept += 1
        for j in range(kept, count):
            s.bombs[j] = 0
        s.n_bombs = kept
        due = 0
        for j in range(kept):
            bomb = int(s.bombs[j])
            cell = bomb & CELL_BITS
            if bits.has(marks[cell >> 6], cell & 63) == 1:
                s.bombs[j] = bomb & ~LIFE_BITS
                due = 1
    light(s, marks)


@inline_helper
def refund(g: Any, s: Any, owner: Any) -> None:
    """Return ammunition to the owner of an exploded bomb, dead or alive."""
    if owner < PLAYERS and (g.paper != 0 or s.ammo[owner] < MOST_AMMO):
        s.ammo[owner] += 1


@helper
def mark_blast(g: Any, s: Any, bomb: Any, marks: Any) -> None:
    """Mark the cells that a blast reaches: it stops before rigid walls and on the first wood."""
    centre, reach = bomb & CELL_BITS, bomb >> STRENGTH & CELL_BITS
    marks[centre >> 6] |= bits.single(centre & 63)
    for direction in range(1, DIRECTIONS + 1):
        delta = g.delta[direction]
        cell = centre
        for _ in range(1, reach):
            cell += delta
            value = s.board[cell]
            if value == RIGID:
                break
            marks[cell >> 6] |= bits.single(cell & 63)
            if value == WOOD:
                break


@helper
def light(s: Any, marks: Any) -> None:
    """Add a flame on every marked cell, row by row; older flames stay in the list."""
    count = int(s.n_flames)
    for part in range(_MARK_WORDS):
        left = marks[part]
        while left != 0:
            # A given position may have too many flames to hold all new ones.
            if count < MOST_FLAMES:
                s.flames[count] = _NEW_FLAME | (part * 64 + bits.lowest(left))
                count += 1
            left = bits.without_lowest(left)
    s.n_flames = count


@helper
def redraw(s: Any, acting: Any) -> None:
    """Draw bombs, then flames, then agents; agents in flames die."""
    for j in range(int(s.n_bombs)):
        s.board[int(s.bombs[j]) & CELL_BITS] = BOMB
    draw_flames(s)
    for i in range(PLAYERS):
        if acting >> i & 1 == 0:
            continue
        if s.board[s.cell[i]] == FLAMES:
            s.alive &= ~(1 << i)
        else:
            s.board[s.cell[i]] = AGENT + i
