"""The filters of lm-evaluation-harness: its patterns, its stored logs."""

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import OptionError
from reference import lm_eval as twin

STRICT, FLEXIBLE = "lm-eval-strict", "lm-eval-flexible"
TWINS = {STRICT: twin.strict, FLEXIBLE: twin.flexible}


def read(replies: list[str], dialect: str) -> list[float | None]:
    frame = pl.DataFrame({"r": replies}, schema={"r": pl.String})
    return frame.select(rs.text.answer_number("r", dialect=dialect))["r"].to_list()


pieces = st.sampled_from(
    ["#### ", "####", "#", " ", "\n", "-", "-", "$", ".", ".", ",", "4", "46", "1,046.50", "é", "٣"]
)


@given(st.lists(pieces, max_size=12).map("".join), st.sampled_from(list(TWINS)))
@example("It is $46...", FLEXIBLE)
@example("#### 1..", STRICT)
def test_dialects_agree_with_the_patterns(reply: str, dialect: str) -> None:
    found = TWINS[dialect](reply)
    assert read([reply], dialect) == [twin.value(found)]
    frame = pl.DataFrame({"r": [reply]})
    trace = frame.select(rs.text.answer_number("r", dialect=dialect, with_trace=True)).item()
    if trace["value"] is None:
        assert trace["status"] == "unparsed"
    else:
        assert trace["span"] == found == reply[trace["start"] : trace["end"]]


def test_right_values() -> None:
    replies = [
        "28 + 18 = 46\n#### 46\nQuestion: next\n#### 9",
        "The total is $1,046.50.",
        "#### -7 pens, not 3",
        "#### $46",
        "I cannot tell.",
        "So it is 46...",
    ]
    assert read(replies, STRICT) == [46.0, None, -7.0, None, None, None]
    assert read(replies, FLEXIBLE) == [9.0, 1046.5, 3.0, 46.0, None, None]


def test_options_are_checked() -> None:
    for options in ({"which": "first"}, {"fallback": "boxed"}):
        with pytest.raises(OptionError, match="dialect='lm-eval-strict' has its own"):
            rs.text.answer_number("r", dialect=STRICT, **options)
    with pytest.raises(OptionError, match=r"use one of 'strict', .*'lm-eval-flexible'$"):
        rs.text.answer_number("r", dialect="lm-eval")
    # Numbers are all that the filters know.
    with pytest.raises(OptionError, match="use one of 'strict', 'reclaim-eval', 'reclaim-eval-l"):
        rs.text.answer_word("r", options=["Ana"], dialect=FLEXIBLE)
    with pytest.raises(OptionError, match="use one of 'strict', 'reclaim-eval', 'reclaim-eval-l"):
        rs.text.answer_time("r", dialect=FLEXIBLE)


def test_stored_logs(reference: Path) -> None:
    """What the harness itself filtered out of 48 replies, and which of them it took as right."""
    checked = 0
    for log in (reference / "data/harness-logs/lm_eval").rglob("samples_toy_ledger*.jsonl"):
        for row in map(json.loads, log.read_text().splitlines()):
            if row["filter"] != "flexible":
                continue
            [kept], [[reply, *_]] = row["filtered_resps"], row["resps"]
            assert twin.flexible(reply) == (None if kept == "[invalid]" else kept)
            [value] = read([reply], FLEXIBLE)
            assert value == twin.value(None if kept == "[invalid]" else kept)
            gold = float(row["target"].replace(",", ""))
            assert (value == gold) == (row["exact_match"] == 1.0), reply
            checked += 1
    assert checked == 48
