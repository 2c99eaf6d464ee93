"""The card table: statistics of troops, spells and towers, read from a comma-separated file and checked on the way.

`cards.csv` beside this module holds the cards of version 1. A user's table has the same columns: its rows are added,
and a row with the name of a known card replaces that card. A deck is a list of eight names.
"""

from __future__ import annotations

import csv
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.royale.arena import DECK, FORMATIONS

Kind = Literal["troop", "spell", "tower"]
KINDS: tuple[Kind, ...] = ("troop", "spell", "tower")
LAYERS = ("ground", "air")
HITS = ("ground", "ground+air", "towers")
DEFAULT_DECK = ("Knight", "Giant", "Archers", "Arrows", "Minions", "Fireball", "Musketeer", "Baby Dragon")
PRINCESS, KING = "Princess Tower", "King Tower"
DECK_SEPARATOR = "+"
"""Between the names of a deck that is written as one text, as on the command line."""

MOST_LETTERS = 24

_LETTERS = frozenset(string.ascii_letters + string.digits + " .-'")
_TABLE = Path(__file__).parent / "cards.csv"


@dataclass(frozen=True)
class Card:
    """One row of the table. Lengths are in thousandths of a tile, times in ticks of 100 ms."""

    name: str
    kind: Kind
    cost: int = 0
    """Elixir, 1 to 10."""
    count: int = 0
    """Units a troop card puts into the arena, 1 to 3."""
    hp: int = 0
    """Hit points of a unit or tower."""
    damage: int = 0
    """Of a strike, or of a spell's wave to a troop."""
    splash: int = 0
    """Radius around the struck target in which the damage is dealt too; 0 for none."""
    hit_ticks: int = 0
    """From one strike to the next."""
    first_hit_ticks: int = 0
    """From contact to the first strike."""
    range: int = 0
    """How far it strikes, to the edge of its target."""
    sight: int = 0
    """How far it notices targets; a tower sees as far as it strikes."""
    speed: int = 0
    """Length of a step in one tick."""
    radius: int = 0
    """Of the unit or tower, or of the circle a spell strikes."""
    mass: int = 0
    """How much it is pushed: heavy units push light ones."""
    layer: str = ""
    """`ground` or `air`."""
    hits: str = ""
    """What it strikes: `ground`, `ground+air`, or `towers`."""
    tower_damage: int = 0
    """Of a spell's wave to a tower."""
    flight: int = 0
    """How far a spell flies in one tick."""
    waves: int = 0
    """How often a spell strikes."""


COLUMNS = tuple(field.name for field in fields(Card))
_TEXTS: dict[str, Sequence[str]] = {"layer": LAYERS, "hits": HITS}
# The bounds keep every number of a battle inside the state's fields, and two towers from touching one troop.
_RANGES: dict[Kind, dict[str, tuple[int, int]]] = {
    "troop": {
        "cost": (1, 10),
        "count": (1, len(FORMATIONS)),
        "hp": (1, 30_000),
        "damage": (0, 30_000),
        "splash": (0, 10_000),
        "hit_ticks": (1, 1000),
        "first_hit_ticks": (1, 1000),
        "range": (0, 20_000),
        "sight": (0, 20_000),
        "speed": (0, 1000),
        "radius": (100, 1000),
        "mass": (1, 500),
    },
    "spell": {
        "cost": (1, 10),
        "damage": (0, 30_000),
        "radius": (0, 20_000),
        "tower_damage": (0, 30_000),
        "flight": (10, 10_000),
        "waves": (1, 10),
    },
    "tower": {
        "hp": (1, 30_000),
        "damage": (0, 30_000),
        "hit_ticks": (1, 1000),
        "first_hit_ticks": (1, 1000),
        "range": (0, 20_000),
        "radius": (100, 1500),
    },
}
_KIND_TEXTS: dict[Kind, tuple[str, ...]] = {"troop": ("layer", "hits"), "spell": (), "tower": ("hits",)}


def load_cards(path: str | Path | None = None) -> dict[str, Card]:
    """The cards of version 1 by name, with those of a user's table added or replaced."""
    return {**_own_cards(), **(read_cards(path) if path is not None else {})}


@cache
def _own_cards() -> dict[str, Card]:
    return read_cards(_TABLE)


def read_cards(path: str | Path) -> dict[str, Card]:
    """The cards of a table by name; refuses a table with anything in it that is not a card."""
    table = f"card table {str(path)!r}"
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParameterError(f"{table} can't be read: {error}.") from error
    rows = csv.DictReader(text.splitlines(), strict=True)
    cards: dict[str, Card] = {}
    try:
        missing = [column for column in COLUMNS if column not in (rows.fieldnames or ())]
        if missing:
            raise InvalidParameterError(f"{table} lacks the column {missing[0]!r}; expected {','.join(COLUMNS)}.")
        for row in rows:
            card = card_from_row(row, f"{table}, line {rows.line_num}")
            if card.name in cards:
                raise InvalidParameterError(f"{table} has {card.name!r} twice; expected a row for each card.")
            cards[card.name] = card
    except csv.Error as error:
        raise InvalidParameterError(f"{table}, line {rows.line_num} is not a row of a table: {error}.") from error
    if not cards:
        raise InvalidParameterError(f"{table} holds no cards; expected at least one row.")
    return cards


def card_from_row(row: Mapping[str, str | None], where: str) -> Card:
    """Return the card that a row describes; `where` names the row in error messages."""
    texts = {column: (row.get(column) or "").strip() for column in COLUMNS}
    name, kind = texts["name"], texts["kind"]
    if not set(name) <= _LETTERS or not 1 <= len(name) <= MOST_LETTERS:
        expected = f"expected 1 to {MOST_LETTERS} letters, digits, spaces, dots or hyphens"
        raise InvalidParameterError(f"{where}: name is {name!r}; {expected}.")
    if kind not in KINDS:
        raise InvalidParameterError(f"{where}: kind of {name!r} is {kind!r}; expected one of {', '.join(KINDS)}.")
    if kind == "tower" and name not in (PRINCESS, KING):
        raise InvalidParameterError(f"{where}: {name!r} is a tower; expected {PRINCESS!r} or {KING!r}.")
    values: dict[str, Any] = {
        column: _number(where, name, column, texts[column], *bounds) for column, bounds in _RANGES[kind].items()
    }
    for column in _KIND_TEXTS[kind]:
        values[column] = _word(where, name, column, texts[column], _TEXTS[column])
    for column in COLUMNS[2:]:
        if texts[column] and column not in values:
            raise InvalidParameterError(f"{where}: {column} of {name!r} is {texts[column]!r}; a {kind} has none.")
    if values.get("first_hit_ticks", 0) > values.get("hit_ticks", 0):
        raise InvalidParameterError(
            f"{where}: first_hit_ticks of {name!r} is {values['first_hit_ticks']}; "
            f"expected at most its hit_ticks, {values['hit_ticks']}."
        )
    if kind == "tower":
        values["sight"] = values["range"]
    return Card(name, kind, **values)


def _number(where: str, name: str, column: str, text: str, least: int, most: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        expected = f"expected an integer from {least} to {most}"
        raise InvalidParameterError(f"{where}: {column} of {name!r} is {text!r}; {expected}.")
    return number


def _word(where: str, name: str, column: str, text: str, allowed: Sequence[str]) -> str:
    if text not in allowed:
        raise InvalidParameterError(f"{where}: {column} of {name!r} is {text!r}; expected {' or '.join(allowed)}.")
    return text


def read_deck(deck: str | Sequence[str], cards: Mapping[str, Card]) -> tuple[Card, ...]:
    """The eight cards of a deck, given as names or as one text with `+` between them."""
    if not isinstance(deck, (str, Sequence)):
        raise InvalidParameterError(f"deck is {deck!r}; expected the names of {DECK} cards.")
    given = deck.split(DECK_SEPARATOR) if isinstance(deck, str) else list(deck)
    names = [str(name).strip() for name in given]
    playable = [name for name, card in cards.items() if card.kind != "tower"]
    for name in names:
        if name not in playable:
            raise UnknownNameError("card", name, playable)
    if len(names) != DECK:
        raise InvalidParameterError(f"deck has {len(names)} cards; expected {DECK}.")
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameterError(
                f"deck has {name!r} {_times(names.count(name))}; expected {DECK} different cards."
            )
    return tuple(cards[name] for name in names)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
