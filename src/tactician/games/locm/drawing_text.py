"""The terminal drawing of Legends of Code and Magic: rich markup of at most 100 columns, readable without colours."""

from __future__ import annotations

from itertools import zip_longest

from tactician.drawing.markup import styled
from tactician.games.locm.cards import KIND_NAMES, ability_text
from tactician.games.locm.drawing_scene import CardView, LocmScene, PlayerView, effects, shorten

WIDTH = 100


def scene_text(scene: LocmScene) -> str:
    """Draw the status, the upper player, the lanes side by side and the lower player as rich markup."""
    upper, lower = scene.players[scene.top], scene.players[scene.bottom]
    column = (WIDTH - scene.lanes - 1) // scene.lanes
    rule = "+" + "+".join("-" * column for _ in range(scene.lanes)) + "+"
    names = "|".join(styled(f"{scene.lane_name(lane):^{column}}", "dim") for lane in range(scene.lanes))
    lines = [_status(scene), "", *_player(upper, scene.top, scene), rule]
    lines += _lane_rows(upper, scene.top, scene.lanes, column)
    lines += [f"|{names}|"]
    lines += _lane_rows(lower, scene.bottom, scene.lanes, column)
    lines += [rule, *_player(lower, scene.bottom, scene), styled(_KEY, "dim")]
    return "\n".join(lines)


_SEAT_STYLES = ("bold dodger_blue1", "bold orange_red1")
_KIND_STYLES = ("", "green", "red", "blue")
_KEY = "* can attack   B breakthrough  C charge  D drain  G guard  L lethal  W ward   own, enemy: HP"
_EFFECT_WORDS = {"heart": "own", "wound": "enemy", "draw": "draw", "area": "area"}
_LEAST_ROWS = 3
_INDENT = "  "


def _status(scene: LocmScene) -> str:
    seat = scene.winner if scene.to_move is None else scene.to_move
    style = "bold" if seat is None else _SEAT_STYLES[seat]
    return f"Turn {scene.turn}: {styled(scene.status, style)}"


def _player(player: PlayerView, seat: int, scene: LocmScene) -> list[str]:
    """Write a player's figures and hand; the hand is on the side away from the board."""
    facts = [f"HP {player.hp}"]
    if player.rune is not None:
        facts.append(f"rune {player.rune}" if player.rune else "no rune")
    facts += [f"mana {player.mana}/{player.max_mana}", f"deck {player.deck}", f"next draw {player.next_draw}"]
    name = styled(f"{shorten(player.name, WIDTH // 3):<12}", _SEAT_STYLES[seat])
    head = f"{name}  {'   '.join(facts)}"
    hand = _hand(player)
    return [*hand, head] if seat == scene.top else [head, *hand]


def _hand(player: PlayerView) -> list[str]:
    if player.hand is None:
        plural = "" if player.hand_size == 1 else "s"
        return [f"{_INDENT}hand: {player.hand_size} hidden card{plural}"]
    return [_INDENT + _hand_card(card) for card in player.hand] or [f"{_INDENT}hand: empty"]


def _hand_card(card: CardView) -> str:
    attack, defense = card.stats
    name = styled(f"{shorten(card.name, 24):<24}", _KIND_STYLES[card.kind])
    figures = f"{KIND_NAMES[card.kind]:<8} {attack:>3}/{defense:<3} {ability_text(card.abilities)}"
    more = ", ".join(f"{_EFFECT_WORDS[what]} {much}" for what, much in effects(card))
    return f"{_identity(card)}({card.cost:>2}) {name} {figures}  {more}".rstrip()


def _lane_rows(player: PlayerView, seat: int, lanes: int, width: int) -> list[str]:
    """Write one line for each creature, the lanes side by side."""
    rows = zip_longest(*(player.lanes[lane] if lane < len(player.lanes) else () for lane in range(lanes)))
    lines = [[_creature(card, seat, width) for card in row] for row in rows]
    lines += [[" " * width] * lanes for _ in range(_LEAST_ROWS - len(lines))]
    return ["|" + "|".join(cells) + "|" for cells in lines]


def _creature(card: CardView | None, seat: int, width: int) -> str:
    if card is None:
        return " " * width
    attack, defense = card.stats
    mark = "*" if card.can_attack else " "
    figures = f" ({card.cost}) {attack:>2}/{defense:<2} {ability_text(card.abilities)} "
    head = f" {mark} {_identity(card)}"
    name = shorten(card.name, width - len(head) - len(figures))
    return head + styled(name, _SEAT_STYLES[seat]) + " " * (width - len(head) - len(name) - len(figures)) + figures


def _identity(card: CardView) -> str:
    return "" if card.instance is None else f"#{card.instance:<3} "
