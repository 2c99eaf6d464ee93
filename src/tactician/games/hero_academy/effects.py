"""The effects of actions: attacks with knockback and lightning, heals, cards, the end of a turn."""

from __future__ import annotations

from typing import Any

from tactician.contract import bits, helper, random
from tactician.games.hero_academy.cards import (
    ARMOUR_HP_SHARE,
    ASSAULT_BONUS,
    CHAIN_FACTORS,
    DEFENSE_RESISTANCE,
    DRAGONSCALE_BIT,
    HEAL_FACTOR,
    HELM_BIT,
    INFERNO_DAMAGE,
    POTION_HEAL,
    POTION_REVIVE,
    POWER_BONUS,
    REVIVE_FACTOR,
    RUNEMETAL_BIT,
    RUNEMETAL_SHARE,
    SCROLL_BIT,
    SCROLL_FACTOR,
    UNIT_KINDS,
    Card,
)

_KNIGHT, _WIZARD = int(Card.KNIGHT), int(Card.WIZARD)
_POTION, _RUNEMETAL = int(Card.REVIVE_POTION), int(Card.RUNEMETAL)
_FIRST_JUMP, _SECOND_JUMP = CHAIN_FACTORS
_JUMPS = len(CHAIN_FACTORS)
_STRAIGHT_ON, _ORTHOGONAL, _NORTH, _EAST, _ANYWHERE = 10, 4, 2, 1, 1
"""How much the lightning prefers a neighbour: straight on above all, else the sum of what applies."""
_LARGE_SEED, _SEED_SHRINK, _SEED_GROWTH, _SEED_STEP = 100000, 0.1, 1.3, 7
"""The reference's sequence of deck seeds."""


# -- the board -------------------------------------------------------------------------------------------------


@helper
def place(s: Any, square: Any, player: Any, kind: Any, hp: Any, gear: Any) -> None:
    """Put a unit on an empty square."""
    bit = bits.single(square)
    s.units[player] |= bit
    if hp == 0:
        s.down |= bit
    s.hp[square], s.kind[square], s.gear[square] = hp, kind, gear


@helper
def remove(s: Any, square: Any) -> None:
    """Empty a square."""
    others = bits.complement(bits.single(square))
    s.units[0] &= others
    s.units[1] &= others
    s.down &= others
    s.crystals &= others
    s.hp[square], s.kind[square], s.gear[square] = 0, 0, 0


@helper
def relocate(s: Any, player: Any, origin: Any, target: Any) -> None:
    """Move a unit; a fallen unit on the target square is removed."""
    kind, hp, gear = s.kind[origin], s.hp[origin], s.gear[origin]
    remove(s, origin)
    remove(s, target)
    place(s, target, player, kind, hp, gear)


@helper
def exchange(s: Any, one: Any, other: Any) -> None:
    """Swap two standing units of a player."""
    kind, hp, gear = s.kind[one], s.hp[one], s.gear[one]
    s.kind[one], s.hp[one], s.gear[one] = s.kind[other], s.hp[other], s.gear[other]
    s.kind[other], s.hp[other], s.gear[other] = kind, hp, gear


# -- strength --------------------------------------------------------------------------------------------------


@helper
def power(g: Any, s: Any, square: Any) -> Any:
    """Return the power of the unit on a square, with its equipment."""
    strength = int(g.base_power[s.kind[square]])
    if s.gear[square] & RUNEMETAL_BIT != 0:
        strength += strength // RUNEMETAL_SHARE
    strength += POWER_BONUS * bits.has(g.power_squares, square)
    if s.gear[square] & SCROLL_BIT != 0:
        strength *= SCROLL_FACTOR
    return strength


@helper
def damage(g: Any, s: Any, attacker: Any, defender: Any) -> Any:
    """Return the damage of an attack before any bonus against crystals; a float with an integer value."""
    kind = s.kind[attacker]
    magical = g.magical_attack[kind]
    resistance = int(g.resistance[magical, s.kind[defender], s.gear[defender]])
    if magical == 0:
        resistance += DEFENSE_RESISTANCE * bits.has(g.defense, defender)
    factor = g.melee_factor[kind] if g.distance[attacker, defender] == 1 else g.ranged_factor[kind]
    return float(int(float(power(g, s, attacker)) * factor * ((100.0 - resistance) / 100.0)))


@helper
def assault_bonus(g: Any, s: Any, player: Any) -> Any:
    """Return the bonus on all damage that a player does to crystals."""
    return ASSAULT_BONUS * bits.count(g.assault & s.units[player] & ~s.down)


# -- hits ------------------------------------------------------------------------------------------------------


@helper
def hit(g: Any, s: Any, square: Any, owner: Any, loss: Any) -> None:
    """Damage a unit or crystal of `owner`: at 0 hit points a crystal is removed, a unit falls."""
    left = int(float(s.hp[square]) - loss)
    if left > 0:
        s.hp[square] = left
    elif bits.has(s.crystals, square) == 1:
        remove(s, square)
        if s.units[owner] & s.crystals == 0:
            finish(g, s)
    else:
        s.hp[square] = 0
        s.down |= bits.single(square)


@helper
def attack(g: Any, s: Any, player: Any, origin: Any, target: Any) -> None:
    """Attack an enemy."""
    at_crystal = bits.has(s.crystals, target) == 1
    loss = damage(g, s, origin, target)
    if at_crystal:
        loss += assault_bonus(g, s, player)
    hit(g, s, target, 1 - player, loss)
    kind = s.kind[origin]
    if kind == _KNIGHT and not at_crystal:
        knock_back(g, s, 1 - player, origin, target)
    elif kind == _WIZARD:
        chain(g, s, player, origin, target)
    s.gear[origin] &= ~SCROLL_BIT


@helper
def knock_back(g: Any, s: Any, owner: Any, origin: Any, target: Any) -> None:
    """Push the target of a knight one square away, even if it fell, unless a unit stands there."""
    dx, dy = direction(g, origin, target)
    x, y = g.column[target] + dx, g.row[target] + dy
    if x < 0 or x >= g.width or y < 0 or y >= g.height:
        return
    behind = x * g.height + y
    standing = (s.units[0] | s.units[1]) & ~s.down
    if bits.has(standing | g.deploy[1 - owner], behind) == 0:
        relocate(s, owner, target, behind)


@helper
def direction(g: Any, origin: Any, target: Any) -> Any:
    """Return the signs of the offset from one square to another."""
    return sign(g.column[target] - g.column[origin]), sign(g.row[target] - g.row[origin])


@helper
def sign(number: Any) -> Any:
    """Return -1, 0 or 1."""
    return int(number > 0) - int(number < 0)


@helper
def chain(g: Any, s: Any, player: Any, wizard: Any, target: Any) -> None:
    """Let a wizard's lightning jump from its target to a neighbour, and once more from there."""
    dx, dy = direction(g, wizard, target)
    struck = target
    for jump in range(_JUMPS):
        ex, ey = next_jump(g, s, player, struck, dx, dy)
        if ex == 0 and ey == 0:
            return
        struck += ex * g.height + ey
        factor = _FIRST_JUMP if jump == 0 else _SECOND_JUMP
        loss = float(int(damage(g, s, wizard, struck) * factor))
        if bits.has(s.crystals, struck) == 1:
            loss += assault_bonus(g, s, player)
        hit(g, s, struck, 1 - player, loss)
        dx, dy = ex, ey


@helper
def next_jump(g: Any, s: Any, player: Any, square: Any, dx: Any, dy: Any) -> Any:
    """Return the step to the neighbour that the lightning prefers, (0, 0) if there is none.

    It prefers straight on, then orthogonal neighbours, then north, then east.
    """
    foes = s.units[1 - player] & ~s.down
    best, best_x, best_y = 0, 0, 0
    if g.block[square] & foes & ~bits.single(square) == 0:
        return best_x, best_y
    for ex in range(-1, 2):
        for ey in range(-1, 2):
            x, y = g.column[square] + ex, g.row[square] + ey
            outside = x < 0 or x >= g.width or y < 0 or y >= g.height
            if (ex == 0 and ey == 0) or outside or (ex == -dx and ey == -dy):
                continue
            if bits.has(foes, x * g.height + y) == 0:
                continue
            value = _ANYWHERE + _ORTHOGONAL * int(ex == 0 or ey == 0) + _NORTH * int(ey == -1) + _EAST * int(ex == 1)
            if ex == dx and ey == dy:
                value = _STRAIGHT_ON
            if value > best:
                best, best_x, best_y = value, ex, ey
    return best_x, best_y


@helper
def inferno(g: Any, s: Any, player: Any, target: Any) -> None:
    """Damage the enemies on the nine squares around a target; fallen ones are removed."""
    victims = g.block[target] & s.units[1 - player]
    while victims != 0:
        square = bits.lowest(victims)
        victims = bits.without_lowest(victims)
        if bits.has(s.down, square) == 1:
            remove(s, square)
            continue
        loss = INFERNO_DAMAGE
        if bits.has(s.crystals, square) == 1:
            loss += assault_bonus(g, s, player)
        resistance = g.resistance[1, s.kind[square], s.gear[square]]
        hit(g, s, square, 1 - player, loss * ((100.0 - resistance) / 100.0))


# -- help ------------------------------------------------------------------------------------------------------


@helper
def raise_hp(g: Any, s: Any, square: Any, amount: Any) -> None:
    """Heal a unit up to its maximum; a fallen unit stands up."""
    s.hp[square] = min(s.hp[square] + amount, int(g.max_hp[s.kind[square], s.gear[square]]))
    s.down &= bits.complement(bits.single(square))


@helper
def heal(g: Any, s: Any, player: Any, origin: Any, target: Any) -> None:
    """Heal or revive an own unit; onto a fallen enemy the cleric steps instead, and keeps its scroll."""
    if bits.has(s.units[player], target) == 0:
        relocate(s, player, origin, target)
        return
    factor = REVIVE_FACTOR if bits.has(s.down, target) == 1 else HEAL_FACTOR
    raise_hp(g, s, target, power(g, s, origin) * factor)
    s.gear[origin] &= ~SCROLL_BIT


@helper
def play(g: Any, s: Any, player: Any, card: Any, target: Any) -> None:
    """Play a card; it leaves the game."""
    s.hand[player, card] -= 1
    s.hand_cards[player] -= 1
    if card < UNIT_KINDS:
        remove(s, target)
        place(s, target, player, card, int(g.max_hp[card, 0]), 0)
    elif card == _POTION:
        raise_hp(g, s, target, POTION_REVIVE if bits.has(s.down, target) == 1 else POTION_HEAL)
    elif card >= _RUNEMETAL:
        equip(g, s, target, RUNEMETAL_BIT << (card - _RUNEMETAL))
    else:
        inferno(g, s, player, target)


@helper
def equip(g: Any, s: Any, square: Any, item: Any) -> None:
    """Give a unit an item; armour also raises its current hit points."""
    s.gear[square] |= item
    if item & (DRAGONSCALE_BIT | HELM_BIT) != 0:
        hp = float(s.hp[square])
        s.hp[square] = min(int(hp + hp / ARMOUR_HP_SHARE), int(g.max_hp[s.kind[square], s.gear[square]]))


# -- cards -----------------------------------------------------------------------------------------------------


@helper
def discard(s: Any, player: Any, card: Any) -> None:
    """Return a hand card to the deck."""
    s.hand[player, card] -= 1
    s.deck[player, card] += 1
    s.hand_cards[player] -= 1
    s.deck_cards[player] += 1


@helper
def next_seed(seed: Any) -> Any:
    """Return a deck's seed after a draw."""
    if seed > _LARGE_SEED:
        return int(seed * _SEED_SHRINK)
    return int(seed * _SEED_GROWTH + _SEED_STEP)


@helper
def take_card(s: Any, player: Any, index: Any) -> None:
    """Move card number `index` of the deck, counted in canonical order, to the hand."""
    card = 0
    while index >= s.deck[player, card]:
        index -= s.deck[player, card]
        card += 1
    s.deck[player, card] -= 1
    s.hand[player, card] += 1
    s.deck_cards[player] -= 1
    s.hand_cards[player] += 1


@helper
def fill_hand(g: Any, s: Any, player: Any, rng: Any) -> None:
    """Draw until the hand is full or the deck is empty."""
    # Hidden cards are in the hand, but counted in the deck.
    while s.hand_cards[player] + s.hidden[player] < g.hand_size and s.deck_cards[player] > s.hidden[player]:
        if g.random_draws != 0:
            index = random.below(rng, s.deck_cards[player])
        else:
            s.seed[player] = next_seed(s.seed[player])
            index = s.seed[player] % s.deck_cards[player]
        take_card(s, player, index)


# -- the end of a turn and of the game -------------------------------------------------------------------------


@helper
def has_units(s: Any, player: Any) -> Any:
    """Return whether a player has a unit on the board (fallen or not), in hand or in the deck."""
    if s.units[player] & ~s.crystals != 0:
        return True
    for card in range(UNIT_KINDS):
        if s.hand[player, card] + s.deck[player, card] > 0:
            return True
    return False


@helper
def finish(g: Any, s: Any) -> None:
    """End the game and set the winner; at the turn limit it is always a draw."""
    s.over = 1
    s.winner = 0
    if s.turn < g.turn_limit:
        first = has_units(s, 0) and s.units[0] & s.crystals & g.crystal_start[0] != 0
        second = has_units(s, 1) and s.units[1] & s.crystals & g.crystal_start[1] != 0
        if first != second:
            s.winner = 1 if first else 2


@helper
def end_turn(g: Any, s: Any, rng: Any) -> None:
    """Remove own fallen units, check for a win, fill the hands and pass the move."""
    player = s.player
    fallen = s.units[player] & s.down
    while fallen != 0:
        remove(s, bits.lowest(fallen))
        fallen = bits.without_lowest(fallen)
    wiped_out = not has_units(s, 0) or not has_units(s, 1)
    if wiped_out or s.units[1 - player] & s.crystals == 0 or s.turn >= g.turn_limit:
        finish(g, s)
        return
    fill_hand(g, s, player, rng)
    fill_hand(g, s, 1 - player, rng)
    s.player = 1 - player
    s.ap = g.action_points
    s.turn += 1
