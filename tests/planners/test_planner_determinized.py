"""Determinized: guesses, one plan for each, and one turn of them all."""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planner_games import TURN_PLANNERS, StoppedErrands, errands, game_of, is_whole_turn, states_of
from test_planner_hidden import game as hidden_academy
from test_planner_hidden import middle_of_a_game, told, with_another_secret

from tactician.contract import Game, State
from tactician.contract.plain import Chance, plain
from tactician.errors import InvalidParameterError
from tactician.planners import OEP, PLANNERS, Determinized, GreedyAction, PermutationOEP, Plan, Random, parse_planner
from tactician.planners.determinized import _by_vote, _shares
from tactician.seats import Budget

boards: Any = importlib.import_module("locm_boards")


# -- a tiny game whose right answer is known ------------------------------------------------------------------------


class Shell(NamedTuple):
    """What is under the shell, and what was done about it; the first player can't look."""

    secret: int
    choice: int


class ShellRules:
    """Three secrets, two answers. 'Bold' is best with two of the secrets and terrible with the third; 'careful' is
    almost as good with those two and best with the third: on average it is much better."""

    worth = ((5.0, 5.0, -9.0), (4.0, 4.0, 6.0))
    bold, careful = 0, 1

    def initial_state(self, rng: Any) -> Shell:
        return Shell(int(rng.integers(3)), -1)

    def current_player(self, state: Shell) -> int:
        return 0

    def is_over(self, state: Shell) -> bool:
        return False

    def legal_actions(self, state: Shell, player: int) -> list[int]:
        return [self.bold, self.careful]

    def apply(self, state: Shell, action: int, rng: Chance) -> Shell:
        return state._replace(choice=action)

    def evaluate(self, state: Shell) -> list[float]:
        value = self.worth[state.choice][state.secret] if state.choice >= 0 else 0.0
        return [value, -value]

    def returns(self, state: Shell) -> list[float]:
        return [0.0, 0.0]

    def observe(self, state: Shell, player: int) -> Shell:
        return state._replace(secret=0)

    def resample_hidden(self, state: Shell, player: int, rng: Chance) -> Shell:
        return state._replace(secret=rng.below(3))


class TurnedShell(ShellRules):
    """The same with an end: the other player is to move once a choice is made."""

    def current_player(self, state: Shell) -> int:
        return int(state.choice >= 0)


@cache
def shell() -> Game:
    return plain(TurnedShell(), name="shell", max_actions=2, value_range=(-10.0, 10.0))


def shell_with(secret: int) -> State:
    return next(s for s in (shell().initial_state(seed) for seed in range(50)) if s.to_json()[0] == secret)


def choices(planner: Determinized, secret: int = 0) -> list[int]:
    agent = planner.on(shell())
    return [agent.plan(shell_with(secret), "400evals", ply=ply).actions[0] for ply in range(10)]


def test_who_sees_the_secret_knows_best() -> None:
    seer = GreedyAction().on(shell(), full_information=True)
    assert [seer.plan(shell_with(secret), "10evals").actions for secret in range(3)] == [(0,), (0,), (1,)]


def test_a_vote_goes_with_most_worlds_and_a_mean_weighs_what_is_at_stake() -> None:
    assert choices(Determinized(planner="greedy-action", worlds=51, combine="vote")) == [TurnedShell.bold] * 10
    assert choices(Determinized(planner="greedy-action", worlds=13, combine="mean")) == [TurnedShell.careful] * 10


def test_the_value_of_a_mean_is_the_mean_over_the_worlds() -> None:
    agent = Determinized(planner="greedy-action", worlds=12, combine="mean").on(shell())
    plan = agent.plan(shell_with(2), "2000evals", ply=1)
    worlds = [shell_with(2).resample_hidden(0, [0, 1, 3, number]) for number in range(12)]
    secrets = [world.to_json()[0] for world in worlds]
    assert {a.actions: a.value for a in plan.alternatives} == {
        (choice,): pytest.approx(sum(TurnedShell.worth[choice][secret] for secret in secrets) / 12) for choice in (0, 1)
    }
    assert {a.actions: a.count for a in plan.alternatives} == {(0,): 12 - secrets.count(2), (1,): secrets.count(2)}
    assert plan.value == max(a.value for a in plan.alternatives)


@pytest.mark.parametrize("combine", ["vote", "mean"])
def test_the_secret_itself_makes_no_difference(combine: Any) -> None:
    planner = Determinized(planner="greedy-action", worlds=5, combine=combine)
    assert choices(planner, 0) == choices(planner, 1) == choices(planner, 2)


# -- what is hidden stays hidden ------------------------------------------------------------------------------------


SPECS = [
    "determinized:worlds=3",
    "determinized:planner=(oep:population=10),worlds=3,combine=mean",
    "determinized:planner=(mcts:memory_mb=16),worlds=4",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("budget", ["300evals", "5its"])
def test_in_hero_academy_a_plan_is_the_same_whatever_the_secret(spec: str, budget: str) -> None:
    state = middle_of_a_game()
    agent = parse_planner(spec).on(hidden_academy(), seed=2)
    plan = agent.plan(state, budget, ply=4)
    assert is_whole_turn(state, plan.actions)
    assert told(plan) == told(agent.plan(with_another_secret(state), budget, ply=4))


def card_secrets() -> list[State]:
    """Whoever is to move sees the same in all of them."""
    hands = [((5, 6), (7, 8, 9), (10, 11, 12)), ((8, 9), (5, 6, 7), (12, 10, 11)), ((7, 5), (9, 8, 6), (11, 12, 10))]
    return [
        boards.position(
            "L 2/2, R 4/1",
            "R 3/3, L 1/2 G",
            hand=[1, 2, 148],
            enemy_hand=theirs,
            enemy_deck=left,
            deck=own,
            of=boards.hidden(),
        )
        for theirs, left, own in hands
    ]


def test_the_card_games_secrets_are_hidden() -> None:
    first, *others = card_secrets()
    for other in others:
        assert other != first
        assert other.observe(0) == first.observe(0)


@pytest.mark.parametrize("spec", [*TURN_PLANNERS, *SPECS])
def test_in_the_card_game_a_plan_is_the_same_whatever_the_secret(spec: str) -> None:
    agent = parse_planner(spec).on(boards.hidden(), seed=1)
    for budget in ("120evals", "3its"):
        first, *others = [told(agent.plan(state, budget, ply=2)) for state in card_secrets()]
        assert all(other == first for other in others)


def test_every_world_is_another_guess() -> None:
    state = card_secrets()[0]
    plan = Determinized(worlds=8).on(state.game).plan(state, "400evals")
    assert plan.state is not None
    assert plan.state.observe(0) == state.observe(0)
    worlds = {state.resample_hidden(0, [0, 0, 3, number]).words.tobytes() for number in range(8)}
    assert len(worlds) == 8
    assert plan.state.words.tobytes() in worlds


# -- votes ----------------------------------------------------------------------------------------------------------


def voted(*turns: tuple[str, float | None]) -> tuple[str, float | None]:
    """The vote on turns written as letters, each with its value."""
    actions, value = _by_vote([Plan(tuple(map(ord, turn)), value) for turn, value in turns])
    return "".join(map(chr, actions)), value


def test_a_vote_is_taken_action_by_action() -> None:
    # 'bca' is the most common turn, but most begin with 'a', and of those most go on with 'c'.
    turns = [("bca", 9.0), ("bca", 9.0), ("abc", 9.0), ("acb", 1.0), ("acd", 2.0)]
    assert voted(*turns) == ("acd", 2.0)


def test_a_tie_goes_to_what_promises_more_and_then_to_the_first() -> None:
    assert voted(("ab", 1.0), ("ba", 3.0)) == ("ba", 3.0)
    assert voted(("ab", 1.0), ("ba", 1.0)) == ("ab", 1.0)
    assert voted(("ab", None), ("ba", None)) == ("ab", None)


def test_a_turn_that_ends_is_an_answer_too() -> None:
    assert voted(("a", 1.0), ("a", 3.0), ("ab", 5.0)) == ("a", 2.0)
    assert voted(("a", 1.0), ("ab", 3.0), ("ab", 5.0)) == ("ab", 4.0)


@given(turns=st.lists(st.tuples(st.text("abc", min_size=1, max_size=4), st.floats(-9, 9)), min_size=1, max_size=9))
def test_what_wins_a_vote_was_voted_for(turns: list[tuple[str, float]]) -> None:
    chosen, value = voted(*turns)
    assert chosen in [turn for turn, _ in turns]
    values = [worth for turn, worth in turns if turn == chosen]
    assert value == pytest.approx(sum(values) / len(values))
    firsts = [turn[0] for turn, _ in turns]
    assert firsts.count(chosen[0]) == max(map(firsts.count, firsts))


# -- budgets --------------------------------------------------------------------------------------------------------


@given(total=st.integers(1, 10_000), worlds=st.integers(1, 200))
def test_a_vote_shares_a_counted_budget_exactly(total: int, worlds: int) -> None:
    for kind in ("evaluations", "iterations"):
        shares = [getattr(share, kind) for share in _shares(Budget(**{kind: total}), worlds, judging=False)]
        assert sum(shares) == total
        assert len(shares) == min(worlds, total)
        assert max(shares) - min(shares) <= 1


@given(total=st.integers(1, 10_000), worlds=st.integers(1, 200))
def test_a_mean_keeps_enough_for_judging_every_turn_in_every_world(total: int, worlds: int) -> None:
    shares = [share.evaluations or 0 for share in _shares(Budget(evaluations=total), worlds, judging=True)]
    n = len(shares)
    judging = n * n if n > 1 else 0
    assert sum(shares) + judging == total
    assert min(shares) >= 1
    assert judging <= total / 2
    assert n == worlds or (n + 1) ** 2 > total // 2, "as many worlds as can be judged with half of it"


@pytest.mark.parametrize("game", ["errands", "locm", "hero-academy"])
def test_a_mean_never_evaluates_more_than_it_may(game: str) -> None:
    state = states_of(game)[5]
    agent = Determinized(worlds=5, combine="mean", planner="permutation-oep").on(game_of(game))
    for n in (*range(1, 60), 100, 300):
        plan = agent.plan(state, f"{n}evals")
        assert is_whole_turn(state, plan.actions)
        turns = len({a.actions for a in plan.alternatives})
        shares = _shares(Budget(evaluations=n), 5, judging=True)
        judged = turns * len(shares) if len(shares) > 1 else 0
        assert plan.stats.evaluations == sum(share.evaluations or 0 for share in shares) + judged <= n


@pytest.mark.parametrize("combine", ["vote", "mean"])
@pytest.mark.parametrize("worlds", [1, 3, 8])
def test_iterations_are_shared_exactly(worlds: int, combine: Any) -> None:
    state = states_of("hero-academy")[5]
    for inner in ("permutation-oep", "mcts:memory_mb=16"):
        agent = Determinized(planner=inner, worlds=worlds, combine=combine).on(state.game)
        for n in (1, 2, 7, 20):
            assert agent.plan(state, f"{n}its").stats.iterations == n


@pytest.mark.parametrize("combine", ["vote", "mean"])
@pytest.mark.parametrize("inner", ["oep", "permutation-emcts", "greedy-turn", "mcts:memory_mb=16"])
def test_one_world_is_planning_on_one_guess(inner: str, combine: Any) -> None:
    state = middle_of_a_game()
    player = state.current_player()
    agent = Determinized(planner=inner, worlds=1, combine=combine).on(hidden_academy(), seed=6)
    guessed = state.resample_hidden(player, [6, 2, 3, 0])
    alone = parse_planner(inner).on(hidden_academy(), seed=6, full_information=True)
    for budget in ("1evals", "250evals", "4its"):
        plan, expected = agent.plan(state, budget, ply=2), alone.plan(guessed, budget, ply=2)
        assert (plan.actions, plan.value) == (expected.actions, expected.value)
        assert replace(plan.stats, time_ms=0.0) == replace(expected.stats, time_ms=0.0)
        assert plan.state == guessed


def test_a_budget_of_the_planner_inside_is_for_each_world() -> None:
    state = states_of("errands")[5]
    plan = parse_planner("determinized:planner=(oep:budget=30evals),worlds=4").on(state.game).plan(state, "1000evals")
    assert plan.stats.evaluations == 120


def test_reference_work_is_that_of_the_planner_inside() -> None:
    assert Determinized(planner="mcts").resolve("ref:1s") == PLANNERS["mcts"]().resolve("ref:1s")


@pytest.mark.parametrize("combine", ["vote", "mean"])
@pytest.mark.parametrize("budget", ["0.01ms", "2ms", "20ms"])
def test_time_is_enough_for_a_whole_turn_at_least(budget: str, combine: Any) -> None:
    state = middle_of_a_game()
    plan = Determinized(worlds=50, combine=combine).on(hidden_academy()).plan(state, budget)
    assert is_whole_turn(state, plan.actions)
    assert plan.stats.iterations >= 1
    assert plan.stats.time_ms > 0


def test_ctrl_c_while_turns_are_compared_gives_a_whole_turn() -> None:
    rules = StoppedErrands(2, 5, 4)
    game = plain(rules, name="stopped", max_actions=7, value_range=(-150.0, 150.0))
    state = game.initial_state(1)
    agent = Determinized(worlds=4, combine="mean").on(game)
    interrupted = 0
    for calls in range(1, 700, 3):
        rules.calls_left = calls
        plan = agent.plan(state, "40evals")
        assert plan.stats.interrupted == (rules.calls_left <= 0)
        rules.calls_left = -1
        interrupted += plan.stats.interrupted
        assert is_whole_turn(state, plan.actions)
    assert 0 < interrupted < 234, "some were stopped, and some had finished"


# -- the planner inside ---------------------------------------------------------------------------------------------


def test_the_planner_inside_may_be_an_object_or_a_name() -> None:
    assert Determinized(planner=OEP()) == Determinized(planner="oep") == parse_planner("determinized:planner=oep")
    assert Determinized(planner=OEP(population=50)) == Determinized(planner="oep:population=50")
    assert Determinized(planner=PermutationOEP()) == Determinized()
    assert Determinized(planner="oep:population=100") == Determinized(planner="oep")
    spec = "determinized:planner=(oep:population=50),worlds=4,combine=mean"
    assert str(parse_planner(spec)) == spec
    assert parse_planner(spec).inner == OEP(population=50)  # type: ignore[attr-defined]


class Homemade(Random):
    """A planner of one's own, with no name on the command line."""

    name = "homemade"


def test_a_planner_of_ones_own_can_be_put_inside() -> None:
    state = errands(2).initial_state(1)
    planner = Determinized(planner=Homemade(), worlds=3)
    assert planner.inner == Homemade()
    assert is_whole_turn(state, planner.on(state.game).plan(state, "10its").actions)


@pytest.mark.parametrize("wrong", [5, None, [OEP()]])
def test_what_is_no_planner_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"planner of 'determinized' is .*; expected a planner or the name"):
        Determinized(planner=wrong)


def test_a_determinized_object_can_not_be_put_inside() -> None:
    with pytest.raises(InvalidParameterError, match="doesn't guess itself"):
        Determinized(planner=Determinized())


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="errands"):
        Determinized().on(errands(2)).plan(shell_with(0), "10evals")


def test_the_names_are_those_of_the_world_the_turn_was_planned_in() -> None:
    state = card_secrets()[0]
    for spec in SPECS:
        plan = parse_planner(spec).on(state.game).plan(state, "300evals")
        assert len(plan.names) == len(plan.actions)
        assert all(len(a.names) == len(a.actions) for a in plan.alternatives)
