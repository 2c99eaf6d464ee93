"""Fit the weights of a game's own evaluation to the results of self-play.

An evaluation with named weights is a sum of terms, one for each weight. What a weight contributes to a position is
found by changing it. Logistic regression then says by how much each weight should differ so that the results of games
are likeliest. Who moves next and which seat won more are allowed for: in long turns the side that has just moved looks
better than it is. The fitted evaluation takes no more time than the usual one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.contract.weight_files import WEIGHTS_FORMAT, write_weights
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.files import require_writable
from tactician.games.registry import load_game
from tactician.learning.evaluations import (
    OnGames,
    chance_of,
    log_loss,
    logistic,
    planner_of,
    score_against_usual,
    self_play,
)
from tactician.learning.positions import Positions
from tactician.learning.requirements import require_counted, require_integers, require_penalty

_SUFFIX = ".json"
_GRAIN = 64
"""Weights are multiples of one by this, so that sums of whole hit points are not rounded."""
_FREE = 1e-6
"""The penalty of what is not shrunk: the scale of the usual value, who moves next, the seats."""


@dataclass(frozen=True, kw_only=True)
class WeightsTraining:
    """What weights are fitted to. The same settings give the same weights."""

    game: str
    """The game's name with parameters, as on the command line."""
    weights: tuple[str, ...] = ()
    """The weights that are fitted; the first keeps its value, which sets the scale. A pattern with * is one number for
    all weights that it matches."""
    planner: str = "coevolution"
    """The planner that plays itself."""
    budget: str = "5000its"
    """Its budget for a turn; counted, so that a run can be repeated."""
    rounds: int = 1
    """Rounds of self-play; from the second on the planner plays with what has been learned."""
    games: int = 500
    """Games of a round."""
    penalty: float = 10.0
    """How strongly differences from the usual weights are avoided."""
    opening: int = 0
    """Turns at random at the beginning of a game."""
    noise: float = 0.0
    """Share of later turns at random."""
    check: int = 100
    """Games against the usual weights afterwards, to show the strength; 0: none."""
    seed: int = 0
    """Decides everything random."""

    def __post_init__(self) -> None:
        require_integers(self, {"rounds": 1, "games": 10, "opening": 0, "check": 0, "seed": 0})
        if not isinstance(self.noise, int | float) or not 0 <= self.noise <= 1:
            raise InvalidParameterError(f"noise is {self.noise!r}; expected a number from 0 to 1.")
        if not self.weights:
            raise InvalidParameterError("weights is empty; expected the weights to fit, separated by commas.")
        require_penalty(self.penalty)
        require_counted(self.budget, "5000its")


@dataclass(frozen=True)
class WeightsResult:
    """Fitted weights and how good they are."""

    weights: dict[str, float]
    """What differs from the usual weights."""
    positions: int
    """Fitted to."""
    loss: float
    """The mean logarithmic loss of the results of games that were held out ..."""
    usual_loss: float
    """... and with the usual weights."""
    won: float
    """Score against the usual weights with the same planner and budget, from 0 to 1; nan if that was not asked."""
    text: str = field(default="")
    """The weights as planners take them: `weights=TEXT`."""

    def to_json(self) -> dict[str, Any]:
        """For the file and for programs."""
        return {name: None if value != value else value for name, value in asdict(self).items()}


def train_weights(settings: WeightsTraining, out: Path, on_games: OnGames = lambda _done, _of: None) -> WeightsResult:
    """Play, fit, and write the weights to `out`. A run that was stopped is continued by the same settings."""
    if out.suffix != _SUFFIX:
        raise InvalidParameterError(f"out is {str(out)!r}; expected a file name that ends in {_SUFFIX}.")
    require_writable("weights", out)
    game, planner = load_game(settings.game), planner_of(settings.planner)
    if game.simultaneous or game.players != 2 or not game.zero_sum:
        raise InvalidParameterError(f"game is {settings.game!r}; expected one of two players with turns, zero-sum.")
    terms = terms_of(game, settings.weights)
    kept = Positions.resumed(out.with_suffix(".partial.npz"), asdict(settings), len(terms) + 2)

    def fitted() -> dict[str, float]:
        return fitted_weights(kept, settings.penalty, game.weights, terms)

    def learned(past: int) -> Game:
        numbers = kept.known(past, lambda: np.array(list({**game.weights, **fitted()}.values())))
        return game.with_weights(**dict(zip(game.weights, numbers.tolist(), strict=True)))

    self_play(game, planner, settings, kept, contributions(game, terms), learned, on_games)
    weights = fitted()
    won = score_against_usual(game, planner, game.with_weights(**weights), settings, on_games)
    text = ";".join(f"{name}={value:.12g}" for name, value in weights.items())
    result = WeightsResult(weights, len(kept.results), *_losses(kept, settings.penalty), won, text)
    told = {key: value for key, value in result.to_json().items() if key != "weights"}
    write_weights(out, WEIGHTS_FORMAT, game, weights, {"settings": asdict(settings), **told})
    kept.forget()
    return result


def terms_of(game: Game, patterns: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The weights that each pattern matches; refuses one without any."""
    found = []
    for pattern in patterns:
        matched = tuple(name for name in game.weights if fnmatchcase(name, pattern))
        if not matched:
            raise UnknownNameError(f"weight of {game.name!r}:", pattern, game.weights)
        found.append(matched)
    return tuple(found)


def contributions(game: Game, terms: Sequence[tuple[str, ...]]) -> Callable[[State], list[float]]:
    """By how much the first player's value of a position grows when the weights of each term are 1 greater.

    Behind them stand who moves next, 1 for the first player and -1 for the second, and 1.
    """
    greater = [game.with_weights(**{name: game.weights[name] + 1 for name in term}) for term in terms]

    def of(state: State) -> list[float]:
        usual = state.evaluate()[0]
        terms = [state.in_game(other).evaluate()[0] - usual for other in greater]
        return [*terms, 1.0 if state.current_player() == 0 else -1.0, 1.0]

    return of


def fitted_weights(
    kept: Positions, penalty: float, usual: Mapping[str, float], terms: Sequence[tuple[str, ...]]
) -> dict[str, float]:
    """The weights that differ from the usual ones, on a grid; those of the first term keep theirs, to set the scale."""
    model = _fitted(kept, penalty)
    scale, changes = model[0], model[1:-2]
    found = {name: scale * usual[name] + change for term, change in zip(terms, changes, strict=True) for name in term}
    unit = found[terms[0][0]] / usual[terms[0][0]] if usual[terms[0][0]] else 0.0
    if unit <= 0:
        raise InvalidParameterError(
            f"weight {terms[0][0]!r} is fitted to zero in these games; expected a clearly positive weight first, "
            "which sets the scale."
        )
    exact = {name: round(value / unit * _GRAIN) / _GRAIN for name, value in found.items()}
    return {name: value for name, value in exact.items() if value != usual[name]}


def _fitted(kept: Positions, penalty: float) -> NDArray[np.float64]:
    """The factors of the usual value, of each term, of who moves next and of the seats."""
    learned = kept.learned_from()
    if not len(learned):
        raise InvalidParameterError("the games have no position to learn from; expected more games.")
    shrunk = np.full(kept.seen.shape[1] + 1, penalty)
    shrunk[[0, -2, -1]] = _FREE
    return logistic(_rows(kept)[learned], kept.results[learned], np.ones(len(learned)), shrunk)


def _rows(kept: Positions) -> NDArray[np.float64]:
    return np.column_stack([kept.usual_values, kept.seen])


def _losses(kept: Positions, penalty: float) -> tuple[float, float]:
    """The logarithmic loss in games that were held out: of the fit, and of the usual weights."""
    learned, held_out = kept.learned_from(), kept.held_out()
    rows, results = _rows(kept), kept.results
    plain = rows[:, [0, -2, -1]]
    usual = logistic(plain[learned], results[learned], np.ones(len(learned)), _FREE)
    return (
        log_loss(chance_of(rows[held_out] @ _fitted(kept, penalty)), results[held_out]),
        log_loss(chance_of(plain[held_out] @ usual), results[held_out]),
    )
