"""Tasks that an experiment measures one by one: side by side in processes, each kept in a journal as it is finished."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from tactician.arena.crew import Crew, FatalCalls
from tactician.arena.journal import Journal, JournalKind
from tactician.experiments.base import RunRequest, journal_beside

Figures = dict[str, float]


class MeasuredTask(Protocol):
    """A dataclass that says what to measure; what it finds depends on nothing else."""

    def run(self, source: Any) -> Figures:
        """Measure."""


Task = TypeVar("Task", bound=MeasuredTask)


def measure_tasks(
    name: str,
    tasks: Sequence[Task],
    source_of: Callable[[Task], Any],
    request: RunRequest,
    suffix: str,
    kind: JournalKind,
    decode: Callable[[Mapping[str, Any]], Task],
    fatal: FatalCalls,
    figures: Sequence[str],
) -> dict[Task, Figures]:
    """The figures of every task; what the journal beside the store has is not measured again.

    A task is a dataclass with a method `run(source)`. One journal serves runs with any budget and seed, as each of its
    entries names its own. A figure that an older journal does not have is NaN.
    """

    def entry(_number: int, document: dict[str, Any]) -> tuple[Task, Figures]:
        kept = document["figures"]
        return decode(document["task"]), {figure: float(kept.get(figure, "nan")) for figure in figures}

    path, total = journal_beside(request.store, suffix), len(tasks)
    with Journal(path, kind, {}, entry) as journal, Crew(request.jobs, request.cluster) as crew:
        found: dict[Task, Figures] = dict(journal.entries)
        waiting = [task for task in tasks if task not in found]
        for task in waiting:
            crew.submit(task, task.run, source_of(task))
        for done in range(total - len(waiting), total):
            task, measured = crew.next(fatal)
            found[task] = measured
            journal.add({"task": vars(task), "figures": measured})
            request.on_progress(name, done + 1, total)
    return found
