"""What the board offers of a game: its parameters as lists of words, numbers and plain texts, never files."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.registry import GAMES, entry_of, game_factory
from tactician.web.catalog import Catalog


def offered(game: str) -> dict[str, dict[str, Any]]:
    """The parameters that the lobby shows, by name."""
    (found,) = [one for one in Catalog().describe() if one["name"] == game]
    return {one["name"]: one for one in found["parameters"]}


CHOICES = [(game, key) for game in GAMES for key, words in entry_of(game).choices.items() if words]


@pytest.mark.parametrize(("game", "key"), CHOICES)
def test_the_words_that_an_entry_lists_are_those_that_its_factory_takes(game: str, key: str) -> None:
    factory, words = game_factory(game), entry_of(game).choices[key]
    versions = [{"version": version} for version in ("1.2", "1.5")] if key == "draft" else [{}]
    known: list[str] = []
    for more in versions:
        with pytest.raises(InvalidParameterError, match=f"{key} (is )?'none-such'") as refused:
            factory(**{key: "none-such"}, **more)
        listed = str(refused.value).rpartition(" of ")[2].partition(" nor ")[0].rstrip(".")
        known += [word for word in listed.split(", ") if word not in known]
    assert sorted(words) == sorted(known)
    default = inspect.signature(factory).parameters[key].default
    assert default is None or default in words


def test_every_word_is_chosen_from_a_list_and_nothing_that_is_a_file_is_offered() -> None:
    hero, locm, royale = offered("hero-academy"), offered("locm"), offered("royale")
    assert hero["map"]["kind"] == hero["evaluation"]["kind"] == locm["version"]["kind"] == "choice"
    assert hero["map"]["choices"] == ["a", "a-small", "a-tiny"]
    assert {key for game in (hero, locm, royale) for key, one in game.items() if one["kind"] == "text"} == {"deck"}
    assert "cards" not in locm
    assert "cards" not in royale
    with pytest.raises(UnknownNameError):
        Catalog().spec("royale", {"cards": "cards"})


@pytest.mark.parametrize(
    ("game", "parameters", "spec"),
    [
        ("royale", {"deck": "Knight+Baby Dragon+Giant"}, "royale:deck=Knight+Baby Dragon+Giant"),
        ("hero-academy", {"weights": "card=0.25;standing=-1"}, "hero-academy:weights=card=0.25;standing=-1"),
        ("hero-academy", {"prune": False, "turn_limit": 40, "preset": None}, "hero-academy:prune=false,turn_limit=40"),
        ("locm", {"version": 1.5}, "locm:version=1.5"),
    ],
)
def test_harmless_texts_are_accepted(game: str, parameters: dict[str, Any], spec: str) -> None:
    assert Catalog().spec(game, parameters) == spec


@pytest.mark.parametrize(
    ("game", "key", "value"),
    [
        ("royale", "deck", "cards.csv"),
        ("royale", "deck", "a file"),
        ("royale", "deck", "../deck"),
        ("royale", "deck", "C:deck"),
        ("royale", "deck", "Knight,cards=x"),
        ("royale", "deck", "Knight+" * 200 + "Giant"),
        ("hero-academy", "weights", "card=a"),
        ("hero-academy", "weights", "weights.json"),
        ("hero-academy", "map", "a file"),
        ("hero-academy", "prune", 3),
        ("hero-academy", "turn_limit", "soon"),
    ],
)
def test_what_could_be_a_file_is_refused(
    game: str, key: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a file").write_text("d0S0P")
    with pytest.raises(InvalidParameterError, match=f"parameter '{key}' is .*; expected"):
        Catalog().spec(game, {key: value})


def test_the_weights_of_an_evaluation_may_be_a_text() -> None:
    for game, text in (("hero-academy", "card=0.25"), ("locm", "threat=-5")):
        name, _, number = text.partition("=")
        assert Catalog().game(Catalog().spec(game, {"weights": text})).weights[name] == float(number)
