"""What a person points at to choose an action: every built-in game names parts that its drawing has."""

from __future__ import annotations

import pytest

from tactician.checking.presentation import parts_in
from tactician.contract.plain import plain
from tactician.contract.state import State
from tactician.errors import RuleFailureError
from tactician.games.registry import load_game


def parts_by_name(state: State, player: int = 0) -> dict[str, list[str]]:
    return {state.action_name(action): state.action_parts(action, player) for action in state.legal_actions(player)}


def test_hero_academy_points_at_a_card_and_its_target() -> None:
    state = load_game("hero-academy").initial_state(seed=1)
    parts = parts_by_name(state)
    assert parts["deploy knight on (0,0)"] == ["card:1:K", "square:0,0"]
    assert parts["swap the knight card"] == ["card:1:K", "deck:1"]
    assert parts["end turn"] == []


def test_hero_academy_points_at_a_unit_and_where_it_goes() -> None:
    state = load_game("hero-academy").initial_state(seed=1).apply("deploy knight on (0,0)")
    assert parts_by_name(state)["knight (0,0) moves to (1,0)"] == ["unit:0,0", "square:1,0"]


def test_locm_points_at_cards_lanes_and_the_opponent() -> None:
    state = load_game("locm").initial_state(seed=12)
    for text in ("SUMMON 3 1", "PASS", "SUMMON 2 1", "PASS"):
        state.apply(state.game.action_from_json(text))
    code = state.game.action_from_json
    assert state.action_parts(code("ATTACK 3 2")) == ["card:3", "card:2"]
    assert state.action_parts(code("ATTACK 3 -1")) == ["card:3", "player:1"]
    assert state.action_parts(code("SUMMON 3 1")) == ["card:3", "lane:1"]


def test_locm_draws_the_viewer_below_in_both_players_turns() -> None:
    state = load_game("locm").initial_state(seed=12)
    for _ in range(2):
        for seat in range(2):
            drawn = state.observe(seat).svg()
            assert drawn.index(f'data-part="player:{1 - seat}"') < drawn.index(f'data-part="player:{seat}"')
        state.apply("end turn")


def test_amazons_points_at_queens_then_squares() -> None:
    state = load_game("amazons").initial_state()
    assert parts_by_name(state)["choose d1"] == ["queen:d1"]
    assert parts_by_name(state.apply("choose d1"))["move to d7"] == ["square:d7"]


def test_pommerman_points_at_cells_and_at_the_agent_itself() -> None:
    state = load_game("pommerman").initial_state(seed=1)
    parts = parts_by_name(state, player=2)
    assert parts["up"] == ["square:8,9"]
    assert parts["bomb"] == parts["stop"] == ["unit:2"]


def test_royale_points_at_tiles_in_the_frame_of_the_picture() -> None:
    state = load_game("royale").initial_state(seed=1)
    for player in range(2):
        drawn = parts_in(state.observe(player).svg())
        parts = parts_by_name(state, player)
        named = [found for name, found in parts.items() if " at " in name]
        assert named
        assert all(len(found) == 2 and drawn.issuperset(found) for found in named)
        own_half = {int(found[1].rpartition(",")[2]) < 16 for name, found in parts.items() if name.startswith("Giant")}
        assert own_half in ({player == 0}, set())


class Coin:
    """One flip; tells its parts wrongly if asked to."""

    def __init__(self, parts: object) -> None:
        self.parts = parts

    def initial_state(self, rng: object) -> int:
        return 0

    def legal_actions(self, state: int, player: int) -> list[int]:
        return [1, 2]

    def apply(self, state: int, action: int, rng: object) -> int:
        return action

    def current_player(self, state: int) -> int:
        return 0

    def is_over(self, state: int) -> bool:
        return state > 0

    def returns(self, state: int) -> tuple[float, ...]:
        return (1.0, -1.0) if state == 1 else (-1.0, 1.0)

    def evaluate(self, state: int) -> tuple[float, ...]:
        return (0.0, 0.0)

    def action_parts(self, state: int, player: int, action: int) -> object:
        return self.parts


@pytest.mark.parametrize("wrong", ["heads", [1], None])
def test_parts_that_are_no_list_of_texts_are_refused(wrong: object) -> None:
    state = plain(Coin(wrong), name="coin", max_actions=2).initial_state()
    with pytest.raises(RuleFailureError, match="action_parts"):
        state.action_parts(1)


def test_check_game_finds_parts_that_are_not_drawn() -> None:
    from tactician.checking import check_game

    game = plain(Coin(["side:heads"]), name="coin", max_actions=2)
    report = check_game(game, games=1)
    assert any("side:heads" in str(failure) for failure in report.findings)
