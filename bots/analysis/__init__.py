"""The teacher: what a finished game says about the decisions of its players. Pure as `bots`.

`analyse` judges one decision after the other, `summarise` what they come to for each seat. What the
analysis asks of a game is an `Analyst`; each game on offer brings its own (`Offer.analyst`).
"""

from cartulary.bots.analysis.base import Analyst, NoAnalysis, find_analyst
from cartulary.bots.analysis.decisions import MARKS, DecisionAnalysis
from cartulary.bots.analysis.futures import describe_moment
from cartulary.bots.analysis.moments import choose_moments
from cartulary.bots.analysis.summary import describe, summarise
from cartulary.bots.analysis.walking import LEVELS, analyse, count_versions

__all__ = [
    "LEVELS",
    "MARKS",
    "Analyst",
    "DecisionAnalysis",
    "NoAnalysis",
    "analyse",
    "choose_moments",
    "count_versions",
    "describe",
    "describe_moment",
    "find_analyst",
    "summarise",
]
