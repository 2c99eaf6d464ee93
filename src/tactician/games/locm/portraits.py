"""Draw a face for every creature, with head, horns, eyes and jaws chosen by its card number."""

from __future__ import annotations

import colorsys


def portrait(number: int) -> str:
    """Return a creature's face on a grid of 64 × 48; a card number always gives the same face."""
    parts = number * 7 + number // 16
    hue = (number * 0.381966) % 1.0
    skin, shade, light = _colour(hue, 0.52, 0.5), _colour(hue, 0.34, 0.5), _colour(hue, 0.72, 0.6)
    horn = _HORN_COLOURS[number % len(_HORN_COLOURS)]
    top = _TOPS[parts % len(_TOPS)].format(horn=horn, skin=skin, shade=shade)
    head = _HEADS[(parts // 3) % len(_HEADS)]
    eyes = _EYES[(parts // 5 + number) % len(_EYES)].format(light=light)
    jaw = _JAWS[(number // 2 + parts // 11) % len(_JAWS)].format(shade=shade)
    return (
        f'<g stroke="{_INK}" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round">{top}'
        f'<path d="{head}" fill="{skin}"/>'
        f'<path d="M18 34 C22 44 42 44 46 34 C44 44 38 46.6 32 46.6 C26 46.6 20 44 18 34 Z" fill="{shade}"'
        f' stroke="none" opacity="0.6"/>{eyes}{jaw}</g>'
    )


_INK = "#1c2430"
_HORN_COLOURS = ("#f4efe2", "#e0c47a", "#9aa7b5", "#c98f5b")

_HEADS = (
    "M32 8 C44 8 50 17 49 28 C48 40 41 46.6 32 46.6 C23 46.6 16 40 15 28 C14 17 20 8 32 8 Z",
    "M18 12 C26 7 38 7 46 12 C51 22 48 32 43 38 L36 46 H28 L21 38 C16 32 13 22 18 12 Z",
    "M16 20 C16 12 24 9 32 9 C40 9 48 12 48 20 L46 40 C42 45.6 38 46.6 32 46.6 C26 46.6 22 45.6 18 40 Z",
    "M32 7 L46 16 C50 26 48 36 40 44 C36 47 28 47 24 44 C16 36 14 26 18 16 Z",
)
_TOPS = (
    '<path d="M20 17 C12 15 8 9 9 2 C15 5 22 7 27 11 Z M44 17 C52 15 56 9 55 2 C49 5 42 7 37 11 Z" fill="{horn}"/>',
    '<path d="M19 20 C10 18 6 11 5 5 C14 5 22 8 27 13 Z M45 20 C54 18 58 11 59 5 C50 5 42 8 37 13 Z" fill="{skin}"/>'
    '<path d="M17 16 C13 14 11 11 10 8.4 C15 9 18 10.6 21 13 Z M47 16 C51 14 53 11 54 8.4 C49 9 46 10.6 43 13 Z"'
    ' fill="{shade}" stroke="none"/>',
    '<path d="M21 15 L19 3 L27 10 L32 1 L37 10 L45 3 L43 15 Z" fill="{shade}"/>',
    '<path d="M25 14 C23 8 18 6 15 6 M39 14 C41 8 46 6 49 6" fill="none" stroke-width="3"/>'
    '<circle cx="14" cy="6" r="3.4" fill="{horn}"/><circle cx="50" cy="6" r="3.4" fill="{horn}"/>',
    '<path d="M27 12 C25 6 28 2 33 0.6 C33 5 36 8 37 12 Z" fill="{horn}"/>'
    '<path d="M16 26 L7 20 L10 30 L6 36 L17 34 Z M48 26 L57 20 L54 30 L58 36 L47 34 Z" fill="{shade}"/>',
)
_EYES = (
    '<circle cx="25" cy="25" r="4.6" fill="#fff"/><circle cx="39" cy="25" r="4.6" fill="#fff"/>'
    '<circle cx="26" cy="25.6" r="1.8" fill="#1c2430"/><circle cx="38" cy="25.6" r="1.8" fill="#1c2430"/>',
    '<path d="M19 21 L29 26 C26 29.6 20.6 28.6 19 21 Z M45 21 L35 26 C38 29.6 43.4 28.6 45 21 Z" fill="#ffe680"/>',
    '<circle cx="32" cy="23" r="7.4" fill="#fff"/><circle cx="32" cy="23.6" r="3.4" fill="{light}"/>'
    '<circle cx="32" cy="23.6" r="1.2" fill="#1c2430"/>',
    '<path d="M20 25 C22 20 28 20 30 25 C28 29 22 29 20 25 Z M34 25 C36 20 42 20 44 25 C42 29 36 29 34 25 Z"'
    ' fill="{light}"/><path d="M25 21.8 V28 M39 21.8 V28" stroke-width="2.6"/>',
    '<circle cx="24" cy="27" r="3.4" fill="#ff9f80"/><circle cx="40" cy="27" r="3.4" fill="#ff9f80"/>'
    '<circle cx="32" cy="19" r="3.8" fill="#ffd9a0"/><circle cx="32" cy="19" r="1.3" fill="#1c2430"/>',
)
_JAWS = (
    '<path d="M22 36 C28 39.6 36 39.6 42 36" fill="none"/>'
    '<path d="M25 37 L27 42 L29.4 38.4 Z M39 37 L37 42 L34.6 38.4 Z"'
    ' fill="#fff" stroke-width="1.3"/>',
    '<path d="M23 34.6 H41 L38 41 H26 Z" fill="#3a1620"/>'
    '<path d="M26 34.6 L28 38 L30 34.6 Z M34 34.6 L36 38 L38 34.6 Z"'
    ' fill="#fff" stroke-width="1"/>',
    '<path d="M27 31 L32 29.6 L37 31 L32 42 Z" fill="#e8b04a"/><path d="M28.6 34 H35.4" fill="none"/>',
    '<path d="M25 38 C29 35.4 35 35.4 39 38" fill="none"/>'
    '<path d="M25 37.6 L23 30.6 L28 36.6 Z M39 37.6 L41 30.6 L36 36.6 Z"'
    ' fill="#fff" stroke-width="1.3"/>',
    '<path d="M24 35 L28 38 L32 35 L36 38 L40 35" fill="none" stroke-width="2.4"/>',
)


def _colour(hue: float, lightness: float, saturation: float) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
