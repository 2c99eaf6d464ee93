"""What a seat sees of a battle, and the guesses at the rest."""

from __future__ import annotations

import pytest
from royale_scenes import NAMES, changed, deploy, game, holding, scene, wait
from test_royale_properties import steps

from tactician.contract import State
from tactician.errors import InvalidParameterError
from tactician.games.pommerman import pommerman
from tactician.games.royale.observations import observation

WAITS = ["wait"] * 10


def busy() -> State:
    """A battle with deploying troops, troops in a fight, a spell in flight, a reservation, and a king that wakes."""
    state = scene(own=[("Knight", 3500, 13000)], enemy=[("Knight", 3500, 14100), ("Archers", 3500, 18000)], of=game())
    state = deploy(wait(state, 3), 1, "Fireball", 9, 29)
    state = deploy(state, 0, "Giant", 3, 3)
    state = changed(holding(state, 1, "Giant", "Archers", "Arrows", "Minions"), 1, elixir=0)
    return changed(state, 0, awake=1, wake=20).apply(["wait", "reserve Giant"])


def test_the_enemys_cards_elixir_reservation_and_actions_are_hidden() -> None:
    state = busy()
    seen = state.observe(0).to_json()
    enemy, whole = seen["players"][1], state.to_json()["players"][1]
    assert whole["reserved"] == "Giant"
    assert (enemy["hand"], enemy["queue"], enemy["elixir"], enemy["reserved"]) == ([None] * 4, [None] * 4, 0, None)
    assert enemy["past"] == WAITS
    assert [row[:4] for row in enemy["troops"]] == [row[:4] for row in whole["troops"]]


def test_a_player_sees_its_hand_its_next_card_and_no_farther() -> None:
    state = busy()
    seen, whole = state.observe(0).to_json()["players"][0], state.to_json()["players"][0]
    assert (seen["hand"], seen["elixir"], seen["past"]) == (whole["hand"], whole["elixir"], whole["past"])
    assert seen["queue"] == [whole["queue"][0], None, None, None]


def test_targets_cooldowns_and_wake_counters_are_hidden_from_everybody() -> None:
    state = busy()
    assert any(row[7] >= 0 for row in state.to_json()["players"][0]["troops"])
    for seat in range(2):
        for player in state.observe(seat).to_json()["players"]:
            assert player["wake"] == 0
            assert all(row[7] == -1 and row[5] in (0, 1) for row in player["troops"])
            assert [tower[1:] for tower in player["towers"]] == [[8, -1], [8, -1], [5, -1]]
    assert state.observe(1).to_json()["players"][0]["awake"] == 1


@pytest.mark.parametrize("seat", [0, 1])
def test_guesses_look_the_same_and_can_be_played(seat: int) -> None:
    state = busy()
    view = state.observe(seat)
    worlds = [state.resample_hidden(seat, seed) for seed in range(30)]
    assert len(set(worlds)) == 30
    for world in worlds:
        assert world.observe(seat) == view
        for fields in world.to_json()["players"]:
            assert sorted(fields["hand"] + fields["queue"]) == sorted(NAMES)
        world.apply([world.legal_actions(0)[-1], world.legal_actions(1)[-1]])


def test_cards_that_were_just_played_are_not_guessed_into_the_hand() -> None:
    state = deploy(deploy(scene(of=game()), 1, "Fireball", 9, 29), 1, "Giant", 3, 3)
    for seed in range(30):
        enemy = state.resample_hidden(0, seed).to_json()["players"][1]
        assert enemy["queue"][2:] == ["Fireball", "Giant"] or enemy["queue"][2:] == ["Giant", "Fireball"]


def test_guesses_at_hand_and_elixir_are_spread_over_what_is_possible() -> None:
    start = game().initial_state(seed=1)
    worlds = [start.resample_hidden(0, seed).to_json()["players"][1] for seed in range(400)]
    for card in NAMES:
        assert 0.4 < sum(card in world["hand"] for world in worlds) / 400 < 0.6
    elixirs = [world["elixir"] for world in worlds]
    assert min(elixirs) < 15
    assert max(elixirs) > 265


def test_open_games_hide_nothing() -> None:
    state = game(information="open").initial_state(seed=1)
    assert state.observe(0) == state


# -- the plain form ----------------------------------------------------------------------------------------------


def test_the_observation_is_in_the_players_own_frame() -> None:
    state = busy()
    own, other = observation(state, 0), observation(state, 1)
    assert own.troops[0].own
    assert (own.troops[0].name, own.troops[0].x) == ("Knight", 3500)
    turned = next(troop for troop in other.troops if not troop.own and troop.name == "Knight")
    assert (turned.x, turned.y) == (18000 - own.troops[0].x, 32000 - own.troops[0].y)
    assert own.spells[0].tile == (8, 2)
    assert other.spells[0].tile == (9, 29)
    assert (own.towers[2].awake, other.towers[5].awake, other.towers[2].awake) == (True, True, False)
    assert [tower.slot for tower in own.towers] == [0, 1, 2, 1, 0, 2]
    assert (own.reserved, other.reserved) == (None, NAMES.index("Giant"))


def test_the_observation_holds_nothing_that_is_hidden() -> None:
    for seed in range(3):
        for _, _, after in steps(seed):
            for seat in range(2):
                assert observation(after, seat) == observation(after.observe(seat), seat)


def test_the_phases_of_a_battle_are_seen() -> None:
    for tick, double, overtime in ((0, False, False), (1195, False, False), (1200, True, False), (1800, True, True)):
        seen = observation(scene(tick=tick, of=game()), 0)
        assert (seen.double_elixir, seen.overtime) == (double, overtime)


def test_only_seats_of_this_game_observe() -> None:
    with pytest.raises(InvalidParameterError, match="seat is 2"):
        observation(game().initial_state(), 2)
    with pytest.raises(InvalidParameterError, match="of 'pommerman'; expected 0 or 1 of 'royale'"):
        observation(pommerman().initial_state(), 0)
