"""The packages that evaluators take today, on the same data.

They are large, so that only `make bench` installs them: benches/peers.lock pins them, and without a
peer its race is skipped.
"""

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest

import reclaimstats as rs
from bench_ratings import area, kappa, rated, scored
from conftest import FLOOR, Peer, Race, TextRace
from corpus import tiled

MILLION = 1_000_000


def library(name: str) -> Any:
    """The module of a peer. What it warns of when it is imported is not for us to mend."""
    with warnings.catch_warnings(action="ignore"):
        return pytest.importorskip(name, reason=f"{name} is installed by make bench alone")


def test_kappa_against_scikit_learn(race: Race) -> None:
    metrics = library("sklearn.metrics")
    frame = rated()
    first, second = frame["a"].to_numpy(), frame["b"].to_numpy()
    ratio = race(
        lambda: kappa(frame),
        lambda: metrics.cohen_kappa_score(first, second),
        name="Cohen's kappa with interval, a million pairs",
        against="scikit-learn, no interval",
        same=lambda a, b: a == pytest.approx(b, rel=1e-12),
        rounds=5,
    )
    assert ratio >= FLOOR * 5


def test_area_against_scikit_learn(race: Race) -> None:
    metrics = library("sklearn.metrics")
    frame = scored()
    label, score = frame["label"].to_numpy(), frame["score"].to_numpy()
    ratio = race(
        lambda: area(frame),
        lambda: metrics.roc_auc_score(label, score),
        name="ROC AUC with interval, a million scores",
        against="scikit-learn, no interval",
        same=lambda a, b: a == pytest.approx(b, rel=1e-12),
        rounds=3,
    )
    assert ratio >= FLOOR


def test_table_of_pairs_against_mlxtend(race: Race) -> None:
    evaluate = library("mlxtend.evaluate")
    truth = np.ones(MILLION, dtype=bool)
    one, other = np.random.default_rng(0).random((2, MILLION)) < 0.5
    treatment, baseline = pl.Series(one), pl.Series(other)

    def ours() -> list[int]:
        table = rs.stats.pair_table(treatment, baseline)
        return [table.both, table.treatment_only, table.baseline_only, table.neither]

    ratio = race(
        ours,
        lambda: evaluate.mcnemar_table(truth, one, other).ravel().tolist(),
        name="table of a million pairs",
        against="mlxtend",
        same=lambda a, b: a == b,
        rounds=5,
    )
    assert ratio >= FLOOR * 50


def test_mcnemar_against_statsmodels(race: Race) -> None:
    tables = library("statsmodels.stats.contingency_tables")
    only, others = np.random.default_rng(0).integers(0, 50, (2, 10_000))
    # A call for each table: so many are enough to know what all would take.
    some = [[[0, int(b)], [int(c), 0]] for b, c in zip(only[:200], others[:200], strict=True)]
    ratio = race(
        lambda: rs.stats.mcnemar_tables(only, others)["pvalue"].head(200).to_list(),
        lambda: [float(tables.mcnemar(table, exact=True).pvalue) for table in some],
        name="10,000 of McNemar's tests, exact",
        against="statsmodels, 200 of them",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
        rounds=3,
    )
    assert ratio >= FLOOR * 5


def test_clopper_pearson_against_statsmodels(race: Race) -> None:
    proportion = library("statsmodels.stats.proportion")
    rng = np.random.default_rng(0)
    cell = np.repeat(np.arange(10_000), 24)
    frame = pl.DataFrame({"cell": cell, "hit": rng.random(len(cell)) < rng.random(10_000)[cell]})

    def peer() -> Any:
        counts = frame.group_by("cell").agg(pl.len(), pl.col("hit").sum()).sort("cell")
        hits, n = counts["hit"].to_numpy(), counts["len"].to_numpy()
        return np.stack(proportion.proportion_confint(hits, n, method="beta"), axis=1)

    ratio = race(
        lambda: rs.rate(frame, "hit", by="cell", method="clopper-pearson")["low", "high"],
        peer,
        name="Clopper–Pearson intervals of 10,000 cells of 24",
        against="Polars group_by, statsmodels",
        same=lambda a, b: np.allclose(a.to_numpy(), b, rtol=1e-10, atol=0),
        rounds=5,
    )
    assert ratio >= FLOOR * 5


def test_same_draws_as_arch(race: Race) -> None:
    bootstrap = library("arch.bootstrap")
    scores = np.random.default_rng(0).gamma(2.0, size=10_000)

    def ours() -> list[float]:
        drawn = rs.stats.mean(
            scores, method="percentile", resampler="monte-carlo", n_resamples=2_000
        )
        return [drawn.low, drawn.high]

    def peer() -> list[float]:
        draws = bootstrap.IIDBootstrap(scores, seed=0)
        return draws.conf_int(np.mean, reps=2_000, method="percentile").ravel().tolist()

    ratio = race(
        ours,
        peer,
        name="same draws: percentile interval of a mean of 10,000, 2,000 resamples each",
        against="arch",
        same=lambda a, b: a == pytest.approx(b, abs=0.01),
        rounds=3,
    )
    assert ratio >= FLOOR * 5


def test_clusters_against_arch(race: Race) -> None:
    bootstrap = library("arch.bootstrap")
    clusters, size = 100_000, 10
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(clusters), size)
    hit = rng.random(len(cluster)) < rng.beta(1, 2, clusters)[cluster]
    frame = pl.DataFrame({"cluster": cluster, "hit": hit})

    def peer() -> list[float]:
        sums = frame.group_by("cluster").agg(pl.len(), pl.col("hit").sum())
        hits, n = sums["hit"].to_numpy(), sums["len"].to_numpy()
        draws = bootstrap.IIDBootstrap(hits, n, seed=0)
        share = draws.conf_int(lambda hits, n: hits.sum() / n.sum(), reps=200, method="percentile")
        return share.ravel().tolist()

    def ours() -> list[float]:
        found = rs.rate(frame, "hit", cluster="cluster", method="percentile")
        return [found["low"].item(), found["high"].item()]

    ratio = race(
        ours,
        peer,
        name="percentile interval, 100,000 clusters of 10, exact, end to end",
        against="Polars group_by, arch, 200 resamples",
        same=lambda a, b: a == pytest.approx(b, abs=0.001),
        rounds=3,
    )
    assert ratio >= FLOOR * 10


def test_boxed_against_math_verify(text_race: TextRace) -> None:
    verify = library("math_verify")
    boxes = [f"Adding up, we get $\\boxed{{{value}}}$." for value in range(2, 1_000)]

    def read(replies: list[str]) -> list[str]:
        return [str(verify.parse(reply)[0]) for reply in replies]

    ratio = text_race(
        rs.text.boxed("reply"),
        tiled("reply", boxes).to_frame(),
        [Peer("math-verify", read, lambda frame: frame["reply"].to_list(), rows=100)],
        name="boxed",
        rounds=3,
    )
    assert ratio >= FLOOR * 1000
