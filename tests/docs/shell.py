"""The shell commands of the documentation: found in the `console` blocks of pages, made small enough for a test.

A command runs as it is printed, but with less work: `smaller` states by how much. Nothing is left out silently: every
command belongs to one `Kind`, and `test_commands.py` has a test for each of them.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from pages import DOCS, TOP, Page


class Kind(Enum):
    """How a command is tested."""

    RUN = "run in this process, with less work"
    SLOW = "the same, marked slow"
    SERVER = "started as a process of its own until it answers, then stopped; marked slow"
    MAKE = "a dry run of make"
    INSTALL = "the extra exists; what it installs is tested with the wheel"
    SCRIPT = "a Python program of the repository, marked slow"
    HOOKS = "pre-commit is among the development tools and has a configuration"


SLOW_VERBS = ("bench", "stress", "train", "reproduce", "demo")
"""Commands that measure, train or play for long, even when they are asked for little."""
SMALL = {
    "--games": "2",
    "--evaluations": "2",
    "--jobs": "1",
    "--turns": "4",
    "--kills": "1",
    "--battles": "1",
    "--most": "1000",
}
"""Options that say how much is done, and what tests give instead."""
BUDGETS = {"plan": "40its", "play": "1its", "animate": "1its", "arena": "2its", "stronger": "2its", "tune": "2its"}
"""The budgets that tests give to each command instead of its own."""
EXTRA = {
    "arena": ("--games", "--budget"),
    "stronger": ("--games", "--budget"),
    "tune": ("--games", "--evaluations", "--budget"),
    "animate": ("--budget",),
    "plan": ("--budget",),
    "play": ("--budget",),
}
"""Options that are given also where the page leaves them at their defaults."""
TRAINING = "--battles 1 --budget 2its --hidden 2 --batch 4 --width 1 --evaluate-every 100 --device cpu"


@dataclass(frozen=True)
class ShellCommand:
    """One command of a page."""

    page: Page
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}: {self.text}"

    @cached_property
    def words(self) -> list[str]:
        """The command as a shell reads it; what is piped into it is `typed`."""
        return shlex.split(self.text.rpartition(" | ")[2])

    @property
    def typed(self) -> str:
        """What a pipe writes to the command."""
        before = self.text.rpartition(" | ")[0]
        return " ".join(shlex.split(before)[1:]) + "\n" if before else ""

    @property
    def verb(self) -> str:
        """The command of tactician."""
        return self.words[1] if self.words[0] == "tactician" else ""

    @property
    def kind(self) -> Kind:
        """How it is tested."""
        program = self.words[0]
        others = {"make": Kind.MAKE, "pip": Kind.INSTALL, "python": Kind.SCRIPT, ".venv/bin/pre-commit": Kind.HOOKS}
        if program in others:
            return others[program]
        assert program == "tactician", f"{self}: unknown program"
        if self.verb == "serve":
            return Kind.SERVER
        # Battles of Pommerman and Royale take hundreds of steps; games of files are compiled, their agents have
        # processes of their own.
        long = any(word in self.text for word in ("pommerman", "royale", ".py:", "exec:", "follower"))
        return Kind.SLOW if self.verb in SLOW_VERBS or long else Kind.RUN


def shell_commands() -> list[ShellCommand]:
    """Every command of every page, in order; what does not begin with a `$` is what the command prints."""
    found = []
    for page in [*TOP, *DOCS]:
        for block in page.blocks("console"):
            lines = re.sub(r"\\\n\s*", "", block.code).splitlines()
            assert lines[0].startswith("$ "), f"{page.name}:{block.line}: a block of commands begins with '$ '"
            found += [ShellCommand(page, block.line, line[2:]) for line in lines if line.startswith("$ ")]
    return found


def smaller(command: ShellCommand) -> list[str]:
    """The arguments of a tactician command with less work."""
    words = command.words[1:]
    if "COMMAND" in words:
        words[words.index("COMMAND")] = "arena"
    if command.verb in ("bot", "stress"):
        return _replaced(words, SMALL)
    if command.verb == "train":
        return [*_replaced(words, SMALL), *TRAINING.split()]
    given = dict(SMALL)
    if command.verb in ("train-evaluation", "train-weights"):
        given |= {"--games": "10", "--rounds": "1", "--budget": "20evals", "--check": "0"}
        return _replaced(words, given, ("--games", "--budget", "--check"))
    if command.verb in BUDGETS:
        given["--budget"] = BUDGETS[command.verb]
    if "pommerman" in command.text and "team" not in command.text:
        given["--games"] = "4"  # every start is played from every seat
    return _replaced(words, given, EXTRA.get(command.verb, ()))


def _replaced(words: list[str], values: dict[str, str], wanted: tuple[str, ...] = ()) -> list[str]:
    found = list(words)
    for name, value in values.items():
        if name in found:
            found[found.index(name) + 1] = value
        elif name in wanted:
            found += [name, value]
    return found
