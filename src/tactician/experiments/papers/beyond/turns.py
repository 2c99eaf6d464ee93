"""Hero Academy and Amazons: looking at the reply, no work twice, learned evaluations."""

from __future__ import annotations

from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.papers.beyond.cells import (
    AUTO,
    BATTLE,
    COUNTED,
    GAMES,
    HERO_ACADEMY,
    OURS,
    POINTS,
    TURN,
    battle,
    cell,
)
from tactician.experiments.searches import SearchCell, SearchExperiment, TurnStarts

REPLIES = MatchExperiment(
    name="beyond-replies",
    title="Turns judged by the opponent's best answer against EMCTS, Hero Academy",
    paper=OURS,
    claim="A planner that looks at the reply beats one that stops at the end of its own turn.",
    presets=("paper",),
    cells=(
        *(
            cell(
                f"{points} AP, {evaluation} evaluation",
                HERO_ACADEMY[points],
                f"reply:evaluation={evaluation}",
                f"emcts:evaluation={evaluation}",
                TURN,
            )
            for evaluation in ("default", "paper")
            for points in POINTS
        ),
        *(
            cell(
                f"5 AP, {label}",
                HERO_ACADEMY[5],
                f"reply:evaluation=default,{options}",
                "emcts:evaluation=default",
                TURN,
            )
            for label, options in {
                "16 proposals": "keep=16",
                "100 proposals": "keep=100",
                "1000 proposals": "keep=1000",
                "a quarter for answers": "share=0.25",
                "three quarters for answers": "share=0.75",
                "answers by Greedy Action": "answer=greedy-action",
                "answers by Greedy Turn": "answer=greedy-turn",
                "answers valued before the turn ends": "judged=before",
                "proposals by OEP": "planner=oep",
                "proposals by Greedy Turn": "planner=greedy-turn",
            }.items()
        ),
        *(
            cell(
                f"{points} AP, {budget}00,000 evaluations, {label}",
                HERO_ACADEMY[points],
                planner,
                "emcts:evaluation=default",
                f"{budget}00000evals",
            )
            for budget, label, planner in (
                (1, "answers by EMCTS", "reply:evaluation=default,answer=emcts"),
                (1, "answers by EMCTS that count half", "reply:evaluation=default,answer=emcts,trust=0.5"),
                (1, "auto with EMCTS", AUTO.format("default")),
                (4, "answers by EMCTS", "reply:evaluation=default,answer=emcts"),
            )
            for points in POINTS
        ),
    ),
    size=GAMES,
    seconds=2.0,
    note=COUNTED,
)

AMAZONS = MatchExperiment(
    name="beyond-amazons",
    title="auto and its parts against the papers' planners, Amazons 10 × 10",
    paper=OURS,
    claim="Looking at the answer separates planners also where a turn is three decisions.",
    presets=("paper",),
    cells=(
        *(
            cell(f"{planner} against {opponent}", "amazons", planner, opponent, BATTLE)
            for planner, opponents in {
                "auto": ("emcts", "oep", "non-exploring-mcts", "mcts"),
                "coevolution": ("emcts", "non-exploring-mcts"),
            }.items()
            for opponent in opponents
        ),
        *(
            cell(f"50 ms, auto against {opponent}", "amazons", "auto", opponent, "50ms")
            for opponent in ("emcts", "oep", "non-exploring-mcts", "mcts")
        ),
        cell("50 ms, auto against auto without the own next turn", "amazons", "auto", "auto:further=0", "50ms"),
    ),
    size=GAMES,
    seconds=1.5,
    note=COUNTED + " Cells with 50 ms a turn need an idle machine.",
)

EVALUATIONS = MatchExperiment(
    name="beyond-evaluations",
    title="Evaluations learned from self-play against the usual ones",
    paper=OURS,
    claim="A weighted sum of features, learned from the results of self-play, judges positions better.",
    presets=("paper",),
    cells=(
        battle("LOCM, auto, board", AUTO.format("board")),
        battle("LOCM, auto, learned", AUTO.format("learned")),
        cell("LOCM, learned against board", "locm", AUTO.format("learned"), AUTO.format("board"), BATTLE),
        *(
            cell(
                f"Hero Academy, {points} AP",
                HERO_ACADEMY[points],
                "emcts:evaluation=learned",
                "emcts:evaluation=default",
                TURN,
            )
            for points in POINTS
        ),
        *(
            cell(
                f"Hero Academy, {points} AP, fitted",
                HERO_ACADEMY[points],
                "emcts:evaluation=fitted",
                "emcts:evaluation=default",
                TURN,
            )
            for points in POINTS
        ),
        cell(
            "Hero Academy, answers, 5 AP",
            HERO_ACADEMY[5],
            "reply:evaluation=learned,answer=emcts",
            "reply:evaluation=default,answer=emcts",
            TURN,
        ),
        cell(
            "Amazons",
            "amazons",
            "non-exploring-mcts:evaluation=learned",
            "non-exploring-mcts:evaluation=default",
            "300evals",
        ),
    ),
    size=GAMES,
    seconds=1.0,
    note=COUNTED
    + " A learned evaluation takes longer to compute; that is not counted here. Fitted weights don't: they "
    "are those of the usual evaluation with other numbers.",
)

_EQUAL_TIME = {10: (100_000, 660_000), 15: (100_000, 750_000)}
"""Iterations of co-evolution and evaluations of EMCTS that take about the same CPU time in games, by action points."""


def _long_turns() -> tuple[Cell, ...]:
    opponent, short = "emcts:evaluation=default", HERO_ACADEMY[5]
    strongest = "auto:evaluation=strongest"
    cells = [cell("5 AP, auto", short, "auto:evaluation=default", opponent, "100000evals")]
    cells += [
        cell(f"{points} AP, strongest auto", HERO_ACADEMY[points], strongest, opponent, "100000evals")
        for points in POINTS
    ]
    for points, (iterations, evaluations) in _EQUAL_TIME.items():
        for planner in ("coevolution", "annealing"):
            ours = f"{planner}:evaluation=default,budget={iterations}its"
            game = HERO_ACADEMY[points]
            cells.append(cell(f"{points} AP, {planner}", game, ours, opponent, f"{evaluations}evals"))
        fitted = f"coevolution:evaluation=fitted,budget={iterations}its"
        cells.append(cell(f"{points} AP, coevolution, fitted", game, fitted, opponent, f"{evaluations}evals"))
        same = "emcts:evaluation=fitted"
        cells.append(cell(f"{points} AP, coevolution, both fitted", game, fitted, same, f"{evaluations}evals"))
    for points in POINTS:
        game = HERO_ACADEMY[points]
        for planner in ("auto", "coevolution"):
            cells.append(
                cell(f"200 ms, {points} AP, {planner}", game, f"{planner}:evaluation=default", opponent, "200ms")
            )
        cells.append(cell(f"200 ms, {points} AP, strongest auto", game, strongest, opponent, "200ms"))
    return tuple(cells)


TURNS = MatchExperiment(
    name="beyond-turns",
    title="Annealing and co-evolution of turns against EMCTS, Hero Academy",
    paper=OURS,
    claim="Annealing finds better turns than EMCTS in the same time; judging them by co-evolved replies wins games.",
    presets=("paper",),
    cells=_long_turns(),
    size=GAMES,
    seconds=4.0,
    note="Where auto has no milliseconds, both sides have the same number of evaluations. The other cells with 10 and "
    "15 action points give EMCTS the budget in the table and the other planner 100,000 iterations, which took about as "
    "much CPU time in trial games, so other load on the machine does not matter. Cells with 200 ms need an idle "
    "machine.",
)

_WORK = {
    "EMCTS, halving": ("emcts", "halving=True"),
    "EMCTS, widening 0.5": ("emcts", "widening=0.5"),
    "EMCTS, widening 0.75": ("emcts", "widening=0.75"),
    "EMCTS, halving and widening 0.5": ("emcts", "halving=True,widening=0.5"),
    "EMCTS, by rating": ("emcts", "order=rating"),
    "EMCTS, tabu": ("emcts", "tabu=True"),
    "EMCTS, by rating, tabu": ("emcts", "order=rating,tabu=True"),
    "OEP, tabu": ("oep", "tabu=True"),
    "greedy OEP, tabu": ("greedy-oep", "tabu=True"),
}
"""Planners with and without an option against doing work twice."""

WORK = MatchExperiment(
    name="beyond-work",
    title="EMCTS and OEP that avoid doing work twice against themselves without it, Hero Academy",
    paper=OURS,
    claim="A deeper tree, sequential halving and turns that end differently make better use of evaluations.",
    presets=("paper",),
    cells=tuple(
        cell(
            f"{label}, {points} AP",
            HERO_ACADEMY[points],
            f"{planner}:evaluation=default,{options}",
            f"{planner}:evaluation=default",
            TURN,
        )
        for label, (planner, options) in _WORK.items()
        for points in (5, 10)
    ),
    size=GAMES,
    seconds=0.5,
    note=COUNTED,
)

OUTCOMES = SearchExperiment(
    name="beyond-outcomes",
    title="Different ends of a turn that planners judge with 200,000 evaluations, Hero Academy, 10 action points",
    paper=OURS,
    claim="Planners that evolve turns judge the same ends of a turn again and again; annealing judges each once.",
    presets=("paper",),
    cells=tuple(map(SearchCell, ("oep", "greedy-oep", "emcts", "annealing", "coevolution"))),
    source=TurnStarts(HERO_ACADEMY[10], planner="emcts", budget="5000evals", first_turn=2, turns_between=2),
    budget="200000evals",
    journal="beyond-outcomes",
    size=20,
    seconds=0.3,
    note="Sequences are turns that were judged, transposition hits turns that ended in a known state and were not "
    "judged. Greedy repairs take most of the evaluations. Co-evolution judges turns anew when replies change.",
)
