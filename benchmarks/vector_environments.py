"""Steps a second of many Gymnasium environments: a loop of single ones and the vector environment on a batch.

    python benchmarks/vector_environments.py [--page docs/adapters/gymnasium.md]

Both play random legal actions against a random opponent, one thread; a game that is over starts anew. With `--page`
the table is written into the page behind its mark.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tactician.adapters import gymnasium as adapter

GAMES = ("amazons:size=6", "hero-academy:information=hidden", "locm", "pommerman", "royale")
LOOP, VECTOR = 4, 256
_MARK = re.compile(r"<!-- vector environments -->\n.*?(?=\n## |\Z)", re.DOTALL)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path, help="write the table into this page")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    options = parser.parse_args()
    table = measured(options.seconds)
    sys.stdout.write(table)
    if options.page:
        text = options.page.read_text(encoding="utf-8")
        options.page.write_text(_MARK.sub(f"<!-- vector environments -->\n{table}", text), encoding="utf-8")


def measured(seconds: float) -> str:
    """The table as Markdown."""
    head = ("game", f"loop of {LOOP}", f"vector of {VECTOR}", "times as many")
    rows = [head, ("---",) * len(head)]
    for game in GAMES:
        loop, vector = loop_rate(game, LOOP, seconds), vector_rate(game, VECTOR, seconds)
        rows.append((f"`{game}`", f"{loop:,.0f}", f"{vector:,.0f}", f"{vector / loop:.0f}"))
        sys.stderr.write(f"{game}: {vector / loop:.0f} times as many\n")
    return "".join(f"| {' | '.join(row)} |\n" for row in rows).replace("| --- ", "|---").replace("|--- |", "|---|")


def loop_rate(game: str, count: int, seconds: float) -> float:
    """Steps a second of single environments, one after the other."""
    environments = [adapter.make(game) for _ in range(count)]
    infos = [env.reset(seed=seed)[1] for seed, env in enumerate(environments)]
    random, steps, started = np.random.default_rng(0), 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        for number, env in enumerate(environments):
            _, _, over, _, infos[number] = env.step(int(random.integers(len(infos[number]["codes"]))))
            if over:
                infos[number] = env.reset()[1]
        steps += count
    return steps / (time.perf_counter() - started)


def vector_rate(game: str, count: int, seconds: float) -> float:
    """Steps a second of the vector environment."""
    env = adapter.make_vector(game, count)
    info: dict[str, Any] = env.reset(seed=0)[1]
    random, steps, started = np.random.default_rng(0), 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        actions = (random.random(count) * np.maximum(1, info["count"])).astype(np.int64)
        info = env.step(actions)[4]
        steps += count
    return steps / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
