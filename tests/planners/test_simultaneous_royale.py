"""The simultaneous-move planners on Royale: hundreds of actions, forced waiting, hidden cards, battles to their end."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tactician.contract import Game, State
from tactician.games.royale import royale
from tactician.games.royale.agents import ScriptPlayer
from tactician.planners import FDTS, MCS, SimultaneousMCTS
from tactician.planners.simultaneous import SimultaneousPlanner

ALL: list[SimultaneousPlanner] = [
    MCS(depth=10),
    MCS(depth=10, bandit="ucb1", exploration=1.0),
    SimultaneousMCTS(depth=10),
    SimultaneousMCTS(rollouts=False),
    FDTS(depth=10),
]


@cache
def open_game(**options: Any) -> Game:
    return royale(information="open", **options)


def rich(game: Game) -> State:
    """The start with full elixir: every card can be played."""
    data = game.initial_state(seed=1).to_json()
    for player in data["players"]:
        player["elixir"] = 280
    return game.state_from_json(data)


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_a_budget_per_action_is_a_multiple_of_the_longest_list(planner: SimultaneousPlanner) -> None:
    state = rich(open_game())
    assert len(state.candidate_actions(0)) == 257
    plan = planner.on(open_game(), seed=1).plan(state, "2its/action", seat=0)
    assert plan.stats.iterations == 2 * 257
    assert state.is_legal(plan.actions[0], 0)


def test_a_budget_per_action_counts_only_what_the_seat_sees() -> None:
    """The enemy could play four cards, but its hand is guessed: the length of its real list has no influence."""
    game = royale()
    data = rich(game).to_json()
    data["players"][0]["elixir"] = 0
    poor = game.state_from_json(data)
    plans = []
    for elixir in (0, 280):
        data["players"][1]["elixir"] = elixir
        plans.append(MCS(depth=2).on(game, seed=4).plan(game.state_from_json(data), "1its/action", seat=0))
    assert plans[0].stats.iterations == plans[1].stats.iterations
    assert len(poor.candidate_actions(1)) == 257


def test_all_legal_actions_count_where_nothing_is_pruned() -> None:
    state = rich(open_game())
    legal = max(len(state.legal_actions(seat)) for seat in range(2))
    assert legal > 1000
    plan = MCS(depth=1, prune=False).on(open_game(), seed=1).plan(state, "0.1its/action", seat=1)
    assert plan.stats.iterations == round(0.1 * legal)


@pytest.mark.parametrize("planner", ALL, ids=str)
@pytest.mark.parametrize("hidden", [False, True])
def test_planners_play_whole_battles(planner: SimultaneousPlanner, hidden: bool) -> None:
    game = royale() if hidden else open_game()
    agent, script = planner.on(game, seed=3), ScriptPlayer(game)
    state, ply = game.initial_state(seed=5), 0
    while not state.is_over():
        mine = state.legal_actions(0)
        first = mine[0] if len(mine) == 1 else agent.plan(state, "8its", ply=ply, seat=0).actions[0]
        state.apply([first, script.plan(state.observe(1), "1its", ply=ply, seat=1).actions[0]])
        ply += 1
    assert ply <= 600


def test_a_search_meets_states_again_although_there_are_hundreds_of_actions() -> None:
    """Two players who can only wait or reserve reach few states: equal states are one node."""
    data = open_game().initial_state(seed=1).to_json()
    for player in data["players"]:
        player["elixir"] = 0
    state = open_game().state_from_json(data)
    plan = FDTS(depth=4).on(open_game(), seed=1).plan(state, "200its", seat=0)
    reached, known = plan.stats.revisits[0]
    assert reached == 200
    assert known >= 175  # five actions each: at most 25 different states after a step


@pytest.mark.slow
def test_a_good_planner_beats_random_selection() -> None:
    """Thompson sampling finds what a search that spreads its simulations evenly does not."""
    game = open_game()
    points = 0.0
    for seed in range(2):
        for seat in range(2):
            agents = [MCS(depth=10, bandit="random").on(game, seed=seed), MCS(depth=10).on(game, seed=seed)]
            players = agents if seat else agents[::-1]
            state, ply = game.initial_state(seed=seed), 0
            while not state.is_over():
                joint = []
                for number, agent in enumerate(players):
                    legal = state.legal_actions(number)
                    one = len(legal) == 1
                    joint.append(legal[0] if one else agent.plan(state, "4its/action", ply=ply, seat=number).actions[0])
                state.apply(joint)
                ply += 1
            points += (1 + state.returns()[seat]) / 2
    assert points >= 3
