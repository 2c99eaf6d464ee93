"""What learned evaluations count of a side in LOCM."""

from __future__ import annotations

import pytest
from locm_boards import game, position, random_play


def test_creatures_are_counted_with_what_they_have_left() -> None:
    state = position(own="L 5/3 BW, R 2/4 G", enemy="R 3/6 DL", hand=[3, 3])
    own, enemy = state.features(0), state.features(1)
    assert own["creature"] == 2.0
    assert (own["attack"], own["defense"], own["lesser_value"]) == pytest.approx((0.7, 0.7, 0.5))
    assert (own["ward"], own["ward_attack"], own["breakthrough_attack"]) == pytest.approx((1.0, 0.5, 0.5))
    assert (own["guard"], own["guard_defense"], own["guarded_lanes"], own["held_lanes"]) == pytest.approx(
        (1, 0.4, 1, 1)
    )
    assert (enemy["lethal"], enemy["drain_attack"]) == pytest.approx((1.0, 0.3))
    assert (own["cards"], own["no_cards"]) == (2.0, 0.0)


def test_a_guard_stops_the_weakest_attacker_of_its_lane() -> None:
    state = position(own="L 5/3, L 2/2, R 4/1", enemy="L 1/1 G")
    assert state.features(0)["moving_unblocked"] == pytest.approx(0.9)
    assert state.features(0)["moving_attack"] == pytest.approx(1.1)
    assert state.features(1)["waiting_unblocked"] == pytest.approx(0.1)


def test_an_attack_that_kills_is_seen() -> None:
    state = position(own="L 5/3, R 4/1", enemy="", enemy_hp=9)
    assert state.features(0)["moving_can_kill"] == 1.0
    assert position(own="L 5/3, R 4/1", enemy="", enemy_hp=10).features(0)["moving_can_kill"] == 0.0


def test_health_counts_more_when_it_is_low() -> None:
    features = position(own="", enemy="", hp=9).features(0)
    assert (features["health"], features["low_health"], features["very_low_health"]) == pytest.approx((0.9, 0.9, 0.6))


def test_sums_are_those_of_the_record_in_random_games() -> None:
    for state in random_play(game(), 4):
        record = state.record
        for player in range(2):
            found = state.features(player)
            units = [int(unit) for unit in record.units[player][: record.units_n[player]]]
            assert found["attack"] == pytest.approx(sum(unit >> 32 & 0x7FFF for unit in units) / 10)
            assert found["defense"] == pytest.approx(sum(unit >> 48 & 0x7FFF for unit in units) / 10)
            assert found["draws"] == record.next_draw[player]
