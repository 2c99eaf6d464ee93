"""Checks of `key` and `digest` over all states of a game: they tell apart what planners must not confuse."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from tactician.checking.visit import Action, Check, Visit, difference, short
from tactician.contract.state import State
from tactician.native import abi

_WALKS, _STEPS = 4, 6
"""Detours from a position, and the most actions of each: a search meets other states than one line of play does."""


class Watch:
    """The checks that look at one game as a whole, with what they remember of it."""

    def __init__(self) -> None:
        keys, own_key, own_digest = KeyWatch(), Sameness("key"), Sameness("digest")
        self.checks = (
            Check("key-varies", keys.look, needs=("key",), over=None, every=True),
            *own_key.checks(),
            *own_digest.checks(),
        )
        self.last_checks = (Check("key-varies", keys.verdict),)
        """Those for the game's last position."""


class KeyWatch:
    """Watches the keys of a game's states: they may leave fields out, but not be (nearly) all the same."""

    def __init__(self) -> None:
        self._seen: set[State] = set()
        self._keys: Counter[int] = Counter()

    def look(self, visit: Visit) -> str | None:
        """Note the key of a state not seen before; judged when the game ends."""
        state = visit.fresh()
        if state not in self._seen:
            self._seen.add(state)
            self._keys[state.copy().key()] += 1
        return None

    def verdict(self, visit: Visit) -> str | None:
        """What is wrong with the keys of all the states noted."""
        states = self._keys.total()
        key, most = self._keys.most_common(1)[0] if states else (0, 0)
        if states >= 5 and (most == states or (states >= 20 and most >= 0.95 * states)):
            return f"{visit.rule('key')} gives {key} for {most} of {states} different states"
        return None


@dataclass(frozen=True)
class _Seen:
    """A state with what planners keep under its key."""

    state: State
    place: str
    over: bool
    mover: int = 0
    legal: dict[int, frozenset[int]] | None = None


class Sameness:
    """Watches that states of one game with equal keys (or digests) are alike where a search relies on it.

    A search that meets a known key continues with the actions it listed the first time. So the player to move and the
    sets of legal actions must agree, everybody's where all act at once. Whether the game is over must agree between
    states equally many actions from the start, and only there: a key may leave out a step counter, and then the time
    limit ends a game in one of two states that are the same in everything else. States of different games are not
    compared, because no search meets both.
    """

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._going: dict[int, _Seen] = {}
        """The first state that is not over, by key."""
        self._at: dict[tuple[int, int], _Seen] = {}
        """The first state, by key and number of actions from the start."""

    def checks(self) -> tuple[Check, Check]:
        """One for the states of the game itself, one for the states around a sample of them."""
        name = f"{self._rule}-separates"
        return (
            Check(name, self.look, needs=(self._rule,), over=None, every=True),
            Check(name, self.look_around, needs=(self._rule,)),
        )

    def look(self, visit: Visit) -> str | None:
        """Compare a state of the game with those before it."""
        legal = {} if visit.over else {player: frozenset(codes) for player, codes in visit.legal.items()}
        return self._compare(
            visit, visit.step, _Seen(visit.fresh(), f"at step {visit.step}", visit.over, visit.mover, legal)
        )

    def look_around(self, visit: Visit) -> str | None:
        """Do the same on short random walks that leave the game here.

        What a rule raises there is left to other checks, which know better where it happened, and a configuration
        that it changes is put back.
        """
        random = visit.random()
        for _ in range(_WALKS):
            try:
                if problem := self._walk(visit, random):
                    return problem
            except Exception:  # 'rules-run' meets the same failure on the main line and names its place
                visit.game.restore_config(visit.config)
        return None

    def _walk(self, visit: Visit, random: np.random.Generator) -> str | None:
        state, played = visit.fresh(), list[Action]()
        while len(played) < _STEPS and not state.is_over():
            chosen = [sorted(codes)[random.integers(len(codes))] for codes in _legal(state).values()]
            played.append(chosen if state.current_player() == abi.SIMULTANEOUS else chosen[0])
            state.apply(played[-1])
            visit.game.restore_config(visit.config)
            over = state.copy().is_over()
            seen = _Seen(
                state.copy(),
                f"after actions {short(played)} from step {visit.step}",
                over,
                0 if over else state.copy().current_player(),
                {} if over else _legal(state),
            )
            if problem := self._compare(visit, visit.step + len(played), seen):
                return problem
        return None

    def _compare(self, visit: Visit, step: int, new: _Seen) -> str | None:
        key = new.state.copy().key() if self._rule == "key" else new.state.copy().digest()
        peer = self._at.setdefault((key, step), new)
        if peer.over != new.over:
            return self._told(visit, key, peer, new, "is_over", peer.over, new.over)
        if new.over:
            return None
        old = self._going.setdefault(key, new)
        if old.mover != new.mover:
            return self._told(visit, key, old, new, "current_player", old.mover, new.mover)
        for player, codes in (new.legal or {}).items():
            known = (old.legal or {})[player]
            if codes != known:
                one, other = sorted(known - codes), sorted(codes - known)
                what = f"legal_actions for player {player}"
                return self._told(visit, key, old, new, what, _listing(one, other), _listing(other, one))
        return None

    def _told(self, visit: Visit, key: int, old: _Seen, new: _Seen, what: str, one: object, other: object) -> str:
        differs = difference(old.state, new.state, "first", "then")
        return (
            f"{visit.rule(self._rule)} gives {key} for two states that are not alike: "
            f"{what} gives {one} {old.place} and {other} {new.place}; {differs}"
        )


def _legal(state: State) -> dict[int, frozenset[int]]:
    """The legal actions of those who act."""
    mover = state.copy().current_player()
    acting = range(state.game.players) if mover == abi.SIMULTANEOUS else (mover,)
    return {player: frozenset(state.copy().legal_actions(player)) for player in acting}


def _listing(only: list[int], others: list[int]) -> str:
    """An action that tells one list from another."""
    return f"action {only[0]}" if only else f"no action {others[0]}"
