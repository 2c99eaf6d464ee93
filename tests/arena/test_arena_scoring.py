"""From records to scores: pairs by their start, and games that hang together."""

from __future__ import annotations

import numpy as np
import pytest

from tactician.arena import TournamentPlan
from tactician.arena.records import GameRecord, Pairing
from tactician.arena.scoring import clustered_score, first_seat_score, paired_score, standing_score
from tactician.arena.statistics import PairedScore, Score, clustered_games, winner
from tactician.arena.tournament import Tournament
from tactician.errors import InvalidParameterError


def _record(first: str, second: str, seed: int, number: int, reward: float) -> GameRecord:
    pairing = Pairing("amazons", (first, second), "10its", seed, number)
    return GameRecord(pairing, (reward, -reward), (), 1.0, "1")


RECORDS = [
    _record("a", "b", 0, 0, 1),  # a wins both games of the first start,
    _record("b", "a", 0, 1, -1),
    _record("a", "b", 1, 2, 1),  # the first seat those of the second,
    _record("b", "a", 1, 3, 1),
    _record("b", "a", 2, 5, 0),  # and the third was played from one side only.
    _record("a", "c", 0, 0, -1),
]


def test_records_become_pairs_by_their_start() -> None:
    assert paired_score(RECORDS, "a", "b") == PairedScore((0, 0, 1, 0, 1), singles=Score(0, 1, 0))
    assert paired_score(RECORDS[::-1], "b", "a") == paired_score(RECORDS, "a", "b").reversed()
    assert paired_score(RECORDS, "b", "c") == PairedScore()


def test_a_start_that_was_played_again_makes_another_pair() -> None:
    again = [_record("b", "a", 0, 11, 1), _record("a", "b", 0, 10, -1)]
    assert paired_score([*RECORDS, *again], "a", "b").pairs == (1, 0, 1, 0, 1)


def test_an_agent_has_no_score_against_itself() -> None:
    with pytest.raises(InvalidParameterError, match="two different"):
        paired_score(RECORDS, "a", "a")


def test_the_first_seat_counts_games_and_clusters_starts() -> None:
    seat = first_seat_score(RECORDS)
    assert seat.score == Score(3, 1, 2)
    assert seat.games == 6
    assert seat.effective_games == pytest.approx(clustered_games([1, 2, 0.5], [3, 2, 1]))
    assert seat.interval()[0] < seat.rate < seat.interval()[1]
    assert 0 < seat.p_value() <= 1
    assert first_seat_score([]).interval() == (0, 1)


def test_starts_that_decide_the_seats_leave_the_first_seats_advantage_open() -> None:
    # Ten starts, each won by the same seat in all of its twenty games: ten coin flips, not two hundred.
    records = [_record("a", "b", seed, number, 1 if seed < 7 else -1) for seed in range(10) for number in range(20)]
    assert winner(first_seat_score(records)) == 0
    assert winner(first_seat_score(records).score) == 1


def test_a_first_seat_needs_two() -> None:
    three = GameRecord(Pairing("x", ("a", "b", "c"), "1its", 0, 0), (1.0, 0.0, 0.0), (), 1.0, "1")
    with pytest.raises(InvalidParameterError, match="3 seats"):
        first_seat_score([three])


def test_a_standing_keeps_the_games_from_one_start_together() -> None:
    standing = standing_score(RECORDS, "a", ["b", "c"])
    assert standing.score == Score(3, 1, 2)
    assert standing.effective_games == pytest.approx(clustered_games([2, 1, 0.5], [3, 2, 1]))
    assert standing_score(RECORDS, "a", ["b"]).score == paired_score(RECORDS, "a", "b").score
    assert standing_score(RECORDS, "c", ["a", "b"]).score == Score(wins=1)


def test_starts_that_suit_an_agent_against_everybody_are_not_counted_anew_for_each() -> None:
    """Coverage of the 95 % interval where a start decides: as independent pairs it would be about 60 %."""
    rng = np.random.default_rng(3)
    inside, naive = 0, 0
    for _ in range(400):
        suits = rng.random(20) < 0.6
        games = [(start, float(suits[start])) for start in range(20) for _ in range(12)]
        low, high = clustered_score(games).interval()
        inside += low <= 0.6 <= high
        low, high = PairedScore.of([(points, points) for _, points in games[::2]]).interval()
        naive += low <= 0.6 <= high
    assert inside / 400 > 0.9
    assert naive / 400 < 0.75


def test_with_one_opponent_a_standing_is_the_pairs_score() -> None:
    plan = TournamentPlan("hero-academy", ("random", "oep"), 4, "1its")
    returns = [(1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, -1.0)]
    games = {p.key: GameRecord(p, r, (), 1.0, "1") for p, r in zip(plan.pairings(), returns, strict=True)}
    result = Tournament(plan, games)
    assert result.standing(0) == result.score(0, 1)
    assert result.standing(1) == result.score(1, 0)


def test_pairs_have_a_p_value_that_knows_of_the_others() -> None:
    plan = TournamentPlan("hero-academy", ("random", "oep", "mcts"), 16, "1its")
    games = {
        p.key: GameRecord(
            p, tuple(1.0 if name == "oep" else -1.0 if "oep" in p.seats else 0.0 for name in p.seats), (), 1.0, "1"
        )
        for p in plan.pairings()
    }
    told = Tournament(plan, games).to_json()
    p = {(pair["planner"], pair["opponent"]): (pair["p"], pair["p_holm"]) for pair in told["pairs"]}
    assert p["random", "oep"] == pytest.approx((2 * 0.5**8, 3 * 2 * 0.5**8))
    assert p["random", "mcts"] == (1.0, 1.0)
    assert all("p_holm" not in row for row in told["standings"])
