"""Lines behind an answer that take it back, against the twin and by hand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reference import text as twin

if TYPE_CHECKING:
    from collections.abc import Callable

pick = st.sampled_from

PHRASES = [
    " ".join(phrase.split())
    for phrases in (
        twin.RETRACTIONS, twin.FOREIGN_RETRACTIONS, twin.CORRECTIONS, twin.FOREIGN_CORRECTIONS,
        twin.INTERJECTIONS, twin.FOREIGN_INTERJECTIONS, twin.STATEMENTS, twin.RESTATES,
        twin.FOREIGN_RESTATES, ";".join(twin.FILLERS.split()), ";".join(twin.ADVERBS.split()),
        ";".join(twin.LINKS.split()),
    )
    for phrase in phrases.split(";")
]  # fmt: skip
WORDS = [
    "not", "Not", "no", "nicht", "pas", "не", "不是", "而不是", "ではなく", "isn't", "wasn't", "is",
    "was", "ist", "the", "option", "The", "my", "so", "wrong", "correct", "right", "not right",
    "total", "answer", "value", "corrected", "Final", "updated", "it", "he", "thanks", "hats",
    "12 May", "2024-05-12", "about", "at", "instead of",
    "rather than", "should be", "->", "for", "list", "to", "final answer",
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
    "： ",
    "， ",
    "。",
    "; ",
    " : ",
    "? ",
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


def reads(scorer: Callable[[Any], pl.Expr]) -> Callable[[str, Any], Any]:
    def read(text: str, options: Any) -> Any:
        return pl.DataFrame({"reply": ["ANSWER: " + text]}).select(scorer(options)).item()

    return read


READ = {
    "number": reads(lambda _: rs.text.answer_number("reply")),
    "time": reads(lambda _: rs.text.answer_time("reply")),
    "letter": reads(lambda letters: rs.text.answer_choice("reply", options=letters)),
    "word": reads(lambda options: rs.text.answer_word("reply", options=list(options))),
}


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
    # Python has its own mind about what the vowel signs of Devanagari are.
    assume("नहीं" not in line)
    reply = f"ANSWER: {answer}{ends}{line}" + data.draw(pick(["", "\nNo, 7.", "\rNo, 7."]))
    # What the scorers read in a line is for their own twins.
    with patch.dict(twin.READ, READ):
        assert pl.DataFrame({"reply": [reply]}).select(scorer).item() == reference(reply), reply


def test_only_the_first_line_is_looked_at_and_only_its_beginning() -> None:
    read = rs.text.answer_number("reply")
    far = "x" * 241
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
        "After rechecking: same.", "Fehler: keine", "The answer is Paris.", "A colour question",
        "A) Rome", "A is too small.", "A and C are wrong.", "Not A.", "B because A is too small.",
        "Vitamin C", "Actually, a good choice.", "I pick C.",
    ],
    ("word", "Ben"): [
        "The answer is (Ben).", r"The answer is $\boxed{Ben}$.", "Actually, it is Ben.",
        "Rather sure.", "Ana is the designer.", "Ana left.", "Sorry, Ana left.", "Not Ana.",
        "Ana → Ben", "Ana's note says so.", "Updated by Ana", "No, Ana was the designer.",
        "Options: Ana, Ben", "Ana was the manager before.",
    ],
    ("word", "No"): ["No, it is not allowed.", "The answer is no."],
    ("word", "New York"): ["The answer is New York.", "It is new  york."],
    ("time", "16:15"): [
        "The answer is 4:15 pm.", "The answer is 16.15.", "4:15 pm", "16h15", "16:15:00",
        "It is 4:15 in the afternoon.", "The meeting is at 17:15.", "It was moved from 15:15.",
        "16:15-17:15", "Duration: 2:30", "3 guests", "2 hours earlier than planned",
        "16:15 not 17:15",
    ],
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
        "46.00", "$46", "~~46~~ 46", "46 (forty-six)", "= 46", "46 pens", "Forty-six.",
        "40 hats were sold", "Total items: 40", "See turn 40", "Total: 47", "The total is 47.",
        "47 pens", "28 for hats and 18 for pins", "Hats: 28, pins: 18", "7 × 4 = 28",
        "28 + 18 = 46",
        "Using the updated price of 4, 7 × 4 = 28.", "Check: 28 + 18 = 46", "There are 40 hats.",
        "Note: 2 items are missing.", "Note that 55 was wrong.", "Note: the answer is 46.",
        "The answer is based on 3 notes.", "The answer is in turn 3.", "The answer is final.",
        "The answer is 46 of 50.", "Sorry for the confusion, 46 is right.", "No tax included.",
        "My earlier answer was 55.", "47 is wrong.", "Not 47, as I said earlier.", "46 not 47",
        "It is 12 more than before.", "That's 12 fewer than 58.", "It was 55 originally.",
        "Is it 47?", "Q: 47?", "Confidence: 90%", "2024-05-12", "12 May 2024", "16:15",
        "Correction: none needed.", "No. 3 in the list", "Step 1: read the list.",
    ],
    ("number", "1.5"): ["The answer is 1 1/2."],
    ("number", "1500"): ["The answer is 1.5k.", "Final: 1,500"],
    ("number", "117"): ["The answer is 7 × 4 + 9 × 2 + 3 × 5 + 10 × 2 + 12 × 3 = 117."],
}  # fmt: skip
OTHER = {
    ("choice", "B"): [
        "The answer is (A).", "Final: (A)", "Actually, it is A.", "Edit: A", "A", "(A)", "→ A",
        "B? No, A.", "It's A.", "Option A", "Option A is correct.", "The correct option is A.",
        "No, A or C.", "No, A) Rome", "I was wrong, it is A.", "B is wrong, A is right.",
        "不是B，是C", r"$\boxed{C}$", "Maybe A.",
    ],
    ("word", "Ben"): [
        "No, Ana.", "The answer is Ana.", "Correction: Ana", "Ana", "Ana, sorry.", "It is Ana.",
        "~~Ben~~ Ana", "Ben? No, Ana.", "Ben → Ana", "Or rather Ana.", "Actually Ana, my mistake.",
        "New York", "Actually, it's New York.", "No, Carl.", "No, Carl is the manager.",
        "Actually Ana is the manager.", "Ben or Ana",
    ],
    ("word", "No"): ["No, wait."],
    ("time", "16:15"): [
        "The answer is 4:15 am.", "No, 17:15.", "17:15", "5 pm", "→ 5:15 pm", "noon",
        "No, at 17:15.",
        "No, 17.", "4:15 pm is wrong.", "It starts at 17:15, not at 16:15.", "~~16:15~~ 17:15",
        "The answer is actually 17:15", "Note: the correct answer is 17:15",
        "No, it starts at 17:15.",
    ],
    ("number", "46"): [
        "Wait, that is wrong.", "Correction: from 46 to 47", "Korrektur: 47", "更正：47",
        "間違いました。47です", "The answer is 20 + 27 = 47.", "Actually no, 47.", "Oh wait, 47.",
        "Wrong!", "Incorrect.", "My answer was wrong.", "That's not it.", "I'm sorry, it is 47.",
        "It must be 47.", "Actually, that is wrong.", "Sorry, that was wrong.", "Ich meinte 47.",
        "47", "**47**", "> 47", "- 47", "→ 47", "$47", "47.5", "-47", "≈ 47", "46 or 47", "46, 47",
        r"$\boxed{47}$", "✅ 47", "(47)", "47, sorry", "47 (corrected)", "47, my mistake.",
        "*47 (typo)",
        "The answer is actually 47", "The answer is -46.", "The total is actually 47.",
        "Note: the correct answer is 47", "46? No, 47.", "46... no, 47.", "46, sorry, 47.",
        "~~46~~ 47", "~~46~~", "<del>46</del> 47", "It is 47.", "So 47.", "I think it's 47.",
        "Maybe 47.", "However, it could also be 47.", "But wait, it is 47.", "But no, it's 47.",
        "No, probably 47.", "No, there are 47 pens.", "No, forty-seven pens.", "No, 1,5",
        "Meant 47.",
        "Actually, the price is 47.", "There are actually 47.", "47 is the correct answer.",
        "I changed my mind: 47.", "The answer is wrong.", "After double-checking, it's 47.",
        "I went through the whole list once more, item by item, and it is not 46.", "46ではなく47",
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
