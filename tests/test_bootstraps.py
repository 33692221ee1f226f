"""Bootstrap intervals of rates and means: all methods, all ways to the distribution."""

import math
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import OptionError
from reference import bootstraps as twin
from strategies import cluster_counts, clustered

TAILS = st.sampled_from([0.2, 0.05, 0.025, 0.005])
TWINS = {"percentile": twin.percentile, "basic": twin.basic, "bca": twin.bca}


def row(trials: Any, column: str = "correct", **options: Any) -> dict[str, Any]:
    verb = rs.rate if column == "correct" else rs.mean
    return verb(trials, column, **options).row(0, named=True)


def bernoulli(hits: int, n: int) -> pl.DataFrame:
    return clustered([(int(i < hits), 1) for i in range(n)])


def inside(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def assert_limits(
    found: dict[str, Any], expected: Sequence[tuple[float, float]], margin: float = 1e-12
) -> None:
    for name, (least, most) in zip(("low", "high"), expected, strict=True):
        assert inside(least) - margin <= found[name] <= inside(most) + margin, (name, found)


@settings(max_examples=40)
@given(
    clusters=cluster_counts(most=5),
    method=st.sampled_from(list(TWINS)),
    weighting=st.sampled_from(["trial", "cluster"]),
    tail=TAILS,
)
def test_of_clusters_it_is_the_whole_distributions(
    clusters: list[tuple[int, int]], method: str, weighting: str, tail: float
) -> None:
    found = row(
        clustered(clusters),
        cluster="item",
        method=method,
        weighting=weighting,
        confidence_level=1 - 2 * tail,
    )
    units = twin.alike(clusters) if weighting == "cluster" else clusters
    assert found["estimate"] == pytest.approx(float(twin.estimate(units)), rel=1e-15)
    if method == "bca" and len({hits / trials for hits, trials in clusters}) == 1:
        assert (found["low"], found["reason"]) == (None, "nothing varies")
        return
    expected = TWINS[method](units, tail)
    if expected is not None:
        assert found["method"] == f"{method}-exact"
        assert_limits(found, expected)


@settings(max_examples=40)
@given(
    n=st.integers(1, 40),
    share=st.floats(0, 1),
    method=st.sampled_from([*TWINS, "studentized"]),
    tail=TAILS,
)
def test_of_independent_trials_it_is_the_binomial(
    n: int, share: float, method: str, tail: float
) -> None:
    hits = round(n * share)
    found = row(bernoulli(hits, n), method=method, confidence_level=1 - 2 * tail)
    if method in {"bca", "studentized"} and hits in {0, n}:
        assert (found["low"], found["method"], found["reason"]) == (None, "none", "nothing varies")
        return
    expected: Any
    if method == "studentized":
        expected = twin.studentized(hits, n, tail)
    else:
        expected = TWINS[method]([(int(i < hits), 1) for i in range(n)], tail)
    if expected is None:
        assert found["reason"] == "too few different clusters or trials for this method"
        return
    assert found["method"] == f"{method}-exact"
    assert_limits(found, expected, 1e-9 if method == "studentized" else 1e-12)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentized"])
@pytest.mark.parametrize("kind", ["trials", "equal", "unequal", "balanced"])
def test_draws_approach_the_distribution(method: str, kind: str) -> None:
    rng = np.random.default_rng(4)
    size = {"trials": np.ones(900, int), "equal": np.full(900, 4)}.get(
        kind, rng.integers(1, 6, 900)
    )
    hits = rng.binomial(size, rng.beta(1, 3, 900))
    table = clustered(list(zip(hits.tolist(), size.tolist(), strict=True)))
    options: dict[str, Any] = {"method": method, "n_resamples": 40_000}
    if kind != "trials":
        options["cluster"] = "item"
    if kind == "balanced":
        options["weighting"] = "cluster"
    exact = row(table, **options)
    drawn = row(table, resampler="monte-carlo", seed=3, **options)
    assert (drawn["method"], drawn["n_resamples"]) == (f"{method}-monte-carlo", 40_000)
    if method == "studentized" and kind != "trials":
        assert exact["method"] == "studentized-monte-carlo"
    else:
        assert exact["method"] == f"{method}-exact"
    step = 1.01 / (900 if kind == "balanced" else size.sum())
    for side in ("low", "high"):
        margin = 5 * drawn[f"{side}_error"] + step
        assert drawn[side] == pytest.approx(exact[side], abs=margin)


def test_bca_is_scipys() -> None:
    values = [1] * 23 + [0] * 177
    found = rs.stats.rate(values, method="bca")
    expected = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    # Where a limit is one step of the lattice, draws may fall on either side of it.
    assert found.low == pytest.approx(expected.low, abs=1.01 / 200)
    assert found.high == pytest.approx(expected.high, abs=1.01 / 200)
    assert found.method == "bca-exact"


@settings(max_examples=40)
@given(
    clusters=cluster_counts(),
    weighting=st.sampled_from(["trial", "cluster"]),
    variance=st.sampled_from(["cr0", "cr1", "cr2"]),
)
def test_student_is_the_means(
    clusters: list[tuple[int, int]], weighting: str, variance: str
) -> None:
    table = clustered(clusters).with_columns(score=pl.col("correct").cast(pl.Float64))
    options: dict[str, Any] = {"cluster": "item", "method": "t", "weighting": weighting}
    rate = row(table, variance=variance, **options)
    mean = row(table, "score", variance=variance, **options)
    assert rate["estimate"] == pytest.approx(mean["estimate"], rel=1e-15)
    if mean["low"] is not None:
        limits = inside(mean["low"]), inside(mean["high"])
        assert (rate["low"], rate["high"]) == pytest.approx(limits, rel=1e-12, abs=1e-14)


def test_a_long_cluster_weighs_no_more_than_a_short_one() -> None:
    table = clustered([(9, 90), (1, 1), (1, 2), (2, 4)])
    found = row(table, cluster="item", weighting="cluster")
    assert found["estimate"] == (0.1 + 1 + 0.5 + 0.5) / 4
    assert found["method"] == "wilson-effective"
    means = pl.DataFrame({"item": [0, 1, 2, 3], "score": [0.1, 1, 0.5, 0.5]})
    drawn = row(table, cluster="item", weighting="cluster", method="studentized", seed=5)
    same = row(means, "score", cluster="item", method="studentized", seed=5)
    assert drawn["estimate"] == same["estimate"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weighting": "cluster"}, "name them with cluster="),
        ({"weighting": "item", "cluster": "item"}, "weighting='item' is unknown"),
        ({"variance": "hc3", "cluster": "item"}, "variance='hc3' is unknown"),
        ({"variance": "cr0", "cluster": "item"}, "use method='t' with it"),
        ({"method": "basic", "resampler": "cpython"}, "use method='percentile' with it"),
        ({"method": "t", "resampler": "monte-carlo"}, "use method='percentile', 'basic', 'bca'"),
        ({"method": "bca", "resampler": "saddlepoint"}, "resampler='saddlepoint' is unknown"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], message: str) -> None:
    table = clustered([(1, 2), (2, 2), (0, 3)])
    with pytest.raises(OptionError, match=message):
        rs.rate(table, "correct", **options)
    if "cluster" not in options:
        with pytest.raises(OptionError, match=message):
            rs.stats.rate(table["correct"], **options)


SKEWED = [round(math.exp(x / 9), 3) for x in range(-16, 25)]


@pytest.mark.parametrize("probability", [0.2, 0.025, 0.001])
def test_the_saddlepoint_is_its_twins(probability: float) -> None:
    options: dict[str, Any] = {"resampler": "saddlepoint", "confidence_level": 1 - 2 * probability}
    found = rs.stats.mean(SKEWED, method="percentile", **options)
    low, high = (twin.saddlepoint(SKEWED, p) for p in (probability, 1 - probability))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    mirrored = rs.stats.mean(SKEWED, method="basic", **options)
    both = 2 * np.mean(SKEWED) - high, 2 * np.mean(SKEWED) - low
    assert (mirrored.low, mirrored.high) == pytest.approx(both, rel=1e-9)
    assert (found.method, found.n_resamples, found.low_error) == (
        "percentile-saddlepoint",
        None,
        None,
    )


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("cluster", [False, True])
def test_many_draws_approach_the_saddlepoint(method: str, cluster: bool) -> None:
    rng = np.random.default_rng(9)
    item = np.sort(rng.integers(0, 60, 200)) if cluster else None
    scores = rng.lognormal(size=200) + (0 if item is None else rng.normal(size=60)[item])
    near = rs.stats.mean(scores, cluster=item, method=method, resampler="saddlepoint")
    drawn = rs.stats.mean(scores, cluster=item, method=method, n_resamples=400_000)
    assert near.method == f"{method}-saddlepoint"
    spread = near.high - near.low
    for side in ("low", "high"):
        margin = 4 * getattr(drawn, f"{side}_error") + 1e-3 * spread
        assert getattr(near, side) == pytest.approx(getattr(drawn, side), abs=margin)


def test_bca_of_scores_is_scipys_and_the_saddlepoints() -> None:
    scores = np.random.default_rng(3).exponential(size=300)
    near = rs.stats.mean(scores, method="bca", resampler="saddlepoint")
    expected = scipy.stats.bootstrap(
        (scores,), np.mean, n_resamples=40_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    spread = expected.high - expected.low
    assert near.low == pytest.approx(expected.low, abs=0.02 * spread)
    assert near.high == pytest.approx(expected.high, abs=0.02 * spread)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([], "no trials with an outcome"),
        ([1.5], "one trial says nothing of the spread"),
        ([0.1] * 9, "nothing varies"),
        ([0.0, 1.0], "too few different clusters or trials for this method"),
        ([1e308, 1e308, -1e308], "scores too large to add up"),
    ],
)
def test_where_the_saddlepoint_says_nothing(scores: list[float], reason: str) -> None:
    options: dict[str, Any] = {"resampler": "saddlepoint", "confidence_level": 0.999}
    for method in ("percentile", "basic", "bca"):
        found = rs.stats.mean(scores, method=method, **options)
        assert (found.low, found.high, found.reason) == (None, None, reason)


@pytest.mark.parametrize("resampler", ["saddlepoint", "monte-carlo"])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentized"])
def test_large_and_small_scores_have_the_limits_of_plain_ones(method: str, resampler: str) -> None:
    if (method, resampler) == ("studentized", "saddlepoint"):
        return
    scores = np.random.default_rng(5).integers(1, 30, size=40).astype(float)
    for clusters in (None, np.arange(40) // 3):
        options: dict[str, Any] = {
            "method": method,
            "resampler": resampler,
            "cluster": clusters,
            "n_resamples": 40_000,
        }
        plain = rs.stats.mean(scores, **options)
        for scale in (2.0**1000, 2.0**600, 2.0**-600, 2.0**-950):
            found = rs.stats.mean(scores * scale, **options)
            assert found.reason is None
            # Draws are others, as their stream is of another cell.
            tolerance = 1e-9 if resampler == "saddlepoint" else 0.05
            near = {"rel": tolerance, "abs": 0.0}
            assert found.low / scale == pytest.approx(plain.low, **near)
            assert found.high / scale == pytest.approx(plain.high, **near)
    huge = rs.stats.mean(scores * 2.0**1018, **(options | {"cluster": None}))
    assert (huge.low is None) == (huge.reason == "scores too large to add up")


@pytest.mark.parametrize(
    "scores",
    [
        [0.0] * 500 + [1e6],
        [1e300, 2e300, 4e300, 5e300] * 5,
        [1e-300, 2e-300, 5e-300] * 5,
        [1e15 + i for i in range(40)],
        [0.0] * 99 + [1.0] * 101,
        [-1.0, 1.0] * 50,
    ],
)
@pytest.mark.parametrize("resampler", ["saddlepoint", "monte-carlo"])
def test_odd_scores_give_limits_about_the_mean_or_a_reason(
    scores: list[float], resampler: str
) -> None:
    for method in ("percentile", "basic", "bca"):
        found = rs.stats.mean(scores, method=method, resampler=resampler, n_resamples=400)
        if found.reason is None:
            assert -math.inf < found.low <= found.estimate <= found.high < math.inf
        else:
            assert found.low is found.high is None


@pytest.mark.parametrize("level", [1e-6, 0.05, 0.999, 1 - 1e-9])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentized"])
def test_any_level_gives_ordered_limits_or_a_reason(method: str, level: float) -> None:
    rng = np.random.default_rng(7)
    scores = rng.standard_cauchy(40)
    item = np.arange(40) // 3
    options: dict[str, Any] = {"method": method, "confidence_level": level, "n_resamples": 2}
    results: list[Any] = [
        rs.stats.rate(scores > 0, cluster=cluster, resampler=resampler, **options)
        for cluster in (None, item)
        for resampler in ("auto", "monte-carlo")
    ]
    for found in results:
        assert found.low is None or 0 <= found.low <= found.high <= 1
    ways = ["monte-carlo"] if method == "studentized" else ["monte-carlo", "saddlepoint"]
    results += [
        rs.stats.mean(scores, cluster=cluster, resampler=resampler, **options)
        for cluster in (None, item)
        for resampler in ways
    ]
    for found in results:
        if found.low is None:
            assert found.reason
        else:
            assert -math.inf < found.low <= found.high < math.inf


THREADED = """
import numpy as np
import reclaimstats as rs
rng = np.random.default_rng(0)
scores = np.round(rng.exponential(size=20_000), 3)
scores[:4_000] = 0.25
for method in ("percentile", "basic", "bca", "studentized"):
    for cluster in (None, np.arange(20_000) % 17_011):
        print(rs.stats.mean(scores, cluster=cluster, method=method, n_resamples=40))
        hits = scores > 1
        options = {"method": method, "resampler": "monte-carlo", "n_resamples": 40}
        print(rs.stats.rate(hits, cluster=cluster, **options))
"""


def test_threads_change_no_bit() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", THREADED],
            env=os.environ | {"RAYON_NUM_THREADS": str(threads)},
            capture_output=True,
            check=True,
        ).stdout
        for threads in (1, 2, 8)
    }
    assert len(printed) == 1
    assert next(iter(printed)).count(b"monte-carlo") == 16


PEAK = """
import resource
import numpy as np
import polars as pl
import reclaimstats as rs
rng = np.random.default_rng(0)
table = pl.DataFrame({"score": rng.exponential(size=1_000_000), "item": np.arange(1_000_000) // 3})
table = table.with_columns(correct=pl.col("score") > 1)
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
# What the query over the frame takes is not the resampling's.
rs.mean(table, "score", method="t")
rs.rate(table, "correct", cluster="item", method="t")
before = peak()
rs.mean(table, "score", method="percentile", n_resamples=40)
rs.rate(table, "correct", method="percentile", resampler="monte-carlo", n_resamples=9_000_000)
rs.rate(table, "correct", cluster="item", method="bca", resampler="monte-carlo", n_resamples=40)
print(peak() - before)
"""


def test_resampling_takes_little_memory() -> None:
    done = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, check=True)
    assert int(done.stdout) <= 64


def covered_exactly(n: int, rate: float, method: str) -> tuple[float, float]:
    """Share of intervals of n independent trials that hold the rate, and of those there are."""
    hits = np.arange(n + 1)
    cells = pl.DataFrame(
        {"hits": np.repeat(hits, n), "correct": np.tile(np.arange(n), n + 1) < np.repeat(hits, n)}
    )
    table = rs.rate(cells, "correct", by="hits", method=method)
    chances = scipy.stats.binom(n, rate).pmf(hits)
    holds = (pl.col("low") - 1e-12 <= rate) & (pl.col("high") + 1e-12 >= rate)
    there = table["low"].is_not_null().to_numpy()
    covered = table.select(holds.fill_null(False)).to_series().to_numpy()
    return float(chances[covered].sum() / chances[there].sum()), float(chances[there].sum())


def test_how_often_bca_covers() -> None:
    for n, rate, least in ((50, 0.2, 0.96), (200, 0.5, 0.95), (200, 0.2, 0.95)):
        assert covered_exactly(n, rate, "bca")[0] > least


def levels(documents: int, rng: np.random.Generator) -> pl.DataFrame:
    """Four items a document, three seeds an item; both levels move the chance alike."""
    document = np.repeat(np.arange(documents), 12)
    item = np.arange(documents * 4).repeat(3)
    effect = rng.normal(size=documents)[document] + rng.normal(size=documents * 4)[item]
    return pl.DataFrame(
        {
            "document": document,
            "item": item % 4,
            "correct": rng.random(documents * 12) < scipy.stats.norm.cdf(effect),
        }
    )


def covered_by_level(studies: int) -> tuple[float, float]:
    """Share of default intervals that hold 1/2: documents as clusters, and items."""
    rng = np.random.default_rng(11)
    trials = pl.concat(levels(24, rng).with_columns(study=pl.lit(i)) for i in range(studies))
    shares = []
    for cluster in (["document"], ["document", "item"]):
        table = rs.rate(trials, "correct", by="study", cluster=cluster)
        shares.append(float(table.select(pl.lit(0.5).is_between("low", "high").mean()).item()))
    return shares[0], shares[1]


def test_the_outermost_level_is_the_cluster() -> None:
    documents, items = covered_by_level(300)
    assert documents >= 0.935 > items


def print_tables() -> None:
    """Print the table and the figures of docs/intervals.md."""
    methods = ("percentile", "basic", "bca", "studentized", "wilson")
    print("|".join(["", " trials ", " rate ", *(f" {method} " for method in methods), ""]))
    print("| --- " * (2 + len(methods)) + "|")
    for n in (20, 50, 200):
        for rate in (0.05, 0.2, 0.5):
            found = [covered_exactly(n, rate, method) for method in methods]
            cells = [
                f"{100 * held:.1f}" + (f" ({100 - 100 * there:.0f})" if there < 0.99 else "")
                for held, there in found
            ]
            print(f"| {n} | {rate:.2f} | {' | '.join(cells)} |")
    print(covered_by_level(1000))


if __name__ == "__main__":
    print_tables()
