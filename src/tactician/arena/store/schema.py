"""The store's tables, their version, and how an older store becomes a current one.

A change of the tables raises `SCHEMA_VERSION` and appends one function to `MIGRATIONS`. An older store is brought up to
date in one transaction when it is opened, so it has its old form or its new one and nothing in between. A migration
that changes what a game's checksum covers writes new checksums (`tactician.arena.store.rows`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    insert,
    inspect,
    select,
    update,
)

from tactician._version import __version__
from tactician.arena.store import migrations
from tactician.errors import StoreError

SCHEMA_VERSION = 2
"""The form of the tables below."""

MIGRATIONS: tuple[Callable[[Connection], None], ...] = (migrations.add_options,)
"""The n-th makes version n + 2 out of version n + 1."""

_Id = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts rows only in a column that is called INTEGER; it holds 64 bits all the same."""

metadata = MetaData()

meta = Table(
    "tactician_meta",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("description", Text, nullable=False, comment="JSON"),
    Column("created", Text, nullable=False, comment="ISO 8601, UTC"),
    Column("package_version", Text, nullable=False),
    sqlite_autoincrement=True,  # the number of a deleted tournament is never given to another
)

games = Table(
    "games",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("tournament", _Id, ForeignKey("tournaments.id"), nullable=False),
    Column("key", Text, nullable=False, comment="digest of the pairing"),
    Column("game", Text, nullable=False),
    Column("seats", Text, nullable=False, comment="JSON"),
    Column("budget", Text, nullable=False),
    Column("seed", Text, nullable=False, comment="an integer of any size"),
    Column("round", BigInteger, nullable=False),
    Column("returns", Text, nullable=False, comment="JSON"),
    Column("error", Text),
    Column("error_seat", Integer),
    Column("ms", Float(53), nullable=False),
    Column("turns", LargeBinary, nullable=False, comment="JSON, zlib"),
    Column("game_version", Text, nullable=False),
    Column("package_version", Text, nullable=False),
    Column("finished", Text, nullable=False, comment="ISO 8601, UTC"),
    Column("checksum", BigInteger, nullable=False),
    Column("options", Text, nullable=False, server_default="{}", comment="JSON"),
    UniqueConstraint("tournament", "key", name="a_game_counts_once"),
    sqlite_autoincrement=True,
)


def now() -> str:
    """The time as the store writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def version_of(connection: Connection, name: str) -> int | None:
    """The version of the store behind a connection; None where there is none yet.

    Raises if something else lives there: another program's tables are never touched.
    """
    present = set(inspect(connection).get_table_names())
    if meta.name not in present:
        ours = {tournaments.name, games.name}
        # A file is a store or is not one; a server's database may well hold other tables too.
        foreign = present if connection.dialect.name == "sqlite" else present & ours
        if foreign:
            listed = ", ".join(sorted(foreign)[:3])
            raise StoreError(
                f"{name} is a database of something else (it has the tables {listed}); give a new or an empty one."
            )
        return None
    written = connection.scalar(select(meta.c.value).where(meta.c.name == "schema_version"))
    if written is None or not written.isdecimal() or int(written) < 1:
        raise StoreError(f"{name} is damaged: its version is {written!r}, expected a number; restore a copy of it.")
    version = int(written)
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{name} was written by a newer tactician (store version {version}, this one, {__version__}, knows "
            f"{SCHEMA_VERSION}); update tactician or use another store."
        )
    missing = {tournaments.name, games.name} - present
    if missing:
        raise StoreError(f"{name} is damaged: the table {min(missing)!r} is missing; restore a copy of it.")
    return version


def create(connection: Connection) -> None:
    """Make the tables, inside the caller's transaction."""
    metadata.create_all(connection, checkfirst=False)
    about = {"schema_version": str(SCHEMA_VERSION), "created": now(), "package_version": __version__}
    connection.execute(insert(meta), [{"name": name, "value": value} for name, value in about.items()])


def migrate(connection: Connection, version: int) -> None:
    """Bring an older store to the current version, inside the caller's transaction."""
    for step in MIGRATIONS[version - 1 : SCHEMA_VERSION - 1]:
        step(connection)
    connection.execute(update(meta).where(meta.c.name == "schema_version").values(value=str(SCHEMA_VERSION)))
