"""Recorded games: found in files and folders, replayed step by step, and refused where they can't be read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tactician.checking.recordings import find_recordings, read_lines, replay
from tactician.errors import InvalidParameterError, InvalidStateError, RecordingError


class Doubling:
    """Knows one kind of recording, in which each step says a number and its double."""

    formats: Sequence[Any] = (1,)
    kinds: Sequence[str] = ("doubles",)

    def kind(self, header: dict[str, Any]) -> str | None:
        return header.get("kind")

    def replay(self, header: dict[str, Any], steps: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Any, Any] | None]:
        if header.get("refuse"):
            raise InvalidParameterError("no such map.")
        for step in steps:
            if step["number"] is None:
                raise InvalidStateError("number is None.")
            ours = 2 * step["number"]
            yield None if step["double"] == ours else ("double", step["double"], ours)


HEADER = {"format": 1, "kind": "doubles"}
STEPS = [{"number": n, "double": 2 * n} for n in range(5)]


def write(path: Path, *documents: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(document) + "\n" for document in documents)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def refusal(*paths: Path) -> str:
    with pytest.raises(RecordingError) as caught:
        replay(Doubling(), paths)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))
    return sentence


def test_a_recording_that_agrees_has_no_differences(tmp_path: Path) -> None:
    report = replay(Doubling(), [write(tmp_path / "one.jsonl", HEADER, *STEPS)])
    assert (report.files, report.steps, report.differences, report.ok) == (1, 5, 0, True)
    assert str(report) == "1 files, 5 steps, 0 differences, 0 skipped"


def test_every_difference_counts_and_the_first_of_each_file_is_kept(tmp_path: Path) -> None:
    wrong = [{"number": 1, "double": 2}, {"number": 2, "double": 5}, {"number": 3, "double": 7}]
    path = write(tmp_path / "one.jsonl", HEADER, *wrong)
    report = replay(Doubling(), [path, write(tmp_path / "two.jsonl", HEADER, *STEPS)])
    assert (report.files, report.steps, report.differences, report.ok) == (2, 8, 2, False)
    assert str(report.first[0]) == f"{path}, step 1: double differs\n  recorded 5\n  ours     4"
    assert len(report.first) == 1


def test_folders_are_searched_through_and_other_files_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", HEADER, *STEPS)
    write(tmp_path / "deep" / "er" / "a.jsonl.gz", HEADER, *STEPS)
    (tmp_path / "notes.txt").write_text("not a recording")
    names = [path.name for path in find_recordings([tmp_path])]
    assert names == ["b.jsonl", "a.jsonl.gz"]
    assert replay(Doubling(), [tmp_path]).steps == 10


def test_gzipped_and_plain_files_read_the_same(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, HEADER, *STEPS) for name in ("a.jsonl", "a.jsonl.gz")]
    assert [*read_lines(paths[0])] == [*read_lines(paths[1])] == [HEADER, *STEPS]


def test_kinds_the_game_does_not_know_are_skipped_and_said(tmp_path: Path) -> None:
    path = write(tmp_path / "one.jsonl", {"format": 1, "kind": "triples"}, *STEPS)
    report = replay(Doubling(), [path])
    assert report.skipped == [f"{path}: kind 'triples' (known: doubles)"]
    assert (report.files, report.ok) == (0, True)


def test_progress_hears_of_each_file(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / f"{name}.jsonl", HEADER, *STEPS)
    seen: list[tuple[int, int]] = []
    replay(Doubling(), [tmp_path], lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "x.jsonl") == (
        f"path {str(tmp_path / 'x.jsonl')!r} does not exist; expected a recording or a folder of them."
    )


def test_a_folder_without_recordings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("")
    assert refusal(tmp_path).endswith("holds no recordings; expected *.jsonl or *.jsonl.gz.")


@pytest.mark.parametrize(
    ("documents", "words"),
    [
        ([], "is empty; expected a line that says its format and kind."),
        ([[1]], "line 1 lacks 'format' or 'kind'; is it a recording?"),
        ([{"format": 1}], "line 1 lacks 'format' or 'kind'; is it a recording?"),
        ([{"format": 2, "kind": "doubles"}], "has format 2; expected 1."),
        ([HEADER, STEPS[0], [1, 2]], "line 3 is [1,2]; expected an object."),
        ([{**HEADER, "refuse": True}], "no such map."),
        ([HEADER, {"number": None}], "number is None."),
    ],
)
def test_what_is_no_recording_is_refused_by_file_and_line(tmp_path: Path, documents: list[Any], words: str) -> None:
    for name in ("one.jsonl", "one.jsonl.gz"):
        path = write(tmp_path / name, *documents)
        message = refusal(path)
        assert message.startswith(f"recording {path}")
        assert message.endswith(words)


def test_a_line_that_is_not_json_is_refused_by_number(tmp_path: Path) -> None:
    path = write(tmp_path / "one.jsonl", HEADER, STEPS[0])
    path.write_text(path.read_text() + "{broken\n")
    assert f"recording {path}, line 3 is not JSON: " in refusal(path)


@pytest.mark.parametrize("content", ["cut", "text", "damaged"])
def test_a_damaged_gzip_file_is_refused(tmp_path: Path, content: str) -> None:
    path = write(tmp_path / "one.jsonl.gz", HEADER, *({"number": n, "double": 2 * n} for n in range(2000)))
    whole = path.read_bytes()
    middle = len(whole) // 2
    spoiled = {
        "cut": whole[:-20],
        "text": b"not gzip",
        "damaged": whole[:middle] + bytes(64) + whole[middle + 64 :],
    }[content]
    path.write_bytes(spoiled)
    assert f"recording {path}" in refusal(path)


def test_a_line_that_is_too_long_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(80):
            file.write(bytes(1 << 20))
    assert refusal(path) == f"recording {path}, line 1 has more than 67,108,864 bytes."


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    assert "can't be read: " in refusal(path)
