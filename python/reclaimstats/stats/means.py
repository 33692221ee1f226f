"""A mean of scores."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.errors import ColumnError
from reclaimstats.estimates import mean as mean_cells
from reclaimstats.stats._result import Result, series

__all__ = ["MeanResult", "mean"]


@dataclass(frozen=True, slots=True)
class MeanResult(Result):
    """A mean with its interval; the fields are the columns of `reclaimstats.mean`."""

    n: int
    n_clusters: int | None
    n_missing: int
    estimate: float | None
    sd: float | None
    standard_error: float | None
    standard_error_clustered: float | None
    low: float | None
    high: float | None
    method: str
    confidence_level: float
    n_resamples: int | None
    seed: int | None
    low_error: float | None
    high_error: float | None
    reason: str | None


def mean(
    values: Any,
    *,
    cluster: Any = None,
    weighting: str = "trial",
    variance: str = "cr2",
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> MeanResult:
    """Mean of scores, with its spread and an interval.

    Args:
        values: Array of numbers, one a trial. Null and NaN are missing.
        cluster: Array of the same length with each trial's cluster, or nothing.
        weighting: As in `reclaimstats.mean`, and so are the other options.
        variance: Of the clusters.
        method: How the interval is made.
        confidence_level: Two-sided level of the interval.
        resampler: How a bootstrap distribution is found.
        n_resamples: Number of random resamples, where there are draws.
        seed: Seed of the draws.

    Returns:
        The result, with the meanings of `reclaimstats.mean`.

    Raises:
        ColumnError: A score is no number or infinite, or the arrays differ in length.
        DesignError: A cluster is null.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.mean([1] * 6 + [0] * 6, cluster=list("aaabbbcccddd"))
        >>> round(result.standard_error, 6), round(result.standard_error_clustered, 6)
        (0.150756, 0.288675)
    """
    options: dict[str, Any] = {
        "weighting": weighting,
        "variance": variance,
        "method": method,
        "confidence_level": confidence_level,
        "resampler": resampler,
        "n_resamples": n_resamples,
        "seed": seed,
    }
    columns = [series("score", values)]
    if cluster is not None:
        columns.append(series("cluster", cluster))
        if len(columns[0]) != len(columns[1]):
            raise ColumnError(
                f"values and cluster must have one length; got {len(columns[0])} "
                f"and {len(columns[1])}"
            )
    by_cluster = None if cluster is None else "cluster"
    table = mean_cells(pl.DataFrame(columns), "score", cluster=by_cluster, **options)
    return MeanResult(**table.row(0, named=True))
