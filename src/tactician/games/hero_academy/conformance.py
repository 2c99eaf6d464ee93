"""Replay games recorded from the reference engine: lists, ratings, pruning, states and evaluations must be equal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
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
        for number, step in enumerate(steps):
            try:
                opening = None
                if state is not None and number == 0:
                    opening = difference("opening deal", header.get("initial"), state.to_json())
                outcome, after = _replay_step(game, state, step)
            except InvalidStateError as error:
                raise InvalidStateError(f"step {number}: {error}") from error
            yield opening or outcome
            state = after if whole_game else None
        if whole_game and (state is None or not state.is_over()):
            raise InvalidStateError("the recorded game stops before it is over; the file is cut short.")

    def _opening(self, game: Game, header: dict[str, Any]) -> State:
        seeds = header.get("deck_seeds")
        if not isinstance(seeds, list):
            raise InvalidStateError(f"deck_seeds is {seeds!r}; expected two integers.")
        return game.initial_state(deck_seeds=seeds)


def _replay_step(game: Game, state: State | None, step: dict[str, Any]) -> tuple[StepOutcome, State]:
    """Compare a step with the rules and, in a whole game, with the state before it; return the recorded state after it.

    States that our rules have reached are not read again.
    """
    recorded = required_field("the step", step, "before")
    ours = None if state is None else state.to_json()
    before = state if state is not None and ours == recorded else _read(game, step, "before")
    outcome, after = compare(game, before, step)
    if state is not None and ours != recorded:
        outcome = "state before the step", recorded, ours
    return outcome, after or _read(game, step, "after")


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
    return _cached_game(json.dumps([points, first_points, limit, rows, header.get("deck", "standard")]))


@cache
def _cached_game(parameters: str) -> Game:
    """Return the game of parameters in JSON: recordings share a few games, and each takes a while to set up."""
    points, first_points, limit, rows, deck = json.loads(parameters)
    return hero_academy(
        action_points=points,
        first_turn_points=first_points,
        turn_limit=limit,
        map=rows,
        deck=deck,
        evaluation="reference",
        rating="reference",
    )


def compare(game: Game, before: State, step: dict[str, Any]) -> tuple[StepOutcome, State | None]:
    """Return the first thing in which a step differs from the rules, and the state after it unless that differs."""
    if outcome := _compare_lists(game, before, step):
        return outcome, None
    action = game.action_from_json(required_field("the step", step, "action"))
    if not before.is_legal(action):
        return ("action", step["action"], "not legal"), None
    after = before.copy().apply(action)
    if outcome := difference("after", required_field("the step", step, "after"), after.to_json()):
        return outcome, None
    return _compare_values(game, after, step), after


def _compare_lists(game: Game, before: State, step: dict[str, Any]) -> StepOutcome:
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
    return None


def _compare_values(game: Game, after: State, step: dict[str, Any]) -> StepOutcome:
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
