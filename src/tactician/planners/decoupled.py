"""The search of all planners for simultaneous moves: it keeps what decoupled bandits learn, and reads plans off it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.native import abi
from tactician.planners.bandits.base import MILLION
from tactician.planners.base import Search
from tactician.planners.graph import NO_NODE, StateMemory, arms_of
from tactician.planners.opponents import MODEL, OPPONENTS, install_follower
from tactician.planners.simulations import (
    FDTS_MODE,
    LONGEST_PATH,
    NO_ROOM,
    UNITS_DONE,
    SimulationOptions,
    SimulationPath,
    choose_for,
    plant,
    read_turn,
    run_simulations,
)
from tactician.planners.simultaneous_agent import SimultaneousSearch
from tactician.planners.team import Reading
from tactician.planners.work import NO_ACTION
from tactician.seats.budget import Budget
from tactician.seats.plan import Choice

if TYPE_CHECKING:
    from tactician.planners.network_policy import NetworkPolicy
    from tactician.planners.priors import Priors
    from tactician.planners.simultaneous import SimultaneousPlanner

_ROUNDING = 1e-4
"""Arms are kept in single precision."""


class DecoupledSearch(SimultaneousSearch):
    """The running search of all three planners."""

    def __init__(self, game: Game, planner: SimultaneousPlanner) -> None:
        super().__init__(game, planner.prune)
        mode, rollouts = planner.mode()
        self._bandit = planner.chosen_bandit
        given = planner.exploration if planner.exploration is not None else self._bandit.exploration
        self._options = SimulationOptions(
            mode=mode,
            rollouts=rollouts,
            depth=planner.depth,
            opponents=OPPONENTS.get(planner.opponents, MODEL),
            model_share=float(planner.model_share),
            last_arm=planner.repeats == "last",
            unknown=OPPONENTS.get(planner.rollout_policy, MODEL),
            exact=planner.key == "exact",
            exploration=round(given * MILLION),
            bandit=self._bandit.addresses,
        )
        self._reuse = planner.reuse
        self._all_act = False
        """Whether everybody acts in the present state: a turn is then one action."""
        self._policy: NetworkPolicy | None = None
        if file := planner.policy_file(game):
            self.work, self._policy = install_follower(self.work, game, file)
        self._lent: NDArray[np.float32] | None = None
        """What this search knew of the present state before that of other workers was added."""
        self._node = NO_NODE
        """The node of the present state."""
        self._priors: Priors | None = None
        if planner.priors is not None:
            from tactician.planners.priors import Priors  # networks are not needed without it

            self._priors = Priors(game, planner.priors, planner.prior_weight, self._bandit)
        self._primed: dict[bytes, NDArray[np.float32]] = {}
        """What the arms of present states began with, by the states' digests."""
        nodes = (planner.depth if mode == FDTS_MODE else 1) + 2
        self._memory = StateMemory(game, planner.memory_mb, nodes, self._bandit.numbers)
        longest = LONGEST_PATH + 1
        self._path = SimulationPath(
            node=np.zeros(longest, np.int64),
            arm=np.zeros((longest, game.players), np.int64),
            modelled=np.zeros(game.players, np.bool_),
            joint=np.zeros(game.players, np.int32),
            value=np.zeros(game.players),
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
        self._node = NO_NODE
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
        node = self._node
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
        self._all_act = State(self.game, root, random).current_player() == abi.SIMULTANEOUS
        self._memory.begin_move()
        self._memory.make_room()
        self._path.reached[:] = 0
        self._path.known[:] = 0
        self._plant()
        if self._priors is not None:
            self._prime(State(self.game, root.copy(), stream(0)), self._priors)

    def _plant(self) -> None:
        """Keep the present state."""
        self._node = plant(self.work, self._memory.graph, self._path, self._options)

    def _prime(self, root: State, priors: Priors) -> None:
        """Let the bandits of the present state begin with what a network expects, once for each state."""
        graph = self._memory.graph
        node = self._node
        digest = graph.digest[node].tobytes() if node >= 0 else b""
        if node < 0 or (digest in self._primed and graph.tries[node] > 0):
            return
        first = int(graph.first[node])
        start: NDArray[np.float32] = np.zeros((int(graph.arm_count[node].sum()), self._bandit.numbers), np.float32)
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
        return self._primed.get(graph.digest[self._node].tobytes()) if self._node >= 0 else None

    def advance(self, units: int) -> bool:
        """Run `units` simulations, however often room has to be made for them."""
        end = int(self.counters.iterations) + units
        while True:
            left = end - int(self.counters.iterations)
            reason = run_simulations(
                self.work, self._memory.graph, self._path, self._options, max(0, self.player), left
            )
            if reason != NO_ROOM:
                return reason == UNITS_DONE
            self._memory.make_room()
            self._plant()

    def best(self) -> tuple[list[int], float | None]:
        """The player's action; where players take turns, the whole turn as far as it was searched."""
        player = max(0, self.player)
        found = self._turn(player)
        return found, self._value_of(found[0], player) if found else None

    def choices(self, player: int) -> list[tuple[int, float, float]]:
        """Every action of a player in the present state: action, value from -1 to 1, visits."""
        node = self._node
        if node < 0:
            return []
        arms = arms_of(self._memory.graph, node, player)
        found = [(action, self._bandit.mean(*numbers), self._bandit.visits(*numbers)) for action, numbers in arms]
        start = self._primed.get(self._memory.graph.digest[node].tobytes())
        if start is None:
            return found
        first = int(self._memory.graph.arm_count[node, :player].sum())
        expected = [self._bandit.visits(*numbers) for numbers in start[first : first + len(found)].tolist()]
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
        return choose_for(self.work, self._memory.graph, self._options, player)

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
        if first != NO_ACTION and self._all_act:
            return [first]
        turn: NDArray[np.int32] = np.zeros(self.game.max_turn, np.int32)
        length = read_turn(self.work, self._memory.graph, self._path, self._options, player, turn, first)
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
