"""How often every interval covers and every test rejects: the tables and plots of docs/coverage.md.

`make coverage` runs it; `PYTHONPATH=tests python tests/coverage_study.py TRIALS` takes about so
many simulated trials a row. Rows are written to docs/coverage.csv, one a line, as they are done;
what is there is not simulated again, so that a run may be stopped and taken up. The page's tables
stand between its markers.
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
SIZES = {
    "1": [1],
    "3": [3],
    "20": [20],
    "1 to 40": [1, 2, 3, 5, 8, 13, 40],
    "1 or 30": [1] * 4 + [30],
}
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
        for (a, b), correlation in product(ARMS, CORRELATIONS):
            for size in ("3", "1 to 40"):
                yield "paired difference", clusters, size, f"{a}, {b}", correlation
                yield "unpaired difference", clusters, size, f"{a}, {b}", correlation


def simulate(budget: int, path: Path) -> pl.DataFrame:
    """Rows that are not in the file yet, each of so many trials in 250 to 2,000 studies."""
    done: set[Design] = set()
    if path.is_file():
        done = set(pl.read_csv(path, schema=SCHEMA).select(list(SCHEMA)[:5]).unique().rows())
    else:
        path.write_text(",".join(SCHEMA) + "\n", encoding="utf-8")
    for design in designs():
        if design in done:
            continue
        family, clusters, sizes, _, _ = design
        studies = int(np.clip(budget / (clusters * np.mean(SIZES[sizes])), 250, 2000))
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


# ── The page ──────────────────────────────────────────────────────────────────────────────────

PAGE = DOCS / "coverage.md"
NOMINAL, ENOUGH = 0.95, 0.935
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")


def short() -> pl.Expr:
    """Whether a row covers less than 93.5 % by more than three simulation errors."""
    error = (pl.lit(ENOUGH) * (1 - ENOUGH) / pl.col("studies")).sqrt()
    return pl.col("share") < ENOUGH - 3 * error


def by_method(rows: pl.DataFrame) -> str:
    """Lowest share, rows that are short, and width over the default's, by clusters and method."""
    intervals = rows.filter(pl.col("width").is_not_null())
    methods = intervals["method"].unique(maintain_order=True).to_list()
    keys = ["clusters", "sizes", "truth", "correlation"]
    default = intervals.filter(method="default").select(*keys, base="width")
    found = (
        intervals.join(default, on=keys)
        .group_by("clusters", "method")
        .agg(
            lowest=pl.col("share").min(),
            short=short().sum(),
            rows=pl.len(),
            width=(pl.col("width") / pl.col("base")).median(),
        )
    )
    lines = [f"| clusters | rows | {' | '.join(methods)} |", "| --- " * (len(methods) + 2) + "|"]
    for clusters in sorted(found["clusters"].unique()):
        cells = []
        for method in methods:
            row = found.filter(clusters=clusters, method=method).row(0, named=True)
            width = "" if method == "default" else f", {row['width']:.2f}"
            cells.append(f"{100 * row['lowest']:.1f} ({row['short']}{width})")
        lines.append(f"| {clusters} | {row['rows']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def by_design(rows: pl.DataFrame, across: str) -> str:
    """Lowest share of the default by clusters and sizes, across something."""
    default = rows.filter(method="default")
    levels = default[across].unique(maintain_order=True).to_list()
    found = default.group_by("clusters", "sizes", across, maintain_order=True).agg(
        pl.col("share").min()
    )
    lines = [
        f"| clusters | sizes | {' | '.join(map(str, levels))} |",
        "| --- " * (len(levels) + 2) + "|",
    ]
    for clusters, sizes in found.select("clusters", "sizes").unique(maintain_order=True).rows():
        cells = []
        for level in levels:
            share = found.filter(pl.col(across) == level, clusters=clusters, sizes=sizes)[
                "share"
            ].to_list()
            cells.append(f"{100 * share[0]:.1f}" if share else "")
        lines.append(f"| {clusters} | {sizes} | {' | '.join(cells)} |")
    return "\n".join(lines)


def rejections(rows: pl.DataFrame) -> str:
    """Highest share of a true null rejected, by clusters and test."""
    tests = rows.filter(pl.col("width").is_null())
    names = tests["method"].unique(maintain_order=True).to_list()
    found = tests.group_by("clusters", "method").agg(pl.col("share").max())
    lines = [
        f"| clusters | {' | '.join(f'`{n}`' for n in names)} |",
        "| --- " * (len(names) + 1) + "|",
    ]
    for clusters in sorted(found["clusters"].unique()):
        shares = [found.filter(clusters=clusters, method=name)["share"][0] for name in names]
        lines.append(f"| {clusters} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |")
    return "\n".join(lines)


def picture(rows: pl.DataFrame, title: str) -> str:
    """Lowest coverage of each method against the number of clusters, as SVG."""
    found = (
        rows.filter(pl.col("width").is_not_null())
        .group_by("clusters", "method", maintain_order=True)
        .agg(pl.col("share").min())
    )
    ticks = sorted(found["clusters"].unique())
    least = 0.2

    def x(clusters: int) -> float:
        return 60 + 400 * ticks.index(clusters) / max(len(ticks) - 1, 1)

    def y(share: float) -> float:
        return round(40 + 260 * (1 - (max(share, least) - least) / (1 - least)), 1)

    parts = [f'<text x="60" y="20">{title}: lowest coverage of nominal 95 %</text>']
    for share in (0.2, 0.4, 0.6, 0.8, 0.95):
        parts += [
            f'<line x1="60" x2="460" y1="{y(share)}" y2="{y(share)}" stroke="#ddd"/>',
            f'<text x="52" y="{y(share) + 4}" text-anchor="end">{100 * share:.0f}</text>',
        ]
    for clusters in ticks:
        parts.append(f'<text x="{x(clusters)}" y="320" text-anchor="middle">{clusters}</text>')
    parts.append('<text x="260" y="340" text-anchor="middle">clusters</text>')
    for place, method in enumerate(found["method"].unique(maintain_order=True)):
        line = found.filter(method=method).sort("clusters")
        points = " ".join(f"{x(c)},{y(s)}" for c, s in line.select("clusters", "share").rows())
        colour = COLOURS[place % len(COLOURS)]
        width = 3 if method == "default" else 1.5
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>',
            f'<text x="475" y="{60 + 20 * place}" fill="{colour}">{method}</text>',
        ]
    body = "\n".join(parts)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 350" font-family="sans-serif" '
        f'font-size="13">\n<rect width="660" height="350" fill="white"/>\n{body}\n</svg>\n'
    )


def publish(table: pl.DataFrame) -> None:
    """Put tables between the page's markers, and pictures beside it."""
    table = table.sort("clusters", maintain_order=True)
    parts = {}
    for family in FAMILIES:
        rows = table.filter(family=family)
        name = family.replace(" ", "-")
        parts[f"{name} methods"] = by_method(rows)
        across = "truth" if family == "mean" else "correlation"
        parts[f"{name} designs"] = by_design(rows, across)
        if "difference" in family:
            parts[f"{name} tests"] = rejections(rows)
        (DOCS / f"coverage-{name}.svg").write_text(picture(rows, family), encoding="utf-8")
    studies = table.unique(list(SCHEMA)[:5])["studies"]
    parts["size"] = (
        f"So far {studies.len():,} of {sum(1 for _ in designs()):,} rows, "
        f"{studies.sum():,} studies, {studies.min()} to {studies.max():,} a row."
    )
    text = PAGE.read_text(encoding="utf-8")
    for name, part in parts.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        head, _, rest = text.partition(start)
        text = f"{head}{start}\n{part}\n\n{end}{rest.partition(end)[2]}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    publish(simulate(int(sys.argv[1]) if sys.argv[1:] else 250_000, DOCS / "coverage.csv"))
