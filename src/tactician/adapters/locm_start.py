"""What the bot of Legends of Code and Magic needs for a draft, and its loop of questions and answers.

The referee asks for the first pick within a second of starting the process, and NumPy, Numba and compiled rules take
longer to load. Nothing that is imported here does; `locm_process` drafts with it while the rest is loaded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tactician.errors import UnknownNameError
from tactician.games.locm import protocol
from tactician.games.locm.cards import CARDS, CardType
from tactician.games.locm.protocol import CardLine, InputBlock
from tactician.games.locm.strategies import CONSTRUCTIONS, STRATEGIES

if TYPE_CHECKING:
    import numpy as np

PLAIN_DRAFT, PLAIN_CONSTRUCTION = "mana-curve", "mana-curve"
"""For cards that a ranking doesn't know; for the generated cards of version 1.5."""
DEFAULT_DRAFT = "learned"
NO_DRAFT = ("1.5",)
"""Versions in which a deck is constructed at once."""


def draft_of(version: str, draft: str | None) -> str:
    """The draft strategy or construction to use in a version."""
    chosen = draft or (PLAIN_CONSTRUCTION if version in NO_DRAFT else DEFAULT_DRAFT)
    known = CONSTRUCTIONS if version in NO_DRAFT else STRATEGIES
    if chosen not in known:
        raise UnknownNameError("draft strategy", chosen, known)
    return chosen


class Drafter:
    """Picks cards by a draft strategy."""

    def __init__(self, strategy: str, seed: int) -> None:
        self._strategy, self._seed = strategy, seed
        self._table = {card.number: card for card in CARDS}
        self.new_game()

    def new_game(self) -> None:
        """Forget the picks of the last game."""
        self._picked: list[CardType] = []
        self._stream: np.random.Generator | None = None

    @property
    def _rng(self) -> np.random.Generator:
        """The stream of strategies that draw; NumPy is imported only for these."""
        if self._stream is None:
            import numpy as np

            self._stream = np.random.default_rng([self._seed, 1])
        return self._stream

    def pick(self, block: InputBlock) -> int:
        """The index of the card to take."""
        if not block.cards:
            raise protocol.ProtocolError("a block of the draft offers 0 cards; expected 3.")
        offered = [self._table.get(line.number) or card_of(line) for line in block.cards]
        known = all(line.number in self._table for line in block.cards)
        strategy = STRATEGIES[self._strategy if known else PLAIN_DRAFT]
        rng: Any = _Late(lambda: self._rng)
        index = strategy.pick(offered, self._picked, protocol.seat_of(block) or 0, rng)
        if offered[index].number in self._table:
            self._picked.append(offered[index])
        return index


class _Late:
    """A random stream that is made when something is drawn from it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)


class Answer(NamedTuple):
    """A decision and how it came about."""

    phase: str
    """'draft' or 'battle'."""
    lines: list[str]
    text: str
    ms: float
    """From the first line of the block to the decision."""


class Bot(Protocol):
    """What answers blocks, one after the other."""

    version: str

    def answer(self, block: InputBlock, since: float | None = None) -> str:
        """The line to write; `since` is when the clock began to run."""


_START_FIELD = 19
"""Place of the time at which a process began, in clock ticks after the machine, among the fields after its name."""


def seconds_since_start() -> float:
    """How long this process has existed, by the clock; where no system tells, how long it has computed at least.

    The referee's clock has run since the process began, and on a busy machine it computes only part of that time.
    """
    computed = time.process_time()
    try:
        stat = Path("/proc/self/stat").read_bytes()
        ticks = int(stat.rpartition(b")")[2].split()[_START_FIELD])  # the name in brackets may hold anything
        return max(computed, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, AttributeError, ValueError, IndexError):
        return computed


def serve(
    player: Bot,
    read_line: Callable[[], str],
    write: Callable[[str], object],
    on_progress: Callable[[Answer], object] | None = None,
    came: float | None = None,
) -> None:
    """Answer block after block until the input ends; raises a `ProtocolError` if it ends inside a block.

    `came` is when the first block came, if its lines were read before.
    """
    taken: list[str] = []
    since = 0.0

    def lines() -> Iterator[str]:
        nonlocal since, came
        while line := read_line():
            if not taken:
                since, came = came or time.perf_counter(), None
            if taken or line.strip():
                taken.append(line.rstrip("\r\n"))
            yield line

    incoming = lines()
    while (block := protocol.parse_block(incoming, player.version)) is not None:
        text = player.answer(block, since)
        ms = 1000 * (time.perf_counter() - since)
        write(f"{text}\n")
        if on_progress is not None:
            on_progress(Answer("draft" if protocol.is_draft(block) else "battle", list(taken), text, ms))
        taken.clear()


def card_of(line: CardLine) -> CardType:
    """The card that a line of the protocol describes."""
    return CardType(
        number=line.number,
        name=f"card {line.number}",
        kind=line.kind,
        cost=line.cost,
        attack=line.attack,
        defense=line.defense,
        abilities=line.abilities,
        player_hp=line.player_hp,
        enemy_hp=line.enemy_hp,
        card_draw=line.card_draw,
        area=line.area,
    )
