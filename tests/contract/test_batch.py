"""Many states in one array do what each does alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tactician.contract import SIMULTANEOUS, Batch, Game
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.games.registry import load_game

GAMES = ("hero-academy", "amazons:size=6", "locm", "pommerman", "royale")


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param)


def _actions_alike(batch: Batch, actions: np.ndarray, row: int) -> int | list[int]:
    player = batch[row].current_player()
    if not batch.game.simultaneous:
        return int(actions[row])
    return actions[row].tolist() if player == SIMULTANEOUS else int(actions[row, player])


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), count=st.integers(1, 5), steps=st.integers(0, 25), threads=st.integers(1, 3))
def test_every_row_is_what_the_state_of_its_seed_becomes(
    game: Game, seed: int, count: int, steps: int, threads: int
) -> None:
    batch = game.batch(count, seed=seed, threads=threads)
    alone = [game.initial_state(seed + i) for i in range(count)]
    for _ in range(steps):
        over, actions = batch.over(), batch.sample()
        assert over.tolist() == [state.is_over() for state in alone]
        assert batch.current_players().tolist() == [state.current_player() for state in alone]
        taken = [_actions_alike(batch, actions, row) for row in range(count)]
        batch.step(actions)
        for state, action, ended in zip(alone, taken, over, strict=True):
            if not ended:
                state.apply(action)
        for row, state in enumerate(alone):
            assert batch[row] == state
            assert batch[row].same_chance(state)
    assert batch.evaluate().tolist() == [state.evaluate() for state in alone]
    for player in range(game.players):
        assert all(batch.observe(player)[row] == state.observe(player) for row, state in enumerate(alone))
        listed, counts = batch.legal_actions(player)
        for row, state in enumerate(alone):
            assert listed[row, : counts[row]].tolist() == state.legal_actions(player)


def test_sampled_actions_are_legal_and_spread_over_the_list(game: Game) -> None:
    batch = game.batch(1, seed=3)
    player = max(batch[0].current_player(), 0)
    legal = set(batch[0].legal_actions(player))
    drawn = set()
    for _ in range(200):
        sampled = batch.sample()
        drawn.add(int(sampled[0, player] if game.simultaneous else sampled[0]))
    assert drawn <= legal
    assert len(drawn) > min(len(legal), 20) // 2


def test_playouts_end_and_pay_what_the_last_states_pay(game: Game) -> None:
    batch = game.batch(6, seed=1, threads=2)
    lengths = batch.play_out()
    assert batch.over().all()
    assert (lengths > 0).all()
    assert batch.returns().tolist() == [batch[row].returns() for row in range(6)]
    _, counts = batch.legal_actions()
    assert not counts.any()


def test_playouts_do_not_depend_on_the_number_of_threads(game: Game) -> None:
    one, three = game.batch(7, seed=2), game.batch(7, seed=2, threads=3)
    assert one.play_out(most=40).tolist() == three.play_out(most=40).tolist()
    assert np.array_equal(one.words, three.words)


def test_an_illegal_action_is_refused_and_nothing_changes() -> None:
    game = load_game("amazons:size=6")
    batch = game.batch(4, seed=1, threads=2)
    before, actions = batch.words.copy(), batch.sample()
    actions[2] = 2**30
    with pytest.raises(IllegalActionError, match="action 1073741824 is not legal in state 2 of the batch"):
        batch.step(actions)
    assert np.array_equal(batch.words, before)


def test_an_illegal_action_of_one_of_many_players_is_named() -> None:
    batch = load_game("pommerman").batch(2)
    actions = batch.sample()
    actions[1, 3] = 99
    with pytest.raises(IllegalActionError, match="not legal for player 3 in state 1"):
        batch.step(actions)


def test_games_that_are_over_stay_and_are_started_anew_when_asked() -> None:
    game = load_game("amazons:size=6")
    batch = game.batch(3, seed=5)
    batch.play_out()
    ended = batch.words.copy()
    batch.step(np.zeros(3, np.int32))
    assert np.array_equal(batch.words, ended)
    assert batch.reset([1]).tolist() == [1]
    assert batch[1] == game.initial_state(8)
    assert batch.over().tolist() == [True, False, True]
    assert batch.reset().tolist() == [0, 2]
    assert not batch.over().any()
    assert batch[2].same_chance(game.initial_state(10))


def test_new_games_may_be_taken_from_a_batch_of_starts() -> None:
    game = load_game("hero-academy")
    starts, batch = game.batch(4, seed=100), game.batch(2)
    batch.reset([True, False], starts)
    assert batch[0] == game.initial_state(102)  # the third start: two seeds were used
    assert batch[1] == game.initial_state(1)


def test_records_show_the_fields_and_can_not_be_written() -> None:
    game = load_game("hero-academy")
    batch = game.batch(3, seed=2)
    assert batch.records.player.tolist() == [batch[row].record.player for row in range(3)]
    with pytest.raises(ValueError, match="read-only"):
        batch.records.player[0] = 1


def test_a_batch_of_states_and_a_copy_are_independent() -> None:
    game = load_game("amazons:size=6")
    states = [game.initial_state(1).apply(game.initial_state(1).legal_actions()[k]) for k in range(3)]
    batch = Batch.of(states)
    other = batch.copy()
    other.step(other.sample())
    assert [batch[row] == state for row, state in enumerate(states)] == [True] * 3
    assert not np.array_equal(other.words, batch.words)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda game: game.batch(0), "count is 0; expected a positive integer"),
        (lambda game: game.batch(2, threads=0), "threads is 0"),
        (lambda game: Batch.of([]), "states is empty"),
        (lambda game: game.batch(2).step([1]), "expected integers"),
        (lambda game: game.batch(2).step([0.5, 1.5]), "expected integers"),
        (lambda game: game.batch(2).legal_actions(7), "expected 0 to 1"),
        (lambda game: game.batch(2).reset([5]), "expected a mask of 2 states"),
        (lambda game: game.batch(2).play_out(most=-1), "expected a number of steps"),
        (lambda game: Batch.of([game.initial_state(), load_game("locm").initial_state()]), "state 1 is of"),
        (lambda game: load_game("amazons-plain").batch(2), "a batch needs one of records"),
    ],
)
def test_bad_input_is_refused_with_one_sentence(call: object, said: str) -> None:
    with pytest.raises(InvalidParameterError, match=said):
        call(load_game("amazons:size=6"))  # type: ignore[operator]
