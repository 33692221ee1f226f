"""Repeats of items and what goes with them, against NumPy and Polars."""

import numpy as np
import polars as pl
import pytest
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race

ITEMS, REPEATS = 10_000, 10


def repeated() -> pl.DataFrame:
    """Ten repeats of each of ten thousand tasks, some of which are harder."""
    rng = np.random.default_rng(0)
    hardness = np.repeat(rng.beta(2, 2, ITEMS), REPEATS)
    return pl.DataFrame(
        {
            "task": np.repeat(np.arange(ITEMS), REPEATS),
            "ok": rng.random(ITEMS * REPEATS) < hardness,
        }
    )


def unbiased(successes: np.ndarray, repeats: int, k: int) -> float:
    """The estimator of pass@k as its paper prints it, an item at a time."""

    def one(c: int) -> float:
        if repeats - c < k:
            return 1.0
        return 1.0 - float(np.prod(1.0 - k / np.arange(repeats - c + 1, repeats + 1)))

    return float(np.mean([one(int(c)) for c in successes]))


def test_repeats(race: Race) -> None:
    frame = repeated()

    def peer() -> float:
        successes = frame.group_by("task", maintain_order=True).agg(pl.col("ok").sum())["ok"]
        return unbiased(successes.to_numpy(), REPEATS, 5)

    ratio = race(
        lambda: float(rs.repeats(frame, "ok", item="task", k=5)["estimate"][0]),
        peer,
        name="pass@5 and pass^5 of 10,000 tasks, with intervals",
        against="Polars group_by, NumPy per task, pass@5 alone",
        same=lambda a, b: a == pytest.approx(b, rel=1e-12),
    )
    assert ratio >= FLOOR


@pytest.mark.parametrize("which", ["pass_at_k", "pass_hat_k"])
def test_of_counts(race: Race, which: str) -> None:
    successes = np.random.default_rng(0).binomial(REPEATS, 0.4, ITEMS)
    ours = {"pass_at_k": rs.stats.pass_at_k, "pass_hat_k": rs.stats.pass_hat_k}[which]

    def peer() -> float:
        if which == "pass_at_k":
            return unbiased(successes, REPEATS, 5)
        return 1 - unbiased(REPEATS - successes, REPEATS, 5)

    ratio = race(
        lambda: ours(successes, REPEATS, k=5).estimate,
        peer,
        name=f"{which.replace('_', ' ')} of 10,000 counts, with interval",
        against="NumPy per item, no interval",
        same=lambda a, b: a == pytest.approx(b, rel=1e-12),
    )
    assert ratio >= FLOOR


def test_blast_radius(race: Race) -> None:
    """How many hops of a chain go wrong from its first error on."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"chain": np.repeat(np.arange(ITEMS), REPEATS), "right": rng.random(ITEMS * REPEATS) < 0.8}
    )

    def peer() -> float:
        return float(frame.group_by("chain").agg((~pl.col("right")).sum())["right"].mean())

    ratio = race(
        lambda: float(rs.blast_radius(frame, "right", chain="chain")["estimate"].item()),
        peer,
        name="blast radius of 10,000 chains, with interval",
        against="Polars group_by, no interval",
        same=lambda a, b: a == pytest.approx(b, rel=1e-12),
    )
    assert ratio >= FLOOR * 0.5


def test_variance_components(race: Race) -> None:
    frame = repeated()

    def peer() -> tuple[float, float]:
        """Mean squares of a one-way analysis of variance, all items with as many repeats."""
        table = frame["ok"].to_numpy().astype(float).reshape(ITEMS, REPEATS)
        within = float(table.var(axis=1, ddof=1).mean())
        return float(table.mean(axis=1).var(ddof=1)) - within / REPEATS, within

    def ours() -> tuple[float, ...]:
        found = rs.variance_components(frame, "ok", item="task")
        return found.select("between", "within").row(0)

    ratio = race(
        ours,
        peer,
        name="variance between and within 10,000 tasks, with interval",
        against="NumPy on a ready table, no interval",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR * 0.3


def test_heterogeneity(race: Race) -> None:
    """Effects per item against what equal items would show, the labels shuffled within each."""
    items, seeds, draws = 200, 4, 2000
    rng = np.random.default_rng(0)
    outcomes = rng.random((items, 2, seeds)) < 0.5
    frame = pl.DataFrame(
        {
            "item": np.repeat(np.arange(items), 2 * seeds),
            "arm": np.tile(np.repeat(["new", "old"], seeds), items),
            "ok": outcomes.ravel(),
        }
    )

    def ours() -> tuple[float, float]:
        found = rs.heterogeneity(
            frame, "ok", contrast="arm", baseline="old", item="item", n_resamples=draws
        )
        return found.select("sd", "n_beyond_null").row(0)

    def peer() -> tuple[float, float]:
        shuffler = np.random.default_rng(1)
        pooled = outcomes.reshape(items, 2 * seeds).astype(float)
        effects = outcomes[:, 0].mean(1) - outcomes[:, 1].mean(1)
        beyond = 0
        for _ in range(draws):
            shuffled = shuffler.permuted(pooled, axis=1)
            drawn = shuffled[:, :seeds].mean(1) - shuffled[:, seeds:].mean(1)
            beyond += int((np.abs(drawn) >= 0.25).sum())
        return float(effects.std(ddof=1)), beyond / draws

    ratio = race(
        ours,
        peer,
        name="heterogeneity of 200 items, 2,000 shuffles",
        against="NumPy permuted, the same shuffles",
        same=lambda a, b: a[0] == pytest.approx(b[0], rel=1e-9) and abs(a[1] - b[1]) < 3,
        rounds=3,
    )
    assert ratio >= FLOOR * 5


def test_rule_of_three(race: Race) -> None:
    """The upper limit of a rate of which nothing was seen."""
    ratio = race(
        lambda: rs.stats.rule_of_three(96).bound,
        lambda: float(scipy.stats.beta.ppf(0.95, 1, 96)),
        name="rule of three, exact",
        against="SciPy",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR * 5
