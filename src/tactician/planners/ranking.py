"""The best different turns that a search has seen, whatever becomes of them in its population or tree.

Two turns are different if they end in different states. A search offers every turn it values; most are turned away by
one comparison.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners.genome import Turns, finish_turn, make_turns, replay, turn_list
from tactician.planners.work import Work

PLACES = 10
"""How many turns a search keeps if it is not asked for more."""
NO_PLACE = -1


class RankingSize(Row):
    """How full a ranking is."""

    entries: int
    """Turns in it."""
    least: float
    """The value that a turn has to exceed: that of the worst turn once all places are taken, -inf before."""
    worst: int
    """The place of that turn."""


class Ranking(NamedTuple):
    """The best turns so far, in no order."""

    turns: Turns
    """[places] their actions."""
    value: NDArray[np.float64]
    """[places] what each is worth."""
    key: NDArray[np.uint64]
    """[places] the state that each ends in."""
    seen: NDArray[np.int64]
    """[places] how often each was seen."""
    size: Rows[RankingSize]
    """[1] how full it is."""


def make_ranking(max_turn: int, places: int = PLACES) -> Ranking:
    """An empty ranking of turns of at most `max_turn` actions."""
    made = Ranking(
        turns=make_turns(places, max_turn),
        value=np.zeros(places),
        key=np.zeros(places, np.uint64),
        seen=np.zeros(places, np.int64),
        size=make_rows(RankingSize),
    )
    made.size[0].least = -np.inf
    return made


@inlined
def clear_ranking(ranking: Ranking) -> None:
    """Forget all turns."""
    size = ranking.size[0]
    size.entries = 0
    size.worst = 0
    size.least = -np.inf


@inlined
def may_rank(ranking: Ranking, value: float) -> bool:
    """Whether a turn of this value may get a place."""
    return value >= ranking.size[0].least and value > -np.inf


@inlined
def place_for(ranking: Ranking, key: np.uint64, value: float) -> int:
    """The place of a turn that ends in the state of a key, for the caller to write it to; NO_PLACE if it gets none."""
    size = ranking.size[0]
    for i in range(size.entries):
        if ranking.key[i] == key:
            ranking.seen[i] += 1
            return int64(NO_PLACE)
    place = size.entries
    if place < len(ranking.value):
        size.entries += 1
    elif value > size.least:
        place = size.worst
    else:
        return int64(NO_PLACE)
    ranking.value[place] = value
    ranking.key[place] = key
    ranking.seen[place] = 1
    _find_worst(ranking)
    return place


@inlined
def _find_worst(ranking: Ranking) -> None:
    """Bring `worst` and `least` up to date."""
    size = ranking.size[0]
    if size.entries < len(ranking.value):
        return
    size.worst = 0
    for i in range(1, len(ranking.value)):
        if ranking.value[i] < ranking.value[size.worst]:
            size.worst = i
    size.least = ranking.value[size.worst]


@inlined
def offer(ranking: Ranking, turns: Turns, row: int, length: int, key: np.uint64, value: float) -> None:
    """Offer a turn that ends in the state of a key."""
    place = place_for(ranking, key, value) if may_rank(ranking, value) else int64(NO_PLACE)
    if place >= 0:
        ranking.turns.lengths[place] = length
        for i in range(length):
            ranking.turns.genes[place, i] = turns.genes[row, i]


@kernel
def complete_turns(work: Work, ranking: Ranking, player: int, end: bool) -> None:
    """Finish the turns of a ranking that stop before the turn ends."""
    work, ranking = borrowed(work), borrowed(ranking)
    turns = ranking.turns
    for i in range(ranking.size[0].entries):
        now = replay(work, turns, i, turns.lengths[i])
        turns.lengths[i] = finish_turn(work, turns, i, now, turns.lengths[i], player, end)


def ranked_turns(ranking: Ranking, most: int) -> list[tuple[list[int], float, int]]:
    """The turns, best first: actions, value, count."""
    entries = int(ranking.size[0].entries)
    order = sorted(range(entries), key=lambda i: -ranking.value[i])[:most]
    return [(turn_list(ranking.turns, i), float(ranking.value[i]), int(ranking.seen[i])) for i in order]
