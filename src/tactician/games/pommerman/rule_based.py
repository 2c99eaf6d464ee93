"""The rule-based agent of the official environment, written from its description, including its quirks.

It moves out of the way of bombs, bombs what is next to it, hunts what is near and wanders otherwise; it considers the
board and the bombs' strengths, never their lives. Its choices have exactly the described probabilities; random numbers
come from our own stream. Between calls it remembers the last six cells it wandered from and the direction it last
hunted in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract import helper, inline_helper, random
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.pommerman import scratch
from tactician.games.pommerman.board import (
    BOMB,
    CELLS,
    DIRECTIONS,
    DOWN,
    EXTRA_BOMB,
    FLAMES,
    FOG,
    KICK,
    LAY,
    LEFT,
    MOST_BOMBS,
    NOWHERE,
    PASSAGE,
    PLAYERS,
    RIGHT,
    RIGID,
    SIDE,
    STOP,
    STRIDE,
    UP,
    WOOD,
)
from tactician.games.pommerman.generation import begin
from tactician.games.pommerman.hiding import sees
from tactician.games.pommerman.listing import lies_within
from tactician.games.pommerman.records import CELL_BITS, STRENGTH
from tactician.games.pommerman.rules import apply_joint, is_over
from tactician.native.caching import allocating_kernel, kernel

MEMORY = 8
"""Bytes of memory: the number of cells, the cells it wandered from (oldest first), the last hunting direction."""
RECENT = 6
"""How many cells it remembers to have wandered from."""
_STREAM = 6
"""Separates the agent's random numbers from others of the same seed."""
_LAST_DIRECTION = MEMORY - 1
_FAR = 10
"""The largest distance that the agent considers."""
_HUNT, _FETCH, _BESIDE, _FELL = 3, 2, 1, 2
"""The distances at which it hunts enemies, fetches items, lays bombs and approaches wood."""
_WAYS = DIRECTIONS
_OPTIONS = _WAYS + 1


class RuleBased:
    """The rule-based agent of one seat; call `reset` before each game."""

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Clear the memory and start a new random stream."""
        self.memory: NDArray[np.uint8] = np.zeros(MEMORY, np.uint8)
        self._rng = random.stream([seed, _STREAM])

    def act(self, state: State, seat: int) -> int:
        """Return the action for a seat; dead agents stop."""
        if state.game.name != "pommerman" or not 0 <= seat < PLAYERS:
            raise InvalidParameterError(f"seat is {seat!r} of {state.game.name!r}; expected 0 to 3 of 'pommerman'.")
        return int(decide_once(*records_of(state), seat, self.memory, self._rng))


def records_of(state: State) -> tuple[Any, Any]:
    """Return configuration and state as arrays of one record each, as kernels take them."""
    config, record = state.game.backend.config, state.game.backend.state
    configs = state.game.config_words().view(np.uint8)[: config.itemsize].view(config)
    return configs, state.words.view(np.uint8)[: record.itemsize].view(record)


@kernel
def decide_once(configs: Any, states: Any, seat: Any, memory: Any, rng: Any) -> Any:
    """Decide once, for calls from Python with arrays of one record; agents that are dead or out of view stop."""
    s = states[0]
    if int(s.alive) >> seat & 1 == 0 or s.cell[seat] == NOWHERE:
        return STOP
    return decide(configs[0], states[0], seat, memory, rng)


def policy(g: Any, s: Any, player: Any, rng: Any) -> Any:
    """Return what the agent does in a state as the rule `policy`, without memory: it wanders back and forth."""
    if int(s.alive) >> player & 1 == 0 or s.cell[player] == NOWHERE:
        return STOP
    return decide(g, s, player, scratch.small_numbers(MEMORY), rng)


@kernel
def decide_often(configs: Any, states: Any, seat: Any, memory: Any, rng: Any, actions: Any, memories: Any) -> None:
    """Decide repeatedly from the same memory; write the action and the memory after each decision."""
    for k in range(actions.shape[0]):
        for i in range(MEMORY):
            memories[k, i] = memory[i]
        actions[k] = decide(configs[0], states[0], seat, memories[k], rng)


@allocating_kernel
def play_games(configs: Any, states: Any, rng: Any, outcomes: Any, counts: Any) -> None:
    """Play whole games of four agents; each row of `outcomes` gets length, winner's seat (or -1) and death steps.

    A seat that survives has -1 for its death. `counts` counts the actions of living agents.
    """
    g, s = configs[0], states[0]
    blank = states[1]
    memory = np.zeros((PLAYERS, MEMORY), np.uint8)
    actions = np.zeros(PLAYERS, np.int32)
    for game in range(outcomes.shape[0]):
        states[0] = blank
        memory[:] = 0
        outcomes[game, 1:] = -1
        begin(g, s, rng)
        while not is_over(g, s):
            before = int(s.alive)
            for seat in range(PLAYERS):
                actions[seat] = STOP
                if before >> seat & 1 == 1:
                    actions[seat] = decide(g, s, seat, memory[seat], rng)
                    counts[actions[seat]] += 1
            apply_joint(g, s, actions, rng)
            for seat in range(PLAYERS):
                if (before & ~int(s.alive)) >> seat & 1 == 1:
                    outcomes[game, 2 + seat] = s.step
        outcomes[game, 0] = s.step
        for seat in range(PLAYERS):
            if int(s.alive) == 1 << seat:
                outcomes[game, 1] = seat


# -- the decision ------------------------------------------------------------------------------------------------


@helper
def decide(g: Any, s: Any, seat: Any, memory: Any, rng: Any) -> Any:
    """Return the action of a living seat and update its memory."""
    board = scratch.small_numbers(CELLS)
    strengths = scratch.small_numbers(CELLS)
    bombs = scratch.small_numbers(MOST_BOMBS)
    steps = scratch.small_numbers(CELLS)
    came_from = scratch.small_numbers(CELLS)
    reached = scratch.small_numbers(CELLS)
    ways = scratch.small_numbers(_WAYS)
    threats = scratch.small_numbers(_OPTIONS)
    here = int(s.cell[seat])
    n_bombs = look(g, s, seat, board, strengths, bombs)
    farthest = _HUNT
    for j in range(n_bombs):
        farthest = max(farthest, int(strengths[bombs[j]]))
    n, escape = walk(g, s, seat, here, farthest, board, steps, came_from, reached, rng)
    n_ways = find_threats(here, bombs, n_bombs, strengths, steps, ways, threats)
    if n_ways == _WAYS:
        return flee_all_ways(g, seat, here, board, ways, threats)
    if n_ways > 0:
        return flee(g, seat, here, board, ways, n_ways, threats, rng)
    can_bomb = s.ammo[seat] >= 1 and escape
    foe = nearest_foe(g, seat, board, steps, reached, n, _HUNT)
    if foe != NOWHERE and steps[foe] - 1 == _BESIDE and can_bomb:
        return LAY
    if foe != NOWHERE:
        way = first_step(here, foe, came_from)
        if way != memory[_LAST_DIRECTION] or random.below(rng, 2) == 0:
            memory[_LAST_DIRECTION] = way
            return way
    item = nearest(EXTRA_BOMB, KICK, board, steps, reached, n, _FETCH)
    if item != NOWHERE:
        return first_step(here, item, came_from)
    if nearest(WOOD, WOOD, board, steps, reached, n, _BESIDE) != NOWHERE:
        return LAY if can_bomb else STOP
    wood = nearest(WOOD, WOOD, board, steps, reached, n, _FELL)
    if wood != NOWHERE:
        way = first_step(here, wood, came_from)
        if is_safe(here + g.delta[way], bombs, n_bombs, strengths):
            return way
    return wander(g, seat, here, board, bombs, n_bombs, strengths, memory, rng)


# -- looking -----------------------------------------------------------------------------------------------------


@helper
def look(g: Any, s: Any, seat: Any, board: Any, strengths: Any, bombs: Any) -> Any:
    """Write the board in view, the bombs' strengths by cell, and the bombs' cells row by row; return how many."""
    here = int(s.cell[seat])
    for cell in range(CELLS):
        board[cell] = s.board[cell]
    if g.sight != 0:
        for row in range(1, SIDE + 1):
            for cell in range(row * STRIDE + 1, (row + 1) * STRIDE):
                if not sees(g, here, cell):
                    board[cell] = FOG
    n = 0
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        cell = bomb & CELL_BITS
        if not sees(g, here, cell):
            continue
        if strengths[cell] == 0:
            k = n
            while k > 0 and bombs[k - 1] > cell:
                bombs[k] = bombs[k - 1]
                k -= 1
            bombs[k] = cell
            n += 1
        strengths[cell] = bomb >> STRENGTH & CELL_BITS
    return n


@inline_helper
def in_window(here: Any, cell: Any) -> Any:
    """Return whether a cell is considered: at most ten steps away, not in the tenth row below or column right."""
    rows, columns = cell // STRIDE - here // STRIDE, cell % STRIDE - here % STRIDE
    return abs(rows) + abs(columns) <= _FAR and rows < _FAR and columns < _FAR


@helper
def walk(
    g: Any,
    s: Any,
    seat: Any,
    here: Any,
    farthest: Any,
    board: Any,
    steps: Any,
    came_from: Any,
    reached: Any,
    rng: Any,
) -> Any:
    """Search breadth-first: write distances + 1 (0 if unreachable), the cells in order of distance, predecessors.

    Of several shortest paths each one found later replaces the former with probability ½. The search ends when all
    cells up to `farthest` are known and a passage is found that a bomb laid here would not hit; returns the number of
    reached cells and whether there is such a passage.
    """
    steps[here] = 1
    reached[0] = here
    first, last = 0, 1
    blast = int(s.blast[seat])
    escape = False
    while first < last:
        cell = int(reached[first])
        far = int(steps[cell])
        if escape and far > farthest:
            break
        first += 1
        if g.walkable[seat, board[cell]] == 0:
            continue
        for way in range(1, _WAYS + 1):
            near = cell + g.delta[way]
            value = board[near]
            if value == RIGID or value == FOG or value == FLAMES:
                continue
            if steps[near] == 0:
                if far >= _FAR and not in_window(here, near):
                    continue
                steps[near] = far + 1
                came_from[near] = cell
                reached[last] = near
                last += 1
                if value == PASSAGE and (far > blast or not lies_within(here, near, SIDE)):
                    escape = True
            elif steps[near] == far + 1 and random.below(rng, 2) == 0:
                came_from[near] = cell
    return last, escape


@helper
def first_step(here: Any, goal: Any, came_from: Any) -> Any:
    """Return the first direction of the path to a cell."""
    cell = int(goal)
    while came_from[cell] != here:
        cell = int(came_from[cell])
    if cell < here:
        return UP if cell == here - STRIDE else LEFT
    return DOWN if cell == here + STRIDE else RIGHT


@helper
def nearest(least: Any, most: Any, board: Any, steps: Any, reached: Any, n: Any, radius: Any) -> Any:
    """Return the nearest cell with a value from `least` to `most`; of equals the greatest value, then the last cell."""
    best, best_steps = NOWHERE, radius + 1
    for k in range(1, n):
        cell = int(reached[k])
        far = int(steps[cell]) - 1
        if far > best_steps or far > radius:
            break
        value = board[cell]
        if value < least or value > most:
            continue
        if best == NOWHERE or value > board[best] or (value == board[best] and cell > best):
            best, best_steps = cell, far
    return best


@helper
def nearest_foe(g: Any, seat: Any, board: Any, steps: Any, reached: Any, n: Any, radius: Any) -> Any:
    """Return the cell of the nearest enemy in view; of equals that of the last seat."""
    best, best_steps = NOWHERE, radius + 1
    for k in range(1, n):
        cell = int(reached[k])
        far = int(steps[cell]) - 1
        if far > best_steps or far > radius:
            break
        if g.foe[seat, board[cell]] == 1 and (best == NOWHERE or board[cell] > board[best]):
            best, best_steps = cell, far
    return best


# -- fleeing -----------------------------------------------------------------------------------------------------


@helper
def find_threats(here: Any, bombs: Any, n_bombs: Any, strengths: Any, steps: Any, ways: Any, threats: Any) -> Any:
    """Write the directions of threatening bombs in the order found, and the greatest strength of each direction.

    A bomb threatens if the path to it is not longer than its strength and it lies in the agent's row or column,
    even behind walls.
    """
    n = 0
    for j in range(n_bombs):
        cell = int(bombs[j])
        strength = int(strengths[cell])
        if steps[cell] == 0 or steps[cell] - 1 > strength:
            continue
        if cell == here:
            n = threaten(RIGHT, strength, ways, n, threats)
            n = threaten(LEFT, strength, ways, n, threats)
            n = threaten(UP, strength, ways, n, threats)
            n = threaten(DOWN, strength, ways, n, threats)
        elif cell // STRIDE == here // STRIDE:
            n = threaten(RIGHT if cell > here else LEFT, strength, ways, n, threats)
        elif cell % STRIDE == here % STRIDE:
            n = threaten(DOWN if cell > here else UP, strength, ways, n, threats)
    return n


@helper
def threaten(way: Any, strength: Any, ways: Any, n: Any, threats: Any) -> Any:
    """Add a threat from a direction; return the number of directions."""
    known = False
    for k in range(n):
        known = known or ways[k] == way
    if not known:
        ways[n] = way
        n += 1
    threats[way] = max(int(threats[way]), strength)
    return n


@helper
def flee_all_ways(g: Any, seat: Any, here: Any, board: Any, ways: Any, threats: Any) -> Any:
    """Return the first direction that leads out of the line of fire when all are threatened, else stop."""
    board[here] = BOMB
    for k in range(_WAYS):
        near = here + g.delta[ways[k]]
        if g.walkable[seat, board[near]] == 1 and leads_out(g, seat, near, board, int(threats[ways[k]])):
            return int(ways[k])
    return STOP


@helper
def leads_out(g: Any, seat: Any, start: Any, board: Any, strength: Any) -> Any:
    """Return whether a cell out of the line of fire can be reached."""
    seen = scratch.small_numbers(CELLS)
    todo = scratch.small_numbers(CELLS)
    seen[start] = 1
    todo[0] = start
    first, last = 0, 1
    while first < last:
        cell = int(todo[first])
        first += 1
        if not lies_within(start, cell, strength):
            return True
        for way in range(1, _WAYS + 1):
            near = cell + g.delta[way]
            if seen[near] == 0 and g.walkable[seat, board[near]] == 1:
                seen[near] = 1
                todo[last] = near
                last += 1
    return False


@helper
def flee(g: Any, seat: Any, here: Any, board: Any, ways: Any, n_ways: Any, threats: Any, rng: Any) -> Any:
    """Return a random direction without a threat that is free or fogged; else any threatened one, even into a wall."""
    options = scratch.small_numbers(_WAYS)
    n = 0
    for way in range(1, _WAYS + 1):
        value = board[here + g.delta[way]]
        if threats[way] == 0 and (g.walkable[seat, value] == 1 or value == FOG):
            options[n] = way
            n += 1
    if n == 0:
        for k in range(n_ways):
            cell = here + g.delta[ways[k]]
            if g.blank[cell] == PASSAGE:
                options[n] = ways[k]
                n += 1
    return int(options[random.below(rng, n)]) if n > 0 else STOP


# -- wandering ---------------------------------------------------------------------------------------------------


@helper
def is_safe(cell: Any, bombs: Any, n_bombs: Any, strengths: Any) -> Any:
    """Return whether no bomb in the cell's row or column is as near as its strength; walls are ignored."""
    for j in range(n_bombs):
        if lies_within(int(bombs[j]), cell, int(strengths[bombs[j]])):
            return False
    return True


@helper
def wander(
    g: Any, seat: Any, here: Any, board: Any, bombs: Any, n_bombs: Any, strengths: Any, memory: Any, rng: Any
) -> Any:
    """Return a random free and safe direction, if possible to a cell it did not come from recently."""
    options = scratch.small_numbers(_OPTIONS)
    n, n_new = 0, 0
    for way in range(_WAYS + 1):
        cell = here + g.delta[way]
        if way != STOP and g.walkable[seat, board[cell]] == 0:
            continue
        if not is_safe(cell, bombs, n_bombs, strengths):
            continue
        if was_recent(memory, cell):
            if n_new == 0:
                options[n] = way
                n += 1
        else:
            if n_new == 0:
                n = 0
            options[n] = way
            n += 1
            n_new += 1
    remember(memory, here)
    if n > 1 and options[0] == STOP:
        return int(options[1 + random.below(rng, n - 1)])
    return int(options[random.below(rng, n)]) if n > 0 else STOP


@helper
def was_recent(memory: Any, cell: Any) -> Any:
    """Return whether the agent remembers wandering from a cell."""
    for k in range(int(memory[0])):
        if memory[1 + k] == cell:
            return True
    return False


@helper
def remember(memory: Any, cell: Any) -> None:
    """Remember a cell and forget the oldest."""
    if memory[0] == RECENT:
        for k in range(1, RECENT):
            memory[k] = memory[k + 1]
    else:
        memory[0] += 1
    memory[memory[0]] = cell
