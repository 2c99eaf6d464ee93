"""Planners for games in which all players act at once: MCS, MCTS and fixed-depth tree search (FDTS).

Every player has a bandit of its own in every state the search keeps (decoupled). MCS keeps only the present state and
continues at random; MCTS adds one state a simulation; FDTS lets the bandits play to a fixed depth and keeps every
state on the way. States are found again by their digest, so what was learned stays from move to move of a game. A
game with turns is a special case: whoever isn't to move has one action.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from tactician.contract.game import Game
from tactician.errors import InvalidParameterError
from tactician.planners.bandits import Bandit, bandit_named
from tactician.planners.bandits.base import MILLION
from tactician.planners.base import Planner
from tactician.planners.decoupled import DecoupledSearch
from tactician.planners.opponents import follower_among, models_among, with_models
from tactician.planners.simulations import FDTS_MODE, MCS_MODE, MCTS_MODE
from tactician.planners.simultaneous_agent import SimultaneousAgent

MAX_DEPTH = 1000


@dataclass(frozen=True, kw_only=True)
class SimultaneousPlanner(Planner):
    """What the three planners have in common."""

    simultaneous: ClassVar[bool] = True
    page: ClassVar[str] = "planners/simultaneous.md"
    iteration: ClassVar[str] = "a simulation"

    bandit: Bandit | str = "thompson"
    """How actions are chosen in states that are kept: `thompson`, `ucb1`, `ucb1-value`, `random`, `regret-matching`,
    `regret-matching-mixed`, one of the variants of `thompson`, or your own."""
    exploration: float | None = None
    """The bandit's c, 0 to 1000000; by default the bandit's own."""
    depth: int = 20
    """Steps that a simulation looks ahead, 1 to 1000."""
    reuse: bool = True
    """Keep what was learned from move to move of a game."""
    opponents: str = "bandit"
    """How all others act in simulations: `bandit` (as the paper), `uniform`, `policy`, a model of the game (Pommerman:
    `rule-based`, `follower`; Royale: `royale-script`), or a follower's file (.safetensors)."""
    model_share: float = 1.0
    """The share of simulations in which each of the others acts by the model, 0 to 1; in the rest a bandit acts for it,
    or in `rhea` chance."""
    rollout_policy: str = "uniform"
    """How all act where no bandit has learned anything yet: `uniform` (as the paper), `policy`, a model of the game, or
    a follower's file (.safetensors)."""
    key: Literal["game", "exact"] = "game"
    """Which states are the same: `game` (as the game's key says) or `exact` (every byte equal)."""
    memory_mb: int = 1024
    """Megabytes for what is kept, 1 to 1048576; beyond it, states not visited lately are forgotten."""
    priors: str | None = None
    """A follower's file (.safetensors): its estimates of the present state's actions are where the bandits begin."""
    prior_weight: float = 4.0
    """How many simulations the estimates count for, 0 to 1000000."""
    repeats: Literal["own", "last"] = "own"
    """Which arm learns where a simulation comes to a state twice: `own` (each time the arm chosen then) or `last` (as
    the released code: the arm chosen last, twice)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(self.priors is None or isinstance(self.priors, str), "priors", "the name of a follower's file")
        number = isinstance(self.prior_weight, int | float) and 0 <= self.prior_weight <= MILLION
        self._require(number, "prior_weight", f"0 to {MILLION}")
        self._require(isinstance(self.bandit, Bandit | str), "bandit", "a bandit or the name of one")
        if isinstance(self.bandit, str):
            bandit_named(self.bandit)
        good = self.exploration is None or 0 <= self.exploration <= MILLION
        self._require(good, "exploration", f"0 to {MILLION}")
        self._require(isinstance(self.depth, int) and 1 <= self.depth <= MAX_DEPTH, "depth", f"1 to {MAX_DEPTH}")
        self._require(self.repeats in ("own", "last"), "repeats", "'own' or 'last'")
        self._require(self.key in ("game", "exact"), "key", "'game' or 'exact'")
        named = isinstance(self.opponents, str) and bool(self.opponents)
        self._require(named, "opponents", "'bandit', 'uniform', 'policy', the name of a model or a follower's file")
        good = isinstance(self.model_share, int | float) and 0 <= self.model_share <= 1
        self._require(good, "model_share", "a number from 0 to 1")
        named = isinstance(self.rollout_policy, str) and self.rollout_policy not in ("", "bandit")
        self._require(named, "rollout_policy", "'uniform', 'policy', the name of a model or a follower's file")
        if len(models_among(self.opponents, self.rollout_policy)) > 1:
            raise InvalidParameterError(
                f"opponents is {self.opponents!r} and rollout_policy is {self.rollout_policy!r}; "
                "expected one model for both."
            )
        self._require(isinstance(self.memory_mb, int) and 1 <= self.memory_mb <= 1 << 20, "memory_mb", "1 to 1048576")

    @property
    def chosen_bandit(self) -> Bandit:
        """The bandit itself."""
        return bandit_named(self.bandit) if isinstance(self.bandit, str) else self.bandit

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> SimultaneousAgent:
        """An agent that plays a game with this planner, for any of its seats."""
        game = with_models(game, self.opponents, self.rollout_policy)
        return SimultaneousAgent(self, game, seed, full_information)

    def policy_file(self, game: Game) -> str:
        """The follower's file that stands for the rule `policy` of a game; empty if none does."""
        return follower_among(game, self.opponents, self.rollout_policy)

    @abstractmethod
    def mode(self) -> tuple[int, bool]:
        """Which search it is, and whether it rolls out."""

    def search(self, game: Game) -> DecoupledSearch:
        """A search with an empty graph."""
        return DecoupledSearch(game, self)


@dataclass(frozen=True, kw_only=True)
class MCS(SimultaneousPlanner):
    """Searches simultaneous moves by Monte Carlo: bandits choose the next action, random play follows."""

    name: ClassVar[str] = "mcs"
    paper: ClassVar[str] = "Boney et al. 2022, section IV"

    reuse: bool = False
    """Keep what was learned from move to move of a game; the paper's MCS plans every move from scratch."""

    def mode(self) -> tuple[int, bool]:
        """Bandits for the first action only."""
        return MCS_MODE, True


@dataclass(frozen=True, kw_only=True)
class SimultaneousMCTS(SimultaneousPlanner):
    """MCTS for simultaneous moves: a tree with a bandit for every player in every state."""

    name: ClassVar[str] = "simultaneous-mcts"
    paper: ClassVar[str] = "Boney et al. 2022, section IV"

    rollouts: bool = True
    """Play at random from a new state to the full depth; False: value the new state itself."""

    def mode(self) -> tuple[int, bool]:
        """Bandits as far as states are known."""
        return MCTS_MODE, self.rollouts


@dataclass(frozen=True, kw_only=True)
class FDTS(SimultaneousPlanner):
    """Fixed-depth tree search for simultaneous moves: bandits choose at every step of every simulation."""

    name: ClassVar[str] = "fdts"
    paper: ClassVar[str] = "Boney et al. 2022, section IV"

    def mode(self) -> tuple[int, bool]:
        """Bandits to the fixed depth."""
        return FDTS_MODE, False
