"""Boards: what a person may do and see, and that a board comes back as it was from its events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tactician.contract.plain import plain
from tactician.errors import IllegalActionError
from tactician.games.locm.cards import CARDS
from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.web.board import UNSEEN, Board, Setup, rebuilt
from tactician.web.pages import board_page
from tactician.web.service import board_view

HIDDEN = "hero-academy:information=hidden,draws=shuffled"


def board_of(game: str, seats: tuple[str, ...] = ("person", "oep"), seed: int = 1, **more: Any) -> Board:
    return rebuilt("ab" * 8, "owner", Setup(game, game, seats, "20its", seed, **more), load_game(game), ())


def act(board: Board, name: str) -> dict[str, Any]:
    code = next(action["code"] for action in board.actions() if action["name"] == name)
    event = board.check_action(code)
    board.play(event)
    return event


def answer(board: Board) -> dict[str, Any]:
    """A planner's turn in the form of the analysis."""
    plan = parse_planner("greedy-action").on(board.game, full_information=True).plan(board.state, "100evals")
    return {"turn": {"codes": list(plan.actions)}, "rootInfo": {"timeMs": 1.0}, "turnInfos": []}


def test_a_person_acts_and_the_log_tells_it() -> None:
    board = board_of("hero-academy")
    act(board, "deploy knight on (0,0)")
    entry = board.entry(0, board.viewer)
    assert (entry["name"], entry["parts"], entry["seat"]) == ("deploy knight on (0,0)", ["card:1:K", "square:0,0"], 0)
    assert board.number == 1
    assert board.waits_for_person


def test_an_action_of_the_wrong_seat_or_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    board = board_of("hero-academy", ("oep", "person"))
    with pytest.raises(IllegalActionError, match="not your turn"):
        board.check_action(0)
    own = board_of("hero-academy")
    with pytest.raises(IllegalActionError, match="not legal"):
        own.check_action(99999)
    assert (board.number, own.number) == (0, 0)


def test_actions_are_taken_back_within_the_turn_and_not_beyond() -> None:
    board = board_of("hero-academy")
    start = board.state
    act(board, "deploy knight on (0,0)")
    act(board, "knight (0,0) moves to (1,0)")
    for _ in range(2):
        assert board.can_undo()
        board.play(board.check_undo())
    assert board.state == start
    assert not board.can_undo()
    act(board, "end turn")
    assert not board.can_undo()
    with pytest.raises(IllegalActionError, match="can't be taken back"):
        board.check_undo()


class Vault:
    """Player 0 steps, rolls a die, or looks at a card that is hidden; a turn has three actions."""

    def initial_state(self, rng: Any) -> tuple[int, ...]:
        return (0, 0, 7, 0)  # actions done, die, card, whether the card was seen

    def legal_actions(self, state: tuple[int, ...], player: int) -> list[str]:
        return ["step", "roll", "look"]

    def apply(self, state: tuple[int, ...], action: str, rng: Any) -> tuple[int, ...]:
        done, die, card, seen = state
        die = rng.below(6) + 1 if action == "roll" else die
        return (done + 1, die, card, 1 if action == "look" else seen)

    def current_player(self, state: tuple[int, ...]) -> int:
        return 0 if state[0] < 3 else 1

    def is_over(self, state: tuple[int, ...]) -> bool:
        return state[0] >= 4

    def returns(self, state: tuple[int, ...]) -> tuple[float, float]:
        return (0.0, 0.0)

    def evaluate(self, state: tuple[int, ...]) -> tuple[float, float]:
        return (0.0, 0.0)

    def observe(self, state: tuple[int, ...], player: int) -> tuple[int, ...]:
        return (*state[:2], state[2] if state[3] else 0, state[3])

    def resample_hidden(self, state: tuple[int, ...], player: int, rng: Any) -> tuple[int, ...]:
        return state if state[3] else (*state[:2], rng.below(9) + 1, 0)


@pytest.mark.parametrize(("action", "possible"), [("step", True), ("roll", False), ("look", False)])
def test_an_action_that_showed_something_new_is_not_taken_back(action: str, possible: bool) -> None:
    game = plain(Vault(), name="vault", max_actions=3)
    board = rebuilt("ab" * 8, "owner", Setup("vault", "vault", ("person", "person"), "1its", 0), game, ())
    act(board, action)
    assert board.can_undo() is possible


def test_a_board_is_the_same_after_its_events_are_played_again() -> None:
    board = board_of(HIDDEN)
    events = [act(board, board.actions()[0]["name"]), act(board, "end turn")]
    for event in board.check_plan(1, answer(board)):
        board.play(event)
        events.append(event)
    undone = act(board, board.actions()[0]["name"])
    board.play({"type": "undo"})
    again = rebuilt(
        board.id, "owner", board.setup, board.game, json.loads(json.dumps([*events, undone, {"type": "undo"}]))
    )
    assert again.state == board.state
    assert again.moves == board.moves
    assert board_view(again, 0) == board_view(board, 0)


def test_nothing_that_the_viewer_can_not_see_leaves_the_board() -> None:
    board = board_of(HIDDEN, ("person", "oep"))
    act(board, "end turn")
    for event in board.check_plan(1, answer(board)):
        board.play(event)
    hand = board.state.record.hand[1]
    view = board_view(board, 0)
    assert hand.sum() > 0
    assert view["viewer"] == 0
    drawn = "".join(view["pictures"]["lines"])
    assert 'data-part="card:2:' not in drawn
    assert 'data-part="card:1:' in drawn
    assert "seeds" not in json.dumps(view)
    assert view["seed"] is None  # it would give away everything
    assert "seed" not in board_page(board).partition("</title>")[0].partition("<title>")[2]


def test_a_swap_of_a_hidden_card_is_not_named_in_the_opponents_log() -> None:
    board = board_of(HIDDEN, ("person", "person"))
    act(board, "end turn")
    swap = next(action["name"] for action in board.actions() if action["name"].startswith("swap"))
    act(board, swap)
    assert board.entry(1, viewer=1)["name"] == swap
    assert board.entry(1, viewer=0) == {**board.entry(1, viewer=1), "name": UNSEEN, "parts": []}


def test_what_an_opponent_deploys_is_named() -> None:
    board = board_of(HIDDEN, ("person", "person"))
    act(board, "end turn")
    deployed = next(action["name"] for action in board.actions() if action["name"].startswith("deploy"))
    act(board, deployed)
    assert board.entry(1, viewer=0)["name"] == deployed


def test_values_of_a_hidden_game_do_not_depend_on_what_is_hidden() -> None:
    board = board_of(HIDDEN)
    other = board.state.resample_hidden(0, 99)
    twin = board_of(HIDDEN)
    twin.states = [other]
    assert board.value(0, 0) == twin.value(0, 0)
    assert board.value(0, None) == board.state.evaluate()


def test_the_draft_comes_before_the_battle_and_decides_the_deck() -> None:
    board = board_of("locm")
    assert board.preparing
    picked = []
    for _ in range(30):
        assert "Draft" in board.drawing(0, board.viewer)
        names = [action["name"] for action in board.actions()]
        picked.append(names[2].removeprefix("pick "))
        board.play(board.check_choice(2))
    assert not board.preparing
    cards = {card.number: card.name for card in CARDS}
    assert sorted(cards[int(number)] for number in board.state.record.deck[0]) == sorted(picked)
    with pytest.raises(IllegalActionError, match="nothing to prepare"):
        board.check_choice(0)


def test_an_agent_of_the_game_drafts_for_itself() -> None:
    board = board_of("locm", ("locm-baseline1", "locm-baseline2"))
    assert not board.preparing
    assert all(board.options["picks"])


def test_where_all_act_at_once_a_step_needs_everybody() -> None:
    board = board_of("pommerman", ("person", "random", "random", "person"))
    assert board.acting == [0, 1, 2, 3]
    board.pending[board.check_action(1)["seat"]] = 1
    assert board.viewer == 3
    board.pending[board.check_action(5)["seat"]] = 5
    event = board.check_step(board.pending | {1: 0, 2: 0}, {})
    board.play(event)
    assert board.moves[0].codes == (1, 0, 0, 5)
    assert board.pending == {}
    with pytest.raises(IllegalActionError, match="not legal"):
        board.check_step({0: 77}, {})


def test_a_game_is_played_to_its_end_and_becomes_a_record() -> None:
    from tactician.arena.match import replay

    board = board_of("amazons:size=4,queens=1", ("person", "person"))
    while not board.over:
        board.play(board.check_action(board.actions()[0]["code"]))
    assert board.viewer is None
    assert sorted(board.returns() or []) == [-1.0, 1.0]
    record = board.record()
    assert replay(record) == board.state
    assert [len(turn.actions) for turn in record.turns][:-1] == [3] * (len(record.turns) - 1)
    assert [turn.seat for turn in record.turns][:2] == [0, 1]


def test_a_board_that_is_given_up_has_no_result() -> None:
    board = board_of("hero-academy")
    board.play({"type": "give-up"})
    assert board.over
    assert board.returns() is None
    assert board.record().error == "given up"


def test_a_plan_is_cut_where_chance_made_it_illegal() -> None:
    board = board_of("hero-academy", ("oep", "person"))
    made = answer(board)
    made["turn"]["codes"].insert(1, 99999)
    assert len(board.check_plan(0, made)) == 1
    made["turn"]["codes"] = [99999]
    with pytest.raises(IllegalActionError, match="no legal plan"):
        board.check_plan(0, made)


def test_another_start_is_a_text_or_a_state() -> None:
    text = board_of("amazons", ("person", "person"), start="choose d1; move to d7; shoot g7")
    state = board_of("amazons", ("person", "person"), start=text.state.to_json())
    assert text.state == state.state
    assert text.acting == [1]
