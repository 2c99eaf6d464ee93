"""Pommerman: whole games of random players and of rule-based bots on fresh boards, and what others reach."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from tactician.checking.speed import Bench, Figure, GameBenchmark, rate
from tactician.contract import calls
from tactician.contract.random import below, stream
from tactician.followers.seat import follower_from
from tactician.games.pommerman import pommerman
from tactician.games.pommerman.agents import FOLLOWER
from tactician.games.pommerman.board import MOVES, PLAYERS
from tactician.games.pommerman.generation import begin
from tactician.games.pommerman.rule_based import RuleBased, play_games, records_of
from tactician.native.caching import kernel
from tactician.native.memory import address, copy_bytes, load_i32

REFERENCE: dict[tuple[str, str | None], float] = {
    ("random_steps", None): 4_440,
    ("rule_based_steps", None): 198,
    ("fdts_decisions", None): 3.6,
    ("fdts_ucb1_decisions", None): 2.1,
    ("mcs_decisions", None): 10.6,
}
"""Per CPU second: the official environment's steps, with observations made and with four of its bots deciding; and the
decisions of the paper's own code, 100 simulations to depth 20."""
OTHERS = {"paper's Cython environment": 47_900, "Java environment": 394_000, "C++ environment": 3_150_000}
"""Other environments' steps with random players; their rules differ from the official ones."""

_NAME = "pommerman"


def figures(bench: Bench) -> list[Figure]:
    """Steps with random players, decisions and steps of rule-based bots."""
    game = pommerman()
    start = game.initial_state(seed=1)
    configs, states = records_of(start)
    states = np.concatenate([states, np.zeros_like(states)])
    g, table, rng = configs.ctypes.data, game.table.addresses, stream(1)
    out = np.zeros(max(game.max_actions, PLAYERS), np.int32)
    joint = np.zeros(PLAYERS, np.int32)
    totals = np.zeros(2, np.int64)
    counts, bot_games, bot_steps = np.zeros(MOVES, np.int64), 0, 0

    def random_play(steps: int) -> None:
        random_steps(table, g, configs, states, out, joint, rng, totals, steps)

    def bots_play(games: int) -> None:
        nonlocal bot_games, bot_steps
        outcomes = np.zeros((games, 2 + PLAYERS), np.int64)
        play_games(configs, states, rng, outcomes, counts)
        bot_games += games
        bot_steps += int(outcomes[:, 0].sum())

    bench.on_progress(f"{_NAME} random players")
    steps = rate(random_play)
    bench.on_progress(f"{_NAME} rule-based bots")
    games = rate(bots_play)
    return [
        Figure(_NAME, "random_steps", steps, "steps/s"),
        Figure(_NAME, "random_steps_per_game", totals[0] / max(totals[1], 1), "steps"),
        Figure(_NAME, "rule_based_decisions", games * counts.sum() / bot_games, "decisions/s"),
        Figure(_NAME, "rule_based_steps", games * bot_steps / bot_games, "steps/s"),
        *(Figure(_NAME, name, _decisions(planner, bench), "decisions/s") for name, planner in _PLANNERS.items()),
        Figure(_NAME, "follower_decisions", _follower_decisions(bench), "decisions/s"),
    ]


_PLANNERS = {"fdts_decisions": "fdts", "fdts_ucb1_decisions": "fdts:bandit=ucb1", "mcs_decisions": "mcs"}
_BUDGET, STEPS, GAMES = "100its", 150, 3


def _decisions(planner: str, bench: Bench) -> float:
    """Decisions a second of one seat in games against three bots, with the tree it keeps: the median of the games."""
    bench.on_progress(f"{_NAME} {planner}")
    game = pommerman(rules="paper", identity="reference", information="open")
    rates = []
    for seed in range(GAMES):
        agent, bots = bench.seat(planner, game, seed), [RuleBased(4 * seed + seat) for seat in range(PLAYERS)]
        state, spent, count = game.initial_state(seed=seed), 0.0, 0
        while not state.is_over() and count < STEPS and len(state.legal_actions(0)) > 1:
            before = time.thread_time()
            plan = agent.plan(state, _BUDGET, ply=count, seat=0)
            spent += time.thread_time() - before
            count += 1
            state.apply([plan.actions[0], *(bots[seat].act(state, seat) for seat in range(1, PLAYERS))])
        rates.append(count / spent)
    return statistics.median(rates)


def _follower_decisions(bench: Bench) -> float:
    """Decisions a second of the follower, at a start."""
    bench.on_progress(f"{_NAME} follower")
    game = pommerman()
    follower, view = follower_from(game, FOLLOWER), game.initial_state(seed=1).observe(0)

    def decide(times: int) -> None:
        for _ in range(times):
            follower.plan(view, _BUDGET, seat=0)

    return rate(decide)


@kernel
def random_steps(
    table: Any, g: Any, configs: Any, states: Any, out: Any, joint: Any, rng: Any, totals: Any, n: Any
) -> None:
    """n steps with four players that choose uniformly from their lists of legal actions; a new board after each end.

    `states` is a work state and an empty one. `totals` counts the steps and the games.
    """
    s, blank = address(states), address(states[1:])
    size = blank - s
    lists, actions = address(out), address(joint)
    for step in range(n):
        if step == 0 or calls.is_over(table, g, s) != 0:
            copy_bytes(s, blank, size)
            begin(configs[0], states[0], rng)
            totals[1] += 1
        for seat in range(PLAYERS):
            options = calls.legal_actions(table, g, s, seat, lists)
            joint[seat] = load_i32(lists, below(rng, options))
        calls.apply_joint(table, g, s, actions, address(rng))
    totals[0] += n


BENCHMARK = GameBenchmark(figures=figures, reference=REFERENCE)
