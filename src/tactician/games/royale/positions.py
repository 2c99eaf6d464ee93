"""States as JSON: written with card names, read with every field checked.

What an observer does not see of a hand or queue is null. Whatever is accepted here, every rule can handle.
"""

from __future__ import annotations

from typing import Any

from tactician.contract.reading import entry, integer, require_fields, sequence
from tactician.errors import InvalidStateError, short
from tactician.games.royale import actions
from tactician.games.royale.arena import (
    DECK,
    DEPLOY_TICKS,
    FIRST_UID,
    HAND,
    HEIGHT,
    KING,
    LEAST_X,
    LEAST_Y,
    MOST_ELIXIR,
    MOST_SPELLS,
    MOST_TICKS,
    MOST_TROOPS,
    MOST_X,
    MOST_Y,
    PAST,
    PLAYERS,
    QUEUE,
    TOWERS,
    WAKE_TICKS,
    WIDTH,
)
from tactician.games.royale.records import (
    AIR,
    DEPLOYING,
    GROUND,
    KIND,
    KING_KIND,
    NO_CARD,
    NOBODY,
    PRINCESS_KIND,
    TOWER_HP,
    TOWER_LAYER,
    UID,
    WAVES,
)
from tactician.games.royale.tables import names_of

_PLAYER_FIELDS = (
    "elixir", "hand", "queue", "reserved", "awake", "wake", "next_uid", "towers", "troops", "spells", "past"
)  # fmt: skip
_TOWER_PARTS = ("hp", "cooldown", "target")
_TROOP_PARTS = ("card", "x", "y", "hp", "cooldown", "deploying", "uid", "target")
_SPELL_PARTS = ("card", "x", "y", "timer", "waves")
_MOST_UID = 20_000
"""A battle has at most 600 steps with three new units each: uids stay far below the largest 16-bit number."""
_MOST_COOLDOWN = _MOST_TIMER = 30_000


# -- writing -----------------------------------------------------------------------------------------------------


def to_json(g: Any, s: Any) -> dict[str, Any]:
    """Write a state."""
    return {"t": int(s.tick), "players": [_player_json(g, s, player) for player in range(PLAYERS)]}


def _player_json(g: Any, s: Any, player: int) -> dict[str, Any]:
    names: list[str | None] = [*names_of(g)]
    hand, queue, reserved = s.hand[player].tolist(), s.queue[player].tolist(), int(s.reserved[player])
    troops = s.troops[player, : int(s.n_troops[player])].tolist()
    spells = s.spells[player, : int(s.n_spells[player]), : WAVES + 1].tolist()
    return {
        "elixir": int(s.elixir[player]),
        "hand": [names[card] if card >= 0 else None for card in hand],
        "queue": [names[card] if card >= 0 else None for card in queue],
        "reserved": names[reserved] if reserved >= 0 else None,
        "awake": int(s.awake[player]),
        "wake": int(s.wake[player]),
        "next_uid": int(s.next_uid[player]),
        "towers": s.towers[player, :, : len(_TOWER_PARTS)].tolist(),
        "troops": [[names[card], *rest] for card, *rest in troops],
        "spells": [[names[card], *rest] for card, *rest in spells],
        "past": [actions.to_json(g, action) for action in s.past[player].tolist()],
    }


# -- reading -----------------------------------------------------------------------------------------------------


def from_json(g: Any, s: Any, data: Any) -> None:
    """Fill a state, all zero, from JSON; refuse what is not a state of this game."""
    require_fields("state", data, ("t", "players"))
    s.tick = integer("t", data["t"], 0, MOST_TICKS)
    players = sequence("players", data["players"], PLAYERS, PLAYERS)
    for player, fields in enumerate(players):
        require_fields(f"players[{player}]", fields, _PLAYER_FIELDS)
    names = names_of(g)[:DECK]
    for player, fields in enumerate(players):
        where = f"players[{player}]."
        _read_counters(s, player, where, fields)
        _read_cards(g, s, player, where, fields, names)
        _read_towers(g, s, player, where, fields["towers"])
        _read_troops(g, s, player, where, fields["troops"], names)
        _read_spells(g, s, player, where, fields["spells"], names)
        _read_past(g, s, player, where, fields["past"])
    for player in range(PLAYERS):
        _check_targets(g, s, player)


def _read_counters(s: Any, player: int, where: str, fields: dict[str, Any]) -> None:
    s.elixir[player] = integer(f"{where}elixir", fields["elixir"], 0, MOST_ELIXIR)
    s.awake[player] = integer(f"{where}awake", fields["awake"], 0, 1)
    s.wake[player] = integer(f"{where}wake", fields["wake"], 0, WAKE_TICKS if s.awake[player] else 0)
    s.next_uid[player] = integer(f"{where}next_uid", fields["next_uid"], FIRST_UID, _MOST_UID)


def _read_cards(g: Any, s: Any, player: int, where: str, fields: dict[str, Any], names: list[str]) -> None:
    hand = sequence(f"{where}hand", fields["hand"], HAND, HAND)
    queue = sequence(f"{where}queue", fields["queue"], QUEUE, QUEUE)
    held = [_card(f"{where}hand", card, names) if card is not None else NO_CARD for card in hand]
    waiting = [_card(f"{where}queue", card, names) if card is not None else NO_CARD for card in queue]
    for card in range(DECK):
        if (held + waiting).count(card) > 1:
            raise InvalidStateError(f"{where}hand and queue have {names[card]!r} twice; expected each card once.")
    s.hand[player], s.queue[player], s.reserved[player] = held, waiting, NO_CARD
    if fields["reserved"] is None:
        return
    reserved = _card(f"{where}reserved", fields["reserved"], names)
    if reserved not in held:
        raise InvalidStateError(f"{where}reserved is {names[reserved]!r}; expected a card in hand.")
    if s.elixir[player] >= g.cost[reserved]:
        raise InvalidStateError(
            f"{where}reserved is {names[reserved]!r} with elixir {int(s.elixir[player])}; "
            f"expected less elixir than the card's cost, {int(g.cost[reserved])}."
        )
    s.reserved[player] = reserved


def _card(name: str, value: Any, names: list[str]) -> int:
    if not isinstance(value, str) or value not in names:
        raise InvalidStateError(f"{name} has {short(value)}; expected cards of the deck: {', '.join(names)}.")
    return names.index(value)


def _read_towers(g: Any, s: Any, player: int, where: str, towers: Any) -> None:
    for slot, tower in enumerate(sequence(f"{where}towers", towers, TOWERS, TOWERS)):
        name = f"{where}towers[{slot}]"
        hp, cooldown, target = entry(name, tower, _TOWER_PARTS)
        hp = integer(f"{name} hp", hp, 0, int(g.hp[KING_KIND if slot == KING else PRINCESS_KIND]))
        s.towers[player, slot, :3] = (
            hp,
            integer(f"{name} cooldown", cooldown, 0, _MOST_COOLDOWN if hp else 0),
            integer(f"{name} target", target, NOBODY, _MOST_UID if hp else NOBODY),
        )


def _read_troops(g: Any, s: Any, player: int, where: str, troops: Any, names: list[str]) -> None:
    least_uid = FIRST_UID
    for i, troop in enumerate(sequence(f"{where}troops", troops, 0, MOST_TROOPS)):
        name = f"{where}troops[{i}]"
        card, x, y, hp, cooldown, deploying, uid, target = entry(name, troop, _TROOP_PARTS)
        kind = _card(name, card, names)
        if g.is_spell[kind]:
            raise InvalidStateError(f"{name} is {card!r}, a spell; expected a troop.")
        least_uid = integer(f"{name} uid", uid, least_uid, int(s.next_uid[player]) - 1) + 1
        delay = integer(f"{name} deploying", deploying, 0, DEPLOY_TICKS)
        s.troops[player, i] = (
            kind,
            integer(f"{name} x", x, LEAST_X, MOST_X),
            integer(f"{name} y", y, LEAST_Y, MOST_Y),
            integer(f"{name} hp", hp, 1, int(g.hp[kind])),
            integer(f"{name} cooldown", cooldown, 0, _MOST_COOLDOWN),
            delay,
            uid,
            integer(f"{name} target", target, NOBODY, NOBODY if delay else _MOST_UID),
        )
        s.n_troops[player] = i + 1


def _read_spells(g: Any, s: Any, player: int, where: str, spells: Any, names: list[str]) -> None:
    for i, spell in enumerate(sequence(f"{where}spells", spells, 0, MOST_SPELLS)):
        name = f"{where}spells[{i}]"
        card, x, y, timer, waves = entry(name, spell, _SPELL_PARTS)
        kind = _card(name, card, names)
        if not g.is_spell[kind]:
            raise InvalidStateError(f"{name} is {card!r}, a troop; expected a spell.")
        s.spells[player, i, : WAVES + 1] = (
            kind,
            integer(f"{name} x", x, 0, WIDTH),
            integer(f"{name} y", y, 0, HEIGHT),
            integer(f"{name} timer", timer, 1, _MOST_TIMER),
            integer(f"{name} waves", waves, 1, int(g.waves[kind])),
        )
        s.n_spells[player] = i + 1


def _read_past(g: Any, s: Any, player: int, where: str, past: Any) -> None:
    for i, action in enumerate(sequence(f"{where}past", past, PAST, PAST)):
        try:
            s.past[player, i] = actions.from_json(g, action)
        except InvalidStateError as error:
            raise InvalidStateError(f"{where}past[{i}]: {error}") from error


def _check_targets(g: Any, s: Any, player: int) -> None:
    """Refuse targets that could not have been aimed at: unknown ones, and living ones that can't be hit."""
    enemy = 1 - player
    living = {slot: TOWER_LAYER for slot in range(TOWERS) if s.towers[enemy, slot, TOWER_HP] > 0}
    for troop in s.troops[enemy, : int(s.n_troops[enemy])].tolist():
        layer = AIR if g.air[troop[KIND]] else GROUND
        living[troop[UID]] = 0 if troop[DEPLOYING] else layer
    for slot, tower in enumerate(s.towers[player].tolist()):
        name = f"players[{player}].towers[{slot}] target"
        _check_target(name, tower[2], int(g.hits[KING_KIND if slot == KING else PRINCESS_KIND]), living, s, enemy)
    for i, troop in enumerate(s.troops[player, : int(s.n_troops[player])].tolist()):
        name = f"players[{player}].troops[{i}] target"
        _check_target(name, troop[7], int(g.hits[troop[KIND]]), living, s, enemy)


def _check_target(name: str, target: int, hits: int, living: dict[int, int], s: Any, enemy: int) -> None:
    if target >= int(s.next_uid[enemy]):
        raise InvalidStateError(f"{name} is {target}; expected -1 or an enemy uid, 0 to {int(s.next_uid[enemy]) - 1}.")
    if target in living and not living[target] & hits:
        raise InvalidStateError(f"{name} is {target}, which it can't aim at; expected -1 or an enemy that it can hit.")
