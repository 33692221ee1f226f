"""Draw every interval of one small data set: docs/intervals.svg."""

from pathlib import Path

import polars as pl

import reclaimstats as rs

HITS = [4, 4, 4, 4, 4, 4, 4, 1]
METHODS = ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "t", "percentile")
LEFT, WIDTH, STEP = 210, 420, 24


def x(rate: float) -> float:
    """Place of a rate from 0.4 to 1."""
    return round(LEFT + (rate - 0.4) / 0.6 * WIDTH, 1)


def drawing() -> str:
    """Return the picture as SVG."""
    trials = pl.DataFrame(
        {
            "item": [i for i in range(8) for _ in range(4)],
            "correct": [int(j < k) for k in HITS for j in range(4)],
        }
    )
    rows = [
        rs.rate(trials, "correct", cluster=cluster, method=method).row(0, named=True)
        for cluster in ([], ["item"])
        for method in METHODS
    ]
    parts = []
    for place, row in enumerate(rows):
        clustered = place >= len(METHODS)
        y, colour = STEP * (place + 1) + 12 * clustered, "#b3542e" if clustered else "#2e6db3"
        name = row["method"] + (" (clusters)" if clustered and "exact" in row["method"] else "")
        parts += [
            f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{name}</text>',
            f'<path d="M{x(row["low"])} {y}H{x(row["high"])}" stroke="{colour}" stroke-width="3"/>',
        ]
    bottom = STEP * (len(rows) + 1) + 12
    middle = x(rows[0]["estimate"])
    parts.append(
        f'<line x1="{middle}" x2="{middle}" y1="10" y2="{bottom}" stroke="#888" '
        'stroke-dasharray="3 3"/>'
    )
    for tick in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        parts.append(f'<text x="{x(tick)}" y="{bottom + 16}" text-anchor="middle">{tick}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 {bottom + 26}" '
        'font-family="sans-serif" font-size="13">\n'
        f'<rect width="660" height="{bottom + 26}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_name("intervals.svg").write_text(drawing(), encoding="utf-8")
