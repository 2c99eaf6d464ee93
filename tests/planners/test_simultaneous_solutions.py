"""Small games whose solution is known: planners find what is dominant, and look far enough ahead to do so.

Nothing is claimed about equilibria in general: with decoupled bandits neither the last choice nor the average play need
be one. What can be said: actions that are never best are given up, and so are those that are never best then.
"""

from __future__ import annotations

from collections import Counter

import pytest
from planner_positions import HEAL, SHOOT, heal_and_strike
from simultaneous_games import chase, coordination, dominated, patience, prisoners, rock_paper_scissors, trap

from tactician.contract import Game
from tactician.planners import FDTS, MCS, Plan, SimultaneousMCTS
from tactician.planners.simultaneous import SimultaneousPlanner

LEARNING = ["ucb1", "ucb1-value", "thompson"]
ALL = [MCS, SimultaneousMCTS, FDTS]


def plans(planner: SimultaneousPlanner, game: Game, budget: str, seed: int = 0) -> list[Plan]:
    return planner.on(game, seed=seed).plan_all(game.initial_state(), budget)


def choice(planner: SimultaneousPlanner, game: Game, budget: str, seed: int = 0) -> list[int]:
    return [plan.actions[0] for plan in plans(planner, game, budget, seed)]


# -- one step --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bandit", ["thompson", "random"])
@pytest.mark.parametrize("kind", ALL)
def test_a_dominant_action_is_found(kind: type[SimultaneousPlanner], bandit: str) -> None:
    for seed in range(3):
        assert choice(kind(bandit=bandit), prisoners(), "500its", seed) == [1, 1]


@pytest.mark.parametrize("bandit", ["ucb1", "ucb1-value"])
def test_ucb1_in_step_with_itself_takes_prisoners_for_one(bandit: str) -> None:
    """UCB1 draws nothing once every arm was tried: if both begin alike, they do alike for ever, and silence pays."""
    assert (0, 0) in {tuple(choice(MCS(bandit=bandit), prisoners(), "500its", seed)) for seed in range(8)}


@pytest.mark.parametrize("bandit", LEARNING)
@pytest.mark.parametrize("kind", ALL)
def test_dominance_is_followed_through(kind: type[SimultaneousPlanner], bandit: str) -> None:
    """Row 0 is best only once the other player is known to leave column 2 alone."""
    for seed in range(3):
        assert choice(kind(bandit=bandit, exploration=0.5), dominated(), "3000its", seed) == [0, 0]


def test_whoever_takes_the_other_for_random_does_not_follow_it() -> None:
    assert choice(MCS(bandit="random"), dominated(), "3000its")[0] == 1


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("bandit", LEARNING)
def test_three_players_meet(kind: type[SimultaneousPlanner], bandit: str) -> None:
    """Every place where all meet is an equilibrium; that all three settle on the same one is the point."""
    met = [choice(kind(bandit=bandit, exploration=0.5), coordination(), "3000its", seed) for seed in range(5)]
    assert all(len(set(joint)) == 1 for joint in met)
    assert Counter(joint[0] for joint in met)[2] >= (3 if bandit == "thompson" else 1), "often it is the best"


@pytest.mark.parametrize("bandit", LEARNING)
@pytest.mark.parametrize("rock_wins", [1.0, 0.6])
def test_no_action_of_rock_paper_scissors_is_given_up(bandit: str, rock_wins: float) -> None:
    """Each is the best reply to another, so all go on being played; with decoupled UCB1 roughly evenly."""
    for plan in plans(FDTS(bandit=bandit), rock_paper_scissors(rock_wins), "4000its"):
        shares = [alternative.count / 4000 for alternative in plan.alternatives]
        assert len(shares) == 3
        assert min(shares) > 0.1
        assert plan.value == pytest.approx(0, abs=0.25)
        if bandit != "thompson" and rock_wins == 1.0:
            assert max(shares) < 0.5


@pytest.mark.parametrize(("rock_wins", "tolerance"), [(1.0, 0.04), (0.6, 0.04), (0.2, 0.06)])
def test_the_frequencies_of_regret_matching_approach_the_equilibrium(rock_wins: float, tolerance: float) -> None:
    """Rock wins little, so paper, which beats it, is played less: the equilibrium is (1, w, 1) / (2 + w)."""
    expected = [share / (2 + rock_wins) for share in (1, rock_wins, 1)]
    planner = MCS(bandit="regret-matching", exploration=0.05, depth=1)
    agent = planner.on(rock_paper_scissors(rock_wins), seed=3)
    agent.plan_all(agent.game.initial_state(), "40000its")
    for seat in (0, 1):
        assert [visits / 40000 for _, _, visits in agent.estimates(seat)] == pytest.approx(expected, abs=tolerance)
        assert max(abs(value) for _, value, _ in agent.estimates(seat)) < 0.1, "nobody can do better"


def test_mixed_regret_matching_cannot_be_read() -> None:
    game, drawn = rock_paper_scissors(), Counter[int]()
    agent = MCS(bandit="regret-matching-mixed", depth=1).on(game, seed=1)
    for ply in range(60):
        drawn[agent.plan(game.initial_state(), "300its", ply=ply, seat=0).actions[0]] += 1
    assert min(drawn[action] for action in range(3)) > 8


def test_values_and_counts_of_a_plan_are_what_the_bandit_learned() -> None:
    first, second = plans(MCS(bandit="ucb1"), dominated(), "300its")
    for plan in (first, second):
        assert sum(alternative.count for alternative in plan.alternatives) == 300
        assert plan.value == next(a.value for a in plan.alternatives if a.actions == plan.actions)
        assert [a.value for a in plan.alternatives] == sorted((a.value for a in plan.alternatives), reverse=True)


# -- several steps ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bandit", LEARNING)
@pytest.mark.parametrize("kind", ALL)
def test_patience_takes_two_steps_of_foresight(kind: type[SimultaneousPlanner], bandit: str) -> None:
    game = patience()
    assert choice(kind(depth=1, bandit=bandit), game, "800its") == [1, 1], "one step ahead, taking looks best"
    agent = kind(depth=2, bandit=bandit).on(game)
    state = game.initial_state()
    assert [plan.actions for plan in agent.plan_all(state, "800its")] == [(0,), (0,)]
    state.apply([0, 0])
    assert [plan.actions for plan in agent.plan_all(state, "300its", ply=1)] == [(1,), (1,)]


@pytest.mark.parametrize("bandit", LEARNING)
def test_a_tree_sees_the_trap_that_random_play_misses(bandit: str) -> None:
    """UCB1 has a modest c here: with c = 2 half of the levers pulled would still be for the sake of exploration."""
    game = trap()

    def taken(planner: SimultaneousPlanner) -> int:
        return planner.on(game).plan(game.initial_state(), "3000its", seat=0).actions[0]

    assert taken(MCS(bandit=bandit, exploration=0.3)) == 0
    assert taken(FDTS(bandit=bandit, exploration=0.3, depth=2)) == 1
    assert taken(SimultaneousMCTS(bandit=bandit, exploration=0.3, depth=2)) == 1
    assert taken(SimultaneousMCTS(bandit=bandit, exploration=0.3, rollouts=False)) == 1


@pytest.mark.parametrize("bandit", LEARNING)
@pytest.mark.parametrize("kind", ALL)
def test_the_hare_gets_away(kind: type[SimultaneousPlanner], bandit: str) -> None:
    game = chase()
    state, agent = game.initial_state(), kind(depth=4, bandit=bandit).on(game, seed=1)
    for ply in range(4):
        hunter, hare = agent.plan_all(state, "600its", ply=ply)
        if ply == 0:
            assert hare.actions[0] in (3, 4)
        state.apply([hunter.actions[0], hare.actions[0]])
    assert state.returns() == [-1, 1]


def test_a_combination_of_a_game_with_turns_is_found() -> None:
    """Hero Academy seen as a game in which the idle player has one action: heal, then strike, wins at once."""
    state = heal_and_strike()
    game = state.game
    plan = FDTS(depth=4, bandit="ucb1-value", exploration=0.1).on(game).plan(state, "6000its")
    codes = [game.action_from_json(action) for action in (HEAL, SHOOT, SHOOT)]
    assert list(plan.actions[:3]) == codes
