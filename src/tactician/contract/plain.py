"""Games of plain Python objects: no record, no compilation, states of any hashable type.

Write a class with the rules as methods on immutable states and pass an instance to `plain`. Kernels see a state as a
number: a handle into a table of the objects. Equal states share a handle. Handles that a search made are dropped when
it ends; a `State` held by Python code keeps its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.info import GameInfo
from tactician.contract.presentation import Presentation, text_svg
from tactician.contract.random import python_below, python_next
from tactician.contract.state import State
from tactician.errors import InvalidGameError, InvalidStateError
from tactician.native import abi, pickling
from tactician.native.records import Block
from tactician.native.tables import Table, python_table, where

_CONFIG = np.dtype([("error", "i8")])
_STATE = np.dtype([("handle", "i8")])

_METHODS: dict[str, tuple[str, ...]] = {
    "legal_actions": ("state", "player"),
    "apply": ("state", "action", "rng"),
    "apply_joint": ("state", "actions", "rng"),
    "current_player": ("state",),
    "is_over": ("state",),
    "returns": ("state",),
    "evaluate": ("state",),
    "is_legal": ("state", "action"),
    "candidate_actions": ("state", "player", "rng"),
    "rate_actions": ("state", "actions"),
    "action_group": ("state", "action"),
    "possible_actions": ("state", "player"),
    "key": ("state",),
    "observe": ("state", "player"),
    "resample_hidden": ("state", "player", "rng"),
    "policy": ("state", "player", "rng"),
}
"""The rules as a plain game writes them; those that change a state return the new one instead."""


class Chance:
    """The random stream as plain games see it."""

    def __init__(self, words: Any) -> None:
        self._words = words

    def below(self, n: int) -> int:
        """A uniform integer in 0..n-1."""
        return python_below(self._words, n)

    def unit(self) -> float:
        """A uniform number in [0, 1)."""
        return (python_next(self._words) >> 11) * 2.0**-53


def plain(
    rules: Any,
    *,
    name: str,
    max_actions: int,
    players: int = 2,
    version: str = "1",
    zero_sum: bool = True,
    value_range: tuple[float, float] = (-1.0, 1.0),
    description: str = "",
    sides: Sequence[int] = (),
) -> Game:
    """A game from an object with the rules as methods on immutable, hashable states.

    Required: ``initial_state(rng)`` (rng a NumPy generator), ``legal_actions(state, player)``, ``apply(state, action,
    rng)`` (or ``apply_joint(state, actions, rng)``), which return a new state, ``current_player(state)``,
    ``is_over(state)``, ``returns(state)`` and ``evaluate(state)``, which return a number for each player. Actions are
    non-negative integers, or any hashable objects, which then get numbers. The optional rules and ``action_name``,
    ``action_parts``, ``why_illegal``, ``state_to_json``, ``state_from_json``, ``draw_text``, ``draw_svg`` are methods
    too.
    """
    _require_methods(rules, name, max_actions)
    backend = PlainBackend(rules, name, players, max_actions)
    info = GameInfo(
        name,
        version,
        players,
        max_actions,
        zero_sum,
        value_range,
        description=description,
        sides=tuple(sides),
    )
    return PlainGame(info, backend, _presentation(rules, backend), {})


class PlainGame(Game):
    """A game whose states keep their objects alive."""

    def _blank(self, random: NDArray[np.uint64]) -> State:
        return _PlainState(self, np.zeros(1, np.uint64), random)

    def initial_state(self, seed: int = 0, **options: Any) -> State:
        """A start position; see `Game.initial_state`."""
        with self.searching():
            return super().initial_state(seed, **options)._pinned()  # type: ignore[attr-defined]

    def state_from_json(self, data: Any, seed: int = 0, *, by_rules: bool = True) -> State:
        """The state a JSON document describes; see `Game.state_from_json`."""
        with self.searching():
            state = super().state_from_json(data, seed, by_rules=by_rules)
            return state._pinned()  # type: ignore[attr-defined]

    def _reads_own_json(self) -> bool:
        assert isinstance(self.backend, PlainBackend)
        return hasattr(self.backend.rules, "state_from_json")

    def __reduce__(self) -> tuple[Any, ...]:
        assert isinstance(self.backend, PlainBackend)
        return _unpickled, (pickling.portable_fields(vars(self.info)), self.backend.rules)

    def interpreted(self) -> Game:
        """The game itself: it is plain Python already."""
        return self


def _unpickled(info: dict[str, Any], rules: Any) -> PlainGame:
    known = GameInfo(**pickling.restored_fields(info))
    backend = PlainBackend(rules, known.name, known.players, known.max_actions)
    return PlainGame(known, backend, _presentation(rules, backend), {})


class _PlainState(State):
    """A state that holds on to the object behind its handle."""

    __slots__ = ("_held",)

    def __init__(self, game: Game, words: NDArray[np.uint64], random: NDArray[np.uint64]) -> None:
        super().__init__(game, words, random)
        self._held = 0
        self._pinned()

    def _pinned(self) -> _PlainState:
        """Move the hold to the handle the state has now."""
        now, before = int(self._words[0]), self._held
        if now != before:
            self._handles.pin(now)
            self._handles.unpin(before)
            self._held = now
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled_state, (self._game, self.thing, self._stream)

    @property
    def _handles(self) -> Handles:
        handles = self._game.backend.handles
        assert handles is not None
        return handles

    def apply(self, action: int | str | Sequence[int | str]) -> State:
        with self._game.searching():
            super().apply(action)
            return self._pinned()

    def observe(self, player: int) -> State:
        with self._game.searching():
            return super().observe(player)._pinned()  # type: ignore[attr-defined]

    def resample_hidden(self, player: int, seed: Any) -> State:
        with self._game.searching():
            return super().resample_hidden(player, seed)._pinned()  # type: ignore[attr-defined]

    @property
    def thing(self) -> Any:
        """The Python object the state is."""
        return self._handles[int(self._words[0])]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _PlainState):
            return NotImplemented
        return self._game == other._game and bool(self.thing == other.thing)

    def __hash__(self) -> int:
        return hash(self.thing)

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):  # a state whose making failed, or the end of the process
            self._handles.unpin(self._held)


def _unpickled_state(game: PlainGame, thing: Any, random: NDArray[np.uint64]) -> State:
    assert isinstance(game.backend, PlainBackend)
    return _PlainState(game, np.array([game.backend.handles.of(thing)], np.uint64), random)


class Handles:
    """Numbers for objects. 0 stands for no object; an object keeps its number while it is pinned or a search runs."""

    def __init__(self) -> None:
        self._objects: dict[int, Any] = {}
        self._numbers: dict[Any, int] = {}
        self._pins: Counter[int] = Counter()
        self._next = 1
        self._searches = 0

    def __len__(self) -> int:
        return len(self._objects)

    def __getitem__(self, handle: int) -> Any:
        return self._objects[handle]

    def of(self, thing: Any) -> int:
        """The number of an object, a new one if it has none."""
        try:
            number = self._numbers.get(thing)
        except TypeError:
            raise InvalidGameError(
                f"a state of type {type(thing).__name__} can't be hashed; expected an immutable, hashable object."
            ) from None
        if number is None:
            number = self._next
            self._next += 1
            self._objects[number] = thing
            self._numbers[thing] = number
        return number

    def pin(self, handle: int) -> None:
        """Keep an object."""
        if handle:
            self._pins[handle] += 1

    def unpin(self, handle: int) -> None:
        """Let an object go, once nobody keeps it."""
        if not handle:
            return
        self._pins[handle] -= 1
        if self._pins[handle] <= 0:
            del self._pins[handle]
            if self._searches == 0:
                self._drop(handle)

    @contextlib.contextmanager
    def search(self) -> Iterator[None]:
        """While inside, objects stay; on leaving the outermost one, those nobody keeps are dropped."""
        self._searches += 1
        try:
            yield
        finally:
            self._searches -= 1
            if self._searches == 0 and len(self._objects) > len(self._pins):
                for handle in [h for h in self._objects if h not in self._pins]:
                    self._drop(handle)

    def _drop(self, handle: int) -> None:
        if handle in self._objects:
            self._numbers.pop(self._objects.pop(handle), None)


@dataclass(frozen=True)
class PlainBackend:
    """Rules on handles that call the methods of an object."""

    rules: Any
    name: str
    players: int
    max_actions: int
    handles: Handles = field(default_factory=lambda: Handles())
    """The objects behind the states."""
    actions: _Actions = field(default_factory=lambda: _Actions())
    """The objects behind the actions."""
    mode: str = "plain"
    config: np.dtype = _CONFIG
    state: np.dtype = _STATE
    learned: ClassVar[bool] = False

    @property
    def rule_names(self) -> frozenset[str]:
        """Which rules the object has as methods."""
        return frozenset(name for name in _METHODS if callable(getattr(self.rules, name, None)))

    @property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """Methods are called as they are; no function is compiled."""
        return {}

    def source(self, name: str) -> Any:
        """The object's method of a name."""
        return getattr(self.rules, name, None)

    def scope(self) -> contextlib.AbstractContextManager[None]:
        """The lifetime of what one search allocates."""
        return self.handles.search()

    def in_mode(self, mode: str) -> PlainBackend:
        """Only 'interpreted' makes sense, and that it is already."""
        if mode in ("interpreted", self.mode):
            return self
        raise InvalidGameError(f"game {self.name!r} is plain Python and can't be {mode}.")

    def with_rule(self, rule: abi.Rule, function: Any) -> PlainBackend:
        """The same game with one method exchanged, e.g. ``evaluate(state)``."""
        if not callable(function):
            expected = f"{rule.name}({', '.join(_METHODS[rule.name])})"
            raise InvalidGameError(
                f"rule {rule.name!r} of {self.name!r} is {function!r}; expected a function {expected}."
            )
        _require_parameters(rule.name, function)
        return replace(self, rules=_Exchanged(self.rules, rule.name, function))

    def with_learned(self, learned: bool) -> PlainBackend:
        """There is no configuration that could hold weights of features."""
        raise InvalidGameError(f"game {self.name!r} is made of plain objects; its evaluation can't be learned.")

    @cached_property
    def table(self) -> Table:
        """C callbacks to the methods."""
        made = {name: getattr(self, f"_{name}") for name in self.rule_names if name != "key"}
        if "key" in self.rule_names:
            made["key"] = lambda _g, s: self.rules.key(self._object(s))
        return python_table(made)

    # Each rule below gets addresses: the configuration (unused), the state's handle, then its arguments.

    def _object(self, s: int) -> Any:
        return self.handles[ctypes.c_int64.from_address(s).value]

    def _store(self, s: int, thing: Any) -> None:
        ctypes.c_int64.from_address(s).value = self.handles.of(thing)

    def _list(self, actions: Sequence[Any], out: int, rule: str) -> int:
        codes = [self.actions.code(action) for action in actions]
        if len(codes) > self.max_actions:
            place = where(rule, getattr(self.rules, rule))
            raise IndexError(f"rule {place} lists {len(codes)} actions, more than max_actions={self.max_actions}")
        room: Any = (ctypes.c_int32 * len(codes)).from_address(out)
        room[:] = codes
        return len(codes)

    def _numbers(self, values: Sequence[float], out: int, count: int, rule: str) -> None:
        if len(values) != count:
            place = where(rule, getattr(self.rules, rule))
            raise ValueError(f"rule {place} gave {len(values)} numbers; expected {count}")
        (ctypes.c_double * count).from_address(out)[:] = [float(value) for value in values]

    def _legal_actions(self, _g: int, s: int, player: int, out: int) -> int:
        return self._list(self.rules.legal_actions(self._object(s), player), out, "legal_actions")

    def _possible_actions(self, _g: int, s: int, player: int, out: int) -> int:
        return self._list(self.rules.possible_actions(self._object(s), player), out, "possible_actions")

    def _candidate_actions(self, _g: int, s: int, player: int, out: int, rng: int) -> int:
        chosen = self.rules.candidate_actions(self._object(s), player, _chance(rng))
        return self._list(chosen, out, "candidate_actions")

    def _apply(self, _g: int, s: int, action: int, rng: int) -> None:
        self._store(s, self.rules.apply(self._object(s), self.actions[action], _chance(rng)))

    def _apply_joint(self, _g: int, s: int, actions: int, rng: int) -> None:
        codes = (ctypes.c_int32 * self.players).from_address(actions)
        chosen = tuple(self.actions[code] for code in codes)
        self._store(s, self.rules.apply_joint(self._object(s), chosen, _chance(rng)))

    def _current_player(self, _g: int, s: int) -> int:
        return self.rules.current_player(self._object(s))

    def _is_over(self, _g: int, s: int) -> int:
        return self.rules.is_over(self._object(s))

    def _returns(self, _g: int, s: int, out: int) -> None:
        self._numbers(self.rules.returns(self._object(s)), out, self.players, "returns")

    def _evaluate(self, _g: int, s: int, out: int) -> None:
        self._numbers(self.rules.evaluate(self._object(s)), out, self.players, "evaluate")

    def _is_legal(self, _g: int, s: int, action: int) -> int:
        known = action in self.actions
        return known and self.rules.is_legal(self._object(s), self.actions[action])

    def _rate_actions(self, _g: int, s: int, actions: int, n: int, out: int) -> None:
        chosen = [self.actions[code] for code in (ctypes.c_int32 * n).from_address(actions)]
        self._numbers(self.rules.rate_actions(self._object(s), chosen), out, n, "rate_actions")

    def _action_group(self, _g: int, s: int, action: int) -> int:
        return self.rules.action_group(self._object(s), self.actions[action])

    def _observe(self, _g: int, s: int, player: int, out: int) -> None:
        self._store(out, self.rules.observe(self._object(s), player))

    def _resample_hidden(self, _g: int, s: int, player: int, rng: int) -> None:
        self._store(s, self.rules.resample_hidden(self._object(s), player, _chance(rng)))

    def _policy(self, _g: int, s: int, player: int, rng: int) -> int:
        return self.actions.code(self.rules.policy(self._object(s), player, _chance(rng)))


class _Actions:
    """Codes for actions: an integer is its own, other objects get the numbers in which they turn up."""

    def __init__(self) -> None:
        self._objects: list[Hashable] = []
        self._codes: dict[Hashable, int] = {}
        self._numbers: bool | None = None

    def code(self, action: Any) -> int:
        number = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
        if self._numbers is None:
            self._numbers = number
        if number is not self._numbers:
            raise TypeError("actions must be all integers or none of them")
        if number:
            return int(action)
        if action not in self._codes:
            self._codes[action] = len(self._objects)
            self._objects.append(action)
        return self._codes[action]

    def __contains__(self, code: int) -> bool:
        return self._numbers is not False or 0 <= code < len(self._objects)

    def __getitem__(self, code: int) -> Any:
        return code if self._numbers is not False else self._objects[code]


class _Exchanged:
    """An object with one method replaced."""

    def __init__(self, rules: Any, name: str, function: Callable[..., Any]) -> None:
        self._rules = rules
        setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def _chance(address: int) -> Chance:
    return Chance(Block(np.dtype("u8"), address, (4,)))


def _require_methods(rules: Any, name: str, max_actions: int) -> None:
    from tactician.contract.rules import require_max_actions, require_rules

    kind = type(rules).__name__
    present = [method for method in _METHODS if callable(getattr(rules, method, None))]
    require_rules(name, present, f"class {kind}")
    require_max_actions(name, max_actions, f"class {kind}")
    if not callable(getattr(rules, "initial_state", None)):
        raise InvalidGameError(f"game {name!r} (class {kind}) lacks initial_state(rng).")
    for method in present:
        _require_parameters(method, getattr(rules, method))


def _require_parameters(method: str, function: Callable[..., Any]) -> None:
    given = list(inspect.signature(function).parameters)
    if len(given) != len(_METHODS[method]):
        place = where(method, function)
        raise InvalidGameError(
            f"rule {place} takes ({', '.join(given)}); expected {method}({', '.join(_METHODS[method])})."
        )


def _presentation(rules: Any, backend: PlainBackend) -> Presentation:
    """The Python side: the object's own methods where it has them."""

    def thing(s: Any) -> Any:
        return backend.handles[int(s["handle"])]

    def own(method: str, default: Callable[..., Any]) -> Callable[..., Any]:
        return getattr(rules, method, default)

    def fill(s: Any, value: Any) -> None:
        s["handle"] = backend.handles.of(value)

    def action_of(data: Any) -> int:
        action = own("action_from_json", _from_json)(data)
        try:
            return backend.actions.code(action)
        except TypeError:
            raise InvalidStateError(f"action is {data!r}; expected what action_to_json writes.") from None

    def initial_state(g: Any, s: Any, rng: Any, **options: Any) -> None:
        fill(s, rules.initial_state(rng, **options))

    initial_state.__signature__ = _with_game_and_state(rules.initial_state)  # type: ignore[attr-defined]
    return Presentation(
        initial_state=initial_state,
        action_name=lambda g, s, action: own("action_name", lambda state, act: str(act))(
            thing(s), backend.actions[action]
        ),
        action_parts=lambda g, s, player, action: own("action_parts", lambda state, mover, act: [])(
            thing(s), player, backend.actions[action]
        ),
        why_illegal=lambda g, s, player, action: own("why_illegal", lambda state, mover, act: "")(
            thing(s), player, backend.actions[action]
        ),
        action_to_json=lambda g, action: own("action_to_json", _to_json)(backend.actions[action]),
        action_from_json=lambda g, data: action_of(data),
        state_to_json=lambda g, s: own("state_to_json", _to_json)(thing(s)),
        state_from_json=lambda g, s, data: fill(s, own("state_from_json", _from_json)(data)),
        draw_text=lambda g, s: own("draw_text", _draw)(thing(s)),
        draw_svg=lambda g, s: own("draw_svg", _draw_svg)(thing(s)),
    )


def _with_game_and_state(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a wrapper that takes the game's and the state's record first, so that options can be named."""
    first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in ("__game", "__state")]
    own = inspect.signature(function).parameters.values()
    return inspect.Signature([*first, *own])


def _to_json(value: Any) -> Any:
    """Nested tuples of plain values as nested lists."""
    return [_to_json(item) for item in value] if isinstance(value, tuple) else value


def _from_json(data: Any) -> Any:
    """Nested lists as nested tuples."""
    if isinstance(data, dict):
        raise InvalidStateError(f"state is {data!r:.60}; expected nested lists, or a game with state_from_json.")
    return tuple(_from_json(item) for item in data) if isinstance(data, list) else data


def _draw(state: Any) -> str:
    return repr(state).replace("[", r"\[")


def _draw_svg(state: Any) -> str:
    return text_svg([repr(state)])
