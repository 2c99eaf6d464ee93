"""What files a tournament's results depend on.

A game or an agent of a Python file has no version that could be trusted to change with it, nor have the weights of a
trained network. So the content becomes part of a tournament's identity: games played with other rules or other weights
are another tournament.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence
from pathlib import Path

from tactician.arena.agents import FollowerSpec, PlannerSpec, PythonSpec, parse_agent
from tactician.games.registry import load_game
from tactician.planners.rhea import RHEA
from tactician.planners.simultaneous import SimultaneousPlanner

_LETTERS = 24
"""Of a digest."""


def sources_of(game: str, agents: Sequence[str]) -> dict[str, str]:
    """A digest of what is behind each name that stands for something in a file."""
    head, in_file, _ = game.partition(".py:")
    files = {game: Path(head + ".py")} if in_file else {}
    for agent in agents:
        spec = parse_agent(agent)
        if isinstance(spec, PythonSpec):
            files[str(spec)] = Path(spec.path)
    digests = {name: code_digest(path) for name, path in sorted(files.items())}
    for agent in agents:
        spec = parse_agent(agent)
        if isinstance(spec, FollowerSpec):
            digests[str(spec)] = content_digest(spec.file(load_game(game)))
        elif isinstance(spec, PlannerSpec):
            planner = spec.planner
            given = [planner.ratings, getattr(planner, "priors", None)]
            if isinstance(planner, SimultaneousPlanner | RHEA):
                given.append(planner.policy_file(load_game(game)))
            contents = "".join(content_digest(Path(one)) for one in given if one)
            if contents:
                digests[str(spec)] = contents
    return digests


def content_digest(path: Path) -> str:
    """A digest of a file's bytes; of nothing if it can't be read, which whoever plays it says."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError):
        content = b""
    return hashlib.sha256(content).hexdigest()[:_LETTERS]


def code_digest(path: Path) -> str:
    """A digest of a file's code and of the files beside it that it imports; comments and layout don't count."""
    digest = hashlib.sha256()
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file.resolve() in found:
            continue
        found.add(file.resolve())
        try:
            tree = ast.parse(file.read_bytes())
        except (OSError, SyntaxError, ValueError):
            continue  # whoever runs it says what is wrong
        digest.update(f"{file.name}\0{ast.dump(tree)}\0".encode(errors="backslashreplace"))
        waiting += sorted(_neighbours(tree, file.parent), reverse=True)
    return digest.hexdigest()[:_LETTERS]


def _neighbours(tree: ast.AST, folder: Path) -> set[Path]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = {folder.joinpath(*name.split(".")) for name in names}
    candidates = {place.with_suffix(".py") for place in places} | {place / "__init__.py" for place in places}
    return {file for file in candidates if file.is_file()}
