"""Two independent groups of trials compared per cell."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.adjusting import Adjusted
from reclaimstats.design.columns import listed
from reclaimstats.design.levels import level_of, one_level
from reclaimstats.design.unpaired import Counts
from reclaimstats.options import choice, confidence, integer

__all__ = ["compare_unpaired"]

_RESULT = [
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
    "fisher_p",
    "fisher_log_p",
    "permutation_p",
    "permutation_log_p",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
    "reason",
]


def compare_unpaired(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    strata: str | Sequence[str] | None = None,
    effect: str = "difference",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    seed: int = 0,
    adjust: str | None = None,
) -> pl.DataFrame:
    """Difference of every arm's rate from a baseline's, per cell, where no trials are pairs.

    A row of `trials` is one trial. `contrast` names its arm: the arms are groups of different
    items, conversations or users. Trials with equal values in `cluster` count as dependent;
    without `cluster` trials count as independent and the cluster columns are null. A trial whose
    outcome is null or NaN is missing. Where both arms answered the same items, `compare` with
    `pair_by` says more.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        contrast: Column that tells arms apart. No nulls.
        baseline: The value of `contrast` that the others are compared with.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        strata: Columns that tell strata of a cell apart, such as the task: arms are then compared
            within strata only, and pooled after Mantel and Haenszel. A cluster lies in one.
        effect: What `low` and `high` are limits of: the "difference" of the rates; their "ratio",
            treatment over baseline; or their "odds-ratio". The last two add a column of that
            name. The tests are the same: no difference is a ratio and an odds ratio of one.
        confidence_level: Two-sided level of the interval.
        n_resamples: Number of draws of a permutation test that cannot be exact; its p-value is
            then never below 1 / (n_resamples + 1).
        seed: Seed of the draws.
        adjust: How p-values are adjusted for the rows of this call, as in `stats.adjust`: then
            each test has a column more, such as `fisher_p_adjusted`.

    Returns:
        One row per cell and arm, sorted by both: the `by` columns, `treatment_level`,
        `baseline_level`, the trials `n_treatment` and `n_baseline`, the clusters
        `n_clusters_treatment`, `n_clusters_baseline` and, in both arms, `n_clusters_shared`,
        with `strata` the number `n_strata` of those with both arms, `n_missing`, the rates
        `treatment` and `baseline` and their `difference` (and `ratio` or `odds_ratio`, if that is
        the effect), with `low` and `high`. Of a difference that is Newcombe's hybrid score
        interval, square-and-add of Wilson's intervals without a correlation; of a ratio the same
        solved for the ratio; of an odds ratio Cornfield's; with clusters all on effective sample
        sizes. Then the exact two-sided `fisher_p`, which counts trials, and `permutation_p`, with
        the arms' labels shuffled over whole clusters: exact where counting takes well under a
        second, else from `n_resamples` draws with `seed` (both null where it is exact);
        null without clusters, or with clusters in both arms. `fisher_log_p` and
        `permutation_log_p` are their natural logarithms, which go on where p-values end.
        `method` of the interval, `confidence_level`, and `reason` why something is null.

        With `strata`, `difference` and the effect are pooled after Mantel and Haenszel, with
        intervals that hold for many small strata too, but none where there are clusters; `cmh_p`
        and `cmh_log_p` are of the Cochran–Mantel–Haenszel test over trials, in the place of
        Fisher's; and labels are shuffled within strata.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: The baseline does not occur or is alone, an arm or a cluster is null, or a
            cluster lies in several strata.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "prompt": ["short"] * 12 + ["long"] * 12,
        ...         "user": [i // 2 for i in range(24)],
        ...         "kept": [1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1] + [0, 0, 1, 0, 0, 0] * 2,
        ...     }
        ... )
        >>> result = rs.compare_unpaired(
        ...     trials, "kept", contrast="prompt", baseline="long", cluster="user"
        ... )
        >>> result.select("difference", pl.col("low", "high", "fisher_p", "permutation_p").round(4))
        shape: (1, 5)
        ┌────────────┬────────┬────────┬──────────┬───────────────┐
        │ difference ┆ low    ┆ high   ┆ fisher_p ┆ permutation_p │
        │ ---        ┆ ---    ┆ ---    ┆ ---      ┆ ---           │
        │ f64        ┆ f64    ┆ f64    ┆ f64      ┆ f64           │
        ╞════════════╪════════╪════════╪══════════╪═══════════════╡
        │ 0.666667   ┆ 0.0823 ┆ 0.8625 ┆ 0.0033   ┆ 0.013         │
        └────────────┴────────┴────────┴──────────┴───────────────┘

    References:
        Newcombe (1998), Statistics in Medicine 17, 873-890. Cornfield (1956), Proceedings of the
        Third Berkeley Symposium 4, 135-148. Strata: Mantel and Haenszel (1959),
        doi:10.1093/jnci/22.4.719; Cochran (1954), doi:10.2307/3001616; Sato (1989), Biometrics
        45, 1323-1324; Greenland and Robins (1985), Biometrics 41, 55-68; Robins, Breslow and
        Greenland (1986), Biometrics 42, 311-323. Zou and Donner (2008),
        doi:10.1002/sim.3095. Fisher (1935), doi:10.2307/2342435. Permutation of clusters: Gail,
        Mark, Carroll, Green and Pee (1996), Statistics in Medicine 15, 1069-1092.
    """
    level = confidence(confidence_level)
    draws = integer("n_resamples", n_resamples, least=1, most=100_000_000)
    seed = integer("seed", seed, least=0, most=2**64 - 1)
    choice("effect", effect, _core.EFFECTS)
    within = listed(strata)
    test = "cmh" if within else "fisher"
    shown = [name.replace("fisher", test) for name in _RESULT]
    if within:
        shown.insert(shown.index("n_missing"), "n_strata")
    named = effect.replace("-", "_")
    if effect != "difference":
        shown.insert(shown.index("low"), named)
    adjusted = Adjusted.checked(adjust, [f"{test}_p", "permutation_p"])
    shown = adjusted.among(shown, before="method")
    one_level(contrast, baseline)
    counts = Counts.of(
        trials,
        outcome,
        keys={"contrast": contrast},
        cluster=cluster,
        by=by,
        strata=within,
        result_columns=shown,
    )
    levels = counts.levels(contrast)
    untreated = level_of(levels, baseline)
    renamed = {"trials_p": f"{test}_p", "trials_log_p": f"{test}_log_p"}
    tables = []
    for treated in levels.to_list():
        if treated == untreated:
            continue
        cells, sizes, lengths, columns = counts.arms({contrast: treated}, {contrast: untreated})
        found = pl.DataFrame(
            _core.compare_groups(sizes, lengths, columns, effect, level, draws, seed)
        ).rename(renamed)
        found = found.drop("effect") if effect == "difference" else found.rename({"effect": named})
        names = [pl.lit(arm).cast(levels.dtype) for arm in (treated, untreated)]
        drawn = pl.when(pl.col("n_resamples").is_not_null()).then(pl.lit(seed, pl.UInt64))
        tables.append(
            cells.hstack(found).with_columns(
                names[0].alias("treatment_level"), names[1].alias("baseline_level"), seed=drawn
            )
        )
    result = adjusted.added(pl.concat(tables).sort([*counts.by, "treatment_level"]))
    return result.select(*counts.by, *shown)
