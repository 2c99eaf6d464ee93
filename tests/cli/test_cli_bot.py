"""The bot as a command: answers on stdout, one sentence on stderr if the input is wrong."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tactician.cli.main import run
from tactician.games.locm import protocol
from tactician.games.locm.referee import Referee

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``tactician bot locm`` on a text as input."""
    monkeypatch.setenv("TACTICIAN_QUIET", "1")

    def ran(text: str, *arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        options = ["bot", "locm", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", ["tactician", *options])
        with pytest.raises(SystemExit) as left:
            run()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return ran


def blocks(count: int) -> list[list[str]]:
    """The first blocks of the first player in a game in which both take the first card and do nothing."""
    referee = Referee(1)
    found: list[list[str]] = []
    while len(found) < count:
        question = referee.ask()
        if question.player == 0:
            found.append(question.lines)
        referee.answer("PASS")
    return found


def text_of(lines: list[list[str]]) -> str:
    return "".join(f"{line}\n" for block in lines for line in block)


def test_one_line_for_each_block_and_a_log(bot: Command, tmp_path: Path) -> None:
    asked = blocks(33)
    code, out, err = bot(
        text_of(asked), "--budget", "20its", "--log", tmp_path / "bot.log", "--draft", "random", "--ready"
    )
    assert (code, err) == (0, "ready\n")
    answers = out.splitlines()
    assert len(answers) == len(asked)
    assert all(answer.startswith("PICK ") for answer in answers[:30])
    assert all(isinstance(protocol.battle_answer(answer), list) for answer in answers[30:])
    told = [json.loads(line) for line in (tmp_path / "bot.log").read_text().splitlines()]
    assert [entry["out"] for entry in told] == answers
    assert [entry["in"] for entry in told] == asked
    assert [entry["phase"] for entry in told] == ["draft"] * 30 + ["battle"] * 3
    assert all(entry["ms"] >= 0 for entry in told)


def test_the_same_seed_gives_the_same_answers(bot: Command) -> None:
    text = text_of(blocks(32))
    options = ("--budget", "20its", "--seed", 3)
    assert bot(text, *options) == bot(text, *options)


def test_no_input_is_no_game(bot: Command) -> None:
    assert bot("", "--budget", "5its") == (0, "", "")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("30 0 0 25 0\n30 0 0", "expected 5 fields: hp maxMana deckSize nextRune draw."),
        ("30 0 0 25 0\n", "the input ends after line 1 of a block; expected the opponent's line."),
        ("hello\n", "line 1 of a block is 'hello'"),
        (text_of(blocks(1))[:-40], "line 6 of a block is"),
        ("\x00\ufffd\n", "line 1 of a block is"),
    ],
)
def test_bad_input_is_one_sentence(bot: Command, text: str, sentence: str) -> None:
    code, out, err = bot(text, "--budget", "5its")
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("tactician: ")
    assert sentence in err


def test_a_truncated_game_is_answered_as_far_as_it_goes(bot: Command) -> None:
    asked = blocks(3)
    code, out, err = bot(text_of(asked[:2]) + asked[2][0], "--budget", "5its")
    assert code == 2
    assert out.count("\n") == 2
    assert "the input ends after line 1" in err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--planner", "oap"], "unknown planner 'oap'"),
        (["--draft", "caoc"], "unknown draft strategy 'caoc'; did you mean 'coac'?"),
        (["--version", "1.3"], "unknown version '1.3'"),
        (["--budget", "fast"], "budget is 'fast'"),
        (["--log", "no/such/folder/log"], "log 'no/such/folder/log' can't be written"),
    ],
)
def test_bad_options_are_one_sentence(bot: Command, options: list[str], sentence: str) -> None:
    code, out, err = bot("", *options)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tactician.cli.main", "bot", "locm", "--ready", "--budget", "5its", *arguments]
    pipe = subprocess.PIPE
    environment = os.environ | {"TACTICIAN_QUIET": "1"}
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    return process


def test_ctrl_c_is_quiet() -> None:
    process = start()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.parametrize("whole_group", [True, False])
def test_ctrl_c_during_the_draft_ends_both_processes(whole_group: bool) -> None:
    command = [sys.executable, "-m", "tactician.cli.main", "bot", "locm"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text_of(blocks(1)))
    process.stdin.flush()
    assert process.stdout.readline().startswith("PICK ")
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)  # returns when no process holds the pipes
    assert (process.returncode, out) == (130, "")


def test_a_referee_that_goes_away_is_no_error() -> None:
    process = start()
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(text_of(blocks(1)))
    process.stdin.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0


def test_stress_bot_plays_and_counts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--games", "2", "--jobs", "1", "--bots", "forks", "--budget", "5its", "--json"]
    monkeypatch.setattr(sys, "argv", ["tactician", "stress", "bot", *options])
    with pytest.raises(SystemExit) as left:
        run()
    report = json.loads(capsys.readouterr().out)
    assert left.value.code == (0 if report["ok"] else 1)
    assert report["games"] == 2
    assert report["answers"] > 2 * 60
    assert report["faults"] == []
    assert report["illegal"] == 0
    assert set(report["slowest_ms"]) == {"first draft", "draft", "first battle", "battle"}


def test_agents_of_the_arena_by_option(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--agent", "locm-baseline1", "--agent", "locm-baseline2", "--games", "2", "--budget", "5its", "--json"]
    monkeypatch.setattr(sys, "argv", ["tactician", "arena", "locm", *options])
    with pytest.raises(SystemExit) as left:
        run()
    told = json.loads(capsys.readouterr().out)
    assert not left.value.code
    assert [pair["games"] for pair in told["pairs"]] == [2]
    assert told["plan"]["agents"] == ["locm-baseline1", "locm-baseline2"]


def test_two_processes_answer_as_one_does(bot: Command, tmp_path: Path) -> None:
    asked = blocks(32)
    options = ("--budget", "20its", "--draft", "random", "--seed", 4)
    log = tmp_path / "bot.log"
    command = [sys.executable, "-m", "tactician.cli.main", "bot", "locm", *map(str, options), "--log", str(log)]
    ran = subprocess.run(command, input=text_of(asked), text=True, capture_output=True, timeout=300)
    assert (ran.returncode, ran.stdout) == bot(text_of(asked), *options)[:2]
    assert [json.loads(line)["in"] for line in log.read_text().splitlines()] == asked


@pytest.mark.parametrize("text", ["", "hello\n"])
def test_bad_options_end_a_bot_that_is_asked_nothing(text: str) -> None:
    command = [sys.executable, "-m", "tactician.cli.main", "bot", "locm", "--planner", "oap"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(text)
        process.stdin.flush()
        assert process.wait(timeout=300) == 2  # while its input is open
        assert process.stderr.read().startswith("tactician: unknown planner 'oap'")


def test_a_bot_that_ponders_takes_over_after_a_draft() -> None:
    command = [sys.executable, "-m", "tactician.cli.main", "bot", "locm", "--budget", "5its", "--ponder"]
    ran = subprocess.run(command, input=text_of(blocks(32)), text=True, capture_output=True, timeout=300)
    assert ran.returncode == 0
    assert [line.startswith("PICK ") for line in ran.stdout.splitlines()] == [True] * 30 + [False] * 2


def test_malformed_input_is_one_sentence_of_two_processes() -> None:
    command = [sys.executable, "-m", "tactician.cli.main", "bot", "locm", "--budget", "5its"]
    text = text_of(blocks(2)) + "hello\n"
    ran = subprocess.run(
        command, input=text, text=True, capture_output=True, timeout=300, env=os.environ | {"TACTICIAN_QUIET": "1"}
    )
    assert (ran.returncode, ran.stdout.count("\n")) == (2, 2)
    assert ran.stderr.count("\n") == 1
    assert "line 1 of a block is 'hello'" in ran.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--game", "evaluation"], "game parameter is 'evaluation'; expected KEY=VALUE."),
        (["--game", "evaluatoin=board"], "unknown game parameter 'evaluatoin'; did you mean 'evaluation'?"),
        (["--game", "evaluation=bord"], "evaluation is 'bord'; expected one of"),
    ],
)
def test_bad_parameters_of_the_game_are_one_sentence(bot: Command, options: list[str], sentence: str) -> None:
    code, out, err = bot("", *options)
    assert (code, out) == (2, "")
    assert sentence in err
