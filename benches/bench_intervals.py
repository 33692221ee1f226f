"""Intervals over clusters of unequal size and of means, against NumPy and SciPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race
from reclaimstats import _core
from reclaimstats.options import Plan


def test_percentile_of_unequal_clusters(race: Race) -> None:
    rng = np.random.default_rng(0)
    size = rng.integers(1, 21, 100_000)
    hits = rng.binomial(size, rng.beta(2, 3, size.size))
    plan = Plan.checked(
        method="percentile",
        methods=["percentile"],
        resampler="auto",
        confidence_level=0.95,
        n_resamples=1000,
        seed=0,
        cluster=[],
    )
    columns = [pl.Series([size.size], dtype=pl.UInt64)]
    columns += [pl.Series(part, dtype=pl.UInt64) for part in (size, hits)]

    def ours() -> tuple[float, float]:
        table = pl.DataFrame(_core.rate_clusters(*columns, "trial", "cr2", plan))
        return table["low"].item(), table["high"].item()

    def peer() -> tuple[float, float]:
        kinds, counts = np.unique(np.stack([hits, size]), axis=1, return_counts=True)
        weights = np.random.default_rng(0).multinomial(
            size.size, counts / size.size, size=plan.n_resamples
        )
        sums = weights @ kinds.T
        low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
        return float(low), float(high)

    ratio = race(
        ours,
        peer,
        name="percentile interval, 100,000 unequal clusters, no draws",
        against="NumPy multinomial over types, 1,000 draws",
        same=lambda a, b: np.allclose(a, b, atol=3e-4),
    )
    assert ratio >= FLOOR * 2


@pytest.mark.parametrize(("clusters", "size"), [(10_000, 100), (100_000, 10)])
def test_percentile_of_equal_clusters(race: Race, clusters: int, size: int) -> None:
    rng = np.random.default_rng(0)
    hits = rng.binomial(size, rng.beta(2, 3, clusters))
    trials = pl.DataFrame(
        {
            "item": np.repeat(np.arange(clusters), size),
            "correct": np.tile(np.arange(size), clusters) < np.repeat(hits, size),
        }
    )

    def ours() -> tuple[float, float]:
        table = rs.rate(trials, "correct", cluster="item", method="percentile")
        return table["low"].item(), table["high"].item()

    def peer() -> tuple[float, float]:
        sums = trials.group_by("item").agg(pl.len(), pl.sum("correct"))["correct"].to_numpy()
        kinds, counts = np.unique(sums, return_counts=True)
        draws = np.random.default_rng(0).multinomial(clusters, counts / clusters, size=1000)
        low, high = np.quantile(draws @ kinds / (clusters * size), [0.025, 0.975])
        return float(low), float(high)

    ratio = race(
        ours,
        peer,
        name=f"percentile interval, {clusters:,} clusters of {size}, exact, end to end",
        against="Polars group_by, NumPy multinomial over types, 1,000 draws",
        same=lambda a, b: np.allclose(a, b, atol=2e-3),
        rounds=5,
    )
    assert ratio >= FLOOR


# Without limits of its own, SciPy's bootstrap asks for a matrix of 800 MB.
BATCH = 500


def scipy_limits(
    values: np.ndarray, method: str, n_resamples: int, batch: int
) -> tuple[float, float]:
    limits = scipy.stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=n_resamples,
        batch=batch,
        method=method,
        rng=np.random.default_rng(0),
    ).confidence_interval
    return float(limits.low), float(limits.high)


def limits(result: Any) -> tuple[float | None, float | None]:
    return result.low, result.high


def near(margin: float) -> Callable[[tuple[Any, Any], tuple[float, float]], bool]:
    return lambda a, b: np.allclose(a, b, atol=margin)


def test_same_draws_as_scipy(race: Race) -> None:
    scores = np.random.default_rng(0).exponential(size=10_000)

    ratio = race(
        lambda: limits(rs.stats.mean(scores, method="percentile", n_resamples=10_000)),
        lambda: scipy_limits(scores, "percentile", 10_000, BATCH),
        name="same draws: percentile interval of a mean of 10,000, 10,000 resamples each",
        against="SciPy bootstrap",
        same=near(2e-3),
        rounds=3,
    )
    assert ratio >= FLOOR * 10


def test_same_draws_as_numpy(race: Race) -> None:
    scores = np.random.default_rng(0).exponential(size=10_000)

    def peer() -> tuple[float, float]:
        rng = np.random.default_rng(0)
        n = scores.size
        means = [scores[rng.integers(0, n, n)].mean() for _ in range(2000)]
        low, high = np.quantile(means, [0.025, 0.975])
        return float(low), float(high)

    ratio = race(
        lambda: limits(rs.stats.mean(scores, method="percentile", n_resamples=2000)),
        peer,
        name="same draws: percentile interval of a mean of 10,000, 2,000 resamples each",
        against="NumPy loop over resamples",
        same=near(4e-3),
        rounds=3,
    )
    assert ratio >= FLOOR * 4


def test_same_draws_of_a_million(race: Race) -> None:
    scores = np.random.default_rng(0).exponential(size=1_000_000)

    ratio = race(
        lambda: limits(rs.stats.mean(scores, method="percentile", n_resamples=50)),
        lambda: scipy_limits(scores, "percentile", 50, 1),
        name="same draws: percentile interval of a mean of 1,000,000, 50 resamples each",
        against="SciPy bootstrap, one resample at a time",
        same=near(2e-3),
        rounds=3,
    )
    assert ratio >= FLOOR * 3


def test_same_draws_of_outcomes(race: Race) -> None:
    outcomes = np.random.default_rng(0).random(10_000) < 0.4

    ratio = race(
        lambda: limits(
            rs.stats.rate(
                outcomes, method="percentile", resampler="monte-carlo", n_resamples=10_000
            )
        ),
        lambda: scipy_limits(outcomes, "percentile", 10_000, BATCH),
        name="same draws: percentile interval of 10,000 trials, 10,000 resamples each",
        against="SciPy bootstrap",
        same=near(1.1e-3),
        rounds=3,
    )
    assert ratio >= FLOOR * 100


def test_bca_of_outcomes(race: Race) -> None:
    outcomes = np.random.default_rng(0).random(10_000) < 0.1

    ratio = race(
        lambda: limits(rs.stats.rate(outcomes, method="bca")),
        lambda: scipy_limits(outcomes, "BCa", 5000, BATCH),
        name="BCa interval of 10,000 trials, exact",
        against="SciPy bootstrap, 5,000 resamples",
        same=near(1e-3),
        rounds=3,
    )
    assert ratio >= FLOOR * 500


def test_bca_of_a_mean_without_draws(race: Race) -> None:
    scores = np.random.default_rng(0).exponential(size=10_000)

    ratio = race(
        lambda: limits(rs.stats.mean(scores, method="bca", resampler="saddlepoint")),
        lambda: scipy_limits(scores, "BCa", 5000, BATCH),
        name="BCa interval of a mean of 10,000 scores, saddlepoint",
        against="SciPy bootstrap, 5,000 resamples",
        same=near(2e-3),
        rounds=3,
    )
    assert ratio >= FLOOR * 20


def test_bca_of_a_mean(race: Race) -> None:
    scores = np.random.default_rng(0).exponential(size=2000)

    ratio = race(
        lambda: limits(rs.stats.mean(scores, method="bca", n_resamples=2000)),
        lambda: scipy_limits(scores, "BCa", 2000, 2000),
        name="same draws: BCa interval of a mean of 2,000, 2,000 resamples each",
        against="SciPy bootstrap",
        same=lambda a, b: np.allclose(a, b, atol=0.02),
    )
    assert ratio >= FLOOR * 2
