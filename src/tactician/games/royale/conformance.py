"""Replays the specification's random battles."""
from __future__ import annotations
from typing import Any
from tactician.games.royale.actions import DEPLOY, RESERVE, WAIT
from tactician.games.royale.arena import *
from tactician.games.royale.generation import SplitMix64, begin

_OFFSET, _PRIME = 1469598103934665603, 1099511628211
def fingerprint(state) -> str:
    s = state.record
    v=[int(s.tick)]
    for p in range(2):
        v += [int(s.elixir[p]), *s.hand[p].tolist(), *s.queue[p].tolist(), int(s.reserved[p]), int(s.awake[p]), int(s.wake[p])]
        for t in s.towers[p].tolist():
            v += t[:3] if t[0] > 0 else [0]
        n = int(s.n_troops[p]); v.append(n)
        for t in s.troops[p,:n].tolist(): v += t
        n = int(s.n_spells[p]); v.append(n)
        for t in s.spells[p,:n].tolist(): v += t[:5]
    h=_OFFSET
    for x in v:
        for b in (x & 0xffffffff).to_bytes(4,'little'):
            h = ((h ^ b)*_PRIME) & (2**64-1)
    return f"{h:016x}"

def draw(state, p, chance, c_res):
    g, s = state.game.config, state.record
    if s.reserved[p] >= 0: return WAIT
    hand = s.hand[p].tolist()
    w = [64 if s.elixir[p] >= g.cost[c] else c_res for c in hand]
    k = chance.below(1+sum(w))
    if k == 0: return WAIT
    k -= 1
    for c, x in zip(hand, w):
        if k < x:
            break
        k -= x
    if s.elixir[p] < g.cost[c]: return RESERVE + c
    first = DEPLOY + 576*c
    legal = set(a - first for a in state.legal_actions(p) if first <= a < first+576)
    while True:
        t = chance.below(576 if g.is_spell[c] else 378)
        if t in legal: return first + t
