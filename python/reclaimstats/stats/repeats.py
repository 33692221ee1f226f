"""Chances over repeats of the same items."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.options import confidence, integer
from reclaimstats.stats._result import Result, keys, series

__all__ = ["PassResult", "pass_at_k", "pass_hat_k"]


@dataclass(frozen=True, slots=True)
class PassResult(Result):
    """pass@k or pass^k; the fields are the columns of `reclaimstats.repeats`.

    Attributes:
        statistic: "pass@k" or "pass^k".
        k: Number of repeats.
        n: Repeats with an outcome, of all items.
        n_items: Items with at least k of them.
        n_short: Items with fewer.
        n_clusters: Clusters of items; null without clusters.
        n_missing: Items without counts.
        estimate: Mean over the items with at least k repeats.
        low: Lower limit of its interval.
        high: Upper limit.
        method: How the interval was made.
        confidence_level: Its two-sided level.
        reason: Why something is null.
    """

    statistic: str
    k: int
    n: int
    n_items: int
    n_short: int
    n_clusters: int | None
    n_missing: int
    estimate: float | None
    low: float | None
    high: float | None
    method: str
    confidence_level: float
    reason: str | None


def pass_at_k(
    successes: Any, repeats: Any, *, k: int, cluster: Any = None, confidence_level: float = 0.95
) -> PassResult:
    """Chance that at least one of k repeats of an item succeeds, from counts per item.

    An item with n repeats, c of them successes, gives the unbiased 1 - C(n - c, k) / C(n, k),
    stable for any n; with n < k it gives nothing and is counted in `n_short`.

    Args:
        successes: Array of each item's successes. Null is missing.
        repeats: Array of each item's repeats with an outcome, or one number for all.
        k: Number of repeats, from 1 on.
        cluster: Array of each item's cluster, or nothing where items are independent.
        confidence_level: Two-sided level of the interval.

    Returns:
        The mean over items, with the meanings of `reclaimstats.repeats`.

    Raises:
        ColumnError: A count is no whole number from 0 on, an item has more successes than
            repeats, or the arrays differ in length.
        OptionError: k or the level is out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> rs.stats.pass_at_k([3, 1], 4, k=2).estimate
        0.75
        >>> rs.stats.pass_at_k([1, 0], 1, k=10).reason
        'k is more than the trials of any item'

    References:
        Chen et al. (2021), arXiv:2107.03374.
    """
    return _passed(successes, repeats, k, cluster, confidence_level, "pass@k")


def pass_hat_k(
    successes: Any, repeats: Any, *, k: int, cluster: Any = None, confidence_level: float = 0.95
) -> PassResult:
    """Chance that all of k repeats of an item succeed, from counts per item.

    An item with n repeats, c of them successes, gives the unbiased C(c, k) / C(n, k), stable
    for any n; with n < k it gives nothing and is counted in `n_short`.

    Args:
        successes: As in `pass_at_k`, and so are the others.
        repeats: Repeats with an outcome.
        k: Number of repeats.
        cluster: Each item's cluster.
        confidence_level: Two-sided level of the interval.

    Returns:
        The mean over items, with the meanings of `reclaimstats.repeats`.

    Raises:
        ColumnError: See `pass_at_k`.
        OptionError: See `pass_at_k`.

    Examples:
        >>> import reclaimstats as rs
        >>> rs.stats.pass_hat_k([3, 1], 4, k=2).estimate
        0.25

    References:
        Yao et al. (2024), arXiv:2406.12045.
    """
    return _passed(successes, repeats, k, cluster, confidence_level, "pass^k")


def _passed(
    successes: Any, repeats: Any, k: int, cluster: Any, confidence_level: float, statistic: str
) -> PassResult:
    k = integer("k", k, least=1, most=2**53)
    level = confidence(confidence_level)
    hits = _counts("successes", successes)
    if isinstance(repeats, int):
        repeats = [integer("repeats", repeats, least=0, most=2**53)] * len(hits)
    trials = _counts("repeats", repeats)
    groups = keys("cluster", [0] * len(hits) if cluster is None else cluster)
    lengths = {len(hits), len(trials), len(groups)}
    if len(lengths) > 1:
        raise ColumnError(
            f"successes, repeats and cluster must have one length; got {len(hits)}, "
            f"{len(trials)} and {len(groups)}"
        )
    items = pl.DataFrame([hits, trials, groups.rank("dense").cast(pl.UInt64)])
    if groups.null_count():
        raise ColumnError(f"cluster is null or NaN for {groups.null_count()} items; fill it in")
    items = items.filter(pl.col("successes").is_not_null() & pl.col("repeats").is_not_null())
    if wrong := items.filter(pl.col("successes") > pl.col("repeats")).height:
        raise ColumnError(f"{wrong} items have more successes than repeats")
    columns = [items[name] for name in ("cluster", "repeats", "successes")]
    length = pl.Series([items.height], dtype=pl.UInt64)
    rows = pl.DataFrame(_core.passed(length, columns, [k], cluster is not None, level))
    row = rows.filter(pl.col("statistic") == statistic).row(0, named=True)
    return PassResult(**row, n_missing=len(hits) - items.height)


def _counts(name: str, values: Any) -> pl.Series:
    column = series(name, values)
    if not (column.dtype.is_integer() or column.dtype == pl.Null):
        raise ColumnError(f"{name} must be whole numbers; they are {column.dtype}")
    wrong = column.filter(column < 0) if column.dtype.is_integer() else column.clear()
    if len(wrong):
        raise ColumnError(f"{name} must be whole numbers from 0 on; one is {wrong[0]}")
    return column.cast(pl.UInt64)
