"""Arms that share no keys, counted side by side by cell, stratum and cluster."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.design.cells import grouped
from reclaimstats.design.names import INVALID, MISSING, PREFIX, SUCCESSES, N
from reclaimstats.design.trials import Trials
from reclaimstats.errors import ColumnError, DesignError

__all__ = [
    "Counts",
]

_CELL = f"{PREFIX}cell"


@dataclass(frozen=True, slots=True)
class Counts:
    """Trials of several arms, counted, of which none are paired.

    Attributes:
        counts: Per cell, arm and cluster `N` observed trials, `SUCCESSES` and `MISSING`.
        by: Columns that tell cells apart.
        keys: Columns that tell arms apart.
        cluster: Columns that tell clusters apart, empty where trials are independent.
        strata: Columns that tell strata of a cell apart, empty where there are none.
    """

    counts: pl.DataFrame
    by: list[str]
    keys: list[str]
    cluster: list[str]
    strata: list[str]

    @classmethod
    def of(
        cls,
        trials: Any,
        outcome: str | pl.Expr,
        *,
        keys: Mapping[str, object],
        cluster: str | Sequence[str] | None,
        by: str | Sequence[str] | None,
        strata: Sequence[str] = (),
        result_columns: Sequence[str],
    ) -> "Counts":
        """Check columns, count, and check what was counted. This reads the trials once.

        Args:
            trials: See `as_lazy`.
            outcome: Name or expression of the 0/1 outcome.
            keys: The one column that each argument of the caller names to tell arms apart.
            cluster: Columns that tell clusters apart.
            by: Columns that tell cells apart.
            strata: Columns that tell strata of a cell apart.
            result_columns: Names that `by` must leave to the result.

        Raises:
            ColumnError: See `Trials.of`; or an outcome is not 0 or 1.
            DesignError: A column has two parts to play, an arm or cluster is null, or a cluster
                lies in several strata.
        """
        names = []
        for argument, name in keys.items():
            if not isinstance(name, str):
                raise ColumnError(f"{argument} takes one column name; received {name!r}")
            names.append(name)
        checked = Trials.of(
            trials,
            outcome,
            by=by,
            cluster=cluster,
            result_columns=result_columns,
            strata=list(strata),
            **{argument: [name] for argument, name in zip(keys, names, strict=True)},
        )
        parts = {"by": checked.by, "cluster": checked.cluster, "strata": list(strata)}
        for name in strata:
            if name in checked.by:
                raise DesignError(f"{name!r} must not be in strata and in by")
        for place, (argument, name) in enumerate(zip(keys, names, strict=True)):
            others = {**parts, **{other: [names[i]] for i, other in enumerate(keys) if i < place}}
            for other, columns in others.items():
                if name in columns:
                    raise DesignError(f"{other} must not hold the {argument} {name!r} itself")
        cells = list(dict.fromkeys([*checked.by, *strata, *names, *checked.cluster]))
        counts = (
            checked.frame.group_by(cells).agg(*checked.counted()).collect(engine=checked.engine)
        )
        checked.refuse_invalid(int(counts[INVALID].sum()))
        for key in (*names, *checked.cluster):
            without = counts.filter(pl.col(key).is_null())
            if n_null := int(without[N].sum()) + int(without[MISSING].sum()):
                raise DesignError(
                    f"{key!r} is null or NaN in {n_null} trials; arms and clusters need a value "
                    "in every row: fill it in or filter those trials out"
                )
        if strata and checked.cluster:
            kinds = counts.select(*cells).unique(subset=[*checked.by, *checked.cluster, *strata])
            apart = kinds.group_by([*checked.by, *checked.cluster]).len().filter(pl.col("len") > 1)
            if apart.height:
                raise DesignError(
                    f"{apart.height} clusters lie in several strata; a cluster is shuffled as a "
                    "whole, so that it must lie in one: name the stratum in cluster= too, if its "
                    "parts are independent"
                )
        return cls(counts, checked.by, names, checked.cluster, list(strata))

    def levels(self, key: str) -> pl.Series:
        """Return the values of a column that tells arms apart, sorted."""
        return self.counts[key].unique().sort()

    def arms(
        self, *arms: Mapping[str, Any]
    ) -> tuple[pl.DataFrame, pl.Series | None, pl.Series | None, list[pl.Series]]:
        """Lay out arms, each given by its values of the keys, per cell, stratum and cluster.

        Returns:
            The cells, all of them, sorted, with `n_missing` of these arms; how many strata each
            has (nothing where there are none); how many clusters each has, or each stratum
            (nothing where trials are independent); and of each arm a column of trials and one
            of successes, with a row for each cluster.
        """
        chosen = [
            pl.all_horizontal(pl.col(key) == pl.lit(value) for key, value in arm.items())
            for arm in arms
        ]
        columns = [
            pl.col(part).filter(arm).sum().alias(f"{part}.{place}")
            for place, arm in enumerate(chosen)
            for part in (N, SUCCESSES)
        ]
        lost = pl.col(MISSING).filter(pl.any_horizontal(chosen)).sum()
        within = [*self.by, *self.strata]
        keys = list(dict.fromkeys([*within, *self.cluster]))
        rows = grouped(self.counts.lazy(), keys, [*columns, lost]).collect()
        names = [column.meta.output_name() for column in columns]
        parts = [pl.len().alias(N), pl.col(MISSING).sum()]
        cells = grouped(rows.lazy(), within, parts).collect()
        if within:
            # Rows in the order of their cells.
            place = cells.select(within).with_row_index(_CELL)
            rows = rows.join(place, on=within, how="left", nulls_equal=True).sort(_CELL)
        lengths = cells[N].cast(pl.UInt64) if self.cluster else None
        strata = None
        if self.strata:
            cells = grouped(cells.lazy(), self.by, parts).collect()
            strata = cells[N].cast(pl.UInt64)
        cells = cells.rename({MISSING: "n_missing"}).drop(N)
        return cells, strata, lengths, [rows[name] for name in names]
