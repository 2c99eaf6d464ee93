"""`Training`: what a follower is trained for, from whom, and how."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from tactician.contract.requirements import require_choice
from tactician.errors import InvalidParameterError
from tactician.games.registry import entry_for, load_game
from tactician.learning.requirements import require_counted, require_integers

DAGGER, CLONING, Q_MC = "dagger", "cloning", "q-mc"
METHODS = (DAGGER, CLONING, Q_MC)
CHOICE, VISITS, VALUES = "choice", "visits", "values"
TARGETS = ("", CHOICE, VISITS, VALUES)


@dataclass(frozen=True, kw_only=True)
class Training:
    """Settings of a run. The same settings give the same weights."""

    game: str
    """The game's name with parameters, as on the command line."""
    method: str = DAGGER
    """`dagger` (the follower plays, the teacher labels every state), `cloning` (the teacher plays) or `q-mc` (no
    teacher: values are regressed on the rewards of battles)."""
    teacher: str = "fdts"
    """Whose choices are learned: a planner, which sees the whole state, or another agent, which sees what its seat
    sees."""
    budget: str = "100its"
    """The planner's budget for a decision; counted, so that a run can be repeated."""
    battles: int = 500
    """Battles to train on."""
    encoding: str = ""
    """Which encoding of the game; empty: its first."""
    hidden: int = 32
    """Planes of the network's inner layers."""
    embedding: int = 32
    """Planes of the embedding, for games whose outputs are maps."""
    batch: int = 32
    """Samples of a gradient step."""
    learning_rate: float = 1e-3
    """Of Adam."""
    buffer: int = 100_000
    """Samples that are kept; the oldest are replaced."""
    updates: float = 1.0
    """Gradient steps for each step of a battle."""
    width: int = 4
    """Battles in flight, whose labels are made side by side."""
    sample: bool = True
    """Whether the follower's actions are drawn from its softmax while it trains; else the best is taken."""
    temperature: float = 1.0
    """Of that softmax: smaller values draw the best action more often."""
    target: str = ""
    """What is learned: `choice` (the teacher's action), `visits` (how often an oracle tried each action) or `values`
    (what it expects of each); empty: values where outputs are maps and the teacher has them, else the choice."""
    symmetric: bool = False
    """Whether batches are turned and mirrored at random, for encodings with symmetries."""
    rival: str = ""
    """Who plays all seats but one of a training battle, so that the follower meets whom it will play; all seats are
    labelled. Empty: nobody."""
    noise: float = 0.0
    """The share of random actions while training battles are played."""
    stall: int = 0
    """End a battle when the teacher's choices have not changed for this many steps; 0: never."""
    quiet: int = 0
    """End a battle when nobody took one of the game's `lively` actions for more than this many steps; 0: never."""
    longest: int = 0
    """End a battle after this many steps; 0: at its end."""
    opponent: str = ""
    """Whom the follower plays now and then to show its strength; empty: nobody."""
    evaluate_every: int = 50
    """Battles between two evaluations."""
    evaluation_games: int = 20
    """Games of an evaluation."""
    seed: int = 0
    """Decides everything random."""

    def __post_init__(self) -> None:
        require_choice("method", self.method, METHODS)
        require_choice("target", self.target, TARGETS)
        least = {
            "battles": 1, "hidden": 1, "embedding": 1, "batch": 1, "buffer": 1, "width": 1, "stall": 0, "quiet": 0,
            "longest": 0, "evaluate_every": 1, "evaluation_games": 1, "seed": 0,
        }  # fmt: skip
        require_integers(self, least)
        for name, most in (
            ("learning_rate", 1.0),
            ("noise", 1.0),
            ("updates", 1000.0),
            ("temperature", 1000.0),
        ):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not 0 <= value <= most or (value == 0 and name != "noise"):
                raise InvalidParameterError(f"{name} is {value!r}; expected a number up to {most:g}.")
        if self.batch > self.buffer:
            raise InvalidParameterError(f"batch is {self.batch}; expected at most the buffer's {self.buffer} samples.")
        require_counted(self.budget, "100its")

    @classmethod
    def for_game(cls, game: str, **given: Any) -> Training:
        """Settings for a game: what is given, else what the game's entry recommends, else the defaults."""
        entry = entry_for(load_game(game))
        known = {field.name for field in fields(cls)}
        advised = {key: value for key, value in (entry.training if entry else {}).items() if key in known}
        return cls(game=game, **{**advised, **{key: value for key, value in given.items() if value is not None}})

    def with_battles(self, battles: int) -> Training:
        """The same run, longer or shorter."""
        return replace(self, battles=battles)

    def to_json(self) -> dict[str, Any]:
        """The settings in a model card."""
        return asdict(self)
