"""The simultaneous-move planners on Pommerman: every variant, masked actions, the dead, memory through a game."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from simultaneous_model import decoupled

from tactician.contract import Game, State
from tactician.errors import InvalidParameterError
from tactician.games.pommerman import pommerman
from tactician.planners import FDTS, MCS, SimultaneousMCTS
from tactician.planners.simultaneous import SimultaneousPlanner

GAMES = {
    "ffa": {"variant": "ffa"},
    "paper": {"rules": "paper", "identity": "reference"},
    "team": {"variant": "team"},
    "team-full": {"variant": "team-full"},
    "radio": {"variant": "radio"},
    "no mask": {"mask": "none"},
    "the paper's text": {"mask": "text"},
}
ALL: list[SimultaneousPlanner] = [MCS(), SimultaneousMCTS(bandit="ucb1"), SimultaneousMCTS(rollouts=False), FDTS()]
STOP, BOMB = 0, 5


@cache
def game_of(name: str) -> Game:
    return pommerman(**GAMES[name])  # type: ignore[arg-type]


@cache
def middle(name: str, steps: int = 25) -> State:
    """After some random masked steps."""
    chance = random.Random(3)
    for seed in range(99):
        state = game_of(name).initial_state(seed)
        for _ in range(steps):
            if state.is_over():
                break
            state.apply([chance.choice(state.candidate_actions(seat)) for seat in range(4)])
        if not state.is_over():
            return state.copy()
    raise AssertionError("every game was over")


def with_a_dead_seat() -> tuple[State, int]:
    chance = random.Random(5)
    for seed in range(99):
        state = game_of("ffa").initial_state(seed)
        while not state.is_over():
            rewards = state.evaluate()
            if -1 in rewards:
                return state, rewards.index(-1)
            state.apply([chance.choice(state.legal_actions(seat)) for seat in range(4)])
    raise AssertionError("nobody died alone")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("planner", ALL, ids=str)
def test_every_planner_plays_every_variant(planner: SimultaneousPlanner, name: str) -> None:
    game, state = game_of(name), middle(name)
    plans = planner.on(game, full_information=True).plan_all(state, "30its")
    for seat, plan in enumerate(plans):
        assert plan.actions[0] in state.candidate_actions(seat)
        assert {a.actions[0] for a in plan.alternatives} <= set(state.candidate_actions(seat))
        assert plan.stats.iterations == 30
    state.copy().apply([plan.actions[0] for plan in plans])


@pytest.mark.parametrize("name", ["team", "radio"])
def test_a_seat_in_the_fog_plans_on_what_it_sees(name: str) -> None:
    game, state = game_of(name), middle(name)
    agent = FDTS(depth=8).on(game, seed=1)
    for seat in range(4):
        plan = agent.plan(state, "20its", seat=seat)
        assert plan.actions[0] in state.legal_actions(seat)
        assert plan.state is not None
        assert plan.state.observe(seat) == state.observe(seat)
    with pytest.raises(InvalidParameterError, match="planning for all seats needs full_information=True in this game"):
        agent.plan_all(state, "20its")


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_the_dead_can_only_stop(planner: SimultaneousPlanner) -> None:
    state, seat = with_a_dead_seat()
    plan = planner.on(state.game).plan(state, "20its", seat=seat)
    assert (plan.actions, plan.names) == ((STOP,), ("stop",))


def test_the_mask_is_lifted_by_prune() -> None:
    game = game_of("ffa")
    state = game.initial_state(0)  # in a corner two of the six actions lead nowhere
    masked, free = (
        FDTS(prune=prune, bandit="ucb1").on(game).plan(state, "200its", seat=0).alternatives for prune in (True, False)
    )
    assert len(free) == 6
    assert {a.actions[0] for a in masked} == set(state.candidate_actions(0)) < {a.actions[0] for a in free}


def test_a_wall_of_flames_is_avoided() -> None:
    """Seat 0 lays a bomb in its corner and plans from there: whatever it does, it has left the blast when it comes."""
    game = game_of("ffa")
    alive = 0
    for seed in range(3):
        state = game.initial_state(seed)
        agent = FDTS().on(game, seed=seed)
        state.apply([BOMB, STOP, STOP, STOP])
        for ply in range(13):
            actions = [STOP] * 4
            actions[0] = agent.plan(state, "100its", ply=ply, seat=0).actions[0]
            state.apply([actions[0] if actions[0] != BOMB else STOP, STOP, STOP, STOP])
            if state.is_over():
                break
        alive += state.evaluate()[0] > -1
    assert alive >= 2


def quiet_game(memory_mb: int, steps: int, simulations: int) -> tuple[int, int, int]:
    """Steps without bombs, a plan of FDTS in each: the most memory, how often something was forgotten, the steps."""
    game, chance = game_of("paper"), random.Random(1)
    state, most = game.initial_state(2), 0
    agent = FDTS(memory_mb=memory_mb).on(game, full_information=True)
    for ply in range(steps):
        plans = agent.plan_all(state, f"{simulations}its", ply=ply)
        assert all(plan.actions[0] in state.candidate_actions(seat) for seat, plan in enumerate(plans))
        most = max(most, decoupled(agent).memory_bytes)
        state.apply([chance.choice([a for a in state.candidate_actions(s) if a != BOMB]) for s in range(4)])
        if state.is_over():
            break
    return most, decoupled(agent)._memory.forgotten, ply + 1


def test_a_game_with_tree_reuse_stays_within_its_memory() -> None:
    most, forgotten, steps = quiet_game(memory_mb=2, steps=20, simulations=100)
    assert most <= 2 * 2**20 + 1000
    assert forgotten > 0
    assert steps == 20


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the greatest size of a process")
def test_800_steps_with_tree_reuse_stay_under_two_gigabytes() -> None:
    """In a process of its own; VmHWM, unlike getrusage, does not count the size of the process that started it."""
    program = f"""
import json, re, sys
from pathlib import Path
sys.path.append({str(Path(__file__).parent)!r})
import test_simultaneous_pommerman as t
most, forgotten, steps = t.quiet_game(memory_mb=1024, steps=800, simulations=100)
kilobytes = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]
print(json.dumps([most, steps, int(kilobytes) * 1024]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    most, steps, whole = json.loads(done.stdout)
    assert steps == 800
    assert most <= 1024 * 2**20 + 1000
    assert whole < 2 * 2**30
