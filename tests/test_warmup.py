"""Byte code is there after a warm-up, whatever Python was told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_SCRIPT = """
import colorsys, importlib.util, sys
from pathlib import Path
from tactician.games.locm import protocol
from tactician.warmup import write_byte_code, _imports_write_byte_code

assert sys.dont_write_bytecode
def cached(file):
    return Path(importlib.util.cache_from_source(file)).exists()
assert not cached(protocol.__file__) and not cached(colorsys.__file__)
assert write_byte_code() > 300
assert cached(protocol.__file__) and cached(colorsys.__file__)
assert write_byte_code() == 0
with _imports_write_byte_code():
    import wave
assert cached(wave.__file__)
assert sys.dont_write_bytecode
"""


def test_a_warm_up_writes_byte_code_even_where_imports_do_not(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    subprocess.run([sys.executable, "-c", _SCRIPT], check=True, env=environment)
