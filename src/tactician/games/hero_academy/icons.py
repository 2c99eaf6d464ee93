"""The icons of Hero Academy's pictures: every unit, card, item and special square.

Each icon is drawn on a grid of 48 × 48 with a dark outline, looks to the right (as player 1's units do) and stays
recognisable at 16 pixels. ``currentColor`` stands for the owner's colour where an icon has one.
"""

from __future__ import annotations

from tactician.drawing.svg import IconSet

_INK = "#1d2733"
_STEEL, _STEEL_SHADE, _RUNE_STEEL = "#dbe3ec", "#9aabbd", "#6d8fd6"
_GOLD, _GOLD_SHADE, _GOLD_LIGHT = "#f2bf3b", "#b9861a", "#ffe9a8"
_WOOD, _LEATHER = "#a86b32", "#7a4a24"
_CLOTH, _SKIN = "#2f3a4d", "#f3cda6"
_PURPLE, _PURPLE_SHADE = "#7b4fc9", "#54329a"
_PARCHMENT, _PARCHMENT_SHADE = "#fbefcf", "#d8bd85"
_GREEN, _GREEN_LIGHT, _GREEN_SHADE = "#3fae5a", "#8bdc9a", "#1f7a3c"
_FIRE, _FIRE_INNER, _FIRE_CORE = "#f0642c", "#ffb02e", "#fff0a6"
_LIQUID, _GLASS = "#e6436f", "#e9f6fb"
_WHITE = "#ffffff"

_FOUR_POINT_SPARK = "M0 -6 L1.6 -1.6 L6 0 L1.6 1.6 L0 6 L-1.6 1.6 L-6 0 L-1.6 -1.6 Z"
_FIVE_POINT_STAR = "M24 4 L29.6 17.3 L44 18.5 L33 27.9 L36.4 42 L24 34.4 L11.6 42 L15 27.9 L4 18.5 L18.4 17.3 Z"

_SCUTE = "M-10.6 -11 H10.6 V3 C10.6 10 5 14 0 16.6 C-5 14 -10.6 10 -10.6 3 Z"

_SHAPES = {
    "knight": (
        f'<path d="M22 8 C15 -1 3 3 2 18 C5 13 8 12 11 14 Z" fill="{_GOLD}"/>'
        f'<path d="M6 23 C6 12 12 6 20 6 C28 6 33 12 33 23 V36 L26 44 H13 L6 36 Z" fill="{_STEEL}"/>'
        '<path d="M7 23 C7 14 11 9 16 7.6 C12 12 11.5 17 11.5 23 V40 L7 35.6 Z"'
        f' fill="{_STEEL_SHADE}" stroke="none"/>'
        f'<path d="M12 20 H33 V26 H26 V38 H21 V26 H12 Z" fill="{_INK}"/>'
        f'<path d="M38.5 33 V9 L41.5 3 L44.5 9 V33 Z" fill="{_WHITE}"/>'
        f'<path d="M41.5 34 V44" stroke-width="4.5"/>'
        f'<path d="M36.5 34 H46.5" stroke-width="5.5"/>'
        f'<path d="M36.5 34 H46.5" stroke="{_GOLD}" stroke-width="2.4"/>'
    ),
    "archer": (
        f'<path d="M15 4 L8 24 L15 44" fill="none" stroke="{_LEATHER}" stroke-width="1.8"/>'
        f'<path d="M15 4 C30 7 35 16 35 24 C35 32 30 41 15 44" fill="none" stroke-width="7"/>'
        '<path d="M15 4 C30 7 35 16 35 24 C35 32 30 41 15 44"'
        f' fill="none" stroke="{_WOOD}" stroke-width="3.6"/>'
        f'<path d="M34.8 20 V28" stroke="{_LEATHER}" stroke-width="5"/>'
        f'<path d="M6 24 H40" stroke-width="4.2"/>'
        f'<path d="M6 24 H40" stroke="{_PARCHMENT}" stroke-width="1.8"/>'
        f'<path d="M38 17.5 L47 24 L38 30.5 L40 24 Z" fill="{_STEEL}"/>'
        f'<path d="M2 18.5 H8 L12 24 L8 29.5 H2 L5.5 24 Z" fill="{_FIRE}"/>'
    ),
    "cleric": (
        f'<path d="M20 2 C31 9 36 20 33.6 35 H6.4 C4 20 9 9 20 2 Z" fill="{_WHITE}"/>'
        f'<path d="M20 2 C9 9 4 20 6.4 35 H11.4 C9.6 22 12 11 20 2 Z" fill="{_STEEL}" stroke="none"/>'
        '<path d="M20 2 C31 9 36 20 33.6 35 H6.4 C4 20 9 9 20 2 Z" fill="none"/>'
        f'<path d="M17 11 H23 V17 H29 V23 H23 V30 H17 V23 H11 V17 H17 Z" fill="{_GREEN}" stroke-width="1.6"/>'
        f'<path d="M5 34.5 C14 38 26 38 35 34.5 L34.4 42.5 C26 46 14 46 5.6 42.5 Z" fill="{_GOLD}"/>'
        f'<path d="M42 13 V45" stroke-width="5.6"/><path d="M42 13 V44.6" stroke="{_WOOD}"'
        ' stroke-width="2.6"/>'
        f'<circle cx="42" cy="9" r="5" fill="{_GOLD}"/>'
    ),
    "wizard": (
        f'<path d="M9 35 C14 24 15 13 20 7 C24 2 31 3 35 9 C31 8.4 28.6 9.4 28.6 13 C28.8 21 32 27 35 35 Z"'
        f' fill="{_PURPLE}"/>'
        f'<path d="M10.6 34 C15 24 16 13 20 8 C19 17 18 26 18 34 Z" fill="{_PURPLE_SHADE}" stroke="none"/>'
        f'<path d="M1.5 38 C8 32.5 33 32.5 41 38 C34 45 9 45 1.5 38 Z" fill="{_PURPLE}"/>'
        f'<path d="M9.6 33.6 C16 36.6 28 36.6 34.4 33.6 L32.6 28.6 C27 31 17 31 11.8 28.6 Z" fill="{_GOLD}"/>'
        f'<path d="{_FOUR_POINT_SPARK}" transform="translate(24 20)" fill="{_GOLD_LIGHT}" stroke="none"/>'
        f'<path d="M34.6 40 L41 22" stroke-width="5"/>'
        f'<path d="M34.6 40 L41 22" stroke="{_WOOD}" stroke-width="2.2"/>'
        f'<path d="{_FOUR_POINT_SPARK}" transform="translate(41 17) scale(1.15)" fill="{_GOLD_LIGHT}"'
        ' stroke-width="1.3"/>'
    ),
    "ninja": (
        f'<path d="M9 17 L1 10 L2 18 L0.8 25 L9 23 Z" fill="{_LIQUID}"/>'
        '<path d="M22 4 C32 4 37 12 37 22 C37 34 31 43 22 43 C13 43 7 34 7 22 C7 12 12 4 22 4 Z"'
        f' fill="{_CLOTH}"/>'
        f'<path d="M7.6 13.6 C16 10.4 28 10.4 36.4 13.6 V18 H7 Z" fill="{_LIQUID}"/>'
        '<path d="M8.6 20.5 C17 17.6 28 17.6 36 20.5 C36 25 35.6 27 35 29 C27 26.4 18 26.4 9.4 29 C8.6 26'
        ' 8.4 24 8.6 20.5 Z"'
        f' fill="{_SKIN}" stroke-width="1.6"/>'
        '<path d="M15.4 21.2 L20.4 23.4 M32.6 21.2 L27.6 23.4" stroke-width="1.8"/>'
        f'<circle cx="18" cy="24.6" r="1.7" fill="{_INK}" stroke="none"/>'
        f'<circle cx="30" cy="24.6" r="1.7" fill="{_INK}" stroke="none"/>'
        '<g transform="translate(36.5 36.5) rotate(20)">'
        f'<path d="M0 -11 L3 -3 L11 0 L3 3 L0 11 L-3 3 L-11 0 L-3 -3 Z" fill="{_STEEL}" stroke-width="1.7"/>'
        f'<circle r="1.9" fill="{_INK}" stroke="none"/></g>'
    ),
    "crystal": (
        '<path d="M14 5 H34 L44 18 L24 45 L4 18 Z" fill="currentColor"/>'
        f'<path d="M14 5 L17 18 H4 Z" fill="{_WHITE}" fill-opacity="0.45" stroke="none"/>'
        f'<path d="M14 5 H34 L31 18 H17 Z" fill="{_WHITE}" fill-opacity="0.65" stroke="none"/>'
        f'<path d="M4 18 H17 L24 45 Z" fill="{_WHITE}" fill-opacity="0.2" stroke="none"/>'
        f'<path d="M31 18 H44 L24 45 Z" fill="{_INK}" fill-opacity="0.3" stroke="none"/>'
        '<path d="M4 18 H44 M14 5 L17 18 L24 45 L31 18 L34 5" fill="none" stroke-width="1.3"/>'
        '<path d="M14 5 H34 L44 18 L24 45 L4 18 Z" fill="none"/>'
    ),
    "inferno": (
        f'<path d="M25 2 C27 11 39 17 39 30 C39 40 32 46 24 46 C16 46 9 40 9 30 C9 23 13 19 15 13'
        f' C18 16 19 18 19 21 C23 17 25 10 25 2 Z" fill="{_FIRE}"/>'
        f'<path d="M25 18 C27 24 33 27 33 34 C33 40 29 43.4 24 43.4 C19 43.4 15 40 15 34 C15 30 17 28 18 25'
        f' C20 26.6 20.6 28 21 30 C23.6 27 25 23 25 18 Z" fill="{_FIRE_INNER}" stroke="none"/>'
        f'<path d="M24.4 31 C26 34 28.4 35.4 28.4 38.6 C28.4 41.4 26.6 43 24 43 C21.4 43 19.6 41.4 19.6 38.6'
        f' C19.6 35.4 23 34.6 24.4 31 Z" fill="{_FIRE_CORE}" stroke="none"/>'
    ),
    "potion": (
        f'<path d="M19 10 V20 C11 23 7 28 7 34 C7 42 14 46 24 46 C34 46 41 42 41 34 C41 28 37 23 29 20 V10 Z"'
        f' fill="{_GLASS}"/>'
        '<path d="M9 31 C14 28 19 34 25 31 C31 28 35 30 39 31 C40.6 40 34 44.6 24 44.6 C14 44.6 7.6 40 9'
        ' 31 Z"'
        f' fill="{_LIQUID}" stroke="none"/>'
        f'<path d="M21.9 33.6 H26.1 V36.2 H28.8 V40 H26.1 V42.6 H21.9 V40 H19.2 V36.2 H21.9 Z"'
        f' fill="{_WHITE}" stroke="none"/>'
        '<path d="M19 10 V20 C11 23 7 28 7 34 C7 42 14 46 24 46 C34 46 41 42 41 34 C41 28 37 23 29 20 V10"'
        ' fill="none"/>'
        f'<path d="M16 6.6 H32 V11.4 H16 Z" fill="{_GLASS}"/><path d="M19 1.6 H29 V6.6 H19 Z"'
        f' fill="{_WOOD}"/>'
    ),
    "runemetal": (
        f'<path d="M24 4 V45" stroke-width="8"/><path d="M24 4 V45" stroke="{_WOOD}" stroke-width="4.4"/>'
        f'<path d="M24 11 C31 12 37 9 41 3 C48.4 12 48.4 26 41 35 C37 29 31 26 24 27'
        f' C17 26 11 29 7 35 C-0.4 26 -0.4 12 7 3 C11 9 17 12 24 11 Z" fill="{_RUNE_STEEL}"/>'
        f'<path d="M24 12 L30 19 L24 26 L18 19 Z" fill="{_WHITE}" stroke-width="1.6"/>'
    ),
    "scroll": (
        f'<path d="M11 6 H37 V42 H11 Z" fill="{_PARCHMENT}"/>'
        '<path d="M17 17.6 H31 M17 24 H31 M17 30.4 H26" stroke-width="2.6"/>'
        f'<rect x="5" y="3" width="38" height="8.6" rx="4.3" fill="{_PARCHMENT_SHADE}"/>'
        f'<rect x="5" y="36.4" width="38" height="8.6" rx="4.3" fill="{_PARCHMENT_SHADE}"/>'
    ),
    "dragonscale": (
        f'<path d="{_SCUTE}" transform="translate(24 29)" fill="{_GREEN_LIGHT}"/>'
        f'<path d="{_SCUTE}" transform="translate(13 14)" fill="{_GREEN}"/>'
        f'<path d="{_SCUTE}" transform="translate(35 14)" fill="{_GREEN}"/>'
        f'<path d="M13 6 V21 M35 6 V21 M24 31 V39" fill="none" stroke="{_GREEN_SHADE}" stroke-width="3"/>'
    ),
    "helm": (
        f'<path d="M12 27 H36 V45 H12 Z" fill="{_INK}"/>'
        '<path d="M6 45 V28 C6 17 13 11 24 11 C35 11 42 17 42 28 V45 H33.6 V32 H27.4 V39 L24 43 L20.6 39'
        ' V32 H14.4 V45 Z"'
        f' fill="{_GOLD}"/>'
        '<path d="M7.4 44 V28 C7.4 19.6 11.4 15 18 13 C13 18 12.4 22 12.4 27 V44 Z"'
        f' fill="{_GOLD_LIGHT}" stroke="none"/>'
        f'<path d="M7 28 C14 24.6 34 24.6 41 28 M24 12 V32" fill="none" stroke="{_GOLD_SHADE}"/>'
        f'<path d="M24 1.6 V6 M8 5 L11.6 9 M40 5 L36.4 9" stroke-width="3"/>'
    ),
    "deploy": (
        f'<path d="M12 4 V45" stroke-width="6"/><path d="M12 4 V44.6" stroke="{_PARCHMENT_SHADE}"'
        ' stroke-width="2.6"/>'
        '<path d="M13.5 6 C22 2 30 12 42 7 V27 C30 32 22 22 13.5 26 Z" fill="currentColor"/>'
    ),
    "assault": (
        '<g transform="rotate(45 24 24)">'
        '<path d="M20 33 V5 L24 -3 L28 5 V33 Z"'
        f' fill="{_STEEL}"/><path d="M24 2 V32" stroke="{_STEEL_SHADE}"/>'
        f'<path d="M24 34 V48" stroke-width="6.5"/><path d="M24 36 V46" stroke="{_LEATHER}"'
        ' stroke-width="3"/>'
        f'<path d="M14 34 H34" stroke-width="7.5"/><path d="M14 34 H34" stroke="{_GOLD}" stroke-width="4"/>'
        f'<circle cx="24" cy="49" r="3.4" fill="{_GOLD}"/></g>'
    ),
    "defense": (
        '<path d="M24 3 C30 7 36 8.6 42 8.6 C42 26 38 38 24 46 C10 38 6 26 6 8.6 C12 8.6 18 7 24 3 Z"'
        f' fill="{_GREEN_SHADE}"/>'
        '<path d="M24 8.4 C29 11.4 33 12.6 37.6 13 C37 26 33.6 34.6 24 40.8 Z"'
        f' fill="{_PARCHMENT}" stroke="none"/>'
        '<path d="M24 8.4 C19 11.4 15 12.6 10.4 13 C11 26 14.4 34.6 24 40.8 Z"'
        f' fill="{_GREEN_LIGHT}" stroke="none"/>'
        '<path d="M24 3 C30 7 36 8.6 42 8.6 C42 26 38 38 24 46 C10 38 6 26 6 8.6 C12 8.6 18 7 24 3 Z"'
        ' fill="none"/>'
    ),
    "power": (
        f'<path d="{_FIVE_POINT_STAR}" fill="{_PURPLE}"/>'
        f'<path d="{_FIVE_POINT_STAR}" transform="translate(24 25) scale(0.5) translate(-24 -25)"'
        f' fill="{_GOLD_LIGHT}" stroke="none"/>'
    ),
    "ruin": '<path d="M14 5 H34 L44 18 L24 45 L4 18 Z M4 18 H44 M14 5 L17 18 L24 45 L31 18 L34 5" fill="none"'
    ' stroke="currentColor" stroke-dasharray="4 3.4"/>',
    "fallen": (
        '<path d="M9 9 L39 39 M39 9 L9 39" stroke-width="13"/>'
        f'<path d="M9 9 L39 39 M39 9 L9 39" stroke="{_WHITE}" stroke-width="8"/>'
    ),
    "back": (
        '<rect x="8" y="2" width="32" height="44" rx="4" fill="currentColor"/>'
        '<rect x="12" y="6" width="24" height="36" rx="2"'
        f' fill="none" stroke="{_WHITE}" stroke-opacity="0.8"/>'
        f'<path d="M24 14 L32 24 L24 34 L16 24 Z" fill="{_WHITE}" fill-opacity="0.85" stroke="none"/>'
    ),
    "crown": (
        f'<path d="M6 38 L3 14 L15 23 L24 7 L33 23 L45 14 L42 38 Z" fill="{_GOLD}"/>'
        '<path d="M7 43 H41" stroke-width="4"/>'
    ),
}

ICONS = IconSet(
    "ha",
    48,
    _SHAPES,
    {"stroke": _INK, "stroke_width": 2, "stroke_linejoin": "round", "stroke_linecap": "round"},
)
