"""Draw the pictures of the documentation again: run it after a change of a drawing and commit what it wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tactician.bench.hero_academy import MIDDLE
from tactician.games.amazons import amazons
from tactician.games.hero_academy import hero_academy

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"


def draw_hero_academy() -> str:
    """The middle of a game, turn 21."""
    return hero_academy().state_from_json(MIDDLE).svg()


def draw_amazons() -> str:
    """The position after White's first turn."""
    game = amazons(size=10)
    state = game.initial_state()
    for square in ("d1", "d7", "g7"):
        state.apply(game.action_from_json(square))
    return state.svg()


PICTURES: dict[str, Callable[[], str]] = {
    "hero-academy.svg": draw_hero_academy,
    "amazons.svg": draw_amazons,
}
"""Each file in docs/images and what draws it."""


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
        print(f"wrote docs/images/{name}")


if __name__ == "__main__":
    main()
