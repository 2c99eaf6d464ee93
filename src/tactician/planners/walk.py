"""What the kernels of MCTS share: their options, where the search stands, and the present descent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.native.rows import Row, Rows
from tactician.planners.genome import Turns
from tactician.planners.ranking import Ranking
from tactician.planners.rollouts import Groups, Rollout
from tactician.planners.tree import Trial
from tactician.planners.work import SHARED_STATES

MAX_PATH = 512
"""A descent goes no deeper; only games without end get there."""
THE_TURN, ANOTHER_TURN = 0, 1
"""The rows of `Walk.turn`."""
START = SHARED_STATES
"""The scratch state that the turn begins in; ROOT moves on with the phases."""


class Options(NamedTuple):
    """What the kernels need of an `MCTS`."""

    exploration: float
    """C of the upper confidence bound."""
    share: bool
    """Whether states reached in different orders are one node."""
    running: bool
    """Whether values are scaled by those seen so far instead of the game's range."""
    phased: bool
    """Whether the budget is split into phases, one for each decision of the turn."""
    reinvoke: bool
    """Whether every phase starts with an empty tree."""
    waste: bool
    """Whether a turn that the tree does not finish is ended at once."""
    rollout: Rollout
    """How rollouts choose."""


class Progress(Row):
    """Where the search stands."""

    root: int
    """The node that descents start at."""
    phases: int
    """Phases that the budget is split into."""
    phases_done: int
    """Phases that have ended."""
    spent_before: float
    """The fraction of the budget that was spent before the first phase."""
    clock: float
    """The fraction of a time budget that is spent."""
    least: float
    """The least value seen."""
    greatest: float
    """The greatest value seen."""
    value: float
    """The value of the turn read off last ..."""
    visits: int
    """... and how many simulations it comes from."""
    roots: int
    """How many nodes of this tree were the root before the present one ..."""
    passed: int
    """... and how many nodes the plan passes in all, as far as the tree goes."""


class Walk(NamedTuple):
    """The present descent, and what has been decided."""

    slots: NDArray[np.int64]
    """[MAX_PATH] the edges of the descent: each one's slot in the node that it leaves ..."""
    nodes: NDArray[np.int64]
    """[MAX_PATH + 1] ... and the nodes between them, from the root on."""
    trial: Rows[Trial]
    """[1] what has become of the new action at the end of the descent."""
    bounds: NDArray[np.float64]
    """[max_actions] the upper confidence bounds of a node's edges."""
    turn: Turns
    """[2] the actions decided by the phases so far, to which `best` appends the rest of the turn; another turn."""
    roots: NDArray[np.int64]
    """[max_turn + 2] the nodes of this tree that were the root before, then the others that the plan passes ..."""
    decided: NDArray[np.int64]
    """[max_turn + 2] ... and how many actions of the plan come before each."""
    means: NDArray[np.float64]
    """[max_actions] the means of a node's edges, -inf where an edge was not tried or has been looked at."""
    groups: Groups
    """Room for the groups of the actions in a rollout."""
    progress: Rows[Progress]
    """[1] where the search stands."""
    ranking: Ranking
    """The turns that `alternatives` lists."""
