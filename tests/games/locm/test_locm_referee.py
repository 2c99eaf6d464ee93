"""The referee: whole games as text in and text out, faults included."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from locm_boards import legal

from tactician.games.locm.protocol import Action as Words
from tactician.games.locm.protocol import format_answer, parse_block
from tactician.games.locm.referee import Question, Referee

Bot = Callable[[Question], str]


def lazy(question: Question) -> str:
    """Takes the first card and never does anything."""
    return "PASS"


def eager(question: Question) -> str:
    """Summons and attacks whatever it can, and says so; the referee skips what is not legal."""
    version = "1.5" if len(question.lines[0].split()) == 4 else "1.2"
    block = parse_block(question.lines, version)
    assert block is not None
    if block.me.max_mana == 0:
        return "PASS"
    summons = [Words("SUMMON", card.instance, lane) for card in block.cards if card.location == 0 for lane in (0, 1)]
    attacks = [Words("ATTACK", card.instance, -1) for card in block.cards if card.location == 1]
    return format_answer([*summons, *attacks])


def played(referee: Referee, bots: tuple[Bot, Bot], most: int = 1000) -> list[Question]:
    """Play on, and return what was asked."""
    asked = []
    for _ in range(most):
        if referee.is_over:
            break
        question = referee.ask()
        asked.append(question)
        referee.answer(bots[question.player](question))
    return asked


def after_the_draft(version: str = "1.2", seed: int = 3) -> Referee:
    referee = Referee(master=seed, version=version)
    while referee.in_draft:
        referee.answer("PASS")
    return referee


# -- whole games -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "choices"), [("1.2", 30), ("1.0", 30), ("1.5", 1)])
def test_a_whole_game_has_a_draft_and_a_battle(version: str, choices: int) -> None:
    referee = Referee(master=11, version=version)
    asked = played(referee, (lazy, lazy))
    assert [question.player for question in asked[: 2 * choices]] == [0, 1] * choices
    assert [question.player for question in asked[2 * choices :]] == [
        number % 2 for number in range(len(asked) - 2 * choices)
    ]
    assert sorted(referee.scores) == [0, 1]
    assert referee.fault is None
    assert referee.performed == []


@pytest.mark.parametrize("version", ["1.2", "1.5"])
def test_whoever_attacks_beats_whoever_does_nothing(version: str) -> None:
    for seats in ((eager, lazy), (lazy, eager)):
        referee = Referee(master=5, version=version)
        played(referee, seats)
        assert referee.scores[seats.index(eager)] == 1
        assert referee.performed[0].startswith(f"${seats.index(eager)} SUMMON ")
        assert any("ATTACK" in text for text in referee.performed)


def test_equal_seeds_give_equal_games() -> None:
    games = [Referee(master=7), Referee(master=7), Referee(master=8)]
    for referee in games:
        played(referee, (eager, eager))
    assert games[0].performed == games[1].performed != games[2].performed


# -- the draft -------------------------------------------------------------------------------------------------


def test_both_are_offered_the_same_and_the_second_player_sees_the_first_one_ahead() -> None:
    referee = Referee(master=3)
    first, second = played(referee, (lazy, lazy), most=2)
    assert first.lines[:3] == ["30 0 0 25 0", "30 0 0 25 0", "0 0"]
    assert second.lines[:3] == ["30 0 0 25 0", "30 0 1 25 0", "0 0"]
    assert first.lines[3:] == second.lines[3:]
    assert len(first.lines) == 7


def test_picks_make_the_deck() -> None:
    referee = Referee(master=3)
    picked = []
    while referee.in_draft:
        question = referee.ask()
        if question.player == 0:
            picked.append(int(question.lines[6].split()[0]))
            referee.answer("PICK 2 with a word")
        else:
            referee.answer(f"CHOOSE {question.lines[5].split()[0]}")
    assert referee.state is not None
    assert sorted(referee.state.to_json()["decks"][0]) == sorted(picked)


def test_time_limits() -> None:
    def limits(version: str) -> list[int]:
        return [q.limit_ms for q in played(Referee(master=3, version=version), (lazy, lazy)) if q.player == 1]

    assert limits("1.2")[:33] == [1000, *[100] * 29, 1000, 200, 200]
    assert limits("1.0")[:33] == [1000, *[100] * 29, 1000, 100, 100]
    assert limits("1.5")[:4] == [4000, 1000, 200, 200]


@pytest.mark.parametrize("answer", ["PICK 3", " PICK 1", "PICK  1", "pick 1", "", "CHOOSE 999", "SUMMON 1 0"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bad_pick_costs_the_game_after_both_have_answered(answer: str, seat: int) -> None:
    referee = Referee(master=3)
    for player in (0, 1):
        assert not referee.is_over
        referee.answer(answer if player == seat else "PASS")
    assert referee.is_over
    assert referee.scores == [-1 if player == seat else 0 for player in (0, 1)]
    assert referee.fault is not None
    assert referee.fault.startswith(f"player {seat}: the draft answer is ")


# -- the constructed phase -------------------------------------------------------------------------------------


def test_in_version_1_5_thirty_cards_are_chosen_at_once() -> None:
    referee = Referee(master=9, version="1.5")
    question = referee.ask()
    assert question.lines[:4] == ["30 0 0 0", "30 0 0 0", "0 0", "120"]
    assert len(question.lines) == 124
    referee.answer("; ".join(f"CHOOSE {number}" for number in [*range(40, 55), *range(40, 55)]))
    referee.answer("PASS")
    assert referee.state is not None
    decks = referee.state.to_json()["decks"]
    assert sorted(number for _, number in decks[0]) == sorted([*range(40, 55)] * 2)
    assert sorted(number for _, number in decks[1]) == sorted([*range(15)] * 2)
    assert dict(decks[0])[0] == 40, "ids follow the order of choosing"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (";".join(["CHOOSE 1"] * 3), "card 1 is chosen 3 times; expected at most 2."),
        ("CHOOSE 1;CHOOSE 2", "2 cards are chosen; expected 30."),
        ("CHOOSE 120;PASS", "expected CHOOSE with an offered card number, or PASS."),
        ("", "0 cards are chosen; expected 30."),
    ],
)
def test_a_bad_construction_costs_the_game(answer: str, sentence: str) -> None:
    referee = Referee(master=9, version="1.5")
    referee.answer("PASS")
    referee.answer(answer)
    assert referee.scores == [0, -1]
    assert referee.fault is not None
    assert sentence in referee.fault


# -- the battle ------------------------------------------------------------------------------------------------


def test_illegal_actions_are_skipped_and_a_pass_does_not_end_the_line() -> None:
    referee = after_the_draft()
    referee.answer("PASS")
    referee.answer("PASS")
    assert referee.state is not None
    while not (summons := [text for text in legal(referee.state) if text.startswith("SUMMON")]):
        referee.answer("")
    text = summons[0]
    referee.answer(f"ATTACK 1 -1; PASS ; SUMMON 126 0;USE 999999 -1; {text} hello ;; {text};SUMMON {text.split()[1]} 7")
    assert [performed.split(" ", 1)[1] for performed in referee.performed] == [text]
    assert not referee.is_over


@pytest.mark.parametrize("answer", ["SUMMON 1", "JUMP 1 0", "SUMMON 1 x", "summon 1 0", "ATTACK  1 -1", "PASS;USE 1"])
def test_a_malformed_line_costs_the_game_before_any_of_it_is_executed(answer: str) -> None:
    referee = after_the_draft()
    referee.answer(f"{answer}")
    assert referee.scores == [-1, 0]
    assert referee.is_over
    assert referee.performed == []
    assert referee.fault is not None


def test_a_player_who_does_not_answer_loses() -> None:
    referee = after_the_draft()
    referee.answer("PASS")
    referee.fail("no answer within 1000 ms")
    assert referee.scores == [0, -1]
    assert referee.fault == "player 1: no answer within 1000 ms"
    assert referee.is_over


def test_whoever_dies_of_drawing_is_still_asked_once() -> None:
    referee = Referee(master=11)
    asked = played(referee, (lazy, lazy))
    assert referee.state is not None
    assert referee.scores == [0, 1]
    last = asked[-1]
    assert last.player == 0, "the first player dies in his 56th turn"
    assert last.lines[0].split()[0] == "0"
    assert len(asked) == 60 + 111
    assert referee.state.to_json()["turn"] == 110


def test_whatever_the_dead_answer_does_nothing_unless_it_is_malformed() -> None:
    for answer, scores in (("ATTACK 1 -1", [0, 1]), ("nonsense", [-1, 0])):
        referee = Referee(master=11)
        played(referee, (lazy, lazy), most=60 + 110)
        assert not referee.is_over
        assert referee.state is not None
        assert referee.state.is_over()
        referee.answer(answer)
        assert referee.is_over
        assert referee.scores == scores
        assert referee.performed == []


def test_the_opponents_actions_are_told_with_card_numbers() -> None:
    referee = after_the_draft()
    while not referee.performed:
        referee.answer(eager(referee.ask()))
    block = parse_block(referee.ask().lines)
    assert block is not None
    told = [f"{seen.action.text()}" for seen in block.opponent_actions]
    assert [text.split(" ", 1)[1] for text in referee.performed] == told
    assert all(1 <= seen.number <= 160 for seen in block.opponent_actions)
