"""The packages of the extra `learn`, or a sentence that says how to get them."""

from __future__ import annotations

import importlib
from types import ModuleType

from tactician.importing import missing_extra


def require_module(name: str, purpose: str) -> ModuleType:
    """A module of the extra `learn`."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise missing_extra(purpose, name, "learn") from error
