"""How fast the planners search: Hero Academy at the two reference positions, each planner with its own unit."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from tactician.bench.figures import subject_of
from tactician.checking.speed import Figure, rate
from tactician.contract.state import State
from tactician.planners import (
    EMCTS,
    MCTS,
    OEP,
    BridgeBurningMCTS,
    GreedyAction,
    GreedyOEP,
    GreedyTurn,
    NonExploringMCTS,
)
from tactician.planners.base import Agent
from tactician.planners.simple import TurnSearch
from tactician.planners.tree import bytes_per_node
from tactician.seats.budget import Budget
from tactician.seats.plan import Statistics

ROUNDS = 5
SEARCH_MS = 1000.0
"""As long as the turns that the reference engine was measured with: a tree slows down as it grows."""
_GAME = "hero-academy"

_Unit = tuple[str, str, Callable[[Statistics], float]]
_ITERATIONS: Callable[[Statistics], float] = lambda stats: stats.iterations  # noqa: E731
_SEQUENCES: Callable[[Statistics], float] = lambda stats: stats.sequences  # noqa: E731
_WORK: tuple[tuple[type, tuple[_Unit, ...]], ...] = (
    (
        OEP,
        (("oep_genomes", "genomes/s", _SEQUENCES), ("oep_generations", "generations/s", _ITERATIONS)),
    ),
    (GreedyOEP, (("greedy_oep_genomes", "genomes/s", _SEQUENCES),)),
    (EMCTS, (("emcts_sequences", "sequences/s", _SEQUENCES),)),
    (MCTS, (("mcts_iterations", "iterations/s", _ITERATIONS),)),
    (BridgeBurningMCTS, (("bridge_burning_mcts_iterations", "iterations/s", _ITERATIONS),)),
    (NonExploringMCTS, (("non_exploring_mcts_iterations", "iterations/s", _ITERATIONS),)),
    (GreedyTurn, (("greedy_turn_outcomes", "outcomes/s", lambda stats: stats.unique_outcomes),)),
)


def measure_planners(on_progress: Callable[[str], None]) -> list[Figure]:
    """Units of work per CPU second of every planner, and what a tree node weighs."""
    bench = subject_of(_GAME)
    found: dict[tuple[str, str], Figure] = {}
    for kind, units in _WORK:
        agent = kind().on(bench.game, seed=1)
        for position, state in bench.positions.items():
            on_progress(f"{agent.planner.name} ({position})")
            if kind is GreedyTurn and position == "start":
                continue  # the opening has 88 outcomes: searched before a clock has ticked
            for name, unit, value in _rates(agent, state, units):
                found[name, position] = Figure(_GAME, name, value, unit, position)
    decisions = [
        Figure(_GAME, "greedy_action_decisions", _decisions(state), "decisions/s", position)
        for position, state in bench.positions.items()
    ]
    shares = [
        Figure(
            _GAME,
            "emcts_per_oep",
            found["emcts_sequences", position].value / found["oep_genomes", position].value,
            "sequences/genome",
            position,
        )
        for position in bench.positions
    ]
    node = Figure(_GAME, "mcts_node_bytes", bytes_per_node(), "bytes")
    return [*found.values(), *decisions, *shares, node]


def _rates(agent: Agent, state: State, units: tuple[_Unit, ...]) -> list[tuple[str, str, float]]:
    """Medians over several searches of a fixed time, by the CPU time they really took."""
    rounds: list[tuple[Statistics, float]] = []
    for ply in range(ROUNDS + 1):
        before = time.thread_time()
        stats = agent.plan(state, Budget(ms=SEARCH_MS), ply=ply).stats
        rounds.append((stats, time.thread_time() - before))
    timed = rounds[1:]  # the first one touches memory that the others find warm
    return [(name, unit, statistics.median(count(s) / t for s, t in timed)) for name, unit, count in units]


def _decisions(state: State) -> float:
    """Greedy Action's choices of one action, by whole turns in a compiled loop, as in the engine."""
    agent = GreedyAction().on(state.game, seed=1)  # compiles
    search = agent.planner.search(state.game)
    assert isinstance(search, TurnSearch)
    search.begin(state.words, state.current_player(), agent.stream(0), Budget(iterations=1))
    decisions = len(search.best()[0]) - 1  # ending the turn is not a choice
    return decisions * rate(search.play)
