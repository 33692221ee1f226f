"""Comparisons of other designs, and what stands on comparisons, against NumPy, SciPy and Polars."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race

CELLS, UNITS = 500, 48


def arms(rng: np.random.Generator, rates: dict[str, float], score: bool = False) -> pl.DataFrame:
    """Outcomes of 48 other items in each arm and cell."""
    rows = CELLS * UNITS
    cell = np.repeat(np.arange(CELLS), UNITS)
    return pl.concat(
        pl.DataFrame(
            {
                "cell": cell,
                "item": np.tile(np.arange(UNITS), CELLS) // 3,
                "arm": [arm] * rows,
                "kept": np.round(rng.beta(8 * rate, 8 - 8 * rate, rows), 2)
                if score
                else (rng.random(rows) < rate).astype(int),
            }
        )
        for arm, rate in rates.items()
    )


def by_cell(frame: pl.DataFrame, arm: str) -> np.ndarray:
    return frame.filter(arm=arm)["kept"].to_numpy().reshape(CELLS, UNITS)


def test_unpaired(race: Race) -> None:
    frame = arms(np.random.default_rng(0), {"new": 0.6, "old": 0.4})

    def ours() -> np.ndarray:
        found = rs.compare_unpaired(frame, "kept", contrast="arm", baseline="old", by="cell")
        return found["fisher_p"].to_numpy()

    def peer() -> np.ndarray:
        """Fisher's test and Newcombe's interval, a cell at a time."""
        pvalues = []
        for _, cell in frame.group_by("cell", maintain_order=True):
            new, old = (int(cell.filter(arm=arm)["kept"].sum()) for arm in ("new", "old"))
            found = scipy.stats.fisher_exact([[new, UNITS - new], [old, UNITS - old]])
            for k in (new, old):
                scipy.stats.binomtest(k, UNITS).proportion_ci(method="wilson")
            pvalues.append(found.pvalue)
        return np.array(pvalues)

    ratio = race(
        ours,
        peer,
        name="unpaired rates, 500 cells of 48 and 48: interval, exact tests",
        against="SciPy in a loop",
        same=lambda a, b: np.allclose(a, b, rtol=1e-9),
        rounds=3,
    )
    assert ratio >= FLOOR * 5


def test_unpaired_scores(race: Race) -> None:
    frame = arms(np.random.default_rng(0), {"new": 0.6, "old": 0.5}, score=True)

    def ours() -> np.ndarray:
        found = rs.compare_means_unpaired(
            frame, "kept", contrast="arm", baseline="old", by="cell", method="welch"
        )
        return found.select("difference", "welch_p").to_numpy()

    def peer() -> np.ndarray:
        """Welch's and the rank-sum test and 999 shuffles, a cell at a time."""
        rows = []
        for _, cell in frame.group_by("cell", maintain_order=True):
            new, old = (cell.filter(arm=arm)["kept"].to_numpy() for arm in ("new", "old"))
            scipy.stats.mannwhitneyu(new, old)
            scipy.stats.permutation_test(
                (new, old),
                lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
                vectorized=True,
                n_resamples=999,
            )
            welch = scipy.stats.ttest_ind(new, old, equal_var=False)
            rows.append([new.mean() - old.mean(), welch.pvalue])
        return np.array(rows)

    ratio = race(
        ours,
        peer,
        name="unpaired scores, 500 cells of 48 and 48: t, rank sum, exact shuffles",
        against="SciPy in a loop, 999 shuffles",
        same=lambda a, b: np.allclose(a, b, rtol=1e-9),
        rounds=3,
    )
    assert ratio >= FLOOR


def test_equivalence_of_scores(race: Race) -> None:
    frame = arms(np.random.default_rng(0), {"new": 0.5, "old": 0.5}, score=True)
    frame = frame.with_columns(item=pl.int_range(pl.len()).over("cell", "arm"))

    def ours() -> np.ndarray:
        found = rs.equivalence_means(
            frame,
            "kept",
            margin=0.1,
            contrast="arm",
            baseline="old",
            pair_by="item",
            by="cell",
            method="t",
        )
        return found.select("low", "high").to_numpy()

    def peer() -> np.ndarray:
        differences = by_cell(frame, "new") - by_cell(frame, "old")
        return np.array(
            [scipy.stats.ttest_1samp(d, 0).confidence_interval(0.9) for d in differences]
        )

    ratio = race(
        ours,
        peer,
        name="equivalence of scores, 500 cells of 48 pairs",
        against="SciPy's t interval in a loop",
        same=lambda a, b: np.allclose(a, b, atol=1e-9),
    )
    assert ratio >= FLOOR


FOUR = {("new", "a"): 0.7, ("old", "a"): 0.4, ("new", "b"): 0.5, ("old", "b"): 0.4}


def test_difference_in_differences(race: Race) -> None:
    rng = np.random.default_rng(0)
    rows = 20_000
    frame = pl.concat(
        pl.DataFrame({"arm": [arm] * rows, "group": [group] * rows, "ok": rng.random(rows) < rate})
        for (arm, group), rate in FOUR.items()
    )

    def ours() -> float:
        found = rs.difference_in_differences(
            frame, "ok", contrast="arm", baseline="old", group="group", reference="b"
        )
        return float(found["difference_in_differences"].item())

    def peer() -> float:
        cells = {
            key: frame.filter(arm=key[0], group=key[1])["ok"].to_numpy().astype(float)
            for key in FOUR
        }
        draw = np.random.default_rng(1)
        one = {key: values.mean() for key, values in cells.items()}
        for _ in range(100):
            for values in cells.values():
                values[draw.integers(0, rows, rows)].mean()
        first = one["new", "a"] - one["old", "a"]
        return float(first - (one["new", "b"] - one["old", "b"]))

    ratio = race(
        ours,
        peer,
        name="difference in differences of 80,000 trials, with interval and test",
        against="Polars filters, NumPy bootstrap, 100 resamples",
        same=lambda a, b: a == pytest.approx(b, abs=1e-12),
        rounds=3,
    )
    assert ratio >= FLOOR


def test_gap_closure(race: Race) -> None:
    frame = arms(np.random.default_rng(0), {"none": 0.3, "notes": 0.6, "all": 0.8})

    def ours() -> np.ndarray:
        found = rs.gap_closure(
            frame, "kept", contrast="arm", baseline="none", oracle="all", by="cell"
        )
        return found["closure"].to_numpy()

    def peer() -> np.ndarray:
        """The ratio of gaps per cell, and 100 resamples of the trials of each."""
        tables = [by_cell(frame, arm) for arm in ("none", "notes", "all")]
        none, notes, whole = (table.mean(1) for table in tables)
        draw = np.random.default_rng(1)
        for _ in range(100):
            for table in tables:
                picks = draw.integers(0, UNITS, table.shape)
                np.take_along_axis(table, picks, axis=1).mean(1)
        return (notes - none) / (whole - none)

    ratio = race(
        ours,
        peer,
        name="gap closure, 500 cells of 48 trials in three arms",
        against="NumPy bootstrap, 100 resamples",
        same=lambda a, b: np.allclose(a[np.isfinite(a)], b[np.isfinite(a)], rtol=1e-9),
        rounds=3,
    )
    assert ratio >= FLOOR


def test_evidence(race: Race) -> None:
    """A wealth that bets on discordant pairs, by its closed form after each."""
    rng = np.random.default_rng(0)
    pairs = 2000
    new, old = rng.random((2, pairs)) < np.array([[0.6], [0.5]])
    order = np.tile(np.arange(pairs), 2)
    frame = pl.DataFrame(
        {
            "arm": ["new"] * pairs + ["old"] * pairs,
            "item": order,
            "night": order,
            "ok": np.concatenate([new, old]),
        }
    )

    def ours() -> float:
        looks = rs.evidence(
            frame,
            "ok",
            contrast="arm",
            baseline="old",
            pair_by="item",
            order_by="night",
            running=True,
        )
        return float(looks["log_e"][-1])

    def peer() -> float:
        positive = negative = 0
        found = 0.0
        for one, other in zip(new, old, strict=True):
            positive += int(one and not other)
            negative += int(other and not one)
            signs = positive + negative
            gammas = math.lgamma(positive + 1) + math.lgamma(negative + 1)
            found = gammas - math.lgamma(signs + 2) + signs * math.log(2)
        return found

    ratio = race(
        ours,
        peer,
        name="evidence after each of 2,000 pairs, with confidence sequence",
        against="Python loop, no confidence sequence",
        same=lambda a, b: a == pytest.approx(b, abs=1e-9),
        rounds=3,
    )
    assert ratio >= FLOOR * 0.1


def test_e_value(race: Race) -> None:
    def peer() -> float:
        fair = scipy.stats.binom.pmf(28, 39, 0.5)
        return float(scipy.stats.betabinom.pmf(28, 39, 1, 1) / fair)

    ratio = race(
        lambda: rs.stats.e_value(28, 11).evalue,
        peer,
        name="e-value of 28 against 11, with confidence interval",
        against="SciPy, no interval",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR


def test_decisions(race: Race) -> None:
    """A rule for each of 500 cells against the filter that a user would write."""
    frame = arms(np.random.default_rng(0), {"new": 0.6, "old": 0.4})
    frame = frame.with_columns(item=pl.int_range(pl.len()).over("cell", "arm"))
    design: dict[str, Any] = {"contrast": "arm", "baseline": "old", "pair_by": "item", "by": "cell"}
    result = rs.compare(frame, "kept", **design)
    passes = (pl.col("mcnemar_p") <= 0.05) & (pl.col("difference") >= 0.1)
    ratio = race(
        lambda: rs.decide(result, {"test": "mcnemar_p", "least": 0.1, "direction": "up"}),
        lambda: result.select(pl.when(passes).then(pl.lit("PASS")).otherwise(pl.lit("FAIL"))),
        name="decisions on 500 cells, with what failed",
        against="a Polars expression, without",
        same=lambda a, b: (a["decision"] == "PASS").equals(b.to_series() == "PASS"),
    )
    assert ratio >= FLOOR * 0.1


def test_many_pvalues(race: Race) -> None:
    pvalues = np.random.default_rng(0).random(100_000)
    ratio = race(
        lambda: rs.stats.adjust(pvalues, method="benjamini-hochberg").to_numpy(),
        lambda: scipy.stats.false_discovery_control(pvalues),
        name="100,000 p-values adjusted, Benjamini–Hochberg",
        against="SciPy",
        same=lambda a, b: np.allclose(a, b, rtol=1e-12),
    )
    assert ratio >= FLOOR
