"""Hidden information: what planners that deal with it gain at equal work, and why guessing more often does not pay.

No paper has these tables. `hidden-planners` compares single guess, several guesses, information sets and cheating;
`hidden-budget` takes the budget apart that several guesses share; `hidden-guesses` looks at single positions.
"""

from __future__ import annotations

from tactician.experiments.guesses import GuessCell, GuessExperiment
from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.searches import TurnStarts

_PAPER = "beyond the papers"
_GAMES = 400
_WORLDS = 5
_EVALUATIONS = 2000
_BUDGET = f"{_EVALUATIONS}evals"
_LESS, _MORE = f"{_EVALUATIONS // _WORLDS}evals", f"{_EVALUATIONS * _WORLDS}evals"

_HERO_ACADEMY, _LOCM = "hero-academy:information=hidden,draws=shuffled", "locm"
_OPEN = {_HERO_ACADEMY: "hero-academy:information=open,draws=shuffled", _LOCM: "locm:information=open"}
_SHORT = {_HERO_ACADEMY: "Hero Academy", _LOCM: "LOCM"}
_EVOLUTION = {_HERO_ACADEMY: "oep", _LOCM: "permutation-oep"}
_GAMES_AND_PLANNERS = tuple((game, planner) for game in _SHORT for planner in (_EVOLUTION[game], "mcts"))
_NOTE = "The opponent plans on a single guess; every start is played from both seats."


def _cell(name: str, game: str, planner: str, opponent: str, title: str | None = None) -> Cell:
    return Cell(
        name=f"{title or _SHORT[game]}: {name}",
        game=game,
        planner=planner,
        opponent=opponent,
        budget=_BUDGET,
        paper=None,
        paper_games=_GAMES,
    )


def _against_single_guess(game: str, planner: str) -> tuple[Cell, ...]:
    several = f"determinized:planner={planner},worlds={_WORLDS}"
    return (
        _cell(f"cheating {planner} v {planner}", game, f"clairvoyant:planner={planner}", planner),
        _cell(f"{_WORLDS} guesses, vote, v {planner}", game, several, planner),
        _cell(f"{_WORLDS} guesses, mean, v {planner}", game, f"{several},combine=mean", planner),
        _cell(f"information sets v {planner}", game, "information-set-mcts", planner),
    )


def _deeper(game: str) -> tuple[Cell, ...]:
    """Rollouts that finish the opponent's turn as well: then the hidden cards are played before a turn is judged."""
    planner = "mcts:rollout_turns=2"
    return (
        _cell(f"cheating {planner} v {planner}", game, f"clairvoyant:planner=({planner})", planner),
        _cell(f"information sets, 2 turns, v {planner}", game, "information-set-mcts:rollout_turns=2", planner),
    )


PLANNERS = MatchExperiment(
    name="hidden-planners",
    title="Planners for hidden information against a single guess at equal work",
    paper=_PAPER,
    claim="No paper has this table. If hidden information matters, cheating wins, and guessing gains part of that.",
    cells=(
        *(cell for pair in _GAMES_AND_PLANNERS for cell in _against_single_guess(*pair)),
        *(cell for game in _SHORT for cell in _deeper(game)),
    ),
    presets=("paper",),
    size=_GAMES,
    seconds=0.4,
    note=_NOTE,
)


def _budget_cells(game: str) -> tuple[Cell, ...]:
    planner = _EVOLUTION[game]
    several = f"determinized:planner={planner},worlds={_WORLDS}"
    return (
        _cell(f"1/{_WORLDS} of the budget", game, f"{planner}:budget={_LESS}", planner),
        _cell(f"{_WORLDS} guesses of the same state, nothing hidden", _OPEN[game], several, planner, _SHORT[game]),
        _cell(f"{_WORLDS} guesses, {_WORLDS} times the budget, vote", game, f"{several},budget={_MORE}", planner),
        _cell(
            f"{_WORLDS} guesses, {_WORLDS} times the budget, mean",
            game,
            f"{several},combine=mean,budget={_MORE}",
            planner,
        ),
        _cell(f"1 guess, {_WORLDS} times the budget", game, f"{planner}:budget={_MORE}", planner),
    )


BUDGET = MatchExperiment(
    name="hidden-budget",
    title="What several guesses cost and gain at different budgets",
    paper=_PAPER,
    claim="No paper has this table. If splitting the budget is what costs, a fifth of it loses as much, and so do "
    "guesses where nothing is hidden; if guesses gain anything, they win with a whole budget each.",
    cells=tuple(cell for game in _SHORT for cell in _budget_cells(game)),
    presets=("paper",),
    size=_GAMES,
    seconds=0.6,
    note=_NOTE,
)


GUESSES = GuessExperiment(
    name="hidden-guesses",
    title="How much a turn depends on the guess",
    paper=_PAPER,
    claim="No paper has this table. If what is hidden matters, turns differ more between guesses than between seeds.",
    cells=tuple(
        GuessCell(f"{planner}, {_SHORT[game]}", planner, _BUDGET, TurnStarts(game, _EVOLUTION[game], _LESS, 4, 3))
        for game, planner in (
            *_GAMES_AND_PLANNERS,
            *((game, "mcts:rollout_turns=2") for game in _SHORT),
        )
    ),
    size=100,
    seconds=0.3,
    note="A turn is the same if the player sees the same after it. Positions of one game depend on each other, so the "
    "intervals are somewhat too narrow.",
)

EXPERIMENTS = (PLANNERS, BUDGET, GUESSES)
