"""Play the tournaments that the pages on planners quote, and write results/strength/NAME.json.

    python tools/play_strength.py --store strength.sqlite
    python tools/play_strength.py --store strength.sqlite hero-academy-2000 locm-500

Budgets are counted, so every machine writes the same files. Games are kept in the store: run the same command again
to resume. tools/make_tables.py writes the tables of the pages from these files.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from tactician.arena import Tournament, TournamentPlan, tournament
from tactician.arena.schedule import as_names

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "results" / "strength"

TREES = ("mcts", "non-exploring-mcts", "bridge-burning-mcts")
EVOLUTION = ("oep", "greedy-oep", "emcts")
ORDERS = ("no-ai", "random-order", "permutation-oep", "permutation-emcts")
SEARCHERS = ("greedy-action", "greedy-turn", *TREES, *EVOLUTION)
CARD_PLAYERS = (*SEARCHERS, "permutation-oep", "permutation-emcts")
FINALISTS = ("bridge-burning-mcts", "greedy-oep", "emcts")
"""The first three of the tournament of all planners in Hero Academy."""
EVERYBODY = ("random", *SEARCHERS, *ORDERS)
PLAYOUTS = "mcts:epsilon=0,rollout_turns=-1"
"""MCTS that plays random games to their end and needs no evaluation."""
SEED = 1
BLIND = "weights=mobility=0;liberty=0"
"""Weights that make the evaluation of Amazons the same everywhere but at the end of a game."""


@dataclass(frozen=True)
class Measured:
    """One round-robin tournament."""

    game: str
    agents: tuple[str, ...]
    budget: str
    games: int
    """Games of a pair."""
    part_of: str = ""
    """The tournament that has these games already: the same games among some of its agents, to compare fields."""


def blind(agent: str) -> str:
    """An agent of Amazons without its evaluation."""
    return f"{agent}{',' if ':' in agent else ':'}{BLIND}"


TOURNAMENTS = {
    "hero-academy-2000": Measured("hero-academy", EVERYBODY, "2000evals", 40),
    "locm-500": Measured("locm", EVERYBODY, "500evals", 40),
    "amazons-6": Measured("amazons:size=6", (*EVERYBODY, PLAYOUTS), "2000evals", 20),
    "amazons-6-blind": Measured(
        "amazons:size=6", ("random", *map(blind, ("greedy-turn", *TREES, *EVOLUTION, PLAYOUTS))), "2000evals", 20
    ),
    "hero-academy-2000-searchers": Measured("hero-academy", SEARCHERS, "2000evals", 40, "hero-academy-2000"),
    "locm-500-searchers": Measured("locm", CARD_PLAYERS, "500evals", 40, "locm-500"),
    "amazons-6-searchers": Measured("amazons:size=6", SEARCHERS, "2000evals", 20, "amazons-6"),
    "hero-academy-200": Measured("hero-academy", SEARCHERS, "200evals", 40),
    "hero-academy-10-points": Measured("hero-academy:action_points=10", SEARCHERS, "2000evals", 20),
    "amazons-10": Measured("amazons", SEARCHERS, "2000evals", 20),
    "hero-academy-20-points": Measured("hero-academy:action_points=20", SEARCHERS, "2000evals", 10),
    "locm-5000": Measured("locm", CARD_PLAYERS, "5000evals", 10),
    "hero-academy-reply": Measured("hero-academy", (*FINALISTS, "reply"), "5000evals", 20),
}
"""The file of each tournament and what is played, the most quoted first."""


def main(arguments: list[str] | None = None) -> None:
    """Play what is named, or everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(TOURNAMENTS)}; by default all")
    parser.add_argument("--store", required=True, help="where games are kept: an SQLite file or a database URL")
    parser.add_argument("--games", type=int, help="only so many games of a pair, for a try: print them, write nothing")
    given = parser.parse_args(arguments)
    if unknown := sorted(set(given.names) - set(TOURNAMENTS)):
        parser.error(f"there is no tournament {unknown[0]!r}; expected some of {', '.join(TOURNAMENTS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in given.names or TOURNAMENTS:
        if given.games is None:
            play(name, given.store)
        else:
            print(try_out(name, given.store, given.games))


def play(name: str, store: str) -> None:
    """Play a tournament to its end and write its file."""
    one = TOURNAMENTS[name]
    whole = TOURNAMENTS[one.part_of or name]
    sys.stderr.write(f"{name}: {len(one.agents) * (len(one.agents) - 1) // 2 * one.games} games\n")
    result = tournament(whole.game, list(whole.agents), games=whole.games, budget=whole.budget, seed=SEED, store=store)
    if one.part_of:
        names = as_names(one.agents)
        result = Tournament(TournamentPlan(one.game, names, one.games, one.budget, SEED), result.records)
    (FOLDER / f"{name}.json").write_text(json.dumps(result.to_json(), indent=1) + "\n", encoding="utf-8")
    sys.stderr.write(f"wrote results/strength/{name}.json\n")


def try_out(name: str, store: str, games: int) -> Tournament:
    """Play a few games of a tournament."""
    one = TOURNAMENTS[name]
    return tournament(one.game, list(one.agents), games=games, budget=one.budget, seed=SEED, store=store)


if __name__ == "__main__":
    main()
