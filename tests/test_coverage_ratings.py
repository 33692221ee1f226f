"""Do the intervals of agreement, detection and judging cover? By simulated studies.

The tables of docs/agreement.md, docs/detection.md and docs/wins.md are made by running this file
as a script; the tests run some of their rows. Every study of a row is a cell of one call.
"""

from itertools import product

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

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


# ── Detection ────────────────────────────────────────────────────────────────────────────────

# Positives, negatives, in how many clusters (nothing where independent).
KINDS: list[tuple[int, int, int | None]] = [
    (10, 10, None),
    (10, 90, None),
    (30, 30, None),
    (100, 100, None),
    (400, 600, None),
    (20, 20, 10),
    (40, 40, 20),
    (96, 96, 32),
]
AREAS = (0.5, 0.7, 0.85, 0.95, 0.99)
# Scores as they are, in five steps, and with a long tail.
SCALES = ("normal", "five steps", "long tail")


def scored(
    rng: Generator, studies: int, kind: tuple[int, int, int | None], area: float, scale: str
) -> tuple[pl.DataFrame, float]:
    """Trials with a score, positives higher by what makes that area; and the area there is.

    In clusters a third of the variance is theirs, positives' and negatives' alike.
    """
    positives, negatives, clusters = kind
    n = positives + negatives
    label = np.arange(n) < positives
    place = np.arange(n) % (clusters or n)
    score = rng.standard_normal((studies, n)) + np.sqrt(2) * ndtri(area) * label
    if clusters:
        own = rng.standard_normal((studies, clusters))[:, place]
        score = (score - np.sqrt(2) * ndtri(area) * label) * np.sqrt(2 / 3) + own * np.sqrt(1 / 3)
        score = score + np.sqrt(2) * ndtri(area) * label
    truth = area
    if scale == "five steps":
        cuts = np.asarray([-0.5, 0.5, 1.2, 2.0])
        score = np.searchsorted(cuts, score).astype(float)
        shares = [
            np.diff(ndtr(np.r_[-np.inf, cuts, np.inf] - mean))
            for mean in (0, np.sqrt(2) * ndtri(area))
        ]
        truth = float((shares[1] * (np.cumsum(shares[0]) - shares[0] / 2)).sum())
    elif scale == "long tail":
        # Ranks are all that counts, unless the kinds have different shapes.
        score = np.where(label, score * 2 - np.sqrt(2) * ndtri(area), score)
        truth = float(ndtr(np.sqrt(2) * ndtri(area) / np.sqrt(5)))
        if clusters:
            truth = float("nan")
    study = np.repeat(np.arange(studies), n)
    columns = {"study": study, "cluster": np.tile(place, studies), "label": np.tile(label, studies)}
    return pl.DataFrame(columns | {"score": score.ravel()}), truth


def ranking_coverage(
    rng: Generator,
    studies: int,
    kind: tuple[int, int, int | None],
    area: float,
    scale: str,
) -> dict[str, float]:
    frame, truth = scored(rng, studies, kind, area, scale)
    cluster = "cluster" if kind[2] else None
    return {
        method: covered(
            rs.ranking(frame, "label", "score", by="study", cluster=cluster, method=method), truth
        )
        for method in ("auto", "logit")
    }


def flagged_coverage(
    rng: Generator, studies: int, kind: tuple[int, int, int | None], rates: tuple[float, float]
) -> dict[str, float]:
    """Metrics that are no plain rates, of a detector with that sensitivity and false alarms."""
    positives, negatives, clusters = kind
    n = positives + negatives
    label = np.arange(n) < positives
    chance = np.where(label, *rates)
    place = np.arange(n) % (clusters or n)
    draws = rng.standard_normal((studies, n))
    if clusters:
        own = rng.standard_normal((studies, clusters))[:, place]
        draws = draws * np.sqrt(2 / 3) + own * np.sqrt(1 / 3)
    said = draws < ndtri(chance)
    columns = {
        "study": np.repeat(np.arange(studies), n),
        "cluster": np.tile(place, studies),
        "label": np.tile(label, studies),
        "said": said.ravel(),
    }
    tp, fp, fn = positives * rates[0], negatives * rates[1], positives * (1 - rates[0])
    truth = {"f1": 2 * tp / (2 * tp + fp + fn), "balanced_accuracy": (rates[0] + 1 - rates[1]) / 2}
    table = rs.detection(
        pl.DataFrame(columns),
        "label",
        "said",
        metrics=list(truth),
        by="study",
        cluster="cluster" if clusters else None,
    )
    return {
        name: covered(table.filter(pl.col("metric") == name), value)
        for name, value in truth.items()
    }


@pytest.mark.parametrize(
    ("kind", "area", "scale"),
    [
        ((10, 10, None), 0.95, "normal"),
        ((30, 30, None), 0.7, "five steps"),
        ((40, 40, 20), 0.85, "normal"),
    ],
)
def test_areas_cover(kind: tuple[int, int, int | None], area: float, scale: str) -> None:
    rng = np.random.default_rng(5)
    assert ranking_coverage(rng, 600, kind, area, scale)["auto"] >= 93.5


@pytest.mark.parametrize("kind", [(10, 90, None), (40, 40, 20)])
def test_f1_and_balanced_accuracy_cover(kind: tuple[int, int, int | None]) -> None:
    rng = np.random.default_rng(5)
    assert min(flagged_coverage(rng, 600, kind, (0.8, 0.1)).values()) >= 93.5


def detection_table(studies: int = 1500) -> None:
    """Lowest coverage of each size and scale over areas; and of metrics over rates."""
    print("| positives | negatives | clusters | auto | logit | f1 | balanced accuracy |")
    for kind in KINDS:
        rng = np.random.default_rng(7)
        rows = {
            (scale, area): ranking_coverage(rng, studies, kind, area, scale)
            for scale, area in product(SCALES, AREAS)
            if not (kind[2] and scale == "long tail")
        }
        rng = np.random.default_rng(7)
        flags = {
            rates: flagged_coverage(rng, studies, kind, rates)
            for rates in product((0.3, 0.6, 0.9, 0.98), (0.02, 0.1, 0.4))
        }
        cells = []
        for name, found in (
            ("auto", rows),
            ("logit", rows),
            ("f1", flags),
            ("balanced_accuracy", flags),
        ):
            worst = min(found, key=lambda row: found[row][name])  # type: ignore[index]
            print("   ", kind, name, worst, round(found[worst][name], 1), flush=True)
            cells.append(f"{found[worst][name]:.1f}")
        print(f"| {kind[0]} | {kind[1]} | {kind[2] or '—'} |", " | ".join(cells), "|", flush=True)


# ── Judging ──────────────────────────────────────────────────────────────────────────────────

# Items, judged in both orders or in one that is drawn.
ITEMS = ((10, True), (20, True), (50, True), (200, True), (20, False), (50, False), (200, False))
# Chance that model x wins when shown first and when shown second, and of a tie.
JUDGES = ((0.5, 0.5, 0.0), (0.7, 0.4, 0.0), (0.4, 0.6, 0.3), (0.9, 0.85, 0.05), (0.6, 0.2, 0.15))


def wins_coverage(
    rng: Generator, studies: int, items: int, both: bool, judge: tuple[float, float, float]
) -> dict[str, float]:
    """Intervals of the win rate and of the first place; and how often its test rejects."""
    shape = (studies, items)
    first, second, tied = judge
    quality = rng.standard_normal(shape)
    frames = []
    for shown, chance in (("a", first), ("b", second)):
        draw = ndtr(quality * np.sqrt(0.6) + rng.standard_normal(shape) * np.sqrt(0.4))
        lost = 1 - chance * (1 - tied) - tied
        winner = np.where(draw < lost, "b", np.where(draw < lost + tied, "tie", "a"))
        columns = {
            "study": np.repeat(np.arange(studies), items),
            "item": np.tile(np.arange(items), studies),
            "winner": winner.ravel(),
        }
        frames.append(pl.DataFrame(columns).with_columns(shown=pl.lit(shown)))
    frame = pl.concat(frames)
    if not both:
        kept = pl.Series("kept", rng.choice(["a", "b"], studies * items))
        kept = pl.concat([kept, kept])
        frame = frame.filter(kept == frame["shown"])
    frame = frame.with_columns(model_a=pl.lit("x"), model_b=pl.lit("y"))
    table = rs.wins(frame, first="shown", item="item", by="study")
    rates = [chance * (1 - tied) + tied / 2 for chance in (first, second)]
    place = table.select(low="first_low", high="first_high")
    return {
        "wins": covered(table, sum(rates) / 2),
        "first": covered(place, (rates[0] + 1 - rates[1]) / 2),
        "rejected": 100 * float((table["position_p"] <= 0.05).mean() or 0.0),
    }


@pytest.mark.parametrize("both", [True, False])
def test_wins_cover_and_the_test_of_place_holds_its_size(both: bool) -> None:
    rng = np.random.default_rng(5)
    found = wins_coverage(rng, 600, 50, both, JUDGES[2])
    assert min(found["wins"], found["first"]) >= 93.5
    assert wins_coverage(rng, 600, 50, both, JUDGES[0])["rejected"] <= 6.0


def wins_table(studies: int = 1500) -> None:
    """Lowest coverage over judges, and how often the test rejects where the place is nothing."""
    print("| items | orders | win rate | first place | rejected |")
    for items, both in ITEMS:
        rng = np.random.default_rng(7)
        rows = [wins_coverage(rng, studies, items, both, judge) for judge in JUDGES]
        lowest = [min(row[name] for row in rows) for name in ("wins", "first")]
        cells = [f"{value:.1f}" for value in (*lowest, rows[0]["rejected"])]
        print(f"| {items} | {'both' if both else 'one'} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    agreement_table()
    detection_table()
    wins_table()
