"""Difference in differences and gap closure: against definitions and simulated studies."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import contrasts as twin
from reference import stats
from strategies import levels
from test_coverage import beta_rates
from test_unpaired import group_studies

DIFFERENCES = [1.0, -1.0, -1.0, 1.0]
DESIGN: dict[str, Any] = {"contrast": "arm", "baseline": "b", "group": "side", "reference": "r"}
GAP: dict[str, Any] = {"contrast": "arm", "baseline": "b", "oracle": "o"}
arm_counts = st.integers(0, 3).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def trials_of(rows: list[Any], names: list[dict[str, str]]) -> pl.DataFrame:
    """Trials of clusters of arms, given as (successes, trials), under their names."""
    trials = [
        name | {"user": f"u{user}", "hit": int(trial < hits)}
        for user, row in enumerate(rows)
        for name, (hits, n) in zip(names, row, strict=True)
        for trial in range(n)
    ]
    schema = dict.fromkeys([*names[0], "user"], pl.String) | {"hit": pl.Int8}
    return pl.DataFrame(trials, schema=schema, orient="row")


FOUR = [{"arm": arm, "side": side} for side in "gr" for arm in "tb"]
THREE = [{"arm": arm} for arm in "mbo"]


@given(
    rows=st.lists(st.tuples(*[arm_counts] * 4), min_size=2, max_size=6),
    nested=st.booleans(),
    clustered=st.booleans(),
    level=levels,
)
@settings(max_examples=80)
def test_differences_agree_with_the_twin(
    rows: list[Any], nested: bool, clustered: bool, level: float
) -> None:
    if nested:
        none = (0, 0)
        rows = [
            (a, b, none, none) if i % 2 else (none, none, c, d)
            for i, (a, b, c, d) in enumerate(rows)
        ]
    trials = trials_of(rows, FOUR)
    totals = [twin.total(rows, arm) for arm in range(4)]
    if {"t", "b"} - set(trials["arm"]) or {"g", "r"} - set(trials["side"]):
        return
    options = DESIGN | {"confidence_level": level, "cluster": "user" if clustered else None}
    row = rs.difference_in_differences(trials, "hit", **options).row(0, named=True)
    names = ["treatment", "baseline", "treatment_reference", "baseline_reference"]
    assert [row[f"n_{name}"] for name in names] == [n for _, n in totals]
    if any(n == 0 for _, n in totals):
        assert (row["difference_in_differences"], row["low"]) == (None, None)
        empty = [place for place, (_, n) in enumerate(totals) if n == 0]
        group = " in the reference group" if empty[0] > 1 else ""
        of = "" if len(empty) == 4 else f" of the {names[empty[0] % 2]}{group}"
        assert row["reason"] == f"no trials{of} with an outcome"
        return
    value = sum(w * h / n for w, (h, n) in zip(DIFFERENCES, totals, strict=True))
    assert row["difference_in_differences"] == pytest.approx(value, abs=1e-12)
    if clustered and min(len(twin.clusters_of(rows, arm)) for arm in range(4)) < 2:
        assert (row["low"], row["reason"]) == (None, "one cluster")
    else:
        low, high = twin.limits(rows, DIFFERENCES, float(stats.tail_of(level)), clustered)
        assert row["low"] == pytest.approx(max(low, -2), abs=1e-7)
        assert row["high"] == pytest.approx(min(high, 2), abs=1e-7)
    test = twin.test_of(rows) if clustered else None
    for name in ("flip_p", "permutation_p"):
        if test and test[0] == name:
            assert row[name] == pytest.approx(test[1], rel=1e-9)
        else:
            assert row[name] is None


@given(
    rows=st.lists(st.tuples(arm_counts, arm_counts, st.just((3, 3))), min_size=2, max_size=9),
    clustered=st.booleans(),
    level=st.sampled_from([0.5, 0.8, 0.95]),
)
@settings(max_examples=80)
def test_closures_are_where_zero_is_a_limit(rows: list[Any], clustered: bool, level: float) -> None:
    trials = trials_of(rows, THREE)
    totals = [twin.total(rows, arm) for arm in range(3)]
    if {"m", "b", "o"} - set(trials["arm"]):
        return
    options = GAP | {"confidence_level": level, "cluster": "user" if clustered else None}
    row = rs.gap_closure(trials, "hit", **options).row(0, named=True)
    if clustered and min(len(twin.clusters_of(rows, arm)) for arm in range(3)) < 2:
        assert (row["closure"], row["low"], row["reason"]) == (None, None, "one cluster")
        return
    method, baseline, oracle = (hits / n for hits, n in totals)
    assert row["gap"] == pytest.approx(oracle - baseline)
    tail = float(stats.tail_of(level))
    low, high = twin.limits(rows, [0.0, -1.0, 1.0], tail, clustered)
    if low <= 1e-9 and high >= -1e-9:
        if low < -1e-9 and high > 1e-9:
            assert (row["low"], row["high"]) == (None, None)
            assert row["reason"] == "the gap may be nothing: its interval holds 0"
        return
    share = (method - baseline) / (oracle - baseline)
    assert row["closure"] == pytest.approx(share)
    assert row["low"] <= share + 1e-9 <= row["high"] + 2e-9
    for end, side in (("low", 0), ("high", 1)):
        at = row[end]
        reached = twin.limits(rows, [1.0, at - 1.0, -at], tail, clustered)[side]
        assert reached == pytest.approx(0, abs=1e-6 * max(1.0, abs(at)))


def studies(
    rng: np.random.Generator, n_studies: int, clusters: int, rates: dict[str, float], icc: float
) -> pl.DataFrame:
    """Studies in which every cluster has three trials of each arm; arms are correlated."""
    common = rng.standard_normal((n_studies, clusters))
    tables = []
    for arm, rate in rates.items():
        own = rng.standard_normal((n_studies, clusters))
        chance = beta_rates(0.6 * common + 0.8 * own, rate, icc)[..., None]
        hits = rng.random((n_studies, clusters, 3)) < chance
        study, user, _ = np.indices(hits.shape)
        columns = {"study": study.ravel(), "user": user.ravel(), "hit": hits.ravel()}
        tables.append(pl.DataFrame(columns).with_columns(arm=pl.lit(arm)))
    return pl.concat(tables)


@pytest.mark.parametrize(
    ("clusters", "rates", "icc"),
    [
        (8, (0.6, 0.1, 0.95), 0.3),
        (16, (0.5, 0.2, 0.9), 0.5),
        (32, (0.1, 0.05, 0.6), 0.3),
        (32, (0.9, 0.3, 0.85), 0.0),
    ],
)
def test_the_interval_of_a_closure_covers(
    clusters: int, rates: tuple[float, float, float], icc: float
) -> None:
    rng = np.random.default_rng(clusters)
    trials = studies(rng, 500, clusters, dict(zip("mbo", rates, strict=True)), icc)
    result = rs.gap_closure(trials, "hit", cluster="user", by="study", **GAP)
    truth = (rates[0] - rates[1]) / (rates[2] - rates[1])
    # Without limits every share is possible.
    inside = (result["low"].fill_null(-1e9) <= truth) & (result["high"].fill_null(1e9) >= truth)
    assert inside.mean() >= 0.93


@pytest.mark.parametrize(
    ("clusters", "rates", "icc"),
    [(8, (0.9, 0.5, 0.6, 0.2), 0.3), (16, (0.3, 0.1, 0.4, 0.2), 0.5), (32, (0.5,) * 4, 0.3)],
)
@pytest.mark.parametrize("nested", [False, True])
def test_the_interval_covers_and_the_tests_keep_their_level(
    clusters: int, rates: tuple[float, ...], icc: float, nested: bool
) -> None:
    rng = np.random.default_rng(clusters)
    arms = dict(zip(("gt", "gb", "rt", "rb"), rates, strict=True))
    trials = studies(rng, 400, clusters, arms, icc)
    trials = trials.with_columns(
        side=pl.col("arm").str.head(1),
        arm=pl.col("arm").str.tail(1),
        user=pl.col("user") + (pl.col("arm").str.starts_with("g") * 1000 if nested else 0),
    )
    options = DESIGN | {"cluster": "user", "by": "study", "n_resamples": 399}
    result = rs.difference_in_differences(trials, "hit", **options)
    truth = sum(w * rate for w, rate in zip(DIFFERENCES, rates, strict=True))
    assert ((result["low"] <= truth) & (result["high"] >= truth)).mean() >= 0.93
    if abs(truth) < 1e-9:
        test = result["permutation_p" if nested else "flip_p"]
        assert test.null_count() == 0
        assert (test <= 0.05).mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)


def test_order_laziness_and_other_cells_change_nothing() -> None:
    rng = np.random.default_rng(4)
    trials = studies(rng, 3, 9, {"gt": 0.6, "gb": 0.3, "rt": 0.5, "rb": 0.4, "ro": 0.9}, 0.3)
    trials = trials.with_columns(side=pl.col("arm").str.head(1), arm=pl.col("arm").str.tail(1))
    shuffled = trials.sample(fraction=1, shuffle=True, seed=1)
    for verb, options in (
        (rs.difference_in_differences, DESIGN),
        (rs.gap_closure, {"contrast": "arm", "baseline": "b", "oracle": "t"}),
    ):
        keywords: Any = options | {"cluster": "user", "by": "study"}
        expected = verb(trials, "hit", **keywords)
        assert expected.height > 0
        for other in (shuffled, shuffled.lazy(), shuffled.to_arrow()):
            assert_frame_equal(verb(other, "hit", **keywords), expected, check_exact=True)
        alone = verb(trials.filter(study=1), "hit", **keywords)
        assert_frame_equal(alone, expected.filter(study=1), check_exact=True)


@pytest.mark.parametrize(
    ("verb", "options", "error", "message"),
    [
        ("difference_in_differences", {"reference": "x"}, DesignError, "reference='x' does not"),
        ("difference_in_differences", {"group": "arm"}, DesignError, "must not hold the group"),
        ("difference_in_differences", {"cluster": "side"}, DesignError, "cluster must not hold"),
        ("difference_in_differences", {"seed": -1}, OptionError, "seed=-1"),
        ("gap_closure", {"oracle": "x"}, DesignError, "oracle='x' does not occur"),
        ("gap_closure", {"oracle": "b"}, DesignError, "an arm between them"),
        ("gap_closure", {"by": "gap"}, ColumnError, "no column 'gap'"),
        ("gap_closure", {"confidence_level": 1}, OptionError, "confidence_level=1"),
    ],
)
def test_what_is_refused(
    verb: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    four = [((1, 2),) * 4] * 3
    trials = trials_of(four, FOUR)
    keywords: Any = DESIGN | options
    if verb == "gap_closure":
        trials = trials_of([((1, 2),) * 3] * 3, THREE)
        keywords = GAP | options
    with pytest.raises(error, match=message):
        getattr(rs, verb)(trials, "hit", **keywords)


def share_of(table: pl.DataFrame, truth: float) -> float:
    """Share of intervals that hold the truth; where there is no limit, everything does."""
    low, high = table["low"].fill_null(-1e9), table["high"].fill_null(1e9)
    return float(((low <= truth + 1e-9) & (high >= truth - 1e-9)).mean())  # type: ignore[arg-type]


def coverage_table(studies_a_row: int = 600) -> None:
    """Print the table of docs/unpaired.md, in percent, the worst row of each number of clusters."""
    groups: dict[str, Any] = {"contrast": "arm", "baseline": "b", "by": "study"}
    for clusters in (8, 16, 32, 96):
        covered: dict[str, list[float]] = {}
        rejected: dict[str, list[float]] = {"permutation_p": [], "fisher_p": []}
        for first, second in ((0.5, 0.3), (0.05, 0.1), (0.9, 0.95), (0.5, 0.5)):
            for icc in (0.0, 0.3, 0.7):
                rng = np.random.default_rng(clusters)
                sizes = (clusters, clusters)
                trials = group_studies(rng, studies_a_row, sizes, (first, second), icc, [3])
                for name, cluster in (("difference", "user"), ("without cluster=", None)):
                    found = rs.compare_unpaired(
                        trials, "hit", cluster=cluster, n_resamples=199, **groups
                    )
                    covered.setdefault(name, []).append(share_of(found, first - second))
                same = group_studies(rng, studies_a_row, sizes, (second, second), icc, [3])
                found = rs.compare_unpaired(same, "hit", cluster="user", n_resamples=199, **groups)
                for test, shares in rejected.items():
                    shares.append((found[test] <= 0.05).mean())  # type: ignore[arg-type]
        for rates in (
            (0.9, 0.5, 0.6, 0.2),
            (0.3, 0.1, 0.4, 0.2),
            (0.5, 0.5, 0.5, 0.5),
            (0.95, 0.05, 0.5, 0.4),
        ):
            for icc in (0.0, 0.3, 0.6):
                rng = np.random.default_rng(clusters)
                arms = dict(zip(("gt", "gb", "rt", "rb"), rates, strict=True))
                trials = studies(rng, studies_a_row, clusters, arms, icc).with_columns(
                    side=pl.col("arm").str.head(1), arm=pl.col("arm").str.tail(1)
                )
                found = rs.difference_in_differences(
                    trials, "hit", cluster="user", by="study", n_resamples=99, **DESIGN
                )
                truth = rates[0] - rates[1] - rates[2] + rates[3]
                covered.setdefault("differences", []).append(share_of(found, truth))
        for m, b, o in ((0.6, 0.1, 0.95), (0.5, 0.2, 0.9), (0.1, 0.05, 0.6), (0.9, 0.3, 0.85)):
            for icc in (0.0, 0.3, 0.6):
                rng = np.random.default_rng(clusters)
                trials = studies(rng, studies_a_row, clusters, {"m": m, "b": b, "o": o}, icc)
                found = rs.gap_closure(trials, "hit", cluster="user", by="study", **GAP)
                covered.setdefault("closure", []).append(share_of(found, (m - b) / (o - b)))
        worst = {name: min(shares) for name, shares in covered.items()}
        worst |= {name: max(shares) for name, shares in rejected.items()}
        print(clusters, {name: round(100 * share, 1) for name, share in worst.items()}, flush=True)


if __name__ == "__main__":
    coverage_table()
