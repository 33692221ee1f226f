"""Time per byte of every text scorer on one long hostile text, as the text grows.

Each scorer is tried on all pieces over and over, alone and behind a marker; the slowest makes the
curve. A scorer that looks back over what it has read would take four times as long per byte on a
text of four times the length.
"""

import time

import polars as pl
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import reclaimstats as rs
from corpus import ROWS

FULL = ROWS >= 1_000_000
MEGABYTE = 1_000_000
START = MEGABYTE if FULL else MEGABYTE // 8
GROWTH = [1, 2, 4, 8, 16, 32, 64] if FULL else [1, 4]
MOST = 3.0
TEXT = pl.col("text")

PIECES = [
    "a", " ", "\n", "é", "\u200b", "a ", "a b c d ", "the ", "It's ", ":", "ANSWER:", "ANSWER: ",
    "ANSWER: Ana ", "ANSWER: 46\n", "####", "1", "1 ", "1,", "1,234 ", "1.", "1/", "10^", "-",
    "- ", "$", "12:", "12:45 ", "12:45-", "(", "[(", "{", "}", "{[", '{"', '{"a":', '{"a":1}',
    '{"a":1,', '"', "'", "\\", "\\boxed{", "\\frac{1", "<", "</a", "`", "```", "```\n", "~~~\n",
    "f(", "f(a=1, ", "f(1)\n", "SELECT ", "SELECT 1; ", "--", "/*", "#", "CLAIM: ", "SOURCE: a\n",
    "may ", "according to ", "on 3 May 2024, ", "May ", "٤", "：", "日本",
]  # fmt: skip

SCORERS: dict[str, list[pl.Expr]] = {
    "answer_number": [
        rs.text.answer_number("text", marker=["ANSWER", "####", "réponse"], fallback=fallback)
        for fallback in ("last_number", "boxed")
    ]
    + [rs.text.answer_number("text", dialect="reclaim-eval-loose")],
    "answer_word": [rs.text.answer_word("text", options=["Ana", "a b c e", "may"])],
    "answer_choice": [rs.text.answer_choice("text")],
    "answer_time": [
        rs.text.answer_time("text", fallback="last_time"),
        rs.text.answer_time("text", dialect="reclaim-eval-loose"),
    ],
    "answer_json": [
        rs.text.answer_json("text", field="answer"),
        rs.text.answer_json("text", field="a.a", dtype="text"),
        rs.text.answer_json("text", field="answer", dialect="reclaim-eval"),
    ],
    "verdict": [rs.text.verdict("text", labels=["correct", "incorrect", "a b c e"], field="a")],
    "boxed": [rs.text.boxed("text", which=which) for which in ("last", "only")],
    "code_block": [rs.text.code_block("text"), rs.text.code_block("text", language="python")],
    "sql_block": [rs.text.sql_block("text")],
    "function_calls": [rs.text.function_calls("text")],
    "calls_match": [rs.text.calls_match("text", "text")],
    "exact_match": [rs.text.exact_match(pred="text", gold=TEXT + "x")],
    "token_f1": [rs.text.token_f1(pred="text", gold=TEXT + "x")],
    "cues": [
        rs.text.cues("text"),
        rs.text.cues("text", with_trace=True),
        rs.text.cues("text", lexicon={"own": ["a a a a b", "a b c e", "- - -"]}),
    ],
    "answer_regex": [rs.text.answer_regex("text", r"(a|1)+(?: |$)")],
    "numbers": [rs.text.numbers("text")],
    "invented_numbers": [
        rs.text.invented_numbers("text", "text"),
        rs.text.invented_numbers("text", pl.lit("46"), dialect="reclaim-eval"),
    ],
    "recurring_value": [rs.text.recurring_value("text")],
    "source_survival": [
        rs.text.source_survival("text", "text"),
        rs.text.source_survival("text", pl.lit(pl.Series([["a b c e", "1 1 1 2", "Ana"]]))),
        rs.text.source_survival("text", "text", test="prefix"),
        rs.text.source_survival("text", pl.lit("aaaaaaaaaaaaaaaaab"), test="prefix"),
    ],
    "containment": [
        rs.text.containment("text", "text"),
        rs.text.containment(pl.lit("a b e 1 2 46 Ana the may"), "text"),
    ],
    "completeness": [
        rs.text.completeness("text", pl.lit(pl.Series([["a b c e", "1 1 1 2", "Ana"]]))),
        rs.text.completeness(pl.lit("a b 46"), TEXT.str.split(" ")),
    ],
    "read_record": [rs.score.read_record("text")],
    "check_record": [rs.score.check_record("text", "text")],
    "memory_regime": [rs.score.memory_regime("text", "text", pl.lit("46"))],
}


def test_every_scorer_is_here() -> None:
    scorers = {name for name in rs.text.__all__ if name.islower()}
    assert SCORERS.keys() >= scorers


def nanoseconds(scorer: pl.Expr, text: str, least: int = 3) -> float:
    """Processor time per byte, the least of several runs."""
    frame = pl.DataFrame({"text": [text]})
    times = []
    for _ in range(least):
        start = time.process_time()
        frame.select(scorer)
        times.append(time.process_time() - start)
    return min(times) * 1e9 / len(text.encode())


def long(piece: str, behind_marker: bool, size: int) -> str:
    text = piece * (size // len(piece.encode()) + 1)
    return f"ANSWER: {text}" if behind_marker else text


@pytest.mark.parametrize("name", SCORERS)
def test_time_per_byte_does_not_grow(name: str, benchmark: BenchmarkFixture) -> None:
    slowest = (0.0, SCORERS[name][0], "", False)
    for scorer in SCORERS[name]:
        for piece in PIECES:
            for behind_marker in (False, True):
                small = nanoseconds(scorer, long(piece, behind_marker, START // 4), 1)
                large = nanoseconds(scorer, long(piece, behind_marker, START), 1)
                if large > MOST * small and large > 1:
                    # Once more, without haste: another process may have been the reason.
                    small = nanoseconds(scorer, long(piece, behind_marker, START // 4))
                    large = nanoseconds(scorer, long(piece, behind_marker, START))
                    assert large < MOST * small, f"{piece!r}: {small:.1f} to {large:.1f} ns a byte"
                slowest = max(slowest, (large, scorer, piece, behind_marker), key=lambda s: s[0])
    _, scorer, piece, behind_marker = slowest
    curve = [nanoseconds(scorer, long(piece, behind_marker, START * by)) for by in GROWTH]
    assert max(curve) < MOST * min(curve), curve
    benchmark.extra_info.update(
        curve=name,
        piece=long(piece, behind_marker, 0),
        megabytes=[START * by / MEGABYTE for by in GROWTH],
        nanoseconds=curve,
    )
    benchmark.pedantic(lambda: None, rounds=1)


@pytest.mark.parametrize("name", SCORERS)
def test_a_huge_reply_and_a_million_empty_ones(name: str) -> None:
    """The size of the one follows the number of rows: 100 MB in a full run."""
    prose = (
        "The 7 pens cost $2 each, and at 12:45 I was still not sure whether Ana's total is right.\n"
    )
    size = 100 * min(ROWS, MEGABYTE) // len(prose)
    huge = pl.DataFrame({"text": [prose * size + "ANSWER: 46"]})
    empty = pl.DataFrame({"text": pl.repeat("", ROWS, eager=True)})
    for scorer in SCORERS[name]:
        started = time.process_time()
        assert huge.select(scorer).height == 1
        assert empty.select(scorer).height == ROWS
        # 500 ns for each byte of the one, and 50 µs for each of the others.
        assert time.process_time() - started < 100e-6 * ROWS
