"""Our planners as a bot in the competition of Legends of Code and Magic: blocks in, one line out for each.

It plays on what it has read (`LocmView`) and nothing else; what is hidden the planner guesses. Everything is loaded,
compiled and run once before the first block is read.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from tactician.adapters.locm_start import Drafter, card_of, draft_of
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.locm import VERSIONS, locm, protocol
from tactician.games.locm.actions import PASS
from tactician.games.locm.blocks import as_action, input_block, legal_turn
from tactician.games.locm.cards import CARDS, CardType
from tactician.games.locm.drafts import construct
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.protocol import InputBlock
from tactician.games.locm.view import LocmView
from tactician.planners.registry import parse_planner
from tactician.seats.budget import Budget
from tactician.seats.plan import position_after

BATTLE_BUDGET, FIRST_BATTLE_BUDGET, ONE_LANE_BUDGET = Budget(ms=150), Budget(ms=500), Budget(ms=60)
"""Of a turn, if nothing else is asked for: well inside the limits of 200, 1000 and (with one lane) 100 ms."""
_LEAST_MS = 1.0
BOT_PLANNER = "reply:planner=greedy-turn,answer=greedy-action,guesses=4,evaluation=learned-network"
"""The strongest planner we know for this game: see the experiment `beyond-bot`."""
BOT_PARAMETERS: Mapping[str, Any] = MappingProxyType({"guesses": "ranked"})
"""Parameters of the game that the bot plays with: what the opponent picked is guessed by the draft order."""


class LocmPlayer:
    """A bot for one game after the other; `answer` decides about one block."""

    def __init__(
        self,
        planner: str | None = None,
        draft: str | None = None,
        budget: Budget | str | None = None,
        version: str = "1.2",
        seed: int = 0,
        game: Mapping[str, Any] | None = None,
        ponder: bool = False,
    ) -> None:
        """`game` has parameters of the game, such as its evaluation; versions and cards come from the referee.

        `ponder`: plan on while the opponent thinks, until the next block comes or `close`.
        """
        if version not in VERSIONS:
            raise UnknownNameError("version", version, VERSIONS)
        self.version = version
        if seed < 0:
            raise InvalidParameterError(f"seed is {seed}; expected 0 or more.")
        self._draft = draft_of(version, draft)
        self._drafter = Drafter(self._draft, seed)
        self._parameters = {**BOT_PARAMETERS, **(game or {})}
        self._budget = None if budget is None else Budget.parse(budget)
        self._planner = parse_planner(planner or BOT_PLANNER)
        self._seed, self._ponder = seed, ponder
        self._table: dict[int, CardType] = {}
        self._use(generate_cards(0) if version == "1.5" else CARDS)
        self._rehearse()
        self.new_game()

    def new_game(self) -> None:
        """Forget the last game."""
        self._view = LocmView(self.version, self._seed)
        self._rng = np.random.default_rng([self._seed, 1])
        self._drafter.new_game()
        self._agent.new_game()

    def close(self) -> None:
        """End pondering."""
        self._agent.close()

    def answer(self, block: InputBlock, since: float | None = None) -> str:
        """The line to write; `since` is when the clock (`time.perf_counter`) began to run."""
        started = time.perf_counter() if since is None else since
        if not protocol.is_draft(block):
            return self._battle(block, started)
        if self._view.in_battle:
            self.new_game()
        return self._construct(block) if self.version == "1.5" else self._pick(block)

    # -- before the battle -----------------------------------------------------------------------------------

    def _pick(self, block: InputBlock) -> str:
        index = self._drafter.pick(block)
        self._view.pick(block, index)
        return f"{protocol.PICK} {index}"

    def take_pick(self, block: InputBlock, index: int) -> None:
        """Take note of a pick that somebody else has made."""
        if self._view.in_battle:
            self.new_game()
        self._view.pick(block, index)

    def _construct(self, block: InputBlock) -> str:
        cards = [card_of(line) for line in block.cards]
        chosen = construct(cards, self._draft, self._rng)
        self._view.choose(chosen)
        self._use(cards)
        return ";".join(f"{protocol.CHOOSE} {number}" for number in chosen)

    # -- the battle ------------------------------------------------------------------------------------------

    def _battle(self, block: InputBlock, started: float) -> str:
        self._agent.stop_pondering()
        if self.version == "1.5" and not self._view.picks:
            self._learn(block)
        first = not self._view.in_battle
        state = self.game.state_from_json(self._view.position(block, list(self._table)))
        if state.is_over():
            return protocol.PASS  # whoever dies from drawing is still asked
        plan = self._agent.plan(state, self._time(first, started), ply=self._view.turns)
        if plan.stats.interrupted:
            raise KeyboardInterrupt
        turn = legal_turn(state, [as_action(action) for action in plan.actions if action != PASS])
        if self._ponder:
            self._agent.ponder(position_after(state, [*turn, PASS]), state.current_player(), ply=self._view.turns)
        return protocol.format_answer([as_action(action) for action in turn if action != PASS], self.version)

    def _time(self, first: bool, started: float) -> Budget:
        """What is left of the budget since the block came."""
        usual = ONE_LANE_BUDGET if self.version == "1.0" else BATTLE_BUDGET
        budget = self._budget or (FIRST_BATTLE_BUDGET if first else usual)
        if budget.ms is None:
            return budget
        return Budget(ms=max(_LEAST_MS, budget.ms - 1000 * (time.perf_counter() - started)))

    def _learn(self, block: InputBlock) -> None:
        """Version 1.5, joined in the middle: the cards that are seen are all that is known of the cards."""
        seen = {line.number: card_of(line) for line in reversed(block.cards)}
        new = {number: card for number, card in seen.items() if self._table.get(number) != card}
        in_hand = {line.number for line in block.cards if line.location == protocol.HAND}
        if any(number in in_hand or number not in self._table for number in new):
            self._use([*(self._table | new).values()])

    def _use(self, cards: Sequence[CardType]) -> None:
        """Take a card table: the game with it and an agent on the game."""
        table = {card.number: card for card in cards}
        if table == self._table:
            return
        self._table = table
        own = None if cards is CARDS else sorted(cards, key=lambda card: card.number)
        self.game = locm(version=self.version, cards=own, **self._parameters)
        self._agent = self._planner.on(self.game, seed=self._seed)
        if self._ponder:
            start = self.game.initial_state(seed=0)
            self._agent.ponder(start, start.current_player())  # makes the search for it, and starts nothing

    def _rehearse(self) -> None:
        """Go through a turn once, so that nothing is loaded or compiled while a clock runs."""
        self.new_game()
        block = input_block(self.game.initial_state(seed=0))
        kept, self._budget = self._budget, Budget(iterations=1)
        self._battle(block, time.perf_counter())
        self._budget = kept
        self.close()
