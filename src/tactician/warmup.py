"""Compile everything once: the rules of all games and the kernels of all planners."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tactician.contract.kernels import hash_state


def warm_everything(heard: Callable[..., Any] | None = None) -> float:
    """Compile what is not in the cache; returns the seconds it took."""
    from tactician.games import hero_academy
    from tactician.games.registry import GAMES, load_game
    from tactician.planners.registry import PLANNERS

    say = heard or (lambda *_args: None)
    began = time.perf_counter()
    jobs: list[tuple[str, Callable[[], Any]]] = [
        (f"rules of {name}", partial(lambda game: load_game(game).table, name)) for name in GAMES
    ]
    jobs.append(("rules of hero-academy with hidden hands", lambda: hero_academy(information="hidden").table))
    small = load_game("amazons:size=6")
    jobs += [(f"planner {name}", partial(lambda planner: planner().on(small), kind)) for name, kind in PLANNERS.items()]
    jobs.append(("small kernels", lambda: hash_state(small.initial_state().words)))
    for number, (what, work) in enumerate(jobs):
        say(f"compiling {what}")
        work()
        say(number + 1, len(jobs))
    return time.perf_counter() - began
