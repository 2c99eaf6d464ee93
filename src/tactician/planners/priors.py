"""What a trained network expects of the actions in the present state, as a start for the bandits of a search.

The network sees what each seat sees, even where the planner sees everything. Its estimates stand in the arms as if they
had been found in so many simulations; what a search finds itself outweighs them sooner or later.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.followers.model import load_model
from tactician.followers.seat import Follower
from tactician.planners.bandits import Bandit

_VALUES = "values"
_Q_MC = "q-mc"


class Priors:
    """The network of a file, and how much it counts."""

    def __init__(self, game: Game, path: str, weight: float, bandit: Bandit) -> None:
        if bandit.prior is None:
            raise InvalidParameterError(
                f"bandit {bandit.name!r} has no prior; expected one whose arms can begin with an expectation."
            )
        model = load_model(Path(path))
        self._follower = Follower(game, model)
        settings = model.card.training.get("settings", {})
        learned = settings.get("target") or (_VALUES if self._follower.encoding.maps else "")
        if settings.get("method") != _Q_MC and learned != _VALUES:
            raise InvalidParameterError(
                f"{model.name} was trained on choices or visits; priors need a follower trained with target=values."
            )
        self._prior, self._weight, self._numbers = bandit.prior, weight, bandit.numbers

    def numbers(self, state: State, seat: int, actions: NDArray[np.int32]) -> NDArray[np.float32]:
        """[actions, numbers] the bandit's numbers of each action of a seat; zeros for actions without an output."""
        encoding = self._follower.encoding
        found: NDArray[np.float32] = np.zeros((len(actions), self._numbers), np.float32)
        rated = np.array([encoding.rates(int(action)) for action in actions], bool)
        outputs = self._follower.ratings(state, seat)[encoding.outputs_of(actions[rated])].astype(np.float64)
        worths = 2 * outputs - 1 if encoding.maps else np.tanh(outputs / 2)
        found[rated] = [self._prior(float(worth), self._weight) for worth in worths]
        return found
