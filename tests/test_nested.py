"""The nested bootstrap of rates and means: against counting every way to draw."""

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reference import nested

N_RESAMPLES = 4000

# Documents of items of seeds; a None is a missing score, and any part may hold nothing else.
SEEDS = st.lists(st.one_of(st.none(), st.integers(0, 1)), min_size=1, max_size=2)
DOCUMENTS = st.lists(st.lists(SEEDS, min_size=1, max_size=2), min_size=1, max_size=3)


def table(documents: list[Any]) -> pl.DataFrame:
    rows = [
        # An item's name occurs in every document, where it means another item.
        {"document": str(d), "item": i, "score": score}
        for d, document in enumerate(documents)
        for i, item in enumerate(document)
        for score in item
    ]
    schema = {"document": pl.String, "item": pl.Int64, "score": pl.Int64}
    return pl.DataFrame(rows, schema=schema)


def drawn(verb: Any, trials: pl.DataFrame, within: Any = "item", **options: Any) -> pl.DataFrame:
    options = {"n_resamples": N_RESAMPLES, "resampler": "monte-carlo"} | options
    options = {"cluster": "document", "method": "percentile"} | options
    found: pl.DataFrame = verb(trials, "score", within=within, **options)
    return found


def assert_quantiles(row: dict[str, Any], ways: dict[Fraction, Fraction], tail: float) -> None:
    """Limits are quantiles of the exact distribution, up to five errors of its probabilities."""
    slack = 5 * math.sqrt(tail * (1 - tail) / N_RESAMPLES)

    def chance(holds: Any) -> float:
        return float(sum(p for mean, p in ways.items() if holds(float(mean))))

    near = 1e-12
    assert chance(lambda mean: mean <= row["low"] + near) >= tail - slack
    assert chance(lambda mean: mean < row["low"] - near) <= tail + slack
    assert chance(lambda mean: mean >= row["high"] - near) >= tail - slack
    assert chance(lambda mean: mean > row["high"] + near) <= tail + slack


@settings(max_examples=60)
@given(DOCUMENTS, st.sampled_from(["trial", "cluster"]), st.sampled_from([0.8, 0.95]))
def test_limits_are_quantiles_of_all_ways(
    documents: list[Any], weighting: str, level: float
) -> None:
    clusters = nested.filled(documents) or []
    for verb in (rs.rate, rs.mean):
        options = {"weighting": weighting, "confidence_level": level}
        row = drawn(verb, table(documents), **options).row(0, named=True)
        assert row["n_clusters"] == len(clusters)
        if len(clusters) < 2:
            assert row["low"] is None
            assert row["reason"] == ("one cluster" if clusters else "no trials with an outcome")
            continue
        assert row["method"] == "percentile-nested"
        ways = nested.means(clusters, balanced=weighting == "cluster")
        assert_quantiles(row, ways, (1 - level) / 2)


def test_trials_alone_are_two_stages() -> None:
    documents = [[[0, 0, 1]], [[1, 1]], [[0, 1, 1, 1]]]
    trials = table(documents)
    two = drawn(rs.mean, trials, within=[]).row(0, named=True)
    ways = nested.means([document[0] for document in documents], balanced=False)
    assert_quantiles(two, ways, 0.025)


def test_order_names_and_laziness_do_not_matter() -> None:
    generator = random.Random(1)
    rows = [
        {"cell": c, "document": d, "item": i, "score": generator.random()}
        for c in range(3)
        for d in range(5)
        for i in range(3)
        for _ in range(generator.randrange(1, 4))
    ]
    trials = pl.DataFrame(rows)
    expected = drawn(rs.mean, trials, by="cell")
    shuffled = trials.sample(fraction=1.0, shuffle=True, seed=3)
    assert drawn(rs.mean, shuffled.lazy(), by="cell").equals(expected)
    renamed = trials.with_columns(
        pl.col("document").replace_strict(dict(enumerate("ebdac"))),
        pl.col("item").replace_strict({0: 7, 1: 5, 2: 6}),
    )
    assert drawn(rs.mean, renamed, by="cell").equals(expected)
    alone = drawn(rs.mean, trials.filter(pl.col("cell") == 1), by="cell")
    assert alone.equals(expected.filter(pl.col("cell") == 1))


def test_what_is_inside_counts_once_more() -> None:
    # Seeds that do not vary within items, and items that do: the nested interval is wider than that
    # of documents by what items vary, and the same where items do not vary either.
    rng = np.random.default_rng(0)
    effect = rng.normal(size=(40, 4))
    rows = {
        "document": np.repeat(np.arange(40), 8),
        "item": np.tile(np.repeat(np.arange(4), 2), 40),
    }
    varied = pl.DataFrame({**rows, "score": np.repeat(effect.ravel(), 2)})
    plain = rs.mean(
        varied,
        "score",
        cluster="document",
        method="percentile",
        resampler="monte-carlo",
        n_resamples=20_000,
    ).row(0, named=True)
    found = drawn(rs.mean, varied, n_resamples=20_000).row(0, named=True)
    outer = effect.mean(axis=1).var()
    inner = effect.var(axis=1).mean() / 4
    ratio = (found["high"] - found["low"]) / (plain["high"] - plain["low"])
    assert ratio == pytest.approx(math.sqrt((outer + inner) / outer), rel=0.03)
    constant = pl.DataFrame({**rows, "score": np.repeat(effect[:, 0], 8)})
    same = drawn(rs.mean, constant, n_resamples=20_000).row(0, named=True)
    assert same["high"] - same["low"] == pytest.approx(
        3.92 * effect[:, 0].std() / math.sqrt(40), rel=0.03
    )


def test_other_columns_are_those_of_the_verb() -> None:
    trials = table([[[0, 1], [1]], [[1, 1]], [[0], [0, 1]]])
    for verb in (rs.rate, rs.mean):
        usual = verb(trials, "score", cluster="document")
        row, plain = (f.row(0, named=True) for f in (drawn(verb, trials, seed=5), usual))
        for name in ("n", "n_clusters", "n_missing", "estimate"):
            assert row[name] == plain[name]
        assert (row["n_resamples"], row["seed"], row["confidence_level"]) == (N_RESAMPLES, 5, 0.95)
        assert row["low_error"] >= 0
        assert usual.schema == drawn(verb, trials).schema


def test_what_does_not_go_together_is_refused() -> None:
    trials = table([[[0, 1]], [[1]]])
    for options in (
        {"method": "auto"},
        {"method": "bca"},
        {"resampler": "auto"},
        {"cluster": None},
    ):
        with pytest.raises(rs.errors.OptionError, match="within= names what is drawn"):
            drawn(rs.rate, trials, **options)
    with pytest.raises(rs.errors.OptionError, match="at most 14"):
        drawn(rs.rate, trials, within=["item"] * 15)
    with pytest.raises(rs.errors.ColumnError, match="seed"):
        drawn(rs.mean, trials, within=["item", "seed"])
    unnamed = trials.with_columns(item=pl.lit(None, dtype=pl.Int64))
    with pytest.raises(rs.errors.DesignError, match="'item' is null or NaN in 3 trials"):
        drawn(rs.mean, unnamed)


def test_no_rows_and_cells_without_scores() -> None:
    empty = table([])
    assert drawn(rs.rate, empty)["reason"].to_list() == ["no trials with an outcome"]
    assert drawn(rs.mean, empty.with_columns(by=pl.lit(1)), by="by").height == 0
    two = pl.concat(
        [
            table([[[None]]]).with_columns(cell=pl.lit("a")),
            table([[[1, 0]], [[0]]]).with_columns(cell=pl.lit("b")),
        ]
    )
    found = drawn(rs.rate, two, by="cell")
    assert found["reason"].to_list() == ["no trials with an outcome", None]


STUDIES = 1000


def studies(documents: int, differ: bool) -> pl.DataFrame:
    """Studies of four items a document and three seeds an item; the mean of all is 0."""
    normal = np.random.default_rng(documents).normal
    document = normal(size=(STUDIES, documents, 1, 1)) * differ
    scores = document + normal(size=(STUDIES, documents, 4, 1))
    scores = scores + normal(size=(STUDIES, documents, 4, 3))
    at = np.indices(scores.shape)[:3].reshape(3, -1)
    return pl.DataFrame({"score": scores.ravel()}).with_columns(
        pl.Series(name, part) for name, part in zip(("study", "document", "item"), at, strict=True)
    )


def coverage() -> None:
    """Print how often three intervals cover, and their mean widths."""
    options = {"by": "study", "n_resamples": 1000}
    print('| documents | differ | whole documents | nested | `method="auto"` |')
    for documents in (4, 8, 24):
        for differ in (True, False):
            trials = studies(documents, differ)
            found = [
                drawn(rs.mean, trials, within=None, **options),
                drawn(rs.mean, trials, **options),
                rs.mean(trials, "score", by="study", cluster="document"),
            ]
            cells = [
                f"{((low <= 0) & (high >= 0)).mean():.1%} ({(high - low).mean():.2f})"
                for low, high in ((each["low"], each["high"]) for each in found)
            ]
            said = "as items do" if differ else "not at all"
            print(f"| {documents} | {said} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    coverage()
