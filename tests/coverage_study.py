"""How often every interval covers and every test rejects: the tables and plots of docs/coverage.md.

`make coverage` runs it; `PYTHONPATH=tests python tests/coverage_study.py TRIALS` takes about so many
simulated trials a row. Rows are written to docs/coverage.csv, one a line, as they are done; what is
there is not simulated again, so that a run may be stopped and taken up. The page's tables stand
between its markers.
"""

import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from scipy.special import ndtr

import reclaimstats as rs
from test_coverage import compared, studies_of_arms
from test_mean import SHAPES

DOCS = Path(__file__).parent.parent / "docs"
CLUSTERS = (5, 8, 16, 32, 96, 300)
SIZES = {"1": [1], "3": [3], "20": [20], "1 to 40": [1, 2, 3, 5, 8, 13, 40], "1 or 30": [1] * 4 + [30]}
CORRELATIONS = (0.0, 0.3, 0.6, 0.9)
RATES = (0.02, 0.05, 0.2, 0.5, 0.9, 0.98)
ARMS = ((0.5, 0.5), (0.6, 0.4), (0.95, 0.9), (0.1, 0.02), (0.95, 0.05), (0.98, 0.98))
SCHEMA = {
    "family": pl.String,
    "clusters": pl.Int64,
    "sizes": pl.String,
    "truth": pl.String,
    "correlation": pl.Float64,
    "method": pl.String,
    "studies": pl.Int64,
    "share": pl.Float64,
    "none": pl.Float64,
    "width": pl.Float64,
}
Row = dict[str, Any]
Design = tuple[str, int, str, str, float]
DRAWS: dict[str, Any] = {"n_resamples": 500}


def summary(result: pl.DataFrame, truth: float) -> Row:
    """Share of the intervals there are that contain the truth, share without one, mean width."""
    given = result.drop_nulls(["low", "high"])
    inside = (given["low"] <= truth + 1e-9) & (given["high"] >= truth - 1e-9)
    return {
        "share": inside.mean(),
        "none": 1 - given.height / result.height,
        "width": (given["high"] - given["low"]).mean(),
    }


def rates(rng: np.random.Generator, studies: int, design: Design) -> dict[str, Row]:
    _, clusters, sizes, truth, correlation = design
    rate = float(truth)
    trials = studies_of_arms(rng, studies, clusters, [rate], correlation, 0.0, SIZES[sizes])[0]
    cells: dict[str, Any] = {"by": "study", "cluster": "cluster"}
    return {
        "default": summary(rs.rate(trials, "hit", **cells), rate),
        "Wilson, no clusters": summary(rs.rate(trials, "hit", by="study"), rate),
        "t, CR1": summary(rs.mean(trials, "hit", method="t", variance="cr1", **cells), rate),
        "percentile": summary(rs.mean(trials, "hit", method="percentile", **cells, **DRAWS), rate),
        "BCa": summary(rs.mean(trials, "hit", method="bca", **cells, **DRAWS), rate),
    }


def paired(rng: np.random.Generator, studies: int, design: Design) -> dict[str, Row]:
    _, clusters, sizes, truth, correlation = design
    chances = [float(rate) for rate in truth.split(", ")]
    tied = 0.6 if correlation else 0.0
    arms = studies_of_arms(rng, studies, clusters, chances, correlation, tied, SIZES[sizes])
    calls: dict[str, Row] = {
        "default": {"cluster": "cluster"},
        "Newcombe, no clusters": {},
        "t, CR2": {"cluster": "cluster", "method": "t"},
        "percentile": {
            "cluster": "cluster", "method": "percentile", "resampler": "monte-carlo", **DRAWS,
        },
    }  # fmt: skip
    results = {name: compared(arms, **options) for name, options in calls.items()}
    found = {name: summary(result, chances[0] - chances[1]) for name, result in results.items()}
    if chances[0] == chances[1]:
        for test in ("sign_p", "flip_p", "permutation_p", "mcnemar_p"):
            found[test] = {"share": (results["default"][test] <= 0.05).mean()}
    return found


def unpaired(rng: np.random.Generator, studies: int, design: Design) -> dict[str, Row]:
    _, clusters, sizes, truth, correlation = design
    chances = [float(rate) for rate in truth.split(", ")]
    arms = studies_of_arms(rng, studies, clusters, chances, correlation, 0.0, SIZES[sizes])
    arms[1] = arms[1].with_columns(pl.col("cluster") + clusters)
    trials = pl.concat(arms)
    calls: dict[str, Row] = {"default": {"cluster": "cluster"}, "Newcombe, no clusters": {}}
    results = {
        name: rs.compare_unpaired(
            trials, "hit", contrast="arm", baseline="b", by="study", **DRAWS, **options
        )
        for name, options in calls.items()
    }
    found = {name: summary(result, chances[0] - chances[1]) for name, result in results.items()}
    if chances[0] == chances[1]:
        for test in ("permutation_p", "fisher_p"):
            found[test] = {"share": (results["default"][test] <= 0.05).mean()}
    return found


def means(rng: np.random.Generator, studies: int, design: Design) -> dict[str, Row]:
    _, clusters, sizes, truth, correlation = design
    score, mean = SHAPES[truth]
    size = rng.choice(np.asarray(SIZES[sizes]), (studies, clusters, 1))
    kept = np.arange(max(SIZES[sizes])) < size
    shared = rng.standard_normal((studies, clusters, 1))
    own = rng.standard_normal(kept.shape)
    normal = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    columns: Row = dict(zip(("study", "item", "trial"), kept.nonzero(), strict=True))
    columns["score"] = score(ndtr(normal[kept]))
    trials = pl.DataFrame(columns)
    cells: Row = {"by": "study", "cluster": "item"}
    calls: dict[str, Row] = {
        "default": {},
        "t, CR1": {"method": "t", "variance": "cr1"},
        "percentile": {"method": "percentile", **DRAWS},
        "BCa": {"method": "bca", **DRAWS},
        "bootstrap-t": {"method": "studentized", **DRAWS},
    }
    return {
        name: summary(rs.mean(trials, "score", **cells, **options), mean)
        for name, options in calls.items()
    }


FAMILIES: dict[str, Callable[[np.random.Generator, int, Design], dict[str, Row]]] = {
    "rate": rates,
    "mean": means,
    "paired difference": paired,
    "unpaired difference": unpaired,
}


def designs() -> Iterator[Design]:
    clustered = [size for size in SIZES if size != "1"]
    for clusters in CLUSTERS:
        for size, correlation in product(clustered, CORRELATIONS):
            for rate in RATES:
                yield "rate", clusters, size, str(rate), correlation
        for shape, (size, correlation) in product(
            SHAPES, (("1", 0.0), ("3", 0.3), ("20", 0.6), ("1 to 40", 0.3))
        ):
            yield "mean", clusters, size, shape, correlation
        for family in ("paired difference", "unpaired difference"):
            for (a, b), size, correlation in product(ARMS, ("3", "1 to 40"), CORRELATIONS):
                yield family, clusters, size, f"{a}, {b}", correlation


def simulate(budget: int, path: Path) -> pl.DataFrame:
    """Rows that are not in the file yet, each of so many trials in 400 to 2,000 studies."""
    done: set[Design] = set()
    if path.is_file():
        done = set(pl.read_csv(path, schema=SCHEMA).select(list(SCHEMA)[:5]).unique().rows())
    else:
        path.write_text(",".join(SCHEMA) + "\n", encoding="utf-8")
    for design in designs():
        if design in done:
            continue
        family, clusters, sizes, _, _ = design
        studies = int(np.clip(budget / (clusters * np.mean(SIZES[sizes])), 400, 2000))
        rng = np.random.default_rng(zlib.crc32(repr(design).encode()))
        named = dict(zip(list(SCHEMA)[:5], design, strict=True))
        rows = [
            named | {"method": method, "studies": studies} | found
            for method, found in FAMILIES[family](rng, studies, design).items()
        ]
        table = pl.DataFrame(rows, schema=SCHEMA).with_columns(
            pl.col("share", "none").round(4), pl.col("width").round_sig_figs(4)
        )
        with path.open("a", encoding="utf-8") as file:
            file.write(table.write_csv(include_header=False))
    return pl.read_csv(path, schema=SCHEMA)
