"""The results store keeps every game exactly once, through crowds, kills and damage, in SQLite and in PostgreSQL."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from arena_store_writer import TOURNAMENT, made_up
from sqlalchemy import Connection, text

from tactician._version import __version__
from tactician.arena.records import GameRecord, Pairing, Turn
from tactician.arena.store import SCHEMA_VERSION, ResultStore, database, open_store, schema
from tactician.errors import StoreError

WRITER = Path(__file__).with_name("arena_store_writer.py")


def postgresql_programs() -> Path | None:
    """The folder of the server's programs; Debian keeps it off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((one for one in folders if (one / "initdb").exists() and (one / "pg_ctl").exists()), None)


def server_user() -> str | None:
    """Who runs the server: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A PostgreSQL server on a socket in a folder of its own; yields that folder."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    programs = postgresql_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed: initdb is neither on the path nor in /usr/lib/postgresql")
    user = server_user()
    if os.geteuid() == 0 and user is None:
        pytest.skip("PostgreSQL refuses to run as root, and there is no user postgres or nobody")
    # Not in tmp_path: another user must get there, and a socket's path has at most 107 characters.
    folder = tempfile.mkdtemp(prefix="pg")
    if user:
        shutil.chown(folder, user)
    data = f"{folder}/data"

    def run(*command: str) -> None:
        # The server keeps a pipe open for as long as it runs: its output goes to a file.
        with open(f"{folder}/log", "a+") as log:
            done = subprocess.run(command, user=user, cwd=folder, stdout=log, stderr=log, timeout=60, check=False)
            if done.returncode:
                log.seek(0)
                pytest.fail(f"{command} failed:\n{log.read()}")

    try:
        run(
            f"{programs}/initdb", "-D", data, "-U", "tactician", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"
        )
        options = f"-k {folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB -c max_connections=20"
        run(f"{programs}/pg_ctl", "-D", data, "-o", options, "-w", "start")
        try:
            yield folder
        finally:
            run(f"{programs}/pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def empty_place(server: str) -> str:
    """The URL of a schema of its own on the server, which takes less time than a database."""
    import psycopg

    name = f"store_{time.monotonic_ns()}"
    with psycopg.connect(host=server, user="tactician", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"postgresql://tactician@/postgres?host={server}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["memory", "file", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ResultStore]:
    where: str | Path | None = None
    if request.param == "file":
        where = tmp_path / "results.db"
    elif request.param == "postgresql":
        where = empty_place(request.getfixturevalue("server"))
    with open_store(where) as opened:
        yield opened


@pytest.fixture(params=["file", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store that several processes can share."""
    if request.param == "file":
        return str(tmp_path / "results.db")
    return empty_place(request.getfixturevalue("server"))


def start_writer(where: str | Path, first: int, count: int, step: int = 1) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(where), str(first), str(count), str(step)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def go(writer: subprocess.Popen[str]) -> None:
    assert writer.stdin is not None
    writer.stdin.write("go\n")
    writer.stdin.flush()


def lines(writer: subprocess.Popen[str]) -> list[list[str]]:
    assert writer.stdout is not None
    return [line.split() for line in writer.stdout.read().splitlines()]


# --- what is kept ---


STRANGE = 'Σ ☃ 𝔊 ‘quoted’ "x" \\ % ␛ \n\r\t'

RECORDS = {
    "a plain game": made_up(1),
    "a forfeit": replace(made_up(2), error="IllegalActionError: 'pass' after 3 of 5 actions", error_seat=0),
    "an error of nobody": replace(made_up(2), error="the host went away", returns=(0.0, 0.0)),
    "an empty error": replace(made_up(2), error="", error_seat=1),
    "no turns": replace(made_up(3), turns=()),
    "strange text": GameRecord(
        Pairing(f"nim:{STRANGE}", (STRANGE, "ünïcödé"), STRANGE, 5, 0),
        (1.0, -1.0),
        (Turn(0, (STRANGE, {STRANGE: None}), 0.5, 1, 1),),
        1.0,
        STRANGE,
        error=STRANGE,
    ),
    "text no database takes": GameRecord(
        Pairing("caf\udce9.py:game", ("\udcff", "b"), "1ms", 5, 0),
        (1.0, -1.0),
        (Turn(0, ("\0\udcff",), 0.5, 1, 1),),
        1.0,
        "1",
        error="NUL \0, half a pair \ud83d, escape ␛0000",
    ),
    "four seats": GameRecord(
        Pairing("royale", ("a", "b", "c", "d"), "100its", 2**128 + 1, 2**40),
        (1.0, -1 / 3, 0.1 + 0.2, -1e-300),
        (Turn(3, (), 1e-9, 2**53, 0),),
        86_400_000.125,
        "3",
        package_version="0.0.1.dev7",
    ),
    "a negative seed": GameRecord(Pairing("nim", ("a",), "1ms", -1, 0), (0.0,), (), 0.0, "1"),
    "a long game": made_up(7, turns=20_000),
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS.keys())
def test_a_game_comes_back_as_it_was(store: ResultStore, record: GameRecord) -> None:
    tournament = store.tournament("k", {})
    assert store.add(tournament, record)
    assert list(store.games(tournament)) == [record]
    assert store.played(tournament) == {record.pairing.key}


def test_numpy_numbers_come_back_as_pythons() -> None:
    np = pytest.importorskip("numpy")
    record = replace(made_up(1), turns=(Turn(np.int64(1), (np.int32(7),), np.float64(0.5), np.int64(3), 0),))
    with open_store(None) as store:
        tournament = store.tournament("k", {})
        store.add(tournament, replace(record, returns=tuple(np.array([1.0, -1.0])), ms=np.float32(0.5)))
        (found,) = store.games(tournament)
    assert found == replace(record, ms=0.5)
    json.dumps(found.to_json())


def test_games_come_in_the_order_they_were_added_however_many(store: ResultStore) -> None:
    tournament = store.tournament("k", {})
    other = store.tournament("other", {})
    numbers = [(7 * n) % 451 for n in range(451)]
    for number in numbers:
        store.add(tournament, made_up(number, turns=1))
    store.add(other, made_up(1))
    assert [game.pairing.seed for game in store.games(tournament)] == numbers


def test_a_game_counts_once_in_a_tournament(store: ResultStore) -> None:
    one, other = store.tournament("one", {}), store.tournament("other", {})
    assert store.add(one, made_up(1))
    assert not store.add(one, made_up(1))
    assert not store.add(one, replace(made_up(1), returns=(0.0, 0.0)))
    assert store.add(other, made_up(1))
    assert store.add(one, made_up(2))
    assert list(store.games(one)) == [made_up(1), made_up(2)]
    assert list(store.games(other)) == [made_up(1)]


def test_games_can_be_added_while_they_are_read(store: ResultStore) -> None:
    tournament = store.tournament("k", {})
    store.add(tournament, made_up(0))
    store.add(tournament, made_up(1))
    for game in store.games(tournament):
        store.add(tournament, made_up(game.pairing.seed + 2))
    assert len(store.played(tournament)) >= 4


def test_a_tournament_is_found_again_by_its_key(store: ResultStore) -> None:
    first = store.tournament("abc", {"game": "nim", "agents": ["a", "ü"], "games": 10})
    assert store.tournament("abc", {"game": "something else"}) == first
    assert store.tournament("abd", {}) != first
    (one, two) = store.tournaments()
    assert one.description == {"game": "nim", "agents": ["a", "ü"], "games": 10}
    assert (one.key, two.key) == ("abc", "abd")


def test_a_summary_counts_games_and_forfeits(store: ResultStore) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    tournament = store.tournament("abc", {})
    (empty,) = store.tournaments()
    assert (empty.id, empty.games, empty.forfeits, empty.last) == (tournament, 0, 0, None)
    store.add(tournament, made_up(1))
    store.add(tournament, replace(made_up(2), error="too late", error_seat=1))
    (full,) = store.tournaments()
    assert (full.games, full.forfeits, full.package_version) == (2, 1, __version__)
    assert full.last is not None
    assert before <= full.created <= full.last <= datetime.now(UTC)


def test_a_tournament_is_found_by_number_key_and_beginning(store: ResultStore) -> None:
    ids = [store.tournament(key, {}) for key in ("abc1", "abd2", "ab", "771234f", "%x")]
    assert store.find(ids[1]).key == "abd2"
    assert store.find(str(ids[1])).key == "abd2"
    assert store.find("abd").key == "abd2"
    assert store.find("ab").key == "ab"
    assert store.find("771234").key == "771234f"
    assert store.find("%").key == "%x"
    with pytest.raises(StoreError, match=r"3 tournaments begin with 'a': 1 \(abc1\), 2 \(abd2\), 3 \(ab\); give more"):
        store.find("a")
    for unknown in ("x", "ABD", "_", "", 99, "99", "77", 0, -1, 2**70, "9" * 40):
        with pytest.raises(StoreError, match=r"has no tournament .*; the latest are: 5 \(%x\), 4 \(771234f\)"):
            store.find(unknown)


def test_a_tournament_that_is_not_there_is_an_error(store: ResultStore) -> None:
    for use in (
        lambda: store.add(7, made_up(1)),
        lambda: store.played(7),
        lambda: list(store.games(7)),
        lambda: store.delete(7),
        lambda: store.export_csv(7, io.StringIO()),
    ):
        with pytest.raises(StoreError, match=r"has no (such )?tournament"):
            use()
    assert store.check() == 0


def test_a_deleted_tournament_takes_its_games_along_and_its_number_is_not_used_again(store: ResultStore) -> None:
    one, two = store.tournament("one", {}), store.tournament("two", {})
    for number in range(3):
        store.add(one, made_up(number))
        store.add(two, made_up(number))
    assert store.delete(two) == 3
    assert [summary.key for summary in store.tournaments()] == ["one"]
    assert store.check() == 3
    assert store.tournament("two", {}) not in (one, two)


def test_a_store_keeps_everything_when_it_is_closed_and_opened(where: str) -> None:
    with open_store(where) as store:
        tournament = store.tournament("k", {"a": 1})
        store.add(tournament, made_up(1))
    with open_store(where) as store:
        assert store.tournament("k", {}) == tournament
        assert not store.add(tournament, made_up(1))
        assert list(store.games(tournament)) == [made_up(1)]


# --- exports ---


def test_csv_has_a_line_a_game(store: ResultStore, tmp_path: Path) -> None:
    tournament = store.tournament("k", {})
    games = [made_up(1), RECORDS["a forfeit"], RECORDS["strange text"], RECORDS["four seats"]]
    for game in games:
        store.add(tournament, game)
    assert store.export_csv(tournament, tmp_path / "games.csv") == 4
    with open(tmp_path / "games.csv", encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["key"] for row in found] == [game.pairing.key for game in games]
    assert [row["seat_1"] for row in found] == [game.pairing.seats[1] for game in games]
    assert [float(row["return_1"]) for row in found] == [game.returns[1] for game in games]
    assert [row["error"] for row in found] == [game.error or "" for game in games]
    assert [int(row["seed"]) for row in found] == [game.pairing.seed for game in games]
    assert [row["error_seat"] for row in found] == ["", "0", "", ""]
    assert [row["seat_3"] for row in found] == ["", "", "", "d"]
    assert [int(row["turns"]) for row in found] == [len(game.turns) for game in games]
    assert all(datetime.fromisoformat(row["finished"]).tzinfo for row in found)
    assert [file.name for file in tmp_path.glob("*.csv*")] == ["games.csv"]


def test_json_lines_hold_all_of_it(store: ResultStore, tmp_path: Path) -> None:
    tournament = store.tournament("k", {})
    kept = [record for name, record in RECORDS.items() if name != "a long game"]
    games = [replace(game, pairing=replace(game.pairing, round=n)) for n, game in enumerate(kept)]
    for game in games:
        store.add(tournament, game)
    assert store.export_jsonl(tournament, tmp_path / "games.jsonl") == len(games)
    stream = io.StringIO()
    store.export_jsonl(tournament, stream)
    written = (tmp_path / "games.jsonl").read_text(encoding="utf-8")
    assert stream.getvalue() == written
    documents = [json.loads(line) for line in written.split("\n")[:-1]]
    assert [GameRecord.from_json(document) for document in documents] == games
    assert [document["key"] for document in documents] == [game.pairing.key for game in games]


def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "games.jsonl"
    target.write_text("before")
    with open_store(tmp_path / "results.db") as store:
        tournament = store.tournament("k", {})
        store.add(tournament, made_up(1))
        with closing(sqlite3.connect(tmp_path / "results.db")) as raw, raw:
            raw.execute("UPDATE games SET returns = '[0.0,0.0]'")
        with pytest.raises(StoreError, match=r"is damaged: game '.*' of tournament 1 can't be read"):
            store.export_jsonl(tournament, target)
        with pytest.raises(StoreError, match=r"the export '.*nowhere/x.csv' can't be written \(No such file"):
            store.export_csv(store.tournament("empty", {}), tmp_path / "nowhere" / "x.csv")
        assert store.export_csv(store.tournament("empty", {}), "/dev/null") == 0
    assert target.read_text() == "before"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games.jsonl", "results.db"]
    assert not Path("/dev/null").is_file()


# --- many at a time, and kills ---


def test_processes_that_add_the_same_games_at_once_add_each_once(where: str) -> None:
    writers = [start_writer(where, 0, 60), start_writer(where, 89, 60, -1)]
    for writer in writers:
        go(writer)
    said = [lines(writer) for writer in writers]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    new = sorted(line[0] for output in said for line in output if line[-1] == "True")
    expected = {made_up(n).pairing.key: made_up(n) for n in range(90)}
    assert new == sorted(expected)
    with open_store(where) as store:
        assert store.check() == 90
        (tournament,) = store.tournaments()
        assert {game.pairing.key: game for game in store.games(tournament.id)} == expected


def test_threads_can_share_a_store(store: ResultStore) -> None:
    tournament = store.tournament("k", {})
    new: list[bool] = []

    def work(first: int) -> None:
        new.extend([store.add(tournament, made_up(n)) for n in range(first, first + 20)])

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 5, 10, 15)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(new), sum(new), store.check()) == (80, 35, 35)


def test_a_killed_process_loses_no_game_it_was_told_is_kept(where: str) -> None:
    told: list[str] = []
    for attempt in range(3 if where.endswith(".db") else 1):  # a server keeps running when its client is killed
        writer = start_writer(where, 0, 100_000)
        assert writer.stdout is not None
        writer.stdout.readline()
        go(writer)
        # Killed once it has told of some games, however long that takes on a busy machine.
        heard = [writer.stdout.readline().split() for _ in range(1 + 7 * attempt)]
        writer.send_signal(signal.SIGKILL)
        told += [line[0] for line in [*heard, *lines(writer)] if len(line) == 2]
        assert writer.wait(60) == -signal.SIGKILL
        with open_store(where) as store:
            store.check()
            for tournament in store.tournaments():
                games = list(store.games(tournament.id))
                assert games == [made_up(n) for n in range(len(games))]
                # One more at most each time: added, but killed before it could be said.
                assert set(told) <= {game.pairing.key for game in games}
                assert len(games) <= len(set(told)) + attempt + 1
    assert told


def test_a_process_killed_while_it_makes_the_store_leaves_a_usable_file(tmp_path: Path) -> None:
    script = (
        "import os, sys, signal\n"
        "from tactician.arena.store import open_store, schema\n"
        "schema.now = lambda: os.kill(os.getpid(), signal.SIGKILL)\n"
        "open_store(sys.argv[1])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "results.db")], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    with open_store(tmp_path / "results.db") as store:
        assert store.add(store.tournament("k", {}), made_up(1))


def test_a_store_waits_for_another_and_gives_up_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results.db"
    with open_store(file) as store:
        tournament = store.tournament("k", {})
        with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            threading.Timer(0.3, other.execute, ["COMMIT"]).start()
            assert store.add(tournament, made_up(1))
            other.execute("BEGIN IMMEDIATE")
            monkeypatch.setattr(database, "PATIENCE_S", 0.1)
            with open_store(file) as impatient, pytest.raises(StoreError, match=r"held by another process .* 0\.1 s"):
                impatient.add(tournament, made_up(2))
            other.execute("ROLLBACK")
        assert store.add(tournament, made_up(2))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_must_open_the_store_itself(tmp_path: Path) -> None:
    with open_store(tmp_path / "results.db") as store:
        tournament = store.tournament("k", {})
        child = os.fork()
        if child == 0:
            try:
                store.add(tournament, made_up(1))
            except StoreError as error:
                os._exit(3 if "open it again in the new process" in str(error) else 4)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
        assert store.add(tournament, made_up(1))


def test_a_file_waits_for_the_disk(tmp_path: Path) -> None:
    with open_store(tmp_path / "results.db") as store, store._database.reading() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2
        assert connection.scalar(text("PRAGMA busy_timeout")) == 1000 * database.PATIENCE_S


# --- what is refused ---


def filled(file: Path, games: int = 100) -> bytes:
    """A good store; returns its bytes."""
    with open_store(file) as store:
        tournament = store.tournament(TOURNAMENT, {"game": "nim"})
        for number in range(games):
            store.add(tournament, made_up(number))
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    return file.read_bytes()


def refused(where: str | Path) -> str:
    """The one sentence with which a store isn't opened."""
    with pytest.raises(StoreError) as caught:
        open_store(where)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    assert caught.value.exit_code == 2
    return message


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    good = filled(file)
    for length in (len(good) // 2, len(good) - 4096, 4096, 1000):
        file.write_bytes(good[:length])
        assert "is damaged" in refused(file)
        assert "***" not in refused(file)
        assert file.read_bytes() == good[:length]


def test_overwritten_bytes_never_pass_as_results(tmp_path: Path) -> None:
    """Wherever the damage is: the store is refused, or says so when it is read, or what it says is still true."""
    file = tmp_path / "results.db"
    good = filled(file)
    noticed = []
    for place in range(0, len(good), 1021):
        bad = bytearray(good)
        bad[place : place + 16] = bytes(255 - byte for byte in bad[place : place + 16])
        file.write_bytes(bad)
        try:
            with open_store(file) as store:
                store.check()
                games = [game for one in store.tournaments() for game in store.games(one.id)]
                assert games == [made_up(number) for number in range(100)]
        except StoreError as error:
            noticed.append(str(error))
    assert len(noticed) > len(good) // 1021 // 2
    assert [said for said in noticed if "damaged" not in said or "\n" in said] == []


def test_what_is_not_a_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    for content in (b"x", b"dear diary, " * 500, b"SQLite format 3\0" + b"\1" * 5000):
        file.write_bytes(content)
        assert "damaged" in refused(file)
        assert file.read_bytes() == content


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "bookmarks.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = file.read_bytes()
    assert "is a database of something else (it has the tables bookmarks)" in refused(file)
    assert file.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["bookmarks.db"]


def test_who_only_reads_makes_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"results store '.*new.db' doesn't exist; expected a file"):
        open_store(tmp_path / "new.db", read_only=True)
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match=r"results store '.*empty.db' is empty"):
        open_store(tmp_path / "empty.db", read_only=True)
    assert (tmp_path / "empty.db").stat().st_size == 0
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"]


def test_an_older_store_that_may_not_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results.db"
    filled(file, 1)
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("UPDATE tactician_meta SET value = '1' WHERE name = 'schema_version'")
    before = file.read_bytes()
    monkeypatch.setattr(database, "_unwritable", lambda place: place)
    with pytest.raises(StoreError, match=r"is of an older version \(1, expected \d+\), and there is no permission"):
        open_store(file, read_only=True)
    assert file.read_bytes() == before


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "results.db").touch()
    with open_store(tmp_path / "results.db") as store:
        assert store.add(store.tournament("k", {}), made_up(1))


def test_places_where_no_store_can_be(tmp_path: Path) -> None:
    assert "is a folder" in refused(tmp_path)
    assert "there is no folder" in refused(tmp_path / "nowhere" / "results.db")
    assert "has no name" in refused("")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert "is not an ordinary file" in refused(tmp_path / "pipe")
    assert [one.name for one in tmp_path.iterdir()] in ([], ["pipe"])


@pytest.mark.skipif(os.name != "posix", reason="permissions as on Unix")
@pytest.mark.parametrize("locked", ["folder", "file"])
def test_an_unwritable_place_is_refused(locked: str) -> None:
    # Not in tmp_path: it belongs to one user, and root, who may write anywhere, becomes another here.
    with tempfile.TemporaryDirectory() as name:
        folder, file = Path(name), Path(name) / "results.db"
        open_store(file).close()
        file.chmod(0o444 if locked == "file" else 0o666)
        folder.chmod(0o777 if locked == "file" else 0o555)
        script = (
            "import os, sys\n"
            "from tactician.arena.store import open_store\n"
            "from tactician.errors import StoreError\n"
            "if os.geteuid() == 0: os.setuid(65534)\n"
            "for target in sys.argv[1:]:\n"
            "    try: open_store(target)\n"
            "    except StoreError as error: print(error)"
        )
        targets = (file, folder / "new.db") if locked == "folder" else (file,)
        command = [sys.executable, "-c", script, *map(str, targets)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        folder.chmod(0o755)
        for target in targets:
            assert f"results store {str(target)!r} can't be written: there is no permission" in done.stdout
        assert [one.name for one in folder.iterdir()] == ["results.db"]


def test_a_full_disk_keeps_all_before_it(tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    with open_store(file) as store:
        tournament = store.tournament("k", {})
        store.add(tournament, made_up(0))
        with store._database.reading() as connection:
            pages = connection.scalar(text("PRAGMA page_count"))
            connection.execute(text(f"PRAGMA max_page_count = {pages + 1}"))

        def fill() -> None:
            for number in range(1, 100):
                store.add(tournament, made_up(number, turns=50))

        with pytest.raises(StoreError, match="the disk is full; nothing of this step was kept, all before it was"):
            fill()
        kept = len(store.played(tournament))
        assert store.check() == kept
        with store._database.reading() as connection:
            connection.execute(text("PRAGMA max_page_count = 100000"))
        assert store.add(tournament, made_up(kept, turns=50))
    with open_store(file) as store:
        assert store.check() == kept + 1


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://user:secret@host/database", "of the kind 'mysql'; expected sqlite:///file.db or postgresql://"),
        ("postgresql://user:secret@host:port/database", "can't be understood"),
        ("sqlite://host/file.db", "has more than a file"),
        ("sqlite:///file.db?mode=ro", "has more than a file"),
        ("postgresql://user:secret@127.0.0.1:1/database", "'postgresql://127.0.0.1:1/database' can't be reached"),
        ("postgresql+psycopg://u:secret@/d?host=/nowhere", "can't be reached"),
    ],
)
def test_a_bad_url_or_an_unreachable_server_is_one_sentence_without_the_password(url: str, says: str) -> None:
    if url.startswith("postgresql"):
        pytest.importorskip("psycopg")
    message = refused(url)
    assert says in message
    assert "secret" not in message


def test_a_sqlite_url_is_a_file(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/results.db") as store:
        store.tournament("k", {})
    with open_store(tmp_path / "results.db") as store:
        assert [one.key for one in store.tournaments()] == ["k"]
    for memory in ("sqlite://", "sqlite:///:memory:", ":memory:", None):
        with open_store(memory) as store:
            assert store.tournaments() == []
            assert store.file is None


def test_names_that_look_like_urls_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("what?.db", "50%25.db", "a#b.db", "ünï.db", "file:x.db"):
        open_store(name).close()
        assert (tmp_path / name).is_file()


def test_a_missing_database_on_a_server_is_one_sentence(server: str) -> None:
    message = refused(f"postgresql://tactician@/missing?host={server}")
    assert "can't be reached" in message
    assert 'database "missing" does not exist' in message


def test_other_tables_on_a_server_are_left_alone(server: str) -> None:
    import psycopg

    for table, fine in (("bookmarks", True), ("games", False)):
        url = empty_place(server)
        with psycopg.connect(url) as connection:
            connection.execute(f"CREATE TABLE {table} (url TEXT)".encode())
        if fine:
            open_store(url).close()
        else:
            assert "is a database of something else (it has the tables games)" in refused(url)


def test_a_store_connects_again_when_the_server_has_dropped_it(server: str) -> None:
    import psycopg

    url = empty_place(server)
    with open_store(url) as store:
        tournament = store.tournament("k", {})
        with psycopg.connect(url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert store.add(tournament, made_up(1))
        assert store.played(tournament) == {made_up(1).pairing.key}


# --- versions ---


def test_there_is_a_migration_for_every_version_but_the_first() -> None:
    assert len(schema.MIGRATIONS) == SCHEMA_VERSION - 1


def set_version(store: ResultStore, version: str) -> None:
    with store._database.writing() as connection:
        connection.execute(
            text("UPDATE tactician_meta SET value = :version WHERE name = 'schema_version'"), {"version": version}
        )


def test_a_newer_store_is_refused_and_left_alone(where: str) -> None:
    with open_store(where) as store:
        store.add(store.tournament("k", {}), made_up(1))
        set_version(store, str(SCHEMA_VERSION + 6))
        assert f"was written by a newer tactician (store version {SCHEMA_VERSION + 6}, " in refused(where)
        assert store.check() == 1
        set_version(store, "one")
        assert "its version is 'one', expected a number" in refused(where)


def make_old_store(where: str) -> None:
    """A made-up older form: times are numbers, nobody knows whose error it was, and nothing is checked."""
    with open_store(where) as store:
        tournament = store.tournament("k", {"old": True})
        for number in range(5):
            store.add(tournament, made_up(number))
        with store._database.writing() as connection:
            for column in ("error_seat", "checksum"):
                connection.execute(text(f"ALTER TABLE games DROP COLUMN {column}"))
        set_version(store, "1")


def add_error_seat(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE games ADD COLUMN error_seat INTEGER"))


def add_checksum(connection: Connection) -> None:
    from tactician.arena.store.rows import checksum

    connection.execute(text("ALTER TABLE games ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0"))
    for row in connection.execute(text("SELECT * FROM games")).mappings().all():
        values: dict[str, Any] = {"id": row["id"], "checksum": checksum(dict(row))}
        connection.execute(text("UPDATE games SET checksum = :checksum WHERE id = :id"), values)


def test_an_older_store_is_brought_up_to_date(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_old_store(where)
    monkeypatch.setattr(schema, "SCHEMA_VERSION", 3)
    monkeypatch.setattr(schema, "MIGRATIONS", (add_error_seat, add_checksum))
    for _ in range(2):
        with open_store(where) as store:
            tournament = store.find("k").id
            assert list(store.games(tournament)) == [made_up(number) for number in range(5)]
            assert store.check() == 5
            with store._database.reading() as connection:
                assert schema.version_of(connection, "it") == 3
    with open_store(where) as store:
        assert store.add(tournament, made_up(5))
        set_version(store, "2")
    monkeypatch.setattr(schema, "MIGRATIONS", (pytest.fail, lambda connection: None))
    open_store(where).close()


def test_a_migration_that_fails_leaves_the_old_store(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_old_store(where)
    monkeypatch.setattr(schema, "SCHEMA_VERSION", 3)

    def fails(connection: Connection) -> None:
        connection.execute(text("DELETE FROM games"))
        connection.execute(text("SELECT * FROM no_such_table"))

    monkeypatch.setattr(schema, "MIGRATIONS", (add_error_seat, fails))
    assert "no_such_table" in refused(where)
    monkeypatch.setattr(schema, "MIGRATIONS", (add_error_seat, add_checksum))
    with open_store(where) as store:
        assert store.check() == 5
