"""The game entry of Hero Academy."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="hero-academy",
    factory="tactician.games.hero_academy.factory:hero_academy",
    replayer="tactician.games.hero_academy.conformance:HeroAcademyReplayer",
    benchmark="tactician.games.hero_academy.benchmarks:BENCHMARK",
    warm_up="tactician.games.hero_academy.warm_up:warm_up",
    page="games/hero-academy.md",
)
