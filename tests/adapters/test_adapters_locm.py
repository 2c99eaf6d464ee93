"""The bot of Legends of Code and Magic: it knows what it has read, all of it and no more, and plays by the rules."""

from __future__ import annotations

import gzip
import json
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from locm_bots import GOOD, command

from tactician.adapters.locm_arena import ObjectBot, ProcessBot, referee_game
from tactician.adapters.locm_player import LocmPlayer
from tactician.adapters.locm_start import serve
from tactician.contract.state import State
from tactician.errors import TacticianError, UnknownNameError
from tactician.games.locm import locm, protocol
from tactician.games.locm.blocks import input_block
from tactician.games.locm.protocol import InputBlock, ProtocolError
from tactician.games.locm.referee import Referee
from tactician.games.locm.view import LocmView
from tactician.seats.process import ExternalProcess

RECORDINGS = Path(__file__).parents[1] / "conformance" / "locm"


@cache
def player(version: str = "1.2", seat: int = 0, planner: str = "permutation-oep") -> LocmPlayer:
    return LocmPlayer(planner, budget="20its", version=version, seed=seat)


def block_of(lines: list[str], version: str = "1.2") -> InputBlock:
    block = protocol.parse_block(lines, version)
    assert block is not None
    return block


def protocol_games() -> Iterator[dict[str, Any]]:
    with gzip.open(RECORDINGS / "protocol_games.jsonl.gz", "rt") as file:
        for line in file:
            yield json.loads(line)


# -- what it knows -------------------------------------------------------------------------------------------------


def differences(one: State, other: State) -> list[str]:
    a, b = one.record, other.record
    return [name for name in a.dtype.names if not np.array_equal(a[name], b[name])]


@pytest.mark.parametrize("version", ["1.0", "1.2", "1.5"])
def test_its_view_is_what_its_player_sees_along_whole_games(version: str) -> None:
    for master in range(2 if version == "1.5" else 6):
        referee, rng = Referee(master, version), np.random.default_rng(master)
        views = [LocmView(version), LocmView(version)]
        game = None
        while not referee.is_over:
            question = referee.ask()
            block = block_of(question.lines, version)
            view = views[question.player]
            if referee.state is None:
                if version == "1.5":
                    chosen = [int(n) for n in rng.permutation(120)[:30]]
                    view.choose(chosen)
                    referee.answer(";".join(f"CHOOSE {number}" for number in chosen))
                else:
                    pick = int(rng.integers(3))
                    view.pick(block, pick)
                    referee.answer(f"PICK {pick}")
                continue
            game = game or locm(version=version, cards=referee._cards)
            rebuilt = game.state_from_json(view.position(block, [card.number for card in referee._cards]))
            seen = referee.state.in_game(game).observe(question.player)
            assert differences(rebuilt, seen) == []
            legal = [action for action in referee.state.legal_actions() if action] if not seen.is_over() else []
            state = referee.state.copy()
            written: list[str] = []
            while legal and len(written) < 12:
                action = int(rng.choice(legal))
                written.append(game.action_to_json(action))
                state.apply(action)
                legal = [] if state.is_over() else [action for action in state.legal_actions() if action]
            referee.answer(";".join(written))
        assert referee.fault is None


@pytest.mark.parametrize("version", ["1.0", "1.2", "1.5"])
def test_a_game_under_way_can_be_joined(version: str) -> None:
    game, bot = locm(version=version), player(version)
    state = game.initial_state(seed=2)
    agents = [player(version, seat)._planner.on(game, seed=seat) for seat in range(2)]
    while not state.is_over():
        seat = state.current_player()
        if state.record.turn >= 6 and state.record.turn % 3 == 0 and not (version == "1.5" and state.record.turn > 6):
            bot.new_game()
            block = input_block(state)
            first = bot.answer(block)
            written = protocol.battle_answer(first, version)
            assert isinstance(written, list)
        for action in agents[seat].plan(state, "10its", ply=int(state.record.turn)).actions:
            state.apply(action)


def test_nothing_hidden_reaches_it() -> None:
    """The same blocks, the same answers: there is no other way in."""
    referee = Referee(3)
    lines: list[list[str]] = []
    bots = [player("1.2", 0), player("1.2", 1)]
    answers: list[str] = []
    for bot in bots:
        bot.new_game()
    while not referee.is_over and len(answers) < 45:
        question = referee.ask()
        text = bots[question.player].answer(block_of(question.lines))
        if question.player == 0:
            lines.append(question.lines)
            answers.append(text)
        referee.answer(text)
    bots[0].new_game()
    assert [bots[0].answer(block_of(block)) for block in lines] == answers


def test_contradictions_are_refused_in_a_sentence() -> None:
    block = input_block(locm().initial_state(seed=1))
    bad = [
        (block.me._replace(deck=99), "a deck has 99 cards"),
        (block.me._replace(max_mana=99), "max_mana is 99"),
        (block.me._replace(rune=3), "rune is 3"),
    ]
    for me, sentence in bad:
        bot = player()
        bot.new_game()
        with pytest.raises(TacticianError, match=sentence):
            bot.answer(InputBlock(me, block.opponent, block.opponent_hand, [], block.cards))
    bot.new_game()
    with pytest.raises(ProtocolError, match="the opponent has 40 cards in hand"):
        bot.answer(InputBlock(block.me, block.opponent, 40, [], block.cards))
    bot.new_game()
    cards = [replace(block.cards[0], number=200), *block.cards[1:]]
    with pytest.raises(TacticianError, match="is 200; expected a number of the card table"):
        bot.answer(InputBlock(block.me, block.opponent, block.opponent_hand, [], cards))


@pytest.mark.parametrize(
    "arguments",
    [{"draft": "caoc"}, {"planner": "permutation-oop"}, {"version": "1.1"}, {"version": "1.5", "draft": "coac"}],
)
def test_what_a_bot_can_not_be(arguments: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError):
        LocmPlayer(**arguments)


# -- how it plays --------------------------------------------------------------------------------------------------


def play(master: int, version: str = "1.2", planner: str = "permutation-oep") -> None:
    game = referee_game(master, [ObjectBot(player(version, seat, planner)) for seat in range(2)], version)
    assert game.fault is None
    assert sorted(game.scores) == [0, 1]
    assert game.written == game.executed > 0


@pytest.mark.parametrize("version", ["1.0", "1.2"])
def test_every_action_it_writes_is_executed(version: str) -> None:
    for master in range(8):
        play(master, version)


def test_every_action_it_writes_is_executed_with_constructed_decks() -> None:
    play(1, "1.5")


@pytest.mark.parametrize("planner", ["random", "greedy-action", "emcts"])
def test_any_planner_plays(planner: str) -> None:
    play(5, planner=planner)


def test_a_bot_ponders_while_the_other_thinks_and_stops_when_the_game_is_over() -> None:
    ponders = LocmPlayer("greedy-action", budget="20its", seed=0, ponder=True)
    game = referee_game(6, [ObjectBot(ponders), ObjectBot(player(seat=1))])
    assert game.fault is None
    assert game.written == game.executed > 0
    ponders.close()
    assert not any(thread.name == "tactician-pondering" for thread in threading.enumerate())


@pytest.mark.slow
def test_thousands_of_games() -> None:
    """A process plays one game only, so thousands of them are played by objects; `stress bot` has the processes."""
    for master in range(100, 3100):
        play(master)


def test_recorded_games_are_answered_block_by_block() -> None:
    """The recorded answers were others': a deck it did not pick is as good as a game joined in the middle."""
    blocks = 0
    for number, game in enumerate(protocol_games()):
        if number % 4:
            continue
        for seat in range(2):
            bot = player()
            bot.new_game()
            lines = [call["in"] for call in game["calls"] if call["player"] == seat]
            answers: list[str] = []
            source = iter([f"{line}\n" for block in lines for line in block])
            serve(bot, lambda source=source: next(source, ""), answers.append)  # type: ignore[misc]
            assert len(answers) == len(lines)
            for block, answer in zip(lines, answers, strict=True):
                assert answer.count("\n") == 1
                parsed = block_of(block)
                text = answer.removesuffix("\n")
                if protocol.is_draft(parsed):
                    assert isinstance(protocol.draft_answer(text, [card.number for card in parsed.cards]), int)
                else:
                    assert isinstance(protocol.battle_answer(text), list)
                blocks += 1
    assert blocks > 300


# -- processes -----------------------------------------------------------------------------------------------------


def bot_process(seed: int) -> ProcessBot:
    arguments = ["bot", "locm", "--budget", "5ms", "--seed", str(seed)]
    return ProcessBot(ExternalProcess([sys.executable, "-m", "tactician.cli.main", *arguments]), patience=600)


def test_a_game_between_processes() -> None:
    game = referee_game(11, [bot_process(0), bot_process(1)])
    assert game.fault is None
    assert sorted(game.scores) == [0, 1]
    assert game.written == game.executed > 0


def test_a_process_against_somebody_else(tmp_path: Path) -> None:
    other = ProcessBot(ExternalProcess(shlex.split(command(tmp_path, GOOD))), patience=600)
    game = referee_game(12, [other, bot_process(1)])
    assert game.fault is None
    assert sorted(game.scores) == [0, 1]


def test_a_bot_that_fails_loses_before_the_referee(tmp_path: Path) -> None:
    other = ProcessBot(ExternalProcess(shlex.split(command(tmp_path, "print('hello')"))), patience=600)
    game = referee_game(12, [ObjectBot(player()), other])
    assert game.scores == [0, -1]
    assert game.fault is not None
    assert game.fault.startswith("player 1: the draft answer is 'hello'")


@pytest.mark.slow
def test_tens_of_games_between_processes() -> None:
    for master in range(30):
        game = referee_game(master, [bot_process(0), bot_process(1)])
        assert game.fault is None
        assert game.written == game.executed


def test_everything_is_loaded_before_the_first_block() -> None:
    """Also what only a long search needs: a table that grows compiled its kernel in the middle of a turn once."""
    script = (
        "from tactician.adapters.locm_player import LocmPlayer\n"
        "from tactician.planners import greedy_turn, outcomes, referee\n"
        "LocmPlayer()\n"
        "assert outcomes._move.signatures and greedy_turn._search.signatures and referee._test_answer.signatures\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=300)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells when a process began")
def test_the_age_of_the_process_runs_with_the_clock_not_with_what_it_computes() -> None:
    script = (
        "import time\n"
        "from tactician.adapters.locm_start import seconds_since_start\n"
        "computed = time.process_time()\n"
        "first = seconds_since_start()\n"
        "assert first >= computed\n"
        "time.sleep(0.2)\n"
        "print(seconds_since_start() - first)\n"
    )
    passed = subprocess.run([sys.executable, "-c", script], check=True, timeout=300, capture_output=True).stdout
    assert float(passed) >= 0.19
