"""The commands that train followers and look at trained ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tactician.cli.games import JSON
from tactician.cli.show import err, out, print_json

if TYPE_CHECKING:
    from tactician import learning
    from tactician.learning.evaluations import EvaluationResult
    from tactician.learning.weights import WeightsResult

_PANEL = "Planners"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("train", rich_help_panel=_PANEL)(train)
    app.command("follower", rich_help_panel=_PANEL)(follower)
    app.command("train-ratings", rich_help_panel=_PANEL)(train_ratings)
    app.command("train-evaluation", rich_help_panel=_PANEL)(train_evaluation)
    app.command("train-weights", rich_help_panel=_PANEL)(train_weights)


def train(
    game: str = typer.Argument(help="Game, with or without parameters."),
    weights: Path = typer.Option(
        ..., "--out", help="Where to write the weights (.safetensors). Run the same command again to resume."
    ),
    method: str | None = typer.Option(
        None, help="dagger (the follower plays, the teacher labels), cloning (the teacher plays) or q-mc (no teacher)."
    ),
    teacher: str | None = typer.Option(None, help="Planner (sees the whole state) or another agent of the arena."),
    budget: str | None = typer.Option(None, help="The planner's budget for a decision: 100its, 4its/action."),
    battles: int | None = typer.Option(None, min=1, help="Battles to train on; more than last time trains longer."),
    encoding: str | None = typer.Option(None, help="Name of the game's encoding: the planes that the network sees."),
    hidden: int | None = typer.Option(None, min=1, help="Planes of the network's inner layers."),
    embedding: int | None = typer.Option(None, min=1, help="Planes of the embedding, where outputs are maps."),
    batch: int | None = typer.Option(None, min=1, help="Samples of a gradient step."),
    learning_rate: float | None = typer.Option(None, help="Learning rate of Adam."),
    buffer: int | None = typer.Option(None, min=1, help="Samples that are kept to learn from."),
    updates: float | None = typer.Option(None, help="Gradient steps for each step of a battle."),
    width: int | None = typer.Option(None, min=1, help="Number of battles played at the same time."),
    sample: bool | None = typer.Option(None, help="Draw the follower's training actions from its softmax."),
    temperature: float | None = typer.Option(None, help="Temperature of that softmax."),
    target: str | None = typer.Option(None, help="What is learned: choice, visits or values."),
    symmetric: bool | None = typer.Option(None, help="Turn and mirror batches at random, where the game allows it."),
    rival: str | None = typer.Option(None, help="Agent in all seats but one in the training battles."),
    noise: float | None = typer.Option(None, help="Share of random actions in training battles."),
    longest: int | None = typer.Option(None, min=0, help="End training battles after this many steps; 0: never."),
    opponent: str | None = typer.Option(None, help="Opponent in the evaluation games of the training."),
    evaluate_every: int | None = typer.Option(None, min=1, help="Battles between two evaluations."),
    evaluation_games: int | None = typer.Option(None, min=1, help="Games of an evaluation."),
    seed: int = typer.Option(0, min=0, help="Seed of all random choices."),
    jobs: int = typer.Option(1, min=1, help="Processes that play battles and label them; 1: a thread."),
    device: str = typer.Option("auto", help="Where the network learns: auto, cpu or cuda."),
    as_json: bool = JSON,
) -> None:
    """Train a follower: a network that imitates a planner from what a player sees. Needs the extra 'learn'.

    Options without a default take the values that the game recommends.
    """
    given = {
        "method": method,
        "teacher": teacher,
        "budget": budget,
        "battles": battles,
        "encoding": encoding,
        "hidden": hidden,
        "embedding": embedding,
        "batch": batch,
        "learning_rate": learning_rate,
        "buffer": buffer,
        "updates": updates,
        "width": width,
        "sample": sample,
        "temperature": temperature,
        "target": target,
        "symmetric": symmetric,
        "rival": rival,
        "noise": noise,
        "longest": longest,
        "opponent": opponent,
        "evaluate_every": evaluate_every,
        "evaluation_games": evaluation_games,
    }
    from tactician.learning import Training
    from tactician.learning import train as run

    settings = Training.for_game(game, seed=seed, **given)
    with _live(game, settings.battles) as on_progress:
        last = run(settings, weights, jobs=jobs, device=device, on_progress=on_progress)
    if as_json:
        print_json({"weights": str(weights), "settings": settings.to_json(), "progress": last.to_json()})
        return
    out.print(
        f"{last.battles} battles, {last.steps} steps, {last.updates} gradient steps in {last.seconds:.0f} s. "
        f"Play it: follower:path={weights}",
        highlight=False,
        markup=False,
    )


def train_ratings(
    game: str = typer.Argument(help="Game with rating weights, with or without parameters."),
    ratings: Path = typer.Option(..., "--out", help="Where to write the weights (.json)."),
    teacher: str = typer.Option("emcts", help="Planner whose turns are learned."),
    budget: str = typer.Option("500evals", help="Its counted budget for a turn."),
    games: int = typer.Option(40, min=2, help="Games that it plays against itself."),
    penalty: float = typer.Option(1.0, help="How strongly large weights are avoided."),
    seed: int = typer.Option(0, min=0, help="Seed of all random choices."),
    as_json: bool = JSON,
) -> None:
    """Learn from a planner's turns the rating by which planners order actions."""
    from tactician.learning.ratings import RatingsTraining
    from tactician.learning.ratings import train_ratings as run

    settings = RatingsTraining(game=game, teacher=teacher, budget=budget, games=games, penalty=penalty, seed=seed)
    with _games_bar(f"{teacher} plays {game}") as on_games:
        result = run(settings, ratings, on_games)
    if as_json:
        print_json({"ratings": str(ratings), **result.to_json()})
        return
    out.print(
        f"{result.decisions} decisions. In games held out the teacher's actions come first in "
        f"{100 * result.agreement:.0f} % of the decisions (usual ratings: {100 * result.usual_agreement:.0f} %), at "
        f"place {result.mean_rank:.1f} on average ({result.usual_rank:.1f}). Use it: ratings={ratings}",
        highlight=False,
        markup=False,
    )


def train_evaluation(
    game: str = typer.Argument(help="Game that lists features, with or without parameters."),
    evaluation: Path = typer.Option(
        ..., "--out", help="Where to write the weights (.json). Run the same command again to resume."
    ),
    planner: str = typer.Option("emcts", help="Planner that plays itself."),
    budget: str = typer.Option("1000evals", help="Its counted budget for a turn."),
    rounds: int = typer.Option(4, min=1, help="Rounds of self-play, each with what was learned before."),
    games: int = typer.Option(500, min=10, help="Games of a round."),
    penalty: float = typer.Option(1.0, help="How strongly large weights are avoided."),
    trace: float = typer.Option(0.9, help="λ of TD(λ), 0 to 1; 1: only results of games count."),
    fading: float = typer.Option(0.5, help="Weight of a round's games in the next round, 0 to 1."),
    noise: float = typer.Option(0.02, help="Share of turns that are random, 0 to 1."),
    opening: int = typer.Option(2, min=0, help="Random turns at the beginning of a game."),
    hidden: int = typer.Option(
        0, min=0, help="Hidden units of a network that adds to the weighted sum; needs the extra 'learn'."
    ),
    check: int = typer.Option(100, min=0, help="Games against the usual evaluation, to show the strength."),
    seed: int = typer.Option(0, min=0, help="Seed of all random choices."),
    as_json: bool = JSON,
) -> None:
    """Learn an evaluation from self-play: weights of the features that a game lists."""
    from tactician.learning.evaluations import EvaluationTraining
    from tactician.learning.evaluations import train_evaluation as run

    settings = EvaluationTraining(
        game=game, planner=planner, budget=budget, rounds=rounds, games=games, penalty=penalty, trace=trace,
        fading=fading, noise=noise, opening=opening, hidden=hidden, check=check, seed=seed,
    )  # fmt: skip
    with _games_bar(f"{planner} plays {game}") as on_games:
        result = run(settings, evaluation, on_games)
    if as_json:
        print_json({"evaluation": str(evaluation), **result.to_json()})
        return
    _tell(result, check, "usual evaluation", f"evaluation={evaluation}")


def train_weights(
    game: str = typer.Argument(help="Game whose evaluation has named weights, with or without parameters."),
    file: Path = typer.Option(
        ..., "--out", help="Where to write the weights (.json). Run the same command again to resume."
    ),
    weights: str = typer.Option(
        ..., help="Weights to fit, separated by commas; a pattern with * is one number for all that it matches."
    ),
    planner: str = typer.Option("coevolution", help="Planner that plays itself."),
    budget: str = typer.Option("5000its", help="Its counted budget for a turn."),
    rounds: int = typer.Option(1, min=1, help="Rounds of self-play, each with what was learned before."),
    games: int = typer.Option(500, min=10, help="Games of a round."),
    penalty: float = typer.Option(10.0, help="How strongly differences from the usual weights are avoided."),
    check: int = typer.Option(100, min=0, help="Games against the usual weights, to show the strength."),
    seed: int = typer.Option(0, min=0, help="Seed of all random choices."),
    as_json: bool = JSON,
) -> None:
    """Fit the weights of a game's own evaluation to results of self-play."""
    from tactician.learning.weights import WeightsTraining
    from tactician.learning.weights import train_weights as run

    settings = WeightsTraining(
        game=game, weights=tuple(filter(None, weights.split(","))), planner=planner, budget=budget, rounds=rounds,
        games=games, penalty=penalty, check=check, seed=seed,
    )  # fmt: skip
    with _games_bar(f"{planner} plays {game}") as on_games:
        result = run(settings, file, on_games)
    if as_json:
        print_json({"file": str(file), **result.to_json()})
        return
    _tell(result, check, "usual weights", f"'weights={result.text}'")


def _tell(result: EvaluationResult | WeightsResult, check: int, usual: str, use: str) -> None:
    """Say how good an evaluation is that was learned."""
    won = f"It scores {100 * result.won:.0f} % against the {usual} in {check} games. " if check else ""
    out.print(
        f"{result.positions} positions. In games held out the results have a logarithmic loss of {result.loss:.3f} "
        f"({usual}: {result.usual_loss:.3f}). {won}Use it: {use}",
        highlight=False,
        markup=False,
    )


@contextmanager
def _games_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar of games played."""
    columns = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def follower(
    weights: Path = typer.Argument(help="A follower's weights (.safetensors)."),
    onnx: Path | None = typer.Option(None, help="Write the network as an ONNX model. Needs the extra 'learn'."),
    as_json: bool = JSON,
) -> None:
    """Print the model card of a trained follower, or export it."""
    from tactician.followers.model import load_model

    model = load_model(weights)
    if onnx is not None:
        from tactician.learning.export import export_onnx

        export_onnx(model, onnx)
        err.print(f"wrote {onnx}", highlight=False, markup=False)
    document = model.card.to_json()
    if as_json:
        print_json(document)
        return
    told = model.card.training
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_row("game", f"{model.card.game}, version {model.card.version}")
    table.add_row("planes", f"{model.card.encoding}: {len(model.card.planes)} of {model.card.shape}")
    table.add_row("weights", f"{sum(tensor.size for tensor in model.tensors.values()):,}")
    settings = dict(told.get("settings", {}))
    if settings.get("game", model.card.game) != model.card.game:
        table.add_row("trained on", str(settings["game"]))
    for key, value in settings.items():
        if key != "game":
            table.add_row(key, str(value))
    for key, value in told.items():
        if key not in ("settings", "curve", "game"):
            table.add_row(f"{key} done" if key in settings else key, str(value))
    out.print(table)
    if told.get("curve"):
        out.print(_curve(told["curve"]))


def _curve(points: list[dict[str, Any]]) -> Table:
    table = Table("battles", "gradient steps", "loss", "agreement", "won/drawn/lost", box=None, pad_edge=False)
    for point in points:
        strength = "/".join(map(str, point["strength"])) if point["strength"] else ""
        table.add_row(
            str(point["battles"]),
            str(point["updates"]),
            _figure(point["loss"], 3),
            _figure(point["agreement"], 3),
            strength,
        )
    return table


def _figure(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


@contextmanager
def _live(what: str, total: int) -> Iterator[Callable[[learning.Progress], None]]:
    """A bar with battles, loss, agreement and strength; without a terminal a line for each evaluation."""
    if not err.is_terminal:

        def tell(now: learning.Progress) -> None:
            if now.strength is not None:
                err.print(_line(now), highlight=False, markup=False)

        yield tell
        return
    columns = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, TextColumn("{task.fields[told]}", markup=False), console=err, transient=True) as bar:
        task = bar.add_task(what, total=total, told="")
        shown = {"strength": ""}

        def show(now: learning.Progress) -> None:
            if now.strength is not None:
                shown["strength"] = f", won/drawn/lost {'/'.join(map(str, now.strength))}"
            bar.update(
                task,
                completed=now.battles,
                told=f"loss {_figure(now.loss, 3)}, agreement {_figure(now.agreement, 2)}{shown['strength']}",
            )

        yield show


def _line(now: learning.Progress) -> str:
    assert now.strength is not None
    return (
        f"{now.battles} battles, {now.updates} gradient steps, loss {_figure(now.loss, 3)}, "
        f"agreement {_figure(now.agreement, 2)}, won/drawn/lost {'/'.join(map(str, now.strength))}"
    )
