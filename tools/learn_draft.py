"""Improve the draft table of Legends of Code and Magic by self-play: one score for each card and seat.

    python tools/learn_draft.py draft --games 1000 --rounds 4 --starts 400

The folder `draft` gets the games, the new table and a comparison. Decks that are drafted with noise play battles. The
results are explained by the cards of both decks, with the present table as the starting point; the next round drafts by
what was found. At last the new table of one seat plays against the present one, on starts that were not learned from,
beside the same starts with the present table on both seats. Run the same command again to resume: games that are there
are kept.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.arena.journal import Journal, JournalKind
from tactician.contract.game import Game
from tactician.files import write_files
from tactician.games.locm import locm
from tactician.games.locm.cards import CARDS, Ability, CardKind
from tactician.games.locm.drafts import draft_from_seed
from tactician.games.locm.generator import draft_seeds
from tactician.games.locm.strategies import coac_rank
from tactician.planners import Agent, parse_planner

PLAYER, LEARNING_BUDGET = "greedy-turn:evaluation=board", "300evals"
"""Who plays the battles that are learned from: all turns, as far as the budget goes."""
TEMPERATURE = 15.0
"""Of the drafts that are learned from, in ranks: a card that ranks so much better is picked e times as often."""
TRAIT_SPREAD, CARD_SPREAD = 0.05, 0.02
"""How much a trait and a single card are expected to change of a card's worth, in logits of winning: these foresee
held-out games best."""
LEAST_SCALE = 0.05
"""What a unit of the present table is worth at least, in logits: drafts that differ little can't tell."""
HELD_OUT = 10_000_000
"""Seeds of comparisons begin here."""
RANKS = 40.0
"""Ranks of the present table that make up one unit of its score."""
LEARNING = {"player": PLAYER, "budget": LEARNING_BUDGET, "temperature": TEMPERATURE}
"""What the games that are learned from depend on."""
_KIND = JournalKind("draft", "game", old_mark="", old_header=False)
Table = NDArray[np.float64]
"""[seats, card numbers + 1] the score of each card; the best offered is picked."""


def present_table() -> Table:
    """The scores of the present draft, for both seats."""
    table = np.zeros((2, len(CARDS) + 1))
    for seat in range(2):
        for card in CARDS:
            table[seat, card.number] = -coac_rank(card, seat) / RANKS
    return table


def picks_of(seed: int, seat: int, table: Table, temperature: float = 0.0) -> list[int]:
    """What a seat picks in the draft of a seed; with a temperature, noise is added to the scores."""
    rng = np.random.default_rng([seed, seat])
    picks = []
    for offer in draft_from_seed(draft_seeds(seed).draft).triplets:
        scores = table[seat, list(offer)] + temperature / RANKS * rng.gumbel(size=len(offer))
        picks.append(offer[int(np.argmax(scores))])
    return picks


def battle(game: Game, agents: Sequence[Agent], seed: int, picks: Sequence[Sequence[int]], budget: str) -> float:
    """Play a battle with given decks; the result for the first seat: 1, 0 or -1."""
    state = game.initial_state(seed=seed, master=seed, picks=picks)
    for ply in range(10_000):
        if state.is_over():
            break
        for action in agents[state.current_player()].plan(state, budget, ply=ply).actions:
            if state.is_over():
                break
            state.apply(action)
    return float(state.returns()[0])


def play(games: int, rounds: int, journal: Path) -> None:
    """Play what is missing of the games that are learned from; each round drafts by what earlier ones have taught."""
    game = locm()
    agents = [parse_planner(PLAYER).on(game, seed=seat) for seat in range(2)]
    with _Results(journal, LEARNING, games * rounds) as results:
        for number in range(rounds):
            earlier = {f"{one} {seed}" for one in range(number) for seed in range(games)}
            table, scale = fit([row for name, row in results.rows.items() if name in earlier])
            for name in results.missing(f"{number} {seed}" for seed in range(games)):
                seed = number * games + int(name.partition(" ")[2])
                picks = [picks_of(seed, seat, table / scale, TEMPERATURE) for seat in range(2)]
                results.add(name, {"picks": picks, "won": battle(game, agents, seed, picks, LEARNING_BUDGET)})


def fit(rows: Sequence[dict[str, Any]]) -> tuple[Table, float]:
    """The scores that explain the results best, near the present ones; and the scale of the latter.

    Logistic regression of the first seat's wins on the cards of both decks: what they have in common by their numbers
    and abilities, and what is left of each. Without results the scores are the present ones.
    """
    rows = [row for row in rows if row["won"]]
    table, traits = present_table(), card_traits()
    if not rows:
        return table, 1.0
    cards, kinds = traits.shape
    counts = np.array([[np.bincount(deck, minlength=cards) for deck in row["picks"]] for row in rows], float)
    counts *= np.array([1.0, -1.0])[None, :, None]
    base = (counts * table).sum(axis=(1, 2))
    of_traits, of_cards = (counts @ traits).reshape(len(rows), -1), counts.reshape(len(rows), -1)
    features = np.column_stack([np.ones(len(rows)), base, of_traits, of_cards])
    spreads = np.repeat([np.inf, TRAIT_SPREAD, CARD_SPREAD], [2, 2 * kinds, 2 * cards])
    weights = _logistic(features, np.array([row["won"] > 0 for row in rows], float), 1 / spreads**2)
    scale = max(float(weights[1]), LEAST_SCALE)
    by_traits = weights[2 : 2 + 2 * kinds].reshape(2, kinds) @ traits.T
    return table * scale + by_traits + weights[2 + 2 * kinds :].reshape(2, cards), scale


def card_traits() -> NDArray[np.float64]:
    """[card numbers + 1, traits] what cards have in common: cost, kind, numbers, abilities, effects."""
    traits = np.zeros((len(CARDS) + 1, 10 + len(Ability)))
    for card in CARDS:
        creature = card.is_creature
        traits[card.number] = [
            card.cost / 5,
            (card.cost / 5) ** 2,
            *(card.kind == kind for kind in (CardKind.GREEN, CardKind.RED, CardKind.BLUE)),
            creature * card.attack / 5,
            creature * card.defense / 5,
            (not creature) * min(8, abs(card.defense)) / 5,
            *(creature * card.has(ability) for ability in Ability),
            card.card_draw,
            (card.player_hp - card.enemy_hp) / 3,
        ]
    return traits


def _logistic(features: NDArray[np.float64], won: NDArray[np.float64], penalty: NDArray[np.float64]) -> Any:
    """The weights of a logistic regression with a quadratic penalty, by Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (won - chance) - penalty * weights
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def compare(table: Table, games: int, budget: str, planner: str, folder: Path) -> None:
    """Let each seat draft by the new table against the present one, and by the present one for comparison."""
    game, present = locm(), present_table()
    agents = [parse_planner(planner).on(game, seed=seat) for seat in range(2)]
    fields = {"present": (present, present), "first": (table, present), "second": (present, table)}
    names = [f"{name} {HELD_OUT + start}" for start in range(games) for name in fields]
    identity = {"planner": planner, "budget": budget, "table": table.round(4).tolist()}
    digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:8]  # another table is another comparison
    with _Results(folder / f"compare-{digest}.jsonl", identity, len(names)) as results:
        for name in results.missing(names):
            field, _, seed = name.partition(" ")
            picks = [picks_of(int(seed), seat, fields[field][seat]) for seat in range(2)]
            results.add(name, {"won": battle(game, agents, int(seed), picks, budget)})
        found = {
            field: np.array([results.rows[f"{field} {HELD_OUT + k}"]["won"] for k in range(games)]) for field in fields
        }
    seats: dict[str, dict[str, Any]] = {}
    for seat, field in enumerate(("first", "second")):
        new, old = ((1 - 2 * seat) * found[name] / 2 + 0.5 for name in (field, "present"))
        gain, error = float((new - old).mean()), float((new - old).std(ddof=1) / np.sqrt(games))
        seats[field] = {
            "new": float(new.mean()),
            "present": float(old.mean()),
            "difference": gain,
            "interval": [gain - 1.96 * error, gain + 1.96 * error],
        }
    outcome = {"starts": games, "planner": planner, "budget": budget, "seats": seats}
    write_files({folder / "comparison.json": (json.dumps(outcome, indent=1) + "\n").encode()})
    for field, one in seats.items():
        low, high = one["interval"]
        scores = f"{100 * one['new']:.1f} % with the new table, {100 * one['present']:.1f} % with the present one"
        print(
            f"{field} seat: {scores}; difference {100 * one['difference']:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"
        )


def write_table(table: Table, path: Path) -> None:
    """Write the scores of all cards, a row each."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("id", "first", "second"))
        writer.writerows((card.number, *(f"{table[seat, card.number]:.4f}" for seat in range(2))) for card in CARDS)


def read_table(path: Path) -> Table:
    """Read what `write_table` wrote."""
    table = np.zeros((2, len(CARDS) + 1))
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            table[:, int(row["id"])] = float(row["first"]), float(row["second"])
    return table


class _Results:
    """Results by name, kept in a journal: what is there already is not played again."""

    def __init__(self, path: Path, identity: Mapping[str, Any], total: int = 0) -> None:
        self._journal: Journal[dict[str, Any]] = Journal(path, _KIND, identity, lambda _number, row: row)
        self._total = total
        self.rows: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> _Results:
        self._journal.__enter__()
        self.rows = {row["name"]: row for row in self._journal.entries}
        return self

    def __exit__(self, *exception: Any) -> None:
        self._journal.__exit__(*exception)
        print(file=sys.stderr)

    def missing(self, names: Iterable[str]) -> Iterator[str]:
        """The names without a result."""
        return (name for name in names if name not in self.rows)

    def add(self, name: str, row: dict[str, Any]) -> None:
        """Keep a result."""
        self.rows[name] = {"name": name, **row}
        self._journal.add(self.rows[name])
        print(f"\r{len(self.rows)} of {self._total} games", end="", file=sys.stderr)


def main() -> None:
    """Play, fit and compare, as far as it is not done yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where games, table and comparison are kept")
    parser.add_argument("--games", type=int, default=1000, help="games of a round")
    parser.add_argument("--rounds", type=int, default=4, help="rounds; each drafts by what the earlier ones taught")
    parser.add_argument("--starts", type=int, default=400, help="starts of the comparison, three games each")
    parser.add_argument("--planner", default=PLAYER, help="who plays the comparison")
    parser.add_argument("--budget", default=LEARNING_BUDGET, help="its budget for a turn")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    play(given.games, given.rounds, given.folder / "games.jsonl")
    with _Results(given.folder / "games.jsonl", LEARNING) as results:
        table, scale = fit(list(results.rows.values()))
    write_table(table, given.folder / "table.csv")
    print(f"{RANKS:.0f} ranks of the present table are worth {scale:.3f} logits of winning; wrote table.csv")
    compare(read_table(given.folder / "table.csv"), given.starts, given.budget, given.planner, given.folder)


if __name__ == "__main__":
    main()
