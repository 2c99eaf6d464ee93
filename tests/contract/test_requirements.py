"""Parameters of games and values of JSON documents are refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tactician.contract import reading, requirements
from tactician.errors import InvalidParameterError, InvalidStateError

PARAMETERS: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (requirements.require_integer, (7, 1, 6), "size is 7; expected an integer from 1 to 6."),
    (requirements.require_integer, (True, 0, 6), "size is True; expected an integer from 0 to 6."),
    (requirements.require_integer, ("3", 0, 6), "size is '3'; expected an integer from 0 to 6."),
    (requirements.require_boolean, (1,), "size is 1; expected True or False."),
    (requirements.require_choice, ("c", ["a", "b"]), "size is 'c'; expected one of a, b."),
    (requirements.require_choice, (["a"], {"a": 1, "b": 2}), "size is ['a']; expected one of a, b."),
]
VALUES: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (reading.integer, (-1, 0, 6), "size is -1; expected an integer from 0 to 6."),
    (reading.integer, (1.0, 0, 6), "size is 1.0; expected an integer from 0 to 6."),
    (reading.boolean, (0,), "size is 0; expected true or false."),
    (reading.choice, ({}, ("a", "b")), "size is {}; expected one of a, b."),
    (reading.sequence, (None, 2, 2), "size is None; expected a list of 2."),
    (reading.sequence, ([3], 2, 2), "size has 1 entry; expected a list of 2."),
    (reading.sequence, ([], 1, 5), "size has 0 entries; expected a list of 1 to 5."),
    (reading.entry, ([3], ("row", "column")), "size is [3]; expected [row, column]."),
]


@pytest.mark.parametrize(("require", "arguments", "sentence"), PARAMETERS)
def test_a_bad_parameter_is_refused(require: Callable[..., Any], arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(InvalidParameterError) as refusal:
        require("size", *arguments)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(("read", "arguments", "sentence"), VALUES)
def test_a_bad_value_is_refused(read: Callable[..., Any], arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(InvalidStateError) as refusal:
        read("size", *arguments)
    assert str(refusal.value) == sentence


def test_what_is_right_is_returned() -> None:
    assert requirements.require_integer("size", 6, 1, 6) == 6
    assert requirements.require_boolean("size", False) is False
    assert requirements.require_choice("size", "b", ("a", "b")) == "b"
    assert reading.integer("size", 0, 0, 6) == 0
    assert reading.boolean("size", True) is True
    assert reading.choice("size", "a", ("a", "b")) == "a"
    assert reading.sequence("size", [1, 2], 0, 2) == [1, 2]
    assert reading.entry("size", [1, 2], ("row", "column")) == [1, 2]


def test_fields_that_lack_or_are_unknown_are_named() -> None:
    reading.require_fields("state", {"turn": 1, "draft": 2}, ("turn",), ("draft",))
    for data, sentence in [
        ([], "state is []; expected an object with turn, cards."),
        ({"turn": 1}, "state lacks the field 'cards'."),
        ({"turn": 1, "cards": 2, "weather": 3}, "state has an unknown field 'weather'; expected turn, cards."),
    ]:
        with pytest.raises(InvalidStateError) as refusal:
            reading.require_fields("state", data, ("turn", "cards"))
        assert str(refusal.value) == sentence
