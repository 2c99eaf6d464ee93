"""Which actions are listed: the legal ones in the referee's order, and all that a turn can make possible."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from locm_boards import a_reached_state, act, card, game, legal, position, possible, random_play

from tactician.contract import Game, State
from tactician.games.locm.actions import KIND, MAX_ID, VERBS, WHO
from tactician.games.locm.cards import CardKind
from tactician.games.locm.listing import MAX_ACTIONS

BEAVRAT, CHARGER, GIANT, BREAD, WINGS, KNIFE, SUPPRESSION, AXE, POTION, FIREBOLT = (
    3, 83, 62, 122, 140, 141, 142, 144, 153, 155,
)  # fmt: skip
PASS = "PASS"


def games() -> list[Game]:
    return [game(), game(version="1.0"), game(version="1.5"), game(draft="random")]


VERSIONS = pytest.mark.parametrize("of", games(), ids=["1.2", "1.0", "1.5", "random decks"])


# -- the legal list --------------------------------------------------------------------------------------------


def test_the_legal_list_is_in_the_referees_order() -> None:
    """Summons by lane and hand, attacks by board, uses by hand, the end of the turn."""
    state = position(
        "R 2/2, L 2/2, R 2/2 asleep",
        "R 1/1, L 1/1 G, L 1/1, R 1/1",
        hand=[BREAD, BEAVRAT, AXE, POTION, CHARGER, GIANT],
        mana=4,
    )
    bread, beavrat, axe, potion, charger = 7, 9, 11, 13, 15
    assert legal(state) == [
        f"SUMMON {beavrat} 0",
        f"SUMMON {charger} 0",
        f"SUMMON {beavrat} 1",
        f"SUMMON {charger} 1",
        "ATTACK 1 -1",
        "ATTACK 1 2",
        "ATTACK 1 8",
        "ATTACK 3 4",
        f"USE {bread} 1",
        f"USE {bread} 3",
        f"USE {bread} 5",
        f"USE {axe} 2",
        f"USE {axe} 4",
        f"USE {axe} 6",
        f"USE {axe} 8",
        f"USE {potion} 2",
        f"USE {potion} 4",
        f"USE {potion} 6",
        f"USE {potion} 8",
        f"USE {potion} -1",
        PASS,
    ]


def test_several_guards_are_listed_in_their_order_and_nothing_else() -> None:
    state = position("L 2/2", "L 1/1 G, L 1/1, L 1/1 G, R 1/1 G")
    assert legal(state) == ["ATTACK 1 2", "ATTACK 1 6", PASS]


def test_full_lanes_are_skipped() -> None:
    state = position("L 1/1 asleep, L 1/1 asleep, L 1/1 asleep, R 1/1 asleep", hand=[BEAVRAT])
    assert legal(state) == ["SUMMON 9 1", PASS]


def test_passing_is_always_legal() -> None:
    assert legal(position()) == [PASS]


def every_code() -> list[int]:
    """All numbers that mean an action, and some around them that mean nothing."""
    ids = range(MAX_ID + 1)
    targets = {1: range(4), 2: range(WHO), 3: range(WHO)}
    codes = [kind * KIND + who * WHO + where for kind in VERBS for who in ids for where in targets[kind]]
    return [*codes, *range(-3, 200), 4 * KIND, 4 * KIND + 5, 9 * KIND, -KIND, -(2**31), 2**31 - 1]


@VERSIONS
def test_one_action_is_legal_exactly_if_it_is_listed(of: Game) -> None:
    state = max(islice(random_play(of, seed=5), 70), key=lambda state: len(state.legal_actions()))
    listed = set(state.legal_actions())
    assert len(listed) > 5
    assert {code for code in every_code() if state.is_legal(code)} == listed


@settings(deadline=None, max_examples=40)
@given(
    of=st.sampled_from(range(4)),
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 150),
    codes=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 127), st.integers(0, 127)), min_size=200, max_size=200),
)
def test_one_action_is_legal_exactly_if_it_is_listed_anywhere(
    of: int, seed: int, steps: int, codes: list[tuple[int, int, int]]
) -> None:
    state = a_reached_state(games()[of], seed, steps)
    listed = state.legal_actions()
    assert len(set(listed)) == len(listed)
    assert listed[-1] == 0
    everything = {*state.possible_actions(), *(k * KIND + who * WHO + where for k, who, where in codes)}
    assert {code for code in everything if state.is_legal(code)} == set(listed)


# -- what may become possible ----------------------------------------------------------------------------------


def everything_reached(state: State) -> set[int]:
    """All actions that are legal anywhere in the turn, by trying every order."""
    found: set[int] = set()
    open_states, seen = [state], {state.digest()}
    while open_states:
        current = open_states.pop()
        actions = current.legal_actions()
        found.update(actions)
        for action in actions[:-1]:
            after = current.copy().apply(action)
            if not after.is_over() and after.digest() not in seen:
                seen.add(after.digest())
                open_states.append(after)
    return found


def own_cards() -> Game:
    cards = (
        *(card(number) for number in range(16)),
        card(16, values="1/1", text="C", area=1),
        card(17, values="1/1", area=2),
        card(18, CardKind.GREEN, "0/0", text="C", area=2),
        card(19, CardKind.RED, "0/-1", area=1),
    )
    return game(version="1.5", cards=cards)


SMALL = {
    "an attack behind a guard": position("L 2/2, R 1/1", "L 1/1 G, L 1/1", hand=[KNIFE]),
    "a guard that stays": position("L 1/1", "L 1/9 G, L 1/1"),
    "items on newcomers": position("", "L 1/1", hand=[BEAVRAT, BREAD, CHARGER], mana=3),
    "too dear together": position("", "L 1/1", hand=[BEAVRAT, BREAD], mana=2),
    "wings for newcomers": position("", "L 1/1, R 1/1 G", hand=[BEAVRAT, WINGS], mana=3),
    "wings for sleepers": position("L 2/2 asleep, R 1/1 spent", "L 1/1 G, L 2/1", hand=[WINGS]),
    "a full lane that may become free": position("L 1/1, L 1/1, L 1/1", "L 2/2", hand=[BEAVRAT, GIANT]),
    "blue and red": position("L 1/1", "L 1/3 G, R 2/2", hand=[FIREBOLT, SUPPRESSION, AXE], mana=4),
    "nothing": position(),
    "copies": position("", "L 1/1, R 1/1 G", hand=[16, 17, 18], mana=3, of=own_cards()),
    "areas": position("L 1/2, R 1/2", "L 1/1 G, L 2/1", hand=[17, 18, 19], mana=3, of=own_cards()),
}


@pytest.mark.parametrize("name", SMALL)
def test_whatever_any_order_makes_legal_is_possible(name: str) -> None:
    state = SMALL[name]
    listed = state.possible_actions()
    assert set(listed) >= everything_reached(state)
    assert len(set(listed)) == len(listed)
    assert listed[-1] == 0


@pytest.mark.parametrize(
    "name", ["items on newcomers", "too dear together", "wings for newcomers", "blue and red", "nothing", "areas"]
)
def test_nothing_else_is_possible_where_every_guard_can_fall_and_every_lane_has_room(name: str) -> None:
    assert set(SMALL[name].possible_actions()) == everything_reached(SMALL[name])


def test_possible_actions_are_summons_by_card_then_uses_then_attacks() -> None:
    state = position("L 2/2", "L 1/1 G, R 1/1", hand=[BREAD, BEAVRAT, CHARGER, FIREBOLT], mana=3)
    bread, beavrat, charger, bolt = 3, 5, 7, 9
    assert possible(state) == [
        f"SUMMON {beavrat} 0",
        f"SUMMON {beavrat} 1",
        f"SUMMON {charger} 0",
        f"SUMMON {charger} 1",
        f"USE {bread} 1",
        f"USE {bread} {beavrat}",
        f"USE {bread} {charger}",
        f"USE {bolt} -1",
        f"USE {bolt} 2",
        f"USE {bolt} 4",
        "ATTACK 1 -1",
        "ATTACK 1 2",
        f"ATTACK {charger} -1",
        f"ATTACK {charger} 2",
        f"ATTACK {charger} 4",
        PASS,
    ]


def test_what_can_not_be_paid_for_is_not_possible() -> None:
    assert possible(position(hand=[GIANT, FIREBOLT], mana=2)) == [PASS]
    assert possible(position(hand=[BEAVRAT, WINGS], mana=2)) == ["SUMMON 1 0", "SUMMON 1 1", PASS]


def test_a_creature_that_has_attacked_is_done() -> None:
    assert possible(position("L 1/1 spent", "L 1/1")) == [PASS]


@VERSIONS
@pytest.mark.parametrize("seed", range(3))
def test_every_turn_of_a_random_game_stays_within_what_was_possible_at_its_start(of: Game, seed: int) -> None:
    turn, within = -2, set()
    most = 0
    for state in random_play(of, seed, hurry=0.03):
        if state.is_over():
            break
        listed = state.possible_actions()
        assert len(set(listed)) == len(listed)
        assert listed[-1] == 0
        most = max(most, len(listed))
        if state.to_json()["turn"] != turn:
            turn, within = state.to_json()["turn"], set(listed)
        assert within.issuperset(state.legal_actions())
        assert within.issuperset(listed), "a turn only loses possibilities"
    assert 5 < most < MAX_ACTIONS


@settings(deadline=None, max_examples=25)
@given(of=st.sampled_from(range(4)), seed=st.integers(0, 2**32), steps=st.integers(0, 120))
def test_random_walks_through_one_turn_find_nothing_that_was_not_possible(of: int, seed: int, steps: int) -> None:
    state = a_reached_state(games()[of], seed, steps)
    within = set(state.possible_actions())
    chance = random.Random(seed)
    for _ in range(8):
        walk = state.copy()
        while not walk.is_over():
            actions = walk.legal_actions()
            assert within.issuperset(actions)
            if len(actions) == 1:
                break
            walk.apply(chance.choice(actions[:-1]))


# -- ratings and groups ----------------------------------------------------------------------------------------


def test_attacks_are_rated_above_summons_above_items_and_the_end_of_the_turn_last() -> None:
    state = position("L 2/2", "R 1/1", hand=[BEAVRAT, AXE])
    actions = state.legal_actions()
    rated = dict(zip(legal(state), state.rate_actions(actions), strict=True))
    assert rated["ATTACK 1 -1"] > rated["SUMMON 3 0"] > rated["USE 5 2"] > rated[PASS]


def test_actions_of_one_card_are_a_group() -> None:
    state = position("L 2/2", "L 1/1", hand=[BEAVRAT])
    groups = {text: state.action_group(state.game.action_from_json(text)) for text in legal(state)}
    assert groups["SUMMON 3 0"] == groups["SUMMON 3 1"] == 3
    assert groups["ATTACK 1 -1"] == groups["ATTACK 1 2"] == 1
    assert groups[PASS] not in range(MAX_ID + 1)


def test_actions_have_names() -> None:
    state = position("L #67", "R #34", hand=[BEAVRAT, AXE])
    names = [state.action_name(action) for action in state.legal_actions()]
    assert names == [
        "summon Beavrat (3) left",
        "summon Beavrat (3) right",
        "Flailing Hammerhead (1) attacks the opponent",
        "use Rune Axe (5) on Eldritch Cyclops (2)",
        "end turn",
    ]
    one_lane = position(hand=[BEAVRAT], of=game(version="1.0"))
    assert one_lane.action_name(one_lane.legal_actions()[0]) == "summon Beavrat (1)"


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    state = position("L 2/2 spent", hand=[GIANT], mana=1)
    before = state.copy()
    for text in ("SUMMON 3 0", "ATTACK 1 -1", "USE 3 -1"):
        with pytest.raises(Exception, match="is not legal here"):
            act(state, text)
    assert state == before
