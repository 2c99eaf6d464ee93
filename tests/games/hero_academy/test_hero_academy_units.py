"""What units do: move, strike, see, push, cast lightning, heal, change places.

Sections 2, 5.1, 6.2 to 6.5 and 6.7 of the rules.
"""

from __future__ import annotations

import pytest
from hero_academy_boards import (
    CRYSTALS,
    at,
    attack,
    board_of,
    change_places,
    game,
    heal,
    hp_at,
    legal,
    move,
    position,
    targets,
)

from tactician.errors import IllegalActionError

# -- moving ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "speed"), [("K", 2), ("A", 2), ("C", 2), ("W", 2), ("N", 3)])
def test_a_unit_moves_as_far_as_its_speed_in_manhattan_distance(unit: str, speed: int) -> None:
    reached = targets(position({(4, 2): unit}), "M", (4, 2))
    around = {(x, y) for x in range(9) for y in range(5)}
    assert reached == {(x, y) for x, y in around if 0 < abs(x - 4) + abs(y - 2) <= speed}


def test_a_unit_passes_through_anything_on_its_way() -> None:
    walled_in = position("""
        . k . . . . . . .
        k W k . . . . . .
        . X . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    assert {(3, 1), (1, 3), (2, 0)} <= targets(walled_in, "M", (1, 1))


def test_moving_takes_hit_points_and_equipment_along() -> None:
    assert board_of(move(position({(4, 2): "A+RD=333"}), (4, 2), (5, 1))) == {(5, 1): "A+RD=333"}


def test_no_unit_steps_on_an_enemy_deploy_square() -> None:
    left, right = position({(1, 0): "K"}), position({(7, 0): "K"})
    assert (0, 0) in targets(left, "M", (1, 0))
    assert (8, 0) not in targets(right, "M", (7, 0))
    assert (0, 0) not in targets(position({(1, 0): "k"}, turn=2), "M", (1, 0))


def test_a_unit_tramples_a_fallen_enemy() -> None:
    assert board_of(move(position({(3, 2): "K", (4, 2): "w=0"}), (3, 2), (4, 2))) == {(4, 2): "K"}


def test_a_unit_may_trample_its_own_fallen_comrade() -> None:
    assert board_of(move(position({(3, 2): "K", (4, 2): "W+RS=0"}), (3, 2), (4, 2))) == {(4, 2): "K"}


def test_no_unit_tramples_on_an_enemy_deploy_square() -> None:
    assert (8, 0) not in targets(position({(7, 0): "K", (8, 0): "w=0"}), "M", (7, 0))


def test_no_unit_steps_on_a_standing_one() -> None:
    crowd = position({(3, 2): "K", (4, 2): "W", (3, 1): "w", (2, 2): "X", (3, 3): "x"})
    assert not {(4, 2), (3, 1), (2, 2), (3, 3)} & targets(crowd, "M", (3, 2))


def test_fallen_units_and_crystals_never_act() -> None:
    assert legal(position({(2, 1): "X", (4, 2): "W=0", (5, 2): "n"})) == [["E"]]


def test_a_unit_may_act_again_and_again_in_one_turn() -> None:
    state = position({(1, 1): "K"})
    for x in range(2, 7):
        state = move(state, (x - 1, 1), (x, 1))
    assert at(state, (6, 1)) == "K"


# -- striking --------------------------------------------------------------------------------------------------

BLOWS = [
    # attacker, distance, what it takes off an archer, who resists nothing
    ("K", 1, 200),
    ("A", 1, 150),
    ("A", 2, 300),
    ("A", 3, 300),
    ("C", 1, 200),
    ("C", 2, 200),
    ("W", 1, 200),
    ("W", 2, 200),
    ("N", 1, 400),
    ("N", 2, 200),
]


@pytest.mark.parametrize(("attacker", "distance", "damage"), BLOWS)
def test_each_unit_strikes_with_its_own_force_near_and_far(attacker: str, distance: int, damage: int) -> None:
    before = position({(3, 1): attacker, (3 + distance, 1): "a"})
    after = board_of(attack(before, (3, 1), (3 + distance, 1)))
    assert f"a={800 - damage}" in after.values()


@pytest.mark.parametrize(("attacker", "reach"), [("K", 1), ("A", 3), ("C", 2), ("W", 2), ("N", 2)])
def test_no_unit_strikes_farther_than_its_reach(attacker: str, reach: int) -> None:
    for distance in range(1, 6):
        state = position({(2, 1): attacker, (2 + distance, 1): "a"})
        assert bool(targets(state, "A", (2, 1))) == (distance <= reach)


def test_a_diagonal_neighbour_is_at_distance_two() -> None:
    assert targets(position({(3, 1): "K", (4, 2): "a"}), "A", (3, 1)) == set()
    assert at(attack(position({(3, 1): "N", (4, 2): "a"}), (3, 1), (4, 2)), (4, 2)) == "a=600"
    assert at(attack(position({(3, 1): "A", (4, 2): "a"}), (3, 1), (4, 2)), (4, 2)) == "a=500"


def test_fallen_units_cannot_be_attacked() -> None:
    assert targets(position({(3, 1): "A", (4, 1): "k=0"}), "A", (3, 1)) == set()


def test_nobody_attacks_own_units() -> None:
    assert targets(position({(3, 1): "A", (4, 1): "K=5", (5, 1): "X"}), "A", (3, 1)) == set()


def test_a_unit_without_hit_points_falls_and_keeps_its_equipment() -> None:
    assert at(attack(position({(3, 1): "A", (5, 1): "w+RSH=300"}), (3, 1), (5, 1)), (5, 1)) == "w+RSH=0"
    assert at(attack(position({(3, 1): "A", (5, 1): "w=301"}), (3, 1), (5, 1)), (5, 1)) == "w=1"


@pytest.mark.parametrize(
    ("attacker", "defender", "damage"),
    [
        ("A", "k", 240),  # 20 % of a knight's own
        ("A", "k+D", 180),  # 20 % more by its dragonscale
        ("A", "c+D", 240),
        ("A", "c+H", 300),  # a helm is no help against arrows
        ("C", "w", 180),  # 10 % of a wizard's own
        ("C", "w+H", 140),
        ("C", "k+D", 200),  # nor are scales against magic
        ("C", "k+H", 160),
        ("N", "w", 200),
    ],
)
def test_resistance_depends_on_class_equipment_and_kind_of_attack(attacker: str, defender: str, damage: int) -> None:
    before = position({(3, 1): attacker, (5, 1): defender})
    after = attack(before, (3, 1), (5, 1))
    assert hp_at(before, (5, 1)) - hp_at(after, (5, 1)) == damage


def test_the_defense_square_protects_against_blows_but_not_against_magic() -> None:
    arrow = position({(6, 0): "A", (4, 0): "c"})
    assert at(attack(arrow, (6, 0), (4, 0)), (4, 0)) == "c=560"
    spell = position({(6, 0): "C", (4, 0): "c"})
    assert at(attack(spell, (6, 0), (4, 0)), (4, 0)) == "c=600"


def test_the_defense_square_protects_either_side_and_adds_to_everything_else() -> None:
    state = position({(6, 0): "a", (4, 0): "K+D"}, turn=2)
    assert hp_at(attack(state, (6, 0), (4, 0)), (4, 0)) == 1100 - 120  # 20 + 20 + 20 %


# -- power -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("archer", "damage"), [("A", 300), ("A+R", 450), ("A+S", 900), ("A+RS", 1350), ("A+D", 300), ("A+H", 300)]
)
def test_runemetal_adds_half_and_a_scroll_triples(archer: str, damage: int) -> None:
    state = position({(3, 1): archer, (6, 1): "x"})
    assert hp_at(attack(state, (3, 1), (6, 1)), (6, 1)) == 4500 - damage


@pytest.mark.parametrize(
    ("archer", "damage"),
    [
        ("A", 300 + 100),
        ("A+R", 300 + 150 + 100),  # the square's bonus comes after the runemetal ...
        ("A+S", (300 + 100) * 3),  # ... and before the scroll
        ("A+RS", (300 + 150 + 100) * 3),
    ],
)
def test_power_grows_by_runemetal_then_power_square_then_scroll(archer: str, damage: int) -> None:
    state = position({(2, 2): archer, (2, 0): "x"})
    assert hp_at(attack(state, (2, 2), (2, 0)), (2, 0)) == 4500 - damage


def test_a_scroll_is_used_up_by_an_attack_and_runemetal_is_not() -> None:
    assert at(attack(position({(3, 1): "A+RSDH", (5, 1): "x"}), (3, 1), (5, 1)), (3, 1)) == "A+RDH"


def test_a_scroll_outlasts_moves() -> None:
    assert at(move(position({(3, 1): "A+S"}), (3, 1), (4, 1)), (4, 1)) == "A+S"


# -- crystals --------------------------------------------------------------------------------------------------


def test_a_unit_on_the_assault_square_adds_300_to_all_damage_to_crystals() -> None:
    state = position({(5, 2): "A", (4, 4): "N", (7, 2): "x"})
    assert hp_at(attack(state, (5, 2), (7, 2)), (7, 2)) == 4500 - 300 - 300


def test_the_assault_bonus_is_not_multiplied_by_anything() -> None:
    state = position({(5, 2): "A+S", (4, 4): "N", (7, 2): "x"})
    assert hp_at(attack(state, (5, 2), (7, 2)), (7, 2)) == 4500 - 900 - 300


@pytest.mark.parametrize("on_the_square", ["N=0", "n", "n=0"])
def test_only_a_standing_own_unit_on_the_assault_square_counts(on_the_square: str) -> None:
    state = position({(5, 2): "A", (4, 4): on_the_square, (7, 2): "x"})
    assert hp_at(attack(state, (5, 2), (7, 2)), (7, 2)) == 4500 - 300


def test_the_assault_bonus_does_not_hurt_units() -> None:
    state = position({(5, 2): "A", (4, 4): "N", (7, 2): "w"})
    assert at(attack(state, (5, 2), (7, 2)), (7, 2)) == "w=500"


def test_each_assault_square_held_adds_its_300() -> None:
    two = game(map=("dA0AD", "c0A0C", "00000"))
    state = position({(1, 0): "N", (3, 0): "N", (2, 1): "n", (3, 1): "A", (4, 1): "x"}, of=two)
    assert hp_at(attack(state, (3, 1), (4, 1)), (4, 1)) == 4500 - 150 - 600


def test_a_crystal_without_hit_points_is_gone() -> None:
    state = position({(5, 2): "A", (7, 2): "x=300", (6, 1): "x"})
    assert board_of(attack(state, (5, 2), (7, 2))) == {(5, 2): "A", (6, 1): "x"}


def test_a_crystal_cannot_be_pushed() -> None:
    assert at(attack(position({(3, 2): "K", (4, 2): "x"}), (3, 2), (4, 2)), (4, 2)) == "x=4300"


# -- sight -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [(6, 2), (5, 2), (4, 4), (5, 3), (4, 1)])
def test_an_archer_sees_whatever_is_in_reach_on_an_open_field(target: tuple[int, int]) -> None:
    assert target in targets(position({(3, 2): "A", target: "w"}), "A", (3, 2))


@pytest.mark.parametrize("blocker", ["k", "x"])
def test_a_standing_enemy_or_crystal_in_between_blocks_the_sight(blocker: str) -> None:
    state = position({(3, 2): "A", (4, 2): blocker, (5, 2): "w", (6, 2): "c"})
    assert targets(state, "A", (3, 2)) == {(4, 2)}


@pytest.mark.parametrize("bystander", ["K", "X", "K=0", "k=0"])
def test_own_units_and_fallen_ones_never_block_the_sight(bystander: str) -> None:
    straight = position({(3, 2): "A", (4, 2): bystander, (6, 2): "w"})
    assert (6, 2) in targets(straight, "A", (3, 2))
    slanted = position({(3, 2): "A", (4, 2): bystander, (4, 3): bystander, (5, 3): "w"})
    assert (5, 3) in targets(slanted, "A", (3, 2))


@pytest.mark.parametrize("blocker", [(4, 2), (4, 3)])
def test_a_line_like_a_knights_move_needs_both_squares_clear(blocker: tuple[int, int]) -> None:
    assert (5, 3) not in targets(position({(3, 2): "A", blocker: "k", (5, 3): "w"}), "A", (3, 2))


@pytest.mark.parametrize("bystander", [(3, 3), (5, 2)])
def test_a_line_like_a_knights_move_does_not_touch_the_other_squares(bystander: tuple[int, int]) -> None:
    assert (5, 3) in targets(position({(3, 2): "A", bystander: "k", (5, 3): "w"}), "A", (3, 2))


def test_a_diagonal_neighbour_is_always_in_sight() -> None:
    cornered = position({(3, 2): "A", (4, 2): "k", (3, 3): "k", (4, 3): "w"})
    assert (4, 3) in targets(cornered, "A", (3, 2))


# -- the knight ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_knight_pushes_what_it_strikes_one_square_on(step: tuple[int, int]) -> None:
    struck, behind = (4 + step[0], 2 + step[1]), (4 + 2 * step[0], 2 + 2 * step[1])
    after = board_of(attack(position({(4, 2): "K", struck: "w+R"}), (4, 2), struck))
    assert after == {(4, 2): "K", behind: "w+R=600"}


def test_a_knight_pushes_a_fallen_unit_off_its_square() -> None:
    assert board_of(attack(position({(3, 2): "K", (4, 2): "w=5"}), (3, 2), (4, 2))) == {(3, 2): "K", (5, 2): "w=0"}


def test_nothing_is_pushed_off_the_board() -> None:
    assert at(attack(position({(3, 1): "K", (3, 0): "w"}), (3, 1), (3, 0)), (3, 0)) == "w=600"


@pytest.mark.parametrize("obstacle", ["K", "k", "X", "x"])
def test_nothing_is_pushed_onto_a_standing_unit_or_crystal(obstacle: str) -> None:
    state = position({(3, 2): "K", (4, 2): "w", (5, 2): obstacle})
    assert board_of(attack(state, (3, 2), (4, 2))) == {(3, 2): "K", (4, 2): "w=600", (5, 2): obstacle}


@pytest.mark.parametrize("body", ["C=0", "c=0"])
def test_a_pushed_unit_crushes_a_fallen_one_of_either_side(body: str) -> None:
    state = position({(3, 2): "K", (4, 2): "w", (5, 2): body})
    assert board_of(attack(state, (3, 2), (4, 2))) == {(3, 2): "K", (5, 2): "w=600"}


def test_nothing_is_pushed_onto_the_other_sides_deploy_square() -> None:
    state = position({(2, 0): "K", (1, 0): "w"})
    assert at(attack(state, (2, 0), (1, 0)), (1, 0)) == "w=600"


def test_a_unit_can_be_pushed_onto_its_own_deploy_square() -> None:
    state = position({(6, 0): "K", (7, 0): "w"})
    assert at(attack(state, (6, 0), (7, 0)), (8, 0)) == "w=600"


def test_a_knight_stays_where_it_is() -> None:
    assert at(attack(position({(3, 2): "K", (4, 2): "w"}), (3, 2), (4, 2)), (3, 2)) == "K"


# -- the wizard ------------------------------------------------------------------------------------------------


def test_lightning_jumps_twice_and_weakens() -> None:
    # 200, then truncated 75 % and 56 % of it; a wizard resists a tenth of each.
    state = position({(1, 0): "W", (2, 0): "k", (3, 0): "a", (4, 0): "w", (5, 0): "c"})
    after = board_of(attack(state, (1, 0), (2, 0)))
    assert after == {(1, 0): "W", (2, 0): "k=800", (3, 0): "a=650", (4, 0): f"w={800 - 100}", (5, 0): "c"}


def test_the_second_jump_keeps_56_percent() -> None:
    after = attack(position({(1, 0): "W", (2, 0): "a", (3, 0): "a", (4, 0): "a"}), (1, 0), (2, 0))
    assert [hp_at(after, (x, 0)) for x in (2, 3, 4)] == [600, 650, 688]


def test_lightning_damage_is_truncated_at_every_jump() -> None:
    after = attack(position({(1, 0): "W+R", (2, 0): "w", (3, 0): "w", (4, 0): "w"}), (1, 0), (2, 0))
    assert [hp_at(after, (x, 0)) for x in (2, 3, 4)] == [800 - 270, 800 - 202, 800 - 151]  # 202.5 and 151.2


def test_lightning_works_with_the_power_of_a_scroll_at_every_jump_and_then_uses_it_up() -> None:
    after = attack(position({(1, 0): "W+S", (2, 0): "a", (3, 0): "a", (4, 0): "a"}), (1, 0), (2, 0))
    assert board_of(after) == {(1, 0): "W", (2, 0): "a=200", (3, 0): "a=350", (4, 0): "a=464"}


def test_lightning_meets_each_targets_own_resistance() -> None:
    after = attack(position({(1, 0): "W", (2, 0): "a", (3, 0): "w+H"}), (1, 0), (2, 0))
    assert hp_at(after, (3, 0)) == 880 - 105  # truncated 75 % of 140


@pytest.mark.parametrize("bystander", ["A", "X", "a=0"])
def test_lightning_jumps_to_standing_enemies_only(bystander: str) -> None:
    state = position({(1, 2): "W", (2, 2): "a", (3, 2): bystander})
    assert at(attack(state, (1, 2), (2, 2)), (3, 2)) == bystander


def test_lightning_prefers_to_go_straight_on() -> None:
    crowd = {(x, y): "a" for x in (3, 4, 5) for y in (1, 2, 3)}
    for wizard, straight in [((3, 2), (5, 2)), ((4, 1), (4, 3)), ((5, 1), (3, 3)), ((5, 3), (3, 1))]:
        assert hp_at(attack(position({**crowd, wizard: "W"}), wizard, (4, 2)), straight) == 650


PREFERENCE = [(0, -1), (1, 0), (-1, 0), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1)]
"""Where lightning turns if it can't go straight on: N 7, E 6, W 5 (looked at before S), S 5, NE 4, NW 3, SE 2, SW 1."""


@pytest.mark.parametrize("direction", PREFERENCE)
def test_lightning_turns_in_a_fixed_order_of_preference_and_never_back(direction: tuple[int, int]) -> None:
    dx, dy = direction
    wizard, struck = (4 - dx, 2 - dy), (4, 2)
    turns = [turn for turn in PREFERENCE if turn not in (direction, (-dx, -dy))]
    for left in range(len(turns)):
        neighbours = {(4 + ex, 2 + ey): "a" for ex, ey in turns[left:]}
        after = attack(position({wizard: "W", struck: "a", **neighbours}), wizard, struck)
        first = (4 + turns[left][0], 2 + turns[left][1])
        assert hp_at(after, first) == 650


def test_a_tie_between_south_and_west_goes_to_the_west() -> None:
    state = position("""
        . . . . . . . . .
        . . . W . . . . .
        . . . . . . . . .
        . . a a . . . . .
        . . . a . . . . .
    """)
    beside_the_line = position({(2, 1): "W", (3, 2): "a", (2, 2): "a", (3, 3): "a"})
    after = attack(beside_the_line, (2, 1), (3, 2))
    assert (hp_at(after, (2, 2)), hp_at(after, (3, 3))) == (650, 688)  # the second jump goes on to the other
    assert hp_at(attack(state, (3, 1), (3, 3)), (3, 4)) == 650  # no tie where one of them is straight on


def test_lightning_does_not_jump_straight_back() -> None:
    state = position({(3, 2): "W", (4, 2): "a", (5, 2): "a"})
    assert board_of(attack(state, (3, 2), (4, 2))) == {(3, 2): "W", (4, 2): "a=600", (5, 2): "a=650"}


def test_the_second_jump_takes_its_bearings_from_the_first() -> None:
    # East to (4,2), north to (4,1), and on to the north although the east is free for a jump, too.
    state = position("""
        . . . . a . . . .
        . . . . a a . . .
        . . W . a . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    after = attack(state, (2, 2), (4, 2))
    struck_on_a_power_square = [hp_at(after, square) for square in [(4, 2), (4, 1), (4, 0), (5, 1)]]
    assert struck_on_a_power_square == [500, 575, 632, 800]  # 300, 225 and 168


def test_lightning_jumps_past_what_blocks_the_sight() -> None:
    state = position({(2, 1): "W", (4, 1): "a", (5, 1): "a", (6, 1): "k"})
    assert targets(state, "A", (2, 1)) == {(4, 1)}
    assert [hp_at(attack(state, (2, 1), (4, 1)), (x, 1)) for x in (4, 5, 6)] == [600, 650, 1000 - 112]


def test_lightning_hurts_crystals_with_the_whole_assault_bonus() -> None:
    after = attack(position({(1, 0): "W", (2, 0): "a", (3, 0): "x", (4, 0): "x", (4, 4): "N"}), (1, 0), (2, 0))
    assert hp_at(after, (3, 0)) == 4500 - 150 - 300
    assert hp_at(after, (4, 0)) == 4500 - 112 - 300


def test_lightning_goes_on_from_a_crystal_that_was_just_destroyed() -> None:
    state = position({(1, 0): "W", (2, 0): "x=200", (3, 0): "a", (7, 3): "x"})
    assert board_of(attack(state, (1, 0), (2, 0))) == {(1, 0): "W", (3, 0): "a=650", (7, 3): "x"}


def test_lightning_knocks_units_down_and_destroys_crystals() -> None:
    state = position({(1, 0): "W", (2, 0): "a", (3, 0): "a=150", (4, 0): "x=112", (7, 3): "x"})
    assert board_of(attack(state, (1, 0), (2, 0))) == {(1, 0): "W", (2, 0): "a=600", (3, 0): "a=0", (7, 3): "x"}


def test_lightning_that_destroys_the_last_crystal_wins() -> None:
    over = attack(position({(1, 0): "W", (2, 0): "a", (3, 0): "x=150", (2, 1): "X"}), (1, 0), (2, 0))
    assert over.is_over()
    assert over.returns() == [1, -1]


# -- the cleric ------------------------------------------------------------------------------------------------


def test_a_cleric_heals_600_but_never_beyond_the_maximum() -> None:
    assert at(heal(position({(3, 2): "C", (5, 2): "K=100"}), (3, 2), (5, 2)), (5, 2)) == "K=700"
    assert at(heal(position({(3, 2): "C", (5, 2): "K+D=900"}), (3, 2), (5, 2)), (5, 2)) == "K+D"


def test_a_cleric_revives_with_400() -> None:
    assert at(heal(position({(3, 2): "C", (5, 2): "K+S=0"}), (3, 2), (5, 2)), (5, 2)) == "K+S=400"


def test_a_clerics_power_counts_for_healing_and_uses_up_the_scroll() -> None:
    after = heal(position({(2, 2): "C+RS", (3, 2): "K+DH=1"}), (2, 2), (3, 2))
    assert board_of(after) == {(2, 2): "C+R", (3, 2): "K+DH"}  # (200 + 100 + 100) * 3 * 3
    weak = heal(position({(2, 2): "C", (3, 2): "K=1"}), (2, 2), (3, 2))
    assert at(weak, (3, 2)) == "K=901"  # (200 + 100) * 3


def test_healing_needs_no_sight_and_reaches_two_squares() -> None:
    state = position({(3, 2): "C", (4, 2): "k", (5, 2): "K=1", (6, 2): "K=1", (4, 3): "K=1"})
    assert targets(state, "H", (3, 2)) == {(5, 2), (4, 3)}


def test_a_cleric_heals_neither_the_unhurt_nor_crystals_nor_enemies_nor_itself() -> None:
    state = position({(3, 2): "C=5", (4, 2): "K", (3, 3): "K+D", (2, 2): "X=1", (3, 1): "k=1"})
    assert targets(state, "H", (3, 2)) == set()


def test_a_unit_at_its_bare_maximum_in_armour_is_not_at_full_health() -> None:
    assert targets(position({(3, 2): "C", (3, 3): "K+D=1000"}), "H", (3, 2)) == {(3, 3)}


def test_a_cleric_cannot_step_on_an_own_fallen_unit() -> None:
    state = position({(3, 2): "C", (5, 2): "K=0"})
    assert (5, 2) not in targets(state, "M", (3, 2))
    with pytest.raises(IllegalActionError, match="not legal"):
        move(state, (3, 2), (5, 2))


def test_cleric_heal_on_a_fallen_enemy_is_a_stomp_and_keeps_the_scroll() -> None:
    state = position({(3, 2): "C+S", (5, 2): "k+R=0"})
    assert (5, 2) not in targets(state, "M", (3, 2))
    assert board_of(heal(state, (3, 2), (5, 2))) == {(5, 2): "C+S"}


def test_a_cleric_does_nothing_to_a_fallen_unit_on_an_enemy_deploy_square() -> None:
    state = position({(7, 0): "C", (8, 0): "k=0"})
    assert (8, 0) not in targets(state, "H", (7, 0)) | targets(state, "M", (7, 0))


# -- the ninja -------------------------------------------------------------------------------------------------


def test_a_ninja_changes_places_with_any_own_standing_unit_at_any_distance() -> None:
    state = position({**CRYSTALS, (0, 0): "N=7", (8, 3): "K+R=5", (3, 3): "W=0", (7, 1): "k"})
    assert targets(state, "S", (0, 0)) == {(8, 3)}
    after = change_places(state, (0, 0), (8, 3))
    assert at(after, (8, 3)) == "N=7"
    assert at(after, (0, 0)) == "K+R=5"


def test_two_ninjas_may_change_places() -> None:
    after = change_places(position({(0, 0): "N=7", (5, 3): "N+H"}), (0, 0), (5, 3))
    assert board_of(after) == {(0, 0): "N+H", (5, 3): "N=7"}


def test_only_ninjas_change_places() -> None:
    state = position({(0, 0): "K", (1, 0): "A", (2, 0): "C", (3, 0): "W"})
    assert not [action for action in legal(state) if action[:2] == ["U", "S"]]


# -- special squares change nothing else -----------------------------------------------------------------------


def test_a_unit_on_a_power_square_strikes_harder_but_lightning_uses_the_wizards_square() -> None:
    on_power = position({(2, 2): "W", (3, 2): "a", (4, 2): "a"})
    assert hp_at(attack(on_power, (2, 2), (3, 2)), (4, 2)) == 800 - 225
    target_on_power = position({(5, 1): "W", (6, 2): "a"})
    assert hp_at(attack(target_on_power, (5, 1), (6, 2)), (6, 2)) == 600
