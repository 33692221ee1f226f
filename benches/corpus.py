"""What the text races run on: real replies where the reference data is there, else look-alikes.

The reference data is named by RECLAIMSTATS_REFERENCE, by default the folder `shared` beside the
checkout; it is no part of the repository. RECLAIMSTATS_BENCH_ROWS sets the number of rows, to
which the texts are tiled.
"""

import functools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

import reclaimstats as rs

ROWS = int(float(os.environ.get("RECLAIMSTATS_BENCH_ROWS") or 100_000))
BESIDE = Path(__file__).resolve().parents[2] / "shared"
REFERENCE = Path(os.environ.get("RECLAIMSTATS_REFERENCE") or BESIDE) / "data" / "reclaim-eval"
REAL = REFERENCE.is_dir()
PROSE = (
    "Let me go through the order once more, item by item, before I settle on anything. "
    "I will look at what was bought, how many of each, and at which price, and then add up. "
) * 2


def lines(pattern: str) -> Iterator[dict[str, Any]]:
    for path in sorted(REFERENCE.glob(pattern)):
        with path.open() as rows:
            yield from map(json.loads, rows)


def tiled(column: str, values: list[Any]) -> pl.Series:
    """The values over and over, up to the number of rows, as one chunk."""
    found = pl.Series(column, values)
    return pl.concat([found] * (ROWS // len(values) + 1)).head(ROWS).rechunk()


@functools.cache
def replies() -> pl.DataFrame:
    """A reply of about 400 characters in each row, and the source of some problem.

    Of the real ones 16 % commit a number, and some an option or a time.
    """
    if not REAL:
        frame = simulated()
        return pl.DataFrame([tiled(name, frame[name].to_list()) for name in ("reply", "source")])
    texts = [row["reply"] for row in lines("*.jsonl") if isinstance(row.get("reply"), str)]
    sources = [row["source"] for row in lines("problems.jsonl")]
    return pl.DataFrame([tiled("reply", texts), tiled("source", sources)])


@functools.cache
def memories() -> pl.DataFrame:
    """A stored memory in each row, and the source that it was written from."""
    if not REAL:
        frame = simulated()
        return pl.DataFrame(
            [tiled("memory", frame["note"].to_list()), tiled("source", frame["source"].to_list())]
        )
    sources = {row["pid"]: row["source"] for row in lines("problems.jsonl")}
    rows = [row for row in lines("realworld_*.jsonl") if row["pid"] in sources]
    return pl.DataFrame(
        [
            tiled("memory", [row["memory_text"] for row in rows]),
            tiled("source", [sources[row["pid"]] for row in rows]),
        ]
    )


@functools.cache
def names() -> list[str]:
    """Options of the closed set: those of all problems of the reference data."""
    if not REAL:
        return ["Ana", "Ben", "Cleo", "Dee"]
    found = {name for row in lines("problems.jsonl") for name in row["options"]}
    return sorted(found)


def simulated() -> pl.DataFrame:
    """Generated replies of which one in six commits a number, some another thing or a time."""
    trials = rs.simulate(40)
    numbers = trials.filter(policy="source-first", integrity=0.1)
    refusals = trials.filter(policy="blank").head(5 * numbers.height)
    kinds = pl.int_range(pl.len()) % 12
    other = pl.when(kinds == 0).then(pl.lit("ANSWER: Ben")).when(kinds == 1)
    other = other.then(pl.lit("The train leaves at 19:15.\n**ANSWER:** 19:15"))
    refusals = refusals.with_columns(reply=other.otherwise("reply"))
    # Refusals and answers alternate, as they do in a log.
    mixed = pl.concat([numbers, refusals]).sample(fraction=1.0, shuffle=True, seed=1)
    return mixed.with_columns(reply=pl.lit(PROSE) + pl.col("reply"))
