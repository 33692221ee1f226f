"""What hypothesis draws: trials frames, clusters and pairs, small but with every trap."""

from typing import Any

import polars as pl
from hypothesis import strategies as st

Row = dict[str, Any]

levels = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
seeds = st.one_of(
    st.integers(0, 20),
    st.integers(2**32 - 2, 2**32 + 2),
    st.integers(0, 2**64 - 1),
    st.just(2**64 - 1),
)
bits = st.sampled_from([0, 1])
outcome_types = st.sampled_from(
    [pl.Float64, pl.Float32, pl.Int8, pl.UInt8, pl.Int64, pl.UInt64, pl.Boolean]
)


@st.composite
def cluster_counts(
    draw: st.DrawFn, *, least: int = 2, most: int = 9, size: int | None = None
) -> list[tuple[int, int]]:
    """Clusters as (successes, trials), of one size or of several."""
    sizes = st.just(size) if size else st.integers(1, 5)
    kind = draw(st.sampled_from(["any", "any", "zeros", "ones", "halves"]))
    clusters = []
    for trials in draw(st.lists(sizes, min_size=least, max_size=most)):
        hits = {"zeros": 0, "ones": trials, "halves": trials // 2}.get(kind)
        clusters.append((draw(st.integers(0, trials)) if hits is None else hits, trials))
    return clusters


@st.composite
def pair_counts(
    draw: st.DrawFn, *, least: int = 2, most: int = 8, size: int = 4
) -> list[tuple[int, int, int, int]]:
    """Clusters of pairs as (pairs, treatment, baseline, treatment only)."""
    outcomes = st.lists(st.tuples(bits, bits), min_size=1, max_size=size)
    clusters = []
    for pairs in draw(st.lists(outcomes, min_size=least, max_size=most)):
        hits, others = sum(t for t, _ in pairs), sum(b for _, b in pairs)
        clusters.append((len(pairs), hits, others, sum(t > b for t, b in pairs)))
    return clusters


@st.composite
def trials(draw: st.DrawFn, *, most: int = 60) -> list[Row]:
    """Trials with two columns for cells, of which one may be null, an item and an outcome."""
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
def paired_trials(draw: st.DrawFn, *, arms: int = 3, items: int = 5, repeats: int = 3) -> list[Row]:
    """Trials of arms over cells, items and repeats: some absent, some without an outcome.

    Every arm occurs, no pair key occurs twice, and rows come in any order.
    """
    names = ["c", "a", "b", "d"][:arms]
    choices: list[tuple[Any, ...]] = [(0, 1), (0, 0, 1), (0, 1, None), (0, 1, None, "absent")]
    values = st.sampled_from(draw(st.sampled_from(choices)))
    rows: list[Row] = [
        {"cell": "p", "arm": arm, "item": "last", "repeat": 0, "correct": 1} for arm in names
    ]
    cells: list[list[str | None]] = [["p"], ["p", "q"], [None, "p"]]
    for cell in draw(st.sampled_from(cells)):
        for item in range(draw(st.integers(1, items))):
            for repeat in range(draw(st.integers(1, repeats))):
                for arm in names:
                    row = {"cell": cell, "arm": arm, "item": f"i{item}", "repeat": repeat}
                    rows.append(row | {"correct": draw(values)})
    return draw(st.permutations([row for row in rows if row["correct"] != "absent"]))


def frame(rows: list[Row], dtype: Any = pl.Float64, **columns: Any) -> pl.DataFrame:
    """The rows as a frame; `columns` are types that it has even without a row."""
    return pl.DataFrame(rows, schema=columns | {"correct": dtype}, orient="row")


TRIALS = {"cell": pl.String, "side": pl.Int64, "item": pl.String}
PAIRED_TRIALS = {"cell": pl.String, "arm": pl.String, "item": pl.String, "repeat": pl.Int64}


def clustered(clusters: list[tuple[int, int]]) -> pl.DataFrame:
    """Trials of clusters given as (successes, trials)."""
    rows = [
        (index, int(trial < hits))
        for index, (hits, size) in enumerate(clusters)
        for trial in range(size)
    ]
    return pl.DataFrame(rows, schema={"item": pl.Int64, "correct": pl.Int8}, orient="row")


def paired(clusters: list[tuple[int, int, int, int]]) -> pl.DataFrame:
    """Trials of arms "t" and "b" of clusters given as in `pair_counts`."""
    rows = []
    for index, (pairs, treatment, baseline, treatment_only) in enumerate(clusters):
        both = treatment - treatment_only
        for repeat in range(pairs):
            in_baseline = repeat < both or treatment <= repeat < treatment + baseline - both
            rows.append(("t", index, repeat, int(repeat < treatment)))
            rows.append(("b", index, repeat, int(in_baseline)))
    schema = {"arm": pl.String, "item": pl.Int64, "repeat": pl.Int64, "correct": pl.Int8}
    return pl.DataFrame(rows, schema=schema, orient="row")
