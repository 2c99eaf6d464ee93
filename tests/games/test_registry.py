"""Finding games: by name, with parameters in the name, in a file, through an entry point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from countdown import RULES

from tactician import load_game
from tactician.errors import InvalidGameError, InvalidParameterError, TacticianError, UnknownNameError
from tactician.games.registry import GAMES, game_names, game_parameters

GAME_FILE = f"""
from neighbour import LEFT
{RULES}

def make(left=LEFT, name="countdown", fair=True, share=0.5, extra=None):
    made = plain(Countdown(left), name=name, max_actions=2)
    made.given = (left, name, fair, share, extra)
    return made


def needy(left):
    return make(left)


def wrong():
    return 3


game = make()
number = 3
"""

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a game file with its neighbour; what loading it leaves behind is undone."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    monkeypatch.delitem(sys.modules, "neighbour", raising=False)

    def written(text: str = GAME_FILE, name: str = "countdown.py", neighbour: str = "LEFT = 6\n") -> str:
        (tmp_path / "neighbour.py").write_text(neighbour)
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    yield written
    for name in set(sys.modules) - before:
        if name == "neighbour" or name.startswith("tactician_user_"):
            del sys.modules[name]


def refusal(spec: str, error: type[TacticianError] = InvalidGameError) -> str:
    with pytest.raises(error) as caught:
        load_game(spec)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_of_the_package_can_be_named(name: str) -> None:
    assert name in game_names()
    game = load_game(name)
    assert game.initial_state(seed=1).legal_actions(0 if game.simultaneous else None)
    assert all(parameter.default is not parameter.empty for parameter in game_parameters(name).values())


def test_games_are_functions_of_the_package() -> None:
    import tactician as tt

    assert tt.games.pommerman(variant="team").players == 4
    assert tt.games.hero_academy().name == "hero-academy"


def test_a_name_may_carry_parameters() -> None:
    assert load_game("amazons:size=6").initial_state().to_json() != load_game("amazons").initial_state().to_json()
    assert load_game("hero-academy:action_points=7").config.action_points == 7
    state = load_game("amazons:size=8,queens=2").initial_state()
    assert sum(row.count("W") for row in state.to_json()["board"]) == 2


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("amazon", "unknown game 'amazon'; did you mean 'amazons'?"),
        ("hero_academy", "unknown game 'hero_academy'; did you mean 'hero-academy'?"),
        ("amazons:siez=6", "unknown parameter of 'amazons': 'siez'; did you mean 'size'?"),
        ("", "unknown game ''; there are: amazons, "),
        ("chess.py", "did you mean 'chess.py:game'?"),
    ],
)
def test_a_near_miss_suggests_what_was_meant(spec: str, words: str) -> None:
    assert words in refusal(spec, UnknownNameError)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("amazons:size", "parameter 'size' of 'amazons:size' has no value; expected key=value."),
        ("amazons:size=big", "parameter 'size' is 'big'; expected a number."),
        ("amazons:size=1000", "size is 1000"),
    ],
)
def test_a_bad_parameter_is_named_with_its_value(spec: str, words: str) -> None:
    assert words in refusal(spec, InvalidParameterError)


# -- files -----------------------------------------------------------------------------------------------------


def test_a_file_holds_a_game_and_imports_its_neighbour(write: Write) -> None:
    game = load_game(f"{write()}:game")
    assert game.name == "countdown"
    assert game.initial_state().to_json() == [0, 6]


def test_a_file_is_run_once_and_two_of_one_name_are_two(write: Write, tmp_path: Path) -> None:
    path = write()
    assert load_game(f"{path}:game") is load_game(f"{path}:game")
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "countdown.py"
    other.write_text(GAME_FILE.replace("game = make()", "game = make(9)"))
    assert load_game(f"{other}:game").initial_state().to_json() == [0, 9]
    assert load_game(f"{path}:game").initial_state().to_json() == [0, 6]


def test_a_factory_in_a_file_takes_parameters_of_its_defaults_types(write: Write) -> None:
    path = write()
    game: Any = load_game(f"{path}:make")
    assert game.given == (6, "countdown", True, 0.5, None)
    game = load_game(f"{path}:make:left=4,name=short,fair=no,share=1,extra=7")
    assert game.given == (4, "short", False, 1.0, 7)
    assert [type(value) for value in game.given] == [int, str, bool, float, int]
    game = load_game(f"{path}:make:extra=deep")
    assert game.given[-1] == "deep"


def test_a_factory_says_which_parameter_it_needs(write: Write) -> None:
    path = write()
    assert f"game '{path}:needy' needs the parameter 'left'" in refusal(f"{path}:needy", InvalidParameterError)
    game: Any = load_game(f"{path}:make:left=3")
    assert game.initial_state().to_json() == [0, 3]


@pytest.mark.parametrize("value", ["maybe", "2"])
def test_a_flag_is_true_or_false(write: Write, value: str) -> None:
    words = refusal(f"{write()}:make:fair={value}", InvalidParameterError)
    assert words == f"parameter 'fair' is {value!r}; expected true or false."


def test_a_finished_game_takes_no_parameters(write: Write) -> None:
    path = write()
    assert refusal(f"{path}:game:left=3", InvalidParameterError).endswith(
        "is finished and takes no parameters; a function that returns the game would take them."
    )


def test_what_is_no_game_is_refused(write: Write) -> None:
    path = write()
    assert refusal(f"{path}:number") == f"game '{path}:number' is a int; expected a Game or a function that makes one."
    assert refusal(f"{path}:wrong") == f"game '{path}:wrong' makes a int; expected a Game."


def test_an_object_that_is_not_in_the_file_suggests_the_nearest(write: Write) -> None:
    path = write()
    assert refusal(f"{path}:gmae", UnknownNameError) == f"unknown object in {path!r}: 'gmae'; did you mean 'game'?"
    assert refusal(f"{path}:").endswith(f"is named without an object; expected {path}:game.")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "nothing.py")
    assert refusal(f"{path}:game") == f"game file {path!r} does not exist."


def test_a_syntax_error_is_one_sentence_with_file_and_line(write: Write) -> None:
    path = write("x = 1\ny = (2\n")
    assert refusal(f"{path}:game").startswith(f"game file {path!r}, line 2, raised SyntaxError: ")


def test_an_exception_while_a_file_is_read_is_one_sentence_with_file_and_line(write: Write) -> None:
    path = write("def fall():\n    return {}['map']\n\n\nfall()\n")
    assert refusal(f"{path}:game") == f"game file {path!r}, line 2, raised KeyError: 'map'."
    path = write("import nowhere_to_be_found\n", name="other.py")
    assert refusal(f"{path}:game").startswith(f"game file {path!r}, line 1, raised ModuleNotFoundError: ")


def test_a_function_that_raises_is_one_sentence_with_file_line_and_exception(write: Write) -> None:
    path = write("def make(cell=0):\n    board = [0] * 36\n    board[cell] = 1\n")
    message = refusal(f"{path}:make:cell=99")
    assert message == (
        f"game '{path}:make:cell=99' (countdown.py, line 3) raised IndexError: list assignment index out of range."
    )


def test_a_syntax_error_in_a_neighbour_is_not_put_on_a_line_of_the_game(write: Write) -> None:
    path = write(neighbour="a = 1\nb = 2\nc = 3\nd = (4\n")
    message = refusal(f"{path}:game")
    assert message.startswith(f"game file {path!r}, line 2, raised SyntaxError: ")  # the import
    assert "neighbour.py, line 4" in message


def test_a_game_refused_by_the_contract_says_why_with_file_and_line(write: Write) -> None:
    text = """
        import numpy as np

        from tactician import contract

        rule = contract.rules(np.dtype([]), np.dtype([("left", "i2")]))


        @rule.apply
        def apply(g, s):
            s.left -= 1
        """
    message = refusal(f"{write(textwrap.dedent(text))}:game")
    assert message == "rule 'apply' (countdown.py, line 9) takes (g, s); expected apply(g, s, action, rng)."


def test_a_file_that_failed_is_read_again_once_it_is_mended(write: Write) -> None:
    path = write("raise ValueError('not yet')\n")
    assert "not yet" in refusal(f"{path}:game")
    assert load_game(f"{write()}:game").name == "countdown"


# -- entry points ----------------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an installed distribution that brings games."""
    information = tmp_path / "countdown_game-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: countdown-game\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[tactician.games]\ncountdown = countdown_game:game\ncountdown-made = countdown_game:make\n"
        "gone = countdown_game:gone\n"
    )
    (tmp_path / "countdown_game.py").write_text(GAME_FILE)
    (tmp_path / "neighbour.py").write_text("LEFT = 6\n")
    return tmp_path


def outside(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python process that has the distribution."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True, timeout=120
    )


def test_installed_packages_bring_games_through_entry_points(site: Path) -> None:
    script = """
import json
from tactician import load_game
from tactician.errors import InvalidGameError
from tactician.games.registry import game_names, game_parameters
try:
    load_game("gone")
except InvalidGameError as error:
    refused = str(error)
print(json.dumps({
    "names": game_names(),
    "finished": load_game("countdown").initial_state().to_json(),
    "made": load_game("countdown-made:left=4").initial_state().to_json(),
    "parameters": [list(game_parameters("countdown")), list(game_parameters("countdown-made"))],
    "refused": refused,
}))
"""
    found = json.loads(outside(site, "-c", script).stdout)
    assert {"countdown", "countdown-made", *GAMES} <= set(found["names"])
    assert found["finished"] == [0, 6]
    assert found["made"] == [0, 4]
    assert found["parameters"] == [[], ["left", "name", "fair", "share", "extra"]]
    assert found["refused"].startswith(
        "game 'gone' (entry point countdown_game:gone) can't be loaded: AttributeError: "
    )


def test_a_broken_package_does_not_hide_the_other_games(site: Path) -> None:
    done = outside(site, "-m", "tactician.cli.main", "games", "--json")
    names = [row["name"] for row in json.loads(done.stdout)]
    assert {"countdown", "countdown-made", *GAMES} <= set(names)
    assert "gone" not in names
    assert "gone is left out: game 'gone' (entry point countdown_game:gone) can't be loaded" in done.stderr.replace(
        "\n", " "
    )
