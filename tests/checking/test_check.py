"""`check_game` passes healthy games and finds each way in which one can be broken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import broken_games as b
import numpy as np
import pytest
from slow_parameters import rest_slow

from tactician.checking.check import CheckReport, Finding, check_game
from tactician.contract.game import Game
from tactician.contract.plain import plain
from tactician.contract.state import State
from tactician.errors import InvalidParameterError, RuleFailureError

GAMES, LIMIT = 3, 60


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests are about compiled games, also where the rest of the suite is run interpreted."""
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)


def check(game: Game) -> CheckReport:
    return check_game(game, games=GAMES, max_actions_per_game=LIMIT)


def named(report: CheckReport, name: str) -> str:
    return next(finding.message for finding in report.findings if finding.check == name)


@pytest.mark.parametrize("make", [b.race, b.race_that_draws, b.bids, b.cards])
def test_a_healthy_game_passes(make: Callable[[], Game]) -> None:
    report = check_game(make(), games=8)
    assert report.ok, str(report)
    assert report.games == 8
    assert report.unfinished == 0
    assert {"bounds", "interpreted-equals-compiled", "checked-equals-compiled"} <= set(report.checks)


@pytest.mark.parametrize("make", [b.race, b.cards])
def test_a_healthy_game_passes_interpreted_and_checked(make: Callable[[], Game]) -> None:
    assert check(make().interpreted()).ok
    assert check(make().checked()).ok


BROKEN: list[tuple[Callable[[], Game], str, Any, str]] = [
    (b.race, "current_player", b.player_out_of_range, "current-player"),
    (b.race, "current_player", b.player_simultaneous, "current-player"),
    (b.bids, "current_player", b.player_zero, "current-player"),
    (b.race, "legal_actions", b.lists_nothing_later, "has-actions"),
    (b.race, "legal_actions", b.counts_beyond_max_actions, "max-actions"),
    (b.race, "legal_actions", b.writes_beyond_max_actions, "bounds"),
    (b.race, "legal_actions", b.writes_before_the_list, "bounds"),
    (b.race, "legal_actions", b.lists_twice, "legal-unique"),
    (b.race, "legal_actions", b.leaves_a_gap, "legal-written"),
    (b.race, "candidate_actions", b.candidates_with_a_gap, "candidates-legal"),
    (b.race, "possible_actions", b.leaves_a_gap, "possible-actions"),
    (b.race, "is_legal", b.is_legal_always, "is-legal"),
    (b.race, "is_legal", b.is_legal_but_banking, "is-legal"),
    (b.race, "is_legal", b.is_legal_by_table, "bounds"),
    (b.race, "candidate_actions", b.candidates_none, "candidates-legal"),
    (b.race, "candidate_actions", b.candidates_illegal, "candidates-legal"),
    (b.race, "candidate_actions", b.candidates_without_the_stream, "candidates-stream"),
    (b.race, "random_action", b.random_backwards, "random-action"),
    (b.race, "random_action", b.random_miscounted, "random-action"),
    (b.race, "random_action", b.random_drawn_twice, "random-action"),
    (b.race, "random_action", b.random_that_moves_on, "random-action"),
    (b.race, "random_candidate", b.random_of_the_legal, "random-candidate"),
    (b.race, "best_candidate", b.best_of_the_legal, "best-candidate"),
    (b.race, "best_candidate", b.best_miscounted, "best-candidate"),
    (b.race, "best_candidate", b.best_that_moves_on, "best-candidate"),
    (b.race, "evaluate_after", b.after_anything, "evaluate-after"),
    (b.race, "evaluate_after", b.after_waiting_rounded, "evaluate-after"),
    (b.race, "possible_actions", b.possible_lacks_one, "possible-actions"),
    (b.race, "possible_actions", b.possible_lists_twice, "possible-actions"),
    (b.race, "rate_actions", b.rates_nan, "ratings-finite"),
    (b.race, "rate_actions", b.rates_by_place, "ratings-order"),
    (b.race, "action_group", b.group_negative, "action-groups"),
    (b.race, "key", b.key_constant, "key-varies"),
    (b.race, "key", b.key_without_the_player, "key-separates"),
    (b.race, "key", b.key_without_the_pot, "key-separates"),
    (b.bids, "key", b.bids_key_without_a_purse, "key-separates"),
    (b.race, "digest", b.digest_without_the_player, "digest-separates"),
    (b.race, "key", b.key_random, "reproducible"),
    (b.race, "apply", b.apply_without_the_stream, "apply-reproducible"),
    (b.race, "apply", b.apply_outside_the_state, "bounds"),
    (b.race, "apply", b.apply_raises, "rules-run"),
    (b.race, "apply", b.apply_of_no_field, "compiles"),
    (b.race, "evaluate", b.evaluate_changes_state, "pure"),
    (b.race, "evaluate", b.evaluate_changes_configuration, "config-unchanged"),
    (b.race, "evaluate", b.evaluate_raises, "rules-run"),
    (b.race, "evaluate", b.evaluate_out_of_range, "evaluate-range"),
    (b.race, "evaluate", b.evaluate_forgets_a_player, "evaluate-range"),
    (b.race, "evaluate", b.evaluate_overflows, "interpreted-equals-compiled"),
    (b.race, "evaluate", b.evaluate_random, "checked-equals-compiled"),
    (b.race, "is_over", b.over_never, "ends"),
    (b.race, "is_over", b.over_sometimes, "stays-over"),
    (b.race, "returns", b.returns_two, "returns-range"),
    (b.race, "returns", b.returns_not_zero_sum, "returns-zero-sum"),
    (b.cards, "observe", b.observe_changes_again, "observe-idempotent"),
    (b.cards, "observe", b.observe_lets_show, "observe-hides"),
    (b.cards, "resample_hidden", b.resample_changes_claims, "resample-consistent"),
    (b.cards, "resample_hidden", b.resample_without_the_stream, "resample-reproducible"),
    (b.cards, "resample_hidden", b.resample_deals_anew, "resample-keeps-legal"),
    (b.cards, "resample_hidden", b.resample_deals_too_high, "resample-plays"),
    (b.race, "initial_state", b.initial_without_the_seed, "initial-state"),
    (b.race, "initial_state", b.initial_raises, "initial-state"),
    (b.race, "initial_state", b.initial_writes_padding, "padding"),
    (b.race, "state_from_json", b.json_drops_the_pot, "state-json"),
    (b.race, "state_to_json", b.json_not_a_document, "state-json"),
    (b.cards, "state_from_json", b.json_refuses_blank_cards, "observation-json"),
    (b.race, "action_from_json", b.action_read_wrongly, "action-json"),
    (b.race, "action_name", b.action_without_name, "action-names"),
    (b.race, "action_parts", b.parts_not_drawn, "action-parts"),
    (b.race, "draw_text", b.drawing_empty, "text-drawing"),
    (b.race, "draw_text", b.drawing_with_bad_markup, "text-drawing"),
    (b.race, "draw_svg", b.svg_not_closed, "svg-drawing"),
    (b.race, "draw_svg", b.svg_is_html, "svg-drawing"),
    (b.race, "apply", b.stores_a_fraction, "losses"),
    (b.race, "apply", b.wraps_around, "losses"),
]


FIRST_OF_EACH = list({row[3]: row for row in reversed(BROKEN)}.values())
"""One broken game for each check."""


@pytest.mark.parametrize(
    ("make", "name", "function", "expected"),
    rest_slow(BROKEN, FIRST_OF_EACH),
    ids=[f"{row[3]}:{row[2].__name__}" for row in BROKEN],
)
def test_what_is_broken_is_found(make: Callable[[], Game], name: str, function: Any, expected: str) -> None:
    report = check(b.broken(make(), **{name: function}))
    assert expected in {finding.check for finding in report.findings}, str(report)
    assert expected in report.checks


def test_every_check_has_a_broken_game() -> None:
    proven = {row[3] for row in BROKEN} | {"copy-independent", "value-range", "returns-partners"}
    proven |= {"ratings-weights"}  # in tests/learning, with a game that has such weights
    games = (b.broken(b.race_that_draws(), digest=b.digest_without_the_clock), b.bids(), b.cards())
    names = {name for game in games for name in check(game).checks}
    assert names == proven


def test_a_value_range_that_is_none_is_found() -> None:
    game = b.race()
    for wrong in ((1.0, -1.0), (0.0, float("inf")), lambda g: g.nothing):
        report = check(
            Game(replace(game.info, value_range=wrong), game.backend, game.presentation, game.config_words())
        )
        assert "value-range" in {finding.check for finding in report.findings}


def test_a_copy_that_shares_memory_is_found() -> None:
    class Sharing(State):
        def copy(self) -> State:
            return type(self)(self._game, self._words, self._stream.copy())

    class SharingGame(Game):
        def _blank(self, random: Any) -> State:
            return Sharing(self, np.zeros(2, np.uint64), random)

    game = b.race().interpreted()
    report = check(SharingGame(game.info, game.backend, game.presentation, game.config_words()))
    assert "changes the original" in named(report, "copy-independent")


def test_partners_win_and_lose_together() -> None:
    game = b.bids()
    paired = type(game)(replace(game.info, sides=(0, 1, 0)), game.backend, game.presentation, game.config_words())
    assert check(game).ok
    assert "seats 0 and 2 are on one side, expected the same for both" in named(check(paired), "returns-partners")


def test_a_message_names_rule_line_position_action_and_values() -> None:
    line = b.returns_not_zero_sum.__code__.co_firstlineno
    message = named(check(b.broken(b.race(), returns=b.returns_not_zero_sum)), "returns-zero-sum")
    assert message == (
        f"rule 'returns' (broken_games.py, line {line}) gives [1.0, 0.0], which add up to 1.0; "
        "expected 0 in a zero-sum game (game seed 0, step 20)."
    )
    line = b.apply_raises.__code__.co_firstlineno
    message = named(check(b.broken(b.race(), apply=b.apply_raises)), "rules-run")
    assert message.startswith(f"rule 'apply' (broken_games.py, line {line}) raises ValueError: no such turn, at ")
    assert f"broken_games.py, line {line + 3} (game seed 0, step 3, action " in message


def test_a_field_that_does_not_exist_is_reported_with_its_rule() -> None:
    message = named(check(b.broken(b.race(), apply=b.apply_of_no_field)), "compiles")
    assert "rule 'apply' (broken_games.py, line" in message
    assert "'nothing'" in message


def test_a_write_outside_an_array_is_found_and_never_runs_compiled() -> None:
    report = check(b.broken(b.race(), apply=b.apply_outside_the_state))
    assert [finding.check for finding in report.findings] == ["bounds"]
    assert "checked-equals-compiled" not in report.checks


def test_what_a_compiled_rule_raises_reaches_the_caller_with_its_cause() -> None:
    game = b.broken(b.race(), apply=b.apply_raises)
    assert game.backend.mode == "compiled"
    state = game.initial_state()
    for _ in range(3):
        state.apply(b.ROLL)
    with pytest.raises(RuleFailureError, match="no such turn") as caught:
        state.apply(b.ROLL)
    assert isinstance(caught.value.__cause__, ValueError)
    assert game.initial_state().apply(b.ROLL).record.turns == 1


def test_the_seed_decides_everything_and_plays_a_finding_again() -> None:
    game = b.broken(b.race(), is_legal=b.is_legal_but_banking)
    assert check_game(game, games=2, seed=5) == check_game(game, games=2, seed=5)
    first = check_game(game, games=4, seed=1)
    seed = int(named(first, "is-legal").partition("game seed ")[2].partition(",")[0])
    assert named(check_game(game, games=1, seed=seed), "is-legal") == named(first, "is-legal")


def test_unfinished_games_are_counted_and_only_all_of_them_are_a_finding() -> None:
    assert check_game(b.race(), games=2, max_actions_per_game=10).unfinished == 2
    some = check_game(b.broken(b.race(), is_over=over_on_a_turn_of_player_0), games=4, max_actions_per_game=9)
    assert some.ok
    assert 0 < some.unfinished < 4
    assert "cut off" in str(some)


def over_on_a_turn_of_player_0(g: Any, s: Any) -> Any:
    return s.turns >= 4 and s.player == 0 and s.left == 2


def test_the_report_reads_well_and_is_json() -> None:
    report = check(b.broken(b.race(), key=b.key_constant))
    assert str(report).splitlines()[0].startswith("race: 2 findings (3 random games, 60 actions, ")
    assert any(line.startswith("  key-varies: rule 'key' (broken_games.py, line ") for line in str(report).splitlines())
    document = json.loads(json.dumps(report.to_json()))
    assert document["ok"] is False
    assert [Finding(**finding) for finding in document["findings"]] == list(report.findings)
    assert str(check(b.race())).startswith("race: ok (3 random games, 60 actions, ")


def progress_of(game: Game) -> list[tuple[int, int]]:
    calls: list[tuple[int, int]] = []
    check_game(game, games=3, progress=lambda done, total: calls.append((done, total)))
    return calls


def test_a_key_that_merges_states_is_reported_with_both_and_what_they_differ_in() -> None:
    line = b.key_without_the_player.__code__.co_firstlineno
    message = named(check(b.broken(b.race(), key=b.key_without_the_player)), "key-separates")
    assert message.startswith(f"rule 'key' (broken_games.py, line {line}) gives ")
    assert " for two states that are not alike: current_player gives " in message
    assert "; player is " in message
    message = named(check(b.broken(b.race(), key=b.key_without_the_pot)), "key-separates")
    assert "legal_actions for player " in message
    assert "action 1 " in message


def test_states_equally_far_from_the_start_are_over_together_if_their_keys_are_equal() -> None:
    game = b.broken(b.race(), key=b.key_without_the_pot, is_over=b.over_with_a_full_pot, legal_actions=everything)
    assert "is_over gives " in named(check_game(game, games=8), "key-separates")


def everything(g: Any, s: Any, player: Any, out: Any) -> Any:
    for action in range(3):
        out[action] = action
    return 3


def test_a_key_may_leave_out_the_clock() -> None:
    game = b.broken(b.race(), key=b.key_without_the_clock, digest=b.digest_without_the_clock)
    report = check_game(game, games=20)
    assert report.ok, str(report)
    assert {"key-separates", "digest-separates"} <= set(report.checks)


def test_a_configuration_that_is_changed_is_reported_with_rule_and_field() -> None:
    report = check(b.broken(b.race(), apply=b.apply_changes_configuration))
    line = b.apply_changes_configuration.__code__.co_firstlineno
    message = named(report, "config-unchanged")
    assert message.startswith(f"rule 'apply' (broken_games.py, line {line}) with action 2 changes the configuration: ")
    assert "rounds is 10 before and 9 after; expected it to stay as it is" in message
    assert [finding.check for finding in report.findings] == ["config-unchanged"]
    message = named(check(b.broken(b.race(), evaluate=b.evaluate_changes_configuration)), "config-unchanged")
    assert message.startswith("rule 'evaluate' (broken_games.py, line ")


def test_progress_counts_up_to_the_total() -> None:
    for game in (b.race(), b.broken(b.race(), apply=b.apply_raises), b.race().interpreted()):
        calls = progress_of(game)
        assert calls == sorted(calls)
        assert calls[-1][0] == calls[-1][1]


@pytest.mark.parametrize("options", [{"games": 0}, {"seed": -1}, {"max_actions_per_game": 0}])
def test_bad_parameters_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError, match=next(iter(options))):
        check_game(b.race(), **options)


class Heap(NamedTuple):
    player: int
    left: int


class TakeAway:
    """A game of plain objects."""

    def initial_state(self, rng: Any) -> Heap:
        return Heap(0, int(rng.integers(8, 15)))

    def legal_actions(self, state: Heap, player: int) -> list[int]:
        return list(range(1, min(3, state.left) + 1))

    def apply(self, state: Heap, action: int, rng: Any) -> Heap:
        return Heap(1 - state.player, state.left - action)

    def current_player(self, state: Heap) -> int:
        return state.player

    def is_over(self, state: Heap) -> bool:
        return state.left == 0

    def returns(self, state: Heap) -> list[float]:
        return [-1.0, 1.0] if state.player == 0 else [1.0, -1.0]

    def evaluate(self, state: Heap) -> list[float]:
        return [0.0, 0.0]

    def state_from_json(self, data: Any) -> Heap:
        return Heap(*data)


def test_a_game_of_plain_objects_is_checked_with_what_applies() -> None:
    report = check(plain(TakeAway(), name="take-away", max_actions=3))
    assert report.ok, str(report)
    assert "interpreted-equals-compiled" not in report.checks


def test_a_broken_game_of_plain_objects_is_reported() -> None:
    class Broken(TakeAway):
        def evaluate(self, state: Heap) -> list[float]:
            return [0.0, 3.0] if state.left > 3 else [1 / (state.left - 2), 0.0]

    report = check(plain(Broken(), name="take-away", max_actions=3))
    assert {finding.check for finding in report.findings} == {"evaluate-range", "rules-run"}
    assert "rule 'evaluate' (test_check.py, line " in named(report, "rules-run")
    report = check(plain(TakeAway(), name="take-away", max_actions=2))
    assert [finding.check for finding in report.findings] == ["max-actions"]


def test_a_number_that_its_field_can_not_hold_is_named_with_field_value_and_line() -> None:
    (message,) = [
        f.message for f in check(b.broken(b.race(), apply=b.stores_a_fraction)).findings if f.check == "losses"
    ]
    assert re.match(
        r"field 'pot' \(int\d+\) gets [\d.]+\.5, a fraction: it becomes \d+, at broken_games.py, line \d+", message
    )


def test_a_report_says_what_the_game_is_like() -> None:
    report = check(b.race())
    assert report.profile is not None
    assert 2 <= report.profile.branching <= 3
    assert (report.profile.most_actions, report.profile.longest_turn) == (3, 2)
    assert 0 <= report.profile.first_player <= 1
    assert f"  {report.profile}" in str(report).splitlines()
    assert report.warnings == ()


def test_what_makes_planners_weak_or_slow_is_a_warning_and_no_finding() -> None:
    report = check(b.broken(b.race(), evaluate=b.evaluate_constant))
    assert report.ok
    assert "evaluate gives the same value at every position" in report.warnings[0]
    report = check(b.broken(b.race(), evaluate=b.builds_a_list))
    assert report.ok
    assert report.warnings[0].startswith("rule 'evaluate' builds a list (broken_games.py, line ")
    assert "  warning: rule 'evaluate' builds a list" in str(report)
