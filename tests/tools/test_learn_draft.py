"""Draft scores learned from self-play: games resume, the fit finds what wins, tables survive a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import learn_draft
import numpy as np
import pytest

from tactician.games.locm.cards import CARDS, Ability
from tactician.games.locm.drafts import draft_from_seed
from tactician.games.locm.generator import draft_seeds
from tactician.games.locm.strategies import STRATEGIES


def test_without_noise_the_present_table_picks_as_the_present_strategy() -> None:
    by_number = {card.number: card for card in CARDS}
    for seat in (0, 1):
        offers = draft_from_seed(draft_seeds(5).draft).triplets
        rng = np.random.default_rng(0)
        taken = [offer[STRATEGIES["coac"].pick([by_number[n] for n in offer], [], seat, rng)] for offer in offers]
        assert learn_draft.picks_of(5, seat, learn_draft.present_table()) == taken
    noisy = learn_draft.picks_of(5, 0, learn_draft.present_table(), temperature=15.0)
    assert noisy != taken
    assert all(number in offer for number, offer in zip(noisy, offers, strict=True))


def games_in(journal: Path) -> dict[str, Any]:
    with learn_draft._Results(journal, learn_draft.LEARNING) as results:
        return results.rows


def test_games_are_played_once_and_resumed(tmp_path: Path) -> None:
    journal = tmp_path / "games.jsonl"
    learn_draft.play(1, 2, journal)
    first = journal.read_text()
    with journal.open("a") as file:
        file.write('{"name": "2 0", "pi')  # a kill in the middle of a line
    learn_draft.play(1, 3, journal)
    assert journal.read_text().startswith(first)
    found = games_in(journal)
    assert set(found) == {"0 0", "1 0", "2 0"}
    assert all(row["won"] in (-1.0, 0.0, 1.0) and len(row["picks"][1]) == 30 for row in found.values())


def test_the_fit_finds_what_wins(tmp_path: Path) -> None:
    """Results are made up: creatures with Ward win for the first seat, Guards for the second."""
    rng, table = np.random.default_rng(3), learn_draft.present_table()
    has = np.zeros((2, len(CARDS) + 1))
    for card in CARDS:
        has[:, card.number] = [card.is_creature and card.has(one) for one in (Ability.WARD, Ability.GUARD)]
    journal = tmp_path / "games.jsonl"
    with learn_draft._Results(journal, learn_draft.LEARNING) as results:
        for number in range(220):
            picks = rng.integers(1, 161, (2, 30))
            edge = has[0, picks[0]].sum() - has[1, picks[1]].sum() - 30 * (has[0, 1:].mean() - has[1, 1:].mean())
            results.add(str(number), {"picks": picks.tolist(), "won": 1.0 if rng.random() < edge + 0.5 else -1.0})
    found, scale = learn_draft.fit(list(games_in(journal).values()))
    change = (found - scale * table)[:, 1:]
    for seat in (0, 1):
        assert change[seat, has[seat, 1:] > 0].mean() > change[seat, has[seat, 1:] == 0].mean() + 0.02


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = learn_draft.present_table()
    learn_draft.write_table(table, tmp_path / "table.csv")
    assert learn_draft.read_table(tmp_path / "table.csv") == pytest.approx(table, abs=1e-4)


def test_a_comparison_plays_each_start_three_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    better = learn_draft.present_table()
    better[0] = -better[0]  # the worst card is picked
    for _ in range(2):  # the second time nothing is played
        learn_draft.compare(better, 2, "20evals", learn_draft.PLAYER, tmp_path)
    (journal,) = tmp_path.glob("compare-*.jsonl")
    assert len(journal.read_text().splitlines()) == 1 + 3 * 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == lines[2:]
    assert lines[1].startswith("second seat:")
    assert "difference +0.0" in lines[1]
