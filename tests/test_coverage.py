"""Do the intervals cover, and do the tests keep their level? By simulated studies.

`rate_table` and `difference_table` make the whole tables of the documentation; the tests run
some of their rows. Every study of every row is a cell of one call.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr

import reclaimstats as rs

Counts = NDArray[np.int64]
Rates = NDArray[np.float64]

SIZE = 3
CLUSTERS = (8, 16, 32, 96)
# Every row of the two tables: clusters, then what the studies are drawn from.
RATE_ROWS = list(product(CLUSTERS, (0.05, 0.5, 0.9), (0.0, 0.3, 0.7)))
ARM_RATES = ((0.95, 0.05), (0.95, 0.90), (0.10, 0.02), (0.60, 0.40), (0.50, 0.50))
DIFFERENCE_ROWS = list(product(CLUSTERS, ARM_RATES, ((0.0, 0.0), (0.5, 0.6))))


def cluster_rates(normal: Rates, rate: float, icc: float) -> Rates:
    """Beta distributed rates with that mean and intra-cluster correlation, from normal draws."""
    if icc == 0.0:
        return np.full(normal.shape, rate)
    size = (1 - icc) / icc
    return np.asarray(betaincinv(rate * size, (1 - rate) * size, ndtr(normal)))


def arms(
    rng: np.random.Generator,
    shape: tuple[int, int],
    rates: tuple[float, float],
    icc: float,
    correlation: float,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Outcomes of two arms, studies by clusters by trials.

    A cluster's two rates are beta distributed, tied by a Gaussian copula; given them, trials
    are independent.
    """
    first = rng.standard_normal(shape)
    other = correlation * first + np.sqrt(1 - correlation**2) * rng.standard_normal(shape)
    outcomes = []
    for normal, rate in zip((first, other), rates, strict=True):
        chance = cluster_rates(normal, rate, icc)[..., None]
        outcomes.append(rng.random((*shape, SIZE)) < chance)
    return outcomes[0], outcomes[1]


def frame(outcomes: NDArray[np.bool_], **columns: Any) -> pl.DataFrame:
    """One row per trial of all studies."""
    study, cluster, repeat = (index.ravel() for index in np.indices(outcomes.shape, np.int32))
    trials = {"study": study, "cluster": cluster, "repeat": repeat, "hit": outcomes.ravel()}
    return pl.DataFrame(trials).with_columns(**columns)


def covered(result: pl.DataFrame, truth: float) -> float:
    """Share of intervals that contain the truth, up to rounding."""
    inside = (result["low"] <= truth + 1e-12) & (result["high"] >= truth - 1e-12)
    return float(inside.sum()) / result.height


def rate_coverage(
    rng: np.random.Generator, n_studies: int, clusters: int, rate: float, icc: float
) -> dict[str, float]:
    chance = cluster_rates(rng.standard_normal((n_studies, clusters)), rate, icc)[..., None]
    trials = frame(rng.random((n_studies, clusters, SIZE)) < chance)
    calls: dict[str, dict[str, Any]] = {
        "percentile": {"cluster": "cluster", "method": "percentile"},
        "default": {"cluster": "cluster"},
        "iid": {},
    }
    return {
        name: covered(rs.rate(trials, "hit", by="study", **options), rate)
        for name, options in calls.items()
    }


def comparison(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    rates: tuple[float, float],
    icc: float,
    correlation: float,
) -> pl.DataFrame:
    """Trials of two arms, "a" and "b"."""
    a, b = arms(rng, (n_studies, clusters), rates, icc, correlation)
    return pl.concat([frame(a, arm=pl.lit("a")), frame(b, arm=pl.lit("b"))])


def compared(trials: pl.DataFrame, **options: Any) -> pl.DataFrame:
    return rs.compare(
        trials,
        "hit",
        contrast="arm",
        baseline="b",
        pair_by=["cluster", "repeat"],
        by="study",
        **options,
    )


def difference_coverage(
    rng: np.random.Generator,
    n_studies: int,
    clusters: int,
    rates: tuple[float, float],
    icc: float,
    correlation: float,
) -> dict[str, float]:
    trials = comparison(rng, n_studies, clusters, rates, icc, correlation)
    calls: dict[str, dict[str, Any]] = {
        "percentile": {"cluster": "cluster", "method": "percentile"},
        "default": {"cluster": "cluster"},
        "newcombe": {},
    }
    truth = rates[0] - rates[1]
    return {name: covered(compared(trials, **options), truth) for name, options in calls.items()}


def sizes(trials: pl.DataFrame, alpha: float) -> dict[str, float]:
    """How often each test rejects."""
    result = compared(trials, cluster="cluster")
    tests = ("sign_p", "permutation_p", "mcnemar_p")
    return {name: float((result[name] <= alpha).sum()) / result.height for name in tests}


def rate_table(n_studies: int = 1500, seed: int = 0) -> pl.DataFrame:
    """Coverage of all rows of the table of rates."""
    rng = np.random.default_rng(seed)
    rows = [
        {"clusters": clusters, "rate": rate, "icc": icc}
        | rate_coverage(rng, n_studies, clusters, rate, icc)
        for clusters, rate, icc in RATE_ROWS
    ]
    return pl.DataFrame(rows)


def difference_table(n_studies: int = 1500, seed: int = 0) -> pl.DataFrame:
    """Coverage of all rows of the table of paired differences."""
    rng = np.random.default_rng(seed)
    rows = [
        {"clusters": clusters, "a": a, "b": b, "icc": icc, "correlation": correlation}
        | difference_coverage(rng, n_studies, clusters, (a, b), icc, correlation)
        for clusters, (a, b), (icc, correlation) in DIFFERENCE_ROWS
    ]
    return pl.DataFrame(rows)
