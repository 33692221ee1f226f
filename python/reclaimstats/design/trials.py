"""Trials of an outcome, counted by cell, by cluster or by item."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.counting import Kinds
from reclaimstats.design.cells import flat, grouped, keys_at, parts
from reclaimstats.design.clusters import keyed, no_null_clusters
from reclaimstats.design.columns import as_lazy, column_names, expression, listed, not_results
from reclaimstats.design.names import INVALID, MISSING, NULL_CLUSTER, OUTCOME, PREFIX, SUCCESSES, N
from reclaimstats.design.outcomes import Outcome
from reclaimstats.errors import ColumnError, DesignError

__all__ = ["Trials"]

_PLACE = f"{PREFIX}place"


@dataclass(frozen=True, slots=True)
class Trials:
    """Trials with their columns checked, still lazy.

    Attributes:
        frame: One row per trial; the outcome under an internal name.
        outcome: How to read it.
        name: The outcome's name, for messages.
        by: Columns that tell cells apart.
        cluster: Columns that tell clusters apart, empty where trials are independent.
        engine: Polars engine: streaming for lazy input, which may exceed memory.
    """

    frame: pl.LazyFrame
    outcome: Outcome
    name: str
    by: list[str]
    cluster: list[str]
    engine: Any

    @classmethod
    def of(
        cls,
        trials: Any,
        outcome: str | pl.Expr,
        *,
        by: str | Sequence[str] | None,
        cluster: str | Sequence[str] | None,
        result_columns: Sequence[str],
        **others: list[str],
    ) -> "Trials":
        """Check columns and types; nothing is computed yet.

        Args:
            trials: See `as_lazy`.
            outcome: Name or expression of the 0/1 outcome.
            by: Columns that tell cells apart.
            cluster: Columns that tell clusters apart.
            result_columns: Names that `by` must leave to the result.
            others: More column arguments to check, by argument name.

        Raises:
            ColumnError: A column is missing, of the wrong type, or named like a result's.
        """
        frame = as_lazy(trials)
        cells, clusters = listed(by), listed(cluster)
        schema = frame.collect_schema()
        value, name = expression(schema, outcome, argument="outcome"), str(outcome)
        for argument, names in {"by": cells, "cluster": clusters, **others}.items():
            column_names(schema, names, argument=argument)
            if argument not in ("by", "strata"):
                frame = keyed(frame, names)
        not_results(cells, result_columns)
        keep = dict.fromkeys(itertools.chain(cells, clusters, *others.values()))
        # A literal outcome stands for every row, which a plain select would make one.
        frame = frame.with_columns(value.alias(OUTCOME)).select(*keep, OUTCOME)
        return cls(
            frame=frame,
            outcome=Outcome.of(frame.collect_schema()[OUTCOME], name),
            name=name,
            by=cells,
            cluster=clusters,
            engine="streaming" if isinstance(trials, pl.LazyFrame) else "auto",
        )

    def cells(self) -> pl.DataFrame:
        """Count per cell: `N` observed and `SUCCESSES` among them."""
        if self.by and self.engine != "streaming":
            rows, kinds, (n, successes, missing) = self._kinds(self.by)
            cells = keys_at(rows, self.by, kinds.rows).with_columns(
                n.alias(N), successes.alias(SUCCESSES), missing.alias("n_missing")
            )
            return cells.sort(self.by)
        return self._checked(grouped(self.frame, self.by, self.counted()))

    def cell_clusters(self) -> tuple[pl.DataFrame, pl.Series, list[pl.Series]]:
        """Count per cell and cluster.

        Returns:
            The cells, sorted, with `n_missing`; how many clusters each has; and `N` and
            `SUCCESSES`, with a row for each cluster.
        """
        keys = list(dict.fromkeys([*self.by, *self.cluster]))
        no_cluster = pl.any_horizontal(pl.col(self.cluster).is_null()).alias(NULL_CLUSTER)
        if self.engine == "streaming":
            clusters = self.frame.group_by(keys).agg(*self.counted()).with_columns(no_cluster)
            lost = pl.when(NULL_CLUSTER).then(pl.col(N) + pl.col(MISSING)).otherwise(0)
            parts = [
                pl.col(N, SUCCESSES).implode(),
                pl.col(MISSING, INVALID).sum(),
                lost.sum().alias(NULL_CLUSTER),
            ]
            cells = self._checked(grouped(clusters, self.by, parts))
            return cells, *flat(cells, N, SUCCESSES)
        rows, kinds, (n, successes, missing) = self._kinds(keys, leading=len(self.by))
        no_null_clusters(self.cluster, rows.select(no_cluster.sum()).item())
        if not self.by:
            cells = pl.DataFrame({"n_missing": [missing.sum()]})
            return cells, pl.Series([len(n)], dtype=pl.UInt64), [n, successes]
        ends = kinds.lengths.cum_sum()
        starts = ends - kinds.lengths
        so_far = pl.concat([missing.clear(1).fill_null(0), missing.cum_sum()])
        cells = keys_at(rows, self.by, kinds.rows.gather(starts)).with_columns(
            (so_far.gather(ends) - so_far.gather(starts)).alias("n_missing"),
            starts.alias(_PLACE),
            kinds.lengths.alias(N),
        )
        cells = cells.sort(self.by)
        if not cells[_PLACE].is_sorted():
            start = pl.col(_PLACE)
            order = cells.select(pl.int_ranges(start, start + pl.col(N)).explode())[_PLACE]
            n, successes = n.gather(order), successes.gather(order)
        return cells.drop(_PLACE, N), cells[N], [n, successes]

    def items(self, item: list[str]) -> pl.DataFrame:
        """Count per cell, cluster and item: `N`, `SUCCESSES` and `MISSING`, sorted.

        Raises:
            DesignError: An item or a cluster is null.
        """
        keys = list(dict.fromkeys([*self.by, *self.cluster, *item]))
        items = self.frame.group_by(keys).agg(*self.counted()).sort(keys)
        table = items.collect(engine=self.engine)
        self.refuse_invalid(int(table[INVALID].sum()))
        for key in (*self.cluster, *item):
            lost = table.filter(pl.col(key).is_null()).select(pl.col(N).sum(), MISSING)
            if lost.height:
                n_null = lost[N][0] + lost[MISSING].sum()
                raise DesignError(
                    f"{key!r} is null or NaN in {n_null} trials; fill it in or filter those "
                    "trials out: repeats of nobody knows what cannot be told apart"
                )
        return table.drop(INVALID)

    def cell_sequences(self) -> pl.DataFrame:
        """List per cell, as `SUCCESSES`, the observed outcomes 0 and 1 in row order."""
        observed = self.outcome.hit.cast(pl.Int8).filter(self.outcome.observed)
        values = observed.implode().alias(SUCCESSES)
        _, _, *counts = self.counted()
        return self._checked(grouped(self.frame, self.by, [values, *counts], in_order=True))

    def parts(self, cells: pl.DataFrame, within: list[str]) -> tuple[list[pl.Series], pl.Series]:
        """See `parts`; outcomes as scores 0 and 1."""
        score = pl.when(self.outcome.observed).then(self.outcome.hit.cast(pl.Float64))
        frame = self.frame.with_columns(score.alias(OUTCOME))
        return parts(cells, frame.collect(engine=self.engine), self.by, self.cluster, within)

    def _kinds(
        self, keys: list[str], leading: int = 0
    ) -> tuple[pl.DataFrame, Kinds, list[pl.Series]]:
        """Count in memory: the keys of all rows, their kinds, `N`, `SUCCESSES` and `MISSING`."""
        words = self.outcome.word().alias(OUTCOME)
        rows = self.frame.select(*keys, words).collect(engine="in-memory")
        said = rows[OUTCOME]
        kinds = Kinds.of(rows.select(keys), said, 4, leading=leading)
        failures, successes, missing, invalid = kinds.counts
        self.refuse_invalid(int(invalid.sum()))
        return rows, kinds, [failures + successes, successes, missing.cast(pl.Int64)]

    def counted(self) -> list[pl.Expr]:
        """Count `N` observed trials, `SUCCESSES`, `MISSING` and `INVALID` outcomes."""
        parts = self.outcome.counts()
        # Unsigned where the core reads them, signed where a user does.
        types = {N: pl.UInt64, SUCCESSES: pl.UInt64}
        return [part.cast(types.get(name, pl.Int64)).alias(name) for name, part in parts.items()]

    def _checked(self, cells: pl.LazyFrame) -> pl.DataFrame:
        """Collect, and raise if an outcome or a cluster is not what it must be."""
        table = cells.collect(engine=self.engine)
        self.refuse_invalid(int(table[INVALID].sum()))
        if NULL_CLUSTER in table.columns:
            no_null_clusters(self.cluster, int(table[NULL_CLUSTER].sum()))
        return table.rename({MISSING: "n_missing"})

    def refuse_invalid(self, n_invalid: int) -> None:
        """Raise if any outcome was neither 0, 1 nor missing, showing some of them."""
        if n_invalid:
            wrong = self.frame.filter(self.outcome.invalid).select(pl.col(OUTCOME).unique())
            examples = wrong.sort(OUTCOME).head(3).collect(engine=self.engine)[OUTCOME].to_list()
            raise ColumnError(
                f"outcome {self.name!r} holds {n_invalid} values other than 0 and 1, such as "
                f"{', '.join(map(str, examples))}; it must be 0, 1 or null for missing. "
                "Scores are for rs.mean, rs.compare_means, rs.compare_means_unpaired and "
                "rs.equivalence_means"
            )
