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
    page="games/locm.md",
)
