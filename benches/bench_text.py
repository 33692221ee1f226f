"""Scorers of a committed answer against tuned Polars, Arrow and Python's `re`, row by row.

A peer is right where the answer is written as its pattern expects. On those rows, and on those
without a marker, every peer has to give the scorer's answer; what share of all rows that is, and
on what share the two agree, is in results.json.
"""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import reclaimstats as rs
from conftest import FLOOR, Peer, TextRace, polars
from corpus import names, replies

REPLY = pl.col("reply")
MARKER = r"ANSWER:[ *]*"
NUMBER = r"-?[0-9][0-9,]*(?:\.[0-9]+)?"
CLOCK = r"[0-9]{1,2}:[0-9]{2}"
# Rows of a loop in Python.
LOOP = 20_000


def marked(value: str) -> pl.Expr:
    """Rows with one marker, of the peers' form and with the value alone behind it; or with none."""
    unmarked = ~REPLY.str.contains(r"(?i)answer\W{0,9}:")
    lines = REPLY.str.count_matches(r"(?i)answer") == 1
    return unmarked | (lines & REPLY.str.contains(rf"(?m)^{MARKER}{value}\*{{0,2}}$"))


def loop(pattern: str, read: Any = str) -> Peer:
    """`re.findall` over a list of texts, the last match being the answer."""
    compiled = re.compile(pattern)

    def run(texts: list[str]) -> list[Any]:
        found = []
        for text in texts:
            matches = compiled.findall(text)
            found.append(read(matches[-1]) if matches else None)
        return found

    return Peer("re.findall loop", run, lambda frame: frame["reply"].to_list(), rows=LOOP)


def arrow(pattern: str, cast: Any = lambda found: found) -> Peer:
    """Arrow's extract_regex on both halves of the column at once."""
    pool = ThreadPoolExecutor(2)

    def given(frame: pl.DataFrame) -> list[pa.Array]:
        texts = pa.concat_arrays(frame["reply"].to_arrow().cast(pa.large_string()).chunks) if (
            isinstance(frame["reply"].to_arrow(), pa.ChunkedArray)
        ) else frame["reply"].to_arrow().cast(pa.large_string())
        return [texts[: len(texts) // 2], texts[len(texts) // 2 :]]

    def extract(texts: pa.Array) -> pa.Array:
        return cast(pc.struct_field(pc.extract_regex(texts, pattern), "found"))

    def run(halves: list[pa.Array]) -> pl.Series:
        return pl.Series(pl.from_arrow(pa.chunked_array(list(pool.map(extract, halves)))))

    return Peer("Arrow", run, given)


def test_answer_number(text_race: TextRace) -> None:
    pattern = rf"{MARKER}\\?\$?({NUMBER})"

    def value(found: pl.Expr) -> pl.Expr:
        return found.str.replace_all(",", "", literal=True).cast(pl.Float64, strict=False)

    ratio = text_race(
        rs.text.answer_number("reply"),
        replies().select("reply"),
        [
            *polars(value(REPLY.str.extract(pattern))),
            *polars(
                pl.when(REPLY.str.contains("ANSWER:", literal=True)).then(
                    value(REPLY.str.extract(pattern))
                ),
                "Polars, literal first",
            ),
            arrow(
                rf"{MARKER}\\?\$?(?P<found>{NUMBER})",
                lambda found: pc.replace_substring(found, ",", "").cast(pa.float64()),
            ),
            loop(pattern, lambda found: float(found.replace(",", ""))),
        ],
        name="answer_number",
        plain=marked(rf"\\?\$?{NUMBER}"),
    )
    assert ratio >= FLOOR * 1.5


def test_answer_number_against_a_loop(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.answer_number("reply"),
        replies().select("reply"),
        [loop(rf"(?i){MARKER}\\?\$?({NUMBER})", lambda found: float(found.replace(",", "")))],
        name="answer_number",
        plain=marked(rf"\\?\$?{NUMBER}"),
    )
    assert ratio >= FLOOR * 30


def test_answer_word(text_race: TextRace) -> None:
    options = "|".join(names())
    ratio = text_race(
        rs.text.answer_word("reply", options=names()),
        replies().select("reply"),
        [
            *polars(REPLY.str.extract(rf"{MARKER}({options})\b")),
            arrow(
                rf"{MARKER}(?P<found>{options})\b",
            ),
            loop(rf"{MARKER}({options})\b"),
        ],
        name=f"answer_word, {len(names())} options",
        plain=marked(rf"({options})"),
    )
    assert ratio >= FLOOR * 1.5


def test_answer_time(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.answer_time("reply"),
        replies().select("reply"),
        [
            *polars(REPLY.str.extract(rf"{MARKER}({CLOCK})")),
            arrow(rf"{MARKER}(?P<found>{CLOCK})"),
            loop(rf"{MARKER}({CLOCK})"),
        ],
        name="answer_time",
        plain=marked("[0-9]{2}:[0-9]{2}"),
    )
    assert ratio >= FLOOR * 1.5


def test_answer_time_anywhere(text_race: TextRace) -> None:
    clocks = REPLY.str.extract_all(rf"\b{CLOCK}\b").list
    last = rf"(?s)^.*\b({CLOCK})\b"
    ratio = text_race(
        rs.text.answer_time("reply", fallback="last_time"),
        replies().select("reply"),
        [
            *polars(clocks.last()),
            *polars(REPLY.str.extract(last), "Polars, greedy"),
            loop(rf"\b{CLOCK}\b"),
        ],
        name="answer_time, last time anywhere",
        # Times that are padded and neither of a half-day nor seconds; an answer that is none
        # cancels those of the prose.
        plain=marked("[0-9]{2}:[0-9]{2}")
        & ~REPLY.str.contains(r"(?i)\b[0-9]:|:[0-9]+:|:[0-9]+ ?[ap]\.?m|[0-9][.h][0-9]|[0-9] ?[ap]\.?m"),
    )
    assert ratio >= FLOOR * 8


def test_answer_choice(text_race: TextRace) -> None:
    letters = pl.col("letter")
    frame = replies().with_columns(
        letter=pl.concat_str(
            REPLY, pl.lit("\n\nANSWER: "), pl.lit(pl.Series(list("ABCD"))).gather(pl.int_range(pl.len()) % 4)
        )
    )
    del letters
    ratio = text_race(
        rs.text.answer_choice("letter"),
        frame.select("letter"),
        polars(pl.col("letter").str.extract(r"(?s)^.*ANSWER:[ *]*\(?([A-D])\b")),
        name="answer_choice",
    )
    assert ratio >= FLOOR * 1.5


def test_answer_regex(text_race: TextRace) -> None:
    pattern = rf"\$({NUMBER})"
    frame: Sequence[str] = ["reply"]
    ratio = text_race(
        rs.text.answer_regex("reply", pattern),
        replies().select(frame),
        [
            *polars(REPLY.str.extract_all(pattern).list.last().str.slice(1)),
            *polars(REPLY.str.extract(rf"(?s)^.*{pattern}"), "Polars, greedy"),
            loop(pattern),
        ],
        name="answer_regex, last of a pattern",
    )
    assert ratio >= FLOOR * 1
