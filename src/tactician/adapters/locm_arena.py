"""Whole games of Legends of Code and Magic between bots that only know the protocol, before our own referee.

A bot is anything that answers a question: a process at the other end of pipes, or an object in this one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tactician.adapters.locm_player import LocmPlayer
from tactician.errors import ExternalBotError, TacticianError
from tactician.games.locm import protocol
from tactician.games.locm.referee import Question, Referee
from tactician.seats.process import ExternalProcess

PHASES = ("first draft", "draft", "first battle", "battle")
_PATIENCE = 20.0
"""How many times its limit a late answer is waited for, to know how late it is."""


class Bot(Protocol):
    """What can be asked."""

    def ask(self, question: Question) -> str:
        """The line it answers with."""

    def close(self) -> None:
        """The game is over."""


class ProcessBot:
    """A bot in a process of its own."""

    def __init__(self, process: ExternalProcess, patience: float = _PATIENCE) -> None:
        self.process = process
        self._patience = patience

    def ask(self, question: Question) -> str:
        """Through the pipes."""
        return self.process.ask(question.lines, self._patience * question.limit_ms / 1000)

    def close(self) -> None:
        """Kill it."""
        self.process.close()


class ObjectBot:
    """A bot in this process: the same text without pipes."""

    def __init__(self, player: LocmPlayer) -> None:
        self._player = player
        player.new_game()

    def ask(self, question: Question) -> str:
        """A call."""
        block = protocol.parse_block(question.lines, self._player.version)
        assert block is not None
        return self._player.answer(block)

    def close(self) -> None:
        """There is nothing to close."""


@dataclass(frozen=True)
class Timing:
    """How long an answer took."""

    phase: str
    limit_ms: int
    ms: float

    @property
    def late(self) -> bool:
        """Whether it would have cost the game."""
        return self.ms > self.limit_ms


@dataclass
class PlayedGame:
    """A game before the referee."""

    scores: list[int]
    fault: str | None
    """Who was disqualified and why."""
    timings: list[Timing] = field(default_factory=list)
    written: int = 0
    """Actions that the bots wrote in the battle."""
    executed: int = 0
    """Actions that the referee executed; the others were illegal."""


def referee_game(master: int, bots: Sequence[Bot], version: str = "1.2", enforce: bool = False) -> PlayedGame:
    """Play a game of a master seed; `enforce` makes a late answer cost the game, as in the competition."""
    referee = Referee(master, version)
    game = PlayedGame(referee.scores, None)
    battles = [0, 0]
    try:
        while not referee.is_over:
            question = referee.ask()
            phase = _phase(referee, question, battles, game)
            began = time.perf_counter()
            try:
                text = bots[question.player].ask(question)
            except (ExternalBotError, protocol.ProtocolError) as error:
                referee.fail(str(error))
                break
            timing = Timing(phase, question.limit_ms, 1000 * (time.perf_counter() - began))
            game.timings.append(timing)
            if enforce and timing.late:
                referee.fail(f"answered after {timing.ms:.0f} ms; expected {timing.limit_ms} ms at most.")
                break
            _take(referee, text, game)
    except TacticianError as error:
        game.fault = str(error)
    finally:
        for bot in bots:
            bot.close()
    game.fault = game.fault or referee.fault
    return game


def _phase(referee: Referee, question: Question, battles: list[int], game: PlayedGame) -> str:
    if referee.in_draft:
        return PHASES[0] if len(game.timings) < 2 else PHASES[1]
    battles[question.player] += 1
    return PHASES[2] if battles[question.player] == 1 else PHASES[3]


def _take(referee: Referee, text: str, game: PlayedGame) -> None:
    """Hand an answer over, and count what became of its actions while the game was still on."""
    if referee.state is not None and not referee.state.is_over():
        actions = protocol.battle_answer(text, referee.version)
        game.written += len(actions) if isinstance(actions, list) else 0
        before = len(referee.performed)
        referee.answer(text)
        game.executed += len(referee.performed) - before
    else:
        referee.answer(text)
