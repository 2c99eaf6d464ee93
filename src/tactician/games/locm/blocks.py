"""Convert between our states and actions and those of the bots' protocol."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tactician.contract.state import State
from tactician.games.locm import actions, protocol
from tactician.games.locm.positions import cards_of, creature_numbers, unpack
from tactician.games.locm.protocol import CardLine, InputBlock, PlayerLine, SeenAction
from tactician.games.locm.records import DECK
from tactician.native.records import FieldRecord


def version_of(g: FieldRecord) -> str:
    """Return the version of a configuration."""
    if int(g.modern):
        return "1.5"
    return "1.2" if int(g.lanes) > 1 else "1.0"


def input_block(state: State) -> InputBlock:
    """Return the input block of the player to move."""
    g, s = state.game.config, state.record
    me = int(s.player)
    return InputBlock(
        me=_player_line(g, s, me),
        opponent=_player_line(g, s, 1 - me),
        opponent_hand=int(s.hand_n[1 - me]),
        opponent_actions=[_seen(s, int(action)) for action in s.acts[1 - me, : int(s.acts_n[1 - me])]],
        cards=_hand_lines(g, s, me) + _board_lines(g, s, me, True) + _board_lines(g, s, 1 - me, False),
    )


def _player_line(g: FieldRecord, s: FieldRecord, player: int) -> PlayerLine:
    return PlayerLine(
        hp=int(s.hp[player]),
        max_mana=int(s.max_mana[player]),
        deck=DECK - int(s.drawn[player]),
        rune=None if int(g.modern) else int(s.rune[player]),
        draw=int(s.shown_draw[player]),
    )


def as_action(number: int) -> protocol.Action:
    """Return an action, other than the end of the turn, as the protocol writes it."""
    kind, who, where = actions.split_action(number)
    return protocol.Action(actions.VERBS[kind], who, where if kind == actions.SUMMON else where - 1)


def as_number(action: protocol.Action) -> int | None:
    """Return the number of a written action; None if its ids or lane are out of range."""
    kind = next(kind for kind, verb in actions.VERBS.items() if verb == action.verb)
    return actions.encode(kind, action.id, action.target)


def legal_turn(state: State, written: Iterable[protocol.Action]) -> list[int]:
    """Return the executed actions of a written turn: like the referee, skip what is illegal at its moment.

    The end of the turn is appended unless the game ends before.
    """
    now, turn = state.copy(), []
    for action in written:
        number = as_number(action)
        if number is not None and now.is_legal(number):
            now.apply(number)
            turn.append(number)
            if now.is_over():
                return turn
    return [*turn, actions.PASS]


def _seen(s: FieldRecord, number: int) -> SeenAction:
    _, who, _ = actions.split_action(number)
    return SeenAction(actions.card_of_instance(s, who), as_action(number))


def _hand_lines(g: FieldRecord, s: FieldRecord, player: int) -> list[CardLine]:
    cards = {card.number: card for card in cards_of(g)}
    lines = []
    for place in s.hand[player, : int(s.hand_n[player])]:
        card = cards[int(s.deck[player, place])]
        lines.append(replace(protocol.offered_line(card), instance=int(s.deck_id[player, place])))
    return lines


def _board_lines(g: FieldRecord, s: FieldRecord, player: int, own: bool) -> list[CardLine]:
    lines = []
    for unit in s.units[player, : int(s.units_n[player])]:
        creature = unpack(int(unit))
        lines.append(
            CardLine(
                number=creature.card,
                instance=creature.id,
                location=protocol.OWN_BOARD if own else protocol.ENEMY_BOARD,
                lane=creature.lane,
                **creature_numbers(g, s, creature),
            )
        )
    return lines
