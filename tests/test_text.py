"""Text scorers against their twins, real replies, and every kind of column."""

import inspect
import itertools
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError, ReclaimStatsError
from reference import text as twin

Row = dict[str, Any]
Reply = str | None

NAMES = ["Ana", "Ben", "New York", "Cleo"]
NO_TEXT: Any = None
TRACE = ["value", "span", "start", "end", "rule", "status"]
DIALECTS = ["strict", "reclaim-eval", "reclaim-eval-loose"]
WHICH = ["last", "last", "first"]


def column(values: Sequence[Any], dtype: Any = pl.String) -> pl.Series:
    return pl.Series("reply", values, dtype=dtype)


def run(scorer: pl.Expr, **columns: Any) -> list[Any]:
    """Values of a scorer over columns given by name."""
    return pl.DataFrame(columns).select(scorer.alias("found"))["found"].to_list()


def numbers(replies: Sequence[Reply], **options: Any) -> list[Any]:
    return run(rs.text.answer_number("reply", **options), reply=column(replies))


def words(replies: Sequence[Reply], names: Sequence[str] = NAMES, **options: Any) -> list[Any]:
    return run(rs.text.answer_word("reply", options=names, **options), reply=column(replies))


# ── Replies ──────────────────────────────────────────────────────────────────────────────────

# What follows is drawn for the strict dialect, whose twin reads by regular expressions what the
# kernel reads token by token. On arbitrary soups of punctuation the two readings of a line that
# no model would write differ in about one of a hundred; so the parts are put together as a reply
# would: a marker begins a line, a value wears one dress, an invisible character stands behind a
# word and not in it, an equation is followed by no second one, and the line after a bare marker
# holds nothing but the value. The harness dialects and everything on tokens meet the full soup.
MARKERS = [
    "ANSWER: ", "answer:", "**Answer:** ", "**ANSWER**: ", "`Answer` : ", "## Answer: ",
    "ANSWER： ", "ANSWER\u200b: ", "Final answer: ", "ANSWER:\u00a0", "> Answer: ",
]  # fmt: skip
NO_MARKERS = ["ANSWERS: ", "ANSWER ", "Reanswer: "]
BARE_MARKERS = ["ANSWER:\n", "**Answer:**\n\n", "Answer:\r\n\r\n", "ANSWER: **\r\n"]
PROSE = [
    "", "", "I had 55 before.\n", "It was $55.\r\n", "Earlier answers: none\n",
    "At 12:45 we met; 3 came.\n", "\\boxed{55} first.\n", "Notes\u00a0here\n\n", "日本語 4\n",
    "ANSWER: 55 came first.\n", "ANSWER: Ana\r\n",
]  # fmt: skip
TAILS = [
    "",
    "",
    "",
    "\n",
    "\r\n",
    "\nThanks!",
    "\nDone 7.",
    "\u200b",
    "\n```",
    "  ",
    "\ufeff\n",
    "\nWait, that is wrong.",
    "\n\n**Correction:** 55",
    "\r\nNo, it is 55.",
    "\nNo, thanks.",
    "\nUpdate: 55",
    "\nUpdate: none",
    "\nEdit: 12 May",
    "\nActually, the old one was 55.",
    "\nActually, fifty-five.",
    "\nActually, 46.",
    "\nNo, Ana.",
    "\nSorry, no.",
    "\nHold on to it.",
    "\nWait for the update.",
    "\nThat's wrong.",
    "\nUpdated: 2024-05-12",
]
DRESS = [
    "{}", "{}", "**{}**", "`{}`", "({})", "<{}>", "[{}]", '"{}"', "“{}”", "_{}_", "\\text{{{}}}",
    "$\\boxed{{{}}}$",
]  # fmt: skip
LEADS = [
    "", "", "", "The total is ", "It comes to ", "x = ", "about ", "~", "exactly ", "I think ",
    "maybe ", "not ", "The earlier total was ", "unable to say, earlier ",
]  # fmt: skip
FIGURES = [
    "46", "46.0", "0", "7", "1,234", "1,234.5", "1 234", "4.50", ".025", "1.5e3", "3/8", "2 2/3",
    "2½", "½", "1.234,56", "10^3", "1,5", "12:45", "3rd", "46²", "1/2/2024", "５５", "٤٦", "4.6k",
    "2 million", "1{,}042",
]  # fmt: skip
UNITS = [
    "", "", "", "%", " dollars", " pens", "/month", " percent", " of 50", " or 55", ", 55",
    " to 55", " ± 2", " off", " doubled", " more than before", "% more", " less shipping", " max",
    " and up", " originally", " from memory", " May", " June", " provided the note holds",
    " provided by Ana", " more pens", " tops", " or so",
]  # fmt: skip
REMARKS = [
    "", "", "", ".", "!", " (was 55)", ", not 55", " because 28 + 18 = 46",
    " (assuming the tax is right)", ", but I cannot verify it", " if the tax is right",
    ". The 55 was wrong.", " (55)", " (or 55)", " — see above", " instead of 55", " (unverified)",
    " ~~55~~", " ~~or 55~~", ", less than before", " (at first)", " (from memory)", " (a typo)",
    ", assuming no tax",
]  # fmt: skip
NO_VALUE = [
    "", "unable", "N/A", "<answer>", "Not enough information", "I cannot tell", "no answer yet",
    "unknown (earlier 55)", "[total]", "???", "forty-six", "I need 2 prices", "none",
]  # fmt: skip
SENTENCES = [
    "46 = 28 + 18", "28 + 18 = 46", "$28 + $18 = $46", "46 is the total", "46 was the total",
    "USD 46", "US$46", "minus 46", "46 pens and 2 caps", "Sum of 3 pens is $46", "Total: 46",
    "46 €", "46-55", "28 + 18", "$5M", "5M", "- 46", "> 46", "5 ft 10 in", "46 + tax", "46 M",
    "46MM", "$46 M", "12pm", "3 p.m.", "3万", "5億", "Error: 55", "je ne sais pas: 55",
    "information is lost: 55", "I doubt it is 55", "55 no longer", "55 nein", "55 isn't it",
    "1. 46", "up to 46", "46ish", "5-star", "1990s", "46 (negative)", "46 (old value)",
    "55. That is wrong.", "٤٦٫٥", "١٬٢٣٤٫٥", "0.45 (45%)", "→ 46", "• 46", "约46", "46=47",
    "46 = 46", "$46 = $47", "46 = 40 + 6", "6. Mai", "46-", "~~55~~ 46", "<del>55</del> 46",
    "~~55~~", "~~55~~ unknown", "<s>46</s>", "x ≈ 5.2", "The correct total is not 55 but 46",
    "not 55, but 46", "46 (previously 55)",
]  # fmt: skip
SPACES = [" ", " ", " ", "\u00a0", "\u202f"]
INVISIBLE = ["", "", "", "\u200b", "\u200e", "\ufeff", "\u2060"]

pick = st.sampled_from


def joined(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map("".join)


figures = joined(pick(["", "", "-", "−", "–"]), pick(["", "", "$", "\\$", "€"]), pick(FIGURES))


@st.composite
def number_payloads(draw: st.DrawFn, plain: bool = False) -> str:
    if draw(st.integers(0, 4)) == 0:
        return draw(pick(NO_VALUE if plain else NO_VALUE + SENTENCES))
    body = draw(figures) + ("" if plain else draw(pick(UNITS))) + draw(pick(INVISIBLE))
    dressed = draw(pick(DRESS)).format(body)
    return dressed if plain else draw(pick(LEADS)) + dressed + draw(pick(REMARKS))


@st.composite
def replies(draw: st.DrawFn, payloads: Callable[..., st.SearchStrategy[str]]) -> str:
    text = draw(pick(PROSE))
    for last in draw(pick([[], [True], [True], [True], [False, True]])):
        if draw(st.integers(0, 5)) == 0:
            text += draw(pick(BARE_MARKERS)) + draw(payloads(plain=True))
        else:
            text += draw(pick(MARKERS * 3 + NO_MARKERS)) + draw(payloads())
        text += draw(pick(TAILS)) if last else draw(pick(["\n", "\r\n", "\n\n"]))
    return text.replace(" ", draw(pick(SPACES)))


OPTIONS_AS_WRITTEN = [
    "Ana", "ana", "BEN", "New York", "new  york", "Cleo", "Ana's", "Ben’s", "Ａｎａ", "Roger",
    "Ana-Maria", "York",
]  # fmt: skip
WORD_LEADS = [
    "", "", "", "The manager is ", "I choose ", "Not ", "It is not ", "Unable to say whether ",
    "The manager is no longer ", "It used to be ", "formerly ", "anyone but ",
    "someone other than ", "except ", "hardly ", "I doubt it's ", "successor of ", "nicht ",
    "non ", "不是 ", "So it's ", "~~Ben~~ ", "<s>Ben</s> ",
]  # fmt: skip
WORD_REMARKS = [
    "", "", "", ".", "!", " or Ben", " and Ben", ", Ben", "/Ben", " (Ben)", " (not Ben)",
    ", not Ben", " is the manager", " is not it", " because Ben is out", ". Ben is out.",
    ". Wait, Ben", ", but unverified", " instead of Cleo", " (Ben is the designer)",
    " no longer", " got replaced", " was replaced", " resigned", " was the manager", " isn't",
    ", according to the old note", " — sorry, Ben", " (previously Ben)", "?", ". Ben took over.",
    ". That is stale.", " is the former manager", " ~~Ben~~", " <del>or Ben</del>",
]  # fmt: skip
WORD_DRESS = [dress for dress in DRESS if "boxed" not in dress]


@st.composite
def word_payloads(draw: st.DrawFn, plain: bool = False) -> str:
    if draw(st.integers(0, 4)) == 0:
        return draw(pick(NO_VALUE))
    body = draw(pick(WORD_DRESS)).format(draw(pick(OPTIONS_AS_WRITTEN)) + draw(pick(INVISIBLE)))
    return body if plain else draw(pick(WORD_LEADS)) + body + draw(pick(WORD_REMARKS))


# The last number of prose without a marker; what looks like a subtraction is left out.
loose_prose = st.lists(
    pick(["46", "46", "55", "$4", "1,234", "4.50", "7", "1.5e3", "3rd", "37%", "€9", "５５"])
    | pick(["the total is", "not", "or", "about", "dollars", "=", "+", ",", "?", "(", ")", "**"])
    | pick(["\n", "\r\n", "\u00a0", "\u200b", "ANSWERS:", "日本", "-"]),
    max_size=8,
).map(" ".join)


SOUP = [
    "ANSWER:", "answer :", "**Answer:**", "ANSWER", "Answer\n:", "`Answer`：", "#### ", "answer:",
    "46", "-12", "−12", "$4", "1,234", "4.50", "７", "٣", "½", "1.5e3", "3,", ",", ".", "-", "$",
    "\\$", "*", "_", "`", "'", '"', "(", "[", "]", "{", "<", "|", "\\boxed{", "}", "’", "“",
    " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u202f", "\u2028", "\x1c", "\x85", "\u200b",
    "\u200e", "\ufeff", "Ana", "ben", "Ana/Ben", "New York", "é", "ß", "İ", "ﬁ", "日本", "=", "+",
]  # fmt: skip
soups = st.lists(pick(SOUP), max_size=14).map("".join)

TOKENS = [
    "7", "notebooks", "Notebooks", "$4", "4.50", "1,200", "1200", "1,20", "Ana's", "ana’S", "the",
    "of", "near", "two", "'s", "Straße", "STRASSE", "İ", "ﬁ", "é", "E\u0301", "日本", " ", " ",
    "-", ".", ",", "\u00a0", "\u200b", "_", "４", "4", "0", "00", "s", "ß", "Ǆ", "ŉ", "²", "Ⅳ",
]  # fmt: skip
texts = st.lists(pick(TOKENS), max_size=12).map("".join)


# ── Twins ────────────────────────────────────────────────────────────────────────────────────


def statuses(found: list[Any]) -> list[tuple[Any, str]]:
    return [(row["value"], row["status"]) for row in found]


@given(st.lists(replies(number_payloads), max_size=8), pick(["none", "boxed"]), pick(WHICH))
@settings(max_examples=250)
def test_strict_numbers_equal_their_twin(texts: list[str], fallback: str, which: str) -> None:
    options = {"fallback": fallback, "which": which}
    found = numbers(texts, **options, with_trace=True)
    assert statuses(found) == [twin.answer_number(text, **options) for text in texts]
    assert numbers(texts, **options) == [row["value"] for row in found]


@given(st.lists(loose_prose, max_size=8))
def test_last_number_equals_its_twin(texts: list[str]) -> None:
    found = numbers(texts, fallback="last_number", with_trace=True)
    assert statuses(found) == [twin.answer_number(text, fallback="last_number") for text in texts]
    assert numbers(texts, fallback="last_number") == [row["value"] for row in found]


@given(st.lists(soups | replies(number_payloads), max_size=8), pick(DIALECTS[1:]))
@settings(max_examples=250)
def test_harness_numbers_equal_their_twin(texts: list[str], dialect: str) -> None:
    found = numbers(texts, dialect=dialect)
    assert found == [twin.answer_number(text, dialect=dialect)[0] for text in texts]


@given(st.lists(replies(word_payloads), max_size=8), pick(WHICH))
@settings(max_examples=200)
def test_strict_words_equal_their_twin(texts: list[str], which: str) -> None:
    found = words(texts, which=which, with_trace=True)
    assert statuses(found) == [twin.answer_word(text, NAMES, which=which) for text in texts]
    assert words(texts, which=which) == [row["value"] for row in found]


@given(st.lists(soups | replies(word_payloads), max_size=8), pick(DIALECTS[1:]))
@settings(max_examples=200)
def test_harness_words_equal_their_twin(texts: list[str], dialect: str) -> None:
    found = words(texts, dialect=dialect)
    assert found == [twin.answer_word(text, NAMES, dialect=dialect)[0] for text in texts]


@given(
    st.lists(
        st.tuples(
            st.none() | replies(word_payloads),
            st.none() | st.lists(pick(NAMES), unique=True),
        ),
        max_size=8,
    ),
    pick(DIALECTS),
)
def test_options_of_each_row_equal_their_twin(
    rows: list[tuple[Reply, list[str] | None]], dialect: str
) -> None:
    found = run(
        rs.text.answer_word("reply", options=pl.col("options"), dialect=dialect),
        reply=column([text for text, _ in rows]),
        options=pl.Series([names for _, names in rows], dtype=pl.List(pl.String)),
    )
    assert found == [
        twin.answer_word(text, names, dialect=dialect)[0] if names and text is not None else None
        for text, names in rows
    ]


# How one number may be written: the digits of it, what stands around them, and around that.
ZEROS = "0000０٠०𝟎"
MONEY = ["", "", "", "$", "\\$", "€", "£", "₹", "US$", "USD ", "Rs. ", "EUR ", "$ "]
MEASURES = [
    "", "", "", "%", " %", "\\%", " pens", " dollars", " USD", " €", " kg", "kg", " km/h", "km/h",
    " m²", " m/s^2", " °C", "°C", "C", "/month", " per month", " or so", "ish", "-ish", "\\,kg",
    "~km", " points", "&nbsp;pens", "个",
]  # fmt: skip
WRAPS = [
    *DRESS, "***{}***", "**`{}`**", "\\boxed{{\\text{{{}}}}}", "\\({}\\)", "$${}$$",
    "\\textbf{{{}}}", "<b>{}</b>", "«{}»", "「{}」", "[[{}]]", "<<{}>>", "({})", "{}</s>",
    "{}<|im_end|>", "✅ {}",
    "\u200f{}\u200f", "{{{}}}", "{} ✅", "＜{}＞", "（{}）",
]  # fmt: skip
BEFORE = [
    "", "", "", "The total is ", "It comes to ", "about ", "≈ ", "~", "= ", "x = ", "Total due: ",
    "Cost = ", "The answer is: ", "So ", "I get ", "exactly ", "→ ", "Yes, ", "- Total: ",
    "It is not 0.007 but ", "The total (with tax) is ",
]  # fmt: skip
BEHIND = [
    "", "", "", ".", "。", "!", "\u200b", " (not 0.007)", ", not 0.007", " (was 0.007)",
    " instead of 0.007", " because 1 + 1 = 2", " — see above", "\r\nThanks, 9!", "\n\nI had 0.007.",
    " (previously 0.007)", ". The 0.007 was wrong.", " (based on the 2 notes)", " ###",
]  # fmt: skip


@st.composite
def written(draw: st.DrawFn) -> tuple[str, float]:
    """Digits of a number without its sign, and its value."""
    form = draw(pick(["plain", "plain", "plain", "power", "fraction", "mixed", "scaled"]))
    part, whole = draw(st.integers(1, 98)), draw(st.integers(1, 999))
    if form == "power":
        power, body = draw(st.integers(-9, 9)), f"{whole}.{part}"
        times = draw(pick(["e{}", "E{}", " × 10^{}", "*10^{}", " \\times 10^{{{}}}", "x10^{{{}}}"]))
        return body + times.format(power), float(f"{body}e{power}")
    if form == "fraction":
        line = draw(
            pick(["{}/{}", "{} / {}", "{}⁄{}", "\\frac{{{}}}{{{}}}", "\\dfrac{{{}}}{{{}}}"])
        )
        return line.format(whole, part), whole / part
    if form == "mixed":
        line = draw(pick(["{} {}/{}", "{}\\frac{{{}}}{{{}}}", "{} \\tfrac{{{}}}{{{}}}"]))
        return line.format(whole, part, part + 1), whole + part / (part + 1)
    if form == "scaled":
        scale, power = draw(pick([(" thousand", 3), ("k", 3), (" million", 6), (" bn", 9)]))
        return f"{whole}.{part}{scale}", float(f"{whole}.{part}e{power}")
    cents = draw(st.integers(0, 10 ** draw(st.integers(1, 13))))
    places = draw(st.integers(0, 2))
    whole, part = divmod(cents, 10**places)
    separator = draw(pick(["", ",", "\u00a0", "\u202f", "\u2009", "'", "’", "{,}", "\\,", "\\ "]))
    digits = f"{whole:,}".replace(",", separator) + (f".{part:0{places}}" if places else "")
    zero = draw(pick(ZEROS))
    return digits.translate({ord("0") + i: ord(zero) + i for i in range(10)}), cents / 10**places


@given(st.data())
@settings(max_examples=500)
def test_dressed_values_are_read_back(data: st.DataObject) -> None:
    """No twin: the reply is made from the value, so what should be read is known."""
    digits, value = data.draw(written())
    sign = data.draw(pick(["", "", "-", "−", "–", "‑", "－", "+"]))
    unit = data.draw(pick(MEASURES))
    if digits[-1] in "kn" or " " in digits or "\\" in digits:
        unit = "" if unit in ("C", "ish", "-ish", "°C", "kg", "km/h", "个") else unit
    money = data.draw(pick(MONEY))
    wrap = data.draw(pick(WRAPS))
    if (money or wrap.startswith("$")) and unit.startswith(" m"):
        # "$46 m" could be millions.
        unit = ""
    text = sign + money + digits + unit
    if sign and money and data.draw(st.booleans()):
        text = money + sign + digits + unit
    text = data.draw(pick(BEFORE)) + wrap.format(text) + data.draw(pick(BEHIND))
    reply = data.draw(pick(PROSE)) + data.draw(pick(MARKERS)) + text
    (found,) = numbers([reply], with_trace=True)
    assert found is not None
    assert found["value"] == value * (1 if sign in ("", "+") else -1), reply
    assert found["status"] == "read"
    assert found["span"] in reply


@pytest.mark.parametrize("dialect", DIALECTS)
@given(st.lists(st.none() | soups | st.text(max_size=20), max_size=8))
def test_anything_is_read_or_null(dialect: str, texts: list[Reply]) -> None:
    """Whatever the text: no error, a value exactly where the trace says so, spans in place."""
    for found in (
        numbers(texts, dialect=dialect, with_trace=True),
        words(texts, dialect=dialect, with_trace=True),
    ):
        for text, row in zip(texts, found, strict=True):
            trace: Row = row
            if text is None:
                assert trace == dict.fromkeys(TRACE)
                continue
            assert (trace["value"] is None) == (trace["span"] is None)
            assert (trace["value"] is None) == (trace["start"] is None)
            if trace["value"] is None:
                assert trace["status"] in {"ambiguous", "abstained", "unparsed"}
            else:
                assert trace["status"] == "read"
                assert trace["span"] == text[trace["start"] : trace["end"]] != ""


# ── Real input ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def blank(reference: Path) -> pl.DataFrame:
    """The 768 raw replies to blank and lossy notes, with the answer that the harness read."""
    folder = reference / "data" / "reclaim-eval"
    files = sorted(folder.glob("blank_strict_*.jsonl"))
    if not files:
        pytest.skip(f"no replies in {folder}")
    frames = [pl.read_ndjson(file, infer_schema_length=None) for file in files]
    return pl.concat([frame.cast({"answer": pl.Float64}) for frame in frames])


def test_harness_answers_of_all_raw_replies(blank: pl.DataFrame) -> None:
    assert blank.height == 768
    found = blank.select(rs.text.answer_number("reply", dialect="reclaim-eval"))["reply"]
    assert found.to_list() == blank["answer"].to_list()
    assert found.count() == 104


def test_strict_answers_of_all_raw_replies(blank: pl.DataFrame) -> None:
    """The strict dialect differs once: it gives the right side of an equation, not its start."""
    trace = rs.text.answer_number("reply", with_trace=True).alias("strict")
    rows = blank.with_columns(trace).unnest("strict")
    differing = rows.filter(~pl.col("value").eq_missing(pl.col("answer")))
    last_lines = [reply.splitlines()[-1] for reply in differing["reply"]]
    assert last_lines == ["ANSWER: $168 - $52 = $116"]
    assert differing.select("answer", "value", "span", "rule").rows() == [
        (168.0, 116.0, "116", "expression")
    ]
    spans = pl.col("reply").str.slice("start", pl.col("end") - pl.col("start"))
    assert rows.filter(spans.ne_missing(pl.col("span"))).is_empty()
    expected = [twin.answer_number(reply) for reply in rows["reply"]]
    assert rows.select("value", "status").rows() == expected


def test_curated_cases(reference: Path) -> None:
    file = reference / "cases" / "text_extraction.jsonl"
    if not file.is_file():
        pytest.skip(f"no file {file}")
    cases = [json.loads(line) for line in file.read_text().splitlines()]
    seen = {"answer_number": 0, "answer_word": 0}
    for case in cases:
        if case["scorer"] not in seen:
            continue
        seen[case["scorer"]] += 1
        if case["scorer"] == "answer_number":
            found: Any = numbers([case["text"]])
        else:
            found = words([case["text"]], case["options"])
        assert found == [case["expected"]], case["id"]
    assert seen == {"answer_number": 21, "answer_word": 9}


# ── Every kind of column ─────────────────────────────────────────────────────────────────────

REPLIES: list[Reply] = [
    "ANSWER: 46", None, "", "no marker, 7", "日本 é\u200b ANSWER: **$1,234.5**", "ANSWER: unable",
    "Answer: Ana", "ANSWER: 4 or 5", "ANSWER: the manager is ben\r\n", "ANSWER: −2",
]  # fmt: skip
MEMORIES: list[Reply] = [
    "answer 46", "a", "b", None, "日本 é answer", "unable, answer", "Ana", "", "ben", "2 1 answer",
]  # fmt: skip
ITEMS = [
    ["46"], ["x"], None, [], ["日本", "1,234.5"], ["unable", "able"], ["ana"], [""],
    ["the manager"], ["−2", "3"],
]  # fmt: skip
SETS = [NAMES, NAMES, NAMES, None, [], ["x"], ["ANA"], ["4", "5"], ["Ben", "Ana"], ["2", "-2"]]
SCORERS = {
    "number": rs.text.answer_number("reply"),
    "number_trace": rs.text.answer_number("reply", with_trace=True),
    "last": rs.text.answer_number("reply", fallback="last_number"),
    "harness": rs.text.answer_number("reply", dialect="reclaim-eval"),
    "word": rs.text.answer_word("reply", options=NAMES),
    "word_trace": rs.text.answer_word("reply", options=NAMES, with_trace=True),
    "word_rows": rs.text.answer_word("reply", options=pl.col("options")),
    "all": rs.text.source_survival("reply", "items"),
    "any": rs.text.source_survival("reply", "memory", test="any"),
    "fraction": rs.text.source_survival("reply", "items", test="fraction"),
    "prefix": rs.text.source_survival("reply", "memory", test="prefix", prefix_chars=2),
    "containment": rs.text.containment("reply", "memory"),
    "traced": rs.text.containment("reply", "memory", with_trace=True),
    "items": rs.text.source_survival("reply", "items", with_trace=True),
    "numbers": rs.text.source_survival("reply", "items", test="numbers"),
    "completeness": rs.text.completeness("reply", "items"),
}
COUNTS = {"found": pl.UInt64, "total": pl.UInt64}
PARTS = {"kept": pl.List(pl.String), "lost": pl.List(pl.String)}
ALL = [scorer.alias(name) for name, scorer in SCORERS.items()]


def frame() -> pl.DataFrame:
    return pl.DataFrame(
        {"reply": REPLIES, "memory": MEMORIES, "items": ITEMS, "options": SETS},
        schema_overrides={"items": pl.List(pl.String), "options": pl.List(pl.String)},
    )


@pytest.fixture(scope="module")
def scored() -> pl.DataFrame:
    return frame().select(ALL)


def test_values_of_the_example(scored: pl.DataFrame) -> None:
    found = scored.to_dict(as_series=False)
    assert found["number"] == [46, None, None, None, 1234.5, None, None, None, None, -2]
    assert found["last"] == [46, None, None, 7, 1234.5, None, None, None, None, -2]
    assert found["harness"] == [46, None, None, None, 1234.5, None, None, 4, None, None]
    assert found["word"] == [None] * 6 + ["Ana", None, "Ben", None]
    assert found["word_rows"] == [None] * 6 + ["ANA", None, "Ben", "-2"]
    assert found["all"] == [True, None, None, None, True, False, True, None, True, False]
    assert found["any"] == [True, None, False, None, True, True, True, None, True, True]
    assert found["fraction"] == [1, None, None, None, 1, 0.5, 1, None, 1, 0.5]
    assert found["prefix"] == [True, None, False, None, True, True, True, None, True, False]
    assert found["containment"] == [1, None, None, None, 0.8, 1, 0.5, 0, 1 / 3, 1]


def test_types_and_names(scored: pl.DataFrame) -> None:
    trace: dict[str, Any] = {
        "span": pl.String,
        "start": pl.UInt64,
        "end": pl.UInt64,
        "rule": pl.String,
    }
    trace |= {"status": pl.String}
    numeric: dict[str, Any] = {"value": pl.Float64}
    texts: dict[str, Any] = {"value": pl.String}
    schema = {
        "number": pl.Float64,
        "number_trace": pl.Struct(numeric | trace),
        "last": pl.Float64,
        "harness": pl.Float64,
        "word": pl.String,
        "word_trace": pl.Struct(texts | trace),
        "word_rows": pl.String,
        "all": pl.Boolean,
        "any": pl.Boolean,
        "fraction": pl.Float64,
        "prefix": pl.Boolean,
        "containment": pl.Float64,
        "traced": pl.Struct(numeric | COUNTS | PARTS),
        "items": pl.Struct({"value": pl.Boolean, "test": pl.String} | COUNTS | PARTS),
        "numbers": pl.Boolean,
        "completeness": pl.Struct({"kept": pl.UInt64, "total": pl.UInt64, "fraction": pl.Float64}),
    }
    assert dict(scored.schema) == schema
    assert dict(frame().lazy().select(ALL).collect_schema()) == schema
    assert dict(frame().clear().select(ALL).schema) == schema
    for scorer in SCORERS.values():
        assert frame().select(scorer).columns == ["reply"]


@pytest.mark.parametrize("name", SCORERS)
def test_null_gives_null_and_zero_rows_none(name: str) -> None:
    nulls = frame().with_columns(pl.lit(None, dtype=pl.String).alias("reply"))
    for rows in (nulls, nulls.with_columns(pl.lit(None).alias("reply"))):
        found = rows.select(SCORERS[name]).to_series()
        values = found.struct.unnest() if found.dtype == pl.Struct else found.to_frame()
        assert values.null_count().row(0) == (len(REPLIES),) * values.width
    assert frame().clear().select(SCORERS[name]).is_empty()


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(sorted({r for r in REPLIES if r}))])
def test_dictionary_columns(scored: pl.DataFrame, dtype: Any) -> None:
    rows = frame().with_columns(pl.col("reply").replace("", None))
    expected = rows.select(ALL)
    assert rows.cast({"reply": dtype}).select(ALL).equals(expected)
    memories = pl.Enum(sorted({m for m in MEMORIES if m is not None}))
    assert frame().cast({"memory": memories}).select(ALL).equals(scored)
    sets: dict[Any, Any] = {"items": pl.List(pl.Categorical), "options": pl.List(pl.Categorical)}
    assert frame().cast(sets).select(ALL).equals(scored)


@pytest.mark.parametrize("start", [0, 1, 4, 9])
def test_sliced_columns(scored: pl.DataFrame, start: int) -> None:
    for length in (0, 1, 3, 6):
        found = frame().slice(start, length).select(ALL)
        assert found.equals(scored.slice(start, length))


@given(st.lists(st.integers(0, 10), max_size=4), st.lists(st.integers(0, 10), max_size=4))
@settings(max_examples=40)
def test_chunked_columns(left: list[int], right: list[int]) -> None:
    """Each input is cut at places of its own, some pieces empty."""
    rows = frame()

    def cut(values: pl.Series, places: list[int]) -> pl.Series:
        edges = [0, *sorted(places), len(values)]
        pieces = [values.slice(a, b - a) for a, b in itertools.pairwise(edges)]
        whole = pieces[0]
        for piece in pieces[1:]:
            whole = whole.append(piece) if len(piece) else whole
        return whole

    chunked = pl.DataFrame(
        [cut(rows["reply"], left), *(cut(rows[name], right) for name in rows.columns[1:])]
    )
    assert chunked.select(ALL).equals(rows.select(ALL))


def test_concatenated_without_rechunking(scored: pl.DataFrame) -> None:
    pieces = [frame().slice(i, 2) for i in range(0, 10, 2)] * 2
    rows = pl.concat(pieces, rechunk=False)
    assert rows["reply"].n_chunks() == 10
    assert rows.select(ALL).equals(pl.concat([scored, scored]))


def test_lazy_and_streaming_on_many_small_chunks(scored: pl.DataFrame) -> None:
    assert frame().lazy().select(ALL).collect().equals(scored)
    rows = pl.concat([frame().slice(i, 1) for i in range(10)] * 50, rechunk=False)
    assert rows["reply"].n_chunks() == 500
    expected = pl.concat([scored] * 50)
    assert rows.lazy().select(ALL).collect(engine="streaming").equals(expected)
    counted = rows.lazy().filter(SCORERS["number"] > 0).select(pl.len())
    assert counted.collect(engine="streaming").item() == 100


@pytest.mark.parametrize("name", SCORERS)
def test_in_groups(scored: pl.DataFrame, name: str) -> None:
    rows = frame().with_columns(group=pl.Series([2, 1, 2, 1, 1, 3, 2, 2, 3, 1]))
    scorer = SCORERS[name].alias("found")
    expected = rows.with_columns(scored[name].alias("found"))
    grouped = rows.group_by("group", maintain_order=True).agg(scorer, "reply")
    whole = expected.group_by("group", maintain_order=True).agg("found", "reply")
    assert grouped.equals(whole)
    assert rows.with_columns(scorer.over("group")).equals(expected)
    lazy = rows.lazy().group_by("group").agg(scorer.is_null().sum()).sort("group")
    wanted = expected.group_by("group").agg(pl.col("found").is_null().sum()).sort("group")
    assert lazy.collect().equals(wanted)
    assert lazy.collect(engine="streaming").equals(wanted)


def test_in_conditions(scored: pl.DataFrame) -> None:
    chosen = pl.when(pl.col("memory").is_null()).then(-1.0).otherwise(SCORERS["number"])
    found = frame().with_columns(chosen.alias("found"))["found"]
    assert found.to_list() == [
        -1.0 if memory is None else value
        for memory, value in zip(MEMORIES, scored["number"], strict=True)
    ]
    assert frame().filter(SCORERS["number"].is_not_null()).height == 3


def test_literals_stand_for_a_column() -> None:
    rows = frame()
    number = rs.text.answer_number(pl.lit("ANSWER: 46"))
    assert pl.select(number).item() == 46
    assert rows.with_columns(number.alias("found"))["found"].to_list() == [46.0] * 10
    word = rs.text.answer_word(pl.lit("ANSWER: Ana"), options=pl.col("options"))
    found = rows.select(word.alias("found"))["found"].to_list()
    assert found == ["Ana", "Ana", "Ana", None, None, None, "ANA", None, "Ana", None]
    one_set = rs.text.answer_word("reply", options=pl.lit(pl.Series([NAMES])))
    assert rows.select(one_set).equals(rows.select(SCORERS["word"]))
    kept = rs.text.source_survival("reply", pl.lit(pl.Series([["answer"]])))
    assert rows.select(kept)["reply"].to_list() == [
        None if reply is None else "answer" in reply.lower() for reply in REPLIES
    ]
    held = rs.text.containment(pl.lit("The answer"), "memory").alias("found")
    assert rows.select(held)["found"].to_list() == [
        None if memory is None else float("answer" in memory) for memory in MEMORIES
    ]
    for scorer in (kept, held, one_set, word):
        assert rows.clear().select(scorer.alias("found")).is_empty()
        assert rows.slice(0, 1).select(scorer.alias("found")).height == 1


def test_columns_of_different_lengths_are_refused() -> None:
    two, three = pl.lit(column(["a", "b"])), pl.lit(column(["a", "b", "c"]))
    with pytest.raises((ValueError, pl.exceptions.PolarsError), match="length"):
        pl.select(rs.text.containment(two, three))


@pytest.mark.parametrize("before", ["", "é", "日本語", "😀\u200d😀 ", "e\u0301 ½ ", "\r\n\u00a0"])
def test_trace_counts_characters(before: str) -> None:
    reply = f"{before} ANSWER: **$1,234.5** € (é)"
    (found,) = numbers([reply], with_trace=True)
    trace: Row = found
    assert list(trace) == TRACE
    assert trace["span"] == reply[trace["start"] : trace["end"]] == "1,234.5"
    assert (trace["value"], trace["rule"], trace["status"]) == (1234.5, "marker", "read")
    (found,) = words([f"{before} ANSWER: it is 日本 now"], ["日本", "x"], with_trace=True)
    trace = found
    assert trace["span"] == "日本"
    assert trace["start"] == len(before) + len(" ANSWER: it is ")


def test_trace_names_fallbacks_and_abstentions() -> None:
    texts = ["So 72.", "ANSWER: unable", "46 in 2", "\\boxed{9}", "ANSWER: 4 or 5", ""]
    last = numbers(texts, fallback="last_number", with_trace=True)
    assert [(row["value"], row["rule"], row["status"]) for row in last] == [
        (72.0, "last_number", "read"),
        (None, "refusal", "abstained"),
        (2.0, "last_number", "ambiguous"),
        (9.0, "last_number", "read"),
        (None, "several", "ambiguous"),
        (None, "no_marker", "unparsed"),
    ]
    boxed = numbers(texts, fallback="boxed", with_trace=True)
    assert [row["rule"] for row in boxed][3] == "boxed"
    assert [row["value"] for row in boxed] == [None, None, None, 9.0, None, None]


def test_values_without_a_trace_are_those_with_one(reference: Path) -> None:
    """A value alone is read by short cuts; on every real reply it has to be the same."""
    replies = [
        reply
        for file in sorted((reference / "data/reclaim-eval").glob("*.jsonl"))
        for row in map(json.loads, file.read_text().splitlines())
        if isinstance(reply := row.get("reply"), str)
    ]
    assert len(replies) == 1140
    problems = (reference / "data/reclaim-eval/problems.jsonl").read_text().splitlines()
    names = sorted({name for row in map(json.loads, problems) for name in row["options"] or []})
    text = rs.text
    for which, (scorer, fallbacks) in itertools.product(
        ["last", "first"],
        [
            (text.answer_number, ["none", "last_number", "boxed"]),
            (text.answer_time, ["none", "last_time"]),
        ],
    ):
        for fallback in fallbacks:
            options: Any = {"which": which, "fallback": fallback}
            trace = run(scorer("reply", **options, with_trace=True), reply=column(replies))
            values = run(scorer("reply", **options), reply=column(replies))
            assert values == [row["value"] for row in trace], options
    for options in (names, names[:5]):
        values = words(replies, options)
        assert values == [row["value"] for row in words(replies, options, with_trace=True)]
        assert options is not names or any(values)


def test_markers_of_ones_own() -> None:
    texts = ["#### 46", "Final  Answer: 7", "ANSWER: 5\n#### 6", "最终答案：8", "RÉPONSE : 9"]
    markers = ["####", "final answer", "答案", "réponse:"]
    assert numbers(texts, marker=markers) == [46, 7, 6, 8, 9]
    assert numbers(texts, marker="####") == [46, None, 6, None, None]
    # With the usual marker `#### 6` is a second answer.
    assert numbers(texts) == [None, 7, None, None, None]


# ── Errors ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["eager", "lazy", "streaming", "group_by", "over"])
@pytest.mark.parametrize(
    ("scorer", "name", "dtype"),
    [
        (rs.text.answer_number("n"), "n", "Int64"),
        (rs.text.answer_word("n", options=NAMES), "n", "Int64"),
        (rs.text.answer_word("t", options=pl.col("n")), "n", "Int64"),
        (rs.text.answer_word("t", options=pl.col("t")), "t", "String"),
        (rs.text.source_survival("n", "t"), "n", "Int64"),
        (rs.text.source_survival("t", "n"), "n", "Int64"),
        (rs.text.source_survival("t", "l", test="prefix"), "l", "List"),
        (rs.text.containment("t", "l"), "l", "List"),
        (rs.text.containment("b", "t"), "b", "Binary"),
    ],
)
def test_wrong_types_are_named(scorer: pl.Expr, name: str, dtype: str, how: str) -> None:
    rows = pl.DataFrame({"t": ["a", "b"], "n": [1, 2], "l": [["a"], ["b"]], "b": [b"a", b"b"]})
    expr = scorer.alias("found")
    scored = {
        "eager": lambda: rows.select(expr),
        "lazy": lambda: rows.lazy().select(expr).collect(),
        "streaming": lambda: rows.lazy().select(expr).collect(engine="streaming"),
        "group_by": lambda: rows.group_by(pl.lit(1)).agg(expr),
        "over": lambda: rows.select(expr.over(pl.lit(1))),
    }
    with pytest.raises(ColumnError) as caught:
        scored[how]()
    assert f"column {name!r} has type {dtype}" in str(caught.value)


def test_missing_columns_are_named() -> None:
    with pytest.raises(pl.exceptions.ColumnNotFoundError, match="rply"):
        frame().select(rs.text.answer_number("rply"))


OPTIONS_OF_STRICT = {
    rs.text.answer_number: {"marker": "####", "which": "first", "fallback": "boxed"},
    rs.text.answer_word: {"marker": ["Antwort"], "which": "first"},
    rs.text.answer_time: {"marker": "Antwort", "which": "first", "fallback": "last_time"},
}


@pytest.mark.parametrize("scorer", OPTIONS_OF_STRICT)
def test_dialects_refuse_what_they_would_not_heed(scorer: Any) -> None:
    every = {"options": ["Ana", "Ben"]} if scorer is rs.text.answer_word else {}
    harnesses = ["reclaim-eval", "reclaim-eval-loose"]
    if scorer is rs.text.answer_number:
        harnesses += ["lm-eval-strict", "lm-eval-flexible"]
    known = inspect.signature(scorer).parameters
    heeded = {"reply", "dialect", "options", "with_trace"}
    assert known.keys() - heeded == OPTIONS_OF_STRICT[scorer].keys()
    for name, value in OPTIONS_OF_STRICT[scorer].items():
        assert isinstance(scorer("r", **every, **{name: value}), pl.Expr)
        for dialect in harnesses:
            with pytest.raises(OptionError, match=f"{name}=.* belongs to dialect='strict'"):
                scorer("r", **every, dialect=dialect, **{name: value})
            scorer("r", **every, dialect=dialect, **{name: known[name].default})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.text.answer_number("r", dialect="Strict"), r"'Strict'.*'strict', 'reclaim-"),
        (lambda: rs.text.answer_number("r", fallback="last"), r"'last'.*'none', 'last_number', "),
        (lambda: rs.text.answer_word("r", options=NAMES, dialect=""), r"''.*'reclaim-eval-loose'"),
        (lambda: rs.text.source_survival("a", "b", test="some"), r"'some'.*'all', 'any', 'frac"),
        (lambda: rs.text.source_survival("a", "b", prefix_chars=0), r"prefix_chars=0"),
        (lambda: rs.text.source_survival("a", "b", prefix_chars=True), r"prefix_chars=True"),
        (
            lambda: rs.text.answer_number("r", dialect="reclaim-eval", fallback="boxed"),
            r"fallback='boxed' belongs to dialect='strict'",
        ),
        (
            lambda: rs.text.answer_number("r", dialect="lm-eval-strict", marker=["####"]),
            r"marker=\['####'\] belongs to dialect='strict'",
        ),
        (lambda: rs.text.answer_number("r", marker=""), r'marker ""'),
        (lambda: rs.text.answer_number("r", marker=["ANSWER", " : "]), r'marker " : "'),
        (lambda: rs.text.answer_number("r", marker=[]), r"marker is empty"),
        (lambda: rs.text.answer_word("r", options=NAMES, marker=""), r'marker ""'),
        (lambda: rs.text.answer_word("r", options=[]), r"options are empty"),
        (lambda: rs.text.answer_word("r", options="names"), r"one text.*options=pl.col\('names'\)"),
        (lambda: rs.text.answer_word("r", options=["Ana", " - "]), r'option " - "'),
        (lambda: rs.text.answer_word("r", options=["Ana", "Ben", "ANA’s"]), r'"Ana" and "ANA’s"'),
        (lambda: rs.text.answer_word("r", options=["Ana", NO_TEXT]), r"options must be text"),
    ],
)
def test_bad_options_are_refused_at_once(call: Callable[[], pl.Expr], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        call()
    assert isinstance(caught.value, ReclaimStatsError)


def test_sets_of_a_row_that_cannot_be_told_apart_are_refused() -> None:
    rows = pl.DataFrame({"reply": ["ANSWER: a", "ANSWER: b"], "options": [["a"], ["b", "B"]]})
    scorer = rs.text.answer_word("reply", options=pl.col("options"))
    for lazy in (False, True):
        with pytest.raises(OptionError, match='"b" and "B"'):
            rows.lazy().select(scorer).collect() if lazy else rows.select(scorer)


# ── Size ─────────────────────────────────────────────────────────────────────────────────────

MEGABYTE = 1_000_000


def timed(scorer: pl.Expr, **columns: Any) -> tuple[list[Any], float]:
    started = time.perf_counter()
    found = run(scorer, **columns)
    return found, time.perf_counter() - started


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("piece", ["12 pens: é, ", "ANSWER ", ": ", "1,", "a", "\n", "ANSWER:?"])
def test_huge_replies(piece: str, dialect: str) -> None:
    filler = piece * (10 * MEGABYTE // len(piece))
    scorer = rs.text.answer_number("reply", dialect=dialect)
    found, seconds = timed(scorer, reply=column([filler, filler + "\nANSWER: 46"]))
    assert found[1] == 46
    assert (found[0] is None) == (dialect != "reclaim-eval-loose" or not re.search(r"\d", piece))
    assert seconds < 3
    scorer = rs.text.answer_word("reply", options=NAMES, dialect=dialect)
    found, seconds = timed(scorer, reply=column([filler, filler + "\nANSWER: Ana"]))
    assert found == [None, "Ana"]
    assert seconds < 3


def test_huge_notes() -> None:
    note = "seven pens at $2 each, " * (10 * MEGABYTE // 23)
    columns = {"note": column([note]), "source": column(["9 pens " * MEGABYTE])}
    for scorer, expected in [
        (rs.text.containment("source", "note"), 0.5),
        (rs.text.source_survival("note", "source", test="fraction"), 0.5),
        (rs.text.source_survival("note", "source", test="prefix"), False),
    ]:
        found, seconds = timed(scorer, **columns)
        assert found == [expected]
        assert seconds < 3


def test_a_hundred_thousand_markers() -> None:
    texts = [f"{'ANSWER: 5 ' * 100_000}ANSWER: 46", f"{'ANSWER: ' * 100_000}", "#### " * 100_000]
    found, seconds = timed(
        rs.text.answer_number("reply", marker=["ANSWER", "####"]), reply=column(texts)
    )
    assert found == [46, None, None]
    assert seconds < 3


def test_a_million_empty_replies() -> None:
    rows = pl.DataFrame({"reply": pl.repeat("", MEGABYTE, eager=True)})
    started = time.perf_counter()
    found = rows.select(
        number=SCORERS["number"], word=SCORERS["word"], trace=SCORERS["number_trace"]
    )
    assert time.perf_counter() - started < 5
    assert found["number"].null_count() == found["word"].null_count() == MEGABYTE
    assert found["trace"].struct.field("status").unique().to_list() == ["unparsed"]


THREADS = """
import polars as pl
import reclaimstats as rs

rows = pl.DataFrame({"i": range(30_000)}).select(
    reply=pl.format("note {} é\\nANSWER: ${}.5 or so{}", "i", "i", pl.col("i") % 7),
    memory=pl.format("{} notes, answer {}.5", pl.col("i") + pl.col("i") % 3, "i"),
)
found = rows.select(
    number=rs.text.answer_number("reply", with_trace=True),
    loose=rs.text.answer_number("reply", dialect="reclaim-eval-loose"),
    kept=rs.text.source_survival("memory", "reply", test="fraction"),
    held=rs.text.containment("reply", "memory"),
)
print(found.hash_rows(0).sum(), found["held"].sum(), found["loose"].sum(), found["kept"].sum())
"""


def python(code: str, *arguments: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_results_do_not_depend_on_threads() -> None:
    one = python(THREADS, RAYON_NUM_THREADS="1")
    assert len(one.split()) == 4
    assert one == python(THREADS, RAYON_NUM_THREADS="3")


MEMORY = """
import json
import sys
import polars as pl
import reclaimstats as rs

def resident(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) * 1024

def size(found):
    # Polars counts the characters of texts, and not the 16 bytes that each text takes besides.
    if found.dtype == pl.Struct:
        return sum(size(field) for field in found.struct.unnest())
    if found.dtype == pl.List:
        return 8 * len(found) + size(found.explode(empty_as_null=False))
    return found.estimated_size() + 16 * len(found) * (found.dtype == pl.String)

def growth(scorer):
    # The peak so far is forgotten, so that building the column does not hide a copy of it.
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    before = resident("VmRSS")
    found = rows.select(scorer).to_series()
    return resident("VmHWM") - before, size(found)

def replies(start):
    numbers = pl.Series([f"{start + i} " for i in range(5_000)], dtype=pl.String)
    return numbers + "so many pens " * 77 + "ANSWER: 46"

if sys.argv[1] == "many":
    rows = pl.concat([replies(i * 5_000) for i in range(60)], rechunk=False).to_frame("reply")
elif sys.argv[1] == "empty":
    rows = pl.select(reply=pl.repeat("", 1_000_000))
else:
    huge = pl.repeat("pens and so many more, " * 1_000, 4_350, eager=True)
    rows = (huge.str.join("") + "ANSWER: 46").to_frame("reply")
pens = pl.lit("46 pens")
text = {
    "number": rs.text.answer_number,
    "last_number": lambda *reply, **k: rs.text.answer_number(*reply, fallback="last_number", **k),
    "word": lambda *reply, **k: rs.text.answer_word(*reply, options=["46", "47"], **k),
    "choice": rs.text.answer_choice,
    "time": lambda *reply, **k: rs.text.answer_time(*reply, fallback="last_time", **k),
    "regex": lambda *reply, **k: rs.text.answer_regex(*reply, "[0-9]+", **k),
    "json": lambda *reply, **k: rs.text.answer_json(*reply, field="answer", **k),
    "verdict": lambda *reply, **k: rs.text.verdict(*reply, field="a", labels=["yes", "no"], **k),
    "boxed": rs.text.boxed,
    "code": rs.text.code_block,
    "sql": rs.text.sql_block,
    "calls": rs.text.function_calls,
    "cues": rs.text.cues,
    "survival": lambda *reply, **k: rs.text.source_survival(*reply, pens, **k),
    "containment": lambda *reply, **k: rs.text.containment(pens, *reply, **k),
}
scorers = {
    "calls_match": rs.text.calls_match("reply", "reply"),
    "exact": rs.text.exact_match(pred="reply", gold=pens),
    "f1": rs.text.token_f1(pred="reply", gold=pens),
    "numbers": rs.text.numbers("reply"),
    "invented": rs.text.invented_numbers("reply", pens),
    "recurring": rs.text.recurring_value("reply"),
    "prefix": rs.text.source_survival("reply", pens, test="prefix"),
    "completeness": rs.text.completeness("reply", pl.lit(pl.Series([["46 pens", "so many pens"]]))),
    "record": rs.score.read_record("reply"),
    "check": rs.score.check_record("reply", "reply"),
    "regime": rs.score.memory_regime("reply", pens, pl.lit("46")),
}
for name, scorer in text.items():
    if sys.argv[1] != "huge":
        scorers[name] = scorer("reply")
    if sys.argv[1] != "many":
        scorers[name + "_trace"] = scorer("reply", with_trace=True)
# The first use of anything costs what later ones do not.
rows.head(10).select(rs.text.answer_number("reply"))
rows.select(pl.col("reply").str.len_bytes())
report = {"copy": growth(pl.col("reply").str.to_uppercase())}
report |= {name: growth(scorer) for name, scorer in scorers.items()}
# At times Polars copies the column of an expression that does nothing: what is a scorer's own is
# there each time.
for name, (grown, output) in report.items():
    if grown > output + 64e6 and name not in ("copy", "exact", "f1"):
        report[name] = min(growth(scorers[name]), growth(scorers[name]), (grown, output))
report["column"] = size(rows["reply"])
print(json.dumps(report))
"""
# These compare a form of the whole text, which they hold, and twice its size while it grows.
COPIES = {"huge": {"exact": 200e6, "f1": 200e6}}


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
@pytest.mark.parametrize(("kind", "least"), [("many", 300e6), ("empty", 15e6), ("huge", 100e6)])
def test_no_scorer_holds_more_than_its_result(kind: str, least: float) -> None:
    report = json.loads(python(MEMORY, kind))
    assert report.pop("column") > least
    copied, _ = report.pop("copy")
    assert copied > least / 2 or kind == "empty", "the measurement must see a copy"
    for name, (grown, output) in report.items():
        allowed = 64e6 + COPIES.get(kind, {}).get(name, 0)
        assert grown < output + allowed, f"{name}: {grown / 1e6:.0f} MB"


# ── Known faults ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("answer", ["-US$4", "~-US$4", "The total is −US$4", "US$-4"])
def test_signs_before_long_currencies(answer: str) -> None:
    assert numbers([f"ANSWER: {answer}"]) == [-4]


@pytest.mark.parametrize("answer", ["yes/no", "Yes / No", "[yes/no]", "<yes/no>"])
def test_yes_and_no(answer: str) -> None:
    assert words([f"ANSWER: {answer}"], ["yes", "no"]) == [None]


@pytest.mark.parametrize("answer", ["\u200b<answer>", "\ufeff[total]"])
def test_invisible_characters_before_a_placeholder(answer: str) -> None:
    (found,) = numbers([f"I had 55.\nANSWER:{answer}"], fallback="last_number", with_trace=True)
    assert found["status"] == "abstained"


def doubtful(found: list[Any]) -> None:
    assert {row["value"] for row in found} == {None}, found
    assert {row["status"] for row in found} <= {"ambiguous", "abstained"}, found


def test_options_that_a_sentence_takes_back() -> None:
    answers = [
        "The manager is no longer Ben; it's Ana.", "It used to be Ben", "formerly Ben",
        "Ben no longer", "anyone but Ben", "someone other than Ben", "except Ben", "without Ben",
        "hardly Ben", "I doubt it's Ben", "Ben's successor", "successor of Ben", "Ben got replaced",
        "Ben was replaced", "Ben resigned", "Ben was the manager", "Ben, according to the old note",
        "nicht Ben", "non Ben", "不是 Ben", "Ana isn't", "Ben — sorry, Ana", "Ben. Ana took over.",
        "Ben. He resigned.", "Ben is the former manager", "Deputy: Ben", "❌ Ben", "~~Ben~~",
        "Ana (Ben is the designer)",
    ]  # fmt: skip
    doubtful(words([f"ANSWER: {answer}" for answer in answers], with_trace=True))


def test_options_that_stay() -> None:
    answers = [
        "Ana (previously Ben)", "Ana Ana", "Ana. Ben is out.", "So it's Ana", "I choose Ana",
        "Ana is the manager, not Ben", "Ana, because Ben resigned", "(not Ben) Ana", "Answer: Ana.",
    ]  # fmt: skip
    found = words([f"ANSWER: {answer}" for answer in answers])
    assert found == ["Ana" if not answer.startswith("(") else None for answer in answers]


def test_numbers_that_are_taken_back_or_scaled() -> None:
    answers = [
        "3万", "5億", "2千", "inconnu (avant : 55)", "je ne sais pas: 55", "Keine Angabe: 55",
        "information is lost: 55", "Error: 404", "I doubt it is 55", "55 no longer",
        "55 used to be right", "55 nein", "❌ 55", "1. 46", "46 M", "46MM", "300 K", "$46 M",
        "up to 46", "1990s", "5-star", "3D", "46 (negative)", "55 isn't it", "~~55~~",
        "55. That is wrong.", "46 Milliarden",
    ]  # fmt: skip
    doubtful(numbers([f"ANSWER: {answer}" for answer in answers], with_trace=True))
    times = ["12pm", "3 p.m.", "12 noon"]
    found = numbers([f"ANSWER: {answer}" for answer in times], with_trace=True)
    assert statuses(found) == [(None, "unparsed")] * 3


def test_numbers_that_stay() -> None:
    answers = {
        "2 milli\u200bon": 2e6, "→ 46": 46, "• 46": 46, "约46": 46, "x ≈ 5.2": 5.2,
        "₹1,23,456": 123456, "٤٦٫٥": 46.5, "١٬٢٣٤٫٥": 1234.5, "0.45 (45%)": 0.45,
        "The correct total is not 55 but 46": 46, "not 55, but 46": 46, "46 (previously 55)": 46,
        "about 50": 50, "~50": 50, "42 (approx.)": 42, "Total price: 46": 46, "46 miles": 46,
        "$1.5M": 1.5e6, "It adds up to 46": 46,
    }  # fmt: skip
    assert numbers([f"ANSWER: {answer}" for answer in answers]) == list(answers.values())
