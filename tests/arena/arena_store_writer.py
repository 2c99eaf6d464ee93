"""Made-up games, and a process of its own that adds them to a store: ``arena_store_writer.py STORE FIRST COUNT STEP``.

It prints the key of each game after the store has taken it, and whether it was new.
"""

from __future__ import annotations

import sys

from tactician.arena.records import GameRecord, Pairing, Turn
from tactician.arena.store import open_store

TOURNAMENT = "5eed"


def made_up(number: int, turns: int = 6) -> GameRecord:
    """The game with this number: always the same one."""
    won = 1.0 if number % 2 else -1.0
    return GameRecord(
        pairing=Pairing("nim:heap=21", ("greedy", "oep:population=50"), "200ms", number, number // 2),
        returns=(won, -won),
        turns=tuple(Turn(i % 2, (number, [i, "take"], {"heap": i}), 0.1 * i, 100 + i, i) for i in range(turns)),
        ms=number / 3,
        game_version="1.2",
    )


def main() -> None:
    where, first, count, step = sys.argv[1], *map(int, sys.argv[2:])
    store = open_store(where)
    print("ready", flush=True)
    sys.stdin.readline()
    tournament = store.tournament(TOURNAMENT, {"game": "nim"})
    for number in range(first, first + count * step, step):
        record = made_up(number)
        print(record.pairing.key, store.add(tournament, record), flush=True)


if __name__ == "__main__":
    main()
