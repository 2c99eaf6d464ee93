"""Compile everything once: the rules of the built-in games, what entries of games add, the kernels of all planners."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tactician.followers.network import warm_network
from tactician.native.hashing import hash_state, hash_state_twice


def warm_everything(on_progress: Callable[..., Any] | None = None) -> float:
    """Compile what is not in the cache; returns the seconds it took."""
    from tactician.games.registry import GAMES, entries, load_game
    from tactician.planners.bandits import BANDITS
    from tactician.planners.registry import PLANNERS

    report = on_progress or (lambda *_args: None)
    began = time.perf_counter()
    jobs: list[tuple[str, Callable[[], Any]]] = [
        (f"rules of {name}", partial(lambda game: load_game(game).table, name)) for name in GAMES
    ]
    jobs += [(f"more of {entry.name}", entry.load("warm_up")) for entry in entries() if entry.warm_up]
    small = load_game("amazons:size=6")
    jobs += [(f"planner {name}", partial(lambda planner: planner().on(small), kind)) for name, kind in PLANNERS.items()]
    jobs += [(f"bandit {name}", partial(lambda bandit: bandit.addresses, bandit)) for name, bandit in BANDITS.items()]
    jobs.append(("networks of followers", warm_network))
    jobs.append(("small kernels", lambda: _warm_hashes(small.initial_state().words)))
    for number, (what, work) in enumerate(jobs):
        report(f"compiling {what}")
        work()
        report(number + 1, len(jobs))
    return time.perf_counter() - began


def _warm_hashes(words: np.ndarray) -> None:
    hash_state(words)
    hash_state_twice(words, np.zeros(4, np.uint64))
