"""What an experiment is: cells, each a match with the paper's figure beside it.

A cell is played as a tournament of two, so it resumes, is stored game by game, and can be asked for more games later.
A preset decides the reading of the papers; a smaller budget or fewer games than the paper's are said in every report.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tactician.arena.records import GameRecord
from tactician.arena.schedule import TournamentPlan, as_names
from tactician.arena.scoring import ClusteredScore, clustered_score, points_of
from tactician.arena.statistics import PairedScore, Reported, difference_interval, verdict
from tactician.arena.store import Store
from tactician.arena.tournament import Tournament, run
from tactician.errors import UnknownNameError
from tactician.games.registry import with_parameter
from tactician.planners.presets import PRESETS, with_preset
from tactician.planners.registry import parse_planner


@dataclass(frozen=True)
class Cell:
    """One number of a paper: how often the first planner beats the second."""

    name: str
    game: str
    planner: str
    opponent: str
    budget: str
    """The paper's own; a run may scale it."""
    paper: float | None
    """The paper's win percentage, as a fraction; None where it only claims a direction."""
    paper_games: int
    group: str = ""
    """Cells of one figure."""
    parameter: float | None = None
    """Where the cell stands on the figure's axis."""

    def plan(self, games: int, budget: str | None, preset: str, seed: int) -> TournamentPlan:
        """The cell as a tournament of two in one reading of the papers."""
        agents = [str(with_preset(parse_planner(name), preset)) for name in (self.planner, self.opponent)]
        game = with_parameter(self.game, "preset", preset)
        return TournamentPlan(game, as_names(agents), games, budget or self.budget, seed)


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper."""

    name: str
    title: str
    cells: tuple[Cell, ...]
    games: int
    """Games a cell in the paper."""
    seconds_a_game: float
    """About how long a game takes here at the paper's budget as reference work, on one core."""
    note: str = ""
    presets: tuple[str, ...] = PRESETS
    """The readings of the paper there are."""
    details: Callable[[Tournament], dict[str, Any]] | None = None
    """What else is worked out of a cell's games."""
    cluster: Callable[[GameRecord], Hashable] | None = None
    """What games have in common that hang together, where it is more than the start."""
    figures: Callable[[Experiment, Sequence[Outcome]], dict[str, Any]] | None = None
    """Figures besides the curves."""
    paper_spread: Mapping[float, float] = field(default_factory=dict)
    """The paper's standard deviation beside each of its means."""

    def readings(self, preset: str) -> tuple[str, ...]:
        """The readings a run of one preset, or of both, has."""
        if preset == "both":
            return self.presets
        if preset not in PRESETS:
            raise UnknownNameError("preset", preset, (*PRESETS, "both"))
        if preset not in self.presets:
            raise UnknownNameError(f"preset of {self.name!r}:", preset, (*self.presets, "both"))
        return (preset,)

    def score(self, result: Tournament) -> PairedScore | ClusteredScore:
        """The first planner's score in a cell's games."""
        if self.cluster is None:
            return result.score(0, 1)
        return clustered_score((self.cluster(game), points_of(game, *result.names)) for game in result.games())

    def chosen(self, only: Sequence[str]) -> tuple[Cell, ...]:
        """The cells whose names are or begin with one of these; all if none is given."""
        if not only:
            return self.cells
        for name in only:
            if not any(cell.name.startswith(name) for cell in self.cells):
                raise UnknownNameError(f"cell of {self.name!r}:", name, [cell.name for cell in self.cells])
        return tuple(cell for cell in self.cells if any(cell.name.startswith(name) for name in only))


@dataclass(frozen=True)
class Outcome:
    """A cell that has been played, in one reading."""

    cell: Cell
    preset: str
    budget: str
    score: PairedScore | ClusteredScore
    forfeits: int
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def reported(self) -> Reported | None:
        """The paper's figure. Where our games hang together by more than their start, the paper's do as much."""
        if self.cell.paper is None or self.score.games == 0:
            return None
        clustered = isinstance(self.score, ClusteredScore)
        worth = min(1.0, self.score.effective_games / self.score.games) if clustered else 1.0
        return Reported(self.cell.paper, self.cell.paper_games, worth)

    @property
    def verdict(self) -> str:
        """How ours compares with the paper's."""
        return verdict(self.score, self.reported) if self.reported else ""

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """Ours minus the paper's, and its 95 % interval."""
        if self.reported is None:
            return None
        return (self.score.rate - self.reported.rate, *difference_interval(self.score, self.reported))

    def to_json(self) -> dict[str, Any]:
        """The outcome as a row of a results file."""
        low, high = self.score.interval()
        return {
            "cell": self.cell.name,
            "preset": self.preset,
            "planner": self.cell.planner,
            "opponent": self.cell.opponent,
            "budget": self.budget,
            "games": self.score.games,
            "wins": self.score.score.wins,
            "draws": self.score.score.draws,
            "losses": self.score.score.losses,
            "score": self.score.rate,
            "interval": [low, high],
            "paper": self.cell.paper,
            "paper_games": self.cell.paper_games,
            "difference": self.difference and list(self.difference[1:]),
            "verdict": self.verdict,
            "forfeits": self.forfeits,
            **({"details": self.details} if self.details else {}),
        }


def run_experiment(
    experiment: Experiment,
    store: Store,
    games: int | None = None,
    budget: str | None = None,
    preset: str = "both",
    only: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    on_progress: Callable[[Cell, str, Tournament], None] | None = None,
) -> list[Outcome]:
    """Play the cells that are not in the store yet and give all of them."""
    outcomes = []
    for reading in experiment.readings(preset):
        for cell in experiment.chosen(only):
            plan = cell.plan(games or experiment.games, budget, reading, seed)

            def after_game(result: Tournament, cell: Cell = cell, reading: str = reading) -> None:
                if on_progress:
                    on_progress(cell, reading, result)

            result = run(plan, store, jobs, cluster, after_game)
            details = experiment.details(result) if experiment.details else {}
            outcomes.append(Outcome(cell, reading, plan.budget, experiment.score(result), len(result.errors), details))
    return outcomes
