"""Write the tables and the figure of docs/reproduction/beyond.md from results/beyond-*.json.

tactician reproduce beyond-turns ...
python tools/make_beyond.py
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tactician.arena.figures import COLOURS, STYLE, save

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
PAGE, FIGURE = ROOT / "docs" / "reproduction" / "beyond.md", ROOT / "docs" / "reproduction" / "beyond.svg"
BEGIN, END = "<!-- beyond: {} -->", "<!-- end -->"


class Match(NamedTuple):
    """A row: who plays whom, and where the result is."""

    who: str
    whom: str
    experiment: str
    cell: str


STORY: dict[str, tuple[Match, ...]] = {
    "Hero Academy, 200 ms a turn, against EMCTS": (
        *(
            Match(f"`auto`, {points} action points", "`emcts`", "beyond-turns", f"200 ms, {points} AP, auto")
            for points in (5, 10, 15)
        ),
        *(
            Match(
                f"`auto:evaluation=strongest`, {points} action points",
                "`emcts`",
                "beyond-turns",
                f"200 ms, {points} AP, strongest auto",
            )
            for points in (5, 10, 15)
        ),
    ),
    "Hero Academy, equal evaluations, against EMCTS": (
        Match("`auto`, 5 action points", "`emcts`", "beyond-turns", "5 AP, auto"),
        *(
            Match(
                f"`auto`, {points} action points",
                "`emcts`",
                "beyond-auto",
                f"Hero Academy, {points} AP, 100,000 evaluations: auto against emcts",
            )
            for points in (10, 15)
        ),
        *(
            Match(
                f"answers, {points} action points",
                "`emcts`",
                "beyond-replies",
                f"{points} AP, 100,000 evaluations, answers by EMCTS",
            )
            for points in (10, 15)
        ),
        *(
            Match(
                f"`auto:evaluation=strongest`, {points} action points",
                "`emcts`",
                "beyond-turns",
                f"{points} AP, strongest auto",
            )
            for points in (5, 10, 15)
        ),
    ),
    "Hero Academy, EMCTS with other evaluations, against EMCTS": (
        Match("EMCTS, learned evaluation, 5 action points", "`emcts`", "beyond-evaluations", "Hero Academy, 5 AP"),
        Match(
            "EMCTS, fitted evaluation, 10 action points", "`emcts`", "beyond-evaluations", "Hero Academy, 10 AP, fitted"
        ),
        Match(
            "EMCTS, fitted evaluation, 15 action points", "`emcts`", "beyond-evaluations", "Hero Academy, 15 AP, fitted"
        ),
    ),
    "LOCM, against permutation-OEP": (
        Match("permutation-OEP, evaluation of the board", "`permutation-oep`", "beyond-locm", "board"),
        Match("answers, the paper's evaluation", "`permutation-oep`", "beyond-locm", "replies"),
        Match(
            "answers, evaluation of the board",
            "`permutation-oep`",
            "beyond-locm",
            "board and replies by Greedy Action, 1 guess",
        ),
        Match("`auto`, learned evaluation", "`permutation-oep`", "beyond-evaluations", "LOCM, auto, learned"),
        Match(
            "the competition bot",
            "`permutation-oep`",
            "beyond-bot",
            "the bot against its first settings: permutation-OEP",
        ),
        Match(
            "`auto:evaluation=strongest`, 200 ms a turn",
            "`permutation-oep`",
            "beyond-locm",
            "200 ms, auto, strongest evaluation",
        ),
        Match(
            "the competition bot, 200 ms a turn",
            "`permutation-oep`",
            "beyond-bot",
            "the bot with 200 ms against permutation-OEP",
        ),
    ),
    "Amazons": (
        Match("`auto` against EMCTS", "`emcts`", "beyond-amazons", "auto against emcts"),
        Match(
            "`auto` against non-exploring MCTS",
            "`non-exploring-mcts`",
            "beyond-amazons",
            "auto against non-exploring-mcts",
        ),
        Match("`auto` against EMCTS, 50 ms", "`emcts`", "beyond-amazons", "50 ms, auto against emcts"),
        Match(
            "`auto` against itself without its own next turn, 50 ms",
            "`auto:further=0`",
            "beyond-amazons",
            "50 ms, auto against auto without the own next turn",
        ),
        Match(
            "`auto` against non-exploring MCTS, 50 ms",
            "`non-exploring-mcts`",
            "beyond-amazons",
            "50 ms, auto against non-exploring-mcts",
        ),
    ),
    "Pommerman, against three bots": (
        Match("FDTS", "three bots", "beyond-models", "no model against bots, 100 simulations"),
        Match("FDTS with a model", "three bots", "beyond-models", "model against bots, 100 simulations"),
        Match(
            "FDTS with regret matching",
            "three bots",
            "beyond-models",
            "FDTS with regret matching against bots, 100 simulations",
        ),
        Match("RHEA", "three bots", "beyond-models", "RHEA against bots, 100 simulations"),
        Match("RHEA with a model", "three bots", "beyond-models", "RHEA, model against bots, 100 simulations"),
        Match("FDTS, 5 ms a decision", "three bots", "beyond-models", "no model against bots, 5 ms"),
        Match("FDTS with a model, 5 ms", "three bots", "beyond-models", "model against bots, 5 ms"),
        Match(
            "FDTS on observations alone",
            "three bots",
            "beyond-models",
            "no model on observations against bots, 100 simulations",
        ),
        Match(
            "FDTS with a model, on observations alone",
            "three bots",
            "beyond-models",
            "model on observations against bots, 100 simulations",
        ),
    ),
}
"""The parts of the page, in the order of the figure."""


class Result(NamedTuple):
    """What a match gave, in percent."""

    score: float
    low: float
    high: float
    games: int


def result(match: Match) -> Result:
    """What is in the results of an experiment; wins alone where more than two play."""
    document = json.loads((RESULTS / f"{match.experiment}.json").read_text(encoding="utf-8"))
    row = next(row for row in document["outcomes"] if row["cell"] == match.cell)
    found = row["wins"] if isinstance(row["wins"], dict) else {"share": row["score"], "interval": row["interval"]}
    low, high = found["interval"]
    return Result(100 * found["share"], 100 * low, 100 * high, row["games"])


def page(text: str) -> str:
    """The page with its tables exchanged."""
    for part, matches in STORY.items():
        head, begin, rest = text.partition(BEGIN.format(part))
        _, _, tail = rest.partition(END)
        text = f"{head}{begin}\n{table(matches)}\n{END}{tail}"
    return text


def table(matches: tuple[Match, ...]) -> str:
    """A row for each match."""
    lines = ["| who | against | games | wins, % (95 %) | measured by |", "|---|---|---:|---:|---|"]
    for match in matches:
        score, low, high, games = result(match)
        link = f"[{match.experiment}]({match.experiment}.md)"
        lines.append(f"| {match.who} | {match.whom} | {games} | {score:.1f} ({low:.0f}–{high:.0f}) | {link} |")
    return "\n".join(lines)


def figure() -> Any:
    """The scores with their intervals, a panel for each part."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        heights = [len(matches) for matches in STORY.values()]
        drawn = Figure(figsize=(6.4, 0.32 * sum(heights) + 0.5 * len(heights) + 0.4), layout="constrained")
        panels = drawn.subplots(len(STORY), 1, sharex=True, height_ratios=heights)
        for panel, (part, matches) in zip(panels, STORY.items(), strict=True):
            for place, match in enumerate(reversed(matches)):
                score, low, high, _ = result(match)
                panel.plot([low, high], [place, place], color=COLOURS[0], lw=2)
                panel.plot([score], [place], "o", color=COLOURS[0], ms=5)
            panel.axvline(25 if "three" in part else 50, color="0.6", lw=0.8, ls="--")
            names = [match.who.replace("`", "") for match in reversed(matches)]
            panel.set(yticks=range(len(matches)), yticklabels=names, xlim=(0, 100), ylim=(-0.6, len(matches) - 0.4))
            panel.set_title(part, loc="left", fontsize="medium")
        panels[-1].set_xlabel("wins, %; dashed: equal strength")
    return drawn


def main() -> None:
    """Write the page and the figure."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        FIGURE.write_bytes(save(figure(), Path(folder) / "beyond")[1].read_bytes())


if __name__ == "__main__":
    main()
