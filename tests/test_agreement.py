"""Agreement of raters: twins, printed figures, other libraries' values, degenerate cells."""

import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import agreement as twin
from reference.stats import normal_quantile, wilson
from strategies import levels

SCHEMA = {
    "n": pl.Int64,
    "n_ratings": pl.Int64,
    "n_categories": pl.Int64,
    "n_clusters": pl.Int64,
    "n_missing": pl.Int64,
    "agreement": pl.Float64,
    "agreement_low": pl.Float64,
    "agreement_high": pl.Float64,
    "coefficient": pl.String,
    "observed": pl.Float64,
    "chance": pl.Float64,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "method": pl.String,
    "confidence_level": pl.Float64,
    "reason": pl.String,
}
NUMBERS = ["agreement", "observed", "chance", "estimate", "low", "high"]
Rating = int | None
Wide = list[tuple[int, list[Rating]]]
# A call takes milliseconds, and these make several.
FEW = settings(max_examples=30)

# The table of Fleiss, Cohen and Everitt (1969).
CLINIC = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]
# The table of Fleiss (1971) as an encyclopedia prints it: 10 items, 14 raters, 5 categories.
SUBJECTS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
# statsmodels 0.14: cohens_kappa(CLINIC, wt=...).var_kappa.
VARIANCES = {
    "unweighted": 0.002601185192056258,
    "linear": 0.002962876282410356,
    "quadratic": 0.0044160917970084,
}
# krippendorff 0.9: alpha(reliability_data=CODERS, level_of_measurement=...).
ALPHAS = {
    "nominal": 0.691358024691358,
    "ordinal": 0.8067214199413153,
    "interval": 0.8108448928121059,
}
# irrCAC 0.4, five decimals: CAC(CODERS as columns).fleiss(), .gwet() and .krippendorff().
UNEVEN = {"fleiss": 0.68602, "ac1": 0.70916, "krippendorff": 0.69136}
# Three coders of fifteen units, with gaps.
CODERS: list[list[float | None]] = [
    [None, None, None, None, None, 3, 4, 1, 2, 1, 1, 3, 3, None, 3],
    [1, None, 2, 1, 3, 3, 4, 3, None, None, None, None, None, None, None],
    [None, None, 2, 1, 3, 4, 4, None, 2, 1, 1, 3, 3, None, 4],
]


def pairs_of(table: Sequence[Sequence[int]]) -> pl.DataFrame:
    """One row an item, from counts of what one rater says (row) and another (column)."""
    places = itertools.product(range(len(table)), range(len(table[0])))
    rows = [(a, b) for a, b in places for _ in range(table[a][b])]
    return pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Int64}, orient="row")


def near(found: Any, wanted: Any) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-10)


def frame_of(rows: Wide) -> pl.DataFrame:
    width = len(rows[0][1]) if rows else 2
    data = {f"r{i}": [ratings[i] for _, ratings in rows] for i in range(width)}
    schema = dict.fromkeys(data, pl.Int64)
    clusters = pl.Series("cluster", [cluster for cluster, _ in rows], pl.Int64)
    return pl.DataFrame(data, schema=schema).with_columns(clusters)


@st.composite
def wide(draw: st.DrawFn, *, raters: int | None = None) -> Wide:
    """Items with a cluster and ratings, some missing; kinds that are hard on a coefficient."""
    width = raters or draw(st.integers(2, 4))
    ratings = draw(st.sampled_from([[0, 1], [0, 1, 2, 3], [0, 2, None], [1], [0, 0, 0, 1, None]]))
    row = st.tuples(
        st.integers(0, 3), st.lists(st.sampled_from(ratings), min_size=width, max_size=width)
    )
    return draw(st.lists(row, max_size=9))


# ── Against the twin ─────────────────────────────────────────────────────────────────────────


def expected(
    rows: Wide, coefficient: str, scale: str, clustered: bool, level: float, n_categories: int
) -> dict[str, float | None]:
    """The numbers of a row by the twin."""
    items = [[rating for rating in ratings if rating is not None] for _, ratings in rows]
    clusters = [cluster for cluster, _ in rows]
    if coefficient == "cohen":
        kept = [number for number, item in enumerate(items) if len(item) == 2]
    else:
        kept = [number for number, item in enumerate(items) if item]
    items, clusters = [items[i] for i in kept], [clusters[i] for i in kept]
    groups = clusters if clustered else None
    rated = [int(len(item) > 1) for item in items]
    result: dict[str, float | None] = dict.fromkeys([*NUMBERS, "agreement_low"])
    if not sum(rated):
        return result
    raw = twin.estimate(items, groups, lambda w: (twin.raw(items, w), twin.Dual(0)), rated, level)
    assert raw is not None
    result |= {"agreement": raw["estimate"], "agreement_low": raw["low"]}
    pair = all(len(item) == 2 for item in items if len(item) > 1)
    if not clustered and pair:
        z = normal_quantile(float(twin.tail_of(level)))
        result["agreement_low"] = wilson(raw["estimate"] or 0.0, sum(rated), z)[0]
    if coefficient == "cohen":
        distance = {
            "unweighted": twin.nominal,
            "linear": twin.steps(1, n_categories),
            "quadratic": twin.steps(2, n_categories),
        }[scale]
        found = twin.estimate(items, groups, lambda w: twin.cohen(items, w, distance), rated, level)
    elif coefficient == "krippendorff":
        distance = {
            "nominal": twin.nominal,
            "ordinal": twin.ranks(items),
            "interval": twin.squares([0.0, 1.5, 4.0, -2.0], items),
        }[scale]
        sizes = [len(item) if len(item) > 1 else 0 for item in items]
        found = twin.estimate(
            items, groups, lambda w: twin.krippendorff(items, w, distance), sizes, level
        )
    else:
        ac1 = coefficient == "ac1"
        if ac1 and n_categories < 2:
            return result
        found = twin.estimate(
            items,
            groups,
            lambda w: twin.pooled(items, w, n_categories, ac1=ac1),
            [1] * len(items),
            level,
        )
    constant = coefficient == "cohen" and any(
        len({item[side] for item in items}) == 1 for side in (0, 1)
    )
    ratings = [rating for item in items if len(item) > 1 for rating in item]
    lone = len(ratings) - max(map(ratings.count, ratings), default=0) == 1
    constant = constant or (coefficient in ("fleiss", "krippendorff") and lone)
    if found is None:
        shown = "chance", "observed"
        return result | (dict.fromkeys(shown, 1.0) if coefficient == "cohen" else {})
    if constant:
        found |= {"low": None, "high": None}
    return result | found


def check(rows: Wide, coefficient: str, scale: str, clustered: bool, level: float) -> None:
    frame = frame_of(rows)
    columns = [name for name in frame.columns if name != "cluster"]
    options: dict[str, Any] = {"coefficient": coefficient, "confidence_level": level}
    if coefficient == "cohen":
        options |= {"weights": scale, "categories": [0, 1, 2, 3]}
    elif coefficient == "krippendorff":
        options["metric"] = scale
    if scale == "interval":
        values = {0: 0.0, 1: 1.5, 2: 4.0, 3: -2.0}
        frame = frame.with_columns(
            pl.col(columns).replace_strict(values, return_dtype=pl.Float64, default=None)
        )
    cluster = "cluster" if clustered else None
    table = rs.agreement(frame, columns, cluster=cluster, **options)
    seen = {rating for _, ratings in rows for rating in ratings if rating is not None}
    n_categories = 4 if coefficient == "cohen" else len(seen)
    wanted = expected(rows, coefficient, scale, clustered, level, n_categories)
    found = table.row(0, named=True)
    assert {name: found[name] for name in wanted} == {
        name: found[name] if near(found[name], value) else value for name, value in wanted.items()
    }
    assert dict(table.schema) == SCHEMA
    assert (found["estimate"] is None or found["low"] is None) == (found["reason"] is not None)


@FEW
@given(
    wide(raters=2), st.sampled_from(["unweighted", "linear", "quadratic"]), st.booleans(), levels
)
def test_cohen_is_the_twin(rows: Wide, weights: str, clustered: bool, level: float) -> None:
    check(rows, "cohen", weights, clustered, level)


@FEW
@given(wide(), st.sampled_from(["fleiss", "ac1"]), st.booleans(), levels)
def test_pooled_coefficients_are_the_twin(
    rows: Wide, coefficient: str, clustered: bool, level: float
) -> None:
    check(rows, coefficient, "", clustered, level)


@FEW
@given(wide(), st.sampled_from(["nominal", "ordinal", "interval"]), st.booleans(), levels)
def test_alpha_is_the_twin(rows: Wide, metric: str, clustered: bool, level: float) -> None:
    check(rows, "krippendorff", metric, clustered, level)


# ── Other forms of the same ratings ──────────────────────────────────────────────────────────


@FEW
@given(wide(), st.sampled_from(["fleiss", "krippendorff", "ac1"]), st.booleans())
def test_long_is_wide(rows: Wide, coefficient: str, clustered: bool) -> None:
    frame = frame_of(rows).with_row_index("item")
    columns = [name for name in frame.columns if name.startswith("r")]
    long = frame.unpivot(columns, index=["item", "cluster"], variable_name="rater")
    shared: dict[str, Any] = {
        "coefficient": coefficient,
        "cluster": "cluster" if clustered else None,
    }
    found = rs.agreement(long, "value", item="item", rater="rater", **shared)
    assert_frame_equal(found, rs.agreement(frame, columns, **shared), rel_tol=1e-10)


@FEW
@given(wide(raters=2), st.booleans())
def test_two_raters_of_a_long_table_are_two_columns(rows: Wide, clustered: bool) -> None:
    frame = frame_of(rows).with_row_index("item")
    long = frame.unpivot(["r0", "r1"], index=["item", "cluster"], variable_name="rater")
    shared: dict[str, Any] = {"coefficient": "cohen", "cluster": "cluster" if clustered else None}
    found = rs.agreement(long, "value", item="item", rater="rater", **shared)
    assert_frame_equal(found, rs.agreement(frame, ["r0", "r1"], **shared))


@settings(max_examples=8)
@given(wide(raters=2), st.sampled_from(["cohen", "fleiss", "krippendorff"]))
def test_order_of_rows_laziness_and_type_change_nothing(rows: Wide, coefficient: str) -> None:
    frame = frame_of(rows).with_columns(cell=pl.col("cluster") % 2)
    shared: dict[str, Any] = {"by": "cell", "cluster": "cluster", "coefficient": coefficient}
    whole = rs.agreement(frame, ["r0", "r1"], **shared)
    for other in (
        frame[::-1],
        frame[::-1].lazy(),
        frame.with_columns(pl.col("r0", "r1").cast(pl.String)),
        frame.with_columns(pl.col("r0", "r1").cast(pl.String).cast(pl.Categorical)),
        frame.with_columns(pl.col("r0").cast(pl.Float64).fill_null(math.nan)),
        frame.to_arrow(),
    ):
        assert_frame_equal(rs.agreement(other, ["r0", "r1"], **shared), whole, check_exact=True)


@settings(max_examples=12)
@given(wide(raters=2), st.sampled_from(["cohen", "fleiss", "krippendorff", "ac1"]))
def test_a_cell_is_what_it_is_alone(rows: Wide, coefficient: str) -> None:
    frame = frame_of(rows)
    whole = rs.agreement(frame, ["r0", "r1"], by="cluster", coefficient=coefficient)
    for (cluster,), part in frame.group_by("cluster"):
        alone = rs.agreement(part, ["r0", "r1"], coefficient=coefficient)
        one = whole.filter(pl.col("cluster") == cluster).drop("cluster")
        assert_frame_equal(one, alone, check_exact=True)


# ── Printed and other libraries' values ──────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("weights", "kappa"),
    # statsmodels 0.14: cohens_kappa(CLINIC, wt=None | "linear" | "quadratic").kappa, and
    # scikit-learn's cohen_kappa_score(a, b, weights=...).
    [
        ("unweighted", 0.4915254237288135),
        ("linear", 0.4736842105263158),
        ("quadratic", 0.4545454545454546),
    ],
)
def test_cohen_is_that_of_other_libraries(weights: str, kappa: float) -> None:
    found = rs.agreement(pairs_of(CLINIC), ["a", "b"], weights=weights)["estimate"].item()
    assert found == pytest.approx(kappa, rel=1e-12)


def test_the_variance_is_that_of_large_samples() -> None:
    """With many items the interval is the estimate and its large-sample error (1969)."""
    table = [[1000 * count for count in row] for row in CLINIC]
    for weights, variance in VARIANCES.items():
        found = rs.agreement(pairs_of(table), ["a", "b"], weights=weights).row(0, named=True)
        width = 2 * 1.959963984540054 * math.sqrt(variance / 1000)
        assert found["high"] - found["low"] == pytest.approx(width, rel=2e-3)


def test_fleiss_is_that_of_other_libraries() -> None:
    found = rs.stats.agreement_of_counts(SUBJECTS)
    # statsmodels 0.14: fleiss_kappa(SUBJECTS).
    assert found.estimate == pytest.approx(0.20993070442195522, rel=1e-12)
    assert (found.n, found.n_ratings, found.n_categories) == (10, 140, 5)


@pytest.mark.parametrize(("metric", "alpha"), ALPHAS.items())
def test_alpha_is_that_of_another_library(metric: str, alpha: float) -> None:
    found = rs.stats.krippendorff_alpha(CODERS, metric=metric)
    assert found.estimate == pytest.approx(alpha, rel=1e-12)


@pytest.mark.parametrize(("coefficient", "value"), UNEVEN.items())
def test_uneven_items_are_those_of_another_library(coefficient: str, value: float) -> None:
    frame = pl.DataFrame({f"c{i}": coder for i, coder in enumerate(CODERS)}, strict=False)
    found = rs.agreement(frame, frame.columns, coefficient=coefficient)
    assert found["estimate"].item() == pytest.approx(value, abs=5e-6)


def test_shared_cases(reference: Path) -> None:
    lines = (reference / "cases" / "scoring_and_statistics.jsonl").read_text().splitlines()
    cases = {case["id"]: case for case in map(json.loads, lines)}
    given, wanted = cases["B089"]["input"], cases["B089"]["expected"]
    kappa = rs.stats.cohen_kappa(given["a"], given["b"])
    assert (kappa.estimate, kappa.agreement) == (wanted["kappa"], wanted["po"])
    fleiss = rs.stats.agreement_of_counts(cases["B091"]["input"]["counts"])
    assert fleiss.estimate == pytest.approx(cases["B091"]["expected"]["kappa"], abs=1e-15)


def test_printed_kappas() -> None:
    """Hand labels against a judge, rebuilt from the printed disagreements: 86.0 %, 0.75."""
    found = rs.agreement(pairs_of([[2, 0, 0], [1, 17, 0], [3, 3, 24]]), ["a", "b"])
    assert found["agreement"].item() == pytest.approx(0.86, abs=1e-12)
    assert found["chance"].item() == pytest.approx(0.4368, abs=1e-12)
    assert found["estimate"].item() == pytest.approx(0.7514, abs=5e-5)


def test_chance_explains_a_printed_kappa() -> None:
    """Agreement 0.50 with kappa 0.15 is chance agreement 0.4118."""
    table = [[25, 26], [25, 26]]
    found = rs.agreement(pairs_of(table), ["a", "b"]).row(0, named=True)
    assert found["estimate"] == (found["observed"] - found["chance"]) / (1 - found["chance"])


# ── Degenerate and hostile ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("first", "second", "coefficient", "estimate", "reason"),
    [
        ([], [], "cohen", None, "no item has two ratings"),
        ([None, 1], [1, None], "krippendorff", None, "no item has two ratings"),
        ([1, 1, 1], [1, 1, 1], "cohen", None, "one category: chance agreement is perfect"),
        ([1, 1, 1], [1, 1, 1], "fleiss", None, "one category: chance agreement is perfect"),
        ([1, 1, 1], [1, 1, 1], "krippendorff", None, "one category: chance agreement is perfect"),
        ([1, 1, 1], [1, 1, 1], "ac1", None, "one category: chance agreement is perfect"),
        (
            [1, 1, 1],
            [1, 0, 1],
            "cohen",
            0.0,
            "one rater uses one category: kappa is 0 however they agree",
        ),
        ([1], [0], "fleiss", -1.0, "all ratings but one are the same"),
        ([1, 1, 1], [1, 0, 1], "fleiss", -0.2, "all ratings but one are the same"),
        ([1], [0], "cohen", 0.0, "one rater uses one category: kappa is 0 however they agree"),
    ],
)
def test_degenerate(
    first: list[Rating],
    second: list[Rating],
    coefficient: str,
    estimate: float | None,
    reason: str,
) -> None:
    frame = pl.DataFrame({"a": first, "b": second}, schema={"a": pl.Int64, "b": pl.Int64})
    found = rs.agreement(frame, ["a", "b"], coefficient=coefficient).row(0, named=True)
    assert (found["low"], found["reason"]) == (None, reason)
    assert near(found["estimate"], estimate)


def test_listed_categories_make_ac1_of_one() -> None:
    frame = pl.DataFrame({"a": [1, 1], "b": [1, 1]})
    found = rs.agreement(frame, ["a", "b"], coefficient="ac1", categories=[0, 1])
    assert found["estimate"].item() == 1.0


def test_one_cluster_has_no_interval() -> None:
    frame = pairs_of(CLINIC).with_columns(c=pl.lit("x"))
    found = rs.agreement(frame, ["a", "b"], cluster="c").row(0, named=True)
    assert (found["low"], found["agreement_low"], found["reason"]) == (None, None, "one cluster")


def test_empty_frames_keep_their_types() -> None:
    empty = pl.DataFrame(schema={"a": pl.String, "b": pl.String, "cell": pl.Int64})
    for coefficient in ("cohen", "fleiss", "krippendorff"):
        table = rs.agreement(empty, ["a", "b"], by="cell", coefficient=coefficient)
        assert dict(table.schema) == {"cell": pl.Int64} | SCHEMA
        assert table.is_empty()


@FEW
@given(wide(), st.sampled_from(["cohen", "fleiss", "krippendorff", "ac1"]))
def test_limits_stay_on_the_scale(rows: Wide, coefficient: str) -> None:
    frame = frame_of(rows)
    columns = frame.columns[:2] if coefficient == "cohen" else frame.columns[:-1]
    table = rs.agreement(frame, columns, coefficient=coefficient, cluster="cluster")
    row = table.row(0, named=True)
    numbers = [row[name] for name in ("low", "estimate", "high") if row[name] is not None]
    assert numbers == sorted(numbers) or np.allclose(numbers, sorted(numbers), atol=1e-9)
    assert all(-1.0 <= number <= 1.0 for number in numbers if number is not row["estimate"])


def test_wild_values() -> None:
    huge = [1e308, -1e308, 5.0, 1e-300, 0.0, -0.0, math.nan]
    frame = pl.DataFrame({"a": huge, "b": huge[::-1]})
    table = rs.agreement(frame, ["a", "b"], coefficient="krippendorff", metric="interval")
    assert table.select(pl.col("estimate", "low", "high").is_finite().all()).row(0) == (True,) * 3
    infinite = pl.DataFrame({"a": [1.0, math.inf], "b": [1.0, 2.0]})
    with pytest.raises(ColumnError, match="finite"):
        rs.agreement(infinite, ["a", "b"], coefficient="krippendorff", metric="interval")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rating": "a"}, DesignError, "item= and rater="),
        ({"rating": ["a", "b"], "item": "i", "rater": "r"}, DesignError, "a row is an item"),
        ({"rating": ["a", "b", "i"]}, ColumnError, "one kind"),
        ({"rating": ["a", "z"]}, ColumnError, "no column 'z'"),
        ({"rating": ["a", "b"], "coefficient": "kappa"}, OptionError, "'cohen'"),
        ({"rating": ["a", "b"], "weights": "linear"}, OptionError, "categories in order"),
        (
            {"rating": ["a", "b"], "coefficient": "fleiss", "weights": "linear"},
            OptionError,
            "is of coefficient='cohen'",
        ),
        ({"rating": ["a", "b"], "metric": "ordinal"}, OptionError, "is of coefficient='kripp"),
        (
            {
                "rating": ["a", "b"],
                "coefficient": "krippendorff",
                "metric": "interval",
                "categories": ["x", "y"],
            },
            ColumnError,
            "needs numbers",
        ),
        ({"rating": ["a", "b"], "categories": ["x"]}, ColumnError, "'y'"),
        ({"rating": ["a", "b"], "categories": ["x", "x", "y"]}, OptionError, "different"),
        ({"rating": ["a", "b"], "categories": [1, 2]}, OptionError, "as the data hold"),
        ({"rating": ["a", "b"], "confidence_level": 95}, OptionError, "0.95"),
        (
            {"rating": ["a", "b"], "cluster": "n"},
            DesignError,
            "cluster 'n' is null or NaN in 1 rows",
        ),
        ({"rating": ["a", "b"], "by": "reason"}, ColumnError, "rename it first"),
        (
            {"rating": "a", "item": "i", "rater": "r"},
            DesignError,
            r"more than once by a rater, such as \{'i': 1, 'rater': ",
        ),
        ({"rating": ["l", "l2"]}, ColumnError, "has type List"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    frame = pl.DataFrame(
        {
            "a": ["x", "y", "x"],
            "b": ["x", "y", "y"],
            "i": [1, 1, 2],
            "r": [1, 1, 1],
            "n": [1, None, 2],
            "reason": [1, 2, 3],
            "l": [[1], [2], [3]],
            "l2": [[1], [2], [3]],
        }
    )
    with pytest.raises(error, match=message):
        rs.agreement(frame, **arguments)


def test_cohen_is_of_two_raters() -> None:
    long = pl.DataFrame({"i": [1, 1, 1], "r": ["x", "y", "z"], "v": [1, 1, 0]})
    with pytest.raises(DesignError, match="3 raters"):
        rs.agreement(long, "v", item="i", rater="r", coefficient="cohen")
    split = pl.DataFrame({"i": [1, 1], "r": ["x", "y"], "v": [1, 1], "c": [1, 2]})
    with pytest.raises(DesignError, match="more than one cluster"):
        rs.agreement(split, "v", item="i", rater="r", cluster="c")


def test_order_of_an_enum_counts() -> None:
    scale = pl.Enum(["weak", "fair", "strong"])
    frame = pl.DataFrame({"a": ["weak", "fair", "strong"], "b": ["fair", "fair", "weak"]})
    by_list = rs.agreement(
        frame, ["a", "b"], weights="linear", categories=["weak", "fair", "strong"]
    )
    enum = rs.agreement(frame.cast(scale), ["a", "b"], weights="linear")
    assert_frame_equal(enum, by_list)


# ── Confusion ────────────────────────────────────────────────────────────────────────────────


def test_confusion_holds_every_pair() -> None:
    frame = pairs_of(CLINIC).with_columns(cell=pl.lit("x"))
    table = rs.confusion(frame, ["a", "b"], by="cell")
    assert table["n"].to_list() == [count for row in CLINIC for count in row]
    assert table["share"].sum() == pytest.approx(1.0)
    assert table.columns == ["cell", "first", "second", "n", "share"]
    text = pl.DataFrame({"a": ["x", None], "b": ["y", "y"]})
    listed = rs.confusion(text, ["a", "b"], categories=["y", "x", "z"])
    assert listed["first"].to_list() == ["y"] * 3 + ["x"] * 3 + ["z"] * 3
    assert listed["n"].sum() == 1
    nothing = rs.confusion(text.clear(), ["a", "b"], categories=["y"])
    assert nothing.row(0) == ("y", "y", 0, None)
    with pytest.raises(ColumnError, match="1001 different"):
        rs.confusion(pl.DataFrame({"a": range(1001), "b": range(1001)}), ["a", "b"])


# ── Arrays ───────────────────────────────────────────────────────────────────────────────────


def test_arrays_are_frames() -> None:
    frame = pairs_of(CLINIC)
    found = rs.stats.cohen_kappa(frame["a"].to_numpy(), frame["b"].to_list())
    assert_frame_equal(found.to_frame(), rs.agreement(frame, ["a", "b"]), check_dtypes=False)
    with pytest.raises(ColumnError, match="one length"):
        rs.stats.cohen_kappa([1, 2], [1])
    with pytest.raises(ColumnError, match="two arrays"):
        rs.stats.krippendorff_alpha([[1, 2]])
    for wrong in ([[1, -1]], [[1, None]], [[1, 2**31]], [[1.5, 1]], [[True, False]], [["a"]]):
        with pytest.raises(OptionError, match="counts"):
            rs.stats.agreement_of_counts(wrong)
    for wrong in ([[1, 1], [1]], [1, 2], 5, None, [[1, 2], None], [[1], ["a"]]):
        with pytest.raises(ColumnError, match="counts must"):
            rs.stats.agreement_of_counts(wrong)
    rows = [[2, 1, 3], [0, 6, 0], [3, 3, 0]]
    found = rs.stats.agreement_of_counts(rows)
    for same in (pl.DataFrame(rows, orient="row"), np.array(rows, np.uint8), map(tuple, rows)):
        assert rs.stats.agreement_of_counts(same) == found
    assert rs.stats.agreement_of_counts([]).reason == "no item has two ratings"
