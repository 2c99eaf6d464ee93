"""Finding games: by name, by entry point, or as ``path/to/file.py:game``.

A name may carry parameters: ``hero-academy:action_points=10,turn_limit=200``. A package of somebody else's adds games
with an entry point in the group ``tactician.games`` that names a game or a function that makes one.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from tactician.contract.game import Game
from tactician.errors import InvalidGameError, InvalidParameterError, TacticianError, UnknownNameError
from tactician.native.failures import author_line, in_words

ENTRY_POINTS = "tactician.games"

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

GAMES = {
    "hero-academy": "tactician.games.hero_academy:hero_academy",
    "locm": "tactician.games.locm:locm",
    "amazons": "tactician.games.amazons:amazons",
    "amazons-plain": "tactician.games.amazons:plain_amazons",
    "pommerman": "tactician.games.pommerman:pommerman",
}
"""A new game is one line here."""


def game_names() -> list[str]:
    """Every game that can be named, those of installed packages included."""
    return sorted({*GAMES, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def load_game(spec: str) -> Game:
    """The game a name, a name with parameters, or a file with an object's name stands for."""
    head, found, tail = spec.partition(".py:")
    if found:
        name, _, parameters = tail.partition(":")
        return _made(spec, _from_file(Path(head + ".py"), name), parameters)
    if spec.endswith(".py"):
        raise UnknownNameError("game", spec, [f"{spec}:game"])
    name, _, parameters = spec.partition(":")
    return _made(spec, game_factory(name), parameters)


def game_factory(name: str) -> Any:
    """The function (or game) registered under a name."""
    if name in GAMES:
        module, _, attribute = GAMES[name].partition(":")
        return getattr(importlib.import_module(module), attribute)
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            try:
                return point.load()
            except Exception as error:
                raise InvalidGameError(
                    f"game {name!r} (entry point {point.value}) can't be loaded: {type(error).__name__}: {error}."
                ) from error
    raise UnknownNameError("game", name, game_names())


def game_parameters(name: str) -> dict[str, inspect.Parameter]:
    """What a game's factory takes."""
    factory = game_factory(name)
    return dict(inspect.signature(factory).parameters) if callable(factory) else {}


def _made(spec: str, thing: Any, parameters: str) -> Game:
    if isinstance(thing, Game):
        if parameters:
            raise InvalidParameterError(
                f"game {spec!r} is finished and takes no parameters; a function that returns the game would take them."
            )
        return thing
    if not callable(thing):
        raise InvalidGameError(
            f"game {spec!r} is a {type(thing).__name__}; expected a Game or a function that makes one."
        )
    arguments = _parsed(spec, thing, parameters)
    try:
        game = thing(**arguments)
    except TacticianError:
        raise
    except Exception as error:
        trace = error.__traceback__
        line = author_line(trace.tb_next if trace else None)  # behind this call
        raise InvalidGameError(f"game {spec!r}{line and f' ({line})'} raised {in_words(error)}.") from error
    if not isinstance(game, Game):
        raise InvalidGameError(f"game {spec!r} makes a {type(game).__name__}; expected a Game.")
    return game


def _parsed(spec: str, factory: Callable[..., Any], text: str) -> dict[str, Any]:
    """``key=value,key=value`` as arguments, each read as its default's type."""
    known = inspect.signature(factory).parameters
    values: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise InvalidParameterError(f"parameter {part!r} of {spec!r} has no value; expected key=value.")
        if key not in known:
            raise UnknownNameError(f"parameter of {spec.partition(':')[0]!r}:", key, known)
        values[key] = _read(key, value, known[key].default)
    for key, parameter in known.items():
        if parameter.default is parameter.empty and parameter.kind not in _VARIADIC and key not in values:
            raise InvalidParameterError(f"game {spec!r} needs the parameter {key!r}; expected {spec}:{key}=... .")
    return values


def _read(key: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}[text.lower()]
        if isinstance(default, int):
            return int(text)
        if isinstance(default, float):
            return float(text)
        if default is None:
            return _guessed(text)
    except (KeyError, ValueError):
        kind = "true or false" if isinstance(default, bool) else "a number"
        raise InvalidParameterError(f"parameter {key!r} is {text!r}; expected {kind}.") from None
    return text


def _guessed(text: str) -> Any:
    """The value of a parameter whose default says nothing about its type."""
    if text.lower() == "none":
        return None
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def _from_file(path: Path, name: str) -> Any:
    return object_in_file(path, name, "game", lambda value: isinstance(value, Game), InvalidGameError)


def object_in_file(
    path: Path, name: str, kind: str, is_one: Callable[[Any], bool], error_kind: type[TacticianError]
) -> Any:
    """An object of a Python file, which may import its neighbours; `is_one` tells what may have been meant."""
    if not path.is_file():
        raise error_kind(f"{kind} file {str(path)!r} does not exist.")
    if not name:
        raise error_kind(f"{kind} file {str(path)!r} is named without an object; expected {path}:{kind}.")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    # A name of its own for each path: two files called game.py are two modules.
    module_name = f"tactician_user_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}_{path.stem}"
    module = sys.modules.get(module_name)
    if module is None:
        specification = importlib.util.spec_from_file_location(module_name, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[module_name] = module
        try:
            specification.loader.exec_module(module)
        except TacticianError:
            del sys.modules[module_name]
            raise
        except Exception as error:
            del sys.modules[module_name]
            line = _line_in(error, path)
            raise error_kind(f"{kind} file {str(path)!r}{line} raised {type(error).__name__}: {error}.") from error
    if not hasattr(module, name):
        meant = [key for key, value in vars(module).items() if is_one(value)]
        raise UnknownNameError(f"object in {str(path)!r}:", name, meant)
    return getattr(module, name)


def _line_in(error: BaseException, path: Path) -> str:
    """The line of a file an exception passed through."""
    if isinstance(error, SyntaxError) and Path(error.filename or "").name == path.name:
        return f", line {error.lineno},"
    trace, line = error.__traceback__, ""
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).name == path.name:
            line = f", line {trace.tb_lineno},"
        trace = trace.tb_next
    return line
