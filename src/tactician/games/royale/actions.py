"""Actions as codes, names and JSON: wait, reserve a card, deploy a card on a tile of the own frame."""

from __future__ import annotations

from typing import Any

from tactician.contract import inline_helper
from tactician.contract.reading import integer
from tactician.errors import InvalidStateError, UnknownNameError, short
from tactician.games.royale.arena import COLUMNS, DECK, ELIXIR, ROWS, TILES, global_place, tile_at, tile_centre
from tactician.games.royale.records import NO_CARD
from tactician.games.royale.tables import names_of

WAIT = 0
RESERVE = 1
"""Reserving card c is action RESERVE + c."""
DEPLOY = RESERVE + DECK
"""Deploying card c on tile t is action DEPLOY + 576 c + t."""
CODES = DEPLOY + DECK * TILES


@inline_helper
def deployment_code(card: Any, tile: Any) -> Any:
    """The code of a deployment."""
    return DEPLOY + card * TILES + tile


def to_json(g: Any, action: int) -> Any:
    """`"wait"`, `["reserve", card]`, or `["deploy", card, column, row]`."""
    names = names_of(g)
    if action == WAIT:
        return "wait"
    if RESERVE <= action < DEPLOY:
        return ["reserve", names[action - RESERVE]]
    if not DEPLOY <= action < CODES:
        raise InvalidStateError(f"action is {action}; expected an integer from 0 to {CODES - 1}.")
    card, tile = divmod(action - DEPLOY, TILES)
    return ["deploy", names[card], tile % COLUMNS, tile // COLUMNS]


def from_json(g: Any, data: Any) -> int:
    """Reads it back; a plain number is the code itself."""
    if data == "wait":
        return WAIT
    if type(data) is int and 0 <= data < CODES:
        return data
    if isinstance(data, list) and len(data) == 2 and data[0] == "reserve":
        return RESERVE + card_named(g, data[1])
    if isinstance(data, list) and len(data) == 4 and data[0] == "deploy":
        column = integer("column", data[2], 0, COLUMNS - 1)
        row = integer("row", data[3], 0, ROWS - 1)
        return int(deployment_code(card_named(g, data[1]), row * COLUMNS + column))
    raise InvalidStateError(
        f'action is {short(data)}; expected "wait", ["reserve", card] or ["deploy", card, column, row].'
    )


def card_named(g: Any, name: Any) -> int:
    """Return the place of a card in the deck."""
    names = names_of(g)[:DECK]
    if name not in names:
        raise UnknownNameError("card", str(name), names)
    return names.index(name)


def name(g: Any, s: Any, action: int) -> str:
    """'wait', 'reserve Giant', 'Knight at 3,14'."""
    written = to_json(g, action)
    if isinstance(written, str):
        return written
    if len(written) == 2:
        return f"reserve {written[1]}"
    return f"{written[1]} at {written[2]},{written[3]}"


def parts(g: Any, s: Any, player: int, action: int) -> list[str]:
    """Return what an action points at in the drawing: a card in the hand, then the tile it is deployed on."""
    if action == WAIT:
        return []
    card, tile = divmod(action - DEPLOY, TILES) if action >= DEPLOY else (action - RESERVE, None)
    slots = [slot for slot, held in enumerate(s.hand[player].tolist()) if held == card]
    if not slots:
        return []
    shown = f"card:{player}:{slots[0]}"
    if tile is None:
        return [shown]
    column, row = tile_at(*global_place(player, tile_centre(tile)))
    return [shown, f"square:{column},{row}"]


def why_illegal(g: Any, s: Any, player: int, action: int) -> str:
    """Return why a player can't wait for or deploy a card."""
    if not 0 <= action < CODES:
        return f"codes go from 0 to {CODES - 1}"
    if s.reserved[player] != NO_CARD:
        return f"it waits for {names_of(g)[s.reserved[player]]} and can only wait"
    card, tile = divmod(action - DEPLOY, TILES) if action >= DEPLOY else (action - RESERVE, None)
    held = [names_of(g)[one] for one in s.hand[player].tolist() if one != NO_CARD]
    if card not in s.hand[player].tolist():
        return f"the card is not in hand; the hand is {', '.join(held) or 'empty'}"
    affordable = s.elixir[player] >= g.cost[card]
    if tile is None:
        return "the card can be deployed already" if affordable else ""
    if not affordable:
        cost, elixir = g.cost[card] / ELIXIR, s.elixir[player] / ELIXIR
        return f"it costs {cost:g} elixir and there is {elixir:.1f}"
    if g.is_spell[card] == 0 and tile not in _troop_tiles(g, s, player):
        return "expected a free tile of the own side, or of a pocket that a fallen tower has opened"
    return "there is no room for more units"


def _troop_tiles(g: Any, s: Any, player: int) -> list[int]:
    from tactician.games.royale.deployment import tile_variant  # which needs the codes above

    variant = tile_variant(s, player)
    return g.troop_tiles[variant, : g.n_troop_tiles[variant]].tolist()
