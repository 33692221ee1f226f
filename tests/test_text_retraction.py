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


SAME = {
    ("choice", "B"): [
        "The answer is (B).", 'The answer is "B".', "The correct answer is **(B)**.", "Final: B)",
        "Edit: (B)", "Actually, it is B.", r"The answer is \(B\)", "No, A is not possible.",
        "After rechecking: same.", "Fehler: keine",
    ],
    ("word", "Ben"): [
        "The answer is (Ben).", r"The answer is $\boxed{Ben}$.", "Actually, it is Ben.",
        "Rather sure.",
    ],
    ("time", "16:15"): ["The answer is 4:15 pm.", "The answer is 16.15."],
    ("time", "9:05"): ["The answer is 09:05."],
    ("time", "4 pm"): ["The answer is 16:00."],
    ("number", "46"): [
        "The answer is forty-six.", "The answer is 20 + 26 = 46.", "Sorry, that's all.",
        "Sorry, that is all I have.", "Wait, did you mean May?", "Wait 3 days before calling.",
        "Ignore this message if you already know.", "Let me recalculate if you add items.",
        "Correction: see turn 7.", "Correction from session 3 applied (45 -> 46).",
        "I was wrong in turn 3.", "Actually, this was mentioned in the first message.",
        "間違いありません。", "修正済み", "Korrektur wurde am 12. Mai gemacht.",
        "Warte auf Antwort.",
        "Sorry, 3 of them I could not date.", "Updated: 3 days ago", "Oops-free calculation.",
    ],
    ("number", "1.5"): ["The answer is 1 1/2."],
    ("number", "1500"): ["The answer is 1.5k.", "Final: 1,500"],
}  # fmt: skip
OTHER = {
    ("choice", "B"): ["The answer is (A).", "Final: (A)", "Actually, it is A.", "Edit: A"],
    ("word", "Ben"): ["No, Ana.", "The answer is Ana.", "Correction: Ana"],
    ("time", "16:15"): ["The answer is 4:15 am.", "No, 17:15."],
    ("number", "46"): [
        "Wait, that is wrong.", "Correction: from 46 to 47", "Korrektur: 47", "更正：47",
        "間違いました。47です", "The answer is 20 + 27 = 47.", "Actually no, 47.", "Oh wait, 47.",
        "Wrong!", "Incorrect.", "My answer was wrong.", "That's not it.", "I'm sorry, it is 47.",
        "It must be 47.", "Actually, that is wrong.", "Sorry, that was wrong.", "Ich meinte 47.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("lines", "kept"), [(SAME, True), (OTHER, False)])
def test_what_says_the_same_takes_nothing_back(
    lines: dict[tuple[str, str], list[str]], kept: bool
) -> None:
    for (kind, value), behind in lines.items():
        scorer = KINDS[kind][0]
        replies = pl.DataFrame({"reply": [f"ANSWER: {value}\n{line}" for line in behind]})
        read = replies.with_columns(read=scorer.is_not_null())
        wrong = read.filter(read=not kept)["reply"].to_list()
        assert not wrong, wrong
