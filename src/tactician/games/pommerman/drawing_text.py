"""The terminal drawing of Pommerman: rich markup that stays readable without colours."""

from __future__ import annotations

from tactician.drawing.markup import styled
from tactician.games.pommerman import board
from tactician.games.pommerman.drawing_scene import AgentView, Place, PommermanScene

_MARGIN = "   "
_PLAIN = {
    board.PASSAGE: ("· ", "grey35"),
    board.RIGID: ("██", "grey50"),
    board.WOOD: ("▒▒", "dark_orange3"),
    board.FOG: ("░░", "grey35"),
    board.EXTRA_BOMB: ("b+", "bold green3"),
    board.RANGE: ("r+", "bold green3"),
    board.KICK: ("k+", "bold green3"),
}
_AGENTS = ("bold dodger_blue1", "bold orange_red1", "bold green1", "bold magenta1")
_ARROWS = " ↑↓←→"
_KEY = (
    "A1 agent  1● agent on a bomb  ●5 bomb and its life  ↑5 rolling bomb  *2 flames and",
    "their life  ██ rigid  ▒▒ wood  ░░ fog  b+ extra bomb  r+ range  k+ kick",
)


def scene_text(scene: PommermanScene) -> str:
    """Draw the board, its key, a line for each agent and the status as rich markup."""
    lines = [_MARGIN + "".join(f"{column:<2}" for column in range(board.SIDE)).rstrip()]
    for row, values in enumerate(scene.cells):
        cells = [_cell(scene, (row, column), value) for column, value in enumerate(values)]
        lines.append(f"{row:>{len(_MARGIN) - 1}} " + "".join(cells))
    lines += [_MARGIN + styled(key, "dim") for key in _KEY]
    lines += [_agent(scene, agent) for agent in scene.agents]
    return "\n".join([*lines, f"Step {scene.step} of {scene.limit}, {scene.status}"])


def _cell(scene: PommermanScene, place: Place, value: int) -> str:
    if value >= board.AGENT:
        seat = value - board.AGENT
        return styled(f"{seat + 1}●" if place in scene.bombs else f"A{seat + 1}", _AGENTS[seat] + " reverse")
    if value == board.FLAMES:
        return styled(f"*{scene.flames.get(place, 0)}", "bold yellow1 on dark_red")
    if value == board.BOMB:
        bomb = scene.bombs.get(place)
        if bomb is None:
            return styled("● ", "bold white")
        style = _AGENTS[bomb.owner] if bomb.owner >= 0 else "bold white"
        mark = _ARROWS[bomb.direction] if bomb.direction else "●"
        return styled(f"{mark}{bomb.life % 10}", style)
    text, style = _PLAIN[value]
    return styled(text, style)


def _agent(scene: PommermanScene, agent: AgentView) -> str:
    head = styled(f"A{agent.seat + 1}", _AGENTS[agent.seat])
    team = f" team {agent.team + 1}" if agent.team is not None else ""
    if not agent.alive:
        return f"{head}{team} dead{', has won' if agent.won else ''}"
    where = f"at {agent.place[0]},{agent.place[1]}" if agent.place else "out of view"
    own = f"ammo {agent.ammo}, blast {agent.blast}, {'kicks' if agent.kick else 'no kick'}" if agent.known else "?"
    bomb = scene.bombs.get(agent.place) if agent.place else None
    below = f", on a bomb with life {bomb.life}" if bomb else ""
    return f"{head}{team} {where}: {own}{below}{', has won' if agent.won else ''}"
