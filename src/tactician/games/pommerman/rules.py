"""The rules of Pommerman: each function of the contract, by `movement`, `blasts`, `listing` and `hiding`."""

from __future__ import annotations

from typing import Any

from tactician.contract import SIMULTANEOUS, rules
from tactician.games.pommerman import actions, drawing, generation, positions, scratch
from tactician.games.pommerman.blasts import age_flames, burn_down, redraw
from tactician.games.pommerman.board import MOVES, NOWHERE, PLAYERS
from tactician.games.pommerman.hiding import blank_hidden, guess_hidden
from tactician.games.pommerman.identity import identity_words
from tactician.games.pommerman.listing import list_actions, list_masked
from tactician.games.pommerman.movement import aim_agents, is_contested, move_agents, settle
from tactician.games.pommerman.records import Config, State

rule = rules(Config, State)


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """List all actions for a living player; the dead can only stop."""
    return list_actions(g, s, player, out)


@rule.candidate_actions
def candidate_actions(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """List the actions that the paper's mask allows."""
    return list_masked(g, s, player, out)


@rule.apply_joint
def apply_joint(g: Any, s: Any, actions: Any, rng: Any) -> None:
    """Execute one step of the environment."""
    moves, wanted = scratch.small_numbers(PLAYERS), scratch.small_numbers(PLAYERS)
    acting = 0
    for i in range(PLAYERS):
        # An agent that an observer doesn't see does not act.
        if s.alive >> i & 1 == 1 and s.cell[i] != NOWHERE:
            acting |= 1 << i
        moves[i] = actions[i] % MOVES
        if g.radio != 0:
            s.message[i] = actions[i] // MOVES if s.alive >> i & 1 == 1 else 0
    age_flames(g, s)
    aim_agents(g, s, moves, acting, wanted)
    contested = is_contested(s, wanted)
    if contested:
        settle(g, s, moves, wanted)
    move_agents(g, s, wanted)
    burn_down(g, s, contested)
    redraw(s, acting)
    s.step += 1


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Return that all players act at once."""
    return SIMULTANEOUS


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """Return whether the time limit is reached or no opponents are left."""
    return g.over[s.alive] != 0 or s.step >= g.time_limit


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """Write the environment's rewards; if nobody wins, everybody loses."""
    late = int(s.step >= g.time_limit)
    for i in range(PLAYERS):
        out[i] = g.reward[late, s.alive, i]


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """Write the current rewards: 0 for the living, -1 for the dead (in teams 0)."""
    late = int(s.step >= g.time_limit)
    for i in range(PLAYERS):
        out[i] = g.reward[late, s.alive, i]


@rule.key
def key(g: Any, s: Any) -> Any:
    """Return the first 64 bits of the identity."""
    one, _ = identity_words(g, s)
    return one


@rule.digest
def digest(g: Any, s: Any, out: Any) -> None:
    """Write the 128 bits of the identity."""
    out[0], out[1] = identity_words(g, s)


@rule.observe
def observe(g: Any, s: Any, player: Any, out: Any) -> None:
    """Hide what a seat can't see."""
    blank_hidden(g, out, player)


@rule.resample_hidden
def resample_hidden(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Fill what a seat can't see at random."""
    guess_hidden(g, s, player, rng)


rule.initial_state(generation.deal)
rule.state_to_json(positions.to_json)
rule.state_from_json(positions.from_json)
rule.action_to_json(actions.to_json)
rule.action_from_json(actions.from_json)
rule.action_name(actions.name)
rule.action_parts(actions.parts)
rule.draw_text(drawing.draw_text)
rule.draw_svg(drawing.draw_svg)
