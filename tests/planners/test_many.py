"""Many positions planned on several threads."""

from __future__ import annotations

import pytest

from tactician.errors import InvalidParameterError, TacticianError
from tactician.games.registry import load_game
from tactician.planners import MCTS, OEP, plan_positions


def test_plans_do_not_depend_on_the_number_of_threads() -> None:
    game = load_game("hero-academy")
    positions = [game.initial_state(seed) for seed in range(5)]
    one = plan_positions(OEP(), positions, "20its", seed=3, threads=1)
    three = plan_positions(OEP(), positions, "20its", seed=3, threads=3)
    assert [(p.actions, p.value) for p in one] == [(p.actions, p.value) for p in three]
    agent = OEP().on(game, seed=3)
    assert [p.actions for p in one] == [agent.plan(s, "20its", ply=i).actions for i, s in enumerate(positions)]


def test_a_position_that_can_not_be_planned_ends_it_with_its_reason() -> None:
    game = load_game("amazons:size=6")
    ended = game.batch(1)
    ended.play_out()
    with pytest.raises(TacticianError, match="the game is over"):
        plan_positions(MCTS(), [game.initial_state(), ended[0], game.initial_state(1)], "10its", threads=2)


def test_no_positions_need_no_threads_and_bad_numbers_are_refused() -> None:
    assert plan_positions(MCTS(), [], "10its") == []
    with pytest.raises(InvalidParameterError, match="threads is 0"):
        plan_positions(MCTS(), [load_game("amazons:size=6").initial_state()], "10its", threads=0)
