"""What must hold of every state that `state_from_json` accepts: the rules handle it, and accept what follows."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np

from tactician.contract import Game, State
from tactician.errors import InvalidStateError
from tactician.games.registry import load_game
from tactician.native.abi import SIMULTANEOUS

GAMES = (
    "hero-academy",
    "hero-academy:information=hidden",
    "hero-academy:information=hidden,draws=shuffled,hand_size=4,deck=tiny",
    "hero-academy:evaluation=paper,action_points=2,turn_limit=12",
    "locm",
    "locm:information=open",
    "locm:version=1.5",
    "locm:version=1.0",
    "locm:decks=paper",
    "pommerman",
    "pommerman:rules=paper",
    "pommerman:variant=team",
    "pommerman:variant=team-full",
    "pommerman:variant=radio,max_steps=40",
    "amazons:size=6",
    "amazons:size=4,queens=1",
)
"""Every built-in game whose states are records, in the settings that change what a state may be."""


@cache
def checked_game(spec: str) -> Game:
    """A game compiled with bounds checks: an index outside an array raises."""
    return load_game(spec).checked()


def reached(game: Game, chance: random.Random, most: int = 60) -> State:
    """A state of random play; where information is hidden, half of them as a player sees them."""
    state = game.initial_state(chance.randrange(1000))
    for _ in range(chance.randrange(most)):
        if state.is_over():
            break
        state.apply(random_action(state, chance))
    if game.hides_information and chance.random() < 0.5:
        return state.observe(chance.randrange(game.players))
    return state


def random_action(state: State, chance: random.Random) -> Any:
    """A legal action; one for each player where all act at once."""
    if state.current_player() == SIMULTANEOUS:
        return [chance.choice(state.legal_actions(player)) for player in range(state.game.players)]
    return chance.choice(state.legal_actions())


def accepted(game: Game, data: Any) -> State | None:
    """The state of a document; None if it is refused in one sentence."""
    try:
        return game.state_from_json(data)
    except InvalidStateError as error:
        sentence = str(error)
    assert "\n" not in sentence, sentence
    assert len(sentence) < 500, sentence
    return None


def require_playable(state: State, chance: random.Random, actions: int = 12) -> None:
    """Require that every rule handles a state, and that states reached from it are accepted again."""
    for _ in range(actions + 1):
        _require_rules(state, chance)
        if state.is_over():
            return
        state.apply(random_action(state, chance))


def _require_rules(state: State, chance: random.Random) -> None:
    game = state.game
    _require_accepted(state)
    low, high = game.value_range
    for value in state.evaluate():
        assert low <= value <= high, f"value {value} is outside {low} to {high}"
    assert all(-1 <= value <= 1 for value in state.returns())
    state.key()
    state.digest()
    state.text()
    mover = state.current_player()
    players = range(game.players) if mover == SIMULTANEOUS else (mover,)
    assert mover == SIMULTANEOUS or 0 <= mover < game.players
    if not state.is_over():
        for player in players:
            _require_lists(state, player)
    if game.hides_information:
        for player in range(game.players):
            _require_accepted(state.observe(player))
            world = state.resample_hidden(player, chance.randrange(100))
            _require_accepted(world)
            if not state.is_over() and player in players:
                foreign = set(world.legal_actions(player)) ^ set(state.legal_actions(player))
                assert not foreign, f"player {player} has other actions in a guessed world: {foreign}"


def _require_lists(state: State, player: int) -> None:
    legal = state.legal_actions(player)
    assert legal
    assert set(state.candidate_actions(player)) <= set(legal)
    assert state.candidate_actions(player)
    assert len(set(legal)) == len(legal)
    assert set(legal) <= set(state.possible_actions(player))
    assert all(state.is_legal(action, None if state.current_player() >= 0 else player) for action in legal)
    assert np.isfinite(state.rate_actions(legal)).all()
    for action in legal[:3]:
        state.action_name(action)
        state.action_group(action)
        assert state.game.action_from_json(state.game.action_to_json(action)) == action


def _require_accepted(state: State) -> None:
    data = state.to_json()
    again = state.game.state_from_json(data)
    assert again.to_json() == data
    assert again.key() == state.key()
