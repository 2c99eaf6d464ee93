"""Bombs, chains, flames, what they burn and what they reveal."""

from __future__ import annotations

from pommerman_boards import bomb, bomb_places, bombs, flaming, game, go, lives, own, place, position, value, wait

CORNER = "A.........B\n" + "...........\n" * 10


def test_a_bomb_explodes_nine_steps_after_the_one_that_laid_it() -> None:
    laid = go(position("A.#.B"), A="bomb")
    assert bombs(wait(laid, 8)) == [bomb(0, 0, life=1)]
    assert bombs(wait(laid, 9)) == []


def test_a_blast_reaches_one_cell_less_than_its_strength_in_each_direction() -> None:
    after = go(position(CORNER, bombs=[bomb(5, 5, life=1, strength=3)]))
    cross = {(5, c) for c in range(3, 8)} | {(r, 5) for r in range(3, 8)}
    assert flaming(after) == cross


def test_rigid_walls_stop_a_blast_and_wood_stops_it_after_burning() -> None:
    start = position("A...B\n.....\n.#.=.=", bombs=[bomb(2, 2, life=1, strength=6)])
    after = go(start)
    assert {cell for cell in flaming(after) if cell[0] == 2} == {(2, 2), (2, 3)}
    assert (value(after, 2, 1), value(after, 2, 5)) == (1, 2)


def test_wood_shields_what_is_behind_it_from_every_blast_of_the_step() -> None:
    burning = [bomb(0, 0, life=1, strength=5), bomb(2, 2, life=1, strength=5)]
    after = go(position("..=A.\n.....\n....B", bombs=burning, of=game()))
    assert lives(after, "A")
    assert (0, 2) in flaming(after)


def test_the_owner_gets_its_bomb_back_even_dead_but_never_more_than_ten() -> None:
    start = position("A...B", bombs=[bomb(5, 5, life=1, owner=0), bomb(9, 9, life=1, owner=2)], ammo={"A": 10})
    after = go(start)
    assert (own(after, "A")[0], own(after, "C")[0]) == (10, 2)


def test_refunds_have_no_cap_in_the_papers_environment() -> None:
    start = position("A...B", bombs=[bomb(5, 5, life=1, owner=0)], ammo={"A": 10}, of=game(rules="paper"))
    assert own(go(start), "A")[0] == 11


def test_blasts_set_off_other_bombs_in_the_same_step() -> None:
    chain = [bomb(2, 8, strength=2), bomb(2, 6, strength=3), bomb(2, 4, life=1, strength=3), bomb(9, 9)]
    after = go(position("A.........B", bombs=chain))
    assert bombs(after) == [bomb(9, 9, life=8)]
    assert {(2, 9), (2, 2), (4, 6)} <= flaming(after)


def test_flames_last_three_steps_and_may_be_entered_in_the_fourth() -> None:
    burning = go(position("A.........B\n...........\n.C.........", bombs=[bomb(3, 2, life=1)]))
    assert (2, 2) in flaming(burning)
    assert flaming(wait(burning, 2)) == flaming(burning)
    assert not lives(go(wait(burning, 1), C="right"), "C")
    walked = go(wait(burning, 2), C="right")
    assert lives(walked, "C")
    assert place(walked, "C") == (2, 2)
    assert flaming(walked) == set()


def test_agents_die_in_flames_and_stay_in_the_list_where_they_fell() -> None:
    after = go(position("A...B.C", bombs=[bomb(0, 1, life=1)]))
    assert not lives(after, "A")
    assert place(after, "A") == (0, 0)
    assert value(after, 0, 0) == 4


def test_an_agent_may_pick_up_something_and_die_in_the_same_step() -> None:
    after = go(position("Ab..B.C", bombs=[bomb(1, 1, life=1, owner=1)]), A="right")
    assert not lives(after, "A")
    assert own(after, "A")[0] == 2


def test_burnt_wood_reveals_its_item_when_the_flames_die() -> None:
    burning = go(position("A=..B.C\n.......", bombs=[bomb(1, 1, life=1)], items=[[0, 1, 8]]))
    assert value(wait(burning, 2), 0, 1) == 4
    after = wait(burning, 3)
    assert (value(after, 0, 1), after.to_json()["items"]) == (8, [])


def test_an_item_in_the_open_burns() -> None:
    assert value(wait(position("Ab.....C", bombs=[bomb(1, 1, life=1)]), 4), 0, 1) == 0


def test_a_revealed_item_is_lost_if_a_younger_flame_burns_on_its_cell() -> None:
    start = position("A.......C", flames=[[5, 5, 0], [5, 5, 2]], items=[[5, 5, 7]])
    after = go(start)
    assert (value(after, 5, 5), after.to_json()["items"]) == (4, [])
    assert value(wait(after, 2), 5, 5) == 0


def test_a_bomb_that_rolls_into_flames_explodes() -> None:
    after = go(position("A.......C", bombs=[bomb(5, 4, rolling="right")], flames=[[5, 5, 2]]))
    assert bombs(after) == []
    assert {(4, 5), (5, 6), (5, 4)} <= flaming(after)


def test_the_papers_environment_does_not_see_an_overlapped_flame_while_things_move() -> None:
    """The dying flame has cleared the cell of the younger one, which is drawn again only at the end of the step."""
    official, paper = (
        go(position("A.......C", bombs=[bomb(5, 4, rolling="right")], flames=[[5, 5, 0], [5, 5, 2]], of=game(rules=r)))
        for r in ("official", "paper")
    )
    assert bombs(official) == []
    assert bombs(paper) == [bomb(5, 5, life=8, rolling="right")]
    assert value(paper, 5, 5) == 4


def test_in_the_papers_environment_a_bomb_bouncing_sideways_does_not_keep_its_cell() -> None:
    """Its claim goes to its own row and the column it wanted, so another bomb may roll onto it."""
    rolling = [bomb(0, 1, rolling="right"), bomb(0, 3, rolling="left"), bomb(1, 1, rolling="up")]
    official, paper = (go(position("A....\n....B", bombs=rolling, of=game(rules=r))) for r in ("official", "paper"))
    assert bomb_places(official) == [(0, 1), (0, 3), (1, 1)]
    assert bomb_places(paper) == [(0, 1), (0, 3), (0, 1)]
