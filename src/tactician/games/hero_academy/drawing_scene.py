"""What both drawings of Hero Academy show: a map and a position, checked, with a name for every code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tactician.errors import InvalidStateError
from tactician.games.hero_academy.cards import (
    ARMOUR_CODES,
    ARMOUR_HP_SHARE,
    CARD_NAMES,
    CLASS_CODES,
    CODES,
    CRYSTAL_CODE,
    GEAR_CODES,
    UNIT_CLASSES,
)

OWNERS = (1, 2)
SPECIAL_SQUARES = {"d": "deploy", "D": "deploy", "S": "defense", "A": "assault", "P": "power"}
CRYSTAL_SQUARES = "cC"
SQUARE_OWNERS = {"d": 1, "c": 1, "D": 2, "C": 2}

_SHORT_NAMES = {"revive_potion": "potion", "shining_helm": "helm"}
NAMES = {code: _SHORT_NAMES.get(name, name) for code, name in zip(CODES, CARD_NAMES, strict=True)}
NAMES[CRYSTAL_CODE] = "crystal"
"""What drawings call each card and unit; icons have the same names."""

_BASE_HP = {code: unit.max_hp for code, unit in zip(CLASS_CODES, UNIT_CLASSES, strict=True)}


class UnitView(NamedTuple):
    """A unit on the board: one entry of the position's ``units``."""

    x: int
    y: int
    owner: int
    code: str
    hp: int
    equipment: str

    @property
    def max_hp(self) -> int:
        """Full health, with what the unit's armour adds."""
        base = _BASE_HP[self.code]
        return base + base // ARMOUR_HP_SHARE * sum(code in ARMOUR_CODES for code in self.equipment)

    @property
    def fallen(self) -> bool:
        """Whether the unit is knocked out."""
        return self.hp == 0


class PlayerHoldings(NamedTuple):
    """A player's hand, deck and crystals."""

    number: int
    hand: tuple[tuple[str, int], ...]
    """The known cards: code and count of each kind."""
    hidden: int
    """Cards in the hand that the viewer can't see."""
    deck: int
    """Cards left to draw."""
    crystals: tuple[UnitView, ...]


@dataclass(frozen=True)
class HeroAcademyScene:
    """A map and a position on it."""

    rows: tuple[str, ...]
    units: tuple[UnitView, ...]
    players: tuple[PlayerHoldings, ...]
    turn: int
    ap: int
    to_move: int | None
    """The player to move; ``None`` when the game is over."""
    winner: int | None
    """The winner; ``None`` during the game and after a draw."""

    @property
    def width(self) -> int:
        """Squares in a row."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Squares in a column."""
        return len(self.rows)

    @property
    def status(self) -> str:
        """Who is to move, or how the game ended."""
        if self.to_move:
            return f"Player {self.to_move} to move"
        return f"Player {self.winner} wins" if self.winner else "Draw"

    @property
    def pips(self) -> tuple[int, int]:
        """Action points to show as left and as spent."""
        left = min(self.ap, _MOST_PIPS)
        return left, max(0, _PIPS_OF_A_TURN - left)


_PIPS_OF_A_TURN = 5
_MOST_PIPS = 7


def read_scene(rows: Sequence[str], position: Mapping[str, Any]) -> HeroAcademyScene:
    """Check a position in its canonical JSON form against the map and return it as a scene."""
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise InvalidStateError(f"map rows are {list(rows)!r}; expected a rectangle of at least one square.")
    units = tuple(UnitView(*fields) for fields in position["units"])
    for unit in units:
        _check_unit(unit, rows)
    over = bool(position["terminal"])
    return HeroAcademyScene(
        rows=tuple(rows),
        units=units,
        players=tuple(_read_player(owner, position, units) for owner in OWNERS),
        turn=int(position["turn"]),
        ap=int(position["ap"]),
        to_move=None if over else int(position["player"]),
        winner=position["winner"] or None if over else None,
    )


def _check_unit(unit: UnitView, rows: Sequence[str]) -> None:
    width, height = len(rows[0]), len(rows)
    if not (0 <= unit.x < width and 0 <= unit.y < height):
        raise InvalidStateError(
            f"unit {list(unit)!r} stands outside the board; expected a square of {width} columns and {height} rows."
        )
    if unit.owner not in OWNERS or unit.code not in _BASE_HP or not set(unit.equipment) <= set(GEAR_CODES):
        raise InvalidStateError(
            f"unit is {list(unit)!r}; expected owner 1 or 2, a class of {CLASS_CODES} and equipment of {GEAR_CODES}."
        )


def _read_player(owner: int, position: Mapping[str, Any], units: Sequence[UnitView]) -> PlayerHoldings:
    counts = position["hands"][owner - 1]
    hidden = int(position.get("hidden", (0, 0))[owner - 1])
    return PlayerHoldings(
        number=owner,
        hand=tuple((code, int(count)) for code, count in zip(CODES, counts, strict=True) if count),
        hidden=hidden,
        # The position counts hidden hand cards as deck cards, but they can't be drawn.
        deck=int(sum(position["decks"][owner - 1])) - hidden,
        crystals=tuple(unit for unit in units if unit.owner == owner and unit.code == CRYSTAL_CODE),
    )
