"""LOCM: what players do with the enemy's creatures, and how they lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

from tactician.arena.match import positions
from tactician.arena.records import GameRecord
from tactician.arena.tournament import Tournament
from tactician.experiments.matches import MatchExperiment
from tactician.experiments.papers.beyond.cards import BOT, BOT_GAME
from tactician.experiments.papers.beyond.cells import BATTLE, OURS, cell
from tactician.experiments.report import ExperimentReport, MoreTable
from tactician.games.locm.killing import attack_damage

_GAMES = 200
_SEATS = ("first", "second")
_ROLES = ("planner", "opponent")
_AGAINST, _ITSELF = " against ", "itself"


def trades(result: Tournament) -> dict[str, Any]:
    """What the planner and its opponent did in a match, by seat."""
    found = {role: {seat: Counter[str]() for seat in _SEATS} for role in _ROLES}
    for record in result.games():
        for seat, counted in enumerate(_counted(record)):
            role = _ROLES[result.names.index(record.pairing.seats[seat])]
            found[role][_SEATS[seat]].update(counted)
    return {"trades": {role: {seat: dict(one) for seat, one in seats.items()} for role, seats in found.items()}}


def _counted(record: GameRecord) -> tuple[Counter[str], Counter[str]]:
    """Games, wins, turns, enemy creatures killed and left standing, and losses to creatures that stood on the board."""
    both = (Counter[str](), Counter[str]())
    exposed = [False, False]
    for turn, (before, after) in zip(record.turns, pairwise(positions(record)), strict=True):
        seat, foe = turn.seat, 1 - turn.seat
        standing = int(after.record["units_n"][foe])
        both[seat].update(turns=1, killed=int(before.record["units_n"][foe]) - standing, standing=standing)
        exposed[seat] = bool(attack_damage(after.game.config, after.record, foe) >= after.record["hp"][seat])
    for seat, counted in enumerate(both):
        lost = record.returns[seat] < 0
        counted.update(games=1, won=record.returns[seat] > 0, lost=lost, lost_to_the_board=lost and exposed[seat])
    return both


@dataclass(frozen=True, kw_only=True)
class TradesExperiment(MatchExperiment):
    """Matches, and what each player did with the other's creatures."""

    head: ClassVar[tuple[str, ...]] = (
        *("match", "player", "seat", "games", "won, %", "enemy creatures killed a turn", "left standing"),
        "lost to creatures that stood on the board after its last turn",
    )

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The matches, and a row for each player and seat."""
        told = super().report(document)
        rows = tuple(
            (row["cell"], name, seat, *_told(counted))
            for row in document["outcomes"]
            for name, seats in _by_player(row).items()
            for seat, counted in seats.items()
        )
        return replace(told, more=(*told.more, MoreTable("What the players did:", self.head, rows)))


def _by_player(row: dict[str, Any]) -> dict[str, dict[str, Counter[str]]]:
    """What was counted, by the names in a cell's own; a player against itself is one player."""
    found: dict[str, dict[str, Counter[str]]] = {}
    ours, theirs = row["cell"].split(_AGAINST)
    for role, name in zip(_ROLES, (ours, ours if theirs == _ITSELF else theirs), strict=True):
        for seat, counted in row["details"]["trades"][role].items():
            found.setdefault(name, {}).setdefault(seat, Counter()).update(counted)
    return found


def _told(counted: Mapping[str, int]) -> tuple[str, ...]:
    turns = counted["turns"]
    return (
        str(counted["games"]),
        f"{100 * counted['won'] / counted['games']:.0f}",
        f"{counted['killed'] / turns:.2f}",
        f"{counted['standing'] / turns:.2f}",
        f"{counted['lost_to_the_board']} of {counted['lost']}",
    )


TRADES = TradesExperiment(
    name="beyond-trades",
    title="What the competition bot and others do with the enemy's creatures, and how they lose, LOCM",
    paper=OURS,
    claim="The bot kills more of the enemy's creatures than the papers' planner and leaves fewer standing.",
    presets=("paper",),
    cells=tuple(
        replace(cell(f"the bot{_AGAINST}{name}", BOT_GAME, BOT, opponent, BATTLE), paper_games=_GAMES)
        for name, opponent in {
            _ITSELF: f"{BOT}#2",
            "Greedy Turn, board": "greedy-turn:evaluation=board",
            "permutation-OEP": "permutation-oep",
        }.items()
    ),
    details=trades,
    size=_GAMES,
    seconds=0.8,
    note="Both sides have the same number of evaluations and the same draft. A creature counts as killed by the player "
    "in whose turn it left the board.",
)
