"""Other people's worlds: our games and planners there, and their games here.

Each module needs only what it adapts to: `gymnasium`, `pettingzoo` and `openspiel` the package of that name, the
LOCM competition and the official Pommerman environment nothing.
"""
