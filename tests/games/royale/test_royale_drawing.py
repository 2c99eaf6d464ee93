"""The drawings show everything that is in the arena, what players hold, and who has won."""

from __future__ import annotations

from xml.etree import ElementTree

from royale_scenes import changed, deploy, game, scene
from test_royale_hidden import busy
from test_royale_properties import steps

from tactician.games.royale.drawing_scene import unit_codes

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg: str) -> list[str]:
    found = (element.get("data-part") for element in ElementTree.fromstring(svg).iter())
    return [part for part in found if part is not None]


def texts(svg: str) -> str:
    return " ".join(element.text or "" for element in ElementTree.fromstring(svg).iter(SVG + "text"))


def test_everything_that_can_be_pointed_at_has_a_part_of_its_own() -> None:
    state = busy()
    found = parts(state.svg())
    assert len(found) == len(set(found))
    data = state.to_json()["players"]
    units = [f"unit:{player}:{troop[6]}" for player in range(2) for troop in data[player]["troops"]]
    assert [part for part in found if part.startswith("unit:")] == units
    assert {f"tower:{player}:{slot}" for player in range(2) for slot in range(3)} <= set(found)
    assert {f"card:{player}:{slot}" for player in range(2) for slot in range(4)} <= set(found)
    assert sum(part.startswith("square:") for part in found) == 576
    assert "spell:1:0" in found


def test_units_stand_where_they_are() -> None:
    state = scene(own=[("Knight", 3500, 13000)], enemy=[("Knight", 14500, 19000)], of=game())
    root = ElementTree.fromstring(state.svg())
    where = {e.get("data-part"): e.get("transform") for e in root.iter(SVG + "g") if e.get("data-part")}
    assert where["unit:0:3"] == "translate(77 418)"  # player 0 is below
    assert where["unit:1:3"] == "translate(319 286)"


def test_hands_elixir_and_reservations_show() -> None:
    shown = texts(busy().svg())
    assert "waits" in shown
    assert "next: " in shown
    assert ("Player 1" in shown, "Player 2" in shown, "Player 0" in shown) == (True, True, False)
    hidden = texts(busy().observe(0).svg())
    assert "elixir unknown" in hidden
    assert hidden.count("?") == 5


def test_fallen_towers_sleeping_kings_and_results_show() -> None:
    state = scene(tick=1800, of=game())
    towers = state.to_json()["players"][1]["towers"]
    over = changed(state, 1, towers=[[0, 0, -1], *towers[1:]])
    classes = [element.get("class") for element in ElementTree.fromstring(over.svg()).iter()]
    assert classes.count("tower fallen") == 1
    assert "player 1 has won" in texts(over.svg())
    assert "Player 1, has won" in str(over)
    assert "left fallen" in str(over)
    assert "king 4008 asleep" in str(over)
    assert "drawn" in str(scene(tick=3000, of=game()))
    assert "2:00.0 left, overtime" in str(state)


def test_the_terminal_shows_the_arena_and_every_unit() -> None:
    lines = str(busy()).splitlines()
    assert lines[0] == "2:57.0 left, running"
    rows = {int(line[:2]): line[3:39] for line in lines[1:33]}
    assert rows[13][6:8] == "KN"
    assert rows[14][6:8] == "kn"
    assert rows[16] == rows[15] == "~~~~======~~~~~~~~~~~~~~~~======~~~~"
    assert rows[2][14:22] == "██**████"
    assert sum("Knight" in line and "strikes at" in line for line in lines) == 2
    fresh = str(deploy(scene(of=game()), 0, "Giant", 3, 3)).splitlines()
    assert any("Giant deploying" in line for line in fresh)
    assert any(line.endswith("hand: Giant 5 (waits for it), Archers 3, Arrows 3, Minions 3") for line in lines)


def test_several_units_in_one_tile_are_counted() -> None:
    state = scene(own=[("Minions", 3300, 9300), ("Minions", 3700, 9300), ("Knight", 3500, 9600)], of=game())
    assert "M3" in str(state)


def test_every_state_of_a_battle_can_be_drawn() -> None:
    for number, (_, _, after) in enumerate(steps(5)):
        if number % 20 == 0 or after.is_over():
            ElementTree.fromstring(after.svg())
            assert str(after.observe(number % 2))


def test_codes_are_two_letters_and_different() -> None:
    assert unit_codes(["Knight", "Kn", "Baby Dragon", "Big Dog", "K"]) == ["Kn", "K0", "BD", "Bi", "K1"]
