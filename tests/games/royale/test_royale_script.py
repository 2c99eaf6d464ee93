"""The scripted player: what it answers, when it attacks, and that it plays by what its seat sees."""

from __future__ import annotations

import random
from typing import Any

import pytest
from royale_scenes import FULL, changed, game, holding, scene
from test_royale_properties import crowded, steps

from tactician.arena.agents import parse_agent
from tactician.contract import Game, State
from tactician.errors import InvalidParameterError
from tactician.games.pommerman import pommerman
from tactician.games.royale.actions import WAIT
from tactician.games.royale.agents import ScriptPlayer
from tactician.games.royale.script import Script
from tactician.planners import parse_planner

ALL_CARDS = ("Minions", "Musketeer", "Arrows", "Knight")


def chosen(state: State, seat: int = 0) -> Any:
    return game().action_to_json(ScriptPlayer(game()).plan(state.observe(seat), "1its", seat=seat).actions[0])


def with_enemies(*enemies: tuple[str, int, int], hand: tuple[str, ...] = ALL_CARDS, elixir: int = 140) -> State:
    return changed(holding(scene(enemy=list(enemies), of=game()), 0, *hand), 0, elixir=elixir)


def test_it_waits_for_elixir_while_nothing_happens() -> None:
    assert chosen(with_enemies(elixir=200)) == "wait"


@pytest.mark.parametrize(
    ("enemy", "hand", "answer"),
    [
        ("Giant", ALL_CARDS, "Minions"),
        ("Knight", ("Musketeer", "Arrows", "Knight", "Giant"), "Musketeer"),
        ("Baby Dragon", ("Knight", "Archers", "Giant", "Fireball"), "Archers"),
        ("Musketeer", ("Minions", "Knight", "Arrows", "Giant"), "Knight"),
    ],
)
def test_it_answers_an_intruder_with_the_counter_of_its_table(enemy: str, hand: tuple[str, ...], answer: str) -> None:
    action = chosen(with_enemies((enemy, 3500, 12500), hand=hand))
    assert action[:2] == ["deploy", answer]
    column, row = action[2:]
    assert 3 <= column <= 6  # three tiles from the intruder toward the own king
    assert 8 <= row <= 11


def test_spells_go_where_they_destroy_enough() -> None:
    minions = [("Minions", 3500 + 400 * i, 12500) for i in range(3)]
    assert chosen(with_enemies(*minions))[:2] == ["deploy", "Arrows"]
    musketeer = with_enemies(("Musketeer", 3500, 12500), hand=("Fireball", "Giant", "Arrows", "Archers"))
    assert chosen(musketeer)[:2] == ["deploy", "Fireball"]


def test_an_intruder_that_is_guarded_against_needs_no_second_answer() -> None:
    state = scene(own=[("Knight", 3500, 12000)] * 2, enemy=[("Knight", 3500, 13000)], of=game())
    assert chosen(changed(holding(state, 0, "Archers", "Giant", "Arrows", "Minions"), 0, elixir=140)) == "wait"


def test_with_nine_elixir_it_starts_a_push_in_the_lane_of_the_weaker_tower() -> None:
    state = with_enemies(hand=("Giant", "Musketeer", "Arrows", "Knight"), elixir=FULL)
    assert chosen(state) == ["deploy", "Giant", 3, 1]
    towers = state.to_json()["players"][1]["towers"]
    towers[0][0] -= 500
    assert chosen(changed(state, 1, towers=towers)) == ["deploy", "Giant", 14, 1]


def test_ranged_troops_follow_a_tank() -> None:
    state = scene(own=[("Giant", 3500, 10500)], of=game())
    state = changed(holding(state, 0, "Musketeer", "Arrows", "Knight", "Fireball"), 0, elixir=FULL)
    assert chosen(state) == ["deploy", "Musketeer", 3, 8]


def test_a_tower_that_a_spell_destroys_is_struck_and_in_the_end_any() -> None:
    state = with_enemies(hand=("Fireball", "Giant", "Minions", "Knight"))
    towers = state.to_json()["players"][1]["towers"]
    towers[1][0] = 172
    assert chosen(changed(state, 1, towers=towers)) == ["deploy", "Fireball", 3, 25]
    late = changed(holding(scene(tick=1650, of=game()), 0, "Fireball"), 0, elixir=140)
    assert chosen(late)[:2] == ["deploy", "Fireball"]


def test_who_reserved_a_card_waits() -> None:
    state = changed(holding(scene(enemy=[("Giant", 3500, 12500)], of=game()), 0, *ALL_CARDS), 0, elixir=60)
    assert chosen(changed(state, 0, reserved="Knight")) == "wait"


def test_its_actions_are_always_legal_and_do_not_depend_on_what_is_hidden() -> None:
    player = ScriptPlayer(game())
    for seed in range(4):
        for before, _, _ in steps(seed):
            for seat in range(2):
                action = player.plan(before, "1its", seat=seat).actions[0]
                assert before.is_legal(action, seat)
                world = before.resample_hidden(seat, seed)
                assert player.plan(world, "1its", seat=seat).actions[0] == action


def test_it_beats_random_players() -> None:
    player, wins = ScriptPlayer(game()), 0
    for seed in range(10):
        state, ply = game().initial_state(seed), 0
        while not state.is_over():
            options = state.candidate_actions(1, 1000 * seed + ply)
            state.apply([player.plan(state, "1its", seat=0).actions[0], options[(seed + 7 * ply) % len(options)]])
            ply += 1
        wins += state.returns()[0] > 0
    assert wins >= 8


def test_the_arena_knows_it_by_name_and_only_in_royale() -> None:
    assert isinstance(parse_agent("royale-script").on(game()), ScriptPlayer)
    with pytest.raises(InvalidParameterError, match="agent 'royale-script' plays 'royale'; given 'pommerman'"):
        ScriptPlayer(pommerman())


# -- the same, compiled ------------------------------------------------------------------------------------------


def modelled() -> Game:
    return game().with_policy("royale-script")


@pytest.mark.parametrize("seed", range(3))
def test_the_model_does_in_battles_what_the_script_does(seed: int) -> None:
    script, chance = Script(game().config), random.Random(seed)
    state, acted = modelled().initial_state(seed), 0
    while not state.is_over():
        joint = [script.act(state, seat) for seat in range(2)]
        assert joint == [state.expected_action(seat, seed) for seat in range(2)]
        acted += sum(action > 0 for action in joint)
        others = [chance.choice(state.candidate_actions(seat)) for seat in range(2)]
        state.apply([chance.choice(both) for both in zip(joint, others, strict=True)])
    assert acted > 10


def test_the_model_does_in_crowded_positions_what_the_script_does() -> None:
    script, chance = Script(game().config), random.Random(3)
    acted = 0
    for _ in range(300):
        state = modelled().state_from_json(crowded(chance))
        for seat in range(2):
            action = script.act(state, seat)
            assert state.expected_action(seat, 0) == action
            acted += action > 0
    assert acted > 100


def test_where_there_is_no_room_for_a_card_the_model_waits() -> None:
    full = with_enemies(("Giant", 3500, 12500), elixir=FULL)
    data = full.to_json()
    data["players"][0]["troops"] = [["Knight", 9000, 2000, 100, 0, 0, 3 + i, -1] for i in range(38)]
    data["players"][0]["next_uid"] = 100
    state = modelled().state_from_json(data)
    assert not state.is_legal(Script(game().config).act(state, 0), 0)
    assert state.expected_action(0, 0) == WAIT


def test_a_search_takes_the_script_for_its_model() -> None:
    agent = parse_planner("fdts:opponents=royale-script,depth=20").on(game())
    plan = agent.plan(game().initial_state(1), "200its", seat=1)
    assert plan.stats.iterations == 200
