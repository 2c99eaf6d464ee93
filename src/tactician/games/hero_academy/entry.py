"""The game entry of Hero Academy."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="hero-academy",
    factory="tactician.games.hero_academy.factory:hero_academy",
    replayer="tactician.games.hero_academy.conformance:HeroAcademyReplayer",
    benchmark="tactician.games.hero_academy.benchmarks:BENCHMARK",
    warm_up="tactician.games.hero_academy.warm_up:warm_up",
    choices={
        "map": ("a", "a-small", "a-tiny"),
        "deck": ("standard", "small", "tiny"),
        "draws": ("deterministic", "shuffled"),
        "information": ("open", "hidden"),
        "evaluation": ("default", "reference", "paper", "fitted", "learned", "strongest"),
        "rating": ("paper", "reference"),
        "swaps": ("paper", "reference"),
        "preset": ("paper", "reference"),
    },
    page="games/hero-academy.md",
)
