"""The follower network's planes of a battle: objects on their tiles, the own cards, what the player did lately."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.games.registry import load_game
from tactician.games.royale.actions import CODES, DEPLOY, RESERVE, WAIT, deployment_code
from tactician.games.royale.arena import TILES
from tactician.games.royale.observations import observation


def battle(seed: int, steps: int, game: Game | None = None) -> State:
    """A state of random play."""
    state, rng = (game or load_game("royale")).initial_state(seed), np.random.default_rng(seed)
    for _ in range(steps):
        if not state.is_over():
            state.apply([int(rng.choice(state.candidate_actions(seat, seed))) for seat in range(2)])
    return state


def planes(state: State, seat: int) -> dict[str, np.ndarray]:
    """The planes by name."""
    encoding = state.game.encoding()
    return dict(zip(encoding.plane_names, encoding.planes_of(state, seat), strict=True))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 120))
def test_planes_show_what_the_observation_says(seed: int, steps: int) -> None:
    """A slow twin: the same planes from the observation that scripted agents read."""
    state = battle(seed, steps)
    hp = dict(zip(map(str, range(10)), state.game.config.hp.tolist(), strict=True))
    for seat in range(2):
        seen, found = observation(state, seat), planes(state, seat)
        expected = {name: np.zeros((32, 18)) for name in found}
        for tower in seen.towers:
            side, king = "own" if tower.own else "enemy", tower.slot == 2
            column, row = min(tower.x // 1000, 17), min(tower.y // 1000, 31)
            if tower.hp > 0:
                expected[f"{side} {'king' if king else 'princess'} tower"][row, column] += 1
                expected[f"{side} health"][row, column] += tower.hp / hp["9" if king else "8"]
                expected[f"{side} king awake"][row, column] += tower.awake
        for troop in seen.troops:
            side, (column, row) = "own" if troop.own else "enemy", troop.tile
            expected[f"{side} {troop.name}"][row, column] += 1
            expected[f"{side} health"][row, column] += troop.hp / hp[str(troop.card)]
            expected[f"{side} deploying"][row, column] += troop.deploying
        for spell in seen.spells:
            side, (column, row) = "own" if spell.own else "enemy", spell.tile
            expected[f"{side} {spell.name}"][row, column] += 1
            expected[f"{side} health"][row, column] += spell.ticks / 30
        expected["time"] += seen.tick / 3000
        expected["double elixir"] += seen.double_elixir
        expected["overtime"] += seen.overtime
        expected["own elixir"] += seen.elixir / 280
        names = [name.removeprefix("next ") for name in found if name.startswith("next ")]
        for card in seen.hand:
            expected[f"in hand {names[card]}"] += 1
        expected[f"next {names[seen.next_card]}"] += 1
        if seen.reserved is not None:
            expected[f"reserved {names[seen.reserved]}"] += 1
        for ago, action in zip(range(10, 0, -1), seen.past, strict=True):
            if action >= DEPLOY:
                card, tile = divmod(action - DEPLOY, TILES)
                expected[f"{ago} steps ago {names[card]}"][tile // 18, tile % 18] = 1
            else:
                expected[f"{ago} steps ago {'waited' if action == WAIT else 'reserved'}"] += 1
        for name, plane in found.items():
            assert np.allclose(plane, expected[name], atol=1e-5), name


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 120))
def test_what_a_player_cannot_see_leaves_its_planes_unchanged(seed: int, steps: int) -> None:
    """The enemy's cards, elixir and actions, cards behind the next one, weapons: whatever the game hides or shows."""
    state = battle(seed, steps)
    encoding, open_game = state.game.encoding(), load_game("royale:information=open")
    for seat in range(2):
        other = state.resample_hidden(seat, seed + 1)
        mine = encoding.planes_of(state, seat)
        assert np.array_equal(mine, encoding.planes_of(other, seat))
        assert np.array_equal(mine, encoding.planes_of(state.in_game(open_game), seat))


def test_every_action_has_its_output() -> None:
    """Deployments read their tile of the card's map, reservations the mean of it, waiting the mean of the last map."""
    encoding = load_game("royale").encoding()
    assert encoding.shape == (154, 32, 18)
    assert encoding.outputs == 9 * 576 + 9
    assert encoding.outputs_of([deployment_code(3, 100)]).tolist() == [3 * 576 + 100]
    assert encoding.outputs_of([RESERVE + 5, WAIT]).tolist() == [9 * 576 + 5, 9 * 576 + 8]
    assert len(set(encoding.outputs_of(range(CODES)).tolist())) == CODES


def test_another_deck_has_other_planes() -> None:
    usual, other = (
        load_game("royale"),
        load_game("royale:deck=Giant+Knight+Archers+Arrows+Minions+Fireball+Musketeer+Baby Dragon"),
    )
    assert usual.encoding().plane_names != other.encoding().plane_names
    assert usual.encoding().plane_names[0] == "own Knight"
