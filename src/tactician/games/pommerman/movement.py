"""Movement of agents and bombs: determine where each wants to go, resolve conflicts, move.

Most steps have no conflict, which takes a few comparisons to find out. The others follow the reference phase by phase,
including its counts of claims that are never reduced: a cell that somebody claimed and did not get stays claimed.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.pommerman import scratch
from tactician.games.pommerman.board import (
    BOMB_LIFE,
    CELLS,
    EXTRA_BOMB,
    KICK,
    LAY,
    MOST_AMMO,
    MOST_BOMBS,
    NOWHERE,
    PASSAGE,
    PLAYERS,
    RANGE,
    RIGID,
    STRIDE,
    WOOD,
)
from tactician.games.pommerman.records import CELL_BITS, DIRECTION, LIFE, OWNER, STRENGTH

_NEW_BOMB = BOMB_LIFE << LIFE
_WITHOUT_CELL = ~CELL_BITS
_DIRECTION_MASK = 7
_WITHOUT_DIRECTION = (1 << DIRECTION) - 1


# -- intentions --------------------------------------------------------------------------------------------------


@helper
def aim_agents(g: Any, s: Any, moves: Any, acting: Any, wanted: Any) -> None:
    """Take agents off their cells, lay their bombs and write the cells they want; `NOWHERE` if they don't act."""
    for i in range(PLAYERS):
        if acting >> i & 1 == 0:
            continue
        cell = int(s.cell[i])
        s.board[cell] = PASSAGE
        if moves[i] == LAY:
            lay_bomb(s, i, cell)
        # Without branches, because moves are hard to predict: an agent that doesn't walk has a delta of 0.
        delta = g.delta[moves[i]]
        value = int(s.board[cell + delta])
        wanted[i] = cell + delta * int(value != RIGID) * int(value != WOOD)


@helper
def lay_bomb(s: Any, agent: Any, cell: Any) -> None:
    """Lay a bomb if the agent has ammunition and no bomb lies on the cell."""
    count = int(s.n_bombs)
    if s.ammo[agent] == 0 or count == MOST_BOMBS:
        return
    for j in range(count):
        if int(s.bombs[j]) & CELL_BITS == cell:
            return
    s.ammo[agent] -= 1
    s.bombs[count] = cell | _NEW_BOMB | int(s.blast[agent]) << STRENGTH | agent << OWNER
    s.n_bombs = count + 1


@helper
def is_contested(s: Any, wanted: Any) -> Any:
    """Return whether there may be a conflict: a rolling bomb, a bomb in the way, or two agents that meet."""
    clash = 0
    for i in range(1, PLAYERS):
        here, to = int(s.cell[i]), int(wanted[i])
        for k in range(i):
            met = int(wanted[k] == to) | (int(wanted[k] == here) & int(to == s.cell[k]))
            clash |= met & int(to != NOWHERE)
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        cell = bomb & CELL_BITS
        clash |= bomb >> DIRECTION
        for i in range(PLAYERS):
            clash |= int(wanted[i] == cell) & int(s.cell[i] != cell)
    return clash != 0


@inline_helper
def stops_bombs(value: Any) -> Any:
    """Return whether a bomb can't roll onto a cell value: walls and power-ups."""
    return value == RIGID or value == WOOD or (value >= EXTRA_BOMB and value <= KICK)


@helper
def aim_bombs(g: Any, s: Any, heading: Any) -> None:
    """Take bombs off their cells and write the cells they want: the next one if they roll."""
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        cell = bomb & CELL_BITS
        s.board[cell] = PASSAGE
        direction = bomb >> DIRECTION & _DIRECTION_MASK
        if direction != 0:
            ahead = cell + g.delta[direction]
            if not stops_bombs(s.board[ahead]):
                cell = ahead
        heading[j] = cell


# -- conflicts ---------------------------------------------------------------------------------------------------


@helper
def settle(g: Any, s: Any, moves: Any, wanted: Any) -> None:
    """Resolve conflicts in the phases of the reference and move the bombs."""
    heading = scratch.small_numbers(MOST_BOMBS)
    kicker = scratch.small_numbers(MOST_BOMBS)  # by bomb: 1 + the agent that kicked it
    kicked = scratch.small_numbers(PLAYERS)  # by agent: 1 + the bomb it kicked
    agents_to = scratch.small_numbers(CELLS)
    bombs_to = scratch.small_numbers(CELLS)
    aim_bombs(g, s, heading)
    undo_swaps(s, wanted, heading)
    for i in range(PLAYERS):
        if wanted[i] != NOWHERE:
            agents_to[wanted[i]] += 1
    for j in range(int(s.n_bombs)):
        bombs_to[heading[j]] += 1
    resolve_claims(g, s, wanted, heading, agents_to, bombs_to)
    if kick_bombs(g, s, moves, wanted, heading, agents_to, bombs_to, kicker, kicked):
        resolve_after_kicks(s, wanted, heading, agents_to, bombs_to, kicker, kicked)
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        if heading[j] == bomb & CELL_BITS and kicker[j] == 0:
            s.bombs[j] = bomb & _WITHOUT_DIRECTION
        else:
            s.bombs[j] = (bomb & _WITHOUT_CELL) | heading[j]


@helper
def undo_swaps(s: Any, wanted: Any, heading: Any) -> None:
    """Stop swaps: two agents that would change places both stay, and a bomb stays if an agent crosses its way."""
    crossing = scratch.small_numbers(PLAYERS)
    for i in range(PLAYERS):
        crossing[i] = wanted[i]
    for i in range(PLAYERS):
        for k in range(i):
            moves = crossing[i] != NOWHERE and crossing[k] != NOWHERE and crossing[i] != s.cell[i]
            if moves and crossing[i] == s.cell[k] and crossing[k] == s.cell[i]:
                wanted[i] = s.cell[i]
                wanted[k] = s.cell[k]
    first_over = scratch.small_numbers(MOST_BOMBS)  # by bomb: its target, if it was the first to cross that border
    for j in range(int(s.n_bombs)):
        cell, to = int(s.bombs[j]) & CELL_BITS, heading[j]
        if cell == to:
            continue
        if agent_crosses(s, crossing, cell, to):
            heading[j] = cell
            continue
        free = True
        for k in range(j):
            other, other_to = int(s.bombs[k]) & CELL_BITS, first_over[k]
            if (other == cell and other_to == to) or (other == to and other_to == cell):
                heading[j] = cell
                heading[k] = other
                free = False
        if free:
            first_over[j] = to


@helper
def agent_crosses(s: Any, crossing: Any, one: Any, other: Any) -> Any:
    """Return whether an agent wants to cross the border between two cells, in either direction."""
    for i in range(PLAYERS):
        if crossing[i] == NOWHERE:
            continue
        if (s.cell[i] == one and crossing[i] == other) or (s.cell[i] == other and crossing[i] == one):
            return True
    return False


@helper
def resolve_claims(g: Any, s: Any, wanted: Any, heading: Any, agents_to: Any, bombs_to: Any) -> None:
    """Let agents and bombs stay that want a cell which several want, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for i in range(PLAYERS):
            to = wanted[i]
            if to != NOWHERE and to != s.cell[i] and (agents_to[to] > 1 or bombs_to[to] > 1):
                wanted[i] = s.cell[i]
                agents_to[s.cell[i]] += 1
                changed = True
        for j in range(int(s.n_bombs)):
            cell, to = int(s.bombs[j]) & CELL_BITS, int(heading[j])
            if to != cell and (bombs_to[to] > 1 or agents_to[to] > 1):
                heading[j] = cell
                # The paper's environment confuses row and column here: it is right for vertical motion only.
                claimed = cell if g.paper == 0 else cell - cell % STRIDE + to % STRIDE
                bombs_to[claimed] += 1
                changed = True


@helper
def kick_bombs(
    g: Any,
    s: Any,
    moves: Any,
    wanted: Any,
    heading: Any,
    agents_to: Any,
    bombs_to: Any,
    kicker: Any,
    kicked: Any,
) -> Any:
    """Let agents that walk into bombs kick them or stay, and stop bombs that roll into agents; return any change."""
    new_heading = scratch.small_numbers(MOST_BOMBS)
    sent_back = scratch.small_numbers(PLAYERS)
    any_change = False
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        cell, to = bomb & CELL_BITS, int(heading[j])
        if agents_to[to] == 0:
            continue
        i = who_wants(wanted, to)
        if i < 0:
            continue
        if to == s.cell[i]:
            if to != cell:
                new_heading[j] = cell
                any_change = True
            continue
        any_change = True
        landing = to + g.delta[moves[i]]
        free = agents_to[landing] == 0 and bombs_to[landing] == 0 and not stops_bombs(s.board[landing])
        if s.kick[i] != 0 and free:
            bombs_to[to] = 0
            new_heading[j] = landing
            kicker[j] = i + 1
            kicked[i] = j + 1
            s.bombs[j] = (bomb & _WITHOUT_DIRECTION) | moves[i] << DIRECTION
        else:
            new_heading[j] = cell
            sent_back[i] += 1
    for j in range(int(s.n_bombs)):
        if new_heading[j] != NOWHERE:
            heading[j] = new_heading[j]
            bombs_to[new_heading[j]] += 1
    for i in range(PLAYERS):
        if sent_back[i] != 0:
            wanted[i] = s.cell[i]
            agents_to[s.cell[i]] += sent_back[i]
    return any_change


@helper
def who_wants(wanted: Any, cell: Any) -> Any:
    """Return the first agent that wants a cell, or -1."""
    for i in range(PLAYERS):
        if wanted[i] == cell:
            return i
    return -1


@helper
def resolve_after_kicks(
    s: Any, wanted: Any, heading: Any, agents_to: Any, bombs_to: Any, kicker: Any, kicked: Any
) -> None:
    """Resolve claims again: no agent enters a cell that a bomb wants; a kick is undone if its bomb or kicker stays."""
    changed = True
    while changed:
        changed = False
        for i in range(PLAYERS):
            to = wanted[i]
            if to == NOWHERE or to == s.cell[i] or not (agents_to[to] > 1 or bombs_to[to] != 0):
                continue
            if kicked[i] != 0:
                j = int(kicked[i]) - 1
                cell = int(s.bombs[j]) & CELL_BITS
                heading[j] = cell
                bombs_to[cell] += 1
                kicked[i], kicker[j] = 0, 0
            wanted[i] = s.cell[i]
            agents_to[s.cell[i]] += 1
            changed = True
        for j in range(int(s.n_bombs)):
            cell, to = int(s.bombs[j]) & CELL_BITS, heading[j]
            if to == cell and kicker[j] == 0:
                continue
            if bombs_to[to] > 1 or agents_to[to] != 0:
                heading[j] = cell
                bombs_to[cell] += 1
                if kicker[j] != 0:
                    i = int(kicker[j]) - 1
                    wanted[i] = s.cell[i]
                    agents_to[s.cell[i]] += 1
                    kicked[i], kicker[j] = 0, 0
                changed = True


# -- everybody moves ---------------------------------------------------------------------------------------------


@helper
def move_agents(g: Any, s: Any, wanted: Any) -> None:
    """Move the agents and let them pick up items, even if they die in this step."""
    for i in range(PLAYERS):
        to = int(wanted[i])
        if to == NOWHERE:
            continue
        value = s.board[to]
        stayed = to == s.cell[i]
        s.cell[i] = to
        if value < EXTRA_BOMB or stayed:
            continue
        if value == EXTRA_BOMB:
            # In the paper's environment returned ammunition has no cap, so there may be more already.
            s.ammo[i] = min(int(s.ammo[i]) + 1, MOST_AMMO)
        elif value == RANGE:
            s.blast[i] = min(int(s.blast[i]) + 1, g.blast_cap)
        elif value == KICK:
            s.kick[i] = 1
