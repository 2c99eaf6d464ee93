"""A referee that speaks the competition's protocol: it asks questions, reads answers and keeps the score.

It doesn't run processes: its caller sends `ask().lines` to a bot and passes the reply to `answer`, or calls `fail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.games.locm import drafts, locm, protocol
from tactician.games.locm.actions import PASS
from tactician.games.locm.blocks import as_number, input_block
from tactician.games.locm.cards import CARDS, CardType
from tactician.games.locm.effects import FIRST_RUNE, START_HP
from tactician.games.locm.generator import constructed_seeds, draft_seeds, generate_cards
from tactician.games.locm.protocol import Fault, InputBlock, PlayerLine
from tactician.games.locm.records import DECK

FIRST_DRAFT_MS, DRAFT_MS, FIRST_BATTLE_MS, BATTLE_MS, ONE_LANE_MS, CONSTRUCT_MS = 1000, 100, 1000, 200, 100, 4000
"""Time limits of an answer; ONE_LANE_MS is that of battle turns in version 1.0."""


@dataclass(frozen=True)
class Question:
    """The question to a player: the lines to send, and the time limit of the answer."""

    player: int
    limit_ms: int
    lines: list[str]


@cache
def drafted_game(version: str) -> Game:
    """Return the game of a version with drafts from the 160 cards, with open information; cached."""
    return locm(version=version, information="open")


class Referee:
    """A whole game: draft and battle."""

    def __init__(self, master: int, version: str = "1.2") -> None:
        self.version = version
        self.scores = [0, 0]
        """1 for the winner; -1 for a player who violated the protocol or didn't answer in time."""
        self.fault: str | None = None
        self.performed: list[str] = []
        """All executed actions, as '$player ACTION'."""
        self.state: State | None = None
        """The state of the battle, None during the draft."""
        self.is_over = False
        self._asked = [0, 0]
        self._player = 0
        self._chosen: list[list[int]] = [[], []]
        self._faults: dict[int, str] = {}
        if version == "1.5":
            built = constructed_seeds(master)
            self._cards: tuple[CardType, ...] = generate_cards(built.cards)
            self._shuffles = (built.shuffle_0, built.shuffle_1)
            self._offers: list[tuple[int, ...]] = []
            self._game = locm(version=version, cards=self._cards, information="open")
        else:
            seeds = draft_seeds(master)
            self._cards = CARDS
            self._shuffles = (seeds.shuffle_0, seeds.shuffle_1)
            self._offers = list(drafts.draft_from_seed(seeds.draft).triplets)
            self._game = drafted_game(version)

    @property
    def in_draft(self) -> bool:
        """Whether the draft is not finished."""
        return self.state is None

    def ask(self) -> Question:
        """Return the next question."""
        block = self._draft_block() if self.state is None else input_block(self.state)
        return Question(self._player, self._limit(), protocol.format_block(block, self.version))

    def _limit(self) -> int:
        first = self._asked[self._player] == 0
        if self.state is None:
            if self.version == "1.5":
                return CONSTRUCT_MS
            return FIRST_DRAFT_MS if first else DRAFT_MS
        if self._asked[self._player] == len(self._offers or [0]):
            return FIRST_BATTLE_MS
        return ONE_LANE_MS if self.version == "1.0" else BATTLE_MS

    def _draft_block(self) -> InputBlock:
        player = self._player
        if self.version == "1.5":
            nobody = PlayerLine(START_HP, 0, 0, None, 0)
            return InputBlock(nobody, nobody, cards=[protocol.offered_line(card) for card in self._cards])
        lines = [PlayerLine(START_HP, 0, len(self._chosen[seat]), FIRST_RUNE, 0) for seat in (player, 1 - player)]
        by_number = {card.number: card for card in self._cards}
        offer = self._offers[len(self._chosen[player])]
        return InputBlock(lines[0], lines[1], cards=[protocol.offered_line(by_number[n]) for n in offer])

    def answer(self, text: str) -> None:
        """Process the answer of the player who was asked."""
        self._asked[self._player] += 1
        if self.state is None:
            self._take_pick(text)
        else:
            self._take_turn(text)

    def fail(self, reason: str) -> None:
        """End the game with a loss of the player who was asked."""
        self.fault = f"player {self._player}: {reason}"
        self.scores[self._player] = -1
        self.is_over = True

    def _take_pick(self, text: str) -> None:
        player = self._player
        chosen: list[int] | Fault
        if self.version == "1.5":
            chosen = protocol.constructed_answer(text, [card.number for card in self._cards])
        else:
            offer = self._offers[len(self._chosen[player])]
            pick = protocol.draft_answer(text, offer)
            chosen = pick if isinstance(pick, Fault) else [*self._chosen[player], offer[pick]]
        if isinstance(chosen, Fault):
            self._faults[player] = chosen.reason
            chosen = [*self._chosen[player], 0]
        self._chosen[player] = chosen
        self._player = 1 - player
        if player == 0:
            return  # the second player is asked before either answer is judged
        for seat, reason in self._faults.items():
            self._player = seat
            self.fail(reason)
            return
        if len(self._chosen[1]) == DECK:
            make = drafts.constructed_deck if self.version == "1.5" else drafts.drafted_deck
            decks = [make(self._chosen[seat], seat, self._shuffles[seat]) for seat in range(2)]
            self.state = self._game.initial_state(decks=decks, offers=self._offers or None)

    def _take_turn(self, text: str) -> None:
        assert self.state is not None
        state, player = self.state, self._player
        written = protocol.battle_answer(text, self.version)
        if isinstance(written, Fault):
            self.fail(written.reason)
            return
        if not state.is_over():
            self._execute(written)
        if state.is_over():
            self.scores[int(state.record.winner)] = 1
            self.is_over = True
            return
        state.apply(PASS)
        # A player who dies from drawing at the start of the turn is still asked once.
        self._player = 1 - player

    def _execute(self, written: list[protocol.Action]) -> None:
        assert self.state is not None
        for action in written:
            number = as_number(action)
            if number is not None and number != PASS and self.state.is_legal(number):
                self.performed.append(f"${self._player} {action.text(self.version)}")
                self.state.apply(number)
                if self.state.is_over():
                    return
