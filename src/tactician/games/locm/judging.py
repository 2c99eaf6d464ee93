"""The heuristic of Montoliu et al., a weighted sum of five features of a side; and a cheap rating of actions."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper
from tactician.games.locm.actions import ATTACK, PASS, SUMMON, decode
from tactician.games.locm.effects import START_HP, in_hand, on_board
from tactician.games.locm.records import (
    BLUE,
    GREEN,
    GUARD,
    abilities_of,
    attack_of,
    card_of,
    defense_of,
    lane_of,
)
from tactician.native.records import FieldRecord

_BOUNDS = (60.0, 120.0, 80.0, 100.0, 20.0)
"""Bounds of the features; the value of a rare position beyond them is clipped."""

_BOARD_WIN = 1000.0
_PASS_RATING, _SUMMON_RATING, _ATTACK_RATING = -1.0, 10.0, 20.0
_COST_RATING = 0.5
"""For each point of mana that a card costs."""


def derive(g: FieldRecord) -> None:
    """Set the value of a win above the value of any position."""
    if g.by_board:
        g.win = _BOARD_WIN
        return
    g.win = sum(abs(float(weight)) * bound for weight, bound in zip(g.weights, _BOUNDS, strict=True)) + 1.0
    if g.relative:
        g.win *= 2


@helper
def side_value(g: Any, s: Any, player: Any) -> Any:
    """Return the weighted sum of one side's features."""
    w = g.weights
    value = w[0] * (START_HP - s.hp[1 - player])
    value += w[1] * threat(g, s, player)
    value += w[2] * board_value(g, s, player)
    value += w[3] * item_value(g, s, player)
    value += w[4] * s.next_draw[player]
    return max(1.0 - g.win, min(g.win - 1.0, value))


@helper
def threat(g: Any, s: Any, player: Any) -> Any:
    """Return the health that a player loses if all enemy creatures attack next turn.

    In each lane every Guard stops one attacker, the weakest first.
    """
    loss = 0
    for lane in range(g.lanes):
        guards = 0
        for i in range(s.units_n[player]):
            unit = s.units[player, i]
            guards += int(lane_of(unit) == lane and abilities_of(unit) & GUARD != 0)
        loss += lane_threat(s, 1 - player, lane, guards)
    return loss


@helper
def lane_threat(s: Any, attacker: Any, lane: Any, guards: Any) -> Any:
    """Return the attack of all creatures of a lane without the weakest ones, one for each Guard."""
    total = 0
    for i in range(s.units_n[attacker]):
        unit = s.units[attacker, i]
        if lane_of(unit) != lane:
            continue
        # A creature gets through if there are at least as many weaker ones (earlier ones if equal) as Guards.
        weaker = 0
        for j in range(s.units_n[attacker]):
            other = s.units[attacker, j]
            if j != i and lane_of(other) == lane:
                same = attack_of(other) == attack_of(unit)
                weaker += int(attack_of(other) < attack_of(unit) or (same and j < i))
        if weaker >= guards:
            total += attack_of(unit)
    return total


@helper
def board_value(g: Any, s: Any, player: Any) -> Any:
    """Return the summed values of a player's creatures in play."""
    value = 0.0
    for i in range(s.units_n[player]):
        value += g.value[card_of(s.units[player, i])]
    return value


@helper
def item_value(g: Any, s: Any, player: Any) -> Any:
    """Return the summed values of the items in a player's hand."""
    value = 0.0
    for i in range(s.hand_n[player]):
        card = s.deck[player, s.hand[player, i]]
        if g.kind[card] >= GREEN and g.kind[card] <= BLUE:
            value += g.value[card]
    return value


@helper
def rate(g: Any, s: Any, player: Any, action: Any) -> Any:
    """Rate an action: attacks above summons above items, each by its effect or cost; the end of the turn last."""
    kind, who, where = decode(action)
    if kind == PASS:
        return _PASS_RATING
    if kind == ATTACK:
        strength = float(attack_of(s.units[player, on_board(s, player, who)]))
        if where == 0:
            return _ATTACK_RATING + strength
        foe = s.units[1 - player, on_board(s, 1 - player, where - 1)]
        kills = strength >= defense_of(foe)
        return _ATTACK_RATING + (attack_of(foe) + 1.0 if kills else 0.0)
    cost = float(g.cost[s.deck[player, s.hand[player, in_hand(s, player, who)]]])
    return (_SUMMON_RATING if kind == SUMMON else 0.0) + _COST_RATING * cost
