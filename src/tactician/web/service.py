"""What the server does, apart from HTTP: boards, their owners, searches, and the store behind them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tactician.arena.agents import NamedSpec, parse_agent
from tactician.arena.records import EVERYBODY
from tactician.arena.store.boards import BoardStore
from tactician.arena.store.store import ResultStore
from tactician.drawing.animation import packed
from tactician.errors import IllegalActionError, InvalidParameterError, TacticianError, short
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.plan import position_after
from tactician.web.board import Board, Setup, rebuilt
from tactician.web.catalog import PERSON, Catalog
from tactician.web.pages import board_page
from tactician.web.pool import SearchPool

Send = Callable[[dict[str, Any]], Awaitable[None]]

_ID = re.compile(r"[0-9a-f]{16}")
_MOST_BOARDS = 400
"""Boards in memory; the others are read from the store when they are needed."""
_MOST_PICTURES = 60
"""Positions in one answer, so that no answer holds up the others; whoever wants more asks again."""
_MOST_SEED = 2**31 - 1


class NotFoundError(TacticianError):
    """There is no such thing, or it belongs to somebody else."""


class ForbiddenError(TacticianError):
    """The token is missing or another one."""


@dataclass(eq=False)
class _Held:
    """A board in memory; one request at a time changes it."""

    board: Board
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Service:
    """Everything that requests and sockets ask for."""

    def __init__(
        self,
        catalog: Catalog,
        pool: SearchPool,
        boards: BoardStore,
        results: ResultStore | None = None,
        ponder: bool = False,
    ) -> None:
        """`ponder`: planners plan on while a person thinks."""
        self.catalog, self.pool, self.boards, self.results = catalog, pool, boards, results
        self._ponder = ponder
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._watching: dict[str, set[Send]] = {}

    # -- boards ----------------------------------------------------------------------------------------------

    async def create(self, wish: Mapping[str, Any], study: Mapping[str, Any] | None = None) -> tuple[Board, str]:
        """Begin a board; returns it with the token that it belongs to."""
        spec = self.catalog.spec(wish["game"], wish.get("parameters") or {})
        game = await asyncio.to_thread(self.catalog.game, spec)
        seats = wish.get("seats") or [PERSON]
        if len(seats) != game.players:
            raise InvalidParameterError(f"{len(seats)} seats given; expected {game.players} for {wish['game']!r}.")
        checked = tuple(self.catalog.check_seat(game, seat) for seat in seats)
        seed = wish.get("seed")
        seed = secrets.randbelow(_MOST_SEED) if seed is None else int(seed)
        budget = self.catalog.check_budget(wish.get("budget") or "500ms")
        start = wish.get("start")
        parameters = wish.get("parameters") or {}
        setup = Setup(
            spec, wish["game"], checked, budget, seed, parameters, study, start, bool(wish.get("open", False))
        )
        token, id = secrets.token_urlsafe(24), secrets.token_hex(8)
        try:
            board = rebuilt(id, digest(token), setup, game, ())
        except IllegalActionError as error:
            raise InvalidParameterError(f"start: {error}") from error
        await asyncio.to_thread(self.boards.add, id, board.owner, setup.to_json())
        self._held[id] = _Held(board)
        self._forget_some()
        return board, token

    async def held(self, id: str, token: str | None) -> _Held:
        """A board of the token's owner."""
        if not _ID.fullmatch(id):
            raise NotFoundError(f"there is no board {short(id)}.")
        held = self._held.get(id)
        if held is None:
            held = await asyncio.to_thread(self._load, id)
        if token is None or not hmac.compare_digest(held.board.owner, digest(token)):
            raise ForbiddenError("this board belongs to another token.")
        held = self._held.setdefault(id, held)
        self._held.move_to_end(id)
        return held

    def _load(self, id: str) -> _Held:
        row = self.boards.board(id)
        if row is None:
            raise NotFoundError(f"there is no board {short(id)}.")
        setup = Setup.from_json(row.description)
        game = self.catalog.game(setup.game)
        return _Held(rebuilt(id, row.owner, setup, game, self.boards.events(id)))

    def _forget_some(self) -> None:
        idle = [id for id, held in self._held.items() if not held.lock.locked()]
        for id in idle[: max(0, len(self._held) - _MOST_BOARDS)]:
            del self._held[id]

    async def view(self, id: str, token: str | None, since: int | None = None) -> dict[str, Any]:
        """What the owner sees of a board; with `since`, also every position from there on."""
        held = await self.held(id, token)
        async with held.lock:
            return board_view(held.board, since)

    async def act(self, id: str, token: str | None, code: int, number: int | None) -> dict[str, Any]:
        """A person's action; `number` is how many moves the page has seen, so that none is made twice."""
        held = await self.held(id, token)
        async with held.lock:
            board, before = held.board, held.board.number
            if number is not None and number != before:
                raise InvalidParameterError(f"the board is at move {before}, not {number}; read it again.")
            if board.preparing:
                await self._keep(board, [board.check_choice(code)])
                return board_view(board, 0)
            event = board.check_action(code)
            if board.state.current_player() == SIMULTANEOUS:
                # Kept with everybody's actions, when the step is made.
                board.pending[event["seat"]] = code
                if not board.acting:
                    await self._keep(board, [board.check_step(board.pending, {})])
            else:
                await self._keep(board, [event])
            return board_view(board, before)

    async def undo(self, id: str, token: str | None) -> dict[str, Any]:
        """Take a person's last action back."""
        held = await self.held(id, token)
        async with held.lock:
            await self._keep(held.board, [held.board.check_undo()])
            return board_view(held.board, held.board.number)

    async def give_up(self, id: str, token: str | None) -> dict[str, Any]:
        """End a board before the game is over."""
        held = await self.held(id, token)
        async with held.lock:
            if not held.board.over:
                await self._keep(held.board, [{"type": "give-up"}])
            return board_view(held.board, held.board.number)

    async def advance(self, id: str, token: str | None, send: Send) -> dict[str, Any]:
        """Let the planners whose turn it is act; what they think is sent while they search, if it hides nothing."""
        held = await self.held(id, token)
        async with held.lock:
            board, before = held.board, held.board.number
            if board.over or board.waits_for_person or board.preparing:
                return board_view(board, before)
            shown = board.viewer is None or not board.game.hides_information
            if board.state.current_player() != SIMULTANEOUS:
                seat = board.acting[0]
                answer = await self._thought(board, seat, send if shown else None)
                await self._keep(board, board.check_plan(seat, answer))
            else:
                asked = board.acting
                answers = await asyncio.gather(*(self._thought(board, seat, send if shown else None) for seat in asked))
                thoughts = dict(zip(asked, answers, strict=True))
                chosen = board.pending | {seat: answer["turn"]["codes"][0] for seat, answer in thoughts.items()}
                await self._keep(board, [board.check_step(chosen, thoughts)])
            return board_view(board, before)

    async def _thought(self, board: Board, seat: int, send: Send | None) -> dict[str, Any]:
        """The answer of a planner for the present position."""
        name = board.setup.seats[seat]
        query = board.planner_query(seat) | ({"ponder": True} if self._ponder and board.persons else {})
        pinned = board.id if self._ponder or isinstance(parse_agent(name), NamedSpec) else None
        last: dict[str, Any] = {}
        async with contextlib.aclosing(self.pool.ask(board.owner, query, pinned)) as answers:
            async for answer in answers:
                last = answer
                if send is not None:
                    await send({"type": "thinking", "seat": seat, "planner": name, "number": board.number, **answer})
        return last

    async def analyse(self, id: str, token: str | None, wish: Mapping[str, Any], send: Send) -> None:
        """Analyse a position of a board with any planner, on what its viewer knows."""
        held = await self.held(id, token)
        board = held.board
        number = wish.get("number", board.number)
        if not isinstance(number, int) or not 0 <= number <= board.number or board.preparing:
            raise InvalidParameterError(f"number is {short(number)}; expected a move of the board.")
        planner = self.catalog.check_seat(board.game, wish.get("planner", "emcts"))
        if planner == PERSON:
            raise InvalidParameterError("planner is 'person'; expected a planner.")
        viewer = board.viewer
        seat = wish.get("seat", viewer if viewer is not None else 0)
        if not isinstance(seat, int) or not 0 <= seat < board.game.players:
            raise InvalidParameterError(f"seat is {short(seat)}; expected 0 to {board.game.players - 1}.")
        query = board.query(number) | {
            "planner": planner,
            "budget": self.catalog.check_budget(wish.get("budget") or "2s"),
            "seat": seat,
            "viewer": viewer,
        }
        async with contextlib.aclosing(self.pool.ask(board.owner, query)) as answers:
            async for answer in answers:
                await send({"type": "analysis", "number": number, "planner": planner, **answer, "id": wish.get("id")})

    async def preview(self, id: str, token: str | None, number: int, codes: list[int]) -> str:
        """The drawing after a turn that somebody considers, in a world that fits what the viewer knows."""
        held = await self.held(id, token)
        board = held.board
        if not 0 <= number <= board.number or board.preparing:
            raise InvalidParameterError(f"number is {number}; expected a move of the board.")
        viewer, state = board.viewer, board.states[number]
        world = state.copy() if viewer is None else state.resample_hidden(viewer, [number, 5])
        world = position_after(world, codes[: board.game.max_turn + 1])
        return (world if viewer is None else world.observe(viewer)).svg()

    async def export(self, id: str, token: str | None) -> str:
        """The game as one HTML file: all of it once it is over, before that only what the viewer sees."""
        held = await self.held(id, token)
        async with held.lock:
            return await asyncio.to_thread(board_page, held.board)

    # -- who watches -----------------------------------------------------------------------------------------

    def watch(self, id: str, send: Send) -> None:
        """Tell a socket when a board has changed."""
        self._watching.setdefault(id, set()).add(send)

    def unwatch(self, id: str, send: Send) -> None:
        """The socket is gone."""
        self._watching.get(id, set()).discard(send)
        if not self._watching.get(id):
            self._watching.pop(id, None)

    async def _tell(self, board: Board) -> None:
        for send in list(self._watching.get(board.id, ())):
            with contextlib.suppress(Exception):  # a socket that is gone is noticed by whoever reads from it
                await send({"type": "changed", "number": board.number, "events": board.events})

    # -- keeping ---------------------------------------------------------------------------------------------

    async def _keep(self, board: Board, events: list[dict[str, Any]]) -> None:
        """Put events on the disk, then carry them out; a finished game also becomes a record of the store."""
        numbered = [(board.id, board.events + i, event) for i, event in enumerate(events)]
        await asyncio.to_thread(self.boards.append, numbered)
        for event in events:
            board.play(event)
        if board.over:
            returns = board.returns()
            result = {"returns": returns, "given_up": board.given_up, "values": board.value(board.number, None)}
            await asyncio.to_thread(self._end, board, result)
        await self._tell(board)

    def _end(self, board: Board, result: dict[str, Any]) -> None:
        self.boards.end(board.id, result)
        # A record begins where the game begins; the boards themselves are kept with any start.
        if self.results is not None and not board.given_up and board.setup.start is None:
            number = self.results.tournament("board", {"game": "any", "what": "games played at the board"})
            self.results.add(number, board.record())


def board_view(board: Board, since: int | None) -> dict[str, Any]:
    """What the viewer of a board sees, as one document."""
    viewer = board.viewer
    first = board.number if since is None else min(max(0, since), board.number)
    last = min(board.number, first + _MOST_PICTURES)
    frames = [board.drawing(number, viewer) for number in range(first, last + 1)]
    preparing = bool(board.preparing)
    return {
        "id": board.id,
        "title": board.setup.title,
        "parameters": dict(board.setup.parameters),
        "seats": list(board.setup.seats),
        "budget": board.setup.budget,
        # A seed gives all hands and all chance away, to whoever begins the same game with it.
        "seed": board.setup.seed if viewer is None else None,
        "study": board.setup.study is not None,
        "open": board.setup.open,
        "simultaneous": board.game.simultaneous,
        "hidden": board.game.hides_information,
        "players": board.game.players,
        "viewer": viewer,
        "number": board.number,
        "events": board.events,
        "acting": board.acting,
        "preparing": preparing,
        "yours": board.waits_for_person and not board.over,
        "over": board.over,
        "givenUp": board.given_up,
        "returns": board.returns(),
        "canUndo": board.can_undo(),
        "actions": board.actions(),
        "first": first,
        "last": last,
        "pictures": packed(frames),
        "log": [] if preparing else [board.entry(number, viewer) for number in range(first, last)],
        "values": [] if preparing else [board.value(number, viewer) for number in range(first, last + 1)],
        "range": list(board.game.value_range),
    }


def digest(token: str) -> str:
    """What is kept of a token: whoever reads the store can't play with it."""
    return hashlib.sha256(token.encode()).hexdigest()


__all__ = ["EVERYBODY", "ForbiddenError", "NotFoundError", "Service", "board_view", "digest"]
