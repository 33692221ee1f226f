"""Agreement, ranking and judging against Polars counting, NumPy and SciPy."""

import numpy as np
import polars as pl
from scipy.stats import binomtest, rankdata

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


def test_alpha_of_several_raters(race: Race) -> None:
    """Krippendorff's alpha of ordinary size, with ratings that are missing."""
    rng = np.random.default_rng(0)
    units, raters = 5000, 5
    truth = rng.integers(0, 4, units)
    given = np.where(rng.random((raters, units)) < 0.7, truth, rng.integers(0, 4, (raters, units)))
    seen = rng.random((raters, units)) < 0.8
    columns = [
        pl.Series([value if there else None for value, there in zip(row, mask, strict=True)])
        for row, mask in zip(given.tolist(), seen.tolist(), strict=True)
    ]

    def peer() -> float:
        """Coincidences of Krippendorff (2011), by counts of each unit."""
        counts = np.stack([((given == c) & seen).sum(0) for c in range(4)], axis=1)
        counts = counts[counts.sum(1) > 1].astype(float)
        m = counts.sum(1)
        of_units = np.einsum("ui,uj,u->ij", counts, counts, 1 / (m - 1))
        observed = of_units - np.diag((counts / (m - 1)[:, None]).sum(0))
        margins = observed.sum(1)
        n = margins.sum()
        differ = n - np.trace(observed)
        expected = (n * n - (margins**2).sum()) / (n - 1)
        return float(1 - differ / expected)

    ratio = race(
        lambda: rs.stats.krippendorff_alpha(columns).estimate,
        peer,
        name="Krippendorff's alpha of 5,000 items and five raters, with interval",
        against="NumPy on a ready table, no interval",
        same=lambda a, b: abs(a - b) < 1e-12,
    )
    assert ratio >= FLOOR * 0.1


def test_kappa_of_counts(race: Race) -> None:
    """Fleiss' kappa of how many of six raters gave each of five categories."""
    counts = np.random.default_rng(0).multinomial(6, [0.4, 0.3, 0.1, 0.1, 0.1], 5000)

    def peer() -> float:
        shares = counts.sum(0) / counts.sum()
        agree = ((counts**2).sum(1) - 6) / 30
        chance = float((shares**2).sum())
        return (float(agree.mean()) - chance) / (1 - chance)

    ratio = race(
        lambda: rs.stats.agreement_of_counts(counts).estimate,
        peer,
        name="Fleiss' kappa of 5,000 items and six raters, with interval",
        against="NumPy, no interval",
        same=lambda a, b: abs(a - b) < 1e-12,
    )
    assert ratio >= FLOOR * 0.02


def test_kappa_of_arrays(race: Race) -> None:
    frame = rated().head(100_000)
    first, second = frame["a"].to_numpy(), frame["b"].to_numpy()

    def peer() -> float:
        table = np.bincount(4 * first + second, minlength=16).reshape(4, 4) / len(first)
        chance = table.sum(0) @ table.sum(1)
        return float((np.trace(table) - chance) / (1 - chance))

    ratio = race(
        lambda: rs.stats.cohen_kappa(first, second).estimate,
        peer,
        name="Cohen's kappa of two arrays of 100,000, with interval",
        against="NumPy bincount, no interval",
        same=lambda a, b: abs(a - b) < 1e-12,
    )
    assert ratio >= FLOOR * 0.3


def test_confusion(race: Race) -> None:
    frame = rated()

    def peer() -> pl.DataFrame:
        return frame.group_by("a", "b").len().sort("a", "b")

    ratio = race(
        lambda: rs.confusion(frame, ["a", "b"]),
        peer,
        name="confusion of a million pairs",
        against="Polars group_by",
        same=lambda a, b: a["n"].to_list() == b["len"].to_list(),
    )
    assert ratio >= FLOOR


def test_detection(race: Race) -> None:
    frame = scored().select("label", caught=pl.col("score") > 0.5)

    def ours() -> tuple[float, ...]:
        found = rs.detection(
            frame, "label", "caught", metrics=["sensitivity", "specificity", "precision"]
        )
        return tuple(found["estimate"].to_list())

    def peer() -> tuple[float, ...]:
        """Counts by Polars, an interval of each by SciPy."""
        counts = frame.group_by("label", "caught").len()
        n = {(label, caught): size for label, caught, size in counts.iter_rows()}
        pairs = [
            (n[True, True], n[True, False]),
            (n[False, False], n[False, True]),
            (n[True, True], n[False, True]),
        ]
        for hits, others in pairs:
            binomtest(hits, hits + others).proportion_ci(method="wilson")
        return tuple(hits / (hits + others) for hits, others in pairs)

    ratio = race(
        ours,
        peer,
        name="sensitivity, specificity, precision of a million labels",
        against="Polars group_by, SciPy's Wilson interval",
        same=lambda a, b: a == b,
    )
    assert ratio >= FLOOR
