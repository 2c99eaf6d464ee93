"""What learned evaluations count of a side, on boards written as pictures and against a slow twin of the threats."""

from __future__ import annotations

import pytest
from hero_academy_boards import CRYSTALS, game, position, random_play

from tactician.contract import State
from tactician.games.hero_academy import hero_academy
from tactician.games.hero_academy.cards import UNIT_CLASSES


def test_units_equipment_and_cards_are_counted() -> None:
    state = position({**CRYSTALS, (4, 2): "K+RD=500", (3, 2): "A", (5, 2): "w=0"}, hand="KKI", deck="ACPR")
    own, enemy = state.features(0), state.features(1)
    assert (own["knight_standing"], own["knight_health"], own["knight_with_runemetal"]) == (1.0, 0.5, 1.0)
    assert (own["knight_with_dragonscale"], own["knight_with_scroll"], own["archer_with_runemetal"]) == (1.0, 0.0, 0.0)
    assert (own["knight_in_hand"], own["inferno_in_hand"], own["units_in_deck"], own["cards_in_deck"]) == (2, 1, 2, 2)
    assert (enemy["wizard_fallen"], enemy["wizard_standing"]) == (1.0, 0.0)
    assert (own["crystals"], own["crystal_health"], own["weakest_crystal"]) == (2.0, 9.0, 4.5)
    assert own["distance"] == pytest.approx((3 + 4) / 10)


def test_the_usual_evaluation_is_one_of_the_features() -> None:
    for state in random_play(game(), 3):
        if not state.is_over():
            expected = 1000 * (state.features(0)["usual"] - state.features(1)["usual"])
            assert expected == pytest.approx(state.evaluate()[0])


def test_within_a_turn_the_opponent_moves_next() -> None:
    board = {**CRYSTALS, (4, 2): "N", (5, 2): "a=300"}
    start, middle = (position(board, ap=ap).features(0) for ap in (5, 2))
    assert (start["moving_kills"], start["moving_single_kills"], start["waiting_kills"]) == (1.0, 1.0, 0.0)
    assert (middle["waiting_kills"], middle["waiting_single_kills"], middle["moving_kills"]) == (1.0, 1.0, 0.0)
    ended = position(board, ap=5, turn=2).features(0)
    assert {name: ended[name] for name in ended if "waiting" in name} == {
        name: middle[name] for name in middle if "waiting" in name
    }


def test_fallen_units_within_reach_are_counted() -> None:
    board = {**CRYSTALS, (4, 2): "K", (5, 3): "a=0", (0, 0): "n=0", (3, 4): "C", (3, 0): "A=0", (8, 4): "W=0"}
    state = position(board)
    assert state.features(0)["moving_removals"] == 1.0
    assert state.features(0)["moving_revivals"] == 1.0


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def expected_damage(state: State, player: int) -> tuple[float, int, int]:
    """Damage to standing units, how many fall if all attack them, and how many if the best one does."""
    g, s, height = state.game.config, state.record, int(state.game.config.height)

    def units(owner: int, down: int) -> list[int]:
        return [
            square
            for square in range(64)
            if int(s.units[owner]) >> square & 1
            and not int(s.crystals) >> square & 1
            and int(s.down) >> square & 1 == down
        ]

    total, all_kill, one_kills = 0.0, 0, 0
    for target in units(1 - player, 0):
        hits = []
        for attacker in units(player, 0):
            unit, gear = UNIT_CLASSES[s.kind[attacker]], int(s.gear[attacker])
            if distance(divmod(attacker, height), divmod(target, height)) > unit.speed + unit.attack_range:
                continue
            power = unit.power + (unit.power // 2 if gear & 1 else 0)
            power += 100 if int(g.power_squares) >> attacker & 1 else 0
            power *= 3 if gear & 2 else 1
            resistance = int(g.resistance[int(unit.magical_attack), s.kind[target], s.gear[target]])
            resistance += 20 if not unit.magical_attack and int(g.defense) >> target & 1 else 0
            hits.append(power * max(unit.melee_factor, unit.ranged_factor) * (100 - resistance) / 100)
        health = int(s.hp[target])
        total += min(sum(hits), health) / 1000
        all_kill += sum(hits) >= health
        one_kills += max(hits, default=0.0) >= health
    return total, all_kill, one_kills


def test_threats_agree_with_the_twin_in_random_games() -> None:
    seen = 0
    for seed in range(3):
        for state in random_play(hero_academy(), seed):
            for player in range(2):
                found = state.features(player)
                moves_next = (state.current_player() == player) == (state.record.ap == 5)
                when = "moving" if moves_next else "waiting"
                damage, kills, single = expected_damage(state, player)
                assert found[f"{when}_damage"] == pytest.approx(damage)
                assert found[f"{when}_kills"] == pytest.approx(kills)
                assert found[f"{when}_single_kills"] == pytest.approx(single)
                seen += kills
    assert seen > 20
