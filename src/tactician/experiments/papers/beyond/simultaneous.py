"""Games in which all act at once: models of the opponents, RHEA, regret matching."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.papers.beyond.cells import GAMES, OURS
from tactician.experiments.papers.boney import ROYALE_NOTE, royale_cells
from tactician.experiments.shares import ShareCell, SharesExperiment

BATTLES = "pommerman:rules=paper,information=open,identity=reference"
OBSERVED = "pommerman:rules=official,information=hidden"
"""The official rules; planners know what their seat has seen."""

WITHOUT_MODEL, WITH_MODEL = "fdts", "fdts:opponents=rule-based"
_MIXED_MODEL = WITH_MODEL + ",model_share=0.8"

_SIMULATIONS = (100, 25)

_OTHERS = {
    "bots": "rule-based",
    "random players": "random",
    "FDTS": "fdts#2",
    "MCS": "mcs",
    "followers": "follower",
}
"""Who has the other three seats; only the first are what the model describes."""

_PLANNERS = {
    "model": (WITH_MODEL, "no model"),
    "no model": (WITHOUT_MODEL, None),
    "model in four of five": (_MIXED_MODEL, "no model"),
    "MCS with regret matching": ("mcs:bandit=regret-matching", None),
    "FDTS with regret matching": ("fdts:bandit=regret-matching", "no model"),
    "FDTS with regret matching, mixed": ("fdts:bandit=regret-matching-mixed", "no model"),
    "FDTS with regret matching, model": ("fdts:bandit=regret-matching,opponents=rule-based", "model"),
    "RHEA": ("rhea", "no model"),
    "RHEA, model": ("rhea:opponents=rule-based", "RHEA"),
}
"""What is measured, and the one that it is compared with; the first three against others too, the rest against bots."""
_MORE, _TIMED = tuple(_PLANNERS)[3:], ("model", "no model", "RHEA", "RHEA, model")


def _cell(label: str, name: str, budget: str, words: str) -> ShareCell:
    def row(label: str) -> str:
        return f"{label} against {name}, {words}"

    planner, baseline = _PLANNERS[label]
    return ShareCell(
        name=row(label),
        game=BATTLES,
        planner=planner,
        opponent=_OTHERS[name],
        budget=budget,
        baselines=(row(baseline),) if baseline else (),
    )


def _counted(label: str, names: Iterable[str], simulations: Iterable[int]) -> tuple[ShareCell, ...]:
    return tuple(
        _cell(label, name, f"{number}its", f"{number} simulations") for number in simulations for name in names
    )


def _on_observations(label: str) -> ShareCell:
    """A row of the hidden game, with everything else as in the row where planners see everything."""

    def row(label: str) -> str:
        return f"{label} on observations against bots, 100 simulations"

    baselines = (row("no model"),) if label == "model" else ()
    return replace(
        _cell(label, "bots", "100its", "100 simulations"), name=row(label), game=OBSERVED, baselines=baselines
    )


MODELS = SharesExperiment(
    name="beyond-models",
    title="FDTS with and without a model of the rule-based bots, against them and against others, Pommerman",
    paper=OURS,
    claim="A model of the opponents helps against those that it describes and does not hurt against others.",
    cells=(
        *_counted("model", _OTHERS, _SIMULATIONS),
        *_counted("no model", _OTHERS, _SIMULATIONS),
        *_counted("model in four of five", ("bots",), _SIMULATIONS),
        *_counted("model in four of five", ("FDTS", "MCS"), (25,)),
        *(cell for label in _MORE for cell in _counted(label, ("bots",), (100,))),
        *(_cell(label, "bots", "5ms", "5 ms") for label in _TIMED),
        *map(_on_observations, ("model", "no model")),
    ),
    opponent="rule-based",
    budget="100its",
    size=GAMES,
    seconds=2.0,
    note="One planner against three of the others, 20 steps ahead. Planners see everything, by the paper's rules; 'on "
    "observations' they know what their seat sees and guess the rest, by the official rules.",
)

TUNED_RHEA = "rhea:depth=20,population=20,kill_rate=0.5,mutation_rate=0.05"
"""What the tuner recommended for Royale (`beyond-tuned-royale`)."""
_ROYALE_GAMES = 200


def _royale(name: str, planner: str, opponent: str) -> Cell:
    return royale_cells(name, planner, opponent, None, _ROYALE_GAMES)[0]


def _in_20_ms(name: str, planner: str, opponent: str) -> Cell:
    return replace(_royale(f"20 ms, {name}", planner, opponent), budget="20ms")


ROYALE = MatchExperiment(
    name="beyond-royale",
    title="Regret matching and rolling-horizon evolution against Thompson sampling, Royale",
    paper=OURS,
    claim="Nobody has measured these bandits and RHEA in this game.",
    presets=("paper",),
    cells=(
        _royale("MCS, regret matching v Thompson", "mcs:depth=50,bandit=regret-matching", "mcs:depth=50"),
        _royale("RHEA v MCS", "rhea:depth=50", "mcs:depth=50"),
        _royale("FDTS, regret matching v Thompson", "fdts:depth=50,bandit=regret-matching", "fdts:depth=50"),
        _in_20_ms("RHEA v MCS", "rhea:depth=50", "mcs:depth=50"),
        _in_20_ms("tuned RHEA v MCS", TUNED_RHEA, "mcs:depth=50"),
        _in_20_ms("tuned RHEA v MCS, 20 steps ahead", TUNED_RHEA, "mcs:depth=20"),
    ),
    size=_ROYALE_GAMES,
    seconds=4.5,
    decisive=True,
    note=f"{ROYALE_NOTE} Planners look 50 steps ahead unless said otherwise, tuned RHEA 20. Cells with milliseconds "
    "need an idle machine.",
)
