"""When a game ends, what everybody gets, and who plays with whom."""

from __future__ import annotations

import pytest
from pommerman_boards import bomb, game, go, position

from tactician.contract import SIMULTANEOUS
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.games.pommerman import pommerman


def outcome(picture: str, t: int = 10, **options: object) -> tuple[bool, list[float]]:
    state = position(picture, t=t, of=game(**options))
    assert state.evaluate() == state.returns()
    return state.is_over(), state.returns()


def test_the_last_one_alive_wins() -> None:
    assert outcome("A") == (True, [1, -1, -1, -1])
    assert outcome("A", t=800) == (True, [1, -1, -1, -1])


def test_while_the_game_runs_the_dead_have_lost() -> None:
    assert outcome("A.C") == (False, [0, -1, 0, -1])


def test_if_all_die_at_once_everybody_loses() -> None:
    assert outcome(".") == (True, [-1, -1, -1, -1])


def test_at_the_time_limit_everybody_loses() -> None:
    assert outcome("A.B", t=799) == (False, [0, 0, -1, -1])
    assert outcome("A.B.C", t=800) == (True, [-1, -1, -1, -1])


def test_the_papers_environment_has_one_step_more() -> None:
    assert outcome("A.B.C", t=800, rules="paper")[0] is False
    assert outcome("A.B.C", t=801, rules="paper") == (True, [-1, -1, -1, -1])


def test_the_time_limit_can_be_set() -> None:
    assert outcome("A.B", t=50, max_steps=50)[0] is True


@pytest.mark.parametrize("variant", ["team", "team-full", "radio"])
def test_a_team_wins_when_only_it_is_left(variant: str) -> None:
    assert outcome("A.C", variant=variant) == (True, [1, -1, 1, -1])
    assert outcome("C", variant=variant) == (True, [1, -1, 1, -1])
    assert outcome("B", t=800, variant=variant) == (True, [-1, 1, -1, 1])


def test_in_teams_nothing_is_lost_before_the_end() -> None:
    assert outcome("A.B", variant="team") == (False, [0, 0, 0, 0])
    assert outcome("A.B", t=800, variant="team") == (True, [-1, -1, -1, -1])
    assert outcome(".", variant="team") == (True, [-1, -1, -1, -1])


def test_strength_is_capped_by_the_view_in_the_variants_with_fog() -> None:
    for variant, cap in (("ffa", 10), ("team", 4), ("team-full", 10), ("radio", 4)):
        after = go(position("Ar.B", blast={"A": cap}, of=game(variant=variant)), A="right")
        assert after.to_json()["agents"][0][4] == cap


def test_friendly_fire_is_on() -> None:
    after = go(position("A.C....B", bombs=[bomb(0, 1, life=1)], of=game(variant="team")))
    assert [agent[2] for agent in after.to_json()["agents"]] == [0, 1, 0, 0]


# -- actions -----------------------------------------------------------------------------------------------------


def test_everybody_acts_at_once_and_may_do_anything() -> None:
    state = position("A=B\n=..")
    assert state.current_player() == SIMULTANEOUS
    assert [state.legal_actions(seat) for seat in range(4)] == [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5], [0], [0]]


def test_an_action_outside_the_six_is_refused() -> None:
    state = game().initial_state(1)
    for wrong in (6, -1):
        with pytest.raises(IllegalActionError, match=r"action .* is not legal for player 0"):
            state.apply([wrong, 0, 0, 0])
    with pytest.raises(IllegalActionError, match="expected one for each of 4 players"):
        state.apply([0, 0])


def test_actions_have_names() -> None:
    state = game().initial_state(1)
    assert [state.action_name(action) for action in range(6)] == ["stop", "up", "down", "left", "right", "bomb"]
    assert game(variant="radio").initial_state(1).action_name(1 + 6 * (9 * 3 + 7)) == "up 3 7"


# -- parameters --------------------------------------------------------------------------------------------------

WRONG = [
    ({"rules": "java"}, "rules is 'java'; expected one of official, paper."),
    ({"variant": "duel"}, "variant is 'duel'; expected one of ffa, team, team-full, radio."),
    ({"identity": "same"}, "identity is 'same'; expected one of exact, reference-items, reference."),
    ({"rules": "paper", "variant": "team"}, "variant is 'team' with the paper's rules; expected 'ffa'."),
    ({"mask": 1}, "mask is 1; expected one of released, text, none."),
    ({"max_steps": 0}, "max_steps is 0; expected an integer from 1 to 60000."),
    ({"max_steps": True}, "max_steps is True"),
]


@pytest.mark.parametrize(("options", "sentence"), WRONG)
def test_wrong_parameters_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence.replace(".", r"\.")):
        pommerman(**options)  # type: ignore[arg-type]
