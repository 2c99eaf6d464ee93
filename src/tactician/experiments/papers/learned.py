"""One step further than Boney et al. 2022: what was learned helps the search that it was learned from.

A follower gives the oracle's bandits a start (`learned-priors`), and so does a follower of that oracle in turn; in
Pommerman it also says what players do where a search knows nothing yet (`learned-rollouts`). For games with turns, a
linear model of a planner's turns orders the actions that planners try (`learned-ratings`). No paper has figures for
these.
"""

from __future__ import annotations

from tactician.experiments.matches import Cell
from tactician.experiments.papers.boney import TABLE8, TABLE11
from tactician.experiments.rated import RatedMatchExperiment
from tactician.experiments.shares import ShareCell
from tactician.experiments.trained import Recipe, TrainedMatchExperiment, TrainedSharesExperiment
from tactician.learning.ratings import RatingsTraining

_PAPER = "Boney et al. 2022, outlook"
_ROYALE = "royale:positions=32,information=open"
_PLAIN = "fdts:depth=10"
_FIRST = TABLE11.trainings["follower"]


_GAMES = 100


def _cell(name: str, game: str, planner: str, opponent: str, budget: str, games: int = _GAMES) -> Cell:
    return Cell(name=name, game=game, planner=planner, opponent=opponent, budget=budget, paper=None, paper_games=games)


def _prior(file: str, weight: int) -> str:
    return f"{_PLAIN},priors={{{file}}},prior_weight={weight}"


PRIORS = TrainedMatchExperiment(
    name="learned-priors",
    title="The oracle with a follower's estimates against the plain oracle, Royale",
    paper=_PAPER,
    claim="The paper proposes to give the oracle's bandits the follower's estimates as priors, and to iterate.",
    presets=("paper",),
    cells=(
        _cell("weight 2, 1 simulation an action", _ROYALE, _prior("follower", 2), _PLAIN, "1its/action"),
        _cell("weight 8, 1 simulation an action", _ROYALE, _prior("follower", 8), _PLAIN, "1its/action"),
        _cell("weight 2, 4 simulations an action", _ROYALE, _prior("follower", 2), _PLAIN, "4its/action"),
        _cell("weight 2, 20 ms", _ROYALE, _prior("follower", 2), _PLAIN, "20ms"),
        _cell("second follower, 1 simulation an action", _ROYALE, _prior("second", 2), _PLAIN, "1its/action"),
    ),
    trainings={
        "follower": _FIRST,
        "second": Recipe(
            _FIRST.game,
            {**_FIRST.settings, "teacher": "fdts:depth=25,priors={follower},prior_weight=2"},
            hours=1.5,
        ),
    },
    size=_GAMES,
    seconds=8.0,
    decisive=True,
    note="Both players see everything and look 10 steps ahead at 32 tiles of a card; the network sees what each seat "
    "sees. In the cells by time the network's evaluations are part of the time. Draws are left out.",
)

_SHORT = "fdts:depth=10"
_DAGGER = "{dagger}"


_PLAIN, _AS_LONG = "plain", "plain, 1900 simulations: as long as with the follower"


def _share(name: str, planner: str, baselines: tuple[str, ...] = (), budget: str | None = None) -> ShareCell:
    return ShareCell(name=name, game="pommerman:rules=paper", planner=planner, budget=budget, baselines=baselines)


ROLLOUTS = TrainedSharesExperiment(
    name="learned-rollouts",
    title="The oracle with a follower in its simulations against three rule-based bots, Pommerman",
    paper=_PAPER,
    claim="The paper proposes the follower as the policy of rollouts.",
    cells=(
        _share(_PLAIN, _SHORT),
        _share("priors", f"{_SHORT},priors={{dagger-values}}", (_PLAIN,)),
        _share("rollouts by the follower", f"{_SHORT},rollout_policy={_DAGGER}", (_PLAIN, _AS_LONG)),
        _share("the others by the follower", f"{_SHORT},opponents={_DAGGER}", (_PLAIN, _AS_LONG)),
        _share(_AS_LONG, _SHORT, budget="1900its"),
    ),
    trainings={name: TABLE8.trainings[name] for name in ("dagger", "dagger-values")},
    opponent=TABLE8.opponent,
    budget="10its",
    size=_GAMES,
    seconds=30.0,
    note="All look 10 steps ahead; planners see the whole state, the network what each seat sees. The follower is "
    "asked for every player in each state that a simulation comes to for the first time; this takes about as "
    "long as 190 simulations without it.",
)

_HERO = "hero-academy"
_EMCTS_RATINGS, _OEP_RATINGS = "{emcts-ratings}", "{oep-ratings}"

_RATED_GAMES = 400


def _rated(name: str, planner: str, ratings: str, budget: str) -> Cell:
    return _cell(name, _HERO, f"{planner}:ratings={ratings}", planner, budget, _RATED_GAMES)


RATINGS = RatedMatchExperiment(
    name="learned-ratings",
    title="Planners that order actions by learned ratings against the same planners with the paper's, Hero Academy",
    paper=_PAPER,
    claim="No paper has this: a linear model learned from the turns of a planner orders the actions that others try.",
    presets=("paper",),
    cells=(
        _rated("MCTS, by EMCTS", "mcts", _EMCTS_RATINGS, "500its"),
        _rated("MCTS, by OEP", "mcts", _OEP_RATINGS, "500its"),
        _rated("MCTS, by EMCTS, 20 ms", "mcts", _EMCTS_RATINGS, "20ms"),
        _rated("Greedy Turn, by EMCTS", "greedy-turn", _EMCTS_RATINGS, "1000evals"),
        _rated("Greedy Turn, by OEP", "greedy-turn", _OEP_RATINGS, "1000evals"),
        _rated("Greedy Turn, by EMCTS, 20 ms", "greedy-turn", _EMCTS_RATINGS, "20ms"),
        _rated("best-rated, by EMCTS", "greedy-action", _EMCTS_RATINGS, "1evals"),
    ),
    trainings={
        "emcts-ratings": RatingsTraining(game=_HERO, teacher="emcts", budget="1000evals", games=60),
        "oep-ratings": RatingsTraining(game=_HERO, teacher="oep", budget="1000evals", games=60),
    },
    size=_RATED_GAMES,
    seconds=2.0,
    note="Both planners have the same counted budget and play each start from both sides; in the last cell it is too "
    "small for anything but the best-rated action. The ratings are learned from the teacher's games against itself "
    "with 1000 evaluations a turn.",
)

EXPERIMENTS = (PRIORS, ROLLOUTS, RATINGS)
