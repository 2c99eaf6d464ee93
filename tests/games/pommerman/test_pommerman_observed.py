"""Observations from outside with numbers beyond all bounds."""

from __future__ import annotations

from typing import Any

import pytest

from tactician.errors import InvalidStateError
from tactician.games.pommerman import pommerman
from tactician.games.pommerman.foreign import official_observation
from tactician.games.pommerman.observed import read_observation


@pytest.mark.parametrize("name", ["board", "bomb_life", "bomb_blast_strength", "bomb_moving_direction", "flame_life"])
@pytest.mark.parametrize("number", [10**400, -(10**400), float("inf"), float("nan"), 2**64, 1e300])
def test_a_huge_number_in_a_map_is_refused(name: str, number: Any) -> None:
    seen = official_observation(pommerman().initial_state(1), 0)
    rows = seen[name].tolist()
    rows[3][4] = number
    with pytest.raises(InvalidStateError, match=f"^{name} "):
        read_observation({**seen, name: rows}, 0)


@pytest.mark.parametrize("name", ["ammo", "blast_strength", "step_count", "teammate", "position", "can_kick"])
def test_a_huge_number_in_a_field_is_refused(name: str) -> None:
    seen = official_observation(pommerman().initial_state(1), 0)
    with pytest.raises(InvalidStateError, match=f"^{name} is "):
        read_observation({**seen, name: 10**5000}, 0)
