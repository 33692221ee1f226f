"""Verdicts of judges, in JSON and in plain text."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import structured as twin

GRADES = ["CORRECT", "INCORRECT", "partially correct"]
pick = st.sampled_from


def traces(replies: Sequence[str | None], **options: Any) -> list[dict[str, Any]]:
    frame = pl.DataFrame({"reply": replies}, schema={"reply": pl.String})
    read = rs.text.verdict("reply", **{"labels": GRADES} | options, with_trace=True)
    return frame.select(read.alias("trace"))["trace"].to_list()


def values(replies: Sequence[str | None], **options: Any) -> list[Any]:
    return [row and row["value"] for row in traces(replies, **options)]


def test_curated_cases(reference: Path) -> None:
    """Cases that need a judge's parser: what each expects, by what its scorer here is called."""
    file = reference / "cases" / "scoring_and_statistics.jsonl"
    if not file.is_file():
        pytest.skip(f"no file {file}")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    case = {row["id"]: row["input"].get("reply") or row["input"].get("pred") for row in rows
            if str(row.get("area")).startswith("parse.")}  # fmt: skip

    def field(key: str, name: str) -> dict[str, Any]:
        read = rs.text.answer_json("reply", field=name, dtype="text", with_trace=True)
        return dict(pl.select(pl.lit(case[key]).alias("reply")).select(read)["reply"][0])

    facts = field("B035", "facts")
    assert (facts["status"], json.loads(facts["value"])) == ("repaired", ["a\\q"])
    assert field("B037", "a")["value"] == "1"
    assert values([case["B039"]], labels=["C", "I"]) == ["C"]
    assert traces([case["B039"]], labels=["C", "I"])[0]["status"] == "repaired"
    assert values([case["B041"]], labels={"CORRECT": True, "INCORRECT": False}) == [False]
    score = field("B043", "score")
    assert (score["value"], score["status"]) == (None, "failed")


def test_the_judge_that_drops_a_key() -> None:
    """A key dropped by the judge of a published study must not cost its verdict."""
    reply = '{"presented_as": "qualified", "cue": "may have", "unconfirmed rumor from third party"}'
    labels = ["established", "qualified", "absent"]
    assert values([reply], field="presented_as", labels=labels) == ["qualified"]


def test_labels_stand_for_texts_or_truth_values() -> None:
    replies = ['{"verdict": "yes"}', "Correct.", "no", None, "yes and no"]
    truth = {"yes": True, "correct": True, "no": False}
    frame = pl.DataFrame({"reply": replies})
    assert frame.select(rs.text.verdict("reply", labels=truth)).to_dict(as_series=False) == {
        "reply": [True, True, False, None, None]
    }
    assert frame.lazy().select(rs.text.verdict("reply", labels=truth)).collect_schema() == {
        "reply": pl.Boolean
    }
    grades = {"yes": "good", "correct": "good", "no": "bad"}
    assert values(replies, labels=grades) == ["good", "good", "bad", None, None]
    assert values(["{'grade': 'INCORRECT'}", "Final grade: CORRECT"], field="final_grade") == [
        None,
        "CORRECT",
    ]


def test_options_are_checked() -> None:
    wrong: list[dict[str, Any]] = [
        {"labels": []}, {"labels": {}}, {"labels": ["--"]}, {"labels": ["a b", "A_B"]},
        {"labels": [1]}, {"labels": {"a": 1}}, {"labels": {"a": True, "b": "x"}},
        {"labels": ["a"], "field": ""},
    ]  # fmt: skip
    for options in wrong:
        with pytest.raises(OptionError):
            rs.text.verdict("reply", **options)
    with pytest.raises(ColumnError, match="'reply' has type Int64"):
        pl.DataFrame({"reply": [1]}).select(rs.text.verdict("reply", labels=["a"]))


# Without a word that doubts what stands behind it: that is tested in the core.
LABELS = ["yes", "nay", "too few facts", "SUPPORTED", "UN_SUPPORTED", "unsupported", "A", "AB"]
GAPS = [" ", " ", ", ", "-", "_", "/", "\n", ": ", " and ", "'", "**"]
WORDS = [
    *LABELS,
    "Yes",
    "Too Few  Facts",
    "too-few-facts",
    "supported",
    "ab",
    "a",
    "it",
    "yesno",
    "é",
]


@settings(max_examples=800)
@given(st.lists(st.tuples(pick(WORDS), pick(GAPS)), max_size=5), pick(["", "it: ", "x "]))
def test_whole_labels_are_found(parts: list[tuple[str, str]], head: str) -> None:
    """Where no label opens the value, the one that it names is that of the twin."""
    text = head + "".join(word + gap for word, gap in parts)
    value = "so say all: " + text
    found = values([json.dumps({"verdict": value})], labels=LABELS)
    assert found == [twin.label_of(value, LABELS)], value


# ── Doubt, lines and prose, against the twin ─────────────────────────────────────────────────

JUDGEMENTS = ["CORRECT", "INCORRECT", "partially correct", "unsupported", "too few facts"]
PIECES = [
    *JUDGEMENTS, "Correct", "correct", "incorrect", "Unsupported", "CORRECT", "the", "reply",
    "total", "I", "It", "is", "are", "it's", "not", "isn't", "no", "never", "maybe", "might",
    "be", "if", "partially",
    "almost", "really", "and", "or", "but", "because", "as", "earlier", "whether",
    "5", "unknown", "n/a", "very",
]  # fmt: skip
BETWEEN = [" ", " ", " ", " ", " ", ", ", ". ", ".", "? ", "! ", ": ", "; ", "\n", " - ", " — ",
           "**", " **", "** ", "(", ") ", "_", "'", '" ', " <"]  # fmt: skip
JUDGED = st.builds(
    "{}{}".format,
    pick(["", "", "**", "- ", "So ", "It is "]),
    st.lists(st.tuples(pick(PIECES), pick(BETWEEN)).map("".join), max_size=7).map("".join),
)


@settings(max_examples=1500)
@given(JUDGED, st.booleans())
def test_verdicts_are_those_of_the_twin(text: str, in_json: bool) -> None:
    reply = json.dumps({"why": "it says so", "verdict": text}) if in_json else text
    trace = traces([reply], labels=JUDGEMENTS)[0]
    value, status, rule = twin.verdict(reply, "verdict", JUDGEMENTS)
    assert (trace["value"], trace["status"]) == (value, status), (reply, trace)
    assert not rule or trace["rule"] == rule, (reply, trace)
