"""Stores that are damaged or of another form: whole results or one sentence, never fewer games or a traceback."""

from __future__ import annotations

import io
import json
import random
import shutil
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from tactician.arena import Tournament, open_store, tournament
from tactician.arena.store import rows
from tactician.arena.tournament import keep, stored_tournament
from tactician.errors import StoreError

NIM = f"{Path(__file__).parents[1] / 'support' / 'nim_rules.py'}:nim"
GAMES = 60


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A store with a tournament, and what is shown of it."""
    path = tmp_path_factory.mktemp("store") / "games.sqlite"
    played = tournament(NIM, ["random", "greedy-action"], GAMES, "5evals", store=path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return path, played.to_json()


def read(path: Path) -> Tournament:
    """Everything a command reads from a store."""
    with open_store(path, read_only=True) as opened:
        opened.tournaments()
        opened.export_csv(1, io.StringIO())
        opened.export_jsonl(1, io.StringIO())
        return stored_tournament(opened, "1")


def outcome(path: Path) -> dict[str, Any] | str:
    """What a store shows, or the sentence that refuses it; anything else is a failure of the test."""
    try:
        shown = read(path).to_json()
    except StoreError as error:
        refusal = str(error)
    else:
        shown["plan"].pop("parameters")
        return shown
    assert "\n" not in refusal
    assert refusal.endswith(".")
    return refusal


# -- damage --------------------------------------------------------------------------------------------------------


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The file with some bytes flipped, overwritten, moved or cut off."""
    changed, kind = bytearray(data), chance.randrange(5)
    at = chance.randrange(len(changed))
    if kind == 0:
        for _ in range(chance.randrange(1, 9)):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    elif kind == 1:
        changed[at : at + chance.randrange(1, 600)] = bytes(chance.randrange(1, 600))
    elif kind == 2:
        size, source = chance.randrange(1, 600), chance.randrange(len(changed))
        changed[at : at + size] = changed[source : source + size]
    elif kind == 3:
        del changed[at:]
    else:
        page = 4096 * chance.randrange(len(changed) // 4096)  # the head of a page says how many rows it has
        changed[page + chance.randrange(12)] = chance.randrange(256)
    return bytes(changed)


@pytest.mark.parametrize("files", [150, pytest.param(3000, marks=pytest.mark.slow)])
def test_a_damaged_store_shows_all_its_games_or_is_refused(
    files: int, store: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    path, whole = store
    data, expected = path.read_bytes(), outcome(path)
    assert isinstance(expected, dict)
    assert expected["standings"] == whole["standings"]
    copy, refused = tmp_path / "copy.sqlite", 0
    for seed in range(files):
        copy.write_bytes(damaged(data, random.Random(seed)))
        found = outcome(copy)
        refused += isinstance(found, str)
        assert isinstance(found, str) or found == expected, seed
    assert refused > 0


# -- a valid checksum and a wrong form -------------------------------------------------------------------------------

VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    3,
    2**70,
    1.5,
    float("nan"),
    "",
    "x",
    "[]",
    "{}",
    "[1]",
    '["a"]',
    '{"a":1}',
    "null",
]
NESTED = "[" * 5000 + "]" * 5000


def rewritten(path: Path, column: str, value: Any) -> None:
    """Exchange a column of the first game, with a checksum that fits."""
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        row = dict(connection.execute("SELECT * FROM games ORDER BY id LIMIT 1").fetchone()) | {column: value}
        try:
            row["checksum"] = rows.checksum(row)
        except (ValueError, TypeError, OverflowError):
            return
        names = [name for name in row if name != "id"]
        try:
            connection.execute(
                f"UPDATE games SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?",
                [*(row[name] for name in names), row["id"]],
            )
        except (sqlite3.Error, OverflowError):
            return  # the tables themselves refuse it
    connection.close()


@pytest.mark.parametrize(
    "column",
    ["key", "game", "seats", "budget", "seed", "round", "returns", "error", "error_seat", "ms", "options", "turns"],
)
def test_a_game_of_another_form_is_one_sentence(
    column: str, store: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    path, _ = store
    values = [*VALUES, NESTED]
    if column == "turns":
        turns = [[], {}, [1], [{}], [[]], [{"seat": 9, "actions": [], "ms": 0, "evaluations": 0, "iterations": 0}]]
        texts = [json.dumps(turn) for turn in turns[1:]] + [NESTED, "nan", '[{"seat":0,"actions":[],"ms":NaN}]']
        values = [zlib.compress(text.encode()) for text in texts] + [b"", b"x", zlib.compress(b"[]")[:-3]]
    for number, value in enumerate(values):
        copy = tmp_path / f"{number}.sqlite"
        shutil.copy(path, copy)
        rewritten(copy, column, value)
        found = outcome(copy)
        assert isinstance(found, str) or found["standings"][0]["games"] == GAMES, (column, value)


@pytest.mark.parametrize(
    "name", ["game", "agents", "games", "budget", "seed", "form", "sources", "sides", "parameters"]
)
def test_a_description_of_another_form_is_one_sentence(
    name: str, store: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    path, _ = store
    with sqlite3.connect(path) as connection:
        described = json.loads(connection.execute("SELECT description FROM tournaments").fetchone()[0])
    connection.close()
    values: list[Any] = [
        None,
        True,
        -1,
        2**80,
        1.5,
        "",
        "x",
        [],
        [1],
        ["random"],
        ["random", "random"],
        {},
        {"a": 1},
        [[]],
    ]
    texts = [json.dumps(described | {name: value}) for value in values]
    texts += [json.dumps({key: value for key, value in described.items() if key != name}), "[]", "nul", NESTED, "3"]
    for number, text in enumerate(texts):
        copy = tmp_path / f"{number}.sqlite"
        shutil.copy(path, copy)
        with sqlite3.connect(copy) as connection:
            connection.execute("UPDATE tournaments SET description = ?", [text])
        connection.close()
        found = outcome(copy)
        assert isinstance(found, str) or found["standings"][0]["games"] == GAMES, text


# -- two arenas ------------------------------------------------------------------------------------------------------


def test_a_game_that_another_arena_stored_first_costs_one_row(
    store: tuple[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two arenas on one store play the same games; one that comes too late must not read all of them again."""
    path, whole = store
    rows_read, from_row = 0, rows.from_row

    def counted(row: Any) -> Any:
        nonlocal rows_read
        rows_read += 1
        return from_row(row)

    monkeypatch.setattr(rows, "from_row", counted)
    with open_store(path) as opened:
        played = list(opened.games(1))
        result = Tournament(stored_tournament(opened, 1).plan)
        assert rows_read == 2 * GAMES
        for record in played:
            keep(opened, 1, result, record)
    assert rows_read == 3 * GAMES
    assert result.to_json()["standings"] == whole["standings"]
