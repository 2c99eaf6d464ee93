"""The picture of the card game: a stand-alone SVG document, assembled from icons and portraits of the sibling modules.

To the left both players' figures with whose turn it is and a key between them; to the right the opponent's hand, the
lanes and one's own hand, top to bottom.
"""

from __future__ import annotations

from tactician.games.locm.card_svg import (
    BOLD,
    CARD_HEIGHT,
    CARD_WIDTH,
    CENTRED,
    INK,
    MUTED,
    WHITE,
    card_back,
    draw_card,
    escaped,
    group,
    icon,
    label,
    rect,
)
from tactician.games.locm.cards import ABILITY_LETTERS
from tactician.games.locm.drawing_scene import CardView, PlayerView, Scene, shorten
from tactician.games.locm.icons import ABILITY_ICONS, symbols


def scene_svg(scene: Scene) -> str:
    """The whole document."""
    lower = _LANES_TOP + _LANES_HEIGHT + _GAP
    height = lower + CARD_HEIGHT + _MARGIN
    upper_player, lower_player = scene.players[scene.top], scene.players[scene.bottom]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
            f' height="{height}" role="img" font-family="{_FONT}">',
            f"<title>Legends of Code and Magic, turn {scene.turn}: {escaped(scene.status)}</title>",
            f"<defs>\n{symbols()}\n{_GRADIENTS}\n</defs>",
            rect(0, 0, _WIDTH, height, _TABLE, ' rx="14"'),
            group("player", _MARGIN, _MARGIN, _panel(upper_player, scene.top, scene)),
            group("hand", _CONTENT_LEFT, _MARGIN, _hand(upper_player, scene.top)),
            group("status", _MARGIN, _LANES_TOP, _status(scene)),
            group("lanes", _CONTENT_LEFT, _LANES_TOP, _lanes(scene)),
            group("player", _MARGIN, lower, _panel(lower_player, scene.bottom, scene)),
            group("hand", _CONTENT_LEFT, lower, _hand(lower_player, scene.bottom)),
            "</svg>\n",
        ]
    )


_FONT = "Helvetica, Arial, sans-serif"
_MARGIN, _GAP, _HAND_STEP, _SLOT_GAP = 22, 20, CARD_WIDTH + 8, 16
_PANEL = 196
_CONTENT = 8 * _HAND_STEP - 8
_CONTENT_LEFT = _MARGIN + _PANEL + _GAP
_WIDTH = _CONTENT_LEFT + _CONTENT + _MARGIN
_LANE_PAD = 16
_MIDDLE = 50
_LANES_TOP = _MARGIN + CARD_HEIGHT + _GAP
_LANES_HEIGHT = 2 * (CARD_HEIGHT + _LANE_PAD) + _MIDDLE
_ROOM = 6
"""Creatures of a player on the board, in all lanes together."""

_TABLE, _PANEL_FILL = "url(#locm-table)", "#fbf7ec"
_COLOURS = ("#1f62b5", "#cf3a24")
_LANE_FILL, _LANE_EDGE = "#e9dfc6", "#a58f66"
_TINTS = ("#cfe0f5", "#f8d3c9")
_GRADIENTS = (
    '<linearGradient id="locm-table" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#4b5b57"/>'
    '<stop offset="1" stop-color="#2f3c3a"/></linearGradient>'
    '<linearGradient id="locm-bubble" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff"'
    ' stop-opacity="0.55"/><stop offset="0.5" stop-color="#9fd4ff" stop-opacity="0.04"/>'
    '<stop offset="1" stop-color="#4aa3f0" stop-opacity="0.4"/></linearGradient>'
)


# --------------------------------------------------------------------------------------------------- the board


def _lanes(scene: Scene) -> list[str]:
    """The lanes side by side, the upper player's creatures above the lower one's."""
    gap = 14
    width = (_CONTENT - gap * (scene.lanes - 1)) / scene.lanes
    parts = []
    for lane in range(scene.lanes):
        parts.append(group("lane", lane * (width + gap), 0, _lane(scene, lane, width)))
    return parts


def _lane(scene: Scene, lane: int, width: float) -> list[str]:
    half = _LANES_HEIGHT / 2
    parts = [
        rect(0, 0, width, _LANES_HEIGHT, _LANE_FILL, f' rx="14" stroke="{_LANE_EDGE}" stroke-width="3"'),
        _half(width, half, _TINTS[scene.top], upper=True),
        _half(width, half, _TINTS[scene.bottom], upper=False),
        f'<path d="M14 {half:g} H{width / 2 - 62:g} M{width / 2 + 62:g} {half:g} H{width - 14:g}"'
        f' stroke="{_LANE_EDGE}" stroke-width="2" stroke-dasharray="2 6" stroke-linecap="round"/>',
        label(width / 2, half + 4, 12, scene.lane_name(lane), MUTED, CENTRED + BOLD),
    ]
    rows = ((scene.top, _LANE_PAD), (scene.bottom, _LANES_HEIGHT - _LANE_PAD - CARD_HEIGHT))
    for seat, top in rows:
        lanes = scene.players[seat].lanes
        parts += _row(lanes[lane] if lane < len(lanes) else (), _ROOM // scene.lanes, width, top)
    return parts


def _half(width: float, half: float, tint: str, upper: bool) -> str:
    """The player's half of a lane, in a shade of his colour."""
    y = 3 if upper else half + 14
    return rect(3, y, width - 6, half - 17, tint, ' rx="11" fill-opacity="0.75"')


def _row(creatures: tuple[CardView, ...], room: int, width: float, top: float) -> list[str]:
    """Creatures and the free places beside them, in the middle of the lane."""
    places = max(room, len(creatures))
    step = min(CARD_WIDTH + _SLOT_GAP, (width - 2 * _SLOT_GAP - CARD_WIDTH) / max(1, places - 1))
    left = (width - step * (places - 1) - CARD_WIDTH) / 2
    parts = []
    for place in range(places):
        x = left + place * step
        if place < len(creatures):
            parts.append(draw_card(creatures[place], x, top, on_board=True))
        else:
            look = f' rx="10" stroke="{_LANE_EDGE}" stroke-width="1.6" stroke-dasharray="6 6" class="free"'
            parts.append(rect(x + 2, top + 2, CARD_WIDTH - 4, CARD_HEIGHT - 4, "none", look))
    return parts


def _hand(player: PlayerView, seat: int) -> list[str]:
    count = player.cards_in_hand
    step = min(_HAND_STEP, (_CONTENT - CARD_WIDTH) / max(1, count - 1))
    if player.hand is None:
        return [card_back(place * step, 0, _COLOURS[seat]) for place in range(count)]
    if not count:
        return [label(_CONTENT / 2, CARD_HEIGHT / 2, 15, "no cards in hand", "#b9c4bf", CENTRED)]
    return [draw_card(card, place * step, 0) for place, card in enumerate(player.hand)]


# ---------------------------------------------------------------------------------------------- players, status

_RUNES = (25, 20, 15, 10, 5)
_GEM_STEP, _GEM, _GEMS_A_ROW = 25, 23, 7
_MOST_GEMS = 14


def _panel(player: PlayerView, seat: int, scene: Scene) -> list[str]:
    """Name, health with runes, mana, deck and pending draws."""
    lit = seat in (scene.to_move, scene.winner if scene.to_move is None else None)
    colour = _COLOURS[seat]
    edge = ' stroke="#ffd54a" stroke-width="4"' if lit else f' stroke="{colour}" stroke-width="2"'
    parts = [
        rect(0, 0, _PANEL, CARD_HEIGHT, _PANEL_FILL, f' rx="12"{edge}'),
        f'<path d="M2 26 V12 Q2 2 12 2 H{_PANEL - 12} Q{_PANEL - 2} 2 {_PANEL - 2} 12 V26 Z" fill="{colour}"/>',
        label(12, 19, 14, shorten(player.name, 17), WHITE, BOLD),
        icon("heart", 8, 31, 44),
        label(30, 58, 17, player.hp, WHITE, CENTRED + BOLD + ' stroke="#7c1226" stroke-width="0.6"'),
        *_runes(player.rune),
        *_mana(player),
        icon("deck", 60, 32 if player.rune is None else 52, 22, f' color="{colour}"'),
        label(86, 48 if player.rune is None else 68, 13, player.deck, INK, BOLD),
        icon("draw", 122, 32 if player.rune is None else 52, 22),
        label(148, 48 if player.rune is None else 68, 13, f"+{player.next_draw}", INK, BOLD),
    ]
    if scene.to_move is None and seat == scene.winner:
        parts.append(icon("crown", _PANEL - 32, 1, 24))
    return parts


def _runes(rune: int | None) -> list[str]:
    if rune is None:
        return []
    return [
        icon("rune" if value <= rune else "gone", 60 + place * 25, 31, 20, f' class="rune-{value}"')
        for place, value in enumerate(_RUNES)
    ]


def _mana(player: PlayerView) -> list[str]:
    """A gem for each point, the spent ones hollow."""
    shown = min(max(player.max_mana, player.mana), _MOST_GEMS)
    parts = [
        icon(
            "mana" if place < player.mana else "spent",
            9 + place % _GEMS_A_ROW * 19.4,
            83 + place // _GEMS_A_ROW * 23,
            20,
        )
        for place in range(shown)
    ]
    figures = f"{player.mana}/{player.max_mana}"
    return [*parts, label(_PANEL - 10, 103, 15, figures, "#22629f", ' text-anchor="end"' + BOLD)]


def _status(scene: Scene) -> list[str]:
    """The turn, who is to move, and what the icons mean."""
    seat = scene.winner if scene.to_move is None else scene.to_move
    middle = _PANEL / 2
    parts = [
        label(middle, 30, 22, f"Turn {scene.turn}", WHITE, CENTRED + BOLD),
        label(middle, 52, 14, scene.status, "#ffe08a" if seat is not None else WHITE, CENTRED),
        rect(0, 82, _PANEL, 226, WHITE, ' rx="12" fill-opacity="0.09"'),
    ]
    if scene.to_move is not None:
        up = scene.to_move == scene.top
        points = (
            "98,-14 108,2 88,2" if up else f"98,{_LANES_HEIGHT + 14} 108,{_LANES_HEIGHT - 2} 88,{_LANES_HEIGHT - 2}"
        )
        parts.append(f'<polygon points="{points}" fill="#ffd54a" class="arrow"/>')
    for place, (letter, name) in enumerate(zip(ABILITY_LETTERS, ABILITY_ICONS, strict=True)):
        y = 92 + place * 24
        parts += [icon(name, 16, y, 20), label(46, y + 15, 13, name.capitalize(), WHITE)]
        parts.append(label(_PANEL - 22, y + 15, 13, letter, "#b9c4bf", CENTRED))
    for place, (name, meaning) in enumerate(_EFFECT_KEY):
        x, y = 16 + place % 2 * 84, 240 + place // 2 * 24
        parts += [icon(name, x, y, 18), label(x + 24, y + 14, 12, meaning, WHITE)]
    parts += [rect(16, 288, 12, 14, "none", ' rx="3" stroke="#ffd54a" stroke-width="3"')]
    parts += [label(40, 300, 12, "can attack", WHITE)]
    return parts


_EFFECT_KEY = (("heart", "own HP"), ("wound", "enemy HP"), ("draw", "draw"), ("area", "area"))
