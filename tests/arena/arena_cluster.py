"""A Dask scheduler as a process of its own that can be killed; prints its address. A line on stdin adds a worker.

With the names of three files (CA, certificate, key) it takes only connections by TLS.
"""

from __future__ import annotations

import asyncio
import sys

from distributed import Scheduler, Worker
from distributed.security import Security


def secured(ca: str, cert: str, key: str) -> Security:
    files = {"tls_ca_file": ca}
    for role in ("scheduler", "worker", "client"):
        files |= {f"tls_{role}_cert": cert, f"tls_{role}_key": key}
    return Security(require_encryption=True, **files)  # type: ignore[no-untyped-call]


async def main() -> None:
    security = secured(*sys.argv[1:]) if sys.argv[1:] else None
    protocol = "tls://" if security else "tcp://"
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False, security=security, protocol=protocol) as scheduler:
        print(scheduler.address, flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        async with Worker(scheduler.address, nthreads=1, dashboard=False, security=security):
            await scheduler.finished()


if __name__ == "__main__":
    asyncio.run(main())
