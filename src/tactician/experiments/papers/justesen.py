"""Justesen, Mahlmann, Risi & Togelius 2017: seven agents on Hero Academy, OEP against MCTS, and their searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tactician.experiments.claims import AT_LEAST_HALF, LEVEL, NO_DIFFERENCE, Level
from tactician.experiments.matches import Cell, MatchExperiment, Outcome
from tactician.experiments.searches import SearchCell, SearchExperiment, TurnStarts
from tactician.experiments.sizes import SizeCell, SizeExperiment
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
    from tactician.experiments.match_figures import figure_name, unusual_budget

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
    seconds=6.0,
    all_pairs=True,
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
    seconds=5.0,
    note="The claim *holds* where our 95 % interval lies at or above 55 %, *agrees* where only our rate does, is "
    "*below* where only some of the interval does, and is *contradicted* where the interval lies below. Confirmed "
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

# -- smaller claims ----------------------------------------------------------------------------------------------

_NOT_WORSE = 0.5


def _duel(name: str, planner: str, opponent: str, mixed: bool = False, claim: float | Level = _NOT_WORSE) -> Cell:
    """A match of two variants, of which the paper says that the first is not worse, or that neither is."""
    return Cell(
        name=name,
        game="hero-academy:turn_limit=200",
        planner=planner,
        opponent=opponent,
        budget="ref:6000ms",
        paper=None,
        paper_games=_GAMES,
        claim=claim,
        mixed=mixed,
    )


REINVOKE = MatchExperiment(
    name="justesen-reinvoke",
    title="MCTS with one search a turn against one search an action with an equal share of the budget",
    paper=_PAPER,
    claim="One search for the whole turn is superior to a search for each action (section V).",
    cells=(_duel("one search v one an action", "mcts", "mcts:reinvoke=True"),),
    size=_GAMES,
    seconds=16.0,
    note=AT_LEAST_HALF,
)

ROLLOUTS = MatchExperiment(
    name="justesen-rollouts",
    title="Rollouts of one turn against longer ones, and OEP's fitness without and with rollouts",
    paper=_PAPER,
    claim="Rollouts of just one turn show the best performance in MCTS (section VI); a rollout of the opponent's turn "
    "as OEP's fitness makes no significant difference (section IV).",
    cells=(
        _duel("mcts: 1 turn v 2", "mcts", "mcts:rollout_turns=2"),
        _duel("mcts: 1 turn v 4", "mcts", "mcts:rollout_turns=4"),
        _duel("oep: evaluation v rollout", "oep", "oep:rollouts=True", claim=LEVEL),
    ),
    size=_GAMES,
    seconds=60.0,
    note=f"{AT_LEAST_HALF} {NO_DIFFERENCE}",
)

PRUNING = MatchExperiment(
    name="justesen-pruning",
    title="Planners with action pruning against the same without",
    paper=_PAPER,
    claim="MCTS and OEP employ pruning of redundant swaps and of suboptimal spells (section VI); the paper gives no "
    "figure for what it brings.",
    cells=tuple(
        _duel(f"{name}: pruned v all actions", name, f"{name}:prune=False")
        for name in ("mcts", "non-exploring-mcts", "bridge-burning-mcts", "oep")
    ),
    size=_GAMES,
    seconds=25.0,
    note=AT_LEAST_HALF + " All actions include an early end of the turn.",
)

NORMALISE = MatchExperiment(
    name="justesen-normalise",
    title="MCTS with values scaled by those it has seen against values scaled by the game's range",
    paper=_PAPER,
    claim="The paper's UCT normalises values (section II); by what is not said. Its code divides by the range of the "
    "evaluation. The cell asks whether the running range is not worse.",
    cells=tuple(
        _duel(f"{name}: running v declared range", f"{name}:normalise=running", name)
        for name in ("mcts", "bridge-burning-mcts")
    ),
    size=_GAMES,
    seconds=30.0,
    note=AT_LEAST_HALF,
)

STYLES = MatchExperiment(
    name="justesen-styles",
    title="Greedy Turn and MCTS as described against as coded, everything else as coded",
    paper=_PAPER,
    claim="The paper calls sorting critical for Greedy Turn, and its code does not sort; it describes MCTS without the "
    "parts of its code that throw action points away. The cells ask whether what is described is not worse.",
    cells=(
        _duel(
            "Greedy Turn: sorted by rating v unsorted",
            "greedy-turn:ordering=rating,style=reference",
            "greedy-turn:style=reference",
            mixed=True,
        ),
        _duel("MCTS: as described v as coded", "mcts", "mcts:style=reference", mixed=True),
    ),
    presets=("reference",),
    size=_GAMES,
    seconds=17.0,
    note=AT_LEAST_HALF,
)

_OUTCOMES, _MEAN_DEPTH, _MAX_DEPTH, _BRANCHING, _ITERATIONS = 201, 4.86, 6.38, 60, 258_488
_DEEP_SHARE = (_MEAN_DEPTH - 4) / (_MAX_DEPTH - 4)
"""Leaves at the fifth ply or below must be at least this share, if their mean depth is what the paper prints."""
_DEEP_LEAVES = _OUTCOMES * (1 + _BRANCHING)
"""They are nodes of the fifth ply or children of one; so few trees reach the seventh that it does not matter."""
_LEAVES = round(_DEEP_LEAVES / _DEEP_SHARE)

OUTCOMES = SearchExperiment(
    name="justesen-outcomes",
    title="MCTS's unique outcomes in 258,488 iterations, Hero Academy",
    paper=_PAPER,
    claim="MCTS sees 201 different outcomes of a turn in 258,488 iterations, with leaves 4.86 plies deep in the mean "
    "and 6.38 at most.",
    cells=tuple(
        SearchCell(planner, {"unique_outcomes": _OUTCOMES, "mean_depth": _MEAN_DEPTH, "max_depth": _MAX_DEPTH})
        for planner in (
            "mcts",
            "mcts:transpositions=False",
            "mcts:exploration=2",
            "mcts:normalise=running",
            "bridge-burning-mcts",
            "non-exploring-mcts",
        )
    ),
    source=SEARCH.source,
    budget="258488its",
    journal="outcomes",
    size=20,
    seconds=1.0,
    note="Positions are beginnings of turns in games that OEP plays against itself. Variants show whether a setting "
    "exists that has all three figures at once. By the paper's own figures, leaves that are 4.86 plies deep in the "
    f"mean and 6.38 at most are at the fifth ply or below in at least {100 * _DEEP_SHARE:.0f} % of the cases; 201 "
    f"nodes of the fifth ply and {_BRANCHING} children of each are {_DEEP_LEAVES:,} such leaves at most, so a tree has "
    f"at most {_LEAVES:,} leaves, {100 * _LEAVES / _ITERATIONS:.0f} % of the iterations, each of which adds a node "
    "unless it meets a known state.",
)

SIZE = SizeExperiment(
    name="justesen-size",
    title="How large the game is: actions a choice, rounds of a game, turns, game tree and states",
    paper=_PAPER,
    claim="About 60 actions a choice and 40 rounds a game, so 60^5 = 7.78e8 turns and a game tree of 1.82e711 "
    "(Justesen et al., III-A); 30 to 40 actions between MCTS players, a mutation tree of about 30 an action point "
    "(Baier and Cowling).",
    game="hero-academy:turn_limit=200",
    action_points=5,
    cells=(
        SizeCell("random", "1its", {"actions": 60, "rounds": 40}),
        SizeCell("greedy-action", "200its", {"actions": 60, "rounds": 40}),
        SizeCell("oep", "60its", {"actions": 60, "rounds": 40}),
        SizeCell("mcts", "2000its", {"candidates": 35}),
        SizeCell("bridge-burning-mcts", "2000its", {"candidates": 35}),
        SizeCell("non-exploring-mcts", "2000its", {"candidates": 35}),
        SizeCell("emcts", "500its", {"mutations": 30}),
    ),
    presets=("paper", "reference"),
    size=20,
    seconds=2.0,
    states=(39, 26, 800, 199.2),
    note="Each planner plays against itself. Actions are legal ones, the early end of the turn left out; candidates "
    "are what pruning leaves; mutations are other candidates at the places of the turn, for each action point.",
)

EXPERIMENTS = (
    *(TABLE2, FIG5, SEARCH, HUMANS),
    *(REINVOKE, ROLLOUTS, PRUNING, NORMALISE, STYLES, OUTCOMES, SIZE),
)
