"""States and games can be copied and pickled, and actions taken by their names."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nim_rules import nim

from tactician.errors import IllegalActionError
from tactician.games.amazons import amazons, plain_amazons
from tactician.games.hero_academy import hero_academy
from tactician.games.pommerman import pommerman
from tactician.games.registry import load_game

GAMES = {
    "records": lambda: nim(),
    "hero-academy": lambda: hero_academy(action_points=7),
    "amazons": lambda: amazons(size=6),
    "plain": lambda: plain_amazons(size=6),
    "interpreted": lambda: amazons(size=6).interpreted(),
}


@pytest.mark.parametrize("name", GAMES)
def test_copies_of_a_state_are_independent_and_see_the_same_chance(name: str) -> None:
    state = GAMES[name]().initial_state(seed=3)
    for other in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other.to_json() == state.to_json()
        assert (other.stream == state.stream).all()
        other.apply(other.legal_actions()[0])
        assert other.to_json() != state.to_json()


@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_game_plays_as_the_game_does(name: str) -> None:
    game = GAMES[name]()
    assert copy.deepcopy(game) is game
    again = pickle.loads(pickle.dumps(game))
    assert (again.name, again.max_actions, again.backend.mode) == (game.name, game.max_actions, game.backend.mode)
    one, other = game.initial_state(seed=1), again.initial_state(seed=1)
    for _ in range(2):
        action = one.legal_actions()[-1]
        assert one.legal_actions() == other.legal_actions()
        assert one.apply(action).to_json() == other.apply(action).to_json()
        assert one.evaluate() == other.evaluate()
    if name != "plain":
        assert again == game


def test_a_game_of_a_file_is_unpickled_where_the_file_was_never_loaded(tmp_path: Path) -> None:
    source = Path(__file__).parents[1] / "support" / "nim_rules.py"
    (tmp_path / "mine.py").write_text(source.read_text())
    game = load_game(f"{tmp_path / 'mine.py'}:nim")
    (tmp_path / "game.pickle").write_bytes(pickle.dumps(game.initial_state()))
    script = (
        "import pickle, pathlib, sys\n"
        "state = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(state.apply(state.legal_actions()[0]).to_json())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "game.pickle")], capture_output=True, text=True, timeout=120
    )
    expected: Any = game.initial_state()
    assert done.stdout.strip() == str(expected.apply(expected.legal_actions()[0]).to_json()), done.stderr


def test_an_action_is_taken_by_its_name() -> None:
    state = hero_academy().initial_state(seed=7)
    action = state.legal_actions()[5]
    named = state.copy().apply(state.action_name(action))
    assert named == state.copy().apply(action)
    assert state.action_named(state.action_name(action)) == action


def test_everybody_s_actions_may_be_names() -> None:
    state = pommerman().initial_state(seed=7)
    codes = [state.legal_actions(seat)[0] for seat in range(4)]
    assert state.copy().apply([state.action_name(code) for code in codes]) == state.copy().apply(codes)


def test_an_unknown_name_is_refused_with_names_that_are_legal() -> None:
    state = hero_academy().initial_state(seed=7)
    name = state.action_name(state.legal_actions()[5])
    with pytest.raises(IllegalActionError, match=r"is not legal here; legal actions are e\.g\. ") as refused:
        state.apply(name + "x")
    assert name in str(refused.value)
