"""What both drawings of Royale show of a position, read from its canonical JSON form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tactician.games.royale.arena import (
    DECK,
    DOUBLE_ELIXIR_TICK,
    ELIXIR,
    KING,
    MOST_TICKS,
    PLAYERS,
    REGULAR_TICKS,
    TICKS_A_SECOND,
    TOWER_PLACES,
    TOWERS,
    global_place,
)
from tactician.games.royale.records import KING_KIND, PRINCESS_KIND
from tactician.games.royale.tables import names_of
from tactician.native.records import FieldRecord


@dataclass(frozen=True)
class TowerView:
    """A tower, standing or fallen."""

    owner: int
    slot: int
    x: int
    y: int
    radius: int
    hp: int
    most: int
    asleep: bool
    """Of a king that does not shoot yet."""


@dataclass(frozen=True)
class TroopView:
    """A troop in the arena."""

    owner: int
    uid: int
    name: str
    code: str
    """Two letters."""
    x: int
    y: int
    radius: int
    hp: int
    most: int
    air: bool
    deploying: int
    aim: tuple[int, int] | None
    """The place of the enemy it aims at."""


@dataclass(frozen=True)
class SpellView:
    """A spell in flight."""

    owner: int
    name: str
    x: int
    y: int
    radius: int
    ticks: int
    """To its next impact."""


@dataclass(frozen=True)
class CardView:
    """A card in a hand."""

    name: str | None
    """None if the observer does not see it."""
    cost: int
    affordable: bool
    reserved: bool


@dataclass(frozen=True)
class PlayerView:
    """A player: what it holds and what it has left."""

    seat: int
    elixir: float | None
    """None if the observer does not see it."""
    hand: tuple[CardView, ...]
    next_card: CardView
    towers: tuple[TowerView, ...]
    last_action: str | None
    """What it did in the last step; None if it waited, or if the observer does not see it."""
    won: bool

    @property
    def crowns_lost(self) -> int:
        """How many of its towers have fallen."""
        return sum(tower.hp == 0 for tower in self.towers)


@dataclass(frozen=True)
class RoyaleScene:
    """A position, ready to be drawn."""

    tick: int
    clock: str
    """The time left in the regular time or in overtime."""
    phase: str
    status: str
    over: bool
    players: tuple[PlayerView, ...]
    troops: tuple[TroopView, ...]
    spells: tuple[SpellView, ...]
    codes: tuple[tuple[str, str], ...]
    """The two letters of each troop card in the deck, and its name."""


def read_scene(g: FieldRecord, position: Mapping[str, Any]) -> RoyaleScene:
    """Return the scene of a position in JSON form, under a configuration."""
    names = names_of(g)
    codes = dict(zip(names[:DECK], unit_codes(names[:DECK]), strict=True))
    fields = position["players"]
    towers = [_towers(g, owner, fields[owner]) for owner in range(PLAYERS)]
    tick = position["t"]
    winner = _winner(tick, towers)
    places = [_places(owner, fields[owner]) for owner in range(PLAYERS)]
    return RoyaleScene(
        tick=tick,
        clock=_clock(tick),
        phase=_phase(tick),
        status=_status(winner),
        over=winner is not None,
        players=tuple(_player(g, names, seat, fields[seat], towers[seat], winner == seat) for seat in range(PLAYERS)),
        troops=tuple(
            _troop(g, names, codes, owner, troop, places[1 - owner])
            for owner in range(PLAYERS)
            for troop in fields[owner]["troops"]
        ),
        spells=tuple(
            SpellView(owner, name, x, y, int(g.burst[names.index(name)]), timer)
            for owner in range(PLAYERS)
            for name, x, y, timer, _ in fields[owner]["spells"]
        ),
        codes=tuple((codes[name], name) for kind, name in enumerate(names[:DECK]) if not g.is_spell[kind]),
    )


def unit_codes(names: Sequence[str]) -> list[str]:
    """Return two letters for each name, different ones as far as the names allow: initials, or how it begins."""
    codes: list[str] = []
    for name in names:
        words = name.split()
        letters = [letter for letter in name if letter.isalnum()] or ["?"]
        wanted = [words[0][0] + words[1][0]] if len(words) > 1 else []
        wanted += [letters[0] + letter for letter in letters[1:]] + [letters[0] + str(digit) for digit in range(10)]
        codes.append(next((code for code in wanted if code not in codes), wanted[0]))
    return codes


def _towers(g: FieldRecord, owner: int, fields: Mapping[str, Any]) -> tuple[TowerView, ...]:
    views = []
    for slot, (hp, _, _) in enumerate(fields["towers"]):
        kind = KING_KIND if slot == KING else PRINCESS_KIND
        x, y = global_place(owner, TOWER_PLACES[slot])
        asleep = slot == KING and not fields["awake"]
        views.append(TowerView(owner, slot, x, y, int(g.radius[kind]), hp, int(g.hp[kind]), asleep))
    return tuple(views)


def _places(owner: int, fields: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    """Return where a player's living towers and troops are, by uid."""
    towers = {slot: global_place(owner, TOWER_PLACES[slot]) for slot in range(TOWERS) if fields["towers"][slot][0] > 0}
    return towers | {troop[6]: (troop[1], troop[2]) for troop in fields["troops"]}


def _troop(
    g: FieldRecord,
    names: Sequence[str],
    codes: Mapping[str, str],
    owner: int,
    troop: Sequence[Any],
    enemies: Mapping[int, tuple[int, int]],
) -> TroopView:
    name, x, y, hp, _, deploying, uid, target = troop
    kind = names.index(name)
    return TroopView(
        owner=owner,
        uid=uid,
        name=name,
        code=codes[name],
        x=x,
        y=y,
        radius=int(g.radius[kind]),
        hp=hp,
        most=int(g.hp[kind]),
        air=bool(g.air[kind]),
        deploying=deploying,
        aim=enemies.get(target),
    )


def _player(
    g: FieldRecord,
    names: Sequence[str],
    seat: int,
    fields: Mapping[str, Any],
    towers: tuple[TowerView, ...],
    won: bool,
) -> PlayerView:
    known = any(card is not None for card in fields["hand"])

    def card(name: str | None) -> CardView:
        if name is None:
            return CardView(None, 0, False, False)
        cost = int(g.cost[names.index(name)])
        return CardView(name, cost // ELIXIR, fields["elixir"] >= cost, fields["reserved"] == name)

    return PlayerView(
        seat=seat,
        elixir=fields["elixir"] / ELIXIR if known else None,
        hand=tuple(map(card, fields["hand"])),
        next_card=card(fields["queue"][0]),
        towers=towers,
        last_action=_words(fields["past"][-1]),
        won=won,
    )


def _words(action: Any) -> str | None:
    if action == "wait":
        return None
    return f"waits for {action[1]}" if action[0] == "reserve" else f"{action[1]} at {action[2]},{action[3]}"


def _winner(tick: int, towers: Sequence[Sequence[TowerView]]) -> int | None:
    """Return the winner, -1 for a draw, None during the battle."""
    kings = [own[KING].hp > 0 for own in towers]
    if not all(kings):
        return -1 if not any(kings) else kings.index(True)
    standing = [sum(tower.hp > 0 for tower in own) for own in towers]
    if tick >= REGULAR_TICKS and standing[0] != standing[1]:
        return int(standing[1] > standing[0])
    return -1 if tick >= MOST_TICKS else None


def _clock(tick: int) -> str:
    end = REGULAR_TICKS if tick < REGULAR_TICKS else MOST_TICKS
    tenths = end - tick
    minutes, rest = divmod(tenths, 60 * TICKS_A_SECOND)
    return f"{minutes}:{rest // TICKS_A_SECOND:02d}.{rest % TICKS_A_SECOND}"


def _phase(tick: int) -> str:
    if tick >= REGULAR_TICKS:
        return "overtime, elixir ×2"
    return "elixir ×2" if tick >= DOUBLE_ELIXIR_TICK else ""


def _status(winner: int | None) -> str:
    if winner is None:
        return "running"
    return "drawn" if winner < 0 else f"player {winner + 1} has won"
