"""Five habits of good players, as things that can be counted in a battle: occasions, and how often they were taken.

The paper describes what its oracle does in words. Here each habit is a question to one step of one player: is this an
occasion, and if so, was it taken? Rates are compared between players; their absolute size depends on the definitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tactician.contract.state import State
from tactician.games.royale.actions import DEPLOY
from tactician.games.royale.arena import (
    DECK,
    KING,
    MIDDLE_X,
    MIDDLE_Y,
    MOST_TICKS,
    REGULAR_TICKS,
    TILE,
    TILES,
    tile_centre,
)
from tactician.games.royale.observations import Observation, Troop, observation
from tactician.games.royale.records import AIR, GROUND, KING_KIND, PRINCESS_KIND

SUPPORT, COUNTER, OTHER_LANE, SLOWING, FINAL_FIRE = HABITS = (
    "support behind a tank",
    "high damage against a lone tank",
    "attack in the other lane",
    "tank in the way of an attack",
    "spells on towers at the end",
)
SHOOTING_RANGE = 3000
SUPPORT_DEPTH, SUPPORT_WIDTH = 6 * TILE, 3 * TILE
ADVANCED = 12 * TILE
"""A tank this far from its own edge is on its way to a tower."""
NEAR = 5 * TILE
FINAL_TICKS = 200


@dataclass(frozen=True)
class _Deployment:
    card: int
    x: int
    y: int


def habits_in(state: State, seat: int, action: int) -> dict[str, bool]:
    """Return the habits for which a step of a player is an occasion, each with whether it was taken."""
    g, seen = state.game.config, observation(state, seat)
    found = _support(g, seen)
    if action < DEPLOY:
        return found
    card, tile = divmod(action - DEPLOY, TILES)
    deployed = _Deployment(card, *tile_centre(tile))
    intruders = [troop for troop in seen.troops if not troop.own and troop.y < MIDDLE_Y]
    if g.is_spell[card]:
        return found | _final_fire(g, seen, deployed)
    return found | _defence(g, intruders, deployed)


def _support(g: Any, seen: Observation) -> dict[str, bool]:
    """While an own tank advances: is an own troop that shoots behind it?"""
    own = [troop for troop in seen.troops if troop.own and not troop.deploying]
    tanks = [troop for troop in own if _is_tank(g, troop.card) and troop.y > ADVANCED]
    if not tanks:
        return {}
    shooters = [troop for troop in own if g.reach[troop.card] > SHOOTING_RANGE]
    return {SUPPORT: any(_is_behind(shooter, tank) for tank in tanks for shooter in shooters)}


def _is_behind(shooter: Troop, tank: Troop) -> bool:
    return 0 < tank.y - shooter.y <= SUPPORT_DEPTH and abs(tank.x - shooter.x) <= SUPPORT_WIDTH


def _defence(g: Any, intruders: Sequence[Troop], deployed: _Deployment) -> dict[str, bool]:
    """Troops deployed while enemies are on the own half; tanks at any time."""
    found: dict[str, bool] = {}
    if len(intruders) == 1 and _is_tank(g, intruders[0].card):
        found[COUNTER] = _damage_rate(g, deployed.card) > _median_rate(g)
    lanes = {intruder.x < MIDDLE_X for intruder in intruders}
    if len(lanes) == 1:
        found[OTHER_LANE] = (deployed.x < MIDDLE_X) not in lanes
    if _is_tank(g, deployed.card):
        found[SLOWING] = any(_squared(one.x - deployed.x, one.y - deployed.y) <= NEAR**2 for one in intruders)
    return found


def _final_fire(g: Any, seen: Observation, deployed: _Deployment) -> dict[str, bool]:
    """Spells in the last twenty seconds of the regular time or of overtime: do they strike a tower?"""
    if not any(end - FINAL_TICKS <= seen.tick < end for end in (REGULAR_TICKS, MOST_TICKS)):
        return {}
    struck = False
    for tower in seen.towers:
        kind = KING_KIND if tower.slot == KING else PRINCESS_KIND
        reach = int(g.burst[deployed.card] + g.radius[kind])
        struck |= not tower.own and tower.hp > 0 and _squared(tower.x - deployed.x, tower.y - deployed.y) <= reach**2
    return {FINAL_FIRE: struck}


def _is_tank(g: Any, card: int) -> bool:
    return not g.is_spell[card] and not g.hits[card] & (GROUND | AIR)


def _damage_rate(g: Any, card: int) -> float:
    """Damage of a card's units in a tick."""
    return float(g.damage[card] * g.count[card] / g.hit_ticks[card])


def _median_rate(g: Any) -> float:
    rates = sorted(_damage_rate(g, card) for card in range(DECK) if not g.is_spell[card])
    return (rates[(len(rates) - 1) // 2] + rates[len(rates) // 2]) / 2


def _squared(dx: int, dy: int) -> int:
    return dx * dx + dy * dy
