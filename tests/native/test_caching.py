"""Stale code never runs: whatever is edited, the next process does the new thing, and what is not edited is loaded.

The project below is a user's: a game file, helpers and constants in other files. Each test edits one thing of it and
starts a new process, with the cache that the unedited project left.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from nim_rules import nim
from slow_parameters import rest_slow

import tactician
from tactician.native import caching
from tactician.native.announce import compiling

FILES = {
    "game.py": """
        import numpy as np
        import pieces
        import pieces.knight
        import tables
        import wave
        from helpers import by_name
        from tables import LIMIT, Kind

        from tactician import contract

        Config = np.dtype([("heap", "i8")], align=True)
        State = np.dtype([("player", "i1"), ("left", "i2")], align=True)
        rule = contract.rules(Config, State)


        @rule.initial_state
        def initial_state(g, s, rng):
            s.left = g.heap


        @rule.legal_actions
        def legal_actions(g, s, player, out):
            out[0] = 1
            return 1


        @rule.apply
        def apply(g, s, action, rng):
            s.left -= 1


        @rule.current_player
        def current_player(g, s):
            return s.player


        @rule.is_over
        def is_over(g, s):
            return s.left == 0


        @rule.returns
        def returns(g, s, out):
            out[0] = 0.0


        def judge(bonus):
            @rule.evaluate
            def evaluate(g, s, out):
                out[0] = 100 + s.left
                out[1] = by_name(s.left)
                out[2] = pieces.as_attribute(s.left)
                out[3] = pieces.knight.deep(s.left)
                out[4] = LIMIT
                out[5] = tables.ROW[1]
                out[6] = Kind.KING + 0
                out[7] = bonus
                out[8] = wave.mine(s.left)
                out[9] = tables.STEP


        judge(7)
        game = rule.game("edited", max_actions=1, players=10, config={"heap": 5}, zero_sum=False)
        """,
    "helpers.py": """
        from tactician import contract


        @contract.helper
        def of_a_helper(left):
            return left * 10


        @contract.helper
        def by_name(left):
            return of_a_helper(left) + 1
        """,
    "pieces/__init__.py": """
        from tactician import contract


        @contract.helper
        def as_attribute(left):
            return left + 20
        """,
    "pieces/knight.py": """
        from tactician import contract


        @contract.helper
        def deep(left):
            return left + 30
        """,
    "tables.py": """
        import enum

        import numpy as np

        LIMIT = 40
        STEP = np.int8(9)
        ROW = np.array([1, 50, 3])


        class Kind(enum.IntEnum):
            PAWN = 1
            KNIGHT = 3
            KING = 1
        """,
    "wave.py": """
        from tactician import contract


        @contract.helper
        def mine(left):
            return left + 80
        """,
    "play.py": """
        import tactician

        game = tactician.load_game("game.py:game")
        state = game.initial_state()
        print(state.evaluate())
        print(state.apply(1).to_json()["left"])
        """,
}
BEFORE: list[float] = [105, 51, 25, 35, 40, 50, 1, 7, 85, 9]


@dataclass(frozen=True)
class Run:
    """What a process found out."""

    values: list[float]
    left: int
    errors: str

    @property
    def compiled(self) -> bool:
        return "compiling the rules of edited" in self.errors


class Project:
    """The user's files and the cache, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def write(self) -> Project:
        for name, text in FILES.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(line[8:] for line in text.splitlines()))
        return self

    def edit(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text()
        assert text.count(old) == 1
        (self.folder / file).write_text(text.replace(old, new))

    def start(self, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "play.py"],
            cwd=self.folder,
            # Python's own byte code files miss an edit within the second they were written in.
            env={
                **clean_environment(),
                "PYTHONDONTWRITEBYTECODE": "1",
                "TACTICIAN_CACHE_DIR": str(self.cache),
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def play(self, **environment: str) -> Run:
        return finished(self.start(**environment))

    def entries(self) -> list[Path]:
        return sorted(self.cache.rglob("*.nbc"))


def clean_environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("TACTICIAN_", "NUMBA_", "PYTHON"))}


def finished(process: subprocess.Popen[str]) -> Run:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    values, left = map(json.loads, out.splitlines())
    return Run(values, left, errors)


SUPPORT = str(Path(__file__).parents[1] / "support")


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Path]:
    """The project after its first process, which compiled it, and a copy of how it is then."""
    project = Project(tmp_path_factory.mktemp("project")).write()
    first = project.play()
    assert first.values == BEFORE
    assert first.compiled
    kept = tmp_path_factory.mktemp("kept") / "project"
    shutil.copytree(project.folder, kept)
    return project, kept


@pytest.fixture
def project(warm: tuple[Project, Path]) -> Project:
    """The project, compiled and not edited."""
    project, kept = warm
    shutil.rmtree(project.folder)
    shutil.copytree(kept, project.folder)
    return project


def test_what_was_not_edited_is_loaded_and_not_compiled(project: Project) -> None:
    second = project.play()
    assert second.values == BEFORE
    assert second.errors == ""
    assert len(project.entries()) == 6  # one for each rule, and none is new


WAYS = {
    "as the main program": "",
    "imported": "from game import game",
    "run by its path": "import runpy\n\ngame = runpy.run_path('game.py')['game']",
}


@pytest.mark.parametrize("way", rest_slow(WAYS, ("as the main program",)))
def test_what_was_compiled_for_a_path_serves_a_file_loaded_in_another_way(project: Project, way: str) -> None:
    loading = WAYS[way] or (project.folder / "game.py").read_text()
    load_by_path = 'game = tactician.load_game("game.py:game")'
    project.edit("play.py", load_by_path, loading)
    again = project.play()
    assert again.values == BEFORE
    assert not again.compiled
    assert len(project.entries()) == 6


def test_machine_code_of_equal_names_is_not_mixed_up(project: Project) -> None:
    """An older state of a file is loaded from the cache in a process that has the newer one of the same name."""
    for entry in project.entries():
        if entry.name.startswith("evaluate"):
            entry.unlink()
    project.play()  # compiles one rule, and so does the next: both get the same name
    older = (project.folder / "game.py").read_text()
    project.edit("game.py", "100 + s.left", "200 + s.left")
    project.play()
    (project.folder / "older.py").write_text(older)
    project.edit(
        "play.py",
        "print(state.evaluate())",
        "older = tactician.load_game('older.py:game').initial_state()\nprint(state.evaluate() + older.evaluate())",
    )
    assert project.play().values == [205, *BEFORE[1:], *BEFORE]


EDITS = {
    "a rule": ("game.py", "100 + s.left", "200 + s.left", 0, 205),
    "a helper imported by name": ("helpers.py", "of_a_helper(left) + 1", "of_a_helper(left) + 2", 1, 52),
    "a helper of a helper": ("helpers.py", "left * 10", "left * 11", 1, 56),
    "a helper that is a module's attribute": ("pieces/__init__.py", "left + 20", "left + 21", 2, 26),
    "a helper in a module in a module": ("pieces/knight.py", "left + 30", "left + 31", 3, 36),
    "a constant in another file": ("tables.py", "LIMIT = 40", "LIMIT = 41", 4, 41),
    "a constant array": ("tables.py", "[1, 50, 3]", "[1, 51, 3]", 5, 51),
    "an enum's member": ("tables.py", "KING = 1", "KING = 6", 6, 6),
    "which member an enum's alias stands for": ("tables.py", "KING = 1", "KING = 3", 6, 3),
    "a closure's value": ("game.py", "judge(7)", "judge(8)", 7, 8),
    "a helper in a file called like one of Python's": ("wave.py", "left + 80", "left + 81", 8, 86),
    "a constant that is a module's attribute": ("tables.py", "np.int8(9)", "np.int8(10)", 9, 10),
}


ALWAYS = ("a rule", "a helper of a helper", "a constant array", "an enum's member", "a closure's value")


@pytest.mark.parametrize("edited", rest_slow(EDITS, ALWAYS))
def test_an_edit_shows_in_the_next_process(project: Project, edited: str) -> None:
    file, old, new, place, value = EDITS[edited]
    project.edit(file, old, new)
    after = project.play()
    expected = [*BEFORE]
    expected[place] = value
    assert after.values == expected
    assert after.compiled
    assert len(project.entries()) == 7  # only the rule that reaches the edit was compiled again


@pytest.mark.slow
def test_two_copies_of_a_project_leave_each_others_entries_alone(project: Project, tmp_path: Path) -> None:
    shutil.copytree(project.folder, tmp_path / "copy")
    copy = Project(tmp_path / "copy")
    shared = {"TACTICIAN_CACHE_DIR": str(project.cache)}
    assert copy.play(**shared).values == BEFORE
    assert not project.play(**shared).compiled
    assert not copy.play(**shared).compiled


@pytest.mark.slow
def test_an_edit_that_is_taken_back_finds_the_old_entry(project: Project) -> None:
    project.edit("tables.py", "LIMIT = 40", "LIMIT = 41")
    project.play()
    project.edit("tables.py", "LIMIT = 41", "LIMIT = 40")
    back = project.play()
    assert back.values == BEFORE
    assert not back.compiled


def test_an_edit_of_the_package_itself_shows_too(project: Project, tmp_path: Path) -> None:
    package = tmp_path / "package"
    shutil.copytree(
        Path(tactician.__file__).parent, package / "tactician", ignore=shutil.ignore_patterns("__pycache__", "*.gz")
    )
    project.edit(
        "game.py",
        "from tactician import contract",
        "from tactician import contract\nfrom tactician.contract import bits",
    )
    project.edit("game.py", "s.left -= 1", "s.left -= bits.single(1)")
    assert project.play(PYTHONPATH=str(package)).left == 3
    source = package / "tactician/contract/bits.py"
    source.write_text(
        source.read_text().replace("np.uint64(1) << np.uint64(index)", "np.uint64(2) << np.uint64(index)")
    )
    after = project.play(PYTHONPATH=str(package))
    assert after.left == 1
    assert after.compiled


@pytest.mark.slow
def test_fields_of_a_named_tuple_that_change_places_show_too(tmp_path: Path) -> None:
    script = """
import sys
from typing import NamedTuple

from tactician.native.caching import kernel


class Pair(NamedTuple):
    {}: int
    {}: int


class Outer(NamedTuple):
    pair: Pair


@kernel
def low_of(outer):
    return outer.pair.low


print(low_of(Outer(Pair(low=1, high=2))))
"""
    found = []
    for fields in (("low", "high"), ("high", "low"), ("low", "high")):
        (tmp_path / "pairs.py").write_text(script.format(*fields))
        run = subprocess.run(
            [sys.executable, "-B", str(tmp_path / "pairs.py")],
            env={
                **clean_environment(),
                "PYTHONPATH": str(Path(tactician.__file__).parents[1]),
                "TACTICIAN_CACHE_DIR": str(tmp_path / "cache"),
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        found.append(run.stdout.strip())
    assert found == ["1", "1", "1"]
    assert len(list((tmp_path / "cache").rglob("*.nbc"))) == 2


@pytest.mark.parametrize("spoil", rest_slow(["cut short", "garbage", "another pickle"], ["another pickle"]))
def test_an_entry_that_can_not_be_read_is_compiled_anew_and_replaced(project: Project, spoil: str) -> None:
    entry = next(path for path in project.entries() if path.name.startswith("evaluate"))
    good = entry.read_bytes()
    content = {"cut short": good[: len(good) // 2], "garbage": b"\0" * 100, "another pickle": b"\x80\x04N."}[spoil]
    entry.write_bytes(content)
    after = project.play()
    assert after.values == BEFORE
    assert after.compiled
    assert len(project.entries()) == 6
    assert len(entry.read_bytes()) > len(good) // 2


def test_a_cache_that_can_not_be_written_is_no_error(project: Project, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.write_text("a file where a folder should be")
    project.edit("game.py", "100 + s.left", "300 + s.left")
    assert project.play(TACTICIAN_CACHE_DIR=str(locked)).values == [305, *BEFORE[1:]]
    for path in [project.cache, *project.cache.rglob("*")]:
        if path.is_dir():
            path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert project.play().values == [305, *BEFORE[1:]]
    finally:
        for path in [project.cache, *project.cache.rglob("*")]:
            if path.is_dir():
                path.chmod(stat.S_IRWXU)


def test_processes_that_compile_at_once_leave_a_good_cache(project: Project) -> None:
    shutil.rmtree(project.cache)
    both = [project.start() for _ in range(2)]
    assert [finished(process).values for process in both] == [BEFORE, BEFORE]
    after = project.play()
    assert after.values == BEFORE
    assert not after.compiled
    assert len(project.entries()) == 6
    assert [path.name for path in project.cache.rglob(".writing-*")] == []


def test_compiling_is_silent_when_asked(project: Project) -> None:
    shutil.rmtree(project.cache)
    assert project.play(TACTICIAN_QUIET="1").errors == ""
    assert len(project.entries()) == 6


def test_numbas_own_settings_are_untouched() -> None:
    script = (
        "import numba; before = {k: v for k, v in vars(numba.config).items() if k.isupper()};"
        "import tactician; tactician.load_game('amazons:size=6').initial_state().evaluate();"
        "after = {k: v for k, v in vars(numba.config).items() if k.isupper()};"
        "assert before == after, {k for k in before if before[k] != after[k]};"
        "import os; assert not [k for k in os.environ if k.startswith('NUMBA_')]"
    )
    subprocess.run([sys.executable, "-c", script], env=clean_environment(), check=True, timeout=120)
    assert "CACHE_DIR" in vars(numba.config)


def test_compiling_is_announced_once_by_who_knows_what_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TACTICIAN_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)
    monkeypatch.delenv("TACTICIAN_QUIET", raising=False)
    with compiling("everything"):
        assert nim().table is not None
    (line,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"tactician: compiling the rules of nim \(once, then cached\) \.\.\. done in \d+\.\d s", line)


# -- the digest, without processes -----------------------------------------------------------------------------


def test_the_digest_is_the_same_in_another_process(tmp_path: Path) -> None:
    script = """
from nim_rules import RULES
from tactician.native.caching import source_digest
print(*map(source_digest, RULES.values()))
"""
    found = {
        subprocess.run(
            [sys.executable, *flags, "-c", script],
            env={
                **clean_environment(),
                "PYTHONPATH": str(Path(__file__).parents[1] / "support"),
                "PYTHONHASHSEED": seed,
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for flags, seed in (([], "1"), (["-B"], "2"))
    }
    assert len(found) == 1
    assert len(set(found.pop().split())) == 7


def made(**values: Any) -> Any:
    """A function over globals of its own."""
    scope: dict[str, Any] = {"np": np, **values}
    exec("def function(x):\n    return x + constant", scope)
    return scope["function"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2),
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ((1, 2), (1, (2,))),
        (np.int8(1), np.int16(1)),
        (np.array([1, 2]), np.array([1, 3])),
        (np.array([1, 2]), np.array([[1, 2]])),
        (np.array([1, 2], np.int32), np.array([1, 2], np.int64)),
        ("a", "b"),
        ({"a": 1}, {"a": 2}),
        (np.dtype([("a", "i1")]), np.dtype([("a", "i2")])),
        (numba.types.int32, numba.types.int64),
    ],
)
def test_constants_that_differ_in_value_or_type_have_different_digests(one: Any, other: Any) -> None:
    assert caching.source_digest(made(constant=one)) != caching.source_digest(made(constant=other))
    assert caching.source_digest(made(constant=one)) == caching.source_digest(made(constant=one))


def test_the_digest_does_not_depend_on_what_is_not_reached() -> None:
    assert caching.source_digest(made(constant=1, other=1)) == caching.source_digest(made(constant=1, other=2))


# -- where it is -----------------------------------------------------------------------------------------------


def test_the_folder_is_the_users_cache_or_what_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("TACTICIAN_CACHE_DIR", str(tmp_path))
    assert caching.cache_folder() == tmp_path
    monkeypatch.delenv("TACTICIAN_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert caching.cache_folder() == tmp_path / "xdg" / "tactician"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert caching.cache_folder() == Path.home() / ".cache" / "tactician"


def test_entries_nobody_asked_for_in_months_are_swept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACTICIAN_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)
    nim().initial_state().is_over()
    folder = next(tmp_path.rglob("*.nbc")).parent
    old, recent = folder / "old-0.nbc", folder / "recent-0.nbc"
    for path, days in ((old, 100), (recent, 10)):
        path.write_bytes(b"")
        age = path.stat().st_mtime - days * 86400
        os.utime(path, (age, age))

    def new_judge(g: Any, s: Any, out: Any) -> None:
        out[0], out[1] = 0.0, 1.0

    nim().with_evaluation(new_judge).initial_state().evaluate()
    assert recent.exists()
    assert not old.exists()
