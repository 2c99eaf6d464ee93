"""Beyond the papers: planners that look at the reply, evaluations of what is there now, models of the opponents.

Nobody has printed these figures, so there is nothing to compare them with. Both sides of a match have the same budget,
and answers are paid from it.
"""

from __future__ import annotations

from tactician.experiments.matches import Cell, MatchExperiment

_OURS = "beyond the papers"
_GAMES = 400
_POINTS = (5, 10, 15)
_TURN = "20000evals"
_BATTLE = "5000evals"
_AUTO = "auto:evaluation={},planner=emcts"
_COUNTED = "Both sides have the same number of evaluations; those of answers are counted."


def _cell(name: str, game: str, planner: str, opponent: str, budget: str) -> Cell:
    return Cell(name=name, game=game, planner=planner, opponent=opponent, budget=budget, paper=None, paper_games=_GAMES)


HERO_ACADEMY = MatchExperiment(
    name="beyond-replies",
    title="Turns judged by the opponent's best answer against EMCTS, Hero Academy",
    paper=_OURS,
    claim="A planner that looks at the reply beats one that stops at the end of its own turn.",
    presets=("paper",),
    cells=(
        *(
            _cell(
                f"{points} AP, {evaluation} evaluation",
                f"hero-academy:action_points={points}",
                f"reply:evaluation={evaluation}",
                f"emcts:evaluation={evaluation}",
                _TURN,
            )
            for evaluation in ("default", "paper")
            for points in _POINTS
        ),
        *(
            _cell(
                f"5 AP, {label}",
                "hero-academy:action_points=5",
                f"reply:evaluation=default,{options}",
                "emcts:evaluation=default",
                _TURN,
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
            _cell(
                f"{points} AP, {budget}00,000 evaluations, {label}",
                f"hero-academy:action_points={points}",
                planner,
                "emcts:evaluation=default",
                f"{budget}00000evals",
            )
            for budget, label, planner in (
                (1, "answers by EMCTS", "reply:evaluation=default,answer=emcts"),
                (1, "answers by EMCTS that count half", "reply:evaluation=default,answer=emcts,trust=0.5"),
                (1, "auto", _AUTO.format("default")),
                (4, "answers by EMCTS", "reply:evaluation=default,answer=emcts"),
            )
            for points in _POINTS
        ),
    ),
    size=_GAMES,
    seconds=2.0,
    note=_COUNTED,
)

_LOCM_REPLY = "reply:planner=greedy-turn,answer={answer},guesses={guesses},evaluation={evaluation}"


def _battle(label: str, planner: str) -> Cell:
    return _cell(label, "locm", planner, "permutation-oep", _BATTLE)


LOCM = MatchExperiment(
    name="beyond-locm",
    title="The evaluation of the board and replies against permutation-OEP with the paper's heuristic, LOCM",
    paper=_OURS,
    claim="Counting what is on the board now and looking at the reply both help.",
    presets=("paper",),
    cells=(
        _battle("board", "permutation-oep:evaluation=board"),
        _battle("board, all turns", "greedy-turn:evaluation=board"),
        _battle("replies", _LOCM_REPLY.format(answer="greedy-turn", guesses=4, evaluation="paper")),
        *(
            _battle(
                f"board and replies by {label}, {guesses} guess{'es' if guesses > 1 else ''}",
                _LOCM_REPLY.format(answer=answer, guesses=guesses, evaluation="board"),
            )
            for label, answer in (("Greedy Turn", "greedy-turn"), ("Greedy Action", "greedy-action"))
            for guesses in (1, 4)
        ),
    ),
    size=_GAMES,
    seconds=0.5,
    note=_COUNTED + " The draft is the same on both sides.",
)

EVALUATIONS = MatchExperiment(
    name="beyond-evaluations",
    title="Evaluations learned from self-play against the usual ones",
    paper=_OURS,
    claim="A weighted sum of features, learned from the results of self-play, judges positions better.",
    presets=("paper",),
    cells=(
        _battle("LOCM, auto, board", _AUTO.format("board")),
        _battle("LOCM, auto, learned", _AUTO.format("learned")),
        _cell("LOCM, learned against board", "locm", _AUTO.format("learned"), _AUTO.format("board"), _BATTLE),
        *(
            _cell(
                f"Hero Academy, {points} AP",
                f"hero-academy:action_points={points}",
                "emcts:evaluation=learned",
                "emcts:evaluation=default",
                _TURN,
            )
            for points in _POINTS
        ),
        _cell(
            "Hero Academy, answers, 5 AP",
            "hero-academy:action_points=5",
            "reply:evaluation=learned,answer=emcts",
            "reply:evaluation=default,answer=emcts",
            _TURN,
        ),
        _cell(
            "Amazons",
            "amazons",
            "non-exploring-mcts:evaluation=learned",
            "non-exploring-mcts:evaluation=default",
            "300evals",
        ),
    ),
    size=_GAMES,
    seconds=1.0,
    note=_COUNTED + " A learned evaluation takes longer to compute; that is not counted here.",
)

_EQUAL_TIME = {5: (60_000, 200_000), 10: (100_000, 660_000), 15: (100_000, 750_000)}
"""Iterations of annealing or co-evolution and evaluations of EMCTS that take the same CPU time, by action points."""


def _long_turns() -> tuple[Cell, ...]:
    cells = []
    for points, (iterations, evaluations) in _EQUAL_TIME.items():
        game, opponent = f"hero-academy:action_points={points}", "emcts:evaluation=default"
        for planner in ("coevolution", "annealing"):
            ours = f"{planner}:evaluation=default,budget={iterations}its"
            cells.append(_cell(f"{points} AP, {planner}", game, ours, opponent, f"{evaluations}evals"))
        for planner in ("auto", "coevolution"):
            cells.append(
                _cell(f"{points} AP, {planner}, 200 ms", game, f"{planner}:evaluation=default", opponent, "200ms")
            )
    return tuple(cells)


TURNS = MatchExperiment(
    name="beyond-turns",
    title="Annealing and co-evolution of turns against EMCTS at equal time, Hero Academy",
    paper=_OURS,
    claim="Annealing finds better turns than EMCTS in the same time; judging them by co-evolved replies wins games.",
    presets=("paper",),
    cells=_long_turns(),
    size=_GAMES,
    seconds=4.0,
    note="The budget is that of EMCTS; the others have as many iterations as take the same CPU time (100,000, with 5 "
    "action points 60,000), so that the result does not depend on other work of the machine. Cells with 200 ms want "
    "a quiet one.",
)

EXPERIMENTS = (HERO_ACADEMY, LOCM, EVALUATIONS, TURNS)
