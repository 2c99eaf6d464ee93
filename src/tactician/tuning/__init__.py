"""Finding good parameters with few noisy evaluations: NTBEA, for planners and for the weights of heuristics."""

from tactician.tuning.landscape import Estimate, Landscape, LandscapeTables
from tactician.tuning.matches import MatchEvaluator
from tactician.tuning.ntbea import NTBEA, Evaluator, Recommendation, Tuning
from tactician.tuning.space import Point, Space, parse_parameter, read_space

__all__ = [
    "NTBEA",
    "Estimate",
    "Evaluator",
    "Landscape",
    "LandscapeTables",
    "MatchEvaluator",
    "Point",
    "Recommendation",
    "Space",
    "Tuning",
    "parse_parameter",
    "read_space",
]
