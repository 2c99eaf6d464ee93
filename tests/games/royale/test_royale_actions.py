"""What a player may do: tiles, elixir, the cycle of the hand, forced waiting, and what planners consider of it."""

from __future__ import annotations

from collections import Counter

import pytest
from royale_scenes import FULL, NAMES, changed, deploy, game, holding, scene, ticking, wait

from tactician.contract import State
from tactician.errors import IllegalActionError, InvalidStateError, UnknownNameError
from tactician.games.royale.random_play import RandomBattles


def tiles(state: State, card: str, player: int = 0) -> set[tuple[int, int]]:
    """The tiles on which a card can be deployed now."""
    state = changed(holding(state, player, card), player, elixir=FULL)
    written = (state.game.action_to_json(action) for action in state.legal_actions(player))
    return {(one[2], one[3]) for one in written if one[0] == "deploy" and one[1] == card}


def fallen(state: State, player: int, *slots: int) -> State:
    towers = state.to_json()["players"][player]["towers"]
    return changed(state, player, towers=[[0, 0, -1] if slot in slots else t for slot, t in enumerate(towers)])


def names(state: State, player: int = 0) -> list[str]:
    return [state.action_name(action) for action in state.legal_actions(player)]


# -- tiles -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
def test_troops_have_224_tiles_and_spells_all(player: int) -> None:
    start = scene(of=game())
    assert len(tiles(start, "Knight", player)) == 224
    assert len(tiles(start, "Arrows", player)) == 576
    assert len(tiles(fallen(start, 1 - player, 1), "Knight", player)) == 260
    assert len(tiles(fallen(start, 1 - player, 0, 1), "Knight", player)) == 296
    assert len(tiles(fallen(start, player, 0), "Knight", player)) == 233


def test_the_pocket_opens_in_the_lane_of_the_fallen_tower() -> None:
    pocket = {(c, r) for c in range(9) for r in range(17, 21)}
    assert tiles(fallen(scene(of=game()), 1, 1), "Knight") - tiles(scene(of=game()), "Knight") == pocket
    other = {(c + 9, r) for c, r in pocket}
    assert tiles(fallen(scene(of=game()), 1, 0), "Knight") - tiles(scene(of=game()), "Knight") == other


def test_a_deployment_outside_the_zone_is_refused() -> None:
    state = holding(scene(of=game()), 0, "Knight")
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(["Knight at 3,20", "wait"])
    assert "'Knight at 3,20'" in str(refusal.value)
    with pytest.raises(IllegalActionError):
        state.apply([state.game.action_from_json(["deploy", "Knight", 3, 6]), 0])


def refused(state: State, data: object, player: int = 0) -> str:
    """What the refusal of a player's action says."""
    actions = [0, 0]
    actions[player] = state.game.action_from_json(data)
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(actions)
    return str(refusal.value)


def test_a_refusal_says_why() -> None:
    state = changed(holding(scene(of=game()), 0, "Knight"), 0, elixir=FULL)
    assert "expected a free tile of the own side" in refused(state, ["deploy", "Knight", 3, 30])
    absent = next(name for name in NAMES if name not in state.to_json()["players"][0]["hand"])
    assert "the card is not in hand; the hand is " in refused(state, ["deploy", absent, 3, 3])
    assert "the card can be deployed already" in refused(state, ["reserve", "Knight"])
    poor = changed(state, 0, elixir=0)
    assert "it costs 3 elixir and there is 0.0" in refused(poor, ["deploy", "Knight", 3, 3])
    waiting = poor.copy().apply([poor.game.action_from_json(["reserve", "Knight"]), 0])
    assert "it waits for Knight and can only wait" in refused(waiting, ["deploy", "Knight", 3, 3])


def test_a_card_that_is_not_in_hand_can_not_be_played() -> None:
    state = holding(scene(of=game()), 0, "Giant", "Archers", "Arrows", "Minions")
    before = state.to_json()
    with pytest.raises(IllegalActionError) as refusal:
        state.apply([state.game.action_from_json(["deploy", "Knight", 3, 10]), 0])
    assert str(refusal.value) == (
        "action 'Knight at 3,10' (code 192) is not legal for player 0: the card is not in hand; "
        "the hand is Giant, Archers, Arrows, Minions."
    )
    assert state.to_json() == before


def test_without_room_for_three_units_no_troop_can_be_deployed() -> None:
    crowd = [("Knight", 1000 + 400 * i, 9500) for i in range(38)]
    state = holding(scene(own=crowd, of=game()), 0, "Knight", "Arrows")
    assert tiles(state, "Knight") == set()
    assert len(tiles(state, "Arrows")) == 576
    assert len(tiles(scene(own=crowd[:37], of=game()), "Knight")) == 224


# -- elixir ------------------------------------------------------------------------------------------------------


def test_elixir_is_full_after_fourteen_seconds_and_comes_twice_as_fast_later() -> None:
    for tick, needed in ((0, 140), (1200, 70)):
        state = wait(scene(elixir=140, tick=tick), needed - 1)
        assert state.to_json()["players"][0]["elixir"] < FULL
        assert wait(state).to_json()["players"][0]["elixir"] == FULL
        assert wait(state).to_json()["players"][0]["elixir"] == FULL


def test_a_deployment_costs_elixir_and_cycles_the_hand() -> None:
    state = deploy(scene(of=game()), 0, "Knight", 3, 10)
    fields = state.to_json()["players"][0]
    assert fields["elixir"] == FULL - 3 * 28 + 5
    assert fields["hand"] == ["Minions", "Giant", "Archers", "Arrows"]
    assert fields["queue"] == ["Fireball", "Musketeer", "Baby Dragon", "Knight"]
    assert fields["past"][-2:] == ["wait", ["deploy", "Knight", 3, 10]]


def test_a_card_comes_back_after_four_other_plays() -> None:
    state = deploy(scene(of=game()), 0, "Knight", 3, 10)
    for plays in range(4):
        assert "Knight" not in state.to_json()["players"][0]["hand"], plays
        state = changed(state, 0, elixir=FULL)
        card = state.to_json()["players"][0]["hand"][0]
        state.apply([state.game.action_from_json(["deploy", card, 3, 10]), 0])
    assert "Knight" in state.to_json()["players"][0]["hand"]


# -- forced waiting ----------------------------------------------------------------------------------------------


def test_who_reserves_a_card_waits_until_it_is_affordable_and_is_then_free() -> None:
    state = holding(scene(elixir=2 * 28), 0, "Giant", "Archers", "Arrows", "Minions")
    assert names(state) == ["wait", "reserve Giant", "reserve Archers", "reserve Arrows", "reserve Minions"]
    state.apply(["reserve Giant", "wait"])
    while state.to_json()["players"][0]["elixir"] < 5 * 28:
        assert names(state) == ["wait"]
        assert state.candidate_actions(0) == [0]
        wait(state)
    assert state.to_json()["players"][0]["reserved"] is None
    assert len(names(state)) == 1 + 224 + 224 + 576 + 224


def test_affordable_cards_can_not_be_reserved() -> None:
    state = holding(scene(elixir=3 * 28, of=game()), 0, "Giant", "Archers", "Arrows", "Minions")
    assert [name for name in names(state) if name.startswith("reserve")] == ["reserve Giant"]


# -- what planners consider --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("arms", "listed"), [(1, 1 + 64 + 3), (64, 257)])
def test_both_readings_of_the_arms_of_a_card_that_is_too_expensive(arms: int, listed: int) -> None:
    state = holding(scene(elixir=3 * 28, of=game(reserve_arms=arms)), 0, "Knight", "Giant", "Musketeer", "Fireball")
    candidates = state.candidate_actions(0)
    assert len(candidates) == listed
    found = Counter(state.action_name(action).partition(" at ")[0] for action in candidates)
    assert found == {
        "wait": 1,
        "Knight": 64,
        "reserve Giant": arms,
        "reserve Musketeer": arms,
        "reserve Fireball": arms,
    }


def test_positions_are_drawn_without_replacement_from_all_legal_tiles() -> None:
    state = holding(scene(of=game()), 0, "Knight", "Giant", "Arrows", "Minions")
    legal, seen = set(state.legal_actions(0)), Counter[int]()
    for seed in range(400):
        candidates = state.candidate_actions(0, seed)
        assert len(set(candidates)) == len(candidates) == 257
        assert set(candidates) <= legal
        seen.update(candidates)
    assert set(seen) == legal
    knights = [count for action, count in seen.items() if state.action_name(action).startswith("Knight")]
    assert len(knights) == 224
    assert 70 < min(knights) < 400 * 64 / 224 < max(knights) < 165


def test_more_positions_than_tiles_are_all_tiles() -> None:
    state = holding(scene(of=game(positions=576)), 0, "Knight", "Giant", "Arrows", "Minions")
    assert sorted(state.candidate_actions(0)) == sorted(state.legal_actions(0))


def test_random_play_is_as_the_specification_says() -> None:
    """Shares of wins and draws, length, overtime, plays and crowds of random battles, for both readings."""
    for arms in (1, 64):
        found = RandomBattles(game(reserve_arms=arms), starts=200, seed=7).play(2000)
        wins = [found.winners.count(winner) / 2000 for winner in (0, 1, -1)]
        assert abs(wins[0] - wins[1]) < 0.05
        assert 0.015 < wins[2] < 0.05
        assert 1850 < found.ticks / 2000 < 2020
        assert 0.35 < found.overtime / 2000 < 0.46
        assert 53 < found.plays / 2000 < 61
        assert 9 <= found.most_troops <= 18


# -- forms -------------------------------------------------------------------------------------------------------


def test_actions_are_read_as_they_are_written() -> None:
    g = game()
    state = holding(scene(of=g), 0, "Knight", "Arrows", "Minions", "Giant")
    legal = state.legal_actions(0)
    assert [g.action_from_json(g.action_to_json(action)) for action in legal] == legal
    for action in legal[::100]:
        assert state.action_named(state.action_name(action), 0) == action


def test_what_is_not_an_action_is_refused() -> None:
    for data, error, sentence in (
        (["deploy", "Knight", 18, 3], InvalidStateError, "column is 18; expected an integer from 0 to 17."),
        (["deploy", "Knight", 3, -1], InvalidStateError, "row is -1; expected an integer from 0 to 31."),
        (
            ["deploy", "Knight"],
            InvalidStateError,
            'expected "wait", ["reserve", card] or ["deploy", card, column, row].',
        ),
        ("go", InvalidStateError, "action is 'go'; expected"),
        (True, InvalidStateError, "action is True; expected"),
        (["reserve", "Princess Tower"], UnknownNameError, "unknown card 'Princess Tower'; there are: Archers, "),
        (["reserve", ["Knight"]], UnknownNameError, "unknown card"),
    ):
        with pytest.raises(error) as refusal:
            game().action_from_json(data)
        assert sentence in str(refusal.value)


def test_the_ends_of_a_battle() -> None:
    for tick, lost, result in (
        (1799, (), None),
        (1800, ((1, 0),), 1),
        (1800, ((0, 0), (1, 1)), None),
        (2500, ((0, 0),), -1),
        (2999, (), None),
        (3000, (), 0),
        (700, ((0, 2),), -1),
        (700, ((0, 2), (1, 2)), 0),
    ):
        state = scene(tick=tick, of=ticking())
        for player, slot in lost:
            state = fallen(state, player, slot)
        assert state.is_over() == (result is not None)
        if result is not None:
            assert state.returns() == [result, -result]


def test_all_cards_are_in_the_deck() -> None:
    fields = game().initial_state(3).to_json()["players"]
    assert all(sorted(player["hand"] + player["queue"]) == sorted(NAMES) for player in fields)
