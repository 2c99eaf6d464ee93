"""The packages of the extra `learn`, or a sentence that says how to get them."""

from __future__ import annotations

import importlib
from types import ModuleType

from tactician.errors import InvalidParameterError


def require_module(name: str, purpose: str) -> ModuleType:
    """A module of the extra `learn`."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InvalidParameterError(
            f"{purpose} needs {name}, which is not installed; expected: pip install 'tactician[learn]'."
        ) from error
