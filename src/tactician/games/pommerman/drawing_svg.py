"""The SVG drawing of Pommerman: the step, the board, and a card for each agent beside it.

What actions point at carries `data-part`: `square:row,column` and `unit:seat`; bombs are `bomb:row,column`.
"""

from __future__ import annotations

from tactician.drawing.svg import WHITE, circle, document, group, label, rect
from tactician.games.pommerman import board
from tactician.games.pommerman.board import SIDE
from tactician.games.pommerman.drawing_scene import AgentView, BombView, Place, PommermanScene
from tactician.games.pommerman.icons import ICONS

_CELL = 48
_MARGIN, _HEADER, _GAP = 24, 44, 20
_CARD_WIDTH, _CARD_HEIGHT = 232, 118
_PAPER, _INK, _MUTED, _SPARE = "#fbfaf6", "#1d2733", "#5f6873", "#d8d4c8"
_FLOOR = ("#dfe8cf", "#d3dfc0")
_SCORCHED = "#f4c9a0"
_COLOURS = ("#1f62b5", "#d3402a", "#2c8d4e", "#8a3fa8")
_TEAM_COLOURS = _COLOURS[:2]
_ARROW_DEGREES = (0, 0, 180, 270, 90)
"""How far the arrow, which points up, is turned for each direction of a bomb."""
_ITEMS = {board.EXTRA_BOMB: "extra-bomb", board.RANGE: "range", board.KICK: "kick"}
_WALLS = {board.RIGID: "rigid", board.WOOD: "wood", board.FOG: "fog"}
_FLAME_OPACITY = (0.45, 0.75, 1.0)
"""By the flame's life."""


def scene_svg(scene: PommermanScene) -> str:
    """Draw the whole document; it defines only the icons it uses."""
    side = _CELL * SIDE
    width = 2 * _MARGIN + side + _GAP + _CARD_WIDTH
    height = 2 * _MARGIN + _HEADER + side
    parts = [
        rect(0, 0, width, height, _PAPER, rx=14),
        group("status", _MARGIN, _MARGIN, _status(scene, width - 2 * _MARGIN)),
        group("board", _MARGIN, _MARGIN + _HEADER, _board(scene)),
        group("agents", _MARGIN + side + _GAP, _MARGIN + _HEADER, _cards(scene, side)),
    ]
    drawn = "\n".join(parts)
    used = {name for name in ICONS.shapes if f'"#{ICONS.id_of(name)}"' in drawn}
    title = f"Pommerman, step {scene.step}: {scene.status}"
    return document(title, width, height, parts, definitions=ICONS.symbols(used))


# ------------------------------------------------------------------------------------------------------ status


def _status(scene: PommermanScene, width: float) -> list[str]:
    """Draw the step, a bar of the time that is gone, and the result once there is one."""
    share = min(scene.step / scene.limit, 1.0) if scene.limit else 1.0
    parts = [
        label(0, 18, 20, f"Step {scene.step}", _INK, bold=True),
        label(width, 18, 14, f"of {scene.limit}", _MUTED, anchor="end"),
        rect(0, 27, width, 5, _SPARE, rx=2.5),
        rect(0, 27, max(width * share, 5), 5, _MUTED, rx=2.5),
    ]
    if scene.status != "running":
        winners = [agent.seat for agent in scene.agents if agent.won]
        colour = _COLOURS[winners[0]] if winners else _INK
        parts.append(label(width / 2, 18, 18, scene.status, colour, anchor="middle", bold=True))
    return parts


# ------------------------------------------------------------------------------------------------------- board


def _board(scene: PommermanScene) -> list[str]:
    side = _CELL * SIDE
    frame = rect(-4, -4, side + 8, side + 8, "#3b424e", rx=6)
    cells = [((row, column), value) for row, values in enumerate(scene.cells) for column, value in enumerate(values)]
    ground = [_cell(scene, place, value) for place, value in cells]
    # Above the ground, so that an agent that walks is not hidden by the next cells.
    pieces = [piece for place, value in cells for piece in _pieces(scene, place, value)]
    return [frame, *ground, *pieces]


def _cell(scene: PommermanScene, place: Place, value: int) -> str:
    """Draw the ground of a cell: a wall, or the floor with a power-up or flames on it."""
    if value in _WALLS:
        parts = [ICONS.use(_WALLS[value], 0, 0, _CELL), *_hidden(scene, place)]
    else:
        burning = value == board.FLAMES
        parts = [rect(0, 0, _CELL, _CELL, _SCORCHED if burning else _FLOOR[sum(place) % 2])]
        if value in _ITEMS:
            parts.append(ICONS.use(_ITEMS[value], 3, 3, _CELL - 6))
        elif burning:
            life = scene.flames.get(place, 0)
            parts.append(ICONS.use("flame", 2, 1, _CELL - 4, class_="flame", opacity=_FLAME_OPACITY[life]))
            parts += _hidden(scene, place)
    return _on_board("cell", place, parts, f"square:{place[0]},{place[1]}")


def _pieces(scene: PommermanScene, place: Place, value: int) -> list[str]:
    """Draw what stands on a cell: an agent, a bomb, or both."""
    bomb = scene.bombs.get(place) if value not in _WALLS else None
    pieces = []
    if value >= board.AGENT:
        seat = value - board.AGENT
        pieces.append(_on_board("piece", place, _figure(seat, small=bomb is not None), f"unit:{seat}"))
    if bomb is not None:
        drawn = _bomb(bomb, small=value != board.BOMB)
        pieces.append(_on_board("piece", place, drawn, f"bomb:{place[0]},{place[1]}"))
    return pieces


def _on_board(kind: str, place: Place, parts: list[str], part: str) -> str:
    return group(kind, place[1] * _CELL, place[0] * _CELL, parts, data_part=part)


def _hidden(scene: PommermanScene, place: Place) -> list[str]:
    """Draw a hidden item, half transparent."""
    kind = scene.items.get(place)
    if kind is None:
        return []
    size = _CELL * 0.46
    inset = (_CELL - size) / 2
    return [ICONS.use(_ITEMS[kind], inset, inset, size, class_="hidden", opacity=0.6)]


def _figure(seat: int, small: bool) -> list[str]:
    size = _CELL * 0.8 if small else _CELL - 2
    return [
        ICONS.use("agent", 1, 1, size, class_="agent", color=_COLOURS[seat]),
        label(1 + size / 2, size * 0.86 + 1, 11, seat + 1, WHITE, anchor="middle", bold=True),
    ]


def _bomb(bomb: BombView, small: bool) -> list[str]:
    """Draw a bomb with its life, ringed in its owner's colour; smaller and in the corner if an agent stands on it."""
    size = _CELL * 0.58 if small else _CELL - 2
    left, top = (_CELL - size, _CELL - size) if small else (1, 1)
    ring = _COLOURS[bomb.owner] if bomb.owner >= 0 else _MUTED
    centre, middle = left + size * 0.48, top + size * 0.58
    parts = [
        circle(centre, middle, size * 0.36, ring),
        ICONS.use("bomb", left, top, size, class_="bomb"),
        label(centre, middle + size * 0.13, size * 0.38, bomb.life, WHITE, anchor="middle", bold=True),
    ]
    if bomb.direction:
        turn = f"rotate({_ARROW_DEGREES[bomb.direction]} 9 9)"
        parts.append(ICONS.use("arrow", 1, 1, 16, transform=turn, class_="rolling"))
    return parts


# ------------------------------------------------------------------------------------------------------- cards


def _cards(scene: PommermanScene, height: float) -> list[str]:
    step = (height - _CARD_HEIGHT) / (len(scene.agents) - 1)
    return [group("card", 0, i * step, _card(agent)) for i, agent in enumerate(scene.agents)]


def _card(agent: AgentView) -> list[str]:
    colour = _COLOURS[agent.seat] if agent.alive else _MUTED
    parts = [
        rect(0, 0, _CARD_WIDTH, _CARD_HEIGHT, WHITE, rx=10, stroke=colour, stroke_width=2.5),
        ICONS.use("agent" if agent.alive else "skull", 10, 12, 56, color=colour),
        label(78, 30, 17, f"Agent {agent.seat + 1}", colour, bold=True),
    ]
    if agent.team is not None:
        parts.append(rect(78, 38, 58, 18, _TEAM_COLOURS[agent.team], rx=9, opacity=0.85))
        parts.append(label(107, 51, 11, f"team {agent.team + 1}", WHITE, anchor="middle", bold=True))
    if agent.won:
        parts.append(ICONS.use("crown", _CARD_WIDTH - 44, 8, 34))
    if not agent.alive:
        return [*parts, label(_CARD_WIDTH - 12, 30, 13, "" if agent.won else "dead", _MUTED, anchor="end")]
    if agent.place is None:
        parts.append(label(_CARD_WIDTH - 12, 30, 13, "out of view", _MUTED, anchor="end"))
    return parts + _possessions(agent)


def _possessions(agent: AgentView) -> list[str]:
    if not agent.known:
        return [label(_CARD_WIDTH / 2, 98, 13, "possessions unknown", _MUTED, anchor="middle")]
    amounts = (("extra-bomb", agent.ammo, "ammo"), ("range", agent.blast, "blast"))
    parts = []
    for column, (name, amount, word) in enumerate(amounts):
        x = 12 + column * 80
        parts += [
            ICONS.use(name, x, 74, 32),
            label(x + 37, 91, 17, amount, _INK, bold=True),
            label(x + 37, 105, 11, word, _MUTED),
        ]
    kick = ICONS.use("kick", 170, 74, 32, opacity=None if agent.kick else 0.2)
    return [*parts, kick, label(206, 96, 11, "kick" if agent.kick else "no", _MUTED)]
