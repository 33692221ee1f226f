"""From trials to cells, clusters and pairs: the only place that decides what those are."""

import difflib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
import polars.selectors as cs

from reclaimstats.errors import ColumnError, DesignError, OptionError

__all__ = [
    "PAIR_COUNTS",
    "SUCCESSES",
    "SUCCESSES_BASELINE",
    "VALUES",
    "Arms",
    "N",
    "Outcome",
    "Rules",
    "Scores",
    "Trials",
    "as_lazy",
    "column_names",
    "expression",
    "finished",
    "flat",
    "grouped",
    "listed",
    "named",
    "not_results",
]

# Names of intermediate columns start with this, so that no user's column can meet them.
_PREFIX = "reclaimstats."
_OUTCOME = f"{_PREFIX}outcome"
N = f"{_PREFIX}n"
SUCCESSES = f"{_PREFIX}successes"
MISSING = f"{_PREFIX}missing"
INVALID = f"{_PREFIX}invalid"
NULL_CLUSTER = f"{_PREFIX}null_cluster"
VALUES = f"{_PREFIX}values"
PAIRS = f"{_PREFIX}pairs"
SUCCESSES_BASELINE = f"{_PREFIX}successes_baseline"
TREATMENT_ONLY = f"{_PREFIX}treatment_only"
MATCHED = f"{_PREFIX}matched"
UNPAIRED = f"{_PREFIX}unpaired"
PARTNER = f"{_PREFIX}partner"
SPLIT = f"{_PREFIX}split"
# In the order in which the core takes them.
PAIR_COUNTS = (PAIRS, SUCCESSES, SUCCESSES_BASELINE, TREATMENT_ONLY)


def as_lazy(trials: Any) -> pl.LazyFrame:
    """Return `trials` as a LazyFrame: a Polars frame or any Arrow-compatible table."""
    if isinstance(trials, pl.LazyFrame):
        return trials
    if isinstance(trials, pl.DataFrame):
        return trials.lazy()
    if hasattr(trials, "__arrow_c_stream__"):
        return pl.DataFrame(trials).lazy()
    raise ColumnError(
        f"trials must be a Polars DataFrame or LazyFrame, or a table with the Arrow "
        f"C stream interface (pyarrow, pandas, DuckDB); received {type(trials).__name__}"
    )


def listed(columns: str | Sequence[str] | None) -> list[str]:
    """Return one name, several names or nothing as a list without repeats."""
    if columns is None:
        return []
    names = [columns] if isinstance(columns, str) else columns
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ColumnError(
            f"column arguments take a name or a list of names; received {columns!r}. "
            "Add an expression as a column first, with with_columns"
        )
    return list(dict.fromkeys(names))


def column_names(schema: Iterable[str], names: Sequence[str], *, argument: str) -> None:
    """Check that every name is a column; the message lists near names."""
    known = list(schema)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {known}"
            raise ColumnError(f"{argument}: no column {name!r}; {hint}")


def not_results(by: Iterable[str], result_columns: Sequence[str]) -> None:
    """Check that no column of `by` has the name of a result's."""
    for column in by:
        if column in result_columns:
            raise ColumnError(
                f"by: column {column!r} has the name of a result column; rename it first, "
                f"for example trials.rename({{{column!r}: 'my_{column}'}})"
            )


def expression(schema: Iterable[str], value: object, *, argument: str) -> pl.Expr:
    """Return a name or an expression as an expression of one column that exists."""
    if isinstance(value, str):
        column_names(schema, [value], argument=argument)
        return pl.col(value)
    if not isinstance(value, pl.Expr):
        raise ColumnError(f"{argument} must be a name or an expression; received {value!r}")
    column_names(schema, value.meta.root_names(), argument=argument)
    if value.meta.has_multiple_outputs():
        raise ColumnError(f"{argument} {value} stands for several columns; name one")
    return value


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
class Outcome:
    """A 0/1 outcome as expressions: what was observed, what was hit, what makes no sense."""

    observed: pl.Expr
    hit: pl.Expr
    invalid: pl.Expr

    @classmethod
    def of(cls, dtype: pl.DataType, name: str, column: str = _OUTCOME) -> "Outcome":
        """Read a column of that type; `name` is for messages."""
        value = pl.col(column)
        if dtype == pl.Boolean or dtype == pl.Null:
            boolean = value.cast(pl.Boolean)
            return cls(boolean.is_not_null(), boolean.fill_null(False), pl.lit(False))
        if not dtype.is_numeric():
            raise ColumnError(
                f"outcome {name!r} has type {dtype}; it must be Boolean or numbers 0 and 1. "
                "Turn it into one first, for example pl.col('outcome') == 'recovered'"
            )
        observed = value.is_not_null()
        if dtype.is_float():
            observed &= value.is_not_nan().fill_null(False)
        hit = (value == 1).fill_null(False)
        return cls(observed, hit, observed & ~hit & (value != 0).fill_null(False))


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
        not_results(cells, result_columns)
        keep = dict.fromkeys(itertools.chain(cells, clusters, *others.values()))
        # A literal outcome stands for every row, which a plain select would make one.
        frame = frame.with_columns(value.alias(_OUTCOME)).select(*keep, _OUTCOME)
        return cls(
            frame=frame,
            outcome=Outcome.of(frame.collect_schema()[_OUTCOME], name),
            name=name,
            by=cells,
            cluster=clusters,
            engine="streaming" if isinstance(trials, pl.LazyFrame) else "auto",
        )

    def cells(self) -> pl.DataFrame:
        """Count per cell: `N` observed and `SUCCESSES` among them."""
        return self._checked(grouped(self.frame, self.by, self._counts()))

    def cell_clusters(self) -> pl.DataFrame:
        """Count per cell and cluster: `N` and `SUCCESSES` as lists over clusters."""
        keys = list(dict.fromkeys([*self.by, *self.cluster]))
        no_cluster = pl.any_horizontal(pl.col(self.cluster).is_null()).alias(NULL_CLUSTER)
        clusters = self.frame.group_by(keys).agg(*self._counts()).with_columns(no_cluster)
        lost = pl.when(NULL_CLUSTER).then(pl.col(N) + pl.col(MISSING)).otherwise(0)
        cells = grouped(
            clusters,
            self.by,
            [
                pl.col(N, SUCCESSES).implode(),
                pl.col(MISSING, INVALID).sum(),
                lost.sum().alias(NULL_CLUSTER),
            ],
        )
        return self._checked(cells)

    def cell_sequences(self) -> pl.DataFrame:
        """List per cell, as `SUCCESSES`, the observed outcomes 0 and 1 in row order."""
        observed = self.outcome.hit.cast(pl.Int8).filter(self.outcome.observed)
        values = observed.implode().alias(SUCCESSES)
        _, _, *counts = self._counts()
        return self._checked(grouped(self.frame, self.by, [values, *counts], in_order=True))

    def _counts(self) -> list[pl.Expr]:
        parts = {
            N: self.outcome.observed,
            SUCCESSES: self.outcome.hit,
            MISSING: ~self.outcome.observed,
            INVALID: self.outcome.invalid,
        }
        # Unsigned where the core reads them, signed where a user does.
        types = {N: pl.UInt64, SUCCESSES: pl.UInt64}
        return [
            part.sum().cast(types.get(name, pl.Int64)).alias(name) for name, part in parts.items()
        ]

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
            wrong = self.frame.filter(self.outcome.invalid).select(pl.col(_OUTCOME).unique())
            examples = wrong.sort(_OUTCOME).head(3).collect(engine=self.engine)[_OUTCOME].to_list()
            raise ColumnError(
                f"outcome {self.name!r} holds {n_invalid} values other than 0 and 1, such as "
                f"{', '.join(map(str, examples))}; a rate needs 0 and 1 (or null for missing)"
            )


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
    ) -> "Scores":
        """Check columns and types; nothing is computed yet.

        Raises:
            ColumnError: A column is missing, of the wrong type, or named like a result's.
        """
        frame = as_lazy(trials)
        cells, clusters = listed(by), listed(cluster)
        schema = frame.collect_schema()
        value, name = expression(schema, score, argument="score"), str(score)
        for argument, names in {"by": cells, "cluster": clusters}.items():
            column_names(schema, names, argument=argument)
        not_results(cells, result_columns)
        keep = list(dict.fromkeys([*cells, *clusters]))
        frame = frame.with_columns(value.alias(_OUTCOME)).select(*keep, _OUTCOME)
        dtype = frame.collect_schema()[_OUTCOME]
        if not (dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)):
            raise ColumnError(f"score {name!r} has type {dtype}; it must be numbers or Boolean")
        number = pl.col(_OUTCOME).cast(pl.Float64).fill_nan(None)
        return cls(
            frame=frame.with_columns(number),
            name=name,
            by=cells,
            cluster=clusters,
            engine="streaming" if isinstance(trials, pl.LazyFrame) else "auto",
        )

    def cells(self) -> pl.DataFrame:
        """List per cell, as `VALUES`, the scores that are not missing."""
        values = pl.col(_OUTCOME).drop_nulls().implode().alias(VALUES)
        return self._checked(grouped(self.frame, self.by, [values, *self._counts()]))

    def cell_clusters(self) -> pl.DataFrame:
        """List per cell the scores as `VALUES`, cluster after cluster, and their number as `N`."""
        keys = list(dict.fromkeys([*self.by, *self.cluster]))
        value = pl.col(_OUTCOME)
        clusters = self.frame.group_by(keys).agg(
            value.drop_nulls().alias(VALUES),
            value.count().cast(pl.UInt64).alias(N),
            *self._counts(),
        )
        no_cluster = pl.any_horizontal(pl.col(self.cluster).is_null())
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
        return self._checked(cells)

    def _counts(self) -> list[pl.Expr]:
        value = pl.col(_OUTCOME)
        parts = {MISSING: value.is_null(), INVALID: value.is_infinite().fill_null(False)}
        return [part.sum().cast(pl.Int64).alias(name) for name, part in parts.items()]

    def _checked(self, cells: pl.LazyFrame) -> pl.DataFrame:
        """Collect, and raise if a score is infinite or a cluster null."""
        table = cells.collect(engine=self.engine)
        if infinite := int(table[INVALID].sum()):
            raise ColumnError(
                f"score {self.name!r} is infinite in {infinite} trials, which have no mean; "
                "set those to null to count them as missing"
            )
        if NULL_CLUSTER in table.columns:
            no_null_clusters(self.cluster, int(table[NULL_CLUSTER].sum()))
        return table.rename({MISSING: "n_missing"})


def no_null_clusters(cluster: list[str], n_null: int) -> None:
    """Raise if any trial has no cluster."""
    if n_null:
        raise DesignError(
            f"cluster {cluster} is null in {n_null} trials; fill it in or filter those "
            "trials out: a trial without a cluster cannot be placed"
        )


def one_level(contrast: object, baseline: object) -> None:
    """Check that the contrast is a column name and the baseline one of its possible values."""
    if not isinstance(contrast, str):
        raise ColumnError(f"contrast takes one column name; received {contrast!r}")
    if isinstance(baseline, pl.Series | pl.Expr | list) or getattr(baseline, "ndim", None):
        raise OptionError(f"baseline must be one value of {contrast!r}; received {baseline!r}")


def level_of(levels: pl.Series, baseline: object) -> Any:
    """Return the baseline as the data spell it, among all the levels that occur."""
    names = levels.to_list()
    if baseline not in names:
        raise DesignError(
            f"baseline={baseline!r} does not occur in {levels.name!r}, which holds "
            f"{', '.join(map(repr, names[:8]))}"
        )
    if len(names) == 1:
        raise DesignError(
            f"{levels.name!r} holds only the baseline {baseline!r}; there is no arm "
            "to compare it with"
        )
    return names[names.index(baseline)]


@dataclass(frozen=True, slots=True)
class Arms:
    """Trials of several arms, of which one is the baseline, paired by common keys.

    Attributes:
        trials: The trials, with columns checked.
        contrast: Column that tells arms apart.
        baseline: Its value in the baseline.
        pair_by: Columns whose values two trials share to be a pair.
    """

    trials: Trials
    contrast: str
    baseline: Any
    pair_by: list[str]

    @classmethod
    def of(
        cls,
        trials: Any,
        outcome: str | pl.Expr,
        *,
        contrast: str,
        baseline: Any,
        pair_by: str | Sequence[str],
        cluster: str | Sequence[str] | None,
        by: str | Sequence[str] | None,
        result_columns: Sequence[str],
    ) -> "Arms":
        """Check columns, levels and keys. This reads the trials once.

        Raises:
            ColumnError: See `Trials.of`; or an outcome is not 0 or 1.
            DesignError: The arms cannot be told apart or the pairs are not unique.
        """
        checked = Trials.of(
            trials,
            outcome,
            by=by,
            cluster=cluster,
            result_columns=result_columns,
            contrast=listed(contrast),
            pair_by=listed(pair_by),
        )
        one_level(contrast, baseline)
        arms = cls(checked, contrast, baseline, listed(pair_by))
        for argument, names in {
            "by": checked.by,
            "pair_by": arms.pair_by,
            "cluster": checked.cluster,
        }.items():
            if contrast in names:
                raise DesignError(f"{argument} must not hold the contrast {contrast!r} itself")
        if not arms.pair_by:
            raise DesignError("pair_by is empty; name the columns that make two trials a pair")
        return replace(arms, baseline=arms._checked_level())

    def _checked_level(self) -> Any:
        """Return the baseline as the data spell it, once everything else is in order."""
        frame, invalid = self.trials.frame, self.trials.outcome.invalid
        identity = list(dict.fromkeys([*self.trials.by, self.contrast, *self.pair_by]))
        keys = [self.contrast, *self.pair_by, *self.trials.cluster]
        health = frame.select(invalid.sum().alias(INVALID), pl.col(keys).null_count())
        levels = frame.select(pl.col(self.contrast).unique().sort())
        repeats = frame.group_by(identity).len(N).filter(pl.col(N) > 1)
        found, arms, repeated = pl.collect_all(
            [health, levels, repeats.sort(identity)], engine=self.trials.engine
        )
        self.trials.refuse_invalid(found[INVALID].item())
        for key in keys:
            if n_null := found[key].item():
                raise DesignError(
                    f"{key!r} is null in {n_null} trials; arms, pairs and clusters need a value "
                    "in every row: fill it in or filter those trials out"
                )
        level = level_of(arms[self.contrast], self.baseline)
        if repeated.height:
            shown = [str(row) for row in repeated.drop(N).head(3).rows(named=True)]
            raise DesignError(
                f"{repeated.height} pair keys occur more than once, such as {'; '.join(shown)}; "
                "add the columns that tell those trials apart to pair_by or by"
            )
        return level

    def cells(self) -> pl.DataFrame:
        """Count per cell and arm: the `PAIR_COUNTS` and what was left unpaired or missing."""
        cells = self._joined().group_by(self._cell).agg(*self._pair_counts(), *self._others())
        return self._with_baseline(cells)

    def cell_clusters(self) -> pl.DataFrame:
        """Count per cell, arm and cluster: the `PAIR_COUNTS` as lists over clusters."""
        keys = list(dict.fromkeys([*self._cell, *self.trials.cluster]))
        clusters = self._joined().group_by(keys).agg(*self._pair_counts(), *self._others())
        cells = clusters.group_by(self._cell).agg(
            pl.col(PAIR_COUNTS).implode(), pl.col(MATCHED, UNPAIRED, MISSING, SPLIT).sum()
        )
        return self._with_baseline(cells)

    def cell_sequences(self) -> pl.DataFrame:
        """Outcomes per cell and arm: both arms' as lists of 0 and 1, sorted by `pair_by`."""
        paired = pl.col(PAIRS)
        arms = [
            pl.col(name).filter(paired).cast(pl.Int8).implode()
            for name in (SUCCESSES, SUCCESSES_BASELINE)
        ]
        ordered = self._joined().sort([*self._cell, *self.pair_by])
        cells = ordered.group_by(self._cell, maintain_order=True).agg(*arms, *self._others())
        return self._with_baseline(cells)

    @property
    def _cell(self) -> list[str]:
        return [*self.trials.by, self.contrast]

    @property
    def _keys(self) -> list[str]:
        return list(dict.fromkeys([*self.trials.by, *self.pair_by]))

    def _joined(self) -> pl.LazyFrame:
        """One row per trial of an arm other than the baseline, beside its partner if any."""
        keys = self._keys
        moved = [name for name in self.trials.cluster if name not in keys]
        rows = self.trials.frame.select(
            *keys,
            self.contrast,
            *moved,
            self.trials.outcome.observed.alias(N),
            self.trials.outcome.hit.alias(SUCCESSES),
        )
        is_baseline = pl.col(self.contrast) == pl.lit(self.baseline)
        partners = rows.filter(is_baseline).select(
            *keys,
            pl.col(N).alias(PARTNER),
            pl.col(SUCCESSES).alias(SUCCESSES_BASELINE),
            *(pl.col(name).alias(f"{_PREFIX}{name}") for name in moved),
        )
        same = [pl.col(name) == pl.col(f"{_PREFIX}{name}") for name in moved]
        paired = pl.col(N) & pl.col(PARTNER).fill_null(False)
        return (
            rows.filter(~is_baseline)
            .join(partners, on=keys, how="left", nulls_equal=True)
            .with_columns(
                paired.alias(PAIRS),
                (paired & ~pl.all_horizontal(pl.lit(True), *same)).alias(SPLIT),
            )
        )

    def _pair_counts(self) -> list[pl.Expr]:
        paired = pl.col(PAIRS)
        treatment, baseline = pl.col(SUCCESSES), pl.col(SUCCESSES_BASELINE)
        counted = (paired, paired & treatment, paired & baseline, paired & treatment & ~baseline)
        return [
            part.sum().cast(pl.UInt64).alias(name)
            for name, part in zip(PAIR_COUNTS, counted, strict=True)
        ]

    def _others(self) -> list[pl.Expr]:
        """What is not a pair, beside the number of pairs itself."""
        parts = {
            MATCHED: pl.col(PAIRS),
            UNPAIRED: pl.col(N) & ~pl.col(PAIRS),
            MISSING: ~pl.col(N),
            SPLIT: pl.col(SPLIT),
        }
        return [part.sum().cast(pl.Int64).alias(name) for name, part in parts.items()]

    def _with_baseline(self, cells: pl.LazyFrame) -> pl.DataFrame:
        """Collect, with what of the baseline is unpaired or missing, cells sorted."""
        observed = self.trials.outcome.observed
        baseline = self.trials.frame.filter(pl.col(self.contrast) == pl.lit(self.baseline))
        totals = grouped(
            baseline,
            self.trials.by,
            [
                observed.sum().cast(pl.Int64).alias(PARTNER),
                (~observed).sum().cast(pl.Int64).alias(N),
            ],
        )
        if self.trials.by:
            joined = cells.join(totals, on=self.trials.by, how="left", nulls_equal=True)
        else:
            joined = cells.join(totals, how="cross")
        dtype = self.trials.frame.collect_schema()[self.contrast]
        table = (
            joined.sort(self._cell)
            .with_columns(pl.col(PARTNER, N).fill_null(0))
            .select(
                *self.trials.by,
                pl.col(self.contrast).alias("treatment_level"),
                pl.lit(self.baseline).cast(dtype).alias("baseline_level"),
                pl.col(UNPAIRED).alias("n_unpaired_treatment"),
                (pl.col(PARTNER) - pl.col(MATCHED)).alias("n_unpaired_baseline"),
                (pl.col(MISSING) + pl.col(N)).alias("n_missing"),
                cs.by_name(SPLIT, *PAIR_COUNTS, require_all=False),
            )
            .collect(engine=self.trials.engine)
        )
        if split := table[SPLIT].sum():
            raise DesignError(
                f"{split} pairs have their two trials in different clusters {self.trials.cluster}; "
                "a cluster must hold whole pairs: choose a cluster column that both arms share"
            )
        return table


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
            f"{_OUTCOME}.{number}": expression(schema, rule, argument=f"rule {name!r}")
            for number, (name, rule) in enumerate(rules.items())
        }
        one_level(contrast, baseline)
        for argument, names in {"by": cells, "contrast": [contrast], "cluster": clusters}.items():
            column_names(schema, names, argument=argument)
            if contrast in names and argument != "contrast":
                raise DesignError(f"{argument} must not hold the contrast {contrast!r} itself")
        not_results(cells, result_columns)
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
            (first * 3 + other == pair).sum().cast(pl.UInt64).alias(f"{_PREFIX}{number}.{pair}")
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
                    f"{key!r} is null in {n_null} trials; arms and clusters need a value in every "
                    "row: fill it in or filter those trials out"
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
            [f"{_PREFIX}{name}.{pair}" for pair in range(9)]
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


def grouped(
    frame: pl.LazyFrame, by: list[str], aggregates: list[pl.Expr], *, in_order: bool = False
) -> pl.LazyFrame:
    """Aggregate per cell, cells sorted; without `by`, the frame is the one cell."""
    if not by:
        return frame.select(aggregates)
    return frame.group_by(by, maintain_order=in_order).agg(aggregates).sort(by)


def flat(cells: pl.DataFrame, *lists: str) -> tuple[pl.Series, list[pl.Series]]:
    """Return how many values each cell's lists hold, and those lists end to end."""
    lengths = cells[lists[0]].list.len().cast(pl.UInt64)
    return lengths, [cells[name].explode(empty_as_null=False) for name in lists]


def finished(
    cells: pl.DataFrame, by: list[str], results: Any, columns: Sequence[str]
) -> pl.DataFrame:
    """Put the core's results beside their cells, in the order of `columns`."""
    table = pl.DataFrame(results)
    counted = [cells[name] if name in cells.columns else table[name] for name in columns]
    return pl.DataFrame([*cells.select(by), *counted])
