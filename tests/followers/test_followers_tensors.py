"""Files of weights: what we write the format's own library reads, and the other way round; damage is refused."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from tactician.errors import InvalidParameterError
from tactician.followers.tensors import read_tensors, tensor_bytes, write_tensors

TENSORS: dict[str, np.ndarray] = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "b": np.array([2**63, 1], np.uint64),
    "empty": np.zeros((0, 4), np.int16),
    "flags": np.array([True, False]),
}


def test_the_library_of_the_format_reads_what_we_write(tmp_path: Path) -> None:
    write_tensors(tmp_path / "file", TENSORS, {"card": "text"})
    found = safetensors.numpy.load_file(tmp_path / "file")
    assert found.keys() == TENSORS.keys()
    assert all(np.array_equal(found[name], TENSORS[name]) for name in TENSORS)


def test_we_read_what_the_library_of_the_format_writes(tmp_path: Path) -> None:
    safetensors.numpy.save_file(TENSORS, tmp_path / "file", {"card": "text"})
    found, metadata = read_tensors(tmp_path / "file", "follower")
    assert metadata == {"card": "text"}
    for name, array in TENSORS.items():
        assert np.array_equal(found[name], array)
        assert found[name].dtype == array.dtype


@given(length=st.integers(0, len(tensor_bytes(TENSORS, {})) - 1))
def test_a_file_cut_anywhere_is_refused(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "file"
    path.write_bytes(tensor_bytes(TENSORS, {})[:length])
    with pytest.raises(InvalidParameterError, match="is not a whole safetensors file"):
        read_tensors(path, "follower")


@given(place=st.integers(0, 400), value=st.integers(0, 255))
def test_a_changed_byte_gives_tensors_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, place: int, value: int
) -> None:
    content = bytearray(tensor_bytes(TENSORS, {}))
    content[place % len(content)] = value
    path = tmp_path_factory.mktemp("changed") / "file"
    path.write_bytes(content)
    with contextlib.suppress(InvalidParameterError):  # anything else is an error of ours
        read_tensors(path, "follower")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InvalidParameterError, match="follower '/nowhere/file' can't be read: No such file"):
        read_tensors(Path("/nowhere/file"), "follower")
