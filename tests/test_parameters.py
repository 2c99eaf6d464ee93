"""Texts of parameters: splitting them, reading values."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactician.errors import InvalidParameterError
from tactician.parameters import bracketed, guess, parse_weights, read_as, read_like, split_pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", []),
        ("a=1", [("a", "1")]),
        ("a=1,,b=2,", [("a", "1"), ("b", "2")]),
        ("a,b=", [("a", None), ("b", "")]),
        ("planner=(oep:a=1,b=2),worlds=3", [("planner", "(oep:a=1,b=2)"), ("worlds", "3")]),
        ("weights=a=1;b=2,prune=no", [("weights", "a=1;b=2"), ("prune", "no")]),
    ],
)
def test_pairs_are_split_at_separators_outside_brackets(text: str, pairs: list[tuple[str, str | None]]) -> None:
    assert split_pairs(text) == pairs


@given(st.lists(st.text("ab:,=()", max_size=5).filter(lambda text: text.count("(") == text.count(")") == 0)))
def test_a_bracketed_value_comes_back_whole(values: list[str]) -> None:
    text = ",".join(f"k={bracketed(value)}" for value in values)
    assert [read_as(value or "", str) for _, value in split_pairs(text)] == values


@pytest.mark.parametrize(
    ("text", "default", "value"),
    [
        ("3", 1, 3),
        ("3", 1.0, 3.0),
        ("Yes", False, True),
        ("0", True, False),
        ("none", None, None),
        ("3", None, 3),
        ("1e3", None, 1000.0),
        ("deep", None, "deep"),
        ("3", "text", "3"),
    ],
)
def test_a_value_is_read_as_its_defaults_type(text: str, default: Any, value: Any) -> None:
    found = read_like(text, default)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(("text", "default"), [("x", 1), ("1.5", 1), ("x", 1.0), ("2", True), ("maybe", False)])
def test_a_value_of_another_type_is_refused(text: str, default: Any) -> None:
    with pytest.raises(ValueError, match=text):
        read_like(text, default)


@pytest.mark.parametrize(
    ("text", "hint", "value"),
    [
        ("3", int | None, 3),
        ("none", int | None, None),
        ("", float | None, None),
        ("(a:b=1)", str, "a:b=1"),
        ("ucb1", Literal["ucb1", "thompson"], "ucb1"),
        ("1", bool, True),
    ],
)
def test_a_value_is_read_as_the_first_type_that_fits(text: str, hint: Any, value: Any) -> None:
    assert read_as(text, hint) == value


def test_a_value_that_fits_no_type_is_refused() -> None:
    with pytest.raises(ValueError, match="x"):
        read_as("x", int | float | None)


def test_words_come_before_numbers() -> None:
    assert guess("True", {"true": True}) is True
    assert guess("True") == "True"


@pytest.mark.parametrize("text", ["a", "a=", "a=x", "a=nan", "1=2", "=3"])
def test_weights_that_can_not_be_read(text: str) -> None:
    with pytest.raises(InvalidParameterError) as refused:
        parse_weights(text)
    assert str(refused.value) == f"weights are {text!r}; expected name=number;name=number."
