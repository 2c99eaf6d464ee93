"""Play a game in the terminal: the position as text, actions by number or by name, planners in the other seats."""

from __future__ import annotations

from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape

from tactician.arena.agents import parse_agent
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.games.registry import load_game
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.budget import Budget
from tactician.web.analysis import Engine
from tactician.web.board import Board, Setup, rebuilt
from tactician.web.catalog import PERSON, require_fit

_MOST_LISTED = 40
_HELP = "a number or a name plays an action; part of a name lists what fits; u undoes; ? lists all; q quits."


def play_in_terminal(
    game: str,
    against: str | None,
    budget: str,
    seat: int,
    seed: int,
    source: TextIO,
    out: Console,
    ponder: bool = False,
) -> int:
    """Play until the game is over or the input ends; 0 if it was played to its end.

    Without `against` a planner that fits the game plays. `ponder`: planners keep planning while the person thinks.
    """
    loaded = load_game(game)
    if not 0 <= seat < loaded.players:
        raise InvalidParameterError(f"seat is {seat}; expected 0 to {loaded.players - 1}.")
    agent = parse_agent(against or ("fdts" if loaded.simultaneous else "emcts"))
    require_fit(agent, loaded)
    agent.check_here(loaded, game)
    Budget.parse(budget)
    seats = tuple(PERSON if one == seat else str(agent) for one in range(loaded.players))
    table = _Table(rebuilt("0" * 16, "", Setup(game, game, seats, budget, seed), loaded, ()), source, out, ponder)
    return table.run()


class _Table:
    """One game at one terminal."""

    def __init__(self, board: Board, source: TextIO, out: Console, ponder: bool) -> None:
        self._board, self._source, self._out, self._ponder = board, source, out, ponder
        self._engine = Engine()
        self._told = 0

    def run(self) -> int:
        """Let everybody act in turn."""
        try:
            return self._run()
        finally:
            self._engine.rest()

    def _run(self) -> int:
        self._out.print(_HELP, style="dim", highlight=False)
        while not self._board.over:
            self._tell()
            if self._board.waits_for_person:
                self._show()
                if not self._ask():
                    return 1
            else:
                self._let_planners_act()
        self._tell()
        self._show()
        returns = self._board.returns() or []
        self._out.print("result: " + ", ".join(f"{value:g}" for value in returns), highlight=False)
        return 0

    def _show(self) -> None:
        board = self._board
        text = board.preparing[0][1].text() if board.preparing else board.seen(board.number, board.viewer).text()
        self._out.print()
        self._out.print(text, highlight=False)

    def _tell(self) -> None:
        """Say what the others did."""
        board = self._board
        for number in range(self._told, board.number):
            entry = board.entry(number, board.viewer)
            if entry["seat"] not in board.persons:
                who = "" if entry["seat"] < 0 else f"{board.setup.seats[entry['seat']]}: "
                self._out.print(escape(f"  {who}{entry['name']}"), style="cyan", highlight=False)
        self._told = board.number

    def _ask(self) -> bool:
        """One decision of the person; False if there is no more input."""
        actions = self._board.actions()
        self._list(actions[:_MOST_LISTED], len(actions))
        while True:
            self._out.print("> ", end="", highlight=False)
            line = self._source.readline()
            if not line or line.strip() in ("q", "quit"):
                return False
            try:
                if self._take(line.strip(), actions):
                    return True
            except IllegalActionError as error:
                self._out.print(escape(str(error)), style="yellow", highlight=False)

    def _take(self, text: str, actions: list[dict[str, Any]]) -> bool:
        """Carry out what was typed; False if it was a question."""
        if text == "u":
            self._board.play(self._board.check_undo())
            self._told = min(self._told, self._board.number)
            return True
        if text in ("", "?"):
            self._list(actions, len(actions))
            return False
        if text.isdecimal():
            if int(text) >= len(actions):
                raise IllegalActionError(f"number is {text}; expected 0 to {len(actions) - 1}.")
            self._do(actions[int(text)])
            return True
        exact = [action for action in actions if action["name"] == text]
        fitting = exact or [action for action in actions if text.lower() in action["name"].lower()]
        if len(fitting) != 1:
            numbered = [action for action in actions if action in fitting]
            self._list(numbered, len(numbered), actions)
            return False
        self._do(fitting[0])
        return True

    def _do(self, action: dict[str, Any]) -> None:
        board, code = self._board, action["code"]
        if board.preparing:
            board.play(board.check_choice(code))
            return
        event = board.check_action(code)
        if board.state.current_player() != SIMULTANEOUS:
            board.play(event)
            return
        board.pending[event["seat"]] = code
        if not board.acting:
            board.play(board.check_step(board.pending, {}))

    def _list(self, shown: list[dict[str, Any]], total: int, of: list[dict[str, Any]] | None = None) -> None:
        places = {id(action): number for number, action in enumerate(of or shown)}
        for action in shown:
            self._out.print(escape(f"  {places[id(action)]:>3}  {action['name']}"), highlight=False)
        if total > len(shown):
            self._out.print(f"  ... {total - len(shown)} more; type part of a name, or ?", style="dim", highlight=False)
        if not shown:
            self._out.print("  no action has that in its name.", style="yellow", highlight=False)

    def _let_planners_act(self) -> None:
        board = self._board
        with self._out.status("thinking ..."):
            answers = {seat: self._thought(seat) for seat in board.acting}
        if board.state.current_player() != SIMULTANEOUS:
            for event in board.check_plan(board.acting[0], answers[board.acting[0]]):
                board.play(event)
            return
        chosen = board.pending | {seat: answer["turn"]["codes"][0] for seat, answer in answers.items()}
        board.play(board.check_step(chosen, answers))

    def _thought(self, seat: int) -> dict[str, Any]:
        said: list[dict[str, Any]] = []
        self._engine.answer(self._board.planner_query(seat) | {"ponder": self._ponder}, said.append)
        if "error" in said[-1]:
            raise InvalidParameterError(said[-1]["error"])
        return said[-1]
