"""Equivalence of numeric paired differences."""

import math
import sys
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.margins import Claim
from reclaimstats.options import number
from reclaimstats.stats._result import Result, keys, series

__all__ = ["TostResult", "tost"]


@dataclass(frozen=True, slots=True)
class TostResult(Result):
    """Two one-sided tests of a mean difference.

    Attributes:
        n: Differences observed.
        n_clusters: Number of clusters; null without any.
        n_missing: Differences that are null or NaN.
        estimate: Mean difference.
        low: Lower limit at level 1 - 2 alpha.
        high: Upper limit at that level.
        standard_error: Of the mean, cluster-robust with clusters; 0 where all units agree.
        degrees: Degrees of freedom of Student's t.
        pvalue: The larger of both tests' p-values; 0.0 where it is below the smallest double.
        log_pvalue: Its natural logarithm, finite at any depth.
        log_pvalue_low: That of the test against the lower margin (for superiority, against the
            margin).
        log_pvalue_high: That of the test against the upper margin; null for claims of one side.
        margin_low: Lower margin.
        margin_high: Upper margin.
        alternative: What is claimed.
        alpha: Level of each test.
        verdict: "PASS", "FAIL" or "INCONCLUSIVE".
        method: "t", "t-clustered", "constant-exact" or "none".
        confidence_level: 1 - 2 alpha.
        reason: Why there is no interval.
    """

    n: int
    n_clusters: int | None
    n_missing: int
    estimate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    degrees: float | None
    pvalue: float | None
    log_pvalue: float | None
    log_pvalue_low: float | None
    log_pvalue_high: float | None
    margin_low: float
    margin_high: float
    alternative: str
    alpha: float
    verdict: str
    method: str
    confidence_level: float
    reason: str | None


def tost(
    differences: Any,
    *,
    margin: float | tuple[float, float],
    alternative: str = "equivalence",
    alpha: float = 0.05,
    cluster: Any = None,
    bounds: tuple[float, float] | None = None,
) -> TostResult:
    """Two one-sided t tests of the mean of paired differences against a margin.

    With `cluster`, the standard error is cluster-robust (CR2) and the degrees of freedom are
    those of equal clusters, one less than their number. Where all differences (with `cluster`,
    all clusters' means) are the same to within a relative 1e-12, there is no spread to test
    with. Then `bounds` gives an exact answer: were a share above 1 - alpha^(1/k) of units
    different, k equal ones had a chance below alpha, and a share up to that lies no farther
    off than a bound. Without `bounds` the verdict is INCONCLUSIVE, with a reason.

    Args:
        differences: Array of numbers, treatment minus baseline, one a pair. Null and NaN are
            missing.
        margin: Largest mean difference that does not matter, above 0, in the unit of the
            differences; for equivalence also a lower and an upper one; for claims of one side
            also 0.
        alternative: "equivalence", "non-inferiority" or "superiority", as in
            `reclaimstats.equivalence`.
        alpha: Level of each one-sided test, above 0 and below 0.5.
        cluster: Array of the same length with each pair's cluster, or nothing.
        bounds: Least and largest difference that is possible at all, such as (-10, 10) for
            scores from 0 to 10. The margins lie inside.

    Returns:
        The result; `verdict` is never null.

    Raises:
        ColumnError: A difference is infinite or outside `bounds`, the differences are no
            numbers, or the arrays differ in length.
        DesignError: A cluster is null.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.tost([0.1, -0.2, 0.0, 0.3, -0.1, 0.1, 0.0, -0.1], margin=0.25)
        >>> result.verdict, round(result.pvalue, 4)
        ('PASS', 0.0017)
        >>> rs.stats.tost([0] * 30, margin=0.25).verdict
        'INCONCLUSIVE'
        >>> rs.stats.tost([0] * 30, margin=0.25, bounds=(-1, 1)).verdict
        'PASS'

    References:
        Schuirmann (1987), doi:10.1007/BF01068419. Variance: Bell and McCaffrey (2002), Survey
        Methodology 28, 169-181.
    """
    possible = _possible(bounds)
    claim = Claim.checked(
        margin=margin,
        alternative=alternative,
        alpha=alpha,
        bounds=possible or (-math.inf, math.inf),
    )
    values = _observed(series("differences", differences), possible)
    n_missing = values.null_count()
    if cluster is None:
        row = _core.tost(values.drop_nulls(), None, claim, possible)
    else:
        groups = keys("cluster", cluster)
        if len(groups) != len(values):
            raise ColumnError(
                f"differences and cluster must have one length; got {len(values)} and {len(groups)}"
            )
        if n_null := groups.null_count():
            raise DesignError(
                f"cluster is null or NaN in {n_null} pairs; fill it in or filter those pairs out"
            )
        pairs = pl.DataFrame({"value": values, "cluster": groups}).drop_nulls()
        clusters = pairs.group_by("cluster").agg("value", n=pl.len().cast(pl.UInt64))
        flat = clusters["value"].explode(empty_as_null=False)
        row = _core.tost(flat, clusters["n"], claim, possible)
    result = pl.DataFrame(row).row(0, named=True)
    sides = [result["log_pvalue_low"], result["log_pvalue_high"]]
    log_pvalue = max((side for side in sides if side is not None), default=None)
    pvalue = None if log_pvalue is None else max(math.exp(log_pvalue), sys.float_info.min)
    return TostResult(**result, n_missing=n_missing, pvalue=pvalue, log_pvalue=log_pvalue)


def _possible(bounds: Any) -> tuple[float, float] | None:
    if bounds is None:
        return None
    if not isinstance(bounds, list | tuple) or len(bounds) != 2:
        raise OptionError(f"bounds={bounds!r} must be two numbers, such as (-1, 1)")
    low, high = (number("bounds", one) for one in bounds)
    return low, high


def _observed(values: pl.Series, possible: tuple[float, float] | None) -> pl.Series:
    """Return the differences as floats, what is missing as null."""
    if not (values.dtype.is_numeric() or values.dtype == pl.Null):
        raise ColumnError(f"differences must be numbers; they are {values.dtype}")
    numbers = values.cast(pl.Float64).fill_nan(None)
    if numbers.is_infinite().any():
        raise ColumnError("differences hold infinite values; a mean needs finite ones")
    if possible is not None:
        outside = numbers.filter(~numbers.is_between(*possible))
        if len(outside):
            raise ColumnError(
                f"{len(outside)} differences lie outside bounds={possible}, such as {outside[0]}"
            )
    return numbers
