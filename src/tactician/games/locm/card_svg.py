"""One card as SVG, and the small elements that the picture is made of."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from tactician.games.locm.cards import KIND_NAMES, Ability, Kind, ability_text
from tactician.games.locm.drawing_scene import CardView, effects, shorten
from tactician.games.locm.icons import ABILITY_ICONS, icon_id
from tactician.games.locm.portraits import portrait

CARD_WIDTH, CARD_HEIGHT = 98, 138
INK, MUTED, WHITE = "#1c2430", "#6b6048", "#ffffff"
CENTRED, BOLD = ' text-anchor="middle"', ' font-weight="bold"'


def draw_card(card: CardView, x: float, y: float, on_board: bool = False) -> str:
    """The card with its cost gem, portrait, abilities, effects and figures; a creature that can attack glows."""
    kind = KIND_NAMES[card.kind]
    guard, ward = (on_board and card.abilities >> ability & 1 for ability in (Ability.GUARD, Ability.WARD))
    parts = [f"<title>{escaped(_described(card))}</title>"]
    if on_board and card.can_attack:
        parts.append(_glow(bool(guard)))
    if guard:
        parts.append(f'<path d="{_GUARD_PLATE}" fill="#aebccb" stroke="{INK}" stroke-width="1.6" class="plate"/>')
    parts += [
        _frame(0, _FRAMES[kind], 10, f' stroke="{INK}" stroke-width="1.8"'),
        rect(5, 24, CARD_WIDTH - 10, 50, _WINDOWS[kind], f' rx="6" stroke="{INK}" stroke-width="1"'),
        rect(5, 77, CARD_WIDTH - 10, CARD_HEIGHT - 82, _PARCHMENT, ' rx="6"'),
        *_name(card.name),
        _art(card, kind),
        *_abilities(card),
        *_effects(card),
        *_area(card),
        *_figures(card),
    ]
    if ward:
        parts.append(_frame(1.5, "url(#locm-bubble)", 9, ' stroke="#5db4f7" stroke-width="3" class="bubble"'))
    parts += [icon("gem", -7, -7, 33), label(9.5, 15.5, 17, card.cost, WHITE, CENTRED + BOLD)]
    if card.instance is not None:
        parts += [
            rect(CARD_WIDTH - 29, 62, 24, 12, INK, ' rx="4" fill-opacity="0.55"'),
            label(CARD_WIDTH - 17, 71, 9, f"#{card.instance}", WHITE, CENTRED),
        ]
    return group(f"card {kind}", x, y, parts)


def card_back(x: float, y: float, colour: str) -> str:
    """A card whose face is hidden."""
    middle, centre = CARD_WIDTH / 2, CARD_HEIGHT / 2
    edge = f' stroke="{INK}" stroke-width="1.8"'
    return group(
        "back",
        x,
        y,
        [
            _frame(0, colour, 10, edge),
            rect(7, 7, CARD_WIDTH - 14, CARD_HEIGHT - 14, "none", ' rx="6" stroke="#fff" stroke-opacity="0.55"'),
            f'<path d="M0 -36 L26 0 L0 36 L-26 0 Z" transform="translate({middle:g} {centre:g})"'
            ' fill="#fff" fill-opacity="0.18"/>',
            icon("rune", middle - 17, centre - 17, 34),
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
    """Around the card, or around the plate behind a Guard."""
    if not guard:
        return _frame(-5, _GLOW, 14, ' class="glow"')
    return f'<path d="{_GUARD_PLATE}" fill="{_GLOW}" stroke="{_GLOW}" stroke-width="9" class="glow"/>'


def _frame(out: float, fill: str, radius: float, more: str) -> str:
    return rect(out, out, CARD_WIDTH - 2 * out, CARD_HEIGHT - 2 * out, fill, f' rx="{radius:g}"{more}')


def _name(name: str) -> list[str]:
    """On one line, or on two smaller ones."""
    middle = (CARD_WIDTH + 22) / 2 - 1
    if len(name) <= _ON_BAND or (" " not in name and len(name) <= _LONG_NAME):
        size = min(10.5, 105 / max(1, len(name)))
        return [label(middle, 16.5, size, name, WHITE, CENTRED + BOLD)]
    head, tail = _halves(name)
    return [
        label(middle, 11, 8.2, shorten(head, _LONG_NAME), WHITE, CENTRED + BOLD),
        label(middle, 20, 8.2, shorten(tail, _LONG_NAME), WHITE, CENTRED + BOLD),
    ]


def _halves(name: str) -> tuple[str, str]:
    """The name in two parts of about the same length, cut at a blank where there is one."""
    cuts = [place for place, letter in enumerate(name) if letter == " "]
    if not cuts:
        return name[:_LONG_NAME], name[_LONG_NAME:]
    cut = min(cuts, key=lambda place: abs(2 * place - len(name)))
    return name[:cut], name[cut + 1 :]


def _art(card: CardView, kind: str) -> str:
    if card.is_creature:
        return f'<g transform="translate({(CARD_WIDTH - 64) / 2:g} 25)">{portrait(card.number)}</g>'
    return icon(kind, (CARD_WIDTH - 42) / 2, 28, 42)


def _abilities(card: CardView) -> list[str]:
    present = [name for bit, name in enumerate(ABILITY_ICONS) if card.abilities >> bit & 1]
    step = min(16, (CARD_WIDTH - 26) / max(1, len(present) - 1))
    left = (CARD_WIDTH - step * (len(present) - 1) - 15) / 2
    parts = [icon(name, left + place * step, 79, 15) for place, name in enumerate(present)]
    if present and card.kind in (Kind.RED, Kind.BLUE):  # these take abilities away
        end = left + step * (len(present) - 1) + 17
        parts.append(
            f'<path d="M{left - 2:g} 86.5 H{end:g}" stroke="#c2281d" stroke-width="2.4" stroke-linecap="round"'
            ' class="lost"/>'
        )
    return parts


def _effects(card: CardView) -> list[str]:
    shown = [effect for effect in effects(card) if effect[0] != "area"]
    widths = [14 + 5.6 * len(text) for _, text in shown]
    gap = min(5.0, (CARD_WIDTH - 12 - sum(widths)) / max(1, len(shown)))
    x = (CARD_WIDTH - sum(widths) - gap * (len(shown) - 1)) / 2
    parts = []
    for (name, text), width in zip(shown, widths, strict=True):
        parts += [icon(name, x, 97, 12), label(x + 13.5, 106.5, 9.5, text, INK, BOLD)]
        x += width + gap
    return parts


def _area(card: CardView) -> list[str]:
    """How far the card reaches, in a corner of its picture."""
    texts = [text for name, text in effects(card) if name == "area"]
    width = 19 + 6.2 * sum(map(len, texts))
    return [
        part
        for text in texts
        for part in (
            rect(CARD_WIDTH - 7 - width, 26, width, 15, _PARCHMENT, f' rx="4" stroke="{INK}" stroke-width="0.8"'),
            icon("area", CARD_WIDTH - 5 - width, 27.5, 12),
            label(CARD_WIDTH + 8.5 - width, 37, 9, text, INK, BOLD),
        )
    ]


def _figures(card: CardView) -> list[str]:
    attack, defense = card.numbers
    letters = len(attack) + len(defense)
    size = _FIGURE_SIZES[min(letters, len(_FIGURE_SIZES) - 1)]
    base = CARD_HEIGHT - 18 + size * 0.36
    return [
        icon("attack", 7, CARD_HEIGHT - 28, 19),
        label(27, base, size, attack, "#9a3412", BOLD),
        label(CARD_WIDTH - 27, base, size, defense, "#1e4f86", ' text-anchor="end"' + BOLD),
        icon("defense", CARD_WIDTH - 26, CARD_HEIGHT - 28, 19),
    ]


_FIGURE_SIZES = (19, 19, 19, 18, 15, 12.5, 10.5, 9)
"""By the letters of attack and defense together."""


def _described(card: CardView) -> str:
    attack, defense = card.numbers
    figures = f"{attack}/{defense}, {ability_text(card.abilities)}"
    ready = ", can attack" if card.can_attack else ""
    return f"{card.name}: {KIND_NAMES[card.kind]}, cost {card.cost}, {figures}{ready}"


# ---------------------------------------------------------------------------------------------- small elements


def escaped(text: object) -> str:
    """Text that can stand between tags."""
    printable = "".join(letter if letter.isprintable() else "?" for letter in str(text))
    return escape(printable)


def group(name: str, x: float, y: float, parts: Iterable[str]) -> str:
    """Elements that move together."""
    inner = "\n".join(parts)
    return f'<g class="{name}" transform="translate({x:g} {y:g})">\n{inner}\n</g>'


def icon(name: str, x: float, y: float, size: float, more: str = "") -> str:
    """A symbol of ``icons``."""
    return f'<use href="#{icon_id(name)}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"{more}/>'


def rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    """A rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{more}/>'


def label(x: float, y: float, size: float, text: object, fill: str = INK, more: str = "") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{more}>{escaped(text)}</text>'
