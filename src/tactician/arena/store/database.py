"""The connection under a store: where it leads, its transactions, and what can go wrong in plain words.

SQLite runs in WAL mode with ``synchronous=FULL``. A killed process loses no committed game under any setting, because
what was committed is with the operating system by then; FULL also waits for the disk, so that a power cut loses none
either. That costs a few milliseconds a game, and a game takes longer than that. Writers take the lock at the start
of a transaction and wait for each other up to `PATIENCE_S`.

Reading needs no permission to write. Without it SQLite is opened as read-only, because it would want to make two files
beside the store otherwise.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import QueuePool, StaticPool

from tactician.arena.store import schema
from tactician.errors import StoreError, short

PATIENCE_S = 60.0
"""How long one process waits for another's transaction."""

_CONNECT_S = 10
_CHECKED_BYTES = 64 * 2**20
"""Files up to this size are checked as a whole when they are opened; in larger ones damage shows when it is read."""
_ADVISORY_LOCK = 0x7AC7_1C1A
"""PostgreSQL's name for 'somebody is making or changing the tables'."""
_MEMORY = ("", ":memory:")
_SMALLEST_PAGE = 512
_NOT_A_STORE = "is not a SQLite database, or its beginning is damaged; give a new file or a store of tactician."


class Database:
    """One connection to a store's database, shared by the threads of a process, one transaction at a time."""

    def __init__(self, where: str | Path | None, read_only: bool = False, wait_for_disk: bool = True) -> None:
        url = _url(where)
        self.file = _file(url)
        """The SQLite file, where there is one."""
        self.name = _name(url, self.file)
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self.read_only = read_only
        """Whether it must be there already."""
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._locked = False
        if self.file is not None:
            self._locked = read_only and self.file.exists() and _unwritable(self.file) is not None
            _look_at(self.file, self.name, read_only)
        self._engine = _engine(_locked_url(self.file) if self.file is not None and self._locked else url)
        if self.is_sqlite and not wait_for_disk:
            event.listen(self._engine, "connect", _trust_the_system)
        try:
            self._prepare()
        except BaseException:
            self._engine.dispose()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads: it sees one moment, and blocks no other."""
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes all of it or nothing; when the block is left, it is on the disk."""
        with self._transaction(writes=True) as connection:
            yield connection

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._engine.dispose()

    def check(self) -> None:
        """Read every page of a SQLite file; a server looks after its own files."""
        if not self.is_sqlite:
            return
        with self.reading() as connection:
            # The slower of SQLite's two checks: the quick one does not see that an index has games that a table lacks.
            found = connection.execute(text("PRAGMA integrity_check(1)")).scalar_one()
            astray = connection.execute(text("PRAGMA foreign_key_check")).first()
        if found != "ok" or astray is not None:
            # What it found is about pages and trees, which says nothing to whom it matters.
            raise StoreError(f"{self.name} is damaged; restore a copy of it or start a new one.")

    @contextmanager
    def _transaction(self, writes: bool) -> Iterator[Connection]:
        if os.getpid() != self._process:
            # SQLite's locks and a server's protocol both break when two processes share one connection.
            raise StoreError(
                f"{self.name} was opened before this process was forked; open it again in the new process."
            )
        with self._lock, self._in_plain_words(), self._engine.connect() as connection:
            connection = connection.execution_options(writes=writes)
            with connection.begin():
                yield connection

    def _prepare(self) -> None:
        """Make the tables where there are none, bring older ones up to date, refuse what isn't a store."""
        with self.reading() as connection:
            version = schema.version_of(connection, self.name)
        if self.file is not None and self.file.stat().st_size <= _CHECKED_BYTES:
            self.check()
        if version is None and self.read_only:
            raise StoreError(f"{self.name} is empty; expected one in which games are kept.")
        if version != schema.SCHEMA_VERSION and self._locked:
            raise StoreError(
                f"{self.name} is of an older version ({version}, expected {schema.SCHEMA_VERSION}), and there is no "
                "permission to change it; read a copy of it."
            )
        if version != schema.SCHEMA_VERSION:
            with self.writing() as connection:
                if not self.is_sqlite:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ADVISORY_LOCK})
                # Another process may have done it while this one waited for the lock.
                version = schema.version_of(connection, self.name)
                if version is None:
                    schema.create(connection)
                elif version < schema.SCHEMA_VERSION:
                    schema.migrate(connection, version)
        if self.file is not None and not self.read_only:
            with self._in_plain_words():
                self._write_ahead()

    def _write_ahead(self) -> None:
        """Turn WAL on; the file remembers it. Where a file system can't, SQLite keeps its older, equally safe way."""
        connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            deadline = time.monotonic() + PATIENCE_S
            while True:
                try:
                    if cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                        cursor.execute("PRAGMA journal_mode = WAL").fetchone()
                    return
                except sqlite3.OperationalError as error:
                    # SQLite does not wait by itself here: the change needs the file for itself alone.
                    if "SQLITE_BUSY" not in error.sqlite_errorname or time.monotonic() > deadline:
                        raise
                    time.sleep(0.02)
        finally:
            connection.close()

    @contextmanager
    def _in_plain_words(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise StoreError(_sentence(error, self.name, self.file)) from error
        except UnicodeDecodeError as error:
            # Even SQLite's own message can quote bytes that are not text.
            reason = "a text is not UTF-8"
            raise StoreError(f"{self.name} is damaged ({reason}); restore a copy of it or start a new one.") from error


def _url(where: str | Path | None) -> URL:
    if where is None:
        return URL.create("sqlite")
    if isinstance(where, Path) or "://" not in where:
        if str(where) == "":
            raise StoreError("the results store '' has no name; give a file or a database's URL.")
        if where in _MEMORY:
            return URL.create("sqlite")
        return URL.create("sqlite", database=str(Path(where).absolute()))
    scheme = where.partition("://")[0]
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        # The rest may hold a password.
        raise StoreError(f"the results store's URL {scheme + '://...'!r} can't be understood; {_URLS}") from None
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        if url.query or url.host:
            raise StoreError(f"the results store's URL {where!r} has more than a file; {_URLS}")
        if (url.database or "") in _MEMORY:
            return URL.create("sqlite")
        return URL.create("sqlite", database=str(Path(url.database or "").absolute()))
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(f"the results store's URL is of the kind {short(scheme)}; {_URLS}")


_URLS = "expected sqlite:///file.db or postgresql://user@host/database."


def _file(url: URL) -> Path | None:
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _name(url: URL, file: Path | None) -> str:
    """What messages call the store; never with a password."""
    if file is not None:
        return f"the results store {str(file)!r}"
    if url.get_backend_name() == "sqlite":
        return "the results store in memory"
    host = url.host or url.query.get("host") or "localhost"
    port = f":{url.port}" if url.port else ""
    return f"the results store 'postgresql://{host}{port}/{url.database or ''}'"


def _look_at(file: Path, name: str, read_only: bool) -> None:
    """Distinguish the causes of what SQLite calls 'unable to open database file'."""
    if file.is_dir():
        raise StoreError(f"{name} is a folder; give a file.")
    if read_only and not file.exists():
        raise StoreError(f"{name} doesn't exist; expected a file in which games are kept.")
    if not file.parent.is_dir():
        raise StoreError(f"{name} can't be made: there is no folder {str(file.parent)!r}.")
    if file.exists() and not file.is_file():
        raise StoreError(f"{name} is not an ordinary file.")
    if file.exists() and 0 < file.stat().st_size < _SMALLEST_PAGE:
        # SQLite would take it for an empty database and write over it.
        raise StoreError(f"{name} {_NOT_A_STORE}")
    if read_only:
        if not os.access(file, os.R_OK):
            raise StoreError(f"{name} can't be read: there is no permission to read it.")
    elif place := _unwritable(file):
        raise StoreError(f"{name} can't be written: there is no permission to write {str(place)!r}.")


def _unwritable(file: Path) -> Path | None:
    """What may not be written; SQLite keeps two files beside the store while it is open, so also the folder."""
    return next((place for place in (file, file.parent) if place.exists() and not os.access(place, os.W_OK)), None)


def _locked_url(file: Path) -> URL:
    """How to read a file that can't be written."""
    # Games that are not in the file itself yet are in its companion, if that is there; without one SQLite must be told
    # that nobody writes, or it would want to make one.
    log = file.with_name(file.name + "-wal")
    beside = log.exists() and log.stat().st_size > 0
    way = {"mode": "ro"} if beside else {"immutable": "1"}
    return URL.create("sqlite", database="file:" + quote(str(file)), query={"uri": "true", **way})


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        arguments: dict[str, Any] = {"timeout": PATIENCE_S, "check_same_thread": False, "isolation_level": None}
        if url.database:
            engine = create_engine(url, connect_args=arguments, poolclass=QueuePool, pool_size=1)
        else:
            engine = create_engine(url, connect_args=arguments, poolclass=StaticPool)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    timeout = {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_S}
    try:
        # A server may have dropped the connection since the last game: ask before each use, connect again if so.
        engine = create_engine(url, connect_args=timeout, pool_pre_ping=True, pool_size=1)
    except (ImportError, NoSuchModuleError):
        raise StoreError("a results store in PostgreSQL needs psycopg; pip install 'tactician[postgres]'.") from None
    event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _trust_the_system(connection: sqlite3.Connection, _record: object) -> None:
    """A killed process loses nothing; only a power cut may take the last moments, never what was before them."""
    connection.execute("PRAGMA synchronous = NORMAL")


def _begin_sqlite(connection: Connection) -> None:
    # One that reads first and then wants to write can't wait for another writer: SQLite would refuse it at once.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_up_postgresql(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{PATIENCE_S:.0f}s'")
    connection.commit()


def _sentence(error: Exception, name: str, file: Path | None) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if isinstance(cause, sqlite3.Error):
        return _sqlite_sentence(cause, name, file)
    return _postgresql_sentence(cause, name)


def _sqlite_sentence(error: sqlite3.Error, name: str, file: Path | None) -> str:
    code = getattr(error, "sqlite_errorname", None) or ""
    because = _line(error)
    if code.startswith("SQLITE_NOTADB"):
        return f"{name} {_NOT_A_STORE}"
    # Our statements fit our tables, and text was UTF-8 when it was written.
    if code.startswith("SQLITE_CORRUPT") or code == "SQLITE_ERROR" or "decode" in because:
        return f"{name} is damaged ({because}); restore a copy of it or start a new one."
    if code.startswith("SQLITE_FULL") or (code.startswith("SQLITE_IOERR") and file is not None and _is_full(file)):
        return f"{name} can't grow, the disk is full; nothing of this step was kept, all before it was."
    if code.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN", "SQLITE_AUTH")):
        return f"{name} can't be written ({because}); check the permissions of the file and its folder."
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{name} was held by another process for more than {PATIENCE_S:g} s; try again when that one is done."
    if code.startswith("SQLITE_CONSTRAINT_FOREIGNKEY"):
        return f"{name} has no such tournament."
    return f"{name} can't be used ({because})."


def _is_full(file: Path) -> bool:
    try:
        return shutil.disk_usage(file.parent).free < 2**20
    except OSError:
        return False


def _postgresql_sentence(error: BaseException, name: str) -> str:
    code = getattr(error, "sqlstate", None) or ""
    because = _line(error)
    if code.startswith("53"):
        return f"{name} has no room left ({because}); nothing of this step was kept, all before it was."
    if code in ("42501", "25006"):
        return f"{name} can't be written ({because}); check the permissions of the user."
    if code == "55P03":
        return f"{name} was held by another process for more than {PATIENCE_S:g} s; try again when that one is done."
    if code == "23503":
        return f"{name} has no such tournament."
    if code.startswith("42"):
        return f"{name} is damaged ({because}); restore a copy of it or start a new one."
    if code[:2] in ("", "08", "28", "3D", "57"):
        return f"{name} can't be reached ({because})."
    return f"{name} can't be used ({because})."


def _line(message: object) -> str:
    """The first line of what a library says, ready to stand inside a sentence."""
    lines = str(message).strip().splitlines() or ["no reason given"]
    return " ".join(lines[0].split()).rstrip(".:")
