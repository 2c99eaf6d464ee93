"""The command: what its verbs print, where they print it, and the code they leave with."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import NIM, Command, Result, commands

import tactician
from tactician.bench import figures
from tactician.checking import speed
from tactician.cli.main import app
from tactician.games.registry import GAMES
from tactician.planners.registry import PLANNERS

TESTS = Path(__file__).parents[1]
BROKEN = f"{TESTS / 'support' / 'broken_games.py'}"
RECORDINGS = TESTS / "conformance" / "hero_academy"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the entry point as the shell would."""
    return commands(monkeypatch, capsys)


# -- the command itself ----------------------------------------------------------------------------------------


def test_help_lists_every_verb(command: Command) -> None:
    verbs = {verb.name for verb in app.registered_commands if verb.name}
    assert {"games", "planners", "draw", "check", "conformance", "arena", "bench", "warmup", "demo"} <= verbs
    for option in ("--help", "-h"):
        result = command(option)
        assert result.code == 0
        listed = {
            line.split()[1] for line in result.out.splitlines() if line.startswith("│ ") and len(line.split()) > 2
        }
        assert verbs <= listed


def test_every_verb_explains_itself(command: Command) -> None:
    for verb in app.registered_commands:
        result = command(verb.name, "--help")
        assert result.code == 0
        assert verb.callback is not None
        assert verb.callback.__doc__ is not None
        assert verb.callback.__doc__.split(".")[0].split(":")[0] in " ".join(result.out.split())


def test_version(command: Command) -> None:
    result = command("--version")
    assert (result.code, result.out) == (0, f"tactician {tactician.__version__}\n")


@pytest.mark.parametrize(
    "arguments", [["nothing"], ["draw"], ["draw", "amazons", "--size", "3"], ["check", NIM, "--games", "0"]]
)
def test_bad_usage_leaves_with_2_and_one_sentence_on_stderr(command: Command, arguments: list[str]) -> None:
    result = command(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("tactician: ")
    assert result.err.rstrip().endswith("--help'.")
    assert result.err.count("\n") == 1


def test_the_installed_command_is_the_same() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("tactician"), "draw", "amazon"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "tactician: unknown game 'amazon'; did you mean 'amazons'?\n"


def test_ctrl_c_leaves_with_130_and_no_traceback(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tactician.cli.main.app", interrupted)
    result = command("games")
    assert result.code == 130
    assert result.sentence() == "stopped."


# -- lists -----------------------------------------------------------------------------------------------------


def test_games_are_listed_with_parameters_and_defaults(command: Command) -> None:
    result = command("games")
    assert result.code == 0
    assert all(name in result.out for name in GAMES)
    assert "size=10" in result.out


def test_games_as_json_are_one_document(command: Command) -> None:
    result = command("games", "--json")
    assert (result.code, result.err) == (0, "")
    rows = {row["name"]: row for row in result.json()}
    assert set(GAMES) <= set(rows)
    assert rows["amazons"]["parameters"]["size"] == 10
    assert all(row["players"] >= 2 and row["description"] for row in rows.values())


def test_planners_are_listed_with_parameters_defaults_and_paper(command: Command) -> None:
    result = command("planners")
    assert result.code == 0
    assert all(name in result.out for name in PLANNERS)
    assert "players take turns: auto; then coevolution" in " ".join(result.out.split())


def test_planners_as_json_are_one_document(command: Command) -> None:
    result = command("planners", "--json")
    assert (result.code, result.err) == (0, "")
    rows = {row["name"]: row for row in result.json()}
    assert set(rows) == set(PLANNERS)
    assert "players take turns" in rows["auto"]["begin_with_it_if"]
    assert rows["oep"]["begin_with_it_if"] == []
    assert rows["greedy-action"]["parameters"]["prune"] is True
    assert all(row["paper"] and row["description"] for row in rows.values())


# -- unknown names and bad parameters --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["draw", "amazon"], "unknown game 'amazon'; did you mean 'amazons'?"),
        (["check", "amazon"], "unknown game 'amazon'"),
        (["bench", "amazon"], "unknown game 'amazon'"),
        (["arena", "amazon", "random", "random"], "unknown game 'amazon'"),
        (["conformance", "amazons", "x"], "unknown game with recordings 'amazons'"),
        (["arena", NIM, "random", "greedy-actoin"], "unknown planner 'greedy-actoin'; did you mean 'greedy-action'?"),
        (
            ["arena", NIM, "random", "random:prnue=true"],
            "unknown parameter of 'random': 'prnue'; did you mean 'prune'?",
        ),
        (["arena", NIM, "random", "random:prune=maybe"], "parameter 'prune' of 'random' is 'maybe'"),
        (["arena", NIM, "random"], "1 planners given; a tournament needs at least 2."),
        (["arena", NIM, "random", "random", "--budget", "soon"], "budget is 'soon'; expected e.g. 200ms"),
        (["draw", "amazons:siez=5"], "unknown parameter of 'amazons': 'siez'; did you mean 'size'?"),
        (["draw", "nowhere.py:game"], "game file 'nowhere.py' does not exist."),
        (["draw", NIM, "--seed", "-1"], "seed is -1; expected a non-negative integer."),
    ],
)
def test_what_is_unknown_or_bad_leaves_with_2_and_one_sentence(
    command: Command, arguments: list[str], words: str
) -> None:
    result = command(*arguments)
    assert result.code == 2
    assert words in result.sentence()


# -- draw ------------------------------------------------------------------------------------------------------


def test_draw_prints_a_position(command: Command) -> None:
    result = command("draw", f"{NIM}:heap=8")
    assert (result.code, result.out, result.err) == (0, "player: 0\nleft: 8\n", "")


def test_draw_takes_a_position_from_a_file(command: Command, tmp_path: Path) -> None:
    (tmp_path / "position.json").write_text('{"player": 1, "left": 4}')
    result = command("draw", NIM, "--state", tmp_path / "position.json")
    assert (result.code, result.out) == (0, "player: 1\nleft: 4\n")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"player": 1}', "state lacks the field 'left'."),
        ("{", "is not JSON: "),
        (None, "can't be read: "),
    ],
)
def test_a_file_that_is_no_position_is_refused(
    command: Command, tmp_path: Path, content: str | None, words: str
) -> None:
    path = tmp_path / "position.json"
    if content is not None:
        path.write_text(content)
    result = command("draw", NIM, "--state", path)
    assert result.code == 2
    assert words in result.sentence()


def test_draw_writes_a_picture(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    result = command("draw", "amazons:size=6", "--svg", path)
    assert (result.code, result.out) == (0, "")
    assert f"wrote {path}" in result.err.replace("\n", "")
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert [file.name for file in tmp_path.iterdir()] == ["picture.svg"]


def test_nothing_is_half_written(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "nowhere" / "a.svg", tmp_path / "file" / "a.svg", tmp_path / "folder"):
        result = command("draw", NIM, "--svg", path)
        assert result.code == 2
        assert "can't be written: " in result.sentence()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "in the way"


# -- check -----------------------------------------------------------------------------------------------------


def test_check_leaves_with_0_where_nothing_is_wrong(command: Command) -> None:
    result = command("check", f"{BROKEN}:race", "--games", 2, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.json()["ok"] is True
    assert command("check", f"{BROKEN}:race", "--games", 2).out.startswith("race: ok (2 random games, ")


def test_check_leaves_with_1_where_something_is_wrong(command: Command, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(
        f"import sys\nsys.path.append({str(TESTS / 'support')!r})\nimport broken_games as b\n"
        "game = b.broken(b.race(), returns=b.returns_not_zero_sum)\n"
    )
    result = command("check", f"{tmp_path / 'wrong.py'}:game", "--games", 2)
    assert result.code == 1
    assert "returns-zero-sum: rule 'returns' (broken_games.py, line " in result.out
    result = command("check", f"{tmp_path / 'wrong.py'}:game", "--games", 2, "--json")
    assert result.code == 1
    assert result.json()["ok"] is False


# -- conformance -----------------------------------------------------------------------------------------------


@pytest.fixture
def recording() -> Path:
    """The shortest recorded game there is."""
    games = sorted(RECORDINGS.glob("game_*.jsonl.gz"), key=lambda path: path.stat().st_size)
    return games[0]


def test_conformance_leaves_with_0_where_all_agrees(command: Command, recording: Path) -> None:
    result = command("conformance", "hero-academy", recording)
    assert result.code == 0
    assert result.out.startswith("1 files, ")
    assert ", 0 differences, 0 skipped" in result.out
    document = command("conformance", "hero-academy", recording, "--json").json()
    assert (document["files"], document["differences"], document["first"]) == (1, 0, [])


def test_conformance_leaves_with_1_and_shows_the_first_difference(
    command: Command, recording: Path, tmp_path: Path
) -> None:
    header, *steps = gzip.decompress(recording.read_bytes()).decode().splitlines()
    step = json.loads(steps[5])
    step["before"]["ap"] += 1
    steps[5] = json.dumps(step)
    edited = tmp_path / "edited.jsonl"
    edited.write_text("\n".join([header, *steps]) + "\n")
    result = command("conformance", "hero-academy", edited)
    assert result.code == 1
    assert f"{edited}, step " in result.out
    assert "differs" in result.out
    document = command("conformance", "hero-academy", edited, "--json").json()
    assert document["differences"] >= 1
    assert document["first"][0]["file"] == str(edited)


def test_conformance_leaves_with_2_where_there_is_nothing_to_read(command: Command, tmp_path: Path) -> None:
    result = command("conformance", "hero-academy", tmp_path / "nothing.jsonl")
    assert result.code == 2
    assert "does not exist" in result.sentence()
    (tmp_path / "notes.jsonl").write_text("dear diary\n")
    result = command("conformance", "hero-academy", tmp_path)
    assert result.code == 2
    assert "line 1 is not JSON" in result.sentence()


# -- arena -----------------------------------------------------------------------------------------------------


def test_arena_prints_a_cross_table(command: Command) -> None:
    result = command("arena", NIM, "random", "greedy-action", "--games", 2, "--budget", "20evals")
    assert result.code == 0
    assert set(result.out.split()) >= {"random", "greedy-action", "all"}
    assert re.search(r"2 games of \S+:nim, 20evals a turn", result.out)
    _, *below = re.findall(r"^ +(\d+–\d+) +(\d+–\d+) *$", result.out, re.MULTILINE) or [()]
    assert len(below) == 1, "every cell has its interval below"


def test_arena_as_json_is_one_document_that_the_seed_decides(command: Command) -> None:
    def played(seed: int) -> Result:
        return command(
            "arena",
            f"{NIM}:heap=12",
            "random",
            "greedy-action",
            "--games",
            6,
            "--budget",
            "20evals",
            "--seed",
            seed,
            "--json",
        )

    result = played(3)
    assert (result.code, result.err) == (0, "")
    document = result.json()
    assert [row["planner"] for row in document["pairs"]] == ["random"]
    assert {row["planner"] for row in document["standings"]} == {"random", "greedy-action"}
    for row in document["standings"] + document["pairs"]:
        assert row["games"] == row["wins"] + row["draws"] + row["losses"] == 6
        assert row["interval"][0] <= row["score"] <= row["interval"][1]
    assert played(3).out == result.out


def test_a_rule_that_fails_leaves_with_1_and_one_sentence(command: Command, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(
        f"import sys\nsys.path.append({str(TESTS / 'support')!r})\nimport broken_games as b\n"
        "game = b.broken(b.race(), apply=b.apply_raises)\n"
    )
    result = command("arena", f"{tmp_path / 'failing.py'}:game", "random", "random", "--budget", "5evals")
    assert result.code == 1
    assert "'race': rule 'apply' (broken_games.py, line " in result.err
    assert "raises ValueError: no such turn; the state is <record player=" in result.err
    assert "Traceback" not in result.err


NAMED = """
import sys
sys.path.append({folder!r})
import nim_rules


def action_name(g, s, action):
    {name}


def draw_text(g, s):
    {text}


def draw_svg(g, s):
    raise RuntimeError("no paint")


game = nim_rules.nim(7, action_name=action_name, draw_text=draw_text, draw_svg=draw_svg)
"""


def named_nim(folder: Path, name: str = 'return f"take {{action}}"', text: str = 'return "heap"') -> str:
    """A game whose Python side is as it is said."""
    path = folder / "named.py"
    path.write_text(NAMED.format(folder=str(TESTS / "support"), name=name, text=text))
    return f"{path}:game"


def test_names_are_printed_as_they_are_and_not_read_as_markup(command: Command, tmp_path: Path) -> None:
    game = named_nim(tmp_path, 'return f"take [x] [/b] [{action}]"')
    result = command("plan", game, "--planner", "mcts", "--budget", "30its")
    assert (result.code, result.err) == (0, "")
    turn, considered = result.out.split("Best alternatives")
    assert "  1. take [x] [/b] [" in turn
    assert "take [x] [/b] [" in considered


@pytest.mark.parametrize(
    ("verb", "parts", "words"),
    [
        ("plan", {"name": "return 1 / 0"}, "'action_name' of 'nim' raised ZeroDivisionError: division by zero"),
        ("plan", {"text": "return {}['map']"}, "'draw_text' of 'nim' raised KeyError: 'map'"),
        ("draw", {"text": "return {}['map']"}, "'draw_text' of 'nim' raised KeyError: 'map'"),
        ("draw", {"text": "return '[/x]'"}, "'draw_text' of 'nim' gives markup that can't be read: closing tag"),
    ],
)
def test_a_function_for_people_that_raises_leaves_with_one_sentence(
    command: Command, tmp_path: Path, verb: str, parts: dict[str, str], words: str
) -> None:
    result = command(verb, named_nim(tmp_path, **parts), *(["--budget", "5its"] if verb == "plan" else []))
    assert result.code == 1
    assert words in result.err
    lines = result.err.splitlines()
    assert len(lines) == 1
    place = {"name": " (named.py, line 8).", "text": " (named.py, line 12)."}[next(iter(parts))]
    assert lines[0].endswith("open tag." if "markup" in words else place)


def test_a_picture_that_can_not_be_drawn_leaves_with_one_sentence(command: Command, tmp_path: Path) -> None:
    result = command("draw", named_nim(tmp_path), "--svg", tmp_path / "picture.svg")
    assert result.code == 1
    assert result.sentence() == "function 'draw_svg' of 'nim' raised RuntimeError: no paint (named.py, line 16)."


# -- bench -----------------------------------------------------------------------------------------------------


@pytest.fixture
def short_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures don't matter here, only that they are taken."""
    monkeypatch.setattr(speed, "ROUNDS", 1)
    monkeypatch.setattr(speed, "SECONDS_A_ROUND", 0.001)
    monkeypatch.setattr(figures, "CALIBRATION_DRAWS", 1000)


NAMES = {
    "copy",
    "legal_actions",
    "legal_actions_pruned",
    "evaluate",
    "apply",
    "random_actions",
    "random_games",
    "state_bytes",
}


@pytest.mark.usefixtures("short_bench")
def test_bench_as_json_has_every_layer_and_the_machine(command: Command) -> None:
    result = command("bench", NIM, "--json")
    assert (result.code, result.err) == (0, "")
    document = result.json()
    assert {"processor", "cores", "python", "numba", "numpy", "tactician"} <= set(document["machine"])
    rows = {row["name"]: row for row in document["figures"] if row["game"] == NIM}
    assert set(rows) >= NAMES
    assert all(row["value"] > 0 and row["unit"] for row in rows.values())
    assert rows["state_bytes"]["value"] == 4
    assert rows["copy"]["position"] == "start"
    assert [row["name"] for row in document["figures"] if row["game"] == "calibration"] == ["calibration"]


@pytest.mark.usefixtures("short_bench")
def test_bench_prints_a_table(command: Command) -> None:
    result = command("bench", NIM)
    assert result.code == 0
    assert [name for name in NAMES if name not in result.out] == [], result.out
