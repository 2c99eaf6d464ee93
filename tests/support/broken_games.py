"""Small healthy games, and a factory that breaks one thing of them at a time.

`race` has several actions a turn and a chance event, `bids` is for three players who act at once, `cards` hides the
other's card. Each has as many of the optional rules as fit it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tactician import contract
from tactician.contract import SIMULTANEOUS, Game, random
from tactician.native import abi

# -- race: two actions a turn; rolling fills a pot that banking empties ----------------------------------------

RaceConfig = np.dtype([("rounds", "i8")], align=True)
RaceState = np.dtype(
    [("player", "i1"), ("left", "i1"), ("score", "i2", (2,)), ("turns", "i1"), ("pot", "i8")], align=True
)
RACE_PADDING = 7
"""The byte between `turns` and `pot`."""
ROLL, BANK, WAIT = 0, 1, 2

race_rule = contract.rules(RaceConfig, RaceState)


@race_rule.legal_actions
def race_legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    n = 1
    if s.pot > 0:
        out[1] = 1
        n = 2
    out[n] = 2
    return n + 1


@race_rule.apply
def race_apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action == 0:
        s.pot += 1 + random.below(rng, 6)
    elif action == 1:
        s.score[s.player] += s.pot
        s.pot = 0
    s.left -= 1
    if s.left == 0:
        s.left = 2
        s.player = 1 - s.player
        s.turns += 1


@race_rule.current_player
def race_current_player(g: Any, s: Any) -> Any:
    return s.player


@race_rule.is_over
def race_is_over(g: Any, s: Any) -> Any:
    return s.turns >= g.rounds


@race_rule.returns
def race_returns(g: Any, s: Any, out: Any) -> None:
    lead = s.score[0] - s.score[1]
    out[0] = 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)
    out[1] = -out[0]


@race_rule.evaluate
def race_evaluate(g: Any, s: Any, out: Any) -> None:
    out[0] = (s.score[0] - s.score[1]) / 100.0
    out[1] = -out[0]


@race_rule.is_legal
def race_is_legal(g: Any, s: Any, action: Any) -> Any:
    return action == 0 or action == 2 or (action == 1 and s.pot > 0)


@race_rule.candidate_actions
def race_candidate_actions(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    out[0] = 0
    out[1] = 0
    if s.pot > 0 and random.below(rng, 2) == 0:
        out[1] = 1
    return 2


@race_rule.rate_actions
def race_rate_actions(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = s.pot * 0.1 if actions[i] == 1 else -actions[i]


@race_rule.action_group
def race_action_group(g: Any, s: Any, action: Any) -> Any:
    return action // 2


@race_rule.possible_actions
def race_possible_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    for i in range(3):
        out[i] = i
    return 3


@race_rule.key
def race_key(g: Any, s: Any) -> Any:
    return (((s.score[0] * 512 + s.score[1]) * 512 + s.pot) * 64 + s.turns) * 4 + s.left


@race_rule.initial_state
def race_initial_state(g: Any, s: Any, rng: Any) -> None:
    s.left = 2
    s.player = rng.integers(2)


def race() -> Game:
    return race_rule.game("race", max_actions=3, config={"rounds": 10}, value_range=(-5.0, 5.0))


def race_that_draws() -> Game:
    """The race with its optional rules that draw an action without a list."""
    return broken(
        race(),
        random_action=random_of_the_legal,
        random_candidate=random_of_the_candidates,
        best_candidate=best_of_the_candidates,
        evaluate_after=after_waiting,
    )


# -- bids: three players bid coins at once, the highest bid wins a point ---------------------------------------

BidsConfig = np.dtype([("rounds", "i8")], align=True)
BidsState = np.dtype([("coins", "i1", (3,)), ("points", "i1", (3,)), ("round", "i1")], align=True)

bids_rule = contract.rules(BidsConfig, BidsState)


@bids_rule.legal_actions
def bids_legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    n = min(s.coins[player], 3) + 1
    for i in range(n):
        out[i] = i
    return n


@bids_rule.apply_joint
def bids_apply_joint(g: Any, s: Any, actions: Any, rng: Any) -> None:
    best = random.below(rng, 3)
    for player in range(3):
        s.coins[player] -= actions[player]
        if actions[player] > actions[best]:
            best = player
    s.points[best] += 1
    s.round += 1


@bids_rule.current_player
def bids_current_player(g: Any, s: Any) -> Any:
    return SIMULTANEOUS


@bids_rule.is_over
def bids_is_over(g: Any, s: Any) -> Any:
    return s.round >= g.rounds


@bids_rule.returns
def bids_returns(g: Any, s: Any, out: Any) -> None:
    for player in range(3):
        out[player] = s.points[player] / g.rounds


@bids_rule.evaluate
def bids_evaluate(g: Any, s: Any, out: Any) -> None:
    for player in range(3):
        out[player] = s.points[player] / g.rounds


@bids_rule.initial_state
def bids_initial_state(g: Any, s: Any, rng: Any) -> None:
    s.coins = rng.integers(3, 8, 3)


def bids() -> Game:
    return bids_rule.game(
        "bids", max_actions=4, players=3, config={"rounds": 6}, zero_sum=False, value_range=(0.0, 1.0)
    )


# -- cards: each holds a card the other can't see, and may claim no more than it -------------------------------

CardsConfig = np.dtype([("rounds", "i8")], align=True)
CardsState = np.dtype([("player", "i1"), ("round", "i1"), ("card", "i1", (2,)), ("claim", "i1", (2,))], align=True)

cards_rule = contract.rules(CardsConfig, CardsState)


@cards_rule.legal_actions
def cards_legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    for i in range(s.card[player] + 1):
        out[i] = i
    return s.card[player] + 1


@cards_rule.apply
def cards_apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action > s.claim[s.player]:
        s.claim[s.player] = action
    s.player = 1 - s.player
    s.round += 1


@cards_rule.current_player
def cards_current_player(g: Any, s: Any) -> Any:
    return s.player


@cards_rule.is_over
def cards_is_over(g: Any, s: Any) -> Any:
    return s.round >= g.rounds


@cards_rule.returns
def cards_returns(g: Any, s: Any, out: Any) -> None:
    out[0] = (s.claim[0] - s.claim[1]) / 5.0
    out[1] = -out[0]


@cards_rule.evaluate
def cards_evaluate(g: Any, s: Any, out: Any) -> None:
    out[0] = (s.claim[0] - s.claim[1]) / 5.0
    out[1] = -out[0]


@cards_rule.observe
def cards_observe(g: Any, s: Any, player: Any, out: Any) -> None:
    out.card[1 - player] = 0


@cards_rule.resample_hidden
def cards_resample_hidden(g: Any, s: Any, player: Any, rng: Any) -> None:
    least = max(s.claim[1 - player], 1)
    s.card[1 - player] = least + random.below(rng, 6 - least)


@cards_rule.initial_state
def cards_initial_state(g: Any, s: Any, rng: Any) -> None:
    s.card = rng.integers(1, 6, 2)


def cards() -> Game:
    return cards_rule.game("cards", max_actions=6, config={"rounds": 8})


# -- breaking them -----------------------------------------------------------------------------------------------


def broken(game: Game, **functions: Callable[..., Any]) -> Game:
    """The game with some rules or functions of its Python side exchanged."""
    backend, face = game.backend, game.presentation
    for name, function in functions.items():
        if name in abi.RULE_BY_NAME:
            backend = backend.with_rule(abi.RULE_BY_NAME[name], function)
        else:
            face = replace(face, **{name: function})
    return Game(game.info, backend, face, game.config_words())


# Rules, each wrong in one way. Those that index far outside an array would crash the process if they ran compiled.


def player_out_of_range(g: Any, s: Any) -> Any:
    return s.player + (5 if s.turns > 2 else 0)


def player_zero(g: Any, s: Any) -> Any:
    return 0


def player_simultaneous(g: Any, s: Any) -> Any:
    return -1


def lists_nothing_later(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    return 0 if s.turns > 2 else 1


def counts_beyond_max_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    return 4


def writes_beyond_max_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    for i in range(5):
        out[i] = i
    return 3


def lists_twice(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    out[1] = 0
    return 2


def leaves_a_gap(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    out[1] = 2
    return 3


def writes_before_the_list(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[-1] = 2
    out[0] = 0
    return 1


@contract.helper
def random_of_the_legal(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    n = race_legal_actions(g, s, player, out)
    out[0] = out[random.below(rng, n)]
    return n


def random_of_the_candidates(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    n = race_candidate_actions(g, s, player, out, rng)
    out[0] = out[random.below(rng, n)]
    return n


@contract.helper
def best_of_the_candidates(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    n = race_candidate_actions(g, s, player, out, rng)
    if n > 1 and out[1] == 1:  # banking is rated above waiting, and the candidates have nothing else
        out[0] = 1
    return n


def after_waiting(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = np.nan
        if actions[i] == 2 and s.turns + 1 < g.rounds:
            lead = s.score[s.player] - s.score[1 - s.player]
            out[i] = lead / 100.0


def after_anything(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = (s.score[s.player] - s.score[1 - s.player]) / 100.0


def after_waiting_rounded(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = 0.01 if actions[i] == 2 and s.turns + 1 < g.rounds else np.nan


def best_of_the_legal(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    out[0] = 1 if s.pot > 0 else 0
    return 2


def best_miscounted(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    return best_of_the_candidates(g, s, player, out, rng) + 1


def best_that_moves_on(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    n = best_of_the_candidates(g, s, player, out, rng)
    s.pot += 1
    return n


def random_backwards(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    n = race_legal_actions(g, s, player, out)
    out[0] = out[n - 1 - random.below(rng, n)]
    return n


def random_miscounted(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    return random_of_the_legal(g, s, player, out, rng) + 1


def random_drawn_twice(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    n = random_of_the_legal(g, s, player, out, rng)
    random.unit(rng)
    return n


def random_that_moves_on(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    s.pot += 1
    return random_of_the_legal(g, s, player, out, rng)


def is_legal_always(g: Any, s: Any, action: Any) -> Any:
    return True


def is_legal_but_banking(g: Any, s: Any, action: Any) -> Any:
    return action == 0 or action == 2


def is_legal_by_table(g: Any, s: Any, action: Any) -> Any:
    return s.score[action - 1] >= 0 and race_is_legal(g, s, action)


def candidates_none(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    return 0


def candidates_with_a_gap(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    return 1


def candidates_illegal(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    out[0] = 1
    return 1


def candidates_without_the_stream(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    for i in range(3):
        out[i] = 2 * np.random.randint(0, 2)
    return 3


def possible_lacks_one(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    out[1] = 1
    return 2


def possible_lists_twice(g: Any, s: Any, player: Any, out: Any) -> Any:
    for i in range(3):
        out[i] = i
    if s.pot == 0:
        out[1] = 0
    return 3


def rates_nan(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = np.nan


def rates_by_place(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = i


def group_negative(g: Any, s: Any, action: Any) -> Any:
    return -action


def key_constant(g: Any, s: Any) -> Any:
    return 7


def key_without_the_player(g: Any, s: Any) -> Any:
    return ((s.score[0] * 512 + s.score[1]) * 512 + s.pot) * 4 + s.left


def key_without_the_pot(g: Any, s: Any) -> Any:
    return ((s.score[0] * 512 + s.score[1]) * 64 + s.turns) * 4 + s.left


def key_without_the_clock(g: Any, s: Any) -> Any:
    """As it may be: whether time is up is all that `turns` decides, beside the player."""
    return (((s.score[0] * 512 + s.score[1]) * 512 + s.pot) * 2 + s.player) * 4 + s.left


def digest_without_the_player(g: Any, s: Any, out: Any) -> None:
    out[0] = key_of_race(s)
    out[1] = 1


@contract.helper
def key_of_race(s: Any) -> Any:
    return ((s.score[0] * 512 + s.score[1]) * 512 + s.pot) * 4 + s.left


def digest_without_the_clock(g: Any, s: Any, out: Any) -> None:
    out[0] = key_of_race(s)
    out[1] = s.player


def bids_key_without_a_purse(g: Any, s: Any) -> Any:
    coins = (s.coins[0] * 16 + s.coins[1]) * 16
    return (((coins + s.points[0]) * 16 + s.points[1]) * 16 + s.points[2]) * 16 + s.round


def over_with_a_full_pot(g: Any, s: Any) -> Any:
    return s.pot >= 10 or s.turns >= g.rounds


def key_random(g: Any, s: Any) -> Any:
    return np.random.randint(0, 1000000)


def apply_changes_configuration(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action == 2:
        g.rounds = 9
    s.pot = 1
    s.turns += 1
    s.player = 1 - s.player


def apply_without_the_stream(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.pot = np.random.randint(1, 1000000)
    s.turns += 1


def apply_outside_the_state(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.turns += 1
    s.score[s.turns * 10000000] = 1


def apply_raises(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.turns += 1
    if s.turns > 3:
        raise ValueError("no such turn")


def apply_of_no_field(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.nothing = 1


def evaluate_changes_state(g: Any, s: Any, out: Any) -> None:
    s.pot += 1
    out[0] = 0
    out[1] = 0


def evaluate_changes_configuration(g: Any, s: Any, out: Any) -> None:
    g.rounds = 11
    out[0] = 0
    out[1] = 0


def evaluate_raises(g: Any, s: Any, out: Any) -> None:
    out[0] = 0
    out[1] = 0
    if s.turns > 2:
        raise ValueError("can't judge that")


def evaluate_out_of_range(g: Any, s: Any, out: Any) -> None:
    out[0] = 5.5
    out[1] = 0


def evaluate_forgets_a_player(g: Any, s: Any, out: Any) -> None:
    out[0] = 0


def evaluate_overflows(g: Any, s: Any, out: Any) -> None:
    """Compiled integers wrap at 64 bits, Python's don't."""
    big = (s.turns + 1) * 4611686018427387904
    out[0] = 1.0 if big * 4 == 0 else 0.0
    out[1] = 0


def evaluate_random(g: Any, s: Any, out: Any) -> None:
    out[0] = np.random.random()
    out[1] = 0


def over_never(g: Any, s: Any) -> Any:
    return s.turns > 100


def over_sometimes(g: Any, s: Any) -> Any:
    """Says something else every third time it is asked."""
    g.rounds += 1
    return s.turns > 3 and g.rounds % 3 != 0


def returns_two(g: Any, s: Any, out: Any) -> None:
    out[0] = 2
    out[1] = -2


def returns_not_zero_sum(g: Any, s: Any, out: Any) -> None:
    out[0] = 1
    out[1] = 0


def observe_changes_again(g: Any, s: Any, player: Any, out: Any) -> None:
    out.card[1 - player] = s.card[1 - player] - 1


def observe_lets_show(g: Any, s: Any, player: Any, out: Any) -> None:
    out.claim[1 - player] = max(s.claim[1 - player], s.card[1 - player] - 2)
    out.card[1 - player] = 0


def resample_changes_claims(g: Any, s: Any, player: Any, rng: Any) -> None:
    cards_resample_hidden(g, s, player, rng)
    s.claim[player] = random.below(rng, 5)


def resample_without_the_stream(g: Any, s: Any, player: Any, rng: Any) -> None:
    s.card[1 - player] = np.random.randint(1, 6)


def resample_deals_anew(g: Any, s: Any, player: Any, rng: Any) -> None:
    s.card[0] = 1 + random.below(rng, 5)
    s.card[1] = 1 + random.below(rng, 5)


def resample_deals_too_high(g: Any, s: Any, player: Any, rng: Any) -> None:
    s.card[1 - player] = 9


# Functions of the Python side.


def initial_without_the_seed(g: Any, s: Any, rng: Any) -> None:
    s.left = 2
    s.pot = np.random.default_rng().integers(1, 10**9)


def initial_raises(g: Any, s: Any, rng: Any) -> None:
    raise KeyError("map")


def initial_writes_padding(g: Any, s: Any, rng: Any) -> None:
    s.left = 2
    s.setfield(1, np.int8, RACE_PADDING)


def json_drops_the_pot(g: Any, s: Any, data: Any) -> None:
    for name in ("player", "left", "score", "turns"):
        s[name] = data[name]


def json_not_a_document(g: Any, s: Any) -> Any:
    return {"pot": s["pot"]}  # a NumPy integer, which the json module does not know


def json_refuses_blank_cards(g: Any, s: Any, data: Any) -> None:
    if 0 in data["card"]:
        raise ValueError("a card is missing")
    for name in CardsState.names or ():
        s[name] = data[name]


def action_read_wrongly(g: Any, data: Any) -> int:
    return int(data) + 1


def action_without_name(g: Any, s: Any, action: int) -> str:
    return "" if action == WAIT else "roll"


def parts_not_drawn(g: Any, s: Any, player: int, action: int) -> list[str]:
    return ["die:1"]


def drawing_empty(g: Any, s: Any) -> str:
    return " "


def drawing_with_bad_markup(g: Any, s: Any) -> str:
    return "[red]pot[/blue]"


def svg_not_closed(g: Any, s: Any) -> str:
    return "<svg><g></svg>"


def svg_is_html(g: Any, s: Any) -> str:
    return "<html/>"


def stores_a_fraction(g: Any, s: Any, action: Any, rng: Any) -> None:
    race_apply(g, s, action, rng)
    s.pot = s.pot * 0.5


def wraps_around(g: Any, s: Any, action: Any, rng: Any) -> None:
    race_apply(g, s, action, rng)
    s.pot = (s.pot + 1) * 70000


def evaluate_constant(g: Any, s: Any, out: Any) -> None:
    out[0] = out[1] = 0.0


def builds_a_list(g: Any, s: Any, out: Any) -> None:
    leads = [s.score[0] - s.score[1]]
    out[0] = leads[0] / 100.0
    out[1] = -out[0]
