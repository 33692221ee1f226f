"""Bets on signs: exact fractions, fairness, error over all looks, and what a frame gives."""

import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import decisions as twin
from reference import stats
from strategies import PAIRED_TRIALS, frame, paired_trials

ALTERNATIVES = ["two-sided", "greater", "less"]
DESIGN: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": ["item", "repeat"]}
RESULT = {
    "treatment_level": pl.String,
    "baseline_level": pl.String,
    "night": pl.Int64,
    "n_pairs": pl.Int64,
    "n_clusters": pl.Int64,
    "n_unpaired_treatment": pl.Int64,
    "n_unpaired_baseline": pl.Int64,
    "n_missing": pl.Int64,
    "positive": pl.Int64,
    "negative": pl.Int64,
    "tied": pl.Int64,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "log_e": pl.Float64,
    "log_e_max": pl.Float64,
    "pvalue": pl.Float64,
    "alternative": pl.String,
    "confidence_level": pl.Float64,
    "method": pl.String,
}


# --- the fortune


@given(
    positive=st.integers(0, 150),
    negative=st.integers(0, 150),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_fortune_agrees_with_its_twin(positive: int, negative: int, alternative: str) -> None:
    found = rs.stats.e_value(positive, negative, alternative=alternative)
    exact = twin.e_value(positive, negative, alternative)
    assert found.log_e == pytest.approx(stats.logarithm(exact), rel=1e-12, abs=1e-12)
    assert found.evalue == pytest.approx(float(exact), rel=1e-11)
    assert found.pvalue == pytest.approx(min(1.0, float(1 / exact)), rel=1e-11)


def test_fortune_is_a_fair_game() -> None:
    """The twin's: the mean of the next fortune over a fair sign is the fortune, exactly."""
    for alternative in ALTERNATIVES:
        assert twin.e_value(0, 0, alternative) == 1
        for s, f in ((0, 0), (3, 1), (2, 9), (17, 17)):
            after = twin.e_value(s + 1, f, alternative) + twin.e_value(s, f + 1, alternative)
            assert after / 2 == twin.e_value(s, f, alternative)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_chance_of_ever_reaching_twenty_is_at_most_one_in_twenty(alternative: str) -> None:
    """Exactly, over all paths of 60 fair signs."""
    assert Fraction(1, 200) < twin.ever_reaches(60, 20.0, alternative) <= Fraction(1, 20)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_error_over_many_looks(alternative: str) -> None:
    """The package's own running maxima on fair signs, one study a cell."""
    rng = np.random.default_rng(1)
    studies, looks = 200, 300
    night = np.tile(np.arange(looks), studies)
    study = np.repeat(np.arange(studies), looks)
    hit = rng.random(studies * looks) < 0.5
    base = pl.DataFrame({"study": study, "night": night, "item": night})
    trials = pl.concat(
        [
            base.with_columns(arm=pl.lit("t"), correct=hit),
            base.with_columns(arm=pl.lit("b"), correct=~hit),
        ]
    )
    found = rs.evidence(
        trials,
        "correct",
        contrast="arm",
        baseline="b",
        pair_by="item",
        by="study",
        order_by="night",
        alternative=alternative,
    )
    assert found.height == studies
    # Three standard errors above 5 %.
    assert (found["pvalue"] <= 0.05).mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / studies)
    # The confidence sequence holds the fair share at the last look, too.
    inside = (found["low"] <= 0.5) & (found["high"] >= 0.5)
    assert inside.mean() >= 0.95


def test_a_real_difference_is_found() -> None:
    rng = np.random.default_rng(2)
    wins = rng.binomial(200, 0.7, 300)
    found = [rs.stats.e_value(int(s), int(200 - s)).pvalue for s in wins]
    assert np.mean(np.array(found) <= 0.05) > 0.95


@given(positive=st.integers(0, 300), negative=st.integers(0, 300))
def test_limits_meet_the_level(positive: int, negative: int) -> None:
    found = rs.stats.e_value(positive, negative)
    n = positive + negative
    assert found.low <= (positive / n if n else 0.5) <= found.high
    for share in (found.low, found.high):
        if 0 < share < 1:
            fortune = -math.log(n + 1) - scipy.stats.binom.logpmf(positive, n, share)
            assert fortune == pytest.approx(math.log(20), abs=1e-8)
    assert (found.low == 0) == (positive == 0 or (n == 0))
    assert (found.high == 1) == (negative == 0 or (n == 0))
    exact = rs.stats.e_value(negative, positive)
    assert exact.low == pytest.approx(1 - found.high, abs=1e-12)


@pytest.mark.parametrize(("positive", "negative"), [(10**6, 0), (2**40, 2**40), (0, 2**40), (0, 0)])
def test_counts_of_any_size(positive: int, negative: int) -> None:
    for alternative in ALTERNATIVES:
        found = rs.stats.e_value(positive, negative, alternative=alternative)
        assert math.isfinite(found.log_e)
        assert 0 <= found.pvalue <= 1
        assert (found.evalue is None) == (found.log_e > 709.8)
        assert 0 <= found.low <= found.high <= 1
    if negative == 0 and positive:
        expected = positive * math.log(2) - math.log(positive + 1)
        assert rs.stats.e_value(positive, 0).log_e == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((-1, 0), {}, "whole number"),
        ((1.0, 0), {}, "whole number"),
        ((2**40 + 1, 0), {}, "whole number"),
        ((1, 1), {"alternative": "up"}, "use one of"),
        ((1, 1), {"confidence_level": 95}, "between 0 and 1"),
    ],
)
def test_arguments_are_checked(arguments: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rs.stats.e_value(*arguments, **options)


# --- the verb


@given(
    rows=paired_trials(),
    cluster=st.sampled_from([[], ["item"], ["item", "repeat"]]),
    alternative=st.sampled_from(ALTERNATIVES),
    data=st.data(),
)
def test_looks_agree_with_their_twin(
    rows: list[dict[str, Any]], cluster: list[str], alternative: str, data: st.DataObject
) -> None:
    rows = [row | {"night": data.draw(st.integers(0, 3))} for row in rows if row["cell"] == "p"]
    schema = PAIRED_TRIALS | {"night": pl.Int64}
    trials = frame(rows, **schema).select(*schema, "correct")
    keywords: dict[str, Any] = {"cluster": cluster, "order_by": "night"}
    found = rs.evidence(
        trials, "correct", **DESIGN, **keywords, alternative=alternative, running=True
    )
    assert dict(found.schema) == RESULT
    for (arm,), looks in found.group_by("treatment_level", maintain_order=True):
        signs = twin.signs(rows, "correct", baseline="b", treatment=arm, **keywords)
        highest = 0.0
        nights: list[Any] = sorted({place for place, _ in signs}) or [None]
        assert looks["night"].to_list() == nights
        for row in looks.to_dicts():
            so_far = [d for place, d in signs if place <= row["night"]] if signs else []
            counts = [sum(map(test, so_far)) for test in (plus, minus, nothing)]
            assert [row[name] for name in ("positive", "negative", "tied")] == counts
            exact = stats.logarithm(twin.e_value(counts[0], counts[1], alternative))
            highest = max(highest, exact)
            assert row["log_e"] == pytest.approx(exact, abs=1e-12)
            assert row["log_e_max"] == pytest.approx(highest, abs=1e-12)
            assert row["pvalue"] == pytest.approx(math.exp(-highest), rel=1e-11)
            assert row["n_clusters"] == (len(so_far) if cluster else None)
            if not cluster:
                assert row["n_pairs"] == len(so_far)
    last = rs.evidence(trials, "correct", **DESIGN, **keywords, alternative=alternative)
    expected = found.group_by("treatment_level", maintain_order=True).last()
    assert_frame_equal(last, expected.select(last.columns), check_exact=True)


def plus(difference: int) -> bool:
    return difference > 0


def minus(difference: int) -> bool:
    return difference < 0


def nothing(difference: int) -> bool:
    return difference == 0


def nights(n: int = 30, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "task": ["x", "y"] * n,
            "arm": ["t"] * n + ["b"] * n,
            "item": [i // 3 for i in range(n)] * 2,
            "repeat": [i % 3 for i in range(n)] * 2,
            "night": rng.integers(0, 5, 2 * n),
            "correct": rng.random(2 * n) < np.repeat([0.8, 0.4], n),
        }
    )


def test_same_bits_lazy_in_any_order_and_from_arrow() -> None:
    trials = nights()
    keywords: dict[str, Any] = DESIGN | {
        "by": "task",
        "cluster": "item",
        "order_by": "night",
        "running": True,
    }
    expected = rs.evidence(trials, "correct", **keywords)
    for other in (
        trials.sample(fraction=1, shuffle=True, seed=3),
        trials.lazy(),
        trials.to_arrow(),
    ):
        assert_frame_equal(rs.evidence(other, "correct", **keywords), expected, check_exact=True)


def test_order_may_be_dates_and_text() -> None:
    trials = nights()
    numbers = rs.evidence(trials, "correct", **DESIGN, order_by="night", running=True)
    for change in (
        pl.date(2026, 1, 1) + pl.duration(days=pl.col("night")),
        "run-" + pl.col("night").cast(pl.String),
    ):
        found = rs.evidence(
            trials.with_columns(night=change), "correct", **DESIGN, order_by="night", running=True
        )
        assert_frame_equal(found.drop("night"), numbers.drop("night"), check_exact=True)


def test_cells_without_a_pair_have_a_row() -> None:
    trials = pl.DataFrame(
        {"arm": ["t", "b"], "item": [0, 1], "repeat": [0, 0], "night": [1, 2], "correct": [1, 1]}
    )
    for running in (False, True):
        row = rs.evidence(
            trials, "correct", **DESIGN, order_by="night", running=running, cluster="item"
        ).row(0, named=True)
        assert (row["n_pairs"], row["n_clusters"], row["night"]) == (0, 0, None)
        assert (row["log_e"], row["pvalue"], row["low"], row["high"]) == (0.0, 1.0, 0.0, 1.0)
        assert (row["estimate"], row["n_unpaired_treatment"], row["n_unpaired_baseline"]) == (
            None,
            1,
            1,
        )


def test_ties_are_no_evidence() -> None:
    trials = nights().with_columns(correct=pl.lit(True))
    row = rs.evidence(trials, "correct", **DESIGN, order_by="night").row(0, named=True)
    assert (row["tied"], row["log_e"], row["pvalue"]) == (30, 0.0, 1.0)


@pytest.mark.parametrize(
    ("change", "options", "error", "message"),
    [
        ({}, {"order_by": "day"}, ColumnError, "no column 'day'"),
        ({}, {"order_by": ["night"]}, ColumnError, "one column name"),
        ({}, {"by": "night"}, DesignError, "a column of its own"),
        ({"night": pl.lit(None, pl.Int64)}, {}, DesignError, "'night' is null or NaN in 60"),
        ({"tied": pl.lit(1)}, {"by": "tied"}, ColumnError, "name of a result column"),
        ({"low": pl.col("night")}, {"order_by": "low"}, DesignError, "a column of its own"),
        ({}, {"alternative": "up"}, OptionError, "use one of"),
        ({}, {"confidence_level": 1}, OptionError, "between 0 and 1"),
        ({"half": pl.int_range(60) % 7}, {"cluster": "half"}, DesignError, "different clusters"),
    ],
)
def test_designs_are_checked(
    change: dict[str, pl.Expr], options: dict[str, Any], error: Any, message: str
) -> None:
    trials = nights().with_columns(**change)
    with pytest.raises(error, match=message):
        rs.evidence(trials, "correct", **({**DESIGN, "order_by": "night"} | options))


def test_no_p_value_is_zero() -> None:
    found = rs.stats.e_value(2000, 0)
    assert found.pvalue == sys.float_info.min
    assert found.log_e > 1000
    trials = pl.DataFrame(
        {
            "arm": ["t"] * 1200 + ["b"] * 1200,
            "item": [*range(1200)] * 2,
            "hit": [1] * 1200 + [0] * 1200,
        }
    ).with_columns(night=0)
    looks = rs.evidence(
        trials, "hit", contrast="arm", baseline="b", pair_by="item", order_by="night"
    )
    assert looks["pvalue"].to_list() == [sys.float_info.min]
    assert looks["log_e"].item() > 800
    rng = [0.9, 0.9 + 1e-13] * 50_000
    assert rs.stats.tost(rng, margin=0.95, bounds=(-1, 1)).pvalue > 0
