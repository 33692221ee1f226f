"""Comparison of arms by their mean scores, per cell."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished
from reclaimstats.design.columns import listed
from reclaimstats.design.pairs import Arms
from reclaimstats.design.scores import Scores
from reclaimstats.options import Plan, choice
from reclaimstats.reading import SCORE_TESTS, reading_of_scores

__all__ = ["compare_means"]

_RESULT = [
    "treatment_level",
    "baseline_level",
    "n_pairs",
    "n_clusters",
    "n_unpaired_treatment",
    "n_unpaired_baseline",
    "n_missing",
    "treatment",
    "baseline",
    "difference",
    "low",
    "high",
    "sd",
    "cohen_dz",
    "correlation",
    "standard_error",
    "standard_error_clustered",
    "design_effect",
    "detectable",
    "pairs_positive",
    "pairs_negative",
    "pairs_tied",
    "wilcoxon_p",
    "wilcoxon_log_p",
    "clusters_positive",
    "clusters_negative",
    "clusters_tied",
    "sign_p",
    "sign_log_p",
    "permutation_p",
    "permutation_log_p",
    "flip_p",
    "flip_log_p",
    "reading",
    "method",
    "confidence_level",
    "drawn",
    "n_resamples",
    "seed",
    "low_error",
    "high_error",
    "reason",
]
_MADE_HERE = {"cohen_dz", "design_effect", "reading", "n_resamples", "seed"}


def compare_means(
    trials: Any,
    score: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    pair_by: str | Sequence[str],
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 9999,
    seed: int = 0,
    adjust: str | None = None,
) -> pl.DataFrame:
    """Paired difference of every arm's mean score from a baseline's, per cell, with tests.

    `compare` for scores that are any numbers: token F1, recall at k, a judge's 1 to 5, seconds.
    A row of `trials` is one trial; cells, arms, pairs and clusters are those of `compare`. A trial
    whose score is null or NaN is missing; its partner then counts as unpaired. No result depends
    on the order of rows.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        score: Name or expression of the score: numbers or Boolean.
        contrast: Column that tells arms apart.
        baseline: The value of `contrast` that the others are compared with.
        pair_by: Columns whose values two trials share to be a pair. No nulls.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        method: How the interval of the mean difference is made, as in `mean`: "auto" for Student's
            t, further on the side of the long tail where differences are skewed; "t",
            "percentile", "basic", "bca" or "studentized".
        confidence_level: Two-sided level of the interval.
        resampler: How a bootstrap distribution is found, as in `mean`.
        n_resamples: Number of draws, where there are draws; a p-value from draws is never below
            1 / (n_resamples + 1).
        seed: Seed of the draws.
        adjust: How p-values are adjusted for the rows of this call, as in `stats.adjust`: then
            each test has a column more, such as `sign_p_adjusted`, and `reading` goes by those.

    Returns:
        One row per cell and arm, sorted by both: the `by` columns, `treatment_level`,
        `baseline_level`, `n_pairs`, `n_clusters`, `n_unpaired_treatment` and
        `n_unpaired_baseline` (scored, but without a scored partner), `n_missing` (missing scores
        in both arms), the means `treatment` and `baseline` over pairs, their `difference` with
        `low` and `high`; the `sd` of the pairs' differences (with n - 1), `cohen_dz`, which is
        difference over sd, and the `correlation` of both scores of a pair (Pearson's); the
        `standard_error` of the difference if pairs were independent and `standard_error_clustered`
        (CR2), `design_effect`, the square of their ratio, and `detectable`, the difference that a
        study like this one finds with a power of 80 %; `pairs_positive`, `pairs_negative` and
        `pairs_tied` by the sign of the pair's difference with Wilcoxon's signed-rank test
        `wilcoxon_p`, which counts pairs as independent; the same counts of clusters; then of units,
        which are clusters, or pairs without `cluster`: the sign test `sign_p` and `flip_p`, with
        the signs of units' differences flipped; and, with `cluster`, `permutation_p`, with arms'
        labels shuffled within clusters. All are two-sided and exact wherever a count takes no
        more than about a second, ties and zeros included; else Wilcoxon's comes from the normal
        distribution, the permutation tests from draws. `reading`, where these disagree and what
        should stop a reader, in words; `method` of the interval, `confidence_level`; `drawn`, what
        was drawn ("interval", "permutation_p", "flip_p"), with `n_resamples` and `seed` (all null
        where nothing was), and `low_error` and `high_error`, the Monte Carlo standard errors of
        drawn limits; `reason` why there is no interval. Beside each p-value is its natural
        logarithm, such as `sign_log_p`. Counts are Int64, `seed` UInt64, the rest Float64 and
        String.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a score is infinite.
        DesignError: The baseline does not occur; a pair occurs twice (three are named); a key
            is null; the two trials of a pair are in different clusters.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "memory": ["none"] * 6 + ["notes"] * 6,
        ...         "user": ["u", "u", "v", "v", "w", "w"] * 2,
        ...         "item": list("abcdef") * 2,
        ...         "f1": [0.2, 0.5, 0.4, 0.1, 0.6, 0.3, 0.7, 0.9, 0.5, 0.6, 0.7, None],
        ...     }
        ... )
        >>> result = rs.compare_means(
        ...     trials,
        ...     "f1",
        ...     contrast="memory",
        ...     baseline="none",
        ...     pair_by=["user", "item"],
        ...     cluster="user",
        ... )
        >>> result.select("n_pairs", pl.col("difference", "low", "high", "flip_p").round(3))
        shape: (1, 5)
        ┌─────────┬────────────┬────────┬───────┬────────┐
        │ n_pairs ┆ difference ┆ low    ┆ high  ┆ flip_p │
        │ ---     ┆ ---        ┆ ---    ┆ ---   ┆ ---    │
        │ i64     ┆ f64        ┆ f64    ┆ f64   ┆ f64    │
        ╞═════════╪════════════╪════════╪═══════╪════════╡
        │ 5       ┆ 0.32       ┆ -0.088 ┆ 0.893 ┆ 0.25   │
        └─────────┴────────────┴────────┴───────┴────────┘

    References:
        Interval: Johnson (1978), Journal of the American Statistical Association 73, 536-544, and
        as in `mean`. CR2: Bell and McCaffrey (2002), Survey Methodology 28, 169-181. Permutation:
        Fisher (1935), The Design of Experiments, section 21. Wilcoxon (1945), doi:10.2307/3001968.
        Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, section 2.3.
        Detectable difference: Bloom (1995), doi:10.1177/0193841X9501900504.
    """
    plan = Plan.checked(
        method=method,
        methods=_core.MEAN_METHODS,
        resampler=resampler,
        resamplers=_core.MEAN_RESAMPLERS,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        cluster=listed(cluster),
    )
    shown, adjusted = list(_RESULT), list[str]()
    if adjust is not None:
        choice("adjust", adjust, _core.ADJUSTMENTS)
        adjusted = [f"{test}_adjusted" for test in SCORE_TESTS]
        place = shown.index("reading")
        shown[place:place] = adjusted
    arms = Arms.of(
        trials,
        score,
        contrast=contrast,
        baseline=baseline,
        pair_by=pair_by,
        cluster=cluster,
        by=by,
        result_columns=shown,
        kind=Scores,
    )
    cells, clusters, lengths, scores = arms.scored()
    results = _core.compare_means(clusters, lengths, scores, plan)
    computed = [name for name in shown if name not in {*_MADE_HERE, *adjusted}]
    result = finished(cells, arms.trials.by, results, computed)
    if adjust is not None:
        result = result.with_columns(
            pl.Series(_core.adjust(result[test], adjust)).alias(name)
            for test, name in zip(SCORE_TESTS, adjusted, strict=True)
        )
    drawn = pl.col("drawn").is_not_null()
    ratio_of_errors = (pl.col("standard_error_clustered") / pl.col("standard_error")) ** 2
    result = result.with_columns(
        cohen_dz=pl.when(pl.col("sd") > 0).then(pl.col("difference") / pl.col("sd")),
        design_effect=pl.when(pl.col("standard_error") > 0).then(ratio_of_errors),
        reading=reading_of_scores(adjusted or SCORE_TESTS, 1.0 - plan.confidence_level),
        n_resamples=pl.when(drawn).then(pl.lit(plan.n_resamples, pl.Int64)),
        seed=pl.when(drawn).then(pl.lit(plan.seed, pl.UInt64)),
    )
    return result.select(*arms.trials.by, *shown)
