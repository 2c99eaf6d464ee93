"""Experiments that count habits: how often players take occasions, in battles of each player with itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tactician.arena.agents import parse_agent
from tactician.arena.statistics import wilson_interval
from tactician.contract.state import State
from tactician.experiments.base import Experiment, RunRequest, is_chosen
from tactician.experiments.report import ExperimentReport
from tactician.games.registry import load_game
from tactician.seats.plan import uninterrupted
from tactician.seats.seat import Seat

HabitsIn = Callable[[State, int, int], dict[str, bool]]
"""Called with a state, a seat and its action: the habits this is an occasion for, each with whether it was taken."""


@dataclass(frozen=True, kw_only=True)
class HabitExperiment(Experiment):
    """The share of occasions that agents take, a row a habit and agent."""

    options: ClassVar[tuple[str, ...]] = ("budget", "only")

    game: str
    agents: tuple[str, ...]
    budget: str
    habits: tuple[str, ...]
    habits_in: HabitsIn

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The agents."""
        return self.agents

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Play every agent's battles with itself; nothing is kept between runs."""
        wanted, budget = request.games or self.size, request.budget or self.budget
        counts: dict[str, dict[str, list[int]]] = {}
        for agent in self.agents:
            if not is_chosen(agent, request.only):
                continue
            taken, occasions = Counter[str](), Counter[str]()
            for number in range(wanted):
                self._play(agent, request.seed + number, budget, taken, occasions)
                request.on_progress(agent, number + 1, wanted)
            counts[agent] = {habit: [taken[habit], occasions[habit]] for habit in self.habits}
        return {"experiment": self.name, "games": wanted, "budget": budget, "seed": request.seed, "counts": counts}

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The shares with their intervals, as a table and as a figure."""
        from tactician.experiments.figures import Comparison, comparison_figure

        rows = [
            (habit, agent, str(occasions), *_share(taken, occasions))
            for habit in self.habits
            for agent, counts in document["counts"].items()
            for taken, occasions in [counts[habit]]
        ]
        return self.reported(
            verdict=_verdict(document["counts"], self.habits),
            summary=f"{document['games']} games of an agent with itself, {document['budget']} a decision. {self.note}",
            head=("habit", "agent", "occasions", "taken (%)", "95 % interval"),
            rows=tuple(rows),
            document=document,
            figures={
                self.name: comparison_figure(
                    {
                        "taken": [
                            Comparison(f"{habit}: {agent}", taken / occasions, wilson_interval(taken, occasions), None)
                            for habit in self.habits
                            for agent, counts in document["counts"].items()
                            for taken, occasions in [counts[habit]]
                            if occasions
                        ]
                    }
                )
            },
        )

    def _play(self, name: str, seed: int, budget: str, taken: Counter[str], occasions: Counter[str]) -> None:
        game = load_game(self.game)
        players: Sequence[Seat] = [parse_agent(name).on(game).seeded(2 * seed + seat) for seat in range(game.players)]
        state, step = game.initial_state(seed=seed), 0
        while not state.is_over():
            joint = []
            for seat, player in enumerate(players):
                legal = state.legal_actions(seat)
                joint.append(
                    legal[0]
                    if len(legal) == 1
                    else uninterrupted(player.plan(state, budget, ply=step, seat=seat)).actions[0]
                )
                for habit, was_taken in self.habits_in(state, seat, joint[-1]).items():
                    occasions[habit] += 1
                    taken[habit] += was_taken
            state.apply(joint)
            step += 1


def _share(taken: int, occasions: int) -> tuple[str, str]:
    if not occasions:
        return "", ""
    low, high = wilson_interval(taken, occasions, 0.95)
    return f"{100 * taken / occasions:.1f}", f"{100 * low:.1f}–{100 * high:.1f}"


def _verdict(counts: dict[str, dict[str, list[int]]], habits: Sequence[str]) -> str:
    """Name the agent that takes each habit's occasions most often."""
    said = []
    for habit in habits:
        shares = {agent: found[habit][0] / found[habit][1] for agent, found in counts.items() if found[habit][1]}
        if shares:
            most = max(shares, key=lambda agent: shares[agent])
            said.append(f"{habit}: most often {most} ({100 * shares[most]:.0f} %)")
    return f"{'; '.join(said)}." if said else "no occasions."
