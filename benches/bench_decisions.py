"""Verdicts, plans and bets against SciPy's functions in a loop, which a user would write."""

import math
from typing import Any

import numpy as np
import polars as pl
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race


def test_mcnemar_power(race: Race) -> None:
    """Exact power of 500 pairs against the sum over tables."""
    n, treatment, baseline = 500, 0.2, 0.1

    def peer() -> float:
        discordant = np.arange(n + 1)
        weights = scipy.stats.binom.pmf(discordant, n, treatment + baseline)
        power = 0.0
        for d, weight in zip(discordant, weights, strict=True):
            b = np.arange(d + 1)
            p = 2 * scipy.stats.binom.cdf(np.minimum(b, d - b), d, 0.5)
            share = scipy.stats.binom.pmf(b, d, treatment / (treatment + baseline))
            power += weight * float(share[p <= 0.05].sum())
        return power

    def ours() -> float:
        found = rs.stats.power(
            design="paired", n=n, effect=treatment - baseline, discordance=treatment + baseline
        )
        return found.power or math.nan

    ratio = race(
        ours,
        peer,
        name="exact power of McNemar's test, 500 pairs",
        against="NumPy and SciPy, a sum over tables",
        same=lambda a, b: math.isclose(a, b, rel_tol=1e-9),
    )
    assert ratio >= FLOOR * 20


def test_many_verdicts(race: Race) -> None:
    """TOST of 1,000 cells of 96 numeric differences, one call each, against SciPy's t tests."""
    rng = np.random.default_rng(0)
    cells = rng.normal(0.01, 0.3, (1000, 96))

    def ours() -> list[float | None]:
        return [rs.stats.tost(cell, margin=0.1).pvalue for cell in cells]

    def peer() -> list[float]:
        return [
            max(
                scipy.stats.ttest_1samp(cell, -0.1, alternative="greater").pvalue,
                scipy.stats.ttest_1samp(cell, 0.1, alternative="less").pvalue,
            )
            for cell in cells
        ]

    ratio = race(
        ours,
        peer,
        name="two one-sided t tests, 1,000 times 96 differences",
        against="SciPy, two tests a cell",
        same=lambda a, b: np.allclose(np.array(a, float), b, rtol=1e-9),
    )
    assert ratio >= FLOOR * 2


def test_verdicts_of_many_cells(race: Race) -> None:
    """Ten thousand cells in one call against the comparison that they stand on."""
    rng = np.random.default_rng(1)
    rows = 10_000 * 24
    base = pl.DataFrame({"cell": np.arange(rows) // 24, "item": np.arange(rows) % 24})
    trials = pl.concat(
        base.with_columns(arm=pl.lit(arm), correct=pl.Series(rng.random(rows) < 0.6))
        for arm in ("t", "b")
    )
    design: dict[str, Any] = {
        "contrast": "arm",
        "baseline": "b",
        "pair_by": "item",
        "by": "cell",
    }
    ratio = race(
        lambda: rs.equivalence(trials, "correct", margin=0.2, **design),
        lambda: rs.compare(trials, "correct", **design),
        name="verdicts of 10,000 cells of 24 pairs",
        against="compare alone",
        same=lambda a, b: a["difference"].equals(b["difference"]),
    )
    assert ratio >= FLOOR * 0.5
