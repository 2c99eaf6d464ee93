"""Reading a store: its tournaments, their results, and exports of their games."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from tactician.arena.store import open_store
from tactician.arena.tournament import stored_tournament
from tactician.cli.arena import show_tournament
from tactician.cli.show import err, out, print_json
from tactician.files import require_other_file, require_writable


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
        agents = t.description.get("agents")
        listed = ", ".join(map(str, agents)) if isinstance(agents, list) else "?"
        texts = (str(t.id), t.description.get("game", "?"), listed, t.description.get("budget", "?"))
        table.add_row(*(Text(str(text)) for text in (*texts, t.games, t.forfeits)))
    out.print(table)


def show(where: str, which: str, as_json: bool) -> None:
    """Print one tournament's cross-table."""
    with open_store(where, read_only=True) as store:
        found = stored_tournament(store, which)
    show_tournament(found, as_json)


def check_places(store: str, *paths: Path | None) -> None:
    """Refuse files that can't be written, or that are the store itself, before a large store is read."""
    for path in paths:
        if path is not None:
            require_other_file("file", path, store)
            require_writable("file", path)


def export(where: str, which: str, csv: Path | None, jsonl: Path | None) -> None:
    """Write a tournament's games as files."""
    with open_store(where, read_only=True) as store:
        summary = store.find(which)
        for path, write in ((csv, store.export_csv), (jsonl, store.export_jsonl)):
            if path is not None:
                err.print(f"wrote {write(summary.id, path)} games to {path}", highlight=False, markup=False)
