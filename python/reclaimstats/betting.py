"""Evidence in a paired comparison that is looked at again and again, per cell."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.names import N
from reclaimstats.design.pairs import NEGATIVE, PAIRS, PLACE, POSITIVE, TIED, Arms
from reclaimstats.errors import ColumnError, DesignError
from reclaimstats.options import choice, confidence

__all__ = ["evidence"]

_RESULT = [
    "n_pairs",
    "n_clusters",
    "n_unpaired_treatment",
    "n_unpaired_baseline",
    "n_missing",
    "positive",
    "negative",
    "tied",
    "estimate",
    "low",
    "high",
    "log_e",
    "log_e_max",
    "pvalue",
    "alternative",
    "confidence_level",
    "method",
]
_LEVELS = ["treatment_level", "baseline_level"]


def evidence(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    pair_by: str | Sequence[str],
    order_by: str,
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    running: bool = False,
) -> pl.DataFrame:
    """Evidence for a difference that holds however often one looks, per cell.

    A row of `trials` is one trial; cells, arms, pairs, clusters and missing outcomes are those
    of `compare`. Pairs come in by `order_by`, a pair with the later of its two trials; equal
    values are one look. The null: whatever came before, a pair that differs favours either arm
    with equal chance. A gambler bets on each such pair, see `stats.e_value`, and the chance
    that the fortune ever reaches c is at most 1 / c under the null. So a gate may look every
    night and stop when `log_e_max` reaches log(20), which errs once in twenty in all.

    With `cluster`, whose pairs are dependent, there is one bet for each cluster, on the sign of
    its whole difference, which comes in with the cluster's last trial. A cluster that is still
    growing would change a bet that was already made: leave it out until it is complete.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        contrast: Column that tells arms apart.
        baseline: The value of `contrast` that the others are compared with.
        pair_by: Columns whose values two trials share to be a pair. No nulls.
        order_by: Column by which results came in, such as a date or the number of a run. No
            nulls. Not one of `by`.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        alternative: "two-sided"; "greater", that the treatment is better; or "less".
        confidence_level: Level of the limits, over all looks together.
        running: Whether to return each look; else only the last.

    Returns:
        One row per cell and arm, or with `running` per cell, arm and look, sorted by these: the
        `by` columns, `treatment_level`, `baseline_level`, the `order_by` column (null in a cell
        without a pair), then up to and with this look `n_pairs`, `n_clusters` (null without
        `cluster`), the units (pairs or clusters) `positive`, `negative` and `tied`; over the
        whole cell `n_unpaired_treatment`, `n_unpaired_baseline` and `n_missing`; the share of
        positive ones among those with a sign, `estimate`, with `low` and `high` (a confidence
        sequence: limits that hold at every look at once); `log_e`, the logarithm of the
        fortune, `log_e_max`, the largest up to this look and at least 0, `pvalue`,
        exp(-log_e_max), valid at every look; `alternative`, `confidence_level`, `method`.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: See `compare`.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> nights = pl.DataFrame(
        ...     {
        ...         "memory": ["new"] * 12 + ["old"] * 12,
        ...         "night": [i // 4 for i in range(12)] * 2,
        ...         "item": list(range(12)) * 2,
        ...         "correct": [1] * 12 + [0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        ...     }
        ... )
        >>> looks = rs.evidence(
        ...     nights,
        ...     "correct",
        ...     contrast="memory",
        ...     baseline="old",
        ...     pair_by="item",
        ...     order_by="night",
        ...     running=True,
        ... )
        >>> looks.select("night", "positive", "negative", pl.col("log_e", "pvalue").round(3))
        shape: (3, 5)
        ┌───────┬──────────┬──────────┬───────┬────────┐
        │ night ┆ positive ┆ negative ┆ log_e ┆ pvalue │
        │ ---   ┆ ---      ┆ ---      ┆ ---   ┆ ---    │
        │ i64   ┆ i64      ┆ i64      ┆ f64   ┆ f64    │
        ╞═══════╪══════════╪══════════╪═══════╪════════╡
        │ 0     ┆ 3        ┆ 0        ┆ 0.693 ┆ 0.5    │
        │ 1     ┆ 6        ┆ 0        ┆ 2.213 ┆ 0.109  │
        │ 2     ┆ 10       ┆ 0        ┆ 4.534 ┆ 0.011  │
        └───────┴──────────┴──────────┴───────┴────────┘

    References:
        Robbins (1970), doi:10.1214/aoms/1177696786. More at `stats.e_value`.
    """
    choice("alternative", alternative, _core.ALTERNATIVES)
    level = confidence(confidence_level)
    if not isinstance(order_by, str):
        raise ColumnError(f"order_by takes one column name; received {order_by!r}")
    arms = Arms.of(
        trials,
        outcome,
        contrast=contrast,
        baseline=baseline,
        pair_by=pair_by,
        cluster=cluster,
        by=by,
        order_by=order_by,
        result_columns=[*_LEVELS, *_RESULT],
    )
    if order_by in [*arms.trials.by, *_LEVELS, *_RESULT]:
        raise DesignError(
            f"order_by={order_by!r} must be a column of its own: neither one of by nor named like "
            "a result"
        )
    looks = arms.cell_looks()
    cell = [*arms.trials.by, *_LEVELS]
    lengths = looks.group_by(cell, maintain_order=True).len(N)[N].cast(pl.UInt64)
    fortunes = pl.DataFrame(
        _core.evidence_looks(lengths, looks[POSITIVE], looks[NEGATIVE], alternative, level)
    )
    clusters = pl.sum_horizontal(POSITIVE, NEGATIVE, TIED).cast(pl.Int64)
    if not arms.trials.cluster:
        clusters = pl.lit(None, pl.Int64)
    so_far = looks.with_columns(clusters.alias("n_clusters"), pl.col(TIED).cast(pl.Int64)).select(
        *cell,
        pl.col(PLACE).alias(order_by),
        pl.col(PAIRS).cum_sum().over(cell).alias("n_pairs"),
        pl.col("n_clusters").cum_sum().over(cell),
        pl.col(TIED).cum_sum().over(cell).alias("tied"),
        "n_unpaired_treatment",
        "n_unpaired_baseline",
        "n_missing",
    )
    share = pl.col("positive") / pl.col("n_signs")
    result = pl.concat([so_far, fortunes], how="horizontal").with_columns(
        estimate=pl.when(pl.col("n_signs") > 0).then(share),
        alternative=pl.lit(alternative),
        confidence_level=pl.lit(level),
        method=pl.lit("uniform-mixture"),
    )
    if not running:
        result = result.group_by(cell, maintain_order=True).last()
    return result.select(*cell, order_by, *_RESULT)
