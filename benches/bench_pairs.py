"""Pairs, tables and permutations against Polars and SciPy."""

import numpy as np
import polars as pl
import pytest
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race


def test_mcnemar_of_a_million_pairs(race: Race) -> None:
    rng = np.random.default_rng(0)
    bits = rng.random((2, 1_000_000)) < 0.5
    # A fresh slice in every run: Polars remembers how many bits are set.
    arms = [pl.Series(arm) for arm in bits]
    turn = iter(range(10**9))

    def fresh() -> tuple[pl.Series, pl.Series]:
        start = next(turn) % 4096
        return arms[0].slice(start, 990_000), arms[1].slice(start, 990_000)

    def ours() -> bool:
        table = rs.stats.pair_table(*fresh())
        return rs.stats.mcnemar(table.treatment_only, table.baseline_only).pvalue <= 1

    def peer() -> bool:
        treatment, baseline = fresh()
        only = int((treatment & ~baseline).sum()), int((baseline & ~treatment).sum())
        return scipy.stats.binomtest(only[0], sum(only)).pvalue <= 1

    ratio = race(
        ours,
        peer,
        name="McNemar's test of 990,000 pairs",
        against="Polars counts and SciPy's binomial test",
        same=lambda a, b: a == b,
    )
    assert ratio >= FLOOR


def test_ten_thousand_fisher_tables(race: Race) -> None:
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 50, (4, 10_000))

    def peer() -> float:
        some = tables[:, :500].T.reshape(-1, 2, 2)
        return sum(scipy.stats.fisher_exact(table).pvalue for table in some)

    ratio = race(
        lambda: rs.stats.fisher_tables(*tables)["pvalue"].head(500).sum(),
        peer,
        name="10,000 of Fisher's tests",
        against="SciPy, 500 of them",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR * 5


def test_permutation_of_two_groups(race: Race) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 11, 100) / 10, rng.integers(0, 12, 100) / 10

    def peer() -> float:
        return float(
            scipy.stats.permutation_test(
                (x, y),
                lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis),
                vectorized=True,
                n_resamples=9999,
                rng=np.random.default_rng(0),
            ).pvalue
        )

    ratio = race(
        lambda: rs.stats.permutation(x, y).pvalue,
        peer,
        name="permutation test of 100 and 100 scores, exact",
        against="SciPy, 9,999 draws",
        same=lambda a, b: a == pytest.approx(b, abs=0.03),
    )
    assert ratio >= FLOOR
