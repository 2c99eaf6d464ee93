"""`tactician new`: write a small game that works, to be changed into one's own."""

from __future__ import annotations

import keyword
from importlib import resources
from pathlib import Path
from string import Template

from tactician.errors import InvalidParameterError
from tactician.files import reason, write_files

FILES = {"game.txt": "{name}.py", "twin.txt": "{name}_twin.py", "tests.txt": "test_{name}.py"}
"""The templates, and what the files are called that are made from them."""


def new_game(name: str, folder: Path | None = None) -> list[Path]:
    """Write the files of a new game into a new folder (called like the game unless given); returns their paths."""
    if not name.isidentifier() or keyword.iskeyword(name) or not name.islower():
        raise InvalidParameterError(f"name is {name!r}; expected a lower-case Python name such as 'mygame'.")
    target = folder or Path(name)
    if target.exists():
        raise InvalidParameterError(f"folder {str(target)!r} exists already; expected a new one.")
    contents = {target / file.format(name=name): _filled(template, name) for template, file in FILES.items()}
    try:
        target.mkdir(parents=True)
        write_files(contents)
    except OSError as error:
        raise InvalidParameterError(f"folder {str(target)!r} can't be written: {reason(error)}.") from error
    return list(contents)


def _filled(template: str, name: str) -> bytes:
    text = resources.files(__name__).joinpath(template).read_text(encoding="utf-8")
    return Template(text).substitute(name=name, title=name.replace("_", " ")).encode()
