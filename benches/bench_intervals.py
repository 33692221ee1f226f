"""Intervals over clusters of unequal size and of means, against NumPy and SciPy."""

import numpy as np
import polars as pl
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


def test_bca_of_a_mean(race: Race) -> None:
    scores = np.random.default_rng(0).exponential(size=2000)

    def ours() -> tuple[float | None, float | None]:
        result = rs.stats.mean(scores, method="bca", n_resamples=2000)
        return result.low, result.high

    def peer() -> tuple[float, float]:
        limits = scipy.stats.bootstrap(
            (scores,), np.mean, n_resamples=2000, method="BCa", rng=np.random.default_rng(0)
        ).confidence_interval
        return float(limits.low), float(limits.high)

    ratio = race(
        ours,
        peer,
        name="BCa interval of a mean of 2,000 scores, 2,000 draws each",
        against="SciPy bootstrap",
        same=lambda a, b: np.allclose(a, b, atol=0.02),
    )
    assert ratio >= FLOOR * 2
