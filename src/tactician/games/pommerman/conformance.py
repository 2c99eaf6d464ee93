"""Replay recordings of the reference environments and of the reference agent.

Steps must lead to equal states, rewards and results under the official rules and, for free-for-all games, under the
paper's; masks, observations and feature planes must be equal. The reference agent uses another random generator: its
actions must be possible for ours, and where 64 decisions were recorded their frequencies must agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from tactician.checking.recordings import StepOutcome
from tactician.checking.replaying import MODES, difference, in_mode
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.reading import choice, required_field
from tactician.contract.requirements import require_choice
from tactician.contract.state import State
from tactician.errors import InvalidStateError
from tactician.games.pommerman import board, pommerman
from tactician.games.pommerman.board import MAX_STEPS, MOVES, PLAYERS, SIDE
from tactician.games.pommerman.features import planes
from tactician.games.pommerman.observations import observation
from tactician.games.pommerman.positions import fill
from tactician.games.pommerman.rule_based import MEMORY, decide_often, records_of

_VARIANTS = {"ffa": "ffa", "team": "team", "teamfull": "team-full", "radio": "radio"}
_FEW_DRAWS, _DRAWS, _MANY_DRAWS = 64, 512, 20_000
_RARE = 1e-7
"""The p-value below which frequencies differ; it is small because thousands of decisions are compared."""
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
        game = game_in_mode("official", _variant(step), self._mode)
        state, seat = read(game, field(step, "s")), field(step, "agent")
        ours = decisions(state, seat, memory_bytes(field(step, "mem")), _DRAWS)
        drawn = Counter(dict.fromkeys(range(MOVES), 0))
        for (action, _), count in ours.items():
            drawn[action] += count
        counts = field(step, "counts")
        if any(drawn[action] and not counts[action] for action in range(MOVES)) or not _alike(
            counts, [drawn[action] for action in range(MOVES)]
        ):
            return "decisions", counts, [drawn[action] for action in range(MOVES)]
        after = (int(field(step, "acts")[0]), memory_bytes(field(step, "mem_after_seed0")))
        return None if after in ours else ("memory after", step["mem_after_seed0"], sorted({m for _, m in ours}))

    def _features(self, step: dict[str, Any]) -> StepOutcome:
        state = read(game_in_mode("paper", "ffa", self._mode), field(step, "s"))
        for seat in range(PLAYERS):
            ours = planes(state, seat)
            entries = [[*map(int, place), int(ours[tuple(place)])] for place in np.argwhere(ours)]
            plain = [entry for entry in entries if not 10 <= entry[0] <= 12]
            if plain != field(step, "nonzero")[seat]:
                return f"planes of seat {seat}", step["nonzero"][seat], plain
            constant = [int(ours[plane, 0, 0]) for plane in (10, 11, 12)]
            if constant != field(step, "const")[seat] or any(np.ptp(ours[plane]) for plane in (10, 11, 12)):
                return f"constant planes of seat {seat}", step["const"][seat], constant
        return difference("mask", field(step, "mask"), masks(state))


class _Trace:
    """Compares the steps of one file."""

    def __init__(self, header: dict[str, Any], mode: str) -> None:
        variant, steps = _variant(header), header.get("max_steps", MAX_STEPS)
        if header.get("board_size", SIDE) != SIDE:
            raise InvalidStateError(f"board_size is {header['board_size']!r}; expected {SIDE}.")
        self.games = {"official": game_in_mode("official", variant, mode, steps)}
        if variant == "ffa":
            self.games["paper"] = game_in_mode("paper", variant, mode, steps)
        self._expected: dict[tuple[Any, ...], set[bytes]] = {}

    def compare(self, step: dict[str, Any]) -> StepOutcome:
        """Return the first thing in which a step differs from what the rules give."""
        before = read(self.games["official"], field(step, "s"))
        if again := difference("state before", step["s"], _plain(before)):
            return again
        if "mask" in step and (outcome := difference("mask", step["mask"], masks(before))):
            return outcome
        if "mem" in step and (outcome := self._decisions(before, step)):
            return outcome
        for rules, game in self.games.items():
            state = before.copy() if rules == "official" else read(game, step["s"])
            after = step_on(state, field(step, "a"))
            if outcome := _compare_after(rules, after, step):
                return outcome
        return None

    def _decisions(self, state: State, step: dict[str, Any]) -> StepOutcome:
        """Compare actions and memories of the recorded agents with those that are possible for ours."""
        expected, self._expected = self._expected, {}
        for seat, recorded in enumerate(step["mem"]):
            if recorded is None:
                continue
            memory = memory_bytes(recorded)
            place = (step.get("ep"), step.get("i"), seat)
            if place in expected and memory not in expected[place]:
                return f"memory of seat {seat}", recorded, sorted(expected[place])
            action = step["a"][seat][0] if isinstance(step["a"][seat], list) else step["a"][seat]
            ours = decisions(state, seat, memory, _FEW_DRAWS)
            if all(code != action for code, _ in ours):
                ours = decisions(state, seat, memory, _MANY_DRAWS)
            after = {memory for code, memory in ours if code == action}
            if not after:
                return f"action of seat {seat}", action, sorted({code for code, _ in ours})
            self._expected[step.get("ep"), step.get("i", 0) + 1, seat] = after
        return None


def _compare_after(rules: str, after: State, step: dict[str, Any]) -> StepOutcome:
    recorded = {name: field(step, name) for name in ("n", "r", "done")}
    compared = ["n", "r", "done"]
    if rules == "paper":
        recorded = {name: step.get(f"l2p_{name}", value) for name, value in recorded.items()}
        # Rewards of the paper's environment were recorded only where the end of the game differs too.
        if "l2p_n" in step and "l2p_r" not in step:
            compared.remove("r")
    ours = {"n": _plain(after), "r": [int(r) for r in after.returns()], "done": after.is_over()}
    for name in compared:
        if outcome := difference(f"{name} ({rules} rules)", recorded[name], ours[name]):
            return outcome
    if rules == "paper":
        return None
    for name, value in result_of(after).items():
        if name in step and (outcome := difference(name, step[name], value)):
            return outcome
    for seat, seen in enumerate(step.get("obs", [])):
        if outcome := difference(f"observation of seat {seat}", seen, sparse(observation(after, seat))):
            return outcome
    return None


# -- pieces ------------------------------------------------------------------------------------------------------


@cache
def game_in_mode(rules: str, variant: str, mode: str, max_steps: int = MAX_STEPS) -> Game:
    """Return a game in a mode; cached."""
    return in_mode(pommerman(rules=rules, variant=variant, max_steps=max_steps), mode)


def read(game: Game, data: Any) -> State:
    """Return a recorded state; in constructed ones players may be walled in."""
    state = _empty_state(game, game.backend.mode).copy()
    fill(game.config, game._record(state), data)
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
    state.game.run("apply_joint", state._address, buffers.more_actions_at, state._stream_at)
    return state


def masks(state: State) -> list[list[int]]:
    """Return the actions that the paper's mask leaves to each seat."""
    buffers = state.game.buffers()
    lists = []
    for seat in range(PLAYERS):
        count = state.game.run("candidate_actions", state._address, seat, buffers.actions_at, state._stream_at)
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


def memory_bytes(recorded: Any) -> bytes:
    """Return a recorded memory, [recent places, last direction], in the form of our agent."""
    recent, last = recorded
    cells = [board.cell_at(*place) for place in recent]
    return bytes([len(cells), *cells, *[0] * (MEMORY - 2 - len(cells)), last or 0])


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


def field(step: dict[str, Any], name: str) -> Any:
    """Return a field that a step must have."""
    return required_field("the step", step, name)


def _variant(header: dict[str, Any]) -> str:
    return _VARIANTS[choice("variant", header.get("variant"), tuple(_VARIANTS))]


def _plain(state: State) -> dict[str, Any]:
    """Return a state as recordings write it, without messages."""
    return {name: value for name, value in state.to_json().items() if name != "messages"}


def _alike(recorded: Sequence[int], ours: Sequence[int]) -> bool:
    """Return whether two histograms may come from the same distribution (chi-squared test)."""
    from scipy.stats import chi2

    seen = [(a, b) for a, b in zip(recorded, ours, strict=True) if a + b]
    totals = sum(a for a, _ in seen), sum(b for _, b in seen)
    if len(seen) < 2:
        return True
    distance = 0.0
    for pair in seen:
        share = sum(pair) / sum(totals)
        distance += sum(
            (count - total * share) ** 2 / (total * share) for count, total in zip(pair, totals, strict=True)
        )
    return float(chi2.sf(distance, len(seen) - 1)) > _RARE
