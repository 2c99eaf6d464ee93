"""Observations and protocol lines of other people's programs: understood, or refused in one sentence."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mutations import STRANGE, mutated

from tactician.adapters.locm_player import LocmPlayer
from tactician.adapters.pommerman_official import OfficialAgent
from tactician.checking.recordings import read_lines
from tactician.errors import TacticianError
from tactician.games.locm import protocol
from tactician.games.locm.referee import Referee
from tactician.games.pommerman import pommerman
from tactician.games.pommerman.foreign import official_observation

OBSERVATIONS, BLOCKS, ANSWERS = 3000, 3000, 3000
PROTOCOL_GAMES = Path(__file__).parent.parent / "conformance" / "locm" / "protocol_games.jsonl.gz"
HUGE: tuple[Any, ...] = (10**400, -(10**400), 1e308, np.float64("inf"), np.int64(2**62), 2**64, 10**20)


def outcome(run: Callable[[], Any]) -> str:
    """Whether something was understood; anything but a typed refusal in one sentence is an error."""
    try:
        run()
    except TacticianError as error:
        sentence = str(error)
    else:
        return "understood"
    assert "\n" not in sentence, sentence
    assert len(sentence) < 1000, sentence
    return "refused"


def changed_observation(seen: dict[str, Any], chance: random.Random) -> Any:
    """An observation with a field exchanged, missing, of another type, or with a huge number in a map."""
    given = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in seen.items()}
    for _ in range(chance.randint(1, 2)):
        name = chance.choice(sorted(given))
        value = given[name]
        match chance.randrange(5):
            case 0:
                del given[name]
            case 1:
                given[name] = chance.choice(STRANGE + HUGE)
            case 2 if isinstance(value, np.ndarray):
                rows = value.tolist()
                rows[chance.randrange(11)][chance.randrange(11)] = chance.choice(STRANGE + HUGE)
                given[name] = rows
            case 3 if isinstance(value, np.ndarray):
                value[chance.randrange(11), chance.randrange(11)] = chance.randrange(14)
            case _:
                plain = value.tolist() if isinstance(value, np.ndarray) else value
                given[name] = mutated([plain] if not isinstance(plain, list) else plain, chance, 1)
    return given


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["ffa", "team", "radio"])
def test_a_changed_observation_is_played_or_refused(variant: str) -> None:
    chance, counts = random.Random(variant), Counter[str]()
    agent = OfficialAgent("mcs", "2its")
    agent.init_agent(0, None)
    state = pommerman(variant=variant).initial_state(1)
    for _ in range(OBSERVATIONS // 3):
        if state.is_over() or not int(state.record.alive) & 1:
            state = pommerman(variant=variant).initial_state(chance.randrange(100))
        given = changed_observation(official_observation(state, 0), chance)
        counts[outcome(partial(agent.act, given))] += 1
        state.apply([chance.choice(state.legal_actions(seat)) for seat in range(4)])
    print(f"\n{variant}: {OBSERVATIONS // 3} observations: {dict(counts)}")
    assert min(counts.values()) > 10


def changed_lines(lines: Sequence[str], chance: random.Random) -> list[str]:
    """Lines of which some are missing, doubled or cut, or have other words."""
    changed = list(lines)
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(changed)) if changed else 0
        match chance.randrange(4):
            case 0:
                del changed[at : at + 1]
            case 1:
                changed[at:at] = changed[at : at + 1]
            case 2 if changed:
                changed[at] = changed[at][: chance.randrange(len(changed[at]) + 1)]
            case _ if changed:
                words = changed[at].split(" ")
                words[chance.randrange(len(words))] = chance.choice(WORDS)
                changed[at] = " ".join(words)
    return changed


WORDS = (
    "",
    "0",
    "-1",
    "1",
    "7",
    "99",
    "255",
    "99999",
    str(2**63),
    "9" * 5000,
    "1.5",
    "x",
    "BCDGLW",
    "------",
    "\0",
    "é",
)


def answered(player: LocmPlayer, lines: list[str]) -> None:
    block = protocol.parse_block(iter(lines), player.version)
    if block is not None:
        player.answer(block)


@pytest.mark.slow
def test_a_changed_input_block_is_answered_or_refused() -> None:
    chance, counts = random.Random(5), Counter[str]()
    games = list(read_lines(PROTOCOL_GAMES))[::6]
    players = {version: LocmPlayer("greedy-action", budget="3evals", version=version) for version in ("1.2", "1.5")}
    blocks = [
        (game["version"], call["in"]) for game in games if game["version"] in players for call in game["calls"][::5]
    ]
    for _ in range(BLOCKS):
        version, lines = chance.choice(blocks)
        counts[outcome(partial(answered, players[version], changed_lines(lines, chance)))] += 1
    print(f"\n{BLOCKS} input blocks: {dict(counts)}")
    assert min(counts.values()) > 10


@pytest.mark.slow
def test_a_referee_takes_whatever_a_bot_answers() -> None:
    chance, faults = random.Random(6), 0
    verbs = ("PICK 0", "PICK 9", "PASS", "SUMMON 1 0", "ATTACK 3 -1", "USE 2 5", "CHOOSE 4", "SUMMON", ";", "ATTACK")
    for number in range(ANSWERS // 30):
        referee = Referee(master=number, version=chance.choice(("1.2", "1.5", "1.0")))
        for _ in range(30):
            if referee.is_over:
                break
            referee.ask()
            text = ";".join(chance.choice(verbs) for _ in range(chance.randint(1, 3)))
            referee.answer("".join(changed_lines([text], chance)) if chance.random() < 0.3 else _plain(referee))
        faults += referee.fault is not None
    print(f"\n{ANSWERS // 30} games of answers: {faults} ended by a fault")
    assert faults > 10


def _plain(referee: Referee) -> str:
    """An answer that is always allowed."""
    if not referee.in_draft:
        return "PASS"
    return ";".join(f"CHOOSE {card}" for card in range(30)) if referee.version == "1.5" else "PICK 0"
