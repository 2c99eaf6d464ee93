"""Planners: small objects of parameters that plan whole turns in any game of the contract."""

from tactician.planners.base import Agent, Planner
from tactician.planners.plan import Alternative, Plan, Statistics
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.planners.simple import GreedyAction, Random

__all__ = [
    "PLANNERS",
    "Agent",
    "Alternative",
    "GreedyAction",
    "Plan",
    "Planner",
    "Random",
    "Statistics",
    "parse_planner",
]
