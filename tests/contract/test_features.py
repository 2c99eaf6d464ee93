"""Games that list features: declaring them, judging by a weighted sum of them, files of weights."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tactician import contract
from tactician.checking import check_game
from tactician.contract import Game
from tactician.contract.feature_network import MOST_UNITS, FeatureNetwork, network_odds
from tactician.contract.features import FORMAT, write_evaluation
from tactician.errors import InvalidGameError, InvalidParameterError, RuleFailureError, UnknownNameError
from tactician.games.amazons import amazons, plain_amazons

Config = np.dtype([("goal", "i8"), ("weights", "f8", (1,))], align=True)
State = np.dtype([("player", "i1"), ("place", "i2", (3,))], align=True)


NETWORK = FeatureNetwork(
    own=np.array([[2.0, 0.0], [0.0, 0.0]]),
    other=np.array([[0.0, 0.0], [3.0, 0.0]]),
    bias=np.array([0.5, -1.0]),
    out=np.array([0.25, -0.5]),
)
UNIT: dict[str, Any] = {"own": [1.0, 2.0], "other": [0.0, 0.0], "bias": 0.5, "out": 1.0}


def two_features(g: Any, s: Any, player: Any, out: Any) -> None:
    out[0] += s.place[player]
    out[1] = 1.0 if s.player == player else 0.0


def endless_feature(g: Any, s: Any, player: Any, out: Any) -> None:
    out[0] = np.inf if s.place[player] > 1 else 0.0


def walk(
    features: Any = two_features, names: tuple[str, ...] = ("place", "tempo"), players: int = 2, **more: Any
) -> Game:
    """A race in which everybody goes one or two steps in turn."""
    rule = contract.rules(Config, State)

    @rule.initial_state
    def initial_state(g: Any, s: Any, rng: Any) -> None:
        s.place[0] = 1

    @rule.legal_actions
    def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
        out[0], out[1] = 1, 2
        return 2

    @rule.apply
    def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
        s.place[s.player] += action
        s.player = (s.player + 1) % players

    @rule.current_player
    def current_player(g: Any, s: Any) -> Any:
        return s.player

    @rule.is_over
    def is_over(g: Any, s: Any) -> Any:
        return s.place[0] >= g.goal or s.place[1] >= g.goal or s.place[2] >= g.goal

    @rule.returns
    def returns(g: Any, s: Any, out: Any) -> None:
        for player in range(players):
            out[player] = 1.0 if s.place[player] >= g.goal else -1.0 / (players - 1)

    @rule.evaluate
    def evaluate(g: Any, s: Any, out: Any) -> None:
        out[0] = g.weights[0] * (s.place[0] - s.place[1])
        for player in range(1, players):
            out[player] = -out[0] / (players - 1)

    if features is not None:
        rule.features(features)
    return rule.game(
        "walk",
        max_actions=2,
        players=players,
        config={"goal": 9, "weights": (1.0,)},
        weights=("lead",),
        value_range=(-12.0, 12.0),
        features=names,
        **more,
    )


@pytest.fixture(scope="module")
def game() -> Game:
    return walk()


def test_a_state_tells_the_features_of_each_side(game: Game) -> None:
    state = game.initial_state()
    assert state.features(0) == {"place": 1.0, "tempo": 1.0}
    assert state.features(1) == {"place": 0.0, "tempo": 0.0}
    assert state.apply(2).features() == {"place": 0.0, "tempo": 1.0}


@pytest.mark.parametrize("mode", ["compiled", "interpreted", "checked"])
def test_the_difference_of_weighted_features_is_the_logarithm_of_the_odds(game: Game, mode: str) -> None:
    learned = game.with_feature_weights({"place": 0.5, "tempo": 0.25})
    chosen = learned if mode == "compiled" else getattr(learned, mode)()
    for steps, odds in (((), 0.5 + 0.25), ((2,), 1.5 - 0.25), ((1, 2, 1), 0.5 - 0.25)):
        state = chosen.initial_state()
        for step in steps:
            state.apply(step)
        chance = 1 / (1 + math.exp(-odds))
        assert state.evaluate() == pytest.approx([2 * chance - 1, 1 - 2 * chance])
    assert learned.value_range == (-1.0, 1.0)
    assert learned.zero_sum


@pytest.fixture(scope="module")
def networked(game: Game) -> Game:
    return game.with_feature_weights({"place": 0.1}, NETWORK)


@pytest.mark.parametrize("mode", ["compiled", "interpreted", "checked"])
def test_a_network_adds_what_its_units_see_in_one_side_and_not_in_the_other(networked: Game, mode: str) -> None:
    state = (networked if mode == "compiled" else getattr(networked, mode)()).initial_state()
    # Places 1 and 0, the first player moves: the units of the first side are 2·1 + 0.5 and 0, those of the second 0.5
    # and 3·1 - 1.
    odds = 0.1 + 0.25 * (2.5 - 0.5) - 0.5 * (0.0 - 2.0)
    assert state.evaluate() == pytest.approx([math.tanh(odds / 2), -math.tanh(odds / 2)])


@given(
    sides=arrays(np.float64, (2, 2), elements=st.floats(-5, 5)),
    units=st.integers(1, MOST_UNITS).flatmap(
        lambda units: st.tuples(
            arrays(np.float64, (units, 2), elements=st.floats(-2, 2)),
            arrays(np.float64, (units, 2), elements=st.floats(-2, 2)),
            arrays(np.float64, units, elements=st.floats(-2, 2)),
            arrays(np.float64, units, elements=st.floats(-2, 2)),
        )
    ),
)
def test_kernels_and_arrays_compute_the_same_network_and_sides_are_exchanged_by_a_sign(sides: Any, units: Any) -> None:
    network = FeatureNetwork(*units)
    ours, theirs = sides
    table = network.fields()["feature_network"]
    odds = network_odds.py_func(table, len(network.out), ours, theirs)
    assert network.odds(ours[None], theirs[None]) == pytest.approx([odds])
    assert network.odds(theirs[None], ours[None]) == pytest.approx([-odds])


def test_a_network_goes_where_its_evaluation_goes(game: Game, networked: Game, tmp_path: Path) -> None:
    value = networked.initial_state().evaluate()
    assert networked.with_evaluation("default") == game
    assert networked.with_feature_weights({"place": 0.1}).initial_state().evaluate() != value
    assert networked.other_setting(game) is None
    assert game.initial_state().in_game(networked).evaluate() == value
    path = tmp_path / "e.json"
    write_evaluation(path, game, {"place": 0.1, "tempo": 0.0}, {}, NETWORK)
    assert game.with_evaluation(path) == networked


def test_a_network_is_for_two() -> None:
    with pytest.raises(InvalidParameterError, match="'walk' is not one of two players; expected no network"):
        walk(players=3).with_feature_weights({"place": 1.0}, NETWORK)


def test_partners_and_several_opponents_are_told_apart() -> None:
    alone = walk(players=3).interpreted().with_feature_weights({"place": 1.0})
    assert alone.initial_state().evaluate() == pytest.approx([math.tanh(0.5), -math.tanh(0.25), -math.tanh(0.25)])
    paired = walk(players=3, sides=(0, 1, 0)).interpreted().with_feature_weights({"place": 1.0})
    assert paired.initial_state().evaluate() == pytest.approx([math.tanh(0.5), -math.tanh(0.25), 0.0])


def test_the_usual_evaluation_comes_back_with_its_range_and_weights(game: Game) -> None:
    learned = game.with_feature_weights({"place": 2.0})
    assert learned.weights == {"place": 2.0, "tempo": 0.0}
    assert learned.with_weights(tempo=1.0).weights == {"place": 2.0, "tempo": 1.0}
    usual = learned.with_evaluation("default")
    assert usual == game
    assert usual.value_range == (-12.0, 12.0)
    assert usual.weights == {"lead": 1.0}
    assert usual.initial_state().evaluate() == [1.0, -1.0]
    assert learned != game


def test_states_of_the_game_are_states_of_the_learned_one(game: Game) -> None:
    learned = game.with_feature_weights({"place": 2.0})
    assert learned.other_setting(game) is None
    assert game.initial_state().in_game(learned).evaluate()[0] == pytest.approx(math.tanh(1.0))


def test_a_learned_game_survives_a_pickle() -> None:
    game = amazons(6).interpreted().with_feature_weights({"territory": 1.0})
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    first = game.initial_state().legal_actions()[0]
    assert again.initial_state().apply(first).evaluate() == game.initial_state().apply(first).evaluate()


def test_an_own_evaluation_function_replaces_the_learned_one(game: Game) -> None:
    def nothing(g: Any, s: Any, out: Any) -> None:
        out[0] = out[1] = 0.0

    assert game.interpreted().with_feature_weights({"place": 1.0}).with_evaluation(
        nothing
    ).initial_state().evaluate() == [
        0.0,
        0.0,
    ]


def test_check_game_looks_at_features() -> None:
    report = check_game(walk(), games=2)
    assert report.ok, str(report)
    assert "features-finite" in report.checks
    broken = check_game(walk(endless_feature, ("place",)), games=2)
    assert "features-finite" in {finding.check for finding in broken.findings}


@pytest.mark.parametrize(
    ("declare", "sentence"),
    [
        (lambda: walk(names=()), "has the rule `features` but lacks their names"),
        (lambda: walk(None), "has names of features but lacks the rule `features`"),
        (lambda: walk(names=("place", "place")), "expected different names"),
    ],
)
def test_half_declared_features_are_refused(declare: Callable[[], Game], sentence: str) -> None:
    with pytest.raises(InvalidGameError, match=sentence):
        declare()


def test_a_game_without_features_is_refused(tmp_path: Path) -> None:
    plain = walk(None, ())
    with pytest.raises(InvalidParameterError, match="game 'walk' has no rule 'features'"):
        plain.with_evaluation(str(tmp_path / "e.json"))
    with pytest.raises(RuleFailureError, match="has no rule 'features'"):
        plain.initial_state().features()


def test_unknown_features_are_refused(game: Game) -> None:
    with pytest.raises(UnknownNameError, match="feature of 'walk': 'pace'"):
        game.with_feature_weights({"pace": 1.0})


def test_a_file_holds_the_weights(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    write_evaluation(path, game, {"place": 0.5, "tempo": 0.25}, {"games": 3})
    assert game.with_evaluation(str(path)) == game.with_evaluation(path)
    assert game.with_evaluation(path).weights == {"place": 0.5, "tempo": 0.25}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([], f"is not a file of the format '{FORMAT}'"),
        ({"game": "nim"}, "was learned for 'nim' version 1; expected 'walk' version 1"),
        ({"weights": {"place": "much", "tempo": 1}}, "has weights that are not numbers"),
        ({"weights": {"place": 1}}, "lacks the feature 'tempo'"),
        ({"weights": {"place": 1, "tempo": 1, "luck": 1}}, "has a weight for 'luck'"),
        ({"network": []}, "has a network that is no list of 1 to 32 units"),
        ({"network": [UNIT, {**UNIT, "own": [1.0]}]}, "unit 2 of the network: expected own and other with 2 finite"),
        ({"network": [{**UNIT, "bias": "none"}]}, "unit 1 of the network"),
        ({"network": [{"own": [1.0, 1.0]}]}, "unit 1 of the network"),
    ],
)
def test_files_of_something_else_are_refused(game: Game, tmp_path: Path, document: Any, sentence: str) -> None:
    path = tmp_path / "e.json"
    usual = {"format": FORMAT, "game": "walk", "version": "1", "weights": {"place": 1, "tempo": 1}}
    path.write_text(json.dumps({**usual, **document} if isinstance(document, dict) else document))
    with pytest.raises(InvalidParameterError, match=sentence):
        game.with_evaluation(path)


def test_a_damaged_file_is_refused(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text("{")
    with pytest.raises(InvalidParameterError, match="is not JSON"):
        game.with_evaluation(path)
    with pytest.raises(InvalidParameterError, match=r"evaluation .*none\.json' can't be read"):
        game.with_evaluation(str(tmp_path / "none.json"))


def test_a_game_without_other_evaluations_is_its_own_strongest() -> None:
    plain = plain_amazons()
    assert "strongest" not in plain.info.evaluations
    assert plain.with_evaluation("strongest") is plain
