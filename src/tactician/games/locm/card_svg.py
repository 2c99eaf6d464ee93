"""Draw one card of Legends of Code and Magic as SVG."""

from __future__ import annotations

from tactician.drawing.svg import WHITE, Attribute, element, escape, group, label, path, rect
from tactician.games.locm.cards import ABILITY_NAMES, KIND_NAMES, Ability, CardKind, ability_text
from tactician.games.locm.drawing_scene import CardView, effects, shorten
from tactician.games.locm.icons import ICONS
from tactician.games.locm.portraits import portrait

CARD_WIDTH, CARD_HEIGHT = 98, 138
INK, MUTED = "#1c2430", "#6b6048"


def draw_card(card: CardView, x: float, y: float, on_board: bool = False) -> str:
    """Draw a card with cost, portrait, abilities, effects and figures; a creature that can attack glows."""
    kind = KIND_NAMES[card.kind]
    guard, ward = (on_board and card.abilities >> ability & 1 for ability in (Ability.GUARD, Ability.WARD))
    parts = [element("title", escape(_description(card)))]
    if on_board and card.can_attack:
        parts.append(_glow(bool(guard)))
    if guard:
        parts.append(path(_GUARD_PLATE, fill="#aebccb", stroke=INK, stroke_width=1.6, class_="plate"))
    parts += [
        _frame(0, _FRAMES[kind], 10, stroke=INK, stroke_width=1.8),
        rect(5, 24, CARD_WIDTH - 10, 50, _WINDOWS[kind], rx=6, stroke=INK, stroke_width=1),
        rect(5, 77, CARD_WIDTH - 10, CARD_HEIGHT - 82, _PARCHMENT, rx=6),
        *_name(card.name),
        _art(card, kind),
        *_abilities(card),
        *_effects(card),
        *_area(card),
        *_figures(card),
    ]
    if ward:
        parts.append(_frame(1.5, "url(#locm-bubble)", 9, stroke="#5db4f7", stroke_width=3, class_="bubble"))
    parts += [ICONS.use("gem", -7, -7, 33), label(9.5, 15.5, 17, card.cost, WHITE, anchor="middle", bold=True)]
    if card.instance is not None:
        parts += [
            rect(CARD_WIDTH - 29, 62, 24, 12, INK, rx=4, fill_opacity=0.55),
            label(CARD_WIDTH - 17, 71, 9, f"#{card.instance}", WHITE, anchor="middle"),
        ]
    part = None if card.instance is None else f"card:{card.instance}"
    return group(f"card {kind}", x, y, parts, data_part=part)


def card_back(x: float, y: float, colour: str) -> str:
    """Draw a card face down."""
    middle, centre = CARD_WIDTH / 2, CARD_HEIGHT / 2
    return group(
        "back",
        x,
        y,
        [
            _frame(0, colour, 10, stroke=INK, stroke_width=1.8),
            rect(7, 7, CARD_WIDTH - 14, CARD_HEIGHT - 14, "none", rx=6, stroke="#fff", stroke_opacity=0.55),
            path(
                "M0 -36 L26 0 L0 36 L-26 0 Z",
                transform=f"translate({middle:g} {centre:g})",
                fill="#fff",
                fill_opacity=0.18,
            ),
            ICONS.use("rune", middle - 17, centre - 17, 34),
        ],
    )


_PARCHMENT = "#fdf8ea"
_FRAMES = {"creature": "#c9a25b", "green": "#4f9e5c", "red": "#c2503f", "blue": "#3d76b8"}
_WINDOWS = {"creature": "#efe3c4", "green": "#d7f0d5", "red": "#fbdcd2", "blue": "#d4e6fa"}
_GLOW = "#ffd54a"
_ON_BAND, _LONG_NAME = 10, 15
_GUARD_PLATE = (
    f"M-7 16 Q-7 -6 14 -6 H{CARD_WIDTH - 14} Q{CARD_WIDTH + 7} -6 {CARD_WIDTH + 7} 16 V{CARD_HEIGHT - 16}"
    f" Q{CARD_WIDTH + 7} {CARD_HEIGHT + 1} {CARD_WIDTH / 2:g} {CARD_HEIGHT + 11}"
    f" Q-7 {CARD_HEIGHT + 1} -7 {CARD_HEIGHT - 16} Z"
)


def _glow(guard: bool) -> str:
    """Draw the glow around the card, or around the plate behind a Guard."""
    if not guard:
        return _frame(-5, _GLOW, 14, class_="glow")
    return path(_GUARD_PLATE, fill=_GLOW, stroke=_GLOW, stroke_width=9, class_="glow")


def _frame(inset: float, fill: str, radius: float, **attributes: Attribute) -> str:
    width, height = CARD_WIDTH - 2 * inset, CARD_HEIGHT - 2 * inset
    return rect(inset, inset, width, height, fill, rx=radius, **attributes)


def _name(name: str) -> list[str]:
    """Write a name on one line, or on two smaller ones."""
    middle = (CARD_WIDTH + 22) / 2 - 1
    if len(name) <= _ON_BAND or (" " not in name and len(name) <= _LONG_NAME):
        size = min(10.5, 105 / max(1, len(name)))
        return [label(middle, 16.5, size, name, WHITE, anchor="middle", bold=True)]
    head, tail = _halves(name)
    return [
        label(middle, 11, 8.2, shorten(head, _LONG_NAME), WHITE, anchor="middle", bold=True),
        label(middle, 20, 8.2, shorten(tail, _LONG_NAME), WHITE, anchor="middle", bold=True),
    ]


def _halves(name: str) -> tuple[str, str]:
    """Split a name into two parts of about the same length, at a space if there is one."""
    cuts = [place for place, letter in enumerate(name) if letter == " "]
    if not cuts:
        return name[:_LONG_NAME], name[_LONG_NAME:]
    cut = min(cuts, key=lambda place: abs(2 * place - len(name)))
    return name[:cut], name[cut + 1 :]


def _art(card: CardView, kind: str) -> str:
    if card.is_creature:
        return element("g", portrait(card.number), transform=f"translate({(CARD_WIDTH - 64) / 2:g} 25)")
    return ICONS.use(kind, (CARD_WIDTH - 42) / 2, 28, 42)


def _abilities(card: CardView) -> list[str]:
    present = [name for bit, name in enumerate(ABILITY_NAMES) if card.abilities >> bit & 1]
    step = min(16, (CARD_WIDTH - 26) / max(1, len(present) - 1))
    left = (CARD_WIDTH - step * (len(present) - 1) - 15) / 2
    parts = [ICONS.use(name, left + place * step, 79, 15) for place, name in enumerate(present)]
    if present and card.kind in (CardKind.RED, CardKind.BLUE):  # these take abilities away
        end = left + step * (len(present) - 1) + 17
        line = f"M{left - 2:g} 86.5 H{end:g}"
        parts.append(path(line, stroke="#c2281d", stroke_width=2.4, stroke_linecap="round", class_="lost"))
    return parts


def _effects(card: CardView) -> list[str]:
    shown = [effect for effect in effects(card) if effect[0] != "area"]
    widths = [14 + 5.6 * len(text) for _, text in shown]
    gap = min(5.0, (CARD_WIDTH - 12 - sum(widths)) / max(1, len(shown)))
    x = (CARD_WIDTH - sum(widths) - gap * (len(shown) - 1)) / 2
    parts = []
    for (name, text), width in zip(shown, widths, strict=True):
        parts += [ICONS.use(name, x, 97, 12), label(x + 13.5, 106.5, 9.5, text, INK, bold=True)]
        x += width + gap
    return parts


def _area(card: CardView) -> list[str]:
    """Draw the card's area in a corner of its picture."""
    texts = [text for name, text in effects(card) if name == "area"]
    width = 19 + 6.2 * sum(map(len, texts))
    return [
        part
        for text in texts
        for part in (
            rect(CARD_WIDTH - 7 - width, 26, width, 15, _PARCHMENT, rx=4, stroke=INK, stroke_width=0.8),
            ICONS.use("area", CARD_WIDTH - 5 - width, 27.5, 12),
            label(CARD_WIDTH + 8.5 - width, 37, 9, text, INK, bold=True),
        )
    ]


def _figures(card: CardView) -> list[str]:
    attack, defense = card.stats
    letters = len(attack) + len(defense)
    size = _FIGURE_SIZES[min(letters, len(_FIGURE_SIZES) - 1)]
    base = CARD_HEIGHT - 18 + size * 0.36
    return [
        ICONS.use("attack", 7, CARD_HEIGHT - 28, 19),
        label(27, base, size, attack, "#9a3412", bold=True),
        label(CARD_WIDTH - 27, base, size, defense, "#1e4f86", anchor="end", bold=True),
        ICONS.use("defense", CARD_WIDTH - 26, CARD_HEIGHT - 28, 19),
    ]


_FIGURE_SIZES = (19, 19, 19, 18, 15, 12.5, 10.5, 9)
"""Font sizes by the number of characters in attack and defense together."""


def _description(card: CardView) -> str:
    attack, defense = card.stats
    figures = f"{attack}/{defense}, {ability_text(card.abilities)}"
    ready = ", can attack" if card.can_attack else ""
    return f"{card.name}: {KIND_NAMES[card.kind]}, cost {card.cost}, {figures}{ready}"
