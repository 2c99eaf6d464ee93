"""Reading what the official Pommerman environment hands to an agent, with every field checked.

Arrays may be nested lists, as they are after a trip through JSON, and items may be members of the environment's
enumerations or plain numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidStateError, short
from tactician.games.pommerman import board
from tactician.games.pommerman.board import AGENT, PLAYERS, SIDE
from tactician.games.pommerman.observations import FFA, RADIO, TEAM

Place = tuple[int, int]
"""A row and a column."""

FIELDS = (
    "board",
    "bomb_life",
    "bomb_blast_strength",
    "bomb_moving_direction",
    "flame_life",
    "position",
    "ammo",
    "blast_strength",
    "can_kick",
    "teammate",
    "enemies",
    "alive",
    "game_type",
    "step_count",
)
"""What every observation must have; on the radio also `message`."""
_SHAPE = (SIDE, SIDE)
_MOST = 99
_LAST_STEP = 60_000
_LAST_AGENT = AGENT + PLAYERS - 1


@dataclass(frozen=True)
class Seen:
    """One observation."""

    variant: str
    seat: int
    step: int
    board: NDArray[np.int64]
    bombs: dict[Place, tuple[int, int, int]]
    """Life, strength and direction of every bomb in view."""
    flames: dict[Place, int]
    """Steps that every cell in flames will still burn."""
    alive: tuple[bool, ...]
    place: Place
    ammo: int
    blast: int
    kick: bool
    message: tuple[int, int]

    def shows(self, place: Place) -> bool:
        """Whether a cell is in view."""
        return int(self.board[place]) != board.FOG

    @property
    def agents(self) -> dict[int, Place]:
        """Where agents are in view."""
        return {int(self.board[r, c]) - AGENT: (int(r), int(c)) for r, c in np.argwhere(self.board >= AGENT)}


def read_observation(given: Any, agent_id: int | None = None) -> Seen:
    """Check an observation and put it in order; refuses in one sentence that names the field."""
    if not isinstance(given, Mapping):
        raise InvalidStateError(f"observation is {short(given)}; expected a mapping with {', '.join(FIELDS)}.")
    for name in FIELDS:
        if name not in given:
            raise InvalidStateError(f"observation lacks the field {name!r}.")
    kind = _integer("game_type", given["game_type"], FFA, RADIO)
    values = _map("board", given["board"], 0, _LAST_AGENT)
    seat = _seat(kind, given, agent_id)
    alive = _alive(given["alive"])
    place = _place(given["position"])
    variant = _variant(kind, values, place)
    _check_agents(values, seat, alive, place)
    if kind == RADIO and "message" not in given:
        raise InvalidStateError("observation lacks the field 'message'.")
    return Seen(
        variant=variant,
        seat=seat,
        step=_integer("step_count", given["step_count"], 0, _LAST_STEP),
        board=values,
        bombs=_bombs(given, values),
        flames=_flames(given["flame_life"], values),
        alive=alive,
        place=place,
        ammo=_integer("ammo", given["ammo"], 0, _MOST),
        blast=_integer("blast_strength", given["blast_strength"], 1, board.MOST_BLAST),
        kick=bool(_integer("can_kick", given["can_kick"], 0, 1)),
        message=_message(given["message"]) if kind == RADIO else (0, 0),
    )


# -- fields ------------------------------------------------------------------------------------------------------


def _integer(name: str, value: Any, least: int, most: int) -> int:
    value = getattr(value, "value", value)  # a member of an enumeration
    if not isinstance(value, (int, np.integer, np.bool_)) or not least <= value <= most:
        raise InvalidStateError(f"{name} is {short(value)}; expected an integer from {least} to {most}.")
    return int(value)


def _map(name: str, given: Any, least: int, most: int) -> NDArray[np.int64]:
    try:
        values = np.asarray(given, float)
    except (TypeError, ValueError):
        raise InvalidStateError(f"{name} is {short(given)}; expected {SIDE} rows of {SIDE} numbers.") from None
    if values.shape != _SHAPE:
        raise InvalidStateError(f"{name} has the shape {values.shape}; expected {_SHAPE}.")
    wrong = np.argwhere(~((values >= least) & (values <= most) & (values == np.floor(values))))
    if len(wrong):
        place = tuple(wrong[0].tolist())
        raise InvalidStateError(f"{name} at {place} is {values[place]:g}; expected an integer from {least} to {most}.")
    return values.astype(np.int64)


def _items(name: str, given: Any, least: int, most: int, counts: tuple[int, ...]) -> list[int]:
    if isinstance(given, (str, bytes)) or not hasattr(given, "__len__") or len(given) not in counts:
        raise InvalidStateError(f"{name} is {short(given)}; expected {' or '.join(map(str, counts))} numbers.")
    return [_integer(name, value, least, most) for value in given]


def _seat(kind: int, given: Mapping[str, Any], agent_id: int | None) -> int:
    """Whose observation it is: who isn't among its enemies, or the mate of its mate."""
    mate = _integer("teammate", given["teammate"], board.NOBODY, _LAST_AGENT)
    enemies = set(_items("enemies", given["enemies"], board.NOBODY, _LAST_AGENT, (2, 3)))
    if kind == FFA:
        left = set(range(AGENT, AGENT + PLAYERS)) - enemies
        if len(left) != 1:
            raise InvalidStateError(f"enemies is {short(given['enemies'])}; expected three of the values 10 to 13.")
        seat = left.pop() - AGENT
    else:
        if mate == board.NOBODY:
            raise InvalidStateError(f"teammate is {mate} in a team game; expected a value from 10 to 13.")
        seat = (mate - AGENT + 2) % PLAYERS
    if agent_id is not None and seat != agent_id:
        raise InvalidStateError(f"enemies and teammate are those of agent {seat}; expected those of agent {agent_id}.")
    return seat


def _alive(given: Any) -> tuple[bool, ...]:
    living = _items("alive", given, AGENT, _LAST_AGENT, tuple(range(PLAYERS + 1)))
    return tuple(AGENT + i in living for i in range(PLAYERS))


def _place(given: Any) -> Place:
    row, column = _items("position", given, 0, SIDE - 1, (2,))
    return row, column


def _message(given: Any) -> tuple[int, int]:
    first, second = _items("message", given, 0, board.WORDS - 1, (2,))
    return first, second


def _variant(kind: int, values: NDArray[np.int64], place: Place) -> str:
    rows, columns = np.indices(_SHAPE)
    far = (np.abs(rows - place[0]) > board.VIEW) | (np.abs(columns - place[1]) > board.VIEW)
    fog = values == board.FOG
    if not fog.any() and kind != RADIO:
        return "team-full" if kind == TEAM else "ffa"
    if kind == FFA or (fog != far).any():
        here = tuple(np.argwhere(fog if kind == FFA else fog != far)[0].tolist())
        where = "none" if kind == FFA else f"it where a row or column is more than {board.VIEW} away"
        raise InvalidStateError(f"board at {here} is {values[here]}; of fog (5) expected {where}.")
    return "radio" if kind == RADIO else "team"


def _check_agents(values: NDArray[np.int64], seat: int, alive: tuple[bool, ...], place: Place) -> None:
    whole = not (values == board.FOG).any()
    for i in range(PLAYERS):
        drawn = [tuple(where) for where in np.argwhere(values == AGENT + i).tolist()]
        expected = [place] if i == seat and alive[i] else drawn[:1] if alive[i] else []
        if drawn != expected or (alive[i] and whole and not drawn):
            there = ", ".join(map(str, drawn)) or "nowhere"
            state = f"at {place}" if i == seat and alive[i] else "alive" if alive[i] else "dead"
            raise InvalidStateError(f"agent {i} is {state} but the board shows it {there}.")


def _bombs(given: Mapping[str, Any], values: NDArray[np.int64]) -> dict[Place, tuple[int, int, int]]:
    life = _map("bomb_life", given["bomb_life"], 0, board.BOMB_LIFE)
    strength = _map("bomb_blast_strength", given["bomb_blast_strength"], 0, board.MOST_BLAST)
    direction = _map("bomb_moving_direction", given["bomb_moving_direction"], 0, board.RIGHT)
    room = np.isin(values, (board.BOMB, board.FLAMES)) | (values >= AGENT)
    for name, given_map, wrong in (
        ("bomb_life", life, (values == board.BOMB) & (life == 0) | ~room & (life > 0)),
        ("bomb_blast_strength", strength, (life > 0) != (strength > 0)),
        ("bomb_moving_direction", direction, (life == 0) & (direction > 0)),
    ):
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0].tolist())
            raise InvalidStateError(
                f"{name} at {place} is {given_map[place]} where the board shows {values[place]} and bomb_life is "
                f"{life[place]}; expected maps that agree."
            )
    found = [(int(r), int(c)) for r, c in np.argwhere(life)]
    return {p: (int(life[p]), int(strength[p]), int(direction[p])) for p in found}


def _flames(given: Any, values: NDArray[np.int64]) -> dict[Place, int]:
    life = _map("flame_life", given, 0, board.FLAME_LIFE + 1)
    wrong = (life > 0) != (values == board.FLAMES)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise InvalidStateError(
            f"flame_life at {place} is {life[place]} where the board shows {values[place]}; expected them to agree."
        )
    return {(int(r), int(c)): int(life[r, c]) - 1 for r, c in np.argwhere(life)}
