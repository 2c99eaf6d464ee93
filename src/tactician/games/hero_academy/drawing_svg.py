"""The picture of Hero Academy: a stand-alone SVG document, assembled from the icons of the sibling module.

From top to bottom: status line, board, both hands, legend. Owners differ by colour and by the direction in
which their tiles point, so nothing depends on telling blue from red.
"""

from __future__ import annotations

from collections.abc import Iterable

from tactician.games.hero_academy.drawing_scene import (
    CRYSTAL_SQUARES,
    EQUIPMENT,
    NAMES,
    OWNERS,
    SPECIAL_SQUARES,
    SQUARE_OWNERS,
    Player,
    Scene,
    Unit,
)
from tactician.games.hero_academy.icons import icon_id, symbols


def scene_svg(scene: Scene) -> str:
    """The whole document."""
    board_width, board_height = _CELL * scene.width, _CELL * scene.height
    content = max(board_width, _LEAST_CONTENT)
    hands, hands_height = _hands(scene, content)
    legend, legend_height = _legend(content)
    board_top = _MARGIN + _HEADER
    hands_top = board_top + board_height + _GAP
    legend_top = hands_top + hands_height + _GAP
    width, height = content + 2 * _MARGIN, legend_top + legend_height + _GAP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
            f' height="{height:g}" role="img" font-family="{_FONT}">',
            f"<title>Hero Academy, turn {scene.turn}: {scene.status}</title>",
            f"<defs>\n{symbols()}\n{_GREY_FILTER}\n</defs>",
            _rect(0, 0, width, height, _PAPER, ' rx="12"'),
            _group("status", _MARGIN, _MARGIN, _header(scene, content)),
            _group("board", _MARGIN + (content - board_width) / 2, board_top, _board(scene)),
            _group("hands", _MARGIN, hands_top, hands),
            _group("legend", _MARGIN, legend_top, legend),
            "</svg>\n",
        ]
    )


_MARGIN, _GAP, _HEADER = 30, 22, 62
_LEAST_CONTENT = 576
_FONT = "Helvetica, Arial, sans-serif"
_PAPER, _INK, _MUTED, _WHITE = "#fdfbf7", "#1d2733", "#5f6873", "#ffffff"
_COLOURS = {1: "#1f62b5", 2: "#cf3a24"}
_TINTS = {1: "#bcd7f7", 2: "#fbcabd"}
_CENTRED, _ENDING, _BOLD = ' text-anchor="middle"', ' text-anchor="end"', ' font-weight="bold"'
_GREY_FILTER = '<filter id="ha-grey"><feColorMatrix type="saturate" values="0.1"/></filter>'


# --------------------------------------------------------------------------------------------- small elements


def _group(name: str, x: float, y: float, parts: Iterable[str], more: str = "") -> str:
    inner = "\n".join(parts)
    return f'<g class="{name}" transform="translate({x:g} {y:g})"{more}>\n{inner}\n</g>'


def _icon(name: str, x: float, y: float, size: float, more: str = "") -> str:
    return f'<use href="#{icon_id(name)}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"{more}/>'


def _rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{more}/>'


def _circle(x: float, y: float, radius: float, fill: str, more: str = "") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{more}/>'


def _label(x: float, y: float, size: float, text: object, fill: str = _INK, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{more}>{text}</text>'


def _tag(owner: int, x: float, y: float, width: float, height: float, tip: float) -> str:
    """The outline of a tag that points at the enemy's side."""
    back, front, point = (x, x + width - tip, x + width) if owner == 1 else (x + width, x + tip, x)
    return f"M{back:g} {y:g} H{front:g} L{point:g} {y + height / 2:g} L{front:g} {y + height:g} H{back:g} Z"


def _from_own_side(owner: int, distance: float, width: float, span: float) -> float:
    """The left edge of something ``width`` wide, that far from the owner's side of a span."""
    return distance if owner == 1 else span - distance - width


# ------------------------------------------------------------------------------------------------ status line

_CHIP_WIDTH, _CHIP_HEIGHT, _CHIP_TIP = 98, 30, 10
_PIP_RADIUS, _PIP_STEP = 6, 17
_BESIDE_CHIP = _CHIP_WIDTH + 12
_CROWN = 28


def _header(scene: Scene, content: float) -> list[str]:
    middle = content / 2
    parts = [part for owner in OWNERS for part in _chip(owner, scene, content)]
    if scene.to_move:
        return [*parts, _label(middle, 22, 20, f"Turn {scene.turn}", _INK, _CENTRED + _BOLD)]
    colour = _COLOURS[scene.winner] if scene.winner else _INK
    return [
        *parts,
        _label(middle, 15, 20, scene.status, colour, _CENTRED + _BOLD),
        _label(middle, 32, 12, f"on turn {scene.turn}", _MUTED, _CENTRED),
    ]


def _chip(owner: int, scene: Scene, content: float) -> list[str]:
    """The player's name, filled in when it is that player's turn or victory, and what goes with it."""
    x = _from_own_side(owner, 0, _CHIP_WIDTH, content)
    middle = _from_own_side(owner, (_CHIP_WIDTH - _CHIP_TIP / 2) / 2, 0, content)
    lit = owner in (scene.to_move, scene.winner)
    fill, ink = (_COLOURS[owner], _WHITE) if lit else (_PAPER, _COLOURS[owner])
    parts = [
        f'<path d="{_tag(owner, x, 0, _CHIP_WIDTH, _CHIP_HEIGHT, _CHIP_TIP)}" fill="{fill}"'
        f' stroke="{_COLOURS[owner]}" stroke-width="2.5" stroke-linejoin="round"/>',
        _label(middle, 20, 14, f"Player {owner}", ink, _CENTRED + _BOLD),
    ]
    if owner == scene.winner:
        parts.append(_icon("crown", _from_own_side(owner, _BESIDE_CHIP, _CROWN, content), 0, _CROWN))
    if owner == scene.to_move:
        parts += _action_points(owner, scene, content)
    return parts


def _action_points(owner: int, scene: Scene, content: float) -> list[str]:
    x = _from_own_side(owner, _BESIDE_CHIP, 0, content)
    caption = f"to move, {scene.ap} AP"
    parts = [_label(x, 10, 12, caption, _INK, "" if owner == 1 else _ENDING)]
    left, spent = scene.pips
    for i in range(left + spent):
        centre = _from_own_side(owner, _BESIDE_CHIP + _PIP_RADIUS + i * _PIP_STEP, 0, content)
        fill, kind = (_COLOURS[owner], "pip") if i < left else (_PAPER, "spent-pip")
        outline = f' stroke="{_COLOURS[owner]}" stroke-width="2" class="{kind}"'
        parts.append(_circle(centre, 23, _PIP_RADIUS, fill, outline))
    return parts


# ------------------------------------------------------------------------------------------------------ board

_CELL = 96
_FRAME, _FRAME_FILL, _GRID_LINE = 5, "#5d4c38", "#cfc4ae"
_SQUARE_FILLS = {"d": "#d7e6fa", "D": "#fcdcd4", "S": "#cfeadd", "A": "#fce7ae", "P": "#e3d6f7"}
_PLAIN_FILLS = ("#f6f1e5", "#eee7d7")
_SQUARE_ICON, _SQUARE_CORNER = 48, 21


def _board(scene: Scene) -> list[str]:
    width, height = _CELL * scene.width, _CELL * scene.height
    taken = {(unit.x, unit.y) for unit in scene.units}
    parts = [_rect(-_FRAME, -_FRAME, width + 2 * _FRAME, height + 2 * _FRAME, _FRAME_FILL, ' rx="7"')]
    parts += [_label((x + 0.5) * _CELL, -10, 11, x, _MUTED, _CENTRED) for x in range(scene.width)]
    parts += [_label(-11, (y + 0.5) * _CELL + 4, 11, y, _MUTED, _ENDING) for y in range(scene.height)]
    for y, row in enumerate(scene.rows):
        parts += [_square(symbol, x, y, (x, y) in taken) for x, symbol in enumerate(row)]
    return parts + [_unit(unit, scene.rows[unit.y][unit.x]) for unit in scene.units]


def _square(symbol: str, x: int, y: int, taken: bool) -> str:
    fill = _SQUARE_FILLS.get(symbol, _PLAIN_FILLS[(x + y) % 2])
    parts = [_rect(x * _CELL, y * _CELL, _CELL, _CELL, fill, f' stroke="{_GRID_LINE}"')]
    if not taken and (symbol in SPECIAL_SQUARES or symbol in CRYSTAL_SQUARES):
        name = SPECIAL_SQUARES.get(symbol, "ruin")
        edge = (_CELL - _SQUARE_ICON) / 2
        look = f' opacity="0.75"{_owner_colour(symbol)}'
        parts.append(_icon(name, x * _CELL + edge, y * _CELL + edge, _SQUARE_ICON, look))
    return f'<g class="square" data-x="{x}" data-y="{y}">{"".join(parts)}</g>'


def _owner_colour(symbol: str) -> str:
    owner = SQUARE_OWNERS.get(symbol)
    return f' color="{_COLOURS[owner]}"' if owner else ""


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


def _unit(unit: Unit, symbol: str) -> str:
    """A tile that points at the enemy, with the unit's icon, badges for its equipment and its hit points."""
    parts = [f"<title>{_describe(unit)}</title>", _tile(unit), _unit_icon(unit), *_badges(unit), *_bar(unit)]
    if symbol in SPECIAL_SQUARES:
        parts.append(_square_corner(unit, symbol))
    kind = f"unit owner-{unit.owner}" + (" fallen" if unit.fallen else "")
    more = f' color="{_COLOURS[unit.owner]}" data-x="{unit.x}" data-y="{unit.y}"'
    return _group(kind, unit.x * _CELL, unit.y * _CELL, parts, more)


def _describe(unit: Unit) -> str:
    health = "knocked out" if unit.fallen else f"{unit.hp} of {unit.max_hp} hp"
    name = f"player {unit.owner} {NAMES[unit.code]}"
    return ", ".join([name, health, *(NAMES[code] for code in unit.equipment)])


def _tile(unit: Unit) -> str:
    outline = _tag(unit.owner, _TILE_EDGE, _TILE_EDGE, _TILE, _TILE, _TILE_TIP)
    fill, dashes = (_FALLEN_FILL, ' stroke-dasharray="7 4"') if unit.fallen else (_TINTS[unit.owner], "")
    return f'<path d="{outline}" fill="{fill}" stroke="currentColor" stroke-width="4" stroke-linejoin="round"{dashes}/>'


def _unit_icon(unit: Unit) -> str:
    """The icon, looking at the enemy; on its back and grey when the unit is knocked out."""
    forward = _UNIT_ICON_FORWARD if unit.equipment else 0
    x = _from_own_side(unit.owner, _UNIT_ICON_BACK + forward, _UNIT_ICON, _CELL)
    half = _UNIT_ICON / 2
    turn = " scale(-1 1)" if unit.owner == 2 else ""
    turn += " rotate(-90)" if unit.fallen else ""
    look = f' transform="translate({x + half:g} {_UNIT_ICON_TOP + half:g}){turn}"'
    if not unit.fallen:
        return _icon(NAMES[unit.code], -half, -half, _UNIT_ICON, look)
    look += f' filter="url(#ha-grey)" opacity="{_FALLEN_OPACITY}"'
    mark = _from_own_side(unit.owner, _FALLEN_MARK_BACK, _FALLEN_MARK, _CELL)
    icon = _icon(NAMES[unit.code], -half, -half, _UNIT_ICON, look)
    return icon + _icon("fallen", mark, _FALLEN_MARK_TOP, _FALLEN_MARK)


def _badges(unit: Unit) -> list[str]:
    if not unit.equipment:
        return []
    x = _from_own_side(unit.owner, _BADGE_BACK, _BADGE, _CELL)
    edge = (_BADGE_STRIP - _BADGE) / 2
    height = len(unit.equipment) * _BADGE_STEP + edge
    strip = f' rx="4" fill-opacity="{_BADGE_STRIP_OPACITY}"'
    parts = [_rect(x - edge, _BADGE_TOP - edge, _BADGE_STRIP, height, _WHITE, strip)]
    for i, code in enumerate(unit.equipment):
        parts.append(_icon(NAMES[code], x, _BADGE_TOP + i * _BADGE_STEP, _BADGE, ' class="badge"'))
    return parts


def _bar(unit: Unit) -> list[str]:
    x = _from_own_side(unit.owner, _BAR_BACK, _BAR_WIDTH, _CELL)
    share = min(1.0, unit.hp / unit.max_hp)
    colour = _DYING if share <= _DYING_SHARE else _HURT if share <= _HURT_SHARE else _HEALTHY
    filled = max(0.0, share * (_BAR_WIDTH - 2))
    return [
        _rect(x, _BAR_TOP, _BAR_WIDTH, _BAR_HEIGHT, _BAR_TRACK, ' rx="4"'),
        _rect(x + 1, _BAR_TOP + 1, round(filled, 1), _BAR_HEIGHT - 2, colour, ' rx="3"'),
        _label(x + _BAR_WIDTH / 2, _BAR_TOP + 11, 11.5, unit.hp or "KO", _WHITE, _CENTRED + _BOLD),
    ]


def _square_corner(unit: Unit, symbol: str) -> str:
    """The special square under a unit, as a small medal on the corner that faces the enemy."""
    x = _from_own_side(unit.owner, _CELL - _SQUARE_CORNER - 1, _SQUARE_CORNER, _CELL)
    half, inner = _SQUARE_CORNER / 2, _SQUARE_CORNER - 7
    medal = _circle(x + half, half + 1, half, _SQUARE_FILLS[symbol], f' stroke="{_INK}" stroke-width="1.2"')
    return medal + _icon(SPECIAL_SQUARES[symbol], x + 3.5, 4.5, inner, _owner_colour(symbol))


# ------------------------------------------------------------------------------------------------------ hands

_PANEL_GAP, _PANEL_PAD, _PANEL_TITLE = 18, 12, 34
_CARD_WIDTH, _CARD_HEIGHT, _CARD_GAP, _CARD_FILL, _CARD_ICON = 60, 76, 6, "#fffdf6", 42
_COUNT_INSET, _COUNT_RADIUS = 6, 10
_BACK_ICON = 83
_STAT_ICON = 17


def _hands(scene: Scene, content: float) -> tuple[list[str], float]:
    """Both players' panels side by side, and their height."""
    width = (content - _PANEL_GAP) / 2
    a_row = int((width - 2 * _PANEL_PAD + _CARD_GAP) // (_CARD_WIDTH + _CARD_GAP))
    most = max(len(player.hand) + player.hidden for player in scene.players)
    lines = max(1, -(-most // a_row))
    height = _PANEL_TITLE + lines * (_CARD_HEIGHT + _CARD_GAP) - _CARD_GAP + _PANEL_PAD
    panels = []
    for player in scene.players:
        x = _from_own_side(player.number, 0, width, content)
        parts = _panel(player, width, height, a_row)
        more = f' color="{_COLOURS[player.number]}"'
        panels.append(_group(f"hand owner-{player.number}", x, 0, parts, more))
    return panels, height


def _panel(player: Player, width: float, height: float, a_row: int) -> list[str]:
    right = width - _PANEL_PAD
    parts = [
        _rect(0, 0, width, height, _WHITE, ' rx="8" stroke="currentColor" stroke-width="2"'),
        _label(_PANEL_PAD, 22, 14, f"Player {player.number}", _COLOURS[player.number], _BOLD),
        _icon("back", right - 158, 9, _STAT_ICON),
        _label(right - 138, 22, 12, f"deck {player.deck}"),
        _icon("crystal", right - 79, 9, _STAT_ICON),
        _label(right, 22, 12, f"crystals {len(player.crystals)}", _INK, _ENDING),
    ]
    cards = [_card(code, count) for code, count in player.hand]
    cards += [_icon("back", (_CARD_WIDTH - _BACK_ICON) / 2, -3.5, _BACK_ICON)] * player.hidden
    for i, card in enumerate(cards):
        column, line = i % a_row, i // a_row
        x = _PANEL_PAD + column * (_CARD_WIDTH + _CARD_GAP)
        y = _PANEL_TITLE + line * (_CARD_HEIGHT + _CARD_GAP)
        parts.append(_group("card", x, y, [card]))
    if not cards:
        parts.append(_label(width / 2, _PANEL_TITLE + _CARD_HEIGHT / 2, 13, "no cards in hand", _MUTED, _CENTRED))
    return parts


def _card(code: str, count: int) -> str:
    edge = f' rx="6" stroke="{_INK}" stroke-width="1.5"'
    middle = _CARD_WIDTH / 2
    card = _rect(0, 0, _CARD_WIDTH, _CARD_HEIGHT, _CARD_FILL, edge)
    card += _icon(NAMES[code], middle - _CARD_ICON / 2, 12, _CARD_ICON)
    card += _label(middle, _CARD_HEIGHT - 8, 9, NAMES[code], _INK, _CENTRED)
    if count > 1:
        card += _circle(_CARD_WIDTH - _COUNT_INSET, _COUNT_INSET, _COUNT_RADIUS, _INK)
        card += _label(_CARD_WIDTH - _COUNT_INSET, _COUNT_INSET + 4, 11, f"×{count}", _WHITE, _CENTRED + _BOLD)
    return card


# ----------------------------------------------------------------------------------------------------- legend

_LEGEND_COLUMN, _LEGEND_LINE, _LEGEND_ICON, _LEGEND_SWATCH = 106, 32, 21, 24
_LEGEND_SQUARES = (("dD", "deploy"), ("A", "assault"), ("S", "defense"), ("P", "power"))
_LEGEND_UNITS = "KACWNX"
_LEGEND_MARKS = (("fallen", "knocked out"), ("ruin", "crystal lost"))


def _legend(content: float) -> tuple[list[str], float]:
    """What the icons mean, in columns, and the height of that."""
    pieces = [(NAMES[code], NAMES[code]) for code in EQUIPMENT + _LEGEND_UNITS]
    entries = [_legend_squares(kinds, text) for kinds, text in _LEGEND_SQUARES]
    entries += [_legend_icon(icon, text) for icon, text in (*pieces, *_LEGEND_MARKS)]
    columns = int(content // _LEGEND_COLUMN)
    parts = []
    for i, entry in enumerate(entries):
        line, column = divmod(i, columns)
        parts.append(_group("entry", round(column * content / columns), line * _LEGEND_LINE, [entry]))
    return parts, -(-len(entries) // columns) * _LEGEND_LINE


def _legend_squares(kinds: str, text: str) -> str:
    step = _LEGEND_SWATCH + 3
    swatches = [_swatch(symbol, i * step) for i, symbol in enumerate(kinds)]
    return "".join(swatches) + _label(len(kinds) * step + 3, 16, 12, text)


def _swatch(symbol: str, x: float) -> str:
    edge = f' rx="3" stroke="{_GRID_LINE}"'
    square = _rect(x, 0, _LEGEND_SWATCH, _LEGEND_SWATCH, _SQUARE_FILLS[symbol], edge)
    return square + _icon(SPECIAL_SQUARES[symbol], x + 3, 3, _LEGEND_SWATCH - 6, _owner_colour(symbol))


def _legend_icon(icon: str, text: str) -> str:
    return _icon(icon, 1, 1, _LEGEND_ICON, f' color="{_MUTED}"') + _label(_LEGEND_ICON + 7, 16, 12, text)
