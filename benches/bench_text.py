"""Text scorers against Python's `re` and sets, row by row."""

import re

import polars as pl

import reclaimstats as rs
from conftest import FLOOR, Race

MARKED = re.compile(r"answer\s*:\s*[*_`'\"(\[]*\s*\$?\s*(-?\d[\d,]*(?:\.\d+)?)", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
PROSE = (
    "Let me go through the order once more, item by item, before I settle on anything. "
    "I will look at what was bought, how many of each, and at which price, and then add up. "
) * 2
ROWS = 50_000


def replies() -> pl.DataFrame:
    """Replies of about 430 characters of which one in six commits a number, as real ones do."""
    trials = rs.simulate(40)
    numbers = trials.filter(policy="source-first", integrity=0.1)
    refusals = trials.filter(policy="blank").head(5 * numbers.height)
    reply = (pl.lit(PROSE) + pl.col("reply")).alias("reply")
    mixed = pl.concat([numbers, refusals]).with_columns(reply)
    return pl.concat([mixed] * (ROWS // mixed.height + 1)).head(ROWS).rechunk()


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
        name="answer_number, 50,000 replies, one in six with a number",
        against="re.findall loop",
        same=lambda a, b: a.to_list() == b,
    )
    assert ratio >= FLOOR * 30


def test_containment(race: Race) -> None:
    frame = replies()
    notes, sources = frame["note"].to_list(), frame["source"].to_list()
    function_words = {"at", "and"}

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
