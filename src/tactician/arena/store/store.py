"""The results store: tournaments and their games, added once and read back as they were.

Any number of processes may write to one store at a time; each opens its own `ResultStore`. The database guarantees that
no game counts twice: a unique constraint and one atomic insert.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from sqlalchemy import Connection, Select, Table, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from tactician._version import __version__
from tactician.arena.records import GameRecord
from tactician.arena.store import export, rows, schema
from tactician.arena.store.database import Database
from tactician.errors import StoreError, short

_BATCH = 200
"""Games read at a time, so that a large tournament needs little memory and no transaction stays open."""
_LARGEST_ID = 2**63 - 1
_LEAST_OF_A_KEY = 6
"""So many digits may also be the beginning of a key; fewer are the number of a tournament."""


def open_store(where: str | Path | None = None, read_only: bool = False) -> ResultStore:
    """Open a results store, and make it if it isn't there yet.

    `where` is a file (SQLite), a URL (``sqlite:///games.db``, ``postgresql://user@host/database``), or None for one
    that lives in memory. With `read_only` it must be there, and a file that may not be written is read all the same.
    """
    return ResultStore(Database(where, read_only))


@dataclass(frozen=True)
class TournamentSummary:
    """A tournament in a store."""

    id: int
    key: str
    """A digest of what is played."""
    description: dict[str, Any]
    """What is played: game, agents, budget, seed, games."""
    created: datetime
    package_version: str
    games: int
    """How many are finished."""
    forfeits: int
    """How many of those ended with an error."""
    last: datetime | None
    """When the latest game was finished."""


class ResultStore:
    """Tournaments and finished games in a database; see `open_store`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def name(self) -> str:
        """What messages call it: the file, or the URL without user and password."""
        return self._database.name

    @property
    def lasts(self) -> bool:
        """Whether it can be read again when it was closed; one in memory can't."""
        return self._database.file is not None or not self._database.is_sqlite

    @property
    def file(self) -> Path | None:
        """The SQLite file, where there is one."""
        return self._database.file

    def tournament(self, key: str, description: Mapping[str, Any]) -> int:
        """The number of the tournament with this key, which is made if it isn't there yet.

        A description that is there already stays as it is.
        """
        table = schema.tournaments
        query = select(table.c.id).where(table.c.key == rows.to_text(key))
        with self._database.writing() as connection:
            known = connection.scalar(query)
            if known is not None:
                return int(known)
            _insert_if_new(
                connection,
                table,
                ["key"],
                {
                    "key": rows.to_text(key),
                    "description": rows.to_json(dict(description)),
                    "created": schema.now(),
                    "package_version": __version__,
                },
            )
            return int(connection.execute(query).scalar_one())

    def add(self, tournament: int, record: GameRecord) -> bool:
        """Keep a finished game; False if it is there already.

        When this returns, the game is on the disk.
        """
        row = rows.to_row(record, schema.now()) | {"tournament": tournament}
        with self._database.writing() as connection:
            return _insert_if_new(connection, schema.games, ["tournament", "key"], row)

    def played(self, tournament: int) -> set[str]:
        """The keys of the pairings that are finished."""
        with self._database.reading() as connection:
            found = connection.scalars(select(schema.games.c.key).where(schema.games.c.tournament == tournament))
            keys = set(found)
            if not keys:
                self._require(connection, tournament)
            return keys

    def games(self, tournament: int) -> Iterator[GameRecord]:
        """The finished games, in the order in which they were added.

        Games may be added while this runs.
        """
        return (record for _, record in self._finished(tournament))

    def game(self, tournament: int, key: str) -> GameRecord:
        """The finished game of one pairing."""
        table = schema.games
        query = select(table).where(table.c.tournament == tournament, table.c.key == key)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            raise StoreError(f"{self.name} has no game {short(key)} in tournament {tournament}.")
        return self._record(row)

    def tournaments(self) -> list[TournamentSummary]:
        """All there are, oldest first."""
        with self._database.reading() as connection:
            return self._read(connection, _summaries())

    def find(self, which: int | str) -> TournamentSummary:
        """One tournament by its number, its key, or the beginning of its key if no other begins so."""
        table = schema.tournaments
        number = int(which) if isinstance(which, int) or (which.isascii() and which.isdecimal()) else 0
        begins = rows.to_text(str(which))
        with self._database.reading() as connection:
            if 0 < number <= _LARGEST_ID:
                numbered = self._read(connection, _summaries().where(table.c.id == number))
                if numbered:
                    return numbered[0]
            found: list[TournamentSummary] = []
            if isinstance(which, str) and which and (number == 0 or len(which) >= _LEAST_OF_A_KEY):
                same = func.substr(table.c.key, 1, len(begins)) == begins
                found = self._read(connection, _summaries().where(same))
            exact = [one for one in found if one.key == which]
            if len(exact or found) == 1:
                return (exact or found)[0]
            if found:
                listed = ", ".join(f"{one.id} ({one.key})" for one in found[:5])
                raise StoreError(f"{len(found)} tournaments begin with {short(which)}: {listed}; give more of the key.")
            known = connection.execute(select(table.c.id, table.c.key).order_by(table.c.id.desc()).limit(5)).all()
        listed = ", ".join(f"{id} ({rows.from_text(key)})" for id, key in known) or "none"
        raise StoreError(f"{self.name} has no tournament {short(which)}; the latest are: {listed}.")

    def delete(self, tournament: int) -> int:
        """Remove a tournament with all its games; returns how many games that were."""
        with self._database.writing() as connection:
            self._require(connection, tournament)
            removed = connection.execute(delete(schema.games).where(schema.games.c.tournament == tournament))
            connection.execute(delete(schema.tournaments).where(schema.tournaments.c.id == tournament))
            return removed.rowcount

    def export_csv(self, tournament: int, where: str | Path | TextIO) -> int:
        """Write a line a game to a file or a stream, with a header; returns how many games."""
        query = select(schema.games.c.seats).where(schema.games.c.tournament == tournament).distinct()
        with self._database.reading() as connection:
            texts = connection.scalars(query).all()
        try:
            seats = max((len(json.loads(text)) for text in texts), default=0)
        except (ValueError, TypeError, RecursionError):
            seats = 0  # reading the games says which one is damaged
        return export.write_csv(self._finished(tournament), seats, where)

    def export_jsonl(self, tournament: int, where: str | Path | TextIO) -> int:
        """Write one JSON document a game, all of it, to a file or a stream; returns how many games."""
        parameters = self.find(tournament).description.get("parameters", {})
        if not isinstance(parameters, dict):
            raise StoreError(f"{self.name} is damaged: the parameters of tournament {tournament} are not a table.")
        return export.write_jsonl(self.games(tournament), where, parameters)

    def check(self) -> int:
        """Read all there is, and raise if anything is damaged; returns how many games there are."""
        self._database.check()
        return sum(1 for one in self.tournaments() for _ in self._finished(one.id))

    def close(self) -> None:
        """Close the database. Games are safe without this call, too."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def _finished(self, tournament: int) -> Iterator[tuple[str, GameRecord]]:
        """Every game with the time it was finished."""
        table = schema.games
        query = select(table).where(table.c.tournament == tournament).order_by(table.c.id).limit(_BATCH)
        last = 0
        while True:
            with self._database.reading() as connection:
                batch = connection.execute(query.where(table.c.id > last)).mappings().all()
                if last == 0 and not batch:
                    self._require(connection, tournament)
            for row in batch:
                yield row["finished"], self._record(row)
            if len(batch) < _BATCH:
                return
            last = batch[-1]["id"]

    def _record(self, row: Mapping[Any, Any]) -> GameRecord:
        try:
            return rows.from_row(dict(row))
        except ValueError as error:
            raise StoreError(
                f"{self.name} is damaged: game {short(row['key'])} of tournament {row['tournament']} can't be read "
                f"({error}); restore a copy of it."
            ) from error

    def _read(self, connection: Connection, query: Select[Any]) -> list[TournamentSummary]:
        try:
            return [_summary(row) for row in connection.execute(query).mappings()]
        except (ValueError, TypeError, RecursionError) as error:
            raise StoreError(
                f"{self.name} is damaged: a tournament can't be read ({error}); restore a copy of it."
            ) from error

    def _require(self, connection: Connection, tournament: int) -> None:
        if connection.scalar(select(schema.tournaments.c.id).where(schema.tournaments.c.id == tournament)) is None:
            raise StoreError(f"{self.name} has no tournament {tournament}.")


def _insert_if_new(connection: Connection, table: Table, unique: list[str], row: Mapping[str, Any]) -> bool:
    """One atomic statement: of two processes that try at the same moment, exactly one hears True."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(table).values(**row).on_conflict_do_nothing(index_elements=unique)
    # SQLAlchemy counts an INSERT's rows only if it is told to.
    return connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount == 1


def _summaries() -> Select[Any]:
    table, games = schema.tournaments, schema.games
    return (
        select(
            table,
            func.count(games.c.id).label("games"),
            func.count(games.c.error).label("forfeits"),
            func.max(games.c.finished).label("last"),
        )
        .select_from(table.outerjoin(games, games.c.tournament == table.c.id))
        .group_by(table.c.id)
        .order_by(table.c.id)
    )


def _summary(row: Mapping[Any, Any]) -> TournamentSummary:
    description = json.loads(row["description"])
    if not isinstance(description, dict):
        raise ValueError(f"its description is {short(description)}")
    return TournamentSummary(
        id=row["id"],
        key=rows.from_text(row["key"]),
        description=description,
        created=datetime.fromisoformat(row["created"]),
        package_version=row["package_version"],
        games=row["games"],
        forfeits=row["forfeits"],
        last=datetime.fromisoformat(row["last"]) if row["last"] else None,
    )
