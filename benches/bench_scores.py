"""Numeric scores of two arms compared per cell, against SciPy."""

import numpy as np
import polars as pl
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race

CELLS, PAIRS = 200, 96


def graded() -> pl.DataFrame:
    """Scores of two decimals, such as token F1, of two arms on the same items."""
    rng = np.random.default_rng(0)
    rows = CELLS * PAIRS
    new = np.round(rng.beta(5, 3, rows), 2)
    old = np.round(np.clip(new - 0.05 + rng.normal(0, 0.2, rows), 0, 1), 2)
    keys = {"cell": np.repeat(np.arange(CELLS), PAIRS), "item": np.tile(np.arange(PAIRS), CELLS)}
    arms = [pl.DataFrame(keys | {"f1": scores}) for scores in (new, old)]
    return pl.concat(
        arm.with_columns(arm=pl.lit(name)) for arm, name in zip(arms, ("new", "old"), strict=True)
    )


def test_paired_scores(race: Race) -> None:
    frame = graded()

    def ours() -> np.ndarray:
        found = rs.compare_means(
            frame, "f1", contrast="arm", baseline="old", pair_by="item", by="cell", method="t"
        )
        return found.select("difference", "low", "high").to_numpy()

    def peer() -> np.ndarray:
        """A t interval, a signed-rank test and a permutation test for each cell."""
        rows = []
        for _, cell in frame.group_by("cell", maintain_order=True):
            pairs = cell.pivot("arm", index="item", values="f1")
            new, old = pairs["new"].to_numpy(), pairs["old"].to_numpy()
            t = scipy.stats.ttest_rel(new, old)
            scipy.stats.wilcoxon(np.round(new - old, 2))
            scipy.stats.permutation_test(
                (new - old,),
                lambda d, axis: d.mean(axis=axis),
                permutation_type="samples",
                vectorized=True,
                n_resamples=999,
            )
            rows.append([(new - old).mean(), *t.confidence_interval()])
        return np.array(rows)

    ratio = race(
        ours,
        peer,
        name="paired scores, 200 cells of 96 pairs: t, signed rank, exact sign flips",
        against="SciPy in a loop, 999 flips",
        same=lambda a, b: np.allclose(a, b, rtol=1e-9),
        rounds=3,
    )
    assert ratio >= FLOOR * 2
