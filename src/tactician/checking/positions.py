"""Checks of states: that questions don't change them, that actions do so reproducibly, what they are worth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.checking.visit import (
    Check,
    Visit,
    difference,
    numbers,
    short,
    snapshot,
    source,
    value_difference,
)
from tactician.contract import presentation
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.native.records import padding_mask, record_view


def questions_change_nothing(visit: Visit) -> str | None:
    """Only `apply` changes a state."""
    for name, arguments in _questions(visit):
        state = visit.fresh()
        before, kept = snapshot(state), visit.fresh()
        getattr(state, name)(*arguments)
        if snapshot(state) != before:
            return f"{visit.rule(name)} changes the state it is asked about: {_change(kept, state)}"
    return None


def questions_have_one_answer(visit: Visit) -> str | None:
    """Equal states give equal answers."""
    for name, arguments in _questions(visit):
        one, other = (getattr(visit.fresh(), name)(*arguments) for _ in range(2))
        if isinstance(one, State):
            if one != other:
                how = difference(one, other, "once", "the other time")
                return f"{visit.rule(name)} answers differently for equal states: {how}"
        elif repr(one) != repr(other):  # as text, so that a NaN equals itself
            return f"{visit.rule(name)} gives {short(one)} and {short(other)} for equal states"
    return None


def _change(before: State, after: State) -> str:
    return difference(before, after, "before", "after")


def _questions(visit: Visit) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Everything that may be asked of this position: rules, which are methods of a state too, with arguments."""
    yield "is_over", ()
    yield "evaluate", ()
    yield "key", ()
    for player in range(visit.game.players):
        yield "observe", (player,)
        if visit.game.info.features:
            yield "features", (player,)
    if visit.over:
        yield "returns", ()
        return
    yield "current_player", ()
    for player, actions in visit.legal.items():
        yield "legal_actions", (player,)
        yield "candidate_actions", (player, 0)
        yield "possible_actions", (player,)
        yield "rate_actions", (actions,)
        yield "action_group", (actions[0],)
    if len(visit.legal) == 1:
        yield "is_legal", (visit.legal[visit.mover][0],)


def configuration_stays(visit: Visit) -> str | None:
    """Rules read the configuration and never change it."""
    if np.array_equal(visit.game.config_words(), visit.config):
        return None
    changed = visit.game.config_words()
    visit.game.restore_config(visit.config)  # for what follows
    who, how = _who_changes_configuration(visit) or ("a rule", _configuration_change(visit, changed))
    return f"{who} changes the configuration: {how}; expected it to stay as it is during a game"


def _who_changes_configuration(visit: Visit) -> tuple[str, str] | None:
    """Ask every rule once more, each with a configuration of its own; says which it was, and what it changed."""
    steps = list(_questions(visit))
    if visit.action is not None:
        steps.append(("apply", (visit.action,)))
    for name, arguments in steps:
        game = Game(visit.game.info, visit.game.backend, visit.game.presentation, visit.config.copy())
        getattr(State(game, visit.origin.words, visit.origin.stream), name)(*arguments)
        if not np.array_equal(game.config_words(), visit.config):
            who = _applying(visit) if name == "apply" else visit.rule(name)
            return who, _configuration_change(visit, game.config_words())
    return None


def _configuration_change(visit: Visit, words: NDArray[np.uint64]) -> str:
    """The first field that is no longer what it was."""
    layout = visit.game.backend.config
    one, other = (presentation.state_to_json(None, record_view(layout, w)) for w in (visit.config, words))
    name = next((field for field in one if one[field] != other[field]), "")
    return value_difference(name, one.get(name), other.get(name), "before", "after")


def apply_is_reproducible(visit: Visit) -> str | None:
    """The same action with the same stream leads to the same state."""
    assert visit.action is not None
    one, other = visit.fresh().apply(visit.action), visit.fresh().apply(visit.action)
    if one == other:
        return None
    how = difference(one, other, "once", "the other time")
    return f"{_applying(visit)} twice on equal states with equal streams: {how}"


def copies_are_independent(visit: Visit) -> str | None:
    """An action on a copy leaves the original alone."""
    assert visit.action is not None
    original = visit.fresh()
    kept, before = visit.fresh(), snapshot(original)
    original.copy().apply(visit.action)
    if snapshot(original) == before:
        return None
    return f"{_applying(visit)} on a copy changes the original: {_change(kept, original)}"


def _applying(visit: Visit) -> str:
    name = "apply" if isinstance(visit.action, int) else "apply_joint"
    return f"{visit.rule(name)} with action {visit.action}"


def padding_stays_zero(visit: Visit) -> str | None:
    """States are compared and hashed as bytes, so bytes that belong to no field must not vary."""
    content = visit.origin.words.view(np.uint8)
    dirty = np.flatnonzero(content * _belongs_to_no_field(visit.game.backend.state, content.size))
    if not dirty.size:
        return None
    offset = int(dirty[0])
    return (
        f"{_last_change(visit)} leaves {int(content[offset])} in byte {offset}, which belongs to no field; expected 0"
    )


@cache
def _belongs_to_no_field(state: np.dtype, size: int) -> NDArray[np.bool_]:
    """True for the bytes between fields and behind the last."""
    mask = np.ones(size, bool)
    mask[: state.itemsize] = padding_mask(state)
    return mask


def _last_change(visit: Visit) -> str:
    if visit.step == 0:
        return source(visit.game, "initial_state")
    return visit.rule("apply" if "apply" in visit.game.backend.rule_names else "apply_joint")


def evaluation_is_in_range(visit: Visit) -> str | None:
    """A finite number within the declared range for every player."""
    low, high = visit.game.value_range
    slack = 1e-9 * max(1.0, abs(low), abs(high))
    for player, value in enumerate(numbers(visit.fresh().evaluate)):
        if not low - slack <= value <= high + slack or not math.isfinite(value):
            return (
                f"{visit.rule('evaluate')} gives {value}{_unwritten(value)} for player {player}; "
                f"expected a finite number within value_range, {low} to {high}"
            )
    return None


def features_are_finite(visit: Visit) -> str | None:
    """A number for each feature of each player."""
    for player in range(visit.game.players):
        for name, value in visit.fresh().features(player).items():
            if not math.isfinite(value):
                return (
                    f"{visit.rule('features')} gives {value} for {name!r} of player {player}; expected a finite number"
                )
    return None


def returns_are_in_range(visit: Visit) -> str | None:
    """Rewards lie in [-1, 1]."""
    for player, value in enumerate(numbers(visit.fresh().returns)):
        if not -1.0 - 1e-9 <= value <= 1.0 + 1e-9:
            return f"{visit.rule('returns')} gives {value}{_unwritten(value)} for player {player}; expected -1 to 1"
    return None


def _unwritten(value: float) -> str:
    return " (or writes nothing)" if math.isnan(value) else ""


def returns_add_up_to_zero(visit: Visit) -> str | None:
    """A game that says so is zero-sum."""
    returns = visit.fresh().returns()
    if not visit.game.zero_sum or abs(sum(returns)) <= 1e-9 or any(map(math.isnan, returns)):
        return None
    return f"{visit.rule('returns')} gives {returns}, which add up to {sum(returns)}; expected 0 in a zero-sum game"


def partners_share_their_reward(visit: Visit) -> str | None:
    """Who plays together wins and loses together."""
    returns, sides = visit.fresh().returns(), visit.game.sides
    for seat, side in enumerate(sides):
        mate = sides.index(side)
        if returns[seat] != returns[mate] and not any(map(math.isnan, returns)):
            gives = f"{visit.rule('returns')} gives {returns}"
            return f"{gives}; seats {mate} and {seat} are on one side, expected the same for both"
    return None


def the_end_is_final(visit: Visit) -> str | None:
    """A game that is over stays so."""
    state = visit.fresh()
    for _ in range(8):
        if not state.is_over():
            return f"{visit.rule('is_over')} gives False for a state it gave True for before"
    return None


CONFIGURATION = Check("config-unchanged", configuration_stays, over=None, every=True)
CHECKS = (
    Check("pure", questions_change_nothing, over=None),
    Check("reproducible", questions_have_one_answer, over=None),
    CONFIGURATION,
    Check("apply-reproducible", apply_is_reproducible),
    Check("copy-independent", copies_are_independent),
    Check("padding", padding_stays_zero, over=None, every=True),
    Check("evaluate-range", evaluation_is_in_range, over=None, every=True),
    Check("features-finite", features_are_finite, over=None, needs=("features",)),
    Check("returns-range", returns_are_in_range, over=True, every=True),
    Check("returns-zero-sum", returns_add_up_to_zero, over=True, every=True),
    Check("returns-partners", partners_share_their_reward, over=True, every=True),
    Check("stays-over", the_end_is_final, over=True, every=True),
)
