"""Turn states into the scenes that the drawings take."""

from __future__ import annotations

from tactician.games.locm.drawing_scene import CardView, LocmScene, PlayerView
from tactician.games.locm.positions import cards_of, creature_numbers, unpack
from tactician.games.locm.records import DECK, UNKNOWN
from tactician.native.records import FieldRecord


def scene_of(g: FieldRecord, s: FieldRecord) -> LocmScene:
    """Return the scene of a state; a hand with an unknown card is drawn face down."""
    over = bool(s.over)
    return LocmScene(
        players=(_player(g, s, 0), _player(g, s, 1)),
        turn=int(s.turn) + 1,
        to_move=None if over else int(s.player),
        winner=int(s.winner) if over else None,
        bottom=_viewer(s),
    )


def _viewer(s: FieldRecord) -> int:
    """Return the seat drawn below: the one whose cards are known if the other's are not, else the player to move."""
    unknown = [bool((s.deck[seat] == UNKNOWN).any()) for seat in range(2)]
    return int(s.player) if unknown[0] == unknown[1] else unknown.index(False)


def _player(g: FieldRecord, s: FieldRecord, seat: int) -> PlayerView:
    cards = {card.number: card for card in cards_of(g)}
    places = [int(place) for place in s.hand[seat, : int(s.hand_n[seat])]]
    known = all(int(s.deck[seat, place]) != UNKNOWN for place in places)
    hand = tuple(CardView.of(cards[int(s.deck[seat, p])], int(s.deck_id[seat, p])) for p in places) if known else None
    units = [_creature(g, s, int(unit)) for unit in s.units[seat, : int(s.units_n[seat])]]
    return PlayerView(
        name=("Player 1", "Player 2")[seat],
        hp=int(s.hp[seat]),
        rune=None if int(g.modern) else int(s.rune[seat]),
        mana=int(s.mana[seat]),
        max_mana=int(s.max_mana[seat]),
        deck=DECK - int(s.drawn[seat]),
        next_draw=int(s.next_draw[seat]),
        hand=hand,
        hand_size=len(places),
        lanes=tuple(tuple(view for lane, view in units if lane == wanted) for wanted in range(int(g.lanes))),
    )


def _creature(g: FieldRecord, s: FieldRecord, unit: int) -> tuple[int, CardView]:
    creature = unpack(unit)
    name = next((card.name for card in cards_of(g) if card.number == creature.card), f"card {creature.card}")
    return creature.lane, CardView(
        name=name,
        number=creature.card,
        instance=creature.id,
        can_attack=bool(creature.can_attack),
        **creature_numbers(g, s, creature),
    )
