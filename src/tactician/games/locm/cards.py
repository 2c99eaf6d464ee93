"""The cards of Legends of Code and Magic: the fields of a card, the card table, and how a table is read.

The 160 cards of version 1.2 come with the package as ``CARDS``, read when first used; version 1.5 generates its own
(see ``generator``). A user's table has the same columns as ``cards.csv``.

``CardNumbers`` is the one list of a card's fields. Card tables, configurations, the lines of the bots' protocol,
recordings and drawings all derive their form of a card from it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tactician.errors import InvalidParameterError

DECK_SIZE = 30
OFFERED = 3
"""Cards offered in each turn of a draft."""
MOST_COPIES = 2
"""Copies of a card that a constructed deck may have."""


class CardKind(IntEnum):
    """The four kinds of cards, numbered as in the bots' protocol."""

    CREATURE = 0
    GREEN = 1
    RED = 2
    BLUE = 3


class Ability(IntEnum):
    """The six abilities: ability n is bit n of a mask and letter n of `ABILITY_LETTERS`."""

    BREAKTHROUGH = 0
    CHARGE = 1
    DRAIN = 2
    GUARD = 3
    LETHAL = 4
    WARD = 5


KIND_NAMES = tuple(kind.name.lower() for kind in CardKind)
ABILITY_NAMES = tuple(ability.name.lower() for ability in Ability)
ABILITY_LETTERS = "".join(name[0].upper() for name in ABILITY_NAMES)
ABSENT = "-"
TARGET, SAME_LANE, EVERYWHERE = 0, 1, 2
"""Areas of version 1.5: the target, its lane, or all lanes; all cards of version 1.2 have the first."""

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class CardNumbers:
    """The numbers of a card, in the order in which every format gives them."""

    kind: int = field(metadata={"dtype": "i1", "column": "type"})
    """One of ``CardKind``."""
    cost: int = field(metadata={"dtype": "i1"})
    attack: int = field(metadata={"dtype": "i2"})
    defense: int = field(metadata={"dtype": "i2"})
    abilities: int = field(metadata={"dtype": "u1"})
    """A mask with one bit for each ``Ability``."""
    player_hp: int = field(default=0, metadata={"dtype": "i1"})
    """Change of the health of the player who plays the card."""
    enemy_hp: int = field(default=0, metadata={"dtype": "i1"})
    """Change of the opponent's health."""
    card_draw: int = field(default=0, metadata={"dtype": "i1"})
    """Additional cards drawn at the start of the next turn."""
    area: int = field(default=TARGET, metadata={"dtype": "i1"})
    """One of ``TARGET``, ``SAME_LANE`` and ``EVERYWHERE``."""

    @property
    def is_creature(self) -> bool:
        """Whether the card is summoned; items are used."""
        return self.kind == CardKind.CREATURE

    def has(self, ability: Ability) -> bool:
        """Return whether the card has an ability."""
        return bool(self.abilities >> ability & 1)

    def numbers(self) -> dict[str, int]:
        """Return the numbers by field name."""
        return {name: int(getattr(self, name)) for name in CARD_FIELDS}

    def row(self) -> list[int | str]:
        """Return the numbers in the order of the fields, with the abilities as text."""
        return [ability_text(n) if name == "abilities" else n for name, n in self.numbers().items()]


class CardField(NamedTuple):
    """A field of `CardNumbers` in other formats."""

    dtype: str
    """The type of its column in the configuration."""
    column: str
    """Its column in card tables."""

    @property
    def word(self) -> str:
        """Its name in the bots' protocol, such as ``cardDraw``."""
        first, *others = self.column.split("_")
        return first + "".join(part.capitalize() for part in others)


CARD_FIELDS: Mapping[str, CardField] = {
    each.name: CardField(each.metadata["dtype"], each.metadata.get("column", each.name)) for each in fields(CardNumbers)
}
COLUMNS = ("id", "name", *(each.column for name, each in CARD_FIELDS.items() if name != "area"))
"""The columns a card table must have; a column ``area`` may follow."""


@dataclass(frozen=True, kw_only=True)
class CardType(CardNumbers):
    """A card as printed; its copies in a game have instance ids."""

    number: int
    name: str


def numbers_of_row(row: Sequence[Any]) -> dict[str, int]:
    """Return the numbers of a row as `CardNumbers.row` writes it, by field name."""
    values = dict(zip(CARD_FIELDS, row, strict=True))
    return {name: ability_mask(value) if name == "abilities" else value for name, value in values.items()}


CARDS: tuple[CardType, ...]
"""The 160 cards of version 1.2, in the order of their numbers."""


def __getattr__(name: str) -> Any:
    if name == "CARDS":
        return _own_cards()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _own_cards() -> tuple[CardType, ...]:
    return read_cards(_FOLDER / "cards.csv")


def ability_text(mask: int) -> str:
    """Return six characters in the order BCDGLW, with ``-`` for absent abilities."""
    return "".join(letter if mask >> bit & 1 else ABSENT for bit, letter in enumerate(ABILITY_LETTERS))


def ability_mask(text: str) -> int:
    """Return the mask of a text such as ``B-D---``; dashes may be left out, and letters come in any order."""
    mask = 0
    for letter in text:
        if letter == ABSENT:
            continue
        if letter not in ABILITY_LETTERS:
            raise InvalidParameterError(f"abilities {text!r} have {letter!r}; expected letters of {ABILITY_LETTERS}.")
        mask |= 1 << ABILITY_LETTERS.index(letter)
    return mask


def read_cards(path: str | Path) -> tuple[CardType, ...]:
    """Read a card table; return its cards in the order of their numbers."""
    name = f"card table {str(path)!r}"
    cards: dict[int, CardType] = {}
    for row_number, row in _rows(Path(path), name, COLUMNS):
        card = _card(row, f"{name}, line {row_number}")
        if card.number in cards:
            other = cards[card.number].name
            raise InvalidParameterError(
                f"{name}, line {row_number}: id {card.number} is already {other!r}; expected ids that differ."
            )
        cards[card.number] = card
    if not cards:
        raise InvalidParameterError(f"{name} has no cards; expected one on each line below the column names.")
    return tuple(cards[number] for number in sorted(cards))


# ------------------------------------------------------------------------------------------------ draft scores


@dataclass(frozen=True)
class DraftScore:
    """The scores of a card in public draft lists."""

    coac_first: int
    """Rank in the first player's list; 1 is best."""
    coac_second: int
    """Rank in the second player's list."""
    closet: int
    """Score by card number, the reading that makes sense of the entries."""
    closet_ported: int
    """The same table read with an index off by one, as its public ports do."""
    icebox: float


@cache
def draft_scores() -> Mapping[int, DraftScore]:
    """Return the scores of the 160 cards by card number."""
    path = _FOLDER / "draft_scores.csv"
    integers = ("coac_first", "coac_second", "closet", "closet_ported")
    rows = _rows(path, f"score table {path.name!r}", ("id", *integers, "icebox"))
    return {
        int(row["id"]): DraftScore(**{name: int(row[name]) for name in integers}, icebox=float(row["icebox"]))
        for _, row in rows
    }


# --------------------------------------------------------------------------------------------- reading a table

_LARGEST = 99
"""The largest value on a card: configurations store them in small integers."""
_LARGEST_NUMBER = 255
"""The largest card number: it is stored in a byte."""
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


def _rows(path: Path, name: str, columns: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restkey="", restval=None, strict=True)
            missing = [column for column in columns if column not in (reader.fieldnames or ())]
            if missing:
                raise InvalidParameterError(
                    f"{name} has no column {', '.join(missing)}; expected the columns {','.join(columns)}."
                )
            rows = [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InvalidParameterError(f"{name} can't be read: {error}.") from None
    for number, row in rows:
        if "" in row or None in row.values():
            found = "more" if "" in row else "fewer"
            raise InvalidParameterError(
                f"{name}, line {number} has {found} fields than the {len(columns)} columns named."
            )
    return rows


def _card(row: Mapping[str, str], where: str) -> CardType:
    kind = _kind(row["type"], where)
    if not row["name"].strip():
        raise InvalidParameterError(f"{where}: name is empty; expected a name.")
    try:
        abilities = ability_mask(row["abilities"].strip())
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{where}: {error}") from None
    number = _number(row, "id", 0, _LARGEST_NUMBER, where)
    others = {name: each.column for name, each in CARD_FIELDS.items() if name not in ("kind", "abilities")}
    values = {
        name: _number(row, column, *_range_of(name, kind), where) for name, column in others.items() if column in row
    }
    return CardType(number=number, name=row["name"].strip(), kind=kind, abilities=abilities, **values)


def _range_of(name: str, kind: CardKind) -> tuple[int, int]:
    """Return the least and the largest value of a field on a card of a kind."""
    if name == "area":
        return TARGET, EVERYWHERE
    if name in ("cost", "card_draw") or (name == "attack" and kind == CardKind.CREATURE):
        return 0, _LARGEST
    if name == "defense" and kind == CardKind.CREATURE:
        return 1, _LARGEST
    return -_LARGEST, _LARGEST


def _kind(text: str, where: str) -> CardKind:
    word = text.strip().lower().removesuffix(" item")
    if word not in KIND_NAMES:
        raise InvalidParameterError(f"{where}: type is {text!r}; expected one of {', '.join(KIND_NAMES)}.")
    return CardKind(KIND_NAMES.index(word))


def _number(row: Mapping[str, str], column: str, least: int, most: int, where: str) -> int:
    text = row[column].strip()
    value = int(text) if _WHOLE_NUMBER.fullmatch(text) else most + 1
    if not least <= value <= most:
        raise InvalidParameterError(
            f"{where}: {column} is {row[column]!r}; expected a whole number from {least} to {most}."
        )
    return value
