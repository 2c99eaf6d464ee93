"""Plans that were cut short by Ctrl-C never count as results."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tactician.games import amazons
from tactician.planners import OEP
from tactician.seats.plan import uninterrupted


def test_a_plan_that_was_cut_short_passes_the_interrupt_on() -> None:
    game = amazons(size=4)
    plan = OEP().on(game).plan(game.initial_state(1), "50evals")
    assert uninterrupted(plan) is plan
    with pytest.raises(KeyboardInterrupt):
        uninterrupted(replace(plan, stats=replace(plan.stats, interrupted=True)))
