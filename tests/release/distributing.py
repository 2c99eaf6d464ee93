"""Wheel and source distribution, built without a network, and environments that have the wheel."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Distributions:
    """What would be uploaded."""

    wheel: Path
    sdist: Path


def build_distributions(folder: Path) -> Distributions:
    """Build both from the working tree; the wheel is made from the source distribution."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Distributions(wheel, sdist)


def environment(folder: Path, wheel: Path, *, shared: bool) -> Path:
    """The scripts of a new environment with the wheel; `shared`: its dependencies are those of this interpreter."""
    command = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    if shared:
        import numpy

        (packages,) = folder.glob("lib/python*/site-packages")
        (packages / "dependencies.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n", encoding="utf-8")
    install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*install, *(["--no-index", "--no-deps"] if shared else []), str(wheel)], check=True)
    return folder / "bin"
