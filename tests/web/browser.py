"""What the browser tests share: a real server, Debian's Chromium, and a visitor who can begin games."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
PATIENCE_MS = 120_000
"""How long to wait for what must come: search processes may have to compile first, on a machine that is busy."""
expect.set_options(timeout=PATIENCE_MS)
ARTEFACTS = Path(os.environ.get("TACTICIAN_ARTEFACTS", Path(__file__).parents[2] / "build" / "screenshots"))


class Server:
    """`tactician serve` in a process of its own."""

    def __init__(self, *options: str) -> None:
        self.options = options
        self.process: subprocess.Popen[str] | None = None
        self.url = ""
        self.start(0)

    def start(self, port: int) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "tactician", "serve", "--port", str(port), *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "The board is at " in line, line
        self.url = line.split()[-1]

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1].strip("/"))

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def begin(self, wish: dict[str, Any], path: str = "api/boards") -> dict[str, str]:
        """A new board: its id and its token."""
        request = urllib.request.Request(
            self.url + path, json.dumps(wish).encode(), {"content-type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(request) as answer:
            made: dict[str, str] = json.load(answer)
        return made


def open_board(page: Page, server: Server, wish: dict[str, Any], pace: str = "at once") -> dict[str, str]:
    """Begin a game and open its page."""
    made = server.begin(wish)
    page.goto(f"{server.url}#/replays")
    remembered = {made["id"]: {"token": made["token"], "title": wish["game"], "seats": wish["seats"], "created": 0}}
    page.evaluate(
        "([boards, pace]) => { localStorage.setItem('tactician.boards', JSON.stringify({"
        "...JSON.parse(localStorage.getItem('tactician.boards') ?? '{}'), ...boards}));"
        " localStorage.setItem('tactician.pace', pace); }",
        [remembered, pace],
    )
    page.goto(f"{server.url}#/board/{made['id']}")
    expect(page.locator(".picture svg")).to_be_visible()
    return made


def part(page: Page, name: str) -> Locator:
    """A part of the drawing."""
    return page.locator(f'.picture svg [data-part="{name}"]').first


def point(page: Page, *names: str) -> None:
    """Click parts one after the other, in the middle of each; again if the picture was drawn anew just then."""
    for name in names:
        for trial in range(3):
            expect(part(page, name)).to_have_attribute("tabindex", "0")
            try:
                part(page, name).click(force=True)
                break
            except Error:
                if trial == 2:
                    raise


def status(page: Page) -> Locator:
    """Whose turn it is."""
    return page.locator(".status strong")


def log(page: Page) -> list[str]:
    """The lines of the log."""
    return page.locator(".log button").all_inner_texts()


def screenshot(page: Page, name: str) -> None:
    """Keep a picture of the page."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png")
