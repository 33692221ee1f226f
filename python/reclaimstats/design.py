"""From trials to cells, clusters and pairs: the only place that decides what those are."""

import difflib
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
import polars.selectors as cs

from reclaimstats.errors import ColumnError, DesignError, OptionError

__all__ = [
    "CATEGORY",
    "LABEL",
    "MISSING",
    "MOVED",
    "NEGATIVE",
    "PAIRS",
    "PAIR_COUNTS",
    "PLACE",
    "POSITIVE",
    "SAID",
    "SUCCESSES",
    "SUCCESSES_BASELINE",
    "TIED",
    "VALUES",
    "VERDICTS",
    "Arms",
    "Counts",
    "Judgements",
    "Labelled",
    "N",
    "Outcome",
    "Ratings",
    "Rules",
    "Scores",
    "Trials",
    "as_lazy",
    "beyond_doubles",
    "column_names",
    "expression",
    "finished",
    "flat",
    "grouped",
    "listed",
    "named",
    "nested",
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
PLACE = f"{_PREFIX}place"
POSITIVE = f"{_PREFIX}positive"
NEGATIVE = f"{_PREFIX}negative"
TIED = f"{_PREFIX}tied"
_RATING = f"{_PREFIX}rating"
_RATER = f"{_PREFIX}rater"
_ITEM = f"{_PREFIX}item."
CATEGORY = f"{_PREFIX}category"
_KIND = f"{_PREFIX}kind"
LABEL = f"{_PREFIX}label"
SAID = f"{_PREFIX}said"
_GROUP = f"{_PREFIX}group."
_SIDES = (f"{_PREFIX}a", f"{_PREFIX}b")
_PLACE = f"{_PREFIX}place"
_VERDICT = f"{_PREFIX}verdict"
# In the order in which the core takes them: shown first, then second.
VERDICTS = tuple(
    f"{_VERDICT}.{place}.{word}" for place in (True, False) for word in ("win", "loss", "tie")
)
MOVED = tuple(
    f"{_PREFIX}moved.{what}" for what in ("first", "second", "both", "repeated", "consistent")
)
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


def keyed(frame: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Make NaN null in keys: neither tells arms, pairs or clusters apart; both are refused."""
    schema = frame.collect_schema()
    floats = [name for name in keys if schema[name].is_float()]
    return frame.with_columns(pl.col(floats).fill_nan(None)) if floats else frame


def not_results(by: Iterable[str], result_columns: Sequence[str], *, argument: str = "by") -> None:
    """Check that no column of `by` has the name of a result's."""
    for column in by:
        if column in result_columns:
            raise ColumnError(
                f"{argument}: column {column!r} has the name of a result column; rename it first, "
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
    """A 0/1 outcome as expressions: what was observed, what was hit, what makes no sense.

    A Boolean is also there as it is, because Polars counts its bits.
    """

    observed: pl.Expr
    hit: pl.Expr
    invalid: pl.Expr
    boolean: pl.Expr | None = None

    @classmethod
    def of(
        cls, dtype: pl.DataType, name: str, column: str = _OUTCOME, *, argument: str = "outcome"
    ) -> "Outcome":
        """Read a column of that type; `argument` and `name` are for messages."""
        value = pl.col(column)
        if dtype == pl.Boolean or dtype == pl.Null:
            boolean = value.cast(pl.Boolean)
            return cls(boolean.is_not_null(), boolean.fill_null(False), pl.lit(False), boolean)
        if not dtype.is_numeric():
            raise ColumnError(
                f"{argument} {name!r} has type {dtype}; it must be Boolean or numbers 0 and 1. "
                f"Turn it into one first, for example pl.col({argument!r}) == 'yes'"
            )
        observed = value.is_not_null()
        if dtype.is_float():
            observed &= value.is_not_nan().fill_null(False)
        hit = (value == 1).fill_null(False)
        return cls(observed, hit, observed & ~hit & (value != 0).fill_null(False))

    def counts(self) -> dict[str, pl.Expr]:
        """Aggregate to the numbers of trials `N`, `SUCCESSES`, `MISSING` and `INVALID`."""
        if self.boolean is not None:
            return {
                N: self.boolean.count(),
                SUCCESSES: self.boolean.sum(),
                MISSING: self.boolean.null_count(),
                INVALID: pl.lit(0),
            }
        return {
            N: self.observed.sum(),
            SUCCESSES: self.hit.sum(),
            MISSING: (~self.observed).sum(),
            INVALID: self.invalid.sum(),
        }


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
        return self._checked(grouped(self.frame, self.by, self.counted()))

    def cell_clusters(self) -> pl.DataFrame:
        """Count per cell and cluster: `N` and `SUCCESSES` as lists over clusters."""
        keys = list(dict.fromkeys([*self.by, *self.cluster]))
        no_cluster = pl.any_horizontal(pl.col(self.cluster).is_null()).alias(NULL_CLUSTER)
        clusters = self.frame.group_by(keys).agg(*self.counted()).with_columns(no_cluster)
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
        """See `_parts`; outcomes as scores 0 and 1."""
        score = pl.when(self.outcome.observed).then(self.outcome.hit.cast(pl.Float64))
        frame = self.frame.with_columns(score.alias(_OUTCOME))
        return _parts(cells, frame.collect(engine=self.engine), self.by, self.cluster, within)

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
            wrong = self.frame.filter(self.outcome.invalid).select(pl.col(_OUTCOME).unique())
            examples = wrong.sort(_OUTCOME).head(3).collect(engine=self.engine)[_OUTCOME].to_list()
            raise ColumnError(
                f"outcome {self.name!r} holds {n_invalid} values other than 0 and 1, such as "
                f"{', '.join(map(str, examples))}; it must be 0, 1 or null for missing. "
                "Scores are for rs.mean, and scores of pairs for the mean of their differences"
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
        frame = frame.with_columns(value.alias(_OUTCOME)).select(*keep, _OUTCOME)
        dtype = frame.collect_schema()[_OUTCOME]
        if not (dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)):
            raise ColumnError(f"score {name!r} has type {dtype}; it must be numbers or Boolean")
        value = pl.col(_OUTCOME)
        number = value.cast(pl.Float64).fill_nan(None)
        if dtype.is_integer():
            # To be refused, as infinity is.
            number = pl.when(beyond_doubles(value, dtype)).then(math.inf).otherwise(number)
            number = number.alias(_OUTCOME)
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

    def parts(self, cells: pl.DataFrame, within: list[str]) -> tuple[list[pl.Series], pl.Series]:
        """See `_parts`."""
        frame = self.frame.collect(engine=self.engine)
        return _parts(cells, frame, self.by, self.cluster, within)

    def _counts(self) -> list[pl.Expr]:
        value = pl.col(_OUTCOME)
        parts = {MISSING: value.is_null(), INVALID: value.is_infinite().fill_null(False)}
        return [part.sum().cast(pl.Int64).alias(name) for name, part in parts.items()]

    def _checked(self, cells: pl.LazyFrame) -> pl.DataFrame:
        """Collect, and raise if a score is infinite or a cluster null."""
        table = cells.collect(engine=self.engine)
        if infinite := int(table[INVALID].sum()):
            raise ColumnError(
                f"score {self.name!r} is infinite in {infinite} trials, which have no mean, or a "
                "whole number beyond 2^53, which loses digits; set those to null to count them as "
                "missing, or subtract a constant first"
            )
        if NULL_CLUSTER in table.columns:
            no_null_clusters(self.cluster, int(table[NULL_CLUSTER].sum()))
        return table.rename({MISSING: "n_missing"})


def no_null_clusters(cluster: list[str], n_null: int) -> None:
    """Raise if any trial has no cluster."""
    if n_null:
        raise DesignError(
            f"cluster {cluster} is null or NaN in {n_null} trials; fill it in or filter those "
            "trials out: a trial without a cluster cannot be placed"
        )


def one_level(contrast: object, baseline: object) -> None:
    """Check that the contrast is a column name and the baseline one of its possible values."""
    if not isinstance(contrast, str):
        raise ColumnError(f"contrast takes one column name; received {contrast!r}")
    if isinstance(baseline, pl.Series | pl.Expr | list) or getattr(baseline, "ndim", None):
        raise OptionError(f"baseline must be one value of {contrast!r}; received {baseline!r}")


def level_of(levels: pl.Series, baseline: object, *, option: str = "baseline") -> Any:
    """Return the baseline as the data spell it, among all the levels that occur."""
    names = levels.to_list()
    if baseline not in names:
        raise DesignError(
            f"{option}={baseline!r} does not occur in {levels.name!r}, which holds "
            f"{', '.join(map(repr, names[:8])) or 'nothing: there are no trials'}"
        )
    if len(names) == 1:
        raise DesignError(
            f"{levels.name!r} holds only the {option} {baseline!r}; there is no arm "
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
        order_by: Column by which results come in, where that matters.
    """

    trials: Trials
    contrast: str
    baseline: Any
    pair_by: list[str]
    order_by: str | None = None

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
        order_by: str | None = None,
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
            order_by=listed(order_by),
        )
        one_level(contrast, baseline)
        arms = cls(checked, contrast, baseline, listed(pair_by), order_by)
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
        keys = [self.contrast, *self.pair_by, *self.trials.cluster, *listed(self.order_by)]
        keys = list(dict.fromkeys(keys))
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
                    f"{key!r} is null or NaN in {n_null} trials; arms, pairs and clusters need a "
                    "value in every row: fill it in or filter those trials out"
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

    def counted(self) -> tuple[pl.DataFrame, pl.Series | None, list[pl.Series]]:
        """Count the pairs.

        Returns:
            The cells; how many clusters each has (nothing where pairs are independent); and the
            `PAIR_COUNTS`, with a row for each cell or cluster.
        """
        if self.trials.cluster:
            cells = self.cell_clusters()
            return cells, *flat(cells, *PAIR_COUNTS)
        cells = self.cells()
        return cells, None, [cells[name] for name in PAIR_COUNTS]

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

    def cell_looks(self) -> pl.DataFrame:
        """Count per cell, arm and value of `order_by`, in that order: signs and units.

        A unit is a pair, or with clusters a cluster, which comes in with its last trial; its
        sign is that of its difference. A cell without a pair has one row, without a value.
        """
        order, partner = f"{PLACE}.treatment", f"{PLACE}.baseline"
        later = pl.when(pl.col(order) >= pl.col(partner)).then(order).otherwise(partner)
        won = pl.col(SUCCESSES).cast(pl.Int64) - pl.col(SUCCESSES_BASELINE).cast(pl.Int64)
        units = (
            self._joined({order: partner})
            .filter(PAIRS)
            .select(
                *dict.fromkeys([*self._cell, *self.trials.cluster]),
                won.alias(SUCCESSES),
                later.alias(PLACE),
            )
        )
        if self.trials.cluster:
            keys = list(dict.fromkeys([*self._cell, *self.trials.cluster]))
            units = units.group_by(keys).agg(
                pl.col(SUCCESSES).sum(), pl.col(PLACE).max(), pl.len().alias(PAIRS)
            )
        else:
            units = units.with_columns(pl.lit(1).alias(PAIRS))
        lead = pl.col(SUCCESSES)
        parts = {POSITIVE: lead > 0, NEGATIVE: lead < 0, TIED: lead == 0}
        counts = [part.sum().cast(pl.UInt64).alias(name) for name, part in parts.items()]
        looks = (
            units.group_by([*self._cell, PLACE])
            .agg(*counts, pl.col(PAIRS).sum().cast(pl.Int64))
            .rename({self.contrast: "treatment_level"})
            .collect(engine=self.trials.engine)
        )
        cell = [*self.trials.by, "treatment_level"]
        cells = self.cells().drop(PAIR_COUNTS)
        return (
            cells.join(looks, on=cell, how="left", nulls_equal=True)
            .with_columns(pl.col(POSITIVE, NEGATIVE, TIED, PAIRS).fill_null(0))
            .sort([*cell, PLACE])
        )

    @property
    def _cell(self) -> list[str]:
        return [*self.trials.by, self.contrast]

    @property
    def _keys(self) -> list[str]:
        return list(dict.fromkeys([*self.trials.by, *self.pair_by]))

    @property
    def _moved(self) -> list[str]:
        """Cluster columns that are no keys, which both trials of a pair bring along."""
        return [name for name in self.trials.cluster if name not in self._keys]

    def _joined(self, order: Mapping[str, str] | None = None) -> pl.LazyFrame:
        """One row per trial of an arm other than the baseline, beside its partner if any.

        With `order`, a name for its place in the order and one for its partner's.
        """
        keys, moved, places = self._keys, self._moved, order or {}
        rows = self.trials.frame.select(
            *keys,
            self.contrast,
            *moved,
            *(pl.col(self.order_by or "").alias(name) for name in places),
            self.trials.outcome.observed.alias(N),
            self.trials.outcome.hit.alias(SUCCESSES),
        )
        is_baseline = pl.col(self.contrast) == pl.lit(self.baseline)
        partners = rows.filter(is_baseline).select(
            *keys,
            pl.col(N).alias(PARTNER),
            pl.col(SUCCESSES).alias(SUCCESSES_BASELINE),
            *(pl.col(name).alias(f"{PARTNER}.{name}") for name in moved),
            *(pl.col(name).alias(partner) for name, partner in places.items()),
        )
        same = [pl.col(name) == pl.col(f"{PARTNER}.{name}") for name in moved]
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
            joined = self._every_arm(cells).join(
                totals, on=self.trials.by, how="left", nulls_equal=True
            )
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

    def _every_arm(self, cells: pl.LazyFrame) -> pl.LazyFrame:
        """Give every cell a row for each arm of any cell: without a pair where it has none."""
        levels = self.trials.frame.select(pl.col(self.contrast).unique())
        levels = levels.filter(pl.col(self.contrast) != pl.lit(self.baseline))
        each = self.trials.frame.select(self.trials.by).unique().join(levels, how="cross")
        whole = each.join(cells, on=self._cell, how="left", nulls_equal=True)
        filled = [
            pl.col(name).fill_null(pl.lit([], dtype=dtype) if isinstance(dtype, pl.List) else 0)
            for name, dtype in cells.collect_schema().items()
            if name not in self._cell
        ]
        return whole.with_columns(filled)


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
            *(pl.col(name).alias(f"{_ITEM}{name}") for name in items),
            *(pl.col(name).alias(_RATER) for name in raters),
            *(pl.col(name).alias(column) for name, column in zip(values, columns, strict=True)),
        )
        engine: Any = "streaming" if isinstance(ratings, pl.LazyFrame) else "auto"
        items = [f"{_ITEM}{name}" for name in items]
        if items:
            counts = frame.collect(engine=engine).with_columns(pl.lit(1, pl.UInt64).alias(N))
        else:
            kinds = frame.group_by([*keys, *columns]).agg(pl.len().cast(pl.UInt64).alias(N))
            counts = kinds.collect(engine=engine)
        named_keys = dict.fromkeys(clusters, "cluster") | dict.fromkeys(items, "item")
        _refuse_nulls(counts, named_keys | dict.fromkeys([_RATER][: len(raters)], "rater"))
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
        inner = [f"{_ITEM}{name}" for name in pairs]
        keys = list(dict.fromkeys([*cells, *clusters]))
        moved = [pl.col(name).alias(f"{_ITEM}{name}") for name in pairs]
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
            (truth.observed & observed).alias(PAIRS),
            truth.invalid.alias(INVALID),
            invalid.alias(PARTNER),
        )
        if argument == "detected":
            counts = counts.group_by(pl.all()).agg(pl.len().cast(pl.UInt64).alias(N))
        else:
            # Scores are seldom alike: a row each.
            counts = counts.with_columns(pl.lit(1, pl.UInt64).alias(N))
        table = counts.collect(engine="streaming" if isinstance(trials, pl.LazyFrame) else "auto")
        for column, name in {
            INVALID: f"label {label!s:.60}",
            PARTNER: f"{argument} {said!s:.60}",
        }.items():
            if n_invalid := table.filter(column)[N].sum():
                if column == PARTNER and argument != "detected":
                    raise ColumnError(
                        f"{name} holds {n_invalid} whole numbers beyond 2^53, which lose digits; "
                        "subtract a constant first"
                    )
                raise ColumnError(
                    f"{name} holds {n_invalid} values other than 0 and 1; turn it into one first, "
                    "for example pl.col('score') > 0.5"
                )
        _refuse_nulls(table, dict.fromkeys(clusters, "cluster") | dict.fromkeys(inner, "pair"))
        missing = pl.col(N).filter(~pl.col(PAIRS)).sum().cast(pl.Int64).alias("n_missing")
        rows = table.filter(PAIRS).drop(PAIRS, INVALID, PARTNER)
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


@dataclass(frozen=True, slots=True)
class Judgements:
    """Pairwise judgements, of which each says which of two models was better, counted.

    Attributes:
        cells: The cells, sorted by their columns: `n_missing` judgements, `ties`, and of the items
            judged in both orders how many there are, how many have one verdict, and how many went
            with either place, as `MOVED`.
        rows: The `VERDICTS` on the model per cell and cluster, sorted.
        by: Columns that tell cells apart, `model` and `opponent` last.
        clustered: Whether there are clusters.
    """

    cells: pl.DataFrame
    rows: pl.DataFrame
    by: list[str]
    clustered: bool

    @classmethod
    def of(
        cls,
        judgements: Any,
        winner: str | pl.Expr,
        *,
        models: Sequence[str],
        first: str | pl.Expr | None,
        item: str | Sequence[str] | None,
        by: str | Sequence[str] | None,
        cluster: str | Sequence[str] | None,
        per: str,
        ties: str,
        result_columns: Sequence[str],
    ) -> "Judgements":
        """Check columns and values, and count. This reads the judgements once.

        Args:
            judgements: See `as_lazy`.
            winner: Name or expression of the verdict: "a", "b" (or the names of the columns of
                `models`) or "tie".
            models: The two columns of models' names, of model a and model b.
            first: Name or expression of who was shown first: "a" or "b"; nothing is "a" always.
            item: Columns that tell apart what was judged.
            by: Columns that tell cells apart.
            cluster: Columns that tell clusters apart, holding whole items.
            per: "pair" or "model": what a cell is of.
            ties: "half", or "drop" to leave them out.
            result_columns: Names that `by` must leave to the result.

        Raises:
            ColumnError: A column is missing, or a verdict or an order is none of the words.
            DesignError: A model, item or cluster is null, an item lies in several clusters, or a
                model meets itself.
        """
        frame = as_lazy(judgements)
        sides, cells, items, clusters = listed(models), listed(by), listed(item), listed(cluster)
        if len(sides) != 2:
            raise ColumnError(f"models must be two columns, of model a and b; received {models!r}")
        schema = frame.collect_schema()
        verdict = expression(schema, winner, argument="winner")
        order = pl.lit("a") if first is None else expression(schema, first, argument="first")
        for argument, names in {
            "models": sides,
            "by": cells,
            "item": items,
            "cluster": clusters,
        }.items():
            column_names(schema, names, argument=argument)
        not_results(cells, result_columns)
        frame = keyed(frame, [*sides, *items, *clusters])
        inner = {f"{_ITEM}{name}": pl.col(name) for name in items}
        groups = {f"{_GROUP}{name}": pl.col(name) for name in clusters} or inner
        # Chatbot Arena names a side by its column.
        words = ["a", "b", "tie"]
        own_names = {side: words[at] for at, side in enumerate(sides) if side not in words}
        said = frame.with_columns(
            verdict.cast(pl.String).replace(own_names).alias(LABEL),
            order.cast(pl.String).replace(own_names).alias(SAID),
        )
        label, place = pl.col(LABEL), pl.col(SAID)
        verdicts = {
            f"{_VERDICT}.{shown}.{word}": (place == shown) & (label == word)
            for shown in words[:2]
            for word in words
        }
        parts = verdicts | {
            MISSING: label.is_null() | place.is_null(),
            INVALID: ~(label.is_in(words) & place.is_in(words[:2])),
        }
        kinds = [*cells, *_SIDES, *(inner | groups)]
        counts = (
            said.select(
                *cells,
                *(
                    pl.col(side).cast(pl.String).alias(own)
                    for side, own in zip(sides, _SIDES, strict=True)
                ),
                **(inner | groups),
                **parts,
            )
            .group_by(kinds)
            .agg(pl.len().cast(pl.UInt64).alias(N), pl.col(list(parts)).sum().cast(pl.UInt64))
        )
        engine: Any = "streaming" if isinstance(judgements, pl.LazyFrame) else "auto"
        table = counts.collect(engine=engine)
        if table[INVALID].sum():
            cls._refuse_words(said.select(LABEL, SAID).unique().collect(engine=engine))
        cls._refuse(table, cells, sides, inner, groups)
        keys = [*cells, "model", *(["opponent"] if per == "pair" else [])]
        faced = list(dict.fromkeys([*keys, "opponent"]))
        seen = _faced(table, [*faced, *(inner | groups)], swapped=per == "model")
        tied = [name for name in VERDICTS if name.endswith("tie")]
        totals = grouped(
            seen.lazy(),
            keys,
            [
                pl.col(MISSING).sum().cast(pl.Int64).alias("n_missing"),
                pl.sum_horizontal(pl.col(tied).sum()).cast(pl.Int64).alias("ties"),
            ],
        ).collect()
        if ties == "drop":
            seen = seen.with_columns(pl.lit(0, pl.UInt64).alias(name) for name in tied)
        whole = seen.drop(MISSING).filter(pl.any_horizontal(pl.col(VERDICTS) > 0))
        moved = whole.group_by(keys).agg(_moved() if items else [])
        place_of = totals.select(keys).with_row_index(_PLACE)
        apart = [*keys, *groups]
        if not set(whole.columns) <= {*apart, *VERDICTS}:
            whole = whole.group_by(apart).agg(pl.col(VERDICTS).sum())
        rows = whole.join(place_of, on=keys, how="left", nulls_equal=True).sort(_PLACE)
        return cls(cells=_beside(totals, moved, keys), rows=rows, by=keys, clustered=bool(groups))

    @staticmethod
    def _refuse_words(said: pl.DataFrame) -> None:
        """Raise if a verdict or an order is none of the words."""
        for column, argument, words in (
            (LABEL, "winner", ["a", "b", "tie"]),
            (SAID, "first", ["a", "b"]),
        ):
            strange = said.filter(~pl.col(column).is_in(words))[column].unique().sort()
            if len(strange):
                raise ColumnError(
                    f"{argument} must be {', '.join(map(repr, words))} or null; there is "
                    f"{', '.join(map(repr, strange.head(3)))}. Replace those, for example with "
                    f"pl.col({argument!r}).replace({{'left': 'a', 'right': 'b'}})"
                )

    @staticmethod
    def _refuse(
        table: pl.DataFrame,
        cells: list[str],
        sides: list[str],
        inner: Mapping[str, Any],
        groups: Mapping[str, Any],
    ) -> None:
        """Raise if a model or a key is not what it must be."""
        named_keys = dict.fromkeys(groups, "cluster") | dict.fromkeys(inner, "item")
        _refuse_nulls(
            table.with_columns(_side_names(sides)), named_keys | dict.fromkeys(sides, "models")
        )
        own = table.filter(pl.col(_SIDES[0]) == pl.col(_SIDES[1]))
        if own.height:
            raise DesignError(
                f"{own[N].sum()} judgements are of a model with itself, such as "
                f"{own[_SIDES[0]].sort()[0]!r}; filter them out"
            )
        keys = pl.col(list(dict.fromkeys([*cells, *inner, *groups])))
        split = (
            table.select(keys).unique().group_by([*cells, *inner]).len(N)
            if inner and groups != inner
            else table.clear()
        )
        if several := split.filter(pl.col(N) > 1).height:
            raise DesignError(
                f"{several} items lie in more than one cluster; a cluster must hold whole items: "
                "add the column that tells them apart to item"
            )


def _side_names(sides: list[str]) -> list[pl.Expr]:
    """Both columns of models under the names that a user knows."""
    return [pl.col(column).alias(name) for column, name in zip(_SIDES, sides, strict=True)]


def _faced(table: pl.DataFrame, keys: list[str], *, swapped: bool) -> pl.DataFrame:
    """Judgements as seen by a model: its `VERDICTS`, and those that are `MISSING`.

    Each once, by the model whose name comes first; or twice, by both.
    """
    a, b = (pl.col(side) for side in _SIDES)
    is_a = a < b

    def seen(own: pl.Expr) -> pl.DataFrame:
        def verdict(first: bool, word: str) -> pl.Expr:
            of_a, of_b = ("a", "b") if first else ("b", "a")
            won_a, won_b = {"win": ("a", "b"), "loss": ("b", "a"), "tie": ("tie", "tie")}[word]
            as_a, as_b = f"{_VERDICT}.{of_a}.{won_a}", f"{_VERDICT}.{of_b}.{won_b}"
            return pl.when(own).then(as_a).otherwise(as_b)

        faced = table.with_columns(
            pl.when(own).then(a).otherwise(b).alias("model"),
            pl.when(own).then(b).otherwise(a).alias("opponent"),
            *(
                verdict(first, word).alias(f"{_VERDICT}.{first}.{word}")
                for first in (True, False)
                for word in ("win", "loss", "tie")
            ),
        )
        return faced.select(*keys, MISSING, *VERDICTS)

    rows = pl.concat([seen(is_a), seen(~is_a)]) if swapped else seen(is_a)
    if table.select(is_a.n_unique()).item() < 2:
        # No two models are named in either order.
        return rows
    return rows.group_by(keys).agg(pl.col(MISSING, *VERDICTS).sum())


def _moved() -> list[pl.Expr]:
    """Count items judged in both orders, by what the place did to the verdict."""
    (win, loss, tie), (win_second, loss_second, tie_second) = (
        [pl.col(f"{_VERDICT}.{place}.{word}").cast(pl.Int64) for word in ("win", "loss", "tie")]
        for place in (True, False)
    )
    shown, shown_second = win + loss + tie, win_second + loss_second + tie_second
    both = (shown > 0) & (shown_second > 0)
    # Halves of wins per judgement, over a common denominator.
    gain = (2 * win + tie) * shown_second - (2 * win_second + tie_second) * shown
    verdicts = [win + win_second, loss + loss_second, tie + tie_second]
    kinds = pl.sum_horizontal((verdict > 0).cast(pl.Int64) for verdict in verdicts)
    parts = [
        both & (gain > 0),
        both & (gain < 0),
        both,
        shown + shown_second > 1,
        both & (kinds == 1),
    ]
    return [part.sum().cast(pl.UInt64).alias(name) for part, name in zip(parts, MOVED, strict=True)]


def _beside(totals: pl.DataFrame, moved: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Put the `MOVED` beside the cells, zero where there are none."""
    absent = [pl.lit(0, pl.UInt64).alias(name) for name in MOVED if name not in moved.columns]
    table = totals.join(
        moved.with_columns(absent), on=keys, how="left", nulls_equal=True, maintain_order="left"
    )
    return table.with_columns(pl.col(MOVED).fill_null(0))


def beyond_doubles(value: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Tell which whole numbers are beyond 2^53, where doubles lose digits."""
    whole = dtype.is_integer()
    return ~value.is_between(-(2**53), 2**53).fill_null(True) if whole else pl.lit(False)


def _scores(dtype: pl.DataType, name: str) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """Read a column of scores: the number, whether it is there, and whether it makes no sense."""
    if not (dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)):
        raise ColumnError(f"score {name!r} has type {dtype}; it must be numbers")
    score = pl.col(SAID).cast(pl.Float64)
    observed = score.is_not_null() & score.is_not_nan().fill_null(False)
    return score, observed, beyond_doubles(pl.col(SAID), dtype)


def nested(
    cells: pl.DataFrame, by: list[str], rows: pl.DataFrame, *levels: list[str]
) -> list[pl.Series]:
    """Return how many of the first level each cell has, of the next each of those, to the rows.

    Args:
        cells: All cells, those without a row too.
        by: Columns that tell cells apart.
        rows: Rows sorted by the levels.
        levels: Columns that tell apart what lies within a cell, each level with those before.
    """
    inner = []
    for level in reversed(levels):
        rows = rows.group_by(level, maintain_order=True).agg(pl.len().cast(pl.UInt64).alias(N))
        inner.append(rows[N])
    if not by:
        return [pl.Series([rows.height], dtype=pl.UInt64), *reversed(inner)]
    counted = rows.group_by(by).agg(pl.len().cast(pl.UInt64).alias(N))
    found = cells.select(by).join(
        counted, on=by, how="left", nulls_equal=True, maintain_order="left"
    )
    return [found[N].fill_null(0), *reversed(inner)]


def _parts(
    cells: pl.DataFrame, trials: pl.DataFrame, by: list[str], cluster: list[str], within: list[str]
) -> tuple[list[pl.Series], pl.Series]:
    """Return how many parts each part has, from the cells to the scores, and these end to end.

    Raises:
        DesignError: A part is null.
    """
    for name in within:
        if n_null := trials[name].null_count():
            raise DesignError(
                f"{name!r} is null or NaN in {n_null} trials; fill it in or filter those trials "
                "out: what is drawn as one must be known to be one"
            )
    keys = list(dict.fromkeys([*by, *cluster]))
    levels = [keys]
    for name in within:
        keys = list(dict.fromkeys([*keys, name]))
        levels.append(keys)
    rows = trials.filter(pl.col(_OUTCOME).is_not_null()).sort(keys)
    return nested(cells, by, rows, *levels), rows[_OUTCOME]


def _refuse_nulls(rows: pl.DataFrame, keys: Mapping[str, str]) -> None:
    """Raise if a key of ratings is null; `keys` says what it is for."""
    for name, argument in keys.items():
        if n_null := rows.filter(pl.col(name).is_null())[N].sum():
            raise DesignError(
                f"{argument} {name.removeprefix(_ITEM)!r} is null or NaN in {n_null} rows; fill "
                "it in or filter those rows out: a rating without it cannot be placed"
            )


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
            {name: name.removeprefix(_ITEM).removeprefix(_PREFIX) for name in shown.columns}
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
            place = cells.select(within).with_row_index(PAIRS)
            rows = rows.join(place, on=within, how="left", nulls_equal=True).sort(PAIRS)
        lengths = cells[N].cast(pl.UInt64) if self.cluster else None
        strata = None
        if self.strata:
            cells = grouped(cells.lazy(), self.by, parts).collect()
            strata = cells[N].cast(pl.UInt64)
        cells = cells.rename({MISSING: "n_missing"}).drop(N)
        return cells, strata, lengths, [rows[name] for name in names]


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
