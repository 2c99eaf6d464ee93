"""Lower bounds of dependencies: every one is declared, and the tool pins it."""

from __future__ import annotations

import pytest
import run_lowest


def test_a_requirement_is_pinned_to_its_lower_bound() -> None:
    assert run_lowest.lowest(["numpy>=2.0", "typer>=0.15,<0.29", "dask[distributed]>=2024.8"]) == [
        "numpy==2.0",
        "typer==0.15",
        "dask[distributed]==2024.8",
    ]


@pytest.mark.parametrize("requirement", ["numpy", "numpy<3", "numpy==2.0"])
def test_a_requirement_without_a_lower_bound_is_refused(requirement: str) -> None:
    with pytest.raises(ValueError, match="expected one, as name>=version"):
        run_lowest.lowest([requirement])


def test_all_dependencies_have_lower_bounds_that_can_be_tested() -> None:
    pins = run_lowest.lowest(run_lowest.declared())
    assert {pin.partition("==")[0] for pin in pins} >= {"numpy", "numba", "typer", "sqlalchemy", "fastapi"}


def test_the_tests_that_are_run_exist() -> None:
    for name in run_lowest.TESTS:
        assert (run_lowest.ROOT / name).exists(), name
