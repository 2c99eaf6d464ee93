"""The game entry of Legends of Code and Magic."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="locm",
    factory="tactician.games.locm.factory:locm",
    replayer="tactician.games.locm.conformance:LocmReplayer",
    agents={
        "locm-baseline1": "tactician.games.locm.agents:Baseline1",
        "locm-baseline2": "tactician.games.locm.agents:Baseline2",
    },
    external="tactician.games.locm.external:ExternalLocmBot",
    preparation="tactician.games.locm.draft_board:LocmDraft",
    benchmark="tactician.games.locm.benchmarks:BENCHMARK",
    choices={
        "version": ("1.0", "1.2", "1.5"),
        "draft": (
            *("coac", "uji2", "combined", "uji1", "random", "mana-curve", "closet", "closet-ported", "icebox"),
            *("max-attack", "baseline1", "learned", "value"),
        ),
        "decks": ("draft", "paper"),
        "cards": (),
        "information": ("hidden", "open"),
        "evaluation": ("paper", "relative", "board", "learned", "learned-bot", "learned-network", "strongest"),
        "card_value": ("stats", "rank"),
        "guesses": ("uniform", "ranked"),
    },
    page="games/locm.md",
)
