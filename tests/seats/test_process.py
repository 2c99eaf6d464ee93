"""External programs: whatever they do, an answer or one sentence in time, and nothing is left behind."""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path

import pytest
from locm_bots import HAS_CHILDREN, READS, command

from tactician.errors import ExternalBotError
from tactician.seats.process import ExternalProcess

ECHO = "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line.upper())\n    sys.stdout.flush()\n"


def started(folder: Path, script: str, *arguments: str) -> ExternalProcess:
    return ExternalProcess([*shlex.split(command(folder, script)), *arguments])


def is_gone(pid: int) -> bool:
    """Whether there is no such process, not even a zombie; a stranger's orphan may need a moment."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            state, parent, *_ = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z" and int(parent) != os.getpid():
            return True  # its new parent has not looked yet
        time.sleep(0.01)
    return False


def test_a_program_is_asked_line_by_line(tmp_path: Path) -> None:
    process = started(tmp_path, ECHO)
    assert process.ask(["one"], 20) == "ONE"
    assert process.ask(["two", "three"], 20) == "TWO"
    assert process.ask([], 20) == "THREE"
    process.close()
    process.close()
    assert is_gone(process.pid)


def test_a_program_that_does_not_read_is_too_late(tmp_path: Path) -> None:
    process = started(tmp_path, "import time\ntime.sleep(60)\n")
    began = time.monotonic()
    with pytest.raises(ExternalBotError, match="gave no answer to a question within 300 ms"):
        process.ask(["x" * 1000] * 1000, 0.3)
    assert time.monotonic() - began < 10
    process.close()
    assert is_gone(process.pid)


def test_its_children_die_with_it(tmp_path: Path) -> None:
    process = started(tmp_path, HAS_CHILDREN, str(tmp_path / "pid"))
    with pytest.raises(ExternalBotError):
        process.ask(["1", "2", "0 0", "0"], 3)
    child = int((tmp_path / "pid").read_text())
    process.close()
    assert is_gone(process.pid)
    assert is_gone(child)


def test_stderr_never_blocks_and_its_end_is_kept(tmp_path: Path) -> None:
    script = "import sys\nsys.stderr.write('x' * 10**6 + '\\nthe end\\n')\nsys.stdin.readline()\nsys.exit(3)\n"
    process = started(tmp_path, script)
    with pytest.raises(ExternalBotError, match=r"ended with code 3 before .* \(its last words: 'the end'\)\."):
        process.ask(["go"], 20)
    process.close()


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ExternalBotError, match=r"can't be started: No such file or directory\.$"):
        ExternalProcess(["./no-such-bot"])


def test_an_answer_before_death_counts(tmp_path: Path) -> None:
    process = started(tmp_path, READS + "\nsay('PASS')\n")
    assert process.ask(["1"], 20) == "PASS"
    with pytest.raises(ExternalBotError, match="ended with code 0"):
        process.ask(["1"], 20)
    process.close()


def test_a_fork_is_loaded_and_ends(tmp_path: Path) -> None:
    def shout(source: object, sink: object) -> None:
        for line in source:  # type: ignore[attr-defined]
            sink.write(line.upper())  # type: ignore[attr-defined]
            sink.flush()  # type: ignore[attr-defined]

    process = ExternalProcess.forked("fork", shout)
    assert process.ask(["one"], 20) == "ONE"
    process.close()
    assert is_gone(process.pid)
