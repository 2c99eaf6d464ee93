"""Positions written in short, and actions written as verbs, so that a test of a rule reads like the rule.

A board is text, one creature after the other in the order of summoning: ``L 5/3 BW, R 2/2`` has a creature with 5
attack, 3 defense, Breakthrough and Ward in the left lane and a plain one in the right. ``L #67`` is card 67 as printed,
``L #67 5/1`` the same card with other values. Behind it, ``asleep`` can't attack yet and ``spent`` has attacked.
Hands and decks are card numbers. Creatures and cards are named by their place on a board or in a hand.

Whoever is to move is "own", the other is the "enemy"; the first player moves on even turns.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from tactician.contract import Game, State
from tactician.games.locm import locm
from tactician.games.locm.cards import CardKind, CardType, ability_mask, ability_text
from tactician.games.locm.positions import cards_of

PLAIN = 3
"""A creature of cost 1 without any effect: what boards and decks are filled with."""
DECK = 30
RUNES = (25, 20, 15, 10, 5, 0)
FACE = None
_UNIT = re.compile(r"([LR])(?: #(\d+))?(?: (\d+)/(\d+))?(?: ([BCDGLW]+))?( asleep| spent)?")


@cache
def game(**options: Any) -> Game:
    """The game with some parameters changed, everything in the open unless said otherwise."""
    return locm(**{"information": "open", **options})


@cache
def hidden(**options: Any) -> Game:
    """The game as it is played: the other's hand and all decks face down."""
    return locm(**{"information": "hidden", **options})


def card(
    number: int, kind: CardKind = CardKind.CREATURE, values: str = "2/2", text: str = "", **effects: int
) -> CardType:
    """A card of one's own; `text` are ability letters, effects are cost, own, enemy, draw and area."""
    attack, defense = map(int, values.split("/"))
    return CardType(
        number=number,
        name=f"{kind.name.lower()} {number}",
        kind=kind,
        cost=effects.get("cost", 1),
        attack=attack,
        defense=defense,
        abilities=ability_mask(text),
        player_hp=effects.get("own", 0),
        enemy_hp=effects.get("enemy", 0),
        card_draw=effects.get("draw", 0),
        area=effects.get("area", 0),
    )


# -- positions -------------------------------------------------------------------------------------------------


def position(
    own: str = "",
    enemy: str = "",
    *,
    hand: Sequence[int] = (),
    enemy_hand: Sequence[int] = (),
    deck: Sequence[int] | None = None,
    enemy_deck: Sequence[int] | None = None,
    mana: int = 12,
    hp: int = 30,
    enemy_hp: int = 30,
    rune: int | None = None,
    enemy_rune: int | None = None,
    turn: int = 10,
    of: Game | None = None,
    draft: Sequence[Sequence[int]] | None = None,
    **fields: int,
) -> State:
    """A state. Decks are what is left of them, by default all cards that are nowhere else; `fields` are of the player
    to move (`next_draw`, `bonus`, `max_mana`, `lost`) or, as `enemy_next_draw`, of the other."""
    of = of or game()
    modern = bool(of.config.modern)
    me = turn % 2
    sides: list[dict[str, Any]] = [{}, {}]
    decks: list[list[Any]] = [[], []]
    for seat, board, cards, rest, health, next_rune, prefix in (
        (me, own, hand, deck, hp, rune, ""),
        (1 - me, enemy, enemy_hand, enemy_deck, enemy_hp, enemy_rune, "enemy_"),
    ):
        units = [text.strip() for text in board.split(",") if text.strip()]
        numbers = [_card_of(text) for text in units] + list(cards)
        left = DECK - len(numbers) if rest is None else len(rest)
        numbers += [PLAIN] * (DECK - left - len(numbers))  # played and gone
        numbers += [PLAIN] * left if rest is None else list(rest)
        ids = [2 * DECK * seat + 2 * i if modern else 2 * i + seat + 1 for i in range(DECK)]
        decks[seat] = [[i, n] for i, n in zip(ids, numbers, strict=True)] if modern else numbers
        places = range(len(units), len(units) + len(cards))
        full = min(12, turn // 2 + 1)

        def field(name: str, default: int, prefix: str = prefix) -> int:
            return fields.get(prefix + name, default)

        if modern:
            loss = {"lost": field("lost", 0)}
        else:
            loss = {"rune": next(r for r in RUNES if r < max(health, 1)) if next_rune is None else next_rune}
        sides[seat] = {
            "hp": health,
            **loss,
            "max_mana": field("max_mana", full),
            "mana": mana if seat == me else field("mana", full),
            "bonus": field("bonus", 0),
            "next_draw": field("next_draw", 1),
            "shown_draw": 1,
            "deck_n": left,
            "hand": [[ids[place], numbers[place]] for place in places],
            "board": [_unit_json(of, text, ids[i], seat == me) for i, text in enumerate(units)],
            "acts": [],
        }
    state = {"turn": turn, "cur": me, "winner": -1, "players": sides, "decks": decks}
    if draft is not None:
        state["draft"] = [list(offer) for offer in draft]
    return of.state_from_json(state)


def _parts(text: str) -> re.Match[str]:
    match = _UNIT.fullmatch(text)
    assert match, f"{text!r} is not a creature"
    return match


def _card_of(text: str) -> int:
    return int(_parts(text)[2] or PLAIN)


def _unit_json(of: Game, text: str, identity: int, moves: bool) -> dict[str, Any]:
    match = _parts(text)
    number = _card_of(text)
    printed = next(card for card in cards_of(of.config) if card.number == number)
    # With values of its own a creature has the abilities that are written; else those of its card.
    own_values = match[3] is not None
    effects = [printed.player_hp, printed.enemy_hp, printed.card_draw]
    return {
        "id": identity,
        "card": number,
        "lane": "LR".index(match[1]),
        "cost": printed.cost,
        "atk": int(match[3]) if own_values else printed.attack,
        "def": int(match[4]) if own_values else printed.defense,
        "ab": ability_text(ability_mask(match[5] or "") if own_values or match[5] else printed.abilities),
        "can": int(moves and match[6] is None),
        "att": int(match[6] == " spent"),
        "eff": [*effects, printed.area] if of.config.modern else effects,
    }


# -- what is where ---------------------------------------------------------------------------------------------


def me(state: State) -> int:
    return int(state.to_json()["cur"])


def side(state: State, player: int) -> dict[str, Any]:
    """The JSON of one player."""
    found: dict[str, Any] = state.to_json()["players"][player]
    return found


def board(state: State, player: int) -> str:
    """The creatures of a player in the notation of this module, without card numbers and readiness."""
    return ", ".join(
        f"{'LR'[u['lane']]} {u['atk']}/{u['def']} {u['ab'].replace('-', '')}".strip()
        for u in side(state, player)["board"]
    )


def health(state: State) -> tuple[int, int]:
    """Of the first and the second player."""
    return side(state, 0)["hp"], side(state, 1)["hp"]


def hand(state: State, player: int) -> list[int]:
    return [number for _, number in side(state, player)["hand"]]


def ready(state: State, player: int) -> list[int]:
    """For each creature whether it can attack."""
    return [u["can"] for u in side(state, player)["board"]]


def winner(state: State) -> int | None:
    found = int(state.to_json()["winner"])
    assert state.is_over() == (found >= 0)
    return found if found >= 0 else None


def card_id(state: State, place: int) -> int:
    """The instance id of a card in the hand of the player to move."""
    return int(side(state, me(state))["hand"][place][0])


def unit_id(state: State, player: int, place: int) -> int:
    return int(side(state, player)["board"][place]["id"])


# -- actions ---------------------------------------------------------------------------------------------------


def act(state: State, text: str) -> State:
    """The state after an action as bots write it; an illegal one is refused."""
    return state.copy().apply(state.game.action_from_json(text))


def summon(state: State, place: int, lane: str = "L") -> State:
    return act(state, f"SUMMON {card_id(state, place)} {'LR'.index(lane)}")


def attack(state: State, place: int, target: int | None = FACE) -> State:
    """A creature attacks a place on the enemy board, or the enemy himself."""
    them = -1 if target is None else unit_id(state, 1 - me(state), target)
    return act(state, f"ATTACK {unit_id(state, me(state), place)} {them}")


def use(state: State, place: int, target: int | None = FACE) -> State:
    """An item is used on a place of the board it is for, or on the enemy himself."""
    item = next(c for c in cards_of(state.game.config) if c.number == hand(state, me(state))[place])
    owner = me(state) if item.kind == CardKind.GREEN else 1 - me(state)
    them = -1 if target is None else unit_id(state, owner, target)
    return act(state, f"USE {card_id(state, place)} {them}")


def end_turn(state: State) -> State:
    return act(state, "PASS")


def legal(state: State) -> list[str]:
    return [state.game.action_to_json(action) for action in state.legal_actions()]


def possible(state: State) -> list[str]:
    return [state.game.action_to_json(action) for action in state.possible_actions()]


# -- many positions --------------------------------------------------------------------------------------------


def random_play(of: Game, seed: int, hurry: float = 0.1, **options: Any) -> Iterator[State]:
    """The states of a random game, the last one included; each is a copy."""
    chance = random.Random(seed)
    state = of.initial_state(seed, **options)
    while True:
        yield state.copy()
        if state.is_over():
            return
        actions = state.legal_actions()
        ends = len(actions) == 1 or chance.random() < hurry
        state.apply(actions[-1] if ends else chance.choice(actions[:-1]))


def a_reached_state(of: Game, seed: int, steps: int) -> State:
    """A state of a random game after some steps, or the last one that is not over."""
    last = None
    for step, state in enumerate(random_play(of, seed)):
        if not state.is_over():
            last = state
        if step == steps:
            break
    assert last is not None
    return last
