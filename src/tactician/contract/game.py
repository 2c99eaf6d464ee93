"""`Game`: the rules, a configuration, and what people need to see of it."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tactician.contract import features
from tactician.contract.calls import list_room
from tactician.contract.feature_network import FeatureNetwork
from tactician.contract.info import STRONGEST, Evaluation, GameInfo
from tactician.contract.planes import Encoding
from tactician.contract.plausible import require_possible
from tactician.contract.presentation import Presentation
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.errors import (
    IllegalActionError,
    InvalidGameError,
    InvalidParameterError,
    TacticianError,
    UnknownNameError,
)
from tactician.files import parse_json
from tactician.importing import resolve
from tactician.native import abi, failures, pickling
from tactician.native.records import ERROR_FIELD, record_view, words_of
from tactician.native.tables import Table

if TYPE_CHECKING:
    from tactician.contract.batch import Batch
    from tactician.contract.plain import Handles

_SLACK = 64


class Backend(Protocol):
    """Where a game's rules come from: records in Python, plain objects, a shared library."""

    @property
    def config(self) -> np.dtype:
        """The layout of the configuration, the error cell first."""

    @property
    def state(self) -> np.dtype:
        """The layout of a state."""

    @property
    def table(self) -> Table:
        """The rules' addresses."""

    @property
    def rule_names(self) -> frozenset[str]:
        """Which rules the game has."""

    @property
    def mode(self) -> str:
        """'compiled', 'interpreted', 'checked', 'plain' or 'library'."""

    @property
    def learned(self) -> bool:
        """Whether the game is judged by weighted features."""

    @property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The Python functions that are compiled, by rule; two games are equal only if these are. Empty without any."""

    @property
    def handles(self) -> Handles | None:
        """The objects behind the states, where a state is only a handle; states of two tables don't mix."""

    def source(self, name: str) -> Any:
        """The author's Python function or method of a name, None where it is not known."""

    def scope(self) -> AbstractContextManager[None]:
        """The lifetime of what one search allocates."""

    def in_mode(self, mode: str) -> Backend:
        """The same rules, run another way."""

    def with_rule(self, rule: abi.Rule, function: Any) -> Backend:
        """The same game with one rule exchanged."""

    def with_learned(self, learned: bool) -> Backend:
        """The same game, judged by weighted features or as its author wrote."""


class Game:
    """A game that planners can plan in.

    A game holds rules and one configuration and never changes; `with_weights`, `with_evaluation` and the like
    give another game. States are made by `initial_state` and `state_from_json`.
    """

    def __init__(
        self,
        info: GameInfo,
        backend: Backend,
        presentation: Presentation,
        config: Mapping[str, Any] | NDArray[np.uint64],
    ) -> None:
        if os.environ.get("TACTICIAN_INTERPRETED", "") not in ("", "0") and backend.mode == "compiled":
            backend = backend.in_mode("interpreted")
        self.info = info
        self.backend = backend
        self.presentation = presentation
        self._words = _config_words(info.name, backend.config, config)
        presentation.configure(record_view(backend.config, self._words))
        self._address = self._words.ctypes.data
        self._local = threading.local()

    name = property(lambda self: self.info.name, doc="What the game is called on the command line.")
    version = property(lambda self: self.info.version, doc="The version of its rules, written into results.")
    players = property(lambda self: self.info.players, doc="How many seats it has.")
    max_actions = property(lambda self: self.info.max_actions, doc="The bound of every list of actions.")
    sides = property(lambda self: self.info.sides, doc="Whose side each seat is on: equal numbers play together.")
    zero_sum = property(lambda self: self.info.zero_sum, doc="Whether rewards always add up to 0.")
    description = property(lambda self: self.info.description, doc="One line for people.")

    def encoding(self, name: str | None = None) -> Encoding:
        """What a network is shown of a state: the game's encoding of a name, or the first one."""
        known = {encoding.name: encoding for encoding in self.info.encodings}
        if not known:
            raise InvalidParameterError(
                f"game {self.name!r} has no encoding for networks; expected one in `encodings` of rules.game(...)."
            )
        if name is not None and name not in known:
            raise UnknownNameError(f"encoding of {self.name!r}:", name, known)
        return self.info.encodings[0] if name is None else known[name]

    @property
    def max_turn(self) -> int:
        """How many actions one turn can have; planners plan longer turns in parts."""
        declared = self.info.max_turn
        return int(declared(self.config) if callable(declared) else declared)

    @property
    def simultaneous(self) -> bool:
        """Whether there are states in which all players act at once."""
        return "apply_joint" in self.backend.rule_names

    @property
    def hides_information(self) -> bool:
        """Whether players see less than the whole state."""
        return "observe" in self.backend.rule_names

    @property
    def value_range(self) -> tuple[float, float]:
        """The least and the greatest value `evaluate` can give with this configuration."""
        declared = self.info.value_range
        low, high = declared(self.config) if callable(declared) else declared
        return float(low), float(high)

    @cached_property
    def config(self) -> Any:
        """The configuration as a read-only NumPy record, apart from the one the rules use."""
        words = self._words.copy()
        words.flags.writeable = False
        return record_view(self.backend.config, words)

    @property
    def state_bytes(self) -> int:
        """The size of one state."""
        return self.backend.state.itemsize

    def config_words(self) -> NDArray[np.uint64]:
        """A private copy of the configuration for a search: it has its own error cell."""
        return self._words.copy()

    def restore_config(self, words: NDArray[np.uint64]) -> None:
        """Put back a configuration that a broken rule has changed; only a check of the rules needs it."""
        self._words[:] = words

    # -- states ----------------------------------------------------------------------------------------------

    def initial_state(self, seed: int = 0, **options: Any) -> State:
        """A start position; the seed decides everything random in it and in the game that follows."""
        if not isinstance(seed, (int, np.integer)) or seed < 0:
            raise InvalidParameterError(f"seed is {seed!r}; expected a non-negative integer.")
        state = self._blank(stream([int(seed), 1]))
        assert self.presentation.initial_state is not None
        known = inspect.signature(self.presentation.initial_state).parameters
        if not any(one.kind is one.VAR_KEYWORD for one in known.values()):
            offered = [name for name in list(known)[3:] if name != "seed"]
            for name in options:
                if name not in offered:
                    raise UnknownNameError(f"option of the start of {self.name!r}:", name, offered)
        if "seed" in known:
            options["seed"] = int(seed)
        try:
            with failures.calling("initial_state"):
                self.presentation.initial_state(
                    self.config, self._record(state), np.random.default_rng([int(seed), 0]), **options
                )
        except TypeError as error:
            if "unexpected keyword argument" in str(error):  # of a function that passes its options on
                raise InvalidParameterError(f"{self.name!r}: {error}.") from error
            raise failures.function_failed("initial_state", self.name, error) from error
        except (TacticianError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a function may end the process, or raise a class of its own
            raise failures.function_failed("initial_state", self.name, error) from error
        return state

    def batch(self, count: int, seed: int = 0, threads: int = 1) -> Batch:
        """Start positions of many games, to be stepped together: number i is that of seed `seed + i`."""
        from tactician.contract.batch import Batch

        return Batch.started(self, count, seed, threads)

    def state_from_json(self, data: Any, seed: int = 0, *, by_rules: bool = True) -> State:
        """The state a JSON document describes; `seed` starts the stream for what happens after it.

        A game without a `state_from_json` of its own lets its rules check the state, unless `by_rules` is False.
        """
        state = self._blank(stream([int(seed), 1]))
        try:
            with failures.calling("state_from_json"):
                self.presentation.state_from_json(self.config, self._record(state), data)
        except (TacticianError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise failures.function_failed("state_from_json", self.name, error) from error
        if by_rules and not self._reads_own_json():
            require_possible(state)
        return state

    def position(self, text: str, seed: int = 0) -> State:
        """The state that a text describes: its JSON, or the actions that lead to it from the start position of `seed`.

        Actions are named as plans print them and separated by semicolons. Where all act at once, a step has one for
        each player, separated by commas. An empty text is the start position.
        """
        if text.lstrip().startswith(("{", "[")):
            return self.state_from_json(parse_json(text, "position"), seed)
        state = self.initial_state(seed)
        for number, step in enumerate(filter(None, map(str.strip, text.split(";"))), 1):
            together = not state.is_over() and state.current_player() == abi.SIMULTANEOUS
            try:
                state.apply([name.strip() for name in step.split(",")] if together else step)
            except IllegalActionError as error:
                raise IllegalActionError(f"action {number} of the position: {error}") from error
        return state

    def _reads_own_json(self) -> bool:
        """Whether the author wrote a `state_from_json`."""
        return self.presentation.state_from_json is not Presentation.state_from_json

    def _blank(self, random: NDArray[np.uint64]) -> State:
        return State(self, np.zeros(words_of(self.backend.state), np.uint64), random)

    def _record(self, state: State) -> Any:
        return record_view(self.backend.state, state._words)

    # -- actions ---------------------------------------------------------------------------------------------

    def action_to_json(self, action: int) -> Any:
        """An action in the canonical form of recordings."""
        return self.presentation.action_to_json(self.config, action)

    def action_from_json(self, data: Any) -> int:
        """The code of an action given in the canonical form."""
        return self.presentation.action_from_json(self.config, data)

    # -- variations ------------------------------------------------------------------------------------------

    @property
    def weights(self) -> dict[str, float]:
        """The tunable numbers of the heuristic, by name."""
        config = self.config
        return {name: float(_at(config, place)) for name, place in self.info.weights.items()}

    def with_weights(self, **weights: float) -> Game:
        """The same game judged with other weights."""
        return self._with_numbers(weights, self.info.weights, "weight")

    @property
    def rating_weights(self) -> dict[str, float]:
        """The weights of the rating's features, by name; all 0 where the game's usual ratings are written."""
        config = self.config
        return {name: float(_at(config, place)) for name, place in self.info.rating_weights.items()}

    def with_ratings(self, **weights: float) -> Game:
        """The same game with actions rated by a weighted sum of features; a weight that is not given is 0."""
        if weights and not self.info.rating_weights:
            raise InvalidParameterError(f"game {self.name!r} has no rating weights; its ratings can't be learned.")
        every = {**dict.fromkeys(self.info.rating_weights, 0.0), **weights}
        return self._with_numbers(every, self.info.rating_weights, "rating weight")

    def _with_numbers(self, weights: Mapping[str, float], places: Mapping[str, tuple[Any, ...]], what: str) -> Game:
        words = self._words.copy()
        config = record_view(self.backend.config, words)
        for name, value in weights.items():
            if name not in places:
                raise UnknownNameError(f"{what} of {self.name!r}:", name, places)
            try:
                number = float(value)
            except (TypeError, ValueError):
                number = float("nan")
            if not np.isfinite(number):
                raise InvalidParameterError(f"{what} {name!r} is {value!r}; expected a finite number.")
            field_name, *index = places[name]
            if index:
                config[field_name][tuple(index)] = number
            else:
                config[field_name] = number
        return type(self)(self.info, self.backend, self.presentation, words)

    def with_evaluation(
        self, function: Any, value_range: tuple[float, float] | Callable[[Any], tuple[float, float]] | None = None
    ) -> Game:
        """The same game judged by another `evaluate(g, s, out)`, whose range is given if it differs, by one of the
        game's own evaluations, or by a learned one from a file (.json). Every game has one called `strongest`."""
        if isinstance(function, Path) or (isinstance(function, str) and function.endswith(features.SUFFIX)):
            return self.with_feature_weights(*features.read_evaluation(self._with_features(), Path(function)))
        if function == STRONGEST and function not in self.info.evaluations:
            return self
        if isinstance(function, str) and self.backend.mode != "library":
            return self._judged_by(self._own_evaluation(function))
        info = self.info if value_range is None else replace(self.info, value_range=value_range)
        backend = self.backend.with_rule(abi.RULE_BY_NAME["evaluate"], function)
        return type(self)(info, backend, self.presentation, self._words.copy())

    def with_feature_weights(self, weights: Mapping[str, float], network: FeatureNetwork | None = None) -> Game:
        """The same game judged by the weighted sum of its features; one without a weight doesn't count.

        In a game of two, a network may add to the sum.
        """
        info = self._with_features().info
        if network is not None and self.sides != (0, 1):
            raise InvalidParameterError(f"game {self.name!r} is not one of two players; expected no network.")
        for name in weights:
            if name not in info.features:
                raise UnknownNameError(f"feature of {self.name!r}:", name, info.features)
        usual = next(iter(info.evaluations.values()))
        return self._judged_by(features.learned_evaluation(weights, info.features, usual.config, network))

    def _with_features(self) -> Game:
        """The game itself; refuses one without features."""
        if not self.info.features:
            raise InvalidParameterError(f"game {self.name!r} has no rule 'features'; its evaluation can't be learned.")
        return self

    def _own_evaluation(self, name: str) -> Evaluation:
        if name not in self.info.evaluations:
            raise UnknownNameError(f"evaluation of {self.name!r}:", name, self.info.evaluations)
        return self.info.evaluations[name]

    def _judged_by(self, chosen: Evaluation) -> Game:
        words = self._words.copy()
        config = record_view(self.backend.config, words)
        for field_name, value in chosen.config.items():
            config[field_name] = value
        bounds = self.info.value_range if chosen.value_range is None else chosen.value_range
        info = replace(self.info, zero_sum=chosen.zero_sum, weights=dict(chosen.weights), value_range=bounds)
        changes = chosen.learned != self.backend.learned
        backend = self.backend.with_learned(chosen.learned) if changes else self.backend
        return type(self)(info, backend, self.presentation, words)

    def with_policy(self, model: Any) -> Game:
        """The same game in which players are expected to act as a model says.

        The model is a function ``policy(g, s, player, rng)`` that returns an action, or the name of one of the game's.
        """
        if isinstance(model, str):
            if model == "policy" and "policy" in self.backend.rule_names:
                return self
            if model not in self.info.models:
                own = ["policy"] if "policy" in self.backend.rule_names else []
                raise UnknownNameError(f"model of {self.name!r}:", model, [*own, *self.info.models])
            name, model = model, resolve(self.info.models[model])
            if isinstance(model, Path):
                raise InvalidParameterError(
                    f"model is {name!r}, a trained follower of {self.name!r}; expected a compiled one. Planners take "
                    f"followers: opponents={name}."
                )
        backend = self.backend.with_rule(abi.RULE_BY_NAME["policy"], model)
        return type(self)(self.info, backend, self.presentation, self._words.copy())

    def interpreted(self) -> Game:
        """The same game run as plain Python: slow, but a debugger sees it."""
        return Game(self.info, self.backend.in_mode("interpreted"), self.presentation, self._words.copy())

    def checked(self) -> Game:
        """The same game compiled with bounds checks: an index outside an array raises."""
        return Game(self.info, self.backend.in_mode("checked"), self.presentation, self._words.copy())

    def other_setting(self, other: Game) -> str | None:
        """The first field of the configuration in which another game of the same records differs, evaluation aside.

        Fields that are computed from the weights differ only if they would with equal weights. None if the same
        states mean the same in both.
        """
        if self is other or np.array_equal(self._words, other._words):
            return None
        mine = self
        if self.info.evaluations:
            name = next(iter(self.info.evaluations))
            mine, other = self.with_evaluation(name), other.with_evaluation(name)
        elif self.info.weights:
            other = other.with_weights(**self.weights)
        if self.info.rating_weights:
            other = other.with_ratings(**self.rating_weights)
        ours, theirs = mine.config, other.config
        names = [name for name in self.backend.config.names or () if name != ERROR_FIELD]
        return next((name for name in names if not np.array_equal(ours[name], theirs[name])), None)

    # -- for planners and states -----------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The rules' addresses; compiles on first use."""
        return self.backend.table

    def searching(self) -> AbstractContextManager[None]:
        """Wrap a search: what a game of plain objects allocates inside is freed at the end."""
        return self.backend.scope()

    def run(self, name: str, *numbers: int) -> Any:
        """Call a rule on addresses and raise what went wrong in it."""
        function = self.backend.table.function(name)
        before = failures.entering(self._address)
        listener = failures.listener()
        if listener is not None:
            listener(name)
        answer = function(self._address, *numbers)
        failures.leaving(before)
        if listener is not None:
            listener("")
        if self._words[0]:
            self.raise_failure(self._address, name)
        return answer

    def raise_failure(self, config: int, rule: str | None = None) -> None:
        """Raise what the error cell of a configuration stands for."""
        failures.raise_failure(config, self.name, self.info.errors, rule)

    def buffers(self) -> Buffers:
        """This thread's scratch memory for calls of rules."""
        try:
            return self._local.buffers
        except AttributeError:
            self._local.buffers = Buffers(max(self.max_actions, len(self.info.features)), self.players)
            return self._local.buffers

    def __copy__(self) -> Game:
        return self  # a game never changes

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        info = pickling.portable_fields(vars(self.info))
        presentation = pickling.portable_fields(vars(self.presentation))
        return _unpickled, (type(self), info, self.backend, presentation, self._words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (
            (self.name, self.version, self.backend.rule_names, self.backend.learned)
            == (other.name, other.version, other.backend.rule_names, other.backend.learned)
            and self.backend.functions == other.backend.functions
            and bool(np.array_equal(self._words, other._words))
        )

    def __hash__(self) -> int:
        return hash((self.name, self.version, self._words.tobytes()))

    def __repr__(self) -> str:
        return f"<game {self.name!r}, {self.players} players, {self.backend.mode}>"


def _unpickled(
    kind: type[Game], info: dict[str, Any], backend: Backend, presentation: dict[str, Any], words: NDArray[np.uint64]
) -> Game:
    return kind(
        GameInfo(**pickling.restored_fields(info)),
        backend,
        Presentation(**pickling.restored_fields(presentation)),
        words,
    )


class Buffers:
    """Scratch memory that rules write to, with slack around it so that an index outside is found, not fatal."""

    def __init__(self, max_actions: int, players: int) -> None:
        size = _SLACK + list_room(max(max_actions, players))
        self.actions = np.zeros(size, np.int32)[_SLACK:]
        self.more_actions = np.zeros(size, np.int32)[_SLACK:]
        self.values = np.zeros(size, np.float64)[_SLACK:]
        self.actions_at = self.actions.ctypes.data
        self.more_actions_at = self.more_actions.ctypes.data
        self.values_at = self.values.ctypes.data


def _config_words(name: str, dtype: np.dtype, config: Mapping[str, Any] | NDArray[np.uint64]) -> NDArray[np.uint64]:
    if isinstance(config, np.ndarray):
        return config
    words = np.zeros(words_of(dtype), np.uint64)
    record = record_view(dtype, words)
    for key, value in config.items():
        if key == ERROR_FIELD or key not in (dtype.names or ()):
            known = [n for n in dtype.names or () if n != ERROR_FIELD]
            raise UnknownNameError(f"configuration field of {name!r}:", key, known)
        try:
            record[key] = value
        except (ValueError, TypeError, OverflowError) as error:
            raise InvalidGameError(f"configuration field {key!r} of {name!r}: {error}.") from error
    return words


def _at(config: Any, place: tuple[Any, ...]) -> Any:
    field_name, *index = place
    return config[field_name][tuple(index)] if index else config[field_name]
