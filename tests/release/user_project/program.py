"""A user's program: it uses the public names as documentation shows them. Type checkers read it, a test runs it."""

from __future__ import annotations

from collections.abc import Sequence

from nim import game

import tactician as tt
from tactician.arena import GameRecord, Tournament
from tactician.errors import TacticianError
from tactician.planners import EMCTS, MCTS, OEP, Agent, Plan, Planner, parse_planner
from tactician.seats import BaseSeat, Budget
from tactician.tuning import NTBEA, Point, Space


def play_a_game(planners: Sequence[Planner], budget: Budget) -> list[float]:
    """Play one game and return the result for each player."""
    agents: list[Agent] = [planner.on(game, seed=number) for number, planner in enumerate(planners)]
    state: tt.State = game.initial_state(seed=7)
    turn = 0
    while not state.is_over():
        plan: Plan = agents[state.current_player()].plan(state, budget, ply=turn)
        for action in plan.actions:
            state.apply(action)
        turn += 1
        names: tuple[str, ...] = plan.names
        print(f"{turn}: {', '.join(names)}, {plan.stats.evaluations} evaluations")
    return state.returns()


class Patient(BaseSeat):
    """A seat of one's own: it takes one stone."""

    def plan(self, state: tt.State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """Take the first legal action until the turn ends."""
        after, actions = state.copy(), list[int]()
        mover = after.current_player()
        while not after.is_over() and after.current_player() == mover:
            actions.append(after.legal_actions()[0])
            after.apply(actions[-1])
        return Plan(tuple(actions), value=None)


def compare() -> tuple[float, float]:
    """The 95 % interval of a small tournament."""
    result: Tournament = tt.arena.tournament("amazons:size=4", [EMCTS(), "greedy-action"], games=2, budget="20evals")
    first: GameRecord = result.games()[0]
    final: tt.State = tt.arena.replay(first)
    assert final.is_over()
    low, high = result.score(0, 1).interval()
    return low, high


def tune() -> Point:
    """The best point of a function with a known optimum."""

    def worth(point: Point, seed: int) -> float:
        return 1.0 - abs(float(point["x"]) - 3) / 10

    found = NTBEA(Space({"x": [0, 1, 2, 3, 4]}), seed=1).run(worth, evaluations=30)
    return found.recommendation.point


def main() -> None:
    """Use all of it."""
    result = play_a_game([OEP(population=10), MCTS(exploration=0.5)], tt.Budget(iterations=20))
    assert sorted(result) == [-1.0, 1.0]
    report = tt.check_game(game, games=2)
    assert report.ok, str(report)
    assert Patient().plan(game.initial_state(seed=1), "1its").actions == (1, 1)
    low, high = compare()
    assert 0 <= low <= high <= 1
    assert tune() == {"x": 3}
    academy: tt.Game = tt.games.hero_academy(action_points=3)
    assert academy.players == 2
    try:
        parse_planner("oep:population=-1")
    except TacticianError as error:
        print(error)


if __name__ == "__main__":
    main()
