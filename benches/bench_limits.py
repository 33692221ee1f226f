"""How fast the machine is at the least that a kernel must do, in the run that races are in."""

import numpy as np
import polars as pl
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from conftest import _Fresh, _seconds
from corpus import replies

REPLY = pl.col("reply")
SIZE = 2**24


def scan() -> tuple[float, float]:
    """A literal that is nowhere, looked for in every reply: rows and bytes per second."""
    fresh = _Fresh(replies().select("reply"))
    nowhere = REPLY.str.contains("\x07\x08", literal=True).any()

    def run(frame: pl.DataFrame) -> None:
        frame.lazy().select(nowhere).collect(engine="streaming")

    seconds = min(_seconds(lambda: run(fresh.frame())) for _ in range(5))
    size = int(replies().select(REPLY.str.len_bytes().sum()).item())
    return fresh.height / seconds, size / seconds


LIMITS = {
    "literal scan of a column of replies": ("M rows/s", lambda: scan()[0] / 1e6),
    "literal scan of a column of replies, bytes": ("GB/s", lambda: scan()[1] / 1e9),
    "sequential read, one thread": (
        "GB/s",
        lambda: 8 * SIZE / min(_seconds(np.ones(SIZE).sum) for _ in range(5)) / 1e9,
    ),
    "random draws of NumPy, one thread": (
        "ns each",
        lambda: (
            min(
                _seconds(lambda: np.random.Generator(np.random.SFC64(0)).integers(0, 2**32, SIZE))
                for _ in range(3)
            )
            / SIZE
            * 1e9
        ),
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limit(name: str, benchmark: BenchmarkFixture) -> None:
    unit, measure = LIMITS[name]
    benchmark.extra_info.update(limit=name, value=measure(), unit=unit)
    benchmark.pedantic(lambda: None, rounds=1)
