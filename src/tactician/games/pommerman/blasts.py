"""Fire: flames age and reveal what was hidden, bombs go off in waves, the board is drawn anew, agents die."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, helper, inline_helper
from tactician.games.pommerman import scratch
from tactician.games.pommerman.board import (
    AGENT,
    BOMB,
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
_OWNER_BITS = NO_OWNER


@helper
def age_flames(g: Any, s: Any) -> None:
    """Flames without life give way to what they hid; the others are drawn again, except in the paper's environment."""
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
    """Every cell with a flame shows it."""
    for i in range(int(s.n_flames)):
        s.board[int(s.flames[i]) & CELL_BITS] = FLAMES


@inline_helper
def hidden_kind(s: Any, cell: Any) -> Any:
    """What is hidden in a cell: 0 for nothing, else 1 to 3."""
    pair = np.uint64(2 * (cell % CELLS_A_WORD))
    return int((s.items[cell // CELLS_A_WORD] >> pair) & np.uint64(3))


@inline_helper
def flip_item(s: Any, cell: Any, kind: Any) -> None:
    """Hide an item of a kind (1 to 3) in a cell that hides none, or take that kind out of it."""
    s.items[cell // CELLS_A_WORD] ^= np.uint64(kind) << np.uint64(2 * (cell % CELLS_A_WORD))


@inline_helper
def take_item(s: Any, cell: Any) -> Any:
    """The item hidden in a cell, which is hidden no longer, or passage."""
    kind = hidden_kind(s, cell)
    if kind == 0:
        return PASSAGE
    flip_item(s, cell, kind)
    return EXTRA_BOMB + kind - 1


@helper
def burn_down(g: Any, s: Any, moved: Any) -> None:
    """All bombs lose a life; those without any go off, and so do bombs that have rolled into flames."""
    due = 0
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j]) - ONE_LIFE
        # A resting bomb has cleared its cell, so only bombs on the move can meet a flame.
        if moved and bomb & LIFE_BITS != 0 and s.board[bomb & CELL_BITS] == FLAMES:
            bomb &= ~LIFE_BITS
        s.bombs[j] = bomb
        due |= int(bomb & LIFE_BITS == 0)
    if due != 0:
        explode(g, s)


@helper
def explode(g: Any, s: Any) -> None:
    """Waves of explosions: whatever bomb a wave reaches goes off in the next. Wood falls only after the last."""
    marks = scratch.bit_words(_MARK_WORDS)
    due = 1
    while due != 0:
        kept = 0
        count = int(s.n_bombs)
        for j in range(count):
            bomb = int(s.bombs[j])
            if bomb & LIFE_BITS == 0:
                refund(g, s, bomb >> OWNER & _OWNER_BITS)
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
    """Whoever laid a bomb, dead or alive, may lay another."""
    if owner < PLAYERS and (g.paper != 0 or s.ammo[owner] < MOST_AMMO):
        s.ammo[owner] += 1


@helper
def mark_blast(g: Any, s: Any, bomb: Any, marks: Any) -> None:
    """The cells a bomb's blast reaches: rigid walls stop it before, wood after it has been hit."""
    centre, reach = bomb & CELL_BITS, bomb >> STRENGTH & CELL_BITS
    marks[centre >> 6] |= bits.single(centre & 63)
    for direction in range(1, 5):
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
    """A flame on every marked cell, row by row; older ones stay in the list too."""
    count = int(s.n_flames)
    for part in range(_MARK_WORDS):
        left = marks[part]
        while left != 0:
            # A list given from outside may be too long for all the new ones.
            if count < MOST_FLAMES:
                s.flames[count] = _NEW_FLAME | (part * 64 + bits.lowest(left))
                count += 1
            left = bits.without_lowest(left)
    s.n_flames = count


@helper
def redraw(s: Any, acting: Any) -> None:
    """Bombs, then flames over them, then agents: who stands in flames dies, who doesn't hides what lies below."""
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
