"""How an author writes a game: `rule = rules(Config, State)`, then a decorator for each rule.

Decorated functions are checked at once (the rule exists, the parameters are right) and compiled only when the game is
first used. They stay callable from each other. Functions that only people need (set-up, names, drawings, JSON) run as
ordinary Python on NumPy records.
"""

from __future__ import annotations

import difflib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numba.core.dispatcher import Dispatcher

from tactician.contract.features import completed_evaluations, weighing, with_weights_field
from tactician.contract.game import Game
from tactician.contract.info import Evaluation, GameInfo
from tactician.contract.planes import Encoding
from tactician.contract.presentation import Presentation
from tactician.errors import InvalidGameError
from tactician.native import abi, pickling, tables
from tactician.native.announce import compiling
from tactician.native.failures import author_line, in_words
from tactician.native.linked import linked
from tactician.native.records import require_plain_data, with_error_cell

_F = TypeVar("_F", bound=Callable[..., Any])
_HERE = Path(__file__).parent


def rules(config: np.dtype, state: np.dtype) -> Rules:
    """Begin a game whose configuration and state are records of these types."""
    return Rules(config, state, _author())


def helper(function: _F) -> _F:
    """Make a function callable from rules: compiled with them, plain Python when they are interpreted."""
    return linked(function)


def inline_helper(function: _F) -> _F:
    """The same for a small function in a hot loop: its code goes into every caller."""
    return linked(function, forceinline=True)


class _Registrar:
    """A decorator of `Rules` that files a function under a rule's name."""

    def __init__(self, rule: abi.Rule) -> None:
        self._rule = rule
        self.__doc__ = f"`{rule}`: {rule.purpose}."

    def __get__(self, owner: Rules | None, _type: type) -> Callable[[Any], Any]:
        if owner is None:
            return self  # type: ignore[return-value]
        return lambda function: owner._register(self._rule, function)


class _PresentationRegistrar:
    """A decorator of `Rules` that files a Python-side function."""

    def __init__(self, name: str, purpose: str) -> None:
        self._name = name
        self._parameters = purpose[purpose.index("(") + 1 : purpose.index(")")].split(", ")
        self.__doc__ = purpose

    def __get__(self, owner: Rules | None, _type: type) -> Callable[[_F], _F]:
        if owner is None:
            return self  # type: ignore[return-value]

        def file(function: _F) -> _F:
            check_callable(self._name, self._parameters, function)
            owner.presentation = replace(owner.presentation, **{self._name: function})
            return function

        return file


class Rules:
    """The rules of one game under construction."""

    legal_actions = _Registrar(abi.RULE_BY_NAME["legal_actions"])
    apply = _Registrar(abi.RULE_BY_NAME["apply"])
    apply_joint = _Registrar(abi.RULE_BY_NAME["apply_joint"])
    current_player = _Registrar(abi.RULE_BY_NAME["current_player"])
    is_over = _Registrar(abi.RULE_BY_NAME["is_over"])
    returns = _Registrar(abi.RULE_BY_NAME["returns"])
    evaluate = _Registrar(abi.RULE_BY_NAME["evaluate"])
    is_legal = _Registrar(abi.RULE_BY_NAME["is_legal"])
    candidate_actions = _Registrar(abi.RULE_BY_NAME["candidate_actions"])
    rate_actions = _Registrar(abi.RULE_BY_NAME["rate_actions"])
    action_group = _Registrar(abi.RULE_BY_NAME["action_group"])
    possible_actions = _Registrar(abi.RULE_BY_NAME["possible_actions"])
    key = _Registrar(abi.RULE_BY_NAME["key"])
    observe = _Registrar(abi.RULE_BY_NAME["observe"])
    resample_hidden = _Registrar(abi.RULE_BY_NAME["resample_hidden"])
    digest = _Registrar(abi.RULE_BY_NAME["digest"])
    policy = _Registrar(abi.RULE_BY_NAME["policy"])
    random_action = _Registrar(abi.RULE_BY_NAME["random_action"])
    random_candidate = _Registrar(abi.RULE_BY_NAME["random_candidate"])
    best_candidate = _Registrar(abi.RULE_BY_NAME["best_candidate"])
    evaluate_after = _Registrar(abi.RULE_BY_NAME["evaluate_after"])
    features = _Registrar(abi.RULE_BY_NAME["features"])

    configure = _PresentationRegistrar("configure", "`(g)`: works out fields of the configuration from others.")
    initial_state = _PresentationRegistrar("initial_state", "`(g, s, rng)`: fills s, all zero; may also take `seed`.")
    action_name = _PresentationRegistrar("action_name", "`(g, s, action) -> str`: what people call the action.")
    action_parts = _PresentationRegistrar(
        "action_parts", "`(g, s, player, action) -> list[str]`: what to point at in the drawing, in order."
    )
    why_illegal = _PresentationRegistrar(
        "why_illegal", "`(g, s, player, action) -> str`: why an action that is not legal is refused."
    )
    action_to_json = _PresentationRegistrar("action_to_json", "`(g, action) -> JSON`: the action in recordings.")
    action_from_json = _PresentationRegistrar("action_from_json", "`(g, data) -> int`: reads it back.")
    state_to_json = _PresentationRegistrar("state_to_json", "`(g, s) -> dict`: the state in recordings.")
    state_from_json = _PresentationRegistrar("state_from_json", "`(g, s, data)`: fills s, all zero, or refuses.")
    draw_text = _PresentationRegistrar("draw_text", "`(g, s) -> str`: the position for a terminal, as rich markup.")
    draw_svg = _PresentationRegistrar("draw_svg", "`(g, s) -> str`: the position as an SVG document.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = [*abi.RULE_BY_NAME, *Presentation.__dataclass_fields__]
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise AttributeError(f"there is no rule {name!r}; {hint}rules are {', '.join(known)}")

    def __init__(self, config: np.dtype, state: np.dtype, where: str = "?") -> None:
        self.config = with_error_cell(require_plain_data(config, "Config", where))
        self.state = require_plain_data(state, "State", where)
        self.functions: dict[str, Callable[..., Any]] = {}
        self.presentation = Presentation()
        self._where = where

    def _register(self, rule: abi.Rule, function: Any) -> Any:
        plain = function.py_func if isinstance(function, Dispatcher) else function
        check_signature(rule, plain)
        self.functions[rule.name] = plain
        return function if isinstance(function, Dispatcher) else linked(plain)

    def game(
        self,
        name: str,
        *,
        max_actions: int,
        config: Mapping[str, Any] | None = None,
        players: int = 2,
        version: str = "1",
        zero_sum: bool = True,
        value_range: tuple[float, float] | Callable[[Any], tuple[float, float]] = (-1.0, 1.0),
        weights: Mapping[str, tuple[Any, ...]] | Iterable[str] = (),
        errors: Mapping[int, str] | None = None,
        description: str = "",
        max_turn: int | Callable[[Any], int] = 64,
        sides: Sequence[int] = (),
        omit: Iterable[str] = (),
        encodings: Sequence[Encoding] = (),
        models: Mapping[str, str] | None = None,
        evaluations: Mapping[str, Evaluation] | None = None,
        rating_weights: Mapping[str, tuple[Any, ...]] | None = None,
        features: Sequence[str] = (),
    ) -> Game:
        """Finish the game.

        `max_actions` bounds every list of actions; `config` gives the configuration's fields (0 where absent);
        `weights` names the tunable numbers: ``{"mobility": ("weights", 0)}``, or just names for the field `weights` in
        order; `value_range` bounds what `evaluate` writes; `errors` says what the positive codes in `g.error` mean;
        `max_turn` is the most actions a turn can have (longer turns are planned in parts);
        `sides` says who plays together: (0, 1, 0, 1) for two pairs across the table;
        `omit` leaves out optional rules that this configuration does not want;
        `encodings` says what networks can be shown of a state, the usual way first;
        `models` names functions like the rule `policy` that planners may take for it, or paths of followers' weights,
        each as ``package.module:name``;
        `evaluations` names settings of the configuration between which `Game.with_evaluation` and planners choose;
        `rating_weights` names the numbers of the configuration by which `rate_actions` weighs its features, for games
        whose ratings can be learned. While all of them are 0, it writes the game's usual ratings;
        `features` names what the rule of that name writes, in order, for games whose evaluation can be learned.
        """
        require_rules(name, set(self.functions) - set(omit), self._where)
        if self.presentation.initial_state is None:
            raise InvalidGameError(f"game {name!r} ({self._where}) lacks initial_state(g, s, rng).")
        require_max_actions(name, max_actions, self._where)
        require_features(name, features, "features" in set(self.functions) - set(omit), self._where)
        layout = with_weights_field(self.config, len(features))
        places = weight_places(weights, self.config, f"{name!r} ({self._where})")
        if features:
            set_fields = {field: (config or {})[field] for field, *_ in places.values() if field in (config or {})}
            usual = Evaluation(set_fields, zero_sum, places)
            evaluations = completed_evaluations(evaluations or {}, usual, len(features), value_range)
        info = GameInfo(
            name=name,
            version=version,
            players=players,
            max_actions=max_actions,
            zero_sum=zero_sum,
            value_range=value_range,
            weights=places,
            rating_weights=dict(rating_weights or {}),
            errors=dict(errors or {}),
            description=description,
            max_turn=max_turn,
            sides=tuple(sides),
            encodings=tuple(encodings),
            models=dict(models or {}),
            evaluations=dict(evaluations or {}),
            features=tuple(features),
        )
        left_out = set(omit)
        functions = {rule: function for rule, function in self.functions.items() if rule not in left_out}
        backend = RecordBackend(functions, layout, self.state, name, info.sides, max_actions, len(features))
        game = Game(info, backend, self.presentation, dict(config or {}))
        require_weights(game, self._where)
        _probe_initial_state(game)
        return game


def check_signature(rule: abi.Rule, function: Any) -> None:
    """Refuse a function that can't take a rule's parameters."""
    if not inspect.isfunction(function):
        raise InvalidGameError(f"rule {rule.name!r} ({_author()}) is {function!r}; expected a function {rule}.")
    parameters = inspect.signature(function).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(parameters) != len(rule.parameters) or any(p.kind not in positional for p in parameters):
        given = ", ".join(str(p) for p in parameters)
        place = tables.where(rule.name, function)
        raise InvalidGameError(f"rule {place} takes ({given}); expected {rule}.")
    require_order(f"rule {tables.where(rule.name, function)}", parameters, str(rule))


def check_callable(name: str, expected: Sequence[str], function: Any) -> None:
    """Refuse a function of the Python side that can't be called with what it gets."""
    shape = f"{name}({', '.join(expected)})"
    if not callable(function):
        raise InvalidGameError(f"function {name!r} ({_author()}) is {function!r}; expected a function {shape}.")
    try:
        inspect.signature(function).bind(*expected)
    except TypeError:
        given = ", ".join(map(str, inspect.signature(function).parameters.values()))
        place = tables.where(name, function)
        raise InvalidGameError(f"function {place} takes ({given}); expected {shape}.") from None
    require_order(f"function {tables.where(name, function)}", inspect.signature(function).parameters.values(), shape)


def require_order(subject: str, parameters: Iterable[inspect.Parameter], expected: str) -> None:
    """Refuse g and s in the wrong order; other names are the author's choice."""
    if [parameter.name for parameter in parameters][:2] == ["s", "g"]:
        given = ", ".join(map(str, parameters))
        raise InvalidGameError(f"{subject} takes ({given}), s before g; expected {expected}.")


def require_max_actions(name: str, max_actions: Any, where: str) -> None:
    """Refuse a bound of the lists of actions that is none."""
    if not isinstance(max_actions, int) or max_actions < 1:
        raise InvalidGameError(f"max_actions of {name!r} ({where}) is {max_actions!r}; expected a positive integer.")


def require_features(name: str, features: Sequence[str], has_rule: bool, where: str) -> None:
    """Refuse names without the rule that writes the features, the rule without names, and a name twice."""
    if bool(features) != has_rule:
        have, lacks = (
            ("names of features", "the rule `features`") if features else ("the rule `features`", "their names")
        )
        raise InvalidGameError(f"game {name!r} ({where}) has {have} but lacks {lacks}; expected both or neither.")
    if isinstance(features, str) or len(set(features)) < len(features):
        raise InvalidGameError(f"features of {name!r} ({where}) are {features!r}; expected different names.")


def require_weights(game: Game, where: str) -> None:
    """Refuse names of weights that no place of the configuration belongs to."""
    for weight, place in {**game.info.weights, **game.info.rating_weights}.items():
        try:
            float(game.config[place[0]][tuple(place[1:])] if place[1:] else game.config[place[0]])
        except (ValueError, IndexError, TypeError) as error:
            raise InvalidGameError(
                f"weight {weight!r} of {game.name!r} ({where}) is at {place!r}, which is not a number of Config: "
                f"{error}."
            ) from error


def require_rules(name: str, present: Iterable[str], where: str) -> None:
    """Refuse a game that lacks a rule nothing can stand in for."""
    have = set(present)
    for rule in abi.RULES:
        if rule.optional or rule.name in have or rule.name in ("apply", "apply_joint"):
            continue
        raise InvalidGameError(f"game {name!r} ({where}) lacks the rule {rule} ({rule.purpose}).")
    if not have & {"apply", "apply_joint"}:
        raise InvalidGameError(
            f"game {name!r} ({where}) lacks the rule {abi.RULE_BY_NAME['apply']} "
            f"(or {abi.RULE_BY_NAME['apply_joint']} where all players act at once)."
        )
    if "observe" in have and "resample_hidden" not in have:
        raise InvalidGameError(
            f"game {name!r} ({where}) has observe but lacks {abi.RULE_BY_NAME['resample_hidden']}: "
            "planners must be able to guess what a player can't see."
        )
    if "random_candidate" in have and "candidate_actions" not in have:
        raise InvalidGameError(
            f"game {name!r} ({where}) has random_candidate but lacks {abi.RULE_BY_NAME['candidate_actions']}, "
            "whose list it draws from."
        )
    if "best_candidate" in have and "rate_actions" not in have:
        raise InvalidGameError(
            f"game {name!r} ({where}) has best_candidate but lacks {abi.RULE_BY_NAME['rate_actions']}, "
            "whose ratings it compares."
        )


def _author() -> str:
    """The file and line that called the contract."""
    frame = sys._getframe(1)
    while Path(frame.f_code.co_filename).parent == _HERE and frame.f_back is not None:
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"


def weight_places(
    weights: Mapping[str, tuple[Any, ...]] | Iterable[str], config: np.dtype, game: str
) -> dict[str, tuple[Any, ...]]:
    """Where in the configuration each named weight stands."""
    if isinstance(weights, Mapping):
        return dict(weights)
    places = {name: ("weights", index) for index, name in enumerate(weights)}
    shape = config.fields["weights"][0].shape if config.fields and "weights" in config.fields else ()
    if places and len(shape) == 1 and len(places) < shape[0]:
        raise InvalidGameError(
            f"weights of {game} names {len(places)} of the {shape[0]} entries of Config field 'weights'; "
            "expected a name for each, or a mapping of names to places."
        )
    return places


def _probe_initial_state(game: Game) -> None:
    """Run the cheapest rules once, interpreted, so that a wrong `max_actions` is found before anything compiles."""
    probe = game.interpreted()
    assert isinstance(game.backend, RecordBackend)
    place = tables.where("legal_actions", game.backend.functions["legal_actions"])
    state = probe.initial_state(seed=0)
    try:
        if not state.is_over():
            player = state.current_player()
            count = len(state.legal_actions(0 if player == abi.SIMULTANEOUS else player))
        else:
            count = 1
    except Exception as error:
        cause = error.__cause__ or error
        failed = getattr(error, "rule", None) or "legal_actions"
        place = tables.where(failed, game.backend.functions[failed])
        if isinstance(cause, IndexError) and f"index {game.max_actions} is outside the buffer of" in str(cause):
            raise InvalidGameError(
                f"rule {place} lists more actions in the initial state than max_actions={game.max_actions}; "
                "max_actions must bound every list."
            ) from error
        line = author_line(cause.__traceback__)
        raise InvalidGameError(
            f"rule {place} fails in the initial state: {in_words(cause)}{line and f', at {line}'}."
        ) from error
    if count == 0:
        raise InvalidGameError(f"rule {place} lists no action in the initial state, which is not over.")


@dataclass(frozen=True)
class RecordBackend:
    """A game written as rules on records, in one of three modes: compiled, interpreted, checked."""

    functions: dict[str, Callable[..., Any]]
    config: np.dtype
    state: np.dtype
    name: str
    sides: tuple[int, ...]
    max_actions: int
    features: int = 0
    """How many features there are."""
    mode: str = field(default="compiled")
    learned: bool = False
    """Whether `evaluate` weighs the features, instead of what the author wrote."""

    @cached_property
    def table(self) -> tables.Table:
        """The function table; compiles on first use."""
        sizes = tables.Sizes(len(self.sides), self.max_actions, self.features)
        functions = {name: self.functions[name] for name in self.functions if name in self.rule_names}
        if self.learned:
            functions["evaluate"] = weighing(functions["features"], self.features, self.sides)
        if self.mode == "interpreted":
            return tables.interpreted_table(functions, self.config, self.state, sizes)
        if self.mode == "checked":
            return tables.checked_table(functions, self.config, self.state, sizes)
        with compiling(f"the rules of {self.name}"):
            return tables.compiled_table(functions, self.config, self.state)

    @property
    def rule_names(self) -> frozenset[str]:
        """Which rules the game has; what repeats the author's evaluation does not count where another is used."""
        gone = [name for name, others in abi.REPEATS.items() if self.learned and "evaluate" in others]
        return frozenset(self.functions).difference(gone)

    def __reduce__(self) -> tuple[Any, ...]:
        sizes = (self.sides, self.max_actions, self.features)
        fixed = (self.config, self.state, self.name, *sizes, self.mode, self.learned)
        return _unpickled, (pickling.portable_fields(self.functions), *fixed)

    @property
    def handles(self) -> None:
        """A state is its record."""

    def source(self, name: str) -> Any:
        """The function of a rule."""
        return self.functions.get(name)

    def scope(self) -> AbstractContextManager[None]:
        """A search allocates nothing."""
        return nullcontext()

    def in_mode(self, mode: str) -> RecordBackend:
        """The same rules, run another way."""
        return replace(self, mode=mode)

    def with_rule(self, rule: abi.Rule, function: Any) -> RecordBackend:
        """The same game with one rule exchanged."""
        plain = function.py_func if isinstance(function, Dispatcher) else function
        check_signature(rule, plain)
        functions = {name: f for name, f in self.functions.items() if rule.name not in abi.REPEATS.get(name, ())}
        functions[rule.name] = plain
        return replace(self, functions=functions, learned=self.learned and rule.name != "evaluate")

    def with_learned(self, learned: bool) -> RecordBackend:
        """The same game, judged by its features or as its author wrote."""
        return replace(self, learned=learned)


def _unpickled(functions: dict[str, Any], *fixed: Any) -> RecordBackend:
    return RecordBackend(pickling.restored_fields(functions), *fixed)
