"""A plan is one turn: it never continues into the next, however little the opponent has to choose."""

from __future__ import annotations

import pytest
from planner_games import TURN_PLANNERS, errands, is_whole_turn

from tactician.contract import Game
from tactician.games.amazons import amazons
from tactician.planners import MCTS, parse_planner

STYLES = ["mcts:style=reference", "non-exploring-mcts:style=reference", "bridge-burning-mcts:style=reference"]


def play_through(spec: str, game: Game, seed: int) -> int:
    """Plays a game by plans of one planner; how often a player had just one action when its turn began."""
    agent, state, ply, forced = parse_planner(spec).on(game, seed=seed), game.initial_state(seed=seed), 0, 0
    while not state.is_over():
        player = state.current_player()
        forced += len(state.legal_actions()) == 1
        for number, action in enumerate(agent.plan(state, "60its", ply=ply).actions):
            assert not state.is_over(), f"turn {ply}, action {number}"
            assert state.current_player() == player, f"turn {ply}, action {number}"
            state.apply(action)
        ply += 1
    return forced


@pytest.mark.parametrize("spec", [*TURN_PLANNERS, *STYLES])
def test_turns_end_where_the_opponents_next_is_forced(spec: str) -> None:
    """In errands everything is done after a while, and all can only go home; on small boards amazons get stuck."""
    assert sum(play_through(spec, errands(2, energy=12, turns=6), seed) for seed in range(3)) > 0
    for seed in range(2):
        play_through(spec, amazons(size=4), seed)


def test_an_only_action_left_belongs_to_the_turn() -> None:
    """The last errand leaves nothing but going home: the tree counts both as one step, the plan has both."""
    game = errands(2, energy=20, turns=4)
    state = game.initial_state(seed=1)
    plan = MCTS().on(game, seed=1).plan(state, "400its")
    assert is_whole_turn(state, plan.actions)
    assert plan.actions[-1] == 0
