"""The rules of Hero Academy: each function of the contract, on top of `listing`, `effects` and `judging`."""

from __future__ import annotations

from typing import Any

from tactician.contract import random, rules
from tactician.games.hero_academy import actions, positions
from tactician.games.hero_academy.actions import ATTACK, DISCARD, END_TURN, FROM, HEAL, MOVE, SWAP, decode
from tactician.games.hero_academy.cards import KINDS
from tactician.games.hero_academy.choosing import draw_action
from tactician.games.hero_academy.effects import attack, discard, end_turn, exchange, heal, play, relocate, take_card
from tactician.games.hero_academy.features import learned_rating
from tactician.games.hero_academy.foreseeing import foresee_values
from tactician.games.hero_academy.judging import (
    rate_as_coded,
    rate_as_printed,
    side_value,
    spell_value,
    value_for,
)
from tactician.games.hero_academy.listing import is_listed, list_actions
from tactician.games.hero_academy.positions import DECK_SEEDS
from tactician.games.hero_academy.preferring import prefer_action
from tactician.games.hero_academy.records import Config, State
from tactician.games.hero_academy.side_features import write_features
from tactician.games.hero_academy.weights import derive

rule = rules(Config, State)


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """List what the reference lists, and ending the turn early."""
    n = list_actions(g, s, player, False, out)
    if out[n - 1] != END_TURN:
        out[n] = END_TURN
        n += 1
    return n


@rule.candidate_actions
def candidate_actions(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """List what the reference lists, pruned unless switched off; never an early end of the turn."""
    return list_actions(g, s, player, g.prune != 0, out)


@rule.random_action
def random_action(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Draw an entry of `legal_actions` without making the list."""
    return draw_action(g, s, player, False, True, out, rng)


@rule.random_candidate
def random_candidate(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Draw an entry of `candidate_actions` without making the list."""
    return draw_action(g, s, player, g.prune != 0, False, out, rng)


@rule.best_candidate
def best_candidate(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Find the best-rated entry of `candidate_actions` without making the list."""
    return prefer_action(g, s, player, g.prune != 0, out)


@rule.is_legal
def is_legal(g: Any, s: Any, action: Any) -> Any:
    """Return whether an action is legal, without making the list."""
    return is_listed(g, s, s.player, action)


@rule.apply
def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    """Execute an action; every action but the end of the turn costs one action point."""
    kind, origin, target = decode(action)
    player = s.player
    if kind == END_TURN:
        end_turn(g, s, rng)
        return
    if kind == MOVE:
        relocate(s, player, origin, target)
    elif kind == ATTACK:
        attack(g, s, player, origin, target)
    elif kind == HEAL:
        heal(g, s, player, origin, target)
    elif kind == SWAP:
        exchange(s, origin, target)
    elif kind == DISCARD:
        discard(s, player, origin)
    else:
        play(g, s, player, origin, target)
    s.ap -= 1


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Return 0 on odd turns, 1 on even turns."""
    return s.player


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """Return whether the game has ended."""
    return s.over


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """Write 1 for the winner, -1 for the loser, 0 for a draw."""
    out[0] = int(s.winner == 1) - int(s.winner == 2)
    out[1] = 0.0 - out[0]


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """Write the difference of both sides' values, or the result of a finished game."""
    if s.over != 0:
        out[0] = g.win * (int(s.winner == 1) - int(s.winner == 2))
        out[1] = 0.0 - out[0]
        return
    units = side_value(g, s, 0) - side_value(g, s, 1)
    spells = spell_value(g, s, 0) - spell_value(g, s, 1)
    out[0], out[1] = value_for(g, 0, units, spells), value_for(g, 1, units, spells)


@rule.evaluate_after
def evaluate_after(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    """Write the value after actions that only place units."""
    foresee_values(g, s, actions, n, out)


@rule.rate_actions
def rate_actions(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    """Write the papers' ratings for ordering actions, as printed or as coded, or learned ones."""
    as_printed = g.learned_ratings != 0 or g.coded_ratings == 0
    for i in range(n):
        rating = rate_as_printed(g, s, actions[i]) if as_printed else rate_as_coded(g, s, actions[i])
        out[i] = rating if g.learned_ratings == 0 else learned_rating(g, s, actions[i], rating)


@rule.features
def features(g: Any, s: Any, player: Any, out: Any) -> None:
    """Write what learned evaluations count of a side."""
    write_features(g, s, player, out)


@rule.action_group
def action_group(g: Any, s: Any, action: Any) -> Any:
    """Group actions by unit (its square) or by card (its kind, after the squares); the end of the turn is the last."""
    kind, origin, _ = decode(action)
    if kind == END_TURN:
        return FROM + KINDS
    return origin if kind <= SWAP else FROM + origin


@rule.observe
def observe(g: Any, s: Any, player: Any, out: Any) -> None:
    """Count the opponent's hand in its deck and hide the seeds of both decks."""
    other = 1 - player
    for card in range(KINDS):
        out.deck[other, card] += out.hand[other, card]
        out.hand[other, card] = 0
    out.hidden[other] += out.hand_cards[other]
    out.deck_cards[other] += out.hand_cards[other]
    out.hand_cards[other] = 0
    out.seed[0] = 0
    out.seed[1] = 0


@rule.resample_hidden
def resample_hidden(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Draw the opponent's hand and the seeds of both decks at random.

    Own cards that are hidden, as in the opponent's view, stay so: the player could not play what is only guessed.
    """
    for owner in range(2):
        while owner != player and s.hidden[owner] > 0:
            s.hidden[owner] -= 1
            take_card(s, owner, random.below(rng, s.deck_cards[owner]))
        s.seed[owner] = random.below(rng, DECK_SEEDS)


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
