"""Budgets: counted ones are exact and reproducible, all of them end in a whole legal turn, and so does Ctrl-C."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from planner_games import (
    JUDGES_NOTHING,
    ORDERS,
    TURN_PLANNERS,
    StoppedErrands,
    after,
    errands,
    game_of,
    is_whole_turn,
    plain_errands,
    small_plain_amazons,
    states_of,
    worth,
)
from slow_parameters import pairs_rest_slow, rest_slow

from tactician.contract import Game, State
from tactician.contract.plain import Chance, plain
from tactician.contract.random import stream
from tactician.games.amazons import amazons_from_library, build, plain_amazons
from tactician.native import failures
from tactician.planners import EMCTS, MCTS, OEP, PLANNERS, Agent, Plan, Planner, parse_planner, search_agent
from tactician.planners.base import Search
from tactician.planners.search_agent import SearchAgent
from tactician.seats import Budget

COMPILED = ["hero-academy", "amazons", "errands", "errands-3"]
PLAIN = ["plain-errands", "plain-errands-3", "plain-amazons"]
ONE_TURN = (*JUDGES_NOTHING, "greedy-action")
SEARCHING = [name for name in TURN_PLANNERS if name not in ONE_TURN]
VALUED_AT_THE_END = (
    "greedy-turn",
    "oep",
    "greedy-oep",
    "emcts",
    "permutation-oep",
    "permutation-emcts",
    "determinized",
)
ENOUGH = "10000000evals"


@cache
def agent_on(planner: str, game: str) -> Agent:
    """One for all tests; trees get less memory than they would."""
    chosen = PLANNERS[planner]()
    if isinstance(chosen, MCTS | EMCTS):
        chosen = replace(chosen, memory_mb=16)
    return chosen.on(_game(game))


def _game(name: str) -> Game:
    return small_plain_amazons() if name == "plain-amazons" else game_of(name)


def a_state(game: str) -> State:
    return small_plain_amazons().initial_state() if game == "plain-amazons" else states_of(game)[10]


ANSWERED = ("reply", "auto", "coevolution")
"""Planners that may know all answers before the budget is spent."""


def told(plan: Plan) -> Any:
    """Everything a plan says but how long it took."""
    return plan.actions, plan.value, plan.alternatives, replace(plan.stats, time_ms=0.0)


# -- evaluations and iterations ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("planner", "game"), pairs_rest_slow(TURN_PLANNERS, [*COMPILED, *PLAIN], ["mcts", "emcts"], ["hero-academy"])
)
def test_so_many_evaluations_are_made_as_the_budget_says(planner: str, game: str) -> None:
    agent, state = agent_on(planner, game), a_state(game)
    # What these do is finite; all others go on for ever.
    whole = agent.plan(state, ENOUGH).stats.evaluations if planner in ("greedy-action", "greedy-turn") else 10**9
    for n in range(1, 301) if game in COMPILED else (*range(1, 30, 3), 100, 300):
        plan = agent.plan(state, f"{n}evals")
        assert is_whole_turn(state, plan.actions)
        made = plan.stats.evaluations
        if planner in JUDGES_NOTHING:
            assert made == 0
        elif planner in ANSWERED or (planner == "bridge-burning-mcts" and "errands" in game):
            assert made <= n  # one may know all answers, the other may commit to going home
        elif planner == "annealing" and game != "hero-academy":
            assert made <= n  # it ends when all that it finds is known
        else:
            assert made == min(n, whole)


@pytest.mark.parametrize("game", [*COMPILED, *PLAIN])
@pytest.mark.parametrize("planner", TURN_PLANNERS)
def test_so_many_iterations_are_done_as_the_budget_says(planner: str, game: str) -> None:
    agent, state = agent_on(planner, game), a_state(game)
    limits = (1, 2, 3, 7, 20, 60) if game in COMPILED else (1, 2, 7)
    most = 1 if planner in ONE_TURN else 10**9
    if planner == "greedy-turn":
        most = agent.plan(state, ENOUGH).stats.iterations
    for n in limits:
        plan = agent.plan(state, f"{n}its")
        assert is_whole_turn(state, plan.actions)
        if planner in ANSWERED or (planner == "bridge-burning-mcts" and "errands" in game):
            assert plan.stats.iterations <= n
        else:
            assert plan.stats.iterations == min(n, most)


@pytest.fixture(scope="module")
def c_amazons(tmp_path_factory: pytest.TempPathFactory) -> Game:
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler")
    return amazons_from_library(build(tmp_path_factory.mktemp("amazons")), 5)


@pytest.mark.parametrize("planner", TURN_PLANNERS)
def test_the_same_game_in_c_and_in_plain_python_gets_the_same_plans(planner: str, c_amazons: Game) -> None:
    mine, other = PLANNERS[planner]().on(plain_amazons(5)), PLANNERS[planner]().on(c_amazons)
    for budget in ("1evals", "10evals", "77evals", "120evals", "1its"):
        plans = [agent.plan(agent.game.initial_state(), budget, ply=3) for agent in (mine, other)]
        assert told(plans[0]) == told(plans[1])


@pytest.mark.parametrize("planner", TURN_PLANNERS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_same_game_in_plain_python_gets_the_same_plans(planner: str, players: int) -> None:
    for seed in range(3):
        twins = [game.initial_state(seed) for game in (errands(players), plain_errands(players))]
        for budget in ("1evals", "30evals", "200evals", "3its"):
            plans = [agent_on(planner, _twin_name(s)).plan(s, budget, ply=seed) for s in twins]
            assert told(plans[0]) == told(plans[1])


def _twin_name(state: State) -> str:
    return state.game.name + ("-3" if state.game.players == 3 else "")


# -- tiny budgets and time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", ["1evals", "1its", "0.01ms", "3ms", "ref:1ms"])
@pytest.mark.parametrize("planner", TURN_PLANNERS)
def test_any_budget_gives_a_whole_legal_turn(planner: str, budget: str) -> None:
    if budget == "ref:1ms" and planner == "random":
        return
    for game in ("hero-academy", "amazons", "errands", "errands-3", "plain-errands"):
        for state in states_of(game)[::25]:
            assert is_whole_turn(state, agent_on(planner, game).plan(state, budget).actions)


REFERENCE_WORK = {
    # From the rates a second of the papers' code; a generation of OEP is 50 new genomes.
    "greedy-turn": 172_000,
    "mcts": 64_000,
    "bridge-burning-mcts": 64_000,
    "non-exploring-mcts": 43_700,
    "oep": 47_600 / 50,
    "greedy-oep": 47_600 / 50,
    "emcts": 9_500,
}


@pytest.mark.parametrize("planner", REFERENCE_WORK)
@pytest.mark.parametrize("ms", [1, 200, 600, 6000])
def test_reference_work_is_what_the_papers_code_did_in_that_time(planner: str, ms: int) -> None:
    resolved = PLANNERS[planner]().resolve(f"ref:{ms}ms")
    assert resolved == Budget(iterations=max(1, round(REFERENCE_WORK[planner] * ms / 1000)))


def test_planners_that_take_no_time_get_one_turn_of_reference_work() -> None:
    assert PLANNERS["random"]().resolve("ref:200ms") == PLANNERS["greedy-action"]().resolve("ref:6s").parse("1its")


def test_reference_work_of_another_population_is_as_many_genomes() -> None:
    small = OEP(population=20).resolve("ref:1000ms").iterations
    assert small is not None
    assert small * 10 == 47_600


def test_a_budget_of_its_own_goes_before_the_one_that_is_given() -> None:
    state = a_state("hero-academy")
    plan = parse_planner("mcts:budget=17its").on(state.game).plan(state, "500its")
    assert plan.stats.iterations == 17


# -- the same again --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["hero-academy", "amazons", "errands-3", "plain-errands"])
@pytest.mark.parametrize("planner", TURN_PLANNERS)
def test_the_same_seed_and_a_counted_budget_give_the_same_plan(planner: str, game: str) -> None:
    state = a_state(game)
    agent, another = agent_on(planner, game), PLANNERS[planner]().on(state.game)
    for budget in ("250evals", "3its"):
        first = told(agent.plan(state, budget))
        agent.plan(states_of(game)[3], "100evals")  # what it did in between does not matter
        assert told(agent.plan(state, budget)) == first
        assert told(another.plan(state, budget)) == first


@pytest.mark.parametrize("planner", ["reply", "coevolution", "auto"])
@pytest.mark.parametrize("game", ["hero-academy", "amazons"])
def test_nothing_that_was_learned_for_an_earlier_position_counts(planner: str, game: str) -> None:
    """Replies to turns of another position, for example, or the order in which they were tried."""
    used, state = agent_on(planner, game), a_state(game)
    for other in states_of(game)[:3]:
        used.plan(other, "6000evals")
    fresh = PLANNERS[planner]().on(state.game)
    assert told(used.plan(state, "6000evals")) == told(fresh.plan(state, "6000evals"))


@pytest.mark.parametrize(
    ("planner", "game"),
    pairs_rest_slow(SEARCHING, ["hero-academy", "amazons", "errands"], ["mcts", "coevolution"], ["errands", "amazons"]),
)
def test_the_length_of_the_slices_does_not_matter(planner: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is looked at rarely must not change what is found, not even where tables grow."""
    agent, state = agent_on(planner, game), a_state(game)
    plans = []
    for seconds in (1e-6, 0.001, 10.0):
        monkeypatch.setattr(search_agent, "SLICE_SECONDS", seconds)
        plans.append(told(agent.plan(state, "30000evals")))
    assert plans[0] == plans[1] == plans[2]


@pytest.mark.parametrize("planner", [name for name in SEARCHING if name != "greedy-turn"])
def test_other_seeds_and_plies_search_otherwise(planner: str) -> None:
    state = a_state("hero-academy")
    by_seed = {told(PLANNERS[planner]().on(state.game, seed=seed).plan(state, "400evals")) for seed in range(8)}
    agent = agent_on(planner, "hero-academy")
    by_ply = {told(agent.plan(state, "400evals", ply=ply)) for ply in range(8)}
    if planner != "non-exploring-mcts":  # which draws nothing
        assert len(by_seed) > 1
        assert len(by_ply) > 1


def test_a_fresh_process_plans_the_same() -> None:
    program = f"""
import json, sys
sys.path += [{str(Path(__file__).parent)!r}, {str(Path(__file__).parents[1] / "support")!r}]
import test_planner_budgets as t
print(json.dumps(t.plans_of_all()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(plans_of_all()))


def plans_of_all() -> dict[str, Any]:
    """What every planner plans in one position, by name."""
    found = {}
    for name in TURN_PLANNERS:
        plan = agent_on(name, "hero-academy").plan(a_state("hero-academy"), "700evals", ply=5)
        found[name] = [plan.actions, plan.value, plan.stats.evaluations, plan.stats.unique_outcomes]
    return found


# -- action points ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", [name for name in TURN_PLANNERS if name not in ("random", *ORDERS)])
@pytest.mark.parametrize("budget", ["1evals", "20evals", "300evals", "2000evals"])
def test_no_action_points_are_thrown_away(planner: str, budget: str) -> None:
    for state in states_of("hero-academy")[::7]:
        assert not wasteful(state, agent_on(planner, "hero-academy").plan(state, budget))


def test_the_references_mcts_throws_the_rest_of_a_turn_away_where_its_tree_ends() -> None:
    states = states_of("hero-academy")[::7]
    agent = MCTS(style="reference", memory_mb=16).on(game_of("hero-academy"))
    plans = [agent.plan(state, "20its") for state in states]
    assert all(is_whole_turn(state, plan.actions) for state, plan in zip(states, plans, strict=True))
    assert any(wasteful(state, plan) for state, plan in zip(states, plans, strict=True))
    assert not any(plan.stats.completed for plan in plans)


def wasteful(state: State, plan: Plan) -> bool:
    """Whether the plan ends the turn where something else was worth considering."""
    now = state.copy()
    for action in plan.actions:
        if action == now.legal_actions()[-1] and now.candidate_actions() != [action]:
            return True
        now.apply(action)
    return False


# -- Ctrl-C ----------------------------------------------------------------------------------------------------------


class WatchedErrands(StoppedErrands):
    """The watchdog stops the search while one of the rules runs; whatever is not legal is noticed."""

    search: Search | None = None
    illegal = 0

    def apply(self, state: Any, action: int, rng: Chance) -> Any:
        self.illegal += action not in self.legal_actions(state, self.current_player(state))
        return super().apply(state, action, rng)

    def press(self) -> None:
        self.calls_left -= 1
        if self.calls_left == 0 and self.search is not None:
            self.search.stop()


@pytest.mark.parametrize(
    "planner",
    rest_slow(
        [name for name in TURN_PLANNERS if name != "determinized"], ["auto", "coevolution", "reply", "annealing"]
    ),
)
def test_what_was_half_done_when_a_search_was_stopped_is_not_built_on(planner: str) -> None:
    rules = WatchedErrands(2, 5, 4)
    game = plain(rules, name="watched", max_actions=7, value_range=(-150.0, 150.0))
    other, state = game.initial_state(2), game.initial_state(1)
    agent = PLANNERS[planner]().on(game)
    assert isinstance(agent, SearchAgent)
    rules.search = search = agent._search
    for calls in (*range(1, 60), *range(60, 900, 23)):
        agent.plan(other, "60evals")  # leaves turns of another state behind
        rules.calls_left = calls
        with game.searching(), failures.running(search.work.g):
            search.begin(state.words, 0, stream(calls), Budget(evaluations=400))
            while search.advance(40) and rules.calls_left > 0:
                search.check()
            search.check()
            search.best(), search.alternatives(5)
            search.check()
        rules.calls_left = -1
    assert rules.illegal == 0


@pytest.mark.parametrize(
    "planner", rest_slow(TURN_PLANNERS, ["greedy-turn", "mcts", "oep", "emcts", "permutation-oep", "reply"])
)
def test_ctrl_c_in_any_rule_gives_the_best_whole_turn_so_far(planner: str) -> None:
    rules = StoppedErrands(2, 5, 4)
    game = plain(rules, name="stopped", max_actions=7, value_range=(-150.0, 150.0))
    state = game.initial_state(1)
    agent = PLANNERS[planner]().on(game)
    interrupted = 0
    for calls in (*range(1, 120), *range(120, 900, 37)):
        rules.calls_left = calls
        plan = agent.plan(state, "60evals")
        assert plan.stats.interrupted == (rules.calls_left <= 0)
        rules.calls_left = -1
        interrupted += plan.stats.interrupted
        assert is_whole_turn(state, plan.actions)
        if plan.value is not None and planner in VALUED_AT_THE_END:
            assert plan.value == worth(after(state, plan.actions), 0), "half a turn was judged"
        assert not agent.plan(state, "5evals").stats.interrupted, "the next search is not stopped as well"
    assert interrupted > 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
@pytest.mark.parametrize(
    "planner",
    rest_slow(["mcts", "bridge-burning-mcts", "oep", "greedy-oep", "emcts", *ORDERS[2:]], ["oep", "determinized"]),
)
def test_ctrl_c_ends_a_long_search_with_a_plan(planner: str) -> None:
    """In a process of its own, which tells when the search runs and is then sent the signal that Ctrl-C sends."""
    program = f"""
import json, os, sys, threading, time
sys.path += [{str(Path(__file__).parent)!r}, {str(Path(__file__).parents[1] / "support")!r}]
import test_planner_budgets as t
agent, state = t.agent_on({planner!r}, "hero-academy"), t.a_state("hero-academy")
searching = getattr(agent, "_inner", agent)  # determinized has an agent inside
def tell():
    while searching._search.counters.evaluations < 500:
        time.sleep(0.01)
    print("searching", flush=True)
threading.Thread(target=tell, daemon=True).start()
plan = agent.plan(state, "60s")
print(json.dumps([plan.stats.interrupted, t.is_whole_turn(state, plan.actions), plan.stats.time_ms < 50_000]))
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "searching\n"
            os.kill(process.pid, signal.SIGINT)
            answer, _ = process.communicate(timeout=50)
        finally:
            process.kill()
    assert process.returncode == 0
    assert json.loads(answer) == [True, True, True]


def test_ctrl_c_is_not_taken_for_an_answer_outside_a_search() -> None:
    with pytest.raises(KeyboardInterrupt):
        _raise_in_search(EMCTS())


def _raise_in_search(planner: Planner) -> None:
    rules = StoppedErrands(2, 5, 4)
    game = plain(rules, name="stopped", max_actions=7, value_range=(-150.0, 150.0))
    rules.calls_left = 1
    planner.on(game)
