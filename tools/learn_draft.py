"""Learn a draft of Legends of Code and Magic by self-play: a worth of each card and seat, and the shape of a deck.

    python tools/learn_draft.py draft --games 20000 --rounds 3 --starts 400

The folder `draft` gets the games, the draft and a comparison. In the first round decks are drafted by the ranking of
the competition's winner, with noise and with random tastes for mana and items; battles are played with them, and the
results are explained by the cards and the shape of both decks. The next rounds draft by what was found, with noise. At
last the bot's planner drafts by it and by the ranking, on starts that were not learned from, against opponents that
draft by the ranking. Run the same command again to resume: games that are there are kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.adapters.locm_player import BOT_PLANNER
from tactician.arena.journal import Journal, JournalKind
from tactician.contract.game import Game
from tactician.experiments.papers.beyond.cards import WINNER
from tactician.files import write_files
from tactician.games.locm import locm
from tactician.games.locm.cards import CARDS, Ability, CardKind, CardType
from tactician.games.locm.drafts import draft_from_seed
from tactician.games.locm.generator import draft_seeds
from tactician.games.locm.learned_draft import COUNTED, LearnedDraft, counts_of, learned_draft
from tactician.games.locm.strategies import coac_rank
from tactician.planners import Agent, parse_planner

PLAYER, LEARNING_BUDGET = "greedy-turn:evaluation=learned-network", "300evals"
"""Who plays the battles that are learned from: all turns, as far as the budget goes."""
COMPARED_BUDGET = "2000evals"
OPPONENTS = (
    BOT_PLANNER,
    BOT_PLANNER.replace("learned-network", "board"),
    WINNER,
    "emcts:evaluation=board",
    "permutation-oep",
)
"""Who is played against in the comparison: the same planner, with another evaluation, and other planners."""
RANKS = 40.0
"""Ranks of the present table that make up one unit of its score: about its standard deviation."""
PRESENT_NOISE, NOISES = (0.25, 0.5), (0.05, 0.15, 0.3)
"""Gumbel noise of picks by the present table, in units of its score, and by what was learned, in logits of winning."""
MANA_TASTE, ITEM_TASTE = 0.15, 0.3
"""Standard deviations of a deck's taste for a point of cost and for items, in units of the present table."""
PRESENT_SHARE = 0.15
"""How many decks of later rounds are drafted by the present table."""
TRAIT_SPREAD, SEAT_SPREAD, CARD_SPREAD, COUNT_SPREAD = 0.15, 0.03, 0.04, 0.1
"""How much a trait, a trait for one seat, a single card and the square of a count are expected to change of a deck's
worth, in logits of winning: of the few that were tried these foresee held-out games best."""
COUNT_UNITS = np.array([3.0] * 9 + [30.0, 5.0])
COUNT_CENTRES = np.array([2.5, 5, 5, 5, 4, 2.5, 2, 3, 1, 90, 25])
"""Counts are measured from about where they are, in about what they differ by."""
HELD_OUT, USUAL = 10_000_000, 50_000_000
"""Seeds of comparisons, and of drafts that tell what a usual pick is, begin here."""
LEARNING = {"player": PLAYER, "budget": LEARNING_BUDGET}
"""What the games that are learned from depend on, besides the code."""
_KIND = JournalKind("draft", "game", old_mark="", old_header=False)
_BY_NUMBER = {card.number: card for card in CARDS}
_ABOVE = len(CARDS) + 1
Row = dict[str, Any]


# -- drafting ----------------------------------------------------------------------------------------------------


def offers_of(seed: int) -> list[list[CardType]]:
    """The cards that both seats are offered."""
    return [[_BY_NUMBER[number] for number in offer] for offer in draft_from_seed(draft_seeds(seed).draft).triplets]


def picks_by_rank(seed: int, seat: int, rng: np.random.Generator | None = None) -> list[int]:
    """What a seat picks by the present table; with a stream, by a taste of its own and with noise."""
    mana, items, noise = 0.0, 0.0, 0.0
    if rng is not None:
        mana, items, noise = rng.normal(0, MANA_TASTE), rng.normal(0, ITEM_TASTE), rng.choice(PRESENT_NOISE)
    picks = []
    for offer in offers_of(seed):
        scores = [-coac_rank(card, seat) / RANKS + mana * card.cost + items * (not card.is_creature) for card in offer]
        picks.append(offer[_best(scores, noise, rng)].number)
    return picks


def picks_by(draft: LearnedDraft, seed: int, seat: int, rng: np.random.Generator | None = None) -> list[int]:
    """What a seat picks by what was learned; with a stream, with noise."""
    noise = rng.choice(NOISES) if rng is not None else 0.0
    picked: list[CardType] = []
    for offer in offers_of(seed):
        picked.append(offer[_best(draft.scores(offer, picked, seat), noise, rng)])
    return [card.number for card in picked]


def _best(scores: Sequence[float], noise: float, rng: np.random.Generator | None) -> int:
    return int(np.argmax(scores if rng is None else np.array(scores) + noise * rng.gumbel(size=len(scores))))


def learning_picks(draft: LearnedDraft | None, seed: int) -> list[list[int]]:
    """The decks of a game that is learned from."""
    rng = np.random.default_rng(seed)
    return [
        picks_by_rank(seed, seat, rng)
        if draft is None or rng.random() < PRESENT_SHARE
        else picks_by(draft, seed, seat, rng)
        for seat in range(2)
    ]


# -- playing -----------------------------------------------------------------------------------------------------


def play(games: int, rounds: int, journal: Path, jobs: int = 1) -> None:
    """Play what is missing of the games that are learned from; each round drafts by what earlier ones have taught."""
    with _Results(journal, LEARNING, games * rounds) as results, ProcessPoolExecutor(jobs) as workers:
        for number in range(rounds):
            missing = list(results.missing(f"{number} {seed}" for seed in range(games)))
            if not missing:
                continue
            earlier = [results.rows[f"{one} {seed}"] for one in range(number) for seed in range(games)]
            draft = fit(earlier) if earlier else None
            seeds = [number * games + int(name.partition(" ")[2]) for name in missing]
            rows = workers.map(partial(_learning_game, draft), seeds, chunksize=20)
            for name, row in zip(missing, rows, strict=True):
                results.add(name, row)


def _learning_game(draft: LearnedDraft | None, seed: int) -> Row:
    picks = learning_picks(draft, seed)
    return {"picks": picks, "won": battle(*_players(PLAYER), seed, picks, LEARNING_BUDGET)}


@cache
def _players(planner: str) -> tuple[Game, list[Agent]]:
    """One game and two players of it for a process."""
    game = locm()
    return game, [parse_planner(planner).on(game, seed=seat) for seat in range(2)]


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


# -- learning ----------------------------------------------------------------------------------------------------


def fit(rows: Sequence[Row]) -> LearnedDraft:
    """The draft that explains the results best.

    Logistic regression of the first seat's wins on the difference of both decks: the present table, what cards have in
    common, what is left of each card, the counts and their squares. What cards have in common may differ by seat.
    """
    decks = np.array([row["picks"] for row in rows if row["won"]])
    won = np.array([row["won"] > 0 for row in rows if row["won"]], float)
    games, seats = len(decks), np.array([1.0, -1.0])
    cards = np.zeros((games, 2, _ABOVE))
    for seat in range(2):
        np.add.at(cards[:, seat], (np.arange(games)[:, None], decks[:, seat]), seats[seat])
    table, traits, counted = _present_table(), card_traits(), _card_counts()
    counts = seats[None, :, None] * cards @ counted
    squares = (((counts - COUNT_CENTRES) / COUNT_UNITS) ** 2 * seats[None, :, None]).sum(axis=1)
    both = cards.sum(axis=1)
    parts: list[tuple[NDArray[np.float64], float]] = [
        (np.ones((games, 1)), np.inf),
        ((cards * table).sum(axis=(1, 2))[:, None], np.inf),
        (both @ traits, TRAIT_SPREAD),
        ((cards @ traits).reshape(games, -1), SEAT_SPREAD),
        (both @ counted / COUNT_UNITS, COUNT_SPREAD),
        (both, CARD_SPREAD),
        (squares, COUNT_SPREAD),
    ]
    penalty = np.concatenate([np.full(part.shape[1], 1 / spread**2) for part, spread in parts])
    weights = _logistic(np.hstack([part for part, _ in parts]), won, penalty)
    _, scale, common, by_seat, linear, single, square = np.split(
        weights, np.cumsum([part.shape[1] for part, _ in parts])[:-1]
    )
    # (n - centre)^2 = n^2 - 2 centre n + a constant: what is linear in a count is a part of the worth of each card.
    linear = linear / COUNT_UNITS - 2 * square * COUNT_CENTRES / COUNT_UNITS**2
    worth = scale * table + traits @ common + counted @ linear + single + by_seat.reshape(2, -1) @ traits.T
    return settled({card.number: worth[:, card.number].tolist() for card in CARDS}, (-square / COUNT_UNITS**2).tolist())


def settled(worth: Mapping[int, Sequence[float]], crowding: Sequence[float], drafts: int = 40) -> LearnedDraft:
    """The draft with what its own picks add in the mean."""
    draft = LearnedDraft(worth, crowding, (COUNT_CENTRES / 30).tolist())
    for _ in range(4):
        decks = [picks_by(draft, USUAL + seed, seat) for seed in range(drafts) for seat in range(2)]
        draft = LearnedDraft(worth, crowding, _card_counts()[np.array(decks)].mean(axis=(0, 1)).tolist())
    return draft


@cache
def _present_table() -> NDArray[np.float64]:
    """[seats, card numbers + 1] the scores of the present table."""
    table = np.zeros((2, _ABOVE))
    for card in CARDS:
        table[:, card.number] = [-coac_rank(card, seat) / RANKS for seat in range(2)]
    return table


@cache
def _card_counts() -> NDArray[np.float64]:
    """[card numbers + 1, counts] what each card adds."""
    counts = np.zeros((_ABOVE, len(COUNTED)))
    for card in CARDS:
        counts[card.number] = counts_of(card)
    return counts


@cache
def card_traits() -> NDArray[np.float64]:
    """[card numbers + 1, traits] what cards have in common: cost, kind, numbers, abilities, effects."""
    traits = np.zeros((_ABOVE, 10 + len(Ability)))
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


# -- comparing ---------------------------------------------------------------------------------------------------


def compare(
    draft: LearnedDraft,
    starts: int,
    budget: str,
    planner: str,
    opponents: Sequence[str],
    folder: Path,
    jobs: int = 1,
) -> None:
    """Let a planner play each start on both seats, by the new draft and by the present table, against opponents that
    draft by the latter."""
    identity = {"planner": planner, "budget": budget, "draft": json.loads(draft.to_json())}
    digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:8]  # another draft is another comparison
    fields = [f"{by} {seat}" for by in ("new", "present") for seat in range(2)]
    names = [f"{HELD_OUT + k} {field} {one}" for one in opponents for k in range(starts) for field in fields]
    document: Row = {"starts": starts, "planner": planner, "budget": budget, "opponents": {}}
    kept = folder / f"compare-{digest}.jsonl"
    with _Results(kept, identity, len(names)) as results, ProcessPoolExecutor(jobs) as workers:
        missing = list(results.missing(names))
        plays = partial(_compared_game, draft, planner, budget)
        for name, row in zip(missing, workers.map(plays, missing, chunksize=4), strict=True):
            results.add(name, row)
        for one in opponents:
            new, present = (
                np.array(
                    [
                        [results.rows[f"{HELD_OUT + k} {by} {seat} {one}"]["score"] for seat in (0, 1)]
                        for k in range(starts)
                    ]
                )
                for by in ("new", "present")
            )
            document["opponents"][one] = _gains(new, present)
    write_files({folder / "comparison.json": (json.dumps(document, indent=1) + "\n").encode()})
    for one, found in document["opponents"].items():
        for field, scores in found.items():
            gain = _told(scores["difference"], scores["interval"], "+")
            print(f"against {one}, {field}: {100 * scores['new']:.1f} %, difference {gain}")


def _compared_game(draft: LearnedDraft, planner: str, budget: str, name: str) -> Row:
    """One game; the score is the planner's: 1, a half or 0."""
    seed, by, seat, opponent = name.split(" ", 3)
    place = int(seat)
    picks = [
        picks_by(draft, int(seed), one) if one == place and by == "new" else picks_by_rank(int(seed), one)
        for one in range(2)
    ]
    game, own = _players(planner)
    agents = [own[one] if one == place else _players(opponent)[1][one] for one in range(2)]
    won = battle(game, agents, int(seed), picks, budget)
    return {"score": 0.5 + (won if place == 0 else -won) / 2}


def _gains(new: NDArray[np.float64], present: NDArray[np.float64]) -> Row:
    """[starts, seats] the scores with each draft: on each seat, and on both together."""
    found: Row = {}
    for name, seats in (("first seat", [0]), ("second seat", [1]), ("both seats", [0, 1])):
        with_new, without = new[:, seats].mean(axis=1), present[:, seats].mean(axis=1)
        gain = with_new - without
        error = 1.96 * float(gain.std(ddof=1)) / np.sqrt(len(gain))
        found[name] = {
            "new": float(with_new.mean()),
            "present": float(without.mean()),
            "difference": float(gain.mean()),
            "interval": [float(gain.mean()) - error, float(gain.mean()) + error],
        }
    return found


def _told(mean: float, interval: Sequence[float], sign: str = "") -> str:
    low, high = interval
    return f"{100 * mean:{sign}.1f} ({100 * low:{sign}.1f} to {100 * high:{sign}.1f})"


class _Results:
    """Results by name, kept in a journal: what is there already is not played again."""

    def __init__(self, path: Path, identity: Mapping[str, Any], total: int = 0) -> None:
        self._journal: Journal[Row] = Journal(path, _KIND, identity, lambda _number, row: row)
        self._total = total
        self.rows: dict[str, Row] = {}

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

    def add(self, name: str, row: Row) -> None:
        """Keep a result."""
        self.rows[name] = {"name": name, **row}
        self._journal.add(self.rows[name])
        print(f"\r{len(self.rows)} of {self._total} games", end="", file=sys.stderr)


def main() -> None:
    """Play, fit and compare, as far as it is not done yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where games, draft and comparison are kept")
    parser.add_argument("--games", type=int, default=20_000, help="games of a round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds; each drafts by what the earlier ones taught")
    parser.add_argument("--starts", type=int, default=400, help="starts of the comparison, four games each")
    parser.add_argument("--planner", default=BOT_PLANNER, help="who plays the comparison")
    parser.add_argument("--opponent", action="append", help="who sits on the other seat; may be repeated")
    parser.add_argument("--budget", default=COMPARED_BUDGET, help="its budget for a turn")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--shipped", action="store_true", help="only compare: the draft that comes with the game")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    draft = learned_draft() if given.shipped else learn(given.games, given.rounds, given.folder, given.jobs)
    compare(draft, given.starts, given.budget, given.planner, given.opponent or OPPONENTS, given.folder, given.jobs)


def learn(games: int, rounds: int, folder: Path, jobs: int) -> LearnedDraft:
    """Play, fit and write the draft into the folder."""
    play(games, rounds, folder / "games.jsonl", jobs)
    with _Results(folder / "games.jsonl", LEARNING) as results:
        names = [f"{number} {seed}" for number in range(rounds) for seed in range(games)]
        draft = fit([results.rows[name] for name in names])
    write_files({folder / "draft.json": draft.to_json().encode()})
    print("wrote draft.json")
    return LearnedDraft.from_json((folder / "draft.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
