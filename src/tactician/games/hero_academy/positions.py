"""Start positions, the canonical JSON form of states, and drawings of Hero Academy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tactician.contract.random import stream
from tactician.contract.reading import boolean, entry, integer, require_fields, sequence
from tactician.errors import InvalidParameterError, InvalidStateError, short
from tactician.games.hero_academy import drawing, effects
from tactician.games.hero_academy.cards import (
    CLASS_CODES,
    CLASS_NAMES,
    CRYSTAL,
    GEAR_CODES,
    KINDS,
    MAX_COPIES,
    OPENING_UNITS,
    UNIT_KINDS,
)
from tactician.games.hero_academy.maps import MAX_SQUARES
from tactician.games.hero_academy.records import rows_of
from tactician.native.records import FieldRecord, interpreted_record
from tactician.native.variants import interpreted

DECK_SEEDS = 1000
"""How many seeds a deck can start with."""
MAX_TURN = 30_000
MAX_SEED = 2**31 - 1
_MAX_REDEALS = 10_000
_MOST_CARDS = np.iinfo(np.uint8).max // 2
"""The most cards in a hand or deck: a byte must hold both together, because a hidden hand is counted in the deck."""
_UNIT_PARTS = ("x", "y", "owner", "class", "hp", "equipment")
_FIELDS = ("turn", "player", "ap", "terminal", "winner", "units", "hands", "decks", "seeds")


def deal(g: FieldRecord, s: FieldRecord, rng: np.random.Generator, deck_seeds: Sequence[int] | None = None) -> None:
    """Place the crystals and deal both hands; without `deck_seeds` the decks get random seeds below `DECK_SEEDS`."""
    if deck_seeds is None:
        deck_seeds = rng.integers(0, DECK_SEEDS, 2).tolist()
    pair = list(deck_seeds) if isinstance(deck_seeds, Sequence) else []
    if len(pair) != 2 or not all(type(n) is int and 0 <= n <= MAX_SEED for n in pair):
        raise InvalidParameterError(f"deck_seeds are {deck_seeds!r}; expected two integers from 0 to {MAX_SEED}.")
    chance = stream(rng.integers(0, 2**32, 4).tolist())
    s.turn, s.player, s.ap = 1, 0, g.first_turn_points
    crystal = (CRYSTAL, int(g.max_hp[CRYSTAL, 0]), 0)
    starts = [(square, player, *crystal) for player in range(2) for square in _members(g.crystal_start[player])]
    _put(s, starts)
    record, config = interpreted_record(s), interpreted_record(g)
    fill_hand = interpreted(effects.fill_hand)
    for player in range(2):
        s.seed[player] = pair[player]
        for _ in range(_MAX_REDEALS):
            s.hand[player], s.deck[player] = 0, g.deck
            s.hand_cards[player], s.deck_cards[player] = 0, g.deck.sum()
            fill_hand(config, record, player, chance)
            if s.hand[player, :UNIT_KINDS].sum() == OPENING_UNITS:
                break
        else:
            raise InvalidParameterError(
                f"no opening hand of {g.hand_size} cards of this deck has exactly {OPENING_UNITS} unit cards."
            )


def _members(mask: int) -> list[int]:
    return [square for square in range(MAX_SQUARES) if int(mask) >> square & 1]


def _put(s: FieldRecord, units: Iterable[tuple[int, int, int, int, int]]) -> None:
    """Place units, each (square, player, class, hp, gear), on an empty board."""
    sides, down, crystals = [0, 0], 0, 0
    hps, kinds, gears = s.hp, s.kind, s.gear
    for square, player, kind, hp, gear in units:
        sides[player] |= 1 << square
        if kind == CRYSTAL:
            crystals |= 1 << square
        elif hp == 0:
            down |= 1 << square
        hps[square], kinds[square], gears[square] = hp, kind, gear
    s.units, s.down, s.crystals = sides, down, crystals


def to_json(g: FieldRecord, s: FieldRecord) -> dict[str, Any]:
    """Return a state as recordings write it; `hidden` counts the hand cards that a viewer doesn't know."""
    height = int(g.height)
    first, second = s.units.tolist()
    hps, kinds, gears = s.hp.tolist(), s.kind.tolist(), s.gear.tolist()
    units = []
    for square in _members(first | second):
        owner = 1 if first >> square & 1 else 2
        gear = "".join(c for bit, c in enumerate(GEAR_CODES) if gears[square] >> bit & 1)
        units.append([*divmod(square, height), owner, CLASS_CODES[kinds[square]], hps[square], gear])
    over = bool(s.over)
    position = {
        "turn": int(s.turn),
        "player": int(s.player) + 1,
        "ap": int(s.ap),
        "terminal": over,
        "winner": int(s.winner) if over else None,
        "units": units,
        "hands": s.hand.tolist(),
        "decks": s.deck.tolist(),
        "seeds": s.seed.tolist(),
    }
    if s.hidden.any():
        position["hidden"] = s.hidden.tolist()
    return position


def from_json(g: FieldRecord, s: FieldRecord, data: Any) -> None:
    """Fill a state from the canonical form; raise `InvalidStateError` for values out of range."""
    require_fields("state", data, _FIELDS, ("hidden",))
    s.turn = integer("turn", data["turn"], 1, MAX_TURN)
    s.player = integer("player", data["player"], 1, 2) - 1
    if (s.turn - 1) % 2 != s.player:
        raise InvalidStateError(
            f"player is {data['player']} in turn {data['turn']}; expected 1 on odd turns, 2 on even."
        )
    s.ap = integer("ap", data["ap"], 0, int(max(g.action_points, g.first_turn_points)))
    _read_result(s, data["terminal"], data["winner"])
    _read_units(g, s, data["units"])
    _read_cards(s, data, bool(g.hidden_hands))


def _read_result(s: FieldRecord, terminal: Any, winner: Any) -> None:
    if boolean("terminal", terminal):
        s.over, s.winner = 1, integer("winner", winner, 0, 2)
    elif winner is not None:
        raise InvalidStateError(f"winner is {short(winner)} although terminal is false; expected null.")


def _read_units(g: FieldRecord, s: FieldRecord, units: Any) -> None:
    width, height, max_hp = int(g.width), int(g.height), g.max_hp.tolist()
    placed: dict[int, tuple[int, int, int, int, int]] = {}
    for i, unit in enumerate(sequence("units", units, 0, width * height)):
        name = f"units[{i}]"
        entry(name, unit, _UNIT_PARTS)
        x = integer(f"{name} x", unit[0], 0, width - 1)
        y = integer(f"{name} y", unit[1], 0, height - 1)
        owner = integer(f"{name} owner", unit[2], 1, 2) - 1
        if not isinstance(unit[3], str) or len(unit[3]) != 1 or unit[3] not in CLASS_CODES:
            raise InvalidStateError(f"{name} has the class {short(unit[3])}; expected one of {CLASS_CODES}.")
        kind = CLASS_CODES.index(unit[3])
        gear = _gear(name, unit[5], kind)
        least = 1 if kind == CRYSTAL else 0
        hp = integer(f"{name} hp of a {CLASS_NAMES[kind]}", unit[4], least, max_hp[kind][gear])
        square = x * height + y
        if square in placed:
            raise InvalidStateError(f"{name} stands on ({x}, {y}), where another unit stands already.")
        placed[square] = (square, owner, kind, hp, gear)
    _put(s, placed.values())


def _gear(name: str, letters: Any, kind: int) -> int:
    if not isinstance(letters, str) or any(c not in GEAR_CODES for c in letters) or len(set(letters)) != len(letters):
        raise InvalidStateError(f"{name} has the equipment {short(letters)}; expected some of {GEAR_CODES}, once each.")
    if letters and kind == CRYSTAL:
        raise InvalidStateError(f"{name} is a crystal with the equipment {letters!r}; expected none.")
    return sum(1 << GEAR_CODES.index(c) for c in letters)


def _read_cards(s: FieldRecord, data: dict[str, Any], hidden_hands: bool) -> None:
    seeds = sequence("seeds", data["seeds"], 2, 2)
    hidden = sequence("hidden", data.get("hidden", [0, 0]), 2, 2)
    if any(hidden) and not hidden_hands:
        raise InvalidStateError(f"hidden is {short(hidden)} in a game with open information; expected no such field.")
    for player in range(2):
        for field, name in ((s.hand, "hands"), (s.deck, "decks")):
            counts = sequence(f"{name}[{player}]", sequence(name, data[name], 2, 2)[player], KINDS, KINDS)
            field[player] = [integer(f"{name}[{player}][{k}]", n, 0, MAX_COPIES) for k, n in enumerate(counts)]
            if int(field[player].sum()) > _MOST_CARDS:
                total = int(field[player].sum())
                raise InvalidStateError(f"{name}[{player}] has {total} cards; expected at most {_MOST_CARDS}.")
        s.hand_cards[player], s.deck_cards[player] = s.hand[player].sum(), s.deck[player].sum()
        s.seed[player] = integer(f"seeds[{player}]", seeds[player], 0, MAX_SEED)
        s.hidden[player] = integer(f"hidden[{player}]", hidden[player], 0, int(s.deck_cards[player]))


def draw_text(g: FieldRecord, s: FieldRecord) -> str:
    """Draw a state for a terminal."""
    return drawing.draw_text(rows_of(g), to_json(g, s))


def draw_svg(g: FieldRecord, s: FieldRecord) -> str:
    """Draw a state as an SVG document."""
    return drawing.draw_svg(rows_of(g), to_json(g, s))
