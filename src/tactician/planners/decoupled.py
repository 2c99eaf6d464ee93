"""The search of all planners for simultaneous moves: decoupled bandits on a graph of states.

One kernel serves MCS, MCTS and FDTS; a mode says how far bandits choose and which states are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import below, stream
from tactician.contract.state import State
from tactician.native import abi
from tactician.native.caching import inlined, kernel
from tactician.native.memory import Address, address, borrowed, int64
from tactician.planners.bandits.base import MILLION, BanditAddresses, choose_arm, select_arm, update_arm
from tactician.planners.base import Search
from tactician.planners.graph import (
    Graph,
    StateMemory,
    add_state,
    arms_of,
    find_state,
    first_arm,
    has_room,
    list_moves,
    statistics_at,
    visit,
)
from tactician.planners.team import Reading
from tactician.planners.work import (
    LEGAL,
    NO_ACTION,
    NOW,
    ROOT,
    Work,
    apply,
    best_rated,
    continues,
    count_descent,
    fail,
    from_root,
    judge,
    list_at,
    list_legal,
    may_iterate,
    mover_of,
    random_option,
    state_at,
)
from tactician.seats.budget import Budget
from tactician.seats.plan import Choice

if TYPE_CHECKING:
    from tactician.planners.network_policy import NetworkPolicy
    from tactician.planners.priors import Priors
    from tactician.planners.simultaneous import SimultaneousPlanner

MCS_MODE, MCTS_MODE, FDTS_MODE = range(3)
_BANDITS, _UNIFORM, MODEL = range(3)
OPPONENTS = {"bandit": _BANDITS, "uniform": _UNIFORM}
"""How the others act; every other name is that of a model or of a follower's file."""
_NOT_CHOSEN = -1
"""Instead of an arm where no bandit chose."""
_LIMIT_REACHED, _UNITS_DONE, _NO_ROOM = range(3)
"""Why the search kernel returns."""
_LONGEST_PATH = 1024
"""MCTS without rollouts may walk through known states for long; here it stops and values where it is."""
_ROUNDING = 1e-4
_SIMULTANEOUS, _ILLEGAL_POLICY = abi.SIMULTANEOUS, abi.ILLEGAL_POLICY


class _Options(NamedTuple):
    """What the kernels need of a `SimultaneousPlanner`."""

    mode: int
    """MCS, MCTS or FDTS."""
    rollouts: bool
    """Whether MCTS continues at random from a new state."""
    depth: int
    """Steps of a simulation."""
    opponents: int
    """How the others act."""
    last_arm: bool
    """Whether only the arm that was chosen last in a state learns."""
    unknown: int
    """How all act where no bandit has learned anything yet: at random or as the model does."""
    exact: bool
    """Whether all bytes of a state identify it, instead of the game's digest."""
    exploration: int
    """The bandit's c in millionths."""
    bandit: BanditAddresses
    """The bandit's compiled functions."""


class _Path(NamedTuple):
    """One simulation, and how often states were known."""

    node: NDArray[np.int64]
    """[longest] the nodes in which bandits chose."""
    arm: NDArray[np.int64]
    """[longest, players] the arm that each player chose there, counted from its first; NOT_CHOSEN if no bandit did."""
    joint: NDArray[np.int32]
    """[players] the actions of the present step."""
    value: NDArray[np.float64]
    """[1] the value that an arm is taught; bandits take its address."""
    reached: NDArray[np.int64]
    """[longest] how often a state was reached at a depth while the tree was followed ..."""
    known: NDArray[np.int64]
    """[longest] ... and how often it was there already."""


class DecoupledSearch(Search):
    """The running search of all three planners."""

    def __init__(self, game: Game, planner: SimultaneousPlanner) -> None:
        super().__init__(game, planner.prune)
        mode, rollouts = planner.mode()
        self._bandit = planner.chosen_bandit
        given = planner.exploration if planner.exploration is not None else self._bandit.exploration
        self._options = _Options(
            mode=mode,
            rollouts=rollouts,
            depth=planner.depth,
            opponents=OPPONENTS.get(planner.opponents, MODEL),
            last_arm=planner.repeats == "last",
            unknown=OPPONENTS.get(planner.rollout_policy, MODEL),
            exact=planner.key == "exact",
            exploration=round(given * MILLION),
            bandit=self._bandit.addresses,
        )
        self._reuse = planner.reuse
        self._policy: NetworkPolicy | None = None
        if planner.policy_file:
            from tactician.planners.network_policy import NetworkPolicy

            self._policy = NetworkPolicy(game, planner.policy_file)
            self.work = self.work._replace(table=self._policy.table(self.work.table))
        self._lent: NDArray[np.float32] | None = None
        """What this search knew of the present state before that of other workers was added."""
        self._priors: Priors | None = None
        if planner.priors is not None:
            from tactician.planners.priors import Priors  # networks are not needed without it

            self._priors = Priors(game, planner.priors, planner.prior_weight, self._bandit)
        self._primed: dict[bytes, NDArray[np.float32]] = {}
        """What the arms of present states began with, by the states' digests."""
        self._memory = StateMemory(game, planner.memory_mb, (planner.depth if mode == FDTS_MODE else 1) + 2)
        longest = _LONGEST_PATH + 1
        self._path = _Path(
            node=np.zeros(longest, np.int64),
            arm=np.zeros((longest, game.players), np.int64),
            joint=np.zeros(game.players, np.int32),
            value=np.zeros(1),
            reached=np.zeros(longest, np.int64),
            known=np.zeros(longest, np.int64),
        )

    @property
    def memory_bytes(self) -> int:
        """What the kept states take."""
        return self._memory.bytes

    def forget(self) -> None:
        """Forget what was learned, because a new game begins."""
        self._lent = None
        self._primed.clear()
        self._memory.clear()

    def merged(self, others: Sequence[Search]) -> Reading:
        """This search with the sums of what all workers know of the present state, until the next one begins."""
        arms = self._root_arms()
        if arms is None:
            return self
        self._lent = arms.copy()
        for other in others:
            if not isinstance(other, DecoupledSearch):
                continue
            theirs, start = other._root_arms(), other._start()
            if theirs is not None and theirs.shape == arms.shape:
                arms += theirs if start is None else theirs - start  # what all began with counts once
        return self

    def _root_arms(self) -> NDArray[np.float32] | None:
        """All arms of the present state; equal states have the same actions in the same order."""
        graph = self._memory.graph
        node = _root_node(self.work, graph, self._options)
        if node < 0:
            return None
        first = int(graph.first[node])
        return graph.arms[first : first + int(graph.arm_count[node].sum())]

    def _give_back(self) -> None:
        """Keep of the present state only what this search has learned itself: the others remember theirs."""
        if self._lent is not None:
            arms = self._root_arms()
            if arms is not None:
                arms[:] = self._lent
            self._lent = None

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Go to a state; what was learned before stays unless `reuse` is off."""
        self._give_back()
        super().begin(root, player, random, budget)
        if not self._reuse:
            self._memory.clear()
            self._primed.clear()
        self._memory.begin_move()
        self._memory.make_room()
        self._path.reached[:] = 0
        self._path.known[:] = 0
        _plant(self.work, self._memory.graph, self._options)
        if self._priors is not None:
            self._prime(State(self.game, root.copy(), stream(0)), self._priors)

    def _prime(self, root: State, priors: Priors) -> None:
        """Let the bandits of the present state begin with what a network expects, once for each state."""
        graph = self._memory.graph
        node = _root_node(self.work, graph, self._options)
        digest = graph.digest[node].tobytes() if node >= 0 else b""
        if node < 0 or (digest in self._primed and graph.tries[node] > 0):
            return
        first = int(graph.first[node])
        start: NDArray[np.float32] = np.zeros((int(graph.arm_count[node].sum()), 2), np.float32)
        place = 0
        for player in range(self.game.players):
            count = int(graph.arm_count[node, player])
            if count > 1:
                actions = graph.action[first + place : first + place + count]
                start[place : place + count] = priors.numbers(root, player, actions)
            place += count
        graph.arms[first : first + len(start)] += start
        graph.tries[node] += 1  # the bandits choose from the first simulation on
        self._primed[digest] = start

    def _start(self) -> NDArray[np.float32] | None:
        """What the arms of the present state began with; None if nothing was expected."""
        graph = self._memory.graph
        node = _root_node(self.work, graph, self._options)
        return self._primed.get(graph.digest[node].tobytes()) if node >= 0 else None

    def advance(self, units: int) -> bool:
        """Run `units` simulations, however often room has to be made for them."""
        end = int(self.counters.iterations) + units
        while True:
            left = end - int(self.counters.iterations)
            reason = _search(self.work, self._memory.graph, self._path, self._options, max(0, self.player), left)
            if reason != _NO_ROOM:
                return reason == _UNITS_DONE
            self._memory.make_room()
            _plant(self.work, self._memory.graph, self._options)

    def best(self) -> tuple[list[int], float | None]:
        """The player's action; where players take turns, the whole turn as far as it was searched."""
        player = max(0, self.player)
        found = self._turn(player)
        return found, self._value_of(found[0], player) if found else None

    def choices(self, player: int) -> list[tuple[int, float, float]]:
        """Every action of a player in the present state: action, value from -1 to 1, visits."""
        node = _root_node(self.work, self._memory.graph, self._options)
        if node < 0:
            return []
        arms = arms_of(self._memory.graph, node, player)
        found = [(action, self._bandit.mean(a, b), self._bandit.visits(a, b)) for action, a, b in arms]
        start = self._primed.get(self._memory.graph.digest[node].tobytes())
        if start is None:
            return found
        first = int(self._memory.graph.arm_count[node, :player].sum())
        expected = [self._bandit.visits(float(a), float(b)) for a, b in start[first : first + len(found)]]
        return [(one, value, _own_visits(n, prior)) for (one, value, n), prior in zip(found, expected, strict=True)]

    def tried(self) -> tuple[tuple[Choice, ...], ...]:
        """For each player, the actions that were tried in the present state."""
        low, high = self.game.value_range
        return tuple(
            tuple(
                Choice(action, low + (value + 1) / 2 * (high - low), visits)
                for action, value, visits in self.choices(player)
                if visits > 0
            )
            for player in range(self.game.players)
        )

    def chosen(self, player: int) -> int:
        """The action a player should take in the present state."""
        return _choose_for(self.work, self._memory.graph, self._options, player)

    def _value_of(self, action: int, player: int) -> float | None:
        low, high = self.game.value_range
        found = [value for one, value, visits in self.choices(player) if one == action and visits > 0]
        return low + (found[0] + 1) / 2 * (high - low) if found else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The player's actions that were tried, best first; where players take turns, each with the rest of a turn."""
        low, high = self.game.value_range
        player = max(0, self.player)
        tried = [choice for choice in self.choices(player) if choice[2] > 0]
        ranked = sorted(tried, key=lambda choice: (-choice[1], -choice[2]))[:most]
        return [
            (self._turn(player, action), low + (value + 1) / 2 * (high - low), round(visits))
            for action, value, visits in ranked
        ]

    def _turn(self, player: int, first: int = NO_ACTION) -> list[int]:
        """The turn that a player's choices make, or that they make after a first action."""
        turn: NDArray[np.int32] = np.zeros(self.game.max_turn, np.int32)
        length = _read_turn(self.work, self._memory.graph, self._path, self._options, player, turn, first)
        return turn[:length].tolist()

    @property
    def revisits(self) -> tuple[tuple[int, int], ...]:
        """For each depth from 1: states reached while the tree was followed, and how many were known already."""
        last = int(np.max(np.nonzero(self._path.reached)[0], initial=0))
        reached, known = self._path.reached[1 : last + 1], self._path.known[1 : last + 1]
        return tuple(zip(reached.tolist(), known.tolist(), strict=True))


def _own_visits(visits: float, prior: float) -> float:
    """Visits without those that an expectation counted for; arms are kept in single precision."""
    own = visits - prior
    return own if own > _ROUNDING * (1 + prior) else 0.0


@kernel
def _plant(work: Work, graph: Graph, options: _Options) -> None:
    """Make sure the present state is kept."""
    work, graph = borrowed(work), borrowed(graph)
    root = state_at(work, ROOT)
    node = find_state(work, graph, root, options.exact)
    if node < 0:
        add_state(work, graph, root)
    else:
        visit(graph, node)


@kernel
def _search(work: Work, graph: Graph, path: _Path, options: _Options, me: int, units: int) -> int:
    """Run `units` simulations for a player, unless a limit is reached or there is no room; returns which it was."""
    work, graph, path = borrowed(work), borrowed(graph), borrowed(path)
    room = (options.depth if options.mode == FDTS_MODE else 1) + 1
    for _ in range(units):
        if not may_iterate(work):
            return _LIMIT_REACHED
        if not has_room(work, graph, room):
            return _NO_ROOM
        length, steps = _simulate(work, graph, path, options, me)
        judge(work, state_at(work, NOW), 0)
        if calls.error(work.g) != 0:
            return _LIMIT_REACHED
        _learn(work, graph, path, options, length)
        count = work.counters[0]
        count.iterations += 1
        count.sequences += 1
        count_descent(work, steps)
    return _UNITS_DONE


@inlined
def _simulate(work: Work, graph: Graph, path: _Path, options: _Options, me: int) -> tuple[int, int]:
    """Play one simulation from the present state; how many nodes were on its path, how many steps it took."""
    now = from_root(work)
    length, steps = 0, 0
    following = True
    # Without rollouts MCTS ends where something new begins, however deep that is.
    horizon = _LONGEST_PATH if options.mode == MCTS_MODE and not options.rollouts else options.depth
    while steps < horizon and continues(work, now):
        mover = mover_of(work, now)
        if following:
            node = find_state(work, graph, now, options.exact)
            fresh = node < 0
            if fresh:
                node = add_state(work, graph, now)
                if node < 0:
                    break
            else:
                visit(graph, node)
                work.counters[0].hits += 1
            if steps > 0:
                path.reached[steps] += 1
                path.known[steps] += int(not fresh)
            if options.mode == MCTS_MODE and fresh and steps > 0:
                following = False
                if not options.rollouts:
                    break
        if following:
            _decide(work, graph, path, options, now, me, node, length)
            path.node[length] = node
            length += 1
            following = options.mode != MCS_MODE
        else:
            for player in range(work.players):
                if options.unknown == MODEL or (player != me and options.opponents == MODEL):
                    path.joint[player] = _expected(work, now, mover, player)
                else:
                    path.joint[player] = random_option(work, list_moves(work, now, mover, player))
        if calls.error(work.g) != 0:
            break
        _step(work, path, now, mover)
        steps += 1
    if following and steps == horizon:
        path.reached[steps] += 1
        path.known[steps] += int(find_state(work, graph, now, options.exact) >= 0)
    return length, steps


@inlined
def _step(work: Work, path: _Path, s: Address, mover: int) -> None:
    """Apply the actions of the present step."""
    if mover == _SIMULTANEOUS:
        calls.apply_joint(work.table, work.g, s, address(path.joint), address(work.rng))
    else:
        apply(work, s, int64(path.joint[mover]))


@inlined
def _expected(work: Work, s: Address, mover: int, player: int) -> int:
    """What the game's model expects of a player; only what is legal, or the rule has failed."""
    if mover != _SIMULTANEOUS and mover != player:
        return int64(0)
    n = list_legal(work, s, player, LEGAL)  # a model may take legal actions that planners don't consider
    action = calls.policy(work.table, work.g, s, player, address(work.rng))
    if calls.contains(list_at(work, LEGAL), n, action) == 0:
        fail(work, _ILLEGAL_POLICY, s)
        return int64(work.actions[LEGAL, 0])
    return action


@inlined
def _decide(
    work: Work, graph: Graph, path: _Path, options: _Options, s: Address, me: int, node: int, place: int
) -> None:
    """Let every player's bandit choose an action in a state, or act as the others are expected to."""
    first = graph.first[node]
    fresh = graph.tries[node] == 0
    graph.tries[node] += 1
    for player in range(work.players):
        n = int64(graph.arm_count[node, player])
        if player != me and options.opponents == MODEL:
            path.arm[place, player] = _NOT_CHOSEN
            path.joint[player] = _expected(work, s, mover_of(work, s), player)
            first += n
            continue
        if n == 1:
            arm = int64(0)
        elif fresh and options.unknown == MODEL:
            path.joint[player] = _expected(work, s, mover_of(work, s), player)
            path.arm[place, player] = _arm_of(graph, first, n, path.joint[player])
            first += n
            continue
        elif fresh or (player != me and options.opponents == _UNIFORM):
            arm = below(work.rng, n)
        else:
            arm = select_arm(options.bandit, statistics_at(graph, first), n, options.exploration, work.rng)
        path.arm[place, player] = arm
        path.joint[player] = graph.action[first + arm]
        first += n


@inlined
def _arm_of(graph: Graph, first: int, n: int, action: int) -> int:
    """The arm of an action among a player's n; NOT_CHOSEN for one that planners don't consider."""
    for arm in range(n):
        if graph.action[first + arm] == action:
            return int64(arm)
    return int64(_NOT_CHOSEN)


@inlined
def _learn(work: Work, graph: Graph, path: _Path, options: _Options, length: int) -> None:
    """Teach every arm on the path what the simulation came to, on the scale from -1 to 1."""
    scale = 2.0 / (work.high - work.low)
    for player in range(work.players):
        path.value[0] = max(-1.0, min(1.0, (work.values[player] - work.low) * scale - 1.0))
        for i in range(length):
            node = path.node[i]
            if graph.arm_count[node, player] > 1 and path.arm[i, player] >= 0:
                arms = statistics_at(graph, first_arm(graph, node, player))
                place = _last_place(path, i, length) if options.last_arm else i
                update_arm(options.bandit, arms, path.arm[place, player], path.value)


@inlined
def _last_place(path: _Path, i: int, length: int) -> int:
    """Where on the path the node of place i stands for the last time."""
    last = i
    for j in range(i + 1, length):
        if path.node[j] == path.node[i]:
            last = j
    return last


@inlined
def _chosen(work: Work, graph: Graph, options: _Options, node: int, player: int) -> int:
    """The action a player takes in a state in the end."""
    first = first_arm(graph, node, player)
    n = int64(graph.arm_count[node, player])
    arm = int64(0)
    if n > 1:
        arm = choose_arm(options.bandit, statistics_at(graph, first), n, work.rng)
    return int64(graph.action[first + arm])


@kernel
def _root_node(work: Work, graph: Graph, options: _Options) -> int:
    """The node of the present state, or NO_NODE."""
    work, graph = borrowed(work), borrowed(graph)
    return find_state(work, graph, state_at(work, ROOT), options.exact)


@kernel
def _choose_for(work: Work, graph: Graph, options: _Options, player: int) -> int:
    """A player's action in the present state."""
    work, graph = borrowed(work), borrowed(graph)
    node = find_state(work, graph, state_at(work, ROOT), options.exact)
    return _chosen(work, graph, options, node, player)


@kernel
def _read_turn(
    work: Work, graph: Graph, path: _Path, options: _Options, player: int, turn: NDArray[np.int32], first: int
) -> int:
    """Follow the choices of a player from the present state to the end of its turn; what was not tried, by rating.

    The turn begins with the action `first`, unless that is NO_ACTION.
    """
    work, graph, path = borrowed(work), borrowed(graph), borrowed(path)
    now = from_root(work)
    length = 0
    while length < turn.shape[0] and continues(work, now):
        mover = mover_of(work, now)
        if mover != player and (mover != _SIMULTANEOUS or length > 0):
            break
        node = find_state(work, graph, now, options.exact)
        if length == 0 and first >= 0:
            turn[0] = first
        elif node >= 0 and (graph.tries[node] > 0 or mover == _SIMULTANEOUS):
            turn[length] = _chosen(work, graph, options, node, player)
        else:
            n = list_moves(work, now, mover, player)
            if calls.error(work.g) != 0:
                break
            turn[length] = best_rated(work, now, n)
            work.counters[0].completed += int64(n > 1)
        length += 1
        if mover == _SIMULTANEOUS:
            break
        path.joint[player] = turn[length - 1]
        _step(work, path, now, mover)
    return length
