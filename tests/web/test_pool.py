"""The pool of search processes: fair, bounded, and nothing is left running when nobody waits any more."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tactician.web import pool as pools
from tactician.web.pool import BusyError, SearchFailedError, SearchPool

QUICK = {"game": "amazons:size=4,queens=1", "planner": "greedy-action", "budget": "10evals"}
ENDLESS = {"game": "amazons:size=6", "planner": "mcts", "budget": "1000000000its", "reportEvery": 0.01}


@contextlib.asynccontextmanager
async def running(processes: int = 1, longest: float = 100.0) -> AsyncIterator[SearchPool]:
    pool = SearchPool(processes, longest)
    pool.start()
    try:
        yield pool
    finally:
        await pool.close()


def run(test: Callable[[], Awaitable[None]]) -> None:
    """In a thread of its own: the browser's tests keep a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(test(), timeout=120))).result()


async def all_answers(pool: SearchPool, asker: str, query: dict[str, Any]) -> list[dict[str, Any]]:
    return [answer async for answer in pool.ask(asker, query)]


def test_a_query_is_answered_and_the_process_serves_the_next() -> None:
    async def scene() -> None:
        async with running() as pool:
            for _ in range(3):
                [answer] = await all_answers(pool, "a", QUICK)
                assert answer["turn"]["names"]

    run(scene)


def test_askers_take_turns() -> None:
    async def scene() -> None:
        async with running() as pool:
            done: list[str] = []

            async def ask(asker: str) -> None:
                await all_answers(pool, asker, QUICK)
                done.append(asker)

            # 'a' asks five times before 'b' asks once, and the one process is busy with the first.
            async with asyncio.TaskGroup() as tasks:
                for asker in ("a", "a", "a", "a", "a", "b"):
                    tasks.create_task(ask(asker))
            assert done.index("b") <= 2

    run(scene)


def test_a_search_ends_when_nobody_waits_for_it() -> None:
    async def scene() -> None:
        async with running() as pool:
            answers = pool.ask("a", ENDLESS)
            await anext(answers)
            assert pool.running == 1
            await answers.aclose()
            # The same process takes the next query: the endless search has ended.
            assert await all_answers(pool, "b", QUICK)

    run(scene)


def test_a_query_that_waits_can_be_taken_back() -> None:
    async def scene() -> None:
        async with running() as pool:
            endless = pool.ask("a", ENDLESS)
            await anext(endless)
            waiting = asyncio.create_task(all_answers(pool, "b", QUICK))
            while pool.waiting == 0:
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert pool.waiting == 0
            await endless.aclose()

    run(scene)


def test_counted_budgets_are_cut_off_after_the_longest_time() -> None:
    async def scene() -> None:
        async with running(longest=0.3) as pool:
            found = await all_answers(pool, "a", ENDLESS)
            assert found[-1]["isDuringSearch"] is False
            assert found[-1]["rootInfo"]["iterations"] < 1_000_000_000

    run(scene)


def test_too_many_queries_of_one_asker_are_refused() -> None:
    async def scene() -> None:
        async with running() as pool:
            endless = pool.ask("a", ENDLESS)
            await anext(endless)
            tasks = [asyncio.create_task(all_answers(pool, "b", QUICK)) for _ in range(pools.MOST_FOR_ONE)]
            while pool.waiting < pools.MOST_FOR_ONE:
                await asyncio.sleep(0)
            with pytest.raises(BusyError, match="too many searches"):
                await all_answers(pool, "b", QUICK)
            await endless.aclose()
            assert all(len(found) == 1 for found in await asyncio.gather(*tasks))

    run(scene)


def test_errors_of_a_search_are_raised_and_the_pool_goes_on() -> None:
    async def scene() -> None:
        async with running() as pool:
            with pytest.raises(SearchFailedError, match="not legal"):
                await all_answers(pool, "a", {**QUICK, "moves": ["a1"]})
            assert await all_answers(pool, "a", QUICK)

    run(scene)


def test_a_process_that_dies_is_replaced(tmp_path: Any) -> None:
    file = tmp_path / "dies.py"
    file.write_text(
        "import os\nfrom tactician.games.amazons import plain_amazons\n\n\n"
        "def game():\n    os._exit(3)\n    return plain_amazons()\n"
    )

    async def scene() -> None:
        async with running() as pool:
            with pytest.raises(SearchFailedError, match="ended with code 3"):
                await all_answers(pool, "a", {**QUICK, "game": f"{file}:game"})
            assert await all_answers(pool, "a", QUICK)

    run(scene)


def test_a_planner_that_wants_more_memory_than_there_is_fails_alone() -> None:
    async def scene() -> None:
        async with running() as pool:
            with pytest.raises(SearchFailedError, match="more memory than there is"):
                await all_answers(pool, "a", {**QUICK, "planner": "emcts:memory_mb=1000000"})
            assert await all_answers(pool, "a", QUICK)

    run(scene)
