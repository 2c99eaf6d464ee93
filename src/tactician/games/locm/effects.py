"""The effects of actions: summons, attacks, items, and the change of turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, helper, inline_helper
from tactician.games.locm.actions import ATTACK, SUMMON, USE, code
from tactician.games.locm.cards import EVERYWHERE, SAME_LANE
from tactician.games.locm.records import (
    ACTS,
    BOARD,
    BREAKTHROUGH,
    CHARGE,
    DECK,
    DRAIN,
    GREEN,
    HAND,
    LETHAL,
    MAX_DRAW,
    MAX_HP,
    MAX_TURN,
    MAX_VALUE,
    WARD,
    abilities_of,
    attack_of,
    card_of,
    creature,
    defense_of,
    has_attacked,
    id_of,
    lane_of,
    with_readiness,
    with_values,
)

_NOTHING = np.uint64(0)
START_HP, FIRST_RUNE, OPENING_HAND = 30, 25, 4
"""The start of a battle; the second player has one more card."""
MANA_CAP = 12
TURN_LIMIT = 50
RUNE_STEP = 5
PENALTY = 10
"""Version 1.5: health lost for a card that can't be drawn."""


# Searches and removals go over all places of a hand or board, empty ones included: a processor can't predict how many
# there are, and a wrong guess costs more than the few comparisons.

# -- health, hands, boards ---------------------------------------------------------------------------------------


@helper
def change_hp(g: Any, s: Any, player: Any, change: Any) -> None:
    """Heal or damage a player; health lost past a rune draws one more card at the start of the next turn."""
    s.hp[player] = max(-MAX_HP, min(MAX_HP, int(s.hp[player]) + change))
    if change >= 0:
        return
    if g.modern != 0:
        before = s.lost[player] // RUNE_STEP
        s.lost[player] = min(MAX_HP, int(s.lost[player]) - change)
        plan_draws(s, player, s.lost[player] // RUNE_STEP - before)
        return
    while s.rune[player] > 0 and s.hp[player] <= s.rune[player]:
        s.rune[player] -= RUNE_STEP
        plan_draws(s, player, 1)


@inline_helper
def plan_draws(s: Any, player: Any, n: Any) -> None:
    """Draw n more cards at the start of the player's next turn."""
    s.next_draw[player] = min(MAX_DRAW, int(s.next_draw[player]) + n)


@helper
def in_hand(s: Any, player: Any, identity: Any) -> Any:
    """Return the position of an instance id in a hand, or -1."""
    found = _NOTHING
    for i in range(HAND):
        found |= np.uint64(s.deck_id[player, s.hand[player, i]] == identity) << np.uint64(i)
    return first_of(found, s.hand_n[player])


@helper
def on_board(s: Any, player: Any, identity: Any) -> Any:
    """Return the position of an instance id on a player's board, or -1."""
    found = _NOTHING
    for i in range(BOARD):
        found |= np.uint64(id_of(s.units[player, i]) == identity) << np.uint64(i)
    return first_of(found, s.units_n[player])


@inline_helper
def first_of(places: Any, used: Any) -> Any:
    """Return the first of a set of places if it is in use, else -1."""
    places &= bits.single(used) - np.uint64(1)
    return bits.lowest(places) if places != 0 else -1


@helper
def in_lane(s: Any, player: Any, lane: Any) -> Any:
    """Return the number of creatures that a player has in a lane."""
    n = 0
    for i in range(s.units_n[player]):
        n += int(lane_of(s.units[player, i]) == lane)
    return n


@helper
def take_from_hand(g: Any, s: Any, player: Any, identity: Any) -> Any:
    """Pay for a card, take it from the hand and return its number."""
    i = in_hand(s, player, identity)
    card = int(s.deck[player, s.hand[player, i]])
    s.hand_n[player] -= 1
    for j in range(HAND - 1):
        s.hand[player, j] = s.hand[player, j + 1] if j >= i else s.hand[player, j]
    s.hand[player, HAND - 1] = 0
    s.mana[player] -= g.cost[card]
    return card


@helper
def bury(s: Any, player: Any, i: Any) -> None:
    """Remove a creature from the board; the others keep their order."""
    identity = id_of(s.units[player, i])
    s.touched[identity >> 6] &= bits.complement(bits.single(identity & 63))
    s.units_n[player] -= 1
    for j in range(BOARD - 1):
        s.units[player, j] = s.units[player, j + 1] if j >= i else s.units[player, j]
    s.units[player, BOARD - 1] = 0


@inline_helper
def touch(g: Any, s: Any, unit: Any) -> None:
    """Stop showing the effects of a creature's card."""
    if g.fades[card_of(unit)] != 0:
        s.touched[id_of(unit) >> 6] |= bits.single(id_of(unit) & 63)


@helper
def record(s: Any, player: Any, action: Any) -> None:
    """Add an action to the player's actions of this turn."""
    if s.acts_n[player] < ACTS:
        s.acts[player, s.acts_n[player]] = action
        s.acts_n[player] += 1


@helper
def settle(s: Any, player: Any) -> None:
    """End the game if a player has no health left; if both have none, the acting player wins."""
    if s.hp[1 - player] <= 0:
        s.over, s.winner = 1, player
    elif s.hp[player] <= 0:
        s.over, s.winner = 1, 1 - player


# -- actions -----------------------------------------------------------------------------------------------------


@helper
def summon(g: Any, s: Any, player: Any, identity: Any, lane: Any) -> None:
    """Summon a creature; with an area (version 1.5) also a copy, if there is room."""
    card = take_from_hand(g, s, player, identity)
    summoned = 1
    enter(g, s, player, identity, card, lane)
    if g.area[card] != 0:
        other = lane if g.area[card] == SAME_LANE else 1 - lane
        if in_lane(s, player, other) < g.lane_size:
            enter(g, s, player, identity + 1, card, other)
            summoned = 2
    change_hp(g, s, player, summoned * g.player_hp[card])
    change_hp(g, s, 1 - player, summoned * g.enemy_hp[card])
    plan_draws(s, player, summoned * g.card_draw[card])
    record(s, player, code(SUMMON, identity, lane))
    settle(s, player)


@helper
def enter(g: Any, s: Any, player: Any, identity: Any, card: Any, lane: Any) -> None:
    """Add a new creature at the end of the board."""
    unit = creature(identity, card, lane, int(g.abilities[card]), int(g.attack[card]), int(g.defense[card]))
    s.units[player, s.units_n[player]] = unit
    s.units_n[player] += 1


@helper
def strike_player(g: Any, s: Any, player: Any, identity: Any) -> None:
    """Attack the opponent."""
    i = on_board(s, player, identity)
    unit = s.units[player, i]
    s.units[player, i] = with_readiness(unit, 0, 1)
    touch(g, s, unit)
    attack = attack_of(unit)
    if abilities_of(unit) & DRAIN != 0:
        change_hp(g, s, player, attack)
    change_hp(g, s, 1 - player, -attack)
    record(s, player, code(ATTACK, identity, 0))
    settle(s, player)


@helper
def strike_creature(g: Any, s: Any, player: Any, identity: Any, target: Any) -> None:
    """Attack a creature; all conditions refer to both creatures before the attack."""
    i, j = on_board(s, player, identity), on_board(s, 1 - player, target)
    unit, foe = s.units[player, i], s.units[1 - player, j]
    ours, theirs = abilities_of(unit), abilities_of(foe)
    dealt = 0 if theirs & WARD != 0 else attack_of(unit)
    taken = 0 if ours & WARD != 0 else attack_of(foe)
    killed = dealt >= defense_of(foe)
    excess = dealt - defense_of(foe) if killed and ours & BREAKTHROUGH != 0 else 0
    killed = killed or (ours & LETHAL != 0 and dealt > 0)
    falls = taken >= defense_of(unit) or (theirs & LETHAL != 0 and taken > 0)
    gain = attack_of(unit) if ours & DRAIN != 0 and dealt > 0 else 0
    touch(g, s, unit)
    touch(g, s, foe)
    if killed:
        bury(s, 1 - player, j)
    else:
        left = theirs & ~WARD if attack_of(unit) > 0 else theirs
        s.units[1 - player, j] = with_values(foe, left, attack_of(foe), defense_of(foe) - dealt)
    if falls:
        bury(s, player, i)
    else:
        left = ours & ~WARD if attack_of(foe) > 0 else ours
        hurt = with_values(unit, left, attack_of(unit), defense_of(unit) - taken)
        s.units[player, i] = with_readiness(hurt, 0, 1)
    change_hp(g, s, player, gain)
    change_hp(g, s, 1 - player, -excess)
    record(s, player, code(ATTACK, identity, target + 1))
    settle(s, player)


@helper
def use_on_creature(g: Any, s: Any, player: Any, identity: Any, target: Any) -> None:
    """Use an item on a creature; with an area (version 1.5) on its lane or on all creatures of its owner."""
    card = take_from_hand(g, s, player, identity)
    owner = player if g.kind[card] == GREEN else 1 - player
    lane = lane_of(s.units[owner, on_board(s, owner, target)])
    area = g.area[card]
    affected, i = 0, 0
    while i < s.units_n[owner]:
        unit = s.units[owner, i]
        if id_of(unit) == target or area == EVERYWHERE or (area == SAME_LANE and lane_of(unit) == lane):
            affected += 1
            if not alter(g, s, card, owner, i):
                continue
        i += 1
    change_hp(g, s, player, affected * g.player_hp[card])
    change_hp(g, s, 1 - player, affected * g.enemy_hp[card])
    plan_draws(s, player, affected * g.card_draw[card])
    record(s, player, code(USE, identity, target + 1))
    settle(s, player)


@helper
def alter(g: Any, s: Any, card: Any, owner: Any, i: Any) -> Any:
    """Apply an item to one creature; return whether it survives."""
    unit = s.units[owner, i]
    touch(g, s, unit)
    printed = int(g.abilities[card])
    if g.kind[card] == GREEN:
        abilities = abilities_of(unit) | printed
        if printed & CHARGE != 0:
            unit = with_readiness(unit, 1 - has_attacked(unit), has_attacked(unit))
    else:
        abilities = abilities_of(unit) & ~printed
    attack = max(0, min(MAX_VALUE, attack_of(unit) + g.attack[card]))
    defense = int(defense_of(unit))
    if abilities & WARD != 0 and g.defense[card] < 0:
        abilities &= ~WARD
    else:
        defense = min(MAX_VALUE, defense + g.defense[card])
    if defense <= 0:
        bury(s, owner, i)
        return False
    s.units[owner, i] = with_values(unit, abilities, attack, defense)
    return True


@helper
def use_on_player(g: Any, s: Any, player: Any, identity: Any) -> None:
    """Use a blue item on the opponent; damage and effect are one change of health."""
    card = take_from_hand(g, s, player, identity)
    change_hp(g, s, player, int(g.player_hp[card]))
    change_hp(g, s, 1 - player, g.defense[card] + g.enemy_hp[card])
    plan_draws(s, player, int(g.card_draw[card]))
    record(s, player, code(USE, identity, 0))
    settle(s, player)


# -- turns -------------------------------------------------------------------------------------------------------


@helper
def burn(s: Any, player: Any) -> None:
    """Version 1.2: a card that can't be drawn costs the next rune and all health above it."""
    s.hp[player] = s.rune[player]
    if s.rune[player] > 0:
        s.rune[player] -= RUNE_STEP


@helper
def draw(g: Any, s: Any, player: Any, n: Any, own_turn: Any) -> None:
    """Draw n cards; those that can't be drawn cost health."""
    if g.modern != 0:
        if own_turn >= TURN_LIMIT:
            s.hp[player] = max(-MAX_HP, int(s.hp[player]) - PENALTY)
        for _ in range(n):
            if s.hand_n[player] < HAND:
                if s.drawn[player] < DECK:
                    take_card(s, player)
                else:
                    s.hp[player] = max(-MAX_HP, int(s.hp[player]) - PENALTY)
        return
    for _ in range(n):
        if s.drawn[player] == DECK or own_turn >= TURN_LIMIT:
            burn(s, player)
        elif s.hand_n[player] == HAND:
            return
        else:
            take_card(s, player)


@helper
def take_card(s: Any, player: Any) -> None:
    """Move the top card of the deck to the end of the hand."""
    s.hand[player, s.hand_n[player]] = s.drawn[player]
    s.hand_n[player] += 1
    s.drawn[player] += 1


@helper
def switch_turn(g: Any, s: Any) -> None:
    """End the turn and begin the opponent's."""
    last = s.player
    settle(s, last)
    for i in range(BOARD):
        s.units[last, i] = with_readiness(s.units[last, i], 0, 0)
    s.shown_draw[last] = s.next_draw[last]
    player = 1 - last
    s.player = player
    for i in range(ACTS):
        s.acts[player, i] = 0
    s.acts_n[player] = 0
    s.turn += 1 if s.turn < MAX_TURN else -1  # even turns stay the first player's
    if s.max_mana[player] < MANA_CAP + s.bonus[player]:
        s.max_mana[player] += 1
    if s.bonus[player] != 0 and s.mana[player] == 0:
        s.bonus[player] = 0
        s.max_mana[player] -= 1
    s.mana[player] = s.max_mana[player]
    for i in range(BOARD):
        unit = s.units[player, i]
        s.units[player, i] = with_readiness(unit, int(i < s.units_n[player]), has_attacked(unit))
    draw(g, s, player, s.next_draw[player], s.turn // 2)
    s.shown_draw[player] = s.next_draw[player]
    s.next_draw[player] = 1
    s.lost[player] = 0
    settle(s, player)


@helper
def open_battle(g: Any, s: Any) -> None:
    """Set up a battle with the decks in the state; the first turn has not begun."""
    for player in range(2):
        s.hp[player] = START_HP
        s.rune[player] = 0 if g.modern != 0 else FIRST_RUNE
        s.next_draw[player] = 1
        s.shown_draw[player] = 1
        s.max_mana[player], s.mana[player], s.bonus[player] = player, player, player
        for _ in range(OPENING_HAND + player):
            take_card(s, player)
    s.turn, s.player = -1, 1  # switch_turn begins turn 0 of player 0
