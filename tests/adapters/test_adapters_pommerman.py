"""Our planners behind the official Pommerman environment's interface: what they remember, and that they can play."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from pommerman_stand_in import BaseAgent, Environment, RandomAgent, game, walked

from tactician.adapters.pommerman_official import OfficialAgent, canonical
from tactician.contract import State
from tactician.errors import InvalidParameterError, InvalidStateError, UnknownNameError
from tactician.games.pommerman.board import WOOD
from tactician.games.pommerman.foreign import GameType, official_observation
from tactician.games.pommerman.memory import Memory
from tactician.games.pommerman.observations import observation
from tactician.games.pommerman.observed import FIELDS, read_observation

VARIANTS = ("ffa", "team", "team-full", "radio")


def remembered(states: list[State], seat: int) -> Memory:
    memory = Memory()
    for state in states:
        memory.see(read_observation(official_observation(state, seat), seat))
    return memory


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    assert one.keys() == other.keys()
    return [name for name in one if not np.array_equal(one[name], other[name])]


# -- worlds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("seed", "wild", "seat"), [(0, 0.0, 0), (1, 0.3, 1), (4, 0.3, 2), (2, 1.0, 3)])
def test_a_world_looks_like_the_observation_it_was_made_from(variant: str, seed: int, wild: float, seat: int) -> None:
    memory = Memory()
    for number, state in enumerate(walked(variant, seed, wild, 160)):
        given = official_observation(state, seat)
        memory.see(read_observation(given, seat))
        if number % 3 == 0 or number < 30:
            world = memory.world([seed, number])
            assert differing(observation(world, seat), observation(state, seat)) == []
            assert world.observe(seat).to_json()["board"] == state.observe(seat).to_json()["board"]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(12))
def test_worlds_look_like_observations_in_whole_games(variant: str, seed: int) -> None:
    memories = [Memory() for _ in range(4)]
    for number, state in enumerate(walked(variant, seed, (0.0, 0.3, 1.0)[seed % 3], 800)):
        for seat, memory in enumerate(memories):
            memory.see(read_observation(official_observation(state, seat), seat))
            assert differing(observation(memory.world([number]), seat), observation(state, seat)) == []


@pytest.mark.parametrize(("seed", "wild"), [(0, 0.0), (4, 0.3), (2, 0.5)])
def test_with_the_whole_board_in_view_all_but_hidden_items_is_known(seed: int, wild: float) -> None:
    """Owners and order of bombs, flames below flames, everybody's possessions."""
    memories, kicks = [Memory(), Memory()], 0
    for number, state in enumerate(walked("ffa", seed, wild, 250)):
        told = state.to_json()
        for seat, memory in enumerate(memories):
            memory.see(read_observation(official_observation(state, seat), seat))
            if number % 4:
                continue
            guess = memory.world([number]).to_json()
            for name in ("t", "board", "bombs", "flames"):
                assert guess[name] == told[name], (name, number)
            living = [i for i in range(4) if told["agents"][i][2]]
            assert [guess["agents"][i] for i in living] == [told["agents"][i] for i in living]
            kicks += sum(agent[5] for agent in guess["agents"])
    assert kicks


def test_hidden_items_are_drawn_anew_as_often_as_on_a_fresh_board() -> None:
    memory = remembered(walked("ffa", 3, 0.0, 0), 0)
    counts = [len(memory.world([seed]).to_json()["items"]) for seed in range(60)]
    assert 18.5 < np.mean(counts) < 21.5
    assert len(set(counts)) > 5
    assert memory.world([7]) == memory.world([7])


def test_opened_wood_may_hide_something_until_the_flames_are_gone() -> None:
    states = walked("ffa", 0, 0.0, 120)
    boards = ["".join(state.to_json()["board"]) for state in states]
    number = next(n for n in range(1, len(states)) if ("2", "4") in zip(boards[n - 1], boards[n], strict=True))
    before, after = states[number - 1], states[number]
    memory = remembered(states[: number + 1], 0)
    was = before.to_json()["board"]
    opened = {(f[0], f[1]) for f in after.to_json()["flames"] if int(was[f[0]][f[1]], 16) == WOOD}
    assert memory.opened == opened
    hidden = {tuple(item[:2]) for seed in range(40) for item in memory.world([seed]).to_json()["items"]}
    assert opened <= hidden


def walk(state: State, *steps: list[int]) -> list[State]:
    states = [state.copy()]
    for joint in steps:
        states.append(state.apply(joint).copy())
    return states


def described(picture: str, **parts: Any) -> dict[str, Any]:
    """A position for the fog: '#', '=', power-ups 'brk', agents 'A' to 'D'."""
    values = {".": "0", "#": "1", "=": "2", "b": "6", "r": "7", "k": "8", "A": "a", "B": "b", "C": "c", "D": "d"}
    rows = [line.ljust(11, ".") for line in picture.split()]
    rows += ["." * 11] * (11 - len(rows))
    agents = []
    for i, name in enumerate("ABCD"):
        at = next(([r, row.index(name)] for r, row in enumerate(rows) if name in row), None)
        agents.append([*(at or [0, 0]), int(at is not None), 1, 2, int(i in parts.get("kick", ()))])
    board = ["".join(values[mark] for mark in row) for row in rows]
    return {"t": 0, "board": board, "agents": agents, "bombs": [], "flames": [], "items": []} | parts.get("more", {})


def test_what_went_out_of_view_is_remembered() -> None:
    """Walls and power-ups seen from the first cell are still there three steps to the left."""
    start = game(variant="team").state_from_json(described("....A...#.\n.......=k\nB.........C\n.........D"))
    states = walk(start, [3, 0, 0, 0], [3, 0, 0, 0], [3, 0, 0, 0])
    memory = remembered(states, 0)
    assert memory.seen is not None
    assert not memory.seen.shows((0, 8))
    for seed in range(5):
        board = memory.world([seed]).to_json()["board"]
        assert board[0][8] == "1"
        assert board[1][7:9] == "28"
    fresh = remembered(states[-1:], 0)
    assert any(fresh.world([seed]).to_json()["board"][0][8] != "1" for seed in range(20))


def test_a_bomb_out_of_view_burns_on_and_gives_its_ammunition_back() -> None:
    start = game(variant="team").state_from_json(described(".....A...B\nC\n..........D"))
    lay, left = [0, 5, 0, 0], [3, 4, 0, 0]
    states = walk(start, lay, left, left, *[[0, 2, 0, 0]] * 7)
    bombs = remembered(states[:4], 0).world([0]).to_json()["bombs"]
    assert bombs == [[0, 9, 7, 2, 1, 0]]
    memory = remembered(states[:4], 0)
    assert memory.seen is not None
    assert not memory.seen.shows((0, 9))
    assert memory.ammo[1] == 0
    gone = remembered(states, 0)
    assert gone.bombs == []
    assert gone.ammo[1] == 1


def test_who_went_out_of_view_is_no_farther_than_it_can_have_walked() -> None:
    start = game(variant="team").state_from_json(described("...A...B\nC\n..........D"))
    memory = remembered(walk(start, [3, 4, 0, 0], [0, 0, 0, 0]), 0)
    places = {tuple(memory.world([seed]).to_json()["agents"][1][:2]) for seed in range(40)}
    assert len(places) > 2
    assert all(abs(row) + abs(column - 7) <= 2 and column > 6 for row, column in places)


def test_pick_ups_and_kicks_of_others_are_noticed() -> None:
    start = game().state_from_json(described("Bkr......A\nC\n.D"))
    bomb = {"bombs": [[0, 5, 9, 2, 0, 0]]}
    told = start.to_json() | bomb
    told["board"] = [told["board"][0][:5] + "3" + told["board"][0][6:], *told["board"][1:]]
    right = [0, 4, 0, 0]
    memory = remembered(walk(game().state_from_json(told), *[right] * 5), 0)
    assert memory.kick[1]
    assert memory.blast[1] == 3
    assert memory.bombs[0].place == (0, 6)
    assert memory.bombs[0].direction == 4


def test_who_joins_late_guesses_and_never_breaks() -> None:
    states = walked("team", 4, 0.3, 120)
    late, memory = states[60], Memory()
    for state in states[60::7]:  # and misses most of what follows
        memory.see(read_observation(official_observation(state, 2), 2))
        assert differing(observation(memory.world([1]), 2), observation(state, 2)) == []
    assert not memory.complete
    assert int(late.record.step) == 60


# -- playing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_planner_wins_against_random_agents(variant: str) -> None:
    wins = 0
    for seed in range(4):
        seat = seed % 4
        agents: list[Any] = [RandomAgent() for _ in range(4)]
        agents[seat] = OfficialAgent(budget="30its", seed=seed)
        wins += Environment(agents, variant, seed, max_steps=300).play()[seat] > 0
    assert wins >= 3


def test_the_same_seed_plays_the_same_game_and_a_new_episode_starts_afresh() -> None:
    def actions(agent: OfficialAgent) -> list[Any]:
        return [agent.act(official_observation(state, 1)) for state in walked("team", 1, 0.0, 12)]

    agent = OfficialAgent(budget="15its", seed=3)
    first = actions(agent)
    assert actions(agent) == first  # the step counter went back
    agent.episode_end(0)
    assert actions(agent) == first
    assert agent.memory.seen is not None
    agent.shutdown()
    assert agent.memory.seen is None
    assert actions(OfficialAgent(budget="15its", seed=3)) == first


@pytest.mark.parametrize("planner", ["random", "mcs", "simultaneous-mcts", "fdts"])
def test_every_planner_of_simultaneous_moves_plays_there(planner: str) -> None:
    agent = OfficialAgent(planner, budget="5its")
    for state in walked("team", 1, 0.0, 4):
        assert agent.act(official_observation(state, 1)) in range(6)
    agent.episode_end(0)


def test_being_asked_twice_is_one_step() -> None:
    agent = OfficialAgent(budget="5its")
    for state in walked("ffa", 1, 0.0, 6):
        agent.act(official_observation(state, 0))
        memory = agent.memory
        agent.act(official_observation(state, 0))
        assert agent.memory is memory
    assert memory.complete


def test_on_the_radio_an_action_has_words_and_the_dead_stop() -> None:
    agent = OfficialAgent(budget="5its")
    agent.init_agent(2, GameType.TeamRadio)
    action = agent.act(official_observation(game(variant="radio").initial_state(seed=1), 2), None)
    assert len(action) == 3
    assert action[0] in range(6)
    dead = next(s for s in walked("radio", 1, 1.0, 200) if not int(s.record.alive) >> 2 & 1)
    assert agent.act(official_observation(dead, 2)) == [0, 0, 0]


def test_observations_may_be_plain_numbers_and_lists() -> None:
    """As they come out of JSON."""
    state = walked("team", 4, 0.3, 40)[-1]
    given = official_observation(state, 1)
    plain = json.loads(json.dumps(given, default=lambda value: value.tolist()))
    one, other = read_observation(given), read_observation(plain)
    assert (one.seat, one.bombs, one.flames, one.variant) == (other.seat, other.bombs, other.flames, other.variant)
    assert np.array_equal(one.board, other.board)


def test_the_real_state_is_used_where_it_is_given() -> None:
    environment = Environment([RandomAgent() for _ in range(4)], "team", 5)
    environment.state = next(s for s in walked("team", 1, 0.3, 60) if s.to_json()["bombs"] and s.to_json()["flames"])
    real = environment.state
    for state_of in (real.to_json, environment.get_json_info, lambda: real):
        agent = OfficialAgent(budget="5its", state_of=state_of)
        agent.act(environment.observations()[0])
        assert agent.state([0]).to_json() == real.to_json()
    assert canonical(environment.get_json_info()) == real.to_json()


def test_the_base_class_of_the_package_can_be_kept() -> None:
    class Ours(BaseAgent):
        def __init__(self) -> None:
            super().__init__()
            self.player = OfficialAgent("mcs", "10its")

        def init_agent(self, id: int, game_type: Any) -> None:
            super().init_agent(id, game_type)
            self.player.init_agent(id, game_type)

        def act(self, obs: Any, action_space: Any) -> Any:
            return self.player.act(obs, action_space)

    ours = Ours()
    rewards = Environment([ours, RandomAgent(), RandomAgent(), RandomAgent()], seed=2, max_steps=60).play()
    assert ours.agent_id == ours.player.agent_id == 0
    assert len(rewards) == 4


# -- bad input -----------------------------------------------------------------------------------------------------


def good(variant: str = "ffa") -> dict[str, Any]:
    return official_observation(walked(variant, 4, 0.3, 30)[-1], 0)


def refusal(given: Any, agent_id: int | None = None) -> str:
    with pytest.raises(InvalidStateError) as refused:
        read_observation(given, agent_id)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_is_named(name: str) -> None:
    given = good()
    del given[name]
    assert refusal(given) == f"observation lacks the field {name!r}."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"board": np.zeros((8, 8))}, "board has the shape (8, 8); expected (11, 11)."),
        ({"board": "none"}, "board is 'none'; expected 11 rows of 11 numbers."),
        ({"board": np.full((11, 11), 14)}, "board at (0, 0) is 14; expected an integer from 0 to 13."),
        ({"bomb_life": np.zeros((11, 10))}, "bomb_life has the shape (11, 10); expected (11, 11)."),
        ({"bomb_life": np.full((11, 11), np.nan)}, "bomb_life at (0, 0) is nan"),
        ({"bomb_life": np.full((11, 11), 0.5)}, "bomb_life at (0, 0) is 0.5; expected an integer"),
        ({"flame_life": np.full((11, 11), 4)}, "flame_life at (0, 0) is 4; expected an integer from 0 to 3."),
        ({"position": (1, 2, 3)}, "position is (1, 2, 3); expected 2 numbers."),
        ({"position": (1, 11)}, "position is 11; expected an integer from 0 to 10."),
        ({"ammo": -1}, "ammo is -1; expected an integer from 0 to 99."),
        ({"blast_strength": "2"}, "blast_strength is '2'; expected an integer from 1 to 10."),
        ({"can_kick": 2}, "can_kick is 2; expected an integer from 0 to 1."),
        ({"teammate": None}, "teammate is None; expected an integer from 9 to 13."),
        ({"enemies": [11, 12]}, "enemies is [11, 12]; expected three of the values 10 to 13."),
        ({"enemies": 3}, "enemies is 3; expected 2 or 3 numbers."),
        ({"alive": [1]}, "alive is 1; expected an integer from 10 to 13."),
        ({"game_type": 4}, "game_type is 4; expected an integer from 1 to 3."),
        ({"game_type": 2}, "teammate is 9 in a team game; expected a value from 10 to 13."),
        ({"step_count": 1.5}, "step_count is 1.5; expected an integer from 0"),
        ({"alive": []}, "agent 0 is dead but the board shows it"),
        ({"position": (0, 0)}, "agent 0 is at (0, 0) but the board shows it"),
    ],
)
def test_a_wrong_field_is_named(changes: dict[str, Any], sentence: str) -> None:
    assert sentence in refusal(good() | changes)


def test_what_can_not_be_an_observation() -> None:
    assert refusal([1]).startswith("observation is [1]; expected a mapping with board, ")
    assert refusal(good(), 2) == "enemies and teammate are those of agent 0; expected those of agent 2."
    radio = official_observation(game(variant="radio").initial_state(seed=1), 0)
    assert refusal({k: v for k, v in radio.items() if k != "message"}) == "observation lacks the field 'message'."
    assert refusal(radio | {"message": (1, 9)}) == "message is 9; expected an integer from 0 to 8."
    shifted = radio["board"].copy()
    shifted[0, 0] = 5
    assert "board at (0, 0) is 5; of fog (5) expected it where" in refusal(radio | {"board": shifted})
    foggy = good()["board"].copy()
    foggy[0, 0] = 5
    assert refusal(good() | {"board": foggy}) == "board at (0, 0) is 5; of fog (5) expected none."


@pytest.mark.parametrize(
    ("name", "board", "value", "sentence"),
    [
        ("bomb_life", 0, 3, "bomb_life at (5, 5) is 3 where the board shows 0"),
        ("bomb_life", 3, 0, "bomb_life at (5, 5) is 0 where the board shows 3"),
        ("bomb_blast_strength", 0, 3, "bomb_blast_strength at (5, 5) is 3 where the board shows 0"),
        ("bomb_moving_direction", 0, 1, "bomb_moving_direction at (5, 5) is 1 where the board shows 0"),
        ("flame_life", 0, 2, "flame_life at (5, 5) is 2 where the board shows 0; expected them to agree."),
        ("flame_life", 4, 0, "flame_life at (5, 5) is 0 where the board shows 4; expected them to agree."),
    ],
)
def test_maps_that_do_not_agree(name: str, board: int, value: int, sentence: str) -> None:
    given = official_observation(game().state_from_json(described("A.B\nC.D")), 0)
    given["board"][5, 5] = board
    given[name][5, 5] = value
    assert sentence in refusal(given)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"planner": "oep"}, InvalidParameterError, "planner 'oep' plans turns, but in 'pommerman' all players act"),
        ({"planner": "fdst"}, UnknownNameError, "did you mean 'fdts'"),
    ],
)
def test_planners_that_can_not_play(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        OfficialAgent(**arguments)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"t": 0}, "state lacks the field 'board'."),
        ({"step_count": 0}, "state lacks the field 'board'."),
        ({"step_count": "{", "board": 1}, "step_count is '{'; expected JSON."),
        (None, "state is None; expected an object"),
        (game().initial_state(seed=9).to_json() | {"t": 3}, "the state given is of step 3; expected 0."),
    ],
)
def test_states_that_can_not_be(given: Any, sentence: str) -> None:
    agent = OfficialAgent(budget="5its", state_of=lambda: given)
    with pytest.raises(InvalidStateError) as refused:
        agent.act(official_observation(game().initial_state(seed=9), 0))
    assert sentence in str(refused.value)


def test_a_seat_that_is_none() -> None:
    with pytest.raises(InvalidParameterError, match="id is 4; expected 0 to 3"):
        OfficialAgent().init_agent(4, GameType.FFA)
    with pytest.raises(InvalidStateError, match="there was no observation yet"):
        OfficialAgent().state([0])
