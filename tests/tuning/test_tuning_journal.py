"""A journal survives every kill, and is never mistaken for another search's."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tuning_functions import SPACE, noisy

from tactician.arena.journal import line_of
from tactician.errors import StoreError
from tactician.tuning import NTBEA, Space
from tactician.tuning.journal import open_journal

_SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
from tuning_functions import SPACE, slow
from tactician.tuning import NTBEA
if __name__ == "__main__":
    NTBEA(SPACE, seed=8, width={width}).run(slow, 150, jobs={jobs}, out=sys.argv[1])
"""


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize(("width", "jobs", "kills"), [(1, 1, (10, 40)), (3, 2, (20,))])
def test_a_killed_search_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, width: int, jobs: int, kills: tuple[int, ...]
) -> None:
    script = tmp_path / "search.py"
    script.write_text(_SCRIPT.format(folder=str(Path(__file__).parent), width=width, jobs=jobs))
    path = tmp_path / "journal.jsonl"
    for least in kills:
        process = subprocess.Popen([sys.executable, script, path], start_new_session=True)
        deadline = time.monotonic() + 60
        while len(lines(path)) < least and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert least <= len(lines(path)) < 151
    search = NTBEA(SPACE, seed=8, width=width)
    resumed = search.run(noisy, 150, out=path)
    assert resumed.to_json() == search.run(noisy, 150, out=tmp_path / "undisturbed.jsonl").to_json()
    assert lines(path)[1:] == lines(tmp_path / "undisturbed.jsonl")[1:]
    assert len(lines(path)) == 151


@pytest.mark.parametrize("width", [1, 4])
def test_a_search_can_be_stopped_and_extended_anywhere(tmp_path: Path, width: int) -> None:
    search = NTBEA(SPACE, seed=2, width=width, every=10)
    whole = search.run(noisy, 60).to_json()
    path = tmp_path / "journal.jsonl"
    for evaluations in (1, 7, 8, 30, 60):
        found = search.run(noisy, evaluations, out=path)
        assert found.evaluations == evaluations
        assert found.to_json() == search.run(noisy, evaluations).to_json()
    assert found.to_json() == whole
    # Asking for fewer gives what it was then and keeps the rest.
    assert search.run(noisy, 30, out=path).to_json() == search.run(noisy, 30).to_json()
    assert len(lines(path)) == 61


@pytest.mark.parametrize("cut", [1, 2, 10, 40])
def test_a_torn_last_line_is_dropped(tmp_path: Path, cut: int) -> None:
    search, path = NTBEA(SPACE, seed=2), tmp_path / "journal.jsonl"
    search.run(noisy, 20, out=path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    search.run(noisy, 20, out=path)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("left", [0, 1, 30])
def test_a_torn_header_is_written_again(tmp_path: Path, left: int) -> None:
    search, path = NTBEA(SPACE, seed=2), tmp_path / "journal.jsonl"
    search.run(noisy, 5, out=path)
    whole = path.read_bytes()
    path.write_bytes(whole[:left])
    search.run(noisy, 5, out=path)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (NTBEA(SPACE, seed=3), "with seed 2 where this one has 3"),
        (NTBEA(SPACE, seed=2, width=2), "with width 1 where this one has 2"),
        (NTBEA(SPACE, seed=2, exploration=1.0), "with exploration 2.0 where this one has 1.0"),
        (NTBEA(Space({**SPACE.values, "a": [0, 1]}), seed=2), r"with a \[0, 1, 2, 3\] where this one has \[0, 1\]"),
        (NTBEA(Space({"a": range(4)}), seed=2), r"with space \['a', 'b', 'c', 'd'\] where this one has \['a'\]"),
    ],
)
def test_a_journal_of_another_search_is_refused(tmp_path: Path, other: NTBEA, difference: str) -> None:
    path = tmp_path / "journal.jsonl"
    NTBEA(SPACE, seed=2).run(noisy, 3, out=path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=f"is of another tuning, {difference}; name another file"):
        other.run(noisy, 3, out=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"a diary", b"a diary\n", b"[1, 2]\n", b'{"x": 1}\n', b"\xff\xfe\n", b"\n\n"])
def test_somebody_elses_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is not a journal of a tuning; name another"):
        NTBEA(SPACE).run(noisy, 3, out=path)
    assert path.read_bytes() == content


def changed(entry: dict[str, Any], how: str) -> dict[str, Any]:
    return {
        "value": entry | {"value": 2.0},
        "point": entry | {"point": {**entry["point"], "a": 99}},
        "number": entry | {"evaluation": 7},
        "short": {"evaluation": entry["evaluation"]},
    }[how]


@pytest.mark.parametrize("how", ["value", "point", "number", "short"])
def test_a_line_that_is_not_an_evaluation_is_named(tmp_path: Path, how: str) -> None:
    path = tmp_path / "journal.jsonl"
    NTBEA(SPACE).run(noisy, 5, out=path)
    kept = lines(path)
    kept[2] = line_of({k: v for k, v in changed(json.loads(kept[2]), how).items() if k != "crc32"})
    path.write_bytes(b"".join(kept))
    with pytest.raises(StoreError, match=r"line 3, is not an evaluation of its search"):
        NTBEA(SPACE).run(noisy, 5, out=path)


def test_a_changed_value_is_never_taken_for_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    NTBEA(SPACE).run(noisy, 5, out=path)
    kept = lines(path)
    kept[2] = kept[2].replace(b'"value":0.', b'"value":0.0')
    path.write_bytes(b"".join(kept))
    with pytest.raises(StoreError, match=r"is damaged in line 3 \(its checksum is wrong\); restore a copy"):
        NTBEA(SPACE).run(noisy, 5, out=path)


def old_version(content: list[bytes]) -> bytes:
    """A journal as it was written before there were checksums."""
    header, *entries = [{k: v for k, v in json.loads(line).items() if k != "crc32"} for line in content]
    identity = {k: v for k, v in header.items() if k not in ("tactician-journal", "kind")}
    documents = [{"tactician-tuning": 1, **identity}, *entries]
    return b"".join(json.dumps(document, separators=(",", ":")).encode() + b"\n" for document in documents)


def test_a_journal_of_version_1_is_resumed(tmp_path: Path) -> None:
    search, path = NTBEA(SPACE, seed=2), tmp_path / "journal.jsonl"
    search.run(noisy, 20, out=path)
    whole = path.read_bytes().splitlines(keepends=True)
    old = old_version(whole[:13])
    path.write_bytes(old + old_version(whole[:14])[len(old) :][:20])  # 12 evaluations and a torn one
    assert search.run(noisy, 20, out=path).to_json() == search.run(noisy, 20).to_json()
    assert path.read_bytes() == old + b"".join(whole[13:])
    assert search.run(noisy, 20, out=path).to_json() == search.run(noisy, 20).to_json()
    with pytest.raises(StoreError, match="is of another tuning, with seed 2 where this one has 3"):
        NTBEA(SPACE, seed=3).run(noisy, 20, out=path)


def test_a_journal_that_is_in_use_or_can_not_be_opened_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "journal.jsonl"
    with (
        open_journal(path, NTBEA(SPACE).to_json(), SPACE),
        pytest.raises(StoreError, match="is in use by another process"),
    ):
        NTBEA(SPACE).run(noisy, 3, out=path)
    with pytest.raises(StoreError, match="can't be opened: Is a directory"):
        NTBEA(SPACE).run(noisy, 3, out=tmp_path)
