"""Playing one game: agents take turns, whatever goes wrong is a recorded forfeit.

A seat is a planner by name, or `exec:` and a command, or anything registered as an agent; the arena knows them all as
something with a `plan` method (`tactician.arena.agents`). Agents are kept between games: a planner's memory is
allocated once in a process.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from tactician.arena.agents import Player, parse_agent
from tactician.arena.records import EVERYBODY, GameRecord, Pairing, Turn
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import IllegalActionError, RuleFailureError, TacticianError
from tactician.games.registry import load_game
from tactician.native.abi import SIMULTANEOUS
from tactician.planners.base import Agent
from tactician.seats.plan import Plan

__all__ = ["MAX_TURNS", "Player", "play", "replay"]

MAX_TURNS = 100_000
"""A game that goes on longer is given up as a draw."""


def play(pairing: Pairing, players: tuple[Player, ...] | None = None) -> GameRecord:
    """Play a pairing to its end. `players` take the seats instead of those that the pairing names."""
    game = game_named(pairing.game)
    seated = players or tuple(
        _agent(pairing.game, name, seat).seeded(seed)
        for seat, (name, seed) in enumerate(zip(pairing.seats, pairing.agent_seeds, strict=True))
    )
    try:
        record = _play(pairing, game, seated)
        _tell(seated, "end_game", record.returns)
        return record
    finally:
        _tell(seated, "close")


def _play(pairing: Pairing, game: Game, seated: Sequence[Player]) -> GameRecord:
    began = time.perf_counter()
    _tell(seated, "new_game")
    options, error, loser = _prepare(pairing, game, seated)
    state = game.initial_state(seed=pairing.seed, **options)
    turns: list[Turn] = []
    while loser is None and not state.is_over() and len(turns) < MAX_TURNS:
        seat = state.current_player()
        if seat == SIMULTANEOUS:
            turn, error, loser = _step_together(pairing, game, state, seated, len(turns))
            if turn is not None:
                turns.append(turn)
            continue
        seen = _seen_by(seated[seat], game, state, seat)
        before = time.perf_counter()
        try:
            plan = seated[seat].plan(seen, pairing.budget, ply=len(turns))
            if plan.stats.interrupted:
                raise KeyboardInterrupt  # a plan can be cut short; a game that counts can't
            spent = 1000 * (time.perf_counter() - before)
            taken = _carry_out(game, state, plan)
        except RuleFailureError:
            raise  # the game is broken, not the agent
        except (Exception, SystemExit) as failure:
            error, loser = _sentence(failure), seat
            break
        turns.append(Turn(seat, tuple(taken), round(spent, 3), plan.stats.evaluations, plan.stats.iterations))
    return GameRecord(
        pairing=pairing,
        returns=forfeited(game, loser) if loser is not None else tuple(state.returns()),
        turns=tuple(turns),
        ms=round(1000 * (time.perf_counter() - began), 3),
        game_version=game.version,
        error=error,
        error_seat=loser,
        options=options,
    )


def replay(record: GameRecord) -> State:
    """The final state of a recorded game, reached by playing its turns again."""
    game = game_named(record.pairing.game)
    state = game.initial_state(seed=record.pairing.seed, **record.options)
    for turn in record.turns:
        for action in turn.actions:
            if turn.seat == EVERYBODY:
                state.apply([game.action_from_json(one) for one in action])
            else:
                state.apply(game.action_from_json(action))
    return state


def _step_together(
    pairing: Pairing, game: Game, state: State, seated: Sequence[Any], ply: int
) -> tuple[Turn | None, str | None, int | None]:
    """One step of a game in which all act at once; who has no choice is not asked."""
    before = time.perf_counter()
    joint, evaluations, iterations = [], 0, 0
    for seat, player in enumerate(seated):
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            joint.append(legal[0])
            continue
        try:
            plan = player.plan(_seen_by(player, game, state, seat), pairing.budget, ply=ply, player=seat)
            if plan.stats.interrupted:
                raise KeyboardInterrupt
            if len(plan.actions) != 1 or plan.actions[0] not in legal:
                raise IllegalActionError(f"the plan {plan.actions!r} is not one legal action.")
        except RuleFailureError:
            raise
        except (Exception, SystemExit) as failure:
            return None, _sentence(failure), seat
        joint.append(plan.actions[0])
        evaluations += plan.stats.evaluations
        iterations += plan.stats.iterations
    spent = round(1000 * (time.perf_counter() - before), 3)
    state.apply(joint)
    taken = [game.action_to_json(action) for action in joint]
    return Turn(EVERYBODY, (taken,), spent, evaluations, iterations), None, None


def _prepare(pairing: Pairing, game: Game, seated: Sequence[Player]) -> tuple[dict[str, Any], str | None, int | None]:
    """What the seats decide before the start; why and by whom the game is forfeited already, if it is."""
    options: dict[str, Any] = {}
    for seat, player in enumerate(seated):
        prepare = getattr(player, "prepare", None)
        if prepare is None:
            continue
        try:
            _merge(options, prepare(game, seat, pairing.seed))
            if options:
                game.initial_state(seed=pairing.seed, **options)
        except RuleFailureError:
            raise
        except (Exception, SystemExit) as failure:
            return {}, _sentence(failure), seat
    return options, None, None


def _merge(options: dict[str, Any], more: dict[str, Any]) -> None:
    """Add what a seat says; of an option that is a list each seat has its own entry."""
    for name, value in more.items():
        known = options.get(name)
        if isinstance(known, list) and isinstance(value, list):
            value = [one if one is not None else other for one, other in zip(known, value, strict=True)]
        options[name] = value


def _seen_by(player: Player, game: Game, state: State, seat: int) -> State:
    """Planners look away by themselves, unless they are told not to; others are shown only what there is to see."""
    return state.observe(seat) if game.hides_information and not isinstance(player, Agent) else state


def _tell(seated: Iterable[Player], what: str, *told: Any) -> None:
    """Call an optional method of every player; closing must not turn a finished game into a failure."""
    for player in seated:
        method = getattr(player, what, None)
        if method is not None:
            with suppress(OSError):
                method(*told)


def _carry_out(game: Game, state: State, plan: Plan) -> list[Any]:
    """Apply a plan; where chance took a turn elsewhere, the rest of it is dropped and planned again."""
    player, taken = state.current_player(), []
    if not plan.actions:
        raise IllegalActionError("the plan is empty.")
    for number, action in enumerate(plan.actions):
        ended = state.is_over() or state.current_player() != player
        if number and (ended or not state.is_legal(action)) and game_has_chance(plan, state):
            break
        if ended:
            raise IllegalActionError(f"the plan goes on after the turn has ended ({len(plan.actions)} actions).")
        state.apply(action)
        taken.append(game.action_to_json(action))
    return taken


def game_has_chance(plan: Plan, state: State) -> bool:
    """Whether the game has drawn chance since the plan was made, so that the plan could not foresee this state."""
    return plan.state is None or not bool((plan.state._stream == state._stream).all())


def forfeited(game: Game, loser: int) -> tuple[float, ...]:
    """Everybody's reward if a seat gives a game away: its side loses, the others share the win."""
    lost = [side == game.sides[loser] for side in game.sides]
    return tuple(-1.0 if one else sum(lost) / (len(lost) - sum(lost)) for one in lost)


def _sentence(failure: BaseException) -> str:
    text = " ".join(str(failure).split())
    return text if isinstance(failure, TacticianError) else f"{type(failure).__name__}: {text}"


@lru_cache(maxsize=64)
def game_named(name: str) -> Game:
    """A game by its name, loaded once in a process."""
    return load_game(name)


@lru_cache(maxsize=64)
def _agent(game: str, name: str, seat: int) -> Any:
    """One agent for each seat, so that a planner can play itself."""
    return parse_agent(name).on(game_named(game))
