"""How the others act in simulations: their own bandits, at random, or as a model expects."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from simultaneous_games import RIGHT, STAY, ring

from tactician.checking import check_game
from tactician.contract import SIMULTANEOUS, Game
from tactician.contract.plain import Chance, plain
from tactician.contract.random import below
from tactician.errors import InvalidParameterError, RuleFailureError, UnknownNameError
from tactician.games.pommerman import pommerman
from tactician.games.pommerman.rule_based import RuleBased
from tactician.planners import SimultaneousAgent, parse_planner


def agent_on(spec: str, game: Game, seed: int = 1) -> SimultaneousAgent:
    agent = parse_planner(spec).on(game, seed=seed)
    assert isinstance(agent, SimultaneousAgent)
    return agent


SEARCHES = ("mcs", "simultaneous-mcts", "fdts")
ROCK, PAPER, SCISSORS = range(3)


class Fists:
    """Rock, paper, scissors once; `policy` is what the others are expected to do."""

    def __init__(self, expected: int) -> None:
        self.expected = expected

    def initial_state(self, rng: Any) -> tuple[int, ...]:
        return ()

    def current_player(self, state: tuple[int, ...]) -> int:
        return SIMULTANEOUS

    def is_over(self, state: tuple[int, ...]) -> bool:
        return bool(state)

    def legal_actions(self, state: tuple[int, ...], player: int) -> list[int]:
        return [ROCK, PAPER, SCISSORS]

    def apply_joint(self, state: tuple[int, ...], actions: list[int], rng: Chance) -> tuple[int, ...]:
        return tuple(actions)

    def evaluate(self, state: tuple[int, ...]) -> list[float]:
        return self.returns(state) if state else [0.0, 0.0]

    def returns(self, state: tuple[int, ...]) -> list[float]:
        won = (0.0, 1.0, -1.0)[(state[0] - state[1]) % 3]
        return [won, -won]

    def policy(self, state: tuple[int, ...], player: int, rng: Chance) -> int:
        return self.expected


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("expected", [ROCK, PAPER, SCISSORS])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_best_answer_to_the_model_is_found(search: str, expected: int, seat: int) -> None:
    game = plain(Fists(expected), name="fists", max_actions=3)
    agent = agent_on(f"{search}:opponents=policy", game, seed=1)
    assert agent.plan(game.initial_state(), "60its", seat=seat).actions == ((expected + 1) % 3,)


@pytest.mark.parametrize("search", SEARCHES)
def test_against_uniform_opponents_all_fists_are_alike(search: str) -> None:
    agent = agent_on(f"{search}:opponents=uniform", plain(Fists(ROCK), name="fists", max_actions=3))
    agent.plan(agent.game.initial_state(), "600its", seat=0)
    values = [value for _, value, visits in agent.estimates(0) if visits > 30]
    assert len(values) == 3
    assert max(np.abs(values)) < 0.3
    visits = [count for _, _, count in agent.estimates(1)]
    assert max(visits) < 2 * min(visits)  # a bandit would have settled on an answer


def test_every_seat_is_planned_for_with_the_others_as_models() -> None:
    game = plain(Fists(ROCK), name="fists", max_actions=3)
    plans = agent_on("fdts:opponents=policy", game, seed=1).plan_all(game.initial_state(), "60its")
    assert [plan.actions for plan in plans] == [(PAPER,), (PAPER,)]


@pytest.mark.parametrize("search", SEARCHES)
def test_with_half_a_model_the_others_act_by_it_in_half_of_the_simulations(search: str) -> None:
    game = plain(Fists(ROCK), name="fists", max_actions=3)
    agent = agent_on(f"{search}:opponents=policy,model_share=0.5", game)
    agent.plan(game.initial_state(), "400its", seat=0)
    assert sum(visits for _, _, visits in agent.estimates(0)) == 400
    assert 150 < sum(visits for _, _, visits in agent.estimates(1)) < 250


@pytest.mark.parametrize("planner", ["fdts", "rhea"])
@pytest.mark.parametrize("share", ["-0.5", "1.01", "nan", "half"])
def test_a_share_outside_of_0_to_1_is_refused(planner: str, share: str) -> None:
    with pytest.raises(InvalidParameterError, match="model_share"):
        parse_planner(f"{planner}:opponents=policy,model_share={share}")


def test_an_unknown_model_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"model of 'pommerman': .*'ruled'.*rule-based"):
        parse_planner("fdts:opponents=ruled").on(pommerman())
    with pytest.raises(UnknownNameError, match="model of 'ring'"):
        parse_planner("fdts:opponents=policy").on(ring())


# -- compiled games ------------------------------------------------------------------------------------------------


def go_right(g: Any, s: Any, player: Any, rng: Any) -> Any:
    free = s.points[player] > -2 and s.place[player] < g.size - 1
    return RIGHT if free and below(rng, 4) > 0 else STAY


def go_nowhere(g: Any, s: Any, player: Any, rng: Any) -> Any:
    return 77


@cache
def expectant_ring() -> Game:
    return ring().with_policy(go_right)


def test_a_game_can_be_given_a_model() -> None:
    state = next(state for seed in range(20) if (state := expectant_ring().initial_state(seed)).record.place[1] == 0)
    drawn = [state.expected_action(1, seed) for seed in range(200)]
    assert set(drawn) == {STAY, RIGHT}
    assert 100 < drawn.count(RIGHT) < 190
    plan = agent_on("fdts:opponents=policy", expectant_ring(), seed=1).plan(state, "100its", seat=0)
    assert state.is_legal(plan.actions[0], 0)


def test_a_model_that_does_what_is_not_legal_is_refused() -> None:
    game = ring().with_policy(go_nowhere)
    with pytest.raises(RuleFailureError, match="policy"):
        parse_planner("fdts:opponents=policy").on(game).plan(game.initial_state(1), "20its", seat=0)
    report = check_game(game, games=2)
    assert any("policy" in str(finding) and "77" in str(finding) for finding in report.findings)


def test_a_game_without_a_model_expects_nothing() -> None:
    with pytest.raises(RuleFailureError, match="has no rule 'policy'"):
        ring().initial_state(1).expected_action(0, 0)


# -- Pommerman -----------------------------------------------------------------------------------------------------


def test_the_model_of_pommerman_is_the_rule_based_agent() -> None:
    """Where the agent draws no random number and remembers nothing, both do the same."""
    game = pommerman().with_policy("rule-based")
    state = game.initial_state(5)
    bots = [RuleBased(seed) for seed in range(4)]
    agreed = asked = 0
    for _ in range(60):
        if state.is_over():
            break
        actions = [bot.act(state, seat) for seat, bot in enumerate(bots)]
        for seat in range(4):
            options = {state.expected_action(seat, seed) for seed in range(12)}
            assert options <= set(state.legal_actions(seat))
            asked += 1
            agreed += actions[seat] in options
        state.apply(actions)
    assert agreed > 0.9 * asked


def test_the_model_makes_the_search_expect_what_the_agent_does() -> None:
    game = pommerman()
    agent = agent_on("fdts:opponents=rule-based", game, seed=2)
    state = game.initial_state(1)
    assert state.is_legal(agent.plan(state, "20its", seat=2).actions[0], 2)
    assert all(visits == 0 for _, _, visits in agent.estimates(0))
    assert sum(visits for _, _, visits in agent.estimates(2)) == 20
