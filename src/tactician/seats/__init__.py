"""Who plays: budgets, plans, and the interface that everything with a seat at a game implements."""

from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Plan, Statistics

__all__ = ["Alternative", "Budget", "Plan", "Statistics"]
