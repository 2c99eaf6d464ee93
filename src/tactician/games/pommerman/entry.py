"""The game entry of Pommerman."""

from tactician.contract.entry import GameEntry

ENTRY = GameEntry(
    name="pommerman",
    factory="tactician.games.pommerman.factory:pommerman",
    replayer="tactician.games.pommerman.conformance:PommermanReplayer",
    agents={"rule-based": "tactician.games.pommerman.agents:RuleBasedPlayer"},
    foreign_agents="tactician.games.pommerman.foreign:in_seat",
    benchmark="tactician.games.pommerman.benchmarks:BENCHMARK",
    warm_up="tactician.games.pommerman.warm_up:warm_up",
    follower="tactician.games.pommerman.agents:FOLLOWER",
    training={
        "teacher": "fdts",
        "budget": "100its",
        "opponent": "rule-based",
        "stall": 10,
        "quiet": 40,
        "lively": (5,),
    },
    choices={
        "rules": ("official", "paper"),
        "variant": ("ffa", "team", "team-full", "radio"),
        "identity": ("exact", "reference-items", "reference"),
        "information": ("hidden", "open"),
        "mask": ("released", "text", "none"),
    },
    page="games/pommerman.md",
)
