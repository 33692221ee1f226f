"""Text scorers against their twins, real replies, and every kind of column."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reference import text as twin

Row = dict[str, Any]
Reply = str | None

NAMES = ["Ana", "Ben", "New York", "Cleo"]
TRACE = ["value", "span", "start", "end", "rule", "status"]
DIALECTS = ["strict", "reclaim-eval", "reclaim-eval-loose"]


def column(values: Sequence[Any], dtype: Any = pl.String) -> pl.Series:
    return pl.Series("reply", values, dtype=dtype)


def run(scorer: pl.Expr, **columns: Any) -> list[Any]:
    """Values of a scorer over columns given by name."""
    return pl.DataFrame(columns).select(scorer.alias("found"))["found"].to_list()


def numbers(replies: Sequence[Reply], **options: Any) -> list[float | None]:
    return run(rs.text.answer_number("reply", **options), reply=column(replies))


def words(
    replies: Sequence[Reply], names: Sequence[str] = NAMES, **options: Any
) -> list[str | None]:
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
TAILS = ["", "", "\n", "\r\n", "\nThanks!", "\nDone 7.", "\u200b", "\n```", "  ", "\ufeff\n"]
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
    " to 55", " ± 2",
]  # fmt: skip
REMARKS = [
    "", "", "", ".", "!", " (was 55)", ", not 55", " because 28 + 18 = 46",
    " (assuming the tax is right)", ", but I cannot verify it", " if the tax is right",
    ". The 55 was wrong.", " (55)", " (or 55)", " — see above", " instead of 55", " (unverified)",
]  # fmt: skip
NO_VALUE = [
    "", "unable", "N/A", "<answer>", "Not enough information", "I cannot tell", "no answer yet",
    "unknown (earlier 55)", "[total]", "???", "forty-six", "I need 2 prices", "none",
]  # fmt: skip
SENTENCES = [
    "46 = 28 + 18", "28 + 18 = 46", "$28 + $18 = $46", "46 is the total", "46 was the total",
    "USD 46", "US$46", "minus 46", "46 pens and 2 caps", "Sum of 3 pens is $46", "Total: 46",
    "46 €", "46-55", "28 + 18", "$5M", "5M", "- 46", "> 46", "5 ft 10 in", "46 + tax",
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
    "", "", "", "The manager is ", "I choose ", "Not ", "It is not ", "The earlier one was ",
    "Unable to say whether ",
]  # fmt: skip
WORD_REMARKS = [
    "", "", "", ".", "!", " or Ben", " and Ben", ", Ben", "/Ben", " (Ben)", " (not Ben)",
    ", not Ben", " is the manager", " is not it", " because Ben is out", ". Ben is out.",
    ". Wait, Ben", ", but unverified", " instead of Cleo", " (Ben is the designer)",
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
    pick(["46", "46", "55", "$4", "1,234", "4.50", "7", "1.5e3", "3rd", "37%", "€9", "５５", "½"])
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


@given(st.lists(replies(number_payloads), max_size=6), pick(["none", "boxed"]))
@settings(max_examples=300)
def test_strict_numbers_equal_their_twin(texts: list[str], fallback: str) -> None:
    found = numbers(texts, fallback=fallback, with_trace=True)
    expected = [twin.answer_number(text, fallback=fallback) for text in texts]
    assert [(row["value"], row["status"]) for row in found] == expected  # type: ignore[index]
