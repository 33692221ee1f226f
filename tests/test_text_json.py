"""Structured replies: JSON as models write it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError

Row = dict[str, Any]


def traces(replies: Sequence[str | None], field: str = "answer", **options: Any) -> list[Row]:
    frame = pl.DataFrame({"reply": replies}, schema={"reply": pl.String})
    read = rs.text.answer_json("reply", field=field, with_trace=True, **options)
    return frame.select(read.alias("trace"))["trace"].to_list()


def values(replies: Sequence[str | None], field: str = "answer", **options: Any) -> list[Any]:
    return [row and row["value"] for row in traces(replies, field, **options)]


def test_curated_cases(reference: Path) -> None:
    file = reference / "cases" / "text_extraction.jsonl"
    if not file.is_file():
        pytest.skip(f"no file {file}")
    cases = [json.loads(line) for line in file.read_text().splitlines()]
    cases = [case for case in cases if case["scorer"] == "answer_json"]
    assert len(cases) == 13
    for case in cases:
        assert values([case["text"]], case["field"]) == [case["expected"]], case["id"]


def test_null_and_empty_columns() -> None:
    assert values([None, "", "{}"]) == [None, None, None]
    assert traces([]) == []
    read = rs.text.answer_json("reply", field="answer", dtype="text")
    assert pl.DataFrame({"reply": []}, schema={"reply": pl.Null}).select(read).dtypes == [pl.String]


def test_options_are_checked() -> None:
    for options in [
        {"field": ""}, {"field": "a..b"}, {"field": []}, {"field": 3}, {"field": ["a", 3]},
        {"field": "a", "dtype": "int"}, {"field": "a", "dialect": "reclaim-eval-loose"},
    ]:  # fmt: skip
        with pytest.raises(OptionError):
            rs.text.answer_json("reply", **options)  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match="'reply' has type Int64"):
        pl.DataFrame({"reply": [1]}).select(rs.text.answer_json("reply", field="a"))
