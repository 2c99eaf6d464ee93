"""Functions that exist only inside their callers."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.dispatcher import Dispatcher

from tactician.contract import helper, inline_helper
from tactician.native.linked import linked


@helper
def doubled(number: Any) -> Any:
    return 2 * number


@inline_helper
def next_but_one(number: Any) -> Any:
    return doubled(number) - number + 2


@njit
def summed(numbers: Any) -> Any:
    total = 0
    for i in range(numbers.shape[0]):
        total += next_but_one(numbers[i])
    return total


def test_python_may_call_it_with_any_types() -> None:
    assert doubled(3) == 6
    assert doubled(1.5) == 3.0
    assert next_but_one(number=5) == 7


def test_a_caller_takes_it_in_and_leaves_no_wrapper_of_it() -> None:
    assert summed(np.arange(4)) == 0 + 1 + 2 + 3 + 4 * 2
    for function in (doubled, next_but_one):
        results = list(function.overloads.values())  # type: ignore[attr-defined]
        assert results
        for result in results:
            names = {one.name for one in result.library._final_module.functions}
            assert result.fndesc.llvm_cpython_wrapper_name not in names
            assert result.fndesc.llvm_cfunc_wrapper_name not in names


def test_a_function_of_plain_numba_may_call_it() -> None:
    assert njit(lambda number: next_but_one(number) * 10)(4) == 60


def test_an_exception_reaches_python_through_all_callers() -> None:
    @linked
    def root(number: Any) -> Any:
        if number < 0:
            raise ValueError("negative")
        return number**0.5

    @njit
    def caller(number: Any) -> Any:
        return root(number)

    assert caller(9.0) == 3.0
    with pytest.raises(ValueError, match="negative"):
        caller(-1.0)


def test_a_copy_made_by_pickle_is_linked_too() -> None:
    again = pickle.loads(pickle.dumps(doubled))
    assert isinstance(again, Dispatcher)
    assert njit(lambda: again(21))() == 42
    assert copy.copy(doubled)(4) == 8


_PRINTS = """
from typing import Any
import numpy as np
from tactician.contract import helper
from tactician.native.caching import kernel

@helper
def shown(number: Any) -> Any:
    print("number", number, 1.5)
    return number

@kernel
def twice(number: Any) -> Any:
    return shown(number) + shown(number)

print(twice(4))
"""


def test_one_that_prints_does_so_compiled_here_and_loaded_from_the_cache(tmp_path: Any, monkeypatch: Any) -> None:
    script = tmp_path / "prints.py"
    script.write_text(_PRINTS)
    monkeypatch.setenv("TACTICIAN_CACHE_DIR", str(tmp_path / "cache"))
    for _ in range(2):
        done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
        assert done.stdout.splitlines() == ["number 4 1.5", "number 4 1.5", "8"], done.stderr
    assert list((tmp_path / "cache").rglob("twice-*.nbc"))
