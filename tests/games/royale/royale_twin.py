"""The rules of Royale once more, slow and plain: lists of objects and one method for each phase of a tick.

Written from the specification and not from the compiled rules, with other data structures; states go in and out in
their JSON form.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isqrt
from typing import Any

from tactician.games.royale.cards import Card, load_cards

TABLE = load_cards()
TOWER_PLACES = [[(3500, 6500), (14500, 6500), (9000, 3000)], [(14500, 25500), (3500, 25500), (9000, 29000)]]
FORMATIONS = {1: [(0, 0)], 2: [(-500, 0), (500, 0)], 3: [(0, 600), (-500, -300), (500, -300)]}
BRIDGES = (3500, 14500)


def div(a: int, b: int) -> int:
    """Division that truncates toward zero."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def side(y: int) -> int:
    return -1 if y < 15000 else 1 if y > 17000 else 0


def bridge_at(x: int) -> int:
    return 3500 if x < 9000 else 14500


@dataclass
class Body:
    """A tower or a troop."""

    card: Card
    owner: int
    uid: int
    x: int
    y: int
    hp: int
    cooldown: int
    target: int
    deploying: int = 0
    damage: int = 0
    in_range: bool = False

    @property
    def is_tower(self) -> bool:
        return self.uid < 3

    def within(self, reach: int, x: int, y: int) -> bool:
        return (self.x - x) ** 2 + (self.y - y) ** 2 <= (reach + self.card.radius) ** 2

    def can_hit(self, other: Body) -> bool:
        if other.is_tower:
            return not self.is_tower
        return self.card.hits == "ground+air" or (self.card.hits == "ground" and other.card.layer == "ground")


@dataclass
class Spell:
    card: Card
    x: int
    y: int
    timer: int
    waves: int


@dataclass
class Side:
    """A player."""

    elixir: int
    hand: list[str]
    queue: list[str]
    reserved: str | None
    awake: int
    wake: int
    next_uid: int
    towers: list[Body]
    troops: list[Body]
    spells: list[Spell]
    past: list[Any] = field(default_factory=list)

    def living(self) -> list[Body]:
        return [tower for tower in self.towers if tower.hp > 0] + self.troops


class Battle:
    """A battle that is stepped like the compiled one."""

    def __init__(self, data: dict[str, Any], step_ticks: int = 5) -> None:
        self.t, self.step_ticks = data["t"], step_ticks
        self.sides = [self._side(owner, fields) for owner, fields in enumerate(data["players"])]

    def _side(self, owner: int, fields: dict[str, Any]) -> Side:
        towers = []
        for slot, (hp, cooldown, target) in enumerate(fields["towers"]):
            card = TABLE["King Tower" if slot == 2 else "Princess Tower"]
            towers.append(Body(card, owner, slot, *TOWER_PLACES[owner][slot], hp, cooldown, target))
        troops = [
            Body(TABLE[card], owner, uid, x, y, hp, cooldown, target, deploying)
            for card, x, y, hp, cooldown, deploying, uid, target in fields["troops"]
        ]
        spells = [Spell(TABLE[card], *rest) for card, *rest in fields["spells"]]
        plain = {name: fields[name] for name in ("elixir", "reserved", "awake", "wake", "next_uid")}
        return Side(
            **plain,
            hand=list(fields["hand"]),
            queue=list(fields["queue"]),
            towers=towers,
            troops=troops,
            spells=spells,
            past=list(fields["past"]),
        )

    def to_json(self) -> dict[str, Any]:
        return {"t": self.t, "players": [self._json(owner) for owner in range(2)]}

    def _json(self, owner: int) -> dict[str, Any]:
        s = self.sides[owner]
        return {
            "elixir": s.elixir,
            "hand": s.hand,
            "queue": s.queue,
            "reserved": s.reserved,
            "awake": s.awake,
            "wake": s.wake,
            "next_uid": s.next_uid,
            "towers": [[b.hp, b.cooldown, b.target] if b.hp > 0 else [0, 0, -1] for b in s.towers],
            "troops": [[b.card.name, b.x, b.y, b.hp, b.cooldown, b.deploying, b.uid, b.target] for b in s.troops],
            "spells": [[p.card.name, p.x, p.y, p.timer, p.waves] for p in s.spells],
            "past": s.past,
        }

    # -- a step ------------------------------------------------------------------------------------------------

    def step(self, actions: list[Any]) -> None:
        for owner, action in enumerate(actions):
            self.act(owner, action)
            self.sides[owner].past = [*self.sides[owner].past[1:], action]
        for _ in range(self.step_ticks):
            if self.winner() is not None:
                break
            self.tick()
        for s in self.sides:
            if s.reserved is not None and s.elixir >= 28 * TABLE[s.reserved].cost:
                s.reserved = None

    def act(self, owner: int, action: Any) -> None:
        s = self.sides[owner]
        if action == "wait":
            return
        card = TABLE[action[1]]
        if action[0] == "reserve":
            s.reserved = card.name
            return
        s.elixir -= 28 * card.cost
        s.hand[s.hand.index(card.name)] = s.queue[0]
        s.queue = [*s.queue[1:], card.name]
        x, y = self.turned(owner, 1000 * action[2] + 500, 1000 * action[3] + 500)
        if card.kind == "spell":
            king_x, king_y = TOWER_PLACES[owner][2]
            d = isqrt((x - king_x) ** 2 + (y - king_y) ** 2)
            s.spells.append(Spell(card, x, y, max(1, div(d + card.flight - 1, card.flight)), card.waves))
            return
        turn = 1 if owner == 0 else -1
        for dx, dy in FORMATIONS[card.count]:
            body = Body(card, owner, s.next_uid, x + turn * dx, y + turn * dy, card.hp, card.first_hit_ticks, -1, 10)
            self.project(body, x, y)
            s.troops.append(body)
            s.next_uid += 1

    def turned(self, owner: int, x: int, y: int) -> tuple[int, int]:
        return (x, y) if owner == 0 else (18000 - x, 32000 - y)

    # -- a tick ------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        for s in self.sides:
            s.elixir = min(280, s.elixir + (1 if self.t < 1200 else 2))
        self.fly()
        acting = [body for owner in range(2) for body in self.sides[owner].living() if self.is_active(body)]
        for body in acting:
            self.aim(body)
        for body in acting:
            self.attack(body)
        before = {id(body): (body.x, body.y) for body in self.troops()}
        moves = {id(body): self.move(body) for body in acting if not body.in_range and not body.is_tower}
        for body in self.troops():
            dx, dy = moves.get(id(body), (0, 0))
            body.x, body.y = body.x + dx, body.y + dy
        self.separate()
        for body in self.troops():
            self.project(body, *before[id(body)])
            body.deploying = max(0, body.deploying - 1)
        for s in self.sides:
            if s.awake:
                s.wake = max(0, s.wake - 1)
        self.take_damage()
        self.t += 1

    def troops(self) -> list[Body]:
        return self.sides[0].troops + self.sides[1].troops

    def is_active(self, body: Body) -> bool:
        s = self.sides[body.owner]
        if body.uid == 2:
            return s.awake == 1 and s.wake == 0
        return body.is_tower or body.deploying == 0

    def fly(self) -> None:
        for owner, s in enumerate(self.sides):
            for spell in s.spells:
                spell.timer -= 1
                if spell.timer == 0:
                    for body in self.sides[1 - owner].living():
                        if body.within(spell.card.radius, spell.x, spell.y):
                            body.damage += spell.card.tower_damage if body.is_tower else spell.card.damage
                    spell.waves -= 1
                    spell.timer = 2
            s.spells = [spell for spell in s.spells if spell.waves > 0]

    def target_of(self, body: Body) -> Body | None:
        found = [other for other in self.sides[1 - body.owner].living() if other.uid == body.target]
        return found[0] if found else None

    def aim(self, body: Body) -> None:
        target = self.target_of(body)
        if target is not None and target.within(body.card.range, body.x, body.y):
            body.in_range = True
            return
        seen = [
            other
            for other in self.sides[1 - body.owner].living()
            if body.can_hit(other)
            and (other.is_tower or other.deploying == 0)
            and other.within(body.card.sight, body.x, body.y)
        ]
        target = min(seen, key=lambda other: (other.x - body.x) ** 2 + (other.y - body.y) ** 2, default=None)
        body.target = -1 if target is None else target.uid
        body.in_range = target is not None and target.within(body.card.range, body.x, body.y)

    def attack(self, body: Body) -> None:
        if not body.in_range:
            body.cooldown -= int(body.cooldown > body.card.first_hit_ticks)
            return
        body.cooldown -= int(body.cooldown > 0)
        if body.cooldown > 0:
            return
        body.cooldown = body.card.hit_ticks
        target = self.target_of(body)
        assert target is not None
        target.damage += body.card.damage
        if body.card.splash:
            for other in self.sides[1 - body.owner].living():
                if other is not target and other.within(body.card.splash, target.x, target.y):
                    other.damage += body.card.damage

    # -- walking -----------------------------------------------------------------------------------------------

    def move(self, body: Body) -> tuple[int, int]:
        target = self.target_of(body)
        goal_x, goal_y = (target.x, target.y) if target is not None else self.lane_goal(body)
        if body.card.layer == "ground":
            goal_x, goal_y = self.waypoint(body, goal_x, goal_y)
        dx, dy, s = goal_x - body.x, goal_y - body.y, body.card.speed
        dd = dx * dx + dy * dy
        move = (dx, dy) if dd <= s * s else (div(dx * s, isqrt(dd)), div(dy * s, isqrt(dd)))
        if body.card.layer == "ground":
            for tower in self.towers_in_way(body, body.x + move[0], body.y + move[1]):
                return self.round(body, tower, dx, dy, move)
        return move

    def lane_goal(self, body: Body) -> tuple[int, int]:
        enemy = 1 - body.owner
        own_x, _ = self.turned(body.owner, body.x, body.y)
        slot = 1 if own_x < 9000 else 0
        if self.sides[enemy].towers[slot].hp <= 0:
            slot = 2
        return TOWER_PLACES[enemy][slot]

    def waypoint(self, body: Body, gx: int, gy: int) -> tuple[int, int]:
        us, gs, x = side(body.y), side(gy), body.x
        if us == 0:
            b = bridge_at(x)
            if gs == 0 and bridge_at(gx) == b:
                return gx, gy
            if gs == 0:
                gs = -1 if body.owner == 0 else 1
            return clamp(x, b - 1000, b + 1000), 14999 if gs < 0 else 17001
        if gs == us:
            return gx, gy
        costs = [abs(x - b) + abs(gx - b) for b in BRIDGES]
        if costs[0] == costs[1]:
            own_x, _ = self.turned(body.owner, x, body.y)
            own_left = 3500 if body.owner == 0 else 14500
            b = own_left if own_x < 9000 else 18000 - own_left
        else:
            b = BRIDGES[costs.index(min(costs))]
        return clamp(x, b - 1000, b + 1000), 15000 if us < 0 else 17000

    def towers_in_way(self, body: Body, x: int, y: int) -> list[Body]:
        standing = [tower for s in self.sides for tower in s.towers if tower.hp > 0]
        return [t for t in standing if (x - t.x) ** 2 + (y - t.y) ** 2 < (t.card.radius + body.card.radius) ** 2]

    def round(self, body: Body, tower: Body, dx: int, dy: int, move: tuple[int, int]) -> tuple[int, int]:
        nx, ny = body.x - tower.x, body.y - tower.y
        qx, qy = -ny, nx
        dot = qx * dx + qy * dy
        own_right = qx > 0 if body.owner == 0 else qx < 0
        away = (body.x < 9000 and qx < 0) or (body.x > 9000 and qx > 0) or (body.x == 9000 and own_right)
        if dot < 0 or (dot == 0 and away):
            qx, qy = -qx, -qy
        d = isqrt(qx * qx + qy * qy)
        s = body.card.speed
        return (div(qx * s, d), div(qy * s, d)) if d > 0 else move

    def separate(self) -> None:
        bodies = self.troops()
        pushes = {id(body): [0, 0] for body in bodies}
        for i, a in enumerate(bodies):
            for b in bodies[i + 1 :]:
                if a.card.layer == b.card.layer:
                    self.push(a, b, pushes)
        for body in bodies:
            body.x, body.y = body.x + pushes[id(body)][0], body.y + pushes[id(body)][1]

    def push(self, a: Body, b: Body, pushes: dict[int, list[int]]) -> None:
        dx, dy = a.x - b.x, a.y - b.y
        r, dd = a.card.radius + b.card.radius, dx * dx + dy * dy
        if dd >= r * r:
            return
        m_a, m_b = a.card.mass, b.card.mass
        m = 2 * (m_a + m_b)
        if dd > 0:
            d = isqrt(dd)
            o = r - d
            for axis, offset in enumerate((dx, dy)):
                pushes[id(a)][axis] += div(offset * o * m_b, m * d)
                pushes[id(b)][axis] -= div(offset * o * m_a, m * d)
        elif a.owner == b.owner:
            left = -1 if a.owner == 0 else 1
            pushes[id(a)][0] += left * div(r * m_b, m)
            pushes[id(b)][0] -= left * div(r * m_a, m)
        else:  # a belongs to player 0, whose own side is down
            pushes[id(a)][1] -= div(r * m_b, m)
            pushes[id(b)][1] += div(r * m_a, m)

    def project(self, body: Body, px: int, py: int) -> None:
        body.x, body.y = clamp(body.x, 500, 17500), clamp(body.y, 500, 31500)
        if body.card.layer == "air":
            return
        for tower in self.towers_in_way(body, body.x, body.y):
            ddx, ddy, k = body.x - tower.x, body.y - tower.y, tower.card.radius + body.card.radius
            d = isqrt(ddx * ddx + ddy * ddy)
            if ddx == 0 and ddy == 0:
                body.y = tower.y + k if tower.y < 16000 else tower.y - k
            else:
                body.x, body.y = tower.x + div(ddx * k, d), tower.y + div(ddy * k, d)
        on_bridge = any(abs(body.x - b) <= 1500 for b in BRIDGES)
        if 15000 <= body.y <= 17000 and not on_bridge:
            if side(py) == 0:
                b = bridge_at(px)
                body.x = clamp(body.x, b - 1500, b + 1500)
            else:
                body.y = 14999 if side(py) < 0 else 17001

    # -- the end -----------------------------------------------------------------------------------------------

    def take_damage(self) -> None:
        for s in self.sides:
            king_hurt = s.towers[2].damage > 0
            fell = False
            for tower in s.towers:
                stood = tower.hp > 0
                tower.hp = max(0, tower.hp - tower.damage)
                tower.damage = 0
                fell |= stood and tower.hp == 0 and tower.uid != 2
            if (king_hurt or fell) and not s.awake:
                s.awake, s.wake = 1, 35
        for s in self.sides:
            for troop in s.troops:
                troop.hp -= troop.damage
                troop.damage = 0
            s.troops = [troop for troop in s.troops if troop.hp > 0]

    def standing(self, owner: int) -> int:
        return sum(tower.hp > 0 for tower in self.sides[owner].towers)

    def winner(self) -> int | None:
        """0, 1, -1 for a draw, None while the battle goes on."""
        kings = [s.towers[2].hp > 0 for s in self.sides]
        if not all(kings):
            return -1 if not any(kings) else kings.index(True)
        n0, n1 = self.standing(0), self.standing(1)
        if self.t >= 1800 and n0 != n1:
            return int(n1 > n0)
        return -1 if self.t >= 3000 else None

    def value(self) -> int:
        """The value of the state to player 0: run it without further actions until the arena is empty."""
        while self.winner() is None and any(s.troops or s.spells for s in self.sides):
            self.tick()
        winner = self.winner()
        if winner is not None:
            return 0 if winner == -1 else 1 - 2 * winner
        lead = self.standing(0) - self.standing(1)
        return (lead > 0) - (lead < 0)
