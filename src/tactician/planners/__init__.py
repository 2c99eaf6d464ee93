"""Planners: small objects of parameters that plan whole turns in any game of the contract.

Each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.planners.annealing import Annealing
    from tactician.planners.auto import Auto
    from tactician.planners.base import Agent, Planner
    from tactician.planners.clairvoyant import Clairvoyant
    from tactician.planners.coevolution import Coevolution
    from tactician.planners.determinized import Determinized
    from tactician.planners.emcts import EMCTS
    from tactician.planners.greedy_turn import GreedyTurn
    from tactician.planners.information_sets import InformationSetMCTS
    from tactician.planners.many import plan_positions
    from tactician.planners.mcts import MCTS, BridgeBurningMCTS, NonExploringMCTS
    from tactician.planners.oep import OEP, GreedyOEP
    from tactician.planners.permutation import NoAI, PermutationOEP, RandomOrder
    from tactician.planners.permutation_emcts import PermutationEMCTS
    from tactician.planners.pondering import Pondered
    from tactician.planners.presets import PRESETS, game_reading, with_preset
    from tactician.planners.registry import PLANNERS, parse_planner
    from tactician.planners.replies import Reply
    from tactician.planners.rhea import RHEA
    from tactician.planners.search_agent import SearchAgent
    from tactician.planners.simple import GreedyAction, Random
    from tactician.planners.simultaneous import FDTS, MCS, SimultaneousMCTS
    from tactician.planners.simultaneous_agent import SimultaneousAgent
    from tactician.seats.plan import Alternative, Plan, Statistics

__all__ = [
    "EMCTS",
    "FDTS",
    "MCS",
    "MCTS",
    "OEP",
    "PLANNERS",
    "PRESETS",
    "RHEA",
    "Agent",
    "Alternative",
    "Annealing",
    "Auto",
    "BridgeBurningMCTS",
    "Clairvoyant",
    "Coevolution",
    "Determinized",
    "GreedyAction",
    "GreedyOEP",
    "GreedyTurn",
    "InformationSetMCTS",
    "NoAI",
    "NonExploringMCTS",
    "PermutationEMCTS",
    "PermutationOEP",
    "Plan",
    "Planner",
    "Pondered",
    "Random",
    "RandomOrder",
    "Reply",
    "SearchAgent",
    "SimultaneousAgent",
    "SimultaneousMCTS",
    "Statistics",
    "game_reading",
    "parse_planner",
    "plan_positions",
    "with_preset",
]

lazy_package(
    __name__,
    {
        "EMCTS": "tactician.planners.emcts:EMCTS",
        "FDTS": "tactician.planners.simultaneous:FDTS",
        "MCS": "tactician.planners.simultaneous:MCS",
        "MCTS": "tactician.planners.mcts:MCTS",
        "OEP": "tactician.planners.oep:OEP",
        "PLANNERS": "tactician.planners.registry:PLANNERS",
        "PRESETS": "tactician.planners.presets:PRESETS",
        "RHEA": "tactician.planners.rhea:RHEA",
        "Agent": "tactician.planners.base:Agent",
        "Alternative": "tactician.seats.plan:Alternative",
        "Annealing": "tactician.planners.annealing:Annealing",
        "Auto": "tactician.planners.auto:Auto",
        "BridgeBurningMCTS": "tactician.planners.mcts:BridgeBurningMCTS",
        "Clairvoyant": "tactician.planners.clairvoyant:Clairvoyant",
        "Coevolution": "tactician.planners.coevolution:Coevolution",
        "Determinized": "tactician.planners.determinized:Determinized",
        "GreedyAction": "tactician.planners.simple:GreedyAction",
        "GreedyOEP": "tactician.planners.oep:GreedyOEP",
        "GreedyTurn": "tactician.planners.greedy_turn:GreedyTurn",
        "InformationSetMCTS": "tactician.planners.information_sets:InformationSetMCTS",
        "NoAI": "tactician.planners.permutation:NoAI",
        "NonExploringMCTS": "tactician.planners.mcts:NonExploringMCTS",
        "PermutationEMCTS": "tactician.planners.permutation_emcts:PermutationEMCTS",
        "PermutationOEP": "tactician.planners.permutation:PermutationOEP",
        "Plan": "tactician.seats.plan:Plan",
        "Planner": "tactician.planners.base:Planner",
        "Pondered": "tactician.planners.pondering:Pondered",
        "Random": "tactician.planners.simple:Random",
        "RandomOrder": "tactician.planners.permutation:RandomOrder",
        "Reply": "tactician.planners.replies:Reply",
        "SearchAgent": "tactician.planners.search_agent:SearchAgent",
        "SimultaneousAgent": "tactician.planners.simultaneous_agent:SimultaneousAgent",
        "SimultaneousMCTS": "tactician.planners.simultaneous:SimultaneousMCTS",
        "Statistics": "tactician.seats.plan:Statistics",
        "game_reading": "tactician.planners.presets:game_reading",
        "parse_planner": "tactician.planners.registry:parse_planner",
        "plan_positions": "tactician.planners.many:plan_positions",
        "with_preset": "tactician.planners.presets:with_preset",
    },
)
