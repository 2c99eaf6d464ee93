"""A journal is whole or refused: torn ends, damaged lines, files of others, full disks, files of version 1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tactician.arena.journal import FORMAT, Journal, JournalKind, line_of
from tactician.errors import StoreError

NUMBERS = JournalKind("count", "a number", old_mark="n", old_header=False)
HEADED = JournalKind("count", "a number", old_mark="old-count", old_header=True)


def journal(path: Path, identity: dict[str, Any] | None = None, kind: JournalKind = NUMBERS) -> Journal[int]:
    return Journal(path, kind, identity or {}, lambda _number, document: int(document["n"]))


def entries(path: Path, **options: Any) -> list[int]:
    with journal(path, **options) as kept:
        return kept.entries


def written(path: Path, count: int = 5) -> bytes:
    with journal(path) as kept:
        for number in range(count):
            kept.add({"n": number})
    return path.read_bytes()


def test_entries_come_back_in_order_and_are_extended(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "journal.jsonl"
    written(path)
    with journal(path) as kept:
        assert kept.entries == [0, 1, 2, 3, 4]
        kept.add({"n": 5})
    assert entries(path) == [0, 1, 2, 3, 4, 5]
    assert json.loads(path.read_bytes().splitlines()[0])[FORMAT] == 2


def test_without_a_path_nothing_is_kept(tmp_path: Path) -> None:
    with Journal(None, NUMBERS, {}, lambda _number, document: document) as kept:
        kept.add({"n": 1})
        assert kept.entries == []


def test_a_file_cut_anywhere_loses_at_most_its_last_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = written(path, 3)
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        assert entries(path) == list(range(max(0, sum(end <= length for end in ends) - 1)))


def test_a_changed_byte_is_found_wherever_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = written(path, 3)
    for place in range(len(whole) - 1):  # the last newline is the end of a torn line
        for flip in (1, 32):
            damaged = bytearray(whole)
            damaged[place] ^= flip
            path.write_bytes(damaged)
            with pytest.raises(StoreError):
                entries(path)


def test_a_damaged_line_is_named_and_the_file_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    damaged = written(path).replace(b'{"n":2', b'{"n":7')
    path.write_bytes(damaged)
    with pytest.raises(StoreError, match=r"is damaged in line 4 \(its checksum is wrong\); restore a copy, or delete"):
        entries(path)
    assert path.read_bytes() == damaged


def test_a_journal_of_another_computation_or_kind_or_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with journal(path, {"seed": 1, "space": {"a": [1], "b": [2]}}):
        pass
    assert entries(path, identity={"seed": 1.0, "space": {"a": [1], "b": [2]}}) == []
    for identity, difference in (
        ({"seed": 2, "space": {"a": [1], "b": [2]}}, "with seed 1 where this one has 2"),
        ({"seed": 1, "space": {"a": [3], "b": [2]}}, r"with a \[1\] where this one has \[3\]"),
        ({"seed": 1, "space": {"b": [2], "a": [1]}}, r"with space \['a', 'b'\] where this one has \['b', 'a'\]"),
        ({"seed": 1}, "with space .* where this one has None"),
    ):
        with pytest.raises(StoreError, match=f"is of another count, {difference}; name another file"):
            entries(path, identity=identity)
    with pytest.raises(StoreError, match="is not a journal of a sum; name another"):
        entries(path, kind=JournalKind("sum", "a sum", "x", False))
    path.write_bytes(line_of({FORMAT: 3, "kind": "count"}))
    with pytest.raises(StoreError, match="is of version 3; expected 2 or older"):
        entries(path)


def test_old_files_without_a_header_are_read_and_extended(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"n": 4}\n{"n": \n{"n": 5}\n{"n"')  # torn twice: once it was continued on a new line
    with journal(path) as kept:
        assert kept.entries == [4, 5]
        kept.add({"n": 6})
    assert entries(path) == [4, 5, 6]


def test_old_files_with_a_header_are_read_and_extended(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"old-count":1,"seed":3}\n{"n":4}\n')
    with journal(path, {"seed": 3}, HEADED) as kept:
        assert kept.entries == [4]
        kept.add({"n": 5})
    assert entries(path, identity={"seed": 3}, kind=HEADED) == [4, 5]
    with pytest.raises(StoreError, match="with seed 3 where this one has 4"):
        entries(path, identity={"seed": 4}, kind=HEADED)
    path.write_bytes(b'{"old-count":1,"seed":3}\nnonsense\n')
    with pytest.raises(StoreError, match="line 2, is not a number"):
        entries(path, identity={"seed": 3}, kind=HEADED)


FULL = """
import resource, signal, sys
from pathlib import Path
from tactician.arena.journal import Journal, JournalKind
from tactician.errors import StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
try:
    with Journal(sys.argv[1], JournalKind("count", "a number", "n", False), {}, lambda _n, document: document) as kept:
        for number in range(100):
            kept.add({"n": number})
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs a limit for files")
def test_a_full_disk_is_one_sentence_and_what_was_kept_stays(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    done = subprocess.run([sys.executable, "-c", FULL, path], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"journal {str(path)!r} can't be written: ")
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
    content = path.read_bytes()
    assert content.endswith(b"\n")
    assert entries(path) == list(range(content.count(b"\n") - 1))


def test_what_is_not_an_ordinary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be opened: Is a directory"):
        entries(tmp_path)
    if Path("/dev/full").exists():
        with pytest.raises(StoreError, match="is not an ordinary file"):
            entries(Path("/dev/full"))
