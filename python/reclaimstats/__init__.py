"""Judge-free scoring and honest statistics for evaluations of LLM memory."""

from reclaimstats import _core, errors, io, plots, report, score, stats, studies, text
from reclaimstats.audit import audit
from reclaimstats.comparison import compare
from reclaimstats.estimates import rate
from reclaimstats.raters import agreement, confusion
from reclaimstats.scorers import phantoms, sensitivity
from reclaimstats.studies.reclaim import simulate

__all__ = [
    "agreement",
    "audit",
    "compare",
    "confusion",
    "errors",
    "io",
    "phantoms",
    "plots",
    "rate",
    "report",
    "score",
    "sensitivity",
    "simulate",
    "stats",
    "studies",
    "text",
]

__version__: str = _core.__version__
