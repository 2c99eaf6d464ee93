"""What there is for Hero Academy."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="hero-academy",
    factory="tactician.games.hero_academy.factory:hero_academy",
    replayer="tactician.games.hero_academy.conformance:HeroAcademyReplayer",
    page="games/hero-academy.md",
)
