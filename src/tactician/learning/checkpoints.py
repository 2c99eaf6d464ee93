"""Checkpoints: everything that a training run needs to continue exactly where it was.

A checkpoint is one safetensors file: weights, moments and samples as tensors, the rest (settings, counters, random
state, battles in flight, curves) as JSON in its metadata. It replaces the last one in a single step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tactician.errors import InvalidParameterError
from tactician.files import json_text, parse_json, shown
from tactician.followers.tensors import Tensors, read_tensors, write_tensors
from tactician.learning.settings import Training

FORMAT = "tactician-training/1"
_DOCUMENT = "training"
_MAY_CHANGE = ("battles", "evaluate_every", "evaluation_games")
"""Settings that a later part of a run may have other values of."""


def write_checkpoint(path: Path, document: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]]) -> None:
    """Put a checkpoint in the place of the last one."""
    write_tensors(path, tensors, {_DOCUMENT: json_text({"format": FORMAT, **document})})


def read_checkpoint(path: Path, training: Training, version: str) -> tuple[dict[str, Any], Tensors]:
    """The document and the tensors of a checkpoint of the same run; refuses one of another."""
    tensors, metadata = read_tensors(path, "checkpoint")
    document = parse_json(metadata.get(_DOCUMENT, "null"), f"checkpoint {shown(path)}")
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidParameterError(f"checkpoint {shown(path)} is not one of a training run ({FORMAT}).")
    if document["game_version"] != version:
        raise InvalidParameterError(
            f"checkpoint {shown(path)} is of version {document['game_version']} of the game; expected {version}."
        )
    name, value = _difference(document["settings"], training)
    if name:
        raise InvalidParameterError(
            f"checkpoint {shown(path)} is of a run with {name}={value!r}; expected {getattr(training, name)!r} (or "
            "another --out)."
        )
    return document, tensors


def is_same_run(settings: Mapping[str, Any], training: Training) -> bool:
    """Whether settings that were written down are those of a run, apart from what a later part may change."""
    return not _difference(settings, training)[0]


def _difference(settings: Mapping[str, Any], training: Training) -> tuple[str, Any]:
    """The first setting with another value, and that value; an empty name if there is none."""
    usual = {one.name: one.default for one in fields(Training)}
    for name, value in training.to_json().items():
        kept = settings.get(name, usual.get(name))
        if name not in _MAY_CHANGE and kept != value:
            return name, kept
    return "", None
