"""MCTS here and in OpenSpiel: simulations a second of CPU time, from the same positions, with the same work.

Both play uniformly random games from the leaf to the end and select with the same UCT. Ours runs its general kernel on
rules written in Python (`connect_four.py`, and Amazons of the package); OpenSpiel's is its C++ `MCTSBot` with its C++
rollout evaluator on its C++ games. They take turns in one process, round by round, and medians are compared. What
differs belongs to each: ours joins transpositions and tries one new action a simulation, OpenSpiel's opens all of a
node's at once.

    python benchmarks/openspiel_mcts.py [--seconds S] [--json]

The bar is 5 times as many simulations in Connect Four; exit code 1 says that it was missed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import connect_four

from tactician import Budget
from tactician.contract import Game, State
from tactician.games.amazons import amazons
from tactician.planners import MCTS, Agent

UCT_C = 2.0
"""OpenSpiel's constant, for values from -1 to 1 and without the factors 2 and √2 of ours."""
EXPLORATION = UCT_C / (4 * math.sqrt(2))
"""The same constant for ours."""
MEMORY_MB = 256
LEAST_ROUNDS = 3


@dataclass(frozen=True)
class Subject:
    """A position in both toolkits, and how many simulations one search has."""

    name: str
    position: str
    game: Game
    spiel: str
    moves: tuple[int, ...]
    simulations: int
    bar: float | None = None
    """How many times as fast ours must be; None: no bar."""

    def ours(self) -> State:
        """The position here."""
        state = self.game.initial_state()
        for action in self.moves:
            state.apply(action)
        return state

    def theirs(self, pyspiel: Any) -> Any:
        """The position there; actions have the same numbers."""
        state = pyspiel.load_game(self.spiel).new_initial_state()
        for action in self.moves:
            state.apply_action(action)
        return state


@dataclass(frozen=True)
class Comparison:
    """Medians of several rounds, in simulations a second of CPU time."""

    game: str
    position: str
    simulations: int
    rounds: int
    ours: float
    openspiel: float
    bar: float | None

    @property
    def ratio(self) -> float:
        """How many times as fast ours is."""
        return self.ours / self.openspiel

    @property
    def missed(self) -> bool:
        """Whether there is a bar and ours is below it."""
        return self.bar is not None and self.ratio < self.bar

    def to_json(self) -> dict[str, Any]:
        """The numbers with their ratio."""
        return asdict(self) | {"ratio": self.ratio}


def subjects() -> list[Subject]:
    """Connect Four at its start and after twelve quiet moves, and the start of Amazons."""
    quiet = (3, 2, 3, 3, 4, 2, 5, 6, 2, 4, 4, 2)
    return [
        Subject("connect_four", "start", connect_four.game, "connect_four", (), 20_000, bar=5.0),
        Subject("connect_four", "mid", connect_four.game, "connect_four", quiet, 20_000, bar=5.0),
        Subject("amazons", "start", amazons(size=10), "amazons(board_size=10)", (), 1_000),
    ]


def compare(subject: Subject, pyspiel: Any, seconds: float) -> Comparison:
    """Search in turns until both together have had so many seconds of CPU time."""
    search_ours, search_theirs = _our_search(subject), _their_search(subject, pyspiel)
    search_ours(0)
    search_theirs(0)
    ours: list[float] = []
    theirs: list[float] = []
    while len(ours) < LEAST_ROUNDS or sum(ours) + sum(theirs) < seconds:
        ours.append(_cpu_time(search_ours, len(ours) + 1))
        theirs.append(_cpu_time(search_theirs, len(theirs) + 1))
    return Comparison(
        game=subject.name,
        position=subject.position,
        simulations=subject.simulations,
        rounds=len(ours),
        ours=subject.simulations / statistics.median(ours),
        openspiel=subject.simulations / statistics.median(theirs),
        bar=subject.bar,
    )


def our_agent(subject: Subject) -> Agent:
    """MCTS with uniformly random rollouts to the end of the game."""
    return MCTS(epsilon=0.0, rollout_turns=-1, exploration=EXPLORATION, memory_mb=MEMORY_MB).on(subject.game)


def _our_search(subject: Subject) -> Callable[[int], Any]:
    agent, state, budget = our_agent(subject), subject.ours(), Budget(iterations=subject.simulations)
    return lambda number: agent.plan(state, budget, ply=number)


def _their_search(subject: Subject, pyspiel: Any) -> Callable[[int], Any]:
    bot, state = their_bot(subject, pyspiel), subject.theirs(pyspiel)
    return lambda _number: bot.step(state)


def their_bot(subject: Subject, pyspiel: Any) -> Any:
    """OpenSpiel's search with one random rollout a leaf, and without its solver, which ours has not."""
    return pyspiel.MCTSBot(
        pyspiel.load_game(subject.spiel),
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1),
        uct_c=UCT_C,
        max_simulations=subject.simulations,
        max_memory_mb=MEMORY_MB,
        solve=False,
        seed=1,
        verbose=False,
    )


def _cpu_time(search: Callable[[int], Any], number: int) -> float:
    before = time.process_time()
    search(number)
    return max(time.process_time() - before, 1e-9)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description="Compare MCTS with OpenSpiel's, in simulations a second of CPU time.")
    parser.add_argument("--seconds", type=float, default=6.0, help="CPU time for each position, both together")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    try:
        import pyspiel
    except ImportError:
        print("openspiel_mcts: OpenSpiel is not installed; it is the package open_spiel.", file=sys.stderr)
        return 2
    found = [compare(subject, pyspiel, options.seconds) for subject in subjects()]
    if options.json:
        print(json.dumps([comparison.to_json() for comparison in found], indent=2))
    else:
        print("simulations per second of CPU time, medians")
        print(f"{'game':<14}{'position':<10}{'rounds':>7}{'OpenSpiel':>13}{'tactician':>13}{'ratio':>8}{'bar':>6}")
        for row in found:
            bar = "" if row.bar is None else f"{row.bar:g}"
            print(
                f"{row.game:<14}{row.position:<10}{row.rounds:>7}{row.openspiel:>13,.0f}{row.ours:>13,.0f}"
                f"{row.ratio:>8.1f}{bar:>6}"
            )
    return int(any(comparison.missed for comparison in found))


if __name__ == "__main__":
    sys.exit(main())
