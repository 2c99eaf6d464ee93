"""Playing one game: seats take turns, whatever goes wrong is a recorded forfeit.

A pairing names its seats (`tactician.arena.agents`); here all of them are a `Seat`. Seats are kept between games: a
planner's memory is allocated once in a process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tactician.arena.agent_process import close_agents
from tactician.arena.agents import parse_agent
from tactician.arena.records import EVERYBODY, GameRecord, Pairing, Turn
from tactician.checking.faults import explaining, require_finite, require_sound, watching_rules
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import IllegalActionError, MissingFileError, RuleFailureError, TacticianError
from tactician.games.registry import load_game
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.plan import Plan
from tactician.seats.seat import Seat

MAX_TURNS = 100_000
"""A game that takes longer is given up as a draw."""
_NOT_THE_AGENTS = (RuleFailureError, MissingFileError, KeyboardInterrupt)
"""What a seat may raise without being to blame: the game is broken, its file is missing, somebody pressed Ctrl-C."""


def play(pairing: Pairing, seats: Sequence[Seat] | None = None) -> GameRecord:
    """Play a pairing to its end. `seats` play instead of those that the pairing names."""
    game = game_named(pairing.game)
    seated = seats or tuple(
        _seat(pairing.game, name, number).seeded(seed)
        for number, (name, seed) in enumerate(zip(pairing.seats, pairing.agent_seeds, strict=True))
    )
    try:
        record = _play(pairing, game, seated)
    except BaseException:
        for seat in seated:
            with suppress(Exception):
                seat.close()
        raise
    played = record.returns
    record = _told(record, game, seated, lambda seat: seat.end_game(played))
    return _told(record, game, seated, lambda seat: seat.close())


def check_seats(game: str, names: Iterable[str], keep: bool) -> None:
    """Refuse agents that can't play a game here; with `keep` their processes stay for the games that follow."""
    loaded, kept = game_named(game), False
    try:
        for name in names:
            _seat(game, name, 0)  # holds its process
            parse_agent(name).check_here(loaded, game)
        kept = keep
    finally:
        if not kept:
            close_agents()


def _play(pairing: Pairing, game: Game, seated: Sequence[Seat]) -> GameRecord:
    began = time.perf_counter()
    options, error, loser = _prepare(pairing, game, seated)
    state = game.initial_state(seed=pairing.seed, **options)
    turns: list[Turn] = []
    while loser is None and len(turns) < MAX_TURNS:
        with explaining(game, state):
            with watching_rules(game, state):
                if state.is_over():
                    break
                require_sound(state)
            step = _step_together if state.current_player() == SIMULTANEOUS else _take_turn
            turn, error, loser = step(pairing, game, state, seated, len(turns))
        if turn is not None:
            turns.append(turn)
    return GameRecord(
        pairing=pairing,
        returns=forfeited(game, loser) if loser is not None else tuple(_returns(state)),
        turns=tuple(turns),
        ms=round(1000 * (time.perf_counter() - began), 3),
        game_version=game.version,
        error=error,
        error_seat=loser,
        options=options,
    )


def _take_turn(
    pairing: Pairing, game: Game, state: State, seated: Sequence[Seat], ply: int
) -> tuple[Turn | None, str | None, int | None]:
    """One turn of the player to move."""
    mover = state.current_player()
    seen = _seen_by(seated[mover], game, state, mover)
    before = time.perf_counter()
    try:
        plan = seated[mover].plan(seen, pairing.budget, ply=ply, seat=mover)
        if plan.stats.interrupted:
            raise KeyboardInterrupt  # a plan can be cut short; a game that counts can't
        spent = 1000 * (time.perf_counter() - before)
        taken = _carry_out(game, state, plan)
    except _NOT_THE_AGENTS:
        raise
    except BaseException as failure:
        return None, _sentence(failure), mover
    return Turn(mover, tuple(taken), round(spent, 3), plan.stats.evaluations, plan.stats.iterations), None, None


def _returns(state: State) -> list[float]:
    with explaining(state.game, state), watching_rules(state.game, state):
        require_finite(state, "returns", state.returns())
    return state.returns()


def replay(record: GameRecord) -> State:
    """The final state of a recorded game, reached by playing its turns again."""
    *_, last = positions(record)
    return last


def positions(record: GameRecord) -> Iterator[State]:
    """The initial state of a recorded game, then the state after each of its turns."""
    game = game_named(record.pairing.game)
    state = game.initial_state(seed=record.pairing.seed, **record.options)
    yield state.copy()
    for turn in record.turns:
        for action in turn.actions:
            if turn.seat == EVERYBODY:
                state.apply([game.action_from_json(one) for one in action])
            else:
                state.apply(game.action_from_json(action))
        yield state.copy()


def _step_together(
    pairing: Pairing, game: Game, state: State, seated: Sequence[Seat], ply: int
) -> tuple[Turn | None, str | None, int | None]:
    """One step of a game in which all act at once; who has no choice is not asked."""
    before = time.perf_counter()
    joint, evaluations, iterations = [], 0, 0
    for number, seat in enumerate(seated):
        legal = state.legal_actions(number)
        if len(legal) == 1:
            joint.append(legal[0])
            continue
        try:
            plan = seat.plan(_seen_by(seat, game, state, number), pairing.budget, ply=ply, seat=number)
            if plan.stats.interrupted:
                raise KeyboardInterrupt
            if len(plan.actions) != 1 or plan.actions[0] not in legal:
                raise IllegalActionError(f"the plan {plan.actions!r} is not one legal action.")
        except _NOT_THE_AGENTS:
            raise
        except BaseException as failure:
            return None, _sentence(failure), number
        joint.append(plan.actions[0])
        evaluations += plan.stats.evaluations
        iterations += plan.stats.iterations
    spent = round(1000 * (time.perf_counter() - before), 3)
    with watching_rules(game, state):
        state.apply(joint)
    taken = [game.action_to_json(action) for action in joint]
    return Turn(EVERYBODY, (taken,), spent, evaluations, iterations), None, None


def _prepare(pairing: Pairing, game: Game, seated: Sequence[Seat]) -> tuple[dict[str, Any], str | None, int | None]:
    """What the seats decide before the start; why and by whom the game is forfeited already, if it is."""
    options: dict[str, Any] = {}
    for number, seat in enumerate(seated):
        try:
            seat.new_game()
            decided = seat.prepare(game, number, pairing.seed)
            if decided:
                merge_options(options, decided)
                game.initial_state(seed=pairing.seed, **options)
        except _NOT_THE_AGENTS:
            raise
        except BaseException as failure:
            return {}, _sentence(failure), number
    return options, None, None


def merge_options(options: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what a seat says to the options of a start; of an option that is a list each seat has its own entry."""
    for name, value in more.items():
        known = options.get(name)
        if isinstance(known, list) and isinstance(value, list):
            value = [one if one is not None else other for one, other in zip(known, value, strict=True)]
        options[name] = value


def _seen_by(seat: Seat, game: Game, state: State, number: int) -> State:
    """The state, or what can be seen of it from the seat."""
    return state.observe(number) if game.hides_information and not seat.takes_whole_state else state


def _told(record: GameRecord, game: Game, seated: Iterable[Seat], call: Callable[[Seat], object]) -> GameRecord:
    """The record after every seat was told of the end; a seat that fails now forfeits the game it has just played."""
    for number, seat in enumerate(seated):
        try:
            call(seat)
        except _NOT_THE_AGENTS:
            raise
        except BaseException as failure:
            if record.error is None:
                lost = forfeited(game, number)
                record = replace(record, returns=lost, error=_sentence(failure), error_seat=number)
    return record


def _carry_out(game: Game, state: State, plan: Plan) -> list[Any]:
    """Apply a plan; where chance took a turn elsewhere, the rest of it is dropped and planned again."""
    player, taken = state.current_player(), []
    if not plan.actions:
        raise IllegalActionError("the plan is empty.")
    with watching_rules(game, state) as moved:
        for number, action in enumerate(plan.actions):
            ended = state.is_over() or state.current_player() != player
            if number and (ended or not state.is_legal(action)) and _chance_since(plan, state):
                break
            if ended:
                raise IllegalActionError(f"the plan continues after the turn has ended ({len(plan.actions)} actions).")
            state.apply(action)
            moved()
            taken.append(game.action_to_json(action))
    return taken


def _chance_since(plan: Plan, state: State) -> bool:
    """Whether chance was drawn since the plan was made, or may have been: the plan could not foresee this state."""
    return plan.state is None or not plan.state.same_chance(state)


def forfeited(game: Game, loser: int) -> tuple[float, ...]:
    """Everybody's reward if a seat forfeits a game: its side loses, the others share the win."""
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
def _seat(game: str, name: str, number: int) -> Seat:
    """A seat by its name; one for each number, so that a planner can play itself."""
    return parse_agent(name).on(game_named(game), game)
