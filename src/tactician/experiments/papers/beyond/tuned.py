"""In every game a planner of ours and one of the papers', tuned by the same tuner with the same number of games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tactician.experiments.matches import Cell
from tactician.experiments.papers.beyond.cells import GAMES, HERO_ACADEMY, OURS, TURN, cell
from tactician.experiments.papers.beyond.simultaneous import BATTLES, TUNED_RHEA, WITH_MODEL, WITHOUT_MODEL
from tactician.experiments.shares import ShareCell
from tactician.experiments.tuned import TUNED as TUNED_PREFIX
from tactician.experiments.tuned import TunedMatchExperiment, TunedSharesExperiment, TunedSide
from tactician.tuning import Space

_Values = dict[str, list[Any]]


@dataclass(frozen=True)
class _Side:
    name: str
    planner: str
    values: _Values
    """What is tuned."""


@dataclass(frozen=True)
class _Timed:
    """A duel at equal time, with what the tuner recommended when the counted games were played."""

    budgets: tuple[str, ...]
    """The time of a turn; also evaluations, where the tuned sides had no equal number of them."""
    ours: str
    theirs: str
    further: Mapping[str, str] = field(default_factory=dict)
    """Other planners against theirs as tuned, by what they are called."""


@dataclass(frozen=True)
class _Duel:
    """Two planners that are tuned, each against both as they are."""

    label: str
    game: str
    budget: str
    ours: _Side
    theirs: _Side
    timed: _Timed | None = None

    def sides(self) -> dict[str, TunedSide]:
        opponents = (self.ours.planner, self.theirs.planner)
        return {
            self._named(one.name): TunedSide(
                planner=one.planner, space=Space(one.values), game=self.game, budget=self.budget, opponents=opponents
            )
            for one in (self.ours, self.theirs)
        }

    def cells(self) -> list[Cell]:
        """Both tuned, one of them, none."""
        return [
            cell(
                f"{self._named(first)} against {second}",
                self.game,
                self._planner(first),
                self._planner(second),
                self.budget,
            )
            for first in (f"tuned {self.ours.name}", self.ours.name)
            for second in (f"tuned {self.theirs.name}", self.theirs.name)
        ]

    def timed_cells(self) -> list[Cell]:
        """Both tuned, and other planners against theirs as tuned, at equal time."""
        if self.timed is None:
            return []
        planners = {f"tuned {self.ours.name}": self.timed.ours, **self.timed.further}
        return [
            cell(
                f"{_told(budget)}, {self.label}: {name} against tuned {self.theirs.name}",
                self.game,
                planner,
                self.timed.theirs,
                budget,
            )
            for budget in self.timed.budgets
            for name, planner in planners.items()
        ]

    def _named(self, name: str) -> str:
        return f"{self.label}: {name}"

    def _planner(self, name: str) -> str:
        planners = {one.name: one.planner for one in (self.ours, self.theirs)}
        return planners.get(name, TUNED_PREFIX + self._named(name.removeprefix("tuned ")))


def _told(budget: str) -> str:
    return budget.replace("ms", " ms") if budget.endswith("ms") else "equal evaluations"


_HERO_WEIGHTS: _Values = {
    "weight.card": [0.0, 0.5, 1.75],
    "weight.standing": [0.5, 1.0, 2.0],
    "weight.fallen": [0.0, 0.5, 1.0],
}
_EMCTS = _Side(
    "EMCTS",
    "emcts:evaluation=default",
    {"planner.exploration": [0.0, 0.02, 0.1], "planner.phases": ["auto", 10, 40], **_HERO_WEIGHTS},
)
_COEVOLUTION = _Side(
    "co-evolution",
    "coevolution:evaluation=default,budget=15000its",
    {"planner.greedy": [0.2, 0.5, 0.8], "planner.rounds": [4, 8, 12], **_HERO_WEIGHTS},
)
_REPLY = _Side(
    "replies",
    "reply:evaluation=default",
    {"planner.keep": [100, 400, 1000], "planner.share": [0.25, 0.5, 0.75], **_HERO_WEIGHTS},
)
_BOARD_REPLY = _Side(
    "replies",
    "reply:planner=greedy-turn,answer=greedy-action,guesses=4,evaluation=board",
    {
        "planner.keep": [25, 100, 400],
        "planner.share": [0.25, 0.5, 0.75],
        "weight.health": [0.3, 0.6, 1.0],
        "weight.card": [1.0, 2.0, 3.0],
        "weight.attack": [0.8, 1.2, 1.8],
    },
)
_PERMUTATION_OEP = _Side(
    "permutation-OEP",
    "permutation-oep",
    {
        "planner.mutation": ["swap", "insert", "shuffle"],
        "weight.damage": [0.5, 1.0, 2.0],
        "weight.threat": [-2.0, -1.0, -0.5],
        "weight.board": [0.5, 1.0, 2.0],
        "weight.draws": [0.0, 1.0, 2.0],
    },
)
_AUTO = _Side(
    "auto",
    "auto",
    {
        "planner.share": [0.05, 0.15, 0.3],
        "planner.replies": [0.25, 0.5, 0.75],
        "planner.trust": [0.5, 0.75, 1.0],
        "weight.liberty": [0.25, 0.5, 1.0],
    },
)
_TREE = _Side(
    "non-exploring MCTS",
    "non-exploring-mcts",
    {
        "planner.exploration": [0.0, 0.02, 0.1],
        "planner.epsilon": [0.5, 0.9, 1.0],
        "planner.rollout_turns": [0, 1, 2],
        "weight.liberty": [0.25, 0.5, 1.0],
    },
)
_RHEA = _Side(
    "RHEA",
    "rhea:depth=50",
    {
        "planner.depth": [20, 50],
        "planner.population": [4, 10, 20],
        "planner.kill_rate": [0.25, 0.5, 0.75],
        "planner.mutation_rate": [0.05, 0.1, 0.3],
    },
)
_MCS = _Side(
    "MCS",
    "mcs:depth=50",
    {
        "planner.depth": [20, 50],
        "planner.bandit": ["thompson", "ucb1", "ucb1-value"],
        "planner.reuse": [False, True],
        "planner.opponents": ["bandit", "uniform"],
    },
)

_STRONGEST = {"auto with the strongest evaluation": "auto:evaluation=strongest"}

_DUELS = (
    _Duel(
        "Hero Academy, 5 AP",
        HERO_ACADEMY[5],
        TURN,
        _REPLY,
        _EMCTS,
        _Timed(
            ("100ms",),
            "reply:evaluation=default,keep=1000,share=0.25,weights=card=1.75;standing=1.0;fallen=0.5",
            "emcts:evaluation=default,exploration=0.02,phases=40,weights=card=1.75;standing=1.0;fallen=1.0",
            _STRONGEST,
        ),
    ),
    _Duel(
        "Hero Academy, 10 AP",
        HERO_ACADEMY[10],
        "210000evals",
        _COEVOLUTION,
        _EMCTS,
        _Timed(
            ("100ms", "210000evals"),
            "coevolution:evaluation=default,greedy=0.8,rounds=8,weights=card=0.5;standing=0.5;fallen=0.5",
            "emcts:evaluation=default,exploration=0.0,phases=auto,weights=card=0.5;standing=1.0;fallen=1.0",
            _STRONGEST,
        ),
    ),
    _Duel(
        "Hero Academy, 15 AP",
        HERO_ACADEMY[15],
        "210000evals",
        _COEVOLUTION,
        _EMCTS,
        _Timed(
            ("100ms", "210000evals"),
            "coevolution:evaluation=default,greedy=0.8,rounds=12,weights=card=0.0;standing=0.5;fallen=0.5",
            "emcts:evaluation=default,exploration=0.02,phases=40,weights=card=0.5;standing=1.0;fallen=0.5",
            _STRONGEST,
        ),
    ),
    _Duel(
        "LOCM",
        "locm",
        "2000evals",
        _BOARD_REPLY,
        _PERMUTATION_OEP,
        _Timed(
            ("50ms",),
            "reply:planner=greedy-turn,answer=greedy-action,guesses=4,evaluation=board,keep=400,share=0.25,"
            "weights=health=1.0;card=1.0;attack=1.2",
            "permutation-oep:mutation=shuffle,weights=damage=0.5;threat=-1.0;board=0.5;draws=2.0",
            _STRONGEST,
        ),
    ),
    _Duel(
        "Amazons",
        "amazons",
        "2000evals",
        _AUTO,
        _TREE,
        _Timed(
            ("50ms",),
            "auto:share=0.3,replies=0.75,trust=0.75,weights=liberty=1.0",
            "non-exploring-mcts:exploration=0.0,epsilon=1.0,rollout_turns=2,weights=liberty=0.5",
            {"auto": "auto"},
        ),
    ),
)

TUNED = TunedMatchExperiment(
    name="beyond-tuned",
    title="A planner of ours and one of the papers', both tuned with the same number of games",
    paper=OURS,
    claim="What is ahead as it is stays ahead when both sides are tuned, search and weights, by the same tuner.",
    presets=("paper",),
    sides={name: side for duel in _DUELS for name, side in duel.sides().items()},
    evaluations=120,
    games_each=8,
    cells=(
        *(one for duel in _DUELS for one in duel.cells()),
        *(one for duel in _DUELS for one in duel.timed_cells()),
    ),
    size=GAMES,
    seconds=1.0,
    note="Both sides are tuned against both planners as they are, from other starts than those of the matches. "
    "Evaluations of answers are counted. Co-evolution has 15,000 changed turns where EMCTS has 210,000 evaluations, "
    "and makes more evaluations with them; cells with equal evaluations and with equal time stand apart. Those with "
    "milliseconds need an idle machine.",
)

_ROYALE = _Duel(
    "Royale, 4 positions a card",
    "royale:information=open,positions=4",
    "16its/action",
    _RHEA,
    _MCS,
    _Timed(("20ms",), TUNED_RHEA, "mcs:depth=50,bandit=ucb1-value,reuse=True,opponents=bandit"),
)
_ROYALE_GAMES = 200

TUNED_ROYALE = TunedMatchExperiment(
    name="beyond-tuned-royale",
    title="RHEA and MCS, both tuned with the same number of games, Royale",
    paper=OURS,
    claim="Nobody has measured these two, both tuned, where each action is tried often.",
    presets=("paper",),
    sides=_ROYALE.sides(),
    evaluations=40,
    games_each=4,
    cells=tuple(replace(one, paper_games=_ROYALE_GAMES) for one in (*_ROYALE.cells(), *_ROYALE.timed_cells())),
    size=_ROYALE_GAMES,
    seconds=6.0,
    note="Both sides are tuned against both planners as they are, from other starts than those of the matches. "
    "Planners see the hidden cards; a card has 4 positions, so 16 simulations an action take about as long as 4 in "
    "the paper's reading. The cell with milliseconds needs an idle machine.",
)

_SIMULTANEOUS: _Values = {
    "planner.depth": [10, 20, 30],
    "planner.bandit": ["thompson", "ucb1", "regret-matching"],
    "planner.reuse": [True, False],
    "planner.key": ["game", "exact"],
}
_MODELS = {"model": WITH_MODEL, "no model": WITHOUT_MODEL}
_TUNED_MODELS = {
    "model": "fdts:opponents=rule-based,depth=30,bandit=ucb1,reuse=True,key=game",
    "no model": "fdts:depth=20,bandit=regret-matching,reuse=True,key=game",
}
"""What the tuner recommended when the counted games were played."""
_BOTS = "rule-based"

TUNED_MODELS = TunedSharesExperiment(
    name="beyond-tuned-models",
    title="FDTS with and without a model of the rule-based bots, both tuned with the same number of games, Pommerman",
    paper=OURS,
    claim="A model of the opponents helps as much when both sides are tuned.",
    sides={
        name: TunedSide(planner=planner, space=Space(_SIMULTANEOUS), game=BATTLES, budget="100its", opponents=(_BOTS,))
        for name, planner in _MODELS.items()
    },
    evaluations=60,
    games_each=8,
    cells=(
        *(
            ShareCell(
                name=f"tuned: {name}",
                game=BATTLES,
                planner=TUNED_PREFIX + name,
                baselines=(name,) if name == "no model" else (name, "tuned: no model"),
            )
            for name in _MODELS
        ),
        *(ShareCell(name=name, game=BATTLES, planner=planner) for name, planner in _MODELS.items()),
        *(
            ShareCell(
                name=f"5 ms, tuned: {name}",
                game=BATTLES,
                planner=planner,
                budget="5ms",
                baselines=() if name == "no model" else ("5 ms, tuned: no model",),
            )
            for name, planner in _TUNED_MODELS.items()
        ),
    ),
    opponent=_BOTS,
    budget="100its",
    size=GAMES,
    seconds=2.0,
    note="One planner against three rule-based bots, against which it was tuned from other starts. Planners see "
    "everything.",
)
