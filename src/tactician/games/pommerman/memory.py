"""What an agent of the official Pommerman environment can know of a game: everything it was shown, put together.

An observation leaves out who laid a bomb, what the others have, flames under younger flames, and with fog most of the
board. Who watches from the start can tell nearly all of it: a new bomb lies under the one who laid it and has that
one's strength, bombs are in the order of their lives and flames too, power-ups and kicks are seen to be taken and
made. What is out of view is as it was last seen; bombs there burn on. What nobody could know is drawn anew for every
world: items in the wood, cells that were never seen, where the others may have gone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.games.pommerman import board, pommerman
from tactician.games.pommerman.board import AGENT, HIDDEN_ITEMS, PLAYERS, SIDE, WOODEN_WALLS
from tactician.games.pommerman.conformance import read
from tactician.games.pommerman.observed import Place, Seen

_STEPS = {board.STOP: (0, 0), board.UP: (-1, 0), board.DOWN: (1, 0), board.LEFT: (0, -1), board.RIGHT: (0, 1)}
_ITEMS = (board.EXTRA_BOMB, board.RANGE, board.KICK)
_LAID = board.BOMB_LIFE - 1
"""The life of a bomb at the end of the step it was laid in."""
_HIDES = HIDDEN_ITEMS / WOODEN_WALLS
_WALLS = (board.RIGID, board.WOOD)


@cache
def game_of(variant: str) -> Game:
    """The game a view is completed to; trees tell its states apart without the step and the hidden items."""
    return pommerman(variant=variant, identity="reference")


@dataclass(frozen=True)
class Bomb:
    """A bomb, in view or remembered."""

    place: Place
    life: int
    strength: int
    direction: int
    owner: int | None = None


class Memory:
    """The memory of one seat in one game: `see` every observation, `world` makes a state of them."""

    def __init__(self) -> None:
        self.seen: Seen | None = None
        self.ground: dict[Place, int] = {}
        """What lies on a cell under bombs, agents and flames, as last seen."""
        self.bombs: list[Bomb] = []
        self.flames: list[tuple[Place, int]] = []
        self.opened: set[Place] = set()
        """Cells in flames that were wood, so that something may be hidden there."""
        self.places: list[Place] = list(board.START_CELLS)
        self.last_seen = [0] * PLAYERS
        self.ammo = [board.START_AMMO] * PLAYERS
        self.blast = [board.START_BLAST] * PLAYERS
        self.kick = [False] * PLAYERS
        self.complete = False
        """Whether it was there from the first step."""

    def see(self, seen: Seen) -> None:
        """Learn from the next observation."""
        elapsed = seen.step - self.seen.step if self.seen else 0
        if self.seen is None:
            self.complete = seen.step == 0
        self._notice_pick_ups(seen)
        self._follow_bombs(seen, elapsed)
        self._follow_flames(seen, elapsed)
        self._look_at_ground(seen)
        for i, place in seen.agents.items():
            self.places[i], self.last_seen[i] = place, seen.step
        own = seen.seat
        self.places[own] = seen.place
        self.ammo[own], self.blast[own], self.kick[own] = seen.ammo, seen.blast, seen.kick
        self.seen = seen

    # -- following -----------------------------------------------------------------------------------------------

    def _notice_pick_ups(self, seen: Seen) -> None:
        """Who stands where a power-up was has it."""
        for i, place in seen.agents.items():
            item = self.ground.get(place)
            if item == board.EXTRA_BOMB:
                self.ammo[i] = min(self.ammo[i] + 1, board.MOST_AMMO)
            elif item == board.RANGE:
                self.blast[i] = min(self.blast[i] + 1, int(game_of(seen.variant).config.blast_cap))
            elif item == board.KICK:
                self.kick[i] = True

    def _follow_bombs(self, seen: Seen, elapsed: int) -> None:
        """Find the known bombs again, tell who laid the new ones, and give ammunition back for those that are gone."""
        new = [Bomb(place, *values) for place, values in seen.bombs.items()]
        before = {bomb: self._rolled(bomb, elapsed) for bomb in self.bombs}
        now: list[Bomb] = []
        for fits in (_goes_on, _was_kicked, _may_be):
            for bomb in [*new]:
                old = next((o for o, later in before.items() if fits(o, later, bomb, elapsed)), None)
                if old is not None:
                    now.append(replace(bomb, owner=old.owner))
                    del before[old]
                    new.remove(bomb)
                    if elapsed == 1 and bomb.direction not in (board.STOP, old.direction):
                        self._notice_kick(seen, bomb)
        standing = {place: i for i, place in seen.agents.items()}
        for bomb in new:
            # Who lays a bomb is still on it at the end of the step.
            owner = standing.get(bomb.place) if bomb.life >= board.BOMB_LIFE - max(elapsed, 1) else None
            if owner is not None:
                self.ammo[owner] = max(self.ammo[owner] - 1, 0)
                self.blast[owner] = bomb.strength
            now.append(replace(bomb, owner=owner))
        for later in before.values():
            if later.life > 0 and not seen.shows(later.place):
                now.append(later)
            elif later.owner is not None:
                self.ammo[later.owner] = min(self.ammo[later.owner] + 1, board.MOST_AMMO)
        self.bombs = now

    def _notice_kick(self, seen: Seen, bomb: Bomb) -> None:
        """The one behind a bomb that has got a direction kicked it."""
        behind = _moved(bomb.place, bomb.direction, -1)
        for i, place in seen.agents.items():
            if place == behind:
                self.kick[i] = True

    def _rolled(self, bomb: Bomb, steps: int) -> Bomb:
        """Where a bomb is after some steps if nobody interferes."""
        place, direction = bomb.place, bomb.direction
        for _ in range(steps if direction else 0):
            ahead = _moved(place, direction)
            if not _on_board(ahead) or self.ground.get(ahead, board.PASSAGE) != board.PASSAGE:
                direction = board.STOP
                break
            place = ahead
        return replace(bomb, place=place, direction=direction, life=bomb.life - steps)

    def _follow_flames(self, seen: Seen, elapsed: int) -> None:
        """Younger flames show; older ones below them burn on, and take with them what they were the first to bare."""
        kept = []
        for place, life in self.flames:
            if life < elapsed:
                if place in seen.flames:
                    self.opened.discard(place)
            elif not seen.shows(place) or life - elapsed < seen.flames.get(place, -1):
                kept.append((place, life - elapsed))
        self.flames = kept + list(seen.flames.items())

    def _look_at_ground(self, seen: Seen) -> None:
        for row in range(SIDE):
            for column in range(SIDE):
                place, value = (row, column), int(seen.board[row, column])
                if value == board.FOG:
                    continue
                if value == board.FLAMES and self.ground.get(place) == board.WOOD:
                    self.opened.add(place)
                elif value != board.FLAMES:
                    self.opened.discard(place)
                self.ground[place] = value if value in (*_WALLS, *_ITEMS) else board.PASSAGE
        self.opened &= {place for place, _ in self.flames}

    # -- worlds --------------------------------------------------------------------------------------------------

    def world(self, seed: Iterable[int]) -> State:
        """A whole state that looks exactly like the last observation; another seed, another guess."""
        assert self.seen is not None
        seen, seeds = self.seen, list(seed)
        chance = random.Random(repr(seeds))
        game = game_of(seen.variant)
        position = read(game, self._view(seen)).resample_hidden(seen.seat, seeds).to_json()
        values = [[int(digit, 16) for digit in row] for row in position["board"]]
        if seen.variant in ("team", "radio"):
            self._remember_ground(seen, values, chance)
            self._place_unseen(seen, values, chance)
        position["board"] = ["".join(f"{value:x}" for value in row) for row in values]
        position["bombs"] = self._owned_bombs(seen, chance)
        position["flames"] = [[*place, life] for life, place in sorted((life, place) for place, life in self.flames)]
        wood = {(r, c) for r in range(SIDE) for c in range(SIDE) if values[r][c] == board.WOOD}
        hiding = sorted(wood | self.opened)
        position["items"] = [[*place, chance.choice(_ITEMS)] for place in hiding if chance.random() < _HIDES]
        position["agents"] = [
            [*self._place_in(i, values), int(seen.alive[i]), self.ammo[i], self.blast[i], int(self.kick[i])]
            for i in range(PLAYERS)
        ]
        return read(game, position)

    def _view(self, seen: Seen) -> dict[str, Any]:
        """The observation as what our game's `observe` would leave of a state."""
        own = [*seen.place, int(seen.alive[seen.seat]), seen.ammo, seen.blast, int(seen.kick)]
        others = [[*seen.agents.get(i, (-1, -1)), int(seen.alive[i]), 0, 0, 0] for i in range(PLAYERS)]
        position: dict[str, Any] = {
            "t": seen.step,
            "board": ["".join(f"{value:x}" for value in row) for row in seen.board.tolist()],
            "agents": [own if i == seen.seat else others[i] for i in range(PLAYERS)],
            "bombs": [[*place, life, strength, -1, way] for place, (life, strength, way) in seen.bombs.items()],
            "flames": [[*place, life] for place, life in seen.flames.items()],
            "items": [],
        }
        if seen.variant == "radio":
            mate = (seen.seat + 2) % PLAYERS
            position["messages"] = [list(seen.message) if i == mate else [0, 0] for i in range(PLAYERS)]
        return position

    def _remember_ground(self, seen: Seen, values: list[list[int]], chance: random.Random) -> None:
        """Out of view: what was seen there before; elsewhere a guess that keeps rigid walls mirrored."""
        burning, bombed = {place for place, _ in self.flames}, {bomb.place for bomb in self.bombs}
        for row in range(SIDE):
            for column in range(SIDE):
                place = (row, column)
                if seen.shows(place):
                    continue
                guess = values[row][column] if values[row][column] < AGENT else board.PASSAGE
                if place in burning or place in bombed:
                    guess = board.FLAMES if place in burning else board.BOMB
                elif place in self.ground:
                    guess = self.ground[place]
                elif (column, row) in self.ground:
                    mirrored = self.ground[column, row] == board.RIGID
                    if mirrored != (guess == board.RIGID):
                        guess = board.RIGID if mirrored else chance.choice((board.WOOD, board.PASSAGE))
                values[row][column] = guess

    def _place_unseen(self, seen: Seen, values: list[list[int]], chance: random.Random) -> None:
        """Living agents out of view are somewhere there, no farther than they can have walked since they were seen."""
        for i in range(PLAYERS):
            if i == seen.seat or not seen.alive[i] or i in seen.agents:
                continue
            near = _within(values, self.places[i], seen.step - self.last_seen[i])
            free = [place for place in near if not seen.shows(place) and values[place[0]][place[1]] == board.PASSAGE]
            fogged = [(r, c) for r in range(SIDE) for c in range(SIDE) if not seen.shows((r, c))]
            empty = [(r, c) for r, c in fogged if values[r][c] == board.PASSAGE]
            standable = [(r, c) for r, c in fogged if values[r][c] in (*_WALLS, *_ITEMS)]
            row, column = chance.choice(free or empty or standable)
            values[row][column] = AGENT + i

    def _place_in(self, agent: int, values: list[list[int]]) -> Place:
        for row in range(SIDE):
            if AGENT + agent in values[row]:
                return row, values[row].index(AGENT + agent)
        return self.places[agent]

    def _owned_bombs(self, seen: Seen, chance: random.Random) -> list[list[int]]:
        """The bombs in their order, those of unknown owners given to somebody who may have laid them."""
        others = [i for i in range(PLAYERS) if seen.alive[i] and not (self.complete and i == seen.seat)]
        guesses = others or [i for i in range(PLAYERS) if i != seen.seat]
        owned = [bomb if bomb.owner is not None else replace(bomb, owner=chance.choice(guesses)) for bomb in self.bombs]
        owned.sort(key=lambda bomb: (bomb.life, bomb.owner))
        return [[*bomb.place, bomb.life, bomb.strength, bomb.owner or 0, bomb.direction] for bomb in owned]


# -- bombs from one observation to the next ----------------------------------------------------------------------


def _same(later: Bomb, bomb: Bomb) -> bool:
    return (later.life, later.strength) == (bomb.life, bomb.strength)


def _goes_on(old: Bomb, later: Bomb, bomb: Bomb, elapsed: int) -> bool:
    """It lies where it lay, or has rolled on."""
    if not _same(later, bomb):
        return False
    return bomb.place == (old.place if bomb.direction == board.STOP else later.place) and (
        bomb.direction in (board.STOP, old.direction)
    )


def _was_kicked(old: Bomb, later: Bomb, bomb: Bomb, elapsed: int) -> bool:
    """It has a new direction and lies one cell behind where it was, or was about to be."""
    if not _same(later, bomb) or bomb.direction == board.STOP:
        return False
    behind = _moved(bomb.place, bomb.direction, -1)
    return elapsed == 1 and behind in (old.place, _moved(old.place, old.direction))


def _may_be(old: Bomb, later: Bomb, bomb: Bomb, elapsed: int) -> bool:
    """It was out of view for a while and can have got there."""
    far = abs(old.place[0] - bomb.place[0]) + abs(old.place[1] - bomb.place[1])
    return _same(later, bomb) and far <= 2 * (_LAID - bomb.life)


def _moved(place: Place, direction: int, times: int = 1) -> Place:
    row, column = _STEPS[direction]
    return place[0] + times * row, place[1] + times * column


def _on_board(place: Place) -> bool:
    return 0 <= place[0] < SIDE and 0 <= place[1] < SIDE


def _within(values: list[list[int]], start: Place, steps: int) -> list[Place]:
    """The cells one can walk to in `steps` steps."""
    reached, front = {start}, [start]
    for _ in range(steps):
        front = [
            near
            for place in front
            for near in {_moved(place, way) for way in _STEPS}
            if near not in reached and _on_board(near) and values[near[0]][near[1]] not in (*_WALLS, board.BOMB)
        ]
        front = list(dict.fromkeys(front))
        reached.update(front)
        if not front:
            break
    return sorted(reached)
