"""Games of plain Python objects: any hashable state, any hashable action, no compilation."""

from __future__ import annotations

import gc
import json
from typing import Any, NamedTuple

import pytest

from tactician.contract import SIMULTANEOUS, Game, plain
from tactician.contract.random import below, stream
from tactician.errors import IllegalActionError, InvalidGameError, InvalidStateError, RuleFailureError

# -- a row of squares: actions are words and pairs, a die decides how far one runs -----------------------------


class Walk(NamedTuple):
    player: int
    places: tuple[int, int]


class Walking:
    """Step, jump to a square ahead, or run as far as a die says; the first on the last square wins."""

    last = 9

    def initial_state(self, rng: Any, first: int = 0) -> Walk:
        return Walk(first, (0, 0))

    def legal_actions(self, state: Walk, player: int) -> list[Any]:
        return ["step", ("jump", state.places[player] + 2), "run"]

    def apply(self, state: Walk, action: Any, rng: Any) -> Walk:
        place = state.places[state.player]
        place = {"step": place + 1, "run": place + rng.below(4)}.get(action, action[1])
        places = (place, state.places[1]) if state.player == 0 else (state.places[0], place)
        return Walk(1 - state.player, places)

    def current_player(self, state: Walk) -> int:
        return state.player

    def is_over(self, state: Walk) -> bool:
        return max(state.places) >= self.last

    def returns(self, state: Walk) -> list[float]:
        return [1.0, -1.0] if state.places[0] >= self.last else [-1.0, 1.0]

    def evaluate(self, state: Walk) -> list[float]:
        lead = (state.places[0] - state.places[1]) / 20
        return [lead, -lead]


def walking(rules: Any = None, **options: Any) -> Game:
    return plain(rules or Walking(), name="walking", **{"max_actions": 3, **options})


def test_actions_may_be_any_objects_and_get_numbers() -> None:
    state = walking().initial_state()
    step, jump, _run = state.legal_actions()
    assert [state.action_name(code) for code in state.legal_actions()] == ["step", "('jump', 2)", "run"]
    state.apply(jump).apply(step)
    assert state.to_json() == [0, [2, 1]]
    assert state.legal_actions()[0] == step
    assert state.legal_actions()[1] != jump  # another jump is another action


def test_numbers_of_actions_go_to_json_as_what_they_stand_for() -> None:
    game = walking()
    jump = game.initial_state().legal_actions()[1]
    assert game.action_to_json(jump) == ["jump", 2]
    assert game.action_from_json(["jump", 2]) == jump
    with pytest.raises(InvalidStateError, match="action is 3; expected what action_to_json writes"):
        game.action_from_json(3)


@pytest.mark.parametrize("action", [99, -1, 10**12, "leap", None])
def test_a_number_that_stands_for_nothing_is_refused(action: Any) -> None:
    state = walking().initial_state()
    with pytest.raises(IllegalActionError, match="is not legal here"):
        state.apply(action)
    assert state.to_json() == [0, [0, 0]]


def test_numbers_and_objects_can_not_be_mixed_as_actions() -> None:
    class Mixed(Walking):
        def legal_actions(self, state: Walk, player: int) -> list[Any]:
            return ["step", 1]

    with pytest.raises(RuleFailureError, match="actions must be all integers or none of them"):
        walking(Mixed()).initial_state().legal_actions()


def test_chance_comes_from_the_stream_and_the_seed_decides_it() -> None:
    game = walking()

    def run(seed: int) -> int:
        state = game.initial_state(seed=seed)
        return state.apply(state.legal_actions()[2]).to_json()[1][0]

    assert {run(seed) for seed in range(40)} == {0, 1, 2, 3}
    assert [run(seed) for seed in range(10)] == [run(seed) for seed in range(10)]
    assert run(7) == below(stream([7, 1]), 4)


def test_states_are_equal_where_their_objects_are() -> None:
    game = walking()
    state, other = game.initial_state(), game.initial_state(seed=5)
    assert state == other
    assert hash(state) == hash(other)
    copy = state.copy().apply(state.legal_actions()[0])
    assert copy != state
    assert state.to_json() == [0, [0, 0]]


def test_json_of_nested_tuples_reads_back_or_the_author_says_how() -> None:
    class Reading(Walking):
        def state_from_json(self, data: Any) -> Walk:
            return Walk(data[0], tuple(data[1]))

    state = walking(Reading()).state_from_json([1, [4, 5]])
    assert state.to_json() == [1, [4, 5]]
    assert state.current_player() == 1
    assert json.loads(json.dumps(state.to_json())) == [1, [4, 5]]
    with pytest.raises(InvalidStateError, match="expected nested lists, or a game with state_from_json"):
        walking().state_from_json({"player": 1})


def test_drawings_fall_back_on_the_repr() -> None:
    state = walking().initial_state(first=1)
    assert str(state) == "Walk(player=1, places=(0, 0))"
    assert "Walk(player=1" in state.svg()
    assert "<rect " in state.svg()  # a background: the text can be read on a dark page


# -- variations ------------------------------------------------------------------------------------------------


def test_with_evaluation_exchanges_the_judge_and_leaves_the_game_alone() -> None:
    game = walking()
    bold = game.with_evaluation(lambda state: [5.0, -5.0], value_range=(-5, 5))
    assert bold.initial_state().evaluate() == [5.0, -5.0]
    assert bold.value_range == (-5.0, 5.0)
    assert game.initial_state().evaluate() == [0.0, 0.0]
    assert bold.initial_state().apply(bold.initial_state().legal_actions()[0]).to_json() == [1, [1, 0]]


def test_with_evaluation_refuses_what_can_not_judge() -> None:
    with pytest.raises(
        InvalidGameError, match=r"rule 'evaluate' of 'walking' is 3; expected a function evaluate\(state\)"
    ):
        walking().with_evaluation(3)
    with pytest.raises(InvalidGameError, match=r"'evaluate' \(test_plain.py, line \d+\) takes \(g, s, out\); expected"):
        walking().with_evaluation(lambda g, s, out: None)


def test_a_plain_game_is_interpreted_already_and_can_not_be_compiled() -> None:
    game = walking()
    assert game.interpreted() is game
    with pytest.raises(InvalidGameError, match="game 'walking' is plain Python and can't be checked"):
        game.checked()


# -- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["legal_actions", "current_player", "is_over", "returns", "evaluate"])
def test_a_missing_method_is_named(name: str) -> None:
    rules = type("Partial", (Walking,), {name: None})()
    with pytest.raises(InvalidGameError, match=rf"game 'walking' \(class Partial\) lacks the rule {name}\("):
        walking(rules)


def test_a_missing_apply_or_start_is_named() -> None:
    with pytest.raises(InvalidGameError, match=r"lacks the rule apply\(.*or apply_joint\("):
        walking(type("Partial", (Walking,), {"apply": None})())
    with pytest.raises(InvalidGameError, match=r"\(class Partial\) lacks initial_state\(rng\)"):
        walking(type("Partial", (Walking,), {"initial_state": None})())


def test_a_method_with_other_parameters_is_refused_with_its_line() -> None:
    class Short(Walking):
        def apply(self, state: Walk, action: Any) -> Walk:  # type: ignore[override]
            return state

    line = Short.apply.__code__.co_firstlineno
    words = (
        rf"rule 'apply' \(test_plain.py, line {line}\) takes \(state, action\); expected apply\(state, action, rng\)"
    )
    with pytest.raises(InvalidGameError, match=words):
        walking(Short())


def test_max_actions_is_a_positive_integer_and_bounds_every_list() -> None:
    with pytest.raises(InvalidGameError, match=r"max_actions of 'walking' \(class Walking\) is 0; expected a positive"):
        walking(max_actions=0)
    with pytest.raises(
        RuleFailureError, match=r"'legal_actions' \(test_plain.py, line \d+\) lists 3 actions, more than"
    ):
        walking(max_actions=2).initial_state().legal_actions()


def test_a_state_that_can_not_be_hashed_is_refused() -> None:
    class Lists(Walking):
        def initial_state(self, rng: Any, first: int = 0) -> Any:
            return [0, 0]

    with pytest.raises(InvalidGameError, match="a state of type list can't be hashed; expected an immutable, hashable"):
        walking(Lists()).initial_state()


def test_values_for_too_few_players_are_refused() -> None:
    game = walking().with_evaluation(lambda state: [0.0])
    with pytest.raises(RuleFailureError, match=r"'evaluate' \(test_plain.py, line \d+\) gave 1 numbers; expected 2"):
        game.initial_state().evaluate()


# -- memory ----------------------------------------------------------------------------------------------------


def handles(game: Game) -> int:
    gc.collect()
    assert game.backend.handles is not None
    return len(game.backend.handles)


def test_objects_go_when_no_state_holds_them() -> None:
    game = walking()
    state = game.initial_state()
    assert handles(game) == 1
    for _ in range(8):
        state.apply(state.legal_actions()[0])
    assert handles(game) == 1
    kept = state.copy()
    state.apply(state.legal_actions()[0])
    assert handles(game) == 2
    assert kept.to_json() == [0, [4, 4]]
    del kept, state
    assert handles(game) == 0


def test_objects_stay_while_a_search_runs() -> None:
    game = walking()
    with game.searching():
        for first in (0, 1):
            game.initial_state(first=first)
        assert handles(game) == 2
    assert handles(game) == 0


def test_a_game_that_failed_holds_nothing() -> None:
    class Falling(Walking):
        def apply(self, state: Walk, action: Any, rng: Any) -> Walk:
            raise ValueError("fell")

    game = walking(Falling())
    state = game.initial_state()
    with pytest.raises(RuleFailureError):
        state.apply(state.legal_actions()[0])
    assert handles(game) == 1
    del state
    assert handles(game) == 0


def test_none_is_a_state_like_any_other() -> None:
    class Nothing(Walking):
        def initial_state(self, rng: Any, first: int = 0) -> Any:
            return None

        def is_over(self, state: Any) -> bool:
            return state is None

    game = walking(Nothing())
    for _ in range(2):
        assert game.initial_state().is_over()
        assert handles(game) == 0


# -- hidden information, and all at once -----------------------------------------------------------------------


class Hands(NamedTuple):
    mine: tuple[int | None, ...]
    bids: tuple[int, ...] = ()


class Bidding:
    """Three players hold a number the others can't see and bid at once, no more than it."""

    def initial_state(self, rng: Any) -> Hands:
        return Hands(tuple(int(n) for n in rng.integers(1, 6, 3)))

    def legal_actions(self, state: Hands, player: int) -> list[int]:
        return list(range(state.mine[player] or 0, -1, -1))

    def apply_joint(self, state: Hands, actions: tuple[int, ...], rng: Any) -> Hands:
        return Hands(state.mine, actions)

    def current_player(self, state: Hands) -> int:
        return SIMULTANEOUS

    def is_over(self, state: Hands) -> bool:
        return bool(state.bids)

    def returns(self, state: Hands) -> list[float]:
        return [1.0 if bid == max(state.bids) else -1.0 for bid in state.bids]

    def evaluate(self, state: Hands) -> list[float]:
        return [0.0, 0.0, 0.0]

    def observe(self, state: Hands, player: int) -> Hands:
        return Hands(tuple(n if i == player else None for i, n in enumerate(state.mine)), state.bids)

    def resample_hidden(self, state: Hands, player: int, rng: Any) -> Hands:
        return Hands(tuple(1 + rng.below(5) if n is None else n for n in state.mine), state.bids)


def bidding() -> Game:
    return plain(Bidding(), name="bidding", max_actions=6, players=3, zero_sum=False)


def test_players_act_at_once() -> None:
    game = bidding()
    assert game.simultaneous
    state = game.initial_state(seed=1)
    most = [state.legal_actions(player)[0] for player in range(3)]
    assert most == state.to_json()[0]
    with pytest.raises(IllegalActionError, match="is not legal for player 2"):
        state.apply([0, 0, most[2] + 1])
    state.apply(most)
    assert state.to_json() == [most, most]
    assert state.returns() == [1.0 if n == max(most) else -1.0 for n in most]


def test_what_is_hidden_is_blank_and_guessed_from_what_is_seen() -> None:
    game = bidding()
    state = game.initial_state(seed=1)
    mine = state.to_json()[0][1]
    assert state.observe(1).to_json() == [[None, mine, None], []]
    guesses = [state.resample_hidden(1, seed=seed) for seed in range(40)]
    assert {guess.to_json()[0][0] for guess in guesses} == {1, 2, 3, 4, 5}
    assert all(guess.observe(1) == state.observe(1) for guess in guesses)
