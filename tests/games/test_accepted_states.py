"""Whatever `state_from_json` accepts, every rule handles, and every state reached from it is accepted again.

`tests/fuzz` runs the same property on tens of thousands of documents.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from accepted_states import GAMES, accepted, checked_game, reached, require_playable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutated, nudged
from slow_parameters import rest_slow

from tactician.contract import State
from tactician.errors import InvalidParameterError, InvalidStateError
from tactician.games.registry import load_game
from tactician.planners import parse_planner

HIDDEN = [spec for spec in GAMES if load_game(spec).hides_information and not load_game(spec).simultaneous]


# Compiling LOCM's rules with bounds checks takes twenty seconds.
@pytest.mark.parametrize("spec", rest_slow(GAMES, [spec for spec in GAMES if not spec.startswith("locm")]))
@settings(deadline=None, max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), change=st.sampled_from([nudged, nudged, mutated]))
def test_every_accepted_state_can_be_played_and_leads_to_accepted_states(spec: str, seed: int, change: Any) -> None:
    chance = random.Random(seed)
    game = checked_game(spec)
    whole = reached(game, chance)
    require_playable(game.state_from_json(whole.to_json()), chance, actions=1)
    state = accepted(game, change(whole.to_json(), chance))
    if state is not None:
        require_playable(state, chance, actions=3)


@pytest.mark.parametrize("spec", HIDDEN)
def test_planners_choose_what_is_legal_in_the_real_state_whatever_is_hidden_of_it(spec: str) -> None:
    game, chance = load_game(spec), random.Random(4)
    agents = [parse_planner(name).on(game, seed=1) for name in ("greedy-action", "mcts", "oep")]
    for _ in range(12):
        state = accepted(game, nudged(reached(game, chance).to_json(), chance, 2)) or reached(game, chance)
        if not state.is_over():
            for agent in agents:
                assert state.is_legal(agent.plan(state, "20its").actions[0])


# -- Hero Academy ------------------------------------------------------------------------------------------------


def hero_academy(hand: int = 0, deck: int = 0, spec: str = "hero-academy") -> State:
    """A start position with so many archers in the first player's hand and deck."""
    game = load_game(spec)
    data = game.initial_state(1).to_json()
    data["hands"][0], data["decks"][0] = [0, hand, *[0] * 9], [0, deck, *[0] * 9]
    return game.state_from_json(data)


def test_a_hand_of_64_archers_is_worth_no_more_than_the_range_of_values() -> None:
    state = hero_academy(hand=64)
    low, high = state.game.value_range
    assert state.evaluate() == [high, low]


def test_as_many_cards_of_a_kind_as_fit_in_the_deck_may_be_swapped() -> None:
    state = hero_academy(hand=1, deck=98)
    state.apply("swap the archer card")
    assert state.to_json()["decks"][0][1] == 99
    state.game.state_from_json(state.to_json())
    with pytest.raises(InvalidStateError, match="have 100 cards, 100 of a kind; expected at most 255, 99 of a kind"):
        hero_academy(hand=1, deck=99)


def test_in_the_opponents_view_one_plays_only_cards_that_are_known() -> None:
    game = load_game("hero-academy:information=hidden")
    view = game.initial_state(3).observe(1)  # the first player is to move, and its hand is hidden
    assert view.to_json()["hidden"] == [6, 0]
    for planner in ("mcts", "emcts", "oep", "greedy-action"):
        for action in parse_planner(planner).on(game).plan(view, "50its").actions:
            assert view.is_legal(action)
            view.copy().apply(action)


# -- LOCM --------------------------------------------------------------------------------------------------------


def test_an_entry_of_a_deck_has_both_an_id_and_a_card_or_neither() -> None:
    game = load_game("locm:version=1.5")
    data = game.initial_state(2).observe(0).to_json()
    data["decks"][1][0] = [None, 65]
    with pytest.raises(InvalidStateError, match=r"entry of deck 1 is \[None, 65\]; expected both id and card, or nei"):
        game.state_from_json(data)


def test_of_unknown_cards_the_last_drawn_are_in_the_hand() -> None:
    """As where a game that is under way is joined: what was played before is as unknown as the opponent's hand."""
    game = load_game("locm:version=1.5")
    data = game.initial_state(2).observe(0).to_json()
    data["players"][1]["deck_n"] -= 1
    state = game.state_from_json(data)
    assert state.record.hand[1].tolist()[: state.record.hand_n[1]] == list(range(1, state.record.drawn[1]))
    assert state.observe(0) == state


def test_a_creature_has_the_id_of_a_card_that_its_player_has_played() -> None:
    game = load_game("locm")
    state = game.initial_state(2)
    while not state.to_json()["players"][0]["board"]:
        state.apply(state.legal_actions()[0])
    data = state.to_json()
    data["players"][0]["board"][0]["id"] = 59  # a card that is still in the deck
    with pytest.raises(InvalidStateError, match="is 59; expected that of a card drawn and played"):
        game.state_from_json(data)


def test_health_attack_and_turns_stop_where_they_can_be_stored() -> None:
    game = load_game("locm:information=open")
    state = game.initial_state(2)
    while not any(unit["can"] for unit in state.to_json()["players"][0]["board"]):
        state.apply(state.legal_actions()[0])
    data = state.to_json()
    data["turn"] = 30_000
    data["players"][0]["hp"] = 30_000
    attacker = next(unit for unit in data["players"][0]["board"] if unit["can"])
    attacker.update(atk=30_000, ab="B-D---")
    data["players"][1].update(hp=30_000, board=[])
    fought = game.state_from_json(data).apply(game.action_from_json(f"ATTACK {attacker['id']} -1"))
    assert [player["hp"] for player in fought.to_json()["players"]] == [30_000, 0]
    passed = game.state_from_json(data).apply(game.action_from_json("PASS"))
    assert (passed.to_json()["turn"], passed.current_player()) == (29_999, 1)
    game.state_from_json(passed.to_json())


def test_an_agent_refuses_states_of_a_game_with_another_configuration() -> None:
    """Version 1.0 has one lane; a search that took two-lane states for its own would read and write elsewhere."""
    agent = parse_planner("mcts").on(load_game("locm:version=1.0"))
    with pytest.raises(InvalidParameterError, match="whose lanes is 2; expected 1, as the agent's game"):
        agent.plan(load_game("locm:version=1.2").initial_state(1), "10its")


def test_an_agent_takes_states_of_a_game_that_differs_in_weights_only() -> None:
    game = load_game("hero-academy")
    agent = parse_planner("greedy-action:weights=win=90000;archer_on_power=5").on(game)
    assert agent.plan(game.initial_state(1), "10evals").actions
    with pytest.raises(InvalidParameterError, match="whose action_points is 4; expected 5"):
        agent.plan(load_game("hero-academy:action_points=4").initial_state(1), "10evals")


# -- Pommerman ---------------------------------------------------------------------------------------------------


def test_a_bomb_of_an_agent_whose_strength_is_unknown_has_at_least_strength_1() -> None:
    game = load_game("pommerman")
    data = game.initial_state(1).to_json()
    data["agents"][0][4] = 0
    after = game.state_from_json(data).apply([5, 0, 0, 0]).to_json()
    assert after["bombs"] == [[1, 1, 9, 1, 0, 0]]
    game.state_from_json(after)


def test_with_the_most_bombs_there_can_be_no_more_are_laid() -> None:
    game = load_game("pommerman")
    data = game.initial_state(1).to_json()
    cells = [(r, c) for r in range(11) for c in range(11) if data["board"][r][c] == "0" or data["board"][r][c] == "2"]
    rows = [list(row) for row in data["board"]]
    for row, column in cells:
        rows[row][column] = "3"
    data["board"], data["items"] = ["".join(row) for row in rows], []
    data["bombs"] = [[*(cells * 2)[i], 10, 2, 0, 0] for i in range(104)]
    state = game.state_from_json(data)
    after = state.apply([5, 5, 5, 5]).to_json()
    assert len(after["bombs"]) == 104
    game.state_from_json(after)


def test_guessed_walls_never_separate_the_players() -> None:
    game = load_game("pommerman:variant=team")
    for seed in range(40):
        state = game.initial_state(seed)
        for seat in range(4):
            game.state_from_json(state.resample_hidden(seat, seed).to_json())


def test_unseen_players_stay_unseen_where_there_is_no_fog_for_them() -> None:
    game = load_game("pommerman:variant=team")
    data = game.initial_state(1).to_json()
    rows = ["".join("0" if digit in "bcd" else digit for digit in row) for row in data["board"]]
    data["board"], data["agents"][1:] = rows, [[-1, -1, 1, 0, 0, 0]] * 3
    state = game.state_from_json(data)
    assert state.resample_hidden(0, 1).to_json()["agents"][1][:2] != [0, 0]
    rows[10] = "5" + rows[10][1:]  # fog for one of them, under a wall or not
    data["board"] = rows
    world = game.state_from_json(data).resample_hidden(0, 1)
    assert sum(agent[:2] != [-1, -1] for agent in world.to_json()["agents"][1:]) >= 1
    game.state_from_json(world.to_json())
