"""What counts as an occasion for a habit, and what as taking it."""

from __future__ import annotations

from typing import Any

import pytest
from royale_scenes import game, holding, scene

from tactician.games.royale.behaviours import COUNTER, FINAL_FIRE, OTHER_LANE, SLOWING, SUPPORT, habits_in

Units = list[tuple[str, int, int]]


def found(action: Any, own: Units | None = None, enemy: Units | None = None, tick: int = 0) -> dict[str, bool]:
    state = scene(own=own, enemy=enemy, tick=tick, of=game())
    if action != "wait":
        state = holding(state, 0, action[1])
    return habits_in(state, 0, game().action_from_json(action))


def test_waiting_in_an_empty_arena_is_no_occasion_for_anything() -> None:
    assert found("wait") == {}


@pytest.mark.parametrize(
    ("shooter", "taken"),
    [(("Musketeer", 3500, 14000), True), (("Musketeer", 3500, 19000), False), (("Knight", 3500, 14000), False)],
)
def test_support_is_a_shooter_behind_an_advancing_tank(shooter: tuple[str, int, int], taken: bool) -> None:
    assert found("wait", own=[("Giant", 3500, 17500), shooter]) == {SUPPORT: taken}
    assert found("wait", own=[("Giant", 3500, 9000), shooter]) == {}


def test_damage_against_a_lone_tank() -> None:
    giant: Units = [("Giant", 3500, 12000)]
    assert found(["deploy", "Minions", 4, 9], enemy=giant)[COUNTER]
    assert not found(["deploy", "Baby Dragon", 4, 9], enemy=giant)[COUNTER]
    assert COUNTER not in found(["deploy", "Minions", 4, 9], enemy=[*giant, ("Archers", 3500, 13000)])
    assert COUNTER not in found(["deploy", "Minions", 4, 9], enemy=[("Giant", 3500, 20000)])


def test_the_other_lane_is_the_one_without_intruders() -> None:
    knight: Units = [("Knight", 3500, 12000)]
    assert found(["deploy", "Archers", 14, 12], enemy=knight)[OTHER_LANE]
    assert not found(["deploy", "Archers", 3, 9], enemy=knight)[OTHER_LANE]
    assert OTHER_LANE not in found(["deploy", "Archers", 3, 9], enemy=[*knight, ("Knight", 14500, 12000)])


def test_a_tank_near_an_intruder_slows_the_attack() -> None:
    assert found(["deploy", "Giant", 3, 10], enemy=[("Knight", 3500, 13000)])[SLOWING]
    assert not found(["deploy", "Giant", 14, 10], enemy=[("Knight", 3500, 13000)])[SLOWING]
    assert not found(["deploy", "Giant", 14, 10])[SLOWING]


def test_only_the_last_seconds_count_for_fire_on_towers() -> None:
    assert found(["deploy", "Fireball", 3, 25], tick=1700) == {FINAL_FIRE: True}
    assert found(["deploy", "Fireball", 9, 29], tick=2900) == {FINAL_FIRE: True}
    assert found(["deploy", "Fireball", 9, 20], tick=1700) == {FINAL_FIRE: False}
    assert found(["deploy", "Fireball", 3, 6], tick=1700) == {FINAL_FIRE: False}  # the own tower
    assert found(["deploy", "Fireball", 3, 25], tick=1500) == {}
