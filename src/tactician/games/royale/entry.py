"""The game entry of Royale."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="royale",
    factory="tactician.games.royale.factory:royale",
    replayer="tactician.games.royale.conformance:RoyaleReplayer",
    agents={"royale-script": "tactician.games.royale.agents:ScriptPlayer"},
    benchmark="tactician.games.royale.benchmarks:BENCHMARK",
    warm_up="tactician.games.royale.warm_up:warm_up",
    training={
        "teacher": "fdts:depth=50",
        "budget": "4its/action",
        "battles": 300,
        "batch": 64,
        "learning_rate": 3e-4,
        "hidden": 128,
        "sample": False,
        "opponent": "royale-script",
    },
    choices={"cards": (), "information": ("hidden", "open")},
    page="games/royale.md",
)
