"""Letters of multiple-choice questions: right values and the twin."""

import json
import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import text as twin


def traced(reply: str, **options: str) -> dict[str, object]:
    frame = pl.DataFrame({"r": [reply]})
    return frame.select(rs.text.answer_choice("r", with_trace=True, **options)).item()


def read(*replies: str | None, **options: str | list[str]) -> list[str | None]:
    letters = pl.lit(pl.Series("r", replies, pl.String))
    return pl.select(rs.text.answer_choice(letters, **options))["r"].to_list()


DRESSES = ["{}", "{}", "({})", "[{}]", "**{}**", "`{}`", "${}$", r"\boxed{{{}}}", r"\text{{{}}}"]
OPENINGS = [
    "",
    "",
    "Option ",
    "The answer is ",
    "The correct answer is ",
    "I choose ",
    "Probably ",
    "Not ",
    "~~D~~ ",
    "<del>D</del> ",
]
TEXTS = ["Paris", "None of the above", "It is not known", "a dog", "Vitamin C", "unknown", "42"]
ENDINGS = [
    "",
    ".",
    " because it rains",
    ", not D",
    " or D",
    " and D",
    ", D",
    " is correct",
    " (D is wrong)",
    " ~~D~~",
    "\nNo, D.",
    "\nNo, thanks.",
    "\nWait, that is wrong.",
    "\nActually, B",
]


@st.composite
def answers(draw: st.DrawFn) -> str:
    letter = draw(st.sampled_from("ABCDabcdE"))
    text = draw(st.sampled_from(OPENINGS)) + draw(st.sampled_from(DRESSES)).format(letter)
    if draw(st.booleans()):
        return text + draw(st.sampled_from([") ", ". ", ": "])) + draw(st.sampled_from(TEXTS))
    return text + draw(st.sampled_from(ENDINGS))


# An answer that denies itself is ambiguous; the twin does not look for that.
@given(answers().filter(lambda answer: not re.search(r"(?i)(\w)\W* not \W*\1", answer)))
def test_agrees_with_the_twin(answer: str) -> None:
    reply = f"Answer: a colour question.\nANSWER: {answer}"
    trace = traced(reply)
    assert (trace["value"], trace["status"]) == twin.answer_choice(reply)


@given(st.text(max_size=60))
def test_any_text_is_read_without_error(text: str) -> None:
    read(f"{text}\nANSWER: {text}")


@given(st.text(alphabet="ABCDI abor.,():-*'", max_size=12))
def test_a_read_letter_stands_in_the_answer(answer: str) -> None:
    trace = traced(f"ANSWER: {answer}", options="ABCDI")
    assert (trace["value"] is None) == (trace["status"] != "read")
    if trace["value"] is not None:
        assert str(trace["span"]).upper() == trace["value"]


def test_cases(reference: Path) -> None:
    cases = (reference / "cases/scoring_and_statistics.jsonl").read_text().splitlines()
    checked = 0
    for case in map(json.loads, cases):
        if case["area"] == "extract.letter":
            assert read(case["input"]["pred"]) == [case["expected"]["letter"]], case["id"]
            checked += 1
    assert checked == 3


def test_right_values() -> None:
    assert read("ANSWER: (b)", None, "B", "ANSWER: A dog") == ["B", None, None, None]
    assert read("ANSWER: C) None of the above", "ANSWER: B or C") == ["C", None]
    assert read("ANSWER: e", options="abcde") == ["e"]
    assert read("ANSWER: Ж", options=["ж", "з"]) == ["ж"]
    assert read("The answer is B", "Final answer: B", marker="final answer") == [None, "B"]


def test_options_are_checked() -> None:
    for options, reason in [
        ("", "options are empty"),
        ("AB1", "is no letter"),
        ("ABa", "comes twice"),
        (["A", "BC"], "must be single letters"),
    ]:
        with pytest.raises(OptionError, match=reason):
            rs.text.answer_choice("r", options=options)
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="must be text"):
        pl.DataFrame({"r": [1]}).select(rs.text.answer_choice("r"))


def test_the_first_marker_or_the_last() -> None:
    reply = "Answer: B\nQuestion: next\nAnswer: C"
    assert read(reply) == ["C"]
    assert read(reply, which="first") == ["B"]
    assert read("Answer: B or C\nAnswer: C", which="first") == [None]
