"""The draft for a person: three cards to choose from, thirty times, and the deck that grows below."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tactician.contract.game import Game
from tactician.drawing.markup import styled
from tactician.drawing.svg import WHITE, document, group, label, rect
from tactician.games.locm.card_svg import CARD_WIDTH, draw_card
from tactician.games.locm.cards import DECK_SIZE, KIND_NAMES, CardType, ability_text
from tactician.games.locm.drafts import picks_option
from tactician.games.locm.drawing_scene import CardView
from tactician.games.locm.icons import ICONS
from tactician.games.locm.positions import BY_PAPER, cards_of

_WIDTH, _HEIGHT, _MARGIN = 720, 560, 28
_SCALE = 1.5
_TABLE, _MUTED = "#33413f", "#c8d2ce"
_CURVE_TOP, _CURVE_HEIGHT, _MOST_COST = 340, 150, 12
_BUBBLE = '<linearGradient id="locm-bubble"/>'


class LocmDraft:
    """The picks of one seat. Constructed decks and the paper's decks leave nothing to pick."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        drafted = int(game.config.deal) != BY_PAPER and not int(game.config.modern)
        by_number = {card.number: card for card in cards_of(game.config)}
        offers = game.initial_state(seed=seed).record.draft.tolist() if drafted else []
        self._offers: list[list[CardType]] = [[by_number[number] for number in offer] for offer in offers]
        self._seat = seat
        self._picked: list[CardType] = []

    @property
    def done(self) -> bool:
        """Whether all cards are picked."""
        return len(self._picked) == len(self._offers)

    def choices(self) -> list[tuple[str, list[str]]]:
        """The cards on offer."""
        return [(f"pick {card.name}", [f"card:{place}"]) for place, card in enumerate(self._offer())]

    def choose(self, number: int) -> None:
        """Pick a card of the offer."""
        self._picked.append(self._offer()[number])

    def options(self) -> dict[str, Any]:
        """The picks."""
        return dict(picks_option(self._seat, [card.number for card in self._picked])) if self._picked else {}

    def text(self) -> str:
        """The offer, a line a card."""
        lines = [styled(f"Pick {len(self._picked) + 1} of {DECK_SIZE}", "bold")]
        for card in self._offer():
            figures = f"cost {card.cost}, {card.attack}/{card.defense}, {ability_text(card.abilities)}"
            lines.append(f"  {card.name}: {KIND_NAMES[card.kind]}, {figures}")
        return "\n".join(lines)

    def svg(self) -> str:
        """The offer, and the costs of the cards picked so far."""
        number = min(len(self._picked) + 1, DECK_SIZE)
        parts = [
            rect(0, 0, _WIDTH, _HEIGHT, _TABLE, rx=14),
            label(_WIDTH / 2, 44, 24, f"Draft: pick {number} of {DECK_SIZE}", WHITE, anchor="middle", bold=True),
        ]
        step = (_WIDTH - 2 * _MARGIN) / 3
        for place, card in enumerate(self._offer()):
            x = _MARGIN + step * (place + 0.5) - _SCALE * CARD_WIDTH / 2
            drawn = draw_card(CardView.of(card), 0, 0)
            body = group("scaled", 0, 0, [drawn]).replace("translate(0 0)", f"scale({_SCALE})", 1)
            parts.append(group("offer", x, 76, [body], data_part=f"card:{place}"))
        parts += self._curve()
        return document("Draft", _WIDTH, _HEIGHT, parts, definitions=f"{ICONS.symbols()}\n{_BUBBLE}")

    def _offer(self) -> list[CardType]:
        return [] if self.done else self._offers[len(self._picked)]

    def _curve(self) -> list[str]:
        """Draw how many cards of each cost are picked, and how many creatures."""
        counts = Counter(min(card.cost, _MOST_COST) for card in self._picked)
        creatures = sum(card.is_creature for card in self._picked)
        caption = f"{len(self._picked)} cards: {creatures} creatures, {len(self._picked) - creatures} items"
        parts = [label(_MARGIN, _CURVE_TOP, 15, caption, WHITE, bold=True)]
        width, base = (_WIDTH - 2 * _MARGIN) / (_MOST_COST + 1), _CURVE_TOP + _CURVE_HEIGHT + 18
        for cost in range(_MOST_COST + 1):
            x, height = _MARGIN + cost * width, min(_CURVE_HEIGHT, 14.0 * counts[cost])
            parts.append(rect(round(x + 4, 1), base - height, round(width - 8, 1), height, "#7db9de", rx=3))
            if counts[cost]:
                parts.append(label(x + width / 2, base - height - 5, 13, counts[cost], WHITE, anchor="middle"))
            name = f"{cost}+" if cost == _MOST_COST else cost
            parts.append(label(x + width / 2, base + 19, 13, name, _MUTED, anchor="middle"))
        parts.append(label(_WIDTH / 2, base + 40, 13, "cards by cost", _MUTED, anchor="middle"))
        return parts
