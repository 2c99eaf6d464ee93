"""What both drawings of Hero Academy show: the map and a position, checked and with names for everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tactician.errors import InvalidStateError

OWNERS = (1, 2)
CARDS = "KACWNIPRSDH"
EQUIPMENT = "RSDH"
CRYSTAL = "X"
NAMES = {
    "K": "knight",
    "A": "archer",
    "C": "cleric",
    "W": "wizard",
    "N": "ninja",
    "I": "inferno",
    "P": "potion",
    "R": "runemetal",
    "S": "scroll",
    "D": "dragonscale",
    "H": "helm",
    CRYSTAL: "crystal",
}
SPECIAL_SQUARES = {"d": "deploy", "D": "deploy", "S": "defense", "A": "assault", "P": "power"}
CRYSTAL_SQUARES = "cC"
SQUARE_OWNERS = {"d": 1, "c": 1, "D": 2, "C": 2}

_ARMOUR = "DH"
_BASE_HP = {"K": 1000, "A": 800, "C": 800, "W": 800, "N": 800, CRYSTAL: 4500}
_ARMOUR_SHARE = 10


class Unit(NamedTuple):
    """One entry of the position's ``units``."""

    x: int
    y: int
    owner: int
    code: str
    hp: int
    equipment: str

    @property
    def max_hp(self) -> int:
        """Full health: a piece of armour adds a tenth of the class's own."""
        base = _BASE_HP[self.code]
        return base + base // _ARMOUR_SHARE * sum(code in _ARMOUR for code in self.equipment)

    @property
    def fallen(self) -> bool:
        """Whether the unit is knocked out."""
        return self.hp == 0


class Player(NamedTuple):
    """What a player holds."""

    number: int
    hand: tuple[tuple[str, int], ...]
    """The known cards: code and count of each kind."""
    hidden: int
    """Cards in the hand that the viewer can't see."""
    deck: int
    """Cards left to draw."""
    crystals: tuple[Unit, ...]


@dataclass(frozen=True)
class Scene:
    """A map and a position on it."""

    rows: tuple[str, ...]
    units: tuple[Unit, ...]
    players: tuple[Player, ...]
    turn: int
    ap: int
    to_move: int | None
    """The player to move; ``None`` when the game is over."""
    winner: int | None
    """The winner; ``None`` while the game lasts and after a draw."""

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
        """How many action points to show as left and as spent."""
        left = min(self.ap, _MOST_PIPS)
        return left, max(0, _PIPS_OF_A_TURN - left)


_PIPS_OF_A_TURN = 5
_MOST_PIPS = 7


def read_scene(rows: Sequence[str], position: Mapping[str, Any]) -> Scene:
    """Check a position in its canonical JSON form against the map and name its parts."""
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise InvalidStateError(f"map rows {list(rows)!r} don't form a rectangle of at least one square")
    units = tuple(Unit(*fields) for fields in position["units"])
    for unit in units:
        _check_unit(unit, rows)
    over = bool(position["terminal"])
    return Scene(
        rows=tuple(rows),
        units=units,
        players=tuple(_read_player(owner, position, units) for owner in OWNERS),
        turn=int(position["turn"]),
        ap=int(position["ap"]),
        to_move=None if over else int(position["player"]),
        winner=position["winner"] or None if over else None,
    )


def _check_unit(unit: Unit, rows: Sequence[str]) -> None:
    width, height = len(rows[0]), len(rows)
    if not (0 <= unit.x < width and 0 <= unit.y < height):
        raise InvalidStateError(f"unit {list(unit)!r} stands outside the board of {width} by {height} squares")
    if unit.owner not in OWNERS or unit.code not in _BASE_HP or not set(unit.equipment) <= set(EQUIPMENT):
        raise InvalidStateError(
            f"unit {list(unit)!r} needs an owner of 1 or 2, a class of {''.join(_BASE_HP)} and equipment of {EQUIPMENT}"
        )


def _read_player(owner: int, position: Mapping[str, Any], units: Sequence[Unit]) -> Player:
    counts = position["hands"][owner - 1]
    hidden = int(position.get("hidden", (0, 0))[owner - 1])
    return Player(
        number=owner,
        hand=tuple((code, int(count)) for code, count in zip(CARDS, counts, strict=True) if count),
        hidden=hidden,
        # A hidden hand is counted with the deck in the position, but it isn't in the pile.
        deck=int(sum(position["decks"][owner - 1])) - hidden,
        crystals=tuple(unit for unit in units if unit.owner == owner and unit.code == CRYSTAL),
    )
