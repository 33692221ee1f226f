"""Judge-free scoring and honest statistics for evaluations of LLM memory."""

from importlib.metadata import version

from reclaimstats import errors, io, report, score, stats, studies, text
from reclaimstats.betting import evidence
from reclaimstats.comparison import compare
from reclaimstats.decision import Rule, decide
from reclaimstats.estimates import rate
from reclaimstats.margins import equivalence
from reclaimstats.planning import power
from reclaimstats.scorers import phantoms, sensitivity
from reclaimstats.studies.reclaim import simulate

__all__ = [
    "Rule",
    "compare",
    "decide",
    "equivalence",
    "errors",
    "evidence",
    "io",
    "phantoms",
    "power",
    "rate",
    "report",
    "score",
    "sensitivity",
    "simulate",
    "stats",
    "studies",
    "text",
]

__version__ = version("reclaimstats")
