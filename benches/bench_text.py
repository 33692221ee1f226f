"""Text scorers against Python's `re` and sets, row by row."""

import re

import polars as pl

import reclaimstats as rs
from conftest import Race

MARKED = re.compile(r"answer\s*:\s*[*_`'\"(\[]*\s*\$?\s*(-?\d[\d,]*(?:\.\d+)?)", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
PROSE = (
    "Let me go through the order once more, item by item, before I settle on anything. "
    "I will look at what was bought, how many of each, and at which price, and then add up. "
)


def replies(rows: int = 50_000) -> pl.DataFrame:
    """Replies of about 400 characters, of which about half commit a number."""
    trials = rs.simulate(40).select("reply", "note", "source")
    times = -(-rows // trials.height)
    tiled = pl.concat([trials] * times).head(rows).rechunk()
    return tiled.with_columns(pl.lit(PROSE) + pl.col("reply"))


def test_answer_number(race: Race) -> None:
    frame = replies()
    texts = frame["reply"].to_list()

    def peer() -> list[float | None]:
        found = []
        for text in texts:
            matches = MARKED.findall(text)
            found.append(float(matches[-1].replace(",", "")) if matches else None)
        return found

    # The generated replies are such that the harness's pattern reads them right.
    ratio = race(
        lambda: frame.select(rs.text.answer_number("reply")).to_series(),
        peer,
        name="answer_number, 50,000 replies",
        against="re.findall loop",
        same=lambda a, b: a.to_list() == b,
    )
    assert ratio >= 30


def test_containment(race: Race) -> None:
    frame = replies()
    notes, sources = frame["note"].to_list(), frame["source"].to_list()
    function_words = {"at", "each", "and", "the", "a", "of"} - {"each"}

    def peer() -> list[float]:
        shares = []
        for note, source in zip(notes, sources, strict=True):
            wanted = set(WORD.findall(source.lower())) - function_words
            shares.append(len(wanted & set(WORD.findall(note.lower()))) / len(wanted))
        return shares

    race(
        lambda: frame.select(rs.text.containment("source", "note")).to_series(),
        peer,
        name="containment, 50,000 notes",
        against="Python sets",
        same=lambda a, b: a.to_list() == b,
    )
