"""Rates per cell against their twin, SciPy, printed figures and themselves."""

import hashlib
import itertools
import math
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats import _core
from reclaimstats.errors import ColumnError, DesignError, OptionError, ReclaimStatsError
from reclaimstats.options import Plan
from reference import stats as twin
from strategies import (
    TRIALS,
    cluster_counts,
    clustered,
    frame,
    levels,
    outcome_types,
    seeds,
    trials,
)

RESULT = {
    "n": pl.Int64,
    "n_clusters": pl.Int64,
    "n_missing": pl.Int64,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "bound_low": pl.Float64,
    "bound_high": pl.Float64,
    "method": pl.String,
    "confidence_level": pl.Float64,
    "n_resamples": pl.Int64,
    "seed": pl.UInt64,
    "low_error": pl.Float64,
    "high_error": pl.Float64,
    "reason": pl.String,
}
METHODS: list[dict[str, Any]] = [
    {},
    {"method": "percentile"},
    {"method": "percentile", "resampler": "monte-carlo", "n_resamples": 20},
]
CLOSED_FORMS: list[dict[str, Any]] = [
    {"method": name} for name in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "t")
]
REPLAY: dict[str, Any] = {"method": "percentile", "resampler": "cpython"}


def example(n: int = 600, seed: int = 0) -> pl.DataFrame:
    """Trials in six cells, of items of several sizes, some without an outcome."""
    rng = np.random.default_rng(seed)
    item = rng.integers(0, 25, n)
    chance = rng.random(25)[item]
    return pl.DataFrame(
        {
            "policy": rng.choice(["lossy", "blank", "source-first"], n),
            "integrity": rng.choice([1.0, 0.3], n),
            "item": [f"i{i:02}" for i in item],
            "correct": (rng.random(n) < chance).astype(float),
        }
    ).with_columns(pl.when(pl.int_range(pl.len()) % 17 != 3).then("correct").alias("correct"))


def bernoulli(hits: int, n: int) -> pl.DataFrame:
    return pl.DataFrame({"correct": [1] * hits + [0] * (n - hits)}, schema={"correct": pl.Int8})


def limits(trials: Any, **options: Any) -> tuple[float, float]:
    row = rs.rate(trials, "correct", **options).row(0, named=True)
    return row["low"], row["high"]


# --- the twin


@given(
    rows=trials(),
    dtype=outcome_types,
    by=st.sampled_from([[], ["cell"], ["side", "cell"]]),
    cluster=st.sampled_from([[], ["item"], ["item", "side"]]),
    options=st.sampled_from([*METHODS, *CLOSED_FORMS]),
    level=levels,
    seed=seeds,
)
def test_agrees_with_its_twin(
    rows: list[dict[str, Any]],
    dtype: Any,
    by: list[str],
    cluster: list[str],
    options: dict[str, Any],
    level: float,
    seed: int,
) -> None:
    table = frame(rows, dtype, **TRIALS)
    if dtype.is_float():
        table = table.with_columns(pl.col("correct").fill_null(math.nan))
    keywords = options | {"by": by, "cluster": cluster, "confidence_level": level, "seed": seed}
    result = rs.rate(table, "correct", **keywords)
    assert dict(result.schema) == {name: TRIALS[name] for name in by} | RESULT
    twin.assert_same(result.to_dicts(), twin.rate(rows, "correct", **keywords))
    assert not result.select(pl.selectors.float().is_nan().any()).row(0).count(True)


@given(
    values=st.lists(st.sampled_from([0, 1]), min_size=1, max_size=70),
    n_resamples=st.integers(1, 90),
    level=levels,
    seed=seeds,
)
def test_replay_is_the_harness_loop(
    values: list[int], n_resamples: int, level: float, seed: int
) -> None:
    options = REPLAY | {"n_resamples": n_resamples, "confidence_level": level, "seed": seed}
    expected = twin.rate([{"correct": value} for value in values], "correct", **options)
    result = rs.rate(pl.DataFrame({"correct": values}), "correct", **options)
    twin.assert_same(result.to_dicts(), expected)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 8, 32, 33, 64, 127, 128, 129, 1024])
@pytest.mark.parametrize("seed", [0, 2**32 - 1, 2**32, 2**53 + 1, 2**64 - 1])
def test_replay_draws_as_randrange_for_any_size(n: int, seed: int) -> None:
    values = [i % 3 % 2 for i in range(n)]
    result = limits(pl.DataFrame({"correct": values}), n_resamples=41, seed=seed, **REPLAY)
    assert result == twin.replay_cpython(values, 0.025, 41, seed)


def test_replay_starts_afresh_in_each_cell_and_keeps_row_order() -> None:
    rng = np.random.default_rng(3)
    table = pl.DataFrame({"g": rng.integers(0, 3, 300), "correct": rng.integers(0, 2, 300)})
    options = REPLAY | {"n_resamples": 60}
    alone = pl.concat(
        [rs.rate(cell, "correct", by="g", **options) for cell in table.partition_by("g")]
    ).sort("g")
    assert_frame_equal(rs.rate(table, "correct", by="g", **options), alone, check_exact=True)
    backwards = rs.rate(table.reverse(), "correct", by="g", **options)
    assert not backwards.equals(alone)
    interleaved = table.sort("g", maintain_order=True)
    assert_frame_equal(rs.rate(interleaved, "correct", by="g", **options), alone)


def test_replay_of_a_streamed_file_keeps_row_order(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    n = 60_000
    table = pl.DataFrame({"g": rng.integers(0, 3, n), "correct": rng.integers(0, 2, n)})
    table.write_parquet(tmp_path / "trials.parquet", row_group_size=1000)
    options = REPLAY | {"n_resamples": 3, "by": "g"}
    streamed = rs.rate(pl.scan_parquet(tmp_path / "trials.parquet"), "correct", **options)
    assert_frame_equal(streamed, rs.rate(table, "correct", **options), check_exact=True)


# --- exact percentiles


@given(n=st.integers(1, 150), share=st.floats(0, 1), level=levels)
def test_exact_percentile_is_binomial(n: int, share: float, level: float) -> None:
    hits = round(share * n)
    result = limits(bernoulli(hits, n), method="percentile", confidence_level=level)
    assert result == twin.binomial_percentile(hits, n, twin.tail_of(level))
    as_clusters = limits(
        bernoulli(hits, n).with_row_index("item"),
        method="percentile",
        confidence_level=level,
        cluster="item",
    )
    assert as_clusters == (result if n > 1 else (None, None))


@pytest.mark.parametrize(
    ("hits", "n", "level", "expected"),
    [
        # Tails of exactly 1/4, 1/4 and 1/16: reached, so the value itself is the limit.
        (1, 2, 0.5, (0.0, 1.0)),
        (2, 4, 0.875, (0.0, 1.0)),
        (3, 6, 0.6875, (2 / 6, 4 / 6)),
    ],
)
def test_a_tail_that_is_just_reached_counts(
    hits: int, n: int, level: float, expected: tuple[float, float]
) -> None:
    assert twin.binomial_percentile(hits, n, twin.tail_of(level)) == expected
    assert limits(bernoulli(hits, n), method="percentile", confidence_level=level) == expected


@given(clusters=cluster_counts(size=3, most=40), level=levels)
def test_exact_percentile_of_equal_clusters(clusters: list[tuple[int, int]], level: float) -> None:
    options: dict[str, Any] = {"method": "percentile", "cluster": "item", "confidence_level": level}
    row = rs.rate(clustered(clusters), "correct", **options).row(0, named=True)
    sums = [hits for hits, _ in clusters]
    assert (row["low"], row["high"]) == twin.exact_percentile(sums, 3, twin.tail_of(level))
    assert (row["method"], row["n_resamples"], row["seed"]) == ("percentile-exact", None, None)


@pytest.mark.parametrize("n_clusters", [130, 300])
@pytest.mark.parametrize("chance", [0.02, 0.5, 0.9])
def test_exact_percentile_of_many_clusters(n_clusters: int, chance: float) -> None:
    sums = np.random.default_rng(n_clusters).binomial(3, chance, n_clusters).tolist()
    table = clustered([(x, 3) for x in sums])
    for level in (0.5, 0.95, 0.999, 0.999999):
        exact = twin.exact_percentile(sums, 3, twin.tail_of(level))
        options: dict[str, Any] = {
            "method": "percentile",
            "cluster": "item",
            "confidence_level": level,
        }
        assert limits(table, **options) == exact


@settings(max_examples=60)
@given(clusters=cluster_counts(most=5), level=levels)
def test_every_resample_once(clusters: list[tuple[int, int]], level: float) -> None:
    """All K^K resamples, listed: what the counted twin must agree with."""
    every = sorted(
        Fraction(sum(h for h, _ in drawn), sum(c for _, c in drawn))
        for drawn in itertools.product(clusters, repeat=len(clusters))
    )
    options: dict[str, Any] = {
        "method": "percentile",
        "cluster": "item",
        "confidence_level": level,
    }
    rank = math.ceil(twin.tail_of(level) * len(every)) - 1
    expected = float(every[rank]), float(every[-1 - rank])
    assert limits(clustered(clusters), **options) == expected


@pytest.mark.parametrize(
    ("n_clusters", "sizes", "method"),
    [
        (14, (1, 2, 5), "percentile-exact"),
        (300, (1, 4, 9), "percentile-exact"),
        (3000, (1, 2, 3, 4), "percentile-exact"),
        (3000, (1, 2, 3, 40), "percentile-inversion"),
        (30_000, tuple(range(1, 90)), "percentile-inversion"),
    ],
)
def test_draws_agree_with_unequal_clusters(
    n_clusters: int, sizes: tuple[int, ...], method: str
) -> None:
    rng = np.random.default_rng(5)
    size = rng.choice(sizes, n_clusters)
    hits = rng.binomial(size, rng.beta(1, 2, n_clusters))
    plan = Plan.checked(
        method="percentile",
        methods=["percentile"],
        resampler="auto",
        confidence_level=0.9,
        n_resamples=20_000 if n_clusters < 10_000 else 4_000,
        seed=1,
        cluster=[],
    )
    columns = [pl.Series([n_clusters], dtype=pl.UInt64)]
    columns += [pl.Series(part, dtype=pl.UInt64) for part in (size, hits)]
    rows = [
        pl.DataFrame(_core.rate_clusters(*columns, "trial", "cr2", plan)).row(0, named=True)
        for plan in (plan, replace(plan, resampler="monte-carlo"))
    ]
    assert [row["method"] for row in rows] == [method, "percentile-monte-carlo"]
    assert rows[0]["n_resamples"] is rows[0]["low_error"] is None
    for limit in ("low", "high"):
        # Draws are a lattice too: a step of it is a few in the sum over the total.
        step = 3 / size.sum()
        assert abs(rows[0][limit] - rows[1][limit]) <= 5 * rows[1][f"{limit}_error"] + step


def test_order_of_unequal_clusters_does_not_matter() -> None:
    clusters = [(i * 7 % (1 + i % 4), 1 + i % 4) for i in range(400)]
    options: dict[str, Any] = {"method": "percentile", "cluster": "item"}
    turned = limits(clustered(clusters[::-1]), **options)
    assert limits(clustered(clusters), **options) == turned
    low, high = limits(clustered([(size - hits, size) for hits, size in clusters]), **options)
    assert (1 - high, 1 - low) == pytest.approx(turned, abs=1e-15)


@pytest.mark.parametrize("n", [10, 1000, 10**5, 10**6])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_exact_percentile_of_large_cells_is_scipys_quantile(n: int, level: float) -> None:
    for hits in (1, n // 7, n // 2, n - 1):
        binomial = scipy.stats.binom(n, hits / n), scipy.stats.binom(n, (n - hits) / n)
        low, high = (quantile.ppf((1 - level) / 2) for quantile in binomial)
        result = limits(bernoulli(hits, n), method="percentile", confidence_level=level)
        assert result == (low / n, (n - high) / n)


# --- random draws


@given(clusters=cluster_counts(), n_resamples=st.integers(1, 45), level=levels, seed=seeds)
@settings(max_examples=50)
def test_draws_are_the_documented_streams(
    clusters: list[tuple[int, int]], n_resamples: int, level: float, seed: int
) -> None:
    options: dict[str, Any] = {"n_resamples": n_resamples, "confidence_level": level, "seed": seed}
    result = limits(
        clustered(clusters),
        method="percentile",
        resampler="monte-carlo",
        cluster="item",
        **options,
    )
    assert result == twin.monte_carlo(clusters, twin.tail_of(level), n_resamples, seed)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_draws_agree_with_the_exact_distribution(level: float) -> None:
    sums = [i % 4 for i in range(30)]
    n_resamples = 100_000
    low, high = limits(
        clustered([(x, 3) for x in sums]),
        method="percentile",
        resampler="monte-carlo",
        cluster="item",
        n_resamples=n_resamples,
        confidence_level=level,
    )
    ways, total = twin.resample_ways(sums), 30**30
    tail = (1 - level) / 2
    margin = 5 * math.sqrt(tail * (1 - tail) / n_resamples)
    x, y = round(low * 90), round(high * 90)
    assert sum(w for s, w in ways.items() if s <= x) / total >= tail - margin
    assert sum(w for s, w in ways.items() if s < x) / total <= tail + margin
    assert sum(w for s, w in ways.items() if s >= y) / total >= tail - margin
    assert sum(w for s, w in ways.items() if s > y) / total <= tail + margin


def test_a_seed_gives_one_result_and_another_seed_another() -> None:
    options: dict[str, Any] = {
        "method": "percentile",
        "resampler": "monte-carlo",
        "cluster": "item",
        "by": "policy",
        "n_resamples": 101,
    }
    first, again, other = (rs.rate(example(), "correct", seed=s, **options) for s in (7, 7, 8))
    assert_frame_equal(first, again, check_exact=True)
    assert first["low"].to_list() != other["low"].to_list()
    assert first["seed"].to_list() == [7] * 3


THREADED = """
import sys
import polars as pl
import reclaimstats as rs
trials = pl.read_parquet(sys.argv[1])
for method in ("auto", "percentile"):
    options = {"by": ["policy", "integrity"], "method": method, "n_resamples": 997}
    for cluster in ([], ["item"]):
        print(rs.rate(trials, "correct", cluster=cluster, **options).rows())
    drawn = options | {"method": "percentile", "resampler": "monte-carlo"}
    print(rs.rate(trials, "correct", cluster="item", **drawn).rows())
    repeats = trials.with_columns(repeat=pl.int_range(pl.len()).over("policy", "integrity"))
    paired = {"contrast": "policy", "baseline": "blank", "pair_by": ["repeat"]}
    options["by"] = "integrity"
    result = rs.compare(repeats, "correct", cluster="repeat", **paired, **options)
    print(result.rows())
    clusters = repeats.with_columns(half=pl.col("repeat") // 5)
    print(rs.compare(clusters, "correct", cluster="half", **paired, **options).rows())
replay = {"method": "percentile", "resampler": "cpython", "n_resamples": 199}
print(rs.rate(trials, "correct", by="policy", **replay).rows())
"""


def test_no_bit_depends_on_the_number_of_threads(tmp_path: Path) -> None:
    example(3000).write_parquet(tmp_path / "trials.parquet")
    digests = set()
    for threads in ("1", "2", "5"):
        command = [sys.executable, "-c", THREADED, str(tmp_path / "trials.parquet")]
        environment = os.environ | {"RAYON_NUM_THREADS": threads, "POLARS_MAX_THREADS": threads}
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        assert b"percentile-monte-carlo" in done.stdout
        digests.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(digests) == 1


# --- outside anchors


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (0, 30), (38, 38), (1, 7), (37, 96)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.9999])
def test_wilson_is_scipys(hits: int, n: int, level: float) -> None:
    test = scipy.stats.binomtest(hits, n)
    anchor = test.proportion_ci(confidence_level=level, method="wilson")
    result = limits(bernoulli(hits, n), confidence_level=level)
    assert result == pytest.approx((anchor.low, anchor.high), abs=1e-13)


@pytest.mark.parametrize("n_clusters", [2, 3, 4, 8, 31, 96, 999, 1001, 1002, 3000])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.9999])
def test_the_t_quantile_is_scipys(n_clusters: int, level: float) -> None:
    # Every cluster one success in two: no variance between clusters, the effective size is
    # their number and the half width is t / 2 sqrt(K + t^2).
    low, high = limits(clustered([(1, 2)] * n_clusters), cluster="item", confidence_level=level)
    t = scipy.stats.t.isf((1 - level) / 2, n_clusters - 1)
    half = t / math.sqrt(n_clusters + t * t) / 2
    assert (low, high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-11)


def test_four_clusters_all_or_nothing() -> None:
    """Case B051: CR1 standard error sqrt(1/12), so the effective size is 3."""
    clusters = [(3, 3), (3, 3), (0, 3), (0, 3)]
    assert twin.effective_size(clusters) == 3
    t = scipy.stats.t.isf(0.025, 3)
    half = t / math.sqrt(3 + t * t) / 2
    result = limits(clustered(clusters), cluster="item")
    assert result == pytest.approx((0.5 - half, 0.5 + half), abs=1e-12)


@pytest.mark.parametrize(("hits", "n"), [(0, 30), (1, 33), (4, 631), (94, 96), (7, 7), (37, 96)])
def test_clopper_pearson_is_scipys(hits: int, n: int) -> None:
    result = rs.stats.rate([1] * hits + [0] * (n - hits), method="clopper-pearson")
    anchor = scipy.stats.binomtest(hits, n).proportion_ci(method="exact")
    assert (result.low, result.high) == pytest.approx((anchor.low, anchor.high), rel=1e-12)


def test_clopper_pearson_matches_printed_figures() -> None:
    """Case B099: 0 of 30 up to 0.115703; printed elsewhere: 4 of 631, 0.173 to 1.615 %."""
    none = rs.stats.rate([0] * 30, method="clopper-pearson")
    assert (none.low, round(none.high, 6)) == (0.0, 0.115703)
    few = rs.stats.rate([1] * 4 + [0] * 627, method="clopper-pearson")
    assert (round(few.low, 5), round(few.high, 5)) == (0.00173, 0.01615)


@pytest.mark.parametrize("method", ["clopper-pearson", "jeffreys"])
@pytest.mark.parametrize(
    ("hits", "n"), [(500_000, 1_000_000), (3, 1_000_000), (999_990, 1_000_000)]
)
def test_beta_limits_keep_their_digits_in_large_samples(method: str, hits: int, n: int) -> None:
    trials = np.arange(n) < hits
    result = rs.stats.rate(trials, method=method)
    expected = twin.closed_form(method, hits / n, n, 0.025)
    assert (result.low, result.high) == pytest.approx(expected, rel=1e-10)


def test_t_is_scipys_interval_of_a_mean() -> None:
    values = [1] * 14 + [0] * 9
    anchor = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.9)
    result = rs.stats.rate(values, method="t", confidence_level=0.9)
    assert (result.low, result.high) == pytest.approx((anchor.low, anchor.high), rel=1e-12)
    alone = rs.stats.rate([1], method="t")
    assert (alone.low, alone.reason) == (None, "one trial says nothing of the spread")


def test_t_with_clusters_is_in_closed_form() -> None:
    """Case B051: four clusters, CR1 standard error sqrt(1/12), three degrees of freedom."""
    clusters = [a for a in "abcd" for _ in range(3)]
    result = rs.stats.rate([1] * 6 + [0] * 6, cluster=clusters, method="t")
    assert (result.low, result.high) == (0.0, 1.0)
    narrow = rs.stats.rate([1] * 6 + [0] * 6, cluster=clusters, method="t", confidence_level=0.5)
    half = scipy.stats.t.ppf(0.75, 3) * math.sqrt(1 / 12)
    assert (narrow.low, narrow.high) == pytest.approx((0.5 - half, 0.5 + half), rel=1e-12)


def test_single_trials_as_clusters_are_wilson_with_t() -> None:
    # CR1 of clusters of one is p (1 - p) / (n - 1): the effective size is n - 1.
    table = bernoulli(7, 20).with_row_index("item")
    t = scipy.stats.t.isf(0.025, 19)
    assert limits(table, cluster="item") == pytest.approx(twin.wilson(0.35, 19, t), abs=1e-12)


@pytest.mark.parametrize(
    ("hits", "n", "printed"),
    [
        (91, 96, (0.90, 0.99)),  # R5
        (2, 32, (0.0, 0.16)),  # R6b
        (31, 32, (0.91, 1.0)),  # R6c
        (7, 17, (0.18, 0.65)),  # R8a
        (13, 17, (0.53, 0.94)),  # R8b
        (0, 96, (0.0, 0.0)),  # R9
        (96, 96, (1.0, 1.0)),  # R9
        (274, 312, (0.84, 0.91)),  # R4
        (22, 100, (0.14, 0.30)),  # R18, four cells
        (61, 100, (0.51, 0.70)),
        (78, 100, (0.70, 0.86)),
        (99, 100, (0.97, 1.0)),
        (95, 96, (0.97, 1.0)),  # B047
    ],
)
def test_printed_percentile_intervals(hits: int, n: int, printed: tuple[float, float]) -> None:
    result = limits(bernoulli(hits, n), method="percentile")
    assert tuple(round(x, 2) for x in result) == printed


@pytest.mark.parametrize(
    ("n", "exact", "rule_of_three"),
    [(96, 0.03072, 0.03125), (24, 0.1173, 0.125), (120, 0.02466, 0.025), (170, 0.01747, 0.01765)],
)
def test_a_measured_zero_has_the_exact_rule_of_three(
    n: int, exact: float, rule_of_three: float
) -> None:
    """Figures R1, R2, D8 and A16."""
    row = rs.rate(bernoulli(0, n), "correct").row(0, named=True)
    assert row["bound_high"] == pytest.approx(exact, abs=5e-5)
    assert row["bound_high"] < rule_of_three
    assert (1 - row["bound_high"]) ** n == pytest.approx(0.05)
    mirrored = rs.rate(bernoulli(n, n), "correct").row(0, named=True)
    assert mirrored["bound_low"] == pytest.approx(1 - row["bound_high"], abs=1e-15)
    assert (row["bound_low"], mirrored["bound_high"]) == (None, None)


def test_wilson_of_none_in_thirty() -> None:
    """Case B099."""
    assert limits(bernoulli(0, 30)) == pytest.approx((0.0, 0.113513), abs=5e-7)


def test_clusters_of_a_measured_zero_count_once() -> None:
    row = rs.rate(clustered([(0, 5)] * 8), "correct", cluster="item").row(0, named=True)
    assert row["bound_high"] == pytest.approx(1 - 0.05 ** (1 / 8))


def test_missing_is_counted_not_scored() -> None:
    """Case B055: two right, four wrong, two errors."""
    table = pl.DataFrame({"correct": [1, 1, 0, 0, 0, 0, None, None]})
    row = rs.rate(table, "correct").row(0, named=True)
    assert (row["n"], row["n_missing"], row["estimate"]) == (6, 2, 1 / 3)


# --- what must not matter


def assert_equal(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    assert_frame_equal(found, expected, check_exact=True)


@dataclass
class ArrowStream:
    """A table of an unknown library that speaks nothing but Arrow."""

    table: pa.Table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export as that interface prescribes."""
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("options", [*METHODS, {"method": "percentile", "n_resamples": 50}])
@pytest.mark.parametrize("cluster", [None, "item"])
def test_only_the_trials_matter(options: dict[str, Any], cluster: str | None) -> None:
    table = example()
    keywords = options | {"by": ["policy", "integrity"], "cluster": cluster}
    expected = rs.rate(table, "correct", **keywords)
    assert expected.height == 6
    assert expected["n_missing"].sum() == table["correct"].null_count()

    shuffled = table.sample(fraction=1, shuffle=True, seed=1)
    pieces = [shuffled[:1], shuffled[1:1], shuffled[1:250], shuffled[250:]]
    chunked = pl.concat(pieces, rechunk=False)
    assert chunked.n_chunks() > 1
    arrow = table.to_arrow()
    for same in (
        shuffled,
        chunked,
        table.lazy(),
        chunked.lazy(),
        arrow,
        ArrowStream(arrow),
        arrow.to_reader(max_chunksize=77),
        arrow.combine_chunks().to_batches()[0],
        table.with_columns(pl.col("item").replace_strict({f"i{i:02}": -i for i in range(25)})),
        table.with_columns(pl.col("item").cast(pl.Categorical)),
        table.with_columns(pl.col("correct").cast(pl.Boolean)),
        table.with_columns(pl.col("correct").cast(pl.Int8)),
        table.with_columns(pl.col("correct").cast(pl.Decimal(4, 1))),
        table.with_columns(pl.col("correct").fill_null(math.nan)),
        table.with_columns(noise=pl.lit("x")),
        table.select(reversed(table.columns)),
    ):
        assert_equal(rs.rate(same, "correct", **keywords), expected)

    more = pl.concat([table, example(90, 5).with_columns(policy=pl.lit("another"))])
    found = rs.rate(more, "correct", **keywords).filter(pl.col("policy") != "another")
    assert_equal(found, expected)
    swapped = rs.rate(table, "correct", **(keywords | {"by": ["integrity", "policy"]}))
    assert_equal(swapped.select(expected.columns).sort("policy", "integrity"), expected)


def test_outcome_as_expression_is_the_outcome_as_column() -> None:
    table = example().with_columns(bucket=pl.when(pl.col("correct") == 1).then(pl.lit("right")))
    with_column = rs.rate(table.with_columns(hit=pl.col("correct") == 1), "hit", by="policy")
    assert_equal(rs.rate(table, pl.col("correct") == 1, by="policy"), with_column)


def test_by_takes_a_name_or_names() -> None:
    expected = rs.rate(example(), "correct", by="policy", cluster="item")
    for by, cluster in ((["policy"], ["item"]), (("policy", "policy"), ("item",))):
        assert_equal(rs.rate(example(), "correct", by=by, cluster=cluster), expected)
    assert_equal(rs.rate(example(), "correct", by=[]), rs.rate(example(), "correct"))


def test_cells_come_sorted_by_their_own_order() -> None:
    table = example().with_columns(pl.col("policy").replace_strict({"lossy": None}, default="x"))
    order = ["source-first", "blank", "lossy"]
    as_enum = example().with_columns(pl.col("policy").cast(pl.Enum(order)))
    expected = rs.rate(example(), "correct", by="policy", cluster="item")
    found = rs.rate(as_enum, "correct", by="policy", cluster="item")
    assert found["policy"].cast(pl.String).to_list() == order
    found = found.with_columns(pl.col("policy").cast(pl.String)).sort("policy")
    assert_equal(found, expected)
    as_categorical = example().with_columns(pl.col("policy").cast(pl.Categorical))
    found = rs.rate(as_categorical.lazy(), "correct", by="policy", cluster="item")
    assert_equal(found.with_columns(pl.col("policy").cast(pl.String)), expected)
    with_null = rs.rate(table, "correct", by="policy", cluster="item")
    assert with_null["policy"].to_list() == [None, "x"]
    assert with_null.row(0)[1:] == expected.filter(pl.col("policy") == "lossy").row(0)[1:]


@pytest.mark.parametrize("options", METHODS[:2])
@pytest.mark.parametrize("cluster", [None, "item"])
def test_flipping_outcomes_mirrors(options: dict[str, Any], cluster: str | None) -> None:
    keywords = options | {"by": "policy", "cluster": cluster}
    table = example().with_columns(
        pl.when(policy="blank").then(1).otherwise("correct").alias("correct")
    )
    found = rs.rate(table, "correct", **keywords)
    flipped = rs.rate(table.with_columns(correct=1 - pl.col("correct")), "correct", **keywords)
    # Unequal clusters are drawn, by the contents of the cell: those need not mirror.
    drawn = found["n_resamples"].is_not_null()
    for name, other in (("estimate", "estimate"), ("low", "high"), ("high", "low")):
        difference = (1 - found[name] - flipped[other]).abs()
        assert (difference.filter(~drawn) < 1e-13).all()
    assert ((1 - found["bound_low"] - flipped["bound_high"]).abs() < 1e-15).all()


@settings(max_examples=60)
@given(rows=trials(), level=levels, clustered_by=st.sampled_from([None, "item"]))
def test_what_holds_for_every_default_interval(
    rows: list[dict[str, Any]], level: float, clustered_by: str | None
) -> None:
    table = frame(rows, pl.Int8, **TRIALS)
    options: dict[str, Any] = {"by": "cell", "cluster": clustered_by}
    result = rs.rate(table, "correct", confidence_level=level, **options)
    wider = rs.rate(table, "correct", confidence_level=level + (1 - level) / 2, **options)
    for row, wide in zip(result.to_dicts(), wider.to_dicts(), strict=True):
        low, estimate, high = row["low"], row["estimate"], row["high"]
        assert (low is None) == (high is None) == (row["reason"] is not None)
        assert (
            row["n"] + row["n_missing"]
            == table.filter(pl.col("cell").eq_missing(row["cell"])).height
        )
        if low is None:
            assert row["n"] == 0 or row["n_clusters"] == 1
            continue
        assert 0 <= low <= estimate <= high <= 1
        assert low < high
        assert wide["low"] <= low
        assert high <= wide["high"]
        assert (low == 0) == (estimate == 0)
        assert (high == 1) == (estimate == 1)
        assert (row["bound_low"] is None) == (estimate != 1)
        assert (row["bound_high"] is None) == (estimate != 0)


def test_many_cells_at_once_are_each_alone() -> None:
    table = example(4000, 9).with_columns(cell=pl.int_range(pl.len()) % 211)
    for options in METHODS:
        keywords = options | {"by": "cell", "cluster": "item"}
        together = rs.rate(table, "correct", **keywords)
        assert together.height == 211
        for cell in (0, 100, 210):
            alone = rs.rate(table.filter(pl.col("cell") == cell), "correct", **keywords)
            assert_equal(together.filter(pl.col("cell") == cell), alone)


# --- what is undefined


@pytest.mark.parametrize("options", [*METHODS, REPLAY])
def test_nothing_observed_has_a_reason(options: dict[str, Any]) -> None:
    for table in (
        pl.DataFrame({"correct": [None, None]}, schema={"correct": pl.Float64}),
        pl.DataFrame({"correct": [math.nan, None]}),
        pl.DataFrame({"correct": [None, None]}),
        pl.DataFrame({"correct": [None, None]}, schema={"correct": pl.Boolean}),
    ):
        row = rs.rate(table, "correct", **options).row(0, named=True)
        assert (row["n"], row["n_missing"], row["n_clusters"]) == (0, 2, None)
        assert row["reason"] == "no trials with an outcome"
        assert row["method"] == "none"
        empty = ("estimate", "low", "high", "bound_low", "bound_high", "n_resamples", "seed")
        assert all(row[name] is None for name in empty)


@pytest.mark.parametrize("options", METHODS)
def test_one_cluster_has_a_reason_and_a_bound(options: dict[str, Any]) -> None:
    table = pl.DataFrame({"item": ["a", "a", "b"], "correct": [1, 1, None]})
    row = rs.rate(table, "correct", cluster="item", **options).row(0, named=True)
    assert (row["n"], row["n_clusters"], row["n_missing"], row["estimate"]) == (2, 1, 1, 1.0)
    assert (row["low"], row["high"], row["reason"]) == (None, None, "one cluster")
    assert row["bound_low"] == pytest.approx(0.05)


def test_one_trial() -> None:
    row = rs.rate(bernoulli(1, 1), "correct").row(0, named=True)
    assert (row["low"], row["high"]) == (pytest.approx(0.2065, abs=5e-5), 1.0)
    assert limits(bernoulli(1, 1), method="percentile") == (1.0, 1.0)
    assert limits(bernoulli(0, 1), **REPLAY) == (0.0, 0.0)


@pytest.mark.parametrize("cluster", [None, "item"])
@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("options", METHODS)
def test_an_empty_frame(cluster: str | None, lazy: bool, options: dict[str, Any]) -> None:
    table: Any = example().clear()
    table = table.lazy() if lazy else table
    row = rs.rate(table, "correct", cluster=cluster, **options).row(0, named=True)
    assert (row["n"], row["n_missing"], row["estimate"]) == (0, 0, None)
    assert row["n_clusters"] == (0 if cluster else None)
    cells = rs.rate(table, "correct", by="policy", cluster=cluster, **options)
    assert dict(cells.schema) == {"policy": pl.String} | RESULT
    assert cells.height == 0


# --- bad input


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ([0.0, 1.0, 0.5], "0.5"),
        ([0, 1, 2], "2"),
        ([1, -1], "-1"),
        ([1.0, math.inf], "inf"),
        ([5.0, 4.0, 3.0, 2.0, 2.0], "5 values other than 0 and 1, such as 2.0, 3.0, 4.0;"),
    ],
)
@pytest.mark.parametrize("cluster", [None, "item"])
@pytest.mark.parametrize("lazy", [False, True])
def test_other_values_are_named(
    values: list[float], named: str, cluster: str | None, lazy: bool
) -> None:
    table: Any = pl.DataFrame({"correct": values}).with_columns(item=pl.int_range(pl.len()))
    table = table.lazy() if lazy else table
    with pytest.raises(ColumnError, match="'correct' holds") as error:
        rs.rate(table, "correct", cluster=cluster)
    assert named in str(error.value)
    if not cluster:
        with pytest.raises(ColumnError, match="'correct' holds"):
            rs.rate(table, "correct", **REPLAY)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["yes", "no"]),
        pl.Series([[0], [1]]),
        pl.Series(["0", "1"], dtype=pl.Categorical),
        pl.Series([0, 1]).cast(pl.Date),
    ],
)
def test_other_types_are_named(column: pl.Series) -> None:
    table = pl.DataFrame({"correct": column})
    with pytest.raises(ColumnError, match=r"'correct' has type .*must be Boolean or numbers"):
        rs.rate(table, "correct")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"outcome": "corect"}, "outcome: no column 'corect'; did you mean 'correct'"),
        ({"by": "polcy"}, "by: no column 'polcy'; did you mean 'policy'"),
        ({"by": ["policy", "itm"]}, "by: no column 'itm'; did you mean 'item'"),
        ({"cluster": "tem"}, "cluster: no column 'tem'; did you mean 'item'"),
        ({"cluster": "zzz"}, "cluster: no column 'zzz'; there are"),
        ({"by": ""}, "by: no column ''"),
        ({"by": [3]}, "column arguments take a name"),
        ({"outcome": None}, "outcome must be a name or an expression"),
        ({"outcome": 3}, "outcome must be a name or an expression"),
    ],
)
def test_columns_that_do_not_exist(options: dict[str, Any], message: str) -> None:
    outcome = options.pop("outcome", "correct")
    with pytest.raises(ColumnError, match=message):
        rs.rate(example(), outcome, **options)


@pytest.mark.parametrize(
    ("outcome", "options"),
    [
        (pl.col("corect") == 1, {}),
        (pl.col("correct", "integrity"), {}),
        ("correct", {"by": pl.col("policy")}),
        ("correct", {"by": 3}),
        ("correct", {"cluster": pl.col("item")}),
    ],
)
def test_columns_that_are_no_names(outcome: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ReclaimStatsError):
        rs.rate(example(), outcome, **options)


@pytest.mark.parametrize("name", list(RESULT))
def test_by_must_leave_result_columns_alone(name: str) -> None:
    with pytest.raises(ColumnError, match=f"by: column '{name}' has the name of a result column"):
        rs.rate(example().rename({"policy": name}), "correct", by=name)


@pytest.mark.parametrize("name", ["n", "n_missing", "successes", "missing", "outcome", "seed"])
def test_cluster_and_outcome_may_have_any_name(name: str) -> None:
    expected = rs.rate(example(), "correct", by="policy", cluster="item")
    renamed = example().rename({"item": name})
    assert_equal(rs.rate(renamed, "correct", by="policy", cluster=name), expected)
    renamed = example().rename({"correct": name})
    assert_equal(rs.rate(renamed, name, by="policy", cluster="item"), expected)


@pytest.mark.parametrize("name", ["successes", "missing", "outcome", "len", "count", "literal"])
def test_by_may_have_any_other_name(name: str) -> None:
    expected = rs.rate(example(), "correct", by="policy", cluster="item")
    found = rs.rate(example().rename({"policy": name}), "correct", by=name, cluster="item")
    assert_equal(found.rename({name: "policy"}), expected)


def test_by_and_cluster_may_overlap() -> None:
    expected = rs.rate(example(), "correct", by="policy", cluster="item")
    found = rs.rate(example(), "correct", by="policy", cluster=["policy", "item"])
    assert_equal(found, expected)
    by_outcome = rs.rate(example(), "correct", by="correct")
    assert by_outcome["estimate"].to_list() == [None, 0.0, 1.0]


@pytest.mark.parametrize("lazy", [False, True])
def test_a_null_cluster_is_an_error(lazy: bool) -> None:
    table: Any = pl.DataFrame({"item": ["a", None, None], "correct": [1, None, 0]})
    table = table.lazy() if lazy else table
    with pytest.raises(DesignError, match=r"cluster \['item'\] is null or NaN in 2 trials"):
        rs.rate(table, "correct", cluster="item")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "wald"}, OptionError, "method='wald' is unknown; use one of 'auto'"),
        ({"method": None}, OptionError, "method=None is unknown"),
        (
            {"method": "percentile", "resampler": "numpy"},
            OptionError,
            "resampler='numpy' is unknown; use one of 'auto', 'monte-carlo', 'cpython'",
        ),
        ({"resampler": "cpython"}, OptionError, "use method='percentile' with it"),
        ({"resampler": "monte-carlo"}, OptionError, "use method='percentile', 'basic'"),
        (REPLAY | {"cluster": "item"}, DesignError, "leave cluster= out"),
        *(
            ({"confidence_level": level}, OptionError, "must be a number between 0 and 1")
            for level in (0, 1, 0.0, 1.0, 95, -0.5, math.nan, math.inf, True, "0.95", None)
        ),
        *(
            ({"seed": seed}, OptionError, "must be a whole number from 0 to 18446744073709551615")
            for seed in (-1, 2**64, 1.0, True, None, "0")
        ),
        *(
            ({"n_resamples": n}, OptionError, "must be a whole number from 1 to 100000000")
            for n in (0, -1, 10**9, 10.0, True, None)
        ),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        rs.rate(example(), "correct", **options)


@pytest.mark.parametrize("thing", [None, 3, {"correct": [1]}, [1, 0], "trials.parquet"])
def test_trials_that_are_no_table(thing: Any) -> None:
    with pytest.raises(ColumnError, match="must be a Polars DataFrame or LazyFrame"):
        rs.rate(thing, "correct")


@pytest.mark.parametrize("level", [1e-9, 1e-6, 1 - 1e-9])
def test_extreme_levels_stay_numbers(level: float) -> None:
    for cluster, options in itertools.product([None, "item"], METHODS[:2]):
        low, high = limits(example(), cluster=cluster, confidence_level=level, **options)
        assert 0 <= low <= high <= 1
