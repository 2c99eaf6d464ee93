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
    OPTIONS,
    Work,
    apply,
    best_rated,
    continues,
    count_options,
    draw_option,
    list_for,
    mover_of,
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
def roll_out(work: Work, groups: Groups, rollout: Rollout, s: Address, options: int) -> None:
    """Play on in a state until `rollout.turns` turns have ended.

    `options`: how many actions of the state OPTIONS holds already; 0: they have not been listed.
    """
    turns = rollout.turns
    if turns == 0 or not continues(work, s):
        return
    player = mover_of(work, s)
    n = options
    if n > 1:
        count_options(work, n)
    for _ in range(MAX_ROLLOUT):
        if n == 0 and work.draws != 0 and not rollout.by_group:
            action = _unlisted_action(work, rollout, s, max(0, player))
        else:
            if n == 0:
                n = list_for(work, s, max(0, player), OPTIONS)
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
def _unlisted_action(work: Work, rollout: Rollout, s: Address, player: int) -> int:
    """The same as to list the actions and choose one; the list is made only where it must be rated."""
    rng = work.rng
    before = rng[0], rng[1], rng[2], rng[3]
    if _is_greedy(work, rollout):
        n = list_for(work, s, player, OPTIONS)
        action = best_rated(work, s, n)
    else:
        n = draw_option(work, s, player)
        action = int64(work.actions[OPTIONS, 0])
    if n == 1:
        # A forced action takes nothing from the stream.
        rng[0], rng[1], rng[2], rng[3] = before
    return action


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
