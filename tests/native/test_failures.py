"""Errors don't vanish: what goes wrong inside a rule reaches the caller, whoever wrote the rule and however it runs."""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nim_rules import declared
from numba import cfunc, types

from tactician.contract import Game, plain
from tactician.contract.random import stream
from tactician.errors import InvalidStateError, RuleFailureError, TacticianError
from tactician.native import abi, failures


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)


def divides(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.left -= 6 // (action - 2)


def raises(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action == 2:
        raise ValueError("two is not allowed")
    s.left -= 1


def sets_a_code(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action == 2:
        g.error = 41
    s.left -= 1


def judges_badly(g: Any, s: Any, out: Any) -> None:
    out[0] = 1 / (s.left - g.heap)


def game_of(name: str = "failing", **rules: Any) -> Game:
    return declared(**rules).game(name, max_actions=3, config={"heap": 9}, errors={41: "the ice broke"})


MODES = ["compiled", "interpreted", "checked"]


def in_mode(game: Game, mode: str) -> Game:
    return game if mode == "compiled" else getattr(game, mode)()


# -- compiled, interpreted, checked ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("apply", "cause", "words"),
    [
        (divides, ZeroDivisionError, "raised ZeroDivisionError: "),
        (raises, ValueError, "raised ValueError: two is not allowed"),
    ],
)
def test_an_exception_in_a_rule_reaches_the_caller_with_cause_and_rule(
    mode: str, apply: Any, cause: type[Exception], words: str
) -> None:
    game = in_mode(game_of(apply=apply), mode)
    with pytest.raises(RuleFailureError, match=f"^rule 'apply' of 'failing' {words}") as caught:
        game.initial_state().apply(2)
    assert isinstance(caught.value.__cause__, cause)
    assert caught.value.rule == "apply"
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("mode", MODES)
def test_the_rule_that_failed_is_the_one_that_is_named(mode: str) -> None:
    state = in_mode(game_of(evaluate=judges_badly), mode).initial_state()
    with pytest.raises(RuleFailureError, match="rule 'evaluate' of 'failing'") as caught:
        state.evaluate()
    assert caught.value.rule == "evaluate"


@pytest.mark.parametrize("mode", MODES)
def test_a_positive_code_in_the_error_cell_is_raised_with_its_meaning(mode: str) -> None:
    state = in_mode(game_of(apply=sets_a_code), mode).initial_state()
    with pytest.raises(RuleFailureError, match=r"^'failing' failed: the ice broke\.$") as caught:
        state.apply(2)
    assert caught.value.rule == "apply"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("apply", [divides, raises, sets_a_code])
def test_the_game_is_usable_afterwards(mode: str, apply: Any) -> None:
    game = in_mode(game_of(apply=apply), mode)
    for _ in range(3):
        with pytest.raises(RuleFailureError):
            game.initial_state().apply(2)
        assert game.initial_state().apply(3).record.left < 9
        assert game.initial_state().legal_actions() == [1, 2, 3]


def test_only_the_game_that_failed_fails() -> None:
    broken, healthy = game_of(apply=raises), game_of("healthy")
    with pytest.raises(RuleFailureError):
        broken.initial_state().apply(2)
    assert healthy.initial_state().apply(2).record.left == 7


def test_codes_of_the_package_have_meanings_too() -> None:
    game = game_of()
    words = game.config_words()
    for code, meaning in ((abi.TOO_MANY_ACTIONS, "more than max_actions"), (abi.NO_ACTIONS, "listed no action")):
        words.view("i8")[0] = code
        with pytest.raises(RuleFailureError, match=meaning):
            game.raise_failure(words.ctypes.data)
        assert words[0] == 0


def test_a_search_has_an_error_cell_of_its_own() -> None:
    game = game_of(apply=raises)
    words, state, random = game.config_words(), game.initial_state().words, stream(0)
    before = failures.entering(words.ctypes.data)
    game.table.function("apply")(words.ctypes.data, state.ctypes.data, 2, random.ctypes.data)
    failures.leaving(before)
    assert words.view("i8")[0] == abi.RULE_RAISED
    assert game.initial_state().apply(1).record.left == 8
    with pytest.raises(RuleFailureError, match=r"^a rule of 'failing' raised ValueError: two is not allowed$"):
        game.raise_failure(words.ctypes.data)


SCRIPT = """
import test_failures as t
from tactician.errors import RuleFailureError
for apply in (t.divides, t.raises):
    try:
        t.game_of(apply=apply).initial_state().apply(2)
    except RuleFailureError as error:
        print(error.rule, type(error.__cause__).__name__)
"""

PYTHONPATH = os.pathsep.join((str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")))


def test_nothing_is_printed_as_ignored() -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), str(Path(__file__).parents[1] / "support"))),
        "TACTICIAN_QUIET": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines() == ["apply ZeroDivisionError", "apply ValueError"]
    assert done.stderr == ""


# -- plain objects ---------------------------------------------------------------------------------------------


class Countdown:
    """Count down from five; what happens at three is up to the test."""

    def __init__(self, at_three: Callable[[], None]) -> None:
        self.at_three = at_three

    def initial_state(self, rng: Any) -> int:
        return 5

    def legal_actions(self, state: int, player: int) -> list[int]:
        return [1]

    def apply(self, state: int, action: int, rng: Any) -> int:
        if state == 3:
            self.at_three()
        return state - action

    def current_player(self, state: int) -> int:
        return 0

    def is_over(self, state: int) -> bool:
        return state == 0

    def returns(self, state: int) -> list[float]:
        return [0.0, 0.0]

    def evaluate(self, state: int) -> list[float]:
        return [0.0, 0.0]


def countdown(failure: BaseException) -> Game:
    def at_three() -> None:
        raise failure

    return plain(Countdown(at_three), name="countdown", max_actions=1)


def test_an_exception_in_a_plain_rule_is_the_cause() -> None:
    failure = LookupError("no three")
    state = countdown(failure).initial_state().apply(1).apply(1)
    with pytest.raises(RuleFailureError, match=r"^rule 'apply' of 'countdown' raised LookupError: no three$") as caught:
        state.apply(1)
    assert caught.value.__cause__ is failure
    assert state.to_json() == 3
    assert state.legal_actions() == [1]


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), InvalidStateError("not a three."), TacticianError("no.")])
def test_ctrl_c_and_our_own_errors_come_through_as_they_are(failure: BaseException) -> None:
    state = countdown(failure).initial_state().apply(1).apply(1)
    with pytest.raises(type(failure)) as caught:
        state.apply(1)
    assert caught.value is failure


def test_a_plain_rule_may_use_other_games_while_it_runs() -> None:
    inner = game_of(apply=raises)
    caught: list[RuleFailureError] = []

    def look_elsewhere() -> None:
        try:
            inner.initial_state().apply(2)
        except RuleFailureError as error:
            caught.append(error)

    state = plain(Countdown(look_elsewhere), name="outer", max_actions=1).initial_state()
    state.apply(1).apply(1).apply(1)
    assert state.to_json() == 2
    assert [str(error) for error in caught] == ["rule 'apply' of 'failing' raised ValueError: two is not allowed"]


# -- threads ---------------------------------------------------------------------------------------------------


def raises_otherwise(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action == 2:
        raise KeyError("the other game")
    s.left -= 1


def test_two_threads_with_two_games_do_not_mix_their_failures() -> None:
    games = [game_of("one", apply=raises), game_of("two", apply=raises_otherwise)]
    expected = [
        "rule 'apply' of 'one' raised ValueError: two is not allowed",
        "rule 'apply' of 'two' raised KeyError: ",
    ]
    for game in games:
        assert game.table is not None
    wrong: list[str] = []
    together = threading.Barrier(2)

    def play(game: Game, words: str) -> None:
        together.wait()
        for i in range(200):
            state = game.initial_state()
            try:
                state.apply(2 if i % 2 else 1)
                if i % 2 or state.record.left != 8:
                    wrong.append(f"{game.name} did not fail")
            except RuleFailureError as error:
                if not str(error).startswith(words) or not i % 2:
                    wrong.append(str(error))

    threads = [threading.Thread(target=play, args=pair) for pair in zip(games, expected, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# -- other people's exceptions ---------------------------------------------------------------------------------


class Falls:
    def __del__(self) -> None:
        raise RuntimeError("fell")


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What somebody else's hook hears of exceptions with nowhere to go."""
    messages: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: messages.append(unraisable.exc_value))
    return messages


def fall() -> None:
    Falls()
    gc.collect()


def test_what_others_raise_goes_to_their_hook_and_what_rules_raise_does_not(reported: list[Any]) -> None:
    with pytest.raises(RuleFailureError):
        game_of(apply=raises).initial_state().apply(2)
    assert reported == []
    fall()
    assert [str(value) for value in reported] == ["fell"]


def test_a_hook_that_was_set_after_ours_does_not_swallow_failures(reported: list[Any]) -> None:
    game = game_of(apply=raises)
    with pytest.raises(RuleFailureError):
        game.initial_state().apply(2)
    ours, later = sys.unraisablehook, list[Any]()

    def chained(unraisable: Any) -> None:
        later.append(unraisable.exc_value)
        ours(unraisable)

    sys.unraisablehook = chained
    with pytest.raises(RuleFailureError):
        game.initial_state().apply(2)
    fall()
    assert [str(value) for value in later] == [str(value) for value in reported] == ["fell"]


@cfunc(types.void(types.int64))
def somebody_elses(number: Any) -> None:
    raise RuntimeError("not a rule")


def test_compiled_code_of_others_is_not_taken_for_a_rule(reported: list[Any]) -> None:
    game = game_of(apply=raises)
    game.initial_state().apply(1)
    ctypes.CFUNCTYPE(None, ctypes.c_int64)(somebody_elses.address)(0)
    assert [str(value) for value in reported] == ["not a rule"]
    assert game.initial_state().apply(1).record.left == 8


# -- printing --------------------------------------------------------------------------------------------------

PRINTS = """
from test_failures import game_of

def says(g, s, action, rng):
    print("left", s.left, 0.5)
    s.left -= action

game = game_of(apply=says)
state = game.initial_state()
state.apply(2)
print("done", state.to_json()["left"] < game.initial_state().to_json()["left"], flush=True)
"""


@pytest.mark.slow
def test_a_rule_may_print_numbers_in_the_process_that_compiles_it(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": PYTHONPATH,
        "TACTICIAN_QUIET": "1",
        "TACTICIAN_CACHE_DIR": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
    }
    for _ in ("compiled", "from the cache"):
        done = subprocess.run(
            [sys.executable, "-c", PRINTS], env=environment, capture_output=True, text=True, check=True, timeout=120
        )
        assert sorted(done.stdout.split()) == sorted(["left", done.stdout.split()[1], "0.5", "done", "True"])


@pytest.mark.parametrize(
    ("module", "is_one"),
    [
        ("tactician.contract.random", False),
        ("tactician.contract.plain", False),
        ("tactician.native.records", False),
        ("numpy", False),
        ("json", False),
        ("tactician.games.locm.rules", True),
        ("test_failures", True),
    ],
)
def test_lines_of_the_contract_are_never_a_games(module: str, is_one: bool) -> None:
    file = importlib.import_module(module).__file__
    assert file is not None
    assert failures.is_the_authors(Path(file)) == is_one
