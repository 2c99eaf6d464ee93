"""Replay games recorded from the reference engine: lists, ratings, pruning, states and evaluations must be equal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tactician.checking.recordings import StepOutcome
from tactician.checking.replaying import MODES, difference, in_mode
from tactician.contract.game import Game
from tactician.contract.reading import required_field
from tactician.contract.requirements import require_choice
from tactician.contract.state import State
from tactician.errors import InvalidStateError
from tactician.games.hero_academy import hero_academy
from tactician.games.hero_academy.actions import END_TURN
from tactician.games.hero_academy.cards import CODES


class HeroAcademyReplayer:
    """Replays whole games and single positions; recordings of illegal actions (other kinds) are skipped."""

    formats: Sequence[Any] = (1,)
    kinds: Sequence[str] = ("game", "synthetic")

    def __init__(self, mode: str = "compiled") -> None:
        self._mode = require_choice("mode", mode, MODES)

    def kind(self, header: dict[str, Any]) -> str | None:
        """Return the kind of a file, a field of its first line."""
        return header.get("kind")

    def replay(self, header: dict[str, Any], steps: Iterable[dict[str, Any]]) -> Iterator[StepOutcome]:
        """Compare each step with what the rules give."""
        whole_game = header["kind"] == "game"
        game = in_mode(game_of(header), self._mode)
        state = self._opening(game, header) if whole_game else None
        ended = False
        for number, step in enumerate(steps):
            try:
                before, after = (_read(game, step, name) for name in ("before", "after"))
                outcome = self._compare_before(state, header, number, step) if state is not None else None
                outcome = outcome or compare(game, before, step)
            except InvalidStateError as error:
                raise InvalidStateError(f"step {number}: {error}") from error
            yield outcome
            if whole_game:
                state, ended = after, after.is_over()
        if whole_game and not ended:
            raise InvalidStateError("the recorded game stops before it is over; the file is cut short.")

    def _compare_before(self, state: State, header: dict[str, Any], number: int, step: dict[str, Any]) -> StepOutcome:
        """Compare the state before a step with the state after the step before it."""
        ours = state.to_json()
        outcome = difference("opening deal", header.get("initial"), ours) if number == 0 else None
        return outcome or difference("state before the step", step["before"], ours)

    def _opening(self, game: Game, header: dict[str, Any]) -> State:
        seeds = header.get("deck_seeds")
        if not isinstance(seeds, list):
            raise InvalidStateError(f"deck_seeds is {seeds!r}; expected two integers.")
        return game.initial_state(deck_seeds=seeds)


def _read(game: Game, step: dict[str, Any], name: str) -> State:
    data = required_field("the step", step, name)
    try:
        return game.state_from_json(data)
    except InvalidStateError as error:
        raise InvalidStateError(f"{name}: {error}") from error


def game_of(header: dict[str, Any]) -> Game:
    """Return the game that a recording was made with, in the reference's readings."""
    rows, points, first_points, limit = (
        required_field("the first line", header, name) for name in ("rows", "ap", "first_turn_ap", "turn_limit")
    )
    if header.get("card_order", CODES) != CODES:
        raise InvalidStateError(f"card_order is {header['card_order']!r}; expected {CODES!r}.")
    return hero_academy(
        action_points=points,
        first_turn_points=first_points,
        turn_limit=limit,
        map=rows,
        deck=header.get("deck", "standard"),
        evaluation="reference",
        rating="reference",
    )


def compare(game: Game, before: State, step: dict[str, Any]) -> StepOutcome:
    """Return the first thing in which a step differs from what the rules give."""
    # The reference lists nothing if only the end of the turn is left, and never an early end of the turn.
    candidates, legal = before.candidate_actions(), before.legal_actions()
    if before.record.ap > 0:
        legal, candidates = ([a for a in actions if a != END_TURN] for actions in (legal, candidates))
    named = [game.action_to_json(action) for action in legal]
    if "n_legal" in step and step["n_legal"] != len(legal):
        return "n_legal", step["n_legal"], len(legal)
    if "legal" in step and step["legal"] != named:
        return "legal", step["legal"], named
    if "legal_sha1" in step and step["legal_sha1"] != (ours := _digest(named)):
        return "legal_sha1", step["legal_sha1"], ours
    if "rating" in step and step["rating"] != (ratings := before.rate_actions(legal)):
        return "rating", step["rating"], ratings
    if "pruned" in step and step["pruned"] != (kept := [legal.index(action) for action in candidates]):
        return "pruned", step["pruned"], kept
    action = game.action_from_json(required_field("the step", step, "action"))
    if not before.is_legal(action):
        return "action", step["action"], "not legal"
    after = before.copy().apply(action)
    if step["after"] != after.to_json():
        return "after", step["after"], after.to_json()
    values = after.evaluate()
    if "eval" in step and step["eval"] != values:
        return "eval", step["eval"], values
    if "eval01" in step and step["eval01"] != (scaled := [_scaled(game, v) for v in values]):
        return "eval01", step["eval01"], scaled
    return None


def _digest(actions: list[Any]) -> str:
    text = json.dumps(actions, separators=(",", ":"))
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:12]


def _scaled(game: Game, value: float) -> float:
    win = float(game.config.win)
    return (value + win) / (2 * win)
