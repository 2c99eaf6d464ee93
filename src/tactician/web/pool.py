"""Searches in a bounded number of processes, with a fair queue in front of them.

A process is `python -m tactician.web.analysis`: it reads queries and writes answers, a line each. Whoever asks has a
place of their own in the queue; the next free process takes the next query of the asker who has waited longest, so
that one visitor with many questions can't hold up the others. A query whose asker has gone is ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import sys
import zlib
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tactician.errors import TacticianError

MOST_WAITING = 200
"""Queries in the queue, all askers together."""
MOST_FOR_ONE = 8
"""Queries of one asker in the queue."""
GRACE_S = 20.0
"""How much longer than its query allows a process may be silent before it is ended: loading and compiling take time."""
_LONGEST_LINE = 1 << 24


class BusyError(TacticianError):
    """More is asked than the server has room for."""


class SearchFailedError(TacticianError):
    """A search process ended, or its answer is an error."""

    exit_code = 1


@dataclass(eq=False)
class _Job:
    asker: str
    query: dict[str, Any]
    pinned: int | None
    answers: asyncio.Queue[dict[str, Any] | None] = field(default_factory=asyncio.Queue)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once nobody waits for answers any more."""


class SearchPool:
    """Search processes for one server."""

    def __init__(self, processes: int, longest: float) -> None:
        self.processes = processes
        self.longest = longest
        """Seconds that any search may take."""
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._work = asyncio.Condition()
        self._numbers = itertools.count(1)
        self._tasks: list[asyncio.Task[None]] = []
        self.running = 0
        """Searches that run at the moment."""

    def start(self) -> None:
        """Start the processes."""
        self._tasks = [asyncio.create_task(self._serve(number)) for number in range(self.processes)]

    async def close(self) -> None:
        """End all searches and processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def waiting(self) -> int:
        """Queries in the queue."""
        return sum(map(len, self._waiting.values()))

    async def ask(
        self, asker: str, query: Mapping[str, Any], pinned: str | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the answers to a query; leaving the loop ends the search. `pinned` queries share one process."""
        own = self._waiting.get(asker, ())
        if len(own) >= MOST_FOR_ONE or self.waiting >= MOST_WAITING:
            raise BusyError("too many searches are waiting; try again in a moment.")
        document = {**query, "id": next(self._numbers), "longest": self.longest}
        place = None if pinned is None else zlib.crc32(pinned.encode()) % self.processes
        job = _Job(asker, document, place)
        async with self._work:
            self._waiting.setdefault(asker, deque()).append(job)
            self._work.notify_all()
        try:
            while (answer := await job.answers.get()) is not None:
                if "error" in answer:
                    raise SearchFailedError(answer["error"])
                yield answer
        finally:
            job.gone.set()
            with contextlib.suppress(KeyError, ValueError):
                self._waiting[asker].remove(job)
                if not self._waiting[asker]:
                    del self._waiting[asker]

    def _next(self, place: int) -> _Job | None:
        """The query of the asker who has waited longest; the asker goes to the end of the row."""
        for asker, jobs in self._waiting.items():
            job = next((one for one in jobs if one.pinned in (None, place)), None)
            if job is not None:
                jobs.remove(job)
                del self._waiting[asker]
                if jobs:
                    self._waiting[asker] = jobs
                return job
        return None

    async def _serve(self, place: int) -> None:
        process: asyncio.subprocess.Process | None = None
        try:
            while True:
                async with self._work:
                    while (job := self._next(place)) is None:
                        await self._work.wait()
                if process is None or process.returncode is not None:
                    process = await _started()
                self.running += 1
                try:
                    if not await self._run(process, job):
                        await _ended(process)
                        process = None
                finally:
                    self.running -= 1
                    job.answers.put_nowait(None)
        finally:
            if process is not None:
                await _ended(process)

    async def _run(self, process: asyncio.subprocess.Process, job: _Job) -> bool:
        """Pass a query on and its answers back; False if the process can't be used any more."""
        limit = asyncio.get_running_loop().time() + float(job.query["longest"]) + GRACE_S
        gone = asyncio.create_task(job.gone.wait())
        reading = asyncio.create_task(_line(process))
        try:
            await _write(process, job.query)
            while True:
                left = limit - asyncio.get_running_loop().time()
                waited = {reading} if gone.done() else {reading, gone}
                done, _ = await asyncio.wait(waited, timeout=max(left, 0), return_when=asyncio.FIRST_COMPLETED)
                if not done:
                    job.answers.put_nowait({"error": "the search did not end in time and was stopped."})
                    return False
                if gone in done:
                    await _write(process, {"action": "terminate", "terminateId": job.query["id"]})
                if reading not in done:
                    continue
                line = reading.result()
                if not line:
                    job.answers.put_nowait({"error": await _last_words(process)})
                    return False
                answer = json.loads(line)
                if answer.get("id") == job.query["id"]:
                    job.answers.put_nowait(answer)
                    if not answer.get("isDuringSearch", False):
                        return True
                reading = asyncio.create_task(_line(process))
        except (ConnectionError, ValueError) as error:
            job.answers.put_nowait({"error": f"the search process failed: {error}."})
            return False
        finally:
            gone.cancel()
            reading.cancel()


async def _line(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    return await process.stdout.readline()


async def _write(process: asyncio.subprocess.Process, document: Mapping[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(document).encode() + b"\n")
    await process.stdin.drain()


async def _started() -> asyncio.subprocess.Process:
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tactician.web.analysis",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_LONGEST_LINE,
        env=environment,
    )


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    await process.wait()


async def _last_words(process: asyncio.subprocess.Process) -> str:
    code = await process.wait()
    return f"the search process ended with code {code}; its reason stands in the server's terminal."
