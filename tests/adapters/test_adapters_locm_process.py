"""The process that drafts while the player is loaded: whenever it hands over, the game is played as if by one process.

A player that does nothing in battles stands for the planners; the drafts and the processes are real.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tactician.adapters.locm_process import play
from tactician.adapters.locm_start import Answer, Drafter
from tactician.errors import InvalidParameterError
from tactician.games.locm import protocol
from tactician.games.locm.protocol import InputBlock, ProtocolError
from tactician.games.locm.referee import Referee

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX systems fork")

PICKS = 30


class Passing:
    """Drafts, and passes in battles with the number of its picks as a comment."""

    version = "1.2"

    def __init__(self, strategy: str = "learned") -> None:
        self._drafter = Drafter(strategy, seed=5)
        self.picks: list[str] = []
        self.closed = False

    def answer(self, block: InputBlock, since: float | None = None) -> str:
        if protocol.is_draft(block):
            self.picks.append(f"PICK {self._drafter.pick(block)}")
            return self.picks[-1]
        return f"PASS after {len(self.picks)} picks"

    def close(self) -> None:
        self.closed = True


@cache
def game(blocks: int) -> list[str]:
    """The lines of the first blocks of a game in which both players do nothing."""
    referee = Referee(2)
    lines: list[str] = []
    found = 0
    while found < blocks:
        question = referee.ask()
        if question.player == 0:
            lines += question.lines
            found += 1
        referee.answer("PASS")
    return [f"{line}\n" for line in lines]


class Table:
    """Files in which a game is played: the input is written when asked for, the output can be waited for."""

    def __init__(self, folder: Path) -> None:
        reading, self._writing = os.pipe()
        self.source = os.fdopen(reading, encoding="utf-8")
        self.out = folder / "out"
        self.sink = self.out.open("w", encoding="utf-8")
        self.player: Passing | None = None
        self.processes: list[int] = []
        """Those that were forked."""

    def send(self, text: str) -> None:
        os.write(self._writing, text.encode())

    def end(self) -> None:
        if self._writing >= 0:
            os.close(self._writing)
        self._writing = -1

    def wait_for(self, answers: int) -> None:
        """Until so many lines have been written."""
        patience = time.monotonic() + 120
        while self.out.read_text().count("\n") < answers:
            assert time.monotonic() < patience, f"{self.out.read_text()!r} instead of {answers} answers"
            time.sleep(0.001)

    def play(
        self,
        before_loaded: Callable[[], object] = lambda: None,
        on_progress: Callable[[Answer], object] | None = None,
        strategy: str = "learned",
    ) -> list[str]:
        """Play; the player is loaded once `before_loaded` returns."""

        def load() -> Passing:
            before_loaded()
            self.player = Passing(strategy)
            return self.player

        play(load, "1.2", strategy, 5, self.source, self.sink, on_progress)
        return self.out.read_text().splitlines()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    made, fork = Table(tmp_path), os.fork

    def noted_fork() -> int:
        made.processes.append(fork())
        return made.processes[-1]

    monkeypatch.setattr(os, "fork", noted_fork)
    yield made
    made.end()
    made.source.close()
    made.sink.close()
    for process in made.processes:
        with pytest.raises(ChildProcessError):  # it has ended and was waited for
            os.waitpid(process, os.WNOHANG)


def alone(text: str, strategy: str = "learned") -> tuple[list[str], str]:
    """The answers of one process, and its error."""
    sink, error = io.StringIO(), ""
    try:
        play(lambda: Passing(strategy), "1.2", strategy, 5, io.StringIO(text), sink)
    except ProtocolError as raised:
        error = str(raised)
    return sink.getvalue().splitlines(), error


@pytest.mark.parametrize("answered", [0, 1, 7, 29, 30])
@pytest.mark.parametrize("strategy", ["learned", "random"])
def test_a_player_that_is_loaded_after_any_pick_plays_on(table: Table, answered: int, strategy: str) -> None:
    text = "".join(game(33))
    asked = "".join(game(answered)) if answered else ""
    table.send(asked)

    def send_the_rest() -> None:
        table.wait_for(answered)
        table.send(text[len(asked) :])
        table.end()

    assert table.play(send_the_rest, strategy=strategy) == alone(text, strategy)[0]
    assert table.player is not None
    assert len(table.player.picks) == PICKS
    assert table.player.closed


def test_input_that_is_there_before_it_is_asked_for_is_not_lost(table: Table) -> None:
    text = "".join(game(34))
    table.send(text)
    table.end()
    assert table.play(lambda: table.wait_for(PICKS)) == alone(text)[0]


@pytest.mark.parametrize("cut", [1, 30, 200, 5000])
def test_a_line_that_comes_in_two_parts_is_handed_over_whole(table: Table, cut: int) -> None:
    text = "".join(game(32))
    table.send(text[:cut])

    whole_lines = text[: text.rfind("\n", 0, cut) + 1]

    def send_the_rest() -> None:
        table.wait_for(min(len(alone(whole_lines)[0]), PICKS))
        table.send(text[cut:])
        table.end()

    assert table.play(send_the_rest) == alone(text)[0]


@pytest.mark.parametrize("lines", [0, 1, 2, 3, 4, 6, 7, 8, 7 * 29, 7 * 30, 7 * 30 + 2])
@pytest.mark.parametrize("loaded_first", [True, False])
def test_input_may_end_at_any_line(table: Table, lines: int, loaded_first: bool) -> None:
    text = "".join(game(32)[:lines])
    answers, error = alone(text)
    table.send(text)
    table.end()
    before = (lambda: None) if loaded_first else (lambda: table.wait_for(min(len(answers), PICKS)))
    with pytest.raises(ProtocolError) if error else contextlib.nullcontext() as raised:
        table.play(before)
    assert table.out.read_text().splitlines() == answers
    assert error == (str(raised.value) if raised else "")


@pytest.mark.parametrize("bad", ["hello\n", "30 0 0 25 0\n30 0 0\n", "\x00\n", "30 0 0 25 0\n30 0 0 25 0\n0 0\n0\n"])
def test_malformed_input_is_said_once_by_the_process_that_stays(table: Table, bad: str) -> None:
    text = "".join(game(3)) + bad
    answers, error = alone(text)
    assert error
    table.send(text)
    with pytest.raises(ProtocolError) as raised:
        table.play(lambda: table.wait_for(3))
    assert str(raised.value) == error
    assert table.out.read_text().splitlines() == answers


@pytest.mark.parametrize("answered", [0, 1, 15, 30])
def test_every_block_is_logged_once(table: Table, tmp_path: Path, answered: int) -> None:
    text = "".join(game(33))
    table.send(text)
    table.end()
    log = tmp_path / "log"
    with open(log, "w", encoding="utf-8") as file:

        def write(answer: Answer) -> None:
            file.write(json.dumps([answer.phase, answer.lines, answer.text]) + "\n")
            file.flush()

        answers = table.play(lambda: table.wait_for(answered), write)
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert [text for _, _, text in told] == answers
    assert "".join(f"{line}\n" for _, lines, _ in told for line in lines) == text
    assert [phase for phase, _, _ in told] == ["draft"] * PICKS + ["battle"] * 3


def test_a_second_game_on_the_same_input_is_drafted_anew(table: Table) -> None:
    text = "".join(game(32)) * 2
    table.send(text)
    table.end()
    assert table.play(lambda: table.wait_for(PICKS)) == alone(text)[0]


def test_what_goes_wrong_while_loading_ends_both_processes_without_waiting_for_input(table: Table) -> None:
    """The fixture looks that no process is left."""
    table.send("".join(game(2)))

    def fail() -> None:
        table.wait_for(2)
        raise InvalidParameterError("no such planner.")

    with pytest.raises(InvalidParameterError, match="no such planner"):
        table.play(fail)


def test_ctrl_c_that_a_library_swallows_while_loading_is_heard_afterwards(table: Table) -> None:
    def interrupted() -> None:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        table.play(interrupted)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_draft_process_that_is_killed_is_an_error_and_not_a_wait_for_ever(table: Table) -> None:
    table.send("".join(game(2)))

    def kill() -> None:
        table.wait_for(2)
        os.kill(table.processes[0], signal.SIGKILL)

    with pytest.raises(ChildProcessError, match="the process that drafts was ended"):
        table.play(kill)


def test_without_a_second_process_the_player_is_loaded_first(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(os, "fork", refuse)
    text = "".join(game(32))
    table.send(text)
    table.end()
    assert table.play(lambda: time.sleep(0)) == alone(text)[0]


def test_a_bot_that_is_killed_leaves_no_process_that_holds_its_pipes() -> None:
    program = (
        "import sys, time\n"
        "from tactician.adapters.locm_process import play\n"
        "play(lambda: time.sleep(1000), '1.2', None, 0, sys.stdin, sys.stdout)\n"
    )
    bot = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert bot.stdin is not None
    assert bot.stdout is not None
    bot.stdin.write("".join(game(1)))
    bot.stdin.flush()
    assert bot.stdout.readline().startswith("PICK ")
    bot.kill()
    assert bot.stdout.read() == ""  # returns when the last process that could write has ended
    bot.stdin.close()
    bot.wait()
    bot.stdout.close()


def test_the_draft_is_answered_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    """The first pick has to come within a second of the start, on a slow machine too."""
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from tactician.adapters.locm_process import play\n"
        f"log = Path({str(tmp_path / 'log')!r})\n"
        "def note(answer):\n"
        "    with log.open('a') as file:\n"
        "        print(answer.phase, {'numpy', 'numba'} & sys.modules.keys(), file=file)\n"
        "def load():\n"
        "    while not log.exists() or log.read_text().count('\\n') < 30:\n"
        "        time.sleep(0.001)\n"
        "    raise SystemExit\n"
        "play(load, '1.2', None, 0, sys.stdin, sys.stdout, note)\n"
    )
    text = "".join(game(30))
    ran = subprocess.run([sys.executable, "-c", program], input=text, text=True, capture_output=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert [line.startswith("PICK ") for line in ran.stdout.splitlines()] == [True] * PICKS
    assert (tmp_path / "log").read_text() == "draft set()\n" * PICKS
