"""Files of the compile cache are whole, one's own, and not used again once they have ended a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tactician.native import cache_files
from tactician.native.cache_files import DamagedEntryError


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache_files, "_looked_at", set())
    monkeypatch.setattr(cache_files, "_refused", set())
    path = tmp_path / "cache" / "rule-1.nbc"
    cache_files.write(path, b"machine code" * 100)
    return path


def test_what_was_written_is_read(entry: Path) -> None:
    assert cache_files.read(entry) == b"machine code" * 100
    assert [path.name for path in entry.parent.iterdir()] == ["rule-1.nbc"]


@pytest.mark.parametrize("place", [0, 10, 30, 60, 500, -1])
def test_a_flipped_bit_is_found(entry: Path, place: int) -> None:
    data = bytearray(entry.read_bytes())
    data[place] ^= 4
    entry.write_bytes(data)
    with pytest.raises(DamagedEntryError, match="damaged"):
        cache_files.read(entry)


@pytest.mark.parametrize("size", [0, 5, 57, 58, 100])
def test_a_file_cut_short_is_found(entry: Path, size: int) -> None:
    entry.write_bytes(entry.read_bytes()[:size])
    with pytest.raises(DamagedEntryError, match="damaged"):
        cache_files.read(entry)


@pytest.mark.skipif(os.name != "posix", reason="files have no such permissions there")
def test_a_folder_or_file_that_others_can_write_is_not_trusted(entry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry.chmod(0o666)
    with pytest.raises(DamagedEntryError, match="somebody else"):
        cache_files.read(entry)
    entry.chmod(0o600)
    entry.parent.chmod(0o777)
    for _ in range(2):
        with pytest.raises(DamagedEntryError, match="written by others"):
            cache_files.read(entry)
    with pytest.raises(DamagedEntryError, match="written by others"):
        cache_files.write(entry, b"")
    said = capsys.readouterr().err
    assert said.count("can be written by others and is not used") <= 1
    entry.parent.chmod(0o700)
    assert cache_files.read(entry)


def test_an_entry_that_ended_a_process_while_it_was_loaded_is_removed(entry: Path) -> None:
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom tactician.native import cache_files\n"
        "with cache_files.loading(Path(sys.argv[1])):\n    os.abort()\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(entry)], capture_output=True, timeout=120)
    assert done.returncode < 0
    with pytest.raises(FileNotFoundError):
        cache_files.read(entry)
    assert list(entry.parent.iterdir()) == []


def test_an_entry_that_another_process_is_loading_stays(entry: Path) -> None:
    (entry.parent / f"loading-{os.getpid()}").write_text(entry.name)
    assert cache_files.read(entry)
