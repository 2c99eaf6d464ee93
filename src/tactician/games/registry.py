"""Finding games: by name, by entry point, or as ``path/to/file.py:game``.

A name may carry parameters: ``hero-academy:action_points=10,turn_limit=200``. An installed package adds games with
entry points in the group ``tactician.games``; each names a game, a function that makes one, or a `GameEntry`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tactician.contract.entry import GameEntry
from tactician.errors import InvalidGameError, InvalidParameterError, TacticianError, UnknownNameError
from tactician.importing import object_in_file, resolve
from tactician.native.failures import author_line, in_words
from tactician.parameters import read_like, split_pairs

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

    from tactician.checking.recordings import Replayer
    from tactician.contract.game import Game

ENTRY_POINTS = "tactician.games"

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

GAMES = {
    "hero-academy": "tactician.games.hero_academy.entry:ENTRY",
    "locm": "tactician.games.locm.entry:ENTRY",
    "amazons": "tactician.games.amazons.entry:ENTRY",
    "amazons-plain": "tactician.games.amazons.entry:PLAIN",
    "pommerman": "tactician.games.pommerman.entry:ENTRY",
    "royale": "tactician.games.royale.entry:ENTRY",
}
"""The built-in games: one line a game, its name and its entry."""


def game_names() -> list[str]:
    """Every game that can be named, those of installed packages included."""
    return sorted({*GAMES, *(point.name for point in _installed())})


def _installed() -> EntryPoints:
    """What installed packages add."""
    from importlib.metadata import entry_points  # takes longer to import than a built-in game to load

    return entry_points(group=ENTRY_POINTS)


def entry_of(name: str) -> GameEntry:
    """The entry of a game that can be named."""
    if name in GAMES:
        entry: GameEntry = resolve(GAMES[name])
        return entry
    for point in _installed():
        if point.name == name:
            return _entry_at(point)
    raise UnknownNameError("game", name, game_names())


def entries() -> Iterator[GameEntry]:
    """The entries of all games, the built-in ones first; packages that can't be loaded are left out."""
    yield from map(entry_of, GAMES)
    for point in _installed():
        if point.name not in GAMES:
            with suppress(TacticianError):  # one broken package must not hide the others
                yield _entry_at(point)


def entry_for(game: Game) -> GameEntry | None:
    """The entry of a game that was loaded, found by its name; None if there is none, as for a game of a file."""
    if game.name in GAMES:
        return entry_of(game.name)
    return next((entry for entry in entries() if entry.name == game.name), None)


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
    return entry_of(name).load("factory")


def game_parameters(name: str) -> dict[str, inspect.Parameter]:
    """What a game's factory takes."""
    factory = game_factory(name)
    return dict(inspect.signature(factory).parameters) if callable(factory) else {}


def load_replayer(name: str) -> Replayer:
    """What replays recordings of a game."""
    if name not in game_names() or entry_of(name).replayer is None:
        raise UnknownNameError("game with recordings", name, [entry.name for entry in entries() if entry.replayer])
    return entry_of(name).load("replayer")()


def with_parameter(spec: str, parameter: str, value: Any) -> str:
    """A game's name with one more parameter; as it is if the game does not take that parameter."""
    name, _, parameters = spec.partition(":")
    if ".py" in spec or parameter not in game_parameters(name):
        return spec
    return f"{name}:{parameters}{',' if parameters else ''}{parameter}={value}"


# -- entry points ----------------------------------------------------------------------------------------------


def _entry_at(point: EntryPoint) -> GameEntry:
    try:
        found = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise InvalidGameError(
            f"game {point.name!r} (entry point {point.value}) can't be loaded: {type(error).__name__}: {error}."
        ) from error
    if not isinstance(found, GameEntry):
        return GameEntry(name=point.name, factory=f"{point.module}:{point.attr}")
    if found.name != point.name:
        raise InvalidGameError(
            f"game {point.name!r} (entry point {point.value}) is the entry of {found.name!r}; expected the same name."
        )
    return found


# -- making games ----------------------------------------------------------------------------------------------


def _made(spec: str, thing: Any, parameters: str) -> Game:
    if _is_game(thing):
        if parameters:
            raise InvalidParameterError(
                f"game {spec!r} is finished and takes no parameters; a function that returns the game would take them."
            )
        return thing
    if not callable(thing):
        raise InvalidGameError(
            f"game {spec!r} is a {type(thing).__name__}; expected a Game or a function that makes one."
        )
    arguments = _arguments(spec, thing, parameters)
    try:
        game = thing(**arguments)
    except (TacticianError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a function may end the process, or raise a class of its own
        trace = error.__traceback__
        line = author_line(trace.tb_next if trace else None)  # behind this call
        raise InvalidGameError(f"game {spec!r}{line and f' ({line})'} raised {in_words(error)}.") from error
    if not _is_game(game):
        raise InvalidGameError(f"game {spec!r} makes a {type(game).__name__}; expected a Game.")
    return game


def _arguments(spec: str, factory: Callable[..., Any], text: str) -> dict[str, Any]:
    """``key=value,key=value`` as arguments, each read as its default's type."""
    known = inspect.signature(factory).parameters
    values: dict[str, Any] = {}
    for key, value in split_pairs(text):
        if value is None:
            raise InvalidParameterError(f"parameter {key!r} of {spec!r} has no value; expected key=value.")
        if key not in known:
            raise UnknownNameError(f"parameter of {spec.partition(':')[0]!r}:", key, known)
        default = known[key].default
        try:
            values[key] = read_like(value, default)
        except ValueError:
            kind = "true or false" if isinstance(default, bool) else "a number"
            raise InvalidParameterError(f"parameter {key!r} is {value!r}; expected {kind}.") from None
    for key, parameter in known.items():
        if parameter.default is parameter.empty and parameter.kind not in _VARIADIC and key not in values:
            raise InvalidParameterError(f"game {spec!r} needs the parameter {key!r}; expected {spec}:{key}=... .")
    return values


def _from_file(path: Path, name: str) -> Any:
    return object_in_file(path, name, "game", _is_game, InvalidGameError)


def _is_game(thing: Any) -> bool:
    from tactician.contract.game import Game  # imported here: whoever only looks for entries needs nothing compiled

    return isinstance(thing, Game)
