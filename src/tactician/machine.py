"""The machine that something was measured on, as results keep it."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from tactician._version import __version__


def machine() -> dict[str, Any]:
    """Processor, system and the versions of what decides speed."""
    import numba
    import numpy as np

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "tactician": __version__,
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"
