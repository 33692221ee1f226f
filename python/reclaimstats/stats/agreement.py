"""Agreement of raters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.options import choice, confidence
from reclaimstats.raters import agreement
from reclaimstats.stats._result import Result, series

__all__ = ["AgreementResult", "agreement_of_counts", "cohen_kappa", "krippendorff_alpha"]


@dataclass(frozen=True, slots=True)
class AgreementResult(Result):
    """A coefficient with its interval; the fields are the columns of `reclaimstats.agreement`."""

    n: int
    n_ratings: int
    n_categories: int
    n_clusters: int | None
    n_missing: int
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    coefficient: str
    observed: float | None
    chance: float | None
    estimate: float | None
    low: float | None
    high: float | None
    method: str
    confidence_level: float
    reason: str | None


def cohen_kappa(
    first: Any,
    second: Any,
    *,
    cluster: Any = None,
    weights: str = "unweighted",
    categories: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
) -> AgreementResult:
    """Cohen's kappa of two raters, with an interval that covers.

    Args:
        first: Ratings of one rater: numbers, text or Booleans. Null and NaN are missing.
        second: Those of the other, of the same items.
        cluster: Array of the same length with each item's cluster, or nothing.
        weights: As in `reclaimstats.agreement`, and so are the other options.
        categories: All ratings that may occur, in order.
        confidence_level: Two-sided level of the intervals.

    Returns:
        The result, with the meanings of `reclaimstats.agreement`.

    Raises:
        ColumnError: Ratings differ in kind, or arrays in length, or a rating is not listed.
        DesignError: A cluster is null.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.cohen_kappa([1, 1, 0, 0, 1, 0], [1, 1, 0, 0, 1, 1])
        >>> round(result.estimate, 3), round(result.agreement, 3)
        (0.667, 0.833)

    References:
        See `reclaimstats.agreement`.
    """
    columns = _columns(first=first, second=second, cluster=cluster)
    table = agreement(
        pl.DataFrame(columns),
        ["first", "second"],
        cluster=None if cluster is None else "cluster",
        coefficient="cohen",
        weights=weights,
        categories=categories,
        confidence_level=confidence_level,
    )
    return AgreementResult(**table.row(0, named=True))


def krippendorff_alpha(
    ratings: Sequence[Any],
    *,
    cluster: Any = None,
    metric: str = "nominal",
    categories: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
) -> AgreementResult:
    """Krippendorff's alpha of two raters or more, with an interval that covers.

    Args:
        ratings: One array for each rater, of the same items in the same order. Null and NaN are
            missing.
        cluster: Array of the same length with each item's cluster, or nothing.
        metric: As in `reclaimstats.agreement`, and so are the other options.
        categories: All ratings that may occur, in order.
        confidence_level: Two-sided level of the intervals.

    Returns:
        The result, with the meanings of `reclaimstats.agreement`.

    Raises:
        ColumnError: Ratings differ in kind, or arrays in length, or there are fewer than two.
        DesignError: A cluster is null.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> raters = [[1, 2, 3, 3, None], [1, 2, 3, 4, 2], [1, 2, None, 3, 2]]
        >>> round(rs.stats.krippendorff_alpha(raters, metric="interval").estimate, 3)
        0.91

    References:
        See `reclaimstats.agreement`.
    """
    named = {f"rater {number}": values for number, values in enumerate(ratings)}
    if len(named) < 2:
        raise ColumnError(f"ratings must be two arrays or more, one a rater; got {len(named)}")
    columns = _columns(**named, cluster=cluster)
    table = agreement(
        pl.DataFrame(columns),
        list(named),
        cluster=None if cluster is None else "cluster",
        coefficient="krippendorff",
        metric=metric,
        categories=categories,
        confidence_level=confidence_level,
    )
    return AgreementResult(**table.row(0, named=True))


def agreement_of_counts(
    counts: Any, *, coefficient: str = "fleiss", confidence_level: float = 0.95
) -> AgreementResult:
    """A coefficient of counts: how many raters put each item in each category.

    Args:
        counts: One row for each item and one column for each category: a list of rows, NumPy
            array or frame. Rows may differ in their sum.
        coefficient: "fleiss", "krippendorff" or "ac1". All columns count as categories.
        confidence_level: Two-sided level of the intervals.

    Returns:
        The result, with the meanings of `reclaimstats.agreement`; nothing is missing.

    Raises:
        ColumnError: The counts make no table.
        OptionError: A count is not a whole number from 0 up, or an option is unknown.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.agreement_of_counts([[1, 1, 1], [1, 1, 1]])
        >>> round(result.estimate, 9), result.agreement
        (-0.5, 0.0)

    References:
        See `reclaimstats.agreement`.
    """
    choice("coefficient", coefficient, ["fleiss", "krippendorff", "ac1"])
    level = confidence(confidence_level)
    table = _table(counts)
    widths = table.list.len().unique().to_list()
    if len(widths) > 1:
        raise ColumnError(f"counts must have one column a category; rows have {sorted(widths)}")
    n_categories = widths[0] if widths else 0
    n_items = table.len() if n_categories else 0
    given = table.explode()
    flat = given.cast(pl.Int64, strict=False)
    if wrong := given.filter(~flat.is_between(0, 2**31 - 1).fill_null(False)).head(1).to_list():
        raise OptionError(f"counts must be whole numbers from 0 to 2^31 - 1; one is {wrong[0]!r}")

    def whole(values: pl.Series) -> pl.Series:
        return values.cast(pl.UInt64).rechunk()

    once = pl.Series([1]).new_from_index(0, n_items)
    results = _core.agreement_items(
        [whole(pl.Series([n_items])), None],
        [whole(once * n_categories), whole(once)],
        [
            whole(pl.int_range(n_items * n_categories, eager=True) % max(n_categories, 1)),
            whole(flat),
        ],
        n_categories,
        pl.zeros(n_categories, dtype=pl.Float64, eager=True),
        coefficient,
        "nominal",
        level,
    )
    row = pl.DataFrame(results).row(0, named=True)
    return AgreementResult(**row, n_missing=0, coefficient=coefficient)


def _table(counts: Any) -> pl.Series:
    """A list of whole numbers for each item."""
    try:
        if isinstance(counts, pl.DataFrame):
            counts = counts.select(pl.concat_list(pl.all())).to_series() if counts.width else []
        table = pl.Series(counts if hasattr(counts, "dtype") else list(counts))
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise ColumnError("counts must be rows of counts, a row for each item") from error
    if table.dtype == pl.Null:
        table = table.cast(pl.List(pl.Int64))
    if not isinstance(table.dtype, pl.List | pl.Array) or table.null_count():
        raise ColumnError("counts must be rows of counts, a row for each item")
    inner = table.dtype.inner
    table = table.cast(pl.List(inner))
    if not (inner.is_integer() or inner == pl.Null):
        raise OptionError(f"counts must be whole numbers; they are {inner}")
    return table.cast(pl.List(pl.Int64)) if inner == pl.Null else table


def _columns(**arrays: Any) -> list[pl.Series]:
    """Arrays of one length as columns; a cluster may be left out."""
    columns = [
        series(name, values)
        for name, values in arrays.items()
        if values is not None or name != "cluster"
    ]
    lengths = {column.name: len(column) for column in columns}
    if len(set(lengths.values())) > 1:
        raise ColumnError(f"arrays must have one length; got {lengths}")
    return columns
