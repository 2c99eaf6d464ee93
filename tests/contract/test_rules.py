"""Declaring a game: what works, and the one sentence an author gets for everything that doesn't."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import broken_games as b
import numpy as np
import pytest
from nim_rules import REQUIRED, RULES, Config, State, declared, line_of, nim, undecorated

from tactician import contract
from tactician.contract import Game, Presentation, random
from tactician.errors import InvalidGameError, InvalidParameterError, RuleFailureError, UnknownNameError
from tactician.native import abi


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)


def refusal(declare: Callable[[], Any], error: type[Exception] = InvalidGameError) -> str:
    """The sentence a wrong declaration is refused with."""
    with pytest.raises(error) as caught:
        declare()
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))
    return sentence


def finish(rule: contract.Rules, **options: Any) -> Game:
    return rule.game("nim", **{"max_actions": 3, "config": {"heap": 5}, **options})


# -- what is declared is what there is -------------------------------------------------------------------------


def test_a_declared_game_knows_what_was_said_about_it() -> None:
    game = finish(declared(), version="7", zero_sum=False, description="take the last")
    assert (game.name, game.version, game.players, game.max_actions) == ("nim", "7", 2, 3)
    assert not game.zero_sum
    assert game.description == "take the last"
    assert not game.simultaneous
    assert not game.hides_information
    assert game.state_bytes == State.itemsize
    assert repr(game) == "<game 'nim', 2 players, compiled>"


def test_a_declared_game_can_be_played() -> None:
    state = nim(5).initial_state()
    assert state.legal_actions() == [1, 2, 3]
    state.apply(3).apply(2)
    assert state.is_over()
    assert state.returns() == [-1.0, 1.0]


def test_decorated_rules_stay_functions_that_others_call() -> None:
    rule = declared()

    @rule.legal_actions
    def at_most_two(g: Any, s: Any, player: Any, out: Any) -> Any:
        for i in range(2):
            out[i] = i + 1
        return min(2, s.left)

    @rule.is_legal
    def listed(g: Any, s: Any, action: Any) -> Any:
        return 1 <= action <= at_most_two(g, s, s.player, np.zeros(2, np.int32))

    state = finish(rule).initial_state(left=1)
    assert [state.is_legal(action) for action in (0, 1, 2)] == [False, True, False]


@contract.helper
def fibonacci(n: Any) -> Any:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@contract.inline_helper
def doubled(n: Any) -> Any:
    return 2 * n


def test_rules_call_helpers() -> None:
    def judge(g: Any, s: Any, out: Any) -> None:
        out[0] = doubled(fibonacci(np.int64(s.left)))
        out[1] = -out[0]

    game = nim(10).with_evaluation(judge)
    assert game.initial_state().evaluate() == [110.0, -110.0]
    assert game.interpreted().initial_state().evaluate() == [110.0, -110.0]


def test_configure_works_out_fields_again_after_a_change_of_weights() -> None:
    def second_is_double(g: Any) -> None:
        g.weights[1] = 2 * g.weights[0]

    game = finish(declared(configure=second_is_double), config={"heap": 5, "weights": (3, 0)}, weights=("a", "b"))
    assert game.weights == {"a": 3.0, "b": 6.0}
    assert game.with_weights(a=5).weights == {"a": 5.0, "b": 10.0}


def test_a_configuration_without_fields_is_enough() -> None:
    def five(g: Any, s: Any, rng: Any) -> None:
        s.left = 5

    def level(g: Any, s: Any, out: Any) -> None:
        out[0] = out[1] = 0.0

    game = declared(config=np.dtype([]), initial_state=five, evaluate=level).game("nim", max_actions=3)
    assert game.initial_state().apply(2).record.left == 3


def test_fields_may_have_the_names_of_numpys_own_attributes() -> None:
    Odd = np.dtype(
        [("player", "i1"), ("left", "i2"), ("size", "i4"), ("round", "i2"), ("data", "i1", (2,))], align=True
    )

    def grow(g: Any, s: Any, action: Any, rng: Any) -> None:
        s.size += action
        s.round += 1
        s.data[1] = s.round
        s.left -= action

    game = finish(declared(state=Odd, apply=grow))
    for mode in (game, game.interpreted(), game.checked()):
        record = mode.initial_state().apply(2).apply(1).record
        assert (record.size, record.round, record.data.tolist()) == (3, 2, [0, 2])


def test_value_range_may_depend_on_the_configuration() -> None:
    game = finish(declared(), value_range=lambda g: (-g.heap, 2 * g.heap))
    assert game.value_range == (-5.0, 10.0)


def test_three_players_may_act_at_once() -> None:
    game = b.bids()
    assert game.simultaneous
    state = game.initial_state(seed=4)
    assert state.current_player() == contract.SIMULTANEOUS
    state.apply([3, 1, 0])
    assert state.record.points.tolist() == [1, 0, 0]
    assert len(state.evaluate()) == 3


def test_chance_comes_from_the_stream() -> None:
    def lucky(g: Any, s: Any, action: Any, rng: Any) -> None:
        s.left -= 1 + random.below(rng, action)
        s.player = 1 - s.player

    game = nim(30, apply=lucky)
    start = game.initial_state(seed=1)
    assert start.copy().apply(3) == start.copy().apply(3)
    assert {int(start.reseeded(seed).apply(3).record.left) for seed in range(30)} == {27, 28, 29}


def test_omit_leaves_an_optional_rule_out() -> None:
    def only_one(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
        out[0] = 1
        return 1

    rule = declared(candidate_actions=only_one)
    assert finish(rule).initial_state().candidate_actions() == [1]
    assert finish(rule, omit=["candidate_actions"]).initial_state().candidate_actions() == [1, 2, 3]


def test_a_needed_rule_can_not_be_omitted() -> None:
    assert "lacks the rule evaluate(g, s, out)" in refusal(lambda: finish(declared(), omit=["evaluate"]))


def test_positive_codes_in_the_error_cell_have_the_meaning_the_author_gave() -> None:
    def refuse_two(g: Any, s: Any, action: Any, rng: Any) -> None:
        if action > 1:
            g.error = action
        s.left -= 1

    game = finish(declared(apply=refuse_two), errors={2: "two is one too many"})
    with pytest.raises(RuleFailureError, match=r"'nim' failed: two is one too many\."):
        game.initial_state().apply(2)
    with pytest.raises(RuleFailureError, match=r"'nim' failed: a rule set error 3\."):
        game.initial_state().apply(3)


# -- rules that are missing or can't be called -----------------------------------------------------------------


@pytest.mark.parametrize("name", REQUIRED)
def test_a_missing_rule_is_named_with_what_it_is_for(name: str) -> None:
    rule = declared(without=(name,))
    message = refusal(lambda: finish(rule))
    assert message.startswith("game 'nim' (nim_rules.py, line ")
    assert f"lacks the rule {name}(g, s" in message
    assert message.endswith(f" ({abi.RULE_BY_NAME[name].purpose}).")


def test_a_game_without_apply_may_have_apply_joint_instead() -> None:
    message = refusal(lambda: finish(declared(without=("apply",))))
    assert "lacks the rule apply(g, s, action, rng) (or apply_joint(g, s, actions, rng)" in message


def test_a_game_without_initial_state_is_refused() -> None:
    message = refusal(lambda: finish(declared(without=("initial_state",))))
    assert "(nim_rules.py, line " in message
    assert "lacks initial_state(g, s, rng)" in message


def test_observe_needs_resample_hidden() -> None:
    def blank(g: Any, s: Any, player: Any, out: Any) -> None:
        out.left = 0

    message = refusal(lambda: finish(declared(observe=blank)))
    assert "has observe but lacks resample_hidden(g, s, player, rng)" in message


def too_few(g: Any, s: Any) -> None:
    pass


def too_many(g: Any, s: Any, action: Any, rng: Any, more: Any) -> None:
    pass


def starred(g: Any, s: Any, *rest: Any) -> None:
    pass


def named(g: Any, s: Any, action: Any, *, rng: Any) -> None:
    pass


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (too_few, "(g: 'Any', s: 'Any')"),
        (too_many, "(g: 'Any', s: 'Any', action: 'Any', rng: 'Any', more: 'Any')"),
        (starred, "(g: 'Any', s: 'Any', *rest: 'Any')"),
        (named, "(g: 'Any', s: 'Any', action: 'Any', rng: 'Any')"),
    ],
)
def test_wrong_parameters_are_refused_with_rule_file_and_line(function: Any, given: str) -> None:
    message = refusal(lambda: declared(apply=function))
    assert message == (
        f"rule 'apply' (test_rules.py, line {line_of(function)}) takes {given}; expected apply(g, s, action, rng)."
    )


def turned_round(s: Any, g: Any, action: Any, rng: Any) -> None:
    pass


def test_s_before_g_is_refused() -> None:
    place = f"(test_rules.py, line {line_of(turned_round)})"
    given = "(s: 'Any', g: 'Any', action: 'Any', rng: 'Any'), s before g"
    message = refusal(lambda: declared(apply=turned_round))
    assert message == f"rule 'apply' {place} takes {given}; expected apply(g, s, action, rng)."
    message = refusal(lambda: declared(action_name=lambda s, g, action: ""))
    assert message.endswith("takes (s, g, action), s before g; expected action_name(g, s, action).")


@pytest.mark.parametrize("thing", [3, "apply", print, None, Config])
def test_a_rule_that_is_not_a_function_is_refused(thing: Any) -> None:
    message = refusal(lambda: declared(apply=thing))
    assert message.startswith("rule 'apply' (nim_rules.py, line ")
    assert message.endswith(f") is {thing!r}; expected a function apply(g, s, action, rng).")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("initial_state", "initial_state(g, s, rng)"),
        ("action_name", "action_name(g, s, action)"),
        ("configure", "configure(g)"),
        ("state_from_json", "state_from_json(g, s, data)"),
    ],
)
def test_functions_of_the_python_side_have_parameters_too(name: str, expected: str) -> None:
    def none_at_all() -> None:
        pass

    message = refusal(lambda: declared(**{name: none_at_all}))
    assert message == f"function {name!r} (test_rules.py, line {line_of(none_at_all)}) takes (); expected {expected}."
    assert f"is 3; expected a function {expected}." in refusal(lambda: declared(**{name: 3}))


def test_initial_state_may_take_options() -> None:
    assert nim(7).initial_state(left=2).legal_actions() == [1, 2]
    with pytest.raises(UnknownNameError, match=r"option of the start of .* 'rigth'"):
        nim(7).initial_state(rigth=2)


# -- bounds that are wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", [0, -1, 2.5, "3", None])
def test_max_actions_is_a_positive_integer(bound: Any) -> None:
    message = refusal(lambda: finish(declared(), max_actions=bound))
    assert message.startswith("max_actions of 'nim' (nim_rules.py, line ")
    assert message.endswith(f"is {bound!r}; expected a positive integer.")


def test_max_actions_too_small_for_the_start_is_found_before_anything_compiles() -> None:
    message = refusal(lambda: finish(declared(), max_actions=2))
    assert message == (
        f"rule 'legal_actions' (nim_rules.py, line {line_of(RULES['legal_actions'])}) lists more actions in the "
        "initial state than max_actions=2; max_actions must bound every list."
    )


def nothing_to_do(g: Any, s: Any, player: Any, out: Any) -> Any:
    return 0


def test_a_start_without_actions_is_refused() -> None:
    message = refusal(lambda: finish(declared(legal_actions=nothing_to_do)))
    assert message == (
        f"rule 'legal_actions' (test_rules.py, line {line_of(nothing_to_do)}) lists no action in the initial state, "
        "which is not over."
    )


def over_by_a_field_that_is_not_there(g: Any, s: Any) -> Any:
    return s.nothing == 0


def test_a_rule_that_fails_at_the_start_is_the_one_that_is_named() -> None:
    message = refusal(lambda: finish(declared(is_over=over_by_a_field_that_is_not_there)))
    line = line_of(over_by_a_field_that_is_not_there)
    assert message.startswith(
        f"rule 'is_over' (test_rules.py, line {line}) fails in the initial state: AttributeError:"
    )
    assert message.endswith(f"no field 'nothing'; it has player, left, at test_rules.py, line {line + 1}.")


# -- records that are not plain data ---------------------------------------------------------------------------

PAIR = np.dtype([("a", "i1"), ("b", "i1")])


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("O", "has type object, which is not plain data"),
        ("S4", "has type |S4, which is not plain data"),
        ("U4", "has type <U4, which is not plain data"),
        (">i4", "has type >i4, which is not plain data; expected integers, floats or booleans of fixed size in native"),
        ("c16", "has type complex128, which is not plain data"),
        ("f2", "has type float16, which is not plain data"),
        ("M8[s]", "has type datetime64[s], which is not plain data"),
        ((PAIR, (3,)), "is an array of records, which rules can't use; make each of its fields an array"),
    ],
)
def test_a_field_that_is_not_plain_data_is_refused(kind: Any, what: str) -> None:
    message = refusal(lambda: contract.rules(Config, np.dtype([("good", "i4"), ("bad", kind)])))
    assert message.startswith("State field 'bad' (test_rules.py, line ")
    assert what in message
    assert refusal(lambda: contract.rules(np.dtype([("bad", kind)]), State)).startswith("Config field 'bad' (")


def test_what_is_inside_a_record_in_a_record_counts_too() -> None:
    inner = np.dtype([("name", "U3")])
    message = refusal(lambda: contract.rules(Config, np.dtype([("unit", inner)])))
    assert message.startswith("State field 'unit' field 'name' (test_rules.py, line ")


@pytest.mark.parametrize("thing", [np.dtype("i8"), np.int64, "i8", None, [("a", "i4")]])
def test_a_state_must_be_a_structured_dtype(thing: Any) -> None:
    message = refusal(lambda: contract.rules(Config, thing))
    assert message.startswith("State (test_rules.py, line ")
    assert message.endswith("expected a structured NumPy dtype with named fields.")


def test_a_state_without_fields_is_refused() -> None:
    assert "has no fields" in refusal(lambda: contract.rules(Config, np.dtype([])))


@pytest.mark.parametrize("name", ["dtype", "__class__"])
def test_names_that_numpy_needs_are_reserved(name: str) -> None:
    message = refusal(lambda: contract.rules(Config, np.dtype([(name, "i4")])))
    assert message.startswith(f"State field {name!r} (test_rules.py, line ")
    assert "choose another" in message


def test_the_error_cell_may_be_declared_but_only_in_front() -> None:
    Own = np.dtype([("error", "i8"), ("heap", "i8"), ("weights", "f8", (2,))], align=True)
    assert finish(declared(config=Own)).initial_state().legal_actions() == [1, 2, 3]
    for wrong in ([("heap", "i8"), ("error", "i8")], [("error", "i4"), ("heap", "i8")]):
        message = refusal(partial(contract.rules, np.dtype(wrong), State))
        assert message.startswith("Config field 'error' is not the error cell")


# -- configuration and weights ---------------------------------------------------------------------------------


def test_an_unknown_configuration_field_suggests_the_nearest() -> None:
    message = refusal(lambda: finish(declared(), config={"haep": 5}), UnknownNameError)
    assert message == "unknown configuration field of 'nim': 'haep'; did you mean 'heap'?"
    assert "'error'" in refusal(lambda: finish(declared(), config={"error": 5}), UnknownNameError)


@pytest.mark.parametrize("values", [(1, 2, 3), "many", 10**400])
def test_a_configuration_value_that_does_not_fit_is_refused(values: Any) -> None:
    message = refusal(lambda: finish(declared(), config={"heap": 5, "weights": values}))
    assert message.startswith("configuration field 'weights' of 'nim': ")


def test_weights_are_named_places_of_the_configuration() -> None:
    rule, config = declared(), {"heap": 5, "weights": (0.5, 0.25)}
    by_order = finish(rule, config=config, weights=("heap", "turn"))
    by_place = finish(rule, config=config, weights={"turn": ("weights", 1), "size": ("heap",)})
    assert by_order.weights == {"heap": 0.5, "turn": 0.25}
    assert by_place.weights == {"turn": 0.25, "size": 5.0}


@pytest.mark.parametrize("weights", [("a", "b", "c"), {"a": ("nowhere",)}, {"a": ("weights",)}])
def test_weights_without_a_place_are_refused(weights: Any) -> None:
    message = refusal(lambda: finish(declared(), weights=weights))
    assert message.startswith("weight ")
    assert "of 'nim' (nim_rules.py, line " in message


def test_names_for_some_of_the_weights_are_refused() -> None:
    message = refusal(lambda: finish(declared(), weights=("a",)))
    assert message.startswith("weights of 'nim' (nim_rules.py, line ")
    assert message.endswith(
        "names 1 of the 2 entries of Config field 'weights'; expected a name for each, or a mapping of names to places."
    )
    assert finish(declared(), weights={"a": ("weights", 1)}).weights == {"a": 0.0}


def weighted() -> Game:
    return finish(declared(), config={"heap": 5, "weights": (0.5, 0)}, weights=("heap", "turn"))


def test_with_weights_gives_another_game_and_leaves_this_one() -> None:
    game = weighted()
    other = game.with_weights(heap=2)
    assert other.initial_state().evaluate() == [10.0, -10.0]
    assert game.initial_state().evaluate() == [2.5, -2.5]
    assert (game.weights["heap"], other.weights["heap"]) == (0.5, 2.0)
    assert game != other


def test_an_unknown_weight_suggests_the_nearest() -> None:
    message = refusal(lambda: weighted().with_weights(trun=1), UnknownNameError)
    assert message == "unknown weight of 'nim': 'trun'; did you mean 'turn'?"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_weight_is_a_finite_number(value: float) -> None:
    message = refusal(lambda: weighted().with_weights(turn=value), InvalidParameterError)
    assert message == f"weight 'turn' is {value!r}; expected a finite number."


def test_with_evaluation_exchanges_the_judge_and_its_range() -> None:
    def hundred(g: Any, s: Any, out: Any) -> None:
        out[0], out[1] = 100.0, -100.0

    game = weighted()
    other = game.with_evaluation(hundred, value_range=(-100, 100))
    assert other.initial_state().evaluate() == [100.0, -100.0]
    assert other.value_range == (-100.0, 100.0)
    assert game.initial_state().evaluate() == [2.5, -2.5]
    assert game.value_range == (-1.0, 1.0)


def test_with_evaluation_checks_the_parameters() -> None:
    message = refusal(lambda: weighted().with_evaluation(too_few))
    assert message.startswith(f"rule 'evaluate' (test_rules.py, line {line_of(too_few)}) takes ")


def test_the_configuration_people_see_can_not_be_changed() -> None:
    game = weighted()
    with pytest.raises(ValueError, match="read-only"):
        game.config.heap = 9
    assert game.initial_state().record.left == 5


# -- rules that don't compile ----------------------------------------------------------------------------------


def sets_no_field(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.nothing = 1


def reads_no_field(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.left = s.nothing


def stores_text(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.player = 1
    s.left = "many"


def opens_a_file(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.player = 1
    open("somewhere")  # noqa: SIM115


def misspells(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.player = 1
    s.lfet -= 1


def no_helper(n: Any) -> Any:
    return n


def calls_no_helper(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.left = no_helper(1)


def makes_a_dictionary(g: Any, s: Any, action: Any, rng: Any) -> None:
    names: Any = {}
    names["a"] = [1, "b"]


def enters_a_context(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.player = 1
    with open("somewhere") as file:
        s.left = file


LISTED, MAPPED, COUNTS = [1, 2], {1: 2}, np.zeros(1, np.int64)


def reads_a_list(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.left = LISTED[action]


def reads_a_mapping(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.left = MAPPED[action]


def counts_in_a_global(g: Any, s: Any, action: Any, rng: Any) -> None:
    COUNTS[0] += 1


@contract.helper
def broken_helper(n: Any) -> Any:
    return n.nothing()


def calls_a_broken_helper(g: Any, s: Any, action: Any, rng: Any) -> None:
    broken_helper(s.left)


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (sets_no_field, f"no field 'nothing'; it has player, left (test_rules.py, line {line_of(sets_no_field) + 1})."),
        (
            reads_no_field,
            f"no field 'nothing'; it has player, left (test_rules.py, line {line_of(reads_no_field) + 1}).",
        ),
        (
            misspells,
            f"'lfet' (did you mean 'left'?); it has player, left (test_rules.py, line {line_of(misspells) + 2}).",
        ),
        (stores_text, f"(test_rules.py, line {line_of(stores_text) + 2})."),
        (opens_a_file, f"(test_rules.py, line {line_of(opens_a_file) + 2})."),
        (calls_a_broken_helper, f"(test_rules.py, line {line_of(undecorated(broken_helper)) + 2})."),
        (
            calls_no_helper,
            f"; decorate it with @contract.helper (test_rules.py, line {line_of(calls_no_helper) + 1}).",
        ),
        (
            makes_a_dictionary,
            f"; rules have no dictionaries, so use an array (test_rules.py, line {line_of(makes_a_dictionary) + 2}).",
        ),
        (
            enters_a_context,
            f"construct is not supported (test_rules.py, line {line_of(enters_a_context) + 2}).",
        ),
        (reads_a_list, f"; make it a tuple or an array (test_rules.py, line {line_of(reads_a_list) + 1})."),
        (reads_a_mapping, f"; make it a tuple or an array (test_rules.py, line {line_of(reads_a_mapping) + 1})."),
        (
            counts_in_a_global,
            "; globals are constants inside rules, so keep what changes in the state "
            f"(test_rules.py, line {line_of(counts_in_a_global) + 1}).",
        ),
    ],
)
def test_a_rule_that_does_not_compile_is_named_with_file_and_line(
    function: Any, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = finish(declared(apply=function))
    message = refusal(lambda: game.table)
    assert message.startswith(f"rule 'apply' (test_rules.py, line {line_of(function)}) does not compile: ")
    assert message.endswith(what)
    assert "\x1b" not in message
    assert "Record(" not in message
    assert "numba/" not in message
    assert ".." not in message
    assert capsys.readouterr().err.count("\n") == 1  # the line that says what compiles has come to its end


# -- constants -------------------------------------------------------------------------------------------------


class Move(enum.IntEnum):
    ONE = 1
    TWO = 2


def test_rules_use_named_constants() -> None:
    def one_or_two(g: Any, s: Any, player: Any, out: Any) -> Any:
        out[0] = Move.ONE
        out[1] = Move.TWO
        return Move.TWO if s.left > 1 else Move.ONE

    game = nim(5, legal_actions=one_or_two)
    assert game.initial_state().legal_actions() == game.interpreted().initial_state().legal_actions() == [1, 2]


def test_a_presentation_has_a_default_for_everything_but_the_start() -> None:
    face = Presentation()
    given: Iterator[Any] = (
        getattr(face, name) for name in Presentation.__dataclass_fields__ if name != "initial_state"
    )
    assert all(callable(function) for function in given)
    assert face.initial_state is None


# -- recursion -------------------------------------------------------------------------------------------------


@contract.helper
def countdown(n: Any) -> Any:
    return 0 if n == 0 else countdown(n - 1)


@contract.helper
def even(n: Any) -> Any:
    return True if n == 0 else odd(n - 1)


@contract.helper
def odd(n: Any) -> Any:
    return False if n == 0 else even(n - 1)


def is_over_by_countdown(g: Any, s: Any) -> Any:
    return countdown(s.left) == 0 and s.left == 0


def is_over_by_turns(g: Any, s: Any) -> Any:
    return even(s.left) and s.left == 0


@pytest.mark.parametrize(("function", "how"), [(is_over_by_countdown, ""), (is_over_by_turns, " through 'odd'")])
def test_a_helper_that_calls_itself_is_refused(function: Any, how: str) -> None:
    game = finish(declared(is_over=function))
    message = refusal(lambda: game.table)
    assert "which calls itself" + how + "; compiled rules can't recurse, so write a loop." in message
    assert "(test_rules.py, line " in message
