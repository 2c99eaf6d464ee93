"""What both drawings of Legends of Code and Magic show: a position in plain values, without records or rules."""

from __future__ import annotations

from dataclasses import dataclass

from tactician.games.locm.cards import CardNumbers, CardType

LANE_NAMES = ("left lane", "right lane")


@dataclass(frozen=True, kw_only=True)
class CardView(CardNumbers):
    """A card in a hand, or a creature on the board with its current numbers."""

    name: str
    number: int
    """The card number, which decides the portrait."""
    instance: int | None = None
    """The id that actions refer to, if it is to be shown."""
    can_attack: bool = False

    @classmethod
    def of(cls, card: CardType, instance: int | None = None) -> CardView:
        """Return a card as printed."""
        return cls(name=card.name, number=card.number, instance=instance, can_attack=False, **card.numbers())

    @property
    def stats(self) -> tuple[str, str]:
        """Attack and defense as printed: signed on items, which change those of creatures."""
        if self.is_creature:
            return str(self.attack), str(self.defense)
        return _signed(self.attack), _signed(self.defense)


def _signed(value: int) -> str:
    return f"{value:+d}" if value else "0"


@dataclass(frozen=True)
class PlayerView:
    """A player's figures, hand and creatures."""

    name: str
    hp: int
    rune: int | None
    """The next rune, 0 when all are gone; None where the rules have no runes."""
    mana: int
    max_mana: int
    deck: int
    """Cards left to draw."""
    next_draw: int
    """Cards drawn at the start of the next turn."""
    hand: tuple[CardView, ...] | None
    """The cards in hand; None when they are hidden."""
    hand_size: int
    lanes: tuple[tuple[CardView, ...], ...]
    """The creatures of each lane, in the order they were summoned."""

    @property
    def cards_in_hand(self) -> int:
        """The size of the hand, known or not."""
        return self.hand_size if self.hand is None else len(self.hand)


@dataclass(frozen=True)
class LocmScene:
    """A position; the player on seat ``bottom`` is drawn below, the other above."""

    players: tuple[PlayerView, PlayerView]
    turn: int
    """The turn, counted from 1 over both players."""
    to_move: int | None
    """The seat to move; None when the game is over."""
    winner: int | None = None
    bottom: int = 0

    @property
    def top(self) -> int:
        """The seat drawn above."""
        return 1 - self.bottom

    @property
    def lanes(self) -> int:
        """The number of lanes."""
        return max(len(player.lanes) for player in self.players)

    @property
    def status(self) -> str:
        """Who is to move, or how the game ended."""
        if self.to_move is not None:
            return f"{shorten(self.players[self.to_move].name, _STATUS_NAME)} to move"
        return "Game over" if self.winner is None else f"{shorten(self.players[self.winner].name, _STATUS_NAME)} wins"

    def lane_name(self, lane: int) -> str:
        """Return what a lane is called."""
        return f"{LANE_NAMES[lane]} ({lane})" if 1 < self.lanes <= len(LANE_NAMES) else f"lane {lane}"


def shorten(text: str, width: int) -> str:
    """Return the text cut to at most `width` characters."""
    return text if len(text) <= width else text[: width - 1] + "…"


_STATUS_NAME = 17
_AREA_WORDS = {False: ("", "lane", "all"), True: ("", "×2", "both")}
"""By whether the card is a creature: an item affects all creatures of a lane or of a player; a creature is summoned
twice in its lane, or once in each lane."""


def effects(card: CardView) -> list[tuple[str, str]]:
    """Return icon name and text for each effect of a card besides attack, defense and abilities."""
    found = []
    if card.player_hp:
        found.append(("heart", f"{card.player_hp:+d}"))
    if card.enemy_hp:
        found.append(("wound", f"{card.enemy_hp:+d}"))
    if card.card_draw:
        found.append(("draw", f"{card.card_draw:+d}"))
    if card.area:
        found.append(("area", _AREA_WORDS[card.is_creature][card.area]))
    return found
