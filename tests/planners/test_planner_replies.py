"""Reply: turns that are judged by the opponent's best answer."""

from __future__ import annotations

import itertools
from typing import Any, ClassVar, NamedTuple

import pytest
from planner_games import errands, game_of, is_whole_turn, states_of
from test_planner_hidden import game as hidden_academy
from test_planner_hidden import middle_of_a_game, told, with_another_secret

from tactician.contract import Game, State
from tactician.contract.plain import Chance, plain
from tactician.errors import InvalidParameterError
from tactician.planners import OEP, Reply, parse_planner

ENOUGH = "100000evals"


# -- a tiny game whose right answer is known ------------------------------------------------------------------------


class Bait(NamedTuple):
    """Points of both, and how many turns have been taken."""

    points: tuple[int, int]
    turn: int
    taken: int


class BaitRules:
    """The first player takes 5, 3 or 1; the answer to 5 costs 9, the answer to 3 costs 4, to 1 nothing."""

    costs: ClassVar = {5: 9, 3: 4, 1: 0}

    def initial_state(self, rng: Any) -> Bait:
        return Bait((0, 0), 0, 0)

    def current_player(self, state: Bait) -> int:
        return state.turn % 2

    def is_over(self, state: Bait) -> bool:
        return state.turn >= 4

    def legal_actions(self, state: Bait, player: int) -> list[int]:
        return [5, 3, 1] if state.turn % 2 == 0 else [0, self.costs[state.taken]]

    def apply(self, state: Bait, action: int, rng: Chance) -> Bait:
        mine, theirs = state.points
        if state.turn % 2 == 0:
            return Bait((mine + action, theirs), state.turn + 1, action)
        return Bait((mine - action, theirs), state.turn + 1, 0)

    def evaluate(self, state: Bait) -> list[float]:
        value = float(state.points[0] - state.points[1])
        return [value, -value]

    def returns(self, state: Bait) -> list[float]:
        return [value / 30 for value in self.evaluate(state)]


def bait() -> Game:
    return plain(BaitRules(), name="bait", max_actions=3, value_range=(-30.0, 30.0))


class LadderRules(BaitRules):
    """Who takes 1 first may take 10 next time; who takes 2 may take 2 again. The opponent can do nothing."""

    def legal_actions(self, state: Bait, player: int) -> list[int]:
        if state.turn % 2:
            return [0]
        return [1, 2] if state.turn == 0 else [10 if state.points[0] == 1 else 2]


def ladder() -> Game:
    return plain(LadderRules(), name="ladder", max_actions=2, value_range=(-30.0, 30.0))


def test_a_turn_is_chosen_for_what_the_best_answer_leaves_of_it() -> None:
    game = bait()
    state = game.initial_state()
    assert parse_planner("greedy-turn").on(game).plan(state, ENOUGH).actions == (5,)
    plan = parse_planner("reply:planner=greedy-turn,answer=greedy-turn").on(game).plan(state, "400evals")
    assert plan.actions == (1,)
    assert plan.value == 1.0


def _after(state: State, turn: tuple[int, ...]) -> State:
    now = state.copy()
    for action in turn:
        now.apply(action)
    return now


def _turns(state: State) -> list[tuple[int, ...]]:
    """All turns of the player to move."""
    player, found = state.current_player(), []
    stack: list[tuple[int, ...]] = [()]
    while stack:
        turn = stack.pop()
        now = _after(state, turn)
        if now.is_over() or now.current_player() != player:
            found.append(turn)
        else:
            stack += [(*turn, action) for action in now.legal_actions()]
    return found


def _value(state: State, player: int) -> float:
    return 150.0 * state.returns()[player] if state.is_over() else state.evaluate()[player]


@pytest.mark.parametrize("seed", range(4))
def test_with_all_proposals_and_all_answers_the_value_is_that_of_two_turns_ahead(seed: int) -> None:
    state = errands(2, energy=3).initial_state(seed)
    player = state.current_player()
    expected = max(
        min(_value(_after(end, answer), player) for answer in _turns(end))
        for end in (_after(state, turn) for turn in _turns(state))
    )
    planner = parse_planner("reply:planner=greedy-turn,answer=greedy-turn,keep=1000,share=0.9")
    plan = planner.on(state.game).plan(state, ENOUGH)
    assert plan.value == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(4))
def test_looking_further_at_everything_gives_the_value_of_three_turns_ahead(seed: int) -> None:
    state = errands(2, energy=2).initial_state(seed)
    player = state.current_player()

    def best_after(end: State) -> float:
        if end.is_over() or end.current_player() != player:
            return _value(end, player)
        return max(_value(_after(end, turn), player) for turn in _turns(end))

    worth = {
        turn: min(best_after(_after(end, answer)) for answer in _turns(end))
        for turn, end in ((turn, _after(state, turn)) for turn in _turns(state))
    }
    spec = "reply:planner=greedy-turn,answer=greedy-turn,keep=1000,share=0.9,further=1000,answers=1000"
    plan = parse_planner(spec).on(state.game).plan(state, "10000000evals")
    assert plan.value == pytest.approx(max(worth.values()))
    assert worth[plan.actions] == pytest.approx(max(worth.values()))


def test_the_turn_that_pays_two_turns_later_is_found_by_looking_further() -> None:
    state = ladder().initial_state()
    near, far = (
        parse_planner(f"reply:planner=greedy-turn,answer=greedy-turn{more}").on(state.game).plan(state, "4000evals")
        for more in ("", ",further=2")
    )
    assert near.actions == (2,)
    assert far.actions == (1,)
    assert far.value == 11.0


# -- budgets and options --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", ["100evals", "500evals", "3000evals", "200its", "3000its"])
def test_looking_further_is_paid_from_the_budget(budget: str) -> None:
    state = states_of("amazons")[30]
    plan = parse_planner("reply:planner=greedy-turn,answer=greedy-turn,further=4").on(state.game).plan(state, budget)
    counted = plan.stats.evaluations if budget.endswith("evals") else plan.stats.iterations
    assert counted <= int("".join(itertools.takewhile(str.isdigit, budget)))
    assert is_whole_turn(state, plan.actions)


@pytest.mark.parametrize("spec", ["reply", "reply:planner=oep,answer=greedy-action,keep=10", "reply:planner=mcts"])
@pytest.mark.parametrize("budget", ["500evals", "3000evals", "200its"])
def test_answers_are_paid_from_the_budget(spec: str, budget: str) -> None:
    state = states_of("hero-academy")[6]
    plan = parse_planner(spec).on(state.game, seed=3).plan(state, budget)
    counted = plan.stats.evaluations if budget.endswith("evals") else plan.stats.iterations
    assert counted <= int("".join(itertools.takewhile(str.isdigit, budget)))
    assert is_whole_turn(state, plan.actions)
    assert plan.actions == plan.alternatives[0].actions


def test_the_same_seed_gives_the_same_plan_and_another_one_may_not() -> None:
    state = states_of("hero-academy")[6]
    plans = [Reply().on(state.game, seed=5).plan(state, "3000evals", ply=2) for _ in range(2)]
    assert told(plans[0]) == told(plans[1])


def test_the_value_is_the_evaluation_after_an_answer() -> None:
    """It lies below that of the turn alone: the opponent does something about it."""
    state = states_of("hero-academy")[8]
    alone = parse_planner("emcts").on(state.game, seed=1).plan(state, "5000evals")
    replied = Reply().on(state.game, seed=1).plan(state, "10000evals")
    assert alone.value is not None
    assert replied.value is not None
    assert replied.value < alone.value


def test_an_answer_can_be_valued_before_the_turn_ends() -> None:
    state = states_of("hero-academy")[8]
    values = {
        judged: parse_planner(f"reply:judged={judged},answer=greedy-action").on(state.game, seed=1)
        for judged in ("after", "before")
    }
    assert all(agent.plan(state, "2000evals").value is not None for agent in values.values())


def test_what_is_hidden_does_not_change_the_plan() -> None:
    planner = parse_planner("reply:keep=20,guesses=3,answer=greedy-action")
    state = middle_of_a_game()
    other = with_another_secret(state)
    plans = [planner.on(hidden_academy(), seed=2).plan(one, "1500evals", ply=4) for one in (state, other)]
    assert told(plans[0]) == told(plans[1])


def test_planners_inside_are_written_with_brackets() -> None:
    planner = Reply(planner=OEP(population=50), answer="greedy-turn", keep=64)
    assert str(planner) == "reply:planner=(oep:population=50),answer=greedy-turn,keep=64"
    assert parse_planner(str(planner)) == planner


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": 1}, "keep of 'reply' is 1; expected 2 to 1000"),
        ({"share": 1.0}, "share of 'reply' is 1.0; expected a number between 0 and 1, both excluded"),
        ({"guesses": 0}, "guesses of 'reply' is 0; expected 1 to 1000"),
        ({"further": -1}, "further of 'reply' is -1; expected 0 to 1000"),
        ({"answers": 0}, "answers of 'reply' is 0; expected 1 to 1000"),
        ({"judged": "never"}, "judged of 'reply' is 'never'; expected 'after' or 'before'"),
        (
            {"planner": "reply"},
            "planner of 'reply' is 'reply'; expected a planner for turns that neither",
        ),
        (
            {"answer": "fdts"},
            "answer of 'reply' is 'fdts'; expected a planner for turns that neither",
        ),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message.replace("(", r"\(")):
        Reply(**options)


def test_a_game_that_a_turn_ends_needs_no_answer() -> None:
    game = game_of("errands")
    state = game.initial_state(1)
    while not state.is_over():
        plan = parse_planner("reply:planner=greedy-turn,keep=50").on(game).plan(state, "2000evals")
        assert is_whole_turn(state, plan.actions)
        for action in plan.actions:
            state.apply(action)


def test_the_planners_inside_may_judge_by_evaluations_of_their_own() -> None:
    state = states_of("locm")[10]
    inside = parse_planner("reply:planner=(greedy-turn:evaluation=board),answer=greedy-action,keep=20").on(state.game)
    assert inside._search._proposer.game.weights.keys() >= {"ward"}  # type: ignore[attr-defined]
    assert inside._search._answerer.game.weights == state.game.weights  # type: ignore[attr-defined]
    assert is_whole_turn(state, inside.plan(state, "1000evals").actions)
