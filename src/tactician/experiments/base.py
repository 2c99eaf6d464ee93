"""What every experiment is: one kind of object that takes a `RunRequest` and returns an `ExperimentReport`.

An experiment measures (plays, searches, tunes, counts) and puts everything it found into one JSON document; its table,
figures and verdict are made from that document alone, so a results file is enough to write the report again. Kinds of
experiments are subclasses: `MatchExperiment`, `SharesExperiment`, `SearchExperiment`, `TuningExperiment`,
`CountExperiment`, `RevisitExperiment`, and those of `trained`, which train agents first. The experiments themselves
stand in `tactician.experiments.papers`, a file a paper.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, ClassVar

from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError
from tactician.experiments.provenance import command_of, runs_table, with_run
from tactician.experiments.report import ExperimentReport, MoreTable
from tactician.experiments.tally import Tally
from tactician.planners.presets import PRESETS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OnProgress = Callable[[str, int, int], None]
"""Called with what is running, how much of it is done, and how much there is."""

BOTH = "both"
"""The preset that stands for all readings of a paper."""

_FLAGS = {
    "budget": "--budget",
    "only": "--only",
    "store": "--out",
    "jobs": "--jobs",
    "cluster": "--cluster",
    "battles": "--battles",
    "extend": "--extend",
}
"""The options that only some experiments take, and what they are called on the command line."""

_NEAREST = 4
"""Cells that are named where one is unknown."""


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """What a run is asked for; everything that is not given is as in the paper."""

    games: int | None = None
    """Games, positions or evaluations of each cell (see `Experiment.unit`)."""
    budget: str | None = None
    preset: str = BOTH
    """Which reading of the paper: one of those that the experiment has, or `both` for all of them."""
    only: Sequence[str] = ()
    """Run only the cells whose names begin with one of these."""
    seed: int = 0
    """Decides starts and searches."""
    jobs: int = 1
    cluster: str | None = None
    """Address of a Dask scheduler to run on instead of local processes."""
    store: str | None = None
    """Where results are kept: run the same request again to resume."""
    extend: bool = False
    """Play more games in every cell that is undecided, twice as many each time, up to the paper's number."""
    battles: int | None = None
    """Battles that agents are trained on, in experiments that train; as in the paper if not given."""
    on_progress: OnProgress = lambda _what, _done, _total: None

    def command(self, name: str) -> str:
        """The command that asks for the same: only what decides results, not where and how fast they are made."""
        given = [
            word
            for field, flag in (("games", "--games"), ("budget", "--budget"), ("battles", "--battles"))
            if getattr(self, field) is not None
            for word in (flag, str(getattr(self, field)))
        ]
        given += [] if self.preset == BOTH else ["--preset", self.preset]
        given += [word for part in self.only for word in ("--only", part)]
        given += ["--extend"] * self.extend
        given += ["--seed", str(self.seed)] if self.seed else []
        return command_of(name, given)


@dataclass(frozen=True, kw_only=True)
class Experiment(ABC):
    """A table or figure of a paper, or another claim of it."""

    unit: ClassVar[str] = "games"
    """What `size` and `RunRequest.games` count."""
    options: ClassVar[tuple[str, ...]] = ("budget", "only", "store", "jobs", "cluster")
    """The fields of a request that it takes besides `games`, `preset` and `seed`."""

    name: str
    title: str
    paper: str
    """Authors and year."""
    claim: str
    """What the paper says, in a sentence or two."""
    size: int
    """Games (positions, evaluations) of a cell in the paper, or ours where the paper has no number."""
    seconds: float
    """About how long one of them takes here at the paper's budget, on one core."""
    presets: tuple[str, ...] = ("paper",)
    """The readings of the paper that exist."""
    note: str = ""
    """What a reader of the table must know."""

    @property
    @abstractmethod
    def cell_names(self) -> tuple[str, ...]:
        """What can be chosen by `only`; empty where there is nothing to choose."""

    @abstractmethod
    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Run what is not in the store yet, and return everything found as one document."""

    @abstractmethod
    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The report of a document that `measure` returned, now or earlier."""

    def tallies(self, document: dict[str, Any]) -> tuple[Tally, ...]:
        """How many printed figures were reproduced, a tally for each reading and budget; none if nothing is judged."""
        return ()

    def reported(
        self,
        *,
        verdict: str,
        summary: str,
        head: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
        document: dict[str, Any],
        figures: Mapping[str, Figure] | None = None,
        more: tuple[MoreTable, ...] = (),
    ) -> ExperimentReport:
        """A report, given everything that depends on what was measured."""
        return ExperimentReport(
            name=self.name,
            title=self.title,
            paper=self.paper,
            claim=self.claim,
            verdict=verdict,
            summary=summary,
            head=head,
            rows=rows,
            document=document,
            figures=figures or {},
            more=more,
            runs=runs_table(document),
        )

    def run(self, request: RunRequest) -> ExperimentReport:
        """Run the experiment, or the rest of it, and report ours beside the paper's."""
        self.check(request)
        return self.report(with_run(self.measure(request), request.command(self.name), request.seed, self.unit))

    @property
    def cells_to_run(self) -> int:
        """How many different cells there are to run in one reading."""
        return max(1, len(self.cell_names))

    @property
    def hours(self) -> float:
        """An estimate of how long it takes at the paper's size in all readings, on one core."""
        return len(self.presets) * self.cells_to_run * self.size * self.seconds / 3600

    def readings(self, preset: str) -> tuple[str, ...]:
        """The readings that a preset stands for here."""
        if preset == BOTH:
            return self.presets
        if preset not in PRESETS:
            raise UnknownNameError("preset", preset, (*PRESETS, BOTH))
        if preset not in self.presets:
            raise UnknownNameError(f"preset of {self.name!r}:", preset, (*self.presets, BOTH))
        return (preset,)

    def check(self, request: RunRequest) -> None:
        """Refuse what this experiment does not have, and options that would change nothing."""
        self.readings(request.preset)
        default = RunRequest()
        given = [name for name in _FLAGS if getattr(request, name) not in (getattr(default, name), [])]
        refused = [_FLAGS[name] for name in given if name not in self.options]
        if refused:
            taken = ("--games", "--seed", "--write", *(_FLAGS[name] for name in self.options))
            raise InvalidParameterError(
                f"experiment {self.name!r} does not take {' and '.join(refused)}; expected only {', '.join(taken)}."
            )
        for part in request.only:
            if not any(is_chosen(cell, [part]) for cell in self.cell_names):
                raise UnknownCellError(self.name, part, self.cell_names)


def is_chosen(cell: str, only: Sequence[str]) -> bool:
    """Whether a cell's name begins with one of these; if none is given, all cells are chosen."""
    return not only or any(cell.startswith(part) for part in only)


def journal_beside(store: str | None, suffix: str) -> str | None:
    """Where an experiment keeps what is not a game: a journal beside the store's file."""
    if store is not None and "://" in store:
        # The rest may hold a password.
        kind = store.partition("://")[0]
        raise InvalidParameterError(f"store is a URL ({kind}://...); this experiment keeps a journal, expected a file.")
    return None if store is None else f"{store}.{suffix}.jsonl"


class UnknownCellError(UnknownNameError):
    """A cell that an experiment does not have."""

    def __init__(self, experiment: str, name: str, cells: Sequence[str]) -> None:
        def likeness(cell: str) -> float:
            # Cells are chosen by the beginnings of their names.
            return SequenceMatcher(None, name.lower(), cell[: len(name)].lower()).ratio()

        near = sorted(cells, key=likeness, reverse=True)[:_NEAREST]
        few = "there are" if len(cells) <= _NEAREST else f"the nearest of {len(cells)} are"
        # Not the base's own sentence, which would list all of them.
        TacticianError.__init__(self, f"unknown cell of {experiment!r}: {name!r}; {few}: {'; '.join(near)}.")
