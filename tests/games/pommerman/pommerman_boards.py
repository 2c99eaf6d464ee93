"""Positions written as pictures and actions written as words, so that a test of a rule reads like the rule.

A picture has a line for each row, from the top left; what is not written is passage. ``#`` is a rigid wall, ``=`` wood,
``b`` ``r`` ``k`` are power-ups (extra bomb, range, kick), ``A`` to ``D`` the agents 0 to 3. Bombs and flames are given
beside the picture and drawn into it. Agents that are not in the picture are dead.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tactician.contract import Game, State
from tactician.games.pommerman import pommerman
from tactician.games.pommerman.conformance import step_on

SIDE = 11
AGENTS = "ABCD"
VALUES = {".": 0, "#": 1, "=": 2, "b": 6, "r": 7, "k": 8, "A": 10, "B": 11, "C": 12, "D": 13}
MOVES = {"stop": 0, "up": 1, "down": 2, "left": 3, "right": 4, "bomb": 5}
Bomb = list[int]


@cache
def game(**options: Any) -> Game:
    """The game with some parameters changed."""
    return pommerman(**options)


def bomb(row: int, column: int, life: int = 9, strength: int = 2, owner: int = 0, rolling: str = "stop") -> Bomb:
    return [row, column, life, strength, owner, MOVES[rolling]]


def described(
    picture: str,
    *,
    bombs: Sequence[Bomb] = (),
    flames: Sequence[list[int]] = (),
    items: Iterable[list[int]] = (),
    ammo: Mapping[str, int] | None = None,
    blast: Mapping[str, int] | None = None,
    kick: str = "",
    t: int = 0,
) -> dict[str, Any]:
    """A position's JSON form; everybody has ammunition 1 and strength 2 unless told otherwise."""
    values = [[0] * SIDE for _ in range(SIDE)]
    agents = [[0, 0, 0, 1, 2, 0] for _ in AGENTS]
    for row, line in enumerate(picture.strip().split()):
        for column, mark in enumerate(line):
            values[row][column] = VALUES[mark]
            if mark in AGENTS:
                agents[AGENTS.index(mark)][:3] = [row, column, 1]
    for i, name in enumerate(AGENTS):
        agents[i][3:] = [(ammo or {}).get(name, 1), (blast or {}).get(name, 2), int(name in kick)]
    for row, column, *_ in bombs:
        values[row][column] = max(values[row][column], 3)
    for row, column, _ in flames:
        values[row][column] = 4
    return {
        "t": t,
        "board": ["".join(f"{value:x}" for value in line) for line in values],
        "agents": agents,
        "bombs": [list(entry) for entry in bombs],
        "flames": [list(entry) for entry in flames],
        "items": sorted(list(entry) for entry in items),
    }


def position(picture: str, *, of: Game | None = None, **parts: Any) -> State:
    """The state of `described`."""
    return (of or game()).state_from_json(described(picture, **parts))


def go(state: State, **moves: str) -> State:
    """The state after one step; who is not named stops. The game may be over already: single agents can be watched."""
    return step_on(state.copy(), [MOVES[moves.get(name, "stop")] for name in AGENTS])


def wait(state: State, steps: int) -> State:
    """The state after some steps in which everybody stops."""
    for _ in range(steps):
        state = go(state)
    return state


def place(state: State, name: str) -> tuple[int, int]:
    """Where an agent is."""
    row, column, *_ = state.to_json()["agents"][AGENTS.index(name)]
    return row, column


def lives(state: State, name: str) -> bool:
    return bool(state.to_json()["agents"][AGENTS.index(name)][2])


def own(state: State, name: str) -> tuple[int, int, int]:
    """An agent's ammunition, strength and kick."""
    ammo, blast, kick = state.to_json()["agents"][AGENTS.index(name)][3:]
    return ammo, blast, kick


def bombs(state: State) -> list[Bomb]:
    return state.to_json()["bombs"]


def bomb_places(state: State) -> list[tuple[int, int]]:
    return [(row, column) for row, column, *_ in bombs(state)]


def value(state: State, row: int, column: int) -> int:
    """What a cell shows."""
    return int(state.to_json()["board"][row][column], 16)


def flaming(state: State) -> set[tuple[int, int]]:
    """The cells with flames, checked against the board."""
    cells = {(row, column) for row, column, _ in state.to_json()["flames"]}
    assert cells == {(r, c) for r in range(SIDE) for c in range(SIDE) if value(state, r, c) == 4}
    return cells


def crowded(chance: random.Random) -> dict[str, Any]:
    """A small arena full of agents, bombs on the move and flames, where everything gets in everything's way."""
    height, width = chance.choice([(2, 8), (3, 3), (4, 4), (5, 5)])
    inside = [(row, column) for row in range(height) for column in range(width)]
    values = [[1] * SIDE for _ in range(SIDE)]
    for row, column in inside:
        values[row][column] = chance.choices((0, 2, 6, 7, 8, 1), (14, 1, 1, 1, 1, 1))[0]
    agents, items = [], []
    for i, (row, column) in enumerate(chance.sample(inside, 4)):
        alive = int(i < 2 or chance.random() < 0.8)
        agents.append([row, column, alive, chance.choice((0, 1, 10)), chance.randint(2, 6), chance.randint(0, 1)])
        values[row][column] = 10 + i if alive else 0
    placed, flames = [], []
    for row, column in chance.sample(inside, chance.randint(0, min(6, len(inside) - 4))):
        if values[row][column] in (0, 10, 11, 12, 13):
            entry = [
                chance.randint(1, 9),
                chance.randint(2, 5),
                chance.randint(0, 3),
                chance.choice((0, 0, 1, 2, 3, 4)),
            ]
            placed.append([row, column, *entry])
            values[row][column] = max(values[row][column], 3)
    for row, column in inside:
        if values[row][column] == 0 and chance.random() < 0.15:
            values[row][column] = 4
            flames += [[row, column, life] for life in sorted(chance.sample((0, 1, 2), chance.choice((1, 1, 2))))]
        if values[row][column] in (2, 4) and chance.random() < 0.5:
            items.append([row, column, chance.randint(6, 8)])
    return {
        "t": chance.choice((5, 300, 798, 799)),
        "board": ["".join(f"{value:x}" for value in line) for line in values],
        "agents": agents,
        "bombs": placed,
        "flames": flames,
        "items": items,
    }
