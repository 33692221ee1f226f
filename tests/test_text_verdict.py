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
        {"labels": ["a"], "field": ""}, {"labels": "AB"},
    ]  # fmt: skip
    for options in wrong:
        with pytest.raises(OptionError):
            rs.text.verdict("reply", **options)
    with pytest.raises(ColumnError, match="'reply' has type Int64"):
        pl.DataFrame({"reply": [1]}).select(rs.text.verdict("reply", labels=["a"]))


NONE_OF_THEM = {
    ("A", "B"): """
        A is better than B.|Response A is better than B|A is preferable to B|The loser is B
        |The worse one is B|The weaker response is B.|The problem with A is B|A: wrong\nB: right
        |Verdict: A, no, B|{"verdict": "A is better than B."}|{"verdict": "The loser is B"}
        |{"verdict": "A is worse than B"}|A is not better|A is better?|A is better, B is safer
        |If A is better|A is better for tax|A wins or loses|Neither A is better
        |A - no, B|Verdict: A. Actually B.""",
    ("gpt", "claude"): "gpt is better than claude.|{'verdict': 'gpt is worse than claude'}",
    ("1", "2", "3", "4", "5"): """
        The number of errors is 2.|The correct total is 5.|The minimum is 1.|It is 5.
        |The reply is 5.|Correct: 5""",
    ("CORRECT", "INCORRECT"): """
        far from correct|anything but CORRECT|nowhere near correct|less than correct
        |fails to be CORRECT|CORRECT - NOT|IN CORRECT|None of it is correct|Half of it is correct
        |Only the unit is correct|Few would say this is correct|Correct, no.
        |Correct, but not entirely|CORRECT (only partly)
        |The CORRECT answer is 46 but the reply says 55.|A CORRECT reply would say 46
        |To be CORRECT it should say 46.|It should be CORRECT.|This was CORRECT before the update.
        |Probability CORRECT: 10%|P(CORRECT) = 0.1|CORRECT: 0, INCORRECT: 1|Correct: 46
        |Correct: the total is 46. The reply says 55.
        |The first step is correct. The final total is wrong.
        |The arithmetic is correct but the answer is not.|The user says this is correct.
        |According to the user, it is correct.|CORRECT\n\nWait, INCORRECT
        |Verdict: correct. Actually incorrect.|Verdict: incorrect\nOn reflection: correct
        |{"verdict": "CORRECT. Wait, INCORRECT"}|{"verdict": "CORRECT, but not entirely"}
        |{"verdict": "far from correct"}|{"verdict": "None of it is correct"}
        |{"verdict": "Only the unit is correct"}|{"verdict": "IN CORRECT"}
        |The reply says "it is correct".""",
    ("SUPPORTED", "REFUTED"): """
        supported, but only partially|SUPPORTED by nothing|SUPPORTED by none of the sources
        |It is false that it is supported|Nobody would say it is supported
        |{"verdict": "SUPPORTED by none of the sources"}
        |{"verdict": "It is false that it is supported"}
        |{"verdict": "Nobody would say it is supported"}""",
    ("yes", "no"): "Verdict: no problem|no doubt about it|{'verdict': 'No problem'}",
    ("true", "false"): "The reply says that he left, which is false.",
}


@pytest.mark.parametrize("labels", NONE_OF_THEM)
def test_labels_that_a_reply_only_speaks_of_are_not_decided_for(labels: tuple[str, ...]) -> None:
    replies = [row.strip().replace("\\n", "\n") for row in NONE_OF_THEM[labels].split("|")]
    read = dict(zip(replies, values(replies, labels=list(labels)), strict=True))
    assert {reply: label for reply, label in read.items() if label is not None} == {}


def test_signs_that_contradict_a_label() -> None:
    against = ["❌ CORRECT", "CORRECT ❌", "✗ CORRECT", "✘ correct", "❎ CORRECT", "🚫 CORRECT",
               "👎 **CORRECT**", "**❌ CORRECT**", "✅ INCORRECT", "INCORRECT ✔️", "👍 INCORRECT",
               "Verdict: ❌ CORRECT", '{"verdict": "❌ CORRECT"}']  # fmt: skip
    assert values(against) == [None] * len(against)
    along = {"✅ CORRECT": "CORRECT", "CORRECT ☑": "CORRECT", "👍 CORRECT": "CORRECT",
             "❌ INCORRECT": "INCORRECT", "INCORRECT ✗": "INCORRECT", "👎 INCORRECT": "INCORRECT",
             "Verdict: ✅ CORRECT": "CORRECT", "❌\nCORRECT": "CORRECT"}  # fmt: skip
    assert values([*along]) == [*along.values()]
    # Of other labels nobody knows whether a cross agrees with them.
    assert values(["❌ overstated", "✅ overstated"], labels=["overstated", "qualified"]) == [
        "overstated",
        "overstated",
    ]


def test_a_label_that_is_only_preferred() -> None:
    replies = ["A is better.", "A is better", "Assistant A is better.", "Response A wins",
               "**A is better.**", "A is the better answer.", "A is clearly the best response!",
               '{"verdict": "A is better"}', "Verdict: A is better."]  # fmt: skip
    assert values(replies, labels=["A", "B"]) == ["A"] * len(replies)


def test_plain_verdicts_are_still_read() -> None:
    rows = {
        ("A", "B"): [("The winner is B.", "B"), ("I pick B, since it is complete.", "B"),
                     ("A is good, B is not.\nVerdict: A", "A")],
        ("1", "2", "3", "4", "5"): [("My final rating is 4.", "4"), ("4", "4"),
                                    ("The score is 2, since 3 steps lack.", "2")],
        ("CORRECT", "INCORRECT"): [
            ("INCORRECT: the correct total is 5", "INCORRECT"),
            ("CORRECT, not INCORRECT", "CORRECT"),
            ('{"verdict": "INCORRECT because no total is given"}', "INCORRECT"),
            ("Verdict: INCORRECT, it does not say 46. The correct total is 46.", "INCORRECT"),
            ("The answer is correct, and complete.", "CORRECT"),
        ],
        ("yes", "no"): [("no", "no"), ("No, since it says 55.", "no"), ("no and yes", None)],
    }  # fmt: skip
    for labels, read in rows.items():
        found = values([reply for reply, _ in read], labels=list(labels))
        assert found == [label for _, label in read]


# Without a word that doubts what stands behind it: that is tested in the core.
LABELS = ["yes", "nay", "too bad facts", "SUPPORTED", "UN_SUPPORTED", "unsupported", "A", "AB"]
GAPS = [" ", " ", ", ", "-", "_", "/", "\n", ": ", " and ", "'", "**"]
WORDS = [
    *LABELS,
    "Yes",
    "Too Bad  Facts",
    "too-bad-facts",
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
    "rating", "Score", "grade", "answer", "Not entirely", "Mostly", "Well, partly", "not quite",
    "the reply says", "it says", "wrong",
    "rating", "So", "judge", "far from", "only", "by", "nothing", "than", "in", "Wait", "actually",
    "[[CORRECT]]", "[[incorrect", "]]", "grade is:", "score (1-5):", "verdict", "✅", "(it fits)",
    "❌", "✗", "👎", "☑", "is better", "wins", "Response", "the winner", "answer is the best",
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


GRADES_OF_FIVE = ["1", "2", "3", "4", "5"]
GRADED = [
    "1", "4", "5", "4/5", "4 / 5", "4 out of 5", "5 of 5", "4/10", "4 out of 10", "4.0", "4.5",
    "4.0/5.0", "[[4]]", "**4**/5", "4/5/24", "14", "-4", "4,5", "3-4", "3/5", "out of 5", "/5",
]  # fmt: skip
AROUND_GRADES = [
    "", "Score: ", "Rating: ", "The score is ",
    "Score (1-5): ", "Rating is: ", "Mark (out of 10): ",
    "I give it a ", "Final score: ", "Total: ",
    "Answer: ", "It is ", ".", "\n", " because it lacks a step", " and ", ", ", ". ", " stars", "?",
]  # fmt: skip


@settings(max_examples=800)
@given(st.lists(pick(GRADED) | pick(AROUND_GRADES), max_size=5).map("".join), st.booleans())
def test_scores_of_a_scale_are_those_of_the_twin(text: str, in_json: bool) -> None:
    reply = json.dumps({"verdict": text}) if in_json else text
    trace = traces([reply], labels=GRADES_OF_FIVE)[0]
    value, status, rule = twin.verdict(reply, "verdict", GRADES_OF_FIVE)
    assert (trace["value"], trace["status"]) == (value, status), (reply, trace)
    assert not rule or trace["rule"] == rule, (reply, trace)


def test_scores_out_of_a_scale() -> None:
    rows = {
        "4": """4/5|Score: 4/5|[[4]]|Rating: [[4]]|{"verdict": "4/5"}|{"verdict": "4 out of 5"}|4.0
            |{"verdict": 4.0}|The score is 4/5.|I give it a 4 out of 5.|**4**/5|Final score: 4
            |{"verdict": "Score: 4/5, since a step is missing"}|4 / 5|verdict: 4/5|Overall rating: 4
            |Score: 4/5\nThe reply misses 1 of 5 steps.|Rating: 4 out of 5.0""",
        None: """4/10|{"verdict": "4/10"}|4.5|{"verdict": 4.5}|3-4|The date is 4/5/24|4.5/5
            |Answer: 4|Score: 4\nScore: 3|Total: 4|2 of 5 steps are right|{"verdict": "4 or 5"}""",
    }  # fmt: skip
    for value, written in rows.items():
        replies = [reply.strip().replace("\\n", "\n") for reply in written.split("|")]
        found = values(replies, labels=GRADES_OF_FIVE)
        read = dict(zip(replies, found, strict=True))
        assert {reply: label for reply, label in read.items() if label != value} == {}
    assert values(["1/2", "1"], labels=["1", "2"]) == [None, "1"]
    assert values(["Rating: [[7]]", "7/10"], labels=[str(n) for n in range(1, 11)]) == ["7", "7"]


def test_how_judges_are_told_to_write() -> None:
    rows: dict[tuple[str, ...], list[tuple[str, str | None]]] = {
        ("A", "B", "C"): [
            ("Assistant A gave more detail. Therefore, my final verdict is: [[A]]", "A"),
            ("My final verdict is [[B]].", "B"),
            ("**My final verdict is:** [[C]]", "C"),
            ("Both are short, but A is wrong. I conclude: [[B]]", "B"),
            ("Therefore, A is better.\nMy verdict is: B", "B"),
            ('My verdict is: "A"', "A"),
            ("[[A]] or [[B]]", None),
            ("Write [[A]] if A is better.", None),
            ("My final verdict is: [[A>B]]", None),
            ("I had [[A]] in mind, then [[B]]", "B"),
            ("<verdict>A</verdict>", "A"),
            ("B is weaker.\n<verdict>\n**A**\n</verdict>", "A"),
            ("<verdict>A or B</verdict>", None),
            ("<verdict></verdict>", None),
        ],
        ("CORRECT", "INCORRECT"): [
            ("GRADE: INCORRECT (the total is missing)", "INCORRECT"),
            ("The grade is: CORRECT", "CORRECT"),
            ("✅ CORRECT", "CORRECT"),
            ("❌ **INCORRECT**\nThe total is 46.", "INCORRECT"),
            ("✅ CORRECT\n❌ INCORRECT", None),
            ("Grade: CORRECT (only partly)", None),
            ("Grade: CORRECT. Actually INCORRECT.", None),
            ("The reply says it is: CORRECT", None),
            ("The grade is not: CORRECT", None),
        ],
        ("1", "2", "3", "4", "5"): [
            ("Score (1-5): 4", "4"),
            ("**Rating (out of 5):** 4", "4"),
            ("Overall score [1 to 5]: **4**", "4"),
            ("Score (of step 3): 4", None),
            ("The answer is: 4", None),
        ],
    }
    for labels, read in rows.items():
        found = values([reply for reply, _ in read], labels=list(labels))
        assert list(zip(read, found, strict=True)) == [(row, row[1]) for row in read]


def test_what_a_judge_says_behind_a_label() -> None:
    rows: dict[str | None, str] = {
        "INCORRECT": """Incorrect: the reply says 55.|incorrect: it says 55|INCORRECT. Not entirely.
            |Incorrect: the total is missing|INCORRECT. Not at all.|Grade: incorrect""",
        "CORRECT": """Correct: the reply names 46.|Correct: it names 46.|CORRECT. Not all is shown.
            |Verdict: CORRECT, as it names 46|My grade: CORRECT|Final answer: CORRECT""",
        None: """CORRECT. Not entirely.|{"verdict": "CORRECT. Not quite."}|CORRECT. Mostly.
            |Correct: the total is 46.|{"verdict": "CORRECT. Well, partly."}
            |Reference answer: CORRECT
            |{"verdict": "CORRECT"} Wait, that is wrong.|{"verdict": "CORRECT", "verdict": null}""",
    }  # fmt: skip
    for value, written in rows.items():
        replies = [reply.strip() for reply in written.split("|")]
        read = dict(zip(replies, values(replies, labels=GRADES), strict=True))
        assert {reply: label for reply, label in read.items() if label != value} == {}
    assert traces(['{" verdict ": "CORRECT"}'])[0]["status"] == "strict"
