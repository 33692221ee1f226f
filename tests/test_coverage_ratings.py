"""Do the intervals of agreement, detection and judging cover? By simulated studies.

The tables of docs/agreement.md, docs/detection.md and docs/wins.md are made by running this file
as a script; the tests run some of their rows. Every study of a row is a cell of one call.
"""

from itertools import product

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import reclaimstats as rs

Generator = np.random.Generator
Codes = NDArray[np.int64]


def covered(table: pl.DataFrame, truth: float) -> float:
    """Percentage of the intervals there are that contain the truth."""
    limits = table.drop_nulls("low")
    inside = (limits["low"] <= truth + 1e-9) & (limits["high"] >= truth - 1e-9)
    return 100 * float(inside.sum()) / limits.height


# ── Agreement ────────────────────────────────────────────────────────────────────────────────

# Shares of categories: two alike, one in ten, one in twenty-five, four alike, one of four frequent.
SHARES = {
    "1/2, 1/2": (0.5, 0.5),
    "9/10, 1/10": (0.9, 0.1),
    "24/25, 1/25": (0.96, 0.04),
    "four alike": (0.25,) * 4,
    "7/10, 3 × 1/10": (0.7, 0.1, 0.1, 0.1),
}
KAPPAS = (0.0, 0.3, 0.6, 0.9)
# Items, in how many clusters (nothing where independent).
SIZES: list[tuple[int, int | None]] = [
    (10, None),
    (20, None),
    (50, None),
    (200, None),
    (1000, None),
    (40, 8),
    (80, 16),
    (160, 32),
    (480, 96),
]
COEFFICIENTS: list[dict[str, str]] = [
    {"coefficient": "cohen"},
    {"coefficient": "cohen", "weights": "linear"},
    {"coefficient": "cohen", "weights": "quadratic"},
    {"coefficient": "fleiss"},
    {"coefficient": "krippendorff"},
    {"coefficient": "krippendorff", "metric": "ordinal"},
    {"coefficient": "ac1"},
]


def drawn(rng: Generator, chances: NDArray[np.float64], shape: tuple[int, ...]) -> Codes:
    """Categories by their chances, which are the last axis."""
    below = rng.random((*shape, 1)) > chances.cumsum(-1)[..., :-1]
    return np.asarray(below.sum(-1))


def ratings(
    rng: Generator,
    studies: int,
    size: tuple[int, int | None],
    shares: tuple[float, ...],
    kappa: float,
    raters: int,
) -> pl.DataFrame:
    """Raters who see the truth of an item together, with that chance, and else guess.

    In clusters, the truth and the chance to see it vary from one to the next (each with a
    correlation of 0.3).
    """
    items, clusters = size
    shape = (studies, items)
    known, chance = np.asarray(shares), np.full((studies, 1), kappa)
    truths = np.broadcast_to(known, (*shape, len(shares)))
    place = np.zeros(items, np.int64)
    if clusters:
        place = np.arange(items) // (items // clusters)
        rounds = rng.gamma(known * 0.7 / 0.3, size=(studies, clusters, len(shares))) + 1e-300
        truths = (rounds / rounds.sum(-1, keepdims=True))[:, place]
        if 0 < kappa < 1:
            spread = 0.7 / 0.3
            beta = rng.beta(kappa * spread, (1 - kappa) * spread, (studies, clusters))
            chance = beta[:, place]
    truth = drawn(rng, truths, shape)
    sees = rng.random(shape) < chance
    columns = {
        f"r{rater}": np.where(sees, truth, drawn(rng, np.broadcast_to(known, truths.shape), shape))
        for rater in range(raters)
    }
    study = np.repeat(np.arange(studies), items)
    frame = {"study": study, "cluster": np.tile(place, studies)}
    return pl.DataFrame(frame | {name: codes.ravel() for name, codes in columns.items()})


def truth_of(
    shares: tuple[float, ...], kappa: float, clustered: bool, options: dict[str, str]
) -> float:
    """The coefficient of the population, from a study that is as large as it."""
    if options["coefficient"] != "ac1" and not clustered:
        return kappa
    size = (400_000, 80_000 if clustered else None)
    whole = ratings(np.random.default_rng(1), 1, size, shares, kappa, 2)
    return float(rs.agreement(whole, ["r0", "r1"], **options)["estimate"].item())


def agreement_coverage(
    rng: Generator,
    studies: int,
    size: tuple[int, int | None],
    shares: tuple[float, ...],
    kappa: float,
    options: dict[str, str],
) -> float:
    cohen = options["coefficient"] == "cohen"
    raters = 2 if cohen else 3
    frame = ratings(rng, studies, size, shares, kappa, raters)
    cluster = "cluster" if size[1] else None
    columns = [f"r{rater}" for rater in range(raters)]
    listed = list(range(len(shares)))
    table = rs.agreement(frame, columns, by="study", cluster=cluster, categories=listed, **options)
    return covered(table, truth_of(shares, kappa, size[1] is not None, options))


@pytest.mark.parametrize(
    ("size", "shares", "kappa", "options"),
    [
        ((20, None), (0.5, 0.5), 0.6, {"coefficient": "cohen"}),
        ((200, None), (0.9, 0.1), 0.0, {"coefficient": "cohen"}),
        ((50, None), (0.7, 0.1, 0.1, 0.1), 0.9, {"coefficient": "fleiss"}),
        ((20, None), (0.25,) * 4, 0.3, {"coefficient": "krippendorff", "metric": "ordinal"}),
    ],
)
def test_agreement_covers(
    size: tuple[int, int | None], shares: tuple[float, ...], kappa: float, options: dict[str, str]
) -> None:
    rng = np.random.default_rng(5)
    assert agreement_coverage(rng, 600, size, shares, kappa, options) >= 93.5


def agreement_table(studies: int = 1500) -> None:
    """Lowest and mean coverage of every coefficient and size, over shares and kappas."""
    print("| items | clusters |", " | ".join(map(name_of, COEFFICIENTS)), "|")
    for size in SIZES:
        cells = []
        for options in COEFFICIENTS:
            rng = np.random.default_rng(7)
            rows = {
                (name, kappa): agreement_coverage(rng, studies, size, shares, kappa, options)
                for (name, shares), kappa in product(SHARES.items(), KAPPAS)
                if len(shares) > 2 or "weights" not in options
            }
            worst = min(rows, key=lambda row: rows[row])
            print("   ", size, options, worst, round(rows[worst], 1), flush=True)
            cells.append(f"{rows[worst]:.1f}")
        print(f"| {size[0]} | {size[1] or '—'} |", " | ".join(cells), "|", flush=True)


def name_of(options: dict[str, str]) -> str:
    return " ".join(options.values())


if __name__ == "__main__":
    agreement_table()
