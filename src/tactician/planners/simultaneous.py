"""Planners for games in which all players act at once: MCS, MCTS and fixed-depth tree search (FDTS).

Every player has a bandit of its own in every state the search keeps (decoupled). MCS keeps only the present state and
goes on at random; MCTS adds one state a simulation; FDTS lets the bandits play to a fixed depth and keeps every state
on the way. States are found again by their digest, so what was learned stays from move to move of a game. A game with
turns is a special case: whoever isn't to move has one action.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import below
from tactician.native import abi
from tactician.native.caching import inlined, kernel
from tactician.native.memory import address, ask3, ask4, borrowed, do3, int64
from tactician.planners import graph
from tactician.planners.bandits import Bandit, bandit_named
from tactician.planners.base import Planner, Search
from tactician.planners.graph import ARM_COUNT, MOVE, NODE_COUNT
from tactician.planners.simultaneous_agent import SimultaneousAgent
from tactician.planners.work import (
    COMPLETED,
    DEPTH_MAX,
    DEPTH_SUM,
    ITERATIONS,
    LEAVES,
    SEQUENCES,
    best_rated,
    copy_state,
    judge,
    may_go_on,
    state_at,
)
from tactician.seats.budget import Budget

_MCS, _MCTS, _FDTS = range(3)
_ROOT, _NOW = 0, 1
_SELECT, _UPDATE, _CHOOSE = range(3)
_MILLION = 1_000_000
_LONGEST_PATH = 1024
"""MCTS without rollouts may walk through known states for long; here it stops and values where it is."""
MAX_DEPTH = 1000
_SIMULTANEOUS = abi.SIMULTANEOUS


@dataclass(frozen=True, kw_only=True)
class SimultaneousPlanner(Planner):
    """What the three planners have in common."""

    simultaneous: ClassVar[bool] = True

    bandit: Bandit | str = "thompson"
    """How actions are chosen in states that are kept: thompson, ucb1, ucb1-value, random, or a bandit of one's own."""
    exploration: float | None = None
    """The bandit's c, 0 to 1000000; its own default if none is given."""
    depth: int = 20
    """How many steps a simulation looks ahead, 1 to 1000."""
    reuse: bool = True
    """Keep what was learned from move to move of a game."""
    key: Literal["game", "exact"] = "game"
    """What makes two states the same: game (as the game says) or exact (every byte of them)."""
    memory_mb: int = 1024
    """The most memory for what is kept, at least 1; beyond it, what was not visited lately is forgotten."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(isinstance(self.bandit, Bandit | str), "bandit", "a bandit or the name of one")
        if isinstance(self.bandit, str):
            bandit_named(self.bandit)
        good = self.exploration is None or 0 <= self.exploration <= _MILLION
        self._require(good, "exploration", f"0 to {_MILLION}")
        self._require(isinstance(self.depth, int) and 1 <= self.depth <= MAX_DEPTH, "depth", f"1 to {MAX_DEPTH}")
        self._require(self.key in ("game", "exact"), "key", "'game' or 'exact'")
        self._require(isinstance(self.memory_mb, int) and 1 <= self.memory_mb <= 1 << 20, "memory_mb", "1 to 1048576")

    @property
    def chosen_bandit(self) -> Bandit:
        """The bandit itself."""
        return bandit_named(self.bandit) if isinstance(self.bandit, str) else self.bandit

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> SimultaneousAgent:
        """An agent that plays a game with this planner, for any of its seats."""
        return SimultaneousAgent(self, game, seed, full_information)

    @abstractmethod
    def _mode(self) -> tuple[int, bool]:
        """Which search it is, and whether it rolls out."""

    def search(self, game: Game) -> DecoupledSearch:
        """A search with an empty graph."""
        return DecoupledSearch(game, self)


@dataclass(frozen=True, kw_only=True)
class MCS(SimultaneousPlanner):
    """Monte Carlo search: bandits in the present state, random play from there."""

    name: ClassVar[str] = "mcs"
    paper: ClassVar[str] = "Boney et al. 2022, section IV"

    def _mode(self) -> tuple[int, bool]:
        return _MCS, True


@dataclass(frozen=True, kw_only=True)
class SimultaneousMCTS(SimultaneousPlanner):
    """MCTS with a bandit for every player in every state of the tree."""

    name: ClassVar[str] = "simultaneous-mcts"
    paper: ClassVar[str] = "Boney et al. 2022, section IV"

    rollouts: bool = True
    """Go on at random from a new state to the full depth; False: value the new state itself."""

    def _mode(self) -> tuple[int, bool]:
        return _MCTS, self.rollouts


@dataclass(frozen=True, kw_only=True)
class FDTS(SimultaneousPlanner):
    """Fixed-depth tree search: the bandits play every simulation to its end, and every state on the way is kept."""

    name: ClassVar[str] = "fdts"
    paper: ClassVar[str] = "Boney et al. 2022, section IV"

    def _mode(self) -> tuple[int, bool]:
        return _FDTS, False


class _Path(NamedTuple):
    """One simulation, and how often states were known."""

    node: Any
    arm: Any
    joint: Any
    value: Any
    reached: Any
    """How often a state was reached at a depth while the tree was followed ..."""
    known: Any
    """... and how often it was there already."""


class DecoupledSearch(Search):
    """The running search of all three planners."""

    def __init__(self, game: Game, planner: SimultaneousPlanner) -> None:
        super().__init__(game, planner.prune, states=4)
        self._mode, self._rollouts = planner._mode()
        self._bandit = planner.chosen_bandit
        self._functions = self._bandit.addresses
        given = planner.exploration if planner.exploration is not None else self._bandit.exploration
        self._exploration = round(given * _MILLION)
        self._depth = planner.depth
        self._reuse = planner.reuse
        self._exact = planner.key == "exact"
        self._store = graph.Store(game, planner.memory_mb, (self._depth if self._mode == _FDTS else 1) + 2)
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
        return self._store.bytes

    def forget(self) -> None:
        """A new game begins."""
        self._store.clear()

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Go to a state; what was learned before stays unless it should not."""
        super().begin(root, player, random, budget)
        if not self._reuse:
            self._store.clear()
        self._store.begin_move()
        self._store.make_room()
        self._path.reached[:] = 0
        self._path.known[:] = 0
        _plant(self.work, self._store.graph, self._exact)

    def _advance(self, units: int) -> bool:
        """Run so many simulations, however often room has to be made for them."""
        end = int(self.count[ITERATIONS]) + units
        while True:
            done = _search(
                self.work,
                self._store.graph,
                self._path,
                self._functions,
                self._mode,
                self._rollouts,
                self._depth,
                self._exploration,
                self._exact,
                end - int(self.count[ITERATIONS]),
            )
            if done >= 0:
                return bool(done)
            self._store.make_room()
            _plant(self.work, self._store.graph, self._exact)

    def best(self) -> tuple[list[int], float | None]:
        """The player's action; where players take turns, the whole turn as far as it was searched."""
        turn = np.zeros(self.game.max_turn, np.int32)
        length = _read_turn(
            self.work, self._store.graph, self._path, self._functions, self._exact, max(0, self.player), turn
        )
        value = self._value_of(int(turn[0]), max(0, self.player)) if length else None
        return turn[:length].tolist(), value

    def choices(self, player: int) -> list[tuple[int, float, float]]:
        """Every action of a player in the present state: action, value from -1 to 1, visits."""
        t = self._store.graph
        node = int(_root_node(self.work, t, self._exact))
        if node < 0:
            return []
        first = int(t.first[node] + t.count[node, :player].sum())
        rows = range(first, first + int(t.count[node, player]))
        arms = [(int(t.action[i]), float(t.arms[i, 0]), float(t.arms[i, 1])) for i in rows]
        return [(action, self._bandit.mean(a, b), self._bandit.visits(a, b)) for action, a, b in arms]

    def chosen(self, player: int) -> int:
        """The action a player should take in the present state."""
        return int(_choose_for(self.work, self._store.graph, self._functions, self._exact, player))

    def _value_of(self, action: int, player: int) -> float | None:
        low, high = self.game.value_range
        found = [value for one, value, visits in self.choices(player) if one == action and visits > 0]
        return low + (found[0] + 1) / 2 * (high - low) if found else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The player's actions in the present state that were tried, best first."""
        low, high = self.game.value_range
        tried = [choice for choice in self.choices(max(0, self.player)) if choice[2] > 0]
        ranked = sorted(tried, key=lambda choice: (-choice[1], -choice[2]))
        return [([a], low + (value + 1) / 2 * (high - low), round(visits)) for a, value, visits in ranked[:most]]

    @property
    def revisits(self) -> tuple[tuple[int, int], ...]:
        """For each depth from 1: states reached while the tree was followed, and how many were known already."""
        last = int(np.max(np.nonzero(self._path.reached)[0], initial=0))
        reached, known = self._path.reached[1 : last + 1], self._path.known[1 : last + 1]
        return tuple(zip(reached.tolist(), known.tolist(), strict=True))


@kernel
def _plant(w: Any, t: Any, exact: Any) -> None:
    """Make sure the present state is kept."""
    w, t = borrowed(w), borrowed(t)
    root = state_at(w, _ROOT)
    graph.digest_of(w, t, root, exact)
    node = graph.find(t)
    if node < 0:
        graph.add(w, t, root)
    else:
        t.stamp[node] = t.used[MOVE]


@kernel
def _search(
    w: Any,
    t: Any,
    path: Any,
    functions: Any,
    mode: Any,
    rollouts: Any,
    depth: Any,
    exploration: Any,
    exact: Any,
    units: Any,
) -> Any:
    """Run `units` simulations; 0 once a limit is reached, -1 if there is no room for another."""
    w, t, path = borrowed(w), borrowed(t), borrowed(path)
    functions = borrowed(functions)
    room = (depth if mode == _FDTS else 1) + 1
    for _ in range(units):
        if not may_go_on(w):
            return 0
        arms = room * w.players * ((w.actions.shape[1] - 4096) // 4)
        if t.used[NODE_COUNT] + room >= t.digest.shape[0] or t.used[ARM_COUNT] + arms >= t.action.shape[0]:
            return -1
        length, steps = _simulate(w, t, path, functions, mode, rollouts, depth, exploration, exact)
        judge(w, state_at(w, _NOW), 0)
        if calls.error(w.g) != 0:
            return 0
        _learn(w, t, path, functions, length)
        w.count[ITERATIONS] += 1
        w.count[SEQUENCES] += 1
        w.count[LEAVES] += 1
        w.count[DEPTH_SUM] += steps
        w.count[DEPTH_MAX] = max(w.count[DEPTH_MAX], steps)
    return 1


@inlined
def _simulate(
    w: Any,
    t: Any,
    path: Any,
    functions: Any,
    mode: Any,
    rollouts: Any,
    depth: Any,
    exploration: Any,
    exact: Any,
) -> Any:
    """Play one simulation from the present state; how many nodes were on its path, how many steps it took."""
    now = state_at(w, _NOW)
    copy_state(w, now, state_at(w, _ROOT))
    length, steps = 0, 0
    following = True
    # Without rollouts MCTS ends where something new begins, however deep that is.
    horizon = _LONGEST_PATH if mode == _MCTS and not rollouts else depth
    while steps < horizon and calls.is_over(w.table, w.g, now) == 0 and calls.error(w.g) == 0:
        mover = calls.current_player(w.table, w.g, now)
        if following:
            graph.digest_of(w, t, now, exact)
            node = graph.find(t)
            fresh = node < 0
            if fresh:
                node = graph.add(w, t, now)
                if node < 0:
                    break
            else:
                graph.visit(w, t, node)
            if steps > 0:
                path.reached[steps] += 1
                path.known[steps] += int(not fresh)
            if mode == _MCTS and fresh and steps > 0:
                following = False
                if not rollouts:
                    break
        if following:
            _decide(w, t, path, functions, node, length, exploration)
            path.node[length] = node
            length += 1
            following = mode != _MCS
        else:
            for player in range(w.players):
                n = graph.list_for(w, now, mover, player)
                path.joint[player] = w.actions[0, below(w.rng, n)]
        if calls.error(w.g) != 0:
            break
        _step(w, path, now, mover)
        steps += 1
    if following and steps == horizon:
        graph.digest_of(w, t, now, exact)
        path.reached[steps] += 1
        path.known[steps] += int(graph.find(t) >= 0)
    return length, steps


@inlined
def _step(w: Any, path: Any, s: Any, mover: Any) -> None:
    if mover == _SIMULTANEOUS:
        calls.apply_joint(w.table, w.g, s, address(path.joint), address(w.rng))
    else:
        calls.apply(w.table, w.g, s, path.joint[mover], address(w.rng))


@inlined
def _decide(w: Any, t: Any, path: Any, functions: Any, node: Any, place: Any, exploration: Any) -> None:
    """Let every player's bandit choose an action in a state."""
    first = t.first[node]
    fresh = t.tries[node] == 0
    t.tries[node] += 1
    for player in range(w.players):
        n = int64(t.count[node, player])
        if n == 1:
            arm = int64(0)
        elif fresh:
            arm = below(w.rng, n)
        else:
            arm = ask4(functions[_SELECT], address(t.arms) + 8 * first, n, exploration, address(w.rng))
        path.arm[place, player] = arm
        path.joint[player] = t.action[first + arm]
        first += n


@inlined
def _learn(w: Any, t: Any, path: Any, functions: Any, length: Any) -> None:
    """Teach every arm on the path what the simulation came to, on the scale from -1 to 1."""
    scale = 2.0 / (w.high - w.low)
    for player in range(w.players):
        path.value[0] = max(-1.0, min(1.0, (w.values[player] - w.low) * scale - 1.0))
        for i in range(length):
            node = path.node[i]
            n = int64(t.count[node, player])
            if n > 1:
                first = t.first[node]
                for other in range(player):
                    first += t.count[node, other]
                do3(functions[_UPDATE], address(t.arms) + 8 * first, path.arm[i, player], address(path.value))


@inlined
def _chosen(w: Any, t: Any, functions: Any, node: Any, player: Any) -> Any:
    """The action a player takes in a state in the end."""
    first = t.first[node]
    for other in range(player):
        first += t.count[node, other]
    n = int64(t.count[node, player])
    arm = int64(0)
    if n > 1:
        arm = ask3(functions[_CHOOSE], address(t.arms) + 8 * first, n, address(w.rng))
    return t.action[first + arm]


@kernel
def _root_node(w: Any, t: Any, exact: Any) -> Any:
    """The node of the present state, or -1."""
    w, t = borrowed(w), borrowed(t)
    graph.digest_of(w, t, state_at(w, _ROOT), exact)
    return graph.find(t)


@kernel
def _choose_for(w: Any, t: Any, functions: Any, exact: Any, player: Any) -> Any:
    """A player's action in the present state."""
    w, t, functions = borrowed(w), borrowed(t), borrowed(functions)
    graph.digest_of(w, t, state_at(w, _ROOT), exact)
    return _chosen(w, t, functions, graph.find(t), player)


@kernel
def _read_turn(w: Any, t: Any, path: Any, functions: Any, exact: Any, player: Any, turn: Any) -> Any:
    """Follow the choices of a player from the present state to the end of its turn; what was not tried, by rating."""
    w, t, path, functions = borrowed(w), borrowed(t), borrowed(path), borrowed(functions)
    now = state_at(w, _NOW)
    copy_state(w, now, state_at(w, _ROOT))
    length = 0
    while length < turn.shape[0] and calls.is_over(w.table, w.g, now) == 0 and calls.error(w.g) == 0:
        mover = calls.current_player(w.table, w.g, now)
        if mover != player and (mover != _SIMULTANEOUS or length > 0):
            break
        graph.digest_of(w, t, now, exact)
        node = graph.find(t)
        if node >= 0 and (t.tries[node] > 0 or mover == _SIMULTANEOUS):
            turn[length] = _chosen(w, t, functions, node, player)
        else:
            n = graph.list_for(w, now, mover, player)
            if calls.error(w.g) != 0:
                break
            turn[length] = best_rated(w, now, 0, n)
            w.count[COMPLETED] += int(n > 1)
        length += 1
        if mover == _SIMULTANEOUS:
            break
        path.joint[player] = turn[length - 1]
        _step(w, path, now, mover)
    return length
