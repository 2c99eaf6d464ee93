"""Lists of legal actions in the reference's order: units by square, targets by square, then cards by kind.

The reference's list never has an early end of the turn; the rule `legal_actions` adds it. Callers don't ask for the
actions of a finished game, so no function here checks for one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, helper, inline_helper
from tactician.games.hero_academy.actions import (
    ATTACK,
    DISCARD,
    END_TURN,
    FROM,
    HEAL,
    KIND,
    MOVE,
    PLAY,
    SWAP,
    code,
    decode,
)
from tactician.games.hero_academy.cards import HEAL_RANGE, KINDS, RUNEMETAL_BIT, UNIT_KINDS, Card

_CLERIC, _NINJA = int(Card.CLERIC), int(Card.NINJA)
_INFERNO, _POTION, _RUNEMETAL = int(Card.INFERNO), int(Card.REVIVE_POTION), int(Card.RUNEMETAL)
_NOTHING = np.uint64(0)
NOT_PRUNED, _CODED_SWAPS, _PRINTED_SWAPS = 0, 1, 2
PRUNED_SWAPS = {"reference": _CODED_SWAPS, "paper": _PRINTED_SWAPS}
"""The configuration's `prune` by what pruning does to card swaps: as coded it removes those of kinds held once; as
printed, those that swap the same kind as another, which are never listed."""


@inline_helper
def list_actions(g: Any, s: Any, player: Any, pruned: Any, out: Any) -> Any:
    """Write the reference's list, whole or pruned: the end of the turn only if nothing else is possible."""
    if s.ap == 0:
        out[0] = END_TURN
        return 1
    n = 0
    down = s.down
    heroes, foes = s.units[player] & ~down & ~s.crystals, s.units[1 - player] & ~down
    ways = open_squares(g, s, player)
    actors = heroes
    while actors != 0:
        square = bits.lowest(actors)
        actors = bits.without_lowest(actors)
        n = _list_unit(g, s, square, heroes, ways, foes, down, out, n)
    for card in range(KINDS):
        if s.hand[player, card] > 0:
            n = _list_card(g, s, player, card, pruned, out, n)
    if n == 0:
        out[0] = END_TURN
        return 1
    return n


@inline_helper
def _list_unit(g: Any, s: Any, square: Any, heroes: Any, ways: Any, foes: Any, down: Any, out: Any, n: Any) -> Any:
    moves, attacks, heals, swaps = targets(g, s, square, heroes, ways, foes, down)
    first = MOVE * KIND + square * FROM
    left = moves | attacks | heals | swaps
    if heals | swaps == 0:
        while left != 0:
            target = bits.lowest(left)
            left = bits.without_lowest(left)
            out[n] = first + target + KIND * bits.has(attacks, target)
            n += 1
        return n
    while left != 0:
        target = bits.lowest(left)
        left = bits.without_lowest(left)
        out[n] = action_on(square, target, attacks, heals, swaps)
        n += 1
    return n


@inline_helper
def action_on(square: Any, target: Any, attacks: Any, heals: Any, swaps: Any) -> Any:
    """Return what a unit does with one of its targets; with those that are in none of the sets, a move."""
    return MOVE * KIND + square * FROM + target + KIND * kind_of(target, attacks, heals, swaps)


@inline_helper
def kind_of(target: Any, attacks: Any, heals: Any, swaps: Any) -> Any:
    """Return the kind of action that a target is for, counted from MOVE."""
    return bits.has(attacks, target) + 2 * bits.has(heals, target) + 3 * bits.has(swaps, target)


@inline_helper
def open_squares(g: Any, s: Any, player: Any) -> Any:
    """Return the squares that a player's units may step on: no living unit, not the enemy's deploy squares.

    Nothing blocks a path, and any fallen unit may be stepped on.
    """
    return bits.complement((s.units[0] | s.units[1]) & ~s.down | g.deploy[1 - player])


@inline_helper
def targets(g: Any, s: Any, square: Any, heroes: Any, ways: Any, foes: Any, down: Any) -> Any:
    """Return the squares that a unit may move to, attack, heal and swap with.

    `heroes` are its side's standing units, `ways` the open squares. The sets are arguments because the compiler must
    assume that writing the list changes the state, and would load them again for every unit.
    """
    kind = s.kind[square]
    moves = g.steps[kind, square] & ways
    heals, swaps = _NOTHING, _NOTHING
    if kind == _CLERIC:
        # Onto fallen units a cleric heals where other units move, also onto an enemy's (which is then a step).
        near = g.within[HEAL_RANGE, square]
        heals = near & down & ways
        moves = moves & ~heals
        heals = heals | wounded(g, s, near & heroes)
    elif kind == _NINJA:
        swaps = heroes & ~bits.single(square)
    return moves, in_sight(g, square, g.aims[kind, square] & foes, foes), heals, swaps


@inline_helper
def in_sight(g: Any, square: Any, wanted: Any, foes: Any) -> Any:
    """Return the wanted squares, all enemies in range, with no standing enemy in between."""
    seen = wanted
    if bits.without_lowest(wanted) == 0:
        return seen  # what stands in between is in range itself
    while wanted != 0:
        target = bits.lowest(wanted)
        if g.between[square, target] & foes != 0:
            seen = seen & ~bits.single(target)
        wanted = bits.without_lowest(wanted)
    return seen


@helper
def wounded(g: Any, s: Any, squares: Any) -> Any:
    """Return the squares whose unit is not at full health."""
    found = squares
    while squares != 0:
        square = bits.lowest(squares)
        squares = bits.without_lowest(squares)
        if s.hp[square] == g.max_hp[s.kind[square], s.gear[square]]:
            found = found & ~bits.single(square)
    return found


@helper
def card_targets(g: Any, s: Any, player: Any, card: Any) -> Any:
    """Return the squares that a card may be played on."""
    if card < UNIT_KINDS:
        # A fallen unit does not block a deploy square: the new unit replaces it.
        return g.deploy[player] & ~((s.units[0] | s.units[1]) & ~s.down)
    if card == _INFERNO:
        return g.board
    own = s.units[player] & ~s.crystals
    if card == _POTION:
        return wounded(g, s, own)
    found = own & ~s.down
    left = found
    while left != 0:
        square = bits.lowest(left)
        left = bits.without_lowest(left)
        if s.gear[square] & (RUNEMETAL_BIT << (card - _RUNEMETAL)) != 0:
            found = found & ~bits.single(square)
    return found


@helper
def _list_card(g: Any, s: Any, player: Any, card: Any, pruned: Any, out: Any, n: Any) -> Any:
    squares = listed_squares(g, s, player, card, pruned)
    first = code(PLAY, card, 0)
    while squares != 0:
        out[n] = first + bits.lowest(squares)
        squares = bits.without_lowest(squares)
        n += 1
    if may_discard(g, s, player, card, pruned):
        out[n] = code(DISCARD, card, 0)
        n += 1
    return n


@inline_helper
def listed_squares(g: Any, s: Any, player: Any, card: Any, pruned: Any) -> Any:
    """Return the squares that a card is listed with: all it may be played on, pruned only useful ones."""
    if pruned and card == _INFERNO:
        return best_blasts(g, s, player)
    return card_targets(g, s, player, card)


@inline_helper
def may_discard(g: Any, s: Any, player: Any, card: Any, pruned: Any) -> Any:
    """Return whether a card's return to the deck is listed: if there is a deck, and unless pruning removes it."""
    needless = pruned and g.prune == _CODED_SWAPS and s.hand[player, card] == 1
    return s.deck_cards[player] > 0 and not needless


@helper
def best_blasts(g: Any, s: Any, player: Any) -> Any:
    """Return the inferno targets whose set of enemies no other target includes; of equal sets the first."""
    foes = s.units[1 - player]
    useful = _NOTHING
    left = foes
    while left != 0:
        useful = useful | g.block[bits.lowest(left)]
        left = bits.without_lowest(left)
    best = useful
    left = useful
    while left != 0:
        square = bits.lowest(left)
        left = bits.without_lowest(left)
        struck = g.block[square] & foes
        rivals = g.near[square] & best & ~bits.single(square)
        while rivals != 0:
            rival = bits.lowest(rivals)
            rivals = bits.without_lowest(rivals)
            theirs = g.block[rival] & foes
            if struck & ~theirs == 0 and (struck != theirs or rival < square):
                best = best & ~bits.single(square)
                break
    return best


@helper
def is_listed(g: Any, s: Any, player: Any, action: Any) -> Any:
    """Return whether an action is in the whole list or ends the turn."""
    kind, origin, target = decode(action)
    if action < 0 or kind > DISCARD:
        return False
    if kind == END_TURN:
        return action == END_TURN
    if s.ap == 0:
        return False
    if kind == DISCARD:
        return target == 0 and origin < KINDS and s.hand[player, origin] > 0 and s.deck_cards[player] > 0
    if kind == PLAY:
        return (
            origin < KINDS and s.hand[player, origin] > 0 and bits.has(card_targets(g, s, player, origin), target) == 1
        )
    down = s.down
    heroes = s.units[player] & ~down & ~s.crystals
    if bits.has(heroes, origin) == 0:
        return False
    foes, ways = s.units[1 - player] & ~down, open_squares(g, s, player)
    moves, attacks, heals, swaps = targets(g, s, origin, heroes, ways, foes, down)
    if kind == MOVE:
        return bits.has(moves, target) == 1
    if kind == ATTACK:
        return bits.has(attacks, target) == 1
    if kind == HEAL:
        return bits.has(heals, target) == 1
    return kind == SWAP and bits.has(swaps, target) == 1
