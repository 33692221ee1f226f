"""Run the races and the curves of time per byte, and print both; with --publish, keep them.

Publishing writes benches/results.json and the tables between two markers, of ratios in README.md
and of curves in docs/testing.md. A test fails when these say different things.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benches" / "results.json"
README = ROOT / "README.md"
TESTING = ROOT / "docs" / "testing.md"


def measure() -> tuple[dict[str, Any], bool]:
    """Run pytest-benchmark over this folder; what was recorded, and whether all held."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "benchmark.json"
        command = [sys.executable, "-m", "pytest", "-q", "benches", "--import-mode=prepend"]
        # A race measures and asserts its own ratio; the plugin's table says nothing of peers.
        command += ["--benchmark-quiet", f"--benchmark-json={output}"]
        held = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
        recorded = [bench["extra_info"] for bench in json.loads(output.read_text())["benchmarks"]]
    races = sorted((row for row in recorded if "ratio" in row), key=lambda row: -row["ratio"])
    curves = [row for row in recorded if "nanoseconds" in row]
    return {"races": races, "curves": curves}, held


def ratios(rows: list[dict[str, Any]]) -> str:
    """Render the ratios as a Markdown table."""
    header = ["operation", "against", "times faster", "range", "ours", "same answers"]
    lines = [f"| {' | '.join(header)} |", "| --- " * len(header) + "|"]
    for row in rows:
        low, high = rounded(row["ratio_low"]), rounded(row["ratio_high"])
        if "rate" in row:
            ours, same = f"{rounded(row['rate'] / 1e6)} M rows/s", share(row["agreement"])
        else:
            ours, same = duration(row["seconds"]), share(1)
        cells = [row["name"], row["against"], rounded(row["ratio"]), f"{low}–{high}", ours, same]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def curves(rows: list[dict[str, Any]]) -> str:
    """Render the time per byte as a Markdown table."""
    sizes = [f"{size:g} MB" for size in rows[0]["megabytes"]]
    header = ["scorer", "slowest on", *sizes]
    lines = [f"| {' | '.join(header)} |", "| --- " * len(header) + "|"]
    for row in rows:
        piece = json.dumps(row["piece"], ensure_ascii=False).strip('"')
        times = [rounded(nanoseconds) for nanoseconds in row["nanoseconds"]]
        lines.append(f"| {' | '.join([row['curve'], f'`{piece}`', *times])} |")
    return "\n".join(lines)


def share(part: float) -> str:
    """A percentage, rounded down: only what is everything says 100."""
    return "all" if part == 1 else f"{int(part * 1000) / 10:g} %"


def rounded(ratio: float) -> str:
    """Two significant digits: more would be noise."""
    return f"{float(f'{ratio:.2g}'):,.6g}"


def duration(seconds: float) -> str:
    """Two significant digits with a unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    return f"{float(f'{seconds / 1e-6:.2g}'):g} µs"


def with_table(text: str, name: str, table: str) -> str:
    """Put a table between its markers."""
    begin, end = f"<!-- {name}: written by make bench-full -->", f"<!-- end of {name} -->"
    before, rest = text.split(begin, 1)
    _, after = rest.split(end, 1)
    return f"{before}{begin}\n{table}\n{end}{after}"


def pages(results: dict[str, Any]) -> dict[Path, str]:
    """The pages with the tables of these results."""
    return {
        README: with_table(README.read_text(), "ratios", ratios(results["races"])),
        TESTING: with_table(TESTING.read_text(), "curves", curves(results["curves"])),
    }


if __name__ == "__main__":
    results, held = measure()
    print(ratios(results["races"]), curves(results["curves"]), sep="\n\n")
    if not held:
        sys.exit("a race failed: its two sides disagree, or it is far below its target")
    if "--publish" in sys.argv[1:]:
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
        for page, text in pages(results).items():
            page.write_text(text)
