"""What every kernel works with: the game's rules, scratch memory, the random stream and the counters.

`Work` is a tuple of arrays and numbers that kernels take as one argument. All of it is allocated once, when a planner
is put on a game; kernels allocate nothing. Scratch states and lists are rows with names; the rows that all kernels
share come first, those that a search asks for itself after them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.calls import Addresses
from tactician.contract.game import Game
from tactician.contract.random import WORDS as STREAM_WORDS
from tactician.contract.random import below
from tactician.native import abi
from tactician.native.caching import inlined
from tactician.native.guards import GuardedMemory
from tactician.native.memory import Address, address, ask5, copy_bytes, int64, store_i64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners import outcomes
from tactician.planners.outcomes import KeySlots

# The scratch states that all kernels share, by row.
ROOT = 0
"""The state that the turn begins in."""
NOW = 1
"""The state that a turn, a descent or a simulation has come to."""
TRIAL = 2
"""A state to try single actions in."""
FAULT = 3
"""The state in which a rule broke its promise."""
SHARED_STATES = 4
"""A search's own states follow from this row on."""

# The scratch lists of actions that all kernels share, by row.
OPTIONS = 0
"""What may be done in the state at hand."""
LEGAL = 1
"""Room for the legal list where an action is only checked or looked for."""
PLACES = 2
"""The places of a turn, in random order."""
SHARED_LISTS = 3
"""A search's own lists follow from this row on."""

_NO_SUCH_PLAYER, _NOT_FINITE = abi.NO_SUCH_PLAYER, abi.NOT_FINITE
_NO_ACTIONS, _TOO_MANY_ACTIONS = abi.NO_ACTIONS, abi.TOO_MANY_ACTIONS

ON_DEMAND = ("rate_actions", "best_candidate", "evaluate_after")
"""Optional rules that not every search has a use for."""
NO_LIMIT = 2**62
NO_ACTION = -1
"""Instead of an action where there is none: the budget has ended, or nothing fits."""


class Counters(Row):
    """What a search has done, and its limits."""

    evaluations: int
    """Evaluations made."""
    evaluation_limit: int
    """Evaluations allowed, or NO_LIMIT."""
    iterations: int
    """Iterations done, in the planner's own unit."""
    iteration_limit: int
    """Iterations allowed, or NO_LIMIT."""
    sequences: int
    """Turns valued."""
    unique: int
    """Different states that those turns ended in."""
    candidates: int
    """Actions in all lists that leave a choice ..."""
    lists: int
    """... and the number of these lists."""
    leaves: int
    """Descents made ..."""
    depth_sum: int
    """... the sum of their depths ..."""
    depth_max: int
    """... and the greatest."""
    nodes: int
    """Nodes entered into the tree."""
    hits: int
    """How often a state was found that was known already."""
    completed: int
    """Decisions of the final turn that ratings made because the search did not reach them."""
    cut: int
    """How often a tree could not grow because its memory was full."""


class Work(NamedTuple):
    """One planner's hold on one game."""

    table: Addresses
    """[rules] the addresses of the rules."""
    g: Address
    """The planner's own configuration."""
    state_bytes: int
    """The size of a state, in whole words ..."""
    state_stride: int
    """... and from one scratch state to the next, with the guard words between them."""
    players: int
    """How many players there are."""
    least_player: int
    """The least that `current_player` may return: SIMULTANEOUS where all may act at once, else 0."""
    max_actions: int
    """The most actions that a rule may list."""
    zero_sum: bool
    """Whether there are two players and one's gain is the other's loss."""
    low: float
    """The least value of an evaluation."""
    high: float
    """The greatest value of an evaluation."""
    prune: bool
    """Whether candidates are considered instead of all legal actions."""
    draws: Address
    """The rule that draws one of them without a list; 0 if the game has none."""
    prefers: Address
    """The rule that finds the best-rated of them without a list; 0 if the game has none."""
    actions: NDArray[np.int32]
    """[lists, room] the scratch lists, with slack behind `max_actions`."""
    ratings: NDArray[np.float64]
    """[room] the ratings of the list rated last."""
    values: NDArray[np.float64]
    """[players] what the state judged last is worth to each player."""
    states: NDArray[np.uint64]
    """[states, words] the scratch states."""
    rng: NDArray[np.uint64]
    """[4] the random stream of the search."""
    counters: Rows[Counters]
    """[1] what the search has done."""


def make_work(
    game: Game,
    prune: bool,
    memory: GuardedMemory,
    own_states: int = 0,
    own_lists: int = 0,
    on_demand: Collection[str] = ON_DEMAND,
) -> tuple[Work, NDArray[np.uint64]]:
    """Allocate the memory for a planner on a game; the second part is the configuration, which must be kept alive.

    Of the rules ON_DEMAND only those in `on_demand` are compiled; the search must not use the others.
    """
    low, high = game.value_range
    words, longest = -(-game.state_bytes // 8), max(game.max_actions, game.max_turn + 1)
    room = calls.list_room(longest)
    original = game.config_words()
    config = memory.rows("the configuration", 1, len(original), len(original), np.uint64)[0, : len(original)]
    config[:] = original
    states = memory.rows("a state", SHARED_STATES + own_states, words, words, np.uint64)
    return (
        Work(
            table=game.table.addresses_with(on_demand),
            g=config.ctypes.data,
            state_bytes=8 * words,
            state_stride=states.strides[0],
            players=game.players,
            least_player=abi.SIMULTANEOUS if game.simultaneous else 0,
            max_actions=game.max_actions,
            zero_sum=game.zero_sum and game.players == 2,
            low=float(low),
            high=float(high),
            prune=prune,
            draws=_drawing_rule(game, prune),
            prefers=_preferring_rule(game, prune) if "best_candidate" in on_demand else 0,
            actions=memory.rows("a list of actions", SHARED_LISTS + own_lists, longest, room, np.int32),
            ratings=memory.rows("the ratings of a list", 1, game.max_actions, room, np.float64)[0],
            values=memory.rows("the players' values", 1, game.players, game.players, np.float64)[0, : game.players],
            states=states,
            rng=memory.rows("the random stream", 1, STREAM_WORDS, STREAM_WORDS, np.uint64)[0, :STREAM_WORDS],
            counters=make_rows(Counters),
        ),
        config,
    )


def _drawing_rule(game: Game, prune: bool) -> Address:
    """The address of the rule that draws a random one of the actions considered; 0 if the game has none."""
    rule = "random_candidate" if prune and "candidate_actions" in game.backend.rule_names else "random_action"
    return int(game.table.addresses_with([rule])[abi.INDEX[rule]])


def _preferring_rule(game: Game, prune: bool) -> Address:
    """The address of the rule that finds the best-rated of the actions considered; 0 if the game has none."""
    candidates = prune or "candidate_actions" not in game.backend.rule_names
    return int(game.table.addresses_with(["best_candidate"])[abi.BEST_CANDIDATE]) if candidates else 0


@inlined
def state_at(work: Work, row: int) -> Address:
    """The address of a scratch state."""
    return address(work.states) + row * work.state_stride


@inlined
def copy_state(work: Work, target: Address, source: Address) -> None:
    """Copy a state between two addresses."""
    copy_bytes(target, source, work.state_bytes)


@inlined
def from_root(work: Work) -> Address:
    """Set the scratch state NOW to the root's and return its address."""
    now = state_at(work, NOW)
    copy_state(work, now, state_at(work, ROOT))
    return now


@inlined
def list_at(work: Work, row: int) -> Address:
    """The address of a scratch list of actions."""
    return address(work.actions) + row * work.actions.shape[1] * 4


@inlined
def fail(work: Work, code: int, s: Address) -> None:
    """Report that a rule broke its promise in a state: kernels end, and Python raises it. The first report counts."""
    if calls.error(work.g) == 0:
        copy_state(work, state_at(work, FAULT), s)
        store_i64(work.g, 0, code)


@inlined
def mover_of(work: Work, s: Address) -> int:
    """Whose action it is; 0 and a failure if there is no such player."""
    player = calls.current_player(work.table, work.g, s)
    if player < work.least_player or player >= work.players:
        fail(work, _NO_SUCH_PLAYER, s)
        return int64(0)
    return player


@inlined
def _counted(work: Work, s: Address, n: int) -> int:
    """The length of a list that a rule made; 1 and a failure if that can't be."""
    if n < 1 or n > work.max_actions:
        fail(work, _NO_ACTIONS if n < 1 else _TOO_MANY_ACTIONS, s)
        return int64(1)
    return n


@inlined
def list_candidates(work: Work, s: Address, row: int) -> int:
    """Fill a scratch list with what is considered in a state and return how many; counts the branching."""
    return list_for(work, s, max(0, mover_of(work, s)), row)


@inlined
def count_candidates(work: Work, s: Address) -> int:
    """How many actions are considered in a state; counts the branching. OPTIONS is then of no use."""
    player, rng = max(0, mover_of(work, s)), work.rng
    if work.draws == 0:
        return list_for(work, s, player, OPTIONS)
    before = rng[0], rng[1], rng[2], rng[3]
    n = draw_option(work, s, player)
    rng[0], rng[1], rng[2], rng[3] = before
    return n


@inlined
def list_legal(work: Work, s: Address, player: int, row: int) -> int:
    """Fill a scratch list with a player's legal actions and return how many."""
    return _counted(work, s, calls.legal_actions(work.table, work.g, s, player, list_at(work, row)))


@inlined
def list_possible(work: Work, s: Address, player: int, row: int) -> int:
    """Fill a scratch list with what may become legal for a player this turn and return how many."""
    return _counted(work, s, calls.possible_actions(work.table, work.g, s, player, list_at(work, row)))


@inlined
def list_for(work: Work, s: Address, player: int, row: int) -> int:
    """Fill a scratch list with what is considered for a player and return how many; counts the branching."""
    if work.prune:
        found = calls.candidate_actions(work.table, work.g, s, player, list_at(work, row), address(work.rng))
    else:
        found = calls.legal_actions(work.table, work.g, s, player, list_at(work, row))
    n = _counted(work, s, found)
    if n > 1:
        # Where there is no choice there is nothing to branch.
        count_options(work, n)
    return n


@inlined
def count_options(work: Work, n: int) -> None:
    """Count the branching where there are n actions to choose from."""
    count = work.counters[0]
    count.candidates += n
    count.lists += 1


@inlined
def random_option(work: Work, n: int) -> int:
    """A uniformly random action of the n in the list OPTIONS."""
    return int64(work.actions[OPTIONS, below(work.rng, n)])


@inlined
def random_for(work: Work, s: Address, player: int) -> int:
    """A uniformly random one of the actions considered for a player; counts the branching."""
    draw_option(work, s, player)
    return int64(work.actions[OPTIONS, 0])


@inlined
def draw_option(work: Work, s: Address, player: int) -> int:
    """Put a random one of the actions considered first in OPTIONS and return how many there are; counts the branching.

    The rule that draws takes the same number from the stream as to draw from the list.
    """
    if work.draws == 0:
        n = list_for(work, s, player, OPTIONS)
        work.actions[OPTIONS, 0] = random_option(work, n)
        return n
    n = _counted(work, s, ask5(work.draws, work.g, s, player, list_at(work, OPTIONS), address(work.rng)))
    if n > 1:
        count_options(work, n)
    return n


@inlined
def prefer_option(work: Work, s: Address, player: int) -> int:
    """Put the best-rated of the actions considered first in OPTIONS and return how many there are, as `best_rated`
    after `list_for`."""
    n = int64(0)
    if work.prefers != 0:
        n = ask5(work.prefers, work.g, s, player, list_at(work, OPTIONS), address(work.rng))
    if n == 0:
        n = list_for(work, s, player, OPTIONS)
        work.actions[OPTIONS, 0] = best_rated(work, s, n)
        return n
    n = _counted(work, s, n)
    if n > 1:
        count_options(work, n)
    return n


@inlined
def rate_list(work: Work, s: Address, row: int, n: int) -> None:
    """Rate the n actions of a scratch list, into `work.ratings`."""
    calls.rate_actions(work.table, work.g, s, list_at(work, row), n, address(work.ratings), work.ratings)


@inlined
def sort_list(work: Work, row: int, n: int) -> None:
    """Sort the n actions of a scratch list by falling rating, equals in their order."""
    for i in range(1, n):
        action, rating = work.actions[row, i], work.ratings[i]
        j = i - 1
        while j >= 0 and work.ratings[j] < rating:
            work.actions[row, j + 1] = work.actions[row, j]
            work.ratings[j + 1] = work.ratings[j]
            j -= 1
        work.actions[row, j + 1] = action
        work.ratings[j + 1] = rating


@inlined
def apply(work: Work, s: Address, action: int) -> None:
    """Take an action in a state; chance comes from the search's own stream. After a failure nothing is taken."""
    if calls.error(work.g) == 0:
        calls.apply(work.table, work.g, s, action, address(work.rng))


@inlined
def is_legal(work: Work, s: Address, action: int) -> bool:
    """Whether an action of the current player is legal in a state."""
    if calls.has_is_legal(work.table):
        return calls.is_legal(work.table, work.g, s, action) != 0
    return calls.contains(list_at(work, LEGAL), list_legal(work, s, max(0, mover_of(work, s)), LEGAL), action) != 0


@inlined
def turn_continues(work: Work, s: Address, player: int) -> bool:
    """Whether it is still the player's turn."""
    return continues(work, s) and mover_of(work, s) == player


@inlined
def continues(work: Work, s: Address) -> bool:
    """Whether the game continues; not after a failure."""
    return calls.error(work.g) == 0 and calls.is_over(work.table, work.g, s) == 0


@inlined
def may_iterate(work: Work) -> bool:
    """Whether the budget allows another iteration with at least one evaluation, and nothing has failed."""
    count = work.counters[0]
    return count.iterations < count.iteration_limit and may_evaluate(work)


@inlined
def may_evaluate(work: Work) -> bool:
    """Whether the budget allows one more evaluation; after a failure or Ctrl-C it allows none."""
    count = work.counters[0]
    return count.evaluations < count.evaluation_limit and calls.error(work.g) == 0


@inlined
def share_spent(work: Work, clock: float) -> float:
    """How much of the budget is spent, from 0 to 1; `clock` is the answer for a time budget."""
    count = work.counters[0]
    if count.iteration_limit != NO_LIMIT:
        return count.iterations / count.iteration_limit
    if count.evaluation_limit != NO_LIMIT:
        return count.evaluations / count.evaluation_limit
    return clock


@inlined
def key_of(work: Work, s: Address) -> np.uint64:
    """64 bits that identify a state."""
    return calls.key(work.table, work.g, s, work.state_bytes // 8)


@inlined
def key_of_outcome(work: Work, seen: KeySlots, s: Address) -> np.uint64:
    """The key of the state that a turn ended in. It will be looked up: by then the table has had time to be loaded."""
    key = key_of(work, s)
    outcomes.expect(seen, key)
    return key


@inlined
def count_outcome(work: Work, seen: KeySlots, key: np.uint64) -> None:
    """Count a finished turn, and the state it ended in if that is new."""
    count = work.counters[0]
    count.sequences += 1
    if outcomes.insert(seen, key, 0) == outcomes.MISSING:
        count.unique += 1


@inlined
def count_descent(work: Work, depth: int) -> None:
    """Count a descent and its depth."""
    count = work.counters[0]
    count.leaves += 1
    count.depth_sum += depth
    count.depth_max = max(count.depth_max, depth)


@inlined
def judge(work: Work, s: Address, player: int) -> float:
    """A player's value of a state: the evaluation, or the result on the same scale once the game is over.

    `work.values` then holds every player's value. If a rule fails, the value is the worst there is.
    """
    work.counters[0].evaluations += 1
    if calls.is_over(work.table, work.g, s) != 0:
        calls.returns(work.table, work.g, s, address(work.values))
        for i in range(work.players):
            work.values[i] = work.low + (work.values[i] + 1.0) * 0.5 * (work.high - work.low)
    else:
        calls.evaluate(work.table, work.g, s, address(work.values))
    for i in range(work.players):
        if not np.isfinite(work.values[i]):
            fail(work, _NOT_FINITE, s)
    return work.values[player] if calls.error(work.g) == 0 else -np.inf


@inlined
def best_rated(work: Work, s: Address, n: int) -> int:
    """The one of the n OPTIONS with the best rating, the first of equals: a policy that uses it is deterministic."""
    if n == 1:
        return int64(work.actions[OPTIONS, 0])
    rate_list(work, s, OPTIONS, n)
    best = 0
    for i in range(1, n):
        if work.ratings[i] > work.ratings[best]:
            best = i
    return int64(work.actions[OPTIONS, best])
