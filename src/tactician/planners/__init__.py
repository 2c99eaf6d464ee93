"""Planners: small objects of parameters that plan whole turns in any game of the contract."""

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
from tactician.planners.presets import PRESETS, game_reading, with_preset
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.planners.replies import Reply
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
