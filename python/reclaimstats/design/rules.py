"""Trials that several scorers have read, counted by what each says beside the first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.design.clusters import keyed
from reclaimstats.design.columns import as_lazy, column_names, expression, listed, not_results
from reclaimstats.design.levels import apart, level_of, one_level
from reclaimstats.design.names import OUTCOME, PREFIX, N
from reclaimstats.design.outcomes import Outcome
from reclaimstats.errors import ColumnError, DesignError, OptionError

__all__ = [
    "Rules",
    "named",
]


def named(scorers: object, *, least: int) -> dict[str, Any]:
    """Return scorers as they are if they are a mapping from names, of at least so many."""
    if not isinstance(scorers, Mapping) or not all(isinstance(name, str) for name in scorers):
        raise OptionError(
            f"scorers must be a mapping from names to expressions; received {scorers!r}"
        )
    if len(scorers) < least:
        raise OptionError(f"scorers must hold at least {least}; received {list(scorers)}")
    return dict(scorers)


@dataclass(frozen=True, slots=True)
class Rules:
    """Trials of several arms, of which one is the baseline, scored by several rules and counted.

    Attributes:
        counts: Trials per cell, arm and cluster by what each rule says beside what the first
            says: 0, 1 or 2 for nothing.
        names: The rules' names, the first of which the others are compared with.
        by: Columns that tell cells apart.
        contrast: Column that tells arms apart.
        baseline: Its value in the baseline.
        cluster: Columns that tell clusters apart, empty where trials are independent.
    """

    counts: pl.DataFrame
    names: list[str]
    by: list[str]
    contrast: str
    baseline: Any
    cluster: list[str]

    @classmethod
    def of(
        cls,
        trials: Any,
        rules: Mapping[str, str | pl.Expr],
        *,
        contrast: str,
        baseline: Any,
        cluster: str | Sequence[str] | None,
        by: str | Sequence[str] | None,
        result_columns: Sequence[str],
    ) -> "Rules":
        """Check columns, count, and check what was counted. This reads the trials once.

        Raises:
            ColumnError: See `Trials.of`; or an outcome is not 0 or 1.
            DesignError: The baseline does not occur or is alone, or an arm or cluster is null.
        """
        frame = as_lazy(trials)
        cells, clusters = listed(by), listed(cluster)
        schema = frame.collect_schema()
        outcomes = {
            f"{OUTCOME}.{number}": expression(schema, rule, argument=f"rule {name!r}")
            for number, (name, rule) in enumerate(rules.items())
        }
        one_level(contrast, baseline)
        for argument, names in {"by": cells, "contrast": [contrast], "cluster": clusters}.items():
            column_names(schema, names, argument=argument)
        apart(contrast, by=cells, cluster=clusters)
        not_results(cells, result_columns)
        frame = keyed(frame, [contrast, *clusters])
        keys = list(dict.fromkeys([*cells, contrast, *clusters]))
        frame = frame.with_columns(**outcomes).select(*keys, *outcomes)
        types = frame.collect_schema()
        read = {
            column: Outcome.of(types[column], name, column)
            for column, name in zip(outcomes, rules, strict=True)
        }
        invalid = [outcome.invalid.sum().alias(column) for column, outcome in read.items()]
        first, *others = (
            pl.when(~outcome.observed).then(2).otherwise(outcome.hit.cast(pl.Int32))
            for outcome in read.values()
        )
        pairs = [
            (first * 3 + other == pair).sum().cast(pl.UInt64).alias(f"{PREFIX}{number}.{pair}")
            for number, other in enumerate(others, start=1)
            for pair in range(9)
        ]
        counts = (
            frame.group_by(keys)
            .agg(pl.len().alias(N), *invalid, *pairs)
            .collect(engine="streaming" if isinstance(trials, pl.LazyFrame) else "auto")
        )
        for name, column in zip(rules, read, strict=True):
            if n_invalid := counts[column].sum():
                raise ColumnError(
                    f"rule {name!r} gives {n_invalid} values other than 0 and 1; an outcome is "
                    "needed, not an answer: for example pl.col('answer') == pl.col('truth')"
                )
        for key in (contrast, *clusters):
            if n_null := counts.filter(pl.col(key).is_null())[N].sum():
                raise DesignError(
                    f"{key!r} is null or NaN in {n_null} trials; arms and clusters need a value "
                    "in every row: fill it in or filter those trials out"
                )
        level = level_of(counts[contrast].unique().sort(), baseline)
        return cls(counts, list(rules), cells, contrast, level, clusters)

    def against_first(self, number: int) -> tuple[pl.DataFrame, pl.Series | None, list[pl.Series]]:
        """Lay out what a rule says beside the first rule, per cell and arm but the baseline.

        Returns:
            The cells, how many clusters each has (nothing where trials are independent), and 18
            columns of counts, a row for each cluster: of the arm, then of the baseline, the pairs
            of verdicts.
        """
        pairs, *sides = (
            [f"{PREFIX}{name}.{pair}" for pair in range(9)]
            for name in (number, "treatment", "baseline")
        )
        is_baseline = pl.col(self.contrast) == pl.lit(self.baseline)
        rows = self.counts.select(*self._keys, *pairs)
        treated = rows.filter(~is_baseline)
        untreated = rows.filter(is_baseline).drop(self.contrast)
        levels = treated.select(self._cell).unique()
        if self.by:
            untreated = levels.join(untreated, on=self.by, nulls_equal=True)
        else:
            untreated = levels.join(untreated, how="cross")
        # Clusters that only one of the arms has keep a row, with no trials on the other side.
        both = pl.concat(
            [
                treated.rename(dict(zip(pairs, sides[0], strict=True))),
                untreated.rename(dict(zip(pairs, sides[1], strict=True))),
            ],
            how="diagonal",
        )
        clusters = both.group_by(self._keys).agg(pl.col(*sides[0], *sides[1]).sum())
        clusters = clusters.sort(self._cell)
        cells = clusters.group_by(self._cell, maintain_order=True).len(N)
        lengths = cells[N].cast(pl.UInt64) if self.cluster else None
        dtype = self.counts.schema[self.contrast]
        cells = cells.select(
            *self.by,
            pl.lit(self.names[0]).alias("first"),
            pl.lit(self.names[number]).alias("second"),
            pl.col(self.contrast).alias("treatment_level"),
            pl.lit(self.baseline).cast(dtype).alias("baseline_level"),
        )
        return cells, lengths, [clusters[name] for name in (*sides[0], *sides[1])]

    @property
    def _cell(self) -> list[str]:
        return [*self.by, self.contrast]

    @property
    def _keys(self) -> list[str]:
        return list(dict.fromkeys([*self._cell, *self.cluster]))
