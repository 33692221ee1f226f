"""Several arms at once: the difference of two differences, and the share of a gap closed."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.levels import level_of, one_level
from reclaimstats.design.unpaired import Counts
from reclaimstats.errors import DesignError
from reclaimstats.options import confidence, integer

__all__ = ["difference_in_differences", "gap_closure"]

_DIFFERENCES = [
    "treatment_level",
    "baseline_level",
    "group_level",
    "reference_level",
    "n_treatment",
    "n_baseline",
    "n_treatment_reference",
    "n_baseline_reference",
    "n_clusters",
    "n_missing",
    "treatment",
    "baseline",
    "treatment_reference",
    "baseline_reference",
    "difference",
    "difference_reference",
    "difference_in_differences",
    "low",
    "high",
    "flip_p",
    "flip_log_p",
    "permutation_p",
    "permutation_log_p",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
    "reason",
]
_CLOSURES = [
    "method_level",
    "baseline_level",
    "oracle_level",
    "n_method",
    "n_baseline",
    "n_oracle",
    "n_clusters",
    "n_missing",
    "rate",
    "baseline",
    "oracle",
    "gap",
    "closure",
    "low",
    "high",
    "method",
    "confidence_level",
    "reason",
]
# What the core and the arms' counts call some of those.
_RENAMED = {
    "n_0": "n_method",
    "n_1": "n_baseline",
    "n_2": "n_oracle",
    "rate_0": "rate",
    "rate_1": "baseline",
    "rate_2": "oracle",
    "estimate": "closure",
}


def difference_in_differences(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    group: str,
    reference: Any,
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    seed: int = 0,
) -> pl.DataFrame:
    """How much more an arm gains over the baseline in one group than in another, per cell.

    A row of `trials` is one trial. The effect of an arm in a group is its rate minus that of the
    baseline; the difference in differences is that effect minus the one in the `reference` group:
    does a memory policy help more on long conversations than on short ones? Trials with equal
    values in `cluster` count as dependent, within and between arms and groups; without `cluster`
    all trials count as independent. A null or NaN outcome is missing.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        contrast: Column that tells arms apart. No nulls.
        baseline: The value of `contrast` that the others are compared with.
        group: Column that tells groups apart. No nulls.
        reference: The value of `group` that the others are compared with.
        cluster: Columns that tell clusters apart. No nulls. Where both arms answer the same items,
            the item or what holds it.
        by: Columns that tell cells apart.
        confidence_level: Two-sided level of the interval.
        n_resamples: Number of draws of a test that cannot be exact; its p-value is then never below
            1 / (n_resamples + 1).
        seed: Seed of the draws.

    Returns:
        One row per cell, arm and group, sorted so: the `by` columns, `treatment_level`,
        `baseline_level`, `group_level`, `reference_level`; trials and rates of the four arms,
        `n_treatment`, `n_baseline` and `treatment`, `baseline` in the group, the same with
        `_reference` in the other; `n_clusters`, `n_missing`; `difference` in the group,
        `difference_reference`, and `difference_in_differences` with `low` and `high`:
        square-and-add of the four arms' Wilson intervals, with clusters on effective sizes and
        with the arms' correlations over clusters. With clusters that are in both groups, `flip_p`:
        a cluster's own difference in differences is as likely to have the other sign. With
        clusters in one group each, `permutation_p`: clusters' differences are shuffled between
        groups. Both take a cluster once, whatever its size, are two-sided, and are exact where
        counting takes well under a second; else `n_resamples` and `seed` say how they
        were drawn. `method`, `confidence_level`, and `reason` why the interval is null.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: The baseline or the reference does not occur or is alone, or a key is null.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "length": (["long"] * 12 + ["short"] * 12) * 2,
        ...         "policy": ["source-first"] * 24 + ["lossy"] * 24,
        ...         "item": [i // 3 for i in range(24)] * 2,
        ...         "correct": [1] * 11 + [0] + [1] * 9 + [0] * 3 + [0, 0, 1] * 4 + [1, 1, 0] * 4,
        ...     }
        ... )
        >>> result = rs.difference_in_differences(
        ...     trials,
        ...     "correct",
        ...     contrast="policy",
        ...     baseline="lossy",
        ...     group="length",
        ...     reference="short",
        ...     cluster="item",
        ... )
        >>> result.select(pl.col("difference", "difference_reference", "low", "high").round(3))
        shape: (1, 4)
        ┌────────────┬──────────────────────┬────────┬───────┐
        │ difference ┆ difference_reference ┆ low    ┆ high  │
        │ ---        ┆ ---                  ┆ ---    ┆ ---   │
        │ f64        ┆ f64                  ┆ f64    ┆ f64   │
        ╞════════════╪══════════════════════╪════════╪═══════╡
        │ 0.583      ┆ 0.083                ┆ -0.517 ┆ 1.253 │
        └────────────┴──────────────────────┴────────┴───────┘

    References:
        Zou and Donner (2008), doi:10.1002/sim.3095. Fisher (1935), The Design of Experiments.
    """
    level = confidence(confidence_level)
    draws = integer("n_resamples", n_resamples, least=1, most=100_000_000)
    seed = integer("seed", seed, least=0, most=2**64 - 1)
    one_level(contrast, baseline)
    one_level(group, reference)
    counts = Counts.of(
        trials,
        outcome,
        keys={"contrast": contrast, "group": group},
        cluster=cluster,
        by=by,
        result_columns=_DIFFERENCES,
    )
    arms, groups = counts.levels(contrast), counts.levels(group)
    untreated, other = level_of(arms, baseline), level_of(groups, reference, option="reference")
    tables = []
    for treated in _but(arms, untreated):
        for place in _but(groups, other):
            cells, _, lengths, columns = counts.arms(
                {contrast: treated, group: place},
                {contrast: untreated, group: place},
                {contrast: treated, group: other},
                {contrast: untreated, group: other},
            )
            found = _core.difference_in_differences(lengths, columns, level, draws, seed)
            tables.append(
                cells.hstack(pl.DataFrame(found)).with_columns(
                    pl.lit(treated).cast(arms.dtype).alias("treatment_level"),
                    pl.lit(untreated).cast(arms.dtype).alias("baseline_level"),
                    pl.lit(place).cast(groups.dtype).alias("group_level"),
                    pl.lit(other).cast(groups.dtype).alias("reference_level"),
                )
            )
    names = ["", "", "_reference", "_reference"]
    renamed = {
        f"{old}_{arm}": f"{new}{('treatment', 'baseline')[arm % 2]}{names[arm]}"
        for arm in range(4)
        for old, new in (("n", "n_"), ("rate", ""))
    }
    result = pl.concat(tables).rename(renamed | {"estimate": "difference_in_differences"})
    drawn = pl.col("n_resamples").is_not_null()
    return (
        result.with_columns(
            (pl.col("treatment") - pl.col("baseline")).alias("difference"),
            (pl.col("treatment_reference") - pl.col("baseline_reference")).alias(
                "difference_reference"
            ),
            *(
                pl.when(pl.col("test") == test).then(value).alias(f"{test}{name}")
                for test in ("flip", "permutation")
                for value, name in (("pvalue", "_p"), ("log_pvalue", "_log_p"))
            ),
            confidence_level=pl.lit(level),
            seed=pl.when(drawn).then(pl.lit(seed, pl.UInt64)),
        )
        .sort([*counts.by, "treatment_level", "group_level"])
        .select(*counts.by, *_DIFFERENCES)
    )


def gap_closure(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    oracle: Any,
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """Share of the gap between a baseline and an oracle that a method closes, per cell.

    That is (method - baseline) / (oracle - baseline), of rates: 0 for a method no better than the
    baseline, 1 for one as good as the oracle. A row of `trials` is one trial. Trials with equal
    values in `cluster` count as dependent, within and between arms; without `cluster` all trials
    count as independent. A null or NaN outcome is missing.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        contrast: Column that tells arms apart. No nulls.
        baseline: The value of `contrast` that closes nothing of the gap.
        oracle: The value of `contrast` that closes all of it.
        cluster: Columns that tell clusters apart. No nulls. Where arms answer the same items, the
            item or what holds it: the arms' correlation is what makes the interval narrow.
        by: Columns that tell cells apart.
        confidence_level: Two-sided level of the interval.

    Returns:
        One row per cell and other arm, sorted so: the `by` columns, `method_level`,
        `baseline_level`, `oracle_level`, trials `n_method`, `n_baseline`, `n_oracle`, `n_clusters`,
        `n_missing`, the rates `rate`, `baseline` and `oracle`, the `gap`, oracle minus baseline,
        and the `closure` with `low` and `high`: the shares at which the square-and-add interval
        of method - baseline - share * gap holds zero, Fieller's argument. Where the interval of
        the gap holds 0, the limits are null, and `reason` says so. `method` names the interval.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: The baseline or the oracle does not occur or there is no other arm, or a key is
            null.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "memory": ["none"] * 24 + ["notes"] * 24 + ["transcript"] * 24,
        ...         "item": [i // 3 for i in range(24)] * 3,
        ...         "correct": [0, 0, 1] * 8 + [1, 1, 1, 1, 0, 1] * 4 + [1] * 22 + [0, 1],
        ...     }
        ... )
        >>> result = rs.gap_closure(
        ...     trials,
        ...     "correct",
        ...     contrast="memory",
        ...     baseline="none",
        ...     oracle="transcript",
        ...     cluster="item",
        ... )
        >>> result.select(pl.col("rate", "gap", "closure", "low", "high").round(3))
        shape: (1, 5)
        ┌───────┬───────┬─────────┬───────┬───────┐
        │ rate  ┆ gap   ┆ closure ┆ low   ┆ high  │
        │ ---   ┆ ---   ┆ ---     ┆ ---   ┆ ---   │
        │ f64   ┆ f64   ┆ f64     ┆ f64   ┆ f64   │
        ╞═══════╪═══════╪═════════╪═══════╪═══════╡
        │ 0.833 ┆ 0.625 ┆ 0.8     ┆ 0.131 ┆ 3.042 │
        └───────┴───────┴─────────┴───────┴───────┘

    References:
        Fieller (1954), Journal of the Royal Statistical Society B 16, 175-185. Zou and Donner
        (2008), doi:10.1002/sim.3095.
    """
    level = confidence(confidence_level)
    one_level(contrast, baseline)
    one_level(contrast, oracle)
    counts = Counts.of(
        trials,
        outcome,
        keys={"contrast": contrast},
        cluster=cluster,
        by=by,
        result_columns=[*_CLOSURES, *_RENAMED],
    )
    arms = counts.levels(contrast)
    low, high = level_of(arms, baseline), level_of(arms, oracle, option="oracle")
    others = _but(arms, low, high)
    if low == high or not others:
        raise DesignError(
            f"{contrast!r} needs a baseline, an oracle and an arm between them; it holds "
            f"{', '.join(map(repr, arms.to_list()))}, baseline={baseline!r}, oracle={oracle!r}"
        )
    tables = []
    for arm in others:
        cells, _, lengths, columns = counts.arms({contrast: arm}, {contrast: low}, {contrast: high})
        found = _core.gap_closure(lengths, columns, level)
        tables.append(
            cells.hstack(pl.DataFrame(found)).with_columns(
                pl.lit(value).cast(arms.dtype).alias(f"{name}_level")
                for name, value in (("method", arm), ("baseline", low), ("oracle", high))
            )
        )
    return (
        pl.concat(tables)
        .rename(_RENAMED)
        .with_columns(gap=pl.col("oracle") - pl.col("baseline"), confidence_level=pl.lit(level))
        .sort([*counts.by, "method_level"])
        .select(*counts.by, *_CLOSURES)
    )


def _but(levels: pl.Series, *known: Any) -> list[Any]:
    return [level for level in levels.to_list() if level not in known]
