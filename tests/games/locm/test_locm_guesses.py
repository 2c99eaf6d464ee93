"""Guesses of the opponent's cards that follow the draft order."""

from __future__ import annotations

import numpy as np
import pytest
from locm_boards import hidden

from tactician.contract import Game, State
from tactician.games.locm.cards import CARDS
from tactician.games.locm.strategies import coac_rank, strategy_named

BY_NUMBER = {card.number: card for card in CARDS}


def drafted(of: Game, enemy: str, seed: int, drawn: int) -> State:
    """A start in which a strategy has picked the second player's deck, and its first `drawn` cards were played."""
    start = of.initial_state(seed=seed).to_json()
    offers = [tuple(BY_NUMBER[number] for number in offer) for offer in start["draft"]]
    picked: list[int] = []
    rng, strategy = np.random.default_rng(seed), strategy_named(enemy)
    for offer in offers:
        picked.append(offer[strategy.pick(offer, [BY_NUMBER[n] for n in picked], 1, rng)].number)
    start["decks"][1] = picked
    start["players"][1]["hand"], start["players"][1]["deck_n"] = [], 30 - drawn
    return of.state_from_json(start)


def share_of_best(state: State, guesses: int = 40) -> float:
    """How many of the guessed cards are the best of an offer by the draft order of the second seat."""
    offers = [[int(n) for n in offer] for offer in state.record.draft]
    best = {min(offer, key=lambda n: coac_rank(BY_NUMBER[n], 1)) for offer in offers}
    drawn, hits = int(state.record.drawn[1]), []
    for seed in range(guesses):
        cards = state.resample_hidden(0, seed).record.deck[1][drawn:]
        hits += [int(card) in best for card in cards]
    return float(np.mean(hits))


def test_better_cards_are_guessed_more_often() -> None:
    uniform, ranked = (drafted(hidden(guesses=how), "coac", 3, 0) for how in ("uniform", "ranked"))
    assert share_of_best(ranked) > share_of_best(uniform) + 0.1


def test_guesses_follow_an_opponent_that_was_seen_to_draft_by_the_order() -> None:
    of = hidden(guesses="ranked")
    assert share_of_best(drafted(of, "coac", 3, 20)) > share_of_best(drafted(of, "coac", 3, 0)) + 0.08


def test_guesses_turn_away_from_the_order_if_the_opponent_does() -> None:
    of = hidden(guesses="ranked")
    assert share_of_best(drafted(of, "max-attack", 3, 25)) < share_of_best(drafted(of, "coac", 3, 25)) - 0.1


@pytest.mark.parametrize("cards", [None, CARDS[:100]], ids=["all cards", "some cards"])
def test_every_guess_could_have_been_drafted(cards: object) -> None:
    of = hidden(guesses="ranked", **({} if cards is None else {"cards": cards}))
    state = of.initial_state(seed=5)
    offered = {int(n) for offer in state.record.draft for n in offer}
    for seed in range(10):
        assert {int(n) for n in state.resample_hidden(0, seed).record.deck[1]} <= offered
