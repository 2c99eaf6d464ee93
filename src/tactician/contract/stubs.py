"""Classes for the records of a game, as Python source, so that an editor completes the fields of `g` and `s` in rules.

The classes are protocols: nothing is an instance of them, they only say to editors and type checkers which fields a
record has. Numba ignores annotations, so a rule may use them freely.
"""

from __future__ import annotations

import numpy as np

from tactician.contract.game import Game
from tactician.errors import InvalidParameterError
from tactician.native.records import ERROR_FIELD


def record_stubs(game: Game) -> str:
    """The source of a module with the classes `Config` and `State` of a game of records."""
    if game.backend.mode == "plain":
        raise InvalidParameterError(f"game {game.name!r} is made of plain objects; expected one of records.")
    classes: list[str] = []
    for name, dtype in (("Config", game.backend.config), ("State", game.backend.state)):
        _add_class(name, dtype, classes)
    body = "\n\n\n".join(classes)
    return f'''"""The fields of the records of {game.name!r}, for editors and type checkers (`tactician stubs`)."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


{body}
'''


def _add_class(name: str, dtype: np.dtype, classes: list[str]) -> None:
    """Add the class of a record behind those of the records inside it."""
    lines = [f"class {name}(Protocol):", f'    """The fields of {name}."""', ""]
    for field in dtype.names or ():
        assert dtype.fields is not None
        if field == ERROR_FIELD and name == "Config":
            lines.append(f"    {field}: int  # set it to report an error")
        else:
            lines.append(f"    {field}: {_type_of(f'{name}{_camel(field)}', dtype.fields[field][0], classes)}")
    classes.append("\n".join(lines))


def _type_of(name: str, field: np.dtype, classes: list[str]) -> str:
    if field.base.names is not None:
        _add_class(name, field.base, classes)
        return name
    if field.shape:
        return f"NDArray[np.{field.base.name}]  # {' × '.join(map(str, field.shape))}"
    return "float" if field.base.kind == "f" else "bool" if field.base.kind == "b" else "int"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
