"""Beyond the papers: planners that look at the reply, evaluations of what is there now, models of the opponents.

Nobody has printed these figures, so there is nothing to compare them with. Both sides of a match have the same budget,
and answers are paid from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.papers.boney import ROYALE_NOTE, royale_cells
from tactician.experiments.searches import SearchCell, SearchExperiment, TurnStarts
from tactician.experiments.shares import ShareCell, SharesExperiment
from tactician.experiments.tuned import TunedExperiment, TunedSide
from tactician.tuning import Space

_OURS = "beyond the papers"
_GAMES = 400
_POINTS = (5, 10, 15)
_HERO_ACADEMY = {points: f"hero-academy:action_points={points}" for points in _POINTS}
_TURN = "20000evals"
_BATTLE = "5000evals"
_AUTO = "auto:evaluation={},planner=emcts"
_SMALL = "210000evals"
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
                _HERO_ACADEMY[points],
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
                _HERO_ACADEMY[5],
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
                _HERO_ACADEMY[points],
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
        _battle("auto, strongest evaluation", "auto:evaluation=strongest"),
        _cell("200 ms, auto, strongest evaluation", "locm", "auto:evaluation=strongest", "permutation-oep", "200ms"),
    ),
    size=_GAMES,
    seconds=0.5,
    note=_COUNTED + " The draft is the same on both sides. Cells with 200 ms want a quiet machine.",
)

AMAZONS = MatchExperiment(
    name="beyond-amazons",
    title="auto and its parts against the papers' planners, Amazons 10 × 10",
    paper=_OURS,
    claim="Looking at the answer separates planners also where a turn is three decisions.",
    presets=("paper",),
    cells=(
        *(
            _cell(f"{planner} against {opponent}", "amazons", planner, opponent, _BATTLE)
            for planner, opponents in {
                "auto": ("emcts", "oep", "non-exploring-mcts", "mcts"),
                "coevolution": ("emcts", "non-exploring-mcts"),
            }.items()
            for opponent in opponents
        ),
        *(
            _cell(f"50 ms, auto against {opponent}", "amazons", "auto", opponent, "50ms")
            for opponent in ("emcts", "oep", "non-exploring-mcts", "mcts")
        ),
    ),
    size=_GAMES,
    seconds=1.5,
    note=_COUNTED + " Cells with 50 ms a turn want a quiet machine.",
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
                _HERO_ACADEMY[points],
                "emcts:evaluation=learned",
                "emcts:evaluation=default",
                _TURN,
            )
            for points in _POINTS
        ),
        *(
            _cell(
                f"Hero Academy, {points} AP, fitted",
                _HERO_ACADEMY[points],
                "emcts:evaluation=fitted",
                "emcts:evaluation=default",
                _TURN,
            )
            for points in _POINTS
        ),
        _cell(
            "Hero Academy, answers, 5 AP",
            _HERO_ACADEMY[5],
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
    note=_COUNTED
    + " A learned evaluation takes longer to compute; that is not counted here. Fitted weights don't: they "
    "are those of the usual evaluation with other numbers.",
)

_EQUAL_TIME = {10: (100_000, 660_000), 15: (100_000, 750_000)}
"""Iterations of co-evolution and evaluations of EMCTS that take about the same CPU time in games, by action points."""


def _long_turns() -> tuple[Cell, ...]:
    opponent, short = "emcts:evaluation=default", _HERO_ACADEMY[5]
    strongest = "auto:evaluation=strongest"
    cells = [_cell("5 AP, auto", short, "auto:evaluation=default", opponent, "100000evals")]
    cells += [
        _cell(f"{points} AP, strongest auto", _HERO_ACADEMY[points], strongest, opponent, "100000evals")
        for points in _POINTS
    ]
    for points, (iterations, evaluations) in _EQUAL_TIME.items():
        for planner in ("coevolution", "annealing"):
            ours = f"{planner}:evaluation=default,budget={iterations}its"
            game = _HERO_ACADEMY[points]
            cells.append(_cell(f"{points} AP, {planner}", game, ours, opponent, f"{evaluations}evals"))
        fitted = f"coevolution:evaluation=fitted,budget={iterations}its"
        cells.append(_cell(f"{points} AP, coevolution, fitted", game, fitted, opponent, f"{evaluations}evals"))
        same = "emcts:evaluation=fitted"
        cells.append(_cell(f"{points} AP, coevolution, both fitted", game, fitted, same, f"{evaluations}evals"))
    for points in _POINTS:
        game = _HERO_ACADEMY[points]
        for planner in ("auto", "coevolution"):
            cells.append(
                _cell(f"200 ms, {points} AP, {planner}", game, f"{planner}:evaluation=default", opponent, "200ms")
            )
        cells.append(_cell(f"200 ms, {points} AP, strongest auto", game, strongest, opponent, "200ms"))
    return tuple(cells)


TURNS = MatchExperiment(
    name="beyond-turns",
    title="Annealing and co-evolution of turns against EMCTS, Hero Academy",
    paper=_OURS,
    claim="Annealing finds better turns than EMCTS in the same time; judging them by co-evolved replies wins games.",
    presets=("paper",),
    cells=_long_turns(),
    size=_GAMES,
    seconds=4.0,
    note="Where auto has no milliseconds, both sides have the same number of evaluations. The other cells with 10 and "
    "15 action points have the budget of EMCTS; against it stand 100,000 changed turns, which took about as much CPU "
    "time in trial games. So the result does not depend on other work of the machine. Cells with 200 ms want a quiet "
    "one.",
)

_WORK = {
    "EMCTS, halving": ("emcts", "halving=True"),
    "EMCTS, widening 0.5": ("emcts", "widening=0.5"),
    "EMCTS, widening 0.75": ("emcts", "widening=0.75"),
    "EMCTS, halving and widening 0.5": ("emcts", "halving=True,widening=0.5"),
    "OEP, tabu": ("oep", "tabu=True"),
    "greedy OEP, tabu": ("greedy-oep", "tabu=True"),
}
"""Planners with and without an option against doing work twice."""
WORK = MatchExperiment(
    name="beyond-work",
    title="EMCTS and OEP that avoid doing work twice against themselves without it, Hero Academy",
    paper=_OURS,
    claim="A deeper tree, sequential halving and turns that end differently make better use of evaluations.",
    presets=("paper",),
    cells=tuple(
        _cell(
            f"{label}, {points} AP",
            _HERO_ACADEMY[points],
            f"{planner}:evaluation=default,{options}",
            f"{planner}:evaluation=default",
            _TURN,
        )
        for label, (planner, options) in _WORK.items()
        for points in (5, 10)
    ),
    size=_GAMES,
    seconds=0.5,
    note=_COUNTED,
)

_TUNED_GAME = _HERO_ACADEMY[10]
_TUNED_WEIGHTS = {
    "weight.card": [0.0, 0.5, 1.75],
    "weight.standing": [0.5, 1.0, 2.0],
    "weight.fallen": [0.0, 0.5, 1.0],
}
_SIDES = {
    "co-evolution": TunedSide(
        planner="coevolution:evaluation=default,budget=15000its",
        space=Space(
            {
                "planner.greedy": [0.2, 0.5, 0.8],
                "planner.rounds": [4, 8, 12],
                **_TUNED_WEIGHTS,
            }
        ),
    ),
    "EMCTS": TunedSide(
        planner="emcts:evaluation=default",
        space=Space(
            {
                "planner.exploration": [0.0, 0.02, 0.1],
                "planner.phases": ["auto", 10, 40],
                **_TUNED_WEIGHTS,
            }
        ),
    ),
}
_PLANNERS = {
    **{name: side.planner for name, side in _SIDES.items()},
    **{f"tuned {name}": f"tuned:{name}" for name in _SIDES},
}
TUNED = TunedExperiment(
    name="beyond-tuned",
    title="Co-evolution and EMCTS, both tuned with the same number of games, Hero Academy with 10 action points",
    paper=_OURS,
    claim="Co-evolution beats EMCTS also when both are tuned: search and weights, by the same tuner.",
    presets=("paper",),
    game=_TUNED_GAME,
    sides=_SIDES,
    opponents=tuple(side.planner for side in _SIDES.values()),
    evaluations=48,
    games_each=4,
    cells=tuple(
        _cell(f"{ours} against {theirs}", _TUNED_GAME, _PLANNERS[ours], _PLANNERS[theirs], _SMALL)
        for ours, theirs in (
            ("tuned co-evolution", "tuned EMCTS"),
            ("tuned co-evolution", "EMCTS"),
            ("co-evolution", "tuned EMCTS"),
            ("co-evolution", "EMCTS"),
        )
    ),
    size=_GAMES,
    seconds=0.3,
    note="Co-evolution has 15,000 changed turns, EMCTS 210,000 evaluations a turn: 22 ms of CPU time each in trials. "
    "Both sides are tuned against both planners as they are, from other starts than those of the matches.",
)

_HAND_SET = "greedy-turn:evaluation=board"
_BOARD_SIDE = "weights of the board"
BOARD = TunedExperiment(
    name="beyond-board",
    title="Weights of the evaluation of the board, tuned against a ladder of our own bots, LOCM",
    paper=_OURS,
    claim="The tuner finds weights that play better than those set by hand.",
    presets=("paper",),
    game="locm",
    sides={
        _BOARD_SIDE: TunedSide(
            planner=_HAND_SET,
            space=Space(
                {
                    "weight.health": [0.3, 0.6, 1.0],
                    "weight.low_health": [0.4, 0.8, 1.6],
                    "weight.card": [1.0, 2.0, 3.0],
                    "weight.creature": [0.5, 1.0, 2.0],
                    "weight.attack": [0.8, 1.2, 1.8],
                    "weight.defense": [0.5, 0.8, 1.2],
                    "weight.guard": [0.4, 0.8, 1.6],
                    "weight.ward": [0.5, 1.5],
                    "weight.ward_attack": [0.5, 1.0],
                    "weight.lethal": [1.0, 1.5, 3.0],
                }
            ),
        )
    },
    opponents=(_HAND_SET, "greedy-turn:evaluation=learned", "permutation-oep"),
    evaluations=1000,
    games_each=6,
    cells=(
        _cell("tuned weights against those set by hand", "locm", f"tuned:{_BOARD_SIDE}", _HAND_SET, "500evals"),
        _cell("tuned weights against permutation-OEP", "locm", f"tuned:{_BOARD_SIDE}", "permutation-oep", "500evals"),
        _cell("weights set by hand against permutation-OEP", "locm", _HAND_SET, "permutation-oep", "500evals"),
    ),
    size=_GAMES,
    seconds=0.1,
    note=_COUNTED + " All play Greedy Turn but the last. The draft is the same on both sides.",
)

_BATTLES = "pommerman:rules=paper,information=open,identity=reference"
_SIMULATIONS = (100, 25)
_WITHOUT, _WITH = "fdts", "fdts:opponents=rule-based"
_OTHERS = {
    "bots": "rule-based",
    "random players": "random",
    "FDTS": "fdts#2",
    "MCS": "mcs",
    "followers": "follower",
}
"""Who has the other three seats; only the first are what the model describes."""


_MORE = {
    "MCS with regret matching": "mcs:bandit=regret-matching",
    "FDTS with regret matching": "fdts:bandit=regret-matching",
    "FDTS with regret matching, mixed": "fdts:bandit=regret-matching-mixed",
    "FDTS with regret matching, model": "fdts:bandit=regret-matching,opponents=rule-based",
    "RHEA": "rhea",
    "RHEA, model": "rhea:opponents=rule-based",
}
"""Planners of our own against the bots only."""


def _others(label: str, planner: str, names: Iterable[str], simulations: Iterable[int]) -> tuple[ShareCell, ...]:
    return tuple(
        ShareCell(
            name=f"{label} against {name}, {number} simulations",
            game=_BATTLES,
            planner=planner,
            opponent=_OTHERS[name],
            budget=f"{number}its",
        )
        for number in simulations
        for name in names
    )


MODELS = SharesExperiment(
    name="beyond-models",
    title="FDTS with and without a model of the rule-based bots, against them and against others, Pommerman",
    paper=_OURS,
    claim="A model of the opponents helps against those that it describes and does not hurt against others.",
    cells=(
        *_others("model", _WITH, _OTHERS, _SIMULATIONS),
        *_others("no model", _WITHOUT, _OTHERS, _SIMULATIONS),
        *(cell for label, planner in _MORE.items() for cell in _others(label, planner, ("bots",), (100,))),
        *(
            ShareCell(
                name=f"{label} against bots, 5 ms",
                game=_BATTLES,
                planner=planner,
                opponent=_OTHERS["bots"],
                budget="5ms",
            )
            for label, planner in {"model": _WITH, "no model": _WITHOUT, **_MORE}.items()
            if label in ("model", "no model", "RHEA", "RHEA, model")
        ),
    ),
    opponent="rule-based",
    budget="100its",
    size=_GAMES,
    seconds=2.0,
    note="One planner against three of the others. Planners see everything and look 20 steps ahead.",
)

_ROYALE_GAMES = 200


def _royale(name: str, planner: str, opponent: str) -> Cell:
    return royale_cells(name, planner, opponent, None, _ROYALE_GAMES)[0]


ROYALE = MatchExperiment(
    name="beyond-royale",
    title="Regret matching and rolling-horizon evolution against Thompson sampling, 50 steps ahead, Royale",
    paper=_OURS,
    claim="Nobody has measured these bandits and RHEA in this game.",
    presets=("paper",),
    cells=(
        _royale("MCS, regret matching v Thompson", "mcs:depth=50,bandit=regret-matching", "mcs:depth=50"),
        _royale("RHEA v MCS", "rhea:depth=50", "mcs:depth=50"),
        _royale("FDTS, regret matching v Thompson", "fdts:depth=50,bandit=regret-matching", "fdts:depth=50"),
        replace(_royale("20 ms, RHEA v MCS", "rhea:depth=50", "mcs:depth=50"), budget="20ms"),
    ),
    size=_ROYALE_GAMES,
    seconds=4.5,
    decisive=True,
    note=ROYALE_NOTE,
)

_BOARD_CELLS = tuple(
    _cell(
        label,
        "locm",
        planner,
        _LOCM_REPLY.format(answer="greedy-turn", guesses=4, evaluation="board"),
        _BATTLE,
    )
    for label, planner in {
        "learned, replies by Greedy Turn, 4 guesses": _LOCM_REPLY.format(
            answer="greedy-turn", guesses=4, evaluation="learned"
        ),
        "learned, replies by Greedy Action, 4 guesses": _LOCM_REPLY.format(
            answer="greedy-action", guesses=4, evaluation="learned"
        ),
        "learned, auto": _AUTO.format("learned"),
        "learned, replies by Greedy Turn, 1 guess": _LOCM_REPLY.format(
            answer="greedy-turn", guesses=1, evaluation="learned"
        ),
    }.items()
)
"""Settings that were compared before."""

_BOT = _LOCM_REPLY.format(answer="greedy-action", guesses=4, evaluation="learned-network")
"""What the bot plays with."""


def _bot_cell(name: str, opponent: str, budget: str = _BATTLE) -> Cell:
    return _cell(f"the bot {name}", "locm:guesses=ranked", _BOT, opponent, budget)


BOT = MatchExperiment(
    name="beyond-bot",
    title="Settings of the competition bot compared, and the bot against others, LOCM",
    paper=_OURS,
    claim="The strongest of these settings is what `tactician bot locm` plays with.",
    presets=("paper",),
    cells=(
        _bot_cell(
            "against its settings before",
            _LOCM_REPLY.format(answer="greedy-action", guesses=4, evaluation="learned-bot"),
        ),
        _bot_cell(
            "against its settings with the first learned evaluation",
            _LOCM_REPLY.format(answer="greedy-action", guesses=4, evaluation="learned"),
        ),
        _bot_cell(
            "against its settings with the evaluation of the board",
            _LOCM_REPLY.format(answer="greedy-turn", guesses=4, evaluation="board"),
        ),
        _bot_cell("against its first settings: permutation-OEP", "permutation-oep"),
        _bot_cell("with 200 ms against permutation-OEP", "permutation-oep", "200ms"),
        _bot_cell("against Greedy Turn, board", "greedy-turn:evaluation=board"),
        _bot_cell("against EMCTS, board", "emcts:evaluation=board"),
        *_BOARD_CELLS,
    ),
    size=_GAMES,
    seconds=0.8,
    note=_COUNTED
    + " The draft is the same on both sides. Rows without 'the bot' are against answers by Greedy Turn on "
    "four guesses with the evaluation of the board.",
)

OUTCOMES = SearchExperiment(
    name="beyond-outcomes",
    title="Different ends of a turn that planners judge with 200,000 evaluations, Hero Academy, 10 action points",
    paper=_OURS,
    claim="Planners that evolve turns judge the same ends of a turn again and again; annealing judges each once.",
    presets=("paper",),
    cells=tuple(map(SearchCell, ("oep", "greedy-oep", "emcts", "annealing", "coevolution"))),
    source=TurnStarts(_HERO_ACADEMY[10], planner="emcts", budget="5000evals", first_turn=2, turns_between=2),
    budget="200000evals",
    journal="beyond-outcomes",
    size=20,
    seconds=0.3,
    note="Sequences are turns that were judged, transposition hits turns that ended in a known state and were not "
    "judged. Greedy repairs take most of the evaluations. Co-evolution judges turns anew when replies change.",
)

EXPERIMENTS = (HERO_ACADEMY, LOCM, AMAZONS, EVALUATIONS, TURNS, WORK, TUNED, BOARD, OUTCOMES, MODELS, ROYALE, BOT)
