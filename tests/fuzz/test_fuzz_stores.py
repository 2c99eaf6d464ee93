"""Damaged stores and journals: the same results, or one sentence that refuses them; never other results."""

from __future__ import annotations

import io
import json
import random
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mutations import damaged, mutated

from tactician.arena import open_store, tournament
from tactician.arena.journal import FORMAT, line_of
from tactician.errors import StoreError
from tactician.tuning import NTBEA, Space
from tactician.tuning.journal import open_journal

STORES, JOURNALS = 1500, 1500
NIM = f"{Path(__file__).parents[1] / 'support' / 'nim_rules.py'}:nim"
SEARCH = NTBEA(Space({"a": [1, 2, 3], "b": [0.5, 1.5]}), seed=2)


def value_of(point: dict[str, float], seed: int) -> float:
    return point["a"] / 4 - point["b"] / 8 + (seed % 7) / 100


def stored(path: Path) -> list[Any]:
    """The games of a store; not the parameters of planners, which are there for people only and have no checksum."""
    with open_store(path, read_only=True) as opened:
        text = io.StringIO()
        for each in opened.tournaments():
            opened.export_jsonl(each.id, text)
    games = [json.loads(line) for line in text.getvalue().splitlines()]
    return [{name: value for name, value in game.items() if name != "parameters"} for game in games]


@pytest.mark.slow
def test_a_damaged_store_has_the_same_games_or_is_refused(tmp_path: Path) -> None:
    path, chance, counts = tmp_path / "games.sqlite", random.Random(7), Counter[str]()
    tournament(NIM, ["random", "greedy-action"], 40, "5evals", store=path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    whole, games = path.read_bytes(), stored(path)
    spoiled = tmp_path / "spoiled.sqlite"
    for number in range(STORES):
        for leftover in tmp_path.glob("spoiled.sqlite*"):
            leftover.unlink()
        spoiled.write_bytes(damaged(whole, chance))
        try:
            found = stored(spoiled)
        except StoreError as error:
            sentence = str(error)
        else:
            assert found in (games, []), f"store {number} has other games"
            counts["the same games" if found else "no tournament"] += 1
            continue
        assert "\n" not in sentence
        counts["refused"] += 1
    print(f"\n{STORES} damaged stores: {dict(counts)}")
    assert counts["refused"] > STORES / 4


@pytest.mark.slow
def test_a_damaged_journal_has_the_same_evaluations_or_is_refused(tmp_path: Path) -> None:
    path, chance, counts = tmp_path / "whole.jsonl", random.Random(8), Counter[str]()
    SEARCH.run(value_of, 30, out=path)
    whole, spoiled = path.read_bytes(), tmp_path / "spoiled.jsonl"
    lines = whole.splitlines()
    header = json.loads(lines[0])
    identity = {name: value for name, value in header.items() if name not in (FORMAT, "kind", "crc32")}
    with open_journal(path, identity, SEARCH.space) as journal:
        entries = list(journal.entries)
    assert len(entries) == 30
    for number in range(JOURNALS):
        if number % 2:
            spoiled.write_bytes(damaged(whole, chance))
        else:  # a line of another form, with a checksum that is right
            at = chance.randrange(len(lines))
            document = mutated(json.loads(lines[at]), chance)
            document = document if isinstance(document, dict) else {"value": document}
            document.pop("crc32", None)
            changed = [*lines[:at], line_of(document).rstrip(b"\n"), *lines[at + 1 :]]
            spoiled.write_bytes(b"\n".join(changed) + b"\n")
        try:
            with open_journal(spoiled, identity, SEARCH.space) as journal:
                found = list(journal.entries)
        except StoreError as error:
            sentence = str(error)
        else:
            counts["read"] += 1
            if number % 2:
                assert found == entries[: len(found)], f"journal {number} has other evaluations"
            continue
        assert "\n" not in sentence
        counts["refused"] += 1
    print(f"\n{JOURNALS} damaged journals: {dict(counts)}")
    assert counts["refused"] > JOURNALS / 4
