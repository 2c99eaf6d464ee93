"""Draw a position of Amazons for a terminal and as SVG.

The chosen queen's square is highlighted, and the squares that its next action can go to carry a mark. What actions
point at carries `data-part`: `square:d7` and `queen:d1`.
"""

from __future__ import annotations

from tactician.drawing.svg import circle, element, group, opening_tag, rect
from tactician.games.amazons.positions import ARROW, EMPTY, MOVE, PLAYERS, QUEENS, AmazonsPosition, square_name

_TEXT = {
    EMPTY: "[dim].[/dim]",
    ARROW: "[red]x[/red]",
    QUEENS[0]: "[bold]W[/bold]",
    QUEENS[1]: "[bold cyan]B[/bold cyan]",
}
_LIT, _TARGET = "[reverse]{}[/reverse]", "[green]+[/green]"

_CELL, _MARGIN, _CAPTION = 48, 26, 30
_FONT = "Georgia, serif"
_LIGHT, _DARK, _FRAME = "#efe6d2", "#c2ad8a", "#4a3f35"
_CHAR, _ASH, _EMBER = "#2a2522", "#453c36", "#e0672b"
_GLOW, _DOT = "#f2c14e", "#3f7d58"
_QUEEN_COLOURS = (("#fffaf0", "#2a2522"), ("#2a2522", "#fffaf0"))
"""Fill and line of each player's queens."""


def draw_text(position: AmazonsPosition) -> str:
    """Return rich markup: the board with the names of its rows and columns, and whose action it is."""
    size, targets = position.size, _targets(position)
    lines = []
    for row in range(size):
        cells = []
        for square in range(row * size, row * size + size):
            cell = _TARGET if square in targets else _TEXT[position.board[square]]
            cells.append(_LIT.format(cell) if square == position.chosen else cell)
        lines.append(f"{size - row:>2} {' '.join(cells)}")
    columns = " ".join(chr(ord("a") + column) for column in range(size))
    return "\n".join([*lines, f"   {columns}", _caption(position)])


def draw_svg(position: AmazonsPosition) -> str:
    """Return a stand-alone SVG document: the board and whose action it is."""
    size = position.size
    side = size * _CELL
    width, height = side + 2 * _MARGIN, side + 2 * _MARGIN + _CAPTION
    parts = [
        opening_tag(width, height, _FONT),
        element("title", f"Amazons: {_caption(position)}"),
        element("rect", width=width, height=height, rx=8, fill=_FRAME),
        *_coordinates(size),
    ]
    targets = _targets(position)
    places = [(_MARGIN + square % size * _CELL, _MARGIN + square // size * _CELL) for square in range(size**2)]
    parts += [_square(position, square, *place, square in targets) for square, place in enumerate(places)]
    # Above all squares, so that a queen that moves is not hidden by them.
    parts += [
        _queen(*places[square], QUEENS.index(letter), square_name(size, square))
        for square, letter in enumerate(position.board)
        if letter in QUEENS
    ]
    caption = _text(width / 2, height - 14, min(16, width / 16), _LIGHT, _caption(position))
    return "\n".join([*parts, caption]) + "</svg>"


def _targets(position: AmazonsPosition) -> set[int]:
    return set() if position.chosen is None else set(position.reach(position.chosen))


def _caption(position: AmazonsPosition) -> str:
    player = PLAYERS[position.player].capitalize()
    if position.chosen is None:
        if any(position.reach(square) for square in position.queens(position.player)):
            return f"{player} chooses a queen"
        return f"{player} can't move and has lost"
    verb = "moves the queen on" if position.phase == MOVE else "shoots from"
    return f"{player} {verb} {square_name(position.size, position.chosen)}"


def _coordinates(size: int) -> list[str]:
    texts = []
    for i in range(size):
        middle = _MARGIN + i * _CELL + _CELL / 2
        below = _MARGIN + size * _CELL + 17
        texts.append(_text(middle, below, 13, _DARK, chr(ord("a") + i)))
        texts.append(_text(_MARGIN / 2, middle + 4, 13, _DARK, str(size - i)))
    return texts


def _text(x: float, y: float, size: float, fill: str, content: str) -> str:
    return element("text", content, x=str(x), y=str(y), text_anchor="middle", font_size=size, fill=fill)


def _square(position: AmazonsPosition, square: int, x: int, y: int, target: bool) -> str:
    size = position.size
    colour = _LIGHT if (square % size + square // size) % 2 == 0 else _DARK
    parts = [rect(0, 0, _CELL, _CELL, colour)]
    if square == position.chosen:
        parts.append(_highlight())
    if position.board[square] == ARROW:
        parts.append(_burnt())
    elif target:
        parts.append(_target(position.phase))
    return group("square", x, y, parts, data_part=f"square:{square_name(size, square)}")


def _highlight() -> str:
    side = _CELL - 4
    return rect(2, 2, side, side, _GLOW, fill_opacity=0.55, stroke=_GLOW, stroke_width=4)


def _queen(x: int, y: int, player: int, square: str) -> str:
    """Draw a crown: a band and a row of points with a pearl on each."""
    fill, line = _QUEEN_COLOURS[player]
    pearls = "".join(
        f'<circle cx="{cx}" cy="{cy}" r="2.6"/>' for cx, cy in ((8, 18), (16, 12), (24, 10), (32, 12), (40, 18))
    )
    return (
        f'<g transform="translate({x} {y})" data-part="queen:{square}" fill="{fill}" stroke="{_CHAR}" '
        'stroke-width="1.6" stroke-linejoin="round">'
        '<path d="M13 37 L8.5 19 L17.5 28 L16.5 13.5 L22 26 L24 12 L26 26 L31.5 13.5 L30.5 28 L39.5 19 L35 37 Z"/>'
        f'{pearls}<path d="M12 35 Q24 31.5 36 35 L35 41 Q24 38.5 13 41 Z"/>'
        f'<path d="M15 34 Q24 31 33 34" fill="none" stroke="{line}" stroke-width="1.2"/></g>'
    )


def _burnt() -> str:
    """Draw a burnt square with glowing cracks and an arrow."""
    return (
        '<g fill="none" stroke-linecap="round">'
        f'<rect width="{_CELL}" height="{_CELL}" fill="{_CHAR}"/>'
        f'<rect x="3" y="3" width="{_CELL - 6}" height="{_CELL - 6}" rx="7" fill="{_ASH}"/>'
        f'<path d="M7 12 L14 16 L12 24 M41 30 L34 33 L36 41 M30 7 L33 12" stroke="{_EMBER}" stroke-width="1.5" '
        'stroke-opacity="0.65"/>'
        f'<path d="M15 33 L31 17 M24 16 L32 16 L32 24 M15 33 L12 32 M15 33 L16 36 M18 30 L15 29 M18 30 L19 33" '
        f'stroke="{_EMBER}" stroke-width="2.6"/></g>'
    )


def _target(phase: int) -> str:
    """Draw a dot where the queen can move, a ring where the arrow can hit."""
    cx, cy = _CELL // 2, _CELL // 2
    if phase == MOVE:
        return circle(cx, cy, 7, _DOT, fill_opacity=0.6)
    return circle(cx, cy, 7, "none", stroke=_EMBER, stroke_width=3, stroke_opacity=0.75)
