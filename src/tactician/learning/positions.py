"""Positions of self-play that an evaluation is learned from, saved now and then so that a run can be resumed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidParameterError
from tactician.files import is_file, shown, write_files

if TYPE_CHECKING:
    from tactician.learning.evaluations import Played

HELD_OUT = 5
"""One game of this many is not learned from, but tells how good the weights are."""


class Positions:
    """The positions of all games so far, in order."""

    def __init__(self, path: Path, settings: dict[str, Any], numbers: int) -> None:
        self._path, self._settings = path, settings
        self._rows = [np.zeros((0, numbers + 1), np.float32)]
        self._game_of: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        self._results: list[NDArray[np.float64]] = [np.zeros(0)]
        self._weights: tuple[int, NDArray[np.float64]] | None = None
        self.games = 0
        """Games so far."""

    @classmethod
    def resumed(cls, path: Path, settings: dict[str, Any], numbers: int) -> Positions:
        """What was saved by a run with the same settings, or nothing yet."""
        kept = cls(path, settings, numbers)
        if is_file(path):
            kept._read(numbers)
        return kept

    @property
    def seen(self) -> NDArray[np.float32]:
        """[positions, numbers] what was seen of each."""
        return self._joined()[:, :-1]

    @property
    def usual_values(self) -> NDArray[np.float64]:
        """[positions] what the game's usual evaluation says for the first player."""
        return self._joined()[:, -1].astype(np.float64)

    @property
    def game_of(self) -> NDArray[np.int64]:
        """[positions] the number of the game."""
        self._game_of = [np.concatenate(self._game_of)]
        return self._game_of[0]

    @property
    def results(self) -> NDArray[np.float64]:
        """[positions] the result of the game: 1 if the first player won, 0.5 for a draw, else 0."""
        self._results = [np.concatenate(self._results)]
        return self._results[0]

    def _joined(self) -> NDArray[np.float32]:
        self._rows = [np.concatenate(self._rows)]
        return self._rows[0]

    def learned_from(self) -> NDArray[np.int64]:
        """Positions of games that are learned from."""
        return np.flatnonzero(self.game_of % HELD_OUT != HELD_OUT - 1)

    def held_out(self) -> NDArray[np.int64]:
        """Positions of games that are not."""
        return np.flatnonzero(self.game_of % HELD_OUT == HELD_OUT - 1)

    def known(self, round_number: int, fit: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        """The weights that a round is played with: learned from the games before it, once."""
        if self._weights is None or self._weights[0] != round_number:
            self._weights = (round_number, fit())
        return self._weights[1]

    def add(self, played: Played) -> None:
        """Add a game."""
        self._rows.append(played.rows)
        self._game_of.append(np.full(len(played.rows), self.games))
        self._results.append(np.full(len(played.rows), played.result))
        self.games += 1

    def save(self) -> None:
        """Write all of it to the file, in one step."""
        memory = io.BytesIO()
        number, weights = self._weights or (0, np.zeros(0))
        np.savez_compressed(
            memory, rows=self._joined(), game_of=self.game_of, results=self.results, games=self.games,
            settings=json.dumps(self._settings, sort_keys=True), weights=weights, round_number=number,
        )  # fmt: skip
        write_files({self._path: memory.getvalue()})

    def forget(self) -> None:
        """Remove the file: the weights are written."""
        self._path.unlink(missing_ok=True)

    def _read(self, numbers: int) -> None:
        what = f"unfinished training {shown(self._path)}"
        try:
            with np.load(self._path, allow_pickle=False) as stored:
                rows, game_of, results = stored["rows"], stored["game_of"], stored["results"]
                games, settings = int(stored["games"]), str(stored["settings"])
                round_number, weights = int(stored["round_number"]), stored["weights"]
        except (OSError, ValueError, KeyError) as error:
            raise InvalidParameterError(f"{what} can't be read: {error}. Remove it to begin anew.") from error
        if settings != json.dumps(self._settings, sort_keys=True) or rows.shape[1:] != (numbers + 1,):
            raise InvalidParameterError(
                f"{what} has other settings; expected the same ones to resume it. Remove it to begin anew."
            )
        self._rows, self._game_of, self._results, self.games = [rows], [game_of], [results], games
        self._weights = (round_number, weights) if round_number else None
