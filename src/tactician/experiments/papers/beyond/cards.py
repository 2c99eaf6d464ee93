"""LOCM: evaluations of what is there now, looking at the reply, the competition bot."""

from __future__ import annotations

from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.papers.beyond.cells import AUTO, BATTLE, COUNTED, GAMES, OURS, battle, cell
from tactician.experiments.tuned import TunedMatchExperiment, TunedSide
from tactician.games.locm.records import BOARD_FEATURES
from tactician.tuning import Space

_LOCM_REPLY = "reply:planner=greedy-turn,answer={answer},guesses={guesses},evaluation={evaluation}"

LOCM = MatchExperiment(
    name="beyond-locm",
    title="The evaluation of the board and replies against permutation-OEP with the paper's heuristic, LOCM",
    paper=OURS,
    claim="Counting what is on the board now and looking at the reply both help.",
    presets=("paper",),
    cells=(
        battle("board", "permutation-oep:evaluation=board"),
        battle("board, all turns", "greedy-turn:evaluation=board"),
        battle("replies", _LOCM_REPLY.format(answer="greedy-turn", guesses=4, evaluation="paper")),
        *(
            battle(
                f"board and replies by {label}, {guesses} guess{'es' if guesses > 1 else ''}",
                _LOCM_REPLY.format(answer=answer, guesses=guesses, evaluation="board"),
            )
            for label, answer in (("Greedy Turn", "greedy-turn"), ("Greedy Action", "greedy-action"))
            for guesses in (1, 4)
        ),
        battle("auto, strongest evaluation", "auto:evaluation=strongest"),
        cell("200 ms, auto, strongest evaluation", "locm", "auto:evaluation=strongest", "permutation-oep", "200ms"),
    ),
    size=GAMES,
    seconds=0.5,
    note=COUNTED + " The draft is the same on both sides. Cells with 200 ms need an idle machine.",
)


def _bot(answer: str = "greedy-action", guesses: int = 4) -> str:
    return _LOCM_REPLY.format(answer=answer, guesses=guesses, evaluation="learned-network")


_WINNER_WEIGHTS = ";".join(
    f"{name}={weight}"
    for name, weight in {
        **dict.fromkeys(BOARD_FEATURES, 0),
        "health": 0.2,
        "card": 0.5,
        "creature": 2,
        "attack": 1,
        "defense": 0.5,
        "guard": 0.9,
        "ward_attack": 0.5,
        "lethal": 2,
    }.items()
)
"""The evaluation of the winner of 2019, as far as it is published, divided by ten: 20 for a creature, and so on. It
counts only cards that are still to be drawn; the `card` of ours counts those in hand as well."""
WINNER = f"reply:planner=greedy-turn,answer=greedy-turn,guesses=1,evaluation=board,weights={_WINNER_WEIGHTS}"
"""A stand-in for that bot, which searches its own and the enemy's turn and is not part of this package."""

_HAND_SET = "greedy-turn:evaluation=board"

_BOARD_SIDE, _LADDER = "weights of the board", "500evals"

BOARD = TunedMatchExperiment(
    name="beyond-board",
    title="Weights of the evaluation of the board, tuned against a ladder of our own bots, LOCM",
    paper=OURS,
    claim="The tuner finds weights that play better than those set by hand.",
    presets=("paper",),
    sides={
        _BOARD_SIDE: TunedSide(
            planner=_HAND_SET,
            game="locm",
            budget=_LADDER,
            opponents=(_HAND_SET, "greedy-turn:evaluation=learned", "permutation-oep"),
            space=Space(
                {
                    "weight.health": [0.3, 0.6, 1.0],
                    "weight.low_health": [0.4, 0.8, 1.6],
                    "weight.card": [1.0, 2.0, 3.0],
                    "weight.creature": [0.5, 1.0, 2.0],
                    "weight.attack": [0.8, 1.2, 1.8],
                    "weight.defense": [0.5, 0.8, 1.2],
                    "weight.guard": [0.4, 0.8, 1.6],
                    "weight.ward": [0.5, 1.5],
                    "weight.ward_attack": [0.5, 1.0],
                    "weight.lethal": [1.0, 1.5, 3.0],
                }
            ),
        )
    },
    evaluations=1000,
    games_each=6,
    cells=(
        cell("tuned weights against those set by hand", "locm", f"tuned:{_BOARD_SIDE}", _HAND_SET, _LADDER),
        cell("tuned weights against permutation-OEP", "locm", f"tuned:{_BOARD_SIDE}", "permutation-oep", _LADDER),
        cell("weights set by hand against permutation-OEP", "locm", _HAND_SET, "permutation-oep", _LADDER),
    ),
    size=GAMES,
    seconds=0.1,
    note=COUNTED + " All play Greedy Turn but the last. The draft is the same on both sides.",
)

_BOARD_CELLS = tuple(
    cell(
        label,
        "locm",
        planner,
        _LOCM_REPLY.format(answer="greedy-turn", guesses=4, evaluation="board"),
        BATTLE,
    )
    for label, planner in {
        "learned, replies by Greedy Turn, 4 guesses": _LOCM_REPLY.format(
            answer="greedy-turn", guesses=4, evaluation="learned"
        ),
        "learned, replies by Greedy Action, 4 guesses": _LOCM_REPLY.format(
            answer="greedy-action", guesses=4, evaluation="learned"
        ),
        "learned, auto": AUTO.format("learned"),
        "learned, replies by Greedy Turn, 1 guess": _LOCM_REPLY.format(
            answer="greedy-turn", guesses=1, evaluation="learned"
        ),
    }.items()
)
"""Settings that were compared before."""

BOT_GAME, BOT = "locm:guesses=ranked", _bot()
"""What the bot plays with."""


def _bot_cell(name: str, opponent: str, budget: str = BATTLE) -> Cell:
    return cell(f"the bot {name}", BOT_GAME, BOT, opponent, budget)


def _changed(name: str, planner: str, budget: str = BATTLE) -> Cell:
    return cell(f"the bot {name} against the bot", BOT_GAME, planner, BOT, budget)


BOTS = MatchExperiment(
    name="beyond-bot",
    title="Settings of the competition bot compared, and the bot against others, LOCM",
    paper=OURS,
    claim="The strongest of these settings is what `tactician bot locm` plays with.",
    presets=("paper",),
    cells=(
        _bot_cell(
            "against its settings before",
            _LOCM_REPLY.format(answer="greedy-action", guesses=4, evaluation="learned-bot"),
        ),
        _bot_cell(
            "against its settings with the first learned evaluation",
            _LOCM_REPLY.format(answer="greedy-action", guesses=4, evaluation="learned"),
        ),
        _bot_cell(
            "against its settings with the evaluation of the board",
            _LOCM_REPLY.format(answer="greedy-turn", guesses=4, evaluation="board"),
        ),
        _bot_cell("against its first settings: permutation-OEP", "permutation-oep"),
        _bot_cell("with 200 ms against permutation-OEP", "permutation-oep", "200ms"),
        _bot_cell("against Greedy Turn, board", "greedy-turn:evaluation=board"),
        _bot_cell("against EMCTS, board", "emcts:evaluation=board"),
        _bot_cell("against a stand-in for the winner of 2019", WINNER),
        _bot_cell("with 200 ms against a stand-in for the winner of 2019", WINNER, "200ms"),
        *_BOARD_CELLS,
        _changed("with one guess", _bot(guesses=1)),
        _changed("with 16 guesses", _bot(guesses=16)),
        _changed("with answers by Greedy Turn", _bot(answer="greedy-turn")),
        _changed("with twelve times the evaluations", f"{BOT},budget=60000evals"),
        _changed("that looks at its own next turn", f"{BOT},further=8", "30000evals"),
        _changed("that sees all cards", f"clairvoyant:planner=({BOT})"),
    ),
    size=GAMES,
    seconds=0.8,
    note=COUNTED + " The draft is the same on both sides. Rows without 'the bot' are against answers by Greedy Turn on "
    "four guesses with the evaluation of the board.",
)
