"""Which rules of a game are compiled, and when."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.games.registry import load_game
from tactician.native import abi, tables
from tactician.native.tables import Table
from tactician.planners import MCTS, OEP, parse_planner


def compiled(table: Table) -> set[str]:
    """The optional rules that have an address; asks for none."""
    return {name for name in abi.KERNELS_ON_DEMAND if table.addresses_with(())[abi.INDEX[name]]}


def test_a_search_compiles_only_the_rules_that_it_uses(monkeypatch: Any) -> None:
    asked: list[str] = []
    compile_rule = tables.compile_rule

    def noted(name: str, *arguments: Any) -> Any:
        asked.append(name)
        return compile_rule(name, *arguments)

    monkeypatch.setattr(tables, "compile_rule", noted)
    game = load_game("hero-academy")
    assert not compiled(game.table)
    OEP().on(game)
    assert compiled(game.table) == {"random_candidate"}
    MCTS().on(game)
    assert compiled(game.table) == {"random_candidate", "rate_actions", "best_candidate", "evaluate_after"}
    assert np.all(game.table.addresses[[abi.INDEX[name] for name in abi.KERNELS_ON_DEMAND]] != 0)
    assert len(asked) == len(set(asked))


def test_plans_do_not_depend_on_what_others_have_compiled() -> None:
    plans = []
    for complete in (False, True):
        game = load_game("hero-academy")
        if complete:
            game.table.complete()
        for planner in ("oep", "oep:rollouts=1", "greedy-oep"):
            state = game.initial_state(seed=4)
            plans.append(parse_planner(planner).on(game, seed=1).plan(state, "700evals").actions)
    assert plans[:3] == plans[3:]
