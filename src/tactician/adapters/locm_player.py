"""Our planners as a bot in the competition of Legends of Code and Magic: blocks in, one line out for each.

It plays on what it has read (`LocmView`) and nothing else; what is hidden the planner guesses. Everything is loaded,
compiled and run once before the first block is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.locm import VERSIONS, locm, protocol
from tactician.games.locm.actions import PASS
from tactician.games.locm.blocks import as_action, input_block, legal_turn
from tactician.games.locm.cards import CARDS, CardType
from tactician.games.locm.drafts import CONSTRUCTIONS, STRATEGIES, Strategy, construct
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.protocol import CardLine, InputBlock
from tactician.games.locm.view import LocmView
from tactician.planners.registry import parse_planner
from tactician.seats.budget import Budget

BATTLE_BUDGET, FIRST_BATTLE_BUDGET, ONE_LANE_BUDGET = Budget(ms=150), Budget(ms=500), Budget(ms=60)
"""Of a turn, if nothing else is asked for: well inside the limits of 200, 1000 and (with one lane) 100 ms."""
_LEAST_MS = 1.0
_PLAIN_DRAFT = "mana-curve"
"""For cards that a ranking doesn't know."""


class Answer(NamedTuple):
    """A decision and how it came about."""

    phase: str
    """'draft' or 'battle'."""
    lines: list[str]
    text: str
    ms: float
    """From the first line of the block to the decision."""


class LocmPlayer:
    """A bot for one game after the other; `answer` decides about one block."""

    def __init__(
        self,
        planner: str = "permutation-oep",
        draft: str | None = None,
        budget: Budget | str | None = None,
        version: str = "1.2",
        seed: int = 0,
    ) -> None:
        if version not in VERSIONS:
            raise UnknownNameError("version", version, VERSIONS)
        self.version = version
        self._draft = draft or ("mana-curve" if version == "1.5" else "coac")
        known = CONSTRUCTIONS if version == "1.5" else STRATEGIES
        if self._draft not in known:
            raise UnknownNameError("draft strategy", self._draft, known)
        if seed < 0:
            raise InvalidParameterError(f"seed is {seed}; expected 0 or more.")
        self._budget = None if budget is None else Budget.parse(budget)
        self._planner = parse_planner(planner)
        self._seed = seed
        self._table: dict[int, CardType] = {}
        self._use(generate_cards(0) if version == "1.5" else CARDS)
        self._rehearse()
        self.new_game()

    def new_game(self) -> None:
        """Forget the last game."""
        self._view = LocmView(self.version, self._seed)
        self._rng = np.random.default_rng([self._seed, 1])

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
        if not block.cards:
            raise protocol.ProtocolError("a block of the draft offers 0 cards; expected 3.")
        offered = [self._table.get(line.number) or _card(line) for line in block.cards]
        picked = [self._table[number] for number in self._view.picks if number in self._table]
        known = all(line.number in self._table for line in block.cards)
        strategy: Strategy = STRATEGIES[self._draft if known else _PLAIN_DRAFT]
        index = strategy.pick(offered, picked, protocol.seat_of(block) or 0, self._rng)
        self._view.pick(block, index)
        return f"{protocol.PICK} {index}"

    def _construct(self, block: InputBlock) -> str:
        cards = [_card(line) for line in block.cards]
        chosen = construct(cards, self._draft, self._rng)
        self._view.choose(chosen)
        self._use(cards)
        return ";".join(f"{protocol.CHOOSE} {number}" for number in chosen)

    # -- the battle ------------------------------------------------------------------------------------------

    def _battle(self, block: InputBlock, started: float) -> str:
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
        seen = {line.number: _card(line) for line in reversed(block.cards)}
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
        self.game = locm(version=self.version, cards=None if cards is CARDS else sorted(cards, key=lambda c: c.number))
        self._agent = self._planner.on(self.game, seed=self._seed)

    def _rehearse(self) -> None:
        """Go through a turn once, so that nothing is loaded or compiled while a clock runs."""
        self.new_game()
        block = input_block(self.game.initial_state(seed=0))
        kept, self._budget = self._budget, Budget(iterations=1)
        self._battle(block, time.perf_counter())
        self._budget = kept


def serve(
    player: LocmPlayer,
    read_line: Callable[[], str],
    write: Callable[[str], object],
    on_progress: Callable[[Answer], object] | None = None,
) -> None:
    """Answer block after block until the input ends; raises a `ProtocolError` if it ends inside a block."""
    taken: list[str] = []
    since = 0.0

    def lines() -> Iterator[str]:
        nonlocal since
        while line := read_line():
            if not taken:
                since = time.perf_counter()
            if taken or line.strip():
                taken.append(line.rstrip("\r\n"))
            yield line

    incoming = lines()
    while (block := protocol.parse_block(incoming, player.version)) is not None:
        text = player.answer(block, since)
        ms = 1000 * (time.perf_counter() - since)
        write(f"{text}\n")
        if on_progress is not None:
            on_progress(Answer("draft" if protocol.is_draft(block) else "battle", list(taken), text, ms))
        taken.clear()


def _card(line: CardLine) -> CardType:
    return CardType(
        number=line.number,
        name=f"card {line.number}",
        kind=line.kind,
        cost=line.cost,
        attack=line.attack,
        defense=line.defense,
        abilities=line.abilities,
        player_hp=line.player_hp,
        enemy_hp=line.enemy_hp,
        card_draw=line.card_draw,
        area=line.area,
    )
