"""Games of teams: two sides of several seats are a match of two agents, with all the statistics of one."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from typer.testing import CliRunner

from tactician.arena import Pairing, TournamentPlan, play, replay, stronger, tournament
from tactician.arena.agents import parse_agent
from tactician.arena.records import GameRecord, seated
from tactician.arena.scoring import first_seat_score, paired_score
from tactician.arena.seats import rotated_score
from tactician.arena.statistics import Score
from tactician.cli.main import app
from tactician.contract import plain
from tactician.contract.game import Game
from tactician.errors import InvalidGameError, InvalidParameterError
from tactician.games.registry import load_game
from tactician.seats.plan import Plan
from tactician.seats.seat import BaseSeat
from tactician.tuning.matches import MatchEvaluator

GAME = "pommerman:variant=team,max_steps=40"
SIDES = (0, 1, 0, 1)


def record(returns: tuple[float, ...], seats: tuple[str, ...], seed: int = 0, round: int = 0) -> GameRecord:
    return GameRecord(Pairing("teams", seats, "1its", seed, round), returns, (), 1.0, "1")


class Parity:
    """Everybody names a number; the sum's parity decides which side wins."""

    def initial_state(self, rng: np.random.Generator) -> tuple[int, ...]:
        return ()

    def legal_actions(self, state: tuple[int, ...], player: int) -> list[int]:
        return [0, 1]

    def apply(self, state: tuple[int, ...], action: int, rng: object) -> tuple[int, ...]:
        return (*state, action)

    def current_player(self, state: tuple[int, ...]) -> int:
        return len(state) % 4

    def is_over(self, state: tuple[int, ...]) -> bool:
        return len(state) == 4

    def returns(self, state: tuple[int, ...]) -> list[float]:
        won = 1.0 if sum(state) % 2 else -1.0
        return [won, -won, won, -won]

    evaluate = returns


def teams(sides: tuple[int, ...] = SIDES) -> Game:
    return plain(Parity(), name="parity", max_actions=2, players=4, sides=sides)


# -- what a game says ------------------------------------------------------------------------------------------------


def test_a_game_says_who_plays_together() -> None:
    assert teams().sides == SIDES
    assert teams(()).sides == (0, 1, 2, 3)
    assert load_game("hero-academy").sides == (0, 1)
    assert load_game("pommerman").sides == (0, 1, 2, 3)
    assert all(load_game(f"pommerman:variant={name}").sides == SIDES for name in ("team", "team-full", "radio"))


@pytest.mark.parametrize("sides", [(0, 1), (0, 0, 0, 0), (1, 0, 1, 0), (0, 2, 0, 2), (0, 1, 0, 1, 0)])
def test_sides_that_make_no_sense_are_refused(sides: tuple[int, ...]) -> None:
    with pytest.raises(InvalidGameError) as refused:
        teams(sides)
    assert f"sides of game 'parity' is {sides}; expected a number for each of 4 seats" in str(refused.value)


# -- the schedule ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [2, 4, 7])
def test_every_start_is_played_from_both_sides(games: int) -> None:
    plan = TournamentPlan(GAME, ("fdts", "mcs", "rule-based"), games, "1its", seed=7)
    assert (plan.seats, plan.sides, plan.rotates) == (4, SIDES, False)
    assert plan.pairs == [(0, 1), (0, 2), (1, 2)]
    for one, other in plan.pairs:
        a, b = plan.agents[one], plan.agents[other]
        met = [p for p in plan.pairings() if set(p.seats) == {a, b}]
        expected = [(7 + n // 2, (b, a, b, a) if n % 2 else (a, b, a, b)) for n in range(games)]
        assert [(p.seed, p.seats) for p in met] == expected


def test_uneven_sides_are_seated_whole() -> None:
    assert seated((0, 1, 1), 0, "a", "b") == ("a", "b", "b")
    assert seated((0, 1, 1), 1, "a", "b") == ("b", "a", "a")


# -- scores ----------------------------------------------------------------------------------------------------------


def test_a_side_scores_as_one_agent_and_swapped_starts_are_pairs() -> None:
    first, second = ("a", "b", "a", "b"), ("b", "a", "b", "a")
    up, down, tie = (1.0, -1.0, 1.0, -1.0), (-1.0, 1.0, -1.0, 1.0), (-1.0,) * 4
    records = [
        record(up, first, 1),
        record(down, second, 1),
        record(up, first, 2),
        record(up, second, 2),
        record(tie, first, 3),
        record(up, ("a", "b", "b", "b"), 1),  # another way of sitting is another match
    ]
    score = paired_score(records, "a", "b", SIDES)
    assert score.score == Score(wins=3, draws=1, losses=1)
    assert paired_score(records, "b", "a", SIDES).score == Score(wins=1, draws=1, losses=3)
    assert paired_score(records, "a", "b").games == 0
    assert rotated_score(records, "a", "b").games == 1


def test_the_first_side_has_a_score() -> None:
    seats = (("a", "b", "a", "b"), ("b", "a", "b", "a"))
    records = [record((1.0, -1.0, 1.0, -1.0), sat, seed) for seed, sat in product(range(4), seats)]
    assert first_seat_score(records, SIDES).score == Score(wins=8)
    with pytest.raises(InvalidParameterError, match="has 4 seats; a first seat's advantage needs 2"):
        first_seat_score(records)


def test_who_has_more_has_won_whatever_the_rewards_add_up_to() -> None:
    records = [record((0.9, 0.4), ("a", "b")), record((-1.0, -1.0), ("b", "a")), record((0.2, 0.2), ("a", "b"), 1)]
    assert paired_score(records, "a", "b").score == Score(wins=1, draws=2)


# -- playing ---------------------------------------------------------------------------------------------------------


def test_a_tournament_of_teams_has_everything_a_match_of_two_has() -> None:
    result = tournament(GAME, ("fdts:depth=4", "rule-based"), 4, "4its", seed=3)
    told = result.to_json()
    assert len(told["pairs"]) == 1
    assert told["pairs"][0]["games"] == 4
    assert 0 <= told["pairs"][0]["p"] <= 1
    assert len(told["ratings"]) == 2
    assert told["first_seat"]["games"] == 4
    for game in result.games():
        assert tuple(replay(game).returns()) == game.returns
    assert told == tournament(GAME, ("fdts:depth=4", "rule-based"), 4, "4its", seed=3, jobs=2).to_json()


def test_the_sequential_test_takes_teams() -> None:
    test, result = stronger("pommerman:variant=team,max_steps=10", "mcs", "rule-based", "2its", most_games=4)
    assert len(result.games()) == 4
    assert test.decision == "go on"  # four games can't tell


def test_a_forfeit_is_the_whole_sides() -> None:
    class Raises(BaseSeat):
        def plan(self, *_: object, **__: object) -> Plan:
            raise ValueError("no idea")

    game = load_game(GAME)
    players = tuple(Raises() if seat == 3 else parse_agent("rule-based").on(game).seeded(seat) for seat in range(4))
    played = play(Pairing(GAME, ("a", "b", "a", "b"), "1its", 1, 0), players)
    assert played.error_seat == 3
    assert played.returns == (1.0, -1.0, 1.0, -1.0)


def test_the_command_line_prints_a_cross_table() -> None:
    command = ["arena", GAME, "fdts:depth=4", "rule-based", "--games", "2", "--budget", "4its"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "row's win % (draws as half)" in done.output
    assert "first side:" in done.output
    pairs = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)["pairs"]
    assert [pair["games"] for pair in pairs] == [2]


def test_a_candidate_is_tuned_on_a_whole_side() -> None:
    judged = MatchEvaluator(GAME, "fdts", ("rule-based", "mcs"), games=4, budget="1its")
    seats = [(pairing.seats, seat) for pairing, seat in judged.pairings("fdts:depth=3", 5)]
    assert seats == [
        (("fdts:depth=3", "rule-based") * 2, 0),
        (("rule-based", "fdts:depth=3") * 2, 1),
        (("fdts:depth=3", "mcs") * 2, 0),
        (("mcs", "fdts:depth=3") * 2, 1),
    ]
