"""Where results come from: the runs of a results document, and what two documents are together.

A document has a list `runs`; each names the command that measured, its seed, how much it measured, the version and
commit of the code, its `sources` and the machine. A row of `outcomes` names its run by number. Results that are older
than this record have what could be reconstructed; the rest is None, and pages say so.

`sources` is Git's name for the contents of the package, what `git rev-parse COMMIT:src/tactician` prints. It tells
whether two commits have the same code, and stays the same when a history is rewritten.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tactician._version import __version__
from tactician.errors import InvalidParameterError
from tactician.experiments.report import MoreTable
from tactician.machine import machine

RUNS, RUN = "runs", "run"
BY_HAND = "commit_by_hand"
"""Says of a run that its commit is not the one that it was played on."""
NOT_RECORDED = "not recorded"
CHANGED = " with changes"
"""Follows the name of sources that were changed since the last commit."""
_GIT_SECONDS = 5
_HEAD = ("command", "seed", "size", "version", "commit", "sources", "day", "machine")


def with_run(document: dict[str, Any], command: str, seed: int, unit: str) -> dict[str, Any]:
    """A document that has just been measured, with its run."""
    run = {
        "command": command,
        "seed": seed,
        "size": f"{_amount(document)} {unit}",
        "version": __version__,
        **code_of(Path(__file__).resolve().parents[1]),
        "day": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
    }
    told = {**document, RUNS: [run]}
    if "outcomes" in document:
        told["outcomes"] = [{**row, RUN: 0} for row in document["outcomes"]]
    return told


def merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Both documents of an experiment together; of a row that both have, the new one, in the old one's place."""
    if old.get("experiment") != new.get("experiment"):
        raise InvalidParameterError(
            f"the results are of experiment {old.get('experiment')!r}; expected {new.get('experiment')!r}."
        )
    if "outcomes" not in new:
        return new
    before = len(old.get(RUNS, ()))
    rows = {_row_key(row): row for row in old["outcomes"]}
    rows |= {_row_key(row): {**row, RUN: before + row[RUN]} for row in new["outcomes"]}
    both = {k: {**old[k], **new[k]} for k in old.keys() & new.keys() if isinstance(old[k], dict)}  # e.g. training
    kept = {**old, **new, **both, RUNS: [*old.get(RUNS, ()), *new[RUNS]], "outcomes": list(rows.values())}
    return _without_unused_runs(kept)


def runs_table(document: dict[str, Any]) -> tuple[MoreTable, ...]:
    """The runs of a document as a table of its report."""
    runs: Sequence[dict[str, Any]] = document.get(RUNS, ())
    if not runs:
        return ()
    marks = ["those marked * are reconstructed; their commit is the one that added the results"]
    marks *= any(run.get("reconstructed") for run in runs)
    marks += ["a commit marked † was put in by hand: the one that was played on was not kept"] * any(
        run.get(BY_HAND) for run in runs
    )
    told = f" ({'; '.join(marks)})" if marks else ""
    return (MoreTable(f"The commands that measured this{told}:", _HEAD, tuple(_told(run) for run in runs)),)


def _told(run: dict[str, Any]) -> tuple[str, ...]:
    star = "*" if run.get("reconstructed") else ""
    found = run.get("machine")
    where = found and (
        f"{found['processor']}, {found['cores']} cores, {found['system']}, Python {found['python']}, NumPy "
        f"{found['numpy']}, Numba {found['numba']}"
    )
    seed = run.get("seed")
    commit, sources = run.get("commit"), run.get("sources")
    return (
        f"`{run['command']}`{star}",
        NOT_RECORDED if seed is None else str(seed),
        run["size"],
        run.get("version") or NOT_RECORDED,
        commit[:12] + "†" * bool(run.get(BY_HAND)) if commit else NOT_RECORDED,
        sources[:12] + sources[40:] if sources else NOT_RECORDED,
        run.get("day") or NOT_RECORDED,
        where or NOT_RECORDED,
    )


def command_of(name: str, options: Sequence[str]) -> str:
    """The command that measures an experiment with these options."""
    return shlex.join(["tactician", "reproduce", name, *options])


def _row_key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["cell"], row.get("preset"), row.get("budget")


def _without_unused_runs(document: dict[str, Any]) -> dict[str, Any]:
    """Leave out runs whose rows have all been measured again."""
    used = sorted({row[RUN] for row in document["outcomes"] if row.get(RUN) is not None})
    place = {number: i for i, number in enumerate(used)}
    rows = [{**row, RUN: place[row[RUN]]} if row.get(RUN) is not None else row for row in document["outcomes"]]
    return {**document, "outcomes": rows, RUNS: [document[RUNS][number] for number in used]}


def _amount(document: dict[str, Any]) -> int:
    """How many games, positions or evaluations were measured."""
    if "outcomes" in document:
        return sum(row["games"] for row in document["outcomes"])
    for name in ("games", "positions", "evaluations"):
        if name in document:
            found = document[name]
            return len(found) if isinstance(found, list) else int(found)
    return 0


def code_of(package: Path) -> dict[str, str | None]:
    """The commit and the sources of a package; None where it is not in a repository of its own."""
    repository = package.parents[1]
    if not (repository / ".git").exists():
        return {"commit": None, "sources": None}
    inside = package.relative_to(repository).as_posix()
    sources = _git(repository, "rev-parse", f"HEAD:{inside}")
    if sources is not None and _git(repository, "status", "--porcelain", "--", inside) != "":
        sources += CHANGED
    return {"commit": _git(repository, "rev-parse", "HEAD"), "sources": sources}


def _git(repository: Path, *arguments: str) -> str | None:
    """What Git says; None if it can't."""
    command = ["git", "-C", str(repository), *arguments]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_GIT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip()
