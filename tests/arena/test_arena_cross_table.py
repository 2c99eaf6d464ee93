"""`print(tournament)` is the cross-table."""

from __future__ import annotations

from tactician.arena import tournament


def test_a_tournament_prints_as_its_cross_table() -> None:
    played = tournament("amazons:size=4", ["random", "greedy-action", "mcts"], 6, "30evals")
    lines = str(played).splitlines()
    assert lines[0].split() == ["planner", "all", "(95", "%)", "1", "2", "3"]
    assert lines[-1] == "18 games"
    best = max(range(3), key=lambda i: played.standing(i).rate)
    assert lines[1].split()[:2] == ["1", played.names[best]]
    for row in lines[1:4]:
        assert row.count("·") == 1, "nobody plays against itself"


def test_with_more_than_two_seats_a_line_is_a_pair() -> None:
    played = tournament("pommerman:max_steps=5", ["random", "mcs"], 4, "2its")
    header, *rows, games = str(played).splitlines()
    assert header.split()[:3] == ["planner", "against", "games"]
    assert "3 × random" in rows[0] or "3 × mcs" in rows[0]
    assert games.endswith(" games")
