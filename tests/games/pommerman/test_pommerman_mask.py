"""The paper's action mask, which planners get as candidates, and what makes two states the same."""

from __future__ import annotations

from typing import Any

from pommerman_boards import bomb, described, game, go, position

from tactician.contract import State

STOP, UP, DOWN, LEFT, RIGHT, LAY = range(6)


def candidates(picture: str, **parts: Any) -> list[int]:
    """What the mask leaves to agent A; B is far away in a corner."""
    rows = [line.ljust(11, ".") for line in picture.strip().split()]
    rows += ["." * 11] * (10 - len(rows)) + ["." * 10 + "B"]
    return position("\n".join(rows), **parts).candidate_actions(0)


def test_walls_and_the_edge_are_masked() -> None:
    assert candidates("A=\n#.", ammo={"A": 0}) == [STOP]
    assert candidates("...\n.A.\n...", ammo={"A": 0}) == [STOP, UP, DOWN, LEFT, RIGHT]


def test_laying_a_bomb_needs_ammunition_and_nothing_else() -> None:
    assert candidates("A=\n#.") == [STOP, LAY]
    assert LAY in candidates("A.", bombs=[bomb(0, 0)])


def test_flames_block_even_in_their_last_step() -> None:
    assert RIGHT not in candidates("A.", flames=[[0, 1, 0]])


def test_bombs_block_even_with_kick() -> None:
    assert RIGHT not in candidates("A.", bombs=[bomb(0, 1)], kick="A")


def test_nobody_may_stay_on_a_bomb() -> None:
    assert STOP not in candidates("A.", bombs=[bomb(0, 0)])


def test_power_ups_and_other_agents_do_not_block() -> None:
    assert RIGHT in candidates("Ab")
    assert RIGHT in position("AB").candidate_actions(0)


def test_a_bomb_about_to_explode_bars_its_cross_one_farther_than_it_reaches() -> None:
    near = candidates("...\n.A.\n...", bombs=[bomb(1, 3, life=1, strength=2)], ammo={"A": 0})
    assert near == [UP, DOWN, LEFT]
    assert candidates("...\n.A.\n...", bombs=[bomb(1, 3, life=2, strength=2)], ammo={"A": 0}) == [0, 1, 2, 3, 4]


def test_the_cross_goes_through_walls() -> None:
    assert STOP not in candidates("A#.", bombs=[bomb(0, 2, life=1, strength=2)])


def test_if_nothing_is_left_one_may_stop() -> None:
    assert candidates("A=\n=.", bombs=[bomb(0, 0)], ammo={"A": 0}) == [STOP]


def test_the_dead_only_stop() -> None:
    assert position("A.B").candidate_actions(2) == [STOP]


def test_by_the_papers_text_bombs_do_not_block() -> None:
    text = game(mask="text")
    assert candidates("A.", bombs=[bomb(0, 1)], of=text) == [STOP, DOWN, RIGHT, LAY]
    assert STOP in candidates("A.", bombs=[bomb(0, 0)], of=text)
    assert candidates("A=\n#.", flames=[[0, 1, 0]], of=text) == [STOP, LAY]
    assert STOP not in candidates("A#.", bombs=[bomb(0, 2, life=1, strength=2)], of=text)


def test_without_the_mask_everything_is_considered() -> None:
    assert position("A#.B", of=game(mask="none")).candidate_actions(0) == [0, 1, 2, 3, 4, 5]


# -- identity ----------------------------------------------------------------------------------------------------


def digest(state: State) -> tuple[int, ...]:
    """128 bits, the first 64 of which are the key."""
    from tactician.contract.random import stream

    out = stream(0)
    state.game.run("digest", state._address, out.ctypes.data)
    assert int(out[0]) == state.key()
    return tuple(out[:2].tolist())


BASE: dict[str, Any] = {"picture": "A.=b..B", "bombs": [bomb(3, 3), bomb(4, 4)], "flames": [[6, 6, 1], [6, 7, 1]]}
LATER = {**BASE, "t": 5}
WITH_ITEM = {**BASE, "items": [[0, 2, 7]]}
OTHERS: list[dict[str, Any]] = [
    {**BASE, "picture": "A.=r..B"},
    {**BASE, "bombs": BASE["bombs"][::-1]},
    {**BASE, "bombs": [bomb(3, 3, life=8), bomb(4, 4)]},
    {**BASE, "bombs": [bomb(3, 3, owner=2), bomb(4, 4)]},
    {**BASE, "bombs": [bomb(3, 3, rolling="up"), bomb(4, 4)]},
    {**BASE, "flames": BASE["flames"][::-1]},
    {**BASE, "flames": [[6, 6, 1], [6, 7, 0]]},
    {**BASE, "ammo": {"A": 2}},
    {**BASE, "ammo": {"D": 2}},
    {**BASE, "blast": {"B": 3}},
    {**BASE, "kick": "A"},
]


def digests(identity: str, parts: list[dict[str, Any]]) -> list[tuple[int, ...]]:
    return [digest(game(identity=identity).state_from_json(described(**p))) for p in parts]


def test_exactly_equal_states_are_the_same() -> None:
    one, again = digests("exact", [BASE, BASE])
    assert one == again
    everything = digests("exact", [BASE, LATER, WITH_ITEM, *OTHERS])
    assert len(set(everything)) == len(everything)
    assert len({halves[0] for halves in everything}) == len({halves[1] for halves in everything}) == len(everything)


def test_the_references_identity_leaves_out_the_time_and_the_hidden_items() -> None:
    base, later, item, *others = digests("reference", [BASE, LATER, WITH_ITEM, *OTHERS])
    assert base == later == item
    assert len({base, *others}) == 1 + len(OTHERS)


def test_its_mcts_looked_at_hidden_items() -> None:
    base, later, item, *others = digests("reference-items", [BASE, LATER, WITH_ITEM, *OTHERS])
    assert base == later
    assert len({base, item, *others}) == 2 + len(OTHERS)


def test_equal_positions_have_equal_bytes_whatever_happened_before() -> None:
    """Lists that have become shorter leave nothing behind."""
    start = position("A......B", bombs=[bomb(5, 5, life=1), bomb(9, 9)], flames=[[7, 7, 0]])
    after = go(go(go(go(start))))
    assert after == game().state_from_json(after.to_json())
