"""The canonical JSON form of Pommerman's states: write it, and read it with every field checked."""

from __future__ import annotations

from typing import Any

from tactician.contract.reading import entry, integer, require_fields, sequence
from tactician.errors import InvalidStateError, short
from tactician.games.pommerman import board
from tactician.games.pommerman.board import CELLS_USED, PLAYERS, SIDE, cell_at, place_of
from tactician.games.pommerman.records import (
    CELL_BITS,
    CELLS_A_WORD,
    DIRECTION,
    LIFE,
    NO_OWNER,
    OWNER,
    STRENGTH,
)
from tactician.native.records import FieldRecord

_FIELDS = ("t", "board", "agents", "bombs", "flames", "items")
_AGENT_PARTS = ("row", "column", "alive", "ammo", "blast", "kick")
_BOMB_PARTS = ("row", "column", "life", "strength", "owner", "direction")
_FLAME_PARTS = ("row", "column", "life")
_ITEM_PARTS = ("row", "column", "kind")
_MESSAGE_PARTS = ("word", "word")
_MOST = 99
_BYTE, _NIBBLE = 0xFF, 0xF
_DIGITS = "0123456789abcd"
_FIRST_KIND = board.EXTRA_BOMB - 1


# -- writing -----------------------------------------------------------------------------------------------------


def to_json(g: FieldRecord, s: FieldRecord) -> dict[str, Any]:
    """Return a state as recordings write it; `messages` only if there are any.

    What an observer doesn't know of an agent is 0; an unknown place or owner of a bomb is -1.
    """
    values = s.board.tolist()
    rows = ["".join(_DIGITS[v] for v in values[cell_at(row, 0) : cell_at(row, SIDE)]) for row in range(SIDE)]
    cells, ammo, blast, kick = s.cell.tolist(), s.ammo.tolist(), s.blast.tolist(), s.kick.tolist()
    alive = int(s.alive)
    position: dict[str, Any] = {
        "t": int(s.step),
        "board": rows,
        "agents": [[*place_of(cells[i]), alive >> i & 1, ammo[i], blast[i], kick[i]] for i in range(PLAYERS)],
        "bombs": [_bomb_json(bomb) for bomb in s.bombs[: int(s.n_bombs)].tolist()],
        "flames": [[*place_of(f & CELL_BITS), f >> LIFE] for f in s.flames[: int(s.n_flames)].tolist()],
        "items": [[*place_of(cell), kind] for cell, kind in hidden_items(s)],
    }
    if s.message.any():
        position["messages"] = [list(divmod(code, board.WORDS)) for code in s.message.tolist()]
    return position


def _bomb_json(bomb: int) -> list[int]:
    owner = bomb >> OWNER & _NIBBLE
    life, strength = bomb >> LIFE & _BYTE, bomb >> STRENGTH & _BYTE
    return [*place_of(bomb & CELL_BITS), life, strength, -1 if owner == NO_OWNER else owner, bomb >> DIRECTION]


def hidden_items(s: FieldRecord) -> list[tuple[int, int]]:
    """Return the cell and the cell value of every hidden item."""
    words = s.items.tolist()
    kinds = [(cell, words[cell // CELLS_A_WORD] >> 2 * (cell % CELLS_A_WORD) & 3) for cell in range(CELLS_USED)]
    return [(cell, _FIRST_KIND + kind) for cell, kind in kinds if kind]


# -- reading -----------------------------------------------------------------------------------------------------


def from_json(g: FieldRecord, s: FieldRecord, data: Any) -> None:
    """Fill a state from the canonical form; raise `InvalidStateError` if it is not a position of the game."""
    fill(g, s, data)
    require_reachable(s)


def fill(g: FieldRecord, s: FieldRecord, data: Any) -> None:
    """Fill a state without checking whether the players can reach each other."""
    require_fields("state", data, _FIELDS, ("messages",))
    s.step = integer("t", data["t"], 0, int(g.time_limit))
    _read_board(g, s, data["board"])
    _read_agents(g, s, data["agents"])
    _read_bombs(s, data["bombs"])
    _read_flames(s, data["flames"])
    _read_items(s, data["items"])
    if "messages" in data:
        _read_messages(g, s, data["messages"])


def _read_board(g: FieldRecord, s: FieldRecord, rows: Any) -> None:
    if not isinstance(rows, list) or len(rows) != SIDE:
        size = f"{len(rows)} rows" if isinstance(rows, list) else short(rows)
        raise InvalidStateError(f"board is {size}; expected {SIDE} rows of {SIDE} cells.")
    values = g.blank.tolist()
    for r, row in enumerate(rows):
        if not isinstance(row, str) or len(row) != SIDE:
            size = f"{len(row)} cells" if isinstance(row, str) else short(row)
            raise InvalidStateError(f"board row {r} has {size}; expected {SIDE} hexadecimal digits.")
        for c, digit in enumerate(row):
            value = _DIGITS.find(digit)
            if value < 0 or value == board.NOBODY or (value == board.FOG and not g.sight):
                raise InvalidStateError(f"board cell ({r}, {c}) is {digit!r}; expected a value of this variant.")
            values[cell_at(r, c)] = value
    s.board = values


def _read_agents(g: FieldRecord, s: FieldRecord, agents: Any) -> None:
    values, cells, alive = s.board.tolist(), [0] * PLAYERS, 0
    ammo, blast, kick = [0] * PLAYERS, [0] * PLAYERS, [0] * PLAYERS
    for i, agent in enumerate(sequence("agents", agents, PLAYERS, PLAYERS)):
        name = f"agents[{i}]"
        entry(name, agent, _AGENT_PARTS)
        lives = integer(f"{name} alive", agent[2], 0, 1)
        alive |= lives << i
        unseen = agent[:2] == [-1, -1] and (bool(g.sight) or not lives)
        cell = board.NOWHERE if unseen else _cell(name, agent)
        drawn = [cell for cell, value in enumerate(values) if value == board.AGENT + i]
        if drawn != ([cell] if lives and not unseen else []):
            there = ", ".join(str(place_of(c)) for c in drawn) or "nowhere"
            where = f"at {place_of(cell)}" if lives and not unseen else "nowhere"
            raise InvalidStateError(f"{name} is {where} but the board shows it {there}.")
        cells[i] = cell
        ammo[i] = integer(f"{name} ammo", agent[3], 0, _MOST)
        blast[i] = integer(f"{name} blast", agent[4], 0, board.MOST_BLAST)
        kick[i] = integer(f"{name} kick", agent[5], 0, 1)
    s.cell, s.ammo, s.blast, s.kick, s.alive = cells, ammo, blast, kick, alive


def _read_bombs(s: FieldRecord, bombs: Any) -> None:
    values, packed = s.board.tolist(), []
    for j, bomb in enumerate(sequence("bombs", bombs, 0, board.MOST_BOMBS_GIVEN)):
        name = f"bombs[{j}]"
        entry(name, bomb, _BOMB_PARTS)
        cell = _cell(name, bomb)
        if values[cell] not in (board.BOMB, board.FLAMES) and values[cell] < board.AGENT:
            raise InvalidStateError(f"{name} is at {place_of(cell)} but the board shows no bomb there.")
        life = integer(f"{name} life", bomb[2], 1, board.BOMB_LIFE)
        strength = integer(f"{name} strength", bomb[3], 1, board.MOST_BLAST)
        owner = integer(f"{name} owner", bomb[4], -1, PLAYERS - 1) % (NO_OWNER + 1)
        direction = integer(f"{name} direction", bomb[5], 0, board.RIGHT)
        packed.append(cell | life << LIFE | strength << STRENGTH | owner << OWNER | direction << DIRECTION)
    s.bombs[: len(packed)] = packed
    s.n_bombs = len(packed)


def _read_flames(s: FieldRecord, flames: Any) -> None:
    values, packed = s.board.tolist(), []
    for k, flame in enumerate(sequence("flames", flames, 0, board.MOST_FLAMES)):
        name = f"flames[{k}]"
        entry(name, flame, _FLAME_PARTS)
        cell = _cell(name, flame)
        if values[cell] != board.FLAMES:
            raise InvalidStateError(f"{name} is at {place_of(cell)} but the board shows no flames there.")
        packed.append(cell | integer(f"{name} life", flame[2], 0, board.FLAME_LIFE) << LIFE)
    s.flames[: len(packed)] = packed
    s.n_flames = len(packed)


def _read_items(s: FieldRecord, items: Any) -> None:
    words = [0] * len(s.items)
    for k, item in enumerate(sequence("items", items, 0, SIDE * SIDE)):
        name = f"items[{k}]"
        entry(name, item, _ITEM_PARTS)
        cell = _cell(name, item)
        kind = integer(f"{name} kind", item[2], board.EXTRA_BOMB, board.KICK) - _FIRST_KIND
        shift = 2 * (cell % CELLS_A_WORD)
        if words[cell // CELLS_A_WORD] >> shift & 3:
            raise InvalidStateError(f"{name} is at {place_of(cell)}, where another item is hidden already.")
        words[cell // CELLS_A_WORD] |= kind << shift
    s.items = words


def _read_messages(g: FieldRecord, s: FieldRecord, messages: Any) -> None:
    if not g.radio:
        raise InvalidStateError("state has messages in a variant without radio; expected no such field.")
    for i, words in enumerate(sequence("messages", messages, PLAYERS, PLAYERS)):
        name = f"messages[{i}]"
        first, second = (integer(name, word, 0, board.WORDS - 1) for word in entry(name, words, _MESSAGE_PARTS))
        s.message[i] = first * board.WORDS + second


def require_reachable(s: FieldRecord) -> None:
    """Raise `InvalidStateError` if rigid walls separate living players from each other."""
    alive = int(s.alive)
    living = [c for i, c in enumerate(s.cell.tolist()) if alive >> i & 1 and c != board.NOWHERE]
    values = s.board.tolist()
    seen, todo = set(living[:1]), living[:1]
    while todo:
        cell = todo.pop()
        for near in (cell - board.STRIDE, cell + board.STRIDE, cell - 1, cell + 1):
            if near not in seen and values[near] != board.RIGID:
                seen.add(near)
                todo.append(near)
    for cell in living:
        if cell not in seen:
            raise InvalidStateError(
                f"the player at {place_of(cell)} can't be reached by the one at {place_of(living[0])}; "
                "expected no rigid walls all around a player."
            )


def _cell(name: str, entry: list[Any]) -> int:
    row = integer(f"{name} row", entry[0], 0, SIDE - 1)
    return cell_at(row, integer(f"{name} column", entry[1], 0, SIDE - 1))
