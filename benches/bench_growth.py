"""Time and memory as data grow: rows, lengths, cells, clusters, resamples; fitted exponents.

Each operation runs on sizes that double. The slope of log time against log size over the larger
half, where fixed costs no longer count, is the exponent: 1 is linear. With --peak memory is
measured instead, each size in a process of its own.
"""

import math
import multiprocessing
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import reclaimstats as rs
from conftest import held
from corpus import ROWS, replies

SIZES = [2**step for step in range(6)]
# An exponent above that is no straight line, whatever the machine does meanwhile.
STEEPEST = 1.3


def trials(cells: int, clusters: int, each: int) -> pl.DataFrame:
    """Cells of clusters of a few trials, in two arms."""
    rows = cells * clusters * each
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "cell": np.repeat(np.arange(cells), clusters * each),
            "item": np.tile(np.repeat(np.arange(clusters), each), cells),
            "arm": np.where(np.arange(rows) % 2 == 0, "a", "b"),
            "seed": np.arange(rows) % each // 2,
            "correct": rng.random(rows) < 0.4,
            "score": rng.random(rows),
        }
    )


def rate(frame: pl.DataFrame, **options: Any) -> pl.DataFrame:
    return rs.rate(frame, "correct", by="cell", cluster="item", **options)


def compare(frame: pl.DataFrame) -> pl.DataFrame:
    return rs.compare(
        frame,
        "correct",
        by="cell",
        contrast="arm",
        baseline="b",
        cluster="item",
        pair_by=["item", "seed"],
    )


def texts(size: int) -> pl.DataFrame:
    return replies().select("reply").head(ROWS * size // 32)


# What grows, what is made of its size, and what runs on it.
GROWTH: dict[str, tuple[str, Callable[[int], Any], Callable[[Any], Any]]] = {
    "answer_number": (
        "rows",
        texts,
        lambda frame: frame.select(rs.text.answer_number("reply")),
    ),
    "containment": (
        "rows",
        texts,
        lambda frame: frame.select(rs.text.containment("reply", pl.lit("46 pens of Ana"))),
    ),
    "numbers": (
        "length of a reply",
        lambda size: texts(size).select(pl.col("reply").str.join(" ")),
        lambda frame: frame.select(rs.text.numbers("reply")),
    ),
    "rate": ("cells", lambda size: trials(100 * size, 32, 4), rate),
    "rate of clusters": ("clusters", lambda size: trials(1, 10_000 * size, 4), rate),
    "percentile of clusters": (
        "clusters",
        lambda size: trials(1, 4000 * size, 4),
        lambda frame: rate(frame, method="percentile"),
    ),
    "drawn percentile": (
        "resamples",
        lambda size: size * 1000,
        lambda resamples: rate(
            trials(1, 1000, 4), method="percentile", resampler="monte-carlo", n_resamples=resamples
        ),
    ),
    "compare": ("cells", lambda size: trials(50 * size, 32, 4), compare),
    "compare of clusters": ("clusters", lambda size: trials(1, 2000 * size, 4), compare),
    "mean": (
        "cells",
        lambda size: trials(50 * size, 32, 4),
        lambda frame: rs.mean(frame, "score", by="cell", cluster="item"),
    ),
}


@pytest.mark.parametrize("name", GROWTH)
def test_growth(name: str, benchmark: BenchmarkFixture, pytestconfig: pytest.Config) -> None:
    what, make, operation = GROWTH[name]
    half = len(SIZES) // 2
    if pytestconfig.getoption("peak"):
        sizes = SIZES[half:]
        with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            peaks = pool.starmap(peak, [(name, size) for size in sizes], chunksize=1)
        benchmark.extra_info.update(grown=name, peaks=peaks, peak_exponent=slope(sizes, peaks))
        benchmark.pedantic(lambda: None, rounds=1)
        return
    seconds = []
    for size in SIZES:
        given = make(size)
        operation(given)
        times = []
        for _ in range(3):
            start = time.process_time()
            operation(given)
            times.append(time.process_time() - start)
        seconds.append(min(times))
    exponent = slope(SIZES[half:], seconds[half:])
    benchmark.extra_info.update(
        growth=name, of=what, sizes=SIZES, seconds=seconds, exponent=exponent
    )
    benchmark.pedantic(lambda: None, rounds=1)
    assert exponent < STEEPEST, f"{name}: {seconds}"


def peak(name: str, size: int) -> float:
    """Megabytes that an operation takes at most."""
    _, make, operation = GROWTH[name]
    # What the first call of any kind sets up is no growth.
    operation(make(1))
    given = make(size)
    if isinstance(given, pl.DataFrame):
        # Polars' first look at new text takes memory of its own, once.
        given.hash_rows()
    return held(lambda: operation(given))[1] / 1e6


def slope(sizes: list[int], found: list[float]) -> float:
    """Least-squares slope of the logarithm of what was found against that of the size."""
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.maximum(np.array(found), 1e-9))
    return float(np.polyfit(x, y, 1)[0]) if math.isfinite(float(y.sum())) else math.inf
