"""Write the tables of the documentation again: run it after a change of a planner, a game or a command.

A page marks where a table stands:

    <!-- table: parameters emcts -->
    ...
    <!-- end -->

What stands between is replaced by what the code says now. A test fails while a page is out of date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import strength_tables as measured
import typer.main
from api_pages import api
from measure_extension import PATH as EXTENSION

from tactician.cli.main import app
from tactician.describe import argument_docs, field_docs, summary
from tactician.games.registry import entry_of, game_factory, game_names, game_parameters, load_game
from tactician.planners import PLANNERS, Plan, Statistics
from tactician.planners.advice import ADVICE
from tactician.planners.base import Planner

ROOT = Path(__file__).resolve().parents[1]
_MARKED = re.compile(
    r"(<!-- table: (?P<name>[\w-]+)(?P<arguments>[^\n]*?) -->\n)(?P<table>.*?)(<!-- end -->)", re.DOTALL
)


def main() -> None:
    """Rewrite every page that is out of date and name it."""
    for path in pages():
        text = path.read_text(encoding="utf-8")
        written = with_tables(text)
        if written != text:
            path.write_text(written, encoding="utf-8")
            sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")


def pages() -> list[Path]:
    """Every page that may have tables."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def with_tables(text: str) -> str:
    """A page with all its marked tables written anew."""

    def table(found: re.Match[str]) -> str:
        return found[1] + TABLES[found["name"]](*found["arguments"].split()) + found[5]

    return _MARKED.sub(table, text)


def planners(linked: str = "") -> str:
    """Every planner with what it does; `linked`: with its paper and a link to its page."""
    if not linked:
        return _table(("planner", "what it does"), [(f"`{name}`", _does(kind)) for name, kind in PLANNERS.items()])
    rows = [(f"[`{name}`]({kind.page.rpartition('/')[2]})", _does(kind), kind.paper) for name, kind in PLANNERS.items()]
    return _table(("planner", "what it does", "paper"), rows)


def advice() -> str:
    """Which planner to begin with in which kind of game."""
    rows = [
        (
            one.kind,
            " or ".join(f"`{planner}`" for planner in one.begin),
            ", ".join(f"`{planner}`" for planner in one.then),
            ", ".join(f"[{name}](../reproduction/{name}.md)" for name in one.evidence),
        )
        for one in ADVICE
    ]
    return _table(("your game", "begin with", "then try", "measured in"), rows)


def reference_rates() -> str:
    """What an iteration of each planner is, and how many a second the papers' code made."""
    rows = [
        (f"`{name}`", kind.iteration, f"{kind.reference_rate:,.0f}" if kind.reference_rate else "")
        for name, kind in PLANNERS.items()
    ]
    return _table(("planner", "an iteration is", "iterations a second in the papers' code"), rows)


def parameters(*names: str) -> str:
    """The parameters of a family of planners, a column of defaults for each member."""
    kinds = [PLANNERS[name] for name in names]
    defaults = [{field.name: field.default for field in fields(kind)} for kind in kinds]
    docs: dict[str, str] = {}
    for kind in kinds:
        docs |= {field.name: field_docs(kind).get(field.name, "") for field in fields(kind)}
    rows = [
        (f"`{name}`", *(f"`{_shown(known[name])}`" if name in known else "" for known in defaults), text)
        for name, text in docs.items()
    ]
    return _table(("parameter", *(f"`{name}`" for name in names), "meaning"), rows)


def plan_parts() -> str:
    """What a plan holds."""
    docs = field_docs(Plan)
    rows = [(f"`{field.name}`", docs[field.name]) for field in fields(Plan)]
    return _table(("part", "what it is"), rows)


def statistics() -> str:
    """What a search tells about itself."""
    docs = field_docs(Statistics)
    return _table(("statistic", "meaning"), [(f"`{f.name}`", docs[f.name]) for f in fields(Statistics)])


def games() -> str:
    """Every game that comes with the package."""
    rows = [(f"`{name}`", str(load_game(name).players), load_game(name).description) for name in game_names()]
    return _table(("game", "players", "what it is"), rows)


def game_facts(*names: str) -> str:
    """Games at a glance: all, with links, or those that are named."""
    rows = []
    for name in names or [name for name in game_names() if name != "amazons-plain"]:
        one = load_game(name)
        page = (entry_of(name).page or "").rpartition("/")[2]
        rows.append(
            (
                f"`{name}`" if names else f"[`{name}`]({page})",
                one.version,
                str(one.players),
                "all at once" if one.simultaneous else "in turns",
                "hidden" if one.hides_information else "open",
                "zero-sum" if one.zero_sum else "not zero-sum",
                f"{one.state_bytes} bytes",
            )
        )
    return _table(("game", "version", "players", "moves", "information", "values", "a state"), rows)


def game_sizes() -> str:
    """How wide and long the turns of games are."""
    return _table(measured.SIZES, measured.size_rows())


def extension() -> str:
    """How often adding games by rule finds a difference where there is none, beside all games at once."""
    rows = [
        (
            f"{100 * row['rate']:.0f} %",
            f"{row['games']:.0f}",
            *(f"{100 * row[way][word]:.1f} %" for way in ("extended", "at_once") for word in ("reproduced", "differs")),
        )
        for row in json.loads(EXTENSION.read_text(encoding="utf-8"))["rows"]
    ]
    head = ("true rate of both", "games by the rule", "reproduced", "differs", "all at once: reproduced", "differs")
    return _table(head, rows)


def costs() -> str:
    """Milliseconds of CPU time that a turn takes."""
    return _table(measured.COSTS, measured.cost_rows())


def coverage(*names: str) -> str:
    """Who wins where there are few or many evaluations for each candidate."""
    return _table(measured.COVERAGE, measured.coverage_rows(*names))


def emcts_by_turn_length() -> str:
    """EMCTS against others with longer and longer turns."""
    return _table(measured.EMCTS, measured.emcts_rows())


def game(name: str) -> str:
    """The parameters of a game."""
    docs = argument_docs(game_factory(name))
    rows = [(f"`{key}`", f"`{p.default!r}`", docs[key]) for key, p in game_parameters(name).items()]
    return _table(("parameter", "default", "meaning"), rows)


def options(*words: str) -> str:
    """What a command does, and its arguments and options."""
    command: Any = typer.main.get_command(app)
    for word in words:
        command = command.commands[word]
    rows = []
    for parameter in command.params:
        if "--help" in parameter.opts:
            continue
        is_option = parameter.param_type_name == "option"
        name = ", ".join(parameter.opts) if is_option else parameter.name.upper()
        rows.append((f"`{name}`", _default(parameter), str(getattr(parameter, "help", None) or "")))
    text = " ".join(str(command.help or "").split())
    return f"{text}\n\n{_table(('option', 'default', 'meaning'), rows)}" if rows else f"{text}\n"


def facts(name: str) -> str:
    """A planner at a glance."""
    kind = PLANNERS[name]
    game = "pommerman" if kind.page.endswith("simultaneous.md") else "hero-academy"
    command = f"`tactician arena {game} {name} random --budget 200its`"
    header = ("paper", "in Python", "an iteration is", "command")
    return _table(header, [(kind.paper, f"`{kind.__name__}()`", kind.iteration, command)])


def strength(planner: str) -> str:
    """Where a planner stands in the tournaments of results/strength."""
    return _table(measured.STRENGTH, measured.strength_rows(planner))


def comparison(*names: str) -> str:
    """Scores of planners in tournaments side by side, the best in each in bold."""
    header, rows = measured.comparison_rows(*names)
    return _table(header, rows)


def battles() -> str:
    """Planners against rule-based bots in Pommerman."""
    return _table(measured.BATTLES, measured.battle_rows())


def models() -> str:
    """Planners with and without a model of the others in Pommerman."""
    return _table(measured.MODELS, measured.model_rows())


def bot_changes() -> str:
    """LOCM's bot with one thing changed against itself."""
    return _table(measured.BOT_CHANGES, measured.bot_change_rows())


def drafts() -> str:
    """The draft learned from self-play against the ranking of the competition's winner."""
    return _table(measured.DRAFTS, measured.draft_rows())


def followers() -> str:
    """Trained networks against rule-based bots in Pommerman."""
    return _table(measured.BATTLES, measured.follower_rows())


def tuned() -> str:
    """What tuning the heuristic of Legends of Code and Magic brought."""
    return _table(measured.TUNED, measured.tuned_rows())


def chosen(name: str) -> str:
    """What a planner scored in several experiments."""
    return _table(measured.CHOSEN_ROWS, measured.chosen_rows(name))


def matches(*experiments: str) -> str:
    """Matches of two planners in experiments of the papers."""
    return _table(measured.MATCHES, measured.match_rows(*experiments))


def _default(parameter: Any) -> str:
    value = parameter.default
    if parameter.required:
        return "required"
    if value is None or value is False or value in ([], ()) or callable(value):
        return ""
    return f"`{value}`"


def _does(kind: type[Planner]) -> str:
    text = summary(kind).rstrip(".")
    return text if text.startswith(("MCTS", "OEP", "(1+1)", "EMCTS")) else text[:1].lower() + text[1:]


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) and round(value, 4) != value else str(value)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in (header, *rows)]
    lines.insert(1, "|---" * len(header) + "|")
    return "\n".join(lines) + "\n"


TABLES: dict[str, Callable[..., str]] = {
    "planners": planners,
    "advice": advice,
    "reference-rates": reference_rates,
    "parameters": parameters,
    "plan": plan_parts,
    "statistics": statistics,
    "games": games,
    "game-facts": game_facts,
    "game-sizes": game_sizes,
    "costs": costs,
    "extension": extension,
    "coverage": coverage,
    "emcts-by-turn-length": emcts_by_turn_length,
    "game": game,
    "options": options,
    "api": api,
    "facts": facts,
    "strength": strength,
    "comparison": comparison,
    "battles": battles,
    "matches": matches,
    "chosen": chosen,
    "models": models,
    "drafts": drafts,
    "bot-changes": bot_changes,
    "followers": followers,
    "tuned": tuned,
}

if __name__ == "__main__":
    main()
