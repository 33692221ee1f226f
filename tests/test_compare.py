"""Paired comparisons against their twin, SciPy, printed figures and themselves."""

import datetime
import math
from collections.abc import Sequence
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
from reclaimstats.errors import ColumnError, DesignError, OptionError, ReclaimStatsError
from reference import stats as twin
from reference.paired import last_positive
from strategies import (
    PAIRED_TRIALS,
    bits,
    frame,
    levels,
    outcome_types,
    pair_counts,
    paired,
    paired_trials,
    seeds,
)

RESULT = {
    "treatment_level": pl.String,
    "baseline_level": pl.String,
    "n_pairs": pl.Int64,
    "n_clusters": pl.Int64,
    "n_unpaired_treatment": pl.Int64,
    "n_unpaired_baseline": pl.Int64,
    "n_missing": pl.Int64,
    "treatment": pl.Float64,
    "baseline": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "standard_error": pl.Float64,
    "standard_error_clustered": pl.Float64,
    "design_effect": pl.Float64,
    "detectable": pl.Float64,
    "treatment_only": pl.Int64,
    "baseline_only": pl.Int64,
    "mcnemar_p": pl.Float64,
    "mcnemar_log_p": pl.Float64,
    "clusters_positive": pl.Int64,
    "clusters_negative": pl.Int64,
    "clusters_tied": pl.Int64,
    "sign_p": pl.Float64,
    "sign_log_p": pl.Float64,
    "permutation_p": pl.Float64,
    "permutation_log_p": pl.Float64,
    "flip_p": pl.Float64,
    "flip_log_p": pl.Float64,
    "reading": pl.String,
    "method": pl.String,
    "confidence_level": pl.Float64,
    "n_resamples": pl.Int64,
    "seed": pl.UInt64,
    "reason": pl.String,
}
METHODS: list[dict[str, Any]] = [
    {},
    {"method": "t"},
    {"method": "percentile"},
    {"method": "percentile", "resampler": "monte-carlo", "n_resamples": 20},
]
REPLAY: dict[str, Any] = {"method": "percentile", "resampler": "cpython"}
DESIGN: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": ["item", "repeat"]}


def example(seed: int = 0, items: int = 20) -> pl.DataFrame:
    """Three arms in two cells; items of one to four repeats; some outcomes missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for task in ("arith", "logic"):
        for item in range(items):
            ease = rng.random()
            for repeat in range(rng.integers(1, 5)):
                for arm, gain in (("b", 0.0), ("lossy", 0.1), ("source-first", 0.3)):
                    hit = float(rng.random() < min(ease + gain, 1))
                    missing = rng.random() < 0.05
                    rows.append((task, arm, f"i{item:02}", repeat, None if missing else hit))
    schema = {"task": pl.String, "arm": pl.String, "item": pl.String, "repeat": pl.Int64}
    return pl.DataFrame(rows, schema=schema | {"correct": pl.Float64}, orient="row")


def table_of(both: int, first_only: int, second_only: int, neither: int) -> pl.DataFrame:
    """Independent pairs with these counts; arms "t" and "b"."""
    pairs = [(1, 1)] * both + [(1, 0)] * first_only + [(0, 1)] * second_only + [(0, 0)] * neither
    rows = [
        (arm, index, 0, pair[side])
        for index, pair in enumerate(pairs)
        for side, arm in enumerate("tb")
    ]
    schema = {"arm": pl.String, "item": pl.Int64, "repeat": pl.Int64, "correct": pl.Int8}
    return pl.DataFrame(rows, schema=schema, orient="row")


def one_row(trials: Any, **options: Any) -> dict[str, Any]:
    return rs.compare(trials, "correct", **(DESIGN | options)).row(0, named=True)


def assert_equal(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    assert_frame_equal(found, expected, check_exact=True)


# --- the twin


@given(
    rows=paired_trials(),
    dtype=outcome_types,
    by=st.sampled_from([[], ["cell"]]),
    cluster=st.sampled_from([[], ["item"], ["item", "repeat"]]),
    baseline=st.sampled_from("abc"),
    options=st.sampled_from(METHODS),
    level=levels,
    seed=seeds,
)
def test_agrees_with_its_twin(
    rows: list[dict[str, Any]],
    dtype: Any,
    by: list[str],
    cluster: list[str],
    baseline: str,
    options: dict[str, Any],
    level: float,
    seed: int,
) -> None:
    trials = frame(rows, dtype, **PAIRED_TRIALS)
    if dtype.is_float():
        trials = trials.with_columns(pl.col("correct").fill_null(math.nan))
    keywords = options | {
        "contrast": "arm",
        "baseline": baseline,
        "pair_by": ["item", "repeat"] if by else ["cell", "repeat", "item"],
        "cluster": cluster,
        "by": by,
        "confidence_level": level,
        "seed": seed,
    }
    if not by:
        # A null is a cell, but no key of a pair.
        trials = trials.with_columns(pl.col("cell").fill_null("o"))
        rows = [row | {"cell": row["cell"] or "o"} for row in rows]
    result = rs.compare(trials, "correct", **keywords)
    assert dict(result.schema) == dict.fromkeys(by, pl.String) | RESULT
    expected = twin.compare(rows, "correct", **keywords)
    twin.assert_same(result.to_dicts(), expected)
    assert not result.select(pl.selectors.float().is_nan().any()).row(0).count(True)


@given(rows=paired_trials(arms=2), n_resamples=st.integers(1, 60), level=levels, seed=seeds)
def test_replay_is_the_harness_loop_over_sorted_pairs(
    rows: list[dict[str, Any]], n_resamples: int, level: float, seed: int
) -> None:
    keywords = REPLAY | {
        "contrast": "arm",
        "baseline": "a",
        "pair_by": ["repeat", "item"],
        "by": ["cell"],
        "n_resamples": n_resamples,
        "confidence_level": level,
        "seed": seed,
    }
    result = rs.compare(frame(rows, **PAIRED_TRIALS), "correct", **keywords)
    twin.assert_same(result.to_dicts(), twin.compare(rows, "correct", **keywords))


@given(clusters=pair_counts(), options=st.sampled_from(METHODS), level=levels, seed=seeds)
def test_clusters_of_pairs_agree_with_the_twin(
    clusters: list[tuple[int, int, int, int]], options: dict[str, Any], level: float, seed: int
) -> None:
    trials = paired(clusters)
    keywords = DESIGN | options | {"cluster": ["item"], "confidence_level": level, "seed": seed}
    result = rs.compare(trials, "correct", **keywords)
    twin.assert_same(result.to_dicts(), twin.compare(trials.to_dicts(), "correct", **keywords))
    row = result.row(0, named=True)
    every = float(twin.permutation_test(clusters, twin.shuffle_ways_enumerated))
    assert math.isclose(row["permutation_p"], every, rel_tol=1e-12)


@given(pairs=st.lists(st.tuples(bits, bits), min_size=1, max_size=40), level=levels)
def test_newcombe_and_exact_percentile_of_independent_pairs(
    pairs: list[tuple[int, int]], level: float
) -> None:
    counts = [sum(pair == kind for pair in pairs) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))]
    both, first_only, second_only, neither = counts
    trials, tail = table_of(*counts), twin.tail_of(level)
    row = one_row(trials, confidence_level=level)
    expected = twin.newcombe((both, first_only, second_only, neither), float(tail))
    assert (row["low"], row["high"]) == pytest.approx(expected, abs=1e-11)
    row = one_row(trials, confidence_level=level, method="percentile")
    differences = [t - b for t, b in pairs]
    assert (row["low"], row["high"]) == twin.exact_percentile(differences, 1, tail)
    assert row["method"] == "percentile-exact"


def test_exact_percentile_of_many_pairs() -> None:
    rng = np.random.default_rng(8)
    differences = rng.choice([-1, 0, 1], 400, p=[0.1, 0.6, 0.3]).tolist()
    plus, minus, ties = (differences.count(d) for d in (1, -1, 0))
    trials = table_of(ties, plus, minus, 0)
    for level in (0.5, 0.95, 0.999999):
        row = one_row(trials, method="percentile", confidence_level=level)
        exact = twin.exact_percentile(differences, 1, twin.tail_of(level))
        assert (row["low"], row["high"]) == exact


# --- exact tests


@pytest.mark.parametrize(
    "clusters",
    [
        [(3, 2, 1, 1)] * 40,
        [(3, 3, 0, 3)] * 40,
        [(10, 7, 3, 5)] * 25,
        [(1, 1, 0, 1)] * 200 + [(1, 0, 1, 0)] * 150,
        [(2, 2, 1, 1)] * 300 + [(3, 0, 3, 0)] * 20,
        [(1, 1, 0, 1), (8, 7, 2, 5), (5, 1, 1, 1), (8, 4, 4, 2), (12, 9, 3, 8)],
    ],
)
def test_shuffled_labels_of_many_clusters(clusters: list[tuple[int, int, int, int]]) -> None:
    exact = twin.logarithm(twin.permutation_test(clusters))
    found = one_row(paired(clusters), cluster="item")["permutation_p"]
    assert math.isclose(math.log(found), exact, abs_tol=1e-11)


def lopsided(pairs: int, treatment: int, baseline: int, count: int) -> list[twin.PairCounts]:
    return [(pairs, treatment, baseline, treatment - min(treatment, baseline))] * count


@pytest.mark.parametrize(
    "cluster",
    [(30, 29, 1, 1), (60, 57, 1, 1), (100, 99, 1, 1), (200, 196, 1, 1), (60, 55, 5, 3)],
)
def test_shuffled_labels_of_large_lopsided_clusters(cluster: tuple[int, int, int, int]) -> None:
    clusters = lopsided(*cluster)
    exact = twin.logarithm(twin.permutation_test(clusters))
    found = one_row(paired(clusters), cluster="item")["permutation_p"]
    assert math.isclose(math.log(found), exact, abs_tol=1e-9)


@pytest.mark.parametrize(
    ("pairs", "treatment", "baseline"), [(3, 3, 0), (5, 4, 1), (7, 2, 6), (12, 9, 5), (25, 16, 9)]
)
def test_one_cluster_is_fishers_exact_test(pairs: int, treatment: int, baseline: int) -> None:
    table = [[treatment, pairs - treatment], [baseline, pairs - baseline]]
    row = one_row(paired(lopsided(pairs, treatment, baseline, 1)), cluster="item")
    assert row["permutation_p"] == pytest.approx(scipy.stats.fisher_exact(table).pvalue, rel=1e-10)
    assert (row["low"], row["high"], row["reason"]) == (None, None, "one cluster")
    assert (row["n_clusters"], row["sign_p"]) == (1, 1.0)


def test_one_pair_a_cluster_is_mcnemar_and_the_sign_test() -> None:
    trials = table_of(20, 28, 11, 37)
    row = one_row(trials, cluster="item")
    anchor = scipy.stats.binomtest(28, 39).pvalue
    for name in ("mcnemar_p", "sign_p", "permutation_p", "flip_p"):
        assert row[name] == pytest.approx(anchor, rel=1e-12)


def test_shuffling_within_clusters_is_scipys_permutation_test() -> None:
    """Trials of one cluster in both arms: SciPy enumerates all splits."""
    treatment, baseline = [1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 1, 0]
    anchor = scipy.stats.permutation_test(
        (treatment, baseline),
        lambda x, y: np.sum(x) - np.sum(y),
        permutation_type="independent",
        n_resamples=np.inf,
    )
    clusters = lopsided(6, sum(treatment), sum(baseline), 1)
    row = one_row(paired(clusters), cluster="item")
    assert row["permutation_p"] == pytest.approx(anchor.pvalue, rel=1e-12)


def test_swapping_within_pairs_is_scipys_permutation_test() -> None:
    trials = table_of(2, 6, 1, 1)
    differences = [0, 0, *[1] * 6, -1, 0]
    anchor = scipy.stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    row = one_row(trials, cluster="item")
    assert row["permutation_p"] == pytest.approx(anchor.pvalue, rel=1e-12)


@pytest.mark.parametrize("differences", [[3, 2, 2, -1, 0, 4], [1, -1, 1, 1], [5, 5, 5, -5, 2]])
def test_flipping_clusters_is_scipys_permutation_test(differences: list[int]) -> None:
    anchor = scipy.stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    clusters = [(6, max(d, 0), max(-d, 0), max(d, 0)) for d in differences]
    row = one_row(paired(clusters), cluster="item")
    assert row["flip_p"] == pytest.approx(anchor.pvalue, rel=1e-12)


def test_flips_keep_their_digits_far_out() -> None:
    clusters = [(3, 2 + i % 2, 0, 2 + i % 2) for i in range(900)]
    row = one_row(paired(clusters), cluster="item")
    # All lean one way: the observed and its mirror image are the only two of 2^900.
    assert math.isclose(math.log(row["flip_p"]), -899 * math.log(2), rel_tol=1e-14)


def test_standard_errors_are_in_closed_form() -> None:
    """Case B051 as a difference: cluster sums 3, 3, 0, 0 of three pairs, CR1 0.288675."""
    row = one_row(paired([(3, 3, 0, 3)] * 2 + [(3, 0, 0, 0)] * 2), cluster="item")
    assert row["standard_error_clustered"] == pytest.approx(math.sqrt(1 / 12), rel=1e-14)
    assert row["standard_error"] == pytest.approx(0.150756, abs=5e-7)
    assert row["design_effect"] == pytest.approx((1 / 12) / (0.25 / 11), rel=1e-14)
    factor = scipy.stats.norm.ppf(0.975) + scipy.stats.norm.ppf(0.8)
    assert row["detectable"] == pytest.approx(factor * math.sqrt(1 / 12), rel=1e-14)


def test_adjusted_p_values_count_the_rows_of_the_call() -> None:
    rows = rs.compare(example(), "correct", by="task", cluster="item", adjust="holm", **DESIGN)
    for test in P_VALUES:
        expected = twin.adjust(rows[test].to_list(), "holm")
        assert rows[f"{test}_adjusted"].to_list() == pytest.approx(expected, rel=1e-13)
    assert rows.height > 1
    for row in rows.to_dicts():
        plain = {f"{name}_adjusted": row[f"{name}_adjusted"] for name in P_VALUES}
        words = twin.reading_of(row | {test: plain[f"{test}_adjusted"] for test in P_VALUES}, 0.05)
        assert row["reading"].replace("_adjusted", "") == words


def test_ties_count_as_extreme() -> None:
    """Case B071: no difference at all is p = 1, not a little less."""
    row = one_row(paired([(3, 2, 1, 1), (3, 1, 2, 0)]), cluster="item")
    assert (row["difference"], row["permutation_p"], row["sign_p"]) == (0.0, 1.0, 1.0)
    assert (row["clusters_positive"], row["clusters_negative"]) == (1, 1)


@pytest.mark.parametrize(
    ("b", "c", "n", "difference", "p"),
    [
        (350, 93, 1668, 0.15408, 4.07e-36),  # A6
        (1, 6, 35, -0.1429, 0.125),  # A9
        (39, 0, 57, 0.6842, 3.64e-12),  # A16 and A18
        (6, 12, 78, -0.0769, 0.2379),  # D4
        (50, 21, 360, 0.0806, 0.00076676),  # S13
    ],
)
def test_printed_comparisons(b: int, c: int, n: int, difference: float, p: float) -> None:
    row = one_row(table_of(n - b - c, b, c, 0))
    assert (row["treatment_only"], row["baseline_only"], row["n_pairs"]) == (b, c, n)
    assert row["difference"] == pytest.approx(difference, abs=5e-5)
    assert row["mcnemar_p"] == pytest.approx(p, rel=2e-3)


def test_tasks_are_the_unit() -> None:
    """Case B081: four tasks of three runs, all won; two-sided, 2^-3."""
    row = one_row(paired([(3, 3, 0, 3)] * 4), cluster="item")
    assert (row["clusters_positive"], row["clusters_tied"]) == (4, 0)
    assert row["sign_p"] == pytest.approx(0.125)


# --- intervals with a name


@pytest.mark.parametrize(
    ("table", "printed"),
    [
        # Newcombe (1998), doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
        ((36, 12, 2, 0), (0.0569, 0.3404)),
        ((18, 12, 2, 18), (0.0562, 0.3290)),
        ((53, 0, 0, 1), (-0.0729, 0.0729)),
        # Fagerland, Lydersen and Laake (2014), doi:10.1002/sim.6148, both of their examples.
        ((1, 1, 7, 12), (-0.5069, -0.0256)),
        ((59, 6, 16, 80), (-0.1186, -0.0046)),
    ],
)
def test_printed_newcombe_intervals(
    table: tuple[int, int, int, int], printed: tuple[float, float]
) -> None:
    row = one_row(table_of(*table))
    assert (row["low"], row["high"]) == pytest.approx(printed, abs=5.1e-5)


def test_newcombe_without_correlation_is_two_wilsons() -> None:
    # A positive cross product of at most n / 2 counts as no correlation.
    row = one_row(table_of(3, 4, 4, 6))
    z = scipy.stats.norm.isf(0.025)
    low, high = twin.wilson(7 / 17, 17, z)
    arm = math.hypot(7 / 17 - low, high - 7 / 17)
    assert (row["low"], row["high"]) == pytest.approx((-arm, arm), abs=1e-13)


def test_identical_arms() -> None:
    for counts in ((5, 0, 0, 3), (8, 0, 0, 0), (0, 0, 0, 8)):
        row = one_row(table_of(*counts))
        assert row["difference"] == 0
        assert row["mcnemar_p"] == 1
        assert row["low"] <= 0 <= row["high"]
    row = one_row(paired([(3, 2, 2, 0), (2, 1, 1, 0), (3, 0, 0, 0)]), cluster="item")
    assert row["low"] == pytest.approx(-row["high"], abs=1e-15)
    assert (row["sign_p"], row["permutation_p"]) == (1, 1)


def test_opposite_arms() -> None:
    row = one_row(paired([(3, 3, 0, 3)] * 5), cluster="item")
    assert row["difference"] == 1
    assert (0 < row["low"] < 1, row["high"]) == (True, 1.0)
    exact = Fraction(2, 20**5)
    assert row["permutation_p"] == pytest.approx(float(exact), rel=1e-12)


# --- what must not matter


@pytest.mark.parametrize("options", [*METHODS, {"method": "percentile", "n_resamples": 50}])
@pytest.mark.parametrize("cluster", [None, "item"])
def test_only_the_trials_matter(options: dict[str, Any], cluster: str | None) -> None:
    trials = example()
    keywords = DESIGN | options | {"by": "task", "cluster": cluster}
    expected = rs.compare(trials, "correct", **keywords)
    assert expected.height == 4
    assert (expected["n_missing"] > 0).all()

    shuffled = trials.sample(fraction=1, shuffle=True, seed=1)
    chunked = pl.concat([shuffled[:1], shuffled[1:100], shuffled[100:]], rechunk=False)
    relabelled = pl.col("item").replace_strict({f"i{i:02}": 40 - i for i in range(20)})
    for same in (
        shuffled,
        chunked,
        trials.lazy(),
        chunked.lazy(),
        trials.to_arrow(),
        shuffled.to_arrow().to_reader(max_chunksize=50),
        trials.with_columns(relabelled),
        trials.with_columns(pl.col("item").cast(pl.Categorical)),
        trials.with_columns(pl.col("correct").cast(pl.Boolean)),
        trials.with_columns(pl.col("correct").cast(pl.Int16)),
        trials.with_columns(pl.col("correct").fill_null(math.nan)),
        trials.with_columns(noise=pl.lit("x")),
        trials.select(reversed(trials.columns)),
    ):
        assert_equal(rs.compare(same, "correct", **keywords), expected)

    more = pl.concat([trials, example(3, 4).filter(task="logic").with_columns(task=pl.lit("zzz"))])
    found = rs.compare(more, "correct", **keywords).filter(pl.col("task") != "zzz")
    assert_equal(found, expected)
    alone = [rs.compare(cell, "correct", **keywords) for cell in trials.partition_by("task")]
    assert_equal(pl.concat(alone), expected)
    two = trials.filter(pl.col("arm") != "lossy")
    without = expected.filter(pl.col("treatment_level") != "lossy")
    assert_equal(rs.compare(two, "correct", **keywords), without)
    backwards = keywords | {"pair_by": ["repeat", "item"]}
    assert_equal(rs.compare(trials, "correct", **backwards), expected)


@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["source-first", "b", "lossy"])])
@pytest.mark.parametrize("lazy", [False, True])
def test_arms_may_be_categories(kind: Any, lazy: bool) -> None:
    expected = rs.compare(example(), "correct", by="task", cluster="item", **DESIGN)
    trials: Any = example().with_columns(pl.col("arm").cast(kind))
    trials = trials.lazy() if lazy else trials
    found = rs.compare(trials, "correct", by="task", cluster="item", **DESIGN)
    assert found["treatment_level"].dtype == found["baseline_level"].dtype == kind
    found = found.with_columns(pl.col("treatment_level", "baseline_level").cast(pl.String))
    assert_equal(found.sort("task", "treatment_level"), expected)


@pytest.mark.parametrize(
    ("levels_of", "baseline"),
    [
        ({"b": 0, "lossy": 1, "source-first": 2}, 0),
        ({"b": 7, "lossy": 1, "source-first": 2}, 7.0),
        ({"b": 0.5, "lossy": 1.0, "source-first": 2.0}, 0.5),
        ({"b": True, "lossy": False, "source-first": False}, True),
        (
            {
                "b": datetime.date(2026, 1, 1),
                "lossy": datetime.date(2026, 2, 1),
                "source-first": datetime.date(2026, 3, 1),
            },
            datetime.date(2026, 1, 1),
        ),
    ],
)
def test_arms_may_be_anything(levels_of: dict[str, Any], baseline: Any) -> None:
    keep = ["b", "lossy"] if isinstance(baseline, bool) else list(levels_of)
    trials = example().filter(pl.col("arm").is_in(keep))
    expected = rs.compare(trials, "correct", cluster="item", by="task", **DESIGN)
    recoded = trials.with_columns(pl.col("arm").replace_strict(levels_of))
    keywords = DESIGN | {"baseline": baseline}
    found = rs.compare(recoded, "correct", cluster="item", by="task", **keywords)
    arms = ["treatment_level", "baseline_level"]
    assert found["treatment_level"].to_list() == [
        levels_of[name] for name in expected["treatment_level"]
    ]
    assert_equal(found.drop(arms), expected.drop(arms))


MIRRORED = {
    "treatment": "baseline",
    "treatment_only": "baseline_only",
    "clusters_positive": "clusters_negative",
    "n_unpaired_treatment": "n_unpaired_baseline",
}
SAME = ("n_pairs", "n_clusters", "n_missing", "clusters_tied", "method")
P_VALUES = ("mcnemar_p", "sign_p", "permutation_p", "flip_p")


def assert_same_p_values(row: dict[str, Any], other: dict[str, Any]) -> None:
    for name in P_VALUES:
        if row[name] is None:
            assert other[name] is None
        else:
            assert math.isclose(row[name], other[name], rel_tol=1e-12)


@settings(max_examples=40)
@given(
    rows=paired_trials(arms=2),
    options=st.sampled_from(METHODS[:2]),
    cluster=st.sampled_from([None, "item"]),
)
def test_swapping_the_arms_mirrors(
    rows: list[dict[str, Any]], options: dict[str, Any], cluster: str | None
) -> None:
    trials = frame(rows, pl.Int8, **PAIRED_TRIALS)
    keywords = DESIGN | options | {"by": "cell", "cluster": cluster}
    found = rs.compare(trials, "correct", **(keywords | {"baseline": "a"})).to_dicts()
    swapped = rs.compare(trials, "correct", **(keywords | {"baseline": "c"})).to_dicts()
    cells = {row["cell"]: row for row in swapped}
    for row in found:
        # A cell in which an arm is absent has a row only for the other.
        if not (other := cells.get(row["cell"])):
            continue
        for name, opposite in MIRRORED.items():
            assert (row[name], row[opposite]) == (other[opposite], other[name])
        for name in SAME:
            assert row[name] == other[name]
        assert_same_p_values(row, other)
        if row["low"] is not None and row["n_resamples"] is None:
            mirror = (-other["difference"], -other["high"], -other["low"])
            assert (row["difference"], row["low"], row["high"]) == pytest.approx(mirror, abs=1e-7)


@settings(max_examples=30)
@given(clusters=pair_counts(), level=levels)
def test_flipping_outcomes_mirrors(clusters: list[tuple[int, int, int, int]], level: float) -> None:
    trials = paired(clusters)
    for cluster in (None, "item"):
        row = one_row(trials, cluster=cluster, confidence_level=level)
        flipped = trials.with_columns(correct=1 - pl.col("correct"))
        other = one_row(flipped, cluster=cluster, confidence_level=level)
        mirror = (-other["difference"], -other["high"], -other["low"])
        if row["low"] is None:
            assert other["low"] is None
            continue
        assert (row["difference"], row["low"], row["high"]) == pytest.approx(mirror, abs=1e-7)
        assert row["treatment_only"] == other["baseline_only"]
        assert_same_p_values(row, other)


@settings(max_examples=30)
@given(clusters=pair_counts(), level=levels)
def test_what_holds_for_every_default_interval(
    clusters: list[tuple[int, int, int, int]], level: float
) -> None:
    trials = paired(clusters)
    for cluster in (None, "item"):
        row = one_row(trials, cluster=cluster, confidence_level=level)
        # Arms that agree cluster by cluster leave the root of a rounding error.
        assert -1 <= row["low"] <= row["difference"] + 1e-7
        assert row["difference"] - 1e-7 <= row["high"] <= 1
        # Each arm's own rate is what `rate` says over the same pairs.
        arms = rs.rate(trials, "correct", by="arm", cluster=cluster)
        assert arms["estimate"].to_list() == [row["baseline"], row["treatment"]]
        for name in P_VALUES:
            assert row[name] is None or 0 < row[name] <= 1
        if cluster is None:
            wide = one_row(trials, confidence_level=level + (1 - level) / 2)
            assert wide["low"] <= row["low"] < row["high"] <= wide["high"]


@pytest.mark.parametrize("clusters", [[(1, 0, 0, 0), (2, 1, 2, 0)], [(2, 0, 0, 0), (3, 1, 3, 0)]])
def test_a_higher_level_gives_a_wider_interval(clusters: list[tuple[int, int, int, int]]) -> None:
    narrow, wide = (
        one_row(paired(clusters), cluster="item", confidence_level=level) for level in (0.5, 0.75)
    )
    assert wide["low"] <= narrow["low"] < narrow["high"] <= wide["high"]


@pytest.mark.parametrize("clusters", [[(2, 2, 2, 0), (2, 0, 0, 0), (2, 1, 1, 0)] * 4])
def test_the_default_interval_is_never_a_point(
    clusters: list[tuple[int, int, int, int]],
) -> None:
    row = one_row(paired(clusters), cluster="item")
    assert row["low"] < row["high"]


# --- pairs and what is none


def trials_of(rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    schema = {"arm": pl.String, "item": pl.String, "repeat": pl.Int64, "correct": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_unpaired_and_missing_are_counted_on_both_sides() -> None:
    """Case B083 and more: nothing is dropped without being counted."""
    trials = trials_of(
        [
            ("t", "x", 0, 1), ("b", "x", 0, 0),  # a pair
            ("t", "x", 1, 1),  # treatment alone
            ("b", "y", 0, 0), ("b", "y", 1, 1),  # baseline alone, twice
            ("t", "z", 0, None), ("b", "z", 0, 1),  # treatment missing
            ("t", "z", 1, 0), ("b", "z", 1, math.nan),  # baseline missing
            ("t", "z", 2, None), ("b", "z", 2, None),  # both missing
        ]
    )  # fmt: skip
    for cluster in (None, "item"):
        row = one_row(trials, cluster=cluster)
        assert row["n_pairs"] == 1
        assert (row["n_unpaired_treatment"], row["n_unpaired_baseline"]) == (2, 3)
        assert row["n_missing"] == 4
        assert (row["treatment"], row["baseline"], row["difference"]) == (1, 0, 1)
        assert row["n_clusters"] == (1 if cluster else None)
        paired_rows = 2 * row["n_pairs"]
        unpaired = row["n_unpaired_treatment"] + row["n_unpaired_baseline"]
        assert paired_rows + unpaired + row["n_missing"] == trials.height


def test_several_arms_are_each_compared_with_the_baseline() -> None:
    result = rs.compare(example(), "correct", by="task", cluster="item", **DESIGN)
    assert result["treatment_level"].to_list() == ["lossy", "source-first"] * 2
    assert result["baseline_level"].unique().to_list() == ["b"]
    assert result["task"].to_list() == ["arith", "arith", "logic", "logic"]


def test_a_cell_without_baseline_has_a_reason() -> None:
    trials = trials_of([("t", "x", 0, 1), ("t", "y", 0, 0), ("b", "z", 0, 1), ("t", "z", 0, 1)])
    trials = trials.with_columns(cell=pl.when(item="z").then(2).otherwise(1))
    for options in (*METHODS, REPLAY):
        for cluster in (None, "item"):
            if cluster and options is REPLAY:
                continue
            result = rs.compare(trials, "correct", by="cell", cluster=cluster, **DESIGN, **options)
            first = result.row(0, named=True)
            assert (first["n_pairs"], first["reason"], first["method"]) == (0, "no pairs", "none")
            assert (first["n_unpaired_treatment"], first["n_unpaired_baseline"]) == (2, 0)
            nothing = ("treatment", "baseline", "difference", "low", "high", *P_VALUES)
            assert all(first[name] is None for name in nothing)
            assert result["n_pairs"].to_list() == [0, 1]


@pytest.mark.parametrize("options", [{}, {"cluster": "item"}, REPLAY, {"effect": "ratio"}])
def test_a_cell_without_an_arm_says_so(options: dict[str, Any]) -> None:
    trials = trials_of(
        [
            ("b", "x", 0, 1),
            ("b", "z", 0, 1),
            ("t", "z", 0, 1),
            ("t", "y", 0, None),
            ("t", "y", 1, 0),
        ]
    )
    trials = trials.with_columns(cell=pl.col("item"))
    result = rs.compare(trials, "correct", by="cell", **DESIGN, **options)
    columns = ["cell", "n_pairs", "n_unpaired_treatment", "n_unpaired_baseline", "n_missing"]
    assert result.select(columns).rows() == [
        ("x", 0, 0, 1, 0),
        ("y", 0, 1, 0, 1),
        ("z", 1, 0, 0, 0),
    ]
    assert result["treatment_level"].to_list() == ["t"] * 3
    assert result["reason"].head(2).to_list() == ["no pairs"] * 2
    assert result["reading"][0].startswith("no pairs; 1 trial without a partner")


# --- ratio and odds ratio


def arms_of(clusters: list[twin.PairCounts], tail: float) -> tuple[Any, ...]:
    first = [(treatment, pairs) for pairs, treatment, _, _ in clusters]
    second = [(baseline, pairs) for pairs, _, baseline, _ in clusters]
    limits = [twin.wilson_effective(arm, tail) for arm in (first, second)]
    rates = [sum(h for h, _ in arm) / sum(n for _, n in arm) for arm in (first, second)]
    return *rates, *limits, twin.correlation(clusters)


def ratio_low(p: float, q: float, p_limits: Any, q_limits: Any, r: float) -> float:
    """The least ratio at which square-and-add of p - ratio q does not lie above zero."""
    down, up = p - p_limits[0], q_limits[1] - q

    def excess(u: float) -> float:
        ratio = u / (1 - u)
        spread = down**2 - 2 * r * ratio * down * up + (ratio * up) ** 2
        return p - ratio * q - math.sqrt(max(spread, 0.0))

    u = last_positive(excess, 0.0, p / (p + q)) if p else 0.0
    return u / (1 - u)


@given(clusters=pair_counts(), level=levels)
def test_a_ratio_of_clusters_is_square_and_add_solved(
    clusters: list[tuple[int, int, int, int]], level: float
) -> None:
    row = one_row(paired(clusters), cluster="item", confidence_level=level, effect="ratio")
    p, q, p_limits, q_limits, r = arms_of(clusters, float(twin.tail_of(level)))
    if not p and not q:
        assert (row["ratio"], row["low"], row["method"]) == (None, None, "none")
        assert row["reason"] == "the baseline never succeeds"
        return
    assert row["method"] == "square-and-add-clustered"
    assert row["low"] == pytest.approx(ratio_low(p, q, p_limits, q_limits, r), rel=1e-6, abs=1e-7)
    if not q:
        assert (row["ratio"], row["high"]) == (None, None)
        assert row["reason"] == "the baseline never succeeds"
    else:
        high = 1 / ratio_low(q, p, q_limits, p_limits, r) if p else None
        assert row["ratio"] == pytest.approx(p / q)
        assert row["reason"] is None
        if high is not None:
            assert row["high"] == pytest.approx(high, rel=1e-6)
    plain = one_row(paired(clusters), cluster="item", confidence_level=level)
    same = [name for name in plain if name not in {"low", "high", "method", "reason"}]
    assert {name: row[name] for name in same} == {name: plain[name] for name in same}


@given(clusters=pair_counts(), level=levels)
def test_an_odds_ratio_of_clusters_is_of_their_discordant_pairs(
    clusters: list[tuple[int, int, int, int]], level: float
) -> None:
    row = one_row(paired(clusters), cluster="item", confidence_level=level, effect="odds-ratio")
    split = [(only, 2 * only + b - t) for _, t, b, only in clusters]
    split = [(hits, trials) for hits, trials in split if trials]
    b, c = sum(h for h, _ in split), sum(n - h for h, n in split)
    assert row["odds_ratio"] == (b / c if c else None)
    if len(split) < 2:
        reason = "one cluster with discordant pairs" if split else "no discordant pairs"
        assert (row["low"], row["high"], row["reason"]) == (None, None, reason)
        return
    low, high = twin.wilson_effective(split, float(twin.tail_of(level)))
    assert row["low"] == pytest.approx(low / (1 - low), rel=1e-9, abs=1e-12)
    if c:
        assert row["high"] == pytest.approx(high / (1 - high), rel=1e-6)
    else:
        assert row["high"] is None
        assert row["reason"] == "no pair in which only the baseline succeeds"
    assert row["method"] == "wilson-effective"


@given(pairs=st.lists(st.tuples(bits, bits), max_size=40), level=levels)
def test_effects_of_independent_pairs_are_those_of_the_table(
    pairs: list[tuple[int, int]], level: float
) -> None:
    counts = [sum(pair == kind for pair in pairs) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))]
    trials = pl.concat(
        [
            table_of(*counts),
            trials_of([("t", "9", 9, None), ("b", "8", 8, None)]).with_columns(
                pl.col("item").cast(pl.Int64), pl.col("correct").cast(pl.Int8)
            ),
        ]
    )
    table = [counts[:2], counts[2:]]
    for effect, expected in (
        ("ratio", rs.stats.paired_ratio(table, confidence_level=level)),
        ("odds-ratio", rs.stats.paired_odds_ratio(table, method="wilson", confidence_level=level)),
    ):
        row = one_row(trials, effect=effect, confidence_level=level)
        assert row[effect.replace("-", "_")] == expected.estimate
        assert (row["low"], row["high"]) == (expected.low, expected.high)
        assert row["reason"] == expected.reason


def test_effects_are_checked() -> None:
    with pytest.raises(OptionError, match="'difference', 'ratio', 'odds-ratio'"):
        one_row(example(), effect="risk-ratio")
    with pytest.raises(OptionError, match="method='auto'"):
        one_row(example(), effect="ratio", method="percentile")
    with pytest.raises(ColumnError, match="ratio"):
        one_row(example().rename({"task": "ratio"}), effect="ratio", by="ratio")


def test_all_missing() -> None:
    trials = example().with_columns(correct=pl.lit(None, pl.Float64))
    for column in (
        pl.lit(None, pl.Float64),
        pl.lit(math.nan),
        pl.lit(None),
        pl.lit(None, pl.Boolean),
    ):
        row = one_row(example().with_columns(correct=column), pair_by=["task", "item", "repeat"])
        assert (row["n_pairs"], row["reason"]) == (0, "no pairs")
        assert row["n_missing"] == trials.filter(pl.col("arm") != "source-first").height


def test_null_and_nan_cells_are_cells() -> None:
    expected = rs.compare(example(), "correct", by="task", cluster="item", **DESIGN)
    nulled = example().with_columns(task=pl.when(task="arith").then("task"))
    nulled = nulled.with_columns(pl.col("task").is_null().or_(pl.lit(False)).alias("was")).drop(
        "was"
    )
    found = rs.compare(nulled, "correct", by="task", cluster="item", **DESIGN)
    assert found["task"].to_list() == [None, None, "arith", "arith"]
    assert_equal(found.drop("task")[2:], expected.drop("task")[:2])
    assert_equal(found.drop("task")[:2], expected.drop("task")[2:])
    as_float = example().with_columns(task=pl.when(task="arith").then(0.0).otherwise(math.nan))
    found = rs.compare(as_float, "correct", by="task", cluster="item", **DESIGN)
    assert_equal(found.drop("task"), expected.drop("task"))


# --- names


@pytest.mark.parametrize("name", [*RESULT, "n", "successes", "missing", "outcome", "len"])
def test_contrast_keys_and_clusters_may_have_any_name(name: str) -> None:
    expected = rs.compare(example(), "correct", by="task", cluster="item", **DESIGN)
    for role in ("arm", "item", "repeat", "correct"):
        keywords = {
            "contrast": "arm",
            "baseline": "b",
            "pair_by": ["item", "repeat"],
            "cluster": "item",
            "by": "task",
        }
        new: dict[str, Any] = {
            key: [name if v == role else v for v in value]
            if isinstance(value, list)
            else (name if value == role else value)
            for key, value in keywords.items()
        }
        outcome = name if role == "correct" else "correct"
        found = rs.compare(example().rename({role: name}), outcome, **new)
        assert_equal(found, expected)


@pytest.mark.parametrize("name", list(RESULT))
def test_by_must_leave_result_columns_alone(name: str) -> None:
    with pytest.raises(ColumnError, match=f"by: column '{name}' has the name of a result column"):
        rs.compare(example().rename({"task": name}), "correct", by=name, **DESIGN)


def test_by_and_pair_by_may_overlap() -> None:
    expected = rs.compare(example(), "correct", by="task", cluster="item", **DESIGN)
    keywords = DESIGN | {"pair_by": ["task", "item", "repeat"]}
    found = rs.compare(example(), "correct", by="task", cluster="item", **keywords)
    assert_equal(found, expected)


def test_cluster_may_be_part_of_a_cell_or_a_pair() -> None:
    expected = rs.compare(example(), "correct", by="task", cluster="item", **DESIGN)
    found = rs.compare(example(), "correct", by="task", cluster=["task", "item"], **DESIGN)
    assert_equal(found, expected)
    moved = example().with_columns(group=pl.col("item") + "!")
    assert_equal(rs.compare(moved, "correct", by="task", cluster="group", **DESIGN), expected)
    whole = rs.compare(example(), "correct", by="task", cluster="task", **DESIGN)
    assert whole["reason"].to_list() == ["one cluster"] * 4


# --- bad input


@pytest.mark.parametrize("lazy", [False, True])
def test_a_pair_that_occurs_twice_is_named_three_times(lazy: bool) -> None:
    trials: Any = pl.concat([example(), example().head(7)])
    trials = trials.lazy() if lazy else trials
    keywords = DESIGN | {"by": "task"}
    with pytest.raises(DesignError, match="7 pair keys occur more than once") as error:
        rs.compare(trials, "correct", **keywords)
    assert str(error.value).count("'repeat':") == 3
    assert "add the columns that tell those trials apart" in str(error.value)
    with pytest.raises(DesignError, match="more than once"):
        rs.compare(example(), "correct", **DESIGN)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(
    ("column", "keywords"), [("arm", {}), ("item", {}), ("group", {"cluster": "group"})]
)
def test_a_null_key_is_an_error(column: str, keywords: dict[str, Any], lazy: bool) -> None:
    trials: Any = example().filter(pl.col("task") == "arith").with_columns(group=pl.col("item"))
    n = trials.filter(pl.col("item") == "i03").height
    trials = trials.with_columns(pl.when(pl.col("item") != "i03").then(column).alias(column))
    trials = trials.lazy() if lazy else trials
    with pytest.raises(DesignError, match=f"'{column}' is null or NaN in {n} trials"):
        rs.compare(trials, "correct", **DESIGN, **keywords)


def test_a_cluster_must_hold_whole_pairs() -> None:
    trials = trials_of([("t", "x", 0, 1), ("b", "x", 0, 0), ("t", "y", 0, 1), ("b", "y", 0, None)])
    trials = trials.with_columns(group=pl.col("arm"))
    with pytest.raises(DesignError, match=r"1 pairs have their two trials in different clusters"):
        rs.compare(trials, "correct", cluster="group", **DESIGN)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"baseline": "c"}, DesignError, "baseline='c' does not occur in 'arm', which holds 'b'"),
        ({"baseline": None}, DesignError, "baseline=None does not occur"),
        ({"baseline": 0}, DesignError, "baseline=0 does not occur"),
        ({"contrast": "amr"}, ColumnError, "contrast: no column 'amr'; did you mean 'arm'"),
        ({"pair_by": ["item", "rpeat"]}, ColumnError, "pair_by: no column 'rpeat'"),
        ({"cluster": "itm"}, ColumnError, "cluster: no column 'itm'"),
        ({"by": "tsk"}, ColumnError, "by: no column 'tsk'; did you mean 'task'"),
        ({"pair_by": []}, DesignError, "pair_by is empty"),
        ({"pair_by": None}, DesignError, "pair_by is empty"),
        ({"pair_by": ["arm", "item"]}, DesignError, "pair_by must not hold the contrast"),
        ({"by": "arm"}, DesignError, "by must not hold the contrast"),
        ({"cluster": "arm"}, DesignError, "cluster must not hold the contrast"),
        ({"method": "bca"}, OptionError, "method='bca' is unknown"),
        ({"resampler": "cpython"}, OptionError, "use method='percentile' with it"),
        (REPLAY | {"cluster": "item"}, DesignError, "leave cluster= out"),
        ({"confidence_level": 95}, OptionError, "confidence_level=95"),
        ({"seed": -1}, OptionError, "seed=-1"),
        ({"n_resamples": 0}, OptionError, "n_resamples=0"),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        rs.compare(example(), "correct", **({"by": "task"} | DESIGN | options))


@pytest.mark.parametrize(
    "options",
    [
        {"contrast": ["arm"]},
        {"contrast": None},
        {"contrast": pl.col("arm")},
        {"baseline": pl.Series(["b", "lossy"])},
        {"baseline": np.array(["b", "lossy"])},
    ],
)
def test_options_of_the_wrong_kind(options: dict[str, Any]) -> None:
    with pytest.raises(ReclaimStatsError):
        rs.compare(example(), "correct", **({"by": "task"} | DESIGN | options))


def test_one_arm_is_no_comparison() -> None:
    with pytest.raises(DesignError, match="holds only the baseline 'b'"):
        rs.compare(example().filter(pl.col("arm") == "b"), "correct", by="task", **DESIGN)
    for trials in (example().clear(), example().clear().lazy()):
        with pytest.raises(DesignError, match="holds nothing: there are no trials"):
            rs.compare(trials, "correct", **DESIGN)


@pytest.mark.parametrize("value", [0.5, 2.0, math.inf])
def test_other_values_are_named(value: float) -> None:
    trials = example().with_columns(correct=pl.when(repeat=0).then(value).otherwise("correct"))
    for cluster in (None, "item"):
        with pytest.raises(ColumnError, match=f"other than 0 and 1, such as {value}"):
            rs.compare(trials, "correct", by="task", cluster=cluster, **DESIGN)
    with pytest.raises(ColumnError, match="'arm' has type String"):
        rs.compare(example(), "arm", by="task", **DESIGN)


@settings(max_examples=20)
@given(seed=seeds)
def test_a_seed_gives_one_result(seed: int) -> None:
    drawn = {"method": "percentile", "resampler": "monte-carlo", "seed": seed}
    keywords = DESIGN | {"by": "task", "cluster": "item"} | drawn
    first = rs.compare(example(), "correct", n_resamples=50, **keywords)
    assert first["method"].unique().to_list() == ["percentile-monte-carlo"]
    assert_equal(rs.compare(example(), "correct", n_resamples=50, **keywords), first)
    assert first["seed"].to_list() == [seed] * 4


def test_the_baseline_may_be_spelled_in_another_type() -> None:
    trials = pl.DataFrame(
        {"dose": [0.5, 0.5, 1.0, 1.0], "item": [1, 2, 1, 2], "correct": [0, 1, 1, 1]}
    )
    rows = rs.compare(trials, "correct", contrast="dose", baseline=np.float32(0.5), pair_by="item")
    assert rows["treatment_level"].to_list() == [1.0]
    assert rows["n_pairs"].to_list() == [2]


def test_no_detectable_difference_is_above_one() -> None:
    trials = pl.DataFrame(
        {"arm": ["t"] * 4 + ["b"] * 4, "item": [*range(4)] * 2, "hit": [1, 0, 1, 0, 0, 1, 0, 1]}
    )
    design: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": "item"}
    for options in ({}, {"cluster": "item"}):
        row = rs.compare(trials, "hit", **design, **options).row(0, named=True)
        assert row["standard_error"] > 0
        assert row["detectable"] is None
        assert row["reading"].endswith(
            "no difference could be found four times in five with so few"
        )


@pytest.mark.parametrize("hole", [None, math.nan])
def test_a_key_is_neither_null_nor_nan(hole: float | None) -> None:
    keys = {
        "k": [1.0, 2.0, 3.0, hole] * 2,
        "arm": [0.0] * 4 + [1.0] * 3 + [hole],
        "hit": [0, 1] * 4,
    }
    trials = pl.DataFrame(keys, strict=False).with_columns(item=pl.Series([1, 2, 3, 4] * 2))
    paired: dict[str, Any] = {"baseline": 0.0, "contrast": "arm"}
    sound = trials.with_columns(arm=pl.Series([0] * 4 + [1] * 4)).with_columns(
        rater=pl.col("arm").cast(pl.String)
    )
    for call in (
        lambda: rs.rate(trials, "hit", cluster="k"),
        lambda: rs.mean(trials, "hit", cluster="k"),
        lambda: rs.compare(trials, "hit", **paired, pair_by="item"),
        lambda: rs.compare(sound, "hit", **paired, pair_by="k"),
        lambda: rs.compare(sound, "hit", **paired, pair_by="item", cluster="k"),
        lambda: rs.compare_unpaired(trials, "hit", **paired),
        lambda: rs.compare_unpaired(sound, "hit", **paired, cluster="k"),
        lambda: rs.repeats(trials, "hit", item="k", k=1),
        lambda: rs.agreement(sound, "hit", item="k", rater="rater"),
        lambda: rs.agreement(trials, "hit", item="item", rater="arm"),
        lambda: rs.evidence(sound, "hit", **paired, pair_by="item", order_by="k"),
        lambda: rs.detection(trials, "hit", "hit", cluster="k"),
        lambda: rs.stats.rate(trials["hit"], cluster=trials["k"]),
        lambda: rs.stats.sign_flip(trials["hit"], cluster=trials["k"]),
        lambda: rs.stats.tost(trials["hit"], cluster=trials["k"], margin=0.1, bounds=(-1, 1)),
    ):
        with pytest.raises(DesignError, match="null or NaN"):
            call()
