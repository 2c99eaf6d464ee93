"""OpenSpiel both ways."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.algorithms import mcts as their_mcts

from tactician.adapters import openspiel
from tactician.adapters.openspiel import from_openspiel, to_openspiel
from tactician.checking import check_game
from tactician.contract import Game, State
from tactician.errors import InvalidGameError, InvalidParameterError, RuleFailureError
from tactician.planners import MCTS, InformationSetMCTS, parse_planner

SEQUENTIAL = ["tic_tac_toe", "connect_four", "kuhn_poker", "leduc_poker", "liars_dice", "pig(horizon=20)"]
TOGETHER = ["matrix_rps", "goofspiel(num_cards=4)", "oshi_zumo(horizon=8,coins=6)"]


@cache
def ours(name: str) -> Game:
    return from_openspiel(name)


def after(name: str, *actions: int) -> State:
    state = ours(name).initial_state(1)
    for action in actions:
        state.apply(action)
    return state


# -- their games here ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SEQUENTIAL, *TOGETHER])
def test_a_game_of_theirs_keeps_the_contract(name: str) -> None:
    report = check_game(ours(name), games=3)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "goofspiel(num_cards=4)"])
def test_the_same_actions_lead_to_the_same_results(name: str) -> None:
    theirs = pyspiel.load_game(name)
    for seed in range(5):
        state, random = ours(name).initial_state(seed), np.random.default_rng(seed)
        while not state.is_over():
            if state.current_player() < 0:
                state.apply([int(random.choice(state.legal_actions(seat))) for seat in range(ours(name).players)])
            else:
                state.apply(int(random.choice(state.legal_actions())))
        end = theirs.new_initial_state()
        for action in state.to_json():
            if isinstance(action, list):
                end.apply_actions(action)
            else:
                end.apply_action(action)
        scale = max(abs(theirs.min_utility()), abs(theirs.max_utility()))
        assert end.is_terminal()
        assert state.returns() == [value / scale for value in end.returns()]


def test_mcts_takes_the_win_and_blocks_the_loss_at_noughts_and_crosses() -> None:
    agent = MCTS(rollout_turns=-1).on(ours("tic_tac_toe"), seed=1)
    assert agent.plan(after("tic_tac_toe", 0, 3, 1, 4), "400its").actions == (2,)
    assert agent.plan(after("tic_tac_toe", 0, 3, 1), "400its").actions == (2,)


def test_with_chance_nodes_a_plan_is_legal() -> None:
    game = ours("pig(horizon=20)")
    state = game.initial_state(3)
    agent = parse_planner("mcts:rollout_turns=-1").on(game, seed=2)
    while not state.is_over():
        state.apply(agent.plan(state, "60its").actions[0])
    assert sum(state.returns()) == 0


def test_planners_for_simultaneous_moves_play_their_games() -> None:
    game = ours("goofspiel(num_cards=4)")
    state = game.initial_state(1)
    agents = [parse_planner("mcs:depth=4").on(game, seed=seat) for seat in range(2)]
    while not state.is_over():
        state.apply([agent.plan(state, "50its", seat=seat).actions[0] for seat, agent in enumerate(agents)])
    assert len(state.returns()) == 2


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), guess=st.integers(0, 10**6), steps=st.integers(0, 2))
def test_a_guess_has_the_same_information_state_and_a_plan_does_not_depend_on_the_truth(
    name: str, seed: int, guess: int, steps: int
) -> None:
    state = ours(name).initial_state(seed)
    for _ in range(steps):
        state.apply(state.legal_actions()[0])
        if state.is_over():
            return
    player = state.current_player()
    other: Any = state.resample_hidden(player, guess)
    truth: Any = state
    known = truth.thing.state.information_state_string(player)
    assert other.thing.state.information_state_string(player) == known
    agent = _honest(name)
    assert agent.plan(state, "40its").actions == agent.plan(other, "40its").actions


@cache
def _honest(name: str) -> Any:
    return InformationSetMCTS(rollout_turns=-1, memory_mb=4).on(ours(name), seed=5)


def test_with_the_best_card_one_does_not_fold_at_kuhn_poker() -> None:
    """Cards 2 and 0 are dealt; the first player bets: the second holds the worst card or the best."""
    agent = InformationSetMCTS(rollout_turns=-1).on(ours("kuhn_poker"), seed=1)
    states = [s for s in (ours("kuhn_poker").initial_state(seed) for seed in range(60)) if s.to_json()[1] in (0, 2)]
    for state in states[:8]:
        card = state.to_json()[1]
        state.apply(1)
        assert agent.plan(state, "600its").actions == ((1,) if card == 2 else (0,))


def test_an_evaluation_of_ones_own_is_scaled() -> None:
    game = from_openspiel("pig(horizon=20)", evaluate=lambda state: [0.5, -0.5])
    assert game.initial_state(0).evaluate() == [0.5, -0.5]


def test_their_games_travel_to_other_processes() -> None:
    state = after("tic_tac_toe", 4, 0)
    again = pickle.loads(pickle.dumps(state))
    assert (again.to_json(), again.legal_actions()) == (state.to_json(), state.legal_actions())
    guess = ours("leduc_poker").initial_state(3)
    assert pickle.loads(pickle.dumps(guess)).to_json() == guess.to_json()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_such_game", "expected one that pyspiel.load_game knows"),
        ("phantom_ttt", "hides actions"),
        ("mfg_crowd_modelling", "mean-field"),
    ],
)
def test_games_that_can_not_be_planned_on_are_refused(name: str, said: str) -> None:
    with pytest.raises((InvalidGameError, InvalidParameterError), match=said):
        from_openspiel(name)


def test_a_deal_that_can_not_be_guessed_is_a_clear_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty dice of one's own hardly fall the same again."""
    monkeypatch.setattr(openspiel, "_GUESSES", 50)
    game = from_openspiel("liars_dice(numdice=60)")
    with pytest.raises(RuleFailureError, match="no deal of"):
        game.initial_state(1).resample_hidden(0, 1)


# -- our games there -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["amazons:size=4", "locm", "pommerman"])
def test_openspiels_random_simulations_pass(name: str) -> None:
    game = to_openspiel(name, name="sim_" + name.partition(":")[0])
    pyspiel.random_sim_test(game, num_sims=1, serialize=name.startswith("amazons"), verbose=False)


def test_their_mcts_bot_plays_our_game_and_takes_a_win() -> None:
    game = to_openspiel("amazons:size=4", name="bot_amazons", starts=1)
    bots = [
        their_mcts.MCTSBot(
            game,
            1.4,
            4,
            their_mcts.RandomRolloutEvaluator(1, np.random.RandomState(seat)),
            random_state=np.random.RandomState(9),
        )
        for seat in range(2)
    ]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert sorted(state.returns()) == [-1.0, 1.0]
    assert state.returns() == state.position.returns()


def test_chance_is_explicit_and_a_clone_sees_the_same() -> None:
    game = to_openspiel("hero-academy:information=hidden,draws=shuffled", name="chance_academy", starts=3, outcomes=2)
    state, random = game.new_initial_state(), np.random.RandomState(1)
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
    chances = 0
    for _ in range(60):
        clone = state.clone()
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        chances += state.is_chance_node()
        action = int(random.choice(actions))
        state.apply_action(action)
        clone.apply_action(action)
        assert str(state) == str(clone)
        if state.is_terminal():
            break
    assert chances > 1, "cards are drawn at the end of a turn"


def test_an_observer_shows_what_the_player_sees() -> None:
    game = to_openspiel("locm", name="seen_locm", starts=2)
    state = game.new_initial_state()
    state.apply_action(1)
    for player in range(2):
        observer = game.make_py_observer()
        observer.set_from(state, player)
        seen = state.position.observe(player)
        assert observer.string_from(state, player) == str(seen)
        assert float(observer.tensor.sum()) == pytest.approx(
            sum(float(np.sum(np.asarray(seen.record[name], np.float64))) for name in seen.record.dtype.names), rel=1e-3
        )


def test_a_name_is_taken_once() -> None:
    first = to_openspiel("amazons:size=4", name="taken")
    assert to_openspiel("amazons:size=4", name="taken").get_type().short_name == first.get_type().short_name
    with pytest.raises(InvalidParameterError, match="'taken' is that of another game"):
        to_openspiel("amazons:size=5", name="taken")
    with pytest.raises(InvalidParameterError, match="that of a game of OpenSpiel"):
        to_openspiel("amazons:size=5", name="chess")
    with pytest.raises(InvalidParameterError, match="expected letters"):
        to_openspiel("amazons:size=5", name="a game")
    with pytest.raises(InvalidParameterError, match="starts is 0"):
        to_openspiel("amazons:size=5", starts=0)
