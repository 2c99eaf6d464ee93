"""`Batch`: many states of one game in one array, stepped, listed, judged and observed in one compiled call.

It is what learning and vector environments use: with thousands of states a step costs little more than the rules
themselves. Each game has the same chance events as the `State` with its seed. With several threads the results are
the same; the rules release the interpreter lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tactician.contract import batch_kernels as kernels
from tactician.contract.calls import list_room
from tactician.contract.random import WORDS, stream
from tactician.contract.state import State
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.native import abi, failures
from tactician.native.announce import compiling

if TYPE_CHECKING:
    from tactician.contract.game import Game

NO_ACTION = kernels.NO_ACTION
"""What stands for an action of a game that is over."""
_SAMPLING, _STARTS = 2, 3
"""Tell the streams of random play and of games from a batch of starts from those of other games."""


class Batch:
    """States of one game that are handled together. Rows keep their places; a game that is over stays as it is."""

    def __init__(self, game: Game, words: NDArray[np.uint64], streams: NDArray[np.uint64], threads: int = 1) -> None:
        if game.backend.handles is not None:
            raise InvalidParameterError(f"game {game.name!r} is made of plain objects; a batch needs one of records.")
        if not isinstance(threads, (int, np.integer)) or threads < 1:
            raise InvalidParameterError(f"threads is {threads!r}; expected a positive integer.")
        self.game = game
        self.threads = int(threads)
        self._words = words
        self._streams = streams
        self._draws = np.zeros((len(words), WORDS), np.uint64)
        self._next_seed = 0
        self._lanes = [_Room(game) for _ in range(self.threads)]
        self.seed_sampling(0)

    # -- where states come from ------------------------------------------------------------------------------

    @classmethod
    def started(cls, game: Game, count: int, seed: int = 0, threads: int = 1) -> Batch:
        """Start positions of `count` games: row i is `game.initial_state(seed + i)`."""
        if not isinstance(count, (int, np.integer)) or count < 1:
            raise InvalidParameterError(f"count is {count!r}; expected a positive integer.")
        batch = cls.of([game.initial_state(seed + i) for i in range(count)], threads)
        batch._next_seed = seed + count
        batch.seed_sampling(seed)
        return batch

    @classmethod
    def of(cls, states: Sequence[State], threads: int = 1) -> Batch:
        """Copies of some states of one game, in their order."""
        if not states:
            raise InvalidParameterError("states is empty; expected at least one.")
        game = states[0].game
        for i, state in enumerate(states):
            if state.game is not game and state.game != game:
                raise InvalidParameterError(f"state {i} is of {state.game!r}; expected all of {game!r}.")
        words = np.array([state.words for state in states], np.uint64)
        return cls(game, words, np.array([state.stream for state in states], np.uint64), threads)

    def copy(self) -> Batch:
        """An independent batch that will see the same chance events."""
        other = Batch(self.game, self._words.copy(), self._streams.copy(), self.threads)
        other._draws[:] = self._draws
        other._next_seed = self._next_seed
        return other

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, row: int) -> State:
        """A copy of one state."""
        return State(self.game, self._words[row].copy(), self._streams[row].copy())

    def __setitem__(self, row: int, state: State) -> None:
        if state.game != self.game:
            raise InvalidParameterError(f"state is of {state.game!r}; expected one of {self.game!r}.")
        self._words[row], self._streams[row] = state.words, state.stream

    def __repr__(self) -> str:
        return f"<batch of {len(self)} states of {self.game.name!r}>"

    @property
    def records(self) -> Any:
        """[states] the fields of all states, as a read-only record array on the batch's own memory."""
        dtype, width = self.game.backend.state, self._words.strides[0]
        view: Any = np.ndarray((len(self),), dtype, self._words.data, strides=(width,)).view(np.recarray)
        view.flags.writeable = False
        return view

    @property
    def words(self) -> NDArray[np.uint64]:
        """[states, words] the memory of all states, read-only."""
        view = self._words.view()
        view.flags.writeable = False
        return view

    def reset(self, where: ArrayLike | None = None, starts: Batch | None = None) -> NDArray[np.int64]:
        """Start new games in some rows and return these rows; `where` is a mask or row numbers, None: what is over.

        Start positions have seeds of their own, counted on from the last one. With `starts`, a batch of start
        positions, they are taken from there in turn, which is much faster.
        """
        rows = np.flatnonzero(self.over()) if where is None else _rows(where, len(self))
        if starts is not None and starts.game != self.game:
            raise InvalidParameterError(f"starts are of {starts.game!r}; expected {self.game!r}.")
        seeds = np.arange(self._next_seed, self._next_seed + len(rows))
        self._next_seed += len(rows)
        if starts is not None:
            self._words[rows] = starts._words[seeds % len(starts)]
            self._streams[rows] = _streams([int(self._next_seed), _STARTS], len(rows))
            return rows
        for row, seed in zip(rows, seeds, strict=True):
            self[int(row)] = self.game.initial_state(int(seed))
        return rows

    def seed_sampling(self, seed: int | Iterable[int]) -> None:
        """Start the streams that `sample` and `play_out` draw from, one for each row."""
        base = [int(part) for part in seed] if isinstance(seed, Iterable) else [int(seed)]
        self._draws[:] = _streams([*base, _SAMPLING], len(self))

    # -- the rules -------------------------------------------------------------------------------------------

    def current_players(self) -> NDArray[np.int64]:
        """[states] whose action it is; `SIMULTANEOUS` where all act."""
        return self._movers()[0]

    def over(self) -> NDArray[np.bool_]:
        """[states] which games have ended."""
        return self._movers()[1]

    def legal_actions(self, players: int | ArrayLike | None = None) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """[states, max_actions] the legal actions and [states] how many there are; none where a game is over.

        They are those of the player to move, or of `players`: one for all states, or one each.
        """
        wanted = np.full(len(self), -1, np.int64) if players is None else self._players(players)
        actions = np.full((len(self), self.game.max_actions), NO_ACTION, np.int32)
        counts = np.zeros(len(self), np.int64)
        self._each("legal_actions", kernels.list_actions, self._words, wanted, actions, counts)
        return actions, counts

    def sample(self) -> NDArray[np.int32]:
        """[states] a random legal action for each state; [states, players] where all players may act at once."""
        actions = np.zeros((len(self), self._width), np.int32)
        self._each("legal_actions", kernels.sample_actions, self._words, self._draws, actions)
        return actions if self.game.simultaneous else actions[:, 0]

    def step(self, actions: ArrayLike, check: bool = True) -> Batch:
        """Take an action in each state, shaped as by `sample`, and return the batch itself, changed.

        Actions of games that are over are ignored. One that is not legal is refused and nothing changes; `check=False`
        skips that for actions that come from `legal_actions` or `sample`.
        """
        taken = self._actions(actions)
        if check:
            self._require_legal(taken)
        self._each("apply", kernels.apply_actions, self._words, self._streams, taken)
        return self

    def play_out(self, most: int = 1_000_000) -> NDArray[np.int64]:
        """Play all games to their ends with random legal actions, or for `most` steps; [states] the steps taken."""
        if not isinstance(most, (int, np.integer)) or most < 0:
            raise InvalidParameterError(f"most is {most!r}; expected a number of steps.")
        lengths, actions = np.zeros(len(self), np.int64), np.zeros((len(self), self._width), np.int32)
        self._each("apply", kernels.play_out, self._words, self._streams, self._draws, actions, lengths, np.int64(most))
        return lengths

    def play_until(self, player: int, most: int = 1_000_000) -> Batch:
        """Let the others take random legal actions until a player may act in each state or its game is over.

        At most `most` actions are taken in a state. Returns the batch itself, changed.
        """
        wanted = int(self._players(player)[0])
        actions = np.zeros((len(self), self._width), np.int32)
        self._each(
            "apply", kernels.play_until, self._words, self._streams, self._draws, actions, wanted, np.int64(most)
        )
        return self

    def returns(self) -> NDArray[np.float64]:
        """[states, players] the final rewards, 0 where a game still runs."""
        return self._values(True)

    def evaluate(self) -> NDArray[np.float64]:
        """[states, players] the heuristic values."""
        return self._values(False)

    def observe(self, players: int | ArrayLike) -> Batch:
        """What players see, one for all states or one each: states whose hidden parts are blank."""
        wanted = self._players(players)
        views = np.tile(stream(0), (len(self), 1))
        seen = Batch(self.game, self._words.copy(), views, self.threads)
        self._each("observe", kernels.observe_states, self._words, wanted, seen._words)
        return seen

    # -- inside ----------------------------------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return self.game.players if self.game.simultaneous else 1

    def _movers(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        movers, over = np.zeros(len(self), np.int64), np.zeros(len(self), np.bool_)
        self._each("current_player", kernels.find_movers, self._words, movers, over)
        return movers, over

    def _values(self, final: bool) -> NDArray[np.float64]:
        values = np.zeros((len(self), self.game.players))
        self._each("returns" if final else "evaluate", kernels.find_values, self._words, final, values)
        return values

    def _players(self, players: int | ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(players)
        if given.dtype.kind not in "iu" or given.shape not in ((), (len(self),)):
            raise InvalidParameterError(f"players is {players!r}; expected one player, or one for each state.")
        if given.size and not (given.min() >= 0 and given.max() < self.game.players):
            raise InvalidParameterError(f"players is {players!r}; expected 0 to {self.game.players - 1}.")
        return np.broadcast_to(given, len(self)).astype(np.int64)

    def _actions(self, actions: ArrayLike) -> NDArray[np.int32]:
        given = np.asarray(actions)
        shape = (len(self), self._width) if self.game.simultaneous else (len(self),)
        if given.dtype.kind not in "iu" or given.shape != shape:
            raise InvalidParameterError(f"actions are {given.dtype} of shape {given.shape}; expected integers {shape}.")
        small = given.astype(np.int32)
        if not np.array_equal(small, given):
            raise IllegalActionError("an action does not fit 32 bits; expected codes that the game lists.")
        return np.ascontiguousarray(small.reshape(len(self), self._width))

    def _require_legal(self, actions: NDArray[np.int32]) -> None:
        found = np.full((len(self._lanes), 2), -1, np.int64)
        self._each("is_legal", kernels.first_illegal, self._words, actions, each_last=list(found))
        for row, player in found:
            if row >= 0:
                action = int(actions[row, player if self._width > 1 else 0])
                whose = f" for player {player}" if self._width > 1 else ""
                raise IllegalActionError(f"action {action} is not legal{whose} in state {row} of the batch.")

    def _each(self, rule: str, kernel: Callable[..., Any], *arguments: Any, each_last: Any = None) -> None:
        """Run a kernel over all states, a share of them in each thread, and raise what went wrong in a rule."""
        ends = np.linspace(0, len(self), len(self._lanes) + 1).astype(np.int64).tolist()

        def run(number: int) -> None:
            room = self._lanes[number]
            own = () if each_last is None else (each_last[number],)
            with failures.running(room.lane.g), compiling("batches for all games"):
                kernel(room.lane, *arguments, ends[number], ends[number + 1], *own)

        if len(self._lanes) == 1:
            run(0)
        else:
            with ThreadPoolExecutor(len(self._lanes)) as pool:
                list(pool.map(run, range(len(self._lanes))))
        for room in self._lanes:
            if room.config[0]:
                code = int(room.config[0])
                self.game.raise_failure(room.lane.g, None if code in _OF_ANY_RULE else rule)


_OF_ANY_RULE = (abi.NO_SUCH_PLAYER, abi.NO_ACTIONS, abi.TOO_MANY_ACTIONS)


class _Room:
    """The memory of one thread."""

    def __init__(self, game: Game) -> None:
        self.config = game.config_words()
        self.list = np.zeros(list_room(game.max_actions), np.int32)
        self.lane = kernels.Lane(
            game.table.addresses, self.config.ctypes.data, self.list.ctypes.data, game.max_actions, game.players
        )


def _rows(where: ArrayLike, count: int) -> NDArray[np.int64]:
    given = np.asarray(where)
    if given.dtype == np.bool_ and given.shape == (count,):
        return np.flatnonzero(given)
    if given.dtype.kind in "iu" and given.ndim == 1 and (not given.size or (given.min() >= 0 and given.max() < count)):
        return given.astype(np.int64)
    raise InvalidParameterError(f"where is {where!r}; expected a mask of {count} states, or numbers below {count}.")


def _streams(seed: list[int], count: int) -> NDArray[np.uint64]:
    """Some independent streams from one seed."""
    words: Any = np.random.SeedSequence(seed).generate_state(WORDS * count, np.uint64)
    return words.reshape(count, WORDS)
