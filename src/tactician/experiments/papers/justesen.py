"""Justesen, Mahlmann, Risi & Togelius 2017: seven agents on Hero Academy, OEP against MCTS, and their searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tactician.experiments.matches import Cell, MatchExperiment, Outcome, figure_name, unusual_budget
from tactician.experiments.searches import SearchCell, SearchExperiment, TurnStarts
from tactician.experiments.study import Counted, StudyExperiment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAPER = "Justesen et al. 2017"
_AGENTS = {
    "random": "Random",
    "greedy-action": "Greedy Action",
    "greedy-turn": "Greedy Turn",
    "mcts": "MCTS",
    "non-exploring-mcts": "Non-exploring MCTS",
    "bridge-burning-mcts": "BB-MCTS",
    "oep": "OEP",
}
_COLUMNS = tuple(_AGENTS)
# Rows' win percentages as printed. Two pairs do not add up to 100 there: the same games are compared with both cells.
_TABLE2: dict[str, tuple[float | None, ...]] = {
    "greedy-action": (100, None, 36, 51.5, 2, 7, 2),
    "greedy-turn": (100, 64, None, 88, 23, 26.5, 19.5),
    "mcts": (100, 48.5, 22, None, 0, 4.5, 2),
    "non-exploring-mcts": (100, 98, 77, 100, None, 80, 58),
    "bridge-burning-mcts": (100, 93, 73.5, 95.5, 20, None, 52),
    "oep": (100, 90, 80.5, 98, 42, 48, None),
}
_GAMES = 100
_ACROSS = ", by "
"""In the name of a cell for the same games, compared with the number across the diagonal."""


def _table2() -> tuple[Cell, ...]:
    cells = []
    for row, name in enumerate(_COLUMNS):
        for opponent in _COLUMNS[:row]:
            figure = _TABLE2[name][_COLUMNS.index(opponent)]
            assert figure is not None
            printed = {f"{name} v {opponent}": figure}
            across = _TABLE2[opponent][row] if opponent in _TABLE2 else None
            if across is not None and across + figure != 100:
                printed[f"{name} v {opponent}{_ACROSS}{opponent}'s row"] = 100 - across
            cells += [
                Cell(
                    name=label,
                    game="hero-academy:turn_limit=200",
                    planner=name,
                    opponent=opponent,
                    budget="ref:6000ms",
                    paper=value / 100,
                    paper_games=_GAMES,
                )
                for label, value in printed.items()
            ]
    return tuple(cells)


def cross_tables(experiment: MatchExperiment, outcomes: Sequence[Outcome]) -> dict[str, Figure]:
    """The table as the paper has it with its numbers below ours, a figure a reading; agents that played only."""
    from tactician.experiments.figures import Comparison, paper_cross_table_figure

    figures = {}
    for preset, budget in dict.fromkeys((outcome.preset, outcome.budget) for outcome in outcomes):
        chosen = [o for o in outcomes if (o.preset, o.budget) == (preset, budget) and _ACROSS not in o.cell.name]
        names = [name for name in _COLUMNS if any(name in (o.cell.planner, o.cell.opponent) for o in chosen)]
        if not chosen:
            continue
        cells = {
            (names.index(o.cell.planner), names.index(o.cell.opponent)): Comparison(
                o.cell.name, o.score, o.bounds, o.cell.paper, o.difference
            )
            for o in chosen
        }
        name = figure_name(experiment.name, preset, unusual_budget(chosen[0]))
        figures[name] = paper_cross_table_figure([_AGENTS[name] for name in names], cells)
    return figures


TABLE2 = MatchExperiment(
    name="justesen-table2",
    title="Seven agents, Hero Academy, 5 action points, 6 s a turn",
    paper=_PAPER,
    claim="OEP, non-exploring MCTS and bridge-burning MCTS beat the other four agents and do not differ significantly "
    "from each other.",
    cells=_table2(),
    size=_GAMES,
    seconds=90.0,
    draw=cross_tables,
)

_TURN_LIMITS = {1: 500, 3: 166, 5: 100, 10: 100, 15: 100, 20: 100, 25: 100}
_CLAIM, _CLAIMED_FROM = 0.55, 10
"""OEP's share of wins that the paper claims, and from how many action points on."""

FIG5 = MatchExperiment(
    name="justesen-fig5",
    title="OEP's win % against three MCTS variants over action points, 2 s a turn",
    paper=_PAPER,
    claim="OEP wins 55 % or more against each MCTS variant at 10 action points and more; MCTS is ahead at few.",
    cells=tuple(
        Cell(
            name=f"{opponent} {points} AP",
            game=f"hero-academy:action_points={points},turn_limit={limit}",
            planner="oep",
            opponent=opponent,
            budget="ref:2000ms",
            paper=None,
            paper_games=_GAMES,
            claim=_CLAIM if points >= _CLAIMED_FROM else None,
            parameter=points,
        )
        for opponent in ("bridge-burning-mcts", "non-exploring-mcts", "mcts")
        for points, limit in _TURN_LIMITS.items()
    ),
    axis="action points",
    size=_GAMES,
    seconds=25.0,
    note="The claim *holds* where our 95 % interval lies at or above 55 %, *agrees* where only our rate does, is "
    "*below* where only some of the interval does, and is *contradicted* where the interval lies below. Reproduced "
    "means that it holds, undecided that it agrees or is below.",
)

SEARCH = SearchExperiment(
    name="justesen-search",
    title="What a search of 6 s a turn looks like inside, Hero Academy",
    paper=_PAPER,
    claim="In 6 s Greedy Turn sees 579,912 different outcomes of a turn, OEP 9,344 in 3,693 generations, MCTS 201 in "
    "258,488 iterations with leaves 4.86 plies deep in the mean and 6.38 at most, at about 60 actions a choice.",
    cells=(
        SearchCell("greedy-turn", {"unique_outcomes": 579_912}),
        SearchCell("oep", {"iterations": 3_693, "unique_outcomes": 9_344}),
        SearchCell(
            "mcts",
            {
                "iterations": 258_488,
                "unique_outcomes": 201,
                "mean_depth": 4.86,
                "max_depth": 6.38,
                "branching": 60,
            },
        ),
        *map(SearchCell, ("non-exploring-mcts", "bridge-burning-mcts", "greedy-oep", "emcts")),
    ),
    source=TurnStarts("hero-academy:turn_limit=200", planner="oep", budget="60its", first_turn=6, turns_between=4),
    budget="ref:6000ms",
    journal="search",
    size=20,
    seconds=1.3,
    note="Positions are beginnings of turns in games that OEP plays against itself.",
)

HUMANS = StudyExperiment(
    name="justesen-humans",
    title="Table III: people of three skills against OEP, hidden hands and random draws",
    paper=_PAPER,
    claim="Beginners win 50 % of the finished games, intermediate players 92 %, experts all; with unfinished games "
    "judged 42 %, 79 % and 95 %. The paper prints 80 % for all finished games, which are 41 of 55, 74.5 %.",
    finished={"beginner": Counted(13, 26), "intermediate": Counted(12, 13), "expert": Counted(16, 16)},
    judged={"beginner": Counted(19, 45), "intermediate": Counted(15, 19), "expert": Counted(20, 21)},
    size=85,
    seconds=0.02,
    note="A game that nobody finished is judged by the evaluation, unless the lead is under 10 % of the maximum. "
    "'tactician serve --study --store FILE' collects games; give the same file with --out.",
)

EXPERIMENTS = (TABLE2, FIG5, SEARCH, HUMANS)
