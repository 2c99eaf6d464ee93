"""`tactician tune`: what it prints and keeps, and what it refuses."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import Command, commands

from tactician.tuning import NTBEA, MatchEvaluator, Space

GAME = ["amazons:size=5", "oep", "--opponent", "random", "--games", "2", "--budget", "10evals"]
PARAM = ["--param", "planner.population=4,10", "--param", "planner.mutation_rate=0.1,0.5"]


@pytest.fixture
def tune(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the verb as the shell would."""
    return partial(commands(monkeypatch, capsys), "tune")


def test_the_document_is_what_the_search_finds(tune: Command) -> None:
    result = tune(*GAME, *PARAM, "--evaluations", 6, "--seed", 3, "--exploration", 0.5, "--json")
    assert (result.code, result.err) == (0, "")
    space = Space({"planner.population": [4, 10], "planner.mutation_rate": [0.1, 0.5]})
    evaluator = MatchEvaluator("amazons:size=5", "oep", ("random",), games=2, budget="10evals")
    expected = NTBEA(space, seed=3, exploration=0.5).run(evaluator, 6).to_json()
    document = json.loads(result.out)
    assert document == {**expected, "evaluator": evaluator.to_json()}
    assert {"recommended", "value", "evaluations", "history", "space"} <= set(document)


def test_the_table_shows_the_best_points_and_the_planner_to_use(tune: Command) -> None:
    result = tune(*GAME, *PARAM, "--evaluations", 5)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "5 evaluations of 2 games; 4 points. Recommended:"
    assert lines[1].startswith("    oep:population=")
    assert lines[2].split() == ["planner.population", "planner.mutation_rate", "estimate", "own", "mean", "n"]
    assert sum(int(line.split()[-1]) for line in lines[3:]) == 5


def test_the_same_command_goes_on_and_draws(tune: Command, tmp_path: Path) -> None:
    space = tmp_path / "space.json"
    space.write_text('{"planner.population": [4, 10], "planner.mutation_rate": [0.1, 0.5]}')
    journal = tmp_path / "journal.jsonl"
    for evaluations in (2, 5):
        result = tune(*GAME, "--space", space, "--evaluations", evaluations, "--out", journal, "--json")
        assert json.loads(result.out)["evaluations"] == evaluations
        assert len(journal.read_text().splitlines()) == evaluations + 1
    whole = tune(*GAME, *PARAM, "--evaluations", 5, "--json")
    assert whole.out == result.out
    figure = tmp_path / "figures" / "search.png"
    drawn = tune(*GAME, "--space", space, "--evaluations", 5, "--out", journal, "--figure", figure, "--json")
    assert drawn.out == whole.out
    names = {f"search-{kind}.{suffix}" for kind in ("evolution", "landscape") for suffix in ("png", "svg")}
    assert {path.name for path in figure.parent.iterdir()} == names


def test_jobs_are_the_width_unless_it_is_given(tune: Command) -> None:
    alone = tune(*GAME, *PARAM, "--evaluations", 4, "--width", 2, "--json")
    side_by_side = tune(*GAME, *PARAM, "--evaluations", 4, "--jobs", 2, "--json")
    assert json.loads(side_by_side.out)["width"] == 2
    assert side_by_side.out == alone.out


REFUSED: list[tuple[list[Any], str]] = [
    ([], "nothing to tune is given; expected --space FILE or --param NAME=VALUE,VALUE."),
    (["--param", "planner.populaton=1,2"], "unknown parameter 'planner.populaton'; did you mean 'planner.population'?"),
    (["--param", "weight.mobilty=1,2"], "unknown weight of 'amazons': 'mobilty'; did you mean 'mobility'?"),
    (["--param", "planner.population="], "parameter 'planner.population' has no values; expected name=value,value."),
    (["--param", "planner.population=4,4"], "parameter 'planner.population' has the value 4 twice; expected it once."),
    (["--param", "planner.population=4,x"], "parameter 'population' of 'oep' is 'x'; expected int."),
    ([*PARAM, *PARAM[:2]], "parameter 'planner.population' is given twice; expected its values once."),
    (["--space", "missing.json"], "space file 'missing.json' can't be read: No such file or directory."),
    (["--space", "list.json"], "space file 'list.json' holds [1]; expected {\"name\": [values]}."),
    (["--space", "twice.json"], "space file 'twice.json' is not JSON: 'a' stands there twice."),
    (["--space", "empty.json"], "parameter 'planner.population' has no values; expected at least one."),
    ([*PARAM, "--out", "diary.txt"], "file 'diary.txt' is not a journal of a tuning; name another."),
    ([*PARAM, "--games", 3], "games is 3; expected a multiple of 2, so that every opponent is met from every side."),
    ([*PARAM, "--exploration", -1], "exploration is -1.0; expected a number from 0."),
    (
        [*PARAM, "--budget", "soon"],
        "budget is 'soon'; expected e.g. 200ms, 2s, 500evals, 100its, 4its/action or",
    ),
    ([*PARAM, "--opponent", "oops"], "unknown planner 'oops'; did you mean 'oep'?"),
    ([*PARAM, "--evaluations", 0], "invalid value for '--evaluations': "),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_bad_input_is_one_sentence(
    tune: Command, arguments: list[Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text("[1]")
    Path("twice.json").write_text('{"a": [1, 2], "a": [3]}')
    Path("empty.json").write_text('{"planner.population": []}')
    Path("diary.txt").write_text("dear diary\n")
    result = tune(*GAME, *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"tactician: {sentence}")
    assert result.err.count("\n") == 1


def test_a_journal_of_another_search_is_refused(tune: Command, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    assert tune(*GAME, *PARAM, "--evaluations", 1, "--out", journal).code == 0
    result = tune(*GAME, *PARAM, "--evaluations", 1, "--out", journal, "--games", 4)
    assert result.code == 2
    assert "is of another tuning, with games 2 where this one has 4; name another file" in result.err


def test_a_figure_that_can_not_be_written_is_refused_before_the_search(tune: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    journal = tmp_path / "journal.jsonl"
    where = tmp_path / "file" / "search"
    result = tune(*GAME, *PARAM, "--evaluations", 5, "--out", journal, "--figure", where)
    assert result.code == 2
    assert len(result.err.strip().splitlines()) == 1
    assert not journal.exists()
