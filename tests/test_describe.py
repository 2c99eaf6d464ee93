"""Descriptions are read out of the source."""

from __future__ import annotations

from dataclasses import dataclass

from tactician.describe import argument_docs, field_docs, summary


@dataclass
class Base:
    """A base.

    More about it.
    """

    first: int = 1
    """The first
    field."""
    second: int = 2


@dataclass
class Derived(Base):
    """Derived from it."""

    second: int = 3
    """The second field."""


def documented(first: int, second: str) -> None:
    """Do something.

    Args:
        first: A number,
            on two lines.
        second: A text: any.

    Nothing more.
    """


def test_a_summary_is_the_first_paragraph() -> None:
    assert summary(Base) == "A base."


def test_fields_have_the_docstring_below_them_and_inherit_it() -> None:
    assert field_docs(Base) == {"first": "The first field."}
    assert field_docs(Derived) == {"first": "The first field.", "second": "The second field."}


def test_a_class_without_source_has_no_field_docs() -> None:
    assert field_docs(int) == {}


def test_arguments_are_described_in_the_section_args() -> None:
    assert argument_docs(documented) == {"first": "A number, on two lines.", "second": "A text: any."}
    assert argument_docs(summary) == {}
