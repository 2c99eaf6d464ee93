"""The SVG drawing of Royale: the clock, the arena with the second player on top, and a panel for each player beside it.

Everything that a page may point at carries `data-part`: `square:column,row` (in the global frame), `tower:player:slot`,
`unit:player:uid`, `spell:player:number` and `card:player:slot`.
"""

from __future__ import annotations

from functools import cache

from tactician.drawing.svg import PLAYER_COLOURS, WHITE, Attribute, circle, document, element, group, label, path, rect
from tactician.games.royale.arena import (
    BRIDGE_HALF,
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    COLUMNS,
    ELIXIR,
    HEIGHT,
    KING,
    MOST_ELIXIR,
    MOST_TICKS,
    REGULAR_TICKS,
    RIVER_BOTTOM,
    RIVER_TOP,
    ROWS,
    TICKS_A_SECOND,
    TILE,
)
from tactician.games.royale.drawing_scene import CardView, PlayerView, RoyaleScene, SpellView, TowerView, TroopView

_TILE = 22
_MARGIN, _HEADER, _GAP, _PANEL, _PANEL_HEIGHT = 20, 46, 20, 264, 212
_WIDTH, _HEIGHT = _TILE * COLUMNS, _TILE * ROWS
_PAPER, _INK, _MUTED, _SPARE = "#fbfaf6", "#1d2733", "#5f6873", "#d8d4c8"
_GRASS = ("#cfe3b1", "#c6dca6")
_RIVER, _PLANK, _STONE, _RUBBLE = "#7db9de", "#b98b57", "#8b8f98", "#a9a59b"
_LIGHT = ("#dbe7f6", "#f9ddd8")
_ELIXIR = "#a337b8"
_HEALTH = ("#2f9e44", "#e8a100", "#d3402a")
_HEALTH_SHARES = (0.5, 0.25)
_CROWN = "M-9 6 L-11 -6 L-4 0 L0 -9 L4 0 L11 -6 L9 6 Z"
_CROWN_SYMBOL = element(
    "symbol", path(_CROWN, fill="#f2c230", stroke="#8a6a00", stroke_width=1), id="ry-crown", overflow="visible"
)
_RUBBLE_PLACES = ((-0.5, 0.3), (0.4, 0.4), (0, -0.4))
"""In radii of the tower."""
_MOST_ELIXIR = MOST_ELIXIR // ELIXIR
_CARD_WIDTH, _CARD_HEIGHT = 60, 74
_OUTLINE: dict[str, Attribute] = {"stroke": WHITE, "stroke_width": 3, "paint_order": "stroke"}
"""Of text that stands on other things."""


def scene_svg(scene: RoyaleScene) -> str:
    """Draw the whole document."""
    width = 2 * _MARGIN + _WIDTH + _GAP + _PANEL
    height = 2 * _MARGIN + _HEADER + _HEIGHT
    beside = _MARGIN + _WIDTH + _GAP
    top = _MARGIN + _HEADER
    parts = [
        rect(0, 0, width, height, _PAPER, rx=14),
        group("status", _MARGIN, _MARGIN, _status(scene, width - 2 * _MARGIN)),
        group("arena", _MARGIN, top, _arena(scene)),
        group("player", beside, top, _panel(scene.players[1])),
        group("player", beside, top + _HEIGHT - _PANEL_HEIGHT, _panel(scene.players[0])),
        group("key", beside, top + _HEIGHT / 2, _key(scene)),
    ]
    return document(f"Royale, {scene.clock} left: {scene.status}", width, height, parts, definitions=_CROWN_SYMBOL)


# ------------------------------------------------------------------------------------------------------ status


def _status(scene: RoyaleScene, width: float) -> list[str]:
    """Draw the time left, the crowns that both players have won, and a bar of the time that is gone."""
    share = scene.tick / MOST_TICKS
    parts = [
        label(0, 20, 22, scene.clock, _INK, bold=True),
        label(92, 20, 14, scene.phase, _ELIXIR, bold=True),
        rect(0, 30, width, 5, _SPARE, rx=2.5),
        rect(0, 30, max(width * share, 5), 5, _MUTED, rx=2.5),
        rect(width * REGULAR_TICKS / MOST_TICKS - 1, 27, 2, 11, _INK),
    ]
    if scene.over:
        winner = next((player.seat for player in scene.players if player.won), None)
        colour = _INK if winner is None else PLAYER_COLOURS[winner]
        parts.append(label(width / 2, 20, 20, scene.status, colour, anchor="middle", bold=True))
    for seat, place in ((0, width - 118), (1, width - 46)):
        crowns = scene.players[1 - seat].crowns_lost
        parts.append(element("use", href="#ry-crown", x=place, y=13))
        parts.append(label(place + 17, 20, 18, crowns, PLAYER_COLOURS[seat], bold=True))
    return parts


# ------------------------------------------------------------------------------------------------------- arena


def _arena(scene: RoyaleScene) -> list[str]:
    parts = [_ground()]
    parts += [_tower(tower) for player in scene.players for tower in player.towers]
    spells = dict.fromkeys(range(len(scene.players)), 0)
    for spell in scene.spells:
        parts.append(_spell(spell, spells[spell.owner]))
        spells[spell.owner] += 1
    parts += [_aim(troop) for troop in scene.troops if troop.aim is not None]
    # The flying ones are above the others.
    parts += [_troop(troop) for troop in sorted(scene.troops, key=lambda troop: troop.air)]
    return parts


@cache
def _ground() -> str:
    """Draw the frame, all squares and the bridges, which are the same in every picture."""
    parts = [rect(-4, -4, _WIDTH + 8, _HEIGHT + 8, "#3b424e", rx=6)]
    parts += [_square(column, row) for row in reversed(range(ROWS)) for column in range(COLUMNS)]
    for centre in (BRIDGE_LEFT, BRIDGE_RIGHT):
        parts += _bridge(centre)
    return "\n".join(parts)


def _at(x: float, y: float) -> tuple[float, float]:
    """Return where a place of the arena is in the picture."""
    return round(x * _TILE / TILE, 1), round((HEIGHT - y) * _TILE / TILE, 1)


def _square(column: int, row: int) -> str:
    x, y = _at(column * TILE, (row + 1) * TILE)
    in_river = RIVER_BOTTOM <= row * TILE < RIVER_TOP
    fill = _RIVER if in_river else _GRASS[(column + row) % 2]
    return rect(x, y, _TILE, _TILE, fill, data_part=f"square:{column},{row}")


def _bridge(centre: int) -> list[str]:
    left, top = _at(centre - BRIDGE_HALF, RIVER_TOP)
    right, bottom = _at(centre + BRIDGE_HALF, RIVER_BOTTOM)
    width, height = right - left, bottom - top
    deck = rect(left, top - 3, width, height + 6, _PLANK, rx=3, pointer_events="none")
    planks = [
        rect(left, top + offset, width, 1.5, "#8f6637", pointer_events="none") for offset in range(4, round(height), 9)
    ]
    return [deck, *planks]


def _tower(tower: TowerView) -> str:
    x, y = _at(tower.x, tower.y)
    radius = tower.radius * _TILE / TILE
    part = f"tower:{tower.owner}:{tower.slot}"
    if tower.hp == 0:
        rubble = [circle(dx * radius, dy * radius, radius * 0.32, _RUBBLE) for dx, dy in _RUBBLE_PLACES]
        return group("tower fallen", x, y, rubble, data_part=part)
    side = 2.1 * radius
    parts = [
        rect(-side / 2, -side / 2, side, side, _STONE, rx=5, stroke="#5a5e66", stroke_width=1.5),
        circle(0, 0, radius * 0.72, PLAYER_COLOURS[tower.owner], stroke=WHITE, stroke_width=1.5),
    ]
    if tower.slot == KING:
        parts.append(element("use", href="#ry-crown", y=-1, opacity=0.45 if tower.asleep else None))
        if tower.asleep:
            parts.append(label(13, -14, 12, "z", WHITE, bold=True))
    below = tower.owner == 0
    bar = side / 2 + 4 if below else -side / 2 - 9
    parts += _health(tower.hp / tower.most, 0, bar, side + 6)
    parts.append(label(0, bar + (17 if below else -4), 11, tower.hp, _INK, anchor="middle", bold=True, **_OUTLINE))
    return group("tower", x, y, parts, data_part=part)


def _health(share: float, x: float, y: float, width: float) -> list[str]:
    """Draw a bar of the hit points that are left, its middle at x."""
    level = sum(share <= limit for limit in _HEALTH_SHARES)
    return [
        rect(x - width / 2 - 1, y - 1, width + 2, 6, _INK, rx=2, opacity=0.75),
        rect(x - width / 2, y, max(1.0, round(width * share, 1)), 4, _HEALTH[level], rx=1.5),
    ]


def _spell(spell: SpellView, number: int) -> str:
    """Draw the circle that a spell is about to strike, with the ticks until then."""
    x, y = _at(spell.x, spell.y)
    colour = PLAYER_COLOURS[spell.owner]
    radius = spell.radius * _TILE / TILE
    parts = [
        circle(0, 0, radius, colour, opacity=0.16),
        circle(0, 0, radius, "none", stroke=colour, stroke_width=2, stroke_dasharray="6 4"),
        label(0, -2, 13, spell.name, colour, anchor="middle", bold=True, **_OUTLINE),
        label(0, 13, 12, f"in {spell.ticks / TICKS_A_SECOND:.1f} s", colour, anchor="middle", bold=True, **_OUTLINE),
    ]
    return group("spell", x, y, parts, pointer_events="none", data_part=f"spell:{spell.owner}:{number}")


def _aim(troop: TroopView) -> str:
    assert troop.aim is not None
    (x1, y1), (x2, y2) = _at(troop.x, troop.y), _at(*troop.aim)
    colour = PLAYER_COLOURS[troop.owner]
    return element(
        "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=1.4, stroke_dasharray="2 3", opacity=0.7
    )


def _troop(troop: TroopView) -> str:
    """Draw a troop: a disc with two letters, wings if it flies, pale while it deploys; hit points above it."""
    x, y = _at(troop.x, troop.y)
    colour, radius = PLAYER_COLOURS[troop.owner], max(troop.radius * _TILE / TILE, 10.5)
    body = []
    if troop.air:
        wing = f"M0 -3 L{radius * 1.75:g} {-radius * 0.75:g} L{radius * 1.2:g} {radius * 0.7:g} Z"
        body += [path(wing, fill=colour, opacity=0.55), path(wing, fill=colour, opacity=0.55, transform="scale(-1 1)")]
    dashes = "3 2" if troop.deploying else None
    body += [
        circle(0, 0, radius, _LIGHT[troop.owner], stroke=colour, stroke_width=2.5, stroke_dasharray=dashes),
        label(0, 4, 11 if radius < 13 else 13, troop.code, colour, anchor="middle", bold=True),
    ]
    parts = [element("g", "".join(body), opacity=0.55 if troop.deploying else None)]
    parts += _health(troop.hp / troop.most, 0, -radius - 8, max(2 * radius, 20))
    name = element("title", f"{troop.name} of player {troop.owner + 1}: {troop.hp} of {troop.most}")
    return group("unit", x, y, [name, *parts], data_part=f"unit:{troop.owner}:{troop.uid}")


# ------------------------------------------------------------------------------------------------------ panels


def _key(scene: RoyaleScene) -> list[str]:
    """Draw the two letters and the name of each troop, in two columns around the middle."""
    rows = -(-len(scene.codes) // 2)
    parts = []
    for i, (code, name) in enumerate(scene.codes):
        x, y = 14 + _PANEL / 2 * (i // rows), 26 * (i % rows) - 13 * (rows - 1)
        parts.append(circle(x + 6, y - 4, 11, "none", stroke=_MUTED, stroke_width=1.5))
        parts.append(label(x + 6, y, 11, code, _MUTED, anchor="middle", bold=True))
        parts.append(label(x + 24, y, 13, name, _MUTED))
    return parts


def _panel(player: PlayerView) -> list[str]:
    colour = PLAYER_COLOURS[player.seat]
    parts = [
        rect(0, 0, _PANEL, _PANEL_HEIGHT, WHITE, rx=10, stroke=colour, stroke_width=2.5),
        label(14, 28, 18, f"Player {player.seat + 1}", colour, bold=True),
    ]
    if player.won:
        parts.append(element("use", href="#ry-crown", x=_PANEL - 26, y=22))
    elif player.last_action:
        parts.append(label(_PANEL - 14, 27, 12, player.last_action, _MUTED, anchor="end"))
    parts += _elixir(player)
    for slot, card in enumerate(player.hand):
        parts.append(_card(card, 14 + slot * (_CARD_WIDTH - 1), 84, f"card:{player.seat}:{slot}"))
    following = player.next_card
    text = "next: ?" if following.name is None else f"next: {following.name} ({following.cost})"
    parts.append(label(14, 188, 13, text, _MUTED))
    return parts


def _elixir(player: PlayerView) -> list[str]:
    """Draw ten cells that fill with elixir."""
    width = (_PANEL - 28 - 34) / _MOST_ELIXIR
    if player.elixir is None:
        return [label(14, 62, 13, "elixir unknown", _MUTED)]
    parts = []
    for cell in range(_MOST_ELIXIR):
        x = 14 + cell * width
        share = min(max(player.elixir - cell, 0.0), 1.0)
        parts.append(rect(round(x, 1), 50, round(width - 2, 1), 14, _SPARE, rx=3))
        if share > 0:
            parts.append(rect(round(x, 1), 50, round((width - 2) * share, 1), 14, _ELIXIR, rx=3))
    return [*parts, label(_PANEL - 14, 62, 15, f"{player.elixir:.1f}", _ELIXIR, anchor="end", bold=True)]


def _card(card: CardView, x: float, y: float, part: str) -> str:
    width = _CARD_WIDTH - 7
    if card.name is None:
        hidden = [
            rect(0, 0, width, _CARD_HEIGHT, _SPARE, rx=6),
            label(width / 2, _CARD_HEIGHT / 2 + 8, 22, "?", _MUTED, anchor="middle", bold=True),
        ]
        return group("card", x, y, hidden, data_part=part)
    ink = _INK if card.affordable else _MUTED
    border = _ELIXIR if card.affordable or card.reserved else _SPARE
    parts = [
        rect(
            0, 0, width, _CARD_HEIGHT, "#f7eefa" if card.affordable else "#f4f2ec", rx=6, stroke=border, stroke_width=2
        ),
        circle(width / 2, 17, 11, _ELIXIR, opacity=None if card.affordable else 0.4),
        label(width / 2, 22, 13, card.cost, WHITE, anchor="middle", bold=True),
    ]
    words = card.name.split() if len(card.name) > 9 else [card.name]
    for line, word in enumerate(words[:2]):
        parts.append(label(width / 2, 46 + 12 * line, 9, word[:9], ink, anchor="middle", bold=True))
    if card.reserved:
        parts.append(label(width / 2, _CARD_HEIGHT - 5, 9, "waits", _ELIXIR, anchor="middle", bold=True))
    return group("card", x, y, parts, data_part=part)
