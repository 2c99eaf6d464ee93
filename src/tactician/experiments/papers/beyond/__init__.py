"""Beyond the papers: planners that look at the reply, evaluations of what is there now, models of the opponents.

Nobody has printed these figures, so there is nothing to compare them with. Both sides of a match have the same budget,
and answers are paid from it.
"""

from tactician.experiments.papers.beyond.auto import AUTO_FIELD
from tactician.experiments.papers.beyond.cards import BOARD, BOTS, LOCM
from tactician.experiments.papers.beyond.simultaneous import MODELS, ROYALE
from tactician.experiments.papers.beyond.trades import TRADES
from tactician.experiments.papers.beyond.tuned import TUNED, TUNED_MODELS, TUNED_ROYALE
from tactician.experiments.papers.beyond.turns import AMAZONS, EVALUATIONS, OUTCOMES, REPLIES, TURNS, WORK

__all__ = ["EXPERIMENTS", "TUNED", "TUNED_MODELS", "TUNED_ROYALE"]

EXPERIMENTS = (
    *(AUTO_FIELD, REPLIES, LOCM, AMAZONS, EVALUATIONS, TURNS, WORK, TUNED, TUNED_MODELS, TUNED_ROYALE),
    *(BOARD, OUTCOMES, MODELS, ROYALE, BOTS, TRADES),
)
