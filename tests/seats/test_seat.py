"""The seat interface: whatever plays a seat is asked and told in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from locm_bots import GOOD, command
from python_files import user_files

from tactician.arena.agents import parse_agent
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.seats import BaseSeat, Plan, Seat
from tactician.seats.python_agents import PythonAgent
from tactician.seats.seat import acting_seat

FILE = """
def first(state, seat):
    return state.legal_actions(seat)[0]
"""
SEATS = {
    "a planner on turns": ("hero-academy", "oep"),
    "a planner on guesses": ("locm", "determinized:worlds=2"),
    "a planner without a search": ("pommerman", "random"),
    "a planner on simultaneous moves": ("pommerman", "fdts"),
    "a planner on simultaneous moves in a game of turns": ("hero-academy", "mcs"),
    "a named agent on turns": ("locm", "locm-baseline1"),
    "a named agent on simultaneous moves": ("pommerman", "rule-based"),
    "a program": ("locm", "exec"),
    "a function of a Python file": ("hero-academy", "python"),
    "a function where all act at once": ("pommerman", "python"),
}


@pytest.mark.parametrize("kind", SEATS)
def test_every_kind_of_seat_is_asked_and_told_in_the_same_way(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, spec = SEATS[kind]
    own = {"exec": f"exec[timeout=60]:{command(tmp_path, GOOD)}", "python": f"python:{tmp_path}/mine.py:first"}
    game = load_game(name)
    with user_files(tmp_path, {"mine.py": FILE}, monkeypatch):
        seat: Seat = parse_agent(own.get(spec, spec)).on(game)
        assert seat.takes_whole_state == kind.startswith("a planner")
        assert seat.seeded(7) is seat
        seat.new_game()
        state = game.initial_state(seed=5, **seat.prepare(game, 0, 5))
        seen = state if seat.takes_whole_state or not game.hides_information else state.observe(0)
        plan = seat.plan(seen, "20its", ply=0, seat=0)
        assert plan.actions[0] in state.legal_actions(0)
        seat.end_game([0.0] * game.players)
        seat.close()
        with pytest.raises(TypeError):
            seat.plan(seen, "20its", 0)  # type: ignore[call-arg]


def test_a_seat_needs_only_a_plan() -> None:
    class Hasty(BaseSeat):
        def plan(self, state: State, budget: Any, *, ply: int = 0, seat: int | None = None) -> Plan:
            return Plan((state.legal_actions()[0],), None)

    seat: Seat = Hasty()
    game = load_game("hero-academy")
    assert seat.seeded(3) is seat
    assert seat.prepare(game, 0, 1) == {}
    assert not seat.takes_whole_state
    with pytest.raises(TypeError, match="abstract"):
        BaseSeat()  # type: ignore[abstract]


def test_the_acting_seat_is_the_mover_or_the_one_that_is_named() -> None:
    turns, together = load_game("hero-academy").initial_state(seed=1), load_game("pommerman").initial_state(seed=1)
    assert acting_seat(turns, None) == acting_seat(turns, 0) == 0
    assert [acting_seat(together, seat) for seat in range(4)] == [0, 1, 2, 3]
    with pytest.raises(InvalidParameterError, match="seat is 1; it is the turn of seat 0, expected that or None"):
        acting_seat(turns, 1)
    for seat in (None, -1, 4):
        with pytest.raises(InvalidParameterError, match=f"seat is {seat}; all act at once here, expected 0 to 3"):
            acting_seat(together, seat)


# -- methods of the older interface ----------------------------------------------------------------------------


class Now:
    def plan(self, state: State, budget: Any, *, ply: int, seat: int) -> Any:
        self.given = (ply, seat)
        return state.legal_actions(seat)[0]


class Loose:
    def plan(self, state: State, budget: Any, **named: Any) -> Any:
        self.given = (named["ply"], named["seat"])
        return state.legal_actions(named["seat"])[0]


class Turns:
    def plan(self, state: State, budget: Any, ply: int) -> Any:
        self.given = (ply, None)
        return state.legal_actions()[0]


class TurnsByPosition:
    def plan(self, *given: Any) -> Any:
        self.given = (given[2], None)
        return given[0].legal_actions()[0]


class Together:
    def plan(self, state: State, budget: Any, ply: int, player: int | None = None) -> Any:
        self.given = (ply, player)
        return state.legal_actions(player)[0]


@pytest.mark.parametrize(
    ("agent", "game", "given"),
    [
        (Now(), "hero-academy", (4, 0)),
        (Now(), "pommerman", (4, 2)),
        (Loose(), "pommerman", (4, 2)),
        (Turns(), "hero-academy", (4, None)),
        (TurnsByPosition(), "hero-academy", (4, None)),
        (Together(), "hero-academy", (4, None)),
        (Together(), "pommerman", (4, 2)),
    ],
)
def test_a_method_plan_is_called_as_its_signature_expects(agent: Any, game: str, given: Any) -> None:
    loaded = load_game(game)
    state = loaded.initial_state(seed=1)
    seat = 2 if loaded.simultaneous else 0
    plan = PythonAgent(agent).plan(state, "10its", ply=4, seat=seat)
    assert plan.actions == (state.legal_actions(seat)[0],)
    assert agent.given == given
