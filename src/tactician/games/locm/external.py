"""An external program with a seat in our games of Legends of Code and Magic: it is sent what the referee would send.

One process plays one game. It drafts on the offers of the game's seed; its picks go into the start of the game
and into the record of it. Blocks are made from what its player sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import ExternalBotError, InvalidParameterError
from tactician.games.locm import protocol
from tactician.games.locm.blocks import input_block, legal_turn, version_of
from tactician.games.locm.drafts import picks_option
from tactician.games.locm.positions import BY_PAPER, cards_of
from tactician.games.locm.protocol import Fault, InputBlock, PlayerLine
from tactician.games.locm.records import DECK, OFFERED
from tactician.games.locm.referee import (
    BATTLE_MS,
    CONSTRUCT_MS,
    DRAFT_MS,
    FIRST_BATTLE_MS,
    FIRST_DRAFT_MS,
    ONE_LANE_MS,
)
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.process import ExternalProcess
from tactician.seats.seat import BaseSeat

_HP, _RUNE = 30, 25


class ExternalLocmBot(BaseSeat):
    """A program that speaks the competition's protocol. Its time limits are the competition's, times a factor."""

    def __init__(self, game: Game, command: Sequence[str], timeout: float = 1.0) -> None:
        super().__init__()
        if game.name != "locm":
            raise InvalidParameterError(f"the program would play {game.name!r}; expected 'locm'.")
        self.version = version_of(game.config)
        self._command = list(command)
        self._timeout = timeout
        self._process: ExternalProcess | None = None
        self._turns = 0

    def new_game(self) -> None:
        """Another game is another process."""
        self.close()
        self._turns = 0

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """Play the draft; the picks as an option of the start."""
        if self.version == "1.5":
            return picks_option(seat, self._construct(game))
        given = int(game.config.deal) == BY_PAPER
        start = game.initial_state(seed=seed).record
        offers = [[int(number) for number in offer] for offer in start.draft]
        if given:
            # The decks are given. Three times the same card leaves no choice, and the program learns its deck.
            offers = [[number] * OFFERED for number in sorted(int(n) for n in start.deck[seat])]
        picks = self._draft(game, seat, offers)
        return {} if given else picks_option(seat, picks)

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """Send the block, read the turn, and keep what is legal of it."""
        view = state.observe(state.current_player())
        first, self._turns = self._turns == 0, self._turns + 1
        limit = FIRST_BATTLE_MS if first else ONE_LANE_MS if self.version == "1.0" else BATTLE_MS
        what = f"battle turn {self._turns}"
        answer = self._ask(input_block(view), limit, what)
        written = protocol.battle_answer(answer, self.version)
        if isinstance(written, Fault):
            raise self._nonsense(what, written)
        return Plan(tuple(legal_turn(view, written)), None)

    def _draft(self, game: Game, seat: int, offers: Sequence[Sequence[int]]) -> list[int]:
        cards = {card.number: card for card in cards_of(game.config)}
        picks: list[int] = []
        for turn, offer in enumerate(offers):
            # Both pick at once, but the second is asked when the first has answered.
            lines = [PlayerLine(_HP, 0, turn + ahead, _RUNE, 0) for ahead in (0, seat)]
            block = InputBlock(lines[0], lines[1], cards=[protocol.offered_line(cards[number]) for number in offer])
            what = f"draft turn {turn + 1} of {DECK}"
            pick = protocol.draft_answer(self._ask(block, DRAFT_MS if turn else FIRST_DRAFT_MS, what), offer)
            if isinstance(pick, Fault):
                raise self._nonsense(what, pick)
            picks.append(offer[pick])
        return picks

    def _construct(self, game: Game) -> list[int]:
        cards = cards_of(game.config)
        nobody = PlayerLine(_HP, 0, 0, None, 0)
        block = InputBlock(nobody, nobody, cards=[protocol.offered_line(card) for card in cards])
        what = "the construction of a deck"
        chosen = protocol.constructed_answer(self._ask(block, CONSTRUCT_MS, what), [card.number for card in cards])
        if isinstance(chosen, Fault):
            raise self._nonsense(what, chosen)
        return chosen

    def _ask(self, block: InputBlock, limit_ms: int, what: str) -> str:
        if self._process is None:
            self._process = ExternalProcess(self._command)
        seconds = self._timeout * limit_ms / 1000
        return self._process.ask(protocol.format_block(block, self.version), seconds, what)

    def _nonsense(self, what: str, fault: Fault) -> ExternalBotError:
        name = self._process.name if self._process is not None else "external bot"
        return ExternalBotError(f"{name} answered {what} with nonsense: {fault.reason}")
