"""Weights of a planner's own, and planners as text: what is written is read back as the same planner."""

from __future__ import annotations

import typing
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planner_games import game_of, states_of

from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError
from tactician.games.locm import locm
from tactician.parameters import parse_weights
from tactician.planners import PLANNERS, Determinized, GreedyAction, Planner, parse_planner

CHANGED = {"amazons": "mobility=0;liberty=5", "locm": "damage=0;board=-3.5"}
NAMES = st.text("abcxyz_", min_size=1, max_size=6)
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)
BUDGETS = st.sampled_from([None, "200ms", "500evals", "100its", "ref:200ms"])
TURN_PLANNERS = [kind for kind in PLANNERS.values() if not kind.simultaneous or kind.name == "random"]


# -- weights --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", CHANGED)
@pytest.mark.parametrize("planner", ["greedy-action", "oep", "permutation-oep", "determinized"])
def test_weights_of_ones_own_are_those_of_a_game_with_such_weights(planner: str, game: str) -> None:
    mine, state = game_of(game), states_of(game)[4]
    changed = mine.with_weights(**parse_weights(CHANGED[game]))
    own = PLANNERS[planner](weights=CHANGED[game]).on(mine, seed=3).plan(state, "200evals")
    expected = PLANNERS[planner]().on(changed, seed=3).plan(state.in_game(changed), "200evals")
    assert (own.actions, own.value) == (expected.actions, expected.value)


@pytest.mark.parametrize("game", CHANGED)
def test_the_opponent_and_the_game_know_nothing_of_them(game: str) -> None:
    mine, state = game_of(game), states_of(game)[4]
    before = mine.weights
    opponent = GreedyAction().on(mine)
    first = opponent.plan(state, "200evals")
    own = GreedyAction(weights=CHANGED[game]).on(mine)
    plan = own.plan(state, "200evals")
    again = opponent.plan(state, "200evals")
    assert (again.actions, again.value) == (first.actions, first.value)
    assert plan.value != first.value
    assert mine.weights == opponent.game.weights == before
    assert own.game.weights == {**before, **parse_weights(CHANGED[game])}


def test_the_planner_inside_has_the_weights_outside_unless_it_has_others() -> None:
    game = game_of("amazons")
    for spec, mobility, liberty in (
        ("determinized:weights=mobility=7", 7.0, game.weights["liberty"]),
        ("determinized:planner=(oep:weights=mobility=3),weights=mobility=7;liberty=2", 3.0, 2.0),
    ):
        agent: Any = parse_planner(spec).on(game)
        assert agent._inner.game.weights == {"mobility": mobility, "liberty": liberty}


def test_a_mean_judges_with_the_weights_inside() -> None:
    state = states_of("amazons")[4]
    spec = f"determinized:planner=(oep:weights={CHANGED['amazons']}),worlds=3,combine=mean"
    inside = parse_planner(spec).on(state.game).plan(state, "300evals")
    outside = Determinized(planner="oep", worlds=3, combine="mean", weights=CHANGED["amazons"])
    plan = outside.on(state.game).plan(state, "300evals")
    assert (inside.actions, inside.value) == (plan.actions, plan.value)


def test_a_weight_that_the_game_does_not_have_is_refused() -> None:
    for spec in ("oep:weights=mobilty=1", "determinized:planner=(oep:weights=mobilty=1)"):
        with pytest.raises(
            UnknownNameError, match=r"weight of 'amazons': 'mobilty'.*did you mean 'mobility'"
        ) as refused:
            parse_planner(spec).on(game_of("amazons"))
        assert "\n" not in str(refused.value)


@given(weights=st.dictionaries(NAMES, NUMBERS, max_size=5))
def test_weights_are_read_as_they_are_written(weights: dict[str, float]) -> None:
    assert parse_weights(";".join(f"{name}={number}" for name, number in weights.items())) == weights


# -- planners as text -----------------------------------------------------------------------------------------------


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Anything of a type; what is out of range is refused and drawn again."""
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(-1, 300)
    if hint is float:
        return st.floats(0, 1) | st.integers(0, 1).map(float)
    if typing.get_origin(hint) is typing.Literal:
        return st.sampled_from(typing.get_args(hint))
    return st.one_of(*(values_of(part) for part in typing.get_args(hint)))


@st.composite
def planners(draw: st.DrawFn, nested: bool = True) -> Planner:
    kinds = [kind for kind in TURN_PLANNERS if nested or kind is not Determinized]
    kind = draw(st.sampled_from(kinds))
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from([f.name for f in fields(kind)]), max_size=4, unique=True)):
        if name == "budget":
            values[name] = draw(BUDGETS)
        elif name == "weights":
            parts = draw(st.dictionaries(NAMES, NUMBERS, max_size=3))
            values[name] = ";".join(f"{key}={number}" for key, number in parts.items())
        elif name == "planner":
            inner = draw(planners(nested=False))
            values[name] = inner if draw(st.booleans()) else str(inner)
        else:
            values[name] = draw(values_of(hints[name]))
    try:
        return kind(**values)
    except TacticianError:
        return kind()


@given(planner=planners())
def test_every_planner_is_read_from_what_it_prints(planner: Planner) -> None:
    assert parse_planner(str(planner)) == planner
    assert parse_planner(f"{planner}#2") == planner
    assert str(parse_planner(str(planner))) == str(planner)


# -- evaluations of one planner alone ------------------------------------------------------------------------------


def test_a_planner_can_judge_by_another_evaluation_of_the_game() -> None:
    state = states_of("locm")[10]
    paper = parse_planner("greedy-turn").on(state.game).plan(state, "300evals")
    board = parse_planner("greedy-turn:evaluation=board").on(state.game).plan(state, "300evals")
    same = (
        parse_planner("greedy-turn")
        .on(locm(evaluation="board"))
        .plan(state.in_game(locm(evaluation="board")), "300evals")
    )
    assert (board.actions, board.value) == (same.actions, same.value)
    assert board.value != paper.value


def test_its_weights_are_those_of_the_evaluation() -> None:
    game = locm()
    agent = parse_planner("oep:evaluation=board,weights=ward=3;card=0").on(game)
    assert agent.game.weights == {**locm(evaluation="board").weights, "ward": 3.0, "card": 0.0}
    with pytest.raises(UnknownNameError, match="weight of 'locm'"):
        parse_planner("oep:evaluation=board,weights=damage=3").on(game)


def test_an_unknown_evaluation_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="unknown evaluation of 'locm': 'bord'; did you mean 'board'"):
        parse_planner("oep:evaluation=bord").on(locm())


def test_states_of_another_setting_are_still_refused() -> None:
    other = locm(version="1.0").initial_state(1)
    with pytest.raises(InvalidParameterError, match="whose lanes is 1; expected 2"):
        parse_planner("oep:evaluation=board").on(locm()).plan(other, "10evals")
