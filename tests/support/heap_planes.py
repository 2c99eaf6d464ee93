"""Nim of `nim_rules` with the planes of a network: a user's game file for tests of encodings and of training."""

from __future__ import annotations

from typing import Any

import nim_rules

from tactician.contract.planes import Encoding, plane

HEAP = 12


def show_left(g: Any, s: Any, seat: Any, out: Any) -> None:
    if s.left > 0:
        out[0, s.left - 1] = 1.0


def show_turn(g: Any, s: Any, seat: Any, out: Any) -> None:
    out[:] = 1.0 if s.player == seat else -1.0


HEAP_ENCODING = Encoding("heap", 1, HEAP, (plane("left", show_left), plane("turn", show_turn)), outputs=4)
"""Actions are 1, 2 and 3; output 0 is never used."""

nim = nim_rules.declared().game(
    "heap", max_actions=3, config={"heap": HEAP}, value_range=(-100.0, 100.0), encodings=[HEAP_ENCODING], max_turn=1
)
