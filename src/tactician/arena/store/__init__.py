"""Where finished games are kept: one SQLite file by default, PostgreSQL by URL.

A tournament that was interrupted resumes from its store: every game is committed as soon as it is finished, and no game
is counted twice, however many processes write. `open_store` is the way in.
"""

from tactician.arena.store.schema import SCHEMA_VERSION
from tactician.arena.store.store import ResultStore, TournamentSummary, open_store

__all__ = ["SCHEMA_VERSION", "ResultStore", "TournamentSummary", "open_store"]
