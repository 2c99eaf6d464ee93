"""What there is for Pommerman."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="pommerman",
    factory="tactician.games.pommerman.factory:pommerman",
    replayer="tactician.games.pommerman.conformance:PommermanReplayer",
    page="games/pommerman.md",
)
