"""The drawings: complete, well-formed and readable with or without colours."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.text import Text

from tactician.games.locm.cards import CARDS
from tactician.games.locm.drawing import CardView, LocmScene, PlayerView, draw_svg, draw_text
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.icons import ICONS
from tactician.games.locm.portraits import portrait

SVG = "{http://www.w3.org/2000/svg}"


def card(number: int, **changes: object) -> CardView:
    return replace(CardView.of(CARDS[number - 1]), **changes)  # type: ignore[arg-type]


LEFT = (card(65, instance=17, can_attack=True), card(49, instance=19, defense=2, can_attack=True))
HERO = PlayerView("Hero", 23, 20, 4, 8, 19, 2, (card(142, instance=1), card(80), card(155)), 3, (LEFT, (card(99),)))
RIVAL = PlayerView("Rival", 5, 0, 0, 13, 25, 1, None, 6, ((), (card(48), card(110), card(15))))
SCENE = LocmScene((HERO, RIVAL), 17, to_move=0)


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def words(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def icons(element: ET.Element) -> list[str]:
    return [use.get("href", "").removeprefix("#locm-") for use in element.iter(f"{SVG}use")]


def plain(scene: LocmScene) -> str:
    return Text.from_markup(draw_text(scene)).plain


# -- text ------------------------------------------------------------------------------------------------------


def test_the_text_shows_figures_lanes_and_hands() -> None:
    text = plain(SCENE)
    assert text.startswith("Turn 17: Hero to move\n")
    assert "HP 23   rune 20   mana 4/8   deck 19   next draw 2" in text
    assert "HP 5   no rune   mana 0/13   deck 25   next draw 1" in text
    assert "hand: 6 hidden cards" in text
    assert re.search(r"\* #17  Steelplume Defender +\(2\)  2/2  -----W", text)
    assert re.search(r"#1   \( 0\) Staff of Suppression +red +0/0 +BCDGLW", text)
    assert re.search(r"Scroll of Firebolt +blue +0/-3 +------  enemy -1", text)
    assert "left lane (0)" in text
    assert "right lane (1)" in text


def test_the_lower_player_can_be_either() -> None:
    text = plain(replace(SCENE, bottom=1))
    assert text.index("Hero  ") < text.index("Gargoyle") < text.index("Rival  ")


def test_the_end_names_the_winner() -> None:
    assert "Turn 17: Rival wins" in plain(replace(SCENE, to_move=None, winner=1))
    assert "Turn 17: Game over" in plain(replace(SCENE, to_move=None))


def test_names_never_act_as_markup() -> None:
    scene = replace(SCENE, players=(replace(HERO, name="[red]x[/]"), RIVAL))
    assert "[red]x[/]" in plain(scene)


def test_without_runes_none_are_mentioned() -> None:
    scene = replace(SCENE, players=(replace(HERO, rune=None), replace(RIVAL, rune=None)))
    assert "rune" not in plain(scene)


# -- picture ---------------------------------------------------------------------------------------------------


def test_the_picture_shows_every_card_with_its_figures() -> None:
    root = ET.fromstring(draw_svg(SCENE))
    cards = of_class(root, "card")
    assert len(cards) == 3 + 3 + 3
    assert len(of_class(root, "back")) == 6
    assert len(of_class(root, "free")) == 12 - 6
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[0] == "Legends of Code and Magic, turn 17: Hero to move"
    assert "Shiny Prowler: creature, cost 2, 1/2, ---GL-, can attack" in titles
    (prowler,) = [c for c in cards if "#19" in words(c)]
    assert {"guard", "lethal", "gem", "attack", "defense"} <= set(icons(prowler))
    assert len(of_class(prowler, "glow")) == len(of_class(prowler, "plate")) == 1
    assert {"1", "2"} <= set(words(prowler))


def test_guard_ward_and_readiness_are_seen_on_the_board_only() -> None:
    root = ET.fromstring(draw_svg(SCENE))
    assert len(of_class(root, "glow")) == 2
    assert len(of_class(root, "bubble")) == 1
    assert len(of_class(root, "plate")) == 3
    (hand, *_) = of_class(root, "hand")
    assert not of_class(hand, "plate")


def test_runes_mana_and_the_turn_are_drawn() -> None:
    root = ET.fromstring(draw_svg(SCENE))
    rival, hero = of_class(root, "player")
    assert (icons(hero).count("rune"), icons(hero).count("gone")) == (4, 1)
    assert (icons(rival).count("rune"), icons(rival).count("gone")) == (0, 5)
    assert (icons(hero).count("mana"), icons(hero).count("spent")) == (4, 4)
    assert {"23", "19", "+2", "4/8", "Hero"} <= set(words(hero))
    assert len(of_class(root, "arrow")) == 1


def test_the_winner_wears_a_crown() -> None:
    root = ET.fromstring(draw_svg(replace(SCENE, to_move=None, winner=1)))
    rival, hero = of_class(root, "player")
    assert "crown" in icons(rival)
    assert "crown" not in icons(hero)
    assert not of_class(root, "arrow")


def test_red_items_strike_their_abilities_out_and_areas_are_marked() -> None:
    assert len(of_class(ET.fromstring(draw_svg(SCENE)), "lost")) == 1
    wide = replace(SCENE, players=(replace(HERO, hand=(card(1, area=2),)), RIVAL))
    (hand,) = [hand for hand in of_class(ET.fromstring(draw_svg(wide)), "hand") if of_class(hand, "card")]
    assert "area" in icons(hand)
    assert "both" in words(hand)


def test_every_icon_used_is_defined() -> None:
    root = ET.fromstring(draw_svg(SCENE))
    defined = {symbol.get("id") for symbol in root.iter(f"{SVG}symbol")}
    assert {use.get("href", "").removeprefix("#") for use in root.iter(f"{SVG}use")} <= defined
    assert len(defined) == ICONS.symbols().count("<symbol")


def test_no_two_creatures_have_the_same_portrait() -> None:
    assert len({portrait(number) for number in range(1, 161)}) == 160


# -- anything --------------------------------------------------------------------------------------------------

figures = st.integers(-999, 999)
views = st.builds(
    CardView,
    name=st.text(max_size=40),
    kind=st.integers(0, 3),
    cost=st.integers(0, 99),
    attack=figures,
    defense=figures,
    abilities=st.integers(0, 63),
    player_hp=st.integers(-9, 9),
    enemy_hp=st.integers(-9, 9),
    card_draw=st.integers(0, 9),
    area=st.integers(0, 2),
    number=st.integers(0, 255),
    instance=st.none() | st.integers(0, 127),
    can_attack=st.booleans(),
)


def players(lanes: int) -> st.SearchStrategy[PlayerView]:
    row = st.lists(views, max_size=6 // lanes).map(tuple)
    return st.builds(
        PlayerView,
        name=st.text(max_size=40),
        hp=figures,
        rune=st.sampled_from([None, 0, 5, 25]),
        mana=st.integers(0, 20),
        max_mana=st.integers(0, 20),
        deck=st.integers(0, 30),
        next_draw=st.integers(0, 9),
        hand=st.none() | st.lists(views, max_size=8).map(tuple),
        hand_size=st.integers(0, 8),
        lanes=st.lists(row, min_size=lanes, max_size=lanes).map(tuple),
    )


scenes = st.integers(1, 2).flatmap(
    lambda lanes: st.builds(
        LocmScene,
        players=st.tuples(players(lanes), players(lanes)),
        turn=st.integers(0, 200),
        to_move=st.sampled_from([None, 0, 1]),
        winner=st.sampled_from([None, 0, 1]),
        bottom=st.integers(0, 1),
    )
)


@settings(max_examples=40, deadline=None)
@given(scenes)
def test_any_scene_is_drawn_well_formed(scene: LocmScene) -> None:
    ET.fromstring(draw_svg(scene))
    Text.from_markup(draw_text(scene))


@pytest.mark.parametrize("seed", range(3))
def test_text_stays_within_a_hundred_columns(seed: int) -> None:
    cards = tuple(CardView.of(made, instance=118) for made in generate_cards(seed))
    for start in range(0, 120, 8):
        hand = cards[start : start + 8]
        creatures = tuple(view for view in cards if view.is_creature)[:3]
        player = replace(HERO, hand=hand, lanes=(creatures, creatures), rune=None)
        assert max(map(len, plain(replace(SCENE, players=(player, RIVAL))).splitlines())) <= 100
