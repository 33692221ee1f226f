"""Judge-free scoring and honest statistics for evaluations of LLM memory."""

import importlib
from typing import TYPE_CHECKING, Any

import reclaimstats._built  # before all that needs the core
from reclaimstats import errors, io, plots, report, score, stats, text
from reclaimstats.betting import evidence
from reclaimstats.comparison import compare
from reclaimstats.contrasts import difference_in_differences, gap_closure
from reclaimstats.decision import Rule, decide
from reclaimstats.detectors import detection, ranking
from reclaimstats.estimates import mean, rate
from reclaimstats.figures import audit
from reclaimstats.judging import wins
from reclaimstats.margins import equivalence
from reclaimstats.planning import power
from reclaimstats.raters import agreement, confusion
from reclaimstats.replicates import blast_radius, heterogeneity, repeats, variance_components
from reclaimstats.scored import compare_means, compare_means_unpaired, equivalence_means
from reclaimstats.scorers import phantoms, sensitivity
from reclaimstats.unpaired import compare_unpaired

if TYPE_CHECKING:
    from reclaimstats import studies
    from reclaimstats.studies.reclaim import simulate

__all__ = [
    "Rule",
    "agreement",
    "audit",
    "blast_radius",
    "compare",
    "compare_means",
    "compare_means_unpaired",
    "compare_unpaired",
    "confusion",
    "decide",
    "detection",
    "difference_in_differences",
    "equivalence",
    "equivalence_means",
    "errors",
    "evidence",
    "gap_closure",
    "heterogeneity",
    "io",
    "mean",
    "phantoms",
    "plots",
    "power",
    "ranking",
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
    "wins",
]

__version__ = reclaimstats._built.VERSION


def __getattr__(name: str) -> Any:
    # The study kits, which scoring and statistics do without, are a quarter of the package.
    if name == "studies":
        return importlib.import_module("reclaimstats.studies")
    if name == "simulate":
        return importlib.import_module("reclaimstats.studies.reclaim").simulate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
