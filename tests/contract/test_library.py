"""Games from a C library: what fits is played, and what doesn't is refused in one sentence."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tactician.contract import Game, Presentation, library
from tactician.contract.library import HEADER
from tactician.contract.random import below, next_word, stream, unit
from tactician.errors import IllegalActionError, InvalidGameError, RuleFailureError, UnknownNameError

Config = np.dtype([("heap", "i8"), ("weights", "f8", (2,))], align=True)
State = np.dtype([("player", "i1"), ("left", "i2"), ("drawn", "u8"), ("share", "f8")], align=True)

SOURCE = r"""
#include "tactician.h"

typedef struct { int64_t error, heap; double weights[2]; } Config;
typedef struct { int8_t player; int16_t left; uint64_t drawn; double share; } State;
TACTICIAN_GAME(Config, State)

int64_t tactician_legal_actions(const void *g, const void *state, int64_t player, int32_t *out) {
    const State *s = state;
    for (int i = 0; i < 3 && i < s->left; i++) out[i] = i + 1;
    return s->left < 3 ? s->left : 3;
}

/* Takes the action; taking 3 is an error, taking 2 draws every kind of number. */
void tactician_apply(const void *config, void *state, int64_t action, uint64_t *rng) {
    Config *g = (Config *)config;
    State *s = state;
    if (action == 3) { g->error = 17; return; }
    if (action == 2) {
        s->left = (int16_t)(1 + tactician_below(rng, 1000));
        s->share = tactician_unit(rng);
        s->drawn = tactician_next(rng);
    } else {
        s->left -= 1;
    }
    s->player = 1 - s->player;
}

int64_t tactician_current_player(const void *g, const void *s) { return ((const State *)s)->player; }
int64_t tactician_is_over(const void *g, const void *s) { return ((const State *)s)->left == 0; }

void tactician_returns(const void *g, const void *state, double *out) {
    const State *s = state;
    out[s->player] = -1;
    out[1 - s->player] = 1;
}

void tactician_evaluate(const void *config, const void *state, double *out) {
    const Config *g = config;
    out[0] = g->weights[0] * ((const State *)state)->left + g->weights[1];
    out[1] = -out[0];
}

TACTICIAN_EXPORT void evaluate_flat(const void *g, const void *s, double *out) { out[0] = 0.5; out[1] = -0.5; }
"""

Build = Callable[..., Path]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Compiles the source, with pieces of it exchanged."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        pytest.skip("no C compiler")

    def compiled(**exchanged: str) -> Path:
        folder, source = tmp_path_factory.mktemp("library"), SOURCE
        for old, new in exchanged.items():
            assert old in source
            source = source.replace(old, new)
        (folder / "toy.c").write_text(source)
        command = [compiler, "-shared", "-fPIC", "-O1", f"-I{HEADER.parent}", "-o", "toy.so", "toy.c"]
        subprocess.run(command, cwd=folder, check=True, timeout=120)
        return folder / "toy.so"

    return compiled


@pytest.fixture(scope="module")
def path(build: Build) -> Path:
    return build()


def start(g: Any, s: Any, rng: Any) -> None:
    s.left = g.heap


def toy(path: Path, **options: Any) -> Game:
    settings: dict[str, Any] = {
        "config": Config,
        "state": State,
        "presentation": Presentation(initial_state=start),
        "name": "toy",
        "max_actions": 3,
        "values": {"heap": 5, "weights": (0.1, 0)},
        "weights": ("left", "bonus"),
        "errors": {17: "three is too greedy"},
    }
    return library(path, **(settings | options))


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(InvalidGameError) as caught:
        toy(path, **options)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_a_library_is_played_like_any_other_game(path: Path) -> None:
    state = toy(path).initial_state()
    assert state.legal_actions() == [1, 2, 3]
    assert state.evaluate() == [0.5, -0.5]
    while not state.is_over():
        state.apply(1)
    assert state.returns() == [1.0, -1.0]
    assert state.to_json() == {"player": 1, "left": 0, "drawn": 0, "share": 0.0}
    with pytest.raises(IllegalActionError, match="the game is over"):
        state.apply(1)


def test_weights_reach_the_library(path: Path) -> None:
    game = toy(path)
    assert game.with_weights(left=2, bonus=1).initial_state().evaluate() == [11.0, -11.0]
    assert game.initial_state().evaluate() == [0.5, -0.5]
    assert "weight 'c' of 'toy' (toy.so)" in refusal(path, weights=("a", "b", "c"))


def test_with_evaluation_takes_an_exported_name_or_a_c_function(path: Path) -> None:
    game = toy(path, values={"heap": 5, "weights": (3, 0)})
    assert game.with_evaluation("evaluate_flat").initial_state().evaluate() == [0.5, -0.5]
    function = ctypes.CDLL(str(path)).evaluate_flat
    assert game.with_evaluation(function).initial_state().evaluate() == [0.5, -0.5]
    assert game.initial_state().evaluate() == [15.0, -15.0]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("evaluate_flatly", "exports no function 'evaluate_flatly' for the rule 'evaluate'"),
        (start, "expected the name of a function that the library exports, or a ctypes function"),
    ],
)
def test_with_evaluation_refuses_what_is_not_there(path: Path, function: Any, words: str) -> None:
    with pytest.raises(InvalidGameError, match=words):
        toy(path).with_evaluation(function)


def test_a_rule_in_c_fails_through_the_error_cell(path: Path) -> None:
    game = toy(path)
    state = game.initial_state()
    with pytest.raises(RuleFailureError, match=r"^'toy' failed: three is too greedy\.$"):
        state.apply(3)
    assert state == game.initial_state()
    assert state.apply(1).record.left == 4


def test_the_random_functions_in_c_draw_what_pythons_draw(path: Path) -> None:
    for seed in range(20):
        record = toy(path).initial_state(seed=seed).apply(2).record
        rng = stream([seed, 1])
        assert record.left == 1 + below(rng, 1000)
        assert record.share == unit(rng)
        assert record.drawn == next_word(rng)


def test_a_library_runs_in_one_way_only(path: Path) -> None:
    for mode in ("interpreted", "checked"):
        with pytest.raises(InvalidGameError, match=f"game 'toy' comes from a library and can't be {mode}"):
            getattr(toy(path), mode)()


# -- what is refused -------------------------------------------------------------------------------------------


def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.so").write_text("not a library")
    for name in ("text.so", "nothing.so"):
        assert f"{name}' of game 'toy' can't be loaded: " in refusal(tmp_path / name)


@pytest.mark.parametrize("rule", ["legal_actions", "current_player", "is_over", "returns", "evaluate"])
def test_a_missing_rule_is_named(build: Build, rule: str) -> None:
    message = refusal(build(**{f"tactician_{rule}(": f"other_{rule}("}))
    assert message.startswith(f"game 'toy' (toy.so) lacks the rule {rule}(g, s")


def test_a_library_without_the_macro_is_told_to_use_it(build: Build) -> None:
    message = refusal(build(**{"TACTICIAN_GAME(Config, State)": ""}))
    assert message.endswith("lacks tactician_abi_version(); put TACTICIAN_GAME(Config, State) into its source.")


def test_a_library_of_another_abi_version_is_refused(build: Build) -> None:
    renamed = "#undef TACTICIAN_ABI_VERSION\n#define TACTICIAN_ABI_VERSION 99\nTACTICIAN_GAME(Config, State)"
    message = refusal(build(**{"TACTICIAN_GAME(Config, State)": renamed}))
    assert message.endswith("toy.so': tactician_abi_version() gives 99; expected 1 for game 'toy'.")


def test_records_of_another_size_are_refused(path: Path) -> None:
    smaller = np.dtype([("player", "i1"), ("left", "i2")], align=True)
    message = refusal(path, state=smaller)
    assert message.endswith("tactician_state_bytes() gives 24; expected 4 for game 'toy'.")
    message = refusal(path, config=np.dtype([("heap", "i8")], align=True), weights=(), values={})
    assert message.endswith("tactician_config_bytes() gives 32; expected 16 for game 'toy'.")


def test_records_must_be_plain_data_here_too(path: Path) -> None:
    assert "State field 'left' (" in refusal(path, state=np.dtype([("left", "O")]))


def test_max_actions_is_a_positive_integer_here_too(path: Path) -> None:
    assert refusal(path, max_actions=0) == "max_actions of 'toy' (toy.so) is 0; expected a positive integer."


def test_an_option_of_the_start_that_does_not_exist_is_refused(path: Path) -> None:
    with pytest.raises(UnknownNameError, match="option of the start of 'toy': 'left'"):
        toy(path).initial_state(left=3)
