"""Reading a store: its tournaments, their results, and exports of their games."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.table import Table

from tactician.arena.records import GameRecord
from tactician.arena.schedule import TournamentPlan
from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament
from tactician.cli.arena import show_tournament
from tactician.cli.show import err, out, print_json
from tactician.files import require_writable


def list_tournaments(where: str, as_json: bool) -> None:
    """Print a line for each tournament."""
    with open_store(where, read_only=True) as store:
        found = store.tournaments()
    if as_json:
        print_json(
            [{"id": t.id, "key": t.key, "games": t.games, "forfeits": t.forfeits, "plan": t.description} for t in found]
        )
        return
    table = Table("id", "game", "planners", "budget", "games", "forfeits", box=None, pad_edge=False)
    for t in found:
        plan = t.description
        table.add_row(str(t.id), plan["game"], ", ".join(plan["agents"]), plan["budget"], str(t.games), str(t.forfeits))
    out.print(table)


def show(where: str, which: str, as_json: bool) -> None:
    """Print one tournament's cross-table."""
    with open_store(where, read_only=True) as store:
        summary = store.find(which)
        records = {record.pairing.key: record for record in store.games(summary.id)}
    stored = summary.description
    games = _games_a_pair(stored, records.values())
    plan = TournamentPlan(**(stored | {"agents": tuple(stored["agents"]), "games": games}))
    show_tournament(Tournament(plan, records), as_json)


def _games_a_pair(plan: dict[str, Any], records: Iterable[GameRecord]) -> int:
    """The most games of any pair: later runs may have asked for more than the first, whose plan is stored."""
    return max([int(plan["games"]), *(record.pairing.round + 1 for record in records)])


def check_places(*paths: Path | None) -> None:
    """Refuse files that can't be written before a large store is read."""
    for path in paths:
        if path is not None:
            require_writable("file", path)


def export(where: str, which: str, csv: Path | None, jsonl: Path | None) -> None:
    """Write a tournament's games as files."""
    with open_store(where, read_only=True) as store:
        summary = store.find(which)
        for path, write in ((csv, store.export_csv), (jsonl, store.export_jsonl)):
            if path is not None:
                err.print(f"wrote {write(summary.id, path)} games to {path}", highlight=False, markup=False)
