"""Playing proposals and answers to them, for planners that judge turns by the opponent's reply."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import Address, address, borrowed, int64
from tactician.planners.base import Search
from tactician.planners.genome import Turns, finish_turn, make_turns
from tactician.planners.work import (
    ROOT,
    Work,
    apply,
    continues,
    copy_state,
    from_root,
    is_legal,
    judge,
    mover_of,
    state_at,
    turn_continues,
)

_THE_TURN, _PLAYED = 0, 1
"""The rows of `Ends.answer`."""


class Ends(NamedTuple):
    """Where the proposals end."""

    turns: Turns
    """[keep] the proposals."""
    roots: NDArray[np.uint64]
    """[guesses, words] the guesses."""
    states: NDArray[np.uint64]
    """[keep, guesses, words] the state after each proposal in each guess."""
    movers: NDArray[np.int64]
    """[keep, guesses] who is to move there; the player that proposes if nobody answers."""
    worth: NDArray[np.float64]
    """[keep, guesses] what the best answer leaves of each, infinity until one is known ..."""
    answered: NDArray[np.float64]
    """[keep, guesses] ... and what it is worth to who gives it."""
    answer: Turns
    """[2] an answer to test, and as much of it as is legal."""


class Referee(Search):
    """Plays proposals and answers to them; it searches nothing."""

    def __init__(self, game: Game, prune: bool, keep: int, guesses: int, before: bool) -> None:
        """Room for `keep` proposals in `guesses` guesses; `before`: answers are valued before their last action."""
        super().__init__(game, prune)
        self.guesses = 1
        words = self.work.states.shape[1]
        self._before = before
        self._ends = Ends(
            turns=make_turns(keep, game.max_turn + 1),
            roots=np.zeros((guesses, words), np.uint64),
            states=np.zeros((keep, guesses, words), np.uint64),
            movers=np.zeros((keep, guesses), np.int64),
            worth=np.zeros((keep, guesses)),
            answered=np.zeros((keep, guesses)),
            answer=make_turns(2, game.max_turn + 1),
        )

    def advance(self, units: int) -> bool:
        """Nothing to do."""
        return False

    def best(self) -> tuple[list[int], float | None]:
        """Nothing was searched."""
        return [], None

    def rehearse(self, root: NDArray[np.uint64], player: int) -> None:
        """Play an empty turn and test an empty answer to it."""
        super().rehearse(root, player)
        self.take([root], [[]], player)
        self.test(0, [], 1, player)

    def take(self, guesses: list[NDArray[np.uint64]], turns: list[list[int]], player: int) -> None:
        """Play the proposals in every guess."""
        ends, self.guesses = self._ends, len(guesses)
        for number, guess in enumerate(guesses):
            ends.roots[number, : len(guess)] = guess
        for row, turn in enumerate(turns):
            ends.turns.genes[row, : len(turn)], ends.turns.lengths[row] = turn, len(turn)
        _play_proposals(self.work, ends, len(turns), len(guesses), player)

    def end(self, row: int, guess: int) -> tuple[NDArray[np.uint64], int]:
        """The state after a proposal in a guess, and who is to move: the player if nobody answers."""
        words = self.work.state_bytes // 8
        return self._ends.states[row, guess, :words], int(self._ends.movers[row, guess])

    def left(self, row: int, guess: int) -> float:
        """What the best answer known so far leaves of a proposal in a guess; its value if nobody answers."""
        return float(self._ends.worth[row, guess])

    def worth(self, proposals: int) -> NDArray[np.float64]:
        """What is left of each proposal, over all guesses; infinity until an answer is known in all of them."""
        with np.errstate(invalid="ignore"):  # of a search that was stopped in the middle of a value
            return self._ends.worth[:proposals, : self.guesses].mean(axis=1)

    def is_answered(self, row: int) -> bool:
        """Whether nobody can answer a proposal, in any guess."""
        return bool(np.isfinite(self._ends.worth[row, : self.guesses]).all())

    def test(self, guess: int, answer: list[int], proposals: int, player: int) -> None:
        """Try an answer on all proposals, and keep it where it is the best one so far."""
        ends = self._ends
        ends.answer.genes[_THE_TURN, : len(answer)], ends.answer.lengths[_THE_TURN] = answer, len(answer)
        _test_answer(self.work, ends, proposals, guess, player, self._before)


@inlined
def _end_at(ends: Ends, row: int, guess: int) -> Address:
    """The address of the state after a proposal in a guess."""
    return address(ends.states) + (row * ends.states.shape[1] + guess) * 8 * ends.states.shape[2]


@kernel
def _play_proposals(work: Work, ends: Ends, proposals: int, guesses: int, player: int) -> None:
    """Play each proposal in each guess. What is not legal there is left out, and ratings end the turn."""
    work, ends = borrowed(work), borrowed(ends)
    for row in range(proposals):
        for guess in range(guesses):
            copy_state(work, state_at(work, ROOT), address(ends.roots) + guess * 8 * ends.roots.shape[1])
            now = from_root(work)
            played = 0
            for i in range(ends.turns.lengths[row]):
                action = int64(ends.turns.genes[row, i])
                if turn_continues(work, now, player) and is_legal(work, now, action):
                    ends.answer.genes[_PLAYED, played] = action
                    apply(work, now, action)
                    played += 1
            finish_turn(work, ends.answer, _PLAYED, now, played, player, True)
            copy_state(work, _end_at(ends, row, guess), now)
            mover = mover_of(work, now) if continues(work, now) else int64(player)
            ends.movers[row, guess] = mover
            ends.worth[row, guess] = judge(work, now, player) if mover == player else np.inf
            ends.answered[row, guess] = -np.inf


@kernel
def _test_answer(work: Work, ends: Ends, proposals: int, guess: int, player: int, before: bool) -> None:
    """Try an answer on all proposals; with `before`, it is valued before the action that ends the turn."""
    work, ends = borrowed(work), borrowed(ends)
    for row in range(proposals):
        opponent = ends.movers[row, guess]
        if opponent != player:
            now = _play_answer(work, ends, row, guess, before)
            ours = judge(work, now, player)
            # A value is minus infinity only if the search was stopped in the middle of it.
            if work.values[opponent] > ends.answered[row, guess] and ours > -np.inf:
                ends.answered[row, guess] = work.values[opponent]
                ends.worth[row, guess] = ours


@inlined
def _play_answer(work: Work, ends: Ends, row: int, guess: int, before: bool) -> Address:
    """Play what is legal of an answer, end the turn by rating, and return the address of the state to value."""
    last, opponent = state_at(work, ROOT), ends.movers[row, guess]
    copy_state(work, last, _end_at(ends, row, guess))
    now = from_root(work)
    played = 0
    for i in range(ends.answer.lengths[_THE_TURN]):
        action = int64(ends.answer.genes[_THE_TURN, i])
        if turn_continues(work, now, opponent) and is_legal(work, now, action):
            ends.answer.genes[_PLAYED, played] = action
            copy_state(work, last, now)
            apply(work, now, action)
            played += 1
    if turn_continues(work, now, opponent):
        finish_turn(work, ends.answer, _PLAYED, now, played, opponent, True)
    elif before and continues(work, now):
        return last
    return now
