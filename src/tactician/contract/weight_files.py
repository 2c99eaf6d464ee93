"""Files of learned weights: what they are for, the weights by name, and how they were learned."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tactician.errors import InvalidParameterError, InvalidStateError
from tactician.files import json_text, read_json, shown, write_files

if TYPE_CHECKING:
    from tactician.contract.game import Game

WEIGHTS_FORMAT = "tactician-weights/1"
"""The form of files with weights of a game's own evaluation."""


def write_weights(
    path: Path,
    form: str,
    game: Game,
    weights: Mapping[str, float],
    training: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> None:
    """Write learned weights, with how they were learned and what `more` there is."""
    document = {
        "format": form, "game": game.name, "version": game.version, "weights": dict(weights), "training": training,
        **(more or {}),
    }  # fmt: skip
    write_files({path: (json_text(document, indent=1) + "\n").encode()})


def read_weights(path: Path, kind: str, form: str, game: Game) -> dict[str, float]:
    """The weights of a file; refuses those of another game, and numbers that are none."""
    what, document = f"{kind} {shown(path)}", read_document(path, kind, form)
    if (document.get("game"), document.get("version")) != (game.name, game.version):
        raise InvalidParameterError(
            f"{what} was learned for {document.get('game')!r} version {document.get('version')}; expected "
            f"{game.name!r} version {game.version}."
        )
    weights = document.get("weights")
    if not isinstance(weights, dict) or not all(
        isinstance(value, int | float) and math.isfinite(value) for value in weights.values()
    ):
        raise InvalidParameterError(f"{what} has weights that are not numbers; expected a finite number for each name.")
    return {str(name): float(value) for name, value in weights.items()}


def read_document(path: Path, kind: str, form: str) -> dict[str, Any]:
    """The document of a file of some form; `kind` is what messages call it."""
    try:
        document = read_json(path, kind)
    except InvalidStateError as error:
        raise InvalidParameterError(str(error)) from error
    if not isinstance(document, dict) or document.get("format") != form:
        raise InvalidParameterError(f"{kind} {shown(path)} is not a file of the format {form!r}.")
    return document
