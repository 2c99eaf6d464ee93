"""Hide what a seat can't see, and fill it at random.

In every variant: hidden items, the others' ammunition, strength and kick, the owners of bombs, the places of the dead.
With fog also everything more than four rows or columns away, and the opponents' messages.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper, random
from tactician.games.pommerman import scratch
from tactician.games.pommerman.blasts import flip_item
from tactician.games.pommerman.board import (
    AGENT,
    CELLS,
    CELLS_USED,
    FOG,
    HIDDEN_ITEMS,
    ITEM_KINDS,
    MAX_STEPS,
    NOWHERE,
    PASSAGE,
    PLAYERS,
    RIGID,
    SIDE,
    START_AMMO,
    START_BLAST,
    STRIDE,
    WOOD,
    WOODEN_WALLS,
)
from tactician.games.pommerman.generation import RIGID_PAIRS, WOODEN_PAIRS
from tactician.games.pommerman.records import CELL_BITS, ITEM_WORDS, NO_OWNER, OWNER, PAIRS, WALL_PAIR

_WITHOUT_OWNER = ~(NO_OWNER << OWNER)
_OPEN_PAIRS = PAIRS - RIGID_PAIRS - WOODEN_PAIRS
_STEPS_AN_ITEM = 100
"""An agent is assumed to have found at most one item of each kind in this many steps."""
_MOST_GUESSED = 4


@inline_helper
def sees(g: Any, observer: Any, cell: Any) -> Any:
    """Return whether a cell is in view from another."""
    if g.sight == 0:
        return True
    rows, columns = observer // STRIDE - cell // STRIDE, observer % STRIDE - cell % STRIDE
    return abs(rows) <= g.sight and abs(columns) <= g.sight


@helper
def blank_hidden(g: Any, s: Any, player: Any) -> None:
    """Remove from a state what a player can't see."""
    here = int(s.cell[player])
    for i in range(ITEM_WORDS):
        s.items[i] = 0
    for i in range(PLAYERS):
        if i == player:
            continue
        s.ammo[i], s.blast[i], s.kick[i] = 0, 0, 0
        if s.alive >> i & 1 == 0 or not sees(g, here, int(s.cell[i])):
            s.cell[i] = NOWHERE
        if g.mate[player] != AGENT + i:
            s.message[i] = 0
    for j in range(int(s.n_bombs)):
        s.bombs[j] = int(s.bombs[j]) | NO_OWNER << OWNER
    if g.sight != 0:
        cover_with_fog(g, s, here)


@helper
def cover_with_fog(g: Any, s: Any, here: Any) -> None:
    """Remove cells, bombs and flames out of view."""
    for row in range(SIDE):
        for cell in range((row + 1) * STRIDE + 1, (row + 1) * STRIDE + 1 + SIDE):
            if not sees(g, here, cell):
                s.board[cell] = FOG
    count, kept = int(s.n_bombs), 0
    for j in range(count):
        bomb = int(s.bombs[j])
        s.bombs[j] = 0
        if sees(g, here, bomb & CELL_BITS):
            s.bombs[kept] = bomb
            kept += 1
    s.n_bombs = kept
    count, kept = int(s.n_flames), 0
    for i in range(count):
        flame = int(s.flames[i])
        s.flames[i] = 0
        if sees(g, here, flame & CELL_BITS):
            s.flames[kept] = flame
            kept += 1
    s.n_flames = kept


@helper
def guess_hidden(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Fill what a player can't see at random.

    Fogged cells are drawn as on a new board, mirrored where the other half of the board is seen, with less wood the
    later it is; they get no bombs or flames. Unseen agents stand on free fogged cells; others have found a few items,
    more of them later in the game. The owner of a bomb is any living agent. Wood hides items as often as on a new
    board.
    """
    if g.sight != 0:
        clear_fog(g, s, rng)
    for i in range(PLAYERS):
        if i == player:
            continue
        found = 1 + min(int(s.step) // _STEPS_AN_ITEM, _MOST_GUESSED)
        s.ammo[i] = START_AMMO + random.below(rng, found)
        s.blast[i] = min(START_BLAST + random.below(rng, found), int(g.blast_cap))
        s.kick[i] = int(random.below(rng, 2 * MAX_STEPS) < min(int(s.step), MAX_STEPS))
    guess_owners(s, rng)
    for cell in range(CELLS_USED):
        if s.board[cell] == WOOD and random.below(rng, WOODEN_WALLS) < HIDDEN_ITEMS:
            flip_item(s, cell, 1 + random.below(rng, ITEM_KINDS))


@helper
def clear_fog(g: Any, s: Any, rng: Any) -> None:
    """Fill the fogged cells. A cell is rigid if its mirror image is."""
    seen = scratch.small_numbers(CELLS)
    fogged = scratch.small_numbers(CELLS)
    n_fogged = 0
    for cell in range(CELLS_USED):
        seen[cell] = s.board[cell]
        if s.board[cell] == FOG:
            fogged[n_fogged] = cell
            n_fogged += 1
    for k in range(n_fogged):
        cell = int(fogged[k])
        mirror = cell % STRIDE * STRIDE + cell // STRIDE
        value = int(g.prior[cell])
        if value == WALL_PAIR:
            if seen[mirror] == RIGID or (seen[mirror] == FOG and mirror < cell):
                value = int(s.board[mirror])
            else:
                value = guess_wall(seen[mirror] == FOG, rng)
        # Wood is the only kind that disappears: the later it is, the less is left.
        if value == WOOD and random.below(rng, MAX_STEPS) < min(int(s.step), MAX_STEPS):
            value = PASSAGE
        s.board[cell] = value
    place_unseen(s, fogged, n_fogged, rng)


@helper
def guess_wall(rigid_too: Any, rng: Any) -> Any:
    """Draw what a pair of mirrored cells started as."""
    kinds = WOODEN_PAIRS + _OPEN_PAIRS + (RIGID_PAIRS if rigid_too else 0)
    drawn = random.below(rng, kinds)
    if drawn < WOODEN_PAIRS:
        return WOOD
    return PASSAGE if drawn < WOODEN_PAIRS + _OPEN_PAIRS else RIGID


@helper
def place_unseen(s: Any, fogged: Any, n_fogged: Any, rng: Any) -> None:
    """Put living agents out of view on free fogged cells, or on any fogged cell if none is free."""
    for i in range(PLAYERS):
        if s.alive >> i & 1 == 0 or s.cell[i] != NOWHERE:
            continue
        free = 0
        for k in range(n_fogged):
            free += int(s.board[fogged[k]] == PASSAGE)
        chosen = random.below(rng, free if free > 0 else n_fogged)
        for k in range(n_fogged):
            cell = int(fogged[k])
            if free > 0 and s.board[cell] != PASSAGE:
                continue
            if chosen == 0:
                s.cell[i] = cell
                s.board[cell] = AGENT + i
                break
            chosen -= 1


@helper
def guess_owners(s: Any, rng: Any) -> None:
    """Draw the owner of every bomb among the living agents."""
    living = 0
    for i in range(PLAYERS):
        living += int(s.alive >> i & 1)
    for j in range(int(s.n_bombs)):
        nth = random.below(rng, living) if living > 0 else 0
        owner = 0
        for i in range(PLAYERS):
            if s.alive >> i & 1 == 1:
                if nth == 0:
                    owner = i
                nth -= 1
        s.bombs[j] = int(s.bombs[j]) & _WITHOUT_OWNER | owner << OWNER
