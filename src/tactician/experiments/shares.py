"""Experiments in games of more than two sides: one agent against copies of another, its seat rotated.

With four players 50 % does not separate winners from losers, so the shares of wins, draws and losses are compared with
the paper's one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tactician.arena.schedule import TournamentPlan
from tactician.arena.seats import KINDS, SeatsScore
from tactician.arena.statistics import Reported, difference_interval, size_verdict
from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament, run
from tactician.experiments.base import Experiment, RunRequest, is_chosen
from tactician.experiments.contrasts import Contrast, contrasts, contrasts_sentence, contrasts_table
from tactician.experiments.report import ExperimentReport, difference_text
from tactician.experiments.tally import REPRODUCED, Judgement, Tally, is_at_ceiling, relative_budget, tally

_COMPARED = ("paper", "difference (95 %)", "verdict")


@dataclass(frozen=True, kw_only=True)
class ShareCell:
    """One column of a table: an agent, and the paper's wins, draws and losses in percent, if a paper has them."""

    name: str
    game: str
    planner: str
    paper: tuple[float, float, float] | None = None
    opponent: str | None = None
    """Who has the other seats; the experiment's opponent if not given."""
    budget: str | None = None
    """The experiment's if not given."""
    replication: tuple[float, float, float] | None = None
    """What an independent replication found, where there is one."""
    baselines: tuple[str, ...] = ()
    """The rows that it is compared with: those from which it differs in one thing."""
    counted: bool = True
    """Whether the paper's figures are counted here: not in rows that change something on purpose or repeat others."""
    reading: str = ""
    """How it reads what the paper leaves open, where an experiment has several ways; they are counted apart."""


@dataclass(frozen=True, kw_only=True)
class SharesExperiment(Experiment):
    """A table of shares of wins, draws and losses against copies of one opponent."""

    cells: tuple[ShareCell, ...]
    opponent: str
    budget: str

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The agents."""
        return tuple(cell.name for cell in self.cells)

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Play the games that are not in the store yet."""
        rows = []
        with open_store(request.store) as store:
            for cell in self.cells:
                if not is_chosen(cell.name, request.only):
                    continue
                agents = (cell.planner, cell.opponent or self.opponent)
                games = request.games or self.size
                budget = request.budget or cell.budget or self.budget
                plan = TournamentPlan(cell.game, agents, games, budget, request.seed, "gauntlet")

                def after_game(result: Tournament, what: str = cell.name) -> None:
                    request.on_progress(what, len(result.records), result.total)

                result = run(plan, store, request.jobs, request.cluster, after_game)
                rows.append(self._outcome(cell, result.seats_score(0, 1), len(result.errors)))
        return {"experiment": self.name, "budget": request.budget or self.budget, "outcomes": rows}

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The table, a row an agent, and the same as a figure."""
        from tactician.experiments.figures import Comparison, comparison_figure

        outcomes = document["outcomes"]
        counts = sorted({outcome["games"] for outcome in outcomes}) or [0]
        games = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        goal = f" ({'the paper' if self._has_paper else 'full size'}: {self.size})"
        summary = f"{games} games a column{goal}, {document['budget']} a decision{self._unless}. {self.note}"
        panels: dict[str, list[Comparison]] = {
            kind: [
                Comparison(o["cell"], o[kind]["share"], tuple(o[kind]["interval"]), o[kind]["paper"]) for o in outcomes
            ]
            for kind in KINDS
        }
        return self.reported(
            verdict=self._verdict(document),
            summary=summary.strip(),
            head=("planner", "games", *(c for kind in KINDS for c in (kind, *(_COMPARED if self._has_paper else ())))),
            rows=tuple(_row(outcome, self._has_paper) for outcome in outcomes),
            document=document,
            figures={self.name: comparison_figure(panels)} if outcomes else {},
            more=contrasts_table(self._contrasts(document)),
        )

    def _contrasts(self, document: dict[str, Any]) -> list[Contrast]:
        return contrasts(document["outcomes"], {cell.name: cell.baselines for cell in self.cells})

    @property
    def _has_paper(self) -> bool:
        """Whether a paper has any of these figures."""
        return any(cell.paper is not None for cell in self.cells)

    @property
    def _unless(self) -> str:
        return ", unless the row says otherwise" if any(cell.budget is not None for cell in self.cells) else ""

    def tallies(self, document: dict[str, Any]) -> tuple[Tally, ...]:
        """All three shares of every agent whose figures are counted, by reading."""
        readings = {cell.name: cell.reading or self.presets[0] for cell in self.cells}
        budget = relative_budget(document["budget"], self.budget)
        groups: dict[str, list[dict[str, Any]]] = {}
        for outcome in self._counted(document):
            groups.setdefault(readings[outcome["cell"]], []).append(outcome)
        return tuple(
            tally(
                reading,
                budget,
                [outcome["games"] for outcome in chosen],
                self.size,
                [
                    Judgement(_size(o[kind]), at_ceiling=is_at_ceiling(o[kind]["paper"]))
                    for o in chosen
                    for kind in KINDS
                ],
            )
            for reading, chosen in groups.items()
        )

    def _counted(self, document: dict[str, Any]) -> list[dict[str, Any]]:
        """The rows whose figures are the paper's."""
        left_out = {cell.name for cell in self.cells if not cell.counted}
        return [o for o in document["outcomes"] if o["wins"]["paper"] is not None and o["cell"] not in left_out]

    def _verdict(self, document: dict[str, Any]) -> str:
        compared = self._counted(document)
        rows = contrasts_sentence(self._contrasts(document))
        if not compared:
            return f"{rows or 'nothing to compare'}."
        parts = []
        for kind in KINDS:
            words = [_size(outcome[kind]) for outcome in compared]
            parts.append(f"{kind}: {words.count(REPRODUCED)} of {len(words)} reproduced")
        found = self.tallies(document)
        total = [one.sentence(len(found) > 1) for one in found]
        return f"{'; '.join(filter(None, (*total, *parts, rows)))}."

    def _outcome(self, cell: ShareCell, score: SeatsScore, forfeits: int) -> dict[str, Any]:
        outcome: dict[str, Any] = {"cell": cell.name, "planner": cell.planner, "games": score.games}
        for kind, paper in zip(KINDS, cell.paper or (None, None, None), strict=True):
            share = score.share(kind)
            outcome[kind] = {"share": share.rate, "interval": list(share.interval()), "paper": None}
            if paper is not None:
                reported = Reported(paper / 100, self.size)
                outcome[kind] |= {"paper": reported.rate, "difference": list(difference_interval(share, reported))}
        if cell.opponent is not None:
            outcome["opponent"] = cell.opponent
        if cell.budget is not None:
            outcome["budget"] = cell.budget
        return {**outcome, "replication": cell.replication, "forfeits": forfeits}


def _size(share: dict[str, Any]) -> str:
    """The verdict on a share: with more than two sides a half separates nobody, so there is no winner to compare."""
    low, high = share["difference"]
    return size_verdict((low, high))


def _row(outcome: dict[str, Any], compared: bool) -> tuple[str, ...]:
    row = [outcome["cell"], str(outcome["games"])]
    for kind in KINDS:
        found = outcome[kind]
        low, high = found["interval"]
        share = f"{100 * found['share']:.1f} ({100 * low:.1f}–{100 * high:.1f})"
        row.append(share)
        if compared:
            row += [""] * len(_COMPARED) if found["paper"] is None else _compared(found)
    return tuple(row)


def _compared(share: dict[str, Any]) -> list[str]:
    low, high = share["difference"]
    difference = difference_text(share["share"] - share["paper"], (low, high))
    return [f"{100 * share['paper']:.1f}", difference, _size(share)]
