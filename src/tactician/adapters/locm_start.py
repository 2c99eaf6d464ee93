"""How the bot of Legends of Code and Magic starts: it drafts from plain tables while everything heavy is loaded.

The referee asks for the first pick within a second of starting the process, and NumPy, Numba and compiled rules take
longer. Nothing that is imported here does.
"""

from __future__ import annotations

import os
import signal
import threading
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


class Player(Bot, Protocol):
    """A bot that can take over after a draft."""

    def take_pick(self, block: InputBlock, index: int) -> None:
        """Take note of a pick that somebody else has made."""

    def close(self) -> None:
        """The game is over."""


FIRST_PICK_SECONDS, PICK_SECONDS = 0.65, 0.005
"""When picks are answered while the player is being loaded: so long after the start of the process, and after a block.
The referee allows 1 s and 0.1 s; loading may keep an answer waiting for most of the latter."""


_START_FIELD = 19
"""Place of the time at which a process began, in clock ticks after the machine, among the fields after its name."""


class StartingPlayer:
    """Drafts at once, and hands over to a player that a thread loads meanwhile."""

    def __init__(self, load: Callable[[], Player], version: str, draft: str | None, seed: int) -> None:
        if version not in protocol.SHAPES:
            raise UnknownNameError("version", version, protocol.SHAPES)
        self.version = version
        self._drafter = Drafter(draft_of(version, draft), seed) if version not in NO_DRAFT else None
        self._load = load
        self._picks: list[tuple[InputBlock, int]] = []
        """Those that the player has not been told."""
        self._in_battle = False
        self._player: Player | None = None
        self._failure: BaseException | None = None
        self._reader = threading.current_thread()
        self._reading, self._lock = False, threading.Lock()
        self._thread = threading.Thread(target=self._run, name="tactician-loading", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._player = self._load()
        except BaseException as failure:  # raised in the thread that answers
            self._failure = failure
            with self._lock:
                if self._reading and self._reader.ident is not None:
                    signal.pthread_kill(self._reader.ident, signal.SIGINT)

    def read(self, read_line: Callable[[], str]) -> str:
        """A line of input; raises KeyboardInterrupt if loading fails meanwhile, so that nobody waits in vain."""
        with self._lock:
            self._reading = self._failure is None
        if self._failure is not None:
            raise self._failure
        line = read_line()
        with self._lock:
            self._reading = False
        return line

    def player(self) -> Player:
        """The player itself, as soon as it is loaded; raises what went wrong."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        assert self._player is not None
        for block, index in self._picks:
            self._player.take_pick(block, index)
        self._picks = []
        return self._player

    def _time_to_load(self, since: float) -> float:
        """How long a pick may wait: thirty are enough to load the player, if it gets the time that they don't need."""
        if len(self._picks) == 1:
            return max(0.0, FIRST_PICK_SECONDS - seconds_since_start())
        return max(0.0, since + PICK_SECONDS - time.perf_counter())

    @property
    def failure(self) -> BaseException | None:
        """What went wrong while loading."""
        return self._failure

    def answer(self, block: InputBlock, since: float | None = None) -> str:
        """The line to write."""
        if self._drafter is None or not protocol.is_draft(block):
            self._in_battle = True
            return self.player().answer(block, since)
        if self._in_battle:
            self._drafter.new_game()
            self._in_battle = False
        index = self._drafter.pick(block)
        self._picks.append((block, index))
        if since is not None:
            self._thread.join(self._time_to_load(since))
        return f"{protocol.PICK} {index}"


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
) -> None:
    """Answer block after block until the input ends; raises a `ProtocolError` if it ends inside a block."""
    taken: list[str] = []
    since = 0.0

    def lines() -> Iterator[str]:
        nonlocal since
        while line := read_line():
            if not taken:
                since = time.perf_counter()
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
