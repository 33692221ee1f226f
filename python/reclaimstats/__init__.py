"""Judge-free scoring and honest statistics for evaluations of LLM memory."""

from importlib.metadata import version

from reclaimstats import errors, io, report, score, stats, studies, text
from reclaimstats.comparison import compare
from reclaimstats.estimates import mean, rate
from reclaimstats.scorers import phantoms, sensitivity
from reclaimstats.studies.reclaim import simulate

__all__ = [
    "compare",
    "errors",
    "io",
    "mean",
    "phantoms",
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
