"""The two records of Legends of Code and Magic, and the words in which a creature is packed.

A creature is one 64-bit word, so that a board is six words and the death of a creature moves a few of them:

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

A hand holds places in the deck: the card and the instance id stand there. Cards a viewer doesn't know have the number
`UNKNOWN` there.
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
"""No turn has more actions: eight cards, and an attack by everything that was there or came."""
CREATURE, GREEN, RED, BLUE = (int(kind) for kind in CardKind)
NO_CARD = len(CardKind)
"""The kind of a number that the card table doesn't have."""
BREAKTHROUGH, CHARGE, DRAIN, GUARD, LETHAL, WARD = (1 << ability for ability in Ability)

_ID, _LANE, _CARD, _ABILITIES, _CAN, _ATTACKED, _ATTACK, _DEFENSE = 127, 7, 8, 16, 22, 23, 32, 48

State = np.dtype(
    [
        ("units", "i8", (2, BOARD)),  # in the order of summoning, packed as above
        ("deck", "u1", (2, DECK)),  # card numbers in draw order
        ("deck_id", "u1", (2, DECK)),  # instance ids
        ("hand", "u1", (2, HAND)),  # places in the deck
        ("hp", "i2", (2,)),
        ("next_draw", "i2", (2,)),
        ("lost", "i2", (2,)),  # 1.5: health lost since the start of the player's own last turn
        ("turn", "i2"),
        ("rune", "i1", (2,)),  # the highest that is left, 0 if none
        ("max_mana", "i1", (2,)),
        ("mana", "i1", (2,)),
        ("bonus", "i1", (2,)),
        ("drawn", "i1", (2,)),  # cards taken from the deck
        ("hand_n", "i1", (2,)),
        ("units_n", "i1", (2,)),
        ("player", "i1"),
        ("over", "i1"),
        ("winner", "i1"),
        # From here on bookkeeping that no rule reads: it is not part of a state's identity.
        ("touched", "u8", (2,)),  # creatures by instance id whose card effects are no longer displayed
        ("acts", "u2", (2, ACTS)),  # what each player did in the present or last turn
        ("draft", "u1", (DECK, OFFERED)),  # what was offered to both; 0 if unknown
        ("acts_n", "i1", (2,)),
        ("shown_draw", "i2", (2,)),
    ],
    align=True,
)
IDENTITY_WORDS = words_before(State, "touched")

FEATURES = ("damage", "threat", "board", "items", "draws")
"""The five features of the heuristic, in the paper's order."""

Config = np.dtype(
    [
        ("error", "i8"),
        ("lanes", "i8"),
        ("lane_size", "i8"),
        ("modern", "i8"),  # the battle rules of version 1.5: no runes, areas
        ("hides", "i8"),
        ("relative", "i8"),  # the evaluation is a difference of both sides
        ("deal", "i8"),  # where decks come from, see positions
        ("deck_seed", "i8"),
        ("strategies", "i8", (2,)),  # who drafts for each seat
        ("cards", "i8"),  # card numbers below this exist
        *((name, field.dtype, (MAX_CARDS,)) for name, field in CARD_FIELDS.items()),  # by card number
        ("fades", "u1", (MAX_CARDS,)),  # its effects are displayed only until it is touched
        ("value", "f8", (MAX_CARDS,)),  # what the heuristic thinks of a card
        ("weights", "f8", (len(FEATURES),)),
        ("win", "f8"),
    ],
    align=True,
)


def card_fields(cards: Sequence[CardType], values: Sequence[float], modern: bool) -> dict[str, Any]:
    """A card table as arrays; `values` are in the order of the cards."""
    fields: dict[str, Any] = {"cards": max(card.number for card in cards) + 1}
    for name in CARD_FIELDS:
        column = np.full(MAX_CARDS, NO_CARD if name == "kind" else 0)
        for card in cards:
            column[card.number] = getattr(card, name)
        fields[name] = column
    worth = np.zeros(MAX_CARDS)
    for card, value in zip(cards, values, strict=True):
        worth[card.number] = value
    fields["value"] = worth
    has_effects = (fields["player_hp"] != 0) | (fields["enemy_hp"] != 0) | (fields["card_draw"] != 0)
    fields["fades"] = has_effects & (not modern)
    return fields


# -- creatures ---------------------------------------------------------------------------------------------------


@inline_helper
def creature(identity: Any, card: Any, lane: Any, abilities: Any, attack: Any, defense: Any) -> Any:
    """A creature as it comes into play; with Charge it can attack at once."""
    can = int(abilities & CHARGE != 0)
    low = identity | lane << _LANE | card << _CARD | abilities << _ABILITIES | can << _CAN
    return low | attack << _ATTACK | defense << _DEFENSE


@inline_helper
def id_of(unit: Any) -> Any:
    """The instance id."""
    return unit & _ID


@inline_helper
def lane_of(unit: Any) -> Any:
    """0 left, 1 right."""
    return unit >> _LANE & 1


@inline_helper
def card_of(unit: Any) -> Any:
    """The card number."""
    return unit >> _CARD & 255


@inline_helper
def abilities_of(unit: Any) -> Any:
    """A mask."""
    return unit >> _ABILITIES & 63


@inline_helper
def can_attack(unit: Any) -> Any:
    """1 or 0."""
    return unit >> _CAN & 1


@inline_helper
def has_attacked(unit: Any) -> Any:
    """1 or 0."""
    return unit >> _ATTACKED & 1


@inline_helper
def attack_of(unit: Any) -> Any:
    """Never below 0."""
    return unit >> _ATTACK & 0x7FFF


@inline_helper
def defense_of(unit: Any) -> Any:
    """Above 0 for whatever is on the board."""
    return unit >> _DEFENSE


@inline_helper
def with_values(unit: Any, abilities: Any, attack: Any, defense: Any) -> Any:
    """The creature with other abilities, attack and defense."""
    kept = unit & 0xFFFFFFFF & ~(63 << _ABILITIES)
    return kept | abilities << _ABILITIES | attack << _ATTACK | defense << _DEFENSE


@inline_helper
def with_readiness(unit: Any, can: Any, attacked: Any) -> Any:
    """The creature with its two flags set."""
    return unit & ~(3 << _CAN) | can << _CAN | attacked << _ATTACKED
