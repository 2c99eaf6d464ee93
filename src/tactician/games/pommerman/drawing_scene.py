"""What both drawings show of a position, taken from its canonical JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tactician.games.pommerman.board import PLAYERS

Place = tuple[int, int]


@dataclass(frozen=True)
class Bomb:
    """A bomb; the owner is -1 where nobody knows, the direction 0 where it rests."""

    life: int
    strength: int
    owner: int
    direction: int


@dataclass(frozen=True)
class Agent:
    """A seat's agent."""

    seat: int
    place: Place | None
    """None where an observer doesn't see it."""
    alive: bool
    ammo: int
    blast: int
    kick: bool
    known: bool
    """Whether its possessions are known."""
    team: int | None
    won: bool


@dataclass(frozen=True)
class Scene:
    """A position ready to be drawn."""

    step: int
    limit: int
    status: str
    cells: tuple[tuple[int, ...], ...]
    bombs: dict[Place, Bomb]
    flames: dict[Place, int]
    """The life of the flame that will burn longest."""
    items: dict[Place, int]
    """Hidden ones."""
    agents: tuple[Agent, ...]


def read_scene(g: Any, position: Mapping[str, Any]) -> Scene:
    """The scene of a position under a configuration."""
    living = sum(agent[2] << seat for seat, agent in enumerate(position["agents"]))
    late = position["t"] >= int(g.time_limit)
    over = late or bool(g.over[living])
    rewards = g.reward[int(late), living].tolist()
    flames: dict[Place, int] = {}
    for row, column, life in position["flames"]:
        flames[row, column] = max(life, flames.get((row, column), 0))
    winners = [seat for seat in range(PLAYERS) if over and rewards[seat] > 0]
    return Scene(
        step=position["t"],
        limit=int(g.time_limit),
        status=_status(over, winners),
        cells=tuple(tuple(int(digit, 16) for digit in row) for row in position["board"]),
        bombs={(b[0], b[1]): Bomb(*b[2:]) for b in position["bombs"]},
        flames=flames,
        items={(row, column): kind for row, column, kind in position["items"]},
        agents=tuple(_agent(g, seat, agent, seat in winners) for seat, agent in enumerate(position["agents"])),
    )


def _agent(g: Any, seat: int, agent: list[int], won: bool) -> Agent:
    row, column, alive, ammo, blast, kick = agent
    return Agent(
        seat=seat,
        place=(row, column) if row >= 0 else None,
        alive=bool(alive),
        ammo=ammo,
        blast=blast,
        kick=bool(kick),
        known=blast > 0,
        team=seat % 2 if g.teams else None,
        won=won,
    )


def _status(over: bool, winners: list[int]) -> str:
    if not over:
        return "running"
    if not winners:
        return "nobody has won"
    who = " and ".join(f"agent {seat}" for seat in winners)
    return f"{who} {'has' if len(winners) == 1 else 'have'} won"
