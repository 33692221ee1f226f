"""Charts of the measured figures, as SVG."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

LEFT, WIDTH, STEP = 430, 420, 18
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def ratios(races: Sequence[dict[str, Any]]) -> str:
    """Each race as a point with its range, on a logarithmic axis; 1 is the peer."""
    ends = [row[end] for row in races for end in ("ratio_low", "ratio_high")]
    least, most = (math.floor(math.log10(min(ends))), math.ceil(math.log10(max(ends))))

    def x(ratio: float) -> float:
        return LEFT + (math.log10(ratio) - least) / (most - least) * WIDTH

    bottom = STEP * (len(races) + 1)
    parts = []
    for power in range(least, most + 1):
        place = f"{x(10.0**power):.1f}"
        stroke = "#444" if power == 0 else "#ddd"
        parts.append(f'<path d="M{place} 8V{bottom}" stroke="{stroke}"/>')
        parts.append(_text(x(10.0**power), bottom + 14, f"{10.0**power:g}", "middle"))
    for place, row in enumerate(races):
        y = STEP * (place + 1)
        low, middle, high = (x(row[name]) for name in ("ratio_low", "ratio", "ratio_high"))
        colour = COLOURS[0] if row["ratio"] >= 1 else COLOURS[1]
        parts.append(_text(LEFT - 8, y + 4, row["name"], "end"))
        parts.append(f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<circle cx="{middle:.1f}" cy="{y}" r="4" fill="{colour}"/>')
    parts.append(
        _text(LEFT + WIDTH / 2, bottom + 32, "times faster than the fastest peer", "middle")
    )
    return _svg(LEFT + WIDTH + 20, bottom + 40, parts)


def growth(rows: Sequence[dict[str, Any]]) -> str:
    """Seconds against size, both relative to the smallest and logarithmic; dashed is linear."""
    left, top, size, side = 50, 12, 340, 250
    highest = max(max(row["seconds"]) / row["seconds"][0] for row in rows)
    widest = max(row["sizes"][-1] for row in rows)
    steps = math.ceil(math.log2(max(highest, widest)))

    def place(across: float, up: float) -> str:
        height = top + size - math.log2(max(up, 0.5)) / steps * size
        return f"{left + math.log2(across) / steps * size:.1f},{height:.1f}"

    linear = f"{place(1, 1)} {place(widest, widest)}"
    parts = [f'<path d="M{linear}" fill="none" stroke="#888" stroke-dasharray="5 4"/>']
    for step in range(steps + 1):
        across, _, height = place(2.0**step, 2.0**step).partition(",")
        parts.append(_text(float(across), top + size + 16, f"{2**step}", "middle"))
        parts.append(_text(left - 6, float(height) + 4, f"{2**step}", "end"))
    for number, row in enumerate(rows):
        colour = COLOURS[number % len(COLOURS)]
        dash = "none" if number < len(COLOURS) else "6 3"
        first = row["seconds"][0]
        points = " ".join(
            place(times, seconds / first)
            for times, seconds in zip(row["sizes"], row["seconds"], strict=True)
        )
        stroke = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" fill="none" {stroke}/>')
        y = top + 8 + STEP * number
        parts.append(f'<path d="M{left + size + 16} {y}h24" {stroke}/>')
        name = f"{row['growth']}, {row['of']}: {row['exponent']:.2f}"
        parts.append(_text(left + size + 46, y + 4, name, "start"))
    parts.append(_text(left + size / 2, top + size + 34, "size, times the smallest", "middle"))
    return _svg(left + size + side, top + size + 44, parts)


def history(runs: Sequence[dict[str, Any]]) -> str:
    """A line for each race: its ratios over commits, on an axis of its own."""
    names = sorted({name for run in runs for name in run["ratios"]})
    left, parts = LEFT + 160, []
    for place, name in enumerate(names):
        y = STEP * (place + 1)
        found = [(at, run["ratios"][name]) for at, run in enumerate(runs) if name in run["ratios"]]
        logs = [math.log(ratio) for _, ratio in found]
        # A doubling is as high as a row at most, so that noise stays flat.
        scale = (STEP - 4) / max(max(logs) - min(logs), math.log(2))
        points = " ".join(
            f"{left + at / max(len(runs) - 1, 1) * WIDTH:.1f},{y - (log - min(logs)) * scale:.1f}"
            for (at, _), log in zip(found, logs, strict=True)
        )
        parts.append(_text(left - 8, y, name, "end"))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[0]}"/>')
        parts.append(_text(left + WIDTH + 8, y, f"{found[-1][1]:,.4g}", "start"))
    bottom = STEP * (len(names) + 2)
    ends = f"{runs[0]['commit'][:9]} to {runs[-1]['commit'][:9]}, {len(runs)} runs"
    parts.append(_text(left + WIDTH / 2, bottom, ends, "middle"))
    return _svg(left + WIDTH + 60, bottom + 12, parts)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        'font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
