"""Games of a store as files: a page that opens anywhere, or an animated picture."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing

from tactician.arena.animation import animated, drawings
from tactician.arena.records import GameRecord
from tactician.arena.store.boards import BoardStore
from tactician.arena.store.store import ResultStore, open_store
from tactician.drawing.animation import animated_picture
from tactician.errors import StoreError, short
from tactician.games.registry import load_game
from tactician.web.board import Board, Setup, rebuilt
from tactician.web.pages import board_page, thoughts


def exported(
    picture: bool, store: str, board: str | None, tournament: int | None, key: str | None, speed: float
) -> str:
    """A board or a game of a tournament as an HTML document, or as an animated SVG picture."""
    if board is not None:
        found = find_board(store, board)
        if picture:
            shown = (found.drawing(number, found.viewer) for number in range(found.number + 1))
            return _picture(shown, speed)
        return board_page(found)
    with open_store(store, read_only=True) as results:
        record = _find_record(results, tournament, key)
    if picture:
        return _picture(drawings(record), speed)
    with closing(BoardStore(store, read_only=True)) as boards:
        return animated(record, speed, thoughts=thoughts(record, boards))


def find_board(store: str, begins: str) -> Board:
    """A board of a store by the beginning of its id."""
    with closing(BoardStore(store, read_only=True)) as boards:
        rows = boards.beginning(begins)
        if len(rows) != 1:
            known = ", ".join(row.id for row in boards.boards()[-5:]) or "none"
            raise StoreError(f"{boards.name} has {len(rows)} boards that begin with {short(begins)}; latest: {known}.")
        setup = Setup.from_json(rows[0].description)
        return rebuilt(rows[0].id, rows[0].owner, setup, load_game(setup.game), boards.events(rows[0].id))


def _find_record(results: ResultStore, tournament: int | None, key: str | None) -> GameRecord:
    known = results.tournaments()
    if not known:
        raise StoreError(f"{results.name} has no games.")
    chosen = results.find(tournament) if tournament is not None else known[-1]
    keys = sorted(results.played(chosen.id))
    fitting = [one for one in keys if one.startswith(key or "")]
    if not fitting or (key is not None and len(fitting) > 1):
        raise StoreError(
            f"tournament {chosen.id} has {len(fitting)} games that begin with {short(key or '')}; "
            f"e.g. {', '.join(keys[:3])}."
        )
    return results.game(chosen.id, fitting[0])


def _picture(pictures: Iterable[str], speed: float) -> str:
    return animated_picture([re.sub(r"<\?xml[^>]*\?>", "", svg) for svg in pictures], speed)
