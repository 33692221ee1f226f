"""Other coefficients of agreement, and rates of detection, against NumPy and Polars counting."""

import numpy as np
import polars as pl
from scipy.stats import binomtest

import reclaimstats as rs
from bench_ratings import rated, scored
from conftest import FLOOR, Race


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
