"""What a player does not see, and a guess at it.

Hidden are the enemy's cards, elixir, reservation and past actions, the own cards behind the next one, and everywhere
the ticks to the next strike, the targets, the ticks of deployment left and the ticks until a king is armed.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper, random
from tactician.games.royale.arena import (
    DECK,
    DEPLOY_TICKS,
    HAND,
    KING,
    MOST_ELIXIR,
    PAST,
    PLAYERS,
    QUEUE,
    TOWERS,
    WAKE_TICKS,
)
from tactician.games.royale.combat import take_aim
from tactician.games.royale.field import END, FIELD, SLOTS, TYPE, take_field
from tactician.games.royale.records import (
    COOLDOWN,
    DEPLOYING,
    KIND,
    KING_KIND,
    NO_CARD,
    NOBODY,
    PRINCESS_KIND,
    SPELL_CARD,
    TARGET,
    TOWER_COOLDOWN,
    TOWER_HP,
    TOWER_TARGET,
)
from tactician.native import stack

_SEEN_DEPLOYING = 1
"""What stands in an observation for any number of ticks of deployment."""


@helper
def blank_hidden(g: Any, s: Any, player: Any) -> None:
    """Blank in a state what a player does not see."""
    enemy = 1 - player
    for i in range(HAND):
        s.hand[enemy, i] = NO_CARD
    for i in range(QUEUE):
        s.queue[enemy, i] = NO_CARD
        if i > 0:
            s.queue[player, i] = NO_CARD
    s.elixir[enemy] = 0
    s.reserved[enemy] = NO_CARD
    for i in range(PAST):
        s.past[enemy, i] = 0
    for owner in range(PLAYERS):
        s.wake[owner] = 0
        blank_towers(g, s, owner)
        for i in range(int(s.n_troops[owner])):
            s.troops[owner, i, COOLDOWN] = g.first_hit_ticks[s.troops[owner, i, KIND]]
            s.troops[owner, i, TARGET] = NOBODY
            if s.troops[owner, i, DEPLOYING] > 0:
                s.troops[owner, i, DEPLOYING] = _SEEN_DEPLOYING


@inline_helper
def blank_towers(g: Any, s: Any, owner: Any) -> None:
    """Blank the weapons of a player's standing towers."""
    for slot in range(TOWERS):
        if s.towers[owner, slot, TOWER_HP] > 0:
            kind = KING_KIND if slot == KING else PRINCESS_KIND
            s.towers[owner, slot, TOWER_COOLDOWN] = g.first_hit_ticks[kind]
            s.towers[owner, slot, TOWER_TARGET] = NOBODY


@helper
def guess_hidden(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Fill the blanks of an observation with a guess.

    The enemy has any elixir, no reservation, and any hand, except that cards whose troops still deploy or whose spells
    still fly are in its queue, the last ones played at the end. A king that is awake woke at any time of the battle.
    Whoever has an enemy in range is somewhere between two strikes.
    """
    enemy = 1 - player
    guess_own_queue(s, player, rng)
    guess_enemy_cards(s, enemy, rng)
    s.elixir[enemy] = random.below(rng, MOST_ELIXIR + 1)
    for owner in range(PLAYERS):
        if s.awake[owner] != 0:
            s.wake[owner] = max(0, WAKE_TICKS - random.below(rng, int(s.tick) + 1))
        for i in range(int(s.n_troops[owner])):
            if s.troops[owner, i, DEPLOYING] > 0:
                steps = max(1, (DEPLOY_TICKS - 1) // g.step_ticks)
                left = DEPLOY_TICKS - g.step_ticks * (1 + random.below(rng, steps))
                s.troops[owner, i, DEPLOYING] = max(1, left)
    guess_cooldowns(g, s, rng)


@helper
def guess_own_queue(s: Any, player: Any, rng: Any) -> None:
    """Shuffle the cards that are neither in hand nor next into the rest of the queue."""
    seen = 0
    for i in range(HAND):
        seen |= card_bit(int(s.hand[player, i]))
    if s.queue[player, 0] == NO_CARD:
        s.queue[player, 0] = draw_unseen(seen, rng)
    seen |= card_bit(int(s.queue[player, 0]))
    for i in range(1, QUEUE):
        s.queue[player, i] = draw_unseen(seen, rng)
        seen |= card_bit(int(s.queue[player, i]))
    for i in range(HAND):
        if s.hand[player, i] == NO_CARD:
            s.hand[player, i] = draw_unseen(seen, rng)
            seen |= card_bit(int(s.hand[player, i]))


@helper
def guess_enemy_cards(s: Any, enemy: Any, rng: Any) -> None:
    """Put the cards that were played lately at the end of the queue and shuffle the others."""
    seen, place = 0, QUEUE - 1
    for i in range(int(s.n_troops[enemy]) - 1, -1, -1):
        bit = card_bit(int(s.troops[enemy, i, KIND]))
        if s.troops[enemy, i, DEPLOYING] > 0 and seen & bit == 0 and place >= 0:
            s.queue[enemy, place] = s.troops[enemy, i, KIND]
            seen, place = seen | bit, place - 1
    for i in range(int(s.n_spells[enemy]) - 1, -1, -1):
        bit = card_bit(int(s.spells[enemy, i, SPELL_CARD]))
        if seen & bit == 0 and place >= 0:
            s.queue[enemy, place] = s.spells[enemy, i, SPELL_CARD]
            seen, place = seen | bit, place - 1
    for i in range(place + 1):
        s.queue[enemy, i] = draw_unseen(seen, rng)
        seen |= card_bit(int(s.queue[enemy, i]))
    for i in range(HAND):
        s.hand[enemy, i] = draw_unseen(seen, rng)
        seen |= card_bit(int(s.hand[enemy, i]))


@inline_helper
def card_bit(card: Any) -> Any:
    """Return the set that holds one card, empty for NO_CARD."""
    return 1 << card if card >= 0 else 0


@helper
def draw_unseen(seen: Any, rng: Any) -> Any:
    """Draw any card of the deck that is not in a set."""
    left = 0
    for card in range(DECK):
        left += int(seen >> card & 1 == 0)
    nth = random.below(rng, left)
    for card in range(DECK):
        if seen >> card & 1 == 0:
            if nth == 0:
                return card
            nth -= 1
    return NO_CARD


@helper
def guess_cooldowns(g: Any, s: Any, rng: Any) -> None:
    """Draw the ticks to the next strike of everybody with an enemy in range."""
    f = stack.int32s(FIELD)
    take_field(g, s, f)
    for player in range(PLAYERS):
        first = player * SLOTS
        for unit in range(first, int(f[END + player])):
            if not take_aim(g, f, unit, 1 - player):
                continue
            cooldown = 1 + random.below(rng, g.hit_ticks[f[TYPE + unit]])
            slot = unit - first
            if slot < TOWERS:
                armed = slot != KING or (s.awake[player] != 0 and s.wake[player] == 0)
                if s.towers[player, slot, TOWER_HP] > 0 and armed:
                    s.towers[player, slot, TOWER_COOLDOWN] = cooldown
            elif s.troops[player, slot - TOWERS, DEPLOYING] == 0:
                s.troops[player, slot - TOWERS, COOLDOWN] = cooldown
