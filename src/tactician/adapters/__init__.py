"""Adapters to other libraries and competitions: our games and planners there, and their games here.

Each module needs only what it adapts to: `gymnasium`, `pettingzoo` and `openspiel` the package of that name, the
LOCM competition and the official Pommerman environment nothing.
"""
