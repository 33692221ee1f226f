"""Exact tests and intervals of pairs and tables, one call each, against SciPy."""

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race


def test_barnard(race: Race) -> None:
    table = [[41, 9], [30, 20]]
    ratio = race(
        lambda: rs.stats.barnard(table).pvalue,
        # SciPy's groups are columns. It looks for the worst rate from some points, and of the rows
        # taken as groups it finds a lower one.
        lambda: float(scipy.stats.barnard_exact(np.transpose(table)).pvalue),
        name="Barnard's test of 50 and 50",
        against="SciPy",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
        rounds=5,
    )
    assert ratio >= FLOOR


def test_fisher(race: Race) -> None:
    table = [[412, 88], [380, 120]]
    ratio = race(
        lambda: rs.stats.fisher(table).pvalue,
        lambda: float(scipy.stats.fisher_exact(table).pvalue),
        name="Fisher's test of 500 and 500",
        against="SciPy",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR * 5


def test_sign_test(race: Race) -> None:
    ratio = race(
        lambda: rs.stats.sign_test(700, 500).pvalue,
        lambda: float(scipy.stats.binomtest(700, 1200).pvalue),
        name="sign test of 700 against 500",
        against="SciPy binomtest",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR * 5


def test_signed_rank(race: Race) -> None:
    differences = np.random.default_rng(0).normal(0.2, 1, 50)
    ratio = race(
        lambda: rs.stats.wilcoxon(differences).pvalue,
        lambda: float(scipy.stats.wilcoxon(differences, method="exact").pvalue),
        name="signed-rank test of 50 scores, exact",
        against="SciPy, exact",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR


def test_rank_sum(race: Race) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.3, 1, 90), rng.normal(0, 1, 90)
    # SciPy keeps the distribution of the sizes that it saw last.
    sizes = [range(10**9).__iter__() for _ in range(2)]

    def cut(side: int) -> tuple[np.ndarray, np.ndarray]:
        size = next(sizes[side]) % 20
        return x[: 60 + size], y[: 80 - size]

    ratio = race(
        lambda: rs.stats.mann_whitney(*cut(0), method="exact").pvalue,
        lambda: float(scipy.stats.mannwhitneyu(*cut(1), method="exact").pvalue),
        name="rank-sum test of 60 to 80 scores each, exact",
        against="SciPy, exact",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR


def test_sign_flips(race: Race) -> None:
    differences = np.random.default_rng(0).integers(-9, 12, 200) / 10

    def peer() -> float:
        return float(
            scipy.stats.permutation_test(
                (differences,),
                lambda d, axis: d.mean(axis=axis),
                permutation_type="samples",
                vectorized=True,
                n_resamples=9999,
                rng=np.random.default_rng(0),
            ).pvalue
        )

    ratio = race(
        lambda: rs.stats.sign_flip(differences).pvalue,
        peer,
        name="sign flips of 200 scores, exact",
        against="SciPy, 9,999 draws",
        same=lambda a, b: a == pytest.approx(b, abs=0.03),
    )
    assert ratio >= FLOOR * 5


def test_score_interval_of_pairs(race: Race) -> None:
    """Tango's interval against its equations, solved by SciPy."""
    both, treatment, baseline, neither = table = 59, 6, 16, 80
    n, z = sum(table), scipy.stats.norm.ppf(0.975)

    def peer() -> tuple[float, float]:
        def score(difference: float) -> float:
            b = (2 * n - treatment + baseline) * difference - treatment - baseline
            c = -baseline * difference * (1 - difference)
            rate = (math.sqrt(b * b - 8 * n * c) - b) / (4 * n)
            spread = n * (2 * rate + difference * (1 - difference))
            return (treatment - baseline - n * difference) / math.sqrt(spread)

        estimate = (treatment - baseline) / n
        low = scipy.optimize.brentq(lambda d: score(d) - z, -0.99, estimate, xtol=1e-13)
        return low, scipy.optimize.brentq(lambda d: score(d) + z, estimate, 0.99, xtol=1e-13)

    def ours() -> tuple[float, float]:
        found = rs.stats.paired_difference([[both, treatment], [baseline, neither]], method="tango")
        assert found.low is not None
        assert found.high is not None
        return found.low, found.high

    ratio = race(
        ours,
        peer,
        name="Tango's interval of 161 pairs",
        against="SciPy's brentq",
        same=lambda a, b: a == pytest.approx(b, abs=1e-9),
    )
    assert ratio >= FLOOR
