"""A draft learned from self-play: games resume, the fit finds what wins, the comparison plays on both seats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import learn_draft
import numpy as np
import pytest

from tactician.games.locm.cards import CARDS, Ability
from tactician.games.locm.learned_draft import COUNTED, LearnedDraft, learned_draft
from tactician.games.locm.strategies import STRATEGIES


def test_without_noise_the_present_table_picks_as_the_present_strategy() -> None:
    offers, rng = learn_draft.offers_of(5), np.random.default_rng(0)
    for seat in (0, 1):
        taken = [offer[STRATEGIES["coac"].pick(offer, [], seat, rng)].number for offer in offers]
        assert learn_draft.picks_by_rank(5, seat) == taken
        tastes = learn_draft.picks_by_rank(5, seat, np.random.default_rng(seat))
        assert tastes != taken
        assert all(number in [card.number for card in offer] for number, offer in zip(tastes, offers, strict=True))


def test_without_noise_the_learned_draft_picks_as_the_strategy_of_that_name() -> None:
    offers, rng = learn_draft.offers_of(5), np.random.default_rng(0)
    for seat in (0, 1):
        picked: list[Any] = []
        for offer in offers:
            picked.append(offer[STRATEGIES["learned"].pick(offer, picked, seat, rng)])
        numbers = [card.number for card in picked]
        assert learn_draft.picks_by(learned_draft(), 5, seat) == numbers
        assert learn_draft.picks_by(learned_draft(), 5, seat, np.random.default_rng(seat)) != numbers


def games_in(journal: Path) -> dict[str, Any]:
    with learn_draft._Results(journal, learn_draft.LEARNING) as results:
        return results.rows


def test_games_are_played_once_and_resumed(tmp_path: Path) -> None:
    journal = tmp_path / "games.jsonl"
    learn_draft.play(2, 1, journal)
    first = journal.read_text()
    with journal.open("a") as file:
        file.write('{"name": "1 0", "pi')  # a kill in the middle of a line
    learn_draft.play(2, 2, journal)
    assert journal.read_text().startswith(first)
    found = games_in(journal)
    assert set(found) == {"0 0", "0 1", "1 0", "1 1"}
    assert all(row["won"] in (-1.0, 0.0, 1.0) and len(row["picks"][1]) == 30 for row in found.values())


def made_up(edge_of: Any, games: int) -> list[dict[str, Any]]:
    """Games of random decks; the chance that the first seat wins is a half plus its edge."""
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(games):
        picks = rng.integers(1, len(CARDS) + 1, (2, 30))
        rows.append({"picks": picks.tolist(), "won": 1.0 if rng.random() < 0.5 + edge_of(picks) else -1.0})
    return rows


def test_the_fit_finds_what_wins() -> None:
    """Creatures with Ward win for the first seat, Guards for the second."""
    has = np.zeros((2, len(CARDS) + 1))
    for card in CARDS:
        has[:, card.number] = [card.is_creature and card.has(one) for one in (Ability.WARD, Ability.GUARD)]

    def edge(picks: Any) -> float:
        gain = has[0, picks[0]].sum() - has[1, picks[1]].sum() - 30 * (has[0, 1:].mean() - has[1, 1:].mean())
        return float(np.clip(0.2 * gain, -0.5, 0.5))

    draft = learn_draft.fit(made_up(edge, 1500))
    for seat in (0, 1):
        with_it, without = (
            np.mean([draft.worth[card.number][seat] for card in CARDS if has[seat, card.number] == one])
            for one in (1, 0)
        )
        assert with_it > without + 0.1


def test_the_fit_finds_that_a_deck_can_have_too_many() -> None:
    """Five creatures of cost 4 are best, whichever cards they are."""
    dear = np.array([False] + [card.is_creature and card.cost == 4 for card in CARDS])

    def edge(picks: Any) -> float:
        far = [abs(dear[deck].sum() - 5) for deck in picks]
        return float(np.clip(0.25 * (far[1] - far[0]), -0.5, 0.5))

    draft = learn_draft.fit(made_up(edge, 1500))
    crowding = dict(zip(COUNTED, draft.crowding, strict=True))
    assert crowding["cost 4"] > 0.02
    assert crowding["cost 4"] == max(crowding.values())


def test_a_comparison_plays_each_start_on_both_seats_with_both_drafts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dearest = {card.number: [float(card.cost)] * 2 for card in CARDS}
    draft = LearnedDraft(dearest, [0.0] * len(COUNTED), [0.0] * len(COUNTED))
    for _ in range(2):  # the second time nothing is played
        learn_draft.compare(draft, 2, "20evals", learn_draft.PLAYER, ["random"], tmp_path)
    (journal,) = tmp_path.glob("compare-*.jsonl")
    assert len(journal.read_text().splitlines()) == 1 + 4 * 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == lines[3:]
    assert lines[1].startswith("against random, second seat: ")
    found = json.loads((tmp_path / "comparison.json").read_text())["opponents"]["random"]
    assert list(found) == ["first seat", "second seat", "both seats"]
    for side in ("new", "present"):
        seats = [found[f"{seat} seat"][side] for seat in ("first", "second")]
        assert found["both seats"][side] == pytest.approx(sum(seats) / 2)
    assert found["both seats"]["present"] > 0.5, "a search beats random play with the same draft"
