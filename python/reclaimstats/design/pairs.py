"""A pair is two trials of different arms with equal keys, of which one is of the baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
import polars.selectors as cs

from reclaimstats.design.cells import flat, grouped
from reclaimstats.design.columns import listed
from reclaimstats.design.levels import apart, level_of, one_level
from reclaimstats.design.names import INVALID, MISSING, PREFIX, SUCCESSES, N
from reclaimstats.design.scores import Scores
from reclaimstats.design.trials import Trials
from reclaimstats.errors import DesignError

__all__ = [
    "NEGATIVE",
    "PAIRS",
    "PAIR_COUNTS",
    "PLACE",
    "POSITIVE",
    "SUCCESSES_BASELINE",
    "TIED",
    "Arms",
]

PAIRS = f"{PREFIX}pairs"
SUCCESSES_BASELINE = f"{PREFIX}successes_baseline"
POSITIVE = f"{PREFIX}positive"
NEGATIVE = f"{PREFIX}negative"
TIED = f"{PREFIX}tied"
PLACE = f"{PREFIX}place"
_TREATMENT_ONLY = f"{PREFIX}treatment_only"
_MATCHED = f"{PREFIX}matched"
_UNPAIRED = f"{PREFIX}unpaired"
_PARTNER = f"{PREFIX}partner"
_SPLIT = f"{PREFIX}split"
# In the order in which the core takes them.
PAIR_COUNTS = (PAIRS, SUCCESSES, SUCCESSES_BASELINE, _TREATMENT_ONLY)


@dataclass(frozen=True, slots=True)
class Arms:
    """Trials of several arms, of which one is the baseline, paired by common keys.

    Attributes:
        trials: The trials of an outcome or of a score, with columns checked.
        contrast: Column that tells arms apart.
        baseline: Its value in the baseline.
        pair_by: Columns whose values two trials share to be a pair.
        order_by: Column by which results come in, where that matters.
    """

    trials: Trials | Scores
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
        kind: type[Trials] | type[Scores] = Trials,
    ) -> "Arms":
        """Check columns, levels and keys. This reads the trials once.

        `outcome` is one of 0 and 1, or with `kind=Scores` a numeric score.

        Raises:
            ColumnError: See `Trials.of`; or an outcome is not 0 or 1, or a score is infinite.
            DesignError: The arms cannot be told apart or the pairs are not unique.
        """
        checked = kind.of(
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
        apart(contrast, by=checked.by, pair_by=arms.pair_by, cluster=checked.cluster)
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
            pl.col(PAIR_COUNTS).implode(), pl.col(_MATCHED, _UNPAIRED, MISSING, _SPLIT).sum()
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

    def scored(self) -> tuple[pl.DataFrame, pl.Series | None, pl.Series, list[pl.Series]]:
        """List the scores of the pairs, in no order.

        Returns:
            The cells; how many clusters each has (nothing where pairs are independent); how many
            pairs each cell or cluster has; and the scores of both arms, end to end.
        """
        paired, scores = pl.col(PAIRS), (SUCCESSES, SUCCESSES_BASELINE)
        values = [pl.col(name).filter(paired) for name in scores]
        if not self.trials.cluster:
            lists = [value.implode() for value in values]
            cells = self._joined().group_by(self._cell).agg(*lists, *self._others())
            table = self._with_baseline(cells)
            lengths, columns = flat(table, *scores)
            return table, None, lengths, columns
        keys = list(dict.fromkeys([*self._cell, *self.trials.cluster]))
        clusters = (
            self._joined()
            .group_by(keys)
            .agg(*values, paired.sum().cast(pl.UInt64), *self._others())
        )
        cells = clusters.group_by(self._cell).agg(
            pl.col(scores).explode().drop_nulls().implode(),
            paired.implode(),
            pl.col(_MATCHED, _UNPAIRED, MISSING, _SPLIT).sum(),
        )
        table = self._with_baseline(cells)
        lengths, (pairs,) = flat(table, PAIRS)
        return table, lengths, pairs, flat(table, *scores)[1]

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
            pl.col(N).alias(_PARTNER),
            pl.col(SUCCESSES).alias(SUCCESSES_BASELINE),
            *(pl.col(name).alias(f"{_PARTNER}.{name}") for name in moved),
            *(pl.col(name).alias(partner) for name, partner in places.items()),
        )
        same = [pl.col(name) == pl.col(f"{_PARTNER}.{name}") for name in moved]
        paired = pl.col(N) & pl.col(_PARTNER).fill_null(False)
        return (
            rows.filter(~is_baseline)
            .join(partners, on=keys, how="left", nulls_equal=True)
            .with_columns(
                paired.alias(PAIRS),
                (paired & ~pl.all_horizontal(pl.lit(True), *same)).alias(_SPLIT),
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
            _MATCHED: pl.col(PAIRS),
            _UNPAIRED: pl.col(N) & ~pl.col(PAIRS),
            MISSING: ~pl.col(N),
            _SPLIT: pl.col(_SPLIT),
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
                observed.sum().cast(pl.Int64).alias(_PARTNER),
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
            .with_columns(pl.col(_PARTNER, N).fill_null(0))
            .select(
                *self.trials.by,
                pl.col(self.contrast).alias("treatment_level"),
                pl.lit(self.baseline).cast(dtype).alias("baseline_level"),
                pl.col(_UNPAIRED).alias("n_unpaired_treatment"),
                (pl.col(_PARTNER) - pl.col(_MATCHED)).alias("n_unpaired_baseline"),
                (pl.col(MISSING) + pl.col(N)).alias("n_missing"),
                cs.by_name(_SPLIT, *PAIR_COUNTS, require_all=False),
            )
            .collect(engine=self.trials.engine)
        )
        if split := table[_SPLIT].sum():
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
