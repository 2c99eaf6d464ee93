"""What is always true of Pommerman, whatever is played; and three ways to run the rules, and a twin, that agree."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pommerman_boards import crowded, game
from pommerman_twin import World

from tactician.checking.check import check_game
from tactician.contract import State
from tactician.games.pommerman import VARIANTS
from tactician.games.pommerman.conformance import read, step_on

RULES = ("official", "paper")
MODES: list[Any] = ["interpreted", pytest.param("checked", marks=pytest.mark.slow)]


def steps(seed: int, bombs: float = 0.1, **options: Any) -> Iterator[tuple[State, list[int], State]]:
    """Each step of a game of players that mostly walk, and so live longer than quite random ones."""
    chance = random.Random(seed)
    state = game(**options).initial_state(seed)
    while not state.is_over():
        joint = []
        for seat in range(4):
            wise = [a for a in state.candidate_actions(seat) if a != 5] or [0]
            wild = state.legal_actions(seat)
            lays = chance.random() < bombs and 5 in wild
            joint.append(5 if lays else chance.choice(wise if chance.random() < 0.8 else wild))
        before = state.copy()
        yield before, joint, state.apply(joint).copy()


# -- the twin ----------------------------------------------------------------------------------------------------


def after_in_twin(state: State, joint: list[int], rules: str, cap: int = 10) -> dict[str, Any]:
    world = World(state.to_json(), paper=rules == "paper", blast_cap=cap)
    world.step(joint)
    return world.to_json()


@pytest.mark.parametrize(("rules", "variant"), [("official", "ffa"), ("official", "team"), ("paper", "ffa")])
def test_every_step_of_a_game_does_what_the_twin_does(rules: str, variant: str) -> None:
    for seed in range(4):
        for before, joint, after in steps(seed, rules=rules, variant=variant):
            assert after.to_json() == after_in_twin(before, joint, rules, 4 if variant == "team" else 10)


@pytest.mark.parametrize("rules", RULES)
@settings(deadline=None, max_examples=250)
@given(seed=st.integers(0, 2**32))
def test_every_step_in_a_crowd_does_what_the_twin_does(rules: str, seed: int) -> None:
    chance = random.Random(seed)
    data = crowded(chance)
    state = read(game(rules=rules), data)
    for _ in range(5):
        joint = [chance.randrange(6) for _ in range(4)]
        expected = after_in_twin(state, joint, rules)
        step_on(state, joint)
        assert state.to_json() == expected
        assert state == read(game(rules=rules), expected)
        if expected["t"] >= 800:
            return


# -- modes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rules", RULES)
def test_other_ways_to_run_the_rules_agree_with_the_compiled_ones(mode: str, rules: str) -> None:
    other = getattr(game(rules=rules), mode)()
    chance = random.Random(5)
    done = 0
    while done < 25:
        state = read(game(rules=rules), crowded(chance))
        if state.is_over():
            continue
        done += 1
        joint = [chance.choice(state.legal_actions(seat)) for seat in range(4)]
        twin = state.in_game(other)
        for seat in range(4):
            assert twin.legal_actions(seat) == state.legal_actions(seat)
            assert twin.candidate_actions(seat) == state.candidate_actions(seat)
            assert twin.observe(seat).to_json() == state.observe(seat).to_json()
        assert (twin.key(), twin.evaluate()) == (state.key(), state.evaluate())
        assert twin.apply(joint).to_json() == state.apply(joint).to_json()


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "variant"), [*(("official", variant) for variant in VARIANTS), ("paper", "ffa")])
def test_the_contract_is_kept(rules: str, variant: str) -> None:
    report = check_game(game(variant=variant, rules=rules), games=6)
    assert report.ok, str(report)


# -- what never changes ------------------------------------------------------------------------------------------


def test_nothing_comes_from_nothing() -> None:
    for seed in range(6):
        for before, joint, after in steps(seed, bombs=0.3):
            one, other = before.to_json(), after.to_json()
            rigid = [[cell == "1" for cell in row] for row in one["board"]]
            assert rigid == [[cell == "1" for cell in row] for row in other["board"]]
            wood, left = (
                {(r, c) for r in range(11) for c in range(11) if d["board"][r][c] == "2"} for d in (one, other)
            )
            assert left <= wood
            assert wood - left <= {(r, c) for r, c, life in other["flames"] if life == 2}
            hidden = [tuple(item) for item in other["items"]]
            assert set(hidden) <= {tuple(item) for item in one["items"]}
            assert len(other["bombs"]) <= len(one["bombs"]) + joint.count(5)
            for mine, next_ in zip(one["agents"], other["agents"], strict=True):
                assert next_[2] <= mine[2]
                assert abs(mine[0] - next_[0]) + abs(mine[1] - next_[1]) <= 1
                assert next_[4] >= mine[4]
                assert next_[5] >= mine[5]


def test_the_board_shows_what_the_lists_say() -> None:
    for seed in range(6):
        for _, _, after in steps(seed, bombs=0.3):
            data = after.to_json()
            living = {(a[0], a[1]): 10 + i for i, a in enumerate(data["agents"]) if a[2]}
            shown = {(r, c): int(data["board"][r][c], 16) for r in range(11) for c in range(11)}
            assert len(living) == sum(a[2] for a in data["agents"])
            assert {cell for cell, found in shown.items() if found == 4} == {(r, c) for r, c, _ in data["flames"]}
            assert {cell: found for cell, found in shown.items() if found >= 10} == living
            under = {(b[0], b[1]) for b in data["bombs"]}
            assert {cell for cell, found in shown.items() if found == 3} == under - set(living)
            assert all(1 <= life <= 9 for _, _, life, *_ in data["bombs"])
            assert after == after.game.state_from_json(data)


def test_games_end_by_the_time_limit() -> None:
    for rules, limit in (("official", 30), ("paper", 31)):
        *_, (_, _, last) = steps(3, bombs=0.0, rules=rules, max_steps=30)
        assert last.to_json()["t"] == limit
        assert last.returns() == [-1, -1, -1, -1]


def test_equal_keys_are_equal_states() -> None:
    seen: dict[int, State] = {}
    for seed in range(4):
        for before, _, _ in steps(seed):
            assert seen.setdefault(before.key(), before) == before
