"""Messages on stderr for people who watch a command."""

from __future__ import annotations

import os
import sys


def write(text: str) -> None:
    """Write to stderr, unless the environment asks for quiet."""
    if os.environ.get("TACTICIAN_QUIET", "") in ("", "0"):
        sys.stderr.write(text)
        sys.stderr.flush()
