"""Learn to evaluate positions from the results of self-play: weights of the features that a game lists.

A planner plays itself, first with the game's usual evaluation, then in each round with what has been learned so far.
After every turn the features of both sides are kept. Logistic regression finds the weights under which the results
are likeliest; a position's target is the result of its game mixed with what the model expects of the later positions
(TD(λ)). NumPy is enough for that. With `hidden` units a network is fitted as well, which needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.contract.feature_network import MOST_UNITS, FeatureNetwork
from tactician.contract.features import SUFFIX, write_evaluation
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.files import require_writable
from tactician.games.registry import load_game
from tactician.learning.extra import require_module
from tactician.learning.positions import Positions
from tactician.learning.ratings import random_turn
from tactician.learning.requirements import require_counted, require_integers, require_penalty
from tactician.planners.base import Agent, Planner
from tactician.seats.plan import uninterrupted

_SAVED_EVERY = 50
"""Games after which what was played so far is saved, and later a tenth of all: saving takes longer and longer."""
_PLIES = 100_000
"""More turns than a game has: numbers of turns never repeat in a run, so its random choices don't either."""
_REFITS = 2
"""How often targets are computed from the model and the model from targets."""
_NEWTON_STEPS, _CONVERGED = 60, 1e-7
OnGames = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class EvaluationTraining:
    """What an evaluation is learned from. The same settings give the same weights."""

    game: str
    """The game's name with parameters, as on the command line."""
    planner: str = "emcts"
    """The planner that plays itself."""
    budget: str = "1000evals"
    """Its budget for a turn; counted, so that a run can be repeated."""
    rounds: int = 4
    """Rounds of self-play; from the second on the planner plays with what has been learned."""
    games: int = 500
    """Games of a round."""
    penalty: float = 1.0
    """How strongly large weights are avoided."""
    trace: float = 0.9
    """λ: how much the result of a game counts, against what the model expects of later positions; 1: only results."""
    fading: float = 0.5
    """How much a round's games count in the round after it."""
    opening: int = 2
    """Turns at random at the beginning of a game, so that games differ."""
    noise: float = 0.02
    """Share of later turns at random."""
    hidden: int = 0
    """Hidden units of a network that adds to the weighted sum; 0: none."""
    check: int = 100
    """Games against the usual evaluation afterwards, to show the strength; 0: none."""
    seed: int = 0
    """Decides everything random."""

    def __post_init__(self) -> None:
        require_integers(self, {"rounds": 1, "games": 10, "opening": 0, "hidden": 0, "check": 0, "seed": 0})
        if self.hidden > MOST_UNITS:
            raise InvalidParameterError(f"hidden is {self.hidden}; expected at most {MOST_UNITS}.")
        for name in ("trace", "fading", "noise"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value <= 1:
                raise InvalidParameterError(f"{name} is {value!r}; expected a number from 0 to 1.")
        require_penalty(self.penalty)
        require_counted(self.budget, "1000evals")


@dataclass(frozen=True)
class EvaluationResult:
    """Learned weights and how good they are."""

    weights: dict[str, float]
    network: FeatureNetwork | None
    """What adds to the weighted sum."""
    positions: int
    """Learned from."""
    loss: float
    """The mean logarithmic loss of the results of games that were not learned from ..."""
    usual_loss: float
    """... and with the game's usual evaluation, scaled as well as possible."""
    won: float
    """Score against the usual evaluation with the same planner and budget, from 0 to 1; nan if that was not asked."""

    def to_json(self) -> dict[str, Any]:
        """For the file and for programs."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        told["network"] = self.network and self.network.to_json()
        return {name: None if value != value else value for name, value in told.items()}


def train_evaluation(
    settings: EvaluationTraining, out: Path, on_games: OnGames = lambda _done, _of: None
) -> EvaluationResult:
    """Play, learn, and write the weights to `out`. A run that was stopped is continued by the same settings."""
    if out.suffix != SUFFIX:
        raise InvalidParameterError(f"out is {str(out)!r}; expected a file name that ends in {SUFFIX}.")
    require_writable("evaluation", out)
    if settings.hidden:
        require_module("torch", "an evaluation with hidden units")
    game, planner = _game(settings), planner_of(settings.planner)
    kept = Positions.resumed(out.with_suffix(".partial.npz"), asdict(settings), 2 * len(game.info.features))
    self_play(
        game, planner, settings, kept, _sides, lambda past: _fit_for(past, game, kept, settings).on(game), on_games
    )
    learned = fitted(kept, settings)
    named = learned.named(game)
    won = score_against_usual(game, planner, learned.on(game), settings, on_games)
    result = EvaluationResult(named, learned.network, len(kept.results), *_losses(kept, learned), won)
    told = {key: value for key, value in result.to_json().items() if key not in ("weights", "network")}
    write_evaluation(out, game, named, {"settings": asdict(settings), **told}, learned.network)
    kept.forget()
    return result


class Fitted(NamedTuple):
    """What was fitted to the games so far."""

    weights: NDArray[np.float64]
    """[features]"""
    network: FeatureNetwork | None

    def odds(self, sides: NDArray[np.float32]) -> NDArray[np.float64]:
        """The logarithm of the first player's odds; [positions, both sides' features]."""
        count = len(self.weights)
        ours, theirs = sides[:, :count], sides[:, count:]
        sums: NDArray[np.float64] = (ours - theirs) @ self.weights
        return sums if self.network is None else sums + self.network.odds(ours, theirs)

    def named(self, game: Game) -> dict[str, float]:
        """The weights as a file has them."""
        rounded = (round(float(weight), 6) for weight in self.weights)
        return dict(zip(game.info.features, rounded, strict=True))

    def on(self, game: Game) -> Game:
        """The game judged by it."""
        return game.with_feature_weights(self.named(game), self.network)

    def packed(self) -> NDArray[np.float64]:
        """All numbers in a row, to be saved."""
        parts = () if self.network is None else self.network
        return np.concatenate([self.weights, *(part.ravel() for part in parts)])

    @classmethod
    def unpacked(cls, numbers: NDArray[np.float64], features: int, units: int) -> Fitted:
        """What was packed."""
        if not units:
            return cls(numbers, None)
        sizes = np.cumsum([features, units * features, units * features, units])
        weights, own, other, bias, out = np.split(numbers, sizes)
        return cls(weights, FeatureNetwork(own.reshape(units, -1), other.reshape(units, -1), bias, out))


def _fit_for(past: int, game: Game, kept: Positions, settings: EvaluationTraining) -> Fitted:
    """What a round is played with: fitted to the games before it, once."""
    numbers = kept.known(past, lambda: fitted(kept, settings).packed())
    return Fitted.unpacked(numbers, len(game.info.features), settings.hidden)


def _game(settings: EvaluationTraining) -> Game:
    game = load_game(settings.game)
    if game.simultaneous or game.players != 2 or not game.info.features:
        raise InvalidParameterError(
            f"game is {settings.game!r}; expected one of two players with turns that has the rule 'features'."
        )
    return game


def planner_of(text: str) -> Planner:
    """The planner that plays itself; refuses other agents."""
    spec = parse_agent(text)
    if not isinstance(spec, PlannerSpec):
        raise InvalidParameterError(f"planner is {text!r}; expected a planner.")
    return spec.planner


class SelfPlay(Protocol):
    """What both kinds of training say about the games that are learned from."""

    @property
    def budget(self) -> str:
        """For a turn."""

    @property
    def rounds(self) -> int:
        """From the second on the planner plays with what has been learned."""

    @property
    def games(self) -> int:
        """Of a round."""

    @property
    def opening(self) -> int:
        """Turns at random at the beginning of a game."""

    @property
    def noise(self) -> float:
        """Share of later turns at random."""

    @property
    def check(self) -> int:
        """Games against the usual evaluation afterwards."""

    @property
    def seed(self) -> int:
        """Decides everything random."""


def self_play(
    game: Game,
    planner: Planner,
    settings: SelfPlay,
    kept: Positions,
    seen: Callable[[State], list[float]],
    learned: Callable[[int], Game],
    on_games: OnGames,
) -> None:
    """Play the games that are not kept yet, later rounds as `learned` judges; what is `seen` of positions is kept."""
    agent, playing, total = planner.on(game, settings.seed), 0, settings.rounds * settings.games
    saved = kept.games
    for number in range(kept.games, total):
        past = number // settings.games
        if past != playing:
            agent, playing = planner.on(learned(past), settings.seed), past
        kept.add(_played(game, agent, settings, number, seen))
        if number + 1 - saved >= max(_SAVED_EVERY, saved // 10):
            kept.save()
            saved = number + 1
        on_games(number + 1, total + settings.check)


class Played(NamedTuple):
    """One game."""

    rows: NDArray[np.float32]
    """[turns, features + 1] what is seen of the position after each turn, and its usual value for the first player."""
    result: float
    """1 if the first player won, 0.5 for a draw, else 0."""


def _played(game: Game, agent: Agent, settings: SelfPlay, number: int, seen: Callable[[State], list[float]]) -> Played:
    """Play one game; the number decides everything random in it."""
    seed = settings.seed * 1_000_003 + number
    state, rng = game.initial_state(seed), np.random.default_rng([seed, 13])
    rows: list[list[float]] = []
    ply = 0
    while not state.is_over():
        if ply < settings.opening or rng.random() < settings.noise:
            random_turn(state, rng)
        else:
            for action in uninterrupted(agent.plan(state, settings.budget, ply=number * _PLIES + ply)).actions:
                state.apply(action)
        ply += 1
        if ply > settings.opening and not state.is_over():
            rows.append([*seen(state), state.evaluate()[0]])
    width = len(rows[0]) if rows else len(seen(game.initial_state(seed))) + 1
    return Played(np.array(rows, np.float32).reshape(-1, width), (state.returns()[0] + 1) / 2)


def _sides(state: State) -> list[float]:
    """The first player's features, then the second's."""
    return [*state.features(0).values(), *state.features(1).values()]


def fitted(kept: Positions, settings: EvaluationTraining) -> Fitted:
    """The weights, and the network, under which the results are likeliest, as TD(λ) sees them."""
    learned = kept.learned_from()
    sides = kept.seen[learned]
    if not len(sides):
        raise InvalidParameterError("the games have no position to learn from; expected more games.")
    age = (kept.game_of[learned[-1]] - kept.game_of[learned]) // settings.games
    importance = settings.fading**age
    results = kept.results[learned]
    model = _fit(sides, results, importance, settings)
    for _ in range(_REFITS if settings.trace < 1 else 0):
        targets = traced(chance_of(model.odds(sides)), results, kept.game_of[learned], settings.trace)
        model = _fit(sides, targets, importance, settings)
    return model


def _fit(
    sides: NDArray[np.float32],
    targets: NDArray[np.float64],
    importance: NDArray[np.float64],
    settings: EvaluationTraining,
) -> Fitted:
    """The weights, and the network, under which targets are likeliest."""
    if settings.hidden:
        from tactician.learning.evaluation_network import fit_network

        return Fitted(*fit_network(sides, targets, importance, settings.hidden, settings.seed))
    features = sides.shape[1] // 2
    return Fitted(logistic(sides[:, :features] - sides[:, features:], targets, importance, settings.penalty), None)


def traced(
    expected: NDArray[np.float64], results: NDArray[np.float64], game_of: NDArray[np.int64], trace: float
) -> NDArray[np.float64]:
    """The targets of TD(λ): what is expected of the next position and the target of it, mixed; at last the result."""
    targets = results.astype(np.float64)
    for i in range(len(targets) - 2, -1, -1):
        if game_of[i] == game_of[i + 1]:
            targets[i] = trace * targets[i + 1] + (1 - trace) * expected[i + 1]
    return targets


def logistic(
    rows: NDArray[Any],
    targets: NDArray[np.float64],
    importance: NDArray[np.float64],
    penalty: float | NDArray[np.float64],
) -> NDArray[np.float64]:
    """Logistic regression without intercept by Newton's method.

    The penalty, one or one for each feature, is on features of equal spread.
    """
    scale = np.maximum(np.sqrt((rows.astype(np.float64) ** 2).mean(axis=0)), 1e-3)
    scaled = rows / scale
    weights = np.zeros(rows.shape[1])
    ridge = penalty * np.eye(len(weights))  # an array scales columns, and those of a diagonal are its entries
    for _ in range(_NEWTON_STEPS):
        chance = chance_of(scaled @ weights)
        slope = scaled.T @ (importance * (chance - targets)) + penalty * weights
        curvature = (scaled * (importance * chance * (1 - chance))[:, None]).T @ scaled + ridge
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < _CONVERGED:
            break
    found: NDArray[np.float64] = weights / scale
    return found


def chance_of(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities from logarithms of odds."""
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
    return chances


def _losses(kept: Positions, model: Fitted) -> tuple[float, float]:
    """The logarithmic loss in games that were not learned from: of the model, and of the usual evaluation."""
    learned, held_out = kept.learned_from(), kept.held_out()
    usual = kept.usual_values[:, None]
    scale = logistic(usual[learned], kept.results[learned], np.ones(len(learned)), 1e-6)
    results = kept.results[held_out]
    return (
        log_loss(chance_of(model.odds(kept.seen[held_out])), results),
        log_loss(chance_of(usual[held_out] @ scale), results),
    )


def log_loss(chances: NDArray[np.float64], results: NDArray[np.float64]) -> float:
    """The mean of -ln of what the results were given; draws count half for each side."""
    if not len(results):
        return 0.0
    safe = np.clip(chances, 1e-9, 1 - 1e-9)
    return float(-(results * np.log(safe) + (1 - results) * np.log(1 - safe)).mean())


def score_against_usual(game: Game, planner: Planner, learned: Game, settings: SelfPlay, on_games: OnGames) -> float:
    """The share of games that the learned evaluation wins against the usual one, in pairs with seats exchanged."""
    if not settings.check:
        return float("nan")
    first = settings.rounds * settings.games
    challenger, usual = planner.on(learned, settings.seed), planner.on(game, settings.seed)
    won = 0.0
    for number in range(settings.check):
        seat = number % 2
        agents = (challenger, usual) if seat == 0 else (usual, challenger)
        state, ply = game.initial_state(settings.seed * 1_000_003 + first + number // 2), 0
        while not state.is_over():
            agent = agents[state.current_player()]
            for action in uninterrupted(
                agent.plan(state, settings.budget, ply=(first + number) * _PLIES + ply)
            ).actions:
                state.apply(action)
            ply += 1
        won += (state.returns()[seat] + 1) / 2
        on_games(first + number + 1, first + settings.check)
    return won / settings.check
