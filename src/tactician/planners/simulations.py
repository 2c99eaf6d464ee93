"""The kernels of all planners for simultaneous moves: simulations with decoupled bandits on a graph of states.

One loop serves MCS, MCTS and FDTS; a mode says how far bandits choose and which states are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.random import below
from tactician.native import abi
from tactician.native.caching import inlined, kernel
from tactician.native.memory import Address, address, borrowed, int64
from tactician.planners.bandits.base import BanditAddresses, choose_arm, select_arm, update_arm
from tactician.planners.graph import (
    NO_NODE,
    UNLISTED,
    Graph,
    add_node,
    find_state,
    first_arm,
    has_room,
    identify,
    is_listed,
    list_node,
    look_up,
    random_move,
    rated_move,
    statistics_at,
    visit,
)
from tactician.planners.opponents import (
    MODEL,
    UNIFORM,
    acts_by_model,
    count_simulation,
    expected_move,
    take_step,
    value_between,
)
from tactician.planners.work import (
    NO_ACTION,
    NOW,
    ROOT,
    Work,
    continues,
    from_root,
    judge,
    may_iterate,
    mover_of,
    state_at,
)

MCS_MODE, MCTS_MODE, FDTS_MODE = range(3)
_NOT_CHOSEN, _DRAWN = -1, -2
"""Instead of an arm: where no bandit chose, and where the node was new and its actions were not listed."""
LIMIT_REACHED, UNITS_DONE, NO_ROOM = range(3)
"""Why the search kernel returns."""
LONGEST_PATH = 1024
"""MCTS without rollouts may walk through known states for long; here it stops and values where it is."""
_SIMULTANEOUS = abi.SIMULTANEOUS
_VALUE_BYTES = 8


class SimulationOptions(NamedTuple):
    """What the kernels need of a `SimultaneousPlanner`."""

    mode: int
    """MCS, MCTS or FDTS."""
    rollouts: bool
    """Whether MCTS continues at random from a new state."""
    depth: int
    """Steps of a simulation."""
    opponents: int
    """How the others act."""
    model_share: float
    """The share of simulations in which one of the others acts by the model, if there is one."""
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


class SimulationPath(NamedTuple):
    """One simulation, and how often states were known."""

    node: NDArray[np.int64]
    """[longest] the nodes in which bandits chose."""
    arm: NDArray[np.int64]
    """[longest, players] the arm that each player chose there, counted from its first, or NOT_CHOSEN or DRAWN."""
    modelled: NDArray[np.bool_]
    """[players] who acts by the model in this simulation."""
    joint: NDArray[np.int32]
    """[players] the actions of the present step."""
    value: NDArray[np.float64]
    """[players] the values that arms are taught; bandits take their addresses."""
    reached: NDArray[np.int64]
    """[longest] how often a state was reached at a depth while the tree was followed ..."""
    known: NDArray[np.int64]
    """[longest] ... and how often it was there already."""


@kernel
def plant(work: Work, graph: Graph, path: SimulationPath, options: SimulationOptions) -> int:
    """Make sure the present state is kept and its actions are listed; its node, or NO_NODE if a rule failed."""
    work, graph, path = borrowed(work), borrowed(graph), borrowed(path)
    root = state_at(work, ROOT)
    node = find_state(work, graph, root, options.exact)
    if node < 0:
        node = add_node(work, graph)
    visit(graph, node)
    if not is_listed(graph, node):
        _list_and_teach(work, graph, path, options, root, node)
    return node if is_listed(graph, node) else int64(NO_NODE)


@kernel
def run_simulations(
    work: Work, graph: Graph, path: SimulationPath, options: SimulationOptions, me: int, units: int
) -> int:
    """Run `units` simulations for a player, unless a limit is reached or there is no room; returns which it was."""
    work, graph, path = borrowed(work), borrowed(graph), borrowed(path)
    room = (options.depth if options.mode == FDTS_MODE else 1) + 1
    for _ in range(units):
        if not may_iterate(work):
            return LIMIT_REACHED
        if not has_room(work, graph, room):
            return NO_ROOM
        length, steps = _simulate(work, graph, path, options, me)
        judge(work, state_at(work, NOW), 0)
        if calls.error(work.g) != 0:
            return LIMIT_REACHED
        _learn(work, graph, path, options, length)
        count_simulation(work, steps)
    return UNITS_DONE


@inlined
def _simulate(work: Work, graph: Graph, path: SimulationPath, options: SimulationOptions, me: int) -> tuple[int, int]:
    """Play one simulation from the present state; how many nodes were on its path, how many steps it took."""
    now = from_root(work)
    for player in range(work.players):
        path.modelled[player] = player != me and options.opponents == MODEL and acts_by_model(work, options.model_share)
    length, steps = 0, 0
    following, fresh = True, False
    # Without rollouts MCTS ends where something new begins, however deep that is.
    horizon = LONGEST_PATH if options.mode == MCTS_MODE and not options.rollouts else options.depth
    while steps < horizon and continues(work, now):
        mover = mover_of(work, now)
        if following:
            # Behind a new state there are hardly any but new ones.
            likely = fresh
            node, fresh = _reach(work, graph, path, options, now, mover, likely)
            if steps > 0:
                path.reached[steps] += 1
                path.known[steps] += int(not fresh)
            if options.mode == MCTS_MODE and fresh and steps > 0:
                following = False
                if not options.rollouts:
                    break
        if following:
            _decide(work, graph, path, options, now, mover, me, node, length, likely and fresh)
            path.node[length] = node
            length += 1
            following = options.mode != MCS_MODE
        else:
            _draw_moves(work, path, options, now, mover)
        if calls.error(work.g) != 0:
            break
        take_step(work, path.joint, now, mover)
        steps += 1
    if following and steps == horizon:
        path.reached[steps] += 1
        path.known[steps] += int(find_state(work, graph, now, options.exact) >= 0)
    return length, steps


@inlined
def _reach(
    work: Work,
    graph: Graph,
    path: SimulationPath,
    options: SimulationOptions,
    s: Address,
    mover: int,
    likely_new: bool,
) -> tuple[int, bool]:
    """The node of a state, and whether it is new. What is likely to be has its moves drawn while the table loads."""
    identify(work, graph, s, options.exact)
    rng, count = work.rng, work.counters[0]
    before, candidates, lists = (rng[0], rng[1], rng[2], rng[3]), count.candidates, count.lists
    if likely_new:
        _draw_moves(work, path, options, s, mover)
    node = look_up(graph)
    if node < 0:
        return add_node(work, graph), True
    if likely_new:
        rng[0], rng[1], rng[2], rng[3] = before
        count.candidates, count.lists = candidates, lists
    visit(graph, node)
    work.counters[0].hits += 1
    return node, False


@inlined
def _draw_moves(work: Work, path: SimulationPath, options: SimulationOptions, s: Address, mover: int) -> None:
    """Let all players act where no bandit has learned anything: at random, or as a model expects."""
    for player in range(work.players):
        if options.unknown == MODEL or path.modelled[player]:
            path.joint[player] = expected_move(work, s, mover, player)
        else:
            path.joint[player] = random_move(work, s, mover, player)


@inlined
def _decide(
    work: Work,
    graph: Graph,
    path: SimulationPath,
    options: SimulationOptions,
    s: Address,
    mover: int,
    me: int,
    node: int,
    place: int,
    drawn: bool,
) -> None:
    """Let every player's bandit choose an action in a state, or act as the others are expected to.

    `drawn`: what all do where no bandit has learned anything stands in `path.joint` already.
    """
    fresh = graph.tries[node] == 0
    graph.tries[node] += 1
    if fresh and not is_listed(graph, node):
        if not drawn:
            _draw_moves(work, path, options, s, mover)
        for player in range(work.players):
            by_model = path.modelled[player]
            graph.drawn[node, player] = NO_ACTION if by_model else path.joint[player]
            path.arm[place, player] = _NOT_CHOSEN if by_model else _DRAWN
        return
    if not is_listed(graph, node):
        _list_and_teach(work, graph, path, options, s, node)
        if not is_listed(graph, node):
            return  # a rule failed
    first = graph.first[node]
    for player in range(work.players):
        n = int64(graph.arm_count[node, player])
        if path.modelled[player]:
            path.arm[place, player] = _NOT_CHOSEN
            path.joint[player] = expected_move(work, s, mover, player)
            first += n
            continue
        if n == 1:
            arm = int64(0)
        elif fresh and options.unknown == MODEL:
            path.joint[player] = expected_move(work, s, mover, player)
            path.arm[place, player] = _arm_of(graph, first, n, path.joint[player])
            first += n
            continue
        elif fresh or (player != me and options.opponents == UNIFORM):
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
def _list_and_teach(
    work: Work, graph: Graph, path: SimulationPath, options: SimulationOptions, s: Address, node: int
) -> None:
    """List the actions of a state that was seen once, and let bandits learn what came of it then."""
    judged = graph.first[node] == UNLISTED
    list_node(work, graph, s, node)
    if not judged or not is_listed(graph, node):
        return
    first = graph.first[node]
    for player in range(work.players):
        n = int64(graph.arm_count[node, player])
        if n > 1 and graph.drawn[node, player] != NO_ACTION:
            arm = _arm_of(graph, first, n, graph.drawn[node, player])
            if arm >= 0:
                path.value[player] = graph.earned[node, player]
                _teach(graph, path, options, first, n, arm, player)
        first += n


@inlined
def _teach(
    graph: Graph, path: SimulationPath, options: SimulationOptions, first: int, n: int, arm: int, player: int
) -> None:
    """Teach one of a player's n arms the player's value."""
    value = address(path.value) + _VALUE_BYTES * player
    update_arm(options.bandit, statistics_at(graph, first), n, arm, options.exploration, value)


@inlined
def _learn(work: Work, graph: Graph, path: SimulationPath, options: SimulationOptions, length: int) -> None:
    """Teach every arm on the path what the simulation came to, on the scale from -1 to 1."""
    for player in range(work.players):
        path.value[player] = value_between(work, player)
    for i in range(length):
        node = path.node[i]
        if not is_listed(graph, node):
            graph.first[node] = UNLISTED
            for player in range(work.players):
                graph.earned[node, player] = path.value[player]
            continue
        place = _last_place(path, i, length) if options.last_arm else i
        first = graph.first[node]
        for player in range(work.players):
            n = int64(graph.arm_count[node, player])
            arm = path.arm[place, player]
            if arm == _DRAWN:
                arm = _arm_of(graph, first, n, graph.drawn[node, player])
            if n > 1 and arm >= 0:
                _teach(graph, path, options, first, n, arm, player)
            first += n


@inlined
def _last_place(path: SimulationPath, i: int, length: int) -> int:
    """Where on the path the node of place i stands for the last time."""
    last = i
    for j in range(i + 1, length):
        if path.node[j] == path.node[i]:
            last = j
    return last


@inlined
def _chosen(work: Work, graph: Graph, options: SimulationOptions, node: int, player: int) -> int:
    """The action a player takes in a state in the end."""
    first = first_arm(graph, node, player)
    n = int64(graph.arm_count[node, player])
    arm = int64(0)
    if n > 1:
        arm = choose_arm(options.bandit, statistics_at(graph, first), n, work.rng)
    return int64(graph.action[first + arm])


@kernel
def choose_for(work: Work, graph: Graph, options: SimulationOptions, player: int) -> int:
    """A player's action in the present state."""
    work, graph = borrowed(work), borrowed(graph)
    node = find_state(work, graph, state_at(work, ROOT), options.exact)
    return _chosen(work, graph, options, node, player)


@kernel
def read_turn(
    work: Work,
    graph: Graph,
    path: SimulationPath,
    options: SimulationOptions,
    player: int,
    turn: NDArray[np.int32],
    first: int,
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
        elif node >= 0 and is_listed(graph, node) and (graph.tries[node] > 0 or mover == _SIMULTANEOUS):
            turn[length] = _chosen(work, graph, options, node, player)
        else:
            turn[length] = rated_move(work, now, mover, player)
            if turn[length] < 0:
                break
        length += 1
        if mover == _SIMULTANEOUS:
            break
        path.joint[player] = turn[length - 1]
        take_step(work, path.joint, now, mover)
    return length
