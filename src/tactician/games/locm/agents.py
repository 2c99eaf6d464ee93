"""The two example bots of the competition as agents: how they draft and how they battle.

They are written from a description of what they do. Where it leaves something open, the simplest reading was taken.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.locm import protocol
from tactician.games.locm.blocks import as_number, input_block, legal_turn
from tactician.games.locm.cards import Ability, CardType
from tactician.games.locm.drafts import picks_option
from tactician.games.locm.positions import BY_PAPER, cards_of
from tactician.games.locm.protocol import ATTACK, FACE, SUMMON, USE, Action, CardLine, InputBlock
from tactician.games.locm.records import BLUE, CREATURE, GREEN
from tactician.games.locm.strategies import construct, strategy_named
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.seat import BaseSeat


class LocmAgent(BaseSeat):
    """A bot that reads what the protocol tells and answers by fixed rules."""

    drafts_as: ClassVar[str]
    """The draft strategy."""
    constructs_as: ClassVar[str]
    """How it chooses a deck in version 1.5, where the original has nothing to say."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        if game.name != "locm":
            raise InvalidParameterError(f"agent {str(self)!r} plays 'locm'; given {game.name!r}.")

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """The picks."""
        return {} if int(game.config.deal) == BY_PAPER else picks_option(seat, self._picks(game, seat, seed))

    def _picks(self, game: Game, seat: int, seed: int) -> list[int]:
        cards, rng = cards_of(game.config), np.random.default_rng([self.seed, seat])
        if int(game.config.modern):
            return construct(cards, self.constructs_as, rng)
        by_number = {card.number: card for card in cards}
        strategy = strategy_named(self.drafts_as)
        picked: list[CardType] = []
        for offer in game.initial_state(seed=seed).record.draft:
            offered = [by_number[int(number)] for number in offer]
            picked.append(offered[strategy.pick(offered, picked, seat, rng)])
        return [card.number for card in picked]

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """What is legal of the turn it would write."""
        return Plan(tuple(legal_turn(state, self.turn(state))), None)

    @abstractmethod
    def turn(self, state: State) -> list[Action]:
        """The turn as it would be written; what is illegal in it is skipped."""

    def __repr__(self) -> str:
        return f"locm-{type(self).__name__.lower()}"


class Baseline1(LocmAgent):
    """Passes over its cards again and again: every card does the first thing it can."""

    drafts_as = "baseline1"
    constructs_as = "mana-curve"

    def turn(self, state: State) -> list[Action]:
        """Pass after pass, until a card can do nothing: the n-th pass summons to lane n mod 2; one item a turn."""
        now, written = state.copy(), []
        number, item_used, idle = 0, False, False
        while not idle and not now.is_over():
            block = input_block(now)
            for card in block.cards:
                if card.location == protocol.ENEMY_BOARD or now.is_over():
                    continue
                if card.kind != CREATURE and item_used:
                    idle = True
                    continue
                action = self._action(input_block(now), card, number % int(now.game.config.lanes))
                code = None if action is None else as_number(action)
                if action is None or code is None or not now.is_legal(code):
                    idle = True
                    continue
                now.apply(code)
                written.append(action)
                item_used = item_used or action.verb == USE
            idle = idle or not block.cards
            number += 1
        return written

    def _action(self, block: InputBlock, card: CardLine, lane: int) -> Action | None:
        """The one thing a card would do."""
        enemies = [other for other in block.cards if other.location == protocol.ENEMY_BOARD]
        if card.location == protocol.OWN_BOARD:
            guards = (o for o in enemies if o.lane == card.lane and o.abilities & 1 << Ability.GUARD)
            guard = next(guards, None)
            return Action(ATTACK, card.instance, FACE if guard is None else guard.instance)
        if card.kind == CREATURE:
            return Action(SUMMON, card.instance, lane)
        if card.kind == BLUE:
            return Action(USE, card.instance, FACE)
        own = [other for other in block.cards if other.location == protocol.OWN_BOARD]
        target = next(iter(own if card.kind == GREEN else enemies), None)
        return None if target is None else Action(USE, card.instance, target.instance)


class Baseline2(LocmAgent):
    """Everything attacks the opponent, else his guards; then everything is summoned, strongest first. No items."""

    drafts_as = "max-attack"
    constructs_as = "max-attack"

    def turn(self, state: State) -> list[Action]:
        """The whole list, whatever of it is legal."""
        return list(self._wishes(input_block(state)))

    def _wishes(self, block: InputBlock) -> Iterator[Action]:
        by_attack = sorted(block.cards, key=lambda card: -card.attack)
        enemies = sorted((c for c in block.cards if c.location == protocol.ENEMY_BOARD), key=lambda c: -c.defense)
        guards = [card for card in enemies if card.abilities & 1 << Ability.GUARD]
        for card in by_attack:
            if card.location == protocol.OWN_BOARD:
                yield Action(ATTACK, card.instance, FACE)
                for guard in guards:
                    yield Action(ATTACK, card.instance, guard.instance)
        for card in by_attack:
            if card.location == protocol.HAND and card.kind == CREATURE:
                yield Action(SUMMON, card.instance, 0)
                yield Action(SUMMON, card.instance, 1)
