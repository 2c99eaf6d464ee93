"""The tables of the documentation say what the code says."""

from __future__ import annotations

import ast
import inspect
import re
import typing
from dataclasses import fields
from pathlib import Path
from typing import Any

import make_tables
import pytest
import typer.main
from pages import DOCS, ROOT, TOP, Page, page

from tactician.arena.agents import parse_agent
from tactician.cli.main import app
from tactician.contract.entry import GameEntry
from tactician.contract.rules import Rules
from tactician.contract.state import State
from tactician.describe import argument_docs, field_docs
from tactician.errors import InvalidParameterError
from tactician.games.hero_academy import actions, cards, hero_academy
from tactician.games.locm import locm
from tactician.games.locm.drafts import CONSTRUCTIONS, STRATEGIES
from tactician.games.locm.values import CARD_VALUES
from tactician.games.registry import GAMES, entry_of, game_factory, game_parameters
from tactician.native import abi
from tactician.planners import PLANNERS, Planner
from tactician.seats import Seat

CONTRACT, HERO_ACADEMY, AMAZONS = page("reference/contract.md"), page("games/hero-academy.md"), page("games/amazons.md")
LOCM, POMMERMAN = page("games/locm.md"), page("games/pommerman.md")
COMMAND_LINE, AGENTS = page("reference/command-line.md"), page("arena/agents.md")
PLANNER_PAGES = [
    page(f"planners/{name}.md")
    for name in (
        "index",
        "greedy",
        "mcts",
        "oep",
        "emcts",
        "orders",
        "determinized",
        "information-sets",
        "reply",
        "auto",
        "annealing",
        "simultaneous",
    )
]
README = Page(ROOT / "README.md")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
TEXTS = (
    *("budget", "evaluation", "weights", "ratings", "planner", "answer", "first", "bandit"),
    *("opponents", "rollout_policy", "priors"),
)
"""Parameters with a text that tests of planners refuse."""
PARAMETERS_OF = {kind: {field.name for field in fields(kind)} for kind in PLANNERS.values()}


@pytest.mark.parametrize("path", make_tables.pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_generated_tables_are_up_to_date(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert make_tables.with_tables(text) == text, "run tools/make_tables.py and commit what it wrote"


@pytest.mark.parametrize("kind", PLANNERS.values(), ids=PLANNERS)
def test_every_planner_has_a_page_with_its_parameters(kind: type[Planner]) -> None:
    marks = re.findall(r"<!-- table: parameters (.*) -->", page(kind.page).text)
    assert any(kind.name in mark.split() for mark in marks)


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_command_has_a_section(verb: str) -> None:
    assert f"\n## `tactician {verb}" in COMMAND_LINE.text
    for name in getattr(COMMANDS[verb], "commands", {}):
        assert f"\n### `tactician {verb} {name}" in COMMAND_LINE.text


def test_every_rule_is_in_the_contract_with_its_signature() -> None:
    rows = CONTRACT.table("rule")
    assert [row[0] for row in rows] == [f"`{rule}`" for rule in abi.RULES]
    for row, rule in zip(rows, abi.RULES, strict=True):
        conditional = rule.name in ("apply", "apply_joint", "resample_hidden")
        assert conditional or row[1] == ("no" if rule.optional else "yes")
        assert bool(row[3]) == rule.optional


def test_every_argument_of_game_is_in_the_contract() -> None:
    expected = {
        name: parameter.default
        for name, parameter in inspect.signature(Rules.game).parameters.items()
        if name not in ("self", "name")
    }
    rows = {row[0].strip("`"): row[1].strip("`") for row in CONTRACT.table("argument")}
    assert set(rows) == set(expected)
    for name in ("players", "version", "zero_sum", "value_range", "description"):
        assert ast.literal_eval(rows[name]) == expected[name]


def test_every_method_of_a_state_is_in_the_contract_with_its_parameters() -> None:
    def written(name: str) -> str:
        member = getattr(State, name)
        if not callable(member):
            return name
        return f"{name}({', '.join(p for p in inspect.signature(member).parameters if p != 'self')})"

    public = [written(name) for name in vars(State) if not name.startswith("_")]
    assert sorted(row[0].strip("`") for row in CONTRACT.table("method")) == sorted(public)


@pytest.mark.parametrize("name", GAMES)
def test_every_parameter_of_a_game_is_described_and_on_its_page(name: str) -> None:
    factory = game_factory(name)
    if name != "amazons-plain":  # its docstring refers to that of amazons
        assert list(argument_docs(factory)) == list(game_parameters(name))
        assert f"<!-- table: game {name} -->" in page(entry_of(name).page or "").text


@pytest.mark.parametrize("name", ["hero-academy", "locm", "pommerman", "royale"])
def test_games_refuse_what_their_descriptions_leave_out(name: str) -> None:
    factory = game_factory(name)
    for parameter, described in argument_docs(factory).items():
        default = inspect.signature(factory).parameters[parameter].default
        if found := re.search(r", (\d+) to (\d+)\b", described):
            for outside in (int(found[1]) - 1, int(found[2]) + 1):
                with pytest.raises(InvalidParameterError, match=f"expected an integer from {found[1]} to {found[2]}"):
                    factory(**{parameter: outside})
        elif isinstance(default, str) and f"`{default}`" in described:
            with pytest.raises(InvalidParameterError, match="expected one of") as refused:
                factory(**{parameter: "?"})
            allowed = str(refused.value).partition("one of ")[2].rstrip(".").split(", ")
            assert set(allowed) == set(re.findall(r"`([\w.-]+)`", described)), parameter


def test_every_field_of_an_entry_is_in_the_contract() -> None:
    assert [row[0].strip("`") for row in CONTRACT.table("field", "The entry of a game")] == [
        field.name for field in fields(GameEntry)
    ]


def test_every_method_of_a_seat_is_documented_with_its_parameters() -> None:
    def written(name: str) -> str:
        parameters = inspect.signature(getattr(Seat, name)).parameters.values()
        named = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
        given = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY and p.name != "self"]
        return f"`{name}({', '.join([*given, *(['*'] if named else []), *named])})`"

    methods = [name for name in vars(Seat) if not name.startswith("_")]
    assert [row[0] for row in AGENTS.table("method")] == [written(name) for name in methods]


def test_cards_of_hero_academy() -> None:
    decks = [cards.DECKS[name] for name in ("standard", "small", "tiny")]
    assert HERO_ACADEMY.table("card") == [
        [name.replace("_", " "), code, *(str(deck[i]) for deck in decks)]
        for i, (name, code) in enumerate(zip(cards.CARD_NAMES, cards.CODES, strict=True))
    ]


def test_units_of_hero_academy() -> None:
    def row(name: str, unit: cards.UnitClass) -> list[str]:
        attack = "none" if name == "crystal" else "magical" if unit.magical_attack else "physical"
        numbers = [str(n) for n in (unit.max_hp, unit.speed, unit.power, unit.attack_range)]
        resistance = f"{unit.physical_resistance} % / {unit.magical_resistance} %"
        return [name, *numbers, attack, resistance, f"{unit.melee_factor:g} / {unit.ranged_factor:g}"]

    assert HERO_ACADEMY.table("unit") == [
        row(name, unit) for name, unit in zip(cards.CLASS_NAMES, cards.UNIT_CLASSES, strict=True)
    ]


def test_action_kinds_of_hero_academy() -> None:
    names = ("END_TURN", "MOVE", "ATTACK", "HEAL", "SWAP", "PLAY", "DISCARD")
    rows = HERO_ACADEMY.table("kind")
    assert [int(row[0]) for row in rows] == [getattr(actions, name) for name in names]
    game = hero_academy()
    for kind, _, form in rows:
        written = game.action_to_json(int(kind) * actions.KIND)
        assert len(written) == form.count(",") + 1
        assert form.startswith(f'`["{written[0]}"')
        if written[0] == "U":
            assert f'"{written[1]}"' in form


def test_the_names_of_amazons_are_documented() -> None:
    assert {row[0].strip("`") for row in AMAZONS.table("name")} - {""} == {n for n in GAMES if n.startswith("amazons")}


def test_versions_strategies_weights_and_readings_of_locm() -> None:
    assert sorted(row[0].strip("`") for row in LOCM.table("`version`")) == ["1.0", "1.2", "1.5"]
    assert [row[0].strip("`") for row in LOCM.table("strategy")] == list(STRATEGIES)
    assert all(f"`{name}`" in LOCM.section("Drafts and decks") for name in CONSTRUCTIONS)
    weights = {row[0].strip("`"): float(row[1]) for row in LOCM.table("weight")}
    assert weights == locm().weights
    assert [row[0].strip("`") for row in LOCM.table("`card_value`")] == list(CARD_VALUES)


@pytest.mark.parametrize("kind", PLANNERS.values(), ids=PLANNERS)
def test_parameters_of_planners_have_the_documented_ranges(kind: type[Planner]) -> None:
    hints = typing.get_type_hints(kind)
    make: Any = kind
    for name, described in field_docs(kind).items():
        if hints[name] is bool or name in TEXTS or name not in PARAMETERS_OF[kind]:
            continue
        choices = literals(hints[name])
        assert all(f"`{text}`" in described for text in choices), f"{name} does not name {choices}"
        for text in choices:
            assert getattr(make(**{name: text}), name) == text
        numeric = {int, float} & {hints[name], *typing.get_args(hints[name])}
        refused: list[Any] = [] if numeric else ["?"]
        if numeric:
            accepted, refused = around(described)
            for number in accepted:
                assert getattr(make(**{name: number}), name) == number
        for value in refused:
            with pytest.raises(InvalidParameterError, match=f"{name} of '{kind.name}' is"):
                make(**{name: value})


def literals(hint: Any) -> list[Any]:
    """The choices in a type: those of a Literal, alone or as part of a union."""
    if typing.get_origin(hint) is typing.Literal:
        return list(typing.get_args(hint))
    return [choice for part in typing.get_args(hint) for choice in literals(part)]


def around(allowed: str) -> tuple[list[float], list[float]]:
    """Numbers inside and outside of 'A to B', 'between A and B' (both excluded) or 'from A'."""
    if found := re.search(r", (-?\d+) to (\d+)\b", allowed):
        low, high = int(found[1]), int(found[2])
        return [low, high], [low - 1, high + 1]
    if found := re.search(r", between (-?\d+) and (\d+), both excluded", allowed):
        low, high = int(found[1]), int(found[2])
        return [(low + high) / 2], [low, high]
    found = re.search(r", from (-?\d+)\b", allowed)
    assert found, f"can't read the range {allowed!r}"
    return [int(found[1]), int(found[1]) + 1], [int(found[1]) - 1]


def test_mutations_of_orders() -> None:
    hint = typing.get_type_hints(PLANNERS["permutation-oep"])["mutation"]
    assert [row[0].strip("`") for row in page("planners/orders.md").table("mutation")] == literals(hint)


def test_planners_in_commands_can_be_made() -> None:
    specs = {
        (one.name, spec)
        for one in [*TOP, *DOCS]
        for line in re.findall(r"^\$ tactician (?:plan|arena|stress) .*$", one.text, re.MULTILINE)
        for spec in [
            *re.findall(r"--planner (\S+)", line),
            *(word for word in re.split(r"\s--", line)[0].split()[4:] if " arena " in line),
        ]
    }
    assert len(specs) > 10
    for _, spec in specs:
        parse_agent(spec.strip("'\""))  # as a shell would read it


def test_the_teaser_of_the_readme_is_part_of_the_tutorial() -> None:
    tutorial = page("tutorials/your-own-game.md").text
    (teaser,) = README.blocks("text")
    for line in teaser.code.splitlines():
        assert line in tutorial


def test_commands_in_the_documentation_exist() -> None:
    shown = {
        (page.name, verb)
        for page in [*TOP, *DOCS]
        for verb in re.findall(r"(?:^\$ |`)tactician ([a-z]\w*)", page.text, re.MULTILINE)
    }
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    made = {
        (page.name, target)
        for page in [*TOP, *DOCS]
        for target in re.findall(r"(?:^\$ |`)make ([a-z-]+)", page.text, re.MULTILINE)
    }
    assert {pair for pair in shown if pair[1] not in COMMANDS} == set()
    assert {pair for pair in made if pair[1] not in targets} == set()
