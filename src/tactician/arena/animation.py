"""Recorded games as animated files: every position drawn, with what was done in between."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tactician.arena.match import game_named
from tactician.arena.records import EVERYBODY, GameRecord
from tactician.arena.store.rows import require_record
from tactician.checking.recordings import read_lines
from tactician.contract.state import State
from tactician.drawing.animation import Frame, animation_page
from tactician.errors import InvalidParameterError, TacticianError

_SHOWN_NAME = 60
"""Letters of an agent's name in the title."""


Thoughts = Mapping[int, Sequence[Mapping[str, Any]]]
"""What was considered before an action, by the action's number: turns with `names` and `value`."""


def animated(
    record: GameRecord, frames_a_second: float = 2.0, *, thoughts: Thoughts | None = None, nonce: str = ""
) -> str:
    """Return an HTML document that plays a recorded game, with its evaluation and the list of its actions."""
    pairing = record.pairing
    agents = " v ".join(dict.fromkeys(name[:_SHOWN_NAME] for name in pairing.seats))
    title = f"{pairing.game}: {agents}, {pairing.budget} a turn, seed {pairing.seed}"
    return animation_page(title, _frames(record, thoughts or {}), frames_a_second, log=True, nonce=nonce)


def drawings(record: GameRecord) -> Iterator[str]:
    """The drawing of every position of a recorded game."""
    return (frame.svg for frame in _frames(record, {}))


def read_record(path: Path, number: int = 0) -> GameRecord:
    """Return a game of a file that `tactician results --jsonl` wrote, counted from 0."""
    for line, data in enumerate(read_lines(path)):
        if line == number:
            try:
                require_record({"options": {}, **data})  # the first records had none
                return GameRecord.from_json(data)
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise InvalidParameterError(
                    f"file {str(path)!r}, line {line + 1} is not a recorded game: {type(error).__name__}: {error}."
                ) from error
    raise InvalidParameterError(f"file {str(path)!r} has no game {number}; games are counted from 0.")


def _frames(record: GameRecord, thoughts: Thoughts) -> Iterator[Frame]:
    game = game_named(record.pairing.game)
    state = game.initial_state(seed=record.pairing.seed, **record.options)
    yield Frame(state.svg(), "start", value=_value(state), considered=thoughts.get(0, ()))
    number = 0
    for turn in record.turns:
        for action in turn.actions:
            caption, parts = _apply(state, turn.seat, action)
            number += 1
            yield Frame(state.svg(), caption, parts, _value(state), thoughts.get(number, ()))


def _value(state: State) -> float | None:
    """What the evaluation gives the first player, from -1 to 1; the result once the game is over."""
    if state.is_over():
        return state.returns()[0]
    (low, high), value = state.game.value_range, state.evaluate()[0]
    return 2 * (value - low) / (high - low) - 1 if math.isfinite(value) and high > low else None


def _apply(state: State, seat: int, action: Any) -> tuple[str, list[str]]:
    """Carry out a recorded action, or everybody's; what was done, and what it pointed at."""
    game = state.game
    try:
        if seat != EVERYBODY:
            code = game.action_from_json(action)
            said, parts = f"player {seat + 1}: {state.action_name(code)}", state.action_parts(code)
            state.apply(code)
            return said, parts
        codes = [game.action_from_json(one) for one in action]
        said = "; ".join(f"player {player + 1}: {state.action_name(code)}" for player, code in enumerate(codes))
        state.apply(codes)
    except TacticianError as error:
        raise InvalidParameterError(f"the record does not fit the game: {json.dumps(action)}: {error}") from error
    return said, []
