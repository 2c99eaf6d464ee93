"""Learn to rate actions from a planner's turns: a linear model whose weights stand in the game's configuration.

The teacher plays itself. At every action of its turns, the actions of the rest of the turn that are legal are the good
ones, in whatever order: the weights make one of them likely (conditional logit, fitted by L-BFGS with a small penalty).
No PyTorch is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.contract.game import Game
from tactician.contract.ratings import ActionFeatures, write_ratings
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.files import require_writable
from tactician.games.registry import load_game
from tactician.learning.requirements import require_counted, require_integers, require_penalty
from tactician.planners.base import Planner
from tactician.seats.plan import uninterrupted

SUFFIX = ".json"
_HELD_OUT = 5
"""One game of this many, and the last, are not learned from, but tell how good the ratings are."""
OnGames = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class RatingsTraining:
    """What ratings are learned from. The same settings give the same weights."""

    game: str
    """The game's name with parameters, as on the command line."""
    teacher: str = "emcts"
    """The planner whose turns are learned."""
    budget: str = "500evals"
    """Its budget for a turn; counted, so that a run can be repeated."""
    games: int = 40
    """Games that it plays against itself."""
    penalty: float = 1.0
    """How strongly large weights are avoided."""
    opening: int = 2
    """Turns at random at the beginning of a game, so that games differ."""
    seed: int = 0
    """Decides everything random."""

    def __post_init__(self) -> None:
        require_integers(self, {"games": 2, "opening": 0, "seed": 0})
        require_penalty(self.penalty)
        require_counted(self.budget, "500evals")


@dataclass(frozen=True)
class Decision:
    """One action of a turn."""

    features: NDArray[np.float64]
    """[actions, features] of what could be done."""
    good: NDArray[np.bool_]
    """[actions] whether the teacher did it now or later in the turn."""


@dataclass(frozen=True)
class RatingsResult:
    """Learned weights and how well they rate."""

    weights: dict[str, float]
    decisions: int
    """Learned from."""
    agreement: float
    """How often the best-rated action was one of the teacher's, in games that were not learned from."""
    usual_agreement: float
    """The same of the game's usual ratings."""
    mean_rank: float
    """The mean place of the first good action when actions are tried in this order, counted from 1 ..."""
    usual_rank: float
    """... and with the usual ratings."""

    def to_json(self) -> dict[str, Any]:
        """For the file and for programs."""
        return asdict(self)


def train_ratings(settings: RatingsTraining, out: Path, on_games: OnGames = lambda _done, _of: None) -> RatingsResult:
    """Let the teacher play, learn to rate, and write the weights to `out`."""
    if out.suffix != SUFFIX:
        raise InvalidParameterError(f"out is {str(out)!r}; expected a file name that ends in {SUFFIX}.")
    require_writable("ratings", out)
    game = load_game(settings.game)
    spec = parse_agent(settings.teacher)
    if game.simultaneous or not isinstance(spec, PlannerSpec):
        raise InvalidParameterError(
            f"teacher is {settings.teacher!r} in {game.name!r}; expected a planner and a game with turns."
        )
    features = ActionFeatures(game)
    learned: list[Decision] = []
    held_out: list[tuple[Decision, NDArray[np.float64]]] = []
    for number in range(settings.games):
        for decision, usual in _decisions(game, spec.planner, features, settings, number):
            if number % _HELD_OUT == _HELD_OUT - 1 or number == settings.games - 1:
                held_out.append((decision, usual))
            else:
                learned.append(decision)
        on_games(number + 1, settings.games)
    weights = fitted(learned, settings.penalty)
    result = RatingsResult(
        weights=dict(zip(features.names, (round(float(weight), 6) for weight in weights), strict=True)),
        decisions=len(learned),
        **_quality(held_out, weights),
    )
    told = {key: value for key, value in result.to_json().items() if key != "weights"}
    write_ratings(out, game, result.weights, {"settings": asdict(settings), **told})
    return result


def _decisions(
    game: Game, planner: Planner, features: ActionFeatures, settings: RatingsTraining, number: int
) -> list[tuple[Decision, NDArray[np.float64]]]:
    """The decisions of one game, with the usual ratings of their actions."""
    seed = settings.seed * 1_000_003 + number
    agent = planner.on(game, seed, full_information=True)
    state, rng = game.initial_state(seed), np.random.default_rng([seed, 11])
    found: list[tuple[Decision, NDArray[np.float64]]] = []
    ply = 0
    while not state.is_over():
        if ply < settings.opening:
            random_turn(state, rng)
        else:
            turn = uninterrupted(agent.plan(state, settings.budget, ply=ply)).actions
            for place, action in enumerate(turn):
                options = list(dict.fromkeys(state.candidate_actions()))
                if len(options) > 1:
                    good = np.isin(options, turn[place:])
                    if good.any() and not good.all():
                        usual = np.array(state.rate_actions(options))
                        found.append((Decision(features.of(state, options), good), usual))
                state.apply(action)
        ply += 1
    return found


def random_turn(state: State, rng: np.random.Generator) -> None:
    """Play a turn at random."""
    player = state.current_player()
    while not state.is_over() and state.current_player() == player:
        options = state.candidate_actions()
        state.apply(options[int(rng.integers(len(options)))])


def fitted(decisions: Sequence[Decision], penalty: float) -> NDArray[np.float64]:
    """The weights under which the good actions are likeliest."""
    from scipy.optimize import minimize

    if not decisions:
        raise InvalidParameterError("the teacher's games have no decision to learn from; expected more games.")
    rows = np.concatenate([one.features for one in decisions])
    scale = np.maximum(rows.std(axis=0), 1e-3)
    scaled = rows / scale
    good = np.concatenate([one.good for one in decisions])
    starts = np.cumsum([0, *(len(one.good) for one in decisions)])[:-1]
    group = np.repeat(np.arange(len(decisions)), [len(one.good) for one in decisions])

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        ratings = scaled @ weights
        tops = np.maximum.reduceat(ratings, starts)
        chances = np.exp(ratings - tops[group])
        total, hit = np.add.reduceat(chances, starts), np.add.reduceat(chances * good, starts)
        among_all, among_good = chances / total[group], chances * good / np.maximum(hit, 1e-300)[group]
        value = float(np.sum(np.log(total) - np.log(np.maximum(hit, 1e-300)))) + penalty / 2 * float(weights @ weights)
        return value, scaled.T @ (among_all - among_good) + penalty * weights

    result = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights: NDArray[np.float64] = result.x / scale
    return weights


def _quality(
    held_out: Sequence[tuple[Decision, NDArray[np.float64]]], weights: NDArray[np.float64]
) -> dict[str, float]:
    ranks = [_first_good(decision.features @ weights, decision.good) for decision, _ in held_out]
    usual = [_first_good(ratings, decision.good) for decision, ratings in held_out]
    return {
        "agreement": float(np.mean([rank == 1 for rank in ranks])) if ranks else 0.0,
        "usual_agreement": float(np.mean([rank == 1 for rank in usual])) if usual else 0.0,
        "mean_rank": float(np.mean(ranks)) if ranks else 0.0,
        "usual_rank": float(np.mean(usual)) if usual else 0.0,
    }


def _first_good(ratings: NDArray[np.float64], good: NDArray[np.bool_]) -> int:
    """The place of the first good action, best-rated first, equals in their order."""
    order = np.argsort(-ratings, kind="stable")
    return int(np.argmax(good[order])) + 1
