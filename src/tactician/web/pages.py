"""Finished games as pages: one self-contained HTML file a game, for the board, for records of a store, for exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tactician.arena.animation import Thoughts, animated
from tactician.arena.records import EVERYBODY, GameRecord
from tactician.arena.store.boards import BoardStore
from tactician.arena.store.store import ResultStore
from tactician.drawing.animation import Frame, animation_page
from tactician.errors import StoreError
from tactician.games.registry import load_game
from tactician.web.board import Board, Setup, rebuilt

_MOST_LISTED = 500
_MOST_REVERSED = 2000
"""A tournament of more games is listed from its first game on, so that the others need not be read."""


def board_page(board: Board, nonce: str = "") -> str:
    """A board as a page that opens anywhere; what its viewer can't see is not in it."""
    viewer = board.viewer
    seats = " v ".join(board.setup.seats)
    seed = f", seed {board.setup.seed}" if viewer is None else ""
    title = f"{board.setup.title}: {seats}, {board.setup.budget} a turn{seed}"
    frames = []
    for number in range(board.number + 1):
        entry = board.entry(number - 1, viewer) if number else None
        frames.append(
            Frame(
                svg=board.drawing(number, viewer),
                caption="start" if entry is None else _caption(board, entry),
                parts=[] if entry is None else entry["parts"],
                value=_scaled(board, number, viewer),
                considered=_considered(board, number, viewer),
            )
        )
    return animation_page(title, frames, log=True, nonce=nonce)


def replays(store: ResultStore | None) -> list[dict[str, Any]]:
    """The finished games of a store, latest tournament first."""
    found: list[dict[str, Any]] = []
    for tournament in reversed(store.tournaments() if store is not None else []):
        assert store is not None
        games = store.games(tournament.id)
        for record in reversed(list(games)) if tournament.games <= _MOST_REVERSED else games:
            if len(found) >= _MOST_LISTED:
                return found
            pairing = record.pairing
            found.append(
                {
                    "tournament": tournament.id,
                    "key": pairing.key,
                    "game": _shown(pairing.game),
                    "seats": list(pairing.seats),
                    "budget": pairing.budget,
                    "seed": pairing.seed,
                    "returns": list(record.returns),
                    "error": record.error,
                }
            )
    return found


def _shown(game: str) -> str:
    """A game without the folder that its file stands in, which is nobody's business."""
    head, in_file, tail = game.partition(".py:")
    return f"{Path(head).name}:{tail}" if in_file else game


def record_page(store: ResultStore | None, boards: BoardStore, tournament: int, key: str, nonce: str = "") -> str:
    """A finished game of a store as a page."""
    if store is None:
        raise StoreError("this server has no store.")
    record = store.game(tournament, key)
    return animated(record, thoughts=thoughts(record, boards), nonce=nonce)


def thoughts(record: GameRecord, boards: BoardStore) -> Thoughts:
    """What planners considered in a game that was played at a board; of other games nothing is kept."""
    pairing = record.pairing
    # The round of a record from the board is the beginning of the board's id.
    for row in boards.beginning(f"{pairing.round:08x}"):
        setup = Setup.from_json(row.description)
        if (setup.game, setup.seats, setup.budget, setup.seed) == (
            pairing.game,
            pairing.seats,
            pairing.budget,
            pairing.seed,
        ):
            board = rebuilt(row.id, row.owner, setup, load_game(setup.game), boards.events(row.id))
            return {number: _considered(board, number, None) for number in range(board.number)}
    return {}


def _caption(board: Board, entry: dict[str, Any]) -> str:
    return entry["name"] if entry["seat"] == EVERYBODY else f"{board.seat_name(entry['seat'])}: {entry['name']}"


def _scaled(board: Board, number: int, viewer: int | None) -> float:
    value = board.value(number, viewer)[0]
    if board.states[number].is_over():
        return value
    low, high = board.game.value_range
    return 2 * (value - low) / (high - low) - 1 if high > low else 0.0


def _considered(board: Board, number: int, viewer: int | None) -> list[dict[str, Any]]:
    """What the planner to move considered, if that is no secret."""
    if number >= board.number or (viewer is not None and board.game.hides_information):
        return []
    plan = board.moves[number].plan or {}
    return [{"names": turn["names"], "value": turn["value"]} for turn in plan.get("turnInfos", [])]
