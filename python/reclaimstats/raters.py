"""Agreement of raters per cell: coefficients with intervals, and the table of who said what."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished
from reclaimstats.design.names import N
from reclaimstats.design.ratings import CATEGORY, Ratings
from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.options import choice, confidence

__all__ = ["COEFFICIENTS", "agreement", "confusion"]

COEFFICIENTS = ["auto", "cohen", "fleiss", "krippendorff", "ac1"]

_RESULT = [
    "n",
    "n_ratings",
    "n_categories",
    "n_clusters",
    "n_missing",
    "agreement",
    "agreement_low",
    "agreement_high",
    "coefficient",
    "observed",
    "chance",
    "estimate",
    "low",
    "high",
    "method",
    "confidence_level",
    "reason",
]

_CONFUSION = ["first", "second", "n", "share"]

# With more, sums of squared distances leave the core's 128 bits.
_MOST_CATEGORIES = 1 << 20
# A table that anybody can look at.
_MOST_ROWS = 1_000


def agreement(
    ratings: Any,
    rating: str | Sequence[str],
    *,
    item: str | Sequence[str] | None = None,
    rater: str | None = None,
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    coefficient: str = "auto",
    weights: str = "unweighted",
    metric: str = "nominal",
    categories: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """Agreement of raters beyond chance, per cell, with an interval that covers.

    The table is wide, an item a row and a column for each rater (`rating=["human", "judge"]`);
    or long, a rating a row, with the columns that say of which item and by which rater it is.
    Items with equal values in `by` form a cell; within a cell, items with equal values in
    `cluster` form a cluster and count as dependent. Without, items count as independent. A null
    or NaN rating is missing and never a category: it is counted, and the item's other ratings
    still count where the coefficient can use them.

    Args:
        ratings: Polars DataFrame or LazyFrame, or any Arrow table.
        rating: The column of ratings of a long table, or two or more columns of a wide one:
            numbers, text or Booleans.
        item: Columns that tell the items of a long table apart within a cell. No nulls.
        rater: Column that tells the raters of a long table apart. No nulls.
        by: Columns that tell cells apart; none makes one cell of all. Null is a value.
        cluster: Columns that tell clusters apart within a cell. No nulls.
        coefficient: "cohen" for two raters, each with a chance agreement from the other's
            categories; "fleiss" for two or more, whose ratings are pooled; "krippendorff" for
            alpha, which weighs items by their ratings; "ac1" for Gwet's, whose chance agreement
            is small where one category is frequent. "auto" is "cohen" for two columns, else
            "krippendorff".
        weights: What a disagreement counts to "cohen": "unweighted", "linear" or "quadratic" in
            the number of steps between two categories.
        metric: What it counts to "krippendorff": "nominal"; "ordinal", the ratings between two
            categories, squared; "interval", the difference of two numbers, squared.
        categories: All ratings that may occur, in order. Needed for text where order counts,
            unless the column is an Enum; by default the values that occur, sorted.
        confidence_level: Two-sided level of the intervals.

    Returns:
        One row per cell, sorted by the `by` columns, which come first. Then `n` items with two
        ratings or more, `n_ratings` of those items, `n_categories` that occur, `n_clusters`
        (null without `cluster`), `n_missing` ratings; `agreement`, the share of pairs of an
        item's ratings that are equal, averaged over items, with `agreement_low` and
        `agreement_high`; the `coefficient`, `observed` and `chance` agreement as it weighs them,
        `estimate` = (observed - chance) / (1 - chance), `low` and `high`; `method`,
        `confidence_level`, and `reason` why an estimate or interval is null. Counts are Int64,
        names and reasons String, the rest Float64.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a rating is not among the
            categories.
        DesignError: An item was rated twice by one rater, lies in two clusters, or has more than
            two raters for "cohen"; a key is null.
        OptionError: An option is unknown, or does not go with the coefficient.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.DataFrame(
        ...     {
        ...         "human": ["kept", "kept", "lost", "lost", "kept", "lost", "kept", None],
        ...         "judge": ["kept", "kept", "lost", "kept", "kept", "lost", "kept", "lost"],
        ...     }
        ... )
        >>> table = rs.agreement(notes, ["human", "judge"])
        >>> table.select("n", "n_missing", pl.col("agreement", "estimate", "low", "high").round(3))
        shape: (1, 6)
        ┌─────┬───────────┬───────────┬──────────┬────────┬───────┐
        │ n   ┆ n_missing ┆ agreement ┆ estimate ┆ low    ┆ high  │
        │ --- ┆ ---       ┆ ---       ┆ ---      ┆ ---    ┆ ---   │
        │ i64 ┆ i64       ┆ f64       ┆ f64      ┆ f64    ┆ f64   │
        ╞═════╪═══════════╪═══════════╪══════════╪════════╪═══════╡
        │ 7   ┆ 1         ┆ 0.857     ┆ 0.696    ┆ -0.294 ┆ 0.962 │
        └─────┴───────────┴───────────┴──────────┴────────┴───────┘

    References:
        Cohen (1960), doi:10.1177/001316446002000104, and (1968), doi:10.1037/h0026256. Fleiss
        (1971), doi:10.1037/h0031619. Hayes and Krippendorff (2007),
        doi:10.1080/19312450709336664. Gwet (2008), doi:10.1348/000711006X126600. Variance:
        Fleiss, Cohen and Everitt (1969), doi:10.1037/h0028106. The interval is Wilson's (1927),
        doi:10.1080/01621459.1927.10502953, on the sample size which that variance is worth;
        docs/agreement.md says how it was chosen and how often it covers.
    """
    choice("coefficient", coefficient, COEFFICIENTS)
    if coefficient == "auto":
        wide = not isinstance(rating, str) and len(rating) == 2
        coefficient = "cohen" if wide else "krippendorff"
    ordered = _checked_scale(coefficient, weights, metric)
    level = confidence(confidence_level)
    rated = Ratings.of(
        ratings,
        rating,
        item=item,
        rater=rater,
        by=by,
        cluster=cluster,
        categories=categories,
        paired=coefficient == "cohen",
        result_columns=_RESULT,
    )
    if ordered and not rated.ordered:
        raise OptionError(
            f"{ordered} needs categories in order, and text has none of its own; "
            "list them, as in categories=['low', 'middle', 'high'], or cast to an Enum"
        )
    if coefficient == "cohen":
        results = _pairs(rated, weights, level)
    else:
        listed = len(rated.categories) if categories is not None else None
        results = _items(rated, coefficient, metric, listed, level)
    cells = rated.cells.with_columns(pl.lit(coefficient).alias("coefficient"))
    return finished(cells, rated.by, results, _RESULT)


def _checked_scale(coefficient: str, weights: str, metric: str) -> str | None:
    """Check that weights and metric go with the coefficient; return which of them needs order."""
    choice("weights", weights, _core.AGREEMENT_WEIGHTS)
    choice("metric", metric, _core.AGREEMENT_METRICS)
    if weights != "unweighted" and coefficient != "cohen":
        raise OptionError(f"weights={weights!r} is of coefficient='cohen', not {coefficient!r}")
    if metric != "nominal" and coefficient != "krippendorff":
        raise OptionError(
            f"metric={metric!r} is of coefficient='krippendorff', not {coefficient!r}"
        )
    if weights != "unweighted":
        return f"weights={weights!r}"
    return f"metric={metric!r}" if metric != "nominal" else None


def _pairs(rated: Ratings, weights: str, level: float) -> Any:
    """Kappa of two raters."""
    columns = rated.raters
    if len(columns) != 2:
        raise OptionError(
            f"coefficient='cohen' is of two raters; there are {len(columns)} columns of ratings. "
            "Take 'fleiss' or 'krippendorff'"
        )
    if weights != "unweighted" and len(rated.categories) > _MOST_CATEGORIES:
        raise ColumnError(
            f"there are {len(rated.categories)} different ratings; weights are for at most "
            f"{_MOST_CATEGORIES}"
        )
    rows = rated.counts.drop_nulls(columns)
    cells, clusters = [*rated.nested(rows), None][:2]
    return _core.agreement_pairs(
        [cells, clusters],
        [rows[columns[0]], rows[columns[1]], rows[N]],
        len(rated.categories),
        weights,
        level,
    )


def _items(rated: Ratings, coefficient: str, metric: str, listed: int | None, level: float) -> Any:
    """A coefficient of two raters or more."""
    if metric == "interval":
        if not (rated.categories.dtype.is_numeric() or rated.categories.is_empty()):
            raise ColumnError(f"metric='interval' needs numbers; they are {rated.categories.dtype}")
        values = rated.categories.cast(pl.Float64)
        if not values.is_finite().all():
            raise ColumnError("metric='interval' needs finite numbers; a rating is infinite")
    else:
        values = pl.zeros(len(rated.categories), dtype=pl.Float64, eager=True)
    rows, inner, times = rated.by_category()
    *outer, items = rated.nested(rows, *inner)
    cells, clusters = [*outer, None][:2]
    return _core.agreement_items(
        [cells, clusters],
        [items, times],
        [rows[CATEGORY], rows[N]],
        listed,
        values,
        coefficient,
        metric,
        level,
    )


def confusion(
    ratings: Any,
    rating: Sequence[str],
    *,
    by: str | Sequence[str] | None = None,
    categories: Sequence[Any] | None = None,
) -> pl.DataFrame:
    """Count how often each rating of one rater meets each of another, per cell.

    A row of `ratings` is one item, rated by two. An item with a null or NaN rating is not counted.

    Args:
        ratings: Polars DataFrame or LazyFrame, or any Arrow table.
        rating: The two columns of ratings: numbers, text or Booleans.
        by: Columns that tell cells apart; none makes one cell of all. Null is a value.
        categories: All ratings that may occur, in order; by default those that occur, sorted, or
            those of the Enum.

    Returns:
        One row per cell, rating `first` of the first column and rating `second` of the second,
        in the order of the categories, those that never meet with it: `n` items and their `share`
        of the cell, null where the cell has none.

    Raises:
        ColumnError: A column is missing or of the wrong type, a rating is not among the
            categories, or there are more than a thousand categories.
        OptionError: The categories make no list.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.DataFrame({"human": [1, 1, 0, 0, 1], "judge": [1, 1, 0, 1, 1]})
        >>> rs.confusion(notes, ["human", "judge"])
        shape: (4, 4)
        ┌───────┬────────┬─────┬───────┐
        │ first ┆ second ┆ n   ┆ share │
        │ ---   ┆ ---    ┆ --- ┆ ---   │
        │ i64   ┆ i64    ┆ i64 ┆ f64   │
        ╞═══════╪════════╪═════╪═══════╡
        │ 0     ┆ 0      ┆ 1   ┆ 0.2   │
        │ 0     ┆ 1      ┆ 1   ┆ 0.2   │
        │ 1     ┆ 0      ┆ 0   ┆ 0.0   │
        │ 1     ┆ 1      ┆ 3   ┆ 0.6   │
        └───────┴────────┴─────┴───────┘
    """
    if isinstance(rating, str) or len(rating) != 2:
        raise OptionError(f"rating must be two columns, one a rater; received {rating!r}")
    rated = Ratings.of(
        ratings,
        rating,
        item=None,
        rater=None,
        by=by,
        cluster=None,
        categories=categories,
        paired=True,
        result_columns=[*_CONFUSION, "n_missing"],
    )
    order = rated.categories
    if len(order) > _MOST_ROWS:
        raise ColumnError(
            f"there are {len(order)} different ratings; a table of more than {_MOST_ROWS} rows "
            "and columns is not made: count with group_by"
        )
    codes = pl.int_range(len(order), dtype=pl.UInt64, eager=True)
    sides = [pl.DataFrame({side: codes}) for side in rated.raters]
    every = rated.cells.select(rated.by) if rated.by else pl.DataFrame(height=1)
    for side in sides:
        every = every.join(side, how="cross", maintain_order="left_right") if every.width else side
    counts = every.join(
        rated.counts,
        on=[*rated.by, *rated.raters],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    n = pl.col(N).fill_null(0).cast(pl.Int64)
    whole = n.sum().over(rated.by) if rated.by else n.sum()
    first, second = (order.gather(counts[side]) for side in rated.raters)
    return counts.select(
        *rated.by,
        first.alias("first"),
        second.alias("second"),
        n.alias("n"),
        pl.when(whole > 0).then(n / whole).alias("share"),
    )
