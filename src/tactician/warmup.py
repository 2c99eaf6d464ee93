"""Compile everything once: the rules of all games and the kernels of all planners."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tactician.native.hashing import hash_state, hash_state_twice


def warm_everything(on_progress: Callable[..., Any] | None = None) -> float:
    """Compile what is not in the cache; returns the seconds it took."""
    from tactician.games import hero_academy
    from tactician.games.registry import GAMES, load_game
    from tactician.planners.bandits import BANDITS
    from tactician.planners.registry import PLANNERS

    say = on_progress or (lambda *_args: None)
    began = time.perf_counter()
    jobs: list[tuple[str, Callable[[], Any]]] = [
        (f"rules of {name}", partial(lambda game: load_game(game).table, name)) for name in GAMES
    ]
    jobs.append(("rules of hero-academy with hidden hands", lambda: hero_academy(information="hidden").table))
    small = load_game("amazons:size=6")
    jobs += [(f"planner {name}", partial(lambda planner: planner().on(small), kind)) for name, kind in PLANNERS.items()]
    jobs += [(f"bandit {name}", partial(lambda bandit: bandit.addresses, bandit)) for name, bandit in BANDITS.items()]
    jobs.append(("Pommerman's bot and planes", _warm_pommerman))
    jobs.append(("small kernels", lambda: _warm_hashes(small.initial_state().words)))
    for number, (what, work) in enumerate(jobs):
        say(f"compiling {what}")
        work()
        say(number + 1, len(jobs))
    return time.perf_counter() - began


def _warm_pommerman() -> None:
    from tactician.games.pommerman import pommerman
    from tactician.games.pommerman.features import planes
    from tactician.games.pommerman.rule_based import RuleBased

    state = pommerman().initial_state()
    RuleBased().act(state, 0)
    planes(state, 0)


def _warm_hashes(words: np.ndarray) -> None:
    hash_state(words)
    hash_state_twice(words, np.zeros(4, np.uint64))
