"""A Dask scheduler as a process of its own that can be killed; prints its address. A line on stdin adds a worker."""

from __future__ import annotations

import asyncio
import sys

from distributed import Scheduler, Worker


async def main() -> None:
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        async with Worker(scheduler.address, nthreads=1, dashboard=False):
            await scheduler.finished()


if __name__ == "__main__":
    asyncio.run(main())
