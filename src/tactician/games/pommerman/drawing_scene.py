"""What both drawings of Pommerman show of a position, read from its canonical JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tactician.games.pommerman.board import PLAYERS
from tactician.native.records import FieldRecord

Place = tuple[int, int]


@dataclass(frozen=True)
class BombView:
    """A bomb on the board; the owner is -1 if unknown, the direction 0 if the bomb rests."""

    life: int
    strength: int
    owner: int
    direction: int


@dataclass(frozen=True)
class AgentView:
    """The agent of a seat."""

    seat: int
    place: Place | None
    """None if the observer doesn't see it."""
    alive: bool
    ammo: int
    blast: int
    kick: bool
    known: bool
    """Whether its possessions are known."""
    team: int | None
    won: bool


@dataclass(frozen=True)
class PommermanScene:
    """A position, ready to be drawn."""

    step: int
    limit: int
    status: str
    cells: tuple[tuple[int, ...], ...]
    bombs: dict[Place, BombView]
    flames: dict[Place, int]
    """The longest life of the flames on a cell."""
    items: dict[Place, int]
    """The kinds of the hidden power-ups."""
    agents: tuple[AgentView, ...]


def read_scene(g: FieldRecord, position: Mapping[str, Any]) -> PommermanScene:
    """Return the scene of a position in JSON form, under a configuration."""
    living = sum(agent[2] << seat for seat, agent in enumerate(position["agents"]))
    late = position["t"] >= int(g.time_limit)
    over = late or bool(g.over[living])
    rewards = g.reward[int(late), living].tolist()
    flames: dict[Place, int] = {}
    for row, column, life in position["flames"]:
        flames[row, column] = max(life, flames.get((row, column), 0))
    winners = [seat for seat in range(PLAYERS) if over and rewards[seat] > 0]
    return PommermanScene(
        step=position["t"],
        limit=int(g.time_limit),
        status=_status(over, winners),
        cells=tuple(tuple(int(digit, 16) for digit in row) for row in position["board"]),
        bombs={(b[0], b[1]): BombView(*b[2:]) for b in position["bombs"]},
        flames=flames,
        items={(row, column): kind for row, column, kind in position["items"]},
        agents=tuple(_agent(g, seat, agent, seat in winners) for seat, agent in enumerate(position["agents"])),
    )


def _agent(g: FieldRecord, seat: int, agent: list[int], won: bool) -> AgentView:
    row, column, alive, ammo, blast, kick = agent
    return AgentView(
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
    who = " and ".join(f"agent {seat + 1}" for seat in winners)
    return f"{who} {'has' if len(winners) == 1 else 'have'} won"
