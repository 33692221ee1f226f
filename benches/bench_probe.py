"""The probe of a memory's write path against the loop that a user would write for it.

Notes are those of the reclaim study, with a source of four items each, so that a peer knows how
they are written.
"""

import functools
import re
import time
from typing import Any

import polars as pl

import reclaimstats as rs
from conftest import FLOOR, Peer, TextRace
from corpus import ROWS
from reclaimstats.studies import reclaim

PROBE = rs.score.probe("note", "source_items", "drift", truth="truth")
LOOP = 20_000
# Notes per second and core.
WANTED = 200_000


@functools.cache
def notes() -> pl.DataFrame:
    """A note of about 110 characters in each row: of every policy and integrity in turn."""
    asked = reclaim.problems(500)
    kept = reclaim.notes(asked).join(asked, on="pid", maintain_order="left")
    kept = kept.select("note", "source_items", "drift", "truth")
    return pl.concat([kept] * (ROWS // kept.height + 1)).head(ROWS).rechunk()


WORDS = re.compile(r"[a-z0-9]+")
NUMBERS = re.compile(r"[0-9]+")
LINE_ITEM = re.compile(r"\b([0-9]+) [A-Za-z -]+ at \$([0-9]+) each\b")
INCOMPLETE = re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, rs.text.INCOMPLETE))})\b")


def spaced(text: str) -> str:
    return f" {' '.join(WORDS.findall(text.lower()))} "


def loop(rows: list[tuple[str, list[str], float, float]]) -> list[dict[str, Any]]:
    found = []
    for note, items, drift, truth in rows:
        words = spaced(note)
        kept = sum(spaced(item) in words for item in items)
        if kept == len(items):
            regime = "correctable"
        else:
            stated = kept or f"{drift:g}" in NUMBERS.findall(note)
            silent = stated and not INCOMPLETE.search(note)
            regime = "uncorrectable_silent" if silent else "uncorrectable_loud"
        listed = LINE_ITEM.findall(note)
        total = sum(int(quantity) * int(price) for quantity, price in listed)
        works_out = bool(listed) and abs(total - truth) < 0.5
        found.append({"regime": regime, "kept": kept, "total": len(items), "works_out": works_out})
    return found


def test_probe(text_race: TextRace) -> None:
    peer = Peer("Python loop", loop, lambda frame: list(frame.iter_rows()), rows=LOOP)
    ratio = text_race(PROBE, notes(), [peer], name="probe of a note")
    assert ratio >= FLOOR * 4


def test_probe_in_a_write_path() -> None:
    """Notes per second of one core, by the time that all threads spent."""
    rates = []
    for _ in range(5):
        begun = time.process_time()
        notes().select(PROBE)
        rates.append(ROWS / (time.process_time() - begun))
    assert max(rates) >= FLOOR * WANTED, f"{max(rates):,.0f} notes per second and core"
