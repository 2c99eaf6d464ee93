"""Verbs about playing planners against each other."""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.markup import escape
from rich.table import Table

from tactician.cli.games import JSON, write_text
from tactician.cli.show import err, live, out, print_json
from tactician.files import require_other_file, require_writable

if TYPE_CHECKING:
    from tactician.arena import Tournament
    from tactician.arena.statistics import ScoreLike

CLUSTER_HELP = "Dask scheduler to use instead: tcp://HOST:PORT, or tls://HOST:PORT?ca=FILE&cert=FILE&key=FILE."
STORE_HELP = "Keep the games here: an SQLite file or a database URL. Run the same command again to resume."


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("arena", rich_help_panel="Planners")(arena)
    app.command("stronger", rich_help_panel="Planners")(stronger)
    app.command("planners", rich_help_panel="Planners")(list_planners)
    app.command("demo", rich_help_panel="Planners")(demo)


def list_planners(as_json: bool = JSON) -> None:
    """List the planners with their parameters and defaults, and say which to try first."""
    from tactician.planners.advice import ADVICE
    from tactician.planners.registry import PLANNERS

    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "parameters": {f.name: f.default for f in fields(kind) if f.default is not MISSING},
            "paper": kind.paper,
            "description": (kind.__doc__ or "").splitlines()[0],
            "begin_with_it_if": [one.kind for one in ADVICE if one.begin[0].partition(":")[0] == name],
        }
        for name, kind in PLANNERS.items()
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        about, paper = escape(row["description"]), escape(row["paper"])
        out.print(f"[bold]{row['name']}[/bold]  {about} [dim]{paper}[/dim]", highlight=False)
        shown = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
        out.print(f"    [dim]{escape(shown)}[/dim]", highlight=False)
    out.print("\n[bold]Which planner to begin with[/bold]  [dim]docs/planners/choose.md says more[/dim]")
    for advice in ADVICE:
        first, *others = advice.begin
        told = f"{first} ({', '.join('or ' + one for one in others)})" if others else first
        told += f"; then {', '.join(advice.then)}" if advice.then else ""
        told += f"; measured in {', '.join(advice.evidence)}" if advice.evidence else ""
        out.print(f"{advice.kind}:\n    {escape(told)}", highlight=False)


def arena(
    game: str = typer.Argument(help="The game."),
    planners: list[str] = typer.Argument(
        None, help="Two or more: planners (name or name:key=value,...), exec:COMMAND, python:FILE.py:NAME, agents."
    ),
    agents: list[str] = typer.Option(None, "--agent", help="One more agent; may be repeated."),
    games: int = typer.Option(20, min=1, max=1_000_000, help="Games per pair; each start is played from every side."),
    budget: str = typer.Option("100ms", help="For one turn: 200ms, 2s, 500evals, 100its, ref:200ms."),
    seed: int = typer.Option(0, min=0, help="Seed of the start positions and of the searches."),
    jobs: int = typer.Option(1, min=1, help="Number of processes."),
    cluster: str | None = typer.Option(None, help=CLUSTER_HELP),
    gauntlet: bool = typer.Option(False, "--gauntlet", help="Only the first planner against each of the others."),
    store: str | None = typer.Option(None, "--out", help=STORE_HELP),
    figure: Path | None = typer.Option(None, help="Write the cross-table as FIGURE.png and FIGURE.svg."),
    csv: Path | None = typer.Option(None, help="Write the pairs as a CSV file."),
    as_json: bool = JSON,
) -> None:
    """Play planners and other agents against each other and print the cross-table."""
    from tactician.arena import tournament

    _check_places(csv, figure, store)
    with live(f"{game}, {budget} a turn", cross_table) as on_progress:
        result = tournament(
            game,
            [*(planners or ()), *(agents or ())],
            games,
            budget,
            seed,
            "gauntlet" if gauntlet else "round-robin",
            jobs,
            cluster,
            store,
            on_progress,
        )
    try:
        show_tournament(result, as_json)  # before the files: a disk that is full by now must not hide it
    finally:  # nor must a reader that is gone keep the files from being written
        if csv is not None:
            write_text(csv, pairs_csv(result))
        if figure is not None:
            _draw(result, figure)


def stronger(
    game: str = typer.Argument(help="The game."),
    planner: str = typer.Argument(help="The planner to test."),
    opponent: str = typer.Argument(help="The planner to beat."),
    budget: str = typer.Option("100ms", help="For one turn: 200ms, 2s, 500evals, 100its, ref:200ms."),
    elo0: float = typer.Option(0.0, help="Elo difference of the hypothesis 'not stronger'."),
    elo1: float = typer.Option(50.0, help="Elo difference of the hypothesis 'stronger'."),
    games: int = typer.Option(1000, min=2, help="Stop undecided after this number of games."),
    seed: int = typer.Option(0, min=0, help="Decides starts and searches."),
    jobs: int = typer.Option(1, min=1, help="Number of processes."),
    store: str | None = typer.Option(None, "--out", help=STORE_HELP),
    as_json: bool = JSON,
) -> None:
    """Test whether one planner is stronger than another: play until a sequential test decides."""
    from tactician.arena import stronger as ask

    with live(f"{planner} v {opponent}", cross_table) as on_progress:
        test, result = ask(game, planner, opponent, budget, elo0, elo1, games, seed, jobs, store, on_progress)
    undecided = test.decision == "go on"
    if as_json:
        found = {"decision": test.decision, "undecided": undecided, "llr": test.llr, "bounds": [test.lower, test.upper]}
        print_json({**found, **result.to_json()})
        return
    show_tournament(result, False)
    answer = f"undecided after {len(result.games())} games" if undecided else test.decision
    out.print(
        f"{answer}: log-likelihood ratio {test.llr:.2f} in ({test.lower:.2f}, {test.upper:.2f}) "
        f"for {elo0:g} against {elo1:g} rating points",
        highlight=False,
    )


def demo() -> None:
    """Draw Hero Academy and play a small round-robin tournament of five planners on it."""
    from tactician.arena import tournament
    from tactician.games import hero_academy

    picture = Path("demo-cross-table")
    _check_places(None, picture, None)
    out.print("[bold]Hero Academy[/bold], the first turn of player 1:\n")
    out.print(hero_academy().initial_state(seed=7).text(), highlight=False)
    out.print()
    planners = ["random", "greedy-action", "mcts", "oep", "emcts"]
    with live("five planners, 5 ms a turn", cross_table) as on_progress:
        result = tournament("hero-academy", planners, 6, "5ms", seed=1, jobs=2, on_progress=on_progress)
    show_tournament(result, False)
    _draw(result, picture)


def show_tournament(result: Tournament, as_json: bool) -> None:
    """Print the outcome, forfeits last."""
    from tactician.arena.scoring import first_seat_score

    if as_json:
        print_json(result.to_json())
        return
    plan = result.plan
    if result.rotates:
        out.print(
            f"{len(result.games())} games of {plan.game}, {plan.budget} a move, every start from every seat:",
            highlight=False,
            markup=False,
        )
        out.print(cross_table(result))
        _show_forfeits(result)
        return
    out.print(
        f"{len(result.games())} games of {plan.game}, {plan.budget} a turn; row's win % (draws as half) and 95 % "
        "interval, coloured where it differs from 50 with p < 0.05, bold where it still does after Holm correction:",
        highlight=False,
        markup=False,
    )
    out.print(cross_table(result, intervals=True))
    if len(result.names) > 2:
        ratings = result.ratings()
        shown = ", ".join(
            f"{result.names[i]} {ratings.elo[i]:+.0f} ({ratings.interval(i)[0]:+.0f} to {ratings.interval(i)[1]:+.0f})"
            for i in ratings.ranking()
        )
        out.print(f"ratings: {shown}", highlight=False, markup=False)
    first = first_seat_score(result.games(), plan.sides)
    low, high = first.interval()
    who = "first player" if plan.seats == 2 else "first side"
    out.print(f"{who}: {100 * first.rate:.0f} % ({100 * low:.0f}–{100 * high:.0f})", highlight=False)
    _show_forfeits(result)


def _show_forfeits(result: Tournament) -> None:
    """A line for each reason, with the number of games it cost."""
    lost: dict[tuple[str, str | None], list[str]] = {}
    for record in result.errors:
        seat = record.pairing.seats[record.error_seat or 0]
        lost.setdefault((seat, record.error), []).append(record.pairing.key)
    for (seat, why), keys in lost.items():
        count = "1 game" if len(keys) == 1 else f"{len(keys)} games"
        first = "in game" if len(keys) == 1 else "first in game"
        err.print(f"forfeits of {seat}: {count}: {why} ({first} {keys[0]})", highlight=False, markup=False)


def _seats_table(result: Tournament) -> Table:
    """Wins, draws and losses of each agent against copies of each other, with intervals."""
    from tactician.arena.seats import KINDS

    table = Table("planner", "against", "games", *KINDS, box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for one, other in result.plan.pairs:
        score = result.seats_score(one, other)
        cells = []
        for kind in KINDS:
            low, high = score.share(kind).interval() if score.games else (0.0, 1.0)
            cells.append(f"{100 * score.share(kind).rate:.0f} % [dim]({100 * low:.0f}–{100 * high:.0f})[/dim]")
        against = f"{result.plan.seats - 1} × {escape(result.names[other])}"
        table.add_row(f"[bold]{escape(result.names[one])}[/bold]", against, str(score.games), *cells)
    for column in table.columns[2:]:
        column.justify, column.no_wrap = "right", True
    return table


def cross_table(result: Tournament, intervals: bool = False) -> Table:
    """Every agent's win percentage against every other, best first; with more than two sides a row a pair.

    With `intervals` every cell has its interval below, which is too much while games are being played.
    """
    from tactician.arena.statistics import SIGNIFICANT, holm

    if result.rotates:
        return _seats_table(result)
    order = sorted(range(len(result.names)), key=lambda i: (-result.standing(i).rate, i))
    numbers = [str(number) for number in range(1, len(order) + 1)]
    table = Table("", "planner", "all (95 %)", *numbers, box=None, pad_edge=False, padding=(0, 1, 0, 0))
    scores = {pair: result.score(*pair) for pair in result.plan.pairs}
    firm = dict(zip(scores, (p < SIGNIFICANT for p in holm([s.p_value() for s in scores.values()])), strict=True))
    for (a, b), score in list(scores.items()):
        scores[b, a], firm[b, a] = score.reversed(), firm[a, b]
    for number, row in zip(numbers, order, strict=True):
        pairs = [(row, column) for column in order]
        below = "\n" if intervals else None
        cells = [_cell(scores[pair], firm[pair], below) if pair in scores else "[dim]·[/dim]" for pair in pairs]
        total = _cell(result.standing(row), between=below or " ")
        table.add_row(number, f"[bold]{escape(result.names[row])}[/bold]", total, *cells)
    for column in table.columns[2:]:
        column.justify, column.no_wrap = "right", True
    return table


def _cell(score: ScoreLike, firm: bool = False, between: str | None = None) -> str:
    """A win percentage, green or red where it differs significantly from a half; its interval behind `between`."""
    if score.games == 0:
        return ""
    from tactician.arena.statistics import SIGNIFICANT

    colour = "default" if score.p_value() >= SIGNIFICANT else "green" if score.rate > 0.5 else "red"
    style = f"bold {colour}" if firm else colour
    low, high = score.interval()
    interval = "" if between is None else f"{between}[dim]{100 * low:.0f}–{100 * high:.0f}[/dim]"
    return f"[{style}]{100 * score.rate:.0f}[/{style}]{interval}"


def pairs_csv(result: Tournament) -> str:
    """The pairs with their intervals, a row each; with more than two seats also those of wins, draws and losses."""
    from tactician.arena.seats import KINDS

    kinds = KINDS if result.rotates else ()
    ends = [f",{kind}_low,{kind}_high" for kind in kinds]
    rows = ["planner,opponent,games,wins,draws,losses,score,low,high" + "".join(ends)]
    for pair in result.to_json()["pairs"]:
        numbers = [pair["games"], pair["wins"], pair["draws"], pair["losses"], pair["score"], *pair["interval"]]
        numbers += [end for kind in kinds for end in pair[f"{kind}_interval"]]
        names = ['"' + pair[seat].replace('"', '""') + '"' for seat in ("planner", "opponent")]
        rows.append(",".join([*names, *map(str, numbers)]))
    return "\n".join(rows) + "\n"


def _check_places(csv: Path | None, figure: Path | None, store: str | None) -> None:
    """Refuse files that can't be written, or that are the store, before the first game is played."""
    from tactician.arena.figures import files_of, require_writable_figure

    for path in (*([csv] if csv is not None else []), *(files_of(figure) if figure is not None else ())):
        require_other_file("file", path, store)
    if csv is not None:
        require_writable("file", csv)
    if figure is not None:
        require_writable_figure(figure)


def _draw(result: Tournament, path: Path) -> None:
    from tactician.arena.figures import cross_table_figure, save

    scores: dict[tuple[int, int], ScoreLike] = {
        pair: result.seats_score(*pair).share("wins") if result.rotates else result.score(*pair)
        for pair in result.plan.pairs
    }
    for written in save(cross_table_figure(result.names, scores, mirrored=not result.rotates), path):
        err.print(f"wrote {written}", highlight=False, markup=False)
