"""The verb that tunes a planner's parameters and the weights of its heuristic."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from tactician.cli.arena import CLUSTER_HELP
from tactician.cli.games import JSON
from tactician.cli.show import err, out, print_json
from tactician.errors import InvalidParameterError

if TYPE_CHECKING:
    from tactician.tuning import Estimate, Space, Tuning

SHOWN = 10
"""Points in the final table."""
_FIGURES = ("evolution", "landscape")
_REFRESH = 0.25
"""Seconds between two looks at the recommendation."""


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("tune", rich_help_panel="Planners")(tune)


def tune(
    game: str = typer.Argument(help="The game."),
    planner: str = typer.Argument(help="The planner to tune, with its fixed parameters: name or name:key=value."),
    opponent: list[str] = typer.Option(..., "--opponent", help="An opponent; may be repeated."),
    space: Path | None = typer.Option(None, help="A JSON file with a list of values for each parameter."),
    param: list[str] = typer.Option(
        None, "--param", help="planner.KEY=value,value or weight.NAME=value,value; may be repeated."
    ),
    evaluations: int = typer.Option(
        500, min=1, help="How many points to evaluate; more than last time extends the search."
    ),
    games: int = typer.Option(12, min=1, help="Games per evaluation: a multiple of sides × opponents."),
    budget: str = typer.Option("500evals", help="For one turn: 200ms, 2s, 500evals, 100its, ref:200ms."),
    exploration: float = typer.Option(
        2.0, help="C of the bandits: higher values try rarely evaluated points more often."
    ),
    epsilon: float = typer.Option(0.5, help="Keeps the bonus of arms without evaluations finite."),
    neighbours: int = typer.Option(100, min=1, help="Mutated copies to choose the next point from."),
    mutation: float = typer.Option(0.1, help="The probability that a parameter changes in a copy."),
    seed: int = typer.Option(0, min=0, help="Seed of all random choices."),
    jobs: int = typer.Option(1, min=1, help="Number of processes."),
    cluster: str | None = typer.Option(None, help=CLUSTER_HELP),
    width: int | None = typer.Option(
        None, min=1, help="Evaluations that run at the same time; as many as jobs if not given."
    ),
    journal: Path | None = typer.Option(
        None, "--out", help="Keep every evaluation in this file. Run the same command again to resume."
    ),
    figure: Path | None = typer.Option(None, help="Write FIGURE-evolution and FIGURE-landscape as PNG and SVG."),
    as_json: bool = JSON,
) -> None:
    """Tune parameters with NTBEA: each evaluation is a few games against the opponents."""
    from tactician.arena.figures import require_writable_figure
    from tactician.tuning import NTBEA, MatchEvaluator

    search = NTBEA(
        _space(space, param or ()),
        seed=seed,
        exploration=exploration,
        epsilon=epsilon,
        neighbours=neighbours,
        mutation=mutation,
        width=width or jobs,
    )
    evaluator = MatchEvaluator(game, planner, tuple(opponent), games, budget)
    if figure is not None:
        for kind in _FIGURES:
            require_writable_figure(_figure_path(figure, kind))
    with live(f"{planner} in {game}", evaluations) as on_progress:
        found = search.run(evaluator, evaluations, jobs, cluster, journal, on_progress)
    if figure is not None:
        _draw(found, figure)
    if as_json:
        print_json({**found.to_json(), "evaluator": evaluator.to_json()})
        return
    best = found.recommendation
    out.print(
        f"{found.evaluations} evaluations of {games} games; {search.space.size} points. Recommended:", highlight=False
    )
    out.print(f"    [bold]{escape(str(evaluator.candidate(best.point)))}[/bold]", highlight=False)
    out.print(points_table(found.best(SHOWN)))


def points_table(estimates: list[Estimate]) -> Table:
    """Points with their estimates, best first."""
    names = list(estimates[0].point) if estimates else []
    table = Table(*map(escape, names), "estimate", "own mean", "n", box=None, pad_edge=False)
    for estimate in estimates:
        values = [escape(str(value)) for value in estimate.point.values()]
        table.add_row(*values, f"{estimate.value:.3f}", f"{estimate.mean:.3f}", str(estimate.visits))
    for column in table.columns:
        column.justify, column.no_wrap = "right", True
    return table


@contextmanager
def live(what: str, total: int) -> Iterator[Any]:
    """A bar with evaluations done, rate and time left over the point recommended now."""
    if not err.is_terminal:
        yield None
        return
    columns = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    bar = Progress(*columns, TextColumn("{task.fields[rate]}"), console=err)
    task: TaskID | None = None
    looked = 0.0
    with Live(bar, console=err, transient=True, refresh_per_second=4) as view:

        def on_progress(tuning: Tuning) -> None:
            nonlocal task, looked
            if task is None:  # what an earlier run did is not part of the rate
                task = bar.add_task(what, total=total, completed=tuning.evaluations, rate="")
            speed = bar.tasks[0].speed
            bar.update(task, completed=tuning.evaluations, rate=f"{speed:.2f} evaluations/s" if speed else "")
            if tuning.evaluations and time.monotonic() - looked > _REFRESH:
                view.update(Group(bar, points_table([tuning.recommendation])))
                looked = time.monotonic()

        yield on_progress


def _space(path: Path | None, parameters: list[str] | tuple[str, ...]) -> Space:
    from tactician.tuning import Space, parse_parameter, read_space

    values: dict[str, Any] = {} if path is None else read_space(path)
    for name, listed in map(parse_parameter, parameters):
        if name in values:
            raise InvalidParameterError(f"parameter {name!r} is given twice; expected its values once.")
        values[name] = listed
    if not values:
        raise InvalidParameterError("nothing to tune is given; expected --space FILE or --param NAME=VALUE,VALUE.")
    return Space(values)


def _draw(found: Tuning, path: Path) -> None:
    from tactician.arena.figures import save
    from tactician.tuning.figures import evolution_figure, landscape_figure

    pictures = (evolution_figure(found.search.space, found.evolution()), landscape_figure(found.tables()))
    for kind, picture in zip(_FIGURES, pictures, strict=True):
        for written in save(picture, _figure_path(path, kind)):
            err.print(f"wrote {written}", highlight=False, markup=False)


def _figure_path(path: Path, kind: str) -> Path:
    if not path.name:
        raise InvalidParameterError(f"figure is {str(path)!r}; expected the name of a file.")
    stem = path.with_suffix("") if path.suffix.lower() in (".png", ".svg") else path
    return stem.with_name(f"{stem.name}-{kind}")
