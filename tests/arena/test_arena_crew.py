"""One crew for games, evaluations and searches: order, results, and one policy for workers that die."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from crew_calls import die, die_once, double, fail

from tactician.arena.crew import MAX_DEATHS, Crew, FatalCalls, WorkersDiedError
from tactician.arena.pools import WorkerPool
from tactician.errors import InvalidParameterError


class Substitutes(FatalCalls):
    """A fatal call is worth -1."""

    noun = "number"

    def result(self, task: Any) -> Any:
        return -1


def results(crew: Crew, fatal: FatalCalls | None = None) -> dict[Any, Any]:
    found = {}
    while crew.left:
        task, result = crew.next(fatal)
        found[task] = result
    return found


@pytest.fixture
def crew() -> Iterator[Crew]:
    with Crew(2) as made:
        yield made


def test_one_job_calls_here_in_the_order_of_submission() -> None:
    with Crew(1) as crew:
        assert crew.inline
        for number in range(5):
            crew.submit(f"task {number}", double, number)
        assert [crew.next() for _ in range(5)] == [(f"task {number}", 2 * number) for number in range(5)]
        assert crew.left == 0


def test_every_call_is_made_and_more_may_be_submitted_at_any_time(crew: Crew) -> None:
    for number in range(6):
        crew.submit(number, double, number)
    first = dict([crew.next(), crew.next()])
    for number in range(6, 9):
        crew.submit(number, double, number)
    assert first | results(crew) == {number: 2 * number for number in range(9)}


def test_what_a_call_raises_is_raised_and_ends_the_crews_work(crew: Crew) -> None:
    crew.submit("bad", fail, 7)
    with pytest.raises(ValueError, match="no 7"):
        crew.next()
    assert crew.left == 0
    crew.submit("good", double, 4)
    assert crew.next() == ("good", 8)


def test_nothing_can_be_expected_of_an_empty_queue(crew: Crew) -> None:
    with pytest.raises(LookupError, match="no call was submitted"):
        crew.next()
    with pytest.raises(InvalidParameterError, match="jobs is 0; expected at least 1"):
        Crew(0)


def test_calls_of_a_worker_that_died_are_made_again(crew: Crew, tmp_path: Path) -> None:
    crew.submit("deadly", die_once, str(tmp_path / "died"), 21)
    for number in range(6):
        crew.submit(number, double, number)
    assert results(crew) == {"deadly": 42} | {number: 2 * number for number in range(6)}
    assert (tmp_path / "died").exists()


def test_a_call_that_kills_every_worker_stops_everything_and_is_named(crew: Crew) -> None:
    crew.submit(3, double, 3)
    crew.submit("the search of 'oep'", die, 0)
    with pytest.raises(
        WorkersDiedError, match=r"^the worker process crashes in the search of 'oep', even when nothing else"
    ):
        results(crew)
    assert crew.left == 0


def test_a_fatal_call_can_be_given_a_result_instead(crew: Crew) -> None:
    crew.submit("deadly", die, 0)
    crew.submit(3, double, 3)
    assert results(crew, Substitutes()) == {"deadly": -1, 3: 6}


def test_workers_that_can_not_even_start_stop_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures.process import BrokenProcessPool

    starts = []

    def broken(_pool: WorkerPool, *_call: Any) -> Any:
        starts.append(1)
        raise BrokenProcessPool

    monkeypatch.setattr(WorkerPool, "submit", broken)
    with Crew(2) as crew:
        crew.submit("a", double, 1)
        crew.submit("b", double, 2)
        sentence = f"{MAX_DEATHS} workers died in a row without finishing a number; 2 numbers are left"
        with pytest.raises(WorkersDiedError, match=sentence):
            crew.next(Substitutes())
    assert len(starts) == MAX_DEATHS
