"""Learned evaluations: a weighted sum of features that a game lists, in a file or as one of the game's evaluations.

The rule `features` writes what a player's side has. Weighed, one side's sum minus the other's is the logarithm of the
odds of winning; the evaluation is the expected result that follows from it, from -1 to 1. In a game of two a small
network may add to the sum. The numbers stand in the configuration, so that every file runs with the same machine code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tactician.contract.feature_network import (
    FeatureNetwork,
    network_fields,
    network_odds,
    no_network,
    read_network,
)
from tactician.contract.info import Evaluation
from tactician.contract.weight_files import read_document, read_weights, write_weights
from tactician.errors import InvalidGameError, InvalidParameterError
from tactician.files import shown
from tactician.native.linked import linked

if TYPE_CHECKING:
    from tactician.contract.game import Game

FORMAT = "tactician-evaluation/1"
_KIND = "evaluation"
SUFFIX = ".json"
FIELD = "feature_weights"
"""The field of the configuration that holds the weights; a game with features gets it without asking."""
USUAL, LEARNED = "default", "learned"
"""What the game's own `evaluate` is called where the game gives it no name, and what a learned one is."""
RANGE = (-1.0, 1.0)
"""The range of a learned evaluation."""


def with_weights_field(config: np.dtype, features: int) -> np.dtype:
    """The configuration's layout with weights and network behind everything else, unless they are there already."""
    if not features:
        return config
    assert config.fields is not None
    fields = [(name, config.fields[name][0]) for name in config.names or ()]
    added = [(FIELD, "f8", (features,)), *network_fields(features)]
    if FIELD in (config.names or ()):
        if config.fields[FIELD][0] != np.dtype(("f8", (features,))):
            raise InvalidGameError(
                f"Config field {FIELD!r} is not {features} numbers of type f8, one for each feature."
            )
        added = [field for field in added if field[0] not in (config.names or ())]
    return np.dtype([*fields, *added], align=True) if added else config


def weighing(features: Callable[..., Any], count: int, sides: Sequence[int]) -> Callable[..., None]:
    """The rule `evaluate` that weighs what the rule `features` writes."""
    write, side_of, players = linked(features), tuple(sides), len(sides)

    def evaluate_two(g: Any, s: Any, out: Any) -> None:
        ours, theirs = np.zeros(count), np.zeros(count)
        write(g, s, 0, ours)
        write(g, s, 1, theirs)
        difference = weighed(g.feature_weights, ours) - weighed(g.feature_weights, theirs)
        if g.feature_units > 0:
            difference += network_odds(g.feature_network, g.feature_units, ours, theirs)
        out[0] = math.tanh(difference / 2)
        out[1] = 0.0 - out[0]

    def evaluate(g: Any, s: Any, out: Any) -> None:
        values, sums = np.empty(count), np.empty(players)
        for player in range(players):
            values[:] = 0.0
            write(g, s, player, values)
            sums[player] = weighed(g.feature_weights, values)
        for player in range(players):
            others, opponents = 0.0, 0
            for other in range(players):
                if side_of[other] != side_of[player]:
                    others += sums[other]
                    opponents += 1
            out[player] = math.tanh((sums[player] - others / max(1, opponents)) / 2)

    return evaluate_two if side_of == (0, 1) else evaluate


@linked
def weighed(weights: Any, values: Any) -> Any:
    """The sum of products; four sums at a time, because an addition has to wait for the one before it."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = len(values) // 4 * 4
    for i in range(0, whole, 4):
        a += weights[i] * values[i]
        b += weights[i + 1] * values[i + 1]
        c += weights[i + 2] * values[i + 2]
        d += weights[i + 3] * values[i + 3]
    for i in range(whole, len(values)):
        a += weights[i] * values[i]
    return (a + b) + (c + d)


def completed_evaluations(
    evaluations: Mapping[str, Evaluation], usual: Evaluation, features: int, value_range: Any
) -> dict[str, Evaluation]:
    """The evaluations of a game with features: all say which weights and which range they have."""
    none = {FIELD: np.zeros(features), **no_network(features)}
    known = evaluations if evaluations else {USUAL: usual}
    return {
        name: Evaluation(
            {**none, **one.config},
            one.zero_sum,
            one.weights,
            RANGE if one.learned else one.value_range or value_range,
            one.learned,
        )
        for name, one in known.items()
    }


def learned_evaluation(
    weights: Mapping[str, float],
    names: Sequence[str],
    usual: Mapping[str, Any],
    network: FeatureNetwork | None = None,
) -> Evaluation:
    """An evaluation with these weights; `usual` are the other fields that evaluations of the game set."""
    fields = network.fields() if network else no_network(len(names))
    return Evaluation(
        {**usual, FIELD: np.array([weights.get(name, 0.0) for name in names]), **fields},
        weights={name: (FIELD, place) for place, name in enumerate(names)},
        value_range=RANGE,
        learned=True,
    )


def shipped_evaluation(path: Path, names: Sequence[str], usual: Mapping[str, Any]) -> Evaluation:
    """The learned evaluation that a game brings along."""
    document = read_document(path, _KIND, FORMAT)
    return learned_evaluation(
        document["weights"], names, usual, read_network(path.name, document.get("network"), len(names))
    )


def write_evaluation(
    path: Path,
    game: Game,
    weights: Mapping[str, float],
    training: Mapping[str, Any],
    network: FeatureNetwork | None = None,
) -> None:
    """Write learned weights, with how they were learned."""
    write_weights(path, FORMAT, game, weights, training, {"network": network.to_json()} if network else {})


def read_evaluation(game: Game, path: Path) -> tuple[dict[str, float], FeatureNetwork | None]:
    """The weights and the network of a file; refuses those of another game or of other features."""
    weights = read_weights(path, _KIND, FORMAT, game)
    for name in (*game.info.features, *weights):
        if (name in weights) != (name in game.info.features):
            has = "lacks the feature" if name in game.info.features else "has a weight for"
            raise InvalidParameterError(
                f"{_KIND} {shown(path)} {has} {name!r}; expected a weight for each feature of {game.name!r}."
            )
    units = read_document(path, _KIND, FORMAT).get("network")
    return weights, read_network(f"{_KIND} {shown(path)}", units, len(game.info.features))


def read_training(path: Path) -> dict[str, Any]:
    """How the weights of a file were learned."""
    return dict(read_document(path, _KIND, FORMAT).get("training", {}))
