"""Positions for people and files: the deal, the canonical JSON, drawings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tactician.contract.records import interpreted_record
from tactician.contract.twins import interpreted
from tactician.errors import InvalidParameterError, InvalidStateError, short
from tactician.games.locm import actions, drafts, effects
from tactician.games.locm.cards import CARDS, CardType, ability_mask, ability_text
from tactician.games.locm.decks import SetGame, paper_decks, sets
from tactician.games.locm.generator import ConstructedSeeds, DraftSeeds, constructed_seeds, draft_seeds
from tactician.games.locm.records import (
    ACTS,
    BOARD,
    DECK,
    HAND,
    NO_CARD,
    OFFERED,
    UNKNOWN,
    abilities_of,
    attack_of,
    can_attack,
    card_of,
    creature,
    defense_of,
    has_attacked,
    id_of,
    lane_of,
    with_readiness,
)
from tactician.games.locm.strategies import CONSTRUCTIONS, STRATEGIES

BY_DRAFT, BY_PAPER = 0, 1
"""Where decks come from: a draft (or a construction) by strategies, or the paper's 300 decks."""
_PLAYER_FIELDS = ("hp", "max_mana", "mana", "bonus", "next_draw", "shown_draw", "deck_n", "hand", "board", "acts")
_UNIT_FIELDS = ("id", "card", "lane", "cost", "atk", "def", "ab", "can", "att", "eff")
_MAX_TURN, _MAX_HP, _MAX_VALUE, _MAX_DRAW = 30_000, 30_000, 30_000, 1_000


# -- the deal ----------------------------------------------------------------------------------------------------


def deal(
    g: Any,
    s: Any,
    rng: np.random.Generator,
    seed: int = 0,
    master: int | None = None,
    decks: Sequence[Sequence[int | drafts.DeckCard]] | None = None,
    offers: Sequence[Sequence[int]] | None = None,
) -> None:
    """Draft, shuffle and begin the first turn.

    `master` is the referee's own seed, which gives the very offers and shuffles the official referee would deal.
    `decks` are two lists of 30 cards in draw order instead of a draft, `offers` what they were picked from. Of the
    paper's 600 pairs of decks the seed names one.
    """
    if decks is not None:
        _put_given_decks(g, s, decks)
        if offers is not None:
            s.draft = offers
    elif int(g.deal) == BY_PAPER:
        _put_paper_decks(g, s, seed)
    else:
        _draft(g, s, rng, int(rng.integers(-(2**63), 2**63)) if master is None else master)
    begin(g, s)


def begin(g: Any, s: Any) -> None:
    """From two decks in place to the first turn."""
    record, config = interpreted_record(s), interpreted_record(g)
    interpreted(effects.open_battle)(config, record)
    interpreted(effects.switch_turn)(config, record)


def _draft(g: Any, s: Any, rng: np.random.Generator, master: int) -> None:
    if int(g.modern):
        built: ConstructedSeeds = constructed_seeds(master)
        names = [list(CONSTRUCTIONS)[int(number)] for number in g.strategies]
        for seat, (name, seed) in enumerate(zip(names, (built.shuffle_0, built.shuffle_1), strict=True)):
            put_deck(s, seat, drafts.constructed_deck(drafts.construct(cards_of(g), name, rng), seat, seed))
        return
    seeds: DraftSeeds = draft_seeds(master)
    draft = drafts.draft_from_seed(seeds.draft, cards_of(g))
    chosen = [STRATEGIES[list(STRATEGIES)[int(number)]] for number in g.strategies]
    picks = drafts.play_draft(draft, chosen, rng, cards_of(g))
    s.draft = draft.triplets
    for seat, seed in enumerate((seeds.shuffle_0, seeds.shuffle_1)):
        put_deck(s, seat, drafts.drafted_deck(picks[seat].numbers, seat, seed))


def _put_given_decks(g: Any, s: Any, decks: Sequence[Sequence[int | drafts.DeckCard]]) -> None:
    known = {card.number for card in cards_of(g)}
    if len(decks) != 2:
        raise InvalidParameterError(f"decks are {len(decks)} lists; expected one for each of 2 players.")
    for seat, deck in enumerate(decks):
        numbers = [card.number if isinstance(card, drafts.DeckCard) else card for card in deck]
        if len(deck) != DECK or not known.issuperset(numbers):
            raise InvalidParameterError(f"deck {seat} is {short(numbers)}; expected {DECK} numbers of known cards.")
        dealt = [card for card in deck if isinstance(card, drafts.DeckCard)]
        if len(dealt) == DECK:
            put_deck(s, seat, dealt)
        else:
            put_numbers(g, s, seat, numbers)


def put_numbers(g: Any, s: Any, seat: int, numbers: Sequence[int]) -> None:
    """A deck in draw order, with the instance ids of the version."""
    ids = [2 * DECK * seat + 2 * i if int(g.modern) else drafts.instance_id(i, seat) for i in range(DECK)]
    put_deck(s, seat, [drafts.DeckCard(i, number) for i, number in zip(ids, numbers, strict=True)])


def _put_paper_decks(g: Any, s: Any, number: int) -> None:
    for seat, deck in enumerate(paper_start(number).decks(_paper_decks(int(g.deck_seed)))):
        put_numbers(g, s, seat, deck)


def paper_start(number: int) -> SetGame:
    """Which decks meet in a start of the paper's protocol; the arena plays each start from both sides."""
    games = [game for of_set in sets() for game in of_set if game.first_program == 0]
    return games[number % len(games)]


_paper_decks = lru_cache(maxsize=4)(paper_decks)


def put_deck(s: Any, seat: int, deck: Sequence[drafts.DeckCard]) -> None:
    """Lay a deck down in draw order."""
    s.deck[seat] = [card.number for card in deck]
    s.deck_id[seat] = [card.instance for card in deck]


# -- cards -------------------------------------------------------------------------------------------------------


def cards_of(g: Any) -> tuple[CardType, ...]:
    """The card table back from a configuration; names are those of the 160 cards where the numbers agree."""
    return _cards_of(g.tobytes(), int(g.cards), g)


_TABLES: dict[bytes, tuple[CardType, ...]] = {}


def _cards_of(key: bytes, count: int, g: Any) -> tuple[CardType, ...]:
    if key in _TABLES:
        return _TABLES[key]
    names = {card.number: card for card in CARDS}
    table = []
    for number in range(count):
        if int(g.kind[number]) == NO_CARD:
            continue
        card = CardType(
            number=number,
            name=f"card {number}",
            kind=int(g.kind[number]),
            cost=int(g.cost[number]),
            attack=int(g.attack[number]),
            defense=int(g.defense[number]),
            abilities=int(g.abilities[number]),
            player_hp=int(g.own_hp[number]),
            enemy_hp=int(g.enemy_hp[number]),
            card_draw=int(g.draws[number]),
            area=int(g.area[number]),
        )
        known = names.get(number)
        same = known is not None and (known.kind, known.cost, known.attack, known.defense) == (
            card.kind,
            card.cost,
            card.attack,
            card.defense,
        )
        table.append(known if same and known is not None and not int(g.modern) else card)
    if len(_TABLES) > 16:
        _TABLES.clear()
    _TABLES[key] = tuple(table)
    return _TABLES[key]


def card_name(g: Any, s: Any, identity: int) -> str:
    """What the card of an instance id is called."""
    number = actions.card_of_instance(s, identity)
    return next((card.name for card in cards_of(g) if card.number == number), "a card")


# -- JSON --------------------------------------------------------------------------------------------------------


def to_json(g: Any, s: Any) -> dict[str, Any]:
    """The state as recordings write it, with the decks in draw order; what a viewer doesn't know is null."""
    decks: list[list[Any]] = []
    for seat in range(2):
        numbers = [_or_null(card) for card in s.deck[seat]]
        ids = [_or_null(identity) for identity in s.deck_id[seat]]
        decks.append([list(pair) for pair in zip(ids, numbers, strict=True)] if int(g.modern) else numbers)
    position: dict[str, Any] = {
        "turn": int(s.turn),
        "cur": int(s.player),
        "winner": int(s.winner) if s.over else -1,
        "players": [_player_json(g, s, seat) for seat in range(2)],
        "decks": decks,
    }
    if s.draft.any():
        position["draft"] = s.draft.tolist()
    return position


def _or_null(number: Any) -> int | None:
    return None if int(number) == UNKNOWN else int(number)


def _player_json(g: Any, s: Any, seat: int) -> dict[str, Any]:
    places = s.hand[seat, : int(s.hand_n[seat])]
    hand = [[_or_null(s.deck_id[seat, place]), _or_null(s.deck[seat, place])] for place in places]
    loss = {"lost": int(s.lost[seat])} if int(g.modern) else {"rune": int(s.rune[seat])}
    return {
        "hp": int(s.hp[seat]),
        **loss,
        "max_mana": int(s.max_mana[seat]),
        "mana": int(s.mana[seat]),
        "bonus": int(s.bonus[seat]),
        "next_draw": int(s.next_draw[seat]),
        "shown_draw": int(s.shown_draw[seat]),
        "deck_n": DECK - int(s.drawn[seat]),
        "hand": hand,
        "board": [_unit_json(g, s, int(unit)) for unit in s.units[seat, : int(s.units_n[seat])]],
        "acts": [actions.to_json(g, int(action)) for action in s.acts[seat, : int(s.acts_n[seat])]],
    }


class Unit(NamedTuple):
    """A creature, unpacked."""

    id: int
    card: int
    lane: int
    abilities: int
    attack: int
    defense: int
    can: int
    attacked: int


_READERS = tuple(
    interpreted(f) for f in (id_of, card_of, lane_of, abilities_of, attack_of, defense_of, can_attack, has_attacked)
)
_pack, _with_readiness = interpreted(creature), interpreted(with_readiness)


def unit_fields(unit: int) -> Unit:
    """What is packed into a creature's word."""
    return Unit(*(read(unit) for read in _READERS))


def _unit_json(g: Any, s: Any, unit: int) -> dict[str, Any]:
    u = unit_fields(unit)
    return {
        "id": u.id,
        "card": u.card,
        "lane": u.lane,
        "cost": int(g.cost[u.card]),
        "atk": u.attack,
        "def": u.defense,
        "ab": ability_text(u.abilities),
        "can": u.can,
        "att": u.attacked,
        "eff": shown_effects(g, s, unit),
    }


def shown_effects(g: Any, s: Any, unit: int) -> list[int]:
    """The effect numbers a bot is shown for a creature in play: its card's, in version 1.2 only until it is touched."""
    u = unit_fields(unit)
    printed = [int(g.own_hp[u.card]), int(g.enemy_hp[u.card]), int(g.draws[u.card])]
    if int(g.modern):
        return [*printed, int(g.area[u.card])]
    return [0, 0, 0] if int(s.touched[u.id >> 6]) >> (u.id & 63) & 1 else printed


def from_json(g: Any, s: Any, data: Any) -> None:
    """Fill a state from the canonical form; refuses what no game could have by its fields' ranges."""
    _require_fields("state", data, ("turn", "cur", "winner", "players", "decks"), ("draft",))
    s.turn = _integer("turn", data["turn"], -1, _MAX_TURN)
    s.player = _integer("cur", data["cur"], 0, 1)
    winner = _integer("winner", data["winner"], -1, 1)
    s.over, s.winner = int(winner >= 0), max(0, winner)
    if s.turn % 2 != s.player:
        raise InvalidStateError(f"cur is {data['cur']} in turn {data['turn']}; expected 0 on even turns, 1 on odd.")
    players = _list("players", data["players"], 2, 2)
    decks = _list("decks", data["decks"], 2, 2)
    for seat in range(2):
        _read_deck(g, s, seat, decks[seat])
        _read_player(g, s, seat, players[seat])
    if "draft" in data:
        for turn, offer in enumerate(_list("draft", data["draft"], DECK, DECK)):
            for i, card in enumerate(_list(f"draft turn {turn}", offer, OFFERED, OFFERED)):
                s.draft[turn, i] = _card_number(g, "card of the draft", card)


def _read_deck(g: Any, s: Any, seat: int, deck: Any) -> None:
    entries = _list(f"deck {seat}", deck, DECK, DECK)
    for place, entry in enumerate(entries):
        if int(g.modern):
            identity, card = _list(f"entry of deck {seat}", entry, 2, 2)
            s.deck_id[seat, place] = UNKNOWN if identity is None else _integer("id", identity, 0, actions.MAX_ID)
        else:
            card = entry
            s.deck_id[seat, place] = drafts.instance_id(place, seat)
        s.deck[seat, place] = UNKNOWN if card is None else _card_number(g, f"card of deck {seat}", card)


def _read_player(g: Any, s: Any, seat: int, data: Any) -> None:
    loss = "lost" if int(g.modern) else "rune"
    _require_fields(f"player {seat}", data, (*_PLAYER_FIELDS, loss), ())
    s.hp[seat] = _integer("hp", data["hp"], -_MAX_HP, _MAX_HP)
    if int(g.modern):
        s.lost[seat] = _integer("lost", data["lost"], 0, _MAX_HP)
    else:
        s.rune[seat] = _integer("rune", data["rune"], 0, effects.FIRST_RUNE)
        if s.rune[seat] % effects.RUNE_STEP:
            raise InvalidStateError(f"rune is {data['rune']}; expected 25, 20, 15, 10, 5 or 0.")
    s.max_mana[seat] = _integer("max_mana", data["max_mana"], 0, effects.MANA_CAP + 1)
    s.mana[seat] = _integer("mana", data["mana"], 0, effects.MANA_CAP + 1)
    s.bonus[seat] = _integer("bonus", data["bonus"], 0, 1)
    s.next_draw[seat] = _integer("next_draw", data["next_draw"], 0, _MAX_DRAW)
    s.shown_draw[seat] = _integer("shown_draw", data["shown_draw"], 0, _MAX_DRAW)
    s.drawn[seat] = DECK - _integer("deck_n", data["deck_n"], 0, DECK)
    _read_hand(g, s, seat, _list("hand", data["hand"], 0, HAND))
    units = _list("board", data["board"], 0, BOARD)
    s.units_n[seat] = len(units)
    for i, unit in enumerate(units):
        s.units[seat, i] = _read_unit(g, s, unit)
    lanes = [unit_fields(int(unit)).lane for unit in s.units[seat, : len(units)]]
    if any(lanes.count(lane) > int(g.lane_size) for lane in set(lanes)):
        raise InvalidStateError(f"board of player {seat} has more than {int(g.lane_size)} creatures in a lane.")
    acts = _list("acts", data["acts"], 0, ACTS)
    s.acts_n[seat] = len(acts)
    for i, action in enumerate(acts):
        s.acts[seat, i] = actions.from_json(g, action)


def _read_hand(g: Any, s: Any, seat: int, hand: list[Any]) -> None:
    s.hand_n[seat] = len(hand)
    taken: set[int] = set()
    for i, entry in enumerate(hand):
        identity, card = _list(f"card in hand of player {seat}", entry, 2, 2)
        wanted = (UNKNOWN if identity is None else identity, UNKNOWN if card is None else card)
        for place in range(int(s.drawn[seat])):
            if (int(s.deck_id[seat, place]), int(s.deck[seat, place])) == wanted and place not in taken:
                s.hand[seat, i] = place
                taken.add(place)
                break
        else:
            raise InvalidStateError(
                f"hand of player {seat} has {short(entry)}; expected a card drawn from that player's deck, each once."
            )


def _read_unit(g: Any, s: Any, data: Any) -> int:
    _require_fields("creature", data, _UNIT_FIELDS, ())
    identity = _integer("id", data["id"], 0, actions.MAX_ID)
    card = _card_number(g, "card of a creature", data["card"])
    lane = _integer("lane", data["lane"], 0, int(g.lanes) - 1)
    attack = _integer("atk", data["atk"], 0, _MAX_VALUE)
    defense = _integer("def", data["def"], 1, _MAX_VALUE)
    try:
        abilities = ability_mask(data["ab"])
    except (InvalidParameterError, TypeError, AttributeError):
        raise InvalidStateError(f"ab is {short(data['ab'])}; expected six characters such as 'B--G-W'.") from None
    can, attacked = _integer("can", data["can"], 0, 1), _integer("att", data["att"], 0, 1)
    unit: int = _with_readiness(_pack(identity, card, lane, abilities, attack, defense), can, attacked)
    if data["eff"] != shown_effects(g, s, unit):
        s.touched[identity >> 6] = int(s.touched[identity >> 6]) | 1 << (identity & 63)
    return unit


def _require_fields(what: str, data: Any, needed: Sequence[str], allowed: Sequence[str]) -> None:
    if not isinstance(data, dict):
        raise InvalidStateError(f"{what} is {short(data)}; expected an object with {', '.join(needed)}.")
    for name in needed:
        if name not in data:
            raise InvalidStateError(f"{what} lacks the field {name!r}.")
    for name in data:
        if name not in needed and name not in allowed:
            raise InvalidStateError(f"{what} has an unknown field {name!r}; expected {', '.join(needed)}.")


def _list(what: str, data: Any, least: int, most: int) -> list[Any]:
    if not isinstance(data, list) or not least <= len(data) <= most:
        size = f"{least}" if least == most else f"{least} to {most}"
        raise InvalidStateError(f"{what} is {short(data)}; expected a list of {size}.")
    return data


def _integer(name: str, value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise InvalidStateError(f"{name} is {short(value)}; expected an integer from {least} to {most}.")
    return value


def _card_number(g: Any, what: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value < UNKNOWN or int(g.kind[value]) == NO_CARD:
        raise InvalidStateError(f"{what} is {short(value)}; expected a number of the card table.")
    return value


# -- pictures ----------------------------------------------------------------------------------------------------


def draw_text(g: Any, s: Any) -> str:
    """The position for a terminal."""
    from tactician.games.locm.drawing import draw_text as draw
    from tactician.games.locm.scene import scene_of

    return draw(scene_of(g, s))


def draw_svg(g: Any, s: Any) -> str:
    """The position as a picture."""
    from tactician.games.locm.drawing import draw_svg as draw
    from tactician.games.locm.scene import scene_of

    return draw(scene_of(g, s))
