"""Tables of measured strength, from the tournaments in results/strength (tools/play_strength.py plays them)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from play_strength import BLIND, FOLDER, TOURNAMENTS

from tactician.experiments.papers.beyond.cards import WINNER

CAPTIONS = {
    "hero-academy-200": ("Hero Academy", "200 evaluations"),
    "hero-academy-2000": ("Hero Academy", "2,000 evaluations"),
    "hero-academy-reply": ("Hero Academy, the first three", "5,000 evaluations"),
    "hero-academy-10-points": ("Hero Academy, 10 action points", "2,000 evaluations"),
    "hero-academy-20-points": ("Hero Academy, 20 action points", "2,000 evaluations"),
    "locm-500": ("Legends of Code and Magic", "500 evaluations"),
    "locm-5000": ("Legends of Code and Magic", "5,000 evaluations"),
    "amazons-6": ("Amazons, 6 × 6", "2,000 evaluations"),
    "amazons-10": ("Amazons, 10 × 10", "2,000 evaluations"),
    "amazons-6-blind": ("Amazons, 6 × 6, evaluation always 0", "2,000 evaluations"),
}
"""What a tournament is called in tables: the game and the budget of a turn."""


@cache
def tournament(name: str) -> dict[str, Any]:
    """The outcome of a tournament."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def played(parts: bool = False) -> list[str]:
    """The tournaments that have an outcome, in the order of the captions; `parts`: also parts of them."""
    names = [*CAPTIONS, *(name for name, one in TOURNAMENTS.items() if parts and one.part_of)]
    return [name for name in names if (FOLDER / f"{name}.json").exists()]


def caption(name: str) -> tuple[str, str]:
    """What a tournament, or the tournament that it is part of, is called."""
    return CAPTIONS[TOURNAMENTS[name].part_of or name]


def strength_rows(planner: str) -> list[tuple[str, ...]]:
    """Where a planner stands in every tournament that it took part in: a row for each."""
    rows: list[tuple[str, ...]] = []
    for name in played():
        standings = tournament(name)["standings"]
        for place, standing in enumerate(standings, 1):
            if shown(standing["planner"]) == planner:
                field, budget = CAPTIONS[name]
                best = ", ".join(f"`{one}`" for one in beaten_by(name, standing["planner"])) or "none"
                games = f"{standing['games']}"
                rows.append((field, budget, games, score(standing), f"{place} of {len(standings)}", best))
    return rows


STRENGTH = ("game", "budget of a turn", "games", "score, % (95 %)", "place", "significantly worse than")
"""The columns of `strength_rows`."""


def comparison_rows(*names: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """Tournaments side by side: the header, and a row for each planner that played in all of them."""
    tables = [{shown(one["planner"]): one for one in tournament(name)["standings"]} for name in names]
    shared = [planner for planner in tables[0] if all(planner in table for table in tables)]
    header = ["planner", *(", ".join(caption(name)) for name in names)]
    best = [max(table[planner]["score"] for planner in shared) for table in tables]
    rows: list[tuple[str, ...]] = []
    for planner in shared:
        cells = []
        for table, top in zip(tables, best, strict=True):
            text = score(table[planner])
            cells.append(f"**{text}**" if table[planner]["score"] == top else text)
        rows.append((f"`{planner}`", *cells))
    return header, rows


def evaluations_for_each_candidate(name: str) -> float:
    """The budget of a tournament divided by the candidates of all decisions of a turn."""
    one = TOURNAMENTS[name]
    sizes = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))[one.game]
    return float(one.budget.removesuffix("evals")) / (sizes["candidates"] * sizes["decisions_a_turn"])


def coverage_rows(*names: str) -> list[tuple[str, ...]]:
    """Tournaments by evaluations for each candidate, fewest first, with who came first and second."""
    rows: list[tuple[str, ...]] = []
    for name in sorted(names, key=evaluations_for_each_candidate):
        first, second = tournament(name)["standings"][:2]
        places = [f"`{shown(one['planner'])}` {score(one)}" for one in (first, second)]
        rows.append((*caption(name), f"{evaluations_for_each_candidate(name):.0f}", *places))
    return rows


COVERAGE = ("game", "budget of a turn", "evaluations for each candidate", "first", "second")
"""The columns of `coverage_rows`."""


def size_rows() -> list[tuple[str, ...]]:
    """What tools/measure_games.py counted."""
    found = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))
    return [
        (
            f"`{name}`",
            f"`{row['player']}`",
            f"{row['candidates']:.0f}",
            str(row["most_candidates"]),
            f"{row['decisions_a_turn']:.1f}",
            f"{row['turns_a_game']:.0f}",
        )
        for name, row in found.items()
    ]


SIZES = ("game", "played by", "candidates", "most candidates", "decisions a turn", "turns a game")
"""The columns of `size_rows`."""


def cost_rows() -> list[tuple[str, ...]]:
    """What tools/measure_costs.py measured: a row for each planner, a column for each game."""
    found = json.loads((FOLDER / "costs.json").read_text(encoding="utf-8"))
    games = list(found)
    return [(f"`{planner}`", *(f"{found[game][planner]:.2f}" for game in games)) for planner in found[games[0]]]


COSTS = ("planner", "Hero Academy, 2,000 evaluations", "LOCM, 500 evaluations", "Amazons 6 × 6, 2,000 evaluations")
"""The columns of `cost_rows`."""


def shown(agent: str) -> str:
    """The name of an agent without weights that all agents of its tournament have."""
    return agent.replace(f"{BLIND},", "").replace(f",{BLIND}", "").replace(f":{BLIND}", "")


def score(standing: dict[str, Any]) -> str:
    """A score with its interval, in percent."""
    low, high = standing["interval"]
    return f"{100 * standing['score']:.0f} ({100 * low:.0f}–{100 * high:.0f})"


def beaten_by(name: str, agent: str) -> list[str]:
    """Who won against an agent, significantly after Holm correction."""
    found = []
    for pair in tournament(name)["pairs"]:
        if pair["p_holm"] is not None and pair["p_holm"] < 0.05:
            if pair["planner"] == agent and pair["score"] < 0.5:
                found.append(shown(pair["opponent"]))
            if pair["opponent"] == agent and pair["score"] > 0.5:
                found.append(shown(pair["planner"]))
    return found


def battle_rows() -> list[tuple[str, ...]]:
    """Simultaneous planners in Pommerman, from boney-table2: each against three rule-based bots."""
    return _share_rows("boney-table2")


def _share_rows(name: str) -> list[tuple[str, ...]]:
    kinds = ("wins", "draws", "losses")
    return [
        (f"`{row['planner']}`", str(row["games"]), *(share(row[kind]) for kind in kinds)) for row in _outcomes(name)
    ]


BATTLES = ("planner", "games", "wins, % (95 %)", "draws", "losses")
"""The columns of `battle_rows`."""


def model_rows() -> list[tuple[str, ...]]:
    """Planners of simultaneous moves against several kinds of opponents in Pommerman, from beyond-models."""
    return [
        (
            f"`{row['planner']}`",
            f"`{row['opponent']}`",
            "own view" if "on observations" in row["cell"] else "everything",
            row["budget"],
            str(row["games"]),
            *(share(row[kind]) for kind in ("wins", "draws", "losses")),
        )
        for row in _outcomes("beyond-models")
    ]


MODELS = ("planner", "against three", "sees", "budget", *BATTLES[1:])
"""The columns of `model_rows`."""


def draft_rows() -> list[tuple[str, ...]]:
    """What the draft learned from self-play scored: the comparison of tools/learn_draft.py."""
    found = json.loads((FOLDER.parent / "locm-draft.json").read_text(encoding="utf-8"))
    rows: list[tuple[str, ...]] = []
    for opponent, sides in found["opponents"].items():
        for side, one in sides.items():
            low, high = one["interval"]
            gain = f"{100 * one['difference']:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"
            named = {found["planner"]: "the same", WINNER: "a stand-in for the winner of 2019"}
            name = named.get(opponent, f"`{opponent}`")
            rows.append((name, side, f"{100 * one['new']:.1f}", f"{100 * one['present']:.1f}", gain))
    return rows


DRAFTS = ("opponent", "seat", "`learned`, %", "`coac`, %", "difference (95 %)")
"""The columns of `draft_rows`."""


def bot_change_rows() -> list[tuple[str, ...]]:
    """LOCM's bot with one thing changed against itself as it is, from beyond-bot."""
    found: list[tuple[str, ...]] = []
    for row in _outcomes("beyond-bot"):
        change = row["cell"].removesuffix(" against the bot")
        if change != row["cell"]:
            low, high = row["interval"]
            score = f"{100 * row['score']:.1f} ({100 * low:.0f}–{100 * high:.0f})"
            found.append((change, row["budget"], str(row["games"]), score))
    return found


BOT_CHANGES = ("change", "budget", "games", "score, % (95 %)")
"""The columns of `bot_change_rows`."""


def follower_rows() -> list[tuple[str, ...]]:
    """Trained networks in Pommerman, from boney-table8."""
    return _share_rows("boney-table8")


def tuned_rows() -> list[tuple[str, ...]]:
    """What tuned weights scored against each opponent, beside equal weights where they were played."""
    rows: list[tuple[str, ...]] = []
    played = {row["cell"]: row for row in _outcomes("montoliu-weights")}
    for name, decks in (("decks of the tuning", "those of the tuning"), ("other decks", "others")):
        for cell, row in played.items():
            if cell.startswith("OEP(tuned)") and cell.endswith(name):
                equal = played.get(cell.replace("OEP(tuned)", "OEP(1s)"))
                rows.append((f"`{row['opponent']}`", decks, score(row), score(equal) if equal else ""))
    return rows


TUNED = ("against", "decks", "tuned weights, % (95 %)", "equal weights, % (95 %)")
"""The columns of `tuned_rows`."""


def match_rows(*experiments: str) -> list[tuple[str, ...]]:
    """Matches of two planners in experiments of the papers."""
    return [
        (f"`{row['planner']}`", f"`{row['opponent']}`", row["budget"], str(row["games"]), score(row), row["cell"])
        for name in experiments
        for row in _outcomes(name)
    ]


MATCHES = ("planner", "against", "budget", "games", "score, % (95 %)", "cell of the experiment")
"""The columns of `match_rows`."""


POINTS = (5, 10, 15)


class Chosen(NamedTuple):
    """A row of an experiment that stands on the page of a planner."""

    what: str
    experiment: str
    cell: str


_TURNS, _REPLIES, _AMAZONS, _HIDDEN = "beyond-turns", "beyond-replies", "beyond-amazons", "hidden-planners"
_AUTO = "beyond-auto"
CHOSEN: dict[str, tuple[Chosen, ...]] = {
    "auto-time": (
        *(
            Chosen(f"Hero Academy, {points} action points{with_weights}", _TURNS, f"200 ms, {points} AP, {auto}")
            for with_weights, auto in (("", "auto"), (", `evaluation=strongest`", "strongest auto"))
            for points in POINTS
        ),
        Chosen("LOCM, `evaluation=strongest`", "beyond-locm", "200 ms, auto, strongest evaluation"),
        *(
            Chosen("Amazons", _AMAZONS, f"50 ms, auto against {other}")
            for other in ("emcts", "non-exploring-mcts", "auto without the own next turn")
        ),
    ),
    "auto-work": (
        Chosen("Hero Academy, 5 action points", _TURNS, "5 AP, auto"),
        *(
            Chosen(
                f"Hero Academy, {points} action points",
                _AUTO,
                f"Hero Academy, {points} AP, 100,000 evaluations: auto against emcts",
            )
            for points in POINTS[1:]
        ),
        *(
            Chosen(
                f"Hero Academy, {points} action points, `evaluation=strongest`", _TURNS, f"{points} AP, strongest auto"
            )
            for points in POINTS
        ),
        *(
            Chosen(
                f"Hero Academy, {points} action points, `planner=emcts`",
                _REPLIES,
                f"{points} AP, 100,000 evaluations, auto with EMCTS",
            )
            for points in POINTS[1:]
        ),
        Chosen("LOCM, `evaluation=strongest`", "beyond-locm", "auto, strongest evaluation"),
        *(
            Chosen("Amazons", _AMAZONS, f"auto against {other}")
            for other in ("emcts", "oep", "mcts", "non-exploring-mcts")
        ),
    ),
    "auto-few": (
        *(
            Chosen(name, _AUTO, f"{name}: auto against {other}")
            for name, *others in (
                ("Hero Academy, 5 AP, 200 evaluations", "non-exploring-mcts", "mcts"),
                ("Hero Academy, 5 AP, 2,000 evaluations", "bridge-burning-mcts", "emcts"),
                ("Hero Academy, 10 AP, 2,000 evaluations", "non-exploring-mcts", "emcts"),
                ("Hero Academy, 15 AP, 20,000 evaluations", "non-exploring-mcts", "emcts"),
                ("Hero Academy, 20 AP, 2,000 evaluations", "non-exploring-mcts", "oep"),
                ("Amazons, 500 evaluations", "non-exploring-mcts", "greedy-oep"),
                ("Amazons, 2,000 evaluations", "non-exploring-mcts", "greedy-oep"),
                ("Amazons 6 × 6, 2,000 evaluations", "non-exploring-mcts", "bridge-burning-mcts"),
                ("LOCM, board, 500 evaluations", "permutation-oep", "non-exploring-mcts"),
                ("LOCM, board, 5,000 evaluations", "permutation-oep", "non-exploring-mcts"),
            )
            for other in others
        ),
    ),
    "reply": (
        *(
            Chosen(f"Hero Academy, {points} action points", _REPLIES, f"{points} AP, default evaluation")
            for points in POINTS
        ),
        *(
            Chosen(
                f"Hero Academy, {points} action points, `answer=emcts`",
                _REPLIES,
                f"{points} AP, {work} evaluations, answers by EMCTS",
            )
            for points, work in ((10, "100,000"), (10, "400,000"), (15, "100,000"))
        ),
        Chosen(
            "LOCM, `planner=greedy-turn,answer=greedy-turn,evaluation=board`",
            "beyond-locm",
            "board and replies by Greedy Turn, 1 guess",
        ),
        Chosen("LOCM, `greedy-turn:evaluation=board` instead, without answers", "beyond-locm", "board, all turns"),
    ),
    "coevolution": tuple(
        Chosen(f"{points} action points{with_weights}", _TURNS, f"{points} AP, coevolution{fitted}")
        for points in POINTS[1:]
        for with_weights, fitted in (("", ""), (", `evaluation=fitted`", ", fitted"))
    ),
    "determinized": tuple(
        Chosen(f"{game}, `combine={combine}`", _HIDDEN, f"{game}: 5 guesses, {combine}, v {planner}")
        for game, planner in (
            ("Hero Academy", "oep"),
            ("Hero Academy", "mcts"),
            ("LOCM", "permutation-oep"),
            ("LOCM", "mcts"),
        )
        for combine in ("vote", "mean")
    ),
    "clairvoyant": tuple(
        Chosen(game, _HIDDEN, f"{game}: cheating {planner} v {planner}")
        for game, planner in (
            ("Hero Academy", "oep"),
            ("Hero Academy", "mcts"),
            ("LOCM", "permutation-oep"),
            ("LOCM", "mcts"),
        )
    ),
}


def chosen_rows(name: str) -> list[tuple[str, ...]]:
    """Rows of several experiments with links to their pages."""
    found: list[tuple[str, ...]] = []
    for one in CHOSEN[name]:
        row = next(row for row in _outcomes(one.experiment) if row["cell"] == one.cell)
        against = row["opponent"].removesuffix(":evaluation=default")
        link = f"[{one.experiment}](../reproduction/{one.experiment}.md)"
        low, high = (100 * bound for bound in row["interval"])
        points = f"{100 * row['score']:.1f} ({low:.0f}–{high:.0f})"
        found.append((one.what, f"`{against}`", row["budget"], str(row["games"]), points, link))
    return found


CHOSEN_ROWS = ("game", "against", "budget", "games", "score, % (95 %)", "report")
"""The columns of `chosen_rows`."""


def emcts_rows() -> list[tuple[str, ...]]:
    """EMCTS against others with turns of three lengths: baier-table1, coded reading, work of 200 ms."""
    cells = {
        (row["opponent"].partition(":")[0], points): score(row)
        for row in _outcomes("baier-table1")
        for points in POINTS
        if (row["preset"], row["budget"]) == ("reference", "ref:200ms") and f" {points} AP v " in row["cell"]
    }
    opponents = list(dict.fromkeys(opponent for opponent, _ in cells))
    return [(f"`{opponent}`", *(cells[opponent, points] for points in POINTS)) for opponent in opponents]


EMCTS = ("EMCTS against", *(f"{points} action points" for points in POINTS))
"""The columns of `emcts_rows`."""


def share(part: dict[str, Any]) -> str:
    """A share with its interval, in percent."""
    low, high = part["interval"]
    return f"{100 * part['share']:.0f} ({100 * low:.0f}–{100 * high:.0f})"


@cache
def _outcomes(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER.parent / f"{name}.json").read_text(encoding="utf-8"))["outcomes"]
    return found
