"""Royale: whole battles of random players, decisions of planners, and what other simulators reach."""

from __future__ import annotations

import statistics
import time

from tactician.checking.speed import Bench, Figure, GameBenchmark, rate
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.games.royale.arena import PLAYERS, TICKS_A_SECOND
from tactician.games.royale.factory import royale
from tactician.games.royale.random_play import RandomBattles

REFERENCE: dict[tuple[str, str | None], float] = {
    ("random_battle_seconds", None): 330_000,
    ("random_battles", None): 1_700,
    ("random_ticks", None): 3_300_000,
}
"""Per CPU second: the specification's plain C++ model of the same rules, in random play."""
OTHERS = {"crforge (Java)": 10_900, "cr-rudy-sim (Rust)": 8_850, "Python simulators": 148}
"""Other simulators of similar battles: seconds of battle in a second of CPU time. Their rules differ."""

_NAME = "royale"
_STARTS = 256
_PLANNERS = {
    "fdts_decisions": "fdts:depth=50",
    "mcs_decisions": "mcs:depth=50",
    "mcts_decisions": "simultaneous-mcts:depth=50",
}
_BUDGET, STEPS, BATTLES = "4its/action", 60, 3
_CROWD = 10
"""Troops a side in the crowded position."""


def positions(game: Game) -> dict[str, State]:
    """Return the start, and a position with many troops on both sides."""
    return {"start": game.initial_state(seed=1), "crowd": crowd(game)}


def crowd(game: Game) -> State:
    """Return a position with ten knights and archers a side that meet at the bridges."""
    data = game.initial_state(seed=1).to_json()
    for player, fields in enumerate(data["players"]):
        for i in range(_CROWD):
            x, y = 2500 + 1200 * (i % 2) + 11000 * (i % 4 // 2), 9000 + 1200 * (i // 4)
            place = [x, y] if player == 0 else [18000 - x, 32000 - y]
            card = ("Knight", "Archers")[i % 2]
            fields["troops"].append([card, *place, (1452, 252)[i % 2], 5, 0, 3 + i, -1])
        fields["next_uid"] = 3 + _CROWD
    return game.state_from_json(data)


def figures(bench: Bench) -> list[Figure]:
    """Measure random battles and the decisions of planners that see everything."""
    bench.on_progress(f"{_NAME} random battles")
    game = royale()
    battles, counted = RandomBattles(game, _STARTS, seed=1), RandomBattles(game, _STARTS, seed=2).play(2000)
    ticks = counted.ticks / len(counted.winners)
    speed = rate(battles.play)
    return [
        Figure(_NAME, "random_battles", speed, "battles/s"),
        Figure(_NAME, "random_battle_ms", 1000 / speed, "ms"),
        Figure(_NAME, "random_ticks", speed * ticks, "ticks/s"),
        Figure(_NAME, "random_battle_seconds", speed * ticks / TICKS_A_SECOND, "× real time"),
        Figure(_NAME, "random_battle_length", ticks / TICKS_A_SECOND, "s"),
        *(Figure(_NAME, name, decisions(planner, bench), "decisions/s") for name, planner in _PLANNERS.items()),
    ]


def decisions(planner: str, bench: Bench) -> float:
    """Return the decisions a second of one planner for both seats, with the tree it keeps: the median of battles."""
    bench.on_progress(f"{_NAME} {planner}")
    game = royale(information="open")
    rates = []
    for seed in range(BATTLES):
        agents = [bench.seat(planner, game, 2 * seed + seat) for seat in range(PLAYERS)]
        state, spent, count = game.initial_state(seed=seed), 0.0, 0
        for ply in range(STEPS):
            joint = []
            for seat, agent in enumerate(agents):
                if len(state.legal_actions(seat)) == 1:
                    joint.append(state.legal_actions(seat)[0])
                    continue
                before = time.thread_time()
                joint.append(agent.plan(state, _BUDGET, ply=ply, seat=seat).actions[0])
                spent += time.thread_time() - before
                count += 1
            state.apply(joint)
            if state.is_over():
                break
        rates.append(count / spent)
    return statistics.median(rates)


BENCHMARK = GameBenchmark(positions=positions, figures=figures, reference=REFERENCE)
