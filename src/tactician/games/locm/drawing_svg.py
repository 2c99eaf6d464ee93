"""The SVG drawing of Legends of Code and Magic.

On the left are both players' figures, with the status and a key between them; on the right, from top to bottom, the
opponent's hand, the lanes and the own hand. What actions point at carries `data-part`: `card:id` of cards and
creatures, `lane:number` and `player:seat`.
"""

from __future__ import annotations

from tactician.drawing.svg import PLAYER_COLOURS, WHITE, document, element, group, label, path, rect
from tactician.games.locm.card_svg import CARD_HEIGHT, CARD_WIDTH, INK, MUTED, card_back, draw_card
from tactician.games.locm.cards import ABILITY_LETTERS, ABILITY_NAMES
from tactician.games.locm.drawing_scene import CardView, LocmScene, PlayerView, shorten
from tactician.games.locm.icons import ICONS
from tactician.games.locm.records import BOARD


def scene_svg(scene: LocmScene) -> str:
    """Draw the whole document."""
    lower = _LANES_TOP + _LANES_HEIGHT + _GAP
    height = lower + CARD_HEIGHT + _MARGIN
    upper_player, lower_player = scene.players[scene.top], scene.players[scene.bottom]
    return document(
        f"Legends of Code and Magic, turn {scene.turn}: {scene.status}",
        _WIDTH,
        height,
        [
            rect(0, 0, _WIDTH, height, _TABLE, rx=14),
            group("player", _MARGIN, _MARGIN, _panel(upper_player, scene.top, scene), data_part=f"player:{scene.top}"),
            group("hand", _CONTENT_LEFT, _MARGIN, _hand(upper_player, scene.top)),
            group("status", _MARGIN, _LANES_TOP, _status(scene)),
            group("lanes", _CONTENT_LEFT, _LANES_TOP, _lanes(scene)),
            group(
                "player", _MARGIN, lower, _panel(lower_player, scene.bottom, scene), data_part=f"player:{scene.bottom}"
            ),
            group("hand", _CONTENT_LEFT, lower, _hand(lower_player, scene.bottom)),
        ],
        definitions=f"{ICONS.symbols()}\n{_GRADIENTS}",
    )


_MARGIN, _GAP, _HAND_STEP, _SLOT_GAP = 22, 20, CARD_WIDTH + 8, 16
_PANEL = 196
_CONTENT = 8 * _HAND_STEP - 8
_CONTENT_LEFT = _MARGIN + _PANEL + _GAP
_WIDTH = _CONTENT_LEFT + _CONTENT + _MARGIN
_LANE_PAD = 16
_MIDDLE = 50
_LANES_TOP = _MARGIN + CARD_HEIGHT + _GAP
_LANES_HEIGHT = 2 * (CARD_HEIGHT + _LANE_PAD) + _MIDDLE
_ROOM = BOARD
"""Places for a player's creatures, in all lanes together."""

_TABLE, _PANEL_FILL = "url(#locm-table)", "#fbf7ec"
_LANE_FILL, _LANE_EDGE = "#e9dfc6", "#a58f66"
_TINTS = ("#cfe0f5", "#f8d3c9")
_LIT = "#ffd54a"
_GRADIENTS = (
    '<linearGradient id="locm-table" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#4b5b57"/>'
    '<stop offset="1" stop-color="#2f3c3a"/></linearGradient>'
    '<linearGradient id="locm-bubble" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff"'
    ' stop-opacity="0.55"/><stop offset="0.5" stop-color="#9fd4ff" stop-opacity="0.04"/>'
    '<stop offset="1" stop-color="#4aa3f0" stop-opacity="0.4"/></linearGradient>'
)


# --------------------------------------------------------------------------------------------------- the board


def _lanes(scene: LocmScene) -> list[str]:
    """Draw the lanes side by side, the upper player's creatures above the lower player's."""
    gap = 14
    width = (_CONTENT - gap * (scene.lanes - 1)) / scene.lanes
    parts = []
    for lane in range(scene.lanes):
        parts.append(group("lane", lane * (width + gap), 0, _lane(scene, lane, width), data_part=f"lane:{lane}"))
    return parts


def _lane(scene: LocmScene, lane: int, width: float) -> list[str]:
    half = _LANES_HEIGHT / 2
    parts = [
        rect(0, 0, width, _LANES_HEIGHT, _LANE_FILL, rx=14, stroke=_LANE_EDGE, stroke_width=3),
        _half(width, half, _TINTS[scene.top], upper=True),
        _half(width, half, _TINTS[scene.bottom], upper=False),
        path(
            f"M14 {half:g} H{width / 2 - 62:g} M{width / 2 + 62:g} {half:g} H{width - 14:g}",
            stroke=_LANE_EDGE,
            stroke_width=2,
            stroke_dasharray="2 6",
            stroke_linecap="round",
        ),
        label(width / 2, half + 4, 12, scene.lane_name(lane), MUTED, anchor="middle", bold=True),
    ]
    rows = ((scene.top, _LANE_PAD), (scene.bottom, _LANES_HEIGHT - _LANE_PAD - CARD_HEIGHT))
    for seat, top in rows:
        lanes = scene.players[seat].lanes
        parts += _row(lanes[lane] if lane < len(lanes) else (), _ROOM // scene.lanes, width, top)
    return parts


def _half(width: float, half: float, tint: str, upper: bool) -> str:
    """Draw a player's half of a lane, in a tint of that player's colour."""
    y = 3 if upper else half + 14
    return rect(3, y, width - 6, half - 17, tint, rx=11, fill_opacity=0.75)


def _row(creatures: tuple[CardView, ...], room: int, width: float, top: float) -> list[str]:
    """Draw creatures and the free places beside them, centred in the lane."""
    places = max(room, len(creatures))
    step = min(CARD_WIDTH + _SLOT_GAP, (width - 2 * _SLOT_GAP - CARD_WIDTH) / max(1, places - 1))
    left = (width - step * (places - 1) - CARD_WIDTH) / 2
    parts = []
    for place in range(places):
        x = left + place * step
        if place < len(creatures):
            parts.append(draw_card(creatures[place], x, top, on_board=True))
        else:
            parts.append(_free_place(x, top))
    return parts


def _free_place(x: float, y: float) -> str:
    return rect(
        x + 2,
        y + 2,
        CARD_WIDTH - 4,
        CARD_HEIGHT - 4,
        "none",
        rx=10,
        stroke=_LANE_EDGE,
        stroke_width=1.6,
        stroke_dasharray="6 6",
        class_="free",
    )


def _hand(player: PlayerView, seat: int) -> list[str]:
    count = player.cards_in_hand
    step = min(_HAND_STEP, (_CONTENT - CARD_WIDTH) / max(1, count - 1))
    if player.hand is None:
        return [card_back(place * step, 0, PLAYER_COLOURS[seat]) for place in range(count)]
    if not count:
        return [label(_CONTENT / 2, CARD_HEIGHT / 2, 15, "no cards in hand", "#b9c4bf", anchor="middle")]
    return [draw_card(card, place * step, 0) for place, card in enumerate(player.hand)]


# ---------------------------------------------------------------------------------------------- players, status

_RUNES = (25, 20, 15, 10, 5)
_GEM_STEP, _GEM, _GEMS_A_ROW = 25, 23, 7
_MOST_GEMS = 14


def _panel(player: PlayerView, seat: int, scene: LocmScene) -> list[str]:
    """Draw a player's name, health with runes, mana, deck and pending draws."""
    lit = seat in (scene.to_move, scene.winner if scene.to_move is None else None)
    colour = PLAYER_COLOURS[seat]
    row = 32 if player.rune is None else 52
    parts = [
        rect(
            0, 0, _PANEL, CARD_HEIGHT, _PANEL_FILL, rx=12, stroke=_LIT if lit else colour, stroke_width=4 if lit else 2
        ),
        path(f"M2 26 V12 Q2 2 12 2 H{_PANEL - 12} Q{_PANEL - 2} 2 {_PANEL - 2} 12 V26 Z", fill=colour),
        label(12, 19, 14, shorten(player.name, 17), WHITE, bold=True),
        ICONS.use("heart", 8, 31, 44),
        label(30, 58, 17, player.hp, WHITE, anchor="middle", bold=True, stroke="#7c1226", stroke_width=0.6),
        *_runes(player.rune),
        *_mana(player),
        ICONS.use("deck", 60, row, 22, color=colour),
        label(86, row + 16, 13, player.deck, INK, bold=True),
        ICONS.use("draw", 122, row, 22),
        label(148, row + 16, 13, f"+{player.next_draw}", INK, bold=True),
    ]
    if scene.to_move is None and seat == scene.winner:
        parts.append(ICONS.use("crown", _PANEL - 32, 1, 24))
    return parts


def _runes(rune: int | None) -> list[str]:
    if rune is None:
        return []
    return [
        ICONS.use("rune" if value <= rune else "gone", 60 + place * 25, 31, 20, class_=f"rune-{value}")
        for place, value in enumerate(_RUNES)
    ]


def _mana(player: PlayerView) -> list[str]:
    """Draw a gem for each point of mana, spent ones hollow."""
    shown = min(max(player.max_mana, player.mana), _MOST_GEMS)
    parts = [
        ICONS.use(
            "mana" if place < player.mana else "spent",
            9 + place % _GEMS_A_ROW * 19.4,
            83 + place // _GEMS_A_ROW * 23,
            20,
        )
        for place in range(shown)
    ]
    figures = f"{player.mana}/{player.max_mana}"
    return [*parts, label(_PANEL - 10, 103, 15, figures, "#22629f", anchor="end", bold=True)]


def _status(scene: LocmScene) -> list[str]:
    """Draw the turn, who is to move, and what the icons mean."""
    seat = scene.winner if scene.to_move is None else scene.to_move
    middle = _PANEL / 2
    parts = [
        label(middle, 30, 22, f"Turn {scene.turn}", WHITE, anchor="middle", bold=True),
        label(middle, 52, 14, scene.status, "#ffe08a" if seat is not None else WHITE, anchor="middle"),
        rect(0, 82, _PANEL, 226, WHITE, rx=12, fill_opacity=0.09),
    ]
    if scene.to_move is not None:
        up = scene.to_move == scene.top
        points = (
            "98,-14 108,2 88,2" if up else f"98,{_LANES_HEIGHT + 14} 108,{_LANES_HEIGHT - 2} 88,{_LANES_HEIGHT - 2}"
        )
        parts.append(element("polygon", points=points, fill=_LIT, class_="arrow"))
    for place, (letter, name) in enumerate(zip(ABILITY_LETTERS, ABILITY_NAMES, strict=True)):
        y = 92 + place * 24
        parts += [ICONS.use(name, 16, y, 20), label(46, y + 15, 13, name.capitalize(), WHITE)]
        parts.append(label(_PANEL - 22, y + 15, 13, letter, "#b9c4bf", anchor="middle"))
    for place, (name, meaning) in enumerate(_EFFECT_KEY):
        x, y = 16 + place % 2 * 84, 240 + place // 2 * 24
        parts += [ICONS.use(name, x, y, 18), label(x + 24, y + 14, 12, meaning, WHITE)]
    parts += [rect(16, 288, 12, 14, "none", rx=3, stroke=_LIT, stroke_width=3)]
    parts += [label(40, 300, 12, "can attack", WHITE)]
    return parts


_EFFECT_KEY = (("heart", "own HP"), ("wound", "enemy HP"), ("draw", "draw"), ("area", "area"))
