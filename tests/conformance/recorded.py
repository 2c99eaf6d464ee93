"""Recordings as lists of JSON documents: read them, and write changed ones."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

Lines = list[Any]


def lines_of(path: Path, most: int | None = None) -> Lines:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in islice(file, most)]


def written(path: Path, lines: Lines) -> Path:
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path
