"""Who plays: budgets, plans, and the interface that everything with a seat at a game implements."""

from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Plan, Statistics
from tactician.seats.seat import BaseSeat, Seat

__all__ = ["Alternative", "BaseSeat", "Budget", "Plan", "Seat", "Statistics"]
