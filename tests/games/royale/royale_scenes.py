"""Battles set up by hand: units at given places, played tick by tick."""

from __future__ import annotations

from functools import cache
from typing import Any

from tactician.contract import Game, State
from tactician.games.royale import royale
from tactician.games.royale.cards import load_cards

CARDS = load_cards()
NAMES = ("Knight", "Giant", "Archers", "Arrows", "Minions", "Fireball", "Musketeer", "Baby Dragon")
FULL = 280
SILENT = 30_000
"""Ticks to the next strike of a tower that must not interfere."""


@cache
def game(**options: Any) -> Game:
    return royale(**options)


@cache
def ticking() -> Game:
    """The game with a decision in every tick, so that scenes can be looked at in between."""
    return royale(step_ticks=1)


def unit(card: str, x: int, y: int, uid: int = 3, **changes: int) -> list[Any]:
    """An active unit as the JSON form has it."""
    found = CARDS[card]
    parts = {"hp": found.hp, "cooldown": found.first_hit_ticks, "deploying": 0, "uid": uid, "target": -1}
    return [card, x, y, *(parts | changes).values()]


def scene(
    own: list[tuple[str, int, int]] | None = None,
    enemy: list[tuple[str, int, int]] | None = None,
    *,
    silent: bool = False,
    elixir: int = FULL,
    tick: int = 0,
    of: Game | None = None,
) -> State:
    """A fresh battle with active units of player 0 and of player 1 at global places."""
    data = (of or ticking()).initial_state(seed=1).to_json()
    data["t"] = tick
    for player, units in zip(data["players"], (own or [], enemy or []), strict=True):
        player["elixir"] = elixir
        player["troops"] = [unit(card, x, y, uid) for uid, (card, x, y) in enumerate(units, 3)]
        player["next_uid"] = 3 + len(units)
        if silent:
            for tower in player["towers"]:
                tower[1] = SILENT
    return (of or ticking()).state_from_json(data)


def changed(state: State, player: int, **fields: Any) -> State:
    """A state with other fields of one player."""
    data = state.to_json()
    data["players"][player].update(fields)
    return state.game.state_from_json(data)


def holding(state: State, player: int, *cards: str) -> State:
    """A state in which a player has certain cards in hand; the others fill it up."""
    rest = [card for card in NAMES if card not in cards]
    order = [*cards, *rest]
    return changed(state, player, hand=order[:4], queue=order[4:], reserved=None)


def deploy(state: State, player: int, card: str, column: int, row: int) -> State:
    """Deploy a card, whatever is in hand, and let one decision step pass; the enemy waits."""
    state = changed(holding(state, player, card), player, elixir=FULL)
    joint = [0, 0]
    joint[player] = state.game.action_from_json(["deploy", card, column, row])
    return state.apply(joint)


def wait(state: State, steps: int = 1) -> State:
    """Let decision steps pass in which nobody acts, as far as the battle goes on."""
    for _ in range(steps):
        if state.is_over():
            break
        state.apply([0, 0])
    return state


def troops(state: State, player: int) -> list[list[Any]]:
    found: list[list[Any]] = state.to_json()["players"][player]["troops"]
    return found


def hp_of(state: State, player: int) -> list[int]:
    return [troop[3] for troop in troops(state, player)]


def places(state: State, player: int) -> list[tuple[int, int]]:
    return [(troop[1], troop[2]) for troop in troops(state, player)]


def tower_hp(state: State, player: int) -> list[int]:
    return [tower[0] for tower in state.to_json()["players"][player]["towers"]]


def ticks_until(state: State, happened: Any, most: int = 1000) -> int:
    """Let ticks pass until something is true of the state; the battle's clock then."""
    for _ in range(most):
        if happened(state):
            break
        wait(state)
    assert happened(state), "it never happened"
    return int(state.to_json()["t"])
