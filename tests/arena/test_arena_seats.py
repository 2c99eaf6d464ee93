"""Games of more than two seats: who sits where, what the shares mean, and that tournaments of them are repeatable."""

from __future__ import annotations

import csv as csv_files
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tactician.arena import Pairing, TournamentPlan, open_store, play, replay, run, stronger, tournament
from tactician.arena.records import EVERYBODY, GameRecord
from tactician.arena.seats import KINDS, SeatsScore, outcome_of, rotated_score
from tactician.arena.statistics import Score
from tactician.cli.main import app
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.planners import FDTS
from tactician.planners.registry import parse_planner
from tactician.seats.plan import Plan as Turn
from tactician.seats.seat import BaseSeat

GAME = "pommerman:max_steps=60"
PLANNERS = ("fdts:depth=5", "rule-based")


def small(jobs: int = 1, store: Path | None = None, games: int = 4, game: str = GAME) -> dict[str, Any]:
    return tournament(game, PLANNERS, games, "6its", seed=3, jobs=jobs, store=store).to_json()


def record(returns: tuple[float, ...], seats: tuple[str, ...] = ("a", "b", "b", "b"), seed: int = 0) -> GameRecord:
    return GameRecord(Pairing("four", seats, "1its", seed, 0), returns, (), 1.0, "1")


# -- the schedule --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [4, 8, 10])
def test_every_start_is_played_from_every_seat_against_copies(games: int) -> None:
    plan = TournamentPlan(GAME, ("fdts", "mcs", "rule-based"), games, "1its", seed=7)
    assert plan.seats == 4
    assert plan.pairs == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    pairings = plan.pairings()
    assert len(pairings) == 6 * games == len({pairing.key for pairing in pairings})
    for one, other in plan.pairs:
        alone, copies = plan.agents[one], plan.agents[other]
        met = [p for p in pairings if Counter(p.seats) == {alone: 1, copies: 3}]
        assert [(p.seed, p.seats.index(alone)) for p in met] == [(7 + n // 4, n % 4) for n in range(games)]


def test_a_gauntlet_has_the_first_alone_against_the_rest() -> None:
    plan = TournamentPlan(GAME, ("fdts", "mcs", "rule-based"), 4, "1its", form="gauntlet")
    assert {(p.seats.index("fdts"), p.seats.count("fdts")) for p in plan.pairings()} == {(n, 1) for n in range(4)}
    assert len(plan.pairings()) == 8


def test_a_tournament_that_is_stopped_early_is_still_fair() -> None:
    plan = TournamentPlan(GAME, ("fdts", "mcs", "rule-based"), 8, "1its")
    played = Counter(tuple(sorted(Counter(p.seats).items())) for p in plan.pairings()[:20])
    assert max(played.values()) - min(played.values()) <= 1


def test_two_seats_are_scheduled_as_before() -> None:
    plan = TournamentPlan("hero-academy", ("random", "oep", "mcts"), 2, "1its")
    assert plan.pairs == [(0, 1), (0, 2), (1, 2)]
    assert [pairing.seats for pairing in plan.pairings()[::3]] == [("random", "oep"), ("oep", "random")]


# -- outcomes and shares -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returns", "seat", "outcome"),
    [
        ((1, -1, -1, -1), 0, Score(wins=1)),
        ((1, -1, -1, -1), 3, Score(losses=1)),
        ((-1, -1, -1, -1), 2, Score(draws=1)),
        ((1, -1, 1, -1), 2, Score(wins=1)),
        ((1, -1, 1, -1), 1, Score(losses=1)),
        ((-1, 1 / 3, 1 / 3, 1 / 3), 0, Score(losses=1)),
        ((-1, 1 / 3, 1 / 3, 1 / 3), 1, Score(wins=1)),
        ((0.5, 0.2, 0.2, 0.1), 1, Score(losses=1)),
    ],
)
def test_what_a_game_is_for_a_seat(returns: tuple[float, ...], seat: int, outcome: Score) -> None:
    assert outcome_of(record(returns), seat) == outcome


def test_only_games_of_one_against_copies_count_and_starts_are_kept_together() -> None:
    won, lost = (1.0, -1.0, -1.0, -1.0), (-1.0, 1.0, -1.0, -1.0)
    records = [
        record(won, seed=1),
        record(lost, seed=1),
        record((-1.0,) * 4, seed=2),
        record(won, ("b", "a", "b", "b"), seed=1),
        record(won, ("b", "a", "a", "a"), seed=1),
        record(won, ("a", "b", "c", "b"), seed=1),
    ]
    score = rotated_score(records, "a", "b")
    assert sorted(start.games for start in score.starts) == [1, 3]
    assert score.score == Score(wins=1, draws=1, losses=2)
    assert rotated_score(records, "b", "a").score == Score(wins=1)
    assert rotated_score(records, "c", "b").games == 0


def test_shares_add_up_and_lie_in_their_intervals() -> None:
    score = SeatsScore((Score(2, 1, 1), Score(0, 3, 1), Score(1, 0, 3)))
    shares = [score.share(kind) for kind in KINDS]
    assert sum(share.rate for share in shares) == pytest.approx(1)
    assert [share.rate for share in shares] == [3 / 12, 4 / 12, 5 / 12]
    for share in shares:
        low, high = share.interval()
        assert 0 <= low < share.rate < high <= 1
        assert share.games == 12
    wide, narrow = shares[0].interval(0.99), shares[0].interval(0.5)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_without_games_nothing_is_known() -> None:
    empty = SeatsScore()
    assert empty.games == 0
    assert empty.rate == 0.5
    assert [empty.share(kind).interval() for kind in KINDS] == [(0.0, 1.0)] * 3


@pytest.mark.parametrize("alike", [False, True])
def test_intervals_hold_the_truth_as_often_as_they_say(alike: bool) -> None:
    """Also where all four games from a start end in the same way, and so say no more than one."""
    chance, truth, held, runs = np.random.default_rng(5), (0.3, 0.2, 0.5), np.zeros(3), 400
    for _ in range(runs):
        drawn = chance.choice(3, size=(40, 1 if alike else 4), p=truth).repeat(4 if alike else 1, axis=1)
        score = SeatsScore(tuple(Score(*np.bincount(row, minlength=3).tolist()) for row in drawn))
        for k, kind in enumerate(KINDS):
            low, high = score.share(kind).interval()
            held[k] += low <= truth[k] <= high
    assert (held / runs > 0.91).all()
    assert (held / runs < 0.995).all()


def test_games_that_hang_together_count_for_less() -> None:
    alike = SeatsScore((Score(wins=4), Score(losses=4)) * 10)
    mixed = SeatsScore((Score(wins=2, losses=2),) * 10 + (Score(wins=3, losses=1), Score(wins=1, losses=3)) * 5)
    assert alike.share("wins").rate == mixed.share("wins").rate == 0.5
    assert alike.share("wins").effective_games < mixed.share("wins").effective_games
    one, other = (score.share("wins").interval() for score in (alike, mixed))
    assert one[0] < other[0] < other[1] < one[1]


# -- tournaments ---------------------------------------------------------------------------------------------------


def test_results_do_not_depend_on_the_number_of_jobs() -> None:
    assert small(jobs=1) == small(jobs=2)


def test_a_stored_tournament_is_not_played_again_and_more_games_are_added(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    first = small(store=store, games=2)
    with open_store(store) as opened:
        before = [record.to_json() for record in opened.games(1)]
    assert small(store=store, games=2) == first
    assert small(store=store, games=4) == small(games=4)
    with open_store(store) as opened:
        after = [record.to_json() for record in opened.games(1)]
    assert (len(before), len(after)) == (4, 8)
    assert after[:4] == before


@pytest.mark.parametrize("variant", ["ffa", "team", "radio"])
def test_a_recorded_game_replays_to_the_same_end(variant: str) -> None:
    plan = TournamentPlan(f"pommerman:variant={variant},max_steps=60", PLANNERS, 2, "6its")
    played = play(plan.pairings()[1])
    final = replay(played)
    assert final.is_over()
    assert tuple(final.returns()) == played.returns
    assert all(turn.seat == EVERYBODY and len(turn.actions[0]) == 4 for turn in played.turns)
    assert len(played.turns) == int(final.record.step)
    again = GameRecord.from_json(json.loads(json.dumps(played.to_json())))
    assert replay(again).to_json() == final.to_json()
    assert play(plan.pairings()[1]).returns == played.returns


def test_a_planner_plays_three_seats_at_once() -> None:
    """Copies have searches of their own."""
    result = tournament("pommerman:max_steps=30", ("rule-based", "fdts:depth=4"), 2, "4its")
    assert not result.errors
    assert [result.seats_score(*pair).games for pair in result.plan.pairs] == [2, 2]


def test_standings_pairs_and_intervals() -> None:
    told = small()
    assert [row["planner"] for row in told["pairs"]] == list(PLANNERS)
    assert told["ratings"] == []
    assert told["first_seat"] is None
    for row in (*told["pairs"], *told["standings"]):
        assert row["wins"] + row["draws"] + row["losses"] == row["games"] == 4
        for kind in KINDS:
            low, high = row[f"{kind}_interval"]
            assert 0 <= low <= row[kind] / 4 <= high <= 1


def test_teams_win_together() -> None:
    """The mate of the one that is alone is a copy of its opponents: it wins and loses with it."""
    result = tournament("pommerman:variant=team,max_steps=120", ("fdts", "rule-based"), 4, "6its", form="gauntlet")
    for played in result.games():
        assert played.returns[0] == played.returns[2]
        assert played.returns[1] == played.returns[3]
        alone = played.pairing.seats.index("fdts")
        won = played.returns[alone] > min(played.returns)
        assert outcome_of(played, alone) == (
            Score(draws=1) if len(set(played.returns)) == 1 else Score(wins=1) if won else Score(losses=1)
        )


# -- forfeits ------------------------------------------------------------------------------------------------------


class _Broken(BaseSeat):
    """Fails in its second step."""

    def __init__(self, plan: Turn | None) -> None:
        super().__init__()
        self._plan, self._steps = plan, 0

    def plan(self, state: Any, budget: Any, *, ply: int = 0, seat: int | None = None) -> Turn:
        self._steps += 1
        if self._steps == 1:
            return Turn((0,), None)
        if self._plan is None:
            raise RuntimeError("lost my mind")
        return self._plan


@pytest.mark.parametrize("seat", [0, 3])
@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (None, "RuntimeError: lost my mind"),
        (Turn((), None), "the plan () is not one legal action."),
        (Turn((1, 2), None), "the plan (1, 2) is not one legal action."),
        (Turn((6,), None), "the plan (6,) is not one legal action."),
    ],
)
def test_who_fails_forfeits_and_the_others_win(seat: int, plan: Turn | None, sentence: str) -> None:
    players: list[Any] = [FDTS(depth=3).on(load_game(GAME)) for _ in range(4)]
    players[seat] = _Broken(plan)
    played = play(Pairing(GAME, ("a", "b", "c", "d"), "2its", 0, 0), tuple(players))
    assert played.error == sentence
    assert played.error_seat == seat
    assert len(played.turns) == 1
    assert [outcome_of(played, other) for other in range(4)] == [
        Score(losses=1) if other == seat else Score(wins=1) for other in range(4)
    ]


# -- the command line ----------------------------------------------------------------------------------------------


def told(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["arena", *arguments], catch_exceptions=True)


def test_the_command_line_prints_a_row_a_pair() -> None:
    done = told(GAME, "fdts", "rule-based", "--games", "4", "--budget", "4its")
    assert done.exit_code == 0, done.output
    assert "8 games of pommerman:max_steps=60, 4its a move, every start from every seat:" in done.output
    header, *rows = [line for line in done.output.splitlines() if "rule-based" in line or "against" in line]
    assert header.split() == ["planner", "against", "games", "wins", "draws", "losses"]
    assert [row.split()[:5] for row in rows] == [
        ["fdts", "3", "×", "rule-based", "4"],
        ["rule-based", "3", "×", "fdts", "4"],
    ]
    assert all(row.count("%") == 3 for row in rows)


def test_the_command_line_writes_json_and_csv(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    done = told(GAME, "fdts", "rule-based", "--games", "4", "--budget", "4its", "--csv", str(path), "--json")
    assert done.exit_code == 0, done.output
    pairs = json.loads(done.stdout)["pairs"]
    rows = list(csv_files.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [(row["planner"], int(row["wins"])) for row in rows] == [(pair["planner"], pair["wins"]) for pair in pairs]
    assert float(rows[0]["score"]) == pairs[0]["score"]
    for kind in KINDS:
        low, high = pairs[0][f"{kind}_interval"]
        assert float(rows[0][f"{kind}_low"]) == low
        assert float(rows[0][f"{kind}_high"]) == high


def test_a_figure_is_drawn_of_games_with_four_seats(tmp_path: Path) -> None:
    done = told(GAME, "fdts", "rule-based", "--games", "2", "--budget", "2its", "--figure", str(tmp_path / "table"))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "table.svg").stat().st_size > 1000


def test_in_a_figure_of_four_seats_cells_across_the_diagonal_are_apart() -> None:
    from tactician.arena.figures import cross_table_figure

    shares = {(0, 1): SeatsScore((Score(3, 0, 1),)).share("wins"), (1, 0): SeatsScore((Score(1, 0, 3),)).share("wins")}
    figure = cross_table_figure(["a", "b"], shares, mirrored=False)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert any("75" in text for text in texts)
    assert any("25" in text for text in texts)


def test_the_sequential_test_is_for_two_seats() -> None:
    with pytest.raises(InvalidParameterError, match="game 'pommerman' has 4 sides; the sequential test is for games"):
        stronger("pommerman", "fdts", "rule-based", "4its")


@pytest.mark.slow
def test_the_example_of_the_documentation() -> None:
    done = told("pommerman", "fdts", "rule-based", "--games", "8", "--budget", "10its")
    assert done.exit_code == 0, done.output
    assert "16 games of pommerman" in done.output


def test_random_plays_where_all_act_at_once() -> None:
    result = tournament("pommerman:max_steps=30", ("random", "random:prune=True"), 4, "1its", seed=2)
    assert not result.errors
    assert len(result.games()) == 8
    again = tournament("pommerman:max_steps=30", ("random", "random:prune=True"), 4, "1its", seed=2, jobs=2)
    assert again.to_json() == result.to_json()
    agent = load_game("pommerman")
    state = agent.initial_state(seed=1)
    seat = parse_planner("random").on(agent, seed=4)
    chosen = {seat.plan(state, "1its", ply=ply, seat=2).actions[0] for ply in range(60)}
    assert chosen == set(state.legal_actions(2))
    with pytest.raises(InvalidParameterError, match="seat is None; all act at once here, expected 0 to 3"):
        seat.plan(state, "1its")


@pytest.mark.parametrize("planner", ["oep", "greedy-action"])
def test_a_planner_of_turns_is_refused_in_one_sentence(planner: str) -> None:
    with pytest.raises(InvalidParameterError) as refused:
        tournament("pommerman", (planner, "rule-based"), 4, "4its")
    assert str(refused.value).startswith(f"planner {planner!r} plans turns, but in 'pommerman' all players act at once")
    assert "fdts" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_planner_of_turns_ends_the_command_with_2() -> None:
    arguments = ["arena", "pommerman", "oep", "rule-based", "--budget", "4its"]
    command = [sys.executable, "-m", "tactician.cli.main", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "planner 'oep' plans turns, but in 'pommerman' all players act at once; planners for that:" in said
    assert "Traceback" not in done.stderr


def test_the_rule_based_bot_is_for_its_game() -> None:
    with pytest.raises(InvalidParameterError, match="agent 'rule-based' plays 'pommerman'; given 'amazons'"):
        TournamentPlan("amazons", ("rule-based", "random"), 2, "1its")
    assert run(TournamentPlan(GAME, ("rule-based", "rule-based#2"), 1, "1its"), open_store(None)).errors == []
