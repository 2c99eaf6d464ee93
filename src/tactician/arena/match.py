"""Playing one game: agents take turns, whatever goes wrong is a recorded forfeit.

A seat is a planner by name, or `exec:` and a command, or anything registered as an agent; the arena knows them all as
something with a `turn` method. Agents are kept between games: a planner's memory is allocated once in a process.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any, Protocol

from tactician.arena.records import GameRecord, Pairing, Turn
from tactician.contract.budget import Budget
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import IllegalActionError, RuleFailureError, TacticianError
from tactician.games.registry import load_game
from tactician.planners.base import Agent
from tactician.planners.plan import Plan
from tactician.planners.registry import parse_planner

MAX_TURNS = 100_000
"""A game that goes on longer is given up as a draw."""


class Player(Protocol):
    """What can have a seat."""

    def plan(self, state: State, budget: Budget | str, ply: int = 0) -> Plan:
        """The turn to play."""


def play(pairing: Pairing, players: tuple[Player, ...] | None = None) -> GameRecord:
    """Play a pairing to its end. `players` take the seats instead of those that the pairing names."""
    game = _game(pairing.game)
    seated = players or tuple(
        _agent(pairing.game, name, seat).seeded(seed)
        for seat, (name, seed) in enumerate(zip(pairing.seats, pairing.agent_seeds, strict=True))
    )
    began = time.perf_counter()
    state = game.initial_state(seed=pairing.seed)
    turns: list[Turn] = []
    error: str | None = None
    loser: int | None = None
    while not state.is_over() and len(turns) < MAX_TURNS:
        seat = state.current_player()
        before = time.perf_counter()
        try:
            plan = seated[seat].plan(state, pairing.budget, ply=len(turns))
            if plan.stats.interrupted:
                raise KeyboardInterrupt  # a plan can be cut short; a game that counts can't
            spent = 1000 * (time.perf_counter() - before)
            taken = _carry_out(game, state, plan)
        except RuleFailureError:
            raise  # the game is broken, not the agent
        except Exception as failure:
            error, loser = _sentence(failure), seat
            break
        turns.append(Turn(seat, tuple(taken), round(spent, 3), plan.stats.evaluations, plan.stats.iterations))
    return GameRecord(
        pairing=pairing,
        returns=_forfeited(game, loser) if loser is not None else tuple(state.returns()),
        turns=tuple(turns),
        ms=round(1000 * (time.perf_counter() - began), 3),
        game_version=game.version,
        error=error,
        error_seat=loser,
    )


def replay(record: GameRecord) -> State:
    """The final state of a recorded game, reached by playing its turns again."""
    game = _game(record.pairing.game)
    state = game.initial_state(seed=record.pairing.seed)
    for turn in record.turns:
        for action in turn.actions:
            state.apply(game.action_from_json(action))
    return state


def _carry_out(game: Game, state: State, plan: Plan) -> list[Any]:
    """Apply a plan; where chance took a turn elsewhere, the rest of it is dropped and planned again."""
    player, taken = state.current_player(), []
    if not plan.actions:
        raise IllegalActionError("the plan is empty.")
    for number, action in enumerate(plan.actions):
        if state.is_over() or state.current_player() != player:
            raise IllegalActionError(f"the plan goes on after the turn has ended ({len(plan.actions)} actions).")
        if number and not state.is_legal(action) and game_has_chance(plan, state):
            break
        state.apply(action)
        taken.append(game.action_to_json(action))
    return taken


def game_has_chance(plan: Plan, state: State) -> bool:
    """Whether the game has drawn chance since the plan was made, so that the plan could not foresee this state."""
    return plan.state is None or not bool((plan.state._stream == state._stream).all())


def _forfeited(game: Game, loser: int) -> tuple[float, ...]:
    return tuple(-1.0 if seat == loser else 1.0 / (game.players - 1) for seat in range(game.players))


def _sentence(failure: Exception) -> str:
    text = " ".join(str(failure).split())
    return text if isinstance(failure, TacticianError) else f"{type(failure).__name__}: {text}"


@lru_cache(maxsize=64)
def _game(name: str) -> Game:
    return load_game(name)


@lru_cache(maxsize=64)
def _agent(game: str, planner: str, seat: int) -> Agent:
    """One agent for each seat, so that a planner can play itself."""
    return parse_planner(planner).on(_game(game))
