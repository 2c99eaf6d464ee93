"""The drawings show everything that is on the board, and say who is alive and who has won."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from pommerman_boards import bomb, game, go, position

SVG = "{http://www.w3.org/2000/svg}"
BUSY: dict[str, Any] = {
    "picture": "A#=b\n.rk.\n...B\nC",
    "bombs": [bomb(5, 5, life=4), bomb(6, 6, life=7, rolling="left"), bomb(0, 0, life=9)],
    "flames": [[8, 8, 1], [8, 8, 2]],
    "items": [[0, 2, 7]],
    "ammo": {"A": 3},
    "kick": "B",
    "t": 12,
}


def drawn(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())


def classed(svg: str, name: str) -> int:
    return sum(name in element.get("class", "").split() for element in drawn(svg))


def used(svg: str) -> list[str]:
    return [element.get("href", "") for element in drawn(svg) if element.tag == SVG + "use"]


# -- terminal ----------------------------------------------------------------------------------------------------


def test_the_terminal_board_has_two_characters_for_each_cell() -> None:
    lines = str(position(**BUSY)).splitlines()
    assert lines[1].rstrip() == " 0 1●██▒▒b+· · · · · · ·"
    assert lines[2].startswith(" 1 · r+k+· ")
    assert lines[6][13:15] == "●4"
    assert lines[7][15:17] == "←7"
    assert lines[9][19:21] == "*2"


def test_every_agent_has_a_line() -> None:
    text = str(position(**BUSY))
    assert "A1 at 0,0: ammo 3, blast 2, no kick, on a bomb with life 9" in text
    assert "A2 at 2,3: ammo 1, blast 2, kicks" in text
    assert "A4 dead" in text
    assert text.endswith("Step 12 of 800, running")


def test_winners_and_draws_are_named() -> None:
    assert "agent 1 has won" in str(position("A"))
    assert "nobody has won" in str(position("."))
    team = str(position("A", of=game(variant="team")))
    assert "agent 1 and agent 3 have won" in team
    assert "A3 team 1 dead, has won" in team


def test_fog_and_what_is_unknown_show() -> None:
    text = str(position("A.........B", of=game(variant="team")).observe(0))
    assert "░░" in text
    assert "A2 team 2 out of view: ?" in text


# -- picture -----------------------------------------------------------------------------------------------------


def test_the_picture_shows_every_thing_once() -> None:
    svg = position(**BUSY).svg()
    assert (classed(svg, "agent"), classed(svg, "bomb"), classed(svg, "flame")) == (3, 3, 1)
    assert (classed(svg, "rolling"), classed(svg, "hidden"), classed(svg, "card")) == (1, 1, 4)
    icons = used(svg)
    assert icons.count("#pm-rigid") == 1
    assert icons.count("#pm-wood") == 1
    assert "#pm-skull" in icons
    texts = [element.text for element in drawn(svg) if element.tag == SVG + "text"]
    assert [text for text in texts if text and text.startswith("Agent")] == ["Agent 1", "Agent 2", "Agent 3", "Agent 4"]


def test_only_shapes_that_are_used_are_defined() -> None:
    svg = game().initial_state(1).svg()
    defined = {f"#{element.get('id')}" for element in drawn(svg) if element.tag == SVG + "symbol"}
    assert defined == set(used(svg))


def test_the_picture_says_how_it_stands() -> None:
    title = next(element.text for element in drawn(position("A", t=30).svg()) if element.tag == SVG + "title")
    assert title == "Pommerman, step 30: agent 1 has won"
    assert "#pm-crown" in used(position("A").svg())


def test_observations_can_be_drawn_too() -> None:
    svg = position("A.........B", bombs=[bomb(2, 2)], of=game(variant="radio")).observe(0).svg()
    assert used(svg).count("#pm-fog") == 121 - 25
    assert "possessions unknown" in svg


def test_a_bomb_in_flames_of_the_papers_environment_can_be_drawn() -> None:
    parts = {"bombs": [bomb(5, 4, rolling="right")], "flames": [[5, 5, 0], [5, 5, 2]]}
    after = go(position("A.......C", **parts, of=game(rules="paper")))
    assert classed(after.svg(), "bomb") == 1
    assert "*1" in str(after)
