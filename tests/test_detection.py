"""Detection and ranking: twins, another library's values, printed figures, degenerate cells."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import mannwhitneyu

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import detection as twin
from reference.agreement import midpoint_limits
from strategies import levels

FEW = settings(max_examples=40)
METRICS = [
    "sensitivity",
    "specificity",
    "precision",
    "negative_predictive_value",
    "f1",
    "accuracy",
    "balanced_accuracy",
    "prevalence",
]
# numpy.random.default_rng(4): labels, what a detector says, its scores with ties.
LABELS = [int(bit) for bit in "000101010000000100100001000011000010000100101110010100011100"]
SAID = [int(bit) for bit in "000100110011001110101001000011100110000111100110111100011100"]
SCORES = [1.2, 0.1, -0.9, 1.2, -1.7, 2.5, -0.2, 0.8, 2.3, 2.2, 0.1, 0.6, 1.1, 1.7, -0.1]
SCORES += [0.9, 1.2, 0.3, 1.6, 0.6, -1.1, -0.9, -2.6, 0.5, 1.3, -1.1, 1.2, 1.0, 0.7, 0.8]
SCORES += [0.1, -0.9, -0.3, -0.0, 1.4, 0.8, -0.7, 0.8, -0.8, 0.6, 0.4, -0.0, 0.7, 0.3, 0.2]
SCORES += [0.1, 0.6, 1.0, -0.1, 2.7, 0.2, -2.2, -0.4, 1.7, 0.0, 0.4, -0.1, 2.1, 1.0, 0.7]
ROWS = pl.DataFrame({"label": LABELS, "said": SAID, "score": SCORES})

Trials = list[tuple[int, int, int]]
trials = st.lists(
    st.tuples(st.sampled_from([0, 1]), st.sampled_from([0, 1]), st.integers(0, 4)),
    max_size=14,
)


def frame_of(rows: Trials, column: str = "said") -> pl.DataFrame:
    schema = dict.fromkeys(["label", column, "cluster"], pl.Int64)
    return pl.DataFrame(rows, schema=schema, orient="row")


def near(found: float | None, wanted: float | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-10)


# ── Rates of a detector ──────────────────────────────────────────────────────────────────────


@FEW
@given(trials, st.booleans(), levels)
def test_metrics_are_the_twin(rows: Trials, clustered: bool, level: float) -> None:
    cluster = "cluster" if clustered else None
    table = rs.detection(
        frame_of(rows),
        "label",
        "said",
        metrics=METRICS,
        cluster=cluster,
        confidence_level=level,
    )
    plain = [(bool(label), bool(said)) for label, said, _ in rows]
    clusters = [key for _, _, key in rows] if clustered else None
    for found, name in zip(table.iter_rows(named=True), METRICS, strict=True):
        n, value = twin.metric(plain, name)
        assert (found["metric"], found["n"]) == (name, n)
        assert near(found["estimate"], None if value is None else float(value))
        if name == "f1" and n:
            limits = twin.f1_limits(plain, clusters, level) or (None, None)
            assert near(found["low"], limits[0])
            assert near(found["high"], limits[1])
        if name == "balanced_accuracy" and value is not None:
            sides = [(1 - label, Fraction(label == said)) for label, said in plain]
            limits = midpoint_limits(sides, clusters, level) or (None, None)
            assert near(found["low"], limits[0])
            assert near(found["high"], limits[1])
        assert (found["low"] is None) == (found["reason"] is not None)


@FEW
@given(trials, st.booleans())
def test_a_metric_that_is_a_rate_is_that_rate(rows: Trials, clustered: bool) -> None:
    frame, cluster = frame_of(rows), "cluster" if clustered else None
    table = rs.detection(frame, "label", "said", metrics=METRICS, cluster=cluster)
    found = {row["metric"]: row for row in table.iter_rows(named=True)}
    label, said = pl.col("label"), pl.col("said")
    for name, kept, outcome in [
        ("sensitivity", label == 1, said),
        ("specificity", label == 0, 1 - said),
        ("precision", said == 1, label),
        ("negative_predictive_value", said == 0, 1 - label),
        ("accuracy", pl.lit(True), (label == said).cast(pl.Int64)),
        ("prevalence", pl.lit(True), label),
    ]:
        rate = rs.rate(frame.filter(kept), outcome, cluster=cluster).row(0, named=True)
        same = ["n", "n_clusters", "estimate", "low", "high"]
        assert [found[name][column] for column in same] == [rate[column] for column in same]


def test_metrics_are_those_of_another_library() -> None:
    table = rs.detection(ROWS, "label", "said")
    found = dict(table.select("metric", "estimate").iter_rows())
    # scikit-learn 1.x: recall_score, recall_score of the negatives, precision_score, f1_score,
    # accuracy_score and balanced_accuracy_score of LABELS and SAID.
    assert found == pytest.approx(
        {
            "sensitivity": 0.8947368421052632,
            "specificity": 0.7073170731707317,
            "precision": 0.5862068965517241,
            "f1": 0.7083333333333334,
            "accuracy": 0.7666666666666667,
            "balanced_accuracy": 0.8010269576379974,
            "prevalence": 19 / 60,
        },
        rel=1e-14,
    )


def test_printed_editor() -> None:
    """An editor that discards all but a little: 97.6 %, 4.0 %, and a precision by chance."""
    spans = pl.DataFrame(
        {
            "harmful": [1] * 126 + [0] * 126,
            "removed": [1] * 123 + [0] * 3 + [1] * 121 + [0] * 5,
        }
    )
    names = ["removal", "preservation", "edit_precision", "prevalence"]
    table = rs.detection(spans, "harmful", "removed", metrics=names)
    assert table["estimate"].round(3).to_list() == [0.976, 0.04, 0.504, 0.5]
    assert table["low"][2] < 0.5 < table["high"][2]


def test_cells_missing_values_and_laziness() -> None:
    frame = pl.DataFrame(
        {
            "cell": ["b", "a", "a", None, "b", "c"],
            "label": [1, 1, None, 0, 1, None],
            "said": [1.0, 0.0, 1.0, math.nan, None, 1.0],
            "cluster": [1, 1, 2, 3, 4, 5],
        }
    )
    for cluster in (None, "cluster"):
        options: dict[str, Any] = {"by": "cell", "cluster": cluster, "metrics": ["accuracy", "f1"]}
        table = rs.detection(frame, "label", "said", **options)
        assert table["cell"].to_list() == [None, None, "a", "a", "b", "b", "c", "c"]
        assert table["n_missing"].to_list() == [1, 1, 1, 1, 1, 1, 1, 1]
        assert table["n"].to_list() == [0, 0, 1, 1, 1, 1, 0, 0]
        assert table["estimate"].to_list() == [None, None, 0, 0, 1, 1, None, None]
        for other in (frame.lazy(), frame[::-1], frame.to_arrow()):
            found = rs.detection(other, "label", "said", **options)
            assert_frame_equal(found, table, check_exact=True)
    empty = rs.detection(frame.clear(), "label", "said", by="cell")
    assert empty.is_empty()
    assert empty.schema == rs.detection(frame, "label", "said", by="cell").schema


# ── Ranking ──────────────────────────────────────────────────────────────────────────────────


@FEW
@given(trials, st.integers(1, 3), st.booleans(), levels)
def test_area_is_the_twin(rows: Trials, grain: int, clustered: bool, level: float) -> None:
    scored = [(label, 3 * said + cluster // grain, cluster) for label, said, cluster in rows]
    frame = frame_of(scored, "score")
    cluster = "cluster" if clustered else None
    plain = [(bool(label), float(score)) for label, score, _ in scored]
    keys = [key if clustered else place for place, (_, _, key) in enumerate(scored)]
    whole = twin.area(plain)
    for method in ("auto", "logit"):
        options: dict[str, Any] = {"method": method, "confidence_level": level}
        found = rs.ranking(frame, "label", "score", cluster=cluster, **options).row(0, named=True)
        assert near(found["estimate"], None if whole is None else float(whole))
        limits = None if whole is None else twin.area_limits(plain, keys, level)[method]
        low, high = limits or (None, None)
        assert near(found["low"], low)
        assert near(found["high"], high)
        assert (found["low"] is None) == (found["reason"] is not None)


@FEW
@given(trials, st.booleans())
def test_pairs_are_the_twin(rows: Trials, clustered: bool) -> None:
    scored = [(label, said, pair) for label, said, pair in rows]
    frame = frame_of(scored, "score").with_columns(pair="cluster", cluster=pl.col("cluster") // 2)
    cluster = "cluster" if clustered else None
    table = rs.ranking(frame, "label", "score", pair="pair", cluster=cluster)
    found = table.row(0, named=True)
    plain = [(bool(label), float(score)) for label, score, _ in scored]
    wanted = twin.pairs(plain, [pair for _, _, pair in scored])
    assert found["n_pairs"] == len(wanted)
    mean = sum(float(value) for _, value in wanted) / len(wanted) if wanted else None
    assert near(found["pair_accuracy"], mean)


def test_area_is_that_of_another_library_and_of_the_u_test() -> None:
    found = rs.ranking(ROWS, "label", "score").row(0, named=True)
    # scikit-learn 1.x: roc_auc_score(LABELS, SCORES).
    assert found["estimate"] == pytest.approx(0.6649550706033376, rel=1e-14)
    positive = [score for score, label in zip(SCORES, LABELS, strict=True) if label]
    negative = [score for score, label in zip(SCORES, LABELS, strict=True) if not label]
    u = mannwhitneyu(positive, negative).statistic
    assert found["estimate"] == pytest.approx(u / (len(positive) * len(negative)), rel=1e-14)


def test_area_of_many_in_linear_time() -> None:
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 200_000)
    score = np.round(rng.normal(label), 2)
    found = rs.ranking({"a": label} and pl.DataFrame({"a": label, "b": score}), "a", "b")
    u = mannwhitneyu(score[label == 1], score[label == 0], method="asymptotic").statistic
    ones = int(label.sum())
    assert found["estimate"].item() == pytest.approx(u / (ones * (200_000 - ones)), rel=1e-12)


@pytest.mark.parametrize(
    ("labels", "scores", "estimate", "has_limits"),
    [
        ([1, 1, 0, 0], [2.0, 3.0, 0.0, 1.0], 1.0, True),
        ([1, 1, 0, 0], [1.0, 1.0, 1.0, 1.0], 0.5, True),
        ([1, 1], [1.0, 2.0], None, False),
        ([], [], None, False),
        ([1, 0, 0], [1.0, 2.0, 0.0], 0.5, False),
        ([1, 1, 0, 0], [math.inf, 0.0, -math.inf, 0.0], 0.875, True),
        ([None, 1, 0], [1.0, math.nan, None], None, False),
    ],
)
def test_degenerate_areas(
    labels: list[int | None],
    scores: list[float | None],
    estimate: float | None,
    has_limits: bool,
) -> None:
    frame = pl.DataFrame({"l": labels, "s": scores}, schema={"l": pl.Int64, "s": pl.Float64})
    found = rs.ranking(frame, "l", "s").row(0, named=True)
    assert found["estimate"] == estimate
    assert (found["low"] is not None) is has_limits
    assert (found["reason"] is None) is has_limits
    if has_limits:
        assert 0.0 <= found["low"] <= found["estimate"] <= found["high"] <= 1.0


def test_one_cluster_that_holds_all_of_a_kind() -> None:
    frame = pl.DataFrame({"l": [1, 1, 0, 0], "s": [1.0, 2.0, 0.0, 3.0], "c": [1, 1, 2, 3]})
    found = rs.ranking(frame, "l", "s", cluster="c").row(0, named=True)
    assert found["reason"] == "one cluster holds all positives or all negatives"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: rs.detection(f, "label", "score"), ColumnError, "other than 0 and 1"),
        (lambda f: rs.detection(f, "score", "said"), ColumnError, "label score"),
        (lambda f: rs.detection(f, "label", "text"), ColumnError, "Boolean or numbers"),
        (lambda f: rs.detection(f, "label", "sad"), ColumnError, "did you mean 'said'"),
        (lambda f: rs.detection(f, "label", "said", metrics=["recall"]), OptionError, "'recall'"),
        (
            lambda f: rs.detection(f, "label", "said", metrics=["f1", "f1"]),
            OptionError,
            "different",
        ),
        (lambda f: rs.detection(f, "label", "said", by="n"), ColumnError, "rename it first"),
        (lambda f: rs.detection(f, "label", "said", cluster="hole"), DesignError, "is null"),
        (lambda f: rs.ranking(f, "label", "text"), ColumnError, "must be numbers"),
        (lambda f: rs.ranking(f, "label", "score", method="delong"), OptionError, "'logit'"),
        (lambda f: rs.ranking(f, "label", "score", pair="hole"), DesignError, "pair 'hole' is"),
        (
            lambda f: rs.ranking(f, "label", "score", pair="p", cluster="said"),
            DesignError,
            "whole pairs",
        ),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], message: str) -> None:
    extra = {"text": pl.lit("x"), "n": pl.lit(1), "p": pl.lit(1)}
    holes = pl.when(pl.int_range(pl.len()) > 3).then(1)
    with pytest.raises(error, match=message):
        call(ROWS.with_columns(**extra, hole=holes))
