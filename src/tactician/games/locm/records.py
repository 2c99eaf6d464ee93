"""The two records of Legends of Code and Magic, and how a creature is packed into a word.

A creature is one 64-bit word, so that a board is six words and removing a creature moves a few of them:

=====  ===========================================
bits   content
=====  ===========================================
0-6    instance id
7      lane
8-15   card number
16-21  abilities, in the order BCDGLW
22     can attack now
23     has attacked this turn
32-46  attack
48-62  defense
=====  ===========================================

A hand holds positions in the deck, where the card and its instance id are stored. Cards that a viewer doesn't know have
the number `UNKNOWN` there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tactician.contract import inline_helper
from tactician.contract.identity import words_before
from tactician.games.locm import cards as card_data
from tactician.games.locm.cards import CARD_FIELDS, Ability, CardKind, CardType

DECK, OFFERED = card_data.DECK_SIZE, card_data.OFFERED
HAND, BOARD, LANES = 8, 6, 2
UNKNOWN = 255
MAX_CARDS = UNKNOWN + 1
ACTS = 48
"""The most actions of a turn: eight cards, and an attack by every creature that was there or was summoned."""
MAX_TURN, MAX_HP, MAX_VALUE, MAX_DRAW = 30_000, 30_000, 30_000, 1_000
"""The largest turn, health, attack or defense, and number of cards to draw: counting stops there, far beyond any game.
So no sequence of actions leads from a state that can be stored to one that can't."""
CREATURE, GREEN, RED, BLUE = (int(kind) for kind in CardKind)
NO_CARD = len(CardKind)
"""The kind of a number that the card table doesn't have."""
BREAKTHROUGH, CHARGE, DRAIN, GUARD, LETHAL, WARD = (1 << ability for ability in Ability)

_LANE, _CARD, _ABILITIES, _CAN, _ATTACKED, _ATTACK, _DEFENSE = 7, 8, 16, 22, 23, 32, 48
"""The lowest bit of each part of a creature's word; the instance id begins at bit 0."""
LANE_MARK, GUARD_MARK, READY_MARK = 1 << _LANE, GUARD << _ABILITIES, 1 << _CAN
"""Bits of a creature's word: in the right lane, a Guard, can attack now."""
_PLACES = (1 << BOARD) - 1
_ID_MASK, _CARD_MASK, _ABILITY_MASK, _ATTACK_MASK, _LOW_MASK = 0x7F, 0xFF, 0x3F, 0x7FFF, 0xFFFFFFFF

State = np.dtype(
    [
        ("units", "i8", (2, BOARD)),  # in the order they were summoned, packed as above
        ("deck", "u1", (2, DECK)),  # card numbers in draw order
        ("deck_id", "u1", (2, DECK)),  # instance ids
        ("hand", "u1", (2, HAND)),  # positions in the deck
        ("hp", "i2", (2,)),
        ("next_draw", "i2", (2,)),
        ("lost", "i2", (2,)),  # version 1.5: health lost since the start of the player's last turn
        ("turn", "i2"),
        ("rune", "i1", (2,)),  # the next rune, 0 if none is left
        ("max_mana", "i1", (2,)),
        ("mana", "i1", (2,)),
        ("bonus", "i1", (2,)),
        ("drawn", "i1", (2,)),  # cards taken from the deck
        ("hand_n", "i1", (2,)),
        ("units_n", "i1", (2,)),
        ("player", "i1"),
        ("over", "i1"),
        ("winner", "i1"),
        # From here on fields that no rule reads; they are not part of a state's identity.
        ("touched", "u8", (2,)),  # bits by instance id: creatures whose card effects are no longer shown
        ("acts", "u2", (2, ACTS)),  # each player's actions in the current or last turn
        ("draft", "u1", (DECK, OFFERED)),  # the cards offered to both players; 0 if unknown
        ("acts_n", "i1", (2,)),
        ("shown_draw", "i2", (2,)),
    ],
    align=True,
)
IDENTITY_WORDS = words_before(State, "touched")

FEATURES = {"damage": 1.0, "threat": -1.0, "board": 1.0, "items": 1.0, "draws": 1.0}
"""The five features of the heuristic in the paper's order, with their default weights."""

BOARD_FEATURES = {
    "health": 0.6,
    "low_health": 0.8,
    "card": 2.0,
    "creature": 1.0,
    "attack": 1.2,
    "defense": 0.8,
    "guard": 0.8,
    "guard_defense": 0.15,
    "ward": 0.5,
    "ward_attack": 0.5,
    "lethal": 1.5,
    "drain_attack": 0.2,
    "breakthrough_attack": 0.1,
    "rune": 0.0,
}
"""The features of the evaluation of the board, see `board`, with their default weights."""

Config = np.dtype(
    [
        ("error", "i8"),
        ("lanes", "i8"),
        ("lane_size", "i8"),
        ("modern", "i8"),  # version 1.5: no runes, areas
        ("hides", "i8"),
        ("relative", "i8"),  # whether the evaluation is the difference of both sides
        ("by_board", "i8"),  # whether the board is evaluated instead of the paper's features
        ("deal", "i8"),  # the source of decks: BY_DRAFT or BY_PAPER, see positions
        ("deck_seed", "i8"),
        ("strategies", "i8", (2,)),  # the draft strategy of each seat
        ("cards", "i8"),  # one more than the largest card number
        *((name, field.dtype, (MAX_CARDS,)) for name, field in CARD_FIELDS.items()),  # by card number
        ("fades", "u1", (MAX_CARDS,)),  # whether its effects are shown only until it is touched
        ("value", "f8", (MAX_CARDS,)),  # its value in the heuristic
        ("quality", "f8", (2, MAX_CARDS)),  # its place in the draft order of each seat, from 1 (best) down to 0
        ("ranked", "i8"),  # whether guesses of the opponent's picks follow the draft order
        ("weights", "f8", (len(FEATURES),)),
        ("board_weights", "f8", (len(BOARD_FEATURES),)),
        ("win", "f8"),
    ],
    align=True,
)


def card_fields(
    cards: Sequence[CardType], values: Sequence[float], qualities: Sequence[Sequence[float]], modern: bool
) -> dict[str, Any]:
    """Return a card table as columns of the configuration.

    `values` are the cards' values in the heuristic, `qualities` their places in the draft order of each seat.
    """
    fields: dict[str, Any] = {"cards": max(card.number for card in cards) + 1}
    for name in CARD_FIELDS:
        column = np.full(MAX_CARDS, NO_CARD if name == "kind" else 0)
        for card in cards:
            column[card.number] = getattr(card, name)
        fields[name] = column
    fields["value"] = np.zeros(MAX_CARDS)
    for card, value in zip(cards, values, strict=True):
        fields["value"][card.number] = value
    fields["quality"] = np.zeros((len(qualities), MAX_CARDS))
    for seat, of_seat in enumerate(qualities):
        fields["quality"][seat, [card.number for card in cards]] = of_seat
    has_effects = (fields["player_hp"] != 0) | (fields["enemy_hp"] != 0) | (fields["card_draw"] != 0)
    fields["fades"] = has_effects & (not modern)
    return fields


# -- creatures ---------------------------------------------------------------------------------------------------


@inline_helper
def creature(identity: Any, card: Any, lane: Any, abilities: Any, attack: Any, defense: Any) -> Any:
    """Pack a creature as it is summoned; with Charge it can attack at once."""
    can = int(abilities & CHARGE != 0)
    low = identity | lane << _LANE | card << _CARD | abilities << _ABILITIES | can << _CAN
    return low | attack << _ATTACK | defense << _DEFENSE


@inline_helper
def id_of(unit: Any) -> Any:
    """Return the instance id."""
    return unit & _ID_MASK


@inline_helper
def lane_of(unit: Any) -> Any:
    """Return the lane: 0 left, 1 right."""
    return unit >> _LANE & 1


@inline_helper
def card_of(unit: Any) -> Any:
    """Return the card number."""
    return unit >> _CARD & _CARD_MASK


@inline_helper
def abilities_of(unit: Any) -> Any:
    """Return the mask of abilities."""
    return unit >> _ABILITIES & _ABILITY_MASK


@inline_helper
def can_attack(unit: Any) -> Any:
    """Return 1 if the creature can attack now, else 0."""
    return unit >> _CAN & 1


@inline_helper
def has_attacked(unit: Any) -> Any:
    """Return 1 if the creature has attacked this turn, else 0."""
    return unit >> _ATTACKED & 1


@inline_helper
def attack_of(unit: Any) -> Any:
    """Return the attack, never below 0."""
    return unit >> _ATTACK & _ATTACK_MASK


@inline_helper
def defense_of(unit: Any) -> Any:
    """Return the defense, above 0 on the board."""
    return unit >> _DEFENSE


@inline_helper
def marks_of(s: Any, player: Any, marks: Any) -> Any:
    """Return bits of all creatures of a board in one word, each moved left by the creature's place; see `marked`."""
    found = 0
    for place in range(BOARD):
        found |= (s.units[player, place] & marks) << place
    return found


@inline_helper
def marked(found: Any, mark: Any) -> Any:
    """Return the set of places with one of the bits that `marks_of` found."""
    return np.uint64(found // mark & _PLACES)


@inline_helper
def with_values(unit: Any, abilities: Any, attack: Any, defense: Any) -> Any:
    """Return the creature with other abilities, attack and defense."""
    kept = unit & _LOW_MASK & ~(_ABILITY_MASK << _ABILITIES)
    return kept | abilities << _ABILITIES | attack << _ATTACK | defense << _DEFENSE


@inline_helper
def with_readiness(unit: Any, can: Any, attacked: Any) -> Any:
    """Return the creature with `can_attack` and `has_attacked` set."""
    return unit & ~(3 << _CAN) | can << _CAN | attacked << _ATTACKED
