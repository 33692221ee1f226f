"""Pairwise judging: twin, printed figures, order of showing, degenerate cells."""

import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import fisher_exact

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import wins as twin
from reference.agreement import mean_limits, midpoint_limits
from strategies import levels

FEW = settings(max_examples=40)
SCHEMA = {
    "model_a": pl.String,
    "model_b": pl.String,
    "winner": pl.String,
    "first": pl.String,
    "item": pl.Int64,
    "cluster": pl.Int64,
}
Rows = list[dict[str, Any]]


@st.composite
def judgements(draw: st.DrawFn) -> Rows:
    """Judgements of three models, some of one item in both orders, some missing."""
    words = draw(st.sampled_from([["a", "b"], ["a", "b", "tie", None], ["tie"], ["a"]]))
    orders = draw(st.sampled_from([["a", "b"], ["a"], ["a", "b", None]]))
    pairs = st.sampled_from([("x", "y"), ("y", "x"), ("x", "z")])
    rows = draw(
        st.lists(
            st.tuples(pairs, st.sampled_from(words), st.sampled_from(orders), st.integers(0, 5)),
            max_size=16,
        )
    )
    return [
        {
            "model_a": a,
            "model_b": b,
            "winner": winner,
            "first": first,
            "item": item,
            "cluster": item // 2,
        }
        for (a, b), winner, first, item in rows
    ]


def frame_of(rows: Rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMA)


def near(found: float | None, wanted: Any) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-10)


@FEW
@given(
    judgements(),
    st.sampled_from([None, "item", "cluster"]),
    st.sampled_from(["pair", "model"]),
    levels,
)
def test_wins_are_the_twin(rows: Rows, cluster: str | None, per: str, level: float) -> None:
    frame = frame_of(rows)
    table = rs.wins(
        frame,
        first="first",
        item=None if cluster is None else "item",
        cluster="cluster" if cluster == "cluster" else None,
        per=per,
        confidence_level=level,
    )
    for found in table.iter_rows(named=True):
        seen = twin.seen_by(rows, found["model"], found.get("opponent"))
        points = [row["points"] for row in seen]
        assert found["n"] == len(seen)
        assert [found["wins"], found["losses"], found["ties"]] == [
            points.count(value)
            for value in (1, 0, 0.5)  # type: ignore[arg-type]
        ]
        assert near(found["estimate"], twin.mean(points))
        groups = None if cluster is None else [row[cluster] for row in seen]
        limits = mean_limits(points, groups, level) or (None, None)
        assert near(found["low"], limits[0])
        assert near(found["high"], limits[1])
        shown = [
            twin.mean([row["points"] for row in seen if row["first"] is place])
            for place in (True, False)
        ]
        assert near(found["shown_first"], shown[0])
        assert near(found["shown_second"], shown[1])
        if shown[0] is not None and shown[1] is not None:
            assert near(found["first_share"], (shown[0] + 1 - shown[1]) / 2)
            places = [
                (0, row["points"]) if row["first"] else (1, 1 - row["points"]) for row in seen
            ]
            limits = midpoint_limits(places, groups, level) or (None, None)
            assert near(found["first_low"], limits[0])
            assert near(found["first_high"], limits[1])
        else:
            assert found["first_share"] is None
        if cluster is not None:
            moved = twin.by_item(seen)
            assert found["items_both_orders"] == moved["both"]
            assert found["moved_to_first"] == moved["to_first"]
            assert found["moved_to_second"] == moved["to_second"]
            if moved["both"]:
                assert near(found["consistent"], moved["consistent"] / moved["both"])
                p = twin.sign_p(moved["to_first"], moved["to_second"])
                assert near(found["position_p"], float(p))
        for name in ("low", "high", "first_low", "first_high"):
            assert found[name] is None or 0.0 <= found[name] <= 1.0
        if found["first_low"] is not None:
            assert found["first_low"] <= found["first_share"] <= found["first_high"]


@FEW
@given(judgements(), st.sampled_from(["half", "drop"]))
def test_names_of_sides_and_order_of_rows_change_nothing(rows: Rows, ties: str) -> None:
    frame = frame_of(rows)
    turned = {"a": "b", "b": "a"}
    other = frame.select(
        pl.col("model_b").alias("model_a"),
        pl.col("model_a").alias("model_b"),
        pl.col("winner", "first").replace(turned),
        "item",
        "cluster",
    )
    options: dict[str, Any] = {"first": "first", "item": "item", "ties": ties}
    whole = rs.wins(frame, **options)
    for same in (other, other[::-1], frame.lazy(), frame[::-1].to_arrow()):
        assert_frame_equal(rs.wins(same, **options), whole, check_exact=True)


def paired(both: int, first: int, second: int, neither: int) -> pl.DataFrame:
    """Items in both orders: won by x twice, by whoever is first, by whoever is second, by y."""
    verdicts = [("a", "a")] * both + [("a", "b")] * first + [("b", "a")] * second
    verdicts += [("b", "b")] * neither
    rows = [
        {
            "model_a": "x",
            "model_b": "y",
            "winner": winner,
            "first": order,
            "item": item,
            "cluster": 0,
        }
        for item, pair in enumerate(verdicts)
        for order, winner in zip("ab", pair, strict=True)
    ]
    return frame_of(rows)


def test_a_judge_that_takes_the_second() -> None:
    """Items whose verdict turns with the order are a McNemar table."""
    row = rs.wins(paired(60, 5, 25, 10), first="first", item="item").row(0, named=True)
    assert row["estimate"] == (2 * 60 + 30) / 200
    assert row["first_share"] == (65 + 15) / 200
    assert row["first_high"] < 0.5
    assert row["consistent"] == 0.7
    assert row["position_p"] == pytest.approx(rs.stats.mcnemar(5, 25).pvalue, rel=1e-12)
    assert row["position_test"] == "sign-exact"
    assert (row["n_clusters"], row["items_both_orders"]) == (100, 100)


def test_items_judged_once_are_a_fourfold_table() -> None:
    rows = [("a", "a")] * 9 + [("b", "a")] * 3 + [("a", "b")] * 4 + [("b", "b")] * 8
    frame = pl.DataFrame(
        [("x", "y", winner, first, i) for i, (winner, first) in enumerate(rows)],
        schema=["model_a", "model_b", "winner", "first", "item"],
        orient="row",
    )
    row = rs.wins(frame, first="first", item="item").row(0, named=True)
    assert row["position_test"] == "fisher-exact"
    p = fisher_exact([[9, 3], [4, 8]]).pvalue
    assert row["position_p"] == pytest.approx(p, rel=1e-10)
    assert row["consistent"] is None
    plain = rs.wins(frame, first="first").row(0, named=True)
    assert plain["position_p"] == row["position_p"]
    assert plain["method"] == "wilson"


def test_one_order_says_nothing_of_the_place() -> None:
    frame = paired(5, 1, 0, 2).filter(first="a")
    row = rs.wins(frame, item="item").row(0, named=True)
    empty = [
        "shown_second",
        "first_share",
        "first_low",
        "position_p",
        "position_log_p",
        "position_test",
        "consistent",
    ]
    assert [row[name] for name in empty] == [None] * 7
    assert row["low"] is not None


def test_ties_count_half_or_not_at_all() -> None:
    frame = frame_of(
        [
            {
                "model_a": "x",
                "model_b": "y",
                "winner": winner,
                "first": "a",
                "item": item,
                "cluster": 0,
            }
            for item, winner in enumerate(["a", "tie", "tie", "b", "a", None])
        ]
    )
    half = rs.wins(frame, first="first").row(0, named=True)
    drop = rs.wins(frame, first="first", ties="drop").row(0, named=True)
    assert (half["estimate"], half["n"], half["ties"], half["n_missing"]) == (0.6, 5, 2, 1)
    assert (drop["estimate"], drop["n"], drop["ties"]) == (2 / 3, 3, 2)


@pytest.mark.parametrize(
    ("winners", "estimate", "reason"),
    [
        ([None, None], None, "no trials with an outcome"),
        (["tie"], 0.5, "one trial says nothing of the spread"),
        (["tie", "tie"], 0.5, None),
        (["a"], 1.0, None),
    ],
)
def test_degenerate(winners: list[str | None], estimate: float | None, reason: str | None) -> None:
    frame = pl.DataFrame({"winner": winners}, schema={"winner": pl.String}).with_columns(
        model_a=pl.lit("x"), model_b=pl.lit("y")
    )
    row = rs.wins(frame).row(0, named=True)
    assert (row["estimate"], row["reason"]) == (estimate, reason)
    assert (row["low"] is None) == (reason is not None)


def test_empty_keeps_its_types() -> None:
    frame = paired(2, 1, 1, 1).with_columns(judge=pl.lit("j"))
    for per in ("pair", "model"):
        options: dict[str, Any] = {"first": "first", "item": "item", "by": "judge", "per": per}
        empty = rs.wins(frame.clear(), **options)
        assert empty.is_empty()
        assert empty.schema == rs.wins(frame, **options).schema


def test_columns_of_models_name_the_sides() -> None:
    frame = paired(3, 2, 1, 1)
    named = frame.with_columns(pl.col("winner", "first").replace({"a": "model_a", "b": "model_b"}))
    options: dict[str, Any] = {"first": "first", "item": "item"}
    assert_frame_equal(rs.wins(named, **options), rs.wins(frame, **options))
    # A column called b holds model a, and the word still means model b.
    crossed = frame.rename({"model_a": "b", "model_b": "a"})
    result = rs.wins(crossed, models=["b", "a"], **options)
    assert_frame_equal(result, rs.wins(frame, **options))


@pytest.mark.parametrize(
    ("change", "options", "error", "message"),
    [
        ({"winner": pl.lit("x")}, {}, ColumnError, "winner must be 'a', 'b', 'tie'"),
        ({"first": pl.lit("left")}, {}, ColumnError, "first must be"),
        ({"model_b": pl.col("model_a")}, {}, DesignError, "with itself"),
        ({"model_b": pl.lit(None, pl.String)}, {}, DesignError, "models 'model_b' is null"),
        ({"item": pl.lit(None, pl.Int64)}, {}, DesignError, "item 'item' is null"),
        ({"cluster": pl.int_range(pl.len())}, {"cluster": "cluster"}, DesignError, "whole items"),
        ({}, {"per": "judge"}, OptionError, "'model'"),
        ({}, {"ties": "loss"}, OptionError, "'half'"),
        ({}, {"models": ["model_a"]}, ColumnError, "two columns"),
        ({}, {"by": "model"}, ColumnError, "no column"),
    ],
)
def test_what_is_refused(
    change: dict[str, pl.Expr], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    frame = paired(2, 1, 1, 1).with_columns(**change)
    with pytest.raises(error, match=message):
        rs.wins(frame, **({"first": "first", "item": "item"} | options))
