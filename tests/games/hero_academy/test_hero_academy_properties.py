"""What is always true of Hero Academy, whatever is played: nothing is lost or made from nothing, and perft counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hero_academy_boards import CARDS, UNITS, game, json_positions, max_hp, position, random_play
from hero_academy_twin import Twin
from hypothesis import given, settings
from hypothesis import strategies as st

from tactician.contract import Game, State
from tactician.games.hero_academy import MAPS

GAMES: dict[str, dict[str, Any]] = {
    "papers": {},
    "small": {"map": "a-small", "deck": "small"},
    "tiny": {"map": "a-tiny", "deck": "tiny"},
    "ten points, shuffled": {"action_points": 10, "draws": "shuffled"},
    "one point, hidden": {"action_points": 1, "first_turn_points": 1, "information": "hidden"},
}


@pytest.fixture(params=GAMES)
def played(request: pytest.FixtureRequest) -> Game:
    return game(**GAMES[request.param])


def steps(of: Game, seed: int) -> Iterator[tuple[State, list[Any], State]]:
    """Each step of a random game: the state, the action, the next state."""
    chance = random.Random(seed)
    state = of.initial_state(seed)
    while not state.is_over():
        actions = state.legal_actions()
        action = actions[-1] if len(actions) == 1 or chance.random() < 0.02 else chance.choice(actions[:-1])
        before = state.copy()
        yield before, of.action_to_json(action), state.apply(action).copy()


# -- against the twin ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("map_name", MAPS)
def test_every_action_of_a_random_game_does_what_the_twin_does(map_name: str) -> None:
    for seed in range(3):
        for before, action, after in steps(game(map=map_name), seed):
            assert after.to_json() == after_in_twin(before, action, MAPS[map_name])


@settings(deadline=None, max_examples=120)
@given(data=json_positions(least_ap=0), chance=st.randoms(use_true_random=False))
def test_every_kind_of_action_does_what_the_twin_does_in_any_position(
    data: dict[str, Any], chance: random.Random
) -> None:
    state = game().state_from_json(data)
    actions = state.legal_actions()
    for action in {0, *chance.sample(actions, min(12, len(actions)))}:
        expected = after_in_twin(state, game().action_to_json(action), MAPS["a"])
        assert state.copy().apply(action).to_json() == expected


def after_in_twin(state: State, action: list[Any], rows: tuple[str, ...]) -> dict[str, Any]:
    twin = Twin(state.to_json(), rows)
    twin.apply(action)
    return twin.to_json()


@pytest.mark.parametrize("mode", ["interpreted", "checked"])
def test_interpreted_and_bounds_checked_rules_agree_with_the_compiled_ones(mode: str) -> None:
    other = getattr(game(), mode)()
    for before, action, after in list(steps(game(), seed=12))[:150]:
        twin = other.state_from_json(before.to_json())
        assert twin.legal_actions() == before.legal_actions()
        assert twin.candidate_actions() == before.candidate_actions()
        assert twin.rate_actions(twin.legal_actions()) == before.rate_actions(before.legal_actions())
        assert twin.evaluate() == before.evaluate()
        assert twin.apply(other.action_from_json(action)).to_json() == after.to_json()


# -- nothing is lost -------------------------------------------------------------------------------------------


def test_cards_are_in_hand_in_the_deck_or_played(played: Game) -> None:
    for seed in range(3):
        used = [[0] * 11, [0] * 11]
        whole = all_cards(played.initial_state(seed).to_json(), 0)
        for before, action, after in steps(played, seed):
            if action[0] == "D":
                used[before.current_player()][CARDS.index(action[1])] += 1
            data = after.to_json()
            for player in range(2):
                left = all_cards(data, player)
                assert [a + b for a, b in zip(left, used[player], strict=True)] == whole


def all_cards(data: dict[str, Any], player: int) -> list[int]:
    return [hand + deck for hand, deck in zip(data["hands"][player], data["decks"][player], strict=True)]


def test_every_unit_on_the_board_came_from_a_card(played: Game) -> None:
    start = all_cards(played.initial_state(5).to_json(), 0)
    for state in random_play(played, seed=5):
        data = state.to_json()
        for player in range(2):
            left = all_cards(data, player)
            for index, kind in enumerate(UNITS):
                here = sum(unit[2:4] == [player + 1, kind] for unit in data["units"])
                assert here <= start[index] - left[index]


def test_hit_points_stay_between_nothing_and_the_maximum(played: Game) -> None:
    for seed in range(3):
        for state in random_play(played, seed):
            for _, _, _, kind, hp, gear in state.to_json()["units"]:
                assert (1 if kind == "X" else 0) <= hp <= max_hp(kind, gear)


def test_no_unit_ever_stands_on_an_enemy_deploy_square(played: Game) -> None:
    closed = played.config.deploy
    for seed in range(3):
        for state in random_play(played, seed):
            for player in range(2):
                assert int(state.record.units[player]) & int(closed[1 - player]) == 0


def test_crystals_never_move_or_heal(played: Game) -> None:
    for before, _, after in steps(played, seed=3):
        crystals = {tuple(unit[:3]): unit[4] for unit in before.to_json()["units"] if unit[3] == "X"}
        for x, y, owner, kind, hp, _ in after.to_json()["units"]:
            assert kind != "X" or hp <= crystals[x, y, owner]


# -- time passes -----------------------------------------------------------------------------------------------


def test_every_action_costs_one_point_and_the_end_of_a_turn_passes_the_move(played: Game) -> None:
    for seed in range(3):
        for before, action, after in steps(played, seed):
            was, now = before.to_json(), after.to_json()
            if action != ["E"]:
                assert (now["ap"], now["turn"], now["player"]) == (was["ap"] - 1, was["turn"], was["player"])
            elif not after.is_over():
                points = int(played.config.action_points)
                assert (now["ap"], now["turn"], now["player"]) == (points, was["turn"] + 1, 3 - was["player"])


def test_every_game_ends_by_its_turn_limit_with_opposite_results(played: Game) -> None:
    for seed in range(5):
        *_, last = random_play(played, seed)
        assert last.is_over()
        assert last.to_json()["turn"] <= 100
        assert sum(last.returns()) == 0
        assert set(last.returns()) <= {-1, 0, 1}


# -- inside the record -----------------------------------------------------------------------------------------


def assert_sound(state: State) -> None:
    """The masks tell the same story as the arrays, and the sums as the counts."""
    s = state.record
    first, second, down, crystals = (int(mask) for mask in (*s.units, s.down, s.crystals))
    taken = first | second
    board = int(state.game.config.board)
    assert first & second == 0
    assert taken & ~board == 0
    assert down & ~taken == crystals & ~taken == down & crystals == 0
    for square in range(64):
        bit = 1 << square
        if not taken & bit:
            assert (s.hp[square], s.kind[square], s.gear[square]) == (0, 0, 0)
            continue
        assert (s.hp[square] == 0) == bool(down & bit)
        assert (s.kind[square] == 5) == bool(crystals & bit)
        assert s.gear[square] < 16
    for player in range(2):
        assert s.hand[player].sum() == s.hand_cards[player]
        assert s.deck[player].sum() == s.deck_cards[player]
    assert s.player == (s.turn + 1) % 2


def test_masks_arrays_and_sums_agree_in_games(played: Game) -> None:
    for seed in range(2):
        for state in list(random_play(played, seed))[::2]:
            assert_sound(state)


@settings(deadline=None, max_examples=60)
@given(data=json_positions(least_ap=0), chance=st.randoms(use_true_random=False))
def test_masks_arrays_and_sums_agree_after_any_action_in_any_position(
    data: dict[str, Any], chance: random.Random
) -> None:
    state = game().state_from_json(data)
    actions = state.legal_actions()
    for action in {0, *chance.sample(actions, min(8, len(actions)))}:
        assert_sound(state.copy().apply(action))


def test_equal_positions_are_equal_states_however_they_were_reached() -> None:
    """Nothing of the way there stays in the memory of a state."""
    for state in random_play(game(), seed=8):
        again = game().state_from_json(state.to_json())
        assert again == state
        assert again.key() == state.key()


# -- perft -----------------------------------------------------------------------------------------------------


def perft(state: State, depth: int) -> int:
    """How many sequences of that many legal actions there are, early ends of the turn included."""
    if state.is_over():
        return 0
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(perft(state.copy().apply(action), depth - 1) for action in actions)


def perft_in_twin(twin: Twin, depth: int) -> int:
    if twin.terminal:
        return 0
    actions = twin.legal()
    if actions != [["E"]]:
        actions = [*actions, ["E"]]
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = Twin(twin.to_json(), twin.rows)
        after.apply(action)
        total += perft_in_twin(Twin(after.to_json(), twin.rows), depth - 1)
    return total


def opening() -> State:
    return game().initial_state(deck_seeds=[123, 456])


def battle() -> State:
    return position(
        """
        . . . k . . . . .
        . . X . A w x . .
        . . W . n . c . .
        . X . K . . . x .
        N . . c=0 C . . . .
        """,
        hand="IPRK",
        deck="AH",
        enemy_hand="WI",
        enemy_deck="KK",
        turn=7,
        seeds=(17, 18),
    )


# These numbers were counted by this implementation after all recordings of the reference had replayed exactly.
PERFT = [("opening", opening, [52, 558, 6380, 23015]), ("battle", battle, [100, 7847, 551955])]


@pytest.mark.parametrize(("name", "start", "counts"), PERFT, ids=[row[0] for row in PERFT])
def test_perft_counts_stay_what_they_were(name: str, start: Any, counts: list[int]) -> None:
    assert [perft(start(), depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("start", [opening, battle])
def test_perft_agrees_with_the_twin(start: Any) -> None:
    assert perft(start(), 2) == perft_in_twin(Twin(start().to_json(), MAPS["a"]), 2)
