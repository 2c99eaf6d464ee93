"""Recorded games as animated files: every position drawn, with what was done in between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tactician.arena.match import game_named
from tactician.arena.records import EVERYBODY, GameRecord
from tactician.checking.recordings import read_lines
from tactician.contract.state import State
from tactician.drawing.animation import Frame, animation_page
from tactician.errors import InvalidParameterError, TacticianError

_SHOWN_NAME = 60
"""Letters of an agent's name in the title."""


def animated(record: GameRecord, frames_a_second: float = 2.0) -> str:
    """Return an HTML document that plays a recorded game."""
    pairing = record.pairing
    agents = " v ".join(dict.fromkeys(name[:_SHOWN_NAME] for name in pairing.seats))
    title = f"{pairing.game}: {agents}, {pairing.budget} a turn, seed {pairing.seed}"
    return animation_page(title, _frames(record), frames_a_second)


def read_record(path: Path, number: int = 0) -> GameRecord:
    """Return a game of a file that `tactician results --jsonl` wrote, counted from 0."""
    for line, data in enumerate(read_lines(path)):
        if line == number:
            try:
                return GameRecord.from_json(data)
            except (KeyError, TypeError, AttributeError) as error:
                raise InvalidParameterError(
                    f"file {str(path)!r}, line {line + 1} is not a recorded game: {type(error).__name__}: {error}."
                ) from error
    raise InvalidParameterError(f"file {str(path)!r} has no game {number}; games are counted from 0.")


def _frames(record: GameRecord) -> Iterator[Frame]:
    game = game_named(record.pairing.game)
    state = game.initial_state(seed=record.pairing.seed, **record.options)
    yield Frame(state.svg(), "start")
    for turn in record.turns:
        for action in turn.actions:
            caption = _apply(state, turn.seat, action)
            yield Frame(state.svg(), caption)


def _apply(state: State, seat: int, action: Any) -> str:
    """Carry out a recorded action, or everybody's, and say what was done."""
    game = state.game
    try:
        if seat != EVERYBODY:
            code = game.action_from_json(action)
            said = f"player {seat}: {state.action_name(code)}"
            state.apply(code)
            return said
        codes = [game.action_from_json(one) for one in action]
        said = "   ".join(f"player {player}: {state.action_name(code)}" for player, code in enumerate(codes))
        state.apply(codes)
    except TacticianError as error:
        raise InvalidParameterError(f"the record does not fit the game: {json.dumps(action)}: {error}") from error
    return said
