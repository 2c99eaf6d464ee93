"""One game that is played at the board: its position, its history, and what one person may see of it.

A board is a description and a list of events; playing the events again gives the same board, so that a server can
stop at any moment. Everything that leaves a board is made from the observation of its viewer's seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tactician.arena.agents import NamedSpec, parse_agent
from tactician.arena.match import merge_options
from tactician.arena.records import EVERYBODY, GameRecord, Pairing, Turn
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.games.registry import entry_for
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.preparation import Preparation
from tactician.web.catalog import PERSON

_WORLDS = 4
"""Guesses of what is hidden, to see whether an action revealed anything, and to judge a position."""
_MOST_ALIKE = 200
"""Actions that are tried to find out whether a viewer can tell an opponent's action apart."""
_DRAWN = 4
_SEED_STEP = 7919
"""Between the seeds of two seats' searches."""
UNSEEN = "acts out of sight"


@dataclass(frozen=True)
class Setup:
    """What a board begins with."""

    game: str
    """What the game is loaded by."""
    title: str
    """What people call it."""
    seats: tuple[str, ...]
    budget: str
    seed: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Of the game, as they were asked for."""
    study: Mapping[str, Any] | None = None
    start: Any = None
    """Another start than the game's own: a state as JSON, or a text as `--position` takes it."""
    open: bool = False
    """Whether nothing is hidden from the page: an analysis."""

    def to_json(self) -> dict[str, Any]:
        """As the store keeps it."""
        study = None if self.study is None else dict(self.study)
        return {**vars(self), "seats": list(self.seats), "parameters": dict(self.parameters), "study": study}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Setup:
        """Read it back."""
        return cls(**{**data, "seats": tuple(data["seats"])})


@dataclass(frozen=True)
class Move:
    """One action, or everybody's where all act at once."""

    seat: int
    """Who acted; EVERYBODY where all did."""
    codes: tuple[int, ...]
    """The action, or one of each player."""
    turn: int
    """The turn it belongs to, counted from 0."""
    undoable: bool
    plan: Mapping[str, Any] | None
    """Of a planner: what it thought, on the first action of its turn."""
    ms: float = 0.0


@dataclass
class Board:
    """A game in progress."""

    id: str
    owner: str
    """The digest of the token that it belongs to."""
    setup: Setup
    game: Game
    events: int = 0
    """How many events are kept."""
    preparing: list[tuple[int, Preparation]] = field(default_factory=list)
    """What persons have to decide before the start."""
    options: dict[str, Any] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    """The position before each move, and the present one."""
    moves: list[Move] = field(default_factory=list)
    pending: dict[int, int] = field(default_factory=dict)
    """Where all act at once: the actions that persons have chosen for the next step."""
    given_up: bool = False
    drawn: dict[tuple[int, int | None], tuple[State, str]] = field(default_factory=dict, repr=False)
    """The latest drawings by position and viewer: an answer begins where the last one ended."""

    def __post_init__(self) -> None:
        entry = entry_for(self.game) if self.setup.start is None and not self.setup.open else None
        for seat, name in enumerate(self.setup.seats):
            if name != PERSON:
                merge_options(self.options, _prepared(self.game, name, seat, self.setup.seed))
            elif entry is not None and entry.preparation is not None:
                preparation = entry.load("preparation")(self.game, seat, self.setup.seed)
                if not preparation.done:
                    self.preparing.append((seat, preparation))
        self._begin()

    # -- where it stands -------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]

    @property
    def number(self) -> int:
        """How many moves were made."""
        return len(self.moves)

    @property
    def over(self) -> bool:
        """Whether the game has ended, or was given up."""
        return self.given_up or (not self.preparing and self.state.is_over())

    @property
    def persons(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self.setup.seats) if name == PERSON]

    @property
    def acting(self) -> list[int]:
        """The seats that have to act now."""
        if self.preparing:
            return [self.preparing[0][0]]
        if self.over:
            return []
        mover = self.state.current_player()
        if mover != SIMULTANEOUS:
            return [mover]
        return [seat for seat in range(self.game.players) if seat not in self.pending and self._chooses(seat)]

    @property
    def waits_for_person(self) -> bool:
        """Whether somebody at the page has to act."""
        return any(self.setup.seats[seat] == PERSON for seat in self.acting)

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown; None for everything, where nobody plays or the game is over."""
        persons = self.persons
        if self.setup.open or not persons or (self.over and not self.preparing):
            return None
        waiting = [seat for seat in self.acting if seat in persons]
        if waiting:
            return waiting[0]
        return next((move.seat for move in reversed(self.moves) if move.seat in persons), persons[0])

    @property
    def turns(self) -> int:
        """How many turns were begun."""
        return self.moves[-1].turn + (self._turn_ended() if self.moves else 0) if self.moves else 0

    def can_undo(self) -> bool:
        """Whether the last action may be taken back: the same turn, and it revealed nothing."""
        if not self.moves or self.over or self.preparing:
            return False
        last = self.moves[-1]
        return last.undoable and last.seat in self.persons and self.state.current_player() == last.seat

    # -- events ----------------------------------------------------------------------------------------------

    def check_choice(self, number: int) -> dict[str, Any]:
        """The event of a person's decision before the start."""
        if not self.preparing:
            raise IllegalActionError("the game has started; there is nothing to prepare.")
        if not 0 <= number < len(self.preparing[0][1].choices()):
            raise IllegalActionError(f"choice is {number}; expected one of those that are offered.")
        return {"type": "choice", "number": number}

    def check_action(self, code: int) -> dict[str, Any]:
        """The event of a person's action; refuses what is not that person's turn or not legal."""
        if self.preparing or self.over:
            raise IllegalActionError("nobody can act now: the game has not started, or it is over.")
        acting = [seat for seat in self.acting if seat in self.persons]
        if not acting:
            raise IllegalActionError("it is not your turn.")
        seat = acting[0]
        if not self.state.is_legal(code, None if self.state.current_player() != SIMULTANEOUS else seat):
            raise IllegalActionError(f"action {code} is not legal here.")
        return {"type": "action", "seat": seat, "codes": [code], "actions": [self.game.action_to_json(code)]}

    def check_undo(self) -> dict[str, Any]:
        """The event of taking the last action back."""
        if not self.can_undo():
            raise IllegalActionError("the last action can't be taken back.")
        return {"type": "undo"}

    def check_plan(self, seat: int, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The events of a planner's turn: as much of it as chance leaves legal."""
        state = self.state.copy()
        events: list[dict[str, Any]] = []
        thought = {key: answer[key] for key in ("turnInfos", "rootInfo") if key in answer}
        for code in answer["turn"]["codes"]:
            if state.is_over() or state.current_player() != seat or not state.is_legal(code):
                break
            event = {"type": "action", "seat": seat, "codes": [code], "actions": [self.game.action_to_json(code)]}
            if not events:
                event |= {"plan": thought, "ms": answer["rootInfo"]["timeMs"]}
            events.append(event)
            state.apply(code)
        if not events:
            raise IllegalActionError(f"agent {self.setup.seats[seat]!r} has no legal plan.")
        return events

    def check_step(self, chosen: Mapping[int, int], answers: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
        """The event of a step in which all act at once; whoever has no choice does the only thing there is."""
        joint = []
        for seat in range(self.game.players):
            legal = self.state.legal_actions(seat)
            code = chosen.get(seat, legal[0])
            if code not in legal:
                raise IllegalActionError(f"action {code} of seat {seat} is not legal here.")
            joint.append(code)
        thoughts = {str(seat): {k: a[k] for k in ("choices", "rootInfo", "turnInfos")} for seat, a in answers.items()}
        written = [[self.game.action_to_json(code) for code in joint]]
        event = {"type": "action", "seat": EVERYBODY, "codes": joint, "actions": written}
        if thoughts:
            event |= {"plan": {"seats": thoughts}, "ms": max(a["rootInfo"]["timeMs"] for a in answers.values())}
        return event

    def play(self, event: Mapping[str, Any]) -> None:
        """Carry out an event that was checked, now or before the server was started again."""
        self.events += 1
        kind = event["type"]
        if kind == "choice":
            preparation = self.preparing[0][1]
            preparation.choose(event["number"])
            if preparation.done:
                merge_options(self.options, preparation.options())
                self.preparing.pop(0)
                self._begin()
        elif kind == "undo":
            self.moves.pop()
            self.states.pop()
        elif kind == "give-up":
            self.given_up = True
        elif kind == "action" and event["seat"] == EVERYBODY:
            self._move(event, [self.game.action_from_json(one) for one in event["actions"][0]])
            self.pending.clear()
        elif kind == "action":
            self._move(event, [self.game.action_from_json(event["actions"][0])])

    def _move(self, event: Mapping[str, Any], codes: list[int]) -> None:
        seat, before = int(event["seat"]), self.state
        after = before.copy().apply(codes if seat == EVERYBODY else codes[0])
        turn = self.turns
        undoable = seat in self.persons and self._reveals_nothing(before, after, codes[0], seat)
        move = Move(seat, tuple(codes), turn, undoable, event.get("plan"), float(event.get("ms", 0.0)))
        self.states.append(after)
        self.moves.append(move)

    def _begin(self) -> None:
        start, seed = self.setup.start, self.setup.seed
        if start is None:
            self.states = [self.game.initial_state(seed, **self.options)]
        elif isinstance(start, str):
            self.states = [self.game.position(start, seed)]
        else:
            self.states = [self.game.state_from_json(start, seed)]

    def _chooses(self, seat: int) -> bool:
        return len(self.state.legal_actions(seat)) > 1

    def _turn_ended(self) -> bool:
        last = self.moves[-1]
        return last.seat == EVERYBODY or self.state.is_over() or self.state.current_player() != last.seat

    def _reveals_nothing(self, before: State, after: State, code: int, seat: int) -> bool:
        """Whether a person could have foreseen what an action led to: no chance, and nothing that was hidden."""
        if not before.same_chance(after):
            return False
        if not self.game.hides_information:
            return True
        seen = after.observe(seat)
        for number in range(_WORLDS):
            world = before.resample_hidden(seat, [number, len(self.moves)])
            if not world.is_legal(code) or world.apply(code).observe(seat) != seen:
                return False
        return True

    # -- what the viewer sees --------------------------------------------------------------------------------

    def seen(self, number: int, viewer: int | None) -> State:
        """A position as the viewer sees it."""
        state = self.states[number]
        return state if viewer is None else state.observe(viewer)

    def drawing(self, number: int, viewer: int | None) -> str:
        """A position's drawing as the viewer sees it; before the start, the decision at hand."""
        if self.preparing:
            return self.preparing[0][1].svg()
        state = self.states[number]
        kept = self.drawn.get((number, viewer))
        if kept is not None and kept[0] is state:
            return kept[1]
        svg = self.seen(number, viewer).svg()
        while len(self.drawn) >= _DRAWN:
            del self.drawn[next(iter(self.drawn))]
        self.drawn[number, viewer] = state, svg
        return svg

    def entry(self, number: int, viewer: int | None) -> dict[str, Any]:
        """A line of the log: who did what, and what it pointed at, as far as the viewer can tell."""
        move, before = self.moves[number], self.states[number]
        if move.seat == EVERYBODY:
            named = {
                seat: before.action_name(code)
                for seat, code in enumerate(move.codes)
                if viewer is None or seat == viewer or not self.game.hides_information
            }
            name = ", ".join(f"{self.seat_name(seat)}: {text}" for seat, text in named.items())
            return {"number": number, "seat": EVERYBODY, "turn": move.turn, "name": name, "parts": []}
        code = move.codes[0]
        if viewer is None or viewer == move.seat or self._can_tell(number, viewer):
            name, parts = before.action_name(code), before.action_parts(code)
        else:
            name, parts = UNSEEN, []
        return {"number": number, "seat": move.seat, "turn": move.turn, "name": name, "parts": parts, "ms": move.ms}

    def value(self, number: int, viewer: int | None) -> list[float]:
        """What the evaluation gives for a position, on what the viewer knows: a mean over guesses of the rest."""
        state = self.states[number]
        if state.is_over():
            return state.returns()
        if viewer is None or not self.game.hides_information:
            return state.evaluate()
        worlds = [state.resample_hidden(viewer, [number, world]).evaluate() for world in range(_WORLDS)]
        return np.mean(worlds, axis=0).tolist()

    def actions(self) -> list[dict[str, Any]]:
        """What a person at the page can do now, with names and what to point at."""
        if self.preparing:
            offered = self.preparing[0][1].choices()
            return [{"code": i, "name": name, "parts": parts} for i, (name, parts) in enumerate(offered)]
        if self.over or not self.waits_for_person:
            return []
        seat = next(seat for seat in self.acting if seat in self.persons)
        view = self.seen(self.number, seat)
        return [
            {"code": code, "name": view.action_name(code), "parts": view.action_parts(code, seat)}
            for code in self.state.legal_actions(seat)
        ]

    def seat_name(self, seat: int) -> str:
        """What the log calls a seat."""
        return f"player {seat + 1}"

    def _can_tell(self, number: int, viewer: int) -> bool:
        """Whether what the viewer sees afterwards tells which action an opponent took."""
        if not self.game.hides_information:
            return True
        before, after = self.states[number], self.states[number + 1].observe(viewer)
        code = self.moves[number].codes[0]
        for other in before.legal_actions()[:_MOST_ALIKE]:
            if other != code and before.copy().apply(other).observe(viewer) == after:
                return False
        return True

    # -- records ---------------------------------------------------------------------------------------------

    def returns(self) -> list[float] | None:
        """Everybody's reward once the game is over; None if it was given up."""
        return self.state.returns() if self.over and not self.given_up else None

    def written_moves(self) -> list[Any]:
        """All moves in the game's JSON form, for a search process to play them again."""
        written = self.game.action_to_json
        return [
            [written(code) for code in move.codes] if move.seat == EVERYBODY else written(move.codes[0])
            for move in self.moves
        ]

    def query(self, number: int) -> dict[str, Any]:
        """A position of the board as a query of the analysis, without a planner."""
        start = self.setup.start
        return {
            "game": self.setup.game,
            "state": None if isinstance(start, str) else start,
            "position": start if isinstance(start, str) else None,
            "seed": self.setup.seed,
            "options": self.options,
            "moves": self.written_moves()[:number],
            "ply": self.moves[number - 1].turn + 1 if number else 0,
        }

    def planner_query(self, seat: int) -> dict[str, Any]:
        """The query whose answer is the next turn of the planner in a seat."""
        return self.query(self.number) | {
            "planner": self.setup.seats[seat],
            "budget": self.setup.budget,
            "seat": seat,
            "plannerSeed": self.setup.seed + _SEED_STEP * seat,
            "session": self.id,
        }

    def record(self) -> GameRecord:
        """The game in the form of the arena, as far as it was played."""
        turns: list[Turn] = []
        for move, written in zip(self.moves, self.written_moves(), strict=True):
            last = turns[-1] if turns and move.turn == self.moves[sum(len(t.actions) for t in turns) - 1].turn else None
            if last is not None and move.seat != EVERYBODY:
                turns[-1] = Turn(last.seat, (*last.actions, written), last.ms, last.evaluations, last.iterations)
            else:
                root = (move.plan or {}).get("rootInfo", {})
                done = int(root.get("evaluations", 0)), int(root.get("iterations", 0))
                turns.append(Turn(move.seat, (written,), move.ms, *done))
        returns, setup = self.returns(), self.setup
        return GameRecord(
            pairing=Pairing(setup.game, setup.seats, setup.budget, setup.seed, int(self.id[:8], 16)),
            returns=tuple(returns if returns is not None else self.value(self.number, None)),
            turns=tuple(turns),
            ms=sum(turn.ms for turn in turns),
            game_version=self.game.version,
            error="given up" if self.given_up else None,
            error_seat=self.persons[0] if self.given_up and self.persons else None,
            options=self.options,
        )


def rebuilt(id: str, owner: str, setup: Setup, game: Game, events: Iterable[Mapping[str, Any]]) -> Board:
    """A board as its events left it."""
    if len(setup.seats) != game.players:
        raise InvalidParameterError(f"{len(setup.seats)} seats given; expected {game.players} for {game.name!r}.")
    board = Board(id, owner, setup, game)
    for event in events:
        board.play(event)
    return board


def _prepared(game: Game, name: str, seat: int, seed: int) -> dict[str, Any]:
    """What an agent that the game brings decides before the start; planners decide nothing."""
    spec = parse_agent(name)
    return spec.on(game).prepare(game, seat, seed) if isinstance(spec, NamedSpec) else {}
