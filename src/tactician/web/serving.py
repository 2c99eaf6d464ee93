"""Start the server: what is loaded before it listens, where it listens, who may use it."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tactician.arena.store.boards import BoardStore
from tactician.arena.store.store import open_store
from tactician.errors import InvalidParameterError
from tactician.web.catalog import Catalog
from tactician.web.pool import SearchPool
from tactician.web.security import LOOPBACK

_ANY = ("0.0.0.0", "::", "")


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """How to serve."""

    games: Sequence[str] = ()
    """Games of the user's, offered first."""
    agents: Sequence[str] = ()
    """Agents of the user's, offered besides planners: also files and programs."""
    host: str = "127.0.0.1"
    port: int = 8377
    """0 for any free one."""
    store: str | None = None
    """Where games are kept; in memory without one."""
    study: bool = False
    opponent: str = "oep"
    """Of the study."""
    budget: str = "6s"
    """Of the study's opponent."""
    longest: float = 10.0
    """Seconds that any search may take."""
    processes: int | None = None
    """Search processes; as many as there are cores without a number."""
    ponder: bool = False
    """Whether planners plan on while a person thinks."""
    names: Sequence[str] = ()
    """Host names that lead to this server, besides its address."""


def serve(options: ServerOptions, on_ready: Callable[[str], None] = lambda _url: None) -> None:
    """Serve until interrupted; `on_ready` is called with the address to open."""
    try:
        import fastapi  # noqa: F401
        import uvicorn
        import websockets  # noqa: F401
    except ImportError as error:
        raise InvalidParameterError(
            f"the board needs {error.name}, which is not installed; pip install 'tactician[web]'."
        ) from error
    from tactician.web.app import make_app
    from tactician.web.service import Service
    from tactician.web.study import GAME, PARAMETERS, Study

    local = options.host in ("127.0.0.1", "localhost", "::1")
    access = None if local else os.environ.get("TACTICIAN_ACCESS_TOKEN") or secrets.token_urlsafe(18)
    if options.study and options.store is None:
        raise InvalidParameterError("a study needs --store FILE, where its games are kept.")
    cores = os.cpu_count() or 1
    processes = options.processes or cores
    catalog = Catalog(
        options.games, max(options.longest * 1000, 1.0), options.agents, most_workers=max(1, cores // processes)
    )
    for name in options.games:
        catalog.game(name)  # what is wrong with a user's game is said before anybody plays it
    study = Study(options.opponent, options.budget) if options.study else None
    if study is not None:
        game = catalog.game(catalog.spec(GAME, PARAMETERS))
        catalog.check_seat(game, study.opponent)
        catalog.check_budget(study.budget)
    results = open_store(options.store)
    boards = BoardStore(options.store)
    pool = SearchPool(processes, options.longest)
    service = Service(catalog, pool, boards, results, options.ponder)
    listening = _bound(options.host, options.port)
    port = listening.getsockname()[1]
    hosts = [*LOOPBACK, *options.names]
    if options.host not in _ANY:
        hosts.append(options.host)
    elif not options.names:
        hosts.append(socket.gethostname().lower())
    app = make_app(service, hosts, access, study)
    config = uvicorn.Config(app, log_level="warning", ws_max_size=1 << 18, timeout_graceful_shutdown=3, lifespan="on")
    shown = options.host if options.host not in _ANY else (options.names or [socket.gethostname().lower()])[0]
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    on_ready(address if access is None else f"{address}#access={access}")
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        boards.close()
        results.close()


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens; says in one sentence if there can't be one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only for sockets that say they are TCP; with it, answers wait 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidParameterError(f"can't listen on {host}, port {port}: {reason.lower()}.") from error
    listening.listen(128)
    return listening
