"""Looking into a store: what was played, how it ended, and exports of it."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from tactician.arena.schedule import Plan
from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament
from tactician.cli.arena import show_tournament
from tactician.cli.show import err, out, print_json


def list_tournaments(where: str, as_json: bool) -> None:
    """A line a tournament."""
    with open_store(where) as store:
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
    """One tournament's cross-table."""
    with open_store(where) as store:
        summary = store.find(which)
        records = {record.pairing.key: record for record in store.games(summary.id)}
    told = summary.description
    plan = Plan(**(told | {"agents": tuple(told["agents"]), "games": _games_a_pair(told, len(records))}))
    show_tournament(Tournament(plan, records), as_json)


def _games_a_pair(told: dict[str, object], finished: int) -> int:
    """As many as the store may hold: later runs can have asked for more than the first."""
    return max(int(str(told["games"])), finished)


def export(where: str, which: str, csv: Path | None, jsonl: Path | None) -> None:
    """A tournament's games as files."""
    with open_store(where) as store:
        summary = store.find(which)
        for path, write in ((csv, store.export_csv), (jsonl, store.export_jsonl)):
            if path is not None:
                err.print(f"wrote {write(summary.id, path)} games to {path}", highlight=False)
