"""Boxes, fences and SQL: right values, twins, and every kind of input."""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import blocks as twin


def trace(scorer: pl.Expr, reply: str | None) -> dict[str, Any]:
    row = pl.DataFrame({"r": pl.Series([reply], dtype=pl.String)}).select(scorer).item()
    if row["value"] is not None and reply is not None:
        assert reply[row["start"] : row["end"]] == row["span"]
    return row


def boxed(reply: str, which: str = "last") -> twin.Found:
    row = trace(rs.text.boxed("r", which=which, with_trace=True), reply)
    return twin.Found(row["value"], row["status"])


def code(reply: str, **options: Any) -> str | None:
    return pl.DataFrame({"r": [reply]}).select(rs.text.code_block("r", **options)).item()


def sql(reply: str) -> str | None:
    return pl.DataFrame({"r": [reply]}).select(rs.text.sql_block("r")).item()


# ── Boxes ────────────────────────────────────────────────────────────────────────────────────

BOX_PIECES = [
    "\\boxed{", "\\boxed{", "\\fbox{", "\\boxed ", "\\boxed", "{", "}", "}", "\\{", "\\}", "\\\\",
    "\\", " ", "\n", "5", "840", "x", "\\frac{1}{2}", "\\text{Ana}", "$", ".", "...", "…", "−",
    "é", "ed", "So ",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(BOX_PIECES), max_size=14).map("".join),
    st.sampled_from(["first", "last", "only"]),
)
def test_boxes_agree_with_the_twin(reply: str, which: str) -> None:
    assert boxed(reply, which) == twin.boxed(reply, which)


@given(st.text(alphabet="ab1{}\\$ .é", max_size=30))
def test_a_balanced_content_comes_back(content: str) -> None:
    escaped = re.sub(r"[\\{}]", lambda sign: "\\" + sign[0], content)
    found = boxed(f"So \\boxed{{{escaped}}}, as said.")
    assert found == ((escaped.strip(), "read") if content.strip(" .") else (None, "unparsed"))


def test_box_cases(reference: Path) -> None:
    cases = (reference / "cases/scoring_and_statistics.jsonl").read_text().splitlines()
    found = [case for case in map(json.loads, cases) if case["area"] == "extract.boxed"]
    assert found
    for case in found:
        value = boxed(case["input"]["pred"])
        assert value == (str(case["expected"]["value"]), "read"), case["id"]


# ── Fences ───────────────────────────────────────────────────────────────────────────────────

FENCE_LINES = [
    "```", "```", "```python", "~~~", "~~~ sql", "````", "``` a`b", "  ```", "   ~~~~", "    ```",
    "code", "  code", "    code", "x = 1```", "y~~~", "```z```", "", " ", "``", "é`", "``` ",
]  # fmt: skip


@given(
    st.lists(
        st.tuples(st.sampled_from(FENCE_LINES), st.sampled_from(["\n", "\n", "\r\n", "\r"])).map(
            "".join
        ),
        max_size=12,
    ).map("".join),
    st.sampled_from(["first", "last"]),
    st.booleans(),
)
def test_fences_agree_with_the_twin(reply: str, which: str, cut: bool) -> None:
    reply = reply[:-1] if cut else reply
    blocks = twin.code_blocks(reply)
    row = trace(rs.text.code_block("r", which=which, with_trace=True), reply)
    if not blocks:
        assert (row["value"], row["status"]) == (None, "unparsed")
        return
    _, value, rule = blocks[0 if which == "first" else -1]
    assert (row["value"], row["rule"]) == (value, rule)
    assert row["status"] == ("truncated" if rule == "unclosed" else "read")


@given(st.text(alphabet="ab`~ \n\t>-1.", max_size=60))
def test_code_in_a_longer_fence_comes_back(content: str) -> None:
    longest = max(map(len, re.findall("`+", content)), default=0)
    fence = "`" * max(3, longest + 1)
    assert code(f"So:\n{fence}md\n{content}\n{fence}\nDone.") == content + "\n"
    quoted = "".join(f"> {line}\n" for line in content.split("\n"))
    if "\t" not in content:
        assert code(f"> {fence}\n{quoted}> {fence}\n") == content + "\n"
    listed = "".join(f"  {line}\n" for line in content.split("\n"))
    if "\t" not in content and not re.search(r"^ +$", content, re.MULTILINE):
        assert code(f"- So:\n\n  {fence}\n{listed}  {fence}\n") == content + "\n"


def test_languages() -> None:
    reply = "```\n1\n```\n```Python3 x\n2\n```\n```{.js}\n3\n```\n"
    assert code(reply, language="python") == "2\n"
    assert code(reply, language=["py", ""], which="first") == "1\n"
    assert code(reply, language="JavaScript") == "3\n"
    assert code(reply, language="rust") is None
    assert code("def f():\n    return 1\n") is None


# ── SQL ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("```sql\nSELECT 1;\n```\nor\n```sqlite\nSELECT 2;;\n```", "SELECT 2"),
        ("```\nSELECT 1\n```\n```\nx\n```", "SELECT 1"),
        ("> ```sql\n> SELECT a\n> FROM t;\n> ```", "SELECT a\nFROM t"),
        ("The query:\n\nSELECT a\nFROM t;\n\nIt reads a.", "SELECT a\nFROM t"),
        ("Select a row from the table.", None),
        ("", None),
    ],
)
def test_sql(reply: str, value: str | None) -> None:
    assert sql(reply) == value


@given(
    st.sampled_from(["SELECT a FROM t", "WITH a AS (SELECT 1)\nSELECT * FROM a", "select 1"]),
    st.sampled_from(["{};", "{}", "```sql\n{};\n```", "```\n{}\n```\n", "Query: {};", "`{}`"]),
    st.sampled_from(["", "Here it is.\n\n", "```python\nx\n```\n"]),
    st.sampled_from(["", "\n\nIt reads a.", "\n```\nrows\n```"]),
)
def test_sql_in_any_dress(statement: str, dress: str, before: str, after: str) -> None:
    reply = before + dress.format(statement) + after
    assert sql(reply) == statement


# ── All of them ──────────────────────────────────────────────────────────────────────────────

SCORERS = {
    "boxed": rs.text.boxed,
    "code_block": rs.text.code_block,
    "sql_block": rs.text.sql_block,
}


@pytest.mark.parametrize("name", SCORERS)
def test_columns_of_every_kind(name: str) -> None:
    scorer = SCORERS[name]
    reply = "\\boxed{SELECT 1}\n```\nSELECT 1\n```"
    texts = pl.DataFrame({"r": [reply, None, "", "none"], "g": [1, 1, 2, 2]})
    value = {"boxed": "SELECT 1", "code_block": "SELECT 1\n", "sql_block": "SELECT 1"}[name]
    expected = [value, None, None, None]
    assert texts.select(scorer("r"))["r"].to_list() == expected
    for dtype in (pl.Categorical, pl.Enum([reply, "", "none"])):
        assert texts.select(scorer(pl.col("r").cast(dtype)))["r"].to_list() == expected
    lazy = texts.lazy().select(scorer("r"))
    assert lazy.collect_schema()["r"] == pl.String
    assert lazy.collect(engine="streaming")["r"].to_list() == expected
    grouped = texts.group_by("g", maintain_order=True).agg(scorer("r"))
    assert grouped["r"].to_list() == [expected[:2], expected[2:]]
    schema = texts.lazy().select(scorer("r", with_trace=True)).collect_schema()["r"]
    assert schema == texts.select(scorer("r", with_trace=True)).schema["r"]
    assert texts.clear().select(scorer("r")).schema["r"] == pl.String
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match=f"{name}: column 'g'"):
        texts.select(scorer("g"))


@given(st.text(alphabet="`~>- \t\n\r\\{}boxedSELECT;'1é:", max_size=80))
def test_spans_of_any_text_lie_where_they_say(reply: str) -> None:
    for scorer in SCORERS.values():
        found = trace(scorer("r", with_trace=True), reply)
        if found["span"] is not None:
            assert reply[found["start"] : found["end"]] == found["span"]
        assert found["value"] is None or found["span"] is not None


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="use one of 'first', 'last', 'only'"):
        rs.text.boxed("r", which="all")
    with pytest.raises(OptionError, match="use one of 'first', 'last'"):
        rs.text.code_block("r", which="longest")
    with pytest.raises(OptionError, match="language must be text"):
        rs.text.code_block("r", language=3)  # type: ignore[arg-type]
