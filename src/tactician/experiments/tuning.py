"""The two parts of Montoliu et al. that are no matches: NTBEA's course (Fig. 3), and how many actions a turn has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tactician.arena.records import Pairing
from tactician.experiments.montoliu import BUDGET, GAME
from tactician.experiments.report import ExperimentReport
from tactician.games.locm.positions import paper_start
from tactician.games.locm.records import FEATURES
from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.tuning import NTBEA, MatchEvaluator, Space, Tuning
from tactician.tuning.figures import evolution_figure, landscape_figure

FIG3, ACTIONS = "montoliu-fig3", "montoliu-actions"
FIG3_TITLE = "The weights NTBEA recommends as it goes on, LOCM (Montoliu et al. 2020, Figure 3)"
ACTIONS_TITLE = "How many actions are possible in a turn of LOCM (Montoliu et al. 2020: 1 to 35, peaks near 5 and 15)"
EVALUATIONS = 10_000
EXPLORATION = 0.2
"""The paper gives none. Win rates differ by hundredths: with our general default, 2, the search hardly ever visits a
point twice and can't settle near 5,000 evaluations as the paper's did."""
GAMES = 60
_GAMES_A_SET = 12
_STRIDE = 10
"""Between the starts whose turns are counted, so that they are of many drafts."""
_STARTS_A_SET = 6
_SETS = 100
_PAPER = (3, -2, 5, 1, 1)


@dataclass(frozen=True)
class SetEvaluator(MatchEvaluator):
    """One of the paper's sets: the six pairs of decks of one draft and order, each from both sides."""

    def pairings(self, candidate: str, seed: int) -> list[tuple[Pairing, int]]:
        """The seed names the set."""
        return super().pairings(candidate, _STARTS_A_SET * (seed % _SETS))


def space() -> Space:
    """Six values for each weight; the second counts against a player."""
    values = {name: [0, 1, 2, 3, 4, 5] for name in FEATURES} | {"threat": [-5, -4, -3, -2, -1, 0]}
    return Space({f"weight.{name}": numbers for name, numbers in values.items()})


def run_fig3(
    evaluations: int | None = None,
    budget: str | None = None,
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    journal: str | None = None,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> ExperimentReport:
    """Tune the five weights against NoAI; the journal is taken up again where it ended."""
    wanted = evaluations or EVALUATIONS
    evaluator = SetEvaluator(GAME, "permutation-oep", ("no-ai",), _GAMES_A_SET, budget or BUDGET)

    def after(tuning: Tuning) -> None:
        if on_progress:
            on_progress(FIG3, tuning.evaluations, wanted)

    tuning = NTBEA(space(), seed=seed, exploration=EXPLORATION).run(evaluator, wanted, jobs, cluster, journal, after)
    best = tuning.recommendation
    rows = [
        (str(step.evaluations), *(str(step.best.point[n]) for n in tuning.search.space.names), f"{step.best.value:.3f}")
        for step in _thinned(tuning.evolution())
    ]
    weights = [best.point[f"weight.{name}"] for name in FEATURES]
    summary = (
        f"{FIG3_TITLE}. {tuning.evaluations} evaluations, each a set of 12 games against NoAI, {budget or BUDGET} a "
        f"turn. Recommended in the end: {weights}, which won {100 * best.mean:.1f} % in its own {best.visits} sets; "
        f"the paper's: {list(_PAPER)} (its second is a magnitude there), settled near 5,000."
    )
    return ExperimentReport(
        FIG3,
        summary,
        ("evaluations", *FEATURES, "estimated value"),
        tuple(rows),
        {"experiment": FIG3, "seed": seed, "paper": list(_PAPER), **tuning.to_json()},
        {
            FIG3: evolution_figure(tuning.search.space, tuning.evolution()),
            f"{FIG3}-landscape": landscape_figure(tuning),
        },
    )


def _thinned(history: list[Any]) -> list[Any]:
    """Every 500th evaluation, and the last."""
    return [step for step in history if step.evaluations % 500 == 0 or step is history[-1]]


def run_actions(
    games: int | None = None, seed: int = 0, on_progress: Callable[[str, int, int], None] | None = None
) -> ExperimentReport:
    """Count the possible actions at the start of every turn of games between two OEPs, the end of the turn left out."""
    from tactician.experiments.figures import histogram_figure

    wanted = games or GAMES
    game = load_game(GAME)
    counts = [0] * 80
    agents = [parse_planner("permutation-oep").on(game, seed=seed + seat) for seat in range(2)]
    for number in range(wanted):
        state = game.initial_state(seed=seed + _STRIDE * number)
        ply = 0
        while not state.is_over():
            counts[min(len(counts) - 1, len(state.possible_actions()) - 1)] += 1
            for action in agents[state.current_player()].plan(state, BUDGET, ply=1000 * number + ply).actions:
                state.apply(action)
            ply += 1
        if on_progress:
            on_progress(ACTIONS, number + 1, wanted)
    total = sum(counts)
    most = max(i for i, n in enumerate(counts) if n)
    within = sum(counts[1:36]) / total
    rows = tuple((str(i), str(n), f"{100 * n / total:.1f}") for i, n in enumerate(counts[: most + 1]))
    decks = len({paper_start(seed + _STRIDE * number).draft for number in range(wanted)})
    summary = (
        f"{ACTIONS_TITLE}. {total} turns of {wanted} games with decks of {decks} drafts; "
        f"{100 * within:.1f} % of the turns have 1 to 35, the most is {most}."
    )
    document = {"experiment": ACTIONS, "games": wanted, "seed": seed, "counts": counts[: most + 1]}
    return ExperimentReport(
        ACTIONS,
        summary,
        ("possible actions", "turns", "%"),
        rows,
        document,
        {ACTIONS: histogram_figure(counts[: most + 1], "possible actions in a turn")},
    )
