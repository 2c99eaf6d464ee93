"""Styled text for terminals, in rich's markup."""

from __future__ import annotations

from rich.markup import escape


def styled(text: str, style: str) -> str:
    """Return text in a style, with what would be read as markup escaped; blank text stays plain."""
    inner = escape(text)
    return f"[{style}]{inner}[/]" if style and text.strip() else inner
