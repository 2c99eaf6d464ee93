"""Who goes where when everybody wants to go at once: walking, swaps, crowds, rolling bombs and kicks."""

from __future__ import annotations

from pommerman_boards import bomb, bomb_places, bombs, go, lives, own, place, position, value

# -- walking -----------------------------------------------------------------------------------------------------


def test_agents_walk_one_cell() -> None:
    after = go(position("A.B\n...\nC.D"), A="down", B="left", C="right", D="up")
    assert [place(after, name) for name in "ABCD"] == [(1, 0), (0, 1), (2, 1), (1, 2)]


def test_walls_wood_and_the_edge_stop_agents() -> None:
    after = go(position("A#.\n=B.\n.#C"), A="right", B="left", C="left")
    assert [place(after, name) for name in "ABC"] == [(0, 0), (1, 1), (2, 2)]
    assert place(go(position("A#.\n=B."), A="up"), "A") == (0, 0)


def test_the_board_shows_agents_where_they_are_and_passage_where_they_were() -> None:
    after = go(position("A..\n..B"), A="right")
    assert (value(after, 0, 0), value(after, 0, 1), value(after, 1, 2)) == (0, 10, 11)


def test_actions_of_the_dead_are_ignored() -> None:
    after = go(position("A.B"), C="bomb", D="up")
    assert bombs(after) == []
    assert not lives(after, "C")


def test_every_step_counts() -> None:
    assert go(position("A.B", t=41)).to_json()["t"] == 42


# -- agents in each other's way ----------------------------------------------------------------------------------


def test_two_agents_for_one_cell_both_stay() -> None:
    after = go(position("A.B"), A="right", B="left")
    assert (place(after, "A"), place(after, "B")) == ((0, 0), (0, 2))


def test_an_agent_cannot_enter_the_cell_of_one_that_stays() -> None:
    assert place(go(position("AB."), A="right"), "A") == (0, 0)


def test_an_agent_may_follow_one_that_leaves() -> None:
    after = go(position("AB."), A="right", B="right")
    assert (place(after, "A"), place(after, "B")) == ((0, 1), (0, 2))


def test_two_agents_cannot_change_places() -> None:
    after = go(position("AB."), A="right", B="left")
    assert (place(after, "A"), place(after, "B")) == ((0, 0), (0, 1))


def test_who_is_stopped_stops_those_behind() -> None:
    after = go(position("CAB#"), A="right", B="right", C="right")
    assert [place(after, name) for name in "CAB"] == [(0, 0), (0, 1), (0, 2)]


def test_three_agents_in_a_circle_may_turn() -> None:
    after = go(position("AB\nDC"), A="right", B="down", C="left", D="up")
    assert [place(after, name) for name in "ABCD"] == [(0, 1), (1, 1), (1, 0), (0, 0)]


# -- laying bombs ------------------------------------------------------------------------------------------------


def test_a_bomb_costs_ammunition_and_lies_under_its_owner() -> None:
    after = go(position("A.B", blast={"A": 5}), A="bomb")
    assert bombs(after) == [bomb(0, 0, life=9, strength=5, owner=0)]
    assert own(after, "A") == (0, 5, 0)
    assert value(after, 0, 0) == 10


def test_the_bomb_shows_when_its_owner_leaves() -> None:
    after = go(go(position("A.B"), A="bomb"), A="right")
    assert (value(after, 0, 0), place(after, "A")) == (3, (0, 1))


def test_without_ammunition_laying_does_nothing() -> None:
    assert bombs(go(position("A.B", ammo={"A": 0}), A="bomb")) == []


def test_there_is_one_bomb_to_a_cell() -> None:
    after = go(position("A.B", bombs=[bomb(0, 0)], ammo={"A": 3}), A="bomb")
    assert bombs(after) == [bomb(0, 0, life=8)]
    assert own(after, "A")[0] == 3


def test_bombs_are_listed_in_the_order_they_were_laid() -> None:
    after = go(position("A.B\n...\n..C", bombs=[bomb(1, 1)]), C="bomb", A="bomb")
    assert bomb_places(after) == [(1, 1), (0, 0), (2, 2)]


# -- power-ups ---------------------------------------------------------------------------------------------------


def test_power_ups_are_picked_up() -> None:
    after = go(position("Ab.\nrB.\nkC."), A="right", B="left", C="left")
    assert [own(after, name) for name in "ABC"] == [(2, 2, 0), (1, 3, 0), (1, 2, 1)]
    assert value(go(after, A="right"), 0, 1) == 0


def test_pick_ups_have_a_cap() -> None:
    after = go(position("Ab.\nrB.", ammo={"A": 10}, blast={"B": 10}), A="right", B="left")
    assert (own(after, "A")[0], own(after, "B")[1]) == (10, 10)


# -- bombs on the way --------------------------------------------------------------------------------------------


def test_an_agent_without_kick_is_stopped_by_a_bomb() -> None:
    after = go(position("A..\n..B", bombs=[bomb(0, 1)]), A="right")
    assert (place(after, "A"), bomb_places(after)) == ((0, 0), [(0, 1)])


def test_a_kicked_bomb_rolls_at_once_and_its_kicker_takes_its_place() -> None:
    after = go(position("A...\n...B", bombs=[bomb(0, 1, owner=1)], kick="A"), A="right")
    assert place(after, "A") == (0, 1)
    assert bombs(after) == [bomb(0, 2, life=8, owner=1, rolling="right")]


def test_a_rolling_bomb_rolls_on_until_something_stops_it_for_good() -> None:
    start = position("....=\nA.B", bombs=[bomb(0, 1, rolling="right")])
    assert bombs(go(start)) == [bomb(0, 2, life=8, rolling="right")]
    assert bombs(go(go(go(start)))) == [bomb(0, 3, life=6)]


def test_power_ups_and_the_edge_stop_rolling_bombs() -> None:
    assert bombs(go(position("A.b\n..B", bombs=[bomb(0, 1, rolling="right")]))) == [bomb(0, 1, life=8)]
    assert bombs(go(position("..A\n.B.", bombs=[bomb(0, 1, rolling="up")]))) == [bomb(0, 1, life=8)]


def test_a_bomb_that_cannot_roll_on_stops_its_kicker() -> None:
    for row in ("A.#.", "A.=.", "A.r.", "A.B."):
        after = go(position(f"{row}\n...C", bombs=[bomb(0, 1)], kick="A"), A="right")
        assert (place(after, "A"), bomb_places(after)) == ((0, 0), [(0, 1)]), row
    after = go(position("A...\n...C", bombs=[bomb(0, 1), bomb(0, 2)], kick="A"), A="right")
    assert (place(after, "A"), bomb_places(after)) == ((0, 0), [(0, 1), (0, 2)])


def test_a_cell_somebody_wanted_counts_as_taken_for_a_kick() -> None:
    after = go(position("A..B\n....", bombs=[bomb(0, 1)], kick="A"), A="right", B="left")
    assert (place(after, "A"), bomb_places(after)) == ((0, 0), [(0, 1)])


def test_a_rolling_bomb_stops_at_an_agent() -> None:
    after = go(position("..A\nB..", bombs=[bomb(0, 1, rolling="right")]))
    assert bombs(after) == [bomb(0, 1, life=8)]


def test_a_bomb_that_rolls_at_a_kicker_is_sent_back() -> None:
    """The kicker meets it half way; it lands where it came from and keeps its new direction."""
    after = go(position("A..\n..B", bombs=[bomb(0, 2, rolling="left")], kick="A"), A="right")
    assert place(after, "A") == (0, 1)
    assert bombs(after) == [bomb(0, 2, life=8, rolling="right")]


def test_a_bomb_yields_to_an_agent_it_would_pass() -> None:
    """Both cross the same border: the bomb stays, so the agent runs into it and is stopped too."""
    after = go(position("A..\n..B", bombs=[bomb(0, 1, rolling="left")]), A="right")
    assert (place(after, "A"), bombs(after)) == ((0, 0), [bomb(0, 1, life=8)])


def test_two_bombs_for_one_cell_and_two_that_would_pass_both_stop() -> None:
    for gap in (1, 2):
        start = position("A....\n....B", bombs=[bomb(0, 1, rolling="right"), bomb(0, 1 + gap, rolling="left")])
        assert bombs(go(start)) == [bomb(0, 1, life=8), bomb(0, 1 + gap, life=8)]


def test_a_bomb_leaves_an_agent_that_follows_it() -> None:
    after = go(position("A...\n...B", bombs=[bomb(0, 1, rolling="right")]), A="right")
    assert (place(after, "A"), bomb_places(after)) == ((0, 1), [(0, 2)])


def test_a_kick_is_undone_when_its_kicker_is_stopped() -> None:
    """C also wants the bomb's cell; both agents are stopped in the first round, so nobody kicks."""
    after = go(position("A.C.\n...B", bombs=[bomb(0, 1)], kick="A"), A="right", C="left")
    assert (place(after, "A"), place(after, "C"), bombs(after)) == ((0, 0), (0, 2), [bomb(0, 1, life=8)])


def test_an_agent_behind_a_stopped_kicker_is_stopped_too() -> None:
    after = go(position("DA.#\n...B", bombs=[bomb(0, 2)], kick="A"), A="right", D="right")
    assert (place(after, "D"), place(after, "A")) == ((0, 0), (0, 1))
