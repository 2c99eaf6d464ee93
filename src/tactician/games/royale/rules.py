"""The rules of Royale in the form of the contract; the modules beside this one implement them."""

from __future__ import annotations

from typing import Any

from tactician.contract import SIMULTANEOUS, rules
from tactician.games.royale import actions as action_forms
from tactician.games.royale import drawing, generation, positions
from tactician.games.royale.arena import MOST_TICKS, PAST, PLAYERS
from tactician.games.royale.deployment import carry_out, list_actions, list_candidates
from tactician.games.royale.field import FIELD, put_field, take_field
from tactician.games.royale.hiding import blank_hidden, guess_hidden
from tactician.games.royale.identity import identity_words
from tactician.games.royale.records import NO_CARD, Config, State
from tactician.games.royale.ticks import (
    DRAWN,
    GOES_ON,
    elixir_after,
    outcome,
    pass_quietly,
    run_ticks,
    tower_lead,
    towers_on_field,
    towers_standing,
)
from tactician.native import stack

rule = rules(Config, State)


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Who waits for a card can only wait."""
    return list_actions(g, s, player, out)


@rule.candidate_actions
def candidate_actions(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """A sample of the positions of each card."""
    return list_candidates(g, s, player, out, rng)


@rule.apply_joint
def apply_joint(g: Any, s: Any, actions: Any, rng: Any) -> None:
    """One decision step: both actions, then some ticks, then reservations of cards that have become affordable."""
    standing = towers_standing(s)
    tick = int(s.tick)
    for player in range(PLAYERS):
        action = int(actions[player])
        carry_out(g, s, standing, player, action)
        for i in range(PAST - 1):
            s.past[player, i] = s.past[player, i + 1]
        s.past[player, PAST - 1] = action
    end = tick + g.step_ticks
    if s.n_troops[0] + s.n_troops[1] + s.n_spells[0] + s.n_spells[1] == 0:
        pass_quietly(g, s, standing, end)
    else:
        f = stack.int32s(FIELD)
        take_field(g, s, f)
        s.tick = run_ticks(g, f, tick, end, False)
        put_field(s, f)
    for player in range(PLAYERS):
        s.elixir[player] = elixir_after(int(s.elixir[player]), tick, int(s.tick))
        if s.reserved[player] != NO_CARD and s.elixir[player] >= g.cost[s.reserved[player]]:
            s.reserved[player] = NO_CARD


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Both act at once."""
    return SIMULTANEOUS


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """When a king has fallen, when one side has more towers after the regular time, or at the end of overtime."""
    return outcome(towers_standing(s), int(s.tick)) != GOES_ON


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """1 for the winner, -1 for the loser, 0 for a draw."""
    winner = outcome(towers_standing(s), int(s.tick))
    out[0] = 0.0 if winner < 0 else 1.0 - 2.0 * winner
    out[1] = -out[0]


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """Roll the battle forward without further actions until the arena is empty: who has won, or has more towers."""
    standing = towers_standing(s)
    winner = outcome(standing, int(s.tick))
    if winner == GOES_ON and s.n_troops[0] + s.n_troops[1] + s.n_spells[0] + s.n_spells[1] > 0:
        f = stack.int32s(FIELD)
        take_field(g, s, f)
        tick = run_ticks(g, f, int(s.tick), MOST_TICKS, True)
        standing = towers_on_field(f)
        winner = outcome(standing, tick)
    lead = 0 if winner == DRAWN else 1 - 2 * winner
    if winner == GOES_ON:
        lead = tower_lead(standing)
    out[0] = float(int(lead > 0) - int(lead < 0))
    out[1] = -out[0]


@rule.key
def key(g: Any, s: Any) -> Any:
    """The first half of the identity."""
    one, _ = identity_words(g, s)
    return one


@rule.digest
def digest(g: Any, s: Any, out: Any) -> None:
    """The identity."""
    out[0], out[1] = identity_words(g, s)


@rule.observe
def observe(g: Any, s: Any, player: Any, out: Any) -> None:
    """What a player sees."""
    blank_hidden(g, out, player)


@rule.resample_hidden
def resample_hidden(g: Any, s: Any, player: Any, rng: Any) -> None:
    """A guess at the rest."""
    guess_hidden(g, s, player, rng)


rule.initial_state(generation.deal)
rule.state_to_json(positions.to_json)
rule.state_from_json(positions.from_json)
rule.action_to_json(action_forms.to_json)
rule.action_from_json(action_forms.from_json)
rule.action_name(action_forms.name)
rule.action_parts(action_forms.parts)
rule.why_illegal(action_forms.why_illegal)
rule.draw_text(drawing.draw_text)
rule.draw_svg(drawing.draw_svg)
