"""Rows of one table compared with each other."""

from __future__ import annotations

from typing import Any

import pytest

from tactician.arena.statistics import Score, difference_interval, difference_of
from tactician.experiments import all_experiments
from tactician.experiments.contrasts import (
    AS_MANY,
    FEWER,
    MORE,
    Contrast,
    contrasts,
    contrasts_sentence,
    contrasts_table,
)
from tactician.experiments.shares import SharesExperiment
from tactician.experiments.tally import UNDECIDED

BASELINES = {"changed": ("usual",), "not played": ("usual",), "alone": ("not played",)}


def row(name: str, wins: int, losses: int, games: int = 400) -> dict[str, Any]:
    """A row of a results file, its games independent of each other."""

    def share(of: int) -> dict[str, Any]:
        score = Score(of, 0, games - of)
        return {"share": score.rate, "interval": list(score.interval())}

    return {"cell": name, "games": games, "wins": share(wins), "losses": share(losses)}


def test_a_change_that_wins_more_and_loses_as_often_is_told_so() -> None:
    (found,) = contrasts([row("usual", 100, 40), row("changed", 200, 42)], BASELINES)
    assert (found.cell, found.baseline) == ("changed", "usual")
    assert found.changes["wins"] == pytest.approx(0.25)
    assert found.intervals["wins"] == difference_interval(Score(200, 0, 200), Score(100, 0, 300))
    assert found.effect("wins") == MORE
    assert found.effect("losses") == AS_MANY


def test_the_other_way_round_it_wins_fewer() -> None:
    (found,) = contrasts([row("usual", 200, 42), row("changed", 100, 40)], BASELINES)
    assert found.effect("wins") == FEWER


def test_few_games_decide_nothing() -> None:
    (found,) = contrasts([row("usual", 4, 2, 10), row("changed", 5, 2, 10)], BASELINES)
    assert found.effect("wins") == UNDECIDED


def test_rows_that_were_not_played_are_left_out() -> None:
    assert contrasts([row("usual", 4, 2), row("alone", 4, 2)], BASELINES) == []
    assert contrasts_table([]) == ()
    assert contrasts_sentence([]) == ""


def test_the_table_and_the_sentence_say_the_same() -> None:
    found = contrasts([row("usual", 100, 40), row("changed", 200, 42)], BASELINES)
    (table,) = contrasts_table(found)
    ((*_, wins, wins_result, losses, losses_result),) = table.rows
    assert all(len(line) == len(table.head) for line in table.rows)
    assert (wins_result, losses_result) == (MORE, AS_MANY)
    assert wins.startswith("+25.0 (+")
    assert losses.startswith("+0.5 (−")
    assert contrasts_sentence(found) == (
        "of 1 comparisons of rows wins: more in 1, fewer in 0, as many in 0, undecided in 0; "
        "losses: more in 0, fewer in 0, as many in 1, undecided in 0"
    )


def test_an_interval_that_touches_zero_does_not_decide() -> None:
    found = Contrast("changed", "usual", {"wins": 0.1}, {"wins": (0.0, 0.2)})
    assert found.effect("wins") == UNDECIDED


def test_differences_stay_between_minus_one_and_one() -> None:
    low, high = difference_of(1.0, (0.2, 1.0), 0.0, (0.0, 0.9))
    assert low == pytest.approx(1 - (0.64 + 0.81) ** 0.5)
    assert high == 1.0


def test_every_row_is_compared_with_rows_of_its_own_table() -> None:
    compared = 0
    for experiment in all_experiments().values():
        if isinstance(experiment, SharesExperiment):
            for cell in experiment.cells:
                assert set(cell.baselines) <= set(experiment.cell_names) - {cell.name}
                compared += len(cell.baselines)
    assert compared > 20
