"""What is always true of Royale; and three ways to run the rules, and a twin in plain Python, that agree."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from royale_scenes import CARDS, NAMES, game
from royale_twin import Battle

from tactician.checking.check import check_game
from tactician.contract import Game, State

MODES: list[Any] = ["interpreted", pytest.param("checked", marks=pytest.mark.slow)]
TROOPS = [name for name in NAMES if CARDS[name].kind == "troop"]
SPELLS = [name for name in NAMES if CARDS[name].kind == "spell"]


def steps(seed: int, of: Game | None = None) -> Iterator[tuple[State, list[int], State]]:
    """Each step of a battle of random players: the state before, the actions, the state after."""
    chance = random.Random(seed)
    state = (of or game()).initial_state(seed)
    while not state.is_over():
        joint = [chance.choice(state.candidate_actions(seat)) for seat in range(2)]
        before = state.copy()
        yield before, joint, state.apply(joint).copy()


def crowded(chance: random.Random) -> dict[str, Any]:
    """A position with many units anywhere, damaged towers, spells in flight and targets of all sorts."""
    data = game().initial_state(chance.randrange(1000)).to_json()
    data["t"] = chance.choice([chance.randrange(5, 2999), 1799, 1795, 2996])
    for player in data["players"]:
        player["elixir"] = chance.randrange(281)
        player["towers"] = [[chance.choice([0, 1, 90, 900, 2534]), chance.randrange(9), -1] for _ in range(2)]
        player["towers"].append([chance.choice([1, 90, 4008]), chance.randrange(11), -1])
        player["awake"] = chance.randrange(2)
        player["wake"] = chance.choice([0, 0, 1, 35]) if player["awake"] else 0
        player["troops"] = [_troop(chance, 3 + 2 * i) for i in range(chance.choice([0, 1, 4, 12, 20]))]
        player["spells"] = [
            [card, chance.randrange(18001), chance.randrange(32001), chance.randrange(1, 9), CARDS[card].waves]
            for card in chance.choices(SPELLS, k=chance.randrange(3))
        ]
        player["next_uid"] = 100
    for tower in (tower for player in data["players"] for tower in player["towers"] if tower[0] == 0):
        tower[:] = [0, 0, -1]
    return data


def _troop(chance: random.Random, uid: int) -> list[Any]:
    card = CARDS[chance.choice(TROOPS)]
    x = chance.choice([3500, 9000, 14500, chance.randrange(500, 17501), chance.randrange(2000, 5001)])
    y = chance.choice([6500, 15000, 16000, 17000, chance.randrange(500, 31501), chance.randrange(14000, 18001)])
    deploying = chance.choice([0, 0, 0, 1, 10])
    return [card.name, x, y, chance.randint(1, card.hp), chance.randint(0, card.hit_ticks), deploying, uid, -1]


# -- the twin ----------------------------------------------------------------------------------------------------


def in_twin(state: State, joint: list[int]) -> Battle:
    battle = Battle(state.to_json())
    battle.step([state.game.action_to_json(action) for action in joint])
    return battle


@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_a_battle_does_what_the_twin_does(seed: int) -> None:
    for before, joint, after in steps(seed):
        battle = in_twin(before, joint)
        assert after.to_json() == battle.to_json()
        assert after.is_over() == (battle.winner() is not None)


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32))
def test_every_step_in_a_crowd_does_what_the_twin_does(seed: int) -> None:
    chance = random.Random(seed)
    state = game().state_from_json(crowded(chance))
    for _ in range(6):
        if state.is_over():
            break
        joint = [chance.choice(state.legal_actions(seat)) for seat in range(2)]
        battle = in_twin(state, joint)
        state.apply(joint)
        assert state.to_json() == battle.to_json()
        assert state == game().state_from_json(battle.to_json())
        winner = battle.winner()
        assert state.is_over() == (winner is not None)
        if winner is not None:
            assert state.returns()[0] == (0 if winner == -1 else 1 - 2 * winner)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_the_value_is_that_of_the_twin_and_leaves_the_state_alone(seed: int) -> None:
    state = game().state_from_json(crowded(random.Random(seed)))
    before = state.to_json()
    own, enemy = state.evaluate()
    assert (own, enemy) == (Battle(before).value(), -Battle(before).value())
    assert state.to_json() == before


# -- half-turn symmetry ------------------------------------------------------------------------------------------


def image(data: dict[str, Any]) -> dict[str, Any]:
    """The half-turn image of a position: players swapped, every place turned."""

    def turned(rows: list[list[Any]]) -> list[list[Any]]:
        return [[card, 18000 - x, 32000 - y, *rest] for card, x, y, *rest in rows]

    players = [
        {**fields, "troops": turned(fields["troops"]), "spells": turned(fields["spells"])}
        for fields in reversed(data["players"])
    ]
    return {"t": data["t"], "players": players}


@pytest.mark.parametrize("seed", range(10, 22))
def test_the_image_of_a_battle_is_the_battle_of_the_images(seed: int) -> None:
    other = game().state_from_json(image(game().initial_state(seed).to_json()))
    for _, joint, after in steps(seed):
        other.apply(joint[::-1])
        assert other.to_json() == image(after.to_json())


@settings(deadline=None, max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_the_image_of_a_crowd_is_worth_the_opposite_and_evolves_as_the_image(seed: int) -> None:
    chance = random.Random(seed)
    data = crowded(chance)
    for player in data["players"]:  # nobody gets into the river on the middle line, where the rules have no half-turn
        player["troops"] = [
            troop for troop in player["troops"] if not (troop[1] == 9000 and 15000 <= troop[2] <= 17000)
        ]
    state, other = game().state_from_json(data), game().state_from_json(image(data))
    assert other.evaluate() == state.evaluate()[::-1]
    if not state.is_over():
        joint = [chance.choice(state.legal_actions(seat)) for seat in range(2)]
        assert other.apply(joint[::-1]).to_json() == image(state.apply(joint).to_json())


# -- modes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_other_ways_to_run_the_rules_agree_with_the_compiled_ones(mode: str) -> None:
    other = getattr(game(), mode)()
    chance = random.Random(5)
    done = 0
    while done < 15:
        state = game().state_from_json(crowded(chance))
        if state.is_over():
            continue
        done += 1
        twin = state.in_game(other)
        for seat in range(2):
            assert twin.legal_actions(seat) == state.legal_actions(seat)
            assert twin.candidate_actions(seat) == state.candidate_actions(seat)
            assert twin.observe(seat).to_json() == state.observe(seat).to_json()
            assert twin.resample_hidden(seat, 3).to_json() == state.resample_hidden(seat, 3).to_json()
        assert (twin.key(), twin.evaluate()) == (state.key(), state.evaluate())
        joint = [chance.choice(state.legal_actions(seat)) for seat in range(2)]
        assert twin.apply(joint).to_json() == state.apply(joint).to_json()


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"reserve_arms": 64}, {"information": "open"}])
def test_the_contract_is_kept(options: dict[str, Any]) -> None:
    report = check_game(game(**options), games=4)
    assert report.ok, str(report)
    assert not report.warnings


# -- what never changes ------------------------------------------------------------------------------------------


def test_what_must_hold_holds_after_every_step() -> None:
    for seed in range(25):
        for before, _, after in steps(seed):
            data = after.to_json()
            for player, earlier in zip(data["players"], before.to_json()["players"], strict=True):
                assert 0 <= player["elixir"] <= 280
                assert sorted(player["hand"] + player["queue"]) == sorted(NAMES)
                assert all(troop[3] >= 1 for troop in player["troops"])
                assert [troop[6] for troop in player["troops"]] == sorted({troop[6] for troop in player["troops"]})
                assert all(now[0] <= then[0] for now, then in zip(player["towers"], earlier["towers"], strict=True))
                assert player["awake"] >= earlier["awake"]
            _require_firm_ground(data)


def _require_firm_ground(data: dict[str, Any]) -> None:
    towers = [tower for side in Battle(data).sides for tower in side.towers if tower.hp > 0]
    for player in data["players"]:
        for card, x, y, *_ in player["troops"]:
            assert 500 <= x <= 17500
            assert 500 <= y <= 31500
            if CARDS[card].layer == "air":
                continue
            if 15000 <= y <= 17000:
                assert 2000 <= x <= 5000 or 13000 <= x <= 16000
            for tower in towers:
                gap = ((x - tower.x) ** 2 + (y - tower.y) ** 2) ** 0.5
                assert gap > tower.card.radius + CARDS[card].radius - 2


def test_equal_keys_are_equal_positions() -> None:
    seen: dict[int, Any] = {}
    for seed in range(6):
        for before, _, _ in steps(seed):
            data = before.to_json()
            for player in data["players"]:
                del player["past"]  # what a player did is not part of the position
            assert seen.setdefault(before.key(), data) == data
