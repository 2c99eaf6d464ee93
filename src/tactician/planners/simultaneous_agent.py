"""Agents for games in which all act at once: a seat has to be named, and one search serves every seat."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.native import abi, failures
from tactician.planners.base import MOST_ALTERNATIVES, Agent, _finished, _stopped, statistics_of
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Plan

if TYPE_CHECKING:
    from tactician.planners.simultaneous import DecoupledSearch, SimultaneousPlanner


class SimultaneousAgent(Agent):
    """Plays any seat. What it learns in one move serves the next, until a new game begins."""

    _search: DecoupledSearch

    def __init__(self, planner: SimultaneousPlanner, game: Game, seed: int = 0, full_information: bool = False) -> None:
        super().__init__(planner, game, seed, full_information)
        self.new_game()

    def new_game(self) -> None:
        """Forget what was learned."""
        self._search.forget()

    def seeded(self, seed: int) -> SimultaneousAgent:
        """The same agent with another seed, for another game."""
        super().seeded(seed)
        self.new_game()
        return self

    def plan(self, state: State, budget: Budget | str, ply: int = 0, player: int | None = None) -> Plan:
        """What a player should do; where players take turns, its whole turn. Where all act, name the player."""
        mover = state.current_player() if not state.is_over() else 0
        if mover != abi.SIMULTANEOUS:
            player = mover if player is None else player
        if player is None or not 0 <= player < self.game.players:
            why = "all act at once here, " if mover == abi.SIMULTANEOUS else ""
            raise InvalidParameterError(f"player is {player!r}; {why}expected the seat, 0 to {self.game.players - 1}.")
        return self._plans(state, budget, ply, [player])[0]

    def plan_all(self, state: State, budget: Budget | str, ply: int = 0) -> list[Plan]:
        """What every player should do, from one search that sees everything."""
        if self.game.hides_information and not self.full_information:
            raise InvalidParameterError("planning for all seats needs full_information=True in this game.")
        return self._plans(state, budget, ply, list(range(self.game.players)))

    def _plans(self, state: State, budget: Budget | str, ply: int, players: list[int]) -> list[Plan]:
        budget = self.planner.resolve(budget)
        self._require_own(state)
        if state.is_over():
            raise IllegalActionError("the game is over; there is nothing to plan.")
        if self.game.hides_information and not self.full_information:
            state = state.resample_hidden(players[0], [self.seed, ply, 2])
        else:
            state = state.copy()
        search = self._search
        with self.game.searching(), failures.running(search.work.g):
            search.begin(state.words, players[0], self.stream(ply), budget)
            started = time.perf_counter()
            interrupted = self._run(search, budget, started)
            plans = []
            for player in players:
                search.player = player
                actions, value = search.best()
                interrupted = _stopped(search) or interrupted
                if interrupted:
                    actions = _playable(state, actions, player)
                stats = replace(
                    statistics_of(search),
                    revisits=search.revisits,
                    time_ms=1000 * (time.perf_counter() - started),
                    interrupted=interrupted,
                )
                others = tuple(
                    Alternative(tuple(turn), worth, count, state)
                    for turn, worth, count in search.alternatives(MOST_ALTERNATIVES)
                )
                plans.append(Plan(tuple(actions), value, others, stats, state))
            search.check()
        return plans


def _playable(state: State, actions: list[int], player: int) -> list[int]:
    """What a player can really do: Ctrl-C may have cut a rule short while its action was being read off."""
    mover = state.current_player()
    if mover != abi.SIMULTANEOUS:
        return _finished(state, actions) if mover == player else []
    if actions and state.is_legal(actions[0], player):
        return actions
    return state.candidate_actions(player)[:1]
