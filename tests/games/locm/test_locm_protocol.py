"""The bots' text protocol, against recorded games and against nonsense."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactician.errors import UnknownNameError
from tactician.games.locm.cards import CARDS
from tactician.games.locm.protocol import (
    SHAPES,
    Action,
    CardLine,
    Fault,
    InputBlock,
    PlayerLine,
    ProtocolError,
    SeenAction,
    battle_answer,
    constructed_answer,
    draft_answer,
    format_answer,
    format_block,
    is_draft,
    offered_line,
    parse_block,
    seat_of,
)

RECORDED = Path(__file__).parents[2] / "conformance" / "locm"
BATTLE = [
    "26 3 23 25 1",
    "30 3 23 25 1",
    "6 1",
    "158 USE 6 -1",
    "2",
    "20 1 0 0 5 8 2 ------ 0 0 0 -1 ",
    "10 7 -1 0 3 3 1 --D--- 0 0 0 0 ",
]


def read(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


# -- recorded games --------------------------------------------------------------------------------------------


def test_every_block_of_the_whole_games_reads_and_writes_back() -> None:
    calls = [call for game in read(RECORDED / "protocol_games.jsonl.gz") for call in game["calls"]]
    assert len(calls) == 2006
    for call in calls:
        lines = iter([line + "\n" for line in call["in"]])
        block = parse_block(lines)
        assert block is not None
        assert next(lines, None) is None
        assert format_block(block) == call["in"]
        assert seat_of(block) in (call["player"], None)
        assert not is_draft(block) or seat_of(block) == call["player"]


def test_answers_of_the_whole_games_are_faults_exactly_where_the_referee_said_so() -> None:
    for game in read(RECORDED / "protocol_games.jsonl.gz"):
        faults, wanted = [], []
        for call in game["calls"]:
            block = parse_block(call["in"])
            assert block is not None
            if is_draft(block):
                picked = draft_answer(call["out"], [card.number for card in block.cards])
                faults += [call["player"]] if isinstance(picked, Fault) else []
                continue
            actions = battle_answer(call["out"])
            if isinstance(actions, Fault):
                faults.append(call["player"])
            else:
                wanted += [f"${call['player']} {action.text()}" for action in actions]
        assert faults == ([int(game["fault"][1])] if game["fault"] else [])
        asked = iter(wanted)
        assert all(performed in asked for performed in game["performed"])  # in order, each asked for


def test_draft_answers_of_the_whole_games_give_the_decks_that_were_played() -> None:
    for game in read(RECORDED / "protocol_games.jsonl.gz"):
        picked: tuple[list[int], list[int]] = ([], [])
        drawn: tuple[set[int], set[int]] = (set(), set())
        for call in game["calls"]:
            block = parse_block(call["in"])
            assert block is not None
            if is_draft(block):
                offered = [card.number for card in block.cards]
                index = draft_answer(call["out"], offered)
                picked[call["player"]].append(0 if isinstance(index, Fault) else offered[index])
            else:
                drawn[call["player"]].update(card.number for card in block.cards if card.location == 0)
        assert all(drawn[player] <= set(picked[player]) for player in (0, 1))


@pytest.mark.parametrize(("version", "pattern"), [("1.2", "locm12_0[0-2]*.gz"), ("1.5", "v15/*.gz")])
def test_input_blocks_of_the_traces_read_and_write_back(version: str, pattern: str) -> None:
    count = 0
    for path in sorted(RECORDED.glob(pattern)):
        for entry in read(path):
            if entry["t"] == "input":
                block = parse_block(entry["lines"], version)
                assert block is not None
                assert format_block(block, version) == entry["lines"]
                assert seat_of(block) in (entry["player"], None)
                count += 1
    assert count > 300


# -- blocks ----------------------------------------------------------------------------------------------------

numbers = st.integers(-(2**31), 2**31 - 1)
small = st.integers(0, 99)


@st.composite
def blocks(draw: st.DrawFn, version: str) -> InputBlock:
    shape = SHAPES[version]
    players = st.builds(PlayerLine, numbers, numbers, numbers, numbers if shape.rune else st.none(), numbers)
    summon = st.builds(Action, st.just("SUMMON"), small, st.integers(0, 1) if shape.lane else st.just(0))
    other = st.builds(Action, st.sampled_from(["ATTACK", "USE"]), small, st.integers(-1, 99))
    location = draw(st.sampled_from([-1, 0, 1]))
    lane = st.sampled_from([-1, 0, 1]) if shape.lane else st.just(-1 if location == 0 else 0)
    card = st.builds(
        CardLine,
        number=small,
        instance=st.integers(-1, 127),
        location=st.just(location),
        kind=st.integers(0, 3),
        cost=small,
        attack=numbers,
        defense=numbers,
        abilities=st.integers(0, 63),
        player_hp=numbers,
        enemy_hp=numbers,
        card_draw=small,
        area=st.integers(0, 2) if shape.area else st.just(0),
        lane=lane,
    )
    return InputBlock(
        draw(players),
        draw(players),
        draw(small),
        draw(st.lists(st.builds(SeenAction, small, summon | other), max_size=4)),
        draw(st.lists(card, max_size=4)),
    )


@pytest.mark.parametrize("version", SHAPES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_blocks_of_every_version_read_and_write_back(version: str, data: st.DataObject) -> None:
    block = data.draw(blocks(version))
    assert parse_block(format_block(block, version), version) == block


def test_the_end_of_the_input_is_no_block() -> None:
    assert parse_block([]) is None
    assert parse_block(["\n", " \n"]) is None


def test_blocks_follow_each_other_and_only_one_is_taken() -> None:
    lines = iter([*BATTLE, "", *BATTLE])
    assert parse_block(lines) == parse_block(lines) == parse_block(BATTLE)
    assert parse_block(lines) is None


@pytest.mark.parametrize("kept", range(1, len(BATTLE)))
def test_a_truncated_block_is_refused(kept: int) -> None:
    with pytest.raises(ProtocolError, match=rf"the input ends after line {kept} of a block; expected"):
        parse_block(BATTLE[:kept])


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, "26 3 23 25", "expected 5 fields: hp maxMana deckSize nextRune draw"),
        (2, "30 3 x 25 1", "expected a whole number instead of 'x'"),
        (3, "6", "expected 2 fields: opponentHand opponentActions"),
        (3, "6 -1", "expected 0 to 100 actions of the opponent"),
        (3, "6 1000000", "expected 0 to 100 actions of the opponent"),
        (4, "158 HIT 6 -1", "expected cardNumber, one of SUMMON, ATTACK, USE, id and argument"),
        (4, "158 USE 6", "expected cardNumber, one of"),
        (5, "-2", "expected 0 to 120 cards"),
        (6, "20 1 0 0 5 8 2 ------ 0 0 0", "expected 12 fields: cardNumber instanceId"),
        (6, "20 1 0 0 5 8 2 -----X 0 0 0 -1", "expected abilities such as BCDGLW"),
        (6, "20 1 0 0 5 8 2 CB---- 0 0 0 -1", "expected abilities such as BCDGLW"),
        (6, "20 1 2 0 5 8 2 ------ 0 0 0 -1", "expected a location of -1 to 1"),
        (6, "20 1 0 4 5 8 2 ------ 0 0 0 -1", "a type of 0 to 3"),
        (7, "20 1 0 0 5 8 2 ------ 0 0 0 2", "expected a lane of -1 to 1"),
        (7, "20 1 0 0 5 99999999999 2 ------ 0 0 0 -1", "expected a whole number instead of '99999999999'"),
    ],
)
def test_a_malformed_line_is_named(line: int, text: str, message: str) -> None:
    lines = [*BATTLE[: line - 1], text, *BATTLE[line:]]
    with pytest.raises(ProtocolError, match=message) as caught:
        parse_block(lines)
    assert str(caught.value).startswith(f"line {line} of a block is {text!r}; expected ")


@given(st.lists(st.text(), max_size=12))
def test_nonsense_is_refused_and_never_crashes(lines: list[str]) -> None:
    for version in SHAPES:
        with contextlib.suppress(ProtocolError):
            parse_block(lines, version)


def test_a_draft_block_tells_seat_and_phase() -> None:
    draft = [*(["30 0 4 25 0"] * 2), "0 0", "0"]
    first = parse_block(draft)
    second = parse_block([draft[0], "30 0 5 25 0", *draft[2:]])
    battle = parse_block(BATTLE)
    constructed = parse_block(["30 0 0 0", "30 0 0 0", "0 0", "0"], "1.5")
    assert first is not None and second is not None and battle is not None and constructed is not None  # noqa: PT018
    assert (is_draft(first), seat_of(first)) == (True, 0)
    assert (is_draft(second), seat_of(second)) == (True, 1)
    assert (is_draft(battle), seat_of(battle)) == (False, 0)
    assert (is_draft(constructed), seat_of(constructed)) == (True, None)
    battle.cards.clear()
    assert seat_of(battle) is None


def test_an_offered_card_is_written_as_in_a_draft() -> None:
    player = PlayerLine(30, 0, 0, 25, 0)
    block = InputBlock(player, player, cards=[offered_line(CARDS[44])])
    assert format_block(block)[-2:] == ["1", "45 -1 0 0 6 6 5 B-D--- -3 0 0 -1 "]


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown protocol version '1.3'"):
        parse_block(BATTLE, "1.3")


def test_the_one_lane_form_has_no_lane() -> None:
    lines = ["26 3 23 25 1", "30 3 23 25 1", "6 1", "10 SUMMON 7", "1", "10 7 -1 0 3 3 1 --D--- 0 0 0 "]
    block = parse_block(lines, "1.0")
    assert block is not None
    assert block.opponent_actions == [SeenAction(10, Action("SUMMON", 7, 0))]
    assert block.cards[0].lane == 0
    assert format_block(block, "1.0") == lines


# -- answers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("PICK 0", 0),
        ("PICK 2 take this one", 2),
        ("PICK 1 ", 1),
        ("PASS", 0),
        ("PASS nothing", 0),
        ("CHOOSE 9", 1),
        ("CHOOSE 5  two blanks before text", 2),
    ],
)
def test_good_draft_answers(text: str, index: int) -> None:
    assert draft_answer(text, [7, 9, 5]) == index


@pytest.mark.parametrize(
    "text",
    [
        "",
        " PICK 0",
        "PICK  0",
        "PICK",
        "PICK 3",
        "PICK -1",
        "PICK x",
        "PICK 1x",
        "pick 1",
        "PICK\t1",
        "CHOOSE 8",
        "7",
        "PASSED",
    ],
)
def test_fatal_draft_answers(text: str) -> None:
    fault = draft_answer(text, [7, 9, 5])
    assert isinstance(fault, Fault)
    assert fault.reason.endswith("expected PASS, PICK 0 to 2 or CHOOSE one of 7, 9, 5.")


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("", []),
        (";", []),
        (" ; ;\t", []),
        ("PASS", []),
        ("PASS whatever 1 2;ATTACK 3 -1", [Action("ATTACK", 3, -1)]),
        ("  SUMMON 4 1 go go 3  ;;USE 5 -1", [Action("SUMMON", 4, 1), Action("USE", 5, -1)]),
        ("SUMMON 4 7", [Action("SUMMON", 4, 7)]),
        ("ATTACK 3 -1  two blanks", [Action("ATTACK", 3, -1)]),
    ],
)
def test_well_formed_battle_answers(text: str, actions: list[Action]) -> None:
    assert battle_answer(text) == actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ATTACK 1", "expected ATTACK id and target as whole numbers."),
        ("SUMMON a 0", "expected SUMMON id and lane as whole numbers."),
        ("SUMMON 1 0x", "expected SUMMON id and lane"),
        ("USE  1 2", "expected USE id and target"),
        ("USE 1  2", "expected USE id and target"),
        ("USE 1 99999999999", "expected USE id and target"),
        ("summon 1 0", "expected SUMMON, ATTACK, USE or PASS."),
        ("PICK 0", "expected SUMMON, ATTACK, USE or PASS."),
        ("SUMMON 1 0;ATTACK 2 -1;nonsense", "the action is 'nonsense'"),
        ("\u00a0PASS", "expected SUMMON, ATTACK, USE or PASS."),
    ],
)
def test_one_fatal_piece_spoils_the_line(text: str, expected: str) -> None:
    fault = battle_answer(text)
    assert isinstance(fault, Fault)
    assert expected in fault.reason


def test_one_lane_answers_summon_without_a_lane() -> None:
    assert battle_answer("SUMMON 4;ATTACK 3 -1", "1.0") == [Action("SUMMON", 4, 0), Action("ATTACK", 3, -1)]
    assert isinstance(battle_answer("SUMMON", "1.0"), Fault)
    assert format_answer([Action("SUMMON", 4, 0)], "1.0") == "SUMMON 4"


@given(st.lists(st.builds(Action, st.sampled_from(["SUMMON", "ATTACK", "USE"]), numbers, numbers)))
def test_written_answers_read_back(actions: list[Action]) -> None:
    assert battle_answer(format_answer(actions)) == actions


@given(st.text())
def test_any_answer_is_either_understood_or_a_fault(text: str) -> None:
    assert isinstance(battle_answer(text), (list, Fault))
    assert isinstance(draft_answer(text, [1, 2, 3]), (int, Fault))
    assert isinstance(constructed_answer(text, range(120)), (list, Fault))


def test_constructed_answers_of_the_traces_give_the_recorded_decks() -> None:
    for path in sorted((RECORDED / "v15").glob("*.gz")):
        config = next(read(path))
        for line, deck in zip(config["choices"], config["decks"], strict=True):
            chosen = constructed_answer(line, range(120))
            assert isinstance(chosen, list)
            assert sorted(chosen) == sorted(number for _, number in deck)


def test_a_pass_fills_the_deck_up_with_the_lowest_numbers_still_allowed() -> None:
    assert constructed_answer("PASS", range(120)) == [n for n in range(15) for _ in range(2)]
    filled = constructed_answer("CHOOSE 1 ; CHOOSE 50;PASS", range(120))
    assert filled == [1, 50, 0, 0, 1, *(n for n in range(2, 14) for _ in range(2)), 14]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (";".join(f"CHOOSE {n}" for n in range(29)), "29 cards are chosen; expected 30."),
        (";".join(f"CHOOSE {n}" for n in range(31)), "31 cards are chosen; expected 30."),
        ("", "0 cards are chosen; expected 30."),
        ("CHOOSE 3;CHOOSE 3;CHOOSE 3;PASS", "card 3 is chosen 3 times; expected at most 2."),
        ("CHOOSE 120;PASS", "the choice is 'CHOOSE 120'; expected CHOOSE with an offered card number, or PASS."),
        ("PICK 1;PASS", "the choice is 'PICK 1'; expected CHOOSE"),
        ("CHOOSE;PASS", "the choice is 'CHOOSE'; expected CHOOSE"),
        ("PASS;CHOOSE 100", "31 cards are chosen; expected 30."),
    ],
)
def test_fatal_constructed_answers(text: str, reason: str) -> None:
    fault = constructed_answer(text, range(120))
    assert isinstance(fault, Fault)
    assert fault.reason.startswith(reason)
