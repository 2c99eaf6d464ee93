"""Plans and states draw themselves in notebooks."""

from __future__ import annotations

from xml.etree import ElementTree

from tactician.games.registry import load_game
from tactician.planners import parse_planner
from tactician.seats.plan import Plan


def test_a_plan_shows_its_turn_and_the_position_after_it() -> None:
    game = load_game("amazons:size=4")
    plan = parse_planner("mcts").on(game).plan(game.initial_state(1), "20its")
    page = plan._repr_html_()
    for name in plan.names:
        assert f"<li>{name}</li>" in page
    assert plan.state is not None
    after = plan.state.copy()
    for action in plan.actions:
        after.apply(action)
    assert after.svg() in page
    assert plan.state.svg() not in page


def test_a_plan_without_a_state_shows_its_codes_and_names_are_escaped() -> None:
    page = Plan((3, 4), 1.5)._repr_html_()
    ElementTree.fromstring(page)
    assert "<li>3</li><li>4</li>" in page
    assert "value 1.5" in page


def test_where_all_act_at_once_the_position_is_the_one_before() -> None:
    game = load_game("pommerman")
    state = game.initial_state(1)
    assert state.svg() in Plan((5,), None, state=state)._repr_html_()
    assert state._repr_svg_() == state.svg()
