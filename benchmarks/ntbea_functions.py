"""How good is NTBEA's recommendation after so many noisy evaluations? Against random search and Optuna's TPE.

Five parameters with six values each, as in the paper; an evaluation is the win rate of 12 games that are won with the
true value's probability. What counts is the true value of the point that is recommended. Prints Markdown tables;
Optuna takes part if it is installed.

    python benchmarks/ntbea_functions.py --repetitions 100 --jobs 2
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import math
import multiprocessing
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tactician.tuning import NTBEA, Space

PARAMETERS, VALUES, GAMES = 5, 6, 12
SPACE = Space({f"w{number}": range(VALUES) for number in range(1, PARAMETERS + 1)})
CHECKPOINTS = (50, 100, 200, 500, 1000)
REPETITIONS, OPTUNA_REPETITIONS = 100, 20
RESAMPLED = 5
HIDDEN = (3, 2, 5, 1, 1)

Row = tuple[int, ...]
TABLE = np.random.default_rng(7).uniform(0.2, 0.8, (VALUES,) * PARAMETERS)


def weighted_sum(x: Row) -> float:
    """Every parameter counts for itself, some more than others: the optimum is all at 5."""
    return 0.2 + 0.6 * sum(weight * value for weight, value in zip((1, 2, 3, 4, 5), x, strict=True)) / 75


def hidden_target(x: Row) -> float:
    """The nearer to a point inside the space, the better."""
    return 0.85 - 0.03 * sum(abs(value - wanted) for value, wanted in zip(x, HIDDEN, strict=True))


def interaction(x: Row) -> float:
    """Two parameters must add up to 5; two are best both at 0, though each alone looks better the higher it is."""
    together = 0.35 if x[2] == x[3] == 0 else 0.02 * (x[2] + x[3])
    return 0.35 + 0.1 * (1 - abs(x[0] + x[1] - 5) / 5) + together + 0.02 * x[4]


def no_structure(x: Row) -> float:
    """Every point has a value of its own that says nothing about any other."""
    return float(TABLE[x])


FUNCTIONS: dict[str, Callable[[Row], float]] = {
    "weighted sum": weighted_sum,
    "hidden target": hidden_target,
    "interaction": interaction,
    "no structure": no_structure,
}


@dataclass(frozen=True)
class Noisy:
    """The win rate of 12 games at a point."""

    function: Callable[[Row], float]

    def __call__(self, point: dict[str, Any], seed: int) -> float:
        return self.of(tuple(point.values()), seed)

    def of(self, x: Row, seed: int) -> float:
        return float(np.random.default_rng(seed).binomial(GAMES, self.function(x))) / GAMES


def ntbea(function: Callable[[Row], float], seed: int, exploration: float = 2.0, width: int = 1) -> list[Row]:
    """What NTBEA recommends at each checkpoint."""
    search = NTBEA(SPACE, seed=seed, exploration=exploration, width=width, every=CHECKPOINTS[0])
    found = search.run(Noisy(function), CHECKPOINTS[-1])
    recommended = {entry.evaluations: SPACE.row(entry.best.point) for entry in found.history}
    return [recommended[count] for count in CHECKPOINTS]


def ntbea_low(function: Callable[[Row], float], seed: int) -> list[Row]:
    """With much less exploration than the default."""
    return ntbea(function, seed, exploration=0.2)


def ntbea_wide(function: Callable[[Row], float], seed: int) -> list[Row]:
    """With eight evaluations side by side."""
    return ntbea(function, seed, exploration=0.2, width=8)


def random_search(function: Callable[[Row], float], seed: int, repeats: int = 1) -> list[Row]:
    """The best mean of random points, each evaluated so many times before the next."""
    rng, noisy = np.random.default_rng([seed, 1]), Noisy(function)
    best: list[Row] = []
    value, spent = -1.0, 0
    chosen: Row = ()
    for checkpoint in CHECKPOINTS:
        while spent + repeats <= checkpoint:
            x = tuple(rng.integers(VALUES, size=PARAMETERS).tolist())
            mean = sum(noisy.of(x, int(rng.integers(2**32))) for _ in range(repeats)) / repeats
            spent += repeats
            if mean > value:
                chosen, value = x, mean
        best.append(chosen)
    return best


def resampling_search(function: Callable[[Row], float], seed: int) -> list[Row]:
    """Fewer random points, each evaluated five times."""
    return random_search(function, seed, RESAMPLED)


def random_points(function: Callable[[Row], float], seed: int) -> list[Row]:
    """Random points, but recommended as NTBEA does it: what its bandits know is worth without its choices."""
    rng, noisy = np.random.default_rng([seed, 3]), Noisy(function)
    tuning = NTBEA(SPACE, every=CHECKPOINTS[0]).begin()
    for _ in range(CHECKPOINTS[-1]):
        x = tuple(rng.integers(VALUES, size=PARAMETERS).tolist())
        tuning.choose(SPACE.point(x))
        tuning.tell(noisy.of(x, int(rng.integers(2**32))))
    recommended = {entry.evaluations: SPACE.row(entry.best.point) for entry in tuning.history}
    return [recommended[count] for count in CHECKPOINTS]


def optuna_tpe(function: Callable[[Row], float], seed: int) -> list[Row]:
    """Optuna's default sampler on categories; its best trial is what it recommends."""
    optuna: Any = importlib.import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    rng, noisy = np.random.default_rng([seed, 2]), Noisy(function)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))

    def objective(trial: Any) -> float:
        x = tuple(trial.suggest_categorical(name, list(values)) for name, values in SPACE.values.items())
        return noisy.of(x, int(rng.integers(2**32)))

    best: list[Row] = []
    for before, checkpoint in zip((0, *CHECKPOINTS), CHECKPOINTS, strict=False):
        study.optimize(objective, n_trials=checkpoint - before)
        best.append(tuple(study.best_params[name] for name in SPACE.names))
    return best


METHODS: dict[str, Callable[[Callable[[Row], float], int], list[Row]]] = {
    "NTBEA, C = 2": ntbea,
    "NTBEA, C = 0.2": ntbea_low,
    "NTBEA, C = 0.2, 8 side by side": ntbea_wide,
    "random search": random_search,
    f"random search, {RESAMPLED} evaluations a point": resampling_search,
    "random points, NTBEA's estimates": random_points,
    "Optuna (TPE)": optuna_tpe,
}


def measure(task: tuple[str, str, int]) -> list[float]:
    """The true values of what one run of a method recommends at the checkpoints."""
    method, function, seed = task
    return [FUNCTIONS[function](x) for x in METHODS[method](FUNCTIONS[function], seed)]


def optimum(function: Callable[[Row], float]) -> float:
    """The highest true value."""
    return max(function(x) for x in np.ndindex(*(VALUES,) * PARAMETERS))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """A mean and half the width of its 95 % interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, 1.96 * math.sqrt(variance / len(values))


def table(function: str, measured: dict[str, list[list[float]]]) -> list[str]:
    """One function's Markdown table."""
    best = optimum(FUNCTIONS[function])
    lines = [
        f"**{function}**, optimum {best:.3f}",
        "",
        "| method | runs | " + " | ".join(f"n = {count}" for count in CHECKPOINTS) + " | optimum found |",
        "|---|---|" + "---|" * (len(CHECKPOINTS) + 1),
    ]
    for method, runs in measured.items():
        cells = ["{:.3f} ± {:.3f}".format(*interval([run[i] for run in runs])) for i in range(len(CHECKPOINTS))]
        share = sum(math.isclose(run[-1], best) for run in runs) / len(runs)
        lines.append(f"| {method} | {len(runs)} | " + " | ".join(cells) + f" | {100 * share:.0f} % |")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--optuna-repetitions", type=int, default=OPTUNA_REPETITIONS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--function", action="append", choices=FUNCTIONS, help="only this one; may be repeated")
    options = parser.parse_args()
    repetitions = dict.fromkeys(METHODS, options.repetitions)
    repetitions["Optuna (TPE)"] = options.optuna_repetitions if importlib.util.find_spec("optuna") else 0
    if not repetitions["Optuna (TPE)"]:
        print("Optuna is left out: pip install tactician[tune].\n")
    began = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for function in options.function or FUNCTIONS:
            measured = {
                method: pool.map(measure, [(method, function, seed) for seed in range(count)], chunksize=2)
                for method, count in repetitions.items()
                if count
            }
            print("\n".join(table(function, measured)), flush=True)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
