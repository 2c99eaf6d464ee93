"""Seats that are no planners: programs and named agents, and what becomes of their failures."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from locm_bots import BAD, FLOODS_STDERR, GOOD, command
from sqlalchemy import text

from tactician.arena import Pairing, TournamentPlan, open_store, play, replay, tournament
from tactician.arena.agents import named_agents, parse_agent
from tactician.arena.records import GameRecord
from tactician.arena.schedule import as_names
from tactician.contract.state import State
from tactician.errors import InvalidParameterError, TacticianError
from tactician.games.locm import locm
from tactician.games.locm.blocks import input_block
from tactician.games.registry import load_game
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan as TurnPlan
from tactician.seats.seat import BaseSeat

FACTOR = 8
"""Time limits in tests, times the competition's: the machine may be busy."""
SOON = {"prints nothing": 0.5, "half a line": 3}
"""Those that have to be waited for."""


def program(folder: Path, script: str, factor: float = FACTOR) -> str:
    return f"exec[timeout={factor:g}]:{command(folder, script)}"


def pairing(*seats: str, game: str = "locm", seed: int = 1) -> Pairing:
    return Pairing(game, seats, "20evals", seed, 0)


def children() -> set[str]:
    """The processes this one has, zombies included."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return {pid for pid in found.stdout.split() if os.path.exists(f"/proc/{pid}")}


# -- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    ["oep:population=20", "exec:./bot --fast 'a b'", "exec[timeout=2]:./bot", "locm-baseline1", "permutation-oep"],
)
def test_a_seat_reads_back(spec: str) -> None:
    assert str(parse_agent(spec)) == spec
    assert parse_agent(f"{spec}#2") == parse_agent(spec)


def test_copies_of_a_program_are_told_apart() -> None:
    assert as_names(["exec:./bot #1 x", "exec:./bot #1 x", "locm-baseline2"]) == (
        "exec:./bot #1 x",
        "exec:./bot #1 x#2",
        "locm-baseline2",
    )


@pytest.mark.parametrize(
    ("game", "spec", "message"),
    [
        ("locm", "exec:", "expected a command behind the colon"),
        ("locm", "exec", "expected exec:COMMAND"),
        ("locm", "exec:./bot 'a", "can't be read: no closing quotation"),
        ("locm", "exec[timeout=0]:./bot", "timeout of 'exec' is '0'; expected a positive factor"),
        ("locm", "exec[tiemout=2]:./bot", "did you mean 'timeout'"),
        ("locm", "locm-baseline1:x=1", "has no parameters"),
        ("locm", "locm-baselin1", "did you mean 'locm-baseline1'"),
        ("hero-academy", "exec:./bot", "'hero-academy' has no protocol for those; games that have: locm."),
        ("hero-academy", "locm-baseline1", "agent 'locm-baseline1' plays 'locm'; given 'hero-academy'."),
    ],
)
def test_what_can_not_have_a_seat(game: str, spec: str, message: str) -> None:
    with pytest.raises(TacticianError) as refused:
        TournamentPlan(game, ("random", spec), 2, "10evals")
    assert message in str(refused.value)


def test_a_program_that_is_not_there_is_refused_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"there is no program '\./no-such-bot'"):
        tournament("locm", ["random", "exec:./no-such-bot"], 2, "10evals", store=tmp_path / "games.sqlite")
    with open_store(tmp_path / "games.sqlite") as store:
        assert not store.played(1)


# -- games ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["locm", "locm:version=1.0", "locm:version=1.5", "locm:decks=paper"])
def test_baselines_play_whole_games(game: str) -> None:
    record = play(pairing("locm-baseline1", "locm-baseline2", game=game))
    assert record.error is None
    assert tuple(replay(record).returns()) == record.returns
    assert ("picks" in record.options) == ("paper" not in game)


def test_every_named_agent_can_be_made() -> None:
    games = {"locm-baseline1": "locm", "locm-baseline2": "locm", "rule-based": "pommerman", "royale-script": "royale"}
    assert named_agents() == list(games)
    for name, game in games.items():
        assert isinstance(parse_agent(name).on(load_game(game)), BaseSeat)


@pytest.mark.parametrize("game", ["locm", "locm:decks=paper"])
def test_a_program_plays_from_both_seats(game: str, tmp_path: Path) -> None:
    bot = program(tmp_path, GOOD)
    before = children()
    result = tournament(game, [bot, "random"], 2, "20evals", store=tmp_path / "games.sqlite")
    assert not result.errors
    for record in result.games():
        seat = record.pairing.seats.index(bot)
        assert tuple(replay(record).returns()) == record.returns
        assert GameRecord.from_json(record.to_json()) == record
        if game == "locm":
            start = locm().initial_state(seed=record.pairing.seed)
            assert record.options["picks"][seat] == [int(offer[0]) for offer in start.record.draft]
            assert record.options["picks"][1 - seat] is None
        assert any(turn.actions[:-1] for turn in record.turns if turn.seat == seat)
    assert children() <= before
    with open_store(tmp_path / "games.sqlite") as store:
        assert {r.pairing.key: r.options for r in store.games(1)} == {r.pairing.key: r.options for r in result.games()}


def test_a_program_against_itself(tmp_path: Path) -> None:
    bot = program(tmp_path, FLOODS_STDERR)
    record = play(pairing(bot, f"{bot}#2"))
    assert record.error is None
    assert all(isinstance(picks, list) for picks in record.options["picks"])


@pytest.mark.parametrize("name", BAD)
def test_failures_of_programs_are_recorded_and_the_tournament_goes_on(name: str, tmp_path: Path) -> None:
    script, sentence = BAD[name]
    before = children()
    result = tournament("locm", [program(tmp_path, script, SOON.get(name, FACTOR)), "random"], 2, "20evals")
    assert len(result.errors) == len(result.games()) == 2
    for record in result.games():
        seat = record.error_seat
        assert seat is not None
        assert record.pairing.seats[seat].startswith("exec")
        assert record.returns[seat] == -1
        assert sentence in (record.error or "")
        assert "\n" not in (record.error or "")
    assert children() <= before


class _Spy(BaseSeat):
    """Ends its turns at once and keeps what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[State] = []
        self.calls: list[str] = []

    def new_game(self) -> None:
        self.calls.append("new_game")

    def prepare(self, game: Any, seat: int, seed: int) -> dict[str, Any]:
        self.calls.append(f"prepare {seat} {seed}")
        return {}

    def close(self) -> None:
        self.calls.append("close")

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> TurnPlan:
        self.seen.append(state)
        return TurnPlan((0,), None)


def test_agents_are_shown_what_their_player_sees_and_are_told_of_games() -> None:
    spies = (_Spy(), _Spy())
    play(pairing("random", "random", seed=5), spies)
    for seat, spy in enumerate(spies):
        assert spy.calls == ["new_game", f"prepare {seat} 5", "close"]
        for state in spy.seen[:20]:
            assert state == state.observe(seat)


def test_the_block_of_a_view_is_the_block_of_the_state() -> None:
    for version in ("1.0", "1.2", "1.5"):
        game = locm(version=version)
        state = game.initial_state(seed=3)
        agents = [parse_agent("random").on(game) for _ in range(2)]
        while not state.is_over():
            seat = state.current_player()
            assert input_block(state) == input_block(state.observe(seat))
            for action in agents[seat].plan(state, "5its").actions:
                state.apply(action)


@pytest.mark.parametrize(
    ("picks", "message"),
    [
        ([[1] * 29, None], "picks of seat 0 are 29 cards; expected 30"),
        ([None, [999] * 30], "pick 1 of seat 1 is 999; expected one of"),
        ([None], "picks are of 1 seats; expected 2"),
    ],
)
def test_picks_that_can_not_be(picks: Any, message: str) -> None:
    with pytest.raises(InvalidParameterError) as refused:
        locm().initial_state(seed=1, picks=picks)
    assert message in str(refused.value)


def test_picks_decide_one_deck_and_leave_the_other() -> None:
    game = locm(draft="uji2/uji2")
    usual = game.initial_state(seed=4).record
    picks = [int(offer[2]) for offer in usual.draft]
    given = game.initial_state(seed=4, picks=[picks, None]).record
    assert sorted(given.deck[0]) == sorted(picks)
    assert list(given.deck[1]) == list(usual.deck[1])


# -- the store -----------------------------------------------------------------------------------------------------

_VERSION_1 = """
CREATE TABLE tactician_meta (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name));
CREATE TABLE tournaments (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL, created TEXT NOT NULL, package_version TEXT NOT NULL);
CREATE TABLE games (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, tournament INTEGER NOT NULL, key TEXT NOT NULL,
    game TEXT NOT NULL, seats TEXT NOT NULL, budget TEXT NOT NULL, seed TEXT NOT NULL, round BIGINT NOT NULL,
    returns TEXT NOT NULL, error TEXT, error_seat INTEGER, ms FLOAT NOT NULL, turns BLOB NOT NULL,
    game_version TEXT NOT NULL, package_version TEXT NOT NULL, finished TEXT NOT NULL, checksum BIGINT NOT NULL,
    CONSTRAINT a_game_counts_once UNIQUE (tournament, key), FOREIGN KEY(tournament) REFERENCES tournaments (id));
INSERT INTO tactician_meta VALUES ('schema_version', '1'), ('created', '2024-01-01T00:00:00+00:00');
INSERT INTO tournaments VALUES (1, 'k', '{}', '2024-01-01T00:00:00.000+00:00', '0.1.0');
"""


def _old_row(record: GameRecord) -> dict[str, Any]:
    """A row as version 1 wrote it, checksum included."""
    import json
    import zlib

    p = record.pairing
    turns = [vars(turn) for turn in record.turns]
    row: dict[str, Any] = {
        "key": p.key,
        "game": p.game,
        "seats": json.dumps(p.seats, separators=(",", ":")),
        "budget": p.budget,
        "seed": str(p.seed),
        "round": p.round,
        "returns": json.dumps(record.returns, separators=(",", ":")),
        "error": record.error,
        "error_seat": record.error_seat,
        "ms": record.ms,
        "game_version": record.game_version,
        "package_version": record.package_version,
        "finished": "2024-01-01T00:00:01.000+00:00",
    }
    packed = zlib.compress(json.dumps(turns, separators=(",", ":")).encode())
    checked = zlib.crc32(packed, zlib.crc32(json.dumps(list(row.values())).encode()))
    return row | {"turns": packed, "checksum": checked, "tournament": 1}


def test_a_store_of_version_1_becomes_one_of_version_2(tmp_path: Path) -> None:
    import sqlite3

    from arena_store_writer import made_up

    from tactician.errors import StoreError

    path = tmp_path / "games.sqlite"
    records = [made_up(number) for number in range(603)]
    with sqlite3.connect(path) as old:
        old.executescript(_VERSION_1)
        rows = [_old_row(record) for record in records]
        names = list(rows[0])
        old.executemany(
            f"INSERT INTO games ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            [list(row.values()) for row in rows],
        )
    for _ in range(2):
        with open_store(path) as store:
            assert list(store.games(1)) == records
            assert store.check() == len(records)
            new = replace(made_up(5000), options={"picks": [[1, 2], None]})
            assert store.add(1, new)
            assert list(store.games(1))[-1] == new
            with store._database.writing() as connection:
                connection.execute(text("DELETE FROM games WHERE key = :key"), {"key": new.pairing.key})
    # Damage from before stays damage, and what was decided before the start is under the checksum.
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE games SET options = '{\"picks\":1}' WHERE id = 7")
    with open_store(path) as store, pytest.raises(StoreError, match="its checksum is wrong"):
        store.check()


def test_a_damaged_game_of_version_1_does_not_become_a_good_one(tmp_path: Path) -> None:
    import sqlite3

    from arena_store_writer import made_up

    from tactician.errors import StoreError

    path = tmp_path / "games.sqlite"
    row = _old_row(made_up(1)) | {"ms": 1e9}
    with sqlite3.connect(path) as old:
        old.executescript(_VERSION_1)
        old.execute(f"INSERT INTO games ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
    with open_store(path) as store, pytest.raises(StoreError, match="its checksum is wrong"):
        list(store.games(1))


def test_a_record_without_options_is_read() -> None:
    from arena_store_writer import made_up

    told = made_up(3).to_json()
    assert told.pop("options") == {}
    assert GameRecord.from_json(told) == made_up(3)
