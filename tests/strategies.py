"""What hypothesis draws: trials frames, clusters and pairs, small but with every trap."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import strategies as st

Row = dict[str, Any]

# Levels whose decimals are exact in the arithmetic of the twins.
levels = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
seeds = st.one_of(
    st.integers(0, 20),
    st.integers(2**32 - 2, 2**32 + 2),
    st.integers(0, 2**64 - 1),
    st.just(2**64 - 1),
)
outcomes = st.sampled_from([0, 1])
OUTCOME_TYPES = (pl.Float64, pl.Float32, pl.Int8, pl.UInt8, pl.Int64, pl.Boolean)


@st.composite
def cluster_counts(
    draw: st.DrawFn, *, least: int = 2, most: int = 9, size: int | None = None
) -> list[tuple[int, int]]:
    """Clusters as (successes, trials), of one size or of several."""
    sizes = st.just(size) if size else st.integers(1, 5)
    edge = draw(st.sampled_from(["any", "any", "zeros", "ones", "equal"]))
    clusters = []
    for trials in draw(st.lists(sizes, min_size=least, max_size=most)):
        hits = {"zeros": 0, "ones": trials, "equal": trials // 2}.get(edge)
        clusters.append((draw(st.integers(0, trials)) if hits is None else hits, trials))
    return clusters


@st.composite
def pair_counts(
    draw: st.DrawFn, *, least: int = 2, most: int = 8, size: int = 4
) -> list[tuple[int, int, int, int]]:
    """Clusters of pairs as (pairs, treatment, baseline, treatment only)."""
    clusters = []
    for _ in range(draw(st.integers(least, most))):
        outcomes_of = st.lists(st.tuples(outcomes, outcomes), min_size=1, max_size=size)
        pairs = draw(outcomes_of)
        hits, others = sum(t for t, _ in pairs), sum(b for _, b in pairs)
        clusters.append((len(pairs), hits, others, sum(t > b for t, b in pairs)))
    return clusters


@st.composite
def trials(draw: st.DrawFn, *, most: int = 60) -> list[Row]:
    """Trials with a cell (sometimes null), a cluster, a repeat and an outcome or none."""
    values = draw(st.sampled_from([(0, 1), (0, 1, None), (0,), (1, None), (None,)]))
    row = st.fixed_dictionaries(
        {
            "cell": st.sampled_from(["b", "a", None]),
            "side": st.sampled_from([2, 1]),
            "item": st.sampled_from("vwxyz"),
            "correct": st.sampled_from(values),
        }
    )
    return draw(st.lists(row, max_size=most))


@st.composite
def paired_trials(draw: st.DrawFn, *, arms: int = 3, items: int = 6, repeats: int = 3) -> list[Row]:
    """Trials of several arms over items and repeats: some absent, some without an outcome.

    Every arm occurs, and no pair key twice.
    """
    levels_of = ["c", "a", "b", "d"][:arms]
    share = draw(st.sampled_from([(0, 1), (0, 1), (0, 0, 1), (0, 1, None), (0, 1, None, "absent")]))
    rows: list[Row] = []
    for cell in draw(st.sampled_from([["p"], ["p", "q"], [None, "p"]])):
        for item in range(draw(st.integers(1, items))):
            for repeat in range(draw(st.integers(1, repeats))):
                for arm in levels_of:
                    correct = draw(st.sampled_from(share))
                    if correct != "absent":
                        rows.append(
                            {
                                "cell": cell,
                                "arm": arm,
                                "item": f"i{item:02}",
                                "repeat": repeat,
                                "correct": correct,
                            }
                        )
    for arm in levels_of:
        rows.append({"cell": "p", "arm": arm, "item": "last", "repeat": 0, "correct": 1})
    return draw(st.permutations(rows))


def frame(rows: list[Row], dtype: Any = pl.Float64) -> pl.DataFrame:
    """The rows as a frame that has all columns even without a row."""
    return pl.DataFrame(
        rows,
        schema_overrides={"correct": dtype},
        schema=None
        if rows
        else {"cell": pl.String, "side": pl.Int64, "item": pl.String, "correct": dtype},
    )


def clustered(clusters: list[tuple[int, int]], cell: Any = 0) -> pl.DataFrame:
    """Trials of clusters given as (successes, trials)."""
    rows = [
        (cell, index, int(trial < hits))
        for index, (hits, size) in enumerate(clusters)
        for trial in range(size)
    ]
    return pl.DataFrame(
        rows, schema={"cell": pl.Int64, "item": pl.Int64, "correct": pl.Int8}, orient="row"
    )


def paired(clusters: list[tuple[int, int, int, int]], cell: Any = 0) -> pl.DataFrame:
    """Trials of two arms from clusters of pairs: treatment "t" and baseline "b"."""
    rows = []
    for index, (pairs, treatment, baseline, treatment_only) in enumerate(clusters):
        both = treatment - treatment_only
        for repeat in range(pairs):
            in_baseline = repeat < both or treatment <= repeat < treatment + baseline - both
            rows.append((cell, "t", index, repeat, int(repeat < treatment)))
            rows.append((cell, "b", index, repeat, int(in_baseline)))
    schema = {
        "cell": pl.Int64,
        "arm": pl.String,
        "item": pl.Int64,
        "repeat": pl.Int64,
        "correct": pl.Int8,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")
