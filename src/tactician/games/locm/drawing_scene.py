"""What both drawings show: a position of the card game in plain values, without records or rules."""

from __future__ import annotations

from dataclasses import dataclass

from tactician.games.locm.cards import CardType, Kind

LANE_NAMES = ("left lane", "right lane")


@dataclass(frozen=True)
class CardView:
    """A card in a hand, or a creature on the board with its current numbers."""

    name: str
    kind: int
    cost: int
    attack: int
    defense: int
    abilities: int
    """A mask, as in the card table."""
    player_hp: int = 0
    enemy_hp: int = 0
    card_draw: int = 0
    area: int = 0
    number: int = 0
    """The card number; portraits differ by it."""
    instance: int | None = None
    """The id that actions name, if it is to be shown."""
    can_attack: bool = False

    @classmethod
    def of(cls, card: CardType, instance: int | None = None) -> CardView:
        """A card as printed."""
        return cls(
            name=card.name,
            kind=int(card.kind),
            cost=card.cost,
            attack=card.attack,
            defense=card.defense,
            abilities=card.abilities,
            player_hp=card.player_hp,
            enemy_hp=card.enemy_hp,
            card_draw=card.card_draw,
            area=card.area,
            number=card.number,
            instance=instance,
        )

    @property
    def is_creature(self) -> bool:
        """Whether it has attack and defense of its own; an item changes those of others."""
        return self.kind == Kind.CREATURE

    @property
    def numbers(self) -> tuple[str, str]:
        """Attack and defense as printed: signed on items."""
        if self.is_creature:
            return str(self.attack), str(self.defense)
        return _signed(self.attack), _signed(self.defense)


def _signed(value: int) -> str:
    return f"{value:+d}" if value else "0"


@dataclass(frozen=True)
class PlayerView:
    """What is shown of a player."""

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
    """The creatures of each lane, in the order of summoning."""

    @property
    def cards_in_hand(self) -> int:
        """Known or not."""
        return self.hand_size if self.hand is None else len(self.hand)


@dataclass(frozen=True)
class LocmScene:
    """A position; the player of ``bottom`` is drawn below, the other above."""

    players: tuple[PlayerView, PlayerView]
    turn: int
    """Turns of both players, counted from 1."""
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
        """Lanes of the board."""
        return max(len(player.lanes) for player in self.players)

    @property
    def status(self) -> str:
        """Who is to move, or how the game ended."""
        if self.to_move is not None:
            return f"{shorten(self.players[self.to_move].name, _STATUS_NAME)} to move"
        return "Game over" if self.winner is None else f"{shorten(self.players[self.winner].name, _STATUS_NAME)} wins"

    def lane_name(self, lane: int) -> str:
        """How a lane is called."""
        return f"{LANE_NAMES[lane]} ({lane})" if 1 < self.lanes <= len(LANE_NAMES) else f"lane {lane}"


def shorten(text: str, width: int) -> str:
    """Text of at most that many letters."""
    return text if len(text) <= width else text[: width - 1] + "…"


_STATUS_NAME = 17
_AREA_WORDS = {False: ("", "lane", "all"), True: ("", "×2", "both")}
"""Items reach all creatures of a lane or of a player; a creature comes twice in its lane, or once in each."""


def effects(card: CardView) -> list[tuple[str, str]]:
    """What a card does besides its numbers: (icon name, text) of each effect."""
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
