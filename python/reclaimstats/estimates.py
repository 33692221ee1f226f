"""Estimates per cell: one row of trials' frame in, one row per cell out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished, flat
from reclaimstats.design.columns import listed
from reclaimstats.design.names import SUCCESSES, N
from reclaimstats.design.scores import VALUES, Scores
from reclaimstats.design.trials import Trials
from reclaimstats.options import Plan, nesting, weighing

__all__ = ["mean", "rate"]

_RESULT = [
    "n",
    "n_clusters",
    "n_missing",
    "estimate",
    "low",
    "high",
    "bound_low",
    "bound_high",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
    "low_error",
    "high_error",
    "reason",
]

_MEAN_RESULT = [
    "n",
    "n_clusters",
    "n_missing",
    "estimate",
    "sd",
    "standard_error",
    "standard_error_clustered",
    "low",
    "high",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
    "low_error",
    "high_error",
    "reason",
]


def rate(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    within: str | Sequence[str] | None = None,
    weighting: str = "trial",
    variance: str = "cr2",
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> pl.DataFrame:
    """Share of trials with outcome 1, per cell, with an interval that covers.

    A row of `trials` is one trial. Trials that share all values in `by` form a cell; within
    a cell, trials that share all values in `cluster` form a cluster and count as dependent.
    Without `cluster`, trials count as independent: do that only where no item, conversation
    or document occurs twice. A null or NaN outcome is missing: it is counted in `n_missing`
    and takes no part in anything else.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table. A LazyFrame is aggregated
            by the streaming engine.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        by: Columns that tell cells apart; none makes one cell of all trials. Null is a value.
        cluster: Columns that tell clusters apart within a cell. No nulls.
        within: Levels inside of a cluster, outermost first, that the bootstrap draws anew too: with
            `cluster="document", within="item"` documents are drawn, then items of each document
            that was drawn, then trials of each item; an empty list stands for trials alone. With
            method="percentile" and resampler="monte-carlo" only, and never needed for validity:
            docs/intervals.md says what it is for.
        weighting: "trial" for successes per trial; "cluster", with `cluster`, for the mean over
            clusters of each cluster's rate, so that a long conversation weighs no more than a
            short one.
        variance: Of the clusters, with method="t": "cr2" corrects each cluster for its own share
            of the trials, "cr1" all by K / (K - 1), "cr0" none, which is too small.
        method: "auto" for Wilson's interval, with clusters on the effective sample size and
            with Student's t (docs/intervals.md says how it was chosen and what it covers).
            Others by name: "wilson", "clopper-pearson" (never covers less than the level, for
            independent trials), "jeffreys" and "agresti-coull", with clusters on the same
            effective size; "t" for the estimate and Student's t times its standard error; and of
            the bootstrap distribution "percentile", the quantiles that papers print, "basic", the
            same mirrored at the estimate, "bca", corrected for bias and acceleration, and
            "studentized", bootstrap-t. The last five cover too little near 0 and 1 or with few
            clusters.
        confidence_level: Two-sided level of the interval, one-sided of the bounds; from 1e-9 to
            1 - 1e-9, here and wherever a level is asked for.
        resampler: How a bootstrap distribution is found. "auto": itself, without a draw, but for
            "studentized" with clusters (docs/intervals.md says to what precision);
            "monte-carlo": by random draws;
            "cpython": by replaying, over trials in row order, a harness that draws
            `random.Random(seed).randrange` and takes the sorted means at the positions
            `int(0.025 * B)` and `int(0.975 * B)`, bit for bit.
        n_resamples: Number of random resamples, where there are draws.
        seed: Seed of the draws, from 0 to 2^64 - 1.

    Returns:
        One row per cell, sorted by the `by` columns, which come first. Then `n` trials
        observed, `n_clusters` (null without `cluster`), `n_missing`, `estimate`, `low`,
        `high`; `bound_low` and `bound_high`, the exact one-sided limit where the estimate is
        1 or 0 (with clusters, counting each cluster once); `method` that made the interval,
        `confidence_level`, `n_resamples`, `seed`, and `low_error` and `high_error`, the Monte
        Carlo standard errors of the limits (all four null where nothing was drawn), `reason`
        why an interval is null, or that a limit beyond 0 or 1 was cut off. Counts are Int64,
        `seed` UInt64, the rest Float64 and String.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: A cluster is null, or the replay was combined with clusters.
        OptionError: An option is unknown, out of range or does not go with another.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "policy": ["lossy"] * 6 + ["source-first"] * 6,
        ...         "item": ["a", "a", "b", "b", "c", "c"] * 2,
        ...         "correct": [0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1],
        ...     }
        ... )
        >>> cells = rs.rate(trials, "correct", by="policy", cluster="item")
        >>> cells.select("policy", "n", "n_clusters", pl.col("estimate", "low", "high").round(3))
        shape: (2, 6)
        ┌──────────────┬─────┬────────────┬──────────┬───────┬───────┐
        │ policy       ┆ n   ┆ n_clusters ┆ estimate ┆ low   ┆ high  │
        │ ---          ┆ --- ┆ ---        ┆ ---      ┆ ---   ┆ ---   │
        │ str          ┆ i64 ┆ i64        ┆ f64      ┆ f64   ┆ f64   │
        ╞══════════════╪═════╪════════════╪══════════╪═══════╪═══════╡
        │ lossy        ┆ 6   ┆ 3          ┆ 0.167    ┆ 0.005 ┆ 0.887 │
        │ source-first ┆ 6   ┆ 3          ┆ 1.0      ┆ 0.139 ┆ 1.0   │
        └──────────────┴─────┴────────────┴──────────┴───────┴───────┘

    References:
        Wilson (1927), doi:10.1080/01621459.1927.10502953. Effective sample size with t: Korn
        and Graubard (1998), Survey Methodology 24, 193-201. Variance: Bell and McCaffrey (2002),
        Survey Methodology 28, 169-181. Clopper and Pearson (1934), doi:10.1093/biomet/26.4.404.
        Jeffreys: Brown, Cai and DasGupta (2001), doi:10.1214/ss/1009213286. Agresti and Coull
        (1998), doi:10.2307/2685469. Percentile bootstrap and bootstrap-t: Efron (1981),
        doi:10.2307/3314608. BCa: Efron (1987), doi:10.1080/01621459.1987.10478410.
    """
    levels = nesting(within, method, resampler, listed(cluster))
    checked = Trials.of(
        trials,
        outcome,
        by=by,
        cluster=cluster,
        result_columns=_RESULT,
        within=levels or [],
    )
    plan = Plan.checked(
        method=method,
        methods=_core.RATE_METHODS,
        resampler=resampler,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        cluster=checked.cluster,
    )
    weighing(weighting, variance, method, checked.cluster, of=["t"])
    if checked.cluster:
        cells = checked.cell_clusters()
        lengths, (seen, successes) = flat(cells, N, SUCCESSES)
        shown = plan if levels is None else replace(plan, method="t", resampler="auto")
        estimates = _core.rate_clusters(lengths, seen, successes, weighting, variance, shown)
    elif plan.resampler == "cpython":
        cells = checked.cell_sequences()
        lengths, (outcomes,) = flat(cells, SUCCESSES)
        estimates = _core.rate_sequences(lengths, outcomes, plan)
    else:
        cells = checked.cells()
        estimates = _core.rate_trials(cells[N], cells[SUCCESSES], plan)
    if levels is not None:
        estimates = _drawn_inside(estimates, *checked.parts(cells, levels), weighting, plan)
    return finished(cells, checked.by, estimates, _RESULT)


def mean(
    trials: Any,
    score: str | pl.Expr,
    *,
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    within: str | Sequence[str] | None = None,
    weighting: str = "trial",
    variance: str = "cr2",
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> pl.DataFrame:
    """Mean of a numeric score, per cell, with its spread and an interval.

    A row of `trials` is one trial. Trials that share all values in `by` form a cell; within
    a cell, trials that share all values in `cluster` form a cluster and count as dependent.
    Without `cluster`, trials count as independent. A null or NaN score is missing: it is
    counted in `n_missing` and takes no part in anything else. No result depends on the order
    of rows.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        score: Name or expression of the score: numbers or Boolean.
        by: Columns that tell cells apart; none makes one cell of all trials. Null is a value.
        cluster: Columns that tell clusters apart within a cell. No nulls.
        within: Levels inside of a cluster, outermost first, that the bootstrap draws anew too: with
            `cluster="document", within="item"` documents are drawn, then items of each document
            that was drawn, then trials of each item; an empty list stands for trials alone. With
            method="percentile" and resampler="monte-carlo" only, and never needed for validity:
            docs/intervals.md says what it is for.
        weighting: "trial" for the mean over trials; "cluster", with `cluster`, for the mean over
            clusters of each cluster's mean, so that a long conversation weighs no more than a
            short one.
        variance: Of the clusters: "cr2" corrects each cluster for its own share of the trials,
            "cr1" all by K / (K - 1), "cr0" none, which is too small.
        method: "auto" for Student's t, further on the side of the long tail where scores are
            skewed (docs/intervals.md says what it covers); "t" for Student's t alone; and of the
            bootstrap distribution over clusters "percentile", "basic" (the same mirrored at the
            estimate), "bca" (bias-corrected and accelerated) and "studentized" (bootstrap-t).
        confidence_level: Two-sided level of the interval.
        resampler: How a bootstrap distribution is found. "auto" and "monte-carlo": by random
            draws; "saddlepoint", not for "studentized": by Lugannani and Rice's approximation,
            without a draw; for a dozen different scores or clusters and more.
        n_resamples: Number of random resamples, where there are draws.
        seed: Seed of the draws, from 0 to 2^64 - 1.

    Returns:
        One row per cell, sorted by the `by` columns, which come first. Then `n` trials with a
        score, `n_clusters` (null without `cluster`), `n_missing`, `estimate`, `sd` of the scores
        (with n - 1), `standard_error`, which takes trials as independent,
        `standard_error_clustered` (null without `cluster`), `low`, `high`, `method` that made the
        interval, `confidence_level`, `n_resamples`, `seed`, and `low_error` and `high_error`, the
        Monte Carlo standard errors of the limits (all four null where nothing was drawn),
        `reason` why an interval is null. Counts are Int64, `seed` UInt64, the rest Float64 and
        String.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a score is infinite.
        DesignError: A cluster is null.
        OptionError: An option is unknown or out of range, or clusters were to be weighed alike
            without `cluster`.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "policy": ["lossy"] * 4 + ["source-first"] * 4,
        ...         "item": ["a", "a", "b", "c"] * 2,
        ...         "f1": [0.2, 0.4, 0.0, 0.9, 1.0, 0.8, 1.0, 0.6],
        ...     }
        ... )
        >>> cells = rs.mean(trials, "f1", by="policy", cluster="item")
        >>> cells.select("policy", pl.col("estimate", "sd", "low", "high").round(3))
        shape: (2, 5)
        ┌──────────────┬──────────┬───────┬────────┬───────┐
        │ policy       ┆ estimate ┆ sd    ┆ low    ┆ high  │
        │ ---          ┆ ---      ┆ ---   ┆ ---    ┆ ---   │
        │ str          ┆ f64      ┆ f64   ┆ f64    ┆ f64   │
        ╞══════════════╪══════════╪═══════╪════════╪═══════╡
        │ lossy        ┆ 0.375    ┆ 0.386 ┆ -0.64  ┆ 2.074 │
        │ source-first ┆ 0.85     ┆ 0.191 ┆ -0.035 ┆ 1.329 │
        └──────────────┴──────────┴───────┴────────┴───────┘

    References:
        Johnson (1978), Journal of the American Statistical Association 73, 536-544. Bell and
        McCaffrey (2002), Survey Methodology 28, 169-181. Efron (1987),
        doi:10.1080/01621459.1987.10478410. Efron (1981), doi:10.2307/3314608. Lugannani and Rice
        (1980), Advances in Applied Probability 12, 475-490; for the bootstrap Davison and Hinkley
        (1988), Biometrika 75, 417-431.
    """
    levels = nesting(within, method, resampler, listed(cluster))
    checked = Scores.of(
        trials,
        score,
        by=by,
        cluster=cluster,
        result_columns=_MEAN_RESULT,
        within=levels or [],
    )
    plan = Plan.checked(
        method=method,
        methods=_core.MEAN_METHODS,
        resampler=resampler,
        resamplers=_core.MEAN_RESAMPLERS,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        cluster=checked.cluster,
    )
    weighing(weighting, variance, method, checked.cluster, of=["auto", "t"])
    if checked.cluster:
        cells = checked.cell_clusters()
        clusters, (lengths,) = flat(cells, N)
        _, (scores,) = flat(cells, VALUES)
        shown = plan if levels is None else replace(plan, method="t", resampler="auto")
        estimates = _core.mean_clusters(clusters, lengths, scores, weighting, variance, shown)
    else:
        cells = checked.cells()
        lengths, (scores,) = flat(cells, VALUES)
        estimates = _core.mean_trials(lengths, scores, plan)
    if levels is not None:
        estimates = _drawn_inside(estimates, *checked.parts(cells, levels), weighting, plan)
    return finished(cells, checked.by, estimates, _MEAN_RESULT)


def _drawn_inside(
    estimates: Any, lengths: list[pl.Series], scores: pl.Series, weighting: str, plan: Plan
) -> pl.DataFrame:
    """Return the estimates with intervals of the nested bootstrap in place of their own."""
    intervals = pl.DataFrame(_core.nested_percentiles(lengths, scores, weighting, plan))
    return pl.DataFrame(estimates).with_columns(intervals)
