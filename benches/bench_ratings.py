"""Agreement, ranking and judging against Polars counting, NumPy and SciPy."""

import numpy as np
import polars as pl
from scipy.stats import rankdata

import reclaimstats as rs
from conftest import FLOOR, Race

ITEMS = 1_000_000


def rated() -> pl.DataFrame:
    """A million items with the categories that two raters gave them."""
    rng = np.random.default_rng(0)
    first = rng.integers(0, 4, ITEMS)
    second = np.where(rng.random(ITEMS) < 0.6, first, rng.integers(0, 4, ITEMS))
    return pl.DataFrame({"a": first, "b": second})


def scored() -> pl.DataFrame:
    """A million labels with the scores that a detector gave them."""
    rng = np.random.default_rng(0)
    label = rng.random(ITEMS) < 0.3
    return pl.DataFrame({"label": label, "score": np.round(rng.normal(label), 3)})


def kappa(frame: pl.DataFrame) -> float:
    return float(rs.agreement(frame, ["a", "b"])["estimate"].item())


def area(frame: pl.DataFrame) -> float:
    return float(rs.ranking(frame, "label", "score")["estimate"].item())


def test_kappa(race: Race) -> None:
    frame = rated()

    def peer() -> float:
        """Polars counts the pairs, NumPy makes the estimate, and no interval, of them."""
        counts = frame.group_by("a", "b").len()
        table = np.zeros((4, 4))
        table[counts["a"].to_numpy(), counts["b"].to_numpy()] = counts["len"].to_numpy()
        table /= table.sum()
        chance = table.sum(0) @ table.sum(1)
        return float((np.trace(table) - chance) / (1 - chance))

    ratio = race(
        lambda: kappa(frame),
        peer,
        name="Cohen's kappa with interval, a million pairs",
        against="Polars group_by and NumPy, no interval",
        same=lambda a, b: abs(a - b) < 1e-12,
    )
    assert ratio >= FLOOR


def test_area(race: Race) -> None:
    frame = scored()
    label, score = frame["label"].to_numpy(), frame["score"].to_numpy()

    def peer() -> tuple[float, float]:
        """Midranks by SciPy: of all, of positives, of negatives (Sun and Xu, 2014)."""
        positive, negative = score[label], score[~label]
        m, n = len(positive), len(negative)
        ranks = rankdata(np.concatenate([positive, negative]))
        own = (ranks[:m] - rankdata(positive)) / n
        other = 1 - (ranks[m:] - rankdata(negative)) / m
        return float(own.mean()), float(own.var(ddof=1) / m + other.var(ddof=1) / n)

    ratio = race(
        lambda: area(frame),
        peer,
        name="ROC AUC with interval, a million scores",
        against="SciPy rankdata, DeLong in NumPy",
        same=lambda a, b: abs(a - b[0]) < 1e-12,
        rounds=3,
    )
    assert ratio >= FLOOR


def test_win_rates(race: Race) -> None:
    rng = np.random.default_rng(0)
    rows = 200_000
    frame = pl.DataFrame(
        {
            "item": np.arange(rows) // 2,
            "model_a": "x",
            "model_b": "y",
            "shown": np.where(np.arange(rows) % 2, "a", "b"),
            "winner": rng.choice(["a", "b", "tie"], rows),
        }
    )

    def ours() -> float:
        return float(rs.wins(frame, first="shown", item="item")["estimate"].item())

    def peer() -> float:
        points = pl.col("winner").replace_strict({"a": 1.0, "tie": 0.5, "b": 0.0})
        by_item = frame.group_by("item").agg(points.sum(), pl.len())
        n, total = by_item["len"].sum(), by_item["winner"].sum()
        residual = by_item["winner"] - total / n * by_item["len"]
        assert (residual**2).sum() > 0
        return float(total / n)

    ratio = race(
        ours,
        peer,
        name="win rate with position bias, 200,000 judgements of 100,000 items",
        against="Polars group_by, standard error of the rate alone",
        same=lambda a, b: abs(a - b) < 1e-12,
        rounds=3,
    )
    assert ratio >= FLOOR * 0.8
