"""Hero Academy at the two positions the reference engine was measured at, and what it reached there."""

from __future__ import annotations

import json

from tactician.checking.speed import GameBenchmark
from tactician.contract.game import Game
from tactician.contract.state import State

DECK_SEEDS = (123, 456)
MIDDLE = json.loads(
    '{"turn":21,"player":1,"ap":5,"terminal":false,"winner":null,"units":[[0,0,1,"C",800,""],[0,1,1,"K",1200,"DH"],'
    '[0,2,1,"K",1000,""],[0,3,1,"C",800,""],[0,4,1,"W",800,""],[1,0,1,"A",800,""],[1,1,1,"W",960,"RSDH"],'
    '[1,3,1,"X",4150,""],[1,4,1,"C",800,"R"],[2,0,1,"K",520,""],[2,1,1,"X",2600,""],[2,2,1,"N",880,"H"],'
    '[3,4,1,"A",880,"RD"],[4,0,2,"N",450,""],[6,0,2,"W",960,"RSDH"],[6,1,2,"X",3800,""],[6,3,2,"K",1100,"RD"],'
    '[7,0,2,"W",635,"RSH"],[7,1,2,"A",320,""],[7,3,2,"X",4150,""],[8,0,2,"A",800,""],[8,1,2,"K",750,"D"],'
    '[8,2,2,"A",880,"H"],[8,4,2,"W",800,""]],"hands":[[0,1,0,1,0,0,0,0,0,0,0],[0,0,3,0,0,0,0,0,0,0,0]],'
    '"decks":[[0,0,0,0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0,0,0,0]],"seeds":[79882,114162]}'
)

REFERENCE: dict[tuple[str, str | None], float] = {
    ("copy", "start"): 5_593_000,
    ("copy", "mid"): 1_396_000,
    ("legal_actions", "start"): 2_634_000,
    ("legal_actions", "mid"): 399_000,
    ("legal_actions_pruned", "start"): 54_000,
    ("legal_actions_pruned", "mid"): 390_000,
    ("evaluate", "start"): 4_461_000,
    ("evaluate", "mid"): 2_078_000,
    ("apply", None): 10_560_000,
    ("random_actions", None): 451_000,
    ("random_games", None): 754,
    ("greedy_action_decisions", "start"): 51_300,
    ("greedy_action_decisions", "mid"): 14_800,
    ("greedy_turn_outcomes", "mid"): 172_300,
    ("mcts_iterations", "start"): 75_000,
    ("mcts_iterations", "mid"): 64_200,
    ("bridge_burning_mcts_iterations", "start"): 105_000,
    ("bridge_burning_mcts_iterations", "mid"): 64_000,
    ("non_exploring_mcts_iterations", "start"): 25_500,
    ("non_exploring_mcts_iterations", "mid"): 43_700,
    ("oep_generations", "start"): 308,
    ("oep_generations", "mid"): 952,
    ("oep_genomes", "start"): 15_400,
    ("oep_genomes", "mid"): 47_600,
}
"""The Java engine's figures per CPU second, warm, on two virtual EPYC cores."""


def positions(game: Game) -> dict[str, State]:
    """The opening with an inferno in hand, and turn 21 with twenty units; playouts over the reference's whole list."""
    return {
        "start": game.initial_state(deck_seeds=list(DECK_SEEDS)),
        "mid": game.state_from_json(MIDDLE),
    }


BENCHMARK = GameBenchmark(positions=positions, reference=REFERENCE)
