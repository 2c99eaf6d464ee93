"""The picture of Pommerman: a stand-alone SVG document, assembled from the icons of the sibling module."""

from __future__ import annotations

from collections.abc import Iterable

from tactician.games.pommerman import board
from tactician.games.pommerman.board import SIDE
from tactician.games.pommerman.drawing_scene import Agent, Bomb, Place, Scene
from tactician.games.pommerman.icons import icon_id, symbols

_CELL = 48
_MARGIN, _HEADER, _GAP = 24, 44, 20
_CARD_WIDTH, _CARD_HEIGHT = 232, 118
_FONT = "Helvetica, Arial, sans-serif"
_PAPER, _INK, _MUTED, _WHITE, _SPARE = "#fbfaf6", "#1d2733", "#5f6873", "#ffffff", "#d8d4c8"
_FLOOR = ("#dfe8cf", "#d3dfc0")
_SCORCHED = "#f4c9a0"
_COLOURS = ("#1f62b5", "#d3402a", "#2c8d4e", "#8a3fa8")
_TEAM_COLOURS = ("#1f62b5", "#d3402a")
_CENTRED, _ENDING, _BOLD = ' text-anchor="middle"', ' text-anchor="end"', ' font-weight="bold"'
_TURNS = (0, 0, 180, 270, 90)
_ITEMS = {board.EXTRA_BOMB: "extra-bomb", board.RANGE: "range", board.KICK: "kick"}
_WALLS = {board.RIGID: "rigid", board.WOOD: "wood", board.FOG: "fog"}
_FADING = (0.45, 0.75, 1.0)


def scene_svg(scene: Scene) -> str:
    """The whole document."""
    side = _CELL * SIDE
    width = 2 * _MARGIN + side + _GAP + _CARD_WIDTH
    height = 2 * _MARGIN + _HEADER + side
    body = [
        _rect(0, 0, width, height, _PAPER, ' rx="14"'),
        _group("status", _MARGIN, _MARGIN, _status(scene, width - 2 * _MARGIN)),
        _group("board", _MARGIN, _MARGIN + _HEADER, _board(scene)),
        _group("agents", _MARGIN + side + _GAP, _MARGIN + _HEADER, _cards(scene, side)),
    ]
    drawn = "\n".join(body)
    used = {name for name in _names() if f'"#{icon_id(name)}"' in drawn}
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img" font-family="{_FONT}">',
            f"<title>Pommerman, step {scene.step}: {scene.status}</title>",
            f"<defs>\n{symbols(used)}\n</defs>",
            drawn,
            "</svg>\n",
        ]
    )


def _names() -> tuple[str, ...]:
    return ("bomb", "flame", "agent", "skull", "crown", "arrow", *_WALLS.values(), *_ITEMS.values())


# --------------------------------------------------------------------------------------------- small elements


def _group(name: str, x: float, y: float, parts: Iterable[str], more: str = "") -> str:
    inner = "\n".join(parts)
    return f'<g class="{name}" transform="translate({x:g} {y:g})"{more}>\n{inner}\n</g>'


def _icon(name: str, x: float, y: float, size: float, more: str = "") -> str:
    return f'<use href="#{icon_id(name)}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"{more}/>'


def _rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{more}/>'


def _label(x: float, y: float, size: float, text: object, fill: str = _INK, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{more}>{text}</text>'


# ------------------------------------------------------------------------------------------------------ status


def _status(scene: Scene, width: float) -> list[str]:
    """The step, how much of the time is gone, and the result once there is one."""
    share = min(scene.step / scene.limit, 1.0) if scene.limit else 1.0
    parts = [
        _label(0, 18, 20, f"Step {scene.step}", _INK, _BOLD),
        _label(width, 18, 14, f"of {scene.limit}", _MUTED, _ENDING),
        _rect(0, 27, width, 5, _SPARE, ' rx="2.5"'),
        _rect(0, 27, max(width * share, 5), 5, _MUTED, ' rx="2.5"'),
    ]
    if scene.status != "running":
        winners = [agent.seat for agent in scene.agents if agent.won]
        colour = _COLOURS[winners[0]] if winners else _INK
        parts.append(_label(width / 2, 18, 18, scene.status, colour, _CENTRED + _BOLD))
    return parts


# ------------------------------------------------------------------------------------------------------- board


def _board(scene: Scene) -> list[str]:
    side = _CELL * SIDE
    frame = _rect(-4, -4, side + 8, side + 8, "#3b424e", ' rx="6"')
    parts = [frame]
    for row, values in enumerate(scene.cells):
        for column, value in enumerate(values):
            parts += _cell(scene, (row, column), value)
    return parts


def _cell(scene: Scene, place: Place, value: int) -> list[str]:
    x, y = place[1] * _CELL, place[0] * _CELL
    if value in _WALLS:
        return [_icon(_WALLS[value], x, y, _CELL), *_hidden(scene, place, x, y)]
    burning = value == board.FLAMES
    parts = [_rect(x, y, _CELL, _CELL, _SCORCHED if burning else _FLOOR[sum(place) % 2])]
    bomb = scene.bombs.get(place)
    if value in _ITEMS:
        parts.append(_icon(_ITEMS[value], x + 3, y + 3, _CELL - 6))
    elif burning:
        life = scene.flames.get(place, 0)
        parts.append(_icon("flame", x + 2, y + 1, _CELL - 4, f' class="flame" opacity="{_FADING[life]:g}"'))
        parts += _hidden(scene, place, x, y)
    elif value >= board.AGENT:
        parts += _figure(value - board.AGENT, x, y, small=bomb is not None)
    if bomb is not None:
        parts += _bomb(bomb, x, y, small=value != board.BOMB)
    return parts


def _hidden(scene: Scene, place: Place, x: float, y: float) -> list[str]:
    """A hidden item shines through."""
    kind = scene.items.get(place)
    if kind is None:
        return []
    size = _CELL * 0.46
    inset = (_CELL - size) / 2
    return [_icon(_ITEMS[kind], x + inset, y + inset, size, ' class="hidden" opacity="0.6"')]


def _figure(seat: int, x: float, y: float, small: bool) -> list[str]:
    size = _CELL * 0.8 if small else _CELL - 2
    left = x + 1
    return [
        _icon("agent", left, y + 1, size, f' class="agent" color="{_COLOURS[seat]}"'),
        _label(left + size / 2, y + size * 0.86 + 1, 11, seat, _WHITE, _CENTRED + _BOLD),
    ]


def _bomb(bomb: Bomb, x: float, y: float, small: bool) -> list[str]:
    """A bomb with its remaining life, ringed in its owner's colour; under an agent it peeps out at the corner."""
    size = _CELL * 0.58 if small else _CELL - 2
    left, top = (x + _CELL - size, y + _CELL - size) if small else (x + 1, y + 1)
    ring = _COLOURS[bomb.owner] if bomb.owner >= 0 else _MUTED
    centre, middle = left + size * 0.48, top + size * 0.58
    parts = [
        f'<circle cx="{centre:g}" cy="{middle:g}" r="{size * 0.36:g}" fill="{ring}"/>',
        _icon("bomb", left, top, size, ' class="bomb"'),
        _label(centre, middle + size * 0.13, size * 0.38, bomb.life, _WHITE, _CENTRED + _BOLD),
    ]
    if bomb.direction:
        turn = f' transform="rotate({_TURNS[bomb.direction]} {x + 9:g} {y + 9:g})" class="rolling"'
        parts.append(_icon("arrow", x + 1, y + 1, 16, turn))
    return parts


# ------------------------------------------------------------------------------------------------------- cards


def _cards(scene: Scene, height: float) -> list[str]:
    step = (height - _CARD_HEIGHT) / (len(scene.agents) - 1)
    return [_group("card", 0, i * step, _card(agent)) for i, agent in enumerate(scene.agents)]


def _card(agent: Agent) -> list[str]:
    colour = _COLOURS[agent.seat] if agent.alive else _MUTED
    parts = [
        _rect(0, 0, _CARD_WIDTH, _CARD_HEIGHT, _WHITE, f' rx="10" stroke="{colour}" stroke-width="2.5"'),
        _icon("agent" if agent.alive else "skull", 10, 12, 56, f' color="{colour}"'),
        _label(78, 30, 17, f"Agent {agent.seat}", colour, _BOLD),
    ]
    if agent.team is not None:
        parts.append(_rect(78, 38, 58, 18, _TEAM_COLOURS[agent.team], ' rx="9" opacity="0.85"'))
        parts.append(_label(107, 51, 11, f"team {agent.team}", _WHITE, _CENTRED + _BOLD))
    if agent.won:
        parts.append(_icon("crown", _CARD_WIDTH - 44, 8, 34))
    if not agent.alive:
        return [*parts, _label(_CARD_WIDTH - 12, 30, 13, "" if agent.won else "dead", _MUTED, _ENDING)]
    if agent.place is None:
        parts.append(_label(_CARD_WIDTH - 12, 30, 13, "out of view", _MUTED, _ENDING))
    return parts + _possessions(agent)


def _possessions(agent: Agent) -> list[str]:
    if not agent.known:
        return [_label(_CARD_WIDTH / 2, 98, 13, "possessions unknown", _MUTED, _CENTRED)]
    amounts = (("extra-bomb", agent.ammo, "ammo"), ("range", agent.blast, "blast"))
    parts = []
    for column, (name, amount, word) in enumerate(amounts):
        x = 12 + column * 80
        parts += [
            _icon(name, x, 74, 32),
            _label(x + 37, 91, 17, amount, _INK, _BOLD),
            _label(x + 37, 105, 11, word, _MUTED),
        ]
    lit = "" if agent.kick else ' opacity="0.2"'
    return [*parts, _icon("kick", 170, 74, 32, lit), _label(206, 96, 11, "kick" if agent.kick else "no", _MUTED)]
