"""Learning from planners: networks that imitate an oracle, trained with PyTorch (the extra `learn`).

Names are imported when they are first used: whoever only looks at settings needs no PyTorch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.learning.progress import Progress
    from tactician.learning.run import train
    from tactician.learning.settings import Training

__all__ = ["Progress", "Training", "train"]

lazy_package(
    __name__,
    {
        "Progress": "tactician.learning.progress:Progress",
        "Training": "tactician.learning.settings:Training",
        "train": "tactician.learning.run:train",
    },
)
