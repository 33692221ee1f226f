"""Judge-free scoring and honest statistics for evaluations of LLM memory."""

from importlib.metadata import version

from reclaimstats import errors, io, report, score, stats, studies, text
from reclaimstats.comparison import compare
from reclaimstats.detectors import detection, ranking
from reclaimstats.estimates import rate
from reclaimstats.judging import wins
from reclaimstats.raters import agreement, confusion
from reclaimstats.scorers import phantoms, sensitivity
from reclaimstats.studies.reclaim import simulate

__all__ = [
    "agreement",
    "compare",
    "confusion",
    "detection",
    "errors",
    "io",
    "phantoms",
    "ranking",
    "rate",
    "report",
    "score",
    "sensitivity",
    "simulate",
    "stats",
    "studies",
    "text",
    "wins",
]

__version__ = version("reclaimstats")
