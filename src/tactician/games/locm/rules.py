"""The rules of Legends of Code and Magic: each function of the contract, by `listing`, `effects` and `hidden`."""

from __future__ import annotations

from typing import Any

from tactician.contract import rules
from tactician.contract.identity import hash_front, hash_front_twice
from tactician.games.locm import actions, positions
from tactician.games.locm.actions import ATTACK, PASS, SUMMON, WHO, decode
from tactician.games.locm.board import board_features
from tactician.games.locm.choosing import draw_action
from tactician.games.locm.effects import (
    strike_creature,
    strike_player,
    summon,
    switch_turn,
    use_on_creature,
    use_on_player,
)
from tactician.games.locm.hidden import blank, guess
from tactician.games.locm.judging import derive, rate, side_value
from tactician.games.locm.listing import is_listed, list_legal, list_possible
from tactician.games.locm.records import IDENTITY_WORDS, Config, State
from tactician.games.locm.side_features import write_features

rule = rules(Config, State)


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """List legal actions in the referee's order, the end of the turn last."""
    return list_legal(g, s, player, out)


@rule.random_action
def random_action(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Draw an entry of `legal_actions` without making the list."""
    return draw_action(g, s, player, out, rng)


@rule.possible_actions
def possible_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """List every action that some order of actions in this turn could make legal."""
    return list_possible(g, s, player, out)


@rule.is_legal
def is_legal(g: Any, s: Any, action: Any) -> Any:
    """Return whether an action is legal, without making the list."""
    return is_listed(g, s, s.player, action)


@rule.apply
def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    """Execute an action; battles have no chance events, as decks are shuffled before."""
    kind, who, where = decode(action)
    player = s.player
    if kind == PASS:
        switch_turn(g, s)
    elif kind == SUMMON:
        summon(g, s, player, who, where)
    elif kind == ATTACK:
        if where == 0:
            strike_player(g, s, player, who)
        else:
            strike_creature(g, s, player, who, where - 1)
    elif where == 0:
        use_on_player(g, s, player, who)
    else:
        use_on_creature(g, s, player, who, where - 1)


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Return the player to move."""
    return s.player


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """Return whether a player has no health left."""
    return s.over


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """Write 1 for the winner and -1 for the loser; there are no draws."""
    out[0] = (1.0 if s.winner == 0 else -1.0) if s.over != 0 else 0.0
    out[1] = 0.0 - out[0]


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """Write the paper's heuristic of each side, or the difference of both; the result of a finished game."""
    if s.over != 0:
        out[s.winner] = g.win
        out[1 - s.winner] = 0.0 - g.win
        return
    if g.by_board != 0:
        out[0], out[1] = board_features(g, s, 0), board_features(g, s, 1)
    else:
        out[0], out[1] = side_value(g, s, 0), side_value(g, s, 1)
    if g.relative != 0:
        out[0] = max(1.0 - g.win, min(g.win - 1.0, out[0] - out[1]))
        out[1] = 0.0 - out[0]


@rule.rate_actions
def rate_actions(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    """Rate attacks above summons above items; the end of the turn last."""
    for i in range(n):
        out[i] = rate(g, s, s.player, actions[i])


@rule.features
def features(g: Any, s: Any, player: Any, out: Any) -> None:
    """Write what learned evaluations count of a side."""
    write_features(g, s, player, out)


@rule.action_group
def action_group(g: Any, s: Any, action: Any) -> Any:
    """Return the instance id of the card that acts; the end of the turn is a group of its own."""
    return WHO if action == PASS else action // WHO % WHO


@rule.key
def key(g: Any, s: Any) -> Any:
    """Return 64 bits over the fields that rules read."""
    return hash_front(s, IDENTITY_WORDS)


@rule.digest
def digest(g: Any, s: Any, out: Any) -> None:
    """Write 128 bits over the fields that rules read."""
    out[0], out[1] = hash_front_twice(s, IDENTITY_WORDS)


@rule.observe
def observe(g: Any, s: Any, player: Any, out: Any) -> None:
    """Hide the opponent's hand and the order of both decks."""
    blank(g, out, player)


@rule.resample_hidden
def resample_hidden(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Draw decks at random that could have been drafted and agree with what the player saw."""
    guess(g, s, player, rng)


rule.configure(derive)
rule.initial_state(positions.deal)
rule.state_to_json(positions.to_json)
rule.state_from_json(positions.from_json)
rule.action_to_json(actions.to_json)
rule.action_from_json(actions.from_json)
rule.action_name(actions.name)
rule.action_parts(actions.parts)
rule.draw_text(positions.draw_text)
rule.draw_svg(positions.draw_svg)
