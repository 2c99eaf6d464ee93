"""Small kernels that Python code calls directly."""

from __future__ import annotations

from typing import Any

from tactician.contract.caching import kernel
from tactician.contract.calls import hash_words
from tactician.contract.memory import address


@kernel
def hash_state(words: Any) -> Any:
    """The fallback of the rule `key`: a hash over a state's words."""
    return hash_words(address(words), words.shape[0])
