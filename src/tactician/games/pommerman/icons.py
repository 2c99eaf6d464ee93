"""The icons of Pommerman's pictures, drawn on a grid of 100 × 100."""

from __future__ import annotations

from tactician.drawing.svg import IconSet

_BOMB = """
<circle cx="48" cy="58" r="31" fill="#23262e"/>
<circle cx="48" cy="58" r="31" fill="none" stroke="#0d0f13" stroke-width="3"/>
<path d="M28 50 A24 24 0 0 1 44 36" fill="none" stroke="#7d8697" stroke-width="6" stroke-linecap="round"/>
<rect x="61" y="23" width="16" height="14" rx="3" transform="rotate(40 69 30)" fill="#3a3f4b"/>
<path d="M72 24 C78 12 86 20 88 10" fill="none" stroke="#b08d57" stroke-width="4" stroke-linecap="round"/>
<path d="M88 10 l3 -9 3 8 8 -3 -5 7 7 5 -9 1 -1 9 -5 -7 -8 4 3 -8 -7 -4z" fill="#ffd23e" stroke="#ef7d16"
 stroke-width="1.5"/>
"""

_FLAME = """
<path d="M50 4 C58 22 84 30 86 60 C87 82 70 97 50 97 C30 97 13 82 14 60 C15 45 26 40 28 26 C36 30 40 36 41 42
 C47 32 50 18 50 4z" fill="#e8431f"/>
<path d="M51 28 C56 42 74 48 74 66 C74 82 64 92 50 92 C36 92 26 82 26 68 C26 58 34 54 36 46 C41 49 44 53 45 57
 C49 49 51 38 51 28z" fill="#ff9a1f"/>
<path d="M50 52 C54 62 63 65 63 76 C63 85 57 90 50 90 C43 90 37 85 37 77 C37 71 41 68 43 63 C46 65 47 67 48 69
 C50 64 50 58 50 52z" fill="#ffe35c"/>
"""

_AGENT = """
<ellipse cx="50" cy="92" rx="27" ry="6" fill="#00000033"/>
<path d="M28 88 C26 70 34 62 50 62 C66 62 74 70 72 88 C64 93 36 93 28 88z" fill="currentColor" stroke="#1b1f27"
 stroke-width="3"/>
<path d="M36 68 h28" stroke="#ffffffaa" stroke-width="4"/>
<circle cx="50" cy="40" r="29" fill="#f8f5ee" stroke="#1b1f27" stroke-width="3"/>
<path d="M21 38 A29 29 0 0 1 79 38 C70 28 30 28 21 38z" fill="currentColor" stroke="#1b1f27" stroke-width="3"
 stroke-linejoin="round"/>
<rect x="28" y="38" width="44" height="21" rx="10" fill="#f3c9a2" stroke="#1b1f27" stroke-width="2.5"/>
<rect x="38" y="42" width="6" height="13" rx="3" fill="#1b1f27"/>
<rect x="56" y="42" width="6" height="13" rx="3" fill="#1b1f27"/>
<circle cx="50" cy="9" r="7" fill="currentColor" stroke="#1b1f27" stroke-width="3"/>
"""

_RIGID = """
<rect width="100" height="100" fill="#6f7886"/>
<path d="M0 0 H100 L88 12 H12 V88 L0 100z" fill="#98a1af"/>
<path d="M100 0 V100 H0 L12 88 H88 V12z" fill="#515a67"/>
<circle cx="22" cy="22" r="4" fill="#515a67"/><circle cx="78" cy="22" r="4" fill="#515a67"/>
<circle cx="22" cy="78" r="4" fill="#515a67"/><circle cx="78" cy="78" r="4" fill="#515a67"/>
"""

_WOOD = """
<rect width="100" height="100" fill="#8a5a2b"/>
<rect x="4" y="4" width="92" height="92" rx="4" fill="#c58a4a"/>
<path d="M4 27 H96 M4 50 H96 M4 73 H96" stroke="#8a5a2b" stroke-width="4"/>
<path d="M18 14 h22 M55 38 h26 M16 61 h20 M62 84 h20" stroke="#a8713a" stroke-width="3" stroke-linecap="round"/>
<rect x="4" y="4" width="13" height="92" fill="#b2773a"/><rect x="83" y="4" width="13" height="92" fill="#b2773a"/>
<g fill="#5f3d1b"><circle cx="10.5" cy="15" r="2.6"/><circle cx="10.5" cy="85" r="2.6"/>
<circle cx="89.5" cy="15" r="2.6"/><circle cx="89.5" cy="85" r="2.6"/></g>
"""

_FOG = """
<rect width="100" height="100" fill="#4b5563"/>
<path d="M8 62 a15 15 0 0 1 12 -24 a20 20 0 0 1 38 -4 a16 16 0 0 1 30 12 a12 12 0 0 1 2 23 h-70 a10 10 0 0 1 -12 -7z"
 fill="#667180"/>
"""

_ITEM = '<rect x="10" y="10" width="80" height="80" rx="16" fill="{fill}" stroke="{edge}" stroke-width="5"/>'
_EXTRA_BOMB = (
    _ITEM.format(fill="#d9f2e1", edge="#2f8f57")
    + """
<circle cx="43" cy="57" r="21" fill="#23262e"/><path d="M58 40 C64 30 70 36 72 28" fill="none" stroke="#b08d57"
 stroke-width="4" stroke-linecap="round"/><path d="M30 52 A15 15 0 0 1 40 42" fill="none" stroke="#7d8697"
 stroke-width="4" stroke-linecap="round"/><path d="M74 62 v20 M64 72 h20" stroke="#2f8f57" stroke-width="7"
 stroke-linecap="round"/>
"""
)
_RANGE = (
    _ITEM.format(fill="#fff0cf", edge="#cf7a12")
    + """
<path d="M50 16 L60 30 H54 V46 H70 V40 L84 50 L70 60 V54 H54 V70 H60 L50 84 L40 70 H46 V54 H30 V60 L16 50 L30 40 V46
 H46 V30 H40z" fill="#e8431f"/><circle cx="50" cy="50" r="9" fill="#ffd23e"/>
"""
)
_KICK = (
    _ITEM.format(fill="#e4e6fb", edge="#4a4fb5")
    + """
<path d="M36 22 H56 V50 C62 56 76 56 78 66 V72 H34 C30 62 36 52 36 42z" fill="#4a4fb5"/>
<path d="M32 72 H80 V79 H32z" fill="#2b2e73"/><path d="M36 31 H56" stroke="#e4e6fb" stroke-width="4"/>
<path d="M16 46 h12 M14 58 h12 M18 34 h10" stroke="#4a4fb5" stroke-width="4" stroke-linecap="round"/>
"""
)
_SKULL = """
<path d="M50 10 C26 10 14 28 18 48 C20 57 26 60 28 64 V76 H72 V64 C74 60 80 57 82 48 C86 28 74 10 50 10z"
 fill="#e9e6df" stroke="#1b1f27" stroke-width="3"/>
<circle cx="36" cy="46" r="9" fill="#1b1f27"/><circle cx="64" cy="46" r="9" fill="#1b1f27"/>
<path d="M50 54 l-5 10 h10z" fill="#1b1f27"/>
<path d="M40 70 v10 M50 70 v10 M60 70 v10" stroke="#1b1f27" stroke-width="3"/>
"""
_CROWN = """
<path d="M10 78 L16 28 L36 52 L50 18 L64 52 L84 28 L90 78z" fill="#ffd23e" stroke="#b07d0e" stroke-width="4"
 stroke-linejoin="round"/><rect x="10" y="78" width="80" height="10" rx="3" fill="#e2a81a"/>
"""
_ARROW = '<path d="M50 12 L84 54 H62 V88 H38 V54 H16z" fill="#ffffff" stroke="#1b1f27" stroke-width="5"/>'

_SHAPES = {
    "bomb": _BOMB,
    "flame": _FLAME,
    "agent": _AGENT,
    "rigid": _RIGID,
    "wood": _WOOD,
    "fog": _FOG,
    "extra-bomb": _EXTRA_BOMB,
    "range": _RANGE,
    "kick": _KICK,
    "skull": _SKULL,
    "crown": _CROWN,
    "arrow": _ARROW,
}

ICONS = IconSet("pm", 100, {name: " ".join(shapes.split()) for name, shapes in _SHAPES.items()})
