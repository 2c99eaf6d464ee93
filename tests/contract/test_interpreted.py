"""One source, three lives: interpreted and bounds-checked rules do what the compiled ones do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
import reached_helpers
from hypothesis import given, settings
from hypothesis import strategies as st
from nim_rules import declared, line_of, undecorated
from numpy import uint64
from reached_helpers import MASK, SCALE, TABLE, Kind, looked_up, scaled

from tactician import contract
from tactician.contract import Game, bits
from tactician.errors import RuleFailureError
from tactician.native.variants import checked, interpreted

Config = np.dtype([("heap", "i8"), ("row", "i2", (4,)), ("grid", "i1", (2, 3))], align=True)
State = np.dtype(
    [
        ("player", "i1"),
        ("left", "i2"),
        ("a", "i1"),
        ("b", "u1"),
        ("c", "i4"),
        ("word", "u8"),
        ("flag", "?"),
        ("real", "f8"),
        ("small", "f4"),
        ("hp", "i2", (4,)),
        ("grid", "i1", (2, 3)),
        ("unit", [("hp", "i2"), ("at", "i1", (2,))]),
    ],
    align=True,
)
U64 = np.uint64
Fields = dict[str, Any]


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)


def level(g: Any, s: Any, out: Any) -> None:
    out[0] = out[1] = 0.0


def game_of(apply: Callable[..., None]) -> Game:
    rule = declared(config=Config, state=State, apply=apply, evaluate=level)
    return rule.game("arithmetic", max_actions=3, config={"heap": 5, "row": (1, 2, 3, 4)})


def outcomes(apply: Callable[..., None] | Game, start: Fields, action: int = 1) -> list[Fields]:
    """What the same action leads to compiled, interpreted and with bounds checks."""
    game = apply if isinstance(apply, Game) else game_of(apply)
    found = []
    for mode in (game, game.interpreted(), game.checked()):
        blank = mode.initial_state().to_json()
        found.append(mode.state_from_json({**blank, **start}).apply(action).to_json())
    return found


def agreed(apply: Callable[..., None] | Game, **start: Any) -> Fields:
    """The outcome, if all three agree."""
    compiled, slow, bounded = outcomes(apply, start)
    assert slow == compiled
    assert bounded == compiled
    return compiled


# -- numbers ---------------------------------------------------------------------------------------------------


def wraps(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.c = s.a * 100 + s.b
    s.a += 100
    s.b -= 200
    s.hp[0] = s.hp[1] * s.hp[2]
    s.grid[1, 2] = 300
    s.unit.hp = 40000
    s.word -= U64(1)


def test_what_is_read_is_wide_and_what_is_stored_wraps() -> None:
    after = agreed(wraps, a=100, b=100, hp=[0, 300, 300, 0], word=0)
    assert after["c"] == 100 * 100 + 100
    assert (after["a"], after["b"]) == (200 - 256, 256 - 100)
    assert after["hp"][0] == 90000 - 65536
    assert after["grid"][1][2] == 300 - 256
    assert after["unit"]["hp"] == 40000 - 65536
    assert after["word"] == 2**64 - 1


def divides(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.hp[0] = s.c // s.a
    s.hp[1] = s.c % s.a
    s.real = s.c / s.a
    s.hp[2] = int(s.real)
    s.hp[3] = round(s.real)


@pytest.mark.parametrize("c", [-7, -1, 0, 1, 7, 25, -25])
@pytest.mark.parametrize("a", [-10, -3, 2, 3])
def test_division_rounds_down_also_below_zero(c: int, a: int) -> None:
    after = agreed(divides, c=c, a=a)
    assert after["hp"] == [c // a, c % a, int(c / a), round(c / a)]
    assert after["real"] == c / a


def sets(g: Any, s: Any, action: Any, rng: Any) -> None:
    word, total = s.word & MASK, 0
    while word:
        total += bits.lowest(word)
        word = bits.without_lowest(word)
    s.c = total
    s.hp[0] = bits.count(s.word)
    s.hp[1] = bits.has(s.word, 63)
    s.word = (bits.complement(s.word) | bits.single(63)) ^ (uint64(1) << uint64(5))


GAME_OF_SETS = game_of(sets)


@settings(max_examples=25, deadline=None)
@given(word=st.integers(0, 2**64 - 1))
def test_bit_sets_agree(word: int) -> None:
    after = agreed(GAME_OF_SETS, word=word)
    members = {i for i in range(64) if word >> i & 1}
    assert after["c"] == sum(members & ({*range(8)} | {*range(48, 64)}))
    assert after["hp"][:2] == [len(members), int(63 in members)]
    assert after["word"] == ((2**64 - 1 - word) | 1 << 63) ^ 32


def floats(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.small = s.real / 3
    s.real = s.small * 2.0 + min(s.c, 2.5) + max(s.a, -1) + abs(s.c) ** 0.5
    s.flag = s.real > 1


GAME_OF_FLOATS = game_of(floats)


@settings(max_examples=25, deadline=None)
@given(real=st.floats(-1e6, 1e6), c=st.integers(-1000, 1000), a=st.integers(-128, 127))
def test_floats_and_flags_agree(real: float, c: int, a: int) -> None:
    after = agreed(GAME_OF_FLOATS, real=real, c=c, a=a)
    assert after["small"] == np.float32(real / 3)
    assert after["flag"] == (after["real"] > 1)


def slices(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.hp[1:3] = 7
    part = g.row[1:]
    s.c = part[0] * 30000 + part[2]
    s.grid[1] = 3
    s.grid[0, :2] = -1
    s.unit.at[0] = s.grid[1][2]
    s.real = s.hp.sum() + len(s.hp) + g.row.max()
    total = 0
    for value in s.hp:
        total += value
    s.small = total


def test_slices_rows_and_methods_of_arrays_agree() -> None:
    after = agreed(slices, hp=[1, 2, 3, 4])
    assert after["hp"] == [1, 7, 7, 4]
    assert after["c"] == 60004
    assert after["grid"] == [[-1, -1, 0], [3, 3, 3]]
    assert after["unit"]["at"] == [3, 0]
    assert after["real"] == 19 + 4 + 4
    assert after["small"] == 19


def local_arrays(g: Any, s: Any, action: Any, rng: Any) -> None:
    seen = np.zeros(4, np.int64)
    for i in range(4):
        seen[(i * 7) % 4] += g.row[i]
    s.c = seen[1] * 100 + seen[3]


def test_local_arrays_agree() -> None:
    assert agreed(local_arrays)["c"] == 402


# -- what rules reach ------------------------------------------------------------------------------------------


def reaches(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.c = scaled(s.a) + looked_up(2)
    s.hp[0] = reached_helpers.scaled(s.a) - reached_helpers.looked_up(0)
    s.hp[1] = Kind.KING + reached_helpers.Kind.PAWN
    s.hp[2] = TABLE[4] * SCALE
    s.hp[3] = len(reached_helpers.TABLE)


def test_helpers_and_constants_of_other_modules_agree_by_name_and_as_attributes() -> None:
    after = agreed(reaches, a=3)
    assert after["c"] == 12 * 100 + 4
    assert after["hp"] == [12 * 100 - 3, 10, 500, 5]


def test_closures_agree() -> None:
    def takes(amount: int, twice: Any) -> Callable[..., None]:
        def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
            s.c = twice(s.a) + amount

        return apply

    @contract.helper
    def twice(value: Any) -> Any:
        return 2 * value

    assert agreed(takes(5, twice), a=4)["c"] == 13
    assert agreed(takes(6, twice), a=4)["c"] == 14


@contract.helper
def is_even(n: Any) -> Any:
    return True if n == 0 else is_odd(n - 1)


@contract.helper
def is_odd(n: Any) -> Any:
    return False if n == 0 else is_even(n - 1)


def test_helpers_that_call_each_other_are_interpreted_too() -> None:
    assert interpreted(is_even)(10) is True
    assert interpreted(is_even)(7) is False


def test_the_originals_are_left_alone() -> None:
    before = dict(vars(reached_helpers))
    interpreted(scaled)
    checked(scaled)
    assert dict(vars(reached_helpers)) == before
    assert scaled(1) == interpreted(scaled)(1) == checked(scaled)(1) == 1000


# -- what interpreted rules are for ----------------------------------------------------------------------------


def test_a_debugger_sees_the_lines_of_interpreted_rules_and_helpers() -> None:
    state = game_of(reaches).interpreted().initial_state()
    seen: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            seen.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        state.apply(1)
    finally:
        sys.settrace(before)
    first = line_of(reaches)
    assert {("test_interpreted.py", line) for line in range(first + 1, first + 6)} <= seen
    assert ("reached_helpers.py", line_of(undecorated(reached_helpers.inner)) + 2) in seen


def test_interpreted_rules_see_records_that_introduce_themselves() -> None:
    shown: list[str] = []

    def look(g: Any, s: Any, action: Any, rng: Any) -> None:
        shown.append(repr(s.unit))
        shown.append(type(s.a).__name__)

    rule = declared(config=Config, state=State, apply=look, evaluate=level)
    rule.game("look", max_actions=3, config={"heap": 5}).interpreted().initial_state().apply(1)
    assert shown == ["<record hp=0, at=[0, 0]>", "int"]


def test_a_record_in_a_record_is_assigned_field_by_field() -> None:
    def whole(g: Any, s: Any, action: Any, rng: Any) -> None:
        s.unit = s.unit

    with pytest.raises(RuleFailureError, match="field 'unit' is a record; assign its fields one by one"):
        game_of(whole).interpreted().initial_state().apply(1)


SCRIPT = """
import json
import test_interpreted as t
game = t.game_of(t.wraps)
state = game.initial_state().apply(1)
print(json.dumps([game.backend.mode, state.to_json()]))
"""


def test_one_switch_in_the_environment_interprets_everything(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "TACTICIAN_INTERPRETED": "1",
        "TACTICIAN_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), str(Path(__file__).parents[1] / "support"))),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    mode, state = json.loads(done.stdout)
    assert mode == "interpreted"
    assert state == game_of(wraps).initial_state().apply(1).to_json()
    assert done.stderr == ""
    assert not (tmp_path / "cache").exists()  # nothing was compiled


@pytest.mark.parametrize("value", ["", "0"])
def test_the_switch_can_be_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACTICIAN_INTERPRETED", value)
    assert game_of(wraps).backend.mode == "compiled"


# -- bounds ----------------------------------------------------------------------------------------------------


@contract.helper
def hit(s: Any, place: Any) -> None:
    s.hp[place] -= 1


def hits_outside(g: Any, s: Any, action: Any, rng: Any) -> None:
    hit(s, s.c)


@pytest.mark.parametrize("mode", ["checked", "interpreted"])
@pytest.mark.parametrize("place", [4, 100, -5])
def test_an_index_outside_an_array_raises_in_a_helper_too(mode: str, place: int) -> None:
    game = getattr(game_of(hits_outside), mode)()
    blank = game.initial_state().to_json()
    state = game.state_from_json({**blank, "c": place})
    with pytest.raises(RuleFailureError, match="rule 'apply' of 'arithmetic' raised IndexError") as caught:
        state.apply(1)
    assert isinstance(caught.value.__cause__, IndexError)
    assert game.state_from_json({**blank, "c": 3}).apply(1).record.hp[3] == -1


@pytest.mark.parametrize("mode", ["checked", "interpreted"])
def test_a_list_has_no_room_beyond_max_actions(mode: str) -> None:
    def far(g: Any, s: Any, player: Any, out: Any) -> Any:
        out[0] = 1
        if s.left < g.heap:
            out[3] = 1
        return 1

    rule = declared(config=Config, state=State, legal_actions=far, evaluate=level)
    game = getattr(rule.game("far", max_actions=3, config={"heap": 5}), mode)()
    state = game.initial_state().apply(1)
    with pytest.raises(RuleFailureError, match="rule 'legal_actions' of 'far' raised IndexError"):
        state.legal_actions()
