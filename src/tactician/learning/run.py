"""`train`: train a follower; imports PyTorch only when it is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tactician.learning.extra import require_module
from tactician.learning.progress import Progress
from tactician.learning.settings import Training

OnProgress = Callable[[Progress], None]

AUTO = "auto"
CHECKPOINT_SECONDS = 120.0


def train(
    training: Training,
    out: Path,
    *,
    jobs: int = 1,
    device: str = AUTO,
    on_progress: OnProgress = lambda _progress: None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> Progress:
    """Train, or continue to train, and write weights and model card to `out`.

    A run that was stopped continues from the checkpoint beside `out`; `battles` may be raised to train longer. `jobs`
    threads make labels; `device` is `auto` (a GPU where there is one), `cpu` or `cuda`. Without PyTorch it is refused
    with the name of the extra to install.
    """
    require_module("torch", "training")
    from tactician.learning.trainer import run_training

    return run_training(training, out, jobs, device, on_progress, checkpoint_seconds)
