"""Observations as the official environment gives them to agents."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract.state import State
from tactician.games.pommerman import board
from tactician.games.pommerman.board import PLAYERS, SIDE, STRIDE
from tactician.games.pommerman.records import CELL_BITS, DIRECTION, LIFE, STRENGTH

FFA, TEAM, RADIO = 1, 2, 3
_BYTE = 0xFF
_INSIDE = np.array(board.ALL_CELLS)


def observation(state: State, seat: int) -> dict[str, Any]:
    """Return the official environment's observation of a seat, with cell values as plain numbers.

    Cells out of view are fog, without bombs and flames. Dead agents keep their view.
    """
    g, s = state.game.config, state.record
    visible = _in_view(int(g.sight), int(s.cell[seat]))
    values = np.where(visible, s.board[_INSIDE].reshape(SIDE, SIDE), board.FOG).astype(np.uint8)
    life, strength, direction, flames = (np.zeros((SIDE, SIDE), np.uint8) for _ in range(4))
    for bomb in s.bombs[: int(s.n_bombs)].tolist():
        place = board.place_of(bomb & CELL_BITS)
        if visible[place]:
            life[place], strength[place] = bomb >> LIFE & _BYTE, bomb >> STRENGTH & _BYTE
            direction[place] = bomb >> DIRECTION
    for flame in s.flames[: int(s.n_flames)].tolist():
        place = board.place_of(flame & CELL_BITS)
        if visible[place]:
            flames[place] = (flame >> LIFE) + 1
    foes = [int(value) for value in g.enemies[seat]][: PLAYERS - 1]
    seen: dict[str, Any] = {
        "alive": [board.AGENT + i for i in range(PLAYERS) if int(s.alive) >> i & 1],
        "board": values,
        "bomb_blast_strength": strength,
        "bomb_life": life,
        "bomb_moving_direction": direction,
        "flame_life": flames,
        "game_type": RADIO if g.radio else TEAM if g.teams else FFA,
        "game_env": f"pommerman.envs.v{2 if g.radio else 0}:Pomme",
        "position": board.place_of(int(s.cell[seat])),
        "ammo": int(s.ammo[seat]),
        "blast_strength": int(s.blast[seat]),
        "can_kick": bool(s.kick[seat]),
        "teammate": int(g.mate[seat]),
        "enemies": foes,
        "step_count": int(s.step),
    }
    if g.radio:
        seen["message"] = divmod(int(s.message[(seat + 2) % PLAYERS]), board.WORDS)
    return seen


def _in_view(sight: int, cell: int) -> NDArray[np.bool_]:
    if not sight:
        return np.ones((SIDE, SIDE), bool)
    rows = np.abs(_INSIDE // STRIDE - cell // STRIDE)
    columns = np.abs(_INSIDE % STRIDE - cell % STRIDE)
    return ((rows <= sight) & (columns <= sight)).reshape(SIDE, SIDE)
