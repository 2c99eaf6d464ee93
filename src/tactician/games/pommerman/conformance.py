"""Replay recordings of the reference environments and of the reference agent.

Steps must lead to equal states, rewards and results under the official rules and, for free-for-all games, under the
paper's; masks, observations and feature planes must be equal. The reference agent uses another random generator: its
actions and memories must be possible for ours, and where many decisions were recorded their frequencies must agree
(`frequencies`). Every field is checked before compiled code gets it (`recorded`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from tactician.checking.recordings import Frequencies, StepOutcome
from tactician.checking.replaying import MODES, difference, in_mode
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.reading import integer
from tactician.contract.requirements import require_choice
from tactician.contract.state import State
from tactician.errors import InvalidStateError, short
from tactician.games.pommerman import board, pommerman, recorded
from tactician.games.pommerman.board import MAX_STEPS, MOVES, PLAYERS, SIDE
from tactician.games.pommerman.factory import MOST_STEPS
from tactician.games.pommerman.features import planes
from tactician.games.pommerman.frequencies import p_value
from tactician.games.pommerman.observations import observation
from tactician.games.pommerman.positions import fill
from tactician.games.pommerman.rule_based import MEMORY, decide_often, records_of

_FEW_DRAWS, _DRAWS, _MANY_DRAWS = 64, 512, 20_000
"""Draws of our agent: first for one recorded action, to compare frequencies, and to look for a rare outcome."""
_MAPS = ("bomb_blast_strength", "bomb_life", "bomb_moving_direction", "flame_life")


class PommermanReplayer:
    """Replays games, constructed scenarios, single decisions of the reference agent, and feature planes."""

    formats: Sequence[Any] = ("pommerman-trace/1", "pommerman-simple-decisions/1", "pommerman-features/1")
    kinds: Sequence[str] = ("game", "games", "scenarios", "decisions", "features")

    def __init__(self, mode: str = "compiled") -> None:
        self._mode = require_choice("mode", mode, MODES)

    def kind(self, header: dict[str, Any]) -> str | None:
        """Return the kind in a file's first line, or the kind of its format."""
        named = {self.formats[1]: "decisions", self.formats[2]: "features"}
        kind = header.get("kind")
        return kind if isinstance(kind, str) else named.get(str(header.get("format")))

    def replay(self, header: dict[str, Any], steps: Iterable[dict[str, Any]]) -> Iterator[StepOutcome]:
        """Compare each step with what the rules give."""
        kind = self.kind(header)
        compare = {"decisions": self._decision, "features": self._features}.get(str(kind))
        trace = _Trace(header, self._mode) if compare is None else None
        for number, step in enumerate(steps):
            try:
                if trace is not None:
                    outcome = trace.compare(step)
                else:
                    assert compare is not None
                    outcome = compare(step)
            except InvalidStateError as error:
                raise InvalidStateError(f"step {number}: {error}") from error
            yield outcome

    def _decision(self, step: dict[str, Any]) -> StepOutcome:
        game = game_in_mode("official", recorded.variant(step), self._mode)
        state = read_whole(game, recorded.field(step, "s"))
        seat = recorded.acting_seat(state, recorded.field(step, "agent"))
        memory = recorded.memory("mem", recorded.field(step, "mem"))
        counts = recorded.counts(recorded.field(step, "counts"))
        action = recorded.first_action(recorded.field(step, "acts"))
        after = (action, memory_bytes(recorded.memory("mem_after_seed0", recorded.field(step, "mem_after_seed0"))))
        ours = decisions(state, seat, memory_bytes(memory), _DRAWS)
        possible = ours if after in ours else decisions(state, seat, memory_bytes(memory), _MANY_DRAWS)
        if after not in possible:
            return "memory after", step["mem_after_seed0"], memories_of(m for _, m in possible)
        drawn = [sum(count for (code, _), count in ours.items() if code == move) for move in range(MOVES)]
        return Frequencies("decisions", counts, drawn, p_value(counts, drawn))

    def _features(self, step: dict[str, Any]) -> StepOutcome:
        state = read_whole(game_in_mode("paper", "ffa", self._mode), recorded.field(step, "s"))
        nonzero, const = (recorded.for_each_seat(name, recorded.field(step, name)) for name in ("nonzero", "const"))
        for seat in range(PLAYERS):
            ours = planes(state, seat)
            entries = [[*map(int, place), int(ours[tuple(place)])] for place in np.argwhere(ours)]
            plain = [entry for entry in entries if not 10 <= entry[0] <= 12]
            if plain != nonzero[seat]:
                return f"planes of seat {seat}", nonzero[seat], plain
            constant = [int(ours[plane, 0, 0]) for plane in (10, 11, 12)]
            if constant != const[seat] or any(np.ptp(ours[plane]) for plane in (10, 11, 12)):
                return f"constant planes of seat {seat}", const[seat], constant
        return difference("mask", recorded.field(step, "mask"), masks(state))


class _Trace:
    """Compares the steps of one file."""

    def __init__(self, header: dict[str, Any], mode: str) -> None:
        variant = recorded.variant(header)
        steps = integer("max_steps", header.get("max_steps", MAX_STEPS), 1, MOST_STEPS)
        if header.get("board_size", SIDE) != SIDE:
            raise InvalidStateError(f"board_size is {short(header['board_size'])}; expected {SIDE}.")
        self.games = {"official": game_in_mode("official", variant, mode, steps)}
        if variant == "ffa":
            self.games["paper"] = game_in_mode("paper", variant, mode, steps)
        self._expected: dict[tuple[Any, ...], set[bytes]] = {}

    def compare(self, step: dict[str, Any]) -> StepOutcome:
        """Return the first thing in which a step differs from what the rules give."""
        before = read_whole(self.games["official"], recorded.field(step, "s"))
        actions = recorded.for_each_seat("a", recorded.field(step, "a"))
        codes = [before.game.action_from_json(action) for action in actions]
        if again := difference("state before", step["s"], _plain(before)):
            return again
        if "mask" in step and (outcome := difference("mask", step["mask"], masks(before))):
            return outcome
        if "mem" in step and (outcome := self._decisions(before, step, [code % MOVES for code in codes])):
            return outcome
        for rules, game in self.games.items():
            state = before.copy() if rules == "official" else read(game, step["s"])
            after = step_on(state, actions)
            if outcome := _compare_after(rules, after, step):
                return outcome
        return None

    def _decisions(self, state: State, step: dict[str, Any], moves: Sequence[int]) -> StepOutcome:
        """Compare actions and memories of the recorded agents with those that are possible for ours."""
        expected, self._expected = self._expected, {}
        episode, number = recorded.place_in_file(step)
        for seat, remembered in enumerate(recorded.for_each_seat("mem", step["mem"])):
            if remembered is None:
                continue
            recorded.acting_seat(state, seat)
            memory = memory_bytes(recorded.memory(f"mem[{seat}]", remembered))
            place = (episode, number, seat)
            if place in expected and memory not in expected[place]:
                return f"memory of seat {seat}", remembered, memories_of(expected[place])
            ours = decisions(state, seat, memory, _FEW_DRAWS)
            if all(code != moves[seat] for code, _ in ours):
                ours = decisions(state, seat, memory, _MANY_DRAWS)
            after = {memory for code, memory in ours if code == moves[seat]}
            if not after:
                return f"action of seat {seat}", moves[seat], sorted({code for code, _ in ours})
            self._expected[episode, number + 1, seat] = after
        return None


def _compare_after(rules: str, after: State, step: dict[str, Any]) -> StepOutcome:
    wanted = {name: recorded.field(step, name) for name in ("n", "r", "done")}
    compared = ["n", "r", "done"]
    if rules == "paper":
        wanted = {name: step.get(f"l2p_{name}", value) for name, value in wanted.items()}
        # Rewards of the paper's environment were recorded only where the end of the game differs too.
        if "l2p_n" in step and "l2p_r" not in step:
            compared.remove("r")
    ours = {"n": _plain(after), "r": [int(r) for r in after.returns()], "done": after.is_over()}
    for name in compared:
        if outcome := difference(f"{name} ({rules} rules)", wanted[name], ours[name]):
            return outcome
    if rules == "paper":
        return None
    for name, value in result_of(after).items():
        if name in step and (outcome := difference(name, step[name], value)):
            return outcome
    if "obs" not in step:
        return None
    for seat, seen in enumerate(recorded.for_each_seat("obs", step["obs"])):
        if outcome := difference(f"observation of seat {seat}", seen, sparse(observation(after, seat))):
            return outcome
    return None


# -- pieces ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def game_in_mode(rules: str, variant: str, mode: str, max_steps: int = MAX_STEPS) -> Game:
    """Return a game in a mode; cached."""
    return in_mode(pommerman(rules=rules, variant=variant, max_steps=max_steps), mode)


def read(game: Game, data: Any) -> State:
    """Return a state in which players may be walled in, as in constructed ones."""
    state = _empty_state(game, game.backend.mode).copy()
    fill(game.config, game._record(state), data)
    return state


def read_whole(game: Game, data: Any) -> State:
    """Return a recorded state; a view, with fog or unseen agents, is refused."""
    state = read(game, data)
    recorded.require_whole(state)
    return state


@cache
def _empty_state(game: Game, mode: str) -> State:
    """Return an empty board; `mode` is in the key because games that differ only in their mode are equal."""
    return game.state_from_json(_EMPTY)


_EMPTY: dict[str, Any] = {
    "t": 0,
    "board": ["0" * SIDE] * SIDE,
    "agents": [[-1, -1, 0, 0, 0, 0]] * PLAYERS,
    "bombs": [],
    "flames": [],
    "items": [],
}


def step_on(state: State, actions: Sequence[Any]) -> State:
    """Apply a joint action; recorded actions of dead agents may be anything and are ignored."""
    buffers = state.game.buffers()
    buffers.more_actions[:PLAYERS] = [state.game.action_from_json(action) for action in actions]
    state.game.run("apply_joint", state.address, buffers.more_actions_at, state.stream_address)
    return state


def masks(state: State) -> list[list[int]]:
    """Return the actions that the paper's mask leaves to each seat."""
    buffers = state.game.buffers()
    lists = []
    for seat in range(PLAYERS):
        count = state.game.run("candidate_actions", state.address, seat, buffers.actions_at, state.stream_address)
        lists.append(buffers.actions[:count].tolist())
    return lists


def result_of(state: State) -> dict[str, Any]:
    """Return the result as the official environment writes it, with the winners if there are any."""
    if not state.is_over():
        return {"result": "Incomplete"}
    winners = [seat for seat, reward in enumerate(state.returns()) if reward > 0]
    return {"result": "Win", "winners": winners} if winners else {"result": "Tie"}


def decisions(state: State, seat: int, memory: bytes, draws: int) -> Counter[tuple[int, bytes]]:
    """Count the actions of our agent, each with the memory afterwards, in independent decisions."""
    actions, memories = np.zeros(draws, np.int64), np.zeros((draws, MEMORY), np.uint8)
    start = np.frombuffer(memory, np.uint8)
    decide_often(*records_of(state), seat, start.copy(), stream([draws, seat]), actions, memories)
    return Counter(zip(actions.tolist(), map(bytes, memories), strict=True))


def memory_bytes(memory: Sequence[Any]) -> bytes:
    """Return a recorded memory, [recent places, last direction], in the form of our agent."""
    recent, last = memory
    cells = [board.cell_at(*place) for place in recent]
    return bytes([len(cells), *cells, *[0] * (MEMORY - 2 - len(cells)), last or 0])


def memories_of(found: Iterable[bytes]) -> list[Any]:
    """Return memories of our agent as recordings write them, each once."""
    return [
        [[list(board.place_of(cell)) for cell in memory[1 : 1 + memory[0]]], memory[-1] or None]
        for memory in sorted(set(found))
    ]


def sparse(seen: dict[str, Any]) -> dict[str, Any]:
    """Return an observation as recordings write it: the board in hexadecimal digits, maps as lists of entries."""
    written = {name: value for name, value in seen.items() if name != "game_env"}
    written["board"] = ["".join(f"{value:x}" for value in row) for row in seen["board"].tolist()]
    for name in _MAPS:
        written[name] = [[*map(int, place), int(seen[name][tuple(place)])] for place in np.argwhere(seen[name])]
    written["position"], written["can_kick"] = list(seen["position"]), int(seen["can_kick"])
    if "message" in seen:
        written["message"] = list(seen["message"])
    return written


def _plain(state: State) -> dict[str, Any]:
    """Return a state as recordings write it, without messages."""
    return {name: value for name, value in state.to_json().items() if name != "messages"}
