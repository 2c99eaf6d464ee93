"""Checks of what people and recordings see: JSON, names, drawings."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

from tactician.checking.visit import Check, Visit, difference, short, source
from tactician.contract.state import State


def state_survives_json(visit: Visit) -> str | None:
    """A state written and read again is the same."""
    return _round_trip(visit, visit.fresh(), "the state")


def observations_survive_json(visit: Visit) -> str | None:
    """So is what each player sees."""
    for player in range(visit.game.players):
        view = visit.fresh().observe(player)
        if problem := _round_trip(visit, view, f"the observation of player {player}"):
            return problem
    return None


def _round_trip(visit: Visit, state: State, what: str) -> str | None:
    again = visit.game.state_from_json(_through_json(state.to_json()), by_rules=False)
    if again == state:
        return None
    how = difference(state, again, "before", "after")
    writer, reader = source(visit.game, "state_to_json"), source(visit.game, "state_from_json")
    return f"{what} written by {writer} and read by {reader} is another: {how}"


def actions_survive_json(visit: Visit) -> str | None:
    """An action written and read again is the same."""
    for actions in visit.legal.values():
        for action in actions:
            data = visit.game.action_to_json(action)
            again = visit.game.action_from_json(_through_json(data))
            if again != action:
                writer, reader = source(visit.game, "action_to_json"), source(visit.game, "action_from_json")
                return f"action {action} written by {writer} as {short(data)} is read by {reader} as {short(again)}"
    return None


def _through_json(data: Any) -> Any:
    return json.loads(json.dumps(data, allow_nan=False))


def actions_have_names(visit: Visit) -> str | None:
    """A text that is not empty for every action."""
    state = visit.fresh()
    for actions in visit.legal.values():
        for action in actions:
            name = state.action_name(action)
            if not isinstance(name, str) or not name.strip():
                rule = source(visit.game, "action_name")
                return f"{rule} gives {short(name)} for action {action}; expected a text that is not empty"
    return None


def text_drawing_shows_something(visit: Visit) -> str | None:
    """A text, with markup that can be read."""
    text = visit.fresh().text()
    if not isinstance(text, str) or not text.strip() or not str(visit.fresh()).strip():
        return f"{source(visit.game, 'draw_text')} gives {short(text)}; expected a text that is not empty"
    return None


def svg_drawing_is_well_formed(visit: Visit) -> str | None:
    """An SVG document."""
    rule, svg = source(visit.game, "draw_svg"), visit.fresh().svg()
    if not isinstance(svg, str) or not svg.strip():
        return f"{rule} gives {short(svg)}; expected an SVG document"
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        return f"{rule} gives XML that is not well-formed: {error}"
    return None if root.tag.rpartition("}")[2] == "svg" else f"{rule} gives <{root.tag}>; expected <svg>"


def parts_of_actions_are_drawn(visit: Visit) -> str | None:
    """Whatever an action points at carries `data-part` in the drawing, also in what its player sees."""
    state = visit.fresh()
    views = {"the drawing": state}
    for player, actions in visit.legal.items():
        if visit.game.hides_information:
            views["the drawing of what the player sees"] = state.observe(player)
        for place, view in views.items():
            drawn = parts_in(view.svg())
            for action in actions:
                missing = [part for part in view.action_parts(action, player) if part not in drawn]
                if missing:
                    rule = source(visit.game, "action_parts")
                    named = f"action {view.action_name(action)!r} of player {player}"
                    return f"{rule} names {missing[0]!r} for {named}, but {place} has no such data-part"
    return None


def parts_in(svg: str) -> set[str]:
    """The values of `data-part` in an SVG document."""
    return {
        element.attrib["data-part"] for element in ElementTree.fromstring(svg).iter() if "data-part" in element.attrib
    }


_STATES = ("state_to_json", "state_from_json")
_ACTIONS = ("action_to_json", "action_from_json")

CHECKS = (
    Check("state-json", state_survives_json, over=None, presentation=_STATES),
    Check("observation-json", observations_survive_json, needs=("observe",), over=None, presentation=_STATES),
    Check("action-json", actions_survive_json, presentation=_ACTIONS),
    Check("action-names", actions_have_names, presentation=("action_name",), rare=True),
    Check("action-parts", parts_of_actions_are_drawn, presentation=("action_parts", "draw_svg"), rare=True),
    Check("text-drawing", text_drawing_shows_something, over=None, presentation=("draw_text",), rare=True),
    Check("svg-drawing", svg_drawing_is_well_formed, over=None, presentation=("draw_svg",), rare=True),
)
