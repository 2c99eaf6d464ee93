"""What a player sees of a battle, in plain Python and in its own frame: what scripted agents decide by."""

from __future__ import annotations

from dataclasses import dataclass

from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.royale.arena import (
    DECK,
    DOUBLE_ELIXIR_TICK,
    KING,
    PLAYERS,
    PRINCESS_LEFT,
    PRINCESS_RIGHT,
    REGULAR_TICKS,
    TOWER_PLACES,
    TOWERS,
    global_place,
    tile_at,
)
from tactician.games.royale.records import (
    DEPLOYING,
    HP,
    KIND,
    NO_CARD,
    PLACE_X,
    PLACE_Y,
    SPELL_CARD,
    SPELL_X,
    SPELL_Y,
    TIMER,
    TOWER_HP,
)
from tactician.games.royale.tables import names_of


@dataclass(frozen=True)
class Troop:
    """A troop in the arena."""

    card: int
    name: str
    own: bool
    x: int
    y: int
    hp: int
    deploying: bool

    @property
    def tile(self) -> tuple[int, int]:
        """The column and the row it stands in."""
        return tile_at(self.x, self.y)


@dataclass(frozen=True)
class Tower:
    """A tower, standing or fallen; `slot` is as its owner counts."""

    slot: int
    own: bool
    x: int
    y: int
    hp: int
    awake: bool
    """Of a king."""


@dataclass(frozen=True)
class Spell:
    """A spell in flight."""

    card: int
    name: str
    own: bool
    tile: tuple[int, int]
    ticks: int
    """To its next impact."""


@dataclass(frozen=True)
class Observation:
    """All that a player sees; places are in its own frame, so it sits at the bottom."""

    tick: int
    double_elixir: bool
    overtime: bool
    elixir: int
    """In 28ths."""
    hand: tuple[int, ...]
    next_card: int
    reserved: int | None
    troops: tuple[Troop, ...]
    towers: tuple[Tower, ...]
    """The own left and right princess tower and king, then the enemy's that stand opposite: left, right, king."""
    spells: tuple[Spell, ...]
    past: tuple[int, ...]
    """The own actions of the last ten steps, the latest last."""


def observation(state: State, seat: int) -> Observation:
    """Return what a seat sees; states that show more and observations give the same."""
    if state.game.name != "royale" or not 0 <= seat < PLAYERS:
        raise InvalidParameterError(f"seat is {seat!r} of {state.game.name!r}; expected 0 or 1 of 'royale'.")
    g, s = state.game.config, state.record
    names = names_of(g)[:DECK]
    reserved, next_card = int(s.reserved[seat]), int(s.queue[seat, 0])
    troops, spells = [], []
    for owner in (seat, 1 - seat):
        for row in s.troops[owner, : int(s.n_troops[owner])].tolist():
            x, y = global_place(seat, (row[PLACE_X], row[PLACE_Y]))
            deploying = row[DEPLOYING] > 0
            troops.append(Troop(row[KIND], names[row[KIND]], owner == seat, x, y, row[HP], deploying))
        for row in s.spells[owner, : int(s.n_spells[owner])].tolist():
            tile = tile_at(*global_place(seat, (row[SPELL_X], row[SPELL_Y])))
            spells.append(Spell(row[SPELL_CARD], names[row[SPELL_CARD]], owner == seat, tile, row[TIMER]))
    tick = int(s.tick)
    return Observation(
        tick=tick,
        double_elixir=tick >= DOUBLE_ELIXIR_TICK,
        overtime=tick >= REGULAR_TICKS,
        elixir=int(s.elixir[seat]),
        hand=tuple(s.hand[seat].tolist()),
        next_card=next_card,
        reserved=reserved if reserved != NO_CARD else None,
        troops=tuple(troops),
        towers=_towers(s.towers[:, :, TOWER_HP].tolist(), s.awake.tolist(), seat),
        spells=tuple(spells),
        past=tuple(s.past[seat].tolist()),
    )


def _towers(hp: list[list[int]], awake: list[int], seat: int) -> tuple[Tower, ...]:
    towers = []
    for own in (True, False):
        owner = seat if own else 1 - seat
        # The enemy's right princess tower stands opposite the own left one.
        for slot in range(TOWERS) if own else (PRINCESS_RIGHT, PRINCESS_LEFT, KING):
            x, y = TOWER_PLACES[slot] if own else global_place(1, TOWER_PLACES[slot])
            towers.append(Tower(slot, own, x, y, hp[owner][slot], slot == KING and bool(awake[owner])))
    return tuple(towers)
