"""The server: HTTP for everything that is done at once, a WebSocket for whatever searches.

Searches live as long as the socket that asked for them: one that dies takes its searches with it, and whoever comes
back asks again. Documents and their fields are described by `/api/openapi.json` and in docs/board/api.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Header, Query, Request, WebSocket, WebSocketDisconnect
from fastapi import Path as PathParameter
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from tactician._version import __version__
from tactician.errors import IllegalActionError, StoreError, TacticianError
from tactician.files import json_text
from tactician.web.pages import record_page, replays
from tactician.web.pool import BusyError, SearchFailedError
from tactician.web.security import Guard
from tactician.web.service import ForbiddenError, NotFoundError, Service
from tactician.web.study import Study

_STATIC = Path(__file__).parent / "static"
_SHARED = Path(__file__).parents[1] / "drawing"
_MOST_AT_ONCE = 16
"""Commands that one socket may have under way."""

Token = Annotated[str | None, Header(alias="X-Board-Token", description="The token that the board belongs to.")]


class _Json(JSONResponse):
    """JSON in which numbers that JSON does not have are null."""

    def render(self, content: Any) -> bytes:
        return json_text(content).encode()


class NewBoard(BaseModel):
    """A game to be played."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(max_length=200, description="A name from the catalog.", examples=["hero-academy"])
    parameters: dict[str, str | int | float | bool | None] = Field(
        default_factory=dict, description="Of the game.", examples=[{"action_points": 5}]
    )
    seats: list[str] = Field(
        default_factory=list,
        max_length=16,
        description="For each seat 'person', a planner, or an agent of the game.",
        examples=[["person", "oep"]],
    )
    budget: str = Field(default="500ms", max_length=40, description="Of a planner's turn.")
    seed: int | None = Field(default=None, ge=0, le=2**53, description="Decides start and chance; random if missing.")
    start: dict[str, Any] | list[Any] | str | None = Field(
        default=None, description="Another start: a state as JSON, or actions by name separated by semicolons."
    )
    open: bool = Field(default=False, description="Show everything and let the page act for every seat: an analysis.")


class Action(BaseModel):
    """A person's action."""

    model_config = ConfigDict(extra="forbid", strict=True)

    code: int = Field(ge=-(2**31), lt=2**31, description="One of the codes in 'actions'.")
    number: int | None = Field(default=None, ge=0, description="Moves that the page has seen; refused if out of date.")


class Considered(BaseModel):
    """A turn to look at."""

    model_config = ConfigDict(extra="forbid", strict=True)

    number: int = Field(ge=0, description="Moves before it.")
    codes: list[Annotated[int, Field(ge=-(2**31), lt=2**31)]] = Field(max_length=200)


class Wanted(BaseModel):
    """A game with parameters, to see who can play it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(max_length=200, examples=["hero-academy"])
    parameters: dict[str, str | int | float | bool | None] = Field(default_factory=dict)


class Player(BaseModel):
    """Somebody who takes part in the study."""

    model_config = ConfigDict(extra="forbid", strict=True)

    skill: Literal["beginner", "intermediate", "expert"]


_PROBLEM = {
    "title": "Problem",
    "type": "object",
    "properties": {"error": {"type": "string", "description": "Why the request was refused, in one sentence."}},
    "required": ["error"],
}
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": what, "content": {"application/json": {"schema": _PROBLEM}}}
    for status, what in {
        400: "The request can't be read.",
        401: "The access token is missing.",
        403: "The board belongs to another token.",
        404: "There is no such thing.",
        409: "The action is not legal, or not now.",
        413: "The body is too large.",
        421: "The server does not answer to that host name.",
        422: "A value is not what was expected.",
        429: "Too much is asked at once.",
    }.items()
}


def make_app(service: Service, hosts: list[str], access: str | None = None, study: Study | None = None) -> FastAPI:
    """The application around a service; `access` is the token that the whole server requires, if any."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        service.pool.start()
        loading = asyncio.create_task(asyncio.to_thread(service.catalog.warm))
        yield
        loading.cancel()
        await service.pool.close()

    app = FastAPI(
        title="tactician board",
        version=__version__,
        description="Play against planners, watch them, analyse positions.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        default_response_class=_Json,
        responses=_REFUSALS,
    )
    app.state.service = service
    _add_errors(app)
    _add_boards(app, service, study)
    _add_replays(app, service)
    _add_socket(app, service, access)
    if study is not None:
        _add_study(app, service, study)

    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return HTMLResponse((_STATIC / "index.html").read_text(encoding="utf-8"))

    @app.get("/shared/{name}", include_in_schema=False)
    async def shared(name: str) -> Response:
        kinds = {"morph.js": "text/javascript", "theme.css": "text/css"}
        if name not in kinds:
            raise NotFoundError("there is no such file.")
        return Response((_SHARED / name).read_text(encoding="utf-8"), media_type=kinds[name])

    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    app.add_middleware(Guard, hosts=hosts, access=access)
    return app


def _add_errors(app: FastAPI) -> None:
    def answer(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"error": sentence}, status_code=status)

    @app.exception_handler(TacticianError)
    async def known(_request: Request, error: TacticianError) -> JSONResponse:
        statuses = {
            ForbiddenError: 403,
            NotFoundError: 404,
            IllegalActionError: 409,
            BusyError: 429,
            SearchFailedError: 500,
        }
        return answer(statuses.get(type(error), 422 if error.exit_code == 2 else 500), str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
        return answer(422, f"{place}: {first['msg']}.")

    @app.exception_handler(HTTPException)
    async def refused(_request: Request, error: HTTPException) -> JSONResponse:
        return answer(error.status_code, f"{error.detail}.")


def _add_boards(app: FastAPI, service: Service, study: Study | None) -> None:
    @app.get("/api/catalog", summary="What there is to play")
    async def catalog() -> dict[str, Any]:
        return {
            "games": await asyncio.to_thread(service.catalog.describe),
            "longestMs": service.catalog.longest_ms,
            "study": study is not None,
            "version": __version__,
        }

    @app.post("/api/describe", summary="Who can play a game")
    async def describe(wanted: Wanted) -> dict[str, Any]:
        spec = service.catalog.spec(wanted.game, wanted.parameters)
        game = await asyncio.to_thread(service.catalog.game, spec)
        return {
            "players": game.players,
            "simultaneous": game.simultaneous,
            "hidden": game.hides_information,
            "agents": service.catalog.seats_of(game),
        }

    @app.post("/api/boards", status_code=201, summary="Begin a game")
    async def create(wish: NewBoard) -> dict[str, Any]:
        board, token = await service.create(wish.model_dump())
        return {"id": board.id, "token": token}

    @app.get("/api/boards/{id}", summary="What the owner sees of a game")
    async def view(
        id: str, token: Token = None, since: Annotated[int | None, Query(ge=0, description="First position.")] = None
    ) -> dict[str, Any]:
        return await service.view(id, token, since)

    @app.post("/api/boards/{id}/actions", summary="Act")
    async def act(id: str, action: Action, token: Token = None) -> dict[str, Any]:
        return await service.act(id, token, action.code, action.number)

    @app.post("/api/boards/{id}/undo", summary="Take the last action back")
    async def undo(id: str, token: Token = None) -> dict[str, Any]:
        return await service.undo(id, token)

    @app.post("/api/boards/{id}/give-up", summary="End the game")
    async def give_up(id: str, token: Token = None) -> dict[str, Any]:
        return await service.give_up(id, token)

    @app.post("/api/boards/{id}/preview", summary="Draw the position after a turn")
    async def preview(id: str, turn: Considered, token: Token = None) -> dict[str, str]:
        return {"svg": await service.preview(id, token, turn.number, turn.codes)}

    @app.get("/api/boards/{id}/export", response_class=HTMLResponse, summary="The game as one HTML file")
    async def export(id: str, token: Token = None) -> str:
        return await service.export(id, token)


def _add_replays(app: FastAPI, service: Service) -> None:
    @app.get("/api/records", summary="Finished games of the store")
    async def records() -> list[dict[str, Any]]:
        return await asyncio.to_thread(replays, service.results)

    @app.get("/api/records/{tournament}/{key}", response_class=HTMLResponse, summary="A finished game as a page")
    async def record(
        tournament: Annotated[int, PathParameter(ge=0, le=2**63 - 1)], key: Annotated[str, PathParameter(max_length=64)]
    ) -> Response:
        nonce = secrets.token_urlsafe(12)
        try:
            page = await asyncio.to_thread(record_page, service.results, service.boards, tournament, key, nonce)
        except StoreError as error:  # the sentence names the store's path, which is nobody's business
            raise NotFoundError("there is no such game in the server's store.") from error
        policy = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-{nonce}'"
        return HTMLResponse(page, headers={"content-security-policy": policy})


def _add_study(app: FastAPI, service: Service, study: Study) -> None:
    @app.post("/api/study/games", status_code=201, summary="Take part in the study: begin a game")
    async def begin(player: Player) -> dict[str, Any]:
        board, token = await study.begin(service, player.skill)
        return {"id": board.id, "token": token}

    @app.get("/api/study", summary="What the study is about")
    async def about() -> dict[str, Any]:
        return study.describe()


def _add_socket(app: FastAPI, service: Service, access: str | None) -> None:
    @app.websocket("/api/live")
    async def live(socket: WebSocket) -> None:
        await socket.accept()
        try:
            hello = await asyncio.wait_for(socket.receive_json(), timeout=10)
            given = str(hello.get("access")).encode()
            if access is not None and not hmac.compare_digest(given, access.encode()):
                await socket.close(4401, "the access token is missing or wrong.")
                return
            await service.held(str(hello.get("board")), hello.get("token"))
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            return
        except (TacticianError, ValueError, AttributeError, TypeError, KeyError):  # KeyError: bytes, no text
            await socket.close(4403, "expected a greeting with a board and its token.")
            return
        await _Conversation(socket, service, str(hello["board"]), str(hello["token"])).run()


class _Conversation:
    """One socket: commands come in, answers and changes go out; its end ends its searches."""

    def __init__(self, socket: WebSocket, service: Service, board: str, token: str) -> None:
        self._socket, self._service, self._board, self._token = socket, service, board, token
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        self._service.watch(self._board, self._send)
        try:
            await self._send({"type": "ready"})
            while True:
                text = await self._socket.receive_text()
                await self._take(text)
        except KeyError:
            with contextlib.suppress(RuntimeError):
                await self._socket.close(1003, "expected text, not bytes.")
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self._service.unwatch(self._board, self._send)
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _take(self, text: str) -> None:
        try:
            command = json.loads(text)
            kind = command.get("type")
            name = str(command.get("id", kind))[:60]
        except (ValueError, AttributeError, RecursionError):
            await self._send({"type": "error", "error": "expected a JSON object with a 'type'."})
            return
        if kind == "stop":
            task = self._tasks.pop(name, None)
            if task is not None:
                task.cancel()
        elif kind not in ("advance", "analyse"):
            await self._send({"type": "error", "error": "type: expected 'advance', 'analyse' or 'stop'."})
        elif len(self._tasks) >= _MOST_AT_ONCE and name not in self._tasks:
            await self._send({"type": "error", "id": name, "error": "too much is asked at once."})
        elif kind == "advance" and name in self._tasks:
            return  # it is under way
        else:
            if name in self._tasks:
                self._tasks[name].cancel()
            self._tasks[name] = asyncio.create_task(self._do(kind, name, command))

    async def _do(self, kind: str, name: str, command: dict[str, Any]) -> None:
        try:
            if kind == "advance":
                view = await self._service.advance(self._board, self._token, self._send)
                await self._send({"type": "view", "view": view})
            else:
                await self._service.analyse(self._board, self._token, command, self._send)
                await self._send({"type": "done", "id": name})
        except TacticianError as error:
            await self._send({"type": "error", "id": name, "error": str(error)})
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            if self._tasks.get(name) is asyncio.current_task():
                del self._tasks[name]

    async def _send(self, document: dict[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_text(json_text(document))


__all__ = ["make_app"]
