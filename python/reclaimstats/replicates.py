"""Repeats of the same items: one row per cell, or per cell and statistic."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished, flat, grouped
from reclaimstats.design.columns import listed
from reclaimstats.design.levels import apart, level_of, one_level
from reclaimstats.design.names import MISSING, PREFIX, SUCCESSES, N
from reclaimstats.design.scores import VALUES, Scores
from reclaimstats.design.trials import Trials
from reclaimstats.errors import DesignError, OptionError
from reclaimstats.options import confidence, integer, share

__all__ = ["blast_radius", "heterogeneity", "repeats", "variance_components"]

_INTERVAL = ["low", "high", "method", "confidence_level", "reason"]
_PASSED = [
    "statistic",
    "k",
    "n",
    "n_items",
    "n_short",
    "n_clusters",
    "n_missing",
    "estimate",
    *_INTERVAL,
]
_COMPONENTS = ["n", "n_items", "n_missing", "mean", "between", "within", "icc", *_INTERVAL]
_BLAST = [
    "n",
    "n_chains",
    "n_incomplete",
    "n_clusters",
    "n_missing",
    "estimate",
    *_INTERVAL,
]
_HETEROGENEITY = [
    "treatment_level",
    "baseline_level",
    "n_items",
    "n_unpaired",
    "n_missing",
    "mean",
    "sd",
    "sd_null",
    "sd_p",
    "threshold",
    "n_beyond",
    "n_beyond_null",
    "beyond_p",
    "n_resamples",
    "seed",
    "reason",
]


def repeats(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    item: str | Sequence[str],
    k: int | Sequence[int],
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """pass@k and pass^k: the chance that any, or that all, of k repeats of an item succeed.

    A row of `trials` is one repeat. Rows that share all values in `item` (and in `cluster`)
    are repeats of one item. Each item gives the unbiased estimate of both chances from its n
    outcomes, c of them successes: 1 - C(n - c, k) / C(n, k) and C(c, k) / C(n, k). The mean
    over items is taken; items with fewer than k outcomes have no estimate and are counted in
    `n_short`. A null or NaN outcome is missing: it is no repeat.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        item: Columns that tell items apart. No nulls.
        k: Numbers of repeats, each from 1 on.
        by: Columns that tell cells apart.
        cluster: Columns that tell clusters of dependent items apart. Without it, items count
            as independent; repeats of one item never do.
        confidence_level: Two-sided level of the interval.

    Returns:
        One row per cell, `k` and `statistic` ("pass@k", "pass^k"), cells sorted by the `by`
        columns, which come first. Then `n` trials observed, `n_items` with k of them, `n_short`
        items with fewer, `n_clusters` (null without `cluster`), `n_missing` trials, `estimate`,
        `low` and `high` (Wilson's interval on the effective number of items, with Student's t,
        as in `rate`), `method`, `confidence_level`, and `reason` why something is null.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: An item or cluster is null, or there are no item columns.
        OptionError: k or the level is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame({"task": ["a"] * 4 + ["b"] * 4, "ok": [1, 1, 1, 0, 0, 1, 0, 0]})
        >>> table = rs.repeats(trials, "ok", item="task", k=[1, 2])
        >>> table.filter(k=2).select("statistic", "n_items", "estimate").rows()
        [('pass@k', 2, 0.75), ('pass^k', 2, 0.25)]

    References:
        pass@k: Chen et al. (2021), arXiv:2107.03374. pass^k: Yao et al. (2024),
        arXiv:2406.12045. Interval: as `rate`.
    """
    ks = [integer("k", one, least=1, most=2**53) for one in ([k] if isinstance(k, int) else k)]
    if not ks:
        raise OptionError("k is empty; name at least one number of repeats")
    level = confidence(confidence_level)
    checked, items = _items(trials, outcome, item, by, cluster, _PASSED)
    cells = _cells(items, checked)
    lengths, columns = flat(cells, _CLUSTER, N, SUCCESSES)
    rows = _core.passed(lengths, columns, ks, bool(checked.cluster), level)
    each = cells.select(*checked.by, "n_missing").select(pl.all().repeat_by(2 * len(ks)))
    return finished(each.explode(each.columns), checked.by, rows, _PASSED)


def variance_components(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    item: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """How outcomes or scores vary between items, and between repeats of one item.

    Rows and items are those of `repeats`; outcomes may be any numbers. A one-way analysis of
    variance splits their variance: `within` is what repeats of an item differ by, `between` what
    the items' own means (chances, where outcomes are 0 and 1) differ by, and `icc` the share of the
    latter. Near 1, repeats say little new and more items are needed; near 0, repeats are as good as
    items. Items may have different numbers of repeats.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome or score: numbers or Boolean.
        item: Columns that tell items apart. No nulls.
        by: Columns that tell cells apart.
        confidence_level: Two-sided level of the interval of `icc`.

    Returns:
        One row per cell: the `by` columns, `n` trials observed, `n_items`, `n_missing`, `mean`,
        `between` (0 where the estimate is below), `within`, `icc` (below 0 where items are
        more alike than chance), `low` and `high` of `icc` (Searle's, exact for normal scores and
        equal numbers of repeats, else approximate), `method`, `confidence_level`, `reason`.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is infinite.
        DesignError: An item is null, or there are no item columns.
        OptionError: The level is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame({"task": ["a"] * 4 + ["b"] * 4, "ok": [1, 1, 1, 0, 0, 1, 0, 0]})
        >>> rs.variance_components(trials, "ok", item="task").select("between", "within").row(0)
        (0.0625, 0.25)
        >>> trials = pl.DataFrame({"task": ["a"] * 3 + ["b"] * 2, "f1": [0.2, 0.4, 0.3, 0.9, 0.7]})
        >>> table = rs.variance_components(trials, "f1", item="task")
        >>> table.select(pl.col("between", "within", "icc").round(3)).row(0)
        (0.119, 0.013, 0.9)

    References:
        Fisher (1925), Statistical Methods for Research Workers. Unequal numbers of repeats: Searle,
        Casella and McCulloch (1992), Variance Components, section 3.6. Interval: Shrout and Fleiss
        (1979), doi:10.1037/0033-2909.86.2.420.
    """
    level = confidence(confidence_level)
    items = _named(item, "item")
    scores = Scores.of(trials, outcome, by=by, cluster=None, result_columns=_COMPONENTS, item=items)
    cells = scores.cell_items(items)
    count, (lengths,) = flat(cells, N)
    _, (values,) = flat(cells, VALUES)
    rows = _core.variance_components(count, lengths, values, level)
    return finished(cells, scores.by, rows, _COMPONENTS)


def blast_radius(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    chain: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """Mean number of wrong hops in chains that carry an answer on from hop to hop.

    A row of `trials` is one hop, right or wrong; rows that share all values in `chain` (and in
    `cluster`) form a chain. A chain with a missing outcome has no known radius: it is counted
    in `n_incomplete` and takes no part. Keep the hops that the radius is to count: an error
    planted at the first hop counts unless that hop is filtered out.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of what is right: Boolean, or numbers 0 and 1.
        chain: Columns that tell chains apart. No nulls.
        by: Columns that tell cells apart, such as the policy and the chain's length.
        cluster: Columns that tell clusters of dependent chains apart.
        confidence_level: Two-sided level of the interval.

    Returns:
        One row per cell: the `by` columns, `n` hops of complete chains, `n_chains`,
        `n_incomplete`, `n_clusters` (null without `cluster`), `n_missing` hops, `estimate`,
        `low` and `high` (Student's t with the cluster-robust variance CR2, from 0 to the
        longest chain), `method`, `confidence_level`, `reason`.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: A chain or cluster is null, or there are no chain columns.
        OptionError: The level is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> hops = pl.DataFrame({"chain": [1, 1, 1, 2, 2, 2], "right": [0, 0, 0, 0, 1, 1]})
        >>> rs.blast_radius(hops, "right", chain="chain").select("n_chains", "estimate").row(0)
        (2, 2.0)

    References:
        Reclaim Evaluation (2026), arXiv:2606.25449, section 5.9.
    """
    level = confidence(confidence_level)
    checked, chains = _items(trials, outcome, chain, by, cluster, _BLAST, argument="chain")
    complete = (pl.col(MISSING) == 0) & (pl.col(N) > 0)
    cells = _cells(chains, checked, complete)
    lengths, columns = flat(cells, _CLUSTER, N, SUCCESSES)
    rows = _core.blast_radius(lengths, columns, bool(checked.cluster), level)
    return finished(cells, checked.by, rows, _BLAST)


def heterogeneity(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    item: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    threshold: float = 0.25,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> pl.DataFrame:
    """Whether effects differ between items more than repeats alone would have it.

    A row of `trials` is one repeat of an item in one arm. An item's effect is its rate in the
    arm minus its rate in the baseline. With few repeats effects scatter even where no item has
    any; so they are compared with a null that has the same repeats: arms shuffled within items,
    as if no item had an effect. Items without an outcome in one of the arms are counted in
    `n_unpaired` and take no part.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        contrast: Column that tells arms apart. No nulls.
        baseline: Its value in the baseline.
        item: Columns that tell items apart. No nulls.
        by: Columns that tell cells apart.
        threshold: Size from which on an effect counts in `n_beyond`, from 0 to 1.
        n_resamples: Number of shuffles for the standard deviation, from 1 to 100 million.
        seed: Seed of the shuffles, from 0 to 2^64 - 1.

    Returns:
        One row per cell and arm: the `by` columns, `treatment_level`, `baseline_level`,
        `n_items`, `n_unpaired` items, `n_missing` trials of both arms, `mean` of the items'
        effects; their standard deviation `sd` (n - 1), its mean under the null `sd_null`, and
        `sd_p`, (1 + shuffles with as much or more) / (1 + shuffles); `threshold`, `n_beyond`
        items at or beyond it, their exact expected number `n_beyond_null`, and `beyond_p`, the
        exact chance of as many or more; `n_resamples`, `seed`, `reason`. Both tests are
        one-sided: too much heterogeneity.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: An item or arm is null, or the baseline does not occur or is alone.
        OptionError: An option is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "arm": (["removed"] * 4 + ["kept"] * 4) * 2,
        ...         "span": ["a"] * 8 + ["b"] * 8,
        ...         "ok": [1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1],
        ...     }
        ... )
        >>> table = rs.heterogeneity(trials, "ok", contrast="arm", baseline="kept", item="span")
        >>> table.select("n_items", "mean", "n_beyond", pl.col("n_beyond_null").round(3)).row(0)
        (2, 0.5, 1, 0.971)

    References:
        The null: Agentic Context Management (2026), arXiv:2611.00518, section 5. (k + 1) / (B
        + 1): Phipson and Smyth (2010), doi:10.2202/1544-6115.1585.
    """
    limit = share("threshold", threshold)
    integer("n_resamples", n_resamples, least=1, most=100_000_000)
    integer("seed", seed, least=0, most=2**64 - 1)
    one_level(contrast, baseline)
    items_by = [contrast, *(name for name in listed(item) if name != contrast)]
    checked, items = _items(trials, outcome, items_by, by, None, _HETEROGENEITY)
    if len(items_by) == 1:
        raise DesignError("item is empty; name the columns that tell items apart")
    apart(contrast, by=checked.by)
    level = level_of(items[contrast].unique().sort(), baseline)
    cells = _crossed(items, checked.by, contrast, level, items_by[1:])
    lengths, columns = flat(cells, *_ARMS)
    rows = _core.heterogeneity(lengths, columns, limit, n_resamples, seed)
    cells = cells.select(
        *checked.by,
        pl.col(contrast).alias("treatment_level"),
        pl.lit(level).cast(items.schema[contrast]).alias("baseline_level"),
        pl.col(_UNPAIRED).alias("n_unpaired"),
        pl.col(MISSING).alias("n_missing"),
        pl.lit(limit).alias("threshold"),
        pl.lit(n_resamples, pl.Int64).alias("n_resamples"),
        pl.lit(seed, pl.UInt64).alias("seed"),
    )
    return finished(cells, checked.by, rows, _HETEROGENEITY)


_CLUSTER = "reclaimstats.cluster"
_ARMS = [f"reclaimstats.{arm}.{count}" for arm in ("treatment", "baseline") for count in "nk"]


def _items(
    trials: Any,
    outcome: str | pl.Expr,
    item: str | Sequence[str],
    by: str | Sequence[str] | None,
    cluster: str | Sequence[str] | None,
    result_columns: Sequence[str],
    *,
    argument: str = "item",
) -> tuple[Trials, pl.DataFrame]:
    """Check columns and count per item."""
    items = _named(item, argument)
    checked = Trials.of(
        trials,
        outcome,
        by=by,
        cluster=cluster,
        result_columns=result_columns,
        **{argument: items},
    )
    return checked, checked.items(items)


def _named(item: str | Sequence[str], argument: str) -> list[str]:
    """Return the columns that tell items apart, which there must be."""
    if not listed(item):
        raise DesignError(f"{argument} is empty; name the columns that tell {argument}s apart")
    return listed(item)


def _cells(items: pl.DataFrame, checked: Trials, kept: pl.Expr | None = None) -> pl.DataFrame:
    """List per cell the items that are kept: numbers of their clusters, trials, successes."""
    keys = [*checked.by, *checked.cluster]
    number = pl.struct(keys).rle_id() if checked.cluster else pl.lit(0)
    kept = pl.lit(True) if kept is None else kept
    items = items.with_columns(number.cast(pl.UInt64).alias(_CLUSTER), kept.alias(_KEPT))
    return grouped(
        items.lazy(),
        checked.by,
        [
            pl.col(_CLUSTER, N, SUCCESSES).filter(pl.col(_KEPT)).implode(),
            pl.col(MISSING).sum().alias("n_missing"),
            (~pl.col(_KEPT)).sum().cast(pl.Int64).alias("n_incomplete"),
        ],
    ).collect()


_KEPT = f"{PREFIX}kept"
_UNPAIRED = f"{PREFIX}unpaired"


def _crossed(
    items: pl.DataFrame, by: list[str], contrast: str, level: Any, item: list[str]
) -> pl.DataFrame:
    """List per cell and arm the trials and successes of items tried in it and in the baseline."""
    is_baseline = pl.col(contrast) == pl.lit(level)
    cell = [*by, contrast]
    treated, untreated = items.filter(~is_baseline), items.filter(is_baseline).drop(contrast)
    levels = treated.select(cell).unique()
    if by:
        untreated = levels.join(untreated, on=by, nulls_equal=True)
    else:
        untreated = levels.join(untreated, how="cross")
    sides = [
        side.select(
            *cell,
            *item,
            pl.col(N).alias(_ARMS[at]),
            pl.col(SUCCESSES).alias(_ARMS[at + 1]),
            pl.col(MISSING),
        )
        for at, side in ((0, treated), (2, untreated))
    ]
    both = (
        pl.concat(sides, how="diagonal")
        .group_by([*cell, *item])
        .agg(pl.col(_ARMS).sum(), pl.col(MISSING).sum())
    )
    observed = [pl.col(_ARMS[0]) > 0, pl.col(_ARMS[2]) > 0]
    return grouped(
        both.lazy(),
        cell,
        [
            pl.col(_ARMS).filter(observed[0] & observed[1]).implode(),
            (observed[0] ^ observed[1]).sum().cast(pl.Int64).alias(_UNPAIRED),
            pl.col(MISSING).sum(),
        ],
    ).collect()
