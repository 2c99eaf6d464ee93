"""What a bot knows of a game of Legends of Code and Magic: every block it has read, put together to one position.

The position is that of `State.observe`, in the form of recordings. All of it can be known from the blocks if the bot
was there from the beginning: its own deck from its picks, draws and plays of both sides from the instance ids, the turn
by counting. Whoever joins a game that is under way guesses what is missing: cards of his own deck from all there are,
the turn from the mana. In version 1.5 the opponent's count of health lost in his own turn is taken as 0, which it is
with cards that hurt nobody but the enemy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from tactician.games.locm import protocol
from tactician.games.locm.cards import ability_text
from tactician.games.locm.drafts import instance_id
from tactician.games.locm.effects import MANA_CAP
from tactician.games.locm.protocol import CardLine, InputBlock, PlayerLine, ProtocolError
from tactician.games.locm.records import DECK


class LocmView:
    """The memory of a bot for one game."""

    def __init__(self, version: str = "1.2", seed: int = 0) -> None:
        self.version = version
        self.seat: int | None = None
        """0 or 1, as soon as a block tells."""
        self.turns = 0
        """Own battle turns so far."""
        self.picks: list[int] = []
        """Own card numbers, in the order they were picked or chosen."""
        self._modern = version == "1.5"
        self._offers: list[list[int]] = []
        self._own: dict[int, int] = {}
        """Own cards that were drawn, by instance id, in the order they were first seen."""
        self._played: dict[int, int] = {}
        """The opponent's cards that were played, by instance id."""
        self._own_turn: int | None = None
        self._seed = seed

    @property
    def in_battle(self) -> bool:
        """Whether a battle block has been seen."""
        return self.turns > 0

    def pick(self, block: InputBlock, index: int) -> None:
        """Remember a turn of the draft and what was taken."""
        self._learn_seat(block)
        self._offers.append([card.number for card in block.cards])
        self.picks.append(block.cards[index].number)

    def choose(self, numbers: Sequence[int]) -> None:
        """Remember the deck that was constructed."""
        self.picks = list(numbers)

    def position(self, block: InputBlock, cards: Sequence[int]) -> dict[str, Any]:
        """What is known at the beginning of an own turn; `cards` are the numbers of all cards there are."""
        self._learn_seat(block)
        me = self.seat or 0
        self._count_turn(block, me)
        self._learn_cards(block)
        players: list[dict[str, Any]] = [{}, {}]
        decks: list[list[Any]] = [[], []]
        decks[me], decks[1 - me] = self._own_deck(block, me, cards), self._enemy_deck(block, 1 - me)
        players[me], players[1 - me] = self._me(block, me), self._enemy(block, 1 - me)
        turn = 2 * (self._own_turn or 0) + me
        dead = block.me.hp <= 0 or block.opponent.hp <= 0
        winner = -1 if not dead else (1 - me if block.me.hp <= 0 else me)
        position = {"turn": turn, "cur": me, "winner": winner, "players": players, "decks": decks}
        # Guesses need all of the offers.
        return position | ({"draft": self._offers} if len(self._offers) == DECK else {})

    # -- learning --------------------------------------------------------------------------------------------

    def _learn_seat(self, block: InputBlock) -> None:
        seat = protocol.seat_of(block)
        if seat is None:
            return
        if self.seat is not None and self.seat != seat:
            raise ProtocolError(f"the block is one of player {seat}; expected one of player {self.seat} as before.")
        self.seat = seat

    def _count_turn(self, block: InputBlock, me: int) -> None:
        self.turns += 1
        if self._own_turn is not None:
            self._own_turn += 1
        elif self.picks:
            self._own_turn = 0
        else:
            # The first player's mana counts the turns, up to its cap.
            first = block.me if me == 0 else block.opponent
            self._own_turn = max(0, first.max_mana - 1)

    def _learn_cards(self, block: InputBlock) -> None:
        for card in block.cards:
            known = self._played if card.location == protocol.ENEMY_BOARD else self._own
            self._learn(known, card.instance, card.number)
        for seen in block.opponent_actions:
            self._learn(self._played, seen.action.id, seen.number)

    def _learn(self, known: dict[int, int], instance: int, number: int) -> None:
        if not 0 <= instance < 4 * DECK:
            raise ProtocolError(f"an instance id is {instance}; expected 0 to {4 * DECK - 1}.")
        # In version 1.5 a creature's copy has the next id.
        known.setdefault(instance - instance % 2 if self._modern else instance, number)

    # -- decks -----------------------------------------------------------------------------------------------

    def _own_deck(self, block: InputBlock, me: int, cards: Sequence[int]) -> list[Any]:
        drawn = DECK - self._deck_size(block.me)
        return self._own_modern(me, drawn, cards) if self._modern else self._own_classic(me, drawn, cards)

    def _own_classic(self, me: int, drawn: int, cards: Sequence[int]) -> list[int | None]:
        """By place: ids tell where a card lay. The rest in the order of the numbers, as nobody knows another."""
        known = {self._place(instance, me): number for instance, number in self._own.items()}
        left = Counter(self.picks) - Counter(known.values())
        rest = sorted(left.elements())[: DECK - drawn]
        rest += self._guessed(DECK - drawn - len(rest), cards)
        return [*(known.get(place) for place in range(drawn)), *sorted(rest)]

    def _own_modern(self, me: int, drawn: int, cards: Sequence[int]) -> list[Any]:
        """Ids tell the order of choosing; drawn cards come in the order in which they were seen."""
        ids = [2 * (DECK * me + place) for place in range(DECK)]
        seen: list[Any] = []
        seen += [[instance, number] for instance, number in self._own.items()][:drawn]
        seen += [[None, None]] * (drawn - len(seen))
        left = (
            [place for place in range(DECK) if ids[place] not in self._own][-(DECK - drawn) :] if drawn < DECK else []
        )
        guesses = self._guessed(len(left), cards)
        chosen = self.picks if len(self.picks) == DECK else None
        return [*seen, *([ids[p], chosen[p] if chosen else guesses[i]] for i, p in enumerate(left))]

    def _enemy_deck(self, block: InputBlock, enemy: int) -> list[Any]:
        self._deck_size(block.opponent)
        if self._modern:
            played: list[list[int | None]] = [list(pair) for pair in sorted(self._played.items())]
            return (played + [[None, None]] * DECK)[:DECK]
        known = {self._place(instance, enemy): number for instance, number in self._played.items()}
        return [known.get(place) for place in range(DECK)]

    def _deck_size(self, player: PlayerLine) -> int:
        if not 0 <= player.deck <= DECK:
            raise ProtocolError(f"a deck has {player.deck} cards; expected 0 to {DECK}.")
        return player.deck

    def _place(self, instance: int, owner: int) -> int:
        place, odd = divmod(instance - 1 - owner, 2)
        if odd or not 0 <= place < DECK:
            raise ProtocolError(f"instance id {instance} is not a card of player {owner}.")
        return place

    def _guessed(self, count: int, cards: Sequence[int]) -> list[int]:
        """Cards that could be anything; the same in every block, so that plans don't change with the guess."""
        return [int(number) for number in np.random.default_rng(self._seed).choice(cards, max(0, count))]

    # -- players ---------------------------------------------------------------------------------------------

    def _me(self, block: InputBlock, me: int) -> dict[str, Any]:
        mana, own_turn = block.me.max_mana, self._own_turn or 0
        return {
            **self._player(block.me),
            "mana": mana,
            "bonus": int(me == 1 and mana == min(own_turn + 1, MANA_CAP) + 1),
            "next_draw": 1,
            "hand": [[card.instance, card.number] for card in block.cards if card.location == protocol.HAND],
            "board": self._board(block, protocol.OWN_BOARD),
            "acts": [],
        }

    def _enemy(self, block: InputBlock, enemy: int) -> dict[str, Any]:
        return {
            **self._player(block.opponent),
            "mana": 0,
            "bonus": 0,
            "next_draw": block.opponent.draw,
            "hand": self._enemy_hand(block, enemy),
            "board": self._board(block, protocol.ENEMY_BOARD),
            "acts": [seen.action.text(self.version) for seen in block.opponent_actions],
        }

    def _enemy_hand(self, block: InputBlock, enemy: int) -> list[list[int | None]]:
        """Face down. In version 1.2 it is known where in the deck the cards lay: at the places that weren't played."""
        drawn = DECK - block.opponent.deck
        if self._modern:
            return [[None, None]] * block.opponent_hand
        played = {self._place(instance, enemy) for instance in self._played}
        held = [place for place in range(drawn) if place not in played]
        if len(held) < block.opponent_hand:
            raise ProtocolError(f"the opponent has {block.opponent_hand} cards in hand; expected {len(held)} at most.")
        held = held[len(held) - block.opponent_hand :]
        return [[instance_id(place, enemy), None] for place in held]

    def _player(self, line: PlayerLine) -> dict[str, Any]:
        loss = {"lost": 0} if self._modern else {"rune": line.rune or 0}
        return {
            "hp": line.hp,
            **loss,
            "max_mana": line.max_mana,
            "shown_draw": line.draw,
            "deck_n": line.deck,
        }

    def _board(self, block: InputBlock, location: int) -> list[dict[str, Any]]:
        ready = int(location == protocol.OWN_BOARD)
        return [self._creature(card, ready) for card in block.cards if card.location == location]

    def _creature(self, card: CardLine, ready: int) -> dict[str, Any]:
        effects = [card.player_hp, card.enemy_hp, card.card_draw]
        return {
            "id": card.instance,
            "card": card.number,
            "lane": card.lane,
            "cost": card.cost,
            "atk": card.attack,
            "def": card.defense,
            "ab": ability_text(card.abilities),
            "can": ready,
            "att": 0,
            "eff": [*effects, card.area] if self._modern else effects,
        }
