"""Pictures of Amazons positions: letters for a terminal, SVG for everything else.

The chosen queen's square is lit, and the squares its next action can go to carry a dot.
"""

from __future__ import annotations

from tactician.games.amazons.positions import ARROW, EMPTY, MOVE, PLAYERS, QUEENS, Position, square_name

_TEXT = {
    EMPTY: "[dim].[/dim]",
    ARROW: "[red]x[/red]",
    QUEENS[0]: "[bold]W[/bold]",
    QUEENS[1]: "[bold cyan]B[/bold cyan]",
}
_LIT, _TARGET = "[reverse]{}[/reverse]", "[green]+[/green]"

_CELL, _MARGIN, _CAPTION = 48, 26, 30
_LIGHT, _DARK, _FRAME = "#efe6d2", "#c2ad8a", "#4a3f35"
_CHAR, _ASH, _EMBER = "#2a2522", "#453c36", "#e0672b"
_GLOW, _DOT = "#f2c14e", "#3f7d58"
_QUEEN_COLOURS = (("#fffaf0", "#2a2522"), ("#2a2522", "#fffaf0"))
"""Fill and line of each player's queens."""


def draw_text(position: Position) -> str:
    """The board with the names of its lines and, below, whose action it is; rich markup."""
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


def draw_svg(position: Position) -> str:
    """The board as an SVG document of its own; it scales with the box it is put into."""
    size = position.size
    side = size * _CELL
    width, height = side + 2 * _MARGIN, side + 2 * _MARGIN + _CAPTION
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="Georgia, serif">',
        f"<title>Amazons: {_caption(position)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{_FRAME}"/>',
        *_coordinates(size),
    ]
    targets = _targets(position)
    for square, letter in enumerate(position.board):
        x, y = _MARGIN + square % size * _CELL, _MARGIN + square // size * _CELL
        colour = _LIGHT if (square % size + square // size) % 2 == 0 else _DARK
        parts.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{colour}"/>')
        if square == position.chosen:
            parts.append(
                f'<rect x="{x + 2}" y="{y + 2}" width="{_CELL - 4}" height="{_CELL - 4}" fill="{_GLOW}" '
                f'fill-opacity="0.55" stroke="{_GLOW}" stroke-width="4"/>'
            )
        if letter == ARROW:
            parts.append(_burnt(x, y))
        elif letter in QUEENS:
            parts.append(_queen(x, y, QUEENS.index(letter)))
        elif square in targets:
            parts.append(_target(x, y, position.phase))
    parts.append(
        f'<text x="{width / 2}" y="{height - 14}" text-anchor="middle" font-size="{min(16, width / 16):g}" '
        f'fill="{_LIGHT}">'
        f"{_caption(position)}</text></svg>"
    )
    return "\n".join(parts)


def _targets(position: Position) -> set[int]:
    return set() if position.chosen is None else set(position.reach(position.chosen))


def _caption(position: Position) -> str:
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
        far = _MARGIN + size * _CELL + 17
        style = f'text-anchor="middle" font-size="13" fill="{_DARK}"'
        texts.append(f'<text x="{middle}" y="{far}" {style}>{chr(ord("a") + i)}</text>')
        texts.append(f'<text x="{_MARGIN / 2}" y="{middle + 4}" {style}>{size - i}</text>')
    return texts


def _queen(x: int, y: int, player: int) -> str:
    """A crown: a band, a row of points with a pearl on each."""
    fill, line = _QUEEN_COLOURS[player]
    pearls = "".join(
        f'<circle cx="{cx}" cy="{cy}" r="2.6"/>' for cx, cy in ((8, 18), (16, 12), (24, 10), (32, 12), (40, 18))
    )
    return (
        f'<g transform="translate({x} {y})" fill="{fill}" stroke="{_CHAR}" stroke-width="1.6" stroke-linejoin="round">'
        '<path d="M13 37 L8.5 19 L17.5 28 L16.5 13.5 L22 26 L24 12 L26 26 L31.5 13.5 L30.5 28 L39.5 19 L35 37 Z"/>'
        f'{pearls}<path d="M12 35 Q24 31.5 36 35 L35 41 Q24 38.5 13 41 Z"/>'
        f'<path d="M15 34 Q24 31 33 34" fill="none" stroke="{line}" stroke-width="1.2"/></g>'
    )


def _burnt(x: int, y: int) -> str:
    """A charred square with glowing cracks and the arrow that did it."""
    return (
        f'<g transform="translate({x} {y})" fill="none" stroke-linecap="round">'
        f'<rect width="{_CELL}" height="{_CELL}" fill="{_CHAR}"/>'
        f'<rect x="3" y="3" width="{_CELL - 6}" height="{_CELL - 6}" rx="7" fill="{_ASH}"/>'
        f'<path d="M7 12 L14 16 L12 24 M41 30 L34 33 L36 41 M30 7 L33 12" stroke="{_EMBER}" stroke-width="1.5" '
        'stroke-opacity="0.65"/>'
        f'<path d="M15 33 L31 17 M24 16 L32 16 L32 24 M15 33 L12 32 M15 33 L16 36 M18 30 L15 29 M18 30 L19 33" '
        f'stroke="{_EMBER}" stroke-width="2.6"/></g>'
    )


def _target(x: int, y: int, phase: int) -> str:
    """A dot where the queen can go, a ring where the arrow can fly."""
    cx, cy = x + _CELL // 2, y + _CELL // 2
    if phase == MOVE:
        return f'<circle cx="{cx}" cy="{cy}" r="7" fill="{_DOT}" fill-opacity="0.6"/>'
    return f'<circle cx="{cx}" cy="{cy}" r="7" fill="none" stroke="{_EMBER}" stroke-width="3" stroke-opacity="0.75"/>'
