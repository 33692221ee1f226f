"""Array-level statistics against exact fractions, SciPy and printed figures."""

import dataclasses
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError, ReclaimStatsError
from reference import stats as twin

TESTS = [rs.stats.sign_test, rs.stats.mcnemar]
LN2 = math.log(2)


# --- sign test and McNemar


@given(positive=st.integers(0, 400), negative=st.integers(0, 400))
def test_tests_are_twice_the_smaller_tail(positive: int, negative: int) -> None:
    exact = twin.sign_test(positive, negative)
    anchor = scipy.stats.binomtest(positive, positive + negative) if positive + negative else None
    for test in TESTS:
        result = test(positive, negative)
        assert math.isclose(result.pvalue, float(exact), rel_tol=1e-12)
        assert math.isclose(result.log_pvalue, twin.logarithm(exact), rel_tol=1e-13, abs_tol=1e-14)
        assert 0 < result.pvalue <= 1
        assert test(negative, positive).log_pvalue == result.log_pvalue
        if anchor:
            assert math.isclose(result.pvalue, anchor.pvalue, rel_tol=1e-9)


@given(n=st.integers(1, 300))
def test_more_lopsided_is_less_likely(n: int) -> None:
    values = [rs.stats.sign_test(k, n - k).pvalue for k in range(n // 2 + 1)]
    assert all(a < b for a, b in itertools.pairwise(values[:-1]))
    assert values[-1] <= 1
    if n % 2 == 0:
        assert values[-1] == 1


@pytest.mark.parametrize("n", [1, 2, 10, 1074, 1075, 5000, 10**6, 10**12, 2**62])
def test_all_on_one_side_has_a_closed_form(n: int) -> None:
    result = rs.stats.sign_test(n, 0)
    assert math.isclose(result.log_pvalue, (1 - n) * LN2, rel_tol=1e-14, abs_tol=1e-15)
    smallest = 2.2250738585072014e-308
    assert math.isclose(result.pvalue, max(math.exp((1 - n) * LN2), smallest), rel_tol=1e-12)


@pytest.mark.parametrize("n", [3, 50, 2000, 10**5])
def test_one_or_two_on_the_other_side_have_closed_forms(n: int) -> None:
    one = math.log1p(n) + (1 - n) * LN2
    assert math.isclose(rs.stats.sign_test(n - 1, 1).log_pvalue, min(one, 0), rel_tol=1e-13)
    if n > 4:
        two = math.log(1 + n + math.comb(n, 2)) + (1 - n) * LN2
        assert math.isclose(rs.stats.mcnemar(2, n - 2).log_pvalue, two, rel_tol=1e-13)


@pytest.mark.parametrize(("b", "c"), [(900, 2100), (30, 4000), (1, 20_000), (9000, 11_000)])
def test_logarithms_stay_right_far_below_the_smallest_double(b: int, c: int) -> None:
    exact = twin.logarithm(twin.sign_test(b, c))
    assert math.isclose(rs.stats.mcnemar(b, c).log_pvalue, exact, rel_tol=1e-14)


@pytest.mark.parametrize("n", [10**6, 10**9, 10**12])
def test_large_counts_are_normal(n: int) -> None:
    for z in (0.5, 2.0, 6.0):
        half = round(z * math.sqrt(n) / 2)
        result = rs.stats.sign_test(n // 2 + half, n // 2 - half)
        # With the continuity correction the error is of the order z^4 / n.
        normal = 2 * scipy.stats.norm.sf((2 * half - 1) / math.sqrt(n))
        assert math.isclose(result.pvalue, normal, rel_tol=1e-3)


@pytest.mark.parametrize(
    ("positive", "negative", "printed", "digits"),
    [
        (37, 2, 2.841e-09, 4),  # S1
        (38, 1, 1.455e-10, 4),  # S3
        (8, 1, 0.03906, 4),  # S4
        (15, 2, 0.0023499, 5),  # S6
        (18, 5, 0.010622, 5),  # S7
        (12, 0, 0.000488, 3),  # S7
        (24, 12, 0.0652, 3),  # S15
        (26, 9, 0.0060, 2),  # S15
        (94, 0, 1.01e-28, 3),  # R16
        (4, 0, 0.125, 3),  # B081, which is one-sided
        (28, 11, 0.0095, 2),  # reclaim, paired difference
        (15, 6, 0.0784, 3),  # the same, over problems
    ],
)
def test_printed_sign_tests(positive: int, negative: int, printed: float, digits: int) -> None:
    assert float(f"{rs.stats.sign_test(positive, negative).pvalue:.{digits}g}") == printed


@pytest.mark.parametrize(
    ("b", "c", "printed", "digits"),
    [
        (21, 50, 0.00076676, 5),  # S13 and B079
        (350, 93, 4.07e-36, 3),  # A6
        (28, 7, 0.000508, 3),  # A8a
        (13, 10, 0.678, 3),  # A8b
        (13, 8, 0.383, 3),  # A8d
        (6, 1, 0.125, 3),  # A9
        (76, 5, 2.3e-17, 2),  # A11a
        (64, 13, 3.0e-9, 2),  # A11b
        (41, 9, 5.6e-6, 2),  # A11d
        (34, 11, 8.2e-4, 2),  # A11e
        (39, 0, 3.64e-12, 3),  # A16
        (12, 6, 0.238, 3),  # D4
        (0, 0, 1.0, 3),  # B073
        (5, 5, 1.0, 3),  # B077
    ],
)
def test_printed_mcnemar_tests(b: int, c: int, printed: float, digits: int) -> None:
    assert float(f"{rs.stats.mcnemar(b, c).pvalue:.{digits}g}") == printed


def test_no_difference_is_no_evidence() -> None:
    for count in (0, 1, 5, 10**6):
        result = rs.stats.sign_test(count, count)
        assert (result.pvalue, result.log_pvalue) == (1.0, 0.0)
    assert rs.stats.sign_test(3, 4).pvalue == 1.0
    assert rs.stats.sign_test(1, 0).pvalue == 1.0


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("count", [-1, 1.0, "1", None, True, 2**62 + 1, math.nan])
def test_counts_must_be_whole(test: Any, count: Any) -> None:
    with pytest.raises(OptionError, match="must be a whole number from 0"):
        test(count, 3)
    with pytest.raises(OptionError, match="must be a whole number from 0"):
        test(3, count)


@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_counts_may_come_from_numpy(dtype: Any) -> None:
    assert rs.stats.mcnemar(dtype(28), dtype(11)).pvalue == rs.stats.mcnemar(28, 11).pvalue


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.uint64])
def test_arrays_of_counts_may_be_of_any_width(dtype: Any) -> None:
    counts = np.array([[3, 4], [5, 6], [1, 2], [0, 1]])
    narrow = counts.astype(dtype)
    for test, rows in [
        (rs.stats.fisher_tables, 4),
        (rs.stats.mcnemar_tables, 2),
        (lambda *columns: rs.stats.pass_at_k(*columns, k=1).to_frame(), 2),
    ]:
        assert test(*narrow[:rows]).equals(test(*counts[:rows]))
    for test in (rs.stats.sign_flip, rs.stats.wilcoxon, rs.stats.tost):
        more = {"margin": 1} if test is rs.stats.tost else {}
        assert test(narrow[0], **more) == test(counts[0], **more)
    assert rs.stats.agreement_of_counts(narrow) == rs.stats.agreement_of_counts(counts)
    with pytest.raises(ColumnError, match="2\\^50"):
        rs.stats.fisher_tables(*np.full((4, 1), 2**63, np.uint64))


@pytest.mark.parametrize(("positive", "negative"), [(3, 0), (5, 1), (9, 3), (7, 0)])
def test_small_counts_give_the_nearest_double(positive: int, negative: int) -> None:
    """Figure R15: 7 to 0 is 0.015625 exactly, which prints as 0.01562."""
    assert rs.stats.sign_test(positive, negative).pvalue == float(
        twin.sign_test(positive, negative)
    )


def test_results_are_frozen_and_become_frames() -> None:
    result = rs.stats.mcnemar(28, 11)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pvalue = 0.0  # type: ignore[misc]
    assert result.to_frame().row(0, named=True) == dataclasses.asdict(result)
    assert (result.method, rs.stats.sign_test(1, 2).method) == ("mcnemar-exact", "sign-exact")
    rate = rs.stats.rate([0, 1, None])
    assert rate.to_frame().row(0, named=True) == dataclasses.asdict(rate)


# --- Fisher's exact test

ALTERNATIVES = ["two-sided", "less", "greater"]
small = st.integers(0, 30)


@given(
    table=st.one_of(
        st.tuples(st.tuples(small, small), st.tuples(small, small)),
        st.tuples(st.tuples(st.integers(0, 500), small), st.tuples(small, st.integers(0, 900))),
        st.tuples(st.tuples(small, st.integers(0, 5000)), st.tuples(small, st.integers(0, 5000))),
    ),
    alternative=st.sampled_from(ALTERNATIVES),
)
@settings(max_examples=400)
def test_fisher_counts_tables(table: tuple[tuple[int, int], ...], alternative: str) -> None:
    (a, b), (c, d) = table
    exact = twin.fisher(table, alternative)
    result = rs.stats.fisher(table, alternative=alternative)
    assert math.isclose(result.pvalue, float(exact), rel_tol=1e-12)
    # The logarithm's own error is the p-value's relative one.
    assert abs(result.log_pvalue - twin.logarithm(exact)) < 1e-12
    assert 0 < result.pvalue <= 1
    if float(exact) > 1e-200:
        # SciPy's own error is about this.
        anchor = scipy.stats.fisher_exact(table, alternative).pvalue
        assert math.isclose(result.pvalue, anchor, rel_tol=1e-9)
    swapped = {"less": "greater", "greater": "less"}.get(alternative, alternative)
    for turned, side in (
        (((a, c), (b, d)), alternative),
        (((d, c), (b, a)), alternative),
        (((c, d), (a, b)), swapped),
        (((b, a), (d, c)), swapped),
    ):
        again = rs.stats.fisher(turned, alternative=side).log_pvalue
        assert abs(again - result.log_pvalue) < 1e-12


@pytest.mark.parametrize(
    ("table", "printed", "digits"),
    [
        ([[300, 400], [230, 310]], 0.953854, 6),  # B093
        ([[2, 3], [0, 2]], 1.0, 6),  # B095
        ([[96, 0], [2, 94]], 2.63e-53, 3),  # R16
        ([[1, 25], [6, 18]], 0.045, 2),  # stance, the judge's disagreements by arm
        ([[4, 0], [0, 4]], 0.02857, 4),  # Fisher's tea
    ],
)
def test_printed_fisher_tests(table: list[list[int]], printed: float, digits: int) -> None:
    assert float(f"{rs.stats.fisher(table).pvalue:.{digits}g}") == printed


@pytest.mark.parametrize(
    "table",
    [
        ((520, 3), (4, 500)),
        ((0, 600), (511, 0)),
        ((1, 2000), (300, 1100)),
        ((700, 300), (100, 900)),
        ((1500, 400), (400, 1500)),
    ],
)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_fisher_stays_right_far_below_the_smallest_double(
    table: tuple[tuple[int, int], ...], alternative: str
) -> None:
    exact = twin.fisher(table, alternative)
    found = rs.stats.fisher(table, alternative=alternative).log_pvalue
    # Relative error of the p-value: 1e-9 down to 1e-300, and a few bits of its logarithm below.
    assert math.isclose(found, twin.logarithm(exact), rel_tol=1e-14, abs_tol=1e-12)


@pytest.mark.parametrize("scale", [10**3, 10**6, 10**9, 10**12])
def test_large_fourfold_tables_are_chi_squared(scale: int) -> None:
    for z in (0.5, 2.0, 5.0):
        # Rates of one half that differ by z standard errors.
        half = round(z * math.sqrt(scale / 8))
        table = [[scale // 2 + half, scale // 2 - half], [scale // 2, scale // 2]]
        result = rs.stats.fisher(table)
        statistic = scipy.stats.chi2_contingency(table, correction=True).statistic
        normal = scipy.stats.chi2.sf(statistic, 1)
        assert math.isclose(result.pvalue, normal, rel_tol=0.3 if scale < 10**6 else 2e-3)


def test_equally_likely_tables_are_counted_by_ways() -> None:
    """Equal margins mirror every table; rounding must not lose its image."""
    for n in range(2, 400, 7):
        for a in range(0, n // 2, 5):
            table = [[a, n - a], [n - a, a]]
            one_sided = rs.stats.fisher(table, alternative="less").pvalue
            assert math.isclose(rs.stats.fisher(table).pvalue, 2 * one_sided, rel_tol=1e-12)


def test_empty_margins_are_no_evidence() -> None:
    for table in ([[0, 0], [0, 0]], [[3, 4], [0, 0]], [[3, 0], [4, 0]], [[0, 7], [0, 2**50]]):
        for alternative in ALTERNATIVES:
            result = rs.stats.fisher(table, alternative=alternative)
            assert (result.pvalue, result.log_pvalue) == (1.0, 0.0)


def test_odds_ratios() -> None:
    assert rs.stats.fisher([[6, 2], [3, 5]]).odds_ratio == 5.0
    assert rs.stats.fisher([[0, 2], [3, 5]]).odds_ratio == 0.0
    for table in ([[6, 0], [3, 5]], [[6, 2], [0, 5]], [[0, 0], [0, 0]]):
        result = rs.stats.fisher(table)
        assert (result.odds_ratio, result.reason) == (None, "a cell of the second diagonal is 0")
    big = 2**50
    assert rs.stats.fisher([[big, 1], [1, big]]).odds_ratio == 2.0**100


@pytest.mark.parametrize(
    "table",
    [
        np.array([[1, 25], [6, 18]]),
        np.array([[1, 25], [6, 18]], dtype=np.uint8),
        ((1, 25), (6, 18)),
        pl.DataFrame({"hits": [1, 6], "misses": [25, 18]}),
        [pl.Series([1, 25]), pl.Series([6, 18])],
    ],
)
def test_tables_of_any_kind(table: Any) -> None:
    result = rs.stats.fisher(table)
    assert result.table == ((1, 25), (6, 18))
    assert result.odds_ratio == 0.12
    row = result.to_frame().row(0, named=True)
    assert row == dataclasses.asdict(result) | {"table": [[1, 25], [6, 18]]}


@pytest.mark.parametrize(
    "table",
    [
        [[1, 2], [3, None]],
        [[1, 2], [3, math.nan]],
        [[1.0, 2.0], [3.0, 4.0]],
        [[1, -2], [3, 4]],
        [[1, 2], [3, True]],
        [[1, 2], [3, "4"]],
        [[1, 2], [3, 2**50 + 1]],
        [[1, 2, 3], [4, 5, 6]],
        [[1, 2], [3, 4], [5, 6]],
        [1, 2, 3, 4],
        [],
        7,
        None,
        "ab",
    ],
)
def test_tables_of_anything_else(table: Any) -> None:
    with pytest.raises(OptionError, match="table"):
        rs.stats.fisher(table)


def test_alternatives_are_listed() -> None:
    with pytest.raises(OptionError, match="'two-sided', 'less', 'greater'"):
        rs.stats.fisher([[1, 2], [3, 4]], alternative="two_sided")


# --- rates of arrays


ARRAYS: list[Any] = [
    [1, 0, 1, None, 1],
    [True, False, True, None, True],
    (1.0, 0.0, 1.0, math.nan, 1.0),
    np.array([1.0, 0.0, 1.0, np.nan, 1.0]),
    np.array([1.0, 0.0, 1.0, np.nan, 1.0], dtype=np.float32),
    pl.Series([1, 0, 1, None, 1], dtype=pl.UInt8),
    pl.Series([True, False, True, None, True]),
    pl.concat([pl.Series([1, 0]), pl.Series([1, None, 1])], rechunk=False),
    pa.array([1, 0, 1, None, 1]),
    pa.chunked_array([[1, 0], [1, None, 1]]),
]


@pytest.mark.parametrize("outcomes", ARRAYS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"confidence_level": 0.8},
        {"method": "percentile"},
        {"method": "percentile", "resampler": "monte-carlo", "n_resamples": 33, "seed": 2},
        {"method": "percentile", "resampler": "cpython", "n_resamples": 33, "seed": 2},
    ],
)
def test_arrays_give_what_frames_give(outcomes: Any, options: dict[str, Any]) -> None:
    table = pl.DataFrame({"outcome": [1, 0, 1, None, 1], "cluster": ["a", "a", "b", "b", "c"]})
    expected = rs.rate(table, "outcome", **options).row(0, named=True)
    assert dataclasses.asdict(rs.stats.rate(outcomes, **options)) == expected
    if options.get("resampler") == "cpython":
        return
    expected = rs.rate(table, "outcome", cluster="cluster", **options).row(0, named=True)
    for cluster in (
        ["a", "a", "b", "b", "c"],
        np.array([1, 1, 0, 0, 7]),
        pa.array([1, 1, 2, 2, 3]),
    ):
        found = rs.stats.rate(outcomes, cluster=cluster, **options)
        assert dataclasses.asdict(found) == expected


def test_booleans_of_numpy() -> None:
    assert rs.stats.rate(np.array([True, True, False])).estimate == 2 / 3
    assert rs.stats.rate(np.zeros(0)).reason == "no trials with an outcome"


@pytest.mark.parametrize("outcomes", [[], [None], [math.nan, None], np.array([])])
def test_nothing_has_no_rate(outcomes: Any) -> None:
    result = rs.stats.rate(outcomes)
    assert (result.n, result.n_missing, result.estimate) == (0, len(outcomes), None)
    assert (result.low, result.bound_high) == (None, None)
    assert result.reason == "no trials with an outcome"


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ([0.5, 1.0], "1 values other than 0 and 1"),
        ([0, 2, 3], "2 values other than 0 and 1"),
        (["a", "b"], "they are String"),
        (np.ones((2, 2)), "they are Array"),
    ],
)
def test_arrays_of_anything_else(outcomes: Any, message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        rs.stats.rate(outcomes)


@pytest.mark.parametrize("outcomes", [[True, 1, 0.0], [0, "a"], 3, None])
def test_arrays_that_polars_cannot_read(outcomes: Any) -> None:
    with pytest.raises(ReclaimStatsError):
        rs.stats.rate(outcomes)


def test_clusters_of_arrays_are_checked() -> None:
    with pytest.raises(ColumnError, match="must have one length; got 3 and 2"):
        rs.stats.rate([0, 1, 1], cluster=["a", "b"])
    with pytest.raises(DesignError, match="null or NaN in 1 trials"):
        rs.stats.rate([0, 1, 1], cluster=["a", None, "b"])
    with pytest.raises(DesignError, match="leave cluster= out"):
        rs.stats.rate([0, 1], cluster=["a", "b"], method="percentile", resampler="cpython")
    with pytest.raises(OptionError, match="confidence_level=95"):
        rs.stats.rate([0, 1], confidence_level=95)


# --- many tests at once


ADJUSTMENTS = ("holm", "hochberg", "benjamini-hochberg", "benjamini-yekutieli")
chances = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 0.05, 1e-300]), st.floats(0.0, 1.0))


@given(pvalues=st.lists(chances, max_size=12), method=st.sampled_from(ADJUSTMENTS))
def test_adjusted_p_values_agree_with_the_twin(pvalues: list[float | None], method: str) -> None:
    found = rs.stats.adjust(pl.Series("p", pvalues, dtype=pl.Float64), method=method)
    assert found.dtype == pl.Float64
    expected = twin.adjust(pvalues, method)
    for a, b in zip(found.to_list(), expected, strict=True):
        assert a == b or math.isclose(a, b, rel_tol=1e-12)


@given(pvalues=st.lists(st.floats(1e-12, 1.0), min_size=1, max_size=30))
def test_false_discovery_rates_are_scipys(pvalues: list[float]) -> None:
    for method, scipys in (("benjamini-hochberg", "bh"), ("benjamini-yekutieli", "by")):
        found = rs.stats.adjust(pvalues, method=method).to_list()
        anchor = scipy.stats.false_discovery_control(pvalues, method=scipys)
        assert found == pytest.approx(list(anchor), rel=1e-12)


def test_what_equals_the_level_is_rejected() -> None:
    """Case B103: an adjusted p of 0.05 at 0.05."""
    assert rs.stats.adjust([0.025, 0.8], method="holm")[0] <= 0.05


@pytest.mark.parametrize(
    ("pvalues", "message"),
    [([0.5, 1.5], "one is 1.5"), ([math.nan], "one is nan"), (["0.5"], "they are String")],
)
def test_p_values_out_of_range_are_refused(pvalues: list[Any], message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        rs.stats.adjust(pvalues, method="holm")
    with pytest.raises(OptionError, match="method='bonferroni' is unknown; use one of 'holm'"):
        rs.stats.adjust([0.5], method="bonferroni")


# --- the twin itself


def test_the_twins_two_counts_of_shuffles_agree() -> None:
    clusters = [(2, 2, 0, 2), (3, 1, 1, 0), (1, 0, 1, 0), (3, 3, 3, 0), (4, 3, 1, 2)]
    counted, listed = twin.shuffle_ways(clusters), twin.shuffle_ways_enumerated(clusters)
    assert counted == listed
    assert twin.permutation_test(clusters) == Fraction(
        sum(w for d, w in listed.items() if abs(d) >= 3), sum(listed.values())
    )


def test_the_twins_resamples_are_all_resamples() -> None:
    sums = [3, -1, 0, 0, 2]
    every: dict[int, int] = {}
    for drawn in itertools.product(sums, repeat=5):
        every[sum(drawn)] = every.get(sum(drawn), 0) + 1
    assert twin.resample_ways(sums) == every


@pytest.mark.parametrize("level", [0, 1, 1 - 1e-12, 1 - 9e-10, 9e-10, math.nan, "0.95"])
def test_levels_that_leave_no_tail_are_refused(level: Any) -> None:
    trials = pl.DataFrame({"x": [0, 1] * 4, "arm": ["a"] * 4 + ["b"] * 4, "item": [1, 2, 3, 4] * 2})
    options: dict[str, Any] = {"confidence_level": level}
    for call in (
        lambda: rs.stats.rate([0] * 5 + [1] * 5, method="clopper-pearson", **options),
        lambda: rs.stats.mean([1.0, 2.0, 3.0], **options),
        lambda: rs.stats.paired_difference([[1, 2], [3, 4]], **options),
        lambda: rs.stats.rule_of_three(30, **options),
        lambda: rs.stats.e_value(3, 1, **options),
        lambda: rs.rate(trials, "x", **options),
        lambda: rs.compare(trials, "x", contrast="arm", baseline="a", pair_by="item", **options),
    ):
        with pytest.raises(OptionError, match="1e-9 to 1 - 1e-9"):
            call()


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys", "t"])
@pytest.mark.parametrize("level", [1e-9, 1 - 1e-9])
def test_the_levels_at_the_ends_give_limits(method: str, level: float) -> None:
    found = rs.stats.rate([0] * 50 + [1] * 50, method=method, confidence_level=level)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= 0.5 <= found.high <= 1
    assert (found.high - found.low > 0.5) == (level > 0.5)
