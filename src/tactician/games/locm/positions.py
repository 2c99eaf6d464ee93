"""Start positions, the canonical JSON form of states, and drawings of Legends of Code and Magic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tactician.contract.reading import entry, integer, require_fields, sequence
from tactician.errors import InvalidParameterError, InvalidStateError, short
from tactician.games.locm import actions, drafts, effects
from tactician.games.locm.cards import CARD_FIELDS, CARDS, MOST_COPIES, OFFERED, CardType, ability_mask, ability_text
from tactician.games.locm.decks import SetGame, paper_decks, sets
from tactician.games.locm.generator import ConstructedSeeds, DraftSeeds, constructed_seeds, draft_seeds
from tactician.games.locm.records import (
    ACTS,
    BOARD,
    CREATURE,
    DECK,
    HAND,
    MAX_DRAW,
    MAX_HP,
    MAX_TURN,
    MAX_VALUE,
    NO_CARD,
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
from tactician.native.records import FieldRecord, interpreted_record
from tactician.native.variants import interpreted

BY_DRAFT, BY_PAPER = 0, 1
"""The source of decks: a draft (or a construction) by strategies, or the paper's 300 decks."""
_PLAYER_FIELDS = ("hp", "max_mana", "mana", "bonus", "next_draw", "shown_draw", "deck_n", "hand", "board", "acts")
_UNIT_FIELDS = ("id", "card", "lane", "cost", "atk", "def", "ab", "can", "att", "eff")


# -- the deal ----------------------------------------------------------------------------------------------------


def deal(
    g: FieldRecord,
    s: FieldRecord,
    rng: np.random.Generator,
    seed: int = 0,
    master: int | None = None,
    decks: Sequence[Sequence[int | drafts.DeckCard]] | None = None,
    offers: Sequence[Sequence[int]] | None = None,
    picks: Sequence[Sequence[int] | None] | None = None,
) -> None:
    """Draft, shuffle and begin the first turn.

    - `master` is the referee's seed: the offers and shuffles are those that the official referee deals for it.
    - `decks` are two lists of 30 cards in draw order instead of a draft; `offers` are what they were picked from.
    - `picks` are the card numbers that each seat takes in the draft, in order; None leaves a seat to its strategy.
    - `seed` selects one of the paper's 600 pairs of decks.
    """
    if picks is not None and (decks is not None or int(g.deal) == BY_PAPER):
        raise InvalidParameterError("picks are given with decks that are not drafted; expected one or the other.")
    if decks is not None:
        _put_given_decks(g, s, decks)
        if offers is not None:
            s.draft = drafts.draft_from_ids(offers, cards_of(g)).triplets
    elif int(g.deal) == BY_PAPER:
        _put_paper_decks(g, s, seed)
    else:
        _draft(g, s, rng, int(rng.integers(-(2**63), 2**63)) if master is None else master, picks or (None, None))
    begin(g, s)


def begin(g: FieldRecord, s: FieldRecord) -> None:
    """Begin the first turn of a state that has its two decks."""
    record, config = interpreted_record(s), interpreted_record(g)
    interpreted(effects.open_battle)(config, record)
    interpreted(effects.switch_turn)(config, record)


def _draft(
    g: FieldRecord, s: FieldRecord, rng: np.random.Generator, master: int, picks: Sequence[Sequence[int] | None]
) -> None:
    if len(picks) != 2:
        raise InvalidParameterError(f"picks are of {len(picks)} seats; expected 2.")
    # Strategies pick for seats with given picks too, so that the other seat's random picks don't depend on them.
    if int(g.modern):
        built: ConstructedSeeds = constructed_seeds(master)
        names = [list(CONSTRUCTIONS)[int(number)] for number in g.strategies]
        for seat, (name, seed) in enumerate(zip(names, (built.shuffle_0, built.shuffle_1), strict=True)):
            own = drafts.construct(cards_of(g), name, rng)
            chosen = own if picks[seat] is None else _checked_choices(g, seat, picks[seat])
            put_deck(s, seat, drafts.constructed_deck(chosen, seat, seed))
        return
    seeds: DraftSeeds = draft_seeds(master)
    draft = drafts.draft_from_seed(seeds.draft, cards_of(g))
    strategies = [STRATEGIES[list(STRATEGIES)[int(number)]] for number in g.strategies]
    played = drafts.play_draft(draft, strategies, rng, cards_of(g))
    s.draft = draft.triplets
    for seat, seed in enumerate((seeds.shuffle_0, seeds.shuffle_1)):
        taken = played[seat].numbers if picks[seat] is None else _checked_picks(draft, seat, picks[seat])
        put_deck(s, seat, drafts.drafted_deck(taken, seat, seed))


def _checked_picks(draft: drafts.Draft, seat: int, picks: Any) -> Sequence[int]:
    if len(picks) != DECK:
        raise InvalidParameterError(f"picks of seat {seat} are {len(picks)} cards; expected {DECK}.")
    for turn, (number, offer) in enumerate(zip(picks, draft.triplets, strict=True), 1):
        if number not in offer:
            raise InvalidParameterError(
                f"pick {turn} of seat {seat} is {short(number)}; expected one of {', '.join(map(str, offer))}."
            )
    return [int(number) for number in picks]


def _checked_choices(g: FieldRecord, seat: int, picks: Any) -> Sequence[int]:
    known = {card.number for card in cards_of(g)}
    copies = Counter(picks)
    if len(picks) != DECK or not known.issuperset(picks) or max(copies.values()) > MOST_COPIES:
        raise InvalidParameterError(
            f"picks of seat {seat} are {short(list(picks))}; expected {DECK} known cards, "
            f"at most {MOST_COPIES} of a kind."
        )
    return [int(number) for number in picks]


def _put_given_decks(g: FieldRecord, s: FieldRecord, decks: Sequence[Sequence[int | drafts.DeckCard]]) -> None:
    known = {card.number for card in cards_of(g)}
    if len(decks) != 2:
        raise InvalidParameterError(f"decks are {len(decks)} lists; expected one for each of 2 players.")
    for seat, deck in enumerate(decks):
        numbers = [card.number if isinstance(card, drafts.DeckCard) else card for card in deck]
        if len(deck) != DECK or not known.issuperset(numbers):
            raise InvalidParameterError(f"deck {seat} is {short(numbers)}; expected {DECK} numbers of known cards.")
        dealt = [card for card in deck if isinstance(card, drafts.DeckCard)]
        if len(dealt) == DECK:
            ids = [card.instance for card in dealt]
            if sorted(ids) != deck_ids(g, seat):
                raise InvalidParameterError(f"ids of deck {seat} are {short(ids)}; expected {_ids_text(g, seat)}.")
            put_deck(s, seat, dealt)
        else:
            put_numbers(g, s, seat, numbers)


def put_numbers(g: FieldRecord, s: FieldRecord, seat: int, numbers: Sequence[int]) -> None:
    """Put a deck into a state in draw order, with the instance ids of the version."""
    put_deck(s, seat, [drafts.DeckCard(i, number) for i, number in zip(deck_ids(g, seat), numbers, strict=True)])


def deck_ids(g: FieldRecord, seat: int) -> list[int]:
    """Return the sorted instance ids of a player's cards: by position in version 1.2, even numbers in 1.5."""
    if int(g.modern):
        return list(range(2 * DECK * seat, 2 * DECK * (seat + 1), 2))
    return [drafts.instance_id(i, seat) for i in range(DECK)]


def _ids_text(g: FieldRecord, seat: int) -> str:
    ids = deck_ids(g, seat)
    return f"{ids[0]}, {ids[1]}, ..., {ids[-1]}, each once"


def _put_paper_decks(g: FieldRecord, s: FieldRecord, number: int) -> None:
    for seat, deck in enumerate(paper_start(number).decks(_paper_decks(int(g.deck_seed)))):
        put_numbers(g, s, seat, deck)


def paper_start(number: int) -> SetGame:
    """Return the decks of a start position of the paper's protocol; the arena plays each from both sides."""
    games = [game for of_set in sets() for game in of_set if game.first_program == 0]
    return games[number % len(games)]


_paper_decks = lru_cache(maxsize=4)(paper_decks)


def put_deck(s: FieldRecord, seat: int, deck: Sequence[drafts.DeckCard]) -> None:
    """Put a deck into a state in draw order."""
    s.deck[seat] = [card.number for card in deck]
    s.deck_id[seat] = [card.instance for card in deck]


# -- cards -------------------------------------------------------------------------------------------------------


def cards_of(g: FieldRecord) -> tuple[CardType, ...]:
    """Return the card table of a configuration; cards that agree with one of the 160 have its name."""
    return _cards_of(g.tobytes(), int(g.cards), g)


_SAME_CARD = ("kind", "cost", "attack", "defense")
"""A card that agrees with one of the 160 cards in these is taken for that card."""
_MOST_TABLES = 16
_TABLES: dict[bytes, tuple[CardType, ...]] = {}


def _cards_of(key: bytes, count: int, g: FieldRecord) -> tuple[CardType, ...]:
    if key in _TABLES:
        return _TABLES[key]
    names = {card.number: card for card in CARDS}
    table = []
    for number in range(count):
        if int(g.kind[number]) == NO_CARD:
            continue
        numbers = {name: int(g[name][number]) for name in CARD_FIELDS}
        known = names.get(number)
        if known is None or int(g.modern) or any(getattr(known, name) != numbers[name] for name in _SAME_CARD):
            known = CardType(number=number, name=f"card {number}", **numbers)
        table.append(known)
    if len(_TABLES) > _MOST_TABLES:
        _TABLES.clear()
    _TABLES[key] = tuple(table)
    return _TABLES[key]


def card_name(g: FieldRecord, s: FieldRecord, identity: int) -> str:
    """Return the name of the card of an instance id."""
    number = actions.card_of_instance(s, identity)
    return next((card.name for card in cards_of(g) if card.number == number), "a card")


# -- JSON --------------------------------------------------------------------------------------------------------


def to_json(g: FieldRecord, s: FieldRecord) -> dict[str, Any]:
    """Return a state as recordings write it, with the decks in draw order; unknown cards are null."""
    decks: list[list[Any]] = []
    for seat in range(2):
        numbers = [_or_null(card) for card in s.deck[seat].tolist()]
        ids = [_or_null(identity) for identity in s.deck_id[seat].tolist()]
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


def _player_json(g: FieldRecord, s: FieldRecord, seat: int) -> dict[str, Any]:
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


class Creature(NamedTuple):
    """A creature on the board, unpacked from its word."""

    id: int
    card: int
    lane: int
    abilities: int
    attack: int
    defense: int
    can_attack: int
    has_attacked: int


_READERS = tuple(
    interpreted(f) for f in (id_of, card_of, lane_of, abilities_of, attack_of, defense_of, can_attack, has_attacked)
)
_pack, _with_readiness = interpreted(creature), interpreted(with_readiness)


def unpack(unit: int) -> Creature:
    """Return what is packed into a creature's word."""
    return Creature(*(read(unit) for read in _READERS))


def creature_numbers(g: FieldRecord, s: FieldRecord, creature: Creature) -> dict[str, int]:
    """Return what a bot is shown of a creature in play, by field of `CardNumbers`."""
    return {
        "kind": CREATURE,
        "cost": int(g.cost[creature.card]),
        "attack": creature.attack,
        "defense": creature.defense,
        "abilities": creature.abilities,
        **dict(zip(_EFFECTS, shown_effects(g, s, creature), strict=False)),
    }


def _unit_json(g: FieldRecord, s: FieldRecord, unit: int) -> dict[str, Any]:
    creature = unpack(unit)
    return {
        "id": creature.id,
        "card": creature.card,
        "lane": creature.lane,
        "cost": int(g.cost[creature.card]),
        "atk": creature.attack,
        "def": creature.defense,
        "ab": ability_text(creature.abilities),
        "can": creature.can_attack,
        "att": creature.has_attacked,
        "eff": shown_effects(g, s, creature),
    }


_EFFECTS = ("player_hp", "enemy_hp", "card_draw", "area")


def shown_effects(g: FieldRecord, s: FieldRecord, creature: Creature) -> list[int]:
    """Return the effects that a bot is shown for a creature in play; areas exist in version 1.5 only.

    They are its card's effects; in version 1.2 they are 0 once the creature was touched.
    """
    printed = [int(g[name][creature.card]) for name in _EFFECTS]
    if int(g.modern):
        return printed
    touched = int(s.touched[creature.id >> 6]) >> (creature.id & 63) & 1
    return [0, 0, 0] if touched else printed[:3]


def from_json(g: FieldRecord, s: FieldRecord, data: Any) -> None:
    """Fill a state from the canonical form; raise `InvalidStateError` for values out of range."""
    require_fields("state", data, ("turn", "cur", "winner", "players", "decks"), ("draft",))
    s.turn = integer("turn", data["turn"], -1, MAX_TURN)
    s.player = integer("cur", data["cur"], 0, 1)
    winner = integer("winner", data["winner"], -1, 1)
    s.over, s.winner = int(winner >= 0), max(0, winner)
    if s.turn % 2 != s.player:
        raise InvalidStateError(f"cur is {data['cur']} in turn {data['turn']}; expected 0 on even turns, 1 on odd.")
    players = sequence("players", data["players"], 2, 2)
    decks = sequence("decks", data["decks"], 2, 2)
    for seat in range(2):
        _read_deck(g, s, seat, decks[seat])
        _read_player(g, s, seat, players[seat])
    ids = [unpack(int(unit)).id for seat in range(2) for unit in s.units[seat, : int(s.units_n[seat])]]
    ids += [pair[0] for player in players for pair in player["hand"] if pair[0] is not None]
    if len(set(ids)) < len(ids):
        raise InvalidStateError(f"ids in hands and on boards are {short(sorted(ids))}; expected each once.")
    for seat in range(2):
        _require_played(g, s, seat)
    if "draft" in data:
        for turn, offer in enumerate(sequence("draft", data["draft"], DECK, DECK)):
            for i, card in enumerate(sequence(f"draft turn {turn}", offer, OFFERED, OFFERED)):
                s.draft[turn, i] = _card_number(g, "card of the draft", card)


def _read_deck(g: FieldRecord, s: FieldRecord, seat: int, deck: Any) -> None:
    entries = sequence(f"deck {seat}", deck, DECK, DECK)
    ids: list[Any] = deck_ids(g, seat)
    if int(g.modern):
        pairs = [entry(f"entry of deck {seat}", pair, ("id", "card")) for pair in entries]
        known = [identity for identity, _ in pairs if identity is not None]
        if any(type(identity) is not int or identity not in ids for identity in known) or len(set(known)) < len(known):
            raise InvalidStateError(f"ids of deck {seat} are {short(known)}; expected {_ids_text(g, seat)}.")
        for identity, card in pairs:
            if (identity is None) != (card is None):
                raise InvalidStateError(
                    f"entry of deck {seat} is {short([identity, card])}; expected both id and card, or neither."
                )
        ids, entries = [identity for identity, _ in pairs], [card for _, card in pairs]
    s.deck_id[seat] = [UNKNOWN if identity is None else identity for identity in ids]
    what = f"card of deck {seat}"
    for card in {str(card): card for card in entries if card is not None}.values():
        _card_number(g, what, card)
    s.deck[seat] = [UNKNOWN if card is None else card for card in entries]


def _read_player(g: FieldRecord, s: FieldRecord, seat: int, data: Any) -> None:
    loss = "lost" if int(g.modern) else "rune"
    require_fields(f"player {seat}", data, (*_PLAYER_FIELDS, loss), ())
    s.hp[seat] = integer("hp", data["hp"], -MAX_HP, MAX_HP)
    if int(g.modern):
        s.lost[seat] = integer("lost", data["lost"], 0, MAX_HP)
    else:
        s.rune[seat] = integer("rune", data["rune"], 0, effects.FIRST_RUNE)
        if s.rune[seat] % effects.RUNE_STEP:
            raise InvalidStateError(f"rune is {data['rune']}; expected 25, 20, 15, 10, 5 or 0.")
    s.max_mana[seat] = integer("max_mana", data["max_mana"], 0, effects.MANA_CAP + 1)
    s.mana[seat] = integer("mana", data["mana"], 0, effects.MANA_CAP + 1)
    s.bonus[seat] = integer("bonus", data["bonus"], 0, 1)
    s.next_draw[seat] = integer("next_draw", data["next_draw"], 0, MAX_DRAW)
    s.shown_draw[seat] = integer("shown_draw", data["shown_draw"], 0, MAX_DRAW)
    s.drawn[seat] = DECK - integer("deck_n", data["deck_n"], 0, DECK)
    _read_hand(g, s, seat, sequence("hand", data["hand"], 0, HAND))
    units = sequence("board", data["board"], 0, BOARD)
    s.units_n[seat] = len(units)
    for i, unit in enumerate(units):
        s.units[seat, i] = _read_unit(g, s, unit)
    lanes = [unpack(int(unit)).lane for unit in s.units[seat, : len(units)]]
    if any(lanes.count(lane) > int(g.lane_size) for lane in set(lanes)):
        raise InvalidStateError(f"board of player {seat} has more than {int(g.lane_size)} creatures in a lane.")
    acts = sequence("acts", data["acts"], 0, ACTS)
    s.acts_n[seat] = len(acts)
    for i, action in enumerate(acts):
        s.acts[seat, i] = actions.from_json(g, action)


def _read_hand(g: FieldRecord, s: FieldRecord, seat: int, hand: list[Any]) -> None:
    s.hand_n[seat] = len(hand)
    drawn = int(s.drawn[seat])
    left = dict(enumerate(zip(s.deck_id[seat, :drawn].tolist(), s.deck[seat, :drawn].tolist(), strict=True)))
    # As in a view: of the drawn cards that are unknown, the last are those in the hand.
    unknown = [place for place, card in left.items() if card == (UNKNOWN, UNKNOWN)]
    for played in unknown[: max(0, len(unknown) - sum(pair == [None, None] for pair in hand))]:
        del left[played]
    for i, pair in enumerate(hand):
        identity, card = entry(f"card in hand of player {seat}", pair, ("id", "card"))
        wanted = (UNKNOWN if identity is None else identity, UNKNOWN if card is None else card)
        place = next((place for place, drawn_card in left.items() if drawn_card == wanted), None)
        if place is not None:
            s.hand[seat, i] = place
            del left[place]
        else:
            raise InvalidStateError(
                f"hand of player {seat} has {short(pair)}; expected a card drawn from that player's deck, each once."
            )


def _require_played(g: FieldRecord, s: FieldRecord, seat: int) -> None:
    """Refuse creatures whose ids are not those of cards that their player has drawn and no longer holds.

    The second of two creatures that one card summons in version 1.5 has the next id.
    """
    places = set(range(int(s.drawn[seat]))) - set(s.hand[seat, : int(s.hand_n[seat])].tolist())
    played = {int(s.deck_id[seat, place]) for place in places} - {UNKNOWN}
    for unit in s.units[seat, : int(s.units_n[seat])]:
        identity = unpack(int(unit)).id
        if (identity & ~1 if int(g.modern) else identity) not in played:
            raise InvalidStateError(
                f"id of a creature of player {seat} is {identity}; expected that of a card drawn and played."
            )


def _read_unit(g: FieldRecord, s: FieldRecord, data: Any) -> int:
    require_fields("creature", data, _UNIT_FIELDS, ())
    identity = integer("id", data["id"], 0, actions.MAX_ID)
    card = _card_number(g, "card of a creature", data["card"])
    if int(g.kind[card]) != CREATURE:
        raise InvalidStateError(f"card of a creature is {card}; expected the number of a creature.")
    if type(data["cost"]) is not int or data["cost"] != int(g.cost[card]):
        raise InvalidStateError(f"cost is {short(data['cost'])}; card {card} costs {int(g.cost[card])}.")
    lane = integer("lane", data["lane"], 0, int(g.lanes) - 1)
    attack = integer("atk", data["atk"], 0, MAX_VALUE)
    defense = integer("def", data["def"], 1, MAX_VALUE)
    try:
        abilities = ability_mask(data["ab"])
    except (InvalidParameterError, TypeError, AttributeError):
        raise InvalidStateError(f"ab is {short(data['ab'])}; expected six characters such as 'B--G-W'.") from None
    can, attacked = integer("can", data["can"], 0, 1), integer("att", data["att"], 0, 1)
    unit: int = _with_readiness(_pack(identity, card, lane, abilities, attack, defense), can, attacked)
    printed = shown_effects(g, s, unpack(unit))
    if data["eff"] != printed:
        if int(g.modern) or data["eff"] != [0, 0, 0]:
            faded = "" if int(g.modern) else " or [0, 0, 0]"
            raise InvalidStateError(f"eff is {short(data['eff'])}; expected {printed}{faded} of card {card}.")
        s.touched[identity >> 6] = int(s.touched[identity >> 6]) | 1 << (identity & 63)
    return unit


def _card_number(g: FieldRecord, what: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value < UNKNOWN or int(g.kind[value]) == NO_CARD:
        raise InvalidStateError(f"{what} is {short(value)}; expected a number of the card table.")
    return value


# -- pictures ----------------------------------------------------------------------------------------------------


def draw_text(g: FieldRecord, s: FieldRecord) -> str:
    """Draw a state for a terminal."""
    from tactician.games.locm.drawing import draw_text as draw
    from tactician.games.locm.scene import scene_of

    return draw(scene_of(g, s))


def draw_svg(g: FieldRecord, s: FieldRecord) -> str:
    """Draw a state as an SVG document."""
    from tactician.games.locm.drawing import draw_svg as draw
    from tactician.games.locm.scene import scene_of

    return draw(scene_of(g, s))
