"""`State`: one position of a game, as Python code handles it.

A state is a record in memory plus the stream that decides the game's own chance events. It changes in place; copy
it to keep it. Planners get the record only: the stream is not theirs to see.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract.random import stream
from tactician.errors import IllegalActionError, InvalidParameterError, RuleFailureError, TacticianError, short
from tactician.native import abi, failures
from tactician.native.records import record_view

if TYPE_CHECKING:
    from tactician.contract.game import Game


class State:
    """One position. Two states are equal if they belong to equal games and hold the same bytes."""

    __slots__ = ("__weakref__", "_address", "_game", "_stream", "_stream_at", "_words")

    def __init__(self, game: Game, words: NDArray[np.uint64], random: NDArray[np.uint64]) -> None:
        self._game = game
        self._words = words
        self._address = words.ctypes.data
        self._stream = random
        self._stream_at = random.ctypes.data

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self._game

    @property
    def record(self) -> Any:
        """The fields, as a NumPy record on a copy of the memory."""
        return record_view(self._game.backend.state, self._words.copy())

    @property
    def words(self) -> NDArray[np.uint64]:
        """A copy of the memory as 64-bit words, as searches take it."""
        return self._words.copy()

    @property
    def stream(self) -> NDArray[np.uint64]:
        """A copy of the stream that decides the game's own chance events."""
        return self._stream.copy()

    @property
    def address(self) -> int:
        """Where the memory lies, for a rule that is called with `game.run`; rules then trust what they are given."""
        return self._address

    @property
    def stream_address(self) -> int:
        """Where the stream lies, for the same purpose."""
        return self._stream_at

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._game, self._words, self._stream)

    def copy(self) -> State:
        """An independent state that will see the same chance events."""
        return type(self)(self._game, self._words.copy(), self._stream.copy())

    def reseeded(self, seed: int | Iterable[int]) -> State:
        """A copy that will see other chance events."""
        return type(self)(self._game, self._words.copy(), stream(seed))

    def same_chance(self, other: State) -> bool:
        """Whether the same chance events lie ahead of both: then neither has drawn any since one was copied."""
        return bool((self._stream == other._stream).all())

    def in_game(self, game: Game) -> State:
        """The same position in another game with the same records, e.g. in `game.interpreted()`."""
        if game.backend.state != self._game.backend.state:
            raise InvalidParameterError(f"game {game.name!r} has other records than {self._game.name!r}.")
        return type(self)(game, self._words.copy(), self._stream.copy())

    # -- the rules -------------------------------------------------------------------------------------------

    def current_player(self) -> int:
        """Whose action it is, from 0; `SIMULTANEOUS` where all act."""
        return int(self._game.run("current_player", self._address))

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._game.run("is_over", self._address))

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The codes of the legal actions, of the current player unless another is named; none when over."""
        if self.is_over():
            return []
        buffers = self._game.buffers()
        count = self._game.run("legal_actions", self._address, self._player(player), buffers.actions_at)
        return self._taken(buffers.actions, count, "legal_actions")

    def candidate_actions(self, player: int | None = None, seed: int = 0) -> list[int]:
        """What planners consider: a pruned or sampled part of the legal actions."""
        if "candidate_actions" not in self._game.backend.rule_names:
            return self.legal_actions(player)
        if self.is_over():
            return []
        buffers, random = self._game.buffers(), stream(seed)
        count = self._game.run(
            "candidate_actions", self._address, self._player(player), buffers.actions_at, random.ctypes.data
        )
        return self._taken(buffers.actions, count, "candidate_actions")

    def possible_actions(self, player: int | None = None) -> list[int]:
        """Everything that may become legal in some order this turn."""
        if "possible_actions" not in self._game.backend.rule_names:
            return self.legal_actions(player)
        if self.is_over():
            return []
        buffers = self._game.buffers()
        count = self._game.run("possible_actions", self._address, self._player(player), buffers.actions_at)
        return self._taken(buffers.actions, count, "possible_actions")

    def is_legal(self, action: int, player: int | None = None) -> bool:
        """Whether one action is legal."""
        if not -(2**31) <= action < 2**31 or self.is_over():
            return False
        if "is_legal" in self._game.backend.rule_names and player is None:
            return bool(self._game.run("is_legal", self._address, int(action)))
        return action in self.legal_actions(player)

    def rate_actions(self, actions: Sequence[int]) -> list[float]:
        """The cheap rating of each action, higher is better; all 0 if the game has none."""
        if "rate_actions" not in self._game.backend.rule_names:
            return [0.0] * len(actions)
        if len(actions) > self._game.max_actions:
            raise InvalidParameterError(
                f"{len(actions)} actions to rate; expected at most max_actions={self._game.max_actions}."
            )
        self._require_legal(actions)
        buffers = self._game.buffers()
        buffers.more_actions[: len(actions)] = actions
        self._game.run("rate_actions", self._address, buffers.more_actions_at, len(actions), buffers.values_at)
        return buffers.values[: len(actions)].tolist()

    def action_group(self, action: int) -> int:
        """The unit or card an action belongs to; 0 if the game has no groups."""
        if "action_group" not in self._game.backend.rule_names:
            return 0
        self._require_legal([action])
        return int(self._game.run("action_group", self._address, int(action)))

    def apply(self, action: int | str | Sequence[int | str]) -> State:
        """Take an action (everybody's, where all act at once) and return the state itself, changed.

        An action is its code, or its name as `action_name` writes it. One that is not legal is refused and changes
        nothing.
        """
        if self.is_over():
            raise IllegalActionError(f"the game is over; no action can follow (given {action!r}).")
        if self.current_player() == abi.SIMULTANEOUS:
            self._apply_joint(action)
            return self
        if isinstance(action, str):
            action = self.action_named(action)
        if not isinstance(action, (int, np.integer)) or not self.is_legal(int(action)):
            raise IllegalActionError(f"action {self._describe(action)} is not legal here{self._reason(action, None)}.")
        self._game.run("apply", self._address, int(action), self._stream_at)
        return self

    def _apply_joint(self, given: int | str | Sequence[int | str]) -> None:
        players = self._game.players
        if isinstance(given, str) or not isinstance(given, (Sequence, np.ndarray)) or len(given) != players:
            raise IllegalActionError(f"actions are {given!r}; expected one for each of {players} players.")
        actions = [self.action_named(one, seat) if isinstance(one, str) else one for seat, one in enumerate(given)]
        for player, action in enumerate(actions):
            if not isinstance(action, (int, np.integer)) or not self.is_legal(int(action), player):
                raise IllegalActionError(
                    f"action {self._describe(action)} is not legal for player {player}{self._reason(action, player)}."
                )
        buffers = self._game.buffers()
        buffers.more_actions[:players] = actions
        self._game.run("apply_joint", self._address, buffers.more_actions_at, self._stream_at)

    def returns(self) -> list[float]:
        """Every player's final reward, in [-1, 1]."""
        return self._values("returns")

    def evaluate(self) -> list[float]:
        """Every player's heuristic value."""
        return self._values("evaluate")

    def features(self, player: int | None = None) -> dict[str, float]:
        """What learned evaluations count of a player's side, by name; of the current player unless another is named."""
        names = self._game.info.features
        if not names:
            raise RuleFailureError(f"game {self._game.name!r} has no rule 'features'.", "features")
        buffers = self._game.buffers()
        buffers.values[: len(names)] = 0.0
        self._game.run("features", self._address, self._player(player), buffers.values_at)
        return dict(zip(names, buffers.values[: len(names)].tolist(), strict=True))

    def key(self) -> int:
        """64 bits that identify the state."""
        if "key" in self._game.backend.rule_names:
            return int(self._game.run("key", self._address)) & 0xFFFF_FFFF_FFFF_FFFF
        from tactician.native.hashing import hash_state

        return int(hash_state(self._words))

    def digest(self) -> int:
        """128 bits that identify the state, as trees that last a whole game keep them."""
        pair = np.zeros(4, np.uint64)  # the size of what rules know as a pointer to words
        if "digest" in self._game.backend.rule_names:
            self._game.run("digest", self._address, pair.ctypes.data)
        elif "key" in self._game.backend.rule_names:
            return self.key()
        else:
            from tactician.native.hashing import hash_state_twice

            hash_state_twice(self._words, pair)
        return int(pair[1]) << 64 | int(pair[0])

    def observe(self, player: int) -> State:
        """What one player sees: a state whose hidden parts are blank, with a stream that tells nothing."""
        view = type(self)(self._game, self._words.copy(), stream(0))
        if "observe" in self._game.backend.rule_names:
            self._game.run("observe", self._address, self._player(player), view._address)
        return view

    def resample_hidden(self, player: int, seed: int | Iterable[int]) -> State:
        """A whole state that fits what the player sees of this one; another seed, another guess."""
        random = stream(seed)
        world = self.observe(player)
        if "resample_hidden" in self._game.backend.rule_names:
            self._game.run("resample_hidden", world._address, self._player(player), random.ctypes.data)
        world._stream[:] = stream([1, *random.tolist()])
        return world

    def expected_action(self, player: int, seed: int | Iterable[int]) -> int:
        """The action that the rule `policy` expects of a player; another seed, another draw."""
        if "policy" not in self._game.backend.rule_names:
            raise RuleFailureError(f"game {self._game.name!r} has no rule 'policy'; see Game.with_policy.", "policy")
        return int(self._game.run("policy", self._address, self._player(player), stream(seed).ctypes.data))

    # -- for people ------------------------------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """What people call an action."""
        return self._shown("action_name", int(action))

    def action_parts(self, action: int, player: int | None = None) -> list[str]:
        """What a person points at in the drawing to choose an action, in order; empty if nothing.

        Parts are values of `data-part` in the SVG drawing. The player is the current one unless another is named.
        """
        found = self._shown("action_parts", self._player(player), int(action))
        if not isinstance(found, (list, tuple)) or not all(isinstance(part, str) for part in found):
            raise RuleFailureError(
                f"function 'action_parts' of {self._game.name!r} gives {short(found)}; expected a list of texts.",
                "action_parts",
            )
        return list(found)

    def action_named(self, name: str, player: int | None = None) -> int:
        """The legal action of that name, of the current player unless another is given."""
        legal = {action: self.action_name(action) for action in self.legal_actions(player)}
        found = [action for action, known in legal.items() if known == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise IllegalActionError(f"action {name!r} is ambiguous here; expected one of the codes {found}.")
        near = difflib.get_close_matches(name, legal.values(), n=3, cutoff=0.4) or list(legal.values())[:3]
        where = "here" if player is None else f"for player {player}"
        raise IllegalActionError(f"action {name!r} is not legal {where}; legal actions are e.g. {', '.join(near)}.")

    def to_json(self) -> Any:
        """The state in the canonical form of recordings."""
        return self._game.presentation.state_to_json(self._game.config, self.record)

    @classmethod
    def from_json(cls, game: Game, data: Any) -> State:
        """The state a JSON document describes; refuses what is not a possible one."""
        return game.state_from_json(data)

    def svg(self) -> str:
        """The position as an SVG document."""
        return self._shown("draw_svg")

    def text(self) -> str:
        """The position for a terminal, as rich markup."""
        from rich.errors import MarkupError
        from rich.markup import render

        text = self._shown("draw_text")
        try:
            render(str(text))
        except MarkupError as error:
            message = f"function 'draw_text' of {self._game.name!r} gives markup that can't be read: {error}."
            raise RuleFailureError(message, "draw_text") from error
        return text

    def __str__(self) -> str:
        from rich.text import Text

        return Text.from_markup(self.text()).plain

    _repr_svg_ = svg

    def __repr__(self) -> str:
        return f"<state of {self._game.name!r}, {self._game.state_bytes} bytes>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return bool(np.array_equal(self._words, other._words)) and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._words.tobytes())

    # -- inside ----------------------------------------------------------------------------------------------

    def _shown(self, name: str, *arguments: int) -> str:
        """What a function of the game's Python side gives, and if it raises, where."""
        try:
            with failures.calling(name):
                return getattr(self._game.presentation, name)(self._game.config, self.record, *arguments)
        except (TacticianError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a function may end the process, or raise a class of its own
            raise failures.function_failed(name, self._game.name, error) from error

    def _require_legal(self, actions: Sequence[int]) -> None:
        """Only legal actions reach the rules: compiled code trusts what it is given."""
        everybody = range(self._game.players) if self.current_player() == abi.SIMULTANEOUS else (None,)
        legal = {action for player in everybody for action in self.legal_actions(player)}
        for action in actions:
            if action not in legal:
                raise IllegalActionError(f"action {self._describe(action)} is not legal here.")

    def _player(self, player: int | None) -> int:
        if player is None:
            player = self.current_player()
            if player == abi.SIMULTANEOUS:
                raise InvalidParameterError("all players act at once here; name the player.")
        if not 0 <= player < self._game.players:
            raise InvalidParameterError(f"player is {player!r}; expected 0 to {self._game.players - 1}.")
        return int(player)

    def _taken(self, buffer: NDArray[np.int32], count: int, rule: str) -> list[int]:
        if not 0 <= count <= self._game.max_actions:
            raise RuleFailureError(
                f"rule {rule!r} of {self._game.name!r} listed {count} actions; "
                f"expected 0 to max_actions={self._game.max_actions}.",
                rule,
            )
        return buffer[:count].tolist()

    def _values(self, rule: str) -> list[float]:
        buffers = self._game.buffers()
        self._game.run(rule, self._address, buffers.values_at)
        return buffers.values[: self._game.players].tolist()

    def _reason(self, action: Any, player: int | None) -> str:
        """Why the game refuses an action, as the end of a sentence; empty if it doesn't say."""
        try:
            reason = self._shown("why_illegal", self._player(player), int(action))
        except Exception:  # the author's function need not know every number; the refusal must still come
            return ""
        return f": {reason}" if isinstance(reason, str) and reason else ""

    def _describe(self, action: Any) -> str:
        try:
            return f"{self.action_name(int(action))!r} (code {int(action)})"
        except (
            Exception
        ):  # an author's function need not have a name for what is not an action; the refusal must still come
            return repr(action)
