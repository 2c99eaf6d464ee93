"""Replay the random battles that the specification gives with the hashes of their states.

A recorded battle is a seed and what the state hashes to at the start, after 20 and after 100 steps and at the end. Both
players draw their actions from the generator that has shuffled the decks, as the specification says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from tactician.checking.recordings import StepOutcome
from tactician.checking.replaying import MODES, difference, in_mode
from tactician.contract.game import Game
from tactician.contract.reading import integer, required_field
from tactician.contract.requirements import require_choice
from tactician.contract.state import State
from tactician.games.royale.actions import RESERVE, WAIT, deployment_code
from tactician.games.royale.arena import (
    COLUMNS,
    HAND,
    PLAYERS,
    POCKET_ROWS,
    PRINCESS_LEFT,
    PRINCESS_RIGHT,
    TILES,
)
from tactician.games.royale.factory import royale
from tactician.games.royale.generation import SplitMix64, shuffled_deck
from tactician.games.royale.records import NO_CARD, TOWER_HP, WAVES
from tactician.games.royale.tables import LEFT_POCKET, OWN_LEFT_FELL, OWN_RIGHT_FELL, RIGHT_POCKET, names_of

_FORMAT, _KIND = "royale-battles/1", "battles"
_HASHED_STEPS = (20, 100)
_HASH_START, _HASH_PRIME, _HASH_MASK = 1469598103934665603, 1099511628211, (1 << 64) - 1
_PLAYABLE_WEIGHT = 64
_TROOP_TILES = (POCKET_ROWS[1] + 1) * COLUMNS


class RoyaleReplayer:
    """Replays recorded random battles."""

    formats: Sequence[Any] = (_FORMAT,)
    kinds: Sequence[str] = (_KIND,)

    def __init__(self, mode: str = "compiled") -> None:
        self._game = game_in_mode(require_choice("mode", mode, MODES))

    def kind(self, header: dict[str, Any]) -> str | None:
        """Return the kind in a file's first line; the format has only one."""
        kind = header.get("kind", _KIND)
        return kind if isinstance(kind, str) else None

    def replay(self, header: dict[str, Any], steps: Iterable[dict[str, Any]]) -> Iterator[StepOutcome]:
        """Compare each battle with the one that the rules give."""
        for number, battle in enumerate(steps):
            what = f"battle {number}"
            seed = integer(f"{what} seed", required_field(what, battle, "seed"), 0, _HASH_MASK)
            reserve_weight = integer(f"{what} c_res", required_field(what, battle, "c_res"), 0, TILES)
            yield _first_difference(what, battle, play_battle(self._game, seed, reserve_weight))


def _first_difference(what: str, recorded: dict[str, Any], ours: dict[str, Any]) -> StepOutcome:
    for name, value in ours.items():
        if outcome := difference(name, required_field(what, recorded, name), value):
            return outcome
    return None


@cache
def game_in_mode(mode: str) -> Game:
    """Return the game run in a mode; cached."""
    return in_mode(royale(), mode)


def play_battle(game: Game, seed: int, reserve_weight: int) -> dict[str, Any]:
    """Play the random battle of a seed and return what recordings say of it."""
    chance = SplitMix64(seed)
    state = start_with(game, [shuffled_deck(chance) for _ in range(PLAYERS)])
    found: dict[str, Any] = {"start": state_hash(state)}
    steps = 0
    while not state.is_over():
        state.apply([draw_action(state, player, chance, reserve_weight) for player in range(PLAYERS)])
        steps += 1
        if steps in _HASHED_STEPS:
            found[f"step{steps}"] = state_hash(state)
    record, reward = state.record, state.returns()[0]
    found["end"] = {
        "t": int(record.tick),
        "winner": -1 if reward == 0 else int(reward < 0),
        "hash": state_hash(state),
        "towers": record.towers[:, :, TOWER_HP].tolist(),
    }
    return found


def start_with(game: Game, decks: Sequence[Sequence[int]]) -> State:
    """Return a start with given orders of the decks."""
    data = game.initial_state().to_json()
    names = names_of(game.config)
    for player, deck in zip(data["players"], decks, strict=True):
        player["hand"] = [names[card] for card in deck[:HAND]]
        player["queue"] = [names[card] for card in deck[HAND:]]
    return game.state_from_json(data)


def draw_action(state: State, player: int, chance: SplitMix64, reserve_weight: int) -> int:
    """Draw an action as the specification's random driver does."""
    g, s = state.game.config, state.record
    if s.reserved[player] != NO_CARD:
        return WAIT
    hand = s.hand[player].tolist()
    weights = [_PLAYABLE_WEIGHT if s.elixir[player] >= g.cost[card] else reserve_weight for card in hand]
    left = chance.below(1 + sum(weights)) - 1
    if left < 0:
        return WAIT
    slot = 0
    while left >= weights[slot]:
        left -= weights[slot]
        slot += 1
    card = hand[slot]
    if s.elixir[player] < g.cost[card]:
        return RESERVE + card
    variant = _tile_variant(s.towers[:, :, TOWER_HP].tolist(), player)
    while True:
        tile = chance.below(TILES if g.is_spell[card] else _TROOP_TILES)
        if g.is_spell[card] or g.tile_variants[tile] >> variant & 1:
            return int(deployment_code(card, tile))


def _tile_variant(hp: list[list[int]], player: int) -> int:
    own, enemy = hp[player], hp[1 - player]
    return (
        OWN_LEFT_FELL * (own[PRINCESS_LEFT] == 0)
        | OWN_RIGHT_FELL * (own[PRINCESS_RIGHT] == 0)
        | LEFT_POCKET * (enemy[PRINCESS_RIGHT] == 0)
        | RIGHT_POCKET * (enemy[PRINCESS_LEFT] == 0)
    )


def state_hash(state: State) -> str:
    """Return the specification's hash of a state (FNV-1a over 32-bit numbers) in hexadecimal digits."""
    hashed = _HASH_START
    for number in _hashed_numbers(state.record):
        for byte in (number & 0xFFFFFFFF).to_bytes(4, "little"):
            hashed = (hashed ^ byte) * _HASH_PRIME & _HASH_MASK
    return f"{hashed:016x}"


def _hashed_numbers(s: Any) -> Iterator[int]:
    yield int(s.tick)
    for player in range(PLAYERS):
        yield int(s.elixir[player])
        yield from s.hand[player].tolist()
        yield from s.queue[player].tolist()
        yield from (int(s.reserved[player]), int(s.awake[player]), int(s.wake[player]))
        for hp, cooldown, target, _ in s.towers[player].tolist():
            yield from (hp, cooldown, target) if hp else (0,)
        yield int(s.n_troops[player])
        for troop in s.troops[player, : int(s.n_troops[player])].tolist():
            yield from troop
        yield int(s.n_spells[player])
        for spell in s.spells[player, : int(s.n_spells[player]), : WAVES + 1].tolist():
            yield from spell
