"""The drawings of Hero Academy: complete, well-formed and readable with or without colours."""

from __future__ import annotations

import copy
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from rich.text import Text

from tactician.errors import InvalidStateError
from tactician.games.hero_academy.drawing import draw_svg, draw_text

LARGE_MAP = ["d000S000D", "00c000C00", "00P000P00", "0c00000C0", "d000A000D"]
SMALL_MAP = ["d00S00D", "00c0C00", "0c0P0C0", "d00A00D"]
TINY_MAP = ["d0S0P", "c0A0C", "P0S0D"]
STRIP_MAP = ["d" + "0" * 30 + "AS" + "." * 30 + "D"]

NO_CARDS = [0] * 11
NAMES = {"K": "knight", "A": "archer", "C": "cleric", "W": "wizard", "N": "ninja", "X": "crystal"}
EQUIPMENT = {"R": "runemetal", "S": "scroll", "D": "dragonscale", "H": "helm"}
SVG = "{http://www.w3.org/2000/svg}"


def position_with(units: list[list[Any]], **changes: Any) -> dict[str, Any]:
    position: dict[str, Any] = {
        "turn": 21,
        "player": 1,
        "ap": 3,
        "terminal": False,
        "winner": None,
        "units": units,
        "hands": [[0, 1, 0, 2, 0, 1, 1, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0, 0, 1, 0, 1, 1]],
        "decks": [[1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0], [0, 2, 0, 0, 1, 0, 0, 0, 1, 0, 0]],
        "seeds": [79882, 114162],
    }
    return position | changes


CROWDED = position_with(
    [
        [0, 0, 1, "C", 801, ""],
        [0, 1, 1, "K", 1200, "DH"],
        [1, 1, 1, "W", 777, "RSDH"],
        [1, 3, 1, "X", 4150, ""],
        [2, 2, 1, "N", 0, "H"],
        [3, 4, 1, "A", 880, "RD"],
        [4, 0, 2, "N", 450, "S"],
        [4, 4, 2, "C", 0, ""],
        [6, 1, 2, "X", 3800, ""],
        [7, 0, 2, "W", 635, "RSH"],
        [8, 2, 2, "K", 13, "D"],
    ]
)


def parse(rows: list[str], position: dict[str, Any]) -> ET.Element:
    return ET.fromstring(draw_svg(rows, position))


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def icons(element: ET.Element) -> list[str]:
    return [use.get("href", "").removeprefix("#ha-") for use in element.iter(f"{SVG}use")]


def unit_at(root: ET.Element, x: int, y: int) -> ET.Element:
    (unit,) = [u for u in of_class(root, "unit") if (u.get("data-x"), u.get("data-y")) == (str(x), str(y))]
    return unit


def hand_of(root: ET.Element, owner: int) -> ET.Element:
    (hand,) = [hand for hand in of_class(root, "hand") if f"owner-{owner}" in hand.get("class", "")]
    return hand


def plain(rows: list[str], position: dict[str, Any]) -> str:
    return Text.from_markup(draw_text(rows, position)).plain


def text_cell(rows: list[str], position: dict[str, Any], x: int, y: int) -> tuple[str, str]:
    lines = plain(rows, position).splitlines()
    upper, lower = (line.split("|")[1:-1] for line in lines[2 + 3 * y : 4 + 3 * y])
    return upper[x], lower[x]


# ---------------------------------------------------------------------------------------------- the picture


def test_picture_is_one_well_formed_svg_document_without_scripts_or_outside_resources() -> None:
    source = draw_svg(LARGE_MAP, CROWDED)
    root = ET.fromstring(source)
    assert root.tag == f"{SVG}svg"
    assert not list(root.iter(f"{SVG}script"))
    assert not list(root.iter(f"{SVG}image"))
    assert source.count("http") == 1, "only the name space"


def test_every_icon_used_is_defined_once() -> None:
    root = parse(LARGE_MAP, CROWDED)
    defined = [symbol.get("id", "").removeprefix("ha-") for symbol in root.iter(f"{SVG}symbol")]
    assert len(defined) == len(set(defined))
    assert set(icons(root)) <= set(defined)


@pytest.mark.parametrize("unit", CROWDED["units"], ids=lambda unit: f"{unit[3]}{unit[2]}")
def test_picture_shows_a_unit_with_its_hit_points_and_equipment(unit: list[Any]) -> None:
    x, y, owner, code, hp, equipment = unit
    drawn = unit_at(parse(LARGE_MAP, CROWDED), x, y)
    assert f"owner-{owner}" in drawn.get("class", "").split()
    assert icons(drawn)[0] == NAMES[code]
    assert texts(drawn) == [str(hp) if hp else "KO"]
    badges = [icon for icon in icons(drawn) if icon in EQUIPMENT.values()]
    assert badges == [EQUIPMENT[letter] for letter in equipment]


def test_picture_draws_nothing_else_on_the_board() -> None:
    assert len(of_class(parse(LARGE_MAP, CROWDED), "unit")) == len(CROWDED["units"])


def test_full_health_counts_armour() -> None:
    root = parse(LARGE_MAP, CROWDED)
    assert unit_at(root, 0, 1).findtext(f"{SVG}title") == "player 1 knight, 1200 of 1200 hp, dragonscale, helm"
    assert "of 960 hp" in (unit_at(root, 1, 1).findtext(f"{SVG}title") or "")


def test_fallen_units_and_only_those_are_marked() -> None:
    root = parse(LARGE_MAP, CROWDED)
    fallen = of_class(root, "fallen")
    assert {(unit.get("data-x"), unit.get("data-y")) for unit in fallen} == {("2", "2"), ("4", "4")}
    assert all("fallen" in icons(unit) for unit in fallen)
    assert not any("fallen" in icons(unit) for unit in of_class(root, "unit") if unit not in fallen)


def test_owners_differ_in_the_shape_of_their_tiles() -> None:
    position = position_with([[0, 0, 1, "K", 500, ""], [1, 0, 2, "K", 500, ""]])
    root = parse(LARGE_MAP, position)
    first, second = (unit_at(root, x, 0).find(f"{SVG}path") for x in (0, 1))
    assert first is not None
    assert second is not None
    assert first.get("d") != second.get("d")


def test_special_squares_show_under_units_and_when_empty() -> None:
    root = parse(LARGE_MAP, CROWDED)
    assert "deploy" in icons(unit_at(root, 0, 0))
    assert "defense" in icons(unit_at(root, 4, 0))
    assert "assault" in icons(unit_at(root, 4, 4))
    empty = [icon for square in of_class(root, "square") for icon in icons(square)]
    assert sorted(empty) == ["deploy", "deploy", "deploy", "power", "ruin", "ruin"]


def test_hands_show_each_kind_once_with_its_count() -> None:
    root = parse(LARGE_MAP, CROWDED)
    cards = [(icons(card), texts(card)) for card in of_class(hand_of(root, 1), "card")]
    assert cards == [
        (["archer"], ["archer"]),
        (["wizard"], ["wizard", "×2"]),
        (["inferno"], ["inferno"]),
        (["potion"], ["potion"]),
    ]
    assert "deck 3" in texts(hand_of(root, 1))
    assert "deck 4" in texts(hand_of(root, 2))


def test_a_hidden_hand_is_face_down_cards_only_and_not_part_of_the_deck() -> None:
    hidden = position_with(CROWDED["units"], hidden=[0, 4])
    hidden["hands"] = [hidden["hands"][0], NO_CARDS]
    hidden["decks"] = [hidden["decks"][0], [0, 2, 3, 0, 1, 0, 0, 0, 2, 0, 0]]
    root = parse(LARGE_MAP, hidden)
    assert [icons(card) for card in of_class(hand_of(root, 2), "card")] == [["back"]] * 4
    assert "deck 4" in texts(hand_of(root, 2))
    assert "4 face down" in plain(LARGE_MAP, hidden)
    assert "deck 4" in plain(LARGE_MAP, hidden)


def test_an_empty_hand_is_said_to_be_empty() -> None:
    position = position_with([], hands=[NO_CARDS, NO_CARDS])
    assert "no cards in hand" in texts(hand_of(parse(TINY_MAP, position), 1))
    assert "hand: empty" in plain(TINY_MAP, position)


@pytest.mark.parametrize(("ap", "left", "spent"), [(0, 0, 5), (3, 3, 2), (5, 5, 0), (7, 7, 0), (50, 7, 0)])
def test_action_points_are_pips(ap: int, left: int, spent: int) -> None:
    position = position_with([], ap=ap)
    root = parse(LARGE_MAP, position)
    assert (len(of_class(root, "pip")), len(of_class(root, "spent-pip"))) == (left, spent)
    assert f"to move, {ap} AP" in texts(root)
    assert plain(LARGE_MAP, position).endswith(f"AP {ap} " + "●" * left + "○" * spent)


@pytest.mark.parametrize(("winner", "result"), [(0, "Draw"), (1, "Player 1 wins"), (2, "Player 2 wins")])
def test_a_finished_game_shows_its_result_and_nobody_to_move(winner: int, result: str) -> None:
    position = position_with(CROWDED["units"], terminal=True, winner=winner)
    root = parse(LARGE_MAP, position)
    assert result in texts(root)
    assert icons(root).count("crown") == (1 if winner else 0)
    assert not of_class(root, "pip")
    assert plain(LARGE_MAP, position).endswith(result)
    assert "to move" not in "".join(texts(root)) + plain(LARGE_MAP, position)


# ------------------------------------------------------------------------------------------------- the text


@pytest.mark.parametrize("unit", CROWDED["units"], ids=lambda unit: f"{unit[3]}{unit[2]}")
def test_text_shows_a_unit_with_owner_hit_points_and_equipment(unit: list[Any]) -> None:
    x, y, owner, code, hp, equipment = unit
    upper, lower = text_cell(LARGE_MAP, CROWDED, x, y)
    assert upper.split() == [f"{code}>" if owner == 1 else f"<{code}", str(hp) if hp else "†0"]
    assert lower[:-1].strip() == equipment


def test_text_marks_special_squares_with_and_without_a_unit() -> None:
    assert text_cell(LARGE_MAP, CROWDED, 6, 2) == (" power ", "      ★")
    assert text_cell(LARGE_MAP, CROWDED, 4, 0)[1].endswith("■")
    assert text_cell(LARGE_MAP, CROWDED, 4, 4)[1].endswith("▲")
    assert text_cell(LARGE_MAP, CROWDED, 0, 0)[1].endswith("»")
    assert text_cell(LARGE_MAP, CROWDED, 8, 4)[1].endswith("«")


def test_text_of_the_large_map_fits_80_columns_even_with_every_card_in_hand() -> None:
    full = position_with(CROWDED["units"], hands=[[3] * 11, [2] * 11], turn=100, player=2)
    for position in (CROWDED, full):
        lines = Text.from_markup(draw_text(LARGE_MAP, position)).split()
        assert max(line.cell_len for line in lines) <= 80


def test_text_names_hands_decks_and_crystals() -> None:
    text = re.sub(r"\s+", " ", plain(LARGE_MAP, CROWDED))
    assert "Player 1 hand: archer, wizard ×2, inferno, potion; deck 3; crystals 4150" in text
    assert "Player 2 hand: cleric ×3, runemetal, dragonscale, helm; deck 4; crystals 3800" in text
    assert text.endswith("Turn 21 Player 1 to move, AP 3 ●●●○○")


def test_text_leaves_no_markup_behind() -> None:
    assert not re.search(r"[\[\]]", plain(LARGE_MAP, CROWDED))


# -------------------------------------------------------------------------------------------- both drawings


@pytest.mark.parametrize("rows", [LARGE_MAP, SMALL_MAP, TINY_MAP, STRIP_MAP], ids=["9x5", "7x4", "5x3", "63x1"])
def test_drawings_follow_the_size_of_the_board(rows: list[str]) -> None:
    position = position_with([[len(rows[0]) - 1, len(rows) - 1, 2, "A", 321, "R"]])
    root = parse(rows, position)
    assert len(of_class(root, "square")) == len(rows) * len(rows[0])
    assert len(of_class(root, "unit")) == 1
    assert text_cell(rows, position, len(rows[0]) - 1, len(rows) - 1)[0] == "<A  321"


def test_a_larger_board_makes_a_larger_picture() -> None:
    sizes = [parse(rows, position_with([])).get("viewBox", "").split()[2:] for rows in (LARGE_MAP, SMALL_MAP)]
    (large_width, _), (small_width, _) = sizes
    assert float(large_width) > float(small_width)


def test_drawings_are_deterministic_and_leave_the_position_alone() -> None:
    position = copy.deepcopy(CROWDED)
    for draw in (draw_svg, draw_text):
        assert draw(LARGE_MAP, position) == draw(tuple(LARGE_MAP), copy.deepcopy(CROWDED))
    assert position == CROWDED


@pytest.mark.parametrize(
    ("rows", "units", "message"),
    [
        ([], [], "rectangle"),
        (["d00", "D0"], [], "rectangle"),
        (TINY_MAP, [[5, 0, 1, "K", 1000, ""]], "expected a square of 5 columns and 3 rows"),
        (TINY_MAP, [[0, 0, 1, "Q", 1000, ""]], "class of KACWNX"),
        (TINY_MAP, [[0, 0, 3, "K", 1000, ""]], "expected owner 1 or 2"),
        (TINY_MAP, [[0, 0, 1, "K", 1000, "Z"]], "equipment of RSDH"),
    ],
)
def test_impossible_positions_are_named(rows: list[str], units: list[list[Any]], message: str) -> None:
    for draw in (draw_svg, draw_text):
        with pytest.raises(InvalidStateError, match=message):
            draw(rows, position_with(units))
