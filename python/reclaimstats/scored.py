"""Arms compared by their mean scores, per cell: paired, independent, and against a margin."""

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.adjusting import Adjusted
from reclaimstats.design.cells import finished
from reclaimstats.design.columns import listed
from reclaimstats.design.levels import apart, level_of, one_level
from reclaimstats.design.pairs import Arms
from reclaimstats.design.scores import Scores
from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.margins import Claim
from reclaimstats.options import Plan, number
from reclaimstats.reading import SCORE_TESTS, reading_of_scores

__all__ = ["compare_means", "compare_means_unpaired", "equivalence_means"]

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
    "wilcoxon_method",
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
_GROUPS_RESULT = [
    "treatment_level",
    "baseline_level",
    "n_treatment",
    "n_baseline",
    "n_clusters_treatment",
    "n_clusters_baseline",
    "n_clusters_shared",
    "n_missing",
    "treatment",
    "baseline",
    "difference",
    "low",
    "high",
    "sd_treatment",
    "sd_baseline",
    "standard_error",
    "standard_error_clustered",
    "detectable",
    "welch_p",
    "welch_log_p",
    "mann_whitney_p",
    "mann_whitney_log_p",
    "mann_whitney_method",
    "permutation_p",
    "permutation_log_p",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
    "reason",
]
_GROUP_TESTS = ["welch_p", "mann_whitney_p", "permutation_p"]
_VERDICT_RESULT = [
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
    "margin_low",
    "margin_high",
    "alternative",
    "alpha",
    "verdict",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
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
        labels shuffled within clusters. All are two-sided and exact wherever a count takes well
        under a second, ties and zeros included; else Wilcoxon's comes from the normal
        distribution (`wilcoxon_method` is "exact" or "asymptotic"), the permutation tests from
        draws. `reading`, where these disagree and what
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
    adjusted = Adjusted.checked(adjust, SCORE_TESTS)
    shown = adjusted.among(_RESULT, before="reading")
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
    computed = [name for name in shown if name not in {*_MADE_HERE, *adjusted.names}]
    result = adjusted.added(finished(cells, arms.trials.by, results, computed))
    drawn = pl.col("drawn").is_not_null()
    ratio_of_errors = (pl.col("standard_error_clustered") / pl.col("standard_error")) ** 2
    result = result.with_columns(
        cohen_dz=pl.when(pl.col("sd") > 0).then(pl.col("difference") / pl.col("sd")),
        design_effect=pl.when(pl.col("standard_error") > 0).then(ratio_of_errors),
        reading=reading_of_scores(adjusted.names or SCORE_TESTS, 1.0 - plan.confidence_level),
        n_resamples=pl.when(drawn).then(pl.lit(plan.n_resamples, pl.Int64)),
        seed=pl.when(drawn).then(pl.lit(plan.seed, pl.UInt64)),
    )
    return result.select(*arms.trials.by, *shown)


def compare_means_unpaired(
    trials: Any,
    score: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    seed: int = 0,
    adjust: str | None = None,
) -> pl.DataFrame:
    """Difference of every arm's mean score from a baseline's, per cell, where no trials are pairs.

    `compare_unpaired` for scores that are any numbers. A row of `trials` is one trial. `contrast`
    names its arm: the arms are groups of different items, conversations or users. Trials with
    equal values in `cluster` count as dependent; without `cluster` trials count as independent and
    the cluster columns are null. A trial whose score is null or NaN is missing. Where both arms
    answered the same items, `compare_means` with `pair_by` says more. No result depends on the
    order of rows.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        score: Name or expression of the score: numbers or Boolean.
        contrast: Column that tells arms apart. No nulls.
        baseline: The value of `contrast` that the others are compared with.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        method: "welch" for Student's t on Satterthwaite's degrees of freedom; "auto" for that,
            further on the side of the long tail where the difference is skewed, as in `mean`.
        confidence_level: Two-sided level of the interval.
        n_resamples: Number of draws of a permutation test that cannot be exact; its p-value is
            then never below 1 / (n_resamples + 1).
        seed: Seed of the draws.
        adjust: How p-values are adjusted for the rows of this call, as in `stats.adjust`: then
            each test has a column more, such as `welch_p_adjusted`.

    Returns:
        One row per cell and arm, sorted by both: the `by` columns, `treatment_level`,
        `baseline_level`, the scores `n_treatment` and `n_baseline`, the clusters
        `n_clusters_treatment`, `n_clusters_baseline` and, in both arms, `n_clusters_shared`,
        `n_missing`, the means `treatment` and `baseline` and their `difference` with `low` and
        `high`; `sd_treatment` and `sd_baseline` of the scores (with n - 1); of the difference the
        `standard_error` if trials were independent and `standard_error_clustered` (CR2), and
        `detectable`, the difference that a study like this one finds with a power of 80 %. Then
        two-sided `welch_p`, of Welch's t, over clusters where there are clusters;
        `mann_whitney_p`, which counts trials as independent, exact wherever counting takes well
        under a second, ties included, else from the normal distribution
        (`mann_whitney_method` is "exact" or "asymptotic"); and `permutation_p`, with the arms'
        labels shuffled over trials, or over whole clusters: exact where that can be counted, else
        from `n_resamples` draws with `seed` (both null where it is exact), and null with clusters
        in both arms. Beside each is its natural logarithm, such as
        `welch_log_p`. `method` of the interval, `confidence_level`, and `reason` why something is
        null. Counts are Int64, `seed` UInt64, the rest Float64 and String.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a score is infinite.
        DesignError: The baseline does not occur or is alone, or an arm or a cluster is null.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "prompt": ["short"] * 6 + ["long"] * 6,
        ...         "user": [i // 2 for i in range(12)],
        ...         "f1": [0.9, 0.7, 0.8, 0.8, 0.6, 1.0, 0.3, 0.5, 0.4, 0.6, 0.2, 0.3],
        ...     }
        ... )
        >>> for cluster in (None, "user"):
        ...     row = rs.compare_means_unpaired(
        ...         trials, "f1", contrast="prompt", baseline="long", cluster=cluster
        ...     ).row(0, named=True)
        ...     print(*(round(row[name], 3) for name in ("difference", "welch_p", "permutation_p")))
        0.417 0.001 0.004
        0.417 0.029 0.1

    References:
        Welch (1947), doi:10.1093/biomet/34.1-2.28. Satterthwaite (1946), doi:10.2307/3002019.
        Skewness: Johnson (1978), Journal of the American Statistical Association 73, 536-544. CR2:
        Bell and McCaffrey (2002), Survey Methodology 28, 169-181. Mann and Whitney (1947),
        doi:10.1214/aoms/1177730491.
        Permutation: Pitman (1937), doi:10.2307/2984124; of clusters Gail, Mark, Carroll, Green and
        Pee (1996), Statistics in Medicine 15, 1069-1092.
    """
    plan = Plan.checked(
        method=method,
        methods=_core.GROUP_METHODS,
        resampler="auto",
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        cluster=listed(cluster),
    )
    adjusted = Adjusted.checked(adjust, _GROUP_TESTS)
    shown = adjusted.among(_GROUPS_RESULT, before="method")
    one_level(contrast, baseline)
    scores = Scores.of(
        trials, score, by=by, cluster=cluster, result_columns=shown, contrast=[contrast]
    )
    apart(contrast, by=scores.by, cluster=scores.cluster)
    levels = scores.levels(contrast)
    untreated = level_of(levels, baseline)
    tables = []
    for treated in levels.to_list():
        if treated == untreated:
            continue
        cells, clusters, lengths, values = scores.arms(contrast, treated, untreated)
        found = pl.DataFrame(_core.compare_groups_of_scores(clusters, lengths, values, plan))
        names = [pl.lit(arm).cast(levels.dtype) for arm in (treated, untreated)]
        tables.append(
            cells.select(*scores.by, "n_missing")
            .hstack(found)
            .with_columns(names[0].alias("treatment_level"), names[1].alias("baseline_level"))
        )
    result = adjusted.added(pl.concat(tables).sort([*scores.by, "treatment_level"]))
    return result.select(*scores.by, *shown)


def equivalence_means(
    trials: Any,
    score: str | pl.Expr,
    *,
    margin: float | tuple[float, float],
    contrast: str,
    baseline: Any,
    pair_by: str | Sequence[str],
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    alternative: str = "equivalence",
    alpha: float = 0.05,
    bounds: tuple[float, float] | None = None,
    method: str = "auto",
    resampler: str = "auto",
    n_resamples: int = 9999,
    seed: int = 0,
) -> pl.DataFrame:
    """Whether every arm's mean score is as good as a baseline's to within a margin, per cell.

    `equivalence` for scores that are any numbers: the margin is in their unit. A row of `trials`
    is one trial; cells, arms, pairs, clusters and missing scores are those of `compare_means`. The
    interval of the paired difference at level 1 - 2 alpha decides: a claim passes where it lies
    wholly where the claim holds, fails where it lies wholly where it does not, and is otherwise
    inconclusive. For equivalence that is two one-sided tests (TOST), each at alpha.

    Where all pairs (with `cluster`, all clusters' means) show the very same difference, an interval
    from their spread has no width and proves nothing. Then `bounds` gives an exact answer: were a
    share above 1 - alpha^(1/k) of units different, k equal ones had a chance below alpha, and a
    share up to that lies no farther off than scores can. Without `bounds` the verdict is
    INCONCLUSIVE, with a reason.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        score: Name or expression of the score: numbers or Boolean, where more is better.
        margin: Largest mean difference that does not matter, above 0; for equivalence also a lower
            and an upper one, such as (-0.2, 0.5); for claims of one side also 0. Choose it before
            looking at the data.
        contrast: Column that tells arms apart.
        baseline: The value of `contrast` that the others are compared with.
        pair_by: Columns whose values two trials share to be a pair. No nulls.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        alternative: What is claimed of the difference, treatment minus baseline: "equivalence",
            that it lies between the margins; "non-inferiority", that it lies above -margin;
            "superiority", that it lies above margin.
        alpha: Level of each one-sided test, above 0 and below 0.5.
        bounds: Least and largest score that is possible at all, such as (1, 5).
        method: How the interval is made, as in `compare_means`.
        resampler: How a bootstrap distribution is found, as in `mean`.
        n_resamples: Number of draws, where there are draws.
        seed: Seed of the draws.

    Returns:
        One row per cell and arm, sorted by both, with the columns of `equivalence`; `treatment`
        and `baseline` are means. `verdict` is never null.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a score is infinite or outside
            `bounds`.
        DesignError: See `compare`.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> grades = {"short": [4, 5, 3, 4, 5, 4, 2, 5] * 5, "full": [4, 5, 4, 4, 5, 3, 2, 5] * 5}
        >>> trials = pl.concat(
        ...     pl.DataFrame({"memory": arm, "item": range(40), "grade": grade})
        ...     for arm, grade in grades.items()
        ... )
        >>> rs.equivalence_means(
        ...     trials, "grade", margin=0.25, contrast="memory", baseline="full", pair_by="item"
        ... ).select("n_pairs", "difference", pl.col("low", "high").round(3), "verdict")
        shape: (1, 5)
        ┌─────────┬────────────┬────────┬───────┬─────────┐
        │ n_pairs ┆ difference ┆ low    ┆ high  ┆ verdict │
        │ ---     ┆ ---        ┆ ---    ┆ ---   ┆ ---     │
        │ i64     ┆ f64        ┆ f64    ┆ f64   ┆ str     │
        ╞═════════╪════════════╪════════╪═══════╪═════════╡
        │ 40      ┆ 0.0        ┆ -0.135 ┆ 0.135 ┆ PASS    │
        └─────────┴────────────┴────────┴───────┴─────────┘

    References:
        Schuirmann (1987), doi:10.1007/BF01068419. Intervals as in `mean`.
    """
    possible = None
    if bounds is not None:
        if not isinstance(bounds, list | tuple) or len(bounds) != 2:
            raise OptionError(f"bounds={bounds!r} must be two numbers, such as (1, 5)")
        least, most = (number("bounds", one) for one in bounds)
        if not least < most:
            raise OptionError(f"bounds={bounds!r} must be the least and the largest score")
        possible = least - most, most - least
    claim = Claim.checked(
        margin=margin,
        alternative=alternative,
        alpha=alpha,
        bounds=possible or (-math.inf, math.inf),
    )
    plan = Plan.checked(
        method=method,
        methods=_core.MEAN_METHODS,
        resampler=resampler,
        resamplers=_core.MEAN_RESAMPLERS,
        confidence_level=claim.confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        cluster=listed(cluster),
    )
    arms = Arms.of(
        trials,
        score,
        contrast=contrast,
        baseline=baseline,
        pair_by=pair_by,
        cluster=cluster,
        by=by,
        result_columns=_VERDICT_RESULT,
        kind=Scores,
    )
    cells, clusters, lengths, scores = arms.scored()
    if bounds is not None:
        for values in scores:
            outside = values.filter(~values.is_between(least, most))
            if len(outside):
                raise ColumnError(
                    f"{len(outside)} scores lie outside bounds={bounds}, such as {outside[0]}"
                )
    results = _core.equivalence_means(clusters, lengths, scores, plan, claim, possible)
    return finished(cells, arms.trials.by, results, _VERDICT_RESULT)
