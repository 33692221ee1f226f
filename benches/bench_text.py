"""Scorers of a committed answer against tuned Polars, Arrow and Python's `re`.

A peer is right where an answer is written as its pattern expects. On those rows, and on those
whose answer holds nothing of the kind, every peer has to give the scorer's answer. What share of
all rows that is, and on what share both sides agree, is in results.json.
"""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import reclaimstats as rs
from conftest import EDGE, FLOOR, Peer, TextRace, polars
from corpus import names, replies

REPLY = pl.col("reply")
MARKER = r"ANSWER:[ *]*"
NUMBER = r"-?[0-9][0-9,]*(?:\.[0-9]+)?"
CLOCK = r"[0-9]{1,2}:[0-9]{2}"
# Rows of a loop in Python.
LOOP = 20_000


def plain(value: str, kind: str) -> pl.Expr:
    """Rows without a marker, or with one and this value alone behind it, or nothing of the kind."""
    markers = REPLY.str.count_matches(r"(?i)answer\W{0,9}:")
    line = REPLY.str.extract(rf"(?m)^{MARKER}(.*)$")
    alone = line.str.contains(rf"^\\?\$?(?:{value})[.*]{{0,3}}$")
    other = line.str.contains("^[A-Za-z]") & ~line.str.contains(kind)
    return (markers == 0) | ((markers == 1) & (alone | other).fill_null(False))


def as_number(found: pl.Expr) -> pl.Expr:
    return found.str.replace_all(",", "", literal=True).cast(pl.Float64, strict=False)


def loop(pattern: str, read: Callable[[str], Any] = str) -> Peer:
    """`re.findall` on each text, the last match being the answer."""
    compiled = re.compile(pattern)

    def run(texts: list[str]) -> list[Any]:
        found = []
        for text in texts:
            matches = compiled.findall(text)
            found.append(read(matches[-1]) if matches else None)
        return found

    return Peer("re.findall loop", run, lambda frame: frame["reply"].to_list(), rows=LOOP)


def arrow(pattern: str, cast: Callable[[pa.Array], pa.Array] = lambda found: found) -> Peer:
    """Arrow's `extract_regex` on both halves of a column at once."""
    pool = ThreadPoolExecutor(2)

    def halves(frame: pl.DataFrame) -> list[pa.Array]:
        texts = frame["reply"].to_arrow(compat_level=pl.CompatLevel.oldest())
        return [texts[: len(texts) // 2], texts[len(texts) // 2 :]]

    def extract(texts: pa.Array) -> pa.Array:
        return cast(pc.struct_field(pc.extract_regex(texts, pattern), "found"))

    def run(texts: list[pa.Array]) -> pl.Series:
        return pl.Series(pl.from_arrow(pa.chunked_array(list(pool.map(extract, texts)))))

    return Peer("Arrow", run, halves)


NUMBER_ROWS = plain(NUMBER, "[0-9]")


def test_answer_number(text_race: TextRace) -> None:
    pattern = rf"{MARKER}\\?\$?({NUMBER})"
    found = as_number(REPLY.str.extract(pattern))
    marked = REPLY.str.contains("ANSWER:", literal=True)

    def cast(found: pa.Array) -> pa.Array:
        return pc.cast(pc.replace_substring(found, ",", ""), pa.float64())

    ratio = text_race(
        rs.text.answer_number("reply"),
        replies().select("reply"),
        [
            *polars(found),
            *polars(pl.when(marked).then(found), "Polars, literal first"),
            arrow(rf"{MARKER}\\?\$?(?P<found>{NUMBER})", cast),
        ],
        name="answer_number",
        plain=NUMBER_ROWS,
    )
    assert ratio >= FLOOR * 1.6


def test_answer_number_against_a_loop(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.answer_number("reply"),
        replies().select("reply"),
        [loop(rf"(?i){MARKER}\\?\$?({NUMBER})", lambda found: float(found.replace(",", "")))],
        name="answer_number",
        plain=NUMBER_ROWS,
    )
    assert ratio >= FLOOR * 20


def test_answer_word(text_race: TextRace) -> None:
    options = "|".join(names())
    ratio = text_race(
        rs.text.answer_word("reply", options=names()),
        replies().select("reply"),
        [
            *polars(REPLY.str.extract(rf"{MARKER}({options}){EDGE}")),
            arrow(rf"{MARKER}(?P<found>{options})\b"),
        ],
        name="answer_word",
        plain=plain(options, f"(?i){options}"),
    )
    assert ratio >= FLOOR * 0.7


def test_answer_time(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.answer_time("reply"),
        replies().select("reply"),
        [
            *polars(REPLY.str.extract(rf"{MARKER}({CLOCK})")),
            arrow(rf"{MARKER}(?P<found>{CLOCK})"),
        ],
        name="answer_time",
        plain=plain("[0-9]{2}:[0-9]{2}", "[0-9]"),
    )
    assert ratio >= FLOOR * 1.1


# An answer that is no time cancels those of the prose, here and not there.
CLOCK_ROWS = plain("[0-9]{2}:[0-9]{2}", "")


def test_answer_time_anywhere(text_race: TextRace) -> None:
    # Times that are not padded, of half a day, with seconds, with a dot, or in a word.
    dressed = r"(?i)\b[0-9]:|:[0-9]+:|[0-9][.h][0-9]|[0-9] ?[ap]\.?m|noon|midnight|o'clock"
    ratio = text_race(
        rs.text.answer_time("reply", fallback="last_time"),
        replies().select("reply"),
        [
            *polars(REPLY.str.extract_all(rf"{EDGE}{CLOCK}{EDGE}").list.last()),
            *polars(REPLY.str.extract(rf"(?s)^.*{EDGE}({CLOCK}){EDGE}"), "Polars, greedy"),
        ],
        name="answer_time, last time anywhere",
        plain=CLOCK_ROWS & ~REPLY.str.contains(dressed),
    )
    assert ratio >= FLOOR * 0.4


def test_answer_time_anywhere_in_its_dresses(text_race: TextRace) -> None:
    half = rf"\s?[ap](?:m|\. ?m){EDGE}\.?"
    minutes = rf":[0-9]{{2}}(?::[0-9]{{2}})?(?:{half}|{EDGE})|h[0-9]{{2}}{EDGE}|\.[0-9]{{2}}{half}"
    hours = rf"[0-9]{{1,2}}(?:{minutes}|{half}|\so.clock{EDGE})"
    dressed = rf"(?i){EDGE}(?:{hours}|(?:noon|mid(?:day|night)){EDGE})"
    ratio = text_race(
        rs.text.answer_time("reply", fallback="last_time"),
        replies().select("reply"),
        polars(clock(REPLY.str.extract_all(dressed).list.last()), "Polars, dressed times"),
        name="answer_time, last time anywhere",
        # The half of the day in other words, and units.
        plain=CLOCK_ROWS
        & ~REPLY.str.contains(r"(?i)[0-9] (?:in the|at night|h|hrs|hours)\b|[0-9]h\b"),
    )
    assert ratio >= FLOOR * 20


def clock(written: pl.Expr) -> pl.Expr:
    """A time in one of its dresses as HH:MM."""
    written = written.str.to_lowercase()
    hour = written.str.extract("^([0-9]+)").cast(pl.Int32)
    minute = written.str.extract("^[0-9]+[:.h]([0-9]+)").cast(pl.Int32).fill_null(0)
    hour = (
        pl.when(written.is_in(["noon", "midday"]))
        .then(12)
        .when(written == "midnight")
        .then(0)
        .when(written.str.contains("p.? ?m") & (hour < 12))
        .then(hour + 12)
        .when(written.str.contains("a.? ?m") & (hour == 12))
        .then(0)
        .otherwise(hour)
    )
    parts = [part.cast(pl.String).str.zfill(2) for part in (hour, minute)]
    return pl.when((hour < 24) & (minute < 60)).then(pl.format("{}:{}", *parts))


def test_answer_choice(text_race: TextRace) -> None:
    letter = pl.lit(pl.Series(list("ABCD"))).gather(pl.int_range(pl.len()) % 4)
    frame = replies().select(reply=REPLY + pl.lit("\n\nANSWER: ") + letter)
    ratio = text_race(
        rs.text.answer_choice("reply"),
        frame,
        [
            *polars(REPLY.str.extract(rf"(?s)^.*ANSWER:[ *]*\(?([A-D]){EDGE}")),
            *polars(
                REPLY.str.extract_all(rf"ANSWER:[ *]*\(?[A-D]{EDGE}").list.last().str.tail(1),
                "Polars, all",
            ),
            *polars(REPLY.str.extract(r"ANSWER:[ *]*\(?([A-D])[\s.)*]*$"), "Polars, anchored"),
        ],
        name="answer_choice",
    )
    assert ratio >= FLOOR * 1.4


def test_answer_regex(text_race: TextRace) -> None:
    pattern = rf"\$({NUMBER})"
    ratio = text_race(
        rs.text.answer_regex("reply", pattern),
        replies().select("reply"),
        [
            *polars(REPLY.str.extract_all(pattern).list.last().str.slice(1)),
            *polars(REPLY.str.extract(rf"(?s)^.*{pattern}"), "Polars, greedy"),
        ],
        name="answer_regex, last match",
    )
    assert ratio >= FLOOR * 1
