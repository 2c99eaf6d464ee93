"""Teachers: the oracle sees everything and rates what it tried, experts see what their seat sees."""

from __future__ import annotations

from tactician.games.registry import load_game
from tactician.learning.teachers import make_teacher
from tactician.planners import FDTS


def test_the_oracle_labels_every_seat_with_the_choice_of_one_search() -> None:
    game = load_game("pommerman:rules=paper,identity=reference")
    oracle = make_teacher("fdts:depth=5", game, "30its")
    oracle.begin(7)
    state = game.initial_state(1)
    labels = oracle.label(state, 0, [0, 2])
    agent = FDTS(depth=5).on(game, seed=7, full_information=True)
    plans = agent.plan_all(state, "30its", ply=0)
    assert [label.action for label in labels] == [plans[0].actions[0], plans[2].actions[0]]
    for label in labels:
        assert label.values[label.actions.tolist().index(label.action)] == label.values.max()
        assert ((label.values > 0) & (label.values < 1)).all()


def test_the_same_battle_gets_the_same_labels_again() -> None:
    game = load_game("pommerman:rules=paper,identity=reference")
    oracle = make_teacher("fdts:depth=5", game, "30its")
    found = []
    for _ in range(2):
        oracle.begin(7)
        state, labels = game.initial_state(1), []
        for ply in range(5):
            labels += [label.action for label in oracle.label(state, ply, range(4))]
            state.apply(labels[-4:])
        found.append(labels)
    assert found[0] == found[1]


def test_an_expert_sees_what_its_seat_sees() -> None:
    game = load_game("royale")
    expert = make_teacher("royale-script", game, "1its")
    expert.begin(0)
    state = game.initial_state(5)
    for ply in range(20):
        labels = expert.label(state, ply, [0, 1])
        again = [expert.label(state.resample_hidden(seat, ply), ply, [seat])[0] for seat in (0, 1)]
        assert [label.action for label in labels] == [label.action for label in again]
        state.apply([label.action for label in labels])
