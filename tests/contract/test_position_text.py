"""Positions as text: the actions that lead there, or JSON."""

from __future__ import annotations

import json
import random

import pytest

from tactician.errors import IllegalActionError, InvalidStateError
from tactician.games.registry import load_game


@pytest.mark.parametrize("spec", ["amazons:size=6", "hero-academy", "locm", "amazons-plain:size=4"])
def test_the_names_of_the_actions_played_lead_to_the_position(spec: str) -> None:
    game, chance = load_game(spec), random.Random(2)
    state, names = game.initial_state(5), []
    for _ in range(12):
        named = {state.action_name(action): action for action in state.legal_actions()}
        name = chance.choice([name for name in named if len([1 for other in named if other == name]) == 1])
        names.append(name)
        state.apply(named[name])
    assert game.position("; ".join(names), seed=5).to_json() == state.to_json()
    assert game.position(json.dumps(state.to_json(), separators=(",", ":"))).to_json() == state.to_json()


def test_where_all_act_at_once_a_step_has_an_action_of_each() -> None:
    game = load_game("pommerman")
    state = game.initial_state(3).apply([5, 0, 0, 0]).apply([0, 1, 1, 2])
    assert game.position("bomb, stop, stop, stop; stop,up,up,down", seed=3) == state


def test_an_empty_text_is_the_start_position() -> None:
    game = load_game("amazons:size=6")
    assert game.position("", seed=4) == game.position(" ; ", seed=4) == game.initial_state(4)


def test_a_text_that_leads_nowhere_is_refused_with_the_number_of_the_action() -> None:
    game = load_game("amazons:size=4")
    with pytest.raises(IllegalActionError, match="action 2 of the position: action 'choose z9' is not legal here"):
        game.position("choose b1; choose z9")
    with pytest.raises(InvalidStateError, match="position is not JSON"):
        game.position('{"player": ')
    with pytest.raises(InvalidStateError, match="position is nested too deeply"):
        game.position("[" * 100_000)
