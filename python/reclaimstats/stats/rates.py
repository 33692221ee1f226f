"""A rate of trials."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.estimates import rate as rate_cells
from reclaimstats.options import Plan, weighing
from reclaimstats.stats._result import Result, series

__all__ = ["RateResult", "rate"]


@dataclass(frozen=True, slots=True)
class RateResult(Result):
    """A rate with its interval; the fields are the columns of `reclaimstats.rate`."""

    n: int
    n_clusters: int | None
    n_missing: int
    estimate: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    method: str
    confidence_level: float
    n_resamples: int | None
    seed: int | None
    low_error: float | None
    high_error: float | None
    reason: str | None


def rate(
    outcomes: Any,
    *,
    cluster: Any = None,
    weighting: str = "trial",
    variance: str = "cr2",
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> RateResult:
    """Share of outcomes that are 1, with an interval that covers.

    Args:
        outcomes: Array of 0 and 1 or Booleans, one a trial: a list, NumPy array, Polars Series
            or Arrow array. Null and NaN are missing.
        cluster: Array of the same length with each trial's cluster, or nothing.
        weighting: As in `reclaimstats.rate`, and so are the other options.
        variance: Of the clusters.
        method: How the interval is made.
        confidence_level: Two-sided level of the interval, one-sided of the bounds.
        resampler: How a bootstrap distribution is found.
        n_resamples: Number of random resamples, where there are draws.
        seed: Seed of the draws.

    Returns:
        The result, with the meanings of `reclaimstats.rate`.

    Raises:
        ColumnError: An outcome is not 0 or 1, or the arrays differ in length.
        DesignError: A cluster is null, or the replay was combined with clusters.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.rate([1] * 37 + [0] * 59)
        >>> round(result.low, 4), round(result.high, 4), result.method
        (0.2943, 0.4854, 'wilson')
    """
    options: dict[str, Any] = {
        "method": method,
        "confidence_level": confidence_level,
        "resampler": resampler,
        "n_resamples": n_resamples,
        "seed": seed,
    }
    values = series("outcome", outcomes)
    if cluster is None:
        weighing(weighting, variance, method, [], of=["t"])
        return _rate_of_trials(
            values, Plan.checked(**options, methods=_core.RATE_METHODS, cluster=[])
        )
    groups = series("cluster", cluster)
    if len(groups) != len(values):
        raise ColumnError(
            f"outcomes and cluster must have one length; got {len(values)} and {len(groups)}"
        )
    options |= {"weighting": weighting, "variance": variance}
    table = rate_cells(pl.DataFrame([values, groups]), "outcome", cluster="cluster", **options)
    return RateResult(**table.row(0, named=True))


def _rate_of_trials(values: pl.Series, plan: Plan) -> RateResult:
    """Count in one pass, without the cost of a query."""
    if not (values.dtype.is_numeric() or values.dtype in (pl.Boolean, pl.Null)):
        raise ColumnError(f"outcomes must be Booleans or numbers 0 and 1; they are {values.dtype}")
    if values.dtype == pl.Boolean:
        observed, successes, n_missing = values.count(), values.sum(), values.null_count()
    else:
        observed, successes, n_missing, invalid = _core.tally(values.cast(pl.Float64))
        if invalid:
            raise ColumnError(f"outcomes hold {invalid} values other than 0 and 1 (or null or NaN)")
    trials, hits = (pl.Series([count], dtype=pl.UInt64) for count in (observed, successes))
    if plan.resampler == "cpython":
        in_order = values.cast(pl.Float64).drop_nulls().drop_nans().cast(pl.Int8)
        result = _core.rate_sequences(trials, in_order, plan)
    else:
        result = _core.rate_trials(trials, hits, plan)
    row = pl.DataFrame(result).row(0, named=True)
    return RateResult(**row, n_missing=n_missing)
