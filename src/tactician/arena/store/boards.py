"""Games that people play, kept in a results store while they are played: every event is kept before the answer.

A board has a description (game, seats, budget, seed, who plays) and a list of events in order: turns, single actions,
undone actions, the end. From both a game is played again to where it stood, so a server can be stopped at any moment.
The two tables stand beside those of tournaments in the same database.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, Table, Text, insert, select, update

from tactician.arena.store.database import Database
from tactician.arena.store.schema import now
from tactician.errors import StoreError, short

_metadata = MetaData()

_boards = Table(
    "boards",
    _metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False, comment="digest of the token"),
    Column("description", Text, nullable=False, comment="JSON"),
    Column("created", Text, nullable=False, comment="ISO 8601, UTC"),
    Column("ended", Text, comment="ISO 8601, UTC; null while it is played"),
    Column("result", Text, comment="JSON: returns, or why it was given up"),
)
_events = Table(
    "board_events",
    _metadata,
    Column("board", Text, ForeignKey("boards.id"), primary_key=True),
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("event", Text, nullable=False, comment="JSON"),
    Column("time", Text, nullable=False, comment="ISO 8601, UTC"),
)


@dataclass(frozen=True)
class BoardRow:
    """A board as it is kept."""

    id: str
    owner: str
    description: dict[str, Any]
    created: str
    ended: str | None
    result: dict[str, Any] | None


class BoardStore:
    """The boards of a results store."""

    def __init__(self, where: str | Path | None, read_only: bool = False) -> None:
        # Somebody waits for every event, and one that is with the operating system survives the end of the server.
        self._database = Database(where, read_only, wait_for_disk=False)
        self.name = self._database.name
        if not read_only:
            with self._database.writing() as connection:
                _metadata.create_all(connection, checkfirst=True)

    def add(self, id: str, owner: str, description: dict[str, Any]) -> None:
        """Begin a board."""
        row = {"id": id, "owner": owner, "description": json.dumps(description), "created": now()}
        with self._database.writing() as connection:
            connection.execute(insert(_boards).values(**row))

    def append(self, events: Iterable[tuple[str, int, dict[str, Any]]]) -> None:
        """Keep events, each with its board and its number, in one step."""
        rows = [{"board": b, "number": n, "event": json.dumps(event), "time": now()} for b, n, event in events]
        if rows:
            with self._database.writing() as connection:
                connection.execute(insert(_events), rows)

    def end(self, id: str, result: dict[str, Any]) -> None:
        """Note that a board has ended, and how."""
        with self._database.writing() as connection:
            connection.execute(update(_boards).where(_boards.c.id == id).values(ended=now(), result=json.dumps(result)))

    def board(self, id: str) -> BoardRow | None:
        """One board."""
        return next(iter(self._rows(_boards.c.id == id)), None)

    def boards(self, owner: str | None = None) -> list[BoardRow]:
        """All boards, or those of an owner, oldest first."""
        return self._rows(_boards.c.owner == owner if owner is not None else None)

    def beginning(self, begins: str) -> list[BoardRow]:
        """The boards whose id begins with a text, oldest first."""
        return self._rows(_boards.c.id.startswith(begins, autoescape=True))

    def events(self, id: str) -> list[dict[str, Any]]:
        """The events of a board in order."""
        query = select(_events.c.event).where(_events.c.board == id).order_by(_events.c.number)
        if not self._has_tables():
            return []
        with self._database.reading() as connection:
            return [_read(self.name, id, text) for text in connection.scalars(query)]

    def close(self) -> None:
        """Close the database; events are safe without this call, too."""
        self._database.close()

    def _rows(self, condition: Any) -> list[BoardRow]:
        if not self._has_tables():
            return []
        query = select(_boards).order_by(_boards.c.created, _boards.c.id)
        if condition is not None:
            query = query.where(condition)
        with self._database.reading() as connection:
            found: Sequence[Any] = connection.execute(query).mappings().all()
        return [
            BoardRow(
                id=row["id"],
                owner=row["owner"],
                description=_read(self.name, row["id"], row["description"]),
                created=row["created"],
                ended=row["ended"],
                result=None if row["result"] is None else _read(self.name, row["id"], row["result"]),
            )
            for row in found
        ]

    def _has_tables(self) -> bool:
        from sqlalchemy import inspect

        with self._database.reading() as connection:
            return _boards.name in inspect(connection).get_table_names()


def _read(name: str, id: str, text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise StoreError(f"{name} is damaged: board {short(id)} can't be read; restore a copy of it.")
    return document
