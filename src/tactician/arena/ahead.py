"""Compile ahead of a tournament: what is not in the cache, on as many cores as there are.

A part is a game's rules, a planner or something else that takes seconds to compile. This process tries to load each
part; those that are not in the cache are shared out, and other processes compile them meanwhile (`python -m
tactician.arena.ahead PART...`). Planners of one family go to the same process, because they share helpers.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from tactician.contract.plain import plain
from tactician.followers.network import warm_network
from tactician.games.registry import entries, load_game
from tactician.native.announce import CompileLine
from tactician.native.caching import NotCachedError, only_cached
from tactician.native.hashing import hash_state, hash_state_twice
from tactician.planners.bandits import BANDITS
from tactician.planners.base import Planner
from tactician.planners.inside import read
from tactician.planners.registry import PLANNERS, parse_planner

_LEAST_SECONDS = 4.0
"""Less work than this is not worth another process, which takes a second to start."""
_SHARED = 0.4
"""What a part costs in a process that has compiled one of the same family."""


_SECONDS = {"simple": 2.0, "mcts": 9.0}
"""About what planners take that take less or more than others, by family."""
_LOOKS = 7
_OF_A_GAME = ("evaluation", "weights", "budget", "ratings", "opponents", "rollout_policy", "priors")
"""Parameters that name something of one game, which planners are not compiled for."""
_INSIDE = ("planner", "answer", "first")
"""Parameters that are planners."""


@dataclass(frozen=True)
class Part:
    """Something to compile."""

    kind: str
    """Which of the loaders below compiles it."""
    name: str
    family: str
    """Parts of one family share helpers."""
    seconds: float
    """About what it takes on its own."""

    def __str__(self) -> str:
        kinds = {"game": "rules of", "more": "more of"}
        return f"{kinds.get(self.kind, self.kind)} {self.name}".rstrip()


def game_part(name: str) -> Part:
    """The rules of a game."""
    return Part("game", name, f"game {name.partition(':')[0]}", 9.0)


def more_part(name: str) -> Part:
    """What the entry of a game compiles besides the rules."""
    return Part("more", name, f"game {name}", 3.0)


def planner_part(planner: Planner) -> Part:
    """The kernels of a planner; those of one base class share most helpers."""
    family = type(planner).__module__.rpartition(".")[2].removeprefix("permutation_")
    spec = str(_for_any_game(planner))
    shared = {"emcts": "oep", "determinized": "mcts", "clairvoyant": "mcts", "rhea": "simultaneous"}
    return Part("planner", spec, shared.get(family, family), _SECONDS.get(family, 7.0))


def _for_any_game(planner: Planner) -> Planner:
    """A planner, and those inside it if there are any, without what belongs to one game."""
    usual: dict[str, Any] = {field.name: field.default for field in fields(planner) if field.name in _OF_A_GAME}
    for name in _INSIDE:
        inner: Planner | str | None = getattr(planner, name, None)
        if inner:
            usual[name] = _for_any_game(read(inner))
    return replace(planner, **usual)


def all_parts(games: Sequence[str]) -> list[Part]:
    """The rules of some games, and everything else that comes with the package."""
    parts = [game_part(name) for name in games]
    parts += [more_part(entry.name) for entry in entries() if entry.warm_up]
    parts += [planner_part(kind()) for kind in PLANNERS.values()]
    parts += [Part("bandit", name, "bandits", 1.0) for name in BANDITS]
    return [*parts, Part("networks", "of followers", "networks", 2.0), Part("hashes", "", "hashes", 1.0)]


def compile_ahead(
    parts: Sequence[Part], processes: int | None = None, on_progress: Callable[..., Any] | None = None
) -> list[Part]:
    """Compile what is not in the cache and return it; `on_progress` gets texts and (done, of)."""
    report = on_progress or (lambda *_args: None)
    cold = []
    for part in parts:
        report(f"loading {part}")
        if not _is_cached(part):
            cold.append(part)
    if not cold:
        return []
    lanes = _shared_out(cold, processes if processes is not None else free_cores())
    line, outcome = CompileLine(", ".join(map(str, cold)), len(cold)), "failed"
    done = 0

    def begin(part: Part) -> None:
        if on_progress is None:
            line.show(str(part), done)
        report(f"compiling {part}")

    try:
        with contextlib.ExitStack() as stack:
            others = [stack.enter_context(_Child(lane)) for lane in lanes[1:]]
            for part in lanes[0]:
                begin(part)
                _load(part)
                done += 1
                report(done, len(cold))
            for child in others:
                for part in child.lane:
                    begin(part)
                    child.wait_for_one()
                    done += 1
                    report(done, len(cold))
        outcome = "done"
    finally:
        line.close(outcome)
    return cold


def _is_cached(part: Part) -> bool:
    """Load a part, unless it would have to be compiled."""
    try:
        with only_cached():
            _load(part)
    except NotCachedError:
        return False
    return True


def _load(part: Part) -> None:
    """Compile a part or load it from the cache."""
    _LOADERS[part.kind](part.name)


def _load_game(name: str) -> None:
    _ = load_game(name).table.addresses  # all rules that searches call


def _load_more(name: str) -> None:
    next(entry for entry in entries() if entry.name == name).load("warm_up")()


def _load_planner(spec: str) -> None:
    # A planner is the same for all games, and rules in plain Python need no compilation.
    parse_planner(spec).on(plain(_Nim(), name="nim", max_actions=3))


class _Nim:
    """Take one to three; who takes the last one wins. A state is what is left, and the player to move."""

    def initial_state(self, _rng: Any) -> tuple[int, int]:
        return 9, 0

    def legal_actions(self, state: tuple[int, int], _player: int) -> list[int]:
        return list(range(1, min(3, state[0]) + 1))

    def apply(self, state: tuple[int, int], action: int, _rng: Any) -> tuple[int, int]:
        return state[0] - action, 1 - state[1]

    def current_player(self, state: tuple[int, int]) -> int:
        return state[1]

    def is_over(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def returns(self, state: tuple[int, int]) -> list[float]:
        return [1.0, -1.0] if state[1] == 1 else [-1.0, 1.0]

    def evaluate(self, _state: tuple[int, int]) -> list[float]:
        return [0.0, 0.0]


def _load_bandit(name: str) -> None:
    _ = BANDITS[name].addresses


def _load_hashes(_name: str) -> None:
    words = np.zeros(8, np.uint64)
    hash_state(words)
    hash_state_twice(words, np.zeros(4, np.uint64))


def _load_networks(_name: str) -> None:
    warm_network()


_LOADERS: dict[str, Callable[[str], None]] = {
    "game": _load_game,
    "more": _load_more,
    "planner": _load_planner,
    "bandit": _load_bandit,
    "networks": _load_networks,
    "hashes": _load_hashes,
}


def free_cores() -> int:
    """Cores of this process that others leave free, at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, cores - _others_running()))


def _others_running() -> int:
    """How many other threads run or want to; what the last minute was like does not matter. Elsewhere than on Linux: 0.

    One look may meet something that lasts a millisecond, so there are several.
    """
    seen = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        for _ in range(_LOOKS):
            seen.append(int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) - 1)
            time.sleep(0.01)
    return max(0, round(statistics.median(seen))) if seen else 0


def _shared_out(parts: Sequence[Part], processes: int) -> list[list[Part]]:
    """Lanes of about equal work, families together; the longest family first, each to the lane with the least."""
    families: dict[str, list[Part]] = {}
    for part in parts:
        families.setdefault(part.family, []).append(part)
    costs = {name: _cost(members) for name, members in families.items()}
    total = sum(costs.values())
    count = max(1, min(processes, len(families), int(total / _LEAST_SECONDS)))
    lanes: list[list[str]] = [[] for _ in range(count)]
    for name in sorted(families, key=lambda name: -costs[name]):
        min(lanes, key=lambda lane: sum(costs[other] for other in lane)).append(name)
    return [[part for name in lane for part in families[name]] for lane in lanes if lane]


def _cost(members: Sequence[Part]) -> float:
    return members[0].seconds + _SHARED * sum(part.seconds for part in members[1:])


class _Child:
    """A process that compiles some parts and writes a line when one is done."""

    def __init__(self, lane: list[Part]) -> None:
        self.lane = lane
        words = [f"{part.kind} {part.name}" for part in lane]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tactician.arena.ahead", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> _Child:
        return self

    def wait_for_one(self) -> None:
        """Wait until one more part is compiled; if the process fails, what is left compiles where it is needed."""
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def __exit__(self, *_exception: Any) -> None:
        if _exception[0] is not None:
            self._process.kill()
        self._process.communicate()


def main(words: Sequence[str]) -> None:
    """Compile the parts given as ``KIND NAME``; one line a part on stdout."""
    for word in words:
        kind, _, name = word.partition(" ")
        _load(Part(kind, name, "", 0.0))
        print(word, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
