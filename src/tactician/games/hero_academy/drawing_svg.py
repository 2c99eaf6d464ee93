"""The SVG drawing of Hero Academy: status line, board, both hands and a legend, from top to bottom.

Owners differ by colour and by the direction in which their tiles point, so the picture also works for readers who
can't tell blue from red. What actions point at carries `data-part`: `square:x,y`, `unit:x,y`, `card:player:code` and
`deck:player`.
"""

from __future__ import annotations

from tactician.drawing.svg import PLAYER_COLOURS, WHITE, circle, document, element, group, label, path, rect
from tactician.games.hero_academy.cards import CLASS_CODES, GEAR_CODES
from tactician.games.hero_academy.drawing_scene import (
    CRYSTAL_SQUARES,
    NAMES,
    OWNERS,
    SPECIAL_SQUARES,
    SQUARE_OWNERS,
    HeroAcademyScene,
    PlayerHoldings,
    UnitView,
)
from tactician.games.hero_academy.icons import ICONS


def scene_svg(scene: HeroAcademyScene) -> str:
    """Draw the whole document."""
    board_width, board_height = _CELL * scene.width, _CELL * scene.height
    content = max(board_width, _LEAST_CONTENT)
    hands, hands_height = _hands(scene, content)
    legend, legend_height = _legend(content)
    board_top = _MARGIN + _HEADER
    hands_top = board_top + board_height + _GAP
    legend_top = hands_top + hands_height + _GAP
    width, height = content + 2 * _MARGIN, legend_top + legend_height + _GAP
    return document(
        f"Hero Academy, turn {scene.turn}: {scene.status}",
        width,
        height,
        [
            rect(0, 0, width, height, _PAPER, rx=12),
            group("status", _MARGIN, _MARGIN, _header(scene, content)),
            group("board", _MARGIN + (content - board_width) / 2, board_top, _board(scene)),
            group("hands", _MARGIN, hands_top, hands),
            group("legend", _MARGIN, legend_top, legend),
        ],
        definitions=f"{ICONS.symbols()}\n{_GREY_FILTER}",
    )


_MARGIN, _GAP, _HEADER = 30, 22, 62
_LEAST_CONTENT = 576
_PAPER, _INK, _MUTED = "#fdfbf7", "#1d2733", "#5f6873"
_COLOURS = dict(zip(OWNERS, PLAYER_COLOURS, strict=True))
_TINTS = {1: "#bcd7f7", 2: "#fbcabd"}
_GREY_FILTER = '<filter id="ha-grey"><feColorMatrix type="saturate" values="0.1"/></filter>'


def _arrow_tag(owner: int, x: float, y: float, width: float, height: float, tip: float) -> str:
    """Return the outline of a tag that points at the enemy's side."""
    back, front, point = (x, x + width - tip, x + width) if owner == 1 else (x + width, x + tip, x)
    return f"M{back:g} {y:g} H{front:g} L{point:g} {y + height / 2:g} L{front:g} {y + height:g} H{back:g} Z"


def _from_own_side(owner: int, distance: float, width: float, span: float) -> float:
    """Return the left edge of a box of that width, `distance` away from the owner's side of a span."""
    return distance if owner == 1 else span - distance - width


# ------------------------------------------------------------------------------------------------ status line

_CHIP_WIDTH, _CHIP_HEIGHT, _CHIP_TIP = 98, 30, 10
_PIP_RADIUS, _PIP_STEP = 6, 17
_BESIDE_CHIP = _CHIP_WIDTH + 12
_CROWN = 28


def _header(scene: HeroAcademyScene, content: float) -> list[str]:
    middle = content / 2
    parts = [part for owner in OWNERS for part in _chip(owner, scene, content)]
    if scene.to_move:
        return [*parts, label(middle, 22, 20, f"Turn {scene.turn}", _INK, anchor="middle", bold=True)]
    colour = _COLOURS[scene.winner] if scene.winner else _INK
    return [
        *parts,
        label(middle, 15, 20, scene.status, colour, anchor="middle", bold=True),
        label(middle, 32, 12, f"on turn {scene.turn}", _MUTED, anchor="middle"),
    ]


def _chip(owner: int, scene: HeroAcademyScene, content: float) -> list[str]:
    """Draw the player's name, filled when the player is to move or has won, and the points or crown beside it."""
    x = _from_own_side(owner, 0, _CHIP_WIDTH, content)
    middle = _from_own_side(owner, (_CHIP_WIDTH - _CHIP_TIP / 2) / 2, 0, content)
    filled = owner in (scene.to_move, scene.winner)
    fill, ink = (_COLOURS[owner], WHITE) if filled else (_PAPER, _COLOURS[owner])
    parts = [
        path(
            _arrow_tag(owner, x, 0, _CHIP_WIDTH, _CHIP_HEIGHT, _CHIP_TIP),
            fill=fill,
            stroke=_COLOURS[owner],
            stroke_width=2.5,
            stroke_linejoin="round",
        ),
        label(middle, 20, 14, f"Player {owner}", ink, anchor="middle", bold=True),
    ]
    if owner == scene.winner:
        parts.append(ICONS.use("crown", _from_own_side(owner, _BESIDE_CHIP, _CROWN, content), 0, _CROWN))
    if owner == scene.to_move:
        parts += _action_points(owner, scene, content)
    return parts


def _action_points(owner: int, scene: HeroAcademyScene, content: float) -> list[str]:
    x = _from_own_side(owner, _BESIDE_CHIP, 0, content)
    caption = f"to move, {scene.ap} AP"
    parts = [label(x, 10, 12, caption, _INK, anchor=None if owner == 1 else "end")]
    left, spent = scene.pips
    for i in range(left + spent):
        centre = _from_own_side(owner, _BESIDE_CHIP + _PIP_RADIUS + i * _PIP_STEP, 0, content)
        fill, kind = (_COLOURS[owner], "pip") if i < left else (_PAPER, "spent-pip")
        parts.append(circle(centre, 23, _PIP_RADIUS, fill, stroke=_COLOURS[owner], stroke_width=2, class_=kind))
    return parts


# ------------------------------------------------------------------------------------------------------ board

_CELL = 96
_FRAME, _FRAME_FILL, _GRID_LINE = 5, "#5d4c38", "#cfc4ae"
_SQUARE_FILLS = {"d": "#d7e6fa", "D": "#fcdcd4", "S": "#cfeadd", "A": "#fce7ae", "P": "#e3d6f7"}
_PLAIN_FILLS = ("#f6f1e5", "#eee7d7")
_SQUARE_ICON, _SQUARE_CORNER = 48, 21


def _board(scene: HeroAcademyScene) -> list[str]:
    width, height = _CELL * scene.width, _CELL * scene.height
    taken = {(unit.x, unit.y) for unit in scene.units}
    parts = [rect(-_FRAME, -_FRAME, width + 2 * _FRAME, height + 2 * _FRAME, _FRAME_FILL, rx=7)]
    parts += [label((x + 0.5) * _CELL, -10, 11, x, _MUTED, anchor="middle") for x in range(scene.width)]
    parts += [label(-11, (y + 0.5) * _CELL + 4, 11, y, _MUTED, anchor="end") for y in range(scene.height)]
    for y, row in enumerate(scene.rows):
        parts += [_square(symbol, x, y, (x, y) in taken) for x, symbol in enumerate(row)]
    return parts + [_unit(unit, scene.rows[unit.y][unit.x]) for unit in scene.units]


def _square(symbol: str, x: int, y: int, taken: bool) -> str:
    fill = _SQUARE_FILLS.get(symbol, _PLAIN_FILLS[(x + y) % 2])
    parts = [rect(x * _CELL, y * _CELL, _CELL, _CELL, fill, stroke=_GRID_LINE)]
    if not taken and (symbol in SPECIAL_SQUARES or symbol in CRYSTAL_SQUARES):
        name = SPECIAL_SQUARES.get(symbol, "ruin")
        left, top = (place * _CELL + (_CELL - _SQUARE_ICON) / 2 for place in (x, y))
        parts.append(ICONS.use(name, left, top, _SQUARE_ICON, opacity=0.75, color=_owner_colour(symbol)))
    return element("g", "".join(parts), class_="square", data_x=x, data_y=y, data_part=f"square:{x},{y}")


def _owner_colour(symbol: str) -> str | None:
    owner = SQUARE_OWNERS.get(symbol)
    return _COLOURS[owner] if owner else None


# ------------------------------------------------------------------------------------------------------ units

_TILE, _TILE_TIP = 84, 11
_TILE_EDGE = (_CELL - _TILE) / 2
_UNIT_ICON, _UNIT_ICON_TOP, _UNIT_ICON_BACK, _UNIT_ICON_FORWARD = 52, 14, 18, 10
_BADGE, _BADGE_STEP, _BADGE_BACK, _BADGE_TOP = 15, 15.3, 10.5, 9.5
_BADGE_STRIP, _BADGE_STRIP_OPACITY = 18, 0.7
_BAR_WIDTH, _BAR_HEIGHT, _BAR_BACK, _BAR_TOP, _BAR_TRACK = 66, 14, 11, 72, "#27313e"
_HEALTHY, _HURT, _DYING = "#2c8a46", "#b0730f", "#c4302b"
_HURT_SHARE, _DYING_SHARE = 0.6, 0.3
_FALLEN_FILL, _FALLEN_OPACITY = "#d9dadc", 0.75
_FALLEN_MARK, _FALLEN_MARK_BACK, _FALLEN_MARK_TOP = 21, 62, 48


def _unit(unit: UnitView, symbol: str) -> str:
    """Draw a tile that points at the enemy, with the unit's icon, badges for its equipment and its hit points."""
    parts = [element("title", _describe(unit)), _tile(unit), _unit_icon(unit), *_badges(unit), *_bar(unit)]
    if symbol in SPECIAL_SQUARES:
        parts.append(_square_corner(unit, symbol))
    kind = f"unit owner-{unit.owner}" + (" fallen" if unit.fallen else "")
    x, y = unit.x * _CELL, unit.y * _CELL
    part = f"unit:{unit.x},{unit.y}"
    return group(kind, x, y, parts, color=_COLOURS[unit.owner], data_x=unit.x, data_y=unit.y, data_part=part)


def _describe(unit: UnitView) -> str:
    health = "knocked out" if unit.fallen else f"{unit.hp} of {unit.max_hp} hp"
    name = f"player {unit.owner} {NAMES[unit.code]}"
    return ", ".join([name, health, *(NAMES[code] for code in unit.equipment)])


def _tile(unit: UnitView) -> str:
    return path(
        _arrow_tag(unit.owner, _TILE_EDGE, _TILE_EDGE, _TILE, _TILE, _TILE_TIP),
        fill=_FALLEN_FILL if unit.fallen else _TINTS[unit.owner],
        stroke="currentColor",
        stroke_width=4,
        stroke_linejoin="round",
        stroke_dasharray="7 4" if unit.fallen else None,
    )


def _unit_icon(unit: UnitView) -> str:
    """Draw the icon facing the enemy; on its back and grey when the unit is knocked out."""
    forward = _UNIT_ICON_FORWARD if unit.equipment else 0
    x = _from_own_side(unit.owner, _UNIT_ICON_BACK + forward, _UNIT_ICON, _CELL)
    half = _UNIT_ICON / 2
    turn = " scale(-1 1)" if unit.owner == 2 else ""
    turn += " rotate(-90)" if unit.fallen else ""
    icon = ICONS.use(
        NAMES[unit.code],
        -half,
        -half,
        _UNIT_ICON,
        transform=f"translate({x + half:g} {_UNIT_ICON_TOP + half:g}){turn}",
        filter="url(#ha-grey)" if unit.fallen else None,
        opacity=_FALLEN_OPACITY if unit.fallen else None,
    )
    if not unit.fallen:
        return icon
    mark = _from_own_side(unit.owner, _FALLEN_MARK_BACK, _FALLEN_MARK, _CELL)
    return icon + ICONS.use("fallen", mark, _FALLEN_MARK_TOP, _FALLEN_MARK)


def _badges(unit: UnitView) -> list[str]:
    if not unit.equipment:
        return []
    x = _from_own_side(unit.owner, _BADGE_BACK, _BADGE, _CELL)
    edge = (_BADGE_STRIP - _BADGE) / 2
    height = len(unit.equipment) * _BADGE_STEP + edge
    strip = rect(x - edge, _BADGE_TOP - edge, _BADGE_STRIP, height, WHITE, rx=4, fill_opacity=_BADGE_STRIP_OPACITY)
    icons = [
        ICONS.use(NAMES[code], x, _BADGE_TOP + i * _BADGE_STEP, _BADGE, class_="badge")
        for i, code in enumerate(unit.equipment)
    ]
    return [strip, *icons]


def _bar(unit: UnitView) -> list[str]:
    x = _from_own_side(unit.owner, _BAR_BACK, _BAR_WIDTH, _CELL)
    share = min(1.0, unit.hp / unit.max_hp)
    colour = _DYING if share <= _DYING_SHARE else _HURT if share <= _HURT_SHARE else _HEALTHY
    filled = max(0.0, share * (_BAR_WIDTH - 2))
    return [
        rect(x, _BAR_TOP, _BAR_WIDTH, _BAR_HEIGHT, _BAR_TRACK, rx=4),
        rect(x + 1, _BAR_TOP + 1, round(filled, 1), _BAR_HEIGHT - 2, colour, rx=3),
        label(x + _BAR_WIDTH / 2, _BAR_TOP + 11, 11.5, unit.hp or "KO", WHITE, anchor="middle", bold=True),
    ]


def _square_corner(unit: UnitView, symbol: str) -> str:
    """Draw the special square under a unit as a small medal on the corner that faces the enemy."""
    x = _from_own_side(unit.owner, _CELL - _SQUARE_CORNER - 1, _SQUARE_CORNER, _CELL)
    half, inner = _SQUARE_CORNER / 2, _SQUARE_CORNER - 7
    medal = circle(x + half, half + 1, half, _SQUARE_FILLS[symbol], stroke=_INK, stroke_width=1.2)
    return medal + ICONS.use(SPECIAL_SQUARES[symbol], x + 3.5, 4.5, inner, color=_owner_colour(symbol))


# ------------------------------------------------------------------------------------------------------ hands

_PANEL_GAP, _PANEL_PAD, _PANEL_TITLE = 18, 12, 34
_CARD_WIDTH, _CARD_HEIGHT, _CARD_GAP, _CARD_FILL, _CARD_ICON = 60, 76, 6, "#fffdf6", 42
_COUNT_INSET, _COUNT_RADIUS = 6, 10
_BACK_ICON = 83
_STAT_ICON = 17


def _hands(scene: HeroAcademyScene, content: float) -> tuple[list[str], float]:
    """Draw both players' panels side by side; return them with their height."""
    width = (content - _PANEL_GAP) / 2
    columns = int((width - 2 * _PANEL_PAD + _CARD_GAP) // (_CARD_WIDTH + _CARD_GAP))
    most = max(len(player.hand) + player.hidden for player in scene.players)
    lines = max(1, -(-most // columns))
    height = _PANEL_TITLE + lines * (_CARD_HEIGHT + _CARD_GAP) - _CARD_GAP + _PANEL_PAD
    panels = []
    for player in scene.players:
        x = _from_own_side(player.number, 0, width, content)
        parts = _panel(player, width, height, columns)
        panels.append(group(f"hand owner-{player.number}", x, 0, parts, color=_COLOURS[player.number]))
    return panels, height


def _panel(player: PlayerHoldings, width: float, height: float, columns: int) -> list[str]:
    right = width - _PANEL_PAD
    parts = [
        rect(0, 0, width, height, WHITE, rx=8, stroke="currentColor", stroke_width=2),
        label(_PANEL_PAD, 22, 14, f"Player {player.number}", _COLOURS[player.number], bold=True),
        _deck(player, right - 158),
        ICONS.use("crystal", right - 79, 9, _STAT_ICON),
        label(right, 22, 12, f"crystals {len(player.crystals)}", _INK, anchor="end"),
    ]
    cards: list[tuple[str, str | None]] = [
        (_card(code, count), f"card:{player.number}:{code}") for code, count in player.hand
    ]
    cards += [(ICONS.use("back", (_CARD_WIDTH - _BACK_ICON) / 2, -3.5, _BACK_ICON), None)] * player.hidden
    for i, (card, part) in enumerate(cards):
        line, column = divmod(i, columns)
        x = _PANEL_PAD + column * (_CARD_WIDTH + _CARD_GAP)
        y = _PANEL_TITLE + line * (_CARD_HEIGHT + _CARD_GAP)
        parts.append(group("card", x, y, [card], data_part=part))
    if not cards:
        middle = _PANEL_TITLE + _CARD_HEIGHT / 2
        parts.append(label(width / 2, middle, 13, "no cards in hand", _MUTED, anchor="middle"))
    return parts


def _deck(player: PlayerHoldings, x: float) -> str:
    """Draw the deck's size; a card that is swapped goes there."""
    parts = [
        rect(-5, -6, 76, 29, WHITE, rx=4),
        ICONS.use("back", 0, 0, _STAT_ICON),
        label(20, 13, 12, f"deck {player.deck}", _INK),
    ]
    return group("deck", x, 9, parts, data_part=f"deck:{player.number}")


def _card(code: str, count: int) -> str:
    middle = _CARD_WIDTH / 2
    card = rect(0, 0, _CARD_WIDTH, _CARD_HEIGHT, _CARD_FILL, rx=6, stroke=_INK, stroke_width=1.5)
    card += ICONS.use(NAMES[code], middle - _CARD_ICON / 2, 12, _CARD_ICON)
    card += label(middle, _CARD_HEIGHT - 8, 9, NAMES[code], _INK, anchor="middle")
    if count > 1:
        x, y = _CARD_WIDTH - _COUNT_INSET, _COUNT_INSET
        card += circle(x, y, _COUNT_RADIUS, _INK)
        card += label(x, y + 4, 11, f"×{count}", WHITE, anchor="middle", bold=True)
    return card


# ----------------------------------------------------------------------------------------------------- legend

_LEGEND_COLUMN, _LEGEND_LINE, _LEGEND_ICON, _LEGEND_SWATCH = 106, 32, 21, 24
_LEGEND_SQUARES = (("dD", "deploy"), ("A", "assault"), ("S", "defense"), ("P", "power"))
_LEGEND_MARKS = (("fallen", "knocked out"), ("ruin", "crystal lost"))


def _legend(content: float) -> tuple[list[str], float]:
    """Draw what the icons mean, in columns; return the entries with their height."""
    pieces = [(NAMES[code], NAMES[code]) for code in GEAR_CODES + CLASS_CODES]
    entries = [_legend_squares(kinds, text) for kinds, text in _LEGEND_SQUARES]
    entries += [_legend_icon(icon, text) for icon, text in (*pieces, *_LEGEND_MARKS)]
    columns = int(content // _LEGEND_COLUMN)
    parts = []
    for i, entry in enumerate(entries):
        line, column = divmod(i, columns)
        parts.append(group("entry", round(column * content / columns), line * _LEGEND_LINE, [entry]))
    return parts, -(-len(entries) // columns) * _LEGEND_LINE


def _legend_squares(kinds: str, text: str) -> str:
    step = _LEGEND_SWATCH + 3
    swatches = [_swatch(symbol, i * step) for i, symbol in enumerate(kinds)]
    return "".join(swatches) + label(len(kinds) * step + 3, 16, 12, text, _INK)


def _swatch(symbol: str, x: float) -> str:
    square = rect(x, 0, _LEGEND_SWATCH, _LEGEND_SWATCH, _SQUARE_FILLS[symbol], rx=3, stroke=_GRID_LINE)
    return square + ICONS.use(SPECIAL_SQUARES[symbol], x + 3, 3, _LEGEND_SWATCH - 6, color=_owner_colour(symbol))


def _legend_icon(icon: str, text: str) -> str:
    return ICONS.use(icon, 1, 1, _LEGEND_ICON, color=_MUTED) + label(_LEGEND_ICON + 7, 16, 12, text, _INK)
