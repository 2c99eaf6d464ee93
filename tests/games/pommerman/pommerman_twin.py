"""Pommerman told a second time, in plain Python and as slowly as it likes: the step, and the rule-based bot.

The bot draws from Python's own generator in the order the reference does, so recorded decisions come out the same.
"""

from __future__ import annotations

import random
from collections import deque
from typing import Any

SIDE = 11
INFINITE = float("inf")
STEPS = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}
Cell = tuple[int, int]


def on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < SIDE and 0 <= cell[1] < SIDE


def moved(cell: Cell, way: int) -> Cell:
    row, column = STEPS.get(way, (0, 0))
    return cell[0] + row, cell[1] + column


# -- the step ----------------------------------------------------------------------------------------------------


class World:
    """A position that can be stepped."""

    def __init__(self, data: dict[str, Any], paper: bool = False, blast_cap: int = 10) -> None:
        self.paper, self.cap, self.t = paper, blast_cap, data["t"]
        self.board = {(r, c): int(digit, 16) for r, row in enumerate(data["board"]) for c, digit in enumerate(row)}
        self.agents = [dict(zip(("at", "alive", "ammo", "blast", "kick"), ((r, c), *rest), strict=True))
                       for r, c, *rest in data["agents"]]  # fmt: skip
        self.bombs = [dict(zip(("at", "life", "strength", "owner", "way"), ((r, c), *rest), strict=True))
                      for r, c, *rest in data["bombs"]]  # fmt: skip
        self.flames = [[(r, c), life] for r, c, life in data["flames"]]
        self.items = {(r, c): kind for r, c, kind in data["items"]}

    def to_json(self) -> dict[str, Any]:
        return {
            "t": self.t,
            "board": ["".join(f"{self.board[r, c]:x}" for c in range(SIDE)) for r in range(SIDE)],
            "agents": [[*a["at"], a["alive"], a["ammo"], a["blast"], a["kick"]] for a in self.agents],
            "bombs": [[*b["at"], b["life"], b["strength"], b["owner"], b["way"]] for b in self.bombs],
            "flames": [[*cell, life] for cell, life in self.flames],
            "items": [[*cell, kind] for cell, kind in sorted(self.items.items())],
        }

    def step(self, actions: list[int]) -> None:
        self._age_flames()
        living = [a for a in self.agents if a["alive"]]
        for i, agent in enumerate(self.agents):
            if agent["alive"]:
                agent["action"] = actions[i]
                self._intend(i, agent)
        for b in self.bombs:
            self.board[b["at"]] = 0
            ahead = moved(b["at"], b["way"])
            free = on_board(ahead) and self.board[ahead] not in (1, 2, 6, 7, 8)
            b["to"], b["kicker"] = ahead if b["way"] and free else b["at"], None
        self._resolve(living)
        for b in self.bombs:
            if b["to"] == b["at"] and b["kicker"] is None:
                b["way"] = 0
            b["at"] = b["to"]
        for agent in living:
            if agent["to"] != agent["at"]:
                agent["at"] = agent["to"]
                self._pick_up(agent)
        self._explode()
        self._redraw(living)
        self.t += 1

    def _age_flames(self) -> None:
        for cell, life in self.flames:
            if life == 0:
                self.board[cell] = self.items.pop(cell, 0)
        self.flames = [[cell, life - 1] for cell, life in self.flames if life > 0]
        if not self.paper:
            for cell, _ in self.flames:
                self.board[cell] = 4

    def _intend(self, i: int, agent: dict[str, Any]) -> None:
        self.board[agent["at"]] = 0
        agent["to"], agent["kicked"] = agent["at"], None
        if agent["action"] == 5:
            if agent["ammo"] > 0 and all(b["at"] != agent["at"] for b in self.bombs):
                agent["ammo"] -= 1
                self.bombs.append({"at": agent["at"], "life": 10, "strength": agent["blast"], "owner": i, "way": 0})
            return
        ahead = moved(agent["at"], agent["action"])
        if on_board(ahead) and self.board[ahead] not in (1, 2):
            agent["to"] = ahead

    def _resolve(self, living: list[dict[str, Any]]) -> None:
        crossed: dict[frozenset[Cell], dict[str, Any]] = {}
        for mover in [*living, *self.bombs]:
            border = frozenset((mover["at"], mover["to"]))
            if len(border) == 1:
                continue
            first = crossed.setdefault(border, mover)
            if first is mover:
                continue
            mover["to"] = mover["at"]
            if ("life" in mover) == ("life" in first):
                first["to"] = first["at"]
        men = [mover["to"] for mover in living]
        balls = [mover["to"] for mover in self.bombs]
        self._phase_one(living, men, balls)
        if self._kick(living, men, balls):
            self._phase_two(living, men, balls)

    def _phase_one(self, living: list[dict[str, Any]], men: list[Cell], balls: list[Cell]) -> None:
        """`men` and `balls` are all claims ever made: nobody takes one back."""
        changed = True
        while changed:
            changed = False
            for a in living:
                if a["to"] != a["at"] and (men.count(a["to"]) > 1 or balls.count(a["to"]) > 1):
                    a["to"] = a["at"]
                    men.append(a["at"])
                    changed = True
            for b in self.bombs:
                if b["to"] != b["at"] and (men.count(b["to"]) > 1 or balls.count(b["to"]) > 1):
                    balls.append((b["at"][0], b["to"][1]) if self.paper else b["at"])
                    b["to"] = b["at"]
                    changed = True

    def _kick(self, living: list[dict[str, Any]], men: list[Cell], balls: list[Cell]) -> bool:
        back: list[tuple[dict[str, Any], Cell]] = []
        agents_back: list[dict[str, Any]] = []
        for b in self.bombs:
            who = next((a for a in living if a["to"] == b["to"]), None)
            if who is None:
                continue
            if who["to"] == who["at"]:
                if b["to"] != b["at"]:
                    back.append((b, b["at"]))
                continue
            landing = moved(b["to"], who["action"])
            free = on_board(landing) and landing not in men and landing not in balls
            if who["kick"] and free and self.board[landing] not in (1, 2, 6, 7, 8):
                balls[:] = [cell for cell in balls if cell != b["to"]]
                back.append((b, landing))
                b["way"], b["kicker"], who["kicked"] = who["action"], who, b
            else:
                back.append((b, b["at"]))
                agents_back.append(who)
        for b, cell in back:
            b["to"] = cell
            balls.append(cell)
        for who in agents_back:
            who["to"] = who["at"]
            men.append(who["at"])
        return bool(back or agents_back)

    def _phase_two(self, living: list[dict[str, Any]], men: list[Cell], balls: list[Cell]) -> None:
        changed = True
        while changed:
            changed = False
            for a in living:
                if a["to"] != a["at"] and (men.count(a["to"]) > 1 or a["to"] in balls):
                    b = a["kicked"]
                    if b is not None:
                        b["to"] = b["at"]
                        balls.append(b["at"])
                        b["kicker"] = a["kicked"] = None
                    a["to"] = a["at"]
                    men.append(a["at"])
                    changed = True
            for b in self.bombs:
                if b["to"] == b["at"] and b["kicker"] is None:
                    continue
                if balls.count(b["to"]) > 1 or b["to"] in men:
                    b["to"] = b["at"]
                    balls.append(b["at"])
                    a = b["kicker"]
                    if a is not None:
                        a["to"] = a["at"]
                        men.append(a["at"])
                        b["kicker"] = a["kicked"] = None
                    changed = True

    def _pick_up(self, agent: dict[str, Any]) -> None:
        found = self.board[agent["at"]]
        if found == 6:
            agent["ammo"] = min(agent["ammo"] + 1, 10)
        elif found == 7:
            agent["blast"] = min(agent["blast"] + 1, self.cap)
        elif found == 8:
            agent["kick"] = 1

    def _explode(self) -> None:
        for b in self.bombs:
            b["life"] -= 1
            if self.board[b["at"]] == 4:
                b["life"] = 0
        self.marked: set[Cell] = set()
        while due := [b for b in self.bombs if b["life"] == 0]:
            self.bombs = [b for b in self.bombs if b["life"]]
            for b in due:
                owner = self.agents[b["owner"]]
                owner["ammo"] = owner["ammo"] + 1 if self.paper else min(owner["ammo"] + 1, 10)
                self._mark(b)
            for b in self.bombs:
                if b["at"] in self.marked:
                    b["life"] = 0

    def _mark(self, b: dict[str, Any]) -> None:
        self.marked.add(b["at"])
        for way in STEPS:
            cell = b["at"]
            for _ in range(b["strength"] - 1):
                cell = moved(cell, way)
                if not on_board(cell) or self.board[cell] == 1:
                    break
                self.marked.add(cell)
                if self.board[cell] == 2:
                    break

    def _redraw(self, living: list[dict[str, Any]]) -> None:
        for b in self.bombs:
            self.board[b["at"]] = 3
        self.flames += [[cell, 2] for cell in sorted(self.marked)]
        for cell, _ in self.flames:
            self.board[cell] = 4
        for i, a in enumerate(self.agents):
            if a not in living:
                continue
            if self.board[a["at"]] == 4:
                a["alive"] = 0
            else:
                self.board[a["at"]] = 10 + i


# -- the bot -----------------------------------------------------------------------------------------------------


class Bot:
    """The rule-based agent, with Python's generator."""

    def __init__(self, seen: dict[str, Any], recent: list[Cell], last: int | None, chance: random.Random) -> None:
        self.board = {(r, c): int(v) for r, row in enumerate(seen["board"]) for c, v in enumerate(row)}
        strengths = seen["bomb_blast_strength"]
        self.bombs = [((r, c), int(strengths[r][c])) for r in range(SIDE) for c in range(SIDE) if strengths[r][c]]
        self.here: Cell = tuple(seen["position"])
        self.enemies, self.ammo, self.blast = seen["enemies"], seen["ammo"], seen["blast_strength"]
        self.recent, self.last, self.chance = list(recent), last, chance

    def passable(self, cell: Cell, board: dict[Cell, int] | None = None) -> bool:
        found = (board or self.board).get(cell, 1)
        return (found in (0, 6, 7, 8) or found >= 10) and found not in self.enemies

    def act(self) -> int:
        self._walk()
        unsafe = self._unsafe()
        if unsafe:
            return self.chance.choice(self._escapes(unsafe))
        if any(self.dist.get(p) == 1 for value in self.enemies for p in self.kinds.get(value, [])) and self._can_bomb():
            return 5
        way = self._nearest(self.enemies, 3)
        if way is not None and (self.last != way or self.chance.random() < 0.5):
            self.last = way
            return way
        way = self._nearest([6, 7, 8], 2)
        if way is not None:
            return way
        if self._nearest([2], 1) is not None:
            return 5 if self._can_bomb() else 0
        way = self._nearest([2], 2)
        if way is not None and self._safe(way):
            return way
        return self._wander()

    def _walk(self) -> None:
        row, column = self.here
        self.kinds: dict[int, list[Cell]] = {}
        window = set()
        for cell, found in sorted(self.board.items()):
            r, c = cell
            inside = row - 10 <= r < row + 10 and column - 10 <= c < column + 10
            if inside and abs(r - row) + abs(c - column) <= 10 and found not in (1, 4, 5):
                window.add(cell)
                self.kinds.setdefault(found, []).append(cell)
        self.dist: dict[Cell, float] = dict.fromkeys(window, INFINITE)
        self.dist[self.here] = 0
        self.prev: dict[Cell, Cell] = {}
        todo = deque([self.here])
        while todo:
            cell = todo.popleft()
            if not self.passable(cell):
                continue
            for way in STEPS:
                near = moved(cell, way)
                if near not in window:
                    continue
                far = self.dist[cell] + 1
                if far < self.dist[near]:
                    self.dist[near], self.prev[near] = far, cell
                    todo.append(near)
                elif far == self.dist[near] and self.chance.random() < 0.5:
                    self.prev[near] = cell

    def _unsafe(self) -> dict[int, int]:
        unsafe: dict[int, int] = {}
        for cell, strength in self.bombs:
            if self.dist.get(cell, INFINITE) > strength:
                continue
            ways: tuple[int, ...] = ()
            if cell == self.here:
                ways = (4, 3, 1, 2)
            elif cell[0] == self.here[0]:
                ways = (4,) if cell[1] > self.here[1] else (3,)
            elif cell[1] == self.here[1]:
                ways = (2,) if cell[0] > self.here[0] else (1,)
            for way in ways:
                unsafe[way] = max(unsafe.get(way, 0), strength)
        return unsafe

    def _escapes(self, unsafe: dict[int, int]) -> list[int]:
        if len(unsafe) == 4:
            board = {**self.board, self.here: 3}
            for way, strength in unsafe.items():
                if self._leads_out(moved(self.here, way), strength, board):
                    return [way]
            return [0]
        ahead = {way: moved(self.here, way) for way in STEPS}
        safe = [
            way
            for way, cell in ahead.items()
            if on_board(cell) and way not in unsafe and (self.passable(cell) or self.board[cell] == 5)
        ]
        return safe or [way for way in unsafe if on_board(ahead[way])] or [0]

    def _leads_out(self, start: Cell, strength: int, board: dict[Cell, int]) -> bool:
        if not on_board(start) or not self.passable(start, board):
            return False
        seen, todo = {start}, [start]
        while todo:
            cell = todo.pop()
            rows, columns = abs(cell[0] - start[0]), abs(cell[1] - start[1])
            if (rows and columns) or rows + columns > strength:
                return True
            for way in STEPS:
                near = moved(cell, way)
                if near not in seen and on_board(near) and self.passable(near, board):
                    seen.add(near)
                    todo.append(near)
        return False

    def _can_bomb(self) -> bool:
        return self.ammo >= 1 and any(
            self.dist[p] < INFINITE and (self.dist[p] > self.blast or (p[0] != self.here[0] and p[1] != self.here[1]))
            for p in self.kinds.get(0, [])
        )

    def _nearest(self, kinds: list[int], radius: int) -> int | None:
        best, limit = None, max(self.dist.values())
        for kind in kinds:
            for cell in self.kinds.get(kind, []):
                if self.dist[cell] <= min(radius, limit):
                    best, limit = cell, self.dist[cell]
        if best is None:
            return None
        while self.prev[best] != self.here:
            best = self.prev[best]
        return next(way for way in STEPS if moved(self.here, way) == best)

    def _safe(self, way: int) -> bool:
        r, c = moved(self.here, way)
        return not any(
            (b[0] == r and abs(b[1] - c) <= strength) or (b[1] == c and abs(b[0] - r) <= strength)
            for b, strength in self.bombs
        )

    def _wander(self) -> int:
        ways = [way for way in (0, 3, 4, 1, 2) if way == 0 or self.passable(moved(self.here, way))]
        ways = [way for way in ways if self._safe(way)]
        ways = [way for way in ways if moved(self.here, way) not in self.recent] or ways
        if len(ways) > 1 and 0 in ways:
            ways.remove(0)
        self.recent = [*self.recent, self.here][-6:]
        return self.chance.choice(ways or [0])
