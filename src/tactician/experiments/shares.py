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
from tactician.experiments.report import ExperimentReport
from tactician.experiments.tally import REPRODUCED, Judgement, Tally, is_at_ceiling, relative_budget, tally

_COMPARED = ("paper", "verdict")


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
        """All three shares of every agent."""
        outcomes = [outcome for outcome in document["outcomes"] if outcome["wins"]["paper"] is not None]
        if not outcomes:
            return ()
        shares = [outcome[kind] for outcome in outcomes for kind in KINDS]
        judged = [Judgement(_size(share), at_ceiling=is_at_ceiling(share["paper"])) for share in shares]
        budget = relative_budget(document["budget"], self.budget)
        return (tally(self.presets[0], budget, [o["games"] for o in outcomes], self.size, judged),)

    def _verdict(self, document: dict[str, Any]) -> str:
        compared = [outcome for outcome in document["outcomes"] if outcome["wins"]["paper"] is not None]
        rows = contrasts_sentence(self._contrasts(document))
        if not compared:
            return f"{rows or 'nothing to compare'}."
        parts = []
        for kind in KINDS:
            words = [_size(outcome[kind]) for outcome in compared]
            parts.append(f"{kind}: {words.count(REPRODUCED)} of {len(words)} reproduced")
        total = [one.sentence(len(self.presets) > 1) for one in self.tallies(document)]
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
            row += ["", ""] if found["paper"] is None else [f"{100 * found['paper']:.1f}", _size(found)]
    return tuple(row)
