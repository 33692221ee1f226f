"""Mean scores compared, against their twin, SciPy, `compare` on outcomes, and themselves.

`PYTHONPATH=tests python tests/test_compare_means.py` prints the tables of docs/scores.md.
"""

import itertools
import math
import random
from collections.abc import Callable
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
from reference import scored as twin

PAIRED: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": ["item", "repeat"]}
TESTS = ["wilcoxon_p", "sign_p", "permutation_p", "flip_p"]


def table(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    schema = {"arm": pl.String, "item": pl.Int64, "repeat": pl.Int64, "score": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def pairs_table(pairs: Any, items: Any = None) -> pl.DataFrame:
    """Pairs of scores of the arms "t" and "b", each an item or in the items given."""
    items = range(len(pairs)) if items is None else items
    rows = [
        (arm, item, place, pair[side])
        for place, (item, pair) in enumerate(zip(items, pairs, strict=True))
        for side, arm in enumerate("tb")
    ]
    return table(rows)


def one_row(trials: Any, **options: Any) -> dict[str, Any]:
    return rs.compare_means(trials, "score", **(PAIRED | options)).row(0, named=True)


def example(seed: int = 0, *, outcomes: bool = False) -> pl.DataFrame:
    """Three arms in two cells, items of one to four repeats, some scores missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for task, item in itertools.product(("arith", "logic"), range(12)):
        ease = rng.normal()
        for repeat, (arm, gain) in itertools.product(
            range(rng.integers(1, 5)), (("b", 0.0), ("t", 0.2), ("u", 0.9))
        ):
            value = ease + gain + rng.normal()
            score = float(value > 0.5) if outcomes else value
            rows.append((task, arm, item, repeat, None if rng.random() < 0.06 else score))
    schema = {"task": pl.String, "arm": pl.String, "item": pl.Int64, "repeat": pl.Int64}
    return pl.DataFrame(rows, schema=schema | {"score": pl.Float64}, orient="row")


# --- against the twin

CALIBRES = {"graded": (1, [1, 2, 3, 4, 5]), "tenths": (10, list(range(-9, 25)))}
CALIBRES |= {"thirds": (3, [0, 1, 2, 3]), "same": (4, [2]), "outcomes": (1, [0, 1])}
CALIBRES |= {"wide": (1000, [0, 1, -1, 3, 70_000, 123_457, 999_999])}


@st.composite
def designs(draw: st.DrawFn) -> tuple[list[list[twin.Pair]], int]:
    """Clusters of pairs of fractions, with the number of pairs that lack a partner."""
    below, above = CALIBRES[draw(st.sampled_from(sorted(CALIBRES)))]
    score = st.sampled_from([Fraction(value, below) for value in above])
    shift = draw(st.sampled_from([None, None, Fraction(0), Fraction(1, below)]))
    pair = st.tuples(score, score)
    if shift is not None:
        pair = score.map(lambda value: (value + shift, value))
    clusters = draw(st.lists(st.lists(pair, max_size=2), max_size=4))
    return clusters, draw(st.integers(0, 2))


def assert_like(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        if isinstance(value, Fraction | float):
            wanted = pytest.approx(float(value), rel=1e-9, abs=1e-12)
            assert found[name] == wanted, (name, found[name], float(value))
        else:
            assert found[name] == value, (name, found[name], value)


@given(designs(), st.booleans(), st.sampled_from([0.8, 0.95]), st.sampled_from(["auto", "t"]))
@settings(max_examples=120, deadline=None)
def test_agrees_with_the_twin(
    design: tuple[list[list[twin.Pair]], int], clustered: bool, level: float, method: str
) -> None:
    clusters, alone = design
    items = [item for item, cluster in enumerate(clusters) for _ in cluster]
    pairs = [(float(a), float(b)) for cluster in clusters for a, b in cluster]
    lonely = [("t", 90, place, 1.0) for place in range(alone)]
    lonely += [("t", 91, 0, None), ("b", 91, 0, 0.5)]
    trials = pl.concat([pairs_table(pairs, items), table(lonely)])
    found = one_row(
        trials,
        cluster="item" if clustered else None,
        method=method,
        confidence_level=level,
    )
    expected = twin.paired(
        clusters, clustered=clustered, tail=(1 - level) / 2, skewed=method == "auto"
    )
    expected |= {"n_unpaired_treatment": alone, "n_unpaired_baseline": 1, "n_missing": 1}
    assert_like(found, expected)
    for test in TESTS:
        p, log_p = found[test], found[test.replace("_p", "_log_p")]
        assert (p is None) == (log_p is None)
        assert p is None or math.log(p) == pytest.approx(log_p, abs=1e-12)
    assert (found["low"] is None) == (found["reason"] is not None)
    assert found["drawn"] is None


# --- against compare, where outcomes are 0 and 1


@pytest.mark.parametrize("cluster", [None, "item"])
def test_outcomes_give_what_compare_gives(cluster: str | None) -> None:
    trials = pl.concat(example(seed, outcomes=True).with_columns(run=seed) for seed in range(8))
    keywords: dict[str, Any] = PAIRED | {"by": ["run", "task"], "cluster": cluster}
    found = rs.compare_means(trials, "score", **keywords)
    expected = rs.compare(trials, "score", **keywords, method="t")
    if cluster is None:
        # The tests of pairs that compare has in McNemar's name.
        expected = expected.with_columns(
            sign_p="mcnemar_p", flip_p="mcnemar_p", sign_log_p="mcnemar_log_p"
        ).with_columns(wilcoxon_p="mcnemar_p", flip_log_p="mcnemar_log_p")
    same = [name for name in expected.columns if name in found.columns]
    for name in ("low", "high", "method", "reading", "reason"):
        same.remove(name)
    assert set(same) >= {"difference", "standard_error", "detectable", "flip_p", "permutation_p"}
    assert_frame_equal(found.select(same), expected.select(same), rel_tol=1e-10, abs_tol=1e-14)
    # The interval of t does not end at 1, that of a difference of rates does.
    limits = rs.compare_means(trials, "score", **keywords, method="t").select(
        pl.col("low", "high").clip(-1, 1)
    )
    assert_frame_equal(limits, expected.select("low", "high"), rel_tol=1e-10)


def test_many_like_clusters_of_outcomes_are_counted_too() -> None:
    draw = random.Random(5)
    pairs = [(draw.random() < 0.6, draw.random() < 0.4) for _ in range(6000)]
    trials = pairs_table(pairs, [place // 3 for place in range(6000)])
    found = one_row(trials, cluster="item")
    expected = rs.compare(trials, "score", **PAIRED, cluster="item").row(0, named=True)
    assert found["drawn"] is None
    assert found["permutation_log_p"] == pytest.approx(expected["permutation_log_p"], rel=1e-10)
    assert found["permutation_log_p"] < -100


# --- against SciPy and closed forms


def test_independent_pairs_match_scipy() -> None:
    rng = np.random.default_rng(3)
    pairs = rng.normal((0.4, 0.0), size=(14, 2))
    first, second = pairs.T
    found = one_row(pairs_table(pairs.tolist()), method="t", confidence_level=0.9)
    expected = scipy.stats.ttest_rel(first, second)
    interval = expected.confidence_interval(0.9)
    assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high), rel=1e-10)
    assert found["difference"] / found["standard_error"] == pytest.approx(expected.statistic)
    exact = scipy.stats.wilcoxon(first, second, method="exact")
    assert found["wilcoxon_p"] == pytest.approx(exact.pvalue, rel=1e-10)
    assert found["correlation"] == pytest.approx(scipy.stats.pearsonr(first, second).statistic)
    flips = scipy.stats.permutation_test(
        (first, second),
        lambda a, b: np.mean(a - b),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert found["flip_p"] == pytest.approx(flips.pvalue, rel=1e-10)
    ahead = int((first > second).sum())
    assert found["sign_p"] == pytest.approx(scipy.stats.binomtest(ahead, 14).pvalue, rel=1e-10)
    assert found["cohen_dz"] == pytest.approx(
        np.mean(first - second) / np.std(first - second, ddof=1)
    )


def test_labels_of_one_cluster_match_scipy() -> None:
    pairs = [(0.3, 0.1), (0.9, 0.2), (0.4, 0.4), (0.8, 0.1), (0.5, 0.35)]
    first, second = np.array(pairs).T
    found = one_row(pairs_table(pairs, [0] * 5), cluster="item")
    shuffled = scipy.stats.permutation_test(
        (first, second), lambda a, b: np.mean(a) - np.mean(b), n_resamples=np.inf
    )
    assert found["permutation_p"] == pytest.approx(shuffled.pvalue, rel=1e-10)


def test_verbs_that_were_the_detour_say_the_same() -> None:
    trials = example(4).filter(pl.col("arm") != "u", pl.col("task") == "arith")
    wide = trials.pivot("arm", index=["item", "repeat"], values="score").with_columns(
        difference=pl.col("t") - pl.col("b")
    )
    for method, cluster in itertools.product(("auto", "t", "bca", "studentized"), ([], ["item"])):
        options: dict[str, Any] = {"method": method, "n_resamples": 400, "seed": 3}
        found = one_row(trials, cluster=cluster, **options)
        expected = rs.mean(wide, "difference", cluster=cluster, **options).row(0, named=True)
        for name in ("low", "high", "sd", "standard_error", "standard_error_clustered", "method"):
            assert found[name] == expected[name], name
        assert (found["n_pairs"], found["difference"]) == (expected["n"], expected["estimate"])
    observed = wide.drop_nulls()
    flips = rs.stats.sign_flip(observed["t"], observed["b"], cluster=observed["item"])
    assert one_row(trials, cluster="item")["flip_log_p"] == flips.log_pvalue
    ranks = rs.stats.wilcoxon(observed["t"], observed["b"])
    assert one_row(trials, cluster="item")["wilcoxon_log_p"] == ranks.log_pvalue


# --- against itself


def test_no_order_of_rows_matters() -> None:
    trials = example(1)
    keywords: dict[str, Any] = PAIRED | {"by": "task", "cluster": "item", "n_resamples": 200}
    for method in ("auto", "bca"):
        call: Callable[[Any], pl.DataFrame] = lambda frame, method=method: rs.compare_means(  # noqa: E731
            frame, "score", method=method, **keywords
        )
        expected = call(trials)
        for seed in range(4):
            assert_frame_equal(
                call(trials.sample(fraction=1, shuffle=True, seed=seed)), expected, check_exact=True
            )
        assert_frame_equal(call(trials.lazy()), expected, check_exact=True)
        assert_frame_equal(call(trials.to_arrow()), expected, check_exact=True)
        alone = pl.concat(map(call, trials.partition_by("task")))
        assert_frame_equal(alone, expected, check_exact=True)
        arms = [call(trials.filter(pl.col("arm").is_in([arm, "b"]))) for arm in "tu"]
        swapped = pl.concat(arms).sort("task", "treatment_level")
        assert_frame_equal(swapped, expected, check_exact=True)


def test_swapping_the_arms_mirrors_the_result() -> None:
    trials = example(2).filter(pl.col("arm") != "u", pl.col("task") == "logic")
    # To one decimal, so that all tests can be counted.
    trials = trials.with_columns(pl.col("score").round(1))
    found, other = (one_row(trials, cluster="item", baseline=arm) for arm in "bt")
    assert found["difference"] == -other["difference"]
    limits = (-other["high"], -other["low"])
    assert (found["low"], found["high"]) == pytest.approx(limits, rel=1e-12)
    for test in TESTS:
        assert found[test] == pytest.approx(other[test], rel=1e-12)


@pytest.mark.parametrize("factor", [1e-300, 1e-9, 3.0, 1e9, 1e300])
def test_units_of_scores_change_no_test(factor: float) -> None:
    trials = example(6).filter(pl.col("task") == "arith")
    expected = one_row(trials, cluster="item", n_resamples=99)
    found = one_row(trials.with_columns(pl.col("score") * factor), cluster="item", n_resamples=99)
    for name in ("wilcoxon_p", "sign_p", "correlation", "cohen_dz", "design_effect"):
        assert found[name] == pytest.approx(expected[name], rel=1e-6), name
    assert found["low"] == pytest.approx(expected["low"] * factor, rel=1e-6)


def test_scores_that_only_rounding_tells_apart_tie() -> None:
    # 0.3 - 0.2 and 0.2 - 0.1 are two floats.
    row = one_row(pairs_table([(0.3, 0.2), (0.2, 0.1), (0.4, 0.3)]))
    assert (row["sd"], row["difference"], row["reason"]) == (0.0, 0.1, "nothing varies")
    assert row["reading"].startswith("the same difference in every pair; 3 differing pairs are")


def test_what_cannot_be_counted_is_drawn_and_says_so() -> None:
    rng = np.random.default_rng(8)
    pairs = rng.lognormal(size=(90, 2)).tolist()
    trials = pairs_table(pairs, [place // 3 for place in range(90)])
    row = one_row(trials, cluster="item", n_resamples=499, seed=5)
    assert (row["drawn"], row["n_resamples"], row["seed"]) == ("permutation_p, flip_p", 499, 5)
    best = [(a + 100, b) for a, b in pairs]
    row = one_row(pairs_table(best), method="percentile", n_resamples=499)
    assert row["drawn"] == "interval, flip_p"
    assert row["flip_p"] == pytest.approx(1 / 500, rel=1e-12)
    assert row["low_error"] > 0


# --- degenerate data, readings, options


def test_degenerate_cells_have_a_reason() -> None:
    huge = [(1e308, -1e308), (1e308, 1e308), (-1e308, 1e308)]
    for pairs, items, reason in (
        ([(None, 1.0)], None, "no pairs"),
        ([(1.0, 0.5)], None, "one trial says nothing of the spread"),
        ([(1.0, 0.5)] * 3, [0] * 3, "one cluster"),
        ([(1.0, 0.5)] * 3, None, "nothing varies"),
        ([(0.5, 0.5)] * 3, None, "nothing varies"),
        ([(1.0, 0.0), (0.0, 1.0)] * 3, [0, 0, 1, 1, 2, 2], "nothing varies"),
        (huge, None, "scores too large to add up"),
    ):
        row = one_row(pairs_table(pairs, items), cluster=None if items is None else "item")
        assert (row["low"], row["reason"]) == (None, reason)
        for value in row.values():
            assert not isinstance(value, float) or math.isfinite(value)
        for test in TESTS:
            assert row[test] is None or 0 < row[test] <= 1
    assert one_row(pairs_table(huge))["sign_p"] == 1.0


def test_readings() -> None:
    def reading(pairs: Any, items: Any = None, **options: Any) -> str:
        cluster = None if items is None else "item"
        return str(one_row(pairs_table(pairs, items), cluster=cluster, **options)["reading"])

    assert reading([(0.5, None)]) == "no pairs; 1 trial without a partner is left out"
    assert reading([(0.5, 0.5)] * 9) == "identical in every pair"
    ahead = [(0.5 + place / 10, 0.4) for place in range(9)]
    assert reading(ahead) == (
        "every pair differs, all for the treatment; all tests reject at 0.05, if pairs are "
        "independent"
    )
    assert reading([(b, a) for a, b in ahead], range(9)) == (
        "every pair differs, all for the baseline; all tests reject at 0.05"
    )
    noise = [(0.1, 0.4), (0.5, 0.3), (0.2, 0.2), (0.9, 0.8), (0.4, 0.6), (0.3, 0.1), (0.3, 0.2)]
    assert reading(noise) == (
        "no test rejects at 0.05, and differences below 0.207 are found less than four times in "
        "five"
    )
    # One user of ten repeats carries all of it.
    one = [(0.9, 0.1 + place / 100) for place in range(10)] + [(0.5, 0.5)] * 5
    found = reading(one, [0] * 10 + list(range(1, 6)))
    assert "1 differing cluster is too few for sign_p to reach 0.05, which takes 6" in found
    assert "tests disagree at 0.05: wilcoxon_p, permutation_p reject, sign_p, flip_p not" in found
    # In dollars a call, and in any unit that is small or large.
    for factor, shown in ((1e-4, "0.0000207"), (1e-2, "0.00207"), (1e9, "207000000.0")):
        scaled = [(factor * treated, factor * other) for treated, other in noise]
        assert f"differences below {shown} are found" in reading(scaled)


@pytest.mark.parametrize(("confidence_level", "pairs"), [(1 - 1 / 32, 6), (1 - 1 / 64, 7)])
def test_a_test_rejects_at_the_level_that_its_p_value_is(
    confidence_level: float, pairs: int
) -> None:
    ahead = pairs_table([(place + 1.0, 0.0) for place in range(pairs)])
    row = one_row(ahead, confidence_level=confidence_level)
    assert row["sign_p"] == 1 - confidence_level
    assert "all tests reject" in row["reading"]
    # 2 / 20 at one minus 0.9, which is a little less than 0.1.
    apart = pairs_table([(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [0, 0, 0])
    row = one_row(apart, cluster="item", confidence_level=0.9)
    assert row["permutation_p"] == pytest.approx(0.1)
    assert "tests disagree at 0.1: permutation_p reject" in row["reading"]


def test_single_precision_stands_for_decimals() -> None:
    trials = pairs_table([(0.3, 0.2), (0.2, 0.3), (0.5, 0.4), (0.9, 0.8), (0.4, 0.4), (0.1, 0.2)])
    single = trials.with_columns(pl.col("score").cast(pl.Float32))
    assert one_row(single) == one_row(trials)
    shifted = pairs_table([(0.3, 0.2), (0.2, 0.1), (0.4, 0.3), (0.7, 0.6)])
    single = shifted.with_columns(pl.col("score").cast(pl.Float32))
    assert one_row(single)["reason"] == "nothing varies"
    odd = pl.Series("score", [math.nan, 1e-45, 3e38, -0.0, None], dtype=pl.Float32)
    assert rs.mean(odd.to_frame(), "score")["n"].item() == 3


def test_adjusted_tests_are_those_that_are_read() -> None:
    trials = example(1)
    rows = rs.compare_means(trials, "score", by="task", cluster="item", adjust="holm", **PAIRED)
    for test in TESTS:
        expected = rs.stats.adjust(rows[test].to_list(), method="holm")
        assert rows[f"{test}_adjusted"].to_list() == pytest.approx(list(expected))
    assert "_p_adjusted" in rows["reading"].str.join("").item()


def test_types_of_scores_and_what_is_refused() -> None:
    trials = pairs_table([(3, 1), (4, 4), (2, 1), (5, 2)])
    expected = one_row(trials)
    for dtype in (pl.Int8, pl.UInt64, pl.Float32, pl.Decimal(10, 2)):
        assert one_row(trials.with_columns(pl.col("score").cast(dtype))) == expected
    doubled = rs.compare_means(trials, pl.col("score") * 2, **PAIRED)["difference"].item()
    assert doubled == 2 * expected["difference"]
    with pytest.raises(ColumnError, match="infinite in 1 trials"):
        one_row(pairs_table([(math.inf, 1.0)]))
    with pytest.raises(ColumnError, match="must be numbers"):
        one_row(trials.with_columns(score=pl.lit("good")))
    with pytest.raises(DesignError, match="occur more than once"):
        one_row(pl.concat([trials, trials]))
    with pytest.raises(DesignError, match="in different clusters"):
        one_row(trials.with_columns(user=pl.col("score")), cluster="user")
    with pytest.raises(OptionError, match="method='newcombe' is unknown"):
        one_row(trials, method="newcombe")
    with pytest.raises(ColumnError, match="name of a result column"):
        one_row(trials.with_columns(drawn=1), by="drawn")


def test_rules_and_plots_take_its_rows() -> None:
    trials = example(1).with_columns(size=pl.col("task").rank("dense"))
    rows = rs.compare_means(trials, "score", by="size", cluster="item", **PAIRED)
    rule = rs.Rule(test="flip_p", least=0.1, direction="up", n=10, n_clusters=8)
    assert set(rs.decide(rows, rule)["decision"]) <= {"PASS", "FAIL"}
    assert "<svg" in rs.plots.curves(rows, "size", by="treatment_level", estimate="difference")


# --- coverage and size by simulation

_NORMAL = scipy.special.ndtr
SHAPES: dict[str, Callable[[Any], Any]] = {
    "judge, 1 to 5": lambda z: 1.0 + np.searchsorted([-1.2, -0.4, 0.3, 1.1], z),
    "token F1": lambda z: np.clip(np.round(1.6 * _NORMAL(z) - 0.4, 2), 0.0, 1.0),
    "seconds": lambda z: np.exp(0.8 * z),
}


def studies(shape: str, clusters: int, n: int, gain: float = 0.0) -> pl.DataFrame:
    """Studies of three pairs a cluster, correlated 0.5 within clusters, 0.6 of it in both arms."""
    rng = np.random.default_rng([clusters, list(SHAPES).index(shape)])
    size = (n, clusters, 3)
    both, pair = rng.standard_normal((n, clusters, 1)), rng.standard_normal(size)
    arms = {}
    for arm, more in (("t", gain), ("b", 0.0)):
        own = math.sqrt(0.6) * both + math.sqrt(0.4) * rng.standard_normal((n, clusters, 1))
        noise = math.sqrt(0.5) * pair + math.sqrt(0.5) * rng.standard_normal(size)
        arms[arm] = SHAPES[shape](math.sqrt(0.5) * (own + noise) + more).ravel()
    places = np.indices(size).reshape(3, -1)
    keys = dict(zip(("study", "item", "repeat"), places, strict=True))
    return pl.concat(
        pl.DataFrame(keys | {"score": score}).with_columns(arm=pl.lit(arm))
        for arm, score in arms.items()
    )


def shares(shape: str, clusters: int, n: int, **options: Any) -> dict[str, float]:
    """Of studies without a difference: intervals that contain 0, and tests that reject at 5 %."""
    trials = studies(shape, clusters, n)
    found = {}
    for name, cluster, method in (
        ("default", "item", "auto"),
        ("t", "item", "t"),
        ("pairs", None, "auto"),
    ):
        rows = rs.compare_means(
            trials, "score", by="study", cluster=cluster, method=method, **PAIRED, **options
        )
        inside = (pl.col("low") <= 0) & (pl.col("high") >= 0)
        found[name] = rows.select(inside.mean()).item()
        if name == "default":
            for test in TESTS:
                found[test] = rows.select((pl.col(test) <= 0.05).mean()).item()
    return found


@pytest.mark.parametrize(("shape", "clusters"), [("judge, 1 to 5", 16), ("token F1", 8)])
def test_default_covers_and_tests_hold_their_size(shape: str, clusters: int) -> None:
    found = shares(shape, clusters, 600, n_resamples=199)
    assert found["default"] >= 0.935
    assert max(found["sign_p"], found["flip_p"]) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 600)


SIZES = ["sign_p", "flip_p", "permutation_p", "wilcoxon_p"]


def tables() -> None:
    """Print the table of docs/scores.md."""
    print(f"| scores | clusters | default | t | default without clusters | {' | '.join(SIZES)} |")
    print("| --- " * 9 + "|")
    for shape, clusters in itertools.product(SHAPES, (8, 16, 32)):
        found = shares(shape, clusters, 1500, n_resamples=199)
        names = ("default", "t", "pairs", *SIZES)
        shown = [f"{100 * found[name]:.1f}" for name in names]
        print(f"| {' | '.join([shape, str(clusters), *shown])} |", flush=True)


if __name__ == "__main__":
    tables()


def test_scores_without_a_unit_tie_where_only_rounding_parts_them() -> None:
    design: dict[str, Any] = {"contrast": "arm", "baseline": "old", "pair_by": "item"}
    old = [100 * math.pi, 100 * math.e, 100 * math.sqrt(2)]
    for new in ([score + 0.1 for score in old], [math.nextafter(score, 1e9) for score in old]):
        scores = pl.DataFrame(
            {"arm": ["new"] * 3 + ["old"] * 3, "item": [0, 1, 2] * 2, "seconds": new + old}
        )
        row = rs.compare_means(scores, "seconds", **design).row(0, named=True)
        assert (row["sd"], row["low"], row["pairs_negative"]) == (0.0, None, 0)
        assert row["pairs_tied"] == (0 if new[0] - old[0] > 0.05 else 3)
        verdict = rs.equivalence_means(scores, "seconds", margin=0.2, **design)["verdict"].item()
        assert verdict == "INCONCLUSIVE"
