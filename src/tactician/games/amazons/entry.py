"""The game entries of Amazons: the same game as compiled records and as plain Python objects."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="amazons",
    factory="tactician.games.amazons.records:amazons",
    choices={"evaluation": ("default", "learned", "strongest")},
    page="games/amazons.md",
)

PLAIN = GameEntry(
    name="amazons-plain",
    factory="tactician.games.amazons.plain:plain_amazons",
    page="games/amazons.md",
)
