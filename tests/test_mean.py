"""Means per cell against their twin, SciPy and themselves."""

import itertools
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.special
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import means as twin

METHODS = ["auto", "t", "percentile", "basic", "bca", "studentized"]
SKEWED = [round(math.exp(x / 7), 3) for x in range(-12, 25)]


def frame(clusters: twin.Clusters) -> pl.DataFrame:
    rows = [(f"c{k}", score) for k, cluster in enumerate(clusters) for score in cluster]
    return pl.DataFrame(rows, schema={"item": pl.String, "score": pl.Float64}, orient="row")


scores = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6, allow_subnormal=False),
    st.floats(0.999, 1.001),
)
some_clusters = st.lists(st.lists(scores, min_size=1, max_size=4), min_size=2, max_size=9)


@settings(max_examples=80)
@given(
    clusters=some_clusters,
    weighting=st.sampled_from(["trial", "cluster"]),
    variance=st.sampled_from(["cr0", "cr1", "cr2"]),
    method=st.sampled_from(["auto", "t"]),
)
def test_agrees_with_its_twin(
    clusters: list[list[float]], weighting: str, variance: str, method: str
) -> None:
    options: dict[str, Any] = {"weighting": weighting, "method": method}
    rows = frame(clusters)
    result = rs.mean(rows, "score", cluster="item", variance=variance, **options)
    found = result.row(0, named=True)
    mean, error = twin.clustered(clusters, weighting, variance)
    largest = max(abs(score) for score in rows["score"])
    assert found["estimate"] == pytest.approx(float(mean), rel=1e-14, abs=1e-14 * largest)
    if rows.height > 1:
        _, deviation, naive = twin.moments(rows["score"].to_list())
        assert found["sd"] == pytest.approx(deviation, rel=1e-12, abs=1e-14 * largest)
        assert found["standard_error"] == pytest.approx(naive, rel=1e-12, abs=1e-14 * largest)
    assert found["standard_error_clustered"] == pytest.approx(error, rel=1e-9, abs=3e-14 * largest)
    # Where what varies is itself rounding, skewness has no digits to compare.
    if error > 1e-6 * largest and variance == "cr2":
        limits = twin.limits(clusters, weighting, 0.025, skewed=method == "auto")
        assert (found["low"], found["high"]) == pytest.approx(limits, rel=1e-7, abs=1e-7 * largest)
    if error == 0:
        assert (found["low"], found["high"], found["reason"]) == (None, None, "nothing varies")


def test_t_is_scipys() -> None:
    result = rs.stats.mean(SKEWED, method="t")
    expected = scipy.stats.ttest_1samp(SKEWED, 0).confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx(tuple(expected), rel=1e-12)
    assert result.sd == pytest.approx(np.std(SKEWED, ddof=1), rel=1e-14)
    assert result.method == "t"


@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("bca", "BCa")])
def test_draws_agree_with_scipys(method: str, name: str) -> None:
    result = rs.stats.mean(SKEWED, method=method, n_resamples=20_000)
    expected = scipy.stats.bootstrap(
        (SKEWED,), np.mean, n_resamples=20_000, method=name, rng=np.random.default_rng(1)
    ).confidence_interval
    assert result.low_error is not None
    assert result.high_error is not None
    assert result.low == pytest.approx(expected.low, abs=6 * result.low_error)
    assert result.high == pytest.approx(expected.high, abs=6 * result.high_error)
    assert (result.method, result.n_resamples) == (f"{method}-monte-carlo", 20_000)


def test_studentized_is_a_loop_of_numpy() -> None:
    result = rs.stats.mean(SKEWED, method="studentized", n_resamples=20_000)
    values, rng = np.array(SKEWED), np.random.default_rng(2)
    drawn = rng.choice(values, (20_000, len(values)))
    root = math.sqrt(len(values))
    scores = (drawn.mean(1) - values.mean()) / (drawn.std(1, ddof=1) / root)
    upper, lower = np.quantile(scores, [0.025, 0.975]) * values.std(ddof=1) / root
    assert result.low == pytest.approx(values.mean() - lower, abs=6 * result.low_error)
    assert result.high == pytest.approx(values.mean() - upper, abs=6 * result.high_error)


@pytest.mark.parametrize(
    ("variance", "expected"), [("cr0", 0.25), ("cr1", 0.288675), ("cr2", 0.288675)]
)
def test_four_clusters_all_or_nothing(variance: str, expected: float) -> None:
    result = rs.stats.mean([1] * 6 + [0] * 6, cluster=list("aaabbbcccddd"), variance=variance)
    assert round(result.standard_error or 0, 6) == 0.150756
    assert round(result.standard_error_clustered or 0, 6) == expected


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cluster", [None, "item"])
def test_order_laziness_and_other_cells_change_no_bit(method: str, cluster: str | None) -> None:
    generator = random.Random(3)
    rows = [
        {"cell": c, "item": i % 11, "score": generator.lognormvariate(0, 2)}
        for c in "ab"
        for i in range(90)
    ]
    table = pl.DataFrame(rows)
    options: dict[str, Any] = {"by": "cell", "cluster": cluster, "method": method}
    options["n_resamples"] = 200
    expected = rs.mean(table, "score", **options)
    generator.shuffle(rows)
    shuffled = pl.DataFrame(rows)
    assert_frame_equal(rs.mean(shuffled, "score", **options), expected, check_exact=True)
    assert_frame_equal(rs.mean(shuffled.lazy(), "score", **options), expected, check_exact=True)
    alone = rs.mean(table.filter(cell="b"), "score", **options)
    assert_frame_equal(alone, expected[1:], check_exact=True)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("clusters", "reason"),
    [
        ([], "no trials with an outcome"),
        ([[1.0, 2.0]], "one cluster"),
        ([[0.1, 0.1], [0.1], [0.1, 0.1, 0.1]], "nothing varies"),
        ([[1e308], [1e308], [1e308]], "scores too large to add up"),
        ([[1e308, 1.5e308], [-1e308], [1.0]], "scores too large to add up"),
    ],
)
def test_degenerate_cells_have_a_reason(
    method: str, clusters: list[list[float]], reason: str
) -> None:
    row = rs.mean(frame(clusters), "score", cluster="item", method=method).row(0, named=True)
    assert (row["reason"], row["low"], row["high"]) == (reason, None, None)
    floats = [value for value in row.values() if isinstance(value, float)]
    assert all(math.isfinite(value) for value in floats)


def test_one_trial_has_a_mean_only() -> None:
    result = rs.stats.mean([3.0])
    assert (result.estimate, result.sd, result.standard_error) == (3.0, None, None)
    assert result.reason == "one trial says nothing of the spread"


def test_missing_is_counted_and_infinity_refused() -> None:
    result = rs.stats.mean([1.0, None, math.nan, 2.0])
    assert (result.n, result.n_missing, result.estimate) == (2, 2, 1.5)
    with pytest.raises(ColumnError, match="'score' is infinite in 2 trials"):
        rs.stats.mean([1.0, math.inf, -math.inf])
    with pytest.raises(ColumnError, match="must be numbers or Boolean"):
        rs.stats.mean(["a"])


def test_wrong_designs() -> None:
    table = pl.DataFrame({"item": ["a", None], "score": [1.0, 2.0], "sd": [1, 2]})
    with pytest.raises(DesignError, match="is null or NaN in 1 trials"):
        rs.mean(table, "score", cluster="item")
    with pytest.raises(OptionError, match="name them with cluster="):
        rs.mean(table, "score", weighting="cluster")
    with pytest.raises(OptionError, match="use one of 'cr0', 'cr1', 'cr2'"):
        rs.mean(table, "score", variance="hc3")
    with pytest.raises(ColumnError, match="has the name of a result column"):
        rs.mean(table, "score", by="sd")


# --- coverage

# Scores by the normal quantile of a share from 0 to 1, and their mean.
SHAPES: dict[str, tuple[Callable[[Any], Any], float]] = {
    "normal": (scipy.special.ndtri, 0.0),
    "uniform": (lambda u: u, 0.5),
    "exponential": (lambda u: -np.log1p(-u), 1.0),
    "0 in six of ten, else uniform": (lambda u: np.maximum(u - 0.6, 0.0) / 0.4, 0.2),
    "1 in 85 of 100, else uniform": (lambda u: np.minimum(u / 0.15, 1.0), 0.925),
    "lognormal": (lambda u: np.exp(scipy.special.ndtri(u)), math.exp(0.5)),
}


def covered(
    shape: str, clusters: int, size: int, correlation: float, studies: int, **options: Any
) -> tuple[float, float, float]:
    """Of 95 % intervals, how many contain the mean, how many are none, and their median width."""
    score, mean = SHAPES[shape]
    rng = np.random.default_rng([clusters, size, list(SHAPES).index(shape)])
    shared = np.repeat(rng.standard_normal((studies, clusters)), size, axis=1)
    own = rng.standard_normal(shared.shape)
    normal = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * own
    table = pl.DataFrame(
        {
            "study": np.repeat(np.arange(studies), clusters * size),
            "item": np.tile(np.repeat(np.arange(clusters), size), studies),
            "score": score(scipy.special.ndtr(normal)).ravel(),
        }
    )
    cells = rs.mean(table, "score", by="study", cluster="item", **options)
    given = cells.filter(pl.col("low").is_not_null())
    inside = given.select(pl.lit(mean).is_between("low", "high").mean()).item()
    width = given.select((pl.col("high") - pl.col("low")).median()).item()
    return inside, 1 - given.height / studies, width


@pytest.mark.parametrize(
    ("shape", "clusters"),
    [("normal", 8), ("uniform", 8), ("exponential", 16), ("0 in six of ten, else uniform", 16)],
)
def test_default_covers(shape: str, clusters: int) -> None:
    inside, _, _ = covered(shape, clusters, 1, 0.0, 1500)
    assert inside >= 0.935 - 2 * math.sqrt(0.06 / 1500)


def coverage_table() -> None:
    """Print the table of docs/intervals.md."""
    print("| scores | clusters | trials, correlation | t | bootstrap-t | default | widths |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for shape in SHAPES:
        for clusters, (size, correlation) in itertools.product(
            (8, 16, 32, 96), ((1, 0.0), (5, 0.5))
        ):
            design = (shape, clusters, size, correlation, 4000)
            rows = [covered(*design, method=m, n_resamples=999) for m in METHODS_COMPARED]
            shown = []
            for inside, none, _ in rows:
                lost = f" ({none:.0%} none)" if none >= 0.005 else ""
                shown.append(f"{100 * inside:.1f}{lost}")
            widths = ", ".join(f"{width / rows[0][2]:.2f}" for _, _, width in rows[1:])
            cells = [shape, str(clusters), f"{size}, {correlation:g}", *shown, widths]
            print(f"| {' | '.join(cells)} |", flush=True)


METHODS_COMPARED = ("t", "studentized", "auto")

if __name__ == "__main__":
    coverage_table()


def test_whole_numbers_and_fractions_mix() -> None:
    assert rs.stats.mean([1, 0.5, 0]) == rs.stats.mean([1.0, 0.5, 0.0])
    assert rs.stats.mean([1, None, 0.5]).n_missing == 1
    with pytest.raises(ColumnError, match="array of one type"):
        rs.stats.mean([1, "a"])


def test_scores_that_vary_within_rounding_say_so() -> None:
    found = rs.stats.mean([1e15, 1e15 + 1, 1e15 + 2], method="t")
    assert found.sd == 1.0
    assert (found.low, found.reason) == (None, "differences within rounding")
    assert rs.stats.mean([0.1] * 3, method="t").reason == "nothing varies"


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_that_doubles_do_not_hold_are_refused(sign: int) -> None:
    large, held = [0, 1, sign * (2**53 + 1)], [0, 1, sign * 2**53]
    trials = pl.DataFrame({"x": large, "y": [0, 1, 0]})
    for call in (
        lambda: rs.stats.mean(large),
        lambda: rs.mean(trials, "x"),
        lambda: rs.mean(trials, "x", cluster="y"),
        lambda: rs.stats.permutation(large, [1, 2]),
        lambda: rs.stats.sign_flip(large),
        lambda: rs.stats.mann_whitney([1, 2], large),
        lambda: rs.stats.wilcoxon(large),
        lambda: rs.ranking(trials, "y", "x"),
    ):
        with pytest.raises(ColumnError, match="2\\^53"):
            call()
    assert rs.stats.mean(held).n == 3
    assert rs.stats.permutation(held, [1, 2]).pvalue > 0
    assert rs.ranking(trials.with_columns(x=pl.Series(held)), "y", "x").height == 1
