"""The server's API: who may do what, and a clear refusal for everything else."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tactician.arena.store.boards import BoardStore
from tactician.arena.store.store import open_store
from tactician.errors import InvalidParameterError
from tactician.planners.registry import PLANNERS
from tactician.web.app import make_app
from tactician.web.catalog import Catalog
from tactician.web.exporting import exported
from tactician.web.pool import SearchPool
from tactician.web.security import LOOPBACK, MOST_BODY
from tactician.web.service import Service
from tactician.web.study import Study

LIVE = "ws://localhost/api/live"
SMALL = {"game": "amazons", "parameters": {"size": 4}, "seats": ["person", "person"], "seed": 1}
AGAINST = SMALL | {"seats": ["person", "greedy-action"], "budget": "50evals"}


class Visitor:
    """A client of a server, with the token of one board."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.id = self.token = ""

    def begin(self, wish: dict[str, Any]) -> dict[str, Any]:
        made = self.client.post("/api/boards", json=wish)
        assert made.status_code == 201, made.text
        self.id, self.token = made.json()["id"], made.json()["token"]
        return self.view()

    def view(self, since: int = 0) -> dict[str, Any]:
        return self.get(f"?since={since}").json()

    def get(self, path: str = "") -> Any:
        return self.client.get(f"/api/boards/{self.id}{path}", headers={"X-Board-Token": self.token})

    def post(self, path: str, body: Any = None) -> Any:
        return self.client.post(f"/api/boards/{self.id}{path}", json=body, headers={"X-Board-Token": self.token})

    def act(self, code: int, **more: Any) -> Any:
        return self.post("/actions", {"code": code, **more})

    def greeting(self) -> dict[str, str]:
        return {"board": self.id, "token": self.token}


def make_service(store: Path | None = None, games: tuple[str, ...] = (), longest: float = 5.0) -> Service:
    where = None if store is None else str(store)
    return Service(Catalog(games, longest * 1000), SearchPool(1, longest), BoardStore(where), open_store(where))


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app(make_service(), list(LOOPBACK)), base_url="http://localhost") as one:
        yield one


@pytest.fixture
def visitor(client: TestClient) -> Visitor:
    return Visitor(client)


def test_a_board_is_begun_and_acted_on(visitor: Visitor) -> None:
    view = visitor.begin(SMALL)
    assert view["yours"]
    assert view["pictures"]["frames"]
    after = visitor.act(view["actions"][0]["code"], number=0)
    assert after.status_code == 200
    assert after.json()["number"] == 1
    assert after.json()["log"][0]["name"] == view["actions"][0]["name"]
    assert visitor.post("/undo").json()["number"] == 0


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({}, "game: Field required"),
        ({"game": "chess"}, "unknown game"),
        ({"game": "/etc/passwd"}, "unknown game"),
        ({"game": "evil.py:game"}, "unknown game"),
        ({**SMALL, "parameters": {"size": 99}}, "size is 99"),
        ({**SMALL, "parameters": {"shape": 1}}, "unknown parameter"),
        ({"game": "hero-academy", "parameters": {"map": "/etc/passwd"}}, "expected one of a, a-small, a-tiny"),
        ({"game": "hero-academy", "parameters": {"map": "../x"}}, "expected one of a, a-small, a-tiny"),
        ({"game": "hero-academy", "parameters": {"weights": "card=/etc/passwd"}}, "expected name=number;name=number"),
        ({"game": "hero-academy", "parameters": {"weights": ";".join(["card=1"] * 200)}}, "expected name=number"),
        ({"game": "hero-academy", "parameters": {"turn_limit": "soon"}}, "expected a number"),
        ({"game": "locm", "parameters": {"cards": "cards.txt"}}, "unknown parameter"),
        ({"game": "royale", "parameters": {"cards": "cards"}}, "unknown parameter"),
        ({"game": "royale", "parameters": {"deck": "cards.csv"}}, "plain word"),
        ({"game": "royale", "parameters": {"deck": "../deck"}}, "plain word"),
        ({"game": "royale", "parameters": {"deck": "Knight+" * 200 + "Giant"}}, "plain word"),
        ({**SMALL, "seats": ["person"]}, "1 seats given; expected 2"),
        ({**SMALL, "seats": ["person", "exec:/bin/sh"]}, "expected a planner, an agent"),
        ({**SMALL, "seats": ["person", "python:evil.py:Agent"]}, "expected a planner, an agent"),
        ({**SMALL, "seats": ["person", "follower:path=/etc/passwd"]}, "expected a planner, an agent"),
        ({**SMALL, "seats": ["person", "oep:evaluation=/etc/passwd"]}, "expected a plain word"),
        ({**SMALL, "seats": ["person", "oep:evaluation=mine.json"]}, "expected a plain word"),
        ({**SMALL, "seats": ["person", "mcts:ratings=passwd"]}, "expected a plain word"),
        ({**SMALL, "seats": ["person", "fdts:priors=passwd"]}, "expected a plain word"),
        ({**SMALL, "seats": ["person", "fdts:opponents=x.safetensors"]}, "expected a plain word"),
        ({**SMALL, "seats": ["person", "determinized:planner=(oep:ratings=passwd)"]}, "expected a plain word"),
        ({**SMALL, "seats": ["person", "oep:workers=64"]}, "workers of 'oep' is 64; this server allows at most 1"),
        ({**SMALL, "seats": ["person", "determinized:planner=exec:/bin/sh"]}, "planner"),
        ({**SMALL, "seats": ["person", "oep:budget=9999s"]}, "allows at most"),
        ({**SMALL, "seats": ["person", "fdts"], "budget": "11s"}, "allows at most 5000 ms"),
        ({**SMALL, "budget": "soon"}, "budget is 'soon'"),
        ({**SMALL, "seed": -1}, "seed: Input should be greater"),
        ({**SMALL, "start": "jump"}, "not legal"),
        ({**SMALL, "start": {"board": 1}}, "state"),
        ({**SMALL, "colour": "red"}, "colour: Extra inputs"),
        ({"game": "pommerman", "seats": ["person", "oep", "oep", "oep"]}, "plans turns"),
    ],
)
def test_what_can_not_be_begun_is_refused_with_one_sentence(client: TestClient, wish: Any, says: str) -> None:
    answer = client.post("/api/boards", json=wish)
    assert answer.status_code == 422
    assert says in answer.json()["error"]


def test_broken_bodies_are_refused(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    assert client.post("/api/boards", content=b"{", headers=headers).status_code == 422
    assert client.post("/api/boards", content=b"[" * 100_000, headers=headers).status_code in (400, 422)
    assert client.post("/api/boards", content=b"\xff\xfe", headers=headers).status_code in (400, 422)
    huge = client.post("/api/boards", content=b" " * (MOST_BODY + 1), headers=headers)
    assert huge.status_code == 413
    lying = client.post("/api/boards", content=iter([b" " * MOST_BODY, b" " * MOST_BODY]), headers=headers)
    assert 400 <= lying.status_code < 500


def test_another_token_sees_nothing_and_moves_nothing(visitor: Visitor) -> None:
    view = visitor.begin(SMALL)
    for token in ("", "x" * 32, visitor.token + "x"):
        headers = {"X-Board-Token": token} if token else {}
        path = f"/api/boards/{visitor.id}"
        assert visitor.client.get(path, headers=headers).status_code == 403
        body = {"code": view["actions"][0]["code"]}
        assert visitor.client.post(f"{path}/actions", json=body, headers=headers).status_code == 403
        assert visitor.client.post(f"{path}/undo", headers=headers).status_code == 403
        assert visitor.client.get(f"{path}/export", headers=headers).status_code == 403
        assert (
            visitor.client.post(f"{path}/preview", json={"number": 0, "codes": []}, headers=headers).status_code == 403
        )
    assert visitor.view()["number"] == 0


def test_the_store_holds_no_token(tmp_path: Path) -> None:
    store = tmp_path / "b.db"
    with TestClient(make_app(make_service(store), list(LOOPBACK)), base_url="http://localhost") as client:
        visitor = Visitor(client)
        visitor.begin(SMALL)
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert visitor.id.encode() in kept
    assert visitor.token.encode() not in kept


@pytest.mark.parametrize("id", ["0" * 16, "nothing", "..%2f..%2fetc", "%00", "é", "a" * 5000])
def test_unknown_boards_are_not_found(client: TestClient, id: str) -> None:
    answer = client.get(f"/api/boards/{id}", headers={"X-Board-Token": "x"})
    assert answer.status_code == 404
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/shared/..%2f..%2ferrors.py", "/shared/svg.py"]
)
def test_no_path_leads_out_of_the_static_files(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_illegal_and_late_actions_are_conflicts(visitor: Visitor) -> None:
    view = visitor.begin(SMALL)
    assert visitor.act(12345).status_code == 409
    code = view["actions"][0]["code"]
    assert visitor.act(code, number=7).status_code == 422
    assert visitor.act(code, number=0).status_code == 200
    assert visitor.act(code, number=0).status_code == 422
    assert visitor.view()["number"] == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example"}, 421),
        ({"host": "localhost", "origin": "http://evil.example"}, 403),
        ({"host": "localhost", "origin": "null"}, 403),
        ({"host": "localhost:8000", "origin": "http://localhost:9999"}, 403),
        ({"host": "localhost:8000", "origin": "http://localhost:8000"}, 200),
        ({"host": "127.0.0.1"}, 200),
        ({"host": "[::1]:8000"}, 200),
    ],
)
def test_other_hosts_and_origins_are_refused(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.get("/api/catalog", headers=headers).status_code == status


def test_sockets_of_other_sites_are_refused(visitor: Visitor) -> None:
    visitor.begin(SMALL)
    for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
        with pytest.raises(WebSocketDisconnect), visitor.client.websocket_connect(LIVE, headers=headers):
            pass


def test_pages_carry_their_security_headers(client: TestClient) -> None:
    headers = client.get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"


def test_an_access_token_is_required_where_there_is_one() -> None:
    with TestClient(make_app(make_service(), ["localhost"], access="sesame"), base_url="http://localhost") as client:
        assert client.get("/").status_code == 200
        assert client.get("/api/catalog").status_code == 401
        assert client.get("/api/catalog", headers={"authorization": "Bearer wrong"}).status_code == 401
        right = {"authorization": "Bearer sesame"}
        assert client.get("/api/catalog", headers=right).status_code == 200
        made = client.post("/api/boards", json=SMALL, headers=right).json()
        greeting = {"board": made["id"], "token": made["token"]}
        with client.websocket_connect(LIVE) as socket:
            socket.send_json(greeting)
            with pytest.raises(WebSocketDisconnect):
                socket.receive_json()
        with client.websocket_connect(LIVE) as socket:
            socket.send_json(greeting | {"access": "sesame"})
            assert socket.receive_json() == {"type": "ready"}


# -- sockets -------------------------------------------------------------------------------------------------


def until(socket: Any, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind:
            return message


def test_a_planner_answers_over_the_socket(visitor: Visitor) -> None:
    visitor.begin(AGAINST)
    for _ in range(3):
        visitor.act(visitor.view()["actions"][0]["code"])
    assert not visitor.view()["yours"]
    with visitor.client.websocket_connect(LIVE) as socket:
        socket.send_json(visitor.greeting())
        socket.send_json({"type": "advance"})
        assert until(socket, "thinking")["turn"]["names"]
        view = until(socket, "view")["view"]
    assert view["yours"]
    assert view["number"] == 6
    assert len(view["pictures"]["frames"]) == 4


class NotingPool(SearchPool):
    """A pool that takes note of what it is asked, and of which queries must share a process."""

    def __init__(self) -> None:
        super().__init__(1, 5.0)
        self.asked: list[tuple[bool, str | None]] = []

    def ask(self, asker: str, query: Mapping[str, Any], pinned: str | None = None) -> AsyncGenerator[dict[str, Any]]:
        self.asked.append((query.get("ponder", False), pinned))
        return super().ask(asker, query, pinned)


def test_with_ponder_a_planner_plans_on_in_its_process_where_a_person_is_thinking() -> None:
    pool = NotingPool()
    service = Service(Catalog((), 5000.0), pool, BoardStore(None), open_store(None), ponder=True)
    with TestClient(make_app(service, list(LOOPBACK)), base_url="http://localhost") as client:
        visitor = Visitor(client)
        begun = []
        for seats in (["greedy-action", "person"], ["greedy-action", "greedy-action"]):
            visitor.begin(AGAINST | {"seats": seats})
            begun.append(visitor.id)
            with client.websocket_connect(LIVE) as socket:
                socket.send_json(visitor.greeting())
                socket.send_json({"type": "advance"})
                assert until(socket, "view")["view"]["number"] == 3
    assert pool.asked == [(True, begun[0]), (False, begun[1])]


def test_a_hidden_game_does_not_show_what_the_opponent_thinks(visitor: Visitor) -> None:
    wish = {"game": "hero-academy", "parameters": {"information": "hidden"}, "seed": 1}
    visitor.begin(wish | {"seats": ["person", "oep"], "budget": "20its"})
    visitor.act(next(one["code"] for one in visitor.view()["actions"] if one["name"] == "end turn"))
    with visitor.client.websocket_connect(LIVE) as socket:
        socket.send_json(visitor.greeting())
        socket.send_json({"type": "advance"})
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["type"] != "view":
            seen.append(socket.receive_json())
    assert {message["type"] for message in seen} <= {"ready", "changed", "view"}


def test_positions_are_analysed_with_any_planner(visitor: Visitor) -> None:
    visitor.begin(SMALL)
    with visitor.client.websocket_connect(LIVE) as socket:
        socket.send_json(visitor.greeting())
        socket.send_json({"type": "analyse", "id": "one", "planner": "mcts", "budget": "50its", "number": 0})
        found = until(socket, "analysis")
        assert (found["id"], found["planner"]) == ("one", "mcts")
        assert until(socket, "done")["id"] == "one"
        for wrong in ({"planner": "exec:/bin/sh"}, {"number": 9}, {"budget": "1h"}, {"planner": 5}, {"seat": 9}):
            socket.send_json({"type": "analyse", "id": "two", "planner": "mcts", "budget": "50its", **wrong})
            assert until(socket, "error")["error"]


def test_a_socket_that_dies_takes_its_search_with_it_and_nothing_is_lost(visitor: Visitor) -> None:
    pool = visitor.client.app.state.service.pool  # type: ignore[attr-defined]
    visitor.begin(SMALL | {"seats": ["person", "mcts"], "budget": "5s"})
    for _ in range(3):
        visitor.act(visitor.view()["actions"][0]["code"])
    with visitor.client.websocket_connect(LIVE) as socket:
        socket.send_json(visitor.greeting())
        socket.send_json({"type": "advance"})
        until(socket, "thinking")
    quick = Visitor(visitor.client)
    quick.begin(SMALL)
    with quick.client.websocket_connect(LIVE) as socket:
        socket.send_json(quick.greeting())
        # The one process is free again.
        socket.send_json({"type": "analyse", "id": "q", "planner": "greedy-action", "budget": "1evals", "number": 0})
        until(socket, "done")
    assert pool.waiting == 0
    assert visitor.view()["number"] == 3


def test_nonsense_on_a_socket_is_answered_and_the_socket_stays(visitor: Visitor) -> None:
    visitor.begin(SMALL)
    with visitor.client.websocket_connect(LIVE) as socket:
        socket.send_json(visitor.greeting())
        for text in ("{", "[]", "5", json.dumps({"type": "dance"}), "[" * 5000):
            socket.send_text(text)
            assert until(socket, "error")["error"]
        socket.send_json({"type": "analyse", "id": "a", "planner": "greedy-action", "budget": "1evals"})
        until(socket, "done")


@pytest.mark.parametrize("greeting", [{}, [], {"board": "x", "token": "y"}, {"board": None, "token": None}])
def test_a_socket_without_a_board_is_closed(client: TestClient, greeting: Any) -> None:
    with client.websocket_connect(LIVE) as socket:
        socket.send_json(greeting)
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


# -- keeping, replays, study ---------------------------------------------------------------------------------


def play_out(visitor: Visitor) -> dict[str, Any]:
    view = visitor.view()
    while not view["over"]:
        view = visitor.act(view["actions"][0]["code"]).json()
    return view


def test_a_game_survives_the_server_and_becomes_a_replay(tmp_path: Path) -> None:
    store = tmp_path / "b.db"
    visitor = Visitor(TestClient(make_app(make_service(store), list(LOOPBACK)), base_url="http://localhost"))
    with visitor.client:
        visitor.begin({**SMALL, "parameters": {"size": 3}})
        visitor.act(visitor.view()["actions"][0]["code"])
        before = visitor.view()
    with TestClient(make_app(make_service(store), list(LOOPBACK)), base_url="http://localhost") as visitor.client:
        assert visitor.view() == before
        assert visitor.client.get("/api/records").json() == []
        end = play_out(visitor)
        assert end["returns"]
        [record] = visitor.client.get("/api/records").json()
        assert record["seats"] == ["person", "person"]
        page = visitor.client.get(f"/api/records/{record['tournament']}/{record['key']}")
        assert page.status_code == 200
        nonce = page.headers["content-security-policy"].partition("'nonce-")[2].partition("'")[0]
        assert f'<script nonce="{nonce}">' in page.text
        assert "shoot" in visitor.get("/export").text
        missing = visitor.client.get("/api/records/1/zzz")
        assert missing.status_code == 404
        assert str(tmp_path) not in missing.text


def test_a_replay_shows_what_planners_considered_at_the_board(tmp_path: Path) -> None:
    store = tmp_path / "b.db"
    visitor = Visitor(TestClient(make_app(make_service(store), list(LOOPBACK)), base_url="http://localhost"))
    with visitor.client:
        visitor.begin({**SMALL, "parameters": {"size": 3}, "seats": ["oep:population=4", "oep:population=4"]})
        with visitor.client.websocket_connect(LIVE) as socket:
            socket.send_json(visitor.greeting())
            while not visitor.view()["over"]:
                socket.send_json({"type": "advance"})
                while socket.receive_json()["type"] != "view":
                    pass
        [record] = visitor.client.get("/api/records").json()
        page = visitor.client.get(f"/api/records/{record['tournament']}/{record['key']}").text
    assert page.count('"considered"') == visitor_export(store, record["key"]).count('"considered"') > 0


def visitor_export(store: Path, key: str) -> str:
    return exported(False, str(store), None, None, key, 2.0)


def test_agents_of_the_command_line_are_offered_and_may_name_files(tmp_path: Path) -> None:
    shipped = "follower:symmetric=True"
    catalog = Catalog(agents=["oep:ratings=mine.json", shipped])
    pommerman, amazons = catalog.game("pommerman"), catalog.game("amazons")
    assert catalog.check_seat(amazons, "oep:ratings=mine.json") == "oep:ratings=mine.json"
    assert shipped in [agent["name"] for agent in catalog.seats_of(pommerman)]
    assert shipped not in [agent["name"] for agent in catalog.seats_of(amazons)]
    with pytest.raises(InvalidParameterError, match="plan"):
        catalog.check_seat(pommerman, "oep:ratings=mine.json")


def test_the_follower_that_comes_with_a_game_can_be_seated() -> None:
    catalog = Catalog()
    pommerman = catalog.game("pommerman")
    assert catalog.check_seat(pommerman, "follower") == "follower"
    assert "follower" in [agent["name"] for agent in catalog.seats_of(pommerman)]
    assert "follower" not in [agent["name"] for agent in catalog.seats_of(catalog.game("amazons"))]


@pytest.mark.parametrize("seat", [name for name, kind in PLANNERS.items() if not kind.simultaneous])
def test_every_planner_of_turns_may_be_seated_with_its_defaults(seat: str) -> None:
    catalog = Catalog()
    assert catalog.check_seat(catalog.game("amazons"), seat)


def test_weights_and_names_of_evaluations_are_harmless() -> None:
    catalog = Catalog()
    seat = "oep:evaluation=default,weights=mobility=0.5;liberty=-1e-3"
    assert catalog.check_seat(catalog.game("amazons"), seat) == seat


def test_a_body_without_a_length_is_cut_off_where_it_is_too_large(client: TestClient) -> None:
    parts = (b" " * 1024 for _ in range(2 * MOST_BODY // 1024))
    refused = client.post("/api/boards", content=parts, headers={"content-type": "application/json"})
    assert refused.status_code == 413
    assert "too large" in refused.json()["error"]
    begun = client.post(
        "/api/boards", content=iter([json.dumps(SMALL).encode()]), headers={"content-type": "application/json"}
    )
    assert begun.status_code == 201


@pytest.mark.parametrize(("host", "status"), [("192.0.2.7:8377", 200), ("[2001:db8::1]", 200), ("evil.example", 421)])
def test_a_literal_address_is_a_host_and_a_strangers_name_is_not(client: TestClient, host: str, status: int) -> None:
    assert client.get("/api/catalog", headers={"host": host}).status_code == status


def test_bytes_instead_of_text_close_a_socket_with_a_reason(visitor: Visitor) -> None:
    visitor.begin(SMALL)
    with visitor.client.websocket_connect(LIVE) as socket:
        socket.send_bytes(b"{}")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4403
    with visitor.client.websocket_connect(LIVE) as socket:
        socket.send_json(visitor.greeting())
        assert socket.receive_json()["type"] == "ready"
        socket.send_bytes(b"{}")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1003


def test_a_board_that_was_given_up_is_over_and_not_a_replay(visitor: Visitor) -> None:
    visitor.begin(SMALL)
    assert visitor.post("/give-up").json()["over"]
    assert visitor.act(0).status_code == 409
    assert visitor.post("/undo").status_code == 409


def test_the_study_asks_for_a_skill_and_keeps_it(tmp_path: Path) -> None:
    service = make_service(tmp_path / "study.db")
    study = Study("greedy-action", "50evals")
    with TestClient(make_app(service, list(LOOPBACK), study=study), base_url="http://localhost") as client:
        assert client.get("/api/study").json()["skills"] == ["beginner", "intermediate", "expert"]
        assert client.post("/api/study/games", json={"skill": "genius"}).status_code == 422
        made = client.post("/api/study/games", json={"skill": "expert"})
        assert made.status_code == 201
        [row] = service.boards.boards()
        assert row.description["study"] == {"skill": "expert", "opponent": "greedy-action"}
        assert "information=hidden" in row.description["game"]


def test_a_preview_draws_what_would_come_of_a_turn(visitor: Visitor) -> None:
    view = visitor.begin(SMALL)
    code = view["actions"][0]["code"]
    drawn = visitor.post("/preview", {"number": 0, "codes": [code, 99999]}).json()["svg"]
    assert "moves the queen" in drawn
    assert visitor.post("/preview", {"number": 5, "codes": []}).status_code == 422
    assert visitor.view()["number"] == 0


def test_a_game_of_the_user_is_offered_by_its_name_only(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from tactician.games.amazons import amazons\n\n\ndef game():\n    return amazons(4, 1)\n")
    service = make_service(games=(f"{file}:game",))
    with TestClient(make_app(service, list(LOOPBACK)), base_url="http://localhost") as client:
        names = [one["name"] for one in client.get("/api/catalog").json()["games"]]
        assert names[0] == "mine:game"
        assert str(tmp_path) not in client.get("/api/catalog").text
        visitor = Visitor(client)
        view = visitor.begin({"game": "mine:game", "seats": ["person", "person"]})
        assert str(tmp_path) not in json.dumps(view)
        refused = client.post("/api/boards", json={"game": f"{file}:game", "seats": ["person", "person"]})
        assert refused.status_code == 422
