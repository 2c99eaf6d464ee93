"""The board in a real browser: whole turns by mouse and by keys in every game, undo, thinking, replays, the study."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")

from browser import ARGUMENTS, CHROMIUM, PATIENCE_MS, Server, log, open_board, part, point, screenshot, status
from playwright.sync_api import APIResponse, Browser, Page, Request, Route, WebSocketRoute, expect, sync_playwright


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    if CHROMIUM is None:
        loud = "THE BROWSER TESTS OF THE BOARD DID NOT RUN: there is no Chromium (apt install chromium)"
        warnings.warn(loud, stacklevel=1)
        pytest.skip("no Chromium")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests that don't stop it."""
    folder = tmp_path_factory.mktemp("board")
    games = own_games(folder)
    started = Server(*games, "--store", str(folder / "games.db"), "--processes", "1")
    yield started
    started.kill()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of a new visitor; what its console complains of fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    made.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield made
    context.close()
    refused = [text for text in complaints if "Failed to load resource" not in text and "WebSocket" not in text]
    assert not refused


def own_games(folder: Path) -> list[str]:
    """Two games of a user's file: one whose drawing has parts, and one that only names its actions."""
    file = folder / "orchard.py"
    file.write_text(_ORCHARD)
    return [f"{file}:with_parts", f"{file}:by_name"]


_ORCHARD = '''"""Three in a row on nine squares."""

from tactician.contract.plain import plain
from tactician.drawing.grid import Symbol, grid_svg, square_name

SYMBOLS = {0: Symbol("X", "#1f62b5"), 1: Symbol("O", "#cf3a24")}
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Three:
    def initial_state(self, rng):
        return (None,) * 9

    def current_player(self, state):
        return sum(square is not None for square in state) % 2

    def legal_actions(self, state, player):
        return [i for i, square in enumerate(state) if square is None]

    def apply(self, state, action, rng):
        return (*state[:action], self.current_player(state), *state[action + 1 :])

    def winner(self, state):
        return next((state[a] for a, b, c in LINES if state[a] is not None and state[a] == state[b] == state[c]), None)

    def is_over(self, state):
        return self.winner(state) is not None or None not in state

    def returns(self, state):
        winner = self.winner(state)
        return (0.0, 0.0) if winner is None else (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def evaluate(self, state):
        return self.returns(state)

    def action_name(self, state, action):
        return f"take {square_name(action // 3, action % 3, 3)}"


class Pointed(Three):
    def draw_svg(self, state):
        return grid_svg([state[i : i + 3] for i in (0, 3, 6)], SYMBOLS, title="three in a row")

    def action_parts(self, state, player, action):
        return [f"square:{square_name(action // 3, action % 3, 3)}"]


with_parts = plain(Pointed(), name="with-parts", max_actions=9, description="Three in a row, to point at.")
by_name = plain(Three(), name="by-name", max_actions=9, description="Three in a row, by name.")
'''


HERO = {"game": "hero-academy", "seats": ["person", "greedy-action"], "budget": "50evals", "seed": 1}
AMAZONS = {"game": "amazons", "parameters": {"size": 6}, "seats": ["person", "greedy-action"], "budget": "20evals"}


def test_a_turn_of_hero_academy_by_mouse_is_answered_by_the_planner(page: Page, server: Server) -> None:
    open_board(page, server, HERO, pace="fast")
    expect(status(page)).to_have_text("Your turn")
    point(page, "card:1:K", "square:0,0")
    point(page, "unit:0,0", "square:1,1")
    expect(part(page, "unit:1,1")).to_be_visible()
    screenshot(page, "hero-academy-turn")
    page.get_by_role("button", name="end turn").click()
    expect(page.locator(".log .turn")).to_have_count(2)
    expect(status(page)).to_have_text("Your turn")
    lines = log(page)
    assert lines[:3] == ["deploy knight on (0,0)", "knight (0,0) moves to (1,1)", "end turn"]
    assert lines[-1] == "end turn"
    assert len(lines) > 4
    expect(page.locator(".thinking").first).to_contain_text("greedy-action (player 2) thinks")


def test_a_turn_of_hero_academy_by_touch_on_a_phone(chromium: Browser, server: Server) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.set_default_timeout(PATIENCE_MS)
    open_board(phone, server, HERO)
    for name in ("card:1:K", "square:0,0", "unit:0,0", "square:1,1"):
        expect(part(phone, name)).to_have_attribute("tabindex", "0")
        part(phone, name).tap(force=True)
    expect(part(phone, "unit:1,1")).to_be_visible()
    screenshot(phone, "hero-academy-phone")
    phone.get_by_role("button", name="end turn").tap()
    expect(phone.locator(".log .turn")).to_have_count(2)
    context.close()


def test_a_turn_of_hero_academy_by_keyboard(page: Page, server: Server) -> None:
    open_board(page, server, HERO)
    part(page, "card:1:K").focus()
    page.keyboard.press("Enter")
    focused = "document.activeElement.dataset.part"
    assert page.evaluate(focused).startswith("square:")
    page.keyboard.press("Enter")
    expect(page.locator(".log button")).to_have_count(1)
    # The next action can be chosen without a mouse, once the picture after this one is there.
    expect(page.locator(":focus[data-part]")).to_have_count(1)
    part(page, "unit:0,0").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    to_the_right = page.evaluate(focused)
    assert to_the_right in ("square:1,0", "square:2,0", "square:1,1")
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "unit:0,0"
    page.keyboard.press("e")
    expect(page.locator(".log .turn")).to_have_count(2)


def test_actions_are_taken_back_by_key_and_by_button(page: Page, server: Server) -> None:
    open_board(page, server, HERO)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    point(page, "card:1:K", "square:0,0")
    expect(part(page, "unit:0,0")).to_be_visible()
    page.keyboard.press("u")
    expect(part(page, "unit:0,0")).to_have_count(0)
    point(page, "card:1:K", "square:0,4")
    undo.click()
    expect(part(page, "unit:0,4")).to_have_count(0)
    expect(undo).to_be_disabled()


def test_a_turn_of_amazons_by_mouse(page: Page, server: Server) -> None:
    open_board(page, server, AMAZONS)
    point(page, "queen:b1", "square:b2", "square:b1")
    expect(page.locator(".log .turn")).to_have_count(2)
    expect(part(page, "queen:b2")).to_be_visible()


@pytest.mark.slow
def test_the_draft_and_a_turn_of_locm_by_mouse(page: Page, server: Server) -> None:
    wish = {"game": "locm", "seats": ["person", "locm-baseline1"], "budget": "20evals", "seed": 2}
    made = open_board(page, server, wish)
    point(page, "card:0")
    expect(page.locator(".picture svg")).to_contain_text("pick 2 of 30")
    headers = {"X-Board-Token": made["token"]}
    for _ in range(28):
        page.request.post(f"{server.url}api/boards/{made['id']}/actions", data={"code": 2}, headers=headers)
    page.reload()
    point(page, "card:2")
    expect(status(page)).to_have_text("Your turn")
    path = f"{server.url}api/boards/{made['id']}"
    summons: list[dict[str, Any]] = []
    while not summons:  # until there is mana for a creature
        summons = [one for one in page.request.get(path, headers=headers).json()["actions"] if "summon" in one["name"]]
        if not summons:
            turns = page.locator(".log .turn").count()
            page.keyboard.press("e")
            expect(page.locator(".log .turn")).to_have_count(turns + 2)
            expect(status(page)).to_have_text("Your turn")
    card, lane = summons[0]["parts"]
    point(page, card)
    part(page, lane).click(position={"x": 14, "y": 14}, force=True)
    expect(page.locator(f'.picture [data-part="{lane}"] [data-part="{card}"]')).to_be_visible()
    screenshot(page, "locm-turn")


def test_pommerman_by_keys_and_by_clock(page: Page, server: Server) -> None:
    seats = ["person", "random", "random", "random"]
    open_board(page, server, {"game": "pommerman", "seats": seats, "budget": "1its", "seed": 1})
    for number, key in enumerate(("ArrowDown", "b", "ArrowUp"), 1):
        page.keyboard.press(key)
        expect(page.locator(".log button")).to_have_count(number)
    assert [line.rpartition(" ")[2] for line in log(page)] == ["down", "bomb", "up"]
    page.get_by_label("clock: two steps a second").check()
    expect(page.locator(".log button")).to_have_count(5)
    screenshot(page, "pommerman")


def test_royale_by_mouse(page: Page, server: Server) -> None:
    open_board(page, server, {"game": "royale", "seats": ["person", "random"], "budget": "1its", "seed": 1})
    point(page, "card:0:0")
    page.locator('.picture [data-part^="square:"][tabindex]').nth(60).click(force=True)
    expect(page.locator(".log button")).to_have_count(1)
    expect(page.locator('.picture [data-part^="unit:0:"]').first).to_be_visible()


def test_a_game_is_won(page: Page, server: Server) -> None:
    position = {"board": ["BBx", "x.x", ".WW"], "player": "white", "phase": "choose", "chosen": None}
    wish = {"game": "amazons", "parameters": {"size": 3}, "seats": ["person", "random"], "start": position}
    open_board(page, server, wish)
    point(page, "queen:b1", "square:a1", "square:b2")
    expect(status(page)).to_have_text("You win")
    assert not page.locator(".picture [tabindex]").count()


def test_a_late_answer_does_not_undo_what_was_done_meanwhile(page: Page, server: Server) -> None:
    """The page reads the board again once its socket is ready; a person may have acted when that answer comes."""
    answers: list[tuple[Route, APIResponse]] = []
    reads: list[str] = []

    def hold_the_second_back(route: Route) -> None:
        reads.append(route.request.url)
        if len(reads) == 2:
            answers.append((route, route.fetch()))
        else:
            route.continue_()

    page.route("**/api/boards/*?since=*", hold_the_second_back)
    open_board(page, server, AMAZONS)
    while not answers:
        page.wait_for_timeout(10)
    point(page, "queen:b1")
    expect(page.locator(".log button")).to_have_count(1)
    ((route, answer),) = answers
    with page.expect_response(lambda one: one.url == reads[1]):
        route.fulfill(response=answer)
    point(page, "square:b2", "square:b1")
    expect(page.locator(".log .turn")).to_have_count(2)


def test_nothing_lights_up_while_an_action_is_on_its_way(page: Page, server: Server) -> None:
    """A click on a part that still lit up from before would be lost."""
    held: list[Route] = []
    page.route("**/api/boards/*/actions", lambda route: held.append(route))
    open_board(page, server, AMAZONS)
    point(page, "queen:b1")
    expect(page.locator(".picture [tabindex]")).to_have_count(0)
    while not held:
        page.wait_for_timeout(10)
    held.pop().continue_()
    expect(part(page, "square:b2")).to_have_attribute("tabindex", "0")


def test_the_panel_shows_the_search_and_turns_are_drawn_on_the_board(page: Page, server: Server) -> None:
    open_board(page, server, HERO)
    page.get_by_text("Analyse this position").click()
    page.get_by_label("Planner", exact=True).select_option("oep")
    page.get_by_label("Second planner", exact=True).first.select_option("emcts")
    page.get_by_label("Budget of the analysis").fill("1s")
    page.locator("[data-analyse]").click()
    first, second = page.locator(".thinking").nth(1), page.locator(".thinking").nth(2)
    expect(first.locator(".figures")).to_contain_text("searching")
    early = first.locator(".figures").inner_text()
    expect(first.locator(".figures")).to_contain_text("done")
    assert first.locator(".figures").inner_text() != early
    expect(first.locator(".figures")).to_contain_text("diversity")
    expect(second.locator(".figures")).to_contain_text("nodes")
    first.locator("tbody tr").nth(1).hover()
    expect(page.locator(".picture .board-arrows path").first).to_be_attached()
    expect(page.locator(".picture .board-ghosts g").first).to_be_attached()
    screenshot(page, "analysis")
    page.locator("h1").hover()
    expect(page.locator(".picture .board-ghosts g")).to_have_count(0)


def test_a_considered_turn_is_drawn_on_the_position_it_was_planned_for(page: Page, server: Server) -> None:
    """The planner's answer belongs to the position before its turn; when it is read, the game has moved on."""
    open_board(page, server, AMAZONS)
    point(page, "queen:b1", "square:b2", "square:b1")
    expect(page.locator(".log button")).to_have_count(6)
    expect(status(page)).to_have_text("Your turn")
    moved = page.evaluate(QUEENS)
    row = page.get_by_label("greedy-action (player 2)").locator("tbody tr").first
    with page.expect_request("**/preview") as asked:
        row.hover()
    assert sent(asked.value)["number"] == 3
    expect(status(page)).to_have_text("Move 3 of 6")
    expect(page.locator(".picture .board-ghosts g").first).to_be_attached()
    before = page.evaluate(QUEENS)
    assert "queen:b2" in before
    assert before != moved
    assert not page.locator(".picture [tabindex]").count()
    page.locator("h1").hover()
    expect(status(page)).to_have_text("Your turn")
    expect(page.locator(".picture .board-ghosts g")).to_have_count(0)
    assert page.evaluate(QUEENS) == moved
    expect(part(page, "queen:b2")).to_have_attribute("tabindex", "0")


def sent(request: Request) -> dict[str, Any]:
    """The JSON that the page sent with a request."""
    document: dict[str, Any] = json.loads(request.post_data or "")
    return document


QUEENS = """[...document.querySelectorAll('.picture [data-part^="queen:"]')].map((one) => one.dataset.part).sort()"""


def test_a_turn_of_a_position_that_was_taken_back_is_not_drawn(page: Page, server: Server) -> None:
    open_board(page, server, AMAZONS)
    point(page, "queen:b1")
    expect(page.locator(".log button")).to_have_count(1)
    analyse(page, "greedy-action", "5evals")
    panel = page.get_by_label("Analysis", exact=True)
    expect(panel.locator(".figures")).to_contain_text("done")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".log button")).to_have_count(0)
    point(page, "queen:a2")
    expect(page.locator(".log button")).to_have_count(1)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    panel.locator("tbody tr").first.hover()
    page.locator("h1").hover()
    assert not [url for url in asked if "preview" in url]
    assert not page.locator(".picture .board-arrows > *").count()


def played(page: Page, answers: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> None:
    """Answer what the page asks of the search processes."""

    def route(socket: WebSocketRoute) -> None:
        def answer(message: str | bytes) -> None:
            asked = json.loads(message)
            for one in [{"type": "ready"}] if "board" in asked else answers(asked):
                socket.send(json.dumps(one))

        socket.on_message(answer)

    page.route_web_socket("**/api/live", route)


def thought(
    seat: int, planner: str, value: float | None, *, during: bool = True, evaluations: int = 7
) -> dict[str, Any]:
    """What the server sends while a seat searches."""
    root = {
        "value": value,
        "evaluations": evaluations,
        "evaluationsPerSecond": evaluations,
        "iterations": 0,
        "nodes": 0,
    }
    turn = {"order": 0, "actions": ["bomb"], "codes": [5], "names": [f"{seat} waits"], "parts": [[]], "value": value}
    said = {"type": "thinking", "seat": seat, "planner": planner, "number": 0, "isDuringSearch": during}
    return said | {"rootInfo": root, "turnInfos": [turn], "choices": []}


def test_each_seat_that_searches_has_a_panel_of_its_own(page: Page, server: Server) -> None:
    thoughts = [
        thought(seat, "fdts", value) for value in (0.25, 0.5, 0.75) for seat, value in ((1, value), (2, -value))
    ]
    answers = [*thoughts, thought(3, "random", None, during=False, evaluations=0)]
    played(page, lambda asked: answers if asked["type"] == "advance" else [])
    seats = ["person", "fdts", "fdts", "random"]
    open_board(page, server, {"game": "pommerman", "seats": seats, "budget": "1its", "seed": 1})
    expect(status(page)).to_have_text("Your turn")
    page.keyboard.press("ArrowDown")
    expect(status(page)).to_have_text("Players 2, 3 and 4 think …")
    panels = page.locator(".thinking:visible")
    expect(panels.locator("h2")).to_have_text(["fdts (player 2) thinks", "fdts (player 3) thinks", "random (player 4)"])
    for panel, value, turn in (panels.nth(0), "0.75", "1 waits"), (panels.nth(1), "-0.75", "2 waits"):
        expect(panel.locator(".figures")).to_contain_text(f"value {value}")
        expect(panel.locator("tbody")).to_contain_text(turn)
        points = panel.locator(".graph .line").get_attribute("points") or ""
        heights = [float(point.split(",")[1]) for point in points.split()]
        assert len(heights) == 3
        assert heights == sorted(heights, reverse=value == "0.75")
    expect(panels.nth(2)).to_contain_text("Acts without a search.")
    assert "evaluations" not in panels.nth(2).inner_text()


SMALLEST_TEXT = """() => Math.min(...[...document.querySelectorAll('.picture svg text')]
    .filter((one) => one.textContent.trim() && !one.closest('defs, symbol'))
    .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"""


@pytest.mark.parametrize("game", ["hero-academy", "locm", "pommerman", "royale", "orchard:by_name"])
def test_text_in_a_picture_can_be_read_on_a_phone(chromium: Browser, server: Server, game: str) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.set_default_timeout(PATIENCE_MS)
    seats = ["person", *["random"] * (3 if game == "pommerman" else 1)]
    open_board(phone, server, {"game": game, "seats": seats, "budget": "1its", "seed": 1})
    zoom = phone.get_by_role("button", name="Zoom")
    expect(zoom).to_have_attribute("aria-pressed", "true")
    assert phone.evaluate(SMALLEST_TEXT) >= 9
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    frame = "document.querySelector('.frame')"
    assert phone.evaluate(f"{frame}.scrollWidth > {frame}.clientWidth")
    zoom.tap()
    expect(zoom).to_have_attribute("aria-pressed", "false")
    assert phone.evaluate(f"{frame}.scrollWidth == {frame}.clientWidth")
    phone.reload()
    expect(zoom).to_have_attribute("aria-pressed", "false")
    phone.set_viewport_size({"width": 1280, "height": 900})
    zoom.click()
    expect(zoom).to_have_attribute("aria-pressed", "true")
    phone.set_viewport_size({"width": 360, "height": 740})
    expect(zoom).to_have_attribute("aria-pressed", "false")
    context.close()


def test_planners_play_each_other_and_the_graph_jumps(page: Page, server: Server) -> None:
    seats = ["greedy-action", "random"]
    open_board(
        page, server, {"game": "amazons", "parameters": {"size": 4}, "seats": seats, "budget": "20evals", "seed": 1}
    )
    expect(status(page)).to_contain_text("wins")
    steps = len(log(page))
    assert steps % 3 == 0
    box = page.locator(".graph").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 2, box["y"] + 20)
    expect(status(page)).to_have_text(f"Move 0 of {steps}")
    page.keyboard.press(".")
    expect(status(page)).to_have_text(f"Move 1 of {steps}")
    page.get_by_role("button", name="Back to the game").click()
    expect(status(page)).to_contain_text("wins")


def test_a_game_begins_in_the_lobby(page: Page, server: Server) -> None:
    sizes: list[int] = []
    page.on(
        "response", lambda answer: sizes.append(len(answer.body())) if answer.ok and "/api/" not in answer.url else None
    )
    page.goto(server.url)
    page.locator('input[value="amazons"]').check(force=True)
    expect(page.locator("[name=seat]")).to_have_count(2)
    screenshot(page, "lobby")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".picture svg")).to_be_visible()
    expect(status(page)).to_have_text("Your turn")
    assert sum(sizes) < 200_000
    page.goto(server.url)
    expect(page.locator(".list a").first).to_contain_text("amazons")


def test_parameters_of_a_game_are_chosen_from_lists_and_explained_without_backticks(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.locator('input[value="hero-academy"]').check(force=True)
    page.get_by_text("Parameters of the game").click()
    draws = page.locator("select[data-parameter=draws]")
    expect(draws.locator("option")).to_have_text(["deterministic", "shuffled"])
    expect(page.locator("select[data-parameter=preset]")).to_have_value("")
    expect(page.locator("label.field", has=draws).locator("code").first).to_have_text("deterministic")
    assert "`" not in page.locator("form").inner_text()
    draws.select_option("shuffled")
    page.locator("[data-parameter=weights]").fill("card=0.25;standing=1")
    with page.expect_request("**/api/boards") as begun:
        page.get_by_role("button", name="Start").click()
    assert sent(begun.value)["parameters"] == {"draws": "shuffled", "weights": "card=0.25;standing=1"}
    expect(page.locator(".picture svg")).to_be_visible()


def test_the_lobby_fits_narrow_and_wide_screens(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.get_by_text("Analyse a position").click()
    start, tick = page.get_by_label("Start position"), page.get_by_label("show everything and act for all seats")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        form, field, box = (one.bounding_box() for one in (page.locator("form"), start, tick))
        assert form
        assert field
        assert box
        assert field["width"] > form["width"] - 60
        label = page.locator("label.row", has=tick).bounding_box()
        assert label
        assert label["x"] <= box["x"] < label["x"] + 10
        words = page.evaluate(TEXT_OF, tick.element_handle())
        assert words["left"] >= box["x"] + box["width"]  # beside the box, not below it
        name = page.locator(".games strong").first
        name.evaluate("(one) => { one.textContent = 'a_file_with_a_name_that_is_very_long:and_its_game'; }")
        assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth")


TEXT_OF = """(box) => {
    const range = document.createRange();
    range.selectNodeContents(box.nextSibling);
    return range.getBoundingClientRect().toJSON();
}"""


def test_the_header_says_whose_turn_it_is_where_several_persons_play(page: Page, server: Server) -> None:
    """In turn, and where all act at once: there the persons at the page choose one after the other."""
    open_board(page, server, AMAZONS | {"seats": ["person", "person"]})
    expect(status(page)).to_have_text("Player 1: your turn")
    expect(page.locator("div.status")).to_contain_text("1: person · 2: person")
    point(page, "queen:b1", "square:b2", "square:b1")
    expect(status(page)).to_have_text("Player 2: your turn")
    open_board(page, server, {"game": "royale", "seats": ["person", "person"], "seed": 1})
    for number in (1, 2, 1):
        expect(status(page)).to_have_text(f"Player {number}: your turn")
        page.locator(".bar button", has_text="wait").click()


def test_the_pace_is_again_the_one_that_is_chosen_after_the_clock(page: Page, server: Server) -> None:
    seats = ["person", "person", "person", "person"]
    open_board(page, server, {"game": "pommerman", "seats": seats, "seed": 1}, pace="slow")
    page.evaluate(
        "() => { window.durations = []; const { show } = Morph;"
        " Morph.show = (...given) => { durations.push(given[2]); return show(...given); }; }"
    )
    pace, clock = page.get_by_label("Pace", exact=True), page.get_by_label("clock: two steps a second")
    clock.check()
    expect(pace).to_be_disabled()
    clock.uncheck()
    expect(pace).to_be_enabled()
    expect(pace).to_have_value("slow")
    for _ in range(2 * len(seats)):  # two steps: the clock may have begun one
        page.locator(".bar button", has_text="stop").click()
    assert page.evaluate("Math.max(...durations)") == 0.75 * 1100


@pytest.mark.parametrize("game", ["amazons", "orchard:by_name"])
def test_actions_by_name_are_listed_only_where_nothing_can_be_pointed_at(page: Page, server: Server, game: str) -> None:
    """Also where a planner moves first, so that nobody at the page can act yet when the page is built."""
    size = {"parameters": {"size": 6}} if game == "amazons" else {}
    open_board(page, server, {"game": game, "seats": ["random", "person"], "budget": "1its", "seed": 1} | size)
    expect(status(page)).to_have_text("Your turn")
    box = page.locator("details", has_text="Actions by name")
    assert (box.get_attribute("open") is None) == (game == "amazons")


@pytest.mark.parametrize("parts", [True, False])
def test_a_game_of_the_users_file_by_parts_or_by_name(page: Page, server: Server, parts: bool) -> None:
    name = "orchard:with_parts" if parts else "orchard:by_name"
    open_board(page, server, {"game": name, "seats": ["person", "person"], "seed": 0})
    for square in ("a1", "a2", "b1", "b2", "c1"):
        if parts:
            point(page, f"square:{square}")
        else:
            page.get_by_role("button", name=f"take {square}").last.click()
        expect(page.locator(".log button").last).to_have_text(f"take {square}")
    expect(status(page)).to_have_text("You as player 1 wins")


def finished(server: Server, page: Page) -> None:
    made = server.begin({"game": "orchard:with_parts", "seats": ["person", "person"], "seed": 0})
    headers = {"X-Board-Token": made["token"]}
    for code in (0, 3, 1, 4, 2):
        page.request.post(f"{server.url}api/boards/{made['id']}/actions", data={"code": code}, headers=headers)


def test_a_finished_game_is_replayed(page: Page, server: Server) -> None:
    finished(server, page)
    page.goto(f"{server.url}#/replays")
    with page.expect_popup() as opened:
        page.locator("table a").first.click()
    replay = opened.value
    expect(replay.locator("#count")).to_have_text("0 / 5")
    for _ in range(2):
        replay.get_by_label("Step forward").click()
    expect(replay.locator("#caption")).to_have_text("player 2: take a2")
    replay.keyboard.press("ArrowLeft")
    expect(replay.locator("#count")).to_have_text("1 / 5")
    replay.locator("#log button").last.click()
    expect(replay.locator("#count")).to_have_text("5 / 5")


def test_an_export_opens_from_a_file(page: Page, server: Server, tmp_path: Path) -> None:
    open_board(page, server, AMAZONS)
    point(page, "queen:b1", "square:b2", "square:b1")
    expect(page.locator(".log .turn")).to_have_count(2)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "game.html"
    saved.value.save_as(file)
    page.goto(file.as_uri())
    expect(page.locator("#count")).to_contain_text("0 / ")
    page.get_by_label("Play or pause").click()
    expect(page.locator("#count")).to_contain_text("2 / ")
    expect(page.locator("#graph .line")).to_be_visible()


@pytest.mark.slow
def test_the_page_comes_back_after_the_server_was_killed(page: Page, tmp_path: Path) -> None:
    server = Server("--store", str(tmp_path / "games.db"), "--processes", "1")
    try:
        open_board(page, server, AMAZONS)
        point(page, "queen:b1")
        expect(page.locator(".log button")).to_have_count(1)
        port = server.port
        server.kill()
        expect(page.locator("[role=status]")).to_contain_text("connection lost")
        server.start(port)
        expect(page.locator("[role=status]")).to_have_text("")
        point(page, "square:b2", "square:b1")
        expect(page.locator(".log .turn")).to_have_count(2)
        expect(status(page)).to_have_text("Your turn")
    finally:
        server.kill()


@pytest.mark.slow
def test_somebody_takes_part_in_the_study_and_returns_to_the_game(page: Page, tmp_path: Path) -> None:
    options = ("--study", "--store", str(tmp_path / "study.db"), "--opponent", "greedy-action", "--budget", "50evals")
    server = Server(*options, "--processes", "1")
    try:
        page.goto(server.url)
        page.get_by_label("beginner").check()
        expect(page.get_by_text("The rules in short")).to_be_visible()
        screenshot(page, "study")
        page.get_by_role("button", name="Begin").click()
        expect(status(page)).to_have_text("Your turn")
        assert not page.get_by_text("Analyse this position").count()
        before = len(log(page))
        page.locator('.picture [data-part^="card:"][tabindex]').first.click(force=True)
        targets = ", ".join(f'.picture [data-part^="{kind}:"][tabindex]' for kind in ("square", "deck"))
        page.locator(targets).first.click(force=True)
        expect(page.locator(".log button")).to_have_count(before + 1)
        kept = log(page)
        port = server.port
        server.kill()
        server.start(port)
        page.goto(server.url)
        page.locator(".list a").first.click()
        expect(page.locator(".log button")).to_have_count(before + 1)
        assert log(page) == kept
    finally:
        server.kill()


SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1440, 900)}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit_three_sizes(
    chromium: Any, server: Server, scheme: str, request: pytest.FixtureRequest
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    scenes: dict[str, Callable[[Page], object]] = {
        "lobby": lambda page: page.goto(server.url),
        "hero-academy": lambda page: open_board(page, server, HERO),
        "pommerman": lambda page: open_board(
            page, server, {"game": "pommerman", "seats": ["person", "random", "random", "random"], "seed": 1}
        ),
        "replays": lambda page: page.goto(f"{server.url}#/replays"),
    }
    context = chromium.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    for name, scene in scenes.items():
        scene(page)
        expect(page.locator("h1").first).to_be_visible()
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            screenshot(page, f"{name}-{size}-{scheme}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {size}"
        found = axe.run(page).response["violations"]
        assert not found, [(one["id"], one["nodes"][0]["html"][:200]) for one in found]
    context.close()


def analyse(page: Page, planner: str, budget: str) -> None:
    """Ask for an analysis of what is shown, as a person does."""
    page.get_by_text("Analyse this position").click()
    page.get_by_label("Planner", exact=True).select_option(planner)
    page.get_by_label("Budget of the analysis").fill(budget)
    page.locator("[data-analyse]").click()


def test_an_analysis_that_is_asked_for_before_there_is_a_connection_runs_later(page: Page, server: Server) -> None:
    held: list[Callable[[], None]] = []
    connected = False

    def hold_back(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if connected:
                socket.send(message)
            else:
                held.append(lambda: socket.send(message))

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket("**/api/live", hold_back)
    open_board(page, server, AMAZONS)
    analyse(page, "greedy-action", "5evals")
    panel = page.get_by_label("Analysis", exact=True)
    expect(panel).to_contain_text("Waiting for a free search process")
    connected = True
    for late in held:
        late()
    expect(panel.locator(".figures")).to_contain_text("done")


def test_an_analysis_stops_when_it_is_told_to(page: Page, server: Server) -> None:
    open_board(page, server, AMAZONS)
    analyse(page, "emcts", "10s")
    figures = page.get_by_label("Analysis", exact=True).locator(".figures")
    expect(figures).to_contain_text("searching")
    page.get_by_role("button", name="Stop").click()
    expect(figures).to_contain_text("stopped")
    assert "searching" not in figures.inner_text()


def test_what_was_pointed_at_stays_chosen_when_news_arrive(page: Page, server: Server) -> None:
    """The end of an analysis, or a connection that is only now ready, must not take back half an action."""
    position = {"board": ["BBx", "x.x", ".WW"], "player": "white", "phase": "choose", "chosen": None}
    open_board(
        page, server, {"game": "amazons", "parameters": {"size": 3}, "seats": ["person", "random"], "start": position}
    )
    point(page, "queen:b1")
    analyse(page, "greedy-action", "5evals")
    expect(page.locator(".thinking").nth(1).locator(".figures")).to_contain_text("done")
    expect(part(page, "square:a1")).to_have_attribute("tabindex", "0")
    point(page, "square:a1", "square:b2")
    expect(status(page)).to_have_text("You win")
