"""What there is for Legends of Code and Magic."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="locm",
    factory="tactician.games.locm.factory:locm",
    replayer="tactician.games.locm.conformance:LocmReplayer",
    page="games/locm.md",
)
