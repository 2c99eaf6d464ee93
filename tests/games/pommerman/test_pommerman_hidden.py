"""What a seat sees, what it may imagine, and what the official environment would hand to an agent."""

from __future__ import annotations

import pytest
from pommerman_boards import bomb, game, go, position

from tactician.contract import State
from tactician.games.pommerman.conformance import step_on
from tactician.games.pommerman.observations import observation

FOG = 5


def played(variant: str, seed: int = 3, steps: int = 12) -> State:
    """A game in which some bombs lie around."""
    state = game(variant=variant).initial_state(seed)
    for step in range(steps):
        if state.is_over():
            break
        state.apply([(step + seat * seat) % 6 if state.record.alive >> seat & 1 else 0 for seat in range(4)])
    return state


def test_in_a_free_for_all_the_others_possessions_and_hidden_things_are_blank() -> None:
    state = position(
        "A=.B\n....\n...C", bombs=[bomb(1, 1, owner=1)], items=[[0, 1, 8]], ammo={"B": 3}, blast={"B": 5}, kick="AB"
    )
    seen = state.observe(0).to_json()
    assert seen["board"] == state.to_json()["board"]
    assert seen["items"] == []
    assert seen["agents"][0] == [0, 0, 1, 1, 2, 1]
    assert seen["agents"][1] == [0, 3, 1, 0, 0, 0]
    assert seen["agents"][3] == [-1, -1, 0, 0, 0, 0]
    assert seen["bombs"] == [bomb(1, 1, owner=-1)]


def test_in_the_fog_one_sees_four_cells_far() -> None:
    picture = ["." * 11] * 11
    picture[2], picture[9] = "..A" + "." * 8, ".......B.C."
    state = position(
        "\n".join(picture),
        bombs=[bomb(6, 6), bomb(7, 7), bomb(2, 7)],
        flames=[[6, 2, 1], [6, 7, 1]],
        of=game(variant="team"),
    )
    seen = state.observe(0).to_json()
    for row in range(11):
        for column in range(11):
            visible = abs(row - 2) <= 4 and abs(column - 2) <= 4
            assert (int(seen["board"][row][column], 16) == FOG) != visible
    assert [entry[:2] for entry in seen["bombs"]] == [[6, 6]]
    assert seen["flames"] == [[6, 2, 1]]
    assert seen["agents"][1] == [-1, -1, 1, 0, 0, 0]


@pytest.mark.parametrize("variant", ["ffa", "team", "team-full", "radio"])
@pytest.mark.parametrize("seat", range(4))
def test_imagined_worlds_look_the_same_and_can_be_played(variant: str, seat: int) -> None:
    state = played(variant)
    view = state.observe(seat)
    worlds = [state.resample_hidden(seat, seed) for seed in range(20)]
    assert len(set(worlds)) > 1
    for world in worlds:
        assert world.observe(seat) == view
        data = world.to_json()
        assert "5" not in "".join(data["board"])
        assert [agent[2] for agent in data["agents"]] == [agent[2] for agent in state.to_json()["agents"]]
        assert all(0 <= entry[4] < 4 for entry in data["bombs"])
        assert all(data["board"][row][column] == "2" for row, column, _ in data["items"])
        world.apply([5 if world.record.alive >> player & 1 else 0 for player in range(4)])


def test_what_is_imagined_in_the_fog_mirrors_what_is_seen() -> None:
    state = game(variant="team").initial_state(4)
    for seed in range(5):
        board = state.resample_hidden(0, seed).to_json()["board"]
        for row in range(6):
            for column in range(6):
                assert (board[row][column] == "1") == (board[column][row] == "1")


def test_an_observation_that_is_stepped_moves_only_who_is_seen() -> None:
    seen = position("A" + "." * 10 + "\n" + "...........\n" * 9 + "..........B", of=game(variant="team")).observe(0)
    after = go(seen, A="right", B="up")
    assert after.to_json()["agents"][0][:2] == [0, 1]
    assert after.to_json()["agents"][1][:2] == [-1, -1]


# -- the official environment's observation ----------------------------------------------------------------------


def test_the_official_observation_has_all_fields() -> None:
    state = position(
        "A.=B\n....\n...C", bombs=[bomb(1, 1, life=7, strength=3, rolling="up")], flames=[[5, 5, 2], [5, 5, 0]]
    )
    seen = observation(state, 0)
    assert seen["board"].tolist()[0][:4] == [10, 0, 2, 11]
    assert (seen["bomb_life"][1, 1], seen["bomb_blast_strength"][1, 1], seen["bomb_moving_direction"][1, 1]) == (
        7,
        3,
        1,
    )
    assert seen["flame_life"][5, 5] == 1  # the last of the list wins, and lives are one more
    assert (seen["teammate"], seen["enemies"], seen["alive"]) == (9, [11, 12, 13], [10, 11, 12])
    assert (seen["position"], seen["ammo"], seen["blast_strength"], seen["can_kick"]) == ((0, 0), 1, 2, False)
    assert (seen["game_type"], seen["step_count"], "message" in seen) == (1, 0, False)


def test_teams_are_told_apart() -> None:
    seen = observation(game(variant="team").initial_state(0), 3)
    assert (seen["teammate"], seen["enemies"], seen["game_type"]) == (11, [10, 12, 9], 2)


def test_the_dead_see_from_where_they_fell() -> None:
    state = go(position("A.........B\n" + "...........\n" * 10, bombs=[bomb(0, 1, life=1)], of=game(variant="team")))
    seen = observation(state, 0)
    assert seen["position"] == (0, 0)
    assert seen["board"][4, 4] == 0
    assert seen["board"][5, 5] == FOG


def test_a_message_reaches_the_mate_in_the_same_step_and_nobody_else() -> None:
    state = game(variant="radio").initial_state(0)
    step_on(state, [[0, 3, 7], [0, 1, 2], 0, [0, 8, 8]])
    assert [observation(state, seat)["message"] for seat in range(4)] == [(0, 0), (8, 8), (3, 7), (1, 2)]
    assert state.to_json()["messages"] == [[3, 7], [1, 2], [0, 0], [8, 8]]
    assert state.observe(0).to_json()["messages"] == [[3, 7], [0, 0], [0, 0], [0, 0]]
    assert observation(step_on(state, [0, 0, 0, 0]), 2)["message"] == (0, 0)
