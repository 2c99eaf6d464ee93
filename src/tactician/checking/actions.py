"""Checks of what may be done: whose turn it is, the lists of actions, and the rules about single actions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tactician.checking.visit import UNWRITTEN, Check, Visit, drawn, first, foreseen, listed, numbers, short, snapshot
from tactician.contract.game import Game
from tactician.contract.random import python_below, stream
from tactician.contract.ratings import ActionFeatures
from tactician.native import abi

_STREAMS = (0, 1, 2)
_ODD_CODES = (-1, -2, -(2**31), 2**31 - 1, 2**31 - 2)


def current_player_exists(visit: Visit) -> str | None:
    """A player from 0, or SIMULTANEOUS if the game can apply everybody's actions."""
    rule, players = visit.rule("current_player"), visit.game.players
    if visit.mover == abi.SIMULTANEOUS:
        if visit.game.simultaneous:
            return None
        return f"{rule} gives {visit.mover} (SIMULTANEOUS) but the game has no apply_joint"
    if not 0 <= visit.mover < players:
        return f"{rule} gives {visit.mover}; expected 0 to {players - 1}"
    if "apply" not in visit.game.backend.rule_names:
        return f"{rule} gives {visit.mover} but the game has no apply; expected SIMULTANEOUS ({abi.SIMULTANEOUS})"
    return None


def legal_list_fits(visit: Visit) -> str | None:
    """Not more than `max_actions`: reading the list fails otherwise."""
    assert visit.legal is not None
    return None


def there_is_an_action(visit: Visit) -> str | None:
    """Whoever acts can do something until the game is over."""
    for player, actions in visit.legal.items():
        if not actions:
            return f"{visit.rule('legal_actions')} lists nothing for player {player} although the game is not over"
    return None


def legal_list_is_written(visit: Visit) -> str | None:
    """`legal_actions` writes as many actions as it says."""
    return first(_gap(visit, "legal_actions", player, actions) for player, actions in visit.legal.items())


def _gap(visit: Visit, rule: str, player: int, actions: list[int]) -> str | None:
    if UNWRITTEN not in actions:
        return None
    says = f"says it lists {len(actions)} actions for player {player}"
    return f"{visit.rule(rule)} {says} but does not write entry {actions.index(UNWRITTEN)}"


def legal_actions_are_unique(visit: Visit) -> str | None:
    """No action is listed twice."""
    return first(_repeated(visit, "legal_actions", player, actions) for player, actions in visit.legal.items())


def _repeated(visit: Visit, rule: str, player: int, actions: list[int]) -> str | None:
    if len(set(actions)) == len(actions):
        return None
    twice = next(action for action in actions if actions.count(action) > 1)
    times = actions.count(twice)
    return f"{visit.rule(rule)} lists action {twice} {times} times for player {player}; expected once"


def policy_is_legal(visit: Visit) -> str | None:
    """What is expected of a player is something that it can do."""
    state = visit.fresh()
    for player in range(visit.game.players) if visit.mover == abi.SIMULTANEOUS else (visit.mover,):
        for seed in _STREAMS:
            action = state.expected_action(player, seed)
            if action not in visit.legal[player]:
                return (
                    f"{visit.rule('policy')} returns action {action} for player {player}, which legal_actions "
                    "does not list"
                )
    return None


def is_legal_agrees_with_the_list(visit: Visit) -> str | None:
    """True for what is listed, false for the rest; the rule is about the one player to move."""
    if visit.mover == abi.SIMULTANEOUS:
        return None
    actions, state = visit.legal[visit.mover], visit.fresh()
    for action in actions:
        if not state.is_legal(action):
            return f"{visit.rule('is_legal')} gives False for action {action}, which legal_actions lists"
    for action in _unlisted(visit, actions):
        if state.is_legal(action):
            return f"{visit.rule('is_legal')} gives True for action {action}, which legal_actions does not list"
    return None


def _unlisted(visit: Visit, actions: list[int]) -> list[int]:
    """Codes that are not legal here but might be taken for it."""
    near = {code for action in actions for code in (action - 1, action + 1)}
    known = sorted((near | visit.earlier) - set(actions) - set(_ODD_CODES))
    if len(known) > 60:
        known = [known[i] for i in sorted(visit.random().choice(len(known), 60, replace=False))]
    return [code for code in (*known, *_ODD_CODES) if code not in actions and -(2**31) <= code < 2**31]


def candidates_are_legal(visit: Visit) -> str | None:
    """A part of the legal list that is not empty, whatever the stream."""
    for player, actions in visit.legal.items():
        for seed in _STREAMS:
            candidates = listed(visit.fresh().candidate_actions, player, seed=seed)
            rule = visit.rule("candidate_actions")
            if gap := _gap(visit, "candidate_actions", player, candidates):
                return gap
            if not candidates:
                return f"{rule} lists nothing for player {player} with stream {seed}; expected at least one action"
            for action in candidates:
                if action not in actions:
                    return (
                        f"{rule} lists action {action} for player {player} with stream {seed}, "
                        f"which legal_actions does not list ({short(actions)})"
                    )
    return None


def candidates_follow_the_stream(visit: Visit) -> str | None:
    """Equal streams, equal lists."""
    for player in visit.acting:
        for seed in _STREAMS:
            one, other = (visit.fresh().candidate_actions(player, seed=seed) for _ in range(2))
            if one != other:
                return (
                    f"{visit.rule('candidate_actions')} lists {short(one)} and then {short(other)} "
                    f"for player {player} with the same stream {seed}"
                )
    return None


def random_action_follows_the_list(visit: Visit) -> str | None:
    """The entry of the legal list that the stream draws, and one draw."""
    return _drawn_otherwise(visit, "random_action", "legal_actions")


def random_candidate_follows_the_list(visit: Visit) -> str | None:
    """The same of the candidates."""
    return _drawn_otherwise(visit, "random_candidate", "candidate_actions")


def _drawn_otherwise(visit: Visit, rule: str, of: str) -> str | None:
    """Where a rule does not draw what making the list and drawing from it gives."""
    state = visit.fresh()
    buffers, before = visit.game.buffers(), snapshot(state)
    for player in visit.acting:
        for seed in _STREAMS:
            ours, theirs = stream([visit.seed, visit.step, seed]), stream([visit.seed, visit.step, seed])
            source = (theirs.ctypes.data,) if of == "candidate_actions" else ()
            listed_now = int(visit.game.run(of, state.address, player, buffers.actions_at, *source))
            if not 1 <= listed_now <= visit.game.max_actions:
                return None  # which other checks report
            expected = int(buffers.actions[python_below(theirs, listed_now)])
            count, action = drawn(state, rule, player, ours)
            if count != listed_now:
                return f"{visit.rule(rule)} counts {count} actions for player {player}; {of} lists {listed_now}"
            if action != expected:
                return (
                    f"{visit.rule(rule)} draws action {action} for player {player}; the entry of {of} at "
                    f"random.below(rng, {count}) is {expected}"
                )
            if ours.tolist() != theirs.tolist():
                return f"{visit.rule(rule)} does not draw exactly one number of the stream for player {player}"
            if snapshot(state) != before:
                return f"{visit.rule(rule)} changes the state it is asked about"
    return None


def best_candidate_is_the_best_rated(visit: Visit) -> str | None:
    """The candidate that making and rating the list gives, the first of equals, with the same draws."""
    state, rule = visit.fresh(), visit.rule("best_candidate")
    before = snapshot(state)
    for player in visit.acting:
        for seed in _STREAMS:
            ours, theirs = stream([visit.seed, visit.step, seed]), stream([visit.seed, visit.step, seed])
            candidates = _candidates(visit, player, theirs)
            if not candidates:
                return None  # which other checks report
            ratings = numbers(visit.fresh().rate_actions, candidates)
            expected = candidates[ratings.index(max(ratings))]
            count, action = drawn(state, "best_candidate", player, ours)
            if count == 0 and ours.tolist() == stream([visit.seed, visit.step, seed]).tolist():
                continue  # the planner makes the list
            if count != len(candidates):
                return f"{rule} counts {count} actions for player {player}; expected {len(candidates)}, as are listed"
            if action != expected:
                return (
                    f"{rule} gives action {action} for player {player}; the first of the best-rated candidates is "
                    f"{expected}"
                )
            if ours.tolist() != theirs.tolist():
                return f"{rule} does not draw what candidate_actions draws from the stream for player {player}"
            if snapshot(state) != before:
                return f"{rule} changes the state it is asked about"
    return None


def _candidates(visit: Visit, player: int, random: NDArray[np.uint64]) -> list[int]:
    """What planners consider for a player, drawn from a stream if the game samples; empty if the list is wrong."""
    state, buffers = visit.fresh(), visit.game.buffers()
    own = "candidate_actions" in visit.game.backend.rule_names
    of, source = ("candidate_actions", (random.ctypes.data,)) if own else ("legal_actions", ())
    count = int(visit.game.run(of, state.address, player, buffers.actions_at, *source))
    return buffers.actions[:count].tolist() if 1 <= count <= visit.game.max_actions else []


def values_after_actions_are_the_evaluations(visit: Visit) -> str | None:
    """Exactly what `evaluate` gives the mover after an action, or NaN; NaN where chance decides or the game ends."""
    if visit.mover == abi.SIMULTANEOUS:
        return None
    rule, state = visit.rule("evaluate_after"), visit.fresh()
    before, actions = snapshot(state), visit.legal[visit.mover]
    values = foreseen(state, actions)
    if snapshot(state) != before:
        return f"{rule} changes the state it is asked about"
    for action, value in zip(actions, values, strict=True):
        if math.isnan(value):
            continue
        after = visit.fresh()
        random = after.stream.tolist()
        after.apply(action)
        if after.is_over() or after.stream.tolist() != random:
            why = "ends the game" if after.is_over() else "draws from the stream"
            return f"{rule} gives {value} for action {action}, which {why}; expected NaN"
        expected = after.evaluate()[visit.mover]
        if value != expected:
            return f"{rule} gives {value} for action {action}; evaluate gives {expected} after it"
    return None


def possible_actions_hold_the_legal(visit: Visit) -> str | None:
    """Every legal action is possible, and each stands there once."""
    for player, actions in visit.legal.items():
        possible = listed(visit.fresh().possible_actions, player)
        if gap := _gap(visit, "possible_actions", player, possible):
            return gap
        missing = sorted(set(actions) - set(possible))
        if missing:
            return f"{visit.rule('possible_actions')} lacks action {missing[0]} of player {player}, which is legal"
        if problem := _repeated(visit, "possible_actions", player, possible):
            return problem
    return None


def ratings_are_finite(visit: Visit) -> str | None:
    """A number for each action."""
    for actions in visit.legal.values():
        for action, rating in zip(actions, numbers(visit.fresh().rate_actions, actions), strict=True):
            if not math.isfinite(rating):
                return f"{visit.rule('rate_actions')} gives {rating} for action {action}; expected a finite number"
    return None


def ratings_ignore_the_order(visit: Visit) -> str | None:
    """An action's rating does not depend on where it stands in the list."""
    return first(_order_matters(visit, actions) for actions in visit.legal.values())


def _order_matters(visit: Visit, actions: list[int]) -> str | None:
    state = visit.fresh()
    expected = dict(zip(actions, state.rate_actions(actions), strict=True))
    for order in _orders(visit, actions):
        for action, rating in zip(order, state.rate_actions(order), strict=True):
            same = rating == expected[action] or (math.isnan(rating) and math.isnan(expected[action]))
            if not same:
                return (
                    f"{visit.rule('rate_actions')} gives action {action} the rating {expected[action]} in one order "
                    f"of the list and {rating} in another"
                )
    return None


def _orders(visit: Visit, actions: list[int]) -> Iterator[list[int]]:
    yield actions[::-1]
    yield [actions[i] for i in visit.random().permutation(len(actions))]


@lru_cache(maxsize=4)
def _features_of(game: Game) -> ActionFeatures:
    return ActionFeatures(game)


def ratings_are_weighted_sums(visit: Visit) -> str | None:
    """In a game with rating weights: what several weights rate is the sum of what each of them rates alone."""
    game = visit.fresh().game
    names = list(game.info.rating_weights)
    if not names:
        return None
    features = _features_of(game)
    weights = visit.random().uniform(-1, 1, len(names))
    weighted = game.with_ratings(**dict(zip(names, weights.tolist(), strict=True)))
    for actions in visit.legal.values():
        state = visit.fresh()
        expected = features.of(state, actions) @ weights
        found = features.rated(weighted, state, actions)
        for action, sum_, rating in zip(actions, expected, found, strict=True):
            if not math.isclose(sum_, rating, rel_tol=1e-6, abs_tol=1e-6):
                return (
                    f"{visit.rule('rate_actions')} gives action {action} the rating {rating}; its rating weights alone "
                    f"sum to {sum_}"
                )
    return None


def groups_are_not_negative(visit: Visit) -> str | None:
    """Groups are counted from 0."""
    state = visit.fresh()
    for actions in visit.legal.values():
        for action in actions:
            group = state.action_group(action)
            if group < 0:
                return f"{visit.rule('action_group')} gives {group} for action {action}; expected 0 or more"
    return None


TURN_CHECKS = (
    Check("current-player", current_player_exists, every=True, fatal=True),
    Check("max-actions", legal_list_fits, every=True, fatal=True),
    Check("has-actions", there_is_an_action, every=True, fatal=True),
    Check("legal-written", legal_list_is_written, every=True, fatal=True),
)
"""What must hold before an action can be chosen."""

CHECKS = (
    Check("legal-unique", legal_actions_are_unique, every=True),
    Check("is-legal", is_legal_agrees_with_the_list, needs=("is_legal",)),
    Check("policy", policy_is_legal, needs=("policy",)),
    Check("candidates-legal", candidates_are_legal, needs=("candidate_actions",)),
    Check("candidates-stream", candidates_follow_the_stream, needs=("candidate_actions",)),
    Check("random-action", random_action_follows_the_list, needs=("random_action",)),
    Check("random-candidate", random_candidate_follows_the_list, needs=("random_candidate", "candidate_actions")),
    Check("best-candidate", best_candidate_is_the_best_rated, needs=("best_candidate", "rate_actions")),
    Check("evaluate-after", values_after_actions_are_the_evaluations, needs=("evaluate_after", "apply")),
    Check("possible-actions", possible_actions_hold_the_legal, needs=("possible_actions",)),
    Check("ratings-finite", ratings_are_finite, needs=("rate_actions",)),
    Check("ratings-order", ratings_ignore_the_order, needs=("rate_actions",)),
    Check("ratings-weights", ratings_are_weighted_sums, needs=("rate_actions",)),
    Check("action-groups", groups_are_not_negative, needs=("action_group",)),
)
