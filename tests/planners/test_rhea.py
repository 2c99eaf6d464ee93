"""Rolling-horizon evolution: the slow model simulation by simulation, and what must hold of any plan."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_games import errands, is_whole_turn
from rhea_model import OPEN, SlowRHEA
from simultaneous_games import RIGHT, STAY, chase, dominated, duel, goofspiel, patience, prisoners, ring

from tactician.contract import Game, State
from tactician.contract.random import stream
from tactician.errors import InvalidParameterError, RuleFailureError, UnknownNameError
from tactician.planners import RHEA, SimultaneousAgent, parse_planner
from tactician.planners.rhea import RollingSearch
from tactician.seats import Budget


def agent_on(planner: RHEA, game: Game, seed: int = 1) -> SimultaneousAgent:
    return planner.on(game, seed=seed)


# -- the model -----------------------------------------------------------------------------------------------------


def go_right(g: Any, s: Any, player: Any, rng: Any) -> Any:
    return RIGHT if s.points[player] > -2 and s.place[player] < g.size - 1 else STAY


GAMES: dict[str, Any] = {
    "ring of 2": lambda: ring(2),
    "ring of 3, chance": lambda: ring(3, chance=True),
    "goofspiel of 3, chance": lambda: goofspiel(3, 3, shuffled=True),
    "chase": lambda: chase(),
    "turns, then together": lambda: duel(),
    "errands": lambda: errands(2),
}
NAMED = {
    "small": RHEA(depth=4, population=4),
    "one parent, all actions": RHEA(depth=3, population=3, kill_rate=0.7, crossover=False, prune=False),
    "from scratch, many mutations": RHEA(depth=5, population=5, kill_rate=0.45, reuse=False, mutation_rate=0.6),
}


def same_play(planner: RHEA, state: State, simulations: int, moves: int, seed: int, seat: int = 0) -> None:
    """Search and model do the same through some moves of a game."""
    game, state = state.game, state.copy()
    with game.searching():
        model, search = SlowRHEA(planner, game, seat), planner.search(game)
        for move in range(moves):
            if state.is_over():
                break
            model.begin(state, seed + move)
            search.begin(state.words, seat, stream(seed + move), Budget(iterations=10**6))
            for _ in range(simulations):
                model.step()
                search.advance(1)
                compare(search, model)
            played = [model.ranked()[0].genes[0] if seat == player else -1 for player in range(game.players)]
            assert search.work.rng.tolist() == model.words.tolist(), "another number of random draws"
            advance_game(state, played)


def compare(search: RollingSearch, model: SlowRHEA) -> None:
    genomes = search.genomes
    rows = genomes.order.tolist()
    assert genomes.genes[rows].tolist() == [genome.genes for genome in model.living]
    assert genomes.played[rows].tolist() == [len(genome.values) for genome in model.living]
    assert genomes.total[rows] == pytest.approx([sum(genome.values) for genome in model.living])
    known = {action: (value, visits) for action, value, visits in search.choices(model.seat)}
    assert list(known) == list(model.first)
    for action, values in model.first.items():
        assert known[action] == pytest.approx((np.mean(values), len(values)))


def advance_game(state: State, played: list[int]) -> None:
    player = state.current_player()
    joint = [
        action if action in state.legal_actions(seat) else state.legal_actions(seat)[0]
        for seat, action in enumerate(played)
        if player < 0 or seat == player
    ]
    state.apply(joint if player < 0 else joint[0])


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("game", GAMES)
def test_every_genome_is_the_models_after_every_simulation(game: str, name: str) -> None:
    same_play(NAMED[name], GAMES[game]().initial_state(3), simulations=25, moves=3, seed=11)


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_genomes_are_the_models_against_opponents_that_follow_a_policy(share: float) -> None:
    game = ring(3).with_policy(go_right)
    planner = RHEA(depth=4, population=4, opponents="policy", model_share=share)
    same_play(planner, game.initial_state(2), 30, 3, 5, seat=1)


@settings(max_examples=20, deadline=None)
@given(
    planner=st.builds(
        RHEA,
        population=st.integers(2, 9),
        kill_rate=st.sampled_from([0.01, 0.3, 0.55, 0.99]),
        depth=st.integers(1, 7),
        mutation_rate=st.sampled_from([0.0, 0.2, 1.0]),
        crossover=st.booleans(),
        reuse=st.booleans(),
        prune=st.booleans(),
    ),
    players=st.integers(2, 4),
    chance=st.booleans(),
    seed=st.integers(0, 99),
    seat=st.integers(0, 1),
)
def test_any_parameters_evolve_as_the_model(planner: RHEA, players: int, chance: bool, seed: int, seat: int) -> None:
    same_play(planner, ring(players, chance=chance).initial_state(seed), 20, 2, seed, seat)


# -- plans ---------------------------------------------------------------------------------------------------------


def test_a_budget_counts_simulations_and_all_are_made() -> None:
    state = ring(3).initial_state(1)
    plan = agent_on(RHEA(), state.game).plan(state, "77its", seat=2)
    assert plan.stats.iterations == plan.stats.sequences == plan.stats.evaluations == 77
    assert sum(alternative.count for alternative in plan.alternatives) == 77
    assert state.is_legal(plan.actions[0], 2)


def test_a_plan_is_decided_by_state_seed_and_ply() -> None:
    state = ring(4, chance=True).initial_state(2)
    plans = [agent_on(RHEA(), state.game, seed=5).plan(state, "60its", ply=3, seat=1) for _ in range(2)]
    assert plans[0].alternatives == plans[1].alternatives
    other = agent_on(RHEA(), state.game, seed=6).plan(state, "60its", ply=3, seat=1)
    assert other.alternatives != plans[0].alternatives


def test_a_dominant_action_is_found_for_every_seat() -> None:
    plans = agent_on(RHEA(depth=1), prisoners()).plan_all(prisoners().initial_state(), "200its")
    assert [plan.actions for plan in plans] == [(1,), (1,)]


def test_against_uniform_opponents_the_best_answer_to_chance_is_taken() -> None:
    """As random bandits do: row 1 of this game is best while the others do anything."""
    plan = agent_on(RHEA(depth=1), dominated()).plan(dominated().initial_state(), "600its", seat=0)
    assert plan.actions == (1,)


def test_patience_takes_two_steps_of_foresight() -> None:
    game = patience()
    assert agent_on(RHEA(depth=1), game).plan(game.initial_state(), "300its", seat=0).actions == (1,)
    agent, state = agent_on(RHEA(depth=2), game), game.initial_state()
    assert agent.plan(state, "600its", seat=0).actions == (0,)
    state.apply([0, 0])
    assert agent.plan(state, "100its", ply=1, seat=0).actions == (1,)


def test_the_next_move_begins_with_the_genomes_of_the_last_one_shifted() -> None:
    game = ring(2, steps=20)
    search, state = RHEA(depth=6, population=4).search(game), game.initial_state(4)
    with game.searching():
        search.begin(state.words, 0, stream(1), Budget(iterations=100))
        search.advance(40)
        best = search.best()[0]
        row = next(row for row in search.genomes.order if search.genomes.genes[row, 0] == best[0])
        expected = search.genomes.genes[row, 1:].tolist()
        search.begin(state.words, 0, stream(2), Budget(iterations=100))
        assert search.genomes.genes[0].tolist() == [*expected, OPEN]
        assert (search.genomes.genes[:, -1] == OPEN).all()
        assert not search.genomes.played.any()
        search.forget()
        assert (search.genomes.genes == OPEN).all()


def test_seats_have_genomes_of_their_own() -> None:
    game = ring(2, steps=20)
    agent, state = agent_on(RHEA(depth=5), game), game.initial_state(4)
    alone = agent.plan(state, "50its", seat=0)
    search = agent._search
    assert isinstance(search, RollingSearch)
    kept = search.genomes.genes.copy()
    agent.plan(state, "50its", seat=1)
    search.player = 0
    assert (search.genomes.genes == kept).all()
    agent.new_game()
    assert agent.plan(state, "50its", seat=0).alternatives == alone.alternatives


def test_where_players_take_turns_a_plan_is_a_whole_turn() -> None:
    state = errands(2).initial_state(3)
    plan = agent_on(RHEA(depth=12), state.game).plan(state, "200its")
    assert is_whole_turn(state, plan.actions)
    assert all(is_whole_turn(state, alternative.actions) for alternative in plan.alternatives)


def test_workers_share_the_simulations() -> None:
    state = ring(3).initial_state(1)
    plans = [agent_on(RHEA(workers=3), state.game).plan(state, "100its", seat=0) for _ in range(2)]
    assert plans[0].alternatives == plans[1].alternatives
    assert plans[0].stats.iterations == 100


def test_a_plan_with_fewer_simulations_than_genomes_is_legal() -> None:
    state = ring(3).initial_state(1)
    agent = agent_on(RHEA(population=20), state.game)
    for ply in range(5):
        actions = [agent.plan(state, "3its", ply=ply, seat=seat).actions[0] for seat in range(3)]
        assert all(state.is_legal(action, seat) for seat, action in enumerate(actions))
        state.apply(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth of 'rhea' is 0; expected 1 to 1000"),
        ({"population": 1}, "population of 'rhea' is 1; expected 2 to 10000"),
        ({"kill_rate": 1.0}, "kill_rate of 'rhea' is 1.0; expected a number between 0 and 1, both excluded"),
        ({"mutation_rate": 1.5}, "mutation_rate of 'rhea' is 1.5; expected a number from 0 to 1"),
        ({"opponents": "bandit"}, "opponents of 'rhea' is 'bandit'; expected 'uniform'"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        RHEA(**options)


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="model of 'ring'"):
        parse_planner("rhea:opponents=policy").on(ring())


def test_a_rule_that_fails_is_reported() -> None:
    game = ring(2, broken=2)
    with pytest.raises(RuleFailureError, match="the pot is broken"):
        agent_on(RHEA(), game).plan(game.initial_state(1), "20its", seat=0)
