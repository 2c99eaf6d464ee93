"""Hide what a player can't see, and fill it with random cards that agree with what the player saw.

A player knows the own cards but not their order in the deck; of the opponent's cards the played ones, and that both
players were offered the same cards. In version 1.2 instance ids are positions in the deck, so the player also knows
which positions the cards in the opponent's hand came from. The opponent's mana follows from the actions of its turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import helper, random
from tactician.games.locm.actions import ATTACK, decode
from tactician.games.locm.cards import MOST_COPIES, OFFERED
from tactician.games.locm.effects import MANA_CAP
from tactician.games.locm.records import DECK, NO_CARD, UNKNOWN

MANY = 10_000
"""Tries before a constructed deck may get more copies of a card than allowed."""

BEFOREHAND = (6.0, 2.5, 1.5)
"""How often a player picks the best, second and third card of an offer by our draft order, before any pick was seen:
counted as if ten had been. It is the mean over the drafts that we know."""


# -- hiding -----------------------------------------------------------------------------------------------------


@helper
def blank(g: Any, s: Any, player: Any) -> None:
    """Remove from a state what a player can't see."""
    other = 1 - player
    sort_deck(g, s, player)
    if g.modern != 0:
        put_played_first(s, other)
    for i in range(s.hand_n[other]):
        s.deck[other, s.hand[other, i]] = UNKNOWN
        if g.modern != 0:
            s.deck_id[other, s.hand[other, i]] = UNKNOWN
    for place in range(s.drawn[other], DECK):
        s.deck[other, place] = UNKNOWN
        if g.modern != 0:
            s.deck_id[other, place] = UNKNOWN
    s.mana[other] = 0
    s.bonus[other] = 0


@helper
def sort_deck(g: Any, s: Any, player: Any) -> None:
    """Sort the rest of a deck: its owner knows its cards but not their order."""
    for i in range(s.drawn[player] + 1, DECK):
        j = i
        while j > s.drawn[player] and later(g, s, player, j - 1, j):
            swap(g, s, player, j - 1, j)
            j -= 1


@helper
def later(g: Any, s: Any, player: Any, one: Any, other: Any) -> Any:
    """Return whether the card at `one` sorts after the card at `other`: by id in version 1.5, else by number."""
    if g.modern != 0:
        return s.deck_id[player, one] > s.deck_id[player, other]
    return s.deck[player, one] > s.deck[player, other]


@helper
def swap(g: Any, s: Any, player: Any, one: Any, other: Any) -> None:
    """Swap two cards of a deck. In version 1.5 ids belong to cards, in 1.2 to positions."""
    card = s.deck[player, one]
    s.deck[player, one] = s.deck[player, other]
    s.deck[player, other] = card
    if g.modern != 0:
        identity = s.deck_id[player, one]
        s.deck_id[player, one] = s.deck_id[player, other]
        s.deck_id[player, other] = identity


@helper
def put_played_first(s: Any, owner: Any) -> None:
    """Version 1.5: hide the order of the opponent's draws. Played cards come first, sorted by id, then the hand."""
    held = np.zeros(DECK, np.uint8)
    for i in range(s.hand_n[owner]):
        held[s.hand[owner, i]] = 1
    played = 0
    for place in range(s.drawn[owner]):
        if held[place] == 0:
            s.deck[owner, played] = s.deck[owner, place]
            s.deck_id[owner, played] = s.deck_id[owner, place]
            j = played
            while j > 0 and s.deck_id[owner, j - 1] > s.deck_id[owner, j]:
                card, identity = s.deck[owner, j], s.deck_id[owner, j]
                s.deck[owner, j], s.deck_id[owner, j] = s.deck[owner, j - 1], s.deck_id[owner, j - 1]
                s.deck[owner, j - 1], s.deck_id[owner, j - 1] = card, identity
                j -= 1
            played += 1
    for i in range(s.hand_n[owner]):
        s.hand[owner, i] = played + i


# -- filling -----------------------------------------------------------------------------------------------------


@helper
def guess(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Fill a view with random cards that agree with it."""
    other = 1 - player
    shuffle_deck(g, s, player, rng)
    if g.modern != 0:
        guess_constructed(g, s, other, rng)
    else:
        guess_picks(g, s, other, rng)
    s.mana[other] = max(0, int(s.max_mana[other]) - spent(g, s, other))
    turns = (s.turn + 1) // 2
    s.bonus[other] = int(other == 1 and s.max_mana[other] == min(turns, MANA_CAP) + 1)


@helper
def shuffle_deck(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Shuffle the rest of a deck."""
    left = DECK - s.drawn[player]
    for i in range(left - 1, 0, -1):
        swap(g, s, player, s.drawn[player] + i, s.drawn[player] + random.below(rng, i + 1))


@helper
def spent(g: Any, s: Any, player: Any) -> Any:
    """Return the mana that a player's known actions of the current or last turn cost."""
    mana = 0
    for i in range(s.acts_n[player]):
        kind, who, _ = decode(int(s.acts[player, i]))
        if kind == ATTACK:
            continue
        for place in range(s.drawn[player]):
            if s.deck_id[player, place] == who and s.deck[player, place] != UNKNOWN:
                mana += g.cost[s.deck[player, place]]
    return mana


@helper
def guess_picks(g: Any, s: Any, owner: Any, rng: Any) -> None:
    """Version 1.2: draw one pick from each offer so that all cards that were seen are among them."""
    picks = np.zeros(DECK, np.uint8)
    if s.draft[0, 0] == 0:
        for place in range(DECK):
            picks[place] = any_card(g, rng)
    else:
        assign_seen(s, owner, picks, rng)
        chances = np.ones(OFFERED)
        if g.ranked != 0:
            count_places(g, s, owner, picks, chances)
        for offer in range(DECK):
            # Offers of seen cards are used up; from every other offer any of the three cards may have been picked.
            if picks[offer] != 0:
                picks[offer] = 0
            elif g.ranked != 0:
                picks[offer] = s.draft[offer, card_at(g, s, owner, offer, drawn_place(chances, rng))]
            else:
                picks[offer] = s.draft[offer, random.below(rng, OFFERED)]
    left = 0
    for offer in range(DECK):
        if picks[offer] != 0:
            picks[left] = picks[offer]
            left += 1
    for place in range(DECK):
        if s.deck[owner, place] == UNKNOWN and left > 0:
            i = random.below(rng, left)
            s.deck[owner, place] = picks[i]
            left -= 1
            picks[i] = picks[left]


@helper
def count_places(g: Any, s: Any, owner: Any, taken: Any, chances: Any) -> None:
    """Count how often the best, second and third card of an offer was picked; `taken` are the picks that were seen."""
    for place in range(OFFERED):
        chances[place] = BEFOREHAND[place]
    for offer in range(DECK):
        if taken[offer] != 0:
            place = 0
            for i in range(OFFERED):
                place += int(g.quality[owner, s.draft[offer, i]] > g.quality[owner, taken[offer]])
            chances[place] += 1.0


@helper
def drawn_place(chances: Any, rng: Any) -> Any:
    """Draw a place in the order of an offer, in proportion to its chances."""
    rest = random.unit(rng) * (chances[0] + chances[1] + chances[2])
    if rest < chances[0]:
        return 0
    return 1 if rest < chances[0] + chances[1] else 2


@helper
def card_at(g: Any, s: Any, owner: Any, offer: Any, place: Any) -> Any:
    """Return the index of the card of an offer that has a place in the order of their quality; 0 is the best."""
    for i in range(OFFERED):
        better = 0
        for j in range(OFFERED):
            one, other = g.quality[owner, s.draft[offer, i]], g.quality[owner, s.draft[offer, j]]
            better += int(other > one or (other == one and j < i))
        if better == place:
            return i
    return 0


@helper
def assign_seen(s: Any, owner: Any, taken: Any, rng: Any) -> None:
    """Assign each card that was seen to an offer that it can have been picked from: a bipartite matching.

    Writes the card of each used offer to `taken`, 0 for the others.
    """
    start = random.below(rng, DECK)
    for step in range(DECK):
        card = s.deck[owner, (start + step) % DECK]
        if card != UNKNOWN:
            find_offer(s, card, taken, random.below(rng, DECK))


@helper
def find_offer(s: Any, card: Any, taken: Any, start: Any) -> None:
    """Assign a card to an offer that has it, along an augmenting path that moves other cards if necessary."""
    queue, came_from, wants = np.zeros(DECK + 1, np.int64), np.zeros(DECK, np.int64), np.zeros(DECK, np.uint8)
    head, tail = -1, 0
    # Breadth-first: offers that have the card itself, then offers that have a card that would be displaced.
    while head < tail:
        wanted = card if head < 0 else taken[queue[head]]
        for step in range(DECK):
            offer = (start + step) % DECK
            if wants[offer] != 0 or not is_offered(s, offer, wanted):
                continue
            wants[offer] = wanted
            came_from[offer] = queue[head] if head >= 0 else -1
            if taken[offer] == 0:
                while offer >= 0:
                    taken[offer] = wants[offer]
                    offer = came_from[offer]
                return
            queue[tail] = offer
            tail += 1
        head += 1


@helper
def is_offered(s: Any, offer: Any, card: Any) -> Any:
    """Return whether an offer has a card."""
    return s.draft[offer, 0] == card or s.draft[offer, 1] == card or s.draft[offer, 2] == card


@helper
def any_card(g: Any, rng: Any) -> Any:
    """Return the number of a random card; a user's table may have gaps."""
    card = random.below(rng, g.cards)
    while g.kind[card] == NO_CARD:
        card = random.below(rng, g.cards)
    return card


@helper
def guess_constructed(g: Any, s: Any, owner: Any, rng: Any) -> None:
    """Version 1.5: draw cards with at most two copies of each, and the ids that were not seen in random order."""
    copies, used = np.zeros(UNKNOWN + 1, np.uint8), np.zeros(DECK, np.uint8)
    for place in range(DECK):
        if s.deck[owner, place] != UNKNOWN:
            copies[s.deck[owner, place]] += 1
            used[(s.deck_id[owner, place] - 2 * DECK * owner) // 2] = 1
    for place in range(DECK):
        if s.deck[owner, place] != UNKNOWN:
            continue
        card, pick = any_card(g, rng), random.below(rng, DECK)
        for _ in range(MANY):  # a given deck may already have too many copies of every card
            if copies[card] < MOST_COPIES:
                break
            card = any_card(g, rng)
        while used[pick] != 0:
            pick = random.below(rng, DECK)
        copies[card] += 1
        used[pick] = 1
        s.deck[owner, place] = card
        s.deck_id[owner, place] = 2 * DECK * owner + 2 * pick
