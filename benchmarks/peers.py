"""tactician beside its peers: the same work, CPU time of one thread, medians; regenerates `docs/reference/peers.md`.

    python benchmarks/peers.py [--jax PYTHON] [--write]

OpenSpiel is measured here and now, in turns with ours. With `--jax`, an interpreter that has mctx and pgx, these are
measured too. Engines that pip does not install (Java, C++, Rust, old Python) are constants with the date they were
measured at; ours is measured now on the same positions. `--write` keeps the figures in `results/speed/peers.json` and
writes the page's table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import connect_four
import openspiel_mcts

from tactician.bench import reference_of, run_bench
from tactician.checking.speed import rate
from tactician.machine import machine

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "results" / "speed" / "peers.json", ROOT / "docs" / "reference" / "peers.md"
BEGIN, END = "<!-- peers -->", "<!-- end -->"
MEASURED_AT = "2026-11"
"""When the engines below were measured: two virtual EPYC cores, one thread, CPU time, medians of 3 to 7 runs, warm."""
ENGINES = {
    "hero-academy": "Hero Academy's engine, Java 17",
    "locm": "the official LOCM engine, Java",
    "pommerman": "the official environment and the paper's code, Python",
    "royale": "the specification's plain C++ model",
}
"""Whose figures the references of the games' benchmarks are."""
MODELS = {
    ("pommerman", "random_steps"): ("another environment, C++", 3_150_000),
    ("pommerman", "fdts_decisions"): ("a plain C++ model", 470),
    ("pommerman", "mcs_decisions"): ("a plain C++ model", 2_090),
}
"""Further peers of some figures, and theirs."""
_LONG = 200_000


@dataclass(frozen=True)
class Row:
    """One comparison."""

    work: str
    peer: str
    ours: float
    theirs: float
    unit: str
    dated: str | None
    """When the peer was measured; None: in this run."""

    @property
    def ratio(self) -> float:
        """How many times as fast ours is."""
        return self.ours / self.theirs


def openspiel_rows(seconds: float) -> list[Row]:
    """MCTS with random games to the end, on the same positions."""
    import pyspiel

    rows = []
    for subject in with_long_searches(openspiel_mcts.subjects()):
        found = openspiel_mcts.compare(subject, pyspiel, seconds)
        work = f"MCTS, {found.game.replace('_', ' ')}, {found.position}, {found.simulations:,} simulations"
        rows.append(Row(work, "OpenSpiel's MCTSBot, C++", found.ours, found.openspiel, "simulations/s", None))
    return rows


def with_long_searches(subjects: Iterable[openspiel_mcts.Subject]) -> list[openspiel_mcts.Subject]:
    """The subjects, and Connect Four's start with ten times as many simulations."""
    found = list(subjects)
    return [*found, replace(found[0], simulations=_LONG, bar=None)]


def engine_rows(games: Sequence[str], report: Callable[[str], None]) -> list[Row]:
    """Our figures beside the constants of the games' benchmarks."""
    rows = []
    for figure in run_bench(games, report).figures:
        theirs = reference_of(figure)
        if theirs is not None:
            place = f", {figure.position}" if figure.position else ""
            work = f"{figure.game}: {figure.name.replace('_', ' ')}{place}"
            rows.append(Row(work, ENGINES[figure.game], figure.value, theirs, figure.unit, MEASURED_AT))
            if (figure.game, figure.name) in MODELS:
                model, other = MODELS[figure.game, figure.name]
                rows.append(Row(work, model, figure.value, other, figure.unit, MEASURED_AT))
    return rows


def jax_rows(python: str) -> list[Row]:
    """The searches and steps of mctx and Pgx; all their threads' CPU time, so batches gain nothing from two cores."""
    script = Path(__file__).with_name("jax_peers.py")
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"peers: {python} can't run jax_peers.py: {done.stderr.strip()[-300:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    subject = openspiel_mcts.subjects()[0]
    agent, state = openspiel_mcts.our_agent(subject), subject.ours()
    ours = rate(lambda n: [agent.plan(state, "512its", ply=i) for i in range(n)]) * 512
    batches = connect_four.game.batch(1024), connect_four.game.batch(1024)

    def step(n: int) -> None:
        for _ in range(n):
            batches[0].step(batches[0].sample(), check=False)
            batches[0].reset(starts=batches[1])

    search, walk = f"mctx {found['mctx']} on Pgx", f"Pgx {found['pgx']}"
    return [
        Row("MCTS, connect four, start, 512 simulations", f"{search}, 1 root", ours, found["simulations_1"], *_S),
        Row("MCTS, connect four, start, 512 simulations", f"{search}, 64 roots", ours, found["simulations_64"], *_S),
        Row(
            "random steps, connect four, batches of 1,024 from Python",
            f"{walk}, batches of 1,024",
            1024 * rate(step),
            found["steps_1024"],
            "steps/s",
            None,
        ),
    ]


_S = ("simulations/s", None)


def table(document: dict[str, Any]) -> str:
    """The comparisons as a table of the page, with the machine."""
    about = document["machine"]
    lines = [
        f"{about['processor']}, Python {about['python']}, Numba {about['numba']}, tactician {about['tactician']}.",
        "",
        "| work | peer | measured | peer's figure | ours | unit | ratio |",
        "|---|---|---|---:|---:|---|---:|",
    ]
    for data in document["rows"]:
        row = Row(**data)
        when = row.dated or "in this run"
        cells = (row.work, row.peer, when, _number(row.theirs), _number(row.ours), row.unit, f"{row.ratio:,.1f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(text: str, document: dict[str, Any]) -> str:
    """The page with its table exchanged."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{table(document)}\n{END}{tail}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description="Compare the speed with that of other engines and toolkits.")
    parser.add_argument("--jax", metavar="PYTHON", help="interpreter that has mctx and pgx")
    parser.add_argument("--seconds", type=float, default=6.0, help="CPU time for each position of OpenSpiel")
    parser.add_argument("--games", nargs="*", default=[*ENGINES, "planners"], help="what to measure beside constants")
    parser.add_argument("--write", action="store_true", help="write results/speed/peers.json and the page")
    options = parser.parse_args(arguments)
    rows = openspiel_rows(options.seconds)
    rows += jax_rows(options.jax) if options.jax else []
    rows += engine_rows(options.games, lambda text: print(f"peers: {text}", file=sys.stderr))
    document = {"machine": machine(), "rows": [asdict(row) for row in rows]}
    if options.write:
        RESULTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), document), encoding="utf-8")
    print(table(document))
    return 0


if __name__ == "__main__":
    sys.exit(main())
