"""Pairs from counts and arrays: against definitions, printed figures and other programs."""

import dataclasses
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import paired as twin
from reference import stats
from strategies import levels

SMALLEST = 2.2250738585072014e-308
METHODS = ["exact", "mid-p", "asymptotic", "continuity"]
EFFECTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "difference": (rs.stats.paired_difference, twin.DIFFERENCE),
    "ratio": (rs.stats.paired_ratio, twin.RATIO),
    "odds-ratio": (rs.stats.paired_odds_ratio, twin.ODDS_RATIO),
}
INTERVALS = [(effect, method) for effect, (_, twins) in EFFECTS.items() for method in twins]
CAVO = [[59, 6], [16, 80]]
EZRA = [[7, 25], [2, 68]]

counts = st.one_of(st.integers(0, 4), st.integers(0, 60))
tables = st.tuples(counts, counts, counts, counts)


def square(table: tuple[int, int, int, int]) -> list[list[int]]:
    return [list(table[:2]), list(table[2:])]


# --- McNemar's test


@given(b=st.integers(0, 90), c=st.integers(0, 90))
def test_mcnemar_is_its_definition(b: int, c: int) -> None:
    for method, exact in (("exact", twin.exact(b, c)), ("mid-p", twin.mid_p(b, c))):
        result = rs.stats.mcnemar(b, c, method=method)
        assert result.statistic is None
        assert math.isclose(result.pvalue, float(exact), rel_tol=1e-12)
        assert math.isclose(result.log_pvalue, stats.logarithm(exact), rel_tol=1e-13, abs_tol=1e-13)
    for method, correction in (("asymptotic", False), ("continuity", True)):
        result = rs.stats.mcnemar(b, c, method=method)
        statistic, log_pvalue = twin.chi_squared(b, c, correction=correction)
        assert result.statistic is not None
        assert math.isclose(result.statistic, statistic, rel_tol=1e-14)
        assert math.isclose(result.log_pvalue, log_pvalue, rel_tol=1e-12, abs_tol=1e-13)
        anchor = scipy.stats.chi2.sf(statistic, 1)
        assert math.isclose(result.pvalue, anchor, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("b", "c", "printed"),
    [
        (0, 0, {"exact": 1, "mid-p": 1, "asymptotic": 1, "continuity": 1}),  # B073
        (5, 5, {"exact": 1, "mid-p": 1, "asymptotic": 1, "continuity": 1}),  # B075, B077
        (
            21,
            50,
            {"exact": 0.00076676, "continuity": 0.00089059, "asymptotic": 0.000578}
            | {"mid-p": 0.000535},
        ),  # B079
        # Fagerland, Lydersen and Laake (2017), Statistical Analysis of Contingency Tables, ch. 8.
        (
            6,
            16,
            {"exact": 0.052479, "mid-p": 0.034690, "asymptotic": 0.033006, "continuity": 0.055009},
        ),
    ],
)
def test_printed_mcnemar_tests(b: int, c: int, printed: dict[str, float]) -> None:
    for method, value in printed.items():
        found = rs.stats.mcnemar(b, c, method=method).pvalue
        digits = len(f"{value:.10g}".lstrip("0.").rstrip("0")) or 1
        assert float(f"{found:.{max(digits, 3)}g}") == pytest.approx(value, rel=1e-9)


def test_no_evidence_is_no_statistic() -> None:
    for method in METHODS:
        for count in (0, 1, 5, 10**6, 2**62):
            result = rs.stats.mcnemar(count, count, method=method)
            assert (result.pvalue, result.log_pvalue) == (1.0, 0.0)
            assert result.statistic in (None, 0.0)
        assert rs.stats.mcnemar(1, 0, method="continuity").pvalue == 1.0


@pytest.mark.parametrize(("b", "c"), [(700, 500), (30_000, 29_000), (3_000, 100), (0, 1100)])
def test_mcnemar_of_many_pairs(b: int, c: int) -> None:
    exact, mid_p = twin.exact(b, c), twin.exact(b, c)
    # Not the definition, whose list of ways is long, but the same: one split less.
    mid_p -= twin.Fraction(math.comb(b + c, b), 2 ** (b + c))
    for method, value in (("exact", exact), ("mid-p", mid_p)):
        result = rs.stats.mcnemar(b, c, method=method)
        assert math.isclose(result.log_pvalue, stats.logarithm(value), abs_tol=1e-10)
        assert result.pvalue == pytest.approx(max(math.exp(result.log_pvalue), SMALLEST))
    for method, correction in (("asymptotic", False), ("continuity", True)):
        _, log_pvalue = twin.chi_squared(b, c, correction=correction)
        found = rs.stats.mcnemar(b, c, method=method).log_pvalue
        assert math.isclose(found, log_pvalue, rel_tol=1e-13)


def test_p_is_never_nothing() -> None:
    for method in METHODS:
        result = rs.stats.mcnemar(5000, 0, method=method)
        assert result.pvalue == SMALLEST
        assert -4000 < result.log_pvalue < -709
    assert rs.stats.sign_test(5000, 0).pvalue == SMALLEST
    assert rs.stats.fisher([[4000, 0], [0, 4000]]).pvalue == SMALLEST


@given(
    rows=st.lists(
        st.tuples(st.none() | st.integers(0, 300), st.none() | st.integers(0, 300)), max_size=20
    ),
    method=st.sampled_from(METHODS),
)
def test_many_tables_are_each_table(rows: list[tuple[int | None, int | None]], method: str) -> None:
    first, second = ([row[side] for row in rows] for side in (0, 1))
    table = rs.stats.mcnemar_tables(first, second, method=method)
    assert dict(table.schema) == {
        "treatment_only": pl.Int64,
        "baseline_only": pl.Int64,
        "statistic": pl.Float64,
        "pvalue": pl.Float64,
        "log_pvalue": pl.Float64,
        "method": pl.String,
    }
    for (b, c), row in zip(rows, table.to_dicts(), strict=True):
        if b is None or c is None:
            assert (row["pvalue"], row["statistic"], row["log_pvalue"]) == (None, None, None)
        else:
            alone = dataclasses.asdict(rs.stats.mcnemar(b, c, method=method))
            assert row == alone


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 2], [3], "one length; got 2 and 1"),
        ([1, -2], [3, 4], "counts from 0"),
        ([1.0], [2], "whole numbers"),
        (["a"], [2], "whole numbers"),
        (None, [2], "received None"),
        ([2**60], [2], "counts from 0"),
    ],
)
def test_tables_of_anything_else(first: Any, second: Any, message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        rs.stats.mcnemar_tables(first, second)


def test_methods_are_listed() -> None:
    with pytest.raises(OptionError, match="'exact', 'mid-p', 'asymptotic', 'continuity'"):
        rs.stats.mcnemar(1, 2, method="midp")
    with pytest.raises(OptionError, match="'newcombe', 'tango', 'bonett-price'"):
        rs.stats.paired_difference(CAVO, method="wald")
    with pytest.raises(OptionError, match="confidence_level=95"):
        rs.stats.paired_ratio(CAVO, confidence_level=95)


# --- counting pairs

outcomes = st.sampled_from([0, 1, None])


@given(pairs=st.lists(st.tuples(outcomes, outcomes), max_size=200), cut=st.integers(0, 70))
def test_pairs_are_counted(pairs: list[tuple[int | None, int | None]], cut: int) -> None:
    expected = [pairs.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))]
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    arrays: list[Any] = [
        (first, second),
        tuple(pl.Series(arm).cast(pl.Boolean) for arm in (first, second)),
        (pl.Series(first, dtype=pl.Int8), pl.Series(second).cast(pl.Boolean)),
        tuple(np.array(arm, dtype=float) for arm in (first, second)),
    ]
    # In pieces that differ, and beginning in the middle of a byte.
    pieces = [pl.Series([None] * cut + arm).cast(pl.Boolean) for arm in (first, second)]
    arrays.append([arm.slice(cut) for arm in pieces])
    arrays.append([arm.slice(cut).head(9).append(arm.slice(cut).slice(9)) for arm in pieces])
    for treatment, baseline in arrays:
        table = rs.stats.pair_table(treatment, baseline)
        found = [table.both, table.treatment_only, table.baseline_only, table.neither]
        assert found == expected
        assert table.n_missing == len(pairs) - sum(expected)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1.0, 0.5], [1, 1], "1 pairs hold outcomes other"),
        ([1.0, math.inf], [2, None], "2 pairs hold outcomes other"),
        ([1], [1, 0], "one length; got 1 and 2"),
        (["a"], [1], "treatment must be Booleans"),
        ([True], [[1]], "baseline must be Booleans"),
        ([1], None, "received None"),
    ],
)
def test_outcomes_of_anything_else(first: Any, second: Any, message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        rs.stats.pair_table(first, second)


# --- intervals


@given(table=tables, interval=st.sampled_from(INTERVALS), level=levels)
@settings(max_examples=200)
def test_intervals_are_their_definitions(
    table: tuple[int, int, int, int], interval: tuple[str, str], level: float
) -> None:
    effect, method = interval
    function, twins = EFFECTS[effect]
    result = function(square(table), method=method, confidence_level=level)
    both, b, c, _ = table
    n = sum(table)
    assert (result.n_pairs, result.treatment_only, result.baseline_only) == (n, b, c)
    assert (result.effect, result.method, result.confidence_level) == (effect, method, level)
    estimates = {
        "difference": (b - c, n),
        "ratio": (both + b, both + c),
        "odds-ratio": (b, c),
    }
    over, under = estimates[effect]
    reason = None
    if not n:
        reason = "no pairs"
    elif effect == "ratio" and not under:
        reason = "the baseline never succeeds"
    elif effect == "odds-ratio" and not under:
        reason = "no pair in which only the baseline succeeds" if over else "no discordant pairs"
    assert result.reason == reason
    assert result.estimate == (over / under if under else None)
    if not n or not (over or under or effect == "difference"):
        assert (result.low, result.high) == (None, None)
        return
    low, high = twins[method](table, float(stats.tail_of(level)))
    # A root of what may be nothing but rounding.
    assert math.isclose(result.low, low, rel_tol=1e-8, abs_tol=1e-7)
    if high is None:
        assert result.high is None
    else:
        assert math.isclose(result.high, high, rel_tol=1e-8, abs_tol=1e-7)
    estimate = result.estimate if method != "bonett-price" else None
    if estimate is not None:
        assert result.low <= estimate + 1e-12
        assert result.high is None or result.high >= estimate - 1e-12


@pytest.mark.parametrize(
    ("effect", "method", "table", "low", "high"),
    [
        # R: contingencytables 3, chapter 8 of Fagerland, Lydersen and Laake (2017).
        ("difference", "newcombe", CAVO, -0.1186, -0.0046),
        ("difference", "tango", CAVO, -0.1240, -0.0054),
        ("difference", "bonett-price", CAVO, -0.1195, -0.0032),
        ("ratio", "score", CAVO, 0.7476, 0.9876),
        ("ratio", "bonett-price", CAVO, 0.7579, 0.9910),
        ("odds-ratio", "wilson", CAVO, 0.1514, 0.9287),
        ("odds-ratio", "clopper-pearson", EZRA, 3.1169, 108.8892),
        ("odds-ratio", "mid-p", EZRA, 3.4681, 78.2972),
    ],
)
def test_printed_intervals(
    effect: str, method: str, table: list[list[int]], low: float, high: float
) -> None:
    result = EFFECTS[effect][0](table, method=method)
    assert (round(result.low, 4), round(result.high, 4)) == (low, high)


@given(table=tables, interval=st.sampled_from(INTERVALS))
def test_swapping_arms_mirrors_or_inverts(
    table: tuple[int, int, int, int], interval: tuple[str, str]
) -> None:
    effect, method = interval
    function = EFFECTS[effect][0]
    one, other = (
        function(square(table), method=method),
        function(square(twin.swapped(table)), method=method),
    )
    if effect == "difference":
        if one.low is not None:
            assert one.low == pytest.approx(-other.high, abs=1e-12)
    elif one.low:
        assert one.low * other.high == pytest.approx(1, rel=1e-10)


@pytest.mark.parametrize(("effect", "method"), INTERVALS)
@pytest.mark.parametrize("scale", [1, 10**3, 10**6, 10**9])
def test_intervals_narrow_with_the_root_of_the_size(effect: str, method: str, scale: int) -> None:
    function = EFFECTS[effect][0]
    result = function([[40 * scale, 30 * scale], [10 * scale, 20 * scale]], method=method)
    larger = function([[160 * scale, 120 * scale], [40 * scale, 80 * scale]], method=method)
    ratio = (result.high - result.low) / (larger.high - larger.low)
    assert ratio == pytest.approx(2, rel=0.2 / math.sqrt(scale) + 1e-4)


def test_tables_may_be_counted_or_written() -> None:
    table = rs.stats.pair_table([1] * 65 + [0] * 96, [1] * 59 + [0] * 6 + [1] * 16 + [0] * 80)
    for function in (value[0] for value in EFFECTS.values()):
        assert function(table) == function(CAVO) == function(np.array(CAVO))
    frame = rs.stats.paired_ratio([[0, 3], [0, 1]]).to_frame()
    assert frame.schema["high"] == pl.Null or frame["high"].item() is None


# --- coverage


def covered(function: Any, method: str, truth: float, chances: list[float], n: int) -> float:
    """Chance that the interval holds the truth, over tables of n pairs, drawn alike for all."""
    rng = np.random.default_rng(n)
    drawn = rng.multinomial(n, chances, size=1500)
    kinds, times = np.unique(drawn, axis=0, return_counts=True)
    hits = 0
    for kind, count in zip(kinds.tolist(), times.tolist(), strict=True):
        result = function([kind[:2], kind[2:]], method=method)
        inside = result.low is None or (
            result.low <= truth and (result.high is None or truth <= result.high)
        )
        hits += count * inside
    return hits / 1500


@pytest.mark.parametrize(("effect", "method"), INTERVALS)
def test_intervals_cover(effect: str, method: str) -> None:
    shares = []
    for n in (20, 60):
        for chances in ([0.3, 0.2, 0.1, 0.4], [0.05, 0.15, 0.05, 0.75], [0.8, 0.1, 0.05, 0.05]):
            both, b, c, _ = chances
            truth = {"difference": b - c, "ratio": (both + b) / (both + c), "odds-ratio": b / c}
            shares.append(covered(EFFECTS[effect][0], method, truth[effect], chances, n))
    assert min(shares) >= 0.92, shares
