"""Table III from the games of a store: by skill, finished or judged, with undone actions left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tactician.arena.store.boards import BoardStore
from tactician.errors import InvalidParameterError, StoreError
from tactician.experiments.base import RunRequest
from tactician.experiments.registry import find_experiment, reproduce
from tactician.games.registry import load_game

GAME = "amazons:size=3,queens=1"


def store_of(path: Path, games: list[tuple[str, int, int]]) -> str:
    """A store with games of (skill, the person's seat, actions played); 99 for all of them."""
    store = BoardStore(path)
    for number, (skill, seat, actions) in enumerate(games):
        id = f"{number:016x}"
        seats = ["person", "oep"] if seat == 0 else ["oep", "person"]
        store.add(id, "owner", {"game": GAME, "seats": seats, "seed": 1, "study": {"skill": skill, "opponent": "oep"}})
        store.append((id, place, event) for place, event in enumerate(events(actions)))
    store.add("f" * 16, "owner", {"game": GAME, "seats": ["person", "oep"], "seed": 1, "study": None})
    store.close()
    return str(path)


def events(most: int) -> list[dict[str, Any]]:
    game = load_game(GAME)
    state = game.initial_state(1)
    found: list[dict[str, Any]] = []
    while not state.is_over() and len(found) < most:
        code = state.legal_actions()[0]
        found.append({"type": "action", "seat": state.current_player(), "actions": [game.action_to_json(code)]})
        state.apply(code)
    return found


def winner() -> int:
    game = load_game(GAME)
    state = game.initial_state(1)
    while not state.is_over():
        state.apply(state.legal_actions()[0])
    return state.returns().index(1.0)


def test_human_wins_are_counted_by_skill_beside_the_papers(tmp_path: Path) -> None:
    best = winner()
    games = [("beginner", 1 - best, 99), ("expert", best, 99), ("expert", best, 99)]
    report = reproduce("justesen-humans", RunRequest(store=store_of(tmp_path / "s.db", games)))
    rows = {row[0]: row for row in report.rows}
    assert rows["beginner"][1].startswith("0/1 (0 %)")
    assert rows["beginner"][2] == "13/26 (50 %)"
    assert rows["expert"][1].startswith("2/2 (100 %)")
    assert rows["expert"][4] == "20/21 (95 %)"
    assert rows["intermediate"][1] == "no games"
    assert rows["all"][1].startswith("2/3 (67 %)")
    assert (rows["all"][2], rows["all"][4]) == ("41/55 (75 %)", "54/85 (64 %)")


def test_a_game_that_stopped_counts_only_if_somebody_was_clearly_ahead(tmp_path: Path) -> None:
    # At the start of Amazons nobody is ahead.
    report = reproduce("justesen-humans", RunRequest(store=store_of(tmp_path / "s.db", [("beginner", 0, 0)])))
    [game] = report.document["games"]
    assert (game["finished"], game["score"], game["turns"]) == (False, None, 0)
    assert report.rows[0][3] == "no games"


def test_undone_actions_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store_of(path, [("beginner", 0, 2)])
    store = BoardStore(path)
    store.append([("0" * 16, 2, {"type": "undo"}), ("0" * 16, 3, {"type": "undo"})])
    store.close()
    report = reproduce("justesen-humans", RunRequest(store=str(path)))
    assert report.document["games"][0]["turns"] == 0


def test_without_a_store_or_with_one_that_is_not_there_it_says_what_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="--out FILE"):
        find_experiment("justesen-humans").run(RunRequest())
    with pytest.raises(StoreError, match="doesn't exist"):
        reproduce("justesen-humans", RunRequest(store=str(tmp_path / "none.db")))
