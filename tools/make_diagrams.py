"""Draw the diagrams of the planners again: run it after a change and commit what it wrote.

    python tools/make_diagrams.py

Each planner has a picture of its idea in docs/planners. A test fails while a picture is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from diagram_shapes import BLUE, GREEN, INK, ORANGE, PALE, SIDE, STEP, Sheet

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "planners"

Node = tuple[float, float, int]
"""A node of a tree: its place and the number of its parent, -1 for the root."""


def random() -> Sheet:
    """Any legal action, one after the other."""
    sheet = Sheet(640, 190, "Random: any legal action, then any legal action of the next state, until the turn ends")
    _choices(sheet, [("b", None), ("d", None), ("a", None), ("c", None)])
    sheet.text(320, 178, "each legal action is as likely as the others")
    return sheet


def greedy_action() -> Sheet:
    """The best evaluation right after the action."""
    sheet = Sheet(640, 190, "Greedy Action: evaluate the state after each action and take the best, again and again")
    values = [(0.3, 0.8, 0.5, 0.1), (0.6, 0.4, 0.2, 0.9), (0.7, 0.2, 0.1, 0.4), (0.5, 0.3, 0.9, 0.6)]
    _choices(sheet, [("b", values[0]), ("d", values[1]), ("a", values[2]), ("c", values[3])])
    sheet.text(320, 178, "the bar is the evaluation right after the action; the longest is taken")
    return sheet


def _choices(sheet: Sheet, steps: Sequence[tuple[str, Sequence[float] | None]]) -> None:
    for number, (taken, values) in enumerate(steps):
        left = 60 + number * 140
        sheet.circle(left - 30, 80)
        for i, letter in enumerate("abcd"):
            top = 24 + i * 32
            fill = BLUE if letter == taken else "white"
            sheet.line(left - 21, 80, left, top + SIDE / 2, BLUE if letter == taken else PALE)
            sheet.action(left, top, letter, fill)
            if values is not None:
                sheet.box(left + STEP, top + 9, 30 * values[i], 8, GREEN, GREEN)
            if letter == taken:
                end = left + SIDE if values is None else left + STEP + 30 * values[i]
                sheet.arrow(end + 2, top + SIDE / 2, left + 100, 80, BLUE)
    sheet.circle(60 + len(steps) * 140 - 30, 80, 9, BLUE)


def greedy_turn() -> Sheet:
    """Depth-first search with a table of states."""
    sheet = Sheet(640, 250, "Greedy Turn: depth-first search of all turns; a state met again is not entered again")
    rows = [[320], [130, 320, 510], [65, 130, 195, 265, 320, 375, 450, 510, 570]]
    places: list[Node] = [(320, 30, -1)]
    places += [(x, 95, 0) for x in rows[1]]
    places += [(x, 160, 1 + i // 3) for i, x in enumerate(rows[2])]
    unseen = {3, 9, 10, 11, 12, 8}
    for i, (x, y, parent) in enumerate(places):
        if parent >= 0:
            sheet.line(places[parent][0], places[parent][1], x, y, PALE if i in unseen else INK, dashed=i in unseen)
    for i, (x, y, _) in enumerate(places):
        sheet.circle(x, y, 9, "white" if i not in unseen else PALE, PALE if i in unseen else INK)
    for i, value in enumerate((0.4, 0.7, 0.3)):
        x = rows[2][i]
        sheet.box(x - 5, 205 - 30 * value, 10, 30 * value, BLUE if i == 1 else GREEN, BLUE if i == 1 else GREEN)
    for index in (0, 1, 5):
        sheet.circle(places[index][0], places[index][1], 9, BLUE)
    sheet.line(320, 30, 130, 95, BLUE, 2.5)
    sheet.line(130, 95, 130, 160, BLUE, 2.5)
    sheet.arrow(320, 169, 210, 165, ORANGE, dashed=True)
    sheet.text(270, 190, "known state: not entered", colour=ORANGE, size=12)
    sheet.text(510, 190, "not reached before the budget ended", colour=INK, size=12)
    sheet.text(320, 238, "one ply is one action; leaves are ends of the turn; the best leaf (blue) is played")
    return sheet


_WIDE: list[Node] = [
    (0, 0, -1), (-150, 50, 0), (-50, 50, 0), (50, 50, 0), (150, 50, 0), (-85, 100, 2), (-50, 100, 2), (-15, 100, 2),
    (35, 100, 3), (65, 100, 3), (-65, 150, 6), (-35, 150, 6),
]  # fmt: skip
_DEEP: list[Node] = [
    (0, 0, -1), (-60, 40, 0), (0, 40, 0), (60, 40, 0), (-30, 80, 2), (0, 80, 2), (30, 80, 2), (-20, 120, 5),
    (10, 120, 5), (-30, 160, 7), (0, 160, 7), (30, 160, 8),
]  # fmt: skip


def mcts() -> Sheet:
    """A tree of single actions, rollouts, backup."""
    sheet = Sheet(640, 290, "MCTS: select by UCT, expand one action, finish the turn at random, back up the value")
    _tree(sheet, 220, 30, _WIDE, {0, 2, 6, 10})
    sheet.wave(155, 190, 48, ORANGE)
    sheet.box(143, 240, 24, 24, GREEN, GREEN)
    for y, text in (
        (40, "1  selection: the edge with the highest UCT bound"),
        (90, "2  expansion: one action that was not tried yet"),
        (140, "3  rollout (wavy): the turn is played to its end"),
        (190, "4  backup: the value is added to every edge of the path"),
    ):
        step, _, what = text.partition(": ")
        sheet.text(390, y - 5, step, "start", bold=True)
        sheet.text(390, y + 12, what, "start", size=12)
    sheet.text(320, 282, "a node is a state between two actions: a turn of five actions is five plies")
    return sheet


def non_exploring_mcts() -> Sheet:
    """The same budget, deep instead of wide."""
    sheet = Sheet(640, 250, "Non-exploring MCTS: without exploration the same number of nodes makes a deeper tree")
    _tree(sheet, 170, 50, _WIDE, {0, 2, 6})
    _tree(sheet, 480, 50, _DEEP, {0, 2, 5, 7, 9})
    sheet.text(170, 28, "mcts: bound = mean + exploration", bold=True)
    sheet.text(480, 28, "non-exploring-mcts: bound = mean", bold=True)
    sheet.text(320, 240, "the same number of nodes; blue is the turn that would be read off")
    return sheet


def bridge_burning_mcts() -> Sheet:
    """After each phase the best child becomes the root."""
    sheet = Sheet(640, 250, "Bridge-burning MCTS: after each phase the best child of the root becomes the root")
    for phase in range(3):
        x, top = 110 + phase * 210, 60
        sheet.text(x, 28, f"phase {phase + 1}", bold=True)
        for back in range(phase):
            sheet.action(x - 95 + back * STEP, top - 14, "adb"[back], BLUE)
        _tree(sheet, x, top, _small(), {0, 2})
        for place in (-60, 60):
            if phase < 2:
                sheet.line(x + place - 8, top + 42, x + place + 8, top + 58, ORANGE, 2.5)
                sheet.line(x + place - 8, top + 58, x + place + 8, top + 42, ORANGE, 2.5)
        if phase < 2:
            sheet.arrow(x + 85, top + 60, x + 125, top + 60)
    sheet.text(320, 215, "each phase has an equal share of the budget and decides one action (blue square);")
    sheet.text(320, 235, "the siblings are forgotten, the subtree of the chosen child stays")
    return sheet


def _small() -> list[Node]:
    return [(0, 0, -1), (-60, 50, 0), (0, 50, 0), (60, 50, 0), (-25, 100, 2), (25, 100, 2)]


def _tree(sheet: Sheet, x: float, y: float, nodes: Sequence[Node], path: set[int]) -> None:
    """A tree with its root at (x, y); the nodes of `path` are blue."""
    for i, (dx, dy, parent) in enumerate(nodes):
        if parent >= 0:
            on_path = i in path and parent in path
            sheet.line(x + nodes[parent][0], y + nodes[parent][1], x + dx, y + dy, BLUE if on_path else INK)
    for i, (dx, dy, _) in enumerate(nodes):
        sheet.circle(x + dx, y + dy, 9, BLUE if i in path else "white")


def oep() -> Sheet:
    """A population of turns: selection, crossover, mutation."""
    sheet = Sheet(640, 250, "OEP: turns are sorted by value, the worse half is replaced by mutated children")
    _population(sheet, ["adbca", "bdaca", "cabda", "ddbac"], "random turns, sorted by value", set())
    _crossover(sheet, "adbca", "bdaca", "adaca", 3, "adaba")
    sheet.text(320, 240, "every gene is an action of the turn; the value is the evaluation after the whole turn")
    return sheet


def greedy_oep() -> Sheet:
    """OEP with greedy seeds and greedy repair."""
    sheet = Sheet(640, 250, "Greedy OEP: part of the first population is Greedy Action's, and repairs are greedy")
    _population(sheet, ["abdca", "adbca", "cabda", "ddbac"], "first row: Greedy Action's turn", {0})
    _crossover(sheet, "abdca", "adbca", "abbca", 1, "acgca")
    sheet.text(320, 240, "g: the action became illegal, and the one that Greedy Action would take replaces it")
    return sheet


def _population(sheet: Sheet, turns: Sequence[str], caption: str, seeded: set[int]) -> None:
    sheet.text(135, 28, caption, bold=True)
    for i, letters in enumerate(turns):
        fills = ["white" if i < 2 else PALE] * len(letters)
        if i in seeded:
            fills = [GREEN] * len(letters)
        sheet.turn(30, 44 + i * 38, letters, fills, value=(0.9, 0.7, 0.4, 0.2)[i])
    sheet.text(135, 212, "the upper half survives, grey is replaced", size=12)


def _crossover(sheet: Sheet, first: str, second: str, child: str, gene: int, mutated: str) -> None:
    left = 350
    sheet.text(left + 75, 28, "a child", bold=True)
    sheet.turn(left, 44, first)
    sheet.turn(left, 82, second)
    sheet.text(left + 160, 80, "uniform crossover", "start", size=12)
    sheet.arrow(left + 73, 112, left + 73, 124)
    sheet.turn(left, 128, child)
    sheet.text(left + 160, 145, "legal at each step", "start", size=12)
    sheet.arrow(left + 73, 158, left + 73, 170)
    fills = [ORANGE if i == gene or letter == "g" else "white" for i, letter in enumerate(mutated)]
    sheet.turn(left, 174, mutated, fills)
    sheet.text(left + 160, 191, "mutation, repair", "start", size=12)


def orders() -> Sheet:
    """How an order of possible actions becomes a turn."""
    sheet = Sheet(640, 200, "Orders: the possible actions are tried in an order; what is illegal then is skipped")
    order, skipped = "fcabed", {1, 4}
    sheet.text(40, 34, "an order of everything that may become possible", "start", bold=True)
    for i, letter in enumerate(order):
        sheet.action(40 + i * 60, 50, letter, PALE if i in skipped else "white")
        if i in skipped:
            sheet.text(40 + i * 60 + SIDE / 2, 96, "illegal now", size=11)
        else:
            sheet.arrow(40 + i * 60 + SIDE / 2, 80, 40 + i * 60 + SIDE / 2, 112, BLUE)
            sheet.action(40 + i * 60, 116, letter, BLUE)
    sheet.text(430, 68, "no-ai: as the game lists them", "start", size=12)
    sheet.text(430, 88, "random-order: shuffled", "start", size=12)
    sheet.text(430, 134, "the turn that is played", "start", size=12)
    sheet.text(320, 185, "every order makes a legal turn; different orders may make the same one")
    return sheet


def permutation_oep() -> Sheet:
    """(1+1) evolution of an order."""
    sheet = Sheet(640, 190, "Permutation OEP: exchange two places of the order, keep the child if it is not worse")
    sheet.turn(40, 60, "fcabed", value=0.5)
    sheet.text(130, 48, "parent", bold=True)
    sheet.arrow(298, 73, 370, 73)
    sheet.text(334, 62, "swap", size=12)
    sheet.turn(380, 60, "facbed", ["white", ORANGE, ORANGE], value=0.7)
    sheet.text(470, 48, "child", bold=True)
    sheet.line(470, 94, 470, 125, BLUE)
    sheet.line(470, 125, 130, 125, BLUE)
    sheet.arrow(130, 125, 130, 94, BLUE)
    sheet.text(300, 143, "not worse: it becomes the parent", colour=BLUE)
    sheet.text(320, 178, "one order, one child, one evaluation at a time")
    return sheet


def permutation_emcts() -> Sheet:
    """A tree of orders whose edges exchange two places."""
    sheet = Sheet(640, 240, "EMCTS on orders: an edge exchanges two places of the order above")
    _turn_tree(
        sheet, "abcd", [("bacd", {0, 1}), ("acbd", {1, 2}), ("abdc", {2, 3})], ("cabd", {0, 1}), "a random order"
    )
    sheet.text(320, 228, "an edge exchanges two places (orange); the best order on the best path is played")
    return sheet


def emcts() -> Sheet:
    """A tree of turns whose edges change one action."""
    sheet = Sheet(640, 240, "EMCTS: nodes are whole turns, an edge changes one action and repairs what follows")
    _turn_tree(
        sheet, "adbc", [("cdbc", {0}), ("aabc", {1}), ("addc", {2})], ("aadc", {2}), "Greedy Action's turn", phases=True
    )
    sheet.text(320, 228, "an edge changes one action (orange); after each phase the best child becomes the root")
    return sheet


def _turn_tree(
    sheet: Sheet,
    root: str,
    children: Sequence[tuple[str, set[int]]],
    last: tuple[str, set[int]],
    caption: str,
    phases: bool = False,
) -> None:
    width = 4 * STEP
    sheet.turn(320 - width / 2, 24, root, value=0.5)
    sheet.text(250, 42, caption, "end", size=12)
    for i, (letters, changed) in enumerate(children):
        left = 20 + i * 210
        best = i == 1
        sheet.line(320, 52, left + width / 2, 92, BLUE if best else INK, 2.5 if best else 1.5)
        fills = [ORANGE if k in changed else "white" for k in range(4)]
        sheet.turn(left, 94, letters, fills, value=(0.3, 0.7, 0.4)[i])
    middle = 230 + width / 2
    sheet.line(middle, 122, middle, 160, INK)
    sheet.turn(230, 162, last[0], [ORANGE if k in last[1] else "white" for k in range(4)], value=0.8)
    if phases:
        sheet.text(400, 142, "becomes the root", "start", colour=BLUE, size=12)


def determinized() -> Sheet:
    """Several guesses, a plan for each, one turn."""
    sheet = Sheet(640, 220, "Determinized: guess what is hidden several times, plan on each guess, settle on one turn")
    sheet.circle(60, 100, 22)
    sheet.text(60, 105, "?", size=18)
    sheet.text(60, 145, "what is seen", size=12)
    for i, (letters, fills) in enumerate((("adb", [BLUE] * 3), ("adb", [BLUE] * 3), ("cab", [PALE] * 3))):
        y = 30 + i * 55
        sheet.arrow(84, 100, 168, y + 13)
        sheet.circle(190, y + 13, 18)
        sheet.text(190, y + 18, str(i + 1))
        sheet.arrow(210, y + 13, 290, y + 13)
        sheet.turn(296, y, letters, fills)
        sheet.arrow(392, y + 13, 470, 100)
    sheet.text(190, 200, "worlds", size=12)
    sheet.text(340, 200, "the planner inside plans on each", size=12)
    sheet.turn(478, 87, "adb", [BLUE] * 3)
    sheet.text(520, 140, "vote, or best mean", size=12)
    sheet.text(520, 156, "over all worlds", size=12)
    return sheet


def information_set_mcts() -> Sheet:
    """Simulations on many guesses in one tree."""
    sheet = Sheet(640, 230, "Information-set MCTS: every simulation guesses anew, and all share one tree")
    sheet.text(110, 28, "a guess for each simulation", bold=True)
    for i in range(4):
        y = 50 + i * 38
        sheet.circle(70, y, 15)
        sheet.text(70, y + 5, str(i + 1))
        sheet.arrow(90, y, 250, 70 + i * 8, ORANGE)
    sheet.text(470, 28, "one tree over what is seen", bold=True)
    sheet.circle(400, 66, 12, BLUE)
    for k, x in enumerate((310, 400, 490)):
        sheet.line(400, 78, x, 118, BLUE if k == 1 else INK, 2.5 if k == 1 else 1.5)
        sheet.circle(x, 130, 12, BLUE if k == 1 else "white")
    for x in (370, 430):
        sheet.line(400, 142, x, 172)
        sheet.circle(x, 184, 10)
    sheet.text(520, 134, "legal in some guesses only", "start", size=12)
    sheet.text(320, 222, "an edge is weighed by how often it was available, not by how often the node was met")
    return sheet


def clairvoyant() -> Sheet:
    """The planner inside sees everything."""
    sheet = Sheet(640, 130, "Clairvoyant: the planner inside plans on the true state")
    sheet.circle(110, 60, 22)
    sheet.text(110, 65, "!", size=18)
    sheet.text(110, 105, "what is there, hidden or not", size=12)
    sheet.arrow(136, 60, 290, 60)
    sheet.text(212, 50, "the planner inside", size=12)
    sheet.turn(300, 47, "cab", [BLUE] * 3)
    sheet.text(480, 65, "what the truth is worth", "start", size=12)
    return sheet


def reply() -> Sheet:
    """Proposed turns, judged by the opponent's answers."""
    sheet = Sheet(640, 230, "Reply: turns are judged by what the opponent's best answer leaves of them")
    sheet.text(110, 28, "proposed turns", bold=True)
    sheet.text(360, 28, "the best answer known", bold=True)
    sheet.text(560, 28, "what is left", bold=True)
    rows = (("adb", 0.9, "xzy", 0.3), ("cab", 0.8, "xyy", 0.7), ("bda", 0.6, "xzy", 0.4))
    for i, (turn, before, answer, after) in enumerate(rows):
        y = 44 + i * 48
        best = i == 1
        sheet.turn(40, y, turn, [BLUE if best else "white"] * 3, value=before)
        sheet.arrow(204, y + 13, 296, y + 13, ORANGE, dashed=i == 2)
        sheet.turn(304, y, answer, [ORANGE] * 3 if i < 2 else [PALE] * 3)
        sheet.arrow(398, y + 13, 470, y + 13)
        sheet.box(480, y + 6, 120, SIDE - 12, "white", PALE)
        sheet.box(480, y + 6, 120 * after, SIDE - 12, BLUE if best else GREEN, BLUE if best else GREEN)
    sheet.text(320, 200, "the turn with the best evaluation loses most to its answer; the second (blue) is played.")
    sheet.text(320, 218, "Grey: an answer to another turn is tried on this one too, for one evaluation", size=12)
    return sheet


def auto() -> Sheet:
    """All turns and answers to them if they are through in time, else co-evolution."""
    sheet = Sheet(640, 210, "Auto: all turns and answers to them if the budget allows it, else co-evolution")
    sheet.box(20, 74, 150, 44, "white", INK)
    sheet.text(95, 92, "try all turns", bold=True)
    sheet.text(95, 109, "15 % of the budget", size=12)
    sheet.arrow(170, 86, 256, 52, GREEN)
    sheet.text(206, 52, "through", size=12)
    sheet.arrow(170, 106, 256, 142, ORANGE)
    sheet.text(206, 146, "not through", size=12)
    sheet.turn(264, 36, "adb", [GREEN] * 3, value=0.9)
    sheet.text(330, 28, "the best turns of all", size=12)
    sheet.arrow(430, 50, 486, 50)
    sheet.box(490, 28, 130, 44, "white", INK)
    sheet.text(555, 46, "answers", bold=True)
    sheet.text(555, 63, "the rest of the budget", size=12)
    sheet.turn(264, 130, "cab", [ORANGE] * 3)
    sheet.text(310, 178, "turns", size=12)
    sheet.arrow(362, 136, 426, 136, ORANGE)
    sheet.arrow(426, 150, 362, 150, ORANGE)
    sheet.turn(434, 130, "xzy", [ORANGE] * 3)
    sheet.text(480, 178, "replies", size=12)
    return sheet


def annealing() -> Sheet:
    """One turn, four kinds of changes, fewer accepted as it cools down."""
    sheet = Sheet(640, 240, "Annealing: one action is exchanged, inserted, removed or moved; the others stay in order")
    sheet.text(110, 28, "the current turn", bold=True)
    sheet.turn(40, 94, "cabd", ["white"] * 4)
    sheet.text(330, 28, "a change", bold=True)
    sheet.text(545, 28, "accepted if", bold=True)
    changes = (("exchange", "cxbd", 1), ("insert", "cxab", 1), ("remove", "cbdx", 3), ("move", "abcd", 2))
    for i, (what, turn, place) in enumerate(changes):
        y = 46 + i * 40
        sheet.arrow(176, 107, 256, y + 13, ORANGE)
        sheet.turn(264, y, turn, [ORANGE if j == place else "white" for j in range(4)])
        sheet.text(404, y + 18, what, "start", size=12)
    for x, text in ((500, "hot: nearly anything"), (500, "cold: what is not worse")):
        y = 80 if text.startswith("hot") else 150
        sheet.text(x, y, text, "start", size=12)
    sheet.arrow(486, 66, 486, 170, BLUE)
    sheet.text(320, 226, "a table of end states: a turn that ends in a known state is not judged again")
    return sheet


def coevolution() -> Sheet:
    """A turn against an archive of replies, a reply against the turn."""
    sheet = Sheet(640, 220, "Co-evolution: turns are annealed against known replies, replies against the best turn")
    sheet.text(120, 28, "the own turn", bold=True)
    sheet.turn(60, 60, "cab", [BLUE] * 3)
    sheet.text(120, 112, "annealed again, judged by", size=12)
    sheet.text(120, 128, "the worst reply of the archive", size=12)
    sheet.text(330, 28, "a reply to it", bold=True)
    sheet.turn(286, 60, "xzy", [ORANGE] * 3)
    sheet.text(330, 112, "annealed from the", size=12)
    sheet.text(330, 128, "best reply known", size=12)
    sheet.text(540, 28, "the archive", bold=True)
    for i, turn in enumerate(("xyy", "zxy", "yyx")):
        sheet.turn(496, 44 + i * 34, turn, [PALE] * 3)
    sheet.arrow(160, 73, 278, 73, BLUE)
    sheet.arrow(386, 73, 488, 73, ORANGE)
    sheet.line(540, 150, 540, 174)
    sheet.line(540, 174, 120, 174)
    sheet.arrow(120, 174, 120, 140)
    sheet.text(320, 206, "several rounds; the turn that all replies together leave most of is played")
    return sheet


def mcs() -> Sheet:
    """Bandits in the present state, random play from there."""
    return _simulation("MCS: bandits choose the first actions, everybody plays at random from there", 1, 1)


def simultaneous_mcts() -> Sheet:
    """Bandits as far as states are known, random play from there."""
    return _simulation("Simultaneous MCTS: bandits choose in known states, one new state is kept, then random", 3, 2)


def fdts() -> Sheet:
    """Bandits at every step."""
    return _simulation("FDTS: bandits choose at every step down to the fixed depth, and every state is kept", 5, 5)


def _simulation(title: str, kept: int, bandits: int) -> Sheet:
    """One simulation of five steps from left to right; circles are states."""
    sheet = Sheet(640, 190, title)
    for i in range(6):
        x = 50 + i * 105
        if i < 5:
            sheet.arrow(x + 12, 75, x + 92, 75, INK if i < bandits else ORANGE, dashed=i >= bandits)
            if i < bandits:
                sheet.bars(x + 18, 64, (0.5, 0.9, 0.3), 1, BLUE)
                sheet.bars(x + 58, 64, (0.8, 0.4, 0.6), 0, ORANGE)
            else:
                sheet.text(x + 52, 64, "random", colour=ORANGE, size=12)
        sheet.circle(x, 75, 11, BLUE if i < kept else "white")
    sheet.box(50 + 5 * 105 - 12, 100, 24, 24, GREEN, GREEN)
    sheet.text(50 + 5 * 105, 142, "value", size=12)
    sheet.text(300, 118, "blue circles are states that are kept, with a bandit for each player (bars)", size=12)
    sheet.text(320, 175, "the value of the last state goes to the arms that were chosen on the way")
    return sheet


def rhea() -> Sheet:
    """Own next actions, evolved against what the others are expected to do, then shifted."""
    sheet = Sheet(640, 220, "RHEA: own action sequences are evolved; after the move they are shifted by one step")
    sheet.text(120, 26, "genomes: own next actions", bold=True)
    for i, (genes, value) in enumerate((("abca", 0.8), ("abda", 0.7), ("cadb", 0.4))):
        sheet.turn(40, 40 + i * 44, genes, [BLUE, *["white"] * 3] if i == 0 else ["white"] * 4, value=value)
    sheet.text(120, 188, "value: mean of the simulations", size=12)
    sheet.arrow(250, 53, 318, 53)
    sheet.text(284, 44, "play a", size=12)
    sheet.text(400, 26, "the next move begins with", bold=True)
    for i, genes in enumerate(("bca", "bda", "adb")):
        sheet.turn(330, 40 + i * 44, genes, ["white"] * 3)
        sheet.box(330 + 3 * STEP, 40 + i * 44, SIDE, SIDE, "white", PALE)
    sheet.text(400, 188, "grey: drawn when it is first played", size=12)
    sheet.text(320, 210, "a child takes each gene from one of two survivors; others act at random or by a model")
    return sheet


DIAGRAMS: dict[str, Callable[[], Sheet]] = {
    "random.svg": random,
    "greedy-action.svg": greedy_action,
    "greedy-turn.svg": greedy_turn,
    "mcts.svg": mcts,
    "non-exploring-mcts.svg": non_exploring_mcts,
    "bridge-burning-mcts.svg": bridge_burning_mcts,
    "oep.svg": oep,
    "greedy-oep.svg": greedy_oep,
    "orders.svg": orders,
    "permutation-oep.svg": permutation_oep,
    "emcts.svg": emcts,
    "permutation-emcts.svg": permutation_emcts,
    "annealing.svg": annealing,
    "coevolution.svg": coevolution,
    "determinized.svg": determinized,
    "information-set-mcts.svg": information_set_mcts,
    "clairvoyant.svg": clairvoyant,
    "reply.svg": reply,
    "auto.svg": auto,
    "mcs.svg": mcs,
    "simultaneous-mcts.svg": simultaneous_mcts,
    "fdts.svg": fdts,
    "rhea.svg": rhea,
}
"""Each file in docs/planners and what draws it."""


def main() -> None:
    """Write every diagram."""
    for name, draw in DIAGRAMS.items():
        (FOLDER / name).write_text(draw().svg(), encoding="utf-8")
        print(f"wrote docs/planners/{name}")


if __name__ == "__main__":
    main()
