"""The terminal drawing of Royale: rich markup that stays readable without colours."""

from __future__ import annotations

from itertools import zip_longest

from tactician.drawing.markup import styled
from tactician.games.royale.arena import (
    BRIDGE_HALF,
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    COLUMNS,
    FOOTPRINTS,
    RIVER_BOTTOM,
    RIVER_TOP,
    ROWS,
    tile_at,
    tile_centre,
)
from tactician.games.royale.drawing_scene import CardView, PlayerView, RoyaleScene, TowerView, TroopView

_STYLES = ("bold dodger_blue1", "bold orange_red1")
_BAR = 8
_TOWERS = ("left", "right", "king")
_KEY = (
    "KN troop of player 1   kn troop of player 2   K2 two in one tile   ** impact of a spell",
    "██ tower   ░░ fallen tower   ~~ river   == bridge   tiles are column,row from below",
)


def scene_text(scene: RoyaleScene) -> str:
    """Draw the arena with the second player on top, and beside it what players hold and what the troops are."""
    board = _board(scene)
    beside = [*_player(scene, 1), "", *_troops(scene, 1), "", *_troops(scene, 0), "", *_player(scene, 0)]
    lines = [f"{left}   {right}".rstrip() for left, right in zip_longest(board, beside, fillvalue=" " * 39)]
    head = f"{scene.clock} left{', ' + scene.phase if scene.phase else ''}, {scene.status}"
    return "\n".join([styled(head, "bold"), *lines, *(styled(key, "dim") for key in _KEY)])


# ------------------------------------------------------------------------------------------------------- arena


def _board(scene: RoyaleScene) -> list[str]:
    cells = {(column, row): _ground(column, row) for row in range(ROWS) for column in range(COLUMNS)}
    for player in scene.players:
        for tower in player.towers:
            cells |= _tower(tower)
    for spell in scene.spells:
        cells[tile_at(spell.x, spell.y)] = styled("**", _STYLES[spell.owner] + " reverse")
    for tile, troops in _by_tile(scene.troops).items():
        cells[tile] = styled(_mark(troops), _STYLES[troops[0].owner])
    rows = [f"{row:>2} " + "".join(cells[column, row] for column in range(COLUMNS)) for row in reversed(range(ROWS))]
    return [*rows, "   " + "".join(f"{column:<2}" for column in range(COLUMNS))]


def _ground(column: int, row: int) -> str:
    x, y = tile_centre(row * COLUMNS + column)
    if not RIVER_BOTTOM <= y <= RIVER_TOP:
        return styled("· ", "grey35")
    on_bridge = min(abs(x - BRIDGE_LEFT), abs(x - BRIDGE_RIGHT)) <= BRIDGE_HALF
    return styled("==", "dark_orange3") if on_bridge else styled("~~", "blue")


def _tower(tower: TowerView) -> dict[tuple[int, int], str]:
    (left, right), (bottom, top) = FOOTPRINTS[tower.slot]
    drawn = styled("██" if tower.hp else "░░", _STYLES[tower.owner])
    tiles = [(column, row) for column in range(left, right + 1) for row in range(bottom, top + 1)]
    if tower.owner == 1:
        tiles = [(COLUMNS - 1 - column, ROWS - 1 - row) for column, row in tiles]
    return dict.fromkeys(tiles, drawn)


def _by_tile(troops: tuple[TroopView, ...]) -> dict[tuple[int, int], list[TroopView]]:
    found: dict[tuple[int, int], list[TroopView]] = {}
    for troop in troops:
        found.setdefault(tile_at(troop.x, troop.y), []).append(troop)
    return found


def _mark(troops: list[TroopView]) -> str:
    first = troops[0]
    mark = first.code if len(troops) == 1 else first.code[0] + (str(len(troops)) if len(troops) < 10 else "+")
    return mark.upper() if first.owner == 0 else mark.lower()


# ------------------------------------------------------------------------------------------------------ beside


def _player(scene: RoyaleScene, seat: int) -> list[str]:
    player = scene.players[seat]
    name = styled(f"Player {seat + 1}", _STYLES[seat]) + (", has won" if player.won else "")
    towers = "   ".join(
        f"{_TOWERS[tower.slot]} {tower.hp or 'fallen'}{' asleep' if tower.hp and tower.asleep else ''}"
        for tower in player.towers
    )
    action = f"last: {player.last_action}" if player.last_action else ""
    hand = ", ".join(_card(card) for card in player.hand)
    following = player.next_card.name or "?"
    return [
        f"{name}   {_elixir(player)}   {action}".rstrip(),
        f"towers: {towers}",
        f"hand: {hand}",
        f"next: {following}",
    ]


def _elixir(player: PlayerView) -> str:
    return "elixir ?" if player.elixir is None else f"elixir {player.elixir:.1f}"


def _card(card: CardView) -> str:
    if card.name is None:
        return "?"
    text = f"{card.name} {card.cost}{' (waits for it)' if card.reserved else ''}"
    return text if card.affordable else styled(text, "dim")


def _troops(scene: RoyaleScene, seat: int) -> list[str]:
    lines = []
    for troop in scene.troops:
        if troop.owner == seat:
            column, row = tile_at(troop.x, troop.y)
            code = troop.code.upper() if seat == 0 else troop.code.lower()
            full = max(1, round(_BAR * troop.hp / troop.most))
            state = "deploying" if troop.deploying else f"strikes at {_tile(troop.aim)}" if troop.aim else ""
            bar = "▮" * full + "▯" * (_BAR - full)
            line = f" {column:>2},{row:<2} {bar} {troop.hp:>4} {troop.name} {state}"
            lines.append(styled(code, _STYLES[seat]) + line.rstrip())
    return lines


def _tile(place: tuple[int, int]) -> str:
    column, row = tile_at(*place)
    return f"{column},{row}"
