"""Draw the pictures of the documentation again: run it after a change of a drawing and commit what it wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tactician.arena.animation import animated, drawings
from tactician.arena.match import play
from tactician.arena.records import Pairing
from tactician.drawing.animation import animated_picture
from tactician.games.amazons import amazons
from tactician.games.hero_academy import hero_academy
from tactician.games.hero_academy.benchmarks import MIDDLE
from tactician.games.locm import locm
from tactician.games.royale import royale
from tactician.games.royale.agents import ScriptPlayer

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


_LOCM_TURNS = """SUMMON 3 1|SUMMON 2 1|ATTACK 3 2|SUMMON 8 0|SUMMON 13 0|SUMMON 10 0;ATTACK 8 13;ATTACK 10 -1|
SUMMON 7 1|ATTACK 8 -1;ATTACK 10 -1;USE 16 7|SUMMON 19 1;SUMMON 17 0;ATTACK 19 -1;ATTACK 7 -1|
SUMMON 22 1;ATTACK 10 17;ATTACK 8 -1|SUMMON 5 0;ATTACK 19 22;SUMMON 21 1;ATTACK 7 -1|SUMMON 6 1;ATTACK 8 -1|
SUMMON 9 0;ATTACK 5 -1;ATTACK 21 -1;ATTACK 7 -1|ATTACK 6 -1;SUMMON 28 0;ATTACK 8 -1"""


def draw_locm() -> str:
    """Turn 15 as the first player sees it."""
    game = locm()
    state = game.initial_state(seed=12)
    for turn in _LOCM_TURNS.replace("\n", "").split("|"):
        for text in (*turn.split(";"), "PASS"):
            state.apply(game.action_from_json(text))
    return state.observe(0).svg()


def draw_royale() -> str:
    """A battle of two scripted players after two minutes, as the lower one sees it."""
    game = royale()
    state, player = game.initial_state(seed=3), ScriptPlayer(game)
    for step in range(240):
        state.apply([player.plan(state, "1its", ply=step, seat=seat).actions[0] for seat in range(2)])
    return state.observe(0).svg()


def draw_amazons_game() -> str:
    """A whole game of two planners, animated."""
    record = play(Pairing("amazons:size=6", ("emcts", "greedy-action"), "300evals", 3, 0))
    return animated_picture(list(drawings(record)), 1.5)


def draw_hero_academy_replay() -> str:
    """The game of the start page, as one HTML file that plays it."""
    record = play(Pairing("hero-academy:deck=tiny", ("emcts", "greedy-action"), "1000evals", 3, 0))
    return animated(record)


PICTURES: dict[str, Callable[[], str]] = {
    "hero-academy.svg": draw_hero_academy,
    "amazons.svg": draw_amazons,
    "locm.svg": draw_locm,
    "royale.svg": draw_royale,
    "amazons-game.svg": draw_amazons_game,
    "hero-academy-replay.html": draw_hero_academy_replay,
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
