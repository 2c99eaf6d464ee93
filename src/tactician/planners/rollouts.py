"""ε-greedy rollouts: from a leaf of a tree on, whole turns of best-rated and random actions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.random import below, unit
from tactician.native.caching import inlined
from tactician.native.memory import Address, int64
from tactician.planners.work import (
    NO_ACTION,
    OPTIONS,
    Work,
    apply,
    best_rated,
    continues,
    count_options,
    draw_option,
    list_for,
    mover_of,
    prefer_option,
    random_option,
)

MAX_ROLLOUT = 100_000
"""Actions of a rollout; only turns and games without end have more."""
MAX_GROUPS = 4096


class Rollout(NamedTuple):
    """How a rollout plays."""

    turns: int
    """Turns to finish, counted from that of the player to act; 0: none, -1: until the game is over."""
    epsilon: float
    """How often the best-rated action is taken instead of a random one."""
    by_group: bool
    """Whether a unit or card is chosen before the action, as the reference does."""


class Groups(NamedTuple):
    """Room for the groups (units or cards) of the actions in a list."""

    found: NDArray[np.int64]
    """[MAX_GROUPS] the different groups."""
    of_action: NDArray[np.int64]
    """[MAX_GROUPS] the group of each action."""


def make_groups() -> Groups:
    """Room for MAX_GROUPS groups."""
    return Groups(np.zeros(MAX_GROUPS, np.int64), np.zeros(MAX_GROUPS, np.int64))


@inlined
def roll_out(work: Work, groups: Groups, rollout: Rollout, s: Address, options: int, action: int) -> None:
    """Play on in a state until `rollout.turns` turns have ended.

    `options`: how many actions the state has if it has been looked at, else 0. `action`: what `look_ahead` has chosen
    of them; NO_ACTION: OPTIONS holds the list.
    """
    turns = rollout.turns
    if turns == 0 or not continues(work, s):
        return
    player = mover_of(work, s)
    n = options
    if n > 1:
        count_options(work, n)
    for _ in range(MAX_ROLLOUT):
        if n == 0:
            n, action = look_ahead(work, rollout, s, max(0, player))
        if action == NO_ACTION:
            action = _rollout_action(work, groups, rollout, s, n)
        apply(work, s, action)
        n = 0
        if not continues(work, s):
            return
        mover = mover_of(work, s)
        if mover != player:
            turns -= 1
            if turns == 0:
                return
            player = mover


@inlined
def look_ahead(work: Work, rollout: Rollout, s: Address, player: int) -> tuple[int, int]:
    """How many actions a player has in a state, and which of them a rollout takes.

    NO_ACTION, and OPTIONS is the list, if there is no rule that finds an action without it. A forced action takes
    nothing from the stream.
    """
    if (work.draws == 0 and work.prefers == 0) or rollout.turns == 0 or rollout.by_group:
        return list_for(work, s, player, OPTIONS), int64(NO_ACTION)
    rng = work.rng
    before = rng[0], rng[1], rng[2], rng[3]
    n = prefer_option(work, s, player) if _is_greedy(work, rollout) else draw_option(work, s, player)
    if n == 1:
        rng[0], rng[1], rng[2], rng[3] = before
    return n, int64(work.actions[OPTIONS, 0])


@inlined
def _rollout_action(work: Work, groups: Groups, rollout: Rollout, s: Address, n: int) -> int:
    """The best-rated of the n OPTIONS, or a random one."""
    if n == 1:
        return int64(work.actions[OPTIONS, 0])
    if rollout.by_group:
        n = _keep_one_group(work, groups, s, n)
    return best_rated(work, s, n) if _is_greedy(work, rollout) else random_option(work, n)


@inlined
def _is_greedy(work: Work, rollout: Rollout) -> bool:
    """Whether the coin says that the best-rated action is to be taken."""
    return rollout.epsilon > 0.0 and (rollout.epsilon >= 1.0 or unit(work.rng) < rollout.epsilon)


@inlined
def _keep_one_group(work: Work, groups: Groups, s: Address, n: int) -> int:
    """Choose a group at random and keep only its members among the n OPTIONS; returns how many."""
    seen = 0
    for i in range(n):
        group = calls.action_group(work.table, work.g, s, int64(work.actions[OPTIONS, i]))
        groups.of_action[min(i, MAX_GROUPS - 1)] = group
        known = False
        for j in range(seen):
            known = known or groups.found[j] == group
        if not known and seen < MAX_GROUPS:
            groups.found[seen] = group
            seen += 1
    chosen = groups.found[below(work.rng, seen)]
    kept = 0
    for i in range(min(n, MAX_GROUPS)):
        if groups.of_action[i] == chosen:
            work.actions[OPTIONS, kept] = work.actions[OPTIONS, i]
            kept += 1
    return kept
