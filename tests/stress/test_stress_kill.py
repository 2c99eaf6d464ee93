"""Killing a tournament tests something only if games are being played at that moment."""

from __future__ import annotations

import os

import pytest

from tactician.stress import KillReport, stress_kill

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


def test_kills_land_while_games_are_played() -> None:
    report = stress_kill(kills=2, games=40, jobs=1)
    assert report.in_play == 2
    assert report.ok
    assert report.to_json()["in_play"] == 2
    assert "2 of them while games were played" in report.sentence()


def test_kills_that_find_nothing_to_kill_are_no_test() -> None:
    untested = KillReport(kills=3, in_play=0, wanted=10, games=10, lost=0, double=0, equal=True)
    assert untested.kept
    assert not untested.ok
    assert untested.to_json()["ok"] is False
    assert "0 of them while games were played, NOTHING TESTED" in untested.sentence()


def test_a_lost_game_is_not_ok() -> None:
    report = KillReport(kills=3, in_play=3, wanted=10, games=10, lost=1, double=0, equal=True)
    assert not report.ok
    assert "every game NOT kept, 1 lost" in report.sentence()
