"""Checks of hidden information: what a player sees, and the worlds that player may imagine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tactician.checking.visit import Action, Check, Visit, difference, differing, parts, short
from tactician.contract.state import State

_GUESSES = 3
_PLAYED_ON = 6


def observing_twice_changes_nothing(visit: Visit) -> str | None:
    """Observing an observation changes nothing."""
    for player in range(visit.game.players):
        view = visit.fresh().observe(player)
        again = view.observe(player)
        if again != view:
            how = difference(view, again, "in the observation", "in the observation of that")
            return f"{visit.rule('observe')} of what player {player} sees changes it again: {how}"
    return None


def observation_tells_nothing_hidden(visit: Visit) -> str | None:
    """What a player sees is the same in every world that player may imagine."""
    return _mismatch(visit, "observe")


def worlds_fit_the_observation(visit: Visit) -> str | None:
    """A resampled world looks to the player as the true one does."""
    return _mismatch(visit, "resample_hidden")


def _mismatch(visit: Visit, blamed: str) -> str | None:
    """The first world that looks different to its player, if it is the blamed rule's doing.

    A piece that resampling has left alone but that looks different was computed from hidden things: that is `observe`.
    """
    for player, seeds, world in _worlds(visit):
        view = visit.fresh().observe(player)
        seen = world.observe(player)
        if seen == view or view.observe(player) != view:
            continue
        touched = any(parts(world)[name] != parts(view)[name] for name in differing(view, seen))
        if blamed != ("resample_hidden" if touched else "observe"):
            continue
        how = difference(view, seen, "in the true observation", f"in that of a world resampled with seeds {seeds}")
        verb = "changes what" if touched else "lets hidden things show in what"
        return f"{visit.rule(blamed)} {verb} player {player} sees: {how}"
    return None


def worlds_follow_the_stream(visit: Visit) -> str | None:
    """Equal seeds give equal worlds."""
    for player, seeds, world in _worlds(visit):
        again = visit.fresh().resample_hidden(player, seeds)
        if again != world:
            how = difference(world, again, "once", "the other time")
            return f"{visit.rule('resample_hidden')} for player {player} twice with the same seeds {seeds}: {how}"
    return None


def worlds_keep_legal_actions(visit: Visit) -> str | None:
    """The same player is to move, with the same legal actions as in the true state."""
    for player, seeds, world in _worlds(visit):
        blame = f"{visit.rule('resample_hidden')} for player {player} with seeds {seeds}"
        if world.is_over() or world.current_player() != visit.mover:
            whose = "a game that is over" if world.is_over() else f"the turn of player {world.current_player()}"
            return f"{blame} gives {whose}; expected the turn of player {visit.mover}"
        if player in visit.legal:
            truth, guessed = sorted(visit.legal[player]), sorted(world.legal_actions(player))
            if truth != guessed:
                return f"{blame} gives a world where that player may do {short(guessed)} instead of {short(truth)}"
    return None


def worlds_can_be_played(visit: Visit) -> str | None:
    """A search can continue in a guessed world."""
    for player, seeds, world in _worlds(visit):
        try:
            problem = _play_on(visit, world)
        except Exception as error:
            cause = error.__cause__ or error
            problem = f"raises {type(cause).__name__}: {cause}"
        if problem:
            blame = f"{visit.rule('resample_hidden')} for player {player} with seeds {seeds}"
            return f"{blame} gives a world in which playing on {problem}"
    return None


def _play_on(visit: Visit, world: State) -> str | None:
    random = visit.random()

    def choose(player: int) -> int:
        actions = world.legal_actions(player)
        return actions[random.integers(len(actions))]

    for step in range(_PLAYED_ON):
        if world.is_over():
            return None
        mover = world.current_player()
        acting = range(visit.game.players) if mover < 0 else [mover]
        stuck = [player for player in acting if not world.legal_actions(player)]
        if stuck:
            return f"leaves player {stuck[0]} without an action after {step} steps"
        world.apply(_move(choose, mover, visit.game.players))
    return None


def _move(choose: Callable[[int], int], mover: int, players: int) -> Action:
    return [choose(player) for player in range(players)] if mover < 0 else choose(mover)


def _worlds(visit: Visit) -> Iterator[tuple[int, list[int], State]]:
    for player in range(visit.game.players):
        for number in range(_GUESSES):
            seeds = [visit.seed, visit.step, number]
            yield player, seeds, visit.fresh().resample_hidden(player, seeds)


_NEEDS = ("observe", "resample_hidden")

CHECKS = (
    Check("observe-idempotent", observing_twice_changes_nothing, needs=("observe",), over=None),
    Check("observe-hides", observation_tells_nothing_hidden, needs=_NEEDS),
    Check("resample-consistent", worlds_fit_the_observation, needs=_NEEDS),
    Check("resample-reproducible", worlds_follow_the_stream, needs=_NEEDS),
    Check("resample-keeps-legal", worlds_keep_legal_actions, needs=_NEEDS),
    Check("resample-plays", worlds_can_be_played, needs=_NEEDS),
)
