"""Hero Academy once more, slow and obvious: the rule book's sentences in plain Python on the canonical JSON.

Nothing here is shared with the package: the tables are written out again, squares are (x, y), units are objects in a
dictionary. The tests compare it with the compiled rules on many positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

Square = tuple[int, int]
Action = list[Any]
Json = dict[str, Any]

CARDS = "KACWNIPRSDH"
UNIT_CARDS = "KACWN"


@dataclass(frozen=True)
class Kind:
    max_hp: int
    speed: int
    power: int
    physical: int
    magical: int
    reach: int
    magic: bool
    near: float
    far: float


KINDS = {
    "K": Kind(1000, 2, 200, 20, 0, 1, False, 1, 1),
    "A": Kind(800, 2, 300, 0, 0, 3, False, 0.5, 1),
    "C": Kind(800, 2, 200, 0, 0, 2, True, 1, 1),
    "W": Kind(800, 2, 200, 0, 10, 2, True, 1, 1),
    "N": Kind(800, 3, 200, 0, 0, 2, False, 2, 1),
    "X": Kind(4500, 0, 0, 0, 0, 0, False, 0, 0),
}


@dataclass(frozen=True)
class Unit:
    owner: int
    kind: str
    hp: int
    gear: str

    @property
    def max_hp(self) -> int:
        base = KINDS[self.kind].max_hp
        return base + base // 10 * (("D" in self.gear) + ("H" in self.gear))

    @property
    def fallen(self) -> bool:
        return self.hp == 0

    @property
    def crystal(self) -> bool:
        return self.kind == "X"

    @property
    def unhurt(self) -> bool:
        return self.hp == self.max_hp


class Twin:
    """One position on one map; `apply` changes it."""

    def __init__(self, data: Json, rows: tuple[str, ...], action_points: int = 5, turn_limit: int = 100) -> None:
        self.rows, self.action_points, self.turn_limit = rows, action_points, turn_limit
        self.turn, self.player, self.ap = data["turn"], data["player"], data["ap"]
        self.terminal, self.winner = data["terminal"], data["winner"]
        self.units = {(x, y): Unit(*unit) for x, y, *unit in data["units"]}
        self.hands = [list(counts) for counts in data["hands"]]
        self.decks = [list(counts) for counts in data["decks"]]
        self.seeds = list(data["seeds"])

    def to_json(self) -> Json:
        return {
            "turn": self.turn,
            "player": self.player,
            "ap": self.ap,
            "terminal": self.terminal,
            "winner": self.winner,
            "units": [[*at, u.owner, u.kind, u.hp, u.gear] for at, u in sorted(self.units.items())],
            "hands": self.hands,
            "decks": self.decks,
            "seeds": self.seeds,
        }

    # -- the board ---------------------------------------------------------------------------------------------

    def squares(self) -> Iterator[Square]:
        for x in range(len(self.rows[0])):
            for y in range(len(self.rows)):
                yield x, y

    def letter(self, square: Square) -> str:
        return self.rows[square[1]][square[0]]

    def enemy_deploy(self, square: Square, player: int) -> bool:
        return self.letter(square) == ("D" if player == 1 else "d")

    def held(self, player: int, card: str) -> int:
        return int(self.hands[player - 1][CARDS.index(card)])

    # -- 5: legal actions --------------------------------------------------------------------------------------

    def legal(self) -> list[Action]:
        """The reference's list: no early end of the turn; empty if nothing is left to do."""
        if self.ap == 0:
            return [["E"]]
        found: list[Action] = []
        for origin in self.squares():
            unit = self.units.get(origin)
            if unit and unit.owner == self.player and not unit.fallen and not unit.crystal:
                for target in self.squares():
                    kind = self.unit_action(unit, origin, target)
                    if kind and origin != target:
                        found.append(["U", kind, *origin, *target])
        for card in CARDS:
            if self.held(self.player, card):
                found += [["D", card, *square] for square in self.squares() if self.playable(card, square)]
                if any(self.decks[self.player - 1]):
                    found.append(["X", card])
        return found

    def unit_action(self, unit: Unit, origin: Square, target: Square) -> str | None:
        kind, far = KINDS[unit.kind], distance(origin, target)
        other = self.units.get(target)
        if other is None:
            return "M" if far <= kind.speed and not self.enemy_deploy(target, unit.owner) else None
        if other.fallen:
            if self.enemy_deploy(target, unit.owner):
                return None
            if unit.kind == "C" and far <= 2:
                return "H"
            return "M" if far <= kind.speed else None
        if other.owner != unit.owner:
            return "A" if far <= kind.reach and self.sees(unit.owner, origin, target) else None
        if other.crystal:
            return None
        if unit.kind == "C" and far <= 2 and not other.unhurt:
            return "H"
        return "S" if unit.kind == "N" else None

    def sees(self, player: int, origin: Square, target: Square) -> bool:
        return not any(
            (blocker := self.units.get(square)) and blocker.owner != player and not blocker.fallen
            for square in squares_between(origin, target)
        )

    def playable(self, card: str, square: Square) -> bool:
        unit = self.units.get(square)
        if card in UNIT_CARDS:
            own = self.letter(square) == ("d" if self.player == 1 else "D")
            return own and (unit is None or unit.fallen)
        if card == "I":
            return True
        if unit is None or unit.owner != self.player or unit.crystal:
            return False
        return not unit.unhurt if card == "P" else not unit.fallen and card not in unit.gear

    # -- 11.1: pruning -----------------------------------------------------------------------------------------

    def pruned(self) -> list[Action]:
        return [action for action in self.legal() if not self.needless(action)]

    def needless(self, action: Action) -> bool:
        if action[0] == "X":
            return self.held(self.player, action[1]) == 1
        if action[:2] != ["D", "I"]:
            return False
        here = (action[2], action[3])
        struck = self.struck(here)
        if not struck:
            return True
        for other in self.squares():
            theirs = self.struck(other)
            if struck < theirs or (struck == theirs and other < here):
                return True
        return False

    def struck(self, target: Square) -> frozenset[Square]:
        return frozenset(at for at in self.block(target) if at in self.units and self.units[at].owner != self.player)

    def block(self, target: Square) -> list[Square]:
        return [at for at in self.squares() if abs(at[0] - target[0]) <= 1 and abs(at[1] - target[1]) <= 1]

    # -- 2: strength -------------------------------------------------------------------------------------------

    def power(self, square: Square) -> int:
        unit = self.units[square]
        power = KINDS[unit.kind].power
        if "R" in unit.gear:
            power += power // 2
        if self.letter(square) == "P":
            power += 100
        if "S" in unit.gear:
            power *= 3
        return power

    def damage(self, attacker: Square, defender: Square) -> int:
        kind, victim = KINDS[self.units[attacker].kind], self.units[defender]
        if kind.magic:
            resistance = KINDS[victim.kind].magical + (20 if "H" in victim.gear else 0)
        else:
            resistance = KINDS[victim.kind].physical + (20 if "D" in victim.gear else 0)
            resistance += 20 if self.letter(defender) == "S" else 0
        raw = float(self.power(attacker)) * (kind.near if distance(attacker, defender) == 1 else kind.far)
        return int(raw * ((100.0 - resistance) / 100.0))

    def assault_bonus(self, player: int) -> int:
        standing = [at for at, unit in self.units.items() if unit.owner == player and not unit.fallen]
        return 300 * sum(self.letter(at) == "A" for at in standing)

    # -- 6: effects --------------------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        match action:
            case ["E"]:
                self.end_turn()
                return
            case ["X", card]:
                self.hands[self.player - 1][CARDS.index(card)] -= 1
                self.decks[self.player - 1][CARDS.index(card)] += 1
            case ["D", card, x, y]:
                self.hands[self.player - 1][CARDS.index(card)] -= 1
                self.play(card, (x, y))
            case ["U", kind, fx, fy, tx, ty]:
                self.act(kind, (fx, fy), (tx, ty))
        self.ap -= 1

    def play(self, card: str, square: Square) -> None:
        if card in UNIT_CARDS:
            self.units[square] = Unit(self.player, card, KINDS[card].max_hp, "")
        elif card == "I":
            self.inferno(square)
        elif card == "P":
            unit = self.units[square]
            self.units[square] = replace(unit, hp=min(100 if unit.fallen else unit.hp + 1000, unit.max_hp))
        else:
            unit = self.units[square]
            unit = replace(unit, gear="".join(item for item in "RSDH" if item in unit.gear + card))
            if card in "DH":
                unit = replace(unit, hp=min(int(unit.hp + unit.hp / 10.0), unit.max_hp))
            self.units[square] = unit

    def act(self, kind: str, origin: Square, target: Square) -> None:
        actor = self.units[origin]
        if kind == "S":
            self.units[origin], self.units[target] = self.units[target], actor
        elif kind == "A":
            self.attack(origin, target)
        elif kind == "H" and self.units[target].owner == actor.owner:
            patient = self.units[target]
            amount = self.power(origin) * (2 if patient.fallen else 3)
            self.units[target] = replace(patient, hp=min(patient.hp + amount, patient.max_hp))
            self.units[origin] = replace(actor, gear=actor.gear.replace("S", ""))
        else:
            del self.units[origin]
            self.units[target] = actor

    def attack(self, origin: Square, target: Square) -> None:
        attacker, victim = self.units[origin], self.units[target]
        loss = self.damage(origin, target) + (self.assault_bonus(attacker.owner) if victim.crystal else 0)
        self.hit(target, loss)
        step = (sign(target[0] - origin[0]), sign(target[1] - origin[1]))
        if attacker.kind == "K" and not victim.crystal:
            self.push(target, step)
        if attacker.kind == "W":
            self.lightning(origin, target, step)
        self.units[origin] = replace(attacker, gear=attacker.gear.replace("S", ""))

    def hit(self, square: Square, loss: float) -> None:
        victim = self.units[square]
        left = int(victim.hp - loss)
        if left <= 0 and victim.crystal:
            del self.units[square]
            if not self.crystals(victim.owner):
                self.finish()
        else:
            self.units[square] = replace(victim, hp=max(left, 0))

    def push(self, square: Square, step: Square) -> None:
        behind = (square[0] + step[0], square[1] + step[1])
        victim = self.units[square]
        if behind not in set(self.squares()) or self.enemy_deploy(behind, victim.owner):
            return
        if behind in self.units and not self.units[behind].fallen:
            return
        del self.units[square]
        self.units[behind] = victim

    def lightning(self, wizard: Square, square: Square, direction: Square) -> None:
        for share in (0.75, 0.56):
            jump = self.next_jump(square, direction)
            if jump is None:
                return
            square, direction = (square[0] + jump[0], square[1] + jump[1]), jump
            loss = int(self.damage(wizard, square) * share)
            if self.units[square].crystal:
                loss += self.assault_bonus(self.player)
            self.hit(square, loss)

    def next_jump(self, square: Square, direction: Square) -> Square | None:
        best: Square | None = None
        best_value = 0
        for jump in [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]:
            victim = self.units.get((square[0] + jump[0], square[1] + jump[1]))
            if victim is None or victim.owner == self.player or victim.fallen:
                continue
            if jump == (-direction[0], -direction[1]):
                continue
            orthogonal = 0 in jump
            value = 10 if jump == direction else 1 + 4 * orthogonal + 2 * (jump[1] == -1) + (jump[0] == 1)
            if value > best_value:
                best, best_value = jump, value
        return best

    def inferno(self, target: Square) -> None:
        for square in self.block(target):
            victim = self.units.get(square)
            if victim is None or victim.owner == self.player:
                continue
            if victim.fallen:
                del self.units[square]
                continue
            loss = 350.0 + (self.assault_bonus(self.player) if victim.crystal else 0)
            resistance = KINDS[victim.kind].magical + (20 if "H" in victim.gear else 0)
            self.hit(square, loss * ((100.0 - resistance) / 100.0))

    # -- 7, 8: the end of a turn -------------------------------------------------------------------------------

    def end_turn(self) -> None:
        gone = [at for at, unit in self.units.items() if unit.owner == self.player and unit.fallen]
        for square in gone:
            del self.units[square]
        other = 3 - self.player
        if not self.has_units(1) or not self.has_units(2) or not self.crystals(other) or self.turn >= self.turn_limit:
            self.finish()
            return
        self.draw_cards(self.player)
        self.draw_cards(other)
        self.player, self.ap, self.turn = other, self.action_points, self.turn + 1

    def has_units(self, player: int) -> bool:
        cards = sum(self.hands[player - 1][:5]) + sum(self.decks[player - 1][:5])
        return cards > 0 or any(unit.owner == player and not unit.crystal for unit in self.units.values())

    def crystals(self, player: int) -> list[Square]:
        return [at for at, unit in self.units.items() if unit.owner == player and unit.crystal]

    def alive(self, player: int) -> bool:
        start = "c" if player == 1 else "C"
        return self.has_units(player) and any(self.letter(at) == start for at in self.crystals(player))

    def finish(self) -> None:
        self.terminal, self.winner = True, 0
        if self.turn < self.turn_limit and self.alive(1) != self.alive(2):
            self.winner = 1 if self.alive(1) else 2

    def draw_cards(self, player: int) -> None:
        hand, deck = self.hands[player - 1], self.decks[player - 1]
        while sum(hand) < 6 and sum(deck) > 0:
            seed = self.seeds[player - 1]
            seed = int(seed * 0.1) if seed > 100000 else int(seed * 1.3 + 7)
            self.seeds[player - 1] = seed
            written_out = "".join(card * n for card, n in zip(CARDS, deck, strict=True))
            card = CARDS.index(written_out[seed % len(written_out)])
            deck[card] -= 1
            hand[card] += 1

    # -- 11.2: ratings -----------------------------------------------------------------------------------------

    def rating_as_coded(self, action: Action) -> float:
        match action:
            case ["E"]:
                return 10000 if self.ap == 0 else 0
            case ["X", _] | ["U", "S", *_]:
                return 0
            case ["D", "I", x, y]:
                victims = [self.units[at] for at in self.struck((x, y))]
                return -500 + sum(2 * unit.max_hp if unit.fallen else 300 for unit in victims)
            case ["D", "P", x, y]:
                unit = self.units[x, y]
                return unit.max_hp + 200 * len(unit.gear) if unit.fallen else unit.max_hp - unit.hp - 300
            case ["D", card, x, y]:
                return 200 if card in UNIT_CARDS else self.power((x, y)) * self.units[x, y].unhurt
            case ["U", "A", fx, fy, _, _]:
                return self.power((fx, fy)) + (200 if self.units[fx, fy].kind == "W" else 0)
            case ["U", "H", _, _, tx, ty]:
                unit = self.units[tx, ty]
                return 1400 if unit.fallen else unit.max_hp - unit.hp
            case ["U", "M", _, _, tx, ty]:
                if (tx, ty) in self.units:
                    return 2 * self.units[tx, ty].max_hp
                return 30 if self.letter((tx, ty)) in "dDSAP" else 0
        raise AssertionError(action)

    def rating_as_printed(self, action: Action) -> float:
        match action:
            case ["D", "I", x, y]:
                fallen = sum(2 * self.units[at].max_hp for at in self.struck((x, y)) if self.units[at].fallen)
                return fallen + self.hp_taken(action)
            case ["U", "A", *_]:
                return self.hp_taken(action)
            case ["D", "P", x, y]:
                unit = self.units[x, y]
                return unit.max_hp + 200 * len(unit.gear) if unit.fallen else min(unit.max_hp - unit.hp, 1000)
            case ["D", card, x, y] if card not in UNIT_CARDS:
                unit = self.units[x, y]
                return self.power((x, y)) * unit.hp / unit.max_hp
            case ["U", kind, fx, fy, tx, ty] if kind in "HM" and (tx, ty) in self.units:
                unit = self.units[tx, ty]
                if unit.owner != self.player:
                    return 2 * unit.max_hp
                if kind == "M":
                    return 30 if self.letter((tx, ty)) in "dDSAP" else 0
                if unit.fallen:
                    return unit.max_hp + 200 * len(unit.gear)
                return min(unit.max_hp - unit.hp, 3 * self.power((fx, fy)))
        return self.rating_as_coded(action)

    def hp_taken(self, action: Action) -> float:
        """The enemy's loss of hit points, found by trying."""
        after = Twin(self.to_json(), self.rows, self.action_points, self.turn_limit)
        before = after.enemy_hp()
        after.apply(action)
        return before - after.enemy_hp()

    def enemy_hp(self) -> int:
        return sum(unit.hp for unit in self.units.values() if unit.owner != self.player)

    # -- 11.3, 11.4: evaluations -------------------------------------------------------------------------------

    def value_as_coded(self, player: int, bug: bool = True) -> float:
        if self.terminal:
            return self.result(player)
        units = self.material_as_coded(player) - self.material_as_coded(3 - player)
        spells = self.spells(player) - self.spells(3 - player)
        return units - spells if bug and player == 2 else units + spells

    def material_as_coded(self, player: int) -> float:
        total = sum(1.75 * KINDS[card].max_hp * self.owned(player, card) for card in UNIT_CARDS)
        for square, unit in self.units.items():
            if unit.owner == player:
                up = 1 if unit.fallen else 2
                total += unit.hp + up * KINDS[unit.kind].max_hp
                total += up * sum(GEAR_CODED[item].get(unit.kind, 0) for item in unit.gear)
                total += 0 if unit.fallen else SQUARES.get(self.letter(square), {}).get(unit.kind, 0)
        return total

    def spells(self, player: int) -> int:
        return 750 * self.owned(player, "I")

    def owned(self, player: int, card: str) -> int:
        return self.held(player, card) + int(self.decks[player - 1][CARDS.index(card)])

    def value_as_printed(self, player: int) -> float:
        if self.terminal:
            return self.result(player)
        return self.material_as_printed(player) - self.material_as_printed(3 - player)

    def material_as_printed(self, player: int) -> float:
        total = sum(3.0 * KINDS[card].max_hp * self.owned(player, card) for card in UNIT_CARDS)
        for square, unit in self.units.items():
            if unit.owner == player:
                up = 0 if unit.fallen else 2
                total += unit.hp + KINDS[unit.kind].max_hp * up
                total += up * sum(GEAR_PRINTED[item].get(unit.kind, 0) for item in unit.gear)
                total += (up - 1) * SQUARES.get(self.letter(square), {}).get(unit.kind, 0)
        return total

    def result(self, player: int) -> int:
        return 0 if self.winner == 0 else 60000 if self.winner == player else -60000


SQUARES = {
    "A": {"A": 40, "C": 10, "K": 120, "N": 50, "W": 40},
    "S": {"A": 80, "C": 20, "K": 30, "N": 60, "W": 70},
    "P": {"A": 120, "C": 40, "K": 30, "N": 70, "W": 100},
    "d": dict.fromkeys("ACKNW", -75),
    "D": dict.fromkeys("ACKNW", -75),
}
GEAR_CODED = {
    "D": {"A": 60, "C": 30, "K": 60, "N": 30, "W": 50},
    "R": {"A": 60, "C": 20, "K": -30, "N": 20, "W": 60},
    "H": {"A": 40, "C": 20, "K": 20, "N": 30, "W": 40},
    "S": {"A": 80, "C": 30, "K": -10, "N": 70, "W": 80},
}
GEAR_PRINTED = {
    "D": {"A": 30, "C": 30, "K": 30, "N": 30, "W": 20},
    "R": {"A": 40, "C": 20, "K": -50, "N": 20, "W": 40},
    "H": {"A": 20, "C": 20, "K": 20, "N": 10, "W": 20},
    "S": {"A": 50, "C": 30, "K": -40, "N": 40, "W": 50},
}


def distance(one: Square, other: Square) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def squares_between(origin: Square, target: Square) -> list[Square]:
    """The rule book's table of lines of sight, row by row, for distances up to 3."""
    s, t = sign(target[0] - origin[0]), sign(target[1] - origin[1])
    offsets = {
        (2, 0): [(s, 0)],
        (0, 2): [(0, t)],
        (3, 0): [(s, 0), (2 * s, 0)],
        (0, 3): [(0, t), (0, 2 * t)],
        (2, 1): [(s, 0), (s, t)],
        (1, 2): [(0, t), (s, t)],
    }.get((abs(target[0] - origin[0]), abs(target[1] - origin[1])), [])
    return [(origin[0] + x, origin[1] + y) for x, y in offsets]
