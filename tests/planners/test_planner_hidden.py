"""Hidden information: a plan depends on nothing that its player can't see, unless it is told to."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from planner_games import TURN_PLANNERS, is_whole_turn

from tactician.contract import Game, State
from tactician.errors import InvalidParameterError
from tactician.games.hero_academy import hero_academy
from tactician.planners import PLANNERS, Clairvoyant, Plan, parse_planner


@cache
def game() -> Game:
    return hero_academy(information="hidden")


def middle_of_a_game() -> State:
    """Player 1's turn after some quick turns; both hold cards that the other can't see."""
    state = game().initial_state(7)
    while state.to_json()["turn"] < 5:
        state.apply(state.candidate_actions()[0])
    return state


def with_another_secret(state: State) -> State:
    """What the player to move can't know is another: the opponent's hand, and the order of both decks."""
    data: dict[str, Any] = state.to_json()
    other = 2 - data["player"]
    hand, deck = data["hands"][other], data["decks"][other]
    held = next(card for card in range(11) if hand[card])
    wanted = next(card for card in range(11) if deck[card] and card != held)
    for pile, card, change in ((hand, held, -1), (hand, wanted, 1), (deck, held, 1), (deck, wanted, -1)):
        pile[card] += change
    data["seeds"] = [seed + 17 for seed in data["seeds"]]
    return state.game.state_from_json(data)


def told(plan: Plan) -> Any:
    return plan.actions, plan.value, plan.names, plan.alternatives, replace(plan.stats, time_ms=0.0)


def test_the_two_states_differ_only_in_what_is_hidden() -> None:
    state = middle_of_a_game()
    secret, player = with_another_secret(state), state.current_player()
    assert state != secret
    assert state.observe(player) == secret.observe(player)


@pytest.mark.parametrize("planner", [name for name in TURN_PLANNERS if name != "clairvoyant"])
@pytest.mark.parametrize("budget", ["300evals", "4its"])
def test_a_plan_is_the_same_whatever_the_secret(planner: str, budget: str) -> None:
    state = middle_of_a_game()
    for seed in range(3):
        agent = PLANNERS[planner]().on(game(), seed=seed)
        plan = agent.plan(state, budget, ply=seed)
        assert is_whole_turn(state, plan.actions)
        assert told(plan) == told(agent.plan(with_another_secret(state), budget, ply=seed))


@pytest.mark.parametrize("planner", TURN_PLANNERS)
def test_a_plan_does_not_depend_on_the_games_own_chance(planner: str) -> None:
    """The stream that decides the true game is not the planner's to see."""
    state = middle_of_a_game()
    agent = PLANNERS[planner]().on(game())
    assert told(agent.plan(state, "200evals")) == told(agent.plan(state.reseeded(99), "200evals"))


@pytest.mark.parametrize("planner", [name for name in TURN_PLANNERS if not PLANNERS[name].handles_hidden])
def test_full_information_plans_in_the_true_state(planner: str) -> None:
    state = middle_of_a_game()
    assert PLANNERS[planner]().on(game(), full_information=True).plan(state, "100evals").state == state


@pytest.mark.parametrize(
    ("planner", "why"),
    [("determinized", "guesses"), ("information-set-mcts", "guesses"), ("clairvoyant", "implies it")],
)
def test_who_deals_with_hidden_information_itself_refuses_full_information(planner: str, why: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"because '{planner}' {why}"):
        PLANNERS[planner]().on(game(), full_information=True)


def test_clairvoyant_plans_as_the_planner_inside_does_when_it_is_shown_everything() -> None:
    state = middle_of_a_game()
    seeing = Clairvoyant(planner="mcts").on(game(), seed=3).plan(state, "500its", ply=2)
    assert told(seeing) == told(
        PLANNERS["mcts"]().on(game(), seed=3, full_information=True).plan(state, "500its", ply=2)
    )
    assert seeing.state == state


def test_clairvoyant_hands_its_own_parameters_to_the_planner_inside() -> None:
    state = middle_of_a_game()
    outside = Clairvoyant(planner="mcts", budget="70its", prune=False, workers=2)
    plan = outside.on(game(), seed=3).plan(state, "500its")
    inside = parse_planner("mcts:prune=false,workers=2").on(game(), seed=3, full_information=True)
    assert told(plan) == told(inside.plan(state, "70its"))
    assert plan.stats.iterations == 70


def test_full_information_can_make_use_of_the_secret() -> None:
    """With one action point left, MCTS soon thinks about what the opponent will play."""
    state = middle_of_a_game()
    while state.to_json()["ap"] > 1:
        state.apply(state.candidate_actions()[0])
    seeing = PLANNERS["mcts"]().on(game(), full_information=True)
    values = {seeing.plan(s, "3000its").value for s in (state, with_another_secret(state))}
    assert len(values) == 2


def test_what_was_seen_is_part_of_the_plan_and_not_the_secret() -> None:
    state = middle_of_a_game()
    plan = PLANNERS["oep"]().on(game()).plan(state, "200evals")
    assert plan.state is not None
    assert plan.state.observe(state.current_player()) == state.observe(state.current_player())
    assert plan.state.observe(state.current_player()).words.tolist() != state.words.tolist()
