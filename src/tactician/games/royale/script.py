"""A scripted player: fixed rules from public strategy notes, by what its seat sees.

It defends first, throws spells at towers that are about to fall or when time runs out, and otherwise saves elixir for
an attack: a tank from the back of a lane, then troops that shoot behind it. It draws nothing and remembers nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tactician.contract.state import State
from tactician.games.royale.actions import WAIT, deployment_code
from tactician.games.royale.arena import (
    COLUMNS,
    ELIXIR,
    KING,
    MIDDLE_Y,
    MOST_TICKS,
    REGULAR_TICKS,
    TILE,
    TILES,
    TOWER_PLACES,
    tile_at,
    tile_centre,
)
from tactician.games.royale.observations import Observation, Tower, Troop, observation
from tactician.games.royale.records import AIR, GROUND, NO_CARD
from tactician.games.royale.tables import LEFT_POCKET, OWN_LEFT_FELL, OWN_RIGHT_FELL, RIGHT_POCKET, names_of

AGAINST_FIGHTERS = ("Minions", "Musketeer", "Archers")
AGAINST_AIR = ("Musketeer", "Archers")
AGAINST_SHOOTERS = ("Knight",)
"""The cards that answer an intruder, best first; after them the cheapest card that can hit it."""
SHOOTING_RANGE = 3000
"""A troop that strikes farther than this shoots."""
ANSWER_DISTANCE = 3 * TILE
"""How far from an intruder, toward the own king, an answer is deployed."""
GUARD_DISTANCE = 6 * TILE
"""An own troop within this distance guards against an intruder."""
FOLLOW_DISTANCE = 2 * TILE
"""How far behind an own tank a shooter is deployed."""
ATTACK_ELIXIR, ATTACK_ELIXIR_DOUBLED = 9 * ELIXIR, 7 * ELIXIR
FINAL_TICKS = 200
"""The last ticks of the regular time and of overtime, in which spells go to the weakest tower."""
SPELL_VALUE = 4 * ELIXIR
"""What a spell of one wave must destroy to be worth it; one of several waves must kill MANY units."""
MANY = 2
NEARLY = 10
"""A unit is as good as killed once only a tenth of its hit points is left."""
BACK_TILES = (COLUMNS + 3, COLUMNS + 14)
"""Where attacks start, on the left and on the right lane."""


class Script:
    """The scripted player of one game; it plays any seat."""

    def __init__(self, config: Any) -> None:
        self._g = config
        self._names = names_of(config)

    def act(self, state: State, seat: int) -> int:
        """Return the action of a seat."""
        seen = observation(state, seat)
        if seen.reserved is not None:
            return WAIT
        affordable = [card for card in seen.hand if card != NO_CARD and self._g.cost[card] <= seen.elixir]
        return (
            self._finish_tower(seen, affordable)
            or self._defend(seen, affordable)
            or self._attack(seen, affordable)
            or WAIT
        )

    # -- defence -------------------------------------------------------------------------------------------------

    def _defend(self, seen: Observation, affordable: list[int]) -> int | None:
        intruders = [troop for troop in seen.troops if not troop.own and troop.y < MIDDLE_Y]
        if not intruders:
            return None
        for card in filter(self._is_spell, affordable):
            tile = self._worthwhile_tile(seen, card, intruders)
            if tile is not None:
                return int(deployment_code(card, tile))
        for intruder in sorted(intruders, key=lambda troop: (troop.y, troop.x)):
            answer = self._answer(seen, affordable, intruder)
            if answer is not None:
                x, y = _toward_king(intruder, ANSWER_DISTANCE)
                return self._deploy_near(seen, answer, x, y)
        return WAIT if any(not self._is_guarded(seen, intruder) for intruder in intruders) else None

    def _worthwhile_tile(self, seen: Observation, card: int, intruders: list[Troop]) -> int | None:
        """The tile of an intruder around which a spell destroys enough, if there is one."""
        for intruder in intruders:
            column, row = intruder.tile
            x, y = tile_centre(row * COLUMNS + column)
            struck = [troop for troop in seen.troops if not troop.own and self._reaches(card, troop, x, y)]
            killed = [troop for troop in struck if self._destroys(card, troop)]
            worth = sum(self._value(troop) for troop in killed)
            if len(killed) >= MANY if self._g.waves[card] > 1 else worth >= SPELL_VALUE:
                return row * COLUMNS + column
        return None

    def _answer(self, seen: Observation, affordable: list[int], intruder: Troop) -> int | None:
        """The best card against an intruder, unless own troops guard against it already."""
        if self._is_guarded(seen, intruder):
            return None
        g = self._g
        wanted: tuple[str, ...]
        if g.air[intruder.card]:
            wanted = AGAINST_AIR
        elif g.reach[intruder.card] > SHOOTING_RANGE:
            wanted = AGAINST_SHOOTERS
        else:
            wanted = AGAINST_FIGHTERS
        able = [card for card in affordable if not self._is_spell(card) and self._hits(card, intruder)]
        ranks = {name: rank for rank, name in enumerate(wanted)}
        return min(
            able, key=lambda card: (ranks.get(self._names[card], len(ranks)), int(g.cost[card]), card), default=None
        )

    def _is_guarded(self, seen: Observation, intruder: Troop) -> bool:
        """Whether own troops near an intruder that can hit it are worth as much as the intruder."""
        guards = [
            troop
            for troop in seen.troops
            if troop.own
            and self._hits(troop.card, intruder)
            and _squared(troop.x - intruder.x, troop.y - intruder.y) <= GUARD_DISTANCE**2
        ]
        return sum(map(self._value, guards)) >= self._value(intruder)

    # -- attack --------------------------------------------------------------------------------------------------

    def _finish_tower(self, seen: Observation, affordable: list[int]) -> int | None:
        """Throw a spell at a tower that it destroys, or at the weakest one when time runs out."""
        spells = [card for card in affordable if self._is_spell(card)]
        towers = [tower for tower in seen.towers if not tower.own and tower.hp > 0]
        final = any(end - FINAL_TICKS <= seen.tick < end for end in (REGULAR_TICKS, MOST_TICKS))
        for tower in sorted(towers, key=lambda tower: (tower.slot == KING, tower.hp, tower.x)):
            for card in spells:
                if final or self._g.tower_damage[card] * self._g.waves[card] >= tower.hp:
                    column, row = tile_at(tower.x, tower.y)
                    return int(deployment_code(card, row * COLUMNS + column))
        return None

    def _attack(self, seen: Observation, affordable: list[int]) -> int | None:
        if seen.elixir < (ATTACK_ELIXIR_DOUBLED if seen.double_elixir else ATTACK_ELIXIR):
            return None
        troops = [card for card in affordable if not self._is_spell(card)]
        back = BACK_TILES[_weaker_lane(seen.towers)]
        tanks = [card for card in troops if self._is_tank(card)]
        if tanks:
            return self._deploy_near(seen, tanks[0], *tile_centre(back))
        leaders = [troop for troop in seen.troops if troop.own and self._is_tank(troop.card)]
        shooters = [card for card in troops if self._g.reach[card] > SHOOTING_RANGE]
        if leaders and shooters:
            leader = max(leaders, key=lambda troop: (troop.y, -troop.x))
            return self._deploy_near(seen, shooters[0], leader.x, leader.y - FOLLOW_DISTANCE)
        cheapest = min(troops, key=lambda card: (int(self._g.cost[card]), card), default=None)
        return None if cheapest is None else self._deploy_near(seen, cheapest, *tile_centre(back))

    # -- what cards can do ---------------------------------------------------------------------------------------

    def _is_spell(self, card: int) -> bool:
        return bool(self._g.is_spell[card])

    def _is_tank(self, card: int) -> bool:
        return not self._is_spell(card) and not self._g.hits[card] & (GROUND | AIR)

    def _hits(self, card: int, troop: Troop) -> bool:
        return bool(self._g.hits[card] & (AIR if self._g.air[troop.card] else GROUND))

    def _reaches(self, card: int, troop: Troop, x: int, y: int) -> bool:
        reach = int(self._g.burst[card] + self._g.radius[troop.card])
        return _squared(troop.x - x, troop.y - y) <= reach**2

    def _destroys(self, card: int, troop: Troop) -> bool:
        left = troop.hp - int(self._g.damage[card] * self._g.waves[card])
        return left * NEARLY <= int(self._g.hp[troop.card])

    def _value(self, troop: Troop) -> float:
        """The elixir of one unit of a card."""
        return float(self._g.cost[troop.card] / self._g.count[troop.card])

    def _deploy_near(self, seen: Observation, card: int, x: int, y: int) -> int:
        """Deploy a troop on the legal tile nearest to a place."""
        legal = [tile for tile in range(TILES) if self._g.tile_variants[tile] >> _variant(seen.towers) & 1]
        tile = min(legal, key=lambda tile: (_distance(tile, x, y), tile))
        return int(deployment_code(card, tile))


def _variant(towers: Iterable[Tower]) -> int:
    """Which variant of the legal tiles the observer has."""
    left, right, _, enemy_left, enemy_right, _ = (tower.hp == 0 for tower in towers)
    return left * OWN_LEFT_FELL | right * OWN_RIGHT_FELL | enemy_left * LEFT_POCKET | enemy_right * RIGHT_POCKET


def _weaker_lane(towers: tuple[Tower, ...]) -> int:
    """0 for the left lane, 1 for the right: where the enemy's princess tower is weaker but stands."""
    left, right = towers[3], towers[4]
    if left.hp == 0 or right.hp == 0:
        return int(left.hp == 0 and right.hp > 0)
    return int(right.hp < left.hp)


def _toward_king(troop: Troop, distance: int) -> tuple[int, int]:
    king_x, king_y = TOWER_PLACES[KING]
    dx, dy = king_x - troop.x, king_y - troop.y
    length = max(1, round(_squared(dx, dy) ** 0.5))
    share = min(distance, length)
    return troop.x + dx * share // length, troop.y + dy * share // length


def _distance(tile: int, x: int, y: int) -> int:
    tile_x, tile_y = tile_centre(tile)
    return _squared(tile_x - x, tile_y - y)


def _squared(dx: int, dy: int) -> int:
    return dx * dx + dy * dy
