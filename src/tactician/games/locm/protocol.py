"""The bots' text protocol: parse and write input blocks and answers, without the rules.

A referee writes blocks and parses answers; a bot parses blocks and writes answers. Here an answer is only well-formed
or a ``Fault``, which loses the game; whether its actions are legal is decided by the rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tactician.errors import TacticianError, UnknownNameError, short
from tactician.games.locm.cards import (
    ABILITY_LETTERS,
    ABSENT,
    CARD_FIELDS,
    DECK_SIZE,
    MOST_COPIES,
    CardNumbers,
    CardType,
    ability_mask,
)


class ProtocolError(TacticianError):
    """Received text that violates the protocol."""


class Shape(NamedTuple):
    """The differences between the versions of the protocol."""

    rune: bool
    """Whether player lines have the next rune."""
    area: bool
    """Whether card lines have an area."""
    lane: bool
    """Whether card lines and summons have a lane."""


SHAPES = {
    "1.0": Shape(rune=True, area=False, lane=False),
    "1.2": Shape(rune=True, area=False, lane=True),
    "1.5": Shape(rune=False, area=True, lane=True),
}
"""One lane; two lanes; constructed decks."""

HAND, OWN_BOARD, ENEMY_BOARD = 0, 1, -1
"""The location of the card of a card line."""
FACE = -1
"""The target that means the opponent."""
NO_LANE = -1


class PlayerLine(NamedTuple):
    """The line of an input block about a player."""

    hp: int
    max_mana: int
    deck: int
    rune: int | None
    """The next rune; 0 if none is left, None in version 1.5."""
    draw: int


@dataclass(frozen=True, kw_only=True)
class CardLine(CardNumbers):
    """A card in hand or on the board, or one that is offered."""

    number: int
    instance: int
    """-1 for an offered card."""
    location: int
    lane: int = NO_LANE


class Action(NamedTuple):
    """A battle action as written; ``target`` is the lane of a summon."""

    verb: str
    id: int
    target: int = FACE

    def text(self, version: str = "1.2") -> str:
        """Return the action as the protocol writes it."""
        if self.verb == SUMMON and not shape_of(version).lane:
            return f"{SUMMON} {self.id}"
        return f"{self.verb} {self.id} {self.target}"


class SeenAction(NamedTuple):
    """An action that the opponent executed in its last turn."""

    number: int
    """The card number of the creature or item that acted."""
    action: Action


class Fault(NamedTuple):
    """Why an answer loses the game, in one sentence."""

    reason: str


@dataclass
class InputBlock:
    """The input of a bot before a decision."""

    me: PlayerLine
    opponent: PlayerLine
    opponent_hand: int = 0
    opponent_actions: list[SeenAction] = field(default_factory=list)
    cards: list[CardLine] = field(default_factory=list)


SUMMON, ATTACK, USE, PASS = "SUMMON", "ATTACK", "USE", "PASS"
PICK, CHOOSE = "PICK", "CHOOSE"
VERBS = (SUMMON, ATTACK, USE)


def shape_of(version: str) -> Shape:
    """Return the shape of a version's protocol."""
    if version not in SHAPES:
        raise UnknownNameError("protocol version", version, SHAPES)
    return SHAPES[version]


def is_draft(block: InputBlock) -> bool:
    """Return whether the bot is to pick cards (or choose a deck): only then its mana is 0."""
    return block.me.max_mana == 0


def seat_of(block: InputBlock) -> int | None:
    """Return whether the bot is the first player (0) or the second (1), or None if the block doesn't tell.

    In the draft of version 1.2 the second player sees the first player one pick ahead; in a battle the ids of the own
    cards tell. Deck construction and a battle without own cards tell nothing.
    """
    if is_draft(block):
        ahead = block.opponent.deck > block.me.deck
        return None if block.me.rune is None else int(ahead)
    for card in block.cards:
        if card.location in (HAND, OWN_BOARD):
            if block.me.rune is None:
                return 0 if card.instance < 2 * DECK_SIZE else 1
            return (card.instance + 1) % 2
    return None


# ------------------------------------------------------------------------------------------------ input blocks

MOST_CARDS = 120
"""The most cards of a block: all cards of version 1.5; battles have far fewer."""
MOST_ACTIONS = 100
_INTEGER = re.compile(r"[+-]?[0-9]{1,10}")
_LEAST_INTEGER, _LARGEST_INTEGER = -(2**31), 2**31 - 1


def parse_block(lines: Iterable[str], version: str = "1.2") -> InputBlock | None:
    """Return the next block, or None at the end of the input; raise `ProtocolError` for a malformed or cut block.

    Exactly the lines of one block are taken from an iterator, so that a bot can answer before it reads more. Blank
    lines before a block are skipped.
    """
    reader = _BlockReader(iter(lines), shape_of(version))
    return reader.block()


def format_block(block: InputBlock, version: str = "1.2") -> list[str]:
    """Return the lines of a block as the referee writes them, without line breaks; card lines end in a space."""
    shape = shape_of(version)
    return [
        _player_text(block.me, shape),
        _player_text(block.opponent, shape),
        f"{block.opponent_hand} {len(block.opponent_actions)}",
        *(f"{seen.number} {seen.action.text(version)}" for seen in block.opponent_actions),
        str(len(block.cards)),
        *(_card_text(card, shape) for card in block.cards),
    ]


def offered_line(card: CardType) -> CardLine:
    """Return the line of a card that is offered in a draft."""
    return CardLine(number=card.number, instance=-1, location=HAND, lane=NO_LANE, **card.numbers())


def _player_text(player: PlayerLine, shape: Shape) -> str:
    rune = f" {player.rune or 0}" if shape.rune else ""
    return f"{player.hp} {player.max_mana} {player.deck}{rune} {player.draw}"


def _card_text(card: CardLine, shape: Shape) -> str:
    words = [card.number, card.instance, card.location, *card.row()]
    if not shape.area:
        words.pop()  # the area is the last of a card's numbers
    if shape.lane:
        words.append(card.lane)
    return "".join(f"{word} " for word in words)


def _card_words(shape: Shape) -> dict[str, str]:
    """Return the protocol's name for each field of a card line, in their order."""
    words = {"number": "cardNumber", "instance": "instanceId", "location": "location"}
    words |= {name: field.word for name, field in CARD_FIELDS.items() if name != "area" or shape.area}
    return words | ({"lane": "lane"} if shape.lane else {})


class _BlockReader:
    """Parses the lines of one block; errors name the line and what was expected."""

    def __init__(self, lines: Iterator[str], shape: Shape) -> None:
        self._lines = lines
        self._shape = shape
        self._line = ""
        self._number = 0

    def block(self) -> InputBlock | None:
        first = next((line for line in self._lines if line.strip()), None)
        if first is None:
            return None
        self._take(first)
        me = self._player()
        self._next("the opponent's line")
        opponent = self._player()
        self._next("the opponent's hand size and number of actions")
        hand, actions = self._integers(self._words("opponentHand opponentActions"))
        self._check_count(hand, MOST_CARDS, "cards in the opponent's hand")
        self._check_count(actions, MOST_ACTIONS, "actions of the opponent")
        seen = []
        for number in range(1, actions + 1):
            self._next(f"action {number} of {actions} of the opponent")
            seen.append(self._seen_action())
        self._next("the number of cards")
        (count,) = self._integers(self._words("cardCount"))
        self._check_count(count, MOST_CARDS, "cards")
        cards = []
        for number in range(1, count + 1):
            self._next(f"card {number} of {count}")
            cards.append(self._card())
        return InputBlock(me, opponent, hand, seen, cards)

    def _take(self, line: str) -> None:
        self._line = line.rstrip("\r\n")
        self._number += 1

    def _next(self, what: str) -> None:
        line = next(self._lines, None)
        if line is None:
            raise ProtocolError(f"the input ends after line {self._number} of a block; expected {what}.")
        self._take(line)

    def _player(self) -> PlayerLine:
        rune = "nextRune " if self._shape.rune else ""
        values = self._integers(self._words(f"hp maxMana deckSize {rune}draw"))
        hp, max_mana, deck, *runes, draw = values
        return PlayerLine(hp, max_mana, deck, runes[0] if runes else None, draw)

    def _seen_action(self) -> SeenAction:
        words = self._line.split()
        laneless = not self._shape.lane and words[1:2] == [SUMMON]
        if len(words) != (3 if laneless else 4) or words[1] not in VERBS:
            raise self._error(f"cardNumber, one of {', '.join(VERBS)}, id and argument")
        number, *arguments = self._integers([words[0], *words[2:]])
        return SeenAction(number, Action(words[1], *arguments) if not laneless else Action(SUMMON, arguments[0], 0))

    def _card(self) -> CardLine:
        names = _card_words(self._shape)
        words = dict(zip(names, self._words(" ".join(names.values())), strict=True))
        abilities = words.pop("abilities")
        if len(abilities) != len(ABILITY_LETTERS) or any(
            letter not in (ABSENT, own) for letter, own in zip(abilities, ABILITY_LETTERS, strict=True)
        ):
            raise self._error(f"abilities such as {ABILITY_LETTERS} or {ABSENT * len(ABILITY_LETTERS)}")
        values = dict(zip(words, self._integers(list(words.values())), strict=True))
        values.setdefault("lane", NO_LANE if values["location"] == HAND else 0)
        card = CardLine(abilities=ability_mask(abilities), **values)
        known_location = card.location in (HAND, OWN_BOARD, ENEMY_BOARD)
        if not known_location or not 0 <= card.kind <= 3 or not 0 <= card.area <= 2:
            raise self._error("a location of -1 to 1, a type of 0 to 3 and an area of 0 to 2")
        if card.lane not in (NO_LANE, 0, 1):
            raise self._error("a lane of -1 to 1")
        return card

    def _words(self, names: str) -> list[str]:
        words = self._line.split()
        if len(words) != len(names.split()):
            raise self._error(f"{len(names.split())} fields: {names}")
        return words

    def _integers(self, words: Sequence[str]) -> list[int]:
        values = []
        for word in words:
            value = _integer(word)
            if value is None:
                raise self._error(f"a whole number instead of {short(word, 20)}")
            values.append(value)
        return values

    def _check_count(self, count: int, most: int, what: str) -> None:
        if not 0 <= count <= most:
            raise self._error(f"0 to {most} {what}")

    def _error(self, expected: str) -> ProtocolError:
        return ProtocolError(f"line {self._number} of a block is {short(self._line)}; expected {expected}.")


def _integer(word: str) -> int | None:
    """Return the 32-bit integer that a word stands for, or None."""
    if not _INTEGER.fullmatch(word):
        return None
    value = int(word)
    return value if _LEAST_INTEGER <= value <= _LARGEST_INTEGER else None


# ----------------------------------------------------------------------------------------------------- answers

_SPACES = "".join(map(chr, range(33)))
"""The characters that the referee trims: all up to the space."""


def draft_answer(text: str, offered: Sequence[int]) -> int | Fault:
    """Return the index of the offered card that an answer takes: ``PICK k``, ``CHOOSE number`` or ``PASS`` (the first).

    Free text may follow after a space. The line is not trimmed: a superfluous space is a fault.
    """
    words = text.split(" ")
    if words[0] == PASS:
        return 0
    value = _integer(words[1]) if len(words) > 1 else None
    if words[0] == PICK and value is not None and 0 <= value < len(offered):
        return value
    if words[0] == CHOOSE and value is not None and value in offered:
        return list(offered).index(value)
    ids = ", ".join(map(str, offered))
    return Fault(
        f"the draft answer is {short(text)}; expected {PASS}, {PICK} 0 to {len(offered) - 1} or {CHOOSE} one of {ids}."
    )


def battle_answer(text: str, version: str = "1.2") -> list[Action] | Fault:
    """Return the actions of an answer in their order, legal or not, without passes."""
    lanes = shape_of(version).lane
    actions = []
    for piece in text.split(";"):
        words = piece.strip(_SPACES).split(" ")
        if words[0] in ("", PASS):
            continue
        if words[0] not in VERBS:
            return Fault(f"the action is {short(piece)}; expected {', '.join(VERBS)} or {PASS}.")
        count = 1 if words[0] == SUMMON and not lanes else 2
        arguments = [value for word in words[1 : 1 + count] if (value := _integer(word)) is not None]
        if len(arguments) < count:
            expected = "id" if count == 1 else ("id and lane" if words[0] == SUMMON else "id and target")
            return Fault(f"the action is {short(piece)}; expected {words[0]} {expected} as whole numbers.")
        actions.append(Action(words[0], *arguments) if count == 2 else Action(SUMMON, arguments[0], 0))
    return actions


def constructed_answer(text: str, offered: Sequence[int]) -> list[int] | Fault:
    """Return the 30 card numbers of an answer of version 1.5: ``CHOOSE number`` 30 times, at most two copies of a card.

    ``PASS`` fills up with the lowest numbers that are still allowed.
    """
    chosen: list[int] = []
    copies: Counter[int] = Counter()
    for piece in text.split(";"):
        words = piece.strip(_SPACES).split(" ")
        if words == [""]:
            continue
        if words[0] == PASS:
            spare = [n for n in sorted(offered) for _ in range(MOST_COPIES - copies[n])]
            wanted = spare[: max(0, DECK_SIZE - len(chosen))]
        else:
            value = _integer(words[1]) if words[0] == CHOOSE and len(words) > 1 else None
            if value is None or value not in offered:
                return Fault(f"the choice is {short(piece)}; expected {CHOOSE} with an offered card number, or {PASS}.")
            wanted = [value]
        for number in wanted:
            copies[number] += 1
            if copies[number] > MOST_COPIES:
                return Fault(f"card {number} is chosen {copies[number]} times; expected at most {MOST_COPIES}.")
        chosen += wanted
    if len(chosen) != DECK_SIZE:
        return Fault(f"{len(chosen)} cards are chosen; expected {DECK_SIZE}.")
    return chosen


def format_answer(actions: Iterable[Action], version: str = "1.2") -> str:
    """Return the line that asks for these actions; ``PASS`` if there are none."""
    return ";".join(action.text(version) for action in actions) or PASS
