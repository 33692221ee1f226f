"""Repeats against fractions, enumeration, other verbs and simulation."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import repeats as twin

ITEM = st.integers(0, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
TOO_FEW = "k is more than the trials of any item"
ITEMS = st.lists(ITEM, min_size=1, max_size=12)


def frame(items: list[tuple[int, int]], **more: list[Any]) -> pl.DataFrame:
    """One row a repeat, from repeats and successes per item."""
    rows = [
        {"item": item, "ok": int(repeat < c), **{name: v[item] for name, v in more.items()}}
        for item, (n, c) in enumerate(items)
        for repeat in range(n)
    ]
    return pl.DataFrame(rows, schema={"item": pl.Int64, "ok": pl.Int64, **dict.fromkeys(more)})


# --- pass@k and pass^k


@given(items=ITEMS, k=st.integers(1, 10))
def test_chances_are_shares_of_choices(items: list[tuple[int, int]], k: int) -> None:
    repeats, successes = (list(part) for part in zip(*items, strict=True))
    by_array = [test(successes, repeats, k=k) for test in (rs.stats.pass_at_k, rs.stats.pass_hat_k)]
    by_frame = rs.repeats(frame(items), "ok", item="item", k=k).to_dicts()
    for result, row in zip(by_array, by_frame, strict=True):
        chances = [twin.chance(result.statistic, n, c, k) for n, c in items]
        known = [chance for chance in chances if chance is not None]
        assert result.n_items == len(known) == row["n_items"]
        assert result.n_short == len(items) - len(known)
        if not known:
            assert result.estimate is row["estimate"] is None
            assert result.reason in (
                "k is more than the trials of any item",
                "no trials with an outcome",
            )
            continue
        mean = float(sum(known) / len(known))
        assert math.isclose(result.estimate, mean, rel_tol=1e-13, abs_tol=1e-15)  # type: ignore[arg-type]
        assert result.estimate == row["estimate"]
        assert (result.low, result.high) == (row["low"], row["high"])
        if len(known) > 1:
            assert 0 <= result.low <= result.estimate <= result.high <= 1  # type: ignore[operator]
        else:
            assert result.reason == "one item"


@pytest.mark.parametrize("n", [10, 1000, 10**6])
@pytest.mark.parametrize("share", [0.0, 1e-6, 0.1, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("k", [1, 2, 7, 500])
def test_large_counts_neither_overflow_nor_cancel(n: int, share: float, k: int) -> None:
    c = round(n * share)
    if k > n:
        return
    assert rs.stats.pass_at_k([c], n, k=k).estimate == pytest.approx(
        float(1 - choices(n - c, n, k)), rel=1e-11
    )
    ratio = float(choices(c, n, k))
    assert rs.stats.pass_hat_k([c], n, k=k).estimate == pytest.approx(ratio, rel=1e-11)


def choices(part: int, n: int, k: int) -> Fraction:
    """C(part, k) / C(n, k), as a product."""
    terms = (Fraction(part - i, n - i) for i in range(min(k, part + 1)))
    return math.prod(terms, start=Fraction(1))


@settings(max_examples=50)
@given(
    outcomes=st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=40),
)
def test_single_repeats_are_rates(outcomes: list[tuple[int, bool]]) -> None:
    """With one repeat an item, pass@1 is the rate of `rate`, and so is its interval."""
    trials = pl.DataFrame(
        {
            "item": range(len(outcomes)),
            "cluster": [cluster for cluster, _ in outcomes],
            "ok": [ok for _, ok in outcomes],
        }
    )
    for cluster in ("item", "cluster"):
        rate = rs.rate(trials, "ok", cluster=cluster).row(0, named=True)
        more: dict[str, Any] = {} if cluster == "item" else {"cluster": "cluster"}
        found = rs.repeats(trials, "ok", item="item", k=1, **more)
        for row in found.to_dicts():
            assert row["estimate"] == pytest.approx(rate["estimate"], rel=1e-14)
            if rate["low"] is None:
                assert row["low"] is None
            else:
                assert row["low"] == pytest.approx(rate["low"], rel=1e-9, abs=1e-12)
                assert row["high"] == pytest.approx(rate["high"], rel=1e-9, abs=1e-12)
            assert row["n_clusters"] == (None if cluster == "item" else rate["n_clusters"])


def test_cells_missing_and_order() -> None:
    trials = pl.DataFrame(
        {
            "model": ["b"] * 4 + ["a"] * 4,
            "task": ["x"] * 4 + ["x", "x", "y", "y"],
            "ok": [1, 1, 1, None, 1, 0, 0, 0],
        }
    )
    table = rs.repeats(trials, "ok", item="task", k=[1, 3, 4], by="model")
    assert table["model"].to_list() == ["a"] * 6 + ["b"] * 6
    assert table["statistic"].to_list() == ["pass@k", "pass^k"] * 6
    assert table.filter(model="b")["n_missing"].unique().to_list() == [1]
    b = table.filter(model="b", statistic="pass^k")
    assert b["estimate"].to_list() == [1.0, 1.0, None]
    assert b["reason"].to_list() == [
        "one item",
        "one item",
        "k is more than the trials of any item",
    ]
    shuffled = trials.sample(fraction=1.0, shuffle=True, seed=1)
    assert_frame_equal(rs.repeats(shuffled, "ok", item="task", k=[1, 3, 4], by="model"), table)
    assert_frame_equal(rs.repeats(trials.lazy(), "ok", item="task", k=[1, 3, 4], by="model"), table)
    empty = rs.repeats(trials.clear(), "ok", item="task", k=1)
    assert empty["reason"].to_list() == ["no trials with an outcome"] * 2


def test_intervals_cover() -> None:
    """Twelve items of five repeats, items' chances far apart: 95 % of intervals hold the mean."""
    generator = np.random.default_rng(7)
    studies, items, n, k = 600, 12, 5, 3
    for a, b in ((0.5, 0.5), (2.0, 2.0), (3.0, 0.7)):
        chances = generator.beta(a, b, size=(studies, items))
        successes = generator.binomial(n, chances)
        long = pl.DataFrame(
            {
                "study": np.repeat(np.arange(studies), items * n),
                "item": np.tile(np.repeat(np.arange(items), n), studies),
                "ok": (np.arange(n) < successes[..., None]).reshape(-1),
            }
        )
        table = rs.repeats(long, "ok", item="item", k=k, by="study")
        grid = scipy.stats.beta(a, b)
        for statistic, true in (
            ("pass@k", grid.expect(lambda p: 1 - (1 - p) ** k)),
            ("pass^k", grid.expect(lambda p: p**k)),
        ):
            rows = table.filter(statistic=statistic)
            covered = ((rows["low"] <= true) & (rows["high"] >= true)).mean()
            assert covered >= 0.935  # type: ignore[operator]


# --- variance components


# Outcomes, scores of a rubric, shares, and scores of any size.
SCORES = st.sampled_from(
    [
        st.integers(0, 1).map(float),
        st.integers(1, 5).map(float),
        st.integers(0, 10).map(lambda tenths: tenths / 10),
        st.floats(-1e6, 1e6).map(lambda score: round(score, 3)),
    ]
).flatmap(lambda score: st.lists(st.lists(score, max_size=6), min_size=2, max_size=10))


def scored(items: list[list[float]]) -> pl.DataFrame:
    rows = [{"item": item, "score": score} for item, scores in enumerate(items) for score in scores]
    return pl.DataFrame(rows, schema={"item": pl.Int64, "score": pl.Float64})


def components(items: list[list[float]], **options: Any) -> dict[str, Any]:
    return rs.variance_components(scored(items), "score", item="item", **options).row(0, named=True)


@given(items=SCORES)
def test_components_are_those_of_single_scores(items: list[list[float]]) -> None:
    row = components(items)
    tried = [item for item in items if item]
    assert (row["n"], row["n_items"]) == (sum(map(len, tried)), len(tried))
    if len(tried) < 2 or all(len(item) == 1 for item in tried):
        assert row["between"] is row["icc"] is row["low"] is None
        assert row["reason"]
        return
    between, within, icc = twin.components([[Fraction(x) for x in item] for item in tried])
    # What is left of squares of scores that are alike to their last digits is rounding.
    largest = max(abs(score) for item in tried for score in item)
    rounding = 1e-14 * largest**2 + 1e-300
    assert row["between"] == pytest.approx(float(between), rel=1e-11, abs=rounding)
    assert row["within"] == pytest.approx(float(within), rel=1e-11, abs=rounding)
    if icc is None:
        assert (row["icc"], row["reason"]) == (None, "all outcomes are equal")
        return
    if between + within > 1e3 * rounding:
        assert row["icc"] == pytest.approx(float(icc), rel=1e-9, abs=1e-10)
    assert row["low"] <= row["icc"] + 1e-12
    assert row["icc"] <= row["high"] + 1e-12
    assert row["high"] <= 1


def test_components_of_outcomes_counts_and_scores_are_one_thing() -> None:
    items = [(4, 1), (3, 3), (5, 2), (1, 0), (2, 1)]
    trials = frame(items, cell=[1, 1, 2, 2, 2])
    expected = rs.variance_components(trials, "ok", item="item", by="cell")
    for dtype in (pl.Boolean, pl.Float32, pl.UInt8):
        same = trials.with_columns(pl.col("ok").cast(dtype)).sample(fraction=1, shuffle=True)
        for table in (same, same.lazy(), same.to_arrow()):
            found = rs.variance_components(table, "ok", item="item", by="cell")
            assert_frame_equal(found, expected, check_exact=True)


def test_mean_squares_are_those_of_scipy() -> None:
    generator = np.random.default_rng(11)
    items = [
        list(generator.normal(mean, 0.7, size))
        for mean, size in zip(generator.normal(3, 1, 9), (2, 5, 3, 7, 2, 4, 6, 3, 5), strict=True)
    ]
    row = components(items)
    n, k = sum(map(len, items)), len(items)
    within = sum(np.var(item) * len(item) for item in items) / (n - k)
    ratio = scipy.stats.f_oneway(*items).statistic
    repeats = (n - sum(len(item) ** 2 for item in items) / n) / (k - 1)
    assert row["within"] == pytest.approx(within, rel=1e-12)
    assert row["between"] == pytest.approx(within * (ratio - 1) / repeats, rel=1e-11)
    assert row["icc"] == pytest.approx((ratio - 1) / (ratio + repeats - 1), rel=1e-11)
    for name, quantile in (("low", 0.975), ("high", 0.025)):
        limit = ratio / scipy.stats.f(k - 1, n - k).ppf(quantile)
        assert row[name] == pytest.approx((limit - 1) / (limit + repeats - 1), rel=1e-9)


def test_components_recover_what_scores_were_made_of() -> None:
    # Between 0.64, within 0.25; equal repeats, so that the interval's level is exact.
    generator = np.random.default_rng(12)
    values = generator.normal(0, 0.8, (600, 15, 1)) + generator.normal(0, 0.5, (600, 15, 4))
    studies = pl.DataFrame(
        {
            "study": np.repeat(np.arange(600), 60),
            "item": np.tile(np.repeat(np.arange(15), 4), 600),
            "score": values.ravel(),
        }
    )
    table = rs.variance_components(studies, "score", item="item", by="study")
    truth = 0.64 / 0.89
    assert table["between"].mean() == pytest.approx(0.64, abs=0.04)
    assert table["within"].mean() == pytest.approx(0.25, abs=0.01)
    covered = ((table["low"] <= truth) & (truth <= table["high"])).mean()
    # Two standard errors of 600 at 95 %.
    assert 0.932 <= covered <= 0.968  # type: ignore[operator]


def test_components_of_very_large_and_small_scores() -> None:
    items = [[1.0, 3.0], [4.0, 6.0, 8.0]]
    plain = components(items)
    for scale in (1e-300, 1e-20, 1e150):
        found = components([[score * scale for score in item] for item in items])
        assert found["icc"] == pytest.approx(plain["icc"], rel=1e-12)
        assert found["low"] == pytest.approx(plain["low"], rel=1e-10)
    huge = components([[score * 1e200 for score in item] for item in items])
    assert (huge["mean"], huge["between"]) == (pytest.approx(4.4e200), None)
    assert huge["reason"] == "scores too large to add up"


def test_the_interval_of_the_correlation_is_the_f_quantiles() -> None:
    items = [(4, 4), (4, 1), (4, 3), (4, 0), (4, 2), (4, 4)]
    row = rs.variance_components(frame(items), "ok", item="item").row(0, named=True)
    values = np.array([[1] * c + [0] * (n - c) for n, c in items])
    ratio = 4 * values.mean(1).var(ddof=1) / values.var(1, ddof=1).mean()
    for name, quantile in (("low", 0.975), ("high", 0.025)):
        limit = ratio / scipy.stats.f(5, 18).ppf(quantile)
        assert row[name] == pytest.approx((limit - 1) / (limit + 3), rel=1e-10)


# --- blast radius


def test_blast_radius_is_the_mean_of_wrong_hops() -> None:
    generator = np.random.default_rng(3)
    hops = pl.DataFrame(
        {
            "h": np.repeat([4, 8], 240),
            "chain": np.concatenate([np.repeat(np.arange(60), 4), np.repeat(np.arange(30), 8)]),
            "right": generator.integers(0, 2, 480),
        }
    )
    table = rs.blast_radius(hops, "right", chain="chain", by="h")
    for row in table.to_dicts():
        chains = (
            hops.filter(h=row["h"]).group_by("chain").agg((pl.col("right") == 0).sum())["right"]
        )
        assert row["estimate"] == pytest.approx(chains.mean())
        assert row["n_chains"] == len(chains)
        half = scipy.stats.t(len(chains) - 1).ppf(0.975) * chains.std() / math.sqrt(len(chains))  # type: ignore[operator]
        assert row["low"] == pytest.approx(row["estimate"] - half, rel=1e-10)
        assert row["high"] == pytest.approx(row["estimate"] + half, rel=1e-10)
    missing = hops.with_columns(pl.when(pl.col("chain") == 0).then("right").alias("right"))
    row = rs.blast_radius(missing, "right", chain="chain", by="h").row(0, named=True)
    assert (row["n_chains"], row["n_incomplete"], row["n_missing"]) == (1, 59, 236)
    assert row["reason"] == "one chain"
    nothing = rs.blast_radius(hops.clear(), "right", chain="chain").row(0, named=True)
    assert nothing["reason"] == "no chain with an outcome at every hop"
    doubled = rs.blast_radius(
        hops.with_columns(pair=pl.col("chain") // 2), "right", chain="chain", by="h", cluster="pair"
    )
    assert doubled["n_clusters"].to_list() == [30, 15]
    assert doubled["estimate"].to_list() == table["estimate"].to_list()


# --- heterogeneity


def crossed(items: list[twin.Crossed]) -> pl.DataFrame:
    rows = [
        {"item": item, "arm": arm, "ok": int(repeat < c)}
        for item, (n, k, m, j) in enumerate(items)
        for arm, size, c in (("new", n, k), ("old", m, j))
        for repeat in range(size)
    ]
    return pl.DataFrame(rows, schema={"item": pl.Int64, "arm": pl.String, "ok": pl.Int64})


ARM = st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
CROSSED = st.tuples(ARM, ARM).map(lambda arms: (*arms[0], *arms[1]))
ARMS: dict[str, Any] = {"contrast": "arm", "baseline": "old", "item": "item"}


@settings(max_examples=40)
@given(
    items=st.lists(CROSSED, min_size=2, max_size=4), threshold=st.sampled_from(["0.25", "0.5", "1"])
)
def test_the_null_is_that_of_all_shuffles(items: list[twin.Crossed], threshold: str) -> None:
    row = rs.heterogeneity(
        crossed(items), "ok", **ARMS, threshold=float(threshold), n_resamples=4000
    ).row(0, named=True)
    effects = [Fraction(k, n) - Fraction(j, m) for n, k, m, j in items]
    assert row["mean"] == pytest.approx(float(sum(effects) / len(effects)), abs=1e-14)
    assert row["sd"] == pytest.approx(math.sqrt(twin.variance(effects)), abs=1e-12)
    sd, p, expected, at_least = twin.null(items, Fraction(threshold))
    assert row["n_beyond_null"] == pytest.approx(float(expected), rel=1e-12, abs=1e-15)
    assert row["beyond_p"] == pytest.approx(float(at_least), rel=1e-11, abs=1e-15)
    assert row["sd_null"] == pytest.approx(sd, abs=0.05)
    noise = 5 * math.sqrt(float(p) * (1 - float(p)) / 4000)
    assert row["sd_p"] == pytest.approx(float(p), abs=noise + 1 / 4000)
    assert 0 < row["sd_p"] <= 1


def test_tests_of_heterogeneity_hold_their_size_and_find_some() -> None:
    generator = np.random.default_rng(11)
    studies, items, n = 200, 30, 6
    base = generator.uniform(0.2, 0.8, size=(studies, items))
    shift = np.where(generator.random((studies, items)) < 0.2, 0.5, 0.0)
    for effect, at_most, at_least in ((0 * shift, 0.09, 0.0), (shift, 1.0, 0.3)):
        hits = [generator.binomial(n, np.clip(p, 0, 1)) for p in (base + effect, base)]
        long = pl.concat(
            pl.DataFrame(
                {
                    "study": np.repeat(np.arange(studies), items * n),
                    "item": np.tile(np.repeat(np.arange(items), n), studies),
                    "arm": [arm] * (studies * items * n),
                    "ok": (np.arange(n) < k[..., None]).reshape(-1),
                }
            )
            for arm, k in zip(("new", "old"), hits, strict=True)
        )
        table = rs.heterogeneity(long, "ok", **ARMS, by="study", threshold=0.5, n_resamples=500)
        for name in ("sd_p", "beyond_p"):
            rejected = (table[name] <= 0.05).mean()
            assert at_least <= rejected <= at_most  # type: ignore[operator]


def test_heterogeneity_counts_what_has_no_partner() -> None:
    trials = crossed([(4, 4, 4, 0), (4, 2, 4, 2)]).vstack(
        pl.DataFrame({"item": [7, 8, 8], "arm": ["new", "old", "new"], "ok": [1, 0, None]})
    )
    row = rs.heterogeneity(trials, "ok", **ARMS).row(0, named=True)
    assert (row["n_items"], row["n_unpaired"], row["n_missing"]) == (2, 2, 1)
    shuffled = trials.sample(fraction=1.0, shuffle=True, seed=5)
    assert rs.heterogeneity(shuffled, "ok", **ARMS).row(0, named=True) == row
    one = rs.heterogeneity(crossed([(4, 4, 4, 0)]), "ok", **ARMS).row(0, named=True)
    assert (one["reason"], one["sd"], one["n_beyond"]) == ("one item", None, 1)
    none = rs.heterogeneity(trials.filter(item=7).vstack(trials[-2:-1]), "ok", **ARMS)
    assert none["reason"].item() == "no item has trials in both arms"


def test_one_tiny_p_value_is_never_zero() -> None:
    items: list[twin.Crossed] = [(20, 20, 20, 0)] * 10 + [(20, 0, 20, 20)] * 10
    row = rs.heterogeneity(crossed(items), "ok", **ARMS, n_resamples=20_000).row(0, named=True)
    assert row["sd_p"] == 1 / 20_001
    assert 0 < row["beyond_p"] < 1e-9


# --- refusals


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda t: rs.repeats(t, "ok", item="item", k=0), OptionError, "k=0"),
        (lambda t: rs.repeats(t, "ok", item="item", k=[]), OptionError, "k is empty"),
        (lambda t: rs.repeats(t, "ok", item=[], k=1), DesignError, "item is empty"),
        (lambda t: rs.repeats(t, "arm", item="item", k=1), ColumnError, "has type String"),
        (lambda t: rs.repeats(t, "ok", item="itme", k=1), ColumnError, "did you mean 'item'"),
        (
            lambda t: rs.repeats(t, "ok", item="hole", k=1),
            DesignError,
            "'hole' is null or NaN in 1 trials",
        ),
        (lambda t: rs.blast_radius(t, "ok", chain="hole"), DesignError, "'hole' is null"),
        (
            lambda t: rs.variance_components(t, "ok", item="hole"),
            DesignError,
            r"item \['hole'\] is null or NaN in 1 trials",
        ),
        (
            lambda t: rs.variance_components(t, "ok", item="itme"),
            ColumnError,
            "did you mean 'item'",
        ),
        (lambda t: rs.variance_components(t, "ok", item=[]), DesignError, "item is empty"),
        (lambda t: rs.variance_components(t, "arm", item="item"), ColumnError, "has type String"),
        (
            lambda t: rs.variance_components(t, pl.col("ok") / 0, item="item"),
            ColumnError,
            "is infinite",
        ),
        (
            lambda t: rs.heterogeneity(t, "ok", contrast="arm", baseline="x", item="item"),
            DesignError,
            "baseline='x' does not occur",
        ),
        (
            lambda t: rs.heterogeneity(t, "ok", **ARMS, threshold=2),
            OptionError,
            "threshold=2",
        ),
        (lambda _: rs.stats.pass_at_k([3], 2, k=1), ColumnError, "more successes than repeats"),
        (lambda _: rs.stats.pass_at_k([-1], 2, k=1), ColumnError, "from 0 on"),
        (lambda _: rs.stats.pass_at_k([0.5], 2, k=1), ColumnError, "whole numbers"),
        (lambda _: rs.stats.pass_at_k([1, 2], [2], k=1), ColumnError, "one length"),
    ],
)
def test_refusals_say_what_is_wrong(call: Any, error: type[Exception], message: str) -> None:
    trials = crossed([(2, 1, 2, 1)]).with_columns(
        hole=pl.when(pl.int_range(pl.len()) > 0).then("item")
    )
    with pytest.raises(error, match=message):
        call(trials)
