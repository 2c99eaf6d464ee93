"""The rule-based opponent: what it does in small positions, and that its chances are those of its twin.

The twin draws from Python's generator in the reference's order; recorded decisions must come out of it exactly.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pommerman_boards import MOVES, bomb, game, position
from pommerman_twin import Bot

from tactician.contract import State
from tactician.contract.random import stream
from tactician.errors import InvalidParameterError
from tactician.games.hero_academy import hero_academy
from tactician.games.pommerman.board import place_of
from tactician.games.pommerman.conformance import decisions, game_in_mode, memory_bytes, read
from tactician.games.pommerman.observations import observation
from tactician.games.pommerman.rule_based import MEMORY, RuleBased, decide, play_games, records_of
from tactician.native.records import interpreted_record
from tactician.native.variants import interpreted

RECORDINGS = Path(__file__).parents[2] / "conformance" / "pommerman"
REFERENCE = RECORDINGS / "simple_x4_reference.json"
NOTHING = bytes(MEMORY)


def options(state: State, seat: int = 0, memory: bytes = NOTHING) -> dict[str, float]:
    """What the bot may do, with the shares of 2,000 draws."""
    names = {code: name for name, code in MOVES.items()}
    shares: Counter[str] = Counter()
    for (action, _), count in decisions(state, seat, memory, 2000).items():
        shares[names[action]] += count
    return {name: count / 2000 for name, count in shares.items()}


# -- behaviour ---------------------------------------------------------------------------------------------------


def test_it_walks_away_from_a_bomb_to_the_side() -> None:
    assert set(options(position("...\n.A.\n...\n..........B", bombs=[bomb(1, 2)]))) == {"up", "down", "left"}


def test_on_its_own_bomb_it_takes_the_first_way_out() -> None:
    """Right, left, up, down: the first that leads around a corner."""
    assert options(position(".#.\n#A.\n...\n..........B", bombs=[bomb(1, 1)])) == {"right": 1.0}
    assert options(position(".#.\n#A#\n..#\n..........B", bombs=[bomb(1, 1)])) == {"down": 1.0}


def test_without_a_way_out_it_stops() -> None:
    assert options(position("A=\n=.\n..........B", bombs=[bomb(0, 0)])) == {"stop": 1.0}


def test_it_bombs_an_enemy_beside_it_if_it_can_get_away() -> None:
    assert options(position("AB\n..\n..")) == {"bomb": 1.0}
    assert options(position("AB\n..\n..", ammo={"A": 0})) == {"right": 1.0}


def test_it_hunts_an_enemy_and_hesitates_to_repeat_itself() -> None:
    state = position("A..B\n####")
    assert options(state) == {"right": 1.0}
    assert MOVES["right"] in {memory[-1] for _, memory in decisions(state, 0, NOTHING, 10)}
    again = bytes([0] * 7 + [MOVES["right"]])
    assert options(state, memory=again) == {"right": 1.0}  # hesitating, it wanders into the only way there is
    assert {memory[0] for _, memory in decisions(state, 0, again, 200)} == {0, 1}


def test_it_fetches_power_ups_two_steps_away_and_not_three() -> None:
    assert options(position("A.b\n###\n.........B")) == {"right": 1.0}
    wandering = options(position("A..b\n.##\n.########.B"))
    assert wandering["right"] == pytest.approx(0.5, abs=0.06)


def test_it_bombs_wood_beside_it_and_stops_without_ammunition() -> None:
    assert options(position("A=.\n...\n..........B")) == {"bomb": 1.0}
    assert options(position("A=.\n...\n..........B", ammo={"A": 0})) == {"stop": 1.0}


def test_it_takes_either_of_two_ways_to_wood() -> None:
    shares = options(position("A..\n.=.\n...\n..........B"))
    assert shares == {"right": pytest.approx(0.5, abs=0.06), "down": pytest.approx(0.5, abs=0.06)}


def test_wandering_it_avoids_where_it_has_been_lately() -> None:
    state = position("...\n.A.\n...\n..........B")
    assert options(state) == {way: pytest.approx(0.25, abs=0.06) for way in ("up", "down", "left", "right")}
    memory = memory_bytes([[[0, 1], [1, 0]], None])
    assert set(options(state, memory=memory)) == {"down", "right"}
    everywhere = memory_bytes([[[0, 1], [1, 0], [2, 1], [1, 2], [1, 1]], None])
    assert set(options(state, memory=everywhere)) == {"up", "down", "left", "right"}


def test_it_remembers_six_cells() -> None:
    recent = [[5, c] for c in range(6)]
    for _, memory in decisions(position("...\n.A.\n...\n..........B"), 0, memory_bytes([recent, 3]), 20):
        assert [place_of(cell) for cell in memory[1:7]] == [*((5, c) for c in range(1, 6)), (1, 1)]
        assert memory[7] == 3


def test_it_does_not_hunt_its_mate_and_does_not_see_through_fog() -> None:
    state = position("A.C\n###\n..........B", of=game(variant="team"))
    assert options(state) == {"right": 1.0}
    assert MOVES["right"] not in {memory[-1] for _, memory in decisions(state, 0, NOTHING, 10)}
    far = position(
        "A.........\n##########\n..........B\n" + "...........\n" * 7, bombs=[bomb(0, 5)], of=game(variant="team")
    )
    assert "bomb" not in options(far)


# -- the object --------------------------------------------------------------------------------------------------


def test_bots_of_equal_seeds_do_the_same_until_reset() -> None:
    state, one, other = game().initial_state(3), RuleBased(5), RuleBased(5)
    first = [one.act(state, 0) for _ in range(30)]
    assert first == [other.act(state, 0) for _ in range(30)]
    one.reset(5)
    assert one.act(state, 0) == first[0]
    assert one.memory.shape == (MEMORY,)


def test_the_dead_stop_and_other_games_are_refused() -> None:
    assert RuleBased().act(position("A.B"), 2) == 0
    with pytest.raises(InvalidParameterError, match="seat is 4 of 'pommerman'"):
        RuleBased().act(position("A.B"), 4)
    with pytest.raises(InvalidParameterError, match="'hero-academy'"):
        RuleBased().act(hero_academy().initial_state(0), 0)


# -- against the twin --------------------------------------------------------------------------------------------


def recorded() -> list[dict[str, Any]]:
    with gzip.open(RECORDINGS / "simple_decisions.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file][1:]


def twin_of(step: dict[str, Any], state: State, seed: int) -> Bot:
    recent, last = step["mem"]
    return Bot(observation(state, step["agent"]), [tuple(cell) for cell in recent], last, random.Random(seed))


def test_the_twin_makes_the_recorded_decisions_draw_by_draw() -> None:
    for step in recorded()[::4]:
        state = read(game_in_mode("official", step["variant"], "compiled"), step["s"])
        for seed in range(8):
            bot = twin_of(step, state, seed)
            assert bot.act() == int(step["acts"][seed])
            if seed == 0:
                assert [[*map(list, bot.recent)], bot.last] == [step["mem_after_seed0"][0], step["mem_after_seed0"][1]]


def test_the_bots_chances_are_the_twins() -> None:
    draws = 400
    for step in recorded()[::30]:
        state = read(game_in_mode("official", step["variant"], "compiled"), step["s"])
        twin = Counter(twin_of(step, state, 1000 + k).act() for k in range(draws))
        ours: Counter[int] = Counter()
        for (action, _), count in decisions(state, step["agent"], memory_bytes(step["mem"]), 4000).items():
            ours[action] += count
        for action in range(6):
            assert abs(ours[action] / 4000 - twin[action] / draws) < 0.14


def test_the_interpreted_bot_decides_as_the_compiled_one() -> None:
    plain = interpreted(decide)
    for step in recorded()[::25]:
        state = read(game_in_mode("official", step["variant"], "compiled"), step["s"])
        configs, states = records_of(state)
        bot = RuleBased(9)
        bot.memory[:] = list(memory_bytes(step["mem"]))
        memory, rng = list(bot.memory), stream([9, 6])
        g, s = interpreted_record(configs[0]), interpreted_record(states[0])
        assert plain(g, s, step["agent"], memory, rng) == bot.act(state, step["agent"])
        assert memory == list(bot.memory)


# -- whole games -------------------------------------------------------------------------------------------------


def four_bots(games: int, seed: int = 1) -> np.ndarray:
    configs, states = records_of(game().initial_state(0))
    outcomes = np.zeros((games, 6), np.int64)
    play_games(configs, np.concatenate([states, np.zeros_like(states)]), stream(seed), outcomes, np.zeros(6, np.int64))
    return outcomes


def test_games_of_four_bots_end_and_say_how() -> None:
    outcomes = four_bots(40)
    for length, winner, *deaths in outcomes.tolist():
        living = [seat for seat, death in enumerate(deaths) if death < 0]
        assert 1 <= length <= 800
        assert length == 800 or len(living) <= 1
        assert living == [winner] if winner >= 0 else len(living) != 1
        assert max(deaths) <= length
    assert (outcomes == four_bots(40)).all()


@pytest.mark.slow
def test_two_thousand_games_agree_with_the_references() -> None:
    """Wins by seat, draws and lengths of 520 games of the official environment, within 95 % of the difference."""
    reference = json.loads(REFERENCE.read_text())["per_game"]
    ours = [(length, winner) for length, winner, *_ in four_bots(2000).tolist()]
    theirs = [(length, winner) for length, winner, _ in reference]

    def share(games: list[tuple[int, int]], winner: int) -> float:
        return sum(w == winner for _, w in games) / len(games)

    for winner in (-1, 0, 1, 2, 3):
        one, other = share(ours, winner), share(theirs, winner)
        error = (one * (1 - one) / len(ours) + other * (1 - other) / len(theirs)) ** 0.5
        assert abs(one - other) < 1.96 * error, winner
    a, b = (np.array([length for length, _ in games], float) for games in (ours, theirs))
    assert abs(a.mean() - b.mean()) < 1.96 * (a.var() / a.size + b.var() / b.size) ** 0.5
    late = [float((lengths == 800).mean()) for lengths in (a, b)]
    assert abs(late[0] - late[1]) < 1.96 * (late[0] * (1 - late[0]) * (1 / a.size + 1 / b.size)) ** 0.5
