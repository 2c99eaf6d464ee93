"""`check_game` passes healthy games and finds each way in which one can be broken."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tactician.contract.check import Report, check_game
from tactician.contract.game import Game
from tactician.contract.plain import plain
from tactician.contract.state import State
from tactician.errors import InvalidParameterError, RuleFailureError
from tests.contract import broken_games as b

GAMES, LIMIT = 3, 60


def check(game: Game) -> Report:
    return check_game(game, games=GAMES, max_actions_per_game=LIMIT)


def named(report: Report, name: str) -> str:
    return next(finding.message for finding in report.findings if finding.check == name)


@pytest.mark.parametrize("make", [b.race, b.bids, b.cards])
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
    (b.race, "possible_actions", b.possible_lacks_one, "possible-actions"),
    (b.race, "possible_actions", b.possible_lists_twice, "possible-actions"),
    (b.race, "rate_actions", b.rates_nan, "ratings-finite"),
    (b.race, "rate_actions", b.rates_by_place, "ratings-order"),
    (b.race, "action_group", b.group_negative, "action-groups"),
    (b.race, "key", b.key_constant, "key-varies"),
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
    (b.race, "draw_text", b.drawing_empty, "text-drawing"),
    (b.race, "draw_text", b.drawing_with_bad_markup, "text-drawing"),
    (b.race, "draw_svg", b.svg_not_closed, "svg-drawing"),
    (b.race, "draw_svg", b.svg_is_html, "svg-drawing"),
]


@pytest.mark.parametrize(
    ("make", "name", "function", "expected"), BROKEN, ids=[f"{row[3]}:{row[2].__name__}" for row in BROKEN]
)
def test_what_is_broken_is_found(make: Callable[[], Game], name: str, function: Any, expected: str) -> None:
    report = check(b.broken(make(), **{name: function}))
    assert expected in {finding.check for finding in report.findings}, str(report)
    assert expected in report.checks
