"""Judge-free scoring and honest statistics for evaluations of LLM memory."""

from importlib.metadata import version

from reclaimstats import errors, io, report, score, stats, studies, text
from reclaimstats.comparison import compare
from reclaimstats.estimates import rate
from reclaimstats.figures import audit
from reclaimstats.replicates import blast_radius, heterogeneity, repeats, variance_components
from reclaimstats.scorers import phantoms, sensitivity
from reclaimstats.studies.reclaim import simulate

__all__ = [
    "audit",
    "blast_radius",
    "compare",
    "errors",
    "heterogeneity",
    "io",
    "phantoms",
    "rate",
    "repeats",
    "report",
    "score",
    "sensitivity",
    "simulate",
    "stats",
    "studies",
    "text",
    "variance_components",
]

__version__ = version("reclaimstats")
