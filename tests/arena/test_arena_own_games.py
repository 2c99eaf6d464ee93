"""Games and agents in files: chance cuts turns short, nobody sees the future, changed code is another tournament."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from python_files import user_files

from tactician.arena import TournamentPlan, open_store, play, tournament
from tactician.arena.records import GameRecord
from tactician.arena.sources import code_digest, sources_of
from tactician.arena.tournament import Tournament, keep, key_of
from tactician.errors import InvalidParameterError
from tactician.games.hero_academy import hero_academy
from tactician.planners.registry import parse_planner
from tactician.tuning.matches import MatchEvaluator

GAME = '''
"""Dash: roll and go that far, or stop; a one (of six) throws you back and ends the turn."""
from tactician.contract import plain
from dash_rules import FINISH, far_enough


class Dash:
    def initial_state(self, rng):
        return (0, 0, 0, 0)  # who, rolls in this turn, places

    def legal_actions(self, state, player):
        return [0, 1]

    def apply(self, state, action, rng):
        player, rolls, *places = state
        if action == 0:
            return (1 - player, 0, *places)
        rolled = 1 + rng.below(6)
        if rolled == 1:
            return (1 - player, 0, *places)
        places[player] += rolled
        return (player, rolls + 1, *places) if rolls < 2 else (1 - player, 0, *places)

    def current_player(self, state):
        return state[0]

    def is_over(self, state):
        return far_enough(max(state[2:]))

    def returns(self, state):
        lead = state[2] - state[3]
        return [float((lead > 0) - (lead < 0)), float((lead < 0) - (lead > 0))]

    def evaluate(self, state):
        lead = (state[2] - state[3]) / 40
        return [lead, -lead]


game = plain(Dash(), name="dash", max_actions=2)
'''
RULES = """
FINISH = 20


def far_enough(place):
    return place >= FINISH
"""
AGENTS = '''
def seer(state, player):
    """Rolls if the next roll is a good one."""
    after = state.copy().apply(1)
    return 1 if after.is_over() or after.current_player() == player else 0


def blind(state, player):
    return 1


class Leaves:
    def plan(self, state, budget, ply):
        import sys

        sys.exit(0)
'''


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Path]]:
    with user_files(tmp_path, {"dash.py": GAME, "dash_rules.py": RULES, "mine.py": AGENTS}, monkeypatch):
        yield lambda name: tmp_path / name


def game_at(at: Callable[[str], Path]) -> str:
    return f"{at('dash.py')}:game"


# -- chance ----------------------------------------------------------------------------------------------------------


def test_a_turn_that_chance_cuts_short_is_no_forfeit(at: Callable[[str], Path]) -> None:
    result = tournament(game_at(at), ["oep:population=4", "greedy-action"], 12, "20evals")
    assert not result.errors
    # Turns of one roll, not by choice: chance took over, and the rest of the plan was dropped.
    assert any(turn.actions == (1,) for game in result.games() for turn in game.turns)


def test_nobody_sees_the_future_by_trying(at: Callable[[str], Path]) -> None:
    """Who knew the next roll would win nearly always."""
    seer, blind = (f"python:{at('mine.py')}:{name}" for name in ("seer", "blind"))
    result = tournament(game_at(at), [seer, blind], 100, "20evals")
    assert not result.errors
    assert result.score(0, 1).interval()[0] < 0.6


# -- code is part of a tournament's identity ---------------------------------------------------------------------------


def test_changed_code_is_another_tournament(at: Callable[[str], Path], tmp_path: Path) -> None:
    def key() -> str:
        return key_of(TournamentPlan(game_at(at), (f"python:{at('mine.py')}:blind", "random"), 2, "10evals"))

    first = key()
    at("dash.py").write_text("# a remark\n" + GAME.replace("40", " 40"), encoding="utf-8")
    assert key() == first
    at("dash.py").write_text(GAME.replace("/ 40", "/ 50"), encoding="utf-8")
    second = key()
    at("dash.py").write_text(GAME, encoding="utf-8")
    at("dash_rules.py").write_text(RULES.replace("20", "30"), encoding="utf-8")
    third = key()
    at("dash_rules.py").write_text(RULES, encoding="utf-8")
    at("mine.py").write_text(AGENTS.replace("return 1\n", "return 0\n"), encoding="utf-8")
    assert len({first, second, third, key()}) == 4


def test_the_same_code_goes_on_and_other_code_begins_anew(at: Callable[[str], Path], tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    names = [f"python:{at('mine.py')}:blind", "random"]
    tournament(game_at(at), names, 2, "10evals", store=store)
    tournament(game_at(at), names, 4, "10evals", store=store)
    at("mine.py").write_text(AGENTS.replace("return 1\n", "return 0\n"), encoding="utf-8")
    tournament(game_at(at), names, 2, "10evals", store=store)
    with open_store(store) as kept:
        assert [one.games for one in kept.tournaments()] == [4, 2]


def test_names_without_files_have_no_sources(at: Callable[[str], Path]) -> None:
    assert sources_of("hero-academy:action_points=3", ("oep:population=20", "random#2")) == {}
    assert set(sources_of(game_at(at), ("oep",))) == {game_at(at)}
    assert "sources" not in TournamentPlan("hero-academy", ("oep", "mcts"), 2, "1its").to_json()


def test_a_tuning_knows_the_code_it_depends_on(at: Callable[[str], Path]) -> None:
    def told() -> Any:
        return MatchEvaluator(game_at(at), "oep", ("random",), games=2, budget="10evals").to_json()

    first = told()
    assert told() == first
    at("dash_rules.py").write_text(RULES.replace("20", "30"), encoding="utf-8")
    assert told() != first
    assert "sources" not in MatchEvaluator("hero-academy", "oep", ("random",), games=2, budget="1its").to_json()


def test_files_that_import_each_other_have_a_digest(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("import two\nimport numpy\nfrom . import one\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("from one import *\n", encoding="utf-8")
    assert code_digest(tmp_path / "one.py") != code_digest(tmp_path / "two.py")
    (tmp_path / "bad.py").write_text("x = (", encoding="utf-8")
    assert len(code_digest(tmp_path / "bad.py")) == 24


# -- what a record says, and what is refused ---------------------------------------------------------------------------


def test_a_plan_tells_every_parameter_of_every_planner(tmp_path: Path) -> None:
    told = TournamentPlan("hero-academy", ("oep:population=20", "mcts"), 2, "1its").to_json()["parameters"]
    assert told == {spec: parse_planner(spec).recorded() for spec in ("oep:population=20", "mcts")}
    assert told["oep:population=20"]["population"] == 20
    store = tmp_path / "games.sqlite"
    tournament("hero-academy:turn_limit=2", ["oep:population=20", "random"], 1, "10evals", store=store)
    with open_store(store) as kept:
        assert kept.tournaments()[0].description["parameters"]["oep:population=20"]["population"] == 20
        kept.export_jsonl(1, tmp_path / "games.jsonl")
    line = json.loads((tmp_path / "games.jsonl").read_text(encoding="utf-8"))
    assert line["parameters"] == [parse_planner(spec).recorded() for spec in ("oep:population=20", "random")]
    assert GameRecord.from_json(line).pairing.seats == ("oep:population=20", "random")


def test_a_game_object_is_refused_with_what_would_do() -> None:
    with pytest.raises(InvalidParameterError, match=r"expected its name, for one of your own 'file.py:object'"):
        tournament(hero_academy(), ["random", "oep"], 2, "10evals")  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"expected its name, for one of your own 'file.py:object'"):
        MatchEvaluator(hero_academy(), "oep", ("random",))  # type: ignore[arg-type]


def test_an_agent_that_leaves_forfeits(at: Callable[[str], Path]) -> None:
    result = tournament(game_at(at), [f"python:{at('mine.py')}:Leaves", "random"], 2, "10evals")
    assert len(result.errors) == 2
    assert "raised SystemExit in plan (mine.py, line " in (result.errors[0].error or "")


# -- two processes -----------------------------------------------------------------------------------------------------


def test_of_two_that_played_the_same_game_the_stored_one_counts(tmp_path: Path) -> None:
    """With a time budget two processes play a game to different ends; what is shown is what is stored."""
    plan = TournamentPlan("hero-academy:turn_limit=4", ("random", "greedy-action"), 4, "10evals")
    with open_store(tmp_path / "games.sqlite") as kept:
        number = kept.tournament(key_of(plan), plan.to_json())
        first, late = Tournament(plan), Tournament(plan)
        for pairing in plan.pairings():
            keep(kept, number, first, play(pairing))
        for game in first.games():
            keep(kept, number, late, replace(game, returns=(1.0, -1.0) if game.returns[0] < 1 else (-1.0, 1.0)))
    assert late.to_json() == first.to_json()
