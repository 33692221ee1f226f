"""Run the races and print the table of ratios; with --publish, keep it.

Publishing writes benches/results.json and the table between the two markers in README.md. A test
fails when the two say different things.
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
BEGIN, END = "<!-- ratios: written by make bench -->", "<!-- end of ratios -->"


def races() -> tuple[list[dict[str, Any]], bool]:
    """Run pytest-benchmark over this folder; what each race recorded, and whether all held."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "benchmark.json"
        command = [sys.executable, "-m", "pytest", "-q", "benches", "--import-mode=prepend"]
        # A race measures and asserts its own ratio; the plugin's table says nothing of peers.
        command += ["--benchmark-quiet", f"--benchmark-json={output}"]
        held = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
        benchmarks = json.loads(output.read_text())["benchmarks"]
    rows = [benchmark["extra_info"] for benchmark in benchmarks if benchmark["extra_info"]]
    return sorted(rows, key=lambda row: -row["ratio"]), held


def table(rows: list[dict[str, Any]]) -> str:
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


def with_table(text: str, rows: list[dict[str, Any]]) -> str:
    """Put the table between the markers."""
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{table(rows)}\n{END}{after}"


if __name__ == "__main__":
    rows, held = races()
    print(table(rows))
    if not held:
        sys.exit("a race failed: its two sides disagree, or it is far below its target")
    if "--publish" in sys.argv[1:]:
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n")
        README.write_text(with_table(README.read_text(), rows))
