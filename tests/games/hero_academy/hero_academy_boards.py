"""Positions written as pictures and actions written as verbs, so that a test of a rule reads like the rule.

A unit is a letter, large for player 1 and small for player 2: Knight, Archer, Cleric, Wizard, Ninja, X for a crystal.
``K+RS`` carries runemetal and a scroll, ``k=450`` has 450 hit points, ``k=0`` has fallen; without a number it is whole.
A board is a picture (one row of the map a line, ``.`` for an empty square) or a mapping from squares to units; there
is nothing on it but what is written. Squares are (x, y), from the top left.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tactician.contract import Game, State
from tactician.games.hero_academy import MAPS, hero_academy

Square = tuple[int, int]
Board = str | Mapping[Square, str]

CARDS = "KACWNIPRSDH"
UNITS = "KACWN"
BASE_HP = {"K": 1000, "A": 800, "C": 800, "W": 800, "N": 800, "X": 4500}
CRYSTALS: dict[Square, str] = {(2, 1): "X", (1, 3): "X", (6, 1): "x", (7, 3): "x"}
"""The crystals of the papers' map at their places."""
_UNIT = re.compile(r"([KACWNXkacwnx])(?:\+([RSDH]+))?(?:=(\d+))?")


@cache
def game(**options: Any) -> Game:
    """The game with some parameters changed."""
    return hero_academy(**options)


def max_hp(kind: str, gear: str = "") -> int:
    return BASE_HP[kind] + BASE_HP[kind] // 10 * sum(item in "DH" for item in gear)


# -- positions -------------------------------------------------------------------------------------------------


def position(
    board: Board,
    *,
    hand: str = "",
    deck: str = "",
    enemy_hand: str = "",
    enemy_deck: str = "",
    ap: int = 5,
    turn: int = 1,
    seeds: tuple[int, int] = (0, 0),
    of: Game | None = None,
) -> State:
    """A state; `hand` and `deck` are letters of cards and belong to the player to move (player 1 on odd turns)."""
    player = 2 - turn % 2
    own, other = [count(hand), count(deck)], [count(enemy_hand), count(enemy_deck)]
    first, second = (own, other) if player == 1 else (other, own)
    return (of or game()).state_from_json(
        {
            "turn": turn,
            "player": player,
            "ap": ap,
            "terminal": False,
            "winner": None,
            "units": [_unit_json(square, text) for square, text in sorted(_squares(board).items())],
            "hands": [first[0], second[0]],
            "decks": [first[1], second[1]],
            "seeds": list(seeds),
        }
    )


def count(letters: str) -> list[int]:
    return [letters.count(card) for card in CARDS]


def _squares(board: Board) -> Mapping[Square, str]:
    if isinstance(board, str):
        lines = [line.split() for line in board.strip().splitlines()]
        return {(x, y): text for y, line in enumerate(lines) for x, text in enumerate(line) if text != "."}
    return board


def _unit_json(square: Square, text: str) -> list[Any]:
    match = _UNIT.fullmatch(text)
    assert match, f"{text!r} is not a unit"
    letter, gear, hp = match[1], match[2] or "", match[3]
    kind = letter.upper()
    return [*square, 1 if letter.isupper() else 2, kind, max_hp(kind, gear) if hp is None else int(hp), gear]


# -- what is where ---------------------------------------------------------------------------------------------


def board_of(state: State) -> dict[Square, str]:
    """Everything on the board, in the notation of this module."""
    return {(x, y): _unit_text(*unit) for x, y, *unit in state.to_json()["units"]}


def _unit_text(owner: int, kind: str, hp: int, gear: str) -> str:
    text = (kind if owner == 1 else kind.lower()) + (f"+{gear}" if gear else "")
    return text if hp == max_hp(kind, gear) else f"{text}={hp}"


def at(state: State, square: Square) -> str:
    """The unit on a square, ``.`` if there is none."""
    return board_of(state).get(square, ".")


def hp_at(state: State, square: Square) -> int:
    return next(unit[4] for unit in state.to_json()["units"] if (unit[0], unit[1]) == square)


def hand_of(state: State, player: int) -> str:
    """The cards in the hand of player 1 or 2, in canonical order."""
    return _letters(state.to_json()["hands"][player - 1])


def deck_of(state: State, player: int) -> str:
    return _letters(state.to_json()["decks"][player - 1])


def _letters(counts: list[int]) -> str:
    return "".join(card * n for card, n in zip(CARDS, counts, strict=True))


# -- actions ---------------------------------------------------------------------------------------------------


def act(state: State, *action: Any) -> State:
    """The state after an action in the notation of recordings; an illegal one is refused."""
    return state.copy().apply(state.game.action_from_json(list(action)))


def move(state: State, origin: Square, target: Square) -> State:
    return act(state, "U", "M", *origin, *target)


def attack(state: State, origin: Square, target: Square) -> State:
    return act(state, "U", "A", *origin, *target)


def heal(state: State, origin: Square, target: Square) -> State:
    return act(state, "U", "H", *origin, *target)


def change_places(state: State, origin: Square, target: Square) -> State:
    return act(state, "U", "S", *origin, *target)


def play(state: State, card: str, target: Square) -> State:
    return act(state, "D", card, *target)


def swap_card(state: State, card: str) -> State:
    return act(state, "X", card)


def end_turn(state: State) -> State:
    return act(state, "E")


def legal(state: State) -> list[list[Any]]:
    return [state.game.action_to_json(action) for action in state.legal_actions()]


def candidates(state: State) -> list[list[Any]]:
    return [state.game.action_to_json(action) for action in state.candidate_actions()]


def targets(state: State, kind: str, origin: Square) -> set[Square]:
    """Where the unit on a square can move (M), attack (A), heal (H) or swap (S)."""
    return {(a[4], a[5]) for a in legal(state) if a[:4] == ["U", kind, *origin]}


def plays(state: State, card: str) -> list[Square]:
    """Where a card can be played, in the order of the list."""
    return [(a[2], a[3]) for a in legal(state) if a[:2] == ["D", card]]


def rating(state: State, *action: Any) -> float:
    return state.rate_actions([state.game.action_from_json(list(action))])[0]


# -- many positions --------------------------------------------------------------------------------------------


def random_play(of: Game, seed: int, steps: int = 10_000, early_end: float = 0.02) -> Iterator[State]:
    """The states of a random game, the last one included; each is a copy."""
    chance = random.Random(seed)
    state = of.initial_state(seed)
    for _ in range(steps):
        yield state.copy()
        if state.is_over():
            return
        actions = state.legal_actions()
        hurry = len(actions) == 1 or chance.random() < early_end
        state.apply(actions[-1] if hurry else chance.choice(actions[:-1]))


@st.composite
def json_positions(draw: st.DrawFn, rows: tuple[str, ...] = MAPS["a"], least_ap: int = 1) -> dict[str, Any]:
    """Any position that can be written down, those no game reaches included."""
    squares = [(x, y) for x in range(len(rows[0])) for y in range(len(rows))]
    chosen = draw(st.lists(st.sampled_from(squares), unique=True, max_size=16))
    units = []
    for square in sorted(chosen):
        kind = draw(st.sampled_from("KACWNCWNX"))
        gear = "" if kind == "X" else "".join(i for i in "RSDH" if draw(st.booleans()))
        most = max_hp(kind, gear)
        health = st.sampled_from([most, most, 1, 240]) | st.integers(1, most)
        hp = draw(health if kind == "X" else health | st.just(0))
        units.append([*square, draw(st.integers(1, 2)), kind, hp, gear])
    counts = st.lists(st.sampled_from([0, 0, 0, 1, 1, 2]), min_size=11, max_size=11)
    turn = draw(st.sampled_from([1, 2, 99, 100]) | st.integers(1, 100))
    return {
        "turn": turn,
        "player": 2 - turn % 2,
        "ap": draw(st.integers(least_ap, 5)),
        "terminal": False,
        "winner": None,
        "units": units,
        "hands": [draw(counts), draw(counts)],
        "decks": [draw(counts | st.just([0] * 11)), draw(counts)],
        "seeds": [draw(st.integers(0, 200_000)), draw(st.integers(0, 200_000))],
    }
