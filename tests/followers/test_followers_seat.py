"""Followers in seats: the arena, the official environment's interface, and without PyTorch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from follower_files import random_follower
from heap_planes import nim

from tactician.adapters.pommerman_official import OfficialAgent
from tactician.arena.agents import parse_agent
from tactician.arena.match import play
from tactician.arena.records import Pairing
from tactician.arena.sources import sources_of
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.followers.model import load_model
from tactician.games.pommerman.observations import observation
from tactician.games.registry import load_game

HEAP_GAME = f"{Path(__file__).parents[1] / 'support' / 'heap_planes.py'}:nim"


def test_a_follower_plays_the_action_its_network_rates_highest(tmp_path: Path) -> None:
    path = random_follower(nim, tmp_path / "heap.safetensors")
    follower, network = parse_agent(f"follower:path={path}").on(nim), load_model(path).network()
    for left in range(1, 13):
        state = nim.initial_state(left=left)
        ratings = network(nim.encoding().planes_of(state, 0))
        assert follower.plan(state, "1its").actions == (max(state.legal_actions(), key=lambda a: ratings[a]),)


def test_followers_play_games_of_the_arena(tmp_path: Path) -> None:
    path = random_follower(nim, tmp_path / "heap.safetensors")
    record = play(Pairing(HEAP_GAME, (f"follower:path={path}", "random"), "10its", 3, 0))
    assert record.error is None
    assert sum(record.returns) == 0


def test_the_follower_of_the_package_plays_pommerman() -> None:
    record = play(Pairing("pommerman", ("rule-based", "follower", "rule-based", "rule-based"), "10its", 3, 0))
    assert record.error is None
    assert len(record.turns) > 10


@pytest.mark.parametrize("variant", ["ffa", "team"])
def test_a_follower_sees_no_more_than_its_seat(variant: str) -> None:
    game = load_game(f"pommerman:variant={variant}")
    follower = parse_agent("follower").on(game)
    state = game.initial_state(5)
    for ply in range(30):
        actions = [follower.plan(state, "1its", seat=seat).actions[0] for seat in range(4)]
        other = [follower.plan(state.resample_hidden(s, ply), "1its", seat=s).actions[0] for s in range(4)]
        assert actions == other
        state.apply(actions)
        if state.is_over():
            break


def test_a_follower_is_an_agent_of_the_official_environment() -> None:
    game = load_game("pommerman")
    state, seat = game.initial_state(2), 1
    agent = OfficialAgent("follower")
    agent.init_agent(seat, None)
    expected = parse_agent("follower").on(game).plan(state.observe(seat), "1its", seat=seat).actions[0]
    assert agent.act(observation(state, seat)) == expected


def test_other_weights_make_another_tournament(tmp_path: Path) -> None:
    path = tmp_path / "heap.safetensors"
    agent = f"follower:path={path}"
    digests = [sources_of(HEAP_GAME, [agent])[agent] for seed in (1, 2) if random_follower(nim, path, seed)]
    assert digests[0] != digests[1]


def test_names_that_stand_for_no_follower_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="game 'amazons' comes without a trained follower"):
        parse_agent("follower").check(load_game("amazons"))
    with pytest.raises(UnknownNameError, match="unknown parameter of 'follower': 'pth'; did you mean 'path'"):
        parse_agent("follower:pth=x")
    with pytest.raises(InvalidParameterError, match="expected follower:path=FILE"):
        parse_agent("follower:path=")
    with pytest.raises(InvalidParameterError, match="follower 'nowhere' can't be read"):
        parse_agent("follower:path=nowhere").check(nim)


def test_followers_play_without_pytorch() -> None:
    program = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "from tactician.arena.agents import parse_agent\n"
        "from tactician.games.registry import load_game\n"
        "game = load_game('pommerman')\n"
        "print(parse_agent('follower').on(game).plan(game.initial_state(1), '1its', seat=0).actions[0])\n"
        "assert not any(name.startswith(('torch.', 'safetensors', 'onnx')) for name in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) in range(6)


def test_a_network_may_be_used_again(tmp_path: Path) -> None:
    """Its scratch memory leaves nothing behind."""
    network = load_model(random_follower(nim, tmp_path / "heap.safetensors")).network()
    rng = np.random.default_rng(0)
    first, second = (rng.normal(size=(2, 1, 12)).astype(np.float32) for _ in range(2))
    before = network(first)
    network(second)
    assert np.array_equal(network(first), before)
