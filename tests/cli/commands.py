"""Running the command as a shell would."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import countdown
import pytest

from tactician.cli.main import run

NIM = f"{Path(__file__).parents[1] / 'support' / 'nim_rules.py'}:nim"


PLAIN_GAME = countdown.RULES + '\n\nnim = plain(Countdown(7), name="countdown", max_actions=2)\n'
"""The file of a game that has nothing to compile."""


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)

    def sentence(self) -> str:
        """The one sentence of a refusal."""
        assert self.code in (1, 2, 130)
        assert self.out == ""
        assert "Traceback" not in self.err
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("tactician: ")
        assert lines[0].endswith((".", "?"))
        return lines[0].removeprefix("tactician: ")


Command = Callable[..., Result]


def commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """A function that runs the entry point."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TACTICIAN_QUIET", "1")
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)

    def ran(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["tactician", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            run()
        code = left.value.code
        assert code is None or isinstance(code, int)
        return Result(code or 0, *capsys.readouterr())

    return ran
