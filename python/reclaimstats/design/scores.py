"""Trials of a numeric score, listed by cell and by cluster."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.design.cells import flat, grouped, parts
from reclaimstats.design.clusters import keyed, no_null_clusters
from reclaimstats.design.columns import as_lazy, column_names, expression, listed, not_results
from reclaimstats.design.names import INVALID, MISSING, NULL_CLUSTER, OUTCOME, PREFIX, N
from reclaimstats.design.outcomes import Outcome
from reclaimstats.errors import ColumnError, DesignError

__all__ = [
    "VALUES",
    "Scores",
    "beyond_doubles",
]

VALUES = f"{PREFIX}values"


@dataclass(frozen=True, slots=True)
class Scores:
    """Trials with a numeric score, columns checked, still lazy.

    Attributes:
        frame: One row per trial; the score as Float64 under an internal name, null where missing.
        name: The score's name, for messages.
        by: Columns that tell cells apart.
        cluster: Columns that tell clusters apart, empty where trials are independent.
        engine: See `Trials`.
    """

    frame: pl.LazyFrame
    name: str
    by: list[str]
    cluster: list[str]
    engine: Any

    @classmethod
    def of(
        cls,
        trials: Any,
        score: str | pl.Expr,
        *,
        by: str | Sequence[str] | None,
        cluster: str | Sequence[str] | None,
        result_columns: Sequence[str],
        **others: list[str],
    ) -> "Scores":
        """Check columns and types; nothing is computed yet. Arguments as those of `Trials`.

        Raises:
            ColumnError: A column is missing, of the wrong type, or named like a result's.
        """
        frame = as_lazy(trials)
        cells, clusters = listed(by), listed(cluster)
        schema = frame.collect_schema()
        value, name = expression(schema, score, argument="score"), str(score)
        for argument, names in {"by": cells, "cluster": clusters, **others}.items():
            column_names(schema, names, argument=argument)
        frame = keyed(frame, [*clusters, *itertools.chain(*others.values())])
        not_results(cells, result_columns)
        keep = dict.fromkeys(itertools.chain(cells, clusters, *others.values()))
        frame = frame.with_columns(value.alias(OUTCOME)).select(*keep, OUTCOME)
        dtype = frame.collect_schema()[OUTCOME]
        if not (dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)):
            raise ColumnError(f"score {name!r} has type {dtype}; it must be numbers or Boolean")
        value = pl.col(OUTCOME)
        # A score of single precision stands for the shortest decimal that it is nearest to, 0.3 and
        # not 0.30000001192092896, so that differences tie where those of doubles do.
        exact = value.cast(pl.String) if dtype == pl.Float32 else value
        number = exact.cast(pl.Float64).fill_nan(None)
        if dtype.is_integer():
            # To be refused, as infinity is.
            number = pl.when(beyond_doubles(value, dtype)).then(math.inf).otherwise(number)
            number = number.alias(OUTCOME)
        return cls(
            frame=frame.with_columns(number),
            name=name,
            by=cells,
            cluster=clusters,
            engine="streaming" if isinstance(trials, pl.LazyFrame) else "auto",
        )

    @property
    def outcome(self) -> Outcome:
        """Read scores as outcomes are read: a hit is the score itself."""
        value = pl.col(OUTCOME)
        return Outcome(value.is_not_null(), value, value.is_infinite().fill_null(False))

    def cells(self) -> pl.DataFrame:
        """List per cell, as `VALUES`, the scores that are not missing."""
        values = pl.col(OUTCOME).drop_nulls().implode().alias(VALUES)
        return self._checked(grouped(self.frame, self.by, [values, *self._counts()]))

    def cell_clusters(self) -> pl.DataFrame:
        """List per cell the scores as `VALUES`, cluster after cluster, and their number as `N`."""
        return self._cell_clusters(self.cluster, "cluster")

    def cell_items(self, item: list[str]) -> pl.DataFrame:
        """See `cell_clusters`; of items, which are among `others`."""
        return self._cell_clusters(item, "item")

    def _cell_clusters(self, cluster: list[str], argument: str) -> pl.DataFrame:
        keys = list(dict.fromkeys([*self.by, *cluster]))
        value = pl.col(OUTCOME)
        clusters = self.frame.group_by(keys).agg(
            value.drop_nulls().alias(VALUES),
            value.count().cast(pl.UInt64).alias(N),
            *self._counts(),
        )
        no_cluster = pl.any_horizontal(pl.col(cluster).is_null())
        lost = pl.when(no_cluster).then(pl.col(N) + pl.col(MISSING)).otherwise(0)
        cells = grouped(
            clusters,
            self.by,
            [
                pl.col(VALUES).explode().drop_nulls().implode(),
                pl.col(N).implode(),
                pl.col(MISSING, INVALID).sum(),
                lost.sum().alias(NULL_CLUSTER),
            ],
        )
        table = self._checked(cells)
        no_null_clusters(cluster, int(table[NULL_CLUSTER].sum()), argument)
        return table

    def arms(
        self, contrast: str, treatment: Any, baseline: Any
    ) -> tuple[pl.DataFrame, pl.Series | None, list[pl.Series], list[pl.Series]]:
        """Lay out the scores of two arms, whose column is one of `others`.

        Returns:
            The cells, all of them, sorted, with `n_missing` of these arms; how many clusters each
            has (nothing where trials are independent); how many scores each cell or cluster has,
            of either arm; and the scores of either, end to end.
        """
        value, arms = pl.col(OUTCOME), (treatment, baseline)
        chosen = [pl.col(contrast) == pl.lit(arm) for arm in arms]
        lists = {
            f"{VALUES}.{place}": value.filter(arm).drop_nulls() for place, arm in enumerate(chosen)
        }
        lost = (value.is_null() & pl.any_horizontal(chosen)).sum().cast(pl.Int64).alias(MISSING)
        if not self.cluster:
            parts = [values.implode().alias(name) for name, values in lists.items()]
            cells = grouped(self.frame, self.by, [*parts, lost]).collect(engine=self.engine)
            cells = cells.rename({MISSING: "n_missing"})
            laid = [flat(cells, name) for name in lists]
            return cells, None, [lengths for lengths, _ in laid], [of for _, (of,) in laid]
        keys = list(dict.fromkeys([*self.by, *self.cluster]))
        sizes = {f"{N}.{place}": name for place, name in enumerate(lists)}
        clusters = self.frame.group_by(keys).agg(
            *(values.alias(name) for name, values in lists.items()),
            *(
                values.count().cast(pl.UInt64).alias(size)
                for size, values in zip(sizes, lists.values(), strict=True)
            ),
            lost,
        )
        parts = [
            *(pl.col(name).explode().drop_nulls().implode() for name in lists),
            *(pl.col(size).implode() for size in sizes),
            pl.col(MISSING).sum(),
        ]
        cells = grouped(clusters, self.by, parts).collect(engine=self.engine)
        cells = cells.rename({MISSING: "n_missing"})
        lengths, counts = flat(cells, *sizes)
        return cells, lengths, counts, [flat(cells, name)[1][0] for name in lists]

    def levels(self, contrast: str) -> pl.Series:
        """Return the values of a column that tells arms apart, sorted, scores and clusters checked.

        Raises:
            ColumnError: A score is infinite.
            DesignError: An arm or a cluster is null.
        """
        keys = list(dict.fromkeys([contrast, *self.cluster]))
        found, levels = pl.collect_all(
            [
                self.frame.select(
                    self.outcome.invalid.sum().alias(INVALID), pl.col(keys).null_count()
                ),
                self.frame.select(pl.col(contrast).unique().sort()),
            ],
            engine=self.engine,
        )
        self.refuse_invalid(found[INVALID].item())
        for key in keys:
            if n_null := found[key].item():
                raise DesignError(
                    f"{key!r} is null or NaN in {n_null} trials; arms and clusters need a value "
                    "in every row: fill it in or filter those trials out"
                )
        return levels[contrast]

    def parts(self, cells: pl.DataFrame, within: list[str]) -> tuple[list[pl.Series], pl.Series]:
        """See `parts`."""
        frame = self.frame.collect(engine=self.engine)
        return parts(cells, frame, self.by, self.cluster, within)

    def _counts(self) -> list[pl.Expr]:
        parts = {MISSING: ~self.outcome.observed, INVALID: self.outcome.invalid}
        return [part.sum().cast(pl.Int64).alias(name) for name, part in parts.items()]

    def _checked(self, cells: pl.LazyFrame) -> pl.DataFrame:
        """Collect, and raise if a score is infinite."""
        table = cells.collect(engine=self.engine)
        self.refuse_invalid(int(table[INVALID].sum()))
        return table.rename({MISSING: "n_missing"})

    def refuse_invalid(self, n_invalid: int) -> None:
        """Raise if any score is infinite."""
        if n_invalid:
            raise ColumnError(
                f"score {self.name!r} is infinite in {n_invalid} trials, which have no mean, or a "
                "whole number beyond 2^53, which loses digits; set those to null to count them as "
                "missing, or subtract a constant first"
            )


def beyond_doubles(value: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Tell which whole numbers are beyond 2^53, where doubles lose digits."""
    whole = dtype.is_integer()
    return ~value.is_between(-(2**53), 2**53).fill_null(True) if whole else pl.lit(False)
