"""The pages of the reproduction are what code writes from results/, and can be skimmed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from pages import ROOT, Page, page, tool

from tactician.arena.seats import KINDS
from tactician.cli.main import run
from tactician.errors import InvalidParameterError
from tactician.experiments import all_experiments, pages
from tactician.experiments.matches import MatchExperiment
from tactician.experiments.shares import SharesExperiment
from tactician.experiments.tally import SIZES, WINNERS

RESULTS, FOLDER = ROOT / "results", ROOT / "docs" / "reproduction"
SKIMMED = [page(f"reproduction/{path.name}") for path in sorted((ROOT / "docs" / "reproduction").glob("*.md"))]
SKIMMED += [page("tuning.md"), page("arena/index.md")]


@pytest.fixture(scope="module")
def make_reproduction() -> ModuleType:
    return tool("make_reproduction")


def test_the_generated_parts_of_the_pages_are_current(make_reproduction: ModuleType) -> None:
    for path, text in make_reproduction.texts().items():
        name = path.relative_to(ROOT)
        assert path.exists(), f"{name} is missing: run tools/make_reproduction.py"
        assert path.read_text(encoding="utf-8") == text, f"{name} is out of date: run tools/make_reproduction.py"


@pytest.mark.slow
def test_the_figures_are_current(make_reproduction: ModuleType) -> None:
    drawn = make_reproduction.figures()
    for path, content in drawn.items():
        # Versions of Matplotlib place things differently; what is written in a figure is the same.
        assert written(path.read_bytes()) == written(content), f"{path.name}: run tools/make_reproduction.py"


def test_every_figure_is_shown_on_a_page(make_reproduction: ModuleType) -> None:
    assert make_reproduction.left_over() == [], "run tools/make_reproduction.py"


def written(svg: bytes) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def test_every_experiment_with_results_has_a_page_that_opens_with_claim_and_verdict() -> None:
    documents = pages.documents_in(RESULTS)
    assert len(documents) > 10
    for name in documents:
        text = page(f"reproduction/{name}.md").text
        opening = text.partition("\n| ")[0]
        assert "**Claim** (" in opening
        assert "**Verdict:** " in opening


@pytest.mark.parametrize("name", pages.documents_in(RESULTS))
def test_results_hold_the_papers_figures_that_stand_beside_the_cells(name: str) -> None:
    document, experiment = pages.documents_in(RESULTS)[name], all_experiments()[name]
    assert document["experiment"] == name
    for row in document.get("outcomes", ()):
        if isinstance(experiment, MatchExperiment):
            (cell,) = (cell for cell in experiment.cells if cell.name == row["cell"])
            assert (row["paper"], row["paper_games"], row.get("claim")) == (cell.paper, cell.paper_games, cell.claim)
        else:
            assert isinstance(experiment, SharesExperiment)
            (column,) = (cell for cell in experiment.cells if cell.name == row["cell"])
            printed = (None,) * len(KINDS) if column.paper is None else tuple(share / 100 for share in column.paper)
            assert tuple(row[kind]["paper"] for kind in KINDS) == printed


def test_the_summary_counts_what_the_table_of_a_page_says() -> None:
    """Rows in real time are shown and not counted; figures at the ceiling are counted apart."""
    document = json.loads((RESULTS / "baier-table1.json").read_text(encoding="utf-8"))
    table = page("reproduction/baier-table1.md").tables("cell")[0]
    tallies = all_experiments()["baier-table1"].tallies(document)
    work = [row for row in table if row["budget"] != "200ms"]
    assert sum(one.counts.total + one.ceiling.total for one in tallies) == len(work) < len(table)
    for one in tallies:
        rows = [row for row in work if row["preset"] == one.reading]
        at_ceiling = [row for row in rows if not 10 < float(row["paper"]) < 90]
        for chosen, counts in ((at_ceiling, one.ceiling), ([r for r in rows if r not in at_ceiling], one.counts)):
            assert counts.sizes == tuple([row["size"] for row in chosen].count(word) for word in SIZES)
            assert counts.winners == tuple([row["winner"] for row in chosen].count(word) for word in WINNERS)


def test_the_index_has_a_row_for_every_tally() -> None:
    documents = pages.documents_in(RESULTS)
    tallies = [one for name, document in documents.items() for one in all_experiments()[name].tallies(document)]
    figures, claims, _others = page("reproduction/index.md").tables("paper")
    assert [int(row["figures off the ceiling"]) for row in figures] == [o.counts.total for o in tallies if not o.claims]
    assert [int(row["figures at the ceiling"] or 0) for row in figures] == [
        one.ceiling.total for one in tallies if not one.claims
    ]
    assert [int(row["confirmed"]) for row in claims] == [one.counts.sizes[0] for one in tallies if one.claims]


def test_a_page_without_a_place_for_the_generated_part_is_refused() -> None:
    assert pages.with_generated(pages.new_page() + "\nmore\n", "# text\n").endswith("-->\n\nmore\n")
    with pytest.raises(InvalidParameterError, match="has no generated part"):
        pages.with_generated("# a page\n", "text")


def paragraphs(text: str) -> list[list[str]]:
    """The paragraphs of a page, without tables, lists' other items, headings and code."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    blocks = [block.splitlines() for block in re.split(r"\n\s*\n|\n(?=- |\d\. )", prose)]
    return [block for block in blocks if block and not block[0].startswith(("|", "#", "!", "<!--"))]


@pytest.mark.parametrize("one", SKIMMED, ids=lambda one: one.name)
def test_paragraphs_have_at_most_five_lines_of_at_most_120_characters(one: Page) -> None:
    for paragraph in paragraphs(one.text):
        assert len(paragraph) <= 5, paragraph[0]
        for line in paragraph:
            assert len(line) <= 120, line


# -- pages without playing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", pages.documents_in(RESULTS))
def test_a_page_is_written_byte_for_byte_from_its_results(name: str, tmp_path: Path) -> None:
    """As `tactician reproduce NAME --report` writes it into a copy whose generated part is empty."""
    kept = (FOLDER / f"{name}.md").read_bytes()
    (tmp_path / f"{name}.md").write_text(pages.with_generated(kept.decode(), "nothing yet"), encoding="utf-8")
    ((path, text),) = pages.page_texts(RESULTS, tmp_path, name).items()
    assert path.parent == tmp_path
    assert text.encode() == kept


def test_the_command_writes_page_and_figures_without_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(MatchExperiment, "measure", None)
    name = "baier-seeding"
    arguments = ["reproduce", name, "--report", "--results", str(RESULTS), "--write", str(tmp_path)]
    monkeypatch.setattr("sys.argv", ["tactician", *arguments])
    with pytest.raises(SystemExit) as ended:
        run()
    assert not ended.value.code
    made = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
    assert made.partition(pages.END)[0] == (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition(pages.END)[0]
    assert written((tmp_path / f"{name}.svg").read_bytes()) == written((FOLDER / f"{name}.svg").read_bytes())
    assert "wrote" in capsys.readouterr().err


@pytest.mark.parametrize("name", pages.documents_in(RESULTS))
def test_results_name_the_runs_that_made_them(name: str) -> None:
    document = pages.documents_in(RESULTS)[name]
    for made in document["runs"]:
        # Games that were played for another experiment with the same setting count.
        assert made["command"].startswith("tactician reproduce ")
        assert made["version"]
        assert made["size"]
        assert made.get("reconstructed") or (made["machine"] and made["commit"] and made["seed"] is not None)
        assert f"`{made['command']}`" in page(f"reproduction/{name}.md").text
    for row in document.get("outcomes", ()):
        assert 0 <= row["run"] < len(document["runs"])


@pytest.mark.parametrize("name", pages.documents_in(RESULTS))
def test_every_report_has_a_figure(name: str) -> None:
    assert f"![{name}" in page(f"reproduction/{name}.md").text


NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def numbers(text: str) -> set[float]:
    return {float(found.replace(",", "")) for found in NUMBER.findall(text)}


def in_results(name: str) -> set[float]:
    """Every number of a results file, as it is and in percent."""
    path = RESULTS / f"{name}.json"
    found = {float(text) for text in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", path.read_text()) if len(text) < 30}
    return found | {100 * value for value in found}


def in_page(name: str) -> set[float]:
    """Every number of the generated part of a page."""
    path = FOLDER / f"{name}.md"
    return numbers(path.read_text(encoding="utf-8").partition(pages.END)[0]) if path.exists() else set()


def written_by_hand(text: str) -> str:
    """The prose of a page without code, links and names of experiments."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)
    prose = re.sub(r"`[^`]*`", "", prose)
    return re.sub(r"\[[a-z]+-[\w-]*\]", "", prose)


def unknown_numbers(prose: str, linked: set[str]) -> set[float]:
    """Numbers of a text that are neither small whole numbers nor in the results or the pages that it links."""
    known: set[float] = set()
    for one in linked:
        known |= in_page(one) | (in_results(one) if (RESULTS / f"{one}.json").exists() else set())
    known |= {round(value, digits) for value in known for digits in (0, 1)}
    unknown = {value for value in numbers(written_by_hand(prose)) if value not in known}
    return {value for value in unknown if value >= 10 or value != int(value)}


def links_of(prose: str) -> set[str]:
    return {*re.findall(r"\(([\w-]+)\.md", prose), *re.findall(r"results/([\w-]+)\.json", prose)}


@pytest.mark.parametrize("name", pages.documents_in(RESULTS))
def test_every_number_in_the_prose_is_in_a_result(name: str) -> None:
    """Small whole numbers aside, a number is in the generated part or the results of this page or of one it links."""
    prose = page(f"reproduction/{name}.md").text.partition(pages.END)[2]
    assert unknown_numbers(prose, {name, *links_of(prose)}) == set()


def test_every_finding_of_the_index_is_in_a_result_that_it_links() -> None:
    """A paragraph or item at a time, so that a number is in the very page that the sentence is about."""
    prose = page("reproduction/index.md").text.partition(pages.END)[2]
    findings = prose[prose.index("## Hero Academy") :]
    blocks = [" ".join(block) for block in paragraphs(findings)]
    assert len(blocks) > 10
    assert {block: unknown for block in blocks if (unknown := unknown_numbers(block, links_of(block)))} == {}
