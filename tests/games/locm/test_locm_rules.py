"""The rules of the battle, one small position each: what a turn begins with, what actions do, and who wins."""

from __future__ import annotations

import itertools

import pytest
from locm_boards import (
    FACE,
    act,
    attack,
    board,
    card,
    end_turn,
    game,
    hand,
    health,
    legal,
    position,
    ready,
    side,
    summon,
    unit_id,
    use,
    winner,
)

from tactician.contract import Game, State
from tactician.errors import IllegalActionError
from tactician.games.locm.cards import CARDS, CardKind

BEAVRAT, CHOMPLEAF, INFESTED_TOAD, CYCLOPS, HAMMERHEAD, FLUMPY, OWL = 3, 25, 28, 34, 67, 91, 83
HAT, BREAD, PIE, WARD, HORNS, WINGS = 121, 122, 133, 137, 138, 140
KNIFE, SUPPRESSION, AXE, SCIMITAR, HELM_CRUSHER, DECIMATE = 141, 142, 144, 146, 148, 151
POTION, POISON, FIREBOLT, SAP, THUNDER, DRAIN = 153, 154, 155, 157, 158, 159


# -- the opening -----------------------------------------------------------------------------------------------


def test_the_first_player_begins_with_five_cards_the_second_with_five_before_his_turn() -> None:
    state = game().initial_state(seed=3)
    assert [len(side(state, p)["hand"]) for p in (0, 1)] == [5, 5]
    assert [side(state, p)["deck_n"] for p in (0, 1)] == [25, 25]
    assert health(state) == (30, 30)
    assert [side(state, p)["rune"] for p in (0, 1)] == [25, 25]
    assert (side(state, 0)["mana"], side(state, 1)["mana"]) == (1, 1)
    assert (side(state, 0)["bonus"], side(state, 1)["bonus"]) == (0, 1)
    after = end_turn(state)
    assert len(side(after, 1)["hand"]) == 6
    assert side(after, 1)["mana"] == 2


def test_instance_ids_rise_in_draw_order_odd_for_the_first_player() -> None:
    state = game().initial_state(seed=3)
    assert [i for i, _ in side(state, 0)["hand"]] == [1, 3, 5, 7, 9]
    assert [i for i, _ in side(state, 1)["hand"]] == [2, 4, 6, 8, 10]


# -- mana ------------------------------------------------------------------------------------------------------


def manas(player: int, turns: int, spend_all_in: int | None = None) -> list[int]:
    """The mana at the start of each own turn of a game in which nothing happens but one turn of spending all."""
    found: list[int] = []
    state = game().initial_state(decks=[[BEAVRAT] * 30] * 2)
    while len(found) < turns:
        if side(state, player)["hp"] and state.to_json()["cur"] == player:
            found.append(side(state, player)["mana"])
            if len(found) == spend_all_in:
                data = state.to_json()
                data["players"][player]["mana"] = 0
                state = game().state_from_json(data)
        state = end_turn(state)
    return found


def test_mana_grows_by_one_a_turn_up_to_twelve() -> None:
    assert manas(0, 14) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12]


def test_the_second_player_has_one_more_until_he_ends_a_turn_with_nothing_left() -> None:
    assert manas(1, 14) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 13]
    assert manas(1, 6, spend_all_in=1) == [2, 2, 3, 4, 5, 6]
    assert manas(1, 6, spend_all_in=3) == [2, 3, 4, 4, 5, 6]
    assert manas(1, 15, spend_all_in=13) == [*range(2, 14), 13, 12, 12]


def test_the_first_player_loses_nothing_by_spending_all() -> None:
    assert manas(0, 4, spend_all_in=2) == [1, 2, 3, 4]


def test_cards_cost_mana_and_what_is_too_dear_is_not_legal() -> None:
    state = position(hand=[CYCLOPS, BEAVRAT], mana=5)
    assert side(summon(state, 0), 0)["mana"] == 0
    assert legal(summon(state, 0)) == ["PASS"]
    with pytest.raises(IllegalActionError):
        summon(position(hand=[CYCLOPS], mana=4), 0)


# -- drawing ---------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_a_card_and_those_earned_before() -> None:
    state = position(enemy_hand=[1], enemy_deck=[5, 6, 7, 8], enemy_next_draw=3)
    after = end_turn(state)
    assert hand(after, 1) == [1, 5, 6, 7]
    assert side(after, 1)["next_draw"] == 1
    assert side(after, 1)["shown_draw"] == 3
    assert side(after, 1)["deck_n"] == 1


def test_a_hand_holds_eight_cards_and_what_does_not_fit_stays_on_the_deck() -> None:
    state = position(enemy_hand=[3] * 7, enemy_deck=[5, 6, 7], enemy_next_draw=3)
    after = end_turn(state)
    assert hand(after, 1) == [3] * 7 + [5]
    assert side(after, 1)["deck_n"] == 2
    assert side(after, 1)["hp"] == 30


def test_an_empty_deck_costs_the_highest_rune_and_health_down_to_it() -> None:
    after = end_turn(position(enemy_deck=[]))
    assert (side(after, 1)["hp"], side(after, 1)["rune"]) == (25, 20)
    assert side(after, 1)["next_draw"] == 1, "a burnt rune earns no card"


def test_every_missing_card_burns_a_rune_even_with_a_full_hand() -> None:
    after = end_turn(position(enemy_hand=[3] * 8, enemy_deck=[], enemy_next_draw=3))
    assert (side(after, 1)["hp"], side(after, 1)["rune"]) == (15, 10)


def test_cards_that_are_there_are_drawn_before_runes_burn() -> None:
    after = end_turn(position(enemy_deck=[7], enemy_next_draw=2))
    assert hand(after, 1) == [7]
    assert (side(after, 1)["hp"], side(after, 1)["rune"]) == (25, 20)


def test_a_burn_sets_health_to_the_rune_whatever_it_was() -> None:
    assert side(end_turn(position(enemy_deck=[], enemy_hp=42, enemy_rune=5)), 1)["hp"] == 5


def test_whoever_has_no_rune_left_dies_of_a_missing_card() -> None:
    after = end_turn(position(enemy_deck=[], enemy_hp=3))
    assert side(after, 1)["hp"] == 0
    assert winner(after) == 0


def test_six_missed_cards_kill() -> None:
    state = position(enemy_deck=[], deck=[3] * 29, hand=[])
    seen = []
    while not state.is_over():
        state = end_turn(state)
        seen.append(side(state, 1)["hp"])
    assert seen[::2] == [25, 20, 15, 10, 5, 0]
    assert winner(state) == 0


def test_from_the_fifty_first_own_turn_draws_burn_and_the_deck_stays() -> None:
    before, after = end_turn(position(turn=97)), end_turn(position(turn=99))
    assert (before.to_json()["turn"], side(before, 0)["hp"], side(before, 0)["deck_n"]) == (98, 30, 29)
    assert (after.to_json()["turn"], side(after, 0)["hp"], side(after, 0)["deck_n"]) == (100, 25, 30)


def test_a_game_in_which_nobody_does_anything_ends_in_the_first_players_56th_turn() -> None:
    state = game().initial_state(seed=1)
    while not state.is_over():
        state.apply(0)
    assert state.to_json()["turn"] == 110
    assert winner(state) == 1
    assert side(state, 0)["deck_n"] == 22, "a full hand draws nothing"


# -- runes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hp", "rune", "blow", "left", "draws"),
    [
        (30, 25, 4, 25, 1),  # 26 is above the rune
        (30, 25, 5, 20, 2),  # reaching it is enough
        (30, 25, 9, 20, 2),
        (30, 25, 10, 15, 3),
        (30, 25, 22, 5, 5),  # several at once
        (30, 10, 12, 10, 1),  # after healing, what is gone gives nothing
        (12, 10, 2, 5, 2),
        (3, 0, 2, 0, 1),
    ],
)
def test_damage_breaks_runes_and_each_earns_a_card(hp: int, rune: int, blow: int, left: int, draws: int) -> None:
    after = attack(position(f"L {blow}/1", enemy_hp=hp, enemy_rune=rune), 0)
    assert side(after, 1)["hp"] == hp - blow
    assert side(after, 1)["rune"] == left
    assert side(after, 1)["next_draw"] == draws
    assert len(side(end_turn(after), 1)["hand"]) == draws


def test_damage_to_oneself_breaks_runes_too_and_the_card_comes_next_turn() -> None:
    after = summon(position(hand=[CHOMPLEAF], hp=27), 0)  # -2 to both
    assert (side(after, 0)["hp"], side(after, 0)["rune"], side(after, 0)["next_draw"]) == (25, 20, 2)
    assert len(hand(end_turn(end_turn(after)), 0)) == 2


def test_healing_restores_no_rune_and_has_no_limit() -> None:
    after = use(position(hand=[POTION], hp=28, rune=10), 0)
    assert (side(after, 0)["hp"], side(after, 0)["rune"], side(after, 0)["next_draw"]) == (33, 10, 1)


# -- summons ---------------------------------------------------------------------------------------------------


def test_a_creature_comes_with_its_printed_values_and_can_not_attack() -> None:
    after = summon(position(hand=[7, 5]), 0, "R")
    assert board(after, 0) == "R 2/2 W"
    assert ready(after, 0) == [0]
    assert hand(after, 0) == [5]
    assert side(after, 0)["mana"] == 10
    assert side(after, 0)["acts"] == ["SUMMON 1 1"]


def test_a_creature_with_charge_can_attack_at_once() -> None:
    assert ready(summon(position(hand=[OWL]), 0), 0) == [1]


def test_creatures_stand_in_the_order_of_summoning_over_both_lanes() -> None:
    state = summon(summon(position("R 1/1", hand=[5, 6]), 0, "L"), 0, "R")
    assert board(state, 0) == "R 1/1, L 4/1, R 3/2"


@pytest.mark.parametrize(
    ("number", "own", "enemy", "draws"),
    [(27, 32, 30, 1), (30, 30, 28, 1), (13, 31, 29, 1), (36, 30, 30, 3), (45, 27, 30, 1), (CHOMPLEAF, 28, 28, 1)],
)
def test_summons_change_health_and_draw_cards(number: int, own: int, enemy: int, draws: int) -> None:
    after = summon(position(hand=[number]), 0)
    assert health(after) == (own, enemy)
    assert side(after, 0)["next_draw"] == draws


def test_card_91_heals_the_opponent() -> None:
    assert CARDS[FLUMPY - 1].enemy_hp == 1
    after = summon(position(hand=[FLUMPY], enemy_hp=25), 0)
    assert health(after) == (30, 26)
    assert side(after, 1)["rune"] == 20


def test_a_lane_has_three_places() -> None:
    state = position("L 1/1, L 1/1, L 1/1", hand=[BEAVRAT])
    assert [text for text in legal(state) if text.startswith("SUMMON")] == ["SUMMON 7 1"]


# -- attacks on the player -------------------------------------------------------------------------------------


def test_an_attack_on_the_player_costs_him_the_attack_and_nobody_else_anything() -> None:
    after = attack(position("L 4/3 W", "R 2/2"), 0, FACE)
    assert health(after) == (30, 26)
    assert board(after, 0) == "L 4/3 W"
    assert ready(after, 0) == [0]
    assert side(after, 0)["board"][0]["att"] == 1


def test_drain_heals_by_the_attack_on_the_player() -> None:
    assert health(attack(position("L 4/3 D"), 0)) == (34, 26)


def test_a_creature_without_attack_may_attack_and_does_nothing() -> None:
    after = attack(position("L 0/3 D"), 0)
    assert health(after) == (30, 30)
    assert ready(after, 0) == [0]


def test_a_creature_attacks_once_a_turn_and_again_in_the_next() -> None:
    after = attack(position("L 1/1"), 0)
    with pytest.raises(IllegalActionError):
        attack(after, 0)
    again = end_turn(end_turn(after))
    assert ready(again, 0) == [1]
    assert side(again, 0)["board"][0]["att"] == 0


def test_a_guard_protects_its_own_lane_only() -> None:
    state = position("L 2/2, R 2/2", "L 1/1 G, L 1/1, R 1/1")
    left, right = unit_id(state, 0, 0), unit_id(state, 0, 1)
    guard, _, other = (unit_id(state, 1, i) for i in range(3))
    assert [text for text in legal(state) if text.startswith(f"ATTACK {left} ")] == [f"ATTACK {left} {guard}"]
    assert [text for text in legal(state) if text.startswith(f"ATTACK {right} ")] == [
        f"ATTACK {right} -1",
        f"ATTACK {right} {other}",
    ]


# -- fights ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "target", "mine", "theirs", "hp"),
    [
        ("3/4", "2/5", "3/2", "2/2", (30, 30)),  # both live
        ("3/4", "2/3", "3/2", "", (30, 30)),  # exactly enough kills
        ("3/2", "2/9", "", "2/6", (30, 30)),
        ("3/2", "2/3", "", "", (30, 30)),  # both die
        ("3/4", "2/5 W", "3/2", "2/5", (30, 30)),  # Ward is spent, nothing is lost
        ("3/4 W", "2/5", "3/4", "2/2", (30, 30)),
        ("3/4 W", "2/5 W", "3/4", "2/5", (30, 30)),
        ("0/4", "2/5 W", "0/2", "2/5 W", (30, 30)),  # a blow of 0 doesn't take a Ward
        ("3/4 W", "0/5", "3/4 W", "0/2", (30, 30)),
        ("1/4 L", "2/5", "1/2 L", "", (30, 30)),
        ("1/4 L", "2/5 W", "1/2 L", "2/5", (30, 30)),  # Ward stops Lethal
        ("0/4 L", "2/5", "0/2 L", "2/5", (30, 30)),  # so does a blow of 0
        ("3/9", "1/5 L", "", "1/2 L", (30, 30)),
        ("3/9 W", "1/5 L", "3/9", "1/2 L", (30, 30)),
        ("3/9", "0/5 L", "3/9", "0/2 L", (30, 30)),
        ("7/4 B", "2/5", "7/2 B", "", (30, 28)),  # the excess goes through
        ("5/4 B", "2/5", "5/2 B", "", (30, 30)),
        ("7/4 B", "2/5 W", "7/2 B", "2/5", (30, 30)),  # not through a Ward
        ("3/4 BL", "2/5", "3/2 BL", "", (30, 30)),  # a kill by Lethal alone has no excess
        ("7/4 BL", "2/5", "7/2 BL", "", (30, 28)),
        ("3/4", "7/2 B", "", "", (30, 30)),  # a defender's Breakthrough does nothing
        ("7/4 D", "2/5", "7/2 D", "", (37, 30)),  # all of the attack, not only what was needed
        ("7/4 D", "2/9", "7/2 D", "2/2", (37, 30)),
        ("7/4 D", "2/5 W", "7/2 D", "2/5", (30, 30)),
        ("7/2 D", "2/5", "", "", (37, 30)),  # also if it dies
        ("3/4", "2/5 D", "3/2", "2/2 D", (30, 30)),  # defenders never drain
        ("7/4 BD", "2/5", "7/2 BD", "", (37, 28)),
        ("2/2 G", "2/2 G", "", "", (30, 30)),  # Guard makes no difference in a fight
        ("1/1 BCDGLW", "1/1 BCDGLW", "1/1 BCDGL", "1/1 BCDGL", (30, 30)),
    ],
)
def test_fights(attacker: str, target: str, mine: str, theirs: str, hp: tuple[int, int]) -> None:
    after = attack(position(f"L {attacker}", f"L {target}"), 0, 0)
    assert board(after, 0) == (f"L {mine}" if mine else "")
    assert board(after, 1) == (f"L {theirs}" if theirs else "")
    assert health(after) == hp
    assert ready(after, 0) in ([], [0])


def expected_fight(a: tuple[int, int, str], t: tuple[int, int, str]) -> tuple[str, str, tuple[int, int]]:
    """A fight as the rules tell it, sentence by sentence."""
    dealt = 0 if "W" in t[2] else a[0]
    taken = 0 if "W" in a[2] else t[0]
    killed_by_blow = dealt >= t[1]
    excess = dealt - t[1] if killed_by_blow and "B" in a[2] else 0
    killed = killed_by_blow or ("L" in a[2] and dealt > 0)
    falls = taken >= a[1] or ("L" in t[2] and taken > 0)
    gain = a[0] if "D" in a[2] and dealt > 0 else 0

    def survivor(unit: tuple[int, int, str], damage: int, blow: int) -> str:
        letters = unit[2].replace("W", "") if blow > 0 else unit[2]
        return f"L {unit[0]}/{unit[1] - damage} {letters}".strip()

    mine = "" if falls else survivor(a, taken, t[0])
    return mine, "" if killed else survivor(t, dealt, a[0]), (30 + gain, 30 - excess)


LETTERS = [
    "".join(c for c in letters if c) for letters in itertools.product(("", "B"), ("", "D"), ("", "L"), ("", "W"))
]


@pytest.mark.parametrize("letters", LETTERS, ids=lambda text: text or "none")
def test_every_combination_of_abilities_in_a_fight(letters: str) -> None:
    """Against weak, even and strong targets with every combination of Guard, Lethal and Ward."""
    for theirs in ("", "G", "L", "W", "GL", "GW", "LW", "GLW"):
        for mine in ((0, 3), (2, 2), (5, 1)):
            for foe in ((0, 2), (1, 5), (3, 3)):
                one, other = (*mine, letters), (*foe, theirs)
                state = position(*(f"L {u[0]}/{u[1]} {u[2]}".strip() for u in (one, other)))
                after = attack(state, 0, 0)
                assert (board(after, 0), board(after, 1), health(after)) == expected_fight(one, other), (one, other)


def test_the_dead_leave_and_the_others_keep_their_order() -> None:
    after = attack(position("L 1/1, L 5/1, R 2/2", "L 1/1, L 3/3, L 4/4"), 1, 1)
    assert board(after, 0) == "L 1/1, R 2/2"
    assert board(after, 1) == "L 1/1, L 4/4"


# -- items -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "before", "after"),
    [
        (BREAD, "1/1", "2/4 G"),
        (BREAD, "1/1 G", "2/4 G"),  # what is there already is not added twice
        (PIE, "1/1", "5/1 W"),
        (139, "1/1 B", "1/1 BLW"),
    ],
)
def test_green_items_strengthen_an_own_creature(item: int, before: str, after: str) -> None:
    assert board(use(position(f"L {before}", hand=[item]), 0, 0), 0) == f"L {after}"


def test_a_green_item_can_go_to_a_creature_summoned_this_turn() -> None:
    assert board(use(summon(position(hand=[BEAVRAT, BREAD]), 0), 0, 0), 0) == "L 3/5 G"


@pytest.mark.parametrize(("readiness", "can"), [("", 1), (" asleep", 1), (" spent", 0)])
def test_charge_from_an_item_wakes_a_creature_but_gives_no_second_attack(readiness: str, can: int) -> None:
    assert ready(use(position(f"L 1/1{readiness}", hand=[WINGS]), 0, 0), 0) == [can]


@pytest.mark.parametrize(
    ("item", "before", "after"),
    [
        (KNIFE, "3/3", "2/2"),
        (KNIFE, "0/3", "0/2"),  # attack never falls below 0
        (KNIFE, "3/1", ""),
        (KNIFE, "3/3 W", "2/3"),  # Ward stops the damage and is spent; the attack falls all the same
        (SUPPRESSION, "3/3 BCDGLW", "3/3"),
        (SUPPRESSION, "3/3", "3/3"),
        (143, "3/3 GW", "3/3 W"),  # no damage, no Ward spent
        (HELM_CRUSHER, "3/3 GW", "3/1"),  # Ward is taken first, then it hurts
        (DECIMATE, "3/3 W", ""),
        (AXE, "3/2", ""),
        (150, "9/9", "9/6"),
    ],
)
def test_red_items_weaken_an_enemy_creature(item: int, before: str, after: str) -> None:
    state = use(position("", f"R {before}", hand=[item]), 0, 0)
    assert board(state, 1) == (f"R {after}" if after else "")


def test_losing_charge_changes_nothing_about_being_ready() -> None:
    """A creature that is ready stays so in its next turn; losing Charge takes only the letter."""
    after = use(position("", "R 3/3 CG", hand=[SUPPRESSION]), 0, 0)
    assert board(after, 1) == "R 3/3"
    assert ready(end_turn(after), 1) == [1]


def test_red_items_reach_behind_guards_and_into_every_lane() -> None:
    state = position("L 1/1", "L 1/1 G, L 2/2, R 3/3", hand=[AXE])
    assert len([text for text in legal(state) if text.startswith("USE")]) == 3


@pytest.mark.parametrize("number", [POTION, POISON, FIREBOLT, 156, SAP, THUNDER, DRAIN, 160])
def test_every_blue_item_goes_to_the_opponent_or_any_of_his_creatures(number: int) -> None:
    state = position("L 1/1", "L 1/9 G, R 1/9", hand=[number])
    uses = [text for text in legal(state) if text.startswith("USE")]
    assert uses == ["USE 3 2", "USE 3 4", "USE 3 -1"]


@pytest.mark.parametrize(
    ("number", "own", "enemy", "draws"),
    [
        (POTION, 35, 30, 1),
        (POISON, 30, 28, 2),
        (FIREBOLT, 30, 26, 1),  # 3 of its defense and 1 of its effect
        (SAP, 31, 29, 2),
        (THUNDER, 30, 26, 1),
        (DRAIN, 33, 27, 1),
    ],
)
def test_blue_items_on_the_opponent(number: int, own: int, enemy: int, draws: int) -> None:
    after = use(position(hand=[number]), 0)
    assert health(after) == (own, enemy)
    assert side(after, 0)["next_draw"] == draws
    assert side(after, 0)["acts"] == ["USE 1 -1"]


def test_a_blue_item_on_the_opponent_is_one_change_of_health() -> None:
    """3 and 1 together: had the effect healed, the sum would count and not the damage alone."""
    own_cards = (*CARDS[:159], card(160, CardKind.BLUE, "0/-5", enemy=4))
    of = game(cards=own_cards)
    after = use(position(hand=[160], of=of, enemy_hp=27), 0)
    assert health(after) == (30, 26)
    assert side(after, 1)["rune"] == 25, "it never was below 26"


def test_a_blue_item_on_a_creature_hurts_it_and_still_has_its_effects() -> None:
    after = use(position("", "L 2/4 W, R 2/4", hand=[FIREBOLT, DRAIN]), 0, 1)
    assert board(after, 1) == "L 2/4 W, R 2/1"
    assert health(after) == (30, 29)
    again = use(after, 0, 0)
    assert board(again, 1) == "L 2/4, R 2/1"
    assert health(again) == (33, 29)


def test_items_change_health_and_draw_cards() -> None:
    after = use(use(position("L 1/1", "L 5/5", hand=[HAT, SCIMITAR]), 0, 0), 0, 0)
    assert side(after, 0)["next_draw"] == 2
    assert board(after, 1) == "L 3/3"
    assert health(after) == (30, 28)
    assert side(use(position("L 1/1", hand=[130]), 0, 0), 0)["hp"] == 34


def test_an_items_abilities_are_given_and_not_used() -> None:
    """Card 148 takes Lethal, Drain and Breakthrough away; it neither kills, nor drains, nor breaks through."""
    after = use(position("", "L 1/3", hand=[HELM_CRUSHER]), 0, 0)
    assert board(after, 1) == "L 1/1"
    assert health(after) == (30, 30)


# -- winning ---------------------------------------------------------------------------------------------------


def test_the_game_ends_with_the_blow_that_kills() -> None:
    after = attack(position("L 4/1, L 4/1", enemy_hp=4), 0)
    assert winner(after) == 0
    assert after.returns() == [1.0, -1.0]
    assert after.legal_actions() == []
    assert after.possible_actions() == []
    with pytest.raises(IllegalActionError, match="the game is over"):
        attack(after, 1)


def test_health_may_end_below_zero() -> None:
    assert side(attack(position("L 9/1", enemy_hp=2), 0), 1)["hp"] == -7


@pytest.mark.parametrize("turn", [10, 11])
def test_if_both_die_the_player_who_acted_wins(turn: int) -> None:
    after = summon(position(hand=[CHOMPLEAF], hp=2, enemy_hp=2, turn=turn), 0)
    assert health(after) == (0, 0)
    assert winner(after) == turn % 2


def test_whoever_kills_himself_loses() -> None:
    assert winner(summon(position(hand=[45], hp=3), 0)) == 1


def test_nobody_has_won_before() -> None:
    state = position("L 3/3", enemy_hp=4)
    assert winner(attack(state, 0)) is None
    assert state.returns() == [0.0, 0.0]


def test_whoever_dies_of_drawing_loses_at_the_start_of_his_turn() -> None:
    after = end_turn(position(enemy_deck=[], enemy_hp=2))
    assert winner(after) == 0
    assert after.to_json()["cur"] == 1


# -- what bots are shown ---------------------------------------------------------------------------------------


def shown(state: State, player: int = 0, place: int = 0) -> list[int]:
    found: list[int] = side(state, player)["board"][place]["eff"]
    return found


def test_effects_of_creatures_are_displayed_until_they_are_touched() -> None:
    state = summon(position(hand=[HAMMERHEAD]), 0)
    assert shown(state) == [0, -2, 0]
    again = end_turn(end_turn(state))
    assert shown(again) == [0, -2, 0]
    assert shown(attack(again, 0)) == [0, 0, 0]


def test_being_attacked_or_the_target_of_an_item_touches_too() -> None:
    state = position("L #67, L 1/1", "L #34, R #34", hand=[BREAD, AXE])
    assert shown(use(state, 0, 0)) == [0, 0, 0]
    assert shown(use(state, 1, 0), 1) == [0, 0, 0]
    fought = attack(state, 1, 0)
    assert (shown(fought, 1, 0), shown(fought, 1, 1)) == ([0, 0, 0], [0, 0, 1])
    assert shown(attack(state, 0, 0)) == [0, 0, 0]


def test_executed_actions_are_kept_until_the_next_own_turn() -> None:
    state = attack(summon(position("L 1/1", hand=[BEAVRAT]), 0), 0)
    assert side(state, 0)["acts"] == ["SUMMON 3 0", "ATTACK 1 -1"]
    assert side(end_turn(state), 0)["acts"] == ["SUMMON 3 0", "ATTACK 1 -1"]
    assert side(end_turn(end_turn(state)), 0)["acts"] == []


# -- one lane --------------------------------------------------------------------------------------------------


def test_version_1_0_has_one_lane_of_six() -> None:
    of = game(version="1.0")
    state = position(", ".join(["L 1/1"] * 5), "L 2/2 G", hand=[BEAVRAT, BEAVRAT], of=of)
    assert legal(state)[:2] == ["SUMMON 11", "SUMMON 13"]
    full = act(state, "SUMMON 11")
    assert board(full, 0).count("L") == 6
    assert not any(text.startswith("SUMMON") for text in legal(full))


# -- version 1.5 -----------------------------------------------------------------------------------------------

MODERN_CARDS = (
    *(card(number) for number in range(4)),
    card(4, values="2/3", text="C", own=-1, enemy=-2, draw=1, area=1),
    card(5, values="2/3", own=1, enemy=-2, draw=1, area=2),
    card(6, CardKind.GREEN, "1/1", text="C", own=2, draw=1, area=1),
    card(7, CardKind.GREEN, "1/1", text="G", area=2),
    card(8, CardKind.RED, "0/-2", enemy=-1, draw=1, area=1),
    card(9, CardKind.RED, "-1/-2", area=2),
    card(10, CardKind.BLUE, "0/-3", own=1, enemy=-1, area=2),
    *(card(number) for number in range(11, 20)),
)
TWINS, PAIR, LANE_WINGS, ALL_GUARD, LANE_AXE, ALL_AXE, ALL_BOLT = 4, 5, 6, 7, 8, 9, 10


def modern() -> Game:
    return game(version="1.5", cards=MODERN_CARDS)


def test_version_1_5_opens_without_runes() -> None:
    state = modern().initial_state(decks=[[1, 2, 3] * 10] * 2)
    assert "rune" not in side(state, 0)
    assert [side(state, p)["lost"] for p in (0, 1)] == [0, 0]
    assert [i for i, _ in side(state, 0)["hand"]] == [0, 2, 4, 6, 8]
    assert [i for i, _ in side(state, 1)["hand"]] == [60, 62, 64, 66, 68]


@pytest.mark.parametrize(
    ("blows", "draws"), [([4], 1), ([5], 2), ([4, 1], 2), ([9], 2), ([10], 3), ([3, 3, 3, 3], 3), ([12, 12], 5)]
)
def test_every_five_points_lost_since_the_own_last_turn_earn_a_card(blows: list[int], draws: int) -> None:
    lanes = ["L", "L", "L", "R", "R"]
    state = position(", ".join(f"{lanes[i]} {blow}/1" for i, blow in enumerate(blows)), of=modern())
    for place in range(len(blows)):
        state = attack(state, place)
    assert side(state, 1)["lost"] == sum(blows)
    assert side(state, 1)["next_draw"] == draws
    assert len(side(end_turn(state), 1)["hand"]) == draws


def test_the_count_begins_anew_after_the_own_draw() -> None:
    state = attack(position("L 3/1", of=modern()), 0)
    assert side(end_turn(state), 1)["lost"] == 0
    assert side(end_turn(end_turn(state)), 1)["lost"] == 0


def test_damage_to_oneself_is_counted_through_the_enemys_turn() -> None:
    after = summon(position(hand=[TWINS], lost=3, of=modern()), 0)
    assert (side(after, 0)["hp"], side(after, 0)["lost"], side(after, 0)["next_draw"]) == (28, 5, 1 + 1 + 2)
    assert side(end_turn(after), 0)["lost"] == 5


def test_a_missing_card_costs_ten_points_without_count() -> None:
    after = end_turn(position(enemy_deck=[], enemy_next_draw=2, of=modern()))
    assert (side(after, 1)["hp"], side(after, 1)["lost"], side(after, 1)["next_draw"]) == (10, 0, 1)


def test_a_full_hand_protects_from_the_empty_deck() -> None:
    after = end_turn(position(enemy_deck=[], enemy_hand=[1] * 8, enemy_next_draw=3, of=modern()))
    assert side(after, 1)["hp"] == 30
    one_short = end_turn(position(enemy_deck=[2], enemy_hand=[1] * 7, enemy_next_draw=3, of=modern()))
    assert (side(one_short, 1)["hp"], len(side(one_short, 1)["hand"])) == (30, 8)


def test_from_the_fifty_first_own_turn_ten_points_are_lost_once_and_cards_still_come() -> None:
    after = end_turn(position(turn=99, enemy_deck=[1, 2, 3], enemy_next_draw=2, of=modern()))
    assert (side(after, 0)["hp"], hand(after, 0)) == (20, [1, 2])
    both = end_turn(position(turn=99, enemy_deck=[], enemy_next_draw=2, enemy_hp=31, of=modern()))
    assert side(both, 0)["hp"] == 1


def test_lane1_summons_a_second_copy_in_the_same_lane() -> None:
    after = summon(position(hand=[TWINS], of=modern()), 0, "R")
    assert board(after, 0) == "R 2/3 C, R 2/3 C"
    assert [u["id"] for u in side(after, 0)["board"]] == [0, 1]
    assert ready(after, 0) == [1, 1]
    assert health(after) == (28, 26)
    assert side(after, 0)["next_draw"] == 3
    assert side(after, 0)["mana"] == 11, "the copy is free"
    assert side(after, 0)["acts"] == ["SUMMON 0 1"]


def test_lane1_without_room_for_the_copy_summons_one() -> None:
    after = summon(position("L 1/1, L 1/1", hand=[TWINS], of=modern()), 0, "L")
    assert board(after, 0) == "L 1/1, L 1/1, L 2/3 C"
    assert health(after) == (29, 28)


def test_lane2_summons_the_copy_in_the_other_lane() -> None:
    after = summon(position(hand=[PAIR], of=modern()), 0, "R")
    assert board(after, 0) == "R 2/3, L 2/3"
    assert health(after) == (32, 26)
    assert side(after, 0)["next_draw"] == 3


def test_lane2_with_the_other_lane_full_summons_one_and_a_full_lane_none() -> None:
    state = position("L 1/1, L 1/1, L 1/1", hand=[PAIR], of=modern())
    assert board(summon(state, 0, "R"), 0) == "L 1/1, L 1/1, L 1/1, R 2/3"
    with pytest.raises(IllegalActionError):
        summon(state, 0, "L")


def test_copies_are_creatures_of_their_own() -> None:
    state = summon(position(hand=[TWINS], of=modern()), 0)
    after = attack(attack(state, 0), 1)
    assert side(after, 1)["hp"] == 26 - 4
    assert side(after, 0)["acts"] == ["SUMMON 0 0", "ATTACK 0 -1", "ATTACK 1 -1"]


def test_an_item_of_lane1_reaches_all_of_the_owner_in_the_targets_lane() -> None:
    state = position("L 1/1 asleep, R 1/1 asleep, L 2/2 spent", hand=[LANE_WINGS], of=modern())
    after = use(state, 0, 0)
    assert board(after, 0) == "L 2/2 C, R 1/1, L 3/3 C"
    assert ready(after, 0) == [1, 0, 0]
    assert side(after, 0)["hp"] == 34, "twice 2, as one change"
    assert side(after, 0)["next_draw"] == 3


def test_an_item_of_lane2_reaches_all_creatures_of_the_owner() -> None:
    after = use(position("L 1/1, R 1/1", "L 1/1", hand=[ALL_GUARD], of=modern()), 0, 1)
    assert board(after, 0) == "L 2/2 G, R 2/2 G"
    assert board(after, 1) == "L 1/1"


def test_red_areas_kill_several_and_count_each() -> None:
    state = position("", "L 3/2, R 3/3, L 3/3 W, L 3/1", hand=[LANE_AXE, ALL_AXE], of=modern())
    after = use(state, 0, 2)
    assert board(after, 1) == "R 3/3, L 3/3"
    assert health(after) == (30, 27)
    assert side(after, 0)["next_draw"] == 4
    assert board(use(after, 0, 0), 1) == "R 2/1, L 2/1"


def test_a_blue_area_ignores_the_area_on_the_player() -> None:
    state = position("", "L 3/3, R 3/4", hand=[ALL_BOLT], of=modern())
    assert health(use(state, 0)) == (31, 26)
    after = use(state, 0, 0)
    assert board(after, 1) == "R 3/1"
    assert health(after) == (32, 28)


def test_effects_stay_displayed_in_version_1_5() -> None:
    after = attack(summon(position(hand=[TWINS], of=modern()), 0), 0)
    assert shown(after) == [-1, -2, 1, 1]
