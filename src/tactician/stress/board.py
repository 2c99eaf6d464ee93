"""Fifty people at one board: are page actions answered quickly while planners search on every core?

A server runs in a process of its own with a store on the disk. Each visitor plays Hero Academy against a planner: a
whole turn by single actions, some of them taken back, then the planner's turn over a socket. What is measured is the
time from a request to its answer, apart from the searches.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tactician.errors import ExternalBotError, InvalidParameterError
from tactician.parameters import require_finite

ALLOWED_MS = 200.0
QUANTILE = 0.95
_LOOKING_S = (0.5, 2.5)
"""How long people look before they act."""
_ARRIVING = 0.2
"""The share of the time in which visitors come, one after the other."""
_UNDONE = 0.2
"""The share of actions that a visitor takes back."""


@dataclass
class BoardReport:
    """How long page actions took, in milliseconds, and what went wrong."""

    visitors: int
    seconds: float
    actions_ms: list[float] = field(default_factory=list)
    turns: int = 0
    """Planners' turns that were searched and shown."""
    faults: list[str] = field(default_factory=list)

    def quantile(self, share: float) -> float:
        """What a share of the actions stayed below."""
        return float(np.quantile(self.actions_ms, share)) if self.actions_ms else float("nan")

    @property
    def ok(self) -> bool:
        """Whether 95 % of the actions were answered in time, and nothing went wrong."""
        return not self.faults and self.turns > 0 and self.quantile(QUANTILE) <= ALLOWED_MS

    def to_json(self) -> dict[str, Any]:
        """The figures as one document."""
        return {
            "visitors": self.visitors,
            "seconds": self.seconds,
            "actions": len(self.actions_ms),
            "p50_ms": self.quantile(0.5),
            "p95_ms": self.quantile(QUANTILE),
            "max_ms": max(self.actions_ms, default=float("nan")),
            "allowed_ms": ALLOWED_MS,
            "planner_turns": self.turns,
            "faults": self.faults[:20],
            "ok": self.ok,
        }

    def sentence(self) -> str:
        """The figures in one sentence."""
        return (
            f"{self.visitors} games at once for {self.seconds:g} s: {len(self.actions_ms)} page actions, half within "
            f"{self.quantile(0.5):.0f} ms, 95 % within {self.quantile(QUANTILE):.0f} ms (allowed {ALLOWED_MS:g}), "
            f"slowest {max(self.actions_ms, default=float('nan')):.0f} ms; {self.turns} turns of planners, "
            f"{len(self.faults)} faults"
        )


def stress_board(
    visitors: int = 50,
    seconds: float = 30.0,
    planner: str = "oep",
    budget: str = "500ms",
    on_progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> BoardReport:
    """Let visitors play for so many seconds, and measure."""
    try:
        import fastapi  # noqa: F401
        import httpx  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise InvalidParameterError(f"this needs {error.name}; pip install 'tactician[web]' httpx.") from error
    require_finite("seconds", seconds)
    report = BoardReport(visitors, seconds)
    with tempfile.TemporaryDirectory() as folder:
        server = _started(Path(folder) / "games.db")
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if "The board is at " not in line:
                raise ExternalBotError("the server did not start.")
            address = line.split()[-1]
            asyncio.run(_visit(address, report, planner, budget, on_progress))
        finally:
            server.kill()
            server.wait()
    return report


def _started(store: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tactician", "serve", "--port", "0", "--store", str(store)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ)


async def _visit(
    address: str, report: BoardReport, planner: str, budget: str, on_progress: Callable[[int, int], object]
) -> None:
    import httpx

    limits = httpx.Limits(max_connections=report.visitors, max_keepalive_connections=report.visitors)
    async with httpx.AsyncClient(base_url=address, timeout=60.0, limits=limits) as client:
        # The first game loads rules and starts search processes; a server is warm after that.
        warm = BoardReport(1, 0.0)
        await _Visitor(client, address, warm, report.visitors).play(planner, budget, time.monotonic() + 1e9, turns=2)
        report.faults += warm.faults
        deadline = time.monotonic() + report.seconds
        people = [
            asyncio.create_task(_Visitor(client, address, report, number).play(planner, budget, deadline))
            for number in range(report.visitors)
        ]
        while time.monotonic() < deadline:
            await asyncio.sleep(0.5)
            on_progress(int(report.seconds - (deadline - time.monotonic())), int(report.seconds))
        await asyncio.gather(*people)


class _Visitor:
    """Somebody who plays until the time is up."""

    def __init__(self, client: Any, address: str, report: BoardReport, number: int) -> None:
        self._client, self._report = client, report
        self._socket_address = address.replace("http://", "ws://") + "api/live"
        self._random = random.Random(number)
        self._id = self._token = ""

    async def play(self, planner: str, budget: str, deadline: float, turns: int | None = None) -> None:
        """One game after another, or so many turns."""
        import websockets

        left = itertools.count() if turns is None else iter(range(turns))

        try:
            if turns is None:
                await asyncio.sleep(self._random.uniform(0.0, _ARRIVING * self._report.seconds))
            while time.monotonic() < deadline:
                seats = ["person", planner]
                wish = {"game": "hero-academy", "seats": seats, "budget": budget, "seed": self._random.randrange(10**6)}
                made = await self._ask("POST", "api/boards", wish)
                self._id, self._token = made["id"], made["token"]
                async with websockets.connect(self._socket_address, max_size=1 << 24) as socket:
                    await socket.send(json.dumps({"board": self._id, "token": self._token}))
                    for _ in left:
                        if time.monotonic() >= deadline or not await self._turn(socket, deadline):
                            break
                    else:
                        return
        except Exception as error:  # whatever goes wrong is a finding
            self._report.faults.append(f"{type(error).__name__}: {error}")

    async def _turn(self, socket: Any, deadline: float) -> bool:
        """A turn of the visitor and one of the planner; False once the game is over."""
        view = await self._ask("GET", f"api/boards/{self._id}")
        while view["yours"] and time.monotonic() < deadline:
            action = self._random.choice(view["actions"])
            view = await self._ask("POST", f"api/boards/{self._id}/actions", {"code": action["code"]})
            if view["canUndo"] and self._random.random() < _UNDONE:
                view = await self._ask("POST", f"api/boards/{self._id}/undo")
            await asyncio.sleep(self._random.uniform(*_LOOKING_S))
        if view["over"] or time.monotonic() >= deadline:
            return False
        await socket.send(json.dumps({"type": "advance"}))
        async with asyncio.timeout(60.0 + self._report.visitors * 2):
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "error":
                    raise RuntimeError(message["error"])
                if message["type"] == "view":
                    self._report.turns += 1
                    return not message["view"]["over"]
                if time.monotonic() >= deadline:
                    return False  # the socket closes, and its search with it
        return False

    async def _ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        began = time.perf_counter()
        answer = await self._client.request(method, path, json=body, headers={"X-Board-Token": self._token})
        self._report.actions_ms.append(1000 * (time.perf_counter() - began))
        if answer.status_code >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
        document: dict[str, Any] = answer.json()
        return document
