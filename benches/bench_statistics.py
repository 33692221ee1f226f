"""Statistics against the pure-Python loops of an evaluation harness and against Polars."""

import random
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race

ONE_CELL = [1] * 34 + [0] * 62
RESAMPLES = 5000
MILLION = 1_000_000


def python_percentile(values: Sequence[int]) -> tuple[float, float]:
    """Resample trials with replacement and take the sorted means' order statistics."""
    generator = random.Random(0)
    n = len(values)
    means = sorted(
        sum(values[generator.randrange(n)] for _ in range(n)) / n for _ in range(RESAMPLES)
    )
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES)]


def test_replayed_percentile(race: Race) -> None:
    def ours() -> tuple[float | None, float | None]:
        result = rs.stats.rate(ONE_CELL, method="percentile", resampler="cpython")
        return result.low, result.high

    ratio = race(
        ours,
        lambda: python_percentile(ONE_CELL),
        name="percentile interval, 96 trials, 5,000 resamples, bit-identical",
        against="Python loop",
        same=lambda a, b: a == b,
    )
    assert ratio >= FLOOR * 40


def test_exact_percentile(race: Race) -> None:
    def ours() -> tuple[float | None, float | None]:
        result = rs.stats.rate(ONE_CELL, method="percentile")
        return result.low, result.high

    ratio = race(
        ours,
        lambda: python_percentile(ONE_CELL),
        name="percentile interval, 96 trials, exact",
        against="Python loop, 5,000 resamples",
        # For this cell the loop's limits are the exact ones.
        same=lambda a, b: a == b,
    )
    assert ratio >= FLOOR * 1000


def test_exact_percentile_of_a_million(race: Race) -> None:
    hits = pl.Series(np.random.default_rng(0).random(MILLION + 4096) < 0.3)
    turn = iter(range(10**9))

    def fresh() -> pl.Series:
        # Polars remembers how many bits are set.
        return hits.slice(next(turn) % 4096, MILLION)

    def ours() -> list[float | None]:
        result = rs.stats.rate(fresh(), method="percentile")
        return [result.low, result.high]

    def peer() -> list[float]:
        trials = fresh()
        quantiles = scipy.stats.binom.ppf([0.025, 0.975], len(trials), trials.mean())
        return [float(quantile) / len(trials) for quantile in quantiles]

    ratio = race(
        ours,
        peer,
        name="percentile interval, a million trials, exact",
        against="Polars mean and SciPy's binomial quantiles",
        # Each is of other trials.
        same=lambda a, b: a == pytest.approx(b, abs=1e-4),
    )
    assert ratio >= FLOOR


@pytest.mark.parametrize("clustered", [False, True])
def test_ten_thousand_cells(race: Race, clustered: bool) -> None:
    trials = many_cells()
    keys = ["cell", "item"] if clustered else ["cell"]

    def peer() -> pl.DataFrame:
        return trials.group_by(keys).agg(pl.len(), pl.col("correct").sum())

    def same(estimates: pl.DataFrame, counts: pl.DataFrame) -> bool:
        cells = counts.group_by("cell").agg(pl.sum("len"), pl.sum("correct")).sort("cell")
        return (cells["len"] == estimates["n"]).all() and (
            cells["correct"] / cells["len"] == estimates["estimate"]
        ).all()

    ratio = race(
        lambda: rs.rate(trials, "correct", by="cell", cluster="item" if clustered else None),
        peer,
        name=f"default interval, 10,000 cells of 96{' in clusters' if clustered else ''}",
        against="Polars group_by alone",
        same=same,
    )
    assert ratio >= FLOOR


def test_paired_comparison(race: Race) -> None:
    trials = (
        many_cells()
        .head(96 * 2)
        .with_columns(
            arm=pl.when(pl.col("cell") == 0).then(pl.lit("a")).otherwise(pl.lit("b")),
            seed=pl.int_range(96 * 2) % 3,
        )
    )

    def ours() -> tuple[float, float]:
        result = rs.compare(
            trials,
            "correct",
            contrast="arm",
            baseline="b",
            pair_by=["seed", "item"],
            method="percentile",
            resampler="cpython",
        )
        return result["low"].item(), result["high"].item()

    def peer() -> tuple[float, float]:
        outcome = {
            (row["arm"], row["seed"], row["item"]): int(row["correct"])
            for row in trials.iter_rows(named=True)
        }
        pairs = sorted((seed, item) for arm, seed, item in outcome if arm == "a")
        return python_percentile([outcome["a", *key] - outcome["b", *key] for key in pairs])

    race(
        ours,
        peer,
        name="paired difference, 96 pairs, 5,000 resamples, bit-identical",
        against="Python loop",
        same=lambda a, b: a == b,
    )


def many_cells() -> pl.DataFrame:
    """Ten thousand cells of 32 items with three trials each."""
    rng = np.random.default_rng(0)
    cells = 10_000
    return pl.DataFrame(
        {
            "cell": np.repeat(np.arange(cells), 96),
            "item": np.tile(np.repeat(np.arange(32), 3), cells),
            "correct": rng.random(96 * cells) < 0.4,
        }
    )
