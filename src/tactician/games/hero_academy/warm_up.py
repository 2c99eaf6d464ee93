"""What is compiled of Hero Academy besides the rules with open hands."""

from __future__ import annotations

from tactician.games.hero_academy.factory import hero_academy


def warm_up() -> None:
    """Compile the rules with hidden hands, which have two functions more."""
    _ = hero_academy(information="hidden").table
