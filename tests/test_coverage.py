"""Do the intervals cover, and do the tests keep their level? By simulated studies.

`rate_table`, `difference_table` and `shift_table` make the whole tables of the documentation, also
when this file is run as a script; the tests run some of their rows. Every study of a row is a
cell of one call.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr
from scipy.stats import t as student_t

import reclaimstats as rs

Rates = NDArray[np.float64]
Outcomes = NDArray[np.bool_]

CLUSTERS = (8, 16, 32, 96)
# Clusters, rate, correlation within clusters.
RATE_ROWS = list(product(CLUSTERS, (0.05, 0.5, 0.9), (0.0, 0.3, 0.7)))
# Clusters, rates of the arms, correlations within clusters and of a cluster's two rates.
ARM_RATES = ((0.95, 0.05), (0.95, 0.90), (0.10, 0.02), (0.60, 0.40), (0.50, 0.50))
DIFFERENCE_ROWS = list(product(CLUSTERS, ARM_RATES, ((0.0, 0.0), (0.5, 0.6))))
# What the tables above leave out: large clusters, unequal ones, rare events, strong dependence.
SIZES = {"10": [10], "40": [40], "1 to 40": [1, 2, 3, 5, 8, 13, 40], "1 or 30": [1, 1, 1, 1, 30]}
WIDE_ROWS = list(product(CLUSTERS, SIZES, (0.02, 0.05, 0.2, 0.5), (0.0, 0.3, 0.6, 0.9)))
# Shares of trials that only the second rule and only the first rule takes for hits, per arm.
FLIPS = (
    ((0.0, 0.04), (0.0, 0.0)),
    ((0.0, 0.35), (0.0, 0.0)),
    ((0.02, 0.02), (0.02, 0.02)),
    ((0.10, 0.02), (0.02, 0.02)),
    ((0.20, 0.10), (0.10, 0.20)),
)
SHIFT_ROWS = list(product(CLUSTERS, FLIPS))


# --- studies


def beta_rates(normal: Rates, rate: float, icc: float) -> Rates:
    """Beta distributed rates with that mean and intra-cluster correlation, from normal draws."""
    if icc == 0.0:
        return np.full(normal.shape, rate)
    size = (1 - icc) / icc
    return np.asarray(betaincinv(rate * size, (1 - rate) * size, ndtr(normal)))


def frame(outcomes: Outcomes, sizes: NDArray[np.int64], **columns: pl.Expr) -> pl.DataFrame:
    """One row per trial of all studies, of each cluster as many as its size."""
    study, cluster, repeat = (index.ravel() for index in np.indices(outcomes.shape, np.int32))
    trials = {"study": study, "cluster": cluster, "repeat": repeat, "hit": outcomes.ravel()}
    kept = (np.arange(outcomes.shape[2]) < sizes[..., None]).ravel()
    return pl.DataFrame(trials).filter(pl.Series(kept)).with_columns(**columns)


def studies_of_arms(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    rates: Sequence[float],
    icc: float,
    correlation: float,
    sizes: Sequence[int] = (3,),
) -> list[pl.DataFrame]:
    """Trials of one or two arms, one frame an arm.

    A cluster's rates in the arms are beta distributed, tied by a Gaussian copula; given them,
    trials are independent. Its size is one of `sizes`, each as likely.
    """
    shape = (n_studies, clusters)
    drawn = rng.choice(np.asarray(sizes), shape)
    first = rng.standard_normal(shape)
    second = correlation * first + np.sqrt(1 - correlation**2) * rng.standard_normal(shape)
    arms = []
    for arm, normal, rate in zip("ab", (first, second), rates, strict=False):
        chance = beta_rates(normal, rate, icc)[..., None]
        outcomes = rng.random((*shape, max(sizes))) < chance
        arms.append(frame(outcomes, drawn, arm=pl.lit(arm)))
    return arms


def compared(arms: list[pl.DataFrame], **options: Any) -> pl.DataFrame:
    keys: dict[str, Any] = {"pair_by": ["cluster", "repeat"], "by": "study"}
    return rs.compare(pl.concat(arms), "hit", contrast="arm", baseline="b", **keys, **options)


# --- coverage and size


def covered(result: pl.DataFrame, truth: float) -> float:
    """Share of intervals that contain the truth, up to rounding."""
    inside = (result["low"] <= truth + 1e-9) & (result["high"] >= truth - 1e-9)
    return float(inside.sum()) / result.height


def rate_coverage(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    rate: float,
    icc: float,
    sizes: Sequence[int] = (3,),
) -> dict[str, float]:
    trials = studies_of_arms(rng, n_studies, clusters, [rate], icc, 0.0, sizes)[0]
    calls: dict[str, dict[str, Any]] = {
        "percentile": {"cluster": "cluster", "method": "percentile", "n_resamples": 500},
        "default": {"cluster": "cluster"},
        "iid": {},
    }
    return {
        name: covered(rs.rate(trials, "hit", by="study", **options), rate)
        for name, options in calls.items()
    }


def difference_coverage(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    rates: tuple[float, float],
    icc: float,
    correlation: float,
    sizes: Sequence[int] = (3,),
) -> dict[str, float]:
    arms = studies_of_arms(rng, n_studies, clusters, rates, icc, correlation, sizes)
    calls: dict[str, dict[str, Any]] = {
        "percentile": {"cluster": "cluster", "method": "percentile", "n_resamples": 500},
        "default": {"cluster": "cluster"},
        "newcombe": {},
    }
    truth = rates[0] - rates[1]
    return {name: covered(compared(arms, **options), truth) for name, options in calls.items()}


def ratio_coverage(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    rates: tuple[float, float],
    icc: float,
    correlation: float,
    sizes: Sequence[int] = (3,),
) -> dict[str, float]:
    """Of the ratio, with and without clusters, and of the odds ratio given the pair.

    The latter is the clusters' own only where arms are independent given the cluster's rates;
    its truth comes from many clusters.
    """
    arms = studies_of_arms(rng, n_studies, clusters, rates, icc, correlation, sizes)
    effects = {
        "ratio": compared(arms, cluster="cluster", effect="ratio"),
        "without clusters": compared(arms, effect="ratio"),
        "odds ratio": compared(arms, cluster="cluster", effect="odds-ratio"),
    }
    many = studies_of_arms(rng, 1, 400_000, rates, icc, correlation, [1])
    odds = compared(many, effect="odds-ratio")["odds_ratio"].item()
    truths = {"ratio": rates[0] / rates[1], "without clusters": rates[0] / rates[1]}
    unlimited = {
        name: result.with_columns(
            low=pl.col("low").fill_null(0.0), high=pl.col("high").fill_null(float("inf"))
        )
        for name, result in effects.items()
    }
    return {name: covered(result, truths.get(name, odds)) for name, result in unlimited.items()}


def ratio_table(n_studies: int = 1500, seed: int = 0) -> pl.DataFrame:
    """Coverage of the intervals of a ratio and of an odds ratio in all rows."""
    rng = np.random.default_rng(seed)
    rows = [
        {"clusters": clusters, "a": a, "b": b, "icc": icc, "correlation": correlation}
        | ratio_coverage(rng, n_studies, clusters, (a, b), icc, correlation)
        for clusters, (a, b), (icc, correlation) in DIFFERENCE_ROWS
    ]
    return pl.DataFrame(rows)


def sizes_of_tests(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    rate: float,
    icc: float,
    correlation: float,
    alpha: float = 0.05,
) -> dict[str, float]:
    """How often each test rejects although the arms' rates are equal."""
    arms = studies_of_arms(rng, n_studies, clusters, (rate, rate), icc, correlation)
    result = compared(arms, cluster="cluster")
    tests = ("sign_p", "permutation_p", "mcnemar_p")
    return {name: float((result[name] <= alpha).sum()) / n_studies for name in tests}


def rate_table(n_studies: int = 1500, seed: int = 0) -> pl.DataFrame:
    """Coverage of the intervals of a rate in all rows."""
    rng = np.random.default_rng(seed)
    rows = [
        {"clusters": clusters, "rate": rate, "icc": icc}
        | rate_coverage(rng, n_studies, clusters, rate, icc)
        for clusters, rate, icc in RATE_ROWS
    ]
    return pl.DataFrame(rows)


def difference_table(n_studies: int = 1500, seed: int = 0) -> pl.DataFrame:
    """Coverage of the intervals of a paired difference in all rows."""
    rng = np.random.default_rng(seed)
    rows = [
        {"clusters": clusters, "a": a, "b": b, "icc": icc, "correlation": correlation}
        | difference_coverage(rng, n_studies, clusters, (a, b), icc, correlation)
        for clusters, (a, b), (icc, correlation) in DIFFERENCE_ROWS
    ]
    return pl.DataFrame(rows)


def wide_table(n_studies: int = 1500, seed: int = 0) -> pl.DataFrame:
    """Coverage of the default for a rate, and its mean width, in the hard rows."""
    rng = np.random.default_rng(seed)
    rows = []
    for clusters, sizes, rate, icc in WIDE_ROWS:
        trials = studies_of_arms(rng, n_studies, clusters, [rate], icc, 0.0, SIZES[sizes])[0]
        result = rs.rate(trials, "hit", by="study", cluster="cluster")
        row = {"clusters": clusters, "sizes": sizes, "rate": rate, "icc": icc}
        width = float((result["high"] - result["low"]).mean())  # type: ignore[arg-type]
        rows.append(row | {"default": covered(result, rate), "width": width})
    return pl.DataFrame(rows)


def scored_twice(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    flips: tuple[float, float],
    icc: float,
    sizes: Sequence[int],
) -> pl.DataFrame:
    """Trials of one arm under two rules; a cluster's shares of disagreements are Dirichlet."""
    shares = np.array([*flips, 1 - sum(flips)])
    shape = (n_studies, clusters)
    if icc:
        drawn = rng.gamma(np.maximum(shares * (1 - icc) / icc, 1e-12), size=(*shape, 3))
        shares = drawn / np.maximum(drawn.sum(axis=-1, keepdims=True), 1e-300)
    limits = np.broadcast_to(shares[..., :2].cumsum(axis=-1), (*shape, 2))[..., None, :]
    chance = rng.random((*shape, max(sizes)))
    second_only = chance < limits[..., 0]
    first_only = ~second_only & (chance < limits[..., 1])
    agreed = rng.random(chance.shape) < 0.5
    kept = rng.choice(np.asarray(sizes), shape)
    second = frame(second_only | (agreed & ~first_only), kept)
    return frame(first_only | (agreed & ~second_only), kept).with_columns(second=second["hit"])


def shift_coverage(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int | tuple[int, int],
    flips: tuple[tuple[float, float], tuple[float, float]],
    icc: float,
    sizes: Sequence[int] = (3,),
) -> dict[str, float]:
    """Arms that share their clusters, or with as many clusters of their own."""
    shared = isinstance(clusters, int)
    counts = (clusters, clusters) if shared else clusters
    arms = [
        scored_twice(rng, n_studies, count, flip, icc, sizes).with_columns(
            pl.col("cluster").cast(pl.Int64) + (0 if shared else 1000 * number), arm=pl.lit(name)
        )
        for number, (name, count, flip) in enumerate(zip("ab", counts, flips, strict=True))
    ]
    result = rs.sensitivity(
        pl.concat(arms),
        {"first": "hit", "second": "second"},
        contrast="arm",
        baseline="b",
        cluster="cluster",
        by="study",
    )
    (up, down), (other_up, other_down) = flips
    truth = up - down - other_up + other_down
    # Without the adjustment, where clusters are of one size.
    fewest = min(counts)
    added = student_t.isf(0.025, fewest - 1) ** 2 * 2 / (fewest + 2) ** 2
    half = ((pl.col("high") - pl.col("low")).pow(2) / 4 - added).clip(0).sqrt()
    plain = result.with_columns(low=pl.col("shift") - half, high=pl.col("shift") + half)
    width = float((result["high"] - result["low"]).median())
    return {"default": covered(result, truth), "plain": covered(plain, truth), "width": width}


def shift_table(n_studies: int = 1500, seed: int = 0) -> pl.DataFrame:
    """Coverage of the interval of a shift in all rows, with and without its adjustment."""
    rng = np.random.default_rng(seed)
    rows = []
    for clusters, flips in SHIFT_ROWS:
        row: dict[str, Any] = {"clusters": clusters, "flips": str(flips)}
        for icc in (0.0, 0.3, 0.7):
            shares = shift_coverage(rng, n_studies, clusters, flips, icc)
            row |= {f"{name} {icc}": share for name, share in shares.items() if name != "width"}
        rows.append(row)
    return pl.DataFrame(rows)


# --- tests


@pytest.mark.parametrize(
    ("clusters", "rate", "icc", "percentile", "iid"),
    [
        (8, 0.05, 0.0, 0.710, 0.973),
        (8, 0.05, 0.7, 0.449, 0.902),
        (8, 0.5, 0.7, 0.918, 0.747),
        (8, 0.9, 0.3, 0.846, 0.932),
        (16, 0.05, 0.3, 0.823, 0.931),
        (32, 0.05, 0.7, 0.819, 0.762),
        (32, 0.9, 0.7, 0.887, 0.804),
        (96, 0.05, 0.3, 0.921, 0.864),
    ],
)
def test_the_default_covers_a_rate_where_others_do_not(
    clusters: int, rate: float, icc: float, percentile: float, iid: float
) -> None:
    """Expected shares are the first simulation's, of as many studies."""
    share = rate_coverage(np.random.default_rng(clusters), 1500, clusters, rate, icc)
    assert share["default"] >= 0.93
    assert share["percentile"] == pytest.approx(percentile, abs=0.04)
    assert share["iid"] == pytest.approx(iid, abs=0.04)


@pytest.mark.parametrize(
    ("clusters", "rates", "tied", "percentile"),
    [
        (8, (0.95, 0.05), False, 0.915),
        (8, (0.95, 0.05), True, 0.782),
        (8, (0.95, 0.90), True, 0.693),
        (16, (0.10, 0.02), True, 0.805),
        (32, (0.95, 0.05), True, 0.908),
        (32, (0.60, 0.40), True, 0.931),
    ],
)
def test_the_default_covers_a_difference_where_the_percentile_does_not(
    clusters: int, rates: tuple[float, float], tied: bool, percentile: float
) -> None:
    correlations = (0.5, 0.6) if tied else (0.0, 0.0)
    rng = np.random.default_rng(clusters)
    share = difference_coverage(rng, 1500, clusters, rates, *correlations)
    assert share["default"] >= 0.93
    assert share["percentile"] == pytest.approx(percentile, abs=0.05)


@pytest.mark.parametrize(
    ("clusters", "rates", "icc", "correlation"),
    [
        (8, (0.95, 0.05), 0.5, 0.6),
        (8, (0.6, 0.4), 0.5, 0.6),
        (16, (0.10, 0.02), 0.5, 0.6),
        (32, (0.5, 0.5), 0.0, 0.0),
    ],
)
def test_the_interval_of_a_ratio_covers(
    clusters: int, rates: tuple[float, float], icc: float, correlation: float
) -> None:
    rng = np.random.default_rng(clusters)
    share = ratio_coverage(rng, 600, clusters, rates, icc, correlation)
    assert share["ratio"] >= 0.93
    assert share["odds ratio"] >= 0.93


@pytest.mark.parametrize(("clusters", "rates"), [(2, (0.5, 0.5)), (3, (0.6, 0.4))])
def test_the_default_covers_a_difference_with_hardly_a_cluster(
    clusters: int, rates: tuple[float, float]
) -> None:
    rng = np.random.default_rng(clusters)
    assert difference_coverage(rng, 600, clusters, rates, 0.5, 0.6, [10])["default"] >= 0.93


@pytest.mark.parametrize(
    ("clusters", "flips", "icc", "sizes", "plain"),
    [
        (8, FLIPS[0], 0.7, [3], 0.37),
        (8, FLIPS[1], 0.7, [3], 0.94),
        (32, FLIPS[0], 0.3, [3], 0.83),
        (16, FLIPS[0], 0.3, [40], 0.79),
        (8, FLIPS[4], 0.7, [40], 0.94),
        ((30, 30), FLIPS[0], 0.7, [3], 0.73),
        ((12, 100), FLIPS[3], 0.7, [3], 0.85),
        ((100, 12), FLIPS[4], 0.7, [3], 0.97),
        (32, FLIPS[4], 0.7, [1, 1, 1, 1, 30], None),
        (8, FLIPS[1], 0.7, [1, 1, 1, 1, 30], None),
    ],
)
def test_the_interval_of_a_shift_covers(
    clusters: int | tuple[int, int],
    flips: tuple[tuple[float, float], tuple[float, float]],
    icc: float,
    sizes: list[int],
    plain: float | None,
) -> None:
    share = shift_coverage(np.random.default_rng(1), 800, clusters, flips, icc, sizes)
    assert share["default"] >= 0.93
    if plain:
        assert share["plain"] == pytest.approx(plain, abs=0.06)


@pytest.mark.parametrize(
    ("clusters", "rate", "icc", "sizes"),
    [
        (16, 0.05, 0.3, "40"),
        (32, 0.02, 0.7, "40"),
        (16, 0.05, 0.7, "10"),
        (16, 0.2, 0.6, "1 to 40"),
        (8, 0.5, 0.7, "1 or 30"),
        (32, 0.2, 0.3, "1 or 30"),
    ],
)
def test_the_default_covers_a_rate_whatever_the_clusters(
    clusters: int, rate: float, icc: float, sizes: str
) -> None:
    rng = np.random.default_rng(clusters)
    assert rate_coverage(rng, 600, clusters, rate, icc, SIZES[sizes])["default"] >= 0.93


@pytest.mark.parametrize(
    ("clusters", "rates", "icc", "correlation", "sizes"),
    [
        (16, (0.05, 0.05), 0.5, 0.6, "40"),
        (32, (0.6, 0.4), 0.5, 0.6, "1 to 40"),
        (8, (0.5, 0.5), 0.5, 0.6, "1 or 30"),
    ],
)
def test_the_default_covers_a_difference_whatever_the_clusters(
    clusters: int,
    rates: tuple[float, float],
    icc: float,
    correlation: float,
    sizes: str,
) -> None:
    rng = np.random.default_rng(clusters)
    share = difference_coverage(rng, 600, clusters, rates, icc, correlation, SIZES[sizes])
    assert share["default"] >= 0.93


@pytest.mark.parametrize(("clusters", "rate"), [(32, 0.2), (96, 0.05)])
def test_the_default_covers_a_rate_of_a_few_large_clusters(clusters: int, rate: float) -> None:
    """A study can show no success of a large cluster, which hold nearly all trials."""
    rng = np.random.default_rng(32)
    assert rate_coverage(rng, 600, clusters, rate, 0.9, SIZES["1 or 30"])["default"] >= 0.93


@pytest.mark.parametrize("clusters", [8, 32, 96])
@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_tests_keep_their_level_where_arms_are_exchangeable(clusters: int, rate: float) -> None:
    """A cluster has one rate, whatever the arm."""
    n_studies, alpha = 1000, 0.05
    shares = sizes_of_tests(np.random.default_rng(1), n_studies, clusters, rate, 0.5, 1.0)
    margin = 3 * np.sqrt(alpha * (1 - alpha) / n_studies)
    assert max(shares.values()) <= alpha + margin


@pytest.mark.parametrize("clusters", [32, 96])
def test_only_the_sign_test_allows_for_arms_that_suit_some_clusters(clusters: int) -> None:
    """A cluster has a rate for each arm: equal on average, so the null is true.

    Trials of a cluster are then exchangeable within an arm, not between arms.
    """
    shares = sizes_of_tests(np.random.default_rng(1), 1000, clusters, 0.5, 0.5, 0.6)
    assert shares["sign_p"] <= 0.05 + 0.02
    assert shares["permutation_p"] > 0.08
    assert shares["mcnemar_p"] > 0.07


if __name__ == "__main__":
    with pl.Config(tbl_rows=-1, float_precision=3):
        print(rate_table())
        print(difference_table())
        print(wide_table())
        print(shift_table())
        print(ratio_table())
