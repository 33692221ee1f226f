"""Items that several raters put into categories, of a long table or a wide one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.counting import Kinds
from reclaimstats.design.cells import grouped, keys_at, nested
from reclaimstats.design.clusters import keyed, refuse_nulls
from reclaimstats.design.columns import as_lazy, column_names, listed, not_results
from reclaimstats.design.names import ITEM, PREFIX, N
from reclaimstats.errors import ColumnError, DesignError, OptionError

__all__ = [
    "CATEGORY",
    "Ratings",
]

CATEGORY = f"{PREFIX}category"
_RATING = f"{PREFIX}rating"
_RATER = f"{PREFIX}rater"
_KIND = f"{PREFIX}kind"


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of items with their columns checked, counted.

    Attributes:
        cells: The cells, sorted, with `n_missing` ratings.
        counts: What was rated: the key columns; of a long table `category` and `raters` per item,
            of a wide one `rating.0`, `rating.1` ... and how many items are so rated (`N`). Numbers
            are positions in `categories`, null where missing.
        by: Columns that tell cells apart.
        cluster: Columns that tell clusters apart, empty where items are independent.
        item: Columns that tell items apart; empty where a row is some like items.
        categories: The ratings that count, in order.
        ordered: Whether that order means anything.
    """

    cells: pl.DataFrame
    counts: pl.DataFrame
    by: list[str]
    cluster: list[str]
    item: list[str]
    categories: pl.Series
    ordered: bool

    @classmethod
    def of(
        cls,
        ratings: Any,
        rating: str | Sequence[str],
        *,
        item: str | Sequence[str] | None,
        rater: str | None,
        by: str | Sequence[str] | None,
        cluster: str | Sequence[str] | None,
        categories: Sequence[Any] | None,
        paired: bool,
        result_columns: Sequence[str],
    ) -> "Ratings":
        """Check columns and count. This reads the ratings once.

        Args:
            ratings: See `as_lazy`.
            rating: One column, of a long table; or several, one a rater, of a wide one.
            item: Columns that tell the items of a long table apart.
            rater: Column that tells its raters apart.
            by: Columns that tell cells apart.
            cluster: Columns that tell clusters apart.
            categories: All ratings that may occur, in order, or nothing.
            paired: Whether a long table is to be made a wide one of two raters.
            result_columns: Names that `by` must leave to the result.

        Raises:
            ColumnError: A column is missing or of the wrong type, or a rating is not listed.
            DesignError: The table is long but has no items or raters, an item was rated twice by
                a rater, or a rater, item or cluster is null.
        """
        frame = as_lazy(ratings)
        values, items, raters = listed(rating), listed(item), listed(rater)
        cells, clusters = listed(by), listed(cluster)
        schema = frame.collect_schema()
        for argument, names in {
            "rating": values,
            "item": items,
            "rater": raters,
            "by": cells,
            "cluster": clusters,
        }.items():
            column_names(schema, names, argument=argument)
        not_results(cells, result_columns)
        if len(values) > 1 and (items or raters):
            raise DesignError(
                "item and rater are of a table with one rating a row; where each rater has a "
                "column, a row is an item"
            )
        if len(values) == 1 and (not items or len(raters) != 1):
            raise DesignError(
                "one column of ratings needs item= and rater=, the columns that say who rated "
                "what; or name two columns, one a rater"
            )
        frame = keyed(frame, [*clusters, *items, *raters])
        keys = list(dict.fromkeys([*cells, *clusters]))
        columns = [f"{_RATING}.{number}" for number in range(len(values))]
        frame = frame.select(
            *keys,
            *(pl.col(name).alias(f"{ITEM}{name}") for name in items),
            *(pl.col(name).alias(_RATER) for name in raters),
            *(pl.col(name).alias(column) for name, column in zip(values, columns, strict=True)),
        )
        engine: Any = "streaming" if isinstance(ratings, pl.LazyFrame) else "auto"
        items = [f"{ITEM}{name}" for name in items]
        if items:
            counts = frame.collect(engine=engine).with_columns(pl.lit(1, pl.UInt64).alias(N))
        elif engine == "streaming":
            kinds = frame.group_by([*keys, *columns]).agg(pl.len().cast(pl.UInt64).alias(N))
            counts = kinds.collect(engine=engine)
        else:
            rows = frame.collect(engine="in-memory")
            found = Kinds.of(rows)
            counts = keys_at(rows, rows.columns, found.rows)
            counts = counts.with_columns(found.counts[0].alias(N))
        named_keys = dict.fromkeys(clusters, "cluster") | dict.fromkeys(items, "item")
        refuse_nulls(counts, named_keys | dict.fromkeys([_RATER][: len(raters)], "rater"))
        order, ordered = _ordered(counts.select(columns), values, categories)
        counts = _coded(counts, columns, order)
        missing = pl.sum_horizontal(pl.col(name).is_null() for name in columns) * pl.col(N)
        totals = grouped(counts.lazy(), cells, [missing.sum().cast(pl.Int64).alias("n_missing")])
        if items:
            counts = _by_item(counts, cells, clusters, items, paired=paired)
        return cls(
            cells=totals.collect(),
            counts=counts.sort([name for name in counts.columns if name != N]),
            by=cells,
            cluster=clusters,
            item=[] if paired else items,
            categories=order,
            ordered=ordered,
        )

    @property
    def raters(self) -> list[str]:
        """Columns of ratings of a wide table."""
        return [name for name in self.counts.columns if name.startswith(f"{_RATING}.")]

    def by_category(self) -> tuple[pl.DataFrame, list[str], pl.Series]:
        """Count raters by item and `CATEGORY`, in the order of the counts.

        Returns:
            The rows, with how many raters as `N`; the columns that tell items apart; and how many
            items there are of each kind.
        """
        if self.item:
            n_items = self.counts.select(pl.struct(self._keys + self.item).n_unique()).item()
            return self.counts, self.item, pl.repeat(1, n_items, dtype=pl.UInt64, eager=True)
        kinds = self.counts.with_row_index(_KIND)
        rows = (
            kinds.unpivot(self.raters, index=[*self._keys, _KIND], value_name=CATEGORY)
            .drop_nulls(CATEGORY)
            .group_by([*self._keys, _KIND, CATEGORY])
            .agg(pl.len().cast(pl.UInt64).alias(N))
            .sort(_KIND, CATEGORY)
        )
        return rows, [_KIND], kinds[N].gather(rows[_KIND].unique(maintain_order=True))

    @property
    def _keys(self) -> list[str]:
        return list(dict.fromkeys([*self.by, *self.cluster]))

    def nested(self, rows: pl.DataFrame, *inner: str) -> list[pl.Series]:
        """Return how many clusters each cell has, if there are any, and so on to the rows.

        Args:
            rows: Some of the counts, in their order.
            inner: Columns that tell apart what lies within a cell or cluster.
        """
        levels = [
            *([self._keys] if self.cluster else []),
            *([[*self._keys, *inner]] if inner else []),
        ]
        return nested(self.cells, self.by, rows, *levels)


def _kind(dtype: pl.DataType) -> str:
    """What ratings are: numbers, text or Booleans, or a type that no rating has."""
    if dtype.is_numeric():
        return "numbers"
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        return "text"
    return "Booleans" if dtype == pl.Boolean else str(dtype)


def _ordered(
    ratings: pl.DataFrame, names: Sequence[str], listed: Sequence[Any] | None
) -> tuple[pl.Series, bool]:
    """Return the categories, in order, and whether that order means anything."""
    kinds = {
        name: _kind(dtype)
        for name, dtype in zip(names, ratings.dtypes, strict=True)
        if dtype != pl.Null
    }
    for name, kind in kinds.items():
        if kind not in ("numbers", "text", "Booleans"):
            raise ColumnError(
                f"rating {name!r} has type {kind}; it must be numbers, text or Boolean"
            )
    if len(set(kinds.values())) > 1:
        raise ColumnError(f"ratings must be of one kind; they are {kinds}")
    columns = [column for column in ratings if column.dtype != pl.Null]
    enums = {column.dtype for column in columns}
    is_text = "text" in kinds.values()
    plain = [column.cast(pl.String) if is_text else column for column in columns]
    frames = [column.alias(N).unique().to_frame() for column in plain]
    values = (
        pl.concat(frames, how="vertical_relaxed")[N] if frames else pl.Series(N, [], pl.Float64)
    )
    values = values.drop_nulls()
    if values.dtype.is_float():
        values = values.drop_nans()
    if listed is not None:
        return _listed_categories(listed, values), True
    (dtype,) = enums if len(enums) == 1 else (pl.Null(),)
    if isinstance(dtype, pl.Enum):
        return dtype.categories.alias(N), True
    return values.unique().sort(), not is_text


def _listed_categories(listed: Sequence[Any], values: pl.Series) -> pl.Series:
    """Return the categories that a user lists, of the type of the values, which must be in it."""
    try:
        order = pl.Series(N, list(listed), dtype=values.dtype, strict=True)
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise OptionError(
            f"categories must be ratings as the data hold them, {values.dtype}; {error}"
        ) from error
    if order.null_count() or order.n_unique() != len(order) or not len(order):
        raise OptionError(f"categories must be different ratings; received {list(listed)!r}")
    if order.dtype.is_float() and not order.is_finite().all():
        raise OptionError(f"categories must be finite; received {list(listed)!r}")
    strange = values.filter(~values.is_in(order.implode())).unique().sort()
    if len(strange):
        raise ColumnError(
            f"{len(strange)} ratings are not among the categories, such as "
            f"{', '.join(map(repr, strange.head(3)))}; list them, or make them null"
        )
    return order


def _coded(rows: pl.DataFrame, columns: Sequence[str], order: pl.Series) -> pl.DataFrame:
    """Replace ratings by their positions among the categories; null and NaN become null."""
    if order.is_empty():
        return rows.with_columns(pl.lit(None, pl.UInt64).alias(column) for column in columns)
    codes = pl.int_range(len(order), dtype=pl.UInt64, eager=True)
    return rows.with_columns(
        pl.col(column)
        .cast(order.dtype)
        .replace_strict(order, codes, default=None, return_dtype=pl.UInt64)
        for column in columns
    )


def _by_item(
    rows: pl.DataFrame, by: list[str], cluster: list[str], item: list[str], *, paired: bool
) -> pl.DataFrame:
    """Count a long table by item and category; or lay its two raters side by side."""
    whole = list(dict.fromkeys([*by, *item]))
    again = rows.group_by([*whole, _RATER]).len(N).filter(pl.col(N) > 1)
    if again.height:
        shown = again.sort([*whole, _RATER]).drop(N).head(3)
        shown = shown.rename(
            {name: name.removeprefix(ITEM).removeprefix(PREFIX) for name in shown.columns}
        )
        raise DesignError(
            f"{again.height} items were rated more than once by a rater, such as "
            f"{'; '.join(map(str, shown.rows(named=True)))}; add the columns that tell those "
            "ratings apart to item or by"
        )
    keys = list(dict.fromkeys([*by, *cluster, *item]))
    if cluster:
        split = rows.select(keys).unique().group_by(whole).len(N).filter(pl.col(N) > 1)
        if split.height:
            raise DesignError(
                f"{split.height} items lie in more than one cluster {cluster}; a cluster must hold "
                "whole items: add the column that tells them apart to item"
            )
    rating = f"{_RATING}.0"
    if not paired:
        given = rows.filter(pl.col(rating).is_not_null()).rename({rating: CATEGORY})
        return given.group_by([*keys, CATEGORY]).agg(pl.len().cast(pl.UInt64).alias(N))
    order = pl.col(_RATER).rank("dense")
    place = (order.over(by) if by else order).alias(_RATER)
    rows = rows.with_columns(place)
    n_raters = rows.select(pl.col(_RATER).max().cast(pl.Int64).fill_null(0)).item()
    if n_raters > 2:
        raise DesignError(
            f"there are {n_raters} raters in a cell; Cohen's kappa is of two: take "
            "coefficient='fleiss' or 'krippendorff', or filter two of them"
        )
    sides = [
        pl.col(rating).filter(pl.col(_RATER) == number + 1).first().alias(f"{_RATING}.{number}")
        for number in range(2)
    ]
    pairs = rows.group_by(keys).agg(*sides)
    kinds = [name for name in pairs.columns if name not in item]
    return pairs.group_by(kinds).agg(pl.len().cast(pl.UInt64).alias(N))
