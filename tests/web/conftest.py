"""Fixtures of the browser tests; without a browser they are skipped with one loud line."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from browser import Server
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    playwright = pytest.importorskip("playwright.sync_api")
    from browser import ARGUMENTS, CHROMIUM

    if CHROMIUM is None:
        loud = "THE BROWSER TESTS OF THE BOARD DID NOT RUN: there is no Chromium (apt install chromium)"
        warnings.warn(loud, stacklevel=1)
        pytest.skip("no Chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests that don't stop it."""
    from browser import Server

    folder = tmp_path_factory.mktemp("board")
    games = own_games(folder)
    started = Server(*games, "--store", str(folder / "games.db"), "--processes", "1")
    yield started
    started.kill()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of a new visitor; what its console complains of fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    made.set_default_timeout(20_000)
    complaints: list[str] = []
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield made
    context.close()
    refused = [text for text in complaints if "Failed to load resource" not in text and "WebSocket" not in text]
    assert not refused


def own_games(folder: Path) -> list[str]:
    """Two games of a user's file: one whose drawing has parts, and one that only names its actions."""
    file = folder / "orchard.py"
    file.write_text(_ORCHARD)
    return [f"{file}:with_parts", f"{file}:by_name"]


_ORCHARD = '''"""Three in a row on nine squares."""

from tactician.contract.plain import plain
from tactician.drawing.grid import Symbol, grid_svg, square_name

SYMBOLS = {0: Symbol("X", "#1f62b5"), 1: Symbol("O", "#cf3a24")}
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Three:
    def initial_state(self, rng):
        return (None,) * 9

    def current_player(self, state):
        return sum(square is not None for square in state) % 2

    def legal_actions(self, state, player):
        return [i for i, square in enumerate(state) if square is None]

    def apply(self, state, action, rng):
        return (*state[:action], self.current_player(state), *state[action + 1 :])

    def winner(self, state):
        return next((state[a] for a, b, c in LINES if state[a] is not None and state[a] == state[b] == state[c]), None)

    def is_over(self, state):
        return self.winner(state) is not None or None not in state

    def returns(self, state):
        winner = self.winner(state)
        return (0.0, 0.0) if winner is None else (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def evaluate(self, state):
        return self.returns(state)

    def action_name(self, state, action):
        return f"take {square_name(action // 3, action % 3, 3)}"


class Pointed(Three):
    def draw_svg(self, state):
        return grid_svg([state[i : i + 3] for i in (0, 3, 6)], SYMBOLS, title="three in a row")

    def action_parts(self, state, player, action):
        return [f"square:{square_name(action // 3, action % 3, 3)}"]


with_parts = plain(Pointed(), name="with-parts", max_actions=9, description="Three in a row, to point at.")
by_name = plain(Three(), name="by-name", max_actions=9, description="Three in a row, by name.")
'''
