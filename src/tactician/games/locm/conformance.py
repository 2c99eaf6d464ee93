"""Replay games recorded from the official referee: seeds, lists, states, the bots' input, and whole games as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from tactician.checking.recordings import StepOutcome
from tactician.checking.replaying import MODES, difference, in_mode
from tactician.contract.game import Game
from tactician.contract.reading import required_field
from tactician.contract.requirements import require_choice
from tactician.contract.state import State
from tactician.errors import InvalidStateError
from tactician.games.locm import drafts, locm, protocol
from tactician.games.locm.blocks import input_block
from tactician.games.locm.cards import CardType, numbers_of_row
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.referee import Referee, drafted_game


class LocmReplayer:
    """Replays traces of battles (versions 1.2 and 1.5) and whole games at the level of the protocol."""

    formats: Sequence[Any] = ("locm-trace-1", "locm-protocol-1")
    kinds: Sequence[str] = ("config", "protocol_game")

    def __init__(self, mode: str = "compiled") -> None:
        self._mode = require_choice("mode", mode, MODES)

    def kind(self, header: dict[str, Any]) -> str | None:
        """Return the kind of a file, a field of its first line."""
        return header.get("t")

    def replay(self, header: dict[str, Any], steps: Iterable[dict[str, Any]]) -> Iterator[StepOutcome]:
        """Compare each line with what the rules give."""
        try:
            yield from self._replay(header, steps)
        except KeyError as error:
            raise InvalidStateError(f"the line lacks the field {error.args[0]!r}.") from error
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            raise InvalidStateError(f"the line does not have the form of a recording: {error}.") from error

    def _replay(self, header: dict[str, Any], steps: Iterable[dict[str, Any]]) -> Iterator[StepOutcome]:
        if header["t"] == "protocol_game":
            for whole in chain([header], steps):
                yield replay_protocol_game(whole)
            return
        game = in_mode(game_of(header), self._mode)
        yield compare_deal(header)
        state: State | None = None
        for line in steps:
            kind = _field(line, "t")
            if kind == "start":
                before = game.state_from_json(_whole(header, line, "before"))
                state = before.copy().apply(game.action_from_json("PASS"))
                yield difference("start", line["after"], _bare(state.to_json()))
            elif kind == "input":
                state = _begun(state)
                lines = protocol.format_block(input_block(state), header["version"])
                yield difference("input", line["lines"], lines)
            elif kind == "step":
                # Battles have no chance events, so each step must also follow from the step before it.
                ours = None if state is None else _bare(state.to_json())
                if state is None or ours != line["before"]:
                    before = game.state_from_json(_whole(header, line, "before"))
                else:
                    before = state
                outcome, after = compare_step(before, line)
                if outcome is None and state is not None:
                    outcome = difference("state before the step", line["before"], ours)
                state = game.state_from_json(_whole(header, line, "after")) if after is None else after
                yield outcome
            elif kind == "end":
                state = _begun(state)
                yield difference("winner", line["winner"], state.to_json()["winner"])


def _begun(state: State | None) -> State:
    if state is None:
        raise InvalidStateError("the recording has no start line before its first input or its end.")
    return state


def game_of(header: dict[str, Any]) -> Game:
    """Return the game that a trace was made with."""
    version = _field(header, "version")
    if version != "1.5":
        return drafted_game(version)
    cards = [
        CardType(number=number, name=f"card {number}", **numbers_of_row(row))
        for number, *row in _field(header, "cards")
    ]
    return locm(version=version, cards=cards, information="open")


def compare_deal(header: dict[str, Any]) -> StepOutcome:
    """Compare the recorded offers, cards and decks with those of the recorded seeds."""
    seeds = {name: int(number) for name, number in _field(header, "seeds").items()}
    shuffles = (seeds["shufflePlayer0Seed"], seeds["shufflePlayer1Seed"])
    if header["version"] == "1.5":
        ours = [[card.number, *card.row()] for card in generate_cards(seeds["cardGenSeed"])]
        outcome = difference("cards", header["cards"], ours)
        offered = [card[0] for card in header["cards"]]
        for seat, text in enumerate(header["choices"]):
            chosen = protocol.constructed_answer(text, offered)
            if isinstance(chosen, protocol.Fault):
                return "choices", text, chosen.reason
            dealt = [list(card) for card in drafts.constructed_deck(chosen, seat, shuffles[seat])]
            outcome = outcome or difference(f"deck {seat}", header["decks"][seat], dealt)
        return outcome
    draft = drafts.draft_from_seed(seeds["draftChoicesSeed"])
    outcome = difference("pool", header["pool"], list(draft.pool))
    outcome = outcome or difference("draft", header["draft"], [list(triplet) for triplet in draft.triplets])
    for seat in range(2):
        picked = [draft.triplets[turn][pick] for turn, pick in enumerate(header["picks"][seat])]
        deck = [card.number for card in drafts.drafted_deck(picked, seat, shuffles[seat])]
        outcome = outcome or difference(f"picked {seat}", header["picked"][seat], picked)
        outcome = outcome or difference(f"deck {seat}", header["decks"][seat], deck)
    return outcome


def compare_step(before: State, line: dict[str, Any]) -> tuple[StepOutcome, State | None]:
    """Return the first thing in which a step differs from what the rules give; if none, also the state after it."""
    game = before.game
    legal = [game.action_to_json(action) for action in before.legal_actions()]
    outcome = difference("legal", _field(line, "legal"), legal)
    if outcome is not None:
        return outcome, None
    possible = {game.action_to_json(action) for action in before.possible_actions()}
    if not possible.issuperset(legal):
        return ("possible actions lack legal ones", sorted(set(legal) - possible), None), None
    action = game.action_from_json(_field(line, "a"))
    if not before.is_legal(action):
        return ("action", line["a"], "not legal"), None
    after = before.copy().apply(action)
    outcome = difference("after", line["after"], _bare(after.to_json()))
    return outcome, after if outcome is None else None


def replay_protocol_game(game: dict[str, Any]) -> StepOutcome:
    """Compare blocks, executed actions and scores of our referee with a recorded game; parse its blocks as a bot."""
    referee = Referee(master=int(_field(game, "params")["seed"]), version=_field(game, "version"))
    for number, call in enumerate(_field(game, "calls")):
        if referee.is_over:
            return f"call {number}", call["in"], "the game is over"
        asked = referee.ask()
        ours = [asked.player, asked.limit_ms, asked.lines]
        if (recorded := [call["player"], call["limit_ms"], call["in"]]) != ours:
            return f"call {number}", recorded, ours
        block = protocol.parse_block(iter(call["in"]), referee.version)
        read = None if block is None else protocol.format_block(block, referee.version)
        if read != call["in"]:
            return f"call {number} as a bot reads it", call["in"], read
        referee.answer(call["out"])
    if not referee.is_over:
        return "calls", len(game["calls"]), "the game is not over"
    outcome = difference("performed", game["performed"], referee.performed)
    outcome = outcome or difference("scores", game["scores"], referee.scores)
    faulty = bool(game.get("fault"))
    return outcome or difference("fault", faulty, referee.fault is not None)


def _whole(header: dict[str, Any], line: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a recorded state with the decks, which are in the first line."""
    return {**_field(line, name), "decks": header["decks"]}


def _bare(state: dict[str, Any]) -> dict[str, Any]:
    """Return one of our states without decks and draft."""
    return {name: value for name, value in state.items() if name not in ("decks", "draft")}


def _field(line: dict[str, Any], name: str) -> Any:
    return required_field("the line", line, name)
