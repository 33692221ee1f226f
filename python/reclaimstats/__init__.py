"""Judge-free scoring and honest statistics for evaluations of LLM memory."""

from importlib.metadata import version

from reclaimstats import errors, io, report, score, stats, studies, text
from reclaimstats.comparison import compare
from reclaimstats.contrasts import difference_in_differences, gap_closure
from reclaimstats.estimates import rate
from reclaimstats.scorers import phantoms, sensitivity
from reclaimstats.studies.reclaim import simulate
from reclaimstats.unpaired import compare_unpaired

__all__ = [
    "compare",
    "compare_unpaired",
    "difference_in_differences",
    "errors",
    "gap_closure",
    "io",
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
