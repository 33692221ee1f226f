"""Numbers of texts: right values, the twin, and the reference figures."""

import json
import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import memory as twin


def numbers(text: str) -> list[float]:
    return pl.DataFrame({"t": [text]}).select(rs.text.numbers("t")).item().to_list()


def invented(memory: str, source: object, **options: str) -> dict[str, object]:
    frame = pl.DataFrame({"m": [memory], "s": [source]})
    return frame.select(rs.text.invented_numbers("m", "s", **options)).item()


pieces = st.sampled_from(
    [
        "5", "55", "1,234", "1234", "12,345,678", "4.50", "4.5", ".5", "$", "-", " ", " ", " ",
        " pens, ", ". ", "(", ")", "=", "v", "COVID-", "é", "ñ-",
        "9:45", "3rd", ", 1/2/2024", "1,5", "\n",
        "USD ",
    ]
)  # fmt: skip
# The twin knows no blanks between thousands.
texts = (
    st.lists(pieces, max_size=12)
    .map("".join)
    .filter(lambda text: not re.search(r"\d \d{3}(?!\d)", text))
)


@given(texts)
def test_numbers_agree_with_the_twin(text: str) -> None:
    assert numbers(text) == twin.numbers(text)


@given(texts, texts, st.sampled_from(["strict", "reclaim-eval"]))
def test_invented_numbers_agree_with_the_twin(memory: str, source: str, dialect: str) -> None:
    found = invented(memory, source, dialect=dialect)
    assert found["values"] == twin.invented_numbers(memory, source, dialect)
    assert found["count"] == len(found["values"])  # type: ignore[arg-type]
    if dialect == "strict":
        assert invented(memory, twin.numbers(source))["values"] in (found["values"], [])
        assert invented(memory, [source]) == found
        assert invented(memory, memory)["count"] == 0


@given(texts, st.integers(1, 4))
def test_recurring_value_agrees_with_the_twin(text: str, least: int) -> None:
    frame = pl.DataFrame({"t": [text]})
    found = frame.select(rs.text.recurring_value("t", least=least)).item()
    assert found == twin.recurring_value(text, least)


@given(st.text(max_size=60))
def test_any_text_is_read_without_error(text: str) -> None:
    assert all(isinstance(value, float) for value in numbers(text))


@pytest.mark.parametrize("domain", ["arith", "logic"])
def test_reference_figures(reference: Path, domain: str) -> None:
    folder = reference / "data/reclaim-eval"
    name = f"realworld_meta-llama_llama-3.1-8b-instruct_{domain}_t0.7"
    expected = json.loads((folder / "expected.json").read_text())["invented_numbers"][name]
    rows = pl.read_ndjson(folder / f"{name}.jsonl", infer_schema_length=None)
    rows = rows.filter(pl.col("src_nums").is_not_null())
    memories = rows.unique(["seed", "pid", "variant"], keep="first", maintain_order=True)
    harness = rs.text.invented_numbers("memory_text", "src_nums", dialect="reclaim-eval")
    strict = rs.text.invented_numbers("memory_text", "src_nums")
    found = memories.select("variant", harness=harness.struct.field("count"))
    cells = found.group_by("variant").agg(
        memories=pl.len(),
        share_with_invented=(pl.col("harness") > 0).mean(),
        mean_invented=pl.col("harness").mean(),
    )
    for cell in cells.iter_rows(named=True):
        figures = expected[cell.pop("variant")]
        assert cell == pytest.approx(figures, rel=1e-12)
    assert cells.height == len(expected)
    # The harness's source numbers were split at separators; where strict finds more, it is for
    # a number with one.
    more = memories.filter(strict.struct.field("count") > harness.struct.field("count"))
    assert more.filter(~pl.col("memory_text").str.contains(r"\d,\d{3}")).height == 0


def test_right_values() -> None:
    assert numbers("7 pens at $4.50, 1,234 in all (37.5%), -5 left; 9:45, 3rd") == [
        7.0, 4.5, 1234.0, 37.5, -5.0,
    ]  # fmt: skip
    assert invented("1234 at $4.5, total -$55", "1,234 at 4.50") == {"count": 1, "values": [-55.0]}
    assert invented("4.50", [4.5, None])["count"] == 0
    assert invented("4.50", ["4.5"], dialect="reclaim-eval")["count"] == 1
    frame = pl.DataFrame({"t": [None, "55, 55.0, 60"]})
    assert frame.select(rs.text.recurring_value("t")).to_series().to_list() == [None, 55.0]
    assert frame.select(rs.text.numbers("t")).to_series().to_list()[0] is None
    empty = frame.clear().lazy()
    assert empty.select(rs.text.numbers("t")).collect().schema == {"t": pl.List(pl.Float64)}


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="least=0 must be"):
        rs.text.recurring_value("t", least=0)
    with pytest.raises(OptionError, match="dialect='lax' is unknown"):
        rs.text.invented_numbers("m", "s", dialect="lax")
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="as written"):
        invented("1", [1.0], dialect="reclaim-eval")
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="must be text"):
        invented("1", 1)


@pytest.mark.parametrize(
    ("reply", "value", "status"),
    [
        ("It costs 72 coins, all told.", 72.0, "read"),  # B001
        ("#### ,\nSo 18 tins, roughly.", 18.0, "read"),  # B003
        ("so 46 pens, in 2 boxes", 2.0, "ambiguous"),  # B005
        ("#### -8", -8.0, "read"),  # B007
        ("#### 46\nQuestion: next\n#### 9", 9.0, "read"),  # B031, by the last marker
    ],
)
def test_cases_of_numbers_without_an_answer_line(reply: str, value: float, status: str) -> None:
    scorer = rs.text.answer_number(
        pl.lit(reply), marker="####", fallback="last_number", with_trace=True
    )
    found = pl.select(scorer).item()
    assert (found["value"], found["status"]) == (value, status)
