"""What a search of simultaneous moves expects of the others, and a step in which all act."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import unit
from tactician.importing import resolve
from tactician.native import abi
from tactician.native.caching import inlined
from tactician.native.memory import Address, address, int64
from tactician.planners.work import LEGAL, Work, apply, count_descent, fail, list_at, list_legal

if TYPE_CHECKING:
    from tactician.planners.network_policy import NetworkPolicy

BANDIT, UNIFORM, MODEL = range(3)
OPPONENTS = {"bandit": BANDIT, "uniform": UNIFORM}
"""How the others act; every other name is that of a model of the game or of a follower's file."""
FOLLOWER = ".safetensors"
"""What the name of a follower's file ends in."""
_SIMULTANEOUS, _ILLEGAL_POLICY = abi.SIMULTANEOUS, abi.ILLEGAL_POLICY


def models_among(*names: str) -> set[str]:
    """Which of the names stand for the rule `policy`: those of a game's models and of followers' files."""
    return set(names) - OPPONENTS.keys()


def follower_among(game: Game, *names: str) -> str:
    """The follower's file that one of the names stands for, itself or as a model of the game; empty if none does."""
    return next(filter(None, (_file_of(game, name) for name in names)), "")


def _file_of(game: Game, name: str) -> str:
    """The follower's file that a name stands for; empty if it is none."""
    if name.endswith(FOLLOWER):
        return name
    model = resolve(game.info.models[name]) if name in game.info.models else None
    return str(model) if isinstance(model, Path) else ""


def with_models(game: Game, *names: str) -> Game:
    """The game with the named model as its rule `policy`; a follower's file is left to `install_follower`."""
    for model in models_among(*names):
        if not _file_of(game, model):
            game = game.with_policy(model)
    return game


def install_follower(work: Work, game: Game, path: str) -> tuple[Work, NetworkPolicy]:
    """Let a follower's network stand for the rule `policy`; it must be kept alive as long as the work is used."""
    from tactician.planners.network_policy import NetworkPolicy  # networks are not needed without it

    policy = NetworkPolicy(game, path)
    return work._replace(table=policy.table(work.table)), policy


@inlined
def take_step(work: Work, joint: NDArray[np.int32], s: Address, mover: int) -> None:
    """Apply what all players do, or the action of the player to move."""
    if mover == _SIMULTANEOUS:
        calls.apply_joint(work.table, work.g, s, address(joint), address(work.rng))
    else:
        apply(work, s, int64(joint[mover]))


@inlined
def count_simulation(work: Work, steps: int) -> None:
    """Count a simulation and its steps."""
    count = work.counters[0]
    count.iterations += 1
    count.sequences += 1
    count_descent(work, steps)


@inlined
def value_between(work: Work, player: int) -> float:
    """What the state judged last is worth to a player, on the scale from -1 to 1."""
    return max(-1.0, min(1.0, (work.values[player] - work.low) * (2.0 / (work.high - work.low)) - 1.0))


@inlined
def acts_by_model(work: Work, share: float) -> bool:
    """Whether one of the others acts by the model in a simulation; drawn only where the model has a share."""
    return share >= 1.0 or unit(work.rng) < share


@inlined
def expected_move(work: Work, s: Address, mover: int, player: int) -> int:
    """What the game's model expects of a player; only what is legal, or the rule has failed."""
    if mover != _SIMULTANEOUS and mover != player:
        return int64(0)
    n = list_legal(work, s, player, LEGAL)  # a model may take legal actions that planners don't consider
    action = calls.policy(work.table, work.g, s, player, address(work.rng))
    if calls.contains(list_at(work, LEGAL), n, action) == 0:
        fail(work, _ILLEGAL_POLICY, s)
        return int64(work.actions[LEGAL, 0])
    return action
