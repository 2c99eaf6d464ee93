"""The heuristic of the paper: five features of a side with a weight each."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from locm_boards import attack, card, game, position, random_play, summon

from tactician.contract import Game, State
from tactician.errors import TacticianError
from tactician.games.locm import locm
from tactician.games.locm.cards import CARDS, draft_scores
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.records import FEATURES
from tactician.games.locm.values import CARD_VALUES, values_of

BEAVRAT, BREAD, FIREBOLT, SQUID = 3, 122, 155, 68


def only(feature: str, **options: object) -> Game:
    """The game in which one feature counts 1 and the others nothing."""
    zero = dict.fromkeys(FEATURES, 0.0)
    return game(**options).with_weights(**{**zero, feature: 1.0})


def value(feature: str, state: State, player: int = 0) -> float:
    return state.in_game(only(feature)).evaluate()[player]


def worth(number: int) -> float:
    return values_of("stats", [CARDS[number - 1]])[0]


# -- the five features -----------------------------------------------------------------------------------------


def test_weights_have_names_and_all_count_one_with_the_threat_against_the_player() -> None:
    assert game().weights == {"damage": 1.0, "threat": -1.0, "board": 1.0, "items": 1.0, "draws": 1.0}


def test_damage_is_the_health_the_opponent_has_lost() -> None:
    state = position(hp=28, enemy_hp=21)
    assert value("damage", state, 0) == 9
    assert value("damage", state, 1) == 2
    assert value("damage", position(enemy_hp=35)) == -5


@pytest.mark.parametrize(
    ("own", "enemy", "threat"),
    [
        ("", "", 0),
        ("", "L 3/1, R 4/1", 7),
        ("L 9/9", "L 3/1", 3),  # only Guards hold anybody up
        ("L 1/1 G", "L 3/1", 0),
        ("R 1/1 G", "L 3/1", 3),  # in their own lane
        ("L 1/1 G", "L 3/1, L 5/1", 5),  # the weakest is held up
        ("L 1/1 G, L 1/1 G", "L 3/1, L 5/1, L 4/1", 5),
        ("L 1/1 G, L 1/1 G, L 1/1 G", "L 3/1, L 5/1", 0),
        ("L 1/1 G", "L 3/1, L 3/1, R 2/2", 5),  # of equals one
    ],
)
def test_threat_is_what_the_enemy_creatures_could_do_next_turn(own: str, enemy: str, threat: int) -> None:
    assert value("threat", position(own, enemy), 0) == threat


def test_threat_counts_creatures_that_have_attacked_or_just_came() -> None:
    assert value("threat", position("L 2/2 spent, R 3/3 asleep"), 1) == 5


def test_board_is_the_value_of_the_cards_in_play_whatever_their_state() -> None:
    state = position("L #68 1/1, R #3", "L #68")
    assert value("board", state, 0) == pytest.approx(worth(SQUID) + worth(BEAVRAT))
    assert value("board", state, 1) == pytest.approx(worth(SQUID))


def test_items_is_the_value_of_the_items_in_hand_creatures_do_not_count() -> None:
    state = position(hand=[BREAD, SQUID, FIREBOLT], enemy_hand=[BREAD])
    assert value("items", state, 0) == pytest.approx(worth(BREAD) + worth(FIREBOLT))
    assert value("items", state, 1) == pytest.approx(worth(BREAD))


def test_draws_is_the_number_of_cards_that_come_next_turn() -> None:
    assert value("draws", position()) == 1
    assert value("draws", summon(position(hand=[36]), 0)) == 3


def test_the_value_is_the_weighted_sum() -> None:
    state = position("L #68", "R 4/4", hand=[BREAD], enemy_hp=24)
    weights = {"damage": 3.0, "threat": -2.0, "board": 5.0, "items": 1.0, "draws": 0.5}
    parts = {name: value(name, state) for name in FEATURES}
    expected = sum(weights[name] * parts[name] for name in FEATURES)
    assert state.in_game(locm(information="open", weights=weights)).evaluate()[0] == pytest.approx(expected)
    assert state.in_game(game().with_weights(**weights)).evaluate()[0] == pytest.approx(expected)


def test_weights_of_other_names_are_refused() -> None:
    with pytest.raises(TacticianError, match="attack"):
        game().with_weights(attack=2.0)


# -- what a card is worth --------------------------------------------------------------------------------------


def test_by_rank_the_best_card_is_worth_ten_and_the_worst_just_above_nothing() -> None:
    values = dict(zip((card.number for card in CARDS), values_of("rank", CARDS), strict=True))
    best = min(draft_scores(), key=lambda number: draft_scores()[number].coac_first)
    assert best == 68
    assert values[best] == 10
    assert min(values.values()) == values[140] == pytest.approx(10 / 160)


def test_by_stats_it_is_worth_what_is_printed_on_it() -> None:
    assert values_of("stats", [CARDS[SQUID - 1], CARDS[FIREBOLT - 1]]) == [12, 3]
    state = position("L #68", of=only("board", card_value="stats"))
    assert state.evaluate()[0] == 12


def test_generated_cards_have_no_rank_and_are_measured_otherwise() -> None:
    """Their numbers are those of ranked cards, but they are other cards."""
    cards = generate_cards(1)
    values = values_of("rank", cards)
    ranks = values_of("rank", CARDS)
    assert [values[number] for number in range(1, 120)] != [ranks[number - 1] for number in range(1, 120)]
    assert all(0 < value <= 10 for value in values)
    assert values_of("rank", [card(SQUID, values="9/9", cost=1), card(SQUID, values="1/1", cost=9)]) == [10, 0.1]


def test_every_reading_gives_every_card_a_value() -> None:
    for reading in CARD_VALUES:
        assert all(value >= 0 for value in values_of(reading, CARDS))


# -- both sides ------------------------------------------------------------------------------------------------


def test_the_relative_evaluation_is_the_difference_of_both_sides() -> None:
    state = position("L #68", "R 4/4", hand=[BREAD], enemy_hp=24)
    one, other = state.evaluate()
    relative = game(evaluation="relative")
    assert relative.zero_sum
    assert not game().zero_sum
    assert state.in_game(relative).evaluate() == pytest.approx([one - other, other - one])


def test_a_finished_game_is_worth_the_bounds() -> None:
    for of in (game(), game(evaluation="relative")):
        won = attack(position("L 9/9", enemy_hp=5, of=of), 0)
        low, high = of.value_range
        assert won.evaluate() == [high, low]
        assert low == -high


def test_bounds_follow_the_weights() -> None:
    assert game().with_weights(damage=10.0).value_range[1] > game().value_range[1]


@settings(deadline=None, max_examples=20)
@given(
    seed=st.integers(0, 2**32),
    version=st.sampled_from(["1.0", "1.2", "1.5"]),
    evaluation=st.sampled_from(["paper", "relative"]),
    weights=st.fixed_dictionaries({name: st.integers(-5, 5).map(float) for name in FEATURES}),
)
def test_values_stay_within_the_bounds_and_below_a_win(
    seed: int, version: str, evaluation: str, weights: dict[str, float]
) -> None:
    of = game(version=version, evaluation=evaluation).with_weights(**weights)
    low, high = of.value_range
    for state in random_play(of, seed):
        values = state.evaluate()
        if state.is_over():
            assert sorted(values) == [low, high]
        else:
            assert all(low < value < high for value in values)
            if evaluation == "relative":
                assert sum(values) == 0


def test_positions_beyond_all_measure_are_judged_at_the_edge() -> None:
    for of in (game(), game(evaluation="relative")):
        low, high = of.value_range
        for hp, enemy_hp in ((30_000, 1), (1, 30_000)):
            state = position("L 9000/9", "R 9000/9", hp=hp, enemy_hp=enemy_hp, of=of)
            assert all(low < value < high for value in state.evaluate())
