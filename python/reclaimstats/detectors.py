"""What a detector or an editor finds, and how scores rank: one row per cell and metric, or cell."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished, nested
from reclaimstats.design.labels import LABEL, SAID, Labelled
from reclaimstats.design.names import N
from reclaimstats.errors import OptionError
from reclaimstats.options import choice, confidence

__all__ = ["detection", "ranking"]

_DETECTION = [
    "metric",
    "n",
    "n_clusters",
    "n_missing",
    "estimate",
    "low",
    "high",
    "method",
    "confidence_level",
    "reason",
]

_RANKING = [
    "n_positive",
    "n_negative",
    "n_clusters",
    "n_missing",
    "n_scores",
    "estimate",
    "low",
    "high",
    "n_pairs",
    "pairs_tied",
    "pair_accuracy",
    "pair_low",
    "pair_high",
    "method",
    "confidence_level",
    "reason",
]

_DETECTOR = [
    "sensitivity",
    "specificity",
    "precision",
    "f1",
    "accuracy",
    "balanced_accuracy",
    "prevalence",
]

_CELL = "reclaimstats.cell"


def detection(
    trials: Any,
    label: str | pl.Expr,
    detected: str | pl.Expr,
    *,
    metrics: Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """Rates of a detector against labels, per cell and metric, with intervals that cover.

    A row of `trials` is one thing that is positive or negative (a span, a memory, a turn), and
    that the detector flags or not. Things with equal values in `cluster` are a cluster and count
    as dependent. Where the label or what the detector says is null or NaN, the row is missing.

    Of an editor, `label` says what ought to be removed and `detected` what is: `removal` is the
    share of that which is removed, `preservation` the share of the rest that is kept, and
    `edit_precision` the share of the removed that ought to be. One who removes all has a removal
    of 1, a preservation of 0 and the prevalence for a precision.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        label: Name or expression of what each row is: Boolean, or numbers 0 and 1.
        detected: Name or expression of what the detector says, of the same kind.
        metrics: "sensitivity", "specificity", "precision", "negative_predictive_value", "f1",
            "accuracy", "balanced_accuracy", "prevalence"; of an editor "removal",
            "preservation", "edit_precision". By default the usual seven of a detector.
        by: Columns that tell cells apart; none makes one cell of all. Null is a value.
        cluster: Columns that tell clusters apart within a cell. No nulls.
        confidence_level: Two-sided level of the intervals.

    Returns:
        One row per cell, sorted by the `by` columns, and metric, in the order asked for: `metric`,
        `n` rows that count for it (of sensitivity, the positives), `n_clusters` with such a row
        (null without `cluster`), `n_missing` of the cell, `estimate`, `low`, `high`, `method`,
        `confidence_level`, and `reason` why something is null. Counts are Int64, names and
        reasons String, the rest Float64. `confusion` gives the counts themselves.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a value is not 0 or 1.
        DesignError: A cluster is null.
        OptionError: A metric is unknown or named twice, or the level is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> spans = pl.DataFrame(
        ...     {"harmful": [1, 1, 1, 1, 0, 0, 0, 0], "removed": [1, 1, 1, 0, 1, 1, 0, 0]}
        ... )
        >>> metrics = ["removal", "preservation", "edit_precision"]
        >>> table = rs.detection(spans, "harmful", "removed", metrics=metrics)
        >>> table.select("metric", "n", pl.col("estimate", "low", "high").round(3))
        shape: (3, 5)
        ┌────────────────┬─────┬──────────┬───────┬───────┐
        │ metric         ┆ n   ┆ estimate ┆ low   ┆ high  │
        │ ---            ┆ --- ┆ ---      ┆ ---   ┆ ---   │
        │ str            ┆ i64 ┆ f64      ┆ f64   ┆ f64   │
        ╞════════════════╪═════╪══════════╪═══════╪═══════╡
        │ removal        ┆ 4   ┆ 0.75     ┆ 0.301 ┆ 0.954 │
        │ preservation   ┆ 4   ┆ 0.5      ┆ 0.15  ┆ 0.85  │
        │ edit_precision ┆ 5   ┆ 0.6      ┆ 0.231 ┆ 0.882 │
        └────────────────┴─────┴──────────┴───────┴───────┘

    References:
        As of `rate`; docs/detection.md says how often the intervals cover.
    """
    names = _checked_metrics(metrics)
    level = confidence(confidence_level)
    labelled = Labelled.of(
        trials,
        label,
        detected,
        argument="detected",
        by=by,
        cluster=cluster,
        pair=None,
        result_columns=_DETECTION,
    )
    said, positive = pl.col(SAID), pl.col(LABEL) == 1
    kinds = [positive & said, positive & ~said, ~positive & said, ~positive & ~said]
    counts = [pl.col(N).filter(kind).sum().alias(f"{N}.{i}") for i, kind in enumerate(kinds)]
    cells = labelled.cells
    if labelled.cluster:
        rows = labelled.rows.group_by(labelled.keys, maintain_order=True).agg(counts)
        (lengths,) = nested(cells, labelled.by, rows)
    elif labelled.by:
        sums = labelled.rows.group_by(labelled.by).agg(counts)
        rows = cells.select(labelled.by).join(
            sums, on=labelled.by, how="left", nulls_equal=True, maintain_order="left"
        )
        lengths = None
    else:
        rows, lengths = labelled.rows.select(counts), None
    columns = [rows[f"{N}.{i}"].fill_null(0) for i in range(len(kinds))]
    results = _core.detection_counts(lengths, columns, names, level)
    repeated = cells.with_row_index(_CELL).join(
        pl.DataFrame({"metric": names}), how="cross", maintain_order="left_right"
    )
    return finished(repeated, labelled.by, results, _DETECTION)


def _checked_metrics(metrics: Sequence[str] | None) -> list[str]:
    """Check the names of metrics."""
    if metrics is None:
        return _DETECTOR
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in names:
        choice("metrics", name, _core.DETECTION_METRICS)
    if not names or len(set(names)) != len(names):
        raise OptionError(f"metrics must be different names, at least one; received {names}")
    return names


def ranking(
    trials: Any,
    label: str | pl.Expr,
    score: str | pl.Expr,
    *,
    pair: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    method: str = "auto",
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """How well scores rank positives above negatives, per cell: ROC AUC, and ranking in pairs.

    A row of `trials` is one thing that is positive or negative, with a score. The area under the
    ROC curve is the chance that a positive scores above a negative, a tie counting half. Things
    with equal values in `cluster` are a cluster and count as dependent, positives and negatives
    together. A null or NaN label or score is missing.

    With `pair`, rows with equal values there (the valid and the invalid twin of an example) are
    a pair, and `pair_accuracy` is how often the positive scores above the negative of its own
    pair: another question, whose answer can be high where scores of different examples cannot be
    compared. A group of several positives and negatives counts by its own area; one that has no
    positive or no negative does not count.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        label: Name or expression of what each row is: Boolean, or numbers 0 and 1.
        score: Name or expression of the score: numbers, higher for positives. Infinite ones rank
            first and last.
        pair: Columns that tell pairs apart within a cell. No nulls.
        by: Columns that tell cells apart; none makes one cell of all. Null is a value.
        cluster: Columns that tell clusters apart within a cell, holding whole pairs. No nulls.
        method: "auto" for Wilson's interval on the sample size that the variance is worth (docs/
            detection.md says how it was chosen and what it covers); "logit" for Student's t times
            the standard error on the scale of log-odds, which has no limits for an area of 0 or 1
            and covers too little near there.
        confidence_level: Two-sided level of the intervals.

    Returns:
        One row per cell, sorted by the `by` columns, which come first. Then `n_positive`,
        `n_negative`, `n_clusters` (null without `cluster`), `n_missing`, `n_scores` that are
        different (few are a sign of ties), `estimate` of the area, `low`, `high`; `n_pairs` with
        both kinds, `pairs_tied` whose scores are all one, `pair_accuracy` with `pair_low` and
        `pair_high` (null without `pair`); `method`, `confidence_level`, and `reason` why the area
        or its interval is null. Counts are Int64, names and reasons String, the rest Float64.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a label is not 0 or 1.
        DesignError: A cluster or pair is null, or a pair lies in several clusters.
        OptionError: The method is unknown, or the level is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> memories = pl.DataFrame(
        ...     {
        ...         "example": ["a", "a", "b", "b", "c", "c"],
        ...         "valid": [1, 0, 1, 0, 1, 0],
        ...         "support": [0.9, 0.7, 0.6, 0.2, 0.3, 0.3],
        ...     }
        ... )
        >>> table = rs.ranking(memories, "valid", "support", pair="example")
        >>> table.select("n_pairs", "pairs_tied", pl.col("estimate", "pair_accuracy").round(3))
        shape: (1, 4)
        ┌─────────┬────────────┬──────────┬───────────────┐
        │ n_pairs ┆ pairs_tied ┆ estimate ┆ pair_accuracy │
        │ ---     ┆ ---        ┆ ---      ┆ ---           │
        │ i64     ┆ i64        ┆ f64      ┆ f64           │
        ╞═════════╪════════════╪══════════╪═══════════════╡
        │ 3       ┆ 1          ┆ 0.722    ┆ 0.833         │
        └─────────┴────────────┴──────────┴───────────────┘

    References:
        Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747. Variance: DeLong, DeLong
        and Clarke-Pearson (1988), doi:10.2307/2531595; of clusters Obuchowski (1997),
        doi:10.2307/2533958. Newcombe (2006), doi:10.1002/sim.2324.
    """
    choice("method", method, _core.RANKING_METHODS)
    level = confidence(confidence_level)
    labelled = Labelled.of(
        trials,
        label,
        score,
        argument="score",
        by=by,
        cluster=cluster,
        pair=pair,
        result_columns=_RANKING,
    )
    rows = labelled.rows
    levels = [labelled.keys] if labelled.cluster else []
    cells, clusters = [*nested(labelled.cells, labelled.by, rows, *levels), None][:2]
    pairs = labelled.pair_numbers() if labelled.pair else None
    results = _core.ranking_scores([cells, clusters], rows[LABEL], rows[SAID], pairs, method, level)
    return finished(labelled.cells, labelled.by, results, _RANKING)
