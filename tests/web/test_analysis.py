"""The analysis stream: queries a line, answers while a search runs, terminations, one sentence for what is wrong."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from typing import Any

import pytest

from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.web.analysis import Engine, analyse_lines


def answers(*queries: dict[str, Any] | str) -> list[dict[str, Any]]:
    lines = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in queries)
    target = io.StringIO()
    analyse_lines(io.StringIO(lines), target)
    return [json.loads(line) for line in target.getvalue().splitlines()]


def test_the_answer_is_the_plan_of_the_planner() -> None:
    game = load_game("hero-academy")
    plan = parse_planner("oep").on(game, seed=4).plan(game.initial_state(seed=7), "30its", ply=2)
    [answer] = answers(
        {"id": "a", "game": "hero-academy", "planner": "oep", "budget": "30its", "seed": 7, "plannerSeed": 4, "ply": 2}
    )
    assert answer["id"] == "a"
    assert answer["isDuringSearch"] is False
    assert tuple(answer["turn"]["codes"]) == plan.actions
    assert tuple(answer["turn"]["names"]) == plan.names
    assert answer["turn"]["parts"][0][0].startswith("card:1:")
    assert answer["rootInfo"]["value"] == plan.value
    assert [tuple(turn["codes"]) for turn in answer["turnInfos"]] == [other.actions for other in plan.alternatives]
    assert [turn["order"] for turn in answer["turnInfos"]] == list(range(len(plan.alternatives)))


def test_snapshots_come_before_the_answer() -> None:
    found = answers({"id": 1, "game": "hero-academy", "planner": "emcts", "budget": "3000its", "reportEvery": 0.000001})
    assert len(found) > 2
    assert [one["isDuringSearch"] for one in found] == [True] * (len(found) - 1) + [False]
    assert found[0]["rootInfo"]["evaluations"] < found[-1]["rootInfo"]["evaluations"]


def test_moves_lead_to_the_position_and_the_next_query_goes_on_from_there() -> None:
    engine = Engine()
    said: list[dict[str, Any]] = []
    moves: list[Any] = [["D", "K", 0, 0], ["E"]]
    query = {"game": "hero-academy", "seed": 1, "planner": "greedy-action", "budget": "50evals"}
    for count in (1, 2, 2, 1):
        engine.answer({**query, "id": count, "moves": moves[:count]}, said.append)
    assert [one["rootInfo"]["currentPlayer"] for one in said] == [0, 1, 1, 0]
    assert said[1]["turn"] == said[2]["turn"]
    assert said[0]["turn"] == said[3]["turn"]


def test_a_planner_plans_on_after_its_answer_until_the_next_query() -> None:
    def pondering() -> bool:
        return any(thread.name == "tactician-pondering" for thread in threading.enumerate())

    engine = Engine()
    said: list[dict[str, Any]] = []
    query = {"game": "locm", "planner": "greedy-action", "budget": "50evals", "ponder": True}
    engine.answer(query | {"id": 1}, said.append)
    assert pondering()
    engine.answer(query | {"id": 2, "ponder": False}, said.append)
    assert not pondering()
    engine.answer(query | {"id": 3}, said.append)
    engine.rest()
    assert not pondering()
    assert [answer["turn"] for answer in said if not answer["isDuringSearch"]] == 3 * [said[0]["turn"]]


def test_simultaneous_moves_have_a_distribution_for_each_player() -> None:
    [answer] = answers({"id": 1, "game": "pommerman", "planner": "fdts", "budget": "200its", "seat": 2})
    assert len(answer["choices"]) == 4
    for player in answer["choices"]:
        assert sum(one["share"] for one in player) == pytest.approx(1.0)
    assert answer["rootInfo"]["currentPlayer"] == 2


def test_an_analysis_for_a_viewer_does_not_depend_on_what_the_viewer_can_not_see() -> None:
    game = load_game("locm")
    state = game.initial_state(seed=3)
    found = []
    for world in range(2):
        shown = state.resample_hidden(0, world).to_json()
        query = {"game": "locm", "state": shown, "planner": "oep", "budget": "20its", "viewer": 0, "plannerSeed": 9}
        found += answers({**query, "id": 1})
    del found[0]["rootInfo"]["timeMs"], found[1]["rootInfo"]["timeMs"]
    for one in found:
        del one["rootInfo"]["evaluationsPerSecond"]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("{", "not JSON"),
        ("[1]", "expected a JSON object"),
        ({"id": 1}, "game is None"),
        ({"id": 1, "game": "chess"}, "unknown game 'chess'"),
        ({"id": 1, "game": "amazons", "planner": "deep-blue"}, "unknown planner"),
        ({"id": 1, "game": "amazons", "budget": "soon"}, "budget is 'soon'"),
        ({"id": 1, "game": "amazons", "seed": -1}, "seed is -1"),
        ({"id": 1, "game": "amazons", "reportEvery": 0}, "reportEvery is 0"),
        ({"id": 1, "game": "amazons", "moves": ["a1"]}, "is not legal"),
        ({"id": 1, "game": "amazons", "moves": 3}, "moves are 3"),
        ({"id": 1, "game": "amazons", "colour": "red"}, "unknown field of a query"),
        ({"id": 1, "game": "pommerman", "planner": "oep"}, "all players act at once"),
        ({"id": 1, "game": "amazons:size=3,queens=1", "state": 5}, "expected"),
    ],
)
def test_what_is_wrong_with_a_query_is_said_in_one_sentence(query: dict[str, Any] | str, says: str) -> None:
    [answer] = answers(query)
    assert says in answer["error"]


def test_queries_are_terminated_one_by_one_or_all() -> None:
    long = {"game": "hero-academy", "planner": "mcts", "budget": "3600s"}
    with subprocess.Popen(
        [sys.executable, "-m", "tactician", "analyse"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for name in ("one", "two", "three"):
            process.stdin.write(json.dumps({**long, "id": name}) + "\n")
        process.stdin.flush()
        first = json.loads(process.stdout.readline())
        assert (first["id"], first["isDuringSearch"]) == ("one", True)
        process.stdin.write('{"action": "terminate", "terminateId": "one"}\n')
        process.stdin.flush()
        for line in process.stdout:
            document = json.loads(line)
            if document["id"] == "two":
                break
        process.stdin.write('{"action": "terminate"}\n')
        process.stdin.close()
        rest = [json.loads(line) for line in process.stdout]
        assert rest[-1] == {"id": "three", "terminated": True}
        assert rest[-2]["id"] == "two"
        assert rest[-2]["isDuringSearch"] is False
    assert process.returncode == 0
