"""Lines behind an answer that take it back, against the twin and by hand."""

import re
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reference import text as twin

pick = st.sampled_from

PHRASES = [
    " ".join(phrase.split())
    for phrases in (
        twin.RETRACTIONS, twin.FOREIGN_RETRACTIONS, twin.CORRECTIONS, twin.FOREIGN_CORRECTIONS,
        twin.INTERJECTIONS, twin.FOREIGN_INTERJECTIONS, twin.STATEMENTS, twin.RESTATES,
        twin.FOREIGN_RESTATES,
    )
    for phrase in phrases.split(";")
]  # fmt: skip
WORDS = [
    "not", "Not", "no", "nicht", "pas", "не", "不是", "而不是", "ではなく", "isn't", "wasn't", "is",
    "was", "ist", "the", "option", "The", "my", "so", "wrong", "correct", "right", "not right",
    "total", "answer", "value", "corrected", "Final", "updated", "it", "he", "thanks", "hats",
    "12 May", "2024-05-12", "about", "at", "instead of",
    "rather than", "should be", "->", "for", "list", "to", "No. 3", "final answer",
]  # fmt: skip
SIGNS = [
    ", ",
    ": ",
    ". ",
    "! ",
    " - ",
    " — ",
    " ",
    " ",
    " ",
    "：",
    "，",
    "。",
    "; ",
    " : ",
    "? ",
    ",",
    ".",
]
KINDS: dict[str, tuple[Any, Any, list[str]]] = {
    "number": (
        rs.text.answer_number("reply"),
        lambda reply: twin.answer_number(reply)[0],
        ["46", "$46", "1,046", "1046", "55", "46.0", "**46**", "4", "fifty-five", "４６", "-46"],
    ),
    "word": (
        rs.text.answer_word("reply", options=["Ana", "Ben", "No", "New York"]),
        lambda reply: twin.answer_word(reply, ["Ana", "Ben", "No", "New York"])[0],
        ["Ana", "ana", "ANA", "Ben", "No", "New York", "**Ana**", "Anastasia"],
    ),
    "choice": (
        rs.text.answer_choice("reply"),
        lambda reply: twin.answer_choice(reply)[0],
        ["A", "B", "(B)", "C)", "b", "a", "Paris", "**A**"],
    ),
    "time": (
        rs.text.answer_time("reply"),
        lambda reply: twin.answer_time(reply)[0],
        ["16:15", "4:15", "17:15", "**16:15**", "16:15:00"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=600)
@given(data=st.data())
def test_lines_behind_an_answer_are_those_of_the_twin(kind: str, data: st.DataObject) -> None:
    scorer, reference, values = KINDS[kind]
    piece = pick(PHRASES) | pick(WORDS) | pick(values)
    parts = data.draw(st.lists(st.tuples(piece, pick(SIGNS)).map("".join), max_size=5))
    line = data.draw(pick(["", "", "**", "- ", "❌ "])) + "".join(parts)
    line = data.draw(pick([line, line.capitalize(), line.upper()]))
    # That would be a marker of its own.
    assume(not re.search(r"(?i:answer)\W*[:：]", line))
    answer = data.draw(pick([value for value in values if "*" not in value][:2]))
    ends = data.draw(pick(["\n", "\n\n", "\r\n", "\n> "]))
    reply = f"ANSWER: {answer}{ends}{line}" + data.draw(pick(["", "\nNo, 7.", "\rNo, 7."]))
    assert pl.DataFrame({"reply": [reply]}).select(scorer).item() == reference(reply), reply


def test_only_the_first_line_is_looked_at_and_only_its_beginning() -> None:
    read = rs.text.answer_number("reply")
    far = "x" * 61
    replies = [
        "ANSWER: 46\nDone.\nNot 46.",
        f"ANSWER: 46\n{far}, not 46",
        "ANSWER: 46\n\n\nNot 46.",
    ]
    assert pl.DataFrame({"reply": replies}).select(read)["reply"].to_list() == [46.0, 46.0, None]
