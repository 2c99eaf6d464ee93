"""What is counted in games of LOCM."""

from __future__ import annotations

import json
from collections import Counter

from tactician.arena import replay
from tactician.arena.match import positions
from tactician.arena.tournament import tournament
from tactician.experiments import RunRequest
from tactician.experiments.papers.beyond.trades import TRADES, trades


def test_creatures_that_leave_the_board_are_killed_by_whoever_moves() -> None:
    played = tournament("locm", ["greedy-action", "random"], 4, "20evals", seed=3)
    found = trades(played)["trades"]
    slow: Counter[tuple[str, str, str]] = Counter()
    for record in played.games():
        states = [state.to_json() for state in positions(record)]
        for turn, before, after in zip(record.turns, states, states[1:], strict=False):
            foe = 1 - turn.seat
            there, left = ({unit["id"] for unit in one["players"][foe]["board"]} for one in (before, after))
            role = "planner" if record.pairing.seats[turn.seat] == "greedy-action" else "opponent"
            slow.update({(role, ("first", "second")[turn.seat], what): n for what, n in (
                ("turns", 1), ("killed", len(there - left)), ("standing", len(left)),
            )})  # fmt: skip
    assert slow == {
        (role, seat, what): found[role][seat][what]
        for role in ("planner", "opponent")
        for seat in ("first", "second")
        for what in ("turns", "killed", "standing")
    }
    for role, other in (("planner", "opponent"), ("opponent", "planner")):
        for seat, across in (("first", "second"), ("second", "first")):
            one = found[role][seat]
            assert one["games"] == 2
            assert one["won"] == found[other][across]["lost"]
            assert one["lost_to_the_board"] <= one["lost"]


def test_positions_of_a_record_lead_to_its_end() -> None:
    (record,) = tournament("locm", ["greedy-action", "random"], 2, "20evals", seed=3).games()[:1]
    states = list(positions(record))
    assert len(states) == len(record.turns) + 1
    assert states[-1] == replay(record)
    assert states[-1].is_over()
    assert not states[0].is_over()


def test_the_report_has_a_row_for_each_player_and_seat() -> None:
    found = TRADES.run(RunRequest(games=2, budget="20evals"))
    (table,) = found.more
    told = [row[:3] for row in table.rows]
    assert told[:2] == [("the bot against itself", "the bot", seat) for seat in ("first", "second")]
    assert len(told) == 2 + 4 + 4
    assert [row[3] for row in table.rows[:2]] == ["2", "2"], "both players of a match with itself"
    assert TRADES.report(json.loads(json.dumps(found.document))).markdown() == found.markdown()
