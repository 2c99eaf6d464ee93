"""States: they change in place, refuse what is not legal, and tell what they are."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import broken_games as b
import numpy as np
import pytest
from nim_rules import declared, nim

from tactician.contract import Game, State
from tactician.errors import IllegalActionError, InvalidParameterError, InvalidStateError, RuleFailureError


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TACTICIAN_INTERPRETED", raising=False)


@pytest.fixture(params=["compiled", "interpreted", "checked"])
def race(request: pytest.FixtureRequest) -> Game:
    """A game with chance and every optional rule, run in each way."""
    return b.race() if request.param == "compiled" else getattr(b.race(), request.param)()


# -- identity --------------------------------------------------------------------------------------------------


def test_a_copy_is_equal_and_independent(race: Game) -> None:
    state = race.initial_state(seed=3)
    copy = state.copy()
    assert copy == state
    assert hash(copy) == hash(state)
    copy.apply(b.ROLL)
    assert copy != state
    assert state == race.initial_state(seed=3)


def test_a_copy_will_see_the_same_chance_and_a_reseeded_one_another(race: Game) -> None:
    state = race.initial_state(seed=3).apply(b.ROLL)
    assert state.copy().apply(b.ROLL) == state.copy().apply(b.ROLL)
    pots = {int(state.reseeded(seed).apply(b.ROLL).record.pot - state.record.pot) for seed in range(60)}
    assert pots == {1, 2, 3, 4, 5, 6}


def test_the_seed_decides_the_start_and_all_chance_after_it(race: Game) -> None:
    def played(seed: int) -> list[Any]:
        state = race.initial_state(seed=seed)
        return [state.apply(b.ROLL).to_json() for _ in range(6)]

    assert played(5) == played(5)
    assert len({json.dumps(played(seed)) for seed in range(10)}) == 10


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None])
def test_a_seed_is_a_non_negative_integer(seed: Any) -> None:
    with pytest.raises(InvalidParameterError, match="expected a non-negative integer"):
        b.race().initial_state(seed=seed)


def test_states_of_different_games_are_not_equal() -> None:
    assert nim(7).initial_state(left=3) != nim(8).initial_state(left=3)
    assert nim(7).initial_state(left=3) == nim(7).initial_state(left=3)
    assert nim(7).initial_state() != "nim"


def test_the_chance_to_come_is_not_part_of_what_a_state_is() -> None:
    state = b.race().initial_state(seed=1)
    assert state.reseeded(9) == state
    assert state.reseeded(9).key() == state.key()


def test_record_and_words_are_copies(race: Game) -> None:
    state = race.initial_state(seed=1)
    before = state.to_json()
    state.record.pot = 99
    state.record.score[0] = 99
    state.words[:] = 0
    assert state.to_json() == before
    assert state.game is race


# -- actions ---------------------------------------------------------------------------------------------------


def test_apply_changes_the_state_and_returns_it(race: Game) -> None:
    state = race.initial_state(seed=1)
    assert state.apply(b.WAIT) is state
    assert state.record.left == 1


@pytest.mark.parametrize("action", [b.BANK, 3, -1, 2**31, -(2**63), 10**30, 0.0, "roll", None, [0]])
def test_an_illegal_action_is_refused_with_a_sentence_and_changes_nothing(race: Game, action: Any) -> None:
    state = race.initial_state(seed=1)
    before, chance = state.copy(), state._stream.copy()
    with pytest.raises(IllegalActionError, match=r"^action .+ is not legal here(\.|; legal actions are e\.g\. .+\.)$"):
        state.apply(action)
    assert state == before
    assert np.array_equal(state._stream, chance)


def test_an_illegal_action_is_called_by_its_name() -> None:
    def called(g: Any, s: Any, action: int) -> str:
        return f"take {action}"

    state = nim(2, action_name=called).initial_state()
    with pytest.raises(IllegalActionError, match=r"^action 'take 3' \(code 3\) is not legal here\.$"):
        state.apply(3)


def test_a_finished_game_takes_no_action_and_lists_none(race: Game) -> None:
    state = race.initial_state(seed=1)
    while not state.is_over():
        state.apply(b.WAIT)
    before = state.copy()
    with pytest.raises(IllegalActionError, match=r"^the game is over; no action can follow \(given 2\)\.$"):
        state.apply(b.WAIT)
    assert state == before
    assert state.legal_actions() == state.candidate_actions() == state.possible_actions() == []
    assert not state.is_legal(b.WAIT)
    assert state.returns() == [0.0, 0.0]


@pytest.mark.parametrize(
    "actions", [0, [0], [0, 0, 0, 0], None, "000", [0, 0, 9], [0, 0, -1], [0, 0.5, 0], [0, "a", 0]]
)
def test_joint_actions_need_a_legal_one_for_each_player(actions: Any) -> None:
    state = b.bids().initial_state(seed=2)
    before = state.copy()
    with pytest.raises(IllegalActionError, match=r"expected one for each of 3 players|is not legal for player \d"):
        state.apply(actions)
    assert state == before


@pytest.mark.parametrize("actions", [[1, 0, 2], (1, 0, 2), np.array([1, 0, 2])])
def test_joint_actions_are_any_sequence(actions: Any) -> None:
    state = b.bids().initial_state(seed=2)
    coins = state.record.coins.tolist()
    assert state.apply(actions).record.coins.tolist() == [coins[0] - 1, coins[1], coins[2] - 2]


def test_where_all_act_the_player_must_be_named() -> None:
    state = b.bids().initial_state(seed=2)
    with pytest.raises(InvalidParameterError, match="all players act at once here; name the player"):
        state.legal_actions()
    assert state.legal_actions(2) == [0, 1, 2, 3]
    assert state.is_legal(3, 2)
    assert not state.is_legal(4, 2)


@pytest.mark.parametrize("player", [-1, 2])
def test_a_player_that_is_not_there_is_refused(player: int) -> None:
    with pytest.raises(InvalidParameterError, match=f"player is {player}; expected 0 to 1"):
        b.race().initial_state().legal_actions(player)


# -- optional rules and what stands in for them ----------------------------------------------------------------


def test_optional_rules_are_asked_where_they_are(race: Game) -> None:
    state = race.initial_state(seed=1).apply(b.ROLL)
    assert state.legal_actions() == [b.ROLL, b.BANK, b.WAIT]
    lists = {tuple(state.candidate_actions(seed=seed)) for seed in range(20)}
    assert lists == {(b.ROLL, b.ROLL), (b.ROLL, b.BANK)}
    assert state.possible_actions() == [0, 1, 2]
    assert state.rate_actions([b.WAIT, b.BANK]) == [-2.0, pytest.approx(0.1 * state.record.pot)]
    assert [state.action_group(action) for action in (0, 1, 2)] == [0, 0, 1]
    assert state.is_legal(b.BANK)


def test_without_the_optional_rules_the_legal_list_stands_in() -> None:
    state = nim(2).initial_state()
    assert state.candidate_actions() == state.possible_actions() == state.legal_actions() == [1, 2]
    assert state.rate_actions([2, 1]) == [0.0, 0.0]
    assert state.action_group(2) == 0
    assert [state.is_legal(action) for action in (0, 1, 2, 3)] == [False, True, True, False]
    assert state.observe(0) == state.resample_hidden(1, seed=3) == state


def test_more_actions_than_there_can_be_are_not_rated() -> None:
    with pytest.raises(InvalidParameterError, match="4 actions to rate; expected at most max_actions=3"):
        b.race().initial_state().rate_actions([0, 1, 2, 2])


def test_the_key_is_the_rules_or_a_hash_of_all_fields() -> None:
    state = b.race().initial_state(seed=1)
    assert state.key() == state.record.left  # everything else is 0 at the start
    game = nim(200)
    keys = {game.initial_state(left=left).key() for left in range(1, 200)}
    assert len(keys) == 199
    assert all(0 <= key < 2**64 for key in keys)
    assert game.initial_state(left=5).key() == game.interpreted().initial_state(left=5).key()


def test_a_key_above_63_bits_reads_the_same_in_every_mode() -> None:
    def all_but_left(g: Any, s: Any) -> Any:
        return ~np.uint64(s.left)

    game = nim(7, key=all_but_left)
    keys = [mode.initial_state().key() for mode in (game, game.interpreted(), game.checked())]
    assert keys == [2**64 - 8] * 3


def counts_too_many(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0], out[1], out[2] = 1, 2, 3
    return 3 if s.left == g.heap else 4


def test_a_list_longer_than_max_actions_is_the_rules_failure() -> None:
    state = nim(7, legal_actions=counts_too_many).initial_state().apply(3)
    with pytest.raises(
        RuleFailureError, match="'legal_actions' of 'nim' listed 4 actions; expected 0 to max_actions=3"
    ):
        state.legal_actions()


# -- hidden information ----------------------------------------------------------------------------------------


def test_observe_blanks_what_the_other_holds_and_the_chance_to_come() -> None:
    one, other = (b.cards().initial_state(seed=seed) for seed in (1, 2))
    seen = one.observe(0)
    assert seen.record.card.tolist() == [one.record.card[0], 0]
    assert one.record.card[1] != 0
    assert np.array_equal(seen._stream, other.observe(0)._stream)
    assert seen.observe(0) == seen


def test_resample_hidden_guesses_and_another_seed_guesses_otherwise() -> None:
    state = b.cards().initial_state(seed=1)
    guesses = [state.resample_hidden(0, seed=seed) for seed in range(40)]
    assert {int(guess.record.card[1]) for guess in guesses} == {1, 2, 3, 4, 5}
    assert all(guess.observe(0) == state.observe(0) for guess in guesses)
    assert state.resample_hidden(0, seed=7) == state.resample_hidden(0, seed=7)
    assert len({guess._stream.tobytes() for guess in guesses}) == 40


def test_a_guess_depends_only_on_what_is_seen() -> None:
    state = b.cards().state_from_json({"player": 0, "round": 0, "card": [3, 1], "claim": [0, 0]})
    other = b.cards().state_from_json({"player": 0, "round": 0, "card": [3, 5], "claim": [0, 0]})
    assert state.resample_hidden(0, seed=4) == other.resample_hidden(0, seed=4)


# -- other games with the same records -------------------------------------------------------------------------


def test_a_position_can_be_taken_to_another_mode_of_the_game() -> None:
    state = b.race().initial_state(seed=1).apply(b.ROLL)
    there = state.in_game(b.race().interpreted())
    assert there.game.backend.mode == "interpreted"
    assert there == state
    assert there.apply(b.ROLL) == state.apply(b.ROLL)


def test_a_position_can_not_be_taken_to_a_game_with_other_records() -> None:
    with pytest.raises(InvalidParameterError, match="game 'nim' has other records than 'race'"):
        b.race().initial_state().in_game(nim())


# -- for people ------------------------------------------------------------------------------------------------


def test_json_says_every_field_and_reads_back(race: Game) -> None:
    state = race.initial_state(seed=1).apply(b.ROLL)
    document = json.loads(json.dumps(state.to_json()))
    assert set(document) == {"player", "left", "score", "turns", "pot"}
    assert State.from_json(race, document) == state


GOOD = {"player": 0, "left": 2, "score": [1, 2], "turns": 0, "pot": 5}


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ([], r"state is \[\]; expected an object with player, left, score, turns, pot"),
        (None, "state is None; expected an object"),
        ({**GOOD, "pto": 1}, "state has an unknown field 'pto'"),
        ({k: v for k, v in GOOD.items() if k != "pot"}, "state lacks the field 'pot'"),
        ({**GOOD, "score": [1]}, r"field 'score' is \[1\]; expected 2 numbers"),
        ({**GOOD, "score": [1, [2]]}, "field 'score' is .*; expected 2 numbers"),
        ({**GOOD, "score": 3}, "field 'score' is 3; expected 2 numbers"),
        ({**GOOD, "left": 300}, "field 'left' is 300; expected what fits int8"),
        ({**GOOD, "left": 1.5}, "field 'left' is 1.5; expected what fits int8"),
        ({**GOOD, "left": "2"}, "field 'left' is '2'; expected a number"),
        ({**GOOD, "pot": 10**30}, "field 'pot' is 10+; expected"),
    ],
)
def test_json_that_is_no_state_is_refused_by_field(data: Any, what: str) -> None:
    assert b.race().state_from_json(GOOD).to_json() == GOOD
    with pytest.raises(InvalidStateError, match=what):
        b.race().state_from_json(data)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"player": 5, "left": 3}, "state has the current player 5; expected 0 to 1"),
        ({"player": -3, "left": 3}, "state has the current player -3; expected 0 to 1"),
        ({"player": 0, "left": -2}, "state is not one that the rules of 'nim' expect: rule 'legal_actions'"),
        ({"player": 0, "left": 300}, "state has the value 150.0; expected -100 to 100"),
    ],
)
@pytest.mark.parametrize("mode", ["compiled", "interpreted", "checked"])
def test_the_rules_check_what_is_read_by_default(mode: str, data: Any, what: str) -> None:
    game = nim()
    game = game if mode == "compiled" else getattr(game, mode)()
    assert game.state_from_json({"player": 1, "left": 3}).to_json() == {"player": 1, "left": 3}
    with pytest.raises(InvalidStateError, match=what):
        game.state_from_json(data)
    assert game.state_from_json(data, by_rules=False).to_json() == data


def test_an_index_outside_of_an_array_refuses_the_state_instead_of_reading_other_memory() -> None:
    def by_player(g: Any, s: Any, out: Any) -> None:
        out[0] = g.weights[s.left]
        out[1] = -out[0]

    game = nim(evaluate=by_player)
    with pytest.raises(InvalidStateError, match="expect: rule 'evaluate' of 'nim' raised IndexError"):
        game.state_from_json({"player": 0, "left": 30_000})


def test_records_in_records_are_objects_in_json() -> None:
    Unit = np.dtype([("hp", "i2"), ("place", "i1", (2,))], align=True)
    Nested = np.dtype([("player", "i1"), ("left", "i2"), ("unit", Unit)], align=True)
    game = declared(state=Nested).game("nim", max_actions=3, config={"heap": 4})
    document = {"player": 0, "left": 4, "unit": {"hp": 7, "place": [1, 2]}}
    assert game.state_from_json(document).to_json() == document
    with pytest.raises(InvalidStateError, match=r"state\.unit lacks the field 'place'"):
        game.state_from_json({**document, "unit": {"hp": 7}})


def test_the_seed_of_a_state_read_from_json_starts_its_chance() -> None:
    game = b.race()
    pots = {int(game.state_from_json(GOOD, seed=seed).apply(b.ROLL).record.pot) for seed in range(40)}
    assert pots == {6, 7, 8, 9, 10, 11}


@pytest.mark.parametrize("data", [True, 1.0, "1", None, 2**31])
def test_an_action_in_json_is_a_32_bit_integer(data: Any) -> None:
    game = b.race()
    assert game.action_from_json(game.action_to_json(2)) == 2
    with pytest.raises(InvalidStateError, match="expected a 32-bit integer"):
        game.action_from_json(data)


def test_drawings_show_the_fields_unless_the_author_draws() -> None:
    state = b.race().initial_state(seed=1)
    assert str(state).splitlines()[1:] == ["left: 2", "score: [0, 0]", "turns: 0", "pot: 0"]
    assert repr(state) == f"<state of 'race', {b.RaceState.itemsize} bytes>"
    picture = ElementTree.fromstring(state.svg())
    lines = [one.text for one in picture if one.tag.endswith("}text")]
    assert lines[1:] == ["left: 2", "score: [0, 0]", "turns: 0", "pot: 0"]
    assert state._repr_svg_() == state.svg()
    assert state.action_name(2) == "2"


def test_the_picture_of_a_game_without_a_drawing_has_a_background_and_a_colour_for_its_text() -> None:
    """On a dark page, black text on nothing could not be read."""
    picture = ElementTree.fromstring(b.race().initial_state(seed=1).svg())
    background = next(one for one in picture if one.tag.endswith("}rect"))
    assert (background.get("width"), background.get("height")) == (picture.get("width"), picture.get("height"))
    assert background.get("fill") not in (None, "none", picture.get("fill"))
    assert picture.get("fill")


def test_text_may_have_markup_which_str_leaves_out() -> None:
    def draw(g: Any, s: Any) -> str:
        return f"[bold red]{'*' * s.left}[/bold red] left"

    state = nim(4, draw_text=draw).initial_state()
    assert state.text() == "[bold red]****[/bold red] left"
    assert str(state) == "**** left"
