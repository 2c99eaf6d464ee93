"""Replies of the opponent that are known, and what they leave of a turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.native.caching import inlined
from tactician.native.memory import Address, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners.genome import Turns, make_turns, turn_list
from tactician.planners.work import (
    NOW,
    Work,
    apply,
    continues,
    copy_state,
    is_legal,
    judge,
    may_evaluate,
    mover_of,
    state_at,
    turn_continues,
)


class ArchiveSize(Row):
    """How full an archive is."""

    entries: int
    """Replies in it."""


class Archive(NamedTuple):
    """The replies that turns are judged by; none: turns are judged by their ends."""

    turns: Turns
    """[room] the replies."""
    order: NDArray[np.int64]
    """[room] the rows in the order in which they are tried."""
    size: Rows[ArchiveSize]
    """[1] how full it is."""


def make_archive(room: int, max_turn: int) -> Archive:
    """An empty archive."""
    return Archive(make_turns(room, max_turn), np.arange(room), make_rows(ArchiveSize))


def empty_archive(archive: Archive) -> None:
    """Forget all replies, and in which order they were tried."""
    archive.order[:] = np.arange(len(archive.order))
    archive.size[0].entries = 0


def enter_reply(archive: Archive, number: int, reply: list[int]) -> None:
    """Keep the `number`-th reply; where there is no room, the oldest gives way."""
    room = len(archive.order)
    row = number % room
    archive.turns.genes[row, : len(reply)], archive.turns.lengths[row] = reply, len(reply)
    archive.size[0].entries = min(room, number + 1)


def replies_in(archive: Archive) -> list[list[int]]:
    """The replies of an archive."""
    return [turn_list(archive.turns, row) for row in range(archive.size[0].entries)]


@inlined
def play_reply(work: Work, archive: Archive, row: int, end: Address, opponent: int) -> Address:
    """Play what is legal of a reply at the end of a turn; returns the address of the state after it."""
    now = state_at(work, NOW)
    copy_state(work, now, end)
    for i in range(archive.turns.lengths[row]):
        if not turn_continues(work, now, opponent):
            break
        action = int64(archive.turns.genes[row, i])
        if is_legal(work, now, action):
            apply(work, now, action)
    return now


@inlined
def worth(work: Work, archive: Archive, end: Address, player: int, enough: float) -> float:
    """What the best reply leaves of the end of a turn, or the first that leaves less than `enough`.

    What is not legal of a reply is left out. If the evaluations end before a reply is judged, nothing is left.
    """
    entries = archive.size[0].entries
    if entries == 0 or not continues(work, end):
        return judge(work, end, player)
    opponent, least = mover_of(work, end), np.inf
    if opponent == player:  # who is to move again is not answered
        return judge(work, end, player)
    for k in range(entries):
        if not may_evaluate(work):
            return -np.inf
        now = play_reply(work, archive, int64(archive.order[k]), end, opponent)
        least = min(least, judge(work, now, player))
        if least < enough:
            # What refutes a turn refutes its neighbours: it is tried earlier next time.
            archive.order[k], archive.order[k // 2] = archive.order[k // 2], archive.order[k]
            break
    return least
