"""Small kernels that Python code calls directly."""

from __future__ import annotations

from typing import Any

from tactician.contract.caching import kernel
from tactician.contract.calls import hash_pair, hash_words
from tactician.contract.memory import address


@kernel
def hash_state(words: Any) -> Any:
    """The fallback of the rule `key`: a hash over a state's words."""
    return hash_words(address(words), words.shape[0])


@kernel
def hash_state_twice(words: Any, out: Any) -> None:
    """The fallback of the rule `digest`."""
    out[0], out[1] = hash_pair(address(words), words.shape[0])
