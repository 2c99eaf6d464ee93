"""No public class of the upper rooms shares its name with another public class of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import tactician

ROOT = Path(tactician.__file__).parent
ROOMS = ("arena", "experiments", "stress", "tuning")


def test_public_classes_have_names_of_their_own() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT).as_posix())
    shared = {name: files for name, files in places.items() if len(files) > 1}
    # Seats are described in arena/agents.py; a figure of a game may have a Player too.
    ours = {name: files for name, files in shared.items() if any(file.split("/")[0] in ROOMS for file in files)}
    assert {name: files for name, files in ours.items() if "arena/agents.py" not in files} == {}
