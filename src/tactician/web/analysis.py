"""Analyse positions as a stream: a query names a position and a planner, answers come while the search runs.

The same documents travel on stdin and stdout of `tactician analyse`, between the server and its search processes, and
to web pages. Their form follows KataGo's analysis engine, with one difference: the principal variation is the whole
turn. See docs/board/api.md.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from tactician.arena.agents import AgentSpec, PlannerSpec, parse_agent
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError, short
from tactician.files import json_text, parse_json
from tactician.games.registry import load_game
from tactician.native.abi import SIMULTANEOUS
from tactician.planners.base import Agent
from tactician.planners.search_agent import SearchAgent
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Snapshot, position_after
from tactician.seats.seat import Seat

REPORT_SECONDS = 0.2
LONGEST_SECONDS = 3600.0
_LEAST_MEMORY = 6 * 2**30
"""Bytes of address space that a search process has at least."""
_MOST_AGENTS = 16
"""Agents that keep their memory between queries."""
_FIELDS = {
    *("id", "game", "seed", "options", "moves", "state", "position", "planner", "plannerSeed", "budget", "seat"),
    *("viewer", "ply", "reportEvery", "longest", "session", "fullInformation", "ponder"),
}

Say = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Query:
    """What is to be analysed, read from a document and checked."""

    id: Any
    game: str
    planner: str
    budget: Budget
    seed: int = 0
    options: Mapping[str, Any] | None = None
    """Of the initial state, such as the picks of a draft."""
    moves: tuple[Any, ...] = ()
    """Actions from the initial state in the game's JSON form; where all act at once, a list of everybody's."""
    state: Any = None
    """Where moves begin, as a JSON document, instead of the initial state."""
    position: str | None = None
    """The same as a text, as `--position` takes it."""
    planner_seed: int = 0
    seat: int | None = None
    viewer: int | None = None
    """The seat whose knowledge the analysis may use; None for everything that the mover knows."""
    ply: int = 0
    report_every: float = REPORT_SECONDS
    longest: float = LONGEST_SECONDS
    """Seconds after which a search of any budget ends."""
    session: str | None = None
    """Keeps the memory of agents that are not planners from one query to the next."""
    full_information: bool = False
    ponder: bool = False
    """Whether the planner plans on after its answer, for at most `longest` seconds or until the next query."""

    @classmethod
    def from_json(cls, data: Any) -> Query:
        """Read a document; an `InvalidParameterError` names what is wrong with it."""
        if not isinstance(data, dict):
            raise InvalidParameterError(f"query is {short(data)}; expected a JSON object.")
        for key in data:
            if key not in _FIELDS:
                raise UnknownNameError("field of a query:", str(key), _FIELDS)
        moves = data.get("moves", [])
        if not isinstance(moves, list):
            raise InvalidParameterError(f"moves are {short(moves)}; expected a list of actions.")
        if data.get("state") is not None and data.get("position") is not None:
            raise InvalidParameterError("the query has both 'state' and 'position'; expected one of them.")
        options = data.get("options")
        if options is not None and not isinstance(options, dict):
            raise InvalidParameterError(f"options are {short(options)}; expected an object.")
        return cls(
            id=data.get("id"),
            game=_text(data, "game"),
            planner=_text(data, "planner", "emcts"),
            budget=Budget.parse(_text(data, "budget", "1s")),
            seed=_whole(data, "seed", 0) or 0,
            options=options,
            moves=tuple(moves),
            state=data.get("state"),
            position=None if data.get("position") is None else _text(data, "position"),
            planner_seed=_whole(data, "plannerSeed", 0) or 0,
            seat=_whole(data, "seat", None),
            viewer=_whole(data, "viewer", None),
            ply=_whole(data, "ply", 0) or 0,
            report_every=_seconds(data, "reportEvery", REPORT_SECONDS),
            longest=_seconds(data, "longest", LONGEST_SECONDS),
            session=None if data.get("session") is None else _text(data, "session"),
            full_information=data.get("fullInformation") is True,
            ponder=data.get("ponder") is True,
        )


class Engine:
    """Answers queries one after the other; games, agents and the last position are kept for the next."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._agents: OrderedDict[tuple[Any, ...], Seat] = OrderedDict()
        self._last: tuple[str, tuple[Any, ...], State] | None = None
        self._pondering: Agent | None = None
        """The agent that plans on while nothing is asked."""

    def answer(self, data: Any, say: Say, stopped: Callable[[], bool] = lambda: False) -> None:
        """Say what is found while the search runs, and in the end; what is wrong with a query becomes an error."""
        name = data.get("id") if isinstance(data, dict) else None
        try:
            self.rest()
            query = Query.from_json(data)
            say(self._answer(query, say, stopped))
        except TacticianError as error:
            say({"id": name, "error": str(error)})
        except RecursionError:
            say({"id": name, "error": "the query is nested too deeply."})

    def rest(self) -> None:
        """End what an agent plans for the time after its answer; what it found is kept for its next query."""
        if self._pondering is not None:
            self._pondering.stop_pondering()
            self._pondering = None

    def position(self, query: Query) -> State:
        """The position of a query; the one before it is played on from where possible."""
        game = self._game(query.game)
        start = json.dumps([query.game, query.seed, query.options, query.state, query.position], sort_keys=True)
        done: tuple[Any, ...] = ()
        state = None
        if self._last is not None and self._last[0] == start and query.moves[: len(self._last[1])] == self._last[1]:
            done, state = self._last[1], self._last[2].copy()
        if state is None and query.state is not None:
            state = game.state_from_json(query.state, query.seed)
        elif state is None and query.position is not None:
            state = game.position(query.position, query.seed)
        elif state is None:
            state = game.initial_state(query.seed, **(query.options or {}))
        for move in query.moves[len(done) :]:
            play(state, move)
        self._last = start, query.moves, state.copy()
        return state

    def _answer(self, query: Query, say: Say, stopped: Callable[[], bool]) -> dict[str, Any]:
        state = self.position(query)
        game = state.game
        viewer, _ = _player("viewer", query.viewer, game), _player("seat", query.seat, game)
        if viewer is not None and game.hides_information:
            state = state.resample_hidden(viewer, [query.planner_seed, query.ply, 4])
        agent = self._agent(query, game)
        seat = query.seat
        if state.is_over():
            raise InvalidParameterError("the game is over; there is nothing to plan.")
        if state.current_player() != SIMULTANEOUS:
            seat = None
        elif seat is None:
            seat = 0
        deadline = time.monotonic() + query.longest

        def listen(snapshot: Snapshot) -> bool:
            if stopped() or time.monotonic() > deadline:
                return True
            say(answer_of(query.id, state, snapshot, seat, during=True))
            return False

        searching = isinstance(agent, Agent)
        if isinstance(agent, Agent):
            agent.listen(listen, query.report_every)
        try:
            plan = agent.plan(self._seen(agent, state, seat), query.budget, ply=query.ply, seat=seat)
        finally:
            if isinstance(agent, Agent):
                agent.listen(None)
        final = Snapshot(plan)
        if searching and isinstance(agent, SearchAgent):
            final = Snapshot(plan, agent.figures(), agent.tried())
        if query.ponder and isinstance(agent, Agent) and not game.simultaneous:
            self._pondering = agent
            agent.ponder(
                position_after(state, plan.actions), state.current_player(), ply=query.ply, longest=query.longest
            )
        return answer_of(query.id, state, final, seat, during=False)

    def _seen(self, agent: Seat, state: State, seat: int | None) -> State:
        if not state.game.hides_information or agent.takes_whole_state:
            return state
        return state.observe(state.current_player() if seat is None else seat)

    def _game(self, name: str) -> Game:
        if name not in self._games:
            self._games[name] = load_game(name)
        return self._games[name]

    def _agent(self, query: Query, game: Game) -> Seat:
        spec: AgentSpec = parse_agent(query.planner)
        planner = isinstance(spec, PlannerSpec)
        key = (query.game, str(spec), query.full_information, None if planner else (query.session, query.seat))
        agent = self._agents.get(key)
        if agent is None:
            spec.check(game)
            if isinstance(spec, PlannerSpec):
                agent = spec.planner.on(game, full_information=query.full_information)
            else:
                agent = spec.on(game, query.game)
                agent.prepare(game, query.seat or 0, query.seed)
            self._agents[key] = agent
        self._agents.move_to_end(key)
        while len(self._agents) > _MOST_AGENTS:
            self._agents.popitem(last=False)[1].close()
        # A planner begins each query anew, so that an answer depends on nothing but the query.
        return agent.seeded(query.planner_seed) if planner else agent


def play(state: State, move: Any) -> None:
    """Carry out an action in the game's JSON form; where all act at once, a list of everybody's."""
    game = state.game
    if not state.is_over() and state.current_player() == SIMULTANEOUS:
        if not isinstance(move, list):
            raise InvalidParameterError(f"move is {short(move)}; all act at once here, expected a list of actions.")
        state.apply([game.action_from_json(one) for one in move])
    else:
        state.apply(game.action_from_json(move))


def answer_of(name: Any, state: State, snapshot: Snapshot, seat: int | None, during: bool) -> dict[str, Any]:
    """A snapshot as an answer: the turns, best first, and what the search did."""
    plan, stats = snapshot.plan, snapshot.plan.stats
    begins = state if plan.state is None else plan.state  # as the planner saw it: its turn is legal there
    considered: Sequence[Alternative] = plan.alternatives
    if not considered and plan.actions:
        considered = (Alternative(plan.actions, plan.value if plan.value is not None else 0.0, 1),)
    seconds = stats.time_ms / 1000
    return {
        "id": name,
        "isDuringSearch": during,
        "turn": _turn(begins, plan.actions, seat),
        "turnInfos": [
            _turn_info(begins, other, order, seat, plan.value is not None) for order, other in enumerate(considered)
        ],
        "rootInfo": {
            "currentPlayer": state.current_player() if seat is None else seat,
            "value": plan.value,
            "evaluations": stats.evaluations,
            "evaluationsPerSecond": round(stats.evaluations / seconds, 1) if seconds > 0 else 0.0,
            "iterations": stats.iterations,
            "sequences": stats.sequences,
            "uniqueOutcomes": stats.unique_outcomes,
            "nodes": stats.nodes,
            "depth": stats.mean_depth,
            "maxDepth": stats.max_depth,
            "branching": stats.branching,
            "timeMs": round(stats.time_ms, 3),
            "figures": dict(snapshot.figures),
        },
        "choices": [_distribution(state, player) for player in snapshot.choices],
    }


def _turn_info(state: State, other: Alternative, order: int, seat: int | None, valued: bool) -> dict[str, Any]:
    return {
        "order": order,
        **_turn(state, other.actions, seat),
        "value": other.value if valued else None,
        "visits": other.count,
    }


def _turn(state: State, actions: Sequence[int], seat: int | None) -> dict[str, Any]:
    """The actions of a turn in JSON and as codes, what people call them, and what each points at."""
    names, parts = [], []
    position = state.copy()
    for action in actions:
        names.append(position.action_name(action))
        parts.append(position.action_parts(action, seat))
        if position.current_player() == SIMULTANEOUS or not position.is_legal(action):
            break
        position.apply(action)
        if position.is_over():
            break
    written = [state.game.action_to_json(action) for action in actions]
    return {"actions": written, "codes": list(actions), "names": names, "parts": parts}


def _distribution(state: State, choices: Sequence[Any]) -> list[dict[str, Any]]:
    """What a player tried where all act at once, most often first, with the share of each action."""
    total = sum(choice.visits for choice in choices) or 1.0
    best = sorted(choices, key=lambda choice: -choice.visits)[:10]
    return [
        {
            "name": state.action_name(choice.action),
            "code": choice.action,
            "share": choice.visits / total,
            "value": choice.value,
        }
        for choice in best
    ]


# -- lines -------------------------------------------------------------------------------------------------------


def analyse_lines(source: TextIO, target: TextIO, wait: bool = True) -> None:
    """Answer a query a line until the input ends; `wait`: finish what was asked for by then.

    A line `{"action": "terminate", "terminateId": ...}` ends a query early; without a terminateId it ends all.
    """
    waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()
    ended: set[str] = set()
    state = {"all": 0, "read": 0, "closed": False}
    lock = threading.Lock()

    def say(document: dict[str, Any]) -> None:
        with lock:
            target.write(json_text(document) + "\n")
            target.flush()

    def read() -> None:
        for line in source:
            if not line.strip():
                continue
            try:
                document = parse_json(line, "line")
            except TacticianError as error:
                say({"error": str(error)})
                continue
            if isinstance(document, dict) and document.get("action") == "terminate":
                if "terminateId" in document:
                    ended.add(json.dumps(document["terminateId"]))
                else:
                    state["all"] = state["read"]
                continue
            state["read"] += 1
            waiting.put({"number": state["read"], "query": document})
        state["closed"] = not wait
        waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    engine = Engine()
    while (item := waiting.get()) is not None:
        query, number = item["query"], item["number"]
        name = json.dumps(query.get("id") if isinstance(query, dict) else None)

        def stopped(name: str = name, number: int = number) -> bool:
            return name in ended or number <= state["all"] or bool(state["closed"])

        if not stopped():
            engine.answer(query, say, stopped)
        else:
            say({"id": json.loads(name), "terminated": True})
        ended.discard(name)
        if state["closed"]:
            return


def _text(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str):
        raise InvalidParameterError(f"{name} is {short(value)}; expected a text.")
    return value


def _whole(data: Mapping[str, Any], name: str, default: int | None) -> int | None:
    value = data.get(name, default)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63):
        raise InvalidParameterError(f"{name} is {short(value)}; expected a whole number from 0 to 2**63 - 1.")
    return value


def _seconds(data: Mapping[str, Any], name: str, default: float) -> float:
    value = data.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LONGEST_SECONDS:
        raise InvalidParameterError(f"{name} is {short(value)}; expected seconds, more than 0, at most 3600.")
    return float(value)


def _player(what: str, number: int | None, game: Game) -> int | None:
    if number is not None and not 0 <= number < game.players:
        raise InvalidParameterError(f"{what} is {number}; expected 0 to {game.players - 1}.")
    return number


def main() -> None:
    """The search process of the server: answers on the real stdout, whatever games print goes to stderr."""
    import os

    from tactician.native.crashes import explain_crashes
    from tactician.native.watchdog import WATCHDOG

    explain_crashes()
    WATCHDOG.ends_process = True
    _bound_memory()
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        os.nice(10)  # pages are answered first
        analyse_lines(sys.stdin, answers, wait=False)
        answers.flush()
        os._exit(0)  # a search of somebody's agent may hold threads


def _bound_memory() -> None:
    """Let a planner with enormous parameters fail in this process, before the machine runs out of memory."""
    try:
        import os
        import resource

        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        resource.setrlimit(resource.RLIMIT_AS, (max(_LEAST_MEMORY, physical // 2),) * 2)
    except (ImportError, OSError, ValueError):  # not on every system
        return


if __name__ == "__main__":
    main()
