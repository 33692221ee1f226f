"""Rows counted by kind, against a dictionary of the rows."""

import datetime as dt
import math
from collections import Counter
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.counting import Kinds
from reclaimstats.errors import ColumnError, DesignError

LONG = "a text that no view holds itself"
VALUES: list[tuple[Any, list[Any]]] = [
    (pl.Boolean, [True, False]),
    (pl.Int8, [-128, 127, 0, 1]),
    (pl.Int64, [3, 4, 5, 6]),
    (pl.Int64, [-(2**63), 2**63 - 1, 0, -1]),
    (pl.UInt64, [2**64 - 1, 2**63, 0, 1]),
    (pl.UInt32, [2**32 - 1, 0]),
    (pl.Int128, [2**100, 2**100 + 1]),
    (pl.Float64, [0.0, -0.0, 1.5, math.nan, math.inf, -math.inf, 5e-324]),
    (pl.Float32, [0.0, -0.0, 0.5, math.nan]),
    (pl.String, ["", "a", "b", "twelve bytes", "thirteen byte", LONG, LONG + "!", "\0", "a\0"]),
    (pl.Categorical, ["a", "b", LONG]),
    (pl.Enum(["b", "a"]), ["a", "b"]),
    (pl.Date, [dt.date(1, 1, 1), dt.date(2026, 11, 30)]),
    (pl.Datetime("ns", "UTC"), [dt.datetime(2026, 1, 1, tzinfo=dt.UTC)]),
    (pl.Duration, [dt.timedelta(1), dt.timedelta(-1)]),
    (pl.Decimal(9, 2), [Decimal("0.10"), Decimal("0.20")]),
    (pl.List(pl.Int8), [[1], [1, 2], []]),
    (pl.Struct({"a": pl.Int8}), [{"a": 1}, {"a": None}]),
    (pl.Null, [None]),
]


def name(value: Any) -> Any:
    """Equal for values that are one key."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value + 0.0
    return repr(value) if isinstance(value, list | dict) else value


@st.composite
def columns(draw: st.DrawFn, rows: int) -> pl.Series:
    dtype, values = draw(st.sampled_from(VALUES))
    some = st.sampled_from([*values, None])
    drawn = draw(st.lists(some, min_size=rows, max_size=rows))
    column = pl.Series(drawn, dtype=dtype)
    if dtype == pl.String and draw(st.booleans()):
        # Each text at a place of its own.
        column = (column + "").rechunk()
    if draw(st.booleans()) and rows > 1:
        column = column[: rows // 2].append(column[rows // 2 :])
    return column


@given(st.data())
def test_counts_are_those_of_a_dictionary(data: st.DataObject) -> None:
    rows = data.draw(st.integers(0, 40))
    drawn = data.draw(st.lists(columns(rows), min_size=1, max_size=4))
    keys = pl.DataFrame([column.alias(f"k{i}") for i, column in enumerate(drawn)])
    leading = data.draw(st.integers(0, keys.width))
    words = data.draw(st.integers(1, 8))
    said = data.draw(st.lists(st.integers(0, words - 1), min_size=rows, max_size=rows))
    named = [tuple(map(name, row)) for row in keys.rows()]
    wanted = Counter(zip(named, said, strict=True))

    kinds = Kinds.of(keys, pl.Series(said, dtype=pl.UInt8), words, leading=leading)
    found = [named[row] for row in kinds.rows]
    assert len(set(found)) == len(found) == len(set(named))
    for word in range(words):
        counts = dict(zip(found, kinds.counts[word], strict=True))
        assert all(counts[key] == wanted[key, word] for key in found)
    assert kinds.lengths.sum() == len(found)
    runs, start = [], 0
    for length in kinds.lengths:
        run = {key[:leading] for key in found[start : start + length]}
        assert len(run) == 1
        runs += run
        start += length
    assert len(set(runs)) == len(runs)

    plain = Kinds.of(keys)
    assert Counter(named) == dict(
        zip([named[row] for row in plain.rows], plain.counts[0], strict=True)
    )


@pytest.mark.parametrize("spread", [1, 10**15])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("text", [False, True])
def test_many_rows_are_counted_as_by_polars(spread: int, shuffled: bool, text: bool) -> None:
    rows = 200_000
    frame = pl.select(
        cell=pl.int_range(rows) // 96 * spread,
        item=pl.int_range(rows) // 3 % 32 * spread,
        correct=pl.int_range(rows) ** 2 % 7 < 3,
    )
    if text:
        frame = frame.with_columns(pl.format("a cell called {}", "cell").alias("cell"))
    if shuffled:
        frame = frame.sample(fraction=1, shuffle=True, seed=1)
    for cluster in (None, "item"):
        options: dict[str, Any] = {"by": "cell", "cluster": cluster}
        eager = rs.rate(frame, "correct", **options)
        assert eager.equals(rs.rate(frame.lazy(), "correct", **options))
        wanted = frame.group_by("cell").agg(pl.sum("correct").cast(pl.Float64)).sort("cell")
        assert (eager["estimate"] * eager["n"]).round().equals(wanted["correct"])


@pytest.mark.parametrize(("dtype", "values"), VALUES)
def test_a_key_of_any_type_makes_cells(dtype: Any, values: list[Any]) -> None:
    frame = pl.DataFrame({"cell": pl.Series([*values, None, *values], dtype=dtype)})
    frame = frame.with_columns(
        correct=pl.Series([True] * len(values) + [None, *[False] * len(values)])
    )
    if dtype == pl.Null or dtype.base_type() in (pl.List, pl.Struct):
        sorted_frame = rs.rate(frame, "correct", by="cell")
        assert sorted_frame["n"].sum() == 2 * len(values)
        return
    table = rs.rate(frame, "correct", by="cell")
    assert table.equals(rs.rate(frame.reverse(), "correct", by="cell"), null_equal=True)
    assert table["cell"].n_unique() == table.height == len({name(value) for value in values}) + 1
    assert table["n_missing"].sum() == 1
    assert table["estimate"].drop_nulls().unique().item() == 0.5
    # One zero: its sign does not depend on which row came last.
    if dtype.is_float():
        assert not any(math.copysign(1, x) < 0 for x in table["cell"].drop_nulls() if x == 0)


def test_missing_and_nonsense_are_seen_in_every_cell() -> None:
    frame = pl.DataFrame(
        {
            "cell": ["b", "a", "b", "a", "c"],
            "item": [1, 1, 2, 2, 1],
            "correct": [1.0, math.nan, None, 0.0, None],
        }
    )
    for cluster in (None, "item"):
        table = rs.rate(frame, "correct", by="cell", cluster=cluster)
        assert table["cell"].to_list() == ["a", "b", "c"]
        assert table["n"].to_list() == [1, 1, 0]
        assert table["n_missing"].to_list() == [1, 1, 1]
    wrong = frame.with_columns(pl.Series("correct", [2.0, 1.0, 0.0, 7.0, None]))
    for cluster in (None, "item"):
        with pytest.raises(ColumnError, match=r"2 values other than 0 and 1, such as 2.0, 7.0"):
            rs.rate(wrong, "correct", by="cell", cluster=cluster)
    with pytest.raises(DesignError, match="null or NaN in 2 trials"):
        rs.rate(
            frame.with_columns(pl.Series("item", [1, None, 2, None, 1])),
            "correct",
            by="cell",
            cluster="item",
        )
