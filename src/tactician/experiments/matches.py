"""Experiments made of matches: cells, each a match of two planners with the paper's figure beside it.

A cell is played as a tournament of two, so it resumes, is stored game by game, and can be asked for more games later.
A preset decides the reading of the paper; a smaller budget or fewer games than the paper's are said in every report.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.arena.records import GameRecord
from tactician.arena.schedule import TournamentPlan, as_names
from tactician.arena.scoring import DRAW, ClusteredScore, clustered_score, points_of, start_of
from tactician.arena.statistics import (
    PairedScore,
    Reported,
    Score,
    difference_interval,
    size_verdict,
    sprt,
    winner_verdict,
)
from tactician.arena.store import ResultStore, open_store
from tactician.arena.tournament import Tournament, run
from tactician.errors import InvalidParameterError
from tactician.experiments import claims
from tactician.experiments.base import Experiment, RunRequest, is_chosen
from tactician.experiments.match_tables import differences_sentence, outcome_row, pooled_table
from tactician.experiments.report import ExperimentReport
from tactician.experiments.tally import (
    UNDECIDED,
    Judgement,
    Tally,
    is_at_ceiling,
    is_illustration,
    relative_budget,
    tally,
)
from tactician.games.registry import with_parameter
from tactician.planners.presets import game_reading, with_preset

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PLAYED = ("budget", "games", "ours", "95 % interval")
_HEAD = ("cell", "preset", *_PLAYED, "paper", "difference (95 %)")
_HEAD_WITHOUT_PAPER = ("cell", *_PLAYED, "result")
_STRONGER, _WEAKER, _LEVEL = "stronger", "weaker", "level"
_EQUAL, _BETTER = 0.5, 0.6
"""The hypotheses of the sequential test where there is no figure to compare with."""
_VERDICTS, _CLAIM_VERDICT = ("size", "winner"), ("verdict",)
_DRAWS_HEAD = ("draws", "ours with draws as half")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One number of a paper: how often the first planner beats the second."""

    name: str
    game: str
    planner: str
    opponent: str
    budget: str
    """The paper's own; a run may scale it."""
    paper: float | None
    """The paper's win percentage, as a fraction; None where it prints none."""
    paper_games: int
    paper_spread: float | None = None
    """The standard deviation that the paper prints beside it, as a fraction."""
    claim: float | claims.Best | claims.Level | None = None
    """What the paper claims without a figure: at least this rate, the best of the experiment, or no difference."""
    group: str = ""
    """Cells of one figure."""
    parameter: float | None = None
    """Where the cell stands on the figure's axis."""
    counted: bool = True
    """Whether its figure is one of the paper's here: not where something is changed on purpose or a cell repeated."""
    reading: str = ""
    """How it reads what the paper leaves open, where an experiment has several ways; they are counted apart."""
    pool: str = ""
    """The cells with which its difference from the paper is pooled; those of the same match if not given."""
    variants: Mapping[str, str] = field(default_factory=dict)
    """The first planner in readings that give it other parameters, by reading."""
    mixed: bool = False
    """Take the planners as they are named; only the game is set by the reading."""

    @property
    def match(self) -> tuple[str, str, str, str]:
        """What is played: cells that have it in common are the same games, beside several printed figures."""
        return self.game, self.planner, self.opponent, self.budget

    def agents(self, preset: str) -> tuple[str, str]:
        """Both agents with the parameters of a reading."""
        if self.mixed:
            return self.planner, self.opponent
        planner = self.variants.get(preset, self.planner)
        return _in_reading(planner, preset), _in_reading(self.opponent, preset)

    def plan(self, games: int, budget: str | None, preset: str, seed: int) -> TournamentPlan:
        """The cell as a tournament of two in one reading of the paper."""
        agents = self.agents(preset)
        game = with_parameter(self.game, "preset", game_reading(preset))
        return TournamentPlan(game, as_names(agents), games, budget or self.budget, seed)


def _in_reading(name: str, preset: str) -> str:
    """A planner with the parameters of a reading; other agents have none."""
    agent = parse_agent(name)
    return str(with_preset(agent.planner, preset)) if isinstance(agent, PlannerSpec) else str(agent)


@dataclass(frozen=True)
class PlayedCell:
    """A cell that has just been played, in one reading."""

    cell: Cell
    preset: str
    budget: str
    score: PairedScore | ClusteredScore
    forfeits: int = 0
    details: dict[str, Any] = field(default_factory=dict)
    planned: int = 0
    """How many games were played, those included that the score leaves out."""

    @property
    def reported(self) -> Reported | None:
        """The paper's figure. Where our games depend on each other by more than their start, the paper's do as much."""
        if self.cell.paper is None or self.score.games == 0:
            return None
        clustered = isinstance(self.score, ClusteredScore)
        worth = min(1.0, self.score.effective_games / self.score.games) if clustered else 1.0
        return Reported(self.cell.paper, self.cell.paper_games, worth)

    @property
    def claim_verdict(self) -> str:
        """How ours compares with 'at least' or 'no difference', where the paper claims that."""
        if not self.score.games:
            return ""
        if self.cell.claim == claims.LEVEL:
            return claims.level_verdict(self.score)
        return claims.claim_verdict(self.score, self.cell.claim) if isinstance(self.cell.claim, float) else ""

    @property
    def undecided(self) -> bool:
        """Whether more games could decide how ours compares with the paper's figure or claim, or who is stronger."""
        if self.score.games == 0 or self.cell.claim == claims.BEST:
            return False
        if self.cell.claim is not None:
            return claims.CLAIM_JUDGEMENTS[self.claim_verdict] == UNDECIDED
        if self.reported is None:
            return sequential_result(_tested(self.score)) == UNDECIDED
        size = size_verdict(difference_interval(self.score, self.reported))
        return UNDECIDED in (size, winner_verdict(self.score.interval(), self.reported.interval()))

    def to_json(self, verdict: str | None) -> dict[str, Any]:
        """The cell as a row of a results file; `verdict` is the one on a claim, None where there are no claims."""
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
            **({"pairs": list(self.score.pairs)} if isinstance(self.score, PairedScore) else {}),
            "score": self.score.rate,
            "interval": [low, high],
            "paper": self.cell.paper,
            "paper_games": self.cell.paper_games,
            "paper_interval": self.reported and list(self.reported.interval()),
            "difference": self.reported and list(difference_interval(self.score, self.reported)),
            **({} if verdict is None else {"verdict": verdict}),
            "forfeits": self.forfeits,
            **({"details": self.details} if self.details else {}),
            **({} if self.cell.claim is None else {"claim": self.cell.claim}),
        }


@dataclass(frozen=True)
class Outcome:
    """A row of a results file with the cell it belongs to."""

    cell: Cell
    preset: str
    budget: str
    games: int
    score: float
    bounds: tuple[float, float]
    """The 95 % interval of the score."""
    paper_bounds: tuple[float, float] | None
    """The 95 % interval of the paper's figure; None where it prints none."""
    difference: tuple[float, float] | None
    """The 95 % interval of ours minus the paper's; None where the paper prints no figure."""
    claim_verdict: str
    """What became of a claim without a figure."""
    tested: str
    """Who is stronger, by a sequential test; see `sequential_result`."""
    forfeits: int
    details: dict[str, Any]

    @property
    def counted(self) -> bool:
        """Whether it is one of the paper's figures or claims, at a budget of the same kind."""
        return self.cell.counted and not is_illustration(self.budget, self.cell.budget)

    @property
    def size(self) -> str:
        """The verdict on the size of the figure; empty where the paper prints none."""
        return "" if self.difference is None else size_verdict(self.difference)

    @property
    def result(self) -> str:
        """Who is stronger: what the sequential test leaves open, the interval decides at full size."""
        if self.tested != UNDECIDED or self.games < self.cell.paper_games:
            return self.tested
        low, high = self.bounds
        return _STRONGER if low > DRAW else _WEAKER if high < DRAW else UNDECIDED

    @property
    def winner(self) -> str:
        """The verdict on who wins; empty where the paper prints no figure."""
        return "" if self.paper_bounds is None else winner_verdict(self.bounds, self.paper_bounds)


Draw = Callable[["MatchExperiment", Sequence[Outcome]], "dict[str, Figure]"]


@dataclass(frozen=True, kw_only=True)
class MatchExperiment(Experiment):
    """A table or a figure whose numbers are win percentages of two planners."""

    options: ClassVar[tuple[str, ...]] = (*Experiment.options, "extend")

    presets: tuple[str, ...] = ("paper", "reference")
    cells: tuple[Cell, ...]
    axis: str = ""
    """The label of the axis on which cells with a `parameter` stand."""
    spread: str = ""
    """Over what the standard deviation in a cell's details is taken, where there is one."""
    details: Callable[[Tournament], dict[str, Any]] | None = None
    """What else is worked out from a cell's games."""
    cluster: Callable[[GameRecord], Hashable] | None = None
    """What games that depend on each other have in common, where it is more than the start."""
    all_pairs: bool = False
    """The cells are a table of all pairs: pool differences for every agent over its matches, from the others' side."""
    decisive: bool = False
    """Leave draws out of the score; the table then has their number and the score with draws as half a win."""
    draw: Draw | None = None
    """Figures besides the curves over `parameter`."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The cells of the table."""
        return tuple(cell.name for cell in self.cells)

    @property
    def cells_to_run(self) -> int:
        """A match that the paper prints twice is played once."""
        return len({cell.match for cell in self.cells})

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Play the games that are not in the store yet."""
        played = []
        with open_store(request.store) as store:
            for reading in self.readings(request.preset):
                played += self._play_reading(reading, store, request)
        return self.document(played)

    def _play_reading(self, reading: str, store: ResultStore, request: RunRequest) -> list[PlayedCell]:
        """Play the cells of a reading; if asked to, more games in those that are undecided."""
        cells = [cell for cell in self.cells if is_chosen(cell.name, request.only)]
        least = request.games or self.size
        played = []
        for cell in cells:
            games = least
            found = self._play(cell, reading, games, store, request)
            while request.extend and found.undecided and games < cell.paper_games:
                games = min(2 * games, cell.paper_games)
                found = self._play(cell, reading, games, store, request)
            played.append(found)
        most = {cell.match: max(one.planned for one in played if one.cell.match == cell.match) for cell in cells}
        played = [
            one
            if one.planned == most[one.cell.match]
            else self._play(one.cell, reading, most[one.cell.match], store, request)
            for one in played
        ]
        # Which cell is best is decided by all of them together.
        while request.extend and least < self.size and _best_is_open(played):
            least = min(2 * least, self.size)
            played = [self._play(cell, reading, least, store, request) for cell in cells]
        return played

    def _play(self, cell: Cell, reading: str, games: int, store: ResultStore, request: RunRequest) -> PlayedCell:
        """Play the games of a cell that are not in the store yet."""
        plan = cell.plan(games, request.budget, reading, request.seed)

        def after_game(result: Tournament) -> None:
            request.on_progress(f"{cell.name} ({reading})", len(result.records), result.total)

        result = run(plan, store, request.jobs, request.cluster, after_game)
        details = self.details(result) if self.details else {}
        if self.decisive:
            details |= _with_draws(result)
        return PlayedCell(cell, reading, plan.budget, self.score(result), len(result.errors), details, games)

    def score(self, result: Tournament) -> PairedScore | ClusteredScore:
        """The first planner's score in a cell's games."""
        if self.cluster is None and not self.decisive:
            return result.score(0, 1)
        cluster = self.cluster or start_of
        points = ((cluster(game), points_of(game, *result.names)) for game in result.games())
        return clustered_score((start, gained) for start, gained in points if gained != DRAW or not self.decisive)

    def document(self, played: Sequence[PlayedCell]) -> dict[str, Any]:
        """What was played, judged."""
        verdicts = [one.claim_verdict if self._has_claims else None for one in played]
        if self._claims_a_best:
            for key in dict.fromkeys((one.preset, one.budget) for one in played):
                rivals = [place for place, one in enumerate(played) if (one.preset, one.budget) == key]
                found = claims.best_verdicts([played[place].score for place in rivals])
                for place, word in zip(rivals, found, strict=True):
                    verdicts[place] = word
        rows = [one.to_json(word) for one, word in zip(played, verdicts, strict=True)]
        return {"experiment": self.name, "outcomes": rows}

    def outcomes(self, document: dict[str, Any]) -> list[Outcome]:
        """The rows of a document with their cells."""
        cells = {cell.name: cell for cell in self.cells}
        for row in document["outcomes"]:
            if row["cell"] not in cells:
                raise InvalidParameterError(f"a results file has the cell {row['cell']!r}, unknown in {self.name!r}.")
        return [
            Outcome(
                cells[row["cell"]],
                row["preset"],
                row["budget"],
                row["games"],
                row["score"],
                tuple(row["interval"]),
                row["paper_interval"] and tuple(row["paper_interval"]),
                row["difference"] and tuple(row["difference"]),
                row.get("verdict", ""),
                sequential_result(_tested_row(row)),
                row["forfeits"],
                row.get("details", {}),
            )
            for row in document["outcomes"]
        ]

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The table, a row a cell and reading; curves where cells have a parameter."""
        from tactician.experiments.match_figures import comparisons, curves

        outcomes = self.outcomes(document)
        figures = curves(self.name, self.axis, outcomes)
        if self.draw:
            figures |= self.draw(self, outcomes)
        if not figures:
            figures = comparisons(self.name, outcomes)
        spread = any("sd" in outcome.details for outcome in outcomes)
        head: tuple[str, ...] = (*_HEAD, *(_CLAIM_VERDICT if self._has_claims else _VERDICTS))
        if not self._has_paper:
            head = _HEAD_WITHOUT_PAPER
        head += (f"sd over {self.spread}", "paper's") if spread else ()
        return self.reported(
            verdict=self._verdict(document, outcomes),
            summary=self._summary(outcomes),
            head=(*head, *_DRAWS_HEAD) if self.decisive else head,
            rows=tuple(outcome_row(outcome, self._has_paper, self._has_claims) for outcome in outcomes),
            document=document,
            figures=figures,
            more=pooled_table(outcomes, self.all_pairs),
        )

    def tallies(self, document: dict[str, Any]) -> tuple[Tally, ...]:
        """The cells of each reading and relative budget that count, by their verdicts."""
        groups: dict[tuple[str, str], list[Outcome]] = {}
        for outcome in self.outcomes(document):
            if outcome.counted:
                key = self._reading_of(outcome), relative_budget(outcome.budget, outcome.cell.budget)
                groups.setdefault(key, []).append(outcome)
        found = []
        for (reading, budget), chosen in groups.items():
            judged = self._judgements(chosen)
            if judged:
                games = [outcome.games for outcome in chosen]
                found.append(tally(reading, budget, games, self.size, judged, self._has_claims))
        return tuple(found)

    def _reading_of(self, outcome: Outcome) -> str:
        presets = [outcome.preset] if len(self.presets) > 1 or not outcome.cell.reading else []
        return ", ".join((*presets, *filter(None, [outcome.cell.reading])))

    @property
    def _has_paper(self) -> bool:
        """Whether a paper prints or claims anything that the cells are compared with."""
        return any(cell.paper is not None or cell.claim is not None for cell in self.cells)

    @property
    def _claims_a_best(self) -> bool:
        return any(cell.claim == claims.BEST for cell in self.cells)

    @property
    def _has_claims(self) -> bool:
        return any(cell.claim is not None for cell in self.cells)

    def _judgements(self, outcomes: Sequence[Outcome]) -> list[Judgement]:
        """What each figure or claim that the paper has counts as."""
        if not self._has_claims:
            judged = [outcome for outcome in outcomes if outcome.cell.paper is not None and outcome.size]
            return [Judgement(one.size, one.winner, is_at_ceiling(one.cell.paper or 0.0)) for one in judged]
        claimed = [outcome for outcome in outcomes if outcome.cell.claim is not None and outcome.claim_verdict]
        if not self._claims_a_best:
            return [Judgement(claims.CLAIM_JUDGEMENTS[outcome.claim_verdict]) for outcome in claimed]
        words = [outcome.claim_verdict for outcome in outcomes]
        return [
            Judgement(claims.best_judgement(one.claim_verdict, words))
            for one in claimed
            if one.cell.claim == claims.BEST
        ]

    def _verdict(self, document: dict[str, Any], outcomes: Sequence[Outcome]) -> str:
        if not self._has_paper:
            words = [outcome.result for outcome in outcomes]
            counts = ", ".join(f"{word} in {words.count(word)}" for word in (_STRONGER, _WEAKER, _LEVEL, UNDECIDED))
            return f"of {len(words)} cells the first planner is {counts} (sequential test)."
        if self._claims_a_best:
            readings: dict[str, list[tuple[str, str]]] = {}
            for outcome in outcomes:
                readings.setdefault(outcome.preset, []).append((outcome.cell.name, outcome.claim_verdict))
            said = [claims.best_conclusion(reading, verdicts) for reading, verdicts in readings.items()]
            return " ".join(filter(None, said)) or "too few cells to compare."
        tallies = self.tallies(document)
        found = [one.sentence(len(self.presets) > 1 or len(tallies) > 1) for one in tallies]
        found = found or [differences_sentence(outcomes)] * any(outcome.difference for outcome in outcomes)
        return f"{'; '.join(found)}." if found else "nothing to compare."

    def _summary(self, outcomes: Sequence[Outcome]) -> str:
        games = sorted({outcome.games for outcome in outcomes})
        budgets = sorted({outcome.budget for outcome in outcomes})
        count = f"{games[0]}" if len(games) == 1 else f"{games[0]} to {games[-1]}" if games else "no"
        full = "the paper" if self._has_paper else "full size"
        said = f"{count} games a cell ({full}: {self.size}); budget {', '.join(budgets)}."
        forfeits = sum(outcome.forfeits for outcome in outcomes)
        if forfeits:
            said += f" {forfeits} games were forfeited."
        return " ".join(filter(None, (said, self.note)))


def _best_is_open(played: Sequence[PlayedCell]) -> bool:
    """Whether more games could decide if the cell that a paper calls the best is the best."""
    words = claims.best_verdicts([one.score for one in played])
    claimed = (word for one, word in zip(played, words, strict=True) if one.cell.claim == claims.BEST)
    return any(word and claims.best_judgement(word, words) == UNDECIDED for word in claimed)


def _with_draws(result: Tournament) -> dict[str, Any]:
    """How many games were drawn, and the score with draws as half a win."""
    points = [points_of(game, *result.names) for game in result.games()]
    return {"draws": points.count(DRAW), "half_draws": sum(points) / len(points) if points else DRAW}


def sequential_result(score: Score | PairedScore) -> str:
    """Who is stronger, by two sequential tests of 'as strong' (50 %) against 'stronger' (60 %), one a side.

    They may be looked at after any number of games; each is wrong in 5 % of all cases. Neither stronger: level.
    """
    if isinstance(score, PairedScore):
        mirrored: Score | PairedScore = PairedScore(score.pairs[::-1], score.drawn_pairs)
    else:
        mirrored = Score(score.losses, score.draws, score.wins)
    ours, theirs = (sprt(one, p0=_EQUAL, p1=_BETTER).decision for one in (score, mirrored))
    if "stronger" in (ours, theirs):
        return _STRONGER if ours == "stronger" else _WEAKER
    return _LEVEL if ours == theirs == "not stronger" else UNDECIDED


def _tested(score: PairedScore | ClusteredScore) -> Score | PairedScore:
    """What the sequential test looks at: pairs where games were played in pairs."""
    return score if isinstance(score, PairedScore) else score.score


def _tested_row(row: dict[str, Any]) -> Score | PairedScore:
    """The same of a row of a results file; older ones have no pairs."""
    if "pairs" in row:
        return PairedScore(tuple(row["pairs"]))
    return Score(row["wins"], row["draws"], row["losses"])
