"""Permutation and rank tests: against every arrangement, SciPy, and what they must keep to."""

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import permutation as twin
from reference import stats

ALTERNATIVES = ["two-sided", "less", "greater"]
sides = st.sampled_from(ALTERNATIVES)
# Scores as they come: counts, tenths, thirds of three repeats, and a constant.
denominators = st.sampled_from([1, 2, 3, 7, 10, 100])


@st.composite
def scores(draw: st.DrawFn, most: int = 6) -> tuple[list[Fraction], list[Fraction]]:
    per_one = draw(denominators)
    score = st.integers(-3, 8).map(lambda units: Fraction(units, per_one))
    return draw(st.lists(score, max_size=most)), draw(st.lists(score, max_size=most))


def floats(values: Any) -> list[float]:
    return [float(value) for value in values]


# --- labels


@given(groups=scores(), alternative=sides)
@settings(max_examples=80)
def test_labels_are_shuffled_every_way(
    groups: tuple[list[Fraction], list[Fraction]], alternative: str
) -> None:
    x, y = groups
    result = rs.stats.permutation(floats(x), floats(y), alternative=alternative)
    exact = twin.shuffle([groups], alternative)
    assert result.method == "permutation-exact"
    assert math.isclose(result.pvalue, float(exact), rel_tol=1e-12)
    assert math.isclose(result.log_pvalue, stats.logarithm(exact), rel_tol=1e-12, abs_tol=1e-12)
    if x and y:
        means = [sum(group, Fraction(0)) / len(group) for group in groups]
        assert result.estimate == pytest.approx(float(means[0] - means[1]), abs=1e-12)
    else:
        assert (result.estimate, result.pvalue) == (None, 1.0)


@given(strata=st.lists(scores(most=3), min_size=1, max_size=3), alternative=sides)
def test_labels_are_shuffled_within_strata(
    strata: list[tuple[list[Fraction], list[Fraction]]], alternative: str
) -> None:
    x, y = ([float(score) for s in strata for score in s[side]] for side in (0, 1))
    names = [[f"s{i}" for i, s in enumerate(strata) for _ in s[side]] for side in (0, 1)]
    columns = [pl.Series(side, dtype=pl.String) for side in names]
    result = rs.stats.permutation(x, y, strata=columns, alternative=alternative)
    exact = twin.shuffle(strata, alternative)
    assert math.isclose(result.pvalue, float(exact), rel_tol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_labels_are_scipys(alternative: Any) -> None:
    rng = np.random.default_rng(5)
    for x, y in (
        (rng.integers(0, 6, 7), rng.integers(1, 7, 6)),
        (rng.random(6), rng.random(7)),
        (np.array([0.1, 0.2, 0.3]), np.array([0.3, 0.2, 0.7, 0.9])),
    ):
        anchor = scipy.stats.permutation_test(
            (x, y),
            lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis),
            vectorized=True,
            n_resamples=np.inf,
            alternative=alternative,
        )
        result = rs.stats.permutation(x, y, alternative=alternative)
        assert result.method == "permutation-exact"
        if alternative == "two-sided" and len(x) != len(y):
            # SciPy doubles the smaller tail; here the other tail is as far from the mean.
            assert result.pvalue <= min(1.0, 2 * anchor.pvalue)
        else:
            assert result.pvalue == pytest.approx(anchor.pvalue, rel=1e-10)


@pytest.mark.parametrize(
    ("x", "y", "pvalue"),
    [
        ([2, 4], [1, 3], 4 / 6),  # B069
        ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], 1.0),  # B071
        ([1, 1, 1], [1, 1], 1.0),
        ([], [1, 2], 1.0),
        ([], [], 1.0),
        ([None, math.nan], [1.0], 1.0),
    ],
)
def test_printed_and_degenerate_permutations(x: Any, y: Any, pvalue: float) -> None:
    result = rs.stats.permutation(x, y)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-15)


def test_a_missing_score_makes_no_difference() -> None:
    """Known elsewhere: one NaN makes identical arms significant."""
    arm = [0.2, 0.5, 0.9, 0.4, 0.7, 0.1]
    whole = rs.stats.permutation(arm, arm)
    for missing in (None, math.nan):
        result = rs.stats.permutation([*arm, missing], arm)
        assert (result.pvalue, result.n_missing, result.n_x) == (1.0, 1, 6)
        assert dataclasses.replace(result, n_missing=0) == whole
        flipped = rs.stats.sign_flip([*arm, missing], [*arm, 0.3])
        assert (flipped.pvalue, flipped.n_missing, flipped.n) == (1.0, 1, 6)


def test_deep_tails_are_counted() -> None:
    x, y = [1] * 300 + [0] * 2, [0] * 300 + [1] * 3
    exact = stats.logarithm(
        Fraction(
            sum(math.comb(303, k) * math.comb(302, 302 - k) for k in range(300, 303)),
            math.comb(605, 302),
        )
    )
    result = rs.stats.permutation(x, y, alternative="greater")
    assert math.isclose(result.log_pvalue, exact, rel_tol=1e-12)
    deeper = rs.stats.permutation([5] * 600, [0] * 600, alternative="greater")
    assert math.isclose(deeper.log_pvalue, -stats.logarithm(Fraction(math.comb(1200, 600))))
    assert deeper.pvalue == 2.2250738585072014e-308


def test_zero_and_one_are_fishers_test() -> None:
    x, y = [1] * 9 + [0] * 4, [1] * 4 + [0] * 10
    for alternative in ("less", "greater"):
        fisher = rs.stats.fisher([[9, 4], [4, 10]], alternative=alternative)
        result = rs.stats.permutation(x, y, alternative=alternative)
        assert result.pvalue == pytest.approx(fisher.pvalue, rel=1e-12)


def test_draws_are_reproducible_and_state_their_floor() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=300), rng.normal(size=250) + 3
    result = rs.stats.permutation(x, y, n_resamples=499)
    assert (result.method, result.n_resamples, result.seed) == ("permutation-monte-carlo", 499, 0)
    assert result.pvalue == pytest.approx(1 / 500)
    near = y - y.mean() + x.mean() + 0.08
    drawn = rs.stats.permutation(x, near, n_resamples=2000, seed=7)
    assert drawn == rs.stats.permutation(x[::-1], near[::-1], n_resamples=2000, seed=7)
    assert drawn.pvalue != rs.stats.permutation(x, near, n_resamples=2000, seed=8).pvalue
    student = scipy.stats.ttest_ind(x, near).pvalue
    assert drawn.pvalue == pytest.approx(student, abs=0.04)
    with pytest.raises(OptionError, match="too many values to count"):
        rs.stats.permutation(x, y, method="exact")


@given(groups=scores(), alternative=sides)
@settings(max_examples=30)
def test_draws_approach_the_exact_value(
    groups: tuple[list[Fraction], list[Fraction]], alternative: str
) -> None:
    x, y = groups
    options: Any = {"alternative": alternative, "n_resamples": 4000, "method": "monte-carlo"}
    drawn = rs.stats.permutation(floats(x), floats(y), **options)
    exact = float(twin.shuffle([groups], alternative))
    assert drawn.pvalue == pytest.approx(exact, abs=0.04)
    pairs = min(len(x), len(y))
    differences = [a - b for a, b in zip(x, y, strict=False)]
    flipped = rs.stats.sign_flip(floats(x[:pairs]), floats(y[:pairs]), **options)
    assert flipped.pvalue == pytest.approx(float(twin.flip(differences, alternative)), abs=0.04)


# --- signs


@given(groups=scores(most=9), alternative=sides, seed=st.integers(0, 3))
@settings(max_examples=80)
def test_signs_are_flipped_every_way(
    groups: tuple[list[Fraction], list[Fraction]], alternative: str, seed: int
) -> None:
    x, y = groups
    pairs = min(len(x), len(y))
    x, y = x[:pairs], y[:pairs]
    differences = [a - b for a, b in zip(x, y, strict=True)]
    result = rs.stats.sign_flip(floats(x), floats(y), alternative=alternative)
    exact = twin.flip(differences, alternative)
    assert result.method == "flip-exact"
    assert math.isclose(result.pvalue, float(exact), rel_tol=1e-12)
    assert (result.positive, result.negative) == (
        sum(d > 0 for d in differences),
        sum(d < 0 for d in differences),
    )
    clusters = np.random.default_rng(seed).integers(0, 3, pairs).tolist()
    sums = [
        sum((d for d, c in zip(differences, clusters, strict=True) if c == cluster), Fraction(0))
        for cluster in set(clusters)
    ]
    names = pl.Series([f"c{c}" for c in clusters], dtype=pl.String)
    result = rs.stats.sign_flip(floats(x), floats(y), cluster=names, alternative=alternative)
    assert math.isclose(result.pvalue, float(twin.flip(sums, alternative)), rel_tol=1e-12)
    assert result.n_clusters == len(sums)


def test_signs_of_other_numbers_are_scipys() -> None:
    """Scores that share no unit are gone through one by one, and ties are ties."""
    rng = np.random.default_rng(2)
    x, y = rng.random(12) * math.pi, rng.random(12)
    for alternative in ALTERNATIVES:
        anchor = scipy.stats.permutation_test(
            (x - y,),
            np.mean,
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=alternative,  # type: ignore[arg-type]
        )
        result = rs.stats.sign_flip(x, y, alternative=alternative)
        assert result.method == "flip-exact"
        assert result.pvalue == pytest.approx(anchor.pvalue, rel=1e-12)
    assert rs.stats.sign_flip(x - y).pvalue == rs.stats.sign_flip(x, y).pvalue


def test_flips_of_one_and_minus_one_are_the_sign_test() -> None:
    differences = [1] * 28 + [-1] * 11 + [0] * 57
    result = rs.stats.sign_flip(differences)
    assert result.pvalue == pytest.approx(rs.stats.sign_test(28, 11).pvalue, rel=1e-12)
    assert (result.estimate, result.n) == (17 / 96, 96)


# --- ranks


@given(groups=scores(most=8), zeros=st.sampled_from(["wilcox", "pratt"]), alternative=sides)
@settings(max_examples=80)
def test_signed_ranks_are_flipped_every_way(
    groups: tuple[list[Fraction], list[Fraction]], zeros: str, alternative: str
) -> None:
    x, y = groups
    pairs = min(len(x), len(y))
    differences = [a - b for a, b in zip(x, y, strict=False)]
    ranked = twin.signed_ranks(differences, zeros)
    result = rs.stats.wilcoxon(
        floats(x[:pairs]), floats(y[:pairs]), zeros=zeros, alternative=alternative
    )
    assert result.method == "wilcoxon-exact"
    assert math.isclose(result.pvalue, float(twin.flip(ranked, alternative)), rel_tol=1e-12)
    assert result.statistic == float(sum((rank for rank in ranked if rank > 0), Fraction(0)))


@given(groups=scores(), alternative=sides)
def test_rank_sums_are_shuffled_every_way(
    groups: tuple[list[Fraction], list[Fraction]], alternative: str
) -> None:
    x, y = groups
    ranked = twin.ranks([*x, *y])
    exact = twin.shuffle([(ranked[: len(x)], ranked[len(x) :])], alternative)
    result = rs.stats.mann_whitney(floats(x), floats(y), alternative=alternative)
    assert result.method == "mann-whitney-exact"
    assert math.isclose(result.pvalue, float(exact), rel_tol=1e-12)
    larger = sum(Fraction(1) * (a > b) + Fraction(a == b, 2) for a in x for b in y)
    assert result.statistic == float(larger)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_ranks_are_scipys(alternative: Any) -> None:
    rng = np.random.default_rng(3)
    differences = rng.normal(0.3, 1, 25)
    anchor = scipy.stats.wilcoxon(differences, alternative=alternative, method="exact")
    result = rs.stats.wilcoxon(differences, alternative=alternative)
    assert result.pvalue == pytest.approx(anchor.pvalue, rel=1e-10)
    assert result.method == "wilcoxon-exact"
    x, y = rng.normal(0.5, 1, 12), rng.normal(0, 1, 9)
    anchor = scipy.stats.mannwhitneyu(x, y, alternative=alternative, method="exact")
    result = rs.stats.mann_whitney(x, y, alternative=alternative)
    assert (result.statistic, result.pvalue) == (anchor.statistic, pytest.approx(anchor.pvalue))
    # The normal approximation, with ties.
    tied = rng.integers(-3, 5, 200)
    for zeros in ("wilcox", "pratt"):
        anchor = scipy.stats.wilcoxon(
            tied, zero_method=zeros, alternative=alternative, method="approx", correction=False
        )
        result = rs.stats.wilcoxon(tied, zeros=zeros, alternative=alternative, method="asymptotic")
        assert result.method == "wilcoxon-asymptotic"
        if zeros == "wilcox":
            assert result.pvalue == pytest.approx(anchor.pvalue, rel=1e-9)
        exact = rs.stats.wilcoxon(tied, zeros=zeros, alternative=alternative)
        assert exact.method == "wilcoxon-exact"
        assert exact.pvalue == pytest.approx(result.pvalue, rel=0.06)
    first, second = rng.integers(0, 6, 80), rng.integers(0, 7, 90)
    anchor = scipy.stats.mannwhitneyu(
        first, second, alternative=alternative, method="asymptotic", use_continuity=False
    )
    result = rs.stats.mann_whitney(first, second, alternative=alternative, method="asymptotic")
    assert result.pvalue == pytest.approx(anchor.pvalue, rel=1e-9)


def test_differences_that_are_equal_but_for_rounding_tie() -> None:
    """0.3 - 0.1, 0.5 - 0.3 and 0.4 - 0.2 differ as doubles."""
    x, y = [0.3, 0.5, 0.4, 0.1], [0.1, 0.3, 0.2, 0.4]
    result = rs.stats.wilcoxon(x, y)
    assert result.statistic == 6.0
    assert result.pvalue == rs.stats.wilcoxon([2, 2, 2, -3]).pvalue


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
@pytest.mark.parametrize("x", [[0, 0, 0, 0, 0], [], [None], [math.nan, None], [0.0, -0.0]])
def test_no_difference_has_no_rank(x: Any, zeros: str, method: str) -> None:
    """Case B097, and less."""
    result = rs.stats.wilcoxon(x, zeros=zeros, method=method)
    assert (result.statistic, result.pvalue, result.log_pvalue) == (0.0, 1.0, 0.0)


def test_many_ranks_are_normal() -> None:
    rng = np.random.default_rng(4)
    differences = rng.normal(0.01, 1, 20_000)
    result = rs.stats.wilcoxon(differences)
    anchor = scipy.stats.wilcoxon(differences, method="approx", correction=False)
    assert (result.method, result.pvalue) == ("wilcoxon-asymptotic", pytest.approx(anchor.pvalue))


# --- what is refused

FUNCTIONS: list[Any] = [
    rs.stats.permutation,
    rs.stats.sign_flip,
    rs.stats.wilcoxon,
    rs.stats.mann_whitney,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (["a"], [1], "x must be numbers"),
        ([1.0], [math.inf], "y holds infinite"),
        (None, [1], "received None"),
        ([[1]], [2], "x must be numbers"),
    ],
)
def test_scores_of_anything_else(function: Any, x: Any, y: Any, message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        function(x, y)


def test_options_are_checked() -> None:
    for function in FUNCTIONS:
        with pytest.raises(OptionError, match="'two-sided', 'less', 'greater'"):
            function([1], [2], alternative="both")
        with pytest.raises(OptionError, match="method='fast' is unknown"):
            function([1], [2], method="fast")
    for function in FUNCTIONS[:2]:
        with pytest.raises(OptionError, match="n_resamples=0"):
            function([1], [2], n_resamples=0)
    for function in FUNCTIONS[1:3]:
        with pytest.raises(ColumnError, match="one length; got 1 and 2"):
            function([1], [2, 3])
    with pytest.raises(OptionError, match="'wilcox', 'pratt'"):
        rs.stats.wilcoxon([1], zeros="zsplit")
    with pytest.raises(DesignError, match="null or NaN in 1 pairs"):
        rs.stats.sign_flip([1, 2], [2, 3], cluster=["a", None])
    with pytest.raises(DesignError, match="1 are null"):
        rs.stats.permutation([1, 2], [2], strata=[["a", None], ["a"]])
    with pytest.raises(OptionError, match="two arrays"):
        rs.stats.permutation([1, 2], [2], strata=["a"])
    with pytest.raises(ColumnError, match="one type"):
        rs.stats.permutation([1, 2], [2], strata=[["a", "b"], [1]])


# --- size


@pytest.mark.parametrize("function", FUNCTIONS)
def test_tests_keep_their_level(function: Any) -> None:
    rng = np.random.default_rng(6)
    x, y = rng.integers(0, 5, (2, 600, 8))
    rejected = sum(function(a, b).pvalue <= 0.05 for a, b in zip(x, y, strict=True))
    assert rejected / 600 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)


@pytest.mark.parametrize(("n", "digits"), [(96, 4), (300, 3), (1000, 3), (5000, 3)])
def test_what_can_be_counted_fast_is_not_drawn(n: int, digits: int) -> None:
    """All of these take less than a tenth of a second: what they cost is not overestimated."""
    differences = np.random.default_rng(0).normal(0.02, 0.3, n).round(digits)
    found = rs.stats.sign_flip(differences)
    assert found.method == "flip-exact"
    # Normal to within what the lattice and the sample leave.
    z = differences.sum() / math.sqrt((differences**2).sum())
    assert found.pvalue == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=0.05, abs=1e-9)
