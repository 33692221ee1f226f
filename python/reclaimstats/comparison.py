"""Paired comparison of arms per cell: discordant pairs, interval, exact tests."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.adjusting import Adjusted
from reclaimstats.design.cells import finished, flat
from reclaimstats.design.columns import listed
from reclaimstats.design.names import SUCCESSES
from reclaimstats.design.pairs import SUCCESSES_BASELINE, Arms
from reclaimstats.errors import OptionError
from reclaimstats.options import Plan, choice
from reclaimstats.reading import TESTS, reading

__all__ = ["compare"]

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
    "standard_error",
    "standard_error_clustered",
    "design_effect",
    "detectable",
    "treatment_only",
    "baseline_only",
    "mcnemar_p",
    "mcnemar_log_p",
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
    "n_resamples",
    "seed",
    "reason",
]


def compare(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    pair_by: str | Sequence[str],
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    effect: str = "difference",
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
    adjust: str | None = None,
) -> pl.DataFrame:
    """Paired difference of every arm against a baseline, per cell, with exact tests.

    A row of `trials` is one trial. `contrast` names its arm. Within a cell (equal values in
    `by`), the trial of an arm and that of the baseline with equal values in `pair_by` are a
    pair. Pairs with equal values in `cluster` are a cluster and count as dependent; without
    `cluster` pairs count as independent and the cluster columns are null. A trial whose
    outcome is null or NaN is missing; its partner then counts as unpaired. Nothing is dropped
    without being counted.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        contrast: Column that tells arms apart.
        baseline: The value of `contrast` that the others are compared with.
        pair_by: Columns whose values two trials share to be a pair. No nulls.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        effect: What `low` and `high` are limits of: the "difference" of the rates; their "ratio",
            treatment over baseline; or the "odds-ratio" given the pair, discordant pairs for the
            treatment over those for the baseline. The last two add a column of that name. The
            tests are the same: no difference is a ratio and an odds ratio of one.
        method: For a difference, "auto" for square-and-add of Wilson's intervals (Newcombe's for
            independent pairs; on effective sample sizes with clusters); "t" for the difference
            and Student's t times its standard error; "percentile" for the quantiles of the
            bootstrap distribution of the mean difference. Of a ratio and an odds ratio there is
            only "auto": square-and-add solved for the ratio, and Wilson's interval (on the
            effective size with clusters) of the share of the treatment among discordant pairs.
        confidence_level: Two-sided level of the interval.
        resampler: As in `rate`, over pairs or clusters. "cpython" sorts the pairs by
            `pair_by`, in that order of columns, as the replayed harness does.
        n_resamples: Number of random resamples, where there are draws.
        seed: Seed of the draws.
        adjust: How p-values are adjusted for the rows of this call, as in `stats.adjust`: then
            each test has a column more, such as `sign_p_adjusted`, and `reading` goes by those.

    Returns:
        One row per cell and arm, sorted by both: the `by` columns, `treatment_level`,
        `baseline_level`, `n_pairs`, `n_clusters`, `n_unpaired_treatment` and
        `n_unpaired_baseline` (observed, but without an observed partner), `n_missing`
        (unobserved outcomes in both arms), the rates `treatment` and `baseline` over pairs,
        their `difference` (and `ratio` or `odds_ratio`, if that is the effect) with
        `low` and `high`; the `standard_error` of the difference if pairs were
        independent and `standard_error_clustered` (CR2), `design_effect`, the square of their
        ratio, and `detectable`, the difference that a study like this one finds with a power
        of 80 %, null where it finds none so often, not even one of 1; the discordant pairs
        `treatment_only` and `baseline_only` with the exact
        two-sided `mcnemar_p`; over clusters `clusters_positive`, `clusters_negative`,
        `clusters_tied` by the sign of the cluster's difference with the exact two-sided
        `sign_p`, `permutation_p`, with the arms' labels shuffled within clusters, and
        `flip_p`, with the signs of clusters' differences flipped; `reading`, where these
        disagree and what should stop a reader, in words; `method`, `confidence_level`,
        `n_resamples`, `seed` and `reason` as in `rate`, which says too why a ratio has no upper
        limit. P-values are never 0: one below the smallest normal double, 2.2e-308, is given as
        that; beside each is its natural logarithm, such as `sign_log_p`, which goes on. A cell
        without a trial of an arm that other cells have has a row for it, with `n_pairs` 0.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: The baseline does not occur; a pair occurs twice (three are named); a key
            is null; the two trials of a pair are in different clusters.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "policy": ["lossy"] * 6 + ["source-first"] * 6,
        ...         "item": ["a", "a", "b", "b", "c", "c"] * 2,
        ...         "seed": [0, 1] * 6,
        ...         "correct": [0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1],
        ...     }
        ... )
        >>> result = rs.compare(
        ...     trials,
        ...     "correct",
        ...     contrast="policy",
        ...     baseline="lossy",
        ...     pair_by=["item", "seed"],
        ...     cluster="item",
        ... )
        >>> result.select("n_pairs", "treatment_only", "baseline_only", "mcnemar_p", "sign_p")
        shape: (1, 5)
        ┌─────────┬────────────────┬───────────────┬───────────┬────────┐
        │ n_pairs ┆ treatment_only ┆ baseline_only ┆ mcnemar_p ┆ sign_p │
        │ ---     ┆ ---            ┆ ---           ┆ ---       ┆ ---    │
        │ i64     ┆ i64            ┆ i64           ┆ f64       ┆ f64    │
        ╞═════════╪════════════════╪═══════════════╪═══════════╪════════╡
        │ 6       ┆ 5              ┆ 0             ┆ 0.0625    ┆ 0.25   │
        └─────────┴────────────────┴───────────────┴───────────┴────────┘

    References:
        Newcombe (1998), doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
        Zou and Donner (2008), doi:10.1002/sim.3095. McNemar (1947), doi:10.1007/BF02295996.
        Permutation: Fisher (1935), The Design of Experiments. CR2: Bell and McCaffrey (2002),
        Survey Methodology 28, 169-181. Detectable difference: Bloom (1995),
        doi:10.1177/0193841X9501900504.
    """
    choice("effect", effect, _core.EFFECTS)
    if effect != "difference" and method != "auto":
        raise OptionError(
            f"method={method!r} makes the interval of a difference; with effect={effect!r} use "
            "method='auto'"
        )
    plan = Plan.checked(
        method=method,
        methods=_core.DIFFERENCE_METHODS,
        resampler=resampler,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        cluster=listed(cluster),
    )
    adjusted = Adjusted.checked(adjust, TESTS)
    shown = adjusted.among(_RESULT, before="reading")
    if effect != "difference":
        shown.insert(shown.index("low"), effect.replace("-", "_"))
    arms = Arms.of(
        trials,
        outcome,
        contrast=contrast,
        baseline=baseline,
        pair_by=pair_by,
        cluster=cluster,
        by=by,
        result_columns=shown,
    )
    # The replay has no clusters.
    if plan.resampler == "cpython":
        cells = arms.cell_sequences()
        lengths, (treated, untreated) = flat(cells, SUCCESSES, SUCCESSES_BASELINE)
        results = _core.compare_sequences(lengths, treated, untreated, plan)
    else:
        cells, clusters, columns = arms.counted()
        if clusters is None:
            results = _core.compare_pairs(columns, effect, plan)
        else:
            results = _core.compare_clusters(clusters, columns, effect, plan)
    computed = [name for name in shown if name not in {"design_effect", "reading", *adjusted.names}]
    result = finished(cells, arms.trials.by, results, computed)
    ratio_of_errors = (pl.col("standard_error_clustered") / pl.col("standard_error")) ** 2
    result = adjusted.added(result).with_columns(
        design_effect=pl.when(pl.col("standard_error") > 0).then(ratio_of_errors),
        reading=reading(adjusted.names or TESTS, 1.0 - plan.confidence_level),
    )
    return result.select(*arms.trials.by, *shown)
