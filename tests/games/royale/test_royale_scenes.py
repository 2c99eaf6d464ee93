"""The behavioural checks of the specification: what cards do to each other, to towers, and how troops walk."""

from __future__ import annotations

import pytest
from royale_scenes import CARDS, deploy, hp_of, places, scene, ticking, ticks_until, tower_hp, troops, wait

from tactician.contract import State
from tactician.games.royale.arena import FORMATIONS

PRINCESS_HP = CARDS["Princess Tower"].hp
LEFT_LANE = 3500


def facing_left(state: State) -> int:
    """Hit points of the tower that faces player 0's left lane: the enemy's right one."""
    return tower_hp(state, 1)[1]


# -- spells ------------------------------------------------------------------------------------------------------


def struck(spell: str, *units: str) -> tuple[State, list[int]]:
    """A spell thrown on enemy units that stand in the middle of nowhere; the ticks after which they lost something."""
    state = scene(enemy=[(card, 9000 + 300 * i, 12500) for i, card in enumerate(units)], silent=True)
    state = deploy(state, 0, spell, 9, 12)
    seen, ticks = hp_of(state, 1), []
    while state.to_json()["players"][0]["spells"]:
        wait(state)
        if hp_of(state, 1) != seen:
            seen = hp_of(state, 1)
            ticks.append(int(state.to_json()["t"]))
    return state, ticks


def test_arrows_kill_minions_with_the_second_wave_and_archers_with_the_third() -> None:
    state, waves = struck("Arrows", "Minions", "Minions", "Minions")
    assert (hp_of(state, 1), len(waves)) == ([], 2)
    assert waves[1] - waves[0] == 2
    state, waves = struck("Arrows", "Archers", "Archers")
    assert (hp_of(state, 1), len(waves)) == ([], 3)


@pytest.mark.parametrize(
    ("card", "after_arrows", "after_fireball"),
    [("Musketeer", 295, 26), ("Baby Dragon", 654, 385), ("Knight", 1149, 880), ("Giant", 2972, 2703)],
)
def test_what_spells_leave_of_strong_units(card: str, after_arrows: int, after_fireball: int) -> None:
    assert hp_of(struck("Arrows", card)[0], 1) == [after_arrows]
    assert hp_of(struck("Fireball", card)[0], 1) == [after_fireball]


@pytest.mark.parametrize("card", ["Archers", "Minions"])
def test_a_fireball_kills_weak_units(card: str) -> None:
    assert hp_of(struck("Fireball", card, card)[0], 1) == []


def test_a_fireball_on_a_tower_takes_24_ticks_and_does_not_wake_the_king() -> None:
    state = deploy(scene(), 0, "Fireball", 3, 25)
    assert ticks_until(state, lambda s: facing_left(s) < PRINCESS_HP) == 24
    assert facing_left(state) == 2362
    assert state.to_json()["players"][1]["awake"] == 0


def test_arrows_on_a_tower_arrive_in_three_waves() -> None:
    state = deploy(scene(), 0, "Arrows", 3, 25)
    assert ticks_until(state, lambda s: facing_left(s) == PRINCESS_HP - 3 * 31) == 17


def test_deploying_units_are_struck_by_spells_but_not_aimed_at() -> None:
    state = deploy(scene(own=[("Knight", LEFT_LANE, 13000)]), 1, "Archers", 14, 14)
    assert [troop[5] for troop in troops(state, 1)] == [9, 9]
    assert troops(state, 0)[0][7] == -1
    state = deploy(state, 0, "Arrows", 3, 17)
    ticks_until(state, lambda s: len(s.to_json()["players"][0]["spells"]) == 0)
    assert hp_of(state, 1) == []


# -- towers ------------------------------------------------------------------------------------------------------


def test_a_king_that_is_hurt_shoots_exactly_forty_ticks_later() -> None:
    state = deploy(scene(own=[("Giant", 9000, 22500)]), 0, "Fireball", 9, 29)
    hurt = ticks_until(state, lambda s: tower_hp(s, 1)[2] < CARDS["King Tower"].hp)
    for princess in (0, 1):
        state = _without_tower_shots(state, princess)
    before = hp_of(state, 0)[0]
    assert ticks_until(state, lambda s: hp_of(s, 0)[0] < before) == hurt + 40


def _without_tower_shots(state: State, slot: int) -> State:
    data = state.to_json()
    data["players"][1]["towers"][slot][1] = 30_000
    return state.game.state_from_json(data)


def test_a_falling_princess_tower_wakes_the_king() -> None:
    state = scene(own=[("Knight", LEFT_LANE, 24000)])
    data = state.to_json()
    data["players"][1]["towers"][1][0] = 1
    state = ticking().state_from_json(data)
    ticks_until(state, lambda s: facing_left(s) == 0)
    assert (state.to_json()["players"][1]["awake"], state.to_json()["players"][1]["wake"]) == (1, 35)


def test_a_lone_giant_takes_the_tower_and_survives() -> None:
    state = deploy(scene(), 0, "Giant", 3, 14)
    assert ticks_until(state, lambda s: hp_of(s, 0) != [3275]) == 56
    assert ticks_until(state, lambda s: facing_left(s) < PRINCESS_HP) == 133
    assert ticks_until(state, lambda s: facing_left(s) == 0) == 313
    assert hp_of(state, 0) == [305]


@pytest.mark.parametrize(
    ("card", "dead", "left"),
    [
        ("Knight", 177, 1365),
        ("Musketeer", 97, 1810),
        ("Archers", 90, 2178),
        ("Minions", 98, 2198),
        ("Baby Dragon", 118, 1869),
    ],
)
def test_what_a_lone_card_does_to_a_tower(card: str, dead: int, left: int) -> None:
    state = deploy(scene(), 0, card, 3, 14)
    assert ticks_until(state, lambda s: not troops(s, 0)) == dead
    assert facing_left(state) == left


def test_a_tank_in_front_protects_the_support_behind_it() -> None:
    state = scene(own=[("Giant", LEFT_LANE, 14500), ("Musketeer", LEFT_LANE, 11500)])
    assert ticks_until(state, lambda s: facing_left(s) == 0) == 175
    assert hp_of(state, 0)[1] == CARDS["Musketeer"].hp
    alone = scene(own=[("Musketeer", LEFT_LANE, 14500)])
    ticks_until(alone, lambda s: not troops(s, 0))
    assert facing_left(alone) == 1810


def test_support_in_front_of_the_tank_is_the_wrong_order() -> None:
    state = scene(own=[("Musketeer", LEFT_LANE, 14500), ("Giant", LEFT_LANE, 11500)])
    assert ticks_until(state, lambda s: facing_left(s) == 0) == 285
    assert len(troops(state, 0)) == 1


@pytest.mark.parametrize(
    ("card", "left"),
    [("Minions", 2112), ("Archers", 1901), ("Musketeer", 1901), ("Knight", 1479), ("Baby Dragon", 1268)],
)
def test_every_answer_to_a_lone_giant_kills_it_and_cheap_damage_is_best(card: str, left: int) -> None:
    state = wait(scene(own=[("Giant", LEFT_LANE, 14500)]), 30)
    state = deploy(state, 1, card, 12, 8)
    ticks_until(state, lambda s: not troops(s, 0))
    assert facing_left(state) == left


# -- duels -------------------------------------------------------------------------------------------------------


def fought(own: list[str], enemy: list[str], tiles: int) -> tuple[State, int]:
    """A fight of two groups in formation on the middle line, far from the enemy's towers; and how long it took."""
    low, high = 9500 - 500 * tiles, 9500 + 500 * tiles
    state = scene(
        own=[(card, 9000 + dx, low + dy) for card, (dx, dy) in zip(own, FORMATIONS[len(own) - 1], strict=True)],
        enemy=[(card, 9000 - dx, high - dy) for card, (dx, dy) in zip(enemy, FORMATIONS[len(enemy) - 1], strict=True)],
        silent=True,
    )
    return state, ticks_until(state, lambda s: not troops(s, 0) or not troops(s, 1))


MINIONS, ARCHERS = ["Minions"] * 3, ["Archers"] * 2


def test_a_giant_never_aims_at_troops() -> None:
    state = scene(own=[("Giant", LEFT_LANE, 14500)], enemy=[("Knight", LEFT_LANE + 1500, 14500)])
    while troops(state, 0) and not state.is_over():
        assert troops(state, 0)[0][7] < 3
        wait(state)


def test_minions_beat_a_knight_that_can_not_reach_them() -> None:
    state, _ = fought(["Knight"], MINIONS, 8)
    assert (hp_of(state, 0), sum(hp_of(state, 1))) == ([], 570)


def test_a_knight_beats_archers_and_archers_beat_minions() -> None:
    state, _ = fought(["Knight"], ARCHERS, 8)
    assert (hp_of(state, 0), hp_of(state, 1)) == ([384], [])
    state, _ = fought(ARCHERS, MINIONS, 8)
    assert (sum(hp_of(state, 0)), hp_of(state, 1)) == (252, [])


def test_distance_decides_between_a_musketeer_and_minions() -> None:
    state, _ = fought(["Musketeer"], MINIONS, 8)
    assert (hp_of(state, 0), hp_of(state, 1)) == ([598], [])
    state, _ = fought(["Musketeer"], MINIONS, 3)
    assert (hp_of(state, 0), hp_of(state, 1)) == ([], [190])


@pytest.mark.parametrize(("tiles", "left"), [(8, 4), (3, 547)])
def test_a_knight_beats_a_musketeer_the_more_clearly_the_nearer_it_starts(tiles: int, left: int) -> None:
    state, _ = fought(["Knight"], ["Musketeer"], tiles)
    assert (hp_of(state, 0), hp_of(state, 1)) == ([left], [])


@pytest.mark.parametrize(("enemy", "left"), [(MINIONS, 621), (ARCHERS, 601)])
def test_the_splash_of_a_baby_dragon_beats_groups_quickly(enemy: list[str], left: int) -> None:
    state, ticks = fought(["Baby Dragon"], enemy, 3)
    assert (hp_of(state, 0), hp_of(state, 1), ticks) == ([left], [], 18)


def test_two_units_can_kill_each_other_in_the_same_tick() -> None:
    state = scene(own=[("Knight", LEFT_LANE, 13000)], enemy=[("Knight", LEFT_LANE, 14000)], silent=True)
    ticks_until(state, lambda s: not troops(s, 0))
    assert troops(state, 1) == []


# -- walking -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "tile", "slot", "ticks"),
    [("Knight", (8, 0), 1, 255), ("Knight", (9, 0), 0, 255), ("Knight", (3, 1), 1, 246), ("Giant", (8, 0), 1, 336)],
)
def test_troops_from_the_back_go_round_their_own_towers(
    card: str, tile: tuple[int, int], slot: int, ticks: int
) -> None:
    state = deploy(scene(silent=True), 0, card, *tile)
    assert ticks_until(state, lambda s: min(tower_hp(s, 1)[:2]) < PRINCESS_HP) == ticks
    assert tower_hp(state, 1)[slot] < PRINCESS_HP


def test_two_knights_on_one_point_part() -> None:
    state = wait(scene(own=[("Knight", LEFT_LANE, 9500)] * 2), 10)
    assert places(state, 0) == [(3001, 10500), (3999, 10500)]


def test_the_way_of_a_knight_from_behind_its_own_princess_tower() -> None:
    state = deploy(scene(), 0, "Knight", 3, 1)
    way = {30: (3500, 3500), 50: (3992, 5064), 70: (5001, 6577), 120: (4709, 11527), 200: (4247, 19278)}
    for tick, place in way.items():
        ticks_until(state, lambda s, tick=tick: s.to_json()["t"] == tick)
        assert places(state, 0) == [place]
