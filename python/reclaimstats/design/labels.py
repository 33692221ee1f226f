"""Trials that are positive or negative, beside what a detector says of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.design.cells import grouped
from reclaimstats.design.clusters import keyed, refuse_nulls
from reclaimstats.design.columns import as_lazy, column_names, expression, listed, not_results
from reclaimstats.design.names import INVALID, ITEM, PREFIX, N
from reclaimstats.design.outcomes import Outcome
from reclaimstats.design.scores import beyond_doubles
from reclaimstats.errors import ColumnError, DesignError

__all__ = [
    "LABEL",
    "SAID",
    "Labelled",
]

LABEL = f"{PREFIX}label"
SAID = f"{PREFIX}said"
_KNOWN = f"{PREFIX}known"
_INVALID_SAID = f"{PREFIX}invalid_said"


@dataclass(frozen=True, slots=True)
class Labelled:
    """Trials that are positive or negative, and what a detector says of them, checked.

    Attributes:
        cells: The cells, sorted, with `n_missing` trials.
        rows: Of the others, those with a label and a word of the detector, sorted by keys: the key
            columns, `LABEL`, `SAID`, and how many such trials there are as `N`.
        by: Columns that tell cells apart.
        cluster: Columns that tell clusters apart, empty where trials are independent.
        pair: Columns that tell pairs apart, empty where there are none.
    """

    cells: pl.DataFrame
    rows: pl.DataFrame
    by: list[str]
    cluster: list[str]
    pair: list[str]

    @classmethod
    def of(
        cls,
        trials: Any,
        label: str | pl.Expr,
        said: str | pl.Expr,
        *,
        argument: str,
        by: str | Sequence[str] | None,
        cluster: str | Sequence[str] | None,
        pair: str | Sequence[str] | None,
        result_columns: Sequence[str],
    ) -> "Labelled":
        """Check columns and values. This reads the trials once.

        Args:
            trials: See `as_lazy`.
            label: Name or expression of what a trial is: 0 or 1.
            said: Name or expression of what the detector says: 0 or 1, or a score.
            argument: What `said` is called: "detected" if it is 0 or 1.
            by: Columns that tell cells apart.
            cluster: Columns that tell clusters apart.
            pair: Columns that tell pairs apart.
            result_columns: Names that `by` must leave to the result.

        Raises:
            ColumnError: A column is missing or of the wrong type, or a value is not 0 or 1.
            DesignError: A cluster or a pair is null, or a pair lies in several clusters.
        """
        frame = as_lazy(trials)
        cells, clusters, pairs = listed(by), listed(cluster), listed(pair)
        schema = frame.collect_schema()
        values = {
            LABEL: expression(schema, label, argument="label"),
            SAID: expression(schema, said, argument=argument),
        }
        for name, names in {"by": cells, "cluster": clusters, "pair": pairs}.items():
            column_names(schema, names, argument=name)
        not_results(cells, result_columns)
        frame = keyed(frame, [*clusters, *pairs])
        inner = [f"{ITEM}{name}" for name in pairs]
        keys = list(dict.fromkeys([*cells, *clusters]))
        moved = [pl.col(name).alias(f"{ITEM}{name}") for name in pairs]
        frame = frame.with_columns(**values).select(*keys, *moved, LABEL, SAID)
        types = frame.collect_schema()
        truth = Outcome.of(types[LABEL], str(label), LABEL, argument="label")
        if argument == "detected":
            word = Outcome.of(types[SAID], str(said), SAID, argument="detected")
            read, observed, invalid = word.hit, word.observed, word.invalid
        else:
            read, observed, invalid = _scores(types[SAID], str(said))
        counts = frame.select(
            *keys,
            *inner,
            truth.hit.cast(pl.Int8).alias(LABEL),
            read.alias(SAID),
            (truth.observed & observed).alias(_KNOWN),
            truth.invalid.alias(INVALID),
            invalid.alias(_INVALID_SAID),
        )
        if argument == "detected":
            counts = counts.group_by(pl.all()).agg(pl.len().cast(pl.UInt64).alias(N))
        else:
            # Scores are seldom alike: a row each.
            counts = counts.with_columns(pl.lit(1, pl.UInt64).alias(N))
        table = counts.collect(engine="streaming" if isinstance(trials, pl.LazyFrame) else "auto")
        for column, name in {
            INVALID: f"label {label!s:.60}",
            _INVALID_SAID: f"{argument} {said!s:.60}",
        }.items():
            if n_invalid := table.filter(column)[N].sum():
                if column == _INVALID_SAID and argument != "detected":
                    raise ColumnError(
                        f"{name} holds {n_invalid} whole numbers beyond 2^53, which lose digits; "
                        "subtract a constant first"
                    )
                raise ColumnError(
                    f"{name} holds {n_invalid} values other than 0 and 1; turn it into one first, "
                    "for example pl.col('score') > 0.5"
                )
        refuse_nulls(table, dict.fromkeys(clusters, "cluster") | dict.fromkeys(inner, "pair"))
        missing = pl.col(N).filter(~pl.col(_KNOWN)).sum().cast(pl.Int64).alias("n_missing")
        rows = table.filter(_KNOWN).drop(_KNOWN, INVALID, _INVALID_SAID)
        whole = list(dict.fromkeys([*cells, *inner]))
        if clusters and inner:
            split = rows.select(*keys, *inner).unique().group_by(whole).len(N).filter(pl.col(N) > 1)
            if split.height:
                raise DesignError(
                    f"{split.height} pairs have trials in more than one cluster {clusters}; a "
                    "cluster must hold whole pairs: choose a cluster column that both share"
                )
        return cls(
            cells=grouped(table.lazy(), cells, [missing]).collect(),
            rows=rows.sort(*keys, *inner) if keys or inner else rows,
            by=cells,
            cluster=clusters,
            pair=inner,
        )

    @property
    def keys(self) -> list[str]:
        """Columns that tell clusters apart in all cells."""
        return list(dict.fromkeys([*self.by, *self.cluster]))

    def pair_numbers(self) -> pl.Series:
        """Return a number for each row, equal in a pair and no other."""
        whole = pl.struct(*self.keys, *self.pair)
        return self.rows.select(whole.rle_id().cast(pl.UInt64)).to_series()


def _scores(dtype: pl.DataType, name: str) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """Read a column of scores: the number, whether it is there, and whether it makes no sense."""
    if not (dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)):
        raise ColumnError(f"score {name!r} has type {dtype}; it must be numbers")
    score = pl.col(SAID).cast(pl.Float64)
    observed = score.is_not_null() & score.is_not_nan().fill_null(False)
    return score, observed, beyond_doubles(pl.col(SAID), dtype)
