"""The card table: what is printed on a card, read from a comma-separated file and checked on the way.

The 160 cards of version 1.2 come with the package as ``CARDS``, read when first asked for; version 1.5 makes its own
(see ``generator``). A user's table has the same columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

from tactician.errors import InvalidParameterError


class Kind(IntEnum):
    """The four kinds of cards, numbered as in the bots' input."""

    CREATURE = 0
    GREEN = 1
    RED = 2
    BLUE = 3


class Ability(IntEnum):
    """The six abilities: the n-th is bit n of a mask and the n-th of six characters."""

    BREAKTHROUGH = 0
    CHARGE = 1
    DRAIN = 2
    GUARD = 3
    LETHAL = 4
    WARD = 5


ABILITY_LETTERS = "BCDGLW"
ABSENT = "-"
KIND_NAMES = ("creature", "green", "red", "blue")
COLUMNS = ("id", "name", "type", "cost", "attack", "defense", "abilities", "player_hp", "enemy_hp", "card_draw")
"""What a card table must have; a column ``area`` may follow."""
TARGET, LANE_1, LANE_2 = 0, 1, 2
"""Areas of version 1.5; every card of version 1.2 has the first."""

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class CardType:
    """A card as printed; copies in a game have instance ids besides."""

    number: int
    name: str
    kind: int
    """One of ``Kind``."""
    cost: int
    attack: int
    defense: int
    abilities: int
    """A mask with a bit an ``Ability``."""
    player_hp: int
    """Change of the HP of the player who plays it."""
    enemy_hp: int
    """Change of the opponent's HP."""
    card_draw: int
    """Cards drawn more at the start of the next turn."""
    area: int = TARGET

    @property
    def is_creature(self) -> bool:
        """Whether it is summoned; the others are used."""
        return self.kind == Kind.CREATURE

    def has(self, ability: Ability) -> bool:
        """Whether the ability is printed on it."""
        return bool(self.abilities >> ability & 1)


CARDS: tuple[CardType, ...]
"""The 160 cards of version 1.2, by number."""


def __getattr__(name: str) -> Any:
    if name == "CARDS":
        return _own_cards()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _own_cards() -> tuple[CardType, ...]:
    return read_cards(_FOLDER / "cards.csv")


def ability_text(mask: int) -> str:
    """Six characters in the order BCDGLW with ``-`` for what is absent."""
    return "".join(letter if mask >> bit & 1 else ABSENT for bit, letter in enumerate(ABILITY_LETTERS))


def ability_mask(text: str) -> int:
    """The mask of a text such as ``B-D---``; letters may also stand without their dashes, in any order."""
    mask = 0
    for letter in text:
        if letter == ABSENT:
            continue
        if letter not in ABILITY_LETTERS:
            raise InvalidParameterError(f"abilities {text!r} have {letter!r}; expected letters of {ABILITY_LETTERS}.")
        mask |= 1 << ABILITY_LETTERS.index(letter)
    return mask


def read_cards(path: str | Path) -> tuple[CardType, ...]:
    """The cards of a table, by number; refuses a table that does not make a set of cards."""
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
        raise InvalidParameterError(f"{name} has no cards; expected one a line below the column names.")
    return tuple(cards[number] for number in sorted(cards))


# ------------------------------------------------------------------------------------------------ draft scores


@dataclass(frozen=True)
class DraftScore:
    """What public draft lists think of a card."""

    coac_first: int
    """Rank in the list of the first player, 1 is best."""
    coac_second: int
    """Rank in the list of the second player."""
    closet: int
    """Score, read by card number as its entries make sense."""
    closet_ported: int
    """The same table read one off, as its public ports do."""
    icebox: float


@cache
def draft_scores() -> Mapping[int, DraftScore]:
    """The scores of the 160 cards by card number."""
    path = _FOLDER / "draft_scores.csv"
    columns = ("id", "coac_first", "coac_second", "closet", "closet_ported", "icebox")
    return {
        int(row["id"]): DraftScore(
            coac_first=int(row["coac_first"]),
            coac_second=int(row["coac_second"]),
            closet=int(row["closet"]),
            closet_ported=int(row["closet_ported"]),
            icebox=float(row["icebox"]),
        )
        for _, row in _rows(path, f"score table {path.name!r}", columns)
    }


# --------------------------------------------------------------------------------------------- reading a table

_LARGEST = 99
"""Of every number on a card: they are kept in small integers."""
_LARGEST_NUMBER = 255
"""Of a card: it is kept in a byte."""
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
    creature = kind == Kind.CREATURE
    if not row["name"].strip():
        raise InvalidParameterError(f"{where}: name is empty; expected a name.")
    try:
        abilities = ability_mask(row["abilities"].strip())
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{where}: {error}") from None
    return CardType(
        number=_number(row, "id", 0, _LARGEST_NUMBER, where),
        name=row["name"].strip(),
        kind=kind,
        cost=_number(row, "cost", 0, _LARGEST, where),
        attack=_number(row, "attack", 0 if creature else -_LARGEST, _LARGEST, where),
        defense=_number(row, "defense", 1 if creature else -_LARGEST, _LARGEST, where),
        abilities=abilities,
        player_hp=_number(row, "player_hp", -_LARGEST, _LARGEST, where),
        enemy_hp=_number(row, "enemy_hp", -_LARGEST, _LARGEST, where),
        card_draw=_number(row, "card_draw", 0, _LARGEST, where),
        area=_number(row, "area", TARGET, LANE_2, where) if "area" in row else TARGET,
    )


def _kind(text: str, where: str) -> Kind:
    word = text.strip().lower().removesuffix(" item")
    if word not in KIND_NAMES:
        raise InvalidParameterError(f"{where}: type is {text!r}; expected one of {', '.join(KIND_NAMES)}.")
    return Kind(KIND_NAMES.index(word))


def _number(row: Mapping[str, str], column: str, least: int, most: int, where: str) -> int:
    text = row[column].strip()
    value = int(text) if _WHOLE_NUMBER.fullmatch(text) else most + 1
    if not least <= value <= most:
        raise InvalidParameterError(
            f"{where}: {column} is {row[column]!r}; expected a whole number from {least} to {most}."
        )
    return value
