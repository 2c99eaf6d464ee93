"""The terminal drawing of Hero Academy: rich markup that stays readable without colours."""

from __future__ import annotations

import textwrap

from tactician.drawing.markup import styled
from tactician.games.hero_academy.drawing_scene import (
    CRYSTAL_SQUARES,
    NAMES,
    SPECIAL_SQUARES,
    SQUARE_OWNERS,
    HeroAcademyScene,
    PlayerHoldings,
    UnitView,
)


def scene_text(scene: HeroAcademyScene) -> str:
    """Draw the board, its key, a paragraph for each player and the status as rich markup."""
    units = {(unit.x, unit.y): unit for unit in scene.units}
    rule = _MARGIN + "+" + (_CELL * "-" + "+") * scene.width
    lines = [(_MARGIN + "".join(f" {x:^{_CELL}}" for x in range(scene.width))).rstrip(), rule]
    for y, row in enumerate(scene.rows):
        cells = [_cell(symbol, units.get((x, y))) for x, symbol in enumerate(row)]
        lines.append(f"{y:>{len(_MARGIN) - 1}} |" + "|".join(upper for upper, _ in cells) + "|")
        lines += [_MARGIN + "|" + "|".join(lower for _, lower in cells) + "|", rule]
    lines += [_MARGIN + styled(key, "dim") for key in _KEY]
    for player in scene.players:
        lines += _player(player)
    return "\n".join([*lines, _status(scene)])


_CELL = 7
_MARGIN = "   "
_LINE_WIDTH = 80
_HANGING = " " * 10
_STYLES = {1: "bold dodger_blue1", 2: "bold orange_red1"}
_SQUARES = {"d": "»", "D": "«", "S": "■", "A": "▲", "P": "★", "c": "◇", "C": "◇"}
_SQUARE_STYLES = {"S": "green", "A": "yellow", "P": "magenta"}
_FALLEN = "†"
_KEY = (
    "K> player 1  <K player 2  † knocked out  R runemetal S scroll D dragonscale",
    "H helm  »« deploy  ■ defense  ▲ assault  ★ power  ◇ crystal lost",
)


def _cell(symbol: str, unit: UnitView | None) -> tuple[str, str]:
    """Return the two lines of a square: the unit with its hit points; its equipment and the kind of square."""
    mark = _SQUARES.get(symbol, " ")
    owner = SQUARE_OWNERS.get(symbol)
    mark_style = _STYLES[owner] if owner else _SQUARE_STYLES.get(symbol, "")
    if unit is None:
        name = SPECIAL_SQUARES.get(symbol, "")
        return styled(f"{name:^{_CELL}}", "dim"), styled(f"{mark:>{_CELL}}", mark_style)
    if symbol in CRYSTAL_SQUARES:
        mark = " "
    style = _STYLES[unit.owner] + (" dim" if unit.fallen else "")
    hp = f"{_FALLEN}{unit.hp}" if unit.fallen else str(unit.hp)
    upper = f"{_facing(unit)}{hp:>{_CELL - 2}}"
    lower = f" {unit.equipment:<{_CELL - 2}}"
    return styled(upper, style), styled(lower, style) + styled(mark, mark_style)


def _facing(unit: UnitView) -> str:
    return f"{unit.code}>" if unit.owner == 1 else f"<{unit.code}"


def _player(player: PlayerHoldings) -> list[str]:
    head = f"Player {player.number}"
    cards = [NAMES[code] + (f" ×{count}" if count > 1 else "") for code, count in player.hand]
    if player.hidden:
        cards.append(f"{player.hidden} face down")
    health = " + ".join(str(crystal.hp) for crystal in player.crystals) or "none left"
    text = f"{head}  hand: {', '.join(cards) or 'empty'}; deck {player.deck}; crystals {health}"
    lines = textwrap.wrap(text, _LINE_WIDTH, subsequent_indent=_HANGING)
    return [styled(head, _STYLES[player.number]) + lines[0].removeprefix(head), *lines[1:]]


def _status(scene: HeroAcademyScene) -> str:
    owner = scene.to_move or scene.winner
    status = f"Turn {scene.turn:<4} {styled(scene.status, _STYLES[owner] if owner else 'bold')}"
    if not scene.to_move:
        return status
    left, spent = scene.pips
    return f"{status}, AP {scene.ap} {'●' * left}{'○' * spent}"
