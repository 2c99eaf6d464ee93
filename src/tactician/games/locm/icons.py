"""The icons of the pictures of Legends of Code and Magic: abilities, figures and effects on a grid of 48 × 48."""

from __future__ import annotations

from tactician.drawing.svg import IconSet

_INK = "#1c2430"
_WHITE, _BONE = "#ffffff", "#f4efe2"
_STEEL, _STEEL_SHADE = "#dfe6ee", "#94a5b8"
_GOLD, _GOLD_LIGHT = "#f4c142", "#ffe8a3"
_BLOOD, _BLOOD_LIGHT = "#d42b44", "#ff8b96"
_FIRE, _VENOM = "#f0722c", "#7fb83a"
_SKY, _SKY_LIGHT = "#3f97e0", "#c2e4ff"
_LEATHER = "#7d4d26"

_SHIELD = "M24 3 C31 8 37 9.4 42 9.4 C42 27 38 38 24 45.6 C10 38 6 27 6 9.4 C11 9.4 17 8 24 3 Z"
_HEART = (
    "M24 43 C12 33 4 25.6 4 16.4 C4 9.6 9 5.4 14.4 5.4 C18.6 5.4 22 8 24 12"
    " C26 8 29.4 5.4 33.6 5.4 C39 5.4 44 9.6 44 16.4 C44 25.6 36 33 24 43 Z"
)
_GEM = "M24 2.6 L42 13.4 V34.6 L24 45.4 L6 34.6 V13.4 Z"

_SHAPES = {
    "breakthrough": (
        f'<path d="M20 3 H28 V18 H20 Z M20 30 H28 V45 H20 Z" fill="{_STEEL_SHADE}"/>'
        f'<path d="M3 19.6 H29 V11.4 L45.4 24 L29 36.6 V28.4 H3 Z" fill="{_FIRE}"/>'
    ),
    "charge": f'<path d="M29 2.6 L8 27 H21.6 L17 45.4 L40 19.4 H25.6 Z" fill="{_GOLD}"/>',
    "drain": (
        f'<path d="M24 3 C30 14 38.6 22 38.6 31 C38.6 39.4 32.4 45 24 45 C15.6 45 9.4 39.4 9.4 31 C9.4 22 18 14 24 3 Z"'
        f' fill="{_BLOOD}"/>'
        f'<path d="M16 29 C15.4 34.4 18.4 38.4 22.6 39.6" fill="none" stroke="{_BLOOD_LIGHT}" stroke-width="4"/>'
    ),
    "guard": (
        f'<path d="{_SHIELD}" fill="{_STEEL}"/>'
        f'<path d="M24 9 C28.6 12 33 13.4 37 14 C36.6 26.6 33.4 34 24 39.8 Z" fill="{_SKY}" stroke="none"/>'
        f'<path d="M24 9 C19.4 12 15 13.4 11 14 C11.4 26.6 14.6 34 24 39.8 Z" fill="{_SKY_LIGHT}" stroke="none"/>'
    ),
    "lethal": (
        '<path d="M24 4 C35 4 42.6 11.4 42.6 21.6 C42.6 27.6 40 31.6 36 34.4 V42 L31.6 45 H16.4 L12 42 V34.4'
        f' C8 31.6 5.4 27.6 5.4 21.6 C5.4 11.4 13 4 24 4 Z" fill="{_BONE}"/>'
        f'<circle cx="15.8" cy="22.6" r="5.2" fill="{_VENOM}"/><circle cx="32.2" cy="22.6" r="5.2" fill="{_VENOM}"/>'
        f'<path d="M24 28 L21 34 H27 Z" fill="{_INK}" stroke="none"/><path d="M19.6 39 V44 M24 39 V44 M28.4 39 V44"/>'
    ),
    "ward": (
        f'<circle cx="24" cy="24" r="20.4" fill="{_SKY_LIGHT}"/>'
        f'<circle cx="24" cy="24" r="14.6" fill="none" stroke="{_SKY}" stroke-width="3.4"/>'
        f'<path d="M24 12 L26.8 21.2 L36 24 L26.8 26.8 L24 36 L21.2 26.8 L12 24 L21.2 21.2 Z" fill="{_WHITE}"'
        ' stroke-width="1.8"/>'
    ),
    "attack": (
        f'<path d="M43.4 4.6 L42 16 L22 36 L12 26 L32 6 Z" fill="{_STEEL}"/>'
        f'<path d="M43.4 4.6 L17 31" fill="none" stroke="{_STEEL_SHADE}"/>'
        f'<path d="M8.6 22 L26 39.4" stroke-width="7"/><path d="M8.6 22 L26 39.4" stroke="{_GOLD}" stroke-width="3"/>'
        f'<path d="M14 34 L6 42" stroke-width="8.6"/><path d="M14 34 L6 42" stroke="{_LEATHER}" stroke-width="4"/>'
    ),
    "defense": (
        f'<path d="{_SHIELD}" fill="{_STEEL}"/><path d="M24 10 V38 M11.6 21 H36.4" fill="none" stroke="{_STEEL_SHADE}"'
        ' stroke-width="5" stroke-linecap="butt"/>'
    ),
    "heart": (
        f'<path d="{_HEART}" fill="{_BLOOD}"/>'
        f'<path d="M10.4 17.4 C10.4 13.6 12.6 11.4 15.4 11.2" fill="none" stroke="{_BLOOD_LIGHT}" stroke-width="4"/>'
    ),
    "wound": (
        f'<path d="{_HEART}" fill="#6b7280"/>'
        f'<path d="M26 10 L19 20 L28 25 L20 36" fill="none" stroke="{_WHITE}" stroke-width="4.4"/>'
    ),
    "draw": (
        f'<rect x="18" y="5" width="25" height="34" rx="4" fill="{_STEEL_SHADE}"/>'
        f'<rect x="6" y="9" width="25" height="34" rx="4" fill="{_BONE}"/>'
        f'<path d="M18.5 18 V34 M10.5 26 H26.5" stroke="{_SKY}" stroke-width="5"/>'
    ),
    "area": (
        f'<circle cx="24" cy="24" r="6.4" fill="{_FIRE}"/>'
        f'<path d="M24 3 V12 M24 36 V45 M3 24 H12 M36 24 H45 M9.2 9.2 L15.4 15.4 M32.6 32.6 L38.8 38.8'
        f' M9.2 38.8 L15.4 32.6 M32.6 15.4 L38.8 9.2" stroke-width="4.4"/>'
    ),
    "mana": (
        f'<path d="{_GEM}" fill="{_SKY}"/><path d="M24 2.6 L33 17 H15 Z" fill="{_SKY_LIGHT}" stroke="none"/>'
        f'<path d="M15 17 H33 L24 45.4 Z" fill="#2b78bd" stroke="none"/>'
        f'<path d="{_GEM} M6 13.4 L15 17 L24 45.4 L33 17 L42 13.4 M15 17 L24 2.6 L33 17 Z" fill="none"'
        ' stroke-width="1.8"/>'
    ),
    "spent": f'<path d="{_GEM}" fill="#ffffff" fill-opacity="0.25" stroke="#8b98a8" stroke-dasharray="5 4"/>',
    "gem": (
        f'<path d="{_GEM}" fill="#2d7fc9"/><path d="M24 2.6 L42 13.4 L24 24 L6 13.4 Z" fill="#6bb4ee" stroke="none"/>'
        f'<path d="M42 13.4 V34.6 L24 45.4 V24 Z" fill="#2367a8" stroke="none"/><path d="{_GEM}" fill="none"/>'
    ),
    "rune": (
        f'<path d="M24 2.6 L40 24 L24 45.4 L8 24 Z" fill="#8a5bd6"/>'
        f'<path d="M24 2.6 L40 24 H8 Z" fill="#b795ef" stroke="none"/>'
        f'<path d="M20 15 V33 M20 17 L29 22 L20 27" fill="none" stroke="{_WHITE}" stroke-width="3.4"/>'
        f'<path d="M24 2.6 L40 24 L24 45.4 L8 24 Z" fill="none"/>'
    ),
    "gone": '<path d="M24 2.6 L40 24 L24 45.4 L8 24 Z" fill="none" stroke="#8b98a8" stroke-dasharray="5 4"/>',
    "deck": (
        f'<rect x="13" y="9" width="29" height="37" rx="4" fill="{_STEEL_SHADE}"/>'
        f'<rect x="9.5" y="5.6" width="29" height="37" rx="4" fill="{_STEEL}"/>'
        f'<rect x="6" y="2.2" width="29" height="37" rx="4" fill="currentColor"/>'
        f'<path d="M20.5 11 L28 20.7 L20.5 30.4 L13 20.7 Z" fill="{_WHITE}" fill-opacity="0.85" stroke="none"/>'
    ),
    "crown": (
        f'<path d="M6 38 L3 14 L15 23 L24 7 L33 23 L45 14 L42 38 Z" fill="{_GOLD}"/>'
        f'<path d="M8 43 H40" stroke-width="4.4"/><circle cx="24" cy="30" r="3.4" fill="{_BLOOD}"/>'
    ),
    "green": (
        '<path d="M24 4 C38 10 43 24 36 40 C33 44 28 45 24 45 C20 45 15 44 12 40 C5 24 10 10 24 4 Z" fill="#5fc46e"/>'
        '<path d="M24 44 V16 M24 24 L32 17 M24 32 L35 24 M24 24 L16 17 M24 32 L13 24" fill="none" stroke="#e6ffe2"'
        ' stroke-width="3"/>'
    ),
    "red": (
        '<path d="M25 2 C27 11 40 17 40 30.6 C40 40.4 33 46 24 46 C15 46 8 40.4 8 30.6 C8 23 13 19 15 12.6'
        f' C18 15.6 19.4 18 19.4 21.4 C23 17 25 10 25 2 Z" fill="{_FIRE}"/>'
        '<path d="M25 20 C27 26 33 28.4 33 35 C33 40.4 29 43.4 24 43.4 C19 43.4 15 40.4 15 35 C15 31 17 29 18.4 26'
        f' C20.4 27.6 21 29 21.4 31 C23.6 28 25 24.6 25 20 Z" fill="{_GOLD_LIGHT}" stroke="none"/>'
    ),
    "blue": (
        f'<circle cx="24" cy="24" r="20.6" fill="#2b63b8"/>'
        f'<path d="M24 8 C33 8 40 15 40 24 C40 33 33 39 26 39 C19 39 14.6 34 14.6 28.4 C14.6 23 18.6 19.4 23.4 19.4'
        f' C27.6 19.4 30.6 22.4 30.6 26 C30.6 29 28.4 31 26 31" fill="none" stroke="{_SKY_LIGHT}" stroke-width="4"/>'
    ),
}

ICONS = IconSet(
    "locm",
    48,
    _SHAPES,
    {"stroke": _INK, "stroke_width": 2.4, "stroke_linejoin": "round", "stroke_linecap": "round"},
)
