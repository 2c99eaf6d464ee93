"""Entries: a game describes itself, naming one game imports no other, installed packages bring the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from countdown import RULES

from tactician.checking.speed import GameBenchmark
from tactician.contract.entry import GameEntry
from tactician.errors import InvalidGameError, UnknownNameError
from tactician.games.registry import GAMES, entries, entry_for, entry_of, load_game, load_replayer

ROOT = Path(__file__).parents[2]


def python(*arguments: str, path: Path | None = None, code: int = 0) -> str:
    """What another Python process prints, with a folder of installed packages if one is given."""
    environment = {**os.environ, "TACTICIAN_QUIET": "1"}
    if path is not None:
        environment["PYTHONPATH"] = os.pathsep.join([str(path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    return done.stdout


# -- the built-in games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_an_entry_refers_only_to_its_own_folder(name: str) -> None:
    folder = GAMES[name].rpartition(".entry:")[0]
    entry = entry_of(name)
    assert entry.name == name
    for what, reference in entry.references().items():
        assert reference.startswith(f"{folder}."), f"{what} of {name} is {reference}, outside of {folder}"
        assert entry.load(what) is not None


@pytest.mark.parametrize("name", GAMES)
def test_an_entry_has_a_page(name: str) -> None:
    page = entry_of(name).page
    assert page is not None
    assert (ROOT / "docs" / page).is_file()


@pytest.mark.parametrize("name", GAMES)
def test_what_an_entry_refers_to_is_of_the_right_kind(name: str) -> None:
    entry = entry_of(name)
    if entry.replayer is not None:
        assert load_replayer(name).kinds
    if entry.benchmark is not None:
        assert isinstance(entry.load("benchmark"), GameBenchmark)
    for what in ("external", "foreign_agents", "warm_up", *(f"agents.{agent}" for agent in entry.agents)):
        assert what not in entry.references() or callable(entry.load(what))


def test_the_entry_of_a_game_is_found_by_its_name() -> None:
    entry = entry_for(load_game("locm:version=1.5"))
    assert entry is entry_of("locm")
    game = load_game("amazons-plain")
    assert game.name == "plain_amazons"  # not the name of an entry
    assert entry_for(game) is None


def test_only_games_with_recordings_are_replayed() -> None:
    with pytest.raises(UnknownNameError, match="unknown game with recordings 'amazons'; there are: hero-academy, locm"):
        load_replayer("amazons")
    with pytest.raises(UnknownNameError, match="did you mean 'locm'"):
        load_replayer("lcom")


# -- what is imported ------------------------------------------------------------------------------------------

MODULES = "\nimport json, sys; print('\\n' + json.dumps(sorted(sys.modules)))"


def modules_after(script: str) -> list[str]:
    found: list[str] = json.loads(python("-c", script + MODULES).splitlines()[-1])
    return found


def test_reading_all_entries_imports_nothing_heavy_and_no_game() -> None:
    found = modules_after("from tactician.games.registry import entries\nassert len(list(entries())) >= 5")
    assert not {"numba", "numpy", "scipy", "rich"} & set(found)
    ours = {name for name in found if name.startswith("tactician.games.")}
    folders = {reference.rpartition(".entry:")[0] for reference in GAMES.values()}
    assert ours == {"tactician.games.registry", *folders, *(f"{folder}.entry" for folder in folders)}


COMMANDS = {
    "plan": ["plan", "hero-academy", "--planner", "greedy-action", "--budget", "10evals"],
    "arena": ["arena", "hero-academy:turn_limit=2", "random", "greedy-action", "--games", "2", "--budget", "10evals"],
    "draw": ["draw", "hero-academy"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_naming_one_game_imports_no_other(command: str) -> None:
    script = f"""
import sys
from tactician.cli.main import app
app({COMMANDS[command]!r}, standalone_mode=False)
"""
    found = [name for name in modules_after(script) if name.startswith("tactician.games.")]
    assert any(name.startswith("tactician.games.hero_academy.") for name in found)
    assert [name for name in found if name.split(".")[2] not in ("hero_academy", "registry")] == []


def test_a_named_agent_of_one_game_imports_only_entries_of_the_others() -> None:
    script = """
from tactician.arena.agents import parse_agent
from tactician.games.registry import load_game
parse_agent("locm-baseline1").on(load_game("locm"))
"""
    found = {name for name in modules_after(script) if name.startswith("tactician.games.pommerman")}
    assert found <= {"tactician.games.pommerman", "tactician.games.pommerman.entry"}


# -- installed packages ----------------------------------------------------------------------------------------

PACKAGE = {
    "__init__": "",
    "entry": """
        from tactician.contract.entry import GameEntry

        ENTRY = GameEntry(
            name="countdown",
            factory="countdown_package.game:countdown",
            replayer="countdown_package.recordings:CountdownReplayer",
            agents={"careful": "countdown_package.agents:Careful"},
            external="countdown_package.external:Program",
            foreign_agents="countdown_package.agents:spoken",
            benchmark="countdown_package.speed:BENCHMARK",
            warm_up="countdown_package.speed:warm_up",
        )
        """,
    "game": f"""{RULES}

def countdown(left=7):
    return plain(Countdown(left), name="countdown", max_actions=2)
""",
    "recordings": """
        class CountdownReplayer:
            formats, kinds = (1,), ("trace",)

            def kind(self, header):
                return header.get("kind")

            def replay(self, header, steps):
                from countdown_package.game import countdown

                state = countdown(header["left"]).initial_state()
                for step in steps:
                    state.apply(step["action"])
                    left = state.to_json()[1]
                    yield None if left == step["left"] else ("left", step["left"], left)
        """,
    "agents": """
        from tactician.seats import BaseSeat, Plan


        class Careful(BaseSeat):
            def __init__(self, game):
                super().__init__()

            def plan(self, state, budget, *, ply=0, seat=None):
                return Plan((1,), None, state=state)


        class Spoken(BaseSeat):
            def __init__(self, found):
                super().__init__()
                self.found = found

            def plan(self, state, budget, *, ply=0, seat=None):
                return Plan((self.found.count(state.to_json()[1]),), None, state=state)


        def spoken(found, game, name):
            return Spoken(found) if hasattr(found, "count") else None
        """,
    "external": """
        from tactician.seats import BaseSeat, Plan
        from tactician.seats.process import ExternalProcess


        class Program(BaseSeat):
            def __init__(self, game, command, timeout):
                super().__init__()
                self.command, self.timeout, self.process = command, timeout, None

            def plan(self, state, budget, *, ply=0, seat=None):
                self.process = self.process or ExternalProcess(self.command)
                answer = self.process.ask([str(state.to_json()[1])], 10 * self.timeout)
                return Plan((int(answer),), None, state=state)

            def close(self):
                if self.process is not None:
                    self.process.close()
                    self.process = None
        """,
    "speed": """
        from tactician.checking.speed import Figure, GameBenchmark

        WARMED = []


        def warm_up():
            WARMED.append("countdown")


        def figures(bench):
            from countdown_package.game import countdown

            bench.on_progress("countdown lengths")
            game = countdown()
            seat, state, plans = bench.seat("random", game, seed=1), game.initial_state(), 0
            while not state.is_over():
                state.apply(seat.plan(state, "1its", ply=plans).actions[0])
                plans += 1
            return [Figure("countdown", "plans", float(plans), "plans")]


        def positions(game):
            return {"start": game.initial_state()}


        BENCHMARK = GameBenchmark(positions=positions, figures=figures, reference={("plans", None): 7.0})
        """,
}
ENTRY_POINTS = """
[tactician.games]
countdown = countdown_package.entry:ENTRY
renamed = countdown_package.entry:ENTRY
broken = countdown_package.nothing:ENTRY
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an installed package that describes its game with an entry."""
    information = tmp_path / "countdown_package-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: countdown-package\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "countdown_package").mkdir()
    for name, text in PACKAGE.items():
        (tmp_path / "countdown_package" / f"{name}.py").write_text(textwrap.dedent(text))
    return tmp_path


def answer(site: Path, script: str) -> Any:
    return json.loads(python("-c", textwrap.dedent(script), path=site).splitlines()[-1])


def test_an_installed_package_brings_agents_programs_and_foreign_agents(site: Path) -> None:
    (site / "theirs.py").write_text(
        "class Counts:\n    def count(self, left):\n        return 2 - left % 2\n\n\nready = Counts()\n"
    )
    (site / "bot.py").write_text("import sys\nfor line in sys.stdin:\n    print(1, flush=True)\n")
    found = answer(
        site,
        f"""
        import json
        from tactician.arena import tournament
        seats = ["careful", "random", "exec:{sys.executable} {site}/bot.py", "python:{site}/theirs.py:ready"]
        result = tournament("countdown:left=5", seats, 2, "5its")
        print(json.dumps([[r.pairing.seats, r.error, [t.actions for t in r.turns]] for r in result.games()]))
        """,
    )
    assert len(found) == 12
    assert [error for _, error, _ in found] == [None] * 12
    ones = [[1]] * 5  # neither of the two ever takes 2
    careful_against_program = [turns for seats, _, turns in found if "careful" in seats and "exec" in " ".join(seats)]
    assert careful_against_program == [ones, ones]
    for seats, _, turns in found:
        if "theirs.py" in seats[0]:
            assert turns[0] == [1]  # 5 is odd


def test_an_installed_package_brings_a_replayer_a_benchmark_and_a_warm_up(site: Path) -> None:
    lines = [{"format": 1, "kind": "trace", "left": 5}, {"action": 2, "left": 3}, {"action": 1, "left": 1}]
    (site / "game.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ["-m", "tactician.cli.main", "conformance", "countdown", str(site / "game.jsonl"), "--json"]
    found = json.loads(python(*command, path=site, code=1))  # there is a difference
    assert (found["steps"], found["differences"]) == (2, 1)
    assert found["first"][0]["ours"] == 2
    measured = answer(
        site,
        """
        import json
        from tactician.bench import reference_of, run_bench
        from tactician.checking import speed
        speed.SECONDS_A_ROUND = 0.001
        from tactician.games.registry import entries
        told = []
        figures = run_bench(["countdown"], told.append).figures
        for entry in entries():
            if entry.name == "countdown":
                entry.load("warm_up")()
        from countdown_package.speed import WARMED
        own = [figure for figure in figures if figure.name == "plans"]
        positions = sorted({figure.position for figure in figures if figure.position})
        print(json.dumps([own[0].value, reference_of(own[0]), "countdown lengths" in told, WARMED, positions]))
        """,
    )
    assert 4 <= measured[0] <= 7
    assert measured[1:] == [7.0, True, ["countdown"], ["start"]]


def test_entry_points_that_can_not_be_used_say_why_and_hide_nothing(site: Path) -> None:
    found = answer(
        site,
        """
        import json
        from tactician.errors import InvalidGameError
        from tactician.games.registry import entries, game_names, load_game
        refused = []
        for name in ("renamed", "broken"):
            try:
                load_game(name)
            except InvalidGameError as error:
                refused.append(str(error))
        print(json.dumps([refused, [entry.name for entry in entries()], game_names()]))
        """,
    )
    refused, listed, named = found
    assert refused[0] == (
        "game 'renamed' (entry point countdown_package.entry:ENTRY) is the entry of 'countdown'; "
        "expected the same name."
    )
    assert refused[1].startswith(
        "game 'broken' (entry point countdown_package.nothing:ENTRY) can't be loaded: ModuleNotFoundError: "
    )
    assert listed == [*GAMES, "countdown"]
    assert set(named) == {*GAMES, "countdown", "renamed", "broken"}


# -- entries that are wrong ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"factory": "orchard.game"}, "factory is 'orchard.game'"),
        ({"factory": "orchard:game", "replayer": "orchard game:x"}, "replayer is 'orchard game:x'"),
        ({"factory": "orchard:game", "agents": {"picker": 3}}, "agents.picker is 3"),
    ],
)
def test_a_reference_that_can_not_be_one_is_refused(fields: dict[str, Any], what: str) -> None:
    with pytest.raises(InvalidGameError) as refused:
        GameEntry(name="orchard", **fields)
    assert str(refused.value) == f"entry of game 'orchard': {what}; expected 'package.module:name'."


def test_a_reference_that_leads_nowhere_is_one_sentence() -> None:
    entry = GameEntry(name="orchard", factory="tactician.errors:orchard", warm_up="nowhere.at_all:warm")
    with pytest.raises(InvalidGameError) as refused:
        entry.load("factory")
    assert str(refused.value).startswith("game 'orchard' (factory tactician.errors:orchard) can't be loaded: Attribute")
    with pytest.raises(InvalidGameError, match=r"warm_up nowhere\.at_all:warm"):
        entry.load("warm_up")


def test_the_entries_of_all_games_come_in_the_order_of_the_registry() -> None:
    assert [entry.name for entry in entries()][: len(GAMES)] == list(GAMES)
